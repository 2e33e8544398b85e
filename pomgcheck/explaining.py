"""Says a claim in words and, for one that ended unknown, finds by trying what would decide it (``explain``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.loading import load
from pomgcheck.remedies import Narrowing
from pomgcheck.reporting import explain as told
from pomgcheck.reporting import named_claim
from pomgcheck.reporting.given import read
from pomgcheck.reporting.pages import narrowing as words
from pomgcheck.reporting.render import text
from pomgcheck.stored import Stored

__all__ = ["explain", "tried"]

Source = Mapping[str, Any] | str | Path | Stored
Progress = Callable[[str, int, int], None]


def explain(
    source: Source,
    claim: str | None = None,
    *,
    episodes: int | None = None,
    time_limit: float = 0,
    width: int = 100,
    paint: text.Paint = text.unpainted,
    progress: Progress | None = None,
) -> str:
    """Return one claim of a certificate in words, or all of them: statement, constants, proof or counterexample.

    ``source`` is a certificate: its path, its JSON or the object; ``claim`` is the id of a claim. ``episodes`` (1 to
    10^18) is the T at which the explicit bound is walked through, if it is not the certificate's. ``time_limit`` is in
    seconds, for trying what would decide a ``claim`` that ended unknown: halves of its intervals, a box around the
    truth, more time, a larger tolerance; 0 tries nothing. ``width`` is in columns. ``paint`` is called with (role,
    words) and may colour words for a terminal; the roles are the verdicts, "heading", "strong", "code", "label",
    "number" and "math". ``progress`` is called with (what, done, total).

    Raises ``InputError`` for an id that is not there, or for a time limit that is not a number of seconds.
    """
    if isinstance(time_limit, bool) or not isinstance(time_limit, int | float) or not 0 <= time_limit < inf:
        raise InputError("time_limit", repr(time_limit), "a number of seconds, 0 for no tries")
    said = told(source, claim, episodes=episodes, width=width, paint=paint)
    found = tried(source, claim, time_limit, progress) if claim is not None and time_limit else None
    if found is None:
        return said
    shown = words.told(found, width=width, paint=paint)
    return f"{said}\n{shown}" if shown else said


def tried(source: Source, claim: str, time_limit: float, progress: Progress | None = None) -> Narrowing | None:
    """Return what was tried for a claim, or ``None`` where the claim is settled."""
    certificate = Certificate(dict(read(source).record.document))
    asked = named_claim(certificate, claim)
    if asked.verdict != "unknown":
        return None
    from pomgcheck.search.narrowing import narrowing

    model = load(certificate.model)
    return narrowing(model, certificate, asked.id, time_limit, progress)
