"""Walls of certifying, by processor time and peak memory: each row is `pomgcheck certify` in a process of its own.

    python -m benchmarks.scale [ROW…]

Aims stand beside what was measured.  Rows of a time limit may end with unknown claims, which are named; `kernel` is
`pomgcheck verify` of the certificate, a process of its own too and part of the first figure once already.  The classes
are made here (a class of random rows with an unknown in each row, or one unknown for all; corridors in POMDP format),
come from the gallery, or, Leduc poker, from OpenSpiel, which has to be installed for that row.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.importing import text


@dataclass(frozen=True)
class Row:
    """What is certified and the aim in processor seconds (and MB): a document, words of `import`, or a gallery name."""

    aim: float
    document: dict[str, Any] | None = None
    imported: tuple[str, ...] = ()  # after the file
    pomdp: str | None = None
    source: str | None = None
    options: tuple[str, ...] = field(default=())
    megabytes: int | None = None


def rows_at_random(
    *, horizon: int = 3, worlds: int = 3, own: bool = False, rule: str = "mean", memory: int = 2, outcomes: int = 3
) -> dict[str, Any]:
    """A class of ``outcomes`` states and observations, 2 actions a side, 3 policies and 2 responses, no zero anywhere.

    Rows are drawn once and for all.  Every transition row leans by an unknown towards one state: by the same one, of
    ``worlds`` values, or each row by its ``own``, whose ``worlds`` joint values are drawn too.  ``worlds`` = 0: the one
    unknown is in [1/10, 3/10].  Nothing of play ever coincides.
    """
    draw = random.Random(1)

    def row(size: int, low: int, high: int) -> list[Fraction]:
        weights = [draw.randint(low, high) for _ in range(size)]
        return [Fraction(weight, sum(weights)) for weight in weights]

    def words(row: Iterable[Fraction]) -> list[str]:
        return [str(x) for x in row]

    names = [f"x{k}" if own else "x" for k in range(outcomes * 4)]
    initial, to = words(row(outcomes, 3, 6)), draw.randrange(outcomes)
    unknown = iter(names)

    def leaning() -> list[str]:
        name = next(unknown)
        return [f"(1-{name})*{x}+{name}*{int(s == to)}" for s, x in enumerate(row(outcomes, 3, 6))]

    transition = [[[leaning() for _ in range(2)] for _ in range(2)] for _ in range(outcomes)]
    rest = Fraction(1, 5 * (outcomes - 1))
    policies = {
        f"p{k}": [words([Fraction(k, 4), 1 - Fraction(k, 4)])]
        + [words([Fraction((k + o) % 2), Fraction((k + o + 1) % 2)]) for o in range(1, outcomes)]
        for k in (1, 2, 3)
    }
    answers = {name: [[f"1/3+y*{k}/9", f"2/3-y*{k}/9"]] * 2 for k, name in enumerate(policies, 1)}
    given: dict[str, Any] = {
        "points": [{x: str(Fraction(draw.randint(1, 200), 400)) for x in names} for _ in range(worlds)]
    }
    if not own:
        values = {"values": [str(Fraction(k, 2 * worlds)) for k in range(1, worlds + 1)]}
        given = {"parameters": {"x": values if worlds else {"interval": ["1/10", "3/10"]}}}
    blocks = {" ".join(block): answers[block[-1]] for block in product(policies, repeat=memory)}
    return {
        "format": "pomgcheck-model-class/1",
        "name": "rows-at-random",
        "game": {
            "horizon": horizon,
            "states": [f"s{k}" for k in range(outcomes)],
            "learner_actions": ["left", "right"],
            "adversary_actions": ["wait", "push"],
            "learner_observations": [f"o{k}" for k in range(outcomes)],
            "adversary_observations": ["dark", "lit"],
            "reward": words(Fraction(k, outcomes - 1) for k in range(outcomes)),
        },
        "worlds": given
        | {
            "initial": initial,
            "transition": transition,
            "learner_emission": [
                words(Fraction(4, 5) if o == s else rest for o in range(outcomes)) for s in range(outcomes)
            ],
            "adversary_emission": [words(row(2, 1, 9)) for _ in range(outcomes)],
        },
        "responses": {
            "parameters": {"y": {"values": ["1/6", "1/3"]}},
            "block_rule": rule,
            "memory": memory,
            "window": 1,
            "table": answers,
        }
        | ({"blocks": blocks} if rule == "table" else {}),
        "policies": {"window": 1, "list": policies},
    }


SLIP, BLUR = "transition:slip=1/20,1/10", "emission:blur=1/20,1/10"
JAMMED = ("--adversary=jam", "--policies=routing")
ROWS: dict[str, Row] = {
    "certify patrol": Row(0.55, source="patrol"),
    "|Θ| = 64": Row(10, rows_at_random(worlds=64, own=True)),
    "|Θ| = 128": Row(30, rows_at_random(worlds=128, own=True)),
    "|Θ| = 256": Row(100, rows_at_random(worlds=256, own=True)),
    "H = 8": Row(30, rows_at_random(horizon=8)),
    "H = 12": Row(60, rows_at_random(horizon=12)),
    "table rule, m = 5": Row(3, rows_at_random(rule="table", memory=5)),
    "one interval": Row(8, rows_at_random(worlds=0, outcomes=2)),
    "watch": Row(8.9, source="watch"),
    "odds": Row(11, source="odds"),
    "11 states, 4 moves": Row(20, pomdp=text(False, False, 11, 4, 4), imported=("--horizon=4", *JAMMED, f"--unknown={SLIP}")),
    "16 states, 4 moves": Row(20, pomdp=text(False, False, 16, 4, 2), imported=("--horizon=4", *JAMMED, f"--unknown={SLIP}")),
    "60 states, 2 moves": Row(90, pomdp=text(False, False), imported=("--horizon=2", "--policies=routing"), megabytes=1000),
    "60 states, 3 moves": Row(90, pomdp=text(False, False), imported=("--horizon=3", "--policies=routing"), megabytes=1000),
    "60 states, slip": Row(
        90, pomdp=text(False, False), imported=("--horizon=2", *JAMMED, f"--unknown={SLIP}"), megabytes=1000
    ),
    "60 states, blur": Row(
        90, pomdp=text(False, False), imported=("--horizon=2", *JAMMED, f"--unknown={BLUR}"), megabytes=1000
    ),
    "Leduc poker": Row(60, source="openspiel:leduc_poker", imported=("--policies=routing",), options=("--lipschitz=policy",)),
}  # fmt: skip


def measured(*words: str) -> tuple[float, float, int]:
    """Processor seconds, megabytes at the peak and the exit code of a `pomgcheck` of its own, byte code being cached."""
    command = [sys.executable, "-m", "pomgcheck", *words]
    cached = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=cached)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode


def told(certificate: dict[str, Any]) -> str:
    """The claims that took longest, each with its seconds of search, and those left unknown."""
    seconds = {claim["id"]: float(claim["search"]["seconds"]) for claim in certificate["claims"] if claim["search"]}
    longest = sorted(seconds, key=seconds.__getitem__)[:-4:-1]
    unknown = [claim["id"] for claim in certificate["claims"] if claim["verdict"] == "unknown"]
    left = f"   unknown: {', '.join(unknown)}" if unknown else ""
    return ", ".join(f"{name} {seconds[name]:.1f}" for name in longest) + left


def row(name: str, folder: Path) -> None:
    """Print a line of the table."""
    given, path, certificate = ROWS[name], folder / "class.json", folder / "class.cert.json"
    model, reading = str(path), ""
    if given.document:
        path.write_text(json.dumps(given.document))
    elif given.imported:
        file = folder / "file.pomdp"
        file.write_text(given.pomdp or "")
        seconds, memory, code = measured("import", given.source or str(file), *given.imported, "-o", str(path))
        reading = f"   import {seconds:.1f} s, {memory:.0f} MB"
        if code:
            print(f"{name:20} not imported (exit {code})", flush=True)
            return
    elif given.source:
        model = given.source
    seconds, memory, code = measured("certify", model, *given.options, "-o", str(certificate))
    if not certificate.exists():
        print(f"{name:20} no certificate (exit {code}) after {seconds:.1f} s, {memory:.0f} MB", flush=True)
        return
    kernel, check, _ = measured("verify", str(certificate))
    aim = f"{given.aim} s" + (f", {given.megabytes} MB" if given.megabytes else "")
    print(
        f"{name:20}{seconds:8.2f} s {memory:5.0f} MB   aim {aim:14} kernel {kernel:6.2f} s {check:5.0f} MB"
        f"{reading}   {told(json.loads(certificate.read_text()))}",
        flush=True,
    )


def main(chosen: list[str]) -> None:
    """Print the table."""
    measured("--version")
    for name in chosen or ROWS:
        with TemporaryDirectory() as folder:
            row(name, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
