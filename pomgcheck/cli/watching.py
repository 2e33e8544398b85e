"""Watches a file and says when it has been saved."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from pomgcheck.errors import InputError

PAUSE = 0.2  # seconds between two looks


def watched(model: str) -> Path:
    """Return the file that a MODEL is read from; raise ``InputError`` for a model that is in no file of its own."""
    path = Path(model.rpartition(":")[0] or model) if ".py:" in model else Path(model)
    if not path.is_file():
        raise InputError(
            "--watch", repr(model), "the path of a document or file.py:function", "write it with pomgcheck new"
        )
    return path


def saves(path: Path) -> Iterator[None]:
    """Yield at once, and again each time that the file has changed; a file that is being written, or is gone, is
    waited for."""
    seen = before = None
    while True:
        now = state(path)
        if now is not None and now != seen and now == before:  # the same at two looks: an editor is done with it
            seen = now
            yield
        else:
            before = now
            time.sleep(PAUSE)


def state(path: Path) -> tuple[int, int] | None:
    """Return when the file was written and how long it is, or ``None`` while an editor has not yet put anything in its
    place."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if found.st_size else None
