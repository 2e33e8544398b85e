"""Exact values and the optimistic choice among ties."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.game import Game
from pomgcheck.learner import planning
from pomgcheck.learner.columns import ClassTables
from pomgcheck.learner.planning import PolicyValues, all_values, choose, values_against
from tests.learner import reference
from tests.learner.classes import games, watch


@settings(max_examples=20, deadline=None)
@given(games())
def test_values_equal_the_sum_over_trajectories(game: Game) -> None:
    """V^pi(xi) equals the sum over all trajectories of probability times reward, for every policy and model."""
    values = all_values(ClassTables(game))
    for model in range(len(game.worlds) * len(game.responses)):
        theta, phi = divmod(model, len(game.responses))
        for policy in range(len(game.policies)):
            g = game.responses[phi][policy]
            assert reference.value(game, theta, g, policy) == values.exact(policy, model)


@settings(max_examples=15, deadline=None)
@given(games())
def test_rank_is_the_order_of_the_values(game: Game) -> None:
    """Ranks compare as the exact values do, ties included."""
    values = all_values(ClassTables(game))
    pairs = [(values.rank[p, x], values.exact(p, x)) for p, x in np.ndindex(values.rank.shape)]
    assert all((r < s) == (v < w) for r, v in pairs for s, w in pairs)


def test_long_integers_give_the_same_values() -> None:
    """Entries too long for machine integers are handled: denominators of 60 digits, the value by hand."""
    x = Fraction(1, 10**60)
    game = Game(
        watch(
            False, worlds__parameters={"x": {"values": [str(x)]}}, game__reward=["1", "0"], worlds__initial=["1", "0"]
        )
    )
    values = all_values(ClassTables(game))
    calm = Fraction(1, 4) + x  # after idling, whatever the adversary does
    assert Fraction(9, 10) + calm * Fraction(9, 10) + (1 - calm) * Fraction(1, 10) == values.exact(0, 0)


def test_single_step_ignores_the_transition() -> None:
    """At H = 1 the value is the reward of the first observation, however long the unused transition's numbers are."""
    x = Fraction(1, 10**60)
    game = Game(watch(False, worlds__parameters={"x": {"values": [str(x)]}}, game__horizon=1))
    assert Fraction(1, 2) == all_values(ClassTables(game)).exact(0, 0)


def test_models_in_small_chunks_give_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cutting the class into chunks of one model changes nothing."""
    tables = ClassTables(Game(watch()))
    whole = all_values(tables)
    monkeypatch.setattr(planning, "AT_ONCE", 1)
    assert whole.numerators.tolist() == all_values(tables).numerators.tolist()


def test_too_many_windows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class whose law of states and windows is over the limit is refused with the count."""
    monkeypatch.setattr(planning, "MOST", 7)
    with pytest.raises(LimitExceeded, match="8 entries in the law of states and windows, required at most 7"):
        all_values(ClassTables(Game(watch())))


def test_values_against_other_responses() -> None:
    """A policy's value against a response it does not itself provoke: patrol met as if it were idle."""
    game = Game(watch())
    tables, responses = ClassTables(game), [game.responses[0][0], game.responses[0][1]]
    expected = [reference.value(game, 1, g, 1) for g in responses]
    assert expected == values_against(tables, 1, tables.policies[1], responses)
    assert expected[0] != expected[1]


def chosen(rank: list[list[int]], ties: planning.Ties, inside: list[bool], fresh: list[bool]) -> tuple[int, int]:
    """The choice from ranks alone."""
    array = np.array(rank)
    return choose(PolicyValues(array, 1, array), np.array(inside), np.array(fresh), ties)


def test_first_takes_lower_policy_then_lower_model() -> None:
    """Among equal values: the lower policy index, and of its models the lower."""
    assert (0, 1) == chosen([[4, 5, 5], [5, 5, 5]], "first", [True] * 3, [True] * 2)


def test_fresh_first_takes_unplayed_then_larger() -> None:
    """Among equal values: a policy not played yet, the larger index, the larger model; all played, the larger index."""
    rank = [[5, 5, 1], [5, 5, 1], [5, 5, 1]]
    assert (1, 1) == chosen(rank, "fresh-first", [True] * 3, [True, True, False])
    assert (2, 1) == chosen(rank, "fresh-first", [True] * 3, [False] * 3)


def test_larger_value_beats_freshness() -> None:
    """Freshness only breaks exact ties."""
    assert (0, 0) == chosen([[6], [5]], "fresh-first", [True], [False, True])


def test_models_outside_the_set_do_not_count() -> None:
    """The best model outside the confidence set is passed over."""
    assert (0, 0) == chosen([[3, 9], [2, 9]], "first", [True, False], [True] * 2)
