"""Numbers of any length: nothing is written only to count its digits, nothing depends on how long a number Python may
write, and no ratio of integers is made a float that it does not fit in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pomgcheck
from pomgcheck.kernel.bound import Premises, below, first_below, sharp
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.enclosures import log2
from pomgcheck.kernel.reading import long_integers
from pomgcheck.modelclass import load
from pomgcheck.search.certify import certify
from pomgcheck.search.exact.enclosures import length, round_down, round_up
from pomgcheck.search.exact.programs import least_factor
from pomgcheck.search.play import kinds
from tests.kernel.editing import canonical
from tests.search import small

LEAST_LIMIT = 640  # the least that Python lets the digits of an integer be limited to


@pytest.fixture
def short_integers() -> Iterator[None]:
    """Python as somebody has left it who wants no long integers."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(LEAST_LIMIT)
    yield
    assert LEAST_LIMIT == sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(before)


def one_model(numbers: list[int], memory: int = 1) -> Any:
    """One state, one policy, one step, one model: the chance of o0 is the first number over the sum of all."""
    whole = sum(numbers)
    document = small.gauge([[f"{n}/{whole}" for n in numbers]], [[["1"]]], horizon=1, initial=["1"])
    document["game"]["learner_observations"] = [f"o{n}" for n in range(len(numbers))]
    document["game"]["reward"] = ["1", *["0"] * (len(numbers) - 1)]
    document["policies"]["list"] = {"p": [["1"]] * len(numbers)}
    document["worlds"]["parameters"] = {}
    document["responses"]["memory"] = memory
    return document


def two_worlds(digits: int) -> Any:
    """Two worlds, probabilities over denominators of that many digits."""
    d = 10**digits + 7
    with long_integers():
        document = small.gauge([[f"({d}+x)/{3 * d}", f"({2 * d}-x)/{3 * d}"]], [[["1"]]], horizon=2, initial=["1"])
        document["worlds"]["parameters"] = {"x": {"values": ["0", str(d // 2)]}}
    return document


@settings(max_examples=12)
@example([1], 2)
@example([1], 3)
@example([1], 7)
@given(st.lists(st.integers(1, 10**900), min_size=1, max_size=3), st.integers(1, 8))
def test_one_model_of_any_memory_is_certified(numbers: list[int], memory: int) -> None:
    """A class of one model has a certificate, which the kernel accepts, however long its numbers and its memory."""
    certificate = certify(load(one_model(numbers, memory)))
    assert verify_bytes(canonical(certificate.document)).accepted
    assert "proved" == certificate.claims["constants"].verdict


@pytest.mark.parametrize("memory", range(1, 9))
def test_where_the_bound_of_one_model_ties_it_is_not_below(memory: int) -> None:
    """With one model the bound is (m-1) R' log2(T+2): equal to D T at T = 2, 6 and 30 for m = 2, 3 and 7, and T* is the
    first T beyond at which it is below."""
    one = Fraction(1)
    given = Premises(1, 1, 1, 1, one, one, one, one, 0, 0, Fraction(1, 20), memory, one, one, one)
    first = max((T + 1 for T in range(1, 100) if 2**T <= (T + 2) ** (memory - 1)), default=1)
    assert first_below(given, first)
    assert not first_below(given, first + 1)
    ties = [T for T in range(1, 100) if 2**T == (T + 2) ** (memory - 1)]
    assert {2: [2], 3: [6], 7: [30]}.get(memory, []) == ties
    assert all(below(given, T) is False and sharp(given, T)["sharp_regret"].high == T for T in ties)


@given(st.integers(1, 2**80))
def test_log2_is_exact_at_powers_of_two_alone(n: int) -> None:
    """Elsewhere it is between two neighbouring multiples of a small number."""
    found = log2(n)
    assert (found.low == found.high) == (n.bit_count() == 1)
    assert 2 ** found.low.__floor__() <= n <= 2 ** found.high.__ceil__()
    assert found.high - found.low < Fraction(1, 2**100)


@given(st.integers(0, 10**50), st.integers(0, 6000))
def test_digits_are_counted_without_being_written(n: int, zeros: int) -> None:
    """As many as are written where Python writes them, and as many more as there are zeros after them."""
    assert len(str(n)) == length(n)
    assert length(n) + zeros == length(n * 10**zeros) or not n


@given(st.integers(1, 10**40), st.integers(1, 10**40), st.integers(-5000, 5000))
def test_short_numbers_beside_long_ones(a: int, b: int, power: int) -> None:
    """Rounding keeps twelve digits of a ratio, whatever the lengths of its ends."""
    x = Fraction(a, b) * Fraction(10) ** power
    assert round_down(x) <= x <= round_up(x)
    assert (round_up(x) - round_down(x)) * 10**10 <= x


@pytest.mark.usefixtures("short_integers")
def test_every_verb_reads_and_writes_long_integers(tmp_path: Path) -> None:
    """Load, certify, verify, report, explain and run take a class of numbers of 1,500 digits, and leave Python's limit
    as it was."""
    model = pomgcheck.load(two_worlds(1500))
    path = pomgcheck.certify(model, T=64).save(tmp_path / "long.cert.json")
    assert pomgcheck.verify(path).accepted
    assert pomgcheck.report(path, tmp_path / "long.html").is_file()


def test_a_factor_of_long_numbers_is_found() -> None:
    """P with P @ signal = difference, where entries are integers that no float holds."""
    big = 10**400
    signal, difference = [[big, 2 * big], [3 * big, big]], [[5 * big, 5 * big]]
    found = least_factor(signal, difference)
    assert found is not None
    assert [[2, 1]] == found


def test_kinds_are_told_apart_by_comparing() -> None:
    """Equal nests of numbers are one kind; long numbers are not written for it."""
    n = 10**5000
    assert ([0, 1, 3], [0, 1, 0, 2]) == kinds([[[n], (1, 2)], [[n + 1], (1, 2)], [(n,), [1, 2]], [[n], [1]]])
    assert deepcopy(n) == n
