"""Assumption 2.4, multi-step weak revealing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pomgcheck.kernel.claims.weak_revealing import ratio, reachable_alpha
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.problems import Problem, problems
from pomgcheck.search.certify import certify
from tests.gallery import brute
from tests.paper.facts import facts
from tests.search import small, truth
from tests.search.classes import model_of

TILTED = [["3/4", "1/4"], ["1/4", "3/4"]]
DRIFTS = [[["(-x+3)/4", "(x+1)/4"]]] * 2
HALF = Fraction(1, 2)


def parts(known: Facts, problem: Problem, **q: str) -> tuple[Fraction, Fraction]:
    """(signal, difference) as probabilities at q, given by the masses of the states s0, s1, …"""
    pair = ratio(known, problem, {(int(name[1:]), ()): Fraction(mass) for name, mass in q.items()})
    assert pair is not None
    return Fraction(pair[0]) / problem.mass, Fraction(pair[1]) / problem.mass


@pytest.mark.parametrize(("form", "signal"), [("literal", Fraction(1, 4)), ("joint", Fraction(3, 16))])
def test_assumption_2_4_by_hand(form: str, signal: Fraction) -> None:
    """Assumption 2.4: from s0 the worlds move to s1 with 1/4 and 1/2; W differs by 2 x 1/4 times the chance 3/4 of o0;
    the next observation by 2 x 1/4 x 1/2, given o0 (literal), or times 3/4 (jointly with o0)."""
    known = facts(small.gauge(TILTED, DRIFTS), form=form)
    first = next(problems(known))
    assert (signal, Fraction(3, 8)) == parts(known, first, s0="1")


def test_assumption_2_4_is_least_where_the_observation_is_likeliest() -> None:
    """Assumption 2.4, left side conditional and right side not: the ratio is 1/(2 Z(q)), 2/3 at s0 and 2 at s1 for
    o0."""
    known = facts(small.gauge(TILTED, DRIFTS))
    first = next(problems(known))
    ratios = [signal / difference for signal, difference in (parts(known, first, s0="1"), parts(known, first, s1="1"))]
    assert [Fraction(2, 3), Fraction(2)] == ratios


def test_assumption_2_4_two_observations() -> None:
    """Assumption 2.4 with kappa = 2: the windows (o_2, o_3) from s0, by hand: the law of the pair in each world."""
    known = facts(small.gauge(TILTED, DRIFTS, horizon=3), kappa=2)
    laws = []
    for to_s1 in (Fraction(1, 4), Fraction(1, 2)):
        law = {}
        for o2 in (0, 1):
            for o3 in (0, 1):
                law[o2, o3] = Fraction(0)
                for s2, chance in ((0, 1 - to_s1), (1, to_s1)):
                    for s3, again in ((0, 1 - to_s1), (1, to_s1)):
                        see = [[Fraction(3, 4), Fraction(1, 4)][(s + o) % 2] for s, o in ((s2, o2), (s3, o3))]
                        law[o2, o3] += chance * again * see[0] * see[1]
        laws.append(law)
    wanted = sum(abs(laws[0][w] - laws[1][w]) for w in laws[0])
    assert (wanted, Fraction(3, 8)) == parts(known, next(problems(known)), s0="1")


def test_assumption_2_4_marginalises_the_adversary() -> None:
    """Assumption 2.4: W keeps b apart and the window does not: two actions of opposite effect, evenly played, leave a
    difference of 2 x 2 x 1/4 x 3/4 and no signal."""
    document = small.gauge(TILTED, [[["(-x+3)/4", "(x+1)/4"], ["(x+2)/4", "(-x+2)/4"]]] * 2, ["1/2", "1/2"])
    known = facts(document)
    assert (Fraction(0), Fraction(3, 4)) == parts(known, next(problems(known)), s0="1")


@pytest.mark.parametrize(("kappa", "steps"), [(1, {0, 1}), (2, {0}), (3, set())])
def test_assumption_2_4_is_not_imposed_at_the_final_steps(kappa: int, steps: set[int]) -> None:
    """Assumption 2.4 ranges over h <= H - kappa (here H = 3; steps count from 0)."""
    document: Any = small.gauge(TILTED, DRIFTS, horizon=3)
    document["worlds"]["transition"] = {"steps": [[[row] for row in table] for table in varied()]}
    assert steps == {problem.context[4] for problem in problems(facts(document, kappa=kappa))}


def varied() -> list[Any]:
    """Transitions that differ between worlds, and between steps, so that no step repeats another."""
    return [[[[f"(-x+{3 + n})/{4 + n}", f"(x+1)/{4 + n}"]]] * 2 for n in range(3)]


def test_assumption_2_4_compares_each_pair_of_worlds_once() -> None:
    """Assumption 2.4 is symmetric in theta, theta': three worlds are three pairs, at two observations."""
    document = small.gauge(TILTED, DRIFTS)
    document["worlds"]["parameters"]["x"]["values"] = ["0", "1/2", "1"]
    assert 6 == len(list(problems(facts(document))))


