"""Assumption 2.4: alpha_kappa from below by test functions, factors and split trees, from above by explicit q.

Only the least alpha matters: one explicit q gives the upper value, and every other problem is cleared at that value
with what already lies in the pool, a linear program being solved only where nothing there is good enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import lcm
from typing import Any

import numpy as np

from .exact.programs import Floats, best_test, least_factor, roundings
from .exact.tables import Integers, Tables, integers
from .finding import Finding, Labels

QUICK = (64, 14)  # nodes and depth spent on showing the attained value itself
LONG = (4000, 300)  # and on showing a value within the tolerance below it
NEAR = Fraction(1, 10**8)  # how near a vertex where a Z vanishes its limit is looked at
MAX_BETTER = 60  # lower points found in one problem before it is given up


@dataclass
class Problem:
    """Exact data of one problem, one column a pure state: Z, Z_ [n] integers over ``z_unit``; M, M_ [windows, n] and
    D = W - W' [channel, n] integers over ``unit``."""

    context: tuple[int, ...]
    states: list[tuple[int, int]]
    Z: Any
    Z_: Any
    M: Any
    M_: Any
    D: Any
    windows: list[int]
    form: str
    z_unit: int
    unit: int

    def at(self, q: Any) -> tuple[Fraction, Fraction] | None:
        """(signal, difference) of ratio(q), exactly; ``None`` where a Z vanishes in the literal form."""
        difference = Fraction(sum(abs(x) for x in self.D @ q)) / self.unit
        if self.form == "joint":
            return Fraction(sum(abs(x) for x in (self.M - self.M_) @ q)) / self.unit, difference
        Z, Z_ = Fraction(self.Z @ q), Fraction(self.Z_ @ q)
        if not Z or not Z_:
            return None
        signal = sum((abs(x / Z - y / Z_) for x, y in zip(self.M @ q, self.M_ @ q, strict=True)), Fraction(0))
        return signal * self.z_unit / self.unit, difference

    @property
    def asks(self) -> bool:
        """Whether W differs somewhere and, in the literal form, o can be seen in both worlds."""
        return bool(self.D.any() and (self.form == "joint" or (self.Z.any() and self.Z_.any())))

    def whole(self) -> Node:
        """The whole simplex as a node."""
        n = len(self.states)
        weights = np.full((n, n), 0, dtype=object)
        np.fill_diagonal(weights, 1)
        return Node(self, weights, self.Z, self.Z_, self.M, self.M_, self.D)


