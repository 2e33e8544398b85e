"""Learner prefixes of a policy under every model, step by step, with their predictive states.

Prefixes after which everything still to come is the same are one node (certificates/FORMAT.md, Merged prefixes), and
models that a policy cannot tell apart are one under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import permutations, product
from math import gcd
from operator import mul
from typing import Any, NamedTuple

from .budget import spend
from .game import Game
from .operators import Column, Compared, G, Memory, Model, Scaled, Space, State, Vector, total
from .reading import require

COARSE = 64  # bits of the first enclosures, and of the second moments
STATE = 40  # units of work and memory for each predictive state that is kept

Pair = tuple[int, int, int]  # (h, o, a), or the first step of equal tables in place of h
Likelihoods = dict[tuple[int, ...], Memory]


class Edge(NamedTuple):
    """An edge is one step from a node: the pair (o, a), the policy's ``chance`` of a in units of ``pi``, for every
    model the mass ``after`` of its state after the pair, and the ``child`` that is reached, ``None`` after the last
    step."""

    o: int
    a: int
    chance: int
    after: tuple[int, ...]
    child: Node | None


class Node:
    """A node stands for learner prefixes of one length that have the same memory ``uA`` and, in every model, the same
    predictive state up to scale, or none.

    ``states`` are those states as integers without a common divisor, and ``totals`` their masses. ``counts[x]`` times
    the state of model x is the sum over the prefixes of (chance of the actions) x (unnormalised state), in the unit of
    the step. ``likelihoods`` are vectors proportional to (P_x(prefix) / totals[x])_x, each with one prefix that has it:
    all of them, or those that attain the largest ratio of two entries.
    """

    __slots__ = ("counts", "edges", "likelihoods", "states", "totals", "uA")

    def __init__(self, uA: Memory, states: tuple[Vector | None, ...], likelihoods: Likelihoods) -> None:
        self.uA, self.states, self.likelihoods = uA, states, likelihoods
        self.totals = tuple(total(v) if v else 0 for v in states)
        self.counts = [0] * len(states)
        self.edges: list[Edge] = []

    @property
    def prefix(self) -> Memory:
        """Return one of the prefixes of the node."""
        return next(iter(self.likelihoods.values()))


class Place(NamedTuple):
    """A place is a pair of models, by number, and a trajectory."""

    x: int
    y: int
    trajectory: Memory


class Walk:
    """A walk is what one policy meets under every model.

    A model is ``xi = (i, k)``, world ``i`` with response ``k``. ``alike`` takes every world and every model to the
    first that is the same under the policy (as the function ``alike`` says), and ``models`` lists those firsts:
    everything here is a function of the tables that are compared. ``levels[h]`` holds the nodes before step h.

    Raises ``Malformed`` where a step has more than ``limit`` nodes, and ``OverBudget``.
    """

    def __init__(self, game: Game, scaled: Scaled, space: Space, p: int, limit: int) -> None:
        self.game, self.scaled, self.space, self.p = game, scaled, space, p
        self.alike = alike(game, p)
        self.models = list(dict.fromkeys(xi for xi in self.alike.values() if isinstance(xi, tuple)))
        self.number = {xi: n for n, xi in enumerate(self.models)}
        self.kinds = kinds_of_steps(game, p)
        self._columns: dict[object, dict[State, Column]] = {}
        self._same: dict[Pair, dict[Compared, Compared]] = {}
        self.masses = cache(self._masses)  # of every edge, by model and bits
        self.levels: list[list[Node]] = []
        self._walk(limit)
        self.edges = [(h, node, edge) for h, level in enumerate(self.levels) for node in level for edge in node.edges]

    def _walk(self, limit: int) -> None:
        game, n = self.game, len(self.models)
        start = self.scaled.initial()
        unit = gcd(*start.values())
        root = Node((), ({key: m // unit for key, m in start.items()},) * n, {(1,) * n: ()})
        root.counts = [unit] * n
        level: list[Node] = [root]
        for h in range(game.H):
            self.levels.append(level)
            following: dict[object, Node] = {}
            for node in level:
                node.likelihoods = extremes(node.likelihoods)
                for o, a, chance in self.choices(h, node.uA):
                    spend(STATE * n + 2 * sum(len(v) for v in node.states if v), "predictive states along trajectories")
                    states = [*zip(self.models, node.states, strict=True)]
                    masses = tuple(self.mass(h, o, xi, v) if v else 0 for xi, v in states)
                    if any(masses):
                        child = None
                        if h + 1 < game.H:
                            after = [self.image(h, o, a, xi, v) if v else {} for xi, v in states]
                            child = self._reach(following, node, o, a, chance, after)
                        node.edges.append(Edge(o, a, chance, masses, child))
                        found = f"{len(following)} prefixes apart by step {h + 1}"
                        require(len(following) <= limit, "options.limits", found, f"at most {limit}")
            level = list(following.values())

    def choices(self, h: int, uA: Memory) -> Iterator[tuple[int, int, int]]:
        """Yield (o, a, chance) for every observation and every action that the policy may then choose at a memory; the
        chance is in units of ``pi``."""
        for o in range(len(self.game.OA)):
            row = self.scaled.policies[self.p][h][self.space.row(uA, o, True)]
            yield from ((o, a, chance) for a, chance in enumerate(row) if chance)

    def _reach(
        self, following: dict[object, Node], node: Node, o: int, a: int, chance: int, after: Sequence[Vector]
    ) -> Node:
        """Return the node after a pair; it is made if no prefix has led to one with the same memory and states
        before."""
        shares = [gcd(*v.values()) for v in after]
        states = tuple(
            {key: m // share for key, m in sorted(v.items())} if v else None
            for v, share in zip(after, shares, strict=True)
        )
        uA = self.space.next(node.uA, o, a, True)
        key = uA, tuple(tuple(v.items()) if v else None for v in states)
        child = following.get(key)
        if child is None:
            child = following[key] = Node(uA, states, {})
        child.counts = [c + d * chance * s for c, d, s in zip(child.counts, node.counts, shares, strict=True)]
        for vector, prefix in node.likelihoods.items():
            spend(len(vector), "likelihoods of prefixes")
            moved = tuple(map(mul, vector, shares))
            unit = gcd(*moved)
            child.likelihoods.setdefault(tuple(x // unit for x in moved), (*prefix, o, a))
        return child

    def image(self, h: int, o: int, a: int, y: Compared, q: Vector) -> dict[Any, int]:
        """Return J q for a model y, or W q for a world y, at (o, a); its columns are computed once."""
        i, known = y[0] if isinstance(y, tuple) else y, self._columns.setdefault((self.kinds[h], a, y), {})
        return self._applied(self.scaled.shows(self.kinds[h], o, i), known, partial(self._column, h, a, y), q)

    def _applied(
        self, shows: dict[int, int], known: dict[State, Column], made: Callable[[State], Column], q: Vector
    ) -> dict[Any, int]:
        """Return the sum of the columns at the states that can show an observation, each with its weight; ``made``
        makes a column that is not known yet."""
        out = dict[Any, int]()
        for state, mass in q.items():
            if seen := shows.get(state[0]):
                if state not in known:
                    known[state] = made(state)
                weight = seen * mass
                for key, entry in zip(*known[state], strict=True):
                    out[key] = out[key] + entry * weight if key in out else entry * weight
        return out

    def mass(self, h: int, o: int, xi: Model, q: Vector) -> int:
        """Return the mass of J q for a model. Without the factor E^A every column of J sums to its unit, so E^A alone
        is read."""
        shows = self.scaled.shows(self.kinds[h], o, xi[0])
        seen: int = sum(shows[s] * mass for (s, _), mass in q.items() if s in shows)
        return seen * (self.scaled.J // self.scaled.EA)

    def _column(self, h: int, a: int, y: Compared, state: State) -> Column:
        """Return the column of J (model y) or of W (world y) at a pure state, without the factor E^A."""
        i, *k = y if isinstance(y, tuple) else (y,)
        column = self.scaled.moves(self.kinds[h], a, i, state)
        if not k:
            return column
        channel = dict(zip(*column, strict=True))
        return self.scaled.compact(G(self.space, self.scaled.responses[k[0]][self.p], h, channel))

    def _gap(self, h: int, a: int, pair: Sequence[Compared], state: State) -> Column:
        """Return the difference of the columns of two models (worlds) at a pure state."""
        one, two = (dict(zip(*self._column(h, a, y, state), strict=True)) for y in pair)
        keys = one.keys() | two.keys()
        return self.scaled.compact({key: gap for key in keys if (gap := one.get(key, 0) - two.get(key, 0))})

    def unit(self, h: int) -> int:
        """Return the unit of the masses of prefixes of ``h`` steps, the chances of their actions included."""
        step: int = (self.scaled.J * self.scaled.pi) ** h
        return int(self.scaled.rho * step)

    def _masses(self, x: int, bits: int) -> list[int]:
        """Return 2^bits times the mass of every edge under a model, rounded down."""
        units = [self.unit(h + 1) for h in range(self.game.H)]
        return [(node.counts[x] * edge.chance * edge.after[x] << bits) // units[h] for h, node, edge in self.edges]

    def follow(self, trajectory: Memory, xi: Model) -> tuple[list[Vector], list[int]] | None:
        """Return the unnormalised states of a model before each pair of a prefix, and the masses before the pairs and
        after the last, given the actions; return ``None`` where the policy does not choose these actions."""
        q, states = self.scaled.initial(), list[Vector]()
        uA: Memory = ()
        masses = [total(q)]
        for h, (o, a) in enumerate(zip(trajectory[::2], trajectory[1::2], strict=True)):
            if not self.scaled.policies[self.p][h][self.space.row(uA, o, True)][a]:
                return None
            states.append(q)
            q, uA = self.image(h, o, a, self.alike[xi], q), self.space.next(uA, o, a, True)
            masses.append(total(q))
        return states, masses

    def same(self, place: Pair) -> dict[Compared, Compared]:
        """Return a map from every model (world) of ``alike`` to the first whose J (W) is made of the same tables at (h,
        o, a)."""
        h, o, a = place
        if (self.kinds[h], o, a) not in self._same:
            first, kinds = dict[object, Compared](), self._same.setdefault((self.kinds[h], o, a), {})
            for y in dict.fromkeys(self.alike.values()):
                i, *k = y if isinstance(y, tuple) else (y,)
                _, EB, T = (tables[h] for tables in self.scaled.worlds[i])
                tables = tuple(self.scaled.shows(h, o, i).items()), EB, tuple(rows[a] for rows in T)
                kinds[y] = first.setdefault((tables, *(self.scaled.responses[n][self.p][h] for n in k)), y)
        return self._same[self.kinds[h], o, a]


def extremes(likelihoods: Likelihoods) -> Likelihoods:
    """Return, for every two models, one of the vectors with the largest ratio of their two entries, where all vectors
    are zero at the same models. One or two vectors are returned as they are."""
    vectors = list(likelihoods)
    if len(vectors) <= 2:
        return likelihoods
    kept: Likelihoods = {}
    support = [x for x, entry in enumerate(vectors[0]) if entry]
    spend(len(support) ** 2 * len(vectors), "likelihoods of prefixes")
    for x, y in permutations(support, 2):
        best = vectors[0]
        for vector in vectors:
            if vector[x] * best[y] > best[x] * vector[y]:
                best = vector
        kept[best] = likelihoods[best]
    return kept or {vectors[0]: likelihoods[vectors[0]]}


def kinds_of_steps(game: Game, p: int) -> list[int]:
    """Return, per step, the first with the same tables in all worlds and responses to the policy; tables are compared
    as they are."""
    first = dict[object, int]()
    tables = (
        (tuple((w.EA[h], w.EB[h], w.T[h]) for w in game.worlds), tuple(r[p][h] for r in game.responses))
        for h in range(game.H)
    )
    return [first.setdefault(each, h) for h, each in enumerate(tables)]


def alike(game: Game, p: int) -> dict[Any, Any]:
    """Return a map from every world i and model (i, k) to the first that is the same under a policy.

    Worlds are the same if their emissions are, and their transitions under the actions that the policy may choose at a
    step; responses are the same if their answers to the policy are. No law of play depends on more, and no operator at
    a pair that the policy may play does.
    """
    chosen = [sorted({a for row in table for a, chance in enumerate(row) if chance}) for table in game.policies[p]]
    first, worlds = dict[object, int](), list[int]()
    for i, (EA, EB, T) in enumerate(game.worlds):
        moves = tuple(tuple(rows[a] for a in acts) for acts, table in zip(chosen, T, strict=True) for rows in table)
        worlds.append(first.setdefault((EA, EB, moves), i))
    first = {}
    answers = [first.setdefault(response[p], k) for k, response in enumerate(game.responses)]
    pairs = product(enumerate(worlds), enumerate(answers))
    return dict(enumerate(worlds)) | {(i, k): (i_, k_) for (i, i_), (k, k_) in pairs}
