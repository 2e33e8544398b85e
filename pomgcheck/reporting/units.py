"""Finds the unit of a class's own rewards, where its source says how they follow from ours: chips, or the file's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pomgcheck.learner.record import OverSeeds

SCALE = re.compile(
    r"the (file|game)'s (?:reward|payoff)(?: in (\w+))? is (?:[-+./\de]+\+)?(?:([./\de-]+)\*)?r for a reward r here"
)


class Unit(NamedTuple):
    """This is a unit in which a regret can be told: it has its name, and how many of it a reward of 1 is."""

    name: str
    factor: Fraction

    def of(self, value: OverSeeds) -> OverSeeds:
        """Return a mean and its spread, scaled; regrets are differences of sums of rewards, so only the factor
        matters."""
        mean, two_se = value
        scaled = None if two_se is None else str(Fraction(two_se) * self.factor)
        return OverSeeds(str(Fraction(mean) * self.factor), scaled)


def unit(model: Mapping[str, Any]) -> Unit | None:
    """Return the unit that a model document's ``source`` records, or ``None`` where rewards are the model's own."""
    found = SCALE.search(str(model.get("source", "")))
    if found is None:
        return None
    owner, name, factor = found.groups()
    return Unit(name or f"the {owner}'s units", Fraction(factor or 1))
