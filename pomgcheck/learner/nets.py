"""Plays ``nested`` on interval axes: it walks down the list of a certificate's net as the data refute its entries
(Theorem N on interval axes, docs/bound.md).

An entry is a policy and a law of play of a point of the net. Where the certificate's test is joint there is one entry
per point, with the point's first optimal policy, and all data speak about it; where each policy has a test of its own
there is one for every policy and every law that it has on the net, and only the policy's own data speak about it.
Entries are listed by what they earn, rounded up to multiples of the quantum, then by policy, alternately up and down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, product
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.continua import Continuum
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nets import Cut, Netted, earned, expected, read_axes
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.parameters import Point
from pomgcheck.kernel.polynomials import Polynomial, parameters, value
from pomgcheck.learner.columns import ClassTables
from pomgcheck.learner.epochs import BLOCKS, Plan
from pomgcheck.learner.likelihood import IMPOSSIBLE, UNIT, Ints, Likelihood
from pomgcheck.learner.nested import Walking, nats
from pomgcheck.learner.oracles import Learned, ListEntry, written
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.termination import exhausted, run_block

SIDES = ("theta", "Phi")
ENTRIES = 2**18  # of a list


class LawGroup(NamedTuple):
    """A group has laws of play that are tested by the same data: those of the points ``tables`` under ``policies``, one
    policy or all that may be deployed. ``truth`` is the place of the point in whose cell xi* lies."""

    tables: ClassTables
    policies: tuple[int, ...]
    truth: int


class NetList:
    """This is the list of a certificate's net, for a truth; where one policy is best in every model there is no list.

    ``entries`` are in the order of the list.  Raises ``LimitExceeded`` beyond ``ENTRIES`` of them.
    """

    def __init__(
        self, game: Game, truth: tuple[Point, Point], space: str, evidence: Mapping[str, Any], size: int
    ) -> None:
        if size > ENTRIES:
            raise LimitExceeded("certificate", "entries in the net's list", size, ENTRIES, "certify for a smaller T")
        self.groups: list[LawGroup] = []
        self.likelihoods: dict[tuple[int, int], Likelihood] = {}
        self.values: list[dict[int, list[Fraction]]] = []
        deployed = [game.policy_names.index(name) for name in evidence["deployed"]]
        self.deployed = deployed
        given = evidence["list"]
        if given is None:
            self._alone(game, truth, deployed[0])
            return
        continuum = Continuum(game, Space(game, space))
        box = {name: ends for xi in continuum.models for name, ends in continuum.region(*xi).box.items()}
        axes = read_axes(given["axes"], box, "axes")
        apart = [[p] for p in deployed] if given["test"] == "own" else [deployed]
        for policies in apart:
            laws = [P for p in policies for _, law in continuum.laws[p].values() for P in law.values()]
            moved = parameters(*laws) if given["test"] == "own" else [*axes]
            self._group(game, truth, continuum, axes, moved, policies)
        self.entries = self._ordered(Fraction(given["quantum"]))

    def _alone(self, game: Game, truth: tuple[Point, Point], policy: int) -> None:
        """Return one entry that no data refute: the truth itself stands for it."""
        tables = ClassTables(game.subclass(*([written(point)] for point in truth)))
        self.groups, self.entries = [LawGroup(tables, (policy,), 0)], [ListEntry(0, policy, 0)]
        self.values = [{}]

    def _group(
        self,
        game: Game,
        truth: tuple[Point, Point],
        continuum: Continuum,
        axes: Mapping[str, Sequence[Cut]],
        moved: Sequence[str],
        policies: Sequence[int],
    ) -> None:
        """Return the points of the net on the axes that move these policies' laws, with other axes at their first
        point."""
        points, cells, near = [], [], []
        for side, parts, true in zip(SIDES, (continuum.thetas, continuum.phis), truth, strict=True):
            found: list[Point] = []
            cell_of: list[int] = []
            places: list[int] = []
            for k, part in enumerate(parts):
                names = [name for name in axes if name.partition(".")[0] == side and name in part.region.box]
                every = ([axes[name] if name in moved else axes[name][:1]] for name in names)
                for cuts in product(*(each[0] for each in every)):
                    point = part.fixed | {name.partition(".")[2]: c.point for name, c in zip(names, cuts, strict=True)}
                    here = all(true[name] == x for name, x in part.fixed.items()) and all(
                        name not in moved or cut.low <= true[name.partition(".")[2]] <= cut.high
                        for name, cut in zip(names, cuts, strict=True)
                    )
                    places += [len(found)] if here else []
                    found.append(dict(sorted(point.items())))
                    cell_of.append(k)
            points.append(found)
            cells.append(cell_of)
            near.append(places[0])
        count = len(points[1])
        tables = ClassTables(game.subclass(*([written(point) for point in found] for found in points)))
        self.groups.append(LawGroup(tables, tuple(policies), near[0] * count + near[1]))
        self.values.append({p: self._earned(continuum, p, points, cells) for p in policies})

    @staticmethod
    def _earned(
        continuum: Continuum, p: int, points: Sequence[Sequence[Point]], cells: Sequence[Sequence[int]]
    ) -> list[Fraction]:
        """Return V^pi of all points of a group."""
        game, law = continuum.game, continuum.laws[p]
        means: dict[tuple[int, int], Polynomial] = {
            xi: expected(law, xi, lambda tau: earned(game, tau)) for xi in continuum.models
        }
        sides = [
            [{f"{side}.{name}": x for name, x in point.items()} for point in found]
            for side, found in zip(SIDES, points, strict=True)
        ]
        return [
            value(means[i, k], theta | Phi)
            for theta, i in zip(sides[0], cells[0], strict=True)
            for Phi, k in zip(sides[1], cells[1], strict=True)
        ]

    def _ordered(self, quantum: Fraction) -> list[ListEntry]:
        """Return the entries by what they earn in quanta, then by policy, alternately up and down, then by place."""
        found: list[tuple[Fraction, ListEntry]] = []
        for g, group in enumerate(self.groups):
            rows = [self.values[g][p] for p in group.policies]
            for place, earns in enumerate(zip(*rows, strict=True)):
                best = max(earns)
                found.append((best, ListEntry(g, group.policies[earns.index(best)], place)))
        if not quantum:
            return [entry for _, entry in sorted(found, key=lambda each: (-each[0], each[1].policy, each[1].place))]
        buckets = [(ceil(earns / quantum), entry) for earns, entry in found]
        turn = {0: 1, 1: -1}
        buckets.sort(key=lambda each: (-each[0], turn[each[0] % 2] * each[1].policy, each[1].place))
        return [entry for _, entry in buckets]

    def before(self) -> tuple[int, list[int]]:
        """Return how many runs of one policy the list has down to the first entry of the point in whose cell xi* lies,
        which on the event of the theorem is never refuted, and the policies that it has down to there."""
        truths = {(g, group.truth) for g, group in enumerate(self.groups)}
        last = next(k for k, entry in enumerate(self.entries) if (entry.group, entry.place) in truths)
        down = [entry.policy for entry in self.entries[: last + 1]]
        return sum(1 for _ in groupby(down)), sorted({*down})

    def point(self, entry: ListEntry) -> tuple[Point, Point]:
        """Return the parameters (theta, Phi) of the point of an entry."""
        tables = self.groups[entry.group].tables
        theta, Phi = divmod(entry.place, len(tables.game.responses))
        assert tables.game.thetas is not None
        assert tables.game.phis is not None
        return tables.game.thetas[theta], tables.game.phis[Phi]

    def value(self, entry: ListEntry) -> Fraction | None:
        """Return what an entry promises, or ``None`` where one policy is best whatever the model."""
        found = self.values[entry.group].get(entry.policy)
        return None if found is None else found[entry.place]

    def likelihood(self, group: int, policy: int) -> Likelihood:
        """Return the logarithms of a policy's trajectories for all points of a group; they are built when first asked
        for."""
        if (group, policy) not in self.likelihoods:
            self.likelihoods[group, policy] = Likelihood(self.groups[group].tables, policy)
        return self.likelihoods[group, policy]

    def __getstate__(self) -> dict[str, object]:
        """Leave out what can be computed again at need."""
        return self.__dict__ | {"likelihoods": {}}


class ListEvidence:
    """These are the log-likelihoods of the points of every group, by the data that speak about them, and how many
    episodes those are."""

    def __init__(self, listing: NetList) -> None:
        self.listing = listing
        self.L: list[Ints] = [np.zeros(group.tables.count, dtype=np.int64) for group in listing.groups]
        self.counts = [0] * len(listing.groups)

    def learn(self, policy: int, model: ListEntry, trajectories: Ints, thresholds: Ints | None) -> Learned:
        """Take in episodes until the deployed entry is refuted."""
        assert thresholds is not None  # nested always tests
        g = model.group
        logs, order = self.listing.likelihood(g, policy).block(trajectories)
        self.L[g], used, fired = run_block(self.L[g], model.place, logs, order, thresholds)
        self.counts[g] += used
        if exhausted(self.L[g]):
            raise LimitExceeded("episodes", "episodes", self.counts[g], self.counts[g] - used, "run fewer episodes")
        return Learned(used, fired)

    def gap(self, model: ListEntry) -> int | None:
        """Return max L - L of an entry, or ``None`` where it has become impossible."""
        L = self.L[model.group]
        return None if L[model.place] == IMPOSSIBLE else int(L.max() - L[model.place])

    def refuted(self, g: int, allowed: int) -> NDArray[np.bool_]:
        """Return the points of a group that lag behind by more than ``allowed`` units."""
        L = self.L[g]
        found: NDArray[np.bool_] = (L == IMPOSSIBLE) | (L.max() - L > allowed)
        return found


class NetLearner(Walking):
    """This is the schedule between two epochs: ``left[g]`` says which points of a group have been refuted.

    A group loses its last point only if the point of xi*'s cell has been refuted, which has probability at most 2 delta
    / 3 for all three events together that keep it.  It then begins again with the points that pass the test, and xi*
    counts as lost for the rest of the run.
    """

    def __init__(self, problem: LearningProblem, numbers: Netted, seed: int, blocks: tuple[int, int] = BLOCKS) -> None:
        assert isinstance(problem.listing, NetList)
        self.listing, self.netted = problem.listing, numbers
        self.found = ListEvidence(self.listing)
        super().__init__(problem, numbers.schedule, seed, blocks, self.found)
        self.start, self.growth = ceil(numbers.start.high * UNIT), ceil(numbers.slope.high * UNIT) + 1
        self.left: list[NDArray[np.bool_]] = [np.zeros(len(L), dtype=np.bool_) for L in self.found.L]
        self.place, self.begun, self.group, self.lost = 0, 0, 0, False

    def allowed(self, t: int) -> int:
        """Return what an entry may lag behind after t episodes that count, in units of 2^-32, rounding included."""
        units: int = self.start + t * self.growth
        return units

    def plan(self) -> Plan:
        """Return the first entry of the list that is left."""
        found, g = self.found, self.group
        if len(self.listing.entries) > 1:
            refuted = found.refuted(g, self.allowed(found.counts[g]))
            self.left[g] |= refuted
            self.lost = self.lost or bool(self.left[g][self.listing.groups[g].truth])
            if self.left[g].all():
                self.left[g], self.place = refuted, 0
        entries = self.listing.entries
        while self.left[entries[self.place].group][entries[self.place].place]:
            self.place += 1
        entry = entries[self.place]
        self.group, self.begun = entry.group, found.counts[entry.group]
        inside = sum(len(left) - int(left.sum()) for left in self.left)
        return Plan(entry.policy, entry, nats(self.allowed(self.begun)), not self.lost, inside)

    def floors(self, first: int, count: int, start: int) -> Ints:
        """Return the threshold after each of some episodes of the epoch."""
        counted = self.begun + np.arange(first, first + count, dtype=np.int64)
        floors: Ints = self.start + counted * self.growth
        return floors

    def threshold(self, n: int, start: int) -> Decimal:
        """Return the last threshold in nats."""
        return nats(self.allowed(self.begun + n))
