"""Theorem N on a net: what ``nested`` loses on a class with interval axes (docs/bound.md, "On interval axes").

Every interval axis is cut into cells with a point in each, and the models made of such points are the net.  ``spread``
bounds E_i[(P_xi/P_i)^2] for a model xi in the cells of the point i, one table after another; ``Netted`` is the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any, NamedTuple

from .boxes import Region, right_sign
from .case import Case, at_points
from .continua import Continuum, Goal, goal
from .enclosures import Interval, interval, log, most, root
from .game import Game
from .goals import settle
from .nested import PREMISES, Nested, ranked, schedule, worth
from .polynomials import Polynomial, cleared, names, parameters, polynomial, total, value
from .reading import Object, rational, require, sequence, take
from .rows import Scalar

KINDS = ("learner_emission", "adversary_emission", "transition", "responses")
Law = Mapping[tuple[int, ...], tuple[Fraction, Mapping[tuple[int, int], Scalar]]]


class Cut(NamedTuple):
    """A cut is a cell of an axis, with its point."""

    low: Fraction
    point: Fraction
    high: Fraction


def read_axes(given: object, box: Mapping[str, tuple[Fraction, Fraction]], where: str) -> dict[str, list[Cut]]:
    """Return the cells of every axis from its lower end to its upper one."""
    axes = {}
    for name, axis in take(given, where, tuple(box)).items():
        ends, points = (
            [rational(x, where) for x in sequence(take(axis, where, ("ends", "points"))[key], where)]
            for key in ("ends", "points")
        )
        cells = list(pairwise(ends))
        good = len(ends) > 1 and (ends[0], ends[-1]) == box[name] and len(points) == len(cells)
        good = good and all(low <= x <= high for (low, high), x in zip(cells, points, strict=True))
        require(good, f"{where}.{name}", "other cells", f"ends in order from {box[name]}, a point between any two")
        axes[name] = [Cut(low, x, high) for (low, high), x in zip(cells, points, strict=True)]
    return axes


# -- means over trajectories


def earned(game: Game, tau: tuple[int, ...], first: int = 0) -> Fraction:
    """Return the rewards of a trajectory from a step on."""
    return sum((game.reward[h][o] for h, o in enumerate(tau[::2]) if h >= first), Fraction(0))


def expected(law: Law, xi: tuple[int, int], worth: Callable[[tuple[int, ...]], Fraction]) -> Polynomial:
    """Return the mean of a function of the trajectory."""
    return total(polynomial(P[xi]) * (weight * worth(tau)) for tau, (weight, P) in law.items())


def begins(continuum: Continuum, p: int) -> int:
    """Return 1 if the mean of the first reward is one number for all models, so that it drops out of differences, and
    else 0."""
    law, game = continuum.laws[p], continuum.game
    means = {expected(law, xi, lambda tau: game.reward[0][tau[0]]) for xi in continuum.models}
    return int(len(means) == 1 and not names(*means))


def squares(continuum: Continuum, p: int, c: Fraction) -> Iterator[tuple[Polynomial, Region]]:
    """Yield E_xi (f - c)^2 of every model cell, and its region, where f is the sum of the rewards under a policy,
    without the first where ``begins`` drops it."""
    first = begins(continuum, p)
    for xi in continuum.models:
        yield (
            expected(continuum.laws[p], xi, lambda tau: (earned(continuum.game, tau, first) - c) ** 2),
            continuum.region(*xi),
        )


# -- chi square, table by table


def rows(continuum: Continuum, policies: Iterable[int]) -> Iterator[tuple[str, int, tuple[Scalar, ...], Region]]:
    """Yield (kind, step, row, region) of every row that moves and that a trajectory of these policies depends on; at
    the last step that is only the learner's emission."""
    for world, (_, _, region) in zip(continuum.worlds, continuum.thetas, strict=True):
        for h, (EA, EB, T) in enumerate(zip(*world, strict=True)):
            yield from ((KINDS[0], h, row, region) for row in EA if moves(row))
            if h + 1 < continuum.game.H:
                yield from ((KINDS[1], h, row, region) for row in EB if moves(row))
                yield from ((KINDS[2], h, row, region) for acts in T for row in flat(acts) if moves(row))
    for response, (_, _, region) in zip(continuum.responses, continuum.phis, strict=True):
        for h, p in product(range(continuum.game.H - 1), policies):
            yield from ((KINDS[3], h, row, region) for row in response[p][h] if moves(row))


