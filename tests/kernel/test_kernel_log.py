"""Rule log: enclosures of logarithms contain them and are narrow, and the brackets of 3.1(e) they decide."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.logarithms import log_enclosure
from tests.kernel.editing import canonical, edited, get, put
from tests.kernel.editing import claim as fields

CERTIFICATE = json.loads((Path(__file__).parents[1] / "accepted" / "drift.cert.json").read_bytes())


# a certificate that leaves what follows from the constants open
OPEN = (
    fields("constants", verdict="unknown", values={}, evidence=None),
    put("summary", "3.3", to="unknown"),
    put("summary", "certified", to=False),
)


def ball(x: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def contains(x: Fraction, bits: int) -> bool:
    """Whether the enclosure of log x contains it, and is narrow: a few units for each doubling of x."""
    low, high = log_enclosure(x, bits)
    doublings = abs(x.numerator.bit_length() - x.denominator.bit_length())
    with flint.ctx.workprec(bits + 100 + doublings.bit_length()):
        scaled = ball(x).log() * 2**bits
        return bool(flint.arb(low) <= scaled and scaled <= flint.arb(high)) and high - low <= (2 + doublings) * (
            2 + bits // 40
        )


@settings(max_examples=300)
@given(st.fractions(min_value=Fraction(1, 10**12), max_value=10**12).filter(bool), st.sampled_from([16, 64, 128, 512]))
def test_any_rational(x: Fraction, bits: int) -> None:
    """At every precision."""
    assert contains(x, bits)


@given(st.integers(1, 10**40), st.booleans(), st.sampled_from([64, 256]))
def test_near_one(n: int, above: bool, bits: int) -> None:
    """1 + 1/n and 1 - 1/n, however small the logarithm."""
    assert contains(1 + Fraction(1 if above else -1, n + 1), bits)


@given(st.integers(-3000, 3000), st.fractions(min_value=Fraction(1, 2), max_value=2).filter(bool))
def test_huge_and_tiny(exponent: int, mantissa: Fraction) -> None:
    """Also far outside the range of floats."""
    assert contains(mantissa * Fraction(2) ** exponent, 64)


@pytest.mark.parametrize(
    "x", [Fraction(1, 2), Fraction(2), Fraction(3, 2), Fraction(2, 3), Fraction(4, 3), Fraction(2**64 - 1, 2**64)]
)
def test_ends_of_the_reduced_range(x: Fraction) -> None:
    """Where the argument reduction changes its mind."""
    assert all(contains(x, bits) for bits in (8, 64, 1024))


def test_the_logarithm_of_one_is_zero() -> None:
    """Its enclosure contains zero."""
    low, high = log_enclosure(Fraction(1), 64)
    assert low <= 0 <= high


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000).filter(bool))
def test_inverse_has_the_opposite_logarithm(x: Fraction) -> None:
    """The enclosures of log x and log 1/x meet in opposite places."""
    (low, high), (low_, high_) = log_enclosure(x, 64), log_enclosure(1 / x, 64)
    assert low + low_ <= 0 <= high + high_


@pytest.mark.parametrize("claim", ["kl-joint", "kl-world"])
def test_a_smaller_constant_and_a_larger_bound_hold_too(claim: str) -> None:
    """Each end may be weakened, by a little or a lot, and not strengthened beyond the other."""
    name = "c_KL_joint" if claim == "kl-joint" else "c_KL_world"
    lower, upper = (
        Fraction(get(CERTIFICATE, "claims", claim, "values", f"{name}_{end}")) for end in ("lower", "upper")
    )
    for value, end, accepted in [
        (lower / 1000, "lower", True),
        (lower - Fraction(1, 10**15), "lower", True),
        (upper * 1000, "upper", True),
        (upper, "lower", False),
        (lower, "upper", False),
    ]:
        put_end = put("claims", claim, "values", f"{name}_{end}", to=str(value))
        verdict = verify_bytes(canonical(edited(CERTIFICATE, put_end, *OPEN)))
        assert [accepted, "" if accepted else "log"] == [verdict.accepted, verdict.rule]
