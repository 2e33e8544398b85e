"""The explicit right side of Theorem 3.3 at any T, no O~ left: a bound on PR(T) under Algorithm 1 with c = 16 and
C_0 = 6(e-2), with probability at least 1 - 2 delta, that uses that Pi is finite.

docs/bound.md derives each line.  The bound along the paper's own lemmas is in paper_bound.py, which no certificate
enters.  All numbers are exact or enclosed (enclosures.py); nothing here is a float.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod
from typing import NamedTuple

from .enclosures import Interval, ceiling, interval, least, log, log2, most, outward, root
from .nested import Truth

C = 16  # the constant of the radius
SHARP = (
    "sharp_Lambda_T",
    "sharp_threshold",
    "model_evidence",
    "evidence",
    "sharp_switches",
    "sharp_statistical",
    "sharp_warmup",
    "sharp_regret",
)
SIXTEENTHS = range(1, 9)  # of eta: every eta has an event of its own, of probability delta/8, and all serve at once
Lines = dict[str, Interval]
MONOTONE = 8  # from here on sharp(T) / T falls as T grows, m being fixed


def six_e_minus_two() -> Interval:
    """Return C_0 = 6(e-2) = 6 (1/2! + 1/3! + ...), the terms after 1/40! adding up to less than 2/41!."""
    series = sum((Fraction(6, factorial(k)) for k in range(2, 41)), Fraction(0))
    return outward(series, series + Fraction(12, factorial(41)))


C_0 = six_e_minus_two()


class Premises(NamedTuple):
    """The bound is made of these; all of it is checked before it gets here.

    ``models`` is the number N of distinct models, ``increments`` what the bound on log-likelihood ratios is the log of,
    ``least`` the least probability of a possible observation given what came before, or 1 for the paper's route where
    operators are summed, ``policies`` = |Pi|, ``actions`` = |B|, ``d_W`` and ``d_G`` upper brackets of the Eluder
    dimensions at every scale the bound is taken at. ``m`` is the memory, or ``None`` for a fading rule with its rate
    ``gamma`` and ``L_g``. A class that is covered by nets, and not by itself, has as ``covering`` its grids, or a log
    covering number, and as ``slope`` the Lipschitz constant of its log-likelihoods. ``range`` is R, the most by which
    optimism may misjudge an episode, and ``later`` is R', the most that an episode of warm-up loses
    (``rewards.Ranges``). ``dearest`` is D, the most that a settled episode loses, or H where D is not known; ``truths``
    has what every truth has before it in the list of models, or is ``None`` where that is not known.
    """

    H: int
    actions: int
    policies: int
    models: int
    increments: Fraction
    least: Fraction
    c_J: Fraction
    c_W: Fraction
    d_W: int
    d_G: int
    delta: Fraction
    m: int | None
    range: Fraction
    later: Fraction
    dearest: Fraction
    gamma: Fraction = Fraction(0)
    L_g: Fraction = Fraction(0)
    covering: Grid | Interval | None = None
    slope: Fraction = Fraction(0)
    truths: tuple[Truth, ...] | None = None


class Grid(NamedTuple):
    """This is a grid in each of ``cells`` cells, with ``counts`` points along the axes, which is a net at 1/(2T+4).

    At another T, counts in proportion make one, since the distance to the nearest point is inversely proportional to
    them.
    """

    cells: int
    counts: tuple[int, ...]
    T: int

    def log(self, T: int) -> Interval:
        """Return the log of its size."""
        counts = (-(-count * (2 * T + 4) // (2 * self.T + 4)) for count in self.counts)
        return log(self.cells * prod(counts))


class Radius:
    """This is what this bound and the paper's share at T: B_0, log N, the warm-up and the slack of a fading memory."""

    def __init__(self, p: Premises, T: int) -> None:
        self.B_0 = most(1, log(p.increments), p.slope)
        self.log_N = p.covering.log(T) if isinstance(p.covering, Grid) else p.covering or log(p.models)
        self.log_delta = log(1 / p.delta)
        self.warmup = interval(p.m - 1 if p.m else 0)  # m - 1 episodes an epoch
        self.slack = self.transient = interval(0)
        if p.m is None:  # m = ceil(log(2T) / (1-gamma)), at least 1
            steps = ceiling(log(2 * T) / (1 - p.gamma))
            self.warmup = Interval(max(steps.low - 1, Fraction(0)), max(steps.high - 1, Fraction(0)))
            self.slack = self.B_0 * ((C_0 / 6 + 1) * p.H * p.L_g + 2 * log(8 / p.delta))
            self.transient = interval(Fraction(p.H**2) * p.L_g / 2)
        self.m = self.warmup + 1


