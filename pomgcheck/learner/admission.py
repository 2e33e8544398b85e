"""Who may run: the kernel's verdict on a certificate comes first, and nothing passes without it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, Refused
from pomgcheck.kernel.check import Verdict, verify_bytes
from pomgcheck.kernel.game import Game, canonical_bytes


@lru_cache(maxsize=1)
def judged(certificate: bytes, model: bytes | None) -> Verdict:
    """The kernel's verdict on the bytes of a certificate; asked once where one class is run many times."""
    return verify_bytes(certificate, model)


def admitted(cert_path: str | Path | Certificate, model: str | Path | None) -> tuple[dict[str, Any], Game]:
    """The certificate and its class, once the kernel has verified it and it is certified."""
    held = isinstance(cert_path, Certificate)
    source = cert_path.name if isinstance(cert_path, Certificate) else str(cert_path)
    for path, role in ((None if held else cert_path, "a certificate file"), (model, "a model file")):
        if path is not None and not isinstance(path, str | os.PathLike):
            raise InputError("run", repr(path)[:60], role.replace("a certificate file", "a certificate or its file"))
        if path is not None and not Path(path).is_file():
            raise Refused("", "no file", role, "give the path of one").inside(str(path))
    verdict = judged(bytes_of(cert_path), None if model is None else Path(model).read_bytes())
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
    if not verdict.certified:
        raise not_certified(verdict.certificate["claims"]).inside(source)
    return verdict.certificate, game


def bytes_of(certificate: str | Path | Certificate) -> bytes:
    """A certificate as the kernel reads it."""
    if isinstance(certificate, Certificate):
        return canonical_bytes(certificate.document)
    return Path(certificate).read_bytes()


def not_certified(claims: Sequence[Mapping[str, Any]]) -> Refused:
    """The refusal of a class, which names the claims that stand in the way, and how to go on."""
    open_claims = [claim for claim in claims if claim["verdict"] in ("refuted", "unknown")]
    left_out = [claim for claim in open_claims if claim["search"].get("method") == "not searched"]
    remedy = "change the class so that it certifies"
    if len(left_out) == len(open_claims):
        remedy = "certify every claim, without --only"
    names = ", ".join(f"{claim['id']} {claim['verdict']}" for claim in open_claims if claim not in left_out)
    others = f"{len(left_out)} claims that were not searched" if left_out else ""
    return Refused("claims", " and ".join(filter(None, (names, others))), "none refuted and none unknown", remedy)
