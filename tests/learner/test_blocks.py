"""A run does not depend on how it is cut: into blocks, or short of a longer one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.game import Game
from pomgcheck.learner.confidence import ConfidenceRadius
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.regret import grid, regret
from tests.learner.classes import bandit, means, play

WORLDS = [means("3/4", "1/2", "1/4"), means("1/4", "1/2", "3/4"), means("1/4", "3/4", "1/2")]
PROBLEM = LearningProblem(Game(bandit({"points": WORLDS}, arms=3, memory=3, reaction="1/2")), 0, 0)
EAGER = ConfidenceRadius(Fraction(1, 50), Fraction(3), Fraction(3), 3, Fraction(1, 2), C_0=Fraction(0))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 2000), st.integers(1, 2000), st.integers(0, 2**32), st.booleans())
def test_shorter_run_is_a_prefix(first: int, second: int, seed: int, test: bool) -> None:
    """A run to T_1 is, episode for episode, the beginning of the run to T_2 > T_1 (Theorem 5.1)."""
    short, long = (play(PROBLEM, EAGER, T, seed, test=test) for T in sorted((first, second)))
    *whole, cut = short
    same = long[len(whole)]
    assert long[: len(whole)] == whole
    assert (same.policy, same.model, same.start, same.warmup_cost, same.cost) == (
        cut.policy,
        cut.model,
        cut.start,
        cut.warmup_cost,
        cut.cost,
    )
    assert same.episodes >= cut.episodes
    times = grid(min(first, second))
    assert regret(long, times) == regret(short, times)


@pytest.mark.parametrize("blocks", [(1, 1), (3, 7), (64, 64)])
def test_blocks_do_not_matter(blocks: tuple[int, int]) -> None:
    """Episodes simulated one by one, by sevens or by thousands give the same epochs."""
    epochs = play(PROBLEM, EAGER, 1500, 11)
    assert 1 <= sum(epoch.ended == "test" for epoch in epochs)
    assert epochs == play(PROBLEM, EAGER, 1500, 11, blocks=blocks)
