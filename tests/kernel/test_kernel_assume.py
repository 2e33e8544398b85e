"""Rule assume: a declared claim carries no proof, and is never a claim the model decides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.claims import CLAIMS
from tests.kernel.editing import canonical, claim, edited, get, put

ACCEPTED = Path(__file__).parents[1] / "accepted"
DECLARED = json.loads((ACCEPTED / "factor.cert.json").read_bytes())  # no truth is stated
TRUE = json.loads((ACCEPTED / "drift.cert.json").read_bytes())


def test_a_truth_left_out_is_declared_and_listed() -> None:
    """3.1(a) without a truth is declared; the class is certified with it named."""
    verdict = verify_bytes(canonical(DECLARED))
    assert [True, ["well-specified"]] == [verdict.certified, DECLARED["summary"]["declared"]]
    assert "declared" == DECLARED["summary"]["3.1a"]
    assert {"rule": "assume"} == get(DECLARED, "claims", "well-specified", "evidence")


@pytest.mark.parametrize(
    "evidence", [None, {}, {"rule": "eval"}, {"rule": "assume", "because": "we looked"}, [], "assume"], ids=str
)
def test_evidence_of_a_declared_claim_is_the_rule_alone(evidence: Any) -> None:
    """Nothing else may stand there."""
    assert not verify_bytes(canonical(edited(DECLARED, claim("well-specified", evidence=evidence)))).accepted


@pytest.mark.parametrize("name", [known.id for known in CLAIMS])
def test_nothing_the_model_decides_can_be_declared(name: str) -> None:
    """Declaring a claim that is proved is refused, whatever the summary says."""
    groups = {known.id: "".join(ch for ch in known.paper.split(" ", 1)[1] if ch not in "()") for known in CLAIMS}
    for group in ("proved", "declared"):
        changed = edited(
            TRUE,
            claim(name, verdict="declared", values={}, evidence={"rule": "assume"}),
            put("summary", "declared", to=[name]),
            put("summary", groups[name], to=group),
        )
        verdict = verify_bytes(canonical(changed))
        assert [False, name] == [verdict.accepted, verdict.claim]
