"""The smallest response floor at which weak revealing reaches a target.

The floor mixes every response with the uniform one, g_eps = (1-eps) g + eps/|B|.  The floors of a grid are tried from
the least up; alpha need not grow with them.  A predictive state that is too weak at one floor is kept: its signal is a
polynomial of degree kappa in eps, and so rules out, exactly, all the floors at which the same state is too weak.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.modelclass.derived import with_response_floor
from pomgcheck.options import Options
from pomgcheck.remedies import Floor, ended
from pomgcheck.search.certify import certify
from pomgcheck.search.claims.weak_revealing import lowest, reachable
from pomgcheck.search.claims.weak_revealing_cover import LONG, Better, Cover, OutOfEffort, Pool
from pomgcheck.search.claims.weak_revealing_problems import Problem, Problems
from pomgcheck.search.claims.weak_revealing_simplex import SubSimplex
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.repair import refuse_intervals, refuted_claims

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass

STEPS = 1024  # floors tried are the multiples of 1/STEPS
CLAIM = "weak-revealing"
Signal = dict[int, Fraction]  # window -> difference of its probabilities


def smallest_floor(
    model: ModelClass, certificate: Certificate, target: Fraction, *, steps: int = STEPS, jobs: int = 1
) -> Floor:
    """Return the smallest floor at which weak revealing is proved with alpha_lower >= target, or asks nothing.

    ``certificate`` is one of ``model``; its options hold, and what else it refutes is certified with the floor too.
    Raises ``InputError`` for a target that is not positive or a class on intervals.
    """
    if target <= 0:
        raise InputError("target", str(target), "a positive number")
    refuse_intervals(model)
    also, options = refuted_claims(model, certificate), certificate.document["options"]
    search = FloorSearch(model, options, target, steps)
    for n in range(steps + 1):
        epsilon = Fraction(n, steps)
        if search.excluded(n) or not search.reaches(n):
            continue
        floored = with_response_floor(model, epsilon)
        found = certify(floored, only={CLAIM, *also}, jobs=jobs, options=Options.of(options)).claims
        if found[CLAIM].verdict == "vacuous" or found[CLAIM].values.fraction("alpha_lower", 0) >= target:
            claims = {claim: found[claim] for claim in found if claim in {CLAIM, *also}}
            return Floor.under(search.bounds, target, epsilon, ended(claims), floored)
    return Floor.under(search.bounds, target)


class FloorSearch:
    """This has the floors of a grid, and how large alpha is at most at each: ``bounds``, from the states found too
    weak."""

    def __init__(self, model: ModelClass, options: Mapping[str, Any], target: Fraction, steps: int) -> None:
        self.model, self.options, self.target, self.steps = model, options, target, steps
        self.kappa, reveal = options["kappa"], options["weak_revealing"]
        self.form, self.scope = reveal["form"], reveal["scope"]
        self.bounds: list[Fraction | None] = [None] * (steps + 1)
        self.nodes = [Fraction(n, self.kappa) for n in range(self.kappa + 1)]
        self.at_nodes: list[Problems] = []

    def problems(self, epsilon: Fraction) -> Problems:
        """Return the problems of the class with the floor ``epsilon``."""
        t = Tables(with_response_floor(self.model, epsilon).game, self.options["space"])
        return Problems(t, self.kappa, self.form, self.scope, whole=True)

    def excluded(self, n: int) -> bool:
        """Return whether a state that is too weak at the floor n/steps is known."""
        bound = self.bounds[n]
        return bound is not None and bound < self.target

    def reaches(self, n: int) -> bool:
        """Return whether alpha >= target at the floor n/steps; what shows that it is not lowers the bounds."""
        problems = self.problems(Fraction(n, self.steps))
        if self.scope == "reachable":  # the states themselves move with the floor
            found = reachable(problems.t, self.kappa, self.form)
            if found.verdict != "vacuous":
                self.bounds[n] = Fraction(found.values.get("alpha_upper", 0))
            return not self.excluded(n)
        try:
            weak = too_weak(list(problems), self.target, problems.t.O**self.kappa)
        except OutOfEffort:
            return False
        if weak is None:
            return True
        ratios = self.ratios(weak)
        for m in range(self.steps + 1):
            ratio, bound = ratios(Fraction(m, self.steps)), self.bounds[m]
            self.bounds[m] = ratio if bound is None else min(bound, ratio)
        return False

    def ratios(self, weak: Better) -> Ratios:
        """Return the ratio of one predictive state in one problem, at every floor."""
        self.at_nodes = self.at_nodes or [self.problems(epsilon) for epsilon in self.nodes]
        signals = [signal(each.build(*weak.problem.context), weak.q) for each in self.at_nodes]
        return Ratios(self.nodes, signals, weak.difference)


@dataclass(frozen=True)
class Ratios:
    """This is |signal| / difference as a function of the floor: the signal is interpolated through its values at
    ``nodes``."""

    nodes: list[Fraction]
    signals: list[Signal]
    difference: Fraction

    def __call__(self, epsilon: Fraction) -> Fraction:
        weights = [prod(((epsilon - y) / (x - y) for y in self.nodes if y != x), start=Fraction(1)) for x in self.nodes]
        size = Fraction(0)
        for window in set().union(*self.signals):
            terms = [w * s.get(window, Fraction(0)) for w, s in zip(weights, self.signals, strict=True)]
            size += abs(sum(terms, Fraction(0)))
        return size / self.difference


def signal(problem: Problem, q: Any) -> Signal:
    """Return the signed difference of the laws of the learner's window at q, in the problem's form."""
    joint = problem.form == "joint"
    Z, Z_ = (Fraction(1) if joint else Fraction(z @ q) / problem.z_unit for z in (problem.Z, problem.Z_))
    laws = zip(problem.windows, problem.M @ q, problem.M_ @ q, strict=True)
    return {window: (x / Z - y / Z_) / problem.unit for window, x, y in laws}


def too_weak(problems: list[Problem], target: Fraction, size: int) -> Better | None:
    """Return a predictive state whose ratio is below the target; ``None`` where trees show there is none.

    Raises ``OutOfEffort`` where neither is found.
    """
    if not problems:
        return None
    best = lowest(problems)
    if best.ratio < target:
        return best
    pool = Pool()
    try:
        for problem in problems:
            Cover(problem, target, pool, size, LONG).tree(SubSimplex.whole(problem))
    except Better as found:
        return found
    return None
