"""The trees of rule ``pairs`` to read: how many charts and boxes cover the pairs of models, and what holds on each box.

Charts and enclosures are the kernel's own (:mod:`pomgcheck.kernel.pairs`); both sides of the inequality are enclosed
again here, box by box, so that a reader sees how much room each leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any, NamedTuple

from pomgcheck.kernel import divergence, forms, revealing
from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.forms import Form
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.pairs import STEP, Chart, Leaf, cover, over
from pomgcheck.kernel.polynomials import Inverse, Polynomial
from pomgcheck.reporting import kernels as written
from pomgcheck.reporting.blocks import NOTHING, Block, Inline, Label, Math, Paragraph, Table, joined, listed, say
from pomgcheck.reporting.numbers import decimal, fraction, shortened
from pomgcheck.reporting.words import counted, exact

Certificate = Mapping[str, Any]
Claim = Mapping[str, Any]
Node = list[Any]
MOST_CELLS = 64  # that are enclosed again
MOST_SHOWN = 12  # in a table; of more the tightest is told
MOST_STATES = 12  # pure states in the table of a case
LONGEST = 40  # characters of a polynomial


class Cell(NamedTuple):
    """One box of a chart: the policy or the number of the case, what settles it, and both sides there where they are
    two numbers; ``slack`` is the least that the inequality leaves."""

    where: Inline
    how: Inline
    leaf: Leaf
    sides: tuple[Fraction, Fraction] | None
    slack: Fraction
    told: Callable[[], list[Block]] | None = None


# --------------------------------------------------------------------------------------- counts


def leaves(tree: Node) -> Iterator[tuple[Node, int]]:
    """The leaves of a tree of boxes in order, each with the cuts above it; what settles them is left unopened."""
    ahead = [(undivided(tree), 0)]
    while ahead:
        node, depth = ahead.pop()
        if node[0] != "split":
            yield node, depth
            continue
        ahead += (node[4], depth + 1), (node[3], depth + 1)


def undivided(tree: Node) -> Node:
    """The boxes of a chart, below the common factor that all differences are divided by, if there is one."""
    return tree[2] if tree[0] == "over" else tree


def kinds(node: Node) -> Iterator[str]:
    """The kind of every node below a box: "cut", "test" and "factor", or "box"."""
    ahead = [node]
    while ahead:
        here = ahead.pop()
        yield here[0]
        if here[0] == "cut":
            ahead += here[4:]


def charts(claim: Claim) -> list[Node]:
    """The trees of all charts; those of 3.1(e) stand policy by policy."""
    trees = claim["evidence"]["trees"]
    return [tree for part in trees.values() for tree in part] if isinstance(trees, Mapping) else list(trees)


SETTLED = {
    "test": "Settled by a test function",
    "factor": "Settled by a factor",
    "cut": "Cuts of the simplex",
    "box": "Settled by a quotient below the divergence",
}


def summary(cert: Certificate, claim: Claim) -> list[Block]:
    """How many charts, boxes and leaves of each kind, and the boxes themselves, or the tightest of many."""
    found = [leaf for tree in charts(claim) for leaf in leaves(tree)]
    if not found:
        return []
    count = Counter(kind for node, _ in found for kind in kinds(node))
    deepest = max(depth for _, depth in found)
    rows = [
        ("Charts", len(charts(claim))),
        ("Boxes", len(found)),
        ("Cuts of a box in a row, at most", deepest),
        *((words, count[kind]) for kind, words in SETTLED.items() if count[kind]),
    ]
    table = Table(
        "What covers the pairs of models",
        ("Part", "Number"),
        tuple((say("{w}", w=words), say("{n}", n=f"{n:,}")) for words, n in rows),
    )
    return [table, *(enclosed(cert, claim) if len(found) <= MOST_CELLS else finest(claim))]


def finest(claim: Claim) -> list[Block]:
    """The deepest box of many: its cuts are told by the certificate alone."""
    best: tuple[int, list[tuple[str, str, str]]] = (0, [])
    for tree in charts(claim):
        ahead: list[tuple[Node, list[tuple[str, str, str]]]] = [(undivided(tree), [])]
        while ahead:
            node, path = ahead.pop()
            if node[0] == "split":
                _, axis, at, below, above = node
                ahead += (above, [*path, (axis, "≥", at)]), (below, [*path, (axis, "≤", at)])
            elif len(path) > best[0]:
                best = len(path), path
    bounds = {(axis, sign): at for axis, sign, at in best[1]}  # the last cut of an axis from a side is the closest
    sides = listed(
        say("{x} {s} {at}", x=Math(symbol(axis)), s=sign, at=Label(shortened(at)))
        for (axis, sign), at in sorted(bounds.items())
    )
    return [
        Paragraph(
            say(
                "The finest box, {n} deep, has {sides}. All of them are in the certificate.",
                n=counted(best[0], "cut"),
                sides=sides,
            )
        )
    ]


# ------------------------------------------------------------------------------------ enclosures


def enclosed(cert: Certificate, claim: Claim) -> list[Block]:
    """Every box with what it leaves, or the tightest one."""
    cells = list(QUESTIONS[claim["id"]](cert, claim))
    if not cells:
        return []
    tightest = min(cells, key=lambda cell: cell.slack / (cell.sides[1] if cell.sides and cell.sides[1] else 1))
    shown = cells if len(cells) <= MOST_SHOWN else [tightest]
    return [table(shown, len(cells)), *legend(cells), *(tightest.told() if tightest.told else [])]


def table(cells: Sequence[Cell], of: int) -> Table:
    """A row a box."""
    two = cells[0].sides is not None
    columns = (
        ("Policy", "Pairs of models", "Left side ≥", "Right side ≤", "Difference ≥")
        if two
        else ("Case", "Pairs of models", "Settled by", "Slack ≥")
    )
    rows = tuple(
        (
            cell.where,
            box(cell.leaf),
            *((lower(cell.sides[0]), upper(cell.sides[1])) if cell.sides else (cell.how,)),
            lower(cell.slack),
        )
        for cell in cells
    )
    what = (
        "The boxes, and what the inequality leaves on each"
        if len(cells) == of
        else (f"The tightest of {of} boxes, and what the inequality leaves on it")
    )
    return Table(what, columns, rows)


def lower(x: Fraction) -> Inline:
    """A lower bound, rounded down."""
    return say("{x}", x=decimal(x, "down"))


def upper(x: Fraction) -> Inline:
    """An upper bound, rounded up."""
    return say("{x}", x=decimal(x, "up"))


def box(leaf: Leaf) -> Inline:
    """``x in [0, 1/4] and x′ in [1/4, 1/2]``."""
    return listed(
        say("{x} in {r}", x=Math(symbol(name)), r=Label(f"[{shortened(str(low))}, {shortened(str(high))}]"))
        for name, (low, high) in sorted(leaf.box.items(), key=lambda side: side[0].partition(".")[2])
    )


def symbol(name: str) -> str:
    """A coordinate of a chart: ``theta.x`` is x, ``theta.x'`` x′, and the slope ``theta.y/theta.x`` Δy/Δx."""
    over = [part.partition(".")[2] or part for part in name.split("/")]
    return "/".join(f"Δ{part}" for part in over) if len(over) > 1 else over[0].replace("'", "′")


