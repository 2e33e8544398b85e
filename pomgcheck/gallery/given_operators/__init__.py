"""Classes given by operators W, G and J instead of kernels: one for which Theorem 2.5 holds, one per way it can fail."""

from __future__ import annotations

from collections.abc import Mapping
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
