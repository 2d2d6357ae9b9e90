"""Bad input of every kind: typed errors with a sentence, never another exception, never half a move."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path
from random import Random

import pytest

import qwixx
from qwixx import Game, QwixxError
from support.games.mutate_text import mutate, noise
from support.games.random_games import SETTINGS, Setting, play_on, some_game, some_line
from support.games.small_sheets import SHORT_AND_MIXED, SMALL_CARDS

pytestmark = pytest.mark.slow

NAMES = qwixx.games()
EACH = [max((s for s in SETTINGS if s.variant == name), key=lambda s: s.seats == 3) for name in NAMES]
"""A setting of every game, with three seats where possible."""


def bad(texts: list[str], rng: Random) -> str:
    """Return a good text with mistakes, a mix of two, or noise."""
    kind = rng.random()
    if kind < 0.05:
        return noise(rng)
    if kind < 0.1:
        one, other = rng.choice(texts), rng.choice(texts)
        return one[: rng.randrange(len(one) + 1)] + other[rng.randrange(len(other) + 1) :]
    return mutate(rng.choice(texts), rng)


def refused(error: QwixxError, text: str = "") -> str:
    """Check that an error has a sentence of reasonable length, and that its position is inside the text."""
    assert str(error).strip()
    assert len(str(error)) < 20_000
    lines = text.count("\n") + len(text.splitlines()) + 1
    if isinstance(error, qwixx.PositionError):
        assert error.problems
    elif isinstance(error, qwixx.RecordError):
        assert 1 <= error.line <= text.count("\n") + 1
    elif isinstance(error, qwixx.SheetError):
        assert error.problems
        assert all(0 <= problem.line <= lines and problem.message for problem in error.problems)
    return type(error).__name__


@pytest.mark.parametrize("setting", EACH, ids=str)
def test_positions(setting: Setting) -> None:
    """A position line is refused with a `PositionError`, or it can be played to the end."""
    rng = Random(f"positions {setting}")
    lines = [some_game(setting, seed, 7 * seed, from_middle=seed % 2 > 0).position() for seed in range(12)]
    lines += [some_line(setting, rng) for _ in range(6)]
    found: Counter[str] = Counter()
    for _ in range(350):
        text = bad(lines, rng)
        try:
            game = Game.from_position(text, seed=1)
        except qwixx.PositionError as error:
            found[refused(error, text)] += 1
            continue
        found["accepted"] += 1
        assert Game.from_position(game.position()).position() == game.position(), text
        play_on(game, rng)
        assert game.is_over, text
        assert Game.from_record(game.record()).position() == game.position(), text
    assert found["PositionError"] > 100
    assert found["accepted"] > 10


@pytest.mark.parametrize("setting", EACH, ids=str)
def test_records(setting: Setting) -> None:
    """A record is refused with a `RecordError` that names one of its lines, or it is replayed."""
    rng = Random(f"records {setting}")
    records = [some_game(setting, seed, 25 * seed, from_middle=seed % 2 > 0).record() for seed in range(8)]
    found: Counter[str] = Counter()
    for _ in range(150):
        text = bad(records, rng)
        try:
            game = Game.from_record(text)
        except qwixx.RecordError as error:
            found[refused(error, text)] += 1
            continue
        found["accepted"] += 1
        assert Game.from_record(game.record()).record() == game.record()
    assert found["RecordError"] > 50
    assert found["accepted"] > 2


@pytest.mark.parametrize("setting", EACH, ids=str)
def test_actions(setting: Setting) -> None:
    """An invalid action, or one that this seat cannot take now, leaves the game unchanged, byte by byte."""
    rng = Random(f"actions {setting}")
    found: Counter[str] = Counter()
    others = ["pass", "r7", "A7", "y11>r", "take:1", "take:1,2,3", "play:r4,r5=r5", "play:j4=r4", "play:b2"]
    for seed in range(10):
        game = some_game(setting, seed, 9 * seed, from_middle=seed % 2 > 0)
        for _ in range(60):
            if game.is_over:
                break
            seat = rng.randrange(game.seats)
            texts = [action.text for action in game.legal(seat)] + others
            text = bad(texts, rng)
            before = (game._states.tobytes(), game.record(), game.events)
            try:
                reason = game.why_not(seat, text)
            except QwixxError:
                reason = None
            assert (game._states.tobytes(), game.record(), game.events) == before
            try:
                game.decide(seat, text)
            except QwixxError as error:
                found[refused(error)] += 1
                assert (game._states.tobytes(), game.record(), game.events) == before
            else:
                assert reason is None
                found["accepted"] += 1
            if rng.random() < 0.2:
                play_on(game, rng, 1)
    assert found["NotationError"] > 50
    assert found["NotYourTurn"] + found["IllegalAction"] > 50
    assert found["accepted"] > 2


@pytest.mark.parametrize("setting", EACH, ids=str)
def test_rolls_and_decks(setting: Setting) -> None:
    """Invalid dice and decks leave the game unchanged, byte by byte."""
    rng = Random(f"rolls {setting}")
    found: Counter[str] = Counter()
    for trial in range(240):
        game = some_game(setting, trial % 12, trial // 3, from_middle=trial % 2 > 0)
        if trial % 3:  # most often a roll is due; in the card games a deal, or a shuffle when the pile is empty
            while not game.is_over and not game.awaits_chance:
                play_on(game, rng, 1)
            if setting.is_cards and not game.awaits_chance:
                game = some_game(setting, trial, 0)
        texts = ["34/2615", "11/1-11", "88/8888", "r2,*"]
        if game.awaits_chance:
            good = game.copy()
            good.roll()
            texts += 4 * [good.record().splitlines()[-1].partition(" ")[2]]
        text = bad(texts, rng)
        before = (game._states.tobytes(), game.record(), game.events)
        try:
            game.set_roll(text)
        except QwixxError as error:
            found[refused(error)] += 1
            assert (game._states.tobytes(), game.record(), game.events) == before
        else:
            found["accepted"] += 1
    assert found["NotationError"] > 50
    assert found["NotYourTurn"] > 20
    assert found["IllegalAction"] > 0
    assert found["accepted"] > 2


def sheet_texts() -> list[str]:
    """Return the texts of all sheet files, under custom ids, and two more."""
    folder = resources.files("qwixx.variants").joinpath("sheets")
    texts = [folder.joinpath(f"{name}.toml").read_text("utf-8") for name in NAMES]
    mine = [text.replace('id = "', 'id = "my-', 1) for text in texts]
    return [*mine, *mine[1:], SHORT_AND_MIXED, SMALL_CARDS]


@pytest.mark.parametrize("block", range(4))
def test_sheets(block: int, tmp_path: Path) -> None:
    """A sheet file is refused with a `SheetError` that lists its errors, or it can be played to the end."""
    rng = Random(f"sheets {block}")
    texts = sheet_texts()
    path = tmp_path / "mine.toml"
    found: Counter[str] = Counter()
    for _ in range(250):
        text = bad(texts, rng)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            variant = qwixx.variant(path)
        except qwixx.SheetError as error:
            found[refused(error, text)] += 1
            continue
        found["accepted"] += 1
        game = play_on(Game(variant, rng.choice(variant.seats), seed=1), rng)
        assert game.is_over, text
        assert Game.from_position(game.position(), variant=variant).scores() == game.scores(), text
        assert Game.from_record(game.record(), variant=variant).record() == game.record(), text
    assert found["SheetError"] > 50
    assert found["accepted"] > 20


@pytest.mark.parametrize(
    "name", ["", "Classic", "../classic", "classic.toml", "\0.toml", "\ud800.toml", "a" * 5000 + ".toml", "/", ".toml"]
)
def test_names_of_games(name: str) -> None:
    """A name that is neither a game nor a file is refused with the list of games, or with the reason."""
    with pytest.raises(qwixx.UnknownVariant):
        Game(name)
    with pytest.raises(qwixx.PositionError):
        Game.from_position(f"{name} | - | -")
    with pytest.raises(qwixx.RecordError):
        Game.from_record(f"qwixx record 1\nvariant {name}\nseats 2\nfirst 0\n")
    with pytest.raises(QwixxError):
        Game("cards", sheet=name)
