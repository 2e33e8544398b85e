"""The lower bound's family (Section 4): a Bernoulli bandit embedded in a game of two steps, its means on intervals."""

from __future__ import annotations

from typing import Any

LEAST, MOST = 2, 64  # arms


# Knobs: the ends of the interval of the means.  Entries stay in [0,1] for 0 <= low <= high <= 1; with an end at 0 or 1
# some model makes a trajectory impossible and Assumption 3.1(c) fails.


def document(arms: int = 8) -> dict[str, Any]:
    """Return the model class with that many arms, in authoring form."""
    numbers = range(1, arms + 1)
    means = {f"mu{i}": {"interval": ["low", "high"]} for i in numbers}
    routes = [[["1" if s == a else "0" for s in numbers]] for a in numbers]
    dark = ["1", *["0"] * (2 * arms)]
    shown = [["0", *(x for i in numbers for x in ((f"1-mu{s}", f"mu{s}") if i == s else ("0", "0")))] for s in numbers]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "bandit" if arms == 8 else f"bandit-{arms}",
        "source": "Theorem 4.1, the ambient class of the hard instances",
        "knobs": {"low": "1/8", "high": "7/8"},
        "game": {
            "horizon": 2,
            "states": [f"s{i}" for i in numbers],
            "learner_actions": [f"a{i}" for i in numbers],
            "adversary_actions": ["coop"],
            "learner_observations": ["start", *(f"{i}:{y}" for i in numbers for y in (0, 1))],
            "adversary_observations": ["nothing"],
            "reward": {"steps": [["0"] * (2 * arms + 1), ["0", *["0", "1"] * arms]]},
        },
        "worlds": {
            "parameters": means,
            "initial": ["1", *["0"] * (arms - 1)],
            "transition": [routes] * arms,  # the first action routes; the second moves nothing that is seen
            "learner_emission": {"steps": [[dark] * arms, shown]},
            "adversary_emission": [["1"]] * arms,
        },
        "responses": {
            "parameters": {},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {f"a{i}": [["1"]] for i in numbers},
        },
        "policies": {"window": 1, "generate": {"kind": "routing"}},
        "truth": {"worlds": {f"mu{i}": "5/8" if i == 1 else "1/2" for i in numbers}, "responses": {}},
    }
