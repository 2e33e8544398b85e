"""Puts Assumption 3.1(c) in words."""

from __future__ import annotations

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.reporting.blocks import Block
from pomgcheck.reporting.claims import trajectories
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.evaluation import Stage
from pomgcheck.reporting.numbers import fraction, log_decimal
from pomgcheck.reporting.spans import Inline, joined, say
from pomgcheck.reporting.words import model, play, policy


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Assumption 3.1(c) was shown and where B_0 is attained."""
    bound = claim.values.written["B0_upper"]["log_of"]
    below_one = fraction(log_decimal(fraction(bound), "up")) <= 1
    downstream = say("$B_0$ is below 1, and the theorem takes 1 in its place.") if below_one else ()
    listed = () if claim.proof.endings is not None else say("Every trajectory of every model and policy is listed.")
    return joined(listed, attained(cert, claim), downstream)


def attained(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return where the largest likelihood ratio is attained."""
    place = claim.proof.at
    return say(
        "{ratio} is that of {x} over {y} under {pi} on {t}.",
        ratio="A ratio near the largest" if claim.proof.endings is not None else "The largest ratio",
        x=model(place.xi),
        y=model(place.xi_prime),
        pi=policy(place.pi),
        t=play(place.trajectory),
    )


def worked(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return the extremal trajectory, observation by observation under both models."""
    place = claim.proof.at
    stage = Stage(cert, [place.xi, place.xi_prime], place.pi)
    return [trajectories.stepwise(stage, place.trajectory, (place.xi, place.xi_prime))] if stage.small else []


TOLD = Told(
    title="Bounded log-likelihood increments",
    gist="No trajectory favours one model over another by more than a factor $exp(B_0)$.",
    how=how,
    on_boxes="The probability of every trajectory has a bound below and above on the whole class.",
    attained=attained,
    worked=worked,
    walk=trajectories.trajectory("their log-likelihood ratio is unbounded"),
    causes=trajectories.causes,
    tree=trajectories.drawn,
)
