"""`python -m qwixx.browser FILE` makes the module, from the repository that it is run in."""

from __future__ import annotations

import sys
from pathlib import Path

from qwixx.browser.versions import check_versions
from qwixx.errors import QwixxError
from qwixx.files import write_whole


def main() -> None:
    """Write the module to the file that is named."""
    root = Path(__file__).parents[3]
    try:
        check_versions(root)
        from qwixx.browser.build import make_module  # noqa: PLC0415 - loads the compiler, which may not be there

        write_whole(Path(sys.argv[1]), [make_module(root)])
    except QwixxError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
