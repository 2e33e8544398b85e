"""Theorem 3.3's explicit right side in ball arithmetic, and the first T at which it is below H T (docs/bound.md).

The kernel computes the same lines with rational intervals; here they are written again, on python-flint's balls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import flint

from pomgcheck.kernel.game import Game

from .exact.enclosures import arb, rational_ends
from .finding import Finding
from .play import Walk

BITS = 256
DIGITS = 7
MOST = 2**200  # where the search for T_star gives up
ball = flint.arb


@dataclass(frozen=True)
class Numbers:
    """What the bound is made of: sizes, certified constants, delta and the rule's memory (``None`` when it fades)."""

    H: int
    B: int
    policies: int
    models: int
    increments: Fraction
    least: Fraction
    c_J: Fraction
    c_W: Fraction
    d_W: int
    d_G: int
    delta: Fraction
    memory: int | None
    gamma: Fraction = Fraction(0)
    L_g: Fraction = Fraction(0)

    @property
    def C_0(self) -> ball:
        """6(e-2)."""
        return 6 * (ball(1).exp() - 2)

    @property
    def B_0(self) -> ball:
        """max{1, B0_upper}."""
        return arb(self.increments).log().max(ball(1))

    def m(self, T: int) -> int:
        """The memory; for a fading rule ceil(log(2T)/(1-gamma))."""
        if self.memory is not None:
            return self.memory
        return max(1, ceiling(ball(2 * T).log() / arb(1 - self.gamma)))

    @property
    def transient(self) -> ball:
        """What a fading memory can move of a log-likelihood difference: B_0 ((e-1) H L_g + 2 log(8/delta))."""
        if self.memory is not None:
            return ball(0)
        drift = (ball(1).exp() - 1) * self.H * arb(self.L_g)
        return self.B_0 * (drift + 2 * arb(8 / self.delta).log())

    @property
    def residual(self) -> ball:
        """The value a fading memory can move over T episodes: H^2 L_g / 2."""
        return arb(self.H**2 * self.L_g / 2) if self.memory is None else ball(0)


def ceiling(x: ball) -> int:
    """The ceiling of a ball that holds no integer, or is one."""
    low, high = map(ceil, rational_ends(x))
    if low != high:
        raise ArithmeticError(f"the ceiling of {x} needs more than {BITS} bits")
    return low


def theorem(n: Numbers, T: int) -> dict[str, ball]:
    """The lines of the paper's route, in its order."""
    H, B_0, C_0, m = n.H, n.B_0, n.C_0, n.m(T)
    log_N, log_delta = ball(n.models).log(), -arb(n.delta).log()
    line: dict[str, ball] = {}
    line["Lambda_T"] = 5 * ball(2 * T).log() + log_delta
    line["beta_T"] = 16 * (log_N + line["Lambda_T"] + m * B_0) + 2 * n.transient
    line["C_B"] = ball(1).max(C_0 * B_0 / 4).max(7 * C_0 / 16)
    for channel, c in (("J", n.c_J), ("W", n.c_W)):
        line[f"R_{channel}"] = H * (2 + line["C_B"]) * line["beta_T"] / arb(min(c, Fraction(1)))
    line["R_G"] = 2 * (line["R_J"] + line["R_W"])
    line["cap"] = (6 if n.memory is None else 5) * line["beta_T"] + 4 * C_0 * B_0 * line["Lambda_T"] + B_0
    line["cap_W"] = H * line["cap"] / arb(min(n.c_W, Fraction(1)))
    line["cap_G"] = 2 * line["cap_W"] + 2 * H * line["cap"] / arb(min(n.c_J, Fraction(1)))
    for channel, d, b in (("W", n.d_W, 2 * n.B * H), ("G", n.d_G, 2 * H)):
        cap = line[f"cap_{channel}"]
        values = max(0, ceiling((2 * b / (cap / (2 * T)).sqrt()).log() / ball(2).log()))
        buckets = values * ceil_log2(4 * T)
        line[f"S_{channel}"] = d * (8 * line[f"R_{channel}"] + 16 * cap) * buckets + cap
    error = (T * (2 * line["S_W"] + 2 * line["S_G"])).sqrt() / arb(n.least)
    terminations = 32 * B_0 / (3 * 16 * (1 + m * B_0)) * error
    line["switches"] = 1 + ball(2 * T).log() / ball(2).log() + terminations
    line["statistical"] = H * error / 2 + n.residual
    line["warmup"] = (m - 1) * H * line["switches"]
    line["regret"] = line["statistical"] + line["warmup"]
    return line


def ceil_log2(x: int) -> int:
    """ceil(log2 x) of a positive integer."""
    k = 0
    while 2**k < x:
        k += 1
    return k


