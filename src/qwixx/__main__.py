"""`python -m qwixx` is `qwixx`."""

from qwixx.base.interrupts import exit_on_interrupt


def main() -> None:
    """Run a command; Ctrl-C ends it from the first moment on, while the rest of the program is still loaded."""
    exit_on_interrupt()
    from qwixx.cli import main as desk  # noqa: PLC0415 - see above

    desk()


if __name__ == "__main__":
    main()
