"""Reference posteriors of the learner's action, from the kernel's masses."""

from __future__ import annotations

from fractions import Fraction

from pomgcheck.kernel.game import Game, Row
from pomgcheck.kernel.operators import Memory, Scaled, reference_masses


def reference_posteriors(game: Game, scaled: Scaled, i: int, p: int, mu: Row) -> list[dict[Memory, Row]]:
    """S^{ref,theta}_{tau_B,h}(pi), eq. (sref-def): for each step, decision history -> law of the learner's action."""
    levels = reference_masses(game, scaled, i, p, mu)
    return [{eta: tuple(Fraction(x, sum(row)) for x in row) for eta, row in acting.items()} for acting in levels]