def sharp(n: Numbers, T: int) -> dict[str, ball]:
    """The lines of the route for finite classes."""
    H, B_0, C_0, m = n.H, n.B_0, n.C_0, n.m(T)
    log_N, log_delta, log_8 = ball(n.models).log(), -arb(n.delta).log(), arb(8 / n.delta).log()
    line: dict[str, ball] = {}
    line["sharp_Lambda_T"] = 2 * (ball(T + 1) * (T + 2) / 2).log() + log_delta
    beta = 16 * (log_N + line["sharp_Lambda_T"] + m * B_0) + 2 * n.transient
    tau = 2 * beta + C_0 * B_0 * line["sharp_Lambda_T"]
    line["model_evidence"] = 2 * tau + 2 * n.transient + 2 * C_0 * B_0 * (log_N + log_8) + B_0
    line["evidence"] = line["model_evidence"] * ball(n.models - 1).min(n.policies * (1 + ball(T).log()))
    line["sharp_switches"] = ball(T + 2).log() / ball(2).log() + line["evidence"] / (
        arb(Fraction(7, 12)) * 16 * (log_N + log_8 + m * B_0)
    )
    line["sharp_statistical"] = H * (T * line["evidence"] / 2).sqrt() + n.residual
    line["sharp_warmup"] = (m - 1) * H * line["sharp_switches"]
    line["sharp_regret"] = line["sharp_statistical"] + line["sharp_warmup"]
    return line


def first_below(n: Numbers) -> int | None:
    """The least T at which the sharp bound is below H T: the first few one by one, then by doubling and bisection."""

    def below(T: int) -> bool:
        return bool(sharp(n, T)["sharp_regret"] < n.H * T)

    for T in range(1, 9):
        if below(T):
            return T
    low, high = 8, 16
    while not below(high):
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if below(middle) else (middle, high)
    return high


def least_observation(walks: Sequence[Walk]) -> Fraction:
    """The least probability of a possible observation given what came before it, over policies and models."""
    best = Fraction(1)
    for walk in walks:
        for prefix in walk.prefixes:
            for before, after in zip(prefix.mass_before.tolist(), prefix.mass_after.tolist(), strict=True):
                if after:
                    best = min(best, Fraction(int(after), int(before * walk.t.step)))
    return best


def short_up(x: ball) -> str:
    """A rational of ``DIGITS`` significant digits, or an integer, at least every point of the ball."""
    high = rational_ends(x)[1]
    if not high:
        return "0"
    size = len(str(int(high))) if high >= 1 else 1 - len(str(int(1 / high)))
    scale = 10 ** max(0, DIGITS - size)
    return str(Fraction(ceil(high * scale), scale))


def drafted(walks: Sequence[Walk]) -> Finding:
    """What the bound needs of the walks, before the other claims are in."""
    return Finding("unknown", "draft", {"least_observation": str(least_observation(walks))})


def constants(game: Game, options: Mapping[str, Any], found: Mapping[str, Finding], draft: Finding) -> Finding:
    """Theorem 3.3 from the claims before it: refuted ones leave it nothing to say, open ones leave it open."""
    verdicts = {finding.verdict for finding in found.values()}
    if game.finite and "refuted" in verdicts:
        return Finding("vacuous", "a premise is refuted", evidence={"rule": "eval"})
    if not game.finite or "unknown" in verdicts or not draft.values:
        return Finding("unknown", "a premise is open")
    if game.gamma is not None and not same_supports(game):
        return Finding("unknown", "responses to different policies have different supports")
    known: dict[str, Any] = {name: value for finding in found.values() for name, value in finding.values.items()}
    n = Numbers(
        game.H, len(game.B), len(game.policies), int(known["log_covering_upper"]["log_of"]),
        Fraction(known["B0_upper"]["log_of"]), Fraction(draft.values["least_observation"]),
        Fraction(known.get("c_KL_joint_lower", 1)), Fraction(known.get("c_KL_world_lower", 1)),
        int(known["d_W_upper"]), int(known["d_G_upper"]), Fraction(options["delta"]), game.m,
        game.gamma or Fraction(0), Fraction(known.get("L_g", 0)),
    )  # fmt: skip
    with flint.ctx.workprec(BITS):
        first = first_below(n)
        if first is None:
            return Finding("unknown", "the bound stays above H T as far as was looked")
        low, high = rational_ends(n.C_0)
        C_0 = {"lower": str(Fraction(int(low * 10**6), 10**6)), "upper": str(Fraction(ceil(high * 10**6), 10**6))}
        lines = theorem(n, options["T"]) | sharp(n, options["T"])
        values = {f"{name}_upper": short_up(value) for name, value in lines.items()}
    stated: dict[str, Any] = {"c": "16", "C_0": C_0, "T_star": str(first)}
    return Finding("proved", "ball arithmetic", stated | draft.values | values, {"rule": "bound"},
                   solvers={"python-flint": flint.__version__})  # fmt: skip


def same_supports(game: Game) -> bool:
    """Whether each response gives every policy's answer the same possible actions, row by row."""
    return all(
        (x > 0) == (y > 0)
        for response in game.responses
        for tables in response[1:]
        for first, other in zip(response[0], tables, strict=True)
        for left, right in zip(first, other, strict=True)
        for x, y in zip(left, right, strict=True)
    )
