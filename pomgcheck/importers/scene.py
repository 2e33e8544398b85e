"""Holds a game and its worlds before anybody plays: policies and responses are then made for them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pomgcheck.importers.words import decimal

Section = dict[str, Any]
Choosing = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]  # situation -> (observations, actions)
PASSIVE = "nothing"  # what the adversary sees where it sees nothing


@dataclass(frozen=True)
class GameScene:
    """A scene has the sections ``game`` and ``worlds``, and says where either player has a choice.

    ``choices`` names each situation in which the learner has one: its observations, and the actions open to it there;
    ``answers`` gives, for each observation of the adversary, the actions open to it, the most passive first.
    """

    name: str
    source: str
    knobs: dict[str, str]
    game: Section
    worlds: Section
    choices: Choosing
    answers: dict[str, tuple[str, ...]]
    adversary_acts: bool


def distinct(wanted: str, taken: set[str]) -> str:
    """Return the label, numbered if it is taken; it then is."""
    label = "_".join(wanted.split()) or "_"
    label = "star" if label == "*" else label
    result, k = label, 2
    while result in taken:
        result, k = f"{label}#{k}", k + 1
    taken.add(result)
    return result


def scale(owner: str, what: str, low: Fraction, high: Fraction) -> str:
    """Return how the file's or game's numbers, its rewards or payoffs, follow from a reward r in [0,1], in words."""
    if low == high:
        return f"the {owner}'s {what} is always {decimal(low)}, which is 0 here"
    if low == 0 and high == 1:
        return f"{what}s are the {owner}'s own"
    factor = "r" if high - low == 1 else f"{decimal(high - low)}*r"
    return f"the {owner}'s {what} is {f'{decimal(low)}+' if low else ''}{factor} for a reward r here"
