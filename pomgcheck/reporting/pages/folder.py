"""Makes the index of a folder, with a row for each certificate, run, sweep and experiment in it, and says what was
passed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pomgcheck.certificate import Certificate
from pomgcheck.errors import counted
from pomgcheck.experiments.record import ExperimentRecord
from pomgcheck.learner.record import RunRecord
from pomgcheck.records import KINDS, Record
from pomgcheck.remedies import RepairRecord
from pomgcheck.reporting.blocks import Block, Document, Heading, Items, Paragraph, Table
from pomgcheck.reporting.numbers import number
from pomgcheck.reporting.pages import runs, sweeps
from pomgcheck.reporting.spans import NOTHING, Code, Field, Inline, Label, Page, VerdictMark, joined, listed, say
from pomgcheck.search.sweep_file import Sweep

COLUMNS = ("File", "Kind", "Class", "Verdict", "Claims not proved", "In short", "SHA-256")
FILTERS = ("Kind", "Class", "Verdict", "Claims not proved")


class Skipped(NamedTuple):
    """This is a file that was passed over, and why."""

    file: str
    why: str


def document(
    folder: str, records: Sequence[tuple[Record, str, str]], skipped: Sequence[Skipped], models: int
) -> Document:
    """Return the index of the folder of that name.

    ``records`` come each with its file and the address of its page, which is "" where it has none; ``models`` is the
    number of model documents besides.
    """
    counts = {kind: sum(isinstance(record, of) for record, *_ in records) for kind, of in KINDS.items()}
    found = listed(counted(n, kind) for kind, n in counts.items() if n)
    beside = say("{n} {are} not listed.", n=counted(models, "model document"), are="are" if models > 1 else "is")
    out: list[Block] = [
        Heading(1, say("{folder}: index", folder=folder)),
        Paragraph(joined(say("{found}.", found=found), beside if models else ())),
        Table.of("", COLUMNS, (row(*each) for each in records), sortable=True, filters=FILTERS),
    ]
    if skipped:
        out += [
            Heading(2, say("Passed over"), "passed-over"),
            Paragraph.of("These files are JSON, and nothing that is listed here."),
            Items(tuple(say("{f}: {why}", f=Code(file), why=why) for file, why in skipped)),
        ]
    out.append(Paragraph(say("This page lists what the files say; `pomgcheck verify` checks each of them."), "note"))
    return Document(title=f"{folder}: index", blocks=tuple(out))


def row(record: Record, file: str, page: str = "") -> tuple[Field, ...]:
    """Return a record in one line, in which its file leads to its page."""
    kind = next(kind for kind, of in KINDS.items() if isinstance(record, of))
    name, verdict, claims, short = IN_SHORT[kind](record)
    return (
        Page(file, page) if page else Code(file),
        kind,
        Label(name),
        VerdictMark(verdict) if verdict else NOTHING,
        listed(claims, last="") or NOTHING,
        short,
        Code(f"{record.sha256[:12]}…"),
    )


Told = tuple[str, str, list[str], Inline]


def of_certificate(cert: Certificate) -> Told:
    """Return its class, its verdict, the claims that are not proved, and the T from which its bound says something."""
    left = [f"{claim.id} {claim.verdict}" for claim in cert.claims.values() if claim.verdict != "proved"]
    values, total = cert.values.written, len(cert.claims)
    parts = [say("{n} proved", n=f"{total - len(left)} of {total}")]
    if "alpha_lower" in values:
        parts.append(say("$α_κ$ ≥ {a}", a=number(values["alpha_lower"], "down")))
    if "T_star" in values:
        parts.append(say("$T*$ = {t}", t=str(values["T_star"])))
    return cert.name, "certified" if cert.certified else "not certified", left, listed(parts, last="")


def of_run(record: RunRecord) -> Told:
    """Return its class, and the regret of each algorithm."""
    run = record.content
    each = (say("{a} {r}", a=Code(each.algorithm), r=runs.spread(runs.last(each))) for each in run.runs)
    return run.model, "", [], say("after {T}: {r}", T=f"{run.episodes:,}", r=listed(each, last=""))


def of_sweep(sweep: Sweep) -> Told:
    """Return its class, and how its points ended."""
    return sweep.name, "", [], sweeps.summary(sweep)


def of_experiment(record: ExperimentRecord) -> Told:
    """Return the class that its certificate's file is named after, and its title."""
    found = record.content
    return found.certificate.file.removesuffix(".cert.json"), "", [], say("{t}", t=found.title)


def of_repair(record: RepairRecord) -> Told:
    """Return its class, and what it does to that."""
    what = {"drop": "what to leave out", "box": "a box of the intervals", "floor": "a floor of the responses"}
    state = "settled" if record.settled else "not settled"
    return record.name, "", [], say("{what}; {state}", what=what[record.kind], state=state)


IN_SHORT: dict[str, Callable[..., Told]] = {
    "certificate": of_certificate,
    "run": of_run,
    "sweep": of_sweep,
    "experiment": of_experiment,
    "repair": of_repair,
}
