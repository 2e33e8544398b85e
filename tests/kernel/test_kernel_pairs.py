"""Rule ``pairs`` refuses every spoiled kind of leaf, and bounds that its trees do not show; its charts cover."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.kernel import check
from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.divergence import merged
from pomgcheck.kernel.forms import ONE
from pomgcheck.kernel.pairs import STEP, Chart, Entries, Leaf, charts, divided
from pomgcheck.kernel.polynomials import Polynomial, inverse, polynomial, value, variable
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.search import continua

Entry = dict[str, Any]
EVAL = {"rule": "eval"}


@cache
def certificate() -> Any:
    return certify(gallery.load("patrol-interval"), only=("weak-revealing", "kl-joint")).document


def first_leaf(tree: Any) -> Any:
    while tree[0] == "split":
        tree = tree[3]
    return tree


def verdict(claim: str, edit: Callable[[Entry], object]) -> check.Verdict:
    """The kernel's verdict on the certificate with one claim edited and its digest renewed."""
    document = copy.deepcopy(certificate())
    edit(next(entry for entry in document["claims"] if entry["id"] == claim))
    document["sha256"] = check.content_digest(document)
    return check.verify_bytes(canonical_bytes(document))


def joined(entry: Entry) -> None:
    """One box for each chart."""
    entry["evidence"]["trees"] = {p: [["box"] for _ in trees] for p, trees in entry["evidence"]["trees"].items()}


def uncut(entry: Entry) -> None:
    tree = next(tree for trees in entry["evidence"]["trees"].values() for tree in trees if tree[0] == "split")
    tree[2] = "100"


EDITS: dict[str, tuple[str, Callable[[Entry], object]]] = {
    "c raised": ("kl-joint", lambda e: e["values"].update(c_KL_joint_lower=e["values"]["c_KL_joint_upper"])),
    "c zero": ("kl-joint", lambda e: e["values"].update(c_KL_joint_lower="0")),
    "c_upper lowered": ("kl-joint", lambda e: e["values"].update(c_KL_joint_upper=e["values"]["c_KL_joint_lower"])),
    "trees joined": ("kl-joint", joined),
    "no shears": ("kl-joint", lambda e: e["evidence"].update(shears={})),
    "a shear of no axis": ("kl-joint", lambda e: e["evidence"]["shears"].update(patrol={"theta.x": {"Phi.q": "1"}})),
    "a tree missing": ("kl-joint", lambda e: e["evidence"]["trees"]["patrol"].pop()),
    "a leaf of another kind": ("kl-joint", lambda e: first_leaf(e["evidence"]["trees"]["idle"][0]).append("trust")),
    "a cut outside": ("kl-joint", uncut),
    "a model outside": ("kl-joint", lambda e: e["evidence"]["attained"]["xi"]["theta"].update(x="1")),
    "alpha raised": ("weak-revealing", lambda e: e["values"].update(alpha_lower="1/2", alpha_upper="1/2")),
    "a test beyond one": ("weak-revealing", lambda e: e["evidence"].update(tests=[["-2", "2"]])),
    "a test reversed": ("weak-revealing", lambda e: e["evidence"]["tests"][0].reverse()),
    "no such test": ("weak-revealing", lambda e: first_leaf(e["evidence"]["trees"][0]["tree"]).__setitem__(1, 99)),
    "problems missing": ("weak-revealing", lambda e: e["evidence"]["trees"].pop()),
    "said to be vacuous": ("weak-revealing", lambda e: e.update(verdict="vacuous", values={}, evidence=EVAL)),
}


def test_the_certificate_itself_is_accepted() -> None:
    """An edit that changes nothing leaves it accepted."""
    assert verdict("kl-joint", lambda entry: None).accepted


@cache
def mirrored() -> Any:
    """A class whose points x and 1-x are one model: all differences have the factor x + x' - 1."""
    return certify(load(continua.parabola()), only=("weak-revealing", "kl-joint")).document


