"""A gate that an intruder may push open, given by operators W, G and J instead of kernels: one class per way in which
Theorem 2.5 can fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

STATES, ACTIONS = ("shut", "open"), ("stay", "push")
SEEN = {"quiet": {"shut": "3/4", "open": "1/4"}, "draught": {"shut": "1/4", "open": "3/4"}}
PUSHED = "1/2+x"  # chance that a push leaves the gate open; x is the world's
OPENS = {"stay": {"shut": "1/4", "open": "1/2"}, "push": {"shut": PUSHED, "open": PUSHED}}  # by action and gate before
PUSHES = {"rest": "1/2+y", "guard": "1/4"}  # chance that the intruder pushes, by the learner's policy; y is its own

Matrix = dict[str, str]  # "row column" -> entry; zeros are left out
Opens = Mapping[str, Mapping[str, str]]


def channel(opens: Opens, scale: str = "1") -> dict[str, Matrix]:
    """Return W(o,a) by "o a": what o says of the gate, then the chance of each (gate, intruder's action), times
    ``scale``."""
    moves = {
        f"{t}-{b} {s}": f"({p})" if t == "open" else f"(1-({p}))"
        for b, law in opens.items()
        for s, p in law.items()
        for t in STATES
    }
    return {
        f"{o} *": {place: f"{scale}*{seen[place.split()[1]]}*{move}" for place, move in moves.items()}
        for o, seen in SEEN.items()
    }


def aggregation(pushes: str, weights: Mapping[str, str] | None = None, scale: str = "1") -> dict[str, Matrix]:
    """Return G(o,a), the same for all: each intruder's action weighted by its chance."""
    g, weights = {"push": f"({pushes})", "stay": f"(1-({pushes}))"}, weights or {}
    return {"* *": {f"{t} {t}-{b}": f"{scale}*{g[b]}*{weights.get(f'{t}-{b}', '1')}" for b in ACTIONS for t in STATES}}


def forward(pushes: str, opens: Opens, scale: str = "1") -> dict[str, Matrix]:
    """Return J(o,a) by "o a", from the protocol, times ``scale``."""
    moves: Matrix = {}
    for s in STATES:
        p = f"(({pushes})*({opens['push'][s]})+(1-({pushes}))*({opens['stay'][s]}))"
        moves |= {f"open {s}": p, f"shut {s}": f"(1-{p})"}
    return {
        f"{o} *": {place: f"{scale}*{seen[place.split()[1]]}*{move}" for place, move in moves.items()}
        for o, seen in SEEN.items()
    }


def gate(name: str, description: str, operators: Mapping[str, Any]) -> dict[str, Any]:
    """Return a gate that an intruder may push open, watched twice; the parts of ``operators`` stand for the right
    ones."""
    given = {
        "coordinates": list(STATES),
        "channel": [f"{t}-{b}" for b in ACTIONS for t in STATES],
        "initial": {"shut": "1"},
        "W": channel(OPENS),
        "G": {policy: aggregation(p) for policy, p in PUSHES.items()},
        "J": {policy: forward(p, OPENS) for policy, p in PUSHES.items()},
    }
    return {
        "format": "pomgcheck-model-class/1",
        "name": name,
        "description": description,
        "game": {
            "horizon": 2,
            "learner_actions": ["rest", "guard"],
            "learner_observations": list(SEEN),
            "reward": ["1", "0"],
        },
        "worlds": {"parameters": {"x": {"values": ["1/8", "1/4"]}}},
        "responses": {"parameters": {"y": {"values": ["0", "1/4"]}}, "memory": 1, "block_rule": "latest"},
        "policies": {"generate": {"kind": "routing"}},
        "operators": {**given, **operators},
        "truth": {"worlds": {"x": "1/8"}, "responses": {"y": "1/4"}},
    }


def unfactored() -> dict[str, Any]:
    """Return the gate with forward operators that were fitted in one world and kept for all of them."""
    fitted = OPENS | {"push": {"shut": "5/8", "open": "5/8"}}
    operators = {"J": {policy: forward(p, fitted) for policy, p in PUSHES.items()}}
    return gate(
        "unfactored", "A gate that an intruder may push open. The forward operators were fitted at x = 1/8.", operators
    )


def doubled_channel() -> dict[str, Any]:
    """Return the gate with its world channel in halves of the usual unit, and an aggregation that doubles it back."""
    operators = {
        "W": channel(OPENS, scale="1/2"),
        "G": {policy: aggregation(p, scale="2") for policy, p in PUSHES.items()},
    }
    return gate(
        "doubled-channel",
        "A gate that an intruder may push open, its world channel halved and its aggregation doubled.",
        operators,
    )


def forgotten_observation() -> dict[str, Any]:
    """Return the gate with every operator a tenth too small: what the learner sees one time in ten was left out."""
    operators = {
        "W": channel(OPENS, scale="9/10"),
        "J": {policy: forward(p, OPENS, scale="9/10") for policy, p in PUSHES.items()},
    }
    return gate(
        "forgotten-observation",
        "A gate that an intruder may push open. One time in ten nothing is noted, and "
        "the operators count only what is.",
        operators,
    )


def world_in_the_answer() -> dict[str, Any]:
    """Return the gate with the world's parameter kept in the aggregation, where the adversary's answer belongs."""
    widest = OPENS | {"push": {"shut": "3/4", "open": "3/4"}}  # the channel of x = 1/4
    kept = "(1/2+x)/(3/4)"  # of the pushes that open the gate there, those that do here
    corrected = {policy: aggregation(p, {"open-push": f"({kept})"}) for policy, p in PUSHES.items()}
    for policy, p in PUSHES.items():
        corrected[policy]["* *"]["shut open-push"] = f"({p})*(1-{kept})"
    return gate(
        "world-in-the-answer",
        "A gate that an intruder may push open. The channel is that of the world most "
        "easily opened, and the aggregation corrects it by the world's own x.",
        {"W": channel(widest), "G": corrected},
    )


# what the coordinate o holds of a state, and what a state holds of it: the emission matrix and its inverse
BACK = {"shut": {"quiet": "3/2", "draught": "-1/2"}, "open": {"quiet": "-1/2", "draught": "3/2"}}


def _features(matrix: Matrix, tails: Sequence[str]) -> Matrix:
    """Return a matrix with rows ``state + tail`` and a column per state, in the coordinates of the next observation."""
    return {
        f"{o}{tail} {c}": "+".join(
            f"({SEEN[o][t]})*({matrix[f'{t}{tail} {s}']})*({BACK[s][c]})" for t in STATES for s in STATES
        )
        for tail in tails
        for o in SEEN
        for c in SEEN
    }


def signed_features() -> dict[str, Any]:
    """Return the gate in the coordinates of a predictive-state representation: the chance of each next observation."""
    actions = [f"-{b}" for b in ACTIONS]
    operators = {
        "coordinates": list(SEEN),
        "channel": [f"{o}-{b}" for b in ACTIONS for o in SEEN],
        "initial": {"quiet": "3/4", "draught": "1/4"},
        "W": {pair: _features(matrix, actions) for pair, matrix in channel(OPENS).items()},
        "G": {
            policy: {"* *": {f"{o} {o}-{b}": p if b == "push" else f"1-({p})" for b in ACTIONS for o in SEEN}}
            for policy, p in PUSHES.items()
        },
        "J": {
            policy: {pair: _features(matrix, [""]) for pair, matrix in forward(p, OPENS).items()}
            for policy, p in PUSHES.items()
        },
    }
    return gate(
        "signed-features",
        "A gate that an intruder may push open. The state is the pair of probabilities that "
        "the next look is quiet or finds a draught.",
        operators,
    )


CLASSES: dict[str, Callable[[], dict[str, Any]]] = {
    "doubled-channel": doubled_channel,
    "forgotten-observation": forgotten_observation,
    "signed-features": signed_features,
    "unfactored": unfactored,
    "world-in-the-answer": world_in_the_answer,
}
