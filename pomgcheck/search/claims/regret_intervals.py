"""Decides Theorem N on interval axes: it finds policies that are enough, and a net of their models whose chi square is
small.

Floats place the net; the kernel's own exact check of rows says what it is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, expm1, prod, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pomgcheck.errors import counted
from pomgcheck.kernel.continua import Continuum as Exact
from pomgcheck.kernel.nested import Nested, span
from pomgcheck.kernel.nets import KINDS, Cut, Netted, begins, earned, rows, spread
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.polynomials import Inverse, Polynomial, parameters, polynomial
from pomgcheck.search.claims.constants import short_up
from pomgcheck.search.claims.regret import first
from pomgcheck.search.continuum import Cell, Continuum
from pomgcheck.search.exact.boxes import Shown
from pomgcheck.search.exact.polynomials import Poly
from pomgcheck.search.extremes import Trees, corners
from pomgcheck.search.finding import Finding
from pomgcheck.search.intervals import point_of

POINTS = 2**14  # of a net whose models are all listed; beyond, each policy has a list of its own
GRID = 9  # points per axis at which values are looked at, where that is few
SAMPLES = 4000  # of an axis, to measure its length
SLACKS = (0.3, 0.6, 1.0, 1.5, 2.5, 4.0, 6.0, 10.0, 16.0)  # T log(1 + chi) of the nets that are compared
FINER = 12  # nets, each for four times the T before
GAIN = Fraction(101, 100)  # what a number is raised by where the exact check refuses it
TRIES = 60
Floats = NDArray[np.float64]
Xi = tuple[int, int]


class Class(NamedTuple):
    """This is a class as the search reads it, with its policies' values V[p][xi] and its corners and grid."""

    c: Continuum
    trees: Trees
    V: list[dict[Xi, Poly]]
    points: dict[Xi, list[dict[str, Fraction]]]


def read(c: Continuum) -> Class:
    """Return the class as the search reads it: values are polynomials, and points are a grid of every cell, or its
    corners where a grid has too many."""
    V = []
    for p, law in enumerate(c.laws):
        sums = dict.fromkeys(c.models, c.ring.zero)
        for tau, laws in law.items():
            worth = weight(c, p, tau) * earned(c.game, tau)
            for xi, P in laws.items():
                sums[xi] += P * c.ring.constant(worth)
        V.append(sums)
    return Class(c, Trees(c), V, {xi: points(c.cell_of(xi)) for xi in c.models})


def weight(c: Continuum, p: int, tau: Sequence[int]) -> Fraction:
    """Return the product of a policy's chances along a trajectory."""
    chance, uA = Fraction(1), 0
    for h, (o, a) in enumerate(zip(tau[::2], tau[1::2], strict=True)):
        chance *= c.game.policies[p][h][c.learner.row[h][uA, o]][a]
        uA = int(c.learner.next[h][uA, o, a])
    return chance


def points(cell: Cell) -> list[dict[str, Fraction]]:
    """Return a grid of a box, or its corners and its middle."""
    if GRID ** len(cell.box) > 1000:
        return corners(cell, sorted(cell.box))
    axes = ([low + (high - low) * k / (GRID - 1) for k in range(GRID)] for low, high in cell.box.values())
    return [dict(zip(cell.box, values, strict=True)) for values in product(*axes)]


def on_intervals(c: Continuum, options: Mapping[str, Any], specified: Finding, settles: Finding) -> Finding:
    """Return the claim, from its two premises."""
    verdicts = {specified.verdict, settles.verdict}
    if "refuted" in verdicts:
        return Finding("vacuous", "a premise is refuted", evidence={"rule": "eval"})
    if "unknown" in verdicts:
        return Finding("unknown", "a premise is open")
    if any(c.cell_of(xi).constraints for xi in c.models):
        return Finding("unknown", "the theorem on a net is for boxes, and constraints tie the intervals of this class")
    found = read(c)
    regrets = dearest(found)
    D, place = regrets
    if not D:
        if all(V == found.V[0] for V in found.V):
            return Finding("vacuous", "every policy is best in every model", evidence={"rule": "eval"})
        return Finding("unknown", "no point was found at which a policy is worse than another")
    deployed, dominated = enough(found)
    game, names = c.game, c.game.policy_names
    memory = (game.m or 1) if game.gamma is None else (game.gamma, game.H * Fraction(settles.values["L_g"]))
    exact = Exact(game, Space(game, options["space"]))
    schedule = Nested(1, Fraction(options["delta"]), span(game, exact.worlds), memory, ())
    evidence: dict[str, Any] = {
        "rule": "net",
        "deployed": [names[p] for p in deployed],
        "dominated": {names[p]: names[q] for p, q in dominated.items()},
        "attained": {"D": place},
        "list": None,
    }
    bound = Netted(schedule, 1, Fraction(0), (Fraction(0),), Fraction(0), Fraction(0))
    method = "one policy is best in every model"
    if len(deployed) > 1:
        horizons = (options["T"] * 4**k for k in range(FINER))
        for T in horizons:  # of too coarse a net the bound is never below D T
            bound, evidence["list"] = netted(found, exact, deployed, schedule, T)
            if far(bound) < 0.99 * float(D):
                break
        else:
            return Finding("unknown", f"nets for T = {T} are still too coarse to say something")
        method = f"a net of {counted(bound.schedule.models, 'entry', 'entries')} by chi square, table by table"
    values = {
        "N": str(bound.schedule.models),
        "span": str(schedule.span),
        "D_lower": str(D),
        "chi_upper": str(bound.chi),
        "nested_regret_upper": short_up(bound.regret(options["T"])),
        "worth_T": str(first(lambda T: bound.regret(T) < D * T)),
    }
    evidence["trees"] = found.trees.trees
    return Finding("proved", method, values, evidence)


