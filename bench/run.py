"""
Run the benchmarks and write bench/results.md, with date, commit, machine and command.

    python bench/run.py [section ...]

Each section is a separate program that prints Markdown. Without names all sections run except `big`: it reads the
tables of the big sheets, and computes those that are not in the cache yet, which takes an hour of one core and 4 GB of
memory.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parent.parent
SECTIONS = {
    "start": ("The first minute", ["-m", "bench.start"]),
    "core": ("The kernel, decision by decision", ["-m", "bench.core"]),
    "bulk": ("The simulator", ["-m", "bench.bulk"]),
    "solve": ("Solving", ["bench/solve.py", "--fresh", "classic", "gemixxt-a", "gemixxt-b"]),
    "big": ("Big sheets", ["bench/solve.py", "longo:5/10", "longo:6/11", "longo:4/9", "bonus-a", "bonus-b"]),
}
ASKED_FOR = {"big"}
"""Run only if they are named."""


def _output_of(*command: str) -> str:
    """Return the output of a command, empty if it cannot be run."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def heading(names: list[str]) -> list[str]:
    """Write date, commit, machine and command."""
    commit = _output_of("git", "rev-parse", "--short", "HEAD") or "unknown"
    changed = " with changes" if _output_of("git", "status", "--porcelain", "--untracked-files=no") else ""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return [
        "# Benchmarks",
        "",
        "Written by `make bench`; do not edit.",
        "",
        f"- Date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"- Commit: {commit}{changed}",
        f"- Machine: {processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        f"- Load when it began: {load:.1f}",
        f"- Command: `python bench/run.py {' '.join(names)}`",
    ]


def main() -> None:
    """Run the requested sections, or the usual ones."""
    names = sys.argv[1:] or [name for name in SECTIONS if name not in ASKED_FOR]
    if unknown := [name for name in names if name not in SECTIONS]:
        raise SystemExit(f"There is no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}.")
    lines = heading(names)
    environment = {**os.environ, "QWIXX_JIT": "now"}  # measure compiled code from the first call on
    for name in names:
        title, command = SECTIONS[name]
        print(f"{title} ...", flush=True)
        result = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        printed = (
            result.stdout.strip() if result.returncode == 0 else f"This did not work:\n\n    {result.stderr[-500:]}"
        )
        lines += ["", f"## {title}", "", f"`python {' '.join(command)}`", "", printed]
    target = ROOT / "bench" / "results.md"
    target.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"Written to {target.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
