"""z3 as a second, independent prover of Theorem 2.5's structural claims, with every kernel and response entry free.

One output coordinate of G decides: distinct outputs read distinct inputs.  The verdicts are recorded, never trusted.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pomgcheck.errors import counted, optional
from pomgcheck.search.exact.tables import Tables

MILLISECONDS = 1000
ANSWERS = {"unsat": "proved", "sat": "counterexample"}

Inputs = tuple[tuple[int, int, int], ...]  # (row of g read, memory and oB number, b) of every input of one output


def second_opinion(t: Tables) -> dict[str, str]:
    """Return z3's verdict on each structural claim, for every shape of output that the class has."""
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
