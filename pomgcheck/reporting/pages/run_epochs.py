"""Shows the epochs of a run's first seed: as bars, as the size of the confidence set, and as a table."""

from __future__ import annotations

from collections.abc import Callable

from pomgcheck.errors import counted
from pomgcheck.evidence import Xi
from pomgcheck.learner.record import RecordedAlgorithm, RecordedEpoch, RecordedRun
from pomgcheck.reporting.blocks import Block, Figure, Paragraph, Table
from pomgcheck.reporting.drawings import figures
from pomgcheck.reporting.numbers import decimal, fraction
from pomgcheck.reporting.spans import NOTHING, Code, Field, Inline, Label, say
from pomgcheck.reporting.words import model

MOST_EPOCHS = 40  # rows of the table of epochs


def drawing(drawn: figures.Drawing, caption: Inline, description: str, stem: str) -> Figure:
    """Return a drawing as a block."""
    return Figure(drawn.svg, caption, description, stem, drawn.stops)


def listed(record: RecordedRun) -> tuple[RecordedAlgorithm, tuple[RecordedEpoch, ...]] | None:
    """Return the first algorithm whose epochs the record lists, and those of its first seed."""
    found = ((run, run.seeds[0].epochs) for run in record.runs)
    return next(((run, epochs) for run, epochs in found if epochs is not None), None)


def timelines(record: RecordedRun) -> list[Block]:
    """Return the epochs of one seed as bars."""
    found = listed(record)
    if found is None:
        return []
    run, played = found
    return [
        drawing(
            figures.timeline(record, played),
            say("Seed {s} of {a}.", s=str(run.seeds[0].seed), a=Code(run.algorithm)),
            f"The {len(played)} epochs of one seed as bars in the rows of their policies",
            "timeline",
        )
    ]


def confidence_sets(record: RecordedRun) -> list[Block]:
    """Return the size of the confidence set from epoch to epoch, of the algorithms that keep one."""
    firsts = {run.algorithm: run.seeds[0] for run in record.runs}
    traces = {
        name: seed.epochs
        for name, seed in firsts.items()
        if seed.epochs and all(epoch.models_inside is not None for epoch in seed.epochs)
    }
    if not traces:
        return []
    ends = ", ".join(f"{name} from {e[0].models_inside} to {e[-1].models_inside}" for name, e in traces.items())
    return [
        drawing(
            figures.confidence_sets(record, traces),
            say("At the start of each epoch; seed {s}.", s=str(record.seeds[0])),
            f"How many models the confidence set holds at the start of each epoch: {ends}",
            "confidence-sets",
        )
    ]


def epochs(record: RecordedRun) -> list[Block]:
    """Return the epochs of the first seed of the first algorithm that lists them."""
    found = listed(record)
    if found is None:
        return [Paragraph.of("The record lists no epochs: a new policy may be chosen every episode.")]
    run, played = found
    shown = played[:MOST_EPOCHS]
    left_out = len(played) - len(shown)
    note = (
        say(" The first {n} are shown; {m} more are in the record.", n=str(len(shown)), m=str(left_out))
        if left_out
        else ""
    )
    seed, n = str(run.seeds[0].seed), counted(len(played), "epoch")
    return [
        Paragraph.of("Seed {s} of {a}: {n}.{note}", s=seed, a=Code(run.algorithm), n=n, note=note),
        Table.of(
            "", COLUMNS, ([cell(epoch) for cell in COLUMNS.values()] for epoch in shown), dense=True, sortable=True
        ),
    ]


def number(text: str | None) -> Field:
    """Return a number of an epoch, where there is one."""
    return NOTHING if not text else "∞" if text == "infinite" else decimal(fraction(text), digits=5)


COLUMNS: dict[str, Callable[[RecordedEpoch], Field]] = {
    "Epoch": lambda epoch: str(epoch.e),
    "Policy": lambda epoch: Label(epoch.policy),
    "Model planned with": lambda epoch: model(Xi(**epoch.xi)) if epoch.xi else NOTHING,
    "Episodes": lambda epoch: f"{epoch.episodes:,}",
    "Ended by": lambda epoch: epoch.ended,
    "Regret": lambda epoch: number(epoch.regret),
    "Radius β": lambda epoch: number(epoch.beta),
    "Threshold τ": lambda epoch: number(epoch.threshold),
    "Likelihood gap": lambda epoch: number(epoch.gap),
    "Truth inside": lambda epoch: NOTHING if epoch.truth_inside is None else "yes" if epoch.truth_inside else "no",
    "Models inside": lambda epoch: NOTHING if epoch.models_inside is None else f"{epoch.models_inside:,}",
    "Warm-up": lambda epoch: str(epoch.warmup),
}
