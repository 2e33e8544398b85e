"""Makes model classes from another one: with points and policies left out, with intervals narrowed, or with every
response mixed with the uniform one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.kernel.parameters import parameter_points
from pomgcheck.modelclass.document import load
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.modelclass.parameters import read_point, show

Section = dict[str, Any]
Axis = tuple[str, str]  # "worlds" or "responses", and a parameter
Ends = tuple[Fraction, Fraction]
Points = Iterable[Mapping[str, Any]]


def without(model: ModelClass, worlds: Points = (), responses: Points = (), policies: Iterable[str] = ()) -> ModelClass:
    """Return the class without these points of Theta and of Psi and these policies of Pi; what is left of a side is
    listed.

    Raises ``InputError`` for what the class does not have, for a side left empty, and for points of a side with an
    interval axis.
    """
    document: Section = dict(model.document)
    for side, points in (("worlds", list(worlds)), ("responses", list(responses))):
        if points:
            document[side] = fewer_points(document[side], side, points)
    dropped = set(policies)
    if dropped:
        kept = remaining(model.policies, dropped, "policies", str)
        document["policies"] = document["policies"] | {"list": {p: document["policies"]["list"][p] for p in kept}}
        if "operators" in document:
            given = document["operators"]
            document["operators"] = given | {name: {p: given[name][p] for p in kept} for name in ("G", "J")}
        else:
            document["responses"] = fewer_answers(document["responses"], kept)
    return load(document)


def intervals(model: ModelClass) -> dict[Axis, Ends]:
    """Return the interval axes of a class and their ends, worlds first, in the order of the document."""
    return {
        (side, name): (Fraction(axis["interval"][0]), Fraction(axis["interval"][1]))
        for side in ("worlds", "responses")
        for name, axis in model.document[side].get("parameters", {}).items()
        if "interval" in axis
    }


def by_side(box: Mapping[Axis, Ends]) -> dict[str, dict[str, Ends]]:
    """Return the ends of a box by side and parameter."""
    out: dict[str, dict[str, Ends]] = {}
    for (side, name), ends in box.items():
        out.setdefault(side, {})[name] = ends
    return out


def within(model: ModelClass, box: Mapping[Axis, Ends]) -> ModelClass:
    """Return the class whose interval axes have these ends instead of their own.

    An axis whose ends are one number is fixed there, and a truth that lies outside is no longer stated. Raises
    ``InputError`` for an axis that is not an interval of the class, for ends outside of it, and for constraints that
    leave nothing.
    """
    document, known = dict(model.document), intervals(model)
    for (side, name), (low, high) in box.items():
        where = f"{side}.{name}"
        if (side, name) not in known:
            raise InputError(
                where, "a name of no interval axis", "one of " + ", ".join(".".join(axis) for axis in known)
            )
        if not known[side, name][0] <= low <= high <= known[side, name][1]:
            least, most = known[side, name]
            raise InputError(where, f"[{low}, {high}]", f"an interval within [{least}, {most}]")
        ends = {"interval": [str(low), str(high)]} if low < high else {"values": [str(low)]}
        parameters = document[side]["parameters"] | {name: ends}
        document[side] = document[side] | {"parameters": parameters}
    truth = document.get("truth")
    if truth and not all(low <= Fraction(truth[side][name]) <= high for (side, name), (low, high) in box.items()):
        del document["truth"]
    return load(document)


def fewer_points(part: Mapping[str, Any], side: str, dropped: Points) -> Section:
    """Return one side of the document without some of its parameter points."""
    points = parameter_points(part, side)
    if points is None:
        raise InputError(side, "an interval axis", "a finite list of points to leave some out of")
    gone = [read_point(point, side, sorted(points[0])) for point in dropped]
    kept = remaining(points, gone, side, show)
    rest = {key: value for key, value in part.items() if key not in ("parameters", "constraints", "points")}
    return rest | {"points": [{name: str(value) for name, value in point.items()} for point in kept]}


def remaining(items: Iterable[Any], dropped: Collection[Any], side: str, named: Callable[[Any], str]) -> list[Any]:
    """Return ``items`` without ``dropped``, which must be among them and not all of them."""
    every = list(items)
    for item in dropped:
        if item not in every:
            raise InputError(side, named(item) or "the empty point", "one that the class has")
    kept = [item for item in every if item not in dropped]
    if not kept:
        raise InputError(side, "all of them left out", "at least one that stays")
    return kept


def fewer_answers(part: Mapping[str, Any], policies: Collection[str]) -> Section:
    """Return the section ``responses`` with answers to these policies alone."""
    result = {**part, "table": {p: table for p, table in part["table"].items() if p in policies}}
    if "blocks" in part:
        blocks = part["blocks"].items()
        result["blocks"] = {block: table for block, table in blocks if set(block.split(" ")) <= set(policies)}
    if "linear" in part:
        features = part["linear"]["features"].items()
        result["linear"] = part["linear"] | {"features": {p: table for p, table in features if p in policies}}
    return result


def with_response_floor(model: ModelClass, epsilon: Fraction) -> ModelClass:
    """Return the class whose every response row g is (1-epsilon) g + epsilon/|B|, so that no action is rarer than
    epsilon/|B|.

    A linear form is dropped: its matrix and features are those of the unmixed table.
    """
    epsilon = Fraction(epsilon)
    if "operators" in model.document:
        raise InputError("responses", "no response tables beside operators", "a class given by kernels")
    if not 0 <= epsilon <= 1:
        raise InputError("epsilon", str(epsilon), "a number from 0 to 1")
    least = epsilon / len(model.document["game"]["adversary_actions"])

    def mixed(table: Any) -> Any:
        if isinstance(table, str):
            return f"({1 - epsilon})*({table})+{least}"
        if isinstance(table, Mapping):
            return {key: mixed(part) for key, part in table.items()}
        return [mixed(part) for part in table]

    part = {key: value for key, value in model.document["responses"].items() if key != "linear"}
    part |= {key: mixed(part[key]) for key in ("table", "blocks") if key in part}
    return load(dict(model.document) | {"responses": part})
