"""``pomgcheck explain``: a certificate, or one claim of it, in words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.cli.terminal import READING, painter, width


def command(
    certificate: Annotated[Path, Argument(metavar="CERT", help="A certificate.")],
    claim: Annotated[str | None, Argument(metavar="CLAIM", help="A claim's id; all of them if left out.")] = None,
    episodes: Annotated[int | None, Option(metavar="T", help="Walk through the explicit bound at this T.")] = None,
) -> int:
    """Say what a claim means and how it was proved, or walk through its counterexample step by step."""
    from pomgcheck.certificate import Certificate
    from pomgcheck.reporting import explain

    shown = explain(
        Certificate.load(certificate), claim, episodes=episodes, width=min(width(), READING), paint=painter(sys.stdout)
    )
    print(shown, end="")
    return 0
