"""Digests: what they cover, and the user's own model file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.kernel.check import content_digest, verify, verify_bytes
from pomgcheck.kernel.reading import digest
from tests.kernel.editing import canonical, edited, get, put, sha256

ACCEPTED = Path(__file__).parents[1] / "accepted"
DRIFT = ACCEPTED / "drift.cert.json"
CERTIFICATE = json.loads(DRIFT.read_bytes())


def test_digests_are_sha256_of_the_canonical_form() -> None:
    """Computed here without the kernel's code."""
    assert sha256(CERTIFICATE["model"]) == CERTIFICATE["model_sha256"] == digest(CERTIFICATE["model"])
    covered = {key: value for key, value in CERTIFICATE.items() if key not in ("sha256", "tool")}
    covered["claims"] = [{k: v for k, v in claim.items() if k != "search"} for claim in covered["claims"]]
    assert sha256(covered) == CERTIFICATE["sha256"] == content_digest(CERTIFICATE)


@pytest.mark.parametrize(
    "value", [{}, {"seconds": "99", "solvers": {"z3": "0"}, "note": "anything"}], ids=["empty", "other"]
)
def test_what_the_search_says_of_itself_is_not_covered(value: Any) -> None:
    """Times and solver versions may change without a new digest."""
    changed = edited(CERTIFICATE, put("claims", 0, "search", to=value), digests=False)
    assert verify_bytes(canonical(changed)).accepted


def test_layout_does_not_matter() -> None:
    """White space and the order of keys change the file, not the certificate."""
    shuffled = dict(reversed(list(CERTIFICATE.items())))
    assert verify_bytes(json.dumps(shuffled, indent=2).encode()).accepted


@pytest.mark.parametrize(
    "path",
    [
        ("options", "T"),
        ("model", "name"),
        ("claims", 4, "values", "alpha_upper"),
        ("summary", "certified"),
        ("claims", 11, "evidence", "rule"),
        ("claims", 0, "paper"),
    ],
)
def test_everything_else_is_covered(path: tuple[str | int, ...]) -> None:
    """Any other change leaves a stale digest."""
    changed = edited(CERTIFICATE, put(*path, to="1"), digests=False)
    assert get(CERTIFICATE, *path) != "1"
    verdict = verify_bytes(canonical(changed))
    assert not verdict.accepted
    assert verdict.rule in ("digest", "read file")


def test_the_users_model_file(tmp_path: Path) -> None:
    """The certificate is about the model given beside it, in any layout, or is refused."""
    model = tmp_path / "model.json"
    model.write_text(json.dumps(CERTIFICATE["model"], indent=2), encoding="utf-8")
    assert verify(DRIFT, model).accepted
    model.write_text(json.dumps(CERTIFICATE["model"] | {"name": "other"}), encoding="utf-8")
    verdict = verify(DRIFT, model)
    assert [False, "model", "digest"] == [verdict.accepted, verdict.claim, verdict.rule]
    model.write_text("{", encoding="utf-8")
    assert "read model" in verify(DRIFT, model).line
