"""Posteriors on whole boxes, looked at as the checkers of ``formal/IntervalPosteriors.v`` do: what they will find is
stated, and nothing else.

Nothing here is trusted: where a sign does not show on halves of a box, or L is too small, Coq refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from pomgcheck.exporters.coq.interval_laws import axes_of, corners, halved
from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.claims.posterior_lipschitz import comparisons
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.polynomials import Polynomial, polynomial, value

MAX_PAIRS = 5_000  # of policies at histories
Gaps = list[list[list[list[Fraction]]]]  # by q, p < q, step and row of the responses' tables


def too_many(facts: Facts) -> str:
    """Return why the posteriors are not looked at on whole boxes, or ""."""
    game = facts.game
    if game.block_rule == "table":
        return "a table of blocks"
    if any(game.divided.get(tuple(cell.values.items())) for cell in facts.continuum.thetas):
        return "posteriors of kernels that are quotients of polynomials"
    histories = sum((len(game.OB) * len(game.B)) ** h * len(game.OB) for h in range(game.H))
    pairs = histories * len(game.policies) * (len(game.policies) - 1) // 2
    return "too many pairs of policies at histories" if pairs > MAX_PAIRS else ""


def gaps_shown(facts: Facts, L: Fraction, stated: Iterable[Fraction]) -> Gaps | None:
    """Return for every two policies, step and row a bound of how far the responses are apart on Psi, of which it shows
    that it is one and that L times the distance of the posteriors is at least as large, or ``None`` where it does not
    show. ``stated`` are bounds that the evidence has."""
    continuum = facts.continuum
    known: dict[Any, Fraction | None] = {}
    answers, stated = axes_of(facts, "responses"), sorted({*stated})

    def bound(k: int, vector: Sequence[Any]) -> Fraction | None:
        key = k, tuple(vector)
        if key not in known:
            known[key] = least_gap([polynomial(x) for x in vector], continuum.phis[k].region, answers, stated)
        return known[key]

    found: Gaps = []
    for q in range(len(facts.game.policies)):
        found.append([[] for _ in range(q)])
        for p, h in product(range(q), range(facts.game.H)):
            rows = [zip(table[p][h], table[q][h], strict=True) for table in continuum.responses]
            found[q][p].append([])
            for pairs in zip(*rows, strict=True):
                bounds = [bound(k, [a - b for a, b in zip(u, v, strict=True)]) for k, (u, v) in enumerate(pairs)]
                if None in bounds:
                    return None
                found[q][p][h].append(max(filter(None, bounds), default=Fraction(0)))
    worlds = axes_of(facts, "worlds")
    for compared in comparisons(facts, lambda k, vector: bound(k, vector) or Fraction(0)):
        for p, strict, region in compared.goals(None, compared.region, L, "signs"):
            if not halved(polynomial(p), strict, region, worlds):
                return None
    return found


def least_gap(
    vector: Sequence[Polynomial], region: Region, axes: Sequence[str], stated: Sequence[Fraction]
) -> Fraction | None:
    """Return the least bound of the l1 norm that shows, among its greatest value at corners and the bounds stated."""
    low = max(sum((abs(value(x, corner)) for x in vector), Fraction(0)) for corner in corners(region))
    asked = [low, *(gap for gap in stated if gap > low)]
    return next((gap for gap in asked if within(vector, gap, region, axes)), None)


def within(vector: Sequence[Polynomial], gap: Fraction, region: Region, axes: Sequence[str]) -> bool:
    """Return whether it shows that the l1 norm is at most ``gap``, for every choice of signs."""
    signed = (zip(vector, signs, strict=True) for signs in product((1, -1), repeat=len(vector)))
    return all(halved(gap - sum((x * s for x, s in each), Polynomial()), False, region, axes) for each in signed)


def spread_shown(facts: Facts, gap: Fraction) -> bool:
    """Return whether it shows that any two responses in a row are at most ``gap`` apart."""
    answers, tables = axes_of(facts, "responses"), facts.continuum.responses
    differences = dict.fromkeys(
        (k, tuple(polynomial(a - b) for a, b in zip(u, v, strict=True)))
        for k, table in enumerate(tables)
        for left, right in combinations(table, 2)
        for steps in zip(left, right, strict=True)
        for u, v in zip(*steps, strict=True)
    )
    return all(within(vector, gap, facts.continuum.phis[k].region, answers) for k, vector in differences)
