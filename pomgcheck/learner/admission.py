"""Says who may run: the kernel's verdict on a certificate comes first, and nothing passes without it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, Refused, counted
from pomgcheck.kernel.check import Verdict, verify_bytes
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.learner.algorithms import ALGORITHMS, ASSUMING
from pomgcheck.stored import to_give


@lru_cache(maxsize=1)
def judged(certificate: bytes, model: bytes | None) -> Verdict:
    """Return the kernel's verdict on the bytes of a certificate; it is kept, so that many runs of one class ask once."""
    return verify_bytes(certificate, model)


def admitted(cert_path: str | Path | Certificate, model: str | Path | None) -> tuple[Certificate, Game]:
    """Return the certificate and its class, once the kernel has verified it and its assumptions are certified.

    Raises ``Refused`` where the kernel rejects it, or where a claim that the learner rests on is not settled.
    """
    certificate, game = verified(cert_path, model)
    if not certificate.certified:
        raise not_certified(certificate).inside(named(cert_path))
    return certificate, game


def named(certificate: str | Path | Certificate) -> str:
    """Return what errors call a certificate."""
    return certificate.name if isinstance(certificate, Certificate) else str(certificate)


def verified(cert_path: str | Path | Certificate, model: str | Path | None) -> tuple[Certificate, Game]:
    """Return the certificate and its class, once the kernel has verified it, whatever it says about the class."""
    held, source = isinstance(cert_path, Certificate), named(cert_path)
    for path, role in ((None if held else cert_path, "a certificate file"), (model, "a model file")):
        if path is not None and not isinstance(path, str | os.PathLike):
            raise InputError("run", repr(path)[:60], role.replace("a certificate file", "a certificate or its file"))
        if path is not None and not Path(path).is_file():
            raise Refused("", "no file", role, to_give(path, role)).inside(str(path))
    written = (
        canonical_bytes(cert_path.document) if isinstance(cert_path, Certificate) else Path(cert_path).read_bytes()
    )
    verdict = judged(written, None if model is None else Path(model).read_bytes())
    if not verdict.accepted or verdict.certificate is None:
        raise Refused(
            f"{verdict.claim} {verdict.rule}", verdict.found, verdict.required, "certify the model again"
        ).inside(source)
    game = Game(verdict.certificate["model"])
    if game.own:
        raise Refused(
            "operators",
            "a class given by operators",
            "a class given by kernels",
            "an episode is played by kernels; run a class that has them",
        ).inside(source)
    return Certificate(verdict.certificate), game


def permitted(certificate: Certificate) -> list[str]:
    """Return the algorithms that may run on the class.

    Those with constants of Assumptions 2.2-3.1 may where these are certified, ``nested`` may where its theorem is
    proved, and those that assume nothing may where either is so.
    """
    return [name for name in ALGORITHMS if admits(certificate, name)]


def admits(certificate: Certificate, name: str) -> bool:
    """Return whether an algorithm may run; one of the user's own assumes nothing."""
    proved = certificate.claims["regret"].verdict == "proved"
    return proved if name == "nested" else certificate.certified or (proved and name not in ASSUMING)


def usual(certificate: Certificate) -> str:
    """Return the algorithm of a run that names none: the paper's wherever its assumptions are certified."""
    return "nested" if not certificate.certified and "nested" in permitted(certificate) else "epoch-omle"


def admit(names: Sequence[str], certificate: Certificate) -> None:
    """Refuse an algorithm that the certificate does not admit: raise ``Refused``."""
    for name in names:
        if admits(certificate, name):
            continue
        if name != "nested":
            refusal = not_certified(certificate)
            if "nested" in permitted(certificate):
                fix = "run nested, which its Theorem N admits, or change the class so that it certifies"
                refusal = Refused(refusal.where, refusal.found, refusal.required, fix)
            raise refusal
        found = certificate.claims["regret"].verdict
        raise Refused(
            "claims",
            f"regret, which is {found}",
            "regret proved, for the algorithm nested",
            {
                "vacuous": "nothing is to be learned where every policy is best, or a premise is refuted; see explain",
                "unknown": "certify that claim too; where constraints tie intervals, list the models",
            }.get(found, "certify the model again"),
        )


def not_certified(certificate: Certificate) -> Refused:
    """Return the refusal of a class, which names the claims that stand in the way, and how to go on."""
    asked = (claim for claim in certificate.claims.values() if claim.id != "regret")
    open_claims = [claim for claim in asked if claim.verdict in ("refuted", "unknown")]
    left_out = [claim for claim in open_claims if claim.method.startswith(("not searched", "interrupted"))]
    remedy = "change the class so that it certifies"
    if len(left_out) == len(open_claims):
        remedy = "certify every claim"
    names = ", ".join(f"{claim.id} {claim.verdict}" for claim in open_claims if claim not in left_out)
    others = f"{counted(len(left_out), 'claim')} not searched" if left_out else ""
    return Refused("claims", " and ".join(filter(None, (names, others))), "none refuted and none unknown", remedy)
