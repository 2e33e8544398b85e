"""Decides Assumption 2.4 on interval axes, by test functions on trees of boxes over pairs of worlds, theta' -> theta
included.

Linear programs at points propose the test functions and, where no test clears the whole simplex, the cuts of it. The
boxes are then split until some test clears each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from pomgcheck.errors import counted
from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.problems import Problem, problems
from pomgcheck.kernel.simplex import Proof, Rules
from pomgcheck.search.box_trees import BoxTree
from pomgcheck.search.claims.kl_intervals import EFFORT, STATED
from pomgcheck.search.claims.weak_revealing import weak_revealing
from pomgcheck.search.claims.weak_revealing_questions import ONE, Question, Sides, questions
from pomgcheck.search.clock import STOPPED, OutOfTime
from pomgcheck.search.continuum import Continuum
from pomgcheck.search.exact.boxes import middle
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.extremes import corners
from pomgcheck.search.finding import Finding, in_words, stopped
from pomgcheck.search.intervals import point_on

ROUNDS = 2  # of looking for a place where no known test function is good
NAMED = 3  # values of each parameter in the finite class that is looked at first


def revealing(c: Continuum, kappa: int, form: str, scope: str, tol: Fraction) -> Finding:
    """Return the claim: alpha bracketed over all pairs of worlds, refuted at points of the class, or unknown with the
    bracket reached."""
    if scope == "reachable":
        return Finding("unknown", "the scope reachable is not decided on interval axes")
    known: Sides = {}
    asked_of: dict[Any, list[Question]] = {}
    every = list(questions(c, kappa, form == "literal", known, asked_of))
    if not every:
        method = "W does not depend on what is unknown of the world at any step where the condition is imposed"
        return Finding("vacuous", method, evidence={"rule": "eval"})
    first = finite(c, some_points(c, "theta", 12), some_points(c, "Phi", 8), kappa, form, tol)
    if first.verdict == "refuted":
        return first
    uppers = [first] if first.verdict == "proved" else []
    trees = [BoxTree(question.chart, question.evaluate, question.examine) for question in every]
    met, rng = list[tuple[float, int, dict[str, Fraction]]](), np.random.default_rng(0)
    least = min((float(Fraction(x.values["alpha_upper"])) for x in uppers), default=np.inf)
    for number, (question, tree) in enumerate(zip(every, trees, strict=True)):
        places = lowest_places(question, tree, least, rng)
        if not places:
            return Finding("unknown", f"no test function at {middle(question.chart.box)}", notes=noted(uppers))
        met += [(value, number, place) for value, place in places]
    for _, number, point in islice(sorted(met, key=lambda x: x[0]), 4):
        pair = worlds_at(c, every[number], every[number].apart(point))
        if pair is not None:
            here = finite(c, pair[0], pair[1], kappa, form, tol)
            if here.verdict == "refuted":
                return here
            uppers += [here] if here.verdict == "proved" else []
    if not uppers:
        return Finding("unknown", "no two worlds found whose ratio is bracketed", notes=noted(uppers))
    upper = min(uppers, key=lambda x: Fraction(x.values["alpha_upper"]))
    high = Fraction(upper.values["alpha_upper"])
    shown = grown_to(every, trees, min(float(high), min(value for value, _, _ in met)), float(high))
    low = Fraction(min(shown)) * (1 - STATED)
    count = sum(len(tree.value) for tree in trees)
    if low <= 0:
        ends = trees[int(np.argmin(shown))].worst()
        method = f"between 0 and {high}; after {count} boxes undecided on {in_words(ends)}"
        return Finding("unknown", method, notes={"alpha_upper": str(high)} | stopped(ends))
    low = min(Fraction(int(low * 10**12), 10**12), high)
    written, proof, functions = in_writing(every, trees)
    options = {"kappa": kappa, "weak_revealing": {"form": form, "scope": scope}}
    facts = Facts(c.game, options | {"space": c.space, "reference": "uniform"})
    asked = list(as_asked(c, facts, known, asked_of, written))
    for part in (ONE, 1 - Fraction(1, 10**6), Fraction(99, 100), Fraction(9, 10)):
        named = accepted(facts, asked, low * part, proof)
        if named is not None:
            break
    else:
        return Finding("unknown", "the kernel's bounds show less than the search's", notes={"alpha_upper": str(high)})
    values = {"alpha_lower": str(low * part), "alpha_upper": str(high)}
    proof |= {"trees": named, "attained": (upper.evidence or {})["attained"]}
    boxes = f"{counted(len(every), 'problem')} in {counted(count, 'box', 'boxes')}"
    return Finding("proved", ", ".join([boxes, *functions]), values, proof)


def in_writing(every: Sequence[Question], trees: Sequence[BoxTree]) -> tuple[dict[int, Any], dict[str, Any], list[str]]:
    """Return the tree of every question as a certificate writes it, by the question's ``id``; the test functions and
    factors that the trees name by number; and how many those are, in words."""
    tests: list[list[Fraction]] = []
    factors: list[list[list[Fraction]]] = []
    written = {id(q): evidence(q, tree, tests, factors) for q, tree in zip(every, trees, strict=True)}
    proof: dict[str, Any] = {
        "rule": "tests",
        "tests": [[str(x) for x in y] for y in tests],
        "factors": [[[str(x) for x in row] for row in P] for P in factors],
    }
    used = ((len(tests), "test function"), (len(factors), "factor"))
    return written, proof, [counted(n, noun) for n, noun in used if n]


def lowest_places(
    question: Question, tree: BoxTree, least: float, rng: np.random.Generator
) -> list[tuple[float, dict[str, Fraction]]]:
    """Return points of a question's chart at which its test functions show least, with what they or its factor show
    there; none where no test function is found. Test functions are learned until none shows less than ``least``."""
    question.learn(middle(question.chart.box))
    for attempt in range(ROUNDS):
        if not question.pool:
            return []
        found = tree.lowest(rng)
        places = [exact(question, dict(zip(tree.axes, map(float, where), strict=True))) for _, where in found]
        if found[0][0] >= least or attempt + 1 == ROUNDS or not question.learn(places[0]):
            break
    if question.cuts is not None:
        question.factored()
    shows = float(question.factor[1]) if question.factor else -1.0
    return [(max(value, shows), place) for (value, _), place in zip(found, places, strict=True)]


def grown_to(every: list[Question], trees: list[BoxTree], aim: float, high: float) -> list[float]:
    """Split the trees until each shows about ``aim``, or half of ``high`` where that is not positive, at growing
    effort; return what each shows."""
    aim = aim if aim > 0 else high / 2
    for share, leaves in ((1e-9, 24), *EFFORT):
        shown = [shown_by(q, tree, aim * (1 - share), leaves) for q, tree in zip(every, trees, strict=True)]
        if min(shown) >= aim * (1 - share) and share < 1e-6:
            break
        if min(shown) < aim * (1 - share) and share < 1 / 20 and share > 1e-6:
            break
    return shown


def as_asked(
    c: Continuum, facts: Facts, known: Sides, asked_of: Mapping[Any, list[Question]], written: Mapping[int, Any]
) -> Iterator[tuple[Problem, Any]]:
    """Yield the problems of the kernel, each with the tree of the search's question that is the same one."""
    memories = [{code: number for number, code in enumerate(codes)} for codes in c.learner.codes]
    for problem in problems(facts):
        i, j, k, p, h, uA, o, a = problem.context
        sides = known[k, p, h, memories[h][uA], o, a]
        own, step = asked_of.get((sides[i], sides[j]), ()), problem.chart.step
        yield problem, next((written[id(q)] for q in own if q.chart.step == step), ["test", 0])


