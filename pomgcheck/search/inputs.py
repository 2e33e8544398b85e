"""Which parts of a class each claim reads, so that an edit of one part leaves settled what does not read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pomgcheck.kernel.claims import CLAIMS

SPACES = ("states", "learner_actions", "adversary_actions", "learner_observations", "adversary_observations")
FRAME = ("game.horizon", *(f"game.{name}" for name in SPACES))
KERNELS = ("worlds.transition", "worlds.learner_emission", "worlds.adversary_emission")
POINTS = tuple(f"{side}.{part}" for side in ("worlds", "responses") for part in ("parameters", "points", "constraints"))
PLAY = (*FRAME, "worlds", "responses", "policies")
WHOLE = (*PLAY, "game.reward", "truth")

# Claim -> the parts of a canonical document that its statement and its check read, of a finite class given by kernels.
READS: dict[str, tuple[str, ...]] = {
    "factorization": (*FRAME, *KERNELS, "responses.window", "policies.window"),
    "oom-identity": (*FRAME, "worlds", "responses", "policies.window"),
    "nonexpansive": (*FRAME, "worlds", "responses", "policies.window"),
    "posterior-lipschitz": PLAY,
    "weak-revealing": PLAY,
    "well-specified": (*POINTS, "truth"),
    "covering": (*FRAME, "worlds", "responses"),
    "bounded-increments": PLAY,
    "predictive-states": PLAY,
    "kl-joint": PLAY,
    "kl-world": PLAY,
    "warmup-stationary": (*FRAME, "responses"),
    "eluder-world": PLAY,
    "eluder-adversary": PLAY,
    "regret": WHOLE,
    "constants": WHOLE,
}
WORDS = ("name", "description", "source")  # what no claim reads
NOTHING = object()


def unchanged(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """Return the claims that read nothing in which two canonical documents differ, by comparing the parts themselves.

    Of a class with interval axes, or given by operators, every claim counts as reading everything but words.
    """
    if substance(before) == substance(after):
        return frozenset(READS)
    if not (enumerated(before) and enumerated(after)):
        return frozenset()
    return frozenset(
        claim.id for claim in CLAIMS if all(part(before, path) == part(after, path) for path in READS[claim.id])
    )


def substance(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document without its words."""
    return {key: value for key, value in document.items() if key not in WORDS}


def part(document: Any, path: str) -> Any:
    """Return what stands in a document under a path such as ``game.reward``."""
    for key in path.split("."):
        document = document.get(key, NOTHING) if isinstance(document, Mapping) else NOTHING
    return document


def enumerated(document: Mapping[str, Any]) -> bool:
    """Return whether a class is finite and given by kernels."""
    axes = (axis for side in ("worlds", "responses") for axis in document[side].get("parameters", {}).values())
    return "operators" not in document and not any("interval" in axis for axis in axes)
