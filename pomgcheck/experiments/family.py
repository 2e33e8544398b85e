"""The class an experiment is stamped with: Section 4's embedded bandit, the means of its arms on finite axes.

The experiments learn over a continuum of means and up to 32 arms.  What is certified is the family with two arms and
the means listed here; the record says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ARMS = 2
MEANS = ("1/8", "1/2", "13/20", "3/4", "7/8")


def says(model: Mapping[str, Any]) -> str:
    """What a record says of the class it is stamped with, from the class's canonical document: this one, or the
    gallery's bandit, whose means are anywhere in an interval."""
    axes = model["worlds"]["parameters"].values()
    if all("interval" in axis for axis in axes):
        low, high = next(iter(axes))["interval"]
        return (f"Section 4's embedded bandit with {len(axes)} arms, each of a mean anywhere in [{low}, {high}]; not "
                "another number of arms, nor an opponent with a memory")  # fmt: skip
    return (f"the finite-axes family: Section 4's embedded bandit with {ARMS} arms, each of a mean among "
            f"{', '.join(MEANS)}; not the interval [1/8, 7/8], nor more arms, nor an opponent with a memory")


def document(arms: int = ARMS, means: tuple[str, ...] = MEANS) -> dict[str, Any]:
    """The family in authoring form (proof of Theorem 4.1): step 1 leads to the state of the arm chosen, step 2 shows
    the arm and its reward."""
    names, states = ([f"{letter}{i}" for i in range(1, arms + 1)] for letter in "as")
    seen = ["o0", *(f"{i}:{y}" for i in range(1, arms + 1) for y in (0, 1))]

    def emission(i: int) -> list[str]:
        row = ["0"] * len(seen)
        row[2 * i + 1 : 2 * i + 3] = [f"1-mu{i + 1}", f"mu{i + 1}"]
        return row

    return {
        "format": "pomgcheck-model-class/1",
        "name": "embedded-bandit",
        "description": "A bandit inside a game of two steps; the opponent has one action and no memory.",
        "source": "the construction of Theorem 4.1",
        "game": {
            "horizon": 2, "states": states, "learner_actions": names, "adversary_actions": ["cooperate"],
            "learner_observations": seen, "adversary_observations": ["nothing"], "reward": ["0", *["0", "1"] * arms],
        },
        "worlds": {
            "parameters": {f"mu{i}": {"values": list(means)} for i in range(1, arms + 1)},
            "initial": one("s1", states),
            "transition": [[[one(f"s{a}", states)] for a in range(1, arms + 1)] for _ in states],
            "learner_emission": {"steps": [[one("o0", seen)] * arms, [emission(i) for i in range(arms)]]},
            "adversary_emission": [["1"]] * arms,
        },
        "responses": {
            "memory": 1, "block_rule": "latest", "window": 1, "parameters": {},
            "table": {name: [["1"]] for name in names},
        },
        "policies": {"window": 1, "list": {name: [one(name, names)] * len(seen) for name in names}},
        "truth": {"worlds": {f"mu{i}": means[3] if i == 1 else means[1] for i in range(1, arms + 1)}, "responses": {}},
    }  # fmt: skip


def one(label: str, labels: list[str]) -> list[str]:
    """The row that is sure of ``label``."""
    return [str(int(other == label)) for other in labels]
