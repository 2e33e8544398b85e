"""A run record as a table: what pandas, xarray and a spreadsheet read."""

from __future__ import annotations

import csv
import sys
from fractions import Fraction
from pathlib import Path

import pandas
import pytest

from pomgcheck import RunRecord
from pomgcheck.errors import MissingDependency
from tests.reporting import samples


@pytest.fixture
def record() -> RunRecord:
    """Two algorithms, two seeds."""
    return RunRecord(samples.run_record())


def test_every_regret_stands_in_the_table(record: RunRecord) -> None:
    """A row for each algorithm, seed and t, and the mean over seeds is the record's own."""
    runs, t = record.document["runs"], record.document["t"]
    points = list(record.regrets())
    assert sum(len(run["seeds"]) for run in runs) * len(t) == len(points)
    for run in runs:
        last = [point.regret for point in points if (point.algorithm, point.t) == (run["algorithm"], t[-1])]
        assert Fraction(run["summary"]["regret"]["mean"][-1]) == sum(last, Fraction(0)) / len(last)


def test_frame_array_and_file_say_the_same(record: RunRecord, tmp_path: Path) -> None:
    """pandas, xarray and the CSV file hold the floats next to the exact numbers."""
    frame, array = record.to_frame(), record.to_xarray()
    path = record.to_csv(tmp_path / "regret.csv")
    pandas.testing.assert_frame_equal(frame, pandas.read_csv(path))
    rows = list(csv.DictReader(path.read_text().splitlines()))
    for point, row in zip(record.regrets(), rows, strict=True):
        assert [point.algorithm, str(point.seed), str(point.t)] == [row[key] for key in ("algorithm", "seed", "t")]
        assert float(point.regret) == float(row["regret"])
        assert float(point.regret) == float(array.sel(algorithm=point.algorithm, seed=point.seed, t=point.t))


def test_what_is_not_installed_is_named(record: RunRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pandas one sentence says what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependency, match=r"pip install 'pomgcheck\[frames\]'"):
        record.to_frame()
