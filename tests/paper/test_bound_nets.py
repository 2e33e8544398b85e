"""docs/bound.md, On interval axes: each step of the proof by other code, at exact points."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, log, log1p, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.kernel.continua import Continuum
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Nested
from pomgcheck.kernel.nets import KINDS, Netted, read_axes, rows, spread
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.polynomials import parameters
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.kernel.trajectories import trajectories
from tests.search import continua

OPTIONS = {"space": "window", "reference": "uniform", "limits": {"trajectories": 10**6}}
CLASSES = {
    "watch": lambda: gallery.load("watch").document,
    "odds": lambda: gallery.load("odds").document,
    "tiger-interval": lambda: gallery.load("tiger-interval").document,
    "opportunist": lambda: gallery.load("opportunist").document,
}


def halves(box: Any, at: Fraction) -> dict[str, Any]:
    """Every axis in two cells, the points in the middle of each."""
    axes = {}
    for name, (low, high) in box.items():
        cut = low + (high - low) * at
        ends = [low, cut, high]
        points = [(low + cut) / 2, (cut + high) / 2]
        axes[name] = {"ends": list(map(str, ends)), "points": list(map(str, points))}
    return axes


def laws(game: Game, p: int) -> Play:
    """What a policy sees under every model of a finite class."""
    return Facts(game, OPTIONS).plays[p]


@pytest.mark.parametrize("name", CLASSES)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_chi_square_of_laws_is_below_that_of_the_tables(name: str, data: st.DataObject) -> None:
    """Lemma chi: at a random model of a random cell, under every policy, the exact sum of P_xi^2/P_i is at most
    1 + chi, and chi is refused where rho is smaller than a row at a corner needs."""
    game = Game(CLASSES[name]())
    continuum = Continuum(game, Space(game, "window"))
    policies = range(len(game.policies))
    box = {x: ends for xi in continuum.models for x, ends in continuum.region(*xi).box.items()}
    axes = read_axes(halves(box, Fraction(data.draw(st.integers(1, 7)), 8)), box, "axes")
    rho = dict.fromkeys(KINDS, Fraction(0))
    while spread(continuum, policies, axes, rho) is None:
        rho = {kind: x * 2 + Fraction(1, 2**8) for kind, x in rho.items()}
    chi = spread(continuum, policies, axes, rho)
    assert chi is not None
    assert chi > 0
    cuts = {x: data.draw(st.sampled_from(axes[x])) for x in axes}
    share = {x: Fraction(data.draw(st.integers(0, 4)), 4) for x in axes}
    near = {x: cut.point for x, cut in cuts.items()}
    there = {x: cut.low + (cut.high - cut.low) * share[x] for x, cut in cuts.items()}
    points = []
    for side, cells in (("theta", continuum.thetas), ("Phi", continuum.phis)):
        fixed = data.draw(st.sampled_from(cells)).fixed
        points.append([written(fixed, side, values) for values in (near, there)])
    finite = game.subclass(*(distinct(each) for each in points))
    index = [[known(finite, k, point) for point in each] for k, each in enumerate(points)]
    i, xi = zip(*index, strict=True)
    for p in policies:
        play = laws(finite, p)
        mine, nets = (play.alike[each] for each in (xi, i))
        every = [each for each in trajectories(play).values() if each.law[mine]]
        assert all(each.law[nets] for each in every)
        assert sum(each.weight * each.law[mine] ** 2 / each.law[nets] for each in every) <= 1 + chi


def written(fixed: Any, side: str, values: Any) -> dict[str, str]:
    """A point of one side in exact text."""
    own = {x.partition(".")[2]: v for x, v in values.items() if x.partition(".")[0] == side}
    return {x: str(v) for x, v in sorted({**fixed, **own}.items())}


def distinct(points: list[dict[str, str]]) -> list[dict[str, str]]:
    """Each once."""
    return [p for k, p in enumerate(points) if p not in points[:k]]


def known(finite: Game, side: int, point: dict[str, str]) -> int:
    """Where a point stands in a finite class."""
    return list((finite.thetas, finite.phis)[side] or ()).index(Game.point(point, "point"))


def test_rows_of_the_last_step_are_the_learners_emission_alone() -> None:
    """Nothing else of the last step shows; and every table that moves before it is there."""
    game = Game(gallery.load("tiger-interval").document)
    continuum = Continuum(game, Space(game, "window"))
    found = {(kind, h) for kind, h, _, _ in rows(continuum, range(len(game.policies)))}
    assert {("transition", 0), ("transition", 1), ("responses", 0), ("responses", 1)} == found
    arms = Game(gallery.load("bandit-3").document)
    moving = {(kind, h) for kind, h, _, _ in rows(Continuum(arms, Space(arms, "window")), range(len(arms.policies)))}
    assert (KINDS[0], arms.H - 1) in moving
    assert not [kind for kind, h in moving if kind != KINDS[0] and h == arms.H - 1]


distributions = st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any)


@settings(max_examples=200, deadline=None)
@given(distributions, distributions, st.lists(st.integers(-4, 4), min_size=3, max_size=3), st.integers(-4, 4))
def test_values_differ_by_at_most_the_root_of_eight_h_squared_M(
    p: list[int], q: list[int], f: list[int], c: int
) -> None:
    """Lemma M, both halves, in floats with room for their rounding."""
    P, Q = (np.array(x) / sum(x) for x in (p, q))
    g = np.array(f) - c
    M = max((P * g**2).sum(), (Q * g**2).sum())
    h2 = 1 - np.sqrt(P * Q).sum()
    gap = abs(((P - Q) * g).sum())
    assert gap**2 <= 8 * max(h2, 0) * M + 1e-9
    if all(b for a, b in zip(p, q, strict=True) if a):
        chi = sum(a * a / b for a, b in zip(P, Q, strict=True) if a) - 1
        assert gap**2 <= max(chi, 0) * (Q * g**2).sum() + 1e-9


@pytest.mark.parametrize("truth", [Fraction(1, 8), Fraction(3, 10), Fraction(7, 8)])
def test_the_points_of_the_truth_are_refuted_with_little_probability(truth: Fraction) -> None:
    """Lemma N on one arm: the chance that the truth's point is refuted within 300 episodes, summed over all courses of
    play exactly but for floats, is at most that of events (A) and (C), and a far point is refuted almost surely."""
    count, T, delta = 6, 300, Fraction(1, 2)
    ends = [Fraction(1, 8) + Fraction(3 * k, 4 * count) for k in range(count + 1)]
    points = [(low + high) / 2 for low, high in pairwise(ends)]
    chi = max(
        z**2 / p + (1 - z) ** 2 / (1 - p) - 1
        for p, (low, high) in zip(points, pairwise(ends), strict=True)
        for z in (low, high)
    )
    numbers = Netted(
        Nested(count, delta, Fraction(1), 1, ()), 1, chi, (Fraction(1), Fraction(1)), Fraction(0), Fraction(0)
    )
    start, slope = float(numbers.start.low), float(numbers.slope.low)
    mine = next(k for k in range(count) if ends[k] <= truth <= ends[k + 1])
    wins, losses = np.log([float(x) for x in points]), np.log([1 - float(x) for x in points])
    for k, expected in ((mine, False), (0 if 2 * truth > 1 else count - 1, True)):
        alive, gone = np.ones(1), 0.0
        for t in range(1, T + 1):
            step = np.zeros(t + 1)
            step[1:] += alive * float(truth)
            step[:-1] += alive * (1 - float(truth))
            s = np.arange(t + 1)[:, None]
            L = s * wins + (t - s) * losses
            out = L.max(axis=1) - L[:, k] > start + t * slope
            gone += step[out].sum()
            alive = np.where(out, 0, step)
        assert gone > 0.99 if expected else gone <= float(2 * numbers.share)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 10**6),
    st.integers(1, 9),
    st.fractions(Fraction(1, 10**6), 1, max_denominator=10**6),
    st.lists(st.fractions(0, 2, max_denominator=100), min_size=2, max_size=5),
    st.integers(1, 10**6),
)
def test_the_bound_is_the_formula(N: int, n: int, chi: Fraction, M: list[Fraction], T: int) -> None:
    """Every line again in floats; the kernel's ends are above it, and close."""
    delta, quantum, width = Fraction(1, 20), Fraction(1, 100), Fraction(1, 3)
    found = Netted(Nested(N, delta, Fraction(2), 3, ()), n, chi, tuple(M), quantum, width)
    e = 2 / 60
    E = max(2.0, 1.5 * log(N / e) + log(n / e) + T * log1p(chi))
    others = float(sum(sorted(M)[1:]))
    data = T * (sqrt(chi * max(M)) + 0.01) + sqrt(8 * E * T * others) if others else 0.0
    runs = min(N, (len(M) - 1) * (ceil(width / quantum) + 1) + 1)
    assert pytest.approx(data + 2 * 2 * runs) == float(found.regret(T))
    assert runs == found.runs
    assert N == found._replace(quantum=Fraction(0)).runs
    assert float(found.evidence(T).high) >= E * (1 - 1e-12)
    assert pytest.approx(log(N / e) + log(n / e)) == float(found.start.high)
    assert pytest.approx(log1p(chi)) == float(found.slope.high)


