"""A class with interval axes as polynomials of the search: cells, sparse tables, laws of play and goals.

The kernel derives the same goals by other code (its operators on its own polynomials); evidence is found by a goal's
statement, so both must spell it alike (certificates/FORMAT.md, rule ``box``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operator_section import parameter_names
from pomgcheck.kernel.parameters import constraints_of, grid, read_axes
from pomgcheck.modelclass.expressions import ExpressionRing as Expressions
from pomgcheck.modelclass.expressions import Quotient
from pomgcheck.search.exact.boxes import Box, middle
from pomgcheck.search.exact.polynomials import Monomial, Poly, Ring, Terms, at, primitive, spelled
from pomgcheck.search.exact.tables import Memories

Row = dict[int, Poly]  # nonzero entries only


@dataclass(frozen=True)
class Cell:
    """A cell is one choice of the finite axes of a side; ``box`` and ``constraints`` (integer terms) are over its
    intervals."""

    fixed: dict[str, Fraction]
    box: Box
    constraints: tuple[tuple[tuple[tuple[str, ...], int], ...], ...]
    cut: frozenset[str] = frozenset()  # axes along which it is a part of the class
    whole: Box | None = None  # the class's own box, where this is a part of it

    def halves(self, axis: str, t: Fraction) -> list[Cell]:
        """Return the parts below and above axis = t."""
        low, high = self.box[axis]
        ends = (low, t), (t, high)
        whole = self.whole or self.box
        return [replace(self, box=self.box | {axis: side}, cut=self.cut | {axis}, whole=whole) for side in ends]

    def admits(self, point: Mapping[str, Fraction]) -> bool:
        """Return whether a point satisfies the constraints on the axes it gives."""
        named = (terms for terms in map(dict, self.constraints) if all(n in point for key in terms for n in key))
        return all(at(terms, point) >= 0 for terms in named)

    def holds(self, point: Mapping[str, Fraction]) -> bool:
        """Return whether a point lies in the region, as far as its axes say."""
        inside = (self.box[name][0] <= x <= self.box[name][1] for name, x in point.items())
        return all(inside) and self.admits(point)

    def tied(self, names: Iterable[str]) -> list[str]:
        """Return the axes that constraints tie to these, themselves included, sorted."""
        found: set[str] = set(names)
        for _ in self.constraints:
            for terms in self.constraints:
                used = {name for key, _ in terms for name in key}
                found |= used if used & found else set()
        return sorted(found)


@dataclass(frozen=True)
class Goal:
    """A goal says that ``terms`` >= 0 (> 0 if ``strict``) on the box cut by the constraints; ``statement`` names its
    tree."""

    statement: str
    terms: Terms
    strict: bool
    box: Box
    constraints: list[Terms]


class Continuum:
    """This has ``worlds[i]`` = (EA, EB, T), ``responses[k][p]`` and ``blocks[k][block]`` by step, each row sparse;
    models are xi = (i, k)."""

    def __init__(self, game: Game, space: str) -> None:
        self.game, self.space, document = game, space, game.document
        learner, adversary = game.learner_window, game.adversary_window
        self.learner = Memories(game.H, len(game.OA), len(game.A), learner, learner is None)
        self.adversary = Memories(game.H, len(game.OB), len(game.B), adversary, space == "history")
        self.parts = {"theta": document["worlds"], "Phi": document["responses"]}
        self.expressions = {side: Expressions(sorted(parameter_names(part))) for side, part in self.parts.items()}
        finite = {"theta": game.thetas, "Phi": game.phis}
        self.cells = {side: self._cells(side, finite[side]) for side in self.parts}
        self._values: dict[tuple[str, int, str], Any] = {}
        self._collect()
        self.worlds = [self._world(i) for i in range(len(self.cells["theta"]))]
        given = self.parts["Phi"]["table"], self.parts["Phi"].get("blocks", {})
        phis = range(len(self.cells["Phi"]))
        self.responses = [[self._response(k, given[0][p]) for p in game.policy_names] for k in phis]
        self.blocks = [self._blocks(k, given[1]) for k in phis]
        self.models = list(product(range(len(self.worlds)), range(len(self.responses))))

    # -- reading

    def _cells(self, side: str, points: Any) -> list[Cell]:
        part = self.parts[side]
        if points is not None:
            return [Cell(dict(point), {}, ()) for point in points]
        finite, intervals = read_axes(part, side)
        box = {f"{side}.{name}": ends for name, ends in intervals.items()}
        cells = []
        for fixed in grid(finite, side):
            kept: dict[Any, None] = {}
            possible = True
            for text in constraints_of(part, side):
                terms = self._parsed(side, fixed, text)[0]
                if set(terms) <= {()}:
                    possible &= terms.get((), 0) >= 0
                else:
                    kept[tuple(sorted(primitive(terms).items()))] = None
            if possible:
                cells.append(Cell(fixed, box, tuple(kept)))
        return cells

    def _parsed(self, side: str, fixed: Mapping[str, Fraction], text: str) -> tuple[Terms, dict[Monomial, int]]:
        """Return the numerator and primitive divisor of an expression with the finite parameters put in."""
        value = self.expressions[side].read(text, side).value
        one: dict[Monomial, int] = {(): 1}
        if not isinstance(value, Quotient):
            return ({(): value} if value else {}), one
        num, den = (self._put_in(p, side, fixed) for p in (value.num, value.den))
        whole = primitive(den) if set(den) != {()} else one
        key = next(iter(den))
        scale = den[key] / whole[key]
        return {key: c / scale for key, c in num.items()}, whole

    @staticmethod
    def _put_in(p: Any, side: str, fixed: Mapping[str, Fraction]) -> Terms:
        names = p.context().names()
        out: Terms = {}
        for powers, c in p.terms():
            factor, key = Fraction(int(c)), []
            for name, power in zip(names, powers, strict=True):
                if name in fixed:
                    factor *= fixed[name] ** int(power)
                else:
                    key += [f"{side}.{name}"] * int(power)
            out[tuple(key)] = out.get(tuple(key), Fraction(0)) + factor
        return {key: c for key, c in out.items() if c}

    def _collect(self) -> None:
        """Make one ring for all entries, with the names and the divisors that occur."""
        divisors: dict[str, dict[Monomial, int]] = {}
        names = {name for cells in self.cells.values() for cell in cells for name in cell.box}
        tables = {"theta": ("learner_emission", "adversary_emission", "transition"), "Phi": ("table", "blocks")}
        for side, keys in tables.items():
            given = [self.game.arrays(key) if side == "theta" else self.parts[side].get(key, []) for key in keys]
            texts = {*leaves(given)}
            for c, cell in enumerate(self.cells[side]):
                for text in texts:
                    num, den = self._parsed(side, cell.fixed, text)
                    self._values[side, c, text] = num, den
                    if set(den) != {()}:
                        divisors[f"1/({spelled(den)})"] = den
        self.ring = Ring(names, divisors)
        for place, (num, den) in self._values.items():
            entry = self.ring.of_terms(num)
            if set(den) != {()}:
                entry *= self.ring.generators[f"1/({spelled(den)})"]
            self._values[place] = entry

    def _row(self, side: str, cell: int, texts: list[str]) -> Row:
        """Return the nonzero entries of a row; the last quotient of a row is one minus the rest."""
        row = [self._values[side, cell, text] for text in texts]
        excess = sum(row, self.ring.zero) - 1
        if excess != 0:
            last = max(n for n, p in enumerate(row) if any("/" in name for name in self.ring.used(p)))
            row[last] -= excess
        return {n: p for n, p in enumerate(row) if p != 0}

    def _world(self, i: int) -> tuple[Any, Any, Any]:
        game = self.game
        known: dict[str, Row] = {}

        def row(texts: list[str]) -> Row:
            key = "\n".join(texts)
            if key not in known:
                known[key] = self._row("theta", i, texts)
            return known[key]

        EA, EB = (
            [[row(r) for r in table] for table in game.arrays(key)]
            for key in ("learner_emission", "adversary_emission")
        )
        T = [[[[row(r) for r in rows] for rows in acts] for acts in table] for table in game.arrays("transition")]
        return EA, EB, T

    def _response(self, k: int, table: Any) -> list[Any]:
        return [[self._row("Phi", k, r) for r in rows] for rows in self.game._steps(table, "responses")]

    def _blocks(self, k: int, given: Mapping[str, Any]) -> dict[tuple[int, ...], Any]:
        """Return the response to each block that the rule tells apart, a block of one being the policy itself."""
        if self.game.block_rule != "table":
            return {(p,): table for p, table in enumerate(self.responses[k])}
        numbers = {name: p for p, name in enumerate(self.game.policy_names)}
        return {
            tuple(numbers[word] for word in name.split(" ")): self._response(k, table)
            for name, table in sorted(given.items())
        }

    # -- play

    def initial(self) -> dict[tuple[int, int], Poly]:
        """Return q_0, which is rho_0 on empty memories."""
        return {(s, 0): self.ring.constant(mass) for s, mass in enumerate(self.game.rho0) if mass}

    def step(self, xi: tuple[int, int], p: int, h: int, o: int, a: int, q: Mapping[Any, Poly]) -> dict[Any, Poly]:
        """Return J_h(o,a) q, from (state, number of the adversary's memory) to the same."""
        EA, EB, T = self.worlds[xi[0]]
        g, out = self.responses[xi[1]][p][h], dict[Any, Poly]()
        for (s, m), mass in q.items():
            if o in EA[h][s]:
                both = EA[h][s][o] * mass
                for oB, emission in EB[h][s].items():
                    for b, chance in g[self.adversary.row[h][m, oB]].items():
                        share = both * emission * chance
                        following = int(self.adversary.next[h][m, oB, b])
                        for s_next, move in T[h][s][a][b].items():
                            key = s_next, following
                            out[key] = out[key] + share * move if key in out else share * move
        return out

    def channel(self, i: int, h: int, o: int, a: int, s: int) -> dict[tuple[int, int, int], Poly]:
        """Return W of a state in a world, by (s', o^B, b), with the adversary's memory left out."""
        EA, EB, T = self.worlds[i]
        return {
            (s_next, oB, b): EA[h][s][o] * seen * move
            for oB, seen in (EB[h][s].items() if o in EA[h][s] else ())
            for b, row in enumerate(T[h][s][a])
            for s_next, move in row.items()
        }

    def refuse_too_many(self, limit: int) -> None:
        """Raise ``LimitExceeded`` where a policy has over ``limit`` trajectories, counted before any is played."""
        game = self.game
        for name, policy in zip(game.policy_names, game.policies, strict=True):
            level = Counter({0: 1})
            for h in range(game.H):
                seen = {o for EA, _, _ in self.worlds for row in EA[h] for o in row}
                after: Counter[int] = Counter()
                for (m, count), o in product(level.items(), seen):
                    for a, chance in enumerate(policy[h][self.learner.row[h][m, o]]):
                        if chance:
                            after[int(self.learner.next[h][m, o, a])] += count
                level = after
            if level.total() > limit:
                raise LimitExceeded(f"policy {name}", "trajectories", level.total(), limit)

    @cached_property
    def laws(self) -> list[dict[tuple[int, ...], dict[tuple[int, int], Poly]]]:
        """Return, for each policy, full learner sequence -> {xi: P given its actions}."""
        return [self._laws(p) for p in range(len(self.game.policies))]

    def same_actions(self) -> Iterator[Goal]:
        """Return where the responses to two policies differ, every action is possible in either."""
        for k, response in enumerate(self.responses):
            for rows in (row for step in zip(*response, strict=True) for row in zip(*step, strict=True)):
                for b in range(len(self.game.B)):
                    entries = {str(x): x for x in (row.get(b, self.ring.zero) for row in rows)}
                    if len(entries) > 1:
                        yield from (self.goal(x, True, self.cell_of((None, k))) for x in entries.values())

    @cached_property
    def observations(self) -> list[tuple[tuple[int, int], Poly, Poly]]:
        """Return (xi, P of a prefix, P of the prefix with a next observation that is possible), each once."""
        found: dict[Any, tuple[tuple[int, int], Poly, Poly]] = {}
        for p in range(len(self.game.policies)):
            self._laws(p, found)
        return [*found.values()]

    def _laws(self, p: int, found: dict[Any, Any] | None = None) -> dict[tuple[int, ...], dict[tuple[int, int], Poly]]:
        game = self.game
        level: list[tuple[tuple[int, ...], int, dict[Any, Any]]] = [((), 0, dict.fromkeys(self.models, self.initial()))]
        for h in range(game.H):
            following = []
            for sequence, uA, states in level:
                seen = {o for (i, _), q in states.items() for s, _ in q for o in self.worlds[i][0][h][s]}
                for o in sorted(seen):
                    row = game.policies[p][h][self.learner.row[h][uA, o]]
                    for a in (a for a, chance in enumerate(row) if chance):
                        after = {xi: self.step(xi, p, h, o, a, q) for xi, q in states.items()}
                        if found is not None:
                            for xi, q in after.items():
                                masses = tuple(sum(x.values(), self.ring.zero) for x in (states[xi], q))
                                if masses[1] != 0:
                                    found[xi, *map(str, masses)] = xi, *masses
                        if any(after.values()):
                            following.append(((*sequence, o, a), int(self.learner.next[h][uA, o, a]), after))
            level = following
        return {
            sequence: {xi: sum(q.values(), self.ring.zero) for xi, q in states.items()} for sequence, _, states in level
        }

    # -- goals

    def cell_of(self, xi: tuple[int | None, int | None]) -> Cell:
        """Return the region of a model, or of one side of it."""
        sides = [self.cells[side][n] for side, n in zip(("theta", "Phi"), xi, strict=True) if n is not None]
        box = {name: ends for cell in sides for name, ends in cell.box.items()}
        return Cell({}, box, tuple(c for cell in sides for c in cell.constraints))

    def goal(self, p: Poly, strict: bool, cell: Cell) -> Goal:
        """Return the goal ``p`` >= 0 (> 0) on a region, spelled as certificates spell it: on every part of the class's
        region a divisor has the sign that it has in the middle of the whole."""
        whole = self.ring.primitive(self.ring.cleared(p, middle(cell.whole or cell.box)))
        terms = self.ring.terms(whole)
        tied = cell.tied({name for key in terms for name in key})
        mine = [dict(c) for c in cell.constraints if any(name in tied for key, _ in c for name in key)]
        box = {name: cell.box[name] for name in tied}
        under = [f"{spelled(c)} >= 0" for c in mine]
        under += [f"{box[name][0]} <= {name} <= {box[name][1]}" for name in tied if name in cell.cut]
        where = f" where {', '.join(under)}" if under else ""
        statement = f"{self.ring.text(whole)} {'>' if strict else '>='} 0{where}"
        return Goal(statement, terms, strict, box, [{k: Fraction(c) for k, c in each.items()} for each in mine])

    def probabilities(self) -> Iterator[Goal]:
        """Yield the goals that divisors keep their sign and that entries are nonnegative."""
        for side, n, tables in (
            *(("theta", i, world) for i, world in enumerate(self.worlds)),
            *(("Phi", k, list(blocks.values())) for k, blocks in enumerate(self.blocks)),
        ):
            cell = self.cell_of((n, None) if side == "theta" else (None, n))
            entries = list({str(p): p for p in leaves(tables) if not p.is_constant()}.values())
            read = (p for place, p in self._values.items() if place[:2] == (side, n))
            used = {name for p in read for name in self.ring.used(p)}
            for name, divisor in self.ring.divisors.items():
                if name in used:
                    positive = self.ring.value(divisor, middle(cell.box)) > 0
                    yield self.goal(divisor if positive else -divisor, True, cell)
            for p in entries:
                yield self.goal(p, False, cell)

    def columns(self) -> Iterator[tuple[tuple[int, int], list[Poly]]]:
        """Return the columns of J that depend on a parameter, each once per model."""
        game, seen = self.game, set[Any]()
        for xi in self.models:
            steps: dict[tuple[int, str], int] = {}
            for p, g in enumerate(self.responses[xi[1]]):
                for h, rows in enumerate(g):
                    if steps.setdefault((h, str(rows)), p) != p:
                        continue
                    for s, m in product(range(len(game.S)), range(self.adversary.count(h))):
                        for o, a in product(self.worlds[xi[0]][0][h][s], range(len(game.A))):
                            column = self.step(xi, p, h, o, a, {(s, m): self.ring.one})
                            parts = [x for x in column.values() if not x.is_constant()]
                            key = xi, str(parts)
                            if parts and key not in seen:
                                seen.add(key)
                                yield xi, parts

    def positive(self) -> Iterator[tuple[Goal, int, tuple[int, ...], tuple[int, int]]]:
        """Yield, for every trajectory that some model can play, the goal that it is possible in all models: the goal,
        policy, trajectory and model."""
        for p, law in enumerate(self.laws):
            for sequence, probabilities in law.items():
                for xi, probability in probabilities.items():
                    yield self.goal(probability, True, self.cell_of(xi)), p, sequence, xi


def leaves(tables: Any) -> Iterator[Any]:
    """Yield what stands in nested tables and sparse rows."""
    if isinstance(tables, list | tuple | dict):
        for each in tables.values() if isinstance(tables, dict) else tables:
            yield from leaves(each)
    else:
        yield tables
