"""Bernoulli arms on a continuum: what is recognised, and Algorithm 1's answers in closed form."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.gallery import bandit
from pomgcheck.kernel.game import Game
from pomgcheck.learner.algorithms import ALGORITHMS
from pomgcheck.learner.baselines import learner
from pomgcheck.learner.bernoulli import Arms, Bernoulli, Counts, arms_of, likelihood_gap, truncated_beta
from pomgcheck.learner.confidence import ConfidenceRadius, Scales, units
from pomgcheck.learner.epochs import Learner, epochs
from pomgcheck.modelclass.document import load
from tests.learner import continua
from tests.learner.classes import bandit as small_bandit

Edit = Callable[[dict[str, Any]], None]
LOW, HIGH = Fraction(1, 8), Fraction(7, 8)


def arms(count: int = 3, low: Fraction = LOW, high: Fraction = HIGH) -> Arms:
    """Arms that no game stands behind."""
    names = tuple(f"mu{i}" for i in range(count))
    return Arms(names, low, high, tuple(range(count)), (frozenset(),) * count, Fraction(0), Fraction(1))


def counts(n: list[int], s: list[int], **ends: Fraction) -> Counts:
    """What was seen of some arms."""
    found = Counts(Bernoulli(arms(len(n), **ends), {}, {f"mu{i}": Fraction(1, 2) for i in range(len(n))}))
    found.n, found.s = n, s
    return found


# ----------------------------------------------------------------------------------------- recognition


@pytest.mark.parametrize("count", [2, 5])
def test_bandit_is_recognised_by_its_laws(count: int) -> None:
    """Whatever its labels: one arm a policy, wins are the trajectories of its second outcome, the value is the mean."""
    document = load(bandit.document(count)).document
    renamed = document | {"name": "no bandit"}
    found = arms_of(Game(renamed))
    assert found is not None
    assert (LOW, HIGH, Fraction(0), Fraction(1)) == (found.low, found.high, found.offset, found.gain)
    assert list(range(count)) == sorted(found.arm_of)
    game = Game(document)
    for policy, wins in enumerate(found.wins):
        assert {f"{found.arm_of[policy] + 1}:1"} == {game.OA[tau[2]] for tau in wins}


def other_ends(document: dict[str, Any]) -> None:
    document["worlds"]["parameters"]["mu1"] = {"interval": ["1/4", "7/8"]}


def constrained(document: dict[str, Any]) -> None:
    document["worlds"]["constraints"] = ["mu1 + mu2 <= 3/2"]


def squared(document: dict[str, Any]) -> None:
    document["worlds"]["learner_emission"]["steps"][1][0][1:3] = ["1-mu1^2", "mu1^2"]


def scaled(document: dict[str, Any]) -> None:
    document["worlds"]["learner_emission"]["steps"][1][0][1:3] = ["1-mu1/2", "mu1/2"]


def reversed_reward(document: dict[str, Any]) -> None:
    document["game"]["reward"]["steps"][1][1:3] = ["1", "0"]


def mixed_up(document: dict[str, Any]) -> None:
    document["worlds"]["initial"] = ["1/2", "1/2"]
    document["worlds"]["learner_emission"]["steps"][0] = [["0", "1-mu1", "mu1", "0", "0"]] * 2


def touching(document: dict[str, Any]) -> None:
    for axis in document["worlds"]["parameters"].values():
        axis["interval"] = ["0", "7/8"]


def one_value(document: dict[str, Any]) -> None:
    document["worlds"]["parameters"]["mu1"] = {"values": ["1/2"]}


@pytest.mark.parametrize(
    "edit", [other_ends, constrained, squared, scaled, reversed_reward, mixed_up, touching, one_value]
)
def test_what_is_not_such_a_class_is_not_taken_for_one(edit: Edit) -> None:
    """One thing that the closed form rests on is changed at a time."""
    document = bandit.document(2)
    for key in ("truth", "knobs"):
        document.pop(key)
    for axis in document["worlds"]["parameters"].values():
        axis["interval"] = ["1/8", "7/8"]
    assert arms_of(load(document).game) is not None
    edit(document)
    assert arms_of(load(document).game) is None


def test_two_responses_are_no_bandit() -> None:
    """An opponent who halves the chance of winning, known or not, makes other laws."""
    means = {f"mu{i}": {"interval": ["1/8", "7/8"]} for i in range(2)}
    assert arms_of(Game(small_bandit({"parameters": means}, arms=2))) is not None
    assert arms_of(Game(small_bandit({"parameters": means}, arms=2, reaction="1/2"))) is None


@pytest.mark.parametrize("name", ["sensor", "patrol", "mixed", "triangle"])
def test_other_continua_are_planned_with_a_net(name: str) -> None:
    """None of them is a product of arms."""
    assert arms_of(continua.game(name)) is None


# ------------------------------------------------------------------------------------------ closed form


def log_likelihood(n: int, s: int, q: Fraction) -> Decimal:
    """s log q + (n - s) log(1 - q)."""
    with localcontext(prec=60):
        p, r = (Decimal(x.numerator) / x.denominator for x in (q, 1 - q))
        return s * p.ln() + (n - s) * r.ln()


seen = st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@given(seen, st.fractions(LOW, HIGH, max_denominator=200))
def test_the_estimate_is_the_most_likely_mean(data: tuple[int, int], q: Fraction) -> None:
    """No mean of the interval is likelier, also where s/n lies outside it."""
    found = counts([data[0]], [data[1]])
    assert LOW <= found.estimate(0) <= HIGH
    with localcontext(prec=60):
        assert log_likelihood(*data, q) <= log_likelihood(*data, found.estimate(0)) + Decimal("1e-50")
    assert abs(likelihood_gap(*data, found.estimate(0), q) - found.arm_gap(0, q)) == 0


@given(seen, st.decimals("0.01", "60", places=3), st.sampled_from([(LOW, HIGH), (Fraction(1, 3), Fraction(2, 3))]))
def test_the_optimistic_mean_is_the_largest_inside(
    data: tuple[int, int], beta: Decimal, ends: tuple[Fraction, Fraction]
) -> None:
    """It lies in the confidence set, and the next multiple of 2^-32 does not, unless it is the end of the interval."""
    found = counts([data[0]], [data[1]], low=ends[0], high=ends[1])
    q = found.largest(0, beta)
    gap = log_likelihood(*data, found.estimate(0)) - log_likelihood(*data, q)
    assert found.estimate(0) <= q <= ends[1]
    assert units(gap) <= units(beta)
    beyond = (q * 2**32 // 1 + 1) / Fraction(2**32)
    if beyond < ends[1]:
        assert units(log_likelihood(*data, found.estimate(0)) - log_likelihood(*data, beyond)) > units(beta)
    else:
        assert ends[1] - q < Fraction(1, 2**31)


@given(
    st.integers(0, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    st.lists(st.booleans(), min_size=1, max_size=60),
    st.fractions(LOW, HIGH, max_denominator=64),
    st.decimals("0.05", "5", places=3),
    st.decimals("0", "0.1", places=3),
)
def test_the_test_fires_where_the_plain_loop_does(
    before: tuple[int, int], wins: list[bool], q: Fraction, start: Decimal, growth: Decimal
) -> None:
    """The first episode after which the evidence exceeds the threshold, one episode at a time."""
    found = counts([before[0]], [before[1]])
    thresholds = np.array([units(start + k * growth) for k in range(len(wins))])
    n, s, expected = *before, 0
    for k, won in enumerate(wins):
        n, s = n + 1, s + won
        p = min(HIGH, max(LOW, Fraction(s, n)))
        if units(log_likelihood(n, s, p) - log_likelihood(n, s, q)) > thresholds[k]:
            expected = k + 1
            break
    assert expected == found.first(0, q, np.cumsum(wins), thresholds)


def test_a_threshold_met_exactly_is_decided_exactly() -> None:
    """One unit of 2^-32 below the evidence it fires, at the evidence it does not."""
    found, wins = counts([1000], [400]), np.array([1])
    evidence = units(likelihood_gap(1001, 401, Fraction(401, 1001), HIGH))
    assert (0, 1) == tuple(found.first(0, HIGH, wins, np.array([evidence - k])) for k in (0, 1))


def test_covering_at_every_scale() -> None:
    """On [1/8, 7/8] log mu and log(1-mu) have slopes up to 8: ceil(3/eps) means an arm are within eps of all."""
    assert Scales(8, Fraction(3)) == arms(8).scales
    for bits in range(1, 12):
        per_arm = Scales(1, arms().scales.reach).points(bits)
        half = (HIGH - LOW) / (2 * per_arm)
        ends = [LOW + half, HIGH - half]  # the middles next to the ends are the worst
        assert all(abs(log(float(m / (m + d)))) <= 2.0**-bits for m, d in ((ends[0], -half), (1 - ends[1], -half)))
    assert Scales(3, Fraction(3)).points(4) == 48**3


def test_radius_runs_with_the_scale() -> None:
    """log N at 2^-ceil(log2(n+2)), n the data episodes so far: in beta_e, in tau_e(t), and in its floors."""
    radius = ConfidenceRadius(Fraction(1), Scales(2, Fraction(3)), Fraction(7), 1, Fraction(1, 20), C_0=Fraction(0))
    for n, points in ((0, 6), (1, 12), (2, 12), (3, 24), (6, 24), (7, 48)):
        expected = 2 * log(points) + log(2 * 9 * 20) + log(7)
        assert expected == pytest.approx(float(radius.beta(3, n)), rel=1e-12)
    exact = [units(radius.tau(2, t, 5)) for t in range(1, 200)]
    assert exact == radius.tau_floors(2, 1, 199, 5).tolist() == sorted(exact)


# ------------------------------------------------------------------------------------------- whole runs


def test_the_closed_form_agrees_with_a_net_of_the_same_class() -> None:
    """On the same data max L - L(xi*) differs by the net's error an episode at most; the net promises no less."""
    error = Fraction(1, 8)
    exact, _ = continua.problem("two-arms", None)
    coarse, planned = continua.problem("two-arms", str(error))
    mine, theirs, arena, n = exact.oracle.begin(), coarse.oracle.begin(), exact.arena(3), 0
    for policy, count in ((0, 5), (1, 20), (0, 40), (1, 100)):
        block = arena.peek(policy, count)
        arena.commit(policy, count)
        for evidence in (mine, theirs):
            evidence.learn(policy, None, block, None)
        n += count
        gap = (mine.truth_gap() or 0) - (theirs.truth_gap() or 0)
        assert -n <= gap <= units(Decimal(n) * planned.error.numerator / planned.error.denominator) + n
        beta = Decimal(1)
        fresh = np.zeros(2, dtype=np.bool_)
        value = exact.oracle.value(*mine.best(beta, fresh, "first"))
        wide = beta + Decimal(n) * error.numerator / error.denominator
        promised = coarse.oracle.value(*theirs.best(wide, fresh, "first"))
        assert value <= promised + Fraction(planned.described["value_error"])


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name != "nested"])  # which is for finite classes
def test_every_algorithm_plays_the_arms(name: str) -> None:
    """All of them, from the same interface; whatever is planned lies in the class; T episodes are played."""
    problem, planned = continua.problem("two-arms", None)
    player = learner(name, problem, continua.settings("two-arms", planned, c="1/10").radius, 4, 300, "first")
    played = epochs(player, 300)
    assert 300 == sum(epoch.episodes for epoch in played)
    planned_with = [epoch.model for epoch in played if epoch.model is not None]
    assert all(LOW <= mean <= HIGH for model in planned_with for mean in model)
    assert bool(planned_with) == (name not in ("mini-batch", "epsilon-greedy", "uniform"))


