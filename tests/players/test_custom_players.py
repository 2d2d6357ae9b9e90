"""Custom players: files, packages, and failures; the docs page about them is correct."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from qwixx import Game, QwixxError, players, simulate
from qwixx.cli import main
from qwixx.players import PlayerFailed, PlayerThread, find, instantiate_supervised, seconds_to_decide
from qwixx.sim import replay_game
from qwixx.variants import load
from support.games.custom_bots import BOTS, install
from support.paths import ROOT

DOCS = ROOT / "docs" / "players.md"
BLOCKS = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write a file with bots."""
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store the games of a test in its own directory."""
    monkeypatch.setenv("QWIXX_DATA", str(tmp_path / "data"))


def run(*words: str, given: str = "") -> Result:
    """Run a command."""
    return CliRunner().invoke(main, list(words), input=given)


# ---- files


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere.py:X", "'nowhere.py' cannot be read: No such file"),
        ("bots.py", "Name the class"),
        ("bots.py:", "Name the class"),
        ("bots.py:Fien", "no class 'Fien' in 'bots.py'; did you mean 'Fine'"),
        ("bots.py:zzz", r"no class 'zzz' in 'bots.py'\."),
        ("bots.py:function", "not a class with a method choose"),
        ("bots.py:NoChoice", "not a class with a method choose"),
        ("bad.py:X", r"'bad.py' cannot be loaded: it raised SyntaxError"),
        ("worse.py:X", r"it raised ZeroDivisionError: division by zero \(worse.py, line 2\)"),
    ],
)
def test_files_that_hold_no_player(file: Path, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str) -> None:
    """One sentence says what is wrong with a name."""
    monkeypatch.chdir(file.parent)
    (file.parent / "bad.py").write_text("class X(:\n")
    (file.parent / "worse.py").write_text("x = 1\ny = x / 0\n")
    with pytest.raises(QwixxError, match=sentence):
        find(name, files=True)


def test_classes_of_both_kinds_play(file: Path) -> None:
    """A `Player` and a class that does not use the package play a whole simulation."""
    results = simulate("classic", 2, (f"{file}:Fine", f"{file}:Plain"), 5)
    assert results.games == 5
    assert find(f"{file}:Fine", files=True).habit == "Passes, or takes the first thing"


def test_a_file_finds_its_neighbours(tmp_path: Path) -> None:
    """A bot may consist of several files in its folder; the folder does not stay on the path."""
    (tmp_path / "my_neighbour.py").write_text("LIKES = -1\n")
    (tmp_path / "near.py").write_text(
        "from my_neighbour import LIKES\nclass Bot:\n    def choose(self, view, legal):\n        return legal[LIKES]\n"
    )
    assert simulate("classic", 1, (f"{tmp_path / 'near.py'}:Bot",), 2).games == 2
    assert str(tmp_path) not in sys.path


def test_a_file_that_exits_the_program(tmp_path: Path) -> None:
    """A file that exits the program while it is loaded is refused with a sentence."""
    path = tmp_path / "leaving.py"
    path.write_text("raise SystemExit(0)\n")
    with pytest.raises(QwixxError, match="SystemExit"):
        find(f"{path}:Bot", files=True)


def test_a_bot_cannot_change_what_it_is_given(tmp_path: Path) -> None:
    """An action that a bot has modified is invalid, and the error names the bot."""
    path = tmp_path / "bending.py"
    path.write_text(
        "class Bot:\n    def choose(self, view, legal):\n        object.__setattr__(legal[-1], 'id', 10)\n"
        "        return legal[-1]\n"
    )
    with pytest.raises(PlayerFailed, match="answered nonsense"):
        simulate("classic", 2, (f"{path}:Bot", "gap"), 1)


def test_a_bot_says_what_it_plays(file: Path) -> None:
    """A bot is asked only about games that it plays."""
    picky = find(f"{file}:Picky", files=True)
    assert picky.habit == "only the duel"
    assert [name for name in ("classic", "duel", "cards") if picky.plays(load(name), 2)] == ["duel"]
    assert "cannot play classic" in run("simulate", "classic", "--bots", f"{file}:Picky").stderr


# ---- failures

FAILURES = [
    ("Raises", "raised KeyError: 'lost my sheet' (bots.py, line 13)"),
    ("Dawdles", "took longer than 0.3 seconds to decide"),
    ("Babbles", "answered nonsense: 'r99' is none of the legal actions"),
    ("Leaves", "raised SystemExit: good night"),
    ("Unbuildable", "raised RuntimeError: no room"),
]


def seconds_of(bot: str) -> str:
    """Return the time limit: short for the bot that never decides, none for one that fails immediately."""
    return "0.3" if bot == "Dawdles" else "60"


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "sentence"), FAILURES)
def test_simulate_reports_a_failure_and_replay_shows_it(file: Path, bot: str, sentence: str) -> None:
    """The error names the player, the game and the seat; its command shows the game up to the failure."""
    result = run("simulate", "classic", "--bots", f"{file}:{bot},gap", "--games", "3", "--bot-seconds", seconds_of(bot))
    assert result.exit_code == 2
    assert f"The player '{file}:{bot}' {sentence}" in result.stderr
    assert "That was game 0, seat 0." in result.stderr
    command = re.search(r"See it with: qwixx (.*)", result.stderr)
    assert command is not None

    shown = run(*command[1].split(), "--bot-seconds", seconds_of(bot))
    assert shown.exit_code == 2
    assert sentence in shown.stderr
    assert "game 0, seat 0; it is shown up to there" in shown.stderr
    assert "The game is not over yet." in shown.stdout
    data = json.loads(run(*command[1].split(), "--bot-seconds", seconds_of(bot), "--json").stdout)
    assert data["outcome"] is None
    assert data["steps"][-1]["chance"] == "roll"  # the window in which it failed is open


def test_the_same_failure_with_any_worker(file: Path) -> None:
    """A block in which a player failed is not played again by another worker."""
    with pytest.raises(PlayerFailed, match="lost my sheet") as failure:
        simulate("classic", 2, (f"{file}:Raises", "gap"), 40, workers=2)
    assert failure.value.seat in (0, 1)
    with pytest.raises(PlayerFailed, match="lost my sheet"):
        replay_game("classic", 2, (f"{file}:Raises", "gap"), 0, failure.value.game or 0)


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "sentence"), FAILURES)
def test_a_terminal_game_continues(file: Path, bot: str, sentence: str) -> None:
    """The failure is reported, the dealer decides for the seat, and the game ends; a slow bot is not asked again."""
    bots = f"{file}:{bot},gap"
    result = run("play", "classic", "--seats", "2", "--bots", bots, "--seed", "1", "--bot-seconds", seconds_of(bot))
    assert result.exit_code == 0
    assert f"{sentence}" in " ".join(result.output.split())
    assert f"A default decision is made for {bot}-bot." in result.output
    assert "The game is over" in result.output
    assert (result.output.count("A default decision is made for") == 1) == (bot == "Dawdles")


def test_the_time_for_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """As given, from the environment, or ten seconds."""
    assert seconds_to_decide() == 10
    monkeypatch.setenv("QWIXX_BOT_SECONDS", "2.5")
    assert (seconds_to_decide(), seconds_to_decide(4)) == (2.5, 4)
    monkeypatch.setenv("QWIXX_BOT_SECONDS", "soon")
    with pytest.raises(QwixxError, match="QWIXX_BOT_SECONDS should be a number"):
        seconds_to_decide()
    with pytest.raises(QwixxError, match="more than 0 and up to 86400 seconds for a decision, not 0"):
        seconds_to_decide(0)


@pytest.mark.slow
def test_an_endless_bot_does_not_hang_the_program(tmp_path: Path) -> None:
    """An endless loop stays in its thread, and the program still ends."""
    path = tmp_path / "endless.py"
    path.write_text("class Bot:\n    def choose(self, view, legal):\n        while True:\n            pass\n")
    words = ["-m", "qwixx", "simulate", "classic", "--bots", f"{path}:Bot,gap", "--games", "1", "--bot-seconds", "0.3"]
    result = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 2
    assert "took longer than 0.3 seconds" in result.stderr


def test_built_in_players_are_asked_directly() -> None:
    """Only players from other packages need a thread."""

    class Nobody(PlayerThread):
        def ask(self, *_: Any, decisions: int = 1) -> tuple[Any, BaseException | None]:
            raise AssertionError("not this way")

    game = Game("classic", seed=1)
    game.roll()
    assert instantiate_supervised(find("gap"), game.variant, 2, thread=Nobody(1)).answer(game.question(0))


# ---- saved games


def test_a_saved_game_never_runs_a_file(file: Path) -> None:
    """To resume a game with a custom bot, name it again; its file may have moved, its class must be the same."""
    record = file.parent / "game.qwixx"
    run("play", "classic", "--bots", f"{file}:Fine", "--seed", "1", "--record", str(record), given="1\n")
    assert f"# player 1 bot {file}:Fine Fine-bot\n" in record.read_text()
    moved = file.rename(file.parent / "moved bots.py")

    resume = ("play", "--resume", "--record", str(record))
    result = run(*resume, given="1\n")
    assert result.exit_code == 2
    assert f"name its file again: qwixx play --resume --bots {file}:Fine --record {record}\n" in result.stderr
    assert "Plain” did not play in this game" in run(*resume, "--bots", f"{moved}:Plain", given="1\n").stderr
    assert "“gap” did not play in this game" in run(*resume, "--bots", f"{moved}:Fine,gap", given="1\n").stderr
    going = run(*resume, "--bots", f"{moved}:Fine", given="1\n" * 400)
    assert "At the table: Player, Fine-bot." in going.output
    assert "The game is over" in going.output
    assert "Fine-bot" in run("replay", str(record)).output


def test_a_resumed_game_keeps_its_players() -> None:
    """A resumed game accepts no new players."""
    run("play", "classic", "--seed", "1", given="1\n")
    result = run("play", "--resume", "--bots", "random", given="1\n")
    assert result.exit_code == 2
    assert "name only custom bots again" in result.stderr


def test_a_record_with_a_file_is_shown_without_running_it(tmp_path: Path) -> None:
    """`qwixx replay FILE` reads names and nothing else."""
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w').close()\nclass Bot:\n    choose = print\n")
    record = tmp_path / "game.qwixx"
    record.write_text(
        f"qwixx record 1\n# player 0 person Anna\n# player 1 bot {trap}:Bot Trap\nvariant classic\nseats 2\nfirst 0\n"
    )
    assert "Anna, Trap" in run("replay", str(record)).output
    assert run("play", "--resume", "--record", str(record)).exit_code == 2
    assert not (tmp_path / "sprung").exists()


# ---- packages


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with players."""
    install(tmp_path / "site", monkeypatch)


