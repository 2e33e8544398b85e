"""Says why a claim was left open, where its search ended, and what to change."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.reporting.spans import Code, Inline, Label, Math, joined, listed, say

GOAL = 90  # characters of a goal that are shown


def left_open(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return why neither a proof nor a counterexample was found, and what to change."""
    search = claim.search
    method = search.get("method", "")
    if method == "not searched":
        return say("The claim was left out of the search: certify without `--only`, or name this claim too.")
    if method.startswith("interrupted"):
        go_on = Code("pomgcheck certify … --resume CERT")
        return say("The search was interrupted before this claim was settled. To go on: {c}.", c=go_on)
    tries = say("To see what decides it: {c}.", c=Code("pomgcheck explain CERT CLAIM"))
    if "units of work" in method:
        return joined(
            say("Checking it takes more than one certificate is given: {m}.", m=method.replace(";", ",")), tries
        )
    if method.startswith("stopped at the time limit"):
        return joined(
            say(
                "A time limit ended the search after {s} s, before a proof or a counterexample. To go on: {c}.",
                s=search.get("seconds", "some"),
                c=Code("pomgcheck certify … --resume CERT"),
            ),
            tries,
        )
    if cert.outline.on_intervals:
        return joined(
            say(
                "An axis of the class is an interval, and the search found neither a proof for the whole of it nor "
                "a point where the claim fails: narrow it, or list the axis's values instead."
            ),
            ended(json.loads(search["stopped"])) if "stopped" in search else (),
            tries,
        )
    return joined(
        say(
            "The search gave up before a proof or a counterexample: that is neither a pass nor a refutation. Raise "
            "`--limits`, or loosen `--tol`."
        ),
        tries,
    )


def ended(stopped: Mapping[str, Any]) -> Inline:
    """Return the box on which a search's budget ended, in the class's own words."""
    box = listed(
        say("{axis} from {low} to {high}", axis=axis_words(axis), low=Label(low), high=Label(high))
        for axis, (low, high) in sorted(stopped["box"].items())
    )
    policy = say(" under policy {p}", p=Label(stopped["policy"])) if "policy" in stopped else ()
    goal = stopped.get("goal", "")
    asked = say(" {g}", g=Code(goal if len(goal) <= GOAL else goal[: GOAL - 1] + "…")) if goal else ()
    slopes = any("/" in axis for axis in stopped["box"])
    return joined(
        say("The budget ended with{goal} undecided{policy} on {box}.", goal=asked, policy=policy, box=box),
        say(
            "The claim compares two models; a slope says how far one axis moves between them where another moves by one."
        )
        if slopes
        else (),
    )


def axis_words(name: str) -> Inline:
    """Return an axis in words: ``x`` for ``theta.x``, ``x of the second model`` for ``theta.x'``, a slope for
    ``theta.y/theta.x``."""
    if slope := re.fullmatch(r"(?:theta|Phi)\.(\w+)/(?:theta|Phi)\.(\w+)", name):
        return say("the slope of {y} in {x}", y=Math(slope[1]), x=Math(slope[2]))
    plain = name.partition(".")[2] or name
    if plain.endswith("'"):
        return say("{x} of the second model", x=Math(plain[:-1]))
    return say("{x}", x=Math(plain))
