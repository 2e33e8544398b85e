"""Decides exactly the sign of a polynomial on a product of polytopes.

The polynomial is written in Bernstein form on products of simplices, which are halved until every coefficient has the
right sign, a vertex has the wrong one, or the budget ends.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, chain, count, pairwise, product
from math import comb, prod
from typing import NamedTuple

from pomgcheck.modelclass.parameters import ParameterCell, Point
from pomgcheck.modelclass.polytopes import Vector, simplices

MAX_PIECES = 2000  # examined for one polynomial on one cell
MAX_COEFFICIENTS = 200_000  # of one piece

Terms = dict[tuple[int, ...], Fraction]  # exponents -> coefficient
Piece = tuple[tuple[Vector, ...], ...]  # one simplex a polytope


class Sign(NamedTuple):
    """This answers "nonnegative (or positive) on the cell?": ``holds`` is the answer, or ``None`` when the budget
    ended.

    ``value`` at ``point`` is a counterexample, or the lowest value seen.
    """

    holds: bool | None
    point: Point
    value: Fraction


def some_point(cell: ParameterCell) -> Point:
    """Return a point of the cell."""
    return cell.point | {n: x for body in cell.polytopes for n, x in zip(body.names, body.vertices[0], strict=True)}


def middle(cell: ParameterCell) -> Point:
    """Return the mean of the cell's vertices."""
    means = ((body.names, [sum(x) / len(x) for x in zip(*body.vertices, strict=True)]) for body in cell.polytopes)
    return cell.point | {name: x for names, mean in means for name, x in zip(names, mean, strict=True)}


def decide(
    goal: Terms, cell: ParameterCell, *, strict: bool, pieces: int = MAX_PIECES, truth: Terms | None = None
) -> Sign:
    """Return whether ``goal`` is >= 0 (> 0 if ``strict``) on the cell's polytopes.

    Exponents run over the coordinates of the polytopes in order.  ``truth``, when given, is nonnegative wherever
    ``goal`` is, and a counterexample must be one for it.
    """
    form = _Form(goal, goal if truth is None else truth, cell)
    if all(sum(e) <= 1 for e in goal) and truth in (None, goal):
        answer = form.seen(form.lowest_vertices())  # affine: lowest at a vertex of each polytope
        return answer._replace(holds=answer.value > 0 or (answer.value == 0 and not strict))
    if form.size > MAX_COEFFICIENTS:
        return form.seen(tuple(body.vertices[0] for body in form.bodies))
    return _searched(form, strict, pieces)


def _searched(form: _Form, strict: bool, pieces: int) -> Sign:
    """Halve the piece with the lowest coefficient until none is left, a vertex refutes, or the budget ends."""
    order = count()
    open_pieces: list[tuple[Fraction, int, Piece]] = []
    fresh: Iterator[Piece] = product(*(simplices(body) for body in form.bodies))
    lowest: Sign | None = None
    while True:
        for piece in fresh:
            bound = form.bound(piece)
            if bound < 0 or (bound == 0 and strict):
                heapq.heappush(open_pieces, (bound, next(order), piece))
        if not open_pieces:
            return form.seen(tuple(body.vertices[0] for body in form.bodies))._replace(holds=True)
        _, made, piece = heapq.heappop(open_pieces)
        here = min((form.seen(vertices) for vertices in product(*piece)), key=lambda sign: sign.value)
        lowest = here if lowest is None or here.value < lowest.value else lowest
        if lowest.value < 0 or (lowest.value == 0 and strict):
            return lowest._replace(holds=False)
        if made > pieces:
            return lowest
        fresh = _halves(piece)


def _halves(piece: Piece) -> Iterator[Piece]:
    """Yield the two pieces that a cut at the middle of the longest edge leaves; nothing is left of a single point."""
    edges = [
        (sum((a - b) ** 2 for a, b in zip(simplex[i], simplex[j], strict=True)), g, i, j)
        for g, simplex in enumerate(piece)
        for i in range(len(simplex))
        for j in range(i)
    ]
    if edges:
        _, g, i, j = max(edges)
        middle = tuple((a + b) / 2 for a, b in zip(piece[g][i], piece[g][j], strict=True))
        for k in (i, j):
            yield (*piece[:g], (*piece[g][:k], middle, *piece[g][k + 1 :]), *piece[g + 1 :])


