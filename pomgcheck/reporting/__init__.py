"""Writes reports: certificates, run records and sweeps in words, as text, Markdown, HTML or LaTeX. A record shows
itself through them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import InputError, LimitExceeded, PomgcheckError, counted
from pomgcheck.experiments.record import ExperimentRecord
from pomgcheck.kernel.reading import Malformed, long_integers, read_json
from pomgcheck.learner.record import RunRecord
from pomgcheck.options import integer
from pomgcheck.outputs import writable, write
from pomgcheck.records import recorded
from pomgcheck.remedies import RepairRecord
from pomgcheck.reporting.blocks import Block, Document, Paragraph
from pomgcheck.reporting.given import Given, Source, legible, read
from pomgcheck.reporting.pages import certificates
from pomgcheck.reporting.render import text
from pomgcheck.reporting.spans import Code, Strong, joined, say
from pomgcheck.reporting.writing import FORMATS, Body, typesetting_asked, unknown_form, written
from pomgcheck.search.sweep_file import Sweep
from pomgcheck.stored import NAMES, Displayed, form, kind_of, of_another_kind, read_bytes

if TYPE_CHECKING:
    from pomgcheck.certificate import Sensitivity
    from pomgcheck.reporting.pages.folder import Skipped

__all__ = ["digests_in", "explain", "index", "notebook_html", "report", "sensitivity"]

LONGEST = 10**18  # episodes
MOST_FILES = 5000  # of an index
MODEL_DOCUMENT = "a model document"


def named_claim(cert: Certificate, claim: str) -> RecordedClaim:
    """Return a claim, by its id.

    Raises ``InputError`` for anything else; for a number of the paper the error lists the ids that belong to it.
    """
    if claim not in cert.claims:
        raise InputError.claim("claim", claim, {each.id: each.paper for each in cert.claims.values()})
    return cert.claims[claim]


@long_integers()
def explain(
    source: Source,
    claim: str | None = None,
    *,
    episodes: int | None = None,
    width: int = 100,
    paint: text.Paint = text.unpainted,
) -> str:
    """Return one claim of a certificate in words, or all of them: statement, constants, proof or counterexample.

    ``source`` is a certificate: its path, its JSON or the object; ``claim`` is the id of a claim. ``episodes`` (1 to
    10^18) is the T at which the explicit bound is walked through, if it is not the certificate's. ``width`` is in
    columns. ``paint(role, words)`` may colour words for a terminal; the roles are the verdicts, "heading", "strong",
    "code", "label", "number" and "math".

    Raises ``InputError`` for an id that is not there.
    """
    if episodes is not None:
        integer(episodes, "episodes", 1, LONGEST)
    if episodes is not None and claim not in (None, "regret", "constants"):
        raise InputError("episodes", f"the claim {claim}", "regret or constants, which alone depend on T")
    given = read(source)
    cert = given.record
    if not isinstance(cert, Certificate):
        raise InputError("explain", f"a {given.kind}", "a certificate", "report describes the others")
    with legible([given]):
        claims = cert.claims.values() if claim is None else [named_claim(cert, claim)]
        blocks: list[Block] = [certificates.verdict(cert)] if claim is None else []
        for entry in claims:
            blocks += certificates.claim_section(cert, entry, level=2, episodes=episodes)
        return text.render(blocks, width, paint)


@long_integers()
def sensitivity(source: Source, *, episodes: int | None = None) -> tuple[Sensitivity, ...]:
    """Return how the proved bounds on the policy regret move where one constant is halved or doubled.

    Those of Theorem 3.3 stand first, and for each bound the constant that moves it most. ``episodes`` (1 to 10^18) is
    the T at which the bounds are looked at, if it is not the certificate's. The result is empty where no bound is
    proved. Raises ``InputError`` for anything but a certificate.
    """
    from pomgcheck.reporting.claims import constants, regret
    from pomgcheck.reporting.claims import sensitivity as moved

    given = read(source)
    cert = given.record
    if not isinstance(cert, Certificate):
        raise InputError("sensitivity", f"a {given.kind}", "a certificate")
    found: list[Sensitivity] = []
    with legible([given]):
        T = cert.options.T if episodes is None else integer(episodes, "episodes", 1, LONGEST)
        for claim in cert.claims.values():
            if claim.verdict == "proved" and claim.id == "constants":
                p = constants.premises(cert, T)
                known = constants.dearest(cert) is not None
                found = [*moved.of_theorem(p, T, known), *moved.by_operators(p, T), *found]
            elif claim.verdict == "proved" and claim.id == "regret":
                found += regret.moving(cert, claim, T)
    return tuple(found)


def notebook_html(shown: Any) -> str:
    """Return what a notebook's cell shows of a certificate, run record, sweep, experiment, repair or model class: the table
    that says most, as an HTML fragment with styles of its own and no script."""
    from pomgcheck.reporting.render import html

    blocks: tuple[Block, ...]
    if isinstance(shown, Certificate):
        blocks = certificates.verdict(shown), certificates.claims_table(shown)
    elif isinstance(shown, RunRecord):
        from pomgcheck.reporting.pages import runs

        told = joined(say("{n}:", n=Strong(shown.name)), runs.summary(shown.content))
        blocks = Paragraph(told), runs.results_table(shown.content)
    elif isinstance(shown, Sweep):
        from pomgcheck.reporting.pages import sweeps

        blocks = Paragraph(sweeps.summary(shown)), sweeps.axes_table(shown), sweeps.ends_table(shown)
    elif isinstance(shown, ExperimentRecord):
        from pomgcheck.reporting.pages import experiments

        blocks = Paragraph(say("{t}", t=Strong(shown.content.title))), experiments.comparison(shown.content)
    elif isinstance(shown, RepairRecord):
        from pomgcheck.reporting.pages import repairs

        blocks = tuple(repairs.blocks(shown.content))
    else:
        named = say("{n}, SHA-256 {sha}…", n=Strong(shown.name), sha=Code(shown.sha256[:16]))
        blocks = Paragraph(named), certificates.class_table(shown.document)
    return html.fragment(blocks)


COMPARED = ("certificate", "run", "sweep")


@long_integers()
def report(
    source: Source | Sequence[Source],
    path: str | Path,
    *,
    body: Body = "full",
    section_level: int = 1,
    without: Sequence[str] = (),
) -> Path:
    """Write the report of a certificate, a run, a sweep, an experiment or a repair to ``path`` (.md, .html, .tex, .pdf or
    .txt).

    ``source`` is the record's JSON, its file, or the object; or a run and its certificate together; or several
    certificates, several runs or several sweeps, which are compared; or a folder, of which the report is an index (see
    `index`). Drawings of a Markdown report are written beside it; beside ``X.tex``, a document of its own, there are
    ``X.body.tex`` to input in a paper, ``X.bib`` and the drawings; ``X.pdf`` needs a TeX on this machine. In these two
    forms ``body`` "short" makes half a page of a certificate; ``section_level`` is 1 for sections, 2 for subsections,
    3 for subsubsections; ``without`` leaves out parts, by the anchors of their headings ("options", "eluder-world").

    Returns the path. Raises ``InputError`` for another suffix, or for anything that cannot be reported on,
    ``MissingDependency`` without a TeX, and ``Refused`` for a file that is not as it was written.
    """
    path = writable(path)
    if path.suffix not in FORMATS:
        raise unknown_form(path)
    typeset = typesetting_asked(path, body, section_level, without)
    sources = source if isinstance(source, Sequence) and not isinstance(source, str) else [source]
    if len(sources) == 1 and isinstance(sources[0], str | Path) and Path(sources[0]).is_dir():
        index(sources[0], path)
        return path
    if not sources:
        raise InputError("source", "nothing", "at least one record")
    inputs = [read(entry) for entry in sources]
    with legible(inputs):
        document = in_short(inputs) if body == "short" else document_of(inputs)
        files = written(document, path, [each.told for each in inputs], typeset)
    if path.suffix == ".tex":
        for name in files:
            spared(path.parent / name)
    put(files, path.parent)
    return path


def put(files: Mapping[str, str | bytes], folder: Path) -> None:
    """Write the files of a report, by name, into a folder."""
    for name, content in files.items():
        write(folder / name, content if isinstance(content, bytes) else content.encode())


def spared(path: Path) -> None:
    """Raise ``InputError`` where a LaTeX file or a bibliography is somebody's own: a paper may have the name of a report."""
    if path.suffix not in (".tex", ".bib") or not path.is_file():
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    if not (digests_in(text) or text.startswith("@misc{pomgcheck,") or not text.strip()):
        found = f"{path}, which is not pomgcheck's"
        raise InputError("path", found, "a name that no other LaTeX file has", "give the report another name")


