"""``pomgcheck report``: a certificate, a run record, a sweep or an experiment as a page, or several side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.cli import files


def command(
    sources: Annotated[list[Path], Argument(
        metavar="FILE…", help="A certificate, a run (with its certificate), a sweep or an experiment; or several "
        "certificates, or several runs, to compare.")],
    output: Annotated[Path, Option("--output", "-o", help="The page: X.html or X.md.")],
) -> int:
    """Write a report that anyone can read; it prints the digests of what it reports on."""
    from pomgcheck.reporting import report

    files.writable(output)
    for source in sources:
        files.sound(source)
    print(f"Report: {report(sources, output)}")
    return 0
