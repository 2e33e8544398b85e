"""Classes given by operators in words: how each check of Theorem 2.5 fails, how it holds, and what is left open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.reporting import explain, report
from tests.reporting import samples
from tests.reporting.test_reporting_pages import Page

ACCEPTED = Path(__file__).parents[1] / "accepted"
WALKS = {
    ("own-unequal", "factorization"): """\
At step 1, when the learner sees o1 and plays a under policy p, the entry of J that leads from s1 to
s0 is 113/288 at (x=1, y=1); that of G W is 9/32.

Why. Without J = G W a difference of two models does not split into a world's and an adversary's
part.

What would repair it.

  • Give J as the product G W, or correct the entry of the channels.
""",
    ("own-world-in-G", "factorization"): """\
At step 1, when the learner sees o0 and plays a under policy p, the entry of G that leads from v1 to
s1 is 1 at (x=0, y=0) and 8/9 at (x=1, y=0): it changes with the world, which the adversary's factor
must not.

Why. What is learned of the adversary then changes with the world, and the two cannot be bounded
apart.

What would repair it.

  • Move what depends on the world into W: V may have as many coordinates as that takes.
""",
    ("own-response-in-W", "factorization"): """\
At step 1, when the learner sees o1 and plays a, the entry of W that leads from s0 to v0 is 3/16 at
(x=0, y=0) and 35/144 at (x=0, y=1/2): it changes with the response, which the world's factor must
not.

Why. What is learned of the world then changes with the adversary, and the two cannot be bounded
apart.

What would repair it.

  • Move what depends on the response into G: let V keep what the adversary's answer reads.
""",
    ("own-negative", "nonexpansive"): """\
At step 1, when the learner sees o0 and plays a, the entry of W that leads from s1 to v1 is -3/8 at
(x=0, y=0), below 0.

Why. The norms of the theorem add up masses, and masses of both signs cancel.

What would repair it.

  • Choose coordinates in which both channels are nonnegative, such as states and histories.
""",
    ("own-expanding", "nonexpansive"): """\
At step 1, when the learner sees o0 and plays a under policy p, the entries of G in the column v1
have absolute values of sum 10/9 at (x=0, y=0): a difference of 1 there becomes one of 10/9.

Why. A difference of two world channels may then be worth more in play than its norm in V.

What would repair it.

  • Measure V in a larger unit: divide the column of G, and multiply the row of W.
""",
    ("own-start", "oom-identity"): """\
Under policy p at (x=0, y=0), before play the mass is 11/12, and it must be 1.

Why. The probability of what was seen, given what was played, begins at 1 and is never negative.

What would repair it.

  • Correct q₀ or the operators of the steps played.
""",
    ("own-negative-mass", "oom-identity"): """\
Under policy p at (x=0, y=0), after o1/a the mass is -1/4, and no mass may be negative.

Why. The probability of what was seen, given what was played, begins at 1 and is never negative.

What would repair it.

  • Correct q₀ or the operators of the steps played.
""",
    ("own-expanding", "oom-identity"): """\
Under policy p at (x=0, y=0), before play the mass is 1. If the learner then plays a at step 1, the
masses of what it may see sum to 49/48, so the operators give no law of observations.

Why. Whatever is played, something is seen next, so the probabilities of that add up to the mass
before.

What would repair it.

  • List every observation, and make the columns of the sum of J over observations add up to 1.
""",
}


def certificate(name: str) -> Any:
    return json.loads((ACCEPTED / f"{name}.cert.json").read_bytes())


@pytest.mark.parametrize(("name", "claim"), WALKS)
def test_each_failure_is_told_in_labels(name: str, claim: str) -> None:
    """Step, observation, action, policy, coordinate, parameters and both entries; why it matters; the remedy."""
    text = explain(certificate(name), claim)
    _, _, told = text.partition("The counterexample.\n\n")
    assert WALKS[name, claim] == told.partition("\nSearch")[0]


@pytest.mark.parametrize(
    ("name", "where"),
    [("own", "at every parameter point of the class"), ("own-interval", "as rational functions of the parameters")],
)
def test_a_proof_says_where_matrices_were_compared(name: str, where: str) -> None:
    """At the points of a finite class; on intervals as an identity of functions."""
    text = " ".join(explain(certificate(name), "factorization").split())
    assert f"compared entry by entry {where}" in text
    assert "entry by entry" in samples.claims_text(certificate(name))


def test_what_is_open_says_why() -> None:
    """Claims about kernels say that there are none; an inequality on intervals that the axis is one."""
    text = " ".join(explain(certificate("own"), "kl-joint").split())
    assert "The claim is about kernels, and this class is given by operators" in text
    assert "An axis of the class is an interval" in explain(certificate("own-interval"), "nonexpansive")


def test_the_class_is_shown_by_its_coordinates(tmp_path: Path) -> None:
    """A report lists coordinates instead of states, by size where they change between steps."""
    page = Page(report(certificate("own"), tmp_path / "X.html").read_text(encoding="utf-8"))
    assert "Channel coordinates" in page.words
    assert "Adversary actions" not in page.words
    report(certificate("own-steps"), tmp_path / "Y.md")
    assert "step by step 2, 2, 1" in (tmp_path / "Y.md").read_text(encoding="utf-8")