@pytest.mark.slow
@pytest.mark.usefixtures("package")
def test_packages_register_players() -> None:
    """By the name of the entry point; a broken one is reported and does not break the others."""
    known = dict(players.all_players())
    brought = {"fine", "raises", "dawdles", "broken", "odd", "registered", "gap (extra_bots:Babbles)"}
    assert set(known) == {*players.built_in_names(), *brought}
    assert isinstance(known["broken"], QwixxError)
    assert "'broken' (no_such_module:Bot) cannot be loaded: ModuleNotFoundError" in str(known["broken"])
    assert "'odd' is neither a class that can choose" in str(known["odd"])
    assert find("gap").is_built_in
    assert not find("registered").is_built_in
    assert simulate("classic", 2, ("fine", "registered"), 3).games == 3
    with pytest.raises(QwixxError, match="'registered' cannot play classic with 3 seats"):
        simulate("classic", 3, ("registered",), 3)
    with pytest.raises(QwixxError, match=r"'broken' .* cannot be loaded"):
        simulate("classic", 2, ("broken",), 3)


@pytest.mark.slow
@pytest.mark.usefixtures("package")
def test_players_are_listed() -> None:
    """`qwixx players` lists all players, the games they play and how; as JSON with the seats."""
    result = run("players")
    data = {fact["name"]: fact for fact in json.loads(run("players", "--json").stdout)}

    assert result.exit_code == 0
    assert "every game" in result.stdout
    assert "cannot be loaded" in result.stdout
    assert data["greedy"]["games"] == {"cards": [2, 3, 4, 5], "cards-joker": [2, 3, 4, 5], "duel": [2]}
    assert data["registered"]["games"]["classic"] == [2]
    assert data["registered"]["habit"] == "a class behind an entry"
    assert "problem" in data["broken"]
    assert data["gap"]["house"]


