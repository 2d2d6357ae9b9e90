"""The manifest of the page: what browsers and stores ask of a page that can be installed."""

from __future__ import annotations

import json
import struct

from support.paths import ROOT

PUBLIC = ROOT / "page" / "public"
MANIFEST = json.loads((PUBLIC / "manifest.webmanifest").read_text("utf-8"))


def size_of(name: str) -> str:
    """Return the size in the header of a PNG file."""
    data = (PUBLIC / name).read_bytes()
    assert data.startswith(b"\x89PNG"), name
    return "{}x{}".format(*struct.unpack(">II", data[16:24]))


def test_the_page_can_be_installed() -> None:
    """It has words, icons as PNG of 192 and 512 pixels, one of them maskable, shortcuts and screenshots."""
    assert {"name", "description", "lang", "start_url", "display"} <= MANIFEST.keys()
    drawn = {(each["sizes"], each["purpose"]) for each in MANIFEST["icons"] if each["type"] == "image/png"}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= drawn
    assert {each["form_factor"] for each in MANIFEST["screenshots"]} == {"narrow", "wide"}
    assert MANIFEST["shortcuts"]


def test_the_page_can_be_installed_below_any_path() -> None:
    """All addresses are relative; without an id the start address is the id, so that copies on one host differ."""
    assert "id" not in MANIFEST
    assert MANIFEST["start_url"] == MANIFEST["scope"] == "./"
    addresses = [
        each.get("src") or each["url"] for part in ("icons", "screenshots", "shortcuts") for each in MANIFEST[part]
    ]
    assert not [each for each in addresses if each.startswith("/") or ":" in each]


def test_every_picture_has_the_size_that_the_manifest_names() -> None:
    """The files exist; `make pictures` makes them."""
    shortcuts = [icon for each in MANIFEST["shortcuts"] for icon in each["icons"]]
    for each in [*MANIFEST["icons"], *MANIFEST["screenshots"], *shortcuts]:
        if each["src"].endswith(".svg"):
            assert (PUBLIC / each["src"]).is_file()
        else:
            assert size_of(each["src"]) == each["sizes"]
