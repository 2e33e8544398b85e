"""Makes a finite net of a class with interval axes: every model of the class has a point of the net such that log
P_xi(o_{1:H} | a_{1:H}) of no policy and trajectory differs by more than ``error``.

Each cell of the class (a choice of the finite axes) is cut into squares, and a square that meets the constraints gives
one rational point inside them: its middle where that is in the class, else another.  docs/net.md says what such a net
does to Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, prod
from typing import NamedTuple

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.parameters import Interval, Point, constraints_of, read_axes
from pomgcheck.kernel.parameters import grid as choices
from pomgcheck.learner.oracles import written
from pomgcheck.learner.slopes import Slopes, log_slopes
from pomgcheck.modelclass.polytopes import Halfspace, polytope

POINTS = 2**14  # of a net
SIDES = ("worlds", "responses")


class NetCell(NamedTuple):
    """A cell is one choice of the finite axes, and how log-likelihoods move along the intervals; ``reach`` is how far,
    in sides of a square, a point of it may be from the square's chosen point."""

    fixed: Point
    box: Mapping[str, Interval]
    slopes: Slopes
    reach: Fraction

    def moves(self) -> Slopes:
        """Return what each axis moves log-likelihoods by from the chosen point of the one square that is the whole
        cell."""
        return {name: self.reach * slope * (high - low) for (name, (low, high)), slope in self.terms()}

    def terms(self) -> list[tuple[tuple[str, Interval], Fraction]]:
        """Return the axes of the cell with their slopes."""
        return [(axis, self.slopes[axis[0]]) for axis in self.box.items()]

    def counts(self, share: Fraction) -> dict[str, int]:
        """Return how many squares there are along each axis, so that none moves log-likelihoods by more than
        ``share``."""
        return {name: max(1, ceil(move / share)) for name, move in self.moves().items()}

    def error(self, share: Fraction) -> Fraction:
        """Return by how much log-likelihoods may still differ within a square."""
        counts = self.counts(share)
        return sum((move / counts[name] for name, move in self.moves().items()), Fraction(0))


class ModelNet(NamedTuple):
    """A net has points of Theta and of Psi, all pairs of which are its models, and the error of log-likelihoods."""

    thetas: list[Point]
    phis: list[Point]
    error: Fraction

    def subclass(self, game: Game) -> Game:
        """Return the finite class of the net's models."""
        return game.subclass(*([written(point) for point in points] for points in (self.thetas, self.phis)))

    @property
    def points(self) -> int:
        """Return how many models the net has."""
        return len(self.thetas) * len(self.phis)


def net(game: Game, certified: Fraction, error: Fraction) -> ModelNet:
    """Return a net of error at most ``error``.

    ``certified``: the certificate's own bound of |d log P / d x|, the product of ``covering_lipschitz_upper`` and
    ``log_likelihood_lipschitz_upper``; along each axis the lesser of it and the entries' own counts.
    Raises ``LimitExceeded`` for more than ``POINTS`` squares, counted before any is cut."""
    cells = {side: list(cells_of(game, side, certified)) for side in SIDES}
    axes = sum(max(sum(bool(move) for move in cell.moves().values()) for cell in cells[side]) for side in SIDES)
    share = error / max(axes, 1)
    count = squares(cells, share)
    if count > POINTS:
        raise LimitExceeded(
            "net", f"squares of the class at the error {error} per episode", count, POINTS, coarser(cells, error, axes)
        )
    points = {side: [point for cell in cells[side] for point in cell_points(game, side, cell, share)] for side in SIDES}
    left = sum((max(cell.error(share) for cell in cells[side]) for side in SIDES), Fraction(0))
    return ModelNet(points["worlds"], points["responses"], left)


def squares(cells: Mapping[str, list[NetCell]], share: Fraction) -> int:
    """Return how many squares there are on both sides together."""
    return prod(sum(prod(cell.counts(share).values()) for cell in part) for part in cells.values())


def coarser(cells: Mapping[str, list[NetCell]], error: Fraction, axes: int) -> str:
    """Return what to do instead: the finest net 1/2^k that fits."""
    most = max((sum(cell.moves().values()) for part in cells.values() for cell in part), default=Fraction(0))
    wide = Fraction(2) ** (ceil(most).bit_length() + axes)
    while wide > error and squares(cells, wide / (2 * axes)) <= POINTS:
        wide /= 2
    if squares(cells, wide / axes) > POINTS:
        return "list fewer values on the finite axes"
    return f'use a coarser net, "{wide}", whose error is added to the radius in every episode, or fewer episodes'


def cells_of(game: Game, side: str, certified: Fraction) -> Iterator[NetCell]:
    """Yield the cells of Theta or Psi that have a point."""
    part = game.document[side]
    points = game.thetas if side == "worlds" else game.phis
    if points is not None:
        yield from (NetCell(point, {}, {}, Fraction(0)) for point in points)
        return
    finite, box = read_axes(part, side)
    reach = Fraction(1) if constraints_of(part, side) else Fraction(1, 2)
    for fixed in choices(finite, side):
        if next(inside(game, side, fixed, box), None) is None:
            continue
        found = log_slopes(game, side, fixed, box) or {}
        yield NetCell(fixed, box, {name: min(certified, found.get(name, certified)) for name in box}, reach)


def cell_points(game: Game, side: str, cell: NetCell, share: Fraction) -> Iterator[Point]:
    """Yield one point of the class in every square of a cell that meets it."""
    counts = cell.counts(share)
    for index in product(*(range(count) for count in counts.values())):
        square = {}
        for k, (name, (low, high)) in zip(index, cell.box.items(), strict=True):
            side_length = (high - low) / counts[name]
            square[name] = low + k * side_length, low + (k + 1) * side_length
        yield from inside(game, side, cell.fixed, square)


def inside(game: Game, side: str, fixed: Point, square: Mapping[str, Interval]) -> Iterator[Point]:
    """Return a point of the class in the square, or nothing if there is none."""
    middle = fixed | {name: (low + high) / 2 for name, (low, high) in square.items()}
    lefts = constraints_of(game.document[side], side)
    if all(evaluate(left, middle, side) >= 0 for left in lefts):
        yield dict(sorted(middle.items()))
        return
    corner = {name: low for name, (low, _) in square.items()}
    halfspaces = [halfspace(left, fixed, corner, side) for left in lefts]
    if any(
        space.offset
        + sum(max(n * (x - corner[name]) for x in square[name]) for n, name in zip(space.normal, square, strict=True))
        < 0
        for space in halfspaces
    ):
        return  # one constraint alone excludes the square
    for k, (low, high) in enumerate(square.values()):
        unit = tuple(Fraction(j == k) for j in range(len(square)))
        halfspaces += [Halfspace(unit, Fraction(0)), Halfspace(tuple(-x for x in unit), high - low)]
    body = polytope(tuple(square), halfspaces, side)
    if body.vertices:
        mean = [sum(coordinate, Fraction(0)) / len(body.vertices) for coordinate in zip(*body.vertices, strict=True)]
        middle = {name: low + x for (name, low), x in zip(corner.items(), mean, strict=True)}
        yield dict(sorted((fixed | middle).items()))


def halfspace(left: str, fixed: Point, corner: Point, side: str) -> Halfspace:
    """Return an affine constraint ``left >= 0`` in coordinates from the corner of a square."""

    def at(point: Point) -> Fraction:
        value: Fraction = evaluate(left, fixed | point, side)
        return value

    offset = at(corner)
    return Halfspace(tuple(at(corner | {name: x + 1}) - offset for name, x in corner.items()), offset)
