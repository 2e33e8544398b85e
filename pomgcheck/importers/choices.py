"""Reads what a user chooses when one model becomes a class: the horizon, the unknowns, both players, and the truth."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from pomgcheck.errors import InputError
from pomgcheck.importers.words import rational
from pomgcheck.modelclass.fields import unknown as unknown_name

KINDS = ("emission", "transition", "deal")
ADVERSARIES = ("none", "jam", "shift", "joint")
LABELS = ("names", "numbers")
RESPONSES = ("deterrence", "tilt", "exploit")
SENSITIVITY = tuple(map(Fraction, ("1/10", "1/5")))  # of a response family, where none is chosen
EXPLOITING = Fraction(-1, 2), Fraction(1, 2)  # the same of ``exploit``, which may also be misled
MAX_HORIZON = 999


class Unknown(NamedTuple):
    """This is one unknown of the worlds: with probability ``name`` a move's emission, or its transition, is uniform, or
    the first chance move of a game tree falls on its first outcome (``deal``)."""

    kind: str
    name: str
    values: tuple[Fraction, ...]

    @property
    def effect(self) -> str:
        """Return, in words, what the unknown is the probability of."""
        return "the deal begins with its first outcome" if self.kind == "deal" else f"the {self.kind} is uniform"


class ResponseFamily(NamedTuple):
    """This is a response family with its parameter and that parameter's values, or the file of a response table."""

    kind: str
    name: str = "y"
    values: tuple[Fraction, ...] = SENSITIVITY
    file: str = ""


@dataclass(frozen=True)
class Choices:
    """These are all of a user's choices; ``None`` stands for what is natural for the kind of file."""

    name: str | None = None
    horizon: int | None = None  # moves of the file
    learner: int = 1
    adversary: str | None = None
    unknowns: Sequence[Unknown] = ()
    policies: str | None = None  # "routing", "reactive", "all-deterministic", "equilibrium" or a file
    responses: ResponseFamily | None = None
    memory: int = 2
    truth: Mapping[str, Fraction] = field(default_factory=dict)
    repair: str | None = None
    numbered: bool = False  # labels replaced by their numbers


def read_unknown(text: str) -> Unknown:
    """Return the unknown that ``emission:mix=0,1/20,1/10`` names."""
    kind, colon, rest = text.partition(":")
    if not colon or kind not in KINDS:
        raise InputError("unknown", repr(text), f"KIND:NAME=VALUE,... with KIND {' or '.join(KINDS)}")
    name, values = read_axis(rest, "unknown", text)
    for value in values:
        if not 0 <= value <= 1:
            raise InputError("unknown", f"{name} = {value}", "a probability from 0 to 1")
    return Unknown(kind, name, values)


def read_family(text: str) -> ResponseFamily:
    """Return the family that ``deterrence``, ``tilt:y=1/10,1/5`` or ``table:FILE`` names."""
    kind, colon, rest = text.partition(":")
    if kind == "table" and rest:
        return ResponseFamily("table", file=rest)
    if kind not in RESPONSES:
        raise unknown_name(kind, [*RESPONSES, "table:FILE"], "responses", "family")
    if not colon:
        return ResponseFamily(kind, values=EXPLOITING if kind == "exploit" else SENSITIVITY)
    name, values = read_axis(rest, "responses", text)
    least = Fraction(-1, 2) if kind == "exploit" else Fraction(0)
    for value in values:
        if not least <= value <= 1:
            raise InputError("responses", f"{name} = {value}", f"a sensitivity from {least} to 1")
    return ResponseFamily(kind, name, values)


def read_point(texts: Sequence[str], option: str) -> dict[str, Fraction]:
    """Return the point that ``mix=1/20`` names; there may be several parameters with commas between."""
    found = {}
    for text in (part for each in texts for part in each.split(",")):
        name, equals, value = text.partition("=")
        if not equals or name in found:
            raise InputError(option, repr(text), "NAME=VALUE, each name once")
        found[name] = _exact(value, option, text)
    return found


def read_axis(text: str, option: str, whole: str) -> tuple[str, tuple[Fraction, ...]]:
    """Return the name and the distinct exact values of ``mix=0,1/20``."""
    name, equals, values = text.partition("=")
    if not equals or re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII) is None:
        raise InputError(option, repr(whole), "NAME=VALUE,VALUE,... with a name of letters, digits and _")
    found = tuple(_exact(value, option, whole) for value in values.split(","))
    if len(set(found)) != len(found):
        raise InputError(option, repr(whole), "distinct values")
    return name, found


def _exact(text: str, option: str, whole: str) -> Fraction:
    value = rational(text)
    if value is None:
        raise InputError(option, repr(whole), "exact numbers such as 0.05 or 1/20")
    return value


def check_names(choices: Choices, taken: Sequence[str] = ()) -> None:
    """Refuse parameters and knobs that share a name."""
    family = choices.responses
    names = [*taken, *(unknown.name for unknown in choices.unknowns)]
    names += [family.name] if family is not None and family.kind in RESPONSES else []
    for name in names:
        if names.count(name) > 1:
            raise InputError("unknown", f'the name "{name}" twice', "a name of its own for each unknown and knob")
    kinds = [unknown.kind for unknown in choices.unknowns]
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise InputError("unknown", f"{kind} twice", "one unknown of each kind, with all its values")