def test_assumption_2_4_at_reachable_states() -> None:
    """Assumption 2.4 restricted to predictive states of the class: H = 2 reaches rho_0 = s0 alone, where o1 has chance
    1/4 and ratio 2, and o0 the least, 2/3; from an even start both observations have chance 1/2 and ratio 1."""
    even = small.gauge(TILTED, DRIFTS, initial=["1/2", "1/2"])
    alphas = [
        reachable_alpha(facts(document, scope="reachable")).values for document in (small.gauge(TILTED, DRIFTS), even)
    ]
    assert ["2/3", "1"] == [values["alpha_lower"] for values in alphas]


def turned_about(**more: list[list[str]]) -> Any:
    """Two worlds move to s0 with 1/2 and 3/4 at first; then the action a0 keeps the state and a1 exchanges the two, and
    only the third observation shows it.  Every deterministic policy of the window is there, and ``more``."""
    plain = [["1", "0"]] * 2
    acts = {f"{x}{y}": [row[x], row[y]] for row in [[["1", "0"], ["0", "1"]]] for x, y in product((0, 1), repeat=2)}
    names = [*acts, *more]
    document = small.document(
        "turned-about",
        learner=[["1/2", "1/2"]] * 2,
        moves=[[["1", "0"]]] * 2,
        worlds={"x": ["0", "1"]},
        responses={"table": {name: [["1"]] for name in names}},
        policies={name: {"steps": [plain, second, plain]} for name, second in (acts | more).items()},
        actions=2,
        horizon=3,
    )
    blind, shown = [["1/2", "1/2"]] * 2, [["3/4", "1/4"], ["1/4", "3/4"]]
    first, keep, turn = ["(x+2)/4", "(-x+2)/4"], [["1", "0"], ["0", "1"]], [["0", "1"], ["1", "0"]]
    document["worlds"]["learner_emission"] = {"steps": [blind, blind, shown]}
    then = [[[keep[s]], [turn[s]]] for s in (0, 1)]
    document["worlds"]["transition"] = {"steps": [[[[first]] * 2] * 2, then, then]}
    document["policies"]["window"] = 1
    return document


def test_assumption_2_4_deterministic_policies_do_not_stand_for_mixed_ones() -> None:
    """Assumption 2.4 for kappa >= 2 and every deterministic policy of the window holds with alpha = 1, and fails for the
    even mixture of them: the window's laws differ by opposite amounts after a0 and a1, which cancel, and W still
    differs.  So the check for pi in Pi is not complete for all policies, whatever deterministic policies Pi has."""
    options = {"kappa": 2, "weak_revealing": {"form": "literal", "scope": "simplex", "tol": "1/1000000"}}
    for more, least in (({}, 1), ({"even": [["1/2", "1/2"]] * 2}, 0)):
        game = model_of(turned_about(**more)).game
        ratios = [
            brute.revealing(game, worlds, *context, {(s, (), ()): Fraction(1)}, kappa=2)
            for worlds, *context in truth.contexts(game, options)
            for s in (0, 1)
        ]
        assert least == min(signal / difference for signal, difference in filter(None, ratios) if difference)
    proved, refuted = (
        certify(model_of(turned_about(**more)), only=("weak-revealing",), kappa=2).entries["weak-revealing"]
        for more in ({}, {"even": [["1/2", "1/2"]] * 2})
    )
    assert ("proved", "1", "1") == (proved["verdict"], *proved["values"].values())
    assert ("refuted", "even") == (refuted["verdict"], refuted["witness"]["pi"])
