"""A finite class as integer arrays over common denominators, for all worlds, responses and policies at once.

Shapes: I worlds, K responses, P policies; S, A, B, O, OB sizes of the game's spaces; object arrays of Python integers.
"""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pomgcheck.kernel.game import Game

Integers = NDArray[np.object_]


def integers(nested: Any) -> tuple[Integers, int]:
    """Nested tuples of Fractions of one shape -> (integer numerators, common denominator)."""
    values = np.array(nested, dtype=object)
    denominator = lcm(*{x.denominator for x in values.flat}) if values.size else 1
    flat = [x.numerator * (denominator // x.denominator) for x in values.flat]
    return np.array(flat, dtype=object).reshape(values.shape), denominator


class Memories:
    """Numbered memories of one player: ``codes[h]`` lists those at step h; ``row[h][memory, o]`` is the table row the
    decision reads and ``next[h][memory, o, action]`` the number of the memory after it."""

    def __init__(self, horizon: int, observations: int, actions: int, window: int | None, history: bool) -> None:
        self.codes: list[list[tuple[int, ...]]] = [[()]]
        self.row: list[NDArray[np.int64]] = []
        self.next: list[NDArray[np.int64]] = []
        codes: list[tuple[int, ...]] = [()]
        for _ in range(horizon):
            row = np.zeros((len(codes), observations), dtype=np.int64)
            following = np.zeros((len(codes), observations, actions), dtype=np.int64)
            number: dict[tuple[int, ...], int] = {}
            for index, code in enumerate(codes):
                for o in range(observations):
                    row[index, o] = self.table_row(code, o, observations, actions, window, history)
                    for a in range(actions):
                        kept = (*code, o, a) if history else (*code, o)[max(0, len(code) + 2 - (window or 1)) :]
                        following[index, o, a] = number.setdefault(kept, len(number))
            self.row.append(row)
            self.next.append(following)
            codes = list(number)
            self.codes.append(codes)

    def count(self, h: int) -> int:
        """Number of memories at the start of step ``h``."""
        return len(self.codes[h])

    @staticmethod
    def table_row(
        code: tuple[int, ...], o: int, observations: int, actions: int, window: int | None, history: bool
    ) -> int:
        """The row of a table that a decision reads after a memory and the current observation."""
        if window is None:
            index = 0
            for k, digit in enumerate((*code, o)):
                index = index * (actions if k % 2 else observations) + digit
            return index
        seen = (*(code[::2] if history else code), o)[-window:]
        index = 0
        for digit in seen:
            index = index * observations + digit
        return index


class Tables:
    """Integer arrays of a finite ``Game`` on one space.

    ``EA[I,H,S,O]/dA``, ``EB[I,H,S,OB]/dB``, ``T[I,H,S,A,B,S]/dT``, ``g[h][K,P,rows,B]/dg``, ``pi[p][h][rows,A]/dpi``,
    ``rho[S]/d0``.  One step of any operator multiplies by ``step`` = dA dB dT dg.
    """

    def __init__(self, game: Game, space: str) -> None:
        self.game, self.space = game, space
        self.H, self.I, self.K, self.P = game.H, len(game.worlds), len(game.responses), len(game.policies)
        self.S, self.A, self.B, self.O, self.OB = (len(x) for x in (game.S, game.A, game.B, game.OA, game.OB))
        self.rho, self.d0 = integers(game.rho0)
        self.EA, self.dA = integers([w.EA for w in game.worlds])
        self.EB, self.dB = integers([w.EB for w in game.worlds])
        self.T, self.dT = integers([w.T for w in game.worlds])
        g = [integers([[table[h] for table in response] for response in game.responses]) for h in range(self.H)]
        self.dg = lcm(*(d for _, d in g))
        self.g = [values * (self.dg // d) for values, d in g]
        self.pi = [[integers(table) for table in policy] for policy in game.policies]
        history = space == "history"
        self.learner = Memories(self.H, self.O, self.A, game.learner_window, history)
        self.adversary = Memories(self.H, self.OB, self.B, game.adversary_window, history)
        self.step = self.dA * self.dB * self.dT * self.dg

    def of(self, worlds: list[int], responses: list[int]) -> Tables:
        """The same of some worlds and responses only."""
        out = copy(self)
        out.__dict__.pop("possible", None)
        out.EA, out.EB, out.T = (table[worlds] for table in (self.EA, self.EB, self.T))
        out.g = [table[responses] for table in self.g]
        out.I, out.K = len(worlds), len(responses)
        return out

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """[I,H,S,O]: observations of positive probability."""
        return self.EA.astype(bool)

    def channel(self, i: int, h: int, o: int, a: int) -> Integers:
        """W_h(o,a) of world i as a matrix (S, OB*B*S), times dA dB dT; the same for every memory."""
        out = self.EA[i, h, :, o][:, None, None, None] * self.EB[i, h][:, :, None, None] * self.T[i, h, :, a][:, None]
        return out.reshape(self.S, -1)  # type: ignore[no-any-return]

    def world_image(self, i: int, h: int, o: int, a: int, q: Integers) -> Integers:
        """W q for q[..., memory, S] -> [..., memory, OB, B, S]."""
        image = np.dot(q, self.channel(i, h, o, a))
        return image.reshape(*q.shape[:-1], self.OB, self.B, self.S)  # type: ignore[no-any-return]

    def aggregate(self, k: int, p: int, h: int, u: Integers) -> Integers:
        """G u for u[..., memory, OB, B, S] -> [..., next memory, S]; equal successors are added."""
        weights = self.g[h][k, p][self.adversary.row[h]]  # [memory, OB, B]
        scaled = u * weights[..., None]
        out = np.zeros((*u.shape[:-4], self.adversary.count(h + 1), self.S), dtype=object)
        flat = scaled.reshape(*u.shape[:-4], -1, self.S)
        for source, target in enumerate(self.adversary.next[h].ravel()):
            out[..., target, :] += flat[..., source, :]
        return out

    def start(self) -> Integers:
        """q_0 as [memory=1, S], times d0."""
        return self.rho[None, :].copy()


def fraction(numerator: Any, denominator: int) -> Fraction:
    return Fraction(int(numerator), denominator)
