"""Writes what rule ``pairs`` shows, as SMT-LIB scripts about two models of a chart.

The scripts are about Assumption 2.4, the leaves of its trees, and the inequality without logarithms behind Assumption
3.1(e). Both sides are divided by the difference of the models, so that the diagonal is asked about as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from pomgcheck import statements
from pomgcheck.exporters.smtlib import Script, expression, symbol, total, written
from pomgcheck.kernel.boxes import Box, halves
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.continua import Continuum
from pomgcheck.kernel.divergence import Comparison, comparisons, families
from pomgcheck.kernel.facts import Facts, summed
from pomgcheck.kernel.operators import Memory
from pomgcheck.kernel.pairs import STEP, Chart
from pomgcheck.kernel.polynomials import polynomial
from pomgcheck.kernel.problems import PLACE, Problem, RatioTerms, problems, spelled
from pomgcheck.kernel.simplex import Proof, Rules

Claim = Mapping[str, Any]
Vector = dict[Any, Any]  # of terms
CHART = (
    "The two models are x (the first) and x' = x + t v: the unknowns are the coordinates x of the first, one "
    "coordinate x' of the second, and the slopes j/k, how far coordinate j moves for one of k; or, of two cells "
    "that differ, the coordinates of both, and t = 1."
)


def stated(facts: Facts, claim: Claim) -> str:
    """Return the claim in the paper's terms."""
    return f"{claim['paper']}, {claim['id']}: {statements.of(claim['id'], facts.game.document, facts.options)}"


def opened(logic: str, chart: Chart, box: Box, polynomials: Any, *sentences: str) -> tuple[Script, Any]:
    """Return a script with the unknowns of a chart, and t."""
    out = Script(logic, *sentences, CHART)
    out.ranges(box)
    step = Fraction(1) if chart.step is None else total([symbol(chart.step[0]), -1 * symbol(chart.step[1])])
    t = out.named(step, STEP)
    out.inverses([p for pair in polynomials for p in pair])
    out.nonnegative(chart.constraints)
    return out, t


# ---------------------------------------------------------------------------------------- Assumption 2.4


def trees_of(evidence: Mapping[str, Any]) -> dict[Any, Any]:
    """Return the trees of rule ``tests`` by the problems that they are for."""
    return {spelled({name: entry[name] for name in PLACE}): entry["tree"] for entry in evidence["trees"]}


def revealing(facts: Facts, claim: Claim) -> Iterator[Script]:
    """Yield scripts for the assumption in every chart of every problem, and for the inequality of every leaf of its
    tree."""
    alpha, evidence = Fraction(claim["values"]["alpha_lower"]), claim["evidence"]
    rules = Rules.read(Case(facts, claim["id"], claim["values"]), alpha, evidence)
    trees = trees_of(evidence)
    joint = facts.options["weak_revealing"]["form"] == "joint"
    for number, problem in enumerate(problems(facts), 1):
        says = f"{stated(facts, claim)} Here alpha_lower = {alpha}. Problem {number}."
        yield assumption(problem, alpha if joint else alpha / problem.unit, joint, says)
        proof = Proof(rules, problem)
        columns, below = proof.opened(trees[problem.key])
        for box, node in leaves(proof, below, problem.chart.box):
            yield from Pieces(proof, columns, box, evidence, says).of(node)


def leaves(proof: Proof, node: Any, box: Box) -> Iterator[tuple[Box, Any]]:
    """Return the leaves of a tree that hold a pair of the class, with their boxes."""
    if node[0] == "split":
        for half, below in zip(halves(box, node[1], node[2], "trees"), node[3:], strict=True):
            yield from leaves(proof, below, half)
    elif not proof.outside(box):
        yield box, node


