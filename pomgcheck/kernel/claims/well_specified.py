"""Assumption 3.1(a): the truth lies in the class."""

from __future__ import annotations

from typing import Any

from ..case import PROVED, Case, Claim, Outcome
from ..reading import take


def outcome(case: Case) -> Outcome:
    """Return whether the truth of the model lies in the class; where the model states none, this is declared."""
    game = case.facts.game
    if game.truth is None:
        return Outcome("declared", {})
    inside = game.contains("worlds", game.truth[0]) and game.contains("responses", game.truth[1])
    return PROVED if inside else Outcome("refuted", {})


def witness(case: Case, place: Any) -> None:
    """Check that the truth of the model lies outside."""
    take(place, f"{case.id}.witness", ("truth",))
    if place["truth"] != case.facts.game.document["truth"]:
        raise case.reject("witness", "another truth", "the truth of the model")


CLAIM = Claim("well-specified", "Assumption 3.1(a)", outcome, witness=witness)
