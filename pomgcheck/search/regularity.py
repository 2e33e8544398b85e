"""Assumption 3.1(a)-(d) and (f): well-specification, covering, bounded increments, predictive states, warm-up."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

from pomgcheck.kernel.game import Game, Table, constraints_of, grid, read_axes
from pomgcheck.modelclass.expressions import Quotient
from pomgcheck.modelclass.expressions import Ring as Expressions

from .exact.tables import Tables
from .finding import Finding, Labels
from .play import Walk
from .posterior_lipschitz import l1

EVAL = {"rule": "eval"}
MAX_CORNERS = 4096  # of Psi


def well_specified(game: Game) -> Finding:
    """The stated truth is a point of Xi; without one the assumption is about the outside world."""
    if game.truth is None:
        return Finding("declared", "no truth in the document", evidence={"rule": "assume"})
    if game.contains("worlds", game.truth[0]) and game.contains("responses", game.truth[1]):
        return Finding("proved", "membership", evidence=EVAL)
    return Finding("refuted", "membership", witness={"truth": game.document["truth"]})


def covering(game: Game) -> Finding:
    """The class is its own net: log of the number of distinct models."""
    count = len(set(game.worlds)) * len(set(game.responses))
    return Finding("proved", "distinct models counted", {"log_covering_upper": {"log_of": str(count)}}, EVAL)


def increments(t: Tables, walks: list[Walk]) -> tuple[Finding, Finding]:
    """Claims (c) and (d) together: the largest ratio of trajectory probabilities, or an impossible trajectory."""
    labels = Labels(t.game)
    best, place = Fraction(1), None
    for p, walk in enumerate(walks):
        for sequence, law in zip(walk.played.sequences, walk.played.laws, strict=True):
            values = law.tolist()
            high, low = max(values), min(values)
            x, y = values.index(high), values.index(low)
            if not low:
                witness = {
                    "xi": labels.xi(walk.models.xi(x)),
                    "xi_prime": labels.xi(walk.models.xi(y)),
                    "pi": labels.policy(p),
                    "trajectory": labels.trajectory(sequence),
                    "probability": str(Fraction(high, walk.played.scale)),
                }
                return Finding("refuted", "enumeration", witness=witness), Finding(
                    "refuted", "enumeration", witness=witness
                )
            if place is None or high > best * low:
                best, place = Fraction(high, low), (x, y, p, sequence)
    assert place is not None
    x, y, p, sequence = place
    models = walks[p].models
    attained = {
        "xi": labels.xi(models.xi(x)),
        "xi_prime": labels.xi(models.xi(y)),
        "pi": labels.policy(p),
        "trajectory": labels.trajectory(sequence),
    }
    bound = {"log_of": str(best)}
    count = sum(len(walk.played.laws) for walk in walks)
    return (
        Finding(
            "proved",
            f"{count} trajectories enumerated",
            {"B0_lower": bound, "B0_upper": bound},
            EVAL | {"attained": attained},
        ),
        Finding("proved", f"{count} trajectories enumerated", evidence=EVAL),
    )


def warmup_stationary(game: Game) -> Finding:
    """By construction for latest, mean and table; Theorem 5.2's constants for fading."""
    if game.block_rule == "table" and game.phis is None:
        return Finding("unknown", "a rule given by a table of blocks: list the values of the response axes instead")
    if game.gamma is None:
        return Finding("proved", f"block rule {game.block_rule}", evidence=EVAL)
    responses = game.responses or (() if game.own else at_corners(game))
    gaps = [
        l1(x, y) / 2
        for response in responses
        for left, right in combinations(response, 2)
        for h in range(game.H)
        for x, y in zip(left[h], right[h], strict=True)
    ]
    if not responses:
        return Finding("unknown", "L_g is read at corners: the responses are no multilinear functions on a box")
    return Finding(
        "proved", "block rule fading", {"gamma": str(game.gamma), "L_g": str(max(gaps, default=Fraction(0)))}, EVAL
    )


def at_corners(game: Game) -> list[tuple[Table, ...]]:
    """The responses at the corners of Psi; none where an entry is of degree two in an axis, or a constraint stands."""
    part = game.document["responses"]
    finite, box = read_axes(part, "responses")
    ring = Expressions(sorted([*finite, *box]))
    values = [ring.read(text, "responses").value for text in texts(part["table"])]
    parts = [value for value in values if isinstance(value, Quotient)]
    steep = [degree for value in parts for name, degree in degrees(value.num) if name in box and degree > 1]
    divided = [degree for value in parts for name, degree in degrees(value.den) if name in box and degree > 0]
    if steep or divided or constraints_of(part, "responses") or 2 ** len(box) > MAX_CORNERS:
        return []
    corners = [dict(zip(box, ends, strict=True)) for ends in product(*box.values())]
    return [game.response_tables(fixed | corner) for fixed in grid(finite, "responses") for corner in corners]


def degrees(p: Any) -> list[tuple[str, int]]:
    """The degree of a polynomial in each of its names."""
    return list(zip(p.context().names(), map(int, p.degrees()), strict=True))


def texts(table: Any) -> list[str]:
    """The entries of nested tables."""
    if isinstance(table, str):
        return [table]
    return [text for part in (table.values() if isinstance(table, dict) else table) for text in texts(part)]
