"""The explicit bound in plain multiprecision numbers, written from docs/bound.md."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath

from pomgcheck.kernel.bound import LINES, Premises


def plain(p: Premises, T: int) -> dict[str, Any]:
    """The lines as the specification writes them, in plain multiprecision numbers, for a rule of finite memory."""
    log, sqrt, ceil, mp = mpmath.log, mpmath.sqrt, mpmath.ceil, mpmath.mpf

    def q(x: Fraction) -> Any:
        return mp(x.numerator) / x.denominator

    assert p.m is not None
    c, C_0, B_0, m, H = 16, 6 * (mpmath.e - 2), max(mp(1), log(q(p.increments))), p.m, p.H
    log_N, delta, c_J, c_W = log(mp(p.models)), q(p.delta), min(1, q(p.c_J)), min(1, q(p.c_W))
    Lambda = 5 * log(2 * T) + log(1 / delta)
    beta = c * (log_N + 5 * log(2 * T) + log(1 / delta) + m * B_0)
    C_B = max(1, C_0 * B_0 / 4, 7 * C_0 / 16)
    R_J, R_W = H * (2 + C_B) * beta / c_J, H * (2 + C_B) * beta / c_W
    R_G = 2 * R_J + 2 * R_W
    cap = 5 * beta + 4 * C_0 * B_0 * Lambda + B_0
    cap_W, cap_G = H * cap / c_W, 2 * H * cap * (1 / c_J + 1 / c_W)

    def S(d: int, R: Any, cap: Any, b: int) -> Any:
        buckets = max(0, ceil(log(2 * b / sqrt(cap / (2 * T)), 2))) * (4 * T - 1).bit_length()
        return d * (8 * R + 16 * cap) * buckets + cap

    S_W, S_G = S(p.d_W, R_W, cap_W, 2 * p.actions * H), S(p.d_G, R_G, cap_G, 2 * H)
    total = sqrt(T * (2 * S_W + 2 * S_G))
    switches = 1 + log(2 * T, 2) + 32 / (3 * c * (1 + m * B_0)) * B_0 * total / q(p.least)
    statistical, warmup = H * total / (2 * q(p.least)), (m - 1) * H * switches
    Lambda_, u = 2 * log(mp((T + 1) * (T + 2)) / 2) + log(1 / delta), log_N + log(8 / delta)
    tau = 2 * c * (log_N + Lambda_ + m * B_0) + C_0 * B_0 * Lambda_
    Q = 2 * tau + 2 * C_0 * B_0 * u + B_0
    E = Q * min(p.models - 1, p.policies * (1 + log(T)))
    S_T = log(T + 2, 2) + E / (mp(7) / 12 * c * (u + m * B_0))
    finite, warm = H * sqrt(T * E / 2), (m - 1) * H * S_T
    return dict(zip(LINES, (Lambda, beta, C_B, R_J, R_W, R_G, cap, cap_W, cap_G, S_W, S_G, switches, statistical,
                            warmup, statistical + warmup, Lambda_, Q, E, S_T, finite, warm, finite + warm),
                    strict=True))  # fmt: skip