def far(bound: Netted) -> float:
    """Return what the bound loses per episode when T is large."""
    others = float(sum(sorted(bound.moments)[1:]))
    return float(bound.error.high) + sqrt(8 * others * float(bound.slope.high))


def dearest(found: Class) -> tuple[Fraction, dict[str, Any]]:
    """Return the largest regret at a point that was looked at, and that point."""
    c, most, place = found.c, Fraction(0), dict[str, Any]()
    for xi, grid in found.points.items():
        at = [c.ring.evaluator(V[xi]) for V in found.V]
        for point in grid:
            values = [value(point) for value in at]
            if max(values) - min(values) > most:
                most, least = max(values) - min(values), values.index(min(values))
                place = {"xi": point_of(c, xi, point), "pi": c.game.policy_names[least]}
    return most, place


def enough(found: Class) -> tuple[list[int], dict[int, int]]:
    """Return policies of which one is best in every model (few, if that can be shown), and for each other policy one
    that is nowhere worse."""
    c, policies = found.c, range(len(found.V))
    at = {
        xi: np.array([[float(value(point)) for point in grid] for value in (c.ring.evaluator(V[xi]) for V in found.V)])
        for xi, grid in found.points.items()
    }

    def below(p: int, q: int) -> bool:
        """Return whether q is nowhere worse than p: on the points, and then shown."""
        if any((rows[q] < rows[p] - 1e-12).any() for rows in at.values()):
            return False
        goals = (c.goal(found.V[q][xi] - found.V[p][xi], False, c.cell_of(xi)) for xi in c.models)
        return all(isinstance(found.trees.ask(goal), Shown) for goal in goals)

    deployed, dominated = [*policies], dict[int, int]()
    for p in policies:
        better = next((q for q in deployed if q != p and below(p, q)), None)
        if better is not None:
            deployed.remove(p)
            dominated[p] = better
    for p, q in [*dominated.items()]:
        if q not in deployed:
            better = next((over for over in deployed if below(p, over)), None)
            if better is None:
                deployed = sorted([*deployed, p])
                del dominated[p]
            else:
                dominated[p] = better
    return deployed, dominated


# -- the net


def netted(
    found: Class, exact: Exact, deployed: Sequence[int], schedule: Nested, T: int
) -> tuple[Netted, dict[str, Any]]:
    """Return the net whose bound at T is least, and how the certificate says so."""
    c, names = found.c, found.c.game.policy_names
    moments = [moment(found, exact, p) for p in deployed]
    low, high, sure = optimistic(found, deployed)
    rulers = {name: Ruler(exact, deployed, name) for name in c.cell_of(c.models[0]).box}
    M = tuple(M for _, M in moments)
    warm = float(schedule.before(1)) * (len(deployed) - 1) * float(high - low)
    quantum = short(sqrt(warm / T)) if warm else Fraction(0)
    axes_of = (
        [[*rulers]],
        [parameters(*(P for _, law in exact.laws[p].values() for P in law.values())) for p in deployed],
    )
    best = None
    for x, own in product(SLACKS, (False, True)):
        counts = {name: ruler.count(x / T) for name, ruler in rulers.items()}
        size = len(c.models) * sum(prod(counts[name] for name in each) for each in axes_of[own])
        guess = Netted(
            schedule._replace(models=size), len(axes_of[own]), Fraction(expm1(x / T)), M, quantum, high - low
        )
        if (own or size <= POINTS) and (best is None or (own, guess.regret(T)) < best[:2]):
            best = own, guess.regret(T), counts
    assert best is not None
    own, _, counts = best
    axes = {name: ruler.cells(counts[name]) for name, ruler in rulers.items()}
    rho = largest(exact, deployed, axes)
    chi = spread(exact, deployed, axes, rho)
    for _ in range(TRIES):
        if chi is None:
            rho = {kind: short(x * GAIN) for kind, x in rho.items()}
            chi = spread(exact, deployed, axes, rho)
    assert chi is not None
    size = len(c.models) * sum(prod(len(axes[name]) for name in each) for each in axes_of[own])
    chi = short(chi)
    bound = Netted(schedule._replace(models=size), len(axes_of[own]), chi, M, quantum, high - low)
    written = {
        "test": "own" if own else "joint",
        "axes": {
            name: {"ends": [str(cuts[0].low), *(str(x.high) for x in cuts)], "points": [str(x.point) for x in cuts]}
            for name, cuts in axes.items()
        },
        "rho": {kind: str(x) for kind, x in rho.items()},
        "moments": {names[p]: {"c": str(m), "M": str(M)} for p, (m, M) in zip(deployed, moments, strict=True)},
        "quantum": str(quantum),
        "range": {"low": str(low), "high": str(high), "pi": names[sure]},
    }
    return bound, written


