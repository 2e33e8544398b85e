"""A sweep of 15 x 15 points of patrol, in one process and in two: the whole command, as a user types it.

    python -m benchmarks.sweep [--points 15]

Targets: at most 2 minutes on two cores, at least 1.7 times faster with ``--jobs 2`` than with 1, and the same bytes.
Both need two cores that nothing else is using.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.learner import timed


def command(points: int, jobs: int, path: Path) -> None:
    """``pomgcheck sweep`` in a process of its own; every class of the grid is certified but those at deterrence 2."""
    ranges = (f"noise=1/20:9/20:{points}", f"deterrence=0:5/2:{points}")
    words = ["sweep", "patrol", *(f"--vary={text}" for text in ranges), f"--jobs={jobs}", f"--output={path}"]
    subprocess.run([sys.executable, "-m", "pomgcheck", *words], check=True, stdout=subprocess.DEVNULL)


def main(points: int = 15) -> None:
    """Print the table."""
    with TemporaryDirectory() as folder:
        files = {jobs: Path(folder) / f"{jobs}.sweep.json" for jobs in (2, 1)}
        seconds = {}
        for jobs, path in files.items():
            label = f"pomgcheck sweep patrol, {points * points} points, --jobs {jobs}"
            seconds[jobs], _ = timed(label, partial(command, points, jobs, path))
        assert files[1].read_bytes() == files[2].read_bytes()
    print(f"    the same bytes; --jobs 2 is {seconds[1] / seconds[2]:.2f} times faster")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=15, help="on each of the two axes")
    main(parser.parse_args().points)
