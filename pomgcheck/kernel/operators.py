"""W, G and J of Theorem 2.5, predictive states and S^ref, by plain enumeration.

A vector on the augmented space is a dict ``{(s, uB): mass}``: ``s`` a latent state, ``uB`` the adversary's
memory (its whole post-action history on the history space, its last window-1 observations on the window
space).  The learner's memory ``uA`` is common to all coordinates of a predictive state and is carried apart.
A vector of V is ``{(s', uB, oB, b): mass}``.  Masses are integers over the units of ``Scaled``, so that vectors
of one step compare as they stand; the same functions take entries that are polynomials.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import lcm
from typing import Any

from .budget import afford, spend
from .game import Game, Row, Table, World
from .rows import Scalar, SparseRow, numbered, transposed

MAX_SETS = 1000  # of possible states are kept apart where prefixes are counted; if there are more, their union is kept

Memory = tuple[int, ...]
Model = tuple[int, int]  # world, response
Compared = int | Model  # a world, by its W, or a model, by its J
State = tuple[int, Memory]  # a latent state, and the adversary's memory
Vector = dict[State, Scalar]
Channel = dict[tuple[int, Memory, int, int], Scalar]
Column = tuple[tuple[Any, ...], tuple[int, ...]]  # keys of a vector, and its entries


class Space:
    """A space says what a memory keeps, and which table row it reads; its kind is ``window`` or ``history``."""

    def __init__(self, game: Game, kind: str) -> None:
        self.game, self.history = game, kind == "history"
        self._sides = (
            (len(game.OB), len(game.B), game.adversary_window),
            (len(game.OA), len(game.A), game.learner_window),
        )
        self._rows: dict[tuple[Memory, int, bool], int] = {}

    def memories(self, h: int, learner: bool) -> Iterator[Memory]:
        """Return all memories at the start of 0-based step ``h``."""
        O, A, window = self._sides[learner]
        if self.history:
            return product(*([range(O), range(A)] * h))
        assert window is not None  # the full history has no window space
        return product(range(O), repeat=min(window - 1, h))

    def count(self, h: int, learner: bool) -> int:
        """Return how many memories there are at the start of 0-based step ``h``."""
        O, A, window = self._sides[learner]
        return int((O * A) ** h if self.history else O ** min((window or 1) - 1, h))

    def row(self, memory: Memory, o: int, learner: bool) -> int:
        """Return the row that the decision after ``memory`` and the current observation ``o`` reads."""
        key = memory, o, learner
        if key not in self._rows:
            O, A, window = self._sides[learner]
            seen = (*(memory[::2] if self.history and window else memory), o)
            index = 0
            for k, digit in enumerate(seen if window is None else seen[-window:]):
                index = index * (A if window is None and k % 2 else O) + digit
            self._rows[key] = index
        return self._rows[key]

    def next(self, memory: Memory, o: int, action: int, learner: bool) -> Memory:
        """Return the memory after observing ``o`` and acting."""
        if self.history:
            return (*memory, o, action)
        window = self._sides[learner][2] or 1
        return (*memory, o)[-(window - 1) :] if window > 1 else ()


def multiples(nested: Any, unit: int, known: dict[SparseRow, SparseRow] | None = None) -> Any:
    """Return nested Fractions as integer multiples of 1/unit; equal sparse rows become one object."""
    known = {} if known is None else known
    if isinstance(nested, tuple):
        return tuple(multiples(entry, unit, known) for entry in nested)
    if isinstance(nested, SparseRow):
        if nested not in known:
            known[nested] = SparseRow(nested.length, ((k, multiples(x, unit)) for k, x in nested.entries))
        return known[nested]
    return nested.numerator * (unit // nested.denominator)


def common_unit(nested: Any) -> int:
    """Return the least common denominator of nested Fractions."""
    if isinstance(nested, tuple):
        return lcm(*(common_unit(entry) for entry in set(nested)))
    if isinstance(nested, SparseRow):
        return lcm(*(x.denominator for _, x in nested.entries))
    return int(nested.denominator)


class Scaled:
    """This has the tables of a finite class as integers over one unit per kind: an entry of ``worlds[i].EA`` times
    1/``EA`` is the probability, and so for ``EB``, ``T``, ``g`` (``responses``), ``pi`` (``policies``) and ``rho``
    (``rho0``)."""

    def __init__(self, game: Game) -> None:
        self.EA, self.EB, self.T = (common_unit(tuple(world[part] for world in game.worlds)) for part in range(3))
        self.g, self.pi, self.rho = map(common_unit, (game.responses, game.policies, (game.rho0,)))
        units = self.EA, self.EB, self.T
        self.worlds = [World(*(multiples(t, u) for t, u in zip(world, units, strict=True))) for world in game.worlds]
        self.responses: Any = multiples(game.responses, self.g)
        self.policies: Any = multiples(game.policies, self.pi)
        self.rho0 = multiples(game.rho0, self.rho)
        self.W, self.J = self.EA * self.EB * self.T, self.EA * self.EB * self.T * self.g  # units of the operators

        self._shows: dict[tuple[int, int], list[dict[int, int]]] = {}
        self._moves: dict[tuple[int, int, int, State], Column] = {}
        self._columns, self._one = dict[tuple[tuple[int, Scalar], ...], dict[int, int]](), dict[Any, Any]()

    def initial(self) -> Vector:
        """Return q_0, which is rho_0 on empty memories."""
        return {(s, ()): mass for s, mass in enumerate(self.rho0) if mass}

    def shows(self, h: int, o: int, i: int) -> dict[int, int]:
        """Return the entries of E^A_h(o|.) of world i that are not zero, by state; equal ones are one object."""
        if (h, i) not in self._shows:
            columns = transposed(self.worlds[i].EA[h])
            self._shows[h, i] = [self._columns.setdefault(column, dict(column)) for column in columns]
        return self._shows[h, i][o]

    def moves(self, h: int, a: int, i: int, state: State) -> Column:
        """Return ``moved`` of world i at a pure state; it is computed once for all policies."""
        if (h, a, i, state) not in self._moves:
            self._moves[h, a, i, state] = self.compact(moved(self.worlds[i], h, a, {state: 1}))
        return self._moves[h, a, i, state]

    def compact(self, vector: Mapping[Any, Scalar]) -> Column:
        """Return the keys and entries of a vector; equal ones are one object, since dense columns are many, and mostly
        alike."""
        parts = (tuple(self._one.setdefault(x, x) for x in part) for part in (vector.keys(), vector.values()))
        keys, entries = (self._one.setdefault(part, part) for part in parts)
        return keys, entries


def add(vector: dict[Any, Scalar], key: object, value: Scalar) -> None:
    """Add a value to one entry of a sparse vector, which is changed."""
    vector[key] = vector[key] + value if key in vector else value


def W(world: World, h: int, o: int, a: int, q: Vector) -> Channel:
    """Return W_h(o, a) q, the world channel of eq. (eqWdef): the masses of successors with the adversary's action left
    open."""
    seen = ((state, world.EA[h][state[0]][o] * mass) for state, mass in q.items())
    return moved(world, h, a, {state: mass for state, mass in seen if mass})


def moved(world: World, h: int, a: int, q: Vector) -> Channel:
    """Return W_h(o, a) q without the factor E^A_h(o|.)."""
    out: Channel = {}
    for (s, uB), mass in q.items():
        for oB, emission in numbered(world.EB[h][s]):
            weight = emission * mass
            for b, successors in enumerate(world.T[h][s][a]) if emission else ():
                for s_next, probability in numbered(successors):
                    if probability:
                        key = s_next, uB, oB, b
                        value = weight * probability
                        out[key] = out[key] + value if key in out else value
    return out


def G(space: Space, g: Table, h: int, u: Channel) -> Vector:
    """Return G_h u, the adversary aggregation of eq. (eqGdef); on the window space equal successors are merged."""
    out: Vector = {}
    known: dict[tuple[Memory, int, int], tuple[Scalar, Memory]] = {}
    for (s, uB, oB, b), mass in u.items():
        if (key := (uB, oB, b)) not in known:
            known[key] = g[h][space.row(uB, oB, False)][b], space.next(uB, oB, b, False)
        weight, after = known[key]
        if weight:
            add(out, (s, after), weight * mass)
    return out


def J(space: Space, world: World, g: Table, h: int, o: int, a: int, q: Vector) -> Vector:
    """Return J_h(o, a) q, the controlled forward operator: one step of the protocol, which is to observe, respond and
    move."""
    out: Vector = {}
    for (s, uB), mass in q.items():
        for oB, emission in numbered(world.EB[h][s]) if world.EA[h][s][o] else ():
            both_see = world.EA[h][s][o] * emission * mass
            for b, response in enumerate(g[h][space.row(uB, oB, False)]) if emission else ():
                chance, after = both_see * response, space.next(uB, oB, b, False)
                for s_next, move in numbered(world.T[h][s][a][b]) if response else ():
                    if move:
                        key, value = (s_next, after), chance * move
                        out[key] = out[key] + value if key in out else value
    return out


def total(vector: dict[Any, Scalar]) -> Scalar:
    """Return the sum of the entries of a sparse vector."""
    return sum(vector.values())


def distance(u: dict[Any, Scalar], v: dict[Any, Scalar]) -> Scalar:
    """Return the l1 distance of two sparse vectors."""
    return sum(abs(u.get(k, 0) - v.get(k, 0)) for k in u.keys() | v.keys())


# ------------------------------------------------------------------------- posteriors, window laws


def reference_masses(game: Game, scaled: Any, i: int, p: int, mu: Row) -> list[dict[Memory, list[int]]]:
    """Return, for each step, a map from decision histories to the masses of the learner's actions under (pi, mu,
    theta), in one unit per step.

    Histories of probability zero are left out.
    """
    learner = Space(game, "history" if game.learner_window is None else "window")
    world, draws = scaled.worlds[i], multiples(mu, common_unit(mu))
    masses: dict[tuple[int, Memory, Memory], int] = {(s, uA, ()): m for (s, uA), m in scaled.initial().items()}
    out: list[dict[Memory, list[int]]] = []
    for h in range(game.H):
        acting: dict[Memory, list[int]] = {}
        after: dict[tuple[int, Memory, Memory], int] = {}
        for (s, uA, tau), mass in masses.items():
            for (o, sees), (oB, hears) in product(numbered(world.EA[h][s]), numbered(world.EB[h][s])):
                seen = mass * sees * hears
                if not seen:
                    continue
                row = acting.setdefault((*tau, oB), [0] * len(game.A))
                spend(len(row) + 2, "reference posteriors")
                for a, chance in enumerate(scaled.policies[p][h][learner.row(uA, o, True)]):
                    row[a] += seen * chance
                    for b, draw in enumerate(draws) if chance and h + 1 < game.H else ():
                        for s_next, move in numbered(world.T[h][s][a][b]):
                            if move:
                                key = s_next, learner.next(uA, o, a, True), (*tau, oB, b)
                                add(after, key, seen * chance * draw * move)
        out.append(acting)
        masses = after
    return out


def windows(game: Game, world: World, policy: Table, h: int, kappa: int, states: Iterable[int], a: int) -> int:
    """Return an upper bound of what it costs to follow the next ``kappa`` learner observations after the action ``a``
    at ``h`` from some states. Prefixes of them are counted by the states they leave possible, before any is
    followed."""
    possible = frozenset(t for s in states for row in world.T[h][s][a] for t, move in numbered(row) if move)
    level, cost = {possible: 1}, 0
    for step in range(h + 1, h + kappa):
        acts = [n for n in range(len(game.A)) if any(row[n] for row in policy[step])]
        after: dict[frozenset[int], int] = {}
        for states, count in level.items():
            for o in range(len(game.OA)):
                here = [s for s in states if world.EA[step][s][o]]
                for n in acts if here else ():
                    reached = frozenset(t for s in here for row in world.T[step][s][n] for t, x in numbered(row) if x)
                    add(after, reached, count)
        level = after if len(after) <= MAX_SETS else {frozenset().union(*after): sum(after.values())}
        cost += 30 * sum(level.values())
    return cost


def window_law(
    space: Space, world: World, g: Table, policy: Table, h: int, kappa: int, uA: Memory, o: int, a: int, q: Vector
) -> dict[Memory, int]:
    """Return M q of Assumption 2.4, the unnormalised law of the next kappa learner observations after (o, a) at ``h``.

    Raises ``OverBudget`` where there are too many of them to follow.
    """
    if kappa > 1:
        cost = windows(space.game, world, policy, h, kappa, {s for s, _ in q}, a)
        afford(cost, f"the law of the next {kappa} observations")
    out: dict[Memory, int] = {}

    def walk(step: int, uA: Memory, window: Memory, vector: Vector) -> None:
        shown: dict[int, Scalar] = {}
        for (s, _), m in vector.items():
            for o_next, emission in numbered(world.EA[step][s]):
                if emission:
                    add(shown, o_next, m * emission)
        spend(len(vector) + len(shown), f"the law of the next {kappa} observations")
        for o_next, seen in sorted(shown.items()):
            if not seen:
                continue
            if len(window) + 1 == kappa:
                add(out, (*window, o_next), seen)
                continue
            spend(10 * len(vector), f"the law of the next {kappa} observations")
            for a_next, chance in enumerate(policy[step][space.row(uA, o_next, True)]):
                if chance:
                    scaled = {key: m * chance for key, m in vector.items()}
                    after = G(space, g, step, W(world, step, o_next, a_next, scaled))
                    walk(step + 1, space.next(uA, o_next, a_next, True), (*window, o_next), after)

    walk(h + 1, space.next(uA, o, a, True), (), G(space, g, h, W(world, h, o, a, q)))
    return out


def pure_states(space: Space, h: int) -> list[tuple[int, Memory]]:
    """Return the coordinates of a predictive state at the start of step ``h`` for a fixed learner memory: (s, uB), with
    s slowest."""
    return [(s, uB) for s in range(len(space.game.S)) for uB in space.memories(h, False)]
