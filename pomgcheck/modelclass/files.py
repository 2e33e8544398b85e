"""Reads TOML and JSON text strictly: what is inexact or repeated is marked, to be refused by its key path."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.modelclass.values import MAX_DIGITS, Inexact, Repeated

IMPORTED = (".pomdp", ".dpomdp", ".efg")  # formats of other programs


def read(path: Path) -> Any:
    """Return the value in a ``.toml`` or ``.json`` file, floats as ``Inexact``, ambiguous tables as ``Repeated``."""
    if path.suffix.lower() not in _READERS:
        fix = f"make one of it: pomgcheck import {path.name}" if path.suffix.lower() in IMPORTED else ""
        raise InputError("", f"a file named {path.name}", "a model document, .toml or .json", fix)
    return parsed(_text(path), path.suffix.lower())


def parsed(text: str, suffix: str) -> Any:
    """Return the value in a text of the format that ``.toml`` or ``.json`` stands for, marked as ``read`` marks it."""
    return _READERS[suffix](text)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError("", error.strerror or "an unreadable file", "a model document, .toml or .json") from None
    except UnicodeDecodeError as error:
        raise InputError("", f"a byte that is not UTF-8 at offset {error.start}", "text in UTF-8") from None


def _toml(text: str) -> Any:
    try:
        return tomllib.loads(text, parse_float=Inexact)
    except RecursionError:
        raise InputError("", "arrays nested too deep to read", "a document of ordinary depth") from None
    except ValueError as error:
        raise InputError("", f"text that is not TOML ({error})", "a TOML document", quoted(text, str(error))) from None


def quoted(text: str, error: str) -> str:
    """Return how to write a fraction without quotes on the line that the error names, a likely slip, or "" if there is
    none."""
    line = re.search(r"at line (\d+)", error)
    lines = text.splitlines()
    if line is None or int(line[1]) > len(lines):
        return ""
    bare = re.search(
        r"(?<=[=\[,])\s*(-?\d+\s*/\s*\d+)", re.sub(r'"[^"]*"|\'[^\']*\'|#.*', '""', lines[int(line[1]) - 1])
    )
    return f'write the fraction in quotes, "{bare[1]}"' if bare else ""


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
