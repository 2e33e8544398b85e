"""Posteriors on whole boxes, looked at as the checkers of ``formal/IntervalPosteriors.v`` do: what they will find is
stated, and nothing else.

Nothing here is trusted: where a sign does not show on halves of a box, or L is too small, Coq refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

from pomgcheck.exporters.coq.interval_laws import HALVINGS, axes_of, corners, halved
from pomgcheck.kernel.boxes import Region, right_sign
from pomgcheck.kernel.claims.posterior_lipschitz import Compared, comparisons
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.polynomials import Polynomial, polynomial, value

MAX_PAIRS = 5_000  # of policies, or of blocks, at histories
Cut = tuple[str, Fraction]  # an axis, and where it is cut
Gaps = list[
    list[list[list[Fraction]]]
]  # by q, p < q, step and row of the responses' tables; or by the numbers of two blocks


def too_many(facts: Facts) -> str:
    """Return why the posteriors are not looked at on whole boxes, or ""."""
    game = facts.game
    if any(game.divided.get(tuple(cell.values.items())) for cell in facts.continuum.thetas):
        return "posteriors of kernels that are quotients of polynomials"
    histories = sum((len(game.OB) * len(game.B)) ** h * len(game.OB) for h in range(game.H))
    of_blocks = game.block_rule == "table"
    pairs = histories * comb(len(game.policies) ** (game.m or 1) if of_blocks else len(game.policies), 2)
    return f"too many pairs of {'blocks' if of_blocks else 'policies'} at histories" if pairs > MAX_PAIRS else ""


def gaps_shown(facts: Facts, L: Fraction, stated: Iterable[Fraction], cuts: Sequence[Cut]) -> Gaps | None:
    """Return for every two policies (or blocks), step and row a bound of how far the responses are apart on Psi, of which it shows
    that it is one and that L times the distance of the posteriors is at least as large, or ``None`` where it does not
    show. ``stated`` are bounds that the evidence has, and ``cuts`` where it cuts regions to compare blocks."""
    continuum = facts.continuum
    known: dict[Any, Fraction | None] = {}
    answers, stated = axes_of(facts, "responses"), sorted({*stated})

    def bound(k: int, vector: Sequence[Any]) -> Fraction | None:
        key = k, tuple(vector)
        if key not in known:
            known[key] = least_gap([polynomial(x) for x in vector], continuum.phis[k].region, answers, stated)
        return known[key]

    found: Gaps = []
    of_blocks = facts.game.block_rule == "table"
    blocks = [[table[block] for block in facts.game.block_list()] for table in continuum.blocks] if of_blocks else []
    tables = blocks or continuum.responses
    for q in range(len(tables[0])):
        found.append([[] for _ in range(q)])
        for p, h in product(range(q), range(facts.game.H)):
            rows = [zip(table[p][h], table[q][h], strict=True) for table in tables]
            found[q][p].append([])
            for pairs in zip(*rows, strict=True):
                bounds = [bound(k, [a - b for a, b in zip(u, v, strict=True)]) for k, (u, v) in enumerate(pairs)]
                if None in bounds:
                    return None
                found[q][p][h].append(max(filter(None, bounds), default=Fraction(0)))
    worlds = axes_of(facts, "worlds")
    for compared in comparisons(facts, lambda k, vector: bound(k, vector) or Fraction(0)):
        if of_blocks:
            shown = some_shown(compared._replace(elsewhere=False), compared.region, L, worlds, cuts)
        else:
            goals = compared.goals(None, compared.region, L, "signs")
            shown = all(halved(polynomial(p), strict, region, worlds) for p, strict, region in goals)
        if not shown:
            return None
    return found


def cuts_of(choice: Any) -> Iterator[Cut]:
    """Yield where the evidence cuts a region to choose on its parts."""
    match choice:
        case ["split", str(axis), t, below, above]:
            yield axis, Fraction(t)
            yield from cuts_of(below)
            yield from cuts_of(above)


def some_shown(compared: Compared, region: Region, L: Fraction, axes: Sequence[str], cuts: Sequence[Cut]) -> bool:
    """Return whether ``some_on_parts`` of ``formal/IntervalPosteriors.v`` finds on every part of the region a pair of
    policies whose posteriors are far enough apart, with the signs at the centre of the part; it is cut at the stated
    places first, then halved."""

    def found(part: Region) -> bool:
        for k, posterior in enumerate(compared.posteriors):
            signs = [1 if x >= 0 else -1 for x in posterior.at(part.centre())[0]]
            if all(
                right_sign(polynomial(p), part.box, False) for p, *_ in compared.goals([k, *signs], part, L, "signs")
            ):
                return True
        return False

    def on_halves(part: Region, axes: Sequence[str], halvings: int) -> bool:
        if found(part) or any(right_sign(-constraint, part.box, True) for constraint in part.constraints):
            return True
        if not halvings or not axes:
            return False
        first, *rest = axes
        parts = part.halves(first, str(sum(part.box[first]) / 2), "model") if first in part.box else [part]
        return all(on_halves(each, [*rest, first], halvings - 1) for each in parts)

    def on_parts(part: Region, cuts: Sequence[Cut]) -> bool:
        if not cuts:
            return on_halves(part, axes, HALVINGS)
        (axis, t), *rest = cuts
        low, high = part.box.get(axis, (t, t))
        parts = part.halves(axis, str(t), "model") if low < t < high else [part]
        return found(part) or all(on_parts(each, rest) for each in parts)

    return on_parts(region, cuts)


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
