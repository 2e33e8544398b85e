"""``pomgcheck export``: one world of a class as a POMDP file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.cli import files
from pomgcheck.errors import InputError

WORLD = "Which world (the document's truth, or the only one, if left out)."
AGAINST = "The action that the adversary always plays, where it has several."


def command(
    model: Annotated[str, Argument(metavar="MODEL", help="A .toml or .json file, a gallery name, file.py:function.")],
    output: Annotated[Path | None, Option("--output", "-o", help="X.pomdp.", show_default="NAME.pomdp")] = None,
    world: Annotated[list[str] | None, Option(metavar="NAME=VALUE,…", help=WORLD)] = None,
    against: Annotated[str | None, Option(metavar="ACTION", help=AGAINST)] = None,
) -> int:
    """Write one world of a class as a .pomdp file, exactly; refused where a decimal or the format could not say it."""
    from pomgcheck.loading import load
    from pomgcheck.modelclass.importers.choices import read_point
    from pomgcheck.modelclass.pomdp_text import pomdp_text

    if output is not None and files.writable(output).suffix != ".pomdp":
        raise InputError("--output", output.name, "a POMDP file, X.pomdp")
    subject = load(model)
    text = pomdp_text(subject, read_point(world, "--world") if world else None, against)
    path = output or files.named(subject.name, ".pomdp")
    path.write_text(text, encoding="utf-8")
    print(f"POMDP file: {path}\n\nNext:")
    print(files.typed("import", path))
    return 0
