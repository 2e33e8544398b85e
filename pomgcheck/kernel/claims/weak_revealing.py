"""Assumption 2.4: the laws of the next observations tell apart what the worlds do.

A *problem* is a pair of cells of Theta with a cell of Psi, a policy pi, a step h, a learner memory and a pair (o, a).
Its pairs of models x, x' are the points of a chart (``pairs``); a finite model is a cell with an
empty box, and two of them have t = 1.  Per pure state j of the predictive states, Z_j is the chance of o, M_j the
unnormalised law of the next kappa observations and W_j the column of the world channel at x, and dZ_j, dM_j, dW_j are
the quotients by t of what they are at x' less what they are at x.  With Z' = Z + t dZ,

    ratio(q) = ||(Z dM - dZ M) q q||_1 / (Z q  Z' q  ||dW q||_1)        (joint form: ||dM q||_1 / ||dW q||_1),

t having been divided out.  A tree cuts the box of the chart and the simplex of the q into pieces on which test
functions show ratio >= alpha by inequalities between polynomials, and those by their Bernstein coefficients; on an
empty box they are inequalities between numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, islice, permutations, product
from math import lcm
from typing import Any, NamedTuple

from ..boxes import Region, halves, right_sign
from ..budget import spend
from ..case import Case, Claim, OnIntervals, Outcome, Rejected, at_points, bracket
from ..facts import Facts, norm
from ..game import Malformed, Point, rational, sequence, take
from ..operators import Memory, W, common_unit, multiples, pure_states, total, window_law
from ..pairs import STEP, Chart, charts, exactly, over, used
from ..polynomials import (
    Inverse,
    Polynomial,
    TooLarge,
    cleared,
    divisors,
    inverse,
    parameters,
    polynomial,
    primitive,
    substituted,
    value,
    variable,
    without,
)

MAX_DEPTH = 400  # of a tree
MAX_CORNERS = 256  # of a box, at which a polynomial that changes sign is looked at
PLACE = ("theta", "theta_prime", "Phi", "pi", "h", "learner_part", "o", "a", "chart")  # what names a problem
Context = tuple[int, int, int, int, int, Memory, int, int]  # i, j, k, p, h, uA, o, a
State = tuple[int, Memory]
Column = tuple[Any, Any, dict[Any, Any], dict[Any, Any], dict[Any, Any]]  # Z, dZ, M, dM, dW of a pure state


class Side(NamedTuple):
    """What one cell of Theta has to say in a context: its region, of the parameters in use, and per pure state Z, M by
    window and W by channel coordinate.  Z is over the unit of E^A, M and W are over one other, which cancels."""

    region: Region
    columns: tuple[tuple[Any, dict[Any, Any], dict[Any, Any]], ...]

    def frozen(self) -> Any:
        """What two sides must have in common to be one."""
        tables = tuple((Z, tuple(M.items()), tuple(D.items())) for Z, M, D in self.columns)
        return frozen(self.region), tables


def frozen(region: Region) -> Any:
    """A region as something to look up by."""
    return tuple(region.box.items()), region.constraints, tuple(region.signs.items())


class Problem(NamedTuple):
    """One problem in one chart.  ``signs`` are those of the divisors at every pair of the class, and ``columns`` hold
    polynomials in the coordinates of the chart and t, or numbers."""

    place: dict[str, Any]
    context: Context
    chart: Chart
    signs: dict[Inverse, int]
    states: list[State]
    columns: list[Column]
    unit: int  # of Z
    mass: int  # of M and W

    @property
    def key(self) -> str:
        """The place as one text, by which evidence finds its problem."""
        return spelled(self.place)

    def vertices(self, factor: Polynomial, where: str) -> list[Column]:
        """The columns with the quotients over a common factor and t written in the coordinates of the chart."""
        one = polynomial(1)

        def divided(x: Any) -> Any:
            return self.placed(x if factor == one else exactly(polynomial(x), factor, where))

        return [
            (
                self.placed(Z),
                divided(dZ),
                {w: self.placed(x) for w, x in M.items()},
                {w: divided(x) for w, x in dM.items()},
                {v: divided(x) for v, x in dW.items()},
            )
            for Z, dZ, M, dM, dW in self.columns
        ]

    def placed(self, x: Any) -> Any:
        """A polynomial with t written out."""
        return written_out(x, self.chart)


def written_out(x: Any, chart: Chart) -> Any:
    """A polynomial over a chart with t as the difference of coordinates that it is."""
    if not isinstance(x, Polynomial) or STEP not in parameters(x):
        return x
    t = variable(chart.step[0]) - variable(chart.step[1]) if chart.step else polynomial(1)
    return substituted(x, {STEP: t})


def spelled(place: Mapping[str, Any]) -> str:
    """A place as one text."""
    return json.dumps(place, sort_keys=True, ensure_ascii=False)


# ------------------------------------------------------------------------------------------ the problems


def side(facts: Facts, i: int, k: int, p: int, h: int, uA: Memory, o: int, a: int) -> Side:
    """The data of one cell of Theta (or world) in a context."""
    scaled, space, kappa = facts.scaled, facts.space, facts.options["kappa"]
    world, g, policy = scaled.worlds[i], scaled.responses[k][p], scaled.policies[p]
    finer = unit_of_mass(facts) // scaled.W
    columns = []
    for s, uB in pure_states(space, h):
        M = window_law(space, world, g, policy, h, kappa, uA, o, a, {(s, uB): 1})
        D = W(world, h, o, a, {(s, uB): finer})
        columns.append((world.EA[h][s][o], M, {v: x for v, x in D.items() if x}))
    if facts.game.finite:
        return Side(Region({}), tuple(columns))
    region, named = facts.continuum.region(i, k), used([[Z, M, D] for Z, M, D in columns])
    constraints = tuple(c for c in region.constraints if {*parameters(c)} <= {*named})
    return Side(Region({x: region.box[x] for x in named}, constraints, signs=region.signs), tuple(columns))


def unit_of_mass(facts: Facts) -> int:
    """The unit of M and W in the tables' own units."""
    scaled, kappa = facts.scaled, facts.options["kappa"]
    return int(scaled.J**kappa * scaled.EA * scaled.pi ** (kappa - 1))


