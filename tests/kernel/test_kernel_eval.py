"""Rule eval: what the kernel computes by itself is what brute.py computes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.claims.kl import conversions
from pomgcheck.kernel.claims.weak_revealing import reachable_alpha
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game, Malformed
from tests.gallery import brute
from tests.paper.facts import found
from tests.search import small, truth
from tests.search.classes import documents

QUIET = {
    "kappa": 1,
    "weak_revealing": {"form": "literal", "scope": "reachable", "tol": "1/1000000"},
    "lipschitz_form": "step",
    "reference": "uniform",
    "T": 1,
    "delta": "1/2",
    "limits": {"coordinates": 10**7, "trajectories": 10**7},
}


def facts(document: Any, **options: Any) -> Facts:
    full = "full" in (document["policies"]["window"], document["responses"]["window"])
    return Facts(Game(document), QUIET | {"space": "history" if full else "window"} | options)


@settings(max_examples=40)
@given(documents(full=True), st.sampled_from(["step", "policy"]))
def test_posterior_lipschitz(document: Any, form: str) -> None:
    """L, or that there is none (Assumption 2.3)."""
    known = facts(document, lipschitz_form=form)
    verdict, values = found(known, "posterior-lipschitz")
    exact = brute.lipschitz(known.game, form)
    assert ("refuted" if isinstance(exact, tuple) else "proved") == verdict
    assert {"L_lower": str(exact), "L_upper": str(exact)} == values or verdict == "refuted"


@settings(max_examples=40)
@given(documents(full=True))
def test_statistical_regularity(document: Any) -> None:
    """B_0, positivity of prefixes and the number of models (Assumption 3.1(b)-(d))."""
    known = facts(document)
    exact = brute.increments(known.game)
    refuted = isinstance(exact, tuple)
    verdict, values = found(known, "bounded-increments")
    assert ("refuted" if refuted else "proved") == verdict == found(known, "predictive-states").verdict
    assert refuted or {"B0_lower": {"log_of": str(exact)}, "B0_upper": {"log_of": str(exact)}} == values
    different = len({(known.game.worlds[i], known.game.responses[k]) for i, k in brute.models(known.game)})
    assert {"log_covering_upper": {"log_of": str(different)}} == found(known, "covering").values


@settings(max_examples=30)
@given(documents(full=True), st.integers(1, 2), st.sampled_from(["literal", "joint"]))
def test_reachable_alpha(document: Any, kappa: int, form: str) -> None:
    """The least ratio over the predictive states of the class (Assumption 2.4, scope reachable)."""
    known = facts(document, kappa=kappa, weak_revealing={"form": form, "scope": "reachable", "tol": "1/10"})
    pairs = list(truth.sampled(known.game, known.options))
    least = min((signal / difference for signal, difference in pairs), default=None)
    verdict, values = reachable_alpha(known)
    assert ("vacuous" if least is None else "proved" if least else "refuted") == verdict
    assert verdict != "proved" or {"alpha_lower": str(least), "alpha_upper": str(least)} == values


@settings(max_examples=30)
@given(documents(full=True))
def test_conversion_verdicts_and_sums(document: Any) -> None:
    """Which right sides of 3.1(e) are positive, their exact values, and whether some pair has equal laws."""
    known = facts(document)
    game = known.game
    models = brute.models(game)
    for world in (False, True):
        wanted = {}
        for p in range(len(game.policies)):
            for star in models:
                for xi, errors in brute.operator_errors(game, star, p, known.options["space"]).items():
                    if errors[world]:
                        wanted[p, star, xi] = errors[world]
        sums = {
            (p, x, y): play.error(x, y[0] if world else y, 2)
            for p, play in enumerate(known.plays)
            for x, y in product(models, repeat=2)
        }
        assert wanted == {place: delta for place, delta in sums.items() if delta}
        asked = {(play.p, x, y): Fraction(n, unit) for play, x, y, n, unit in conversions(known, world)}
        kinds = {(p, *map(known.plays[p].alike.__getitem__, pair)) for p, *pair in wanted}
        assert {place: wanted[place] for place in kinds} == asked
        equal = any(brute.law(game, x, p) == brute.law(game, y, p) for p, x, y in wanted)
        finite = any(set(brute.law(game, x, p)) <= set(brute.law(game, y, p)) for p, x, y in wanted)
        assert ("refuted" if equal else "proved" if finite else "vacuous") == found(
            known, "kl-world" if world else "kl-joint"
        ).verdict


@settings(max_examples=30)
@given(documents(full=True))
def test_structure_holds_for_every_class(document: Any) -> None:
    """Theorem 2.5's three claims, by the kernel's own operators and paths."""
    known = facts(document)
    assert ["proved"] * 3 == [
        found(known, "factorization").verdict,
        found(known, "oom-identity").verdict,
        found(known, "nonexpansive").verdict,
    ]


def test_a_window_that_forgets_too_much_is_seen() -> None:
    """The OOM identity fails for operators that drop an observation the responses still read."""
    document = small.gauge(
        [["3/4", "1/4"], ["1/4", "3/4"]],
        [[["1/4", "3/4"], ["3/4", "1/4"]]] * 2,
        ["1/2", "1/2"],
        horizon=3,
        initial=["1/2", "1/2"],
    )
    document["game"]["adversary_observations"] = ["d0", "d1"]
    document["worlds"]["adversary_emission"] = [["1", "0"], ["0", "1"]]
    row = [["1", "0"], ["0", "1"]]
    document["responses"] |= {
        "window": 2,
        "table": {"p": {"steps": [row, [*row, *reversed(row)], [*row, *reversed(row)]]}},
    }
    known = facts(document)
    assert "proved" == found(known, "oom-identity").verdict
    forgetful = known.space
    forgetful.next = lambda memory, o, action, learner: (0,) if not learner else ()  # type: ignore[method-assign]
    assert "refuted" == found(known, "oom-identity").verdict


def test_reference_law_has_full_support() -> None:
    """Definition 2.2 takes a law that plays every action."""
    options = {
        "kappa": 1,
        "space": "window",
        "weak_revealing": {"form": "literal", "scope": "simplex", "tol": "1/1000000"},
        "lipschitz_form": "step",
        "T": 16384,
        "delta": "1/20",
        "limits": {"coordinates": 1000, "trajectories": 1000},
    }
    game = Game(small.drift())
    for reference in (["1", "0"], ["1/2", "1/3"], ["3/2", "-1/2"]):
        with pytest.raises(Malformed, match="full-support"):
            read_options(options | {"reference": reference}, game)
    assert ["1/3", "2/3"] == read_options(options | {"reference": ["1/3", "2/3"]}, game)["reference"]
    assert (Fraction(1, 3), Fraction(2, 3)) == facts(small.drift(), reference=["1/3", "2/3"]).mu
