"""The vectorised learner is Algorithm 1, episode for episode and bit for bit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from pomgcheck.kernel.game import Game
from pomgcheck.learner.confidence import ConfidenceRadius, Fading
from pomgcheck.learner.epochs import Epoch
from pomgcheck.learner.problem import LearningProblem
from tests.learner import reference
from tests.learner.classes import bandit, games, means, play

SMALL = [Fraction(1, 100), Fraction(1, 20), Fraction(1, 5), Fraction(1)]


def as_reference(epoch: Epoch) -> reference.Epoch:
    """What the two have in common."""
    return reference.Epoch(
        epoch.policy,
        epoch.model,
        epoch.episodes,
        epoch.ended,
        epoch.warmup_cost,
        epoch.cost,
        epoch.gap,
        epoch.covered,
        epoch.inside,
    )


def radius(k: reference.Constants, m: int) -> ConfidenceRadius:
    """The same constants as the learner takes them."""
    return ConfidenceRadius(k.c, Fraction(k.N), k.ratio, m, k.delta, k.factor, k.C_0)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_equals_the_plain_loop(data: st.DataObject) -> None:
    """On random classes, constants, seeds and tie rules the epochs are those of the plain loop."""
    game: Game = data.draw(games())
    theta = data.draw(st.sampled_from(range(len(game.worlds))))
    phi = data.draw(st.sampled_from(range(len(game.responses))))
    k = reference.Constants(
        c=data.draw(st.sampled_from(SMALL)),
        N=len(game.worlds) * len(game.responses),
        ratio=Fraction(3),
        delta=Fraction(1, 2),
        factor=data.draw(st.sampled_from([Fraction(1, 2), Fraction(2)])),
        C_0=data.draw(st.sampled_from([Fraction(0), Fraction(1, 50)])),
    )
    T, seed = data.draw(st.integers(1, 50)), data.draw(st.integers(0, 2**32))
    test, fresh_first = data.draw(st.booleans()), data.draw(st.booleans())
    expected = reference.algorithm_1(game, theta, phi, k, T, seed, test, fresh_first)
    found = play(
        LearningProblem(game, theta, phi),
        radius(k, game.m or 1),
        T,
        seed,
        test=test,
        ties="fresh-first" if fresh_first else "first",
        blocks=(4, 16),
    )
    note(str(game.document))
    assert expected == [as_reference(epoch) for epoch in found]


def test_equals_the_plain_loop_where_tests_fire() -> None:
    """On a bandit with small constants most epochs end by the test, and in the same episodes as in the plain loop."""
    worlds = [means("3/4", "1/2", "1/4"), means("1/4", "1/2", "3/4"), means("1/4", "3/4", "1/2")]
    game = Game(bandit({"points": worlds}, arms=3, memory=3, reaction="1/2"))
    k = reference.Constants(Fraction(1, 50), 3, Fraction(3), Fraction(1, 2), Fraction(2), Fraction(1, 100))
    expected = reference.algorithm_1(game, 0, 0, k, 400, 5)
    assert 3 <= sum(epoch.ended == "test" for epoch in expected)
    found = play(LearningProblem(game, 0, 0), radius(k, 3), 400, 5)
    assert expected == [as_reference(epoch) for epoch in found]


@pytest.mark.parametrize("enough", [True, False])
@pytest.mark.parametrize("horizon", [True, False])
@pytest.mark.parametrize("gamma", ["1/2", "4/5"])
def test_fading_memory_equals_the_plain_loop(gamma: str, horizon: bool, enough: bool) -> None:
    """Against fading memory, warmed up for T or for the epoch, the epochs are those of the plain loop with exact
    weights; its costs differ by what the weights are rounded by."""
    document = bandit({"points": [means("3/4", "1/2", "1/4"), means("1/4", "1/2", "3/4")]}, arms=3, reaction="1/2")
    del document["responses"]["memory"]
    document["responses"] |= {"block_rule": "fading", "gamma": gamma}
    game, T = Game(document), 150
    k = reference.Constants(Fraction(1, 400), 2, Fraction(3), Fraction(1, 2), Fraction(2), Fraction(1, 100))
    drift = Fraction(1)  # H L_g = 2 x 1/2
    expected = reference.algorithm_1(
        game, 0, 0, k, T, 6, faded=reference.Faded(Fraction(gamma), drift, T if horizon else None, enough)
    )
    faded = replace(radius(k, 1), m=Fading(Fraction(gamma), drift, T if horizon else None), enough=enough)
    found = play(LearningProblem(game, 0, 0), faded, T, 6)
    assert len(expected) == len(found)
    for one, other in zip(expected, found, strict=True):
        assert one._replace(warmup_cost=Fraction(0), cost=Fraction(0)) == as_reference(
            other._replace(warmup_cost=Fraction(0), cost=Fraction(0))
        )
        assert abs(one.cost - other.regret(other.episodes)) < Fraction(1, 10**9)
        assert abs(one.warmup_cost - other.warmup_cost) < Fraction(1, 10**9)
    fired = "test" in {epoch.ended for epoch in found}
    if not enough:  # 2s is more than 150 episodes tell
        assert fired == ((gamma, horizon) != ("4/5", True))  # there the radius of a memory of 29 is too large
