"""Writes what a certificate proves of a continuum as SMT-LIB scripts, so that any solver may look for a counterexample.

Each is the negation of one obligation: the identity of Theorem 2.5, an inequality of rule ``box``, the net, or what
rule ``pairs`` shows of two models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from pomgcheck.exporters import pair_obligations
from pomgcheck.exporters.smtlib import Script, Term, expression, symbol, total, written
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.claims import BY_ID
from pomgcheck.kernel.continua import Goal, goal
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game, World
from pomgcheck.kernel.operators import G, J, W, pure_states
from pomgcheck.kernel.polynomials import Polynomial, divisors, names, parameters, substituted, variable

Claim = Mapping[str, Any]
PART = {  # what an inequality of rule box is to the claim that rests on it
    "nonexpansive": "An entry of a kernel or of a response is nonnegative, or a divisor in one has one sign; rows have "
    "the sum one identically.",
    "posterior-lipschitz": "L_upper times a sum with signs of the difference of two reference posteriors is at least a "
    "bound of the difference of the responses, all times the masses of the history under both policies; or a "
    "difference of responses has the bound stated.",
    "covering": "A derivative of an entry of J has the bound stated.",
    "bounded-increments": "The probability of a trajectory has the bound stated; B0_upper is the largest quotient of "
    "two bounds of one trajectory.",
    "predictive-states": "The probability of a trajectory is positive.",
    "eluder-world": "An entry of W has the bound stated; the largest norm of a difference is made of these.",
    "eluder-adversary": "An entry of G has the bound stated; the largest norm of a difference is made of these.",
    "constants": "A possible observation has at least the chance least_observation given what came before it: "
    "P(prefix, o) >= least_observation P(prefix).",
}


def scripts(certificate: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the scripts of each claim; a finite class, or one given by operators, has none, since its claims are
    decided by evaluation."""
    if (stated := read(certificate)) is None:
        return {}
    (facts, claims), found = stated, dict[str, list[str]]()
    for name, claim in claims.items():
        each: list[Script] = [script(claim, says(facts, claim), goal) for goal in goals(facts, claims, name)]
        if name == "factorization":
            each += factors(facts, claim)
        if name == "covering":
            each += moves(facts, claim, Fraction(1, 2 * facts.options["T"] + 4))
        if name == "weak-revealing":
            each += pair_obligations.revealing(facts, claim)
        if name in ("kl-joint", "kl-world"):
            each += pair_obligations.conversions(facts, claim, "predictive-states" in claims)
        if each:
            found[name] = [*dict.fromkeys(map(str, each))]
    return found


def read(certificate: Mapping[str, Any]) -> tuple[Facts, dict[str, Claim]] | None:
    """Return the class and the claims that are proved of it, or ``None`` for one without interval axes or given by
    operators."""
    game = Game(certificate["model"])
    if game.finite or game.own:
        return None
    facts = Facts(game, read_options(certificate["options"], game))
    return facts, {claim["id"]: claim for claim in certificate["claims"] if claim["verdict"] == "proved"}


def goals(facts: Facts, claims: Mapping[str, Claim], name: str) -> list[Goal]:
    """Return the inequalities that rule ``box`` shows for a claim, without those of numbers; the kernel checks the
    claim on the way."""
    evidence = claims[name]["evidence"]
    if name not in PART or evidence["rule"] == "eval":
        return []
    case = Case(facts, name, claims[name]["values"], claims, goals=[])
    on_intervals = BY_ID[name].intervals
    assert on_intervals is not None  # a claim with such goals
    on_intervals.check(case, evidence)
    return [each for each in case.goals or [] if names(each.polynomial)]


def says(facts: Facts, claim: Claim) -> str:
    """Return the claim in the paper's terms, with the values that it states."""
    values = [f"{name} = {value}" for name, value in claim["values"].items() if isinstance(value, str)]
    shown = f" Here {', '.join(values)}." if 0 < len(values) < 5 else ""
    return pair_obligations.stated(facts, claim) + shown


def script(claim: Claim, said: str, goal: Goal) -> Script:
    """Return a script that is satisfiable exactly where the goal fails."""
    degree = max((len(key) for key in goal.polynomial), default=0)
    out = Script(
        "QF_LRA" if degree <= 1 else "QF_NRA",
        said,
        f"One inequality of the proof, negated. {PART[claim['id']]}",
        goal.statement(),
    )
    free = [name for name in names(goal.polynomial) if name not in goal.region.box]
    out.ranges(goal.region.box)
    for name in free:
        out.real(name)
    out.nonnegative(goal.region.constraints)
    out.asserted(f"({'<=' if goal.strict else '<'} {written(expression(goal.polynomial))} 0.0)")
    return out


