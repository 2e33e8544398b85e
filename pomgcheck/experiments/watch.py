"""Makes hidden-state games as large as can be certified in minutes: a guard whose patrols may do more harm than good.

The gallery's ``patrol`` with two changes: the unknown x is what a patrol adds to the chance of an alarm, so that
whether to patrol is worth learning; and there are as many values of x and y, policies and steps as are asked for.  In
the dark version the adversary sees nothing, which keeps the paths of a long horizon countable.  What patrols deter by,
y, is one number for all policies, or one for each of several bands of policies, from those that seldom patrol to those
that often do: what is learned of the intruder under one says nothing of the others then.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pomgcheck import gallery

FIRST, LAST = Fraction(1, 20), Fraction(1, 4)  # of x; the true one is the largest
TIMID, WARY = Fraction(1, 10), Fraction(1, 5)  # of y


def spread(first: Fraction, last: Fraction, n: int) -> list[str]:
    """Return n values in equal steps, both ends among them."""
    return [str(first + (last - first) * k / (n - 1)) for k in range(n)]


def alarms(idle: str, patrolling: str) -> list[list[list[str]]]:
    """Return the law of the next state (calm, alarm) by the guard's action and the intruder's: an attack adds 1/4."""
    return [[[f"1-({p})", p] for p in (base, f"{base}+1/4")] for base in (idle, f"{patrolling}+x")]


def policies(n: int) -> dict[str, list[list[str]]]:
    """Return n^2 policies, which patrol on quiet and on noise with one of n chances each."""
    chances = spread(Fraction(0), Fraction(1), n)
    return {
        f"{i}-{j}": [[f"1-{quiet}", quiet], [f"1-{noise}", noise]]
        for i, quiet in enumerate(chances)
        for j, noise in enumerate(chances)
    }


def deterrents(listed: dict[str, list[list[str]]], bands: int) -> dict[str, str]:
    """Return what each policy's patrols take off the chance of an attack.

    That is how often the policy patrols, on average over quiet and noise, times the y of its band; bands are of equal
    size among the policies that patrol.
    """
    often = {policy: (Fraction(quiet[1]) + Fraction(noise[1])) / 2 for policy, (quiet, noise) in listed.items()}
    patrolling = sorted((policy for policy, share in often.items() if share), key=lambda policy: often[policy])
    names = unknowns(bands)
    own = {policy: names[rank * bands // len(patrolling)] for rank, policy in enumerate(patrolling)}
    return {policy: f"{own.get(policy, names[0])}*{share}" for policy, share in often.items()}


def unknowns(bands: int) -> list[str]:
    """Return the names of the response parameters."""
    return ["y"] if bands == 1 else [f"y{band + 1}" for band in range(bands)]


def document(
    name: str,
    worlds: int = 3,
    responses: int = 2,
    chances: int = 2,
    horizon: int = 3,
    memory: int = 2,
    dark: bool = False,
    bands: int = 1,
) -> dict[str, Any]:
    """Return the class with worlds x responses^bands models and chances^2 policies, in authoring form."""
    listed, seen = policies(chances), ["dark"] if dark else ["dark", "lit"]
    less, x, y = deterrents(listed, bands), spread(FIRST, LAST, worlds), spread(TIMID, WARY, responses)
    base = gallery.document("patrol")
    game = base["game"] | {"horizon": horizon, "adversary_observations": seen}
    return base | {
        "name": name,
        "knobs": {"noise": "3/20"},
        "game": game,
        "worlds": base["worlds"]
        | {
            "parameters": {"x": {"values": x}},
            "transition": [alarms("1/10", "1/20"), alarms("1/2", "9/20")],
            "adversary_emission": [["1"], ["1"]] if dark else base["worlds"]["adversary_emission"],
        },
        "responses": {
            "parameters": {name: {"values": y} for name in unknowns(bands)},
            "memory": memory,
            "block_rule": "mean",
            "window": 1,
            "table": {policy: [[f"1/2+{off}", f"1/2-{off}"]] * len(seen) for policy, off in less.items()},
        },
        "policies": {"window": 1, "list": listed},
        "truth": {"worlds": {"x": x[-1]}, "responses": dict.fromkeys(unknowns(bands), y[-1])},
    }