def short(x: float | Fraction) -> Fraction:
    """Return a decimal of a few digits that is at least x."""
    return Fraction(short_up(Fraction(x)))


def moment(found: Class, exact: Exact, p: int) -> tuple[Fraction, Fraction]:
    """Return (c, M) with E_xi (f - c)^2 <= M on the class, f being the rewards that differ."""
    c, skipped = found.c, begins(exact, p)
    worth = {tau: earned(c.game, tau, skipped) for tau in c.laws[p]}
    parts: list[tuple[Xi, Poly, Poly]] = []
    for xi in c.models:
        sums = [c.ring.zero, c.ring.zero]
        for tau, law in c.laws[p].items():
            for k in (1, 2):
                sums[k - 1] += law[xi] * c.ring.constant(weight(c, p, tau) * worth[tau] ** k)
        parts.append((xi, sums[0], sums[1]))
    at = [(xi, c.ring.evaluator(one), c.ring.evaluator(two)) for xi, one, two in parts]
    met = [(float(one(point)), float(two(point))) for xi, one, two in at for point in found.points[xi]]
    ends = float(min(worth.values())), float(max(worth.values()))
    tried = [(max(two - 2 * t * one + t * t for one, two in met), t) for t in np.linspace(*ends, 257).tolist()]
    M, centre = short(max(min(tried)[0], 0.0)), Fraction(min(tried)[1]).limit_denominator(1000)
    for _ in range(TRIES):
        goals = []
        for xi, one, two in parts:
            square = two - one * c.ring.constant(2 * centre) + c.ring.constant(centre**2)
            goals.append(c.goal(c.ring.constant(M) - square, False, c.cell_of(xi)))
        if all(isinstance(found.trees.ask(goal), Shown) for goal in goals):
            return centre, M
        M = short(M * GAIN + Fraction(1, 10**6))
    raise ArithmeticError(f"no bound of E(f - {centre})^2 up to {M}")


def optimistic(found: Class, deployed: Sequence[int]) -> tuple[Fraction, Fraction, int]:
    """Return (low, high, p): optimistic values lie between low and high, low because the policy p alone earns as
    much."""
    c, trees = found.c, found.trees
    ends = {p: [trees.both(found.V[p][xi], c.cell_of(xi)) for xi in c.models] for p in deployed}
    lows = {p: min(low.bound for low, _ in each) for p, each in ends.items()}
    highs = {p: max(high.bound for _, high in each) for p, each in ends.items()}
    sure = max(deployed, key=lambda p: lows[p])
    low, high = lows[sure], max(highs.values())
    for p, xi in product(deployed, c.models):
        earns, cell = found.V[p][xi], c.cell_of(xi)
        trees.show_all([c.goal(c.ring.constant(high) - earns, False, cell)])
        trees.show_all([c.goal(earns - c.ring.constant(low), False, cell)] if p == sure else [])
    return low, high, sure