# ------------------------------------------------------------------------------------------ Theorem 2.5


def factors(facts: Facts, claim: Claim) -> Iterator[Script]:
    """Yield scripts that compare J, one step of the protocol, with G W, the two formulas of Theorem 2.5, with free
    entries."""
    continuum, space, game = facts.continuum, facts.space, facts.game
    world = World(*(free([getattr(table, part) for table in continuum.worlds], part) for part in ("EA", "EB", "T")))
    one = Fraction(1)
    for p in range(len(game.policies)):
        g = free([response[p] for response in continuum.responses], "g")
        for h, o, a in product(range(game.H), range(len(game.OA)), range(len(game.A))):
            out = Script(
                "QF_NRA",
                says(facts, claim),
                "The identity for one (o^A,a), negated: from some pure state J, one step of the "
                "protocol, leads somewhere with another mass than G W does. Entries that are not zero throughout the "
                "class are free: EA.s.o, EB.s.oB, T.s.a.b.s', g.row.b.",
            )
            for name in sorted({*symbols((world.EA[h], world.EB[h], world.T[h], g[h]))}):
                out.real(name)
            differ = []
            for state in pure_states(space, h):
                left = J(space, world, g, h, o, a, {state: one})
                right = G(space, g, h, W(world, h, o, a, {state: one}))
                for key in sorted({*left, *right}):
                    differ.append(f"(distinct {written(left.get(key, 0))} {written(right.get(key, 0))})")
            if differ:
                out.asserted(f"(or {' '.join(differ)} false)")
                yield out


def free(tables: list[Any], name: str, steps: bool = True) -> Any:
    """Return the tables of several cells with a symbol for every entry that is not zero in all of them; the steps share
    their symbols."""
    if isinstance(tables[0], tuple):
        return tuple(
            free([*parts], name if steps else f"{name}.{k}", False) for k, parts in enumerate(zip(*tables, strict=True))
        )
    return symbol(name) if any(tables) else Fraction(0)


def symbols(table: Any) -> Iterator[Term]:
    """Return the symbols in nested tables."""
    if isinstance(table, tuple):
        for entry in table:
            yield from symbols(entry)
    elif isinstance(table, Term):
        yield table


# ---------------------------------------------------------------------------------------- Assumption 3.1(b)


def moves(facts: Facts, claim: Claim, epsilon: Fraction) -> Iterator[Script]:
    """Yield scripts about how far a column of J moves: at most the Lipschitz constant times the distance of two
    models, and at most epsilon within a square of the grid."""
    steepest, grid = Fraction(claim["values"]["covering_lipschitz_upper"]), claim["evidence"]["grid"]
    for region, column in facts.continuum.columns():
        one = Polynomial()
        for name in parameters(*column):
            one = one + variable(name)
        region = goal(one, False, region).region  # what these parameters are tied to
        reach = 1 if region.constraints else 2
        sides = {name: (high - low) / (reach * grid.get(name, 1)) for name, (low, high) in region.box.items()}
        for net in (False, True):
            yield moved(says(facts, claim), region.box, region.constraints, column, sides if net else steepest, epsilon)


def moved(said: str, box: Any, constraints: Any, column: Any, within: Any, epsilon: Fraction) -> Script:
    """Return a script about two models of a cell that are within given distances along the axes and further apart than
    epsilon.

    If ``within`` is a number, they are further apart than that number times their largest distance along an axis.
    """
    other = {name: variable(f"{name}'") for name in box}
    net = isinstance(within, dict)
    what = (
        "two models no further apart than a point of a square of the grid and its chosen model, whose columns "
        f"differ by more than epsilon = {epsilon}"
        if net
        else "two models at most d apart along every axis, whose columns differ by more than covering_lipschitz_upper d"
    )
    linear = all(len(key) <= 1 for p in column for key in p) and not divisors(column)
    out = Script("QF_LRA" if linear else "QF_NRA", said, f"For one column of J, negated: {what}.")
    out.ranges(box | {f"{name}'": ends for name, ends in box.items()})
    out.nonnegative([*constraints, *(substituted(c, other) for c in constraints)])
    distance = None if net else out.real("d")
    for name in box:
        far = within[name] if net else distance
        for sign in ("", "- "):
            gap = f"(- {symbol(name)} {symbol(name + chr(39))})"
            out.asserted(f"(<= {f'({sign}{gap})' if sign else gap} {written(far)})")
    changed = [expression(substituted(p, other) - p) for p in column]
    out.inverses([*column, *(substituted(p, other) for p in column)])
    bound = written(epsilon) if net else f"(* {written(within)} {distance})"
    out.asserted(f"(> {written(total(out.size(x) for x in changed))} {bound})")
    return out
