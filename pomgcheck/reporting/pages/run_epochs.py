"""Shows the epochs of a run's first seed: as bars, as the size of the confidence set, and as a table."""

from __future__ import annotations

from pomgcheck.errors import counted
from pomgcheck.evidence import Xi
from pomgcheck.learner.record import RecordedAlgorithm, RecordedEpoch, RecordedRun
from pomgcheck.reporting.blocks import NOTHING, Block, Code, Figure, Inline, Label, Paragraph, Table, say
from pomgcheck.reporting.drawings import figures
from pomgcheck.reporting.numbers import decimal, fraction
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
        return [Paragraph(say("The record lists no epochs: a new policy may be chosen every episode."))]
    run, played = found
    shown = played[:MOST_EPOCHS]
    left_out = len(played) - len(shown)
    note = (
        say(" The first {n} are shown; {m} more are in the record.", n=str(len(shown)), m=str(left_out))
        if left_out
        else ""
    )
    rows = tuple(
        (
            say("{e}", e=str(epoch.e)),
            say("{p}", p=Label(epoch.policy)),
            say("{xi}", xi=model(Xi(**epoch.xi))) if epoch.xi else NOTHING,
            say("{n}", n=f"{epoch.episodes:,}"),
            say("{w}", w=epoch.ended),
            say("{r}", r=decimal(fraction(epoch.regret), digits=5)),
            say("{b}", b=decimal(fraction(epoch.beta), digits=5)) if epoch.beta else NOTHING,
            say("{t}", t=decimal(fraction(epoch.threshold), digits=5)) if epoch.threshold else NOTHING,
            NOTHING
            if epoch.gap is None
            else say("{g}", g="∞" if epoch.gap == "infinite" else decimal(fraction(epoch.gap), digits=5)),
            NOTHING if epoch.truth_inside is None else say("yes" if epoch.truth_inside else "no"),
            NOTHING if epoch.models_inside is None else say("{n}", n=f"{epoch.models_inside:,}"),
            say("{n}", n=str(epoch.warmup)),
        )
        for epoch in shown
    )
    columns = (
        "Epoch",
        "Policy",
        "Model planned with",
        "Episodes",
        "Ended by",
        "Regret",
        "Radius β",
        "Threshold τ",
        "Likelihood gap",
        "Truth inside",
        "Models inside",
        "Warm-up",
    )
    return [
        Paragraph(
            say(
                "Seed {s} of {a}: {n}.{note}",
                s=str(run.seeds[0].seed),
                a=Code(run.algorithm),
                n=counted(len(played), "epoch"),
                note=note,
            )
        ),
        Table("", columns, rows, dense=True, sortable=True),
    ]
