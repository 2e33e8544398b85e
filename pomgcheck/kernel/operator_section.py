"""The section ``operators`` of a document: W, G and J given as matrices in place of kernels (Theorem 2.5).

Read by the kernel and by the search; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .expressions import evaluate
from .game import Game, labels
from .parameters import Point
from .reading import Object, rational, require, sequence, take
from .rows import Scalar

MAX_VALUES = 5_000_000  # entries of all matrices and steps, times parameter points

Matrix = tuple[tuple[Scalar, ...], ...]  # [row][column]


class Operators(NamedTuple):
    """These are the matrices at one xi: ``W[h][o][a]``, ``G[p][h][o][a]`` and ``J[p][h][o][a]``."""

    W: tuple[Any, ...]
    G: tuple[Any, ...]
    J: tuple[Any, ...]


class OperatorSection:
    """This has the labels and matrices of the section.

    ``coordinates[h]`` for h = 0..H names the augmented space at the start of 0-based step h (after the last one for h =
    H), ``channel[h]`` the space V of step h, and ``initial`` is q_0. ``texts`` holds the matrices as expressions:
    W_h(o,a) has one row per channel coordinate and one column per coordinate of step h, G_h and J_h one row per
    coordinate of step h+1.
    """

    def __init__(self, game: Game) -> None:
        part = take(game.document["operators"], "operators", ("coordinates", "channel", "initial", "W", "G", "J"))
        names = [parameter_names(game.document[side]) for side in ("worlds", "responses")]
        require(not names[0] & names[1], "operators", f"{sorted(names[0] & names[1])} on both sides", "names apart")
        self.game = game
        self.coordinates = label_steps(part["coordinates"], "operators.coordinates", game.H + 1)
        self.channel = label_steps(part["channel"], "operators.channel", game.H)
        masses = sequence(part["initial"], "operators.initial", len(self.coordinates[0]))
        self.initial = tuple(rational(text, "operators.initial") for text in masses)
        before, after = self.coordinates[:-1], self.coordinates[1:]
        pairs = len(game.OA) * len(game.A)
        sizes = (tuple(map(len, spaces)) for spaces in zip(self.channel, before, after, strict=True))
        self.entries = pairs * sum(v * s + len(game.policies) * t * (v + s) for v, s, t in sizes)
        self.bound(1)
        by_policy = {name: take(part[name], f"operators.{name}", game.policy_names) for name in ("G", "J")}
        self.texts = Operators(
            self._tables(part["W"], "operators.W", self.channel, before),
            *(
                tuple(self._tables(given[p], f"operators.{name}.{p}", after, columns) for p in game.policy_names)
                for (name, given), columns in zip(by_policy.items(), (self.channel, before), strict=True)
            ),
        )

    def _tables(self, value: Any, where: str, rows: Sequence[Any], columns: Sequence[Any]) -> tuple[Any, ...]:
        sizes = (len(self.game.OA), len(self.game.A))
        return tuple(
            texts(table, f"{where}, step {h + 1}", (*sizes, len(rows[h]), len(columns[h])))
            for h, table in enumerate(self.game._steps(value, where))
        )

    def bound(self, points: int) -> None:
        """Refuse more values than are held at once, before any is computed."""
        count = self.entries * points
        require(count <= MAX_VALUES, "operators", f"{count} entries at {points} parameter points", f"{MAX_VALUES}")

    def at(self, xi: Point) -> Operators:
        """Return the matrices at a parameter point of both sides, in Fractions."""
        known: dict[str, Scalar] = {}

        def value(text: str) -> Scalar:
            if text not in known:
                known[text] = evaluate(text, xi, "operators")
            return known[text]

        return Operators(*(mapped(part, value) for part in self.texts))


def parameter_names(part: Object) -> set[str]:
    """Return the names of the parameters of one side of a document."""
    return set(part.get("parameters") or (part.get("points") or [{}])[0])


def label_steps(value: object, where: str, count: int) -> tuple[tuple[str, ...], ...]:
    """Return one list of labels for every step, or ``{"steps": [...]}``."""
    lists = sequence(take(value, where, ("steps",))["steps"], where, count) if isinstance(value, dict) else None
    return tuple(labels(entry, where) for entry in lists or [value] * count)


def texts(value: object, where: str, shape: tuple[int, ...]) -> Any:
    """Return nested arrays of that shape, of strings, as tuples."""
    if not shape:
        require(isinstance(value, str), where, type(value).__name__, "an exact string")
        return value
    entries = sequence(value, where, shape[0])
    return tuple(texts(entry, f"{where}[{k}]", shape[1:]) for k, entry in enumerate(entries))


def mapped(nested: Any, value: Callable[[str], Scalar]) -> Any:
    """Return nested tuples of texts, each text replaced by its value."""
    return tuple(mapped(entry, value) for entry in nested) if isinstance(nested, tuple) else value(nested)
