"""Least and greatest values of polynomials on a region, with the points that attain them and trees that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from pomgcheck.errors import InputError
from pomgcheck.modelclass.polytopes import Halfspace, polytope
from pomgcheck.search.continuum import Cell, Continuum, Goal
from pomgcheck.search.exact.boxes import OutOfBoxes, Point, Shown, SignSearch, Violated
from pomgcheck.search.exact.polynomials import Poly

MAX_CORNERS = 1024  # looked at for the extremes of one polynomial
GOAL, CLAIM = 4000, 40_000  # boxes examined for one goal and for all of a claim; beyond that it stays undecided
PROGRAM = 40  # what a box costs under constraints, where it may take a linear program
MAX_TERMS, MAX_DEGREE = 10_000, 60  # of a goal: what the kernel reads, with room for the products it is made of
ATTEMPTS = 12  # improved guesses of an extreme value before slack is given
SLACK = (Fraction(1, 10**9), Fraction(1, 10**6), Fraction(1, 10**4), Fraction(1, 100), Fraction(1, 4))


class Undecided(Exception):
    """This is raised for a goal that is neither shown nor violated within the budget, or violated where no witness is
    made of it."""

    def __init__(self, goal: Goal, answer: OutOfBoxes | Violated) -> None:
        self.goal, self.answer = goal, answer
        super().__init__(goal.statement)


class Extreme(NamedTuple):
    """An extreme is a proved bound, with a value attained at a point of the region (the same number where the bound is
    exact)."""

    bound: Fraction
    value: Fraction
    point: Point


class Trees:
    """These are trees by statement, for goals that their whole region does not show, and extremes that rest on them."""

    def __init__(self, c: Continuum) -> None:
        self.c = c
        self.trees: dict[str, Any] = {}
        self.known: set[str] = set()
        self.extremes: dict[Any, tuple[Extreme, Extreme]] = {}
        self.left = CLAIM

    def ask(self, goal: Goal) -> Shown | Violated | OutOfBoxes:
        """Decide a goal, and keep its tree if it has one."""
        if goal.statement in self.known:
            return Shown(["box"])
        if len(goal.terms) > MAX_TERMS or any(len(key) > MAX_DEGREE for key in goal.terms):
            return OutOfBoxes(goal.box)
        search = SignSearch(goal.terms, goal.box, goal.constraints, goal.strict, min(GOAL, self.left))
        cost = PROGRAM if goal.constraints else 1
        search.left //= cost
        before = search.left
        answer = search.run()
        self.left -= cost * (before - search.left)
        if isinstance(answer, Shown):
            self.known.add(goal.statement)
            if answer.tree != ["box"]:
                self.trees[goal.statement] = answer.tree
        return answer

    def show_all(self, goals: Iterable[Goal]) -> None:
        """Show all the goals; raises ``Undecided`` at the first that is not shown."""
        for goal in goals:
            answer = self.ask(goal)
            if not isinstance(answer, Shown):
                raise Undecided(goal, answer)

    def stated(self, whole: Poly, cell: Cell, ends: Iterable[Fraction | str]) -> list[Goal]:
        """Return what bounds of a polynomial on a region ask."""
        low, high = (self.c.ring.constant(Fraction(end)) for end in ends)
        return [self.c.goal(whole - low, False, cell), self.c.goal(high - whole, False, cell)]

    def least(self, p: Poly, cell: Cell) -> Extreme:
        """Return inf p on the cell: exact where a guess is proved, else a bound below the best value seen."""
        ring, at = self.c.ring, self.c.ring.evaluator(p)
        point = min(corners(cell, ring.parameters(p)), key=at)
        for _ in range(ATTEMPTS):
            value = at(point)
            answer = self.ask(self.c.goal(p - ring.constant(value), False, cell))
            if isinstance(answer, Shown):
                return Extreme(value, value, point)
            if isinstance(answer, OutOfBoxes):
                break
            point = descended(at, ring.parameters(p), cell, point | answer.point)
            if value - at(point) < SLACK[1] * abs(value):
                break
        value = at(point)
        for share in SLACK:
            bound = value - share * (abs(value) or 1)
            goal = self.c.goal(p - ring.constant(bound), False, cell)
            answer = self.ask(goal)
            if isinstance(answer, Shown):
                return Extreme(bound, value, point)
        raise Undecided(goal, OutOfBoxes(goal.box) if isinstance(answer, Shown) else answer)

    def greatest(self, p: Poly, cell: Cell) -> Extreme:
        """Return sup p on the cell."""
        low = self.least(-p, cell)
        return Extreme(-low.bound, -low.value, low.point)

    def both(self, p: Poly, cell: Cell) -> tuple[Extreme, Extreme]:
        """Return (least, greatest), remembered."""
        key = str(p), cell.constraints
        if key not in self.extremes:
            self.extremes[key] = self.least(p, cell), self.greatest(p, cell)
        return self.extremes[key]


def descended(at: Callable[[Point], Fraction], names: Sequence[str], cell: Cell, point: Point) -> Point:
    """Return a point of lower value, by steps along the axes that are halved where none helps."""
    steps = {name: (cell.box[name][1] - cell.box[name][0]) / 16 for name in names}
    value = at(point)
    for _ in range(14):
        better = False
        for name, sign in product(names, (1, -1)):
            low, high = cell.box[name]
            trial = point | {name: min(high, max(low, point[name] + sign * steps[name]))}
            if cell.admits(trial) and (here := at(trial)) < value:
                point, value, better = trial, here, True
        if not better:
            steps = {name: step / 2 for name, step in steps.items()}
    plain = {name: x.limit_denominator(1000) for name, x in point.items()}  # an extreme is often a plain number
    return plain if cell.holds(plain) and at(plain) <= value else point


def corners(cell: Cell, names: list[str]) -> list[Point]:
    """Return the corners of the region in the axes that matter (and those tied to them), and its middle."""
    tied = cell.tied(names)
    if any(key[0] in tied for terms in cell.constraints for key, _ in terms if key):  # one axis may be cut by itself
        return vertices(cell, tied)
    middle = {name: sum(cell.box[name], Fraction(0)) / 2 for name in tied}
    if 2 ** len(tied) > MAX_CORNERS:
        return [middle, *(middle | {name: end} for name in tied for end in cell.box[name])]
    return [dict(zip(tied, ends, strict=True)) for ends in product(*(cell.box[name] for name in tied))] + [middle]


def vertices(cell: Cell, names: list[str]) -> list[Point]:
    """Return the vertices of the polytope that the box and the constraints cut out, and their mean."""
    sides = []
    for k, name in enumerate(names):
        unit = tuple(Fraction(int(n == k)) for n in range(len(names)))
        low, high = cell.box[name]
        sides += [Halfspace(unit, -low), Halfspace(tuple(-x for x in unit), high)]
    for terms in map(dict, cell.constraints):
        if any(key[0] in names for key in terms if key):
            sides.append(
                Halfspace(tuple(Fraction(terms.get((name,), 0)) for name in names), Fraction(terms.get((), 0)))
            )
    found = polytope(tuple(names), sides, "constraints").vertices
    if not found:
        raise InputError(
            "constraints",
            f"values of the finite axes that leave no point of {', '.join(names)}",
            "a point of the intervals for each",
            "leave such values out",
        )
    mean = tuple(sum(column) / len(found) for column in zip(*found, strict=True))
    return [dict(zip(names, vertex, strict=True)) for vertex in (*found, mean)]


def some_point(cell: Cell, values: Mapping[str, Fraction]) -> Point:
    """Return a point of the region with the given values, which may leave out whole groups of tied axes."""
    point = dict(values)
    for name in sorted(cell.box):
        if name not in point:
            point |= corners(cell, [name])[-1]
    return point
