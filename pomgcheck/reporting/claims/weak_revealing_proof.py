"""Works Assumption 2.4 out at the place where the smallest ratio was found: the proof that the certificate gives for
the case of that place, and the ratio itself.

A proof is a tree: the simplex of predictive states is cut into pieces, and each piece is settled by a test function or
by a factor.  Of the certificate's trees the first is shown that settles the case, with every number computed again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.claims.weak_revealing_problem import Coordinate, RevealingCase, Vertex
from pomgcheck.reporting.evaluation import Memory, Stage, l1
from pomgcheck.reporting.numbers import fraction, number
from pomgcheck.reporting.rules import pairs
from pomgcheck.reporting.spans import Field, Inline, Label, Math, joined, listed, say
from pomgcheck.reporting.words import exact, point, short

MOST_STATES = 6  # pure states beside each other in an inequality
MOST_TESTS = 3  # test functions written out
MOST_WINDOWS = 9  # arguments of a test function
MOST_PIECES = 24  # of a simplex
MOST_ENTRIES = 64  # of a factor written out


def worked(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return the proof of the tightest case, and the smallest ratio."""
    place, evidence = claim.proof.at, claim.proof
    stage = Stage(cert, place.models, place.pi)
    kappa, h = cert.options.kappa, place.h - 1
    states = stage.pure_states(h) if stage.small else []
    if not 0 < len(states) <= MOST_STATES or len(stage.game.OA) ** kappa > MOST_WINDOWS:
        return []
    problem = RevealingCase(stage, place, kappa, states, cert.options.form == "literal")
    ratio = smallest_ratio(problem, place)
    if evidence.rule != "tests":
        return ratio
    sign = 1 if pairs.boxed(claim) else -1  # certificates take the second world less the first
    tests = [[sign * fraction(x) for x in y] for y in evidence.tests]
    shown = [test_functions(tests, problem.windows)] if 0 < len(tests) <= MOST_TESTS else []
    return [*shown, *proof(problem, claim, tests, claim.values.fraction("alpha_lower")), *ratio]


# ------------------------------------------------------------------------------------- the proof


def pieces(problem: RevealingCase, node: list[Any], vertices: list[Vertex]) -> Iterator[tuple[list[Any], list[Vertex]]]:
    """Return the leaves of a tree of cuts with the vertices of their pieces."""
    ahead = [(node, vertices)]
    while ahead:
        node, corners = ahead.pop()
        if node[0] != "cut":
            yield node, corners
            continue
        _, i, j, at, left, right = node
        between = problem.between(corners[i], corners[j], fraction(at))
        ahead.append((right, [between if k == i else v for k, v in enumerate(corners)]))
        ahead.append((left, [between if k == j else v for k, v in enumerate(corners)]))


def trees(claim: RecordedClaim) -> list[list[Any]]:
    """Return the different trees of cuts of the certificate, at the leaves of its boxes."""
    cases = [leaf for tree in pairs.charts(claim) for leaf, _ in pairs.leaves(tree)]
    return list({str(tree): tree for tree in cases}.values())


def size(tree: list[Any]) -> int:
    """Return the pieces that a tree makes."""
    return 1 if tree[0] != "cut" else size(tree[4]) + size(tree[5])


def proof(problem: RevealingCase, claim: RecordedClaim, tests: list[list[Fraction]], alpha: Fraction) -> list[Block]:
    """Return the first tree that settles the case, told."""
    factors = [[list(map(fraction, row)) for row in P] for P in claim.proof.factors]
    for tree in trees(claim):
        if size(tree) > MOST_PIECES:
            continue
        vertices = problem.pure if tree[0] in ("test", "factor") else problem.corners
        found = list(pieces(problem, tree, vertices))
        for sign in (1, -1):  # the case may stand in the other order
            signed = [[sign * x for x in y] for y in tests]
            if all(settled(problem, node, part, signed, factors, alpha) for node, part in found):
                if tree[0] == "factor":
                    return by_factor(problem, factors[tree[1]], alpha)
                return by_tests(problem, found, signed, sign, alpha)
    return []


