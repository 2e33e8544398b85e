"""The record of an experiment: what was measured, beside what the paper prints, under one digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pomgcheck.experiments.declared import Choice, Remark
from pomgcheck.stored import Stored, entry, loose, read_record

FORMAT = "pomgcheck-experiment/2"


class Stamped(NamedTuple):
    """This is the certificate under which an experiment was run: its file, digests and what it says; and those of the ``also``
    certified classes."""

    file: str
    sha256: str
    model_sha256: str
    says: str
    also: Sequence[Mapping[str, str]] = ()


class RecordedSpread(NamedTuple):
    """This says how much a figure varies: it has mean and standard deviation, or the median and the ends of a band."""

    mean: str | None = None
    sd: str | None = None
    median: str | None = None
    low: str | None = None
    high: str | None = None


class RecordedRow(NamedTuple):
    """This is a figure of the paper beside ours, and whether it is ``within`` the spread, where there is one."""

    what: str
    paper: str
    ours: str
    spread: RecordedSpread | None
    within: bool | None


class RecordedTable(NamedTuple):
    """This is what was measured besides: text, where an empty cell has no value."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class RecordedBand(NamedTuple):
    """These are the ends of a band around a curve."""

    low: Sequence[str]
    high: Sequence[str]


class RecordedCurve(NamedTuple):
    """This is a curve over the points of its panel: means, and two standard errors or a band where they were measured.

    ``role`` is "data" or "reference".
    """

    label: str
    role: str
    mean: Sequence[str]
    two_se: Sequence[str] | None = None
    band: RecordedBand | None = None


class RecordedMark(NamedTuple):
    """These are single points of a panel."""

    label: str
    x: Sequence[str]
    y: Sequence[str]


class RecordedPanel(NamedTuple):
    """This is a panel of a figure.

    ``kind`` is "lines" (``curves`` over ``x`` with ``marks``, on the ``scales`` of both axes), "scatter" (``points``,
    each of two numbers and a class, and the ``cuts`` of a grid) or "matrix" (``rows`` of shares).
    """

    kind: str
    title: str
    xlabel: str
    ylabel: str
    x: Sequence[str] = ()
    curves: Sequence[RecordedCurve] = ()
    scales: Sequence[str] = ()
    marks: Sequence[RecordedMark] = ()
    points: Sequence[tuple[str, str, int]] = ()
    cuts: Sequence[Sequence[str]] = ()
    rows: Sequence[Sequence[str]] = ()


class RecordedFigure(NamedTuple):
    """This is a drawing; ``bands`` says what the shading is where it is not two standard errors."""

    name: str
    caption: str
    alt: str
    panels: Sequence[RecordedPanel]
    bands: str | None = None


@loose
class RecordedExperiment(NamedTuple):
    """This is an experiment, typed: its entries by name (certificates/FORMAT.md)."""

    experiment: str
    title: str
    seeds: Sequence[int]
    groups: int
    rng: str
    packages: Mapping[str, str]
    constants: Mapping[str, str]
    choices: Sequence[Choice]
    certificate: Stamped
    table: Sequence[RecordedRow]
    tables: Sequence[RecordedTable]
    remarks: Sequence[Remark]
    figures: Sequence[RecordedFigure]
    sha256: str


KEYS = ("format", *RecordedExperiment._fields)


class ExperimentRecord(Stored):
    """This is a finished experiment; ``document`` is its JSON, whose fields certificates/FORMAT.md lists."""

    @classmethod
    def load(cls, path: str | Path) -> ExperimentRecord:
        """Read a record and check its digest and its shape; raise ``InputError`` where the file is not a sound record."""
        return cls(read_record(path, "a record", FORMAT, KEYS)).shaped(path)

    @property
    def name(self) -> str:
        """Return the name of the experiment."""
        return str(self.document["experiment"])

    @cached_property
    def content(self) -> RecordedExperiment:
        """Return the record's entries, typed; raise ``Malformed`` where they are not those of an experiment."""
        return entry(RecordedExperiment, self.document, "")

    def __repr__(self) -> str:
        return f"<experiment {self.name}: {self.document['title']}; sha256 {self.sha256[:12]}…>"
