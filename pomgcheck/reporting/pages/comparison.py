"""Certificates, runs or sweeps side by side: what is not as in the first, and whether it is better or worse."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pomgcheck.reporting import claims
from pomgcheck.reporting.blocks import (
    NOTHING,
    Block,
    Code,
    Document,
    Heading,
    Inline,
    Link,
    Listing,
    Paragraph,
    Strong,
    Table,
    Verdict,
    joined,
    listed,
    say,
)
from pomgcheck.reporting.drawings import figures
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.pages import certificates, run_bound, run_epochs, runs
from pomgcheck.reporting.quantities import Point, Quantity, order, quantities
from pomgcheck.reporting.render.text import plain
from pomgcheck.reporting.words import CONSTANTS, counted

RANKS = ("refuted", "unknown", "declared", "vacuous", "proved")  # from worst to best
SMALLER = ("T_star",)  # values without a direction of which less is better
ENDINGS = {"certificate": "cert", "run": "run", "sweep": "sweep"}
DEEPEST = 3  # keys of a document's path that are named
SIDE_BY_SIDE = 4  # columns of a comparison that a page holds; more of them scroll
MOST_PATHS = 12  # of two documents that differ; of more, fewer keys are named

Source = tuple[Mapping[str, Any], str]  # the JSON, and the name of its file where it has one
BETTER, WORSE = Strong("▲\xa0better"), Strong("▼\xa0worse")


def document(sources: Sequence[Source], kind: str) -> Document:
    """Return the comparison of certificates (``kind`` "certificate"), of runs ("run") or of sweeps ("sweep"), of which
    there must be at least two."""
    from pomgcheck.reporting.pages import sweep_comparison  # which takes its tables from here

    names, data = names_of(sources), [each for each, _ in sources]
    files = [file or f"{name}.{ENDINGS[kind]}.json" for name, (_, file) in zip(names, sources, strict=True)]
    heading = say("Comparison: {names}", names=listed(names))
    body = {"certificate": of_certificates, "run": of_runs, "sweep": sweep_comparison.blocks}[kind](data, names, files)
    return Document(
        title=plain(heading),
        stamp={f"{kind}-{k}": each["sha256"] for k, each in enumerate(data, 1)},
        blocks=(Heading(1, heading), *body),
    )


def names_of(sources: Sequence[Source]) -> list[str]:
    """Return one name for each: the file's without its endings, or the class's, numbered where two would be the same."""
    names = []
    for data, file in sources:
        model = data.get("model", data)  # a run has its name alone, a sweep its own name
        own = model if isinstance(model, str) else model["name"]
        names.append(re.sub(rf"(\.({'|'.join(ENDINGS.values())}))?\.json$", "", file) or own)
    return [
        name if names.count(name) == 1 else f"{name} ({names[: k + 1].count(name)})" for k, name in enumerate(names)
    ]


# -------------------------------------------------------------------------------------- certificates


def of_certificates(certs: Sequence[Mapping[str, Any]], names: Sequence[str], files: Sequence[str]) -> list[Block]:
    """Return verdicts, constants, classes and options side by side."""
    return [
        *(
            Paragraph(joined(say("{n}:", n=Strong(name)), certificates.verdict(cert).text))
            for name, cert in zip(names, certs, strict=True)
        ),
        Paragraph(verdicts_in_words(certs, names)),
        Heading(2, say("Claims"), "claims"),
        claims_table(certs, names),
        Heading(2, say("Constants"), "certified-constants"),
        constants_table(certs, names),
        Heading(2, say("What was asked"), "asked"),
        Paragraph(say("Only what is not the same in all is listed.")),
        *differing([certificates.class_table(cert["model"]) for cert in certs], names, "The model classes"),
        *documents(certs, names),
        *differing([certificates.options_table(cert["options"]) for cert in certs], names, "Options"),
        Heading(2, say("Checking it"), "checking"),
        Paragraph(
            say(
                "This page is a reading of the certificates and proves nothing. The kernel checks each of them; "
                "how a claim was proved, or how it fails, is told by the second command."
            )
        ),
        Listing((f"pomgcheck verify {' '.join(files)}", f"pomgcheck explain {files[0]} CLAIM")),
        digests(certs, names),
    ]


def by_id(cert: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the claims of a certificate."""
    return {claim["id"]: claim for claim in cert["claims"]}


