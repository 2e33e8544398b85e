"""The record of an experiment: what was measured, beside what the paper prints, under one digest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck.experiments.declared import Choice, Remark
from pomgcheck.kernel.reading import mapping
from pomgcheck.stored import Stored, content_digest, each_of, entry, read_record

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

    @classmethod
    def of(cls, value: Any, where: str) -> RecordedRow:
        """Return the row that the JSON holds; raise ``Malformed`` where it holds none."""
        spread = mapping(value, where).get("spread")
        found = spread if spread is None else entry(RecordedSpread, spread, f"{where}.spread")
        return entry(cls, value, where, spread=found)


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

    @classmethod
    def of(cls, value: Any, where: str) -> RecordedCurve:
        """Return the curve that the JSON holds; raise ``Malformed`` where it holds none."""
        band = mapping(value, where).get("band")
        return entry(cls, value, where, band=band if band is None else entry(RecordedBand, band, f"{where}.band"))


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

    @classmethod
    def of(cls, value: Any, where: str) -> RecordedPanel:
        """Return the panel that the JSON holds; raise ``Malformed`` where it holds none."""
        found = mapping(value, where)
        curves = each_of(RecordedCurve.of, found.get("curves", []), f"{where}.curves")
        marks = each_of(partial(entry, RecordedMark), found.get("marks", []), f"{where}.marks")
        return entry(cls, value, where, curves=curves, marks=marks)


class RecordedFigure(NamedTuple):
    """This is a drawing; ``bands`` says what the shading is where it is not two standard errors."""

    name: str
    caption: str
    alt: str
    panels: Sequence[RecordedPanel]
    bands: str | None = None

    @classmethod
    def of(cls, value: Any, where: str) -> RecordedFigure:
        """Return the figure that the JSON holds; raise ``Malformed`` where it holds none."""
        panels = each_of(RecordedPanel.of, mapping(value, where).get("panels"), f"{where}.panels")
        return entry(cls, value, where, panels=panels)


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

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> RecordedExperiment:
        """Return the experiment that the JSON holds; raise ``Malformed`` where it holds none."""
        lists: dict[str, Callable[[Any, str], Any]] = {
            "choices": partial(entry, Choice),
            "table": RecordedRow.of,
            "tables": partial(entry, RecordedTable),
            "remarks": partial(entry, Remark),
            "figures": RecordedFigure.of,
        }
        parts: dict[str, Any] = {name: each_of(of, document[name], name) for name, of in lists.items()}
        parts["certificate"] = entry(Stamped, document["certificate"], "certificate")
        return entry(cls, {name: document[name] for name in cls._fields}, "", **parts)


KEYS = ("format", *RecordedExperiment._fields)


class ExperimentRecord(Stored):
    """This is a finished experiment; ``document`` is its JSON, whose fields certificates/FORMAT.md lists."""

    @classmethod
    def made(cls, document: dict[str, Any]) -> ExperimentRecord:
        """Return the record of a document without its digest."""
        return cls(document | {"sha256": content_digest(document)})

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
        return RecordedExperiment.of(self.document)

    def __repr__(self) -> str:
        return f"<experiment {self.name}: {self.document['title']}; sha256 {self.sha256[:12]}…>"
