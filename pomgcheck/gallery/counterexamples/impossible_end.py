"""A bridge whose chance of breaking lies in an interval that ends at zero."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery.counterexamples import impossible_trajectory

SUMMARY = "an interval that ends where a trajectory becomes impossible"
FAILS = "bounded-increments"
ALSO = ("predictive-states",)
TEACHES = (
    "One end of an interval is enough: log-likelihood ratios grow without bound towards it. The Kullback-Leibler "
    "condition holds all the same, since divergences grow as well."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = impossible_trajectory.document()
    document["worlds"]["parameters"] = {"x": {"interval": ["0", "1/4"]}}
    text = "A bridge in plain sight breaks with unknown probability x on each crossing, x anywhere from 0 to 1/4."
    return document | {"name": "impossible-end", "description": text}
