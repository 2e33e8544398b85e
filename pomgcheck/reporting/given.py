"""Reads what is given to report on, a record and its file, and refuses one whose entries do not fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck.errors import InputError, PomgcheckError, Refused
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.reading import Malformed, canonical_bytes
from pomgcheck.records import Record, recorded
from pomgcheck.stored import Stored, kind_of

Source = Mapping[str, Any] | str | Path | Stored


class Given(NamedTuple):
    """This is a record to report on, and the name of its file, which is "" where the record was given as an object."""

    record: Record
    file: str

    @property
    def kind(self) -> str:
        """Return what kind of record it is."""
        return kind_of(self.record.document["format"]) or ""

    @property
    def told(self) -> tuple[dict[str, Any], str]:
        """Return its JSON and its file, as the pages take them."""
        return self.record.document, self.file


@contextmanager
def legible(inputs: Sequence[Given]) -> Iterator[None]:
    """Refuse what cannot be put in words because it is not what its digest claims.

    A digest can be made for anything. The kernel says what is wrong with a certificate; about other records the
    refusal says that their entries do not fit together.
    """
    try:
        yield
    except (PomgcheckError, ModuleNotFoundError):
        raise
    except Exception as error:
        for each in inputs:
            if refusal := unsound(each, error):
                raise refusal.inside(each.file) from error
        raise


def unsound(given: Given, error: Exception) -> PomgcheckError | None:
    """Return the refusal of a certificate that the kernel rejects, or of a record that could not be read to its end."""
    fix = "make it again"
    if given.kind != "certificate" and isinstance(error, Malformed):
        return InputError(error.where, error.found, error.required, fix)
    if given.kind != "certificate":
        found = f"entries that do not fit together ({type(error).__name__})"
        return InputError("", found, f"a record as pomgcheck {given.kind} writes it", fix)
    verdict = verify_bytes(canonical_bytes(given.record.document))
    if verdict.accepted:
        return None
    return Refused(f"{verdict.claim} {verdict.rule}", verdict.found, verdict.required, fix)


def read(source: Source) -> Given:
    """Return the record to report on, and the name of its file where it has one."""
    return Given(recorded(source), Path(source).name if isinstance(source, str | Path) else "")
