"""Reads text files of other programs as words with their line numbers, and exact numbers; errors name file and line."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass.files import decoded

MAX_BYTES = 20_000_000
MAX_LABELS = 10_000  # states, actions or observations of one kind
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]{1,3})?", re.ASCII | re.IGNORECASE)
MAX_LENGTH = 400  # of one number, in characters


class Word(NamedTuple):
    """A word of a file is kept with the line that it stands on."""

    text: str
    line: int


def read_text(path: Path) -> str:
    """Return the text of a file, without a byte-order mark and with every line end a newline."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise LimitExceeded("", "bytes", size, MAX_BYTES).inside(str(path))
        text = decoded(path.read_bytes())
    except OSError as error:
        raise InputError("", error.strerror or "an unreadable file", "a file to import").inside(str(path)) from None
    except InputError as error:
        raise error.inside(str(path)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def number(text: str) -> Fraction | None:
    """Return the exact value of a decimal number, or ``None`` for any other word."""
    return _number(text) if len(text) <= MAX_LENGTH else None


@lru_cache(maxsize=100_000)
def _number(text: str) -> Fraction | None:
    return Fraction(text) if NUMBER.fullmatch(text) else None


def rational(text: str) -> Fraction | None:
    """Return the exact value of a decimal number, or of a quotient of two, or ``None`` for any other word."""
    top, slash, bottom = text.partition("/")
    numerator, denominator = number(top), number(bottom) if slash else Fraction(1)
    return None if numerator is None or not denominator else numerator / denominator


def shortened(digits: str) -> str:
    """Return a number for a sentence: one of many digits by its first ones, and how many there are."""
    return digits if len(digits) <= 60 else f"{digits[:20]}… of {len(digits):,} digits"


def decimal(value: Fraction) -> str:
    """Return the exact decimal of a number that has one (``4e-11``, ``-0.15``), else ``p/q``."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return str(value)
    places = max(twos, fives)
    digits = value.numerator * 10**places // value.denominator  # exact
    sign, size = "-" if digits < 0 else "", str(abs(digits))
    if places == 0:
        return f"{sign}{size}"
    if len(size) + 5 < places:  # many zeros after the point
        mantissa = f"{size[0]}.{size[1:]}" if len(size) > 1 else size
        return f"{sign}{mantissa}e-{places - len(size) + 1}"
    padded = size.rjust(places + 1, "0")
    return f"{sign}{padded[:-places]}.{padded[-places:]}"


def misread(path: Path, line: int, where: str, found: str, required: str, fix: str = "") -> InputError:
    """Return the error for what stands on a line of a file; line 0 is the file as a whole."""
    return InputError(where, found, required, fix).inside(f"{path}:{line}" if line else str(path))


def quoted(text: str) -> str:
    """Return a word of a file as errors show it: on one line, and not too long."""
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[:60])
    return f'"{shown}{"..." if len(text) > 60 else ""}"'
