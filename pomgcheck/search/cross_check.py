"""A second opinion on Theorem 2.5, by other programs: sympy on J = G W, z3 on the structure with every kernel and
response entry free.

It decides nothing: the kernel derives the same again. What they say is recorded with the claims, outside the digest;
an opinion that differs is an error of ours.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

from pomgcheck.errors import counted, optional
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operator_section import parameter_names
from pomgcheck.search.checked import Timed
from pomgcheck.search.exact.tables import Memories, Tables

MILLISECONDS = 1000
ANSWERS = {"unsat": "proved", "sat": "counterexample"}

Inputs = tuple[tuple[int, int, int], ...]  # (row of g read, memory and oB number, b) of every input of one output


def others() -> tuple[Any, Any]:
    """Return sympy and z3; raise ``MissingDependency`` where one is not installed (the extra ``cross-check``)."""
    os.environ.setdefault("SYMPY_GROUND_TYPES", "flint")  # sympy's default depends on what else is installed
    sympy, z3 = (optional(package, "cross-check", "--cross-check") for package in ("sympy", "z3"))
    return sympy, z3


def cross_checked(game: Game, space: str, found: Timed) -> Timed:
    """Return the findings with what sympy says of ``factorization`` and, on finite classes, z3 of ``nonexpansive``,
    where the search proved these."""
    sympy, z3 = others()
    opinions: Timed = {}
    if found["factorization"][0].verdict == "proved" and not game.own:
        finding, seconds = found["factorization"]
        said = identity(game, space)
        solvers = finding.solvers | {"sympy": sympy.__version__}
        opinions["factorization"] = replace(finding, solvers=solvers, notes=finding.notes | {"sympy": said}), seconds
    if found["nonexpansive"][0].verdict == "proved" and game.finite and not game.own:
        finding, seconds = found["nonexpansive"]
        notes = finding.notes | second_opinion(Tables(game, space))
        if wrong := [name for name, answer in notes.items() if answer == "counterexample"]:
            raise AssertionError(f"z3 has a counterexample to {wrong[0]}")
        solvers = finding.solvers | {"z3": z3.get_version_string()}
        opinions["nonexpansive"] = replace(finding, solvers=solvers, notes=notes), seconds
    return found | opinions


def identity(game: Game, space: str) -> str:
    """Return sympy's opinion of J = G W, both from their own definitions as rational functions of the class's
    parameters.

    Raises ``AssertionError`` where they differ.
    """
    others()
    part = game.document
    names = sorted(parameter_names(part["worlds"]) | parameter_names(part["responses"]))
    entry = SympyEntries(names)
    adversary = Memories(game.H, len(game.OB), len(game.B), game.adversary_window, space == "history")
    worlds = [game.arrays(key) for key in ("learner_emission", "adversary_emission", "transition")]
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
    return f"{counted(compared, 'entry', 'entries')} of J and G W equal{where}"


class SympyEntries:
    """These are canonical texts in one sympy ring: polynomials over QQ, or their fractions where a quotient occurs."""

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


def protocol_column(entry: Any, EB: Any, moves: Any, g: Any, adversary: Memories, h: int, code: int) -> dict[Any, Any]:
    """Return the column of J over E^A(o|s): one step of the game played from a pure state."""
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
    """Return the column of G W over E^A(o|s): first the world channel with b left open (eqWdef), then the aggregation
    (eqGdef)."""
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


# -- z3


def second_opinion(t: Tables) -> dict[str, str]:
    """Return z3's verdict on each structural claim, for every shape of output that the class has: one output coordinate
    of G decides, since distinct outputs read distinct inputs."""
    verdicts: dict[str, str] = {}
    for inputs in sorted(shapes(t), key=len):
        for name, answer in output_claims(inputs, t.B).items():
            verdicts[f"z3: {name}, {counted(len(inputs), 'input')}"] = answer
    return verdicts


def shapes(t: Tables) -> set[Inputs]:
    """Return outputs of G up to renaming: which rows and actions their inputs come from."""
    found = set()
    for h in range(t.H):
        rows, following = t.adversary.row[h], t.adversary.next[h]
        for output in range(t.adversary.count(h + 1)):
            names: dict[int, int] = {}
            inputs = []
            for place, target in enumerate(following.reshape(-1, t.B)):
                row = int(rows.ravel()[place])
                inputs += [(row, place, b) for b in range(t.B) if target[b] == output]
            for row, _, _ in inputs:
                names.setdefault(row, len(names))
            places = {place: n for n, place in enumerate(dict.fromkeys(place for _, place, _ in inputs))}
            found.add(tuple((names[row], places[place], b) for row, place, b in inputs))
    return found


@cache  # no number enters: classes of one shape share the answer
def output_claims(inputs: Inputs, actions: int) -> dict[str, str]:
    """Return nonnegativity, column sums, signed nonexpansiveness and J = G W at one output with free entries."""
    z3 = optional("z3", "cross-check", "--cross-check")
    rows = {row for row, _, _ in inputs}
    g = {row: [z3.Real(f"g_{row}_{b}") for b in range(actions)] for row in rows}
    emission = {place: z3.Real(f"EB_{place}") for _, place, _ in inputs}
    seen, move = z3.Real("EA"), [z3.Real(f"T_{b}") for b in range(actions)]
    simplex = [z3.And(z3.Sum(row) == 1, *(x >= 0 for x in row)) for row in g.values()]
    unit = [z3.And(x >= 0, x <= 1) for x in (*emission.values(), seen, *move)]
    weights = [g[row][b] for row, _, b in inputs]
    channel = [seen * emission[place] * move[b] for _, place, b in inputs]
    u = [z3.Real(f"u_{n}") for n in range(len(inputs))]
    sizes = z3.Sum([z3.If(x >= 0, x, -x) for x in u])
    image = z3.Sum([w * x for w, x in zip(weights, u, strict=True)])
    played = z3.Sum([emission[place] * (g[row][b] * (move[b] * seen)) for row, place, b in inputs])
    composed = z3.Sum([w * x for w, x in zip(weights, channel, strict=True)])
    negations = {
        "W and G nonnegative": z3.Or(*(x < 0 for x in (*channel, *weights))),
        "column sums of G at most 1": z3.Or(*(w > 1 for w in weights)),
        "||G u||_1 <= ||u||_1 for signed u": z3.Or(image > sizes, -image > sizes),
        "J = G W": played != composed,
    }
    return {name: decide([*simplex, *unit], negation) for name, negation in negations.items()}


def decide(assumptions: list[Any], negation: Any) -> str:
    """Return what z3 says of the assumptions with the negation of a statement, in words."""
    z3 = optional("z3", "cross-check", "--cross-check")
    solver = z3.Solver()
    solver.set("timeout", MILLISECONDS)
    solver.add(*assumptions, negation)
    return ANSWERS.get(str(solver.check()), "no answer in time")
