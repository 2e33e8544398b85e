"""``pomgcheck repair``: finds the least that must change for what is refuted or weak to hold."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from pomgcheck.cli import files
from pomgcheck.cli.options import Jobs, given, with_options
from pomgcheck.cli.terminal import READING, painter, progress, solvers_quiet, width
from pomgcheck.errors import InputError
from pomgcheck.options import exact
from pomgcheck.outputs import writable

if TYPE_CHECKING:
    from pomgcheck.remedies import RepairRecord

TARGET = "With --floor, the alpha to reach; implies --floor."
TIME = "For a class with intervals: how long to look for the largest box; the best one found is taken."
OUTPUT = "Write the repaired class, X.toml or X.json."
RECORD = "Write the repair itself, X.repair.json, which report puts on a page and verify checks."


@with_options(left_out=("T", "delta", "reference"), or_the_certificate_s=True)
def command(
    source: Annotated[str, Argument(metavar="CERT|MODEL", help="A certificate, or a model to certify first.")],
    floor: Annotated[bool, Option("--floor", help="Seek a response floor instead of leaving something out.")] = False,
    target: Annotated[str | None, Option(metavar="NUMBER", help=TARGET, show_default="1/10")] = None,
    output: Annotated[Path | None, Option("--output", "-o", help=OUTPUT)] = None,
    record: Annotated[Path | None, Option("--record", metavar="FILE", help=RECORD)] = None,
    jobs: Jobs = 1,
    time_limit: Annotated[float, Option(metavar="SECONDS", help=TIME)] = 120,
    as_json: Annotated[bool, Option("--json", help="Print the repair as JSON, and nothing else.")] = False,
    **typed: Any,
) -> int:
    """Compute the least repair of a class: what to leave out, a floor of its responses, or the box of its intervals."""
    chosen = given(typed)
    wanted = exact(target or "1/10", "--target") if floor or target else None
    if wanted is not None and wanted <= 0:
        raise InputError("--target", str(wanted), "a positive number")
    files.document(output, source)
    if record is not None:
        writable(record, "--record")
    with progress("certifying") as bar, solvers_quiet():
        from pomgcheck.repairing import certified, repaired, some_time

        seconds = some_time(time_limit)
        model, certificate = certified(source, chosen, jobs, bar, seconds)
        if bar is not None:
            bar("repairing", 0, 0)
        found = repaired(model, certificate, wanted, jobs, seconds, bar)
    if record is not None:
        found.save(record)
    if output is not None and found.model is not None:
        files.write_document(found.model, output, found.model.to_toml())
    shown(found, None if found.model is None else output, record, as_json)
    return 0 if found.settled else 3


def shown(found: RepairRecord, path: Path | None, record: Path | None, as_json: bool) -> None:
    """Print the advice, where the repaired class and the record are, and what to type next."""
    if as_json:
        head = {"model": found.name, "model_sha256": found.model_sha256, "path": None if path is None else str(path)}
        print(json.dumps(head | {found.kind: found.document["found"]}, indent=1, ensure_ascii=False))
        return
    from pomgcheck.reporting.pages import repairs

    print(repairs.told(found.content, width=min(width(), READING), paint=painter(sys.stdout)), end="")
    if record is not None:
        print(f"\nRepair: {record}")
    if path is not None:
        print(f"\nRepaired class: {path}\n\nNext:")
        print(files.typed("certify", path, "-o", path.with_suffix(".cert.json")))