class State:
    """This is a predictive state q in one chart: Z, M q and the quotients, all linear in q."""

    def __init__(self, out: Script, columns: list[RatioTerms], q: list[Any]) -> None:
        self.out, self.columns, self.q = out, columns, q

    def of(self, entries: list[Any]) -> Any:
        """Return sum_j q_j x_j."""
        parts = zip(self.q, entries, strict=True)
        return self.out.named(total(q * expression(polynomial(x)) for q, x in parts if x and q))

    def emitted(self, moved: bool) -> Any:
        """Return Z q, or with ``moved`` the quotient dZ q."""
        return self.of([column[1 if moved else 0] for column in self.columns])

    def seen(self, window: Memory, moved: bool) -> Any:
        """Return the mass of a window in M q, or with ``moved`` in the quotient dM q."""
        return self.of([column[3 if moved else 2].get(window, 0) for column in self.columns])

    def signals(self, joint: bool) -> dict[Memory, Any]:
        """Return for each window of observations how far its law moves: that of the conditional law times Z Z'."""
        windows = sorted({w for column in self.columns for w in column[2]})
        if joint:
            return {w: self.seen(w, True) for w in windows}
        Z, dZ = self.emitted(False), self.emitted(True)
        return {w: total([Z * self.seen(w, True), -1 * (dZ * self.seen(w, False))]) for w in windows}

    def changed(self) -> Any:
        """Return ||dW q||_1."""
        places = sorted({v for column in self.columns for v in column[4]})
        return total(self.out.size(self.of([column[4].get(v, 0) for column in self.columns])) for v in places)


def entries(columns: list[RatioTerms]) -> list[tuple[Any, ...]]:
    """Return all polynomials of some columns."""
    tables = [x for column in columns for part in column[2:] for x in part.values()]
    return [tuple(map(polynomial, [x for column in columns for x in column[:2]] + tables))]


def assumption(problem: Problem, alpha: Fraction, joint: bool, says: str) -> Script:
    """Return a script that is satisfiable exactly where two models of the chart and a state q have a ratio below
    alpha."""
    out, t = opened(
        "QF_NRA",
        problem.chart,
        problem.chart.box,
        entries(problem.columns),
        says,
        "The assumption, negated: two models and a predictive state q (one number a pure state) at which "
        "the signal is less than alpha_lower times the difference of the world channels.",
    )
    q = [out.real(f"q{j}") for j in range(len(problem.columns))]
    for weight in q:
        out.asserted(f"(>= {weight} 0.0)")
    out.asserted(f"(= 1.0 {written(total(q))})")
    state = State(out, problem.columns, [*q])
    scale: Any = alpha
    if not joint:
        Z = state.emitted(False)
        later = out.named(total([Z, t * state.emitted(True)]))
        for mass in (Z, later):
            out.asserted(f"(> {written(mass)} 0.0)")
        scale = alpha * Z * later
    signal = total(out.size(x) for x in state.signals(joint).values())
    out.asserted(f"(< {written(signal)} {written(scale * state.changed())})")
    return out


