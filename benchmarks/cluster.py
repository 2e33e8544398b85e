"""Efficiency of two workers of a Dask cluster against one, by the clock on the wall: a sweep, and blocks of pairs of models.

    python -m benchmarks.cluster [--points 12] [--worlds 128] [--blocks 32]

Target: at least 80 % (one worker takes 1.6 times as long as two), and the same results.  It needs two cores that nothing
else is using; the machine's load is printed beside.  Starting a cluster is not counted, nor that a worker imports the
program, but what a worker has to make of the class is.  A block is the exact comparison of some models with all others
under one policy (Assumption 3.1(e)); a certificate itself shares its groups of claims.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.scale import rows_at_random
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.walk import COARSE
from pomgcheck.loading import load
from pomgcheck.processes import cluster, shared
from pomgcheck.search.play import played
from pomgcheck.search.sweep import sweep


@lru_cache(maxsize=1)
def play(document: str) -> Play:
    """What the first policy of a class sees, made once in every process."""
    return played(load(json.loads(document)).game, "window", 10_000_000)[0]


@dataclass(frozen=True)
class Compared:
    """The comparison of a block of models with all others: lower ends of KL and upper ones of Delta."""

    document: str

    def __call__(self, *block: int) -> list[tuple[int, int]]:
        """For every pair whose first model is one of the block, by number."""
        seen = play(self.document)
        return [
            (seen.divergence(x, y, COARSE)[0], seen.squares(x, y, COARSE)[1])
            for x in (seen.models[n] for n in block)
            for y in seen.models
        ]


def blocks(worlds: int, count: int, folder: Path) -> bytes:
    """Compare ``2 count`` models of a class of so many worlds with all of them, a few at a time."""
    document = json.dumps(rows_at_random(worlds=worlds, own=True))
    found = shared(Compared(document), ((2 * n, 2 * n + 1) for n in range(count)), 1, ordered=True)
    return json.dumps(list(found)).encode()


def grid(points: int, folder: Path) -> bytes:
    """Certify ``patrol`` at points x points of its knobs."""
    path = folder / "patrol.sweep.json"
    sweep(load("patrol"), {"noise": ("1/20", "9/20", points), "deterrence": ("0", "5/2", points)}, path)
    return path.read_bytes()


def imported(number: int) -> int:
    """Nothing but what a worker imports to do it."""
    return number


def measured(label: str, work: Callable[[Path], bytes]) -> None:
    """Print the seconds of one worker and of two, and the efficiency."""
    seconds, results = dict[int, float](), set[bytes]()
    for workers in (2, 1):
        with TemporaryDirectory() as folder, cluster(f"local:{workers}"):
            list(shared(imported, ((n,) for n in range(4 * workers)), 1))
            start = time.perf_counter()
            results.add(work(Path(folder)))
            seconds[workers] = time.perf_counter() - start
    assert len(results) == 1
    load_now = os.getloadavg()[0]
    print(
        f"{label:44}{seconds[1]:8.1f} s with 1 worker, {seconds[2]:6.1f} s with 2: "
        f"{seconds[1] / seconds[2] / 2:.0%}; load {load_now:.1f}",
        flush=True,
    )


def main(points: int = 12, worlds: int = 128, count: int = 32) -> None:
    """Print the table."""
    measured(f"sweep of patrol, {points * points} points", partial(grid, points))
    measured(f"{count} blocks of pairs, |Θ| = {worlds}", partial(blocks, worlds, count))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--points", type=int, default=12, help="on each of the two axes")
    parser.add_argument("--worlds", type=int, default=128)
    parser.add_argument("--blocks", type=int, default=32, help="of two models each")
    given = parser.parse_args()
    from benchmarks.cluster import main as run  # workers find what they do by the name of its module

    run(given.points, given.worlds, given.blocks)
