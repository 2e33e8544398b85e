"""What is proved of a run's regret, as its report and its command tell it."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.cli.run import shown
from pomgcheck.kernel.nested import Costly, Truth
from pomgcheck.learner.bound import AlgorithmBound
from pomgcheck.learner.confidence import ConfidenceRadius, Fading, Scales
from pomgcheck.learner.record import RecordedRun
from pomgcheck.reporting import report
from pomgcheck.reporting.blocks import Figure, Paragraph, Table
from pomgcheck.reporting.claims.constants_lines import substituted
from pomgcheck.reporting.drawings import figures
from pomgcheck.reporting.pages import run_bound, run_comparison, runs
from pomgcheck.reporting.render import text
from pomgcheck.reporting.spans import Math
from tests.reporting import samples
from tests.reporting.test_reporting_bound_numbers import value

NET = Fraction(50)
FADING = Fading(Fraction(1, 2), Fraction(9, 10), 8)
RADII = {
    "finite": ConfidenceRadius(Fraction(16), Fraction(6), Fraction(36864, 22661), 2, Fraction(1, 20)),
    "listed": ConfidenceRadius(Fraction(16), Fraction(6), Fraction(36864, 22661), 2, Fraction(1, 20)),
    "large C_0": ConfidenceRadius(
        Fraction(20), Fraction(6), Fraction(36864, 22661), 2, Fraction(1, 20), C_0=Fraction(9)
    ),
    "net": ConfidenceRadius(Fraction(16), NET, Fraction(36864, 22661), 2, Fraction(1, 20), error=Fraction(1, 10)),
    "fading": ConfidenceRadius(
        Fraction(16), NET, Fraction(36864, 22661), FADING, Fraction(1, 20), error=Fraction(1, 10)
    ),
    "closed form": ConfidenceRadius(Fraction(16), Scales(2, Fraction(3)), Fraction(7), 1, Fraction(1, 20)),
}
TRUTH = Truth(2, 3, (Costly(Fraction(21, 125), Fraction(1, 90)), Costly(Fraction(1, 8), None)))
STATEMENT = {"fading": "Theorem 5.2 at T = 8 on a net (docs/net.md)", "net": "Theorem 3.3 on a net (docs/net.md)"}


def record(name: str = "net") -> dict[str, Any]:
    """The sample run with theory constants and its bound."""
    found, radius = samples.run_record(), RADII[name]
    error = {"closed form": Fraction(1, 2**32)}.get(name, 3 * radius.error / 2)
    run, statement = found["runs"][0], STATEMENT.get(name, "Theorem 3.3")
    listed = TRUTH if name == "listed" else None
    run["guarantee"] = f"{statement} with probability at least 1 − 2δ"
    run["bound"] = AlgorithmBound(radius, 3, 4, Fraction(3), Fraction(2), error, Fraction(21, 125), listed).described(
        statement, found["t"]
    )
    run["constants"] |= {
        "kind": "theory",
        "c": str(radius.c),
        "C_0": "6(e-2)" if radius.C_0 is None else str(radius.C_0),
        "B0_upper": {"log_of": str(radius.increments)},
    }
    return found


def tables(name: str) -> dict[str, Table]:
    """What the bound is made of, and its lines."""
    made, lines = [block for block in run_bound.section(RecordedRun.of(record(name))) if isinstance(block, Table)]
    return {"made of": made, "lines": lines}


@pytest.mark.parametrize("name", RADII)
def test_each_line_follows_from_the_signs_before_it(name: str) -> None:
    """Every formula, done by Python with the numbers of the tables, gives the value beside it, to the digits shown."""
    found, radius = tables(name), RADII[name]
    made_of = {
        sign.source: Fraction(text.plain(number))
        for (sign,), _, number in found["made of"].rows
        if isinstance(sign, Math) and text.plain(number) != "infinite"
    }
    known = {sign: f"{float(number):.15f}" for sign, number in made_of.items()}
    known |= {
        "T": "8",
        "e": str(math.e),
        "c": str(radius.c),
        "C_0": str(radius.C_0 or 6 * (math.e - 2)),
        "B_0": str(max(1.0, math.log(radius.increments))),
    }
    for (sign,), (formula,), number in found["lines"].rows:
        assert isinstance(sign, Math)
        assert isinstance(formula, Math)
        known[sign.source] = text.plain(number)
        if sign.source == "fill":
            continue
        done = value(substituted(formula.source, known))
        assert done == pytest.approx(float(known[sign.source]), rel=1e-3), formula.source


def test_the_sentence_says_how_much_how_surely_and_whether_it_says_anything() -> None:
    """The bound, its parts, its probability, its statement, the D T beside it, and what was measured."""
    (paragraph,) = [block for block in run_bound.section(RecordedRun.of(record())) if isinstance(block, Paragraph)]
    words = text.plain(paragraph.text)
    lines = record()["runs"][0]["bound"]["lines"]
    assert words.startswith("By Theorem 3.3 on a net (docs/net.md) the policy regret of epoch-omle, warm-up included")
    assert "with probability at least 9/10" in words
    assert "This is not below D T = 1.344, which no play exceeds in settled episodes" in words
    assert "Measured, on average: 2.75." in words
    shown_ = float(re.search(r"is at most ([\d.]+)", words)[1])  # type: ignore[index]
    assert 0 <= shown_ - float(lines["regret"]) <= shown_ * 1e-5
    assert f"for at most {int(float(lines['S_T']))} epochs." in words


def test_of_an_outside_opponent_it_is_said_what_is_taken_for_granted() -> None:
    """What it settles at is declared, and the bound rests on it."""
    words = "It is so if the opponent settles as it has declared."
    for opponent, said in (("the class's", False), ("from outside", True)):
        blocks = run_bound.section(RecordedRun.of(record() | {"opponent": opponent}))
        assert said == any(words in text.plain(block.text) for block in blocks if isinstance(block, Paragraph))


def test_the_table_has_a_column_where_something_is_proved() -> None:
    """The bound beside regret with warm-up; nothing for the algorithm without, and no column without any."""
    table = runs.results_table(RecordedRun.of(record()))
    place = table.columns.index("Proved to be at most")
    assert ["–" != text.plain(row[place]) for row in table.rows] == [True, False]
    assert "Proved to be at most" not in runs.results_table(RecordedRun.of(samples.run_record())).columns
    assert [] == run_bound.section(RecordedRun.of(samples.run_record()))


def test_runs_side_by_side_have_it() -> None:
    """A row of the comparison, empty where a run proves nothing."""
    table = run_comparison.results_table(
        [*map(RecordedRun.of, (record(), samples.run_record()))], ["theory", "practical"]
    )
    (row,) = [row for row in table.rows if "proved to be at most" in text.plain(row[0])]
    bound = run_bound.at_most(RecordedRun.of(record()).runs[0])
    assert ["epoch-omle proved to be at most", bound, "–"] == [text.plain(cell) for cell in row]
    plain = run_comparison.results_table([RecordedRun.of(samples.run_record())] * 2, ["a", "b"])
    assert not any("proved" in text.plain(row[0]) for row in plain.rows)


def test_the_drawing_has_the_bound_and_says_it() -> None:
    """Both algorithms, the bound, D t; every place of it names the bound there; zeros stand at the bottom."""
    found = record()
    found["runs"][1]["summary"]["regret"]["mean"] = ["0"] * 4
    drawing = figures.bounded(RecordedRun.of(found))
    assert figures.bounded(RecordedRun.of(found)).svg == drawing.svg
    assert all(name in drawing.svg for name in ("epoch-omle", "epoch-fixed", "bound of epoch-omle", "D t"))
    data = found["runs"][0]["bound"]["data"]
    for stop, most in zip(drawing.stops, data, strict=True):
        shown_ = float(stop.words.rpartition("at most ")[2])
        assert 0 <= shown_ - float(most) <= shown_ * 1e-5
        assert 3 == len(stop.spots)
        assert all(0 <= y <= 400 for _, y in stop.spots)
    (block,) = [block for block in run_bound.section(RecordedRun.of(found)) if isinstance(block, Figure)]
    assert block.svg == drawing.svg


@pytest.mark.parametrize("suffix", ["md", "html", "tex"])
def test_every_kind_of_page_has_it(suffix: str, tmp_path: Path) -> None:
    """Under a heading of its own."""
    page = report(record("fading"), tmp_path / f"watch.{suffix}")
    words = page.read_text(encoding="utf-8") + (
        (tmp_path / "watch.body.tex").read_text(encoding="utf-8") if suffix == "tex" else ""
    )
    assert "What is proved of it" in words
    assert "Theorem 5.2 at T = 8 on a net" in words.replace("~", " ")


def test_the_command_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    """A line below the table of results; none where nothing is proved."""
    shown(RecordedRun.of(record()))
    out = capsys.readouterr().out
    proved = r"Proved of epoch-omle by .*: at most [\d.]+ with warm-up, with probability at least 9/10\. This is not below D T = 1.344"
    assert re.search(proved, out)
    shown(RecordedRun.of(samples.run_record()))
    assert "Proved" not in capsys.readouterr().out
