"""Commands that print an answer and end: variants, rules, sheet, replay, perft, warm, and errors for bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from qwixx import Game, __version__, games
from qwixx.cli import main
from qwixx.jit.decorators import COMPILES
from support.games.game_sources import SHEETS
from support.paths import GOLDEN

STAIRS = str(SHEETS / "connected-a.toml")
COMMANDS = (
    "admin",
    "best",
    "perft",
    "play",
    "replay",
    "rules",
    "serve",
    "sheet",
    "site",
    "simulate",
    "solve",
    "variants",
    "warm",
)
PERFT = GOLDEN / "perft"


pytestmark = pytest.mark.usefixtures("own_data")


def run(*words: str, given: str = "") -> Result:
    """Run a command."""
    return CliRunner().invoke(main, list(words), input=given)


def refused(*words: str, given: str = "") -> str:
    """Run a command that must be refused with a sentence and exit code 2; return the sentence."""
    result = run(*words, given=given)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert "Traceback" not in result.stderr
    return result.stderr


def finished(variant: str = "classic", seed: int = 5) -> Game:
    """Play a game to its end, always with the first choice."""
    game = Game(variant, seats=2, seed=seed)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.decide(seat, game.legal(seat)[0])
    return game


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the record of a finished game."""
    path = tmp_path / "game.qwixx"
    path.write_text(finished().record())
    return path


# ---- the program


def test_version_and_help() -> None:
    """The program prints its version, and without a command its help."""
    assert __version__ in run("--version").output
    assert run().exit_code == 0
    assert "qwixx play" in run().output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    """The help of each command shows an example."""
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Example" in result.output
    assert f"qwixx {command}" in result.output
    assert "\\b" not in result.output  # click's mark for lines without wrapping, in a form that does not work