@long_integers()
def index(folder: str | Path, path: str | Path, pages_too: bool = False) -> list[Skipped]:
    """Write the index of the certificates, runs, sweeps and experiments in a folder and those below it.

    Returns the other JSON files, which are passed over, with the reason; documents of model classes are only counted.
    A row leads to the page of its file where that lies beside it, as X.html beside X.json or X.cert.json, and is
    stamped with its digest. With ``pages_too`` the pages that are missing or belong to an earlier file are written; no
    other file is overwritten.

    Raises ``InputError`` where the folder holds no such record, and ``LimitExceeded`` over ``MOST_FILES`` JSON files.
    """
    from pomgcheck.reporting.pages import folder as pages

    path, root = writable(path), Path(folder)
    if path.suffix not in FORMATS:
        raise unknown_form(path)
    files = sorted(islice(root.rglob("*.json"), MOST_FILES + 1))
    if len(files) > MOST_FILES:
        fix = "give the folder of fewer"
        raise LimitExceeded("report", "or more JSON files", len(files), MOST_FILES, fix).inside(str(folder))
    listed, skipped, models = [], [], 0
    for file in files:
        name = file.relative_to(root).as_posix()
        try:
            if (other := foreign(file)) is not None:
                models += other == MODEL_DOCUMENT
                skipped += [pages.Skipped(name, other)] * (other != MODEL_DOCUMENT)
                continue
            record = recorded(file)
            pages.row(record, name)  # what does not fit together is passed over too
        except PomgcheckError as error:
            error.source = ""
            skipped.append(pages.Skipped(name, str(error)))
        except ModuleNotFoundError:
            raise
        except Exception as error:  # a digest can be made for anything
            skipped.append(pages.Skipped(name, f"found entries that do not fit together ({type(error).__name__})"))
        else:
            listed.append((record, name, linked(file, record.sha256, path, pages_too)))
    if not listed:
        found = f"{counted(len(files), 'JSON file')}, none of which can be reported"
        raise InputError("report", found, "a folder with certificates, runs, sweeps or experiments").inside(str(folder))
    made = pages.document(root.resolve().name or "files", listed, skipped, models)
    put(written(made, path), path.parent)
    return skipped


