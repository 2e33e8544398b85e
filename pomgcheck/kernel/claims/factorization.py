"""Theorem 2.5, J = G W: as polynomials in free kernel and response entries."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from ..case import PROVED, Case, Claim, Outcome
from ..game import World
from ..operators import G, J, W, free, pure_states
from ..polynomials import Polynomial


def outcome(case: Case) -> Outcome:
    """Compare J with G W, entry by entry, as polynomials in free entries."""
    facts = case.facts
    game, part = facts.game, facts.game.document
    steps = {
        key: game._steps(part["worlds"][key], key) for key in ("learner_emission", "adversary_emission", "transition")
    }
    world = World(
        *(
            tuple(free(t, (name, h)) for h, t in enumerate(tables))
            for name, tables in zip(("EA", "EB", "T"), steps.values(), strict=True)
        )
    )
    rows = [game.row_count(game.adversary_window, h, len(game.OB), len(game.B)) for h in range(game.H)]
    g: Any = tuple(
        tuple(tuple(Polynomial({(("g", h, r, b),): 1}) for b in range(len(game.B))) for r in range(rows[h]))
        for h in range(game.H)
    )
    one = Polynomial({(): 1})
    for h, o, a in product(range(game.H), range(len(game.OA)), range(len(game.A))):
        for state in pure_states(facts.space, h):
            channel = W(world, h, o, a, {state: one})
            if J(facts.space, world, g, h, o, a, {state: one}) != G(facts.space, g, h, channel):
                return Outcome("refuted", {})
            weights = G(facts.space, g, h, dict.fromkeys(channel, one))
            if indeterminates(channel) & {"g"} or indeterminates(weights) - {"g"}:
                return Outcome("refuted", {})
    return PROVED


def indeterminates(vector: Mapping[Any, Polynomial]) -> set[str]:
    """Which tables the coefficients of a vector are made of."""
    return {name[0] for entry in vector.values() for monomial in entry for name in monomial}


CLAIM = Claim(
    "factorization",
    "Theorem 2.5",
    lambda game, options: (
        "J^{xi,pi}_h(o^A,a) = G^{Phi,pi}_h(o^A,a) W^theta_h(o^A,a) as polynomials in free kernel and "
        "response entries, for every h, o^A, a; W is free of Phi and pi, and G is free of theta."
    ),
    outcome,
)
