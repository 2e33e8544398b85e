"""Has the model classes that come with the program: an index, documents as a user writes them, and modules that
compute."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.modelclass.document import load as load_document
from pomgcheck.modelclass.model import ModelClass

__all__ = ["KINDS", "GalleryEntry", "document", "entry", "knows", "load", "names", "playable", "text"]

KINDS = ("certified", "continua", "partly", "counterexamples", "given-operators")
SIZED = ("bandit", "labelled")  # NAME-n is the class of size n
FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class GalleryEntry:
    """This is what the index says about a class: which claims it is there to fail, and what that teaches (empty if
    nothing)."""

    name: str
    kind: str
    summary: str
    fails: tuple[str, ...] = ()
    teaches: str = ""


@cache
def _entries() -> dict[str, GalleryEntry]:
    index = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))
    return {
        name: GalleryEntry(name, kind, said["summary"], tuple(said.get("fails", ())), said.get("teaches", ""))
        for kind in KINDS
        for name, said in index[kind].items()
    }


def names(*kinds: str) -> list[str]:
    """Return all names `load` knows, or those of some of ``KINDS``: classes meant to be certified, those with interval
    axes, counterexamples, then classes given by operators."""
    return [name for name, entry in _entries().items() if not kinds or entry.kind in kinds]


def entry(name: str) -> GalleryEntry:
    """Return what the index says about the class called ``name``; raise ``InputError`` if there is none."""
    if name not in _entries():
        raise InputError("gallery", repr(name), f"one of {', '.join(_entries())}")
    return _entries()[name]


def knows(name: str) -> bool:
    """Return whether ``load`` has something of that name: it is one of ``names``, or that of a class with a size."""
    return name in _entries() or _sized(name) is not None


def _sized(name: str) -> tuple[str, int] | None:
    """Return the class and the size in a name like ``bandit-32``."""
    family, _, size = name.rpartition("-")
    return (family, int(size)) if family in SIZED and size.isdecimal() and size.isascii() else None


def playable() -> list[str]:
    """Return the classes given by kernels, in which an episode can be played."""
    return names(*(kind for kind in KINDS if kind != "given-operators"))


def _file(name: str) -> Path | None:
    """Return the document of a class that is written out and not computed here."""
    paths = (FOLDER / "documents" / f"{name}.{suffix}" for suffix in ("toml", "json"))
    return next((path for path in paths if path.is_file()), None)


def _module(name: str) -> ModuleType:
    """Return the module that computes a class."""
    return import_module(f"{__name__}.{name.replace('-', '_')}")


def document(name: str) -> dict[str, Any]:
    """Return the class called ``name`` in authoring form, each time anew."""
    entry(name)
    if (path := _file(name)) is not None:
        written = path.read_text(encoding="utf-8")
        return tomllib.loads(written) if path.suffix == ".toml" else dict(json.loads(written))
    from pomgcheck.gallery.gates import CLASSES

    found: dict[str, Any] = CLASSES[name]() if name in CLASSES else _module(name).document()
    return found


def text(name: str) -> str:
    """Return the class called ``name`` as a TOML document to read and edit: with its comments where it is written by
    hand."""
    if knows(name) and _sized(name) is None and (path := _file(name)) is not None and path.suffix == ".toml":
        return path.read_text(encoding="utf-8")
    return load(name).to_toml()


def load(name: str, knobs: Mapping[str, Any] | None = None) -> ModelClass:
    """Return the model class called ``name``, with its knobs at these values; raise ``InputError`` if there is none.

    The name of a class that comes in sizes may end in one: ``bandit-32``.
    """
    sized = _sized(name)
    if sized is None:
        return load_document(document(name), knobs)
    family, size = sized
    home = _module(family)
    if not home.LEAST <= size <= home.MOST:
        raise InputError("gallery", repr(name), f"a size from {home.LEAST} to {home.MOST}, as in {family}-{home.LEAST}")
    return load_document(home.document(size), knobs)