class Node:
    """A sub-simplex: weights [n, vertices] of its vertices, the problem's exact data there, and floats of them."""

    def __init__(self, problem: Problem, weights: Any, Z: Any, Z_: Any, M: Any, M_: Any, D: Any) -> None:
        self.problem, self.weights = problem, weights
        self.Z, self.Z_, self.M, self.M_, self.D = Z, Z_, M, M_, D
        self.c = np.abs(D).sum(axis=0)
        self.shared = bool((Z == Z_).all())
        self.fZ, self.fZ_ = ((x / problem.z_unit).astype(float) for x in (Z, Z_))
        self.fM, self.fM_, self.fD, self.fc = ((x / problem.unit).astype(float) for x in (M, M_, D, self.c))

    def halves(self, i: int, j: int, t: Fraction) -> tuple[Node, Node]:
        """The two nodes left after cutting edge (v_i, v_j) at (1-t) v_i + t v_j."""

        def cut(array: Any, dropped: int) -> Any:
            out = array.copy()
            out[..., dropped] = (1 - t) * array[..., i] + t * array[..., j]
            return out

        parts = self.weights, self.Z, self.Z_, self.M, self.M_, self.D
        return Node(self.problem, *(cut(x, j) for x in parts)), Node(self.problem, *(cut(x, i) for x in parts))

    def clears(self, y: list[Fraction], alpha: Fraction) -> bool:
        """The leaf inequality of checks.md section 3, exactly, for the test function y at alpha."""
        unit = lcm(*(x.denominator for x in y))
        values = np.array([int(x * unit) for x in y], dtype=object)
        u, u_ = values @ self.M, values @ self.M_
        if self.problem.form == "joint":
            return bool(((u - u_) * alpha.denominator >= alpha.numerator * unit * self.c).all())
        if self.shared:
            v = u - u_
            left, cost = np.add.outer(v, v), symmetric(self.Z, self.c)
        else:
            S, B = symmetric(self.Z_, u) - symmetric(self.Z, u_), symmetric(self.Z, self.Z_)
            left = S[:, :, None] + S[:, None, :] + S[None, :, :]
            cost = B[:, :, None] * self.c + B[:, None, :] * self.c[:, None] + B[None, :, :] * self.c[:, None, None]
        return bool((left * (self.problem.z_unit * alpha.denominator) >= alpha.numerator * unit * cost).all())

    def signal_and_difference(self) -> tuple[Any, Any]:
        """M - M' and the rows of W - W' that are not zero in the problem."""
        return self.M - self.M_, self.D[[v for v, row in enumerate(self.problem.D) if row.any()]]

    def factored(self, P: list[list[Fraction]], alpha: Fraction) -> bool:
        """Rule factor, exactly: W - W' = P (M - M') and alpha N max Z <= 1, N the largest column sum of |P|."""
        if not (self.problem.form == "joint" or self.shared):
            return False
        matrix, unit = integers(P)
        signal, difference = self.signal_and_difference()
        if matrix.shape != (len(difference), len(signal)) or not (matrix @ signal == difference * unit).all():
            return False
        largest = Fraction(1) if self.problem.form == "joint" else Fraction(max(self.Z)) / self.problem.z_unit
        return bool(alpha * np.abs(matrix).sum(axis=0).max() * largest <= unit)

    def inequalities(self) -> tuple[Floats, Floats]:
        """Floats (rows [pairs, windows], costs [pairs]): y clears the node at alpha iff rows @ y >= alpha costs."""
        V = (self.fM - self.fM_).T
        if self.problem.form == "joint":
            return V, self.fc
        n = self.fc.size
        if self.shared:
            i, j = np.tril_indices(n)
            return V[i] + V[j], self.fZ[i] * self.fc[j] + self.fZ[j] * self.fc[i]
        i, j, k = np.array(list(combinations_with_replacement(range(n), 3))).T
        Z, Z_, c = self.fZ, self.fZ_, self.fc
        S = self.fM.T[None] * Z_[:, None, None] - self.fM_.T[None] * Z[:, None, None]  # [a, b, window]
        S, B = S + S.transpose(1, 0, 2), symmetric(Z, Z_)
        return S[i, j] + S[i, k] + S[j, k], B[i, j] * c[k] + B[i, k] * c[j] + B[j, k] * c[i]

    def ratios(self, X: Floats) -> Floats:
        """ratio at the columns of X (weights of the vertices), infinite where it is undefined."""
        below = np.abs(self.fD @ X).sum(axis=0)
        M, M_ = self.fM @ X, self.fM_ @ X
        if self.problem.form == "literal":
            Z, Z_ = self.fZ @ X, self.fZ_ @ X
            fine = (Z > 0) & (Z_ > 0)
            M, M_ = M / np.where(fine, Z, 1), M_ / np.where(fine, Z_, 1)
            below = np.where(fine, below, 0)
        scale = max(float(self.fc.max(initial=0.0)), 1e-300)
        return np.where(below > 1e-13 * scale, np.abs(M - M_).sum(axis=0) / np.where(below > 0, below, 1), np.inf)

    def points(self) -> tuple[Floats, list[tuple[Any, ...]]]:
        """Where a least ratio may hide, as columns of vertex weights, and what each is: a vertex, the centre, where a
        coordinate of W-W' or M-M' changes sign along an edge, or a place near a vertex at which ratio is undefined."""
        n = self.fc.size
        columns, names = [np.eye(n), np.full((n, 1), 1 / n)], [*((v,) for v in range(n)), ()]
        low, high = np.triu_indices(n, 1)
        for which, matrix in enumerate((self.fD, self.fM - self.fM_)):
            left, right = matrix[:, low], matrix[:, high]
            rows, edges = np.nonzero(left * right < 0)
            t = left[rows, edges] / (left[rows, edges] - right[rows, edges])
            _, first = np.unique(np.stack([edges, np.round(t, 12)]), axis=1, return_index=True)
            X = np.zeros((n, first.size))
            X[low[edges[first]], np.arange(first.size)] = 1 - t[first]
            X[high[edges[first]], np.arange(first.size)] = t[first]
            columns.append(X)
            names += [(which, rows[k], low[edges[k]], high[edges[k]]) for k in first]
        for v in np.flatnonzero(self.fZ * self.fZ_ == 0).tolist():
            near = float(NEAR) * np.eye(n)
            near[v] += 1 - float(NEAR)
            columns.append(near)
            names += [(v, w) for w in range(n)]
        return np.hstack(columns), names

    def exact_point(self, name: tuple[Any, ...]) -> Any:
        """A named point as exact weights of the pure states."""
        if not name:
            return self.weights.sum(axis=1) * Fraction(1, self.fc.size)
        if len(name) == 1:
            return self.weights[:, name[0]]
        if len(name) == 2:
            return (1 - NEAR) * self.weights[:, name[0]] + NEAR * self.weights[:, name[1]]
        which, row, i, j = name
        values = self.D[row] if which == 0 else self.M[row] - self.M_[row]
        if values[i] == values[j]:  # the float signs were rounding
            return self.weights[:, i]
        t = Fraction(values[i]) / (values[i] - values[j])
        t = min(max(t, Fraction(0)), Fraction(1))
        return (1 - t) * self.weights[:, i] + t * self.weights[:, j]

    def below(self, alpha: float) -> Iterator[Any]:
        """Exact points whose float ratio is less than alpha, least first."""
        X, names = self.points()
        ratios = self.ratios(X)
        least = ratios.min(initial=np.inf)
        rounded = np.round(ratios / least, 9) if 0 < least < np.inf else ratios  # equal ones in order: vertices first
        for k in np.argsort(rounded, kind="stable"):
            if not ratios[k] < alpha:
                return
            yield self.exact_point(names[k])


