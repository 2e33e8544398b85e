"""Many models of one class side by side: what is asked of each, in exact fractions, for all of them at once.

Written from the definitions and the document's text alone, as `brute` is, on arrays of python-flint's fractions: one
entry a sampled model, and for what compares two models, one entry per pair.  Steps count from 0; policies and labels are
indices; histories and parts are those of `brute`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from copy import copy
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from tests.gallery.brute import History, keep, row_index

Array = NDArray[Any]  # of flint.fmpq
Axes = dict[str, Array]
State = tuple[int, History]  # latent state, what is kept of the adversary's history; the learner's part is apart
Vector = dict[State, Any]
NUMBER = re.compile(r"(?<![\w^])\d+")


def rational(x: Any) -> Any:
    """A fraction of python-flint."""
    exact = Fraction(x)
    return flint.fmpq(exact.numerator, exact.denominator)


def value(text: str, axes: Axes) -> Any:
    """An expression of the document at all points."""
    code = NUMBER.sub(r"Q(\g<0>)", text).replace("^", "**")
    return eval(code, {"__builtins__": {}, "Q": flint.fmpq}, dict(axes))


def absolute(x: Any) -> Any:
    """|x|, entry by entry."""
    return np.frompyfunc(abs, 1, 1)(x) if isinstance(x, np.ndarray) else abs(x)


def total(xs: Any) -> Any:
    """Sums; an empty one is 0."""
    return sum(xs, flint.fmpq(0))


def zero(x: Any) -> bool:
    """Whether an entry is 0 in every model."""
    return not isinstance(x, np.ndarray) and x == 0


def difference(u: dict[Any, Any], v: dict[Any, Any]) -> Any:
    """l1 distance of two sparse vectors."""
    return total(absolute(u.get(k, 0) - v.get(k, 0)) for k in {**u, **v})


class Sampled(NamedTuple):
    """Points of Theta and Psi, one per model."""

    worlds: Axes
    responses: Axes


class Many:
    """Sampled models: ``EA[h][s][o]`` and so on, entries arrays or numbers that no parameter changes."""

    def __init__(self, document: dict[str, Any], points: Sampled) -> None:
        self._prefixes: dict[int, list[tuple[History, Any, Vector]]] = {}
        game = document["game"]
        sizes = ("states", "learner_actions", "adversary_actions", "learner_observations", "adversary_observations")
        self.H: int = game["horizon"]
        self.S, self.A, self.B, self.OA, self.OB = (len(game[name]) for name in sizes)
        read = document["worlds"]
        self.rho = [value(x, {}) for x in read["initial"]]
        names = ("learner_emission", "adversary_emission", "transition")
        self.EA, self.EB, self.T = (self.steps(read[name], points.worlds) for name in names)
        self.policies = [self.steps(table, {}) for _, table in sorted(document["policies"]["list"].items())]
        self.g = [self.steps(table, points.responses) for _, table in sorted(document["responses"]["table"].items())]
        names = sorted(document["policies"]["list"])
        given = document["responses"].get("blocks") or document["responses"]["table"]  # by block, or by policy
        self.blocks = {
            tuple(names.index(word) for word in block.split(" ")): self.steps(table, points.responses)
            for block, table in given.items()
        }
        self.windows = [
            None if part["window"] == "full" else part["window"]
            for part in (document["policies"], document["responses"])
        ]

    def answered_as(self, other: Many) -> Many:
        """These worlds with the other's responses."""
        both = copy(self)
        both.g, both._prefixes = other.g, {}
        return both

    def steps(self, table: Any, axes: Axes) -> list[Any]:
        """One table per step, evaluated."""
        known: dict[str, Any] = {}

        def read(part: Any) -> Any:
            if isinstance(part, str):
                if part not in known:
                    known[part] = value(part, axes)
                return known[part]
            return [read(entry) for entry in part]

        return [read(each) for each in (table["steps"] if isinstance(table, dict) else [table] * self.H)]

    def pi(self, p: int, h: int, past: History, o: int) -> list[Any]:
        """pi_h(. | past, o)."""
        row: list[Any] = self.policies[p][h][row_index(self.windows[0], past, o, self.OA, self.A)]
        return row

    def answer(self, p: int, h: int, part: History, ob: int) -> list[Any]:
        """g_h(. | part, o^B)."""
        row: list[Any] = self.g[p][h][self.row_of(part, ob)]
        return row

    def row_of(self, part: History, ob: int) -> int:
        """The row of a response's table."""
        return row_index(self.windows[1], part, ob, self.OB, self.B)

    def start(self) -> Vector:
        """q_0."""
        return {(s, ()): mass for s, mass in enumerate(self.rho) if mass != 0}

    def W(self, h: int, o: int, a: int, q: Vector) -> dict[Any, Any]:
        """World channel, eq. (9)."""
        out: dict[Any, Any] = defaultdict(flint.fmpq)
        for (s, part), weight in q.items():
            seen = self.EA[h][s][o] * weight
            for ob, b, t in product(range(self.OB), range(self.B), range(self.S)):
                moved = self.EB[h][s][ob] * self.T[h][s][a][b][t]
                if not zero(moved) and not zero(seen):
                    out[t, part, ob, b] += seen * moved
        return out

    def G(self, p: int, h: int, u: dict[Any, Any]) -> Vector:
        """Adversary aggregation, eq. (10), on the space of windows."""
        out: dict[Any, Any] = defaultdict(flint.fmpq)
        for (t, part, ob, b), weight in u.items():
            answer = self.answer(p, h, part, ob)[b]
            if not zero(answer):
                out[t, keep((*part, (ob, b)), self.windows[1], "window")] += answer * weight
        return out

    def J(self, p: int, h: int, o: int, a: int, q: Vector) -> Vector:
        """G after W."""
        return self.G(p, h, self.W(h, o, a, q))

    def prefixes(self, p: int) -> list[tuple[History, Any, Vector]]:
        """(o_1, a_1, ..., o_h, a_h), the product of the policy's chances, J_h ... J_1 q_0, for every h."""
        if p not in self._prefixes:
            self._prefixes[p] = list(self._walked(p))
        return self._prefixes[p]

    def _walked(self, p: int) -> Iterator[tuple[History, Any, Vector]]:

        def walk(past: History, chance: Any, q: Vector) -> Iterator[tuple[History, Any, Vector]]:
            yield past, chance, q
            h = len(past)
            for o in range(self.OA) if h < self.H else ():
                for a, chosen in enumerate(self.pi(p, h, past, o)):
                    if chosen != 0 and (after := self.J(p, h, o, a, q)):
                        yield from walk((*past, (o, a)), chance * chosen, after)

        return walk((), flint.fmpq(1), self.start())

    def law(self, p: int) -> dict[History, Any]:
        """P(o_{1:H} | a_{1:H}) of the trajectories that some model may show."""
        return {past: total(q.values()) for past, _, q in self.prefixes(p) if len(past) == self.H}

    def paths(self, p: int) -> dict[History, Any]:
        """P(o_1, a_1, ..., o_H, a_H) by the protocol, summed over latent states and the adversary's histories."""
        law: dict[Any, Any] = {(s, (), ()): mass for s, mass in enumerate(self.rho) if mass != 0}
        for h in range(self.H):
            after: dict[Any, Any] = defaultdict(flint.fmpq)
            for (s, mine, theirs), weight in law.items():
                for o, ob in product(range(self.OA), range(self.OB)):
                    seen = self.EA[h][s][o] * self.EB[h][s][ob] * weight
                    for a, b, t in product(range(self.A), range(self.B), range(self.S)) if not zero(seen) else ():
                        chances = self.pi(p, h, mine, o)[a], self.answer(p, h, theirs, ob)[b], self.T[h][s][a][b][t]
                        if not any(map(zero, chances)):
                            after[t, (*mine, (o, a)), (*theirs, (ob, b))] += prod(chances, start=seen)
            law = after
        out: dict[History, Any] = defaultdict(flint.fmpq)
        for (_, mine, _), weight in law.items():
            out[mine] += weight
        return out

    def parts(self, h: int, side: int) -> list[History]:
        """What may be kept of the learner's (0) or the adversary's (1) history before step h."""
        observations, actions = ((self.OA, self.A), (self.OB, self.B))[side]
        pasts = product(product(range(observations), range(actions)), repeat=h)
        return sorted({keep(past, self.windows[side], "window") for past in pasts})

    def pure_states(self, h: int) -> list[State]:
        """Coordinates before step h."""
        return list(product(range(self.S), self.parts(h, 1)))

    def seen_next(self, p: int, h: int, o: int, a: int, part: History, q: Vector, kappa: int) -> dict[Any, Any]:
        """M q: unnormalised law of the kappa learner observations that follow (o, a), the learner's part known."""
        out: dict[Any, Any] = defaultdict(flint.fmpq)

        def walk(step: int, window: tuple[int, ...], past: History, vector: Vector, chance: Any) -> None:
            for nxt in range(self.OA):
                if len(window) + 1 == kappa:
                    out[*window, nxt] += chance * total(self.EA[step][s][nxt] * w for (s, _), w in vector.items())
                    continue
                for act, chosen in enumerate(self.pi(p, step, past, nxt)):
                    if chosen != 0:
                        after = self.J(p, step, nxt, act, vector)
                        walk(step + 1, (*window, nxt), (*past, (nxt, act)), after, chance * chosen)

        walk(h + 1, (), (*part, (o, a)), self.J(p, h, o, a, q), flint.fmpq(1))
        return out

    def posteriors(self, p: int) -> dict[tuple[History, int], list[Any]]:
        """S^ref at every decision history (tau_B, o^B), against the uniform reference."""
        masses: dict[Any, list[Any]] = {}
        law: dict[Any, Any] = {(s, (), ()): mass for s, mass in enumerate(self.rho) if mass != 0}
        share = flint.fmpq(1, self.B)
        for h in range(self.H):
            after: dict[Any, Any] = defaultdict(flint.fmpq)
            for (s, mine, theirs), weight in law.items():
                for o, ob in product(range(self.OA), range(self.OB)):
                    seen = self.EA[h][s][o] * self.EB[h][s][ob] * weight
                    if zero(seen):
                        continue
                    for a, chosen in enumerate(self.pi(p, h, mine, o)):
                        if chosen == 0:
                            continue
                        row = masses.setdefault((theirs, ob), [flint.fmpq(0)] * self.A)
                        row[a] = row[a] + seen * chosen
                        for b, t in product(range(self.B), range(self.S)) if h + 1 < self.H else ():
                            moved = self.T[h][s][a][b][t]
                            if not zero(moved):
                                kept = keep((*mine, (o, a)), self.windows[0], "window")
                                after[t, kept, (*theirs, (ob, b))] += seen * chosen * share * moved
            law = after
        return {at: [x / total(row) for x in row] for at, row in masses.items()}


