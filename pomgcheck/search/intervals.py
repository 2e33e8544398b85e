"""The claims of a class with interval axes: every goal gets a tree, a counterexample is a point of the class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from pomgcheck.errors import counted
from pomgcheck.search.continuum import Cell, Continuum, leaves
from pomgcheck.search.exact.boxes import OutOfBoxes, Point, Violated
from pomgcheck.search.exact.polynomials import Poly
from pomgcheck.search.extremes import Trees, Undecided, corners, some_point
from pomgcheck.search.finding import Finding, in_words, point_text, stopped, trajectory


def unknown(undecided: Undecided) -> Finding:
    """Return the goal and the box, or the point, where it is undecided."""
    goal, answer = undecided.goal.statement[:200], undecided.answer
    if isinstance(answer, OutOfBoxes):
        how = f"the budget ended with {goal} undecided on {in_words(answer.box)}"
        return Finding("unknown", how, notes=stopped(answer.box, goal=goal))
    place = ", ".join(f"{name} = {x}" for name, x in answer.point.items())
    return Finding("unknown", f"{goal} fails at {place}, which is no refutation yet")


def settled(search: Callable[[], Finding]) -> Finding:
    """Return what the search finds, or unknown where a goal stays open."""
    try:
        return search()
    except Undecided as undecided:
        return unknown(undecided)


def point_of(c: Continuum, xi: tuple[int, int], values: Mapping[str, Fraction]) -> dict[str, Any]:
    """Return a model as certificates write it."""
    return {side: point_on(c, side, n, values) for side, n in zip(("theta", "Phi"), xi, strict=True)}


def point_on(c: Continuum, side: str, n: int, values: Mapping[str, Fraction]) -> dict[str, str]:
    """Return a point of one side as certificates write it: the cell's finite values, ``values``, and some point on the
    other intervals."""
    cell = c.cells[side][n]
    full = some_point(cell, {name: x for name, x in values.items() if name in cell.box})
    return point_text(dict(sorted((cell.fixed | {name.partition(".")[2]: x for name, x in full.items()}).items())))


def signs(trees: Trees, noun: str, plural: str = "") -> str:
    """Return how many signs were read off coefficients, and how many of them needed splits."""
    split = f", {len(trees.trees):,} of them after splits" if trees.trees else ""
    return f"{counted(len(trees.known), noun, plural)} by Bernstein coefficients{split}"


def nonexpansive(c: Continuum) -> Finding:
    """Return the goals that entries are probabilities on the whole class, with their proofs."""
    trees = Trees(c)
    trees.show_all(c.probabilities())
    method = signs(trees, "entry or divisor", "entries and divisors")
    return Finding("proved", method, evidence={"rule": "box", "trees": trees.trees})


def predictive_states(c: Continuum) -> Finding:
    """Return that every trajectory has positive probability on the whole class, or a point where one has none."""
    trees = Trees(c)
    for goal, p, sequence, xi in c.positive():
        answer = trees.ask(goal)
        if isinstance(answer, Violated):
            return impossible(c, p, sequence, xi, answer.point)
        if isinstance(answer, OutOfBoxes):
            raise Undecided(goal, answer)
    method = signs(trees, "law")
    return Finding("proved", method, evidence={"rule": "box", "trees": trees.trees})


def impossible(c: Continuum, p: int, sequence: tuple[int, ...], xi: tuple[int, int], point: Point) -> Finding:
    """Return a trajectory impossible at a point of one cell and possible at a point of some cell."""
    for other, law in c.laws[p][sequence].items():
        cell = c.cell_of(other)
        for values in corners(cell, c.ring.parameters(law)):
            probability = c.ring.quotient_value(law, values)
            if probability > 0:
                witness = {
                    "xi": point_of(c, other, values),
                    "xi_prime": point_of(c, xi, point),
                    "pi": c.game.policy_names[p],
                    "trajectory": trajectory(c.game, sequence),
                    "probability": str(probability),
                }
                return Finding("refuted", "a point where a law vanishes", witness=witness)
    return Finding("unknown", f"a law vanishes at {point_of(c, xi, point)}, and nowhere seen it does not")


def bounded_increments(c: Continuum) -> Finding:
    """Return sup over inf of every trajectory's probability, and the Lipschitz constant of its logarithm."""
    positive = predictive_states(c)
    if positive.verdict == "refuted":
        return positive
    trees, bounds, met = Trees(c), dict[str, list[str]](), list[tuple[Poly, Cell]]()
    upper, least, best, place = Fraction(1), Fraction(1), Fraction(0), None
    for p, law in enumerate(c.laws):
        for sequence, probabilities in law.items():
            highs, lows = [], []
            for xi, probability in probabilities.items():
                cell = c.cell_of(xi)
                scale, whole = c.ring.split(probability)
                low, high = trees.both(whole, cell)
                if low.value <= 0:
                    return impossible(c, p, sequence, xi, low.point)
                if low.bound <= 0:
                    raise Undecided(c.goal(whole, True, cell), OutOfBoxes(cell.box))
                if not whole.is_constant():
                    widen(bounds, c.ring.text(whole), low.bound, high.bound)
                    met.append((whole, cell))
                lows.append((scale * low.bound, scale * low.value, xi, low.point))
                highs.append((scale * high.bound, scale * high.value, xi, high.point))
            upper = max(upper, max(highs)[0] / min(lows)[0])
            least = min(least, min(lows)[0])
            most, fewest = max(highs, key=lambda x: x[1]), min(lows, key=lambda x: x[1])
            if most[1] / fewest[1] > best:
                best, place = most[1] / fewest[1], (most, fewest, p, sequence)
    assert place is not None
    show(trees, bounds, met)
    most, fewest, p, sequence = place
    attained = {
        "xi": point_of(c, most[2], most[3]),
        "xi_prime": point_of(c, fewest[2], fewest[3]),
        "pi": c.game.policy_names[p],
        "trajectory": trajectory(c.game, sequence),
    }
    values = {
        "B0_lower": {"log_of": str(best)},
        "B0_upper": {"log_of": str(upper)},
        "log_likelihood_lipschitz_upper": str(varying(c) / least),
    }
    evidence = {"rule": "box", "bounds": bounds, "trees": trees.trees, "attained": attained}
    count = sum(map(len, c.laws))
    return Finding(
        "proved", f"bounds of {counted(count, 'trajectory', 'trajectories')} over the class", values, evidence
    )


