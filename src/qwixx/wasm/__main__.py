"""
`python -m qwixx.wasm FOLDER [NAME ...]` builds the WebAssembly modules from this repository.

Without names it builds all of them. One process for each is faster: they share little code.
"""

from __future__ import annotations

import sys
from pathlib import Path

from qwixx.base.atomic_files import write_atomically
from qwixx.errors import QwixxError
from qwixx.wasm.source_key import MODULES
from qwixx.wasm.toolchain import check_versions


def main() -> None:
    """Write the modules to the given folder."""
    root, folder, names = Path(__file__).parents[3], Path(sys.argv[1]), sys.argv[2:]
    try:
        check_versions(root)
        from qwixx.wasm.build import build_modules  # noqa: PLC0415 - loads the compiler, which may not be installed

        for name, module in build_modules(root, names or MODULES).items():
            write_atomically(folder / f"{name}.wasm", [module])
    except QwixxError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
