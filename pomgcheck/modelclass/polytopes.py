"""Computes exact polytopes in a few dimensions: their vertices, and a triangulation by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

from pomgcheck.errors import LimitExceeded

MAX_CORNERS = 100_000  # choices of n halfspaces out of all, each a linear system

Vector = tuple[Fraction, ...]


class Halfspace(NamedTuple):
    """This is the halfspace ``normal · x + offset >= 0``."""

    normal: Vector
    offset: Fraction

    def slack(self, x: Vector) -> Fraction:
        """Return the left side at ``x``."""
        return sum((a * b for a, b in zip(self.normal, x, strict=True)), self.offset)


class Polytope(NamedTuple):
    """A polytope has ``vertices`` over the coordinates ``names``; ``facets[k]`` are the vertices on the boundary of the
    k-th halfspace."""

    names: tuple[str, ...]
    vertices: tuple[Vector, ...]
    facets: tuple[frozenset[int], ...]


def polytope(names: tuple[str, ...], halfspaces: Sequence[Halfspace], where: str) -> Polytope:
    """Return the bounded intersection of ``halfspaces``; it has no vertices when it is empty."""
    corners = comb(len(halfspaces), len(names))
    if corners > MAX_CORNERS:
        raise LimitExceeded(
            where,
            f"corners to try for {len(names)} parameters tied by constraints",
            corners,
            MAX_CORNERS,
            "tie fewer interval parameters to one another",
        )
    found: dict[Vector, None] = {}
    for chosen in combinations(halfspaces, len(names)):
        x = _solution(chosen)
        if x is not None and all(side.slack(x) >= 0 for side in halfspaces):
            found[x] = None
    vertices = tuple(sorted(found))
    facets = (frozenset(k for k, x in enumerate(vertices) if side.slack(x) == 0) for side in halfspaces)
    return Polytope(names, vertices, tuple(facets))


def _solution(chosen: Sequence[Halfspace]) -> Vector | None:
    """Return the one point on all the boundaries, or ``None`` unless there is exactly one (Gauss-Jordan)."""
    rows = [[*side.normal, -side.offset] for side in chosen]
    for k in range(len(rows)):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for r, row in enumerate(rows):
            if r != k and row[k] != 0:
                rows[r] = [a - row[k] * b for a, b in zip(row, rows[k], strict=True)]
    return tuple(row[-1] for row in rows)


def simplices(body: Polytope) -> Iterator[tuple[Vector, ...]]:
    """Return simplices that cover the polytope, whatever its dimension (pulling triangulation)."""
    for chosen in _pulled(frozenset(range(len(body.vertices))), body):
        yield tuple(body.vertices[k] for k in chosen)


def _pulled(face: frozenset[int], body: Polytope) -> Iterator[tuple[int, ...]]:
    """Yield the simplices of a face, which is the union of the cones from its first vertex over those of its facets
    that miss it."""
    apex = min(face)
    if len(face) == 1:
        yield (apex,)
        return
    proper = {face & facet for facet in body.facets} - {face, frozenset()}
    for facet in proper:
        if apex not in facet and not any(facet < other for other in proper):
            for rest in _pulled(facet, body):
                yield (apex, *rest)
