"""Laws of play of every policy, by the kernel's own walk (Assumption 3.1); and which things are equal.

The search asks the same questions of the walk as the kernel will, so it has no other; tests compare both with the laws
of whole trajectories, enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.budget import limited
from pomgcheck.kernel.game import Game, Malformed
from pomgcheck.kernel.operators import Scaled, Space
from pomgcheck.kernel.play import Play


def played(game: Game, space: str, limit: int, kind: type[Play] = Play) -> list[Play]:
    """Return what every policy sees, within the work that a certificate may take; ``kind`` as a reading of 3.1(e) asks
    for it.

    Raises ``LimitExceeded`` where a policy has more learner prefixes apart than the limit, and ``OverBudget``.
    """
    scaled, memories, out = Scaled(game), Space(game, space), list[Play]()
    with limited():
        for p, name in enumerate(game.policy_names):
            try:
                out.append(kind(game, scaled, memories, p, limit))
            except Malformed:
                what, fix = "learner prefixes apart", "shorten the horizon, or raise --limits trajectories"
                raise LimitExceeded(f"policy {name}", what, limit + 1, limit, fix) from None
    return out


def kinds(things: Iterable[Any]) -> tuple[list[int], list[int]]:
    """Return the first of each kind of equal things (nested lists or tuples of numbers), and the kind of every one."""
    first: dict[Any, int] = {}
    kind = [first.setdefault(hashable(thing), len(first)) for thing in things]
    return [kind.index(n) for n in range(len(first))], kind


def hashable(thing: Any) -> Any:
    """Return the thing itself, with tuples in place of lists."""
    return tuple(map(hashable, thing)) if isinstance(thing, list | tuple) else thing
