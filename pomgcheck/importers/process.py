"""Holds a decision process as POMDP files give it: observations and rewards come from moves, and nothing is seen before
the first.

State s, the learner's action a and the adversary's action b lead to s' with the law ``move``; then o (the learner's)
and ob (the adversary's) are drawn from ``see``, and the learner gets ``reward``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

Seen = tuple[int, int]  # (learner's observation, adversary's observation)


@dataclass(frozen=True)
class Process:
    """A process has labels, the law of the first state, and the laws of a move; places are 0-based.

    ``adversary_actions`` and ``adversary_observations`` are empty where the file has no second agent; b and ob are
    then 0.  ``by_state`` says whether the reward depends on the state that a move starts from.  ``notes`` go into the
    document's ``source``.
    """

    kind: str
    states: tuple[str, ...]
    learner_actions: tuple[str, ...]
    adversary_actions: tuple[str, ...]
    learner_observations: tuple[str, ...]
    adversary_observations: tuple[str, ...]
    start: dict[int, Fraction]
    move: Callable[[int, int, int], dict[int, Fraction]]  # (s, a, b) -> law of s'
    see: Callable[[int, int, int], dict[Seen, Fraction]]  # (a, b, s') -> law of (o, ob)
    reward: Callable[[int, int, int, int, Seen], Fraction]  # (s, a, b, s', (o, ob))
    by_state: bool
    discount: Fraction
    notes: str
