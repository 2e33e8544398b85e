"""A class with interval axes as polynomials: its cells, its tables on them, and the inequalities its claims rest on.

A *cell* of Theta (of Psi) is one choice of the finite axes; the intervals and what is left of the constraints are its
region.  Parameters are called ``theta.x`` and ``Phi.x`` so that the two sides never share a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from .boxes import Region, inhabited
from .budget import spend
from .expressions import evaluate
from .game import Game
from .operators import G, J, Memory, Space, Vector, W, pure_states, total
from .parameters import Point, constraints_of, grid, parameter_points, read_axes
from .polynomials import Polynomial, cleared, divisors, names, polynomial, primitive, text, value, variable
from .reading import Object, require
from .rows import Scalar, SparseRow


class Cell(NamedTuple):
    """A cell gives every parameter a number or an indeterminate in ``values``; ``fixed`` holds the numbers alone."""

    values: Mapping[str, Scalar]
    fixed: Point
    region: Region


class Goal(NamedTuple):
    """A goal says that ``polynomial`` >= 0 on the region (> 0 if ``strict``), which is a part of the class's box where
    an axis is cut."""

    polynomial: Polynomial
    strict: bool
    region: Region

    def statement(self) -> str:
        """Return the text that names the goal's tree: the inequality, the constraints it may use, and the part of the
        box."""
        box, sign = self.region.box, ">" if self.strict else ">="
        under = [f"{text(c)} >= 0" for c in self.region.constraints]
        under += [f"{box[name][0]} <= {name} <= {box[name][1]}" for name in sorted(self.region.cut)]
        return f"{text(self.polynomial)} {sign} 0" + (f" where {', '.join(under)}" if under else "")


def goal(p: object, strict: bool, region: Region) -> Goal:
    """Return a goal in one spelling: divisors are cleared by the signs they have on the region, coefficients are
    integers without common factor, and only the parameters that occur are kept, with the constraints that tie them."""
    whole = primitive(cleared(polynomial(p), region.signs))[1]
    tied = set(names(whole))
    kept: dict[Polynomial, None] = {}
    for _ in region.constraints:
        for constraint in region.constraints:
            if tied & set(names(constraint)):
                tied |= set(names(constraint))
                kept[constraint] = None
    box = {name: ends for name, ends in region.box.items() if name in tied}
    constraints = tuple(c for c in region.constraints if c in kept)
    return Goal(whole, strict, Region(box, constraints, region.cut & tied))


def cells(part: Object, where: str, side: str) -> tuple[Cell, ...]:
    """Return the cells of Theta or Psi, in the order of the finite axes, without those that a constraint of the finite
    axes alone excludes. A finite side has one cell per point.

    Raises ``Malformed`` where no cell has a point, since of a class without models everything could be said, and where
    a constraint is not affine.
    """
    points = parameter_points(part, where)
    if points is not None:
        return tuple(Cell(point, point, Region({})) for point in points)
    finite, intervals = read_axes(part, where)
    free = {name: variable(f"{side}.{name}") for name in intervals}
    box = {f"{side}.{name}": ends for name, ends in intervals.items()}
    found, lefts = [], constraints_of(part, where)
    for fixed in grid(finite, where):
        values = fixed | free
        spend(100 * len(lefts), f"{len(lefts)} constraints of {where}")
        sides = [polynomial(evaluate(left, values, f"{where}.constraints")) for left in lefts]
        affine = all(len(key) <= 1 for side in sides for key in side) and not divisors(sides)
        require(affine, f"{where}.constraints", "a constraint of higher degree", "affine constraints")
        constants = [c.get((), 0) for c in sides if not names(c)]
        if all(c >= 0 for c in constants):
            kept = dict.fromkeys(primitive(c)[1] for c in sides if names(c))
            found.append(Cell(values, fixed, Region(box, tuple(kept))))
    require(any(inhabited(cell.region) for cell in found), where, "no parameter point", "at least one")
    return tuple(found)


class Continuum:
    """This has the tables and laws of play of a class with interval axes, as polynomials in its parameters.

    ``worlds[i]`` is on ``thetas[i]``, and ``responses[k][p]`` on ``phis[k]``; a model cell is xi = (i, k). The tables
    stand where those of ``Scaled`` do, and all units are one.
    """

    EA = EB = T = g = pi = rho = W = J = 1

    def __init__(self, game: Game, space: Space) -> None:
        self.game, self.space, doc = game, space, game.document
        self.thetas, self.phis = cells(doc["worlds"], "worlds", "theta"), cells(doc["responses"], "responses", "Phi")
        self.policies, self.rho0 = game.policies, game.rho0
        self.worlds = tuple(game.world_tables(doc["worlds"], cell.values) for cell in self.thetas)
        self.responses = tuple(game.response_tables(cell.values) for cell in self.phis)
        self.blocks = [game.block_tables(cell.values, g) for cell, g in zip(self.phis, self.responses, strict=True)]
        self.thetas, self.phis = (tuple(map(self._signed, cells)) for cells in (self.thetas, self.phis))
        self.models = list(product(range(len(self.thetas)), range(len(self.phis))))

    def region(self, i: int, k: int) -> Region:
        """Return the region of the model cell (i, k)."""
        left, right = self.thetas[i].region, self.phis[k].region
        signs = {**left.signs, **right.signs}
        return Region(left.box | right.box, left.constraints + right.constraints, signs=signs)

    def _signed(self, cell: Cell) -> Cell:
        """Return the cell with the sign of every divisor in its tables. It is the sign at the middle of its box; that
        it is so on the whole region is one of the goals of ``probabilities``."""
        centre, divided = cell.region.centre(), self.game.divided.get(tuple(cell.values.items()), ())
        signs = {symbol: 1 if value(symbol.divisor, centre) > 0 else -1 for symbol in divided}
        return cell._replace(region=cell.region._replace(signs=signs))

    def initial(self) -> Vector:
        """Return q_0, which is rho_0 on empty memories."""
        return {(s, ()): mass for s, mass in enumerate(self.rho0) if mass}

    @cached_property
    def varying(self) -> int:
        """Return at how many steps some table depends on the model."""
        sides: tuple[Any, ...] = self.worlds, self.responses
        at = ([[tuple(table[h] for table in tables) for tables in side] for side in sides] for h in range(self.game.H))
        return sum(any(map(varies, step)) for step in at)

    # -- the goals of claims

    def probabilities(self) -> Iterator[Goal]:
        """Yield the goals that divisors have one sign and entries are nonnegative; rows sum to one as read, so entries
        then lie in [0,1]."""
        answers = zip((tuple(blocks.values()) for blocks in self.blocks), self.phis, strict=True)
        for table, (_, _, region) in [*zip(self.worlds, self.thetas, strict=True), *answers]:
            yield from (goal(symbol.divisor * sign, True, region) for symbol, sign in region.signs.items())
            yield from (goal(x, False, region) for x in dict.fromkeys(leaves(table)) if isinstance(x, Polynomial))

    def columns(self) -> Iterator[tuple[Region, tuple[Polynomial, ...]]]:
        """Yield the columns of J that depend on a parameter, with their region, each once per model cell: for all h, o,
        a, pi and pure states."""
        game, space, seen = self.game, self.space, set[object]()
        O, A = range(len(game.OA)), range(len(game.A))
        for i, k in self.models:
            for h, g in {(h, table[h]): (h, table) for table in self.responses[k] for h in range(game.H)}.values():
                for o, a, state in product(O, A, pure_states(space, h)):
                    column = J(space, self.worlds[i], g, h, o, a, {state: 1})
                    parts = tuple(x for x in column.values() if isinstance(x, Polynomial) and names(x))
                    if parts and (i, k, parts) not in seen:
                        seen.add((i, k, parts))
                        yield self.region(i, k), parts

    def same_actions(self) -> Iterator[Goal]:
        """Yield the goals that an action to which the responses to two policies give different chances is possible in
        both."""
        for response, cell in zip(self.responses, self.phis, strict=True):
            rows = (row for step in zip(*response, strict=True) for row in zip(*step, strict=True))
            for entries in (entries for row in rows for entries in zip(*row, strict=True)):
                if len(set(entries)) > 1:
                    yield from (goal(x, True, cell.region) for x in entries)

    @cached_property
    def laws(self) -> list[dict[Memory, tuple[Fraction, dict[tuple[int, int], Polynomial]]]]:
        """Return, per policy, a map from full learner sequences of positive weight to (weight, {xi: P given its
        actions})."""
        return [law for law, _ in self._plays]

    def observations(self, least: Fraction) -> Iterator[Goal]:
        """Yield the goals that every possible observation has at least the chance ``least`` given what came before
        it."""
        for _, steps in self._plays:
            for xi, before, after in steps:
                yield goal(polynomial(after) - before * least, False, self.region(*xi))

    @cached_property
    def _plays(self) -> list[tuple[Any, list[tuple[tuple[int, int], Any, Any]]]]:
        """Return, per policy, its laws, and (xi, P of a prefix, P of the prefix with the next observation) for every
        prefix."""
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
                        spend(
                            40 * len(after) + 10 * sum(map(len, after.values())), "predictive states along trajectories"
                        )
                        if any(after.values()):
                            steps.extend((xi, total(q[xi]), total(vector)) for xi, vector in after.items() if vector)
                            walk(h + 1, (*sequence, o, a), space.next(uA, o, a, True), weight * chance, after)

        walk(0, (), (), Fraction(1), dict.fromkeys(self.models, self.initial()))
        return out, steps

    def positive(self) -> Iterator[Goal]:
        """Yield the goals of Assumption 3.1(d): a trajectory that one model can play has positive probability in
        all."""
        for law in self.laws:
            for _, probability in law.values():
                if any(probability.values()):
                    yield from (goal(p, True, self.region(*xi)) for xi, p in probability.items())


def varies(tables: Sequence[object]) -> bool:
    """Return whether nested tables, one per cell, depend on the model."""
    first, *others = tables
    return any(x != first for x in others) or any(isinstance(x, Polynomial) and names(x) for x in leaves(first))


def leaves(table: object) -> Iterator[Any]:
    """Yield the entries of nested tables."""
    if isinstance(table, SparseRow):
        yield from (x for _, x in table.entries)
    elif isinstance(table, tuple):
        for entry in table:
            yield from leaves(entry)
    else:
        yield table
