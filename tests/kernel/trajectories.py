"""Laws of play trajectory by trajectory, none merged, to compare the kernel's walk with."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from pomgcheck.kernel.play import Play

BITS = 160


class Trajectory(NamedTuple):
    """The policy's chance of the actions, and by model the chance of the observations given the actions."""

    weight: Fraction
    law: dict[Any, Fraction]


def trajectories(play: Play) -> dict[tuple[int, ...], Trajectory]:
    """Every learner sequence that the policy may play and some model makes possible."""
    return dict(_longer(play, (), Fraction(1)))


def _longer(play: Play, sequence: tuple[int, ...], weight: Fraction) -> Iterator[tuple[tuple[int, ...], Trajectory]]:
    game, h = play.game, len(sequence) // 2
    followed = {xi: play.follow(sequence, xi) for xi in play.models}
    masses = {xi: found[1][-1] for xi, found in followed.items() if found}
    if not any(masses.values()):
        return
    if h == game.H:
        unit = play.scaled.rho * play.scaled.J**h
        yield sequence, Trajectory(weight, {xi: Fraction(mass, unit) for xi, mass in masses.items()})
        return
    uA: tuple[int, ...] = ()
    for o, a in zip(sequence[::2], sequence[1::2], strict=True):
        uA = play.space.next(uA, o, a, True)
    for o in range(len(game.OA)):
        for a, chance in enumerate(game.policies[play.p][h][play.space.row(uA, o, True)]):
            if chance:
                yield from _longer(play, (*sequence, o, a), weight * chance)


def is_square_error(value: Fraction, play: Play, x: Any, y: Any) -> bool:
    """Whether the walk's enclosure of a sum of squared norms holds a value, and says as it does whether it is zero."""
    low, high = (Fraction(end, 1 << BITS) for end in play.squares(x, y, BITS))
    return low <= value <= high < low + Fraction(1, 1 << BITS // 2) and play.differs(x, y) == bool(value)
