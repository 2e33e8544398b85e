"""The claims of a class with interval axes: goals from the continuum, trees and points from the evidence.

A universal statement is proved by rule ``box``, one tree a goal that the whole region does not show.  A refutation, and
the side of a bracket that something attains, names points of the class: those points alone form a finite class, which
the other modules know how to examine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from .boxes import holds, right_sign
from .claims import Facts
from .continua import Continuum, Goal
from .game import mapping, take
from .polynomials import TooLarge
from .rules import Case


def settle(case: Case, goals: Iterable[Goal], trees: Mapping[str, Any]) -> None:
    """Every goal holds on its whole region, or by the tree that its statement names."""
    for name, goal in {goal.statement(): goal for goal in goals}.items():
        try:
            shown = right_sign(goal.polynomial, goal.region.box, goal.strict) or (
                name in trees and holds(goal.polynomial, goal.strict, goal.region, trees[name], f"{case.id}.trees")
            )
        except TooLarge:
            raise case.reject("box", f"the goal {name[:200]}", "a polynomial of moderate degree") from None
        if not shown:
            raise case.reject("box", f"no proof of {name[:200]}", "a tree whose leaves show it")


# ------------------------------------------------------------------------------- points of the class


def named_points(place: Any) -> tuple[list[Any], list[Any]]:
    """The parameter points a witness or an attaining place names."""
    found: tuple[list[Any], list[Any]] = [], []
    for key, entry in mapping(place, "place").items():
        if key in ("theta", "theta_prime"):
            found[0].append(entry)
        elif key == "Phi":
            found[1].append(entry)
        elif key in ("xi", "xi_prime", "xi_star"):
            pair = take(entry, key, ("theta", "Phi"))
            found[0].append(pair["theta"])
            found[1].append(pair["Phi"])
    return found


def at_points(case: Case, place: Any) -> Case:
    """The same claim of the finite class of the points that ``place`` names."""
    facts = case.facts
    return case._replace(facts=Facts(facts.game.subclass(*named_points(place)), facts.options))


# ------------------------------------------------------------------------------------------- claims


def nonexpansive(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Entries nonnegative on the class, rows of sum one as read: W and G are products and columns of such."""
    take(evidence, f"{case.id}.evidence", ("rule", "trees"))
    settle(case, continuum.probabilities(), mapping(evidence["trees"], f"{case.id}.trees"))


def predictive_states(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Every trajectory is impossible in all models or has positive probability on the whole class."""
    take(evidence, f"{case.id}.evidence", ("rule", "trees"))
    settle(case, continuum.positive(), mapping(evidence["trees"], f"{case.id}.trees"))


class Discharged(NamedTuple):
    """How a claim is proved on interval axes: the values it then has, and the check of its evidence."""

    values: tuple[str, ...]
    check: Callable[[Case, Continuum, Mapping[str, Any]], None]


BOX = {
    "nonexpansive": Discharged((), nonexpansive),
    "predictive-states": Discharged((), predictive_states),
}
PRESUPPOSED = "nonexpansive"  # that the entries are probabilities on the whole class; every other rule here rests on it
