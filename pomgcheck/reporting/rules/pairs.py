"""Tells the trees of rule ``pairs``: how many charts and boxes cover the pairs of models, and what holds on each box.

Charts and enclosures are the kernel's own (``pairs``); both sides of the inequality are enclosed
again here, box by box, so that a reader sees how much room each leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.kernel import divergence, forms
from pomgcheck.kernel.boxes import Box, halves
from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.pairs import Chart, Leaf, cover, over
from pomgcheck.kernel.polynomials import Polynomial, polynomial
from pomgcheck.kernel.problems import PLACE, RatioTerms, problems, spelled
from pomgcheck.kernel.reading import Malformed
from pomgcheck.kernel.simplex import Proof, Rules
from pomgcheck.reporting import kernels
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.numbers import decimal, fraction, shortened
from pomgcheck.reporting.spans import NOTHING, Field, Inline, Label, Math, joined, listed, say
from pomgcheck.reporting.words import exact

Node = list[Any]
MOST_CELLS = 64  # that are enclosed again
MOST_SHOWN = 12  # in a table; of more the tightest is told
MOST_STATES = 12  # pure states in the table of a case
LONGEST = 40  # characters of a polynomial


class EnclosedBox(NamedTuple):
    """This is one box of a chart with the policy or the number of the case, what settles it, and both sides there where
    they are two numbers.

    ``slack`` is the least that the inequality leaves; for Assumption 2.4 it is how much larger a ratio is shown.
    """

    where: Inline
    how: Inline
    box: Box
    sides: tuple[Fraction, Fraction] | None
    slack: Fraction
    told: Callable[[], list[Block]] | None = None


# --------------------------------------------------------------------------------------- counts


def leaves(tree: Node) -> Iterator[tuple[Node, int]]:
    """Return the leaves of a tree of boxes in order, each with the cuts above it; what settles them is left unopened."""
    ahead = [(undivided(tree), 0)]
    while ahead:
        node, depth = ahead.pop()
        if node[0] != "split":
            yield node, depth
            continue
        ahead += (node[4], depth + 1), (node[3], depth + 1)


def undivided(tree: Node) -> Node:
    """Return the boxes of a chart, below the common factor that all differences are divided by, if there is one."""
    return tree[2] if tree[0] == "over" else tree


def kinds(node: Node) -> Iterator[str]:
    """Return the kind of every node below a box: "cut", "test" and "factor", or "box"."""
    ahead = [node]
    while ahead:
        here = ahead.pop()
        yield here[0]
        if here[0] == "cut":
            ahead += here[4:]


def charts(claim: RecordedClaim) -> list[Node]:
    """Return the trees of all charts: those of 3.1(e) policy by policy, those of 2.4 beside their problem."""
    trees = claim.proof.trees
    if isinstance(trees, Mapping):
        return [tree for part in trees.values() for tree in part]
    return [entry["tree"] for entry in trees]


def boxed(claim: RecordedClaim) -> bool:
    """Return whether a proof is about boxes of pairs of models: not that of a finite class."""
    rule, trees = claim.proof.rule, claim.proof.trees
    return rule == "pairs" or rule == "tests" and any(x["chart"] or x["tree"][0] == "split" for x in trees)


def covered(claim: RecordedClaim) -> Inline:
    """Return what the trees over pairs of models cover."""
    boxes = sum(1 for tree in charts(claim) for _ in leaves(tree))
    return say(
        "The pairs of models, those that approach each other included, are covered by {n}: a model, the "
        "direction of the other, and how far it is; both sides are divided by the distance.",
        n=counted(boxes, "box", "boxes"),
    )


SETTLED = {
    "test": "Settled by a test function",
    "factor": "Settled by a factor",
    "cut": "Cuts of the simplex",
    "box": "Settled by a quotient below the divergence",
}


def summary(cert: Certificate, claim: RecordedClaim) -> list[Block]:
    """Return how many charts, boxes and leaves of each kind, and the boxes themselves, or the tightest of many."""
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
    counts = ((words, f"{n:,}") for words, n in rows)
    table = Table.of("What covers the pairs of models", ("Part", "Number"), counts)
    return [table, *(enclosed(cert, claim) if len(found) <= MOST_CELLS else finest(claim))]


def finest(claim: RecordedClaim) -> list[Block]:
    """Return the deepest box of many; its cuts are told by the certificate alone."""
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
    cuts = counted(best[0], "cut")
    return [Paragraph.of("The finest box, {n} deep, has {s}. All of them are in the certificate.", n=cuts, s=sides)]


# ------------------------------------------------------------------------------------ enclosures


def enclosed(cert: Certificate, claim: RecordedClaim) -> list[Block]:
    """Return every box with what it leaves, or the tightest one."""
    cells = list(QUESTIONS[claim.id](cert, claim))
    if not cells:
        return []
    tightest = min(cells, key=lambda cell: cell.slack / (cell.sides[1] if cell.sides and cell.sides[1] else 1))
    shown = cells if len(cells) <= MOST_SHOWN else [tightest]
    return [table(shown, len(cells)), *legend(cells), *(tightest.told() if tightest.told else [])]


def table(cells: Sequence[EnclosedBox], of: int) -> Table:
    """Return one row per box."""
    columns = (
        ("Case", "Pairs of models", "Settled by", "Above α by ≥")
        if cells[0].sides is None
        else ("Policy", "Pairs of models", "Left side ≥", "Right side ≤", "Difference ≥")
    )

    def settled(cell: EnclosedBox) -> tuple[Field, ...]:
        return (decimal(cell.sides[0], "down"), decimal(cell.sides[1], "up")) if cell.sides else (cell.how,)

    rows = ((cell.where, box(cell.box), *settled(cell), decimal(cell.slack, "down")) for cell in cells)
    every = len(cells) == of
    which = "The boxes, and what the inequality leaves on each"
    return Table.of(
        which if every else f"The tightest of {of} boxes, and what the inequality leaves on it", columns, rows
    )


def box(found: Box) -> Inline:
    """Return words such as ``x in [0, 1/4] and x′ in [1/4, 1/2]``."""
    return listed(
        say("{x} in {r}", x=Math(symbol(name)), r=Label(f"[{shortened(str(low))}, {shortened(str(high))}]"))
        for name, (low, high) in sorted(found.items(), key=lambda side: side[0].partition(".")[2])
    )


def symbol(name: str) -> str:
    """Return a coordinate of a chart: ``theta.x`` is x, ``theta.x'`` x′, and the slope ``theta.y/theta.x`` Δy/Δx; the
    difference ``theta.x'-theta.x`` is x′ − x."""
    if "'-" in name:
        return " − ".join(map(symbol, name.split("-", 1)))
    over = [part.partition(".")[2] or part for part in name.split("/")]
    return "/".join(f"Δ{part}" for part in over) if len(over) > 1 else over[0].replace("'", "′")


