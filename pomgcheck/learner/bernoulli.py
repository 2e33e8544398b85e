"""Recognises a product of Bernoulli arms on a continuum in a model class, and gives Algorithm 1's oracles in closed
form.

A class is one if under each policy every trajectory has the probability c mu or c (1 - mu), the same mean mu in all of
them, the means lie in one interval, and the policy's value is the same increasing affine function of its mean.  The
policy is then an arm and each episode a success or a failure, and with s successes among n episodes

  max L - L(q) = s log(p/q) + (n - s) log((1-p)/(1-q)),   p = s/n clipped to the interval,

which decides the confidence set, the largest mean in it and the termination test.  All of it is exact: means are
multiples of 2^-32, and log-likelihoods are compared by the floor of their multiple of 2^-32.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pomgcheck.kernel.continua import Continuum
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.parameters import Point
from pomgcheck.kernel.polynomials import Polynomial, names, polynomial
from pomgcheck.learner.columns import Floats
from pomgcheck.learner.confidence import Scales, decimal, units
from pomgcheck.learner.likelihood import PRECISION, UNIT, Ints
from pomgcheck.learner.oracles import Chosen, Learned, Model, drawn
from pomgcheck.learner.planning import PolicyValues, Ties, choose

LADDER = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0)  # cells of the sampler's envelope, in widths of the peak
ROUNDING = 2.0**-44  # far more than a float log-likelihood of one episode is rounded by, for each unit of its size


class Arms(NamedTuple):
    """In these arms ``arm_of[p]`` is what policy p plays, ``wins[p]`` are its successful trajectories (o_1, a_1, ...,
    o_H, a_H), and V^pi = ``offset`` + ``gain`` x mean. All means lie in [low, high]."""

    names: tuple[str, ...]
    low: Fraction
    high: Fraction
    arm_of: tuple[int, ...]
    wins: tuple[frozenset[tuple[int, ...]], ...]
    offset: Fraction
    gain: Fraction

    @property
    def scales(self) -> Scales:
        """Return log N(eps): so many means suffice that log mu and log(1 - mu) are within eps of those of any other,
        arm by arm."""
        return Scales(len(self.names), (self.high - self.low) / (2 * min(self.low, 1 - self.high)))


def arms_of(game: Game) -> Arms | None:
    """Return the class as Bernoulli arms, or ``None`` if it is not one; its laws of play, as polynomials, decide."""
    worlds = game.document["worlds"]
    ends = {
        tuple(map(Fraction, axis["interval"])) if "interval" in axis else ()
        for axis in worlds.get("parameters", {}).values()
    }
    if len(ends) != 1 or worlds.get("constraints") or game.phis is None or len(game.phis) != 1:
        return None
    low, high = ends.pop() or (Fraction(0), Fraction(0))
    if not 0 < low < high < 1:
        return None
    whole = game.learner_window is None or game.adversary_window is None
    played = [
        outcomes(game, ((tau, weight, law[0, 0]) for tau, (weight, law) in laws.items()))
        for laws in Continuum(game, Space(game, "history" if whole else "window")).laws
    ]
    axes = tuple(sorted(worlds["parameters"]))
    found = [policy for policy in played if policy is not None]
    if len(found) < len(played) or len({policy.value for policy in found}) != 1:
        return None
    offset, gain = found[0].value
    arm_of = tuple(axes.index(policy.axis) for policy in found)
    return Arms(axes, low, high, arm_of, tuple(policy.wins for policy in found), offset, gain) if gain > 0 else None


class PlayedArm(NamedTuple):
    """This is one policy as an arm: it has a mean, its successes, and (offset, gain) of its value."""

    axis: str
    wins: frozenset[tuple[int, ...]]
    value: tuple[Fraction, Fraction]


def outcomes(game: Game, laws: Iterable[tuple[tuple[int, ...], Fraction, Polynomial]]) -> PlayedArm | None:
    """Return the successes and failures of one policy, or ``None`` if its trajectories have any other law."""
    wins, axes, value = set(), set(), Polynomial()
    for tau, weight, P in laws:
        if not P:
            continue
        used = names(P)
        slope = P.get(tuple(used), Fraction(0))
        if len(used) != 1 or polynomial(P) not in (success := Polynomial({tuple(used): slope}), success - slope):
            return None
        axes.add(used[0])
        if slope > 0:
            wins.add(tau)
        value = value + P * (weight * sum(game.reward[h][o] for h, o in enumerate(tau[::2])))
    if len(axes) != 1:
        return None
    (axis,) = axes
    offset, gain = (Fraction(value.get(key, 0)) for key in ((), (axis,)))
    return PlayedArm(axis.removeprefix("theta."), frozenset(wins), (offset, gain))


def likelihood_gap(n: int, s: int, p: Fraction, q: Fraction) -> Decimal:
    """Return L(p) - L(q) of s successes among n episodes."""
    with localcontext(prec=PRECISION):
        return s * decimal(p / q).ln() + (n - s) * decimal((1 - p) / (1 - q)).ln()


class Bernoulli:
    """This is an oracle of the arms of a class, with the true means."""

    def __init__(self, arms: Arms, Phi: Point, truth: Point) -> None:
        self.arms, self.Phi = arms, Phi
        self.truth = tuple(truth[name] for name in arms.names)

    def begin(self) -> Counts:
        """Return the counts before any data."""
        return Counts(self)

    def value(self, policy: int, model: Model) -> Fraction:
        """Return V^pi(xi)."""
        mean: Fraction = model[self.arms.arm_of[policy]]
        return self.arms.offset + self.arms.gain * mean

    def point(self, model: Model) -> tuple[Point, Point]:
        """Return the means, and the one response."""
        return dict(zip(self.arms.names, model, strict=True)), self.Phi

    def won(self, policy: int, trajectories: Ints) -> Ints:
        """Return 1 for each episode (n, H, 2) that was a success."""
        kinds, which = np.unique(trajectories.reshape(len(trajectories), -1), axis=0, return_inverse=True)
        wins = [tuple(kind) in self.arms.wins[policy] for kind in kinds.tolist()]
        return np.array(wins, dtype=np.int64)[which.reshape(-1)]


class Counts:
    """These count the episodes ``n`` and the successes ``s`` of every arm."""

    def __init__(self, oracle: Bernoulli) -> None:
        self.oracle, arms = oracle, oracle.arms
        self.n, self.s = [0] * len(arms.names), [0] * len(arms.names)
        self._ends = float(arms.low), float(arms.high)
        self._rounding = ROUNDING * (1 - float(np.log(float(min(arms.low, 1 - arms.high)))))

    def estimate(self, arm: int) -> Fraction:
        """Return the most likely mean; before the first episode that is the largest."""
        arms = self.oracle.arms
        return min(arms.high, max(arms.low, Fraction(self.s[arm], self.n[arm]))) if self.n[arm] else arms.high

    def arm_gap(self, arm: int, q: Fraction) -> Decimal:
        """Return max L - L of the arm's own data at the mean q."""
        return likelihood_gap(self.n[arm], self.s[arm], self.estimate(arm), q)

    def largest(self, arm: int, beta: Decimal) -> Fraction:
        """Return the largest mean of the confidence set, a multiple of 2^-32, or an end, or the estimate."""
        room, low, high = units(beta), self.estimate(arm), self.oracle.arms.high
        if units(self.arm_gap(arm, high)) <= room:
            return high
        n, s, p = self.n[arm], self.s[arm], float(low)
        inside, outside = ceil(low * UNIT), int(high * UNIT) + 1
        while outside - inside > 1:  # in floats; then exactly
            middle = (inside + outside) // 2
            q = middle / UNIT
            gap = s * np.log(p / q) + (n - s) * np.log((1 - p) / (1 - q)) if q < 1 else np.inf
            inside, outside = (middle, outside) if gap <= beta else (inside, middle)
        while inside > low * UNIT and units(self.arm_gap(arm, Fraction(inside, UNIT))) > room:
            inside -= 1
        while units(self.arm_gap(arm, Fraction(inside + 1, UNIT))) <= room:
            inside += 1
        return max(low, Fraction(inside, UNIT))

    def choice(self, means: Sequence[Fraction], fresh: NDArray[np.bool_], ties: Ties) -> int:
        """Return the policy of the largest mean."""
        ranks = np.unique(np.array([means[arm] for arm in self.oracle.arms.arm_of], dtype=object), return_inverse=True)
        return choose(PolicyValues(ranks[0], 1, ranks[1].reshape(-1, 1)), np.ones(1, dtype=np.bool_), fresh, ties)[0]

    def best(self, beta: Decimal, fresh: NDArray[np.bool_], ties: Ties) -> Chosen:
        """Return the arm of the largest mean in the confidence set, with the other arms at their estimates."""
        arms = range(len(self.n))
        policy = self.choice([self.largest(arm, beta) for arm in arms], fresh, ties)
        mine = self.oracle.arms.arm_of[policy]
        return policy, tuple(self.largest(arm, beta) if arm == mine else self.estimate(arm) for arm in arms)

    def inside(self, beta: Decimal) -> int | None:
        """Return ``None``: the models of a continuum are not counted."""
        return None

    def sampled(self, random: np.random.Generator, fresh: NDArray[np.bool_], ties: Ties) -> Chosen:
        """Return a mean of each arm from its posterior, a Beta law cut to the interval."""
        means = tuple(Fraction(truncated_beta(n, s, *self._ends, random)) for n, s in zip(self.n, self.s, strict=True))
        return self.choice(means, fresh, ties), means

    def learn(self, policy: int, model: Model, trajectories: Ints, thresholds: Ints | None) -> Learned:
        """Take in episodes until the arm's own evidence against its mean exceeds the threshold; the other arms of the
        model are at their estimates."""
        arm = self.oracle.arms.arm_of[policy]
        sums = np.cumsum(self.oracle.won(policy, trajectories))
        stop = 0 if thresholds is None else self.first(arm, model[arm], sums, thresholds)
        used = stop or len(sums)
        self.n[arm] += used
        self.s[arm] += int(sums[used - 1])
        return Learned(used, stop > 0)

    def first(self, arm: int, q: Fraction, sums: Ints, thresholds: Ints) -> int:
        """Return the first episode after which the evidence against q exceeds its threshold, or 0 if there is none."""
        n, s = self.n[arm] + np.arange(1, len(sums) + 1), self.s[arm] + sums
        p, mean = np.clip(s / n, *self._ends), float(q)
        gaps = (s * np.log(p / mean) + (n - s) * np.log((1 - p) / (1 - mean))) * UNIT
        beyond, unsure = gaps - (thresholds + 1), n * (self._rounding * UNIT)
        for k in np.flatnonzero(beyond > -unsure).tolist():
            if beyond[k] > unsure[k]:
                return int(k) + 1
            each, won = int(n[k]), int(s[k])
            estimate = min(self.oracle.arms.high, max(self.oracle.arms.low, Fraction(won, each)))
            if units(likelihood_gap(each, won, estimate, q)) > int(thresholds[k]):
                return int(k) + 1
        return 0

    def gap(self, model: Model) -> int | None:
        """Return max L - L(model), summed over all arms."""
        with localcontext(prec=PRECISION):
            return units(sum((self.arm_gap(arm, q) for arm, q in enumerate(model)), Decimal(0)))

    def truth_gap(self) -> int | None:
        """Return max L - L(xi*)."""
        return self.gap(self.oracle.truth)


