"""Theorem 2.5, J = G W: as polynomials in free kernel and response entries."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from ..budget import spend
from ..case import PROVED, Case, Claim, Outcome
from ..game import World
from ..operators import G, J, W, pure_states
from ..rows import SparseRow, numbered


class Free(dict[tuple[Any, ...], int]):
    """This is a polynomial in table entries: a map from sorted products of entries to positive coefficients.

    A class has thousands of entries, of which each product has few, so that these are listed one by one.
    """

    def __add__(self, other: Free) -> Free:
        return Free({**self, **{key: self.get(key, 0) + c for key, c in other.items()}})

    def __mul__(self, other: Free) -> Free:
        spend(len(self) * len(other) + 1, f"a product of polynomials of {len(self)} and {len(other)} terms")
        out = Free()
        for (left, x), (right, y) in product(self.items(), other.items()):
            key = tuple(sorted(left + right))
            out[key] = out.get(key, 0) + x * y
        return out


def free(table: object, name: tuple[Any, ...]) -> Any:
    """Return a table with every entry that is not the text "0" replaced by its own indeterminate."""
    if isinstance(table, list | tuple):
        return tuple(free(entry, (*name, k)) for k, entry in enumerate(table))
    if isinstance(table, SparseRow):
        return SparseRow(table.length, ((k, Free({((*name, k),): 1})) for k, _ in table.entries))
    return Free() if table == "0" else Free({(name,): 1})


def outcome(case: Case) -> Outcome:
    """Compare J with G W, entry by entry, as polynomials in free entries.

    E^A(o|s) is one of them whatever o is, so one observation stands for all: the others rename it, and where it is
    zero both sides are. Likewise one state and action stands for all at one memory whose rows are not zero at the same
    places, once successors are renamed.
    """
    facts, game = case.facts, case.facts.game
    _, EB, T = game.texts()
    rows = [game.row_count(game.adversary_window, h, len(game.OB), len(game.B)) for h in range(game.H)]
    g: Any = [free([["g"] * len(game.B)] * rows[h], ("g",)) for h in range(game.H)]
    one, compared = Free({(): 1}), set[object]()
    for h, a in product(range(game.H), range(len(game.A))):
        for s, memory in pure_states(facts.space, h):
            shape = memory, pattern(EB[h][s], T[h][s][a])
            if shape in compared:
                continue
            compared.add(shape)
            EA: Any = {h: {s: free(["o"], ("EA",))}}
            heard: Any = {h: {s: free(EB[h][s], ("EB",))}}
            moves: Any = {h: {s: {a: free(T[h][s][a], ("T",))}}}
            world, state = World(EA, heard, moves), {(s, memory): one}
            channel = W(world, h, 0, a, state)
            if J(facts.space, world, g, h, 0, a, state) != G(facts.space, g, h, channel):
                return Outcome("refuted", {})
            weights = G(facts.space, g, h, dict.fromkeys(channel, one))
            if indeterminates(channel) & {"g"} or indeterminates(weights) - {"g"}:
                return Outcome("refuted", {})
    return PROVED


def pattern(heard: Any, moves: Any) -> Any:
    """Return where a row of E^B, and those of T by the adversary's action, are not zero; successors are numbered in
    order of appearance."""
    places = [[k for k, text in numbered(row) if text != "0"] for row in (heard, *moves)]
    order: dict[int, int] = {}
    return tuple(places[0]), tuple(tuple(order.setdefault(t, len(order)) for t in row) for row in places[1:])


def indeterminates(vector: Mapping[Any, Free]) -> set[str]:
    """Return which tables the coefficients of a vector are made of."""
    return {name[0] for entry in vector.values() for monomial in entry for name in monomial}


CLAIM = Claim("factorization", "Theorem 2.5", outcome)
