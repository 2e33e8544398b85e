"""Sets certificates, runs or sweeps side by side: what is not as in the first, and whether it is better or worse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.reporting import claims
from pomgcheck.reporting.blocks import Block, Document, Heading, Paragraph, Table
from pomgcheck.reporting.given import Given
from pomgcheck.reporting.pages import certificates, run_comparison, sweep_comparison
from pomgcheck.reporting.pages.side_by_side import SIDE_BY_SIDE, asked, differing, improves, introduced, marked
from pomgcheck.reporting.quantities import Quantity, order, quantities
from pomgcheck.reporting.render.text import plain
from pomgcheck.reporting.spans import NOTHING, Code, Inline, Link, Strong, VerdictMark, joined, listed, say
from pomgcheck.reporting.words import CONSTANTS, WORST_FIRST

CHECKING = (
    "This page is a reading of the certificates and proves nothing. The kernel checks each of them; how a claim was proved, "
    "or how it fails, is told by the second command."
)
ENDINGS = {"certificate": "cert", "run": "run", "sweep": "sweep"}
DEEPEST = 3  # keys of a document's path that are named
MOST_PATHS = 12  # of two documents that differ; of more, fewer keys are named


def document(inputs: Sequence[Given], kind: str) -> Document:
    """Return the comparison of certificates (``kind`` "certificate"), of runs ("run") or of sweeps ("sweep"), of which
    there must be at least two."""
    names, records = names_of(inputs), [each.record for each in inputs]
    files = [each.file or f"{name}.{ENDINGS[kind]}.json" for name, each in zip(names, inputs, strict=True)]
    heading = say("Comparison: {names}", names=listed(names))
    bodies: dict[str, Callable[..., list[Block]]]
    bodies = {"certificate": of_certificates, "run": run_comparison.blocks, "sweep": sweep_comparison.blocks}
    return Document(
        title=plain(heading),
        stamp={f"{kind}-{k}": each.sha256 for k, each in enumerate(records, 1)},
        blocks=(Heading(1, heading), *bodies[kind](records, names, files)),
    )


def names_of(inputs: Sequence[Given]) -> list[str]:
    """Return one name for each: the file's without its endings, or the class's, numbered where two would be the same."""
    ending = rf"(\.({'|'.join(ENDINGS.values())}))?\.json$"
    names = [re.sub(ending, "", each.file) or each.record.name for each in inputs]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: k + 1].count(name)})" for k, name in enumerate(names)
    ]


def of_certificates(certs: Sequence[Certificate], names: Sequence[str], files: Sequence[str]) -> list[Block]:
    """Return verdicts, constants, classes and options side by side."""
    return [
        *introduced(names, (certificates.verdict(cert).text for cert in certs)),
        Paragraph(verdicts_in_words(certs, names)),
        Heading(2, say("Claims"), "claims"),
        claims_table(certs, names),
        Heading(2, say("Constants"), "certified-constants"),
        constants_table(certs, names),
        *asked(
            [
                *differing([certificates.class_table(cert.model) for cert in certs], names, "The model classes"),
                *documents(certs, names),
                *differing([certificates.options_table(cert.options) for cert in certs], names, "Options"),
            ],
            CHECKING,
            (f"pomgcheck verify {' '.join(map(quote, files))}", f"pomgcheck explain {quote(files[0])} CLAIM"),
            certs,
            names,
        ),
    ]


def all_ids(certs: Sequence[Certificate]) -> list[str]:
    """Return every claim of some certificate, in their order."""
    return list(dict.fromkeys(claim.id for cert in certs for claim in cert.claims.values()))


def verdicts_in_words(certs: Sequence[Certificate], names: Sequence[str]) -> Inline:
    """Return how many claims end alike, and which do not."""
    found = [cert.claims for cert in certs]
    ids = all_ids(certs)
    apart = [c for c in ids if len({each[c].verdict if c in each else "" for each in found}) > 1]
    compared = say("▲ and ▼ compare with {first}.", first=Strong(names[0]))
    if not apart:
        return joined(say("All {n} claims end alike.", n=str(len(ids))), compared)
    links = listed(Link(claims.title(c), "claims") for c in apart)
    alike = f"{len(ids) - len(apart)} of {len(ids)}"
    return joined(say("{alike} claims end alike; these do not: {apart}.", alike=alike, apart=links), compared)


def claims_table(certs: Sequence[Certificate], names: Sequence[str]) -> Table:
    """Return one row per claim: its verdict and how it was settled in each certificate."""
    found = [cert.claims for cert in certs]

    def cell(k: int, claim: str) -> Inline:
        if claim not in found[k]:
            return NOTHING
        verdict = found[k][claim].verdict
        shown = joined((VerdictMark(verdict),), say("({how})", how=claims.in_brief(certs[k], found[k][claim])))
        first = found[0][claim].verdict if claim in found[0] else verdict
        return marked(shown, None if verdict == first else WORST_FIRST.index(verdict) > WORST_FIRST.index(first))

    rows = (
        (say("{t} {id}", t=claims.title(claim), id=Code(claim)), *(cell(k, claim) for k in range(len(certs))))
        for claim in all_ids(certs)
    )
    return Table.of("", ("Claim", *names), rows, dense=len(names) > SIDE_BY_SIDE, sortable=True)


def constants_table(certs: Sequence[Certificate], names: Sequence[str]) -> Table:
    """Return one row per constant, with the end of it that the theorem uses."""

    def cell(quantity: Quantity, k: int) -> Inline:
        value, first = quantity.of(certs[k]), quantity.of(certs[0])
        if value is None:
            return NOTHING
        shown: Inline = (quantity.number(value),)
        if first is None or not k or value == first:
            return shown
        return marked(shown, improves(quantity, order(value), order(first)))

    rows = (
        (quantity.symbol, quantity.meaning + ENDS[quantity.end], *(cell(quantity, k) for k in range(len(certs))))
        for quantity in quantities(certs)
        if quantity.base in CONSTANTS.keys() - {"C_0"}
    )
    return Table.of("", ("Constant", "What it is", *names), rows, dense=len(names) > SIDE_BY_SIDE, sortable=True)


ENDS = {"lower": ", at least", "upper": ", at most", "": ""}


def documents(certs: Sequence[Certificate], names: Sequence[str]) -> list[Block]:
    """Return the parts of the model documents that are not those of the first."""
    first, out = Strong(names[0]), list[Block]()
    for name, cert in zip(names[1:], certs[1:], strict=True):
        paths = listed(map(Code, places(certs[0].model, cert.model)))
        but = say(" but for {p}", p=paths) if paths else ()
        out.append(Paragraph.of("The document of {n} is that of {first}{but}.", n=Strong(name), first=first, but=but))
    return out


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
