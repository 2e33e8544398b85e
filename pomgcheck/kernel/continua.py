"""A class with interval axes as polynomials: its cells, its tables on them, and the inequalities its claims rest on.

A *cell* of Theta (of Psi) is one choice of the finite axes; the intervals and what is left of the constraints are its
region.  Parameters are called ``theta.x`` and ``Phi.x`` so that the two sides never share a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from typing import Any, NamedTuple

from .boxes import Region
from .game import Game, Point, Row, Table, constraints_of, evaluate, grid, parameter_points, read_axes, require
from .operators import G, J, Memory, Space, Vector, W, pure_states, reference_masses, total
from .polynomials import Polynomial, cleared, divisors, names, polynomial, primitive, text, value, variable

MAX_CORNERS = 4096  # of Psi, at which responses are compared


class Cell(NamedTuple):
    """``values`` gives every parameter a number or an indeterminate; ``fixed`` holds the numbers alone."""

    values: Mapping[str, Any]
    fixed: Point
    region: Region


class Goal(NamedTuple):
    """``polynomial`` >= 0 on the region (> 0 if ``strict``)."""

    polynomial: Polynomial
    strict: bool
    region: Region

    def statement(self) -> str:
        """What names the goal's tree: the inequality, and the constraints it may use."""
        under = ", ".join(f"{text(c)} >= 0" for c in self.region.constraints)
        sign = ">" if self.strict else ">="
        return f"{text(self.polynomial)} {sign} 0" + (f" where {under}" if under else "")


def goal(p: Any, strict: bool, region: Region) -> Goal:
    """A goal in one spelling: divisors cleared, integer coefficients without common factor, only the parameters that
    occur and the constraints that tie them."""
    whole = primitive(cleared(polynomial(p), region.centre()))[1]
    tied = set(names(whole))
    kept: dict[Polynomial, None] = {}
    for _ in region.constraints:
        for constraint in region.constraints:
            if tied & set(names(constraint)):
                tied |= set(names(constraint))
                kept[constraint] = None
    box = {name: ends for name, ends in region.box.items() if name in tied}
    return Goal(whole, strict, Region(box, tuple(c for c in region.constraints if c in kept)))


def cells(part: Mapping[str, Any], where: str, side: str) -> tuple[Cell, ...]:
    """The cells of Theta or Psi, in the order of the finite axes, less those that a constraint without intervals
    excludes.  A finite side has one cell a point."""
    points = parameter_points(part, where)
    if points is not None:
        return tuple(Cell(point, point, Region({})) for point in points)
    finite, intervals = read_axes(part, where)
    free = {name: variable(f"{side}.{name}") for name in intervals}
    box = {f"{side}.{name}": ends for name, ends in intervals.items()}
    found = []
    for fixed in grid(finite, where):
        values = fixed | free
        sides = [polynomial(evaluate(left, values, f"{where}.constraints")) for left in constraints_of(part, where)]
        affine = all(len(key) <= 1 for side in sides for key in side) and not divisors(sides)
        require(affine, f"{where}.constraints", "a constraint of higher degree", "affine constraints")
        constants = [c.get((), 0) for c in sides if not names(c)]
        if all(c >= 0 for c in constants):
            kept = dict.fromkeys(primitive(c)[1] for c in sides if names(c))
            found.append(Cell(values, fixed, Region(box, tuple(kept))))
    require(bool(found), where, "no parameter point", "at least one")
    return tuple(found)


