"""Reads the outline of a model class: its document typed, without tables, as far as it is told beside a claim
(docs/model.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pomgcheck.evidence import Xi


class AxisOutline(NamedTuple):
    """This is a parameter: its listed values, or the two ends of its ``interval``, in exact text."""

    interval: bool
    numbers: Sequence[str]

    @classmethod
    def of(cls, axis: Mapping[str, Sequence[str]]) -> AxisOutline:
        """Return the axis that a document holds."""
        return cls("interval" in axis, axis["interval"] if "interval" in axis else axis["values"])


class SideOutline(NamedTuple):
    """These are the parameters of the worlds or of the responses: ``axes`` by name with the ``constraints`` that tie them, or the
    listed ``points`` in place of axes."""

    axes: Mapping[str, AxisOutline]
    constraints: Sequence[str]
    points: Sequence[Mapping[str, str]] | None

    @classmethod
    def of(cls, part: Mapping[str, Any]) -> SideOutline:
        """Return the parameters that a side of a document holds."""
        axes = {name: AxisOutline.of(axis) for name, axis in sorted(part.get("parameters", {}).items())}
        return cls(axes, part.get("constraints", ()), part.get("points"))

    @property
    def names(self) -> list[str]:
        """Return the parameters, in order."""
        return [*self.axes] if self.points is None else sorted(self.points[0]) if self.points else []


class Outline(NamedTuple):
    """This is a class: its horizon, its labels, the parameters of both sides, how the adversary reacts, and its policies.

    A class given by operators has no labels of states and of the adversary. ``memory`` is ``None`` for a fading rule,
    of which ``gamma`` is the rate. A window is a number of observations, or "full". ``features`` is the number of
    features of a linear response, if it is one.
    """

    name: str
    description: str | None
    source: str | None
    by_operators: bool
    horizon: int
    states: Sequence[str]
    learner_actions: Sequence[str]
    adversary_actions: Sequence[str]
    learner_observations: Sequence[str]
    adversary_observations: Sequence[str]
    worlds: SideOutline
    responses: SideOutline
    block_rule: str
    memory: int | None
    gamma: str | None
    response_window: Any
    features: int | None
    policies: Sequence[str]
    policy_window: Any
    truth: Xi | None

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Outline:
        """Return the outline of a canonical document."""
        game, responses, policies = document["game"], document["responses"], document["policies"]
        spaces = ("states", "learner_actions", "adversary_actions", "learner_observations", "adversary_observations")
        return cls(
            name=document["name"],
            description=document.get("description"),
            source=document.get("source"),
            by_operators="operators" in document,
            horizon=game["horizon"],
            **{space: game.get(space, ()) for space in spaces},
            worlds=SideOutline.of(document["worlds"]),
            responses=SideOutline.of(responses),
            block_rule=responses["block_rule"],
            memory=responses.get("memory"),
            gamma=responses.get("gamma"),
            response_window=responses.get("window"),
            features=len(responses["linear"]["matrix"][0]) if "linear" in responses else None,
            policies=sorted(policies["list"]),
            policy_window=policies["window"],
            truth=Xi.stated(document["truth"]) if "truth" in document else None,
        )

    @property
    def on_intervals(self) -> bool:
        """Return whether a parameter of the class ranges over an interval."""
        return any(axis.interval for side in (self.worlds, self.responses) for axis in side.axes.values())
