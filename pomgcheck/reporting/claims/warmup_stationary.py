"""Puts Assumption 3.1(f) in words."""

from __future__ import annotations

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.reporting.claims import given_operators
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.spans import Inline, Label, say


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Assumption 3.1(f) was shown, or Theorem 5.2's form of it."""
    outline = cert.outline
    if outline.block_rule == "fading":
        return say(
            "The rule forgets geometrically by its form, and $L_g$ is half the largest $ℓ_1$ distance of two responses."
        )
    return say(
        "By its form the rule {rule} reads no more than the last {m}, and equal ones give the table's response.",
        rule=Label(outline.block_rule),
        m="policy" if outline.memory == 1 else f"{outline.memory} policies",
    )


TOLD = Told(
    title="Stationary after warm-up",
    gist="Once one policy has filled the adversary's memory, its response has settled.",
    how=how,
    on_boxes="The rule forgets geometrically by its form, and $L_g$ is half a bound of the $ℓ_1$ distance of two responses on the whole class.",
    left_open=given_operators.left_open,
)