def test_all_commands_are_known_here() -> None:
    """A new command has to be added to these tests."""
    assert set(COMMANDS) <= set(main.list_commands(click.Context(main)))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["plai"], "did you mean “play”?"),
        (["xyzzy"], "the commands are"),
        (["play", "clasic"], "did you mean “classic”?"),
        (["rules", "zzz"], "the games are classic"),
        (["rules"], "Missing: VARIANT"),
        (["--nonsense"], "There is no option --nonsense"),
        (["variants", "--nonsense"], "There is no option --nonsense"),
        (["play", "classic", "--seats", "many"], "--seats must be a whole number"),
        (["play", "classic", "--seats", "9"], "1 to 5 seats"),
        (["play", "classic", "--seats", "900000000"], "1 to 5 seats"),
        (["play", "classic", "--seats", "99999999999999999999"], "1 to 5 seats"),
        (["play", "duel", "--seats", "3"], "2 seats"),
        (["play", "classic", "--bots", "3", "--seats", "2"], "Too many bots for 2 seats: 3"),
        (["play", "classic", "--bots", "gaap"], "did you mean “gap”?"),
        (["play", "classic", "--names", "A,B,C", "--seats", "2"], "do not make 2 seats: 3 + 0"),
        (["play", "classic", "--names", "A,A"], "different names"),
        (["play", "classic", "--names", ","], "A name has"),
        (["play", "classic", "--seed", "-1"], "A seed is"),
        (["play", "classic", "--sheet", "gemixxt-a"], "Only the card games"),
        (["play", "cards", "--sheet", "longo"], "cards is played on one of these sheets"),
        (["play", "cards", "--real-dice"], "no dice to roll"),
        (["play", "classic", "--lucky", "6/11"], "no lucky numbers"),
        (["play", "longo", "--lucky", "6/11"], "a pair for each"),
        (["play", "classic", "--pads", "AB"], "In classic all seats have the same pad."),
        (["print", "classic", "-o", "-", "--pads", "A"], "In classic all seats have the same pad."),
        (["play", STAIRS, "--seats", "3", "--pads", "CA"], "For each of the 3 seats, choose a pad of A, B, C, D, E, F"),
        (["play", STAIRS, "--pads", "AG"], "such as AB, or lot."),
        (["print", STAIRS, "-o", "-", "--pads", "AG"], "There is no pad 'G'; there are A, B, C, D, E, F."),
        (["play", "--resume", "--pads", "AB"], "keeps its variant"),
        (["play", "missing.toml"], "cannot be read"),
        (["play", "--resume"], "no game to continue"),
        (["play", "classic", "--resume"], "keeps its variant"),
        (["play", "--resume", "--record", "missing"], "cannot be read"),
        (["replay", "missing"], "cannot be read"),
        (["replay", "."], "cannot be read"),
        (["perft", "missing"], "cannot be read"),
        (["perft"], "Missing: FILE"),
        (["serve", "--port", "80x"], "--port must be"),
        (
            ["hint", "classic active=0 phase=white roll=34/2615 | - | -", "34/2615"],
            "Nobody rolls or shuffles now. (C2)",
        ),
        (["train", "classic", "--out", "/nonexistent/y.net"], "There is no folder"),
        (["ladder", "classic", "--players", "gap,gap"], "Each player takes part once"),
        (["perft", "x", "--depth", "0"], "--depth must be at least 1"),
        (["sheet", "classic", "--position", "nonsense"], "This position cannot be"),
        (["sheet", "classic", "--position", "longo | - | -"], "cannot be"),
        (["sheet", "classic", "--seat", "7"], "there is no seat 7"),
        (["sheet", "classic", "--svg", "/nowhere/at/all.svg"], "cannot be written"),
        (["sheet", "classic", "--svg", "."], "cannot be written"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], sentence: str) -> None:
    """Any error gives a sentence on stderr and exit code 2."""
    assert sentence in refused(*words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["play", "classic", "--seed", "-1"],
        ["play", "longo", "--lucky", "6/11"],
        ["play", "longo", "--lucky", "6/11,x"],
        ["play", "classic", "--bot-seconds", "nan"],
        ["simulate", "classic", "--bot-seconds", "0"],
        ["simulate", "classic", "--games", "0"],
        ["simulate", "classic", "--plot", "/nowhere/at/all.svg"],
        ["replay", "-"],
        ["replay", "--variant", "classic", "--game", "-1"],
        ["replay", "--variant", "classic", "--game", "1", "--bot-seconds", "0"],
        ["perft", "/dev/null"],
        ["best", "longo", "r=2"],
        ["solve", "cards"],
        ["serve", "--bot-delay", "nan"],
        ["serve", "--bot-delay", "inf"],
        ["serve", "--bot-delay", "-1"],
    ],
)
def test_refusals_come_before_compilation(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Bad input is refused before anything is compiled."""

    def compiled(*_: object) -> None:
        raise AssertionError("somebody had to wait")

    for module in ("commands.study.perft", "terminal.solve_progress"):
        monkeypatch.setattr(f"qwixx.cli.{module}.warm_if_cold", compiled)
    monkeypatch.setattr("qwixx.cli.commands.study.simulate.compile_what_runs", compiled)
    refused(*words)


def test_a_file_without_counts(tmp_path: Path) -> None:
    """A perft file without counts checks nothing, and the command says so."""
    path = tmp_path / "empty.txt"
    path.write_text("")
    assert "has no expected counts" in refused("perft", str(path))
    path.write_text("position classic active=0 phase=roll | -\nrolls 34/2615\nperft 2 41\n")
    assert "has no expected counts up to depth 1" in refused("perft", str(path), "--depth", "1")


@pytest.mark.parametrize("command", ["replay", "perft"])
@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"qwixx record 1\n\0", b"\x89PNG\r\n"])
def test_binary_files_are_refused(command: str, raw: bytes, tmp_path: Path) -> None:
    """A binary file is refused with a sentence."""
    path = tmp_path / "binary"
    path.write_bytes(raw)
    assert "not a text file" in refused(command, str(path))


@pytest.mark.slow
def test_a_closed_pipe_gives_no_traceback() -> None:
    """A reader that closes the pipe early gets no traceback."""
    program = "from qwixx.cli import main; main.main(['rules', 'classic'])"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"COLUMNS": "80"}
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


# ---- answers


def test_variants() -> None:
    """All nine games are listed, and the same facts are available as JSON."""
    plain = run("variants").output
    data = json.loads(run("variants", "--json").output)
    assert [game["id"] for game in data] == list(games())
    assert all(name in plain for name in games())
    assert data[-1]["seats"] == [2]
    assert data[-1]["kind"] == "duel"


@pytest.mark.parametrize("variant", games())
def test_rules(variant: str) -> None:
    """Every game has a rules page and a list of its rules."""
    assert "score" in run("rules", variant).output.lower()
    data = json.loads(run("rules", variant, "--json").output)
    assert data["variant"] == variant
    assert all(variant in rule["games"] for rule in data["rules"])


@pytest.mark.parametrize("variant", games())
def test_sheet(variant: str, tmp_path: Path) -> None:
    """Every sheet is drawn as text and as a picture, in a file or to standard output."""
    assert "misses" in run("sheet", variant).output
    path = tmp_path / "sheet.svg"
    assert run("sheet", variant, "--svg", str(path)).exit_code == 0
    assert path.read_text().startswith("<svg")
    assert (
        run("sheet", variant, "--svg", "-").output.strip()
        == path.read_text().encode("ascii", "xmlcharrefreplace").decode().strip()
    )


def test_sheet_of_a_position() -> None:
    """A position line is drawn with its crosses, its dice and the cells that may be crossed."""
    result = run("sheet", "classic", "--position", "classic active=0 phase=white roll=34/2615 | r=2,5 | -")
    assert ">7<" in result.output
    assert "y6" in result.output


def test_replay(record: Path) -> None:
    """A record is shown step by step, with the sheets and the checked scores at the end."""
    game = Game.from_record(record.read_text())
    result = run("replay", str(record))
    assert result.exit_code == 0
    assert "Seat 0: " in result.output
    assert "The game is over" in result.output
    assert "They match the record." in result.output
    data = json.loads(run("replay", str(record), "--json").output)
    assert tuple(data["scores"]) == game.scores()
    assert data["outcome"]["winners"] == list(game.outcome().winners)  # type: ignore[union-attr]  # it is over
    assert sum(len(step["events"]) for step in data["steps"]) == len(game.events)


def test_replay_one_seat_step_by_step(record: Path) -> None:
    """The command can show one sheet, wait after each step, and read the record from standard input."""
    assert run("replay", str(record), "--seat", "1").output.count("misses [") == 1
    assert "there is no seat 2" in refused("replay", str(record), "--seat", "2")
    assert run("replay", str(record), "--step", given="\n\n").output.count("Press Enter to continue") == 3
    assert run("replay", "-", given=record.read_text()).exit_code == 0


def test_replay_refuses_records_with_errors(record: Path, tmp_path: Path) -> None:
    """Wrong scores and illegal moves are named with their line."""
    wrong = tmp_path / "wrong"
    text = record.read_text()
    wrong.write_text(text[: text.index("scores")] + "scores 1 2\n")
    assert "the scores do not come out" in run("replay", str(wrong)).stderr
    assert run("replay", str(wrong)).exit_code == 2
    assert "the scores do not come out" in refused("replay", str(wrong), "--json")
    wrong.write_text("qwixx record 1\nvariant classic\nseats 2\nfirst 0\n7 r7\n")
    assert "Line 5" in run("replay", str(wrong)).stderr


@pytest.mark.slow
def test_perft() -> None:
    """Counts that match give exit code 0, and the depth can be limited."""
    path = str(PERFT / "classic.perft")
    data = json.loads(run("perft", path, "--depth", "1", "--json").output)
    assert all(result["ok"] and result["depth"] == 1 for result in data)
    assert "depth 1: 5, as expected" in run("perft", path, "--depth", "1").output


@pytest.mark.slow
def test_perft_that_differs(tmp_path: Path) -> None:
    """A difference gives exit code 1 and the divide to look into."""
    path = tmp_path / "wrong.perft"
    path.write_text("position classic active=0 phase=roll | -\nrolls 34/2615\nperft 1 6\n")
    result = run("perft", str(path))
    assert result.exit_code == 1
    assert "depth 1: 5, but line 3 expects 6" in result.output
    assert "r7" in result.output
    assert run("perft", str(path), "--json").exit_code == 1


def test_perft_divides(tmp_path: Path) -> None:
    """On demand, each first decision is counted separately."""
    path = tmp_path / "right.perft"
    path.write_text("position classic active=0 phase=roll | -\nrolls 34/2615\nperft 2 41\n")
    data = json.loads(run("perft", str(path), "--divide", "--json").output)
    assert data[0]["divide"] == {"r7": 7, "y7": 9, "g7": 9, "b7": 7, "pass": 9}
    path.write_text("position classic active=0 phase=roll | -\nafter 34/2615 r8\nperft 1 5\n")
    assert "line 1: The white dice make 7" in refused("perft", str(path), "--json")


def test_warm() -> None:
    """Compiling ahead of time ends with a sentence, for everything or for the named parts; other names are refused."""
    parts = "rules, players, coach, simulator, solver, environments, training"
    everything = f"Compiled: {parts}.\n" if COMPILES else "There is nothing to compile.\n"
    assert run("warm").output.endswith(everything)
    assert run("warm", "rules").output == "Compiled: rules.\n" or not COMPILES
    assert "must be one of rules" in refused("warm", "nonsense")