@pytest.mark.parametrize(("test", "tests"), [("joint", 1), ("own", 3)])
def test_a_list_is_read_as_it_is_written(test: str, tests: int) -> None:
    """One test for all policies, or one for each; a moment for every policy, the quantum, and how wide values range."""
    schedule, chi = Nested(7, Fraction(1, 20), Fraction(2), 3, ()), Fraction(1, 1000)
    moments = {"a": {"M": "3/2"}, "b": {"M": "1/2"}, "c": {"M": "2"}}
    given = {"test": test, "moments": moments, "quantum": "1/100", "range": {"low": "-1/3", "high": "1/6"}}
    M = (Fraction(3, 2), Fraction(1, 2), Fraction(2))
    assert Netted(schedule, tests, chi, M, Fraction(1, 100), Fraction(1, 2)) == Netted.read(schedule, chi, given)


def test_without_a_list_there_is_one_policy_that_loses_nothing() -> None:
    """It has one test, and neither a moment nor a quantum nor a range."""
    schedule, none = Nested(1, Fraction(1, 20), Fraction(2), 3, ()), Fraction(0)
    assert Netted(schedule, 1, none, (none,), none, none) == Netted.read(schedule, none, None)


def test_evidence_is_never_below_two() -> None:
    """Where N, delta and chi would make it less."""
    least = Netted(
        Nested(1, Fraction(1), Fraction(2), 3, ()), 1, Fraction(0), (Fraction(1),) * 2, Fraction(0), Fraction(0)
    )
    assert 1.5 * log(3 / 2) + log(3 / 2) < 2
    assert Fraction(2) == least.evidence(1).low == least.evidence(1).high


