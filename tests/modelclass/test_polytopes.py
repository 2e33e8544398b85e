"""Vertices and triangulations, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.errors import LimitExceeded
from pomgcheck.modelclass.polytopes import Halfspace, Vector, polytope, simplices


def box(n: int) -> list[Halfspace]:
    """The unit box."""
    sides = []
    for k in range(n):
        unit = tuple(Fraction(int(j == k)) for j in range(n))
        sides += [Halfspace(unit, Fraction(0)), Halfspace(tuple(-u for u in unit), Fraction(1))]
    return sides


def volume(simplex: tuple[Vector, ...]) -> Fraction:
    """|det| / n!."""
    first, *rest = simplex
    rows = [[a - b for a, b in zip(v, first, strict=True)] for v in rest]
    result = Fraction(1)
    for k in range(len(rows)):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k]), None)
        if pivot is None:
            return Fraction(0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        result *= rows[k][k]
        for r in range(k + 1, len(rows)):
            rows[r] = [a - rows[r][k] / rows[k][k] * b for a, b in zip(rows[r], rows[k], strict=True)]
    return abs(result) / factorial(len(rows))


def test_box_cut_by_a_plane() -> None:
    """The unit square below x + y = 1 is the triangle of its three corners."""
    body = polytope(("x", "y"), [*box(2), Halfspace((Fraction(-1), Fraction(-1)), Fraction(1))], "w")
    assert ((0, 0), (0, 1), (1, 0)) == body.vertices


def test_empty_polytope() -> None:
    """Halfspaces that exclude one another leave no vertex."""
    assert () == polytope(("x",), [*box(1), Halfspace((Fraction(1),), Fraction(-2))], "w").vertices


def test_lower_dimensional_polytope() -> None:
    """An equality written as two inequalities leaves a segment, which is its own simplex."""
    sides = [Halfspace((Fraction(s), Fraction(s)), Fraction(-s)) for s in (1, -1)]
    body = polytope(("x", "y"), [*box(2), *sides], "w")
    assert [((0, 1), (1, 0))] == [tuple(sorted(simplex)) for simplex in simplices(body)]


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_triangulated_box(n: int) -> None:
    """The simplices of the unit box have volumes that add up to one, with vertices among its corners."""
    cells = list(simplices(polytope(tuple("abcd"[:n]), box(n), "w")))
    assert 1 == sum(map(volume, cells))
    assert set(product((0, 1), repeat=n)) == {v for cell in cells for v in cell}


@settings(deadline=None, max_examples=15)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 4)), max_size=3))
def test_triangulation_fills_the_polytope(cuts: list[tuple[int, int, int, int]]) -> None:
    """Of a grid of points, those in the polytope and those in some simplex (by its barycentric signs) are the same."""
    extra = [Halfspace(tuple(map(Fraction, cut[:3])), Fraction(cut[3])) for cut in cuts]
    sides = [*box(3), *extra]
    cells = list(simplices(polytope(("a", "b", "c"), sides, "w")))
    full = [cell for cell in cells if len(cell) == 4 and volume(cell)]
    for x in product([Fraction(k, 3) + Fraction(1, 101) for k in range(3)], repeat=3):
        inside = all(side.slack(x) > 0 for side in sides)
        closed = all(side.slack(x) >= 0 for side in sides)
        covering = [
            cell for cell in full if volume(cell) == sum(volume((*cell[:k], x, *cell[k + 1 :])) for k in range(4))
        ]
        assert not inside or covering
        assert closed or not covering


def test_too_many_corners() -> None:
    """More corners than the limit are refused before any is tried."""
    with pytest.raises(LimitExceeded, match="184,756 corners to try for 10 parameters tied by constraints"):
        polytope(tuple("abcdefghij"), box(10), "w")
