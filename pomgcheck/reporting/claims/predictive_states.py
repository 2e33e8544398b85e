"""Puts Assumption 3.1(d) in words."""

from __future__ import annotations

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.reporting.claims import trajectories
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.spans import Inline, say


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Assumption 3.1(d) was shown."""
    return say("Every learner prefix is listed: each is possible under all models or under none.")


TOLD = Told(
    title="Predictive states defined",
    gist="What one model allows the learner to see, every model allows.",
    how=how,
    on_boxes="The probability of every trajectory is positive on the whole class.",
    walk=trajectories.trajectory("its predictive state is then undefined"),
    causes=trajectories.causes,
    tree=trajectories.drawn,
)
