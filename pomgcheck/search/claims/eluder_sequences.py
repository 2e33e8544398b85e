"""Finds long sequences of queries, each independent of those before it: the Eluder dimension of one table of functions.

A table holds squared values as integers, ``squares[f][x]``. A query x is independent of a set S at the squared scale s
where some f has sum over S <= s < squares[f][x]. This does not depend on the order of S, and a query that is
independent of S is independent of every part of S. Only scales just below one of the values matter: there the condition
reads sum over S < v <= squares[f][x].
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

MOST_QUERIES = 16  # an exact search goes over subsets of the queries
SCALES = 256  # how many scales the greedy search tries
DOUBT = 1e-12  # a float comparison nearer than this is decided in integers

Squares = Sequence[Sequence[int]]


@dataclass
class Chain:
    """A chain is a sequence of queries with, for each, the function that shows its independence. It is independent at
    every squared scale from ``largest`` (the largest sum before a query) to just below ``value``."""

    queries: list[int]
    witnesses: list[int]
    largest: int
    value: int


def chain_at(squares: Squares, order: Sequence[int], value: int) -> Chain:
    """Return the part of ``order`` before the first query that depends on those before it, in exact arithmetic."""
    chain = Chain([], [], 0, value)
    sums = [0] * len(squares)
    for x in order:
        found = next((f for f, row in enumerate(squares) if sums[f] < value <= row[x]), None)
        if found is None:
            break
        chain.queries.append(x)
        chain.witnesses.append(found)
        chain.largest = max(chain.largest, sums[found])
        sums = [total + row[x] for total, row in zip(sums, squares, strict=True)]
    return chain


def values_above(squares: Squares, least: Fraction) -> list[int]:
    """Return the distinct values above the squared scale, ascending."""
    return sorted({x for row in squares for x in row if x > least})


# ------------------------------------------------------------------------------------------ greedy


def greedy(squares: Squares, least: Fraction) -> Chain | None:
    """Return the longest sequence that greedy choices find at some scales. Of the independent queries the one is taken
    that leaves most functions below the scale. Then one query is left out at a time, and the rest is grown again."""
    values = values_above(squares, least)
    chosen = values[:: max(1, len(values) // SCALES)]
    largest = max(values, default=1)
    table = np.array([[x / largest for x in row] for row in squares])
    best: Chain | None = None
    for value in chosen:
        level = value / largest * (1 - DOUBT)
        order = grown(table, level, [])
        shorter = True
        while shorter:
            others = (grown(table, level, order[:k] + order[k + 1 :]) for k in range(len(order)))
            better = next((other for other in others if len(other) > len(order)), None)
            order, shorter = better or order, better is not None
        chain = chain_at(squares, order, value)
        if chain.queries and (best is None or len(chain.queries) > len(best.queries)):
            best = chain
    return best


def grown(table: Any, level: float, order: list[int]) -> list[int]:
    """Return an independent sequence, extended as far as greedy choices take it."""
    order = list(order)
    sums = table[:, order].sum(axis=1)
    while True:
        alive = sums < level
        open_ = (alive[:, None] & (table >= level)).any(axis=0)
        open_[order] = False
        if not open_.any():
            return order
        kept = ((sums[:, None] + table < level) & alive[:, None]).sum(axis=0)
        x = int(np.where(open_, kept, -1).argmax())
        order.append(x)
        sums = sums + table[:, x]


# ------------------------------------------------------------------------------------------- exact


class Subsets:
    """These are all subsets of the queries of one table. A set of subsets is one integer, in which bit m stands for the
    subset whose queries are the bits of m."""

    def __init__(self, squares: Squares, values: list[int]) -> None:
        self.squares, self.values = squares, values
        self.P = len(squares[0])
        self.positions = positions(squares, values)
        every = np.arange(1 << self.P)
        self.without = [packed((every >> x) & 1 == 0) for x in range(self.P)]

    def open_to(self, low: int, high: int) -> list[int]:
        """Return, for each query, the subsets without it of which it is independent. A witness must reach values[low],
        and its squares before must sum to less than values[high]: the answer is exact for low = high, and for low <
        high it has no fewer subsets than at any scale between."""
        least = self.values[low]
        open_ = [0] * self.P
        for f, row in enumerate(self.squares):
            reached = [x for x, value in enumerate(row) if value >= least]
            if reached:
                below = packed(self.positions[f] <= high)
                for x in reached:
                    open_[x] |= below
        return [masks & without for masks, without in zip(open_, self.without, strict=True)]

    @staticmethod
    def levels(open_: list[int]) -> list[int]:
        """Return the subsets of each size that some independent sequence visits."""
        found = [1]
        while found[-1]:
            following = 0
            for x, masks in enumerate(open_):
                following |= (found[-1] & masks) << (1 << x)
            found.append(following)
        return found[:-1]

    @staticmethod
    def order(open_: list[int], levels: list[int]) -> list[int]:
        """Return an independent sequence that ends in a subset of the last level."""
        here = levels[-1].bit_length() - 1
        out: list[int] = []
        for level in reversed(levels[:-1]):
            x = next(x for x, sets in enumerate(open_) if here >> x & 1 and (level & sets) >> (here ^ 1 << x) & 1)
            out.append(x)
            here ^= 1 << x
        return out[::-1]


def packed(flags: Any) -> int:
    """Return flags as the bits of an integer."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def positions(squares: Squares, values: list[int]) -> Any:
    """Return [f, subset]: how many of the ``values`` are at most the sum of the squares of f over the subset,
    exactly."""
    P = len(squares[0])
    whole = max(map(sum, squares)) < 2**62
    largest = max(values)
    table = np.array(squares, dtype=np.int64) if whole else np.array([[x / largest for x in row] for row in squares])
    sums = np.zeros((len(squares), 1 << P), dtype=table.dtype)
    for x in range(P):
        sums[:, 1 << x : 2 << x] = sums[:, : 1 << x] + table[:, x : x + 1]
    if whole:
        return np.searchsorted(np.array(values, dtype=np.int64), sums, "right").astype(np.int32)
    levels = np.array([value / largest for value in values])
    found = np.searchsorted(levels * (1 + DOUBT), sums, "right").astype(np.int32)
    doubtful = found != np.searchsorted(levels * (1 - DOUBT), sums, "right")
    for f, subset in np.argwhere(doubtful).tolist():
        found[f, subset] = bisect_right(values, sum(squares[f][x] for x in range(P) if subset >> x & 1))
    return found


