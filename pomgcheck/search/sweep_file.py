"""The file of a sweep: which class, options and knobs, and what came of each point (certificates/FORMAT.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck.certificate import Values
from pomgcheck.errors import InputError
from pomgcheck.kernel.reading import Malformed, digest, mapping, rational, read_json, require, sequence, take
from pomgcheck.options import Options
from pomgcheck.search.grid import MOST_AXES, MOST_POINTS, Axis, points_of, read_axis
from pomgcheck.stored import Stored, read_bytes, told_apart

FORMAT = "pomgcheck-sweep/1"
HEADER = ("format", "name", "model_sha256", "source", "source_sha256", "knobs", "options", "only", "vary")
ENTRY = ("knobs", "exit", "error", "verdicts", "values", "model_sha256", "sha256")
OPTIONS = ("kappa", "space", "weak_revealing", "lipschitz_form", "T", "delta", "reference", "limits")
ENDS = {0: "certified", 1: "refuted", 3: "unknown", 2: "unusable"}  # exit class -> word


class Unusable(NamedTuple):
    """Why the document makes no class at a point: where, what was found, what is required, and how to put it right."""

    where: str
    found: str
    required: str
    fix: str


class Swept(NamedTuple):
    """This is what came of one point of a sweep.

    ``knobs`` are the values of those that vary, ``exit`` is the exit class, ``verdicts`` and ``values`` are those of
    the certificate, whose digest is ``sha256``, and ``error`` is there where the document makes no class.
    """

    knobs: Mapping[str, str]
    exit: int
    error: Unusable | None
    verdicts: Mapping[str, str]
    values: Values
    model_sha256: str | None
    sha256: str | None

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Swept:
        """Return the point that the JSON holds."""
        error = None if entry["error"] is None else Unusable(**entry["error"])
        return cls(**{**entry, "error": error, "values": Values(entry["values"])})

    @property
    def end(self) -> str:
        """Return how the point ended: "certified", "refuted", "unknown" or "unusable"."""
        return ENDS[self.exit]


class Sweep(Stored):
    """This is a sweep, finished or not: ``document`` is its JSON, exact text throughout.

    The authoring document inside is text of its own, since the order of its keys may matter.
    """

    @classmethod
    def of(cls, header: Mapping[str, Any], points: list[dict[str, Any]]) -> Sweep:
        """Return the sweep of these points, under its digest."""
        return cls.signed({**header, "points": points})

    @classmethod
    def load(cls, path: str | Path) -> Sweep:
        """Read a sweep and check its shape and digests.  Raises ``InputError`` where the file is not a sound one."""
        data = read_bytes(path, "the file of a sweep")
        try:
            return cls(read_sweep(read_json(data)))
        except Malformed as error:
            told_apart(path, data, "sweep")
            raise InputError(error.where, error.found, error.required).inside(str(path)) from None

    @property
    def source(self) -> dict[str, Any]:
        """Return the authoring document."""
        return dict(read_json(self.document["source"].encode()))

    @property
    def name(self) -> str:
        """Return the name of the class."""
        return str(self.document["name"])

    @property
    def model_sha256(self) -> str:
        """Return the SHA-256 of the class at the document's own knobs."""
        return str(self.document["model_sha256"])

    @property
    def source_sha256(self) -> str:
        """Return the SHA-256 of the authoring document."""
        return str(self.document["source_sha256"])

    @property
    def knobs(self) -> Mapping[str, str]:
        """Return the document's own value of each knob."""
        return dict(self.document["knobs"])

    @cached_property
    def options(self) -> Options:
        """Return the options of every certificate."""
        return Options.of(self.document["options"])

    @property
    def only(self) -> tuple[str, ...] | None:
        """Return the claims that were searched, or ``None`` for all."""
        return None if self.document["only"] is None else tuple(self.document["only"])

    @cached_property
    def vary(self) -> dict[str, Axis]:
        """Return the axes of the grid, by knob."""
        axes = (read_axis(axis, f"vary[{k}]") for k, axis in enumerate(self.document["vary"]))
        return {axis.knob: axis for axis in axes}

    @cached_property
    def points(self) -> tuple[Swept, ...]:
        """Return what came of each point so far, in the order of the grid."""
        return tuple(map(Swept.of, self.document["points"]))

    @property
    def certified(self) -> list[Swept]:
        """Return the points where nothing is refuted or open."""
        return [point for point in self.points if point.exit == 0]

    @property
    def size(self) -> int:
        """Return how many points the grid has, done or not."""
        return prod(axis.points for axis in self.vary.values())

    def counts(self) -> dict[str, int]:
        """Return how many points ended as certified, refuted, unknown, unusable; those that occur."""
        ends = [point.end for point in self.points]
        return {end: ends.count(end) for end in ENDS.values() if end in ends}

    def __repr__(self) -> str:
        knobs = " and ".join(self.vary)
        counted = ", ".join(f"{n} {word}" for word, n in self.counts().items()) or "nothing yet"
        return f"<sweep of {self.name} over {knobs}: {len(self.points)} of {self.size} points; {counted}>"