def factored(claim: str, edit: Callable[[list[Any]], object]) -> check.Verdict:
    """The kernel's verdict with the first tree edited, which divides by the factor."""
    document = copy.deepcopy(mirrored())
    trees = next(entry for entry in document["claims"] if entry["id"] == claim)["evidence"]["trees"]
    first = trees[0]["tree"] if claim == "weak-revealing" else trees["p"][0]
    assert ["over", [["-1"], ["1", "t"], ["2", "theta.x"]]] == [first[0], sorted(first[1])]
    edit(first)
    document["sha256"] = check.content_digest(document)
    return check.verify_bytes(canonical_bytes(document))


OVER: dict[str, tuple[Callable[[list[Any]], object], str]] = {
    "half of it": (lambda tree: tree.__setitem__(1, [["1", "theta.x"]]), "a common factor of all differences"),
    "its square": (
        lambda tree: tree.__setitem__(1, [["1"], ["-4", "theta.x"], ["4", "theta.x", "theta.x"]]),
        "a common factor of all differences",
    ),
    "an axis of no chart": (lambda tree: tree.__setitem__(1, [["1", "theta.q"]]), "axes of the region"),
    "zero": (lambda tree: tree.__setitem__(1, []), "a polynomial that is not zero"),
    "none": (lambda tree: tree.__setitem__(1, [["1"]]), "required"),
    "a factor of part of the chart": (lambda tree: tree[2].__setitem__(3, ["over", tree[1], tree[2][3]]), ""),
}


@pytest.mark.parametrize("claim", ["weak-revealing", "kl-joint"])
def test_a_factor_is_accepted_as_certified(claim: str) -> None:
    """An edit that multiplies the factor by a number leaves the proof standing."""
    assert factored(claim, lambda tree: tree.__setitem__(1, [["-3"], ["3", "t"], ["6", "theta.x"]])).accepted


@pytest.mark.parametrize(("claim", "name"), [*product(("weak-revealing", "kl-joint"), OVER)])
def test_a_spoiled_factor_is_refused(claim: str, name: str) -> None:
    """What does not divide all differences, or leaves the pairs x and 1-x undivided, shows nothing."""
    edit, reason = OVER[name]
    found = factored(claim, edit)
    assert [False, claim] == [found.accepted, found.claim]
    assert reason in str(found)


@settings(max_examples=50)
@given(*[st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2), st.integers(0, 2)), max_size=4)] * 2)
def test_a_product_is_divided_again(p: list[tuple[int, int, int]], q: list[tuple[int, int, int]]) -> None:
    """p f / f = p, and what f does not divide is told."""
    left, factor = (sum((X**i * Z**j * c for c, i, j in terms), X - X) for terms in (p, q))
    factor = factor + X**3 * Z
    assert left == divided(left * factor, factor)
    assert divided(left * factor + 1, factor) is None


@pytest.mark.parametrize("name", EDITS)
def test_a_spoiled_proof_is_refused(name: str) -> None:
    """The refusal names the claim."""
    claim, edit = EDITS[name]
    found = verdict(claim, edit)
    assert [False, claim] == [found.accepted, found.claim]


# ------------------------------------------------------------------------------------------ the charts

X, Z, Y = variable("theta.x"), variable("theta.z"), variable("Phi.y")
REGION = Region(
    {
        "theta.x": (Fraction(1), Fraction(2)),
        "theta.z": (Fraction(-1), Fraction(3)),
        "theta.still": (Fraction(1), Fraction(1)),
        "Phi.y": (Fraction(0), Fraction(1)),
    },
    (X - Z,),
)
VANISHING = (X / (X + 5) + 5 / (X + 5) - 1) / (Z + 70)  # zero, though no two of its terms are alike
ENTRIES = (X * Z * Y, X / (Z + 20), (X + VANISHING) / (X + Z + 20), X * X - Y / (X + 5), Z + VANISHING)
SHARES = st.fractions(0, 1, max_denominator=60)


