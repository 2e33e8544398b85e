"""``pomgcheck export``: what a certificate proves, for other programs to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.cli import files

SMT2 = "Write one SMT-LIB 2 script an inequality into this folder; a solver should answer unsat on each."


def command(
    certificate: Annotated[Path, Argument(metavar="CERT", help="A certificate.")],
    smt2: Annotated[Path, Option("--smt2", metavar="DIR", help=SMT2)],
) -> int:
    """Write every inequality that a certificate shows on a continuum, negated, in the language of SMT solvers."""
    from pomgcheck.errors import InputError, Refused
    from pomgcheck.kernel.check import verify
    from pomgcheck.reporting.smtlib import obligations, script

    document = files.certificate(certificate)
    verdict = verify(certificate)
    if not verdict.accepted:
        place, fix = f"{verdict.claim} {verdict.rule}", "certify the model again"
        raise Refused(place, verdict.found, verdict.required, fix).inside(str(certificate))
    found = obligations(document)
    if not found:
        needed = "a certificate with claims proved by the rule box"
        raise InputError("claims", "none proved on interval axes", needed,
                         "finite classes are decided by evaluation").inside(str(certificate))  # fmt: skip
    smt2.mkdir(parents=True, exist_ok=True)
    for claim, goals in found.items():
        for number, goal in enumerate(goals, 1):
            (smt2 / f"{claim}-{number:04}.smt2").write_text(script(goal, claim), encoding="utf-8")
    total = sum(map(len, found.values()))
    print(f"{total} scripts of {len(found)} claims: {smt2}")
    print("A solver that answers sat on one has found a point where the certificate is wrong.")
    return 0
