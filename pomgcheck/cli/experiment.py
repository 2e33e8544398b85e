"""``pomgcheck experiment``: runs the paper's three experiments and sets its figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from pomgcheck import outputs, processes
from pomgcheck.cli import files
from pomgcheck.cli.options import Cluster, Jobs
from pomgcheck.cli.terminal import bare_table, print_table, progress
from pomgcheck.errors import counted, optional

if TYPE_CHECKING:
    from pomgcheck.experiments.record import RecordedExperiment, RecordedSpread


def command(
    name: Annotated[str, Argument(metavar="NAME", help="necessity, scaling, digits, all of these, or games.")],
    output: Annotated[Path, Option("--output", "-o", metavar="DIR", help="The folder to write to.")] = Path(
        "experiments"
    ),
    groups: Annotated[int, Option(metavar="N", help="Fresh groups of seeds for the spread.", min=0)] = 20,
    jobs: Jobs = 1,
    cluster: Cluster = None,
) -> int:
    """Run the paper's experiments, or those on games beyond them: figures, a table beside the paper's, a record."""
    from pomgcheck.experiments.run import certificate_name, chosen, experiment, stamp

    names = chosen(name)
    if "digits" in names:
        optional("sklearn", "digits", "experiment digits")
    outputs.made(output, "--output")
    certificate = output / certificate_name(names[0])
    with processes.cluster(cluster), progress("certifying the class") as bar:
        if not certificate.is_file():
            stamp(certificate, names[0])
        records = [experiment(each, certificate, groups, bar, jobs) for each in names]
    for record in records:
        written(record.save(output / f"{record.name}.experiment.json"))
        shown(record.content)
    print(f"Everything is in {output}.\n\nNext:")
    print(files.typed("verify", *(output / f"{each}.experiment.json" for each in names), "--replay"))
    return 0


def written(record: Path) -> None:
    """Write the pages and the pictures beside the record."""
    from pomgcheck.reporting import report
    from pomgcheck.reporting.drawings.panels import pictures

    for suffix in (".md", ".html"):
        report(record, record.with_suffix(suffix))
    pictures(record)


def shown(record: RecordedExperiment) -> None:
    """Print the table: the paper's value, ours, the spread, and whether it is within."""
    seeds, groups = counted(len(record.seeds), "seed"), counted(record.groups, "group")
    print(f"{record.title}: {seeds}, {groups} for the spread\n")
    table = bare_table("Figure", "Paper", "Ours", "Spread", "Within")
    for row in record.table:
        within = "–" if row.within is None else "yes" if row.within else "no"
        table.add_row(row.what, row.paper, f"{float(row.ours):.4g}", spread(row.spread), within)
    print_table(table)


def spread(found: RecordedSpread | None) -> str:
    """Return ``mean (sd)``, or ``median [5 %, 95 %]`` over draws."""
    if found is None:
        return "–"
    if found.median:
        middle, low, high = (f"{float(text or 0):.4g}" for text in (found.median, found.low, found.high))
        return f"{middle} [{low}, {high}]"
    return f"{float(found.mean or 0):.4g} ({float(found.sd or 0):.2g})"