class Continuum:
    """Tables and laws of play of a class with interval axes, as polynomials in its parameters.

    ``worlds[i]`` on ``thetas[i]``, ``responses[k][p]`` on ``phis[k]``; a model cell is xi = (i, k).  The tables stand
    where those of :class:`Scaled` do, all units being one.
    """

    EA = EB = T = g = pi = rho = W = J = 1

    def __init__(self, game: Game, space: Space) -> None:
        self.game, self.space, doc = game, space, game.document
        self.thetas, self.phis = cells(doc["worlds"], "worlds", "theta"), cells(doc["responses"], "responses", "Phi")
        self.policies, self.rho0 = game.policies, game.rho0
        self.worlds = tuple(game.world_tables(doc["worlds"], cell.values) for cell in self.thetas)
        self.responses = tuple(game.response_tables(cell.values) for cell in self.phis)
        self.models = list(product(range(len(self.thetas)), range(len(self.phis))))

    def region(self, i: int, k: int) -> Region:
        left, right = self.thetas[i].region, self.phis[k].region
        return Region(left.box | right.box, left.constraints + right.constraints)

    def corner_responses(self) -> tuple[tuple[Table, ...], ...]:
        """The responses at every corner of Psi, where the l1 distance of two is largest: it is convex along an axis in
        which no entry has a degree above one.  None at all where some entry has, or a constraint cuts the box."""
        entries = dict.fromkeys(x for x in leaves(self.responses) if isinstance(x, Polynomial))
        keys = {key for x in entries for key in x}
        tame = not divisors(entries) and all(len({*key}) == len(key) for key in keys)
        box = self.phis[0].region.box
        if not tame or 2 ** len(box) > MAX_CORNERS or any(cell.region.constraints for cell in self.phis):
            return ()
        ends = [dict(zip((name.removeprefix("Phi.") for name in box), x, strict=True)) for x in product(*box.values())]
        return tuple(self.game.response_tables(cell.fixed | point) for cell in self.phis for point in ends)

    def initial(self) -> Vector:
        return {(s, ()): mass for s, mass in enumerate(self.rho0) if mass}

    @cached_property
    def varying(self) -> int:
        """At how many steps some table depends on the model."""
        sides: tuple[Any, ...] = self.worlds, self.responses
        at = ([[tuple(table[h] for table in tables) for tables in side] for side in sides] for h in range(self.game.H))
        return sum(any(map(varies, step)) for step in at)

    # -- the goals of claims

    def probabilities(self) -> Iterator[Goal]:
        """Divisors have one sign and entries are nonnegative; rows sum to one as read, so entries lie in [0,1]."""
        for table, (values, _, region) in [*zip(self.worlds, self.thetas, strict=True),
                                           *zip(self.responses, self.phis, strict=True)]:  # fmt: skip
            for symbol in self.game.divided.get(tuple(values.items()), ()):
                at_centre = value(symbol.divisor, region.centre())
                yield goal(symbol.divisor * (1 if at_centre > 0 else -1), True, region)
            yield from (goal(x, False, region) for x in dict.fromkeys(leaves(table)) if isinstance(x, Polynomial))

    def columns(self) -> Iterator[tuple[Region, tuple[Polynomial, ...]]]:
        """The columns of J that depend on a parameter, each once a model cell: all h, o, a, pi and pure states."""
        game, space, seen = self.game, self.space, set[Any]()
        O, A = range(len(game.OA)), range(len(game.A))
        for i, k in self.models:
            for h, g in {(h, table[h]): (h, table) for table in self.responses[k] for h in range(game.H)}.values():
                for o, a, state in product(O, A, pure_states(space, h)):
                    column = J(space, self.worlds[i], g, h, o, a, {state: 1})
                    parts = tuple(x for x in column.values() if isinstance(x, Polynomial) and names(x))
                    if parts and (i, k, parts) not in seen:
                        seen.add((i, k, parts))
                        yield self.region(i, k), parts

    def comparisons(self, mu: Row, form: str) -> Iterator[Compared]:
        """What Assumption 2.3 compares: per history (step form), or all histories of two policies at once."""
        game, whole = self.game, Space(self.game, "history")
        masses = cache(lambda i, p: reference_masses(game, self, i, p, mu))

        def responses(h: int, eta: Memory, p: int, n: int) -> list[tuple[Region, tuple[Any, ...]]]:
            row = whole.row(eta[:-1], eta[-1], False)
            pairs = (
                (g[p][h][row], g[n][h][row], cell.region) for g, cell in zip(self.responses, self.phis, strict=True)
            )
            return [(region, tuple(x - y for x, y in zip(u, v, strict=True))) for u, v, region in pairs if u != v]

        for i, cell in enumerate(self.thetas):
            for p, n in combinations(range(len(game.policies)), 2):
                if all(response[p] == response[n] for response in self.responses):
                    continue
                both: list[tuple[int, Memory]] = [
                    (h, eta) for h in range(game.H) for eta in masses(i, p)[h] if eta in masses(i, n)[h]
                ]
                posteriors = [apart(masses(i, p)[h][eta], masses(i, n)[h][eta]) for h, eta in both]
                differences = [responses(h, eta, p, n) for h, eta in both]
                if form == "policy":
                    every = [pair for pairs in differences for pair in pairs]
                    if every:
                        name = f"{game.policy_names[p]} {game.policy_names[n]} {i}"
                        yield Compared(name, cell.region, every, posteriors)
                    continue
                for pairs, posterior in zip(differences, posteriors, strict=True):
                    if pairs:
                        name = ", ".join(text(primitive(polynomial(x))[1]) for x in posterior[0])
                        yield Compared(name, cell.region, pairs, [posterior])

    @cached_property
    def laws(self) -> list[dict[Memory, tuple[Fraction, dict[tuple[int, int], Polynomial]]]]:
        """Per policy: full learner sequence of positive weight -> (weight, {xi: P given its actions})."""
        return [law for law, _ in self._plays]

    def observations(self, least: Fraction) -> Iterator[Goal]:
        """Every possible observation has at least the chance ``least`` given what came before it."""
        for _, steps in self._plays:
            for xi, before, after in steps:
                yield goal(polynomial(after) - before * least, False, self.region(*xi))

    @cached_property
    def _plays(self) -> list[tuple[Any, list[tuple[tuple[int, int], Any, Any]]]]:
        """Per policy its laws, and (xi, P of a prefix, P of the prefix with the next observation)."""
        return [self._play(p) for p in range(len(self.game.policies))]

    def _play(self, p: int) -> tuple[Any, list[tuple[tuple[int, int], Any, Any]]]:
        game, space = self.game, self.space
        out: dict[Memory, tuple[Fraction, dict[tuple[int, int], Polynomial]]] = {}
        steps: list[tuple[tuple[int, int], Any, Any]] = []

        def walk(h: int, sequence: Memory, uA: Memory, weight: Fraction, q: dict[tuple[int, int], Vector]) -> None:
            if h == game.H:
                out[sequence] = weight, {xi: polynomial(total(vector)) for xi, vector in q.items()}
                return
            for o in range(len(game.OA)):
                for a, chance in enumerate(game.policies[p][h][space.row(uA, o, True)]):
                    if chance:
                        after = {
                            (i, k): G(space, self.responses[k][p], h, W(self.worlds[i], h, o, a, vector))
                            for (i, k), vector in q.items()
                        }
                        if any(after.values()):
                            steps.extend((xi, total(q[xi]), total(vector)) for xi, vector in after.items() if vector)
                            walk(h + 1, (*sequence, o, a), space.next(uA, o, a, True), weight * chance, after)

        walk(0, (), (), Fraction(1), dict.fromkeys(self.models, self.initial()))
        return out, steps

    def positive(self) -> Iterator[Goal]:
        """Assumption 3.1(d): a trajectory that one model can play has positive probability in all."""
        for law in self.laws:
            for _, probability in law.values():
                if any(probability.values()):
                    yield from (goal(p, True, self.region(*xi)) for xi, p in probability.items())


