"""Forgeries of Assumption 2.3: false constants, other histories, and choices of signs that show nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim, drop, put
from tests.kernel.forged import Forgery, distinct, evidence, exchanged, refuses, value, witness

L = "posterior-lipschitz"
NONE: dict[str, Any] = {"values": {}, "evidence": None}
ALIKE = {
    "Phi": {"y": "1/4"},
    "h": 2,
    "nu": "watch",
    "pi": "idle",
    "posteriors": [["1", "0"], ["1", "0"]],
    "responses": [["1/2", "1/2"], ["3/4", "1/4"]],
    "tau_B": ["d0", "b0", "d0"],
    "theta": {"x": "0"},
}
GAP = "1*(-1*Phi.y), 1*(+1*Phi.y)"


FORGERIES = distinct(
    # finite classes
    Forgery(
        "L is half of what it is",
        "drift",
        (value(L, L_lower="4/13", L_upper="4/13"),),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "L is zero: no response ever changes",
        "drift",
        (value(L, L_lower="0", L_upper="0"), evidence(L, "attained", to=None)),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "L is infinite: negative constant",
        "drift",
        (value(L, L_lower="-8/13", L_upper="-8/13"),),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "L is known in a bracket",
        "drift",
        (value(L, L_lower="1/13"),),
        "posterior-lipschitz eval: found the ratio 8/13 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained under the other response",
        "drift",
        (evidence(L, "attained", "Phi", "y", to="1/8"),),
        "posterior-lipschitz eval: found the ratio 4/13 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained in the other world",
        "drift",
        (evidence(L, "attained", "theta", "x", to="1/8"),),
        "posterior-lipschitz eval: found the ratio 8/15 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained a step too early",
        "drift",
        (evidence(L, "attained", "h", to=1),),
        "posterior-lipschitz eval: found the adversary history ['d0', 'b0', 'd0']",
    ),
    Forgery(
        "L is attained a step later than its history",
        "drift",
        (evidence(L, "attained", "tau_B", to=["d0"]),),
        "posterior-lipschitz eval: found the adversary history ['d0'], required a history of step h",
    ),
    Forgery(
        "L is attained after another history",
        "drift",
        (evidence(L, "attained", "tau_B", to=["d0", "b1", "d0"]),),
        "posterior-lipschitz eval: found the ratio 1/2 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained between a policy and itself",
        "drift",
        (evidence(L, "attained", "nu", to="idle"),),
        "posterior-lipschitz eval: found the ratio 0 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained before the adversary has seen",
        "drift",
        (evidence(L, "attained", "tau_B", to=[]),),
        "posterior-lipschitz eval: found the adversary history []",
    ),
    Forgery(
        "L is attained at a history of actions",
        "drift",
        (evidence(L, "attained", "tau_B", to=["b0", "d0", "b0"]),),
        "posterior-lipschitz read posterior-lipschitz.tau_B: found 'b0'",
    ),
    Forgery(
        "L of the step form is that of the policy form",
        "drift",
        (
            put("options", "lipschitz_form", to="policy"),
            put("readings", 0, to="2.3:form=policy"),
            value(L, L_lower="16/13", L_upper="16/13"),
        ),
        "posterior-lipschitz eval: found the ratio 1/2 where L_lower is said to be attained",
    ),
    Forgery(
        "equal posteriors are answered differently",
        "drift",
        (claim(L, verdict="refuted", witness=ALIKE, **NONE),),
        "posterior-lipschitz eval: found other rows",
    ),
    Forgery(
        "a block and itself in the other order",
        "drift-table",
        (evidence(L, "attained", "pi", to=["watch", "idle"]),),
        "posterior-lipschitz eval: found the ratio 0 where L_lower is said to be attained",
    ),
    Forgery(
        "one policy stands for a block of two",
        "drift-table",
        (evidence(L, "attained", "nu", to=["watch"]),),
        "posterior-lipschitz read posterior-lipschitz.place: found 1 entries",
    ),
    Forgery(
        "2.3 holds though equal posteriors are answered apart",
        "refuted-lipschitz",
        (
            claim(
                L,
                verdict="proved",
                values={"L_lower": "1", "L_upper": "1"},
                evidence={"rule": "box", "gaps": {}, "signs": [], "trees": {}, "attained": None},
                witness=None,
            ),
        ),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "a history of a later step refutes 2.3",
        "refuted-lipschitz",
        (witness(L, "tau_B", to=["d0", "b0", "d0"]),),
        "posterior-lipschitz eval: found the adversary history ['d0', 'b0', 'd0']",
    ),
    Forgery(
        "a policy compared with itself refutes 2.3",
        "refuted-lipschitz",
        (witness(L, "nu", to="idle"),),
        "posterior-lipschitz eval: found other rows",
    ),
    Forgery(
        "signs for a class of numbers",
        "drift",
        (evidence(L, "signs", to=[{}]),),
        "posterior-lipschitz box: found gaps, signs or trees",
    ),
    # interval axes
    Forgery(
        "responses differ by less",
        "interval-answers",
        (evidence(L, "gaps", GAP, to="1/4"), value(L, L_lower="2/7", L_upper="2/7")),
        "posterior-lipschitz box: found no proof of +1-8*Phi.y >= 0",
    ),
    Forgery(
        "responses differ by a unit less",
        "interval-answers",
        (evidence(L, "gaps", GAP, to="499999/1000000"),),
        "posterior-lipschitz box: found no proof of +499999-2000000*Phi.y >= 0",
    ),
    Forgery(
        "responses do not differ",
        "interval-answers",
        (evidence(L, "gaps", GAP, to="0"), value(L, L_lower="0", L_upper="0"), evidence(L, "attained", to=None)),
        "posterior-lipschitz box: found no proof of -1*Phi.y >= 0",
    ),
    Forgery(
        "a gap that is left out",
        "interval-answers",
        (evidence(L, "gaps", to={}),),
        "posterior-lipschitz box: found no bound of the difference 1*(-1*Phi.y), 1*(+1*Phi.y)",
    ),
    Forgery(
        "L_upper is a millionth smaller",
        "interval-answers",
        (value(L, L_lower="571427/1000000", L_upper="571427/1000000"),),
        "posterior-lipschitz box: found no proof of -571449+9142832*theta.x >= 0",
    ),
    Forgery(
        "L_upper is negative",
        "interval-answers",
        (value(L, L_lower="-1", L_upper="-1"),),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0']",
    ),
    Forgery(
        "L is attained in another cell",
        "interval-answers",
        (evidence(L, "attained", "theta", "z", to="1/3"),),
        "posterior-lipschitz eval: found the ratio 24/47 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained outside of the box",
        "interval-answers",
        (evidence(L, "attained", "Phi", "y", to="1/2"),),
        "posterior-lipschitz read responses: found {'y': '1/2'}",
    ),
    Forgery(
        "L is attained nowhere",
        "interval-answers",
        (evidence(L, "attained", to=None),),
        "posterior-lipschitz eval: found the ratio 0 where L_lower is said to be attained",
    ),
    Forgery(
        "L is attained at a later step",
        "interval-answers",
        (evidence(L, "attained", "h", to=1),),
        "posterior-lipschitz eval: found the adversary history ['d0', 'b0', 'd0']",
    ),
    Forgery(
        "L is attained without a response",
        "interval-answers",
        (drop("claims", L, "evidence", "attained", "Phi"),),
        "posterior-lipschitz read responses: found no parameter point",
    ),
    Forgery(
        "L of blocks is that of one policy",
        "interval-blocks",
        (value(L, L_lower="1/4", L_upper="1/4"),),
        "posterior-lipschitz box: found no proof of -1+2*theta.p >= 0",
    ),
    Forgery(
        "a block of one policy for two",
        "interval-blocks",
        (evidence(L, "attained", "pi", to=["ask"]),),
        "posterior-lipschitz read posterior-lipschitz.place: found 1 entries",
    ),
    Forgery(
        "blocks of equal policies attain L",
        "interval-blocks",
        (evidence(L, "attained", "nu", to=["ask", "ask"]),),
        "posterior-lipschitz eval: found the ratio 0 where L_lower is said to be attained",
    ),
    Forgery(
        "L of the policy form is that of the step form",
        "interval-blocks",
        (
            put("options", "lipschitz_form", to="policy"),
            put("readings", 0, to="2.3:form=policy"),
            value(L, L_lower="1/4", L_upper="1/4"),
            evidence(L, "signs", to=[]),
        ),
        "posterior-lipschitz box: found no proof of -1+2*theta.p >= 0",
    ),
    Forgery(
        "posteriors meet and 2.3 holds",
        "interval-meeting",
        (
            claim(
                L,
                verdict="proved",
                values={"L_lower": "1", "L_upper": "100"},
                evidence={"rule": "box", "gaps": {}, "signs": [], "trees": {}, "attained": None},
                witness=None,
            ),
        ),
        "posterior-lipschitz box: found no bound of the difference 1*(+1*Phi.u), 1*(-1*Phi.u)",
    ),
    Forgery(
        "posteriors meet elsewhere",
        "interval-meeting",
        (witness(L, "theta", "x", to="1/2"),),
        "posterior-lipschitz eval: found other rows",
    ),
    Forgery(
        "posteriors that meet are others",
        "interval-meeting",
        (witness(L, "posteriors", to=[["1/2", "1/2"], ["1/2", "1/2"]]),),
        "posterior-lipschitz eval: found other rows",
    ),
    Forgery(
        "L is negative where no response differs",
        "interval",
        (value(L, L_upper="-1"),),
        "posterior-lipschitz box: found L_upper = -1, required at least the ratio 0",
    ),
    Forgery(
        "2.3 is declared on an interval",
        "interval",
        (claim(L, verdict="declared", values={}, evidence=None),),
        "posterior-lipschitz box: found declared, required unknown, since an axis is an interval",
    ),
)

BOX, READ = "posterior-lipschitz box: found ", "posterior-lipschitz read posterior-lipschitz.signs[0]: found "
FIRST = ("claims", L, "evidence", "signs", 0)
CHOICES = [
    Forgery("signs of the other end of the axis", "interval-blocks", (put(*FIRST, "choice", to=[0, -1, 1]),), BOX),
    Forgery("no choice where one is needed", "interval-blocks", (evidence(L, "signs", to=[]),), BOX),
    Forgery("a choice for policies in another order", "interval-blocks", (exchanged((*FIRST, "policies", 0), (*FIRST, "policies", 1)),), BOX),
    Forgery("a choice for all histories", "interval-blocks", (put(*FIRST, "tau_B", to=None),), BOX),
    Forgery("the posterior false", "interval-blocks", (put(*FIRST, "choice", to=[False, 1, -1]),), READ),
    Forgery("the sign true", "interval-blocks", (put(*FIRST, "choice", to=[0, True, -1]),), READ),
    Forgery("signs of two", "interval-blocks", (put(*FIRST, "choice", to=[0, 2, -2]),), READ),
    Forgery("no signs", "interval-blocks", (put(*FIRST, "choice", to=[0, 0, 0]),), READ),
    Forgery("a posterior counted from the end", "interval-blocks", (put(*FIRST, "choice", to=[-1, 1, -1]),), READ),
    Forgery("a choice of nothing", "interval-blocks", (put(*FIRST, "choice", to=[]),), READ),
    Forgery("a half is left out", "interval-blocks", (put(*FIRST, "choice", to=["split", "theta.p", "0", None, None]),), READ),
]  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)


@pytest.mark.parametrize("forgery", CHOICES, ids=str)
def test_choice(forgery: Forgery) -> None:
    """A choice of signs that is not of the comparison, or shows nothing there, is refused."""
    refuses(forgery)
