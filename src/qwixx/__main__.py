"""`python -m qwixx` is `qwixx`."""

from qwixx.interrupts import leave_at_once


def main() -> None:
    """Run a command; Ctrl-C ends it from the first moment on, while the rest of the program is still loaded."""
    leave_at_once()
    from qwixx.cli import main as desk  # noqa: PLC0415 - see above

    desk()


if __name__ == "__main__":
    main()
