"""Brackets the alpha_kappa of Assumption 2.4: from below by trees of test functions and factors, from above by an
explicit q."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np

from pomgcheck.errors import counted
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.pairs import Chart
from pomgcheck.kernel.problems import place_of
from pomgcheck.search.claims.weak_revealing_batches import Batches
from pomgcheck.search.claims.weak_revealing_cover import (
    Better,
    Effort,
    OutOfEffort,
    Pool,
    alone,
    cleared,
    leaves,
    many,
    unseen,
)
from pomgcheck.search.claims.weak_revealing_problems import Problem, Problems, describe, place
from pomgcheck.search.claims.weak_revealing_simplex import SubSimplex
from pomgcheck.search.clock import STOPPED, OutOfTime
from pomgcheck.search.exact.programs import Floats
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.finding import Finding

PART = 4096  # problems that are looked at together: one of zero signal among them refutes without the rest
HEARD = 32  # problems of many pure states that are asked for zero signal before the others are posed
LOOSER = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2))  # gaps for what is not shown as tightly as was asked


def weak_revealing(
    t: Tables,
    kappa: int,
    form: str,
    scope: str,
    tol: Fraction,
    progress: Callable[[int, int], None] = lambda done, total: None,
    late: Callable[[], bool] = lambda: False,
) -> Finding:
    """Return alpha_lower and alpha_upper over every problem of the class, or a q of zero signal, or the bracket
    reached. From when ``late`` says so each problem that is left is shown at what one test function gives."""
    if scope == "reachable":
        return reachable(t, kappa, form)
    every = Problems(t, kappa, form, scope)
    problems, batches, best, met = list[Problem](), Batches(), None, heard(every)
    try:
        while part := list(islice(met, PART)):
            batches.add(part)
            problems += part
            best = lowest(part, batches.ratios[-len(part) :], best)
            if best.ratio == 0:
                raise best
    except Better as silent:
        return silence(t, silent)
    if best is None:
        return Finding(
            "vacuous",
            "W is the same for all worlds at every step where the condition is imposed",
            evidence={"rule": "eval"},
        )
    for number in np.flatnonzero(batches.suspects).tolist():
        if crossed := crossing(problems[number]):
            (at, other), (up, down) = (place(t, problems[number], q) for q in crossed[:2]), map(str, crossed[2:])
            signs = {"q_other": other["q"], "signal": up, "signal_other": down}
            return Finding("refuted", "the signal changes sign", witness=at | signs)
    cover = Covered(problems, batches, best, t.O**kappa, progress, late)
    # what is stuck at the value known then may be easy at a lower one, and what is not may be shown more loosely
    gaps = (tol, tol, *(gap for gap in LOOSER if gap > tol))
    try:
        for done, gap in enumerate(gaps):
            cover.within(gap, len(gaps) - done)
            if cover.best.ratio == 0:
                return silence(t, cover.best)
        cover.at_any_value()
    except OutOfTime:
        shown_so_far = f"{STOPPED}, {len(cover.trees):,} of {counted(len(problems), 'problem')} shown"
        return Finding("unknown", shown_so_far, notes={"alpha_upper": str(cover.best.ratio)})
    return undecided(t, cover) if cover.waiting else proof(t, every, cover)


class Covered:
    """This has trees for the problems of a class, at values from ``lower`` up; ``best`` is the least ratio known,
    ``waiting`` has the problems without a tree, and ``size`` is the number of windows."""

    def __init__(
        self,
        problems: list[Problem],
        batches: Batches,
        best: Better,
        size: int,
        progress: Callable[[int, int], None],
        late: Callable[[], bool],
    ) -> None:
        self.problems, self.batches, self.best, self.size, self.progress = problems, batches, best, size, progress
        self.pool, self.effort, self.lower = Pool(), Effort(late), best.ratio
        self.trees: dict[int, list[Any]] = {}
        self.waiting = dict(enumerate(problems))
        self.asked = 0  # how many test functions of the pool all waiting problems have been asked about

    def at_once(self, value: Fraction) -> None:
        """Show the value of every waiting problem at which one of the newer test functions is enough."""
        shown = self.batches.cleared(self.waiting.keys(), self.pool.tests[self.asked :], value)
        for number, k in shown.items():
            self.trees[number] = ["test", self.asked + k]
            del self.waiting[number]
        self.asked = len(self.pool.tests)

    def within(self, gap: Fraction, rounds: int) -> None:
        """Cover the waiting problems at values within a gap of the least ratio known, with one of so many rounds' part
        of the effort; those that take more go on waiting. Ends at a ratio of zero, or when it is late."""
        stuck: dict[int, Problem] = {}
        self.asked = 0
        while self.waiting and self.best.ratio and not self.effort.late():
            self.at_once(self.best.ratio)
            if not self.waiting:
                break
            self.effort.divide(len(self.waiting) * rounds)
            number = next(iter(self.waiting))
            problem = self.waiting.pop(number)
            if self.batches.ratios[number] < float(self.best.ratio) * (1 + 1e-6):
                self.best = looked_at(problem, self.best) or self.best
            try:
                self.trees[number], shown, self.best = cleared(
                    problem, self.best, self.pool, self.size, gap, self.effort
                )
                self.lower = min(self.lower, shown)
            except OutOfEffort as given_up:
                self.best = given_up.best or self.best
                stuck[number] = problem
            self.progress(len(self.trees), len(self.problems))
        self.waiting |= stuck

    def at_any_value(self) -> None:
        """Show what no tolerance reached at what one test function gives."""
        while self.waiting:
            self.at_once(self.lower)
            found = alone(next(iter(self.waiting.values())), self.pool, self.size) if self.waiting else None
            if found is None:
                break
            number = next(iter(self.waiting))
            self.trees[number], shown = found
            self.lower = min(self.lower, shown)
            del self.waiting[number]


def silence(t: Tables, best: Better) -> Finding:
    """Return the refutation by a ratio of zero, at its place."""
    ratio = {"signal": str(best.signal), "difference": str(best.difference)}
    return Finding("refuted", "a predictive state of zero signal", witness=place(t, best.problem, best.q) | ratio)


def undecided(t: Tables, cover: Covered) -> Finding:
    """Return the finding that gives up, with the bracket reached and one of the problems that are left."""
    problem = next(iter(cover.waiting.values()))
    bracket = {"alpha_upper": str(cover.best.ratio), "worst problem": str(describe(t, problem))}
    left = f"{len(cover.waiting):,} of {counted(len(cover.problems), 'problem')}"
    how = f"gave up on {left} after {cover.effort.nodes:,} pieces of the simplex: ask for a larger tolerance, or the joint form"
    return Finding("unknown", how, notes=bracket)


def proof(t: Tables, every: Problems, cover: Covered) -> Finding:
    """Return the proof of the value that all trees show, with the least ratio known above it."""
    pool, trees, best = cover.pool, cover.trees, cover.best
    lower = min(cover.lower, best.ratio)
    evidence = {
        "rule": "tests",
        "tests": [[str(-x) for x in y] for y in pool.tests],  # certificates take the second world less the first
        "factors": [[[str(x) for x in row] for row in P] for P in pool.factors],
        "trees": named(every, cover.problems, trees),
        "attained": place(t, best.problem, best.q),
    }
    parts = (
        (len(cover.problems), "problem", ""),
        (len(pool.tests), "test function", ""),
        (len(pool.factors), "factor", ""),
        (sum(map(leaves, trees.values())), "leaf", "leaves"),
    )
    method = ", ".join(counted(*part) for part in parts if part[0])
    return Finding("proved", method, {"alpha_lower": str(lower), "alpha_upper": str(best.ratio)}, evidence)


def heard(every: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems. Raises ``Better`` at one of many pure states where some mixture shows nothing. Where the
    first few of these have no such mixture it is cheaper to look at all at once; those that are left are asked again
    one by one."""
    asked = 0
    for problem in every:
        if asked < HEARD and many(problem):
            asked += 1
            if silent := unseen(problem):
                raise silent
        yield problem