def test_a_bad_arm_is_refuted_and_ties_are_those_of_finite_classes() -> None:
    """First the lowest arm, or with fresh-first the highest unplayed one; promised 7/8 and worth 2/7 it is refuted."""
    problem, planned = continua.problem("two-arms", None)
    radius = continua.settings("two-arms", planned, c="1/10").radius
    for ties, first in (("first", 0), ("fresh-first", 1)):
        found = epochs(Learner(problem, radius, 2, ties=ties), 200)  # type: ignore[arg-type]
        assert first == found[0].policy
        assert "test" in {epoch.ended for epoch in found}
        assert all(epoch.covered for epoch in found)
        assert {0, 1} == {epoch.policy for epoch in found}


def test_blocks_change_nothing() -> None:
    """Episodes simulated one at a time or in large blocks give the same epochs."""
    problem, planned = continua.problem("two-arms", None)
    radius = continua.settings("two-arms", planned, c="1/10").radius
    found = [epochs(Learner(problem, radius, 5, blocks=blocks), 250) for blocks in ((1, 1), (7, 31), (256, 2**14))]
    assert found[0] == found[1] == found[2]


# ------------------------------------------------------------------------------------ posterior sampling


def distribution(n: int, s: int, x: Fraction) -> Fraction:
    """P(Beta(s+1, n-s+1) <= x): a binomial tail."""
    return sum((comb(n + 1, k) * x**k * (1 - x) ** (n + 1 - k) for k in range(s + 1, n + 2)), Fraction(0))


@pytest.mark.parametrize(
    ("n", "s", "low", "high"),
    [
        (0, 0, "1/8", "7/8"),
        (3, 0, "1/8", "7/8"),
        (40, 39, "1/8", "7/8"),
        (60, 20, "1/2", "51/100"),
        (200, 90, "1/8", "7/8"),
    ],
)
def test_means_are_drawn_from_the_truncated_beta_law(n: int, s: int, low: str, high: str) -> None:
    """4,000 draws against the exact distribution function, at nine quantiles' points: within 4.5 standard errors."""
    a, b = Fraction(low), Fraction(high)
    random = np.random.default_rng(7)
    draws = np.array([truncated_beta(n, s, float(a), float(b), random) for _ in range(4000)])
    assert float(a) <= draws.min() <= draws.max() <= float(b)
    below, whole = distribution(n, s, a), distribution(n, s, b) - distribution(n, s, a)
    for x in np.quantile(draws, np.arange(1, 10) / 10).tolist():
        exact = float((distribution(n, s, Fraction(x)) - below) / whole)
        assert abs((draws <= x).mean() - exact) <= 4.5 * (exact * (1 - exact) / 4000) ** 0.5 + 1e-3
