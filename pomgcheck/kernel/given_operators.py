"""Theorem 2.5 for a class given by operators: what its matrices show, and the check of a witness against them.

On a finite class every point is computed.  With interval axes the factorization is an identity of rational functions;
the other two claims are inequalities, and can only be refuted at a point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from .boxes import right_sign
from .budget import spend
from .case import PROVED, Case, Claim, Outcome
from .claims import GIVEN
from .continua import Cell, cells, leaves
from .facts import Facts
from .game import Game
from .operator_section import Matrix, Operators, OperatorSection
from .parameters import Point
from .polynomials import Polynomial, TooLarge, cleared, derivative, divisors, parameters, polynomial
from .reading import Malformed, Object, require, take

Vector = tuple[Fraction, ...]
REFUTED, UNKNOWN = Outcome("refuted", {}), Outcome("unknown", {})


class GivenFacts(Facts):
    """These are the exact facts of a class given by operators."""

    def __init__(self, game: Game, options: Object) -> None:
        self.game, self.options = game, options
        self._made = {}
        self.section = OperatorSection(game)

    def undecided(self, claim: str) -> str:
        """Return why no verdict but unknown can stand, or "" where one can."""
        if claim not in (*GIVEN, "well-specified", "covering", "warmup-stationary"):
            return "unknown, since a class given by operators has no kernels"
        if not self.game.finite and claim in ("well-specified", "covering"):
            return "unknown, since an axis is an interval"
        return ""

    @cached_property
    def cells(self) -> list[tuple[Cell, ...]]:
        """Return the points of either side, or with interval axes its cells."""
        sides = ("worlds", "theta"), ("responses", "Phi")
        return [cells(self.game.document[side], side, name) for side, name in sides]

    @cached_property
    def operators(self) -> list[list[Operators]]:
        """Return the matrices for each theta and Phi, in the indeterminates of a cell where it has some."""
        thetas, phis = self.cells
        self.section.bound(len(thetas) * len(phis))
        return [[self.section.at({**theta.values, **phi.values}) for phi in phis] for theta in thetas]

    def places(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield all places (p, h, o, a)."""
        game = self.game
        return product(range(len(game.policies)), range(game.H), range(len(game.OA)), range(len(game.A)))

    # -- the claims

    def factorization(self) -> Outcome:
        """Return whether J = G W, where W is a function of theta alone and G of Phi alone (Theorem 2.5)."""
        try:
            table = self.operators
            free = all(
                agree(x.W, row[0].W) and agree(x.G, first.G) and apart(x.W, "Phi.") and apart(x.G, "theta.")
                for row in table
                for x, first in zip(row, table[0], strict=True)
            )
            places, every = list(self.places()), [x for row in table for x in row]
            triples = {(x.G[p][h][o][a], x.W[h][o][a], x.J[p][h][o][a]) for x in every for p, h, o, a in places}
            holds = free and self.defined(table) and all(agree(times(G, W), J) for G, W, J in triples)
        except TooLarge:
            holds = False
        except Malformed:
            if self.game.finite:
                raise
            holds = False  # too many cells
        return PROVED if holds else REFUTED if self.game.finite else UNKNOWN

    def defined(self, table: list[list[Operators]]) -> bool:
        """Return whether no divisor has a zero in the boxes of its cell, so that the matrices are there at every
        model."""
        for theta, row in zip(self.cells[0], table, strict=True):
            for phi, x in zip(self.cells[1], row, strict=True):
                box = theta.region.box | phi.region.box
                found = divisors(dict.fromkeys(entry for entry in leaves((*x,)) if isinstance(entry, Polynomial)))
                if not all(right_sign(d, box, True) or right_sign(-d, box, True) for d in (f.divisor for f in found)):
                    return False
        return True

    def oom_identity(self) -> Outcome:
        """Return whether the operators of every model give a law of observations given actions (Theorem 2.5); this is
        open with interval axes, and where too many sequences are to be played."""
        if not self.game.finite:
            return UNKNOWN
        laws = {law for row in self.operators for x in row for law in x.J}
        found = [self.lawful(law) for law in laws]
        return REFUTED if False in found else UNKNOWN if None in found else PROVED

    def lawful(self, J: Any) -> bool | None:
        """Return whether masses are conserved and never negative.

        That is plain where the columns of sum_o J_h(o,a) add up to 1 and no entry is negative; else every learner
        sequence is played, up to multiples, and ``None`` says that there are more than limits.trajectories at one
        step.
        """
        states: set[Vector] = {self.section.initial}
        if sum(self.section.initial) != 1:
            return False
        A = range(len(self.game.A))
        plain = all(x >= 0 for x in self.section.initial) and all(
            all(x >= 0 for matrix in leaves_of(step) for row in matrix for x in row)
            and all(sum(column) == 1 for a in A for column in zip(*(row for o in step for row in o[a]), strict=True))
            for step in J
        )
        for step in () if plain else J:
            after: set[Vector] = set()
            for q, a in product(states, A):
                images = [apply(o[a], q) for o in step]
                masses = [sum(v) for v in images]
                if min(masses) < 0 or sum(masses) != sum(q):
                    return False
                after |= {ray(v) for v in images if any(v)}
                if len(after) > self.options["limits"]["trajectories"]:
                    return None
            states = after
        return True

    def nonexpansive(self) -> Outcome:
        """Return whether W and G are nonnegative and no column of G sums to more than 1 (Theorem 2.5); this is open
        with interval axes."""
        if not self.game.finite:
            return UNKNOWN
        every = [x for row in self.operators for x in row]
        G = {matrix for x in every for law in x.G for step in law for matrix in leaves_of(step)}
        W = {matrix for x in every for step in x.W for matrix in leaves_of(step)}
        negative = any(entry < 0 for matrix in W | G for row in matrix for entry in row)
        expanding = any(sum(column) > 1 for matrix in G for column in zip(*matrix, strict=True))
        return REFUTED if negative or expanding else PROVED

    def covering(self) -> Outcome:
        """Return the logarithm of the number of distinct models."""
        count = len({x for row in self.operators for x in row})
        return Outcome("proved", {"log_covering_upper": {"log_of": str(count)}})


