"""Holds exact tables of many models side by side: integers over one denominator, with one column per model."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pomgcheck.kernel.game import Game, Table

Exact = NDArray[Any]  # Python integers, or int64 where they are known to fit
Floats = NDArray[np.float64]


class Columns(NamedTuple):
    """This is one table per step, each (..., models), of numerators over ``denominator``; equal steps share one array."""

    steps: tuple[Exact, ...]
    denominator: int

    def floats(self) -> tuple[Floats, ...]:
        """Return every entry as the nearest float."""
        shared: dict[int, Floats] = {}
        for table in self.steps:
            if id(table) not in shared:
                shared[id(table)] = (table / self.denominator).astype(np.float64)
        return tuple(shared[id(table)] for table in self.steps)

    def models(self, chosen: NDArray[np.int64] | slice) -> Columns:
        """Return the columns of the chosen models, repeats allowed."""
        shared: dict[int, Exact] = {}
        for table in self.steps:
            if id(table) not in shared:
                shared[id(table)] = table[..., chosen]
        return Columns(tuple(shared[id(table)] for table in self.steps), self.denominator)


def columns(models: Sequence[Sequence[Any]], denominator: int = 1) -> Columns:
    """Return Columns of ``models[k][h]``, nested tables of Fractions; the common denominator is a multiple of
    ``denominator``."""
    steps: list[Exact] = []
    for h in range(len(models[0])):
        if h and all(model[h] == model[h - 1] for model in models):
            steps.append(steps[-1])
        else:
            steps.append(np.moveaxis(np.array([model[h] for model in models], dtype=object), 0, -1))
    distinct = {id(table): table for table in steps}
    denominator = lcm(denominator, *{x.denominator for table in distinct.values() for x in table.flat})
    numerator = np.frompyfunc(lambda x: x.numerator * (denominator // x.denominator), 1, 1)
    whole = {key: numerator(table) for key, table in distinct.items()}
    return Columns(tuple(whole[id(table)] for table in steps), denominator)


class WorldColumns(NamedTuple):
    """These are ``EA[h][s, o]``, ``EB[h][s, o]`` and ``T[h][s, a, b, s']``, with one column per world."""

    EA: Columns
    EB: Columns
    T: Columns

    def models(self, chosen: NDArray[np.int64] | slice) -> WorldColumns:
        """Return the columns of the chosen worlds, repeats allowed."""
        return WorldColumns(*(part.models(chosen) for part in self))


class ClassTables:
    """This is a finite class in columns. Model xi = (theta_i, Phi_j) has index i |Psi| + j."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.count = len(game.worlds) * len(game.responses)
        self.theta_of, self.phi_of = np.divmod(np.arange(self.count), len(game.responses))
        self.worlds = WorldColumns(*(columns([world[part] for world in game.worlds]) for part in range(3)))
        self.rho0 = columns([[game.rho0]])
        self.reward = columns([game.reward])
        self.policies = same_denominator([[policy] for policy in game.policies])
        self.responses = same_denominator(
            [[response[p] for response in game.responses] for p in range(len(game.policies))]
        )


def same_denominator(tables: Sequence[Sequence[Table]]) -> tuple[Columns, ...]:
    """Return Columns of several tables over one denominator."""
    common = lcm(*(columns(models).denominator for models in tables))
    return tuple(columns(models, common) for models in tables)
