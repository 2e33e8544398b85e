"""The record of an experiment: what was measured, beside what the paper prints, under one digest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pomgcheck.stored import Stored, content_digest, read_record

FORMAT = "pomgcheck-experiment/2"
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
    "tables",
    "remarks",
    "figures",
    "sha256",
)


class ExperimentRecord(Stored):
    """This is a finished experiment; ``document`` is its JSON, whose fields certificates/FORMAT.md lists."""

    @classmethod
    def made(cls, document: dict[str, Any]) -> ExperimentRecord:
        """Return the record of a document without its digest."""
        return cls(document | {"sha256": content_digest(document)})

    @classmethod
    def load(cls, path: str | Path) -> ExperimentRecord:
        """Read a record and check its digest; raise ``InputError`` where the file is not a sound record."""
        return cls(read_record(path, "a record", FORMAT, KEYS))

    @property
    def name(self) -> str:
        """Return the name of the experiment."""
        return str(self.document["experiment"])

    def __repr__(self) -> str:
        return f"<experiment {self.document['experiment']}: {self.document['title']}; sha256 {self.sha256[:12]}…>"