def named(every: Problems, problems: list[Problem], trees: dict[int, list[Any]]) -> list[dict[str, Any]]:
    """Return the trees under the names that the kernel gives to the problems it asks about: each is named after the
    first of the contexts whose tables are equal, in either order of the two worlds."""
    t, numbers = every.t, {every.key(problem.context): number for number, problem in enumerate(problems)}
    facts, chart = Facts(t.game, {"space": t.space, "reference": "uniform"}), Chart({}, {}, None, ())
    seen, posed, out = {None}, set[tuple[int, int]](), list[dict[str, Any]]()
    for context in every.as_asked():
        key = every.key(context)
        if key in seen:
            continue
        seen.add(key)
        if key not in numbers:  # nothing is asked of it
            continue
        i, j, *place = context
        left, right = (every.content(x, *place) for x in (i, j))
        if (left, right) not in posed:
            posed |= {(left, right), (right, left)}
            k, p, h, uA, o, a = place
            where = place_of(facts, (i, j, k, p, h, t.learner.codes[h][uA], o, a), chart)
            number = numbers[key]
            out.append(where | {"tree": among_all(trees[number], problems[number].kept)})
    return out


def among_all(tree: list[Any], kept: list[int] | None) -> list[Any]:
    """Return a tree on some of the pure states as one on all of them."""
    if kept is None or tree[0] != "cut":
        return tree
    _, i, j, t, left, right = tree
    return ["cut", kept[i], kept[j], t, among_all(left, kept), among_all(right, kept)]


