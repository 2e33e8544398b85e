"""What rule ``pairs`` shows, as SMT-LIB scripts about two models of a chart.

Assumption 2.4, the leaves of its trees, and the inequality without logarithms behind Assumption 3.1(e).  Both sides are
divided by the difference of the models, so that the diagonal is asked about as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.exporters.smtlib import Script, expression, symbol, total, written
from pomgcheck.kernel.boxes import Box
from pomgcheck.kernel.continua import Continuum
from pomgcheck.kernel.divergence import Comparison, comparisons, families
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.operators import Memory
from pomgcheck.kernel.pairs import STEP, Chart, Leaf, cover, over
from pomgcheck.kernel.revealing import Question, questions

Claim = Mapping[str, Any]
Vector = dict[Any, Any]  # of terms
CHART = (
    "The two models are x (the first) and x' = x + t v: the unknowns are the coordinates x of the first, one "
    "coordinate x' of the second, and the slopes j/k, how far coordinate j moves for one of k; or, of two cells "
    "that differ, the coordinates of both, and t = 1."
)


def opened(logic: str, chart: Chart, box: Box, polynomials: Any, *sentences: str) -> tuple[Script, Any]:
    """A script with the unknowns of a chart, and t."""
    out = Script(logic, *sentences, CHART)
    out.ranges(box)
    step = Fraction(1) if chart.step is None else total([symbol(chart.step[0]), -1 * symbol(chart.step[1])])
    t = out.named(step, STEP)
    out.inverses([p for pair in polynomials for p in pair])
    out.nonnegative(chart.constraints)
    return out, t


# ---------------------------------------------------------------------------------------- Assumption 2.4


def revealing(facts: Facts, claim: Claim) -> Iterator[Script]:
    """The assumption in every chart of every problem, and the inequality of every leaf of its tree."""
    options, alpha = facts.options, Fraction(claim["values"]["alpha_lower"])
    joint, trees = options["weak_revealing"]["form"] == "joint", claim["evidence"]["trees"]
    asked = questions(facts.continuum, options["kappa"], not joint)
    for number, (question, tree) in enumerate(zip(asked, trees, strict=True), 1):
        says = f"{claim['paper']}, {claim['id']}: {claim['statement']} Here alpha_lower = {alpha}. Problem {number}."
        yield assumption(question, alpha, joint, says)
        factor, below = over(question.chart, tree, "trees")
        question.entries.divide(factor, "trees")
        for box, node in leaves(question.chart, below):
            yield from Pieces(question, box, alpha, joint, claim["evidence"], len(facts.game.OA), says).of(node)


def leaves(chart: Chart, tree: Any) -> list[tuple[Box, Any]]:
    """The leaves of a tree that hold a pair of the class, with their boxes."""
    found: list[tuple[Box, Any]] = []

    def keep(leaf: Leaf, node: Any) -> None:
        found.append((leaf.box, node))

    cover(chart, tree, "trees", keep)
    return found


class State:
    """A predictive state q in one chart: Z, M q, W q and their quotients, linear in q."""

    def __init__(self, out: Script, question: Question, q: list[Any]) -> None:
        self.out, self.question, self.q = out, question, q

    def of(self, numbers: list[int | None], side: int) -> Any:
        """sum_j q_j x_j for the entries of those numbers: the first model's (0), or the quotients (1)."""
        entries = self.question.entries.polynomials
        parts = zip(self.q, numbers, strict=True)
        return self.out.named(total(q * expression(entries[k][side]) for q, k in parts if k is not None and q))

    def emitted(self, side: int) -> Any:
        return self.of([Z for Z, _, _ in self.question.columns], side)

    def seen(self, window: Memory, side: int) -> Any:
        return self.of([M.get(window) for _, M, _ in self.question.columns], side)

    def signals(self, joint: bool) -> dict[Memory, Any]:
        """Per window of observations, how far its law moves: of the conditional law times Z Z'."""
        windows = sorted({w for _, M, _ in self.question.columns for w in M})
        if joint:
            return {w: self.seen(w, 1) for w in windows}
        Z, dZ = self.emitted(0), self.emitted(1)
        return {w: total([Z * self.seen(w, 1), -1 * (dZ * self.seen(w, 0))]) for w in windows}

    def changed(self) -> Any:
        """||dW q||_1."""
        places = sorted({v for _, _, W in self.question.columns for v in W})
        return total(self.out.size(self.of([W.get(v) for _, _, W in self.question.columns], 1)) for v in places)


