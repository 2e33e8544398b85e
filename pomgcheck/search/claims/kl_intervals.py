"""Decides Assumption 3.1(e) on interval axes, by trees of boxes over pairs of models or by two models with one law of
play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from pomgcheck.errors import counted
from pomgcheck.kernel.facts import plays_of
from pomgcheck.kernel.limits import CAPS
from pomgcheck.kernel.play import Play
from pomgcheck.search.box_trees import BoxTree
from pomgcheck.search.claims.kl import kl_conversion
from pomgcheck.search.claims.kl_comparisons import Comparison, Shear, families, shears
from pomgcheck.search.continuum import Cell, Continuum
from pomgcheck.search.exact.boxes import Point, middle
from pomgcheck.search.exact.polynomials import Poly
from pomgcheck.search.extremes import corners
from pomgcheck.search.finding import Finding, in_words, stopped
from pomgcheck.search.intervals import point_of
from pomgcheck.search.pairs import Chart, Divisors, charts
from pomgcheck.search.play import played

# share below the least ratio met, leaves of a chart
EFFORT = ((1 / 2, 3000), (1 / 10, 3000), (1 / 20, 3000), (1 / 100, 400), (1 / 2000, 40))
STATED = Fraction(1, 10**7)  # what is stated stays below what floats foresee by this share
NEAR = Fraction(1, 10**5)  # of the axes, between two models that stand for the diagonal


def conversion(c: Continuum, world: bool, options: Mapping[str, Any]) -> Finding:
    """Return c_KL bracketed over all pairs of models, refuted by two of one law, or unknown with the bracket reached."""
    kind = plays_of(options)
    refuted = confounded(c, world, kind)
    if refuted is not None:
        return refuted
    name = "c_KL_world" if world else "c_KL_joint"
    rng = np.random.default_rng(0)
    stated, trees = compared(c, world, kind)
    if not trees:
        return Finding("vacuous", "the operators do not depend on what is unknown", evidence={"rule": "eval"})
    met = [tree.lowest(rng) for _, _, tree in trees]
    least = min(found[0][0] for found in met)
    if least == np.inf:
        return Finding("unknown", "no point at which both sides of the inequality are defined")
    near = []
    for (p, comparison, _), found in zip(trees, met, strict=True):
        near += [(value, p, comparison, where) for value, where in found]
    near.sort(key=lambda x: x[0])
    upper = upper_value(c, world, near[:8], stated, kind)
    if upper is None:
        return Finding("unknown", "no two models found whose ratio is defined")
    if upper.verdict == "refuted":
        return upper
    shows, kept = 0.0, list[tuple[int, Comparison, BoxTree]]()
    for share, leaves in EFFORT:
        shown = [tree.grow(least * (1 - share), leaves) for _, _, tree in trees]
        if min(shown) > shows:
            shows, kept = min(shown), [(p, comparison, copy(tree)) for p, comparison, tree in trees]
        if min(shown) < least * (1 - share):
            break
    if not kept:
        worst, count = int(np.argmin(shown)), sum(len(tree.value) for _, _, tree in trees)
        ends, policy = trees[worst][2].worst(), c.game.policy_names[trees[worst][0]]
        how = f"between 0 and {upper.values[f'{name}_upper']}; after {count} boxes undecided under {policy} on"
        return Finding("unknown", f"{how} {in_words(ends)}", notes=stopped(ends, policy=policy))
    kept = [(p, comparison, tree.smaller(shows)) for p, comparison, tree in kept]
    count = sum(len(tree.value) for _, _, tree in kept)
    written = {name: [x.evidence(t) for q, x, t in kept if q == p] for p, name in enumerate(c.game.policy_names)}
    low = Fraction(int(Fraction(shows) * (1 - STATED) * 10**12), 10**12)
    high = Fraction(upper.values[f"{name}_upper"])
    evidence = {"rule": "pairs", "shears": stated, "trees": written, "attained": (upper.evidence or {})["attained"]}
    values = {f"{name}_lower": str(min(low, high)), f"{name}_upper": str(high)}
    return Finding(
        "proved",
        f"{counted(len(trees), 'chart')} of pairs of models in {counted(count, 'box', 'boxes')}",
        values,
        evidence,
    )


def compared(
    c: Continuum, world: bool, kind: type[Play]
) -> tuple[dict[str, Shear], list[tuple[int, Comparison, BoxTree]]]:
    """Return the shears by policy, and per chart along which operators differ its policy, its comparison and a tree."""
    stated: dict[str, Shear] = {}
    trees: list[tuple[int, Comparison, BoxTree]] = []
    for p, policy in enumerate(c.game.policy_names):
        divisors = Divisors({x: c.ring.terms(d) for x, d in c.ring.divisors.items()})
        shear = shears(c, p, world)
        if shear:
            stated[policy] = shear
        every = families(c, p, world, shear, divisors)
        for star, here in product(every, repeat=2):
            for chart in charts(star.part, None if star is here else here.part, divisors):
                comparison = Comparison(c, p, star, here, chart, kind.summed)
                if comparison.moves:
                    trees.append((p, comparison, BoxTree(chart, comparison.evaluate, comparison.examine)))
    return stated, trees


def upper_value(
    c: Continuum, world: bool, found: list[Any], stated: Mapping[str, Any], kind: type[Play]
) -> Finding | None:
    """Return the least ratio of the finite classes of two models near the points where the least was met."""
    best: Finding | None = None
    name = "c_KL_world_upper" if world else "c_KL_joint_upper"
    for _, p, comparison, where in found:
        pair = models_at(
            c,
            comparison,
            dict(zip(comparison.chart.axes, map(float, where), strict=True)),
            stated.get(c.game.policy_names[p], {}),
        )
        if pair is None:
            continue
        here = finite(c, pair, world, kind)
        if here.verdict == "refuted":
            return here
        if here.verdict == "proved" and (best is None or Fraction(here.values[name]) < Fraction(best.values[name])):
            best = here
    return best


def finite(c: Continuum, models: list[dict[str, Any]], world: bool, kind: type[Play]) -> Finding:
    """Return the claim of the finite class of some models."""
    game = c.game.subclass([xi["theta"] for xi in models], [xi["Phi"] for xi in models])
    return kl_conversion(game, played(game, c.space, CAPS["trajectories"], kind), world)


def models_at(
    c: Continuum, comparison: Comparison, point: Mapping[str, float], shear: Mapping[str, Mapping[str, str]]
) -> list[dict[str, Any]] | None:
    """Return two different rational models of the class near a point of a chart."""
    star, here = comparison.chart.models(point)
    out = []
    for number, values in zip(comparison.cells, (star, here), strict=True):
        xi = c.models[number]
        cell = c.cell_of(xi)
        exact = unsheared(cell, {n: Fraction(x).limit_denominator(10**7) for n, x in values.items()}, shear)
        if exact is None:
            return None
        out.append((xi, cell, exact))
    if comparison.chart.step and max(abs(out[0][2][n] - out[1][2][n]) for n in out[0][2]) < NEAR / 10**2:
        near = nudged(out[1][1], out[0][2], comparison.chart, point)
        if near is None:
            return None
        out[1] = (out[1][0], out[1][1], near)
    return [point_of(c, xi, exact) for xi, _, exact in out]


def unsheared(cell: Cell, values: dict[str, Fraction], shear: Mapping[str, Mapping[str, str]]) -> Point | None:
    """Return the model's own parameters; those that a shear leaves out are chosen so that all lie on their axes."""
    free = sorted({other for terms in shear.values() for other in terms})
    for places in product((Fraction(1, 2), Fraction(0), Fraction(1), Fraction(1, 4), Fraction(3, 4)), repeat=len(free)):
        trial = dict(values)
        for name, place in zip(free, places, strict=True):
            low, high = cell.box[name]
            trial[name] = low + place * (high - low)
        for name, terms in shear.items():
            if name in trial:
                trial[name] += sum(Fraction(x) * trial[other] for other, x in terms.items())
        if all(cell.box[n][0] - NEAR <= x <= cell.box[n][1] + NEAR for n, x in trial.items()):
            inside = {n: min(cell.box[n][1], max(cell.box[n][0], x)) for n, x in trial.items()}
            if cell.admits(inside):
                return inside
    return None