# ------------------------------------------------------------------------------------- what two models differ by


def operator_distance(x: Many, y: Many) -> Any:
    """||J - J'|| in l1 -> l1, the largest column of any policy and step."""
    columns = [
        difference(x.J(p, h, o, a, {state: flint.fmpq(1)}), y.J(p, h, o, a, {state: flint.fmpq(1)}))
        for p, h in product(range(len(x.policies)), range(x.H))
        for state in x.pure_states(h)
        for o, a in product(range(x.OA), range(x.A))
    ]
    return largest(columns)


def largest(xs: list[Any]) -> Any:
    """The largest, model by model."""
    return np.maximum.reduce(np.broadcast_arrays(*xs))


def over(u: Any, v: Any) -> Any:
    """u/v, model by model; 0 where v is, whose prefix that model rules out."""
    ratio: Any = np.frompyfunc(lambda a, b: a / b if b != 0 else flint.fmpq(0), 2, 1)
    return ratio(u, v)


def conversion(x: Many, y: Many, p: int) -> tuple[Any, Any, Any]:
    """Assumption 3.1(e): KL(P_x || P_y), and the sums over h of E |(J^y-J^x) q|_1^2 and E |(W^y-W^x) q|_1^2 along x.

    The divergence is an upper end of a ball of 400 bits."""
    joint = world = flint.fmpq(0)
    for past, chance, q in x.prefixes(p):
        if len(past) == x.H:
            continue
        h, mass = len(past), total(q.values())
        for o in range(x.OA):
            for a, chosen in enumerate(x.pi(p, h, past, o)):
                if chosen == 0:
                    continue
                u, v = x.W(h, o, a, q), y.W(h, o, a, q)
                mine, theirs = x.G(p, h, u), y.G(p, h, v)
                weight = chance * chosen * over(total(mine.values()), mass**2)
                joint = joint + weight * difference(mine, theirs) ** 2
                world = world + weight * difference(u, v) ** 2
    chances = {past: chance for past, chance, _ in x.prefixes(p) if len(past) == x.H}
    laws = x.law(p), y.law(p)
    with flint.ctx.workprec(400):

        def term(u: Any, v: Any, c: Any) -> Any:
            """Of a trajectory: nothing where xi* rules it out, without end where xi alone does."""
            if u == 0:
                return flint.arb(0)
            return flint.arb(u * c) * (flint.arb(u) / flint.arb(v)).log() if v != 0 else flint.arb("+inf")

        terms = np.frompyfunc(term, 3, 1)
        kl = sum(terms(u, laws[1][tau], chances[tau]) for tau, u in laws[0].items())
        upper = np.frompyfunc(lambda ball: fraction(ball.upper()), 1, 1)(kl)
    return upper, joint, world


