"""Watches whether an outside opponent is what it declared: stationary, once it is warmed up, at the true response.

Under that hypothesis a data episode of pi has the law P^pi_{xi*}.  The evidence against it is the likelihood ratio of a
predictor that learns from the episodes themselves to that law; it is a martingale of mean one, so that it ever exceeds
1/delta has probability at most delta (Ville's inequality), whenever one looks.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, log
from typing import Any

from numpy.typing import NDArray

from pomgcheck.learner.likelihood import IMPOSSIBLE, UNIT


class Watch:
    """This keeps log-evidence over the data episodes of a seed. The predictor is Krichevsky and Trofimov's, (c +
    1/2)/(n + |O|/2) for the next observation after each history of one policy."""

    def __init__(self, observations: int, delta: Fraction) -> None:
        self.observations, self.limit = observations, log(1 / delta)
        self.evidence = self.most = 0.0
        self._counts: dict[tuple[Any, ...], list[int]] = {}

    def see(self, policy: int, trajectory: NDArray[Any], log_probability: int) -> None:
        """Take in one data episode (H, 2), and log P_{xi*}(o_{1:H} | a_{1:H}) in units of 2^-32."""
        past: tuple[int, ...] = ()
        for o, a in trajectory.tolist():
            counts = self._counts.setdefault((policy, past), [0] * self.observations)
            self.evidence += log((counts[o] + 0.5) / (sum(counts) + self.observations / 2))
            counts[o] += 1
            past = (*past, o, a)
        self.evidence = inf if log_probability == IMPOSSIBLE else self.evidence - log_probability / UNIT
        self.most = max(self.most, self.evidence)

    @property
    def otherwise(self) -> bool:
        """Return whether the opponent is seen to differ from what it declares."""
        return self.most > self.limit
