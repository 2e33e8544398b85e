"""Holds what would make a claim hold, as ``repair`` and ``explain`` find it: each remedy typed, in words of the class,
and as JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pomgcheck.certificate import RecordedClaim, Values
from pomgcheck.kernel.reading import digest
from pomgcheck.modelclass.derived import Axis, Ends, by_side
from pomgcheck.stored import Displayed

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass

SETTLED = ("proved", "vacuous")
STEPS = 32  # an end of a box is moved by multiples of this part of the room it has
Truth = Mapping[str, Mapping[str, str]]  # by side, "worlds" and "responses"
Box = dict[Axis, Ends]


def outcomes(claims: Mapping[str, RecordedClaim]) -> dict[str, Any]:
    """Return how claims ended and with which constants, as JSON."""
    return {
        name: {"id": claim.id, "verdict": claim.verdict, "values": dict(claim.values.written)}
        for name, claim in claims.items()
    }


def hold(claims: Mapping[str, RecordedClaim]) -> bool:
    """Return whether every claim is proved, or asks nothing."""
    return all(claim.verdict in SETTLED for claim in claims.values())


class Remedy(Displayed, ABC):
    """This is what ``repair`` found; two are equal where their JSON is, whatever it took to find them."""

    @property
    @abstractmethod
    def document(self) -> dict[str, Any]:
        """Return it as JSON."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.document == other.document

    def __hash__(self) -> int:
        return hash(digest(self.document))


class LeftOut(NamedTuple):
    """This is what is left out, in the class's own words: points of Theta, points of Psi, policies."""

    worlds: tuple[dict[str, str], ...]
    responses: tuple[dict[str, str], ...]
    policies: tuple[str, ...]


@dataclass(frozen=True)
class Drop:
    """This says what to leave out of a class, and what certifying found of the rest.

    ``claims`` are those it repairs, as they end on the rest, ``model``, and ``left`` counts its worlds, responses and
    policies; ``conflicts`` counts the refuting tuples that the drop meets.
    """

    out: LeftOut
    conflicts: int
    claims: Mapping[str, RecordedClaim]
    model: ModelClass = field(repr=False)

    @property
    def left(self) -> dict[str, int]:
        """Return how many worlds, responses and policies are left."""
        game = self.model.game
        return {"worlds": len(game.worlds), "responses": len(game.responses), "policies": len(game.policies)}

    @property
    def settled(self) -> bool:
        """Return whether every claim is proved, or asks nothing, on what is left; else one of them was given up on."""
        return hold(self.claims)

    @property
    def document(self) -> dict[str, Any]:
        """Return the drop as JSON."""
        return {
            "out": {side: list(items) for side, items in self.out._asdict().items()},
            "left": self.left,
            "conflicts": self.conflicts,
            "claims": outcomes(self.claims),
            "model_sha256": self.model.sha256,
        }


@dataclass(frozen=True, eq=False)
class Repair(Remedy):
    """This is the smallest drop for all ``refuted`` claims together, and for each alone.

    ``outside``: the truth, where it is none of the models; no drop repairs that, and ``together`` is for the others.
    """

    refuted: tuple[str, ...]
    together: Drop | None
    alone: Mapping[str, Drop]
    outside: Truth | None
    kind = "drop"

    @property
    def model(self) -> ModelClass | None:
        """Return what is left of the class without the smallest drop; ``None`` where nothing needs to be left out."""
        return None if self.together is None else self.together.model

    @property
    def settled(self) -> bool:
        """Return whether nothing is refuted any more on what is left."""
        return self.outside is None and (self.together is None or self.together.settled)

    @property
    def document(self) -> dict[str, Any]:
        """Return the repair as JSON."""
        return {
            "refuted": list(self.refuted),
            "outside": self.outside,
            "settled": self.settled,
            "together": self.together and self.together.document,
            "alone": {claim: drop.document for claim, drop in self.alone.items()},
        }


class Obstacle(NamedTuple):
    """This is what keeps an ``end`` ("low" or "high") of a box from being moved further: the claim that ends otherwise where
    the end is ``at``, and in ``why`` the refusal of a class that is none."""

    axis: Axis
    end: str
    at: Fraction
    claim: str
    verdict: str
    why: str | None = None

    @property
    def document(self) -> dict[str, str]:
        """Return it as JSON."""
        told = self._asdict() | {"axis": ".".join(self.axis), "at": str(self.at)}
        return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True, eq=False)
