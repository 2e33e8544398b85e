"""Rule tests on finite classes: whatever trees of tests, factors and cuts the kernel lets through, the bound they show is
true."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.claims.weak_revealing import ratio
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import common_unit, multiples
from pomgcheck.kernel.problems import Problem, problems
from pomgcheck.kernel.reading import Malformed
from pomgcheck.kernel.simplex import Proof, Rules
from tests.kernel.test_kernel_eval import QUIET
from tests.search import small
from tests.search.classes import documents

TILTED = [["3/4", "1/4"], ["1/4", "3/4"]]
Values = list[list[Fraction]]


def facts(document: Any, form: str, kappa: int = 1) -> Facts:
    return Facts(
        Game(document),
        QUIET | {"space": "window", "kappa": kappa, "weak_revealing": {"form": form, "scope": "simplex"}},
    )


def scaled(values: Any) -> tuple[Any, int]:
    """Nested fractions as the rules take them."""
    nested = tuple(tuple(row) if isinstance(row, list) else row for row in values)
    return multiples(nested, common_unit(nested)), common_unit(nested)


def clears(
    known: Facts, problem: Problem, tree: Any, alpha: Fraction, tests: Values, factors: list[Values] | None = None
) -> bool:
    """Whether the kernel lets the tree show ``ratio >= alpha`` on this problem."""
    rules = Rules(Case(known, "weak-revealing", {}), alpha, list(map(scaled, tests)), list(map(scaled, factors or [])))
    try:
        Proof(rules, problem, "weak-revealing.trees").check(tree)
    except Rejected:
        return False
    return True


def largest(known: Facts, problem: Problem, tree: Any, tests: Values) -> Fraction:
    """The largest n/64 that the tree shows, by halving; 0 if none."""
    low, high = 0, 4096
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if clears(known, problem, tree, Fraction(middle, 64), tests) else (low, middle)
    return Fraction(low, 64)


def mixtures(n: int, parts: int) -> list[tuple[Fraction, ...]]:
    """All mixtures of n vertices with masses of a common denominator."""
    return [
        tuple(Fraction(m, parts) for m in masses)
        for masses in product(range(parts + 1), repeat=n)
        if sum(masses) == parts
    ]


@settings(max_examples=60)
@given(documents(largest=3), st.sampled_from(["literal", "joint"]), st.integers(1, 2), st.data())
def test_what_passes_is_true(document: Any, form: str, kappa: int, data: Any) -> None:
    """A random tree with random test functions, at the largest alpha it shows, holds at every mixture of a grid."""
    known = facts(document, form, kappa)
    if known.game.H <= kappa:
        return
    for problem in list(problems(known))[:4]:
        n, K = len(problem.states), len(known.game.OA) ** kappa
        if n > 4:
            continue
        y = st.lists(
            st.sampled_from([Fraction(-1), Fraction(-1, 2), Fraction(0), Fraction(1, 2), Fraction(1)]),
            min_size=K,
            max_size=K,
        )
        tests = data.draw(st.lists(y, min_size=1, max_size=3))
        tree = data.draw(trees(n, len(tests)))
        alpha = largest(known, problem, tree, tests)
        for weights in mixtures(n, 6 if n < 4 else 4):
            pair = ratio(known, problem, dict(zip(problem.states, weights, strict=True)))
            assert pair is None or pair[0] >= alpha * pair[1]


def trees(vertices: int, tests: int, depth: int = 2) -> st.SearchStrategy[Any]:
    leaf = st.integers(0, tests - 1).map(lambda k: ["test", k])
    if vertices == 1 or depth == 0:
        return leaf
    edges = st.tuples(st.integers(0, vertices - 1), st.integers(0, vertices - 1)).filter(lambda e: e[0] != e[1])
    deeper = trees(vertices, tests, depth - 1)
    cut = st.sampled_from(["1/2", "1/3", "3/4"])
    return leaf | st.tuples(edges, cut, deeper, deeper).map(lambda x: ["cut", *x[0], x[1], x[2], x[3]])


@settings(max_examples=40)
@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4))
def test_a_factor_that_passes_is_true(a: int, b: int, c: int, d: int) -> None:
    """Two states, moves and observations with random chances n/8: a factor shows at most the least ratio."""
    emission = [[str(Fraction(n + 2, 8)), str(Fraction(6 - n, 8))] for n in (a, b)]
    moves = [[[f"({n - 2}*x+4)/8", f"({2 - n}*x+4)/8"]] for n in (c, d)]
    known = facts(small.gauge(emission, moves), "literal")
    for problem in problems(known):
        gap = Fraction(a - b, 8)
        if gap:  # (M - M')e_j = gap x (W - W')e_j with opposite signs at the two windows
            P = [[1 / gap, Fraction(0)], [Fraction(0), -1 / gap]] if gap else []
            for alpha in (Fraction(n, 16) for n in range(1, 65)):
                for factor in (
                    P,
                    [[-x for x in row] for row in P],
                    [P[1], P[0]],
                    [[-x for x in row] for row in reversed(P)],
                ):
                    if clears(known, problem, ["factor", 0], alpha, [], [factor]):
                        for weights in mixtures(2, 12):
                            pair = ratio(known, problem, dict(zip(problem.states, weights, strict=True)))
                            assert pair is None or pair[0] >= alpha * pair[1]


def drifting() -> tuple[Facts, Problem]:
    """alpha = 2/3, shown by the test function (-1, 1), attained where Z = 3/4."""
    known = facts(small.gauge(TILTED, [[["(-x+3)/4", "(x+1)/4"]]] * 2), "literal")
    return known, next(iter(problems(known)))


@pytest.mark.parametrize(
    ("y", "alpha", "passes"),
    [
        (["-1", "1"], "2/3", True),
        (["-1", "1"], "666667/1000000", False),
        (["-1", "0"], "1/3", True),
        (["-1", "0"], "1/2", False),
        (["1", "-1"], "1/1000", False),
        (["0", "0"], "1/1000", False),
    ],
)
def test_a_leaf_shows_what_its_test_function_is_worth(y: list[str], alpha: str, passes: bool) -> None:
    """The expected difference of (-1,1), second world less first, is the whole signal, that of (-1,0) half of it, the negative shows nothing."""
    known, problem = drifting()
    assert passes == clears(known, problem, ["test", 0], Fraction(alpha), [[Fraction(x) for x in y]])


def test_a_tree_may_be_deeper_than_needed() -> None:
    """Splits lose nothing where the whole simplex is cleared."""
    known, problem = drifting()
    tree: Any = ["test", 0]
    for n in range(30):
        tree = ["cut", n % 2, (n + 1) % 2, "1/3", tree, ["test", 0]]
    assert clears(known, problem, tree, Fraction(2, 3), [[Fraction(-1), Fraction(1)]])


@pytest.mark.parametrize(
    "tree",
    [
        None,
        [],
        "test",
        ["test"],
        ["test", 0, 0],
        ["test", "0"],
        ["test", True],
        ["test", None],
        ["cut"],
        ["split"],
        ["split", "theta.x", "1/2", ["test", 0], ["test", 0]],
        ["over", [["1"]]],
        ["cut", 0, 1, "1/2", ["test", 0]],
        ["cut", 0, 1, 0.5, ["test", 0], ["test", 0]],
        ["cut", 0, 1, "1/2", ["test", 0], None],
        ["cut", "0", 1, "1/2", ["test", 0], ["test", 0]],
        ["factor", 0],
        ["factor", -1],
        [["test", 0]],
        ["Test", 0],
        {"test": 0},
    ],
)
def test_what_is_not_a_tree_is_not_read(tree: Any) -> None:
    """Each is malformed, with its place."""
    known, problem = drifting()
    with pytest.raises(Malformed, match=r"weak-revealing"):
        clears(known, problem, tree, Fraction(1, 3), [[Fraction(-1), Fraction(1)]])


def test_trees_end() -> None:
    """A tree beyond the depth cap is refused rather than followed."""
    known, problem = drifting()
    tree: Any = ["test", 0]
    for _ in range(401):
        tree = ["cut", 0, 1, "1/2", tree, ["test", 0]]
    with pytest.raises(Malformed):
        clears(known, problem, tree, Fraction(1, 3), [[Fraction(-1), Fraction(1)]])


def test_a_state_the_observation_excludes_in_one_world_is_no_obstacle() -> None:
    """Z' = 0 < Z at a vertex: the condition is not imposed there, and the leaf inequality does not ask it either."""
    emission = [["(-x+2)/4", "(x+2)/4"], ["x/4", "(-x+4)/4"]]
    known = facts(small.gauge(emission, [[["(-x+3)/4", "(x+1)/4"]], [["(-x+3)/4", "(x+1)/4"]]]), "literal")
    problem = next(iter(problems(known)))
    assert any(dZ and 0 in (Z, Z + dZ) for Z, dZ, *_ in problem.columns)
    tests = [[Fraction(1), Fraction(-1)], [Fraction(-1), Fraction(1)]]
    assert max(largest(known, problem, ["test", k], tests) for k in (0, 1)) > 0
