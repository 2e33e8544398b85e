"""The rivals of Algorithm 1, on small classes worked out by hand, and beside it on common random numbers."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, sqrt

import numpy as np
import pytest

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Nested
from pomgcheck.learner import baselines
from pomgcheck.learner.algorithms import ALGORITHMS
from pomgcheck.learner.baselines import EpsilonGreedy, FlatBatch, MiniBatch, PosteriorSampling, Uniform, learner
from pomgcheck.learner.confidence import ConfidenceRadius
from pomgcheck.learner.epochs import Epoch, epochs
from pomgcheck.learner.likelihood import IMPOSSIBLE, UNIT
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.regret import always, regret, started
from tests.learner.classes import bandit, means, play, watch

RADIUS = ConfidenceRadius(Fraction(1, 50), Fraction(3), Fraction(7), 2, Fraction(1, 20), C_0=Fraction(0))
LISTED = Nested(3, Fraction(1, 20), Fraction(1), 2, ())


@pytest.fixture(scope="module")
def arms() -> LearningProblem:
    """Three arms, three worlds, memory two, an opponent who half the time halves any arm but the first."""
    worlds = [means("3/4", "1/2", "1/4"), means("1/4", "1/2", "3/4"), means("1/4", "3/4", "1/2")]
    return LearningProblem(Game(bandit({"points": worlds}, arms=3, memory=2, reaction="1/2")), 0, 0)


@pytest.fixture(scope="module")
def certain() -> LearningProblem:
    """Two arms that always win and never win, known to the last digit; memory one."""
    return LearningProblem(Game(bandit({"points": [means("0", "1")]}, arms=2)), 0, 0)


def test_flat_batches_are_equal_and_as_many_as_the_schedule_says(arms: LearningProblem) -> None:
    """At |Pi| = 3 and T = 100 there are ceil(sqrt(300)) = 18 batches' worth: 6 episodes each, the last cut short."""
    assert 6 == baselines.batch_length(3, 100)
    assert [1, 1, 2] == [baselines.batch_length(d, T) for d, T in ((3, 1), (100, 100), (25, 100))]
    found = epochs(FlatBatch(arms, RADIUS, 0, 100, "first"), 100)
    assert [6] * 16 + [4] == [epoch.episodes for epoch in found]
    assert {1} == {epoch.warmup for epoch in found}
    assert all(epoch.beta is not None and epoch.threshold is None for epoch in found)


def test_mini_batches_have_the_length_of_the_theorem() -> None:
    """(T / 7 K ln K)^(1/3), rounded up: at K = 4, T = 10^6 it is (10^6/38.8)^(1/3) = 29.5; Exp3's gamma beside it."""
    assert 30 == baselines.mini_batch_length(4, 10**6)
    assert (1, 100) == (baselines.mini_batch_length(4, 5), baselines.mini_batch_length(1, 100))
    assert baselines.exp3_mixing(4, 1000) == pytest.approx(sqrt(4 * log(4) / (1.718281828459045 * 1000)))
    assert 1.0 == baselines.exp3_mixing(100, 2)


@pytest.mark.parametrize("K", [2, 5, 100])
@pytest.mark.parametrize("J", [10**3, 10**6])
def test_exp3_mixing_is_the_best_for_its_bound(K: int, J: int) -> None:
    """Exp3 loses at most (e-1) gamma J + K ln K/gamma to the best arm; its gamma makes that least, and then it is
    2 sqrt((e-1) J K ln K), below the sqrt(7 J K ln K) that the length of a mini-batch is made from."""

    def bound(gamma: float) -> float:
        return (exp(1) - 1) * gamma * J + K * log(K) / gamma

    gamma = baselines.exp3_mixing(K, J)
    assert all(bound(gamma) <= bound(gamma * (1 + step)) for step in (-0.1, -0.01, 0.01, 0.1)) == (gamma < 1)
    if gamma < 1:
        assert 2 * sqrt((exp(1) - 1) * J * K * log(K)) == pytest.approx(bound(gamma))
        assert bound(gamma) <= sqrt(7 * J * K * log(K))


