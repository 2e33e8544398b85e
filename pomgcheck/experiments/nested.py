"""Plays ``nested`` on arms of unknown mean in one interval, each with a test of its own (Theorem N on a net,
docs/bound.md).

The list has an entry for every arm and every point of a net of the interval, the largest means first.  All oracles have
a closed form: an arm's log-likelihood at q is s log q + (n - s) log(1 - q), and over the net it is largest at one of the
two points beside s/n.  Log-likelihoods are floats here; runs on a certificate (``pomgcheck run``) are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import asin, ceil, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pomgcheck.experiments.bandit import Instance, PlayedSeed, cumulative_rewards
from pomgcheck.experiments.closed_form import Floats, Ints, ProductBernoulli
from pomgcheck.kernel.nested import Nested
from pomgcheck.kernel.nets import Netted

SLACKS = (0.3, 0.6, 1.0, 1.5, 2.5, 4.0, 6.0)  # T log(1 + chi) of the nets that are compared
VARIANCE = Fraction(1, 4)  # E (reward - 1/2)^2
DELTA = Fraction(1, 100)  # as in the paper's experiments; the bound holds with probability 1 - 2 delta
ROUNDING = 1e-6  # far more than a log-likelihood of 10^6 episodes is rounded by
WINDOW, GROWTH, LARGEST = 32, 4, 2**12  # episodes looked at together: at first, how many times more then, at most


class ArmNet(NamedTuple):
    """The net has points of the interval (k,), ascending, the ends of their cells (k + 1,), and what the theorem says
    of the list."""

    points: Floats
    ends: Floats
    numbers: Netted

    def place(self, mean: float) -> int:
        """Return the point in whose cell a mean lies."""
        return int(np.clip(np.searchsorted(self.ends, mean, side="right") - 1, 0, len(self.points) - 1))

    def listed(self) -> Ints:
        """Return the entries arm * k + point in the order of the list: by mean in quanta, then by arm.

        The last arm comes first, as fresh arms do in the paper's experiments; with quanta the order is alternately
        down and up.
        """
        k, quantum = len(self.points), float(self.numbers.quantum)
        arm, point = np.divmod(np.arange(self.numbers.tests * k), k)
        if not quantum:
            return np.lexsort((-arm, -self.points[point]))
        bucket = np.ceil(self.points[point] / quantum).astype(np.int64)
        return np.lexsort((point, np.where(bucket % 2, arm, -arm), -bucket))


def net(arms: int, T: int, class_: ProductBernoulli, memory: int = 1) -> ArmNet:
    """Return the net whose bound at T is least; with a memory its list is in quanta, so that it changes policy less
    often.

    Cells are of equal length in 2 arcsin(sqrt(mean)), in which the Fisher information is 1; the points are their
    middles, from which both ends are equally far in chi square.
    """
    low, high = (asin(sqrt(x)) for x in class_)
    wide = Fraction(class_.upper) - Fraction(class_.lower)
    warm = (memory - 1) * (arms - 1) * float(wide)
    quantum = Fraction(f"{sqrt(warm / T):.6g}")
    found = []
    for slack in SLACKS:
        count = ceil((high - low) / sqrt(slack / T))
        inner = [Fraction(sin(low + (high - low) * i / count) ** 2).limit_denominator(10**9) for i in range(1, count)]
        ends = [Fraction(class_.lower), *inner, Fraction(class_.upper)]
        cells = [*zip(ends, ends[1:], strict=False)]
        chi = max(((b - a) / 2) ** 2 / ((a + b) / 2 * (1 - (a + b) / 2)) for a, b in cells)
        schedule = Nested(arms * count, DELTA, Fraction(1), memory, ())
        rounded = Fraction(ceil(chi * 10**12), 10**12)
        numbers = Netted(schedule, arms, rounded, (VARIANCE,) * arms, quantum, wide)
        points = np.array([float(a + b) / 2 for a, b in cells])
        found.append(ArmNet(points, np.array([float(x) for x in ends]), numbers))
    return min(found, key=lambda each: each.numbers.regret(T))


class ListWalk:
    """Runs of one list walk side by side: they have the data of every arm (runs, arms), and which entries have been
    refuted.

    ``lost`` says in which runs the point of some arm's own cell has been refuted; ``arm`` is what was deployed last.
    """

    def __init__(self, net: ArmNet, runs: int, means: Sequence[float]) -> None:
        numbers, k = net.numbers, len(net.points)
        self.net, self.order = net, net.listed()
        self.log = np.log(np.stack([1 - net.points, net.points]))  # of either reward, by point
        self.start, self.slope = float(numbers.start.high) + ROUNDING, float(numbers.slope.high)
        self.n, self.s = (np.zeros((runs, numbers.tests), dtype=np.int64) for _ in range(2))
        self.left = np.zeros((runs, numbers.tests, k), dtype=np.bool_)
        self.arm, self.lost = np.full(runs, -1), np.zeros(runs, dtype=np.bool_)
        self.truth = np.array([net.place(mean) for mean in means])

    def plan(self, runs: Ints) -> tuple[Ints, Ints]:
        """Return the first entry of each run that is left, as arms and points; an arm whose last point is refuted
        begins again."""
        last = self.arm[runs]
        if (last >= 0).all():  # all runs begin together
            n, s = self.n[runs, last], self.s[runs, last]
            L = (n - s)[:, None] * self.log[0] + s[:, None] * self.log[1]
            refuted = L.max(axis=1, keepdims=True) - L > (self.start + self.slope * n)[:, None]
            left = self.left[runs, last] | refuted
            self.lost[runs] |= left[np.arange(len(runs)), self.truth[last]]
            self.left[runs, last] = np.where(left.all(axis=1, keepdims=True), refuted, left)
        there = ~self.left[runs].reshape(len(runs), -1)[:, self.order]
        arm, point = np.divmod(self.order[there.argmax(axis=1)], len(self.net.points))
        return arm, point

    def refuted(
        self, runs: Ints, arm: Ints, point: Ints, rewards: Ints, at: Ints, most: Ints
    ) -> tuple[Ints, NDArray[np.bool_]]:
        """Return how many of the next ``most`` episodes are played until the entry is refuted, and whether it is then.

        ``rewards[at + k] - rewards[at]``: the sum of the next k rewards, each 0 or 1."""
        used, fired = most.copy(), np.zeros(len(runs), dtype=np.bool_)
        n, s = self.n[runs, arm], self.s[runs, arm] - rewards[at]
        begin, width, here = 0, WINDOW, np.flatnonzero(most > 0)
        while len(here):
            t = np.minimum(np.arange(begin + 1, begin + width + 1), most[here, None])
            count, wins = n[here, None] + t, s[here, None] + rewards[at[here, None] + t]
            lag = self.largest(count, wins) - self.likelihood(count, wins, point[here, None])
            over = lag > self.start + self.slope * count
            first = over.argmax(axis=1)
            hit = over[np.arange(len(here)), first]
            used[here[hit]], fired[here[hit]] = t[hit, first[hit]], True
            begin, width = begin + width, min(GROWTH * width, LARGEST)
            here = here[~hit & (most[here] > begin)]
        return used, fired

    def likelihood(self, n: Ints, s: Ints, point: Ints) -> Floats:
        """Return the log-likelihood of a point."""
        result: Floats = (n - s) * self.log[0][point] + s * self.log[1][point]
        return result

    def largest(self, n: Ints, s: Ints) -> Floats:
        """Return the largest log-likelihood over the net."""
        above = np.clip(np.searchsorted(self.net.points, s / n), 1, max(len(self.net.points) - 1, 1))
        below = np.minimum(above - 1, len(self.net.points) - 1)
        above = np.minimum(above, len(self.net.points) - 1)
        return np.maximum(self.likelihood(n, s, below), self.likelihood(n, s, above))

    def learn(self, runs: Ints, arm: Ints, used: Ints, wins: Ints) -> None:
        """Take in the episodes of an epoch."""
        self.n[runs, arm] += used
        self.s[runs, arm] += wins
        self.arm[runs] = arm


class Walked(NamedTuple):
    """This is what came of one seed, the entries deployed being its epochs, and whether every arm kept the point of its
    cell."""

    played: PlayedSeed
    kept: bool


def play(instance: Instance, seeds: Sequence[int], class_: ProductBernoulli) -> list[Walked]:
    """Return every seed of one instance.

    A warm-up comes before each run of one arm and counts towards T; its data do not count, and it costs what
    ``instance`` says.
    """
    d, R, T = len(instance.means), len(seeds), instance.T
    walk = ListWalk(net(d, T, class_, instance.memory), R, instance.means)
    rewards, starts = cumulative_rewards([instance], [np.random.default_rng(seed).random(T) for seed in seeds])
    warm: NDArray[np.int64] = np.zeros((R, d), dtype=np.int64)
    t, N, epochs, ended, changes = (np.zeros(R, dtype=np.int64) for _ in range(5))
    runs = np.arange(R)
    while len(runs):
        arm, point = walk.plan(runs)
        changed = arm != walk.arm[runs]
        skipped = np.where(changed, np.minimum(instance.memory - 1, T - t[runs]), 0)
        at = starts[runs, arm] + N[runs]
        used, fired = walk.refuted(runs, arm, point, rewards, at, T - t[runs] - skipped)
        walk.learn(runs, arm, used, rewards[at + used] - rewards[at])
        warm[runs, arm] += skipped
        N[runs] += used
        t[runs] += skipped + used
        epochs[runs] += 1
        ended[runs] += fired
        changes[runs] += changed
        runs = runs[t[runs] < T]
    walk.plan(np.arange(R))  # so that the data of the last epochs are heard
    return [
        Walked(PlayedSeed(int(e), int(f), int(c), tuple(n), tuple(w)), not lost)
        for e, f, n, w, c, lost in zip(
            epochs, ended, walk.n.tolist(), warm.tolist(), changes, walk.lost.tolist(), strict=True
        )
    ]
