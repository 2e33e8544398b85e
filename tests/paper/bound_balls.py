"""The explicit bound in ball arithmetic (python-flint's arb), written from docs/bound.md once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, prod

import flint

from pomgcheck.kernel.nested import Truth
from pomgcheck.kernel.rewards import Ranges
from pomgcheck.search.exact.enclosures import arb, rational_ends

BITS = 256
ball = flint.arb


@dataclass(frozen=True)
class Net:
    """This is the grid of `covering`: ``counts`` points along the axes in each of ``cells`` cells, made for ``T``."""

    cells: int
    counts: tuple[int, ...]
    T: int

    def points(self, T: int) -> int:
        """Return the points of a grid as fine at another T."""
        return self.cells * prod(ceil(Fraction(count * (T + 2), self.T + 2)) for count in self.counts)


@dataclass(frozen=True)
class Numbers:
    """The bound is made of these: sizes, certified constants, delta, the rule's memory (``None`` when it fades), the
    ranges of rewards, D (H where it is not known), and what the claim ``regret`` has of every truth."""

    H: int
    policies: int
    models: int
    increments: Fraction
    delta: Fraction
    memory: int | None
    rewards: Ranges
    dearest: Fraction
    gamma: Fraction = Fraction(0)
    L_g: Fraction = Fraction(0)
    net: Net | None = None
    slope: Fraction = Fraction(0)
    truths: tuple[Truth, ...] | None = None

    def log_N(self, T: int) -> ball:
        """Return the number of models, or of points of the net at 1/(2T+4)."""
        return ball(self.net.points(T) if self.net else self.models).log()

    @property
    def C_0(self) -> ball:
        """Return 6(e-2)."""
        return 6 * (ball(1).exp() - 2)

    @property
    def B_0(self) -> ball:
        """Return max{1, B0_upper}, and the slope of log-likelihoods if that is more, where there is a net."""
        return arb(self.increments).log().max(ball(1)).max(arb(self.slope))

    def m(self, T: int) -> int:
        """Return the memory; for a fading rule ceil(log(2T)/(1-gamma))."""
        if self.memory is not None:
            return self.memory
        return max(1, ceiling(ball(2 * T).log() / arb(1 - self.gamma)))

    @property
    def transient(self) -> ball:
        """Return how much a fading memory can move a log-likelihood difference: B_0 ((e-1) H L_g + 2 log(8/delta))."""
        if self.memory is not None:
            return ball(0)
        drift = (ball(1).exp() - 1) * self.H * arb(self.L_g)
        return self.B_0 * (drift + 2 * arb(8 / self.delta).log())

    @property
    def residual(self) -> ball:
        """Return how much a fading memory can move the value over T episodes: H^2 L_g / 2."""
        return arb(self.H**2 * self.L_g / 2) if self.memory is None else ball(0)


def ceiling(x: ball) -> int:
    """Return the ceiling of a ball that holds no integer, or is one."""
    low, high = map(ceil, rational_ends(x))
    if low != high:
        raise ArithmeticError(f"the ceiling of {x} needs more than {BITS} bits")
    return low


def ceil_log2(x: int) -> int:
    """Return ceil(log2 x) of a positive integer."""
    k = 0
    while 2**k < x:
        k += 1
    return k


def sharp(n: Numbers, T: int) -> dict[str, ball]:
    """Return the lines of the bound, in their order: for finite classes, and with nets for others."""
    B_0, C_0, m, others = n.B_0, n.C_0, n.m(T), n.policies - 1
    log_N, log_delta, log_8 = n.log_N(T), -arb(n.delta).log(), arb(8 / n.delta).log()
    level, epochs = ceil_log2(T + 2), n.policies * (1 + ball(T).log())
    log_u = arb(4 * (level + 1) * (level + 2) / n.delta).log() if n.net else log_8
    line: dict[str, ball] = {}
    line["sharp_Lambda_T"] = 2 * (ball(T + 1) * (T + 2) / 2).log() + log_delta
    beta = 16 * (log_N + line["sharp_Lambda_T"] + m * B_0) + 2 * n.transient
    tau = line["sharp_threshold"] = 2 * beta + C_0 * B_0 * line["sharp_Lambda_T"] + n.transient
    line["model_evidence"] = ball("inf")
    for k in range(1, 9):
        eta = ball(k) / 16
        nearest = (2 - eta) * B_0 if n.net else ball(0)
        most = (tau + nearest + C_0 / 2 * B_0 * (log_N + log_u) / eta) / (1 - eta) + B_0
        line["model_evidence"] = line["model_evidence"].min(most)
    line["evidence"] = line["model_evidence"] * (epochs if n.net else epochs.min(ball(n.models - 1)))
    firing = (log_8 + m * B_0) / 2 if n.net else arb(Fraction(7, 12)) * (log_N + log_8 + m * B_0)
    line["sharp_switches"] = ball(T + 2).log() / ball(2).log() + line["evidence"] / (16 * firing)
    k = others if n.net else min(others, n.models - 1)
    lost = arb(n.rewards.optimism) * (T * line["model_evidence"] * k / 2).sqrt()
    if n.truths is not None:
        lost = lost.min(dearest_first(n.truths, tau / 2, n.delta, T))
    line["sharp_statistical"] = lost + n.residual
    line["sharp_warmup"] = (m - 1) * arb(n.rewards.later) * line["sharp_switches"]
    line["sharp_regret"] = line["sharp_statistical"] + line["sharp_warmup"]
    return line


def dearest_first(truths: Sequence[Truth], evidence: ball, delta: Fraction, T: int) -> ball:
    """Return the most that T data episodes lose under some truth, where ``evidence`` against a model refutes it."""
    worst = ball(0)
    for truth in truths:
        left, lost = ball(T), ball(0)
        union = arb(2 * max(truth.harmful, 1) / delta).log()
        for each in sorted(truth.costly, key=lambda each: each.regret, reverse=True):
            most = ball(1) if each.c is None else 1 + (evidence + union) / arb(each.c)
            played = left.min(most)
            left, lost = left - played, lost + arb(each.regret) * played
        worst = worst.max(lost)
    return worst
