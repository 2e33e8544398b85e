"""How the cost of certifying grows with |Theta|, |Pi|, |S| and H, one of them doubled at a time, and with |Xi|.

    python benchmarks/growth.py

The class is a corridor of |S| rooms: the learner walks, the adversary pushes, a lamp in every room is seen through
noise.  Worlds differ in how hard a push is, responses in how often it comes.  For |Xi| it is the experiments' watch:
with three bands of policies answered each in its own way, so that a policy tells few models apart, and with one, where
almost every policy tells all of them apart.
"""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import islice, product
from typing import Any

from pomgcheck.experiments import watch
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify

START = {"worlds": 4, "policies": 4, "rooms": 3, "horizon": 3}
MODELS: dict[str, list[dict[str, Any]]] = {
    "three bands": [{"worlds": 4, "responses": 3}, {"worlds": 5, "responses": 4}, {"worlds": 8, "responses": 5}],
    "one band": [{"worlds": 12, "responses": 8}, {"worlds": 20, "responses": 15}],
}
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
        return [
            f"{share}+1/2*(1-x)*{int(t == s)}+1/2*x*{int(t == 0)}*{b}+1/2*x*{int(t == s)}*{1 - b}"
            for t, share in enumerate(shares)
        ]

    def answer(k: int) -> list[list[str]]:
        return [[f"1/2+y*{k + 1}/{2 * policies}", f"1/2-y*{k + 1}/{2 * policies}"]] * 2

    tables = list(islice(product(range(3), repeat=3), 0, None, 27 // policies))[:policies]
    names = [f"plan{k:02d}" for k in range(len(tables))]
    one = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "corridor",
        "game": {
            "horizon": horizon,
            "states": states,
            "learner_actions": moves,
            "adversary_actions": pushes,
            "learner_observations": lamps,
            "adversary_observations": ["near", "far"],
            "reward": ["0", "1/2", "1"],
        },
        "worlds": {
            "parameters": {"x": {"values": [str(Fraction(k + 1, 2 * worlds)) for k in range(worlds)]}},
            "initial": row([1] * rooms),
            "transition": [[[step(s, a, b) for b in range(2)] for a in range(3)] for s in range(rooms)],
            "learner_emission": [row([1, 1 + s % 3, 1 + 2 * s]) for s in range(rooms)],
            "adversary_emission": [row([1 + s, rooms]) for s in range(rooms)],
        },
        "responses": {
            "parameters": {"y": {"values": ["1/5", "2/5"]}},
            "memory": 2,
            "block_rule": "mean",
            "window": 1,
            "table": {name: answer(k) for k, name in enumerate(names)},
        },
        "policies": {
            "window": 1,
            "list": {name: [one[a] for a in table] for name, table in zip(names, tables, strict=True)},
        },
    }


def measured(what: str, document: dict[str, Any], **options: Any) -> None:
    """Certify a class and print processor seconds of the search and of the kernel alone."""
    model = load(document)
    begin = time.process_time()
    certificate = certify(model, **options).document
    both = time.process_time() - begin
    begin = time.process_time()
    verdict = verify_bytes(canonical_bytes(certificate))
    kernel = time.process_time() - begin
    word = {claim["id"]: claim["verdict"] for claim in certificate["claims"]}["weak-revealing"]
    print(f"{what:32}{both - kernel:8.2f}s{kernel:8.2f}s   {word}, {verdict.line[74:99]}", flush=True)


def main() -> None:
    """Print the table."""
    print(f"{'':32}{'search':>9}{'kernel':>9}   verdict")
    for name, sizes in STEPS.items():
        for size in sizes:
            measured(f"{name} = {size}", corridor(**(START | {name: size})), lipschitz="policy", form="joint")
    for name, classes in MODELS.items():
        bands = 3 if name == "three bands" else 1
        for given in classes:
            models = given["worlds"] * given["responses"] ** bands
            measured(f"models = {models}, {name}", watch.document("watch", bands=bands, **given))


if __name__ == "__main__":
    main()
