"""Assumption 2.4: the laws of the next observations tell apart what the worlds do.

Every problem of the class (problems.py) has a tree (simplex.py); or, where the scope is reachable, the ratio is
computed at every predictive state that the class reaches.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..case import Case, Claim, OnIntervals, Outcome, at_points, bracket
from ..facts import Facts, norm
from ..operators import Memory, State, pure_states, total
from ..pairs import charts
from ..polynomials import TooLarge
from ..problems import PLACE, Problem, problems, quotients, side, spelled, unit_of_mass
from ..reading import Malformed, Object, rational, sequence, take
from ..rows import Scalar
from ..simplex import Proof, Rules


def check(case: Case, evidence: Object) -> None:
    """Check test functions on the simplex, or, where everything was recomputed at the states that the class reaches, no
    more than where the ratio is attained."""
    facts = case.facts
    if facts.options["weak_revealing"]["scope"] == "simplex":
        by_tests(case, evidence)
    elif facts.game.finite:
        take(evidence, f"{case.id}.evidence", ("rule", "attained"))
    else:
        raise case.reject("scope", "the scope reachable", "the scope simplex on interval axes")
    place = evidence["attained"]
    check_attained(case if facts.game.finite else at_points(case, place), place)


def by_tests(case: Case, evidence: Object) -> None:
    """Check ratio >= alpha_lower by a tree for every problem; the tree is found by the problem's place."""
    take(evidence, f"{case.id}.evidence", ("rule", "tests", "factors", "trees", "attained"))
    alpha, _ = bracket(case, "alpha")
    rules, trees = Rules.read(case, alpha, evidence), dict[str, tuple[str, Any]]()
    for number, entry in enumerate(sequence(evidence["trees"], f"{case.id}.trees")):
        where = f"{case.id}.trees[{number}]"
        place = dict(take(entry, where, (*PLACE, "tree")))
        case.step(place["h"], case.facts.game.H)  # h is the one number of a place, and this bounds it
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


# ----------------------------------------------------------------------------------- ratios at given states


def reachable_alpha(facts: Facts) -> Outcome:
    """Return the exact minimum of ratio(q) over the predictive states that the class reaches (scope reachable)."""
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


def reached(facts: Facts) -> dict[tuple[int, Memory], set[tuple[tuple[State, Fraction], ...]]]:
    """Return a map from (h, uA) to the normalised predictive states q^xi_{h-1} of the class there (scope reachable)."""
    found: dict[tuple[int, Memory], set[tuple[tuple[State, Fraction], ...]]] = {}
    nodes = ((h, node) for play in facts.plays for h, level in enumerate(play.levels) for node in level)
    for h, node in nodes:
        for vector in filter(None, node.states):
            state = tuple(sorted((key, Fraction(m, total(vector))) for key, m in vector.items()))
            found.setdefault((h, node.uA), set()).add(state)
    return found


def sides(facts: Facts, problem: Problem, q: Mapping[State, Fraction]) -> tuple[Any, Any] | None:
    """Return (M q/Z - M'q/Z', (W'-W)q) of two worlds in one unit, as sparse vectors, or ``None`` where a Z is zero; in
    the joint form there is no Z."""
    Z: Scalar = 0
    dZ: Scalar = 0
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
    """Return (signal, difference) in one unit, the numerator and denominator of ratio(q), or ``None`` where a Z is
    zero."""
    gap = sides(facts, problem, q)
    return gap and (norm(gap[0]), norm(gap[1]))


def read_problem(case: Case, place: Any, extra: tuple[str, ...]) -> Problem:
    """Return the problem of two worlds that a place (theta, theta', Phi, pi, h, learner part, o, a) is about."""
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
    """Return (signal vector, difference vector) as probabilities, at an explicit normalised predictive state.

    Raises ``Rejected`` where q is not normalised, where the scope is reachable and no model reaches q, and where
    ratio(q) is undefined.
    """
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
    """Check a q of zero signal; or, where only two windows are possible, two q between which the signal changes sign
    while one coordinate of (W-W')q does not: by continuity some q between has signal zero and difference positive."""
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


def read_memory(case: Case, value: object, learner: bool, h: int) -> Memory:
    """Return a memory that is written in labels.

    Raises ``Malformed`` where its length is not that of the step.
    """
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
    """Check that the ratio at the stated q is alpha_upper."""
    signal, difference = map(norm, read_state(case, read_problem(case, place, ("q",)), place["q"]))
    if signal / difference != case.number("alpha_upper"):
        raise case.reject("eval", f"the ratio {signal / difference} at q", "alpha_upper")


def compares_nothing(case: Case) -> bool:
    """Return whether the operators W never differ."""
    return next(problems(case.facts), None) is None


def outcome(case: Case) -> Outcome | None:
    """Return the outcome where no evidence is needed: in the scope reachable, or where there is no problem on the
    simplex."""
    if case.facts.options["weak_revealing"]["scope"] == "reachable":
        return reachable_alpha(case.facts)
    return Outcome("vacuous", {}) if compares_nothing(case) else None


def rule(facts: Facts) -> str:
    """Return the rule of a proof."""
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
