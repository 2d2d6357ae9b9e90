"""The game in the terminal, played through standard input: no input loses a game."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from qwixx import Game, games
from qwixx.cli import main
from qwixx.cli.table import table as table_module
from qwixx.cli.table.participants import Participant
from qwixx.cli.table.prompt import Prompter
from qwixx.cli.table.saves import Saver, write_game
from support.games.game_sources import SHEETS

NONSENSE = (
    "",
    "r99",
    "xyzzy",
    "why g2",
    "?",
    "score",
    "sheet",
    "list",
    "play:",
    "take:9",
    "r7>q",
    "999",
    "🎲",
    "[bold]",
)
QUESTION = re.compile(r"^\w+: (?:cross|which|put) .*\?$", re.MULTILINE)
LISTED = re.compile(r"^ {0,2}\d+ [A-Za-z].*$", re.MULTILINE)
CHOICE = re.compile(r"\d+ ([A-Za-z][\w:,=>]*)")


@pytest.fixture(autouse=True)
def data(own_data: Path) -> Path:
    """Store the games of a test in its own directory."""
    return own_data / "games"


class Typist:
    """A simulated user: reads the choices on the screen and types one of them, and invalid lines in between."""

    def __init__(self, screen: Callable[[], str], seed: int, nonsense: float) -> None:
        """Read from a screen; `nonsense` is how often a line is invalid."""
        self.screen = screen
        self.random = random.Random(seed)
        self.nonsense = nonsense
        self.seen = ""

    def isatty(self) -> bool:
        """Return false: this is not a terminal."""
        return False

    def readline(self, _: int = -1) -> str:
        """Type the next line."""
        self.seen += self.screen()
        if self.random.random() < self.nonsense:
            return self.random.choice(NONSENSE) + "\n"
        shown = QUESTION.split(self.seen)[-1]
        listed = [choice for line in LISTED.findall(shown) for choice in CHOICE.findall(line)]
        return str(self.random.choice(listed)) + "\n"


def run(*words: str, given: str = "") -> Result:
    """Run `qwixx play` with lines to read."""
    return CliRunner().invoke(main, ["play", *words], input=given)


def kept(directory: Path) -> Path:
    """Return the one saved game."""
    (path,) = directory.iterdir()
    return path


# ---- whole games


@pytest.mark.slow
@pytest.mark.parametrize("variant", games())
def test_every_game_is_played_to_its_end(
    variant: str, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A user who types choices as printed, and invalid lines between them, finishes each of the nine games."""
    typist = Typist(lambda: capsys.readouterr().out, seed=len(variant), nonsense=0.3)
    monkeypatch.setattr(sys, "stdin", typist)
    with pytest.raises(SystemExit) as left:
        main.main(["play", variant, "--seed", "11"])
    seen = typist.seen + capsys.readouterr().out
    assert left.value.code == 0
    assert "The game is over" in seen
    assert "Traceback" not in seen
    result = CliRunner().invoke(main, ["replay", str(kept(data)), "--json"])
    assert json.loads(result.output)["outcome"] is not None


@pytest.mark.slow
@pytest.mark.parametrize("variant", games())
def test_numbers_and_several_people(variant: str, data: Path) -> None:
    """Two people who only type numbers, often wrong ones, finish each game too."""
    chooser = random.Random(variant)
    lines = "".join(f"{chooser.choice([1, 1, 1, 2, 3, 5, 77])}\n" for _ in range(4000))
    result = run(variant, "--names", "Anna,Max", "--seed", "4", given=lines)
    assert result.exit_code == 0
    assert "The game is over" in result.output
    assert Game.from_record(kept(data).read_text()).is_over


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["gemixxt-a", "gemixxt-b"])
def test_cards_on_other_sheets(sheet: str) -> None:
    """The card games are played on the mixed sheets too."""
    result = run("cards-joker", "--sheet", sheet, "--seed", "1", given="1\n" * 3000)
    assert "The game is over" in result.output