class Ruler:
    """A ruler measures an axis by the root of the largest Fisher information of a row that moves with it: a cell of a
    given chi square has as much of it everywhere. Where a row has d axes, each gets 1/d^2 of the chi square."""

    def __init__(self, exact: Exact, deployed: Sequence[int], name: str) -> None:
        found: dict[Any, tuple[str, int]] = {}
        tables = set()
        for kind, h, row, _ in rows(exact, deployed):
            tables.add((kind, h))
            if name in parameters(*map(polynomial, row)):
                found.setdefault(tuple(x for x in row if x), (kind, h))
        self.tables, self.rows, self.name = len(tables), [[*map(polynomial, row)] for row in found], name
        self.box = {axis: ends for xi in exact.models for axis, ends in exact.region(*xi).box.items()}
        low, high = (float(x) for x in self.box[name])
        turn = (np.arange(SAMPLES + 1) / SAMPLES) * np.pi / 2  # finer near the ends, where an entry may vanish
        self.z = low + (high - low) * np.sin(turn) ** 2
        middle = (self.z[1:] + self.z[:-1]) / 2
        information = np.zeros(SAMPLES)
        for entries_of in self.rows:
            for others in self.others(entries_of):
                entries = [at(x, others | {name: middle}) for x in entries_of]
                slopes = [np.diff(at(x, others | {name: self.z})) / np.diff(self.z) for x in entries_of]
                share = len(parameters(*entries_of)) ** 2
                each = sum(s * s / np.maximum(e, 1e-300) for s, e in zip(slopes, entries, strict=True)) * share
                information = np.maximum(information, each)
        self.length = np.concatenate([[0.0], np.cumsum(np.sqrt(information) * np.diff(self.z))])

    def others(self, row: Sequence[Polynomial]) -> list[dict[str, float]]:
        """Return the other axes of a row at their ends and middles."""
        used = [axis for axis in parameters(*row) if axis != self.name]
        ends = ([float(low), float(low + high) / 2, float(high)] for low, high in (self.box[axis] for axis in used))
        return [dict(zip(used, values, strict=True)) for values in product(*ends)]

    def count(self, slack: float) -> int:
        """Return how many cells, so that all tables together have a chi square of about ``slack``."""
        return max(1, ceil(float(self.length[-1]) / (2 * sqrt(slack / max(self.tables, 1)))))

    def cells(self, count: int) -> list[Cut]:
        """Return ``count`` cells of one length on this measure, each with the point from which its ends are equally
        far."""
        low, high = self.box[self.name]
        inner = np.interp(np.linspace(0, self.length[-1], count + 1)[1:-1], self.length, self.z)
        digits = 10 ** (4 + len(str(count)))
        scale = Fraction(digits) / (high - low)
        ends = [low, *(low + Fraction(round(float((Fraction(x) - low) * scale))) / scale for x in inner.tolist()), high]
        ends = sorted({*ends})
        left, right = np.array([float(x) for x in ends[:-1]]), np.array([float(x) for x in ends[1:]])
        near, far = left.copy(), right.copy()
        for _ in range(40):
            middle = (near + far) / 2
            above = self.far(left, middle) > self.far(right, middle)
            near, far = np.where(above, near, middle), np.where(above, middle, far)
        points = [low + Fraction(round(float((Fraction(x) - low) * scale * 100))) / (scale * 100) for x in far.tolist()]
        return [
            Cut(start, min(max(x, start), end), end) for (start, end), x in zip(pairwise(ends), points, strict=True)
        ]

    def far(self, z: Floats, point: Floats) -> Floats:
        """Return the largest chi square of a row at z from that at the point."""
        most = np.zeros(len(z))
        for row in self.rows:
            for others in self.others(row)[:1]:
                here, there = ([at(x, others | {self.name: place}) for x in row] for place in (z, point))
                most = np.maximum(most, sum(p * p / np.maximum(q, 1e-300) for p, q in zip(here, there, strict=True)))
        return most


def at(p: Polynomial, point: Mapping[str, Any]) -> Any:
    """Return a polynomial in floats, at numbers or arrays of them."""
    total: Any = 0.0
    for monomial, c in p.items():
        term: Any = float(c)
        for name in monomial:
            term = term / at(name.divisor, point) if isinstance(name, Inverse) else term * point[name]
        total = total + term
    return total + 0.0 * sum(point.values())


def largest(exact: Exact, deployed: Sequence[int], axes: Mapping[str, Sequence[Cut]]) -> dict[str, Fraction]:
    """Return the largest chi square of a row of each kind at the corners of cells, in floats rounded up."""
    most = dict.fromkeys(KINDS, 0.0)
    unlike = dict.fromkeys((kind, tuple(x for x in row if x)) for kind, _, row, _ in rows(exact, deployed))
    for kind, row in unlike:  # without zeros, those of a kind once
        entries = [polynomial(x) for x in row]
        used = parameters(*entries)
        grids = np.meshgrid(*(np.array([float(cut.point) for cut in axes[name]]) for name in used), indexing="ij")
        there = [at(x, dict(zip(used, grids, strict=True))) for x in entries]
        for corner in product((0, 2), repeat=len(used)):
            sides = (np.array([float(cut[k]) for cut in axes[name]]) for name, k in zip(used, corner, strict=True))
            places = dict(zip(used, np.meshgrid(*sides, indexing="ij"), strict=True))
            sums = sum(at(x, places) ** 2 / np.maximum(y, 1e-300) for x, y in zip(entries, there, strict=True))
            most[kind] = max(most[kind], float(np.max(sums)) - 1)
    return {kind: short(x * (1 + 1e-7) + 1e-15) if x > 0 else Fraction(0) for kind, x in most.items()}
