"""Finds where, in a block of simulated episodes, the termination test of Algorithm 1 (line 9) first fires.

The answer is that of the plain loop over episodes. It is found faster because the gap L(xi) - L(xi_e) of a model can
grow in one episode by at most the largest logs[tau, xi] - logs[tau, xi_e] over the trajectories of the block, while
tau_e(t) never decreases: stretches in which no model can reach the threshold are summed at once. In the other
stretches only those models are followed that could reach it if all that speaks for them came first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pomgcheck.learner.likelihood import IMPOSSIBLE, LOWEST, Ints

STRETCH = 8, 128  # episodes looked at one by one together, at the start of an epoch and at most


class BlockOutcome(NamedTuple):
    """This has the log-likelihoods after ``episodes`` more episodes, and whether the test fired at the last of them."""

    L: Ints
    episodes: int
    fired: bool


def add(L: Ints, logs: Ints, order: Ints) -> Ints:
    """Return L after all episodes of ``order``; a model that met an impossible trajectory stays at IMPOSSIBLE."""
    counts = np.bincount(order, minlength=len(logs))
    met = logs[counts > 0]
    dead = (met == IMPOSSIBLE).any(axis=0) | (L <= IMPOSSIBLE)
    total = L + np.einsum("k,km->m", counts[counts > 0], np.where(dead, 0, met))
    return np.where(dead, IMPOSSIBLE, total)


def run_block(
    L: Ints, chosen: int, logs: Ints, order: Ints, thresholds: Ints, stretches: tuple[int, int] = STRETCH
) -> BlockOutcome:
    """Play the block against the test L(xi_e) < max L - tau_e(t), where ``thresholds`` are the nondecreasing floors of
    tau_e(t), (n,)."""
    if (logs == IMPOSSIBLE).any():
        return one_by_one(L, chosen, logs, order, thresholds)
    gains = (logs - logs[:, [chosen]]).clip(min=0)
    growth = gains.max(axis=0)
    grows = growth > 0
    t, stretch = 0, stretches[0]
    while t < len(order):
        room = thresholds[t] - (L - L[chosen])  # a dead model is 2^61 away or more
        safe = int((room[grows] // growth[grows]).min(initial=len(order))) if room.min() >= 0 else 0
        if safe >= min(stretch, len(order) - t):  # the gap cannot pass tau_e(t + 1) so soon, nor any later threshold
            L, t = add(L, logs, order[t : t + safe]), t + safe
            continue
        part = order[t : t + stretch]
        met, counts = np.unique(part, return_counts=True)
        near = np.flatnonzero(room < np.einsum("k,km->m", counts, gains[met]))
        gaps = np.cumsum(logs[:, near][part], axis=0) + L[near]
        gaps -= (np.cumsum(logs[part, chosen]) + L[chosen])[:, None]
        fires = gaps.max(axis=1, initial=IMPOSSIBLE) > thresholds[t : t + stretch]
        if fires.any():
            end = t + int(fires.argmax()) + 1
            return BlockOutcome(add(L, logs, order[t:end]), end, True)
        L, t, stretch = add(L, logs, part), t + stretch, min(2 * stretch, stretches[1])
    return BlockOutcome(L, len(order), False)


def one_by_one(L: Ints, chosen: int, logs: Ints, order: Ints, thresholds: Ints) -> BlockOutcome:
    """Play the block episode by episode, for blocks in which a trajectory is impossible under some model."""
    for t, k in enumerate(order.tolist()):
        L = np.maximum(L + logs[k], IMPOSSIBLE)  # alive models stay above LOWEST, so nothing wraps round
        if L.max() - L[chosen] > thresholds[t]:
            return BlockOutcome(L, t + 1, True)
    return BlockOutcome(L, len(order), False)


def exhausted(L: Ints) -> bool:
    """Return whether an ordinary log-likelihood has come near the end of the fixed-point range."""
    return bool((L[L > IMPOSSIBLE] < LOWEST).any())