# ---- the docs page


@pytest.mark.slow
def test_the_bot_of_the_page_plays_and_is_measured(tmp_path: Path) -> None:
    """The bot of twenty lines is saved as the page says and beats `random`; the library prints its interval."""
    (tmp_path / "my_bot.py").write_text(BLOCKS[0])
    assert sum(bool(line.strip()) for line in BLOCKS[0].splitlines()) <= 21
    result = subprocess.run(
        [sys.executable, "-c", BLOCKS[1].replace("games=200", "games=30")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert re.search(r"my_bot.py:MyBot: \d+\.\d ± \d+\.\d points, wins \d+%\ngap: ", result.stdout)
    for variant in ("bonus-b", "gemixxt-a", "longo"):
        own, chance = simulate(variant, 2, (f"{tmp_path / 'my_bot.py'}:MyBot", "random"), 20, seed=1).by_player()
        assert own.mean > chance.mean + 10
    assert "cannot play cards" in run("simulate", "cards", "--bots", f"{tmp_path / 'my_bot.py'}:MyBot").stderr


def test_the_page_lists_all_players() -> None:
    """The table of the page has all built-in players."""
    named = set(re.findall(r"`([a-z]+)`", "\n".join(re.findall(r"^\| `.*$", DOCS.read_text("utf-8"), re.MULTILINE))))
    assert set(players.built_in_names()) <= named


# ---- bots that are slow, print, or answer in another form


def written(tmp_path: Path, text: str, name: str = "odd.py") -> Path:
    """Write a file with bots."""
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.slow
def test_a_file_that_never_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module with an endless loop is given up with a sentence."""
    monkeypatch.setattr("qwixx.players.custom.SECONDS_TO_LOAD", 0.3)
    path = written(tmp_path, "import time\nwhile True:\n    time.sleep(0.01)\n")
    assert (
        "cannot be loaded: it takes longer than 0.3 seconds" in run("play", "--bots", f"{path}:Bot", "classic").stderr
    )


@pytest.mark.slow
def test_a_bot_that_never_says_what_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question what a bot plays has a time limit."""
    monkeypatch.setenv("QWIXX_BOT_SECONDS", "0.3")
    path = written(
        tmp_path,
        "import time\nclass Bot:\n    def choose(self, view, legal):\n        return 0\n"
        "    @staticmethod\n    def plays(variant, seats):\n        time.sleep(60)\n",
    )
    assert "did not say within 0.3 seconds what it plays" in run("simulate", "classic", "--bots", f"{path}:Bot").stderr


def test_output_of_a_bot_is_not_in_the_answer(tmp_path: Path) -> None:
    """Bots may print, when they are loaded and when they decide; the answer of a simulation stays JSON."""
    path = written(
        tmp_path,
        "print('loading')\nclass Bot:\n    def choose(self, view, legal):\n        print('thinking')\n"
        "        return legal[0]\n    @staticmethod\n    def plays(variant, seats):\n        print('asked')\n"
        "        return True\n",
    )
    result = run("simulate", "classic", "--bots", f"{path}:Bot,gap", "--games", "2", "--json")
    assert json.loads(result.stdout)["games"] == 2
    assert {"loading", "thinking", "asked"} <= set(result.stderr.split())


def test_an_answer_is_parsed_like_a_decision(tmp_path: Path) -> None:
    """Cards may be named in any order, and spaces do not matter, as in `Game.decide`."""
    path = written(
        tmp_path,
        "class Bot:\n    def choose(self, view, legal):\n        text = max(legal, key=lambda a: len(a.text)).text\n"
        "        cards, equals, cells = text.removeprefix('play:').partition('=')\n"
        "        if not text.startswith('play:'):\n            return f' {text} '\n"
        "        turned = ','.join(reversed(cards.split(',')))\n"
        "        return f' play:{turned}' + (equals and '=' + ','.join(reversed(cells.split(','))))\n",
    )
    assert simulate("cards", 2, (f"{path}:Bot",), 2).games == 2


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (
            "import json\nclass Bot:\n    def choose(self, view, legal):\n        return json.loads('{')\n",
            "odd.py, line 4",
        ),
        ("class Bot:\n    def __init__(self):\n        1 / 0\n    choose = print\n", "odd.py, line 3"),
    ],
)
def test_a_failure_names_the_line_in_the_bot(tmp_path: Path, text: str, where: str) -> None:
    """The place in brackets is in the bot, even if the error was raised further down."""
    path = written(tmp_path, text)
    with pytest.raises(PlayerFailed, match=re.escape(where)):
        simulate("classic", 2, (f"{path}:Bot", "gap"), 1)


