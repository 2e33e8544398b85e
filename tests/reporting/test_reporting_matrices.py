"""The operators of a class as tables: every entry is that of a second computation, at every model."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.evidence import Xi
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.parameters import parameter_points
from pomgcheck.reporting import matrices
from pomgcheck.reporting.blocks import Paragraph, Table
from pomgcheck.reporting.evaluation import Stage
from pomgcheck.reporting.pages import certificates
from pomgcheck.reporting.render import text
from pomgcheck.reporting.spans import Math

ROOT = Path(__file__).parents[2]


def read(name: str) -> dict[str, Any]:
    """A certificate of the gallery or of the goldens."""
    found: dict[str, Any] = json.loads((ROOT / f"{name}.cert.json").read_bytes())
    return found


def value(cell: Any, point: dict[str, Fraction]) -> Fraction:
    """An entry at a parameter point, read back from what is printed: ``527/800 − 17x/20``."""
    (span,) = cell
    assert isinstance(span, Math)
    out = ""
    for term in span.source.replace("−", "-").replace(" - ", " + -").split(" + "):
        names = [name for name in point if name in term]
        for name in names:
            term = term.replace(name, f"*{name}" if term[term.index(name) - 1 : term.index(name)].isdigit() else name)
        out += f"+({term.replace(' ', '*').replace('-', '-1*') if names else term})"
    return Fraction(evaluate(out.removeprefix("+"), point, "entry"))


@pytest.mark.parametrize(
    "name",
    [
        "certificates/patrol",
        "certificates/brewing",
        "certificates/confounded",
        "tests/accepted/two-observations",
        "certificates/final-step",
    ],
)
def test_every_entry_is_that_of_a_second_computation(name: str) -> None:
    """At the first and the last model, for every policy, step, learner pair and pure state, the lines of W and J are
    the channel and its answer as the reports' own evaluation has them; those of G send each decision there."""
    cert = read(name)
    document, game = cert["model"], cert["model"]["game"]
    blocks = [block for block in matrices.tables(document, cert["options"]["space"]) if isinstance(block, Table)]
    assert ["W", "G", "J"] == sorted({block.caption[0] for block in blocks}, key="WGJ".index)
    if "interval" in str(document["worlds"]):
        ends = [{"x": end} for end in ("1/4", "1/2")]
        models = [{"theta": end, "Phi": {}} for end in ends]
    else:
        sides = [parameter_points(document[side], side) or [] for side in ("worlds", "responses")]
        models = [
            {
                side: {k: str(v) for k, v in points[end].items()}
                for side, points in zip(("theta", "Phi"), sides, strict=True)
            }
            for end in (0, -1)
        ]
    checked = 0
    for xi in models:
        point = {k: Fraction(v) for part in xi.values() for k, v in part.items()}
        for table in blocks:
            assert ("J" == table.caption[0] or "G" == table.caption[0]) == ("Policy" in table.columns)
            for row in table.rows:
                cells = dict(zip(table.columns, row, strict=True))
                plain = {head: text.plain(cell) for head, cell in cells.items()}
                policies = plain.get("Policy", sorted(document["policies"]["list"])[0]).split(", ")
                steps = (
                    [int(h) for h in plain["Step"].split(", ")]
                    if "Step" in plain
                    else (
                        [int(h) for h in table.caption.split("step", 1)[1].removeprefix("s ").split(", ")]
                        if "step" in table.caption
                        else range(1, game["horizon"] + 1)
                    )
                )
                if plain["Seen/played"] == "any":
                    pairs = [("any", "any")]
                else:
                    o, a = plain["Seen/played"].split("/")
                    pairs = [
                        (x, y)
                        for x in game["learner_observations"]
                        for y in game["learner_actions"]
                        if o in ("any", x) and a in ("any", y)
                    ]
                for pi in policies:
                    stage, operator = Stage(Certificate(cert), [Xi(**xi)], pi), table.caption[0]
                    for head, cell in cells.items():
                        if not head.startswith(("from ", "to ")):
                            continue
                        start, end = (head[5:], plain["To"]) if head.startswith("from ") else (plain["From"], head[3:])
                        for h, (o, a) in product(steps, pairs):
                            assert value(cell, point) == entry(stage, operator, h - 1, o, a, start, end)
                            checked += 1
    assert checked > 30


def name_of(stage: Stage, s: int, memory: Any) -> str:
    """A pure state as the tables name it."""
    return stage.game.S[s] + (f" after {', '.join(memory)}" if memory else "")


def entry(stage: Stage, operator: str, h: int, o: str, a: str, start: str, end: str) -> Fraction:
    """One entry by the reports' evaluation."""
    states = {name_of(stage, s, m): (s, m) for k in range(stage.game.H + 1) for s, m in stage.pure_states(k)}
    if operator == "G":
        before, _, decision = start.rpartition(", ")
        seen, _, b = decision.partition("/")
        s, memory = states[before]
        found = stage.answered(0, h, {(s, memory, seen, stage.game.B.index(b)): Fraction(1)})
        return found.get(states[end], Fraction(0))
    q = {states[start]: Fraction(1)}
    if operator == "J":
        return stage.moved(0, h, o, a, q).get(states[end], Fraction(0))
    after, _, decision = end.rpartition(", ")
    seen, _, b = decision.partition("/")
    s, memory = states[after]
    return stage.channel(0, h, o, a, q).get((s, memory, seen, stage.game.B.index(b)), Fraction(0))


def test_the_matrices_of_a_document_are_shown() -> None:
    """A class given by operators has its own matrices in its report, policies and steps with equal ones together."""
    shown = text.render(certificates.document(Certificate(read("certificates/patrol-operators"))).blocks, width=200)
    assert "G, the adversary aggregation, steps 1, 2" in shown
    assert "on-alarm, on-calm  any          calm-wait     1/2 + y/2  0" in shown
    assert "quiet/patrol  calm-attack   119/200 − 17x/20  9/200 − 3x/20" in shown


def test_large_operators_are_counted() -> None:
    """Of the tiger the entries are counted, step by step and pair by pair; nothing is made."""
    cert = read("certificates/tiger")
    (block,) = matrices.tables(cert["model"], cert["options"]["space"])
    assert isinstance(block, Paragraph)
    game = cert["model"]["game"]
    H, S, A, B, OA, OB = (
        game[key] if key == "horizon" else len(game[key])
        for key in (
            "horizon",
            "states",
            "learner_actions",
            "adversary_actions",
            "learner_observations",
            "adversary_observations",
        )
    )
    assert f"$W$ has {H * OA * A * S * S * OB * B:,} entries".replace("$", "") in text.plain(block.text)