def flat(acts: Iterable[Iterable[Scalar]]) -> Iterator[Scalar]:
    """Yield the rows of a table by both actions."""
    for table in acts:
        yield from table


def moves(row: Iterable[object]) -> bool:
    """Return whether an entry depends on an interval axis."""
    return any(isinstance(x, Polynomial) and names(x) for x in row)


def within(row: tuple[Scalar, ...], region: Region, axes: Mapping[str, list[Cut]], rho: Fraction) -> bool:
    """Return whether sum row_xi^2/row_i <= 1 + rho for xi in every product of cells of the row's axes, i being its
    point."""
    entries = [polynomial(x) for x in row if x]
    used = parameters(*entries)
    for cells in product(*(axes[name] for name in used)):
        at = [value(x, {name: cell.point for name, cell in zip(used, cells, strict=True)}) for x in entries]
        if not all(x > 0 for x in at):
            return False
        left = 1 + rho - total(x * x * (1 / y) for x, y in zip(entries, at, strict=True))
        box = {name: (cell.low, cell.high) for name, cell in zip(used, cells, strict=True)}
        if not right_sign(cleared(polynomial(left), region.signs), box, False):
            return False
    return True


def spread(
    continuum: Continuum, policies: Iterable[int], axes: Mapping[str, list[Cut]], rho: Mapping[str, Fraction]
) -> Fraction | None:
    """Return chi with E_i[(P_xi/P_i)^2] <= 1 + chi, the product over tables that move of 1 + rho of their kind, or
    ``None`` where some row exceeds it.

    Rows without their zeros, equal ones in one region, are looked at once.
    """
    steps: dict[str, set[int]] = {kind: set() for kind in KINDS}
    known: dict[int, set[object]] = {}  # by region, which is one object per cell
    for kind, h, row, region in rows(continuum, policies):
        steps[kind].add(h)
        seen, key = known.setdefault(id(region), set()), (kind, tuple(x for x in row if x))
        if key not in seen and not within(row, region, axes, rho[kind]):
            return None
        seen.add(key)
    return prod(((1 + rho[kind]) ** len(at) for kind, at in steps.items()), start=Fraction(1)) - 1


# -- the bound