def accepted(
    facts: Facts, asked: list[tuple[Problem, Any]], alpha: Fraction, proof: dict[str, Any]
) -> list[dict[str, Any]] | None:
    """Return the trees under the names of their problems, or ``None`` where the kernel's own rules do not show alpha by
    them."""
    rules = Rules.read(Case(facts, "weak-revealing", {}), alpha, proof)
    try:
        for problem, tree in asked:
            Proof(rules, problem).check(tree)
    except Rejected:
        return None
    return [problem.place | {"tree": tree} for problem, tree in asked]


def shown_by(question: Question, tree: BoxTree, target: float, leaves: int) -> float:
    """Return what the factor of a question shows where that is the target; else what its tree or its factor shows,
    whichever is more."""
    shows = float(question.factor[1]) if question.factor else -1.0
    return shows if shows >= target else max(shows, tree.grow(target, leaves))


def evidence(
    question: Question, tree: BoxTree, tests: list[list[Fraction]], factors: list[list[list[Fraction]]]
) -> Any:
    """Return the tree of a question, each leaf with the tests of its pieces, or the factor of the question."""
    if question.factor and float(question.factor[1]) >= tree.value.min():
        P = question.factor[0]
        if P not in factors:
            factors.append(P)
        return question.chart.over(["factor", factors.index(P)], question.common)
    target = float(tree.value.max())
    _, _, chosen = question.chosen(tree.low, tree.high, target)

    def piece(cuts: Any, which: Any, n: int) -> Any:
        if cuts is None:
            y = question.pool[int(which[n])]
            if y not in tests:
                tests.append(y)
            return ["test", tests.index(y)]
        i, j, t, left, right = cuts
        return ["cut", i, j, str(t), piece(left, which[0], n), piece(right, which[1], n)]

    return question.chart.over(tree.evidence(lambda n: piece(question.cuts, chosen, n)), question.common)


