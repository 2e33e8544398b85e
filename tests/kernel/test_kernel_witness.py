"""Witnesses: each refutes by itself, and only where the assumption fails."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.game import Game
from tests.kernel.editing import canonical, claim, edited, get, put
from tests.search import truth

ACCEPTED = Path(__file__).parents[1] / "accepted"
FILES = {
    path.name.removesuffix(".cert.json"): json.loads(path.read_bytes()) for path in sorted(ACCEPTED.glob("*.cert.json"))
}
STRANGE: list[Any] = [None, 7, "", [], {}, [None], "none"]
REFUTED = [
    (name, entry["id"]) for name, file in FILES.items() for entry in file["claims"] if entry["verdict"] == "refuted"
]


@pytest.mark.parametrize(("name", "claim_id"), REFUTED)
def test_a_witness_shows_what_brute_force_shows(name: str, claim_id: str) -> None:
    """The refutation is true of the class by enumeration from the definitions."""
    truth.check(Game(FILES[name]["model"]), FILES[name]["options"], get(FILES[name], "claims", claim_id))


@pytest.mark.parametrize(("name", "claim_id"), REFUTED)
def test_a_witness_does_not_refute_another_class(name: str, claim_id: str) -> None:
    """The same witness in a class where the claim is proved is rejected."""
    witness = get(FILES[name], "claims", claim_id, "witness")
    changed = edited(FILES["drift"], claim(claim_id, verdict="refuted", values={}, evidence=None, witness=witness))
    verdict = verify_bytes(canonical(changed))
    assert [False, claim_id] == [verdict.accepted, verdict.claim]


@pytest.mark.parametrize(("name", "claim_id"), REFUTED)
def test_every_field_of_a_witness_counts(name: str, claim_id: str) -> None:
    """A field left out or of another type is refused; so is an unknown one."""
    witness = get(FILES[name], "claims", claim_id, "witness")
    edits: list[Any] = [{k: v for k, v in witness.items() if k != key} for key in witness]
    edits += [witness | {key: value} for key in witness for value in STRANGE if value != witness[key]]
    edits += [witness | {"note": ""}, None, [], "refuted", 3, {}]
    for other in edits:
        verdict = verify_bytes(canonical(edited(FILES[name], claim(claim_id, witness=other))))
        assert [False, claim_id] == [verdict.accepted, verdict.claim], other


def test_a_zero_lies_between_the_ends_of_a_crossing() -> None:
    """Halving the segment of the crossing witness finds a signal as small as one likes beside a difference that is
    not."""
    certificate = FILES["refuted-crossing"]
    place = get(certificate, "claims", "weak-revealing", "witness")
    game, options = Game(certificate["model"]), certificate["options"]
    context = truth.situation(game, 1, place)
    ends = [truth.predictive(game, "window", place, key) for key in ("q", "q_other")]

    def at(t: Fraction) -> Any:
        return {
            s: (1 - t) * ends[0].get(s, Fraction(0)) + t * ends[1].get(s, Fraction(0))
            for s in ends[0].keys() | ends[1].keys()
        }

    pairs = [truth.ratio(game, options, context, at(Fraction(n, 1024))) for n in range(1025)]
    least = min((pair for pair in pairs if pair), key=lambda pair: pair[0])
    assert 0 < least[0] < Fraction(1, 1000)  # the zero itself is where q(s0)^2 = 3/4
    assert least[1] > Fraction(1, 10)


def test_a_refutation_needs_no_unknown_claim() -> None:
    """A refuted class verifies as not certified even if everything else is left unknown."""
    file = FILES["refuted-truth"]
    names = [entry["id"] for entry in file["claims"] if entry["id"] != "well-specified"]
    unknown = [claim(name, verdict="unknown", values={}, evidence=None) for name in names]
    groups = {key: "unknown" for key in file["summary"] if key not in ("certified", "declared", "3.1a")}
    changed = edited(file, *unknown, put("summary", to=file["summary"] | groups))
    verdict = verify_bytes(canonical(changed))
    assert [True, False] == [verdict.accepted, verdict.certified]