@pytest.mark.parametrize("K", [2, 5, 100])
def test_mini_batch_length_balances_the_two_parts(K: int) -> None:
    """Batches of length tau cost tau sqrt(7 (T/tau) K ln K) by Exp3's bound and m T/tau by the memory; at the length of
    the theorem the first and an m-th of the second are both (7 K ln K)^(1/3) T^(2/3), but for rounding."""
    T = 10**9
    tau, both = baselines.mini_batch_length(K, T), (7 * K * log(K)) ** (1 / 3) * T ** (2 / 3)
    assert both == pytest.approx(sqrt(7 * T * tau * K * log(K)), rel=1 / tau)
    assert both == pytest.approx(T / tau, rel=1 / tau)


def test_exp3_moves_the_weights_as_stated(certain: LearningProblem) -> None:
    """A batch on arm 1 earns 1/H = 1/2 an episode: its weight is exp(gamma (1/2)/p / K) against 1; p mixes gamma in."""
    player = MiniBatch(certain, 3, 1000)
    gamma = player.mixing
    assert [0.5, 0.5] == player.probabilities().tolist()
    first = player.epoch(1000)
    gain = 0.5 if first.policy == 1 else 0.0
    weights = np.ones(2)
    weights[first.policy] = exp(gamma * gain / 0.5 / 2)
    expected = (1 - gamma) * weights / weights.sum() + gamma / 2
    assert player.probabilities() == pytest.approx(expected)
    assert player.length == first.episodes


def test_mini_batch_comes_to_prefer_the_better_arm(certain: LearningProblem) -> None:
    """Of 4,000 episodes more than three quarters go to the arm that always wins."""
    found = epochs(MiniBatch(certain, 0, 4000), 4000)
    assert 3000 < sum(epoch.episodes for epoch in found if epoch.policy == 1)


def test_mini_batch_pays_for_what_the_opponent_still_does(arms: LearningProblem) -> None:
    """Without warm-up the first episode of a batch after another arm meets the mean of two responses."""
    found = epochs(MiniBatch(arms, 1, 300), 300)
    switched = [after for before, after in zip(found, found[1:], strict=False) if before.policy != 0 == after.policy]
    assert switched
    assert {(Fraction(3, 32),)} == {epoch.moving for epoch in switched}
    assert {0} == {epoch.warmup for epoch in found}
    assert Fraction(3, 32) == switched[0].regret(1) == switched[0].regret(2)


def test_posterior_sampling_draws_from_the_posterior(arms: LearningProblem) -> None:
    """Log-likelihoods log 2, 0 and log 0: models 0 and 1 are drawn with chances 2/3 and 1/3, model 2 never."""
    player = PosteriorSampling(arms, RADIUS, 0, "first")
    player.evidence.L[:] = [round(log(2) * UNIT), 0, IMPOSSIBLE]
    drawn = [player.plan().model for _ in range(3000)]
    assert abs(drawn.count(0) / 3000 - 2 / 3) < 0.04
    assert 0 == drawn.count(2)


def test_posterior_sampling_plays_the_sampled_models_best_policy(arms: LearningProblem) -> None:
    """Model 0's best arm is 0; in model 1 arm 2 wins 3/4, less a quarter; in model 2 it is arm 1."""
    found = epochs(PosteriorSampling(arms, RADIUS, 4, "first"), 500)
    assert [2**k for k in range(1, len(found))] == [epoch.episodes for epoch in found[:-1]]
    assert {(0, 0), (2, 1), (1, 2)} >= {(epoch.policy, epoch.model) for epoch in found}
    assert (0, 0) == (found[-1].policy, found[-1].model)