def assumption(question: Question, alpha: Fraction, joint: bool, says: str) -> Script:
    """Satisfiable exactly where two models of the chart and a state q have a ratio below alpha."""
    pairs = question.entries.polynomials
    out, t = opened(
        "QF_NRA",
        question.chart,
        question.chart.box,
        pairs,
        says,
        "The assumption, negated: two models and a predictive state q (one number a pure state) at which "
        "the signal is less than alpha_lower times the difference of the world channels.",
    )
    q = [out.real(f"q{j}") for j in range(len(question.columns))]
    for weight in q:
        out.asserted(f"(>= {weight} 0.0)")
    out.asserted(f"(= 1.0 {written(total(q))})")
    state = State(out, question, [*q])
    scale: Any = alpha
    if not joint:
        Z = state.emitted(0)
        later = out.named(total([Z, t * state.emitted(1)]))
        for mass in (Z, later):
            out.asserted(f"(> {written(mass)} 0.0)")
        scale = alpha * Z * later
    signal = total(out.size(x) for x in state.signals(joint).values())
    out.asserted(f"(< {written(signal)} {written(scale * state.changed())})")
    return out


class Pieces:
    """The leaves of one box: a test function or a factor each, on the pieces that cuts make of the simplex."""

    def __init__(
        self, question: Question, box: Box, alpha: Fraction, joint: bool, evidence: Any, size: int, says: str
    ) -> None:
        self.question, self.box, self.alpha, self.joint = question, box, alpha, joint
        self.evidence, self.size, self.says = evidence, size, says

    def of(self, node: Any) -> Iterator[Script]:
        n = len(self.question.columns)
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
        pairs = self.question.entries.polynomials
        sentences = self.says, f"One leaf of the proof, negated: {what}"
        out, t = opened("QF_NRA", self.question.chart, self.box, pairs, *sentences)
        return out, t * expression(self.question.entries.factor)

    def tested(self, y: list[str], vertices: list[tuple[Fraction, ...]]) -> Script:
        """A mean of y that moves by too little somewhere on the hull of the vertices."""
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
        state = State(out, self.question, q)
        signal = total(Fraction(y[self.index(w)]) * x for w, x in state.signals(self.joint).items())
        scale: Any = self.alpha
        if not self.joint:
            Z = state.emitted(0)
            scale = self.alpha * Z * out.named(total([Z, t * state.emitted(1)]))
        changes = [State(out, self.question, [*v]).changed() for v in vertices]
        change = total(weight * x for weight, x in zip(l, changes, strict=True))
        out.asserted(f"(< {written(signal)} {written(scale * change)})")
        return out

    def factored(self, P: list[list[str]]) -> Script:
        """W - W' is another matrix than P (M - M') at some pair of the box, or alpha ||P|| Z is above one."""
        out, _ = self.opened(
            "on this box of models W - W' is not P (M - M') with the matrix P of the certificate, or alpha_lower times "
            "its largest column sum of sizes, times the chance of the current observation in the literal form, is "
            "above 1."
        )
        entries, columns = self.question.entries.polynomials, self.question.columns
        windows = sorted({w for _, M, _ in columns for w in M})
        channel = sorted({v for _, _, W in columns for v, x in W.items() if entries[x][1]})
        most = self.alpha * max(sum(abs(Fraction(row[w])) for row in P) for w in range(len(windows)))
        fails = []
        for Z, M, W in columns:
            if not self.joint:
                fails.append(f"(> {written(most * expression(entries[Z][0]))} 1.0)")
            for v, row in zip(channel, P, strict=True):
                by_signal = total(
                    Fraction(x) * expression(entries[M[w]][1]) for w, x in zip(windows, row, strict=True) if w in M
                )
                own = expression(entries[W[v]][1]) if v in W else Fraction(0)
                fails.append(f"(distinct {written(own)} {written(by_signal)})")
        if self.joint and most > 1:
            fails.append("true")
        out.asserted(f"(or {' '.join(fails)} false)")
        return out

    def index(self, window: Memory) -> int:
        number = 0
        for o in window:
            number = number * self.size + o
        return number


