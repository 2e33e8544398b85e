"""``pomgcheck report``: a certificate, a run record, a sweep or an experiment as a page, or several side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.cli import files


def command(
    sources: Annotated[
        list[Path],
        Argument(
            metavar="FILE",
            help="A certificate, a run (with its certificate), a sweep or an experiment; or several "
            "certificates, runs or sweeps, to compare; or a folder, for an index.",
        ),
    ],
    output: Annotated[Path, Option("--output", "-o", help="X.html, X.md, X.tex, X.pdf or X.txt.")],
) -> int:
    """Write a report that anyone can read; it prints the digests of what it reports on.

    X.tex is a document of its own; beside it are written X.body.tex, to input in a paper, X.bib with the references,
    and the drawings. X.pdf is made with latexmk, pdflatex or tectonic, where one of them is installed.
    X.html holds the certificate and the records that it is made of, and verify makes the page again from them.
    """
    from pomgcheck.reporting import index, report

    files.writable(output)
    if len(sources) == 1 and sources[0].is_dir():
        skipped = index(sources[0], output)
        print(f"Index: {output}")
        for file, why in skipped:
            print(f"Passed over: {file}: {why}")
        return 0
    print(f"Report: {report(sources, output)}")
    return 0