class Pieces:
    """These are the leaves of one box, each a test function or a factor, on the pieces that cuts make of the simplex."""

    def __init__(self, proof: Proof, columns: list[RatioTerms], box: Box, evidence: Any, says: str) -> None:
        self.proof, self.columns, self.box, self.evidence, self.says = proof, columns, box, evidence, says
        self.joint, problem = proof.joint, proof.problem
        self.alpha = proof.rules.alpha if self.joint else proof.rules.alpha / problem.unit

    def of(self, node: Any) -> Iterator[Script]:
        """Yield a script for every leaf of a tree."""
        n = len(self.columns)
        return self._walk(node, [tuple(Fraction(i == j) for i in range(n)) for j in range(n)])

    def _walk(self, node: Any, vertices: list[tuple[Fraction, ...]]) -> Iterator[Script]:
        kind, *rest = node
        if kind == "test":
            yield self.tested(self.evidence["tests"][rest[0]], vertices)
        elif kind == "factor":
            yield self.factored(self.evidence["factors"][rest[0]])
        else:
            i, j, at, left, right = rest
            t = Fraction(at)
            middle = tuple((1 - t) * x + t * y for x, y in zip(vertices[i], vertices[j], strict=True))
            for place, half in ((j, left), (i, right)):
                yield from self._walk(half, [middle if k == place else v for k, v in enumerate(vertices)])

    def opened(self, what: str) -> tuple[Script, Any]:
        """Return a script with the unknowns of the chart and the box, and the step t."""
        sentences = self.says, f"One leaf of the proof, negated: {what}"
        out, _ = opened("QF_NRA", self.proof.chart, self.box, entries(self.columns), *sentences)
        return out, expression(polynomial(self.proof.step))

    def tested(self, y: list[str], vertices: list[tuple[Fraction, ...]]) -> Script:
        """Return a script that is satisfiable where a mean of y moves by too little somewhere on the hull of the
        vertices."""
        corners = "; ".join(f"({', '.join(map(str, v))})" for v in vertices)
        out, t = self.opened(
            f"on this box of models, and for states q = sum_i l_i v_i of one piece of the simplex, the mean of the "
            f"test function y = ({', '.join(y)}) over the windows moves by less than alpha_lower times sum_i l_i "
            f"||(W - W') v_i||_1, which is at least ||(W - W') q||_1. The v_i: {corners}."
        )
        l = [out.real(f"l{i}") for i in range(len(vertices))]
        for weight in l:
            out.asserted(f"(>= {weight} 0.0)")
        out.asserted(f"(= 1.0 {written(total(l))})")
        q = [
            out.named(total(weight * v[j] for weight, v in zip(l, vertices, strict=True) if v[j]))
            for j in range(len(vertices[0]))
        ]
        state = State(out, self.columns, q)
        signal = total(Fraction(y[self.proof.index(w)]) * x for w, x in state.signals(self.joint).items())
        scale: Any = self.alpha
        if not self.joint:
            Z = state.emitted(False)
            scale = self.alpha * Z * out.named(total([Z, t * state.emitted(True)]))
        changes = [State(out, self.columns, [*v]).changed() for v in vertices]
        change = total(weight * x for weight, x in zip(l, changes, strict=True))
        out.asserted(f"(< {written(signal)} {written(scale * change)})")
        return out

    def factored(self, P: list[list[str]]) -> Script:
        """Return a script that is satisfiable where W - W' is another matrix than P (M - M') at some pair of the box,
        or alpha ||P|| Z is above one."""
        out, _ = self.opened(
            "on this box of models W - W' is not P (M - M') with the matrix P of the certificate, or alpha_lower times "
            "its largest column sum of sizes, times the chance of the current observation in the literal form, is "
            "above 1."
        )
        windows, channel = self.proof.windows, self.proof.channel
        most = self.alpha * max(sum(abs(Fraction(row[w])) for row in P) for w in range(len(windows)))
        fails = []
        for Z, _, _, dM, dW in self.columns:
            if not self.joint:
                fails.append(f"(> {written(most * expression(polynomial(Z)))} 1.0)")
            for v, row in zip(channel, P, strict=True):
                by_signal = total(
                    Fraction(x) * expression(polynomial(dM[w])) for w, x in zip(windows, row, strict=True) if dM.get(w)
                )
                own = expression(polynomial(dW[v])) if v in dW else Fraction(0)
                fails.append(f"(distinct {written(own)} {written(by_signal)})")
        if self.joint and most > 1:
            fails.append("true")
        out.asserted(f"(or {' '.join(fails)} false)")
        return out


# --------------------------------------------------------------------------------------- Assumption 3.1(e)


def conversions(facts: Facts, claim: Claim, positive: bool, policy: str | None = None) -> Iterator[Script]:
    """Yield scripts of the inequality that the kernel shows, for every policy, or for ``policy`` alone, and every
    chart; with ``positive`` no probability vanishes."""
    world, evidence = claim["id"] == "kl-world", claim["evidence"]
    c = Fraction(claim["values"]["c_KL_world_lower" if world else "c_KL_joint_lower"])
    continuum = facts.continuum
    for p, name in enumerate(continuum.game.policy_names):
        if policy not in (None, name):
            continue
        every = families(continuum, p, world, evidence["shears"].get(name, {}), "shears")
        for number, pair in enumerate(comparisons(every), 1):
            where = f"{stated(facts, claim)} Here c_KL = {c}. Policy {name}, chart {number}."
            yield conversion(continuum, p, pair, c, positive, summed(facts.options), where)


