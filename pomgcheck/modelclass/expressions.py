"""Reads exact expressions: any spelling in, one canonical text out.

Grammar: integers, decimals (``0.15`` is 3/20), parameter names, ``+ - * / ^`` with integer exponents, parentheses.
Canonical text is N/D with N and D coprime integer polynomials, the leading coefficient of D positive, monomials in
descending lexicographic order over the sorted parameter names: ``3/20``, ``-x^2*y+3*x-1``, ``(-10*x+9)/10``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import Any, NoReturn

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass.fields import describe
from pomgcheck.modelclass.values import MAX_DIGITS

MAX_EXPONENT = 999
MAX_TERMS = 20_000  # of one polynomial while it is worked out
MAX_NESTING = 100  # of parentheses

Number = int | Fraction
Polynomial = Any  # flint.fmpz_mpoly, whose module is imported only where one is made


# ------------------------------------------------------------------------- quotients of polynomials


class _TooLarge(Exception):
    """A polynomial is beyond MAX_TERMS, or a number beyond MAX_DIGITS."""


def _times(p: Polynomial, q: Polynomial) -> Polynomial:
    if len(p) * len(q) > MAX_TERMS:
        raise _TooLarge
    return p * q


class Quotient:
    """This is N/D in lowest terms over the integers, the leading coefficient of D positive."""

    __slots__ = ("den", "num")

    def __init__(self, num: Polynomial, den: Polynomial) -> None:
        factor = num.gcd(den)
        if den.leading_coefficient() < 0:
            factor = -factor
        self.num, self.den = num // factor, den // factor

    def _other(self, value: Number | Quotient) -> Quotient:
        if isinstance(value, Quotient):
            return value
        context = self.den.context()
        return Quotient(context.constant(value.numerator), context.constant(value.denominator))

    def __add__(self, value: Number | Quotient) -> Quotient:
        other = self._other(value)
        if self.den == other.den:
            return Quotient(self.num + other.num, self.den)
        num = _times(self.num, other.den) + _times(other.num, self.den)
        return Quotient(num, _times(self.den, other.den))

    def __neg__(self) -> Quotient:
        return Quotient(-self.num, self.den)

    def __sub__(self, value: Number | Quotient) -> Quotient:
        return self + -value

    def __rsub__(self, value: Number) -> Quotient:
        return -self + value

    def __mul__(self, value: Number | Quotient) -> Quotient:
        other = self._other(value)
        return Quotient(_times(self.num, other.num), _times(self.den, other.den))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, value: Number | Quotient) -> Quotient:
        other = self._other(value)
        return self * Quotient(other.den, other.num)

    def __rtruediv__(self, value: Number) -> Quotient:
        return Quotient(self.den, self.num) * value

    def __pow__(self, exponent: int) -> Quotient:
        for p in (self.num, self.den):
            bits = max((abs(int(c)).bit_length() for c in p.coeffs()), default=0)
            if comb(exponent + max(len(p), 1) - 1, exponent) > MAX_TERMS or exponent * bits > 4 * MAX_DIGITS:
                raise _TooLarge
        return Quotient(self.num**exponent, self.den**exponent)


def _power(base: Fraction | Quotient, exponent: int) -> Fraction | Quotient:
    if isinstance(base, Fraction):
        size = max(abs(base.numerator), base.denominator)
        if size > 1 and exponent * size.bit_length() > 4 * MAX_DIGITS:
            raise _TooLarge
        return base**exponent
    return base**exponent


# ------------------------------------------------------------------------------------ canonical text


def polynomial_text(p: Polynomial) -> str:
    """Return the monomials in descending lexicographic order, such as ``-x^2*y+3*x-1``; ``0`` for the zero polynomial."""
    names = p.context().names()
    text = ""
    for exponents, coefficient in p.terms():
        powers = [n if e == 1 else f"{n}^{int(e)}" for n, e in zip(names, exponents, strict=True) if e]
        size = abs(coefficient)
        factors = powers if powers and size == 1 else [str(size), *powers]
        text += ("-" if coefficient < 0 else "+") + "*".join(factors)
    return text.removeprefix("+") or "0"


def _quotient_text(value: Quotient) -> str:
    num, den = polynomial_text(value.num), polynomial_text(value.den)
    if den == "1":
        return num
    above = f"({num})" if len(value.num) > 1 else num
    below = den if re.fullmatch(r"[0-9]+|[A-Za-z_][A-Za-z0-9_]*", den, re.ASCII) else f"({den})"
    return f"{above}/{below}"


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression has a canonical ``text``, its ``value``, and the polynomials by which its author's spelling
    divides.

    The divisors are those *before* cancelling: ``x/x`` is 1 only where x is not zero.
    """

    text: str
    value: Fraction | Quotient
    divisors: tuple[Polynomial, ...] = ()


# ------------------------------------------------------------------------------------------- parsing

