"""Makes the knobs of a document sliders: each value that is a plain number, where it stands, and what it may be set to."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.modelclass.files import parsed
from pomgcheck.modelclass.places import TextNode, outline
from pomgcheck.options import exact

STEPS = 100  # of a slider


def sliders(text: str, suffix: str) -> list[dict[str, Any]]:
    """Return the knobs of a document in its order, or nothing where the document does not parse.

    ``start`` and ``end`` say where the value stands in the text, in the UTF-16 units that a browser counts in;
    ``values`` are the positions of the slider, in exact text; a knob that is a formula of others has none.
    """
    try:
        document = parsed(text, suffix)
    except PomgcheckError:
        return []
    declared = document.get("knobs") if isinstance(document, Mapping) else None
    if not isinstance(declared, Mapping):
        return []
    nodes = outline(text, suffix).table["knobs"].table
    return [slider(name, written, text, nodes[name]) for name, written in declared.items() if name in nodes]


def slider(name: str, written: Any, text: str, node: TextNode) -> dict[str, Any]:
    """Return one knob."""
    try:
        value: Fraction | None = exact(written, name)
    except InputError:
        value = None
    return {
        "name": name,
        "value": str(written if value is None else value),
        "start": units(text[: node.value]),
        "end": units(text[: node.end]),
        "values": [] if value is None else positions(value),
    }


def units(text: str) -> int:
    """Return how long a text is in UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def positions(value: Fraction) -> list[str]:
    """Return the exact values of a slider: from 0 to 1 where the value is below 1, else from 0 to twice the value."""
    low, high = range_of(value)
    values = {low + (high - low) * k / STEPS for k in range(STEPS + 1)} | {value}
    return [str(x) for x in sorted(values)]


def range_of(value: Fraction) -> tuple[Fraction, Fraction]:
    """Return the ends of a slider."""
    if 0 <= value < 1:
        return Fraction(0), Fraction(1)
    return (Fraction(0), 2 * value) if value > 0 else (2 * value, Fraction(0))
