"""Theorem 3.3's explicit right side: where the sharp bound begins to say something, and runs that keep to it."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest
import sympy as sp

from pomgcheck.kernel.bound import MONOTONE, Premises, sharp
from pomgcheck.kernel.game import Game
from pomgcheck.learner.confidence import ConfidenceRadius
from pomgcheck.learner.epochs import Epoch
from pomgcheck.learner.problem import LearningProblem
from tests.learner.classes import bandit, means, play
from tests.paper.ranges import log_ends, nonnegative

T = sp.Symbol("T")


def test_sharp_bound_per_episode_falls() -> None:
    """From T = 8 on, 1/T, Lambda/T, Lambda (1 + log T)/T and log2(T+2)/T fall; the bound over T is made of them with
    constants of no negative sign, by minima and by shares of T that fall with T / (1 + E/c): T Lambda'/Lambda <= 4/Lambda and T (log T)'/(1 + log T) = 1/(1 + log T) add up
    to less than 1 at T = 8, and both fall.  So once the bound is below H T it stays there."""
    Lambda = 2 * sp.log((T + 1) * (T + 2) / 2)
    scaled = sp.together(T * sp.diff(Lambda, T))
    top, bottom = sp.fraction(sp.simplify(scaled))
    assert nonnegative(sp.expand(4 * bottom - top), T=1)
    start = MONOTONE
    least = 2 * log_ends(Fraction((start + 1) * (start + 2), 2))[0]
    assert 4 / least + 1 / (1 + log_ends(start)[0]) < 1
    assert log_ends(start + 2)[0] > 1  # T (log(T+2))'/log(T+2) <= 1/log(T+2)


ARMS = 8


def bad_arms() -> tuple[LearningProblem, Premises]:
    """An arm known to be worth 3/4 and seven that are worth 7/8 or, in truth, 1/8: each must be refuted by playing."""
    others = {f"mu{i}": {"values": ["1/8", "7/8"]} for i in range(1, ARMS)}
    game = Game(bandit({"parameters": {"mu0": {"values": ["3/4"]}} | others}, arms=ARMS, memory=3))
    truth = {name: Fraction(chance) for name, chance in means("3/4", *["1/8"] * (ARMS - 1)).items()}
    one = Fraction(1)
    made_of = Premises(2, 1, ARMS, 2 ** (ARMS - 1), Fraction(7), one, one, one, 0, 0, Fraction(1, 20), 3, one, one, one)
    return LearningProblem(game, (game.thetas or ()).index(truth), 0), made_of


def divergence(problem: LearningProblem, epoch: Epoch) -> float:
    """KL_e: log 7 times the difference of 1/8 and 7/8 where the arm is overrated, else nothing."""
    deployed = problem.values.exact(epoch.policy, epoch.model)
    return 0.75 * log(7) if deployed != problem.values.exact(epoch.policy, problem.truth) else 0.0


@pytest.mark.parametrize("seed", range(3))
def test_runs_keep_to_the_sharp_bound(seed: int) -> None:
    """With the theorem's constants, the evidence against what a run deploys, its number of policies, its statistical
    and its warm-up regret stay below their lines at the end of every epoch; and each firing took its evidence."""
    problem, p = bad_arms()
    radius = ConfidenceRadius(Fraction(16), Fraction(p.models), p.increments, 3, p.delta)
    episodes, regret, warmup, evidence, endings = 0, Fraction(0), Fraction(0), 0.0, set()
    for number, epoch in enumerate(play(problem, radius, 2**14, seed, ties="fresh-first"), 1):
        episodes += epoch.episodes
        regret += epoch.cost * epoch.episodes
        warmup += epoch.warmup_cost
        evidence += epoch.episodes * divergence(problem, epoch)
        endings.add(epoch.ended)
        lines = sharp(p, episodes)
        assert number <= lines["sharp_switches"].high
        assert evidence <= lines["evidence"].high
        assert regret <= lines["sharp_statistical"].high
        assert warmup <= lines["sharp_warmup"].high
        if epoch.ended == "test":
            assert epoch.episodes * divergence(problem, epoch) >= 7 / 12 * float(epoch.beta)
    assert "test" in endings
    assert regret > 1000
