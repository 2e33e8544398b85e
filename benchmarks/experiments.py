"""The paper's three experiments, against the same as plain loops: how many times faster, draw for draw the same.

    python benchmarks/experiments.py

Every run of the three experiments once, seeds 0 to 19 (0 to 9 in the third); the target is 50 times.
Processor time, the best of three for the vectorised runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from benchmarks import experiments_reference as reference
from pomgcheck.experiments import corpus, digits, necessity, scaling
from pomgcheck.experiments.bandit import Instance, Played, play
from pomgcheck.learner.closed_form import ProductBernoulli

Result = TypeVar("Result")
SEEDS, CLASS = range(20), ProductBernoulli(1 / 8, 7 / 8)


def batches() -> list[tuple[list[Instance], bool]]:
    """Every instance of Experiments 1 and 2, those of one number of arms together, and whether the test is on."""
    hard = [([necessity.instance(T)], test) for T in necessity.HORIZONS for test in (True, False)]
    eight = [scaling.shrinking(8, T) for T in scaling.HORIZONS] + [scaling.remembering(m) for m in scaling.MEMORIES]
    return [*hard, (eight, True), *(([scaling.shrinking(d, scaling.T_FIXED)], True) for d in scaling.ARMS)]


def vectorised() -> tuple[list[list[list[Played]]], dict[str, list[np.ndarray]]]:
    """All of them, as the program runs them."""
    digits.randoms.cache_clear()
    found = [play(group, SEEDS, necessity.radius(len(group[0].means)), CLASS, test) for group, test in batches()]
    return found, digits.curves(0, range(10))


def plain() -> tuple[list[list[list[Played]]], dict[str, list[np.ndarray]]]:
    """All of them, one episode at a time."""
    found = []
    for group, test in batches():
        runs = [
            [reference.bandit(one.T, one.means, seed, test, one.memory, one.transient) for seed in SEEDS]
            for one in group
        ]
        found.append([[Played(a, b, tuple(n), tuple(w)) for a, b, n, w, _ in seeds] for seeds in runs])
    accuracy = corpus.game(0).accuracy.tolist()
    return found, {
        name: [np.array(reference.digits(name, digits.T, seed, accuracy)[1]) for seed in range(10)]
        for name in digits.NAMES
    }


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds of processor time, and what came of them."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def main() -> None:
    """Print both times, and whether the two agree."""
    corpus.game(0)  # the corpus is read once, for both
    quick, fast = min((timed(vectorised) for _ in range(3)), key=lambda pair: pair[0])
    long, slow = timed(plain)
    same = fast[0] == slow[0] and all(
        np.allclose(fast[1][name][seed], slow[1][name][seed], rtol=0, atol=1e-6)
        for name in digits.NAMES for seed in range(10)
    )  # fmt: skip
    print(f"vectorised {quick:.2f} s, plain loops {long:.2f} s: {long / quick:.0f} times; "
          f"{'the same' if same else 'DIFFERENT'} draw for draw")  # fmt: skip


if __name__ == "__main__":
    main()
