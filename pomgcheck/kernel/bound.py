"""The explicit right side of Theorem 3.3 at any T, no O~ left: a bound on PR(T) under Algorithm 1 with c = 16 and
C_0 = 6(e-2), with probability at least 1 - 2 delta, that uses that Pi is finite.

docs/bound.md derives each line.  The bound along the paper's own lemmas is in paper_bound.py, which no certificate
enters.  All numbers are intervals with rational ends, rounded outwards; nothing here is a float.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial, isqrt, prod
from typing import NamedTuple

from .logarithms import log_enclosure

BITS = 128
C = 16  # the constant of the radius
SHARP = (
    "sharp_Lambda_T",
    "model_evidence",
    "evidence",
    "sharp_switches",
    "sharp_statistical",
    "sharp_warmup",
    "sharp_regret",
)
MONOTONE = 8  # from here on sharp(T) / T falls as T grows, m being fixed


@dataclass(frozen=True)
class Interval:
    """A nonnegative real between two rationals; every operation rounds outwards to multiples of 2^-BITS."""

    low: Fraction
    high: Fraction

    def __add__(self, other: Real) -> Interval:
        x = interval(other)
        return outward(self.low + x.low, self.high + x.high)

    def __mul__(self, other: Real) -> Interval:
        x = interval(other)
        return outward(self.low * x.low, self.high * x.high)

    def __truediv__(self, other: Real) -> Interval:
        x = interval(other)
        return outward(self.low / x.high, self.high / x.low)

    def __rtruediv__(self, other: Real) -> Interval:
        return interval(other) / self

    __radd__, __rmul__ = __add__, __mul__


Real = Interval | Fraction | int
Lines = dict[str, Interval]


def interval(x: Real) -> Interval:
    return x if isinstance(x, Interval) else Interval(Fraction(x), Fraction(x))


def down(x: Fraction) -> int:
    """floor(2^BITS x)."""
    return (x.numerator << BITS) // x.denominator


def outward(low: Fraction, high: Fraction) -> Interval:
    return Interval(Fraction(down(low), 1 << BITS), Fraction(-down(-high), 1 << BITS))


def root(x: Interval) -> Interval:
    """The square root."""
    low, high = isqrt(down(x.low) << BITS), -down(-x.high) << BITS
    return Interval(Fraction(low, 1 << BITS), Fraction(isqrt(high - 1) + 1 if high else 0, 1 << BITS))


def log(x: Real) -> Interval:
    """The logarithm of a number above 0, or 0 if that is more: log^+."""
    ends = interval(x)
    low, high = log_enclosure(ends.low, BITS)[0], log_enclosure(ends.high, BITS)[1]
    return Interval(Fraction(max(low, 0), 1 << BITS), Fraction(max(high, 0), 1 << BITS))


def log2(x: Real) -> Interval:
    """Exact at powers of two: there alone the bound of a class of one model, (m-1) H log2(T+2), is rational and can tie
    with H T, which no enclosure that is wider would ever decide."""
    ends = interval(x)
    n = ends.low.numerator
    if ends.low == ends.high == n and n > 0 and n.bit_count() == 1:
        return interval(n.bit_length() - 1)
    return log(x) / log(2)


def least(*xs: Real) -> Interval:
    return Interval(min(interval(x).low for x in xs), min(interval(x).high for x in xs))


def most(*xs: Real) -> Interval:
    return Interval(max(interval(x).low for x in xs), max(interval(x).high for x in xs))


def ceiling(x: Interval) -> Interval:
    return Interval(Fraction(-(-x.low // 1)), Fraction(-(-x.high // 1)))


def six_e_minus_two() -> Interval:
    """C_0 = 6(e-2) = 6 (1/2! + 1/3! + ...), the terms after 1/40! adding up to less than 2/41!."""
    series = sum((Fraction(6, factorial(k)) for k in range(2, 41)), Fraction(0))
    return outward(series, series + Fraction(12, factorial(41)))


C_0 = six_e_minus_two()


class Premises(NamedTuple):
    """What the bound is made of; all of it is checked before it gets here.

    ``models`` is the number N of distinct models, ``increments`` what the bound on log-likelihood ratios is the log of,
    ``least`` the least probability of a possible observation given what came before, ``policies`` = |Pi|, ``actions`` =
    |B|, ``d_W`` and ``d_G`` upper brackets of the Eluder dimensions at every scale the bound is taken at.  ``m`` is the
    memory, or ``None`` for a fading rule with its rate ``gamma`` and ``L_g``.  A class covered by nets instead of by
    itself has as ``covering`` its grids, or a log covering number, and as ``slope`` the Lipschitz constant of its
    log-likelihoods.
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
    gamma: Fraction = Fraction(0)
    L_g: Fraction = Fraction(0)
    covering: Grid | Interval | None = None
    slope: Fraction = Fraction(0)


class Grid(NamedTuple):
    """A grid of each of ``cells`` cells, ``counts`` points along the axes, that is a net at 1/(2T+4): at another T
    counts in proportion make one, the distance to the nearest point being inversely so."""

    cells: int
    counts: tuple[int, ...]
    T: int

    def log(self, T: int) -> Interval:
        """The log of its size."""
        counts = (-(-count * (2 * T + 4) // (2 * self.T + 4)) for count in self.counts)
        return log(self.cells * prod(counts))


class Radius:
    """What this bound and the paper's share at T: B_0, log N, the warm-up and the slack of a fading memory."""

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
    """One event for all episodes, and no operators in between; a finite class is its own net, any other
    has one at every level up to ceil(log2(T+2)), and 3 B_0/2 pays for what lies between."""
    r, H = Radius(p, T), p.H
    Lambda = 2 * log(Fraction((T + 1) * (T + 2), 2)) + r.log_delta
    level, epochs = (T + 1).bit_length(), p.policies * (1 + log(T))
    u = r.log_N + log((8 if p.covering is None else 4 * (level + 1) * (level + 2)) / p.delta)
    threshold = 2 * (C * (r.log_N + Lambda + r.m * r.B_0) + 2 * r.slack) + C_0 * r.B_0 * Lambda
    evidence = 2 * threshold + 2 * r.slack + 2 * C_0 * r.B_0 * u + (1 if p.covering is None else 4) * r.B_0
    total = evidence * (least(p.models - 1, epochs) if p.covering is None else epochs)
    statistical = H * root(total * T / 2) + r.transient
    firing = Fraction(7, 12) * (u + r.m * r.B_0) if p.covering is None else (log(8 / p.delta) + r.m * r.B_0) / 2
    switches = log2(T + 2) + total / (C * firing)
    warmup = r.warmup * H * switches
    found = (Lambda, evidence, total, switches, statistical, warmup, statistical + warmup)
    return dict(zip(SHARP, found, strict=True))


def below(p: Premises, T: int) -> bool | None:
    """Whether the sharp bound is below H T; ``None`` if the enclosure cannot tell."""
    regret = sharp(p, T)["sharp_regret"]
    return True if regret.high < p.H * T else False if regret.low >= p.H * T else None


def first_below(p: Premises, T: int) -> bool:
    """Whether T is the least at which the sharp bound is below H T: not below at T - 1, nor where the quotient is not
    known to fall.  (For a fading rule m grows with T, and what is shown is T, T - 1 and the first few.)"""
    before = {*range(1, min(MONOTONE, T)), T - 1} - {0}
    return below(p, T) is True and all(below(p, each) is False for each in before)
