"""Tells an experiment's record as a report's blocks: the paper's figures beside ours, drawings, remarks, readings."""

from __future__ import annotations

import re
from shlex import quote

from pomgcheck.experiments.record import RecordedExperiment, RecordedRow, RecordedTable
from pomgcheck.reporting.blocks import Block, Document, Figure, Heading, Items, Paragraph, Table
from pomgcheck.reporting.drawings import panels
from pomgcheck.reporting.numbers import decimal, fraction
from pomgcheck.reporting.pages.certificates import closing
from pomgcheck.reporting.spans import NOTHING, Code, Field, Inline, say
from pomgcheck.reporting.words import powers

CHECKING = (
    "The first command checks the record's digest and its certificate; the second runs all of it again and compares."
)
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?", re.ASCII)


def document(record: RecordedExperiment, file: str = "") -> Document:
    """Return the report of an experiment."""
    name = record.experiment
    beyond = name == "games"
    stamp = record.certificate
    made_of = {"experiment": record.sha256, "certificate": stamp.sha256, "model": stamp.model_sha256}
    command = f"pomgcheck verify {quote(stamp.file)} {quote(file or f'{name}.experiment.json')}"
    return Document(
        title=record.title,
        stamp=made_of,
        blocks=(
            Heading(1, say("{t}", t=record.title)),
            Paragraph.of("Run under a certificate of {says}.", says=stamp.says),
            Heading(2, say("The theorem and the runs" if beyond else "The paper's figures and ours"), "table"),
            comparison(record),
            *([] if beyond else [Heading(2, say("Beside the paper's algorithms"), "beside")]),
            *map(beside, record.tables),
            Heading(2, say("Drawings"), "drawings"),
            *drawings(record),
            Heading(2, say("Beside the paper's text"), "remarks"),
            Items(
                tuple(
                    say("{what} Here: {shown}.", what=powers(remark.what), shown=powers(remark.shown))
                    for remark in record.remarks
                )
            ),
            Heading(2, say("How the text was read"), "readings"),
            Table.of("", ("Where the text leaves a choice", "Reading", "Reason"), record.choices),
            Heading(2, say("Set-up"), "set-up"),
            setup(record),
            *closing(CHECKING, (f"{command}{end}" for end in ("", " --replay")), made_of),
        ),
    )


def short(text: str, digits: int = 4) -> str:
    """Return a decimal to read."""
    return decimal(fraction(text), digits=digits)


def comparison(record: RecordedExperiment) -> Table:
    """Return the table of the paper's figures, ours, their spread, and whether they are within."""
    bands = record.experiment == "digits"

    def spread(row: RecordedRow) -> Inline:
        if row.spread is None:
            return NOTHING
        mean, sd, median, low, high = row.spread
        if median and low and high:
            return say("{m} [{a}, {b}]", m=short(median), a=short(low), b=short(high))
        return say("{m} ({s})", m=short(mean or "0", 5), s=short(sd or "0", 2))

    def within(row: RecordedRow) -> Field:
        return NOTHING if row.within is None else "yes" if row.within else "no"

    seeds, groups = len(record.seeds), record.groups
    over = (
        f"median [5 %, 95 %] over {groups + 1} draws of the rules"
        if bands
        else (f"mean (standard deviation) over {groups} fresh groups of {seeds} seeds")
    )
    ours = f"Ours: seeds 0 to {seeds - 1}{', the draw of median regret with the test' if bands and groups else ''}."
    caption = f"{ours} Spread: {over}." if groups > 1 or bands and groups else ours
    rows = ((powers(row.what), row.paper, short(row.ours), spread(row), within(row)) for row in record.table)
    if record.experiment == "games":  # the paper has no figures for hidden-state games
        return Table.of("", ("Figure", "Bound", "Ours", "Within"), ((w, p, o, inside) for w, p, o, _, inside in rows))
    return Table.of(caption, ("Figure", "Paper", "Ours", "Spread", "Within"), rows)


def beside(table: RecordedTable) -> Table:
    """Return a table of what was measured besides: numbers are shortened, empty cells have none."""

    def cell(text: str) -> Field:
        if not text:
            return NOTHING
        return short(text) if NUMBER.fullmatch(text) else powers(text)

    return Table.of(table.caption, table.head, (map(cell, row) for row in table.rows))


def drawings(record: RecordedExperiment) -> list[Block]:
    """Return every figure of the record."""
    out: list[Block] = []
    for figure in record.figures:
        bands = f"Bands: two standard errors over {len(record.seeds)} seeds." if figure.bands is None else figure.bands
        drawing = panels.svg(figure)
        caption = powers(f"{figure.caption} {bands}" if bands else figure.caption)
        out.append(Figure(drawing.svg, caption, figure.alt, figure.name, drawing.stops))
    return out


def setup(record: RecordedExperiment) -> Table:
    """Return constants, seeds, generator, versions."""
    rows: list[tuple[Field, Field]] = [(Code(key), powers(value)) for key, value in record.constants.items()]
    rows += [
        ("Seeds", f"{record.seeds[0]} to {record.seeds[-1]}"),
        ("Random numbers", record.rng),
        ("Packages", ", ".join(map(" ".join, sorted(record.packages.items())))),
    ]
    return Table.of("", ("Part", "Value"), rows)
