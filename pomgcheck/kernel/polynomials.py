"""Exact polynomials in named indeterminates: what the tables of a class with interval axes are made of.

A polynomial is a sum of integers over one unit, and each of its monomials is one integer: from the highest byte on, its
degree and its exponents of the indeterminates that occur in the polynomial.  A product of monomials is so a sum of
integers; no byte runs over, since a degree beyond MAX_DEGREE is refused before a product is formed.

A quotient N/D is the polynomial N times one more indeterminate, the ``Inverse`` of D, so that products and sums
stay polynomials; ``cleared`` multiplies the divisors away again, which keeps zero, and keeps the sign where each
divisor has the sign that is given for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from math import gcd, lcm, prod
from typing import Any

from .budget import spend

MAX_TERMS = 20_000  # of a product of polynomials
MAX_DEGREE = 64  # of one monomial, counted with multiplicity; less than half of what a byte holds

Monomial = tuple[Any, ...]  # indeterminates, sorted, each as often as its exponent says
Axes = tuple[Any, ...]  # indeterminates, sorted, each once


class TooLarge(ValueError):
    """This is raised for a polynomial beyond MAX_TERMS or MAX_DEGREE, and for a quotient inside a divisor."""


@lru_cache(maxsize=1 << 12)
def places(axes: Axes) -> dict[Any, int]:
    """Return where the exponent of each indeterminate begins in a monomial, and under ``None`` where its degree
    does."""
    return {name: 8 * (len(axes) - k) for k, name in enumerate((None, *axes))}


@lru_cache(maxsize=1 << 12)
def union(left: Axes, right: Axes) -> Axes:
    """Return the indeterminates of both."""
    return tuple(sorted({*left, *right}))


@lru_cache(maxsize=1 << 12)
def moves(old: Axes, new: Axes) -> list[tuple[int, int]]:
    """Return where each byte of a monomial is, and where it is among other indeterminates, which include all that
    occur."""
    return [(start, places(new)[name]) for name, start in places(old).items() if name in places(new)]


def repacked(found: dict[int, int], old: Axes, new: Axes) -> dict[int, int]:
    """Return the coefficients by the same monomials in other indeterminates."""
    if old == new:
        return found
    bytes_ = moves(old, new)
    return {sum([(key >> start & 255) << end for start, end in bytes_]): c for key, c in found.items()}


class Polynomial:
    """A polynomial is the sum of c/unit times a monomial over ``coefficients``: packed monomial -> integer c, which is
    not zero.

    ``axes`` are the indeterminates that occur, and the positive ``unit`` has no factor in common with all c, so that
    equal polynomials have equal parts. To read, it is a mapping of monomials to exact numbers. It never changes.
    """

    __slots__ = ("_hash", "axes", "coefficients", "unit")

    def __init__(self, terms: Mapping[Any, Any] = {}, axes: Axes | None = None, unit: int = 1) -> None:
        """Take monomials and exact numbers; where ``axes`` are given, packed monomials and integers over a unit."""
        if axes is None:
            if any(len(monomial) > MAX_DEGREE for monomial in terms):
                raise TooLarge
            axes = tuple(sorted({name for monomial in terms for name in monomial}))
            at, unit = places(axes), lcm(*(c.denominator for c in terms.values()))
            terms = {sum(1 << at[x] for x in (*key, *[None] * len(key))): int(c * unit) for key, c in terms.items()}
        found = dict(terms) if all(terms.values()) else {key: c for key, c in terms.items() if c}
        used = reduce(int.__or__, found, 0).to_bytes(len(axes) + 1, "big")[1:]
        if 0 in used:
            kept = tuple(name for name, exponents in zip(axes, used, strict=True) if exponents)
            axes, found = kept, repacked(found, axes, kept)
        if unit != 1 and (common := gcd(unit, *found.values())) != 1:
            found, unit = {key: c // common for key, c in found.items()}, unit // common
        self.axes, self.coefficients, self.unit = axes, found, unit
        self._hash: int | None = None

    def exponents(self) -> list[bytes]:
        """Return the exponents of its indeterminates in every monomial, in the order of the coefficients."""
        return [key.to_bytes(len(self.axes) + 1, "big")[1:] for key in self.coefficients]

    def __len__(self) -> int:
        return len(self.coefficients)

    def __iter__(self) -> Iterator[Monomial]:
        for counts in self.exponents():
            yield tuple([name for name, count in zip(self.axes, counts, strict=True) for _ in range(count)])

    def items(self) -> list[tuple[Monomial, int | Fraction]]:
        """Return its monomials with their coefficients."""
        found, unit = self.coefficients.values(), self.unit
        return list(zip(self, found if unit == 1 else [Fraction(c, unit) for c in found], strict=True))

    def get(self, monomial: Monomial, missing: object = None) -> Any:
        """Return the coefficient of a monomial."""
        return dict(self.items()).get(monomial, missing)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polynomial):
            return NotImplemented
        return self.unit == other.unit and self.coefficients == other.coefficients and self.axes == other.axes

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.axes, self.unit, frozenset(self.coefficients.items())))
        return self._hash

    def __add__(self, other: object) -> Polynomial:
        return total((self, polynomial(other)))

    def __mul__(self, other: object) -> Polynomial:
        few, many = sorted((self, polynomial(other)), key=len)
        spend(len(few) * len(many) + 1, f"a product of polynomials of {len(few)} and {len(many)} terms")
        if sum(max(p.coefficients, default=0) >> 8 * len(p.axes) for p in (few, many)) > MAX_DEGREE:  # their degrees
            raise TooLarge
        axes, out = union(few.axes, many.axes), dict[int, int]()
        longer = repacked(many.coefficients, many.axes, axes)
        for left, x in repacked(few.coefficients, few.axes, axes).items():
            for right, y in longer.items():
                key = left + right
                out[key] = out.get(key, 0) + x * y
            if len(out) > MAX_TERMS:
                raise TooLarge
        return Polynomial(out, axes, few.unit * many.unit)

    def __neg__(self) -> Polynomial:
        return Polynomial({key: -c for key, c in self.coefficients.items()}, self.axes, self.unit)

    def __sub__(self, other: Any) -> Polynomial:
        return self + polynomial(-other)

    def __rsub__(self, other: object) -> Polynomial:
        return -self + polynomial(other)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: object) -> Polynomial:
        return self * inverse(polynomial(other))

    def __rtruediv__(self, other: object) -> Polynomial:
        return inverse(self) * polynomial(other)

    def __pow__(self, exponent: int) -> Polynomial:
        if exponent > MAX_DEGREE:
            raise TooLarge
        return prod([self] * exponent, start=polynomial(1))


def total(summands: Iterable[Polynomial]) -> Polynomial:
    """Return the sum of polynomials."""
    parts = [p for p in summands if p]
    spend((sum(map(len, parts)) >> 4) + 1, "a sum of polynomials")
    unit, axes, out = lcm(*{p.unit for p in parts}), reduce(union, [p.axes for p in parts], ()), dict[int, int]()
    for p in parts:
        scale = unit // p.unit
        for key, c in repacked(p.coefficients, p.axes, axes).items():
            out[key] = out.get(key, 0) + c * scale
    return Polynomial(out, axes, unit)


class Inverse(str):
    """This is the indeterminate 1/D, and its text says so; ``divisor`` is D."""

    divisor: Polynomial


def polynomial(value: Any) -> Polynomial:
    """Return a number as a polynomial, and a polynomial as it is."""
    return value if isinstance(value, Polynomial) else Polynomial({0: value.numerator}, (), value.denominator)


def variable(name: str) -> Polynomial:
    """Return the polynomial that is one indeterminate."""
    return Polynomial({(name,): 1})


def inverse(divisor: Polynomial) -> Polynomial:
    """Return 1/D: a number where D is one, else content times the indeterminate 1/(D without its content)."""
    if not divisor:
        raise ZeroDivisionError
    scale, whole = primitive(divisor)
    if not divisor.axes:
        return whole * (1 / scale)
    if any(isinstance(name, Inverse) for name in divisor.axes):
        raise TooLarge("a quotient inside a divisor")
    symbol = Inverse(f"1/({text(whole)})")
    symbol.divisor = whole
    return Polynomial({(symbol,): 1 / scale})


def names(*polynomials: Polynomial) -> list[Any]:
    """Return the indeterminates that occur, sorted."""
    return sorted({name for p in polynomials for name in p.axes})


def cofactors(p: Polynomial, name: object) -> dict[int, Polynomial]:
    """Return k -> p_k, for decreasing k and p_k not zero, with p = sum of x^k p_k for an indeterminate x that
    occurs."""
    parts, place, degree = dict[int, dict[int, int]](), places(p.axes)[name], places(p.axes)[None]
    for key, c in p.coefficients.items():
        k = key >> place & 255
        parts.setdefault(k, {})[key - (k << place) - (k << degree)] = c
    return {k: Polynomial(parts[k], p.axes, p.unit) for k in sorted(parts, reverse=True)}


def parameters(*polynomials: Polynomial) -> list[str]:
    """Return the parameters that occur, in divisors too, sorted."""
    found = names(*polynomials)
    inside = (names(name.divisor) for name in found if isinstance(name, Inverse))
    return sorted({name for name in found if not isinstance(name, Inverse)}.union(*inside))


def primitive(p: Polynomial) -> tuple[Fraction, Polynomial]:
    """Return (c, q) with p = c q, q of coprime integer coefficients and c > 0; (1, 0) for zero."""
    content = gcd(*p.coefficients.values()) or 1
    if content == p.unit == 1:
        return Fraction(1), p
    return Fraction(content, p.unit), Polynomial({key: c // content for key, c in p.coefficients.items()}, p.axes)


def text(p: Polynomial) -> str:
    """Return the one spelling of a polynomial with integer coefficients, monomials sorted: ``-2+3*theta.x*theta.x``."""
    return "".join(f"{c:+}" + "".join(f"*{name}" for name in key) for key, c in sorted(p.items())) or "0"


def substituted(p: Polynomial, values: Mapping[Any, Any]) -> Polynomial:
    """Return ``p`` with numbers or polynomials in place of some indeterminates, divisors included."""
    for name in p.axes:
        inside = names(name.divisor) if isinstance(name, Inverse) else [name]
        if not values.keys().isdisjoint(inside):
            new = inverse(substituted(name.divisor, values)) if isinstance(name, Inverse) else values[name]
            return total(substituted(part, values) * polynomial(new) ** k for k, part in cofactors(p, name).items())
    return p


def derivative(p: Polynomial, name: str) -> Polynomial:
    """Return dp/dname, where 1/D has the derivative -D'/D^2."""
    out = Polynomial()
    for factor in p.axes:
        if factor == name or isinstance(factor, Inverse):
            inner = -(variable(factor) ** 2) * derivative(factor.divisor, name) if isinstance(factor, Inverse) else 1
            lower = (part * variable(factor) ** (k - 1) * k for k, part in cofactors(p, factor).items() if k)
            out = out + total(lower) * inner
    return out


