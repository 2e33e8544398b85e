"""Knows every kind of stored record, and has the one reader that knows what a file is by what it says, not by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.experiments.record import ExperimentRecord
from pomgcheck.learner.record import RunRecord
from pomgcheck.remedies import RepairRecord
from pomgcheck.search.sweep_file import Sweep
from pomgcheck.stored import TOLD, Stored, form, kind_of, of_another_kind, read_bytes

__all__ = ["Record", "read", "recorded"]

Record = Certificate | RunRecord | Sweep | ExperimentRecord | RepairRecord
KINDS: dict[str, type[Record]] = {
    "certificate": Certificate,
    "run": RunRecord,
    "sweep": Sweep,
    "experiment": ExperimentRecord,
    "repair": RepairRecord,
}  # as formats name them


def read(path: str | Path) -> Record:
    """Return the record in the file ``path``, its shape and digests checked; `verify` says whether it is right.

    Raises ``InputError`` for a file that is not a record, and ``Refused`` for a certificate that is not as it was
    written.
    """
    data = read_bytes(path, TOLD)
    declared = form(data)
    kind = kind_of(declared)
    if kind is None and (refusal := of_another_kind(Path(path), data, declared)):
        raise refusal
    return KINDS[kind or "certificate"].load(path)


def recorded(source: Any) -> Record:
    """Return the record that a verb was given: as the path of one, as its JSON, or as the object itself.

    A file is checked as in ``read``; JSON and objects are taken as they are.
    """
    if isinstance(source, Stored):
        return source  # type: ignore[return-value]
    if isinstance(source, Mapping):
        kind = kind_of(str(source.get("format")))
        if kind is None:
            raise InputError(
                "format", repr(source.get("format"))[:60], "the format of " + TOLD.replace(" or a report", "")
            )
        return KINDS[kind](dict(source))
    if isinstance(source, str | Path):
        return read(source)
    raise InputError("source", repr(source)[:60], "a certificate, a run or a sweep: its JSON, file or object")
