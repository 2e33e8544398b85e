"""From findings to a certificate with its digests (certificates/FORMAT.md): the kernel checks claim by claim, so that
each has its seconds and its time limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.kernel import check
from pomgcheck.kernel.budget import OverBudget, given_back, limited
from pomgcheck.kernel.case import Claim, Rejected
from pomgcheck.kernel.claims import CLAIMS, by_boxes
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.given_operators import GivenFacts
from pomgcheck.kernel.limits import bound_trajectories
from pomgcheck.kernel.reading import Malformed, canonical_bytes, long_integers, read_json
from pomgcheck.search.clock import STOPPED, Clock, OutOfTime
from pomgcheck.search.finding import Finding
from pomgcheck.version import __version__

if TYPE_CHECKING:
    from pomgcheck.modelclass.document import ModelClass

Progress = Callable[[str, int, int], None]
Timed = dict[str, tuple[Finding, float]]  # claim -> what was found, seconds
RESTING = "nonexpansive"  # what is proved on interval axes rests on it


class Quest(NamedTuple):
    """This is what is asked of a search: the certificate's options, the claims, who is told how far it is, and its
    clock."""

    options: dict[str, Any]
    wanted: set[str]
    progress: Progress | None
    clock: Clock
    resumed: frozenset[str] = frozenset()  # claims that an earlier certificate settled
    carried: frozenset[str] = frozenset()  # claims that the kernel accepted of a class equal in all that they read

    def tell(self, what: str, done: int = 0, total: int = 0) -> None:
        """Tell whoever listens how far the search is."""
        if self.progress:
            self.progress(what, done, total)


def checked(model: ModelClass, game: Game, quest: Quest, found: Timed) -> Certificate:
    """Return the certificate of what the kernel accepts in time; a claim that it does not come to is unknown.

    Trees over pairs of models are grown in floats. Where the kernel's exact enclosures say less, one percent less is
    stated, and where that is not enough the claim is unknown; any other refusal is an error of the search.
    """
    with limited(), long_integers():
        found = _checked(game, quest, found)
        certificate = Certificate(assemble(model, game, quest.options, found))
        check.read_certificate(read_json(canonical_bytes(certificate.document)))
    return certificate


def assemble(model: ModelClass, game: Game, options: dict[str, Any], found: Timed) -> dict[str, Any]:
    """Return the certificate document with its digests and summary."""
    claims = [claim_entry(claim, *found[claim.id]) for claim in CLAIMS]
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


def claim_entry(claim: Claim, finding: Finding, seconds: float = 0.0) -> dict[str, Any]:
    """Return the entry of a claim in a certificate, from its finding."""
    search = {"seconds": f"{seconds:.3f}", "method": finding.method, "solvers": finding.solvers} | finding.notes
    return {
        "id": claim.id,
        "paper": claim.paper,
        "verdict": finding.verdict,
        "values": finding.values,
        "evidence": finding.evidence,
        "witness": finding.witness,
        "search": search,
    }


def _checked(game: Game, quest: Quest, found: Timed) -> Timed:
    facts = made(game, quest.options)
    settled: dict[str, Mapping[str, Any]] = {}
    open_now = unplayable(facts, found)
    for number, claim in enumerate(CLAIMS):
        finding, seconds = found[claim.id]
        start = time.perf_counter()
        if finding.verdict != "unknown" and claim.id not in quest.carried:
            quest.tell("kernel", number, len(CLAIMS))
            why = open_now.get(claim.id) or resting(claim, game, found, bool(open_now))
            try:
                with quest.clock.running(), given_back():
                    finding = Finding("unknown", why) if why else accepted(facts, finding, claim, settled, quest)
            except (OutOfTime, OverBudget) as stop:
                if isinstance(stop, OverBudget) and facts.game.finite and claim.id in check.PLAYED and not facts.played:
                    open_now |= dict.fromkeys(check.PLAYED, f"more than the kernel plays, {stop.found}")
                why = STOPPED if isinstance(stop, OutOfTime) else f"over its budget, {stop}"
                finding = Finding("unknown", f"{finding.verdict} by the search; the kernel's check was {why}")
                facts = made(game, quest.options)  # those that were being computed are dropped
            if finding.verdict == "unknown":
                open_now[claim.id] = finding.method
        found = found | {claim.id: (finding, seconds + time.perf_counter() - start)}
        settled[claim.id] = entry_of(claim, finding)
    return found


def unplayable(facts: Facts, found: Timed) -> dict[str, str]:
    """Return why claims on interval axes that are decided by playing every trajectory stay open, where those are more
    than the kernel plays."""
    reveal, limits = facts.options["weak_revealing"], facts.options["limits"]
    played = {*check.PLAYED, *(["weak-revealing"] if reveal["scope"] == "reachable" else [])}
    decided = [claim for claim in played if found[claim][0].verdict != "unknown"]
    if decided and not facts.game.finite and not facts.game.own:
        try:
            bound_trajectories(facts.game, facts.tables, len(facts.continuum.phis), limits["trajectories"])
        except (OverBudget, Malformed) as stop:
            return dict.fromkeys(decided, f"more than the kernel plays, {stop.found}")
    return {}


def resting(claim: Claim, game: Game, found: Timed, late: bool) -> str:
    """Return why a claim stays open with others that the kernel left open, or "" where it does not rest on them."""
    boxed = not game.finite and by_boxes(claim.id, game) and claim.id != RESTING
    if late and (claim.id == "constants" or boxed and found[RESTING][0].verdict != "proved"):
        return "rests on claims that the kernel left open"
    return ""


def made(game: Game, options: Mapping[str, Any]) -> Facts:
    """Return the kernel's facts of a class, none computed yet."""
    return GivenFacts(game, options) if game.own else Facts(game, options)


def accepted(facts: Facts, finding: Finding, claim: Claim, settled: Mapping[str, Any], quest: Quest) -> Finding:
    """Return the finding as the kernel accepts it: as it is, a little weaker, or undecided."""
    weakened = False
    while True:
        try:
            check.check_claim(facts, claim, entry_of(claim, finding), settled)
        except OverBudget:
            raise
        except Exception as refusal:  # whatever goes wrong, nothing was shown
            if claim.id in quest.resumed:
                raise InputError(
                    "resume", f"{claim.id}: {refusal}", "a certificate whose claims hold", "certify without it"
                ) from None
            if not isinstance(refusal, Rejected) or refusal.rule not in ("pairs", "tests"):
                said = f"the kernel refused the search's own certificate: REJECTED {refusal}"
                raise AssertionError(said) from refusal
            finding = undecided(finding, refusal.found) if weakened else weaker(finding)
            weakened = True
        else:
            return finding


def entry_of(claim: Claim, finding: Finding) -> Any:
    """Return one claim as a certificate has it, read back from its bytes."""
    return read_json(canonical_bytes(claim_entry(claim, finding)))


def weaker(finding: Finding) -> Finding:
    """Return the same proof of a value that is a hundredth lower."""
    values = {x: str(Fraction(v) * 99 / 100) if x.endswith("_lower") else v for x, v in finding.values.items()}
    return replace(finding, values=values)


def undecided(finding: Finding, found: str) -> Finding:
    """Return the bracket that is left, and the box on which the kernel shows nothing."""
    notes = {name: str(value) for name, value in finding.values.items() if name.endswith("_upper")}
    most = ", ".join(f"{name} = {value}" for name, value in notes.items())
    return Finding("unknown", f"between 0 and {most}; what floats foresaw is not exact: {found}", notes=notes)