def problems(facts: Facts) -> Iterator[Problem]:
    """The distinct problems in order of first appearance, each in its charts: contexts run through Phi, pi, h, the
    memory, o and a, then through pairs of cells of Theta, the first not after the second.

    A context that reads the same tables as an earlier one, or whose two sides are equal to those of an earlier one, in
    either order, poses the same problem: the ratio is symmetric.  One observation ahead nothing depends on
    the memory.  Left out are those where W does not change, and in the literal form those whose observation is
    impossible on a side.
    """
    game, scaled, space, kappa = facts.game, facts.scaled, facts.space, facts.options["kappa"]
    O, A, n = range(len(game.OA)), range(len(game.A)), range(len(scaled.worlds))
    reachable = facts.options["weak_revealing"]["scope"] == "reachable"
    numbers: dict[Any, int] = {}

    def name(table: Any) -> int:
        """The same number for equal tables, and for no others."""
        return numbers.setdefault(table, len(numbers))

    seen_now = [[[name(tuple(row[o] for row in t)) for o in O] for t in world.EA] for world in scaled.worlds]
    slices = [[[name(tuple(rows[a] for rows in t)) for a in A] for t in world.T] for world in scaled.worlds]
    EA, EB, T = ([[name(t) for t in world[part]] for world in scaled.worlds] for part in range(3))
    g = [[[name(t) for t in table] for table in response] for response in scaled.responses]
    play = [[name(t) for t in policy] for policy in scaled.policies]
    vary = [[not game.finite and bool(used([t[h] for t in world])) for h in range(game.H)] for world in scaled.worlds]
    made: dict[Any, tuple[int, Side]] = {}
    met, answered, posed = set[Any](), set[Any](), set[Any]()
    for k, p, h in product(range(len(scaled.responses)), range(len(scaled.policies)), range(game.H - kappa)):
        later = range(h + 1, h + kappa)
        played = g[k][p][h], tuple((g[k][p][s], play[p][s]) for s in later)
        cells = [0 if game.finite else name(frozen(facts.continuum.region(i, k))) for i in n]
        if (h, played, tuple(cells)) in met:  # every context would read what those of an earlier answer read
            continue
        met.add((h, played, tuple(cells)))
        every = kappa > 1 or reachable
        contexts = (space.count(h, True) if every else 1) * len(O) * len(A) * len(n) * (len(n) + 1) // 2
        spend(4 * contexts, f"{contexts} contexts of weak revealing")
        for uA, o, a in product(space.memories(h, True) if every else islice(space.memories(h, True), 1), O, A):
            now = [(seen_now[i][h][o], EB[i][h], slices[i][h][a]) for i in n]
            place = (h, uA) if reachable else depth(facts, h), space.next(uA, o, a, True) if kappa > 1 else ()
            reads = [
                (now[i], EA[i][h + kappa], tuple((EA[i][s], EB[i][s], T[i][s]) for s in later), cells[i], played, place)
                for i in n
            ]
            for i, j in combinations_with_replacement(n, 2):
                if now[i] == now[j] and not vary[i][h] or (reads[i], reads[j]) in answered:
                    continue
                answered.add((reads[i], reads[j]))
                for x in (i, j):
                    if reads[x] not in made:
                        found = side(facts, x, k, p, h, uA, o, a)
                        made[reads[x]] = name((found.frozen(), place[0])), found
                (left, star), (right, here) = made[reads[i]], made[reads[j]]
                if (left, right) not in posed:  # nor the other way round: the ratio is symmetric
                    posed |= {(left, right), (right, left)}
                    yield from asked(facts, (i, j, k, p, h, uA, o, a), star, None if left == right else here)


