"""Sub-simplices of the predictive states of a problem of Assumption 2.4: what a test function or a factor shows of one,
exactly, and where in it a low ratio may hide."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm
from typing import Any

import numpy as np

from pomgcheck.search.claims.weak_revealing_problems import Problem
from pomgcheck.search.exact.programs import Floats
from pomgcheck.search.exact.tables import integers

EDGES = 200_000  # of one problem, times its rows
NEAR = Fraction(1, 10**8)  # how near a vertex where a Z vanishes its limit is looked at


def floats(array: Any, unit: int) -> Any:
    """Return the floats nearest to exact entries over ``unit``, without bringing them to lowest terms."""
    return np.array([x.numerator / (x.denominator * unit) for x in array.flat]).reshape(array.shape)


class SubSimplex:
    """A sub-simplex has the weights [n, vertices] of its vertices, the problem's exact data there, and floats of
    them."""

    def __init__(self, problem: Problem, weights: Any, Z: Any, Z_: Any, M: Any, M_: Any, D: Any) -> None:
        self.problem, self.weights = problem, weights
        self.Z, self.Z_, self.M, self.M_, self.D = Z, Z_, M, M_, D
        self.c = np.abs(D).sum(axis=0)
        self.shared = bool((Z == Z_).all())
        self.fZ, self.fZ_ = (floats(x, problem.z_unit) for x in (Z, Z_))
        self.fM, self.fM_, self.fD, self.fc = (floats(x, problem.unit) for x in (M, M_, D, self.c))

    @classmethod
    def whole(cls, problem: Problem) -> SubSimplex:
        """Return the whole simplex."""
        n = len(problem.states)
        weights = np.full((n, n), 0, dtype=object)
        np.fill_diagonal(weights, 1)
        return cls(problem, weights, problem.Z, problem.Z_, problem.M, problem.M_, problem.D)

    def halves(self, i: int, j: int, t: Fraction) -> tuple[SubSimplex, SubSimplex]:
        """Return the two nodes that cutting the edge (v_i, v_j) at (1-t) v_i + t v_j leaves."""
        parts = ((name, getattr(self, name)) for name in ("weights", "Z", "Z_", "M", "M_", "D"))
        point = {name: np.asarray((1 - t) * x[..., i] + t * x[..., j], dtype=object) for name, x in parts}
        point["c"] = np.asarray(np.abs(point["D"]).sum(), dtype=object)
        units = {name: self.problem.z_unit if name in ("Z", "Z_") else self.problem.unit for name in point}
        point |= {"f" + name: floats(point[name], units[name]) for name in ("Z", "Z_", "M", "M_", "D", "c")}
        return self.replaced(j, point), self.replaced(i, point)

    def replaced(self, v: int, point: dict[str, Any]) -> SubSimplex:
        """Return the node with a point in the place of one vertex, of which alone anything is computed."""
        node = copy(self)
        for name, column in point.items():
            array = getattr(self, name).copy()
            array[..., v] = column
            setattr(node, name, array)
        node.shared = bool((node.Z == node.Z_).all())
        return node

    def clears(self, y: list[Fraction], alpha: Fraction) -> bool:
        """Return whether the leaf inequality of rule ``tests`` (certificates/FORMAT.md) holds for the test function y
        at alpha, exactly."""
        left, cost = self.sides(y)
        return bool((left * alpha.denominator >= cost * alpha.numerator).all())

    @property
    def paired(self) -> bool:
        """Return whether every pair of vertices has an inequality of its own in floats too, where Z = Z'."""
        return few_edges(self.fc.size, len(self.fM))

    def shows(self, y: list[Fraction]) -> Fraction:
        """Return the largest alpha at which the test function clears the node, exactly; 0 where there is none."""
        left, cost = self.sides(y)
        if (left < 0).any():
            return Fraction(0)
        ratios = (Fraction(x) / y for x, y in zip(left.ravel().tolist(), cost.ravel().tolist(), strict=True) if y)
        return min(ratios, default=Fraction(0))

    def sides(self, y: list[Fraction]) -> tuple[Any, Any]:
        """Return both sides of the leaf inequality for the test function y, exactly, in one unit."""
        unit, joint = lcm(*(x.denominator for x in y)), self.problem.form == "joint"
        values = np.array([int(x * unit) for x in y], dtype=object)
        left, cost = sides(self.Z, self.Z_, values @ self.M, values @ self.M_, self.c, joint, self.shared)
        return (left if joint else left * self.problem.z_unit), cost * unit

    def signal_and_difference(self) -> tuple[Any, Any]:
        """Return M - M', and the rows of W - W' that are not zero in the problem."""
        return self.M - self.M_, self.D[[v for v, row in enumerate(self.problem.D) if row.any()]]

    def factored(self, P: list[list[Fraction]], alpha: Fraction) -> bool:
        """Return whether rule factor holds, exactly: W - W' = P (M - M') and alpha N max Z <= 1, N being the largest
        column sum of |P|."""
        if not (self.problem.form == "joint" or self.shared):
            return False
        matrix, unit = integers(P)
        signal, difference = self.signal_and_difference()
        if matrix.shape != (len(difference), len(signal)) or not (matrix @ signal == difference * unit).all():
            return False
        largest = Fraction(1) if self.problem.form == "joint" else Fraction(max(self.Z)) / self.problem.z_unit
        return bool(alpha * np.abs(matrix).sum(axis=0).max() * largest <= unit)

    def inequalities(self) -> tuple[Floats, Floats]:
        """Return floats (rows [pairs, windows], costs [pairs]) such that y clears the node at alpha if and only if rows
        @ y >= alpha costs. A node of many vertices has one row per vertex, with the largest Z for all of them."""
        V = (self.fM - self.fM_).T
        if self.problem.form == "joint":
            return V, self.fc
        n = self.fc.size
        if self.shared and not self.paired:
            return V, self.fZ.max() * self.fc
        if self.shared:
            i, j = np.tril_indices(n)
            return V[i] + V[j], self.fZ[i] * self.fc[j] + self.fZ[j] * self.fc[i]
        i, j, k = np.array(list(combinations_with_replacement(range(n), 3))).T
        Z, Z_, c = self.fZ, self.fZ_, self.fc
        S = self.fM.T[None] * Z_[:, None, None] - self.fM_.T[None] * Z[:, None, None]  # [a, b, window]
        S, B = S + S.transpose(1, 0, 2), symmetric(Z, Z_)
        return S[i, j] + S[i, k] + S[j, k], B[i, j] * c[k] + B[i, k] * c[j] + B[j, k] * c[i]

    def ratios(self, X: Floats) -> Floats:
        """Return the ratio at the columns of X (weights of the vertices), infinite where it is undefined."""
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
        """Return places where a least ratio may hide, as columns of vertex weights, and what each is: a vertex, the
        centre, where a coordinate of W-W' or M-M' changes sign along an edge, or a place near a vertex at which the
        ratio is undefined."""
        n = self.fc.size
        columns, names = [np.eye(n), np.full((n, 1), 1 / n)], [*((v,) for v in range(n)), ()]
        low, high = np.triu_indices(n, 1)
        few = few_edges(n, len(self.fD) + len(self.fM))
        for which, matrix in enumerate((self.fD, self.fM - self.fM_) if few else ()):
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
        """Return a named point as exact weights of the pure states."""
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
        """Yield exact points whose float ratio is less than alpha, the least first."""
        X, names = self.points()
        ratios = self.ratios(X)
        least = ratios.min(initial=np.inf)
        rounded = np.round(ratios / least, 9) if 0 < least < np.inf else ratios  # equal ones in order: vertices first
        for k in np.argsort(rounded, kind="stable"):
            if not ratios[k] < alpha:
                return
            yield self.exact_point(names[k])


