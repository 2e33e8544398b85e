"""Finite classes of sampled points of a class with interval axes, and what its claims say at them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from pomgcheck.kernel.game import Game
from tests.gallery import brute

Points = list[dict[str, str]]


def some_points(
    game: Game, side: str, random: Random, count: int, near: Fraction | None = None, corner: bool = False
) -> Points:
    """Points of Theta or Psi on a fine grid; with ``near``, that far at most from the first along each axis; with
    ``corner`` at the ends of axes, as long as the constraints let them."""
    known = game.thetas if side == "worlds" else game.phis
    if known is not None:
        return [{name: str(x) for name, x in random.choice(known).items()} for _ in range(count)]
    found: list[dict[str, Fraction]] = []
    ends = 50 if corner else 0
    while len(found) < count:
        point, ends = {}, ends - 1
        for name, axis in game.document[side]["parameters"].items():
            if "values" in axis:
                point[name] = found[0][name] if near and found else Fraction(random.choice(axis["values"]))
                continue
            low, high = map(Fraction, axis["interval"])
            share = Fraction(random.randrange(1001), 1000)
            if ends >= 0 and not (near and found):
                share = Fraction(random.randrange(2))
            point[name] = low + share * (high - low)
            if near and found:
                point[name] = min(high, max(low, found[0][name] + (2 * share - 1) * near))
        if game.contains(side, point):
            found.append(point)
    return [{name: str(x) for name, x in point.items()} for point in found]


def sampled(game: Game, count: int, seed: int = 0, near: Fraction | None = None, corner: bool = False) -> Game:
    """The finite class of ``count`` points of Theta and of Psi."""
    random = Random(seed)
    return game.subclass(*(some_points(game, side, random, count, near, corner) for side in ("worlds", "responses")))


def operator_distance(game: Game, x: brute.Xi, y: brute.Xi) -> Fraction:
    """||J^x - J^y|| in l1 -> l1: the largest column of any policy and step."""
    return max(
        brute.difference(*(brute.J(game, xi, p, h, o, a, {state: Fraction(1)}, "window") for xi in (x, y)))
        for p, h in product(range(len(game.policies)), range(game.H))
        for state in brute.pure_states(game, h, "window")
        for o, a in product(range(len(game.OA)), range(len(game.A)))
    )