def depth(facts: Facts, h: int) -> Any:
    """What the windows' lengths at a step depend on."""
    windows = facts.game.adversary_window, facts.game.learner_window
    return h if facts.space.history else tuple(min(h, (w or 1) - 1) for w in windows)


def asked(facts: Facts, context: Context, star: Side, here: Side | None) -> Iterator[Problem]:
    """A problem in its charts; ``here`` is None where both models are points of one cell."""
    literal, other = facts.options["weak_revealing"]["form"] == "literal", here or star
    if literal and not all(any(Z for Z, _, _ in each.columns) for each in (star, other)):
        return
    still = [x for x in (*star.region.box, *other.region.box) if x.startswith("Phi.")]
    states = pure_states(facts.space, context[4])
    for chart in charts(star.region, here and here.region, still):
        columns, unit, mass = quotients(chart, star, other), facts.scaled.EA, unit_of_mass(facts)
        if any(dW for *_, dW in columns):
            if not facts.game.finite:
                columns, unit, mass = whole(columns)
            signs = {**star.region.signs, **moved_signs(chart, other.region)}
            yield Problem(place_of(facts, context, chart), context, chart, signs, states, columns, unit, mass)


def whole(columns: list[Column]) -> tuple[list[Column], int, int]:
    """The columns in integers: Z and dZ over one unit, the others over another one; and both units."""

    def unit_of(parts: Iterable[Any]) -> int:
        return lcm(*((primitive(x)[0] if isinstance(x, Polynomial) else Fraction(x)).denominator for x in parts))

    def times(x: Any, unit: int) -> Any:
        if not isinstance(x, Polynomial):
            return int(x * unit)
        scale, integral = primitive(x)
        return integral * int(scale * unit)

    chances = unit_of(x for Z, dZ, *_ in columns for x in (Z, dZ))
    masses = unit_of(x for column in columns for part in column[2:] for x in part.values())
    scaled = [
        (
            times(Z, chances),
            times(dZ, chances),
            *({key: times(x, masses) for key, x in part.items()} for part in tables),
        )
        for Z, dZ, *tables in columns
    ]
    return scaled, chances, masses


def quotients(chart: Chart, star: Side, here: Side) -> list[Column]:
    """The columns of two sides with the quotients of their differences."""
    known: dict[Any, Any] = {}

    def quotient(x: Any, y: Any) -> Any:
        if not isinstance(x, Polynomial) and not isinstance(y, Polynomial):
            return y - x
        if (x, y) not in known:
            known[x, y] = chart.quotient(polynomial(x), polynomial(y))
        return known[x, y]

    out = []
    for (Z, M, D), (Z_, M_, D_) in zip(star.columns, here.columns, strict=True):
        laws = {w: M.get(w, 0) for w in [*M, *(w for w in M_ if w not in M)]}
        dM = {w: quotient(x, M_.get(w, 0)) for w, x in laws.items()}
        dW = {v: x for v in {**D, **D_} if (x := quotient(D.get(v, 0), D_.get(v, 0)))}
        out.append((Z, quotient(Z, Z_), laws, dM, dW))
    return out