def value(p: Polynomial, point: Mapping[Any, Fraction]) -> Fraction:
    """Return the value at a point that gives every indeterminate a number."""
    terms, unit = list(p.coefficients.values()), p.unit
    for name, exponents in zip(p.axes, zip(*p.exponents(), strict=True), strict=True):
        x = 1 / value(name.divisor, point) if isinstance(name, Inverse) else Fraction(point[name])
        most = max(exponents)
        terms = [c * x.numerator**k * x.denominator ** (most - k) for c, k in zip(terms, exponents, strict=True)]
        unit *= x.denominator**most
    return Fraction(sum(terms), unit)


def divided(p: Polynomial, divisor: Polynomial) -> Polynomial | None:
    """Return p over a polynomial that divides it, leading monomial after leading monomial, or ``None`` where it does
    not.

    Monomials are ordered as their integers: by degree, then by exponents.
    """
    if not divisor.axes:
        return p * (1 / value(divisor, {}))
    (content, p), (scale, divisor) = primitive(p), primitive(divisor)  # by Gauss's lemma so is the quotient of these
    axes, out = union(p.axes, divisor.axes), dict[int, int]()
    rest, terms = dict(repacked(p.coefficients, p.axes, axes)), repacked(divisor.coefficients, divisor.axes, axes)
    top, high = max(terms), int.from_bytes(b"\x80" * (len(axes) + 1), "big")  # the first bit of each byte
    while rest:
        spend(len(terms), "a division of polynomials")
        first = max(rest)
        c, remainder = divmod(rest[first], terms[top])
        if remainder or (first | high) - top & high != high:  # or some exponent of the divisor is larger
            return None
        out[first - top] = c
        for key, x in terms.items():
            at = key + first - top
            if left := rest.pop(at, 0) - c * x:
                rest[at] = left
    return Polynomial(out, axes) * (content / scale)


def divisors(polynomials: Iterable[Polynomial]) -> list[Inverse]:
    """Return the inverses that occur, sorted."""
    return [name for name in names(*polynomials) if isinstance(name, Inverse)]


def without(p: Polynomial, symbol: Inverse, sign: int = 1) -> tuple[Polynomial, int]:
    """Return ``p`` times the least power of its divisor D, or of -D for sign -1, that takes 1/D away, and that
    power."""
    parts = cofactors(p, symbol) if symbol in p.axes else {0: p}
    most, divisor = max(parts, default=0), symbol.divisor * sign
    return total(divisor ** (most - k) * part * sign**k for k, part in parts.items()), most


def cleared(p: Polynomial, signs: Mapping[Inverse, int] | None = None) -> Polynomial:
    """Return ``p`` times a power of each of its divisors D, or of -D where the sign given for D is -1.

    Wherever every D has the sign given for it, this polynomial has the sign of ``p``; where no D is zero, it is zero
    exactly where ``p`` is, whatever the signs. Raises KeyError for a divisor without a sign, where ``signs`` is given.
    """
    for symbol in divisors([p]):
        p, _ = without(p, symbol, 1 if signs is None else signs[symbol])
    return p