def conversion(
    continuum: Continuum, p: int, pair: Comparison, c: Fraction, positive: bool, all_pairs: bool, says: str
) -> Script:
    """Return a script that is satisfiable exactly where two models of the chart have sum_tau 3 (P-P*)^2/(2P*+4P) < c
    sum_h E||...||^2.

    The norm is that at the pair that occurs, or with ``all_pairs`` the sum over all that may.
    """
    norm = "||(difference of the operators) q^xi*_{h-1}||_1"
    squared = f"(sum_{{o,a}} pi(a) {norm})^2" if all_pairs else f"{norm}^2"
    out, t = opened(
        "QF_NRA",
        pair.chart,
        pair.chart.box,
        pair.entries.polynomials,
        says,
        "Without logarithms, and negated: models xi* and xi with sum over trajectories of 3 (P - P*)^2 / (2 P* + 4 P) "
        f"< c_KL sum_h E {squared}, both sides divided by t^2. It suffices, "
        "since KL(P*||P) is the sum of P* log(P*/P) - P* + P, each at least 3 (P - P*)^2 / (2 P* + 4 P). Quotients are "
        "unknowns r."
        + (" No probability vanishes (3.1(d))." if positive else "")
        + " Where the coordinates are sheared, x stands for x less multiples of others, on an interval that holds it.",
    )
    walk = PairWalk(out, t, continuum, p, pair, positive, all_pairs)
    walk.on(0, (), Fraction(1), {key: Fraction(m) for key, m in continuum.initial().items()}, {})
    out.asserted(f"(< {written(total(walk.left))} {written(c * total(walk.right))})")
    return out


class PairWalk:
    """The terms of both sides are collected along all prefixes of one policy: ``left`` holds those of the divergence,
    ``right`` those of the squared errors of operators."""

    def __init__(
        self, out: Script, t: Any, continuum: Continuum, p: int, pair: Comparison, positive: bool, all_pairs: bool
    ) -> None:
        self.out, self.t, self.pair, self.positive, self.all_pairs = out, t, pair, positive, all_pairs
        self.game, self.space, self.policy = continuum.game, continuum.space, continuum.policies[p]
        self.star = [out.named(expression(p)) for p, _ in pair.entries.polynomials]
        self.quotient = [out.named(expression(q)) for _, q in pair.entries.polynomials]
        moved = zip(self.star, self.quotient, strict=True)
        self.here = [out.named(total([x, t * d])) if d else x for x, d in moved]
        self.left: list[Any] = []
        self.right: list[Any] = []

    def on(self, h: int, uA: Memory, weight: Fraction, u: Vector, d: Vector) -> None:
        """Walk on with u, the unnormalised state of xi*, and d, the quotient of that of xi: d_h = J_h d_{h-1} + e_h."""
        out = self.out
        if h == self.game.H:
            if d:
                change, P = out.named(total(d.values())), out.named(total(u.values()))
                size = out.named(total([6 * P, 4 * (self.t * change)]))
                self.left.append(out.quotient(3 * weight * (change * change), size, self.positive))
            return
        inverse, norms = out.quotient(Fraction(1), out.named(total(u.values())), self.positive), list[Any]()
        for o in range(len(self.game.OA)):
            for a, chance in enumerate(self.policy[h][self.space.row(uA, o, True)]):
                if not chance:
                    continue
                after, longer = self.moved_on(h, o, a, u, d)
                moved = applied(self.pair.compared[h][o, a], self.quotient, u)
                if moved and self.all_pairs:
                    norms += [chance * out.size(x) for x in moved.values()]
                elif moved and after:
                    norm = out.named(total(out.size(x) for x in moved.values()) * inverse)
                    self.right.append(weight * chance * (norm * norm * total(after.values())))
                if after or longer:
                    self.on(h + 1, self.space.next(uA, o, a, True), weight * chance, after, longer)
        if norms:
            whole = out.named(total(norms))
            self.right.append(weight * (whole * whole * inverse))

    def moved_on(self, h: int, o: int, a: int, u: Vector, d: Vector) -> tuple[Vector, Vector]:
        """Return u and d after one step."""
        forward = self.pair.J[h][o, a]
        after, longer = applied(forward, self.star, u), applied(forward, self.here, d)
        for key, entry in applied(forward, self.quotient, u).items():
            longer[key] = total([longer[key], entry]) if key in longer else entry
        return (
            {key: self.out.named(x) for key, x in after.items()},
            {key: self.out.named(x) for key, x in longer.items()},
        )


def applied(table: Any, values: list[Any], q: Vector) -> Vector:
    """Return the product of one operator, whose entries are numbers of ``values``, and a state."""
    parts: dict[Any, list[Any]] = {}
    for state, mass in q.items():
        for key, number in table.get(state, {}).items():
            if values[number]:
                parts.setdefault(key, []).append(values[number] * mass)
    return {key: total(terms) for key, terms in parts.items()}