_TOKEN = re.compile(r"[ \t\r\n]*(?:([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z0-9_]*)|([-+*/^()]))", re.ASCII)
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,1000}(?:/[1-9][0-9]{0,999}|\.[0-9]{1,1000})?", re.ASCII)
_GRAMMAR = "an expression of exact numbers, parameters, + - * / ^ and ( )"


class _Parser:
    """This descends recursively over one text, and works out the value as it reads."""

    def __init__(self, text: str, where: str, ring: ExpressionRing) -> None:
        self.text, self.where, self.ring = text, where, ring
        self.tokens = self._tokens()
        self.at = self.nesting = 0
        self.divisors: list[Polynomial] = []

    def _tokens(self) -> list[tuple[str, int]]:
        """Return tokens with their positions, closed by an empty one."""
        tokens, position, end = [], 0, len(self.text.rstrip(" \t\r\n"))
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None:
                blank = re.match(r"[ \t\r\n]*", self.text[position:])
                self._fail(position + (blank.end() if blank else 0))
            position = match.end()
            number = match.group(1)
            if number and position < end and (self.text[position] in "._" or self.text[position].isalpha()):
                self._fail(position, "numbers as 3/20 or 0.15, with * before a parameter")
            if number and len(number) > MAX_DIGITS:
                raise InputError(self.where, f"a number of {len(number)} digits", f"at most {MAX_DIGITS} digits")
            tokens.append((match.group(match.lastindex or 0), match.start(match.lastindex or 0)))
        return [*tokens, ("", end)]

    def _fail(self, position: int, required: str = _GRAMMAR) -> NoReturn:
        inside = position < len(self.text)
        seen = f'"{self.text[position]}" at character {position + 1}' if inside else "its end too early"
        fix = "write powers with ^" if self.text.startswith("**", position - 1) else ""
        raise InputError(self.where, f"{describe(self.text)} with {seen}", required, fix)

    def parse(self) -> Fraction | Quotient:
        value = self.sum()
        if self.tokens[self.at][0]:
            self._fail(self.tokens[self.at][1])
        return value

    def take(self, *wanted: str) -> str:
        """Return the next token if it is one of ``wanted``, else the empty string."""
        token = self.tokens[self.at][0]
        if token == "" or token not in wanted:
            return ""
        self.at += 1
        return token

    def sum(self) -> Fraction | Quotient:
        value = self.product()
        while sign := self.take("+", "-"):
            value = value + self.product() if sign == "+" else value - self.product()
        return value

    def product(self) -> Fraction | Quotient:
        value = self.signed()
        while sign := self.take("*", "/"):
            position = self.tokens[self.at][1]
            factor = self.signed()
            value = value * factor if sign == "*" else self.divided(value, factor, position)
        return value

    def divided(self, value: Fraction | Quotient, divisor: Fraction | Quotient, position: int) -> Fraction | Quotient:
        """Return ``value / divisor``, and remember what must not vanish on the class."""
        if divisor == 0 if isinstance(divisor, Fraction) else divisor.num == 0:
            seen = f"{describe(self.text)} dividing by zero at character {position + 1}"
            raise InputError(self.where, seen, "a divisor that is not zero")
        if isinstance(divisor, Quotient) and not divisor.num.is_constant():
            self.divisors.append(divisor.num)
        return value / divisor

    def signed(self) -> Fraction | Quotient:
        """Return a signed term: unary minus binds less than a power, so -x^2 is -(x^2)."""
        minus = False
        while self.take("-"):
            minus = not minus
        value = self.power()
        return -value if minus else value

    def power(self) -> Fraction | Quotient:
        position = self.tokens[self.at][1]
        base = self.atom()
        if not self.take("^"):
            return base
        exponent = self.exponent()
        value = _power(base, abs(exponent))
        return value if exponent >= 0 else self.divided(Fraction(1), value, position)

    def exponent(self) -> int:
        bracket = self.take("(")
        sign = -1 if self.take("-") else 1
        token, position = self.tokens[self.at]
        if not token.isdigit() or len(token) > 4 or int(token) > MAX_EXPONENT:
            self._fail(position, f"an integer exponent of at most {MAX_EXPONENT}")
        self.at += 1
        if bracket and not self.take(")"):
            self._fail(self.tokens[self.at][1], "a closing parenthesis")
        return sign * int(token)

    def atom(self) -> Fraction | Quotient:
        token, position = self.tokens[self.at]
        if self.take("("):
            self.nesting += 1
            if self.nesting > MAX_NESTING:
                raise InputError(self.where, "parentheses nested too deep", f"at most {MAX_NESTING} levels")
            value = self.sum()
            if not self.take(")"):
                self._fail(self.tokens[self.at][1], "a closing parenthesis")
            self.nesting -= 1
            return value
        if token[:1].isdigit():
            self.at += 1
            return Fraction(token)
        if token == "" or token in "+-*/^)":
            self._fail(position)
        self.at += 1
        return self.ring.named(token, self.text, self.where)


# ---------------------------------------------------------------------------------------------- rings