def truncated_beta(n: int, s: int, low: float, high: float, random: np.random.Generator) -> float:
    """Return a draw from the density ~ x^s (1-x)^(n-s) on [low, high], by rejection under a step function: the density
    has one peak, so on a cell it is at most its value at the end nearer to that."""
    peak = min(high, max(low, s / n if n else low))
    spread = np.sqrt(max(peak * (1 - peak), 1e-300) / max(n, 1))
    ladder = np.concatenate([-np.array(LADDER[::-1]), [0.0], LADDER]) * spread
    edges = np.unique(np.clip(np.concatenate([[low], peak + ladder, [high]]), low, high))
    top = log_density(np.array([peak]), n, s)[0]
    ends = log_density(edges, n, s) - top
    heights = np.exp(np.maximum(ends[:-1], ends[1:]))
    weights = heights * np.diff(edges)
    while True:
        which, place, level = random.random(3)
        k = drawn(weights, float(which))
        x = float(edges[k] + place * (edges[k + 1] - edges[k]))
        if level * heights[k] <= np.exp(log_density(np.array([x]), n, s)[0] - top):
            return min(high, max(low, x))


def log_density(x: Floats, n: int, s: int) -> Floats:
    """Return s log x + (n-s) log(1-x) for 0 < x < 1."""
    return np.asarray(s * np.log(x) + (n - s) * np.log1p(-x))
