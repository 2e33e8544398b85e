"""Tabular Q-learning in an environment of the gallery, and its policy regret beside the certified learner's.

``python -m examples.q_learning --episodes 5000 --seeds 3 --plot q-learning.svg``

Q-learning announces the epsilon-greedy policy it is about to play and changes it between episodes only, so that its
policy regret is that of the sequence of these policies.  It warms nothing up: every episode is a data episode, and what
the adversary still does to an earlier policy is part of what it learns from and pays for.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

import pomgcheck
from pomgcheck.environments import LearnerSide
from pomgcheck.learner.regret import grid, mean, two_se

EXPLORES = Fraction(1, 10)  # epsilon
RATE = 0.1  # of learning


class Curve(NamedTuple):
    """Policy regret by the data episodes of ``times``, one row a seed; and that of the warm-up, one entry a seed."""

    name: str
    times: Sequence[int]
    regret: list[list[Fraction]]
    warmup: list[Fraction]


def epsilon_greedy(Q: Sequence[NDArray[np.float64]]) -> list[list[list[Fraction]]]:
    """The policy [h][row][a] that explores with probability epsilon, uniformly, and is greedy otherwise."""
    table = []
    for values in Q:
        actions = values.shape[1]
        rows = [[EXPLORES / actions] * actions for _ in values]
        for row, best in zip(rows, values.argmax(axis=1), strict=True):
            row[best] += 1 - EXPLORES
        table.append(rows)
    return table


def q_learning(env: gymnasium.Env[Any, Any], episodes: int, seed: int) -> list[list[list[list[Fraction]]]]:
    """The policies that Q-learning played, one an episode."""
    inside = env.unwrapped
    assert isinstance(inside, LearnerSide)
    draws = np.random.default_rng([seed, 1])  # apart from the world's
    Q = [
        np.full((len(table), len(inside.game.A)), float(inside.game.H - h))  # optimistic
        for h, table in enumerate(inside.game.policies[0])
    ]
    played = []
    for episode in range(episodes):
        policy = epsilon_greedy(Q)
        _, info = env.reset(seed=seed if episode == 0 else None, options={"policy": policy})
        steps: list[tuple[int, int, float]] = []
        over = False
        while not over:
            row = info["row"]
            a = int(draws.choice(len(inside.game.A), p=[float(p) for p in policy[len(steps)][row]]))
            _, reward, over, _, info = env.step(a)
            steps.append((row, a, float(reward)))
        for h, (row, a, reward) in enumerate(steps):
            after = Q[h + 1][steps[h + 1][0]].max() if h + 1 < len(steps) else 0.0
            Q[h][row, a] += RATE * (reward + after - Q[h][row, a])
        played.append(policy)
    return played


def curves(certificate: Path, episodes: int, seeds: int) -> list[Curve]:
    """Q-learning, and the certified learner with practical constants, on the same class and seeds."""
    times = grid(episodes)
    learned = []
    for seed in range(seeds):
        env = gymnasium.make("pomgcheck/Model-v0", model=certificate)
        found = pomgcheck.policy_regret(certificate, q_learning(env, episodes, seed)).cumulative()
        learned.append([found[t - 1] for t in times])
    certified = pomgcheck.run(certificate, episodes=episodes, seeds=seeds, constants="practical").runs["epoch-omle"]
    theirs = [[Fraction(value) for value in seed["regret"]] for seed in certified["seeds"]]
    warmup = [Fraction(seed["warmup_regret"]) for seed in certified["seeds"]]
    return [Curve("Q-learning", times, learned, [Fraction(0)] * seeds), Curve("epoch-omle", times, theirs, warmup)]


def table(found: Sequence[Curve]) -> str:
    """Policy regret at a few times and of the warm-up, mean and twice the standard error over seeds."""
    times = found[0].times
    shown = sorted({max(k for k, t in enumerate(times) if t <= times[-1] // part) for part in (16, 4, 1)})
    head = ["Policy regret", *(f"t = {times[k]:,}" for k in shown), "warm-up"]
    rows = [
        [curve.name, *(spread([seed[k] for seed in curve.regret]) for k in shown), spread(curve.warmup)]
        for curve in found
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in (head, *rows)]
    return "\n".join("  ".join(line).rstrip() for line in lines)


def spread(values: Sequence[Fraction]) -> str:
    """``mean ± two standard errors``."""
    error = two_se(values)
    return f"{float(mean(values)):.1f}" + (f" ± {float(error):.1f}" if error else "")


def plot(found: Sequence[Curve], path: Path) -> None:
    """Mean policy regret of the data episodes, with its band; below zero where policies outside Pi do better."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    for curve in found:
        centre = np.array([float(mean(values)) for values in zip(*curve.regret, strict=True)])
        width = np.array([float(two_se(values) or 0) for values in zip(*curve.regret, strict=True)])
        axes.plot(curve.times, centre, label=curve.name)
        axes.fill_between(curve.times, centre - width, centre + width, alpha=0.2)
    axes.set(xscale="log", xlabel="data episodes", ylabel="policy regret")
    axes.legend()
    figure.savefig(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, print the table, and plot."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--certificate", type=Path, default=Path("certificates/tiger.cert.json"))
    parser.add_argument("--episodes", type=int, default=5000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args(arguments)
    found = curves(options.certificate, options.episodes, options.seeds)
    print(table(found))
    if options.plot is not None:
        plot(found, options.plot)


if __name__ == "__main__":
    main()
