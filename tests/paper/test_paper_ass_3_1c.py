"""Assumption 3.1(c), bounded log-likelihood increments."""

from __future__ import annotations

from tests.paper.facts import facts, found
from tests.search import small


def test_assumption_3_1c_by_hand() -> None:
    """Assumption 3.1(c): from s0 the second observation is noise with 1/4 + 1/2 x 1/4 or 1/4 + 1/2 x 1/2, that is 3/8
    or
    1/2, and quiet with 5/8 or 1/2; the first is the same; B_0 is the log of the larger ratio, 4/3."""
    document = small.gauge([["3/4", "1/4"], ["1/4", "3/4"]], [[["(-x+3)/4", "(x+1)/4"]]] * 2)
    assert {"B0_lower": {"log_of": "4/3"}, "B0_upper": {"log_of": "4/3"}} == found(
        facts(document), "bounded-increments"
    ).values


def test_assumption_3_1c_ignores_the_learners_own_choices() -> None:
    """Assumption 3.1(c): the policy's probabilities cancel in the ratio: a mixed policy gives the same B_0."""
    document = small.gauge([["3/4", "1/4"], ["1/4", "3/4"]], [[["(-x+3)/4", "(x+1)/4"]]] * 2)
    document["game"]["learner_actions"] = ["a0", "a1"]
    document["worlds"]["transition"] = [[row[0], row[0]] for row in document["worlds"]["transition"]]
    document["policies"]["list"]["p"] = [["1/3", "2/3"], ["1/5", "4/5"]]
    assert {"log_of": "4/3"} == found(facts(document), "bounded-increments").values["B0_upper"]


def test_assumption_3_1c_needs_positivity() -> None:
    """Assumption 3.1(c) fails where a trajectory of one model is impossible under another: the log ratio is
    infinite."""
    document = small.gauge([["(-x+2)/2", "x/2"]], [[["1"]]], horizon=1)
    assert "refuted" == found(facts(document), "bounded-increments").verdict
