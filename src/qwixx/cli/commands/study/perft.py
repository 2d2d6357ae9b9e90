"""`qwixx perft`: count the sequences of decisions from a position, and compare with the counts in a file."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Any

import click
from rich.console import Console

from qwixx.cli.terminal.compile_progress import warm_if_cold
from qwixx.cli.terminal.files import read_text
from qwixx.cli.terminal.screen import make_console, say
from qwixx.errors import QwixxError
from qwixx.testing.perft import MAX_FILE_CHARS, Block, Count, divide, perft, read_perft


@click.command("perft")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--depth", type=click.IntRange(1), metavar="D", help="Check counts up to this depth only.")
@click.option("--divide", "divided", is_flag=True, help="Split each count by the first decision.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def perft_command(files: tuple[str, ...], depth: int | None, divided: bool, as_json: bool) -> None:
    """
    Count decision sequences for every position in FILE and compare; a difference gives exit code 1.

    Example: qwixx perft tests/golden/perft/classic.perft --depth 2
    """
    console = make_console()
    blocks = [(file, block) for file in files for block in _read(file, depth)]
    if not as_json:
        warm_if_cold(console)
    results = []
    for file, block in blocks:
        if not as_json:
            say(console, f"{file}:{block.line} {block.position}", "bold")
        for count in block.counts:
            if depth is None or count.depth <= depth:
                result = _check(file, block, count, divided)
                results.append(result)
                if not as_json:
                    _show(console, result)
    if as_json:
        click.echo(json.dumps(results, indent=2))
    if not all(result["ok"] for result in results):
        raise SystemExit(1)


def _read(file: str, depth: int | None) -> list[Block]:
    """Read a file with expected counts. Raises `QwixxError` if it has none up to this depth."""
    blocks = read_perft(read_text(file, MAX_FILE_CHARS), file)
    if not any(depth is None or count.depth <= depth for block in blocks for count in block.counts):
        upto = "" if depth is None else f" up to depth {depth}"
        raise QwixxError(f"{file!r} has no expected counts{upto}, such as a line 'perft 2 41'.")
    return blocks


def _check(file: str, block: Block, count: Count, divided: bool) -> dict[str, Any]:
    try:
        game = block.game()
        started = perf_counter()
        nodes = perft(game, count.depth, block.rolls, all_rolls=count.all_rolls)
        seconds = perf_counter() - started
        result = {
            "file": file,
            "line": count.line,
            "position": game.position(),
            "depth": count.depth,
            "all_rolls": count.all_rolls,
            "expected": count.nodes,
            "nodes": nodes,
            "ok": nodes == count.nodes,
            "seconds": round(seconds, 3),
        }
        if divided or nodes != count.nodes:
            result["divide"] = divide(game, count.depth, block.rolls, all_rolls=count.all_rolls)
    except QwixxError as error:
        raise QwixxError(f"{file}, line {block.line}: {error}") from None
    return result


def _show(console: Console, result: dict[str, Any]) -> None:
    rolls = " over all rolls" if result["all_rolls"] else ""
    verdict = "as expected" if result["ok"] else f"but line {result['line']} expects {result['expected']}"
    style = "" if result["ok"] else "bold red"
    say(console, f"  depth {result['depth']}{rolls}: {result['nodes']}, {verdict} ({result['seconds']} s)", style)
    if not result["ok"]:
        say(console, f"    {result['position']}")
    for action, nodes in result.get("divide", {}).items():
        say(console, f"    {action:<24} {nodes}")