def linked(file: Path, sha256: str, path: Path, write_it: bool) -> str:
    """Return the address, as a link from ``path`` writes it, of the page beside a file, or "" where there is none.

    Where ``write_it`` is set, a page that is missing, or that has another digest, is written first.
    """
    stem = file.with_suffix("")
    if stem.suffix == ".cert":
        stem = stem.with_suffix("")
    page = stem.with_name(stem.name + ".html")
    try:
        stamps = digests_in(page.read_text(encoding="utf-8")) if page.exists() else {}
    except (InputError, UnicodeDecodeError, OSError):
        return ""
    old = sha256 not in stamps.values() and (stamps or not page.exists())
    if write_it and old and page.resolve() != path.resolve():
        report(file, page)
        stamps = {"": sha256}
    if sha256 not in stamps.values():
        return ""
    return quote(Path(os.path.relpath(page.resolve(), path.resolve().parent)).as_posix())


def foreign(file: Path) -> str | None:
    """Return what a JSON file is that is not a record of any kind, or ``None`` where it says that it is a record."""
    data = read_bytes(file, "a file that can be read")
    declared = form(data)
    if kind_of(declared) is not None:
        return None
    refusal = of_another_kind(file, data, declared)
    if refusal is not None:
        return refusal.found
    try:
        read_json(data)
    except Malformed as error:
        return error.found
    return f"JSON of the format {declared[:40]!r}" if declared else "JSON of no format of pomgcheck"


