"""Four routes, one reward each: the family behind the lower bound of Theorem 4.1, at the corners of its cube.

Step 1 only routes the learner, step 2 shows the route taken and a Bernoulli reward of unknown mean; the adversary has
one action.  A reward's mean is 1/2 or 1/2 + gap, so that the d policies and their d single-route witnesses make an
independent sequence: d_W = d exactly, and d_G = 0 (Section 4).
"""

from __future__ import annotations

from typing import Any

ROUTES = ("north", "east", "south", "west")


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    d = len(ROUTES)
    seen = [f"{route}-{pay}" for route in ROUTES for pay in ("nothing", "prize")]

    def shown(s: int) -> list[str]:
        """Return the emission of step 2: the route itself, and a prize with its unknown chance."""
        mean = f"(1/2+{ROUTES[s]}*gap)"
        return ["0", *(text for k in range(d) for text in ((f"1-{mean}", mean) if k == s else ("0", "0")))]

    start = [["1", *["0"] * (2 * d)]] * d
    return {
        "format": "pomgcheck-model-class/1",
        "name": "routes",
        "description": "The learner picks one of four routes, sees which it took and whether a prize lay there. Each "
        "route has a prize half the time or, if its parameter is 1, more often by the gap. Nobody works against it.",
        "source": "the lower-bound family of Section 4 (Theorem 4.1) with d = 4, at the ends of each mean's interval",
        "knobs": {"gap": "1/4"},
        "game": {
            "horizon": 2,
            "states": list(ROUTES),
            "learner_actions": [f"take-{route}" for route in ROUTES],
            "adversary_actions": ["cooperate"],
            "learner_observations": ["start", *seen],
            "adversary_observations": ["nothing"],
            "reward": {"steps": [["0"] * (2 * d + 1), ["0", *["0", "1"] * d]]},
        },
        "worlds": {
            "parameters": {route: {"values": ["0", "1"]} for route in ROUTES},
            "initial": ["1", *["0"] * (d - 1)],
            "transition": [[[[str(int(a == t)) for t in range(d)]] for a in range(d)]] * d,
            "learner_emission": {"steps": [start, [shown(s) for s in range(d)]]},
            "adversary_emission": [["1"]] * d,
        },
        "responses": {
            "parameters": {},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {route: [["1"]] for route in ROUTES},
        },
        "policies": {
            "window": 1,
            "list": {route: [[str(int(a == k)) for a in range(d)]] * (2 * d + 1) for k, route in enumerate(ROUTES)},
        },
        "truth": {"worlds": {route: str(int(route == "south")) for route in ROUTES}, "responses": {}},
    }
