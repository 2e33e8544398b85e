"""Reads the section ``operators``: W, G and J as matrices of expressions, in place of kernels (Theorem 2.5).

What stands in a matrix is free: certifying the class decides whether the matrices are what the theorem says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass.expressions import ExpressionRing
from pomgcheck.modelclass.fields import Section, Spaces, describe, labels, no_kernels, section
from pomgcheck.modelclass.parameters import ParameterCell, Parameters
from pomgcheck.modelclass.responses import by_policy, reaction_rule
from pomgcheck.modelclass.sugar import MAX_ENTRIES, axis
from pomgcheck.modelclass.tables import Reader, Table, canonical_steps, is_steps, texts

Names = tuple[str, ...]
PARAMETERS = ("parameters", "constraints", "points")


def own_worlds(value: Section, theta: Reader) -> Section:
    """Return the section ``worlds`` beside operators: Theta alone."""
    no_kernels(value, "worlds", ("initial", "transition", "learner_emission", "adversary_emission"))
    section(value, "worlds", (), PARAMETERS)
    return theta.parameters.document()


def own_responses(value: Section, phi: Reader) -> Section:
    """Return the section ``responses`` beside operators: Psi and the reaction rule."""
    no_kernels(value, "responses", ("window", "table", "linear", "blocks"))
    part = section(value, "responses", ("block_rule",), ("memory", "gamma", *PARAMETERS))
    if part["block_rule"] == "table":
        raise InputError(
            "responses.block_rule",
            '"table" beside operators',
            "latest, mean or fading",
            "a rule by table lists responses to blocks, and operators have no responses",
        )
    return phi.parameters.document() | reaction_rule(part, phi.ring)


@dataclass(frozen=True)
class Joint(Parameters):
    """This is Xi = Theta x Psi, where the parameters of both sides have different names."""

    sides: tuple[Parameters, ...] = ()

    def cells(self, names: Iterable[str]) -> Iterator[ParameterCell]:
        """Return cells that cover Xi in the coordinates ``names``."""
        wanted = set(names)
        for parts in product(*(tuple(side.cells(wanted & side.axes.keys())) for side in self.sides)):
            point = {name: value for part in parts for name, value in part.point.items()}
            yield ParameterCell(point, tuple(body for part in parts for body in part.polytopes))

    def hull(self, names: Sequence[str]) -> ParameterCell:
        """Return the smallest box around Xi in the coordinates ``names``."""
        boxes = [side.hull([name]) for name in names for side in self.sides if name in side.axes]
        return ParameterCell({}, tuple(body for box in boxes for body in box.polytopes))


def reader_of_both(theta: Reader, phi: Reader, knobs: ExpressionRing) -> Reader:
    """Return a reader of expressions in the parameters of both sides."""
    sides = theta.parameters, phi.parameters
    for name in theta.ring.names:
        if name in phi.ring.names:
            raise InputError(
                "responses",
                f'the parameter "{name}", which worlds has too',
                "different names on both sides beside operators",
                "rename one of them",
            )
    ring = ExpressionRing((*theta.ring.names, *phi.ring.names), None, knobs.knobs)
    return Reader(Joint("operators", {**sides[0].axes, **sides[1].axes}, sides=sides), ring, theta.horizon, theta.sugar)


def operators(
    value: Any, spaces: Spaces, policies: Sequence[str], theta: Reader, phi: Reader, fixed: Reader
) -> Section:
    """Return the canonical section; ``fixed`` reads what depends on no parameter, q_0."""
    part = section(value, "operators", ("coordinates", "channel", "initial", "W", "G", "J"))
    coordinates = _label_steps(part["coordinates"], "operators.coordinates", spaces.H + 1)
    channel = _label_steps(part["channel"], "operators.channel", spaces.H)
    _check_size(spaces, len(policies), coordinates, channel)
    initial = fixed.table(part["initial"], [axis(coordinates[0])], "operators.initial", "operator")
    read = _Matrices(spaces, reader_of_both(theta, phi, fixed.ring))
    before, after = coordinates[:-1], coordinates[1:]
    result: Section = {
        "coordinates": _same(coordinates),
        "channel": _same(channel),
        "initial": texts(initial),
        "W": read(part["W"], "operators.W", channel, before),
    }
    for name, columns in (("G", channel), ("J", before)):
        given = by_policy(part[name], policies, f"operators.{name}", read.xi.sugar)
        result[name] = {policy: read(table, where, after, columns) for policy, (where, table) in given.items()}
    return result


def _label_steps(value: Any, where: str, count: int) -> list[Names]:
    """Return one list of labels for all steps, or one for each where ``{steps}`` is given (for coordinates with one
    more, after the last)."""
    if not is_steps(value):
        return [labels(value, where)] * count
    if len(value["steps"]) != count:
        raise InputError(f"{where}.steps", describe(value["steps"]), f"{count} arrays of labels")
    return [labels(names, f"{where}.steps[{h}]") for h, names in enumerate(value["steps"])]


def _same(names: Sequence[Names]) -> Any:
    """Return the one list when all steps have the same, else ``{"steps": [...]}``."""
    written = [list(step) for step in names]
    return written[0] if all(step == written[0] for step in written) else {"steps": written}


def _check_size(spaces: Spaces, policies: int, coordinates: Sequence[Names], channel: Sequence[Names]) -> None:
    """Refuse more entries, in all operators and steps together, than a table may have; they are counted, not built."""
    count = (
        len(spaces.OA)
        * len(spaces.A)
        * sum(
            len(v) * len(s) + policies * len(t) * (len(v) + len(s))
            for v, s, t in zip(channel, coordinates, coordinates[1:], strict=False)
        )
    )
    if count > MAX_ENTRIES:
        fix = "use fewer coordinates, channel coordinates or policies"
        raise LimitExceeded("operators", "entries, all matrices and steps together", count, MAX_ENTRIES, fix)


class _Matrices:
    """This reads the tables [o][a] of matrices of one class."""

    def __init__(self, spaces: Spaces, xi: Reader) -> None:
        self.pair, self.xi = (axis(spaces.OA), axis(spaces.A)), xi

    def __call__(self, value: Any, where: str, rows: Sequence[Names], columns: Sequence[Names]) -> Any:
        """Return one table per step, or one for all where the spaces are the same at all of them, in canonical form."""
        spots = self.xi.per_step(value, where)
        shapes = list(zip(rows, columns, strict=True))
        if not is_steps(value):
            sizes = {(len(r), len(c)) for r, c in shapes}
            if len(sizes) > 1 or not isinstance(value, list) and len(set(shapes)) > 1:
                raise InputError(
                    where,
                    "one table for all steps",
                    "{steps = [one table per step]}, as the coordinates or the channel differ between steps",
                )
            shapes = shapes[:1]
        tables: list[Table] = [
            self.xi.table(table, [*self.pair, axis(r), axis(c)], spot, "operator")
            for (spot, table), (r, c) in zip(spots, shapes, strict=True)
        ]
        return canonical_steps(tables)
