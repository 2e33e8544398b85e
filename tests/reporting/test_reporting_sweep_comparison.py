"""Sweeps side by side: ends, shared points, and where constants are better or worse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pomgcheck.errors import InputError
from pomgcheck.kernel.reading import digest
from pomgcheck.records import recorded
from pomgcheck.reporting import digests_in, document_of, report
from pomgcheck.reporting.blocks import Table
from pomgcheck.reporting.given import Given, read
from pomgcheck.reporting.pages import comparison
from pomgcheck.reporting.render import text
from tests.reporting import sweep_samples

FIRST = sweep_samples.two_knobs()


def signed(sweep: dict[str, Any]) -> dict[str, Any]:
    """The sweep with its own digest."""
    rest = {key: value for key, value in sweep.items() if key != "sha256"}
    return rest | {"sha256": digest(rest)}


def changed() -> dict[str, Any]:
    """The same grid: α is larger at noise 0, B_0 too at noise 1/4, and d = 2 is no longer refuted at noise 0."""
    points = []
    for point in FIRST["points"]:
        noise, values = point["knobs"]["noise"], dict(point["values"])
        if values and noise == "0":
            values |= {"alpha_lower": "3/5", "alpha_upper": "3/5"}
        if values and noise == "1/4":
            values |= {"B0_lower": {"log_of": "5"}, "B0_upper": {"log_of": "5"}}
        if point["knobs"] == {"noise": "0", "d": "2"}:
            point = sweep_samples.point(point["knobs"], values)
        points.append(point | {"values": values})
    return signed(FIRST | {"points": points, "options": FIRST["options"] | {"kappa": 2}})


def shown(*sources: tuple[dict[str, Any], str]) -> str:
    """The comparison as text on wide lines."""
    return text.render(
        comparison.document([Given(recorded(sweep), file) for sweep, file in sources], "sweep").blocks, width=240
    )


def test_ends_and_constants_are_set_side_by_side() -> None:
    """Counts of ends, the one point that ends otherwise with where it lies, marks counted over points certified in
    both, and what was asked otherwise."""
    told = shown((FIRST, "first.sweep.json"), (changed(), "second.sweep.json"))
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert "✓ certified 4 of 12 5 of 12" in lines
    assert "They share 12 points, of which 11 end alike." in lines
    assert "1 ✗ refuted ≠ ✓ certified noise = 0, d = 2" in lines
    assert "α_κ 0.333333 to 0.5 0.333333 to 0.6 ▲ 2" in lines
    assert "B₀ 0.693148 to 1.09862 0.693148 to 1.60944 ▼ 2" in lines
    assert "--kappa 1 ≠ 2" in lines
    assert "pomgcheck verify first.sweep.json" in lines


def test_other_knobs_are_said_to_share_nothing() -> None:
    """Sweeps over other knobs are compared by their ranges, and no point is set beside another."""
    points = [sweep_samples.point({"floor": floor}, sweep_samples.values("0", "0")) for floor in ("0", "1/9")]
    other = sweep_samples.sweep([{"knob": "floor", "low": "0", "high": "1/9", "points": 2}], points)
    told = shown((FIRST, "a.sweep.json"), (other, "b.sweep.json"))
    assert "no point with the same knobs" in told
    assert "▲ 1" not in told
    assert "▼ 1" not in told
    found = {
        text.plain(row[0]): row
        for block in comparison.document([read(FIRST), read(other)], "sweep").blocks
        if isinstance(block, Table) and block.caption == "Knobs"
        for row in block.rows
    }
    assert "3 values from 0 to 1/2" == text.plain(found["noise"][1])
    assert "≠ 1/4" == text.plain(found["noise"][2])


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "txt"])
def test_every_form_has_it(suffix: str, tmp_path: Path) -> None:
    """Two sweeps become one report in each form, stamped with both digests; the same sweep twice is refused."""
    second = changed()
    path = report([FIRST, second], tmp_path / f"two.{suffix}")
    content = (path.with_name("two.body.tex") if suffix == "tex" else path).read_text(encoding="utf-8")
    assert {"sweep-1": FIRST["sha256"], "sweep-2": second["sha256"]} == digests_in(content)
    with pytest.raises(InputError, match="different sweeps to compare"):
        document_of([read(FIRST), read(FIRST)])
