"""The fewest worlds, responses and policies to leave out so that what was refuted holds.

A drop must meet every conflict (``conflicts``).  z3 finds the smallest that does, and certifying what is left
shows whether all conflicts were known; a new one is added and the next smallest tried.  Every conflict being real, a
drop that passes is a smallest one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import GaveUp, InputError, optional
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import long_integers
from pomgcheck.modelclass.derived import without
from pomgcheck.options import Options
from pomgcheck.remedies import Drop, LeftOut, Repair
from pomgcheck.search.certify import certify
from pomgcheck.search.conflicts import DROPPABLE, SIDES, Conflict, Member, conflict, conflicts
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.finding import Labels

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass

MILLISECONDS = 60_000  # for z3


@long_integers()
def repair(model: ModelClass, certificate: Certificate, *, jobs: int = 1) -> Repair:
    """Return the smallest drop that repairs the refuted claims of a certificate of ``model``, under its options.

    The stated truth stays in the class.  Of several smallest drops the first is taken, in the order worlds, responses,
    policies and within a side in the order of the class.  Raises ``InputError`` where the certificate is another
    model's or there are interval axes to repair, and ``GaveUp`` where z3 did.
    """
    refuted = refuted_claims(model, certificate)
    droppable = [claim for claim in refuted if claim in DROPPABLE]
    outside = model.document["truth"] if "well-specified" in refuted else None
    if not droppable:
        return Repair.by(refuted, outside)
    refuse_intervals(model)
    search = DropSearch(model, certificate.document["options"], droppable, jobs)
    together, rest = search.smallest(droppable)
    alone = {claim: search.smallest([claim])[0] for claim in droppable} if len(droppable) > 1 else {}
    return Repair.by(refuted, outside, together, alone, rest)


def refuted_claims(model: ModelClass, certificate: Certificate) -> tuple[str, ...]:
    """Return the ids a certificate of ``model`` refutes."""
    if "operators" in model.document:
        raise InputError(
            "operators",
            "a class given by operators",
            "a class given by kernels",
            "repairs are sought in kernels; change the matrices that explain names",
        )
    found = certificate.document["model_sha256"]
    if found != model.sha256:
        raise InputError("certificate", f"one of the model {found[:12]}…", f"one of {model.sha256[:12]}…")
    return tuple(claim.id for claim in CLAIMS if certificate.claims[claim.id].verdict == "refuted")


def refuse_intervals(model: ModelClass) -> None:
    """Raise ``InputError`` for a class with an interval axis: it has no list of models to leave some out of."""
    if not model.game.finite:
        raise InputError(
            "worlds or responses",
            "an interval axis",
            "finite axes",
            "fix a parameter that explain names, or give lists of values",
        )


class DropSearch:
    """This has the conflicts of a class, and what certifying found of its sub-classes."""

    def __init__(self, model: ModelClass, options: Mapping[str, Any], claims: Collection[str], jobs: int) -> None:
        self.model, self.options, self.jobs = model, options, jobs
        self.game, self.labels = model.game, Labels(model.game)
        self.conflicts = conflicts(Tables(model.game, options["space"]), options, claims)
        self.parts = parts(model.game)
        self.kept = truth(model.game)
        self.tried: dict[tuple[Member, ...], tuple[ModelClass, dict[str, RecordedClaim]]] = {}

    def smallest(self, claims: Collection[str]) -> tuple[Drop, ModelClass]:
        """Return the smallest drop on which none of these claims is refuted, shown by certifying what is left, and the
        class that is left."""
        while True:
            known = irredundant(set().union(*(self.conflicts[claim] for claim in claims)))
            dropped = smallest_hitting_set(known, self.parts, self.kept)
            left, found = self.outcome(dropped, claims)
            new = {self.met(claim, found[claim]) for claim in claims if found[claim].verdict == "refuted"}
            if not new:
                shown = {claim: found[claim] for claim in claims}
                return Drop.leaving(left, self.words(dropped), len(known), shown), left
            self.conflicts["weak-revealing"] |= new

    def outcome(
        self, dropped: tuple[Member, ...], claims: Collection[str]
    ) -> tuple[ModelClass, dict[str, RecordedClaim]]:
        """Return the class less ``dropped`` and these claims of it, each certified once."""
        if dropped not in self.tried:
            self.tried[dropped] = without(self.model, *self.words(dropped)), {}
        left, found = self.tried[dropped]
        missing = [claim for claim in claims if claim not in found]
        if missing:
            entries = certify(left, only=missing, jobs=self.jobs, options=Options.of(self.options)).claims
            found |= {claim: entries[claim] for claim in missing}
        return left, found

    def met(self, claim: str, entry: RecordedClaim) -> Conflict:
        """Return the conflict that a witness on a sub-class shows; all others were enumerated."""
        assert claim == "weak-revealing", f"{claim} is refuted where no conflict is left"
        assert self.options["weak_revealing"]["scope"] == "simplex", "a zero signal where none is reached"
        w = entry.document["witness"]
        worlds = {self.world(w["theta"]), self.world(w["theta_prime"])}
        return conflict(worlds, {self.response(w["Phi"])}, {self.game.policy_names.index(w["pi"])})

    def world(self, theta: Mapping[str, str]) -> int:
        """Return the number of the world at a point of Theta."""
        return [self.labels.theta(i) for i in range(len(self.labels.thetas))].index(dict(theta))

    def response(self, Phi: Mapping[str, str]) -> int:
        """Return the number of the response at a point of Psi."""
        return [self.labels.Phi(k) for k in range(len(self.labels.phis))].index(dict(Phi))

    def words(self, dropped: Sequence[Member]) -> LeftOut:
        """Return these parts as the class names them."""
        worlds, responses, policies = ([part.number for part in dropped if part.side == side] for side in SIDES)
        labels = self.labels
        return LeftOut(
            tuple(map(labels.theta, worlds)), tuple(map(labels.Phi, responses)), tuple(map(labels.policy, policies))
        )


def parts(game: Game) -> list[Member]:
    """Return everything that may be left out: worlds, then responses, then policies."""
    sizes = len(game.worlds), len(game.responses), len(game.policies)
    return [Member(side, index) for side, size in zip(SIDES, sizes, strict=True) for index in range(size)]


def truth(game: Game) -> set[Member]:
    """Return the world and the response of the stated truth, as far as they are in the class."""
    if game.truth is None:
        return set()
    sides = zip(SIDES, game.truth, (game.thetas or (), game.phis or ()), strict=False)
    return {Member(side, points.index(point)) for side, point, points in sides if point in points}


def irredundant(known: set[Conflict]) -> set[Conflict]:
    """Return the conflicts that contain no other."""
    sizes = sorted({len(each) for each in known})
    smaller = {size: [each for each in known if len(each) < size] for size in sizes}
    return {each for each in known if not any(other < each for other in smaller[len(each)])}


def smallest_hitting_set(
    known: Collection[Conflict], order: Sequence[Member], kept: Collection[Member]
) -> tuple[Member, ...]:
    """Return the fewest parts that meet every conflict, none of them in ``kept`` and no side left empty.

    Of several such sets the lexicographically first in ``order``: z3's optimiser finds the size, its solver the set.
    """
    z3 = optional("z3", "repair", "repair")
    drop = {part: z3.Bool(f"drop_{n}") for n, part in enumerate(order)}
    rules = [z3.Or(*(drop[part] for part in each)) for each in known]
    rules += [z3.Not(drop[part]) for part in kept]
    rules += [z3.Or(*(z3.Not(drop[part]) for part in order if part.side == side)) for side in SIDES]
    size = z3.Sum([z3.If(each, 1, 0) for each in drop.values()])
    optimizer = z3.Optimize()
    optimizer.set("timeout", MILLISECONDS)
    optimizer.add(*rules)
    optimizer.minimize(size)
    if optimizer.check() != z3.sat:
        raise GaveUp(
            "repair", f"no smallest drop for {len(known)} conflicts in {MILLISECONDS // 1000} s", "one in that time"
        )
    least = optimizer.model().eval(size).as_long()
    solver = z3.Solver()
    chosen: list[Member] = []
    solver.add(*rules, size == least)
    for part in order:
        if len(chosen) < least and solver.check(drop[part]) == z3.sat:
            chosen.append(part)
            solver.add(drop[part])
        else:
            solver.add(z3.Not(drop[part]))
    return tuple(chosen)
