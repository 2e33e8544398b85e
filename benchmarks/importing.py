"""Importing: a POMDP file of 60 states, 5 actions and 21 observations, written in full, row by row and entry by entry.

``read`` is the file as a process, every row checked; ``class`` is the model class with constant policies as well.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from pomgcheck.importers import Choices, imported
from pomgcheck.importers.cassandra import process
from pomgcheck.importers.rows import RowRepair

STATES, ACTIONS, OBSERVATIONS = 60, 5, 21


def text(
    dense: bool, entries: bool, states: int = STATES, actions: int = ACTIONS, observations: int = OBSERVATIONS
) -> str:
    """A corridor: moves go a few rooms on (or anywhere, ``dense``), what is seen is the room modulo 21, blurred."""
    lines = [
        "discount: 0.95",
        "values: reward",
        f"states: {states}",
        f"actions: {actions}",
        f"observations: {observations}",
        "start: uniform",
    ]
    for a in range(actions):
        for s in range(states):
            moves = weights(states, {(s + a) % states: 70, (s + a + 1) % states: 30}, 1 if dense else 0)
            sights = weights(observations, {s % observations: 80, (s + 1) % observations: 20}, 1 if dense else 0)
            for keyword, row in (("T", moves), ("O", sights)):
                lines += rows(f"{keyword}: {a} : {s}", row, entries)
    lines += [f"R: {a} : * : {s} : * {a}.5" for a in range(actions) for s in range(0, states, 7)]
    return "\n".join(lines) + "\n"


def weights(size: int, main: dict[int, int], least: int) -> list[str]:
    """A row of exact decimals: the main outcomes share what the others, ``least`` thousandths each, leave."""
    row = [0 if k in main else least for k in range(size)]
    left = 1000 - sum(row)
    first, second = main
    row[first], row[second] = left - left * main[second] // 100, left * main[second] // 100
    return [f"0.{k:03}" if k < 1000 else "1.0" for k in row]


def rows(head: str, row: list[str], entries: bool) -> Iterator[str]:
    """A row in one statement, or a statement an entry."""
    if entries:
        yield from (f"{head} : {k} {value}" for k, value in enumerate(row))
    else:
        yield f"{head}\n{' '.join(row)}"


def main() -> None:
    """Print the table: statements, seconds to read, seconds to a class."""
    print(f"{'':24}{'bytes':>10}{'read':>9}{'class':>9}")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "corridor.pomdp"
        for dense in (False, True):
            for entries in (False, True):
                path.write_text(text(dense, entries))
                begin = time.perf_counter()
                process(path, RowRepair(None))
                read = time.perf_counter() - begin
                made = "-"
                if not dense:
                    begin = time.perf_counter()
                    imported(path, Choices(policies="routing"))
                    made = f"{time.perf_counter() - begin:.2f}s"
                name = f"{'dense' if dense else 'sparse'}, {'entries' if entries else 'rows'}"
                print(f"{name:24}{path.stat().st_size:>10,}{read:8.2f}s{made:>9}")


if __name__ == "__main__":
    main()