def test_one_policy_loses_the_first_warm_up_alone() -> None:
    """Where it is best in every model: (m-1) R', at any T."""
    alone = Netted.read(Nested(1, Fraction(1, 20), Fraction(2), 3, ()), Fraction(0), None)
    assert {Fraction(4)} == {alone.regret(T) for T in (1, 10, 10**9)}


def test_a_fading_memory_spends_an_eighth_of_delta() -> None:
    """Its three events are taken at 15/16 of two thirds of delta, and warm-ups grow with the run."""
    schedule = Nested(50, Fraction(1, 20), Fraction(1), (Fraction(1, 2), Fraction(1)), ())
    found = Netted(schedule, 1, Fraction(1, 1000), (Fraction(1), Fraction(1)), Fraction(1, 10), Fraction(1, 2))
    assert Fraction(1, 32) == found.share
    settled = found._replace(schedule=schedule._replace(memory=1, delta=Fraction(15, 320)))
    extra = sum(schedule.warmup(run) for run in range(1, found.runs + 1)) + Fraction(1, 160)
    assert found.regret(100) - settled.regret(100) == pytest.approx(extra)


def test_laws_name_the_axes_that_a_list_of_their_own_has() -> None:
    """In a product of arms every policy's laws depend on its own mean alone."""
    game = Game(gallery.load("bandit-3").document)
    laws_of = Continuum(game, Space(game, "window")).laws
    found = [parameters(*(P for _, law in each.values() for P in law.values())) for each in laws_of]
    assert [["theta.mu1"], ["theta.mu2"], ["theta.mu3"]] == found


def test_constraints_between_intervals_are_left_open() -> None:
    """The certificate of a triangle says that the theorem is for boxes."""
    only = ("nonexpansive", "well-specified", "warmup-stationary", "regret")
    claims = certify(load(continua.triangle()), only=only).entries
    assert "unknown" == claims["regret"]["verdict"]
    assert "boxes" in claims["regret"]["search"]["method"]
