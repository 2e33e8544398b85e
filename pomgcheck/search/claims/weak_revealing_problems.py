"""Lists the problems of Assumption 2.4: for two worlds and a context, the exact data of ratio(q), each distinct one
once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np

from pomgcheck.search.exact.tables import Integers, SparseMoves, Tables
from pomgcheck.search.finding import Labels
from pomgcheck.search.play import kinds

KEPT = 4_000_000  # entries of images of pure states


@dataclass
class Problem:
    """A problem has its exact data with one column per pure state: Z, Z_ [n] are integers over ``z_unit``; M, M_
    [windows, n] and D = W - W' [channel, n] are integers over ``unit``."""

    context: tuple[int, ...]
    states: list[tuple[int, int]]
    Z: Any
    Z_: Any
    M: Any
    M_: Any
    D: Any
    windows: list[int]
    form: str
    z_unit: int
    unit: int
    kept: list[int] | None = None  # of a sparse class: the pure states that are columns, others being zero columns

    def at(self, q: Any) -> tuple[Fraction, Fraction] | None:
        """Return (signal, difference) of ratio(q), exactly; ``None`` where a Z vanishes in the literal form."""
        difference = Fraction(sum(abs(x) for x in self.D @ q)) / self.unit
        if self.form == "joint":
            return Fraction(sum(abs(x) for x in (self.M - self.M_) @ q)) / self.unit, difference
        Z, Z_ = Fraction(self.Z @ q), Fraction(self.Z_ @ q)
        if not Z or not Z_:
            return None
        signal = sum((abs(x / Z - y / Z_) for x, y in zip(self.M @ q, self.M_ @ q, strict=True)), Fraction(0))
        return signal * self.z_unit / self.unit, difference

    @property
    def asks(self) -> bool:
        """Return whether W differs somewhere and, in the literal form, o can be seen in both worlds."""
        return bool(self.D.any() and (self.form == "joint" or (self.Z.any() and self.Z_.any())))