def in_short(inputs: Sequence[Given]) -> Document:
    """Return the short report, which exists only for one certificate of a class given by kernels."""
    if [each.kind for each in inputs] != ["certificate"]:
        raise InputError("body", "another record, or several", "one certificate, for a short body")
    from pomgcheck.reporting.pages import short

    return short.document(of_certificate(inputs[0]), inputs[0].file)


def of_certificate(given: Given) -> Certificate:
    """Return what was given as the certificate that it is."""
    assert isinstance(given.record, Certificate)
    return given.record


def document_of(inputs: Sequence[Given]) -> Document:
    """Return the report of one record, of a run with the certificate it was made under, or of several records of a
    kind."""
    kinds, (record, file), several = [each.kind for each in inputs], inputs[0], len(inputs) > 1
    if not several and isinstance(record, Certificate):
        return certificates.document(record, file)
    if not several and isinstance(record, Sweep):
        from pomgcheck.reporting.pages import sweeps

        return sweeps.document(record, file)
    if not several and isinstance(record, ExperimentRecord):
        from pomgcheck.reporting.pages import experiments

        return experiments.document(record.content, file)
    if not several and isinstance(record, RepairRecord):
        from pomgcheck.reporting.pages import repairs

        return repairs.document(record, file)
    if several and len(set(kinds)) == 1 and kinds[0] in COMPARED:
        return compared(inputs, kinds[0])
    if kinds.count("run") != 1 or kinds.count("certificate") != len(kinds) - 1 or len(kinds) > 2:
        counts = {kind: kinds.count(kind) for kind in NAMES}
        found = ", ".join(counted(n, kind) for kind, n in counts.items() if n)
        required = (
            "files of one kind to compare (certificates, runs or sweeps), a run with its certificate, or one experiment or "
            "repair"
        )
        raise InputError("report", found, required, "make a report of each")
    from pomgcheck.reporting.pages import runs

    run, file = inputs[kinds.index("run")]
    assert isinstance(run, RunRecord)
    cert = of_certificate(inputs[kinds.index("certificate")]) if "certificate" in kinds else None
    if cert is not None and cert.sha256 != run.content.certificate_sha256:
        found = f"the certificate {cert.sha256}"
        raise InputError("report", found, f"the run's own, {run.content.certificate_sha256}")
    return runs.document(run.content, file, cert)


@long_integers()
def otherwise(page: str, sources: Sequence[tuple[dict[str, Any], str]]) -> str:
    """Return how a page in HTML differs from the one that these records make, each given with the name of its file, or
    "" where it is that page."""
    from pomgcheck.reporting.embedded import difference
    from pomgcheck.reporting.render import html

    inputs = [Given(recorded(document), name) for document, name in sources]
    with legible(inputs):
        return difference(page, html.page(document_of(inputs), sources))


def compared(inputs: Sequence[Given], kind: str) -> Document:
    """Return the comparison of two or more different files of one kind."""
    from pomgcheck.reporting.pages import comparison

    digests = [each.record.sha256 for each in inputs]
    for k, sha in enumerate(digests):
        if sha in digests[:k]:
            found, fix = f"the {kind} {sha[:16]}… twice", "leave one of them out"
            raise InputError("report", found, f"different {kind}s to compare", fix)
    return comparison.document(inputs, kind)


def digests_in(report_text: str) -> dict[str, str]:
    """Return the digests a report is stamped with, by kind ("certificate", "model", "run", …).

    The report is HTML, Markdown, text or the body of a LaTeX report. The digests of a comparison are numbered:
    "certificate-1", "certificate-2". Raises ``InputError`` if one kind is stamped with two digests.
    """
    found: dict[str, str] = {}
    kinds = "|".join(("model", *NAMES))
    kind = rf"((?:{kinds})(?:-[1-9]\d*)?)"
    stamp = rf'^(?:<meta name="|<!-- |[%#] )pomgcheck-{kind}(?:" content="|: )([0-9a-f]{{64}})(?:">| -->|)$'
    for kind, stamped in re.findall(stamp, report_text, re.MULTILINE):
        if found.setdefault(kind, stamped) != stamped:
            two = f"two {kind} digests, {found[kind]} and {stamped}"
            raise InputError("report", two, "one", "make the report again from its certificate")
    return found


Displayed.presenter = lambda: sys.modules[__name__]
