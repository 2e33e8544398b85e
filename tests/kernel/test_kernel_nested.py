"""What Theorem N is made of: the most that is lost, the first T at which the bound is worth it, the range of rewards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.enclosures import log
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.logarithms import log_enclosure
from pomgcheck.kernel.nested import BITS, Costly, Nested, Truth, shown, span, worth
from pomgcheck.options import Options
from tests.search.small import document

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
DEAR, CHEAP = Costly(Fraction(3), None), Costly(Fraction(1), None)


def of(memory: Any, *truths: Truth, models: int = 3) -> Nested:
    """The parts of Theorem N at delta = 1/10 and R' = 5/2."""
    return Nested(models, TENTH, Fraction(5, 2), memory, truths)


def test_the_dearest_policies_are_paid_first() -> None:
    """Of two policies that are told apart at once, one episode loses what the dearer costs, and two what both do."""
    truth = Truth(1, 1, (CHEAP, DEAR))
    assert [0, 3, 4, 4] == [of(3).lost(truth, T) for T in (0, 1, 2, None)]
    assert [1, 1] == [of(3).most(truth, each) for each in truth.costly]


def test_warm_ups_and_transients_cost_the_range_of_rewards() -> None:
    """Memory 3 takes 2 episodes before each run; fading memory delta/8 R' in all, and its events share 15/16 of delta."""
    truth = Truth(2, 1, (DEAR,))
    assert 2 == of(3).warmup(1)
    assert 10 == of(3).warmups(truth)
    assert 3 + 10 == of(3, truth, Truth(1, 1, ())).regret(None)
    assert 0 == of(3).transients
    fading = of((HALF, Fraction(4)))
    assert Fraction(5, 2) / 80 == fading.transients
    assert TENTH * 15 / 16 == fading.budget
    # 8 H L_g (run+1)^2 / (delta (1-gamma)) = 2560 at the first run and 5760 at the second; twice their logarithms
    assert [15, 17] == [fading.warmup(run) for run in (1, 2)]
    assert Fraction(5, 2) * 32 == fading.before(2)


@pytest.mark.parametrize(("models", "ratio"), [(3, 20), (2, 10), (1, 10)])
def test_a_model_leaves_where_its_likelihood_is_a_share_of_the_largest(models: int, ratio: int) -> None:
    """u = log((N-1)/delta), of one model log(1/delta); evidence adds log(h/delta) to half of it."""
    parts = of(3, models=models)
    assert log(Fraction(ratio)) == parts.u
    both = log(Fraction(ratio)) * HALF + log(Fraction(40))
    assert both == parts.evidence(Truth(1, 4, ()))
    slow = Costly(Fraction(1), Fraction(1, 100))
    assert 1 + int(100 * both.high) == parts.most(Truth(1, 4, ()), slow)


def test_a_constant_is_below_both_ends_of_its_logarithm() -> None:
    """c = log 2 rounded down is shown at the affinity 1/2, and c rounded up is not; an affinity of zero shows any."""
    low, high = log_enclosure(HALF, BITS)
    assert low < high
    assert shown(HALF, Fraction(-high, 1 << BITS))
    assert not shown(HALF, Fraction(-low, 1 << BITS))
    assert shown(Fraction(0), Fraction(100))


@pytest.mark.parametrize(
    ("first", "found"),
    [
        ("6", ""),
        ("5", "a T at which the bound is below D T"),
        ("4", "a T at which the bound is below D T"),
        ("0", "a T at which the bound is below D T"),
        ("-1", "a T at which the bound is below D T"),
        ("13/2", "a T at which the bound is below D T"),
        ("7", "the first such T"),
        ("8", "the first such T"),
    ],
)
def test_the_first_t_is_one_and_the_first(first: str, found: str) -> None:
    """The bound 10 is below 2 T from T = 6 on, and equal to it at 5."""
    given = case(worth_T=first)
    if not found:
        worth(given, "list", lambda T: Fraction(10), Fraction(2))
    else:
        with pytest.raises(Rejected, match=found):
            worth(given, "list", lambda T: Fraction(10), Fraction(2))


@pytest.mark.parametrize(("first", "accepted"), [("1", True), ("2", False)])
def test_the_first_t_may_be_the_first_episode(first: str, accepted: bool) -> None:
    """The bound T/2 is below T everywhere; at zero, where nothing is played, nothing is asked."""
    if accepted:
        worth(case(worth_T=first), "list", lambda T: Fraction(T, 2), Fraction(1))
    else:
        with pytest.raises(Rejected, match="the first such T"):
            worth(case(worth_T=first), "list", lambda T: Fraction(T, 2), Fraction(1))


def case(**values: str) -> Case:
    """A claim with these values."""
    return Case(facts_of([["1", "0"], ["0", "1"]]), "regret", values)


def facts_of(first: list[list[str]]) -> Facts:
    """A class of three steps whose state is shown and rewarded, moves by these rows in the first step and stays then."""
    stays = [["1", "0"], ["0", "1"]]
    found = document(
        "shown",
        learner=stays,
        moves=[[row] for row in stays],
        worlds={"x": ["0", "1"]},
        responses={"table": {"p": [["1"]]}},
        horizon=3,
    )
    found["worlds"]["transition"] = {"steps": [[[[row]] for row in rows] for rows in (first, stays, stays)]}
    return Facts(Game(found), Options().document)


def test_rewards_range_over_what_the_first_step_reaches() -> None:
    """Two rewards follow the first step: they are 2 and 0 after a move to either state, and 2 after none."""
    assert 0 == span((facts := facts_of([["1", "0"], ["0", "1"]])).game, facts.tables)
    assert 2 == span((facts := facts_of([["1/2", "1/2"], ["0", "1"]])).game, facts.tables)