DECIDED: dict[str, Callable[[Case], Outcome | None]] = {
    "factorization": lambda case: own(case).factorization(),
    "oom-identity": lambda case: own(case).oom_identity(),
    "nonexpansive": lambda case: own(case).nonexpansive(),
    "covering": lambda case: own(case).covering(),
}


def as_given(claim: Claim) -> Claim:
    """Return a claim as a class given by operators settles it: by what its matrices show, and Theorem 2.5 with
    witnesses of its own."""
    witness = own_witness if claim.id in GIVEN else claim.witness
    return claim._replace(outcome=DECIDED.get(claim.id, claim.outcome), witness=witness)


# ------------------------------------------------------------------------------------- arithmetic


def leaves_of(step: Any) -> Iterator[Matrix]:
    """Return the matrices [o][a] of one step."""
    return (matrix for row in step for matrix in row)


def apply(matrix: Matrix, q: Vector) -> Vector:
    """Return the product of a matrix and a vector."""
    spend(len(matrix) * len(q) + 1, "products of matrices")
    return tuple(sum((x * m for x, m in zip(row, q, strict=True) if x and m), Fraction(0)) for row in matrix)


def times(G: Matrix, W: Matrix) -> Matrix:
    """Return the product of two matrices."""
    columns = tuple(zip(*W, strict=True))
    return tuple(apply(columns, row) for row in G)


def ray(v: Vector) -> Vector:
    """Return the positive multiple of l1 norm 1: multiples play alike."""
    norm = sum(map(abs, v))
    return tuple(x / norm for x in v)


def agree(left: object, right: object) -> bool:
    """Return whether nested entries are equal, numbers or rational functions."""
    if left == right:
        return True
    pairs = zip(leaves(left), leaves(right), strict=True)
    return all(not cleared(polynomial(x - y)) for x, y in dict.fromkeys(pairs) if x != y)


def apart(nested: object, side: str) -> bool:
    """Return whether no entry changes with the parameters of one side."""
    entries = dict.fromkeys(x for x in leaves(nested) if isinstance(x, Polynomial))
    return not any(cleared(derivative(x, name)) for x in entries for name in parameters(x) if name.startswith(side))


# -------------------------------------------------------------------------------------- witnesses


class WitnessPlace:
    """This is a place (pi, h, o, a) of a witness, with the matrices at its parameter points."""

    def __init__(self, case: Case, place: Any, extra: tuple[str, ...], operator: str = "J") -> None:
        self.case, self.where, self.facts = case, f"{case.id}.witness", own(case)
        pi = () if operator == "W" else ("pi",)
        self.place = take(place, self.where, ("h", "o", "a", *pi, *extra))
        game = self.facts.game
        self.h = case.step(place["h"], game.H)
        self.o, self.a = case.label(game.OA, place["o"], "o"), case.label(game.A, place["a"], "a")
        self.p = case.policy(place["pi"]) if pi else 0

    def label(self, labels: tuple[str, ...], key: str) -> int:
        """Return the number of the label that the place has under ``key``."""
        return self.case.label(labels, self.place[key], key)

    def matrix(self, operator: str, key: str) -> Matrix:
        """Return one operator at the parameter point written under ``key``."""
        x = self.facts.section.at(read_xi(self.case, self.place[key], key))
        steps: tuple[tuple[tuple[Matrix, ...], ...], ...]
        steps = x.W if operator == "W" else (x.G if operator == "G" else x.J)[self.p]
        return steps[self.h][self.o][self.a]

    def spot(self, operator: str) -> tuple[int, int]:
        """Return the row and column of one of the operator's entries."""
        section, h = self.facts.section, self.h
        rows = section.channel[h] if operator == "W" else section.coordinates[h + 1]
        columns = section.channel[h] if operator == "G" else section.coordinates[h]
        return self.label(rows, "row"), self.label(columns, "column")

    def shown(self, holds: bool, required: str, **values: Fraction) -> None:
        """Refuse unless the values are those that the witness shows, and do what is required."""
        found = {name: str(value) for name, value in values.items()}
        if not holds or found != {name: self.place[name] for name in values}:
            raise self.case.reject("witness", found, f"{required}, as shown")


