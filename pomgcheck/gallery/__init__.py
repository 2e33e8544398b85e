"""Model classes that come with the program, each a module with ``document()`` and a ``SUMMARY``.

The counterexamples fail one assumption each; see `counterexamples`.  Some classes are given by operators instead of
kernels; see `given_operators`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.gallery import counterexamples, given_operators
from pomgcheck.modelclass.document import load as load_document
from pomgcheck.modelclass.model import ModelClass

__all__ = ["CERTIFIED", "load", "module", "names", "playable"]

CERTIFIED = ("bilinear", "digits", "kuhn", "linear", "low-rank", "patrol", "routes", "tiger")
CONTINUA = ("bandit", "brewing", "drifts", "odds", "opportunist", "patrol-interval", "watch")  # with interval axes
PARTLY = ("tiger-interval",)  # with interval axes, on which some of its assumptions are left open
SIZED = ("bandit",)  # NAME-n is the class of size n


def names() -> list[str]:
    """All names `load` knows: classes meant to be certified, those with interval axes, counterexamples, then classes
    given by operators."""
    return [*CERTIFIED, *CONTINUA, *PARTLY, *counterexamples.NAMES, *given_operators.NAMES]


def knows(name: str) -> bool:
    """Whether ``load`` has something to say of the name: it is one of ``names``, or a class's with a size."""
    return name in names() or _sized(name) is not None


def _sized(name: str) -> tuple[str, int] | None:
    """The class and the size in a name like ``bandit-32``."""
    family, _, size = name.rpartition("-")
    return (family, int(size)) if family in SIZED and size.isdecimal() and size.isascii() else None


def playable() -> list[str]:
    """The classes given by kernels, in which an episode can be played."""
    return [name for name in names() if name not in given_operators.NAMES]


def module(name: str) -> ModuleType:
    """The module of a class: ``document()``, ``SUMMARY``; of those not certified also ``FAILS``, ``TEACHES``."""
    if name not in names():
        raise InputError("gallery", repr(name), f"one of {', '.join(names())}")
    homes = dict.fromkeys(counterexamples.NAMES, counterexamples) | dict.fromkeys(
        given_operators.NAMES, given_operators
    )
    package = homes[name].__name__ if name in homes else __name__
    return import_module(f"{package}.{name.replace('-', '_')}")


def load(name: str, knobs: Mapping[str, Any] | None = None) -> ModelClass:
    """The class called ``name``, its knobs at these values; ``InputError`` if there is none.

    The name of a class that comes in sizes may end in one: ``bandit-32``.
    """
    sized = _sized(name)
    if sized is None:
        return load_document(module(name).document(), knobs)
    family, size = sized
    home = module(family)
    if not home.LEAST <= size <= home.MOST:
        raise InputError("gallery", repr(name), f"a size from {home.LEAST} to {home.MOST}, as in {family}-{home.LEAST}")
    return load_document(home.document(size), knobs)
