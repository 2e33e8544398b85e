"""Assumption 3.1(f): a policy played on is answered by its settled response."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from ..case import PROVED, Case, Claim, OnIntervals, Outcome
from ..reading import Object, mapping, take


def outcome(case: Case) -> Outcome:
    """Return what reading the blocks has shown. For latest, mean and table rules m equal policies give the table's
    response; for fading g(z) is the z-average of the responses, and half their largest l1 distance bounds L_g."""
    facts = case.facts
    game = facts.game
    blocks = game.blocks if game.own or game.phis else facts.continuum.blocks
    if game.gamma is None:
        return PROVED
    if not blocks:
        return Outcome("unknown", {})
    L_g = spread(blocks, lambda _, gap: sum(map(abs, gap), Fraction(0)))
    return Outcome("proved", {"gamma": str(game.gamma), "L_g": str(L_g)})


def spread(blocks: Sequence[Mapping[Any, Any]], norm: Callable[[int, tuple[Any, ...]], Fraction]) -> Fraction:
    """Return half the largest norm of the difference of two responses in one row; ``norm`` is told the cell of Psi, by
    number."""
    gaps = dict.fromkeys(
        (k, tuple(x - y for x, y in zip(u, v, strict=True)))
        for k, tables in enumerate(blocks)
        for left, right in combinations(tables.values(), 2)
        for s, t in zip(left, right, strict=True)
        for u, v in zip(s, t, strict=True)
        if u != v
    )
    return max((norm(k, gap) for k, gap in gaps), default=Fraction(0)) / 2


def on_intervals(case: Case, evidence: Object) -> None:
    """Check L_g of a fading rule by Theorem 5.2: g(z) averages the responses, so half their largest l1 distance bounds
    L_g."""
    from ..goals import settle, width

    take(evidence, f"{case.id}.evidence", ("rule", "gaps", "trees"))
    continuum = case.facts.continuum
    gaps, trees = (mapping(evidence[key], f"{case.id}.{key}") for key in ("gaps", "trees"))
    goals: list[Any] = []
    L_g = spread(continuum.blocks, lambda k, gap: width(case, gap, continuum.phis[k].region, gaps, goals))
    settle(case, goals, trees)
    found = case.number("gamma"), case.number("L_g")
    if found != (case.facts.game.gamma, L_g):
        raise case.reject("box", f"gamma {found[0]}, L_g {found[1]}", f"{case.facts.game.gamma} and {L_g}")


CLAIM = Claim("warmup-stationary", "Assumption 3.1(f)", outcome, intervals=OnIntervals(("gamma", "L_g"), on_intervals))
