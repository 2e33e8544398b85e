"""Computes the radius beta_e, the running radius beta_e(t) and the termination threshold tau_e(t) of Algorithm 1.

Both are transcendental, and both are compared with differences of fixed-point log-likelihoods; so what is needed of
each is its floor in units of 2^-32 (L > floor(x) is L > x for an integer L), and that is computed exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pomgcheck.learner.columns import Floats
from pomgcheck.learner.likelihood import PRECISION, UNIT, Ints


def decimal(value: Fraction) -> Decimal:
    """Return an exact number to the working precision; call it inside a context of that precision."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def theory_C_0() -> Decimal:
    """Return C_0 = 6(e - 2): Freedman's step of Lemma D.3 with |X| <= B_0 and E X^2 <= (2 + B_0) KL."""
    with localcontext(prec=PRECISION):
        return 6 * (Decimal(1).exp() - 2)


@dataclass(frozen=True)
class Fading:
    """A memory that fades at rate gamma is made one of m episodes by warming up long enough (Theorem 5.2).

    m = ceil(log(2T)/(1 - gamma)); with no ``T`` the epoch's own ceil(log(2^{e+1})/(1 - gamma)), which needs no horizon.
    ``drift`` = H L_g: after m episodes of one policy a response is within L_g gamma^m of the settled one in total
    variation, so that the episodes of a run up to T, or of an epoch, differ from settled ones by H L_g/2 in all.  L_g
    holds in l1, as the weights' distance does: no square root of the number of policies is needed.
    """

    gamma: Fraction
    drift: Fraction
    T: int | None

    def memory(self, e: int) -> int:
        """Return m of epoch e, which is 1 or more."""
        with localcontext(prec=PRECISION):
            log = Decimal(2 * self.T if self.T is not None else 2 ** (e + 1)).ln()
            return max(1, int((log / decimal(1 - self.gamma)).to_integral_value(ROUND_CEILING)))

    def moved(self, e: int, delta: Fraction) -> Decimal:
        """Return twice the number of data episodes that differ from settled ones by the end of epoch e, at most: (e-1)
        H L_g + 2 log(8/delta), except with probability delta/8 (docs/bound.md)."""
        with localcontext(prec=PRECISION):
            drift = decimal(self.drift) * (e if self.T is None else 1)
            return (Decimal(1).exp() - 1) * drift + 2 * decimal(8 / delta).ln()


@dataclass(frozen=True)
class Scales:
    """This gives log N(eps) of a product of ``axes`` intervals, each covered by ceil(``reach``/eps) points."""

    axes: int
    reach: Fraction

    def points(self, bits: int) -> int:
        """Return N at eps = 2^-bits."""
        return int(ceil(self.reach * 2**bits) ** self.axes)


def bits(n: Floats) -> Ints:
    """Return ceil(log2(n + 2)): Algorithm 1's scale at n data episodes is 2^-bits."""
    return np.asarray(np.frexp(n + 1)[1], dtype=np.int64)


