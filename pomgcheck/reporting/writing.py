"""Writes the files of a report in each form, with the options that only LaTeX has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from pomgcheck.errors import InputError
from pomgcheck.reporting.blocks import Document
from pomgcheck.reporting.render import text
from pomgcheck.reporting.render.paper import ANYHOW, Typeset

Body = Literal["full", "short"]
FORMATS = (".md", ".html", ".tex", ".pdf", ".txt")


def unknown_form(path: Path) -> InputError:
    """Return the error for a suffix that no form of a report has."""
    found, fix = f"the suffix {path.suffix!r} of {path.name}", "name the output X.md, X.html, X.tex, X.pdf or X.txt"
    return InputError("report", found, f"one of {', '.join(FORMATS)}", fix)


def typesetting_asked(path: Path, body: str, section_level: object, without: Sequence[str]) -> Typeset:
    """Return the options of a report in LaTeX, which no other form has."""
    if body not in get_args(Body):
        raise InputError.choice("body", body, get_args(Body))
    if isinstance(section_level, bool) or not isinstance(section_level, int) or not 1 <= section_level <= 3:
        raise InputError("section_level", repr(section_level), "1, 2 or 3")
    if isinstance(without, str) or not all(isinstance(part, str) for part in without):
        raise InputError("without", repr(without)[:60], "a list of parts")
    asked = Typeset(section_level, tuple(without), body == "short")
    if path.suffix not in (".tex", ".pdf") and asked != ANYHOW:
        found = "body" if body != "full" else "without" if without else "section_level"
        raise InputError(found, f"the output {path.name}", "X.tex or X.pdf, the forms for a paper", "leave it out")
    return asked


def written(
    document: Document, path: Path, sources: Sequence[tuple[dict[str, Any], str]] = (), typeset: Typeset = ANYHOW
) -> Mapping[str, str | bytes]:
    """Return the files of a report by name, that of ``path`` first; a renderer is imported when it is asked for.

    A page in HTML holds the ``sources``, each with the name of its file."""
    if path.suffix == ".html":
        from pomgcheck.reporting.render import html

        return {path.name: html.page(document, sources)}
    if path.suffix == ".md":
        from pomgcheck.reporting.render import markdown

        return {path.name: markdown.page(document, path.stem), **markdown.drawings(document, path.stem)}
    if path.suffix == ".txt":
        stamp = (f"# pomgcheck-{name}: {digest}\n" for name, digest in document.stamp.items())
        return {path.name: "".join(stamp) + "\n" + text.render(document.blocks)}
    from pomgcheck.reporting.render import latex

    stem = latex.plain_name(path.stem)
    if path.suffix == ".tex":
        first, *others = latex.files(document, stem, typeset).items()
        return {path.name: first[1], **dict(others)}
    from pomgcheck.reporting.render import typesetting

    return {path.name: typesetting.pdf(latex.files(document, "report", typeset), "report")}