class _Form:
    """This is ``goal`` on products of simplices, one for each polytope that matters, in their barycentric coordinates.

    Made homogeneous in each polytope's coordinates, its coefficients are those of the Bernstein form up to positive
    multinomials: when none is negative, neither is the polynomial.  ``bodies`` are the polytopes on which ``goal`` or
    ``truth`` depend, ``size`` the number of coefficients.
    """

    def __init__(self, goal: Terms, truth: Terms, cell: ParameterCell) -> None:
        from flint import Ordering, fmpq, fmpq_mpoly_ctx

        ends = list(accumulate((len(body.names) for body in cell.polytopes), initial=0))
        spans = [slice(a, b) for a, b in pairwise(ends)]
        used = [k for k, span in enumerate(spans) if any(any(e[span]) for e in (*goal, *truth))]
        self.cell, self.bodies = cell, [cell.polytopes[k] for k in used]
        self.goal = {tuple(e[spans[k]] for k in used): c for e, c in goal.items()}
        self.truth = {tuple(e[spans[k]] for k in used): c for e, c in truth.items()}
        self.degrees = [max((sum(e[g]) for e in self.goal), default=0) for g in range(len(used))]
        self.size = prod(comb(d + len(b.names), d) for d, b in zip(self.degrees, self.bodies, strict=True))
        names = [f"x{k}" for k in range(sum(len(body.names) for body in self.bodies))]
        context = fmpq_mpoly_ctx.get((*names, *(f"t{g}" for g in range(len(used)))), Ordering.lex)
        self.lifted = context.from_dict(
            {
                (*chain(*e), *(d - sum(part) for d, part in zip(self.degrees, e, strict=True))): fmpq(
                    *c.as_integer_ratio()
                )
                for e, c in self.goal.items()
            }
        )

    def bound(self, piece: Piece) -> Fraction:
        """Return the lowest coefficient on ``piece``."""
        from flint import Ordering, fmpq, fmpq_mpoly_ctx

        names = [f"l{g}_{i}" for g, simplex in enumerate(piece) for i in range(len(simplex))]
        context = fmpq_mpoly_ctx.get(names, Ordering.lex)
        weights, zero = iter(context.gens()), context.constant(0)
        coordinates, totals = [], []
        for simplex in piece:
            share = [next(weights) for _ in simplex]
            for column in zip(*simplex, strict=True):
                terms = (w * fmpq(*x.as_integer_ratio()) for w, x in zip(share, column, strict=True))
                coordinates.append(sum(terms, zero))
            totals.append(sum(share, zero))
        coefficients = self.lifted.compose(*coordinates, *totals, ctx=context).coeffs()
        full = prod(comb(d + len(s) - 1, d) for d, s in zip(self.degrees, piece, strict=True))
        low = min(coefficients, default=fmpq(0))
        return Fraction(int(low.p), int(low.q)) if len(coefficients) == full or low < 0 else Fraction(0)

    def lowest_vertices(self) -> tuple[Vector, ...]:
        """Return where an affine goal is lowest, polytope by polytope."""

        def part(g: int, vertex: Vector) -> Fraction:
            return sum((c * vertex[e[g].index(1)] for e, c in self.goal.items() if any(e[g])), Fraction(0))

        return tuple(min((part(g, v), v) for v in body.vertices)[1] for g, body in enumerate(self.bodies))

    def seen(self, vertices: tuple[Vector, ...]) -> Sign:
        """Return the value of ``truth`` at one point of each body, undecided about the rest."""
        names, x = list(chain(*(body.names for body in self.bodies))), list(chain(*vertices))
        terms = (c * prod(v**k for v, k in zip(x, chain(*e), strict=True)) for e, c in self.truth.items())
        return Sign(None, some_point(self.cell) | dict(zip(names, x, strict=True)), sum(terms, Fraction(0)))
