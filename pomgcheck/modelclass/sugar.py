"""Expands authoring sugar: label-keyed rows with wildcards, the words ``uniform`` and ``identity``, generated policies.

A table has *axes*; the last one is its outputs.  A label of an axis is a tuple of words, because a row of a window
table is named by several observations.  Everything here ends in plain nested lists, one level per axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass.fields import at, describe, unknown

MAX_GENERATED = 4096  # policies
MAX_ENTRIES = 2_000_000  # of one table: all of arrays, those that are not zero and the rows of a sparse one
ZEROS = (0, "0")

Label = tuple[str, ...]
Axis = Sequence[Label]
Path = tuple[int, ...]  # indices into the first axes

WORDS = ("uniform", "identity")


class WordAxis(list[Label]):
    """This is an axis whose labels are single words, and are found by them."""

    @cached_property
    def places(self) -> dict[Label, int]:
        """Return the place of every label."""
        return {label: k for k, label in enumerate(self)}


def axis(labels: Sequence[str]) -> Axis:
    """Return the axis whose labels are single words."""
    return WordAxis((label,) for label in labels)


class Filled:
    """This counts how many entries of one table are not zero so far, over all its rows."""

    def __init__(self, where: str) -> None:
        self.where, self.count = where, 0

    def add(self, more: int) -> None:
        """Count entries; raise ``LimitExceeded`` where they are too many."""
        self.count += more
        if self.count > MAX_ENTRIES:
            fix = "use fewer labels, or rows with fewer entries"
            raise LimitExceeded(self.where, "entries that are not zero", self.count, MAX_ENTRIES, fix)


class Cells:
    """This is a row of a large table while it is written: it has its entries by place, without zeros; ``given`` says
    whether anything was said about it."""

    __slots__ = ("_filled", "given", "places", "width")

    def __init__(self, width: int, filled: Filled) -> None:
        self.width, self.given, self._filled = width, False, filled
        self.places: dict[int, Any] = {}

    def __setitem__(self, place: int, entry: Any) -> None:
        self.given = True
        if place not in self.places:
            self._filled.add(1)
        self.places[place] = entry

    def write(self, entries: Sequence[Any]) -> None:
        """Take the whole row, zeros included."""
        self.clear()
        for place, entry in enumerate(entries):
            if entry not in ZEROS:
                self[place] = entry

    def clear(self) -> None:
        """Make it a row of zeros."""
        self._filled.add(-len(self.places))
        self.given, self.places = True, {}


def plain_table(
    value: Any, axes: Sequence[Axis], where: str, *, sugar: bool, zeros: int = 1, sparse: bool = False
) -> list[Any]:
    """Return ``value`` as nested lists of the shape of ``axes``, sugar expanded, with entries as they were written;
    the rows are ``Cells`` if ``sparse``.

    What is left out of the last ``zeros`` axes is zero: nothing may be left out (0), entries of a probability row (1),
    or of an operator's matrix (2). ``sugar=False`` accepts plain arrays only.
    """
    size = prod(len(labels) for labels in (axes[:-1] if sparse else axes))
    if size > MAX_ENTRIES:
        what = "rows" if sparse else "table entries"
        raise LimitExceeded(where, what, size, MAX_ENTRIES, "use a shorter window or fewer labels")
    table: list[Any] = _blank(axes, Filled(where) if sparse else None)
    _Filling(sugar, zeros).fill(table, value, axes, where, ())
    _close(table, axes, where, (), zeros)
    return table


def _blank(axes: Sequence[Axis], filled: Filled | None) -> Any:
    if len(axes) == 1:
        return [None] * len(axes[0]) if filled is None else Cells(len(axes[0]), filled)
    return [_blank(axes[1:], filled) for _ in axes[0]]


def _ungiven(row: Any) -> bool:
    """Return whether nothing was said about a row."""
    return not row.given if isinstance(row, Cells) else all(entry is None for entry in row)


def _write(row: Any, entries: list[Any]) -> None:
    """Give a whole row."""
    if isinstance(row, Cells):
        row.write(entries)
    else:
        row[:] = entries


def _close(table: Any, axes: Sequence[Axis], where: str, path: Label, zeros: int) -> None:
    """Put zeros for what a row or a matrix leaves out; refuse a row about which nothing was said."""
    if len(axes) > max(zeros, 1):
        for label, part in zip(axes[0], table, strict=True):
            _close(part, axes[1:], where, (*path, *label), zeros)
        return
    rows = [table] if len(axes) == 1 else table
    if not zeros and None in table or all(map(_ungiven, rows)):
        missing = next(label for label, entry in zip(axes[0], table, strict=True) if zeros or entry is None)
        named, unit = ((*path, *missing) if not zeros else path), "matrix" if zeros > 1 and len(axes) > 1 else "row"
        raise InputError(
            where,
            f"nothing for {row_name(named, unit)}",
            f"an entry for every {unit}",
            f'give it, or a {unit} with the wildcard "*" before the others',
        )
    for row in rows:
        if not isinstance(row, Cells):
            row[:] = [0 if entry is None else entry for entry in row]


def row_name(path: Sequence[str], unit: str = "row") -> str:
    """Return the name of a row, such as ``row (calm, idle, attack)``; a table with one row has no name for it."""
    return f"{unit} ({', '.join(path)})" if path else f"the {unit}"


class _Filling:
    """This writes one value into a blank table, later entries over earlier ones."""

    def __init__(self, sugar: bool, zeros: int) -> None:
        self.sugar, self.zeros = sugar, zeros

    def fill(self, table: Any, value: Any, axes: Sequence[Axis], where: str, path: Path) -> None:
        """Fill the part of the table at ``path`` (indices so far)."""
        if isinstance(value, list):
            self._list(table, value, axes, where, path)
        elif not self.sugar or not isinstance(value, dict | str):
            fix = "" if not isinstance(value, dict | str) else "label-keyed rows and words are for TOML and Python"
            raise InputError(where, describe(value), f"an array of {len(axes[0])} entries", fix)
        elif isinstance(value, dict):
            self._mapping(table, value, axes, where, path)
        else:
            self._word(table, value, axes, where, path)

    def _list(self, table: Any, value: list[Any], axes: Sequence[Axis], where: str, path: Path) -> None:
        if len(value) != len(axes[0]):
            labels = ", ".join(" ".join(label) for label in axes[0][:6]) + (", ..." if len(axes[0]) > 6 else "")
            raise InputError(where, describe(value), f"an array of {len(axes[0])} ({labels})")
        if len(axes) == 1:
            _write(table, value)
            return
        for k, part in enumerate(value):
            self.fill(table[k], part, axes[1:], f"{where}[{k}]", (*path, k))

    def _word(self, table: Any, word: str, axes: Sequence[Axis], where: str, path: Path) -> None:
        if word not in WORDS or self.zeros != 1:
            words = " or ".join(f'"{w}"' for w in WORDS) + ", " if self.zeros == 1 else ""
            raise InputError(where, describe(word), f"{words}an array of {len(axes[0])} entries or a table by labels")
        if len(axes) > 1:
            for k, part in enumerate(table):
                self._word(part, word, axes[1:], where, (*path, k))
        elif word == "uniform":
            _write(table, [str(Fraction(1, len(table)))] * len(table))
        else:
            if not path or path[0] >= len(table):
                raise InputError(where, '"identity"', "a table whose rows have the labels of its outputs")
            _write(table, [int(k == path[0]) for k in range(len(table))])

    def _mapping(self, table: Any, value: Mapping[str, Any], axes: Sequence[Axis], where: str, path: Path) -> None:
        if len(axes) <= self.zeros:
            for row in [table] if len(axes) == 1 else table:
                if isinstance(row, Cells):
                    row.clear()
                else:
                    row[:] = [0] * len(row)
        for key, part in value.items():
            spot = at(where, key)
            indices, rest = matches(tuple(key.split()), axes, spot)
            for chosen in indices:
                target = table
                for k in chosen if rest else chosen[:-1]:
                    target = target[k]
                if rest:
                    self.fill(target, part, rest, spot, (*path, *chosen))
                else:
                    target[chosen[-1]] = part


def matches(words: Label, axes: Sequence[Axis], where: str) -> tuple[Iterator[Path], Sequence[Axis]]:
    """Return the index paths that a key names (``*`` is every label), and the axes it leaves open."""
    chosen: list[list[int]] = []
    for labels in axes:
        if not words:
            break
        part, words = words[: len(labels[0])], words[len(labels[0]) :]
        chosen.append(_indices(part, labels, where))
    if words or not chosen:
        found = f"a key of {len(words)} word{'s' if len(words) > 1 else ''} too many" if words else "an empty key"
        raise InputError(where, found, f"at most {sum(len(labels[0]) for labels in axes)} labels, one per axis")
    return product(*chosen), axes[len(chosen) :]


def _indices(words: Label, labels: Axis, where: str) -> list[int]:
    if isinstance(labels, WordAxis) and words in labels.places:
        return [labels.places[words]]
    if "*" not in words and words in labels:
        return [labels.index(words)]
    found = [
        k
        for k, label in enumerate(labels)
        if len(words) == len(label) and all(w in ("*", part) for w, part in zip(words, label, strict=True))
    ]
    if not found:
        raise unknown(" ".join(words), [" ".join(label) for label in labels], where)
    return found


# ---------------------------------------------------------------------------------- generated policies


def generated(kind: str, steps: Sequence[Axis], actions: Sequence[str], where: str) -> dict[str, list[list[list[str]]]]:
    """Return policies by name, each as one table per step; ``steps[h]`` are the rows of step h.

    ``routing`` gives one constant policy per action, named by it; ``all-deterministic`` every map from rows to
    actions, the same at steps whose rows are the same, named ``row:action,row:action``.
    """
    rows = list(dict.fromkeys(label for labels in steps for label in labels))
    kinds: dict[str, Callable[[], Iterator[tuple[str, Mapping[Label, str]]]]] = {
        "routing": lambda: ((action, dict.fromkeys(rows, action)) for action in actions),
        "all-deterministic": lambda: (
            (
                ",".join(f"{'.'.join(row)}:{action}" for row, action in zip(rows, choice, strict=True)),
                dict(zip(rows, choice, strict=True)),
            )
            for choice in product(actions, repeat=len(rows))
        ),
    }
    if kind not in kinds:
        raise unknown(kind, list(kinds), at(where, "kind"), "kind")
    count = len(actions) ** len(rows) if kind == "all-deterministic" else len(actions)
    if count > MAX_GENERATED:
        raise LimitExceeded(where, "deterministic policies", count, MAX_GENERATED, "use a shorter window, or list some")
    policies = {}
    for name, choice in kinds[kind]():
        if name in policies:
            raise InputError(
                where,
                f'two policies named "{name}"',
                "labels whose joined names differ",
                "leave ':', ',' and '.' out of labels",
            )
        policies[name] = [
            [["1" if action == choice[row] else "0" for action in actions] for row in labels] for labels in steps
        ]
    return policies