def test_a_file_that_cannot_be_read_names_its_own_line(tmp_path: Path) -> None:
    """A syntax error, a missing module, a wrong constructor: the message never names a line of this package."""
    slip = written(tmp_path, "\n\nclass X(:\n")
    assert "(odd.py, line 3)" in run("simulate", "classic", "--bots", f"{slip}:X").stderr
    missing = written(tmp_path, "\nimport no_such_module\n", "missing.py")
    assert "(missing.py, line 2)" in run("simulate", "classic", "--bots", f"{missing}:X").stderr
    wrong = written(
        tmp_path, "class Bot:\n    def __init__(self, much):\n        pass\n    choose = print\n", "wrong.py"
    )
    errors = run("simulate", "classic", "--bots", f"{wrong}:Bot").stderr
    assert "TypeError" in errors
    assert "yours.py" not in errors


def test_neighbours_are_found_while_deciding(tmp_path: Path) -> None:
    """A bot may import a module of its folder while it decides."""
    (tmp_path / "late_neighbour.py").write_text("LIKES = -1\n")
    path = written(
        tmp_path,
        "class Bot:\n    def choose(self, view, legal):\n        import late_neighbour\n"
        "        return legal[late_neighbour.LIKES]\n",
    )
    assert simulate("classic", 1, (f"{path}:Bot",), 2).games == 2


@pytest.mark.slow
def test_reserved_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package cannot take a built-in name, nor a name with another meaning; it is reported and left out."""
    facts = tmp_path / "bad_names-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-names\nVersion: 1.0\n")
    names = ("gap", "gap:3", "a,b", "gap3.py", "2", "with blank", "fine-1.0_x")
    (facts / "entry_points.txt").write_text("[qwixx.players]\n" + "".join(f"{name} = bad:Bot\n" for name in names))
    (tmp_path / "bad.py").write_text("class Bot:\n    def choose(self, view, legal):\n        return legal[0]\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    output = run("players").stdout
    for name in names[:-1]:
        assert f"The player {name!r} (bad:Bot) is left out" in output
    assert "fine-1.0_x" in output
    assert simulate("classic", 2, ("fine-1.0_x",), 1).games == 1
    assert players.find("gap").is_built_in
