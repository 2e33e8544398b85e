"""Loads what a user may call a model: a ``.toml`` or ``.json`` document, a name of the gallery, or
``file.py:function``."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pomgcheck import gallery
from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.modelclass import document
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.sources import executed, named, raised

Source = str | Path | Mapping[str, Any] | ModelClass


def load(source: Source, knobs: Mapping[str, Any] | None = None) -> ModelClass:
    """Return the model class that ``source`` names.

    ``source`` is a ``.toml`` or ``.json`` document, a name of the gallery, ``file.py:function``, a document as a
    mapping, or a ModelClass, which is returned as it is. ``knobs`` are exact values for knobs of the document, in
    place of its own.

    Raises ``InputError`` where it names nothing or its document is not a model class.
    """
    if isinstance(source, ModelClass):
        return document.varied(source, knobs) if knobs else source
    if isinstance(source, Mapping):
        return document.load(source, knobs)
    if not isinstance(source, str | Path):
        raise unknown(source)
    if (function := named(str(source))) is not None:
        return built(function.path, function.name, knobs)
    path = Path(source)
    if path.suffix.lower() in (".toml", ".json") or path.is_file():
        return document.load(path, knobs)
    if gallery.knows(str(source)):
        return gallery.load(str(source), knobs)
    raise unknown(str(source))


def unknown(source: object) -> InputError:
    """Return the error for a name that nothing has."""
    close = get_close_matches(str(source), gallery.names(), 1)
    fix = f'did you mean "{close[0]}"?' if close else "`pomgcheck gallery` lists the names"
    if str(source).endswith(".py"):
        fix = f"name the function that returns the model, {source}:FUNCTION"
    return InputError("model", repr(source), "a .toml or .json document, a gallery name, or file.py:function", fix)


def built(path: Path, name: str, knobs: Mapping[str, Any] | None = None) -> ModelClass:
    """Return the model that the function ``name`` of a Python file returns: a ModelClass, or a document to load."""
    if not path.is_file():
        raise InputError("model", f"no file {path}", "a Python file that defines the model")
    source = f"{path}:{name}"
    try:
        function = executed(path).get(name)
        value = function() if callable(function) else None
        if isinstance(value, ModelClass | Mapping):
            return load(value, knobs)
    except PomgcheckError as error:
        raise error.inside(source) from None
    except (Exception, SystemExit) as error:  # the file is the user's, and may raise anything
        raise InputError("", raised(error, path), "a function that returns").inside(source) from error
    found = f"a {type(value).__name__} returned" if callable(function) else f"no function {name or 'after the colon'}"
    raise InputError("", found, "a function that returns a ModelClass or a document").inside(source)
