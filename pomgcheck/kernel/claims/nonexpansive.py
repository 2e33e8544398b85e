"""Theorem 2.5, ||G u||_1 <= ||u||_1: W and G are nonnegative and columns of G sum to at most 1."""

from __future__ import annotations

from itertools import product

from ..budget import spend
from ..case import PROVED, Case, Claim, OnIntervals, Outcome
from ..operators import G, total
from ..reading import Object, mapping, take


def outcome(case: Case) -> Outcome:
    """Return whether the columns of G sum to at most 1; W is made of products of probabilities, which were read as
    such with the document."""
    facts = case.facts
    game, space = facts.game, facts.space
    tables = dict.fromkeys(table for response in game.responses for table in response)
    inputs = [
        (h, uB, oB, b)
        for h in range(game.H)
        for uB in space.memories(h, False)
        for oB, b in product(range(len(game.OB)), range(len(game.B)))
    ]
    columns = (G(space, g, h, {(0, uB, oB, b): 1}) for g in tables for h, uB, oB, b in inputs)
    spend(5 * len(tables) * len(inputs), "columns of G")
    good = all(min(c.values(), default=0) >= 0 and total(c) <= 1 for c in columns)
    return PROVED if good else Outcome("refuted", {})


def on_intervals(case: Case, evidence: Object) -> None:
    """Check that entries are nonnegative on the class; rows of sum one were read as such, and W and G are products and
    columns of them."""
    from ..goals import settle

    take(evidence, f"{case.id}.evidence", ("rule", "trees"))
    settle(case, case.facts.continuum.probabilities(), mapping(evidence["trees"], f"{case.id}.trees"))


CLAIM = Claim("nonexpansive", "Theorem 2.5", outcome, intervals=OnIntervals((), on_intervals))
