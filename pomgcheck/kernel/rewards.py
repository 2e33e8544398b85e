"""Bounds how much the pay of one episode can differ from that of another."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from .game import Game
from .nested import span


class Ranges(NamedTuple):
    """``optimism`` is R: the values of two models of the class under one policy differ by at most R times the total
    variation of their laws of play. ``later`` is R': two episodes of one world differ in mean reward by at most R'."""

    optimism: Fraction
    later: Fraction


def ranges(game: Game) -> Ranges:
    """Return R and R' of a class.

    Of a finite class R' is the range, over paths that some world lets happen, of the rewards after the first step,
    whose observation depends on neither player; and R is the same where all worlds give the first observation one law,
    so that its reward has one mean, else with the range of that reward. Of any other class they are sums over steps of
    the ranges of the tables.
    """
    steps = list(map(width, game.reward))
    if not game.finite or game.own:
        return Ranges(sum(steps, Fraction(0)), sum(steps if game.own else steps[1:], Fraction(0)))
    start = [(s, mass) for s, mass in enumerate(game.rho0) if mass]
    laws = {tuple(sum(mass * EA[0][s][o] for s, mass in start) for o in range(len(game.OA))) for EA, *_ in game.worlds}
    seen = [reward for o, reward in enumerate(game.reward[0]) if any(law[o] for law in laws)]
    later = span(game, game.worlds)
    return Ranges(later + (width(seen) if len(laws) > 1 else 0), later)


def width(row: Sequence[Fraction]) -> Fraction:
    """Return the largest entry of a row less the least."""
    return max(row) - min(row)
