"""``pomgcheck export``: writes a world of a class as a POMDP file, or a certificate as SMT-LIB 2 scripts or as Coq
files."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.cli import files
from pomgcheck.cli.options import flags_named
from pomgcheck.errors import InputError, PomgcheckError, counted

MODEL = "A .toml or .json file, a gallery name, file.py:function; with --smt2 or --coq a certificate."
WORLD = "Which world (the document's truth, or the only one, if left out)."
AGAINST = "The action that the adversary always plays, where it has several."
SMT2 = "Write one SMT-LIB 2 script per inequality into this folder; a solver should answer unsat on each."

COQ = "Write the class and its claims as Coq files into this folder; verify --coq has Coq check them."


def command(
    model: Annotated[str, Argument(metavar="MODEL", help=MODEL)],
    output: Annotated[Path | None, Option("--output", "-o", help="X.pomdp.", show_default="NAME.pomdp")] = None,
    world: Annotated[list[str] | None, Option(metavar="NAME=VALUE,…", help=WORLD)] = None,
    against: Annotated[str | None, Option(metavar="ACTION", help=AGAINST)] = None,
    smt2: Annotated[Path | None, Option("--smt2", metavar="DIR", help=SMT2)] = None,
    coq: Annotated[Path | None, Option("--coq", metavar="DIR", help=COQ)] = None,
) -> int:
    """Write one world of a class as a .pomdp file, exactly; refused where a decimal or the format could not say it.

    With --smt2, write every inequality that a certificate shows on a continuum, negated, for SMT solvers.
    With --coq, write a certificate as theorems for Coq, and say which claims have none."""
    if smt2 is None and coq is None:
        return as_pomdp(model, output, world, against)
    asked = "--smt2" if coq is None else "--coq"
    if output or world or against:
        found, fix = "an option of POMDP files", "leave out --output, --world and --against"
        raise InputError(asked, found, "a certificate and a folder, no more", fix)
    if smt2 is not None and coq is not None:
        raise InputError(asked, "--smt2 beside it", "one kind of file at a time", "export twice")
    return as_scripts(Path(model), smt2) if smt2 is not None else as_theorems(Path(model), Path(coq or ""))


def as_pomdp(model: str, output: Path | None, world: list[str] | None, against: str | None) -> int:
    """Write one world of a class as a .pomdp file; return the exit code."""
    from pomgcheck.exporters import export
    from pomgcheck.importers.choices import read_point
    from pomgcheck.loading import load

    if output is not None and files.writable(output).suffix != ".pomdp":
        raise InputError("--output", output.name, "a POMDP file, X.pomdp")
    subject = load(model)
    path = output or files.writable(files.named(subject.name, ".pomdp"))
    with flags_named("world", "against"):
        export(subject, path, world=read_point(world, "world") if world else None, against=against)
    print(f"POMDP file: {path}\n\nNext:")
    print(files.typed("import", path))
    return 0


def as_scripts(certificate: Path, folder: Path) -> int:
    """Write the goals of a certificate that the kernel accepts, one script each; return the exit code."""
    from pomgcheck.certificate import Certificate
    from pomgcheck.exporters import export

    read = Certificate.load(certificate)
    try:
        written = export(read, folder)
    except PomgcheckError as error:
        if error.where == "path":
            error.where = "--smt2"
            raise
        raise error.inside(str(certificate)) from None
    claims = {path.name.rpartition("-")[0] for path in written}
    print(
        f"{counted(len(written), 'script')} of {counted(len(claims), 'claim')}: {folder} (README.md says what to expect of each)"
    )
    print("A solver that answers sat on one has found a point where the certificate is wrong.")
    print(f"\nNext:\n  python3 {shlex.quote(str(folder / 'check.py'))} z3")
    return 0


def as_theorems(certificate: Path, folder: Path) -> int:
    """Write a certificate that the kernel accepts as Coq files, list every claim with its theorems or without, and
    return the exit code."""
    from pomgcheck.certificate import Certificate
    from pomgcheck.cli.coq_table import print_coq
    from pomgcheck.exporters import theorems_of
    from pomgcheck.exporters.coq import write

    read = Certificate.load(certificate)
    try:
        found = theorems_of(read)
    except PomgcheckError as error:
        raise error.inside(str(certificate)) from None
    try:
        written = write(found, folder)
    except PomgcheckError as error:
        error.where = {"path": "--coq"}.get(error.where, error.where)
        raise
    print_coq(found)
    stated = sum(bool(claim.theorems) for claim in found.claims)
    print(f"{counted(len(written), 'Coq file')}, theorems of {stated} of {len(found.claims)} claims: {folder}\n\nNext:")
    print(files.typed("verify", certificate, "--coq"))
    return 0