@dataclass
class Budget:
    """This counts how many comparisons of sums are left to an exact search."""

    left: int

    def spend(self, amount: int) -> bool:
        """Take so many comparisons; return whether they were left."""
        self.left -= amount
        return self.left >= 0


def longest(squares: Squares, least: Fraction, above: int, budget: Budget) -> tuple[Chain | None, bool]:
    """Return a longest independent sequence of more than ``above`` queries, if there is one, and whether the answer is
    exact. Ranges of scales are halved, the one of the largest bound first; a single scale is searched exactly."""
    values = values_above(squares, least)
    if not values or min(len(squares), len(squares[0])) <= above:
        return None, True
    cost = len(squares) << len(squares[0])
    if not budget.spend(cost):
        return None, False
    subsets = Subsets(squares, values)
    ahead = [(-len(squares[0]), 0, len(values) - 1)]
    while ahead:
        bound, low, high = heapq.heappop(ahead)
        if -bound <= above:
            return None, True
        if not budget.spend(cost):
            return None, False
        open_ = subsets.open_to(low, high)
        levels = subsets.levels(open_)
        if len(levels) - 1 <= above:
            continue
        if low == high and (not ahead or 1 - len(levels) <= ahead[0][0]):
            return chain_at(squares, subsets.order(open_, levels), values[low]), True
        middle = (low + high) // 2
        for part in ((low, high),) if low == high else ((low, middle), (middle + 1, high)):
            heapq.heappush(ahead, (1 - len(levels), *part))
    return None, True
