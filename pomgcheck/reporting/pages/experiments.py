"""Tells an experiment's record as a report's blocks: the paper's figures beside ours, drawings, remarks, readings."""

from __future__ import annotations

import re

from pomgcheck.experiments.record import RecordedExperiment, RecordedRow, RecordedTable
from pomgcheck.reporting.blocks import (
    NOTHING,
    Block,
    Code,
    Document,
    Figure,
    Heading,
    Inline,
    Items,
    Listing,
    Paragraph,
    Table,
    say,
)
from pomgcheck.reporting.drawings import panels
from pomgcheck.reporting.numbers import decimal, fraction
from pomgcheck.reporting.pages.certificates import digests
from pomgcheck.reporting.words import powers

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?", re.ASCII)


def document(record: RecordedExperiment, file: str = "") -> Document:
    """Return the report of an experiment."""
    name = record.experiment
    beyond = name == "games"
    stamp = record.certificate
    return Document(
        title=record.title,
        stamp={"experiment": record.sha256, "certificate": stamp.sha256, "model": stamp.model_sha256},
        blocks=(
            Heading(1, say("{t}", t=record.title)),
            Paragraph(say("Run under a certificate of {says}.", says=stamp.says)),
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
            Table(
                "",
                ("Where the text leaves a choice", "Reading", "Reason"),
                tuple(tuple(say("{x}", x=said) for said in choice) for choice in record.choices),
            ),
            Heading(2, say("Set-up"), "set-up"),
            setup(record),
            Heading(2, say("Checking it"), "checking"),
            Paragraph(
                say(
                    "The first command checks the record's digest and its certificate; the second runs all of it "
                    "again and compares."
                )
            ),
            Listing(
                tuple(
                    f"pomgcheck verify {stamp.file} {file or f'{name}.experiment.json'}{end}"
                    for end in ("", " --replay")
                )
            ),
            digests({"experiment": record.sha256, "certificate": stamp.sha256, "model": stamp.model_sha256}),
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

    def within(row: RecordedRow) -> Inline:
        return NOTHING if row.within is None else say("yes" if row.within else "no")

    seeds, groups = len(record.seeds), record.groups
    over = (
        f"median [5 %, 95 %] over {groups + 1} draws of the rules"
        if bands
        else (f"mean (standard deviation) over {groups} fresh groups of {seeds} seeds")
    )
    ours = f"Ours: seeds 0 to {seeds - 1}{', the draw of median regret with the test' if bands and groups else ''}."
    caption = f"{ours} Spread: {over}." if groups > 1 or bands and groups else ours
    rows = tuple(
        (powers(row.what), say("{p}", p=row.paper), say("{o}", o=short(row.ours)), spread(row), within(row))
        for row in record.table
    )
    if record.experiment == "games":  # the paper has no figures for hidden-state games
        return Table("", ("Figure", "Bound", "Ours", "Within"), tuple((w, p, o, inside) for w, p, o, _, inside in rows))
    return Table(caption, ("Figure", "Paper", "Ours", "Spread", "Within"), rows)


def beside(table: RecordedTable) -> Table:
    """Return a table of what was measured besides: numbers are shortened, empty cells have none."""

    def cell(text: str) -> Inline:
        if not text:
            return NOTHING
        return say("{x}", x=short(text)) if NUMBER.fullmatch(text) else powers(text)

    rows = tuple(tuple(map(cell, row)) for row in table.rows)
    return Table(table.caption, tuple(table.head), rows)


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
    rows = [(say("{k}", k=Code(key)), powers(value)) for key, value in record.constants.items()]
    rows += [
        (say("Seeds"), say("{a} to {b}", a=str(record.seeds[0]), b=str(record.seeds[-1]))),
        (say("Random numbers"), say("{r}", r=record.rng)),
        (say("Packages"), say("{p}", p=", ".join(map(" ".join, sorted(record.packages.items()))))),
    ]
    return Table("", ("Part", "Value"), tuple(rows))
