"""Theorem 2.5, the OOM identity: operators give the law of observations given actions."""

from __future__ import annotations

from itertools import product
from typing import Any

from ..budget import spend
from ..case import PROVED, Case, Claim, Outcome
from ..facts import Facts
from ..game import Table, World
from ..operators import G, J, Vector, W, total


def outcome(case: Case) -> Outcome:
    facts = case.facts
    tables = dict.fromkeys(table for response in facts.scaled.responses for table in response)
    for world, g in product(dict.fromkeys(facts.scaled.worlds), tables):
        start = facts.scaled.initial()
        if not _same_law(facts, world, g, 0, start, start, set()):
            return Outcome("refuted", {})
    return PROVED


def _same_law(facts: Facts, world: World, g: Table, h: int, q: Vector, paths: Vector, seen: set[Any]) -> bool:
    """Whether operators, and latent paths told apart by (s, whole adversary history) and played by the protocol,
    give equal masses on every continuation; repeats are played once."""
    game = facts.game
    key = h, frozenset(q.items()), frozenset(paths.items())
    if h == game.H or key in seen:
        return True
    seen.add(key)
    in_state: dict[int, int] = {}
    for (s, _), m in paths.items():
        in_state[s] = in_state.get(s, 0) + m
    present = sorted({*in_state, *(s for s, _ in q)})
    actions = {tuple(world.T[h][s][a] for s in present): a for a in range(len(game.A))}  # equal ones act alike
    for o in range(len(game.OA)):
        mass = sum(m * world.EA[h][s][o] for s, m in in_state.items())
        if not any(world.EA[h][s][o] for s in present):
            continue  # both sides vanish
        spend(3 * (len(q) + len(paths)) * len(actions), "latent paths")
        for a in actions.values():
            after = G(facts.space, g, h, W(world, h, o, a, q))
            if total(after) * facts.scaled.EA - mass * facts.scaled.J:
                return False
            if mass and h + 1 < game.H:
                longer = J(facts.whole, world, g, h, o, a, paths)
                if not _same_law(facts, world, g, h + 1, after, longer, seen):
                    return False
    return True


CLAIM = Claim(
    "oom-identity",
    "Theorem 2.5",
    lambda game, options: (
        "1^T J_h ... J_1 q_0 = P(o^A_{1:h} | a_{1:h}) for every learner sequence, xi and pi, the right "
        "side summed over latent paths with whole histories."
    ),
    outcome,
)
