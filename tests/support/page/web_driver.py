"""Drive Firefox and WebKitGTK by WebDriver commands: Firefox over Marionette, WebKit over the HTTP of its driver.

Both speak the same commands with the same parameters, so a small client replaces two libraries and geckodriver, which
Debian does not package.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from support.page import find_engines
from support.page.page_driver import PATIENCE, UNTIL
from support.server.free_ports import free_port

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element in an answer, fixed by the WebDriver standard."""
STARTING = 60.0
"""Seconds for a browser to start on a busy machine."""
SCREEN = (1280, 900)
PREFERENCES: dict[str, object] = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.min_background_timeout_value": 4,  # two people play in two windows, and one of them is behind the other
    "intl.accept_languages": "en-US",
    "marionette.port": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "remote.prefs.recommended": True,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}
"""Firefox without calls to its own servers, and with reduced motion."""

PATHS = {
    "Navigate": "POST url",
    "Refresh": "POST refresh",
    "SetTimeouts": "POST timeouts",
    "ExecuteAsyncScript": "POST execute/async",
    "FindElement": "POST element",
    "ElementClick": "POST element/{id}/click",
    "ElementSendKeys": "POST element/{id}/value",
    "NewWindow": "POST window/new",
    "SwitchToWindow": "POST window",
    "GetWindowHandle": "GET window",
    "CloseWindow": "DELETE window",
}
"""The commands that tests use, with method and path below an HTTP session."""
RUN = """const given = [...arguments];
const done = given.pop();
(async () => (%s)(...given))().then((value) => done([value ?? null]), (error) => done([null, String(error)]));"""
LISTEN = """() => {
  const note = (text) => sessionStorage.setItem('complaints', (sessionStorage.getItem('complaints') ?? '') + text);
  addEventListener('error', (event) => note(`${event.message}\\n`));
  addEventListener('unhandledrejection', (event) => note(`${event.reason}\\n`));
}"""