class LargestBox(Remedy):
    """This is the box found, as ends by axis, and the class on it; neither is there where no box was found.

    ``claims`` are those it repairs, as they end on it; ``held`` says of every end that is not the class's own which
    claim ended how when it was moved one step further; ``complete``: whether time was left to try them all.
    """

    refuted: tuple[str, ...]
    unknown: tuple[str, ...]
    outside: Truth | None
    around: str  # "truth" or "middle"
    whole: Box
    box: Box | None
    claims: Mapping[str, RecordedClaim]
    held: tuple[Obstacle, ...]
    candidates: int
    complete: bool
    limit: float
    model: ModelClass | None = field(repr=False, default=None)
    kind = "box"
    step = Fraction(1, STEPS)

    @property
    def settled(self) -> bool:
        """Return whether nothing is refuted or open any more on the box."""
        good = self.box is not None or not (self.refuted or self.unknown)
        return good and self.outside is None

    @property
    def document(self) -> dict[str, Any]:
        """Return the box as JSON."""
        return {
            "refuted": list(self.refuted),
            "unknown": list(self.unknown),
            "outside": self.outside,
            "settled": self.settled,
            "around": self.around,
            "whole": by_side(self.whole),
            "box": None if self.box is None else by_side(self.box),
            "step": str(self.step),
            "held": [each.document for each in self.held],
            "claims": outcomes(self.claims),
            "candidates": self.candidates,
            "complete": self.complete,
            "limit": self.limit,
            "model_sha256": self.model and self.model.sha256,
        }


class Best(NamedTuple):
    """This is the floor at which the bound of alpha is largest, and that bound."""

    epsilon: Fraction
    alpha_upper: Fraction


@dataclass(frozen=True, eq=False)
class Floor(Remedy):
    """This is the least multiple of ``step`` with alpha_lower >= target, ``epsilon``, which is ``None`` where there is
    none.

    ``bounds[n]``: no less than alpha at the floor n/steps, ``None`` where nothing is known.  ``claims``: weak revealing
    and whatever else was refuted, as they end on ``model``, the class with the floor.
    """

    target: Fraction
    epsilon: Fraction | None
    bounds: tuple[Fraction | None, ...] = field(repr=False)
    claims: Mapping[str, RecordedClaim] = field(default_factory=dict)
    model: ModelClass | None = field(repr=False, default=None)
    kind = "floor"

    @property
    def step(self) -> Fraction:
        """Return the distance of two floors that are tried."""
        return Fraction(1, len(self.bounds) - 1)

    @property
    def settled(self) -> bool:
        """Return whether there is a floor, and nothing is refuted with it."""
        return self.epsilon is not None and hold(self.claims)

    @property
    def below(self) -> Fraction | None:
        """Return an upper bound of alpha one step below ``epsilon``, which is less than the target; ``None`` where none
        is known."""
        bound = self.bounds[int(self.epsilon / self.step) - 1] if self.epsilon else None
        return bound if bound is not None and bound < self.target else None

    @property
    def least_answer(self) -> Fraction | None:
        """Return epsilon/|B|: no response gives an action less than this."""
        return self.epsilon / len(self.model.game.B) if self.epsilon is not None and self.model is not None else None

    @property
    def best(self) -> Best | None:
        """Return where the largest of the bounds is, and the bound; ``None`` where one is missing."""
        known = [bound for bound in self.bounds if bound is not None]
        return Best(known.index(max(known)) * self.step, max(known)) if len(known) == len(self.bounds) else None

    @property
    def document(self) -> dict[str, Any]:
        """Return the floor as JSON."""
        best = self.best if self.epsilon is None else None

        def text(value: Fraction | None) -> str | None:
            return None if value is None else str(value)

        return {
            "target": str(self.target),
            "step": str(self.step),
            "settled": self.settled,
            "epsilon": text(self.epsilon),
            "least_answer": text(self.least_answer),
            "claims": outcomes(self.claims),
            "alpha_below": text(self.below),
            "best": best and {name: str(value) for name, value in best._asdict().items()},
            "model_sha256": self.model and self.model.sha256,
        }


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
            "changed": by_side(self.box) if self.tol is None else {"tol": self.tol},
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
