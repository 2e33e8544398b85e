"""The patrol of the gallery with both unknowns anywhere on the intervals that its values span.

All that holds on the grid holds here, with constants that enclose the grid's, but one clause of 3.1(e).  An attack
raises the chance of an alarm by 1/4 whatever the state and the guard's action, so under a policy that deters v y of the
attacks all that shows is x - v y/4.  J depends on that alone, and `kl-joint` holds; W is a function of x, and
`kl-world` fails on every such line.  The grid has no two points on one.
"""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery import patrol

SUMMARY = "the patrol with both unknowns on intervals, of which play under a policy shows only one combination"
FAILS = "kl-world"
ALSO = ()
TEACHES = (
    "A claim proved of a grid may fail between its points: there lie worlds and responses that offset each other, "
    "whose play under a policy is one and whose world channels differ."
)


# Knobs: as in patrol.


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = patrol.document()
    for side in ("worlds", "responses"):
        parameters = document[side]["parameters"]
        document[side]["parameters"] = {
            x: {"interval": [axis["values"][0], axis["values"][-1]]} for x, axis in parameters.items()
        }
    text = "An attack raises the chance of an alarm by 1/4 in every state: under a policy that deters v y of the "
    return document | {"name": "patrol-interval", "description": text + "attacks, x - v y/4 is all that shows."}
