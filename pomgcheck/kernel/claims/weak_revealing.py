"""Assumption 2.4: the laws of the next observations tell apart what the worlds do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from ..budget import spend
from ..case import Case, Claim, OnIntervals, Outcome, Rejected, at_points, bracket
from ..facts import Facts, norm
from ..game import Game, Malformed, rational, require, sequence, take
from ..operators import Memory, W, common_unit, multiples, pure_states, total, window_law

if TYPE_CHECKING:
    from .. import revealing
    from ..pairs import Leaf


class Problem(NamedTuple):
    """One weak-revealing problem: per pure state j of ``states``, Z_j, Z'_j, M_j, M'_j and the column (W-W')e_j.

    Z is an integer over ``unit``; M, M' and W-W' are integers over one other unit, which cancels in every ratio.
    """

    h: int
    uA: Memory
    states: list[tuple[int, Memory]]
    columns: list[tuple[Any, Any, dict[Any, Any], dict[Any, Any], dict[Any, Any]]]
    unit: int


def posed(facts: Facts, i: int, j: int, k: int, p: int, h: int, uA: Memory, o: int, a: int) -> Problem:
    """The data of ratio(q) for worlds i, j, response k, policy p at 0-based step h (checks.md section 3)."""
    scaled, kappa, states = facts.scaled, facts.options["kappa"], pure_states(facts.space, h)
    g, policy, pair = scaled.responses[k][p], scaled.policies[p], (scaled.worlds[i], scaled.worlds[j])
    finer = scaled.J**kappa * scaled.EA * scaled.pi ** (kappa - 1) // scaled.W  # units of M in one unit of W
    columns = []
    for state in states:
        pure = {state: 1}
        M, M_ = (window_law(facts.space, world, g, policy, h, kappa, uA, o, a, pure) for world in pair)
        left, right = (W(world, h, o, a, pure) for world in pair)
        gap = {v: d * finer for v in left.keys() | right.keys() if (d := left.get(v, 0) - right.get(v, 0))}
        columns.append((pair[0].EA[h][state[0]][o], pair[1].EA[h][state[0]][o], M, M_, gap))
    return Problem(h, uA, states, columns, scaled.EA)


def contexts(facts: Facts) -> Iterator[tuple[int, int, int, int, int, Memory, int, int]]:
    """(i, j, k, p, h, uA, o, a), equal answers to a policy once."""
    game = facts.game
    steps, first = range(game.H - facts.options["kappa"]), dict[Any, tuple[int, int]]()
    for k, p in product(range(len(game.responses)), range(len(game.policies))):
        first.setdefault((facts.scaled.responses[k][p], facts.scaled.policies[p]), (k, p))
    pairs = comb(len(game.worlds), 2) * len(first) * len(game.OA) * len(game.A)
    places = sum(facts.space.count(h, True) for h in steps)
    spend(4 * pairs * places, f"{pairs * places} contexts of weak revealing")
    for i, j in combinations(range(len(game.worlds)), 2):
        for (k, p), h in product(first.values(), steps):
            for uA in facts.space.memories(h, True):
                for o, a in product(range(len(game.OA)), range(len(game.A))):
                    yield i, j, k, p, h, uA, o, a


def problems(facts: Facts) -> Iterator[Problem]:
    """Distinct problems in order of first appearance (certificates/FORMAT.md, "problems").

    Two contexts are one problem when every table they read is the same.  Left out: those where W = W', and,
    in the literal form, those whose observation is impossible in one of the two worlds.
    """
    game, kappa, ids = facts.scaled, facts.options["kappa"], dict[Any, int]()
    O, A = range(len(facts.game.OA)), range(len(facts.game.A))

    def name(table: Any) -> int:
        return ids.setdefault(table, len(ids))

    columns = [[[name(tuple(row[o] for row in t)) for o in O] for t in w.EA] for w in game.worlds]
    slices = [[[name(tuple(rows[a] for rows in t)) for a in A] for t in w.T] for w in game.worlds]
    EA, EB, T = ([[name(t) for t in w[part]] for w in game.worlds] for part in range(3))
    g = [[[name(t) for t in table] for table in response] for response in game.responses]
    play = [[name(t) for t in policy] for policy in game.policies]
    literal = facts.options["weak_revealing"]["form"] == "literal"
    seen: set[Any] = set()
    for i, j, k, p, h, uA, o, a in contexts(facts):
        now = [(columns[x][h][o], EB[x][h], slices[x][h][a]) for x in (i, j)]
        later = range(h + 1, h + kappa)
        worlds = tuple((EA[x][h + kappa], *((EA[x][s], EB[x][s], T[x][s]) for s in later)) for x in (i, j))
        played = (g[k][p][h], *((g[k][p][s], play[p][s]) for s in later))
        place = (h, uA) if facts.options["weak_revealing"]["scope"] == "reachable" else _depth(facts, h)
        key = *now, worlds, played, place, facts.space.next(uA, o, a, True) if kappa > 1 else ()
        if now[0] == now[1] or key in seen:
            continue
        seen.add(key)
        problem = posed(facts, i, j, k, p, h, uA, o, a)
        possible = all(any(column[x] for column in problem.columns) for x in (0, 1))
        if any(column[4] for column in problem.columns) and (possible or not literal):
            yield problem


def _depth(facts: Facts, h: int) -> Any:
    """What the windows' lengths at a step depend on."""
    windows = facts.game.adversary_window, facts.game.learner_window
    return h if facts.space.history else tuple(min(h, (w or 1) - 1) for w in windows)


def reachable_alpha(facts: Facts) -> Outcome:
    """The exact minimum of ratio(q) over the predictive states the class reaches (scope reachable)."""
    pairs = [
        pair
        for problem in problems(facts)
        for q in facts.once(reached).get((problem.h, problem.uA), ())
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
    for h, uA, q in (state for play in facts.plays for state in play.states):
        for vector in filter(None, q.values()):
            state = tuple(sorted((key, Fraction(m, total(vector))) for key, m in vector.items()))
            found.setdefault((h, uA), set()).add(state)
    return found


def sides(facts: Facts, problem: Problem, q: Mapping[tuple[int, Memory], Fraction]) -> tuple[Any, Any] | None:
    """(M q/Z - M'q/Z', (W-W')q) in one unit, sparse; no Z in the joint form; ``None`` where a Z is zero."""
    Z, Z_, M, M_, D = mix(problem.columns, [q.get(state, 0) for state in problem.states])
    if facts.options["weak_revealing"]["form"] == "joint":
        Z = Z_ = problem.unit
    if not Z or not Z_:
        return None
    unit = Fraction(problem.unit)
    return {w: M.get(w, 0) * unit / Z - M_.get(w, 0) * unit / Z_ for w in M.keys() | M_.keys()}, D


def ratio(facts: Facts, problem: Problem, q: Mapping[tuple[int, Memory], Fraction]) -> tuple[Fraction, Fraction] | None:
    """(signal, difference) in one unit: numerator and denominator of ratio(q); ``None`` where a Z is zero."""
    gap = sides(facts, problem, q)
    return gap and (norm(gap[0]), norm(gap[1]))


def mix(columns: list[Any], weights: list[Any]) -> tuple[Any, Any, Any, Any, Any]:
    """The same combination of every part of some columns."""
    out: list[Any] = [0, 0, {}, {}, {}]
    for column, weight in zip(columns, weights, strict=True):
        if weight:
            for part in (0, 1):
                out[part] += weight * column[part]
            for part in (2, 3, 4):
                for key, value in column[part].items():
                    out[part][key] = out[part].get(key, 0) + weight * value
    return out[0], out[1], out[2], out[3], out[4]


def by_tests(case: Case, evidence: Mapping[str, Any]) -> None:
    """alpha_lower by test functions, factors and splits, one tree a problem (checks.md section 3)."""
    where = f"{case.id}.evidence"
    take(evidence, where, ("rule", "tests", "factors", "trees", "attained"))
    alpha = case.number("alpha_lower")
    if alpha <= 0:
        raise case.reject("lin", f"alpha_lower = {alpha}", "a positive constant")
    tests = []
    for texts in sequence(evidence["tests"], where):
        y = tuple(rational(t, where) for t in sequence(texts, where))
        if any(abs(x) > 1 for x in y):
            raise case.reject("lin", "a test function that leaves [-1,1]", "values in [-1,1]")
        tests.append((multiples(y, common_unit(y)), common_unit(y)))
    factors = []
    for rows in sequence(evidence["factors"], where):
        P = tuple(tuple(rational(t, where) for t in sequence(row, where)) for row in sequence(rows, where))
        factors.append((multiples(P, common_unit(P)), common_unit(P)))
    trees = sequence(evidence["trees"], where)
    every = list(problems(case.facts))
    if len(every) != len(trees):
        raise case.reject("lin", f"{len(trees)} trees", f"one for each of the {len(every)} distinct problems")
    for number, (problem, tree) in enumerate(zip(every, trees, strict=True)):
        Leaves(case, alpha, tests, factors, problem, number).check(tree, problem.columns)
    check_attained(case, evidence["attained"])


class Leaves:
    """The leaf inequalities of one problem; ``vertices`` are columns (Z, Z', M, M', D) of points of the simplex."""

    def __init__(
        self, case: Case, alpha: Fraction, tests: list[Any], factors: list[Any], problem: Problem, number: int
    ) -> None:
        self.case, self.alpha, self.tests, self.factors, self.number = case, alpha, tests, factors, number
        self.joint = case.facts.options["weak_revealing"]["form"] == "joint"
        self.unit, self.kappa, self.size = problem.unit, case.facts.options["kappa"], len(case.facts.game.OA)
        self.windows = sorted({w for c in problem.columns for part in (2, 3) for w in c[part]})
        self.channel = sorted({v for c in problem.columns for v in c[4]})

    def check(self, tree: Any, vertices: list[Any], depth: int = 0) -> None:
        node = sequence(tree, f"{self.case.id}.trees[{self.number}]")
        kind = node[0] if node else None
        spend(len(vertices) * (5 + 2 * len(self.windows) + len(self.channel)), "leaves of weak revealing")
        if kind == "split" and len(node) == 6 and depth < 400:
            self.split(node, vertices, depth)
        elif kind == "test" and len(node) == 2:
            self.test(self.pick(self.tests, node[1]), vertices)
        elif kind == "factor" and len(node) == 2:
            self.factor(self.pick(self.factors, node[1]), vertices)
        else:
            raise Malformed(f"{self.case.id}.trees[{self.number}]", str(node)[:60], '"test", "factor" or "split"')

    def pick(self, pool: list[Any], index: Any) -> Any:
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(pool):
            raise Malformed(f"{self.case.id}.trees[{self.number}]", repr(index), f"an index below {len(pool)}")
        return pool[index]

    def refuse(self, rule: str, found: object, required: object) -> Rejected:
        return self.case.reject(rule, f"{found} in problem {self.number}", required)

    def split(self, node: list[Any], vertices: list[Any], depth: int) -> None:
        """Cut the edge (v_i, v_j) at (1-t) v_i + t v_j; the two halves cover the simplex."""
        i, j = (self.pick(list(range(len(vertices))), x) for x in node[1:3])
        t = rational(node[3], f"{self.case.id}.trees[{self.number}]")
        if i == j or not 0 < t < 1:
            raise self.refuse("split", f"edge ({i}, {j}) at {t}", "two vertices and 0 < t < 1")
        point = mix([vertices[i], vertices[j]], [1 - t, t])
        self.check(node[4], [point if n == j else v for n, v in enumerate(vertices)], depth + 1)
        self.check(node[5], [point if n == i else v for n, v in enumerate(vertices)], depth + 1)

    def test(self, y: tuple[tuple[int, ...], int], vertices: list[Any]) -> None:
        """ratio >= alpha on the hull of the vertices, by one bounded statistic y of the window."""
        values, unit = y
        if len(values) != self.size**self.kappa:
            raise self.refuse("lin", f"a test function of {len(values)} values", self.size**self.kappa)
        u, u_ = ([sum(x * values[self.index(w)] for w, x in v[part].items()) for v in vertices] for part in (2, 3))
        Z, Z_ = ([v[part] for v in vertices] for part in (0, 1))
        c = [norm(v[4]) * unit for v in vertices]
        scale = 1 if self.joint else self.unit
        for places, left, right in self.coefficients(Z, Z_, u, u_, c):
            if left * scale * self.alpha.denominator < self.alpha.numerator * right:
                raise self.refuse("lin", f"vertices {places} below alpha_lower", "the leaf inequality at all vertices")

    def coefficients(self, Z: list[Any], Z_: list[Any], u: list[Any], u_: list[Any], c: list[Any]) -> Iterator[Any]:
        """Bernstein coefficients of both sides of Z'u - Z u' >= alpha Z Z' c on the hull (of u - u' >= alpha Z c where
        Z = Z', of u - u' >= alpha c in the joint form)."""
        n = range(len(Z))
        spend(len(n) * (1 if self.joint else len(n) if Z == Z_ else len(n) ** 2), "inequalities of leaves")
        if self.joint:
            yield from ((i, u[i] - u_[i], c[i]) for i in n)
        elif Z == Z_:
            for i, j in combinations_with_replacement(n, 2):
                yield (i, j), u[i] - u_[i] + u[j] - u_[j], Z[i] * c[j] + Z[j] * c[i]
        else:
            for places in combinations_with_replacement(n, 3):
                left = sum(Z_[i] * u[j] - Z[i] * u_[j] for i, j in permutations(places, 2))
                yield places, left, sum(Z[i] * Z_[j] * c[k] for i, j, k in permutations(places))

    def index(self, window: Memory) -> int:
        number = 0
        for o in window:
            number = number * self.size + o
        return number

    def factor(self, factor: tuple[Any, int], vertices: list[Any]) -> None:
        """W - W' = P (M - M') on the hull, so ||(W-W')q|| <= N ||(M-M')q|| with N the largest column sum of |P|."""
        P, unit = factor
        if len(P) != len(self.channel) or any(len(row) != len(self.windows) for row in P):
            raise self.refuse("factor", "a matrix of another shape", f"{len(self.channel)} x {len(self.windows)}")
        if not (self.joint or all(v[0] == v[1] for v in vertices)):
            raise self.refuse("factor", "different current emissions", "the joint form, or one emission")
        spend(len(vertices) * len(self.channel) * len(self.windows), "products of a factor")
        for v in vertices:
            signal = [v[2].get(w, 0) - v[3].get(w, 0) for w in self.windows]
            for key, row in zip(self.channel, P, strict=True):
                if sum(x * s for x, s in zip(row, signal, strict=True) if x) != v[4].get(key, 0) * unit:
                    raise self.refuse("factor", "a product unlike W - W'", "P (M - M') = W - W'")
        N = Fraction(max(sum(abs(row[w]) for row in P) for w in range(len(self.windows))), unit)
        largest = 1 if self.joint else max(v[0] for v in vertices) / Fraction(self.unit)
        if self.alpha * N * largest > 1:
            raise self.refuse("factor", f"column sums up to {N}", "alpha_lower * N * max Z <= 1")


def read_problem(case: Case, place: Any, extra: tuple[str, ...]) -> Problem:
    """The problem a place (theta, theta', Phi, pi, h, learner part, o, a) of Assumption 2.4 is about."""
    facts, game = case.facts, case.facts.game
    keys = ("theta", "theta_prime", "Phi", "pi", "h", "learner_part", "o", "a")
    take(place, f"{case.id}.place", (*keys, *extra))
    h = case.step(place["h"], game.H - facts.options["kappa"])
    return posed(
        facts,
        case.world(place["theta"]),
        case.world(place["theta_prime"]),
        case.answer(place["Phi"]),
        case.policy(place["pi"]),
        h,
        read_memory(case, place["learner_part"], True, h),
        case.label(game.OA, place["o"], "o"),
        case.label(game.A, place["a"], "a"),
    )


def read_state(case: Case, problem: Problem, entries: Any) -> tuple[Any, Any]:
    """(signal vector, difference vector) as probabilities, at an explicit normalised predictive state."""
    facts, where = case.facts, f"{case.id}.q"
    q: dict[tuple[int, Memory], Fraction] = {}
    for entry in sequence(entries, where):
        state, part, mass = sequence(entry, where, 3)
        q[case.label(facts.game.S, state, "q"), read_memory(case, part, False, problem.h)] = rational(mass, where)
    if any(m <= 0 for m in q.values()) or sum(q.values()) != 1 or len(q) != len(entries):
        raise case.reject("eval", "a q that is not normalised", "positive masses of sum 1")
    if facts.options["weak_revealing"]["scope"] == "reachable":
        if tuple(sorted(q.items())) not in facts.once(reached).get((problem.h, problem.uA), ()):
            raise case.reject("eval", "a q that no model reaches", "a predictive state of the class")
    gap = sides(facts, problem, q)
    if gap is None or not norm(gap[1]):
        raise case.reject("eval", "a q where ratio(q) is undefined", "Z, Z' and the difference positive")
    scaled, kappa = facts.scaled, facts.options["kappa"]
    unit = Fraction(1, scaled.J**kappa * scaled.EA * scaled.pi ** (kappa - 1))
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
    windows = sorted({w for c in problem.columns for part in (2, 3) for w in c[part]})
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
    if case.number("alpha_lower") > case.number("alpha_upper"):
        raise case.reject("eval", "alpha_lower > alpha_upper", "a bracket")


def on_intervals(case: Case, evidence: Mapping[str, Any]) -> None:
    """Assumption 2.4: each leaf shows ratio >= alpha by test functions, on the pieces the simplex is cut into."""
    where, options = f"{case.id}.trees", case.facts.options
    take(evidence, f"{case.id}.evidence", ("rule", "tests", "factors", "trees", "attained"))
    if options["weak_revealing"]["scope"] != "simplex":
        raise case.reject("scope", "the scope reachable", "the scope simplex on interval axes")
    alpha, _ = bracket(case, "alpha")
    size, joint = len(case.facts.game.OA), options["weak_revealing"]["form"] == "joint"
    tests = [
        [rational(text, where) for text in sequence(texts, where, size ** options["kappa"])]
        for texts in sequence(evidence["tests"], where)
    ]
    bounded = all(abs(x) <= 1 for y in tests for x in y)
    require(bounded, f"{case.id}.tests", "a test function that leaves [-1,1]", "values in [-1,1]")
    factors = [
        [[rational(text, where) for text in sequence(row, where)] for row in sequence(P, where)]
        for P in sequence(evidence["factors"], where)
    ]
    from .. import revealing
    from ..pairs import cover, over

    asked = list(revealing.questions(case.facts.continuum, options["kappa"], not joint))
    for question, tree in zip(asked, sequence(evidence["trees"], where, len(asked)), strict=True):
        factor, below = over(question.chart, tree, where)
        question.entries.divide(factor, where)
        leaves = revealing.Leaves(question, tests, factors, alpha, joint, size, where)

        def at_leaf(leaf: Leaf, node: list[Any], leaves: revealing.Leaves = leaves) -> None:
            if not leaves.shown(leaf, node):
                raise case.reject("pairs", f"no proof of ratio >= {alpha} on {leaf}", "a leaf that shows it")

        cover(question.chart, below, where, at_leaf)
    check_attained(at_points(case, evidence["attained"]), evidence["attained"])


def compares_nothing(case: Case) -> bool:
    """Whether the operators W never differ on a class with interval axes."""
    from ..revealing import questions

    options = case.facts.options
    literal = options["weak_revealing"]["form"] == "literal"
    return next(questions(case.facts.continuum, options["kappa"], literal), None) is None


def outcome(case: Case) -> Outcome | None:
    """On the simplex evidence decides, unless there is no problem."""
    if case.facts.options["weak_revealing"]["scope"] == "reachable":
        return reachable_alpha(case.facts)
    return Outcome("vacuous", {}) if next(problems(case.facts), None) is None else None


def rule(facts: Facts) -> str:
    """The rule of a proof."""
    return "lin" if facts.options["weak_revealing"]["scope"] == "simplex" else "eval"


def check(case: Case, evidence: Mapping[str, Any]) -> None:
    """By test functions on the simplex; at the states that the class reaches everything was recomputed."""
    if rule(case.facts) == "lin":
        by_tests(case, evidence)
    else:
        take(evidence, f"{case.id}.evidence", ("rule", "attained"))
        check_attained(case, evidence["attained"])


def statement(game: Game, options: Mapping[str, Any]) -> str:
    kappa, reveal = options["kappa"], options["weak_revealing"]
    law = {"literal": "conditional laws of", "joint": "sub-probabilities of o^A and"}[reveal["form"]]
    states = {"simplex": "normalised predictive state q", "reachable": "predictive state q reached in the class"}
    window = "observation" if kappa == 1 else f"{kappa} observations"
    return (
        f"For every h <= {game.H - kappa}, theta != theta', Phi, pi, (o^A,a) and every "
        f"{states[reveal['scope']]}, the {law} the learner's next {window} differ in l1 between "
        "theta and theta' by at least alpha_lower times ||(W^theta - W^theta') q||_1."
    )


CLAIM = Claim(
    "weak-revealing",
    "Assumption 2.4",
    statement,
    outcome,
    ("alpha_lower", "alpha_upper"),
    check,
    rule,
    revealing_witness,
    OnIntervals(("alpha_lower", "alpha_upper"), on_intervals, "pairs", compares_nothing),
)
