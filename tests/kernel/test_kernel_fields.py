"""Evidence and witnesses have the fields that their rule names, and no others: nothing in a certificate goes unread."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pomgcheck.kernel import check
from tests.kernel.editing import canonical, edited, get
from tests.kernel.forged import TESTS

# Objects whose keys are goals, axes or policies, and the truth of a document.
FREE = {"bounds", "gaps", "grid", "shears", "trees", "theta", "theta_prime", "Phi", "truth"}


def objects(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], frozenset[str]]]:
    """The objects of fixed fields within a part of a claim, one of alike neighbours, each with its fields."""
    if isinstance(value, list):
        for number, entry in enumerate(value[:1]):
            yield from objects(entry, (*path, number))
    if isinstance(value, dict):
        if path[-1] not in FREE:
            yield path, frozenset(value)
        for key, entry in value.items():
            if path[-1] not in FREE and key != "tree":
                yield from objects(entry, (*path, key))


def found() -> dict[Any, tuple[str, tuple[Any, ...]]]:
    """(claim, its evidence or witness, place in it, fields) -> a golden and the path there."""
    out: dict[Any, tuple[str, tuple[Any, ...]]] = {}
    for file in sorted((TESTS / "accepted").glob("*.cert.json"), key=lambda path: path.stat().st_size):
        certificate = json.loads(file.read_bytes())
        sort = "operators" in certificate["model"], file.name.startswith(("interval", "pairs"))
        for claim in certificate["claims"]:
            for part in ("evidence", "witness"):
                for path, fields in objects(claim[part], ("claims", claim["id"], part)):
                    at = file.name.removesuffix(".cert.json"), path
                    out.setdefault((sort, path, fields), at)
    return out


@pytest.mark.parametrize(("name", "path"), found().values())
def test_a_field_more_is_refused_as_it_is_read(name: str, path: tuple[Any, ...]) -> None:
    """One field more, in any object of evidence or witness, is refused where the claim is read."""
    certificate = json.loads((TESTS / "accepted" / f"{name}.cert.json").read_bytes())
    more = edited(certificate, lambda copy: get(copy, *path).update(note="0"))
    verdict = check.verify_bytes(canonical(more))
    assert (False, path[1]) == (verdict.accepted, verdict.claim), verdict.line
    assert verdict.rule.startswith("read ") or verdict.rule == "eval", verdict.line  # eval: nothing beside the rule
