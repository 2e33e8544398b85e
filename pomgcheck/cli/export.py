"""``pomgcheck export``: a world of a class as a POMDP file, or what a certificate proves as SMT-LIB 2 scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck import outputs
from pomgcheck.cli import files
from pomgcheck.errors import InputError, Refused

MODEL = "A .toml or .json file, a gallery name, file.py:function; with --smt2 a certificate."
WORLD = "Which world (the document's truth, or the only one, if left out)."
AGAINST = "The action that the adversary always plays, where it has several."
SMT2 = "Write one SMT-LIB 2 script an inequality into this folder; a solver should answer unsat on each."


def command(
    model: Annotated[str, Argument(metavar="MODEL", help=MODEL)],
    output: Annotated[Path | None, Option("--output", "-o", help="X.pomdp.", show_default="NAME.pomdp")] = None,
    world: Annotated[list[str] | None, Option(metavar="NAME=VALUE,…", help=WORLD)] = None,
    against: Annotated[str | None, Option(metavar="ACTION", help=AGAINST)] = None,
    smt2: Annotated[Path | None, Option("--smt2", metavar="DIR", help=SMT2)] = None,
) -> int:
    """Write one world of a class as a .pomdp file, exactly; refused where a decimal or the format could not say it.

    With --smt2, write every inequality that a certificate shows on a continuum, negated, for SMT solvers."""
    if smt2 is None:
        return as_pomdp(model, output, world, against)
    if output or world or against:
        raise InputError(
            "--smt2",
            "an option of POMDP files",
            "a certificate and a folder alone",
            "leave out --output, --world and --against",
        )
    return as_scripts(Path(model), smt2)


def as_pomdp(model: str, output: Path | None, world: list[str] | None, against: str | None) -> int:
    """One world of a class as a .pomdp file."""
    from pomgcheck.export.pomdp import pomdp_text
    from pomgcheck.importers.choices import read_point
    from pomgcheck.loading import load

    if output is not None and files.writable(output).suffix != ".pomdp":
        raise InputError("--output", output.name, "a POMDP file, X.pomdp")
    subject = load(model)
    text = pomdp_text(subject, read_point(world, "--world") if world else None, against)
    path = output or files.writable(files.named(subject.name, ".pomdp"))
    outputs.write(path, text.encode())
    print(f"POMDP file: {path}\n\nNext:")
    print(files.typed("import", path))
    return 0


def as_scripts(certificate: Path, folder: Path) -> int:
    """The goals of a certificate that the kernel accepts, one script each."""
    from pomgcheck.checking import read_sound
    from pomgcheck.export.obligations import scripts
    from pomgcheck.kernel.check import verify

    document = read_sound(certificate)
    verdict = verify(certificate)
    if not verdict.accepted:
        place, fix = f"{verdict.claim} {verdict.rule}", "certify the model again"
        raise Refused(place, verdict.found, verdict.required, fix).inside(str(certificate))
    found = scripts(document)
    if not found:
        needed = "a certificate with claims proved on interval axes"
        raise InputError(
            "claims", "none proved on interval axes", needed, "finite classes are decided by evaluation"
        ).inside(str(certificate))
    outputs.made(folder, "--smt2")
    for claim, texts in found.items():
        for number, text in enumerate(texts, 1):
            outputs.write(folder / f"{claim}-{number:04}.smt2", text.encode())
    total = sum(map(len, found.values()))
    print(f"{total} scripts of {len(found)} claims: {folder}")
    print("A solver that answers sat on one has found a point where the certificate is wrong.")
    return 0
