"""`qwixx admin`: look after a server that runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from qwixx.cli.desk import Seconds
from qwixx.cli.listing import show_table
from qwixx.cli.operating import Desk, desks
from qwixx.cli.screen import make_console, make_notes, say
from qwixx.errors import QwixxError
from qwixx.files import write_whole

_WEEK = 7 * 24 * 60
_MINUTES = click.option("--minutes", type=Seconds(0.1, _WEEK), default=60.0, show_default=True, help="For how long.")
_STATS = {
    "version": "version",
    "minutes": "minutes since it started",
    "tables": "tables kept",
    "people": "people",
    "bots": "bots in games",
    "watchers": "watchers",
    "sockets": "connections at tables",
    "botMoves": "moves of bots",
    "commitsFailed": "commits that failed",
}
_LASTED = {"moves": "moves", "commits": "commits", "late": "event loop late"}


class Asking:
    """Which servers are asked, and how the answer is shown."""

    def __init__(self, servers: tuple[str, ...], as_json: bool) -> None:
        """Ask these servers."""
        self._servers, self.as_json = servers, as_json

    @cached_property
    def desks(self) -> list[Desk]:
        """The servers; who only wants help needs no token."""
        return desks(self._servers)

    def each(self, ask: Callable[[Desk], Any], show: Callable[[Any], None]) -> None:
        """
        Ask one server after the other and show what they say; as JSON all of it together.

        Of several processes one has a table, and the others refuse: that is enough, and the others are noted.
        """
        answers: dict[str, Any] = {}
        refusals: list[QwixxError] = []
        for desk in self.desks:
            try:
                answers[desk.server] = ask(desk)
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
        for server, answer in answers.items():
            if len(answers) > 1:
                say(make_console(), f"{server}:", "bold")
            show(answer)

    def done(self, ask: Callable[[Desk], Any], sentence: str) -> None:
        """Have something done, and say that it is."""
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
    Look after a server that runs: its tables, addresses, announcements.

    The server has to be started with QWIXX_ADMIN_TOKEN set to a secret of 24 letters and digits or more; the same
    variable, or QWIXX_ADMIN_TOKEN_FILE, gives it to this command. docs/operating.md says more.

    Example: qwixx admin tables
    """
    context.obj = Asking(servers, as_json)


@admin_command.command()
@click.pass_obj
def stats(asking: Asking) -> None:
    """Show the server in numbers, since it started."""
    asking.each(lambda desk: desk.ask("GET", "stats"), _show_stats)


@admin_command.command()
@click.option("--most", type=click.IntRange(1, 1000), default=50, show_default=True, help="How many are listed.")
@click.pass_obj
def tables(asking: Asking, most: int) -> None:
    """List the tables that were visited last."""
    asking.each(lambda desk: desk.ask("GET", f"tables?most={most}"), _show_tables)


@admin_command.command()
@click.argument("code")
@_MINUTES
@click.option("--reopen", is_flag=True, help="Let people come again instead.")
@click.pass_obj
def close(asking: Asking, code: str, minutes: float, reopen: bool) -> None:
    """
    Close a table for a while.

    Everybody is sent away, and nobody comes in before that time is over; its game stays as it is.
    """
    path = f"tables/{_code(code)}/close"
    if reopen:
        asking.done(lambda desk: desk.ask("DELETE", path), "People may come again.")
    else:
        asking.done(lambda desk: desk.ask("POST", path, {"minutes": minutes}), f"Closed for {minutes:g} minutes.")


@admin_command.command()
@click.argument("code")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def delete(asking: Asking, code: str, yes: bool) -> None:
    """Delete a table with all that was played there, for good."""
    path = f"tables/{_code(code)}"
    if not yes:
        click.confirm(f"Delete table {_code(code)} for good?", abort=True, err=True)
    asking.done(lambda desk: desk.ask("DELETE", path), "Deleted.")


@admin_command.command()
@click.argument("code")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File instead of the terminal.")
@click.pass_obj
def export(asking: Asking, code: str, output: Path | None) -> None:
    """Write a table's game as a record, over or not."""
    text = asking.desks[0].text("GET", f"tables/{_code(code)}/record")
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, [text.encode()])
        say(make_console(), f"Written to {output}", whole=True)


@admin_command.command()
@click.argument("address", required=False)
@_MINUTES
@click.option("--lift", is_flag=True, help="Let the address in again instead.")
@click.pass_obj
def ban(asking: Asking, address: str | None, minutes: float, lift: bool) -> None:
    """
    Keep an address out for a while.

    Without an address, those that are kept out are listed. Of IPv6 the first 64 bits count.
    """
    if address is None:
        asking.each(lambda desk: desk.ask("GET", "bans"), _show_bans)
    elif lift:
        asking.each(lambda desk: desk.ask("DELETE", f"bans/{_address(address)}"), _show_bans)
    else:
        wish = {"address": _address(address), "minutes": minutes}
        asking.each(lambda desk: desk.ask("POST", "bans", wish), _show_bans)


@admin_command.command()
@click.argument("text", default="")
@_MINUTES
@click.pass_obj
def announce(asking: Asking, text: str, minutes: float) -> None:
    """
    Show a text on all pages.

    It has up to 280 letters; without one, what was announced is taken back.
    """
    wish = {"text": text, "minutes": minutes}
    sentence = f"Shown for {minutes:g} minutes." if text.strip() else "Nothing is announced any more."
    asking.done(lambda desk: desk.ask("POST", "announcement", wish), sentence)


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
    for key, name in _LASTED.items():
        times = [f"{share} {_milliseconds(facts[key][share])}" for share in ("p50", "p99")]
        rows.append((name, f"{facts[key]['count']}, {', '.join(times)}" if facts[key]["count"] else "0"))
    rows += [(f"refused: {code}", str(count)) for code, count in sorted(facts["refused"].items())]
    rows += [(f"failed: {where}", str(count)) for where, count in sorted(facts["failed"].items())]
    rows.append(("does not work", ", ".join(facts["troubles"]) or "nothing"))
    show_table(make_console(), ("what", "value"), rows)


def _milliseconds(value: float | None) -> str:
    return "over 10 s" if value is None else f"up to {value:g} ms"


def _show_tables(facts: dict[str, Any]) -> None:
    keys = ("code", "variant", "stage", "seats", "people", "watchers", "idleMinutes")
    rows = [(*(str(table[key]) for key in keys), "closed" if table["closed"] else "") for table in facts["tables"]]
    show_table(make_console(), ("code", "game", "stage", "seats", "here", "watch", "idle min", ""), rows)
    say(make_console(), f"{len(rows)} of {facts['inAll']}")


def _show_bans(facts: dict[str, Any]) -> None:
    if not facts["bans"]:
        say(make_console(), "Nobody is kept out.")
        return
    rows = [(address, str(minutes)) for address, minutes in facts["bans"].items()]
    show_table(make_console(), ("address", "minutes left"), rows)
