"""Exact polynomials in named indeterminates: what the tables of a class with interval axes are made of.

A quotient N/D is the polynomial N times one more indeterminate, the ``Inverse`` of D, so that products and sums
stay polynomials; ``cleared`` multiplies the divisors away again, which keeps zero, and keeps the sign where each
divisor has the sign that is given for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from .budget import spend

MAX_TERMS = 20_000  # of one polynomial
MAX_DEGREE = 64  # of one monomial, counted with multiplicity

Monomial = tuple[Any, ...]  # indeterminates, sorted, each as often as its exponent says


class TooLarge(ValueError):
    """A polynomial beyond MAX_TERMS or MAX_DEGREE, or a quotient inside a divisor."""


class Polynomial(dict[Monomial, Any]):
    """Monomial -> coefficient (int or Fraction, never zero); not to be changed once made."""

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none, since most change
        return hash(frozenset(self.items()))

    def __add__(self, other: Any) -> Polynomial:
        spend((len(self) + len(other) >> 4) + 1 if isinstance(other, Polynomial) else 1, "a sum of polynomials")
        out = Polynomial(self)
        for key, value in polynomial(other).items():
            total = out.get(key, 0) + value
            if total:
                out[key] = total
            else:
                del out[key]
        return out

    def __mul__(self, other: Any) -> Polynomial:
        if not isinstance(other, Polynomial):
            return Polynomial({key: value * other for key, value in self.items()} if other else {})
        spend(len(self) * len(other) + 1, f"a product of polynomials of {len(self)} and {len(other)} terms")
        out: dict[Monomial, Any] = {}
        for left, x in self.items():
            for right, y in other.items():
                key = tuple(sorted(left + right))
                out[key] = out.get(key, 0) + x * y
            if len(out) > MAX_TERMS:
                raise TooLarge
        if any(len(key) > MAX_DEGREE for key in out):
            raise TooLarge
        return Polynomial({key: value for key, value in out.items() if value})

    def __neg__(self) -> Polynomial:
        return Polynomial({key: -value for key, value in self.items()})

    def __sub__(self, other: Any) -> Polynomial:
        return self + polynomial(-other)

    def __rsub__(self, other: Any) -> Polynomial:
        return -self + polynomial(other)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Polynomial:
        return self * inverse(polynomial(other))

    def __rtruediv__(self, other: Any) -> Polynomial:
        return inverse(self) * polynomial(other)

    def __pow__(self, exponent: int) -> Polynomial:
        if exponent > MAX_DEGREE:
            raise TooLarge
        out = polynomial(1)
        for _ in range(exponent):
            out = out * self
        return out


class Inverse(str):
    """The indeterminate 1/D, written so; ``divisor`` is D."""

    divisor: Polynomial


def polynomial(value: Any) -> Polynomial:
    """A number as a polynomial; a polynomial as it is."""
    return value if isinstance(value, Polynomial) else Polynomial({(): value} if value else {})


def variable(name: str) -> Polynomial:
    """The polynomial that is one indeterminate."""
    return Polynomial({(name,): 1})


def inverse(divisor: Polynomial) -> Polynomial:
    """1/D: a number where D is one, else content times the indeterminate 1/(D without its content)."""
    if not divisor:
        raise ZeroDivisionError
    if set(divisor) == {()}:
        return polynomial(1 / Fraction(divisor[()]))
    if any(isinstance(name, Inverse) for name in names(divisor)):
        raise TooLarge("a quotient inside a divisor")
    scale, whole = primitive(divisor)
    symbol = Inverse(f"1/({text(whole)})")
    symbol.divisor = whole
    return Polynomial({(symbol,): 1 / scale})


def names(*polynomials: Polynomial) -> list[Any]:
    """The indeterminates that occur, sorted."""
    return sorted({name for p in polynomials for key in p for name in key})


def parameters(*polynomials: Polynomial) -> list[str]:
    """The parameters that occur, in divisors too, sorted."""
    found = names(*polynomials)
    inside = (names(name.divisor) for name in found if isinstance(name, Inverse))
    return sorted({name for name in found if not isinstance(name, Inverse)}.union(*inside))


def primitive(p: Polynomial) -> tuple[Fraction, Polynomial]:
    """(c, q) with p = c q, q of coprime integer coefficients and c > 0; (1, 0) for zero."""
    if not p:
        return Fraction(1), p
    unit = lcm(*(Fraction(value).denominator for value in p.values()))
    content = gcd(*(int(value * unit) for value in p.values()))
    return Fraction(content, unit), Polynomial({key: int(value * unit) // content for key, value in p.items()})


def text(p: Polynomial) -> str:
    """The one spelling of a polynomial with integer coefficients, monomials sorted: ``-2+3*theta.x*theta.x``."""
    return "".join(f"{p[key]:+}" + "".join(f"*{name}" for name in key) for key in sorted(p)) or "0"


def substituted(p: Polynomial, values: Mapping[Any, Any]) -> Polynomial:
    """``p`` with numbers or polynomials in place of some indeterminates, divisors included."""
    out = polynomial(0)
    for key, coefficient in p.items():
        term = polynomial(coefficient)
        for name in key:
            if isinstance(name, Inverse):
                term = term / substituted(name.divisor, values)
            else:
                term = term * values.get(name, variable(name))
        out = out + term
    return out


def derivative(p: Polynomial, name: str) -> Polynomial:
    """dp/dname, where 1/D has the derivative -D'/D^2."""
    out = Polynomial()
    for key, coefficient in p.items():
        for k, factor in enumerate(key):
            rest = Polynomial({(*key[:k], *key[k + 1 :]): coefficient})
            if factor == name:
                out = out + rest
            elif isinstance(factor, Inverse):
                symbol = Polynomial({(factor, factor): -1})
                out = out + rest * symbol * derivative(factor.divisor, name)
    return out


def value(p: Polynomial, point: Mapping[Any, Fraction]) -> Fraction:
    """The value at a point that gives every indeterminate a number."""
    number = substituted(p, point)
    return Fraction(number.get((), 0))


def divisors(polynomials: Iterable[Polynomial]) -> list[Inverse]:
    """The inverses that occur, sorted."""
    return [name for name in names(*polynomials) if isinstance(name, Inverse)]


def without(p: Polynomial, symbol: Inverse, sign: int = 1) -> tuple[Polynomial, int]:
    """``p`` times the least power of its divisor D, or of -D for sign -1, that takes 1/D away, and that power."""
    most = max((key.count(symbol) for key in p), default=0)
    powers = [polynomial(1)]
    for _ in range(most):
        powers.append(powers[-1] * symbol.divisor * sign)
    out = polynomial(0)
    for key, coefficient in p.items():
        count = key.count(symbol)
        rest = tuple(name for name in key if name != symbol)
        out = out + powers[most - count] * Polynomial({rest: coefficient * sign**count})
    return out, most


def cleared(p: Polynomial, signs: Mapping[Inverse, int] | None = None) -> Polynomial:
    """``p`` times a power of each of its divisors D, or of -D where the sign given for D is -1.

    Wherever every D has the sign given for it, this polynomial has the sign of ``p``; where no D is zero, it is zero
    exactly where ``p`` is, whatever the signs.  Raises KeyError for a divisor without a sign, where ``signs`` is given.
    """
    for symbol in divisors([p]):
        p, _ = without(p, symbol, 1 if signs is None else signs[symbol])
    return p
