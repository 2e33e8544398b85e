"""Classes of one step whose models lie on a line: Lemma C.1 bounds their Eluder dimension better than counting does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pomgcheck import certify

POINTS = 30  # models, and policies that tell them apart by more and more


def class_on_a_line(of_world: bool) -> dict[str, Any]:
    """The world's line: "try" leaves for t with chance x. The adversary's: it sends the game to t with a chance that is
    y times a slope of the policy's."""
    policies = {f"p{k}": [[f"{POINTS - k}/{POINTS}", f"{k}/{POINTS}"]] for k in range(1, POINTS + 1)}
    slopes = {name: row[0][1] for name, row in policies.items()}
    axis = {"values": [f"{k}/{POINTS}" for k in range(POINTS)]}
    stays, leaves = ["1", "0"], ["0", "1"]
    here = [[stays], [["1-x", "x"]]] if of_world else [[stays, leaves]] * 2
    return {
        "format": "pomgcheck-model-class/1",
        "name": "world on a line" if of_world else "adversary on a line",
        "game": {
            "horizon": 1,
            "states": ["s", "t"],
            "learner_actions": ["stay", "try"],
            "adversary_actions": ["b"] if of_world else ["b", "c"],
            "learner_observations": ["o"],
            "adversary_observations": ["o"],
            "reward": ["1"],
        },
        "policies": {"window": 1, "list": policies},
        "responses": {
            "block_rule": "latest",
            "memory": 1,
            "window": 1,
            "parameters": {} if of_world else {"y": axis},
            "table": {name: [["1"] if of_world else [f"1-{x}*y", f"{x}*y"]] for name, x in slopes.items()},
        },
        "truth": {"responses": {} if of_world else {"y": "0"}, "worlds": {"x": "0"} if of_world else {}},
        "worlds": {
            "parameters": {"x": axis} if of_world else {},
            "initial": stays,
            "learner_emission": [["1"]] * 2,
            "adversary_emission": [["1"]] * 2,
            "transition": [here, [[leaves] * len(here[0])] * 2],
        },
    }


def certificate_on_a_line(of_world: bool, folder: Path) -> Path:
    """Its certificate at T = 1, where the bound through signs is least."""
    path = folder / "line.cert.json"
    certify(class_on_a_line(of_world), T=1).save(path)
    return path
