"""Assumption 2.4 on interval axes, by rule ``pairs``: one test function a leaf, the inequalities of rule ``lin`` with
quadratic enclosures in place of numbers.

With M' = M + t dM, Z' = Z + t dZ and W' = W + t dW the ratio is of degree 0 in t, so t is divided out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

from .boxes import Region
from .budget import spend
from .continua import Continuum
from .divergence import frozen, moved
from .forms import ONE, Form, Unbounded, total
from .game import Malformed, rational, require, sequence
from .operators import Memory, W, pure_states, window_law
from .pairs import Chart, Entries, Leaf, charts, used
from .polynomials import Polynomial, polynomial

Column = tuple[Form, Form, dict[Memory, Form], dict[Memory, Form], dict[Any, Form]]  # Z, dZ, M, dM, dW


class Question(NamedTuple):
    """One problem in one chart: per pure state the numbers of Z, of M by window and of W by channel coordinate."""

    chart: Chart
    entries: Entries
    columns: list[tuple[int, dict[Memory, int], dict[Any, int]]]
    shared: bool

    def vertices(self, leaf: Leaf) -> list[Column]:
        first, quotient = self.entries.on(leaf)
        zero = total((), leaf.dimension)
        return [
            (
                first[Z] or zero,
                quotient[Z] or zero,
                {w: first[x] or zero for w, x in M.items()},
                {w: quotient[x] or zero for w, x in M.items()},
                {v: d for v, x in D.items() if (d := quotient[x])},
            )
            for Z, M, D in self.columns
        ]


def questions(continuum: Continuum, kappa: int, literal: bool) -> Iterator[Question]:
    """The distinct problems in order of first appearance, each in its charts; both models share the axes of Psi.

    Left out are those where W does not change and, in the literal form, those whose observation is impossible.
    """
    game, space, seen = continuum.game, continuum.space, set[Any]()
    O, A = range(len(game.OA)), range(len(game.A))
    moving = {(h, o, a) for h, o, a in product(range(game.H - kappa), O, A) if moves(continuum, h, o, a)}
    for k, p in product(range(len(continuum.phis)), range(len(game.policies))):
        g, policy = continuum.responses[k][p], game.policies[p]
        for h in range(game.H - kappa):
            contexts = space.count(h, True) * len(O) * len(A) * len(continuum.worlds)
            spend(20 * contexts, f"{contexts} contexts of weak revealing")
            for uA, o, a in product(space.memories(h, True), O, A):
                if (h, o, a) not in moving:
                    continue
                cells: dict[Any, tuple[Region, dict[Any, Any]]] = {}
                for i, world in enumerate(continuum.worlds):
                    table = {
                        state: {
                            "Z": moved({(): world.EA[h][state[0]][o]}, {}),
                            "M": moved(window_law(space, world, g, policy, h, kappa, uA, o, a, {state: 1}), {}),
                            "W": moved(W(world, h, o, a, {state: 1}), {}),
                        }
                        for state in pure_states(space, h)
                    }
                    region = continuum.region(i, k)
                    names = used(table)
                    box = {name: region.box[name] for name in names}
                    mine = Region(box, tuple(c for c in region.constraints if {*used(c)} <= {*names}))
                    cells.setdefault((frozen(table), tuple(box.items()), mine.constraints), (mine, table))
                for (left, one), (right, other) in combinations_with_replacement(cells.items(), 2):
                    key = left, right
                    if key in seen:
                        continue
                    seen.add(key)
                    yield from asked(one, other, literal)


def moves(continuum: Continuum, h: int, o: int, a: int) -> bool:
    """Whether W depends on what is unknown of the world."""
    states = list(pure_states(continuum.space, h))
    tables = [[W(world, h, o, a, {state: 1}) for state in states] for world in continuum.worlds]
    return bool(used(tables)) or any(table != tables[0] for table in tables)


def asked(left: Any, right: Any, literal: bool) -> Iterator[Question]:
    """A problem in its charts."""
    (region, star), (other, here) = left, right
    if literal and not all(any(column["Z"] for column in table.values()) for table in (star, here)):
        return
    still = [name for name in (*region.box, *other.box) if name.startswith("Phi.")]
    for chart in charts(region, None if star is here else other, still):
        entries, columns = Entries(chart), []
        for state, column in star.items():
            Z, M, D = (entries.table(column[x], here[state][x]) for x in ("Z", "M", "W"))
            columns.append((Z.get((), None), M, D))
        if any(entries.moves(D) for _, _, D in columns):
            none = entries.number(polynomial(0), polynomial(0))
            numbered = [(none if Z is None else Z, M, D) for Z, M, D in columns]
            yield Question(chart, entries, numbered, not any(entries.polynomials[Z][1] for Z, _, _ in numbered))


def mixed(left: Column, right: Column, t: Fraction) -> Column:
    """(1-t) left + t right."""

    def combined(x: Any, y: Any) -> Any:
        if isinstance(x, dict):
            out = {key: form.times(1 - t) for key, form in x.items()}
            for key, form in y.items():
                out[key] = out[key] + form.times(t) if key in out else form.times(t)
            return out
        return x.times(1 - t) + y.times(t)

    return tuple(combined(x, y) for x, y in zip(left, right, strict=True))


class Leaves:
    """The part of the trees below the boxes: cuts of the simplex as in rule ``lin``, and test functions."""

    def __init__(
        self,
        question: Question,
        tests: list[list[Fraction]],
        factors: list[list[list[Fraction]]],
        alpha: Fraction,
        joint: bool,
        size: int,
        where: str,
    ) -> None:
        self.question, self.tests, self.factors, self.alpha, self.joint = question, tests, factors, alpha, joint
        self.size, self.where = size, where

    def shown(self, leaf: Leaf, node: list[Any]) -> bool:
        """Whether ratio >= alpha on the whole simplex, at every pair of the leaf."""
        try:
            return self.show(leaf, node, self.question.vertices(leaf))
        except Unbounded:
            return False

    def show(self, leaf: Leaf, node: list[Any], vertices: list[Column], depth: int = 0) -> bool:
        """Whether ratio >= alpha on the hull of the vertices, at every pair of the leaf.

        ``["test", k]``: by test function k.  ``["factor", k]``: by factor k.
        ``["cut", i, j, "t", left, right]``: edge (v_i, v_j) is cut at (1-t) v_i + t v_j, which takes
        the place of v_j in ``left`` and of v_i in ``right``.
        """
        n = range(len(vertices))
        match node:
            case ["test", int(k)] if not isinstance(k, bool) and 0 <= k < len(self.tests):
                return self.test(leaf, self.tests[k], vertices)
            case ["factor", int(k)] if not isinstance(k, bool) and 0 <= k < len(self.factors):
                return self.factor(self.factors[k], vertices)
            case ["cut", int(i), int(j), at, left, right] if i in n and j in n and i != j and depth < 400:
                require(type(i) is type(j) is int, self.where, str(node)[:60], "vertices by their numbers")
                t = rational(at, self.where)
                if not 0 < t < 1:
                    raise Malformed(self.where, f"a cut at {t}", "0 < t < 1")
                point = mixed(vertices[i], vertices[j], t)
                sides = (
                    (left, [point if m == j else v for m, v in enumerate(vertices)]),
                    (right, [point if m == i else v for m, v in enumerate(vertices)]),
                )
                return all(self.show(leaf, sequence(x, self.where), half, depth + 1) for x, half in sides)
        raise Malformed(self.where, str(node)[:60], '"split", "cut", "factor" or "test"')

    def test(self, leaf: Leaf, y: list[Fraction], vertices: list[Column]) -> bool:
        """u = y M, du = y dM and c = ||dW||_1 at the vertices; every Bernstein coefficient of
        Z du - dZ u >= alpha Z Z' c on the hull (of du >= alpha Z c where Z' = Z, of du >= alpha c in joint form)."""
        d, n = leaf.dimension, range(len(vertices))

        def tested(law: Mapping[Memory, Form]) -> Form:
            return total((form.times(y[self.index(w)]) for w, form in law.items()), d)

        c = [total((form.magnitude() for form in v[4].values()), d).times(self.alpha) for v in vertices]
        u_ = [tested(v[3]) for v in vertices]
        spend(len(n) ** (1 if self.joint else 2 if self.question.shared else 3) * d, "inequalities of leaves")
        if self.joint:
            return all((u_[i] - c[i]).low >= 0 for i in n)
        Z = [v[0] for v in vertices]
        if self.question.shared:
            return all(
                (u_[i] + u_[j] - Z[i] * c[j] - Z[j] * c[i]).low >= 0 for i, j in combinations_with_replacement(n, 2)
            )
        step = leaf.t * leaf.form(self.question.entries.factor)
        Z_ = [v[0] + step * v[1] for v in vertices]
        u = [tested(v[2]) for v in vertices]
        return all(
            (
                total((Z[i] * u_[j] - vertices[i][1] * u[j] for i, j in permutations(places, 2)), d)
                - total((Z[i] * Z_[j] * c[k] for i, j, k in permutations(places)), d)
            ).low
            >= 0
            for places in combinations_with_replacement(n, 3)
        )

    def factor(self, P: list[list[Fraction]], vertices: list[Column]) -> bool:
        """dW = P dM as polynomials, so ||dW q||_1 <= N ||dM q||_1 with N the largest column sum of |P|, and
        alpha N Z <= 1; not where emissions differ in the literal form."""
        columns, entries = self.question.columns, self.question.entries.polynomials
        windows = sorted({w for _, M, _ in columns for w in M})
        channel = sorted({v for _, _, D in columns for v, x in D.items() if entries[x][1]})
        if len(P) != len(channel) or any(len(row) != len(windows) for row in P):
            raise Malformed(self.where, "a factor of another shape", f"{len(channel)} x {len(windows)}")
        for _, M, D in columns:
            for v, row in zip(channel, P, strict=True):
                product = sum((entries[M[w]][1] * x for w, x in zip(windows, row, strict=True) if w in M), Polynomial())
                if product - (entries[D[v]][1] if v in D else 0):
                    return False
        N = self.alpha * max(sum(abs(row[w]) for row in P) for w in range(len(windows)))
        if self.joint:
            return N <= 1
        return self.question.shared and all(v[0].times(N).high <= ONE for v in vertices)

    def index(self, window: Memory) -> int:
        number = 0
        for o in window:
            number = number * self.size + o
        return number
