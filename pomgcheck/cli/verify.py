"""``pomgcheck verify``: checks certificates by the kernel alone, or by Coq as well; other files by their digests, and
on demand by doing everything again."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from pomgcheck.checking import Checked, canonical
from pomgcheck.cli.terminal import painter, progress
from pomgcheck.errors import InputError, PomgcheckError

if TYPE_CHECKING:
    from pomgcheck.exporters.coq.coqc import Coq

COQ = "Also have Coq check the theorems of each certificate, with coqc and the library formal/."
OWN = "The code of an own algorithm of a run that is replayed; it is executed."
LIBRARY = "The compiled library formal/, where it is not beside the package."


def command(
    paths: Annotated[list[Path], Argument(metavar="FILE", help="Certificates, other records or reports.")],
    model: Annotated[str | None, Option(metavar="MODEL", help="Also check that they are about this model.")] = None,
    replay: Annotated[
        bool, Option("--replay", help="Also do a run, a sweep, an experiment or a repair again, and compare.")
    ] = False,
    jobs: Annotated[int, Option(metavar="N", help="The number of processes of a replay.", min=1)] = 1,
    algorithm: Annotated[list[str] | None, Option(metavar="FILE.py:NAME", help=OWN)] = None,
    coq: Annotated[bool, Option("--coq", help=COQ)] = False,
    library: Annotated[Path | None, Option("--library", metavar="DIR", help=LIBRARY)] = None,
) -> int:
    """Check files: nothing they say is believed, and no search is done.

    With --coq every theorem about a certificate is checked by Coq, claim by claim; exit code 1 where Coq refuses one."""
    asked = None
    if coq:
        from pomgcheck.exporters.coq.coqc import Coq

        asked = Coq.found(library)
    elif library is not None:
        raise InputError("--library", str(library), "--coq with it", "add --coq")
    for option, given in (("--algorithm", ", ".join(algorithm or ())), ("--jobs", str(jobs) if jobs > 1 else "")):
        if given and not replay:
            raise InputError(option, given, "--replay with it", "add --replay")
    checked = Checked(None if model is None else canonical(model), replay, paths, progress, algorithm or (), jobs)
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
        if accepted and asked is not None:
            if found.certificate is None:
                raise InputError("--coq", "a file that is not a certificate", "certificates alone").inside(str(path))
            codes.append(by_coq(asked, path, found.certificate))
    return 1 if 1 in codes else max(codes)


def by_coq(coq: Coq, path: Path, certificate: Mapping[str, Any]) -> int:
    """Ask Coq about a certificate that the kernel accepts, print its answer claim by claim, and return the exit code."""
    from pomgcheck.cli.coq_table import print_coq
    from pomgcheck.exporters.coq import MODEL, development

    try:
        found = development(certificate)
    except PomgcheckError as error:
        raise error.inside(str(path)) from None
    answers = coq.asked(found)
    print_coq(found, answers)
    stated = [claim for claim in found.claims if claim.theorems]
    confirmed = sum(bool(answers[claim.module]) for claim in stated)
    print(f"The class is a class of games: {answers[MODEL]}")
    print(f"Coq {coq.version} confirmed {confirmed} of {len(stated)} claims stated, {len(found.claims)} in all.")
    print(f"Library {coq.library}, sources sha256 {coq.digest}")
    return 0 if all(answers.values()) else 1
