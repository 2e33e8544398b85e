"""docs/bound.md, Theorem N: each step of its proof, on classes small enough that every course of play is enumerated."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, log
from typing import NamedTuple

import mpmath
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Costly, Nested, Ranked, Truth, shown, span
from tests.learner.classes import bandit, means

OPTIONS = {"space": "window", "reference": "uniform", "limits": {"trajectories": 1000}}
T = 6  # episodes of an enumerated play


class Bernoulli(NamedTuple):
    """A class of ``worlds``, each the chances of winning of the arms; ``policy`` and ``order`` are those of the list."""

    worlds: list[tuple[Fraction, ...]]
    delta: Fraction

    @property
    def ranked(self) -> Ranked:
        """The list as the kernel has it."""
        points = [means(*map(str, world)) for world in self.worlds]
        game = Game(bandit({"points": points}, len(self.worlds[0])))
        return Ranked(game, Facts(game, OPTIONS).plays)

    def chance(self, x: int, arm: int, win: int) -> Fraction:
        """P_x of an outcome."""
        return self.worlds[x][arm] if win else 1 - self.worlds[x][arm]


chances = st.sampled_from([Fraction(k, 8) for k in range(9)])


@st.composite
def classes(draw: st.DrawFn) -> Bernoulli:
    """Two to four worlds of two or three arms."""
    arms = draw(st.integers(2, 3))
    worlds = draw(st.lists(st.tuples(*[chances] * arms), min_size=2, max_size=4, unique=True))
    return Bernoulli(worlds, draw(st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)])))


class Play(NamedTuple):
    """One course of play against a truth: its chance, the likelihoods of every world after each episode (the first
    before any), the world deployed in each, and whether the truth was ever refuted."""

    chance: Fraction
    likelihoods: list[list[Fraction]]
    deployed: list[int]
    refuted: bool


def plays(c: Bernoulli, order: list[int], arm: dict[int, int], truth: int) -> list[Play]:
    """Every course of T episodes of the schedule, by the words of docs/bound.md."""
    ratio = max(len(c.worlds) - 1, 1) / c.delta  # a model is refuted when max P > ratio P
    start = [Fraction(1)] * len(c.worlds)
    now = [(Fraction(1), [start], list[int](), set[int]())]
    for _ in range(T):
        after = []
        for p, likelihoods, deployed, out in now:
            left = [x for x in order if x not in out]
            x = (left or [x for x in order if ratio * likelihoods[-1][x] >= max(likelihoods[-1])])[0]
            for win in (0, 1):
                if q := c.chance(truth, arm[x], win):
                    L = [m * c.chance(y, arm[x], win) for y, m in enumerate(likelihoods[-1])]
                    gone = {y for y, m in enumerate(L) if ratio * m < max(L)}
                    after.append((p * q, [*likelihoods, L], [*deployed, x], out | gone))
        now = after
    return [Play(p, likelihoods, deployed, truth in out) for p, likelihoods, deployed, out in now]


def listed(c: Bernoulli) -> tuple[list[int], dict[int, int]]:
    """The order of the worlds and the first best arm of each, from the chances alone."""
    arm = {x: world.index(max(world)) for x, world in enumerate(c.worlds)}
    return sorted(arm, key=lambda x: (-max(c.worlds[x]), arm[x], x)), arm


def affinity(c: Bernoulli, x: int, y: int, arm: int) -> float:
    """sum sqrt(P_x P_y) of an episode of an arm."""
    return float(sum(mpmath.sqrt(c.chance(x, arm, w) * mpmath.mpf(1) * c.chance(y, arm, w)) for w in (0, 1)))


@given(classes())
@settings(max_examples=40)
def test_the_kernel_walks_the_list_of_the_definition(c: Bernoulli) -> None:
    """v* descending, then the first best policy, then the index."""
    order, arm = listed(c)
    ranked = c.ranked
    assert order == [i for i, _ in ranked.order]
    assert arm == {i: p for (i, _), p in ranked.policy.items()}
    assert max(max(w) - min(w) for w in c.worlds) == ranked.D


@given(classes())
@settings(max_examples=40)
def test_an_affinity_is_bounded_from_above_and_closely(c: Bernoulli) -> None:
    """Integer roots, rounded up, exceed the sum of roots by less than 2^-60; disjoint laws have none."""
    ranked, (_, arm) = c.ranked, listed(c)
    with mpmath.workdps(50):
        for x, y in product(range(len(c.worlds)), repeat=2):
            exact = sum(
                mpmath.sqrt(mpmath.mpf(z.numerator) / z.denominator)
                for z in (c.chance(x, arm[y], w) * c.chance(y, arm[y], w) for w in (0, 1))
            )
            found = ranked.affinity((x, 0), (y, 0))
            assert 0 <= mpmath.mpf(found.numerator) / found.denominator - exact < mpmath.mpf(2) ** -60
            assert (not found) == (exact == 0)


@given(classes())
@settings(max_examples=25, deadline=None)
def test_the_truth_is_refuted_with_probability_at_most_delta(c: Bernoulli) -> None:
    """Lemma A: the likelihood ratios to the truth are supermartingales from 1, and N - 1 of them may refute it."""
    order, arm = listed(c)
    for truth in range(len(c.worlds)):
        assert sum((play.chance for play in plays(c, order, arm, truth) if play.refuted), Fraction(0)) <= c.delta


@given(classes())
@settings(max_examples=25, deadline=None)
def test_evidence_against_a_harmful_model_grows_with_the_distance(c: Bernoulli) -> None:
    """Lemma B: with probability at least 1 - delta, for every harmful model and time, the distances of the episodes so
    far add up to at most log(h/delta) + (L* - L)/2."""
    order, arm = listed(c)
    for truth in range(len(c.worlds)):
        best = max(c.worlds[truth])
        before = order[: order.index(truth)]
        harmful = [y for y in before if c.worlds[truth][arm[y]] < best]
        failed = Fraction(0)
        for play in plays(c, order, arm, truth):
            bad = False
            for y in harmful:
                near = 1.0  # the product of affinities of the episodes so far
                for L, x in zip(play.likelihoods[1:], play.deployed, strict=True):
                    near *= affinity(c, truth, y, arm[x])
                    if L[y]:  # near^2 < (delta/h)^2 P_y / P*, with room for the float
                        bad = bad or near**2 * (1 + 1e-9) < float((c.delta / len(harmful)) ** 2 * L[y] / L[truth])
            failed += play.chance * bad
        assert failed <= c.delta


@given(classes())
@settings(max_examples=25, deadline=None)
def test_regret_exceeds_the_bound_with_probability_at_most_two_delta(c: Bernoulli) -> None:
    """Theorem N: at every t at once, with the numbers of the kernel; and no policy outside those of harmful models ever
    costs anything while the truth is not refuted."""
    (order, arm), ranked = listed(c), c.ranked
    for truth in range(len(c.worlds)):
        entry = truth_of(ranked, (truth, 0))
        bound = Nested(len(c.worlds), c.delta, span(ranked.game, ranked.game.worlds), 1, (entry,))
        most = [bound.regret(t) for t in range(T + 1)]
        failed = Fraction(0)
        for play in plays(c, order, arm, truth):
            regrets = [max(c.worlds[truth]) - c.worlds[truth][arm[x]] for x in play.deployed]
            sums = [sum(regrets[:t], Fraction(0)) for t in range(T + 1)]
            failed += play.chance * any(x > y for x, y in zip(sums, most, strict=True))
            if not play.refuted:
                assert {r for r in regrets if r} <= {each.regret for each in entry.costly}
        assert failed <= 2 * c.delta


def truth_of(ranked: Ranked, x: tuple[int, int]) -> Truth:
    """What a truth has before it, with distances a millionth below what the kernel encloses."""
    harmful = ranked.harmful(x)
    costly = []
    for p, ys in harmful.items():
        most = max(ranked.affinity(x, y) for y in ys)
        c = None if not most else Fraction(-log(most)) * Fraction(999999, 10**6)
        assert c is None or shown(most, c)
        costly.append(Costly(ranked.regret(p, x), c))
    return Truth(ranked.runs(x), sum(map(len, harmful.values())), tuple(costly))


@given(st.floats(0.001, 20), st.floats(1e-6, 1))
def test_a_distance_is_shown_exactly_where_it_is_at_most_the_logarithm(c: float, shrink: float) -> None:
    """c <= -log(affinity) is shown for a hair less than it, and refused for a hair more."""
    a = Fraction(exp(-c))
    exact = Fraction(-log(a))
    assert shown(a, exact * (1 - Fraction(shrink) / 10**6))
    assert not shown(a, exact * (1 + Fraction(shrink) / 10**6) + Fraction(1, 10**9))


numbers = st.builds(
    Nested,
    st.integers(2, 50),
    st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(1, 10**30)]),
    st.fractions(0, 3),
    st.one_of(st.integers(1, 4), st.tuples(st.sampled_from([Fraction(0), Fraction(9, 10)]), st.fractions(0, 2))),
    st.lists(
        st.builds(
            Truth,
            st.integers(1, 5),
            st.integers(1, 9),
            st.lists(
                st.builds(Costly, st.fractions(Fraction(1, 100), 1), st.fractions(Fraction(1, 50), 2)), max_size=4
            ).map(tuple),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
)


@given(numbers, st.integers(1, 400))
def test_the_bound_by_t_falls(bound: Nested, t: int) -> None:
    """Filling the dearest policies first is concave in T, so that worth_T is a first T for good; Gamma is its limit."""
    assert bound.regret(t + 1) * t <= bound.regret(t) * (t + 1)
    assert bound.regret(t) <= bound.regret(t + 1) <= bound.regret(None)
    far = 1 + max((sum(bound.most(x, each) for each in x.costly) for x in bound.truths), default=0)
    assert bound.regret(None) == bound.regret(far)


@given(numbers, st.integers(1, 60))
def test_the_bound_is_the_largest_of_a_linear_programme(bound: Nested, t: int) -> None:
    """max sum r x over 0 <= x <= n, sum x <= T: no split of the episodes between two policies loses more."""
    for truth in bound.truths:
        most = bound.lost(truth, t) - (bound.lost(truth, 0) if t else 0)
        caps = [bound.most(truth, each) for each in truth.costly]
        for i, j in product(range(len(caps)), repeat=2):
            for x in range(0, min(t, caps[i]) + 1, max(1, t // 7)):
                y = min(t - x, caps[j]) if i != j else 0
                assert x * truth.costly[i].regret + y * truth.costly[j].regret <= most


@given(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(99, 100)]), st.fractions(0, 4), st.integers(1, 40))
def test_warm_ups_leave_a_fading_memory_an_eighth_of_delta(gamma: Fraction, drift: Fraction, runs: int) -> None:
    """The chances H L_g gamma^k of the data episodes of all runs, k counted from the first warm-up, add up to at most
    delta/8, however long the runs are."""
    bound = Nested(9, Fraction(1, 20), Fraction(1), (gamma, drift), ())
    after = [bound.warmup(run) + 1 for run in range(1, runs + 1)]
    assert sum(drift * gamma**m / (1 - gamma) for m in after) <= Fraction(1, 20) / 8