def nudged(cell: Cell, star: Point, chart: Chart, point: Mapping[str, float]) -> Point | None:
    """Return a model near ``star`` in the chart's direction or along its axis, on a side where there is room."""
    assert chart.step is not None
    k = chart.step[1]
    for sign in (1, -1):
        trial = dict(star)
        for name in (k, *(n for n in chart.shift if n != k)):
            slope = 1.0 if name == k else point[f"{name}/{k}"]
            trial[name] += sign * NEAR * (cell.box[k][1] - cell.box[k][0]) * Fraction(slope).limit_denominator(1000)
        if cell.holds(trial):
            return trial
    low, high = cell.box[k]
    alone = star | {k: star[k] + (high - low) * NEAR * (1 if star[k] < (low + high) / 2 else -1)}
    return alone if cell.admits(alone) else None


# ------------------------------------------------------------------------------------ confounded models


def confounded(c: Continuum, world: bool, kind: type[Play]) -> Finding | None:
    """Return two models with one law of play under a policy and different operators: one model is held, the other
    moves along one axis and its place on another is solved for, as a common root of all differences of laws."""
    for law in c.laws:
        for one, other in product(range(len(c.models)), repeat=2):
            star, here = c.models[one], c.models[other]
            pairs = [(probability[star], probability[here]) for probability in law.values()]
            names = sorted({n for pair in pairs for x in pair for n in c.ring.parameters(x)})
            cells = c.cell_of(star), c.cell_of(here)
            if not names:
                continue
            for held in corners(cells[0], names)[-1:] + corners(cells[0], names)[:2]:
                full = {n: held.get(n, middle(cells[0].box)[n]) for n in names}
                for trial in solutions(c, pairs, full, cells[1], names):
                    models = [point_of(c, star, full), point_of(c, here, trial)]
                    if models[0] != models[1]:
                        found = finite(c, models, world, kind)
                        if found.verdict == "refuted":
                            return found
    return None


