"""Knobs: named constants of an authoring document, filled in when it is read; canonical documents hold none."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.modelclass.expressions import Ring
from pomgcheck.modelclass.parameters import check_name, number
from pomgcheck.modelclass.sugar import unknown
from pomgcheck.modelclass.values import at, describe, plain


def read_knobs(declared: Any, chosen: Mapping[str, Any], parameters: Mapping[str, str]) -> dict[str, Fraction]:
    """Return the value of each knob: the ``chosen`` one, else what the document says, which may use the knobs before
    it.

    ``parameters`` says which side each parameter of the class belongs to: a knob needs a name of its own.
    """
    if not isinstance(declared, dict):
        raise InputError("knobs", describe(declared), "a table of knobs by name")
    if not isinstance(chosen, Mapping):
        raise InputError("knobs", repr(chosen)[:60], 'values by name, such as {"noise": "1/5"}')
    given = plain(chosen, "knobs")
    check_known(given, declared)
    values: dict[str, Fraction] = {}
    ring = Ring((), parameters, values)  # it sees each knob as soon as that is read
    for name, entry in declared.items():
        check_name(name, "knobs", "knob")
        if name in parameters:
            found = f'the knob "{name}", a parameter of {parameters[name]} too'
            raise InputError("knobs", found, "a name of its own", "rename one of them")
        values[name] = number(given.get(name, entry), at("knobs", name), ring)
    return values


def check_known(names: Mapping[str, Any], declared: Mapping[str, Any]) -> None:
    """Refuse a name that is not a knob of the document."""
    for name in names:
        if not declared:
            raise InputError(
                "knobs",
                f'a value of "{name}" for a document without knobs',
                "a document that holds it",
                f'declare it: [knobs] {name} = "1/2"',
            )
        if name not in declared:
            raise unknown(name, list(declared), "knobs", "knob")