@pytest.mark.slow
def test_bots_among_themselves() -> None:
    """With bots on all seats nothing is typed."""
    result = run("classic", "--seats", "3", "--bots", "gap,random,gap", "--seed", "1")
    assert result.exit_code == 0
    assert "At the table: Bot 1 (gap), Bot 2 (random), Bot 3 (gap)." in result.output
    assert "The game is over" in result.output


@pytest.mark.slow
def test_solitaire(data: Path) -> None:
    """One seat is solitaire."""
    result = run("classic", "--seats", "1", "--seed", "1", given="1\n" * 500)
    assert re.search(r"^-?\d+ points?\.$", result.output, re.MULTILINE)
    assert Game.from_record(kept(data).read_text()).seats == 1


# ---- no input loses a game


def test_nonsense_changes_nothing(data: Path) -> None:
    """After any amount of invalid input the game is unchanged."""
    run("classic", "--seed", "3", given="")
    before = kept(data).read_text()
    kept(data).unlink()
    result = run("classic", "--seed", "3", given="\n".join(NONSENSE) + "\n")
    assert kept(data).read_text() == before
    assert result.exit_code == 0


@pytest.mark.slow
def test_end_of_input_keeps_the_game(data: Path) -> None:
    """When the input ends, the program names the saved file; the game can be replayed and resumed."""
    result = run("longo", "--names", "Anna,Max", "--bots", "random", "--seed", "2", given="1\n1\n1\n")
    assert result.exit_code == 0
    assert str(kept(data)) in result.output
    assert "Continue with: qwixx play --resume" in result.output
    stopped = Game.from_record(kept(data).read_text())
    result = run("--resume", given="1\n")
    assert "At the table: Anna, Max, Bot 1 (random)." in result.output
    assert len(Game.from_record(kept(data).read_text()).events) > len(stopped.events)
    result = run("--resume", given="1\n" * 2000)
    assert "The game is over" in result.output
    assert "no game to continue" in run("--resume").stderr


