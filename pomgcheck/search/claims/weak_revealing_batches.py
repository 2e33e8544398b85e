"""Looks at many problems of Assumption 2.4 at once: those of one shape are one array of numpy.

Floats say where a low ratio or a signal of both signs may hide. Which test function clears which problem is decided on
integers, of 64 bits where all of them are shown to fit and of any size otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pomgcheck.search.claims.weak_revealing_problems import Problem
from pomgcheck.search.claims.weak_revealing_simplex import NEAR, few_edges, sides
from pomgcheck.search.exact.programs import Floats

LARGEST = 4_000_000  # entries of one array
SURE = 1e-9  # a float signal beyond it has its sign
PARTS = "Z", "Z_", "M", "M_", "D"


class Batch:
    """A batch has problems of one shape and one unit: Z, Z_ [problem, n]; M, M_ [problem, window, n] and D [problem,
    row, n], without the rows that are zero in all of them. ``shared`` says whether Z = Z' in all of them; else it is so
    in none."""

    def __init__(self, problems: list[Problem], shared: bool) -> None:
        first = problems[0]
        self.joint, self.shared, self.z_unit, self.unit = first.form == "joint", shared, first.z_unit, first.unit
        self.Z, self.Z_, self.M, self.M_, D = (
            np.array([getattr(problem, part) for problem in problems], dtype=object) for part in PARTS
        )
        self.D = D[:, D.astype(bool).any(axis=(0, 2))]
        self.c = np.abs(self.D).sum(axis=1)
        self.windows = np.array([problem.windows for problem in problems], dtype=np.int64)

    def points(self, tables: list[Floats]) -> tuple[NDArray[np.int64], list[Floats]]:
        """Return problems by number, and each table at a point of each (Node.points): at the vertices, the centre,
        where a coordinate of W-W' or M-M' changes sign along an edge, and at places near a vertex where a Z
        vanishes."""
        Z, Z_, M, M_, D = tables
        low, high = np.triu_indices(M.shape[2], 1)
        vertices = np.indices((len(M), M.shape[2])).reshape(2, -1)
        places = [(vertices[0], vertices[1], vertices[1], np.zeros(vertices.shape[1]))]
        for table in (D, M - M_) if few_edges(M.shape[2], D.shape[1] + M.shape[1]) else ():
            left, right = table[:, :, low], table[:, :, high]
            which, row, edge = np.nonzero(left * right < 0)
            x, y = left[which, row, edge], right[which, row, edge]
            places.append((which, low[edge], high[edge], x / (x - y)))
        if not self.joint:
            p, start = np.nonzero((Z * Z_)[:, 0] == 0)
            n = M.shape[2]
            places.append(
                (p.repeat(n), start.repeat(n), np.tile(np.arange(n), p.size), np.full(p.size * n, float(NEAR)))
            )
        p, start, end, t = (np.concatenate(parts) for parts in zip(*places, strict=True))
        moved = ((1 - t)[:, None] * x[p, :, start] + t[:, None] * x[p, :, end] for x in tables)
        centres = [x.mean(axis=2) for x in tables]
        return np.r_[p, np.arange(len(M))], [np.vstack(parts) for parts in zip(moved, centres, strict=True)]

    def least(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Return, for each problem, the least float ratio at its points, and whether a signal of two windows changes
        sign among them; there the literal form may be zero without being small nearby."""
        fZ, fZ_ = (floats(x, self.z_unit)[:, None] for x in (self.Z, self.Z_))
        fM, fM_, fD = (floats(x, self.unit) for x in (self.M, self.M_, self.D))
        p, (Z, Z_, M, M_, D) = self.points([fZ, fZ_, fM, fM_, fD])
        scale = np.abs(fD).sum(axis=1).max(axis=1)
        below = np.abs(D).sum(axis=1)
        fine = below > 1e-13 * np.maximum(scale, 1e-300)[p]
        if not self.joint:
            fine &= (Z > 0)[:, 0] & (Z_ > 0)[:, 0]
            M, M_ = M / np.where(Z > 0, Z, 1), M_ / np.where(Z_ > 0, Z_, 1)
        out = np.full(len(fZ), np.inf)
        np.minimum.at(out, p[fine], np.abs(M - M_)[fine].sum(axis=1) / below[fine])
        up, down = np.zeros(len(fZ), dtype=bool), np.zeros(len(fZ), dtype=bool)
        if not self.joint and M.shape[1] == 2:
            signal = (M - M_)[:, 0]
            seen = (Z > 0)[:, 0] & (Z_ > 0)[:, 0]
            up[p[seen & (signal > SURE)]] = down[p[seen & (signal < -SURE)]] = True
        return out, up & down

    def cleared(self, chosen: list[int], y: list[Fraction], alpha: Fraction) -> NDArray[np.bool_]:
        """Return which of some problems, by their places in the batch, the test function clears at alpha
        (Node.clears)."""
        unit = lcm(*(x.denominator for x in y))
        test = np.array([int(x * unit) for x in y], dtype=object)[self.windows[chosen]][:, :, None]
        Z, Z_, c = (x[chosen] for x in (self.Z, self.Z_, self.c))
        u, u_ = ((test * M[chosen]).sum(axis=1) for M in (self.M, self.M_))
        weight, price = alpha.denominator * (1 if self.joint else self.z_unit), alpha.numerator * unit
        z, most = max(Z.max(), Z_.max(), 1), max(np.abs(u).max(), np.abs(u_).max())
        if 12 * z * max(most * weight, z * c.max() * price) < 1 << 62:  # more than any sum of the leaf inequality
            Z, Z_, c, u, u_ = (x.astype(np.int64) for x in (Z, Z_, c, u, u_))
        left, cost = sides(Z, Z_, u, u_, c, self.joint, self.shared)
        cleared: NDArray[Any] = (left * weight >= cost * price).reshape(len(chosen), -1).all(axis=1)
        return cleared