class Engine(ABC):
    """A running browser with one window."""

    def __init__(self, folder: Path) -> None:
        """Start it, with a profile of its own."""
        self._processes: list[subprocess.Popen[bytes]] = []
        self._folder = folder
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        self.command("SetTimeouts", script=2 * PATIENCE, pageLoad=PATIENCE)

    @abstractmethod
    def _start(self) -> None:
        """Start the processes and a session."""

    @abstractmethod
    def command(self, name: str, **parameters: Any) -> Any:
        """Carry out a WebDriver command and return its value."""

    def _run(self, *command: str, **environment: str) -> None:
        """Start a process in its own group, so that its children end with it."""
        home = {"HOME": str(self._folder), "XDG_CONFIG_HOME": str(self._folder), "XDG_CACHE_HOME": str(self._folder)}
        started = subprocess.Popen(
            command,
            env=os.environ | home | environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes.append(started)

    def stop(self) -> None:
        """End all processes."""
        for process in reversed(self._processes):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._processes.clear()

    def go(self, address: str) -> None:
        """Load an address, and note errors of the page from then on."""
        self.command("Navigate", url=address)
        self.run(LISTEN)

    def reload(self) -> None:
        """Load the page again."""
        self.command("Refresh")
        self.run(LISTEN)

    def run(self, function: str, *given: Any) -> Any:
        """Call a JavaScript function on the page, with JSON arguments; return its result, also of a promise."""
        value, *error = self.command("ExecuteAsyncScript", script=RUN % function, args=list(given))
        assert not error, error[0]
        return value

    def wait(self, selector: str, *, text: str = "") -> str:
        """Wait until an element is there, with a text in it; return its text."""
        found = self.run(
            f"async (selector, text) => (await ({UNTIL})(() => [...document.querySelectorAll(selector)].find("
            "(each) => each.textContent.includes(text))))?.textContent ?? null",
            selector,
            text,
        )
        assert found is not None, f"no {selector} {text}: {self.run('() => document.body.innerText')[:600]}"
        return str(found)

    def click(self, selector: str) -> None:
        """Click an element with the engine's own pointer, once it is there."""
        self.wait(selector)
        self.command("ElementClick", id=self._find(selector))

    def type(self, selector: str, text: str) -> None:
        """Replace the text of a field, key by key."""
        self.run("(selector) => { document.querySelector(selector).value = ''; }", selector)
        self.command("ElementSendKeys", id=self._find(selector), text=text)

    def _find(self, selector: str) -> str:
        return str(self.command("FindElement", using="css selector", value=selector)[ELEMENT])

    def count(self, selector: str) -> int:
        """Count elements."""
        return int(self.run("(selector) => document.querySelectorAll(selector).length", selector))

    def window(self) -> str:
        """Return the handle of the current window."""
        return str(self.command("GetWindowHandle"))

    def close_window(self) -> None:
        """Close the current window."""
        self.command("CloseWindow")

    def open_window(self) -> str:
        """Open another window and return its handle; commands go to the first one until `switch`."""
        return str(self.command("NewWindow", type="window")["handle"])

    def switch(self, handle: str) -> None:
        """Let commands go to another window."""
        self.command("SwitchToWindow", handle=handle)

    def complaints(self) -> str:
        """Return the errors of the page since it was loaded."""
        return str(self.run("() => sessionStorage.getItem('complaints') ?? ''"))


class Firefox(Engine):
    """Firefox, by the protocol that it speaks without another program."""

    def _start(self) -> None:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        (self._folder / "user.js").write_text("\n".join(lines), "utf-8")
        self._number = 0
        command = ("--marionette", "--headless", "--no-remote", "--profile", str(self._folder), "about:blank")
        self._run(str(find_engines.find("firefox")), *command, MOZ_HEADLESS_WIDTH=str(SCREEN[0]))
        # Firefox writes its port there when it listens.
        port = _until(lambda: _text(self._folder / "MarionetteActivePort"))
        self._socket = socket.create_connection(("127.0.0.1", int(port)), 3 * PATIENCE / 1000)
        self._stream = self._socket.makefile("rb")
        self._receive()
        self._ask("WebDriver:NewSession", {})

    def stop(self) -> None:
        """Close the connection, and end the browser."""
        if hasattr(self, "_stream"):
            self._stream.close()
            self._socket.close()
        super().stop()

    def command(self, name: str, **parameters: Any) -> Any:
        """Carry out a WebDriver command and return its value."""
        answer = self._ask(f"WebDriver:{name}", parameters)
        return answer["value"] if isinstance(answer, dict) and set(answer) == {"value"} else answer

    def _ask(self, name: str, parameters: dict[str, Any]) -> Any:
        self._number += 1
        sent = json.dumps([0, self._number, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(sent), sent))
        _, number, error, result = self._receive()
        assert number == self._number
        assert error is None, f"{name}: {error['error']}: {error['message']}"
        return result

    def _receive(self) -> Any:
        """Read one message: its length, a colon, JSON."""
        length = b""
        while (digit := self._stream.read(1)) != b":":
            assert digit, "Firefox has stopped"
            length += digit
        return json.loads(self._stream.read(int(length)))


class WebKit(Engine):
    """The small browser of WebKitGTK, by its own driver, on a screen in memory."""

    def _start(self) -> None:
        display = self._screen()
        settings = self._folder / "gtk-3.0/settings.ini"
        settings.parent.mkdir()
        settings.write_text("[Settings]\ngtk-enable-animations=0\n", "utf-8")  # reduced motion
        port = free_port()
        driver = str(find_engines.find("webkit"))
        environment = {"DISPLAY": display, "LANG": "en_US.UTF-8", "LANGUAGE": "en_US", "LIBGL_ALWAYS_SOFTWARE": "1"}
        self._run(driver, f"--port={port}", "--host=127.0.0.1", **environment)
        self._address = ("127.0.0.1", port)
        _until(lambda: "yes" if _listens(port) else "")
        options = {"binary": find_engines.mini_browser(), "args": ["--automation"]}
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self._session = str(answer["sessionId"])

    def _screen(self) -> str:
        """Start a screen in memory; the server chooses a free number for it."""
        read, write = os.pipe()
        size = f"{SCREEN[0]}x{SCREEN[1]}x24"
        command = (str(shutil.which("Xvfb")), "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp")
        started = subprocess.Popen(
            command, pass_fds=(write,), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
        )
        self._processes.append(started)
        os.close(write)
        with os.fdopen(read, encoding="utf-8") as numbers:
            return f":{int(numbers.readline())}"

    def command(self, name: str, **parameters: Any) -> Any:
        """Carry out a WebDriver command and return its value."""
        method, path = PATHS[name].format(id=parameters.pop("id", "")).split()
        return self._ask(method, f"/session/{self._session}/{path}", parameters)

    def _ask(self, method: str, path: str, body: dict[str, Any]) -> Any:
        connection = HTTPConnection(*self._address, timeout=3 * PATIENCE / 1000)
        sent = json.dumps(body) if method == "POST" else None
        connection.request(method, path, sent, {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        assert not (isinstance(value, dict) and "error" in value), f"{path}: {value}"
        return value

    def stop(self) -> None:
        """End the session, which ends the browser: the driver started it in a group of its own."""
        if hasattr(self, "_session"):
            self._ask("DELETE", f"/session/{self._session}", {})
        super().stop()


ENGINES: dict[str, type[Engine]] = {"firefox": Firefox, "webkit": WebKit}


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _until(look: Callable[[], str]) -> str:
    """Look again and again until something is found; fail after a while."""
    end = time.monotonic() + STARTING
    while not (found := look()):
        assert time.monotonic() < end, "the browser does not start"
        time.sleep(0.05)
    return found