def coordinates(chart: Chart, star: dict[str, Fraction], here: dict[str, Fraction]) -> dict[str, Fraction]:
    """Where a pair lies in a chart."""
    assert chart.step is not None
    k = chart.step[1]
    t = here[k] - star[k]
    slopes = {f"{j}/{k}": (here[j] - star[j]) / t for j in chart.shift if j != k}
    return star | {f"{k}'": here[k]} | slopes


@settings(max_examples=50)
@given(*[SHARES] * 5)
def test_every_pair_lies_in_a_chart(a: Fraction, b: Fraction, c: Fraction, d: Fraction, y: Fraction) -> None:
    """Two points of a region lie in the box and the constraints of the chart of the axis along which they differ most,
    t times the quotient is the difference there, and the leaf's enclosures contain both."""
    star = {"theta.x": 1 + a, "theta.z": b * (1 + a + 1) - 1, "theta.still": Fraction(1), "Phi.y": y}
    here = star | {"theta.x": 1 + c, "theta.z": d * (1 + c + 1) - 1}
    apart = {"theta.x": abs(a - c), "theta.z": abs(here["theta.z"] - star["theta.z"]) / 4}
    assume(max(apart.values()) > 0)
    most = max(apart, key=apart.__getitem__)
    chart = next(x for x in charts(REGION, None, ["Phi.y"]) if x.step and x.step[1] == most)
    point = coordinates(chart, star, here)
    assert {*point} == {*chart.box}
    assert all(low <= point[axis] <= high for axis, (low, high) in chart.box.items())
    assert chart.step is not None
    whole = point | {"t": point[chart.step[0]] - point[chart.step[1]]}
    assert all(value(p, whole) >= 0 for p in chart.constraints)
    leaf = Leaf(chart, chart.box)
    assert not leaf.outside
    for entry in ENTRIES:
        quotient = chart.quotient(entry, entry)
        assert value(entry, here) - value(entry, star) == whole["t"] * value(quotient, whole)
        form = leaf.form(quotient)
        assert form.low <= value(quotient, whole) * ONE <= form.high


def test_the_step_is_written_as_the_difference_of_coordinates_that_it_is() -> None:
    """In a chart of one region t is x' - x, and between two regions it is 1; the quotients of 1/x lose their t there and
    keep the divisor at both models."""
    x, y, t, third = variable("x"), variable("y"), variable(STEP), Fraction(1, 3)
    region = Region({"x": (Fraction(1), Fraction(2)), "y": (Fraction(1), Fraction(3))})
    at = {"x": Fraction(1), "y": Fraction(2), "x'": 1 + third, "y/x": Fraction(1, 2)}
    chart = next(each for each in charts(region, None) if each.step == ("x'", "x"))
    assert third * (third + 2) == value(chart.written_out(t * t + y * t), at)
    assert y == chart.written_out(y)
    p = inverse(x) * y + inverse(x) * inverse(x)
    there = {"x": 1 + third, "y": 2 + third / 2}
    assert (value(p, there) - value(p, at)) / third == value(chart.quotient(p, p), at | {STEP: third})
    (apart,) = charts(region, Region({"x": (Fraction(3), Fraction(4))}))
    assert 1 + 2 == value(apart.written_out(t * t + y * t), at | {"x'": Fraction(3)})


def test_two_cells_share_what_is_still() -> None:
    """Points of two cells have one chart: the first's axes, how far the second's lie from them, those of Psi once, and
    t = 1."""
    (chart,) = charts(REGION, REGION, ["Phi.y"])
    apart = {f"{name}'-{name}" for name in ("theta.x", "theta.z", "theta.still")}
    assert {*REGION.box, *apart} == {*chart.box}
    assert chart.step is None
    assert variable("theta.x'-theta.x") * Y == chart.quotient(X * Y, X * Y)


