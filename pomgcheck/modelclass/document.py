"""Validates a model-class document, and puts it in canonical form.

``load`` is the way in.  The order of reading is knobs, game, worlds, policies, responses, operators, truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel.reading import long_integers
from pomgcheck.modelclass.expressions import ExpressionRing
from pomgcheck.modelclass.fields import (
    Section,
    Spaces,
    Window,
    at,
    describe,
    label,
    read_spaces,
    section,
    string,
    title,
    unknown,
    window,
)
from pomgcheck.modelclass.files import parsed, read
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.modelclass.operators import operators, own_responses, own_worlds
from pomgcheck.modelclass.parameters import Parameters, check_name, number, parameter_names, read_parameters, read_point
from pomgcheck.modelclass.responses import responses
from pomgcheck.modelclass.sugar import axis, generated
from pomgcheck.modelclass.tables import Reader, canonical_steps, check_windows, texts, window_rows
from pomgcheck.modelclass.values import plain

__all__ = ["FORMAT", "ModelClass", "load", "loads", "varied"]

FORMAT = "pomgcheck-model-class/1"
SIDES = ("worlds", "responses")


@long_integers()
def load(source: str | Path | Mapping[str, Any], knobs: Mapping[str, Any] | None = None) -> ModelClass:
    """Return the model class of a ``.toml`` or ``.json`` file, or of a mapping of the same structure.

    ``knobs`` are exact values for knobs of the document, in place of its own.
    Raises ``InputError``, ``LimitExceeded`` or ``GaveUp``, which name the file and the key path.
    """
    if isinstance(source, Mapping):
        return _model(plain(authoring(source)), knobs or {}, sugar=True)
    path = Path(source)
    try:
        return _model(plain(authoring(read(path))), knobs or {}, sugar=path.suffix.lower() == ".toml")
    except PomgcheckError as error:
        raise error.inside(str(path)) from None


@long_integers()
def loads(text: str, suffix: str) -> ModelClass:
    """Return the model class of a document's text, ``.toml`` or ``.json`` as ``suffix`` says.

    Raises what ``load`` raises, without the name of a file.
    """
    return _model(plain(authoring(parsed(text, suffix))), {}, sugar=suffix == ".toml")


def authoring(value: Any) -> Any:
    """Return the value, if it is not plainly one of the other files this program writes."""
    declared = value.get("format") if isinstance(value, Mapping) else None
    if isinstance(declared, str) and declared.startswith("pomgcheck-") and not declared.startswith(FORMAT[:-1]):
        fix = 'its entry "model" is the class it is about' if declared.startswith("pomgcheck-certificate/") else ""
        raise InputError("format", f'"{declared}"', f'"{FORMAT}"', fix)
    return value


def varied(model: ModelClass, knobs: Mapping[str, Any]) -> ModelClass:
    """Return the class of the same authoring document with other values of its knobs."""
    return load(model.authored, knobs)


def _model(value: Any, chosen: Mapping[str, Any], *, sugar: bool) -> ModelClass:
    """Return the model class of a plain document; ``sugar=False`` accepts plain tables only."""
    needed = ("format", "name", "game", *SIDES, "policies")
    doc = section(value, "", needed, ("description", "source", "truth", "knobs", "operators"))
    if doc["format"] != FORMAT:
        raise InputError("format", describe(doc["format"]), f'"{FORMAT}"')
    for side in SIDES:
        if not isinstance(doc[side], dict):
            raise InputError(side, describe(doc[side]), "a table")
    names = {side: parameter_names(doc[side], side) for side in SIDES}
    owners = {name: side for side in SIDES for name in names[side]}
    knobs = _knobs(doc.get("knobs", {}), chosen, owners)
    own = "operators" in doc
    spaces = read_spaces(doc["game"], own)
    fixed = Reader(Parameters("", {}), ExpressionRing((), owners, knobs), spaces.H, sugar)
    theta, phi = (
        _reader(doc[side], side, ExpressionRing(names[side], owners, knobs), spaces.H, sugar) for side in SIDES
    )

    result: Section = {"format": FORMAT, "name": title(doc["name"], "name")}
    result |= {key: string(doc[key], key) for key in ("description", "source") if key in doc}
    reward = fixed.steps(doc["game"]["reward"], [axis(spaces.OA)], "game.reward", "reward")
    result["game"] = spaces.document() | {"reward": canonical_steps(reward)}
    result["worlds"] = own_worlds(doc["worlds"], theta) if own else _worlds(doc["worlds"], spaces, theta, fixed)
    result["policies"] = _policies(doc["policies"], spaces, fixed)
    policies = sorted(result["policies"]["list"])
    if own:
        result["responses"] = own_responses(doc["responses"], phi)
        result["operators"] = operators(doc["operators"], spaces, policies, theta, phi, fixed)
    else:
        result["responses"] = responses(doc["responses"], spaces, phi, policies)
    if "truth" in doc:
        result["truth"] = _truth(doc["truth"], names, fixed.ring)
    sizes = theta.parameters.count(), phi.parameters.count()
    return ModelClass(result, *sizes, {name: str(x) for name, x in knobs.items()}, doc)


def _knobs(declared: Any, chosen: Mapping[str, Any], parameters: Mapping[str, str]) -> dict[str, Fraction]:
    """Return the value of each knob: the ``chosen`` one, else what the document says, which may use the knobs before
    it. Canonical documents hold none.

    ``parameters`` says which side each parameter of the class belongs to: a knob needs a name of its own.
    """
    if not isinstance(declared, dict):
        raise InputError("knobs", describe(declared), "a table of knobs by name")
    if not isinstance(chosen, Mapping):
        raise InputError("knobs", repr(chosen)[:60], 'values by name, such as {"noise": "1/5"}')
    given = plain(chosen, "knobs")
    _check_known(given, declared)
    values: dict[str, Fraction] = {}
    ring = ExpressionRing((), parameters, values)  # it sees each knob as soon as that is read
    for name, entry in declared.items():
        check_name(name, "knobs", "knob")
        if name in parameters:
            found = f'the knob "{name}", a parameter of {parameters[name]} too'
            raise InputError("knobs", found, "a name of its own", "rename one of them")
        values[name] = number(given.get(name, entry), at("knobs", name), ring)
    return values


def _check_known(names: Mapping[str, Any], declared: Mapping[str, Any]) -> None:
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


def _reader(part: Section, side: str, ring: ExpressionRing, horizon: int, sugar: bool) -> Reader:
    return Reader(read_parameters(part, side, ring), ring, horizon, sugar)


def _worlds(value: Section, spaces: Spaces, theta: Reader, fixed: Reader) -> Section:
    """Return Theta: rho_0, which is known, and the kernels T, E^A, E^B as expressions in theta."""
    S, A, B, OA, OB = map(axis, (spaces.S, spaces.A, spaces.B, spaces.OA, spaces.OB))
    kernels = {"transition": [S, A, B, S], "learner_emission": [S, OA], "adversary_emission": [S, OB]}
    part = section(value, "worlds", ("initial", *kernels), ("parameters", "constraints", "points"))
    result = theta.parameters.document()
    result["initial"] = texts(fixed.table(part["initial"], [S], "worlds.initial"))
    for key, axes in kernels.items():
        result[key] = canonical_steps(theta.kernel(part[key], axes, f"worlds.{key}"))
    return result


def _policies(value: Any, spaces: Spaces, fixed: Reader) -> Section:
    """Return Pi: the listed policies, or generated ones."""
    part = section(value, "policies", (), ("window", "list", "generate"))
    if "generate" in part and not fixed.sugar:
        raise InputError(
            "policies", 'the key "generate" in JSON', "the policies as a list", "generate is for TOML and Python"
        )
    if ("list" in part) == ("generate" in part):
        raise InputError(
            "policies", "both list and generate" if "list" in part else "neither list nor generate", "one of them"
        )
    length, tables = _generated(part, spaces) if "generate" in part else _listed(part)
    result = {}
    for name, table in tables.items():
        steps = fixed.windowed(table, length, (spaces.OA, spaces.A), axis(spaces.A), at("policies.list", name))
        result[name] = canonical_steps(steps, length)
    return {"window": length, "list": result}


def _listed(part: Section) -> tuple[Window, Section]:
    section(part, "policies", ("window", "list"))
    tables = part["list"]
    if not isinstance(tables, dict) or not tables:
        raise InputError("policies.list", describe(tables), "a table that names at least one policy")
    for name in tables:
        label(name, "policies.list")
    return window(part["window"], "policies.window"), tables


def _generated(part: Section, spaces: Spaces) -> tuple[Window, Section]:
    where = "policies.generate"
    rule = section(part["generate"], where, ("kind",), ("window",))
    length = window(rule.get("window", part.get("window", 1)), f"{where}.window")
    if part.get("window", length) != length:
        raise InputError("policies.window", describe(part["window"]), f"the window of generate, {length}")
    check_windows(length, spaces.H, len(spaces.OA), len(spaces.A), where)
    steps = range(spaces.H) if length != 1 else range(1)
    rows = [window_rows(length, h, spaces.OA, spaces.A) for h in steps]
    policies = generated(string(rule["kind"], f"{where}.kind"), rows, spaces.A, where)
    return length, {name: tables[0] if length == 1 else {"steps": tables} for name, tables in policies.items()}


def _truth(value: Any, names: Mapping[str, tuple[str, ...]], ring: ExpressionRing) -> Section:
    """Return xi*: a value of every parameter, inside the class or not (Assumption 3.1(a) is a claim, not a form)."""
    part = section(value, "truth", [side for side in SIDES if names[side]], SIDES)
    points = {side: read_point(part.get(side, {}), f"truth.{side}", names[side], ring) for side in SIDES}
    return {side: {name: str(x) for name, x in point.items()} for side, point in points.items()}
