"""Errors of operators summed over all pairs that may follow a prefix: the reading `3.1e:operators=summed`.

They are weighted by the chance of the action alone, whether the observation is possible or not, in place of the error at
the pair that occurs (certificates/FORMAT.md, Summed operators).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from .budget import spend
from .operators import Compared, Model
from .play import Play
from .walk import Node


class SummedPlay(Play):
    """This is a play whose norms are one number per node and model, sum_{o,a} pi(a|.,o) ||D(o,a) q||_1, in the unit of
    J and pi."""

    summed, second = True, None  # second moments are those of realised pairs

    @cached_property
    def nodes(self) -> list[tuple[int, Node]]:
        """Return every node with its step."""
        return [(h, node) for h, level in enumerate(self.levels) for node in level]

    def at(self, h: int, node: Node, x: Model, y: Compared) -> int:
        """Return the sum at one node, over the pairs that x makes impossible too."""
        if not (q := node.states[self.number[x]]):
            return 0
        return sum(chance * self.norm(h, o, a, x, y, q) for o, a, chance in self.choices(h, node.uA))

    def norms(self, x: Model, y: Compared) -> list[int]:
        """Return the sum at every node, zero where x cannot be; x is one of ``models``."""
        if (x, y) not in self._norms:
            spend(5 * len(self.game.OA) * len(self.game.A) * len(self.nodes), "differences of operators at prefixes")
            self._norms[x, y] = [self.at(h, node, x, y) for h, node in self.nodes]
        return self._norms[x, y]

    def differs(self, x: Model, y: Compared) -> bool:
        """Return whether the operators of a model (world) y differ from those of x at any pair that may follow where x
        can be."""
        return any(self.norms(self.alike[x], self.alike[y]))

    def error(self, x: Model, y: Compared) -> Fraction:
        """Return F of Section 2.6 with sums over pairs. The mass of a node is ``counts`` times that of its state, by
        which the norm is to be divided."""
        x, y = self.alike[x], self.alike[y]
        n, by_step = self.number[x], [0] * self.game.H
        for (h, node), norm in zip(self.nodes, self.norms(x, y), strict=True):
            by_step[h] += node.counts[n] * norm
        return sum((Fraction(paid, self.unit(h + 1)) for h, paid in enumerate(by_step)), Fraction(0))

    def error_ends(self, x: Model, y: Compared) -> tuple[Fraction, Fraction]:
        """Return F twice, since no state is divided by its mass."""
        return (self.error(x, y),) * 2

    def squares(self, x: Model, y: Compared, bits: int) -> tuple[int, int]:
        """Return (lo, hi) between which 2^bits times the sum of the squared norms lies; each term is rounded down by
        less than one."""
        x, y = self.alike[x], self.alike[y]
        n, low, short = self.number[x], 0, 0
        for (h, node), norm in zip(self.nodes, self.norms(x, y), strict=True):
            if norm:  # the mass of the node, counts totals / unit(h), times (norm / (totals J pi))^2
                low += (node.counts[n] * norm * norm << bits) // (self.unit(h + 2) * node.totals[n])
                short += 1
        return low, low + short
