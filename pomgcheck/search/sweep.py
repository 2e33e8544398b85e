"""Certifies a class at every point of a grid of its knobs; what is on disk is not done again."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck import loading
from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel.reading import digest, long_integers
from pomgcheck.loading import Source
from pomgcheck.modelclass.document import load
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.options import Options
from pomgcheck.outputs import made, writable
from pomgcheck.processes import shared
from pomgcheck.search.certify import certify, check_arguments, check_options, claims_of
from pomgcheck.search.checked import Progress
from pomgcheck.search.grid import Axis, Point, axes_of, points_of, shown
from pomgcheck.search.sweep_file import FORMAT, HEADER, Sweep, exit_class

LOG = logging.getLogger("pomgcheck")
PAUSE = 1.0  # seconds between two writings of the file

Entry = dict[str, Any]


class Task(NamedTuple):
    """This is what is the same at every point: the authoring document, the options, the claims, where certificates
    go."""

    source: Mapping[str, Any]
    options: Options
    only: list[str] | None
    folder: Path | None

    def certified(self, knobs: Point) -> Entry:
        """Return what comes of one point; a class that cannot be used there is a result too."""
        try:
            model = load(self.source, knobs)
            certificate = certify(model, self.options, only=self.only)
        except PomgcheckError as error:
            told = {name: getattr(error, name) for name in ("where", "found", "required", "fix")}
            return {
                "knobs": knobs,
                "exit": error.exit_code,
                "error": told,
                "verdicts": {},
                "values": {},
                "model_sha256": None,
                "sha256": None,
            }
        if self.folder is not None:
            certificate.save(self.file(certificate.sha256))
        verdicts = {name: claim.verdict for name, claim in certificate.claims.items()}
        return {
            "knobs": knobs,
            "exit": exit_class(verdicts, self.only),
            "error": None,
            "verdicts": verdicts,
            "values": certificate.values.written,
            "model_sha256": model.sha256,
            "sha256": certificate.sha256,
        }

    def file(self, sha256: str) -> Path:
        """Return where the certificate of this digest is kept."""
        assert self.folder is not None
        return self.folder / f"{sha256[:16]}.cert.json"

    def kept(self, entry: Entry) -> bool:
        """Return whether a point that is done has its certificate where certificates are asked for."""
        return self.folder is None or entry["sha256"] is None or self.file(entry["sha256"]).is_file()


@long_integers()
def sweep(
    model: Source,
    vary: Mapping[str, Sequence[Any]],
    path: str | Path | None = None,
    options: Options | None = None,
    *,
    only: Collection[str] | None = None,
    certificates: str | Path | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    **given: Any,
) -> Sweep:
    """Certify ``model``, whatever `load` takes, at every point of a grid of one or two of its knobs.

    ``vary`` maps a knob to (low, high, points), ends included: ``{"noise": ("1/20", "9/20", 9)}``. With ``path`` the
    file is written as points are done, about once a second, and a file that is there is continued; ``certificates`` is
    a folder that keeps each certificate. ``options``, ``given`` and ``only`` are as in `certify`. ``jobs`` is the
    number of processes, on which the result does not depend. ``progress`` is called with (what, done, total).

    Returns the `Sweep`. Raises ``InputError`` for a grid or options that do not fit the class, and for a file of
    another sweep.
    """
    check_arguments(only, jobs)
    subject = loading.load(model)
    if path is not None:
        writable(path, read=[model])
    axes = axes_of(vary, subject.knobs)
    chosen = Options.read(options, **given)
    stated = chosen.document
    check_options(stated, subject.game)
    wanted = None if only is None else claims_of(only)
    header = header_of(subject, stated, wanted, axes)
    folder = None if certificates is None else made(Path(certificates), "certificates")
    task = Task(subject.authored, chosen, wanted, folder)
    grid = list(points_of(axes))
    done = {} if path is None else earlier(Path(path), header)
    missing = [knobs for knobs in grid if key(knobs) not in done or not task.kept(done[key(knobs)])]

    def so_far() -> Sweep:
        return Sweep.of(header, [done[key(knobs)] for knobs in grid if key(knobs) in done])

    written = time.monotonic()
    left = len(missing)
    try:
        if progress:
            progress("points", len(grid) - left, len(grid))
        for entry in entries(task, missing, jobs):
            done[key(entry["knobs"])] = entry
            left -= 1
            LOG.info("sweep %s: %d of %d points", subject.name, len(grid) - left, len(grid))
            if progress:
                progress("points", len(grid) - left, len(grid))
            if path is not None and time.monotonic() - written > PAUSE:
                so_far().save(path)
                written = time.monotonic()
    finally:  # interrupted or not, what is done stays done
        if path is not None and done:
            so_far().save(path)
    return so_far()


def header_of(
    subject: ModelClass, options: Mapping[str, Any], only: list[str] | None, axes: Sequence[Axis]
) -> dict[str, Any]:
    """Return what a sweep says of itself besides its points."""
    source = json.dumps(subject.authored, ensure_ascii=False)
    return {
        "format": FORMAT,
        "name": subject.name,
        "model_sha256": subject.sha256,
        "source": source,
        "source_sha256": digest(source),
        "knobs": dict(subject.knobs),
        "options": options,
        "only": only,
        "vary": [axis.document() for axis in axes],
    }


def key(knobs: Point) -> frozenset[tuple[str, str]]:
    """Return a point as the key of what came of it."""
    return frozenset(knobs.items())


def earlier(path: Path, header: Mapping[str, Any]) -> dict[frozenset[tuple[str, str]], Entry]:
    """Return the points of an earlier sweep in the file, if there is one; refuses the file of another sweep."""
    if not path.exists():
        return {}
    try:
        document = Sweep.load(path).document
    except InputError as error:
        error.fix = "remove it or name another file"
        raise
    for name in HEADER:
        if document[name] != header[name]:
            raise InputError(
                name,
                *differing(name, document[name], header[name]),
                "continue it as it was begun, or name another file",
            ).inside(str(path))
    return {key(entry["knobs"]): entry for entry in document["points"]}


def differing(name: str, found: Any, required: Any) -> tuple[str, str]:
    """Return two headers' entries in a few words each."""
    if name == "source":
        return "a sweep of another document", "one of this model"
    if name == "vary":
        found, required = (
            ", ".join(f"{a['knob']}={a['low']}:{a['high']}:{a['points']}" for a in axes) for axes in (found, required)
        )
    if isinstance(found, dict) and isinstance(required, dict):
        found, required = (
            ", ".join(f"{k} = {v}" for k, v in one.items() if other.get(k) != v) or "nothing else"
            for one, other in ((found, required), (required, found))
        )
    return f"a sweep with {found or 'every claim'}", f"{required or 'every claim'}"


