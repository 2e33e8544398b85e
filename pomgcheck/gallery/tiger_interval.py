"""The tiger of the gallery with both unknowns anywhere between the least and the greatest of its values.

Unlike in the other classes with intervals, no policy is best in all models, and a net of models is what ``nested`` walks
down (docs/bound.md, "On a net").
"""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery import tiger

# Knobs: as in tiger.


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    document = tiger.document()
    for side in ("worlds", "responses"):
        parameters = document[side]["parameters"]
        document[side]["parameters"] = {
            x: {"interval": [axis["values"][0], axis["values"][-1]]} for x, axis in parameters.items()
        }
    text = "The tiger, with the pull x to the right and the sensitivity y anywhere between two numbers: which door is "
    return document | {"name": "tiger-interval", "description": text + "worth opening depends on both."}