class Batches:
    """This has all problems of a class in batches, with ``ratios`` and ``suspects`` as floats see them, by the
    problem's number."""

    def __init__(self, problems: Sequence[Problem] = ()) -> None:
        self.batches: list[tuple[list[int], Batch]] = []
        self.ratios, self.suspects = np.zeros(0), np.zeros(0, dtype=bool)
        self.add(problems)

    def add(self, problems: Sequence[Problem]) -> None:
        """Add problems; their numbers go on from those before."""
        before, kinds = len(self.ratios), dict[Any, list[int]]()
        for number, x in enumerate(problems):
            shared = bool((x.Z == x.Z_).all())
            kinds.setdefault((shared, x.unit, x.z_unit, x.M.shape, x.D.shape), []).append(number)
        ratios, suspects = np.zeros(len(problems)), np.zeros(len(problems), dtype=bool)
        for (shared, *_, windows, rows), numbers in kinds.items():
            n = rows[1]
            size = max(1, LARGEST // (n * n * max(n, rows[0], windows[0])))
            for start in range(0, len(numbers), size):
                part = numbers[start : start + size]
                batch = Batch([problems[k] for k in part], shared)
                ratios[part], suspects[part] = batch.least()
                self.batches.append(([before + k for k in part], batch))
        self.ratios, self.suspects = np.append(self.ratios, ratios), np.append(self.suspects, suspects)

    def cleared(self, waiting: Collection[int], tests: list[list[Fraction]], alpha: Fraction) -> dict[int, int]:
        """Return which of the waiting problems some test function clears at alpha, with the first that does."""
        out: dict[int, int] = {}
        for numbers, batch in self.batches:
            for k, y in enumerate(tests):
                left = [place for place, n in enumerate(numbers) if n in waiting and n not in out]
                if left:
                    good = batch.cleared(left, y, alpha)
                    out |= {numbers[place]: k for place, fine in zip(left, good, strict=True) if fine}
        return out


def floats(array: Any, unit: int) -> Floats:
    """Return the floats nearest to integers over ``unit``, which may be beyond the largest float."""
    return np.array([x / unit for x in array.ravel().tolist()]).reshape(array.shape)