def all_ids(certs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return every claim of some certificate, in their order."""
    return list(dict.fromkeys(claim["id"] for cert in certs for claim in cert["claims"]))


def verdicts_in_words(certs: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Inline:
    """Return how many claims end alike, and which do not."""
    found = [by_id(cert) for cert in certs]
    ids = all_ids(certs)
    apart = [c for c in ids if len({each[c]["verdict"] if c in each else "" for each in found}) > 1]
    compared = say("▲ and ▼ compare with {first}.", first=Strong(names[0]))
    if not apart:
        return joined(say("All {n} claims end alike.", n=str(len(ids))), compared)
    return joined(
        say(
            "{k} of {n} claims end alike; these do not: {apart}.",
            k=str(len(ids) - len(apart)),
            n=str(len(ids)),
            apart=listed(Link(claims.title(c), "claims") for c in apart),
        ),
        compared,
    )


def marked(cell: Inline, better: bool | None) -> Inline:
    """Return a cell with the mark of what is better or worse than in the first column; with ``None`` there is no mark,
    since neither can be said."""
    return cell if better is None else joined(cell, (BETTER if better else WORSE,))


def claims_table(certs: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
    """Return one row per claim: its verdict and how it was settled in each certificate."""
    found = [by_id(cert) for cert in certs]

    def cell(k: int, claim: str) -> Inline:
        if claim not in found[k]:
            return NOTHING
        verdict = found[k][claim]["verdict"]
        shown = joined((Verdict(verdict),), say("({how})", how=claims.in_brief(certs[k], found[k][claim])))
        first = found[0].get(claim, {"verdict": verdict})["verdict"]
        return marked(shown, None if verdict == first else RANKS.index(verdict) > RANKS.index(first))

    rows = tuple(
        (say("{t} {id}", t=claims.title(claim), id=Code(claim)), *(cell(k, claim) for k in range(len(certs))))
        for claim in all_ids(certs)
    )
    return Table("", ("Claim", *names), rows, dense=len(names) > SIDE_BY_SIDE, sortable=True)


def values(cert: Mapping[str, Any]) -> dict[str, Any]:
    """Return all values of a certificate by name."""
    return {name: value for claim in cert["claims"] for name, value in claim["values"].items()}


def constants_table(certs: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
    """Return one row per constant, with the end of it that the theorem uses."""
    points: list[Point] = [{"values": values(cert)} for cert in certs]

    def cell(quantity: Quantity, k: int) -> Inline:
        value, first = quantity.of(points[k]), quantity.of(points[0])
        if value is None:
            return NOTHING
        shown = say("{x}", x=quantity.number(value))
        if first is None or not k or value == first:
            return shown
        return marked(shown, improves(quantity, order(value), order(first)))

    rows = tuple(
        (
            (quantity.symbol,),
            say("{m}{end}", m=quantity.meaning, end=ENDS[quantity.end]),
            *(cell(quantity, k) for k in range(len(certs))),
        )
        for quantity in quantities(points)
        if quantity.base in CONSTANTS.keys() - {"C_0"}
    )
    return Table("", ("Constant", "What it is", *names), rows, dense=len(names) > SIDE_BY_SIDE, sortable=True)


ENDS = {"lower": ", at least", "upper": ", at most", "": ""}


def improves(quantity: Quantity, value: Fraction, first: Fraction) -> bool | None:
    """Return whether a value is better than the first: a lower end that is larger, an upper end that is smaller."""
    if quantity.end == "lower":
        return value > first
    return value < first if quantity.end == "upper" or quantity.base in SMALLER else None


def documents(certs: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Block]:
    """Return the parts of the model documents that are not those of the first."""
    sentences = []
    for name, cert in zip(names[1:], certs[1:], strict=True):
        paths = places(certs[0]["model"], cert["model"])
        fields: dict[str, Any] = {"n": Strong(name), "first": Strong(names[0])}
        sentences.append(
            say("The document of {n} is that of {first} but for {p}.", p=listed(map(Code, paths)), **fields)
            if paths
            else say("The document of {n} is that of {first}.", **fields)
        )
    return [Paragraph(sentence) for sentence in sentences]


def places(first: Any, other: Any) -> list[str]:
    """Return paths at which two documents differ: three keys deep, or fewer where they differ in many places."""
    every = [list(changes(first, other, depth)) for depth in range(DEEPEST, 0, -1)]
    return next((paths for paths in every if len(paths) <= MOST_PATHS), every[-1])


def changes(first: Any, other: Any, depth: int, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Return paths at which two documents differ, ``depth`` keys deep at most."""
    if first == other:
        return
    if not (isinstance(first, Mapping) and isinstance(other, Mapping)) or len(path) == depth:
        yield ".".join(path)
        return
    for key in sorted({*first, *other}):
        yield from changes(first.get(key), other.get(key), depth, (*path, key))


# --------------------------------------------------------------------------------------------- runs


def of_runs(records: Sequence[Mapping[str, Any]], names: Sequence[str], files: Sequence[str]) -> list[Block]:
    """Return results and set-up of runs side by side."""
    return [
        *(
            Paragraph(joined(say("{n}:", n=Strong(name)), runs.summary(record)))
            for name, record in zip(names, records, strict=True)
        ),
        Heading(2, say("Results"), "results"),
        results_table(records, names),
        *together(records, names),
        Heading(2, say("What was asked"), "asked"),
        Paragraph(say("Only what is not the same in all is listed.")),
        *differing([runs.setup_table(record) for record in records], names, "Set-up"),
        *(
            block
            for algorithm in shared(records)
            for block in differing(
                [constants(record, algorithm) for record in records], names, f"Constants of {algorithm}"
            )
        ),
        Heading(2, say("Checking it"), "checking"),
        Paragraph(say("Each record is checked under its own certificate; with `--replay` every seed is played again.")),
        Listing(
            tuple(
                f"pomgcheck verify {record['certificate_file']} {file}"
                for record, file in zip(records, files, strict=True)
            )
        ),
        digests(records, names),
    ]


def shared(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the algorithms of some run, in their order."""
    return list(dict.fromkeys(run["algorithm"] for record in records for run in record["runs"]))


def of(record: Mapping[str, Any], algorithm: str) -> Mapping[str, Any] | None:
    """Return one algorithm of a run, or ``None`` if it was not played."""
    return next((run for run in record["runs"] if run["algorithm"] == algorithm), None)


RESULTS = {"regret": "regret", "total_regret": "regret with warm-up", "S_T": "epochs"}


def results_table(records: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
    """Return one row per algorithm and result: means over seeds with two standard errors."""

    def result(record: Mapping[str, Any], algorithm: str, key: str) -> Mapping[str, str | None] | None:
        run = of(record, algorithm)
        return None if run is None else runs.last(run) if key == "regret" else run["summary"][key]

    def cell(k: int, algorithm: str, key: str) -> Inline:
        here, first = result(records[k], algorithm, key), result(records[0], algorithm, key)
        if here is None:
            return NOTHING
        if first is None or not k or here == first:
            return runs.spread(here)
        gap = fraction(here["mean"] or "0") - fraction(first["mean"] or "0")
        width = sum(fraction(end["two_se"] or "0") for end in (here, first))
        if abs(gap) <= width:
            return joined(runs.spread(here), say("(within the spread)"))
        return marked(runs.spread(here), gap < 0)

    rows = tuple(
        (say("{a} {what}", a=Code(algorithm), what=what), *(cell(k, algorithm, key) for k in range(len(records))))
        for algorithm in shared(records)
        for key, what in RESULTS.items()
    ) + proved(records)
    caption = f"Mean over seeds ± two standard errors; ▲ and ▼ compare with {names[0]}, less being better"
    return Table(caption, ("Result", *names), rows, sortable=True)


def proved(records: Sequence[Mapping[str, Any]]) -> tuple[tuple[Inline, ...], ...]:
    """Return one row per algorithm for which some run has a proved bound on the regret.

    Proved bounds are marked neither better nor worse, since they depend on the T of their run.
    """
    bounds = {run["algorithm"] for record in records for run in run_bound.bounded(record)}
    return tuple(
        (
            say("{a} proved to be at most", a=Code(algorithm)),
            *(run_bound.at_most(of(record, algorithm) or {}) for record in records),
        )
        for algorithm in shared(records)
        if algorithm in bounds
    )


def together(records: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Block]:
    """Return the regret of all runs in one drawing, where they were recorded at the same episodes."""
    if any(record["t"] != records[0]["t"] for record in records):
        return [Paragraph(say("The runs are of different lengths, so they are not drawn together."))]
    lines = [
        run | {"algorithm": f"{name}: {run['algorithm']}"}
        for record, name in zip(records, names, strict=True)
        for run in record["runs"]
    ]
    drawing = figures.regret({"t": records[0]["t"], "runs": lines})
    caption = say("Policy regret of all runs: means over seeds; the bands are two standard errors to either side.")
    return [
        run_epochs.drawing(drawing, caption, f"Policy regret against data episodes of {', '.join(names)}", "regret")
    ]


def constants(record: Mapping[str, Any], algorithm: str) -> Table:
    """Return the constants of one algorithm of a run."""
    whole = runs.constants_table(record)
    run = of(record, algorithm)
    column = None if run is None else 1 + list(record["runs"]).index(run)
    return Table("", ("Constant", algorithm), tuple((row[0], row[column]) for row in whole.rows) if column else ())


# -------------------------------------------------------------------------------------------- both


def differing(tables: Sequence[Table], names: Sequence[str], caption: str) -> list[Block]:
    """Return the rows of tables of one kind that are not the same in all, side by side."""
    found = [{plain(row[0]): row for row in table.rows} for table in tables]
    keys = list(dict.fromkeys(key for rows in found for key in rows))
    rows = []
    for key in keys:
        cells = [each[key][1] if key in each else NOTHING for each in found]
        if any(cell != cells[0] for cell in cells):
            head = next(each[key][0] for each in found if key in each)
            rows.append((head, *(cell if cell == cells[0] else joined((Strong("≠"),), cell) for cell in cells)))
    if not rows:
        return [Paragraph(say("{what}: {n}, all the same.", what=caption, n=counted(len(keys), "row")))]
    return [Table(caption, ("Part", *names), tuple(rows), dense=len(names) > SIDE_BY_SIDE)]


def digests(data: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
    """Return the digests of what is compared, to read."""
    rows = tuple((say("{n}", n=name), (Code(each["sha256"]),)) for name, each in zip(names, data, strict=True))
    return Table("", ("Compared", "SHA-256"), rows)
