"""``pomgcheck sweep``: certifies a class at every point of a grid of its knobs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from pomgcheck import processes
from pomgcheck.cli import files
from pomgcheck.cli.certify import chosen
from pomgcheck.cli.claims_table import MARKS
from pomgcheck.cli.ending import INTERRUPTED, complain
from pomgcheck.cli.options import Cluster, Jobs, given, to_write, with_options
from pomgcheck.cli.terminal import STYLES, bare_table, print_table, progress, solvers_quiet
from pomgcheck.errors import InputError
from pomgcheck.options import Options, exact

if TYPE_CHECKING:
    from pomgcheck.search.sweep_file import Sweep

VARY = "A knob of the document, the ends of its range, and how many points (repeat it for a second knob)."
KEEP = "Keep each point's certificate in this folder, by the digest that the sweep names."
ONLY = "Search this claim only (repeat it, or put commas between them)."
UNKNOWN = 3


@with_options()
def command(
    model: Annotated[str, Argument(metavar="MODEL", help="A .toml or .json file, a gallery name, file.py:function.")],
    vary: Annotated[list[str] | None, Option(metavar="NAME=lo:hi:n", help=VARY)] = None,
    output: Annotated[Path | None, to_write("NAME.sweep.json")] = None,
    certificates: Annotated[Path | None, Option(metavar="DIR", help=KEEP)] = None,
    only: Annotated[list[str] | None, Option(metavar="ID", help=ONLY)] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    as_json: Annotated[
        bool, Option("--json", help="Print counts, ranges and points as JSON, and nothing else.")
    ] = False,
    **typed: Any,
) -> int:
    """Certify a class at every point of a grid of its knobs; a sweep that was interrupted is continued.

    Ends with 0 when every point was decided, whatever came of it, and with 3 when the search gave up on one.
    """
    ranges = dict(grid(text) for text in vary or ())
    options = Options(**given(typed))
    named = chosen(only)
    if output is not None:
        files.record(output, "a sweep", model)
    from pomgcheck.loading import load

    subject = load(model)
    checked(ranges, vary or (), subject.knobs)
    path = output or files.writable(files.named(subject.name, ".sweep.json"))
    try:
        with processes.cluster(cluster), progress("reading the model") as bar, solvers_quiet():
            from pomgcheck.search.sweep import sweep

            made = sweep(subject, ranges, path, options, only=named, certificates=certificates, jobs=jobs, progress=bar)
    except KeyboardInterrupt:
        kept = f"{path} keeps what is done, and the same command continues it"
        return complain(f"interrupted; {kept if path.is_file() else 'nothing was written'}", INTERRUPTED)
    if as_json:
        print(json.dumps(facts(made, path), indent=1, ensure_ascii=False))
    else:
        shown(made, path, certificates)
    return UNKNOWN if "unknown" in made.counts() else 0


def grid(text: str) -> tuple[str, tuple[Any, Any, int]]:
    """Return the knob and the range that ``noise=1/20:9/20:9`` names."""
    name, _, ends = text.partition("=")
    parts = ends.split(":")
    if not name or len(parts) != 3 or not re.fullmatch(r"[0-9]{1,6}", parts[2], re.ASCII):
        raise InputError("--vary", repr(text), "NAME=lo:hi:n such as noise=1/20:9/20:9")
    return name, (exact(parts[0], "--vary"), exact(parts[1], "--vary"), int(parts[2]))


def checked(ranges: dict[str, Any], vary: Sequence[str], knobs: Any) -> None:
    """Refuse knobs that the class does not have, that are given twice, or that are missing; the error lists those
    there are."""
    if not knobs:
        raise InputError(
            "--vary",
            "a model without knobs",
            "one that holds a table [knobs]",
            'declare one, as in [knobs] noise = "3/20", and use it in the entries',
        )
    those = ", ".join(f"{name} (now {value})" for name, value in knobs.items())
    if not vary:
        raise InputError("--vary", "nothing to vary", f"NAME=lo:hi:n with NAME one of {those}")
    if len(ranges) != len(vary):
        raise InputError("--vary", "one knob twice", f"each of {those} once at most")
    for name in ranges:
        if name not in knobs:
            near = InputError.choice("--vary", name, knobs).fix
            raise InputError("--vary", f'the unknown knob "{name}"', f"one of {those}", near)


def facts(made: Sweep, path: Path) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    from pomgcheck.reporting.pages.sweeps import spans

    spanned = {
        quantity.name: {"least": {"value": least[0], "at": least[1]}, "most": {"value": most[0], "at": most[1]}}
        for quantity, least, most in spans(made)
    }
    return {
        "model": made.name,
        "model_sha256": made.model_sha256,
        "sha256": made.sha256,
        "path": str(path),
        "counts": made.counts(),
        "ranges": spanned,
        "points": made.document["points"],
    }


def shown(made: Sweep, path: Path, certificates: Path | None) -> None:
    """Print how many points ended how and why, the range of each constant, where the file is and what to type next."""
    from rich.text import Text

    from pomgcheck.reporting.pages import sweeps
    from pomgcheck.reporting.render.text import plain

    table = bare_table("Ended", "Points", "Why", "Where")
    for group in sweeps.groups(made):
        mark, style = SHOWN[group.end]
        table.add_row(
            Text(f"{mark} {sweeps.word(made, group.end)}", style=style),
            f"{len(group.points):,}",
            group.why or "–",
            sweeps.place(made, group.points),
        )
    print_table(table)
    table = bare_table("Constant", "Least", "at", "Most", "at")
    for each in sweeps.spans(made):
        cells = ((each.quantity.decimal(value), sweeps.at(made, knobs)) for value, knobs in each[1:])
        table.add_row(plain((each.quantity.symbol,)), *(cell for pair in cells for cell in pair))
    if table.row_count:
        print_table(table)
    counted = ", ".join(f"{n:,} {sweeps.word(made, end)}" for end, n in made.counts().items())
    print(f"{made.name}: {made.size:,} points ({counted}).")
    print(f"Sweep: {path} (sha256 {made.sha256[:16]}…)")
    if certificates is not None:
        print(f"Certificates: {certificates}")
    print("\nNext:")
    print(files.typed("report", path, "-o", path.with_name(files.stem(path) + ".sweep.html")))
    print(files.typed("verify", path, "--replay"))


SHOWN = {
    "certified": (MARKS["proved"], STYLES["certified"]),
    "refuted": (MARKS["refuted"], STYLES["refuted"]),
    "unknown": (MARKS["unknown"], STYLES["unknown"]),
    "unusable": ("–", STYLES["vacuous"]),
}  # end of a point -> its mark and style
