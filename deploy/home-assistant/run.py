"""Start the server as an add-on of Home Assistant: options become settings, and root's rights are given up first."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

DATA = Path("/data")
"""The folder that Home Assistant keeps and backs up; it has the options, too."""
USER = 8321
INGRESS = "172.30.32.1,172.30.32.2"
"""Home Assistant and its supervisor, which pass requests on and say below which path."""


def settings(options: Mapping[str, object]) -> dict[str, str]:
    """Return the settings of the server for the options of the add-on."""
    given = {f"QWIXX_{name.upper()}": str(value) for name, value in options.items()}
    games = str(DATA / "games")
    fixed = {"QWIXX_HOST": "0.0.0.0", "QWIXX_PORT": "8321", "QWIXX_PROXIES": INGRESS}  # noqa: S104 - within its container
    return {**given, **fixed, "QWIXX_DATA": games, "QWIXX_CACHE": f"{games}/cache", "HOME": games}


def main() -> None:
    """Read the options, become an ordinary user that owns one folder, and start."""
    options = json.loads((DATA / "options.json").read_text("utf-8"))
    folder = DATA / "games"
    folder.mkdir(mode=0o700, exist_ok=True)
    for each in (folder, *folder.rglob("*")):
        os.chown(each, USER, USER, follow_symlinks=False)
    os.setgroups([])
    os.setgid(USER)
    os.setuid(USER)
    os.execvpe("qwixx", ["qwixx", "serve", "--no-open"], {**os.environ, **settings(options)})  # noqa: S606, S607 - our own


if __name__ == "__main__":
    main()
