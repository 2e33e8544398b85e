"""Lists the problems of Assumption 2.4 on interval axes, one per chart: their numbers on boxes, and what shows an alpha
there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import numpy as np

from pomgcheck.search.claims.weak_revealing import lowest
from pomgcheck.search.claims.weak_revealing_cover import Better, Cover, OutOfEffort, Pool
from pomgcheck.search.claims.weak_revealing_problems import Problem
from pomgcheck.search.claims.weak_revealing_simplex import SubSimplex
from pomgcheck.search.continuum import Continuum
from pomgcheck.search.exact.forms import Floats, Forms, largest, slack, total
from pomgcheck.search.exact.polynomials import Terms, at
from pomgcheck.search.exact.programs import best_test, least_factor
from pomgcheck.search.pairs import STEP, Chart, Divisors, Leaves, Region, charts, reduced

ONE = Fraction(1)
SIGNS = 2  # windows up to which all tests of values 1 and -1 are in the pool from the start
REACH = Fraction(1, 50)  # of its axis, how far apart two models are at which a linear program is solved
CUTTING = (60, 12)  # nodes and depth of a tree of cuts
RatioForms = tuple[Forms, Forms, dict[Any, Forms], dict[Any, Forms], dict[Any, Forms]]


@dataclass
class Question:
    """A question is one problem in one chart. ``columns`` has, for each pure state, the numbers in ``entries`` of Z, of
    M by window and of W by channel coordinate."""

    context: tuple[int, int, int, int, int, int, int, int]
    chart: Chart
    entries: list[tuple[Terms, Terms]]
    columns: list[tuple[int, dict[Any, int], dict[Any, int]]]
    states: list[Any]
    literal: bool
    size: int
    pool: list[list[Fraction]]
    cuts: Any = None
    factor: tuple[list[list[Fraction]], Fraction] | None = None  # P with dW = P dM, and the alpha it shows
    width: int = field(default=0)
    common: Terms = field(default_factory=lambda: {(): ONE})  # what all differences are divided by beside t

    @property
    def shared(self) -> bool:
        """Return whether Z is the same in both models at every pure state."""
        return not any(self.entries[Z][1] for Z, _, _ in self.columns)

    def evaluate(self, points: Floats) -> Floats:
        """Return the alpha that the pool shows at points, which is a lower bound of the ratio."""
        leaves, vertices = self._vertices(points, points)

        def least(cuts: Any, vertices: list[RatioForms]) -> Floats:
            if cuts is None:
                return np.array(np.stack([self._ratio(y, vertices, leaves) for y in self.pool]).max(0))
            left, right = self._halves(cuts, vertices)
            return np.array(np.minimum(least(cuts[3], left), least(cuts[4], right)))

        return np.where(leaves.outside, np.inf, least(self.cuts, vertices))

    def examine(self, low: Floats, high: Floats, most: float) -> tuple[Floats, Floats]:
        """Return the alpha that each box shows, at most ``most``, and the slack there."""
        return self.chosen(low, high, most)[:2]

    def chosen(self, low: Floats, high: Floats, most: float) -> tuple[Floats, Floats, Any]:
        """Return the same as ``examine``, and the number of the best test on each piece of the simplex."""
        leaves, vertices = self._vertices(low, high)

        def shown(cuts: Any, vertices: list[RatioForms]) -> tuple[Floats, Floats, Any]:
            if cuts is None:
                found = [self._tested(y, vertices, leaves, most) for y in self.pool]
                values, slacks = np.stack([x for x, _ in found]), np.stack([x for _, x in found])
                best = np.lexsort((slacks, values), axis=0)[-1]
                n = np.arange(len(low))
                return values[best, n], slacks[best, n], best
            left, right = self._halves(cuts, vertices)
            below, above = shown(cuts[3], left), shown(cuts[4], right)
            return np.minimum(below[0], above[0]), np.minimum(below[1], above[1]), (below[2], above[2])

        value, slacks, best = shown(self.cuts, vertices)
        return np.where(leaves.outside, most, value), np.where(leaves.outside, 0.0, slacks), best

    def _vertices(self, low: Floats, high: Floats) -> tuple[Leaves, list[RatioForms]]:
        leaves = Leaves(self.chart, low, high)
        first = [leaves.form(p) for p, _ in self.entries]
        quotient = [leaves.form(q) for _, q in self.entries]
        return leaves, [
            (
                first[Z],
                quotient[Z],
                {w: first[x] for w, x in M.items()},
                {w: quotient[x] for w, x in M.items()},
                {v: quotient[x] for v, x in D.items() if self.entries[x][1]},
            )
            for Z, M, D in self.columns
        ]

    @staticmethod
    def _halves(cuts: Any, vertices: list[RatioForms]) -> tuple[list[RatioForms], list[RatioForms]]:
        i, j, t = cuts[:3]
        point = mixed(vertices[i], vertices[j], float(Fraction(t)))
        return (
            [point if m == j else v for m, v in enumerate(vertices)],
            [point if m == i else v for m, v in enumerate(vertices)],
        )

    def _ratio(self, y: list[Fraction], vertices: list[RatioForms], leaves: Leaves) -> Floats:
        with np.errstate(all="ignore"):
            ratios = [
                np.where(right.centre > 0, left.centre / right.centre, np.where(left.centre < -1e-12, -1.0, np.inf))
                for left, right in self._sides(y, vertices, leaves)
            ]
        return np.array(np.minimum.reduce(ratios))

    def _tested(
        self, y: list[Fraction], vertices: list[RatioForms], leaves: Leaves, most: float
    ) -> tuple[Floats, Floats]:
        sides = self._sides(y, vertices, leaves)
        ends = np.full(leaves.like[0], most)
        return (
            np.array(np.minimum.reduce([largest(pair, most) for pair in sides])),
            np.array(np.minimum.reduce([slack(pair, ends) for pair in sides])),
        )

    def _sides(self, y: list[Fraction], vertices: list[RatioForms], leaves: Leaves) -> list[tuple[Forms, Forms]]:
        """Return both sides of the inequalities that show ratio >= alpha on the hull of the vertices."""
        like = leaves.like
        values = [float(x) for x in y]

        def tested(law: Mapping[Any, Forms]) -> Forms:
            return total((form.times(values[self.index(w)]) for w, form in law.items()), like)

        c = [total((form.magnitude() for form in v[4].values()), like) for v in vertices]
        u_, Z = [tested(v[3]) for v in vertices], [v[0] for v in vertices]
        n = range(len(vertices))
        if not self.literal:
            return [(u_[i], c[i]) for i in n]
        if self.shared:
            return [(u_[i] + u_[j], Z[i] * c[j] + Z[j] * c[i]) for i, j in combinations_with_replacement(n, 2)]
        step = leaves.t * leaves.form(self.common)
        Z_, u = [v[0] + step * v[1] for v in vertices], [tested(v[2]) for v in vertices]
        return [
            (
                total((Z[i] * u_[j] - vertices[i][1] * u[j] for i, j in permutations(places, 2)), like),
                total((Z[i] * Z_[j] * c[k] for i, j, k in permutations(places)), like),
            )
            for places in combinations_with_replacement(n, 3)
        ]

    def index(self, window: tuple[int, ...]) -> int:
        """Return the number of a window, which is its place among the values of a test function."""
        number = 0
        for o in window:
            number = number * self.size + o
        return number

    def apart(self, point: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """Return a point of the chart with the models some way apart, so that differences are well seen in floats."""
        if self.chart.step is None:
            return dict(point)
        other, k = self.chart.step
        low, high = self.chart.box[k]
        least = (high - low) * REACH
        t = point[other] - point[k]
        if abs(t) >= least:
            return dict(point)
        there = point[k] + least if point[k] + least <= high else point[k] - least
        return dict(point) | {other: there}

    def problem(self, point: Mapping[str, Fraction]) -> Problem:
        """Return the finite problem of the two worlds at a point, exactly."""
        step, divisors = self.chart.step, self.chart.divisors.terms
        t = point[step[0]] - point[step[1]] if step else ONE
        values = {**point, STEP: t}
        for name in {n for row in (*self.entries, (self.common,)) for p in row for key in p for n in key}:
            if name in divisors:
                values[name] = 1 / at(divisors[name], values)
        whole = t * at(self.common, values)
        first, change = ([unit * at(row[k], values) for row in self.entries] for k, unit in enumerate((ONE, whole)))
        windows = sorted({w for _, M, _ in self.columns for w in M})
        channel = sorted({v for _, _, D in self.columns for v in D})
        zero = Fraction(0)

        def matrix(tables: list[dict[Any, int]], keys: list[Any], value: Any) -> Any:
            rows = [[value(table[key]) if key in table else zero for table in tables] for key in keys]
            return np.array(rows, dtype=object).reshape(len(keys), len(self.columns))

        Z = np.array([first[Z] for Z, _, _ in self.columns], dtype=object)
        Z_ = np.array([first[Z] + change[Z] for Z, _, _ in self.columns], dtype=object)
        laws, gaps = [M for _, M, _ in self.columns], [D for _, _, D in self.columns]
        M = matrix(laws, windows, lambda x: first[x])
        M_ = matrix(laws, windows, lambda x: first[x] + change[x])
        D = matrix(gaps, channel, lambda x: -change[x])
        form = "literal" if self.literal else "joint"
        numbers = [self.index(w) for w in windows]
        return Problem(self.context, self.states, Z, Z_, M, M_, D, numbers, form, 1, 1)

    def learn(self, point: Mapping[str, Fraction]) -> bool:
        """Add the best test function at a point to the pool; where none clears the simplex, cuts of it as well."""
        problem = self.problem(self.apart(point))
        node = SubSimplex.whole(problem)
        answer = best_test(*node.inequalities())
        before = len(self.pool)
        if answer is not None and answer[0] > 0:
            near = (Fraction(float(x)).limit_denominator(1000) for x in answer[1])
            self._add(problem.windows, [min(ONE, max(-ONE, x)) for x in near])
        if self.cuts is None and problem.asks:
            least = lowest([problem])
            if least.ratio and (answer is None or answer[0] < float(least.ratio) * 0.9):
                pool = Pool()
                try:
                    tree = TestsOnly(problem, least.ratio * Fraction(9, 10), pool, self.width, CUTTING).tree(node)
                except (OutOfEffort, Better):
                    return len(self.pool) > before
                for y in pool.tests:
                    self._add(list(range(len(y))), y)
                self.cuts = cuts_of(tree)
                return True
        return len(self.pool) > before

    def factored(self) -> None:
        """Look for P with dW = P dM at all pairs: identities of the coefficients of every monomial."""
        if self.literal and not self.shared:
            return
        quotient = [q for _, q in self.entries]
        windows = sorted({w for _, M, _ in self.columns for w in M})
        channel = sorted({v for _, _, D in self.columns for v, x in D.items() if quotient[x]})
        keys = [sorted({key for x in (*M.values(), *D.values()) for key in quotient[x]}) for _, M, D in self.columns]

        none: Terms = {}

        def rows(places: list[Any], columns: list[dict[Any, int]]) -> Any:
            tables = [[quotient[x[place]] if place in x else none for x in columns] for place in places]
            return np.array(
                [
                    [x.get(key, Fraction(0)) for x, mine in zip(table, keys, strict=True) for key in mine]
                    for table in tables
                ],
                dtype=object,
            )

        P = least_factor(rows(windows, [M for _, M, _ in self.columns]), rows(channel, [D for _, _, D in self.columns]))
        constants = [self.entries[Z][0] for Z, _, _ in self.columns]
        if P is None or (self.literal and any({*p} - {()} for p in constants)):
            return
        most = max(p.get((), Fraction(0)) for p in constants) if self.literal else ONE
        N = max(sum(abs(row[w]) for row in P) for w in range(len(windows)))
        if most * N > 0:
            self.factor = P, 1 / (most * N)

    def _add(self, windows: list[int], y: list[Fraction]) -> None:
        full = [Fraction(0)] * self.width
        for w, value in zip(windows, y, strict=True):
            full[w] = value
        for one in (full, [-x for x in full]):
            if one not in self.pool:
                self.pool.append(one)


class TestsOnly(Cover):
    """This searches for trees without factors."""

    def new_factor(self, node: SubSimplex) -> list[Any] | None:
        """Return ``None``: no factor is looked for."""
        return None


def cuts_of(tree: list[Any]) -> Any:
    """Return the cuts of a finite tree, with its leaves left open."""
    return None if tree[0] != "cut" else (tree[1], tree[2], tree[3], cuts_of(tree[4]), cuts_of(tree[5]))


def mixed(left: RatioForms, right: RatioForms, t: float) -> RatioForms:
    """Return (1-t) left + t right."""

    def combined(x: Any, y: Any) -> Any:
        if isinstance(x, dict):
            out = {key: form.times(1 - t) for key, form in x.items()}
            for key, form in y.items():
                out[key] = out[key] + form.times(t) if key in out else form.times(t)
            return out
        return x.times(1 - t) + y.times(t)

    a, b, c, d, e = (combined(x, y) for x, y in zip(left, right, strict=True))
    return a, b, c, d, e


Sides = dict[tuple[int, ...], list[str]]  # context (k, p, h, uA, o, a) -> per cell of Theta what its data are called


def questions(
    c: Continuum, kappa: int, literal: bool, known: Sides, asked_of: dict[Any, list[Question]]
) -> Iterator[Question]:
    """Yield the distinct problems in their charts. On the way ``known`` is filled with the names of the data of every
    context, and ``asked_of`` with the questions about each pair of them."""
    game, seen = c.game, set[Any]()
    divisors = Divisors({x: c.ring.terms(d) for x, d in c.ring.divisors.items()})
    O, A = range(len(game.OA)), range(len(game.A))
    moving = {(h, o, a) for h, o, a in product(range(game.H - kappa), O, A) if moves(c, h, o, a)}
    for k, p, h in product(range(len(c.responses)), range(len(game.policies)), range(game.H - kappa)):
        for uA, o, a in product(range(c.learner.count(h)), O, A):
            if (h, o, a) not in moving:
                continue
            cells: dict[str, tuple[int, Region, Any]] = {}
            names_here = known[k, p, h, uA, o, a] = list[str]()
            for i in range(len(c.worlds)):
                table = columns(c, (i, k), p, h, kappa, uA, o, a)
                names = sorted(
                    {
                        n
                        for column in table.values()
                        for part in column
                        for x in part.values()
                        for n in divisors.names(x)
                    }
                )
                cell = c.cell_of((i, k))
                constraints = [{key: Fraction(x) for key, x in terms} for terms in cell.constraints]
                part = Region(
                    {n: cell.box[n] for n in names}, [x for x in constraints if divisors.names(x) <= {*names}]
                )
                key = str(
                    (
                        sorted(
                            (s, [sorted((w, sorted(x.items())) for w, x in y.items()) for y in column])
                            for s, column in table.items()
                        ),
                        list(part.box.items()),
                        [sorted(x.items()) for x in part.constraints],
                    )
                )
                cells.setdefault(key, (i, part, table))
                names_here.append(key)
            for (left, one), (right, other) in combinations_with_replacement(cells.items(), 2):
                if (left, right) not in seen:
                    seen.add((left, right))
                    found = list(asked(c, (one, other), (k, p, h, uA, o, a), kappa, literal, divisors))
                    asked_of[left, right] = found
                    yield from found


def moves(c: Continuum, h: int, o: int, a: int) -> bool:
    """Return whether W depends on what is unknown of the world."""
    tables = [[c.channel(i, h, o, a, s) for s in range(len(c.game.S))] for i in range(len(c.worlds))]
    used = any(c.ring.parameters(x) for table in tables for row in table for x in row.values())
    return used or any(table != tables[0] for table in tables)


def columns(c: Continuum, xi: tuple[int, int], p: int, h: int, kappa: int, uA: int, o: int, a: int) -> dict[Any, Any]:
    """Return, by pure state (s, uB), Z, M by window and W by channel coordinate, each with the entries that are not
    zero."""
    game, EA = c.game, c.worlds[xi[0]][0]
    out = {}
    for s, m in product(range(len(game.S)), range(c.adversary.count(h))):
        M: dict[Any, Any] = {}

        def walk(step: int, uA: int, window: tuple[int, ...], q: Any, M: dict[Any, Any] = M) -> None:
            for seen in range(len(game.OA)):
                mass = sum((x * EA[step][s][seen] for (s, _), x in q.items() if seen in EA[step][s]), c.ring.zero)
                if mass == 0:
                    continue
                if len(window) + 1 == kappa:
                    M[*window, seen] = M.get((*window, seen), c.ring.zero) + mass
                    continue
                for played, chance in enumerate(game.policies[p][step][c.learner.row[step][uA, seen]]):
                    if chance:
                        share = {key: x * c.ring.constant(chance) for key, x in q.items()}
                        after = c.step(xi, p, step, seen, played, share)
                        walk(step + 1, int(c.learner.next[step][uA, seen, played]), (*window, seen), after)

        walk(h + 1, int(c.learner.next[h][uA, o, a]), (), c.step(xi, p, h, o, a, {(s, m): c.ring.one}))
        code = c.adversary.codes[h][m]
        W = {(s_next, code, oB, b): x for (s_next, oB, b), x in c.channel(xi[0], h, o, a, s).items()}
        Z = {(): EA[h][s][o]} if o in EA[h][s] else {}
        out[s, code] = tuple({key: c.ring.terms(x) for key, x in part.items() if x != 0} for part in (Z, M, W))
    return out


def asked(
    c: Continuum, cells: Any, place: tuple[int, ...], kappa: int, literal: bool, divisors: Divisors
) -> Iterator[Question]:
    """Yield a problem of two cells in its charts."""
    (i, region, star), (j, other, here) = cells
    if literal and not all(any(column[0] for column in table.values()) for table in (star, here)):
        return
    k, p, h, uA, o, a = place
    still = [name for name in (*region.box, *other.box) if name.startswith("Phi.")]
    width = len(c.game.OA) ** kappa
    for chart in charts(region, None if star is here else other, divisors, still):
        entries: list[tuple[Terms, Terms]] = []
        numbers: dict[str, int] = {}

        def number(left: Any, right: Any, chart: Any = chart, entries: Any = entries, numbers: Any = numbers) -> int:
            key = str((sorted(left.items()), sorted(right.items())))
            if key not in numbers:
                numbers[key] = len(entries)
                entries.append((left, chart.quotient(left, right)))
            return int(numbers[key])

        found = []
        for state, column in star.items():
            Z, M, D = (
                {key: number(x.get(key, {}), y.get(key, {})) for key in [*x, *(n for n in y if n not in x)]}
                for x, y in zip(column, here[state], strict=True)
            )
            found.append((Z[()] if Z else number({}, {}), M, D))
        if any(entries[x][1] for _, _, D in found for x in D.values()):
            common, rest = reduced(chart, [q for _, q in entries])
            entries = [(p, q) for (p, _), q in zip(entries, rest, strict=True)]
            pool = [[Fraction(x) for x in y] for y in product((1, -1), repeat=width)] if width <= SIGNS else []
            states = [(s, c.adversary.codes[h].index(code)) for s, code in star]
            yield Question(
                (i, j, k, p, h, uA, o, a),
                chart,
                entries,
                found,
                states,
                literal,
                len(c.game.OA),
                pool,
                width=width,
                common=common,
            )
