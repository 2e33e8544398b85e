"""Covers a simplex by a tree of sub-simplices on which test functions or factors show ratio(q) >= alpha.

Only the least alpha matters. So a problem is cleared at the lowest value known, with what already lies in the pool, and
a linear program is solved only where nothing there is good enough.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from pomgcheck.search.claims.weak_revealing_problems import Problem
from pomgcheck.search.claims.weak_revealing_simplex import SubSimplex, few_edges, floats
from pomgcheck.search.exact.programs import Floats, best_test, exact_row, least_factor, optimum, roundings

QUICK = (64, 14)  # nodes and depth spent on showing the attained value itself
ALONE = (1, 0)  # the same of a problem of many pure states
LONG = (4000, 300)  # and on showing a value within the tolerance below it
MANY = 12  # pure states
SEEN = 1e-9  # of the largest entry of W - W', what floats tell from nothing
DENSE = 8  # units for an entry of a problem of which not all pairs of vertices are looked at
MAX_BETTER = 60  # lower points found in one problem before it is given up
WORK = 12 * 10**7  # units for all problems of a class: vertices^2 x (windows + rows of W), for every sub-simplex


class Pool:
    """This has the test functions and factors found so far, in the order in which the certificate lists them."""

    def __init__(self) -> None:
        self.tests: list[list[Fraction]] = []
        self.factors: list[list[list[Fraction]]] = []

    def test(self, windows: list[int], y: list[Fraction], size: int) -> int:
        """Return the number of a test function, which is given by its values at some windows; a new one is added."""
        full = [Fraction(0)] * size
        for w, value in zip(windows, y, strict=True):
            full[w] = value
        if full not in self.tests:
            self.tests.append(full)
        return self.tests.index(full)

    def factor(self, P: list[list[Fraction]]) -> int:
        """Return the number of a factor; a new one is added."""
        if P not in self.factors:
            self.factors.append(P)
        return self.factors.index(P)


class Better(Exception):
    """This is raised at a point whose exact ratio is below the value being certified."""

    def __init__(self, problem: Problem, q: Any, signal: Fraction, difference: Fraction) -> None:
        super().__init__()
        self.problem, self.q, self.ratio = problem, q, signal / difference
        self.signal, self.difference = signal, difference


class OutOfEffort(Exception):
    """This is raised where the budget has run out."""

    def __init__(self, best: Better | None = None) -> None:
        super().__init__()
        self.best = best


class Effort:
    """This is what all covers of a class may cost together. Each problem gets an even share of what is left. So a class
    too large for the tolerance is still covered more loosely, or given up with the count, in bounded time. Once
    ``late`` says so nothing more is paid for."""

    def __init__(self, late: Callable[[], bool] = lambda: False) -> None:
        self.left, self.share, self.nodes, self.late = WORK, WORK, 0, late

    def divide(self, among: int) -> None:
        """Give the next problem its share, where so many are still to come."""
        self.share = self.left // max(among, 1)

    def take(self, problem: Problem) -> None:
        """Pay for one sub-simplex of a problem; raises :class:`OutOfEffort` where its share is used up."""
        n, rows = len(problem.states), len(problem.windows) + len(problem.D)
        cost = n**2 * rows if few_edges(n, rows) else DENSE * n * rows
        if cost > self.share or self.late():
            raise OutOfEffort
        self.share, self.left, self.nodes = self.share - cost, self.left - cost, self.nodes + 1


class Cover:
    """This searches for a tree that shows ratio >= alpha on the whole simplex of one problem."""

    def __init__(
        self,
        problem: Problem,
        alpha: Fraction,
        pool: Pool,
        size: int,
        budget: tuple[int, int],
        effort: Effort | None = None,
    ) -> None:
        self.problem, self.alpha, self.pool, self.size = problem, alpha, pool, size
        self.nodes, self.budget, self.effort = 0, budget, effort or Effort()

    def tree(self, node: SubSimplex, depth: int = 0) -> list[Any]:
        """Return the tree below a node.

        Raises ``OutOfEffort`` where the budget is used up, and ``Better`` where a ratio is below the value being certified.
        """
        self.nodes += 1
        if self.nodes > self.budget[0] or depth > self.budget[1]:
            raise OutOfEffort
        self.effort.take(self.problem)
        leaf = self.pooled(node)
        if not leaf and self.nodes == 1 and (silent := unseen(self.problem)):
            raise silent
        leaf = leaf or self.new_test(node) or self.new_factor(node)
        if leaf:
            return leaf
        for q in node.below(float(self.alpha) * (1 - 1e-12)):
            self.compare(q)
        i, j, t = cut(node)
        left, right = node.halves(i, j, t)
        return ["cut", i, j, str(t), self.tree(left, depth + 1), self.tree(right, depth + 1)]

    def compare(self, q: Any) -> None:
        """Raise ``Better`` where the ratio at q is below the value being certified."""
        pair = self.problem.at(q)
        if pair and pair[1] and pair[0] < self.alpha * pair[1]:
            raise Better(self.problem, q, *pair)

    def pooled(self, node: SubSimplex) -> list[Any] | None:
        """Return a test function or factor of the pool that clears the node; floats choose it, and exact arithmetic
        decides."""
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

    def new_test(self, node: SubSimplex) -> list[Any] | None:
        """Return the best test function by linear programming, rounded to rationals; ``None`` where it does not clear
        the node."""
        answer = best_test(*node.inequalities())
        if answer is None or answer[0] < float(self.alpha) * (1 - 1e-7):
            if answer and self.nodes == 1 and many(self.problem):
                self.against(node, answer[2])
            return None
        for y in roundings(answer[1]):
            if node.clears(y, self.alpha):
                return ["test", self.pool.test(self.problem.windows, y, self.size)]
        return None

    def against(self, node: SubSimplex, weights: Floats) -> None:
        """Look at the mixture of vertices that keeps a test function of the whole simplex from showing more; raises
        ``Better`` where its ratio is below the value being certified."""
        n = node.fc.size
        i, j = np.tril_indices(n)
        if len(weights) == len(i) > n:
            weights = np.array(np.bincount(i, weights, n) + np.bincount(j, weights, n))
        if len(weights) == n and weights.any():
            q = np.array([Fraction(x).limit_denominator(10**9) for x in weights / weights.max()], dtype=object)
            self.compare(q / q.sum())

    def new_factor(self, node: SubSimplex) -> list[Any] | None:
        """Return a factor: W - W' = P (M - M') with small P clears every signed combination at once. It is sought
        for whole problems only, and not for the largest, whose program has an unknown for each window and coordinate
        of W."""
        if self.nodes > 1 or not node.paired or not (self.problem.form == "joint" or node.shared):
            return None
        P = least_factor(*(np.vectorize(Fraction, otypes=[object])(x) for x in node.signal_and_difference()))
        return ["factor", self.pool.factor(P)] if P is not None and node.factored(P, self.alpha) else None


def many(problem: Problem) -> bool:
    """Return whether a problem has so many pure states that zero signal is looked for before anything else."""
    return len(problem.states) > MANY


def unseen(problem: Problem) -> Better | None:
    """Return a predictive state, of however many pure states, at which both worlds show the same and act differently.

    The states with (M - M')q = 0 and (Z - Z')q = 0 are a polytope. Unless W - W' vanishes on it, a random direction of
    W - W' does not vanish there either, and vertices attain its least and largest values. HiGHS proposes a vertex, and
    its support is solved exactly.
    """
    Z, n = problem.Z - problem.Z_, len(problem.states)
    same = np.vstack([problem.M - problem.M_, *([Z[None]] if problem.form == "literal" and Z.any() else [])])
    same = same[same.astype(bool).any(axis=1)]
    scale = [max(map(abs, row)) for row in same.tolist()]
    rows = np.vstack([np.ones(n), *(floats(row, most)[None] for row, most in zip(same, scale, strict=True))])
    D = floats(problem.D, max(map(abs, problem.D.ravel().tolist())))
    drawn = np.random.default_rng(1).uniform(1, 2, len(D)) @ D
    least = SEEN * np.abs(D).max()
    ends = np.r_[1.0, np.zeros(len(same))]
    columns = np.vstack([np.ones(n, dtype=object), same]).T
    for cost in (drawn, -drawn):
        answer = optimum(cost, np.zeros(n), np.ones(n), rows, ends, ends)
        if answer is None:
            return None
        q = answer[0]
        if abs(drawn @ q) < least:
            continue
        exact = exact_row(columns, [Fraction(1)] + [Fraction(0)] * len(same), q)
        if exact and min(exact) >= 0:
            pair = problem.at(np.array(exact, dtype=object))
            if pair and pair[1] and not pair[0]:
                return Better(problem, np.array(exact, dtype=object), *pair)
    return None


def cut(node: SubSimplex) -> tuple[int, int, Fraction]:
    """Return an edge and a point on it: where the most cancelling coordinate of W-W' (then of M-M') changes sign, else
    the middle of a long edge."""
    for exact, rounded in ((node.D, node.fD), (node.M - node.M_, node.fM - node.fM_)):
        both = np.minimum(np.maximum(rounded, 0).sum(axis=1), np.maximum(-rounded, 0).sum(axis=1))
        if both.size and both.max() > 1e-12 * max(np.abs(rounded).max(), 1e-300):
            row = exact[int(both.argmax())]
            i, j = int(np.argmax(rounded[both.argmax()])), int(np.argmin(rounded[both.argmax()]))
            if row[i] > 0 > row[j]:
                return i, j, Fraction(row[i]) / (row[i] - row[j])
    data = np.vstack([node.fZ, node.fZ_, node.fc])
    data = data / np.maximum(data.max(axis=1, keepdims=True), 1e-300)
    features = np.vstack([data, node.weights.astype(float)])
    distances = np.abs(features[:, :, None] - features[:, None, :]).sum(axis=0)
    i, j = sorted(divmod(int(distances.argmax()), len(distances)))
    return i, j, Fraction(1, 2)


def cleared(
    problem: Problem, best: Better, pool: Pool, size: int, tol: Fraction, effort: Effort
) -> tuple[list[Any], Fraction, Better]:
    """Return (tree, the alpha it shows, the least point known). The alpha is the attained value where that is found
    quickly, else one within tol below it."""
    quick, whole = True, SubSimplex.whole(problem)
    for _ in range(MAX_BETTER):
        if best.ratio == 0:
            break
        target = best.ratio if quick else short_below(best.ratio, tol)
        try:
            budget = LONG if not quick else ALONE if many(problem) else QUICK
            return Cover(problem, target, pool, size, budget, effort).tree(whole), target, best
        except Better as found:
            quick = quick and found.ratio < best.ratio / 2
            best = found
        except OutOfEffort:
            if not quick:
                break
            quick = False
    raise OutOfEffort(best)


def alone(problem: Problem, pool: Pool, size: int) -> tuple[list[Any], Fraction] | None:
    """Return (a leaf, the alpha it shows) of one test function for a whole problem, however little that is."""
    node = SubSimplex.whole(problem)
    answer = best_test(*node.inequalities())
    if answer is None or answer[0] <= 0:
        return None
    shown, y = max(((node.shows(y), y) for y in roundings(answer[1])), key=lambda pair: pair[0])
    return (["test", pool.test(problem.windows, y, size)], shown) if shown else None


def leaves(tree: list[Any]) -> int:
    """Return the number of leaves of a tree."""
    return leaves(tree[4]) + leaves(tree[5]) if tree[0] == "cut" else 1


def short_below(x: Fraction, tol: Fraction) -> Fraction:
    """Return a short rational in [x/(1+tol), x)."""
    low = x / (1 + tol)
    middle = (low + x) / 2
    limit = 10
    while not low <= (guess := middle.limit_denominator(limit)) < x:
        limit *= 10
    return guess
