"""The add-on folder for Home Assistant: keys and values as its documentation describes, and settings that exist."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
import yaml

import qwixx
from qwixx.server.base.settings import Settings, variable
from support.paths import ROOT

FOLDER = ROOT / "deploy" / "home-assistant"
CONFIG: dict[str, Any] = yaml.safe_load((FOLDER / "config.yaml").read_text("utf-8"))
PORT = re.compile(r"([1-9]\d{0,4})/(tcp|udp)")
BOUNDS = r"(\(\d*,\d*\))?"
OPTION = re.compile(
    rf"(str{BOUNDS}|int{BOUNDS}|float{BOUNDS}|bool|email|url|password|port|match\(.+\)|list\([^|]+(\|[^|]+)*\)|device(\(.+\))?)\??"
)


def one_of(*words: str) -> Callable[[Any], bool]:
    """Accept these words."""
    return lambda value: value in words


def is_text(value: Any) -> bool:
    """Accept a text that is not empty."""
    return isinstance(value, str) and bool(value.strip())


def is_flag(value: Any) -> bool:
    """Accept yes and no."""
    return isinstance(value, bool)


def is_port(value: Any) -> bool:
    """Accept the number of a port."""
    return isinstance(value, int) and 0 < value < 65536


def is_url(value: Any) -> bool:
    """Accept an address with placeholders for the host and the port."""
    return bool(re.fullmatch(r"(https?|tcp|\[PROTO:\w+\])://\[HOST\]:\[PORT:\d+\](/\S*)?", value))


REQUIRED: dict[str, Callable[[Any], bool]] = {
    "name": is_text,
    "version": is_text,
    "slug": lambda value: bool(re.fullmatch(r"[a-z0-9_-]+", value)),
    "description": is_text,
    "arch": lambda value: value and set(value) <= {"aarch64", "amd64", "armhf", "armv7", "i386"},
}
OPTIONAL: dict[str, Callable[[Any], bool]] = {
    "startup": one_of("initialize", "system", "services", "application", "once"),
    "boot": one_of("auto", "manual", "manual_only"),
    "ingress": is_flag,
    "ingress_port": is_port,
    "panel_icon": lambda value: bool(re.fullmatch(r"mdi:[a-z0-9-]+", value)),
    "panel_title": is_text,
    "panel_admin": is_flag,
    "ports": lambda value: all(PORT.fullmatch(key) and (to is None or is_port(to)) for key, to in value.items()),
    "ports_description": lambda value: all(PORT.fullmatch(key) and is_text(about) for key, about in value.items()),
    "watchdog": is_url,
    "tmpfs": is_flag,
    "options": lambda value: isinstance(value, dict),
    "schema": lambda value: all(OPTION.fullmatch(kind) for kind in value.values()),
}


def problems(config: dict[str, Any]) -> list[str]:
    """Return the keys that are missing, unknown or wrong."""
    known = REQUIRED | OPTIONAL
    wrong = [key for key, value in config.items() if key not in known or not known[key](value)]
    return sorted([*wrong, *(REQUIRED.keys() - config.keys())])


def test_the_configuration_follows_the_schema() -> None:
    """All keys are known and valid, and options and their kinds agree."""
    assert problems(CONFIG) == []
    assert CONFIG["version"] == qwixx.__version__
    assert CONFIG["options"].keys() == CONFIG["schema"].keys()
    assert CONFIG["ports"].keys() == CONFIG["ports_description"].keys()
    assert CONFIG["options"]["log_level"] in CONFIG["schema"]["log_level"]
    assert (CONFIG["ingress"], CONFIG["ingress_port"]) == (True, Settings().port)
    assert list(CONFIG["ports"]) == [f"{CONFIG['ingress_port']}/tcp"]
    assert f"[PORT:{CONFIG['ingress_port']}]/healthz" in CONFIG["watchdog"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("arch", ["x86"]),
        ("slug", "Qwixx game"),
        ("ingress", "yes"),
        ("ingress_port", 70000),
        ("ports", {"8321": 8321}),
        ("schema", {"hosts": "text"}),
        ("panel_icon", "dice"),
        ("startup", "later"),
        ("watchdog", "http://127.0.0.1/"),
        ("ingres", True),
    ],
)
def test_mistakes_are_found(key: str, value: object) -> None:
    """The check above can fail."""
    assert problems({**CONFIG, key: value}) == [key]
    assert problems({name: each for name, each in CONFIG.items() if name != "slug"}) == ["slug"]


def test_options_become_settings() -> None:
    """Every option and every fixed value is a setting that the server accepts; the proxies are those of ingress."""
    run = runpy.run_path(str(FOLDER / "run.py"))
    given = run["settings"](CONFIG["options"])
    own = {variable(each.name) for each in fields(Settings)} | {"QWIXX_DATA", "QWIXX_CACHE", "HOME"}
    assert given.keys() <= own
    settings = Settings.from_environment(given)
    assert (settings.port, settings.hosts, settings.proxies) == (8321, "*", "172.30.32.1,172.30.32.2")
    assert run["settings"]({"port": 1})["QWIXX_PORT"] == "8321"


def test_the_files_of_the_folder() -> None:
    """The image contains the script that it starts, its base is pinned, and the documents name every option."""
    image, docs = ((FOLDER / name).read_text("utf-8") for name in ("Dockerfile", "DOCS.md"))
    assert re.findall(r"^FROM (\S+)$", image, re.MULTILINE) == ["python:3.13-slim"]
    assert "COPY run.py /run.py" in image
    assert 'CMD ["python", "/run.py"]' in image
    assert re.findall(r"^\| `(\w+)` \|", docs, re.MULTILINE) == list(CONFIG["options"])
