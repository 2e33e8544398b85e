"""Laws of play and operator differences of all models at once, by one prefix walk a policy (Assumption 3.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from pomgcheck.errors import LimitExceeded

from .exact.tables import Integers, Tables


def refuse_too_many(t: Tables, limit: int) -> None:
    """Raise :class:`LimitExceeded` where a policy has over ``limit`` trajectories, counted before any is played."""
    for p in range(t.P):
        count = np.array([1], dtype=object)
        for h in range(t.H):
            table = t.pi[p][h][0].astype(bool)[t.learner.row[h]]  # [memory, O, A]
            table = table & np.asarray(t.possible[:, h].any(axis=(0, 1)))[:, None]
            after = np.zeros(t.learner.count(h + 1), dtype=object)
            for (m, o, a), played in np.ndenumerate(table):
                if played:
                    after[t.learner.next[h][m, o, a]] += count[m]
            count = after
        if count.sum() > limit:
            name = t.game.policy_names[p]
            raise LimitExceeded(f"policy {name}", "trajectories", int(count.sum()), limit)


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
    Models are numbered i*K + k."""

    sequences: list[tuple[int, ...]] = field(default_factory=list)
    weights: list[Fraction] = field(default_factory=list)
    laws: list[Integers] = field(default_factory=list)
    scale: int = 1
    joint: Any = None
    world: Any = None
    joint_mean: Any = None
    world_mean: Any = None


class Walk:
    """Walks the learner's tree under policy ``p``, every model's unnormalised predictive state carried along."""

    def __init__(self, t: Tables, p: int, operators: bool = True) -> None:
        self.t, self.p, self.operators = t, p, operators
        n = t.I * t.K
        joint, world = (np.full((n, size), Fraction(0), dtype=object) for size in (n, t.I))
        self.played = Played(joint=joint, world=world, joint_mean=joint.copy(), world_mean=world.copy())
        self.played.scale = t.d0 * t.step**t.H
        start = np.broadcast_to(t.start(), (n, 1, t.S)).copy()
        self.prefixes: list[Prefix] = []
        self._step(0, (), 0, Fraction(1), start)

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
                            self._add_norms(h, following, q, after, joint, world)
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

    def _add_norms(
        self, h: int, weight: Fraction, q: Integers, after: Integers, joint: Integers, world: Integers
    ) -> None:
        """E_{xi*} adds P(prefix, o, a) norm / P(prefix), and its square."""
        before, mass = q.sum(axis=(1, 2)), after.sum(axis=(1, 2))
        unit = Fraction(1, self.t.d0 * self.t.step ** (h + 1))
        for x in range(len(mass)):
            if mass[x]:
                one = Fraction(1, int(before[x] * self.t.step))
                chance = weight * int(mass[x]) * unit * one
                played = self.played
                for norms, means, sums in (
                    (joint[x], played.joint_mean[x], played.joint[x]),
                    (world[x], played.world_mean[x], played.world[x]),
                ):
                    for y in np.flatnonzero(norms):
                        mean = chance * int(norms[y])
                        means[y] += mean
                        sums[y] += mean * int(norms[y]) * one
