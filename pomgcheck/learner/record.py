"""The run record: what a run was, under which certificate, and what came of it, in exact text under one digest."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pomgcheck.errors import optional
from pomgcheck.outputs import writable, write
from pomgcheck.stored import Stored, read_record

if TYPE_CHECKING:
    import pandas
    import xarray

FORMAT = "pomgcheck-run/1"
KEYS = (
    "format",
    "certificate_file",
    "certificate_sha256",
    "model",
    "model_sha256",
    "readings",
    "truth",
    "truth_given",
    "memory",
    "warmup",
    "opponent",
    "transient",
    "block_rule",
    "before_start",
    "episodes",
    "seeds",
    "rng",
    "packages",
    "ties",
    "t",
    "runs",
    "sha256",
)


class Point(NamedTuple):
    """The policy regret of one seed after ``t`` data episodes, exactly."""

    algorithm: str
    seed: int
    t: int
    regret: Fraction


class RunRecord(Stored):
    """A finished run; ``document`` is its JSON, whose fields certificates/FORMAT.md lists."""

    @classmethod
    def load(cls, path: str | Path) -> RunRecord:
        """Read a record and check its digest.  Raises ``InputError`` where the file is not a sound record."""
        return cls(read_record(path, "a run record", FORMAT, KEYS))

    @property
    def runs(self) -> dict[str, dict[str, Any]]:
        """The entry of each algorithm, by name."""
        return {run["algorithm"]: run for run in self.document["runs"]}

    def regrets(self) -> Iterator[Point]:
        """Yield the policy regret of each seed of each algorithm after each episode of the record's grid, without the
        warm-up."""
        for run in self.document["runs"]:
            for seed in run["seeds"]:
                for t, regret in zip(self.document["t"], seed["regret"], strict=True):
                    yield Point(run["algorithm"], seed["seed"], t, Fraction(regret))

    def to_csv(self, path: str | Path) -> Path:
        """Write `regrets` to ``path`` as comma-separated values, one line each, with the regret as a float; return the
        path."""
        target = writable(path)
        text = StringIO(newline="")
        lines = csv.writer(text)
        lines.writerow(Point._fields)
        lines.writerows((*point[:3], float(point.regret)) for point in self.regrets())
        write(target, text.getvalue().encode())
        return target

    def to_frame(self) -> pandas.DataFrame:
        """Return `regrets` as a pandas frame with the columns ``algorithm``, ``seed``, ``t`` and ``regret`` (float).

        Raises ``MissingDependency`` where pandas is not installed.
        """
        frames = optional("pandas", "frames", "frame")
        rows = [(*point[:3], float(point.regret)) for point in self.regrets()]
        frame: pandas.DataFrame = frames.DataFrame(rows, columns=list(Point._fields))
        return frame

    def to_xarray(self) -> xarray.DataArray:
        """Return `regrets` as an xarray array over ``algorithm``, ``seed`` and ``t``.

        Raises ``MissingDependency`` where xarray is not installed.
        """
        optional("xarray", "frames", "dataset")
        array: xarray.DataArray = self.to_frame().set_index(["algorithm", "seed", "t"])["regret"].to_xarray()
        return array

    def __repr__(self) -> str:
        head = f"<run of {self._what()}"
        return "\n  ".join([head, *(" | ".join(row) for row in self._rows()), f"sha256 {self.sha256[:16]}…>"])

    def _what(self) -> str:
        doc = self.document
        memory = f"m = {doc['memory']}" if doc["memory"] else "fading memory"
        return f"{doc['model']}: {doc['episodes']} episodes, {len(doc['seeds'])} seeds, {memory}"

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for run in self.document["runs"]:
            total = run["summary"]
            final = {"mean": total["regret"]["mean"][-1], "two_se": total["regret"]["two_se"][-1]}
            cells = (spread(final), spread(total["total_regret"]), spread(total["S_T"]))
            rows.append((run["algorithm"], *cells, run["guarantee"]))
        return rows


def spread(value: Mapping[str, str | None]) -> str:
    """Return ``mean ± two standard errors``, rounded for reading."""
    mean, two_se = value["mean"], value["two_se"]
    shown = f"{float(Fraction(mean or 0)):.6g}"
    return shown if two_se is None else f"{shown} ± {float(Fraction(two_se)):.2g}"
