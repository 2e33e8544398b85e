"""Rule `tests`: a tree for a problem of Assumption 2.4 that shows its ratio to be at least alpha.

A tree cuts the box of the chart and the simplex of the predictive states q (problems.py) into pieces on which test
functions show ratio >= alpha by inequalities between polynomials, and those by their Bernstein coefficients; on an
empty box they are inequalities between numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

from .boxes import halves, right_sign
from .budget import spend
from .case import Case, Rejected
from .operators import Memory, common_unit, multiples
from .pairs import STEP, over
from .polynomials import Polynomial, cleared, divisors, inverse, polynomial, value, variable, without
from .problems import Problem, RatioTerms
from .reading import Malformed, Object, rational, sequence
from .rows import Scalar

MAX_DEPTH = 400  # of a tree
MAX_CORNERS = 256  # of a box: a polynomial that changes sign is looked at there, or at so many of them


class Rules(NamedTuple):
    """All trees share these: the claim, alpha, and the test functions and factors, each as integers over a unit of its
    own."""

    case: Case
    alpha: Fraction
    tests: list[tuple[tuple[int, ...], int]]
    factors: list[tuple[tuple[tuple[int, ...], ...], int]]

    @classmethod
    def read(cls, case: Case, alpha: Fraction, evidence: Object) -> Rules:
        """Return the rules with the test functions and factors of the evidence.

        Raises ``Rejected`` where a test function leaves [-1,1].
        """
        tests, factors, options = [], [], case.facts.options
        for texts in sequence(evidence["tests"], f"{case.id}.tests"):
            width = len(case.facts.game.OA) ** options["kappa"]
            spend(20 * width, "test functions")
            y = tuple(rational(x, f"{case.id}.tests") for x in sequence(texts, f"{case.id}.tests", width))
            if any(abs(x) > 1 for x in y):
                raise case.reject("tests", "a test function that leaves [-1,1]", "values in [-1,1]")
            tests.append((multiples(y, common_unit(y)), common_unit(y)))
        where = f"{case.id}.factors"
        for rows in sequence(evidence["factors"], where):
            P = tuple(tuple(rational(x, where) for x in sequence(row, where)) for row in sequence(rows, where))
            factors.append((multiples(P, common_unit(P)), common_unit(P)))
        return cls(case, alpha, tests, factors)


class Proof:
    """This checks the tree of one problem.

    Raises ``Rejected`` where the tree does not show ratio >= alpha, and ``Malformed`` where it is no tree.
    """

    def __init__(self, rules: Rules, problem: Problem, where: str = "tree") -> None:
        self.rules, self.problem, self.where = rules, problem, where
        self.joint = rules.case.facts.options["weak_revealing"]["form"] == "joint"
        self.size, self.chart = len(rules.case.facts.game.OA), problem.chart
        self.constraints = [problem.placed(c) for c in problem.chart.constraints]
        self.step: Scalar = 1

    def check(self, tree: object) -> None:
        """Check that the tree shows ratio >= alpha on the whole box and the whole simplex."""
        vertices, below = self.opened(tree)
        self.show(below, self.chart.box, vertices)

    def opened(self, tree: object) -> tuple[list[RatioTerms], Any]:
        """Return the columns over the factor that ``["over", terms, tree]`` names, and the tree below it.

        Both sides of the inequalities are then over t f in place of t; where t f vanishes W does not change.
        """
        factor, below = over(self.chart, tree, self.where)
        vertices = self.problem.vertices(factor, self.where)
        if self.chart.step or factor != polynomial(1):
            self.step = self.problem.placed((variable(STEP) if self.chart.step else polynomial(1)) * factor)
        self.windows = sorted({w for column in vertices for w in column[2]})
        self.channel = sorted({v for column in vertices for v in column[4]})
        self.shared = not any(column[1] for column in vertices)
        return vertices, below

    def show(self, tree: Any, box: Any, vertices: list[RatioTerms], depth: int = 0) -> None:
        """Check that the tree shows ratio >= alpha at every pair of the class in the box and every mixture of the
        vertices.

        ``["split", axis, "t", below, above]`` cuts the box at axis = t. ``["cut", i, j, "t", left, right]`` cuts the
        edge (v_i, v_j) at (1-t) v_i + t v_j, which takes the place of v_j in ``left`` and of v_i in ``right``.
        ``["test", k]`` and ``["factor", k]`` show it by test function or factor k. A box that holds no pair of the
        class needs nothing.
        """
        node = sequence(tree, self.where)
        spend(sum(5 + len(M) + len(dM) + len(dW) for _, _, M, dM, dW in vertices), "leaves of weak revealing")
        match node:
            case ["split", str(axis), at, below, above] if axis in box and depth < MAX_DEPTH:
                for part, half in zip(halves(box, axis, at, self.where), (below, above), strict=True):
                    self.show(half, part, vertices, depth + 1)
                return
            case ["cut", int(i), int(j), at, left, right] if depth < MAX_DEPTH:
                one, other = self.pick(vertices, i), self.pick(vertices, j)
                t = rational(at, self.where)
                if i == j or not 0 < t < 1:
                    raise Malformed(self.where, f"a cut of the edge ({i}, {j}) at {t}", "two vertices and 0 < t < 1")
                point = mixed(one, other, t)
                self.show(left, box, [point if n == j else v for n, v in enumerate(vertices)], depth + 1)
                self.show(right, box, [point if n == i else v for n, v in enumerate(vertices)], depth + 1)
                return
            case ["test", int(k)]:
                test = self.pick(self.rules.tests, k)
                if not self.outside(box) and not self.tested(test, box, vertices):
                    raise self.refuse(f"test function {k} does not show it", box)
                return
            case ["factor", int(k)]:
                if not self.outside(box):
                    self.factored(self.pick(self.rules.factors, k), box, vertices)
                return
        raise Malformed(self.where, str(node)[:60], '"split", "cut", "test" or "factor"')

    def pick(self, pool: list[Any], index: int) -> Any:
        """Return the entry of a list at an index.

        Raises ``Malformed`` where there is none.
        """
        if isinstance(index, bool) or not 0 <= index < len(pool):
            raise Malformed(self.where, repr(index), f"an index below {len(pool)}")
        return pool[index]

    def refuse(self, found: str, box: Any) -> Rejected:
        """Return the refusal of a node, with what was found, the problem and the box."""
        there = "".join(f", {name} in [{low}, {high}]" for name, (low, high) in box.items())
        return self.rules.case.reject("tests", f"{found} at {self.problem.key}{there}", f"ratio >= {self.rules.alpha}")

    def outside(self, box: object) -> bool:
        """Return whether some constraint is negative on the whole box."""
        return any(self.holds(-c, box, True) for c in self.constraints)

    def holds(self, p: Scalar, box: Any, strict: bool = False) -> bool:
        """Return whether p >= 0 (p > 0 if ``strict``) is shown at every pair of the class in the box: a number shows it
        by itself, a polynomial, cleared of its divisors, by the Bernstein coefficients."""
        if not isinstance(p, Polynomial):
            return bool(p > 0 or p == 0 and not strict)
        return right_sign(cleared(p, self.problem.signs), box, strict)

    def magnitude(self, p: Scalar, box: Any) -> Scalar:
        """Return a bound of |p| at every pair of the class in the box. It is |p| itself where one sign is shown, for
        which that at the middle of the box is tried; else it is a number times the divisors' powers.

        Raises ``Rejected`` where no bound is shown.
        """
        if not isinstance(p, Polynomial):
            return abs(p)
        whole = cleared(p, self.problem.signs)
        centre = {name: (low + high) / 2 for name, (low, high) in box.items()}
        sign = 1 if value(whole, centre) >= 0 else -1
        if right_sign(whole * sign, box, False):
            return p * sign
        rest, powers = p, polynomial(1)
        for symbol in divisors([p]):
            rest, power = without(rest, symbol, self.problem.signs[symbol])
            powers = powers * (inverse(symbol.divisor) * self.problem.signs[symbol]) ** power
        corners = product(*({low, high} for low, high in box.values()))
        ends = [dict(zip(box, corner, strict=True)) for corner, _ in zip(corners, range(MAX_CORNERS), strict=False)]
        most = max(abs(value(rest, end)) for end in (*ends, centre))
        for bound in (most, 2 * most, 4 * most):
            if right_sign(bound - rest, box, False) and right_sign(bound + rest, box, False):
                return powers * bound
        raise self.refuse("no bound of a change of W", box)

    def tested(self, y: tuple[tuple[int, ...], int], box: object, vertices: list[RatioTerms]) -> bool:
        """Return whether, with u = y M, du = y dM and c = sum |dW| at the vertices, all Bernstein coefficients on their
        hull show Z du - dZ u >= alpha Z Z' c; where dZ = 0 this is du >= alpha Z c, and in the joint form du >= alpha
        c."""
        (values, unit), n = y, range(len(vertices))
        alpha = self.rules.alpha if self.joint else self.rules.alpha / self.problem.unit
        weigh, most = alpha.denominator, alpha.numerator * unit

        def mean(law: Mapping[Memory, Scalar]) -> Scalar:
            return weigh * sum(x * y for w, x in law.items() if (y := values[self.index(w)]))

        du = [mean(column[3]) for column in vertices]
        c = [most * sum(self.magnitude(x, box) for x in column[4].values()) for column in vertices]
        Z = [column[0] for column in vertices]
        counting = [i for i in n if du[i] or c[i] or Z[i]] if self.joint or self.shared else n
        spend(len(counting) ** (1 if self.joint else 2 if self.shared else 3), "inequalities of leaves")
        if self.joint:
            return all(self.holds(du[i] - c[i], box) for i in counting)
        if self.shared:  # where all three are zero at a vertex j, du_i >= 0 is asked, and i with itself shows it
            return all(
                self.holds(du[i] + du[j] - Z[i] * c[j] - Z[j] * c[i], box)
                for i, j in combinations_with_replacement(counting, 2)
            )
        dZ, u = [column[1] for column in vertices], [mean(column[2]) for column in vertices]
        Z_ = [Z[i] + self.step * dZ[i] for i in n]
        return all(
            self.holds(
                sum(Z[i] * du[j] - dZ[i] * u[j] for i, j in permutations(places, 2))
                - sum(Z[i] * Z_[j] * c[k] for i, j, k in permutations(places)),
                box,
            )
            for places in combinations_with_replacement(n, 3)
        )

    def index(self, window: Memory) -> int:
        """Return the number of a window, which is its place among the values of a test function."""
        number = 0
        for o in window:
            number = number * self.size + o
        return number

    def factored(self, factor: tuple[Any, int], box: object, vertices: list[RatioTerms]) -> None:
        """Check that dW = P dM identically, so that ||dW q||_1 <= N ||dM q||_1 with N the largest column sum of |P|,
        and that alpha N Z <= 1. In the literal form this is allowed only where dZ = 0.

        Raises ``Rejected`` where one of these fails.
        """
        P, unit = factor
        if len(P) != len(self.channel) or any(len(row) != len(self.windows) for row in P):
            raise self.refuse(f"a matrix that is not {len(self.channel)} x {len(self.windows)}", box)
        if not (self.joint or self.shared):
            raise self.refuse("a factor where emissions differ", box)
        spend(len(vertices) * len(self.channel) * len(self.windows), "products of a factor")
        for column in vertices:
            for v, row in zip(self.channel, P, strict=True):
                moves = sum(column[3].get(w, 0) * x for w, x in zip(self.windows, row, strict=True) if x)
                rest = moves - column[4].get(v, 0) * unit
                if cleared(rest, self.problem.signs) if isinstance(rest, Polynomial) else rest:
                    raise self.refuse("a matrix P with P dM unlike dW", box)
        N = self.rules.alpha * Fraction(max(sum(abs(row[n]) for row in P) for n in range(len(self.windows))), unit)
        chances = [1] if self.joint else [column[0] for column in vertices]
        if not all(self.holds(1 - Z * (N if self.joint else N / self.problem.unit), box) for Z in chances):
            raise self.refuse(f"alpha N = {N} with too likely an observation", box)


def mixed(left: RatioTerms, right: RatioTerms, t: Fraction) -> RatioTerms:
    """Return (1-t) left + t right."""

    def combined(x: Scalar, y: Scalar) -> Scalar:
        if isinstance(x, dict):
            return {key: combined(x.get(key, 0), y.get(key, 0)) for key in {**x, **y}}
        return x * (1 - t) + y * t

    a, b, c, d, e = (combined(x, y) for x, y in zip(left, right, strict=True))
    return a, b, c, d, e
