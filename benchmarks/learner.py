"""Algorithm 1 on a synthetic class of 1,000 models, and ``nested`` on one of 10,000: how long each stage takes.

    python benchmarks/learner.py [--episodes 100000] [--seed 0] [--horizon 3]

The target is 2 seconds on one core for 10^5 episodes, exact values and likelihoods included.  The class is one more
patrol: 40 worlds (how readily an alarm starts, by the learner's and the adversary's move) times 25 responses, or 200
times 50.  Its truth is in the middle, so that ``nested`` has thousands of models to refute on its way.  The kernel's verification of a certificate is not part of this timing; a run through ``pomgcheck run`` pays for it once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from copy import copy
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Nested
from pomgcheck.learner.confidence import ConfidenceRadius
from pomgcheck.learner.epochs import Learner
from pomgcheck.learner.epochs import epochs as played
from pomgcheck.learner.nested import NestedLearner
from pomgcheck.learner.problem import LearningProblem

Result = TypeVar("Result")


def patrol(horizon: int = 3, worlds: int = 40, responses: int = 25) -> dict[str, Any]:
    """Two states, four policies, ``worlds`` x ``responses`` models: a canonical document."""

    def alarm(base: str) -> list[str]:
        return [f"1-({base}+x)", f"{base}+x"]

    def attack(weight: str) -> list[list[str]]:
        return [[f"1/2+{weight}*y", f"1/2-{weight}*y"]] * 2

    return {
        "format": "pomgcheck-model-class/1",
        "name": "patrol-1000",
        "game": {
            "horizon": horizon,
            "states": ["calm", "alarm"],
            "learner_actions": ["idle", "patrol"],
            "adversary_actions": ["wait", "attack"],
            "learner_observations": ["quiet", "noise"],
            "adversary_observations": ["dark", "lit"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": [str(Fraction(k, 5 * worlds)) for k in range(1, worlds + 1)]}},
            "initial": ["1/2", "1/2"],
            "transition": [
                [[alarm("1/10"), alarm("7/20")], [alarm("1/20"), alarm("3/10")]],
                [[alarm("1/2"), alarm("3/4")], [alarm("9/20"), alarm("7/10")]],
            ],
            "learner_emission": [["17/20", "3/20"], ["3/20", "17/20"]],
            "adversary_emission": [["7/10", "3/10"], ["3/10", "7/10"]],
        },
        "responses": {
            "memory": 2,
            "block_rule": "mean",
            "window": 1,
            "parameters": {"y": {"values": [str(Fraction(k, 2 * responses + 2)) for k in range(1, responses + 1)]}},
            "table": {"idle": attack("0"), "on-alarm": attack("1/2"), "on-calm": attack("1/2"), "patrol": attack("1")},
        },
        "policies": {
            "window": 1,
            "list": {
                "idle": [["1", "0"], ["1", "0"]],
                "on-alarm": [["1", "0"], ["0", "1"]],
                "on-calm": [["0", "1"], ["1", "0"]],
                "patrol": [["0", "1"], ["0", "1"]],
            },
        },
    }


def timed(label: str, action: Callable[[], Result]) -> tuple[float, Result]:
    """Run, print one row, and hand back the seconds of processor time and the result."""
    start = time.process_time()
    result = action()
    seconds = time.process_time() - start
    print(f"{label:<58}{seconds:>9.3f} s")
    return seconds, result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--horizon", type=int, default=3, help="2^H trajectories a policy")
    options = parser.parse_args()
    T = options.episodes
    _, game = timed("read the document (1,000 models)", lambda: Game(patrol(options.horizon)))
    tables, problem = timed("integer tables, exact values of 4 policies x 1,000", lambda: LearningProblem(game, 20, 12))
    increments = Fraction(100)  # stands for the certificate's B0_upper; only a constant of the test here
    models, m, delta = Fraction(problem.models), problem.m or 1, Fraction(1, 20)
    theory = ConfidenceRadius(Fraction(16), models, increments, m, delta)
    practical = ConfidenceRadius(Fraction(1), models, increments, m, delta, C_0=Fraction(0))
    eager = ConfidenceRadius(Fraction(1, 10), models, increments, m, delta, C_0=Fraction(0))
    for name, radius in (("theory", theory), ("practical", practical), ("eager (c = 1/10)", eager)):
        for algorithm in ("epoch-omle", "epoch-fixed"):
            fresh = copy(problem)  # without its likelihoods, so that every row pays for them
            work = partial(played, Learner(fresh, radius, options.seed, test=algorithm == "epoch-omle"), T)
            seconds, epochs = timed(f"{algorithm}, {name}: {T:,} episodes", work)
            fired = sum(epoch.ended == "test" for epoch in epochs)
            print(f"    {len(epochs)} epochs, {fired} ended by the test; with the tables {seconds + tables:.3f} s")
    print()
    _, game = timed("read the document (10,000 models)", lambda: Game(patrol(options.horizon, 200, 50)))
    tables, problem = timed(
        "integer tables, exact values of 4 policies x 10,000", lambda: LearningProblem(game, 100, 25)
    )
    numbers = Nested(problem.models, delta, Fraction(options.horizon - 1), m, ())
    seconds, walked = timed(f"nested: {T:,} episodes", lambda: played(NestedLearner(problem, numbers, options.seed), T))
    print(f"    {len(walked)} epochs; with the tables {seconds + tables:.3f} s")


if __name__ == "__main__":
    main()
