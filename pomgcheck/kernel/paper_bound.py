"""The right side of Theorem 3.3 by operators and Eluder dimensions, as in the paper's proof, at any T.

For a fading rule it is that of Theorem 5.2; the bin lemma takes the place of capped summability.  It
is *computed* from what a certificate proves, and shown by reports; no claim states it and no verdict rests on it, so
the check of a certificate never enters this file.  docs/bound.md derives each line.
"""

from __future__ import annotations

from fractions import Fraction

from .bound import Lines, Premises, Radius, epochs_at_most, sharp
from .enclosures import Interval, interval, root

THEOREM = ("Q_W", "Q_G", "A_W", "A_G", "switches", "statistical", "warmup", "regret")


def theorem(p: Premises, T: int) -> Lines:
    """Return every line at T, each as a number that the real one does not exceed."""
    r, H, evidence = Radius(p, T), p.H, sharp(p, T)["model_evidence"]
    c_J, c_W = min(p.c_J, Fraction(1)), min(p.c_W, Fraction(1))
    Q_W, Q_G = H * evidence / c_W, 2 * H * evidence / c_J + 2 * H * evidence / c_W
    A_W, A_G = binned(p.d_W, Q_W, T), binned(p.d_G, Q_G, T)
    # at least the sum over epochs of n_e || P_xi_e - P_xi* ||_1; where operators are summed p.least is 1
    error = (A_W + A_G) / p.least
    statistical, switches = p.range / 2 * error + r.transient, epochs_at_most(p, r, r.B_0 * error, T)
    warmup = r.warmup * p.later * switches
    found = Q_W, Q_G, A_W, A_G, switches, statistical, warmup, statistical + warmup
    return dict(zip(THEOREM, found, strict=True))


def binned(d: int, Q: Interval, T: int) -> Interval:
    """Return the bound of the bin lemma: the sum of n_e f_e(x_e) is at most 2 sqrt(d Q T), or 1/2 with d = 0, where no
    value is over 1/(2T)."""
    return 2 * root(d * Q * T) if d else interval(Fraction(1, 2))