def moved_signs(chart: Chart, here: Region) -> dict[Inverse, int]:
    """The signs of the second model's divisors, in the coordinates of the chart: the second model lies in the region of
    ``here``, on the whole of which they have these signs."""
    out = {}
    for symbol, sign in here.signs.items():
        for mine in divisors([inverse(substituted(symbol.divisor, chart.shift))]):
            out[mine] = sign
            out.update(dict.fromkeys(divisors([inverse(written_out(mine.divisor, chart))]), sign))
    return out


def place_of(facts: Facts, context: Context, chart: Chart) -> dict[str, Any]:
    """A context in labels, and the axis of the chart."""
    (i, j, k, p, h, uA, o, a), game = context, facts.game
    if game.finite:
        points = game.thetas[i], game.thetas[j], game.phis[k]  # type: ignore[index]  # a finite class has points
    else:
        points = facts.continuum.thetas[i].fixed, facts.continuum.thetas[j].fixed, facts.continuum.phis[k].fixed

    def point(values: Point) -> dict[str, str]:
        return {name: str(x) for name, x in values.items()}

    pair = (game.OA, game.A) if facts.space.history else (game.OA, game.OA)
    return {
        "theta": point(points[0]),
        "theta_prime": point(points[1]),
        "Phi": point(points[2]),
        "pi": game.policy_names[p],
        "h": h + 1,
        "learner_part": [pair[n % 2][x] for n, x in enumerate(uA)],
        "o": game.OA[o],
        "a": game.A[a],
        "chart": chart.step[1] if chart.step else None,
    }


# --------------------------------------------------------------------------------------------- the proof


def check(case: Case, evidence: Mapping[str, Any]) -> None:
    """By test functions on the simplex; at the states that the class reaches everything was recomputed."""
    facts = case.facts
    if facts.options["weak_revealing"]["scope"] == "simplex":
        by_tests(case, evidence)
    elif facts.game.finite:
        take(evidence, f"{case.id}.evidence", ("rule", "attained"))
    else:
        raise case.reject("scope", "the scope reachable", "the scope simplex on interval axes")
    place = evidence["attained"]
    check_attained(case if facts.game.finite else at_points(case, place), place)


def by_tests(case: Case, evidence: Mapping[str, Any]) -> None:
    """ratio >= alpha_lower by a tree for every problem, found by the problem's place."""
    take(evidence, f"{case.id}.evidence", ("rule", "tests", "factors", "trees", "attained"))
    alpha, _ = bracket(case, "alpha")
    rules, trees = Rules.read(case, alpha, evidence), dict[str, tuple[str, Any]]()
    for number, entry in enumerate(sequence(evidence["trees"], f"{case.id}.trees")):
        where = f"{case.id}.trees[{number}]"
        place = dict(take(entry, where, (*PLACE, "tree")))
        case.step(place["h"], case.facts.game.H)  # the one number, and not a large one
        tree = place.pop("tree")
        if (key := spelled(place)) in trees:
            raise Malformed(where, f"a second tree for {key}", "one tree a problem")
        trees[key] = where, tree
    for problem in problems(case.facts):
        if problem.key not in trees:
            raise case.reject("tests", f"no tree for {problem.key}", "one for every problem")
        where, tree = trees.pop(problem.key)
        try:
            Proof(rules, problem, where).check(tree)
        except TooLarge:
            raise case.reject("tests", f"a polynomial of too high degree at {problem.key}", "a simpler tree") from None
    if trees:
        raise case.reject("tests", f"a tree for {next(iter(trees))}", "problems of the class alone")


