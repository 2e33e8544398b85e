"""The record of an experiment: what was measured, beside what the paper prints, under one digest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pomgcheck.errors import PomgcheckError
from pomgcheck.kernel.game import canonical_bytes, digest
from pomgcheck.learner.admission import admitted
from pomgcheck.stored import Stored, read_record

FORMAT = "pomgcheck-experiment/1"
KEYS = (
    "format",
    "experiment",
    "title",
    "seeds",
    "groups",
    "rng",
    "packages",
    "constants",
    "choices",
    "certificate",
    "table",
    "remarks",
    "figures",
    "sha256",
)


class ExperimentRecord(Stored):
    """A finished experiment; ``document`` is its JSON (certificates/FORMAT.md)."""

    @classmethod
    def made(cls, document: dict[str, Any]) -> ExperimentRecord:
        """The record of a document without its digest."""
        return cls(document | {"sha256": digest(document)})

    @classmethod
    def load(cls, path: str | Path) -> ExperimentRecord:
        """Read a record and check its digest.  Raises ``InputError`` where the file is not a sound record."""
        return cls(read_record(path, "a record", FORMAT, KEYS, content_digest))

    def __repr__(self) -> str:
        return f"<experiment {self.document['experiment']}: {self.document['title']}; sha256 {self.sha256[:12]}…>"

    def _repr_html_(self) -> str:
        from pomgcheck.reporting import notebook_html

        return notebook_html(self.document)


def content_digest(document: Mapping[str, Any]) -> str:
    """Digest of everything but the digest."""
    return digest({key: value for key, value in document.items() if key != "sha256"})


def verify_experiment(
    record: ExperimentRecord,
    certificate: str | Path,
    replay: bool,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[bool, str]:
    """Whether a record stands under its certificate, and the line that says so; with ``replay`` all of it runs again.

    A replay compares all but the package versions and the certificate's file name."""
    try:
        signed, _ = admitted(certificate, None)
    except PomgcheckError as error:
        return False, f"REJECTED experiment {error.where}: found {error.found}, required {error.required}"
    old = record.document
    if signed["sha256"] != (required := old["certificate"]["sha256"]):
        return False, f"REJECTED experiment certificate: found {signed['sha256']}, required {required}"
    if not replay:
        return True, f"VERIFIED experiment {record.sha256} certificate {signed['sha256']}"
    from pomgcheck.experiments.run import experiment  # numpy is loaded only to play

    again = experiment(old["experiment"], certificate, old["groups"], progress).document
    for name in (name for name in KEYS if name not in ("packages", "sha256", "certificate")):
        if canonical_bytes(old[name]) != canonical_bytes(again[name]):
            return False, f"REJECTED experiment {name}: found other results, required those of a replay"
    return True, f"VERIFIED experiment {record.sha256} replayed"
