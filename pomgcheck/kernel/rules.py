"""The proof rules, one function a rule: eval, lin (test, factor, split), log, sequence, bound, assume; witnesses.

Each raises :class:`Rejected` naming what was found and what was required, or returns silently.  No rule searches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any, NamedTuple

from .bound import C_0, LINES, C, Grid, Premises, first_below, sharp, theorem
from .claims import Facts, Problem, mix, name_point, norm
from .eluder import transition_rank
from .game import Malformed, one_line, rational, require, sequence, take
from .nested import Costly, Nested, Truth, shown, span
from .operators import Memory, common_unit, multiples
from .play import Play

MAX_BITS = 2048


class Rejected(Exception):
    """A claim whose evidence does not hold."""

    def __init__(self, claim: str, rule: str, found: object, required: object) -> None:
        self.claim, self.rule, self.found, self.required = map(one_line, (claim, rule, found, required))
        super().__init__(f"{self.claim} {self.rule}: found {self.found}, required {self.required}")


class Case(NamedTuple):
    """A claim under examination: the facts, its id and values, and the claims settled before it; ``goals`` collects
    what rule ``box`` is asked to show, for those who want to see it."""

    facts: Facts
    id: str
    values: Mapping[str, Any]
    settled: Mapping[str, Mapping[str, Any]] = {}
    goals: list[Any] | None = None

    def reject(self, rule: str, found: object, required: object) -> Rejected:
        return Rejected(self.id, rule, found, required)

    def number(self, name: str) -> Fraction:
        return rational(self.values[name], f"{self.id}.values.{name}")

    def settled_number(self, name: str) -> Fraction:
        """A value of a claim settled before."""
        return next(Fraction(entry["values"][name]) for entry in self.settled.values() if name in entry["values"])

    # -- reading places of the game written in its labels

    def label(self, labels: tuple[str, ...], value: Any, where: str) -> int:
        if not isinstance(value, str) or value not in labels:
            raise Malformed(f"{self.id}.{where}", repr(value), f"one of {list(labels)}")
        return labels.index(value)

    def history(self, value: Any, learner: bool, where: str) -> Memory:
        """Alternating observation and action labels."""
        g = self.facts.game
        pair = (g.OA, g.A) if learner else (g.OB, g.B)
        return tuple(self.label(pair[n % 2], x, where) for n, x in enumerate(sequence(value, where)))

    def policy(self, value: Any) -> int:
        return self.label(self.facts.game.policy_names, value, "pi")

    def step(self, value: Any, last: int) -> int:
        good = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= last
        if not good:
            raise Malformed(f"{self.id}.h", repr(value), f"a step from 1 to {last}")
        return int(value) - 1

    def world(self, value: Any) -> int:
        return name_point(self.facts.game.thetas, value, f"{self.id}.theta")

    def answer(self, value: Any) -> int:
        return name_point(self.facts.game.phis, value, f"{self.id}.Phi")

    def model(self, value: Any, where: str) -> tuple[int, int]:
        xi = take(value, f"{self.id}.{where}", ("theta", "Phi"))
        return self.world(xi["theta"]), self.answer(xi["Phi"])


# -------------------------------------------------------------------------------------------- eval


def eval_(case: Case, evidence: Mapping[str, Any]) -> None:
    """Everything was recomputed by :class:`Facts`; what is left is the place where a value is attained."""
    if case.id == "posterior-lipschitz" and case.values:
        take(evidence, f"{case.id}.evidence", ("rule", "attained"))
        L, found = case.number("L_upper"), Fraction(0)
        if evidence["attained"] is not None:
            gap, posterior = lipschitz_place(case, evidence["attained"], ())
            found = gap / posterior if posterior else Fraction(0)
        if found != L:
            raise case.reject("eval", f"the ratio {found} where L is said to be attained", f"{L}")
    elif case.id == "bounded-increments" and case.values:
        take(evidence, f"{case.id}.evidence", ("rule", "attained"))
        place = take(evidence["attained"], f"{case.id}.attained", ("xi", "xi_prime", "pi", "trajectory"))
        high, low = trajectory_pair(case, place)
        bound = case.values["B0_upper"]["log_of"]
        if not low or str(high / low) != bound:
            raise case.reject("eval", f"P = {high} and {low} where B_0 is said to be attained", f"the ratio {bound}")
    elif case.id == "weak-revealing" and case.values:
        take(evidence, f"{case.id}.evidence", ("rule", "attained"))
        check_attained(case, evidence["attained"])
    else:
        take(evidence, f"{case.id}.evidence", ("rule",))


def assume(case: Case, evidence: Mapping[str, Any]) -> None:
    """A declared claim: nothing is proved, and the summary says so."""
    take(evidence, f"{case.id}.evidence", ("rule",))


def lipschitz_place(case: Case, place: Any, extra: tuple[str, ...]) -> tuple[Fraction, Fraction]:
    """(response gap, posterior gap) at a place (theta, h, tau_B, pi, nu, Phi) of Assumption 2.3."""
    where = f"{case.id}.place"
    take(place, where, ("theta", "h", "tau_B", "pi", "nu", "Phi", *extra))
    facts = case.facts
    i, k, h = case.world(place["theta"]), case.answer(place["Phi"]), case.step(place["h"], facts.game.H)
    eta = case.history(place["tau_B"], False, "tau_B")
    if facts.game.block_rule == "table":
        pi, nu = (tuple(map(case.policy, sequence(place[x], where, facts.game.m))) for x in ("pi", "nu"))
    else:
        pi, nu = (case.policy(place["pi"]),), (case.policy(place["nu"]),)
    posterior = facts.posterior_gap(i, h, eta, pi, nu) if len(eta) == 2 * h + 1 else None
    if posterior is None:
        raise case.reject("eval", f"the adversary history {place['tau_B']}", "a history of step h possible under both")
    row = facts.whole.row(eta[:-1], eta[-1], False)
    if extra:  # a witness shows the rows themselves
        shown = [[str(x) for x in facts.game.blocks[k][block][h][row]] for block in (pi, nu)]
        posteriors = [[str(x) for x in facts.posteriors[i][block[0]][h][eta]] for block in (pi, nu)]
        if [place["responses"], place["posteriors"]] != [shown, posteriors]:
            raise case.reject("eval", "other rows", f"responses {shown}, posteriors {posteriors}")
    return facts.response_gap(h, row, k, pi, nu), posterior


def trajectory_pair(case: Case, place: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """P(o|a) of a whole trajectory under xi and xi' and a policy that can play it."""
    play = case.facts.plays[case.policy(place["pi"])]
    trajectory = case.history(place["trajectory"], True, "trajectory")
    if trajectory not in play.laws:
        raise case.reject("eval", f"the trajectory {place['trajectory']}", "a whole trajectory possible in the class")
    law = play.laws[trajectory][1]
    x, y = (play.alike[case.model(place[key], key)] for key in ("xi", "xi_prime"))
    return Fraction(law[x], play.unit), Fraction(law[y], play.unit)


