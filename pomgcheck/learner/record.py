"""Reads and writes the run record: what a run was, under which certificate, and what came of it, in exact text under
one digest."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pomgcheck.errors import counted, optional
from pomgcheck.kernel.reading import mapping, take
from pomgcheck.outputs import writable, write
from pomgcheck.stored import Stored, entry, loose, read_record

if TYPE_CHECKING:
    import pandas
    import xarray

FORMAT = "pomgcheck-run/1"


class RegretPoint(NamedTuple):
    """This is the policy regret of one seed after ``t`` data episodes, exactly."""

    algorithm: str
    seed: int
    t: int
    regret: Fraction


class OverSeeds(NamedTuple):
    """This is a mean over seeds and two standard errors, in exact text; ``two_se`` is ``None`` for a single seed."""

    mean: str
    two_se: str | None


class RecordedSummary(NamedTuple):
    """This is what a record says of an algorithm over all seeds.

    ``regret`` has one entry for each of the record's times; ``slope`` is ``None`` where the regret is zero, and
    ``slope_ends`` are the first and the last t that it is taken over.
    """

    regret: tuple[OverSeeds, ...]
    warmup_regret: OverSeeds
    total_regret: OverSeeds
    S_T: OverSeeds
    terminations: OverSeeds
    slope: str | None
    slope_ends: tuple[int, int]
    truth_in_every_set: int | None

    @classmethod
    def of(cls, value: Any, where: str) -> RecordedSummary:
        """Return the summary that the JSON holds; raise ``Malformed`` where it holds none."""
        given = mapping(value, where)
        regret = take(given.get("regret"), f"{where}.regret", ("mean", "two_se"))
        slope = take(given.get("slope"), f"{where}.slope", ("from", "to", "value"))
        return entry(
            cls,
            given,
            where,
            regret=tuple(map(OverSeeds, regret["mean"], regret["two_se"])),
            slope=slope["value"],
            slope_ends=(slope["from"], slope["to"]),
        )


@loose
class RecordedEpoch(NamedTuple):
    """This is one epoch of one seed; what an algorithm does not have is ``None``."""

    e: int
    policy: str
    xi: Mapping[str, Mapping[str, str]] | None
    start: int
    episodes: int
    ended: str
    regret: str
    warmup: int
    beta: str | None = None
    threshold: str | None = None
    gap: str | None = None
    truth_inside: bool | None = None
    models_inside: int | None = None


@loose
class RecordedSeed(NamedTuple):
    """This is one seed: its epochs, or ``None`` where they are not listed, and the epochs started by each
    of the times and the regret at each, without the warm-up."""

    seed: int
    epochs: tuple[RecordedEpoch, ...] | None
    started: Sequence[int]
    regret: Sequence[str]


class RecordedParts(NamedTuple):
    """This is what a bound is made of (docs/bound.md, docs/net.md); a bound of another kind has no such part."""

    D: str
    N: str
    harmful: int | None = None
    H: int = 0
    m: int = 0
    policies: int = 0
    range: str = ""
    later_range: str = ""
    eta: str = ""
    s: str = ""
    slack: str = ""
    L_g: str = ""
    value_error: str = ""
    runs: int = 0
    span: str = ""
    tests: int = 0
    share: str = ""
    chi: str = ""
    quantum: str = ""


class RecordedCost(NamedTuple):
    """This is a policy that may be played before the truth is reached: its regret, how often it is played at most, and how far
    its nearest model is (``c``, ``None`` where that is infinitely far) or the second moment ``M`` of its test."""

    regret: str
    n: int | str
    c: str | None = None
    M: str = ""


class RecordedBound(NamedTuple):
    """This is a proved bound: its kind, what it is made of (``parts`` and ``policies``), its lines, and by time its data part."""

    kind: str
    statement: str
    probability: str
    parts: RecordedParts
    lines: Mapping[str, str]
    data: Sequence[str]
    policies: Sequence[RecordedCost] = ()


class RecordedAlgorithm(NamedTuple):
    """This is one algorithm of a run; ``source`` says where the code of an own one is, ``bound`` what is proved of its
    regret."""

    algorithm: str
    guarantee: str
    constants: Mapping[str, Any]
    summary: RecordedSummary
    seeds: tuple[RecordedSeed, ...]
    bound: RecordedBound | None = None
    source: Mapping[str, str] | None = None

    @property
    def proved(self) -> RecordedBound:
        """Return the bound of an algorithm that has one."""
        assert self.bound is not None
        return self.bound


@loose
class RecordedRun(NamedTuple):
    """This is a run record, typed: its entries by name (certificates/FORMAT.md), with the algorithms read."""

    certificate_file: str
    certificate_sha256: str
    model: str
    model_sha256: str
    truth: Mapping[str, Mapping[str, str]]
    truth_given: bool
    memory: int | None
    warmup: str
    opponent: str
    transient: str
    block_rule: str
    before_start: str
    episodes: int
    seeds: Sequence[int]
    rng: str
    packages: Mapping[str, str]
    ties: str
    t: Sequence[int]
    sha256: str
    runs: tuple[RecordedAlgorithm, ...]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> RecordedRun:
        """Return the record that the JSON holds; raise ``Malformed`` where it holds none."""
        return entry(cls, document, "")


KEYS = ("format", "readings", *RecordedRun._fields)


class RunRecord(Stored):
    """This is a finished run; ``document`` is its JSON, whose fields certificates/FORMAT.md lists."""

    @classmethod
    def load(cls, path: str | Path) -> RunRecord:
        """Read a record and check its digest and its shape; raise ``InputError`` where the file is not a sound record."""
        return cls(read_record(path, "a run record", FORMAT, KEYS)).shaped(path)

    @property
    def name(self) -> str:
        """Return the name of the class."""
        return str(self.document["model"])

    @cached_property
    def content(self) -> RecordedRun:
        """Return the record's entries, typed."""
        return RecordedRun.of(self.document)

    @property
    def runs(self) -> dict[str, dict[str, Any]]:
        """Return the entry of each algorithm, by name."""
        return {run["algorithm"]: run for run in self.document["runs"]}

    def regrets(self) -> Iterator[RegretPoint]:
        """Yield the policy regret of each seed of each algorithm after each episode of the record's grid, without the
        warm-up."""
        for run in self.content.runs:
            for seed in run.seeds:
                for t, regret in zip(self.content.t, seed.regret, strict=True):
                    yield RegretPoint(run.algorithm, seed.seed, t, Fraction(regret))

    def to_csv(self, path: str | Path) -> Path:
        """Write `regrets` to ``path`` as comma-separated values, one line each, with the regret as a float; return the
        path."""
        target = writable(path)
        text = StringIO(newline="")
        lines = csv.writer(text)
        lines.writerow(RegretPoint._fields)
        lines.writerows((*point[:3], float(point.regret)) for point in self.regrets())
        write(target, text.getvalue().encode())
        return target

    def to_frame(self) -> pandas.DataFrame:
        """Return `regrets` as a pandas frame with the columns ``algorithm``, ``seed``, ``t`` and ``regret`` (float).

        Raises ``MissingDependency`` where pandas is not installed.
        """
        frames = optional("pandas", "frames", "frame")
        rows = [(*point[:3], float(point.regret)) for point in self.regrets()]
        frame: pandas.DataFrame = frames.DataFrame(rows, columns=list(RegretPoint._fields))
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
        run = self.content
        memory = f"m = {run.memory}" if run.memory else "fading memory"
        episodes, seeds = counted(run.episodes, "episode"), counted(len(run.seeds), "seed")
        return f"{run.model}: {episodes}, {seeds}, {memory}"

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for run in self.content.runs:
            total = run.summary
            cells = (spread(total.regret[-1]), spread(total.total_regret), spread(total.S_T))
            rows.append((run.algorithm, *cells, run.guarantee))
        return rows


def spread(value: OverSeeds) -> str:
    """Return ``mean ± two standard errors``, rounded for reading."""
    mean, two_se = value
    shown = f"{float(Fraction(mean)):.6g}"
    return shown if two_se is None else f"{shown} ± {float(Fraction(two_se)):.2g}"
