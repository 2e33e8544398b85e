"""Theorem 3.3's explicit right side in ball arithmetic, and the first T at which it is below D T (docs/bound.md).

The kernel computes the same lines with rational intervals; here they are written again, on python-flint's balls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, prod
from typing import Any

import flint

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Truth
from pomgcheck.kernel.parameters import read_axes
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.rewards import Ranges, ranges
from pomgcheck.search.continuum import Continuum
from pomgcheck.search.exact.boxes import Shown
from pomgcheck.search.exact.enclosures import arb, length, rational_ends
from pomgcheck.search.extremes import Trees, corners
from pomgcheck.search.finding import Finding

BITS = 256
DIGITS = 7
LONGEST = 30
MOST = 2**200  # where the search for T_star gives up
SHARES = (Fraction(0), Fraction(1, 1000), Fraction(1, 20), Fraction(1, 4), Fraction(3, 4))  # taken off a least chance
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


def first_below(n: Numbers) -> int | None:
    """Return the least T at which the sharp bound is below D T: the first few one by one, then by doubling and
    bisection."""

    def below(T: int) -> bool:
        return bool(sharp(n, T)["sharp_regret"] < arb(n.dearest * T))

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


def short_up(x: ball) -> str:
    """Return a rational of ``DIGITS`` significant digits, or an integer of at most ``LONGEST`` with zeros behind, that
    is at least every point of the ball.

    The kernel, whose numbers have fewer bits, must find no more.
    """
    high = rational_ends(x)[1]
    if not high:
        return "0"
    size = length(int(high)) if high >= 1 else 1 - length(int(1 / high))
    scale = Fraction(10) ** (max(0, DIGITS - size) - max(0, size - LONGEST))
    return str(ceil(high * scale) / scale)


def drafted(walks: Sequence[Play]) -> Finding:
    """Return what the bound needs of the walks, before the other claims are in."""
    least = min(play.least_observation() for play in walks)
    return Finding("unknown", "draft", {"least_observation": str(least)} if least else {}, {})


def constants(
    game: Game, options: Mapping[str, Any], found: Mapping[str, Finding], draft: Finding, listed: Finding
) -> Finding:
    """Return what is found for Theorem 3.3 from the claims before it: refuted ones leave it nothing to say, and open
    ones leave it open.

    ``listed`` is the claim ``regret``, which is not a premise: where it is there, what it has of every truth sharpens
    the bound.
    """
    verdicts = {finding.verdict for finding in found.values()}
    if "refuted" in verdicts and (game.finite or found["nonexpansive"].verdict == "proved"):
        return Finding("vacuous", "a premise is refuted", evidence={"rule": "eval"})
    if {"unknown", "refuted"} & verdicts or not draft.values:
        return Finding("unknown", "a premise is open")
    if game.gamma is not None and not same_supports(game):
        return Finding("unknown", "responses to different policies have different supports")
    known: dict[str, Any] = {name: value for finding in found.values() for name, value in finding.values.items()}
    n = Numbers(
        game.H,
        len(game.policies),
        int(known["log_covering_upper"]["log_of"]),
        Fraction(known["B0_upper"]["log_of"]),
        Fraction(options["delta"]),
        game.m,
        ranges(game),
        Fraction(listed.values["D"] if game.finite and listed.verdict == "proved" else game.H),
        game.gamma or Fraction(0),
        Fraction(known.get("L_g", 0)),
        None if game.finite else net_of(game, found, known, options),
        Fraction(known.get("log_likelihood_lipschitz_upper", 0)),
        truths_of(listed) if game.finite else None,
    )
    with flint.ctx.workprec(BITS):
        first = first_below(n)
        if first is None:
            return Finding("unknown", "the bound stays above D T as far as was looked")
        low, high = rational_ends(n.C_0)
        C_0 = {"lower": str(Fraction(int(low * 10**6), 10**6)), "upper": str(Fraction(ceil(high * 10**6), 10**6))}
        values = {f"{name}_upper": short_up(value) for name, value in sharp(n, options["T"]).items()}
    stated: dict[str, Any] = {"c": "16", "C_0": C_0, "T_star": str(first)}
    stated |= {"reward_range": str(n.rewards.optimism), "later_range": str(n.rewards.later)}
    evidence = {"rule": "bound"} | (draft.evidence or {})
    return Finding(
        "proved",
        "ball arithmetic",
        stated | draft.values | values,
        evidence,
        solvers={"python-flint": flint.__version__},
    )


def truths_of(listed: Finding) -> tuple[Truth, ...] | None:
    """Return what the claim ``regret`` has of every truth; the tuple is empty where nothing can be lost, and ``None``
    stands for a claim that is open."""
    if listed.verdict == "unknown":
        return None
    evidence = listed.evidence or {}
    return tuple(map(Truth.read, evidence["truths"])) if listed.verdict == "proved" else ()


def net_of(game: Game, found: Mapping[str, Finding], known: Mapping[str, Any], options: Mapping[str, Any]) -> Net:
    """Return the grid behind log_covering_upper."""
    grid = (found["covering"].evidence or {})["grid"]
    cells = int(known["log_covering_upper"]["log_of"]) // prod(grid.values())
    axes = sum(
        len(read_axes(game.document[side], side)[1])
        for side, points in (("worlds", game.thetas), ("responses", game.phis))
        if points is None
    )
    return Net(cells, (*grid.values(), *[1] * (axes - len(grid))), options["T"])


def drafted_on_intervals(c: Continuum) -> Finding:
    """Return the least chance of a possible observation over the class, or a little less where that is not shown.

    For a fading rule also return that all policies are answered with the same actions.
    """
    at: dict[Any, Fraction] = {}
    for xi, before, after in c.observations:
        cell = c.cell_of(xi)
        for point in corners(cell, c.ring.parameters(before + after)):
            over, under = c.ring.quotient_value(after, point), c.ring.quotient_value(before, point)
            if over and under:
                at[xi, str(before), str(after)] = min(at.get((xi, str(before), str(after)), Fraction(1)), over / under)
    least = min(at.values(), default=Fraction(1))
    for share in SHARES:
        trees, chance = Trees(c), least * (1 - share)
        goals = [
            c.goal(after - before * c.ring.constant(chance), False, c.cell_of(xi))
            for xi, before, after in c.observations
        ]
        goals += c.same_actions() if c.game.gamma is not None else ()
        if all(isinstance(trees.ask(goal), Shown) for goal in goals):
            return Finding("unknown", "draft", {"least_observation": str(chance)}, {"trees": trees.trees})
    return Finding("unknown", "no least chance of an observation is shown")


def same_supports(game: Game) -> bool:
    """Return whether each response gives every policy's answer the same possible actions, row by row."""
    return all(
        (x > 0) == (y > 0)
        for response in game.responses
        for tables in response[1:]
        for first, other in zip(response[0], tables, strict=True)
        for left, right in zip(first, other, strict=True)
        for x, y in zip(left, right, strict=True)
    )
