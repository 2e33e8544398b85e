"""The explicit bound in plain multiprecision numbers, written from docs/bound.md."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

import mpmath

from pomgcheck.kernel.bound import SHARP, Grid, Premises
from pomgcheck.kernel.nested import Truth
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
    net, delta, c_J, c_W = isinstance(p.covering, Grid), q(p.delta), min(1, q(p.c_J)), min(1, q(p.c_W))
    log_N, level = log(mp(size(p, T))), ceil(log(T + 2, 2))
    Lambda = 2 * log(mp((T + 1) * (T + 2)) / 2) + log(1 / delta)
    u = log_N + log((4 * (level + 1) * (level + 2) if net else 8) / delta)
    tau = 2 * c * (log_N + Lambda + m * B_0) + C_0 * B_0 * Lambda

    def against(eta: Any) -> Any:
        return (tau + net * (2 - eta) * B_0 + 3 * (mpmath.e - 2) * B_0 * u / eta) / (1 - eta) + B_0

    Q = min(against(mp(k) / 16) for k in range(1, 9))
    E = Q * (p.policies * (1 + log(T)) if net else min(p.models - 1, p.policies * (1 + log(T))))
    firing = c * (log(8 / delta) + m * B_0) / 2 if net else mp(7) / 12 * c * (u + m * B_0)
    S_T = log(T + 2, 2) + E / firing
    k = p.policies - 1 if net else min(p.models, p.policies) - 1
    lost = q(p.range) * sqrt(T * Q * k / 2)
    if p.truths is not None:
        lost = min(lost, max((fill(truth, tau, delta, T) for truth in p.truths), default=mp(0)))
    warm = (m - 1) * q(p.later) * S_T
    Q_W, Q_G = H * Q / c_W, 2 * H * Q * (1 / c_J + 1 / c_W)
    A_W, A_G = (2 * sqrt(d * Q_ * T) if d else mp(1) / 2 for d, Q_ in ((p.d_W, Q_W), (p.d_G, Q_G)))
    error = (A_W + A_G) / q(p.least)
    switches = log(T + 2, 2) + B_0 * error / firing
    statistical, warmup = q(p.range) * error / 2, (m - 1) * q(p.later) * switches
    found = (Q_W, Q_G, A_W, A_G, switches, statistical, warmup, statistical + warmup)
    return dict(zip((*THEOREM, *SHARP), (*found, Lambda, tau, Q, E, S_T, lost, warm, lost + warm), strict=True))


def fill(truth: Truth, tau: Any, delta: Any, T: int) -> Any:
    """The most that T episodes lose under a truth, each policy played as often as it takes to refute its models."""
    lost, left = mpmath.mpf(0), mpmath.mpf(T)
    for r, c in sorted(truth.costly, key=lambda each: each.regret, reverse=True):
        evidence = tau / 2 + mpmath.log(2 * max(truth.harmful, 1) / delta)
        n = min(left, 1 if c is None else 1 + evidence * c.denominator / c.numerator)
        lost, left = lost + n * r.numerator / r.denominator, left - n
    return lost
