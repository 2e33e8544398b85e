"""The gate in the coordinates of a predictive-state representation: the chance of each next observation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pomgcheck.gallery.given_operators import ACTIONS, OPENS, PUSHES, SEEN, STATES, Matrix, channel, forward, gate

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


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
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
