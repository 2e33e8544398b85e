"""Exact polynomials of the search: one flint ring for a class, its parameters and the divisors of its entries.

A quotient N/D is N times a generator that stands for 1/D; `Ring.cleared` multiplies the divisors away.  Terms are named
as certificates name them: ``theta.x``, ``Phi.y``, and ``1/(D)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Any

Poly = Any  # flint.fmpq_mpoly
Monomial = tuple[str, ...]  # sorted names, each as often as its exponent says
Terms = dict[Monomial, Fraction]


def added(p: Mapping[Monomial, Fraction], q: Mapping[Monomial, Fraction], sign: int = 1) -> Terms:
    """Return p + sign q, without the terms that cancel."""
    out = dict(p)
    for key, c in q.items():
        out[key] = out.get(key, Fraction(0)) + sign * c
    return {key: c for key, c in out.items() if c}


def multiplied(p: Mapping[Monomial, Fraction], q: Mapping[Monomial, Fraction]) -> Terms:
    """Return the product of two polynomials."""
    out: Terms = {}
    for (left, x), (right, y) in product(p.items(), q.items()):
        key = tuple(sorted(left + right))
        out[key] = out.get(key, Fraction(0)) + x * y
    return {key: c for key, c in out.items() if c}


def at(terms: Mapping[Monomial, Fraction | int], point: Mapping[str, Fraction]) -> Fraction:
    """Return the value at a point that gives each name that occurs a number."""
    total = Fraction(0)
    for key, c in terms.items():
        for name in key:
            c *= point[name]
        total += c
    return total


def primitive(terms: Mapping[Monomial, Fraction]) -> dict[Monomial, int]:
    """Return the terms over their positive content."""
    unit = lcm(*(c.denominator for c in terms.values()))
    content = gcd(*(int(c * unit) for c in terms.values()))
    return {key: int(c * unit) // content for key, c in terms.items()}


class Ring:
    """A ring has the polynomials over QQ in ``names`` and in the inverses of ``divisors`` (name 1/(D) -> terms of
    D)."""

    def __init__(self, names: Iterable[str], divisors: Mapping[str, Mapping[Monomial, int]]) -> None:
        from flint import Ordering, fmpq_mpoly_ctx

        self.names = [*sorted(names), *sorted(divisors)]
        self.context = fmpq_mpoly_ctx.get([f"v{k}" for k in range(len(self.names))] or ["v"], Ordering.lex)
        self.generators = dict(zip(self.names, self.context.gens(), strict=False))
        self.zero, self.one = self.context.constant(0), self.context.constant(1)
        self.divisors = {name: self.of_terms(terms) for name, terms in divisors.items()}

    def of_terms(self, terms: Mapping[Monomial, Any]) -> Poly:
        """Return the terms by name, each name as often as its exponent says."""
        from flint import fmpq

        places = {name: k for k, name in enumerate(self.names)}
        size = len(self.context.gens())
        table: dict[tuple[int, ...], Any] = {}
        for key, c in terms.items():
            powers = [0] * size
            for name in key:
                powers[places[name]] += 1
            table[tuple(powers)] = fmpq(c.numerator, c.denominator)
        return self.context.from_dict(table)

    def constant(self, value: Fraction | int) -> Poly:
        """Return a number as a polynomial."""
        return self.of_terms({(): Fraction(value)})

    def terms(self, p: Poly) -> Terms:
        """Return the monomials as sorted names, and their coefficients."""
        out = {}
        for powers, c in p.terms():
            names = (n for n, power in zip(self.names, powers, strict=False) for _ in range(int(power)))
            out[tuple(sorted(names))] = Fraction(int(c.p), int(c.q))
        return out

    def used(self, p: Poly) -> list[str]:
        """Return the names that occur in p, sorted."""
        degrees = [int(d) for d in p.degrees()] if p != 0 else []
        return sorted(name for name, degree in zip(self.names, degrees, strict=False) if degree)

    def value(self, p: Poly, point: Mapping[str, Fraction]) -> Fraction:
        """Return p, which has no divisors, at a point that gives each name that occurs a number."""
        return at(self.terms(p), point)

    def evaluator(self, p: Poly) -> Callable[[Mapping[str, Fraction]], Fraction]:
        """Return p, its divisors included, as a function of points."""
        terms = self.terms(p)
        inner = {name: self.terms(self.divisors[name]) for name in self.used(p) if name in self.divisors}
        return lambda point: at(terms, {**point, **{name: 1 / at(D, point) for name, D in inner.items()}})

    def quotient_value(self, p: Poly, point: Mapping[str, Fraction]) -> Fraction:
        """Return p at a point, its divisors included."""
        return self.evaluator(p)(point)

    def cleared(self, p: Poly, centre: Mapping[str, Fraction]) -> Poly:
        """Return p times the least powers of its divisors, signed as at the centre, that make it a polynomial."""
        for name, divisor in self.divisors.items():
            k = self.names.index(name)
            most = int(p.degrees()[k]) if p != 0 else 0
            if most:
                signed = divisor if self.value(divisor, centre) > 0 else -divisor
                sign = 1 if signed == divisor else -1
                parts: dict[int, dict[tuple[int, ...], Any]] = {}
                for powers, c in p.terms():
                    rest = tuple(0 if n == k else int(e) for n, e in enumerate(powers))
                    parts.setdefault(int(powers[k]), {})[rest] = c * sign ** int(powers[k])
                p = sum((self.context.from_dict(part) * signed ** (most - n) for n, part in parts.items()), self.zero)
        return p

    def derivative(self, p: Poly, name: str) -> Poly:
        """Return dp/dname; a divisor D counts through d(1/D) = -D'/D^2."""
        k = self.names.index(name)
        out = p.derivative(k)
        for symbol, divisor in self.divisors.items():
            inner = divisor.derivative(k)
            if inner != 0:
                out -= p.derivative(self.names.index(symbol)) * self.generators[symbol] ** 2 * inner
        return out

    def parameters(self, p: Poly) -> list[str]:
        """Return the names that occur in p or in its divisors, sorted."""
        used = self.used(p)
        inside = (self.used(self.divisors[name]) for name in used if name in self.divisors)
        return sorted({name for name in used if name not in self.divisors}.union(*inside))

    def split(self, p: Poly) -> tuple[Fraction, Poly]:
        """Return (c, q) with p = c q, c > 0 and q primitive; (1, 0) for zero."""
        whole = self.primitive(p)
        if p == 0:
            return Fraction(1), whole
        left, right = p.leading_coefficient(), whole.leading_coefficient()
        ratio = left / right
        return Fraction(int(ratio.p), int(ratio.q)), whole

    def primitive(self, p: Poly) -> Poly:
        """Return p over the positive content of its coefficients."""
        from flint import fmpq

        if p == 0:
            return p
        coefficients = p.coeffs()
        unit = lcm(*(int(c.q) for c in coefficients))
        content = gcd(*(int(c.p) * (unit // int(c.q)) for c in coefficients))
        return p * fmpq(unit, content)

    def text(self, p: Poly) -> str:
        """Return integer coefficients in the spelling of certificates."""
        return spelled({key: int(c) for key, c in self.terms(p).items()})


def spelled(terms: Mapping[Monomial, int]) -> str:
    """Return sorted monomials with signed integer coefficients, a power written as a product; ``0`` for none."""
    return "".join("*".join([f"{terms[key]:+d}", *key]) for key in sorted(terms)) or "0"
