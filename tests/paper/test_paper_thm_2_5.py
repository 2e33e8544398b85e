"""Theorem 2.5, the causal decomposition J = G W."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pomgcheck.kernel.operators import Channel, G, J, Space, Vector, W, distance, total
from tests.kernel.trajectories import trajectories
from tests.paper.facts import facts, found
from tests.search import small


def seeing() -> Any:
    """The drifting state with an adversary that sees a noisy sign of it and answers the last two signs."""
    document = small.drift()
    document["game"]["adversary_observations"] = ["d0", "d1"]
    document["game"]["horizon"] = 3
    document["worlds"]["adversary_emission"] = [["2/3", "1/3"], ["1/3", "2/3"]]
    row = [["1/2", "1/2"], ["1/4", "3/4"]]
    table = {"steps": [row, [*row, *reversed(row)], [*row, *reversed(row)]]}
    document["responses"] |= {"window": 2, "parameters": {}, "table": {"idle": table, "watch": table}}
    return document


def test_theorem_2_5_world_channel_by_hand() -> None:
    """Theorem 2.5: W_h(o,a)q carries E^A(o|s) E^B(o^B|s) T(s'|s,a,b) for every b, the response left open."""
    known = facts(seeing())
    channel = W(known.scaled.worlds[0], 0, 0, 0, {(0, ()): 1})
    unit = known.scaled.W
    assert Fraction(3, 4) * Fraction(2, 3) * Fraction(7, 8) == Fraction(channel[0, (), 0, 0], unit)
    assert Fraction(3, 4) * Fraction(1, 3) * Fraction(3, 8) == Fraction(channel[1, (), 1, 1], unit)
    assert 2 * Fraction(3, 4) == Fraction(total(channel), unit)  # a copy of q's successor for each b


def test_theorem_2_5_factorization_of_numbers() -> None:
    """Theorem 2.5: J played by the protocol is G after W, on both spaces, from every pure state at every step."""
    for kind in ("window", "history"):
        known = facts(seeing(), space=kind)
        space, game, scaled = known.space, known.game, known.scaled
        for h, o, world, k in product(range(2), range(2), scaled.worlds, range(1)):
            for memory in space.memories(h, False):
                q = {(1, memory): 5}
                g = scaled.responses[k][1]
                assert J(space, world, g, h, o, 1, q) == G(space, g, h, W(world, h, o, 1, q))
        assert "proved" == found(known, "factorization").verdict
        assert 3 == game.H


def test_theorem_2_5_factorization_reads_the_middle_of_the_protocol() -> None:
    """Theorem 2.5 is not a tautology of the code: with another reading of the window G W is no longer J."""
    known = facts(seeing())
    forgetful = Space(known.game, "window")
    forgetful.next = lambda memory, o, action, learner: (0,)  # type: ignore[method-assign]
    world, g = known.scaled.worlds[0], known.scaled.responses[0][0]
    q: Vector = {(0, ()): 1}
    assert J(known.space, world, g, 0, 0, 0, q) != G(forgetful, g, 0, W(world, 0, 0, 0, q))


def test_theorem_2_5_on_histories_each_output_reads_one_input() -> None:
    """Theorem 2.5's parenthesis: on the history space no two inputs of G share an output."""
    known = facts(seeing(), space="history")
    outputs = [
        next(iter(G(known.space, known.scaled.responses[0][0], h, {(0, memory, oB, b): 1})))
        for h in range(2)
        for memory, oB, b in product(known.space.memories(h, False), range(2), range(2))
    ]
    assert len(set(outputs)) == len(outputs)


def test_theorem_2_5_windows_merge_outputs_and_stay_nonexpansive() -> None:
    """Theorem 2.5 on windows: four inputs (two memories, two actions) fall on one output; a column still sums to the
    response probability, so signed inputs do not grow: here 1, -1, 1, -1 shrink to 1/2 - 1/2 + 1/4 - 3/4 = -1/2."""
    known = facts(seeing())
    g = known.game.responses[0][0]
    u: Channel = {
        (0, memory, 0, b): Fraction(sign)
        for (memory, b), sign in zip(product(((0,), (1,)), (0, 1)), (1, -1, 1, -1), strict=True)
    }
    after = G(known.space, g, 1, u)
    assert {(0, (0,)): Fraction(-1, 2)} == after
    assert distance(after, {}) <= distance(u, {})
    assert "proved" == found(known, "nonexpansive").verdict


@pytest.mark.parametrize("space", ["window", "history"])
def test_theorem_2_5_oom_identity_by_hand(space: str) -> None:
    """Section 2.5: 1' J_2 J_1 q_0 = P(o_1, o_2 | a_1, a_2): quiet then noise in world x = 0 against an even opponent.
    First quiet from s0 3/8, s1 1/8; to alarm with (1/8 + 3/8)/2 = 1/4 and (1/2 + 5/8)/2 = 9/16; noise 1/4 or 3/4."""
    document = small.drift()
    known = facts(document, space=space)
    trajectory = (0, 0, 1, 0)
    law = trajectories(known.plays[0])[trajectory].law
    alarm = Fraction(3, 8) * Fraction(1, 4) + Fraction(1, 8) * Fraction(9, 16)
    wanted = alarm * Fraction(3, 4) + (Fraction(1, 2) - alarm) * Fraction(1, 4)
    assert wanted == law[0, 0]
    assert "proved" == found(known, "oom-identity").verdict
