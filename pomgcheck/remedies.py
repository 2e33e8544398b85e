"""Holds what would make a claim hold, as ``repair`` and ``explain`` find it: each remedy typed, in words of the class,
and the record of a repair (certificates/FORMAT.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck.certificate import Certificate, RecordedClaim, Values
from pomgcheck.errors import InputError
from pomgcheck.modelclass.derived import Axis, Ends, by_side
from pomgcheck.modelclass.document import load
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.stored import Stored, entry, read_record, written

SETTLED = ("proved", "vacuous")
STEPS = 32  # an end of a box is moved by multiples of this part of the room it has
FORMAT = "pomgcheck-repair/1"
KEYS = ("format", "name", "model_sha256", "certificate_sha256", "kind", "found", "model", "sha256")
Truth = Mapping[str, Mapping[str, str]]  # by side, "worlds" and "responses"
Box = dict[Axis, Ends]
Sides = Mapping[str, Mapping[str, tuple[Fraction, ...]]]  # by side and parameter, the ends of a box


class ClaimEnd(NamedTuple):
    """This is how a claim ended, and with which constants."""

    id: str
    verdict: str
    values: Mapping[str, Any]


Claims = Mapping[str, ClaimEnd]


def ended(claims: Mapping[str, RecordedClaim]) -> Claims:
    """Return how claims of a certificate ended."""
    return {name: ClaimEnd(name, claim.verdict, dict(claim.values.written)) for name, claim in claims.items()}


def hold(claims: Claims) -> bool:
    """Return whether every claim is proved, or asks nothing."""
    return all(claim.verdict in SETTLED for claim in claims.values())


class LeftOut(NamedTuple):
    """This is what is left out, in the class's own words: points of Theta, points of Psi, policies."""

    worlds: Sequence[Mapping[str, str]]
    responses: Sequence[Mapping[str, str]]
    policies: Sequence[str]


class Drop(NamedTuple):
    """This says what to leave out of a class, and what certifying found of the rest.

    ``left`` counts the worlds, responses and policies of the rest, whose digest is ``model_sha256``; ``conflicts``
    counts the refuting tuples that the drop meets, and ``claims`` are those it repairs, as they end on the rest.
    """

    out: LeftOut
    left: Mapping[str, int]
    conflicts: int
    claims: Claims
    model_sha256: str

    @classmethod
    def leaving(cls, rest: ModelClass, out: LeftOut, conflicts: int, claims: Mapping[str, RecordedClaim]) -> Drop:
        """Return the drop that leaves this class."""
        game = rest.game
        left = {"worlds": len(game.worlds), "responses": len(game.responses), "policies": len(game.policies)}
        return cls(out, left, conflicts, ended(claims), rest.sha256)

    @property
    def settled(self) -> bool:
        """Return whether every claim is proved, or asks nothing, on what is left; else one of them was given up on."""
        return hold(self.claims)


class Repair(NamedTuple):
    """This is the smallest drop for all ``refuted`` claims together, and for each alone.

    ``outside``: the truth, where it is none of the models; no drop repairs that, and ``together`` is for the others.
    ``settled``: whether nothing is refuted any more on what is left. ``model`` is the class without the smallest drop,
    ``None`` where nothing needs to be left out.
    """

    refuted: Sequence[str]
    outside: Truth | None
    settled: bool
    together: Drop | None
    alone: Mapping[str, Drop]
    model: ModelClass | None = None

    @classmethod
    def by(
        cls,
        refuted: Sequence[str],
        outside: Truth | None,
        together: Drop | None = None,
        alone: Mapping[str, Drop] | None = None,
        model: ModelClass | None = None,
    ) -> Repair:
        """Return the repair by these drops."""
        settled = outside is None and (together is None or together.settled)
        return cls(refuted, outside, settled, together, alone or {}, model)

    @property
    def model_sha256(self) -> str | None:
        """Return the SHA-256 of the class without the smallest drop."""
        return self.together and self.together.model_sha256