def solutions(
    c: Continuum, pairs: list[tuple[Poly, Poly]], held: Point, cell: Cell, names: list[str]
) -> Iterator[Point]:
    """Return the points of the cell that share the law of ``held`` and differ from it in one or two coordinates."""
    star = [c.ring.quotient_value(x, held) for x, _ in pairs]
    moves: list[Point] = [{}]
    for n in names:
        low, high = cell.box[n]
        places = {low, high, (low + high) / 2, *(x for x in held.values() if low <= x <= high)}
        moves += [{n: x} for x in sorted(places) if x != held[n]]
    for move, solved in product(moves, names):
        if solved in move:
            continue
        base = held | move
        for x in roots(c, [(poly, value) for (_, poly), value in zip(pairs, star, strict=True)], base, solved, cell):
            trial = base | {solved: x}
            if trial != held and cell.admits(trial):
                yield trial


def roots(c: Continuum, equations: list[tuple[Poly, Fraction]], base: Point, name: str, cell: Cell) -> list[Fraction]:
    """Return the rational values of one parameter at which every polynomial takes its value, within its axis."""
    from flint import fmpq, fmpq_poly

    common = fmpq_poly([])
    low, high = cell.box[name]
    for poly, value in equations:
        cleared = c.ring.cleared(poly - c.ring.constant(value), base)
        coefficients: dict[int, Fraction] = {}
        for key, number in c.ring.terms(cleared).items():
            for other in key:
                number *= base[other] if other != name else 1
            coefficients[key.count(name)] = coefficients.get(key.count(name), Fraction(0)) + number
        row = [coefficients.get(k, Fraction(0)) for k in range(max(coefficients, default=0) + 1)]
        common = common.gcd(fmpq_poly([fmpq(x.numerator, x.denominator) for x in row]))
        if common.degree() == 0:
            return []
    if common == fmpq_poly([]):
        return [low, high, (low + high) / 2]
    found = []
    for factor, _ in common.factor()[1]:
        if factor.degree() == 1:
            root = -factor[0] / factor[1]
            number = Fraction(int(root.p), int(root.q))
            if low <= number <= high:
                found.append(number)
    return found
