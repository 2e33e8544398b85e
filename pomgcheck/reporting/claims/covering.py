"""Puts Assumption 3.1(b) in words."""

from __future__ import annotations

from math import prod

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.kernel.parameters import parameter_points
from pomgcheck.reporting.blocks import Block, Paragraph
from pomgcheck.reporting.claims import given_operators
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.spans import Inline, say


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Assumption 3.1(b) was shown."""
    bound = claim.values.written["log_covering_upper"]
    if isinstance(bound, str):
        return ()
    return say("The class is its own net at every scale: it holds {n} distinct models.", n=bound["log_of"])


def worked(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return the count of the class's models."""
    bound, sides = claim.values.written["log_covering_upper"], ("worlds", "responses")
    points = [parameter_points(cert.model[side], side) for side in sides]
    if isinstance(bound, str) or None in points:
        return []
    sizes = [len(part or ()) for part in points]
    left = prod(sizes) - int(bound["log_of"])
    merged = say(", of which {n} are others again", n=str(left)) if left else ""
    product = f"{sizes[0]} × {sizes[1]} = {prod(sizes)}"
    both = f"{counted(sizes[0], 'world')} and {counted(sizes[1], 'response')}"
    return [Paragraph.of("They are {product}: {both}{merged}.", product=product, both=both, merged=merged)]


TOLD = Told(
    title="Finite covering",
    gist="The class has a finite covering number at every scale.",
    how=how,
    on_boxes="The derivatives of the columns of $J$ are bounded on the class, and a grid in the parameters is fine enough for the scale.",
    left_open=given_operators.left_open,
    worked=worked,
)
