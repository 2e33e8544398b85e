"""The run record: what a run was, under which certificate, and what came of it, in exact text under one digest."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from pomgcheck.stored import Stored, read_record

FORMAT = "pomgcheck-run/1"
KEYS = (
    "format",
    "certificate_file",
    "certificate_sha256",
    "model",
    "model_sha256",
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


class RunRecord(Stored):
    """A finished run; ``document`` is its JSON (certificates/FORMAT.md)."""

    @classmethod
    def load(cls, path: str | Path) -> RunRecord:
        """Read a record and check its digest.  Raises ``InputError`` where the file is not a sound record."""
        return cls(read_record(path, "a run record", FORMAT, KEYS))

    @property
    def runs(self) -> dict[str, dict[str, Any]]:
        """One entry an algorithm, by name."""
        return {run["algorithm"]: run for run in self.document["runs"]}

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
    """``mean ± two standard errors``, to read, not to quote."""
    mean, two_se = value["mean"], value["two_se"]
    shown = f"{float(Fraction(mean or 0)):.6g}"
    return shown if two_se is None else f"{shown} ± {float(Fraction(two_se)):.2g}"
