"""Policy regret by hand, and what the record says of it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from pomgcheck.kernel.game import Game
from pomgcheck.learner.epochs import Epoch
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.regret import grid, mean, regret, seed_result, slope, summary, tally, text, two_se
from tests.learner.classes import bandit, means

HALVING = LearningProblem(Game(bandit({"points": [means("3/4", "1/2")]}, arms=2, memory=2, reaction="1/2")), 0, 0)


def epoch(start: int, episodes: int, cost: Fraction, warmup_cost: Fraction = Fraction(0), ended: str = "cap") -> Epoch:
    """An epoch of which only lengths and costs matter."""
    return Epoch(
        policy=0,
        model=0,
        start=start,
        episodes=episodes,
        ended=ended,
        warmup=1,
        warmup_cost=warmup_cost,  # type: ignore[arg-type]
        cost=cost,
        beta=Decimal(1),
        threshold=Decimal(2),
        gap=2**31,
        covered=start < 6,
        inside=1,
    )


EPOCHS = [
    epoch(0, 2, Fraction(1, 4), Fraction(1, 3)),
    epoch(2, 4, Fraction(0)),
    epoch(6, 3, Fraction(1, 10), Fraction(1, 2), "test"),
]


def test_benchmark_is_the_stationary_value() -> None:
    """v* is arm 0's 3/4: arm 1 wins half the time, and is halved half the time, so it is worth 3/8."""
    assert Fraction(3, 4) == HALVING.best
    opponent = HALVING.opponent()
    expected = [Fraction(0), Fraction(3, 8)]
    assert expected == [HALVING.costs(opponent, p, [opponent.stationary(p)])[0] for p in (0, 1)]


def test_transient_costs_what_the_actual_response_costs() -> None:
    """Arm 0 just after arm 1 (m = 2) meets the mean response, halved a quarter of the time: 3/4 - 21/32 = 3/32."""
    assert [Fraction(3, 32)] == HALVING.costs(HALVING.opponent(), 0, [(1, 1)])
    assert [Fraction(1, 4) + Fraction(1, 16)] == HALVING.costs(HALVING.opponent(), 1, [(1, 1)])


def test_regret_accumulates_over_epochs() -> None:
    """Two episodes at 1/4, four at 0, three at 1/10; warm-ups are apart."""
    quarter, half = Fraction(1, 4), Fraction(1, 2)
    expected = [quarter, half, half, half, half + Fraction(1, 10), half + Fraction(3, 10)]
    assert expected == regret(EPOCHS, [1, 2, 3, 6, 7, 9])


def test_seed_result() -> None:
    """A seed's entry: regret at the grid, warm-up regret apart, their total, epochs, terminations and coverage."""
    result = seed_result(HALVING, 5, EPOCHS, [1, 9]).entry
    assert ["1/4", "4/5"] == result["regret"]
    assert ("5/6", "49/30") == (result["warmup_regret"], result["total_regret"])
    assert (5, 3, 1, 3, False) == tuple(
        result[key] for key in ("seed", "S_T", "terminations", "warmup_episodes", "truth_in_every_set")
    )
    last = result["epochs"][2]
    assert (3, "a0", 6, 3, "test", "3/10", "1/2", "0.5", False, 1) == tuple(
        last[key]
        for key in (
            "e",
            "policy",
            "start",
            "episodes",
            "ended",
            "regret",
            "warmup_regret",
            "gap",
            "truth_inside",
            "models_inside",
        )
    )
    assert {"theta": {"mu0": "3/4", "mu1": "1/2"}, "Phi": {}} == last["xi"]


def test_grid_is_quarter_powers_of_two() -> None:
    """floor(2^(k/4)) without repeats, every power of two among them, and T itself."""
    assert [1, 2, 3, 4, 5, 6, 8, 9, 11, 13, 16, 19, 20] == grid(20)
    assert {2**k for k in range(11)} <= set(grid(1024))
    assert [1] == grid(1)


def test_text_is_exact_or_long() -> None:
    """Short fractions stay exact; longer ones become decimals of 15 digits."""
    assert "-3/32" == text(Fraction(-3, 32))
    assert "0.333333333333333" == text(Fraction(10**29, 3 * 10**29 + 1))
    assert "0.693147180559945" == text(Decimal(2).ln())


def test_spread_over_seeds() -> None:
    """Of 1 and 3 the mean is 2 and twice the standard error 2; one seed has no standard error."""
    assert 2 == mean([Fraction(1), Fraction(3)])
    assert Decimal(2) == Decimal(two_se([Fraction(1), Fraction(3)]) or "0")
    assert two_se([Fraction(1)]) is None


def test_slope_of_a_power() -> None:
    """Regret 3 t^2 has log-log slope 2 over the stated window, the last factor of 64."""
    times = [2**k for k in range(13)]
    found = slope(times, [Fraction(3 * t * t) for t in times])
    assert (64, 4096) == (found["from"], found["to"])
    assert 2 == pytest.approx(float(found["value"]), abs=1e-13)


def test_slope_needs_regret() -> None:
    """Where the mean regret is zero there is no slope."""
    assert slope([1, 2, 4], [Fraction(0)] * 3)["value"] is None


def test_summary_is_over_seeds() -> None:
    """Means of regret at each time and of the totals; coverage counts the seeds that kept the truth."""
    times = [2, 9]
    found = summary([tally(EPOCHS, times), tally(EPOCHS[:2] + [epoch(6, 3, Fraction(0))], times)], times)
    assert ["1/2", "13/20"] == found["regret"]["mean"]
    assert ("7/12", "1/2", "3") == tuple(found[key]["mean"] for key in ("warmup_regret", "terminations", "S_T"))
    assert 0 == found["truth_in_every_set"]