class Compared(NamedTuple):
    """Two policies under one cell of Theta: ``differences`` of responses, each with its region, and ``posteriors`` as
    (N_a^pi D^nu - N_a^nu D^pi, one an action; D^pi D^nu), of which any one bounds the distance from below."""

    name: str
    region: Region
    differences: list[tuple[Region, tuple[Any, ...]]]
    posteriors: list[tuple[tuple[Any, ...], Any]]

    def at_centre(self) -> list[int]:
        """The first comparison, with the signs it has at the centre of the region."""
        centre = self.region.centre()
        return [0, *(1 if value(polynomial(x), centre) >= 0 else -1 for x in self.posteriors[0][0])]


def apart(u: list[Any], v: list[Any]) -> tuple[tuple[Any, ...], Any]:
    """u/|u| - v/|v| times |u| |v|, and |u| |v|, for nonnegative rows of masses."""
    left, right = sum(u), sum(v)
    return tuple(x * right - y * left for x, y in zip(u, v, strict=True)), left * right


def varies(tables: Sequence[Any]) -> bool:
    """Whether nested tables, one a cell, depend on the model."""
    first, *others = tables
    return any(x != first for x in others) or any(isinstance(x, Polynomial) and names(x) for x in leaves(first))


def leaves(table: Any) -> Iterator[Any]:
    """The entries of nested tables."""
    if isinstance(table, tuple):
        for entry in table:
            yield from leaves(entry)
    else:
        yield table