def fraction(x: flint.arb) -> Any:
    """An exact ball as a fraction; infinity as more than any product here."""
    if not x.is_finite():
        return flint.fmpq(2) ** 4096
    mantissa, exponent = x.man_exp()
    return flint.fmpq(mantissa) * flint.fmpq(2) ** int(exponent)


# ------------------------------------------------------------------------------------------- sampling


class Pairs(NamedTuple):
    """Pairs of models, and how far their parameters are apart at most along any axis."""

    first: Sampled
    second: Sampled
    apart: Array


def pairs(
    document: dict[str, Any],
    count: int,
    seed: int,
    near: Fraction | None,
    contains: Callable[[str, dict[str, Fraction]], bool],
) -> Pairs:
    """Random rational pairs of the class; with ``near``, that far apart at most along each axis, finite axes equal."""
    random, columns = Random(seed), []
    for side in ("worlds", "responses"):
        part = document[side]
        axes = part.get("parameters")
        for k in range(count):
            found: list[dict[str, Fraction]] = []
            while len(found) < 2:
                point = {}
                if axes is None:
                    listed = {n: Fraction(x) for n, x in random.choice(part["points"]).items()}
                    point = found[0] if near and found else listed
                for name, axis in (axes or {}).items():
                    if "values" in axis:
                        point[name] = found[0][name] if near and found else Fraction(random.choice(axis["values"]))
                        continue
                    low, high = map(Fraction, axis["interval"])
                    share = random.choice([Fraction(0), Fraction(1), *[Fraction(random.randrange(9974), 9973)] * 6])
                    point[name] = low + share * (high - low)
                    if near and found:
                        point[name] = min(high, max(low, found[0][name] + (2 * share - 1) * near))
                if contains(side, point):
                    found.append(point)
            columns.append((side, k, found))
    ends = []
    for which in (0, 1):
        axes_of: dict[str, Axes] = {"worlds": {}, "responses": {}}
        for side in axes_of:
            rows = [found[which] for at, _, found in columns if at == side]
            axes_of[side] = {name: array([row[name] for row in rows]) for name in rows[0]}
        ends.append(Sampled(axes_of["worlds"], axes_of["responses"]))
    gaps = [absolute(ends[0][side][name] - ends[1][side][name]) for side in (0, 1) for name in ends[0][side]]
    return Pairs(ends[0], ends[1], largest(gaps))


def array(xs: list[Fraction]) -> Array:
    """Numbers as one array."""
    out = np.empty(len(xs), dtype=object)
    out[:] = [rational(x) for x in xs]
    return out
