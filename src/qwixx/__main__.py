"""`python -m qwixx` is `qwixx`."""

from qwixx.cli import main

main()
