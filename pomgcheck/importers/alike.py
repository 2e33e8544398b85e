"""Finds which policies must be answered alike by every response of window 1, by Assumption 2.3.

In its same-step form a response at step h may differ between two policies only where their reference posteriors
differ: the laws of the learner's action given the adversary's history tau_B, in any world. A response of window 1 has
one row for all histories that end in the same observation. So two policies with the same posterior at *one* of them
are answered alike at all of them; and so are the two ends of a chain of such policies.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Any

from pomgcheck.kernel.game import Game, World
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.rows import numbered

MAX_MASSES = 300_000  # moved, over all policies, worlds and histories; beyond them every policy is answered alike
Masses = tuple[tuple[tuple[int, tuple[int, ...]], int], ...]  # ((state, learner's memory), weight), weights coprime
Moves = list[Masses | None]  # one per action of the adversary


class Alike:
    """The classes of policies are found by pushing the reference law of every policy along all histories at once.

    Histories after which the laws of (state, memory) agree for every policy, compared as they are, go on as one.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.space = game, space_of(game)
        self.P = len(game.policies)
        self.leader: dict[tuple[int, int], list[int]] = {}  # (h, ob) -> [policy] -> a policy of the same class
        self.over = False
        self._moved = 0
        for world in dict.fromkeys(game.worlds):
            self._walk(world)

    def groups(self, h: int, ob: int) -> list[tuple[int, ...]]:
        """Return, for each policy, the policies of its class at step h, where the adversary sees ``ob``."""
        if self.over:
            return [tuple(range(self.P))] * self.P
        of = [self._find(h, ob, p) for p in range(self.P)]
        members: dict[int, tuple[int, ...]] = {}
        for p, leader in enumerate(of):
            members[leader] = (*members.get(leader, ()), p)
        return [members[leader] for leader in of]

    def _find(self, h: int, ob: int, p: int) -> int:
        leader = self.leader.setdefault((h, ob), list(range(self.P)))
        while leader[p] != p:
            p = leader[p]
        return p

    def _walk(self, world: World) -> None:
        start = _coprime({(s, ()): p for s, p in enumerate(self.game.rho0) if p})
        level: dict[tuple[Masses | None, ...], None] = {(start,) * self.P: None}
        for h in range(self.game.H):
            step = _Step(self.game, self.space, world, h)
            after: dict[tuple[Masses | None, ...], None] = {}
            for node, ob in product(level, range(len(self.game.OB))):
                heard = [None if masses is None else step.heard(p, masses, ob) for p, masses in enumerate(node)]
                rows: dict[tuple[int, ...], int] = {}
                for p, found in enumerate(heard):
                    if found is not None:
                        first = self._find(h, ob, rows.setdefault(found[0], p))
                        self.leader[h, ob][self._find(h, ob, p)] = first
                if rows and h + 1 < self.game.H:
                    for b in range(len(self.game.B)):
                        after[tuple(None if found is None else found[1][b] for found in heard)] = None
                self._moved += sum(found is not None for found in heard)
                if self._moved + step.moved > MAX_MASSES:
                    self.over = True
                    return
            self._moved += step.moved
            level = after


class _Step:
    """This is one step of one world in integers; what is asked twice is found once."""

    def __init__(self, game: Game, space: Space, world: World, h: int) -> None:
        self.game, self.space, self.h, self.moved = game, space, h, 0
        self.EA = [support(row) for row in world.EA[h]]
        self.EB = world.EB[h]
        self.T = world.T[h]
        self._moves: dict[tuple[int, int, int], list[tuple[int, Fraction]]] = {}
        self._known: dict[tuple[int, Masses, int], tuple[tuple[int, ...], Moves] | None] = {}

    def heard(self, p: int, masses: Masses, ob: int) -> tuple[tuple[int, ...], Moves] | None:
        """Return the policy's law of actions and the masses after each action of the adversary, both coprime, or
        ``None`` where ``ob`` is impossible."""
        key = p, masses, ob
        if key not in self._known:
            self._known[key] = self._found(p, masses, ob)
        return self._known[key]

    def _found(self, p: int, masses: Masses, ob: int) -> tuple[tuple[int, ...], Moves] | None:
        acts: dict[Any, Fraction] = {}
        moved: dict[tuple[int, tuple[int, ...], int], Fraction] = {}
        for (s, memory), weight in masses:
            here = weight * self.EB[s][ob]
            for o, seen in self.EA[s] if here else ():
                for a, chance in enumerate(self.game.policies[p][self.h][self.space.row(memory, o, True)]):
                    if chance:
                        mass = here * seen * chance
                        acts[a] = acts.get(a, Fraction(0)) + mass
                        place = s, self.space.next(memory, o, a, True), a
                        moved[place] = moved.get(place, Fraction(0)) + mass
        if not acts:
            return None
        law = dict(_coprime(acts))
        rows = tuple(law.get(a, 0) for a in range(len(self.game.A)))
        return rows, [self._after(moved, b) for b in range(len(self.game.B))] if self.h + 1 < self.game.H else []

    def _after(self, moved: dict[tuple[int, tuple[int, ...], int], Fraction], b: int) -> Masses:
        found: dict[Any, Fraction] = {}
        for (s, memory, a), mass in moved.items():
            moves = self._moves.get((s, a, b))
            if moves is None:
                moves = self._moves[s, a, b] = support(self.T[s][a][b])
            self.moved += len(moves)
            for t, move in moves:
                found[t, memory] = found.get((t, memory), Fraction(0)) + mass * move
        return _coprime(found)


def space_of(game: Game) -> Space:
    """Return what the policies' tables still read of the past, and which rows that names, as the kernel has it."""
    return Space(game, "history" if game.learner_window is None else "window")


def _coprime(masses: dict[Any, Fraction]) -> tuple[tuple[Any, int], ...]:
    """Return the masses in order of their places, as integers without a common divisor."""
    unit = lcm(*(mass.denominator for mass in masses.values()))
    whole = {place: mass.numerator * (unit // mass.denominator) for place, mass in sorted(masses.items())}
    common = gcd(*whole.values())
    return tuple((place, mass // common) for place, mass in whole.items())


def support(row: Any) -> list[tuple[int, Fraction]]:
    """Return the entries of a row that are not zero, with their places."""
    return [(k, p) for k, p in numbered(row) if p]
