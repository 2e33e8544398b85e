"""Model classes that come with the program, each a module with ``document()`` and a ``SUMMARY``.

The counterexamples fail one assumption each; see `counterexamples`.  Some classes are given by operators instead of
kernels; see `own_operators`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.modelclass.document import load as load_document
from pomgcheck.modelclass.gallery import counterexamples, own_operators
from pomgcheck.modelclass.model import ModelClass

__all__ = ["CERTIFIED", "load", "module", "names"]

CERTIFIED = ("bilinear", "digits", "linear", "low-rank", "patrol", "routes", "tiger")
CONTINUA = ("bandit", "brewing", "drifts", "odds", "watch")  # with interval axes
SIZED = ("bandit",)  # NAME-n is the class of size n


def names() -> list[str]:
    """All names `load` knows: classes meant to be certified, those with interval axes, counterexamples, then classes
    given by operators."""
    return [*CERTIFIED, *CONTINUA, *counterexamples.NAMES, *own_operators.NAMES]


def module(name: str) -> ModuleType:
    """The module of a class: ``document()``, ``SUMMARY``; of those not certified also ``FAILS``, ``TEACHES``."""
    if name not in names():
        raise InputError("gallery", repr(name), f"one of {', '.join(names())}")
    homes = dict.fromkeys(counterexamples.NAMES, counterexamples) | dict.fromkeys(own_operators.NAMES, own_operators)
    package = homes[name].__name__ if name in homes else __name__
    return import_module(f"{package}.{name.replace('-', '_')}")


def load(name: str, knobs: Mapping[str, Any] | None = None) -> ModelClass:
    """The class called ``name``, its knobs at these values; :class:`InputError` if there is none.

    The name of a class that comes in sizes may end in one: ``bandit-32``.
    """
    family, _, size = name.rpartition("-")
    if family not in SIZED or not (size.isdecimal() and size.isascii()):
        return load_document(module(name).document(), knobs)
    home = module(family)
    if not home.LEAST <= int(size) <= home.MOST:
        raise InputError("gallery", repr(name), f"a size from {home.LEAST} to {home.MOST}, as in {family}-{home.LEAST}")
    return load_document(home.document(int(size)), knobs)
