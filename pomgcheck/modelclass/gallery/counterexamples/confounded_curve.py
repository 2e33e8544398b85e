"""The patrol of the gallery with both unknowns on intervals: what shows under a policy is one combination of them."""

from __future__ import annotations

from typing import Any

from pomgcheck.modelclass.gallery import patrol

SUMMARY = "two unknowns on intervals, of which play under a policy shows only one combination"
FAILS = "kl-world"
ALSO = ()
TEACHES = (
    "A finite grid can miss the curve on which two parameters confound; on intervals the curve is met, in an exact "
    "rational point."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = patrol.document()
    document["worlds"]["parameters"] = {"x": {"interval": ["1/20", "3/20"]}}
    document["responses"]["parameters"] = {"y": {"interval": ["1/10", "1/5"]}}
    for part, key in (("policies", "list"), ("responses", "table")):
        document[part][key] = {policy: document[part][key][policy] for policy in ("idle", "on-alarm")}
    text = "An attack raises the chance of an alarm by 1/4 in every state: under a policy that deters v y of "
    return document | {"name": "confounded-curve", "description": text + "the attacks, x - v y/4 is all that shows."}