def own(case: Case) -> GivenFacts:
    """Return the facts of a case about a class given by operators."""
    assert isinstance(case.facts, GivenFacts)
    return case.facts


def read_xi(case: Case, value: object, where: str) -> Point:
    """Return a parameter point (theta, Phi) of the class, interval axes or not."""
    xi = take(value, f"{case.id}.{where}", ("theta", "Phi"))
    game, found = case.facts.game, dict[str, Fraction]()
    for side, key in (("worlds", "theta"), ("responses", "Phi")):
        point = Game.point(xi[key], f"{case.id}.{key}")
        require(game.contains(side, point), f"{case.id}.{key}", xi[key], "a parameter point of the class")
        found |= point
    return found


def own_witness(case: Case, witness: object) -> None:
    """Check a refutation of Theorem 2.5, which names (h, o, a), the policy, the parameters, the coordinate and both
    entries."""
    place = witness if isinstance(witness, dict) else {}
    if case.id == "oom-identity":
        unlawful(case, witness)
    elif case.id == "factorization" and "operator" in place:
        not_free(case, place)
    elif case.id == "factorization":
        at = WitnessPlace(case, witness, ("xi", "row", "column", "J", "GW"))
        row, column = at.spot("J")
        J = at.matrix("J", "xi")[row][column]
        GW = times(at.matrix("G", "xi"), at.matrix("W", "xi"))[row][column]
        at.shown(J != GW, "different entries of J and G W", J=J, GW=GW)
    elif "sum" in place:
        at = WitnessPlace(case, witness, ("xi", "column", "sum"))
        column = at.label(at.facts.section.channel[at.h], "column")
        total = sum((abs(row[column]) for row in at.matrix("G", "xi")), Fraction(0))
        at.shown(total > 1, "a column of |G| above 1", sum=total)
    else:
        operator = which(case, place)
        at = WitnessPlace(case, witness, ("operator", "xi", "row", "column", "entry"), operator)
        row, column = at.spot(operator)
        entry = at.matrix(operator, "xi")[row][column]
        at.shown(entry < 0, "a negative entry", entry=entry)


def which(case: Case, place: Object) -> str:
    """Return the operator that a witness is about, W or G."""
    operator = place.get("operator")
    if operator not in ("W", "G"):
        raise Malformed(f"{case.id}.operator", repr(operator), "W or G")
    return str(operator)


def not_free(case: Case, place: Object) -> None:
    """Check that G at one Phi and two theta, or W at one theta and two Phi, has different entries."""
    operator = which(case, place)
    at = WitnessPlace(case, place, ("operator", "xi", "xi_prime", "row", "column", "entry", "entry_prime"), operator)
    row, column = at.spot(operator)
    entry, entry_prime = (at.matrix(operator, key)[row][column] for key in ("xi", "xi_prime"))
    kept = "Phi" if operator == "G" else "theta"
    if at.place["xi"][kept] != at.place["xi_prime"][kept]:
        raise case.reject("witness", f"two {kept}", f"one {kept}, of which {operator} may depend")
    at.shown(entry != entry_prime, "different entries", entry=entry, entry_prime=entry_prime)


def unlawful(case: Case, place: Any) -> None:
    """Check a learner sequence of negative mass (of mass other than 1 if it is empty), or masses of the next o that do
    not add up to the mass before."""
    ends = ("a", "before", "after") if isinstance(place, dict) and "a" in place else ("mass",)
    take(place, f"{case.id}.witness", ("xi", "pi", "h", "trajectory", *ends))
    facts = own(case)
    J = facts.section.at(read_xi(case, place["xi"], "xi")).J[case.policy(place["pi"])]
    played = case.history(place["trajectory"], True, "trajectory")
    q: Vector = facts.section.initial
    last = len(played) // 2 + (len(ends) == 3)
    if len(played) % 2 or last > facts.game.H or type(place["h"]) is not int or place["h"] != last:
        raise Malformed(f"{case.id}.h", str(place["h"]), f"the step of the failure, at most {facts.game.H}")
    for h, (o, a) in enumerate(zip(played[::2], played[1::2], strict=True)):
        q = apply(J[h][o][a], q)
    if len(ends) == 1:
        if str(sum(q)) != place["mass"] or sum(q) >= 0 and (played or sum(q) == 1):
            raise case.reject("witness", f"the mass {sum(q)}", "a negative one (of q_0 one other than 1), as shown")
        return
    a = case.label(facts.game.A, place["a"], "a")
    before, after = sum(q), sum(sum(apply(o[a], q)) for o in J[last - 1])
    if before == after or [place["before"], place["after"]] != [str(before), str(after)]:
        raise case.reject("witness", f"masses {before} before and {after} after", "two that differ, as shown")
