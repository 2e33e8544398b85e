"""Tabular Q-learning on (step, row), which announces the epsilon-greedy table that it is about to play.

``pomgcheck run CERT --episodes 2000 --algorithm epoch-omle,examples/q_learning.py:QLearning``

Its tables lie outside Pi as a rule: the adversary answers each as the nearest policy of Pi, and its policy regret, which
compares with the best of Pi, may fall below zero where a table does better than all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import pomgcheck

EXPLORES = 0.1  # epsilon
RATE = 0.1  # of learning


class QLearning:
    """Q(h, row, a), optimistic before the first episode, updated after each."""

    def __init__(self, spec: pomgcheck.Spec) -> None:
        actions = len(spec.actions)
        self.Q = [np.full((len(rows), actions), float(spec.horizon - h)) for h, rows in enumerate(spec.tables[0])]

    def choose(self) -> list[NDArray[np.float64]]:
        """The table [h][row][a] that explores with probability epsilon, uniformly, and is greedy otherwise."""
        tables = []
        for values in self.Q:
            rows, actions = values.shape
            table = np.full((rows, actions), EXPLORES / actions)
            table[np.arange(rows), values.argmax(axis=1)] += 1 - EXPLORES
            tables.append(table)
        return tables

    def observe(self, episode: pomgcheck.Episode) -> None:
        """One update a step, each from the step after it."""
        ahead = [self.Q[h + 1][step.row].max() for h, step in enumerate(episode.steps[1:])] + [0.0]
        for h, (step, after) in enumerate(zip(episode.steps, ahead, strict=True)):
            self.Q[h][step.row, step.action] += RATE * (step.reward + after - self.Q[h][step.row, step.action])
