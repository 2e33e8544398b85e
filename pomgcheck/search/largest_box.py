"""The largest box of a class's intervals, around the truth, on which what was refuted or left open holds.

Every candidate is a class of its own that is certified; a box that holds all the models of a known counterexample is
refuted by it without a search.  First all axes shrink together towards the truth; where no size of that box is good,
they start from the truth itself.  Then every end is moved outwards by bisection, the others being held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import PomgcheckError
from pomgcheck.kernel.case import named_points
from pomgcheck.kernel.reading import long_integers
from pomgcheck.modelclass.derived import Axis, Ends, by_side, intervals, within
from pomgcheck.options import Options
from pomgcheck.search.certify import certify
from pomgcheck.search.conflicts import DROPPABLE
from pomgcheck.search.repair import SETTLED, Outcome, outcome_of

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass

DEFAULT = 120.0  # seconds
STEPS = 32  # an end is moved by multiples of this part of the room it has
SHARE = 6  # a claim of a candidate may take this part of the time
LEAST = 0.5  # seconds that a candidate is worth beginning with
Progress = Callable[[str, int, int], None]
Point = dict[Axis, Fraction]
End = tuple[Axis, int]  # an axis, and 0 for its lower or 1 for its upper end
Sizes = dict[End, int]  # how far an end is moved from the truth: so many steps of the room


class Blocked(Exception):
    """This is raised where the time of the whole search is over."""


@dataclass(frozen=True)
class LargestBox:
    """This is the box found, as ends by axis, and the class on it; neither is there where no box was found.

    ``claims`` are those it repairs, with verdict and values on it; ``held`` says of every end that is not the class's
    own which claim ended how when it was moved one step further; ``complete``: whether time was left to try them all.
    """

    refuted: tuple[str, ...]
    unknown: tuple[str, ...]
    outside: dict[str, Any] | None
    around: str  # "truth" or "middle"
    whole: dict[Axis, Ends]
    box: dict[Axis, Ends] | None
    claims: dict[str, Outcome]
    held: tuple[dict[str, Any], ...]
    candidates: int
    complete: bool
    limit: float
    model: ModelClass | None = field(repr=False, default=None)

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
            "step": f"1/{STEPS}",
            "held": list(self.held),
            "claims": self.claims,
            "candidates": self.candidates,
            "complete": self.complete,
            "limit": self.limit,
            "model_sha256": self.model and self.model.sha256,
        }


@long_integers()
def largest_box(
    model: ModelClass,
    certificate: Certificate,
    refuted: tuple[str, ...],
    *,
    seconds: float = DEFAULT,
    jobs: int = 1,
    progress: Progress | None = None,
) -> LargestBox:
    """Return the largest box for the ``refuted`` claims and the open ones that were searched, under the certificate's
    options."""
    claims = certificate.claims
    targets = tuple(claim for claim in refuted if claim in DROPPABLE)
    left = (claim for claim in DROPPABLE if claims[claim].verdict == "unknown")
    unknown = tuple(claim for claim in left if claims[claim].method != "not searched")
    outside = model.document["truth"] if "well-specified" in refuted else None
    search = Boxes(model, certificate, (*targets, *unknown), seconds, jobs, progress)
    if search.targets and outside is None:
        search.run()
    best = search.best
    return LargestBox(
        targets,
        unknown,
        outside,
        "truth" if "truth" in model.document else "middle",
        search.whole,
        None if best is None else search.box(best),
        {} if best is None else search.outcomes,
        tuple(search.held),
        search.tried,
        search.complete,
        seconds,
        None if best is None else search.class_on(best),
    )


class Boxes:
    """These are the boxes that were tried, and the largest that is good: ``best``."""

    def __init__(
        self,
        model: ModelClass,
        certificate: Certificate,
        targets: tuple[str, ...],
        seconds: float,
        jobs: int,
        progress: Progress | None,
    ) -> None:
        self.model, self.targets, self.jobs, self.progress = model, targets, jobs, progress
        self.options = Options.of(certificate.document["options"])
        self.end, self.share = monotonic() + seconds, seconds / SHARE
        self.whole = intervals(model)
        truth = model.document.get("truth")
        self.centre = {
            (side, name): Fraction(truth[side][name]) if truth else (low + high) / 2
            for (side, name), (low, high) in self.whole.items()
        }
        self.ends: list[End] = [(axis, k) for axis in self.whole for k in (0, 1) if self.room((axis, k))]
        self.best: Sizes | None = None
        self.outcomes: dict[str, Outcome] = {}
        self.counterexamples = [
            (claim, found) for claim in targets for found in self.places(certificate.claims[claim].document["witness"])
        ]
        self.order = list(targets)
        self.held: list[dict[str, Any]] = []
        self.tried, self.complete = 0, True

    def room(self, end: End) -> Fraction:
        """Return how far an end of the class is from the truth."""
        axis, k = end
        return abs(self.whole[axis][k] - self.centre[axis])

    def box(self, sizes: Sizes) -> dict[Axis, Ends]:
        """Return the box of which the ends are so many steps from the truth."""
        moved = {end: self.room(end) * Fraction(sizes.get(end, 0), STEPS) for end in self.ends}
        none = Fraction(0)
        return {
            axis: (self.centre[axis] - moved.get((axis, 0), none), self.centre[axis] + moved.get((axis, 1), none))
            for axis in self.whole
        }

    def class_on(self, sizes: Sizes) -> ModelClass:
        """Return the class on that box."""
        return within(self.model, self.box(sizes))

    def places(self, witness: Any) -> Iterator[list[Point]]:
        """Return the models that a counterexample names, as points of the intervals."""
        if witness is not None:
            thetas, phis = named_points(witness)
            sides = (("worlds", thetas), ("responses", phis))
            yield [
                {(side, name): Fraction(x) for name, x in point.items() if (side, name) in self.whole}
                for side, points in sides
                for point in points
            ]

    # ---- one candidate

    def fails(self, sizes: Sizes) -> dict[str, Any] | None:
        """Return why the claims do not all hold on a box, as a claim and its verdict, or ``None`` where they do."""
        box = self.box(sizes)
        for claim, points in self.counterexamples:
            if all(box[axis][0] <= x <= box[axis][1] for point in points for axis, x in point.items()):
                return {"claim": claim, "verdict": "refuted"}
        self.tried += 1
        outcomes: dict[str, Outcome] = {}
        for claim in list(self.order):
            left = self.end - monotonic()
            if left < LEAST:
                raise Blocked
            if self.progress:
                self.progress(f"certifying box {self.tried}, {claim}", 0, 0)
            try:
                part, limit = within(self.model, box), min(self.share, left)
                entry = certify(part, self.options, only=[claim], jobs=self.jobs, claim_limit=limit).claims[claim]
            except PomgcheckError as error:  # constraints leave nothing there, or a limit is met
                return {"claim": claim, "verdict": "unknown", "why": str(error)}
            if entry.verdict not in SETTLED:
                self.counterexamples += ((claim, place) for place in self.places(entry.document["witness"]))
                self.order.sort(key=lambda each: each != claim)  # what failed here is looked at first elsewhere
                return {"claim": claim, "verdict": entry.verdict}
            outcomes[claim] = outcome_of(entry)
        self.best, self.outcomes = dict(sizes), {claim: outcomes[claim] for claim in self.targets}
        return None

    # ---- the search

    def run(self) -> None:
        """Shrink all axes together, then move every end by itself."""
        try:
            self.grow(self.ends)
            if self.best is None:
                if self.fails({}) is not None:  # at the truth itself
                    return
                for axis in self.whole:
                    self.grow([end for end in self.ends if end[0] == axis])
            for end in self.ends:
                self.grow([end])
        except Blocked:
            self.complete = False
        if self.best is not None and not any(self.best.values()):
            self.best = None

    def grow(self, ends: list[End]) -> None:
        """Move these ends outwards together, as far as the claims hold, by bisection of the steps; the others stay.
        Without a box yet, the steps are halved until there is one."""
        others, low, high = dict(self.best or {}), min((self.best or {}).get(end, 0) for end in ends), STEPS
        why = None
        if low == high:
            return
        if self.best is not None or not self.counterexamples:  # the whole is known to fail otherwise
            why = self.fails(others | dict.fromkeys(ends, high))
            if why is None:
                return
        while high - low > 1:
            middle = (low + high) // 2
            failed = self.fails(others | dict.fromkeys(ends, middle))
            if failed is None:
                low = middle
            else:
                high, why = middle, failed
        if len(ends) == 1 and why is not None:
            (axis, k) = ends[0]
            at = self.box(others | {ends[0]: high})[axis][k]
            self.held.append({"axis": ".".join(axis), "end": ("low", "high")[k], "at": str(at)} | why)
