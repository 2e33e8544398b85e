"""Gives Algorithm 1's oracles in closed form on a product Bernoulli class: arms of unknown mean in one interval
(Section 4).

The maximum-likelihood estimate of an arm is its clipped mean, its optimistic value the KL upper confidence value, and
a promise is refuted when the arm's own data are too unlikely under it.  An arm is given by its episodes ``n`` and the
sum ``s`` of its rewards; everything is done for many runs at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Thresholds = Callable[[Ints, Ints], Floats]  # (run, episode of the epoch) -> threshold; never decreasing in the episode

WINDOW, GROWTH = 2**10, 4  # episodes of the first window, and how much longer each next one is
SHORTEST = 64  # episodes of a stretch that is cleared together or looked at one by one
LENGTH = 1  # of a stretch, times the root of the window
ROUNDING = 1e-9  # far more than the evidence of a stretch is rounded by
TIE = 1e-10  # optimistic values so near are equal: a library's logarithm may differ in the last digit


def kl(p: Floats, q: Floats) -> Floats:
    """Return KL(Ber(p) || Ber(q)) for 0 < p, q < 1."""
    result: Floats = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    return result


class ProductBernoulli(NamedTuple):
    """The means lie in [lower, upper] with 0 < lower < upper < 1, the same interval for every arm."""

    lower: float
    upper: float

    def estimate(self, n: Ints, s: Floats | Ints) -> Floats:
        """Return the clipped mean of n > 0 episodes."""
        return np.clip(s / n, self.lower, self.upper)

    def evidence(self, n: Ints, s: Floats | Ints, mean: Floats) -> Floats:
        """Return max L - L(mean) of an arm's data: n kl(estimate, mean)."""
        return n * kl(self.estimate(n, s), mean)

    def optimistic(self, n: Ints, s: Floats | Ints, beta: Floats) -> Floats:
        """Return the largest q of the class with n kl(estimate, q) <= beta; it is ``upper`` where n = 0.

        Newton's method goes from the right: there the divergence is convex and increasing, so no step goes too far.
        """
        played = np.maximum(n, 1)
        p, room = self.estimate(played, s), beta / played
        q = np.full(p.shape, self.upper)
        open_ = (n > 0) & (kl(p, q) > room)
        p, room, x = p[open_], room[open_], q[open_]
        for _ in range(100):
            step = (kl(p, x) - room) * x * (1 - x) / (x - p)
            x = x - step
            if np.abs(step).max(initial=0.0) < TIE / 100:
                break
        q[open_] = x
        return q

    def choose(self, n: Ints, s: Floats | Ints, beta: Floats, fresh: Literal["first", "last"]) -> tuple[Ints, Floats]:
        """Return in each run (runs, arms) the arm of largest optimistic value, and that value, which is what the arm
        is promised.

        Ties go to an arm not played yet, the ``fresh`` one of them; then to the first arm.
        """
        q = self.optimistic(n, s, beta[:, None])
        arm = (q >= q.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
        unplayed = n == 0
        last = n.shape[1] - 1
        new = unplayed.argmax(axis=1) if fresh == "first" else last - unplayed[:, ::-1].argmax(axis=1)
        arm = np.where(unplayed.any(axis=1), new, arm)
        return arm, np.take_along_axis(q, arm[:, None], axis=1)[:, 0]

    def refuted(
        self,
        n: Ints,
        s: Floats | Ints,
        rewards: Ints,
        at: Ints,
        most: Ints,
        mean: Floats,
        thresholds: Thresholds,
        below: bool = False,
    ) -> Ints:
        """Return for each run the first episode k >= 1 of the next ``most`` after which its promise is refuted, or 0
        for none.

        ``rewards[at + k] - rewards[at]`` is the sum of the next k rewards, each 0 or 1, on top of ``n`` and ``s``. A
        promise is refuted when n kl(estimate, mean) > threshold; with ``below`` only if the estimate lies below the
        promise.

        Episodes are looked at in windows that grow, since most promises are refuted early. Within one, (n, s) stays
        during a stretch of episodes in the parallelogram between all successes first and all failures first. The
        evidence without clipping is convex there and no smaller; so where its corners stay below the threshold of the
        first episode, no episode of the stretch refutes.
        """
        base, result = s - rewards[at], np.zeros(len(n), dtype=np.int64)
        runs, begin, window = np.flatnonzero(most > 0), 0, WINDOW
        while len(runs):
            run, first, last = stretches(runs, begin, np.minimum(most[runs], begin + window))
            counts, sums = n[run] + np.stack([first, last]), base[run] + rewards[at[run] + np.stack([first, last])]
            wins = sums[1] - sums[0]
            corners = np.concatenate([counts, counts + np.stack([wins, -wins])]), np.concatenate([sums, sums[::-1]])
            possible = loose(*corners, mean[run]).max(axis=0) > thresholds(run, first + 1) - ROUNDING
            left = np.flatnonzero(possible)
            while len(left):
                owner, lead = np.unique(run[left], return_index=True)
                here = left[lead]
                steps = np.arange(1, int((last - first)[here].max()) + 1)
                t = np.minimum(first[here, None] + steps, last[here, None])
                count = n[owner, None] + t
                p = self.estimate(count, base[owner, None] + rewards[at[owner, None] + t])
                found = count * kl(p, mean[owner, None]) > thresholds(owner[:, None], t)
                if below:
                    found &= p < mean[owner, None]
                k = found.argmax(axis=1)[:, None]
                hit = np.take_along_axis(found, k, axis=1)[:, 0]
                result[owner] = np.where(hit, np.take_along_axis(t, k, axis=1)[:, 0], 0)
                left = np.delete(left, lead)
                left = left[result[run[left]] == 0]
            begin, window = begin + window, GROWTH * window
            runs = runs[(result[runs] == 0) & (most[runs] > begin)]
        return result


def stretches(runs: Ints, begin: int, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Return episodes begin + 1, ..., end of each run cut into stretches: run, episodes before it, and its last
    episode.

    The parallelogram adds about length^2/n to the evidence, which must stay small beside the threshold."""
    length = np.maximum(SHORTEST, (LENGTH * np.sqrt(end - begin)).astype(np.int64))
    parts = -(-(end - begin) // length)
    which = np.repeat(np.arange(len(runs)), parts)
    first = begin + length[which] * (np.arange(len(which)) - np.repeat(np.cumsum(parts) - parts, parts))
    return runs[which], first, np.minimum(first + length[which], end[which])


def loose(n: Ints, s: Floats | Ints, mean: Floats) -> Floats:
    """Return n KL(s/n || mean) without clipping; it is infinite where s/n is not a probability."""
    lost = n - s
    with np.errstate(divide="ignore", invalid="ignore"):
        hit = np.where(s > 0, s * np.log(s / (n * mean)), 0.0)
        missed = np.where(lost > 0, lost * np.log(lost / (n * (1 - mean))), 0.0)
    result: Floats = np.where((s < 0) | (lost < 0), np.inf, hit + missed)
    return result
