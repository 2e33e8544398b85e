"""The largest box of a class's intervals, around the truth, on which what was refuted or left open holds.

Every candidate is a class of its own that is certified; a box that holds all the models of a known counterexample is
refuted by it without a search.  First all axes shrink together towards the truth; where no size of that box is good,
they start from the truth itself.  Then every end is moved outwards by bisection, the others being held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import PomgcheckError
from pomgcheck.kernel.case import named_points
from pomgcheck.kernel.reading import long_integers
from pomgcheck.modelclass.derived import Axis, Ends, by_side, intervals, within
from pomgcheck.options import Options
from pomgcheck.remedies import SETTLED, STEPS, LargestBox, Obstacle, ended
from pomgcheck.search.certify import certify
from pomgcheck.search.conflicts import DROPPABLE
from pomgcheck.search.narrowing import LEAST, centre

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass

DEFAULT = 120.0  # seconds
SHARE = 6  # a claim of a candidate may take this part of the time
Progress = Callable[[str, int, int], None]
Point = dict[Axis, Fraction]
End = tuple[Axis, int]  # an axis, and 0 for its lower or 1 for its upper end
Sizes = dict[End, int]  # how far an end is moved from the truth: so many steps of the room


class Failed(NamedTuple):
    """This is a claim that does not hold on a box, its verdict there, and in ``why`` the refusal of a class that is none."""

    claim: str
    verdict: str
    why: str | None = None


class Blocked(Exception):
    """This is raised where the time of the whole search is over."""


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
    best, good = search.best, search.best is not None or not search.targets
    model_on = None if best is None else search.class_on(best)
    return LargestBox(
        refuted=targets,
        unknown=unknown,
        outside=outside,
        settled=good and outside is None,
        around="truth" if "truth" in model.document else "middle",
        whole=by_side(search.whole),
        box=None if best is None else by_side(search.box(best)),
        step=Fraction(1, STEPS),
        held=search.held,
        claims={} if best is None else ended(search.outcomes),
        candidates=search.tried,
        complete=search.complete,
        limit=Fraction(f"{seconds:g}"),
        model_sha256=None if model_on is None else model_on.sha256,
        model=model_on,
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
        self.centre = centre(model)
        self.ends: list[End] = [(axis, k) for axis in self.whole for k in (0, 1) if self.room((axis, k))]
        self.best: Sizes | None = None
        self.outcomes: dict[str, RecordedClaim] = {}
        self.counterexamples = [
            (claim, found) for claim in targets for found in self.places(certificate.claims[claim].witness)
        ]
        self.order = list(targets)
        self.held: list[Obstacle] = []
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
        if witness:
            thetas, phis = named_points(witness)
            sides = (("worlds", thetas), ("responses", phis))
            yield [
                {(side, name): Fraction(x) for name, x in point.items() if (side, name) in self.whole}
                for side, points in sides
                for point in points
            ]

    # ---- one candidate

    def fails(self, sizes: Sizes) -> Failed | None:
        """Return why the claims do not all hold on a box, or ``None`` where they do."""
        box = self.box(sizes)
        for claim, points in self.counterexamples:
            if all(box[axis][0] <= x <= box[axis][1] for point in points for axis, x in point.items()):
                return Failed(claim, "refuted")
        self.tried += 1
        outcomes: dict[str, RecordedClaim] = {}
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
                return Failed(claim, "unknown", str(error))
            if entry.verdict not in SETTLED:
                self.counterexamples += ((claim, place) for place in self.places(entry.witness))
                self.order.sort(key=lambda each: each != claim)  # what failed here is looked at first elsewhere
                return Failed(claim, entry.verdict)
            outcomes[claim] = entry
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
            self.held.append(Obstacle(".".join(axis), ("low", "high")[k], at, *why))
