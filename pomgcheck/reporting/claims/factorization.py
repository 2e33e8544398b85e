"""Puts Theorem 2.5 in words: J = G W."""

from __future__ import annotations

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Paragraph
from pomgcheck.reporting.claims import given_operators
from pomgcheck.reporting.claims.told import Cause, Told
from pomgcheck.reporting.spans import Inline, say
from pomgcheck.reporting.words import model, short


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how J = G W of Theorem 2.5 was shown."""
    if cert.outline.by_operators:
        return say(
            "The matrices given are multiplied out and compared entry by entry {everywhere}, $G$ between worlds and $W$ between responses too.",
            everywhere=given_operators.everywhere(cert),
        )
    return say(
        "Both sides are expanded as polynomials in free kernel and response entries and agree entry by entry at "
        "every step, observation and action, so the identity holds whatever the parameters."
    )


def walk(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return two entries that should be one: of J and G W, or of one channel at two points it should not tell apart."""
    if not w.operator:
        entry, x, y = given_operators.entry(w, "J"), short(w.J), short(w.GW)
        return [Paragraph.of("{entry} is {x} at {xi}; that of $G W$ is {y}.", entry=entry, x=x, xi=model(w.xi), y=y)]
    what, free = ("world", "adversary's") if w.operator == "G" else ("response", "world's")
    return [
        Paragraph.of(
            "{entry} is {x} at {xi} and {y} at {other}: it changes with the {what}, which the {free} factor must not.",
            entry=given_operators.entry(w, w.operator),
            x=short(w.entry),
            xi=model(w.xi),
            y=short(w.entry_prime),
            other=model(w.xi_prime),
            what=what,
            free=free,
        )
    ]


def causes(cert: Certificate, w: ClaimPlace) -> list[Cause]:
    """Return what the failure costs, and what would repair it."""
    if w.GW:
        why = "Without $J = G W$ a difference of two models does not split into a world's and an adversary's part."
        repair = "Give $J$ as the product $G W$, or correct the entry of the channels."
    elif w.operator == "G":
        why = "What is learned of the adversary then changes with the world, and the two cannot be bounded apart."
        repair = "Move what depends on the world into $W$: $V$ may have as many coordinates as that takes."
    else:
        why = "What is learned of the world then changes with the adversary, and the two cannot be bounded apart."
        repair = "Move what depends on the response into $G$: let $V$ keep what the adversary's answer reads."
    return [Cause(say(why), say(repair))]


TOLD = Told(
    title="Causal factorization",
    gist="World and adversary enter the learner's operators as two separate factors, $J = G W$.",
    how=how,
    left_open=given_operators.left_open,
    walk=walk,
    causes=causes,
)