def noted(uppers: list[Finding]) -> dict[str, str]:
    """Return the least upper value of some findings as a note, or no note where there are none."""
    return {"alpha_upper": min((x.values["alpha_upper"] for x in uppers), key=Fraction)} if uppers else {}


def exact(question: Question, point: Mapping[str, float]) -> dict[str, Fraction]:
    """Return a point of a chart as rationals within its box."""
    return {
        a: min(high, max(low, Fraction(point[a]).limit_denominator(10**6)))
        for a, (low, high) in question.chart.box.items()
    }


def some_points(c: Continuum, side: str, most: int) -> list[dict[str, str]]:
    """Return a few points of every cell of a side, "theta" or "Phi": the middle and some corners."""
    out: list[dict[str, str]] = []
    for n, cell in enumerate(c.cells[side]):
        *ends, middle = corners(cell, sorted(cell.box))
        for values in (middle, *[*ends, middle][:NAMED]):
            point = point_on(c, side, n, values)
            if point not in out and len(out) < most:
                out.append(point)
    return out


def finite(c: Continuum, thetas: Any, phis: Any, kappa: int, form: str, tol: Fraction) -> Finding:
    """Return the claim of the finite class of some worlds and responses."""
    found = weak_revealing(Tables(c.game.subclass(thetas, phis), c.space), kappa, form, "simplex", tol)
    if found.verdict == "unknown" and found.method.startswith(STOPPED):  # the ring was for the whole search
        raise OutOfTime
    return found


def worlds_at(c: Continuum, question: Question, point: Mapping[str, Fraction]) -> tuple[list[Any], list[Any]] | None:
    """Return the two worlds and the response at a point of a chart, if they lie in the class."""
    i, j, k, *_ = question.context
    models = question.chart.models(point)
    for number, values in zip((i, j), models, strict=True):
        cell = c.cells["theta"][number]
        mine = {n: x for n, x in values.items() if n in cell.box}
        if not cell.holds(mine):
            return None
    thetas = [point_on(c, "theta", n, values) for n, values in zip((i, j), models, strict=True)]
    return thetas, [point_on(c, "Phi", k, models[0])]
