"""Two doors, a prize, and a ticket whose number means nothing: why errors of operators are to be summed.

The family of Theorem 4.1 with two arms, its second observation refined by a label that is uniform whatever happens.
At the pair that occurs every error is divided by the number of labels and no function of the class is left above the
scale, while what there is to learn is what it was (docs/paper.md, Theorem 3.3).
"""

from __future__ import annotations

from typing import Any

LEAST, MOST = 1, 64  # labels

DOORS = ("left", "right")


def document(labels: int = 24) -> dict[str, Any]:
    """Return the model class with that many labels, in authoring form."""
    tickets = range(1, labels + 1)
    seen = [f"{found}-{n}" for found in ("nothing", "prize") for n in tickets]

    def shown(door: str) -> list[str]:
        """Return the emission of step 2: a prize, likely behind one door alone, and any ticket."""
        prize = f"(1+6*{'right' if door == 'right' else '(1-right)'})/8"
        return ["0", *[f"(1-{prize})/{labels}"] * labels, *[f"{prize}/{labels}"] * labels]

    hall = ["1", *["0"] * (2 * labels)]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "labelled" if labels == 24 else f"labelled-{labels}",
        "description": "The learner opens one of two doors. Behind one of them, it is not known which, a prize lies seven "
        f"times of eight, behind the other once. With it comes one of {labels} tickets, each as likely as any other.",
        "source": "the lower-bound family of Section 4 (Theorem 4.1) with two arms, and a uniform label on the second "
        "observation",
        "game": {
            "horizon": 2,
            "states": list(DOORS),
            "learner_actions": [f"open-{door}" for door in DOORS],
            "adversary_actions": ["cooperate"],
            "learner_observations": ["hall", *seen],
            "adversary_observations": ["nothing"],
            "reward": {"steps": [["0"] * (2 * labels + 1), ["0", *["0"] * labels, *["1"] * labels]]},
        },
        "worlds": {
            "parameters": {"right": {"values": ["0", "1"]}},
            "initial": ["1", "0"],
            "transition": [[[["1", "0"]], [["0", "1"]]]] * 2,
            "learner_emission": {"steps": [[hall] * 2, [shown(door) for door in DOORS]]},
            "adversary_emission": [["1"]] * 2,
        },
        "responses": {
            "parameters": {},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {door: [["1"]] for door in DOORS},
        },
        "policies": {
            "window": 1,
            "list": {door: [[str(int(door == other)) for other in DOORS]] * (2 * labels + 1) for door in DOORS},
        },
        "truth": {"worlds": {"right": "1"}, "responses": {}},
    }
