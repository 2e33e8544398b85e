"""Coordinate structure (Section 2.6): is every entry of W affine in the world parameters, and if not, where not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import combinations, islice
from math import comb, gcd, lcm
from typing import Any

import flint
import numpy as np

from pomgcheck.search.exact.tables import Integers, Tables
from pomgcheck.search.finding import point_text

SUBSETS = 20_000  # of the parameter points, tried for a small failure


def structure(t: Tables, gram: Integers) -> dict[str, Any]:
    """Return ``{"transition_rank", "affine"}``. Where affine is false there are also an ``entry`` of W and ``weights``
    on parameter points that show it: the weights, and the parameters weighted by them, sum to zero, and the weighted
    entry does not. ``gram`` is the Gram matrix of the entries' differences to the first point."""
    found: dict[str, Any] = {"transition_rank": transition_rank(t), "affine": True}
    rows = parameters(t)
    moved = rows[:, 1:] - rows[:1, 1:]
    params = moved.dot(moved.T)
    if flint.fmpz_mat((gram + params).tolist()).rank() == flint.fmpz_mat(params.tolist()).rank():
        return found
    shown = failure(t)
    assert shown is not None
    return found | shown


def noted(found: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the structure as a note beside a claim, JSON text: it is computed and shown, and enters no verdict and no
    bound."""
    return {} if found is None else {"structure": json.dumps(found, sort_keys=True, ensure_ascii=False)}


def transition_rank(t: Tables) -> int:
    """Return the largest rank of T_h as a matrix of (s, a, b) by s'."""
    return max(int(flint.fmpz_mat(rows).rank()) for rows in t.moves.matrices())


def parameters(t: Tables) -> Integers:
    """Return [I, 1 + number of parameters]: one, and the parameters over their common denominators."""
    points = t.game.thetas or ()
    columns = [[1] * len(points)]
    for values in zip(*(point.values() for point in points), strict=True):
        unit = lcm(*(value.denominator for value in values))
        columns.append([value.numerator * (unit // value.denominator) for value in values])
    return np.array(columns, dtype=object).T


def failure(t: Tables) -> dict[str, Any] | None:
    """Return weights under which 1 and the parameters vanish and an entry of W does not, on few points if possible;
    ``None`` where there are none."""
    names, columns = distinct_entries(t)
    for weights in dependencies(parameters(t)):
        failed = np.flatnonzero(weights.dot(columns))
        if failed.size:
            listed = [[point_text(x), str(w)] for x, w in zip(t.game.thetas or (), weights, strict=True) if w]
            return {"affine": False, "entry": names[failed[0]], "weights": listed}
    return None


def distinct_entries(t: Tables) -> tuple[list[dict[str, Any]], Integers]:
    """Return the entries of W that vary with theta: the place of each, and [I, n] their values; equal ones once."""
    g = t.game
    found: dict[tuple[int, ...], dict[str, Any]] = {}
    for h, s, o, a in np.ndindex(t.H, t.S, t.O, t.A):
        entries = np.stack([t.channel(i, h, o, a)[s] for i in range(t.I)])
        for n in np.flatnonzero((entries != entries[:1]).any(axis=0)).tolist():
            oB, b, after = np.unravel_index(n, (t.OB, t.B, t.S))
            place = {"h": h + 1, "s": g.S[s], "o": g.OA[o], "a": g.A[a]}
            place |= {"o_B": g.OB[oB], "b": g.B[b], "s_next": g.S[after]}
            found.setdefault(tuple(entries[:, n]), place)
    return list(found.values()), np.array(list(found), dtype=object).T


def dependencies(rows: Integers) -> Iterator[Integers]:
    """Return integer weights on the points under which the rows vanish: minimal ones on small sets of points as far as
    ``SUBSETS`` reaches, then a basis of them all."""
    count, width = rows.shape
    left = SUBSETS
    for size in range(2, min(count, width + 1) + 1):
        for chosen in islice(combinations(range(count), size), left):
            null, nullity = flint.fmpz_mat(rows[list(chosen)].T.tolist()).nullspace()
            if nullity == 1:
                yield spread([int(null[k, 0]) for k in range(size)], chosen, count)
        left = max(0, left - comb(count, size))
    reduced, denominator, rank = flint.fmpz_mat(rows.T.tolist()).rref()
    pivots = [next(c for c in range(count) if reduced[r, c] != 0) for r in range(rank)]
    for free in sorted(set(range(count)) - set(pivots)):
        yield spread([*(-int(reduced[r, free]) for r in range(rank)), int(denominator)], (*pivots, free), count)


def spread(weights: list[int], chosen: tuple[int, ...], count: int) -> Integers:
    """Return weights on some points as primitive weights on all, the first of them positive."""
    unit = reduce(gcd, weights)
    sign = 1 if next(w for w in weights if w) > 0 else -1
    out = np.zeros(count, dtype=object)
    out[list(chosen)] = [sign * w // unit for w in weights]
    return out
