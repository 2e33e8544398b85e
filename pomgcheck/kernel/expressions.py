"""Exact expressions, as documents write entries: read by Python's own parser, evaluated at numbers or in indeterminates."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .budget import spend
from .polynomials import Polynomial, TooLarge, divisors, inverse
from .reading import MAX_DIGITS, RATIONAL, Malformed, require

_EXPRESSION = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]*+|[0-9]++(?![A-Za-z_])|[-+*/^() ])++", re.ASCII)
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def parsed(text: str, where: str) -> ast.expr:
    """Return an expression as Python's own parser reads it, with a ``_`` before every name, since a name may be "if"."""
    good = isinstance(text, str) and len(text) <= 2 * MAX_DIGITS and _EXPRESSION.fullmatch(text) and "**" not in text
    require(bool(good), where, repr(text)[:60], "an expression of exact numbers, parameters, + - * / ^ and ( )")
    try:
        marked = re.sub("[A-Za-z_][A-Za-z0-9_]*", r"_\g<0>", text.strip().replace("^", "**"))
        return ast.parse(marked, mode="eval").body
    except (SyntaxError, MemoryError, RecursionError):
        raise Malformed(where, repr(text)[:60], "an expression that parses") from None


def size_of(number: object) -> int:
    """Return the bits of a number, for what arithmetic with it costs; 0 for a polynomial, whose products count
    themselves."""
    return number.numerator.bit_length() + number.denominator.bit_length() if isinstance(number, Fraction) else 0


def evaluate(text: str, point: Mapping[str, Any], where: str) -> Any:
    """Return the value at ``point`` of an expression in exact numbers, parameter names, ``+ - * / ^`` and ``()``.

    It is a Fraction, or a Polynomial where the point gives one to a parameter that occurs, of which every divisor is
    then a part. Python's own parser reads the text and never runs it: only the node kinds below have a value, and all
    others are refused.
    """
    if isinstance(text, str) and len(text) <= 2 * MAX_DIGITS and RATIONAL.fullmatch(text):
        return Fraction(text)
    divided: list[Polynomial] = []

    def value(node: ast.AST) -> Any:
        match node:
            case ast.Constant(number) if type(number) is int:
                return Fraction(number)
            case ast.Name(name) if name[1:] in point:
                return point[name[1:]]
            case ast.UnaryOp(ast.USub(), operand):
                return -value(operand)
            case ast.BinOp(base, ast.Pow(), ast.Constant(exponent)) if type(exponent) is int and exponent < 1000:
                power = value(base)
                ends = (power.numerator, power.denominator) if isinstance(power, Fraction) else ()
                digits = exponent * max((x.bit_length() for x in ends), default=0) // 3
                require(digits <= MAX_DIGITS, where, f"a power of about {digits} digits", f"at most {MAX_DIGITS}")
                return power**exponent
            case ast.BinOp(left, operation, right) if type(operation) in _OPERATORS:
                x, y = value(left), value(right)
                spend(size_of(x) + size_of(y) >> 10, "long numbers in an expression")
                if isinstance(operation, ast.Div) and isinstance(y, Polynomial):
                    divided.append(inverse(y))
                return _OPERATORS[type(operation)](x, y)
        raise Malformed(where, repr(text), f"an expression in exact numbers, {sorted(point)}, + - * / ^ and ( )")

    try:
        found = value(parsed(text, where))
        lost = {*divisors(divided)} - {*divisors([found] if divided else [])}
        require(not lost, where, f"{text!r} where a divisor cancels", "the same without it: it may vanish on the class")
        return found
    except ZeroDivisionError:
        raise Malformed(where, f"{text!r} dividing by zero", "a nonzero divisor on the class") from None
    except TooLarge:
        raise Malformed(where, repr(text)[:60], "a polynomial, or a quotient of two, of moderate size") from None
    except RecursionError:
        raise Malformed(where, repr(text)[:60], "an expression that parses") from None