def few_edges(vertices: int, rows: int) -> bool:
    """Return whether all edges are looked at for a low ratio; in a larger problem only the vertices and the centre
    are."""
    return vertices * (vertices - 1) // 2 * rows <= EDGES


def symmetric(x: Any, y: Any) -> Any:
    """Return x_a y_b + x_b y_a, along the last axis."""
    return x[..., :, None] * y[..., None, :] + y[..., :, None] * x[..., None, :]


def sides(Z: Any, Z_: Any, u: Any, u_: Any, c: Any, joint: bool, shared: bool) -> tuple[Any, Any]:
    """Return both sides of the leaf inequality (certificates/FORMAT.md, rule tests) over the vertices on the last axis,
    for the test function whose values are u and u_: it clears the node at alpha where left >= alpha cost everywhere."""
    if joint:
        return u - u_, c
    if shared:
        v = u - u_
        return v[..., :, None] + v[..., None, :], symmetric(Z, c)
    S, B = symmetric(Z_, u) - symmetric(Z, u_), symmetric(Z, Z_)
    left = S[..., :, :, None] + S[..., :, None, :] + S[..., None, :, :]
    cost = B[..., :, :, None] * c[..., None, None, :] + B[..., :, None, :] * c[..., None, :, None]
    return left, cost + B[..., None, :, :] * c[..., :, None, None]
