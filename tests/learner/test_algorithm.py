"""What Algorithm 1 does on classes where the outcome is known."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pomgcheck.kernel.game import Game
from pomgcheck.learner.confidence import ConfidenceRadius
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.regret import regret
from tests.learner.classes import bandit, means, play, watch

T = 128


def failing_class() -> LearningProblem:
    """Proposition D.5 on a finite class: log2(T) + 1 arms, arm 0 known to be worth 3/4, each other one 1/2 or 7/8.

    In truth they are all worth 1/2."""
    others = {f"mu{i}": {"values": ["1/2", "7/8"]} for i in range(1, 8)}
    game = Game(bandit({"parameters": {"mu0": {"values": ["3/4"]}} | others}, arms=8))
    truth = {name: Fraction(chance) for name, chance in means("3/4", *["1/2"] * 7).items()}
    return LearningProblem(game, (game.thetas or ()).index(truth), 0)


@pytest.fixture(scope="module")
def failing() -> LearningProblem:
    """Read once."""
    return failing_class()


def radius(c: str, N: int, m: int = 1, theory: bool = False) -> ConfidenceRadius:
    """A bandit's constants: probabilities between 1/8 and 7/8, so ratios up to 7."""
    return ConfidenceRadius(
        Fraction(c), Fraction(N), Fraction(7), m, Fraction(1, 20), C_0=None if theory else Fraction(0)
    )


@pytest.mark.parametrize("seed", range(3))
def test_fixed_schedule_fails(failing: LearningProblem, seed: int) -> None:
    """Without the test every episode goes to a bad arm, whatever the seed: regret T/4 exactly (Proposition D.5)."""
    epochs = play(failing, radius("1/20", 128), T, seed, test=False, ties="fresh-first")
    assert [7, 6, 5, 4, 3, 2, 1] == [epoch.policy for epoch in epochs]
    assert [Fraction(T, 4)] == regret(epochs, [T])


@pytest.mark.parametrize("seed", range(3))
def test_termination_test_repairs_it(failing: LearningProblem, seed: int) -> None:
    """With the test each bad arm is dropped once refuted, and the regret is less than half of the fixed schedule's."""
    epochs = play(failing, radius("1/20", 128), T, seed, ties="fresh-first")
    assert "test" in {epoch.ended for epoch in epochs}
    assert 0 == epochs[-1].policy
    assert regret(epochs, [T])[0] < Fraction(T, 8)


def test_truth_stays_in_every_confidence_set(failing: LearningProblem) -> None:
    """With the theory's constants xi* is in every C_{e-1} of ten seeds."""
    for seed in range(10):
        assert all(epoch.covered for epoch in play(failing, radius("16", 128, theory=True), T, seed))


@pytest.fixture(scope="module")
def arms() -> LearningProblem:
    """Three arms, three worlds, arm 0 best in truth."""
    worlds = [means("3/4", "1/2", "1/4"), means("1/4", "1/2", "3/4"), means("1/4", "3/4", "1/2")]
    return LearningProblem(Game(bandit({"points": worlds}, arms=3)), 0, 0)


def test_small_radius_can_lose_the_truth(arms: LearningProblem) -> None:
    """With c = 1/50 some confidence sets miss xi*: coverage is measured, not assumed."""
    covered = [epoch.covered for epoch in play(arms, radius("1/50", 3), 400, 2)]
    assert {True, False} == set(covered)


def test_caps_double() -> None:
    """Epochs that the test leaves alone last 2, 4, 8, ... episodes, and the last one what is left."""
    epochs = play(LearningProblem(Game(watch()), 0, 0), radius("16", 2, m=2, theory=True), 40, 0)
    assert [2, 4, 8, 16, 10] == [epoch.episodes for epoch in epochs]
    assert ["cap", "cap", "cap", "cap", "horizon"] == [epoch.ended for epoch in epochs]
    assert [0, 2, 6, 14, 30] == [epoch.start for epoch in epochs]


def test_epoch_that_ends_with_the_horizon_has_reached_its_cap() -> None:
    """At T = 2 + 4 the second epoch ends by its cap."""
    epochs = play(LearningProblem(Game(watch()), 0, 0), radius("16", 2, m=2, theory=True), 6, 0)
    assert ["cap", "cap"] == [epoch.ended for epoch in epochs]


def test_terminated_epochs_count_and_their_data_stay(arms: LearningProblem) -> None:
    """After an epoch of n < 2^e episodes the next has cap 2^(e+1), and starts from all the data."""
    epochs = play(arms, radius("1/50", 3), 400, 2)
    cut = [k for k, epoch in enumerate(epochs) if epoch.ended == "test"]
    assert 3 <= len(cut)
    for k in cut:
        assert epochs[k].episodes <= 2 ** (k + 1)
        assert epochs[k].start + epochs[k].episodes == epochs[k + 1].start
    assert all(epoch.episodes == 2 ** (k + 1) for k, epoch in enumerate(epochs) if epoch.ended == "cap")


def test_warm_up_precedes_every_epoch() -> None:
    """m - 1 episodes before each epoch; the first warm-up has no transient and costs the policy's own cost a time."""
    worlds = {"points": [means("3/4", "1/2"), means("1/2", "3/4")]}
    problem = LearningProblem(Game(bandit(worlds, arms=2, memory=4, reaction="1/2")), 0, 0)
    epochs = play(problem, radius("16", 2, m=4), 100, 0)
    assert {3} == {epoch.warmup for epoch in epochs}
    assert 3 * epochs[0].cost == epochs[0].warmup_cost
