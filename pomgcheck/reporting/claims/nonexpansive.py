"""Puts Theorem 2.5 in words: signs and column sums."""

from __future__ import annotations

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Paragraph
from pomgcheck.reporting.claims import given_operators
from pomgcheck.reporting.claims.told import Cause, Told
from pomgcheck.reporting.spans import Inline, Label, say
from pomgcheck.reporting.words import model, short


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how the signs and column sums of Theorem 2.5 were shown."""
    if cert.outline.by_operators:
        return say(
            "Every entry of $W$ and $G$ is looked at, and every column of $G$ added up, {everywhere}.",
            everywhere=given_operators.everywhere(cert),
        )
    return say("Every entry of $W$ and $G$ is computed, and every column of $G$ added up.")


def walk(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return a negative entry, or a column of G whose absolute values sum to more than 1."""
    if w.sum:
        return [
            Paragraph.of(
                "{setting} the entries of $G$ in the column {v} have absolute values of sum {x} at {xi}: a difference of 1 "
                "there becomes one of {x}.",
                setting=given_operators.setting(w),
                v=Label(w.column),
                x=short(w.sum),
                xi=model(w.xi),
            )
        ]
    entry = given_operators.entry(w, w.operator)
    return [Paragraph.of("{entry} is {x} at {xi}, below 0.", entry=entry, x=short(w.entry), xi=model(w.xi))]


def causes(cert: Certificate, w: ClaimPlace) -> list[Cause]:
    """Return what the failure costs, and what would repair it."""
    if w.sum:
        why = "A difference of two world channels may then be worth more in play than its norm in $V$."
        repair = "Measure $V$ in a larger unit: divide the column of $G$, and multiply the row of $W$."
    else:
        why = "The norms of the theorem add up masses, and masses of both signs cancel."
        repair = "Choose coordinates in which both channels are nonnegative, such as states and histories."
    return [Cause(say(why), say(repair))]


TOLD = Told(
    title="Nonexpansive channels",
    gist="The adversary's factor never enlarges a difference of predictive states.",
    how=how,
    on_boxes="Every entry is a polynomial or a quotient in the parameters; rows sum to one identically, and no entry is negative anywhere on the class.",
    left_open=given_operators.left_open,
    walk=walk,
    causes=causes,
)
