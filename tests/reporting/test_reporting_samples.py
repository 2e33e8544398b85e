"""The samples are real certificates, so a report of one tells the truth about something."""

from __future__ import annotations

import pytest

from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.reading import canonical_bytes
from tests.reporting import samples


def test_patrol_is_certified() -> None:
    """The kernel accepts the proved sample and calls it certified."""
    verdict = verify_bytes(canonical_bytes(samples.patrol()))
    assert (True, True) == (verdict.accepted, verdict.certified)


@pytest.mark.parametrize("name", samples.REFUTED)
def test_refutations_hold(name: str) -> None:
    """The kernel accepts every refuted sample: its witness does what it says."""
    verdict = verify_bytes(canonical_bytes(samples.REFUTED[name]()))
    assert (True, False) == (verdict.accepted, verdict.certified), verdict.line
