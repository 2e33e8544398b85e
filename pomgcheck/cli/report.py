"""``pomgcheck report``: writes a certificate, a run record, a sweep, an experiment or a repair as a page, or several
side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from pomgcheck.cli import files
from pomgcheck.cli.options import flags_named
from pomgcheck.errors import InputError

PAGES = "For a folder: write the page of each file beside it, where there is none or the file has changed since."
WITHOUT = "In LaTeX: leave out this part, by its label after the colon: options, class, eluder-world, …"


def command(
    sources: Annotated[
        list[Path],
        Argument(
            metavar="FILE",
            help="A certificate, a run (with its certificate), a sweep, an experiment or a repair; or several "
            "certificates, runs or sweeps, to compare; or a folder, for an index.",
        ),
    ],
    output: Annotated[Path, Option("--output", "-o", help="X.html, X.md, X.tex, X.pdf or X.txt.")],
    body: Annotated[Literal["full", "short"], Option(help="In LaTeX: the whole report, or half a page.")] = "full",
    section_level: Annotated[
        int, Option(metavar="N", help="In LaTeX: 1 section, 2 subsection, 3 ….", min=1, max=3)
    ] = 1,
    without: Annotated[list[str] | None, Option(metavar="PART", help=WITHOUT)] = None,
    pages: Annotated[bool, Option("--pages", help=PAGES)] = False,
) -> int:
    """Write a report that anyone can read; it prints the digests of what it reports on.

    X.tex is a document of its own; beside it are written X.body.tex, to input in a paper, X.bib with the references,
    and the drawings. X.pdf is made with latexmk, pdflatex or tectonic, where one of them is installed.
    X.html holds the certificate and the records that it is made of, and verify makes the page again from them.
    """
    from pomgcheck.reporting import index, report
    from pomgcheck.reporting.render.latex import plain_name

    files.writable(output, *sources)
    if pages and not (len(sources) == 1 and sources[0].is_dir()):
        raise InputError(
            "--pages", f"{sources[0]}, which is not a folder", "a folder, whose files get pages", "leave it out"
        )
    if len(sources) == 1 and sources[0].is_dir():
        skipped = index(sources[0], output, pages)
        print(f"Index: {output}")
        for file, why in skipped:
            print(f"Passed over: {file}: {why}")
        return 0
    with flags_named("body", "section_level", "without"):
        written = report(sources, output, body=body, section_level=section_level, without=without or ())
    print(f"Report: {written}")
    if output.suffix == ".tex" and (stem := plain_name(output.stem)) != output.stem:
        print(f"Beside it, under a name that TeX reads: {stem}.body.tex and {stem}.bib")
    return 0