def settled(
    problem: RevealingCase,
    node: list[Any],
    vertices: list[Vertex],
    tests: list[list[Fraction]],
    factors: list[list[list[Fraction]]],
    alpha: Fraction,
) -> bool:
    """Return whether a leaf shows ratio ≥ α on the hull of the vertices."""
    if node[0] == "test":
        return problem.holds(tests[node[1]], vertices, alpha)
    P = factors[node[1]]
    return problem.factored(P) is not None and alpha * column_sum(P) * largest(problem, vertices) <= 1


def column_sum(P: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the largest column sum of |P|."""
    return max(sum(map(abs, column), Fraction(0)) for column in zip(*P, strict=True))


def largest(problem: RevealingCase, vertices: Sequence[Vertex]) -> Fraction:
    """Return the largest chance of the observation, where the form divides by it."""
    return max(v.Z[0] for v in vertices) if problem.literal else Fraction(1)


def test_functions(tests: Sequence[Sequence[Fraction]], windows: Sequence[Memory]) -> Table:
    """Return a table with one row per window and one column per test function."""
    names = ["Value"] if len(tests) == 1 else [f"Value of y{k}" for k in range(1, len(tests) + 1)]
    title = "The test function" if len(tests) == 1 else "The test functions"
    rows: Iterator[tuple[Field, ...]]
    rows = ((Label(", ".join(window)), *(exact(y[k]) for y in tests)) for k, window in enumerate(windows))
    return Table.of(title, ("The learner sees next", *names), rows)


ASKED = (
    "$d_j ≥ α_κ c_j$ for every $j$",
    "$d_i + d_j ≥ α_κ (Z_i c_j + Z_j c_i)$ for every pair $i ≤ j$, the emission being the same in both worlds",
    "for all $i ≤ j ≤ k$, summed over their orders, $Z′_i u_j − Z_i u′_j ≥ α_κ Z_i Z′_j c_k$",
)


def by_tests(
    problem: RevealingCase,
    found: Sequence[tuple[list[Any], list[Vertex]]],
    tests: Sequence[Sequence[Fraction]],
    sign: int,
    alpha: Fraction,
) -> list[Block]:
    """Return what is asked of the test functions at the tightest case, and how it holds, piece by piece."""
    used = sorted({node[1] for node, _ in found})
    y = (
        "the test function"
        if len(tests) == 1
        else f"test function y{used[0] + 1}"
        if len(used) == 1
        else ("the piece's test function")
    )
    turned = say("The models standing in the other order, its sign is turned.") if sign < 0 else ()
    cut = (
        say(
            "The simplex of predictive states is cut into {n} pieces, and $j$ runs over the corners of one.",
            n=str(len(found)),
        )
        if len(found) > 1
        else ()
    )
    chances = (
        say("$Z_j$ be the probability")
        if problem.shared
        else (say("$Z_j$ and $Z′_j$ be the two worlds' probabilities"))
    )
    asked = say(ASKED[0 if not problem.literal else 1 if problem.shared else 2])
    data_of = say(
        "At the place of the smallest ratio, let {Z} of the observation in the hidden state j, $u_j$ and $u′_j$ "
        "the expectations of {y} in the two worlds together with it, $d_j = u_j − u′_j$, and $c_j$ the $ℓ_1$ norm "
        "of column j of $W − W′$. The case asks for {asked}: the signal on the left is then at least $α_κ$ times the "
        "difference of the channels at every mixture.",
        y=y,
        asked=asked,
        Z=chances,
    )
    told = Paragraph(joined(data_of, turned, cut))
    if len(found) == 1:
        node, vertices = found[0]
        return [told, data(problem, vertices, tests[node[1]]), *inequalities(problem, vertices, tests[node[1]], alpha)]
    return [told, pieces_table(problem, found, tests, alpha)]


def pieces_table(
    problem: RevealingCase,
    found: Sequence[tuple[list[Any], list[Vertex]]],
    tests: Sequence[Sequence[Fraction]],
    alpha: Fraction,
) -> Table:
    """Return one row per piece of the simplex: its corners, its test function, and the least slack there."""
    rows = []
    for k, (node, vertices) in enumerate(found, 1):
        slack = min(left - alpha * right for _, left, right in problem.sides(tests[node[1]], vertices))
        corners = listed((problem.name(v) for v in vertices), last="to")
        rows.append((str(k), corners, f"y{node[1] + 1}", exact(slack)))
    return Table.of("The pieces", ("Piece", "Corners", "Test function", "Least slack"), rows)


def data(problem: RevealingCase, vertices: Sequence[Vertex], y: Sequence[Fraction]) -> Table:
    """Return Z, u, d and c at every vertex, and Z′ where it is not Z."""
    rows = []
    for v in vertices:
        u, u_ = v.tested(y)
        emissions = v.Z[:1] if problem.shared else v.Z
        rows.append((problem.name(v), *map(exact, (*emissions, u, u_, u - u_, v.c))))
    Z = ("Z",) if problem.shared else ("Z", "Z′")
    return Table("The data of this case", ("Hidden state", *Z, "u", "u′", "d", "c"), tuple(rows))


def inequalities(
    problem: RevealingCase, vertices: Sequence[Vertex], y: Sequence[Fraction], alpha: Fraction
) -> list[Block]:
    """Return every inequality of one piece with its slack; those that compare nothing are left out."""
    every = problem.sides(y, vertices)
    rows = tuple(
        (listed(problem.name(vertices[j]) for j in at), *map(exact, (left, right, alpha * right, left - alpha * right)))
        for at, left, right in every
        if left or right
    )
    others = ", but for those that read 0 ≥ 0" if len(rows) < len(every) else ""
    columns = ("For", "Left side", "Right side without α", "Right side", "Slack")
    return [Table(f"Its inequalities{others}", columns, rows)]


def by_factor(problem: RevealingCase, P: Sequence[Sequence[Fraction]], alpha: Fraction) -> list[Block]:
    """Return the matrix that turns the signal into the difference of the channels, and why that is enough."""
    found = problem.factored(P)
    if found is None or len(P) * len(P[0]) > MOST_ENTRIES:
        return []
    rows, windows = found
    game, most, Z = problem.stage.game, column_sum(P), largest(problem, problem.pure)

    def place(key: Coordinate) -> Inline:
        s, memory, o, b = key
        kept = say(" after {m}", m=Label(", ".join(memory))) if memory else ""
        return say("{s}, {o}/{b}{kept}", s=Label(game.S[s]), o=Label(o), b=Label(game.B[b]), kept=kept)

    table = Table(
        "The factor: a row a coordinate of the world channel (next state, the adversary sees/plays), a column per window",
        ("Coordinate", *(", ".join(window) for window in windows)),
        tuple((place(key), *map(exact, row)) for key, row in zip(rows, P, strict=True)),
    )
    at_most = say(" and the observation has a chance of at most {Z}", Z=exact(Z)) if problem.literal else ""
    return [
        table,
        Paragraph.of(
            "In every column of the case it gives $W − W′ = P (M − M′)$. The absolute values of a column of it sum to "
            "at most {N}{Z}, so the ratio is at least {bound}, which is no less than {alpha}.",
            N=exact(most),
            Z=at_most,
            bound=exact(1 / (most * Z)),
            alpha=exact(alpha),
        ),
    ]


# ------------------------------------------------------------------------------- the smallest ratio


def smallest_ratio(p: RevealingCase, place: ClaimPlace) -> list[Block]:
    """Return the laws of the window and the channels at the explicit predictive state, and the ratio of their
    differences."""
    game = p.stage.game
    weights = {(game.S.index(s), tuple(memory)): fraction(m) for s, memory, m in place.q}
    if not {*weights} <= {*p.states}:
        return []
    q = p.vertex({p.states.index(state): weight for state, weight in weights.items()})
    laws = [[x / z for x in law] for law, z in zip(q.M, q.Z, strict=True)] if p.literal else list(q.M)
    signal = l1(*laws)
    rows = (
        (Label(", ".join(window)), exact(a), exact(b), exact(abs(a - b)))
        for window, a, b in zip(p.windows, *laws, strict=True)
    )
    first, second = (Label(point(theta)) for theta, _ in place.models)
    given = "Probabilities" if p.literal else "Masses"
    return [
        Table.of(
            f"{given} of what the learner sees next, at the smallest ratio",
            ("The learner sees next", f"World {first.text}", f"World {second.text}", "Difference"),
            rows,
        ),
        Paragraph.of(
            "They differ by {a} in $ℓ_1$, and {Wq} has the norm {b}, so that the ratio is {r}.",
            Wq=Math("(W^θ − W^{θ′}) q"),
            a=short(signal),
            b=short(q.c),
            r=number(str(signal / q.c)),
        ),
    ]