def legend(cells: Sequence[Cell]) -> list[Block]:
    """What the coordinates and the two sides are."""
    names = {name for cell in cells for name in cell.leaf.box}
    told = [say("Parameters with a mark are the second model's.")] if any("'" in x for x in names) else []
    if any("/" in x for x in names):
        told.append(say("A quotient says how one parameter changes with another."))
    if cells[0].sides is not None:
        told.append(
            say(
                "Left is the sum over all plays of $3 (P* − P)^2/(2 P* + 4 P)$, which is at most that of "
                "$P* log(P*/P) − P* + P$ and so the divergence; right is the constant times the operators' squared "
                "differences. Both are divided by the squared distance of the models, and bounded by quadratic functions, "
                "whose difference may be bounded more closely than each."
            )
        )
    return [Paragraph(joined(*told))] if told else []


def size(form: int) -> Fraction:
    """A number of the kernel's enclosures."""
    return Fraction(form, forms.ONE)


def facts_of(cert: Certificate) -> Facts:
    """What the kernel knows of the class."""
    game = Game(cert["model"])
    return Facts(game, read_options(cert["options"], game))


def conversion(cert: Certificate, claim: Claim) -> Iterator[Cell]:
    """Assumption 3.1(e): both sides on every box."""
    continuum, evidence, world = facts_of(cert).continuum, claim["evidence"], claim["id"] == "kl-world"
    c = fraction(claim["values"]["c_KL_world_lower" if world else "c_KL_joint_lower"])
    for p, name in enumerate(continuum.game.policy_names):
        families = divergence.families(continuum, p, world, evidence["shears"].get(name, {}), name)
        for pair, tree in zip(divergence.comparisons(families), evidence["trees"][name], strict=True):
            factor, below = over(pair.chart, tree, name)
            play = divergence.Play(continuum, p, pair, factor, name)
            for leaf, _ in visited(pair.chart, below):
                bounds, right = list(play.lefts(leaf)), play.right(leaf).times(c)
                slack = max((left - right).low for left in bounds)
                sides = size(max(left.low for left in bounds)), size(right.high)
                yield Cell((Label(name),), NOTHING, leaf, sides, size(slack))