def sharp(p: Premises, T: int) -> Lines:
    """Return the lines of the bound with one event for all episodes and no operators in between.

    A finite class is its own net; any other has one at every level up to ceil(log2(T+2)).
    """
    r, net = Radius(p, T), p.covering is not None
    Lambda, u = 2 * log(Fraction((T + 1) * (T + 2), 2)) + r.log_delta, union(p, r, T)
    epochs, others = p.policies * (1 + log(T)), p.policies - 1
    threshold = 2 * C * (r.log_N + Lambda + r.m * r.B_0) + C_0 * r.B_0 * Lambda + 5 * r.slack
    evidence = least(*(freedman(Fraction(k, 16), threshold, r.B_0, u, net) for k in SIXTEENTHS))
    total = evidence * (epochs if net else least(p.models - 1, epochs))
    statistical = p.range * root(evidence * (others if net else min(p.models - 1, others)) * T / 2)
    if p.truths is not None:
        statistical = least(statistical, filled(p.truths, p.delta, threshold, T))
    statistical += r.transient
    switches = epochs_at_most(p, r, total, T)
    warmup = r.warmup * p.later * switches
    found = (Lambda, threshold, evidence, total, switches, statistical, warmup, statistical + warmup)
    return dict(zip(SHARP, found, strict=True))


def epochs_at_most(p: Premises, r: Radius, total: Interval, T: int) -> Interval:
    """Return S_T: there are log2(T+2) scheduled ends, and every end that the test fires took its part of the evidence
    in all."""
    net = p.covering is not None
    firing = (log(8 / p.delta) + r.m * r.B_0) / 2 if net else Fraction(7, 12) * (union(p, r, T) + r.m * r.B_0)
    return log2(T + 2) + total / (C * firing)


def union(p: Premises, r: Radius, T: int) -> Interval:
    """Return u, the log of the number of models over what they may fail with, which is delta/8, with nets over all
    levels together."""
    level = (T + 1).bit_length()
    return r.log_N + log((8 if p.covering is None else 4 * (level + 1) * (level + 2)) / p.delta)


def freedman(eta: Fraction, threshold: Interval, B_0: Interval, u: Interval, net: bool) -> Interval:
    """Return the most that cumulative KL divergence holds against a deployed model, by Freedman's step with eta: (tau +
    3(e-2) B_0 u / eta) / (1 - eta) + B_0. With nets (2 - eta) B_0 is added to tau, for what lies between their
    points."""
    between = (2 - eta) * B_0 if net else interval(0)
    return (threshold + between + C_0 * B_0 * u / (2 * eta)) / (1 - eta) + B_0


def filled(truths: tuple[Truth, ...], delta: Fraction, threshold: Interval, T: int) -> Interval:
    """Return the most that T data episodes lose: under every truth the dearest policies come first, each at most 1 +
    (tau/2 + log(2h/delta)) / c times; this is exact where T is what limits them."""
    lost: list[tuple[Fraction, Fraction]] = []
    for truth in truths:
        evidence, left, paid = (
            threshold / 2 + log(2 * max(truth.harmful, 1) / delta),
            [Fraction(T)] * 2,
            [Fraction(0)] * 2,
        )
        for each in sorted(truth.costly, key=lambda each: -each.regret):
            n = interval(1) if each.c is None else 1 + evidence / each.c
            for k, end in enumerate((n.low, n.high)):
                played = min(end, left[k])
                paid[k], left[k] = paid[k] + each.regret * played, left[k] - played
        lost.append((paid[0], paid[1]))
    return Interval(*(max((each[k] for each in lost), default=Fraction(0)) for k in range(2)))


def below(p: Premises, T: int) -> bool | None:
    """Return whether the sharp bound is below D T; ``None`` if the enclosure cannot tell."""
    regret = sharp(p, T)["sharp_regret"]
    return True if regret.high < p.dearest * T else False if regret.low >= p.dearest * T else None


def first_below(p: Premises, T: int) -> bool:
    """Return whether T is the least at which the sharp bound is below D T.

    It must not be below at T - 1, nor where the quotient is not known to fall. (For a fading rule m grows with T, and
    what is shown is T, T - 1 and the first few.)
    """
    before = {*range(1, min(MONOTONE, T)), T - 1} - {0}
    return below(p, T) is True and all(below(p, each) is False for each in before)
