"""Rule tests on interval axes: what is proposed on a leaf is proved there, and evidence is found by its problem."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel import check
from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.polynomials import polynomial, value, variable
from pomgcheck.kernel.problems import problems
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.kernel.simplex import Proof, Rules

ACCEPTED = Path(__file__).parents[1] / "accepted"


def certificate(name: str) -> Any:
    return json.loads((ACCEPTED / f"{name}.cert.json").read_bytes())


def proof() -> Proof:
    """One problem of a class with two interval axes."""
    document = certificate("pairs-factor")
    known = Facts(Game(document["model"]), check.read_options(document["options"], Game(document["model"])))
    rules = Rules(Case(known, "weak-revealing", {}), Fraction(1), [], [])
    return Proof(rules, next(problems(known)))


PROOF = proof()
NAMES = sorted(PROOF.chart.box)


@settings(max_examples=80)
@given(st.lists(st.tuples(st.integers(-5, 5), st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=5), st.data())
def test_a_bound_of_an_absolute_value_is_one(terms: list[tuple[int, str, str]], data: Any) -> None:
    """|p| is at most its bound at a grid of points of a box, whether p has one sign there or two; else it is refused."""
    p = sum((variable(x) * variable(y) * c for c, x, y in terms), polynomial(data.draw(st.integers(-3, 3))))
    shares = [data.draw(st.tuples(st.integers(0, 6), st.integers(1, 2))) for _ in NAMES]
    ends = [PROOF.chart.box[name] for name in NAMES]
    box = {
        name: (low + (high - low) * Fraction(n, 8), low + (high - low) * Fraction(n + m, 8))
        for name, (low, high), (n, m) in zip(NAMES, ends, shares, strict=True)
    }
    try:
        bound = polynomial(PROOF.magnitude(p, box))
    except Rejected:
        return
    for places in product(*({low, (2 * low + high) / 3, high} for low, high in box.values())):
        point = dict(zip(box, places, strict=True))
        assert value(bound, point) >= abs(value(p, point))


def test_a_change_that_vanishes_wherever_it_is_asked_has_no_bound() -> None:
    """x (1-x) (1-2x) is zero at the ends and the middle of [0,1] and of both signs between, so that the box is refused;
    on either half its own sign bounds it."""
    first, *others = NAMES
    x, half = variable(first), Fraction(1, 2)
    p, rest = x * (1 - x) * (1 - 2 * x), {name: PROOF.chart.box[name] for name in others}
    with pytest.raises(Rejected, match="found no bound of a change of W at"):
        PROOF.magnitude(p, rest | {first: (Fraction(0), Fraction(1))})
    assert [p, -p] == [PROOF.magnitude(p, rest | {first: (low, low + half)}) for low in (Fraction(0), half)]


Trees = list[dict[str, Any]]
SPOILED: dict[str, tuple[Callable[[Trees], object], str]] = {
    "another step": (lambda trees: trees[0].update(h=2), "no tree for"),
    "a step of 400 digits": (lambda trees: trees[0].update(h=10**400), "a step from 1 to"),
    "another chart": (lambda trees: trees[0].update(chart="theta.q"), "no tree for"),
    "no chart": (lambda trees: trees[0].pop("chart"), "no key 'chart'"),
    "no tree": (lambda trees: trees[0].pop("tree"), "no key 'tree'"),
    "a label that is none": (lambda trees: trees[0].update(o=True), "no tree for"),
    "a tree twice": (lambda trees: trees.append(trees[0]), "a second tree"),
    "a tree too many": (lambda trees: trees.append(trees[0] | {"o": "elsewhere"}), "problems of the class alone"),
    "a factor of no difference": (
        lambda trees: trees[0].update(tree=["over", [["1", "t"]], trees[0]["tree"]]),
        "factor",
    ),
}


def verdict(name: str, edit: Callable[[Trees], object]) -> check.Verdict:
    """The kernel's verdict with the trees of weak revealing edited and the digest renewed."""
    document = copy.deepcopy(certificate(name))
    edit(next(claim for claim in document["claims"] if claim["id"] == "weak-revealing")["evidence"]["trees"])
    document["sha256"] = check.content_digest(document)
    return check.verify_bytes(canonical_bytes(document))


@pytest.mark.parametrize("name", ["drift", "pairs-cuts"])
def test_the_order_of_the_trees_is_free(name: str) -> None:
    """A tree is found by its problem."""
    assert verdict(name, lambda trees: trees.reverse()).accepted


@pytest.mark.parametrize(("name", "kind"), [*product(["drift", "pairs-cuts"], SPOILED)])
def test_a_tree_of_another_problem_is_refused(name: str, kind: str) -> None:
    """Finite and interval classes refuse the same edits, for the same reasons."""
    edit, reason = SPOILED[kind]
    found = verdict(name, edit)
    assert [False, "weak-revealing"] == [found.accepted, found.claim]
    assert reason in found.line
