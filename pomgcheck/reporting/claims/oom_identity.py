"""Puts Theorem 2.5 in words: the observable-operator identity."""

from __future__ import annotations

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Paragraph
from pomgcheck.reporting.claims import given_operators
from pomgcheck.reporting.claims.told import Cause, Told
from pomgcheck.reporting.spans import Inline, Label, joined, say
from pomgcheck.reporting.words import model, play, policy, short


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how the OOM identity of Theorem 2.5 was shown."""
    if cert.outline.by_operators:
        return say(
            "The mass of $q_0$ is 1, and after every learner sequence the masses of the next observation are computed and added up, {everywhere}.",
            everywhere=given_operators.everywhere(cert),
        )
    return say(
        "From every latent state and every memory of the adversary, in every world and against every response, one step "
        "of $G W$ is one step of the game, and its mass is the chance of the observation; the law of whole sequences "
        "follows by induction over the steps."
    )


def walk(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return mass that is lost, gained or negative."""
    after = say("after {t}", t=play(w.trajectory)) if w.trajectory else say("before play")
    where = say("Under {pi} at {xi},", pi=policy(w.pi), xi=model(w.xi))
    if w.mass:
        needed = "and no mass may be negative" if w.trajectory else "and it must be 1"
        said = say("{after} the mass is {m}, {needed}.", after=after, m=short(w.mass), needed=needed)
    else:
        said = say(
            "{after} the mass is {m}. If the learner then plays {a} at step {h}, the masses of what it may see sum to {n}, so "
            "the operators give no law of observations.",
            after=after,
            m=short(w.before),
            a=Label(w.a),
            h=str(w.h),
            n=short(w.after),
        )
    return [Paragraph(joined(where, said))]


def causes(cert: Certificate, w: ClaimPlace) -> list[Cause]:
    """Return what the failure costs, and what would repair it."""
    if w.mass:
        why = "The probability of what was seen, given what was played, begins at 1 and is never negative."
        repair = "Correct $q_0$ or the operators of the steps played."
    else:
        why = "Whatever is played, something is seen next, so the probabilities of that add up to the mass before."
        repair = "List every observation, and make the columns of the sum of $J$ over observations add up to 1."
    return [Cause(say(why), say(repair))]


TOLD = Told(
    title="Observable-operator identity",
    gist="The operators reproduce the probability of every observation sequence.",
    how=how,
    left_open=given_operators.left_open,
    walk=walk,
    causes=causes,
)
