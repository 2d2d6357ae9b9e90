"""`qwixx admin`: manage a running server."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from qwixx.base.atomic_files import write_atomically
from qwixx.cli.app import Seconds
from qwixx.cli.terminal.admin_client import AdminServer, admin_servers
from qwixx.cli.terminal.screen import make_console, make_notes, say
from qwixx.cli.terminal.tables import show_table
from qwixx.errors import QwixxError

_WEEK = 7 * 24 * 60
_MINUTES = click.option("--minutes", type=Seconds(0.1, _WEEK), default=60.0, show_default=True, help="For how long.")
_STATS = {
    "version": "version",
    "minutes": "minutes since it started",
    "tables": "tables stored",
    "people": "people",
    "bots": "bots in games",
    "watchers": "watchers",
    "sockets": "connections at tables",
    "botMoves": "bot moves",
    "commitsFailed": "failed commits",
}
_DURATIONS = {"moves": "moves", "commits": "commits", "late": "event loop lag"}


class ServerGroup:
    """The servers of a command, and the format of the output."""

    def __init__(self, servers: tuple[str, ...], as_json: bool) -> None:
        """Use these servers."""
        self._servers, self.as_json = servers, as_json

    @cached_property
    def servers(self) -> list[AdminServer]:
        """The servers; lazy, because help needs no token."""
        return admin_servers(self._servers)

    def each(self, ask: Callable[[AdminServer], Any], show: Callable[[Any], None]) -> None:
        """
        Send a request to each server and show the answers; as JSON in one object.

        Of several processes only one has a table, and the others refuse: one answer is enough, refusals are noted.
        """
        answers: dict[str, Any] = {}
        refusals: list[QwixxError] = []
        for server in self.servers:
            try:
                answers[server.server] = ask(server)
            except QwixxError as error:
                refusals.append(error)
        if not answers:
            raise refusals[0]
        for refusal in refusals:
            say(make_notes(), f"Note: {refusal}")
        if self.as_json:
            found = next(iter(answers.values())) if len(answers) == 1 else answers
            click.echo(json.dumps(found, indent=2, ensure_ascii=False))
            return
        for address, answer in answers.items():
            if len(answers) > 1:
                say(make_console(), f"{address}:", "bold")
            show(answer)

    def done(self, ask: Callable[[AdminServer], Any], sentence: str) -> None:
        """Send a request to each server, and print a sentence when it is done."""
        self.each(ask, lambda _: say(make_console(), sentence))


@click.group("admin")
@click.option(
    "--server",
    "servers",
    multiple=True,
    envvar="QWIXX_ADMIN_SERVER",
    default=("http://127.0.0.1:8321",),
    show_default=True,
    help="The server; several times for all processes of one site.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
@click.pass_context
def admin_command(context: click.Context, servers: tuple[str, ...], as_json: bool) -> None:
    """
    Manage a running server: tables, bans, announcements.

    Start the server with QWIXX_ADMIN_TOKEN set to a secret of 24 letters and digits or more, and set the same variable,
    or QWIXX_ADMIN_TOKEN_FILE, for this command. docs/operating.md has more.

    Example: qwixx admin tables
    """
    context.obj = ServerGroup(servers, as_json)


@admin_command.command()
@click.pass_obj
def stats(group: ServerGroup) -> None:
    """Show statistics of the server since its start."""
    group.each(lambda server: server.request("GET", "stats"), _show_stats)


@admin_command.command()
@click.option("--most", type=click.IntRange(1, 1000), default=50, show_default=True, help="How many to list.")
@click.pass_obj
def tables(group: ServerGroup, most: int) -> None:
    """List the tables that were visited last."""
    group.each(lambda server: server.request("GET", f"tables?most={most}"), _show_tables)


@admin_command.command()
@click.option("--most", type=click.IntRange(1, 1000), default=50, show_default=True, help="How many to list.")
@click.pass_obj
def audit(group: ServerGroup, most: int) -> None:
    """List the latest changes that operators made, the last first."""
    group.each(lambda server: server.request("GET", f"audit?most={most}"), _show_audit)


@admin_command.command()
@click.argument("code")
@_MINUTES
@click.option("--reopen", is_flag=True, help="Open the table again instead.")
@click.pass_obj
def close(group: ServerGroup, code: str, minutes: float, reopen: bool) -> None:
    """
    Close a table for a while.

    Everyone at the table is disconnected, and cannot come back until then; the game does not change.
    """
    path = f"tables/{_code(code)}/close"
    if reopen:
        group.done(lambda server: server.request("DELETE", path), "The table is open again.")
    else:
        group.done(
            lambda server: server.request("POST", path, {"minutes": minutes}), f"Closed for {minutes:g} minutes."
        )


@admin_command.command()
@click.argument("code")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(group: ServerGroup, code: str, yes: bool) -> None:
    """Delete a table and its games permanently."""
    path = f"tables/{_code(code)}"
    if not yes:
        click.confirm(f"Delete table {_code(code)} permanently?", abort=True, err=True)
    group.done(lambda server: server.request("DELETE", path), "Deleted.")


@admin_command.command()
@click.argument("code")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.pass_obj
def export(group: ServerGroup, code: str, output: Path | None) -> None:
    """Write the game of a table as a record, finished or not."""
    text = group.servers[0].request_text("GET", f"tables/{_code(code)}/record")
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, [text.encode()])
        say(make_console(), f"Written to {output}", whole=True)


@admin_command.command()
@click.argument("address", required=False)
@_MINUTES
@click.option("--lift", is_flag=True, help="Remove the ban instead.")
@click.pass_obj
def ban(group: ServerGroup, address: str | None, minutes: float, lift: bool) -> None:
    """
    Ban an address for a while.

    Without an address, list the bans. For IPv6 only the first 64 bits count.
    """
    if address is None:
        group.each(lambda server: server.request("GET", "bans"), _show_bans)
    elif lift:
        group.each(lambda server: server.request("DELETE", f"bans/{_address(address)}"), _show_bans)
    else:
        body = {"address": _address(address), "minutes": minutes}
        group.each(lambda server: server.request("POST", "bans", body), _show_bans)


@admin_command.command()
@click.argument("text", default="")
@_MINUTES
@click.pass_obj
def announce(group: ServerGroup, text: str, minutes: float) -> None:
    """
    Show a text on all pages.

    The text has up to 280 characters. Without a text, the announcement is removed.
    """
    body = {"text": text, "minutes": minutes}
    sentence = f"Shown for {minutes:g} minutes." if text.strip() else "The announcement is removed."
    group.done(lambda server: server.request("POST", "announcement", body), sentence)


def _code(text: str) -> str:
    if not text.isascii() or not text.isalnum():
        raise click.UsageError(f"{text[:20]!r} is not the code of a table.")
    return text.upper()


def _address(text: str) -> str:
    from ipaddress import ip_network  # noqa: PLC0415 - only bans need it

    try:
        ip_network(text, strict=False)
    except ValueError:
        raise click.UsageError(f"{text[:60]!r} is not an address.") from None
    return text


def _show_stats(facts: dict[str, Any]) -> None:
    rows = [(name, str(facts[key])) for key, name in _STATS.items()]
    rows += [(f"tables in memory, {stage}", str(count)) for stage, count in sorted(facts["loaded"].items())]
    for key, name in _DURATIONS.items():
        times = [f"{share} {_milliseconds(facts[key][share])}" for share in ("p50", "p99")]
        rows.append((name, f"{facts[key]['count']}, {', '.join(times)}" if facts[key]["count"] else "0"))
    rows += [(f"refused: {code}", str(count)) for code, count in sorted(facts["refused"].items())]
    rows += [(f"failed: {where}", str(count)) for where, count in sorted(facts["failed"].items())]
    rows += [(f"damaged: {code}", reason) for code, reason in sorted(facts["damaged"].items())]
    rows.append(("problems", ", ".join(facts["troubles"]) or "none"))
    show_table(make_console(), ("what", "value"), rows)


def _milliseconds(value: float | None) -> str:
    return "over 10 s" if value is None else f"up to {value:g} ms"


def _show_tables(facts: dict[str, Any]) -> None:
    keys = ("code", "variant", "stage", "seats", "people", "watchers", "idleMinutes")
    rows = [(*(str(table[key]) for key in keys), "closed" if table["closed"] else "") for table in facts["tables"]]
    show_table(make_console(), ("code", "game", "stage", "seats", "here", "watch", "idle min", ""), rows)
    say(make_console(), f"{len(rows)} of {facts['inAll']}")


def _show_audit(facts: dict[str, Any]) -> None:
    keys = ("action", "target", "address", "request")
    rows = [
        (datetime.fromtimestamp(entry["at"], UTC).isoformat(" ", "seconds"), *(entry[key] for key in keys))
        for entry in facts["entries"]
    ]
    show_table(make_console(), ("time", *keys), rows)


def _show_bans(facts: dict[str, Any]) -> None:
    if not facts["bans"]:
        say(make_console(), "There are no bans.")
        return
    rows = [(address, str(minutes)) for address, minutes in facts["bans"].items()]
    show_table(make_console(), ("address", "minutes left"), rows)