class Problems:
    """These are the distinct problems, in the order in which certificates list their trees (certificates/FORMAT.md)."""

    def __init__(self, t: Tables, kappa: int, form: str, scope: str, whole: bool = False) -> None:
        """Prepare the tables. With ``whole`` every pure state is a column of every problem, also in a sparse class."""
        self.t, self.kappa, self.form, self.scope = t, kappa, form, scope
        self.whole = whole or scope == "reachable" or not isinstance(t.moves, SparseMoves)
        ids: dict[Any, int] = {}

        def name(array: Any) -> int:
            return ids.setdefault((array.shape, tuple(array.ravel().tolist())), len(ids))

        self.never = name(np.zeros(t.S, dtype=object))
        I, H = range(t.I), range(t.H)
        self.column = [[[name(t.EA[i, h, :, o]) for o in range(t.O)] for h in H] for i in I]
        self.EA, self.EB = ([[name(x[i, h]) for h in H] for i in I] for x in (t.EA, t.EB))
        _, kind = kinds(t.moves.rows_of(i, h, [a]) for i in I for h in H for a in range(t.A))
        self.slice = [[[kind[(i * t.H + h) * t.A + a] for a in range(t.A)] for h in H] for i in I]
        self.T = [[tuple(by_action) for by_action in world] for world in self.slice]
        self.g = [[[name(t.g[h][k, p]) for h in H] for p in range(t.P)] for k in range(t.K)]
        self.play = [
            [name(np.array([Fraction(x, d) for x in rows.ravel()])) for rows, d in t.pi[p]] for p in range(t.P)
        ]
        self.alike = [bool((t.EA[:, h] == t.EA[:1, h]).all()) for h in H]  # whether all worlds show the same
        self.laws: dict[tuple[int, ...], dict[int, Integers]] = {}
        kept = max(1, KEPT // (t.S**2 * max(map(t.adversary.count, H)) ** 2 * t.OB * t.B))  # met by many responses
        self.channel, self.image = lru_cache(kept)(t.channel), lru_cache(kept)(self._image)
        self.difference = lru_cache(kept)(self._difference)
        self.key, self.content = lru_cache(1 << 16)(self._key), lru_cache(1 << 16)(self._content)
        self.contents: dict[Any, int] = {}
        windows = [(window or 1) - 1 for window in (t.game.adversary_window, t.game.learner_window)]
        # what the lengths of the memories at a step depend on, as the kernel tells them
        self.depth = [h if t.space == "history" else tuple(min(h, window) for window in windows) for h in H]

    def contexts(self, repeated: bool = True) -> Iterator[tuple[int, ...]]:
        """Yield all contexts; unless ``repeated``, those of one answer to one way of play are yielded once."""
        t = self.t
        answers = list(product(range(t.K), range(t.P))) if repeated else self.answers
        for i, j in combinations(range(t.I), 2):
            for (k, p), h in product(answers, range(t.H - self.kappa)):
                yield from (
                    (i, j, k, p, h, uA, o, a) for uA, o, a in product(range(t.learner.count(h)), range(t.O), range(t.A))
                )

    @property
    def answers(self) -> list[tuple[int, int]]:
        """Return the first (Phi, pi) of each answer to each way of play."""
        every = product(range(self.t.K), range(self.t.P))
        first = {(*self.g[k][p], *self.play[p]): (k, p) for k, p in reversed(list(every))}
        return sorted(first.values())

    def as_asked(self) -> Iterator[tuple[int, ...]]:
        """Yield the contexts of different answers in the kernel's order. One observation ahead nothing depends on the
        memory."""
        t = self.t
        for (k, p), h in product(self.answers, range(t.H - self.kappa)):
            memories = range(t.learner.count(h) if self.kappa > 1 else 1)
            for uA, o, a in product(memories, range(t.O), range(t.A)):
                yield from ((i, j, k, p, h, uA, o, a) for i, j in combinations(range(t.I), 2))

    def _content(self, i: int, k: int, p: int, h: int, uA: int, o: int, a: int) -> int:
        """Return the number of a world's tables in a context, Z, M and W of every pure state; equal tables have equal
        numbers."""
        t, scale = self.t, self.policy_scale(p, h)
        W = (self.channel if self.whole else self.image)(i, h, o, a).ravel()
        at = W.nonzero()[0]
        laws = sorted(self.window_laws(i, k, p, h, uA, o, a).items())
        M = tuple((code, tuple(x if scale == 1 else Fraction(x, scale) for x in law.tolist())) for code, law in laws)
        tables = tuple(t.EA[i, h, :, o].tolist()), M, tuple(at.tolist()), tuple(W[at].tolist())
        return self.contents.setdefault((self.depth[h], tables), len(self.contents))

    def side(self, i: int, h: int, o: int, a: int) -> Any:
        """Return what a problem reads of a world: equal ones pose the same problem."""
        later = tuple((self.EA[i][s], self.EB[i][s], self.T[i][s]) for s in range(h + 1, h + self.kappa))
        return self.column[i][h][o], self.EB[i][h], self.slice[i][h][a], self.EA[i][h + self.kappa], later

    def _key(self, context: tuple[int, ...]) -> Any:
        """Return names of a context's tables; contexts of one key are one problem. The key is ``None`` where both
        worlds act alike or neither can show o."""
        t = self.t
        i, j, k, p, h, uA, o, a = context
        sides = self.side(i, h, o, a), self.side(j, h, o, a)
        if sides[0][:3] == sides[1][:3] or sides[0][0] == sides[1][0] == self.never:
            return None
        later = range(h + 1, h + self.kappa)
        played = self.g[k][p][h], tuple((self.g[k][p][s], self.play[p][s]) for s in later)
        where = (h, uA) if self.scope == "reachable" else self.depth[h]
        after = int(t.learner.next[h][uA, o, a]) if self.kappa > 1 else 0
        return sides, played, where, (t.learner.count(h + 1), after)

    def __iter__(self) -> Iterator[Problem]:
        seen = {None}
        for context in self.contexts(repeated=False):
            key = self.key(context)
            if key not in seen:
                seen.add(key)
                problem = self.build(*context)
                if problem.asks:
                    yield problem

    def build(self, i: int, j: int, k: int, p: int, h: int, uA: int, o: int, a: int) -> Problem:
        """Return the problem of two worlds in a context.

        In a sparse class a column is a pure state that can show o, where that is as likely in both worlds. The others
        are zero columns: a leaf inequality between one of them and a column holds where that of the column with itself
        does.
        """
        t, memories = self.t, self.t.adversary.count(h)
        shown = self.shown(i, h, o)
        states = list(product(shown, range(memories)))
        laws = [self.window_laws(x, k, p, h, uA, o, a) for x in (i, j)]
        windows = sorted(set(laws[0]) | set(laws[1]))
        zero = np.zeros(len(states), dtype=object)
        unit = t.step**self.kappa * t.dA * self.policy_scale(p, h)
        M, M_ = (np.array([law.get(w, zero) for w in windows], dtype=object).reshape(-1, len(states)) for law in laws)
        Z, Z_ = (np.repeat(t.EA[x, h, shown, o], memories) for x in (i, j))
        D = self.difference(i, j, h, o, a) * (unit // (t.dA * t.dB * t.dT))
        kept = None
        if not self.whole and self.alike[h]:
            D, kept = D[D.astype(bool).any(axis=1)], [s * memories + m for s, m in states]
        return Problem((i, j, k, p, h, uA, o, a), states, Z, Z_, M, M_, D, windows, self.form, t.dA, unit, kept)

    def shown(self, i: int, h: int, o: int) -> list[int]:
        """Return the states that are columns of a problem: all of them, or in a sparse class those that can show o."""
        some = not self.whole and self.alike[h]
        return self.t.EA[i, h, :, o].nonzero()[0].tolist() if some else list(range(self.t.S))

    def _difference(self, i: int, j: int, h: int, o: int, a: int) -> Integers:
        """Return W - W' [channel, column]; channel coordinates are in the order (s', uB, oB, b), as the kernel sorts
        them."""
        gap = self.image(i, h, o, a) - self.image(j, h, o, a)
        return np.transpose(gap, (4, 1, 2, 3, 0)).reshape(-1, len(gap))

    def policy_scale(self, p: int, h: int) -> int:
        """Return the unit of the chances of the actions within a window."""
        return prod(self.t.pi[p][s][1] for s in range(h + 1, h + self.kappa))

    def window_laws(self, i: int, k: int, p: int, h: int, uA: int, o: int, a: int) -> dict[int, Integers]:
        """Return M, by the number of a window, as numerators [pure state] over step^kappa dA (and the policies'
        denominators). It is kept, since a world meets every other one."""
        place = i, k, p, h, uA, o, a
        if place in self.laws:
            return self.laws[place]
        t = self.t
        out = self.laws[place] = {}

        def walk(step: int, uA: int, window: int, vector: Integers) -> None:
            laws = self._laws(vector.sum(axis=1), t.EA[i, step]).T
            for o_next, seen in enumerate(laws):
                if not any(seen.tolist()):
                    continue
                code = window * t.O + o_next
                if step == h + self.kappa:
                    out[code] = out[code] + seen if code in out else seen
                    continue
                for a_next, chance in enumerate(t.pi[p][step][0][t.learner.row[step][uA, o_next]]):
                    if chance:
                        after = t.aggregate(k, p, step, t.world_image(i, step, o_next, a_next, vector * chance))
                        walk(step + 1, int(t.learner.next[step][uA, o_next, a_next]), code, after)

        walk(h + 1, int(t.learner.next[h][uA, o, a]), 0, t.aggregate(k, p, h, self.image(i, h, o, a)))
        return out

    def _laws(self, masses: Integers, emission: Integers) -> Integers:
        """Return what states of masses [n, S] show, as masses [n, O]."""
        if not isinstance(self.t.moves, SparseMoves):
            shown: Integers = np.dot(masses, emission)
            return shown
        out = np.zeros((len(masses), emission.shape[1]), dtype=object)
        for n, s in zip(*(axis.tolist() for axis in masses.nonzero()), strict=True):
            out[n] += masses[n, s] * emission[s]
        return out

    def _image(self, i: int, h: int, o: int, a: int) -> Integers:
        """Return W of every pure state; in a sparse class, of those that can show o."""
        t, memories, shown = self.t, self.t.adversary.count(h), self.shown(i, h, o)
        pure = np.zeros((len(shown) * memories, memories, t.S), dtype=object)
        for n, (s, m) in enumerate(product(shown, range(memories))):
            pure[n, m, s] = 1
        return t.world_image(i, h, o, a, pure)


def describe(t: Tables, problem: Problem) -> dict[str, Any]:
    """Return the context of a problem in labels."""
    labels = Labels(t.game)
    i, j, k, p, h, uA, o, a = problem.context
    part = labels.memory(t.learner.codes[h][uA], True, t.space == "history")
    return {
        "theta": labels.theta(i),
        "theta_prime": labels.theta(j),
        "Phi": labels.Phi(k),
        "pi": labels.policy(p),
        "h": h + 1,
        "learner_part": part,
        "o": t.game.OA[o],
        "a": t.game.A[a],
    }


def place(t: Tables, problem: Problem, q: Any) -> dict[str, Any]:
    """Return a problem and a predictive state, in labels."""
    h = problem.context[4]
    labels = Labels(t.game)
    masses = [
        [t.game.S[s], labels.memory(t.adversary.codes[h][m], False, t.space == "history"), str(mass)]
        for (s, m), mass in zip(problem.states, q, strict=True)
        if mass
    ]
    return describe(t, problem) | {"q": masses}