class Netted(NamedTuple):
    """The bound is made of these: ``schedule`` with N, delta, R' and the memory; ``tests``, 1 or the number of policies
    where each has a test of its own; ``chi``; M of every policy that may be deployed; the quantum of the list, and by
    how much the optimistic values of two net points may differ."""

    schedule: Nested
    tests: int
    chi: Fraction
    moments: tuple[Fraction, ...]
    quantum: Fraction
    range: Fraction

    @classmethod
    def read(cls, schedule: Nested, chi: Fraction, given: Object | None) -> Netted:
        """Return the bound of the list of a certificate, which the kernel has checked; without a list one policy is
        best in every model."""
        if given is None:
            return cls(schedule, 1, chi, (Fraction(0),), Fraction(0), Fraction(0))
        moments = tuple(
            Fraction(each["M"]) for _, each in sorted(given["moments"].items())
        )  # in the order of the class
        low, high = (Fraction(given["range"][end]) for end in ("low", "high"))
        tests = 1 if given["test"] == "joint" else len(moments)
        return cls(schedule, tests, chi, moments, Fraction(given["quantum"]), high - low)

    @property
    def share(self) -> Fraction:
        """Return what each of the three events may fail with."""
        return self.schedule.budget * 2 / 3

    @property
    def start(self) -> Interval:
        """Return log(N/share) + log(tests/share), which is how far an entry of the list may lag behind before the first
        episode."""
        return log(self.schedule.models / self.share) + log(self.tests / self.share)

    @property
    def slope(self) -> Interval:
        """Return log(1 + chi), which is how much further an entry may lag behind after every episode that counts."""
        return log(1 + self.chi)

    def evidence(self, T: int, rounding: Fraction = Fraction(0)) -> Interval:
        """Return E_T, what the data of one policy may hold against an entry before it is refuted; at least 2."""
        size = log(self.schedule.models / self.share)
        return most(2, size * Fraction(3, 2) + log(self.tests / self.share) + T * self.slope + rounding)

    @property
    def error(self) -> Interval:
        """Return by how much v* may exceed what the deployed entry promises."""
        return root(interval(self.chi * max(self.moments))) + self.quantum

    @property
    def runs(self) -> int:
        """Return how many runs of one policy the list has at most."""
        others = len(self.moments) - 1
        if not self.quantum:
            return self.schedule.models
        return min(self.schedule.models, others * (-(-self.range // self.quantum) + 1) + 1)

    def data(self, T: int, rounding: Fraction = Fraction(0)) -> Interval:
        """Return what T data episodes lose at most."""
        others = sum(sorted(self.moments)[1:], Fraction(0))
        lost = T * self.error + root(8 * T * others * self.evidence(T, rounding)) if others else interval(0)
        return lost + self.schedule.transients

    def regret(self, T: int, rounding: Fraction = Fraction(0)) -> Fraction:
        """Return the bound at T."""
        return self.data(T, rounding).high + self.schedule.before(self.runs)


# -- the claim


def nothing(case: Case) -> bool:
    """Return whether a premise is refuted, or every policy earns the same in every model."""
    continuum, game = case.facts.continuum, case.facts.game
    if any(case.settled[name]["verdict"] == "refuted" for name in PREMISES):
        return True
    every = ({expected(law, xi, lambda tau: earned(game, tau)) for law in continuum.laws} for xi in continuum.models)
    return all(len(means) == 1 for means in every)


def check(case: Case, evidence: Object) -> None:
    """Check that some of the policies are enough to have a best one in every model, that there is a net for these, and
    then the values."""
    take(evidence, f"{case.id}.evidence", ("rule", "deployed", "dominated", "attained", "trees", "list"))
    owed = {name: case.settled[name]["verdict"] for name in PREMISES}
    if not {*owed.values()} <= {"proved", "declared"}:
        raise case.reject("net", owed, "3.1(a) and 3.1(f), proved or declared")
    continuum, goals = case.facts.continuum, list[Goal]()
    if any(continuum.region(*xi).constraints for xi in continuum.models):
        raise case.reject("net", "constraints between intervals", "a class whose cells are boxes")
    deployed = enough(case, evidence, goals)
    if (len(deployed) == 1) != (evidence["list"] is None):
        raise case.reject("net", f"{len(deployed)} deployed policies", "a list exactly where there are several")
    size = 1 if evidence["list"] is None else listed(case, deployed, evidence["list"], goals)
    bound = Netted.read(schedule(case, size), case.number("chi_upper"), evidence["list"])
    settle(case, goals, evidence["trees"])
    place = take(take(evidence["attained"], f"{case.id}.attained", ("D",))["D"], f"{case.id}.attained", ("xi", "pi"))
    here = at_points(case, place).facts.once(ranked)  # one model
    D, known = case.number("D_lower"), [case.number("N"), case.number("span")]
    if D <= 0 or D != here.regret(case.policy(place["pi"]), here.models[0]):
        raise case.reject("net", f"D_lower = {D} at {place}", "the regret there, positive")
    if known != [Fraction(bound.schedule.models), bound.schedule.span]:
        raise case.reject("net", f"N and span {known}", [bound.schedule.models, bound.schedule.span])
    if evidence["list"] is None and bound.chi:
        raise case.reject("net", f"chi_upper = {bound.chi}", "0, where nothing is learned")
    if case.number("nested_regret_upper") < (least_bound := bound.regret(case.facts.options["T"])):
        raise case.reject("net", f"nested_regret_upper = {case.number('nested_regret_upper')}", least_bound)
    worth(case, "net", bound.regret, D)


def enough(case: Case, evidence: Object, goals: list[Goal]) -> list[int]:
    """Return the policies that ``nested`` deploys: every other is nowhere better than one of them."""
    continuum, game = case.facts.continuum, case.facts.game
    deployed = [case.policy(name) for name in sequence(evidence["deployed"], f"{case.id}.deployed")]
    others = [p for p in range(len(game.policies)) if p not in deployed]
    if not deployed or deployed != sorted({*deployed}):
        raise case.reject("net", f"deployed {evidence['deployed']}", "policies, each once, in the order of the class")
    better = take(evidence["dominated"], f"{case.id}.dominated", [game.policy_names[p] for p in others])
    for p in others:
        over = case.policy(better[game.policy_names[p]])
        if over not in deployed:
            raise case.reject("net", f"{game.policy_names[p]} below {game.policy_names[over]}", "a deployed policy")
        for xi in continuum.models:
            least, more = (expected(continuum.laws[q], xi, lambda tau: earned(game, tau)) for q in (p, over))
            goals.append(goal(more - least, False, continuum.region(*xi)))
    return deployed


def listed(case: Case, deployed: Sequence[int], given: Any, goals: list[Goal]) -> int:
    """Return how many entries the list has, once what it says of the net, chi, M and the range of optimistic values are
    checked."""
    where, continuum, game = f"{case.id}.list", case.facts.continuum, case.facts.game
    take(given, where, ("test", "axes", "rho", "moments", "quantum", "range"))
    box = {name: ends for xi in continuum.models for name, ends in continuum.region(*xi).box.items()}
    axes = read_axes(given["axes"], box, f"{where}.axes")
    rho = {kind: rational(x, where) for kind, x in take(given["rho"], f"{where}.rho", KINDS).items()}
    chi, found = case.number("chi_upper"), spread(continuum, deployed, axes, rho) if min(rho.values()) >= 0 else None
    if found is None:
        raise case.reject(
            "net", "a row that moves by more than rho in a cell, or rho < 0", "sum row^2/row_i <= 1 + rho"
        )
    if chi < found:
        raise case.reject("net", f"chi_upper = {chi}", f"at least {found}, by rho")
    named = take(given["moments"], f"{where}.moments", [game.policy_names[p] for p in deployed])
    for p in deployed:
        pair = take(named[game.policy_names[p]], f"{where}.moments", ("c", "M"))
        c, M = rational(pair["c"], where), rational(pair["M"], where)
        goals += [goal(M - square, False, region) for square, region in squares(continuum, p, c)]
    ends = take(given["range"], f"{where}.range", ("low", "high", "pi"))
    low, high, sure = rational(ends["low"], where), rational(ends["high"], where), case.policy(ends["pi"])
    if sure not in deployed or rational(given["quantum"], where) < 0:
        raise case.reject(
            "net", f"quantum {given['quantum']}, range by {ends['pi']}", "at least 0, and a deployed policy"
        )
    for xi, p in ((xi, p) for xi in continuum.models for p in deployed):
        earns = expected(continuum.laws[p], xi, lambda tau: earned(game, tau))
        goals.append(goal(high - earns, False, continuum.region(*xi)))
        goals += [goal(earns - low, False, continuum.region(*xi))] if p == sure else []
    if given["test"] not in ("joint", "own"):
        raise case.reject("net", f"the test {given['test']!r}", "joint or own")
    used = [[*axes]]
    if given["test"] == "own":
        used = [parameters(*(P for _, law in continuum.laws[p].values() for P in law.values())) for p in deployed]
    return len(continuum.models) * sum(prod(len(axes[name]) for name in each) for each in used)