def test_charts_hold_all_pairs_of_corners_below_zero() -> None:
    """Where every end of every axis is below zero, any two corners lie in the box and the constraints of the chart of
    two cells, and of the chart of the axis along which they differ most; a box beyond an axis holds no pair."""
    box = {"theta.x": (Fraction(-3), Fraction(-1)), "theta.z": (Fraction(-2), Fraction(-1, 2))}
    corners = [dict(zip(box, point, strict=True)) for point in product(*box.values())]
    (apart,) = charts(Region(box), Region(box))
    along = {chart.step[1]: chart for chart in charts(Region(box), None) if chart.step}
    for star, here in product(corners, repeat=2):
        found = [(apart, star | {f"{name}'-{name}": here[name] - star[name] for name in box})]
        if star != here:
            most = max(box, key=lambda name: abs(here[name] - star[name]) / (box[name][1] - box[name][0]))
            found.append((along[most], coordinates(along[most], star, here)))
        for chart, point in found:
            t = point[chart.step[0]] - point[chart.step[1]] if chart.step else Fraction(1)
            assert all(low <= point[name] <= high for name, (low, high) in chart.box.items())
            assert all(value(p, point | {STEP: t}) >= 0 for p in chart.constraints)
            assert not Leaf(chart, {name: (x, x) for name, x in point.items()}).outside
    beyond = {name: (ends[1], ends[1]) for name, ends in apart.box.items()}
    assert Leaf(apart, beyond).outside


def test_an_axis_that_two_cells_have_in_different_parts_has_both_values() -> None:
    """Where an axis of the second cell is another interval, above or below, its coordinate is x', whose box no pair
    leaves."""
    _, high = REGION.box["theta.x"]
    other = Region(REGION.box | {"theta.x": (high, high + 1)}, ())
    for star, here in ((REGION, other), (other, REGION)):
        (chart,) = charts(star, here, [])
        assert chart.box["theta.x'"] == here.box["theta.x"]
        assert variable("theta.x'") - X == chart.quotient(X, X)


def test_an_entry_that_one_table_lacks_is_zero() -> None:
    """Whichever of two tables has the entry, its change is all of it."""
    (chart,) = charts(REGION, REGION, ["Phi.y"])
    entries = Entries(chart)
    first, second = {"a": X}, {"a": X, "b": {"c": polynomial(2)}}
    for star, here, change in ((first, second, 2), (second, first, -2)):
        assert polynomial(change) == entries.polynomials[entries.table(star, here)["b"]["c"]][1]


@settings(max_examples=50)
@given(*[SHARES] * 4)
def test_every_pair_of_two_cells_lies_in_their_chart(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> None:
    """A point of each of two cells lies in the box and the constraints of their chart, and the quotient is the
    difference of a polynomial's values at the second and the first."""
    star = {"theta.x": 1 + a, "theta.z": b * (1 + a + 1) - 1, "theta.still": Fraction(1), "Phi.y": Fraction(1)}
    here = star | {"theta.x": 1 + c, "theta.z": d * (1 + c + 1) - 1}
    (chart,) = charts(REGION, REGION, ["Phi.y"])
    point = star | {f"{name}'-{name}": here[name] - star[name] for name in chart.shift}
    assert {*point} == {*chart.box}
    assert all(low <= point[axis] <= high for axis, (low, high) in chart.box.items() if axis != "Phi.y")
    assert all(value(p, point) >= 0 for p in chart.constraints)
    for entry in ENTRIES:
        assert value(entry, here) - value(entry, star) == value(chart.quotient(entry, entry), point)


@given(st.lists(st.tuples(st.integers(0, 2), st.fractions(-3, 3)), min_size=1), st.fractions(-2, 2))
def test_multiples_of_one_entry_are_one_with_their_norm(terms: list[tuple[int, Fraction]], x: Fraction) -> None:
    """Of entries that are multiples, of any sign, of three polynomials at most three are left, and the l1 norm is the
    same at every point."""
    of = [variable("x") - 1, variable("x") * 2 + 3, polynomial(5)]
    vector = [of[k] * c for k, c in terms if c]
    found = merged(vector)

    def norm(entries: list[Polynomial]) -> Fraction:
        return sum((abs(value(p, {"x": x})) for p in entries), Fraction(0))

    assert norm(vector) == norm(found)
    assert len({k for k, c in terms if c}) == len(found)