class Rules(NamedTuple):
    """What all trees share: the claim, alpha, and the test functions and factors, integers over a unit each."""

    case: Case
    alpha: Fraction
    tests: list[tuple[tuple[int, ...], int]]
    factors: list[tuple[tuple[tuple[int, ...], ...], int]]

    @classmethod
    def read(cls, case: Case, alpha: Fraction, evidence: Mapping[str, Any]) -> Rules:
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
    """The tree of one problem; raises ``Rejected`` where it does not show ratio >= alpha."""

    def __init__(self, rules: Rules, problem: Problem, where: str = "tree") -> None:
        self.rules, self.problem, self.where = rules, problem, where
        self.joint = rules.case.facts.options["weak_revealing"]["form"] == "joint"
        self.size, self.chart = len(rules.case.facts.game.OA), problem.chart
        self.constraints = [problem.placed(c) for c in problem.chart.constraints]
        self.step: Any = 1

    def check(self, tree: Any) -> None:
        """The whole box and the whole simplex."""
        vertices, below = self.opened(tree)
        self.show(below, self.chart.box, vertices)

    def opened(self, tree: Any) -> tuple[list[Column], Any]:
        """The columns over the factor that ``["over", terms, tree]`` names, and the tree below it.

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

    def show(self, tree: Any, box: Any, vertices: list[Column], depth: int = 0) -> None:
        """ratio >= alpha at every pair of the class in the box and every mixture of the vertices.

        ``["split", axis, "t", below, above]``: the box is cut at axis = t.  ``["cut", i, j, "t", left, right]``: the edge
        (v_i, v_j) is cut at (1-t) v_i + t v_j, which takes the place of v_j in ``left`` and of v_i in ``right``.
        ``["test", k]``, ``["factor", k]``: by test function or factor k.  A box that holds no pair of the class needs
        nothing.
        """
        node = sequence(tree, self.where)
        spend(len(vertices) * (5 + 2 * len(self.windows) + len(self.channel)), "leaves of weak revealing")
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
        if isinstance(index, bool) or not 0 <= index < len(pool):
            raise Malformed(self.where, repr(index), f"an index below {len(pool)}")
        return pool[index]

    def refuse(self, found: str, box: Any) -> Rejected:
        there = "".join(f", {name} in [{low}, {high}]" for name, (low, high) in box.items())
        return self.rules.case.reject("tests", f"{found} at {self.problem.key}{there}", f"ratio >= {self.rules.alpha}")

    def outside(self, box: Any) -> bool:
        """Whether some constraint is negative on the whole box."""
        return any(self.holds(-c, box, True) for c in self.constraints)

    def holds(self, p: Any, box: Any, strict: bool = False) -> bool:
        """Whether p >= 0 (p > 0) is shown at every pair of the class in the box: a number by itself, a polynomial cleared
        of its divisors by the Bernstein coefficients."""
        if not isinstance(p, Polynomial):
            return bool(p > 0 or p == 0 and not strict)
        return right_sign(cleared(p, self.problem.signs), box, strict)

    def magnitude(self, p: Any, box: Any) -> Any:
        """A bound of |p| at every pair of the class in the box: |p| itself where one sign is shown, that at the middle of
        the box being tried, else a number times the divisors' powers."""
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

    def tested(self, y: tuple[tuple[int, ...], int], box: Any, vertices: list[Column]) -> bool:
        """With u = y M, du = y dM and c = sum |dW| at the vertices: all Bernstein coefficients on their hull of
        Z du - dZ u >= alpha Z Z' c (of du >= alpha Z c where dZ = 0, of du >= alpha c in the joint form) hold."""
        (values, unit), n = y, range(len(vertices))
        alpha = self.rules.alpha if self.joint else self.rules.alpha / self.problem.unit
        weigh, most = alpha.denominator, alpha.numerator * unit

        def mean(law: Mapping[Memory, Any]) -> Any:
            return weigh * sum(x * y for w, x in law.items() if (y := values[self.index(w)]))

        du = [mean(column[3]) for column in vertices]
        c = [most * sum(self.magnitude(x, box) for x in column[4].values()) for column in vertices]
        Z = [column[0] for column in vertices]
        counting = [i for i in n if du[i] or c[i] or Z[i]] if self.joint or self.shared else n
        spend(len(counting) ** (1 if self.joint else 2 if self.shared else 3), "inequalities of leaves")
        if self.joint:
            return all(self.holds(du[i] - c[i], box) for i in counting)
        if self.shared:  # between i and a vertex where all three are zero, du_i >= 0 is asked: that of i and i shows it
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
        number = 0
        for o in window:
            number = number * self.size + o
        return number

    def factored(self, factor: tuple[Any, int], box: Any, vertices: list[Column]) -> None:
        """dW = P dM identically, so that ||dW q||_1 <= N ||dM q||_1 with N the largest column sum of |P|, and
        alpha N Z <= 1; in the literal form only where dZ = 0."""
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


