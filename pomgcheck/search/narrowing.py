"""What would decide a claim that ended unknown: parts of the class, other options or more time, tried and not guessed.

On interval axes the claim is certified on the halves of every axis, those first on whose box the search ended, and
then on boxes around the truth.  On a finite class it is searched again with more time or a
larger tolerance, and what the kernel would have to play is counted horizon by horizon.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING

from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel.budget import WORK, OverBudget
from pomgcheck.kernel.case import Rejected
from pomgcheck.kernel.limits import possible, sequences
from pomgcheck.kernel.reading import Malformed, long_integers
from pomgcheck.kernel.walk import STATE, alike
from pomgcheck.modelclass.derived import Axis, Ends, intervals, within
from pomgcheck.options import Options
from pomgcheck.remedies import Box, Narrowing, Overrun, Try
from pomgcheck.search.certify import certify
from pomgcheck.search.clock import INTERRUPTED, NOT_SEARCHED, STOPPED

if TYPE_CHECKING:
    from pomgcheck.certificate import Certificate, RecordedClaim
    from pomgcheck.modelclass.model import ModelClass

DEFAULT = 20.0  # seconds
LEAST = 0.5  # seconds that it is worth to begin a try with
SMALLEST = 6  # times that the box around the truth is halved
TOLERANCES = ("1/1000", "1/20", "1/2", "1")
RESTING = {"constants"}  # claims made of all others: nothing smaller is tried for them alone
PREMISES = {"regret": ("well-specified", "warmup-stationary")}
Progress = Callable[[str, int, int], None]


@long_integers()
def narrowing(
    model: ModelClass, certificate: Certificate, claim: str, seconds: float = DEFAULT, progress: Progress | None = None
) -> Narrowing:
    """Return what decides an unknown claim of a certificate of ``model``, found by trying for so many seconds at most.

    Raises ``InputError`` where the claim is not unknown or the certificate is another model's.
    """
    entry = certificate.claims[claim]
    if entry.verdict != "unknown":
        raise InputError(claim, f"the verdict {entry.verdict}", "a claim whose verdict is unknown")
    if certificate.model_sha256 != model.sha256:
        raise InputError(
            "certificate", f"one of the model {certificate.model_sha256[:12]}…", f"one of {model.sha256[:12]}…"
        )
    note = entry.document["search"].get("stopped")
    found = Narrowing(claim, seconds, None if note is None else json.loads(note))
    if "operators" in model.document:
        return found
    others = [each.id for each in certificate.claims.values() if each.verdict == "unknown"]
    rests = RESTING if claim in RESTING else ()
    found.rests = [each for each in others if each not in ("regret", "constants")] if rests else []
    found.rests += [each for each in PREMISES.get(claim, ()) if each in others]
    if found.rests:
        return found
    tried = Trying(model, certificate, entry, found, monotonic() + seconds, progress)
    if claim not in RESTING:
        tried.on_intervals() if not model.game.finite else tried.on_lists()
    return found


class Trying:
    """This makes the tries of one claim, each within a share of the time that is left."""

    def __init__(
        self,
        model: ModelClass,
        certificate: Certificate,
        entry: RecordedClaim,
        found: Narrowing,
        end: float,
        progress: Progress | None,
    ) -> None:
        self.model, self.entry, self.found, self.end, self.progress = model, entry, found, end, progress
        self.options = Options.of(certificate.document["options"])
        self.only = {entry.id, *PREMISES.get(entry.id, ())}

    @property
    def left(self) -> float:
        """Return the seconds that are left."""
        return self.end - monotonic()

    def attempt(
        self, kind: str, model: ModelClass, share: float, box: Box | None = None, tol: str | None = None
    ) -> Try | None:
        """Return one try in a share of the time that is left; ``None`` where there is none left."""
        given = self.left * share
        if given < LEAST:
            return None
        if self.progress:
            self.progress(f"trying {self.entry.id}", len(self.found.tries), 0)
        start = monotonic()
        stated = self.options if tol is None else Options.read(self.options, tol=tol)
        claim = certify(model, stated, only=self.only, time_limit=given).claims[self.entry.id]
        found = Try(kind, claim.verdict, claim.values, claim.method, monotonic() - start, box or {}, tol)
        self.found.tries.append(found)
        return found

    # ---- interval axes

    def on_intervals(self) -> None:
        """Try the halves of every axis; then, where neither half of any is enough, boxes around the truth."""
        axes = self.ordered()
        if self.interrupted:
            again = self.attempt("again", self.model, 1 / 3)
            if again is not None and again.verdict != "unknown":
                return
        halves = [(axis, half) for axis in axes for half in split(intervals(self.model)[axis])]
        for n, (axis, half) in enumerate(halves):
            part = self.part({axis: half})
            share = 1 / (len(halves) - n + 2)  # a part is left for boxes around the truth
            if part is not None and self.attempt("half", part, share, {axis: half}) is None:
                self.found.untried.append(axis)
        if any(each.verdict != "unknown" for each in self.found.tries):
            return
        self.around_the_truth()

    def around_the_truth(self) -> None:
        """Try boxes around the truth. The smallest comes first and shows whether the width matters at all; then
        bisection of how often the whole is halved finds the largest box that settles the claim."""
        whole, middle = intervals(self.model), centre(self.model)
        wide, small = 0, SMALLEST  # halved so often it is unknown; halved so often it may settle
        n = SMALLEST
        while n > wide:
            box = {axis: around(ends, middle[axis], Fraction(1, 2**n)) for axis, ends in whole.items()}
            part = self.part(box)
            tried = None if part is None else self.attempt("around", part, 1 / 2, box)
            if tried is None or tried.verdict == "refuted" or (n == SMALLEST and not tried.settled):
                return
            wide, small = (wide, n) if tried.settled else (n, small)
            n = (wide + small) // 2

    @property
    def interrupted(self) -> bool:
        """Return whether the claim was left by a time limit, or was not searched at all."""
        return STOPPED in self.entry.method or self.entry.method in (NOT_SEARCHED, INTERRUPTED)

    def ordered(self) -> list[Axis]:
        """Return the interval axes. Those of the box on which the search ended come first, led by the one of which the
        box has the widest part."""
        whole = intervals(self.model)
        stopped = (self.found.stopped or {}).get("box", {})

        def remaining(axis: Axis) -> float:
            ends = stopped.get(spelled(axis))
            width = whole[axis][1] - whole[axis][0]
            return -1.0 if ends is None else float((Fraction(ends[1]) - Fraction(ends[0])) / width)

        return sorted(whole, key=remaining, reverse=True)

    def part(self, box: Box) -> ModelClass | None:
        """Return the class on a box; ``None`` where constraints leave nothing of it."""
        try:
            return within(self.model, box)
        except PomgcheckError:
            return None

    # ---- finite classes

    def on_lists(self) -> None:
        """Try more time, or a larger tolerance; or count what is over the kernel's budget."""
        if "units of work" in self.entry.method:
            self.found.counts = counts(self.model)
            return
        if self.interrupted:
            self.attempt("again", self.model, 1.0)
        elif self.entry.id == "weak-revealing":
            tolerances = [tol for tol in TOLERANCES if Fraction(tol) > Fraction(self.options.tol)]
            for n, tol in enumerate(tolerances):
                tried = self.attempt("tolerance", self.model, 1 / (len(tolerances) - n), tol=tol)
                if tried is None or tried.verdict != "unknown":
                    return


