"""Has what a report says about each claim, one file per claim, and puts the parts together."""

from __future__ import annotations

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Items, Paragraph, Tree
from pomgcheck.reporting.claims import (
    bounded_increments,
    constants,
    covering,
    eluder,
    factorization,
    game_tree,
    given_operators,
    kl,
    nonexpansive,
    oom_identity,
    posterior_lipschitz,
    predictive_states,
    regret,
    warmup_stationary,
    weak_revealing,
    well_specified,
)
from pomgcheck.reporting.claims.left_open import left_open
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.rules import box, pairs
from pomgcheck.reporting.spans import Inline, Strong, joined, say

CLAIMS: dict[str, Told] = {
    "factorization": factorization.TOLD,
    "oom-identity": oom_identity.TOLD,
    "nonexpansive": nonexpansive.TOLD,
    "posterior-lipschitz": posterior_lipschitz.TOLD,
    "weak-revealing": weak_revealing.TOLD,
    "well-specified": well_specified.TOLD,
    "covering": covering.TOLD,
    "bounded-increments": bounded_increments.TOLD,
    "predictive-states": predictive_states.TOLD,
    "kl-joint": kl.JOINT,
    "kl-world": kl.WORLD,
    "warmup-stationary": warmup_stationary.TOLD,
    "eluder-world": eluder.WORLD,
    "eluder-adversary": eluder.ADVERSARY,
    "regret": regret.TOLD,
    "constants": constants.TOLD,
}


UNPROVED = {
    "refuted": "counterexample",
    "vacuous": "nothing to ask",
    "declared": "taken on trust",
    "unknown": "left open",
}
BY_RULE = {"list": "a list of the models", "log": "enclosed logarithms", "bound": "rational intervals"}


def title(claim: str) -> str:
    """Return a claim's name for a heading."""
    return CLAIMS[claim].title


def gist(claim: str) -> Inline:
    """Return what a claim says in one plain sentence."""
    return say(CLAIMS[claim].gist)


def in_brief(cert: Certificate, claim: RecordedClaim) -> str:
    """Return how a claim was settled, for a cell of a table."""
    if claim.verdict != "proved":
        return UNPROVED[claim.verdict]
    evidence = claim.proof
    if pairs.boxed(claim):
        return "boxes of pairs"
    if evidence.endings is not None:
        return f"by endings of {counted(evidence.endings, 'pair')}"
    if evidence.rule == "tests":
        return counted(len(evidence.tests), "test function") + (
            f", {counted(len(evidence.factors), 'factor')}" if evidence.factors else ""
        )
    if evidence.rule == "box" and cert.outline.on_intervals:
        return "signs on boxes"
    if evidence.rule == "sequence":
        return counted(len(evidence.sequence), "independent policy", "independent policies")
    if evidence.rule in BY_RULE:
        return BY_RULE[evidence.rule]
    if claim.id != "factorization":
        return "exact enumeration"
    return "entry by entry" if cert.outline.by_operators else "polynomial identity"


def in_words(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how a claim that is not refuted was settled, in a few sentences."""
    told = CLAIMS[claim.id]
    if claim.verdict == "proved" and claim.proof.rule == "box" and cert.outline.on_intervals:
        return on_boxes(cert, claim)
    if claim.verdict == "proved":
        return joined(told.how(cert, claim), by_endings(claim))
    if claim.verdict == "declared":
        return say("No model document can show this: it is taken on trust, and the verdict says so.")
    if claim.verdict == "vacuous":
        return told.vacuous(cert)
    if cert.outline.by_operators and (why := given_operators.left_open(cert, claim)):
        return why
    return told.left_open(cert, claim) or left_open(cert, claim)


def by_endings(claim: RecordedClaim) -> Inline:
    """Return what it means that a proof names endings, nothing where it does not."""
    if claim.proof.endings is None:
        return ()
    return say(
        "Prefixes of play with the same last {pairs} of observation and action are one class, and numbers are bounded "
        "within each.",
        pairs=counted(claim.proof.endings, "pair"),
    )


def on_boxes(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how a claim was proved for a class with interval axes: what is asked, and how many goals needed their box
    cut."""
    told, trees = CLAIMS[claim.id], claim.proof.trees
    cut = (
        say(
            "The signs are read off Bernstein coefficients, {n} after cutting the box of parameters or using a "
            "constraint.",
            n=counted(len(trees), "of them", "of them"),
        )
        if trees
        else (say("The signs are read off Bernstein coefficients on the whole box of parameters."))
    )
    return joined(say(told.on_boxes) if told.on_boxes else (), cut, told.attained(cert, claim))


def worked_out(cert: Certificate, claim: RecordedClaim, episodes: int | None = None) -> list[Block]:
    """Return the calculation of a proved claim, where the class is small enough for one; an explicit bound line by
    line, at ``episodes`` instead of the certificate's T if that is given."""
    if cert.outline.by_operators:
        return []
    rule = claim.proof.rule
    covered = box.summary(cert, claim) if rule == "box" else pairs.summary(cert, claim) if pairs.boxed(claim) else []
    return [*covered, *CLAIMS[claim.id].worked(cert, claim, episodes)]


def counterexample(cert: Certificate, claim: RecordedClaim) -> list[Block]:
    """Return the counterexample of a refuted claim, why it is one, and what would repair it."""
    told, witness = CLAIMS[claim.id], claim.place or ClaimPlace()
    blocks = [*told.walk(cert, witness), *drawn(cert, claim)]
    causes = told.causes(cert, witness)
    reasons = [cause.why for cause in causes if cause.why]
    repairs = [cause.repair for cause in causes if cause.repair]
    if claim.id != "well-specified" and not cert.outline.by_operators:
        what = "largest box around the truth" if cert.outline.on_intervals else "smallest repair"
        repairs.append(say("To compute the {what}: `pomgcheck repair CERT`.", what=what))
    if reasons:
        blocks.append(Paragraph(joined((Strong("Why."),), *reasons)))
    if repairs:
        blocks += [Paragraph((Strong("What would repair it."),)), Items(tuple(repairs))]
    return blocks


def drawn(cert: Certificate, claim: RecordedClaim) -> list[Tree]:
    """Return the tree of a refuted claim's witness, where it has one that can be taken in at a glance."""
    if cert.outline.by_operators:
        return []
    found = CLAIMS[claim.id].tree(cert, claim.place or ClaimPlace())
    return [found] if found is not None and len(found.lines) <= 2 * game_tree.MOST_LINES else []
