"""The options of a certificate: one reader of numbers, one list of names, ranges and defaults."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from inspect import signature
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.cli import certify, repair, sweep
from pomgcheck.errors import InputError
from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.game import Game
from pomgcheck.modelclass import load
from pomgcheck.options import LIMITS, Options, exact, meaning
from tests.learner.classes import watch

EXACT = [
    ("0.05", "1/20"),
    (".05", "1/20"),
    ("1e-6", "1/1000000"),
    ("5E-2", "1/20"),
    ("1/20", "1/20"),
    ("-3", "-3"),
    (3, "3"),
    (numpy.int64(3), "3"),
    (Fraction(1, 3), "1/3"),
]


@pytest.mark.parametrize(("value", "fraction"), EXACT)
def test_numbers_are_exact(value: Any, fraction: str) -> None:
    """Decimals, powers of ten, fractions and exact objects are the numbers they say."""
    assert fraction == str(exact(value, "tol"))


NONE = ["", "1_000", "1_0/3", " 1/2 ", "٣", "nan", "inf", " 1", "1/0", "0x1", "1e9999", ".5.", "1.", "--1", ".", "1/.5"]


@pytest.mark.parametrize("value", [*NONE, 0.05, True, None, Decimal("0.5"), b"1"], ids=repr)
def test_what_is_no_exact_number_is_refused(value: Any) -> None:
    """Spellings that a reader would not take for a number, floats and truth values are refused by name."""
    with pytest.raises(InputError, match="^tol: found .*, required an exact number"):
        exact(value, "tol")


CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "kappa": st.integers(1, 1000),
        "space": st.sampled_from(["window", "history"]),
        "form": st.sampled_from(["literal", "joint"]),
        "scope": st.sampled_from(["simplex", "reachable"]),
        "lipschitz": st.sampled_from(["step", "policy"]),
        "operators": st.sampled_from(["realised", "summed"]),
        "tol": st.fractions(Fraction(1, 10**9), 10),
        "delta": st.fractions(Fraction(1, 10**9), Fraction(999, 1000)),
        "T": st.integers(1, 10**18),
        "reference": st.just(("1/3", "2/3")),
        "limits": st.fixed_dictionaries({}, optional={"coordinates": st.integers(100, 10**7)}),
    },
)


@given(CHOICES)
def test_what_a_certificate_states_is_read_back(chosen: dict[str, Any]) -> None:
    """Options and their JSON are the same thing in two forms, and changing nothing changes nothing."""
    options = Options(**chosen)
    assert options == Options.of(options.document)
    assert options == Options.read(options) == Options.read(None, **chosen)


@given(CHOICES)
def test_the_kernel_takes_what_options_take(chosen: dict[str, Any]) -> None:
    """The kernel, which trusts no other reader, has the same ranges."""
    game = load(watch()).game
    assert Options(**chosen).document == read_options(Options(**chosen).document | {"space": "window"}, game) | {
        "space": Options(**chosen).space
    }


@pytest.mark.parametrize("name", [each.name for each, *_ in meaning()])
def test_an_option_out_of_range_is_refused_by_its_name(name: str) -> None:
    """Each field refuses what its range leaves out, in the language of Python."""
    bad: Any = {"reference": ["1/2", "1/3"], "limits": {"coordinates": 0}}.get(name, -1)
    with pytest.raises(InputError, match=f"^{name}[.a-z]*: found .*, required"):
        Options(**{name: bad})


def test_every_option_says_what_it_means() -> None:
    """Meaning and range stand with each field; counts and probabilities have a unit."""
    for field, said, unit, values in meaning():
        assert said.endswith("."), field.name
        assert values, field.name
        assert unit or field.name in ("space", "form", "scope", "lipschitz", "operators")


def test_defaults_and_flags_stand_in_one_place() -> None:
    """What the kernel is asked by default is what no flag changes; each command has a flag for what it takes."""
    names = {each.name for each, *_ in meaning()}
    assert LIMITS == Options().limits
    assert names == names & {*signature(certify.command).parameters} == names & {*signature(sweep.command).parameters}
    assert names - {"T", "delta", "reference"} == names & {*signature(repair.command).parameters}


def test_two_lists_of_options_are_not_mixed_up() -> None:
    """An unknown name is offered the one that is near, and options of another type are refused."""
    with pytest.raises(InputError, match='did you mean "kappa"'):
        Options.read(None, kapa=2)
    with pytest.raises(InputError, match="required pomgcheck.Options"):
        Options.read({"kappa": 2})  # type: ignore[arg-type]


def test_a_law_of_another_size_is_refused_by_the_class() -> None:
    """How many actions the adversary has is the class's to say."""
    game = Game(load(watch()).document)
    with pytest.raises(ValueError, match="reference"):
        read_options(Options(reference=("1/4", "1/4", "1/2")).document, game)
