"""
PostgreSQL for the tests: find or install it, and start a server for a test.

`python -m support.server.postgres_server`, run in `tests`, makes sure that PostgreSQL is installed, the proxies of
`deploy/` and the checker of systemd units; it installs missing ones with apt.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg

from support.server import system_packages
from support.server.free_ports import free_port

NEEDED = {"postgres": "postgresql", "haproxy": "haproxy"}
"""What tests of several servers need: programs, with their Debian packages."""
SAMPLES = {"caddy": "caddy", "nginx": "nginx", "systemd-analyze": "systemd", "openssl": "openssl"}
"""What else tests of the samples in `deploy/` need."""
MISSING = (
    "The tests of servers need PostgreSQL, HAProxy, Caddy, nginx, systemd-analyze and openssl, and apt could not "
    "install all of them: install your system's packages; until then those tests are skipped."
)
PATIENCE = 60.0
PASSWORD = "a secret of the tests"
"""With spaces, which passwords may have."""


def find(program: str) -> str | None:
    """Return the path of a program, also in the folders of Debian outside PATH; None if it is not installed."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), reverse=True)
    return shutil.which(program) or shutil.which(f"/usr/sbin/{program}") or (str(versions[0]) if versions else None)


def install() -> bool:
    """Install missing packages with apt, without questions; return whether all are installed."""
    missing = [package for program, package in (NEEDED | SAMPLES).items() if not find(program)]
    if missing:
        system_packages.install(*missing)
    return all(map(find, NEEDED | SAMPLES))


class Postgres:
    """A database server in a temporary folder, on loopback. It does not run as root, which PostgreSQL refuses."""

    def __init__(self, *, durable: bool = False, connections: int = 60) -> None:
        """Create and start it; without `durable` it survives a kill, but not a power cut."""
        self._folder = Path(tempfile.mkdtemp(prefix="qwixx-postgres-"))
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._user = {"user": "postgres", "group": "postgres", "extra_groups": []}
            shutil.chown(self._folder, "postgres", "postgres")
        secret = self._folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        data = self._folder / "data"
        command = (find("initdb"), "-D", str(data), "-U", "qwixx", "--pwfile", str(secret), "-N", "-E", "UTF8")
        self._run(*command, "--auth=scram-sha-256", "--locale=C")
        self.port = free_port()
        sync = "on" if durable else "off"
        facts = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "", "fsync": sync}
        facts |= {"full_page_writes": sync, "max_connections": connections, "superuser_reserved_connections": 3}
        self._command = [str(find("postgres")), "-D", str(data)]
        self._command += [word for name, value in facts.items() for word in ("-c", f"{name}={value}")]
        self._databases = 0
        self.process: subprocess.Popen[bytes]
        self.start()

    def _run(self, *command: str | None) -> None:
        done = subprocess.run([str(each) for each in command], capture_output=True, check=False, **self._user)
        assert done.returncode == 0, done.stderr.decode()

    def start(self) -> None:
        """Start it and wait until it answers."""
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command, stdout=log, stderr=log, cwd=self._folder, start_new_session=True, **self._user
            )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.execute("SELECT 1")
            except (OSError, asyncpg.PostgresError):
                assert time.monotonic() < end, (self._folder / "log").read_text()
                time.sleep(0.05)

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stop it: SIGINT is a fast, clean shutdown, SIGQUIT is like a crash."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def url(self, database: str = "postgres", *, user: str = "qwixx", password: str = PASSWORD) -> str:
        """Return the URL of a database."""
        return f"postgresql://{user}:{password.replace(' ', '%20')}@127.0.0.1:{self.port}/{database}"

    def fresh(self) -> str:
        """Create an empty database; return its URL."""
        self._databases += 1
        name = f"tables_{self._databases}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def execute(self, statement: str, url: str = "") -> None:
        """Run a statement."""
        asyncio.run(_execute(url or self.url(), statement))

    def fetch(self, url: str, question: str) -> list[Any]:
        """Return the rows of a query."""
        return asyncio.run(_fetch(url, question))

    def close(self) -> None:
        """Stop it and delete its folder."""
        with contextlib.suppress(ProcessLookupError):
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url, timeout=PATIENCE)
    await connection.execute(statement)
    await connection.close()


async def _fetch(url: str, question: str) -> list[Any]:
    connection = await asyncpg.connect(url, timeout=PATIENCE)
    found = await connection.fetch(question)
    await connection.close()
    return [tuple(row) for row in found]


@contextlib.contextmanager
def running(**how: Any) -> Iterator[Postgres]:
    """Run a database server during a test."""
    server = Postgres(**how)
    try:
        yield server
    finally:
        server.close()


def main() -> None:
    """Install missing programs; print a message if that fails, which is not an error."""
    if not all(map(find, NEEDED | SAMPLES)):
        sys.stderr.write("Installing PostgreSQL and proxies for the tests ...\n")
        if not install():
            sys.stderr.write(f"{MISSING}\n")


if __name__ == "__main__":
    main()
