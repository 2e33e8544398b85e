"""Assumption 3.1(e): the largest c_KL, bracketed, or two models with one law of play and different operators."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pomgcheck.kernel.claims.kl import MAX_BITS
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.play import COARSE, Play
from pomgcheck.search.exact import enclosures
from pomgcheck.search.finding import Finding, Labels

SLACK = Fraction(1, 10**9)  # how far below the least ratio c is stated
MARGIN = 1 + 1e-6  # of floats
TINY = 1e-300
SHARP = 10**15  # a quotient is bracketed until its ends differ by less than so small a part


class Compared(NamedTuple):
    """Models xi*, xi under a policy, with a number that is at most KL / Delta."""

    least: float
    play: Play
    x: Any
    y: Any


class Unsettled(Exception):
    """A quotient that the enclosures of a certificate are too coarse for."""


def quotient(play: Play, x: Any, y: Any, compared: Any) -> tuple[Fraction, Fraction]:
    """KL / Delta, bracketed.  Raises ``Unsettled`` where no precision that a certificate may use is enough."""
    bits = COARSE
    while bits <= MAX_BITS:
        (lo, hi), (least, most) = play.divergence(x, y, bits), play.squares(x, compared, bits)
        if 0 < lo and 0 < least and (hi - lo) * SHARP < lo and (most - least) * SHARP < least:
            return Fraction(lo, most << bits), Fraction(hi, least << bits)
        bits *= 2
    raise Unsettled


def compared_models(play: Play, world: bool) -> list[Compared] | tuple[Any, Any]:
    """All pairs of models with different operators and a finite divergence; or two of one law of play."""
    found, most = [], bounds(play, world) if play.many else None
    for x, y in product(play.models, repeat=2):
        other = y[0] if world else y
        if play.differs(x, other):
            if play.same_law(x, y):
                return x, y
            if not play.divergent(x, y):
                least = 0.0 if most is None else play.divergence(x, y, COARSE)[0] / (1 << 2 * COARSE) / most[x, other]
                found.append(Compared(least, play, x, y))
    return found


def bounds(play: Play, world: bool) -> dict[tuple[Any, Any], float]:
    """What Delta is at most for every model xi* and model (world), by second moments and Minkowski's inequality, as the
    kernel does it (``most``), in floats with a margin."""
    others = [y for y in dict.fromkeys(play.alike.values()) if isinstance(y, tuple) != world]
    unit = play.scaled.W if world else play.scaled.J
    rows = {
        place: np.array(
            [
                [[e / unit for e in column] for column in play.columns(place, play.same(place)[y], states)]
                for y in others
            ]
        )
        for place, states in play.pure.items()
    }
    found: dict[tuple[Any, Any], float] = {}
    for x in play.models:
        whole, own = np.zeros(len(others)), others.index(x[0] if world else x)
        for place, moments in play.moments(x).items():
            matrix = np.array([[m / (1 << COARSE) for m in row] for row in moments.matrix])
            moved = rows[place] - rows[place][own]  # [others, states, rows]
            means = np.einsum("ysk,st,ytk->yk", moved, matrix, moved, optimize=True)
            whole += np.sqrt(np.maximum(means, 0.0)).sum(axis=1) ** 2
        found |= {(x, y): float(most) * MARGIN + TINY for y, most in zip(others, whole, strict=True)}
    return found


def kl_conversion(game: Game, walks: Sequence[Play], world: bool) -> Finding:
    """Least KL / Delta over (xi*, xi, pi), bracketed; where models are many, of those alone for which second moments
    do not show that another pair has less."""
    labels, name = Labels(game), "c_KL_world" if world else "c_KL_joint"
    every: list[Compared] = []
    for play in walks:
        found = compared_models(play, world)
        if isinstance(found, tuple):
            return Finding("refuted", "equal laws of play", witness=equal_laws(labels, play, *found, world))
        every += found
    if not every:
        return Finding(
            "vacuous", "no pair of models with different operators and finite divergence", evidence={"rule": "eval"}
        )
    best: tuple[Fraction, Fraction, Compared] | None = None
    try:
        for each in sorted(every, key=lambda each: each.least):
            if best and each.least >= best[0]:
                break
            low, high = quotient(each.play, each.x, each.y, each.y[0] if world else each.y)
            if best is None or low < best[0]:
                best = low, high, each
    except Unsettled:
        return Finding("unknown", f"a divergence too small for enclosures of {MAX_BITS} bits")
    assert best is not None
    low, high, each = best
    values = {
        f"{name}_lower": str(enclosures.round_down(low * (1 - SLACK))),
        f"{name}_upper": str(enclosures.round_up(high)),
    }
    attained = {"xi_star": labels.xi(each.x), "xi": labels.xi(each.y), "pi": labels.policy(each.play.p)}
    return Finding("proved", f"{len(every)} pairs of models", values, {"rule": "log", "attained": attained})


def equal_laws(labels: Labels, play: Play, x: Any, y: Any, world: bool) -> dict[str, object]:
    """The realised prefix at which the operators of two models with one law of play differ most; where they differ at
    no such one, they differ at no pair that may follow one either (certificates/FORMAT.md, Summed operators)."""
    number, star, other = play.number[x], play.alike[x], play.alike[y[0] if world else y]
    places = []
    for h, node, edge in play.edges:
        state = node.states[number] if edge.after[number] else None
        if state and (norm := play.norm(h, edge.o, edge.a, star, other, state)):
            size = Fraction(norm, node.totals[number] * play.scaled.J)
            places.append((size, h, (*node.prefix, edge.o, edge.a)))
    difference, h, sequence = max(places, key=lambda place: place[0])
    return {
        "xi_star": labels.xi(x),
        "xi": labels.xi(y),
        "pi": labels.policy(play.p),
        "h": h + 1,
        "trajectory": labels.trajectory(sequence),
        "difference": str(difference),
    }
