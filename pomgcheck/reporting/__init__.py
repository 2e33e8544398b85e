"""Reports: certificates, run records and sweeps in words: text, Markdown, HTML, LaTeX. Pure functions of their JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from pomgcheck.errors import InputError, PomgcheckError, Refused
from pomgcheck.kernel.case import Rejected
from pomgcheck.kernel.check import read_certificate, verify_bytes
from pomgcheck.kernel.game import Malformed, canonical_bytes, digest, read_json
from pomgcheck.outputs import writable, write
from pomgcheck.reporting import content, text
from pomgcheck.reporting.blocks import Block, Code, Document, Paragraph, Strong, joined, say

__all__ = ["claims_text", "digests_in", "explain", "notebook_html", "report"]

FORMATS = (".md", ".html", ".tex", ".pdf", ".txt")
LONGEST = 10**18  # episodes


def _claim(cert: Mapping[str, Any], claim: str) -> Mapping[str, Any]:
    known = [entry["id"] for entry in cert["claims"]]
    if claim not in known:
        numbered = [entry["id"] for entry in cert["claims"] if entry["paper"].split()[-1] == claim]
        if not numbered:
            raise InputError.choice("claim", claim, known)
        either = " or ".join(numbered)
        raise InputError(
            "claim",
            repr(claim),
            "the id of a claim",
            f"those of {claim} are called {either}" if len(numbered) > 1 else f"that of {claim} is called {either}",
        )
    found: Mapping[str, Any] = cert["claims"][known.index(claim)]
    return found


def explain(
    cert: Mapping[str, Any],
    claim: str | None = None,
    *,
    episodes: int | None = None,
    width: int = 100,
    paint: text.Paint = text.unpainted,
) -> str:
    """One claim of a certificate in words, or all of them: statement, constants, proof or counterexample.

    ``episodes`` (1 to 10^18) is the T at which the explicit bound is walked through, if not the certificate's.
    ``paint(role, words)`` may colour words for a terminal; the roles are the verdicts, "heading", "strong",
    "code", "label", "number" and "math". :class:`~pomgcheck.errors.InputError` for an id that is not there.
    """
    if episodes is not None and not 1 <= episodes <= LONGEST:
        raise InputError("episodes", str(episodes), "an integer from 1 to 10^18")
    if episodes is not None and claim not in (None, "regret", "constants"):
        raise InputError("episodes", f"the claim {claim}", "regret or constants, the only ones at a T of one's choice")
    claims = cert["claims"] if claim is None else [_claim(cert, claim)]
    blocks: list[Block] = [content.verdict(cert)] if claim is None else []
    with legible([(cert, "")]):
        for entry in claims:
            blocks += content.claim_section(cert, entry, level=2, episodes=episodes)
        return text.render(blocks, width, paint)


def claims_text(cert: Mapping[str, Any], *, width: int = 100, paint: text.Paint = text.unpainted) -> str:
    """The table of all claims, then the walk-through of each refuted one (what ``certify`` prints)."""
    failed = [claim for claim in cert["claims"] if claim["verdict"] == "refuted"]
    blocks: list[Block] = [content.claims_table(cert), content.verdict(cert)]
    blocks += (block for entry in failed for block in content.claim_section(cert, entry, level=2))
    return text.render(blocks, width, paint)


def notebook_html(document: Mapping[str, Any]) -> str:
    """What a notebook's cell shows of a certificate, run record, sweep, experiment or model class, given by its JSON:
    the table that says most, as an HTML fragment with styles of its own and no script."""
    from pomgcheck.reporting import html

    blocks: tuple[Block, ...]
    form = document["format"]
    if form == CERTIFICATE:
        blocks = content.verdict(document), content.claims_table(document)
    elif form == RUN:
        from pomgcheck.reporting import runs

        told = joined(say("{n}:", n=Strong(document["model"])), runs.summary(document))
        blocks = Paragraph(told), runs.results_table(document)
    elif form == SWEEP:
        from pomgcheck.reporting import sweeps

        blocks = Paragraph(sweeps.summary(document)), sweeps.axes_table(document), sweeps.ends_table(document)
    elif form == EXPERIMENT:
        from pomgcheck.reporting import experiments

        blocks = Paragraph(say("{t}", t=Strong(document["title"]))), experiments.comparison(document)
    else:
        named = say("{n}, SHA-256 {sha}…", n=Strong(document["name"]), sha=Code(digest(document)[:16]))
        blocks = Paragraph(named), content.class_table(document)
    return html.fragment(blocks)


class HasDocument(Protocol):
    """A ``Certificate``, a ``RunRecord`` or a ``Sweep``: its JSON is ``document``."""

    @property
    def document(self) -> dict[str, Any]:
        """The JSON."""


Source = Mapping[str, Any] | str | Path | HasDocument
CERTIFICATE, RUN, SWEEP = "pomgcheck-certificate/1", "pomgcheck-run/1", "pomgcheck-sweep/1"
EXPERIMENT = "pomgcheck-experiment/1"
COMPARED = {CERTIFICATE: "certificate", RUN: "run", SWEEP: "sweep"}


def report(source: Source | Sequence[Source], path: str | Path) -> Path:
    """Write the report of a certificate, a run, a sweep or an experiment to ``path`` (.md, .html, .tex, .pdf or .txt).

    ``source``: its JSON, its file, or the object; or a run and its certificate together; or several certificates,
    several runs or several sweeps, which are compared.
    Drawings of a Markdown report are written beside it; beside ``X.tex``, a document of its own, there are
    ``X.body.tex`` to input in a paper, ``X.bib`` and the drawings; ``X.pdf`` needs a TeX on this machine. Returns the
    path; raises :class:`~pomgcheck.errors.InputError` for another suffix, or for anything that cannot be reported on,
    :class:`~pomgcheck.errors.MissingDependency` without a TeX, and :class:`~pomgcheck.errors.Refused` for a file that
    is not as it was written.
    """
    path = writable(path)
    if path.suffix not in FORMATS:
        raise InputError(
            "report",
            f"the suffix {path.suffix!r} of {path.name}",
            f"one of {', '.join(FORMATS)}",
            "name the output X.md, X.html, X.tex, X.pdf or X.txt",
        )
    sources = source if isinstance(source, Sequence) and not isinstance(source, str) else [source]
    inputs = [read(entry) for entry in sources]
    with legible(inputs):
        files = written(document_of(inputs), path)
    for name, content_ in files.items():
        write(path.parent / name, content_ if isinstance(content_, bytes) else content_.encode())
    return path


@contextmanager
def legible(inputs: Sequence[tuple[Mapping[str, Any], str]]) -> Iterator[None]:
    """What cannot be put in words because it is not what its digest claims is refused.

    A digest can be made for anything.  The kernel says what is wrong with a certificate; of other records it is said
    that their entries do not fit together."""
    try:
        yield
    except PomgcheckError:
        raise
    except Exception as error:
        for document, file in inputs:
            if refusal := unsound(document, error):
                raise refusal.inside(file) from error
        raise


def unsound(document: Mapping[str, Any], error: Exception) -> PomgcheckError | None:
    """The refusal of a certificate that the kernel rejects, or of a record that could not be read to its end."""
    fix = "make it again"
    if document.get("format") != CERTIFICATE:
        kind = str(document.get("format")).removeprefix("pomgcheck-").partition("/")[0]
        found = f"entries that do not fit together ({type(error).__name__})"
        return InputError("", found, f"a record as pomgcheck {kind} writes it", fix)
    verdict = verify_bytes(canonical_bytes(document))
    if verdict.accepted:
        return None
    return Refused(f"{verdict.claim} {verdict.rule}", verdict.found, verdict.required, fix)


def written(document: Document, path: Path) -> Mapping[str, str | bytes]:
    """The files of a report by name, that of ``path`` first; a renderer is imported when it is asked for."""
    if path.suffix == ".html":
        from pomgcheck.reporting import html

        return {path.name: html.page(document)}
    if path.suffix == ".md":
        from pomgcheck.reporting import markdown

        return {path.name: markdown.page(document, path.stem), **markdown.drawings(document, path.stem)}
    if path.suffix == ".txt":
        stamp = (f"# pomgcheck-{name}: {digest}\n" for name, digest in document.stamp.items())
        return {path.name: "".join(stamp) + "\n" + text.render(document.blocks)}
    from pomgcheck.reporting import latex

    stem = latex.plain_name(path.stem)
    if path.suffix == ".tex":
        first, *others = latex.files(document, stem).items()
        return {path.name: first[1], **dict(others)}
    from pomgcheck.reporting import typesetting

    return {path.name: typesetting.pdf(latex.files(document, "report"), "report")}


def read(source: Source) -> tuple[Mapping[str, Any], str]:
    """The JSON to report on, and the name of its file where it has one."""
    if isinstance(source, Mapping):
        return source, ""
    if not isinstance(source, str | Path):
        document = getattr(source, "document", None)
        if not isinstance(document, Mapping):
            raise InputError("report", repr(source)[:60], "a certificate, a run or a sweep: its JSON, file or object")
        return document, ""
    file = Path(source)
    try:
        data = read_json(file.read_bytes(), file.name)
    except OSError as error:
        required = "the file of a certificate, a run record or a sweep"
        raise InputError(str(file), error.strerror or "no file", required) from None
    except Malformed as error:
        raise InputError(error.where, error.found, error.required) from None
    unaltered(data, file)
    return data, file.name


def unaltered(data: Any, file: Path) -> None:
    """Refuse a file that is not as it was written: a report must not lend its words to one."""
    form = data.get("format") if isinstance(data, Mapping) else None
    fix = "the file is not as it was written; make it again"
    try:
        if form == CERTIFICATE:
            read_certificate(data)
        elif form in (RUN, SWEEP, EXPERIMENT):
            found = digest({key: value for key, value in data.items() if key != "sha256"})
            if found != data.get("sha256"):
                raise Refused("digest", found, str(data.get("sha256")), fix).inside(str(file))
    except Malformed as error:
        raise InputError(error.where, error.found, error.required).inside(str(file)) from None
    except Rejected as error:
        raise Refused(f"{error.claim} {error.rule}", error.found, error.required, fix).inside(str(file)) from None


def document_of(inputs: Sequence[tuple[Mapping[str, Any], str]]) -> Document:
    """The report of one file, of a run with the certificate it was made under, or of several files of a kind."""
    forms = [data.get("format") if isinstance(data, Mapping) else None for data, _ in inputs]
    for form, (_, file) in zip(forms, inputs, strict=True):
        if form not in (CERTIFICATE, RUN, SWEEP, EXPERIMENT):
            required = f"{CERTIFICATE!r}, {RUN!r}, {SWEEP!r} or {EXPERIMENT!r}"
            raise InputError(
                file or "report",
                f"the format {form!r}",
                required,
                "give what pomgcheck certify, run, sweep or experiment wrote",
            )
    if forms == [CERTIFICATE]:
        return content.document(*inputs[0])
    if forms == [SWEEP]:
        from pomgcheck.reporting import sweeps

        return sweeps.document(*inputs[0])
    if forms == [EXPERIMENT]:
        from pomgcheck.reporting import experiments

        return experiments.document(*inputs[0])
    if len(forms) > 1 and len(set(forms)) == 1 and (kind := COMPARED.get(str(forms[0]))):
        return compared(inputs, kind)
    if forms.count(RUN) != 1 or forms.count(CERTIFICATE) != len(forms) - 1 or len(forms) > 2:
        kinds = ((CERTIFICATE, "certificate"), (RUN, "run"), (SWEEP, "sweep"), (EXPERIMENT, "experiment"))
        found = ", ".join(f"{n} {what}{'s' if n > 1 else ''}" for form, what in kinds if (n := forms.count(form)))
        raise InputError(
            "report",
            found,
            "certificates alone, runs alone or sweeps alone, which are compared; a run "
            "and its certificate; or an experiment by itself",
            "make one report each",
        )
    from pomgcheck.reporting import runs

    record, file = inputs[forms.index(RUN)]
    cert = inputs[forms.index(CERTIFICATE)][0] if CERTIFICATE in forms else None
    if cert is not None and cert["sha256"] != record["certificate_sha256"]:
        raise InputError(
            "report", f"the certificate {cert['sha256']}", f"the run's own, {record['certificate_sha256']}"
        )
    return runs.document(record, file, cert)


def compared(inputs: Sequence[tuple[Mapping[str, Any], str]], kind: str) -> Document:
    """The comparison of two or more different files of one kind."""
    from pomgcheck.reporting import comparison

    digests = [data["sha256"] for data, _ in inputs]
    for k, sha in enumerate(digests):
        if sha in digests[:k]:
            raise InputError(
                "report", f"the {kind} {sha[:16]}… twice", f"different {kind}s to compare", "leave one of them out"
            )
    return comparison.document(inputs, kind)


def digests_in(report_text: str) -> dict[str, str]:
    """The digests a report is stamped with, by kind ("certificate", "model", "run", …); HTML, Markdown, text or the
    body of a LaTeX report.  Those of a comparison are numbered: "certificate-1", "certificate-2".

    :class:`~pomgcheck.errors.InputError` if one kind is stamped with two digests.
    """
    found: dict[str, str] = {}
    kinds = "certificate|model|run|sweep|experiment"
    kind = rf"((?:{kinds})(?:-[1-9]\d*)?)"
    stamp = rf'^(?:<meta name="|<!-- |[%#] )pomgcheck-{kind}(?:" content="|: )([0-9a-f]{{64}})(?:">| -->|)$'
    for kind, stamped in re.findall(stamp, report_text, re.MULTILINE):
        if found.setdefault(kind, stamped) != stamped:
            raise InputError(
                "report",
                f"two {kind} digests, {found[kind]} and {stamped}",
                "one",
                "make the report again from its certificate",
            )
    return found