def counts(model: ModelClass) -> Overrun:
    """Return how many predictive states the kernel plays along trajectories, by horizon, and the largest horizon at
    which they fit in its budget. The count stops at the first policy and step where they do not."""
    game = model.game
    may, states = possible(game, game.worlds), 0
    by_step = [0] * game.H
    for p in range(len(game.policies)):
        models = sum(isinstance(xi, tuple) for xi in set(alike(game, p).values()))
        models = models or len(game.worlds) * len(game.responses)
        try:
            for h, total in enumerate(sequences(game, may, p)):
                by_step[h] += total * models
        except (OverBudget, Malformed, Rejected):  # more than can be counted
            break
    fits, most = 0, WORK // STATE
    for h, count in enumerate(by_step):
        states += count
        if states <= most:
            fits = h + 1
    models = len(game.worlds) * len(game.responses)
    total = sum(by_step)
    fitting = min(models, most * models // total) if total else models
    return Overrun("predictive states along trajectories", total, most, game.H, fits, models, fitting)


def centre(model: ModelClass) -> dict[Axis, Fraction]:
    """Return the truth on the interval axes, or else the middle of every axis."""
    truth = model.document.get("truth")
    return {
        (side, name): Fraction(truth[side][name]) if truth else (low + high) / 2
        for (side, name), (low, high) in intervals(model).items()
    }


def split(ends: Ends) -> Iterator[Ends]:
    """Return the two halves of an axis."""
    low, high = ends
    middle = (low + high) / 2
    yield low, middle
    yield middle, high


def around(ends: Ends, centre: Fraction, share: Fraction) -> Ends:
    """Return this share of an axis around the centre, cut from both sides in proportion."""
    low, high = ends
    return centre - (centre - low) * share, centre + (high - centre) * share


def spelled(axis: Axis) -> str:
    """Return the name of an axis in goals and boxes."""
    return f"{'theta' if axis[0] == 'worlds' else 'Phi'}.{axis[1]}"