def symmetric(x: Any, y: Any) -> Any:
    """x_a y_b + x_b y_a."""
    return np.outer(x, y) + np.outer(y, x)


class Pool:
    """Test functions and factors found so far, in the order the certificate lists them."""

    def __init__(self) -> None:
        self.tests: list[list[Fraction]] = []
        self.factors: list[list[list[Fraction]]] = []

    def test(self, windows: list[int], y: list[Fraction], size: int) -> int:
        full = [Fraction(0)] * size
        for w, value in zip(windows, y, strict=True):
            full[w] = value
        if full not in self.tests:
            self.tests.append(full)
        return self.tests.index(full)

    def factor(self, P: list[list[Fraction]]) -> int:
        if P not in self.factors:
            self.factors.append(P)
        return self.factors.index(P)


class Better(Exception):
    """A point whose exact ratio is below the value being certified."""

    def __init__(self, problem: Problem, q: Any, signal: Fraction, difference: Fraction) -> None:
        super().__init__()
        self.problem, self.q, self.ratio = problem, q, signal / difference
        self.signal, self.difference = signal, difference


class Stuck(Exception):
    """The budget ran out."""

    def __init__(self, best: Better | None = None) -> None:
        super().__init__()
        self.best = best


class Cover:
    """A tree showing ratio >= alpha on one problem's whole simplex."""

    def __init__(self, problem: Problem, alpha: Fraction, pool: Pool, size: int, budget: tuple[int, int]) -> None:
        self.problem, self.alpha, self.pool, self.size = problem, alpha, pool, size
        self.nodes, self.budget = 0, budget

    def tree(self, node: Node, depth: int = 0) -> list[Any]:
        self.nodes += 1
        if self.nodes > self.budget[0] or depth > self.budget[1]:
            raise Stuck
        leaf = self.pooled(node) or self.new_test(node) or self.new_factor(node)
        if leaf:
            return leaf
        for q in node.below(float(self.alpha) * (1 - 1e-12)):
            pair = self.problem.at(q)
            if pair and pair[1] and pair[0] < self.alpha * pair[1]:
                raise Better(self.problem, q, *pair)
        i, j, t = cut(node)
        left, right = node.halves(i, j, t)
        return ["split", i, j, str(t), self.tree(left, depth + 1), self.tree(right, depth + 1)]

    def pooled(self, node: Node) -> list[Any] | None:
        """A test function or factor of the pool that clears the node; floats choose, exact arithmetic decides."""
        if self.pool.tests:
            rows, costs = node.inequalities()
            slack = 1e-12 * (np.abs(rows).sum(axis=1) + float(self.alpha) * costs)
            Y = np.array([[float(y[w]) for w in self.problem.windows] for y in self.pool.tests])
            good = (rows @ Y.T >= (float(self.alpha) * costs - slack)[:, None]).all(axis=0)
            for k in np.flatnonzero(good).tolist():
                if node.clears([self.pool.tests[k][w] for w in self.problem.windows], self.alpha):
                    return ["test", k]
        for k, P in enumerate(self.pool.factors):
            if node.factored(P, self.alpha):
                return ["factor", k]
        return None

    def new_test(self, node: Node) -> list[Any] | None:
        """The best test function by linear programming, rounded to rationals."""
        answer = best_test(*node.inequalities())
        if answer is None or answer[0] < float(self.alpha) * (1 - 1e-7):
            return None
        for y in roundings(answer[1]):
            if node.clears(y, self.alpha):
                return ["test", self.pool.test(self.problem.windows, y, self.size)]
        return None

    def new_factor(self, node: Node) -> list[Any] | None:
        """W - W' = P (M - M') with small P clears every signed combination at once; sought for whole problems only."""
        if self.nodes > 1 or not (self.problem.form == "joint" or node.shared):
            return None
        P = least_factor(*(np.vectorize(Fraction, otypes=[object])(x) for x in node.signal_and_difference()))
        return ["factor", self.pool.factor(P)] if P is not None and node.factored(P, self.alpha) else None


