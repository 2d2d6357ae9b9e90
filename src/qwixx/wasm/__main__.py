"""
`python -m qwixx.wasm FOLDER [NAME ...]` builds the WebAssembly modules from this repository.

Without names it builds all of them. One process for each takes less time on two cores.
"""

from __future__ import annotations

import gc
import sys
from argparse import ArgumentParser
from pathlib import Path

from qwixx.base.atomic_files import write_atomically
from qwixx.errors import QwixxError
from qwixx.wasm.source_key import MODULES
from qwixx.wasm.toolchain import check_versions


def main() -> None:
    """Write the modules to the given folder."""
    gc.disable()  # the compiler keeps most of what it allocates: collecting takes a tenth of its time
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="name")
    given = parser.parse_args()
    if not set(given.names) <= set(MODULES):
        parser.error(f"the modules are {', '.join(MODULES)}")
    root = Path(__file__).parents[3]
    try:
        check_versions(root)
        from qwixx.wasm.build import build_modules  # noqa: PLC0415 - loads the compiler, which may not be installed

        for name, module in build_modules(root, given.names or MODULES).items():
            write_atomically(given.folder / f"{name}.wasm", [module])
    except QwixxError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
