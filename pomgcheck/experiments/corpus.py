"""Makes the world of Experiment 3: digits through a coarse channel, six rules, and an opponent who tilts the classes."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from pomgcheck.errors import MissingDependency
from pomgcheck.experiments.closed_form import Floats, Ints

CLASSES, CELLS, RULES, MEMORY = 10, 16, 6, 4
HALF = 898  # images a rule is fitted on
CORRUPTION = 0.15  # of rule k's cells, a share k times that is replaced
SHARPNESS = 2.0  # lambda of the softmax tilt
PENALTY = 0.15  # of an episode whose window of rules is not constant


class Corpus(NamedTuple):
    """The corpus has the images on the plane of two principal components (n, 2), the cuts (2, 3), and each image's
    class and cell (n,)."""

    plane: Floats
    cuts: Floats
    digit: Ints
    cell: Ints

    def channel(self) -> Floats:
        """Return P(o | s), the empirical law of the cell within a class: (classes, cells)."""
        counts = np.zeros((CLASSES, CELLS))
        np.add.at(counts, (self.digit, self.cell), 1)
        result: Floats = counts / counts.sum(axis=1, keepdims=True)
        return result


@cache
def corpus() -> Corpus:
    """Return scikit-learn's digits; raise ``MissingDependency`` where it is not installed."""
    try:
        from sklearn.datasets import load_digits
        from sklearn.decomposition import PCA
    except ImportError:
        raise MissingDependency(
            "scikit-learn",
            "no such package",
            "the digits corpus and its principal components",
            "pip install 'pomgcheck[digits]'",
        ) from None
    data = load_digits()
    plane = PCA(2).fit_transform(data.data)
    cuts = np.quantile(plane, [0.25, 0.5, 0.75], axis=0).T
    bins = [np.searchsorted(cuts[k], plane[:, k], side="right") for k in range(2)]
    return Corpus(plane, cuts, data.target, 4 * bins[0] + bins[1])


def rules(draw: int) -> Ints:
    """Return the class each rule names on each cell (rules, cells), from ``default_rng(draw)``."""
    images, rng = corpus(), np.random.default_rng(draw)
    tables = np.empty((RULES, CELLS), dtype=np.int64)
    for k in range(RULES):
        half = rng.permutation(len(images.digit))[:HALF]
        for cell in range(CELLS):
            votes = np.bincount(images.digit[half][images.cell[half] == cell], minlength=CLASSES)
            corrupted = rng.random() < CORRUPTION * k
            tables[k, cell] = rng.integers(CLASSES) if corrupted or not votes.any() else votes.argmax()
    return tables


class DigitsGame(NamedTuple):
    """This is one draw of the rules: acc(k, s), and the expected reward of every window of four rules.

    ``value[code]`` with code = ((w1 6 + w2) 6 + w3) 6 + current rule, without the penalty; ``moving[code]`` whether
    the window is not constant, which costs ``PENALTY``.
    """

    accuracy: Floats
    value: Floats
    moving: Ints

    def cost(self) -> Floats:
        """Return the policy regret of an episode, by the code of its window."""
        result: Floats = self.stationary().max() - (self.value - PENALTY * self.moving)
        return result

    def stationary(self) -> Floats:
        """Return the value of each rule against its own stationary tilt."""
        return self.value[np.arange(RULES) * window_code(1, 1, 1, 1)]


def window_code(*window: int) -> int:
    """Return the code of a window, oldest rule first."""
    code = 0
    for rule in window:
        code = code * RULES + rule
    return code


def game(draw: int) -> DigitsGame:
    """Return the game of one draw of the rules."""
    tables, channel = rules(draw), corpus().channel()
    named = tables[:, None, :] == np.arange(CLASSES)[:, None]  # (rule, class, cell)
    accuracy = (named * channel).sum(axis=2)
    windows = np.stack(np.unravel_index(np.arange(RULES**MEMORY), (RULES,) * MEMORY), axis=1)
    tilt = np.exp(SHARPNESS * (1 - accuracy)[windows].mean(axis=1))
    tilt /= tilt.sum(axis=1, keepdims=True)
    value = (tilt * accuracy[windows[:, -1]]).sum(axis=1)
    return DigitsGame(accuracy, value, (windows != windows[:, :1]).any(axis=1).astype(np.int64))
