"""Reads single fields of a document: tables with known keys, strings, bounded integers, windows, labels and spaces; and
has the words in which an error names a field and what was found there."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple, cast

from pomgcheck.errors import InputError

MAX_LENGTH = 1000  # of the horizon and of a window

Section = dict[str, Any]
Window = int | Literal["full"]


def at(where: str, key: str) -> str:
    """Return the key path ``where.key``, quoted as TOML would."""
    name = key if re.fullmatch(r"[A-Za-z0-9_-]+", key, re.ASCII) else f'"{key}"'
    return f"{where}.{name}" if where else name


def describe(value: object) -> str:
    """Return a value in a few words, for an error message."""
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 60 else f'"{value[:57]}..."'
    if isinstance(value, list):
        return {0: "an empty array", 1: "an array of one entry"}.get(len(value), f"an array of {len(value)} entries")
    if isinstance(value, dict):
        return "a table" if value else "an empty table"
    return str(value)


def unknown(found: str, known: Sequence[str], where: str, what: str = "label") -> InputError:
    """Return the error for a name that is not among ``known``, with the nearest one as the fix."""
    near = get_close_matches(found, known, n=1)
    shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    return InputError(where, f'the unknown {what} "{found}"', f"one of {shown}", f'write "{near[0]}"' if near else "")


def section(value: Any, where: str, needed: Sequence[str], optional: Sequence[str] = ()) -> Section:
    """Return a table that has the ``needed`` keys and, besides them, none but the ``optional`` ones."""
    if not isinstance(value, dict):
        raise InputError(where, describe(value), f"a table with the keys {', '.join([*needed, *optional])}")
    for key in value:
        if key not in needed and key not in optional:
            raise unknown(key, [*needed, *optional], where, "key")
    for key in needed:
        if key not in value:
            raise InputError(where, f'no key "{key}"', f"the keys {', '.join(needed)}")
    return value


def string(value: Any, where: str) -> str:
    """Return text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(where, describe(value), "a string that is not empty")
    return value


def title(value: Any, where: str) -> str:
    """Return text that is not blank and stands on one line, as a name is printed."""
    if not string(value, where).isprintable():
        raise InputError(where, json.dumps(value)[:60], "a name on one line, of characters that can be printed")
    return str(value)


def integer(value: Any, where: str, most: int) -> int:
    """Return an integer from 1 to ``most``."""
    if not isinstance(value, int) or not 1 <= value <= most:
        raise InputError(where, describe(value), f"an integer from 1 to {most}")
    return value


def window(value: Any, where: str) -> Window:
    """Return a window length, or ``"full"``."""
    if value != "full" and (not isinstance(value, int) or not 1 <= value <= MAX_LENGTH):
        raise InputError(where, describe(value), f'an integer from 1 to {MAX_LENGTH}, or "full"')
    return cast(Window, value)


def label(value: Any, where: str) -> str:
    """Return a name without white space, other than the wildcard."""
    if not isinstance(value, str) or value == "*" or value.split() != [value]:
        raise InputError(where, describe(value), 'a name without white space that is not "*"')
    if not value.isprintable():
        raise InputError(where, json.dumps(value)[:60], "a name of characters that can be printed")
    if any("\ud800" <= c <= "\udfff" or c > "\uffff" for c in value):
        raise InputError(where, describe(value), "a name of characters up to U+FFFF, as certificates ask")
    return value


def labels(value: Any, where: str) -> tuple[str, ...]:
    """Return distinct labels, at least one."""
    if not isinstance(value, list) or not value:
        raise InputError(where, describe(value), "an array of at least one label")
    seen: dict[str, None] = {}
    for k, name in enumerate(value):
        if label(name, f"{where}[{k}]") in seen:
            raise InputError(f"{where}[{k}]", f'the label "{name}" twice', "distinct labels")
        seen[name] = None
    return tuple(seen)


class Spaces(NamedTuple):
    """These are the horizon and the labels, which the shapes of all tables follow from."""

    H: int
    S: tuple[str, ...]
    A: tuple[str, ...]
    B: tuple[str, ...]
    OA: tuple[str, ...]
    OB: tuple[str, ...]

    def document(self) -> Section:
        """Return the entries of the section ``game``, without the reward."""
        return {"horizon": self.H} | {key: list(names) for key, names in zip(_LABELS, self[1:], strict=True) if names}


_LABELS = ("states", "learner_actions", "adversary_actions", "learner_observations", "adversary_observations")


_OWN_LABELS = ("learner_actions", "learner_observations")  # all that is left where operators are given


def read_spaces(value: Any, own: bool) -> Spaces:
    """Return the section ``game`` without the reward, and in a class given by operators without the hidden spaces too."""
    kept = _OWN_LABELS if own else _LABELS
    if own:
        no_kernels(value, "game", [key for key in _LABELS if key not in kept])
    game = section(value, "game", ("horizon", *kept, "reward"))
    S, A, B, OA, OB = (labels(game[key], f"game.{key}") if key in kept else () for key in _LABELS)
    return Spaces(integer(game["horizon"], "game.horizon", MAX_LENGTH), S, A, B, OA, OB)


def no_kernels(value: Any, where: str, keys: Sequence[str]) -> None:
    """Refuse in a class given by operators what belongs to kernels."""
    for key in keys if isinstance(value, dict) else ():
        if key in value:
            raise InputError(
                where,
                f'the key "{key}" beside operators',
                "a class given by kernels or by operators",
                f'leave out "{key}", or the section operators',
            )
