"""Laws of play, divergences, and differences of operators: what Assumption 3.1 and Section 2.6 are about.

Models that a policy cannot tell apart are one under it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from itertools import product
from operator import mul
from typing import Any, NamedTuple

from .budget import spend
from .game import Game
from .logarithms import log_enclosure
from .operators import G, Memory, Scaled, Space, Vector, W, common_unit, distance, multiples, total

STATE = 40  # units of work and memory for one predictive state that is kept


class Step(NamedTuple):
    """At a learner prefix ending in (o, a), for one model: the policy's chance of the prefix's actions, the
    unnormalised predictive state before the pair, and the masses of the prefix before and after it."""

    weight: Fraction
    q: Vector
    before: int
    after: int


class Play:
    """What one policy sees under every model: trajectory laws and operator differences (Assumption 3.1).

    Models are ``xi = (i, k)``: world ``i``, response ``k``.  ``alike`` takes every world and model to the first that is
    the same under the policy (``alike``), and ``models`` are those firsts: everything here is a function of the
    tables that are compared.  ``laws[sequence]`` is ``(weight, P)`` for every full learner sequence of positive policy
    probability ``weight``; ``P[xi]`` over ``unit`` is its probability given its actions.  ``steps[sequence][xi*]`` is
    the ``Step`` of a prefix, ``states`` the visited ``(h, uA, {xi: q})``.
    """

    def __init__(self, game: Game, scaled: Scaled, space: Space, p: int) -> None:
        self.game, self.scaled, self.space, self.p = game, scaled, space, p
        self.alike = alike(game, p)
        self.models = list(dict.fromkeys(xi for xi in self.alike.values() if isinstance(xi, tuple)))
        self.unit = scaled.rho * scaled.J**game.H
        self.laws: dict[Memory, tuple[Fraction, dict[Any, int]]] = {}
        self.steps: dict[Memory, dict[Any, Step]] = {}
        self.states: list[tuple[int, Memory, dict[Any, Vector]]] = []
        self._columns: dict[Any, Any] = {}
        self._logs: dict[Any, tuple[list[int], list[int], list[int]]] = {}
        self._same: dict[Any, dict[Any, Any]] = {}
        self._sums: dict[Any, tuple[int, dict[Any, int]]] = {}
        self._walk(0, (), (), Fraction(1), {xi: scaled.initial() for xi in self.models})
        weights = tuple(weight for weight, _ in self.laws.values())
        self.weight_unit = common_unit(weights)
        self.weights: tuple[int, ...] = multiples(weights, self.weight_unit)

    def _walk(self, h: int, sequence: Memory, uA: Memory, weight: Fraction, q: dict[Any, Vector]) -> None:
        game, space = self.game, self.space
        if h == game.H:
            self.laws[sequence] = weight, {xi: total(v) for xi, v in q.items()}
            return
        self.states.append((h, uA, q))
        for o in range(len(game.OA)):
            for a, chance in enumerate(game.policies[self.p][h][space.row(uA, o, True)]):
                if chance:
                    longer, onward = (*sequence, o, a), weight * chance
                    spend(STATE * len(q) + 2 * sum(map(len, q.values())), "predictive states along trajectories")
                    after = {xi: self.image(h, o, a, xi, vector) for xi, vector in q.items()}
                    self.steps[longer] = {xi: Step(onward, v, total(v), total(after[xi])) for xi, v in q.items()}
                    if any(after.values()):
                        self._walk(h + 1, longer, space.next(uA, o, a, True), onward, after)

    def image(self, h: int, o: int, a: int, y: Any, q: Vector) -> dict[Any, int]:
        """J q for a model y, W q for a world, by columns that are computed once."""
        columns, out = self._columns.setdefault((h, o, a, y), {}), dict[Any, int]()
        for state, mass in q.items():
            if state not in columns:
                i, *k = y if isinstance(y, tuple) else (y,)
                column: Any = W(self.scaled.worlds[i], h, o, a, {state: 1})
                columns[state] = G(self.space, self.scaled.responses[k[0]][self.p], h, column) if k else column
            for key, entry in columns[state].items():
                out[key] = out[key] + entry * mass if key in out else entry * mass
        return out

    # -- divergences

    @cached_property
    def masses(self) -> dict[Any, tuple[int, ...]]:
        """The law of play of each model, by trajectory."""
        return {xi: tuple(law[xi] for _, law in self.laws.values()) for xi in self.models}

    def divergent(self, x: Any, y: Any) -> bool:
        """KL(P_x || P_y) = infinity."""
        return any(p and not q for p, q in zip(self.masses[self.alike[x]], self.masses[self.alike[y]], strict=True))

    def divergence(self, x: Any, y: Any, bits: int) -> tuple[int, int, int]:
        """(lo, hi, unit): KL(P_x || P_y), if finite, is between lo/unit and hi/unit.  It is the sum of
        w P_x (log P_x - log P_y), so one logarithm for each model and trajectory does for all pairs."""
        (chances, low, high), (_, low_, high_) = (self._logarithms(self.alike[xi], bits) for xi in (x, y))
        lo, hi = sum(map(mul, chances, low)), sum(map(mul, chances, high))
        unit = self.unit * self.weight_unit << bits
        return lo - sum(map(mul, chances, high_)), hi - sum(map(mul, chances, low_)), unit

    def _logarithms(self, xi: Any, bits: int) -> tuple[list[int], list[int], list[int]]:
        """By trajectory: w P_xi, and ends of 2^bits log P_xi, in units that cancel."""
        if (xi, bits) not in self._logs:
            ends = [log_enclosure(Fraction(mass), bits) if mass else (0, 0) for mass in self.masses[xi]]
            chances = list(map(mul, self.weights, self.masses[xi]))
            self._logs[xi, bits] = chances, [lo for lo, _ in ends], [hi for _, hi in ends]
        return self._logs[xi, bits]

    # -- sums of norms

    def norms(self, place: tuple[int, int, int], x: Any, q: Vector, compared: Iterable[Any]) -> dict[Any, int]:
        """||(J^y_h - J^x_h) q|| for models y, ||(W^y_h - W^x_h) q|| for worlds y, at (h, o, a), in the unit of J."""
        own, channel, out = self.image(*place, x, q), self.image(*place, x[0], q), dict[Any, int]()
        for y in compared:
            image = self.image(*place, y, q)
            out[y] = distance(image, own) if isinstance(y, tuple) else distance(image, channel) * self.scaled.g
        return out

    def error(self, x: Any, y: Any, power: int = 1) -> Fraction:
        """F_xi(pi), Section 2.6: sum_h E_{xi*} ||(J^xi_h - J^xi*_h) q^{xi*}_{h-1}||_1 for x = xi* and a model y = xi;
        F^W, with W and the l1 norm of V, for a world y; with ``power`` 2 the sums of the squared norms."""
        unit, row = self.sums(self.alike[x], power)
        return Fraction(row[self.alike[y]], unit)

    def sums(self, x: Any, power: int) -> tuple[int, dict[Any, int]]:
        """(unit, row): that sum for xi* = x, one of ``models``, and every y of ``alike`` is row[y]/unit."""
        if (x, power) not in self._sums:
            terms = []
            for sequence, steps in self.steps.items():
                step, h, (o, a) = steps[x], len(sequence) // 2 - 1, sequence[-2:]
                if step.after:
                    kinds = self._kinds(h, o, a)
                    chance = step.weight * Fraction(step.after, self.scaled.rho * self.scaled.J ** (h + 1))
                    one = Fraction(1, step.before * self.scaled.J)
                    terms.append((chance, one, self.norms((h, o, a), x, step.q, set(kinds.values())), kinds))
            for each in (1, 2):
                weights = tuple(chance * one**each for chance, one, *_ in terms)
                unit, row = common_unit(weights), dict.fromkeys(self.alike.values(), 0)
                for n, (*_, norms, kinds) in zip(multiples(weights, unit), terms, strict=True):
                    parts = {y: n * norm**each for y, norm in norms.items()}
                    for y in row:
                        row[y] += parts[kinds[y]]
                self._sums[x, each] = unit, row
        return self._sums[x, power]

    def _kinds(self, h: int, o: int, a: int) -> dict[Any, Any]:
        """Every model (world) of ``alike`` to the first whose J (W) is made of the same tables at (h, o, a)."""
        if (h, o, a) not in self._same:
            first, kinds = dict[Any, Any](), self._same.setdefault((h, o, a), {})
            for y in dict.fromkeys(self.alike.values()):
                i, *k = y if isinstance(y, tuple) else (y,)
                EA, EB, T = (tables[h] for tables in self.scaled.worlds[i])
                tables = tuple(row[o] for row in EA), EB, tuple(rows[a] for rows in T)
                kinds[y] = first.setdefault((tables, *(self.scaled.responses[n][self.p][h] for n in k)), y)
        return self._same[h, o, a]


def alike(game: Game, p: int) -> dict[Any, Any]:
    """Every world i and model (i, k) to the first that is the same under a policy.

    Worlds are the same if their emissions are, and their transitions under the actions that the policy may choose at a
    step; responses, if their answers to the policy are.  No law of play and no operator at a pair that the policy may
    play depends on more.
    """
    chosen = [sorted({a for row in table for a, chance in enumerate(row) if chance}) for table in game.policies[p]]
    first, worlds = dict[Any, int](), list[int]()
    for i, (EA, EB, T) in enumerate(game.worlds):
        moves = tuple(tuple(rows[a] for a in acts) for acts, table in zip(chosen, T, strict=True) for rows in table)
        worlds.append(first.setdefault((EA, EB, moves), i))
    first = {}
    answers = [first.setdefault(response[p], k) for k, response in enumerate(game.responses)]
    pairs = product(enumerate(worlds), enumerate(answers))
    return dict(enumerate(worlds)) | {(i, k): (i_, k_) for (i, i_), (k, k_) in pairs}
