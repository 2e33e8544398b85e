"""What was found, put in the form of a certificate with its digests (certificates/FORMAT.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pomgcheck.kernel import check
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.game import Game
from pomgcheck.search.finding import Finding
from pomgcheck.version import __version__

if TYPE_CHECKING:
    from pomgcheck.modelclass.document import ModelClass


def assemble(
    model: ModelClass, game: Game, options: dict[str, Any], findings: dict[str, tuple[Finding, float]]
) -> dict[str, Any]:
    """Return the certificate document with its digests and summary."""
    claims = [claim_entry(claim.id, claim.paper, *findings[claim.id]) for claim in CLAIMS]
    document = {
        "format": check.FORMAT,
        "model": model.document,
        "model_sha256": model.sha256,
        "options": options,
        "readings": check.readings(game, options),
        "claims": claims,
        "summary": check.summary_of(claims),
        "tool": {"name": "pomgcheck", "version": __version__},
    }
    return document | {"sha256": check.content_digest(document)}


def claim_entry(claim: str, paper: str, finding: Finding, seconds: float) -> dict[str, Any]:
    """Return the entry of a claim in a certificate, from its finding."""
    search = {"seconds": f"{seconds:.3f}", "method": finding.method, "solvers": finding.solvers} | finding.notes
    return {
        "id": claim,
        "paper": paper,
        "verdict": finding.verdict,
        "values": finding.values,
        "evidence": finding.evidence,
        "witness": finding.witness,
        "search": search,
    }
