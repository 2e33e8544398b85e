"""UCB1 over the policies of a class: each is an arm, and an episode of it is a pull.

``pomgcheck run CERT --episodes 2000 --algorithm epoch-omle,examples/ucb.py:UCB``
"""

from __future__ import annotations

from math import inf, log, sqrt

import pomgcheck


class UCB:
    """Auer, Cesa-Bianchi and Fischer (2002), with the return divided by H so that it lies in [0, 1].

    It knows nothing of the adversary: a policy that is changed every episode is answered as one of many, and what that
    costs is part of its policy regret."""

    def __init__(self, spec: pomgcheck.Spec) -> None:
        self.horizon = spec.horizon
        self.pulls = [0] * len(spec.policies)
        self.totals = [0.0] * len(spec.policies)

    def choose(self) -> int:
        """The policy of the largest upper confidence bound, the first of equal ones."""
        bounds = [self.bound(pulls, total) for pulls, total in zip(self.pulls, self.totals, strict=True)]
        return bounds.index(max(bounds))

    def bound(self, pulls: int, total: float) -> float:
        """The mean so far and its confidence radius; infinite for a policy that was never played."""
        return total / pulls + sqrt(2 * log(sum(self.pulls)) / pulls) if pulls else inf

    def observe(self, episode: pomgcheck.Episode) -> None:
        """One more pull of the arm."""
        self.pulls[episode.policy] += 1
        self.totals[episode.policy] += episode.reward / self.horizon