def test_interruption_keeps_the_game(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with a sentence that names the saved file."""

    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Prompter, "ask", interrupt)
    result = run("classic", "--seed", "3")
    assert result.exit_code == 130
    assert str(kept(data)) in result.output
    assert Game.from_record(kept(data).read_text()).deciders()


def test_quit_asks_first(data: Path) -> None:
    """Quitting asks for a yes; any other answer continues the game."""
    result = run("classic", "--seed", "3", given="quit\nno\nscore\nquit\nyes\n")
    assert "Points so far" in result.output
    assert result.output.count("Leave this game?") == 2
    assert kept(data).exists()


def test_undo_goes_back_to_the_last_decision(data: Path) -> None:
    """Undo reverts the last decision at the keyboard and everything after it; the same dice are rolled again."""
    first = run("classic", "--seed", "3", given="1\n").output
    line = kept(data).read_text()
    kept(data).unlink()
    again = run("classic", "--seed", "3", given="undo\n2\nundo\n1\n").output
    assert "There is no decision to take back yet." in again
    assert "Taken back." in again
    assert kept(data).read_text() == line
    assert first.splitlines()[-5:-2] == again.splitlines()[-5:-2]


def test_undo_in_a_resumed_game(data: Path) -> None:
    """In a resumed game, undo can go back to before the pause."""
    run("classic", "--seed", "3", given="")
    opening = kept(data).read_text()
    run("--resume", given="1\n1\n1\n1\n")
    assert kept(data).read_text() != opening
    result = run("--resume", given="undo\n" * 4)
    assert result.output.count("Taken back.") == 4
    assert kept(data).read_text() == opening


def test_two_programs_resume_one_game(tmp_path: Path) -> None:
    """The second one says that the file is newer than it knows; it does not overwrite what the first one played."""
    path = tmp_path / "one.qwixx"
    game = Game("classic", 1, seed=1, first=0)
    players = [Participant("Anna")]
    write_game(path, game, players)
    first, second = Saver(path, players), Saver(path, players)
    game.roll()
    assert first.save(game) == ""
    played = path.read_text()
    later = game.copy()
    later.decide(0, "pass")
    problem = second.save(later)
    assert problem == "The game was not saved: another program has continued this game, and its file is newer"
    assert second.save(later) == "", "it says so once"
    assert path.read_text() == played
    assert first.save(later) == ""
    assert path.read_text() != played, "the first program saves every step"


def test_a_named_record_file(tmp_path: Path) -> None:
    """The game is saved in the named file, which is never overwritten, and resumes from it."""
    path = tmp_path / "mine.qwixx"
    result = run("duel", "--seed", "1", "--record", str(path), given="1\n")
    assert f"qwixx play --resume --record {path}" in result.output
    before = path.read_text()
    assert "exists" in run("duel", "--record", str(path)).stderr
    assert path.read_text() == before
    assert "Continue with" in run("--resume", "--record", str(path), given="1\n").output
    path.write_text("qwixx record 1\nvariant classic\nseats 1\nfirst 0\n")
    assert "At the table: Player." in run("--resume", "--record", str(path), given="").output


@pytest.mark.slow
def test_a_finished_game_is_not_resumed(tmp_path: Path) -> None:
    """Resuming a finished game is refused with a sentence."""
    path = tmp_path / "done.qwixx"
    run("classic", "--bots", "2", "--seats", "2", "--record", str(path))
    result = run("--resume", "--record", str(path))
    assert result.exit_code == 2
    assert "is over" in result.stderr


def test_a_game_continues_if_it_cannot_be_saved(tmp_path: Path) -> None:
    """A game that cannot be saved reports it once and continues."""
    result = run("classic", "--seed", "3", "--record", str(tmp_path / "no" / "such" / "place"), given="1\n" * 500)
    assert result.exit_code == 0
    assert result.output.count("The game was not saved") == 2
    assert "The game is over" in result.output


def test_save(tmp_path: Path) -> None:
    """The game so far is saved to a named file; a folder that does not exist is reported in one sentence."""
    path = tmp_path / "saved.qwixx"
    result = run("classic", "--seed", "3", given=f"1\nsave\nsave {path}\nsave /nowhere/at/all\nsave .\n")
    assert "Add a file name" in result.output
    assert result.output.count("cannot be written") == 2
    assert Game.from_record(path.read_text()).events


# ---- help


def test_why_and_help() -> None:
    """`why` names the rule, `?` the phase, the commands and the rules about it."""
    result = run("classic", "--seed", "3", given="why g2\nwhy r8\nwhy\nwhy xx\n?\n? c7\n? Z9\n")
    assert "(C3)" in result.output
    assert "r8 is allowed." in result.output
    assert "Add the action" in result.output
    assert "“xx” is neither a choice nor a command." in result.output
    assert "Action 1: the white sum." in result.output
    assert "save FILE" in result.output
    assert "C7 " in result.output
    assert "There is no rule “Z9”" in result.output


def test_typing_is_forgiving() -> None:
    """Capitals, spaces and short forms are accepted where they are unambiguous."""
    assert "Player crosses red 8." in run("classic", "--seed", "3", given=" R 8 \n").output
    assert "Player crosses 8 in row A." in run("gemixxt-a", "--seed", "3", given="a8\n").output
    result = run("cards", "--seed", "3", "--seats", "2", given="1\np\n1\np\n1\n")
    assert "Player takes" in result.output


def test_only_choice_is_taken(tmp_path: Path) -> None:
    """If pass is the only choice, the player is not asked, but the program reports it."""
    path = tmp_path / "late.qwixx"
    full = "r=10,11 y=10,11 g=4,3 b=4,3"
    path.write_text(f"qwixx record 1\nstart classic active=1 phase=roll | {full} | {full}\nroll 12/1111\n")
    assert "Player has one choice: pass." in run("--resume", "--record", str(path)).output


def test_a_closing_is_announced_and_others_decide_again(tmp_path: Path) -> None:
    """People decide one after the other: who has passed is asked again when another closes a row (C14)."""
    path = tmp_path / "closing.qwixx"
    five = "r=2,3,4,5,6"
    path.write_text(
        f"qwixx record 1\nstart classic active=2 phase=roll | {five} | {five} | r=2,3,4,5\nroll 66/1111\n"
        "# player 0 person Anna\n# player 1 person Ben\n# player 2 person Cleo\n"
    )
    result = run("--resume", "--record", str(path), given="pass\nr12\nr12\npass\nquit\nyes\n")
    told = result.output
    assert told.count("  Ben closes the red row.\n") == 1
    assert told.count("  Anna: You may still close it too.\n") == 1
    assert "Ben: You may still close it too." not in told, "a closing is binding"
    assert told.index("Anna closes the red row.") < told.index("Anna closes the red row and takes the lock.")
    assert "Ben closes the red row and takes the lock." in told
    assert "0 pass\n1 r12\n0 r12\n2 pass\n" in path.read_text()
    alone = tmp_path / "alone.qwixx"
    alone.write_text(
        f"qwixx record 1\nstart classic active=1 phase=roll | {five} | {five}\nroll 66/1111\n"
        "# player 0 person Anna\n# player 1 bot greedy Bot\n"
    )
    assert "Anna closes the red row.\n" not in run("--resume", "--record", str(alone), given="r12\n").output


def test_menu(data: Path) -> None:
    """Without a variant there is a menu; it accepts a number or an id, and asks again."""
    result = run(given="99\nfoo\n9\n1\n")
    assert result.output.count("Type a number from 1 to 9") == 2
    assert "Qwixx, the duel" in result.output
    assert kept(data).name.startswith("duel")
    assert run(given="quit\n").exit_code == 0
    assert run(given="").exit_code == 0


def test_real_dice() -> None:
    """People with real dice type their roll, until it is valid."""
    result = run("classic", "--real-dice", "--seed", "1", given="?\nfoo\n34/2\n99/9999\n3 4 2 6 1 5\nr7\npass\nroll\n")
    assert "“foo” is not a roll" in result.output
    assert "Dice show 1 to 6" in result.output
    assert "white 3 + 4 = 7; red 2, yellow 6, green 1, blue 5" in result.output
    assert "Player crosses red 7." in result.output


def test_hands_are_handed_over() -> None:
    """Two people with cards change places before a hand is shown; with one person and a bot that is not necessary."""
    result = run("cards", "--names", "Anna,Max", "--seed", "1", given="1\n" * 12)
    assert "Hand the keyboard to Anna, then press Enter" in result.output
    assert "Hand the keyboard to Max, then press Enter" in result.output
    assert "Hand the keyboard" not in run("cards", "--seed", "1", given="1\n").output


def test_names_and_lucky_numbers_are_announced() -> None:
    """Longo prints the lucky numbers of all; names are printed as they were typed."""
    result = run("longo", "--names", "[red]Ann[/red],Bo", "--lucky", "6/11,5/10", "--seed", "1", given="")
    assert "[red]Ann[/red] 6/11, Bo 5/10" in result.output


def test_pads_are_given_by_hand_or_by_lot(tmp_path: Path) -> None:
    """FR8: the record names the pad of each seat, and a game that is resumed has the same."""
    sheet, path = str(SHEETS / "connected-a.toml"), tmp_path / "game.qwixx"
    assert "pad C" in run(sheet, "--seats", "3", "--pads", "CAB", "--record", str(path), given="1\n").output
    assert "\npads C A B\n" in path.read_text("utf-8")
    assert "pad C" in run("--resume", "--record", str(path), given="1\n").output
    assert "pad" in run(sheet, "--seats", "5", "--pads", "lot", "--seed", "3", given="1\n").output


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("big-points", {"BP2"}),
        ("connected-a", {"CA2"}),
        ("connected-b", {"CB2"}),
        ("double-a", {"DA2", "DA3"}),
        ("double-b", {"DB2", "DB3"}),
        ("x-change", {"XC2"}),
        ("lucky-15", {"F1", "F2"}),
        ("connect-15", {"F4"}),
    ],
)
def test_help_has_the_rules_of_a_sheet_file(game: str, rules: set[str]) -> None:
    """The command ? shows what differs from classic at this decision."""
    help_text = run(str(SHEETS / f"{game}.toml"), "--seed", "3", given="?\n").output.partition("The rules for this")[2]
    shown = set(re.findall(r"^ *([A-Z]+\d+) ", help_text, re.MULTILINE))
    assert shown & {"BP2", "CA2", "CB2", "DA2", "DA3", "DB2", "DB3", "XC2", "F1", "F2", "F4"} == rules


def test_pass_is_the_last_number(tmp_path: Path) -> None:
    """Bonus cells follow the cells of rows; a person who types 1 does not pass by accident."""
    path = tmp_path / "game.qwixx"
    played = run(str(SHEETS / "big-points.toml"), "--seed", "3", "--record", str(path), given="1\n1\n1\nlist\n4\n")
    assert played.output.count("  1 y8      2 g8      3 b8      4 ry8     5 pass\n") == 2
    assert "Player crosses a bonus cell: 8 in row ry." in played.output


def test_a_custom_sheet(tmp_path: Path) -> None:
    """A game on a sheet file is played, saved and resumed; the file may be named again."""
    sheet, path = tmp_path / "mine.toml", tmp_path / "mine.qwixx"
    sheet.write_text('id = "mine"\nlike = "classic"\nname = "Mine"\ntitle = "My own."\nprovenance = "A test."\n')
    assert "Mine: My own." in run(str(sheet), "--record", str(path), given="1\n").output
    assert "Mine: My own." in run("--resume", "--record", str(path), given="1\n").output
    assert "Mine: My own." in run(str(sheet), "--resume", "--record", str(path), given="1\n").output
    result = CliRunner().invoke(main, ["replay", str(path), "--variant", str(sheet)])
    assert result.exit_code == 0


def test_the_table_asks_the_game_for_everything() -> None:
    """The terminal contains no rule: it never uses the kernel directly."""
    sources = Path(str(table_module.__file__)).parents[1].rglob("*.py")
    lines = [line for source in sources for line in source.read_text().splitlines() if "kernel" in line]
    assert [line for line in lines if "import" in line] == []


# ---- the coach at the table


@pytest.mark.slow
def test_hints_and_the_review_of_a_game(data: Path) -> None:
    """A hint ranks choices and decides nothing; after the game there is its review, as `analyse` prints it."""
    hinted = run("classic", "--seed", "3", given="hint\nreview\n").output
    assert re.search(r"^1\. \S+  \d+\.\d %, ", hinted, re.MULTILINE)
    assert "The review comes after the game" in hinted
    before = kept(data).read_text()
    kept(data).unlink()
    run("classic", "--seed", "3", given="")
    assert kept(data).read_text() == before
    kept(data).unlink()
    output = run("classic", "--seed", "3", given="1\nreview\n" * 99).output  # in the game, too, where it comes later
    assert "Costliest decisions" in output[output.index("The game is over") :]
    assert "classic: chance to win" in output


def test_a_damaged_saved_game_is_named(data: Path) -> None:
    """A file that is no record is not resumed, and the sentence names it."""
    folder = data
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "broken.qwixx").write_text("junk")
    assert "broken.qwixx' cannot be read as a game" in run("--resume").stderr
