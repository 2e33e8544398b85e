"""Model classes from Python objects: exact ones become text, inexact ones are refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from small_document import document, edited

from pomgcheck.errors import InputError
from pomgcheck.modelclass import load, model_class
from pomgcheck.modelclass.values import plain

x, y = sympy.symbols("x y")


def built(**changes: Any) -> Any:
    """The small document's model class from Python, with some parts changed."""
    game = document()["game"]
    parts = {key: document()[key] for key in ("worlds", "responses", "policies")}
    arguments: dict[str, Any] = {"name": "guard", **game, **parts} | changes
    return model_class(**arguments)


def test_same_as_the_document() -> None:
    """The parts make the document they are the parts of."""
    assert load(document()) == built()
    assert load(edited(("source", "here"), ("description", "there"))) == built(source="here", description="there")


def test_exact_objects() -> None:
    """numpy integers and object arrays, sympy matrices and expressions, fractions and decimals: one digest."""
    half = Fraction(1, 2)
    transition = np.empty((2, 2, 2, 2), dtype=object)
    transition[0] = [[[1 - x, x], [sympy.Rational(3, 4) - x, x + sympy.Rational(1, 4)]], [[1 - x, x], [half, half]]]
    transition[1] = [[[0, 1], [0, 1]], [[x, 1 - x], [x, 1 - x]]]
    worlds = {
        "parameters": {"x": {"values": (Fraction(1, 20), Decimal("0.1"))}},
        "initial": np.array([half, half], dtype=object),
        "transition": transition,
        "learner_emission": sympy.Matrix([[17, 3], [3, 17]]) / 20,
        "adversary_emission": [[Decimal("0.7"), Decimal("0.3")], ["3/10", sympy.Rational(7, 10)]],
    }
    policies = {"window": np.int64(1), "list": {"idle": np.array([[1, 0], [1, 0]]), "patrol": np.array([[0, 1]] * 2)}}
    assert built() == built(worlds=worlds, policies=policies, horizon=np.int32(2), reward=np.array([1, 0]))


def test_rows_keyed_by_tuples() -> None:
    """From Python the labels of a row may be a tuple."""
    rows = {"*": "identity", ("calm", "*", "attack"): {"calm": sympy.Rational(3, 4) - x, "alarm": x + Fraction(1, 4)}}
    words = {"*": "identity", "calm * attack": {"calm": "3/4-x", "alarm": "1/4+x"}}
    one, other = (built(worlds=document()["worlds"] | {"transition": t}) for t in (rows, words))
    assert one == other


def test_sympy_powers_and_quotients() -> None:
    """sympy's ** and negative exponents are the document's ^."""
    assert "x^2/(y + 1)" == plain(x**2 / (y + 1))
    row = [x**2 / (x + 1), 1 - x**2 / (x + 1)]
    worlds = edited(("worlds.transition.0.0.0", row))["worlds"]
    assert ["x^2/(x+1)", "(-x^2+x+1)/(x+1)"] == built(worlds=worlds).document["worlds"]["transition"][0][0][0]


def test_inputs_are_left_alone() -> None:
    """Arrays given are not changed."""
    emission = np.array([[1, 0], [0, 1]])
    built(worlds=document()["worlds"] | {"learner_emission": emission})
    assert [[1, 0], [0, 1]] == emission.tolist()


BINARY = (
    "3602879701896397/36028797018963968, the binary value of the float 0.1, required the exact number that is meant; "
)
REFUSED = [
    (0.15, 'w: found the float 0.15, required an exact number; write "0.15"'),
    (1e-7, 'w: found the float 1e-07, required an exact number; write "1/10000000"'),
    (-2.5e300, 'w: found the float -2.5e+300, required an exact number; write "p/q"'),
    (float("nan"), "w: found the float nan, required an exact number"),
    (float("inf"), "w: found the float inf, required an exact number"),
    (np.float64(0.5), 'w: found the float 0.5, required an exact number; write "0.5"'),
    (np.array([[1, 0], [0.5, 0.5]]), "w[0][0]: found the float 1.0, required an exact number; write 1"),
    (np.array([1, 0.5], dtype=np.float32), "w[0]: found the float 1.0, required an exact number; write 1"),
    (np.array([True]), 'w[0]: found true, required an exact number; write "1" or "0"'),
    (Fraction(0.1), f'w: found {BINARY}write "0.1", or this fraction as a string if it is meant'),
    (Decimal(0.1), f'w: found {BINARY}write "0.1", or this fraction as a string if it is meant'),
    (sympy.Rational(0.1), f'w: found {BINARY}write "0.1", or this fraction as a string if it is meant'),
    (sympy.Rational(0.1) + x, f'w: found {BINARY}write "0.1", or this fraction as a string if it is meant'),
    (sympy.Float(0.5), 'w: found the float 0.5, required an exact number; write "0.5"'),
    (0.25 * x + 1, 'w: found the float 0.25, required an exact number; write "0.25"'),
    (True, 'w: found true, required an exact number; write "1" or "0"'),
    ({1: 2}, "w: found the key 1, required keys that are strings or tuples of labels"),
    ({("a", "b"): 1, "a b": 2}, 'w: found the key "a b" twice, required each key once'),
    ({1, 2}, "w: found {1, 2} of type set, required a string, an integer, an array or a table"),
    (1j, "w: found 1j of type complex, required a string, an integer, an array or a table"),
    (Decimal("nan"), "w: found Decimal('NaN') of type Decimal, required a string, an integer, an array or a table"),
    (10**5000, "w: found an integer too long to print, required at most 4000 digits"),
    ("\udc80", "w: found half of a surrogate pair, required text that can be written in UTF-8"),
]


@pytest.mark.parametrize(("value", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refused_objects(value: Any, message: str) -> None:
    """Floats, whatever carries one, and what is no part of a document are refused, by key path."""
    with pytest.raises(InputError) as caught:
        plain(value, "w")
    assert message == str(caught.value)


@pytest.mark.parametrize("value", [Fraction(1, 2**30), Fraction(1, 3), "3602879701896397/36028797018963968"])
def test_accepted_fractions(value: Any) -> None:
    """Small dyadic fractions, other fractions, and the binary value written out as text are meant."""
    assert str(value) == plain(value)


def test_key_path_of_a_float() -> None:
    """The error of a float in an array names the row of the document."""
    worlds = document()["worlds"] | {"transition": np.full((2, 2, 2, 2), 0.5)}
    with pytest.raises(InputError, match=r"^worlds.transition\[0\]\[0\]\[0\]\[0\]: found the float 0.5"):
        built(worlds=worlds)


def test_functions_are_refused() -> None:
    """A sympy function is no expression of the document."""
    worlds = edited(("worlds.transition.0.0.0", [sympy.sin(x), 1 - sympy.sin(x)]))["worlds"]
    with pytest.raises(InputError, match=r'found "sin\(x\)" with the undeclared name "sin"'):
        built(worlds=worlds)
