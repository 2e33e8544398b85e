"""The right side of Theorem 3.3 along the lemmas of the paper's proof (of Theorem 5.2 for a fading rule), at any T.

It is *computed* from what a certificate proves, and shown by reports; no claim states it and no verdict rests on it,
so the check of a certificate never enters this file.  docs/bound.md derives each line.
"""

from __future__ import annotations

from fractions import Fraction

from .bound import C_0, C, Interval, Lines, Premises, Radius, ceiling, log, log2, most, root

THEOREM = (
    "Lambda_T",
    "beta_T",
    "C_B",
    "R_J",
    "R_W",
    "R_G",
    "cap",
    "cap_W",
    "cap_G",
    "S_W",
    "S_G",
    "switches",
    "statistical",
    "warmup",
    "regret",
)


def theorem(p: Premises, T: int) -> Lines:
    """Every line at T, each a number that the real one does not exceed."""
    r, H = Radius(p, T), p.H
    c_J, c_W = min(p.c_J, Fraction(1)), min(p.c_W, Fraction(1))
    Lambda = 5 * log(2 * T) + r.log_delta
    beta = C * (r.log_N + Lambda + r.m * r.B_0) + 2 * r.slack
    C_B = most(1, C_0 * r.B_0 / 4, (7 * C_0 + (0 if p.covering is None else 3)) / 16)
    R_J, R_W = H * (2 + C_B) * beta / c_J, H * (2 + C_B) * beta / c_W
    R_G = 2 * R_J + 2 * R_W
    cap = (5 if p.m else 6) * beta + 4 * C_0 * r.B_0 * Lambda + r.B_0
    cap_W, cap_G = H * cap / c_W, 2 * H * cap / c_J + 2 * H * cap / c_W
    S_W = summed(p.d_W, R_W, cap_W, 2 * p.actions * H, T)
    S_G = summed(p.d_G, R_G, cap_G, 2 * H, T)
    error = root(2 * T * (S_W + S_G)) / p.least  # at least the sum over epochs of n_e || P_xi_e - P_xi* ||_1
    statistical = Fraction(H, 2) * error + r.transient
    switches = 1 + log2(2 * T) + Fraction(32, 3 * C) / (1 + r.m * r.B_0) * r.B_0 * error
    warmup = r.warmup * H * switches
    found = (
        Lambda,
        beta,
        C_B,
        R_J,
        R_W,
        R_G,
        cap,
        cap_W,
        cap_G,
        S_W,
        S_G,
        switches,
        statistical,
        warmup,
        statistical + warmup,
    )
    return dict(zip(THEOREM, found, strict=True))


def summed(d: int, R: Interval, cap: Interval, b: int, T: int) -> Interval:
    """Capped summability for functions with values in [0, b]: d (8R + 16 cap) a bucket, and the floor."""
    values, weights = ceiling(log2(2 * b / root(cap / (2 * T)))), (4 * T - 1).bit_length()  # ceil(log2 4T)
    return d * (8 * R + 16 * cap) * values * weights + cap