def cut(node: Node) -> tuple[int, int, Fraction]:
    """Edge and point: where the most cancelling coordinate of W-W' (then of M-M') changes sign, else halve."""
    for exact, floats in ((node.D, node.fD), (node.M - node.M_, node.fM - node.fM_)):
        both = np.minimum(np.maximum(floats, 0).sum(axis=1), np.maximum(-floats, 0).sum(axis=1))
        if both.size and both.max() > 1e-12 * max(np.abs(floats).max(), 1e-300):
            row = exact[int(both.argmax())]
            i, j = int(np.argmax(floats[both.argmax()])), int(np.argmin(floats[both.argmax()]))
            if row[i] > 0 > row[j]:
                return i, j, Fraction(row[i]) / (row[i] - row[j])
    data = np.vstack([node.fZ, node.fZ_, node.fc])
    data = data / np.maximum(data.max(axis=1, keepdims=True), 1e-300)
    features = np.vstack([data, node.weights.astype(float)])
    distances = np.abs(features[:, :, None] - features[:, None, :]).sum(axis=0)
    i, j = sorted(divmod(int(distances.argmax()), len(distances)))
    return i, j, Fraction(1, 2)


def weak_revealing(
    t: Tables, kappa: int, form: str, scope: str, tol: Fraction, progress: Callable[[int, int], None] | None = None
) -> Finding:
    """alpha_lower and alpha_upper over every problem of the class, or a q of zero signal, or the bracket reached."""
    if scope == "reachable":
        return reachable(t, kappa, form)
    problems = list(Problems(t, kappa, form, scope))
    if not problems:
        return Finding(
            "vacuous",
            "W is the same for all worlds at every step where the condition is imposed",
            evidence={"rule": "eval"},
        )
    best, pool = lowest(problems), Pool()
    trees: dict[int, list[Any]] = {}
    lower, waiting = best.ratio, list(enumerate(problems))
    for _ in range(2):  # what is stuck at the value known then may be easy at a lower one
        stuck: list[tuple[int, Problem]] = []
        for number, problem in waiting:
            if best.ratio == 0:
                return Finding("refuted", "a predictive state of zero signal", witness=witness(t, best))
            if crossed := crossing(problem):
                return Finding("refuted", "the signal changes sign", witness=crossing_witness(t, problem, *crossed))
            try:
                trees[number], shown, best = cleared(problem, best, pool, t.O**kappa, tol)
                lower = min(lower, shown)
            except Stuck as given_up:
                best = given_up.best or best
                stuck.append((number, problem))
            if progress:
                progress(len(trees), len(problems))
        waiting = stuck
    if best.ratio == 0:
        return Finding("refuted", "a predictive state of zero signal", witness=witness(t, best))
    if waiting:
        _, problem = waiting[0]
        bracket = {"alpha_upper": str(best.ratio), "worst problem": str(describe(t, problem))}
        return Finding("unknown", f"gave up on {len(waiting)} of {len(problems)} problems", notes=bracket)
    lower = min(lower, best.ratio)
    evidence = {
        "rule": "lin",
        "tests": [[str(x) for x in y] for y in pool.tests],
        "factors": [[[str(x) for x in row] for row in P] for P in pool.factors],
        "trees": [trees[number] for number in range(len(problems))],
        "attained": place(t, best.problem, best.q),
    }
    counts = f"{len(pool.tests)} test functions, {len(pool.factors)} factors, {sum(map(leaves, trees.values()))} leaves"
    method = f"{len(problems)} problems, {counts}"
    return Finding("proved", method, {"alpha_lower": str(lower), "alpha_upper": str(best.ratio)}, evidence)


