"""Model classes that come with the program, each a module with ``document()`` and a ``SUMMARY``.

The counterexamples fail one assumption each; see `counterexamples`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.modelclass.document import load as load_document
from pomgcheck.modelclass.gallery import counterexamples
from pomgcheck.modelclass.model import ModelClass

__all__ = ["CERTIFIED", "load", "module", "names"]

CERTIFIED = ("bilinear", "digits", "linear", "low-rank", "patrol", "routes", "tiger")


def names() -> list[str]:
    """All names `load` knows: the classes meant to be certified, then the counterexamples."""
    return [*CERTIFIED, *counterexamples.NAMES]


def module(name: str) -> ModuleType:
    """The module of a class: ``document()``, ``SUMMARY``; of a counterexample also ``FAILS``, ``ALSO``, ``TEACHES``."""
    if name not in names():
        raise InputError("gallery", repr(name), f"one of {', '.join(names())}")
    package = __name__ if name in CERTIFIED else counterexamples.__name__
    return import_module(f"{package}.{name.replace('-', '_')}")


def load(name: str, knobs: Mapping[str, Any] | None = None) -> ModelClass:
    """The class called ``name``, its knobs at these values; :class:`InputError` if there is none."""
    return load_document(module(name).document(), knobs)
