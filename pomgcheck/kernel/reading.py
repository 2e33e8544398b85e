"""Strict reading of what a file holds: JSON without floats or repeated keys, exact numbers, objects of known keys.

A document that does not read exactly as the format says raises ``Malformed``, which names the place, what was found and
what was required.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NoReturn

Object = Mapping[str, Any]  # an object of JSON, each entry of which is read before it is used
MAX_DIGITS = 100_000  # longest integer read, in decimal digits
RATIONAL = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?", re.ASCII)


def one_line(value: object) -> str:
    """Return text that cannot pass for a line of its own, whatever the file holds."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value))


class Malformed(ValueError):
    """This is raised where input is not what the format says: ``where`` (key path), ``found``, ``required``."""

    def __init__(self, where: str, found: object, required: str) -> None:
        self.where, self.found, self.required = map(one_line, (where, found, required))
        super().__init__(f"{self.where}: found {self.found}, required {self.required}")


def require(condition: bool, where: str, found: object, required: str) -> None:
    """Raise ``Malformed`` unless ``condition`` holds."""
    if not condition:
        raise Malformed(where, found, required)


@contextmanager
def long_integers() -> Iterator[None]:
    """Let Python write and read integers of MAX_DIGITS digits within this context; after it, as many as before."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(MAX_DIGITS)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def read_json(data: bytes, where: str = "file") -> Any:
    """Parse UTF-8 JSON; refuse floats, NaN, duplicate keys and integers longer than ``MAX_DIGITS``."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
            raise Malformed(where, f"the key {twice!r} twice", "each key once")
        return value

    def no_float(text: str) -> NoReturn:
        raise Malformed(where, f"the float {text}", f'an exact number: write "{text}"')

    def integer(text: str) -> int:
        require(len(text) <= MAX_DIGITS, where, f"an integer of {len(text)} digits", f"at most {MAX_DIGITS}")
        return int(text)

    try:
        hooks: dict[str, Any] = {"object_pairs_hook": unique, "parse_float": no_float, "parse_constant": no_float}
        value = json.loads(data.decode("utf-8"), parse_int=integer, **hooks)
        canonical_bytes(value)
        return value
    except Malformed:
        raise
    except UnicodeEncodeError:
        raise Malformed(where, "half of a surrogate pair", "characters that UTF-8 can write") from None
    except RecursionError:
        raise Malformed(where, "nesting too deep to read", "a document of ordinary depth") from None
    except ValueError as error:
        raise Malformed(where, f"text that is not JSON ({error})", "a JSON document in UTF-8") from None


def canonical_bytes(value: object) -> bytes:
    """Return the canonical form of our data (objects, arrays, strings, integers) by RFC 8785: sorted keys, no white
    space, UTF-8."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def take(value: Any, where: str, needed: Sequence[str], optional: Sequence[str] = ()) -> Object:
    """Return an object with exactly the ``needed`` keys and any of the ``optional`` ones."""
    require(isinstance(value, dict), where, type(value).__name__, "an object")
    for key in needed:
        require(key in value, where, f"no key {key!r}", f"the keys {', '.join(needed)}")
    known = {*needed, *optional}
    for key in value:
        require(key in known, where, f"the unknown key {key!r}", "only keys of the format")
    return value  # type: ignore[no-any-return]


def mapping(value: object, where: str) -> Object:
    """Return an object, whatever its keys."""
    return take(value, where, (), tuple(value) if isinstance(value, dict) else ())


def sequence(value: Any, where: str, length: int | None = None) -> list[Any]:
    """Return an array, of the given length if one is given."""
    require(isinstance(value, list), where, type(value).__name__, "an array")
    wanted = f"{length} entries" if length is not None else "an array"
    require(length is None or len(value) == length, where, f"{len(value)} entries", wanted)
    return value  # type: ignore[no-any-return]


def rational(text: Any, where: str) -> Fraction:
    """Return the exact number written as ``"p"`` or ``"p/q"``."""
    good = isinstance(text, str) and len(text) <= 2 * MAX_DIGITS and RATIONAL.fullmatch(text) is not None
    require(good, where, repr(text), 'an exact number "p/q"')
    return Fraction(text)