def read_sweep(value: Any) -> dict[str, Any]:
    """Return the shape of a sweep's file and its digests; raises ``Malformed``."""
    document = dict(take(value, "sweep", (*HEADER, "points", "sha256")))
    require(document["format"] == FORMAT, "format", repr(document["format"]), repr(FORMAT))
    found = digest({key: entry for key, entry in document.items() if key != "sha256"})
    require(found == document["sha256"], "sha256", document["sha256"], f"{found}, of the rest of the file")
    found = digest(document["source"])
    require(found == document["source_sha256"], "source_sha256", document["source_sha256"], f"{found}, of the source")
    require(isinstance(document["source"], str), "source", type(document["source"]).__name__, "a document as text")
    mapping(read_json(document["source"].encode(), "source"), "source")
    check_options(document["options"])
    only = [] if document["only"] is None else sequence(document["only"], "only")
    for name, text in (("name", document["name"]), *(("only", claim) for claim in only)):
        require(isinstance(text, str), name, repr(text), "a name")
    axes = [read_axis(axis, f"vary[{k}]") for k, axis in enumerate(sequence(document["vary"], "vary"))]
    named = {axis.knob for axis in axes} & set(mapping(document["knobs"], "knobs"))
    require(1 <= len(named) == len(axes) <= MOST_AXES, "vary", f"{len(axes)} axes", "one or two knobs of the class")
    count = prod(a.points for a in axes)
    require(count <= MOST_POINTS, "vary", f"a grid of {count:,} points", f"at most {MOST_POINTS:,}")
    grid = points_of(axes)
    for k, point in enumerate(sequence(document["points"], "points")):
        check_entry(point, f"points[{k}]", document["only"])
        known = any(point["knobs"] == knobs for knobs in grid)  # goes on from the last one, so the order counts
        require(known, f"points[{k}].knobs", repr(point["knobs"]), "points of the grid, in its order")
    return document


def check_options(value: Any) -> None:
    """Raise ``Malformed`` unless these are the options of a certificate; whether they fit the class is for the search
    to say."""
    options = take(value, "options", OPTIONS, ("operators",))
    reveal = take(options["weak_revealing"], "options.weak_revealing", ("form", "scope", "tol"))
    mapping(options["limits"], "options.limits")
    for name, text in (("tol", reveal["tol"]), ("delta", options["delta"])):
        rational(text, f"options.{name}")


def check_entry(value: Any, where: str, only: list[str] | None) -> None:
    """Raise ``Malformed`` unless this is one point, whose exit class is the one that belongs to its verdicts or to an
    error."""
    entry = take(value, where, ENTRY)
    verdicts = mapping(entry["verdicts"], f"{where}.verdicts")
    require(
        all(isinstance(v, str) for v in verdicts.values()),
        f"{where}.verdicts",
        "a verdict that is not a string",
        "strings",
    )
    mapping(entry["values"], f"{where}.values")
    if entry["error"] is None:
        right = exit_class(verdicts, only)
        require(entry["exit"] == right, f"{where}.exit", entry["exit"], f"{right}, by its verdicts")
        return
    told = take(entry["error"], f"{where}.error", ("where", "found", "required", "fix"))
    require(
        all(isinstance(part, str) for part in told.values()),
        f"{where}.error",
        "an entry that is not a string",
        "strings",
    )
    bare = not verdicts and not entry["values"] and entry["sha256"] is None and entry["exit"] in (2, 3)
    require(bare, where, "verdicts beside an error", "an error alone")


def exit_class(verdicts: Mapping[str, str], only: list[str] | None) -> int:
    """Return 0 nothing refuted or unknown, 1 something refuted, 3 something unknown; of the claims that were searched,
    `regret` apart."""
    found = {v for claim, v in verdicts.items() if claim != "regret" and (only is None or claim in only)}
    return 1 if "refuted" in found else 3 if "unknown" in found else 0
