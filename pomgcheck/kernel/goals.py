"""Goals: inequalities between polynomials on a region of a class, shown by trees of rule ``box``."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from .boxes import Region, holds, right_sign
from .case import Case
from .continua import Goal, goal
from .polynomials import Polynomial, TooLarge, names, polynomial, primitive, text
from .reading import Object, mapping, rational, sequence

MAX_SIGNS = 12  # actions of the adversary in the l1 norm of a difference that varies


def settle(case: Case, goals: Iterable[Goal], trees: Object) -> None:
    """Check that every goal holds on its whole region, or by the tree that its statement names."""
    settled: dict[str, Goal] = {}
    for each in goals:
        if settled.get(name := each.statement()) == each:
            continue
        settled[name] = each
        try:
            shown = right_sign(each.polynomial, each.region.box, each.strict) or (
                name in trees and holds(each.polynomial, each.strict, each.region, trees[name], f"{case.id}.trees")
            )
        except TooLarge:
            raise case.reject("box", f"the goal {name[:200]}", "a polynomial of moderate degree") from None
        if case.goals is not None:
            case.goals.append(each)
        if not shown:
            raise case.reject("box", f"no proof of {name[:200]}", "a tree whose leaves show it")


class Bounds:
    """These are rational bounds that the evidence states of polynomials, each a goal still to be settled."""

    def __init__(self, case: Case, stated: object, goals: list[Goal]) -> None:
        self.case, self.stated, self.goals = case, mapping(stated, f"{case.id}.bounds"), goals

    def of(
        self, p: Polynomial, region: Region, within: tuple[Fraction, Fraction] | None = None
    ) -> tuple[Fraction, Fraction]:
        """Return numbers with low <= p <= high on the region; ``within`` if none are stated."""
        scale, whole = primitive(p)
        if not names(whole):
            return (scale * whole.get((), 0),) * 2
        where = f"{self.case.id}.bounds[{text(whole)[:80]}]"
        if text(whole) not in self.stated:
            if within:
                return within
            raise self.case.reject("box", f"no bounds of {text(whole)[:200]}", "two numbers")
        low, high = (rational(x, where) for x in sequence(self.stated[text(whole)], where, 2))
        self.goals += [goal(whole - low, False, region), goal(high - whole, False, region)]
        return scale * low, scale * high


def width(case: Case, vector: tuple[Any, ...], region: Region, gaps: Object, goals: list[Goal]) -> Fraction:
    """Return a bound of ||vector||_1 on the region: its value if constant, else as stated, a goal for each choice of
    signs."""
    parts = [primitive(polynomial(x)) for x in vector]
    if not names(*(whole for _, whole in parts)):
        return sum((abs(scale * whole.get((), 0)) for scale, whole in parts), Fraction(0))
    name = ", ".join(f"{scale}*({text(whole)})" for scale, whole in parts)
    if name not in gaps or len(vector) > MAX_SIGNS:
        raise case.reject("box", f"no bound of the difference {name[:200]}", f"one, for at most {MAX_SIGNS} actions")
    gap = rational(gaps[name], f"{case.id}.gaps")
    for signs in product((1, -1), repeat=len(vector)):
        goals.append(goal(gap - sum((x * s for x, s in zip(vector, signs, strict=True)), Polynomial()), False, region))
    return gap
