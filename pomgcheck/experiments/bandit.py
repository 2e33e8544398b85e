"""Plays Experiments 1 and 2: Algorithm 1 on the embedded bandit (Section 4), whose oracles have a closed form.

A run reads one uniform per data episode, U = numpy.random.default_rng(seed).random(T), reward 1[U < mean].  All runs of
one number of arms go epoch by epoch together, and an epoch is found from cumulative sums of its rewards, not episode
by episode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np

from pomgcheck.experiments.closed_form import Floats, Ints, ProductBernoulli


@dataclass(frozen=True)
class BanditRadius:
    """The radius is beta(N, e) = c (dimension ln(width/eps) + ln(2e^2/delta) + floor), where eps = 2^-ceil(log2(N+2)).

    The test's threshold is 2 beta + tolerance with N the episodes so far; with ``running`` it has Algorithm 1's own
    budget delta_e/(2t(t+1)) after t episodes of the epoch, instead of delta_e.
    """

    dimension: int
    width: float
    delta: float
    c: float = 1.0
    running: bool = False
    tolerance: float = 0.0

    def beta(self, e: int, N: Ints, floor: Floats) -> Floats:
        """Return the radius at the start of epoch e with N data episodes."""
        bits = np.frexp((N + 1).astype(np.float64))[1]  # ceil(log2(N + 2))
        fixed = self.dimension * log(self.width) + log(2 * e * e / self.delta)
        result: Floats = (self.c * self.dimension * log(2)) * bits + self.c * (fixed + floor)
        return result

    def threshold(self, e: int, N: Ints, t: Ints, floor: Floats) -> Floats:
        """Return what the evidence must exceed after t episodes of epoch e, which began with N data episodes."""
        budget = self.c * np.log(2.0 * t * (t + 1)) if self.running else 0.0
        return 2 * (self.beta(e, N + t, floor) + budget) + self.tolerance


class Instance(NamedTuple):
    """A problem has the horizon T, the means of the arms, the opponent's memory m, and what a warm-up episode costs
    beside the arm's own gap."""

    T: int
    means: tuple[float, ...]
    memory: int = 1
    transient: float = 0.0

    def gaps(self) -> Floats:
        """Return how much each arm loses in an episode."""
        return max(self.means) - np.array(self.means)


class PlayedSeed(NamedTuple):
    """This is what came of one seed: the epochs started, those that the test ended, how many of them played another arm
    than the one before, and the data and warm-up episodes of each arm."""

    epochs: int
    terminations: int
    changes: int
    episodes: tuple[int, ...]
    warmup: tuple[int, ...]

    def regret(self, instance: Instance) -> float:
        """Return the policy regret of all T episodes."""
        return float(instance.gaps() @ np.array(self.episodes)) + self.warmup_regret(instance)

    def warmup_regret(self, instance: Instance) -> float:
        """Return the part of it paid in warm-up episodes."""
        return float((instance.gaps() + instance.transient) @ np.array(self.warmup))


def cumulative_rewards(instances: Sequence[Instance], uniforms: Sequence[Floats]) -> tuple[Ints, Ints]:
    """Return the cumulative rewards of every mean met, end to end, and where those of (instance and seed, arm) begin."""
    longest: dict[float, int] = {}
    for instance in instances:
        for mean in instance.means:
            longest[mean] = max(instance.T, longest.get(mean, 0))
    sums, begin, at = np.zeros(len(uniforms) * sum(T + 1 for T in longest.values()), dtype=np.int64), {}, 0
    for k, U in enumerate(uniforms):
        for mean, T in longest.items():
            begin[k, mean] = at
            np.cumsum(U[:T] < mean, out=sums[at + 1 : at + T + 1])
            at += T + 1
    starts = [[begin[k, mean] for mean in instance.means] for instance in instances for k in range(len(uniforms))]
    return sums, np.array(starts)


def play(
    instances: Sequence[Instance], seeds: Sequence[int], radius: BanditRadius, arms: ProductBernoulli, test: bool = True
) -> list[list[PlayedSeed]]:
    """Return every seed of every instance, all of them with the same number of arms; warm-up counts towards T."""
    d, R = len(instances[0].means), len(instances) * len(seeds)
    longest = max(instance.T for instance in instances)
    uniforms = [np.random.default_rng(seed).random(longest) for seed in seeds]
    rewards, starts = cumulative_rewards(instances, uniforms)
    T, memory = (np.repeat([x[k] for x in instances], len(seeds)) for k in (0, 2))
    n, s, warm = (np.zeros((R, d), dtype=np.int64) for _ in range(3))
    t, N, epochs, terminations, changes = (np.zeros(R, dtype=np.int64) for _ in range(5))
    e, active, deployed = 0, np.arange(R), np.full(R, -1)
    while len(active):
        e += 1
        floor, before = memory[active].astype(np.float64), N[active]
        arm, promised = arms.choose(n[active], s[active], radius.beta(e, before, floor), fresh="last")
        skipped = np.minimum(memory[active] - 1, T[active] - t[active])
        used = np.minimum(2**e, T[active] - t[active] - skipped)
        at = starts[active, arm] + before
        if test:

            def threshold(run: Ints, k: Ints, e: int = e, before: Ints = before, floor: Floats = floor) -> Floats:
                return radius.threshold(e, before[run], k, floor[run])

            stop = arms.refuted(n[active, arm], s[active, arm], rewards, at, used, promised, threshold)
            used = np.where(stop > 0, stop, used)
            terminations[active] += stop > 0
        warm[active, arm] += skipped
        n[active, arm] += used
        s[active, arm] += rewards[at + used] - rewards[at]
        N[active] += used
        t[active] += skipped + used
        epochs[active] += 1
        changes[active] += arm != deployed[active]
        deployed[active] = arm
        active = active[t[active] < T[active]]
    found = [
        PlayedSeed(int(a), int(b), int(c), tuple(plays), tuple(w))
        for a, b, c, plays, w in zip(epochs, terminations, changes, n.tolist(), warm.tolist(), strict=True)
    ]
    return [found[k : k + len(seeds)] for k in range(0, R, len(seeds))]
