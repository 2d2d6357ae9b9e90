"""`python -m qwixx.browser FOLDER` makes the modules, from the repository that it is run in."""

from __future__ import annotations

import sys
from pathlib import Path

from qwixx.browser.versions import check_versions
from qwixx.errors import QwixxError
from qwixx.files import write_whole


def main() -> None:
    """Write the modules to the folder that is named."""
    root, folder = Path(__file__).parents[3], Path(sys.argv[1])
    try:
        check_versions(root)
        from qwixx.browser.build import make_modules  # noqa: PLC0415 - loads the compiler, which may not be there

        for name, module in make_modules(root).items():
            write_whole(folder / f"{name}.wasm", [module])
    except QwixxError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
