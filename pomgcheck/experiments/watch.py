"""Hidden-state games as large as can be certified in minutes: a guard whose patrols may do more harm than good.

The gallery's ``patrol`` with two changes: the unknown x is what a patrol adds to the chance of an alarm, so that
whether to patrol is worth learning; and there are as many values of x and y, policies and steps as are asked for.  In
the dark version the adversary sees nothing, which keeps the paths of a long horizon countable.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pomgcheck.modelclass.gallery import patrol

FIRST, LAST = Fraction(1, 20), Fraction(1, 4)  # of x; the true one is the largest
TIMID, WARY = Fraction(1, 10), Fraction(1, 5)  # of y


def spread(first: Fraction, last: Fraction, n: int) -> list[str]:
    """n values in equal steps, both ends among them."""
    return [str(first + (last - first) * k / (n - 1)) for k in range(n)]


def alarms(idle: str, patrolling: str) -> list[list[list[str]]]:
    """Law of the next state (calm, alarm) by the guard's action and the intruder's: an attack adds 1/4."""
    return [[[f"1-({p})", p] for p in (base, f"{base}+1/4")] for base in (idle, f"{patrolling}+x")]


def policies(n: int) -> dict[str, list[list[str]]]:
    """n^2 policies: to patrol on quiet, and on noise, with a chance among n."""
    chances = spread(Fraction(0), Fraction(1), n)
    return {
        f"{i}-{j}": [[f"1-{quiet}", quiet], [f"1-{noise}", noise]]
        for i, quiet in enumerate(chances) for j, noise in enumerate(chances)
    }  # fmt: skip


def document(name: str, worlds: int = 3, responses: int = 2, chances: int = 2, horizon: int = 3, memory: int = 2,
             dark: bool = False) -> dict[str, Any]:  # fmt: skip
    """The class with worlds x responses models and chances^2 policies, in authoring form."""
    listed, seen = policies(chances), ["dark"] if dark else ["dark", "lit"]
    # a policy's patrols deter by how often it patrols on average over quiet and noise
    attack = {policy: f"y*({quiet[1]}+{noise[1]})/2" for policy, (quiet, noise) in listed.items()}
    x, y = spread(FIRST, LAST, worlds), spread(TIMID, WARY, responses)
    base = patrol.document()
    game = base["game"] | {"horizon": horizon, "adversary_observations": seen}
    return base | {
        "name": name,
        "knobs": {"noise": "3/20"},
        "game": game,
        "worlds": base["worlds"] | {
            "parameters": {"x": {"values": x}},
            "transition": [alarms("1/10", "1/20"), alarms("1/2", "9/20")],
            "adversary_emission": [["1"], ["1"]] if dark else base["worlds"]["adversary_emission"],
        },
        "responses": {
            "parameters": {"y": {"values": y}}, "memory": memory, "block_rule": "mean", "window": 1,
            "table": {policy: [[f"1/2+{less}", f"1/2-{less}"]] * len(seen) for policy, less in attack.items()},
        },
        "policies": {"window": 1, "list": listed},
        "truth": {"worlds": {"x": x[-1]}, "responses": {"y": y[-1]}},
    }  # fmt: skip
