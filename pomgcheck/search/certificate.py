"""The certificate as an object: what was found, put in the file's form with its digests (certificates/FORMAT.md)."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from pomgcheck.kernel import check
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.game import Game
from pomgcheck.stored import Stored

from .finding import Finding

if TYPE_CHECKING:
    from pomgcheck.modelclass.document import ModelClass


class Certificate(Stored):
    """A certificate as written: ``document`` is its JSON, exact text throughout."""

    @property
    def certified(self) -> bool:
        return bool(self.document["summary"]["certified"])

    @property
    def claims(self) -> dict[str, dict[str, Any]]:
        return {claim["id"]: claim for claim in self.document["claims"]}

    @property
    def values(self) -> dict[str, Any]:
        """All constants by name."""
        return {name: value for claim in self.document["claims"] for name, value in claim["values"].items()}

    @property
    def exit_code(self) -> int:
        """0 certified, 1 something refuted, 3 something unknown."""
        verdicts = {claim["verdict"] for claim in self.document["claims"]}
        return 1 if "refuted" in verdicts else 3 if "unknown" in verdicts else 0

    def __repr__(self) -> str:
        verdicts = [claim["verdict"] for claim in self.document["claims"]]
        counted = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
        state = "certified" if self.certified else "not certified"
        return (
            f"Certificate({self.document['model']['name']}: {state}; {counted}; sha256 {self.document['sha256'][:12]}…)"
        )

    def _repr_html_(self) -> str:
        from pomgcheck.reporting import notebook_html

        return notebook_html(self.document)


def assemble(
    model: ModelClass, game: Game, options: dict[str, Any], findings: dict[str, tuple[Finding, float]]
) -> dict[str, Any]:
    """The certificate document with its digests and summary."""
    claims = [claim_entry(claim.id, claim.paper, *findings[claim.id]) for claim in CLAIMS]
    document = {
        "format": check.FORMAT,
        "model": model.document,
        "model_sha256": model.sha256,
        "options": options,
        "readings": check.readings(game, options),
        "claims": claims,
        "summary": check.summary_of(claims),
        "tool": {"name": "pomgcheck", "version": version("pomgcheck")},
    }
    return document | {"sha256": check.content_digest(document)}


def claim_entry(claim: str, paper: str, finding: Finding, seconds: float) -> dict[str, Any]:
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
