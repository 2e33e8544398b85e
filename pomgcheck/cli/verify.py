"""``pomgcheck verify``: certificates by the kernel alone; other files by their digests, and by doing it all again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.checking import Checked, canonical
from pomgcheck.cli.terminal import painter, progress
from pomgcheck.errors import PomgcheckError


def command(
    paths: Annotated[list[Path], Argument(metavar="FILE", help="Certificates, run records, sweeps or reports.")],
    model: Annotated[str | None, Option(metavar="MODEL", help="Also check that they are about this model.")] = None,
    replay: Annotated[bool, Option("--replay", help="Do a run's seeds or a sweep's points again.")] = False,
) -> int:
    """Check files: nothing they say is believed, and no search is done."""
    checked = Checked(None if model is None else canonical(model), replay, paths, progress)
    codes = []
    for path in paths:
        try:
            found = checked.verdict(path)
            accepted, line = found.accepted, found.line
        except PomgcheckError as error:
            error.source = ""  # the line begins with it
            accepted, line = False, f"UNUSABLE {error}"
            codes.append(error.exit_code)
        else:
            codes.append(0 if accepted else 1)
        print(f"{path}: {painter(sys.stdout)('proved' if accepted else 'refuted', line)}")
    return 1 if 1 in codes else max(codes)
