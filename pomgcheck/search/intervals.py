"""The claims of a class with interval axes: every goal gets a tree, a counterexample is a point of the class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.game import Game

from .continuum import Continuum, Goal
from .exact.boxes import Shown, Stuck, Violated, decide
from .finding import Finding


class Undecided(Exception):
    """A goal that is neither shown nor violated within the budget, or violated where no witness is made of it."""

    def __init__(self, goal: Goal, answer: Stuck | Violated) -> None:
        self.goal, self.answer = goal, answer
        super().__init__(goal.statement)

    def finding(self) -> Finding:
        """Unknown, with the goal and the box where it is undecided."""
        if isinstance(self.answer, Violated):
            place = ", ".join(f"{name} = {x}" for name, x in self.answer.point.items())
            return Finding("unknown", f"not shown: {self.goal.statement[:200]} fails at {place}")
        place = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in self.answer.box.items())
        return Finding("unknown", f"budget ended: {self.goal.statement[:200]} on {place}")


class Trees:
    """Trees by statement, for goals that their whole region does not show."""

    def __init__(self) -> None:
        self.trees: dict[str, Any] = {}
        self.known: set[str] = set()

    def show(self, goal: Goal) -> None:
        """Raises :class:`Undecided` where there is no tree."""
        if goal.statement in self.known:
            return
        answer = decide(goal.terms, goal.box, goal.constraints, goal.strict)
        if not isinstance(answer, Shown):
            raise Undecided(goal, answer)
        self.known.add(goal.statement)
        if answer.tree != ["box"]:
            self.trees[goal.statement] = answer.tree

    def show_all(self, goals: Iterable[Goal]) -> None:
        for goal in goals:
            self.show(goal)


def nonexpansive(c: Continuum) -> Finding:
    """Entries are probabilities on the whole class."""
    trees = Trees()
    try:
        trees.show_all(c.probabilities())
    except Undecided as undecided:
        return undecided.finding()
    method = f"{len(trees.known)} entries and divisors by Bernstein coefficients, {len(trees.trees)} with splits"
    return Finding("proved", method, evidence={"rule": "box", "trees": trees.trees})


def predictive_states(c: Continuum) -> Finding:
    """Every trajectory has positive probability on the whole class, or a point where one has none."""
    trees = Trees()
    try:
        for goal, p, sequence, xi in c.positive():
            try:
                trees.show(goal)
            except Undecided as undecided:
                if isinstance(undecided.answer, Violated):
                    return impossible(c, p, sequence, xi, undecided.answer.point)
                raise
    except Undecided as undecided:
        return undecided.finding()
    method = f"{len(trees.known)} laws positive by Bernstein coefficients, {len(trees.trees)} with splits"
    return Finding("proved", method, evidence={"rule": "box", "trees": trees.trees})


def point_of(c: Continuum, xi: tuple[int, int], values: Mapping[str, Fraction]) -> dict[str, Any]:
    """A model as certificates write it: the cell's finite values, and ``values`` or the middle on the intervals."""
    out = {}
    for side, n in zip(("theta", "Phi"), xi, strict=True):
        cell = c.cells[side][n]
        point = dict(cell.fixed)
        for name, (low, high) in cell.box.items():
            point[name.partition(".")[2]] = values.get(name, (low + high) / 2)
        out[side] = {name: str(x) for name, x in sorted(point.items())}
    return out


def labels(game: Game, sequence: tuple[int, ...]) -> list[str]:
    """A learner trajectory in labels."""
    return [(game.OA, game.A)[n % 2][x] for n, x in enumerate(sequence)]


def impossible(
    c: Continuum, p: int, sequence: tuple[int, ...], xi: tuple[int, int], point: Mapping[str, Fraction]
) -> Finding:
    """A trajectory impossible at a point of one cell and possible at the middle of some cell, if one is found."""
    for other, law in c.laws[p][sequence].items():
        for share in (Fraction(1, 2), Fraction(7, 16), Fraction(9, 16)):
            values = c.cell_of(other).point_at(share)
            probability = c.ring.quotient_value(law, values) if values is not None else 0
            if values is not None and probability > 0:
                witness = {
                    "xi": point_of(c, other, values),
                    "xi_prime": point_of(c, xi, point),
                    "pi": c.game.policy_names[p],
                    "trajectory": labels(c.game, sequence),
                    "probability": str(probability),
                }
                return Finding("refuted", "a corner where a law vanishes", witness=witness)
    return Finding("unknown", f"a law vanishes at {dict(point)}, and no point was found where it does not")
