"""The channel error classes of Section 2.6: their functions, and an upper bracket of their Eluder dimensions.

A channel is ``world`` (F^W, one function per theta) or the adversary's (F^G, one function per Phi). A query is a
policy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import gcd
from typing import Any

from .budget import spend
from .game import Game
from .logarithms import log_enclosure
from .operators import Model, Scaled, common_unit, multiples
from .play import Play
from .rows import SparseRow

Coordinate = tuple[int, ...]  # one coordinate of a family, its value at every point
Brackets = tuple[tuple[Fraction, Fraction], ...]  # of a function's values, or of their squares, at every query
ENUMERATED = 100_000  # up to here sequences of policies are enumerated: |Xi| |points|^2 |Pi| 2^|Pi|
PRIME = 2**61 - 1


def world_entries(game: Game, scaled: Any) -> Iterator[tuple[Coordinate, int]]:
    """Yield the entries E^A_h(o|s) E^B_h(o^B|s) T_h(s'|s,a,b) of W at every theta, with how often equal ones of one (h,
    s) occur."""
    for h, s in product(range(game.H), range(len(game.S))):
        seen, heard = (Counter(columns(tuple(world[part][h][s] for world in scaled.worlds))) for part in (0, 1))
        rows = zip(*([row for rows in world.T[h][s] for row in rows] for world in scaled.worlds), strict=True)
        moves = Counter(column for each in rows for column in columns(each))
        for factors in product(seen.items(), heard.items(), moves.items()):
            (e, n), (f, m), (t, k) = factors
            yield tuple(x * y * z for x, y, z in zip(e, f, t, strict=True)), n * m * k


def columns(rows: tuple[Any, ...]) -> Iterable[Coordinate]:
    """Return the entries of one row at every place, each by its value in every world; of sparse rows, where one is not
    zero."""
    if not isinstance(rows[0], SparseRow):
        return zip(*rows, strict=True)
    return (tuple(row[k] for row in rows) for k in dict.fromkeys(k for row in rows for k, _ in row.entries))


def response_entries(scaled: Any) -> Iterator[tuple[Coordinate, int]]:
    """Yield the entries g_h(b | row, pi) of G at every Phi, over all policies, with how often equal ones occur."""
    flat = ([x for table in tables for rows in table for row in rows for x in row] for tables in scaled.responses)
    yield from Counter(zip(*flat, strict=True)).items()


def directions(entries: Iterable[tuple[Coordinate, int]]) -> dict[Coordinate, int]:
    """Return the differences to the first point with proportional coordinates merged: primitive column -> sum of
    squared multiples."""
    out: dict[Coordinate, int] = {}
    for column, times in entries:
        moved = [x - column[0] for x in column]
        if unit := gcd(*moved):
            key = tuple(x // unit for x in moved)
            key = max(key, tuple(-x for x in key))
            out[key] = out.get(key, 0) + times * unit**2
    return out


def rank(rows: Iterable[Coordinate], most: int) -> int:
    """Return the exact rank of integer rows that is at most ``most``. Modulo a prime the rank is never larger, so
    ``most`` is final there; otherwise rows are eliminated without fractions."""
    rows = list(dict.fromkeys(rows))
    return most if eliminated(rows, most, PRIME) == most else eliminated(rows, most, 0)


def eliminated(rows: Iterable[Coordinate], most: int, modulus: int) -> int:
    """Return the rank of the rows, over the field of ``modulus`` elements or (0) over the rationals; elimination stops
    at ``most``."""
    basis: list[tuple[int, list[int]]] = []
    for row in rows:
        rest = list(row)
        for place, known in basis:
            if factor := rest[place]:
                spend(len(rest), "the rank of a table")
                rest = [x * known[place] - factor * y for x, y in zip(rest, known, strict=True)]
                unit = gcd(*rest) or 1
                rest = [x % modulus for x in rest] if modulus else [x // unit for x in rest]
        left = [k for k, x in enumerate(rest) if (x % modulus if modulus else x)]
        if left:
            basis.append((left[0], rest))
        if len(basis) == most:
            break
    return len(basis)


def sign_witness(p: int, C: Fraction) -> int:
    """Return a bound on the length of an independent sequence in a family of rank p with C = D B^2/eps^2 (Lemma C.1).

    The potential argument with lambda = t eps^2/B^2 gives N log(1 + 1/(1+t)) < p log(1 + N C/(t p)) for every t > 0;
    here t = 1/8. It is iterated downwards from the lemma's own 12 p log(1 + 8 C).
    """
    if C <= 1 or not p:
        return 0  # no function exceeds eps
    found = 12 * p * log_enclosure(1 + 8 * C, 256)[1] >> 256
    while True:
        better = p * log_enclosure(1 + 8 * C * found / p, 256)[1] // log_enclosure(Fraction(17, 9), 256)[0]
        if better >= found:
            return found
        found = better


def sign_matrices(game: Game, world: bool, summed: bool) -> int:
    """Return D, which is at least the squared norm of every sign-witness matrix (certificates/FORMAT.md, rule
    sequence)."""
    places = len(game.S) * len(game.OB) * (len(game.OA) if summed else 1) if world else 1
    return int(game.H * len(game.B) * places)


def dimension(functions: Sequence[Brackets], least: Fraction) -> int:
    """Return an upper bound of the Eluder dimension of a small class at every squared scale >= least, which is equal to
    it where values are known exactly; ``functions`` are brackets of squared values over the queries.

    Independence does not depend on order, so sets of queries are extended one query at a time. Only scales just below a
    value matter: sums of lower ends are compared with its upper one, but a sum that the value is part of is no less
    than it.
    """
    best = 0
    for f, at in product(range(len(functions)), range(len(functions[0]) if functions else 0)):
        low, high = functions[f][at]
        level: set[frozenset[int]] = {frozenset()} if high > least else set()
        for length in range(1, len(functions[0]) + 1):
            spend(len(level) * len(functions) * 2, "sequences of policies")
            level = {
                chosen | {x}
                for n, row in enumerate(functions)
                for chosen in level
                if sum(row[z][0] for z in chosen) < high and not (n == f and at in chosen)
                for x, ends in enumerate(row)
                if ends[1] >= low and x not in chosen
            }
            if not level:
                break
            best = max(best, length)
    return best


class Channel:
    """This is one channel of a finite class: ``rank`` is p_W or p_G, and ``B2`` the largest squared norm of a
    difference."""

    def __init__(self, game: Game, scaled: Scaled, plays: list[Play], world: bool) -> None:
        self.game, self.plays, self.world = game, plays, world
        self.points = range(len(game.worlds if world else game.responses))
        self.directions = found = directions(world_entries(game, scaled) if world else response_entries(scaled))
        self.rank = rank(found, min(len(self.points) - 1, len(found)))
        spend(len(self.points) ** 2 * len(found) >> 3, f"differences of {len(self.points)} points")
        gaps = (sum(n * (c[i] - c[j]) ** 2 for c, n in found.items()) for i, j in combinations(self.points, 2))
        self.B2 = Fraction(max(gaps, default=0), (scaled.W if world else scaled.g) ** 2)
        self.D = sign_matrices(game, world, plays[0].summed)

    def function(self, x: Model, n: int, p: int) -> tuple[Fraction, Fraction]:
        """Return the ends of F^W_theta(pi), or F^G_Phi(pi), for the reference model ``x``; the latter is F_xi at xi =
        (theta*, Phi)."""
        return self.plays[p].error_ends(x, n if self.world else (x[0], n))

    def rows(self, x: Model) -> list[Brackets]:
        """Return the squares of all functions over the policies."""
        every = ([self.function(x, n, p) for p in range(len(self.plays))] for n in self.points)
        return [tuple((low**2, high**2) for low, high in row) for row in every]

    def upper(self, T: int) -> int:
        """Return an upper bound of the Eluder dimension at scale 1/(2T), for every reference model. Where the class is
        small, enumeration gives it; else it is the least of three: the policies that exceed the scale, the functions
        that do, and `sign_witness`."""
        game, least, counted = self.game, Fraction(1, 4 * T * T), 0
        played = {(game.policies[p], tuple(response[p] for response in game.responses)) for p in range(len(self.plays))}
        models = [(i, k) for k in range(len(game.responses)) for i in range(len(game.worlds))]
        exact = len(models) * len(self.points) ** 2 * len(self.plays) << len(self.plays) <= ENUMERATED
        bound = sign_witness(self.rank, self.D * self.B2 * 4 * T * T)
        most = min(bound, len(self.points) - 1, len(played))  # at any reference model; its own function is zero
        known = dict[tuple[Model, ...], Model]()
        for x in models:
            if known.setdefault(tuple(play.alike[x] for play in self.plays), x) != x:
                continue  # the same under every policy as one before
            rows = told_apart(row for row in self.rows(x) if max(high for _, high in row) > least)
            columns = told_apart(each for each in zip(*rows, strict=True) if max(high for _, high in each) > least)
            if exact:
                unit = common_unit(tuple(rows)) if rows else 1
                counted = max(counted, dimension(multiples(tuple(rows), unit), least * unit))
            else:
                counted = max(counted, min(len(rows), len(columns)))
            if counted >= most:
                break
        return min(counted, bound)


def told_apart(rows: Iterable[Brackets]) -> list[Brackets]:
    """Return equal functions once, where all of them are known exactly; else all, since other numbers may have the same
    ends."""
    every = list(rows)
    return list(dict.fromkeys(every)) if all(low == high for row in every for low, high in row) else every