def greedy_by_hand(player: EpsilonGreedy, T: int, wins: list[list[int]]) -> list[int]:
    """Episode by episode, from a table of what each arm would win in each episode."""
    n, s, chosen = [0] * len(wins), [0] * len(wins), []
    for t in range(T):
        explore, which = player.row(t)
        if t < len(wins):
            arm = t
        elif explore < 0.1:
            arm = int(which * len(wins))
        else:
            ratios = [Fraction(a, b) for a, b in zip(s, n, strict=True)]
            arm = ratios.index(max(ratios))
        n[arm] += 1
        s[arm] += wins[arm][t]
        chosen.append(arm)
    return chosen


def test_epsilon_greedy_is_the_plain_loop() -> None:
    """Its choices are those made one episode at a time from the same numbers (memory one: nothing moves)."""
    problem = LearningProblem(Game(bandit({"points": [means("3/5", "1/2", "11/20")]}, arms=3)), 0, 0)
    T, player = 400, EpsilonGreedy(problem, 9)
    uniforms = np.random.Generator(np.random.PCG64(9)).random((T, 10))[:, 6]  # of the learner's last observation
    wins = [[int(u >= 1 - p) for u in uniforms] for p in (0.6, 0.5, 0.55)]
    found = epochs(player, T)
    assert greedy_by_hand(player, T, wins) == [epoch.policy for epoch in found for _ in range(epoch.episodes)]
    assert len(found) > 20


def test_uniform_plays_each_policy_about_as_often(arms: LearningProblem) -> None:
    """Of 3,000 episodes each of three arms has about a thousand, and every change of arm is an epoch."""
    found = epochs(Uniform(arms, 0), 3000)
    assert all(900 < sum(e.episodes for e in found if e.policy == arm) < 1100 for arm in range(3))
    assert all(a.policy != b.policy for a, b in zip(found, found[1:], strict=False))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_plays_its_episodes(arms: LearningProblem, name: str) -> None:
    """Epochs follow one another and fill T exactly; regret never decreases, and by each t some have started."""
    found = epochs(learner(name, arms, RADIUS, 0, 200, "first", LISTED), 200)
    assert 200 == sum(epoch.episodes for epoch in found)
    assert [0, *np.cumsum([epoch.episodes for epoch in found])[:-1]] == [epoch.start for epoch in found]
    total = regret(found, [1, 50, 200])
    assert sorted(total) == total
    assert total[-1] == sum((epoch.regret(epoch.episodes) for epoch in found), Fraction(0))
    assert [1, len(found)] == [started(found, [1, 200])[0], started(found, [1, 200])[-1]]


@pytest.mark.parametrize(
    "name", ["nested", "epoch-omle", "epoch-fixed", "posterior-sampling", "epsilon-greedy", "uniform"]
)
def test_those_that_need_no_horizon_are_prefixes(arms: LearningProblem, name: str) -> None:
    """A run to 150 is, episode for episode, the beginning of a run to 400 (Theorem 5.1 for Algorithm 1)."""

    def policies(T: int) -> list[tuple[int, Fraction]]:
        found = epochs(learner(name, arms, RADIUS, 3, T, "first", LISTED), T)
        return [(e.policy, e.regret(k + 1) - e.regret(k)) for e in found for k in range(e.episodes)]

    assert policies(150) == policies(400)[:150]


def test_those_with_confidence_sets_say_whether_the_truth_was_inside(arms: LearningProblem) -> None:
    """Coverage is a fact of the first four algorithms and no question for the others."""
    known = {name: always(epochs(learner(name, arms, RADIUS, 0, 50, "first", LISTED), 50)) for name in ALGORITHMS}
    assert ["nested", "epoch-omle", "epoch-fixed", "flat-batch"] == [
        name for name, inside in known.items() if inside is not None
    ]


def test_names_lead_to_algorithm_1_and_its_schedule() -> None:
    """``epoch-omle`` and ``epoch-fixed`` are the learner with and without its test."""
    problem = LearningProblem(Game(watch()), 0, 0)
    for name, test in (("epoch-omle", True), ("epoch-fixed", False)):
        found: list[Epoch] = epochs(learner(name, problem, RADIUS, 1, 100, "first"), 100)
        assert play(problem, RADIUS, 100, 1, test=test) == found
