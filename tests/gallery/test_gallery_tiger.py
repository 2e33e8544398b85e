"""The tiger class meets every assumption in its literal form, and its models call for different policies."""

import math
from fractions import Fraction as F
from random import Random

import pytest

from pomgcheck import gallery
from pomgcheck.kernel.game import Game
from tests.gallery import brute


@pytest.fixture(scope="module")
def tiger() -> Game:
    return gallery.load("tiger").game


def test_five_policies_are_best_somewhere(tiger: Game) -> None:
    """Which policy is best depends on the pull x and on how sensitive the opponent is; nowhere are two best."""
    best = {}
    assert tiger.thetas is not None
    assert tiger.phis is not None
    for theta, phi in brute.models(tiger):
        values = {name: brute.value(tiger, (theta, phi), p) for p, name in enumerate(tiger.policy_names)}
        top, second = sorted(values.values(), reverse=True)[:2]
        assert top > second
        best[str(tiger.thetas[theta]["x"]), str(tiger.phis[phi]["y"])] = max(values, key=values.__getitem__)
    assert best == {
        ("1/10", "1/10"): "right",
        ("1/10", "7/20"): "shy-right",
        ("1/2", "1/10"): "trust",
        ("1/2", "7/20"): "trust",
        ("9/10", "1/10"): "left",
        ("9/10", "7/20"): "shy-left",
    }


def test_posterior_lipschitz(tiger: Game) -> None:
    """No response moves where posteriors agree: the step form of 2.3 holds with L = 9331/10758."""
    assert brute.lipschitz(tiger) == F(9331, 10758)


def test_bounded_increments(tiger: Game) -> None:
    """Every trajectory possible in one model is possible in all; B_0 is the logarithm of 1638117/110677."""
    assert brute.increments(tiger) == F(1638117, 110677)


def test_weak_revealing_over_the_whole_simplex(tiger: Game) -> None:
    """One statistic, the side next heard, proves alpha = 97/720, attained at a tiger surely on the left under left."""
    side: dict[tuple[int, ...], int] = {(k,): 1 if "right" in label else -1 for k, label in enumerate(tiger.OA)}
    assert brute.revealing_bound(tiger, [side]) == F(97, 720)
    hear, listen = tiger.OA.index("hear-left"), tiger.A.index("listen")
    left = brute.mixture({tiger.S.index("left"): F(1)})
    found = brute.revealing(tiger, (0, 1), 1, tiger.policy_names.index("left"), 0, hear, listen, left)
    assert found == (F(97, 1000), F(18, 25))


def test_weak_revealing_on_random_mixtures(tiger: Game) -> None:
    """No mixture of states cancels the difference of two worlds: the ratio is at least 97/720 at 300 random ones."""
    draw = Random(1)
    situations = list(brute.contexts(tiger))
    pure = brute.pure_states(tiger, 0, "window")
    tried = 0
    while tried < 300:
        weights = [draw.choice((0, 0, 1, 2, 9)) for _ in pure]
        if not any(weights):
            continue
        q = {state: F(x, sum(weights)) for state, x in zip(pure, weights, strict=True)}
        worlds = draw.choice([(0, 1), (0, 2), (1, 2)])
        found = brute.revealing(tiger, worlds, *draw.choice(situations), q)
        if found is not None and found[1] > 0:
            assert found[0] >= F(97, 720) * found[1]
            tried += 1


def test_kl_conversion(tiger: Game) -> None:
    """Both clauses of 3.1(e) hold with a positive constant: 0.0634850 (joint), 0.0172214 (world)."""
    found = brute.conversion(tiger)
    assert math.isclose(0.0634850403, found["joint"][0], rel_tol=1e-8)
    assert math.isclose(0.0172214193, found["world"][0], rel_tol=1e-8)
