"""Theorem 3.3 with its numbers put in: each line, done again in floats, gives the value that stands beside it."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.reporting.blocks import Table
from pomgcheck.reporting.claims import constants as bound
from pomgcheck.reporting.render.text import plain
from pomgcheck.reporting.spans import Math

CERTIFICATES = Path(__file__).parents[2] / "certificates"


def value(formula: str) -> float:
    """A formula in numbers alone, done by Python."""
    python = re.sub(r"\^\{?(\d+)\}?", r"**\1", formula)
    for old, new in (("−", "-"), ("·", "*"), ("√", "root"), ("⌈", "ceil("), ("⌉", ")"), ("{", "("), ("}", ")")):
        python = python.replace(old, new)
    python = re.sub(r"log_2 ?\(", "lb(", python)
    python = re.sub(r"log ([\d.]+)", r"ln(\1)", re.sub(r"log ?\(", "ln(", python))
    known = {"lb": math.log2, "ln": math.log, "root": math.sqrt, "ceil": math.ceil, "max": max, "min": min}
    return float(eval(python, known))


@pytest.mark.parametrize(
    "name", ["patrol", "tiger", "digits", "linear", "labelled", "labelled.summed", "watch", "bandit"]
)
@pytest.mark.parametrize("T", [None, 10**9])
def test_each_line_follows_from_its_numbers(name: str, T: int | None) -> None:
    """Both routes of every certified class: the calculation gives the value, up to the digits shown."""
    cert = json.loads((CERTIFICATES / f"{name}.cert.json").read_bytes())
    tables = [block for block in bound.walk_through(Certificate(cert), T) if isinstance(block, Table)]
    _, *routes = tables
    assert 4 == len(routes)
    for formulas, sums in (routes[:2], routes[2:]):
        done = [row for row in formulas.rows if plain(row[0]) not in ("η", "fill") and "above" not in plain(row[1])]
        for (sign, _, shown), (again, (calculation,)) in zip(done, sums.rows, strict=True):
            assert sign == again
            assert isinstance(calculation, Math)
            assert value(calculation.source) == pytest.approx(float(plain(shown)), rel=2e-4), calculation.source