def entries(task: Task, points: list[Point], jobs: int) -> Iterator[Entry]:
    """Return what comes of each point, as it comes: here, in ``jobs`` processes of one thread each, or on a cluster."""
    yield from shared(task.certified, ((knobs,) for knobs in points), max(min(jobs, len(points)), 1))


# ------------------------------------------------------------------------------------------- checking


class SweepVerdict(NamedTuple):
    """This says whether the file of a sweep stands, in a line too."""

    accepted: bool
    line: str
    sweep: Sweep | None = None

    def __bool__(self) -> bool:
        """Return whether the sweep stands."""
        return self.accepted


@long_integers()
def verify_sweep(
    path: str | Path, replay: bool = False, jobs: int = 1, progress: Progress | None = None
) -> SweepVerdict:
    """Check a sweep's shape and digests, and every point's class; with ``replay`` certify each point again."""
    try:
        found = Sweep.load(path)
        document = found.document
        source = found.source
        at_home = load(source)
        for name, value in (("model_sha256", at_home.sha256), ("knobs", at_home.knobs), ("name", at_home.name)):
            if document[name] != value:
                raise InputError(name, str(document[name]), f"{value}, of the source")
        for entry in document["points"]:
            same_class(source, entry)
        if replay:
            same_certificates(found, jobs, progress)
    except PomgcheckError as error:
        return SweepVerdict(False, f"REJECTED sweep {error.where}: found {error.found}, required {error.required}")
    again = ", replayed" if replay else ""
    return SweepVerdict(True, f"VERIFIED sweep {found.sha256} {len(found.points)} of {found.size} points{again}", found)


def same_class(source: Mapping[str, Any], entry: Entry) -> None:
    """Raise ``InputError`` unless the class at a point is the one that its digest names."""
    try:
        sha256: str | None = load(source, entry["knobs"]).sha256
    except PomgcheckError:
        sha256 = None
    if entry["error"] is None and sha256 != entry["model_sha256"]:
        raise InputError(f"model_sha256 at {shown(entry['knobs'])}", str(entry["model_sha256"]), str(sha256))


def same_certificates(found: Sweep, jobs: int, progress: Progress | None) -> None:
    """Certify every point again; raise ``InputError`` unless digests, verdicts and values are the same."""
    task = Task(found.source, found.options, found.document["only"], None)
    kept = {key(entry["knobs"]): entry for entry in found.document["points"]}
    for n, entry in enumerate(entries(task, [dict(point.knobs) for point in found.points], jobs), 1):
        if progress:
            progress("points", n, len(kept))
        old = kept[key(entry["knobs"])]
        for name, value in entry.items():
            if old[name] != value:
                raise InputError(f"{name} at {shown(entry['knobs'])}", str(old[name]), f"{value}, certified again")
