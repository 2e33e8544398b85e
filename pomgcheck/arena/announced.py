"""Reads a policy as the learner announces it, in Pi or not, and finds the policy of Pi as which the rule R takes it.

A class says how the adversary answers the policies of Pi and no others.  One outside Pi is answered as the nearest in
Pi: least total variation, averaged over the rows of each step and over steps; of several, the one of least index.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from math import lcm
from operator import index
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pomgcheck.arena.outside import checked
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game, Table

REMEMBERED = 1024  # policies outside Pi, of those that come again


def place_of(value: object) -> int:
    """Return a whole number of any library as an index, or -1 for anything else, a truth value included."""
    try:
        return index(value) if isinstance(value, SupportsIndex) and not isinstance(value, bool) else -1
    except TypeError:  # an array that is not one number
        return -1


class Announced(NamedTuple):
    """An announced policy is its ``table[h][row][a]`` with the index in Pi of the policy that the adversary answers."""

    table: Table
    taken_for: int


class Announcements:
    """These are what a learner of one game may announce."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._shape = [(len(table), len(game.A)) for table in game.policies[0]]
        rows = lcm(*(count for count, _ in self._shape))
        self._weights = np.array([rows // count for count, n in self._shape for _ in range(count * n)], dtype=object)
        self._policies = [whole(policy) for policy in game.policies]
        self._nearest = lru_cache(REMEMBERED)(self.nearest)

    def read(self, policy: object) -> Announced:
        """Return the policy that is announced by its name, by its index in Pi, or by its table [h][row][a] of numbers
        of any kind.

        Raises ``InputError`` where it is none of these; rows are divided by their sums, which must be one within
        10^-9.
        """
        names, tables = self.game.policy_names, self.game.policies
        if isinstance(policy, str):
            if policy not in names:
                raise InputError.choice("policy", policy, names, f"one of {', '.join(names)}, or a table")
            return Announced(tables[names.index(policy)], names.index(policy))
        if isinstance(policy, list | tuple | np.ndarray):
            table = checked(policy.tolist() if isinstance(policy, np.ndarray) else policy, self._shape, "policy")
            return Announced(table, self._nearest(table))
        place = place_of(policy)
        if not 0 <= place < len(names):
            raise InputError("policy", repr(policy), f"a name, an index from 0 to {len(names) - 1}, or a table")
        return Announced(tables[place], place)

    def nearest(self, table: Table) -> int:
        """Return the index of the policy of Pi nearest to a table."""
        numerators, denominator = whole(table)
        # twice the averaged total variation, times a number that is the same for every policy of one denominator
        common = lcm(*(scale for _, scale in self._policies))
        distances = [
            (abs(other * denominator - numerators * scale) * self._weights).sum() * (common // scale)
            for other, scale in self._policies
        ]
        return distances.index(min(distances))


def whole(table: Table) -> tuple[NDArray[Any], int]:
    """Return all entries of a table as integers over one denominator."""
    entries = [*chain.from_iterable(chain.from_iterable(table))]
    denominator = lcm(*(x.denominator for x in entries))
    return np.array([x.numerator * (denominator // x.denominator) for x in entries], dtype=object), denominator