def legend(cells: Sequence[EnclosedBox]) -> list[Block]:
    """Return what the coordinates and the two sides are."""
    names = {name for cell in cells for name in cell.box}
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
    """Return a number of the kernel's enclosures."""
    return Fraction(form, forms.ONE)


def facts_of(cert: Certificate) -> Facts:
    """Return what the kernel knows of the class."""
    game = Game(cert.model)
    return Facts(game, read_options(cert.options.document, game))


def conversion(cert: Certificate, claim: RecordedClaim) -> Iterator[EnclosedBox]:
    """Yield both sides of Assumption 3.1(e) on every box."""
    continuum, evidence, world = facts_of(cert).continuum, claim.proof, claim.id == "kl-world"
    c = fraction(claim.values.written["c_KL_world_lower" if world else "c_KL_joint_lower"])
    for p, name in enumerate(continuum.game.policy_names):
        families = divergence.families(continuum, p, world, evidence.shears.get(name, {}), name)
        for pair, tree in zip(divergence.comparisons(families), evidence.trees[name], strict=True):
            factor, below = over(pair.chart, tree, name)
            play = divergence.PairPlay(continuum, p, pair, factor, name, cert.options.operators == "summed")
            for leaf, _ in visited(pair.chart, below):
                bounds, right = list(play.lefts(leaf)), play.right(leaf).times(c)
                slack = max((left - right).low for left in bounds)
                sides = size(max(left.low for left in bounds)), size(right.high)
                yield EnclosedBox((Label(name),), NOTHING, leaf.box, sides, size(slack))


def visited(chart: Chart, tree: Node) -> list[tuple[Leaf, Node]]:
    """Return the leaves of a chart that hold a pair of the class."""
    found: list[tuple[Leaf, Node]] = []
    cover(chart, tree, "trees", lambda leaf, node: found.append((leaf, node)))
    return found


