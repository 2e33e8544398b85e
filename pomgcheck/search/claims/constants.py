"""Theorem 3.3's explicit right side, which is the kernel's own, rounded up; and the first T at which it is below D T
(docs/bound.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from pomgcheck.kernel.bound import C_0, MONOTONE, C, Premises, below, sharp
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.claims.constants import outcome, premises
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.play import Play
from pomgcheck.search.continuum import Continuum
from pomgcheck.search.exact.boxes import Shown
from pomgcheck.search.exact.enclosures import length
from pomgcheck.search.extremes import Trees, corners
from pomgcheck.search.finding import Finding

DIGITS = 7
LONGEST = 30
MOST = 2**200  # where the search for T_star gives up
SHARES = (Fraction(0), Fraction(1, 1000), Fraction(1, 20), Fraction(1, 4), Fraction(3, 4))  # taken off a least chance


def first_below(p: Premises) -> int | None:
    """Return the least T at which the sharp bound is below D T: the first few one by one, then by growth and
    bisection."""
    for T in range(1, MONOTONE + 1):
        if below(p, T):
            return T
    low, high = MONOTONE, 16 * MONOTONE
    while not below(p, high):
        low, high = high, 16 * high
        if high > MOST:
            return None
    return least(lambda T: bool(below(p, T)), low, high)


def least(good: Callable[[int], bool], low: int, high: int) -> int:
    """Return the least number above ``low``, where something is not so, at which it is so as at ``high``."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def short_up(high: Fraction) -> str:
    """Return a rational of ``DIGITS`` significant digits, or an integer of at most ``LONGEST`` with zeros behind, that
    is at least ``high``."""
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
    settled = {
        claim: {"verdict": each.verdict, "values": each.values, "evidence": each.evidence}
        for claim, each in (*found.items(), ("regret", listed))
    }
    case = Case(Facts(game, options), "constants", {}, settled)
    stated = outcome(case).verdict
    if stated == "vacuous" and (game.finite or found["nonexpansive"].verdict == "proved"):
        return Finding("vacuous", "a premise is refuted", evidence={"rule": "eval"})
    if stated != "proved" or not draft.values:
        return Finding("unknown", "a premise is open")
    p = premises(case, Fraction(draft.values["least_observation"]))
    first = first_below(p)
    if first is None:
        return Finding("unknown", "the bound stays above D T as far as was looked")
    values = {f"{name}_upper": short_up(line.high) for name, line in sharp(p, options["T"]).items()}
    ends = {"lower": floor(C_0.low * 10**6), "upper": ceil(C_0.high * 10**6)}
    constant = {"c": str(C), "C_0": {name: str(Fraction(end, 10**6)) for name, end in ends.items()}}
    exact = {"T_star": str(first), "reward_range": str(p.range), "later_range": str(p.later)}
    evidence = {"rule": "bound"} | (draft.evidence or {})
    return Finding("proved", "the kernel's bound, rounded up", constant | exact | draft.values | values, evidence)


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
