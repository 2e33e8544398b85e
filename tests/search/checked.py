"""What the search finds of a class, through the kernel and against brute force before a test looks at it."""

from __future__ import annotations

from typing import Any

from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.search.certify import certify
from tests.search import truth
from tests.search.classes import model_of

Entry = dict[str, Any]


def found(document: Any, *claims: str, **options: Any) -> list[Entry]:
    """The entries of those claims: the kernel accepts their certificate, and each is true."""
    model = model_of(document)
    certificate = certify(model, only=claims, **options)  # type: ignore[arg-type]
    verdict = verify_bytes(canonical_bytes(certificate.document))
    assert verdict.accepted, verdict.line
    for claim in claims:
        truth.check(model.game, certificate.document["options"], certificate.entries[claim])
    return [certificate.entries[claim] for claim in claims]
