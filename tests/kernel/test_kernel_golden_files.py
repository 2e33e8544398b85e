"""The committed certificates: accepted ones verify; rejected and malformed ones are refused for the reason beside
them."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.kernel.check import verify
from tests.kernel.editing import canonical, sha256, signed

TESTS = Path(__file__).parents[1]
ACCEPTED = sorted((TESTS / "accepted").glob("*.cert.json"))
REJECTED = sorted((TESTS / "rejected").glob("*.cert.json"))
MALFORMED = sorted((TESTS / "malformed").glob("*.json"))
COUNTS = {"accepted": 52, "rejected": 279, "malformed": 78}
FIELDS = ["accepted", "claim", "rule", "message", "consequence"]

ANSWERS = {  # certified or not, and how many claims are declared
    "certified (0 declared)": {
        "drift",
        "drift-fading",
        "drift-history",
        "drift-policy-form",
        "drift-reachable",
        "drift-summed",
        "drift-table",
        "interval-bandit",
    },
    "certified (1 declared)": {
        "factor",
        "interval",
        "split-joint",
        "split-literal",
        "two-observations",
        "two-ways",
        "vacuous",
        "whole-histories",
    },
    "not-certified (0 declared)": {
        "interval-net-own",
        "list",
        "list-fading",
        "own",
        "own-interval",
        "own-response-in-W",
        "pairs-cuts",
        "pairs-factor",
        "pairs-over",
        "pairs-summed",
        "pairs-vanishing",
        "refuted-lipschitz",
        "refuted-truth",
    },
    "not-certified (1 declared)": {
        "interval-answers",
        "interval-answers-policy-form",
        "interval-blocks",
        "interval-blocks-policy-form",
        "interval-fading",
        "interval-impossible",
        "interval-meeting",
        "interval-net",
        "interval-quotients",
        "interval-splits",
        "interval-tied",
        "own-expanding",
        "own-negative",
        "own-negative-mass",
        "own-signed",
        "own-start",
        "own-steps",
        "own-unequal",
        "own-world-in-G",
        "refuted-conversion",
        "refuted-crossing",
        "refuted-increments",
        "refuted-revealing",
    },
}


def stem(path: Path) -> str:
    return path.name.removesuffix(".json").removesuffix(".cert")


def reason(path: Path) -> dict[str, str]:
    """The lines of the file beside a refused one."""
    lines = (path.parent / f"{stem(path)}.reason").read_text(encoding="utf-8").splitlines()
    return {name: text for name, _, text in (line.partition(": ") for line in lines)}


def certificates(paths: list[Path]) -> list[Any]:
    return [json.loads(path.read_bytes()) for path in paths]


@pytest.mark.parametrize("path", ACCEPTED, ids=stem)
def test_accepted(path: Path) -> None:
    """The kernel accepts the file and says what it certifies."""
    (answer,) = (answer for answer, names in ANSWERS.items() if stem(path) in names)
    certificate = json.loads(path.read_bytes())
    verdict = verify(path)
    state, declared = answer.split(" (")
    head, vacuous, said, read, rings = verdict.line.split("; ")
    assert f"VERIFIED model {sha256(certificate['model'])} certificate {certificate['sha256']} {state}" == head
    names = {v: [c["id"] for c in certificate["claims"] if c["verdict"] == v] for v in ("vacuous", "declared")}
    assert [f"{v}: {', '.join(names[v]) or 'none'}" for v in names] == [vacuous, said]
    assert int(declared.split()[0]) == len(names["declared"])
    options = certificate["options"]
    assert f"kappa={options['kappa']} form={options['weak_revealing']['form']} " in read
    assert ("given operators" in rings) == ("operators" in certificate["model"])
    assert (True, certificate) == (verdict.accepted, verdict.certificate)
    assert answer.startswith("certified") == verdict.certified


@pytest.mark.parametrize("path", REJECTED, ids=stem)
def test_rejected(path: Path) -> None:
    """The kernel refuses the file, naming the claim and the rule, for the reason beside it."""
    why, verdict = reason(path), verify(path)
    assert (False, None, False) == (verdict.accepted, verdict.certificate, verdict.certified)
    assert [why["claim"], why["rule"]] == [verdict.claim, verdict.rule]
    assert verdict.line.startswith(f"REJECTED {why['claim']} {why['rule']}: found ")
    assert why["message"] in verdict.line


@pytest.mark.parametrize("path", MALFORMED, ids=stem)
def test_malformed(path: Path) -> None:
    """The kernel does not read the file, naming the place, for the reason beside it."""
    why, verdict = reason(path), verify(path)
    assert [False, "file", why["rule"]] == [verdict.accepted, verdict.claim, verdict.rule]
    assert why["message"] in verdict.line


def test_no_file_is_missing_or_without_its_pair() -> None:
    """As many files as counted; every refused file has its reason, complete, and its accepted neighbour."""
    found = {"accepted": len(ACCEPTED), "rejected": len(REJECTED), "malformed": len(MALFORMED)}
    assert COUNTS == found
    assert {stem(path) for path in ACCEPTED} == {name for names in ANSWERS.values() for name in names}
    for path in chain(REJECTED, MALFORMED):
        assert FIELDS == list(reason(path)), path.name
        assert reason(path)["consequence"], path.name
        assert reason(path)["accepted"] in {stem(file) for file in ACCEPTED}, path.name
    reasons = {path.stem for folder in ("rejected", "malformed") for path in (TESTS / folder).glob("*.reason")}
    assert {stem(path) for path in chain(REJECTED, MALFORMED)} == reasons
    listed = [path for folder in COUNTS for path in (TESTS / folder).iterdir()]
    assert sum(COUNTS.values()) + len(reasons) == len(listed)


def test_every_rule_and_every_verdict_has_an_accepted_file() -> None:
    """Between them the accepted files use every rule, every kind of tree node and every verdict."""
    claims = [claim for certificate in certificates(ACCEPTED) for claim in certificate["claims"]]
    rules = {claim["evidence"]["rule"] for claim in claims if claim["evidence"]}
    assert {"eval", "tests", "log", "box", "pairs", "sequence", "bound", "list", "net", "assume"} == rules
    assert {"proved", "refuted", "vacuous", "declared", "unknown"} == {claim["verdict"] for claim in claims}
    for rule, kinds in {"tests": ("test", "factor", "cut", "split"), "pairs": ("split", "box")}.items():
        evidence = [claim["evidence"] for claim in claims if claim["evidence"] and claim["evidence"]["rule"] == rule]
        trees = "".join(str(each["trees"]) for each in evidence)
        assert all(f"'{kind}'" in trees for kind in kinds)


def test_every_claim_that_can_fail_is_refuted_by_an_accepted_file() -> None:
    """Each kind of witness is among the accepted files."""
    wanted = {
        "factorization",
        "oom-identity",
        "nonexpansive",
        "posterior-lipschitz",
        "weak-revealing",
        "well-specified",
        "bounded-increments",
        "predictive-states",
        "kl-joint",
        "kl-world",
    }
    claims = [claim for certificate in certificates(ACCEPTED) for claim in certificate["claims"]]
    assert wanted == {claim["id"] for claim in claims if claim["verdict"] == "refuted"}


def test_rejected_files_differ_little_from_their_neighbours() -> None:
    """A rejected file is its accepted neighbour but for a few values; only the edits about digests leave them stale."""

    def leaves(value: Any, at: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], Any]:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        return (
            {at: value} if not items else {k: v for key, entry in items for k, v in leaves(entry, (*at, key)).items()}
        )

    for path in REJECTED:
        certificate = json.loads(path.read_bytes())
        neighbour = json.loads((TESTS / "accepted" / f"{reason(path)['accepted']}.cert.json").read_bytes())
        assert (certificate == signed(certificate)) == (not path.name.startswith("digest-")), path.name
        if path.name.startswith("claim"):
            continue
        mine, yours = leaves(certificate), leaves(neighbour)
        assert 90 > sum(mine.get(key) != yours.get(key) for key in mine.keys() | yours.keys()), path.name


def test_accepted_files_are_in_canonical_form_and_small() -> None:
    """Bytes are RFC 8785 and a file is a few kilobytes."""
    for path in ACCEPTED:
        assert canonical(json.loads(path.read_bytes())) == path.read_bytes()
        assert 20_000 > path.stat().st_size
