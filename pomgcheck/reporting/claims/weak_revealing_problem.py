"""Computes one case of weak revealing: two worlds at one place, and the numbers that its inequalities are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any, NamedTuple

from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.evaluation import Memory, Stage
from pomgcheck.reporting.spans import Inline, Label, listed, say
from pomgcheck.reporting.words import short

Coordinate = tuple[int, Memory, str, int]  # next state, adversary memory, o^B, b: a coordinate of a world channel


class Vertex(NamedTuple):
    """This is a predictive state and what the inequalities are made of there: Z and M in both worlds, W − W′."""

    weights: dict[int, Fraction]
    Z: tuple[Fraction, Fraction]
    M: tuple[list[Fraction], list[Fraction]]
    D: dict[Any, Fraction]

    @property
    def c(self) -> Fraction:
        """Return the l1 norm of W − W′ there."""
        return sum(map(abs, self.D.values()), Fraction(0))

    def tested(self, y: Sequence[Fraction]) -> list[Fraction]:
        """Return y·M in both worlds."""
        return [sum((a * b for a, b in zip(y, law, strict=True)), Fraction(0)) for law in self.M]


class RevealingCase:
    """This is one case of weak revealing: two worlds, (h, o, a) and what the learner remembers.

    ``corners`` are all its pure states, and ``pure`` those of them that may show the observation.
    """

    def __init__(
        self, stage: Stage, place: ClaimPlace, kappa: int, states: list[tuple[int, Memory]], literal: bool
    ) -> None:
        self.stage, self.states, self.literal = stage, states, literal
        h, o, a, kept = place.h - 1, place.o, place.a, tuple(place.learner_part)
        k = stage.game.OA.index(o)
        self.Z = [[world.EA[h][s][k] for s, _ in states] for world in stage.worlds]
        laws = [[stage.window_law(x, h, kappa, kept, o, a, {j: Fraction(1)}) for j in states] for x in (0, 1)]
        self.windows = list(laws[0][0])
        self.M = [[list(law.values()) for law in part] for part in laws]
        self.W = [[stage.channel(x, h, o, a, {j: Fraction(1)}) for j in states] for x in (0, 1)]
        self.corners = [self.vertex({j: Fraction(1)}) for j in range(len(states))]
        self.pure = [v for v in self.corners if any(v.Z)]  # at the others all is 0
        self.shared = self.Z[0] == self.Z[1]

    def vertex(self, weights: Mapping[int, Fraction]) -> Vertex:
        """Return the numbers at a predictive state."""

        def mean(values: Sequence[Fraction]) -> Fraction:
            return sum((weight * values[j] for j, weight in weights.items()), Fraction(0))

        keys = dict.fromkeys(key for j in weights for part in self.W for key in part[j])
        gaps = {
            key: mean([u.get(key, Fraction(0)) - v.get(key, Fraction(0)) for u, v in zip(*self.W, strict=True)])
            for key in keys
        }
        Z, Z_ = map(mean, self.Z)
        M, M_ = ([mean(masses) for masses in zip(*part, strict=True)] for part in self.M)
        return Vertex(dict(weights), (Z, Z_), (M, M_), {key: gap for key, gap in gaps.items() if gap})

    def between(self, u: Vertex, v: Vertex, t: Fraction) -> Vertex:
        """Return (1−t) u + t v."""
        keys = dict.fromkeys((*u.weights, *v.weights))
        weights = {j: (1 - t) * u.weights.get(j, Fraction(0)) + t * v.weights.get(j, Fraction(0)) for j in keys}
        return self.vertex({j: weight for j, weight in weights.items() if weight})

    def sides(
        self, y: Sequence[Fraction], vertices: Sequence[Vertex]
    ) -> list[tuple[tuple[int, ...], Fraction, Fraction]]:
        """Return both sides, without α, of each inequality that a test function has to meet on the hull of the
        vertices: the signal, and the difference of the channels."""
        n = range(len(vertices))
        (u, u_), c = zip(*(v.tested(y) for v in vertices), strict=True), [v.c for v in vertices]
        Z, Z_ = zip(*(v.Z for v in vertices), strict=True)
        d = [a - b for a, b in zip(u, u_, strict=True)]
        if not self.literal:
            return [((j,), d[j], c[j]) for j in n]
        if self.shared:
            return [((i, j), d[i] + d[j], Z[i] * c[j] + Z[j] * c[i]) for i, j in combinations_with_replacement(n, 2)]
        return [
            (
                places,
                sum((Z_[i] * u[j] - Z[i] * u_[j] for i, j in permutations(places, 2)), Fraction(0)),
                sum((Z[i] * Z_[j] * c[k] for i, j, k in permutations(places)), Fraction(0)),
            )
            for places in combinations_with_replacement(n, 3)
        ]

    def holds(self, y: Sequence[Fraction], vertices: Sequence[Vertex], alpha: Fraction) -> bool:
        """Return whether the test function settles the hull of the vertices."""
        return all(left >= alpha * right for _, left, right in self.sides(y, vertices))

    def factored(self, P: Sequence[Sequence[Fraction]]) -> tuple[list[Coordinate], list[Memory]] | None:
        """Return the rows and columns of a matrix for which W − W′ = P (M − M′) at all pure states, or ``None`` where
        that is not so."""
        game, history = self.stage.game, self.stage.space == "history"

        def order(key: Coordinate) -> Any:
            s, memory, o, b = key
            seen = [(game.B if history and k % 2 else game.OB).index(label) for k, label in enumerate(memory)]
            return s, seen, game.OB.index(o), b

        rows = sorted({key for v in self.pure for key in v.D}, key=order)
        kept = [k for k in range(len(self.windows)) if any(law[k] for v in self.pure for law in v.M)]
        if (len(P), *{len(row) for row in P}) != (len(rows), len(kept)) or not (self.shared or not self.literal):
            return None
        for v in self.pure:
            signal = [v.M[0][k] - v.M[1][k] for k in kept]
            for key, row in zip(rows, P, strict=True):
                if sum((x * s for x, s in zip(row, signal, strict=True)), Fraction(0)) != v.D.get(key, 0):
                    return None
        return rows, [self.windows[k] for k in kept]

    def name(self, v: Vertex) -> Inline:
        """Return a predictive state in labels: a hidden state, or a mixture."""

        def pure(j: int) -> Inline:
            s, memory = self.states[j]
            kept = say(" after {m}", m=Label(", ".join(memory))) if memory else ""
            return say("{s}{kept}", s=Label(self.stage.game.S[s]), kept=kept)

        if len(v.weights) == 1:
            return pure(next(iter(v.weights)))
        return listed(
            (say("{x} of {j}", x=short(str(weight)), j=pure(j)) for j, weight in sorted(v.weights.items())), last="with"
        )