def weak_revealing(cert: Certificate, claim: RecordedClaim) -> Iterator[EnclosedBox]:
    """Yield on every box a ratio of Assumption 2.4 that its tests or factors show for all predictive states."""
    facts, evidence = facts_of(cert), claim.proof
    alpha = claim.values.fraction("alpha_lower")
    rules = Rules.read(Case(facts, claim.id, claim.values.written), alpha, claim.evidence)
    trees = {spelled({x: entry[x] for x in PLACE}): entry["tree"] for entry in evidence.trees}
    asked = list(problems(facts))
    if {problem.key for problem in asked} != {*trees} or len(evidence.trees) != len(asked):
        raise Malformed("trees", f"{len(evidence.trees)} trees", f"one for each of the {len(asked)} problems")
    for k, problem in enumerate(asked, 1):
        proof = Proof(rules, problem)
        vertices, below = proof.opened(trees[problem.key])
        for box, node in parts(below, problem.chart.box):
            if not proof.outside(box):
                shown = most_shown(proof, node, box, vertices)
                told = partial(columns, proof, node[1], vertices) if node[0] == "test" else None
                yield EnclosedBox(say("{k}", k=str(k)), settler(node, len(rules.tests)), box, None, shown, told)


def parts(node: Node, box: Box) -> Iterator[tuple[Box, Node]]:
    """Return the leaves of a tree with their boxes."""
    if node[0] != "split":
        yield box, node
        return
    for half, below in zip(halves(box, node[1], node[2], "trees"), node[3:], strict=True):
        yield from parts(below, half)


def most_shown(proof: Proof, node: Node, box: Box, vertices: list[RatioTerms]) -> Fraction:
    """Return how much more than alpha_lower the node shows on the box, to a thousandth of it and at most twice as
    much."""
    rules, low, high = proof.rules, 0, 1024
    while high - low > 1:
        middle = (low + high) // 2
        proof.rules = rules._replace(alpha=rules.alpha * (1 + Fraction(middle, 1024)))
        try:
            proof.show(node, box, vertices)
            low = middle
        except Rejected:
            high = middle
    proof.rules = rules
    return rules.alpha * Fraction(low, 1024)


def settler(node: Node, tests: int) -> Inline:
    """Return what settles a box."""
    if node[0] == "test":
        return say("the test function") if tests == 1 else say("test function y{k}", k=str(node[1] + 1))
    if node[0] == "factor":
        return say("a factor")
    pieces = sum(kind != "cut" for kind in kinds(node))
    return say("{n} of the simplex", n=counted(pieces, "piece"))


def columns(proof: Proof, k: int, vertices: list[RatioTerms]) -> list[Block]:
    """Return the quotients of the tightest box by pure state: the signal and the channels' difference."""
    game, (values, unit) = proof.rules.case.facts.game, proof.rules.tests[k]
    if not 0 < len(vertices) <= MOST_STATES:
        return []
    states = game.S if len(vertices) == len(game.S) else ()
    masses, rows = proof.problem.mass, []
    for j, (Z, _, _, dM, dW) in enumerate(vertices):
        signal = sum((x * values[proof.index(window)] for window, x in dM.items()), Polynomial()) / (unit * masses)
        known = all(not isinstance(x, Polynomial) or set(x) <= {()} for x in dW.values())
        norm = sum((abs(polynomial(x).get((), 0)) for x in dW.values()), Fraction(0)) / masses if known else None
        name = Label(states[j]) if states else f"state {j + 1}"
        chance = polynomial(Z) * Fraction(1, proof.problem.unit)
        rows.append((name, value(chance), value(polynomial(signal)), value(norm)))
    caption = "The tightest box, hidden state by hidden state: u and u′ as below, t the distance of the models"
    return [Table.of(caption, ("Hidden state", "Z", "(u′ − u)/t", "‖W′ − W‖₁/t"), rows)]


def value(p: Polynomial | Fraction | None) -> Inline:
    """Return a polynomial in the coordinates of a chart; what is long, or has divisors, is left out."""
    if p is None:
        return say("varies")
    p = polynomial(p)
    if not p.axes:
        return exact(Fraction(p.get((), 0)))
    shown = kernels.formula({tuple(sorted(map(symbol, key))): Fraction(x) for key, x in p.items()})
    return say("varies") if kernels.divided(p) or len(shown) > LONGEST else (Math(shown),)


QUESTIONS: dict[str, Callable[[Certificate, RecordedClaim], Iterator[EnclosedBox]]] = {
    "weak-revealing": weak_revealing,
    "kl-joint": conversion,
    "kl-world": conversion,
}
