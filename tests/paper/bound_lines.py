"""The explicit bound in plain multiprecision numbers, written from docs/bound.md."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

import mpmath

from pomgcheck.kernel.bound import SHARP, Grid, Premises
from pomgcheck.kernel.paper_bound import THEOREM


def size(p: Premises, T: int) -> int:
    """Models, or points of the grid at 1/(2T+4)."""
    if not isinstance(p.covering, Grid):
        return p.models
    cells, counts, made = p.covering
    return cells * prod(-(-n * (T + 2) // (made + 2)) for n in counts)


def plain(p: Premises, T: int) -> dict[str, Any]:
    """The lines as the specification writes them, in plain multiprecision numbers, for a rule of finite memory."""
    log, sqrt, ceil, mp = mpmath.log, mpmath.sqrt, mpmath.ceil, mpmath.mpf

    def q(x: Fraction) -> Any:
        return mp(x.numerator) / x.denominator

    assert p.m is not None
    c, C_0, B_0, m, H = 16, 6 * (mpmath.e - 2), max(mp(1), log(q(p.increments)), q(p.slope)), p.m, p.H
    net = isinstance(p.covering, Grid)
    log_N, delta, c_J, c_W = log(mp(size(p, T))), q(p.delta), min(1, q(p.c_J)), min(1, q(p.c_W))
    Lambda = 5 * log(2 * T) + log(1 / delta)
    beta = c * (log_N + 5 * log(2 * T) + log(1 / delta) + m * B_0)
    C_B = max(1, C_0 * B_0 / 4, (7 * C_0 + 3 * net) / 16)
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
    level = ceil(log(T + 2, 2))
    extra = 3 * B_0 + 2 * C_0 * B_0 * log(mp((level + 1) * (level + 2)) / 2) if net else 0
    Q = 2 * tau + 2 * C_0 * B_0 * u + B_0 + extra
    E = Q * (p.policies * (1 + log(T)) if net else min(p.models - 1, p.policies * (1 + log(T))))
    firing = c * (log(8 / delta) + m * B_0) / 2 if net else mp(7) / 12 * c * (u + m * B_0)
    S_T = log(T + 2, 2) + E / firing
    finite, warm = H * sqrt(T * E / 2), (m - 1) * H * S_T
    return dict(
        zip(
            (*THEOREM, *SHARP),
            (
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
                Lambda_,
                Q,
                E,
                S_T,
                finite,
                warm,
                finite + warm,
            ),
            strict=True,
        )
    )
