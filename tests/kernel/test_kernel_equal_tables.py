"""Equal tables are examined once; which tables are equal is decided by comparing them, and nothing else changes.

In the classes here almost every table coincides with another one of the class, in another model or elsewhere: under
another policy, at another step, in another state.  What the kernel finds must be what plain enumeration finds.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pomgcheck.kernel import check
from pomgcheck.kernel.claims.weak_revealing import reachable_alpha
from pomgcheck.modelclass import load
from pomgcheck.search.certify import certify
from tests.gallery import brute
from tests.kernel import test_kernel_eval as plainly
from tests.kernel.editing import canonical, claim, edited
from tests.kernel.test_kernel_eval import facts
from tests.paper.facts import least_constant, reacts_at_most
from tests.search import small, truth
from tests.search.classes import coinciding


def two_names_one_policy() -> Any:
    """Policies ``p`` and ``q`` are one; response u = 1 answers both with one row, u = 0 with two, and the row of ``q``
    under u = 0 is the one with which both responses answer the policy ``a``."""
    document = small.drift()
    one = [["1", "0"], ["1", "0"]]
    document["policies"]["list"] = {"a": [["0", "1"], ["0", "1"]], "p": one, "q": one}
    document["responses"] |= {
        "parameters": {"u": {"values": ["0", "1"]}},
        "table": {"a": [["3/4", "1/4"]], "p": [["1/2", "1/2"]], "q": [["(-u+3)/4", "(u+1)/4"]]},
    }
    return document


@settings(max_examples=40)
@example(two_names_one_policy(), "step")
@given(coinciding(), st.sampled_from(["step", "policy"]))
def test_posterior_lipschitz(document: Any, form: str) -> None:
    """L is the largest ratio over *all* responses, also where a table under one policy is met again under another."""
    known = facts(document, lipschitz_form=form)
    exact = brute.lipschitz(known.game, form)
    assert not reacts_at_most(known, 10**12) if isinstance(exact, tuple) else least_constant(known, exact)


def test_a_false_constant_of_two_names_for_one_policy_is_refused() -> None:
    """Assumption 2.3 is refuted by one response of two; a certificate that leaves this response out is rejected."""
    honest = certify(load(two_names_one_policy())).document
    assert "refuted" == next(c["verdict"] for c in honest["claims"] if c["id"] == "posterior-lipschitz")
    place = {"theta": {"x": "0"}, "h": 1, "tau_B": ["d"], "pi": "a", "nu": "q", "Phi": {"u": "1"}}
    forged = edited(
        honest,
        claim(
            "posterior-lipschitz",
            verdict="proved",
            values={"L_lower": "1/4", "L_upper": "1/4"},
            evidence={"rule": "box", "gaps": {}, "signs": [], "trees": {}, "attained": place},
            witness=None,
        ),
    )
    verdict = check.verify_bytes(canonical(forged))
    assert ("posterior-lipschitz", "box") == (verdict.claim, verdict.rule)
    assert "for p and q in cell 0 of Theta after ['d0']" in verdict.found


@pytest.mark.parametrize(
    "fact",
    [
        plainly.test_statistical_regularity,
        plainly.test_conversion_verdicts_and_sums,
        plainly.test_structure_holds_for_every_class,
    ],
    ids=lambda fact: fact.__name__.removeprefix("test_"),
)
@settings(max_examples=8)
@given(document=coinciding())
def test_the_rest_of_the_finite_claims(fact: Any, document: Any) -> None:
    """Regularity, conversions and structure are what they are class by class, models alike under a policy included."""
    fact.hypothesis.inner_test(document)


@settings(max_examples=8)
@given(coinciding(), st.integers(1, 2), st.sampled_from(["literal", "joint"]))
def test_weak_revealing(document: Any, kappa: int, form: str) -> None:
    """The distinct problems have the ratios of all contexts: (theta, theta', Phi, pi, h, learner part, o, a)."""
    known = facts(document, kappa=kappa, weak_revealing={"form": form, "scope": "reachable", "tol": "1/10"})
    pairs = list(truth.sampled(known.game, known.options))
    least = min((signal / difference for signal, difference in pairs), default=None)
    assert ("vacuous" if least is None else "proved" if least else "refuted") == reachable_alpha(known).verdict
    assert not least or str(least) == reachable_alpha(known).values["alpha_lower"]


@settings(max_examples=8)
@given(coinciding())
def test_error_classes(document: Any) -> None:
    """F_xi of every model, alike ones included: zero exactly where the operators are equal, and F_xi <= F^W + F^G."""
    known = facts(document)
    game, models = known.game, brute.models(known.game)
    for p, play in enumerate(known.plays):
        for x in models:
            errors = brute.operator_errors(game, x, p, known.options["space"])
            assert all(bool(play.error(x, y)) == (y in errors and errors[y][0] > 0) for y in models)
            assert all(play.error(x, y) <= play.error(x, y[0]) + play.error(x, (x[0], y[1])) for y in models)
