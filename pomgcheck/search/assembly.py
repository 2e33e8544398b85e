"""What was found, put in the form of a certificate with its digests (certificates/FORMAT.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pomgcheck.kernel import check
from pomgcheck.kernel.claims import CLAIMS, statement
from pomgcheck.kernel.game import Game

from .finding import Finding

if TYPE_CHECKING:
    from pomgcheck.modelclass.document import ModelClass


def assemble(
    model: ModelClass, game: Game, options: dict[str, Any], findings: dict[str, tuple[Finding, float]]
) -> dict[str, Any]:
    """The certificate document with its digests and summary."""
    claims = [claim_entry(claim.id, claim.paper, game, options, *findings[claim.id]) for claim in CLAIMS]
    document = {
        "format": check.FORMAT,
        "model": model.document,
        "model_sha256": model.sha256,
        "options": options,
        "claims": claims,
        "summary": check.summary_of(claims),
    }
    return document | {"sha256": check.content_digest(document)}


def claim_entry(
    claim: str, paper: str, game: Game, options: dict[str, Any], finding: Finding, seconds: float
) -> dict[str, Any]:
    search = {"seconds": f"{seconds:.3f}", "method": finding.method, "solvers": finding.solvers} | finding.notes
    return {
        "id": claim,
        "paper": paper,
        "verdict": finding.verdict,
        "statement": statement(claim, game, options),
        "values": finding.values,
        "evidence": finding.evidence,
        "witness": finding.witness,
        "search": search,
    }
