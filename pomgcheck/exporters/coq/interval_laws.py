"""Laws of play on whole boxes, looked at as the checkers of ``formal/IntervalLaws.v`` do: what they will find is stated,
and nothing else.

Nothing here is trusted: where a sign does not show on halves of a box, or a number is wrong, Coq refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pomgcheck.kernel.boxes import Region, right_sign
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.operators import Memory
from pomgcheck.kernel.polynomials import Polynomial, polynomial, value

HALVINGS = 8  # ``fuel`` of formal/SymbolicValues.v
MAX_LAWS = 5_000  # trajectories of all policies in all pairs of cells


def axes_of(facts: Facts, *sides: str) -> list[str]:
    """Return the parameters in the order in which Coq halves their intervals."""
    parts = {"worlds": "theta", "responses": "Phi"}
    names = []
    for side in sides:
        part = facts.game.document[side]
        names += [f"{parts[side]}.{name}" for name in sorted(part.get("parameters") or (part.get("points") or [{}])[0])]
    return names


def halved(p: Polynomial, strict: bool, region: Region, axes: Sequence[str], halvings: int = HALVINGS) -> bool:
    """Return whether ``nonneg`` of ``formal/SymbolicValues.v`` finds the sign of a polynomial; it halves a parameter of
    one value too."""
    outside = any(right_sign(-constraint, region.box, True) for constraint in region.constraints)
    if outside or right_sign(p, region.box, strict):
        return True
    if not halvings or not axes:
        return False
    first, *rest = axes
    parts = [region]
    if first in region.box:
        parts = region.halves(first, str(sum(region.box[first]) / 2), "model")
    return all(halved(p, strict, part, [*rest, first], halvings - 1) for part in parts)


def too_much(facts: Facts) -> str:
    """Return why laws of play are not looked at on whole boxes, or ""."""
    game, models = facts.game, facts.continuum.models
    if any(game.divided.values()):
        return "laws that are quotients of polynomials"
    most = len(models) * len(game.policies) * (len(game.OA) * len(game.A)) ** game.H
    if most > MAX_LAWS:
        most = sum(sum(1 for _ in played(facts, p)) for p in range(len(game.policies))) * len(models)
    return "too many trajectories" if most > MAX_LAWS else ""


def played(facts: Facts, p: int) -> Iterator[Memory]:
    """Yield the trajectories that a policy can play, in the order of ``played`` of ``formal/IntervalLaws.v``."""
    game, space = facts.game, facts.space

    def walk(h: int, seen: Memory, uA: Memory) -> Iterator[Memory]:
        if h == game.H:
            yield seen
            return
        for o, a in product(range(len(game.OA)), range(len(game.A))):
            if game.policies[p][h][space.row(uA, o, True)][a]:
                yield from walk(h + 1, (*seen, o, a), space.next(uA, o, a, True))

    return walk(0, (), ())


def regions(facts: Facts) -> Mapping[Any, Region]:
    """Return the region of every pair of cells."""
    return {xi: facts.continuum.region(*xi) for xi in facts.continuum.models}


def least_laws(facts: Facts, B: Fraction) -> list[list[Fraction]] | None:
    """Return for every policy and trajectory a number m such that m <= P <= B m shows in all pairs of cells, or ``None``
    where it does not show."""
    found: list[list[Fraction]] = []
    known: dict[Any, Fraction | None] = {}
    boxes, axes = regions(facts), axes_of(facts, "worlds", "responses")
    for p, law in enumerate(facts.continuum.laws):
        found.append([])
        for seen in played(facts, p):
            laws = law[seen][1] if seen in law else dict.fromkeys(boxes, Polynomial())
            key = tuple(laws.items())
            if key not in known:
                known[key] = least_law(laws, boxes, axes, B)
            if (m := known[key]) is None:
                return None
            found[-1].append(m)
    return found


def least_law(
    laws: Mapping[Any, Polynomial], boxes: Mapping[Any, Region], axes: Sequence[str], B: Fraction
) -> Fraction | None:
    """Return a number m such that m <= P <= B m shows, from the least and the greatest value at corners."""
    ends = [value(P, corner) for xi, P in laws.items() for corner in corners(boxes[xi])]
    low, high = min(ends), max(ends) / B

    def shows(m: Fraction) -> bool:
        return all(
            halved(P - m, False, boxes[xi], axes) and halved(polynomial(B * m) - P, False, boxes[xi], axes)
            for xi, P in laws.items()
        )

    return next(filter(shows, dict.fromkeys((low, (low + high) / 2, high))), None)


def corners(region: Region) -> list[dict[str, Fraction]]:
    """Return the corners of a box that its constraints allow, or its middle."""
    ends = [[(name, end) for end in dict.fromkeys(sides)] for name, sides in region.box.items()]
    found = [dict(corner) for corner in product(*ends)]
    return [at for at in found if all(value(c, at) >= 0 for c in region.constraints)] or [region.centre()]


def positive_laws(facts: Facts) -> bool:
    """Return whether it shows that every prefix is impossible in all pairs of cells or has a positive law in all."""
    axes = axes_of(facts, "worlds", "responses")
    prefixes = {goal.statement(): goal for goal in facts.continuum.observations(Fraction(0))}
    return all(halved(goal.polynomial, True, goal.region, axes) for goal in prefixes.values())
