"""How the cost of certifying grows with |Theta|, |Pi|, |S| and H, one of them doubled at a time.

    python benchmarks/growth.py

The class is a corridor of |S| rooms: the learner walks, the adversary pushes, a lamp in every room is seen through
noise.  Worlds differ in how hard a push is, responses in how often it comes.
"""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import islice, product
from typing import Any

from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.game import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify

START = {"worlds": 4, "policies": 4, "rooms": 3, "horizon": 3}
STEPS = {"worlds": (4, 8, 16), "policies": (4, 8, 16), "rooms": (3, 6, 9), "horizon": (3, 4, 5)}


def corridor(worlds: int, policies: int, rooms: int, horizon: int) -> dict[str, Any]:
    """An authoring document: ``rooms`` states, three lamps, three moves, two pushes; 2 x ``worlds`` models."""
    lamps, moves, pushes = ["dark", "dim", "bright"], ["back", "stay", "on"], ["left", "right"]
    states = [f"room{k}" for k in range(rooms)]

    def row(weights: list[Any]) -> list[str]:
        return [str(Fraction(w) / sum(weights)) for w in weights]

    def step(s: int, a: int, b: int) -> list[str]:
        base = [Fraction(1, 1 + abs(t - s - (a - 1)) + (b == 0)) for t in range(rooms)]
        shares = [x / sum(base) / 2 for x in base]  # half the mass moves so; a share x of the rest falls into room 0
        return [f"{share}+1/2*(1-x)*{int(t == s)}+1/2*x*{int(t == 0)}*{b}+1/2*x*{int(t == s)}*{1 - b}"
                for t, share in enumerate(shares)]  # fmt: skip

    def answer(k: int) -> list[list[str]]:
        return [[f"1/2+y*{k + 1}/{2 * policies}", f"1/2-y*{k + 1}/{2 * policies}"]] * 2

    tables = list(islice(product(range(3), repeat=3), 0, None, 27 // policies))[:policies]
    names = [f"plan{k:02d}" for k in range(len(tables))]
    one = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "corridor",
        "game": {"horizon": horizon, "states": states, "learner_actions": moves, "adversary_actions": pushes,
                 "learner_observations": lamps, "adversary_observations": ["near", "far"],
                 "reward": ["0", "1/2", "1"]},
        "worlds": {
            "parameters": {"x": {"values": [str(Fraction(k + 1, 2 * worlds)) for k in range(worlds)]}},
            "initial": row([1] * rooms),
            "transition": [[[step(s, a, b) for b in range(2)] for a in range(3)] for s in range(rooms)],
            "learner_emission": [row([1, 1 + s % 3, 1 + 2 * s]) for s in range(rooms)],
            "adversary_emission": [row([1 + s, rooms]) for s in range(rooms)],
        },
        "responses": {"parameters": {"y": {"values": ["1/5", "2/5"]}}, "memory": 2, "block_rule": "mean", "window": 1,
                      "table": {name: answer(k) for k, name in enumerate(names)}},
        "policies": {"window": 1,
                     "list": {name: [one[a] for a in table] for name, table in zip(names, tables, strict=True)}},
    }  # fmt: skip


def main() -> None:
    """Print the table: seconds of the search and of the kernel alone."""
    print(f"{'':24}{'search':>9}{'kernel':>9}   verdict")
    for name, sizes in STEPS.items():
        for size in sizes:
            model = load(corridor(**(START | {name: size})))
            begin = time.perf_counter()
            document = certify(model, lipschitz="policy", form="joint").document
            both = time.perf_counter() - begin
            begin = time.perf_counter()
            verdict = verify_bytes(canonical_bytes(document))
            kernel = time.perf_counter() - begin
            word = {claim["id"]: claim["verdict"] for claim in document["claims"]}["weak-revealing"]
            print(f"{name + ' = ' + str(size):24}{both - kernel:8.2f}s{kernel:8.2f}s   {word}, {verdict.line[74:99]}")


if __name__ == "__main__":
    main()
