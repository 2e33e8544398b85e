"""Reads TOML and JSON text strictly: what is inexact or repeated is marked, to be refused by its key path."""

from __future__ import annotations

import json
import re
import tomllib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.modelclass.values import MAX_DIGITS, Inexact, Repeated

IMPORTED = (".pomdp", ".dpomdp", ".efg")  # formats of other programs
MAX_SLIP = 300  # letters of a line in which a slip is looked for


def read(path: Path) -> Any:
    """Return the value in a ``.toml`` or ``.json`` file, floats as ``Inexact``, ambiguous tables as ``Repeated``."""
    if path.suffix.lower() not in _READERS:
        fix = f"make one of it: pomgcheck import {path.name}" if path.suffix.lower() in IMPORTED else ""
        if path.suffix == ".py":
            fix = f"name the function that returns the model, {path.name}:FUNCTION"
        raise InputError("", f"a file named {path.name}", "a model document, .toml or .json", fix)
    return parsed(_text(path), path.suffix.lower())


def parsed(text: str, suffix: str) -> Any:
    """Return the value in a text of the format that ``.toml`` or ``.json`` stands for, marked as ``read`` marks it."""
    return _READERS[suffix](text)


def _text(path: Path) -> str:
    try:
        return decoded(path.read_bytes())
    except OSError as error:
        raise InputError("", error.strerror or "an unreadable file", "a model document, .toml or .json") from None


def decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8, without the mark that some editors put before it; raise ``InputError`` for
    another encoding."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
        found = "text in UTF-16" if wide else f"a byte that is not UTF-8 at offset {error.start}"
        raise InputError("", found, "text in UTF-8", "save it as UTF-8") from None


def _toml(text: str) -> Any:
    try:
        return tomllib.loads(text, parse_float=Inexact)
    except RecursionError:
        raise InputError("", "arrays nested too deep to read", "a document of ordinary depth") from None
    except ValueError as error:
        raise InputError("", f"text that is not TOML ({error})", "a TOML document", slip(text, str(error))) from None


def slip(text: str, error: str) -> str:
    """Return how to mend a likely slip on the line that the error names, or "" if there is none: a fraction, a formula or
    a name without quotes, or a key that the table has already. Lines over ``MAX_SLIP`` letters are not looked at, since
    what the patterns cost grows with the cube of that."""
    if "Cannot overwrite" in error or "Cannot declare" in error:
        return "it gives one key twice; rename or remove one"
    line = re.search(r"at line (\d+)", error)
    lines = text.split("\n")
    if line is None or int(line[1]) > len(lines) or len(lines[int(line[1]) - 1]) > MAX_SLIP:
        return ""
    unquoted = re.sub(r'"[^"]*"|\'[^\']*\'|#.*', '""', lines[int(line[1]) - 1])
    if bare := re.search(r"(?<=[=\[,])\s*(-?\d+\s*/\s*\d+)\s*(?=[,}\]]|$)", unquoted):
        return f'write the fraction in quotes, "{bare[1]}"'
    if formula := re.search(r"(?<=[=\[,])\s*([\w(][^\"',={}\[\]]*[-+*/^)][^\"',={}\[\]]*?)\s*(?=[,}\]]|$)", unquoted):
        return f'write the formula in quotes, "{formula[1]}"'
    if foreign := re.search(r"[A-Za-z0-9_-]*[^\x00-\x7f]+[^\s=.,{}\[\]\"']*", unquoted):
        return f'write a name of other letters than A to Z in quotes, "{foreign[0]}"'
    return ""


def _json(text: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> Any:
        table = dict(pairs)
        if len(table) == len(pairs):
            return table
        keys = [key for key, _ in pairs]
        return Repeated(next(key for k, key in enumerate(keys) if key in keys[:k]))

    def integer(digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            raise InputError("", f"an integer of {len(digits)} digits", f"at most {MAX_DIGITS} digits")
        return int(digits)

    try:
        return json.loads(
            text, object_pairs_hook=unique, parse_float=Inexact, parse_constant=Inexact, parse_int=integer
        )
    except RecursionError:
        raise InputError("", "arrays nested too deep to read", "a document of ordinary depth") from None
    except json.JSONDecodeError as error:
        raise InputError("", f"text that is not JSON ({error})", "a JSON document") from None


_READERS = {".toml": _toml, ".json": _json}