class Obstacle(NamedTuple):
    """This is what keeps an ``end`` ("low" or "high") of a box from being moved further: the claim that ends otherwise where
    the end of the ``axis`` ("worlds.x") is ``at``, and in ``why`` the refusal of a class that is none."""

    axis: str
    end: str
    at: Fraction
    claim: str
    verdict: str
    why: str | None = None


class LargestBox(NamedTuple):
    """This is the box found, as ends by axis, and the class on it; neither is there where no box was found.

    ``whole`` has the ends of the class itself, an end of the box is a multiple of ``step`` of the room it has, and
    ``around`` is "truth" or "middle". ``claims`` are those it repairs, as they end on it; ``held`` says of every end
    that is not the class's own which claim ended how when it was moved one step further; ``complete``: whether time was
    left to try them all, within ``limit`` seconds. ``settled``: whether nothing is refuted or open any more on the box.
    """

    refuted: Sequence[str]
    unknown: Sequence[str]
    outside: Truth | None
    settled: bool
    around: str
    whole: Sides
    box: Sides | None
    step: Fraction
    held: Sequence[Obstacle]
    claims: Claims
    candidates: int
    complete: bool
    limit: Fraction
    model_sha256: str | None
    model: ModelClass | None = None


class Best(NamedTuple):
    """This is the floor at which the bound of alpha is largest, and that bound."""

    epsilon: Fraction
    alpha_upper: Fraction


class Floor(NamedTuple):
    """This is the least multiple of ``step`` with alpha_lower >= target, ``epsilon``, which is ``None`` where there is
    none.

    No response then gives an action less than ``least_answer``, epsilon/|B|. ``claims``: weak revealing and whatever
    else was refuted, as they end on ``model``, the class with the floor; ``settled``: whether they hold.
    ``alpha_below`` is an upper bound of alpha one step below ``epsilon``, less than the target, where one is known;
    ``best`` is where the largest upper bound of alpha is, where there is no floor and none is missing.
    """

    target: Fraction
    step: Fraction
    settled: bool
    epsilon: Fraction | None
    least_answer: Fraction | None
    claims: Claims
    alpha_below: Fraction | None
    best: Best | None
    model_sha256: str | None
    model: ModelClass | None = None

    @classmethod
    def under(
        cls,
        bounds: Sequence[Fraction | None],
        target: Fraction,
        epsilon: Fraction | None = None,
        claims: Claims | None = None,
        model: ModelClass | None = None,
    ) -> Floor:
        """Return the floor, where ``bounds[n]`` is no less than alpha at the floor n/steps, or ``None`` where nothing is
        known of it."""
        step, known = Fraction(1, len(bounds) - 1), [bound for bound in bounds if bound is not None]
        below = bounds[int(epsilon / step) - 1] if epsilon else None
        missing = epsilon is not None or len(known) < len(bounds)
        return cls(
            target,
            step,
            settled=epsilon is not None and hold(claims or {}),
            epsilon=epsilon,
            least_answer=None if epsilon is None or model is None else epsilon / len(model.game.B),
            claims=claims or {},
            alpha_below=below if below is not None and below < target else None,
            best=None if missing else Best(known.index(max(known)) * step, max(known)),
            model_sha256=None if model is None else model.sha256,
            model=model,
        )


Remedy = Repair | LargestBox | Floor
KINDS: dict[str, type[Remedy]] = {"drop": Repair, "box": LargestBox, "floor": Floor}  # as records name them