def leaves(tree: list[Any]) -> int:
    """Leaves of a tree."""
    return leaves(tree[4]) + leaves(tree[5]) if tree[0] == "split" else 1


def cleared(problem: Problem, best: Better, pool: Pool, size: int, tol: Fraction) -> tuple[list[Any], Fraction, Better]:
    """(tree, the alpha it shows, the least point known): the attained value if quick, else one within tol below."""
    quick, whole = True, problem.whole()
    for _ in range(MAX_BETTER):
        if best.ratio == 0:
            break
        target = best.ratio if quick else short_below(best.ratio, tol)
        try:
            return Cover(problem, target, pool, size, QUICK if quick else LONG).tree(whole), target, best
        except Better as found:
            quick = quick and found.ratio < best.ratio / 2
            best = found
        except Stuck:
            if not quick:
                break
            quick = False
    raise Stuck(best)


def crossing(problem: Problem) -> tuple[Any, Any, Fraction, Fraction] | None:
    """Two points between which the literal signal, one-dimensional with two windows, changes sign, while a coordinate
    of (W-W')q keeps one: then alpha = 0, at a point that need not be rational."""
    if problem.form == "joint" or len(problem.windows) != 2:
        return None
    node = problem.whole()
    X, names = node.points()
    Z, Z_ = node.fZ @ X, node.fZ_ @ X
    fine = np.flatnonzero((Z > 0) & (Z_ > 0))
    signal = (node.fM @ X)[0, fine] / Z[fine] - (node.fM_ @ X)[0, fine] / Z_[fine]
    D = node.fD @ X[:, fine]
    up, down = np.flatnonzero(signal > 1e-9), np.flatnonzero(signal < -1e-9)
    for x, y in product(up, down):
        if (D[:, x] * D[:, y] > 1e-18).any():
            q, r = node.exact_point(names[fine[x]]), node.exact_point(names[fine[y]])
            values = [
                Fraction((problem.M @ z)[0]) / (problem.Z @ z) - Fraction((problem.M_ @ z)[0]) / (problem.Z_ @ z)
                for z in (q, r)
            ]
            if values[0] > 0 > values[1] and ((problem.D @ q) * (problem.D @ r) > 0).any():
                up_, down_ = (v * problem.z_unit / problem.unit for v in values)
                return q, r, up_, down_
    return None


def short_below(x: Fraction, tol: Fraction) -> Fraction:
    """A short rational in [x/(1+tol), x)."""
    low = x / (1 + tol)
    middle = (low + x) / 2
    limit = 10
    while not low <= (guess := middle.limit_denominator(limit)) < x:
        limit *= 10
    return guess


def lowest(problems: list[Problem]) -> Better:
    """The least exact ratio over the pure states and edge points of all problems, floats choosing where to look."""
    best: Better | None = None
    for problem in problems:
        node = problem.whole()
        for q in node.below(float("inf") if best is None else float(best.ratio) * (1 + 1e-9)):
            pair = problem.at(q)
            if pair and pair[1]:
                if best is None or pair[0] < best.ratio * pair[1]:
                    best = Better(problem, q, *pair)
                break
    assert best is not None  # the centre of some problem has a positive difference
    return best