def lowest(problems: list[Problem], ratios: Floats | None = None, best: Better | None = None) -> Better:
    """Return the least exact ratio over ``best`` and the pure states and edge points of all problems. Floats choose
    where to look (``ratios``, where they are known), so others may be lower by what floats do not tell apart."""
    ratios = Batches(problems).ratios if ratios is None else ratios
    least = ratios.min()
    rounded = np.round(ratios / least, 9) if least > 0 else ratios  # equal ones in order
    order = np.argsort(rounded, kind="stable")
    for number in order.tolist():
        if best is not None and not ratios[number] < float(best.ratio) * (1 - 1e-9):
            break
        best = looked_at(problems[number], best)
    assert best is not None  # the centre of some problem has a positive difference
    return best


def looked_at(problem: Problem, best: Better | None) -> Better | None:
    """Return the lesser of the least ratio known and the ratio at the point of the problem where floats are least."""
    for q in SubSimplex.whole(problem).below(float("inf") if best is None else float(best.ratio) * (1 + 1e-9)):
        pair = problem.at(q)
        if pair and pair[1]:
            return Better(problem, q, *pair) if best is None or pair[0] < best.ratio * pair[1] else best
    return best


def crossing(problem: Problem) -> tuple[Any, Any, Fraction, Fraction] | None:
    """Return two points between which the literal signal, one-dimensional with two windows, changes sign while a
    coordinate of (W-W')q keeps its sign. Then alpha = 0, at a point that need not be rational."""
    if problem.form == "joint" or len(problem.windows) != 2:
        return None
    node = SubSimplex.whole(problem)
    X, names = node.points()
    Z, Z_ = node.fZ @ X, node.fZ_ @ X
    fine = np.flatnonzero((Z > 0) & (Z_ > 0))
    signal = (node.fM @ X)[0, fine] / Z[fine] - (node.fM_ @ X)[0, fine] / Z_[fine]
    D = node.fD @ X[:, fine]
    up, down = np.flatnonzero(signal > 1e-9), np.flatnonzero(signal < -1e-9)
    for x, y in product(up, down):
        if (D[:, x] * D[:, y] > 1e-18).any():
            q, r = node.exact_point(names[fine[x]]), node.exact_point(names[fine[y]])
            values = [
                Fraction((problem.M @ z)[0]) / (problem.Z @ z) - Fraction((problem.M_ @ z)[0]) / (problem.Z_ @ z)
                for z in (q, r)
            ]
            if values[0] > 0 > values[1] and ((problem.D @ q) * (problem.D @ r) > 0).any():
                up_, down_ = (v * problem.z_unit / problem.unit for v in values)
                return q, r, up_, down_
    return None


Reached = dict[tuple[int, int], dict[tuple[Fraction, ...], set[tuple[int, int, int]]]]


def predictive_states(t: Tables, kappa: int) -> Reached:
    """Return, by (h, learner memory), every predictive state that the class reaches there, and the (theta, Phi, pi)
    that reach it."""
    states: Reached = {}
    for k, p, i in product(range(t.K), range(t.P), range(t.I)):
        level = [(0, t.start())]
        for h in range(t.H - kappa):
            following = []
            for uA, q in level:
                total = q.sum()
                flat = tuple(Fraction(x, total) for x in q.T.ravel().tolist())
                states.setdefault((h, uA), {}).setdefault(flat, set()).add((i, k, p))
                for o, a in product(range(t.O), range(t.A)):
                    if t.pi[p][h][0][t.learner.row[h][uA, o]][a]:
                        after = t.aggregate(k, p, h, t.world_image(i, h, o, a, q))
                        if after.any():
                            following.append((int(t.learner.next[h][uA, o, a]), after))
            level = following
    return states


def reachable(t: Tables, kappa: int, form: str) -> Finding:
    """Return the exact minimum over the predictive states that the class reaches."""
    states = predictive_states(t, kappa)
    best: Better | None = None
    compared = 0
    for problem in Problems(t, kappa, form, "reachable"):
        for q in states.get((problem.context[4], problem.context[5]), {}):
            vector = np.array(q, dtype=object)
            pair = problem.at(vector)
            compared += 1
            if pair and pair[1] and (best is None or pair[0] < best.ratio * pair[1]):
                best = Better(problem, vector, *pair)
    if best is None:
        return Finding("vacuous", "W agrees at every predictive state the class reaches", evidence={"rule": "eval"})
    if not best.signal:
        return silence(t, best)
    value = str(best.ratio)
    evidence = {"rule": "eval", "attained": place(t, best.problem, best.q)}
    method = f"{counted(compared, 'ratio')} at reachable predictive states"
    return Finding("proved", method, {"alpha_lower": value, "alpha_upper": value}, evidence)
