"""Runs every obligation a model class owes and writes the certificate."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel import check
from pomgcheck.kernel.claims import CLAIMS, STRUCTURAL, statement
from pomgcheck.kernel.game import Game, Malformed, canonical_bytes

from .finding import Finding

if TYPE_CHECKING:
    from pomgcheck.modelclass.document import ModelClass

LIMITS = {"coordinates": 100_000, "trajectories": 1_000_000}
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Certificate:
    """A certificate as written: ``document`` is its JSON, exact text throughout."""

    document: dict[str, Any]

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

    def save(self, path: str | Path) -> Path:
        """Write the file, whole or not at all."""
        target = Path(path)
        part = target.with_name(target.name + ".part")
        part.write_bytes(canonical_bytes(self.document))
        part.replace(target)
        return target

    def __repr__(self) -> str:
        verdicts = [claim["verdict"] for claim in self.document["claims"]]
        counted = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
        state = "certified" if self.certified else "not certified"
        return f"Certificate({self.document['model']['name']}: {state}; {counted}; sha256 {self.document['sha256'][:12]}…)"

    def _repr_html_(self) -> str:
        from pomgcheck.reporting import certificate_html

        return certificate_html(self.document)


def options_of(game: Game, *, kappa: int, space: str, form: str, scope: str, lipschitz: str, tol: Fraction, delta: Fraction,
               T: int, reference: Any, limits: dict[str, int] | None) -> dict[str, Any]:  # fmt: skip
    """The options of a certificate; refused with the reason where they do not fit the class."""
    options = {
        "kappa": kappa, "space": space, "weak_revealing": {"form": form, "scope": scope, "tol": str(tol)},
        "lipschitz_form": lipschitz, "T": T, "delta": str(delta), "reference": reference,
        "limits": LIMITS | (limits or {}),
    }  # fmt: skip
    count = check.coordinates(game, "history" if space == "history" else "window")
    limit = options["limits"]["coordinates"]  # type: ignore[index]
    if space == "history" and count > limit:
        raise LimitExceeded.coordinates(count, limit, check.coordinates(game, "window"))
    try:
        check.read_options(options, game)
    except Malformed as error:
        raise InputError(error.where, error.found, error.required) from None
    return options


def certify(model: ModelClass, *, kappa: int = 1, space: str = "window", form: str = "literal", scope: str = "simplex",
            lipschitz: str = "step", tol: Fraction = Fraction(1, 10**6), delta: Fraction = Fraction(1, 20), T: int = 16384,
            reference: Any = "uniform", limits: dict[str, int] | None = None, progress: Progress | None = None) -> Certificate:  # fmt: skip
    """Search for a proof or a refutation of every claim; the kernel checks the result before it is returned."""
    game = model.game
    options = options_of(game, kappa=kappa, space=space, form=form, scope=scope, lipschitz=lipschitz, tol=tol, delta=delta,
                         T=T, reference=reference, limits=limits)  # fmt: skip
    findings = Obligations(game, options, progress).run()
    certificate = Certificate(assemble(model, game, options, findings))
    verdict = check.verify_bytes(canonical_bytes(certificate.document))
    if not verdict.accepted:
        raise AssertionError(f"the kernel refused the search's own certificate: {verdict.line}")
    return certificate


class Obligations:
    """Each claim's search, timed; claims that share work (one walk a policy) share it here."""

    def __init__(self, game: Game, options: dict[str, Any], progress: Progress | None) -> None:
        self.game, self.options, self.progress = game, options, progress
        self.findings: dict[str, tuple[Finding, float]] = {}

    def run(self) -> dict[str, tuple[Finding, float]]:
        from . import factorization, regularity

        self.timed(["factorization"], lambda: [factorization.factorization(self.game, self.options["space"])])
        self.timed(["warmup-stationary"], lambda: [regularity.warmup_stationary(self.game)])
        if self.game.finite:
            self.finite()
        else:
            for claim in CLAIMS:
                if claim.id not in STRUCTURAL:
                    self.findings[claim.id] = Finding("unknown", "interval axes are not decided yet"), 0.0
        return self.findings

    def finite(self) -> None:
        from . import factorization, kl_conversion, posterior_lipschitz, regularity, weak_revealing
        from .exact.tables import Tables
        from .play import Walk

        game, options, reveal = self.game, self.options, self.options["weak_revealing"]
        t = Tables(game, options["space"])
        size = len(game.B)
        mu = [Fraction(1, size)] * size if options["reference"] == "uniform" else list(map(Fraction, options["reference"]))
        self.timed(["oom-identity"], lambda: [factorization.oom_identity(t)])
        self.timed(["nonexpansive"], lambda: [factorization.nonexpansive(t)])
        self.timed(["posterior-lipschitz"],
                   lambda: [posterior_lipschitz.posterior_lipschitz(t, options["lipschitz_form"], mu)])  # fmt: skip
        self.timed(["weak-revealing"], lambda: [weak_revealing.weak_revealing(
            t, options["kappa"], reveal["form"], reveal["scope"], Fraction(reveal["tol"]), self.count("weak-revealing"))])  # fmt: skip
        self.timed(["well-specified"], lambda: [regularity.well_specified(game)])
        self.timed(["covering"], lambda: [regularity.covering(game)])
        walks: list[Walk] = []
        self.timed(["bounded-increments", "predictive-states"], lambda: (
            walks.extend(Walk(t, p) for p in range(t.P)), list(regularity.increments(t, walks)))[1])  # fmt: skip
        self.timed(["kl-joint"], lambda: [kl_conversion.kl_conversion(t, walks, False)])
        self.timed(["kl-world"], lambda: [kl_conversion.kl_conversion(t, walks, True)])

    def count(self, claim: str) -> Callable[[int, int], None] | None:
        progress = self.progress
        return None if progress is None else lambda done, total: progress(claim, done, total)

    def timed(self, claims: list[str], search: Callable[[], list[Finding]]) -> None:
        if self.progress:
            self.progress(claims[0], 0, 0)
        start = time.perf_counter()
        found = search()
        seconds = time.perf_counter() - start
        for claim, finding in zip(claims, found, strict=True):
            self.findings[claim] = finding, seconds / len(claims)


def assemble(model: ModelClass, game: Game, options: dict[str, Any], findings: dict[str, tuple[Finding, float]]) -> dict[str, Any]:
    """The certificate document with its digests and summary."""
    claims = [claim_entry(claim.id, claim.paper, game, options, *findings[claim.id]) for claim in CLAIMS]
    document = {
        "format": check.FORMAT, "model": model.document, "model_sha256": model.sha256, "options": options,
        "claims": claims, "summary": check.summary_of(claims),
    }  # fmt: skip
    return document | {"sha256": check.content_digest(document)}


def claim_entry(claim: str, paper: str, game: Game, options: dict[str, Any], finding: Finding, seconds: float) -> dict[str, Any]:
    search = {"seconds": f"{seconds:.3f}", "method": finding.method, "solvers": finding.solvers} | finding.notes
    return {
        "id": claim, "paper": paper, "verdict": finding.verdict, "statement": statement(claim, game, options),
        "values": finding.values, "evidence": finding.evidence, "witness": finding.witness, "search": search,
    }  # fmt: skip
