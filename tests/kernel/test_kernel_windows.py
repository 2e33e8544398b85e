"""The law of the learner's next observations (Assumption 2.4), one observation and action after another."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import J, Memory, window_law
from pomgcheck.options import Options
from tests.search.classes import Shape, Tables, small_class


def followed(facts: Facts, i: int, p: int, h: int, ahead: int, uA: Memory, q: Any) -> Counter[Memory]:
    """The masses of the next observations from a state at the start of a step, by one application of J for every
    observation and action between."""
    game, space, found = facts.game, facts.space, Counter[Memory]()
    world, policy, answers = (facts.scaled.worlds[i], facts.scaled.policies[p], facts.scaled.responses[0][p])
    for o in range(len(game.OA)):
        if ahead == 1:
            found[o,] += sum(mass * world.EA[h][s][o] for (s, _), mass in q.items())
            continue
        row = (*uA, o)[-2:]  # the learner reads two observations
        for a, chance in enumerate(policy[h][int("".join(map(str, row)), len(game.OA))]):
            after = J(space, world, answers, h, o, a, q)
            for window, mass in followed(facts, i, p, h + 1, ahead - 1, (o,), after).items():
                found[o, *window] += chance * mass
    return found


@pytest.mark.parametrize(("kappa", "step"), [(1, 0), (1, 2), (2, 0), (2, 1), (3, 0)])
def test_the_law_of_the_next_observations(kappa: int, step: int) -> None:
    """Every step has tables, answers and chances of its own, and both players read two observations: the law that 2.4
    compares is that of following every observation and action, from every state and memory."""
    document = small_class(Shape(4, 2, 2, 2, 3, 2, 2, 1, 2, (2, 2)), Tables(5, 0.2, 1, 1))
    facts = Facts(Game(document), Options(kappa=kappa).document)
    space = facts.space
    for i, p, o, a in product(range(2), range(2), range(3), range(2)):
        world, policy, answers = (facts.scaled.worlds[i], facts.scaled.policies[p], facts.scaled.responses[0][p])
        for s, uA, uB in product(range(2), space.memories(step, True), space.memories(step, False)):
            found = window_law(space, world, answers, policy, step, kappa, uA, o, a, {(s, uB): 1})
            after = J(space, world, answers, step, o, a, {(s, uB): 1})
            exact = followed(facts, i, p, step + 1, kappa, (o,), after)
            assert {window: mass for window, mass in exact.items() if mass} == found
