"""The explicit bound as the search states it: verdicts that follow from other claims, and what a fading rule needs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.search.certify import certify
from pomgcheck.search.claims import constants as search
from pomgcheck.search.continuum import Continuum
from tests.learner.classes import watch
from tests.regenerate_goldens import fading
from tests.search import small
from tests.search.classes import model_of

INSIDE = {"worlds": {"x": "1/8"}, "responses": {"y": "1/4"}}


def bound_of(document: small.Document, **options: Any) -> dict[str, Any]:
    """The claim as certified; the kernel has accepted it."""
    return certify(model_of(document), **options).entries["constants"]


def test_refuted_premise_leaves_nothing_to_say() -> None:
    """Vacuous where a claim is refuted, even where another is open."""
    document = small.drift(truth=INSIDE | {"worlds": {"x": "1/16"}})
    assert ("vacuous", {}) == (bound_of(document)["verdict"], bound_of(document)["values"])
    assert "vacuous" == bound_of(document, only=["well-specified", "constants"])["verdict"]


@pytest.mark.parametrize("only", [["constants"], ["kl-joint", "constants"], ["kl-joint"]])
def test_open_premise_leaves_the_bound_open(only: list[str]) -> None:
    """Unknown where a claim was not searched."""
    assert "unknown" == bound_of(small.drift(truth=INSIDE), only=only)["verdict"]


def test_bound_grows_with_what_it_rests_on() -> None:
    """The evidence that refutes a model is larger at a larger T and at a smaller delta, and T* does not depend on T."""
    known = bound_of(small.drift(truth=INSIDE))["values"]
    for options in ({"T": 32768}, {"delta": Fraction(1, 1000)}):
        values = bound_of(small.drift(truth=INSIDE), **options)["values"]
        assert Fraction(values["model_evidence_upper"]) > Fraction(known["model_evidence_upper"])
        assert ("T" in options) == (values["T_star"] == known["T_star"])


def test_fading_rule_answers_every_policy_with_the_same_actions() -> None:
    """Proved where it does; where one policy's answer leaves an action out, a transient may show what the settled class
    excludes, and the bound is open."""
    assert "proved" == bound_of(fading())["verdict"]
    document = fading()
    table = document["responses"]["table"]
    table["watch"] = [["1", "0"] for _ in table["watch"]]
    found = bound_of(document)
    assert found["verdict"] in ("unknown", "vacuous")


def on_an_interval(calm: str, alarm: str) -> small.Document:
    """A small class with fading memory, y on an interval, and what the adversary answers to idle and to patrol."""
    document = watch(truth=False, responses__block_rule="fading", responses__gamma="1/2")
    del document["responses"]["memory"]
    document["responses"] |= {
        "parameters": {"y": {"interval": ["0", "1/2"]}},
        "table": {"idle": [[calm, f"1-({calm})"]], "patrol": [[alarm, f"1-({alarm})"]]},
    }
    return document


def test_fading_rule_on_an_interval_answers_with_the_same_actions() -> None:
    """The same where Psi is a continuum: an action that one policy's answer leaves out, everywhere or at an end of the
    axis alone, leaves the bound open, and the kernel takes no other verdict."""
    assert "proved" == bound_of(on_an_interval("1/4", "1/4+y"))["verdict"]
    for calm, alarm in (("1", "1/4+y"), ("1/2+y", "1/4+y"), ("1/4", "y")):
        document = on_an_interval(calm, alarm)
        assert "unknown" == bound_of(document)["verdict"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Continuum, "same_actions", lambda c: iter(()))
            with pytest.raises(AssertionError, match="constants box: found no proof of .* > 0, required a tree"):
                certify(model_of(document))


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**15))
def test_short_numbers_are_rounded_up(x: Fraction) -> None:
    """At least the number, by less than one part in a million, of few digits."""
    text = search.short_up(x)
    assert 0 <= Fraction(text) / x - 1 <= Fraction(1, 10**6)


def test_jobs_do_not_change_the_bound() -> None:
    """Processes of their own hand the same premises on."""
    assert bound_of(small.drift(truth=INSIDE))["values"] == bound_of(small.drift(truth=INSIDE), jobs=2)["values"]
