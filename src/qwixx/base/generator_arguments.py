"""The command line of modules that generate files, `python -m MODULE FILE ...`: --help, and a check of arguments."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path


def parse_paths(description: str | None, *names: str, many: bool = False) -> list[Path]:
    """
    Return the paths that the command line gives, one for each name; with `many`, one or more for the last.

    Anything else ends the program with a usage line.
    """
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    for name in names:
        parser.add_argument(name, type=Path, nargs="+" if many and name == names[-1] else None)
    given = vars(parser.parse_args())
    found = [given[name] for name in names]
    return [*found[:-1], *found[-1]] if many else found