# --------------------------------------------------------------------------------------------- lin


def lin(case: Case, evidence: Mapping[str, Any]) -> None:
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
    problems = list(case.facts.problems())
    if len(problems) != len(trees):
        raise case.reject("lin", f"{len(trees)} trees", f"one for each of the {len(problems)} distinct problems")
    for number, (problem, tree) in enumerate(zip(problems, trees, strict=True)):
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
    return facts.problem(
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
        if tuple(sorted(q.items())) not in facts.reached.get((problem.h, problem.uA), ()):
            raise case.reject("eval", "a q that no model reaches", "a predictive state of the class")
    gap = facts.gap(problem, q)
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


# --------------------------------------------------------------------------------------------- log


def log(case: Case, evidence: Mapping[str, Any]) -> None:
    """Assumption 3.1(e): KL >= c Delta everywhere, and KL <= c_upper Delta at the attaining models."""
    take(evidence, f"{case.id}.evidence", ("rule", "attained"))
    world = case.id == "kl-world"
    name = "c_KL_world" if world else "c_KL_joint"
    low, high = case.number(f"{name}_lower"), case.number(f"{name}_upper")
    if not 0 < low <= high:
        raise case.reject("log", f"the bracket [{low}, {high}]", "0 < lower <= upper")
    for play, x, y, delta, unit in case.facts.conversions(world):
        if not play.divergent(x, y) and not decide(play, x, y, low.numerator * delta, low.denominator * unit, True):
            found = f"KL < {name}_lower * Delta for models {x}, {y}, policy {play.p}"
            raise case.reject("log", found, f"{low} * {Fraction(delta, unit)}")
    conversion_attained(case, evidence["attained"], high)


def conversion_attained(case: Case, place: Any, high: Fraction) -> None:
    """KL <= high Delta at the attaining models."""
    take(place, f"{case.id}.attained", ("xi_star", "xi", "pi"))
    x, y = case.model(place["xi_star"], "xi_star"), case.model(place["xi"], "xi")
    play = case.facts.plays[case.policy(place["pi"])]
    most = high * play.error(x, y[0] if case.id == "kl-world" else y, 2)
    if not most or play.divergent(x, y) or not decide(play, x, y, most.numerator, most.denominator, False):
        raise case.reject("log", "KL > upper * Delta at the attaining models", f"KL <= {high} * Delta")


def decide(play: Play, x: Any, y: Any, n: int, d: int, above: bool) -> bool:
    """Whether an enclosure of KL(P_x || P_y) shows that it is at least n/d, or at most; at 64 bits and then at more."""
    bits = 64
    while bits <= MAX_BITS:
        lo, hi, unit = play.divergence(x, y, bits)
        if lo * d >= n * unit if above else hi * d <= n * unit:
            return True
        bits *= 2
    return False


# ---------------------------------------------------------------------------------------- sequence


def queries(case: Case, evidence: Mapping[str, Any]) -> None:
    """d_lower by a sequence, beside the upper bracket that was recomputed, and the coordinate structure of W."""
    world, facts = case.id == "eluder-world", case.facts
    structure = ("structure",) if world else ()
    take(evidence, f"{case.id}.evidence", ("rule", "xi_star", "scale_squared", "sequence", *structure))
    channel = facts.channels[case.id]
    independent(case, evidence, channel.function)
    if world:
        r = transition_rank(facts.game, facts.scaled)
        coordinate_structure(case, evidence["structure"], r, lambda: channel.affine(facts.game.thetas or ()))


def independent(case: Case, evidence: Mapping[str, Any], function: Callable[[Any, int, int], Fraction]) -> None:
    """A sequence of policies, each independent of those before it at one scale: a function of its own is above the
    scale there, and its squares before sum to no more than the scale's.  ``function``: (xi*, theta or Phi, pi) -> F."""
    where, world = f"{case.id}.evidence", case.id == "eluder-world"
    side = "theta" if world else "Phi"
    x, scale = case.model(evidence["xi_star"], "xi_star"), rational(evidence["scale_squared"], f"{where}.scale_squared")
    least = Fraction(1, 4 * case.facts.options["T"] ** 2)
    if scale < least:
        raise case.reject("sequence", f"the squared scale {scale}", f"at least {least}, from 1/(2T)")
    chosen: list[int] = []
    for number, entry in enumerate(sequence(evidence["sequence"], f"{where}.sequence"), 1):
        take(entry, f"{where}.sequence", ("pi", side, "before", "square"))
        p, n = case.policy(entry["pi"]), (case.world if world else case.answer)(entry[side])
        here = function(x, n, p) ** 2
        before = sum(function(x, n, z) ** 2 for z in chosen)
        if not before <= scale < here:
            raise case.reject(
                "sequence",
                f"query {number} with square {here} and {before} before it",
                f"more than {scale}, and no more before it",
            )
        if [entry["before"], entry["square"]] != [str(before), str(here)]:
            raise case.reject("sequence", f"other squares at query {number}", f"{before} before it and {here}")
        chosen.append(p)
    lower = case.number(f"d_{'W' if world else 'G'}_lower")
    if lower != len(chosen):
        raise case.reject("sequence", f"a sequence of {len(chosen)} queries", f"d_lower = {lower}")
    if lower > case.number(f"d_{'W' if world else 'G'}_upper"):
        raise case.reject("sequence", "d_lower > d_upper", "a bracket")


def coordinate_structure(case: Case, found: Any, r: int, is_affine: Callable[[], bool]) -> None:
    """The rank of the transitions, and whether every entry of W is affine in the world parameters: recomputed; or
    points and weights, of which 1 and the parameters have the weighted sum zero and one entry of W has not."""
    where = f"{case.id}.structure"
    affine = isinstance(found, dict) and found.get("affine") is True
    take(found, where, ("affine", "transition_rank", *(() if affine else ("entry", "weights"))))
    given = found["transition_rank"]
    require(isinstance(found["affine"], bool), where, f"affine {found['affine']!r}", "true or false")
    if type(given) is not int or given != r:
        raise case.reject("sequence", f"the transition rank {given}", r)
    if affine:
        if not is_affine():
            raise case.reject("sequence", "affine entries of W", "false, and an entry that is not")
        return
    game = case.facts.game
    entry = take(found["entry"], where, ("h", "o", "a", "s", "o_B", "b", "s_next"))
    h, spaces = case.step(entry["h"], game.H), (game.OA, game.A, game.S, game.OB, game.B, game.S)
    keys = ("o", "a", "s", "o_B", "b", "s_next")
    o, a, s, oB, b, t = (case.label(names, entry[key], key) for names, key in zip(spaces, keys, strict=True))
    pairs = [sequence(pair, where, 2) for pair in sequence(found["weights"], where)]
    weights = {case.world(point): rational(weight, where) for point, weight in pairs}
    points = [(game.thetas or ())[i] for i in weights]
    worlds = [game.worlds[i] for i in weights]
    values = [world.EA[h][s][o] * world.EB[h][s][oB] * world.T[h][s][a][b][t] for world in worlds]
    rows = [[1] * len(points), *zip(*(point.values() for point in points), strict=True), values]
    *zero, sum_ = (sum(x * y for x, y in zip(weights.values(), row, strict=True)) for row in rows)
    if any(zero) or not sum_:
        found_ = f"weighted sums {list(map(str, zero))} of 1 and the parameters, {sum_} of the entry"
        raise case.reject("sequence", found_, "zero, and not zero")


# ------------------------------------------------------------------------------------------- bound


def premises(case: Case, least: Fraction) -> Premises:
    """What the bound is made of, from the model, the least chance of an observation and the values of the claims
    settled before; with interval axes the grid of `covering`, and B_0 dominates the slope of log-likelihoods too."""
    game = case.facts.game
    known: dict[str, Any] = {}
    for entry in case.settled.values():
        known |= entry["values"]
    covering, increments = (int(known["log_covering_upper"]["log_of"]), Fraction(known["B0_upper"]["log_of"]))
    c_J, c_W = (Fraction(known.get(f"c_KL_{name}_lower", 1)) for name in ("joint", "world"))  # vacuous: any constant
    return Premises(
        game.H,
        len(game.B),
        len(game.policies),
        covering,
        increments,
        least,
        c_J,
        c_W,
        int(known["d_W_upper"]),
        int(known["d_G_upper"]),
        Fraction(case.facts.options["delta"]),
        game.m if game.gamma is None else None,
        game.gamma or Fraction(0),
        Fraction(known.get("L_g", 0)),
        None if game.finite else net(case),
        Fraction(known.get("log_likelihood_lipschitz_upper", 0)),
    )


def net(case: Case) -> Grid:
    """The grid of `covering`, settled before; an axis that it leaves out has one point."""
    continuum, grid = case.facts.continuum, case.settled["covering"]["evidence"]["grid"]
    axes = {name for xi in continuum.models for name in continuum.region(*xi).box}
    return Grid(len(continuum.models), tuple(grid.get(name, 1) for name in sorted(axes)), case.facts.options["T"])


def bound(case: Case, evidence: Mapping[str, Any]) -> None:
    """Theorem 3.3: every line is at least what follows from the claims settled before, and T_star is the first T."""
    take(evidence, f"{case.id}.evidence", ("rule",))
    follows(case, case.facts.least_observation())


def follows(case: Case, least: Fraction) -> None:
    """The lines of the bound, ``least`` being the chance that a possible observation has at least."""
    given, T = premises(case, least), case.facts.options["T"]
    ends = take(case.values["C_0"], f"{case.id}.values.C_0", ("lower", "upper"))
    if not rational(ends["lower"], "C_0") <= C_0.low <= C_0.high <= rational(ends["upper"], "C_0"):
        raise case.reject("bound", f"C_0 in {ends}", "6(e-2) between the two")
    for name, value in (("c", Fraction(C)), ("least_observation", given.least)):
        if case.number(name) != value:
            raise case.reject("bound", f"{name} = {case.number(name)}", value)
    lines = theorem(given, T) | sharp(given, T)
    for name in LINES:
        if case.number(f"{name}_upper") < lines[name].high:
            raise case.reject("bound", f"{name}_upper = {case.number(f'{name}_upper')}", f"at least {lines[name].high}")
    first = case.number("T_star")
    if first.denominator != 1 or first < 1 or not first_below(given, int(first)):
        raise case.reject("bound", f"T_star = {first}", "the first T at which the sharp bound is below H T")


# -------------------------------------------------------------------------------------------- list


def walked(case: Case, evidence: Mapping[str, Any]) -> None:
    """Theorem N: for every truth the policies that may cost, each with a c at most -log of every affinity."""
    where, ranked, game = f"{case.id}.evidence", case.facts.ranked, case.facts.game
    take(evidence, where, ("rule", "truths", "always_best", "attained"))
    truths = []
    for x, entry in zip(ranked.models, sequence(evidence["truths"], where, len(ranked.models)), strict=True):
        take(entry, where, ("xi", "runs", "harmful", "policies"))
        harmful = ranked.harmful(x)
        owed = [x, ranked.runs(x), sum(map(len, harmful.values())), sorted(harmful)]
        given = sequence(entry["policies"], where)
        found = [case.model(entry["xi"], "xi"), entry["runs"], entry["harmful"], [case.policy(e["pi"]) for e in given]]
        if found != owed or not type(entry["runs"]) is type(entry["harmful"]) is int:
            raise case.reject("list", f"model, runs, harmful models and their policies {found}", owed)
        costly = tuple(costs(case, x, p, harmful[p], each) for p, each in zip(sorted(harmful), given, strict=True))
        truths.append(Truth(entry["runs"], entry["harmful"], costly))
    always = [p for p in range(len(game.policies)) if not any(ranked.regret(p, x) for x in ranked.models)]
    if [case.policy(name) for name in sequence(evidence["always_best"], where)] != always:
        raise case.reject("list", f"always best {evidence['always_best']}", [game.policy_names[p] for p in always])
    memory = game.m if game.gamma is None else (game.gamma, game.H * case.settled_number("L_g"))
    delta = Fraction(case.facts.options["delta"])
    lost_by(case, Nested(len(truths), delta, span(game), memory or 1, tuple(truths)), evidence["attained"])


def costs(case: Case, x: Any, p: int, harmful: list[Any], entry: Any) -> Costly:
    """A policy that may cost under the truth x, and the model that tells it apart least."""
    ranked = case.facts.ranked
    take(entry, f"{case.id}.policies", ("pi", "regret", "xi", "c"))
    regret, most = ranked.regret(p, x), max(ranked.affinity(x, y) for y in harmful)
    nearest = case.model(entry["xi"], "xi")
    if nearest not in harmful or ranked.affinity(x, nearest) != most or entry["regret"] != str(regret):
        raise case.reject("list", f"regret {entry['regret']}, nearest {entry['xi']}", f"{regret}, the largest affinity")
    if entry["c"] is None and not most:
        return Costly(regret, None)
    c = rational(entry["c"], f"{case.id}.c")
    if c <= 0 or not shown(most, c):
        raise case.reject("list", f"c = {c} for models {x} and {nearest}", "at most -log of the affinity")
    return Costly(regret, c)


def lost_by(case: Case, nested: Nested, attained: Any) -> None:
    """The values are at least what follows, each attained where it is said to be, and worth_T is the first."""
    T, D, ranked = case.facts.options["T"], case.number("D"), case.facts.ranked
    place = take(attained, f"{case.id}.attained", ("D", "gap_upper", "nested_regret_upper"))
    take(place["D"], f"{case.id}.attained", ("xi", "pi"))
    if ranked.regret(case.policy(place["D"]["pi"]), case.model(place["D"]["xi"], "xi")) != D:
        raise case.reject("list", f"D attained at {place['D']}", f"a regret of {D} there")
    for name, when in (("gap_upper", None), ("nested_regret_upper", T)):
        truth = nested.truths[ranked.models.index(case.model(place[name], name))]
        most = nested.regret(when)
        if case.number(name) < most or nested._replace(truths=(truth,)).regret(when) != most:
            raise case.reject(
                "list", f"{name} = {case.number(name)} at {place[name]}", f"at least {most}, attained there"
            )
    first = case.number("worth_T")
    if first.denominator != 1 or first < 1 or nested.regret(int(first)) >= D * first:
        raise case.reject("list", f"worth_T = {first}", "a T at which the bound is below D T")
    if first > 1 and nested.regret(int(first) - 1) < D * (first - 1):
        raise case.reject("list", f"worth_T = {first}", "the first such T")


# --------------------------------------------------------------------------------------- witnesses


def witness(case: Case, place: Any) -> None:
    """A refutation does what it says."""
    where = f"{case.id}.witness"
    if case.id == "posterior-lipschitz":
        gap, posterior = lipschitz_place(case, place, ("responses", "posteriors"))
        if not gap or posterior:
            raise case.reject("witness", f"response gap {gap}, posterior gap {posterior}", "positive over zero")
    elif case.id == "weak-revealing":
        revealing_witness(case, place)
    elif case.id == "well-specified":
        take(place, where, ("truth",))
        if place["truth"] != case.facts.game.document["truth"]:
            raise case.reject("witness", "another truth", "the truth of the model")
    elif case.id in ("bounded-increments", "predictive-states"):
        take(place, where, ("xi", "xi_prime", "pi", "trajectory", "probability"))
        high, low = trajectory_pair(case, place)
        if low or not high or str(high) != place["probability"]:
            raise case.reject("witness", f"P = {high} and {low}", "positive as shown, and zero")
    elif case.id in ("kl-joint", "kl-world"):
        conversion_witness(case, place)
    else:
        raise case.reject("witness", "a refutation", "a claim that can fail on a model given by kernels")


def conversion_witness(case: Case, place: Any) -> None:
    """Equal laws of play, different operators at a realised prefix."""
    take(place, f"{case.id}.witness", ("xi_star", "xi", "pi", "h", "trajectory", "difference"))
    x, y = case.model(place["xi_star"], "xi_star"), case.model(place["xi"], "xi")
    play = case.facts.plays[case.policy(place["pi"])]
    prefix = case.history(place["trajectory"], True, "trajectory")
    step = play.steps.get(prefix, {}).get(play.alike[x])
    h = case.step(place["h"], case.facts.game.H)
    if step is None or not step.after or 2 * h + 2 != len(prefix):
        raise case.reject("witness", f"the trajectory {place['trajectory']}", "a prefix of step h realised under xi*")
    if play.masses[play.alike[x]] != play.masses[play.alike[y]]:
        raise case.reject("witness", "different laws of play", "equal laws under both models")
    compared = y[0] if case.id == "kl-world" else y
    norm = play.norms((h, prefix[-2], prefix[-1]), x, step.q, [compared])[compared]
    difference = Fraction(norm, step.before * case.facts.scaled.J)
    if not difference or str(difference) != place["difference"]:
        raise case.reject("witness", f"a difference of {difference}", f"{place['difference']}, positive")


RULES: dict[str, Callable[[Case, Mapping[str, Any]], None]] = {
    "eval": eval_,
    "lin": lin,
    "log": log,
    "sequence": queries,
    "bound": bound,
    "list": walked,
    "assume": assume,
}
