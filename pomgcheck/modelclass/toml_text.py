"""A plain document as TOML text, tables under headings and rows one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pomgcheck.modelclass.values import at

WIDTH = 100


def toml_text(document: Mapping[str, Any]) -> str:
    """TOML that reads back to ``document`` (strings, integers, arrays and tables)."""
    return "\n".join(_lines(document, "")).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], heading: str) -> Iterator[str]:
    values = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    if heading and (values or not table):
        yield f"\n[{heading}]"
    for key, value in values.items():
        yield f"{at('', key)} = {_value(value, '')}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _lines(value, at(heading, key))


def _value(value: Any, indent: str) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{at('', key)} = {_value(part, indent)}" for key, part in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if not isinstance(value, list):
        return str(value)
    flat = f"[{', '.join(_value(part, indent) for part in value)}]"
    deep = any(isinstance(part, list) and part and isinstance(part[0], list) for part in value)
    if not deep and len(indent) + len(flat) <= WIDTH:
        return flat
    inner = indent + "  "
    return "[\n" + "".join(f"{inner}{_value(part, inner)},\n" for part in value) + f"{indent}]"