def mixed(left: Column, right: Column, t: Fraction) -> Column:
    """(1-t) left + t right."""

    def combined(x: Any, y: Any) -> Any:
        if isinstance(x, dict) and not isinstance(x, Polynomial):
            return {key: combined(x.get(key, 0), y.get(key, 0)) for key in {**x, **y}}
        return x * (1 - t) + y * t

    a, b, c, d, e = (combined(x, y) for x, y in zip(left, right, strict=True))
    return a, b, c, d, e


# ----------------------------------------------------------------------------------- ratios at given states


def reachable_alpha(facts: Facts) -> Outcome:
    """The exact minimum of ratio(q) over the predictive states the class reaches (scope reachable)."""
    pairs = [
        pair
        for problem in problems(facts)
        for q in facts.once(reached).get((problem.context[4], problem.context[5]), ())
        if (pair := ratio(facts, problem, dict(q))) and pair[1]
    ]
    if not pairs:
        return Outcome("vacuous", {})
    least: Fraction = min(signal / difference for signal, difference in pairs)
    if not least:
        return Outcome("refuted", {})
    return Outcome("proved", {"alpha_lower": str(least), "alpha_upper": str(least)})


def reached(facts: Facts) -> dict[tuple[int, Memory], set[Any]]:
    """(h, uA) -> the predictive states q^xi_{h-1} of the class there, normalised (scope reachable)."""
    found: dict[tuple[int, Memory], set[Any]] = {}
    nodes = ((h, node) for play in facts.plays for h, level in enumerate(play.levels) for node in level)
    for h, node in nodes:
        for vector in filter(None, node.states):
            state = tuple(sorted((key, Fraction(m, total(vector))) for key, m in vector.items()))
            found.setdefault((h, node.uA), set()).add(state)
    return found


def sides(facts: Facts, problem: Problem, q: Mapping[State, Fraction]) -> tuple[Any, Any] | None:
    """(M q/Z - M'q/Z', (W'-W)q) of two worlds in one unit, sparse; no Z in the joint form; ``None`` where a Z is zero."""
    Z: Any = 0
    dZ: Any = 0
    M, dM, dW = dict[Any, Any](), dict[Any, Any](), dict[Any, Any]()
    for state, column in zip(problem.states, problem.columns, strict=True):
        if weight := q.get(state, 0):
            Z, dZ = Z + weight * column[0], dZ + weight * column[1]
            for into, part in ((M, column[2]), (dM, column[3]), (dW, column[4])):
                for key, x in part.items():
                    into[key] = into.get(key, 0) + weight * x
    Z_ = Z + dZ
    if facts.options["weak_revealing"]["form"] == "joint":
        Z = Z_ = problem.unit
    if not Z or not Z_:
        return None
    unit = Fraction(problem.unit)
    return {w: x * unit / Z - (x + dM[w]) * unit / Z_ for w, x in M.items()}, dW


def ratio(facts: Facts, problem: Problem, q: Mapping[State, Fraction]) -> tuple[Fraction, Fraction] | None:
    """(signal, difference) in one unit: numerator and denominator of ratio(q); ``None`` where a Z is zero."""
    gap = sides(facts, problem, q)
    return gap and (norm(gap[0]), norm(gap[1]))


def read_problem(case: Case, place: Any, extra: tuple[str, ...]) -> Problem:
    """The problem of two worlds that a place (theta, theta', Phi, pi, h, learner part, o, a) is about."""
    facts, game = case.facts, case.facts.game
    take(place, f"{case.id}.place", (*PLACE[:-1], *extra))
    h = case.step(place["h"], game.H - facts.options["kappa"])
    i, j, k = case.world(place["theta"]), case.world(place["theta_prime"]), case.answer(place["Phi"])
    p, uA = case.policy(place["pi"]), read_memory(case, place["learner_part"], True, h)
    o, a = case.label(game.OA, place["o"], "o"), case.label(game.A, place["a"], "a")
    star, here = (side(facts, x, k, p, h, uA, o, a) for x in (i, j))
    (chart,) = charts(star.region, here.region)
    context, states = (i, j, k, p, h, uA, o, a), pure_states(facts.space, h)
    columns = quotients(chart, star, here)
    return Problem(place, context, chart, {}, states, columns, facts.scaled.EA, unit_of_mass(facts))


