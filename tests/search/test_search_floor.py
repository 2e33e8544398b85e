"""The smallest response floor, against certifying every floor of a grid."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.modelclass import load
from pomgcheck.modelclass.derived import with_response_floor
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.search import floor
from pomgcheck.search.certify import certify
from pomgcheck.search.claims.weak_revealing import lowest
from pomgcheck.search.claims.weak_revealing_problems import Problems
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.floor import FloorSearch, smallest_floor
from tests.search import small
from tests.search.classes import documents

TILTED = [["3/4", "1/4"], ["1/4", "3/4"]]


def certified(model: ModelClass, **options: Any) -> Certificate:
    return certify(model, only=["weak-revealing"], **options)


def alphas(certificate: Certificate) -> tuple[Fraction, Fraction] | None:
    """(alpha_lower, alpha_upper): 0 where refuted, ``None`` where nothing is asked."""
    claim = certificate.entries["weak-revealing"]
    if claim["verdict"] == "vacuous":
        return None
    assert claim["verdict"] in ("proved", "refuted")
    values = claim["values"] or {"alpha_lower": "0", "alpha_upper": "0"}
    return Fraction(values["alpha_lower"]), Fraction(values["alpha_upper"])


def test_a_silent_action_needs_a_floor_in_proportion() -> None:
    """In silent-action a floor of ε plays the telling action ε/2 of the time and makes α = ε/3: for α >= 1/10 the least
    multiple of 1/1024 is 308/1024, and one step below α is 307/3072."""
    model = gallery.load("silent-action")
    found = smallest_floor(model, certified(model), Fraction(1, 10))
    assert (Fraction(308, 1024), Fraction(307, 3072), True) == (found.epsilon, found.alpha_below, found.settled)
    assert {"alpha_lower": "77/768", "alpha_upper": "77/768"} == found.claims["weak-revealing"].values
    assert found.model == with_response_floor(model, Fraction(77, 256))
    assert Fraction(77, 512) == found.least_answer


def test_out_of_reach_is_said_with_the_largest_alpha() -> None:
    """In silent-action no floor makes α more than 1/3, which the uniform response has."""
    model = gallery.load("silent-action")
    found = smallest_floor(model, certified(model), Fraction(1, 2))
    assert (None, None, (Fraction(1), Fraction(1, 3)), False) == (
        found.epsilon,
        found.alpha_below,
        found.best,
        found.settled,
    )


def test_no_floor_is_needed_where_alpha_is_there() -> None:
    """A class that reaches the target as it stands gets the floor 0, and is itself the answer."""
    model = gallery.load("patrol")
    found = smallest_floor(model, certified(model), Fraction(2, 5))
    assert (0, None, model.sha256) == (found.epsilon, found.alpha_below, found.model and found.model.sha256)


@pytest.mark.parametrize(("target", "epsilon"), [("1/6", "1/2"), ("1/10", "77/256"), ("1/5", None)])
def test_alpha_need_not_grow_with_the_floor(target: str, epsilon: str | None) -> None:
    """Worlds that differ under a silent action alone, and others oppositely under both: α = min(ε, 1-ε)/3, so
    that for α >= 1/6 the floor 1/2 will do and no other."""
    document = small.document(
        "between",
        learner=TILTED,
        moves=[[["(-z+4)/8", "(z+4)/8"], ["(x+z+4)/8", "(-x-z+4)/8"]]] * 2,
        worlds={"x": ["0", "1"], "z": ["0", "1"]},
        responses={"table": {"p": [["1", "0"]]}},
    )
    del document["worlds"]["parameters"]
    document["worlds"]["points"] = [{"x": x, "z": z} for x, z in ("00", "10", "01")]
    model = load(document)
    found = smallest_floor(model, certified(model), Fraction(target))
    assert (epsilon and Fraction(epsilon)) == found.epsilon
    assert Fraction(1, 4) / 3 == (alphas(certified(with_response_floor(model, Fraction(3, 4)))) or (0,))[0]


@settings(max_examples=10)
@given(
    documents(largest=2),
    st.sampled_from(["literal", "joint"]),
    st.sampled_from(["simplex", "reachable"]),
    st.sampled_from(["1/20", "1/4", "1"]),
)
def test_the_least_floor_of_a_grid_is_found(document: Any, form: str, scope: str, target: str) -> None:
    """On random classes it is the first floor n/8 at which certifying reaches the target; every bound holds."""
    model, options = load(document), {"form": form, "scope": scope}
    with pytest.MonkeyPatch.context() as patch:
        made: list[FloorSearch] = []
        patch.setattr(floor, "FloorSearch", lambda *of: made.append(FloorSearch(*of)) or made[0])
        found = smallest_floor(model, certified(model, **options), Fraction(target), steps=8)
    wanted = None
    for n in range(9):
        reached = alphas(certified(with_response_floor(model, Fraction(n, 8)), **options))
        bound = made[0].bounds[n]
        assert bound is None or reached is None or reached[0] <= bound
        if wanted is None and (reached is None or reached[0] >= Fraction(target)):
            wanted = Fraction(n, 8)
    assert wanted == found.epsilon


@settings(max_examples=15)
@given(documents(largest=2), st.integers(1, 2), st.sampled_from(["literal", "joint"]), st.integers(1, 6))
def test_a_state_is_as_weak_at_each_floor_as_interpolation_says(document: Any, kappa: int, form: str, n: int) -> None:
    """The ratio of one state, from kappa+1 floors, is that of the same state in the class with the floor n/7."""
    model = load(document)
    options = certified(model, kappa=kappa, form=form).document["options"]
    problems = list(Problems(Tables(model.game, "window"), kappa, form, "simplex"))
    search = FloorSearch(model, options, Fraction(1, 10), 7)
    for problem in problems[:4]:
        weak = lowest([problem])
        there = search.problems(Fraction(n, 7)).build(*problem.context).at(weak.q)
        assert there is not None
        assert (there[0] / there[1], weak.ratio) == (
            search.ratios(weak)(Fraction(n, 7)),
            search.ratios(weak)(Fraction(0)),
        )


def test_what_else_was_refuted_is_certified_with_the_floor() -> None:
    """A floor that reaches the target but leaves another claim refuted does not settle the class."""
    model = gallery.load("early-mover")
    found = smallest_floor(model, certify(model), Fraction(1, 100))
    assert (0, False) == (found.epsilon, found.settled)
    verdicts = {claim: entry.verdict for claim, entry in found.claims.items()}
    assert {"posterior-lipschitz": "refuted", "weak-revealing": "proved"} == verdicts


def test_a_target_is_positive() -> None:
    """Any other asks nothing."""
    model = gallery.load("silent-action")
    with pytest.raises(InputError, match="target: found 0, required a positive number"):
        smallest_floor(model, certified(model), Fraction(0))