class ExpressionRing:
    """These are the expressions in the parameters of one side (worlds or responses); each text is worked out once.

    ``elsewhere`` says to whom parameters belong that may not stand here, for the message when one does; ``knobs`` are
    names that stand for numbers.
    """

    def __init__(
        self,
        names: Iterable[str] = (),
        elsewhere: Mapping[str, str] | None = None,
        knobs: Mapping[str, Fraction] | None = None,
    ) -> None:
        self.names = tuple(sorted(names))
        self.elsewhere = elsewhere or {}
        self.knobs = {} if knobs is None else knobs
        self._read: dict[str, Expression] = {}

    @cached_property
    def _generators(self) -> Mapping[str, Quotient]:
        from flint import Ordering, fmpz_mpoly_ctx

        context = fmpz_mpoly_ctx.get(self.names, Ordering.lex)
        return {n: Quotient(g, context.constant(1)) for n, g in zip(self.names, context.gens(), strict=True)}

    @cached_property
    def constants(self) -> ExpressionRing:
        """Return the expressions without parameters, in the same knobs."""
        return ExpressionRing((), None, self.knobs) if self.names else self

    def named(self, name: str, text: str, where: str) -> Fraction | Quotient:
        """Return the parameter or knob ``name``, met while reading ``text``."""
        if name in self.names:
            return self._generators[name]
        if name in self.knobs:
            return self.knobs[name]
        kinds = (("parameters", self.names), ("knobs", self.knobs))
        known = " and ".join(f"the {kind} {', '.join(names)}" for kind, names in kinds if names)
        declared = f"only {known}" if known else "an expression without parameters"
        fix = f"{name} is a parameter of {self.elsewhere[name]} alone" if name in self.elsewhere else ""
        if f"{name}(" in text.replace(" ", ""):
            fix = "an entry has numbers, names, + - * / ^ and brackets, and no functions"
        raise InputError(where, f'{describe(text)} with the undeclared name "{name}"', declared, fix)

    def read(self, text: str, where: str) -> Expression:
        """Parse ``text``; raise ``InputError`` (with the position and what was required) or ``LimitExceeded``."""
        known = self._read.get(text)
        if known is None:
            known = self._read[text] = self._parsed(text, where)
        return known

    def _parsed(self, text: str, where: str) -> Expression:
        if _PLAIN_NUMBER.fullmatch(text):
            return self.expression(Fraction(text), where)
        parser = _Parser(text, where, self)
        try:
            return self.expression(parser.parse(), where, parser.divisors)
        except _TooLarge:
            raise self._too_large(text, where) from None

    def _too_large(self, text: str, where: str) -> InputError:
        limits = f"at most {MAX_TERMS} terms and numbers of {MAX_DIGITS} digits"
        return InputError(where, f"{describe(text)}, too large to expand", limits)

    def expression(self, value: Fraction | Quotient, where: str, divisors: Sequence[Polynomial] = ()) -> Expression:
        """Return ``value`` with its canonical text."""
        if isinstance(value, Quotient) and value.num.is_constant() and value.den.is_constant():
            value = Fraction(polynomial_text(value.num)) / Fraction(polynomial_text(value.den))
        if isinstance(value, Fraction):
            if max(abs(value.numerator), value.denominator).bit_length() > 3 * MAX_DIGITS:
                raise InputError(where, "a number too long to print", f"at most {MAX_DIGITS} digits")
            return Expression(str(value), value, tuple(divisors))
        degree = max(int(e) for p in (value.num, value.den) for e in p.degrees())
        if degree > MAX_EXPONENT:
            raise LimitExceeded(where, "as the degree of a polynomial", degree, MAX_EXPONENT)
        text = _quotient_text(value)
        if re.search(rf"[0-9]{{{MAX_DIGITS + 1}}}", text):
            raise InputError(where, "a coefficient too long to print", f"at most {MAX_DIGITS} digits")
        return Expression(text, value, tuple(divisors))

    def total(self, expressions: Iterable[Expression], where: str, *, complement: bool = False) -> Expression:
        """Return the sum, or one minus it, in canonical form."""
        values = [e.value for e in expressions]
        constants = [value for value in values if isinstance(value, Fraction)]
        common = lcm(*(c.denominator for c in constants))  # one reduction in place of one an addition
        constant = Fraction(sum(c.numerator * (common // c.denominator) for c in constants), common)
        try:
            total = sum((v for v in values if isinstance(v, Quotient)), constant)
            return self.expression(1 - total if complement else total, where)
        except _TooLarge:
            raise self._too_large("the sum of the row", where) from None

    def dot(self, left: Sequence[Expression], right: Sequence[Expression], where: str) -> Expression:
        """Return the scalar product, in canonical form."""
        try:
            terms = (a.value * b.value for a, b in zip(left, right, strict=True))
            return self.expression(sum(terms, Fraction(0)), where)
        except _TooLarge:
            raise self._too_large("a product of matrix and features", where) from None
