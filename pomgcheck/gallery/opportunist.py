"""The watch of the gallery against an intruder who is bolder after a change of policy, by an unknown amount."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

from pomgcheck.gallery import watch

SUMMARY = "a guard against an intruder who answers the last two policies: bolder after a change, by w on an interval"

VIGILANCE = {"idle": Fraction(0), "on-alarm": Fraction(1, 2), "patrol": Fraction(1)}  # of the policies kept

# Knobs: as in patrol.


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = watch.document()
    responses, policies = document["responses"], document["policies"]
    for tables in (policies["list"], responses["table"]):
        del tables["on-calm"]
    responses["parameters"] |= {"w": {"interval": ["1/20", "1/10"]}}
    document["game"]["horizon"] = 2
    blocks = {f"{old} {new}": _bolder(responses["table"][new], old, new) for old, new in permutations(VIGILANCE, 2)}
    responses |= {"memory": 2, "block_rule": "table", "blocks": blocks}
    truth = {"worlds": {"x": "1/10"}, "responses": {"w": "1/10", "y": "1/5"}}
    return document | {"name": "opportunist", "truth": truth}


def _bolder(table: Any, old: str, new: str) -> Any:
    """The answer to the new policy with more attacks, the more so the further the guard's vigilance has moved."""
    moved = abs(VIGILANCE[new] - VIGILANCE[old])
    return [[f"{wait}-w*{moved}", f"{attack}+w*{moved}"] for wait, attack in table]
