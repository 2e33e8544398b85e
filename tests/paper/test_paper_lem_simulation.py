"""Lemma "Simulation Lemma": false as stated with operators at the realised observation, and true with a factor."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pomgcheck import gallery
from pomgcheck.kernel.claims.constants import least_observation
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.play import Play
from pomgcheck.options import Options
from tests.kernel.trajectories import trajectories
from tests.paper.facts import facts
from tests.regenerate_goldens import blocks
from tests.search import small


def value(play: Play, xi: Any) -> Fraction:
    """V^pi(xi): the reward summed over every learner sequence."""
    game = play.game
    return sum(
        (
            weight * law[xi] * sum(reward(game, h, o) for h, o in enumerate(tau[::2]))
            for tau, (weight, law) in trajectories(play).items()
        ),
        Fraction(0),
    )


def reward(game: Any, h: int, o: int) -> Fraction:
    return Fraction(game.document["game"]["reward"][o])


def four_letters() -> small.Document:
    """One step, one state, four observations: all alike, or the first likelier by 3/8 at the others' expense."""
    return small.gauge([["(3*x+2)/8", "(-x+2)/8", "(-x+2)/8", "(-x+2)/8"]], [[["1"]]], horizon=1)


def test_simulation_lemma_fails_at_realised_observations() -> None:
    """The value moves by 3/8, yet H times the error at the realised observation is 3/16: four observations of chance
    1/4 differ by 3/4 in all, and each counts by its own chance."""
    known = facts(four_letters())
    (play,) = known.plays
    gap = abs(value(play, (0, 0)) - value(play, (1, 0)))
    assert (Fraction(3, 8), Fraction(3, 16)) == (gap, 1 * play.error((0, 0), (1, 0)))


def test_the_factor_is_attained() -> None:
    """There the least chance of an observation under the reference model is 1/4, and H/(2 p_min) times the error is the
    gap exactly, so no smaller factor will do."""
    (play,) = facts(four_letters()).plays
    assert Fraction(3, 8) == play.error((0, 0), (1, 0)) / (2 * Fraction(1, 4))


@pytest.mark.parametrize("document", [small.drift(), blocks(), four_letters()], ids=["drift", "blocks", "letters"])
def test_simulation_lemma_with_the_factor(document: small.Document) -> None:
    """|V^pi(xi) - V^pi(xi*)| <= H/(2 p_min) sum_h E||(J^xi - J^xi*) q^xi*|| for every xi*, xi and pi, and half the l1
    distance of the laws of play lies between."""
    known = facts(document)
    H, least = known.game.H, least_observation(known)
    compared = 0
    for play in known.plays:
        for x, y in product(play.models, repeat=2):
            laws = trajectories(play).values()
            distance = sum(w * abs(law[x] - law[y]) for w, law in laws) / 2
            assert abs(value(play, x) - value(play, y)) <= H * distance
            assert distance <= play.error(x, y) / (2 * least)
            compared += x != y
    assert compared


@pytest.mark.parametrize("document", [small.drift(), blocks(), four_letters()], ids=["drift", "blocks", "letters"])
def test_simulation_lemma_with_summed_operators(document: small.Document) -> None:
    """||P_xi - P_xi*||_1 <= F and 2 |V - V*| <= H F for all models, F being summed over all pairs that may follow; and
    it is attained: on the letters the distance is F."""
    known = facts(document, operators="summed")
    H, compared = known.game.H, list[bool]()
    for play in known.plays:
        for x, y in product(play.models, repeat=2):
            laws, error = trajectories(play).values(), play.error(x, y)
            distance = sum(w * abs(law[x] - law[y]) for w, law in laws)
            assert distance <= error
            assert 2 * abs(value(play, x) - value(play, y)) <= H * error
            if x != y:
                compared.append(distance == error)
    assert all(compared) == (H == 1)


def test_the_lemma_fails_on_a_class_of_the_gallery() -> None:
    """digits: some policy's value differs by 0.388 between two models whose error at the realised pair, times H, is
    0.151; the summed error bounds it."""
    game = gallery.load("digits").game
    realised, summed = (Facts(game, Options(operators=each).document).plays for each in ("realised", "summed"))
    worst = Fraction(0), Fraction(1), Fraction(0)
    for one, other in zip(realised, summed, strict=True):
        for x, y in product(one.models, repeat=2):
            gap, bound = abs(one.value(x) - one.value(y)), game.H * one.error(x, y)
            assert 2 * gap <= game.H * other.error(x, y)
            if gap * worst[1] > worst[0] * bound:
                worst = gap, bound, other.error(x, y)
    assert [pytest.approx(0.3884, abs=1e-4), pytest.approx(0.1505, abs=1e-4)] == [*map(float, worst[:2])]
