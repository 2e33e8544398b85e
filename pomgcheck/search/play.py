"""Laws of play and operator differences of all models at once, by one prefix walk a policy (Assumption 3.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.limits import possible, sequences
from pomgcheck.search.exact.tables import Integers, Tables, integers


def refuse_too_many(t: Tables, limit: int) -> None:
    """Raise ``LimitExceeded`` where a policy has over ``limit`` trajectories, counted before any is played."""
    may = possible(t.game, t.game.worlds)
    for p in range(t.P):
        count = max(sequences(t.game, may, p))
        if count > limit:
            name = t.game.policy_names[p]
            fix = "shorten the horizon, or raise --limits trajectories"
            raise LimitExceeded(f"policy {name}", "trajectories", count, limit, fix)


@dataclass
class Prefix:
    """A realised learner sequence through step h with the l1 norms at its last (o, a), per reference model xi*."""

    sequence: tuple[int, ...]
    joint: Integers  # [xi*, xi]; a norm is this over mass_before times one step's scale
    world: Integers  # [xi*, i]
    mass_before: Integers  # [xi*]
    mass_after: Integers  # [xi*]


@dataclass
class Played:
    """One policy: ``laws[n, xi]`` (numerators over ``scale``) and ``weight[n]`` of every full trajectory, and the sums
    over steps of squared norms ``joint[xi*, xi]``, ``world[xi*, i]`` and of norms ``joint_mean``, ``world_mean``.
    Models are numbered i*K + k among those that act differently."""

    sequences: list[tuple[int, ...]] = field(default_factory=list)
    weights: list[Fraction] = field(default_factory=list)
    laws: list[Integers] = field(default_factory=list)
    scale: int = 1
    joint: Any = None
    world: Any = None
    joint_mean: Any = None
    world_mean: Any = None


class Distinct:
    """The worlds, and responses, that act differently under policy ``p``: ``worlds`` and ``responses`` list the first
    of each kind, ``world[i]`` and ``response[k]`` are the places there of all.

    A world acts by its emissions and by the transitions of actions that the policy takes, a response by its answer.
    """

    def __init__(self, t: Tables, p: int) -> None:
        taken = [np.flatnonzero(table.any(axis=0)) for table, _ in t.pi[p]]
        moves = [[t.moves.table(i, h, acts.tolist()) for h, acts in enumerate(taken)] for i in range(t.I)]
        self.worlds, self.world = kinds([t.EA[i].tolist(), t.EB[i].tolist(), moves[i]] for i in range(t.I))
        self.responses, self.response = kinds([table[k, p].tolist() for table in t.g] for k in range(t.K))

    def xi(self, x: int) -> tuple[int, int]:
        """World and response of the first model of a kind."""
        i, k = divmod(x, len(self.responses))
        return self.worlds[i], self.responses[k]

    def place(self, i: int, k: int) -> int:
        """The kind of a model."""
        return self.world[i] * len(self.responses) + self.response[k]


def kinds(things: Iterable[Any]) -> tuple[list[int], list[int]]:
    """The first of each kind of equal things (nested lists or tuples of numbers), and the kind of every one."""
    first: dict[Any, int] = {}
    kind = [first.setdefault(hashable(thing), len(first)) for thing in things]
    return [kind.index(n) for n in range(len(first))], kind


def hashable(thing: Any) -> Any:
    """The thing itself, with tuples in place of lists."""
    return tuple(map(hashable, thing)) if isinstance(thing, list | tuple) else thing


class Walk:
    """Walks the learner's tree under policy ``p``, the unnormalised predictive state of every model that acts
    differently under it carried along: ``t`` and numbers of models are those of ``Distinct``, in ``models``."""

    def __init__(self, t: Tables, p: int, operators: bool = True) -> None:
        self.models = Distinct(t, p)
        self.t, self.p, self.operators = t.of(self.models.worlds, self.models.responses), p, operators
        t = self.t
        n = t.I * t.K
        joint, world = (np.full((n, size if operators else 0), Fraction(0), dtype=object) for size in (n, t.I))
        self.played = Played(joint=joint, world=world, joint_mean=joint.copy(), world_mean=world.copy())
        self.played.scale = t.d0 * t.step**t.H
        start = np.broadcast_to(t.start(), (n, 1, t.S)).copy()
        self.prefixes: list[Prefix] = []
        self.chances: list[list[tuple[Fraction, Fraction]]] = []  # [prefix][xi*]: P(prefix, o, a), 1 / P(prefix) a step
        self._step(0, (), 0, Fraction(1), start)
        self._add_up()

    def _step(self, h: int, sequence: tuple[int, ...], uA: int, weight: Fraction, q: Integers) -> None:
        t, p = self.t, self.p
        if h == t.H:
            self.played.sequences.append(sequence)
            self.played.weights.append(weight)
            self.played.laws.append(q.sum(axis=(1, 2)))
            return
        table, scale = t.pi[p][h]
        alive = q.any(axis=(0, 1))
        for o in range(t.O):
            if not (t.possible[:, h, :, o].any(axis=0) & alive).any():
                continue
            for a, chance in enumerate(table[t.learner.row[h][uA, o]]):
                if chance:
                    after, joint, world = self.images(h, o, a, q)
                    if after.any():
                        following = weight * Fraction(chance, scale)
                        if self.operators:
                            self.chances.append(self._chances(h, following, q, after))
                            self.prefixes.append(
                                Prefix((*sequence, o, a), joint, world, q.sum(axis=(1, 2)), after.sum(axis=(1, 2)))
                            )
                        self._step(h + 1, (*sequence, o, a), int(t.learner.next[h][uA, o, a]), following, after)

    def images(self, h: int, o: int, a: int, q: Integers) -> tuple[Integers, Integers, Integers]:
        """(J^xi* q^xi*, [xi*, xi] joint norms, [xi*, i] world norms); norms as integers over one step's scale."""
        t, p = self.t, self.p
        n = t.I * t.K
        worlds = [t.world_image(i, h, o, a, q) for i in range(t.I)]  # each [xi*, memory, OB, B, S]
        own = np.repeat(np.arange(t.I), t.K)
        reference = np.stack([worlds[i][x] for x, i in enumerate(own)])
        J = [t.aggregate(k, p, h, worlds[i]) for i, k in product(range(t.I), range(t.K))]
        after = np.stack([J[x][x] for x in range(n)])
        if not self.operators:
            return after, after, after
        world = np.stack([np.abs(w - reference).reshape(n, -1).sum(axis=1) for w in worlds], axis=1) * t.dg
        joint = np.stack([np.abs(image - after).reshape(n, -1).sum(axis=1) for image in J], axis=1)
        return after, joint, world

    def _chances(self, h: int, weight: Fraction, q: Integers, after: Integers) -> list[tuple[Fraction, Fraction]]:
        """For every xi* the chance of the prefix with its pair, and what multiplies a norm; zeros if impossible."""
        unit, step = self.t.d0 * self.t.step ** (h + 1), self.t.step
        pairs = zip(q.sum(axis=(1, 2)).tolist(), after.sum(axis=(1, 2)).tolist(), strict=True)
        return [
            (weight * Fraction(mass, unit), Fraction(1, before * step)) if mass else (Fraction(0), Fraction(0))
            for before, mass in pairs
        ]

    def _add_up(self) -> None:
        """E_{xi*} over prefixes of norms and of squared norms, in integers over one unit a sum."""
        played = self.played
        for x in range(len(played.joint) if self.prefixes else 0):
            joint = np.array([prefix.joint[x] for prefix in self.prefixes], dtype=object)
            world = np.array([prefix.world[x] for prefix in self.prefixes], dtype=object)
            for power, sums in ((1, (played.joint_mean, played.world_mean)), (2, (played.joint, played.world))):
                weights, unit = integers([chances[x][0] * chances[x][1] ** power for chances in self.chances])
                for into, norms in zip(sums, (joint, world), strict=True):
                    into[x] = [Fraction(int(total), unit) for total in weights.dot(norms**power)]
