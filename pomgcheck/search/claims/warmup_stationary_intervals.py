"""How far two responses are apart over Psi, and L_g of a fading rule (Theorem 5.2) from it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple

from pomgcheck.errors import counted
from pomgcheck.search.continuum import Continuum, Row, leaves
from pomgcheck.search.exact.boxes import Point
from pomgcheck.search.exact.polynomials import Poly
from pomgcheck.search.extremes import Trees
from pomgcheck.search.finding import Finding

MAX_SIGNS = 12  # actions of the adversary in the l1 norm of a difference that varies


class Gap(NamedTuple):
    """This is ||g(.|pi) - g(.|nu)||_1 of one table row over Psi: a proved bound, and a value with its cell and
    point."""

    bound: Fraction
    value: Fraction
    k: int
    point: Point | None  # none where the difference is constant


NONE = Gap(Fraction(0), Fraction(0), 0, None)
Pairs = list[tuple[int, Row, Row]]  # (cell of Psi, row, row)


class Gaps:
    """These are bounds of the differences of some responses, by their text as certificates write it, and trees that
    show them.

    One text has one bound, on every cell of Psi in which it occurs.
    """

    def __init__(self, trees: Trees, pairs: Iterable[tuple[int, Row, Row]]) -> None:
        self.c, self.trees = trees.c, trees
        self.stated: dict[str, str] = {}
        vectors = {self._key(*pair): (pair[0], self._vector(*pair[1:])) for pair in pairs}
        found = {key: self._bounded(k, vector) for key, (k, vector) in vectors.items()}
        self._known: dict[Any, Gap] = {}
        for key, (k, vector) in vectors.items():
            self._known[key] = found[key]
            if found[key].point is not None and (bound := Fraction(self.stated[self._text(vector)])) > found[key].bound:
                self._show(k, vector, bound)
                self._known[key] = found[key]._replace(bound=bound)

    def widest(self, pairs: Pairs) -> Gap:
        """Return the largest of some of the differences."""
        found = [self._known[self._key(*pair)] for pair in pairs]
        return max(found, key=lambda gap: gap.value)._replace(bound=max(gap.bound for gap in found))

    @staticmethod
    def _key(k: int, u: Row, v: Row) -> tuple[int, str, str]:
        return k, str(u), str(v)

    def _vector(self, u: Row, v: Row) -> list[Poly]:
        zero = self.c.ring.zero
        return [u.get(b, zero) - v.get(b, zero) for b in range(len(self.c.game.B))]

    def _text(self, vector: list[Poly]) -> str:
        parts = (self.c.ring.split(x) for x in vector)
        return ", ".join(f"{scale}*({self.c.ring.text(whole)})" for scale, whole in parts)

    def _sums(self, vector: list[Poly]) -> list[Poly]:
        signs = product((1, -1), repeat=len(vector))
        return [sum((x * s for x, s in zip(vector, each, strict=True)), self.c.ring.zero) for each in signs]

    def _show(self, k: int, vector: list[Poly], bound: Fraction) -> None:
        c = self.c
        sums, cell = self._sums(vector), c.cell_of((None, k))
        self.trees.show_all(c.goal(c.ring.constant(bound) - total, False, cell) for total in sums)

    def _bounded(self, k: int, vector: list[Poly]) -> Gap:
        if all(x.is_constant() for x in vector):
            size = sum((abs(self.c.ring.value(x, {})) for x in vector), Fraction(0))
            return Gap(size, size, k, None)
        highs = [self.trees.greatest(total, self.c.cell_of((None, k))) for total in self._sums(vector)]
        bound, best = max(high.bound for high in highs), max(highs, key=lambda high: high.value)
        self._show(k, vector, bound)
        text = self._text(vector)
        self.stated[text] = str(max(bound, Fraction(self.stated.get(text, 0))))
        return Gap(bound, best.value, k, best.point)


def too_many_actions(c: Continuum) -> bool:
    """Return whether differences of responses that vary have more entries than signs are tried for."""
    return len(c.game.B) > MAX_SIGNS and not all(x.is_constant() for x in leaves(c.blocks))


def fading(c: Continuum) -> Finding:
    """Return L_g: g(z) is the z-average of the responses, so half their largest l1 distance over Psi bounds it."""
    if too_many_actions(c):
        return Finding("unknown", f"responses that vary in more than {MAX_SIGNS} actions")
    trees = Trees(c)
    pairs = [
        (k, u, v)
        for k, response in enumerate(c.responses)
        for left, right in combinations(response, 2)
        for tables in zip(left, right, strict=True)
        for u, v in zip(*tables, strict=True)
        if u != v
    ]
    gaps = Gaps(trees, pairs)
    L_g = gaps.widest(pairs).bound / 2 if pairs else Fraction(0)
    method = f"block rule fading, {counted(len(gaps.stated), 'difference')} of responses over the class"
    evidence = {"rule": "box", "gaps": gaps.stated, "trees": trees.trees}
    return Finding("proved", method, {"gamma": str(c.game.gamma), "L_g": str(L_g)}, evidence)