# --------------------------------------------------------------------------------------- Assumption 3.1(e)


def conversions(continuum: Continuum, claim: Claim, positive: bool) -> Iterator[Script]:
    """The inequality that the kernel shows, for every policy and chart; with ``positive`` no probability vanishes."""
    world, evidence = claim["id"] == "kl-world", claim["evidence"]
    c = Fraction(claim["values"]["c_KL_world_lower" if world else "c_KL_joint_lower"])
    for p, name in enumerate(continuum.game.policy_names):
        every = families(continuum, p, world, evidence["shears"].get(name, {}), "shears")
        for number, pair in enumerate(comparisons(every), 1):
            says = f"{claim['paper']}, {claim['id']}: {claim['statement']} Here c_KL = {c}."
            yield conversion(continuum, p, pair, c, positive, f"{says} Policy {name}, chart {number}.")


def conversion(continuum: Continuum, p: int, pair: Comparison, c: Fraction, positive: bool, says: str) -> Script:
    """Satisfiable exactly where two models of the chart have sum_tau 3 (P-P*)^2/(2P*+4P) < c sum_h E||...||^2."""
    out, t = opened(
        "QF_NRA",
        pair.chart,
        pair.chart.box,
        pair.entries.polynomials,
        says,
        "Without logarithms, and negated: models xi* and xi with sum over trajectories of 3 (P - P*)^2 / (2 P* + 4 P) "
        "< c_KL sum_h E ||(difference of the operators) q^xi*_{h-1}||_1^2, both sides divided by t^2. It suffices, "
        "since KL(P*||P) is the sum of P* log(P*/P) - P* + P, each at least 3 (P - P*)^2 / (2 P* + 4 P). Quotients are "
        "unknowns r."
        + (" No probability vanishes (3.1(d))." if positive else "")
        + " Where the coordinates are sheared, x stands for x less multiples of others, on an interval that holds it.",
    )
    star = [out.named(expression(p)) for p, _ in pair.entries.polynomials]
    quotient = [out.named(expression(q)) for _, q in pair.entries.polynomials]
    here = [out.named(total([x, t * d])) if d else x for x, d in zip(star, quotient, strict=True)]
    game, space, policy = continuum.game, continuum.space, continuum.policies[p]
    left: list[Any] = []
    right: list[Any] = []

    def applied(table: Any, values: list[Any], q: Vector) -> Vector:
        parts: dict[Any, list[Any]] = {}
        for state, mass in q.items():
            for key, number in table.get(state, {}).items():
                if values[number]:
                    parts.setdefault(key, []).append(values[number] * mass)
        return {key: total(terms) for key, terms in parts.items()}

    def walk(h: int, uA: Memory, weight: Fraction, u: Vector, d: Vector) -> None:
        """u, the unnormalised state of xi*, and d, the quotient of that of xi: d_h = J_h d_{h-1} + e_h."""
        if h == game.H:
            if d:
                change, P = out.named(total(d.values())), out.named(total(u.values()))
                size = out.named(total([6 * P, 4 * (t * change)]))
                left.append(out.quotient(3 * weight * (change * change), size, positive))
            return
        inverse = out.quotient(Fraction(1), out.named(total(u.values())), positive)
        for o in range(len(game.OA)):
            for a, chance in enumerate(policy[h][space.row(uA, o, True)]):
                if not chance:
                    continue
                forward = pair.J[h][o, a]
                after, longer = applied(forward, star, u), applied(forward, here, d)
                for key, entry in applied(forward, quotient, u).items():
                    longer[key] = total([longer[key], entry]) if key in longer else entry
                after, longer = ({key: out.named(x) for key, x in v.items()} for v in (after, longer))
                moved = applied(pair.compared[h][o, a], quotient, u)
                if moved and after:
                    norm = out.named(total(out.size(x) for x in moved.values()) * inverse)
                    right.append(weight * chance * (norm * norm * total(after.values())))
                if after or longer:
                    walk(h + 1, space.next(uA, o, a, True), weight * chance, after, longer)

    walk(0, (), Fraction(1), {key: Fraction(m) for key, m in continuum.initial().items()}, {})
    out.asserted(f"(< {written(total(left))} {written(c * total(right))})")
    return out
