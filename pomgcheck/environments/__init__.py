"""Gives environments, so that ordinary reinforcement learning code can play the worlds of a class.

Importing this registers the gallery with Gymnasium: ``pomgcheck/Patrol-v0`` is the class `patrol` at its truth, and
``pomgcheck/Model-v0`` whatever is given as ``model``; so does ``gymnasium.make("pomgcheck.environments:ID")``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pomgcheck import gallery
from pomgcheck.errors import MissingDependency

EXTRA = "pip install 'pomgcheck[env]'"

try:
    import gymnasium
except ImportError:
    raise MissingDependency("gymnasium", "no such package", "Gymnasium for environments", EXTRA) from None

if TYPE_CHECKING:
    from pomgcheck.environments.both_sides import BothSides, parallel_env
    from pomgcheck.environments.learner_side import LearnerSide

__all__ = ["BothSides", "LearnerSide", "identifier", "parallel_env"]

GENERIC = "pomgcheck/Model-v0"


def identifier(name: str) -> str:
    """Return Gymnasium's id of a class of the gallery: ``pomgcheck/LowRank-v0`` of `low-rank`."""
    return f"pomgcheck/{''.join(word.capitalize() for word in name.split('-'))}-v0"


def __getattr__(name: str) -> Any:
    """Import the environments themselves when they are first used."""
    if name == "LearnerSide":
        from pomgcheck.environments.learner_side import LearnerSide

        return LearnerSide
    if name in ("BothSides", "parallel_env"):
        try:
            import pettingzoo  # noqa: F401
        except ImportError:
            raise MissingDependency(
                "pettingzoo", "no such package", "PettingZoo for an environment of both sides", EXTRA
            ) from None
        from pomgcheck.environments import both_sides

        return getattr(both_sides, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _register() -> None:
    """Register the generic environment, and one for each class of the gallery that is given by kernels."""
    entry_point = "pomgcheck.environments.learner_side:LearnerSide"
    gymnasium.register(GENERIC, entry_point)
    for name in gallery.playable():
        gymnasium.register(identifier(name), entry_point, kwargs={"model": name})


_register()
