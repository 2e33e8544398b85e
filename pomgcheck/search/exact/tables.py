"""A finite class as integer arrays over common denominators, for all worlds, responses and policies at once.

Shapes: I worlds, K responses, P policies; S, A, B, O, OB sizes of the game's spaces; object arrays of Python integers.
Transitions that a document gives by sparse rows stay sparse: no array of all their entries is ever made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.rows import SparseRow

Integers = NDArray[np.object_]


def integers(nested: Any) -> tuple[Integers, int]:
    """Return nested tuples of Fractions of one shape -> (integer numerators, common denominator)."""
    values = np.array(nested, dtype=object)
    denominator = lcm(*{x.denominator for x in values.flat}) if values.size else 1
    flat = [x.numerator * (denominator // x.denominator) for x in values.flat]
    return np.array(flat, dtype=object).reshape(values.shape), denominator


class Moves:
    """These are the transitions of all worlds as integers over ``unit``, in an array [I,H,S,A,B,S]."""

    def __init__(self, values: Integers, unit: int) -> None:
        self.values, self.unit = values, unit

    def rows_of(self, i: int, h: int, actions: Sequence[int] | None = None) -> Any:
        """Return all rows of a step, of some actions only if they are given, so that equal ones compare equal."""
        table = self.values[i, h]
        return (table if actions is None else table[:, list(actions)]).tolist()

    def channel(self, i: int, h: int, seen: Integers, heard: Integers, a: int) -> Integers:
        """Return seen(s) heard(s, ob) T(s'|s,a,b) as a matrix (S, OB*B*S)."""
        T = self.values[i, h, :, a]
        out: Integers = seen[:, None, None, None] * heard[:, :, None, None] * T[:, None]
        return out.reshape(len(T), -1)

    def image(self, i: int, h: int, seen: Integers, heard: Integers, a: int, q: Integers) -> Integers:
        """Return the same matrix applied to q[..., S]: [..., OB, B, S]."""
        B, S = self.values.shape[4:]
        image: Integers = np.dot(q, self.channel(i, h, seen, heard, a))
        return image.reshape(*q.shape[:-1], heard.shape[1], B, S)

    def varying(self, h: int, s: int) -> tuple[Integers, NDArray[np.int64]]:
        """Return the entries of one state and step [I, n], and how often each column counts; zeros may be left out."""
        moved = self.values[:, h, s].reshape(len(self.values), -1)
        return moved, np.ones(moved.shape[1], dtype=np.int64)

    def nonnegative(self) -> bool:
        """Return whether no entry is negative."""
        return bool((self.values >= 0).all())

    def matrices(self) -> Iterator[list[list[int]]]:
        """Return T_h of every world and step as rows over s', a table once."""
        tables = {str(T.tolist()): T for world in self.values for T in world}
        yield from (T.reshape(-1, T.shape[-1]).tolist() for T in tables.values())


class SparseMoves(Moves):
    """These are the same transitions, kept by rows [i][h][s][a][b] of entries that are not zero."""

    def __init__(self, worlds: Sequence[Any], size: int, unit: int) -> None:
        self.rows, self.size, self.unit = worlds, size, unit
        self._columns: dict[tuple[int, int, int, int], tuple[NDArray[np.int64], Integers]] = {}

    @staticmethod
    def read(game: Game) -> SparseMoves:
        """Return those of a game."""
        distinct = {row for w in game.worlds for T in {*w.T} for rows in T for each in rows for row in each}
        unit = lcm(*{x.denominator for row in distinct for _, x in row.entries})
        whole = {
            row: SparseRow(row.length, [(k, x.numerator * (unit // x.denominator)) for k, x in row.entries])
            for row in distinct
        }
        steps = {
            T: tuple(tuple(tuple(whole[r] for r in each) for each in rows) for rows in T)
            for T in {T for w in game.worlds for T in w.T}
        }
        return SparseMoves([tuple(steps[T] for T in w.T) for w in game.worlds], len(game.S), unit)

    def rows_of(self, i: int, h: int, actions: Sequence[int] | None = None) -> Any:
        """Return the rows of a world at a step, of all actions or of some."""
        table = self.rows[i][h]
        return table if actions is None else tuple(tuple(rows[a] for a in actions) for rows in table)

    def channel(self, i: int, h: int, seen: Integers, heard: Integers, a: int) -> Integers:
        """Return W at a step and an action as a matrix from pure states to (o^B, b, s')."""
        return self.image(i, h, seen, heard, a, np.array(np.eye(self.size), dtype=int).astype(object)).reshape(
            self.size, -1
        )

    def image(self, i: int, h: int, seen: Integers, heard: Integers, a: int, q: Integers) -> Integers:
        """Return W q with the axes (o^B, b, s') in place of the last, which is that of the states."""
        OB, B = heard.shape[1], len(self.rows[i][h][0][a])
        here = (q * seen).reshape(-1, self.size)
        out = np.zeros((len(here), OB * B * self.size), dtype=object)
        for n, s in zip(*(axis.tolist() for axis in here.nonzero()), strict=True):
            if (i, h, s, a) not in self._columns:
                self._columns[i, h, s, a] = self._column(self.rows[i][h][s][a], heard[s])
            places, weights = self._columns[i, h, s, a]
            out[n, places] += here[n, s] * weights
        return out.reshape(*q.shape[:-1], OB, B, self.size)

    def _column(self, rows: Sequence[SparseRow], heard: Integers) -> tuple[NDArray[np.int64], Integers]:
        """Return where the moves of one state and action lead, as places in [OB, B, S] laid out flat, and heard(ob) T."""
        found = [
            (((ob * len(rows)) + b) * self.size + t, chance * move)
            for ob, chance in enumerate(heard.tolist())
            for b, row in enumerate(rows if chance else ())
            for t, move in row.entries
        ]
        return np.array([place for place, _ in found], dtype=np.int64), np.array([x for _, x in found], dtype=object)

    def varying(self, h: int, s: int) -> tuple[Integers, NDArray[np.int64]]:
        """Return the distinct columns of entries by world, and how often each occurs, at a step and state."""
        columns = Counter[tuple[int, ...]]()
        for place in zip(*(chain(*world[h][s]) for world in self.rows), strict=True):
            if any(row != place[0] for row in place):
                columns.update(tuple(row[t] for row in place) for t in {t for row in place for t, _ in row.entries})
            else:
                columns.update((x,) * len(place) for _, x in place[0].entries)
        return np.array(list(columns), dtype=object).T, np.array(list(columns.values()), dtype=np.int64)

    def nonnegative(self) -> bool:
        """Return whether no entry is negative."""
        return all(x >= 0 for world in self.rows for T in {*world} for row in distinct_rows(T) for _, x in row.entries)

    def matrices(self) -> Iterator[list[list[int]]]:
        """Yield the distinct rows of each table, dense."""
        for T in {T for world in self.rows for T in world}:
            yield [list(row) for row in distinct_rows(T)]


def distinct_rows(T: Any) -> set[SparseRow]:
    """Return the different rows of one step."""
    return {row for rows in T for each in rows for row in each}


class Memories:
    """These are the numbered memories of one player: ``codes[h]`` lists those at step h; ``row[h][memory, o]`` is the
    table row the decision reads and ``next[h][memory, o, action]`` the number of the memory after it."""

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
        """Return the number of memories at the start of step ``h``."""
        return len(self.codes[h])

    @staticmethod
    def table_row(
        code: tuple[int, ...], o: int, observations: int, actions: int, window: int | None, history: bool
    ) -> int:
        """Return the row of a table that a decision reads after a memory and the current observation."""
        read = (*code, o) if window is None else (*(code[::2] if history else code), o)[-window:]
        index = 0
        for k, digit in enumerate(read):
            index = index * (actions if window is None and k % 2 else observations) + digit
        return index


class Tables:
    """These are integer arrays of a finite ``Game`` on one space.

    ``EA[I,H,S,O]/dA``, ``EB[I,H,S,OB]/dB``, ``moves`` over dT, ``g[h][K,P,rows,B]/dg``, ``pi[p][h][rows,A]/dpi``,
    ``rho[S]/d0``.  One step of any operator multiplies by ``step`` = dA dB dT dg.
    """

    def __init__(self, game: Game, space: str) -> None:
        self.game, self.space = game, space
        self.H, self.I, self.K, self.P = game.H, len(game.worlds), len(game.responses), len(game.policies)
        self.S, self.A, self.B, self.O, self.OB = (len(x) for x in (game.S, game.A, game.B, game.OA, game.OB))
        self.rho, self.d0 = integers(game.rho0)
        self.EA, self.dA = integers([spread(w.EA) for w in game.worlds])
        self.EB, self.dB = integers([spread(w.EB) for w in game.worlds])
        sparse = isinstance(game.worlds[0].T[0][0][0][0], SparseRow)
        self.moves = SparseMoves.read(game) if sparse else Moves(*integers([w.T for w in game.worlds]))
        self.dT = self.moves.unit
        g = [integers([[table[h] for table in response] for response in game.responses]) for h in range(self.H)]
        self.dg = lcm(*(d for _, d in g))
        self.g = [values * (self.dg // d) for values, d in g]
        self.pi = [[integers(table) for table in policy] for policy in game.policies]
        history = space == "history"
        self.learner = Memories(self.H, self.O, self.A, game.learner_window, history)
        self.adversary = Memories(self.H, self.OB, self.B, game.adversary_window, history)
        self.step = self.dA * self.dB * self.dT * self.dg

    def channel(self, i: int, h: int, o: int, a: int) -> Integers:
        """Return W_h(o,a) of world i as a matrix (S, OB*B*S), times dA dB dT; the same for every memory."""
        return self.moves.channel(i, h, self.EA[i, h, :, o], self.EB[i, h], a)

    def world_image(self, i: int, h: int, o: int, a: int, q: Integers) -> Integers:
        """Return W q for q[..., memory, S] -> [..., memory, OB, B, S]."""
        return self.moves.image(i, h, self.EA[i, h, :, o], self.EB[i, h], a, q)

    def aggregate(self, k: int, p: int, h: int, u: Integers) -> Integers:
        """Return G u for u[..., memory, OB, B, S] -> [..., next memory, S]; equal successors are added."""
        weights = self.g[h][k, p][self.adversary.row[h]]  # [memory, OB, B]
        scaled = u * weights[..., None]
        out = np.zeros((*u.shape[:-4], self.adversary.count(h + 1), self.S), dtype=object)
        flat = scaled.reshape(*u.shape[:-4], -1, self.S)
        for source, target in enumerate(self.adversary.next[h].ravel()):
            out[..., target, :] += flat[..., source, :]
        return out

    def start(self) -> Integers:
        """Return q_0 as [memory=1, S], times d0."""
        return self.rho[None, :].copy()


def spread(tables: Sequence[Any]) -> list[Any]:
    """Return the tables of emissions, one per step, with every entry."""
    return [[tuple(row) for row in table] for table in tables]
