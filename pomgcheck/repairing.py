"""Finds the least that must change so that what a certificate refutes, leaves open or shows too weakly holds
(``repair``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.loading import Source, load
from pomgcheck.options import Number, positive
from pomgcheck.stored import form, kind_of

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass
    from pomgcheck.remedies import RepairRecord

Progress = Callable[[str, int, int], None]
TIME = 120.0  # seconds

__all__ = ["certified", "repair", "repaired"]


def repair(
    source: Source | Certificate,
    *,
    target: Number | None = None,
    jobs: int = 1,
    time_limit: float = TIME,
    **options: Any,
) -> RepairRecord:
    """Return the least repair of a class.

    That is the fewest worlds, responses and policies to leave out, or with ``target`` the least floor of the
    responses; for a class with intervals it is the largest box of them around the truth. ``source`` is a certificate
    (its path, its JSON or the object), or a class to certify first with these ``options``. ``target`` is the alpha of
    weak revealing that the floor must reach, an exact number above 0. ``jobs`` is the number of processes.
    ``time_limit`` is in seconds and is for the search for a box, which keeps what it has reached by then; the other
    repairs take hardly any time.

    The result has ``settled`` (whether nothing is refuted any more), ``model`` (the repaired class, if there is one)
    and ``content`` (what was found, typed); it is saved, loaded and reported as every record is. Every repair is
    certified before it is returned. Raises ``InputError`` for a floor of a class on intervals, options beside a
    certificate, a target that is not positive, or a time limit that is not a number of seconds.
    """
    wanted = None if target is None else positive(target, "target")
    seconds = some_time(time_limit)
    return repaired(*certified(source, options, jobs, seconds=seconds), wanted, jobs, seconds)


def some_time(limit: Any) -> float:
    """Return a time limit; raise ``InputError`` where it is not a positive number of seconds."""
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit < inf:
        raise InputError("time_limit", repr(limit), "a positive number of seconds")
    return float(limit)


def repaired(
    model: ModelClass,
    certificate: Certificate,
    wanted: Fraction | None,
    jobs: int,
    seconds: float = TIME,
    progress: Progress | None = None,
) -> RepairRecord:
    """Return the repair of the class that a certificate is about; it is a floor where an alpha is ``wanted``."""
    from pomgcheck.remedies import Remedy, RepairRecord

    found: Remedy
    if wanted is not None:
        from pomgcheck.search.floor import smallest_floor

        found = smallest_floor(model, certificate, wanted, jobs=jobs)
    elif model.game.finite:
        from pomgcheck.search.repair import repair as least

        found = least(model, certificate, jobs=jobs)
    else:
        from pomgcheck.search.largest_box import largest_box
        from pomgcheck.search.repair import refuted_claims

        refuted = refuted_claims(model, certificate)
        found = largest_box(model, certificate, refuted, seconds=seconds, jobs=jobs, progress=progress)
    return RepairRecord.made(model, certificate, found)


def certified(
    source: Source | Certificate,
    options: Mapping[str, Any],
    jobs: int,
    progress: Progress | None = None,
    seconds: float | None = None,
) -> tuple[ModelClass, Certificate]:
    """Return a certificate and its model: the one given, or one made of the claims that a repair is about, on
    intervals within ``seconds``."""
    certificate = given(source)
    if certificate is not None:
        if options:
            fix = "give the model to choose other options"
            raise InputError(next(iter(options)), "an option beside a certificate", "the certificate's own", fix)
        return load(certificate.document["model"]), certificate
    from pomgcheck.search.certify import certify
    from pomgcheck.search.conflicts import DROPPABLE

    assert not isinstance(source, Certificate)
    model = load(source)
    claims = ("well-specified", *DROPPABLE)
    limit = None if model.game.finite else seconds
    return model, certify(model, only=claims, jobs=jobs, progress=progress, time_limit=limit, **options)


def given(source: Any) -> Certificate | None:
    """Return the certificate that ``source`` is, or ``None`` if it is a class."""
    if isinstance(source, Certificate):
        return source
    if isinstance(source, Mapping):
        return Certificate(dict(source)) if kind_of(str(source.get("format"))) == "certificate" else None
    path = Path(source) if isinstance(source, str | Path) else None
    if path is not None and path.is_file() and kind_of(form(path.read_bytes())) == "certificate":
        return Certificate.load(path)
    return None
