"""Makes the exact game that is played: a model class at the point xi* of it that is true."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import Malformed, digest, read_json
from pomgcheck.loading import load
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.modelclass.parameters import parameter_names, read_point
from pomgcheck.modelclass.values import plain
from pomgcheck.stored import Stored, kind_of

Model = str | Path | Mapping[str, Any] | ModelClass | Stored
Truth = Mapping[str, Mapping[str, Any]]

SIDES = ("worlds", "responses")
AXES = ("parameters", "constraints", "points")


def setting(model: Model, truth: Truth | None = None, knobs: Mapping[str, Any] | None = None) -> Game:
    """Return the game of xi* alone: one world, one response point, all of Pi.

    ``model`` is a model class, whatever ``load`` reads, or a certificate (its file, its document or the object), of
    which only the model is read: nothing is proved by playing. ``truth`` is ``{"worlds": {...}, "responses": {...}}``
    in exact numbers, in place of the document's; it need not lie in the class, but its rows must be probabilities.

    Raises ``InputError`` where there is no truth or it has other parameters than the class, for a class given by
    operators, and for a document or certificate that is not sound.
    """
    document = document_of(model, knobs)
    if "operators" in document:
        fix = "an episode is played by kernels; play a class that has them"
        raise InputError("model", "a class given by operators", "a class given by kernels", fix)
    if truth is None and "truth" not in document:
        fix = 'truth = {"worlds": {...}, "responses": {...}} picks a point'
        raise InputError("truth", "none", "xi* in the document, or a truth argument", fix)
    points = document["truth"] if truth is None else point_of(document, truth)
    one = {key: value for key, value in document.items() if key != "truth"}
    for side in SIDES:
        rest = {key: value for key, value in document[side].items() if key not in AXES}
        one[side] = rest | {"points": [points[side]]}
    try:
        return Game(one)
    except Malformed as error:
        raise InputError(error.where, error.found, error.required, "choose another truth") from None


def document_of(model: Model, knobs: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the canonical document of a model class or of a certificate."""
    if isinstance(model, Stored):
        model = model.document
    if isinstance(model, str | Path) and Path(model).suffix == ".json" and Path(model).is_file():
        try:
            value = read_json(Path(model).read_bytes())
        except Malformed as error:
            raise InputError(error.where, error.found, error.required).inside(str(model)) from None
        if is_certificate(value):
            return certified_model(value, str(model), knobs)
    return certified_model(model, "certificate", knobs) if is_certificate(model) else load(model, knobs).document


def is_certificate(value: object) -> bool:
    """Return whether a JSON value says that it is a certificate."""
    return isinstance(value, Mapping) and kind_of(str(value.get("format"))) == "certificate"


def certified_model(certificate: Any, source: str, knobs: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the model in a certificate, by its digest; its knobs have been set already."""
    document = certificate.get("model")
    if not isinstance(document, dict) or digest(document) != certificate.get("model_sha256"):
        found, required = "another model than its digest says", "the certificate as it was written"
        raise InputError("model", found, required).inside(source)
    if knobs:
        required, fix = "none for a certificate, whose knobs have values", "give the model instead"
        raise InputError("knobs", ", ".join(knobs), required, fix).inside(source)
    return load(document).document


def point_of(document: Mapping[str, Any], truth: Truth) -> dict[str, dict[str, str]]:
    """Return xi* in exact text, with exactly the parameters of the class."""
    if not isinstance(truth, Mapping) or not set(truth) <= set(SIDES):
        found = f"the keys {', '.join(map(str, truth))}" if isinstance(truth, Mapping) else repr(truth)
        raise InputError("truth", found, "the keys worlds and responses")
    points = {
        side: read_point(plain(truth.get(side, {})), f"truth.{side}", parameter_names(document[side], side))
        for side in SIDES
    }
    return {side: {name: str(value) for name, value in point.items()} for side, point in points.items()}
