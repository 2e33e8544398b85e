"""Writes what other programs read: a world as a POMDP file, and a certificate as SMT-LIB 2 scripts or as Coq files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pomgcheck import outputs
from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, Refused
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.loading import Source, load
from pomgcheck.options import Number, exact

if TYPE_CHECKING:
    from pomgcheck.exporters.coq import Development

__all__ = ["export", "scripts_of", "theorems_of"]

SUFFIX = ".pomdp"


def export(
    source: Source | Certificate,
    path: str | Path,
    *,
    world: Mapping[str, Number] | None = None,
    against: str | None = None,
    coq: bool = False,
) -> list[Path]:
    """Write what another program reads, and return the paths of the files.

    ``X.pomdp`` is one world of a class (whatever `load` takes) as a Cassandra POMDP file, exactly. ``world`` is a
    point of the class, by parameter; unless given, it is the document's truth, or the only world. ``against`` is the
    action that the adversary always plays, where it has several. Any other ``path`` is a folder, and ``source`` a
    certificate or its path: each inequality that it shows on a continuum becomes a script, negated, on which a solver
    should answer ``unsat``, beside a README.md that says what to expect of each and ``check.py``, which runs a solver
    on all. With ``coq``, the class becomes a Coq term, and each claim that has a checker in Coq a file of theorems.

    Raises ``InputError`` where the format cannot say it, and ``Refused`` for a certificate that the kernel rejects.
    """
    if Path(path).suffix == SUFFIX and not isinstance(source, Certificate) and not coq:
        from pomgcheck.exporters.pomdp import pomdp_text

        target = outputs.writable(path)
        point = None if world is None else {name: exact(value, f"world.{name}") for name, value in world.items()}
        outputs.write(target, pomdp_text(load(source), point, against).encode())
        return [target]
    if world is not None or against is not None:
        raise InputError(
            "world" if world is not None else "against", "an option of POMDP files", "no such option for a certificate"
        )
    if not isinstance(source, Certificate | str | Path):
        raise InputError(
            "source", repr(source)[:60], "a certificate or its path, to fill a folder", "or name the output X.pomdp"
        )
    certificate = source if isinstance(source, Certificate) else Certificate.load(source)
    folder = Path(path)
    if coq:
        from pomgcheck.exporters.coq import write

        return write(theorems_of(certificate), folder)
    from pomgcheck.exporters.smt_folder import beside

    found = scripts_of(certificate)
    each = ((claim, number, text) for claim, texts in found.items() for number, text in enumerate(texts, 1))
    written = outputs.write_all(folder, {f"{claim}-{number:04}.smt2": text for claim, number, text in each}, "path")
    outputs.write_all(folder, beside(certificate.document, found), "path")
    return written


def scripts_of(certificate: Certificate) -> dict[str, list[str]]:
    """Return, for each claim, the SMT-LIB 2 scripts of what is proved about it, once the kernel has accepted the
    certificate."""
    from pomgcheck.exporters.obligations import scripts

    accepted(certificate)
    found = scripts(certificate.document)
    if not found:
        required, fix = "a claim proved on interval axes", "a finite class is decided by evaluation and has no scripts"
        raise InputError("claims", "no claim that is proved on interval axes", required, fix)
    return {claim: list(map(str, texts)) for claim, texts in found.items()}


def theorems_of(certificate: Certificate) -> Development:
    """Return the certificate as Coq files, once the kernel has accepted it."""
    from pomgcheck.exporters.coq import development

    accepted(certificate)
    return development(certificate.document)


def accepted(certificate: Certificate) -> None:
    """Raise ``Refused`` for a certificate that the kernel rejects."""
    verdict = verify_bytes(canonical_bytes(certificate.document))
    if not verdict.accepted:
        fix = "certify the model again"
        raise Refused(f"{verdict.claim} {verdict.rule}", verdict.found, verdict.required, fix)
