"""Sets runs side by side: results with what is better or worse, drawings together, and what was asked otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from shlex import quote

from pomgcheck.learner.record import OverSeeds, RecordedAlgorithm, RecordedRun, RunRecord
from pomgcheck.reporting.blocks import Block, Heading, Paragraph, Table
from pomgcheck.reporting.drawings import figures
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.pages import run_bound, run_epochs, runs
from pomgcheck.reporting.pages.side_by_side import asked, differing, introduced, marked
from pomgcheck.reporting.spans import NOTHING, Code, Field, Inline, joined, say


def blocks(found: Sequence[RunRecord], names: Sequence[str], files: Sequence[str]) -> list[Block]:
    """Return results and set-up of runs side by side."""
    records = [each.content for each in found]
    tables = [differing([runs.setup_table(record) for record in records], names, "Set-up")]
    for algorithm in shared(records):
        every = [constants(record, algorithm) for record in records]
        tables.append(differing(every, names, f"Constants of {algorithm}"))
    sentence = "Each record is checked under its own certificate; with `--replay` every seed is played again."
    commands = (
        f"pomgcheck verify {quote(run.certificate_file)} {quote(file)}"
        for run, file in zip(records, files, strict=True)
    )
    return [
        *introduced(names, map(runs.summary, records)),
        Heading(2, say("Results"), "results"),
        results_table(records, names),
        *together(records, names),
        *asked(chain.from_iterable(tables), sentence, commands, found, names),
    ]


def shared(records: Sequence[RecordedRun]) -> list[str]:
    """Return the algorithms of some run, in their order."""
    return list(dict.fromkeys(run.algorithm for record in records for run in record.runs))


def of(record: RecordedRun, algorithm: str) -> RecordedAlgorithm | None:
    """Return one algorithm of a run, or ``None`` if it was not played."""
    return next((run for run in record.runs if run.algorithm == algorithm), None)


Result = Callable[[RecordedAlgorithm], OverSeeds]
RESULTS: dict[str, Result] = {
    "regret": runs.last,
    "regret with warm-up": lambda run: run.summary.total_regret,
    "epochs": lambda run: run.summary.S_T,
}


def results_table(records: Sequence[RecordedRun], names: Sequence[str]) -> Table:
    """Return one row per algorithm and result: means over seeds with two standard errors."""

    def found(record: RecordedRun, algorithm: str, result: Result) -> OverSeeds | None:
        run = of(record, algorithm)
        return None if run is None else result(run)

    def cell(k: int, algorithm: str, result: Result) -> Inline:
        here, first = found(records[k], algorithm, result), found(records[0], algorithm, result)
        if here is None:
            return NOTHING
        if first is None or not k or here == first:
            return runs.spread(here)
        gap = fraction(here.mean) - fraction(first.mean)
        width = sum(fraction(end.two_se or "0") for end in (here, first))
        if abs(gap) <= width:
            return joined(runs.spread(here), say("(within the spread)"))
        return marked(runs.spread(here), gap < 0)

    rows = [
        (say("{a} {what}", a=Code(algorithm), what=what), *(cell(k, algorithm, result) for k in range(len(records))))
        for algorithm in shared(records)
        for what, result in RESULTS.items()
    ]
    caption = f"Mean over seeds ± two standard errors; ▲ and ▼ compare with {names[0]}, less being better"
    return Table.of(caption, ("Result", *names), [*rows, *proved(records)], sortable=True)


def proved(records: Sequence[RecordedRun]) -> list[tuple[Field, ...]]:
    """Return one row per algorithm for which some run has a proved bound on the regret.

    Proved bounds are marked neither better nor worse, since they depend on the T of their run.
    """
    bounds = {run.algorithm for record in records for run in run_bound.bounded(record)}
    head = "{a} proved to be at most"
    return [
        (say(head, a=Code(algorithm)), *(run_bound.at_most(of(record, algorithm)) for record in records))
        for algorithm in shared(records)
        if algorithm in bounds
    ]


def together(records: Sequence[RecordedRun], names: Sequence[str]) -> list[Block]:
    """Return the regret of all runs in one drawing, where they were recorded at the same episodes."""
    if any(record.t != records[0].t for record in records):
        return [Paragraph.of("The runs are of different lengths, so they are not drawn together.")]
    lines = [
        run._replace(algorithm=f"{name}: {run.algorithm}")
        for record, name in zip(records, names, strict=True)
        for run in record.runs
    ]
    drawing = figures.regret(records[0]._replace(runs=tuple(lines)))
    caption = say("Policy regret of all runs: means over seeds; the bands are two standard errors to either side.")
    return [
        run_epochs.drawing(drawing, caption, f"Policy regret against data episodes of {', '.join(names)}", "regret")
    ]


def constants(record: RecordedRun, algorithm: str) -> Table:
    """Return the constants of one algorithm of a run."""
    whole = runs.constants_table(record)
    run = of(record, algorithm)
    column = None if run is None else 1 + record.runs.index(run)
    return Table("", ("Constant", algorithm), tuple((row[0], row[column]) for row in whole.rows) if column else ())
