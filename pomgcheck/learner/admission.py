"""Who may run: the kernel's verdict on a certificate comes first, and nothing passes without it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from pomgcheck.errors import Refused
from pomgcheck.kernel.check import Verdict, verify_bytes
from pomgcheck.kernel.game import Game


@lru_cache(maxsize=1)
def judged(certificate: bytes, model: bytes | None) -> Verdict:
    """The kernel's verdict on the bytes of a certificate; asked once where one class is run many times."""
    return verify_bytes(certificate, model)


def admitted(cert_path: str | Path, model: str | Path | None) -> tuple[dict[str, Any], Game]:
    """The certificate and its class, once the kernel has verified it and it is certified."""
    source = str(cert_path)
    for path, role in ((cert_path, "a certificate file"), (model, "a model file")):
        if path is not None and not Path(path).is_file():
            raise Refused("", "no file", role, "give the path of one").inside(str(path))
    verdict = judged(Path(cert_path).read_bytes(), None if model is None else Path(model).read_bytes())
    if not verdict.accepted or verdict.certificate is None:
        raise Refused(
            f"{verdict.claim} {verdict.rule}", verdict.found, verdict.required, "certify the model again"
        ).inside(source)
    game = Game(verdict.certificate["model"])
    if game.own:
        raise Refused("operators", "a class given by operators", "a class given by kernels",
                      "an episode is played by kernels; run a class that has them").inside(source)  # fmt: skip
    if not verdict.certified:
        open_claims = [
            f"{claim['id']} {claim['verdict']}"
            for claim in verdict.certificate["claims"]
            if claim["verdict"] in ("refuted", "unknown")
        ]
        refuted = any(claim["verdict"] == "refuted" for claim in verdict.certificate["claims"])
        remedy = "change the class so that it certifies" if refuted else "certify every claim, without --only"
        raise Refused("claims", ", ".join(open_claims), "none refuted and none unknown",
                      remedy).inside(source)  # fmt: skip
    return verdict.certificate, game
