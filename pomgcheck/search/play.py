"""Laws of play of every policy, by the kernel's own walk (Assumption 3.1); and which things are equal.

The search asks the same questions of the walk as the kernel will, so it has no other; tests compare both with the laws
of whole trajectories, enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Any

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.budget import limited
from pomgcheck.kernel.endings import EndingPlay
from pomgcheck.kernel.facts import Facts, plays_of, summed
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import Scaled, Space
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.reading import Malformed
from pomgcheck.search.finding import Finding

APART = 2_000  # prefixes per step; where there are more, they are told apart by endings, if that decides
MOST = 50_000  # prefixes per step; where endings do not decide, no more are told apart by all that is to come
CLASSES = 5_000  # per step, at most
SPREAD = Fraction(1, 128)  # endings are made longer until no chance differs by more within a class


@dataclass(frozen=True, eq=False)
class Walks:
    """These are what every policy sees: ``plays`` tell prefixes apart by all that is to come, or by the last
    ``endings[0]`` pairs; ``finer`` tell them apart by the last ``endings[1]``, where sharper ends are worth it."""

    plays: Sequence[Play]
    finer: Sequence[Play]
    endings: tuple[int, int] | None = None

    def named(self, finding: Finding, finer: bool = False) -> Finding:
        """Return a finding with the endings that its evidence rests on."""
        if self.endings is None or finding.evidence is None:
            return finding
        return replace(finding, evidence=finding.evidence | {"endings": self.endings[finer]})


def walked(game: Game, options: Mapping[str, Any]) -> Walks:
    """Return walks by all that is to come where few prefixes are apart, else by endings.

    Raises what ``whole`` raises.
    """
    if summed(options) or options["limits"]["trajectories"] <= APART:
        return whole(game, options)
    try:
        return whole(game, options, APART)
    except LimitExceeded:
        return by_endings(game, options) or whole(game, options)


def whole(game: Game, options: Mapping[str, Any], most: int | None = None) -> Walks:
    """Return walks by all that is to come, with at most ``most`` prefixes per step, or as many as the options allow.

    Raises ``LimitExceeded`` and ``OverBudget`` as ``played`` does.
    """
    limit = options["limits"]["trajectories"] if most is None else most
    plays = played(game, options["space"], limit, plays_of(options))
    return Walks(plays, plays)


def by_endings(game: Game, options: Mapping[str, Any]) -> Walks | None:
    """Return walks by the shortest endings of which no chance differs by more than ``SPREAD`` within a class, or by the
    longest that leave at most ``CLASSES`` per step; return ``None`` where there are none. Where no policy tells models
    apart, nothing is compared, and endings of one pair suffice."""
    facts, found = Facts(game, options), list[tuple[int, Sequence[Play]]]()
    for k in range(1, game.H):
        with limited():
            plays = facts.by_endings(k).plays
        found = [*found[-1:], (k, plays)]
        if max(len(level) for play in plays for level in play.levels) > CLASSES:
            found = found[:-1]
            break
        apart = any(len(play.models) > 1 for play in plays)
        if not apart or (len(found) > 1 and spread(found[0][1]) <= SPREAD):
            break
    return Walks(found[0][1], found[-1][1], (found[0][0], found[-1][0])) if found else None


def spread(plays: Sequence[Play]) -> float | Fraction:
    """Return the largest part by which a chance of an observation differs within a class."""
    ends = {each for play in plays if isinstance(play, EndingPlay) for within in play.within for each in within}
    return max(Fraction(high, low) - 1 if low else inf for low, high in ends if high)


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
