"""Puts Assumption 3.1(b) in words."""

from __future__ import annotations

from math import prod

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.kernel.parameters import parameter_points
from pomgcheck.reporting.blocks import Block, Inline, Paragraph, say
from pomgcheck.reporting.claims import given_operators
from pomgcheck.reporting.claims.told import Told


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
    return [
        Paragraph(
            say(
                "They are {a} × {b} = {n}: {worlds} and {answers}{merged}.",
                a=str(sizes[0]),
                b=str(sizes[1]),
                n=str(prod(sizes)),
                worlds=counted(sizes[0], "world"),
                answers=counted(sizes[1], "response"),
                merged=merged,
            )
        )
    ]


TOLD = Told(
    title="Finite covering",
    gist="The class has a finite covering number at every scale.",
    how=how,
    on_boxes="The derivatives of the columns of $J$ are bounded on the class, and a grid in the parameters is fine enough for the scale.",
    left_open=given_operators.left_open,
    worked=worked,
)
