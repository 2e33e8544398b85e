"""``pomgcheck demo``: takes one shipped class from document to report, by the commands a user would type."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

from typer import Option

from pomgcheck.cli.terminal import painter

CLASS = "tiger"


def command(
    output: Annotated[Path, Option("--output", "-o", metavar="DIR", help="The folder to write to.")] = Path(
        "pomgcheck-demo"
    ),
) -> int:
    """Write out, certify, verify, run and report one shipped model class, end to end, in under a minute."""
    from pomgcheck.cli import app

    names = (f"{CLASS}.{kind}" for kind in ("toml", "cert.json", "run.json", "html"))
    model, certificate, record, page = (output / name for name in names)
    steps: tuple[tuple[str, list[object]], ...] = (
        (
            "A model class is a document; this one is a tiger behind a door, and an opponent who moves it.",
            ["gallery", CLASS, "-o", output],
        ),
        ("Every assumption of the theorem is proved or refuted, exactly.", ["certify", model, "-o", certificate]),
        ("The kernel, which believes nothing of that, checks it.", ["verify", certificate, "--model", model]),
        (
            "Two learners run, since the certificate stands, each with what is proved of its regret.",
            ["run", certificate, "--episodes", 4096, "--algorithm", "nested,epoch-omle", "-o", record],
        ),
        ("Both become a page to open in a browser.", ["report", certificate, record, "-o", page]),
        ("The run record and the page are checked too.", ["verify", record, page]),
    )
    paint = painter(sys.stdout)
    for sentence, step in steps:
        words = [str(word) for word in step]
        print(f"{paint('heading', sentence)}\n{paint('code', '$ ' + shlex.join(['pomgcheck', *words]))}\n")
        code = app(words, prog_name="pomgcheck", standalone_mode=False)
        if code:
            return int(code)
        print()
    print(f"Everything is in {output}; open {page} in a browser.")
    return 0
