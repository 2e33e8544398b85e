"""Writes a plain document as TOML text, with tables under headings and one row per line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

WIDTH = 100


def toml_text(document: Mapping[str, Any]) -> str:
    """Return TOML that reads back to ``document`` (strings, integers, arrays and tables)."""
    return "\n".join(_lines(document, "")).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], heading: str) -> Iterator[str]:
    values = {key: value for key, value in table.items() if not _headed(value, heading)}
    if heading and (values or not table):
        yield f"\n[{heading}]"
    yield from _entries(table, heading)


def _entries(table: Mapping[str, Any], heading: str) -> Iterator[str]:
    """Yield what stands under a heading: first what is written in place, then what has headings of its own."""
    for key, value in table.items():
        if not _headed(value, heading):
            yield f"{_key(key)} = {_value(value, '')}"
    for key, value in table.items():
        if _headed(value, heading):
            if isinstance(value, Mapping):
                yield from _lines(value, _path(heading, key))
            else:
                for part in value:
                    yield f"\n[[{_path(heading, key)}]]"
                    yield from _entries(part, _path(heading, key))


def _headed(value: Any, heading: str) -> bool:
    """Return whether a value has headings of its own: tables in tables, long ones, and arrays of such."""
    if isinstance(value, Mapping):
        nested = any(isinstance(part, Mapping) or _nested(part) for part in value.values())
        return not heading or nested or len(_value(value, "")) > WIDTH
    return _nested(value)


def _nested(value: Any) -> bool:
    """Return whether a value is an array of tables that hold tables."""
    if not isinstance(value, list) or not all(isinstance(part, Mapping) for part in value):
        return False
    return any(isinstance(inner, Mapping) for part in value for inner in part.values())


def _value(value: Any, indent: str) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {_value(part, indent)}" for key, part in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if not isinstance(value, list):
        return str(value)
    flat = f"[{', '.join(_value(part, indent) for part in value)}]"
    deep = any(isinstance(part, list) and part and isinstance(part[0], list) for part in value)
    if not deep and len(indent) + len(flat) <= WIDTH:
        return flat
    inner = indent + "  "
    return "[\n" + "".join(f"{inner}{_value(part, inner)},\n" for part in value) + f"{indent}]"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key, re.ASCII) else _string(key)


def _path(heading: str, key: str) -> str:
    return f"{heading}.{_key(key)}" if heading else _key(key)