def read_state(case: Case, problem: Problem, entries: Any) -> tuple[Any, Any]:
    """(signal vector, difference vector) as probabilities, at an explicit normalised predictive state."""
    facts, where = case.facts, f"{case.id}.q"
    q: dict[tuple[int, Memory], Fraction] = {}
    for entry in sequence(entries, where):
        state, part, mass = sequence(entry, where, 3)
        q[case.label(facts.game.S, state, "q"), read_memory(case, part, False, problem.context[4])] = rational(
            mass, where
        )
    if any(m <= 0 for m in q.values()) or sum(q.values()) != 1 or len(q) != len(entries):
        raise case.reject("eval", "a q that is not normalised", "positive masses of sum 1")
    if facts.options["weak_revealing"]["scope"] == "reachable":
        if tuple(sorted(q.items())) not in facts.once(reached).get(problem.context[4:6], ()):
            raise case.reject("eval", "a q that no model reaches", "a predictive state of the class")
    gap = sides(facts, problem, q)
    if gap is None or not norm(gap[1]):
        raise case.reject("eval", "a q where ratio(q) is undefined", "Z, Z' and the difference positive")
    unit = Fraction(1, problem.mass)
    signal, difference = ({key: value * unit for key, value in vector.items()} for vector in gap)
    return signal, difference


def revealing_witness(case: Case, place: Any) -> None:
    """A q of zero signal; or, where only two windows are possible, two q between which the signal changes sign while
    one coordinate of (W-W')q does not: by continuity some q between has signal zero and difference positive."""
    if not isinstance(place, dict) or "q_other" not in place:
        problem = read_problem(case, place, ("q", "signal", "difference"))
        signal, difference = map(norm, read_state(case, problem, place["q"]))
        if signal or [place["signal"], place["difference"]] != [str(signal), str(difference)]:
            raise case.reject("witness", f"signal {signal}, difference {difference}", "signal 0 as shown")
        return
    problem = read_problem(case, place, ("q", "q_other", "signal", "signal_other"))
    windows = sorted({w for column in problem.columns for w in column[2]})
    reveal = case.facts.options["weak_revealing"]
    (signal, D), (signal_, D_) = (read_state(case, problem, place[key]) for key in ("q", "q_other"))
    shown = [str(vector.get(windows[0], 0)) for vector in (signal, signal_)]
    if [place["signal"], place["signal_other"]] != shown or len(windows) != 2:
        raise case.reject("witness", f"signals {shown}, {len(windows)} windows", "two windows, signals as shown")
    crossing = signal[windows[0]] * signal_[windows[0]] < 0 and any(D.get(v, 0) * D_.get(v, 0) > 0 for v in D)
    if not crossing or reveal["form"] != "literal" or reveal["scope"] != "simplex":
        raise case.reject("witness", "no change of sign", "signals of opposite sign and a coordinate of one sign")


def read_memory(case: Case, value: Any, learner: bool, h: int) -> Memory:
    """A memory written in labels, of the right length for the step."""
    space, game = case.facts.space, case.facts.game
    if space.history:
        memory = case.history(value, learner, "memory")
    else:
        names = game.OA if learner else game.OB
        memory = tuple(case.label(names, x, "memory") for x in sequence(value, f"{case.id}.memory"))
    if memory not in space.memories(h, learner):
        raise Malformed(f"{case.id}.memory", str(value), "a memory of that step")
    return memory


def check_attained(case: Case, place: Any) -> None:
    signal, difference = map(norm, read_state(case, read_problem(case, place, ("q",)), place["q"]))
    if signal / difference != case.number("alpha_upper"):
        raise case.reject("eval", f"the ratio {signal / difference} at q", "alpha_upper")


def compares_nothing(case: Case) -> bool:
    """Whether the operators W never differ."""
    return next(problems(case.facts), None) is None


def outcome(case: Case) -> Outcome | None:
    """On the simplex evidence decides, unless there is no problem."""
    if case.facts.options["weak_revealing"]["scope"] == "reachable":
        return reachable_alpha(case.facts)
    return Outcome("vacuous", {}) if compares_nothing(case) else None


def rule(facts: Facts) -> str:
    """The rule of a proof."""
    return "tests" if facts.options["weak_revealing"]["scope"] == "simplex" else "eval"


CLAIM = Claim(
    "weak-revealing",
    "Assumption 2.4",
    outcome,
    ("alpha_lower", "alpha_upper"),
    check,
    rule,
    revealing_witness,
    OnIntervals(("alpha_lower", "alpha_upper"), check, "tests", compares_nothing),
)
