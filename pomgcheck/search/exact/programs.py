"""Small linear programs: HiGHS proposes, exact arithmetic decides what the proposal is worth."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Sparse = tuple[NDArray[np.intp], NDArray[np.intp], Floats]


@contextmanager
def silence() -> Iterator[None]:
    """Send away what solvers print past Python, on file descriptor 1, while one works."""
    sys.stdout.flush()
    kept, sink = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(sink)


def best_test(rows: Floats, costs: Floats) -> tuple[float, Floats, Floats] | None:
    """Return max alpha subject to rows @ y >= alpha * costs and -1 <= y <= 1, that y, and the dual values of the rows;
    ``None`` where HiGHS has no answer."""
    scale = np.maximum(np.abs(rows).max(axis=1, initial=0.0), np.abs(costs))
    kept = scale > 0
    A = np.hstack([rows[kept], -costs[kept, None]]) / scale[kept, None]
    n = A.shape[1]
    low, high = np.r_[-np.ones(n - 1), -1e6], np.r_[np.ones(n - 1), 1e6]
    weights = np.zeros(len(rows))
    answer = optimum(np.r_[np.zeros(n - 1), -1.0], low, high, A, 0.0, np.inf)
    if answer is None:
        return None
    x, weights[kept] = answer[0], np.abs(answer[1]) / scale[kept]
    return float(x[-1]), x[:-1], weights


def roundings(y: Floats) -> list[list[Fraction]]:
    """Return rationals in [-1,1] near a float vector, simplest first."""
    out = []
    for limit in (1, 12, 10**3, 10**7, 10**13):
        rounded = [max(Fraction(-1), min(Fraction(1), Fraction(float(x)).limit_denominator(limit))) for x in y]
        if rounded not in out:
            out.append(rounded)
    return out


def least_factor(signal: Any, difference: Any) -> list[list[Fraction]] | None:
    """Return P with P @ signal = difference and the largest column sum of |P| least (HiGHS), made exact (flint).

    ``signal`` (windows, n) and ``difference`` (channel, n) are matrices of Fractions; ``None`` if there is no such P.
    """
    unit = max((abs(x) for rows in (signal, difference) for row in rows for x in row), default=0) or 1
    S, D = (np.array([[float(Fraction(x) / unit) for x in row] for row in rows]) for rows in (signal, difference))
    (W, n), C = S.shape, len(D)
    # P = p - q with p, q >= 0; p[c,w] is variable c W + w, q[c,w] stands C W further on, and the last one is the bound
    k, w = np.nonzero(S.T)
    c = np.arange(C)[:, None]
    equations = [(c * n + k, sign * C * W + c * W + w, np.tile((1 - 2 * sign) * S.T[k, w], (C, 1))) for sign in (0, 1)]
    entry = np.arange(2 * C * W)
    sums = [
        (C * n + entry % W, entry, np.ones(len(entry))),
        (C * n + np.arange(W), np.full(W, len(entry)), -np.ones(W)),
    ]
    row, column, value = (np.concatenate([np.ravel(part[i]) for part in (*equations, *sums)]) for i in range(3))
    order = np.lexsort((column, row))
    starts = np.searchsorted(row[order], np.arange(C * n + W + 1))
    below, above = np.r_[D.ravel(), np.full(W, -np.inf)], np.r_[D.ravel(), np.zeros(W)]
    low, high, cost = np.zeros(len(entry) + 1), np.full(len(entry) + 1, np.inf), np.r_[np.zeros(len(entry)), 1.0]
    answer = optimum(cost, low, high, (starts, column[order], value[order]), below, above)
    if answer is None:
        return None
    x = answer[0]
    P = x[: C * W].reshape(C, W) - x[C * W : -1].reshape(C, W)
    rows = [exact_row(signal, wanted, guess) for wanted, guess in zip(difference, P, strict=True)]
    return None if any(row is None for row in rows) else rows  # type: ignore[return-value]


def exact_row(signal: Any, wanted: Any, guess: Floats) -> list[Fraction] | None:
    """Return the rational row p on the support of ``guess`` with p @ signal = wanted, by exact elimination."""
    import flint

    support = [w for w, x in enumerate(guess) if abs(x) > 1e-9]
    row = [Fraction(0)] * len(guess)
    if support:
        n = len(wanted)
        entries = [
            [flint.fmpq(signal[w][k].numerator, signal[w][k].denominator) for w in support]
            + [flint.fmpq(wanted[k].numerator, wanted[k].denominator)]
            for k in range(n)
        ]
        reduced, rank = flint.fmpq_mat(entries).rref()
        for r in range(rank):
            lead = next(c for c in range(len(support) + 1) if reduced[r, c] != 0)
            if lead == len(support):
                return None
            value = reduced[r, len(support)]
            row[support[lead]] = Fraction(int(value.p), int(value.q))
    good = all(
        sum((p * signal[w][k] for w, p in enumerate(row) if p), Fraction(0)) == wanted[k] for k in range(len(wanted))
    )
    return row if good else None


def highest_floor(p: Floats, others: Floats) -> Floats | None:
    """Return weights w >= 0 that maximise the least entry of p - w @ others (up to 1); ``None`` where it stays
    negative."""
    n = len(others) + 1
    A = np.hstack([others.T, np.ones((len(p), 1))])
    low, high = np.r_[np.zeros(n - 1), -np.inf], np.r_[np.full(n - 1, np.inf), 1.0]
    answer = optimum(np.r_[np.zeros(n - 1), -1.0], low, high, A, -np.inf, p)
    return answer[0][:-1] if answer and answer[0][-1] > -1e-9 else None


def optimum(
    cost: Floats, low: Floats, high: Floats, A: Floats | Sparse, below: Any, above: Any
) -> tuple[Floats, Floats] | None:
    """Return the x in [low, high] with below <= A x <= above that HiGHS proposes as the least of cost @ x, if it has
    one, and the dual values of the rows. A matrix may be sparse: where each row begins, and columns and values."""
    import highspy

    if isinstance(A, np.ndarray):
        rows, width = A.shape
        A = np.arange(0, rows * width + 1, width), np.tile(np.arange(width), rows), A.ravel()
    starts, columns, values = A
    m, n = len(starts) - 1, len(cost)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n, m
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = cost, low, high
    lp.row_lower_, lp.row_upper_ = (np.broadcast_to(end, m).astype(float) for end in (below, above))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = starts, columns, values
    with silence():
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.passModel(lp)
        solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    found = solver.getSolution()
    return np.array(found.col_value), np.array(found.row_dual)
