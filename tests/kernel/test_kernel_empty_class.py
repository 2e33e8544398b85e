"""A class with interval axes has a model, or nothing is said of it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel import boxes
from pomgcheck.kernel.boxes import Region, inhabited
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.continua import cells
from pomgcheck.kernel.polynomials import Polynomial, TooLarge, text, variable
from pomgcheck.modelclass.polytopes import Halfspace, polytope
from tests.kernel.editing import canonical, edited, get, put

ACCEPTED = Path(__file__).parents[1] / "accepted"
AXES = ("x", "y", "z")
X, Y = variable("x"), variable("y")
numbers = st.fractions(-2, 2, max_denominator=3)


def side(normal: tuple[Fraction, ...], offset: Fraction) -> Polynomial:
    terms = {(name,): c for name, c in zip(AXES, normal, strict=True)} | {(): offset}
    return Polynomial({key: c for key, c in terms.items() if c})


@settings(max_examples=100)
@given(st.lists(st.tuples(st.tuples(numbers, numbers, numbers), numbers), max_size=4))
def test_a_region_is_inhabited_where_its_polytope_has_a_vertex(sides: list[Any]) -> None:
    """Elimination of the axes says of random constraints what enumeration of the corners says."""
    unit = [tuple(Fraction(int(k == n)) for k in range(3)) for n in range(3)]
    low, high = Fraction(1, 3), Fraction(1)
    walls = [Halfspace(e, -low) for e in unit]
    walls += [Halfspace(tuple(-x for x in e), high) for e in unit]
    body = polytope(AXES, [*walls, *(Halfspace(*each) for each in sides)], "region")
    region = Region(dict.fromkeys(AXES, (low, high)), tuple(side(*each) for each in sides))
    assert bool(body.vertices) == inhabited(region)


@pytest.mark.parametrize(
    ("largest", "p"),
    [(-1, -X), (2, X), (-1, -Y), (2, Y), (-2, -X - Y), (4, X + Y), (1, 2 * X - 3 * Y)],
    ids=lambda x: text(x) if isinstance(x, Polynomial) else str(x),
)
def test_a_side_has_a_point_where_a_corner_does(largest: int, p: Polynomial) -> None:
    """On the square from 1 to 2 an affine function is as large as at its best corner, and nowhere larger; between two
    sides there is a point where they meet, and none where they leave a gap."""
    square, gap = dict.fromkeys("xy", (Fraction(1), Fraction(2))), Fraction(1, 10)
    assert inhabited(Region(square, (p - largest,)))
    assert not inhabited(Region(square, (p - largest - gap,)))
    assert inhabited(Region(square, (p - largest + gap, largest - gap - p)))
    assert not inhabited(Region(square, (p - largest + gap, largest - 2 * gap - p)))


@pytest.mark.parametrize(
    ("name", "key", "constraints"),
    [
        ("interval-tied", "worlds", ["x-2 >= 0"]),
        ("interval-tied", "worlds", ["-8*x-8*y+7 >= 0", "x+y-1 >= 0"]),
        ("interval-fading", "responses", ["-4*y-4*z+3 >= 0", "y+z-3/4 >= 0", "y-z-1 >= 0"]),
        ("own-interval", "worlds", ["x-2 >= 0"]),
    ],
)
@pytest.mark.parametrize("kept", [[], ["factorization"], ["nonexpansive"]])
def test_a_class_without_models_is_refused(name: str, key: str, constraints: list[str], kept: list[str]) -> None:
    """Not one claim is accepted of a class whose constraints exclude every point, whatever is claimed."""
    certificate = json.loads((ACCEPTED / f"{name}.cert.json").read_bytes())
    blank: dict[str, Any] = {"verdict": "unknown", "values": {}, "evidence": None, "witness": None}
    silent = [entry if entry["id"] in kept else entry | blank for entry in get(certificate, "claims")]
    spoiled = edited(certificate, put("model", key, "constraints", to=constraints), put("claims", to=silent))
    verdict = verify_bytes(canonical(spoiled))
    assert ("file", f"read {key}", "no parameter point") == (verdict.claim, verdict.rule, verdict.found)


def test_too_many_constraints_are_counted() -> None:
    """Elimination that would make too many inequalities is refused before they are made."""
    many = tuple(
        side((Fraction(n % 7 - 3), Fraction(n % 5 - 2), Fraction(n)), Fraction(n**2 % 31)) for n in range(1, 900)
    )
    with pytest.raises(TooLarge):
        inhabited(Region(dict.fromkeys(AXES, (Fraction(0), Fraction(1))), many))
    assert 900**2 > boxes.MAX_SIDES


def test_constraints_that_cannot_be_examined_are_refused() -> None:
    """A class is refused where its constraints are too many to find a common point, which there may be."""
    above = [f"x+{n}*y+1 >= 0" for n in range(1, 150)]
    below = [f"-x-{n}*y+{1000 + n} >= 0" for n in range(1, 150)]
    certificate = json.loads((ACCEPTED / "interval-tied.cert.json").read_bytes())
    verdict = verify_bytes(canonical(edited(certificate, put("model", "worlds", "constraints", to=above + below))))
    assert ("file", "read constraints", "more than can be examined for a common point") == (
        verdict.claim,
        verdict.rule,
        verdict.found,
    )


def test_a_value_that_a_constraint_excludes_has_no_cell() -> None:
    """Of a finite axis beside an interval those values stay that the constraints without intervals allow."""
    axes = {"n": {"values": ["0", "1", "2"]}, "x": {"interval": ["0", "1"]}}
    kept = cells({"parameters": axes, "constraints": ["3-2*n >= 0"]}, "worlds", "theta")
    assert [{"n": 0}, {"n": 1}] == [cell.fixed for cell in kept]
