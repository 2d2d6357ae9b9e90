"""The progress bar of long commands, on stderr: only in a terminal, and gone at the end."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn


def progress_bar(notes: Console, label: str, *columns: ProgressColumn, redirect_stdout: bool = True) -> Progress:
    """Return a bar with a label, the number of steps done, and more columns."""
    return Progress(
        TextColumn(label),
        BarColumn(),
        MofNCompleteColumn(),
        *columns,
        console=notes,
        redirect_stdout=redirect_stdout,
        transient=True,
        disable=not notes.is_terminal,
    )
