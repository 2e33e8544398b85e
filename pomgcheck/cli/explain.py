"""``pomgcheck explain``: puts a certificate, or one claim of it, in words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.cli.options import flags_named
from pomgcheck.cli.terminal import READING, painter, progress, solvers_quiet, width

TRIES = "For a CLAIM that ended unknown: how long to try what would decide it; 0 tries nothing."


def command(
    certificate: Annotated[Path, Argument(metavar="CERT", help="A certificate.")],
    claim: Annotated[str | None, Argument(metavar="CLAIM", help="The id of a claim; all claims if left out.")] = None,
    episodes: Annotated[int | None, Option(metavar="T", help="Walk through the explicit bound at this T.")] = None,
    time_limit: Annotated[float, Option(metavar="SECONDS", help=TRIES)] = 20,
) -> int:
    """Say what a claim means and how it was proved, or walk through its counterexample step by step."""
    with flags_named("episodes"), progress("reading the certificate") as bar, solvers_quiet():
        from pomgcheck.certificate import Certificate
        from pomgcheck.explaining import explain

        shown = explain(
            Certificate.load(certificate),
            claim,
            episodes=episodes,
            time_limit=time_limit,
            width=min(width(), READING),
            paint=painter(sys.stdout),
            progress=bar,
        )
    print(shown, end="")
    return 0
