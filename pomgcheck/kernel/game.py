"""Reads a canonical model-class document into the exact game, its worlds, responses and policies.

Only the standard library is used. Everything is an ``int``, a ``Fraction`` or a label; a document that does not read
exactly as the format says raises ``Malformed``, which names the place, what was found and what was required.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .budget import spend
from .expressions import evaluate
from .parameters import MAX_POINTS, Point, constraints_of, parameter_points, read_axes
from .polynomials import Inverse, Polynomial, cleared, divisors, polynomial
from .reading import Object, canonical_bytes, mapping, rational, require, sequence, take
from .rows import SPARSE_ABOVE, Scalar, SparseRow, entries_of, in_arrays, is_sparse, misplaced, placed, row_of_texts

MODEL_FORMAT = "pomgcheck-model-class/1"
ZERO = re.compile(r"-?0+(/[1-9][0-9]*)?", re.ASCII)

Assigned = Mapping[str, Scalar] | None  # numbers or indeterminates for the parameters; None where only shapes are read
Row = tuple[Fraction, ...]


class World(NamedTuple):
    """A world has the kernels of one theta, indexed from step 0: ``EA[h][s][o]``, ``EB[h][s][o]``,
    ``T[h][s][a][b][s']``."""

    EA: tuple[Any, ...]
    EB: tuple[Any, ...]
    T: tuple[Any, ...]


Table = tuple[tuple[Row, ...], ...]  # [h][window row][action]
SPACES = ("states", "learner_actions", "adversary_actions", "learner_observations", "adversary_observations")
OWN_SPACES = ("learner_actions", "learner_observations")  # of a class given by operators


def labels(value: object, where: str) -> tuple[str, ...]:
    """Return distinct non-empty labels without white space."""
    items = sequence(value, where)
    require(bool(items), where, "an empty list", "at least one label")
    for label in items:
        good = isinstance(label, str) and label not in ("", "*") and not re.search(r"\s|[\ud800-\udfff]", label)
        require(good and max(label) <= "\uffff", where, repr(label), 'a label without white space, not "*"')
    require(len(set(items)) == len(items), where, "a repeated label", "distinct labels")
    return tuple(items)


def summing_to_one(row: tuple[Scalar, ...], where: str) -> tuple[Scalar, ...]:
    """Return a row of polynomials that sums to one identically.

    Quotients add up to it only once cleared, so the last of them is written as one minus the rest.
    """
    excess = sum(row, Polynomial()) - 1
    require(not cleared(excess), where, "a row that does not sum to one identically", "sum 1")
    quotients = [k for k, x in enumerate(row) if isinstance(x, Polynomial) and divisors([x])]
    return tuple(x - excess if k in quotients[-1:] else x for k, x in enumerate(row))


class Game:
    """This is the exact game of a canonical document (POMG of Section 2.1, classes of Section 2.3).

    ``H`` is the horizon; ``S, A, B, OA, OB`` are labels; ``reward[h][o]`` is in [0,1]; then there are ``rho0[s]`` and
    ``policies[p][h][row][a]``. ``thetas``/``phis`` are parameter points and ``worlds``/``responses`` their kernels
    (``responses[k][p][h][row][b]``); they are ``None`` when an axis is an interval. Steps are 0-based inside, 1-based
    in documents and messages. ``own`` says that matrices stand for the kernels (the section ``operators``): there are
    no states, worlds or responses then.
    """

    def __init__(self, document: object) -> None:
        needed = ("format", "name", "game", "worlds", "responses", "policies")
        doc = take(document, "model", needed, ("description", "source", "truth", "operators"))
        require(doc["format"] == MODEL_FORMAT, "model.format", repr(doc["format"]), repr(MODEL_FORMAT))
        for key in ("name", "description", "source"):
            require(isinstance(doc.get(key, ""), str), f"model.{key}", type(doc.get(key)).__name__, "a string")
        self.document: Any = document
        self.name: str = doc["name"]
        self.own = "operators" in doc
        self._rows: dict[object, Row] = {}
        self.divided: dict[object, dict[Inverse, None]] = {}  # by what a point gives: the divisors in rows read at it
        self._read_spaces(doc["game"])
        self._read_policies(doc["policies"])
        self._read_worlds(doc["worlds"])
        self._read_responses(doc["responses"])
        self.truth: tuple[Point, Point] | None = None
        if "truth" in doc:
            truth = take(doc["truth"], "truth", ("worlds", "responses"))
            theta, phi = (self.point(truth[side], f"truth.{side}") for side in ("worlds", "responses"))
            self.truth = theta, phi
            for side, point in zip(("worlds", "responses"), self.truth, strict=True):
                names = doc[side].get("parameters") or (doc[side].get("points") or [{}])[0]
                require(set(point) == set(names), f"truth.{side}", sorted(point), f"the parameters {sorted(names)}")

    @property
    def finite(self) -> bool:
        """Return whether Xi is a finite set of points."""
        return self.thetas is not None and self.phis is not None

    def contains(self, side: str, point: Point) -> bool:
        """Return whether a point of all the parameters lies in Theta (``worlds``) or Psi (``responses``)."""
        part, points = self.document[side], self.thetas if side == "worlds" else self.phis
        if points is not None:
            return point in points
        finite, intervals = read_axes(part, side)
        names = sorted((*finite, *intervals))
        require(sorted(point) == names, side, sorted(point), f"the parameters {names}")
        on_axes = all(point[name] in values for name, values in finite.items())
        in_box = all(low <= point[name] <= high for name, (low, high) in intervals.items())
        return on_axes and in_box and all(evaluate(left, point, side) >= 0 for left in constraints_of(part, side))

    def subclass(self, thetas: Sequence[object], phis: Sequence[object]) -> Game:
        """Return the finite class of some points of this one, each an object of exact texts."""
        document = {key: entry for key, entry in self.document.items() if key != "truth"}
        for side, points in (("worlds", thetas), ("responses", phis)):
            kept = {tuple(self.point(entry, side).items()): entry for entry in points}
            for point, entry in kept.items():
                require(self.contains(side, dict(point)), side, entry, "a point of the class")
            part = document[side]
            axes = ("parameters", "constraints", "points")
            rest = {key: entry for key, entry in part.items() if key not in axes}
            document[side] = rest | {"points": [*kept.values()]}
        return Game(document)

    @staticmethod
    def point(value: object, where: str) -> Point:
        """Return a parameter point that is written as an object of exact texts."""
        return {name: rational(text, f"{where}.{name}") for name, text in sorted(mapping(value, where).items())}

    def _read_spaces(self, value: object) -> None:
        names = OWN_SPACES if self.own else SPACES
        game = take(value, "game", ("horizon", *names, "reward"))
        horizon = game["horizon"]
        good = isinstance(horizon, int) and not isinstance(horizon, bool) and 1 <= horizon <= 1000
        require(good, "game.horizon", repr(horizon), "an integer from 1 to 1000")
        self.H: int = horizon
        self.S, self.A, self.B, self.OA, self.OB = (
            labels(game[name], f"game.{name}") if name in names else () for name in SPACES
        )
        self.reward = tuple(
            self._row(row, {}, f"game.reward, step {h + 1}", len(self.OA), total=None)
            for h, row in enumerate(self._steps(game["reward"], "game.reward"))
        )

    def _steps(self, value: object, where: str) -> list[Any]:
        """Return one table per step: ``{"steps": [...]}``, or the same table at every step."""
        if isinstance(value, dict):
            return sequence(take(value, where, ("steps",))["steps"], f"{where}.steps", self.H)
        return [value] * self.H

    def _row(self, value: object, point: Assigned, where: str, length: int, total: int | None = 1) -> Row:
        """Return one row of entries in [0,1], evaluated; its sum is ``total`` unless that is ``None``. Without a point
        (an axis is an interval) only the shape is read."""
        texts = tuple(sequence(value, where, length))
        require(all(isinstance(t, str) for t in texts), where, "an entry that is not a string", "exact strings")
        if point is None:
            return ()
        text = " ".join(texts)
        used = tuple((name, x) for name, x in point.items() if name in text)  # nothing else is read
        key = (texts, used if all(isinstance(x, Fraction) for _, x in used) else tuple(point.items()), total)
        if key not in self._rows:
            row = tuple(evaluate(t, point, where) for t in texts)
            numbers = [x for x in row if isinstance(x, Fraction)]
            require(all(0 <= x <= 1 for x in numbers), where, f"the row {list(map(str, row))}", "entries in [0,1]")
            if len(numbers) == len(row):
                require(total is None or sum(row) == total, where, f"a row of sum {sum(row)!s:.60}", f"sum {total}")
            else:
                self.divided.setdefault(key[1], {}).update(dict.fromkeys(divisors(map(polynomial, row))))
                row = summing_to_one(row, where)
            self._rows[key] = row
        return self._rows[key]

    def _nested(self, value: object, point: Assigned, where: str, shape: Sequence[int]) -> tuple[Any, ...]:
        if len(shape) == 1:
            return self._row(value, point, where, shape[0])
        entries = sequence(value, where, shape[0])
        return tuple(self._nested(entry, point, f"{where}[{k}]", shape[1:]) for k, entry in enumerate(entries))

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the sizes of E^A, E^B and T at one step, by their keys."""
        s = len(self.S)
        return {
            "learner_emission": (s, len(self.OA)),
            "adversary_emission": (s, len(self.OB)),
            "transition": (s, len(self.A), len(self.B), s),
        }

    def world_tables(self, part: Object, point: Assigned) -> World:
        """Return E^A, E^B and T at a parameter point, or in the indeterminates of a cell."""
        return World(*(self._kernel(part[key], point, f"worlds.{key}", shape) for key, shape in self.shapes.items()))

    def arrays(self, key: str) -> list[Any]:
        """Return E^A, E^B or T at each step as arrays of texts."""
        return self._steps(in_arrays(self.document["worlds"][key], self.shapes[key][-1]), key)

    def texts(self) -> World:
        """Return E^A, E^B and T as the document writes them, at each step: arrays of texts, or of sparse rows of
        texts."""
        part, found = self.document["worlds"], []
        for key, shape in self.shapes.items():
            read = partial(row_of_texts, shape[-1])
            found.append(
                self.sparse(part[key], key, shape, read) if is_sparse(part[key]) else self._steps(part[key], key)
            )
        return World(*map(tuple, found))

    def _kernel(self, value: object, point: Assigned, where: str, shape: Sequence[int]) -> tuple[Any, ...]:
        """Return one table per step, of arrays, or sparse where it has more than SPARSE_ABOVE entries."""
        if isinstance(value, dict) and "sparse" in value:
            return self.sparse(value, where, shape, lambda row, spot: self._sparse_row(row, point, spot, shape[-1]))
        return tuple(
            self._nested(table, point, f"{where}, step {h + 1}", shape)
            for h, table in enumerate(self._steps(value, where))
        )

    def sparse(self, value: Any, where: str, shape: Sequence[int], read: Callable[[Any, str], Any]) -> tuple[Any, ...]:
        """Return one table per step of a sparse form, its distinct rows as ``read`` gives them, every one once."""
        take(value, where, ("sparse",), ("table", "steps"))
        require(is_sparse(value), where, f"the keys {', '.join(sorted(value))}", "sparse, and one of table and steps")
        size = prod(shape)
        require(size > SPARSE_ABOVE, where, f"a sparse table of {size} entries", f"arrays up to {SPARSE_ABOVE} entries")
        listed = sequence(value["sparse"], f"{where}.sparse")
        require(
            len(set(map(canonical_bytes, listed))) == len(listed), f"{where}.sparse", "a row twice", "distinct rows"
        )
        rows = [read(row, f"{where}.sparse[{k}]") for k, row in enumerate(listed)]
        met = [0]
        if "table" in value:
            found = (placed(value["table"], rows, f"{where}.table", shape[:-1], met),) * self.H
        else:
            found = placed(value["steps"], rows, f"{where}.steps", (self.H, *shape[:-1]), met)
        require(met[0] == len(rows), f"{where}.sparse[{met[0]}]", "a row that no state has", "only rows that occur")
        return found

    def _sparse_row(self, value: object, point: Assigned, where: str, length: int) -> SparseRow:
        """Return a row given by pairs (place, entry) in ascending order, none of which is zero."""
        pairs = [sequence(pair, where, 2) for pair in sequence(value, where)]
        found = misplaced([k for k, _ in pairs], length)
        require(not found, where, found, f"each place once, whole numbers from 0 to {length - 1} in ascending order")
        zero = any(isinstance(text, str) and ZERO.fullmatch(text) for _, text in pairs)
        require(not zero, where, "an entry that is zero", "only the entries that are not zero")
        row = self._row([text for _, text in pairs], point, where, len(pairs))
        places = [k for k, _ in pairs]
        return SparseRow(length, zip(places, row, strict=False))  # no entries where shapes alone are read

    def _count(self, points: Sequence[Point], where: str, *tables: object) -> None:
        """Spend what it takes to read tables, and to compute them at every parameter point, before it is done."""
        entries, count = sum(entries_of(table, self.H) for table in tables), len(points)
        spend(entries + count * (50 + 5 * entries), f"{entries} table entries at {count} points of {where}")

    def _read_worlds(self, value: object) -> None:
        needed = ("initial", "transition", "learner_emission", "adversary_emission")
        part = take(value, "worlds", () if self.own else needed, ("parameters", "points", "constraints"))
        require(("points" in part) != ("parameters" in part), "worlds", "both or neither", "points or parameters")
        self.thetas = parameter_points(part, "worlds")
        self.rho0: Row = ()
        self.worlds: tuple[World, ...] = ()
        if self.own:
            return
        self.rho0 = self._row(part["initial"], {}, "worlds.initial", len(self.S))
        self._count(self.thetas or (), "worlds", *(part[key] for key in needed[1:]))
        self.world_tables(part, None)
        self.worlds = tuple(self.world_tables(part, point) for point in self.thetas or ())

    @staticmethod
    def window_of(value: Any, where: str) -> int | None:
        """Return a window length, or ``None`` for the full decision history."""
        good = value == "full" or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1000)
        require(good, where, repr(value), 'a window length >= 1, or "full"')
        return None if value == "full" else value

    @staticmethod
    def row_count(window: int | None, h: int, observations: int, actions: int) -> int:
        """Return the rows of a policy or response table at 0-based step ``h``."""
        whole: int = observations * (actions * observations) ** h
        return whole if window is None else observations ** min(window, h + 1)

    def _table(
        self, value: object, point: Assigned, where: str, window: int | None, outputs: int, inputs: int
    ) -> Table:
        require(window == 1 or isinstance(value, dict), where, "one table", "{steps: [one table per step]}")
        return tuple(
            self._nested(table, point, f"{where}, step {h + 1}", (self.row_count(window, h, inputs, outputs), outputs))
            for h, table in enumerate(self._steps(value, where))
        )

    def _read_policies(self, value: object) -> None:
        part = take(value, "policies", ("window", "list"))
        self.learner_window = self.window_of(part["window"], "policies.window")
        tables = mapping(part["list"], "policies.list")
        self._count((), "policies", tables)
        self.policy_names = tuple(sorted(labels(list(tables), "policies.list")))
        self.policies: tuple[Table, ...] = tuple(
            self._table(tables[p], {}, f"policies.list.{p}", self.learner_window, len(self.A), len(self.OA))
            for p in self.policy_names
        )

    def _read_responses(self, value: object) -> None:
        kernels = ((), ()) if self.own else (("window", "table"), ("blocks", "linear"))
        optional = ("memory", "gamma", "parameters", "points", "constraints", *kernels[1])
        part = take(value, "responses", ("block_rule", *kernels[0]), optional)
        require(("points" in part) != ("parameters" in part), "responses", "both or neither", "points or parameters")
        self.adversary_window = self.window_of(part.get("window", 1), "responses.window")
        self.block_rule: str = part["block_rule"]
        rules = ("latest", "mean", "fading", *(() if self.own else ("table",)))
        require(self.block_rule in rules, "responses.block_rule", repr(self.block_rule), f"one of {rules}")
        fading = self.block_rule == "fading"
        require(fading == ("gamma" in part), "responses.gamma", "gamma", "gamma exactly when the rule is fading")
        require(fading != ("memory" in part), "responses.memory", "memory", "memory unless the rule is fading")
        self.gamma = rational(part["gamma"], "responses.gamma") if fading else None
        require(self.gamma is None or 0 <= self.gamma < 1, "responses.gamma", self.gamma, "0 <= gamma < 1")
        memory = part.get("memory", 1)
        good = isinstance(memory, int) and not isinstance(memory, bool) and 1 <= memory <= 10_000
        require(good, "responses.memory", repr(memory), "an integer from 1 to 10000")
        self.m: int | None = None if fading else memory
        self.phis = parameter_points(part, "responses")
        self.responses: tuple[tuple[Table, ...], ...] = ()
        self.blocks: tuple[dict[tuple[int, ...], Table], ...] = ()
        if self.own:
            return
        take(part["table"], "responses.table", self.policy_names)
        table = self.block_rule == "table"
        require(table == ("blocks" in part), "responses.blocks", "blocks", "blocks exactly when the rule is table")
        self._count(self.phis or (), "responses", part["table"], part.get("blocks", {}))
        self.block_tables(None, self.response_tables(None))
        self.responses = tuple(self.response_tables(point) for point in self.phis or ())
        self.blocks = tuple(map(self.block_tables, self.phis or (), self.responses))

    def _response(self, value: object, point: Assigned, where: str) -> Table:
        return self._table(value, point, where, self.adversary_window, len(self.B), len(self.OB))

    def response_tables(self, point: Assigned) -> tuple[Table, ...]:
        """Return g^Phi of every policy, at a point or in indeterminates."""
        given = self.document["responses"]["table"]
        return tuple(self._response(given[p], point, f"responses.table.{p}") for p in self.policy_names)

    def block_list(self) -> Iterator[tuple[int, ...]]:
        """Return the blocks of policies that R is given for, oldest first: of m under the rule table, else of one."""
        size = self.m if self.block_rule == "table" else 1
        return product(range(len(self.policy_names)), repeat=size or 1)

    def block_tables(self, point: Assigned, alone: Sequence[Table]) -> dict[tuple[int, ...], Table]:
        """Return R of every block, at a point or in indeterminates; of m equal policies it is the response ``alone``."""
        if self.block_rule != "table":
            return {(p,): table for p, table in enumerate(alone)}
        count = len(self.policy_names) ** (self.m or 1)
        require(count <= MAX_POINTS, "responses.memory", f"{count} blocks of policies", f"at most {MAX_POINTS}")
        spend(count * (20 + 10 * (self.m or 1)), f"{count} blocks of policies")
        names = {" ".join(self.policy_names[p] for p in block): block for block in self.block_list()}
        given = take(self.document["responses"]["blocks"], "responses.blocks", tuple(names))
        tables = {block: self._response(given[z], point, f"responses.blocks.{z}") for z, block in names.items()}
        for p, name in enumerate(self.policy_names):
            same = tables[(p,) * (self.m or 1)] == alone[p]
            require(same, f"responses.blocks, block of {name} alone", "another response", "responses.table")
        return tables
