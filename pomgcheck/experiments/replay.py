"""Checks the record of an experiment, and does all of it again if asked (``verify_experiment``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pomgcheck.errors import PomgcheckError
from pomgcheck.experiments.record import KEYS, ExperimentRecord
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.learner.admission import admitted


def verify_experiment(
    record: ExperimentRecord,
    certificate: str | Path,
    replay: bool,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int = 1,
) -> tuple[bool, str]:
    """Return whether a record stands under its certificate, and the line that says so; with ``replay`` all of it runs
    again.

    A replay compares all but the package versions and the certificate's file name."""
    try:
        signed, _ = admitted(certificate, None)
    except PomgcheckError as error:
        return False, f"REJECTED experiment {error.where}: found {error.found}, required {error.required}"
    old = record.document
    if signed.sha256 != (required := record.content.certificate.sha256):
        return False, f"REJECTED experiment certificate: found {signed.sha256}, required {required}"
    if not replay:
        return True, f"VERIFIED experiment {record.sha256} certificate {signed.sha256}"
    from pomgcheck.experiments.run import experiment  # numpy is loaded only to play

    again = experiment(record.name, certificate, record.content.groups, progress, jobs).document
    for name in (name for name in KEYS if name not in ("packages", "sha256", "certificate")):
        if canonical_bytes(old[name]) != canonical_bytes(again[name]):
            return False, f"REJECTED experiment {name}: found other results, required those of a replay"
    return True, f"VERIFIED experiment {record.sha256} replayed"
