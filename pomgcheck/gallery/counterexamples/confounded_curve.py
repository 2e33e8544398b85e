"""`patrol-interval` with two of its policies: what shows under a policy is one combination of the unknowns."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery import patrol_interval

SUMMARY = "two unknowns on intervals, of which play under a policy shows only one combination"
FAILS = "kl-world"
ALSO = ()
TEACHES = (
    "A finite grid can miss the curve on which two parameters confound; on intervals the curve is met, in an exact "
    "rational point."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = patrol_interval.document()
    for part, key in (("policies", "list"), ("responses", "table")):
        document[part][key] = {policy: document[part][key][policy] for policy in ("idle", "on-alarm")}
    return document | {"name": "confounded-curve"}
