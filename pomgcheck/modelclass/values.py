"""Says what may stand in a document: strings, integers, arrays and tables of them, whatever library they come from.

Exact Python objects (fractions, numpy integers, sympy expressions) become text; anything inexact is refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any, NamedTuple

from pomgcheck.errors import InputError
from pomgcheck.modelclass.fields import at

MAX_DIGITS = 4000  # of one integer; Python itself stops at 4300
MAX_DEPTH = 30  # of arrays and tables in one another

_EXACT = "an exact number"


class Inexact(NamedTuple):
    """This is a float met in a TOML or JSON file; it is kept as its text until its key path is known."""

    text: str


class Repeated(NamedTuple):
    """This is a table of a JSON file that holds a key twice; it is kept until its key path is known."""

    key: str


def plain(value: Any, where: str = "", depth: int = 0) -> Any:
    """Return ``value`` as nested ``dict``, ``list``, ``str`` and ``int``; raise ``InputError``, by key path, for what
    is not exact."""
    kind = type(value)
    if kind is str or kind is int:
        return _checked(value, where)
    if depth > MAX_DEPTH:
        raise InputError(where, f"arrays nested more than {MAX_DEPTH} deep", "a document of ordinary depth")
    if isinstance(value, Mapping):
        table: dict[str, Any] = {}
        for key, entry in value.items():
            name = _key(key, where)
            if name in table:
                raise InputError(where, f'the key "{name}" twice', "each key once")
            table[name] = plain(entry, at(where, name), depth + 1)
        return table
    if kind is list or kind is tuple:
        return [plain(entry, f"{where}[{k}]", depth + 1) for k, entry in enumerate(value)]
    return _converted(value, where, depth)


def _checked(value: str | int, where: str) -> str | int:
    if isinstance(value, int):
        if value.bit_length() > 3 * MAX_DIGITS:
            raise InputError(where, "an integer too long to print", f"at most {MAX_DIGITS} digits")
    elif not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(where, "half of a surrogate pair", "text that can be written in UTF-8")
    return value


def _key(key: Any, where: str) -> str:
    """Return a key of a table; from Python a tuple of labels is one too."""
    text = " ".join(key) if isinstance(key, tuple) and all(isinstance(part, str) for part in key) else key
    if not isinstance(text, str):
        raise InputError(where, f"the key {key!r}", "keys that are strings or tuples of labels")
    return str(_checked(text, where))


def _converted(value: Any, where: str, depth: int) -> Any:
    """Return what is not yet plain as plain values: numbers of other types, arrays of other libraries; refuse the
    rest."""
    if isinstance(value, Repeated):
        raise InputError(where, f'the key "{value.key}" twice', "each key once")
    if isinstance(value, bool):
        raise InputError(where, str(value).lower(), _EXACT, 'write "1" or "0"')
    if isinstance(value, float | Inexact):
        raise _float_error(value.text if isinstance(value, Inexact) else repr(float(value)), where)
    if isinstance(value, str | Integral):  # numpy's and sympy's among them
        return _checked(str(value) if isinstance(value, str) else int(value), where)
    if isinstance(value, list | tuple):
        return plain(list(value), where, depth + 1)
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) <= MAX_DIGITS:
        return _fraction_text(Fraction(value), where)
    if isinstance(value, Rational):
        return _fraction_text(Fraction(int(value.numerator), int(value.denominator)), where)
    if value is None:
        raise InputError(where, "null", "a string, an integer, an array or a table", "leave the key out, or fill it in")
    module = type(value).__module__.partition(".")[0]
    if module == "numpy" and hasattr(value, "tolist"):
        return plain(value.tolist(), where, depth + 1)
    if module == "sympy":
        return plain(value.tolist(), where, depth + 1) if hasattr(value, "tolist") else _sympy_text(value, where)
    kind = type(value).__name__
    found = f"the {kind} {value}" if module == "datetime" else f"{value!r:.60} of type {kind}"
    raise InputError(where, found, "a string, an integer, an array or a table")


def _float_error(text: str, where: str) -> InputError:
    digits = text.replace("_", "").lower()
    mantissa, _, exponent = digits.partition("e")
    if re.fullmatch(r"[-+]?[0-9]+\.[0-9]+", mantissa) is None and not exponent:
        return InputError(where, f"the float {text}", _EXACT)
    short = not exponent or abs(int(exponent)) < 100
    exact = digits.lstrip("+") if not exponent else str(Fraction(digits)) if short else "p/q"
    if short and (whole := Fraction(digits)).denominator == 1:  # an integer, which every number may be written as
        return InputError(where, f"the float {text}", _EXACT, f"write {whole}")
    return InputError(where, f"the float {text}", _EXACT, f'write "{exact}"')


def _fraction_text(value: Fraction, where: str) -> str:
    """Return ``p/q``; refuse the binary value of a decimal float, as ``Fraction(0.1)`` makes it."""
    if value.denominator.bit_count() == 1 and 2**40 <= value.denominator < 2**1000 and Fraction(float(value)) == value:
        near = repr(float(value))
        raise InputError(
            where,
            f"{value}, the binary value of the float {near}",
            "the exact number that is meant",
            f'write "{near}", or this fraction as a string if it is meant',
        )
    _checked(value.numerator, where)
    _checked(value.denominator, where)
    return str(value)


def _sympy_text(value: Any, where: str) -> str:
    """Return a sympy expression in the document's spelling; sympy is loaded already, since the value is one of its
    own."""
    sympy = sys.modules["sympy"]
    floats = value.atoms(sympy.Float) if hasattr(value, "atoms") else ()
    if floats:
        raise _float_error(str(float(min(floats))), where)
    for number in value.atoms(sympy.Rational) if hasattr(value, "atoms") else ():
        _fraction_text(Fraction(int(number.p), int(number.q)), where)
    return str(value).replace("**", "^")