class Problems:
    """The distinct problems in the order certificates list their trees (certificates/FORMAT.md)."""

    def __init__(self, t: Tables, kappa: int, form: str, scope: str) -> None:
        self.t, self.kappa, self.form, self.scope = t, kappa, form, scope
        ids: dict[Any, int] = {}

        def name(array: Any) -> int:
            return ids.setdefault((array.shape, tuple(array.ravel().tolist())), len(ids))

        I, H = range(t.I), range(t.H)
        self.column = [[[name(t.EA[i, h, :, o]) for o in range(t.O)] for h in H] for i in I]
        self.EA, self.EB, self.T = ([[name(x[i, h]) for h in H] for i in I] for x in (t.EA, t.EB, t.T))
        self.slice = [[[name(t.T[i, h, :, a]) for a in range(t.A)] for h in H] for i in I]
        self.g = [[[name(t.g[h][k, p]) for h in H] for p in range(t.P)] for k in range(t.K)]
        self.play = [
            [name(np.array([Fraction(x, d) for x in rows.ravel()])) for rows, d in t.pi[p]] for p in range(t.P)
        ]
        self.laws: dict[tuple[int, ...], dict[int, Integers]] = {}

    def contexts(self) -> Iterator[tuple[int, ...]]:
        t = self.t
        for i, j in combinations(range(t.I), 2):
            for k, p, h in product(range(t.K), range(t.P), range(t.H - self.kappa)):
                yield from (
                    (i, j, k, p, h, uA, o, a) for uA, o, a in product(range(t.learner.count(h)), range(t.O), range(t.A))
                )

    def side(self, i: int, h: int, o: int, a: int) -> Any:
        later = tuple((self.EA[i][s], self.EB[i][s], self.T[i][s]) for s in range(h + 1, h + self.kappa))
        return self.column[i][h][o], self.EB[i][h], self.slice[i][h][a], self.EA[i][h + self.kappa], later

    def key(self, context: tuple[int, ...]) -> Any:
        """Names of a context's tables: contexts of one key are one problem; ``None`` where both worlds act alike."""
        t = self.t
        i, j, k, p, h, uA, o, a = context
        sides = self.side(i, h, o, a), self.side(j, h, o, a)
        if sides[0][:3] == sides[1][:3]:
            return None
        later = range(h + 1, h + self.kappa)
        played = self.g[k][p][h], tuple((self.g[k][p][s], self.play[p][s]) for s in later)
        windows = t.game.adversary_window, t.game.learner_window
        lengths = tuple(min(h, (window or 1) - 1) for window in windows)  # of the memories, as the kernel tells them
        where = (h, uA) if self.scope == "reachable" else h if t.space == "history" else lengths
        after = int(t.learner.next[h][uA, o, a]) if self.kappa > 1 else 0
        return sides, played, where, (t.learner.count(h + 1), after)

    def __iter__(self) -> Iterator[Problem]:
        seen = {None}
        for context in self.contexts():
            key = self.key(context)
            if key not in seen:
                seen.add(key)
                problem = self.build(*context)
                if problem.asks:
                    yield problem

    def build(self, i: int, j: int, k: int, p: int, h: int, uA: int, o: int, a: int) -> Problem:
        t = self.t
        memories = t.adversary.count(h)
        states = [(s, m) for s in range(t.S) for m in range(memories)]
        laws = [self.window_laws(x, k, p, h, uA, o, a) for x in (i, j)]
        windows = sorted(set(laws[0]) | set(laws[1]))
        zero = np.zeros(len(states), dtype=object)
        unit = t.step**self.kappa * t.dA * self.policy_scale(p, h)
        M, M_ = (np.array([law.get(w, zero) for w in windows], dtype=object).reshape(-1, len(states)) for law in laws)
        Z, Z_ = (np.repeat(t.EA[x, h, :, o], memories) for x in (i, j))
        gap = (t.channel(i, h, o, a) - t.channel(j, h, o, a)) * (unit // (t.dA * t.dB * t.dT))
        cells = gap.reshape(t.S, t.OB * t.B, t.S)
        # channel coordinates in the order (s', uB, oB, b), as the kernel sorts them
        D = np.zeros((t.S, memories, t.OB * t.B, len(states)), dtype=object)
        for n, (s, m) in enumerate(states):
            D[:, m, :, n] = cells[s].T
        return Problem(
            (i, j, k, p, h, uA, o, a), states, Z, Z_, M, M_, D.reshape(-1, len(states)), windows, self.form, t.dA, unit
        )

    def policy_scale(self, p: int, h: int) -> int:
        scale = 1
        for s in range(h + 1, h + self.kappa):
            scale *= self.t.pi[p][s][1]
        return scale

    def window_laws(self, i: int, k: int, p: int, h: int, uA: int, o: int, a: int) -> dict[int, Integers]:
        """M: window number -> numerators [pure state] over step^kappa dA (policies' denominators); kept, since a world
        meets every other one."""
        place = i, k, p, h, uA, o, a
        if place in self.laws:
            return self.laws[place]
        t = self.t
        memories = t.adversary.count(h)
        n = t.S * memories
        pure = np.zeros((n, memories, t.S), dtype=object)
        for s, m in product(range(t.S), range(memories)):
            pure[s * memories + m, m, s] = 1
        out = self.laws[place] = {}

        def walk(step: int, uA: int, window: int, vector: Integers) -> None:
            for o_next in range(t.O):
                seen = np.dot(vector.sum(axis=1), t.EA[i, step, :, o_next])
                if not seen.any():
                    continue
                code = window * t.O + o_next
                if step == h + self.kappa:
                    out[code] = out[code] + seen if code in out else seen
                    continue
                for a_next, chance in enumerate(t.pi[p][step][0][t.learner.row[step][uA, o_next]]):
                    if chance:
                        after = t.aggregate(k, p, step, t.world_image(i, step, o_next, a_next, vector * chance))
                        walk(step + 1, int(t.learner.next[step][uA, o_next, a_next]), code, after)

        walk(h + 1, int(t.learner.next[h][uA, o, a]), 0, t.aggregate(k, p, h, t.world_image(i, h, o, a, pure)))
        return out


def describe(t: Tables, problem: Problem) -> dict[str, Any]:
    """The context of a problem in labels."""
    labels = Labels(t.game)
    i, j, k, p, h, uA, o, a = problem.context
    part = labels.memory(t.learner.codes[h][uA], True, t.space == "history")
    return {
        "theta": labels.theta(i),
        "theta_prime": labels.theta(j),
        "Phi": labels.Phi(k),
        "pi": labels.policy(p),
        "h": h + 1,
        "learner_part": part,
        "o": t.game.OA[o],
        "a": t.game.A[a],
    }


def place(t: Tables, problem: Problem, q: Any) -> dict[str, Any]:
    """A problem and a predictive state, in labels."""
    h = problem.context[4]
    labels = Labels(t.game)
    masses = [
        [t.game.S[s], labels.memory(t.adversary.codes[h][m], False, t.space == "history"), str(mass)]
        for (s, m), mass in zip(problem.states, q, strict=True)
        if mass
    ]
    return describe(t, problem) | {"q": masses}


def witness(t: Tables, best: Better) -> dict[str, Any]:
    return place(t, best.problem, best.q) | {"signal": str(best.signal), "difference": str(best.difference)}


def crossing_witness(t: Tables, problem: Problem, q: Any, r: Any, up: Fraction, down: Fraction) -> dict[str, Any]:
    return place(t, problem, q) | {"q_other": place(t, problem, r)["q"], "signal": str(up), "signal_other": str(down)}


Reached = dict[tuple[int, int], dict[tuple[Fraction, ...], set[tuple[int, int, int]]]]


def predictive_states(t: Tables, kappa: int) -> Reached:
    """(h, learner memory) -> every predictive state the class reaches there, and the (theta, Phi, pi) that reach it."""
    states: Reached = {}
    for k, p, i in product(range(t.K), range(t.P), range(t.I)):
        level = [(0, t.start())]
        for h in range(t.H - kappa):
            following = []
            for uA, q in level:
                total = q.sum()
                flat = tuple(Fraction(x, total) for x in q.T.ravel().tolist())
                states.setdefault((h, uA), {}).setdefault(flat, set()).add((i, k, p))
                for o, a in product(range(t.O), range(t.A)):
                    if t.pi[p][h][0][t.learner.row[h][uA, o]][a]:
                        after = t.aggregate(k, p, h, t.world_image(i, h, o, a, q))
                        if after.any():
                            following.append((int(t.learner.next[h][uA, o, a]), after))
            level = following
    return states


def reachable(t: Tables, kappa: int, form: str) -> Finding:
    """The exact minimum over the predictive states that the class reaches."""
    states = predictive_states(t, kappa)
    best: Better | None = None
    compared = 0
    for problem in Problems(t, kappa, form, "reachable"):
        for q in states.get((problem.context[4], problem.context[5]), {}):
            vector = np.array(q, dtype=object)
            pair = problem.at(vector)
            compared += 1
            if pair and pair[1] and (best is None or pair[0] < best.ratio * pair[1]):
                best = Better(problem, vector, *pair)
    if best is None:
        return Finding("vacuous", "W agrees at every predictive state the class reaches", evidence={"rule": "eval"})
    if not best.signal:
        return Finding("refuted", "a predictive state of zero signal", witness=witness(t, best))
    value = str(best.ratio)
    evidence = {"rule": "eval", "attained": place(t, best.problem, best.q)}
    method = f"{compared} ratios at reachable predictive states"
    return Finding("proved", method, {"alpha_lower": value, "alpha_upper": value}, evidence)
