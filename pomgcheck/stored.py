"""Documents kept as canonical JSON under a digest: written whole or not at all, read back only as they were written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Malformed, canonical_bytes, read_json, take
from pomgcheck.outputs import writable, write


@dataclass(frozen=True)
class Stored:
    """An object that is its ``document``, a JSON object with its own digest under ``sha256``."""

    document: dict[str, Any]

    @property
    def sha256(self) -> str:
        """Digest of everything else in the file."""
        return str(self.document["sha256"])

    def save(self, path: str | Path) -> Path:
        """Write the file, whole or not at all.  Raises ``InputError`` for a place that cannot be written."""
        target = writable(path)
        write(target, canonical_bytes(self.document))
        return target


def read_record(
    path: str | Path, what: str, form: str, keys: Sequence[str], content_digest: Callable[[Mapping[str, Any]], str]
) -> dict[str, Any]:
    """The document in a file of format ``form``.  Raises ``InputError`` where it is not a sound one."""
    try:
        document = dict(take(read_json(Path(path).read_bytes()), "record", keys))
    except OSError as error:
        found = error.strerror or "no file"
        raise InputError("", found, what, "give the path of one").inside(str(path)) from None
    except Malformed as error:
        raise InputError(error.where, error.found, error.required).inside(str(path)) from None
    expected = (("format", document["format"], form), ("sha256", content_digest(document), document["sha256"]))
    for name, found, required in expected:
        if found != required:
            raise InputError(name, str(found), str(required), "use the record as it was written").inside(str(path))
    return document