class RepairRecord(Stored):
    """This is what `repair` found; ``document`` is its JSON, whose fields certificates/FORMAT.md lists.

    Two are equal where they say the same of one class, whatever it took to find them.
    """

    @classmethod
    def made(cls, model: ModelClass, certificate: Certificate, found: Remedy) -> RepairRecord:
        """Return the record of what was found of a class under a certificate."""
        document = {
            "format": FORMAT,
            "name": model.name,
            "model_sha256": model.sha256,
            "certificate_sha256": certificate.sha256,
            "kind": next(kind for kind, of in KINDS.items() if isinstance(found, of)),
            "found": written(found._replace(model=None)),
            "model": None if found.model is None else dict(found.model.document),
        }
        return cls.signed(document)

    @classmethod
    def load(cls, path: str | Path) -> RepairRecord:
        """Read a record and check its digests and its shape; raise ``InputError`` where the file is not a sound one."""
        record = cls(read_record(path, "a repair", FORMAT, KEYS))
        if record.kind not in KINDS:
            raise InputError.choice("kind", record.kind, KINDS).inside(str(path))
        return record.shaped(path)

    @property
    def name(self) -> str:
        """Return the name of the class."""
        return str(self.document["name"])

    @property
    def kind(self) -> str:
        """Return what the repair is: "drop", "box" or "floor"."""
        return str(self.document["kind"])

    @property
    def model_sha256(self) -> str:
        """Return the SHA-256 of the class that is repaired."""
        return str(self.document["model_sha256"])

    @property
    def certificate_sha256(self) -> str:
        """Return the SHA-256 of the certificate that the repair is for."""
        return str(self.document["certificate_sha256"])

    @cached_property
    def model(self) -> ModelClass | None:
        """Return the repaired class, or ``None`` where there is none."""
        return None if self.document["model"] is None else load(self.document["model"])

    @cached_property
    def content(self) -> Remedy:
        """Return what was found, typed; raise ``Malformed`` where it has another shape."""
        kind: Callable[..., Remedy] = KINDS[self.kind]
        return entry(kind, self.document["found"], "found", model=self.model)

    @property
    def settled(self) -> bool:
        """Return whether nothing is refuted any more."""
        return self.content.settled

    def __repr__(self) -> str:
        state = "settled" if self.settled else "not settled"
        return f"<repair of {self.name}: {self.kind}, {state}; sha256 {self.sha256[:12]}…>"


class Overrun(NamedTuple):
    """This counts how much the kernel would have to play and how much fits in its budget, and up to which horizon, or
    with how many models, it does fit."""

    what: str
    found: int
    most: int
    horizon: int
    horizon_that_fits: int
    models: int
    models_that_fit: int


@dataclass(frozen=True)
class Try:
    """A try has what was changed, by ``kind`` ("again", "half", "around" or "tolerance"), and how it ended: the class
    was narrowed to ``box``, or the tolerance set to ``tol``."""

    kind: str
    verdict: str
    values: Values
    method: str
    seconds: float
    box: Box = field(default_factory=dict)
    tol: str | None = None

    @property
    def settled(self) -> bool:
        """Return whether the claim holds there."""
        return self.verdict in SETTLED

    @property
    def width(self) -> Fraction:
        """Return how wide the box is, summed over its axes."""
        return sum((high - low for low, high in self.box.values()), Fraction(0))

    @property
    def axes(self) -> Iterator[tuple[str, Ends]]:
        """Yield the parameters of the box with their ends, by side and name."""
        for side in dict.fromkeys(side for side, _ in self.box):
            yield from sorted((name, ends) for (of, name), ends in self.box.items() if of == side)

    @property
    def document(self) -> dict[str, Any]:
        """Return the try as JSON."""
        return {
            "kind": self.kind,
            "changed": written(by_side(self.box)) if self.tol is None else {"tol": self.tol},
            "verdict": self.verdict,
            "values": dict(self.values.written),
            "seconds": round(self.seconds, 3),
        }


@dataclass
class Narrowing:
    """This is what was tried of one claim within ``limit`` seconds.

    ``stopped`` is where the search had ended, ``rests`` the open claims that it is made of, ``untried`` the axes for
    which no time was left, and ``counts`` what is over the kernel's budget.
    """

    claim: str
    limit: float
    stopped: dict[str, Any] | None = None
    rests: list[str] = field(default_factory=list)
    tries: list[Try] = field(default_factory=list)
    untried: list[Axis] = field(default_factory=list)
    counts: Overrun | None = None

    @property
    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "claim": self.claim,
            "limit": self.limit,
            "stopped": self.stopped,
            "rests": self.rests,
            "tries": [each.document for each in self.tries],
            "untried": [".".join(axis) for axis in self.untried],
            "counts": self.counts and self.counts._asdict(),
        }
