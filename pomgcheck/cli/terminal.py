"""Writes to the terminal: in its width, with colours and progress bars where there is one, and with solvers kept off
stdout."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.table import Table

PIPED, WIDEST, READING = 124, 140, 100  # columns: when piped; at most; for sentences

STYLES = {
    "proved": "green",
    "certified": "bold green",
    "refuted": "bold red",
    "not certified": "bold red",
    "unknown": "yellow",
    "declared": "yellow",
    "vacuous": "cyan",
    "heading": "bold",
    "strong": "bold",
    "code": "cyan",
    "label": "magenta",
}
CODES = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}  # ANSI

Advance = Callable[[str, int, int], None]  # what, done, in all (0: not known)


def width() -> int:
    """Return how many columns there are to print on."""
    return min(shutil.get_terminal_size((PIPED, 24)).columns, WIDEST)


def coloured(stream: TextIO) -> bool:
    """Return whether colours are wanted there: a terminal that is not dumb, and no NO_COLOR."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def painter(stream: TextIO) -> Callable[[str, str], str]:
    """Return ``paint(role, words)`` for a stream: it colours words on a terminal and leaves them as they are
    elsewhere."""
    colours = coloured(stream)

    def paint(role: str, words: str) -> str:
        if not colours or role not in STYLES:
            return words
        return f"\x1b[{';'.join(CODES[word] for word in STYLES[role].split())}m{words}\x1b[0m"

    return paint


def bare_table(*titles: str) -> Table:
    """Return a table without lines."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title in titles:
        table.add_column(title)
    return table


def print_table(table: Table) -> None:
    """Print the table and an empty line, coloured where ``painter`` colours."""
    from rich.console import Console

    console = Console(width=width(), highlight=False, color_system="standard" if coloured(sys.stdout) else None)
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()), end="\n\n")


class Lines:
    """Progress is written as a log: one line where something new begins, and at most one per second about the same
    thing."""

    def __init__(self) -> None:
        self.start = self.told = monotonic()
        self.what = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        now = monotonic()
        if what == self.what and now < self.told + 1:
            return
        self.what, self.told = what, now
        count = f" {done:,}/{total:,}" if total else ""
        print(f"{now - self.start:8.1f} s  {what}{count}", file=sys.stderr, flush=True)


@contextmanager
def progress(what: str, lines: bool = False) -> Iterator[Advance | None]:
    """Show a bar on stderr while the block runs; where stderr is not a terminal, print lines if ``lines`` is set, else
    nothing."""
    if lines and not sys.stderr.isatty():
        yield Lines()
        return
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    words, count = TextColumn("{task.description}"), TextColumn("{task.fields[count]}")
    columns = SpinnerColumn(), words, BarColumn(), count, TimeRemainingColumn(elapsed_when_finished=True)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        number = bar.add_task(what, total=None, count="")
        (task,) = bar.tasks

        def advance(what: str, done: int, total: int) -> None:
            task.total = total or None  # ``update`` cannot say that a total is not known
            bar.update(number, description=what, completed=done, count=f"{done:,}/{total:,}" if total else "")

        yield advance


@contextmanager
def solvers_quiet() -> Iterator[None]:
    """Discard whatever compiled code writes to stdout while the block runs."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
