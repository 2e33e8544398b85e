"""Assumption 3.1(b): the covering number of the class."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from ..case import Case, Claim, OnIntervals, Outcome, logarithm
from ..polynomials import derivative, parameters
from ..reading import Object, mapping, take


def outcome(case: Case) -> Outcome:
    """Return the logarithm of the number of distinct models of a finite class, which is its own net."""
    game = case.facts.game
    count = len(set(game.worlds)) * len(set(game.responses))
    return Outcome("proved", {"log_covering_upper": {"log_of": str(count)}})


def on_intervals(case: Case, evidence: Object) -> None:
    """Check that a grid of every cell has a point within epsilon = 1/(2T+4) of every model in the l1 norm of J's
    columns, by the mean value theorem (cells are convex).

    Without constraints the middle of its square is half a side away at most; with them the square's chosen point of
    the class is a whole side away at most.
    """
    from ..continua import Goal
    from ..goals import Bounds, settle

    take(evidence, f"{case.id}.evidence", ("rule", "bounds", "grid", "trees"))
    goals, continuum = list[Goal](), case.facts.continuum
    bounds, grid = Bounds(case, evidence["bounds"], goals), mapping(evidence["grid"], f"{case.id}.grid")
    width = {name: high - low for xi in continuum.models for name, (low, high) in continuum.region(*xi).box.items()}
    for name, count in grid.items():
        if name not in width or not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise case.reject("box", f"{count} points along {name}", "a positive number along an axis")
    epsilon, steepest = Fraction(1, 2 * case.facts.options["T"] + 4), Fraction(0)
    for region, column in continuum.columns():
        slopes = {
            name: sum((max(map(abs, bounds.of(derivative(p, name), region))) for p in column), Fraction(0))
            for name in parameters(*column)
        }
        reach = 1 if region.constraints else 2
        error = sum((slope * width[name] / (reach * grid.get(name, 1)) for name, slope in slopes.items()), Fraction(0))
        if error > epsilon:
            raise case.reject("box", f"a column of J that moves by {error} within a square of the grid", epsilon)
        steepest = max(steepest, sum(slopes.values(), Fraction(0)))
    settle(case, goals, mapping(evidence["trees"], f"{case.id}.trees"))
    size = Fraction(len(continuum.models) * prod(grid.values()))
    stated = logarithm(case, "log_covering_upper"), case.number("covering_lipschitz_upper")
    if stated != (size, steepest):
        raise case.reject("box", f"{stated[0]} points and a slope of {stated[1]}", f"{size} and {steepest}")


INTERVALS = OnIntervals(("log_covering_upper", "covering_lipschitz_upper"), on_intervals)
CLAIM = Claim("covering", "Assumption 3.1(b)", outcome, ("log_covering_upper",), intervals=INTERVALS)
