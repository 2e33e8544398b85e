"""An opponent of one's own for the class `patrol`: it lies low while the guard changes its policy.

``pomgcheck.run("certificates/patrol.cert.json", episodes=2000, opponent=Wary)``
"""

from __future__ import annotations

from fractions import Fraction

ATTACKS = {"idle": Fraction(1, 2), "on-alarm": Fraction(2, 5), "on-calm": Fraction(2, 5), "patrol": Fraction(3, 10)}


class Wary:
    """Attacks as the true response of `patrol` does once the last three policies are one, and half as often before."""

    memory = 3

    def react(self, policies: tuple[str, ...]) -> list[list[list[Fraction]]]:
        """The table [h][window][b] of three steps: after either observation it waits, or attacks."""
        attack = ATTACKS[policies[-1]] / (1 if len(set(policies)) == 1 else 2)
        return [[[1 - attack, attack]] * 2] * 3