def visited(chart: Chart, tree: Node) -> list[tuple[Leaf, Node]]:
    """The leaves of a chart that hold a pair of the class."""
    found: list[tuple[Leaf, Node]] = []
    cover(chart, tree, "trees", lambda leaf, node: found.append((leaf, node)))
    return found


def weak_revealing(cert: Certificate, claim: Claim) -> Iterator[Cell]:
    """Assumption 2.4: what the inequalities of a box leave, on all pieces of the simplex together."""
    facts, evidence = facts_of(cert), claim["evidence"]
    joint = cert["options"]["weak_revealing"]["form"] == "joint"
    tests = [list(map(fraction, y)) for y in evidence["tests"]]
    factors = [[list(map(fraction, row)) for row in P] for P in evidence["factors"]]
    alpha = fraction(claim["values"]["alpha_lower"])
    asked = revealing.questions(facts.continuum, cert["options"]["kappa"], not joint)
    for k, (question, tree) in enumerate(zip(asked, evidence["trees"], strict=True), 1):
        factor, below = over(question.chart, tree, "trees")
        question.entries.divide(factor, "trees")
        for leaf, node in visited(question.chart, below):
            case = Case(question, leaf, facts.game, joint, alpha)
            slack = case.slack(node, question.vertices(leaf), tests, factors)
            told = (lambda case=case, y=tests[node[1]]: case.told(y)) if node[0] == "test" else None
            yield Cell(say("{k}", k=str(k)), settler(node, len(tests)), leaf, None, slack, told)


def settler(node: Node, tests: int) -> Inline:
    """What settles a box."""
    if node[0] == "test":
        return say("the test function") if tests == 1 else say("test function y{k}", k=str(node[1] + 1))
    if node[0] == "factor":
        return say("a factor")
    pieces = sum(kind != "cut" for kind in kinds(node))
    return say("{n} of the simplex", n=counted(pieces, "piece"))


