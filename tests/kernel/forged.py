"""Forgeries: an accepted certificate, the edits that make it say something false, and the reason it is refused for."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck.kernel import check
from tests.kernel.editing import Certificate, Edit, canonical, edited, get, put

TESTS = Path(__file__).parents[1]
GALLERY = TESTS.parent / "certificates"


class Forgery(NamedTuple):
    """``sells`` is the falsehood, ``refused`` how the kernel's line begins after REJECTED: claim, rule, what it found."""

    sells: str
    base: str
    edits: tuple[Edit, ...]
    refused: str

    def __str__(self) -> str:
        return f"{self.base}: {self.sells}"


@cache
def base(name: str) -> bytes:
    """An accepted golden, or a certificate of the gallery."""
    golden = TESTS / "accepted" / f"{name}.cert.json"
    return (golden if golden.exists() else GALLERY / f"{name}.cert.json").read_bytes()


def judged(forgery: Forgery) -> check.Verdict:
    """The kernel's verdict on the forgery, signed again."""
    return check.verify_bytes(canonical(edited(json.loads(base(forgery.base)), *forgery.edits)))


def refuses(forgery: Forgery) -> None:
    """The kernel refuses the forgery for the reason stated."""
    verdict = judged(forgery)
    assert not verdict.accepted, forgery.sells
    assert verdict.line.startswith(f"REJECTED {forgery.refused}"), verdict.line


def distinct(*forgeries: Forgery) -> list[Forgery]:
    """The forgeries, no two of which have one label."""
    assert len({str(each) for each in forgeries}) == len(forgeries)
    return list(forgeries)


def value(claim: str, **values: Any) -> Edit:
    """Other values of a claim; a function is applied to the value that was there."""

    def edit(certificate: Certificate) -> None:
        stated = get(certificate, "claims", claim, "values")
        for name, to in values.items():
            assert name in stated
            stated[name] = to(stated[name]) if callable(to) else to

    return edit


def evidence(claim: str, *path: str | int, to: Any) -> Edit:
    """Another part of a claim's evidence."""
    return put("claims", claim, "evidence", *path, to=to)


def witness(claim: str, *path: str | int, to: Any) -> Edit:
    """Another part of a claim's witness."""
    return put("claims", claim, "witness", *path, to=to)


def exchanged(first: tuple[str | int, ...], second: tuple[str | int, ...]) -> Edit:
    """What is at two paths, each at the other."""

    def edit(certificate: Certificate) -> None:
        one, other = get(certificate, *first), get(certificate, *second)
        put(*first, to=other)(certificate)
        put(*second, to=one)(certificate)

    return edit


def added(*path: str | int, by: Any) -> Edit:
    """One more entry at the end of a list, or the keys of an object."""

    def edit(certificate: Certificate) -> None:
        there = get(certificate, *path)
        there.update(by) if isinstance(by, dict) and isinstance(there, dict) else there.append(by)

    return edit


def again(*path: str | int) -> Callable[[Certificate], None]:
    """The last entry of a list once more."""

    def edit(certificate: Certificate) -> None:
        there = get(certificate, *path)
        there.append(json.loads(json.dumps(there[-1])))

    return edit
