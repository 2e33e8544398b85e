"""The paper's three experiments, against the same as plain loops: how many times faster, draw for draw the same.

    python -m benchmarks.experiments

Every run of the three experiments once, seeds 0 to 19 (0 to 9 in the third); the target is 50 times, all together.
Processor time, the best of three of each, taken in turns: a busy machine then slows both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from benchmarks import experiments_reference as reference
from pomgcheck.experiments import corpus, digits, necessity, scaling
from pomgcheck.experiments.bandit import Instance, PlayedSeed, play
from pomgcheck.experiments.closed_form import ProductBernoulli

Result = TypeVar("Result")
Batches = list[tuple[list[Instance], bool]]
TURNS = 3
PAPERS = tuple(name for name in digits.NAMES if name != "nested")  # the algorithms that the paper runs
SEEDS, CLASS = range(20), ProductBernoulli(1 / 8, 7 / 8)


def batches() -> tuple[Batches, Batches]:
    """Every instance of Experiment 1 and of 2, those of one number of arms together, and whether the test is on."""
    hard = [([necessity.instance(T)], test) for T in necessity.HORIZONS for test in (True, False)]
    eight = [scaling.shrinking(8, T) for T in scaling.HORIZONS] + [scaling.remembering(m) for m in scaling.MEMORIES]
    return hard, [(eight, True), *(([scaling.shrinking(d, scaling.T_FIXED)], True) for d in scaling.ARMS)]


def digits_quickly() -> list[list[float]]:
    """The third experiment's regret curves, algorithm by algorithm and seed by seed, as the program runs them."""
    digits.randoms.cache_clear()
    found = digits.curves(0, range(10))
    return [run.tolist() for name in PAPERS for run in found[name]]


def digits_plainly() -> list[list[float]]:
    """The same one episode at a time."""
    accuracy = corpus.game(0).accuracy.tolist()
    return [reference.digits(name, digits.T, seed, accuracy)[1] for name in PAPERS for seed in range(10)]


def bandits_quickly(batches: Batches) -> list[list[list[PlayedSeed]]]:
    """Runs of the first two experiments, as the program makes them."""
    return [play(group, SEEDS, necessity.radius(len(group[0].means)), CLASS, test) for group, test in batches]


def bandits_plainly(batches: Batches) -> list[list[list[PlayedSeed]]]:
    """The same one episode at a time."""
    found = []
    for group, test in batches:
        runs = [
            [reference.bandit(one.T, one.means, seed, test, one.memory, one.transient) for seed in SEEDS]
            for one in group
        ]
        found.append([[PlayedSeed(a, b, c, tuple(n), tuple(w)) for a, b, c, n, w, _ in seeds] for seeds in runs])
    return found


def close(one: list[list[float]], other: list[list[float]]) -> bool:
    """Whether regret curves agree: their sums are taken in another order."""
    return all(np.allclose(x, y, rtol=0, atol=1e-6) for x, y in zip(one, other, strict=True))


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds of processor time, and what came of them."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def in_turns(quickly: Callable[[], Result], plainly: Callable[[], Result]) -> tuple[float, float, Result, Result]:
    """The best times of both, and what came of each."""
    pairs = [(timed(quickly), timed(plainly)) for _ in range(TURNS)]
    (_, fast), (_, slow) = pairs[0]
    return min(quick for (quick, _), _ in pairs), min(long for _, (long, _) in pairs), fast, slow


def main() -> None:
    """Print the times of each experiment and of all three, and whether the results agree."""
    corpus.game(0)  # the corpus is read once, for both
    necessities, scalings = batches()
    rows = []
    for name, group in (("necessity", necessities), ("scaling", scalings)):
        quick, long, fast, slow = in_turns(partial(bandits_quickly, group), partial(bandits_plainly, group))
        rows.append((name, quick, long, fast == slow))
    quick, long, curves, loops = in_turns(digits_quickly, digits_plainly)
    rows.append(("digits", quick, long, close(curves, loops)))
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows), all(row[3] for row in rows)))
    print(f"{'experiment':12}{'vectorised':>12}{'plain loops':>13}{'times':>7}  draw for draw")
    for name, quick, long, same in rows:
        print(f"{name:12}{quick:10.3f} s{long:11.2f} s{long / quick:7.0f}  {'the same' if same else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
