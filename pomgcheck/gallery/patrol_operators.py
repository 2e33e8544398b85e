"""The gallery's patrol as its author would write it down without hidden kernels: the smallest operators of its law."""

from __future__ import annotations

from typing import Any

STATES, ACTIONS = ("calm", "alarm"), ("wait", "attack")
SEEN = {"quiet": {"calm": "17/20", "alarm": "3/20"}, "noise": {"calm": "3/20", "alarm": "17/20"}}
ALARMS = {  # chance of an alarm next, by state, learner's and intruder's action; the world adds x
    ("calm", "idle"): {"wait": "1/10", "attack": "7/20"},
    ("calm", "patrol"): {"wait": "1/20", "attack": "3/10"},
    ("alarm", "idle"): {"wait": "1/2", "attack": "3/4"},
    ("alarm", "patrol"): {"wait": "9/20", "attack": "7/10"},
}
VIGILANCE = {"idle": "0", "on-alarm": "1/2", "on-calm": "1/2", "patrol": "1"}


def _move(s: str, a: str, b: str, t: str) -> str:
    alarm = f"({ALARMS[s, a][b]}+x)"
    return alarm if t == "alarm" else f"(1-{alarm})"


def _answer(policy: str) -> dict[str, str]:
    return {b: f"(1/2{sign}y*{VIGILANCE[policy]})" for b, sign in (("wait", "+"), ("attack", "-"))}


def _table(entries: Any) -> dict[str, dict[str, str]]:
    """Return a table of matrices: ``entries(o, a)`` gives (row, column, entry)."""
    return {
        f"{o} {a}": {f"{row} {column}": text for row, column, text in entries(o, a)}
        for o in SEEN
        for a in ("idle", "patrol")
    }


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    W = _table(
        lambda o, a: [
            (f"{t}-{b}", s, f"{SEEN[o][s]}*{_move(s, a, b, t)}") for s in STATES for b in ACTIONS for t in STATES
        ]
    )
    last_W = _table(lambda o, a: [(b, s, SEEN[o][s]) for s in STATES for b in ACTIONS])
    G, J = {}, {}
    for policy in VIGILANCE:
        g = _answer(policy)
        aggregate = {"* *": {f"{t} {t}-{b}": g[b] for b in ACTIONS for t in STATES}}
        G[policy] = {"steps": [aggregate, aggregate, {"* *": {f"over {b}": g[b] for b in ACTIONS}}]}
        step = _table(
            lambda o, a, g=g: [
                (t, s, f"{SEEN[o][s]}*(" + "+".join(f"{g[b]}*{_move(s, a, b, t)}" for b in ACTIONS) + ")")
                for s in STATES
                for t in STATES
            ]
        )
        J[policy] = {"steps": [step, step, _table(lambda o, a: [("over", s, SEEN[o][s]) for s in STATES])]}
    play = {"idle": ("1", "1"), "on-alarm": ("1", "0"), "on-calm": ("0", "1"), "patrol": ("0", "0")}
    return {
        "format": "pomgcheck-model-class/1",
        "name": "patrol-operators",
        "description": "The class patrol, given by operators on (calm, alarm) instead of kernels.",
        "game": {
            "horizon": 3,
            "learner_actions": ["idle", "patrol"],
            "learner_observations": ["quiet", "noise"],
            "reward": ["1", "0"],
        },
        "worlds": {"parameters": {"x": {"values": ["1/20", "1/10", "3/20"]}}},
        "responses": {"parameters": {"y": {"values": ["1/10", "1/5"]}}, "memory": 2, "block_rule": "mean"},
        "policies": {
            "window": 1,
            "list": {name: [[idle, str(1 - int(idle))] for idle in rows] for name, rows in play.items()},
        },
        "operators": {
            "coordinates": {"steps": [list(STATES)] * 3 + [["over"]]},
            "channel": {"steps": [[f"{t}-{b}" for b in ACTIONS for t in STATES]] * 2 + [list(ACTIONS)]},
            "initial": ["1/2", "1/2"],
            "W": {"steps": [W, W, last_W]},
            "G": G,
            "J": J,
        },
        "truth": {"worlds": {"x": "1/10"}, "responses": {"y": "1/5"}},
    }
