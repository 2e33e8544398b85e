"""What a search module hands to the certificate: verdict, exact values, evidence or witness, and how it was found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.parameters import Point


@dataclass
class Finding:
    """A finding is one claim's outcome. ``method`` and ``solvers`` are informational; the kernel ignores them."""

    verdict: str
    method: str
    values: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, Any] | None = None
    witness: dict[str, Any] | None = None
    solvers: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)


def stopped(box: Mapping[str, tuple[Any, Any]], **place: str) -> dict[str, str]:
    """Return the note of where a search's budget ended: a box by axis, and the goal or the policy that was asked about
    there."""
    ends = {axis: [written(end) for end in each] for axis, each in box.items()}
    return {"stopped": json.dumps({**place, "box": ends}, sort_keys=True)}


def in_words(box: Mapping[str, tuple[Any, Any]]) -> str:
    """Return a box as it is told."""
    return ", ".join(f"{axis} in [{written(low)}, {written(high)}]" for axis, (low, high) in box.items())


def written(end: Any) -> str:
    """Return an end of a box: exact, or of floats six digits."""
    return f"{end:.6g}" if isinstance(end, float) else str(end)


def point_text(point: Point) -> dict[str, str]:
    """Return a parameter point as exact text."""
    return {name: str(value) for name, value in point.items()}


class Labels:
    """This writes places of a finite game in its own labels, as certificates do."""

    def __init__(self, game: Game) -> None:
        assert game.thetas is not None
        assert game.phis is not None
        self.game, self.thetas, self.phis = game, game.thetas, game.phis

    def theta(self, i: int) -> dict[str, str]:
        """Return the point of Theta of that number."""
        return point_text(self.thetas[i])

    def Phi(self, k: int) -> dict[str, str]:
        """Return the point of Psi of that number."""
        return point_text(self.phis[k])

    def xi(self, xi: tuple[int, int]) -> dict[str, Any]:
        """Return the points of a model (world, response)."""
        return {"theta": self.theta(xi[0]), "Phi": self.Phi(xi[1])}

    def policy(self, p: int) -> str:
        """Return the name of a policy."""
        return self.game.policy_names[p]

    def trajectory(self, sequence: tuple[int, ...], learner: bool = True) -> list[str]:
        """Return alternating observation and action labels."""
        return trajectory(self.game, sequence, learner)

    def memory(self, code: tuple[int, ...], learner: bool, history: bool) -> list[str]:
        """Return a memory in labels, as a history or as a window of observations."""
        if history:
            return self.trajectory(code, learner)
        names = self.game.OA if learner else self.game.OB
        return [names[o] for o in code]


def trajectory(game: Game, sequence: tuple[int, ...], learner: bool = True) -> list[str]:
    """Return alternating observations and actions of one player in labels."""
    pair = (game.OA, game.A) if learner else (game.OB, game.B)
    return [pair[n % 2][x] for n, x in enumerate(sequence)]


def texts(row: Any) -> list[str]:
    """Return exact text of Fractions."""
    return [str(Fraction(x)) for x in row]