class Case(NamedTuple):
    """A problem of Assumption 2.4 on one box."""

    question: revealing.Question
    leaf: Leaf
    game: Game
    joint: bool
    alpha: Fraction

    def slack(self, node: Node, vertices: list[Any], tests: list[list[Fraction]], factors: list[Any]) -> Fraction:
        """The least that an inequality leaves; of a factor, 1 − α N Z."""
        if node[0] == "cut":
            _, i, j, at, left, right = node
            point = revealing.mixed(vertices[i], vertices[j], fraction(at))
            halves = ((left, j), (right, i))
            return min(
                self.slack(part, [point if k == gone else v for k, v in enumerate(vertices)], tests, factors)
                for part, gone in halves
            )
        if node[0] == "factor":
            N = self.alpha * max(sum(map(abs, column), Fraction(0)) for column in zip(*factors[node[1]], strict=True))
            return 1 - (N if self.joint else max(size(v[0].times(N).high) for v in vertices))
        asked = [form for form in self.inequalities(tests[node[1]], vertices) if not form.zero]  # of which 0 ≥ 0
        return min((size(form.low) for form in asked), default=Fraction(0))

    def tested(self, y: Sequence[Fraction], law: Mapping[Any, Form]) -> Form:
        """y·M."""
        base = len(self.game.OA)
        return forms.total((form.times(y[number(window, base)]) for window, form in law.items()), self.leaf.dimension)

    def channel(self, column: Any) -> Form:
        """The l1 norm of the column of (W′ − W)/t."""
        return forms.total((form.magnitude() for form in column[4].values()), self.leaf.dimension)

    def inequalities(self, y: Sequence[Fraction], vertices: list[Any]) -> Iterator[Form]:
        """Left less right side of each, divided by t: those of ``revealing.Problem.sides``."""
        n = range(len(vertices))
        c = [self.channel(v).times(self.alpha) for v in vertices]
        d = [self.tested(y, v[3]) for v in vertices]
        Z = [v[0] for v in vertices]
        if self.joint:
            yield from (d[i] - c[i] for i in n)
        elif self.question.shared:
            yield from (d[i] + d[j] - Z[i] * c[j] - Z[j] * c[i] for i, j in combinations_with_replacement(n, 2))
        else:
            step = self.leaf.t * self.leaf.form(self.question.entries.factor)
            Z_, u = [v[0] + step * v[1] for v in vertices], [self.tested(y, v[2]) for v in vertices]
            for places in combinations_with_replacement(n, 3):
                left = (Z[i] * d[j] - vertices[i][1] * u[j] for i, j in permutations(places, 2))
                right = (Z[i] * Z_[j] * c[k] for i, j, k in permutations(places))
                yield forms.total(left, self.leaf.dimension) - forms.total(right, self.leaf.dimension)

    def told(self, y: Sequence[Fraction]) -> list[Block]:
        """The quotients of the tightest box by pure state: the signal and the channels' difference."""
        columns, entries = self.question.columns, self.question.entries.polynomials
        if not 0 < len(columns) <= MOST_STATES:
            return []
        states = self.game.S if len(columns) == len(self.game.S) else ()
        rows = []
        for k, (column, (Z, M, W)) in enumerate(zip(self.question.vertices(self.leaf), columns, strict=True)):
            base = len(self.game.OA)
            signal = sum((entries[x][1] * y[number(window, base)] for window, x in M.items()), Polynomial())
            parts = [entries[x][1] for x in W.values()]
            known = all(set(part) <= {()} for part in parts)
            norm = Polynomial({(): sum((abs(part.get((), 0)) for part in parts), Fraction(0))}) if known else None
            name = say("{s}", s=Label(states[k]) if states else f"state {k + 1}")
            rows.append(
                (
                    name,
                    value(entries[Z][0], column[0]),
                    value(signal, self.tested(y, column[3])),
                    value(norm, self.channel(column)),
                )
            )
        caption = "The tightest box, hidden state by hidden state: u and u′ as below, t the distance of the models"
        return [Table(caption, ("Hidden state", "Z", "(u′ − u)/t", "‖W′ − W‖₁/t"), tuple(rows))]


def number(window: Sequence[int], base: int) -> int:
    """The place of a window among all of its length."""
    place = 0
    for o in window:
        place = place * base + o
    return place


def value(p: Polynomial | None, form: Form) -> Inline:
    """A polynomial in the coordinates of a chart; what is long, or has divisors, by its bounds on the box."""
    if p is not None and not any(isinstance(name, Inverse) for key in p for name in key):
        if set(p) <= {()}:
            return exact(Fraction(p.get((), 0)))
        terms = {
            tuple(sorted(STEP if name == STEP else symbol(name) for name in key)): Fraction(x) for key, x in p.items()
        }
        shown = str(written.Terms(terms))
        if len(shown) <= LONGEST:
            return (Math(shown),)
    return say("in {r}", r=Label(f"[{decimal(size(form.low), 'down')}, {decimal(size(form.high), 'up')}]"))


QUESTIONS: dict[str, Callable[[Certificate, Claim], Iterator[Cell]]] = {
    "weak-revealing": weak_revealing,
    "kl-joint": conversion,
    "kl-world": conversion,
}