def widen(bounds: dict[str, list[str]], name: str, low: Fraction, high: Fraction) -> None:
    """Widen the bounds, so that they hold on every region where the polynomial was met."""
    if name in bounds:
        low, high = min(low, Fraction(bounds[name][0])), max(high, Fraction(bounds[name][1]))
    bounds[name] = [str(low), str(high)]


def show(trees: Trees, bounds: Mapping[str, list[str]], met: Iterable[tuple[Poly, Cell]]) -> None:
    """Show the bounds on every region again: another one may have widened them, which asks for trees of their own."""
    for whole, cell in met:
        trees.show_all(trees.stated(whole, cell, bounds[trees.c.ring.text(whole)]))


def varying(c: Continuum) -> int:
    """Return the steps at which some table depends on the model."""

    def varies(tables: list[Any]) -> bool:
        return any(table != tables[0] for table in tables) or not all(x.is_constant() for x in leaves(tables))

    return sum(
        any(varies([[table[h] for table in tables] for tables in side]) for side in (c.worlds, c.responses))
        for h in range(c.game.H)
    )


def covering(c: Continuum, T: int) -> Finding:
    """Return a grid of every cell, fine enough at epsilon = 1/(2T+4) in the l1 norm of every column of J."""
    trees, bounds, epsilon = Trees(c), dict[str, list[str]](), Fraction(1, 2 * T + 4)
    met = list[tuple[Poly, Cell]]()
    needs: dict[str, Fraction] = {}
    steepest = Fraction(0)
    for xi, column in c.columns():
        cell = c.cell_of(xi)
        names = sorted({name for p in column for name in c.ring.parameters(p)})
        slopes = dict.fromkeys(names, Fraction(0))
        for p, name in product(column, names):
            scale, whole = c.ring.split(c.ring.derivative(p, name))
            low, high = trees.both(whole, cell)
            if not whole.is_constant():
                widen(bounds, c.ring.text(whole), low.bound, high.bound)
                met.append((whole, cell))
            slopes[name] += scale * max(abs(low.bound), abs(high.bound))
        steepest = max(steepest, sum(slopes.values(), Fraction(0)))
        for name, slope in slopes.items():  # every axis of the column gets an equal share of epsilon
            low_end, high_end = cell.box[name]
            reach = 1 if cell.constraints else 2
            needs[name] = max(
                needs.get(name, Fraction(0)), len(names) * slope * (high_end - low_end) / (reach * epsilon)
            )
    show(trees, bounds, met)
    grid = {name: max(1, -(-need.numerator // need.denominator)) for name, need in needs.items()}
    size = len(c.models) * prod(grid.values())
    values = {"log_covering_upper": {"log_of": str(size)}, "covering_lipschitz_upper": str(steepest)}
    evidence = {"rule": "box", "bounds": bounds, "grid": grid, "trees": trees.trees}
    return Finding("proved", f"a grid in {counted(len(grid), 'parameter')}", values, evidence)