@dataclass(frozen=True)
class ConfidenceRadius:
    """These are all constants of Algorithm 1. ``covering`` = N and ``increments`` are what log N and B_0 are logs of.

    On a finite class the net is the class, so log N(eps) is the same at every dyadic scale eps = 2^-ceil(log2(n+2));
    on a continuum ``covering`` may give N at each.  ``error``: what log-likelihoods of a model of the class and of the
    nearest that the learner plans with differ by at most per episode (docs/net.md).
    ``C_0`` ``None`` stands for 6(e - 2); ``factor`` is the 2 of 2 beta_e(t).  Against fading memory both radii are
    enlarged: by what is shown to be ``enough``, 2s, s what the transient moves a difference of log-likelihoods by at
    most; or, without a guarantee, by c B_0 H L_g.
    """

    c: Fraction
    covering: Fraction | Scales
    increments: Fraction
    m: int | Fading
    delta: Fraction
    factor: Fraction = Fraction(2)
    C_0: Fraction | None = None
    enough: bool = True
    error: Fraction = Fraction(0)

    @cached_property
    def B_0(self) -> Decimal:
        """Return max(1, log increments)."""
        with localcontext(prec=PRECISION):
            return max(Decimal(1), decimal(self.increments).ln())

    def memory(self, e: int) -> int:
        """Return m of epoch e: the epoch warms up for m - 1 episodes."""
        return self.m if isinstance(self.m, int) else self.m.memory(e)

    def log_covering(self, bits: int) -> Decimal:
        """Return log N at the scale 2^-bits."""
        with localcontext(prec=PRECISION):
            N = self.covering.points(bits) if isinstance(self.covering, Scales) else self.covering
            return decimal(Fraction(N)).ln()

    def base(self, e: int, n: int = 0) -> Decimal:
        """Return c (log N + m B_0) at n data episodes and what fading memory adds: beta_e is at least that, apart from
        the error of a net."""
        with localcontext(prec=PRECISION):
            log_N = self.log_covering((n + 1).bit_length())
            return decimal(self.c) * (log_N + self.memory(e) * self.B_0) + self.enlargement(e)

    def enlargement(self, e: int) -> Decimal:
        """Return 2s with s = B_0 ((e-1) H L_g + 2 log(8/delta)), or c B_0 H L_g without a guarantee; it is 0 for a
        memory of m episodes."""
        with localcontext(prec=PRECISION):
            if isinstance(self.m, int):
                return Decimal(0)
            return self.B_0 * (2 * self.m.moved(e, self.delta) if self.enough else decimal(self.c * self.m.drift))

    @cached_property
    def slope(self) -> Decimal:
        """Return 2c + C_0 B_0, by which tau_e(t) = 2 base + 2 n error + slope log(2t(t+1)/delta_e) grows."""
        with localcontext(prec=PRECISION):
            C_0 = theory_C_0() if self.C_0 is None else decimal(self.C_0)
            return decimal(self.factor * self.c) + C_0 * self.B_0

    def beta(self, e: int, n: int = 0) -> Decimal:
        """Return beta_e = c (log N + log(1/delta_e) + m B_0) at n data episodes, plus the enlargement and n error.

        Here delta_e = delta/(2e^2).
        """
        with localcontext(prec=PRECISION):
            budget = decimal(self.c) * decimal(2 * e * e / self.delta).ln()
            return self.base(e, n) + budget + decimal(n * self.error)

    def tau(self, e: int, t: int, n: int = 0) -> Decimal:
        """Return tau_e(t) = 2 beta_e(t) + C_0 B_0 log(2t(t+1)/delta_e), beta_e(t) with budget delta_e/(2t(t+1)), after
        t episodes of an epoch that began with n."""
        with localcontext(prec=PRECISION):
            log_budget = decimal(4 * e * e * t * (t + 1) / self.delta).ln()
            widened = decimal(self.factor * (n + t) * self.error)
            return decimal(self.factor) * self.base(e, n + t) + widened + self.slope * log_budget

    def tau_floors(self, e: int, first: int, count: int, n: int = 0) -> NDArray[np.int64]:
        """Return floor(tau_e(t) 2^32) for t = first, ..., first + count - 1; nondecreasing in t."""
        t = np.arange(first, first + count, dtype=np.float64)
        scales, which = np.unique(bits(n + t), return_inverse=True)
        with localcontext(prec=PRECISION):
            bases = [self.base(e, 2 ** (int(k) - 1)) for k in scales]  # 2^(k-1) episodes have the scale 2^-k
            offset = np.array([float(decimal(self.factor) * base) for base in bases])[which]
            start = float(decimal(4 * e * e / self.delta).ln())
        offset = offset + float(self.factor * self.error) * (n + t)
        scaled = (offset + float(self.slope) * (start + np.log(t * (t + 1)))) * UNIT
        floors: NDArray[np.int64] = np.floor(scaled).astype(np.int64)
        # Positive terms, rounded at most ten times, and a log at most 4 units wrong: relative error below 2^-48.
        for k in np.flatnonzero(np.abs(scaled - np.rint(scaled)) <= scaled * 2.0**-48).tolist():
            floors[k] = units(self.tau(e, first + k, n))
        return floors


def units(value: Decimal) -> int:
    """Return floor(value 2^32)."""
    with localcontext(prec=PRECISION):
        return int((value * UNIT).to_integral_value(ROUND_FLOOR))
