"""Episodes: the opponent's response to the actual last m policies, and sampling from one row of uniforms."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.arena.episodes import Arena, cumulative, drawn
from pomgcheck.arena.opponent import WHOLE, Opponent
from pomgcheck.kernel.game import Game
from tests.learner import reference
from tests.learner.classes import games, watch


def chances(opponent: Opponent, plan: list[int]) -> list[Fraction]:
    """P(attack) met by each episode of the plan, in the class ``watch`` (idle is policy 0, patrol 1)."""
    met = []
    for policy in plan:
        met.append(opponent.response(opponent.seen(policy))[0][0][1])
        opponent.play(policy)
    return met


def test_mean_rule_moves_step_by_step() -> None:
    """With m = 3 a switch from idle (1/2) to patrol (4/5) is met by 1/2, then 3/5, 7/10 and 4/5 for good."""
    half, patrol = Fraction(1, 2), Fraction(4, 5)
    opponent = Opponent(Game(watch(responses__memory=3)), 0)
    found = chances(opponent, [0, 0, 0, 0, 1, 1, 1, 1, 0])
    assert [half, half, half, half, Fraction(3, 5), Fraction(7, 10), patrol, patrol, Fraction(7, 10)] == found


def test_first_policy_is_taken_for_the_past() -> None:
    """Before the first episode the opponent is taken to have seen the first policy, whichever it is."""
    assert [Fraction(4, 5)] * 2 == chances(Opponent(Game(watch(responses__memory=3)), 0), [1, 1])


def test_latest_rule_has_no_transient() -> None:
    """Under ``latest`` the response is that to the current policy, whatever was played before."""
    opponent = Opponent(Game(watch(responses__memory=3, responses__block_rule="latest")), 0)
    assert [Fraction(1, 2), Fraction(4, 5), Fraction(1, 2)] == chances(opponent, [0, 1, 0])


def test_table_rule_reads_the_block_oldest_first() -> None:
    """Under ``table`` the response is that of the last m policies in order: idle, patrol is not patrol, idle."""
    blocks = {
        "idle idle": [["1/2", "1/2"]],
        "idle patrol": [["9/10", "1/10"]],
        "patrol idle": [["7/10", "3/10"]],
        "patrol patrol": [["1/5", "4/5"]],
    }
    opponent = Opponent(Game(watch(responses__block_rule="table", responses__blocks=blocks)), 0)
    found = chances(opponent, [0, 1, 1, 0])
    assert [Fraction(1, 2), Fraction(1, 10), Fraction(4, 5), Fraction(3, 10)] == found


def fading(gamma: str) -> Opponent:
    """An opponent of fading memory."""
    document = watch(responses__block_rule="fading", responses__gamma=gamma)
    del document["responses"]["memory"]
    return Opponent(Game(document), 0)


def test_fading_rule_is_the_recursion() -> None:
    """z = gamma z + (1 - gamma) e_pi by hand at gamma = 1/4: idle, patrol, patrol, idle; attacked with 1/2 and 4/5."""
    z, expected = Fraction(0), []
    for policy in (0, 1, 1, 0):
        z = z / 4 + (Fraction(3, 4) if policy == 1 else 0)
        expected.append((1 - z) / 2 + z * Fraction(4, 5))
    found = chances(fading("1/4"), [0, 1, 1, 0])
    assert expected == found


def test_fading_memory_is_kept_to_its_unit() -> None:
    """At gamma = 9/10 fifty switches leave the weights within 2^-40/(1 - gamma) a policy, and their sum whole."""
    opponent, z = fading("9/10"), Fraction(0)
    for t in range(50):
        policy = int(t % 3 == 1)
        z = z * Fraction(9, 10) + (Fraction(1, 10) if policy else 0)
        seen = opponent.seen(policy)
        opponent.play(policy)
        assert WHOLE == sum(seen)
        assert abs(Fraction(seen[1], WHOLE) - z) <= Fraction(20, 2**40)


@pytest.mark.parametrize("gamma", ["0", "1/2", "9/10"])
def test_a_policy_that_is_played_on_is_answered_as_at_last(gamma: str) -> None:
    """After finitely many episodes the response is exactly the stationary one, however many are played at once."""
    one, many = fading(gamma), fading(gamma)
    for opponent in (one, many):
        opponent.play(0)
        opponent.play(1)
    for _ in range(400):
        one.play(0)
    many.play(0, 400)
    assert one.stationary(0) == one.seen(0) == many.seen(0)


def test_impossible_outcomes_are_never_drawn() -> None:
    """Uniforms at the very ends and on the sums themselves pick outcomes of positive probability only."""
    row = (Fraction(0), Fraction(1, 2), Fraction(0), Fraction(1, 2), Fraction(0))
    uniforms = np.array([0.0, np.nextafter(0.5, 0), 0.5, np.nextafter(1.0, 0)])
    assert [1, 1, 3, 3] == drawn(cumulative([row]), np.zeros(4, dtype=np.int64), uniforms).tolist()


@settings(max_examples=25, deadline=None)
@given(games(), st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5), st.integers(0, 3)), max_size=4), st.data())
def test_blocks_equal_single_episodes(game: Game, plan: list[tuple[int, int, int]], data: st.DataObject) -> None:
    """Looking ahead, playing part of it and skipping episodes gives the trajectories of one-by-one play, row by row."""
    theta = data.draw(st.sampled_from(range(len(game.worlds))))
    phi = data.draw(st.sampled_from(range(len(game.responses))))
    arena, uniforms = Arena(game, theta, Opponent(game, phi), 7), np.random.Generator(np.random.PCG64(7))
    history: list[int] = []

    def one(policy: int) -> list[tuple[int, int]]:
        history[:] = (history or [policy] * ((game.m or 1) - 1)) + [policy]
        g = reference.response(game, phi, history[-(game.m or 1) :])
        return reference.episode(game, theta, g, policy, uniforms.random(5 * game.H).tolist())

    for choice, wanted, skipped in plan:
        policy = choice % len(game.policies)
        arena.skip(policy, skipped)
        for _ in range(skipped):
            one(policy)
        left = wanted
        while left:
            ahead = arena.peek(policy, left + 3)
            used = min(left, len(ahead))
            arena.commit(policy, used)
            expected = [one(policy) for _ in range(used)]
            assert expected == [[tuple(step) for step in path] for path in ahead[:used].tolist()]
            left -= used
    assert sum(wanted + skipped for _, wanted, skipped in plan) == arena.episode


def test_frequencies_are_the_exact_law() -> None:
    """Of 40,000 episodes every trajectory occurs as often as its exact probability says, within five deviations."""
    game, n = Game(watch()), 40_000
    counts = Counter(map(tuple, Arena(game, 1, Opponent(game, 0), 3).peek(1, n).reshape(n, -1).tolist()))
    for path, weight in reference.trajectories(game, 1):
        p = float(weight * reference.probability(game, 1, game.responses[0][1], path))
        assert abs(counts[tuple(x for step in path for x in step)] - n * p) <= 5 * sqrt(n * p * (1 - p))
