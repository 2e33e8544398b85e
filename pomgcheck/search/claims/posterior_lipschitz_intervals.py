"""Decides Assumption 2.3 on interval axes, by the widest response gap over Psi against the least posterior distance
over Theta."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

from pomgcheck.errors import counted
from pomgcheck.kernel.limits import CAPS
from pomgcheck.search.claims.posterior_lipschitz import evidence, posterior_lipschitz
from pomgcheck.search.claims.warmup_stationary_intervals import MAX_SIGNS, NONE, Gap, Gaps, Pairs, too_many_actions
from pomgcheck.search.common_zeros import CommonZeros
from pomgcheck.search.continuum import Cell, Continuum
from pomgcheck.search.exact.boxes import Point, Shown, Violated, middle
from pomgcheck.search.exact.polynomials import Poly
from pomgcheck.search.exact.tables import Memories
from pomgcheck.search.extremes import ATTEMPTS, SLACK, Trees, Undecided, corners, descended, some_point
from pomgcheck.search.finding import Finding, trajectory
from pomgcheck.search.intervals import point_of

MAX_PLACES = 1_000_000  # pairs of blocks at histories
MAX_PARTS, MAX_CUTS = 256, 40  # of one region of Theta, each with a choice of its own, and how often one is cut

Block = tuple[int, ...]  # policies, oldest first
History = tuple[int, ...]  # of the adversary's observations and actions
Masses = list[dict[History, list[Poly]]]

LIKE_ALL = {"space": "history", "reference": "uniform", "limits": CAPS}  # a finite search of one model


def reference_masses(c: Continuum, i: int, p: int, mu: Sequence[Fraction]) -> Masses:
    """Return, by step and decision history of the adversary, the masses of the learner's actions under (pi, mu,
    theta)."""
    game, (EA, EB, T) = c.game, c.worlds[i]
    learner = c.learner
    level: dict[tuple[int, ...], dict[tuple[int, int], Poly]] = {
        (): {(s, 0): mass for (s, _), mass in c.initial().items()}
    }
    out: Masses = []
    for h in range(game.H):
        acting: dict[tuple[int, ...], list[Poly]] = {}
        after: dict[tuple[int, ...], dict[tuple[int, int], Poly]] = {}
        for tau, masses in level.items():
            for (s, m), mass in masses.items():
                for (o, seen), (oB, shown) in product(EA[h][s].items(), EB[h][s].items()):
                    here = mass * seen * shown
                    row = acting.setdefault((*tau, oB), [c.ring.zero] * len(game.A))
                    for a, chance in enumerate(game.policies[p][h][learner.row[h][m, o]]):
                        if chance:
                            played = here * c.ring.constant(chance)
                            row[a] += played
                            following = int(learner.next[h][m, o, a])
                            for b, draw in enumerate(mu if h + 1 < game.H else ()):
                                pushed = after.setdefault((*tau, oB, b), {})
                                for s_next, move in T[h][s][a][b].items():
                                    key, value = (s_next, following), played * move * c.ring.constant(draw)
                                    pushed[key] = pushed[key] + value if key in pushed else value
        out.append(acting)
        level = after
    return out


@dataclass(eq=False)
class Posterior:
    """This has two policies' posteriors at one history: their difference times the mass that divides it, and that
    mass."""

    apart: list[Poly]
    mass: Poly
    names: list[str]
    parts: list[Callable[[Mapping[str, Fraction]], Fraction]]  # of the difference and the mass, at a point
    known: dict[tuple[Fraction, ...], tuple[Fraction, list[int]]] = field(default_factory=dict)

    def at(self, point: Mapping[str, Fraction]) -> tuple[Fraction, list[int]]:
        """Return (l1 distance, signs) at a point; the distance is -1 where the history is impossible."""
        key = tuple(point[name] for name in self.names)
        if key not in self.known:
            *values, mass = (part(point) for part in self.parts)
            size = sum(map(abs, values), Fraction(0)) / mass if mass else Fraction(-1)
            self.known[key] = size, [1 if x >= 0 else -1 for x in values]
        return self.known[key]


@dataclass
class ThetaPart:
    """This is a part of a region of Theta. It has the number of one of several posteriors and a sign per action, or it
    has two halves."""

    cell: Cell
    choice: list[int]
    named: bool  # whether the certificate has to name the choice
    depth: int = 0
    turned: bool = False  # whether its first choice was of a history that is impossible somewhere
    halves: tuple[str, ThetaPart, ThetaPart] | None = None

    def written(self) -> Any:
        """Return the choice as certificates have it; ``None`` where it is the kernel's own."""
        if self.halves is None:
            return self.choice if self.named else None
        axis, below, above = self.halves
        return ["split", axis, str(below.cell.box[axis][1]), below.written(), above.written()]

    def count(self) -> int:
        """Return how many parts a part is split into, itself if it is not."""
        return 1 if self.halves is None else sum(half.count() for half in self.halves[1:])


class UnequalAnswers(NamedTuple):
    """This is a history at which two blocks are answered differently, with the two rows, and the history's masses
    under each of their policies."""

    pi: Block
    nu: Block
    h: int
    eta: History
    pairs: Pairs
    masses: list[Poly]
    names: list[str]  # the parameters that they depend on


@dataclass
class BlockComparison:
    """A comparison is about blocks that differ in the same pairs of policies, in one cell of Theta: it has the places
    where their responses differ, and the posteriors, of which the most distant counts."""

    i: int
    pairs: tuple[tuple[int, int], ...]
    eta: History | None  # of the step form
    places: list[UnequalAnswers]
    posteriors: list[Posterior]
    elsewhere: bool  # whether a posterior may be of another history than the one answered, as in the policy form
    gap: Gap = NONE
    at: int = 0  # the number of the place answered widest
    part: ThetaPart | None = None
    nearest: Point = field(default_factory=dict)  # where the posteriors are seen to differ least

    @cached_property
    def names(self) -> list[str]:
        """Return the parameters on which its posteriors and places depend."""
        lists = [*(x.names for x in self.posteriors), *(x.names for x in self.places)]
        return sorted({name for names in lists for name in names})

    def best(self, point: Point) -> list[int]:
        """Return the number of the posteriors that differ most at a point, the first of several, and the signs."""
        found = [(size, -k, signs) for k, x in enumerate(self.posteriors) for size, signs in [x.at(point)]]
        _, k, signs = max(found)
        return [-k, *signs]

    def distance(self, point: Point) -> Fraction:
        """Return the posteriors' distance at a point: the largest of those compared."""
        return max(Fraction(0), *(x.at(point)[0] for x in self.posteriors))


class Open(NamedTuple):
    """This is a comparison with a part whose goal is open, and a point where it fails, if one is known."""

    comparison: BlockComparison
    part: ThetaPart
    undecided: Undecided
    spot: Point | None


class Lipschitz:
    """This searches one class in one form, "step" or "policy", with the reference law ``mu``."""

    def __init__(self, c: Continuum, form: str, mu: Sequence[Fraction]) -> None:
        self.c, self.form, self.mu, self.trees = c, form, list(mu), Trees(c)
        self.masses = cache(lambda i, p: reference_masses(c, i, p, mu))
        self.total = cache(lambda i, p, h, eta: sum(self.masses(i, p)[h][eta], c.ring.zero))
        self.shared = cache(self._shared)
        self.posterior = cache(self._posterior)

    def find(self) -> Finding:
        """Return L within the slack of its bounds, or a refutation; raises ``Undecided``."""
        if too_many_actions(self.c):
            return Finding("unknown", f"responses that vary in more than {MAX_SIGNS} actions")
        if (count := self.count()) > MAX_PLACES:
            return Finding(
                "unknown", f"{count:,} pairs of blocks at histories, where at most {MAX_PLACES:,} are compared"
            )
        every = list(self.comparisons())
        self.gaps = Gaps(self.trees, (pair for each in every for place in each.places for pair in place.pairs))
        for each in every:
            found = [self.gaps.widest(place.pairs) for place in each.places]
            each.at, widest = max(enumerate(found), key=lambda x: (x[1].value, -x[0]))
            each.gap = widest._replace(bound=max(gap.bound for gap in found))
        every = [each for each in every if each.gap.bound]
        if not every:
            zero = {"L_lower": "0", "L_upper": "0"}
            return Finding("proved", "no two policies are answered differently", zero, self.evidence([], None))
        best: tuple[Fraction, BlockComparison, Point] = Fraction(0), every[0], {}
        for each in every:
            cell = self.c.cell_of((each.i, None))
            each.part = self.chosen(each, cell)
            for point in corners(cell, each.names) if each.part else ():
                if self.possible(each, point):
                    apart = each.distance(point)
                    if not apart:
                        return self.refuted(each, point)
                    if each.gap.value / apart > best[0]:
                        best, each.nearest = (each.gap.value / apart, each, point), point
        return self.proved(every, *best)

    def proved(
        self, every: list[BlockComparison], lower: Fraction, attaining: BlockComparison, point: Point
    ) -> Finding:
        """Show the goals at the ratio found, at a larger one met on the way, or with some slack."""
        upper, guesses = lower, 0
        if lower:
            upper = max(lower, attaining.gap.bound / attaining.distance(point))
        while (failed := self.first_open(every, upper)) and guesses < ATTEMPTS:
            guesses += 1
            each, spot = failed.comparison, failed.spot
            if spot is None or (apart := each.distance(spot)) and each.gap.bound / apart <= upper:
                break
            if self.possible(each, spot):
                spot = each.nearest = self.nearer(each, spot)
            if not (apart := each.distance(spot)):
                break
            upper = max(upper, each.gap.bound / apart)
            if each.gap.value / apart > lower and self.possible(each, spot):
                lower, attaining, point = each.gap.value / apart, each, spot
        if failed and (zero := self.meeting(failed)) is not None:
            return self.refuted(failed.comparison, zero)
        for share in (Fraction(0), *SLACK):
            failed = self.first_open(every, upper * (1 + share)) if upper else failed
            if failed is None:
                values = {"L_lower": str(lower), "L_upper": str(upper * (1 + share))}
                method = f"{counted(len(every), 'comparison')} of responses over Ψ with posteriors over Θ"
                place = self.place(attaining, point) if lower else None
                return Finding("proved", method, values, self.evidence(every, place))
        assert failed is not None
        raise failed.undecided

    def first_open(self, every: list[BlockComparison], L: Fraction) -> Open | None:
        """Return the first comparison whose goals are not shown; parts whose choice is at fault are cut on the way."""
        for each in every:
            while each.part and (failed := self.open_part(each, each.part, L)):
                if not self.improved(each, failed, L):
                    return failed
        return None

    def open_part(self, each: BlockComparison, part: ThetaPart, L: Fraction) -> Open | None:
        """Return where L times a signed sum is not shown to be at least gap times mass."""
        if part.halves:
            halves = (self.open_part(each, half, L) for half in part.halves[1:])
            return next((failed for failed in halves if failed), None)
        c, ring, chosen = self.c, self.c.ring, each.posteriors[part.choice[0]]
        total = sum((x * s for x, s in zip(chosen.apart, part.choice[1:], strict=True)), ring.zero)
        goals = [c.goal(total * ring.constant(L) - chosen.mass * ring.constant(each.gap.bound), False, part.cell)]
        if each.elsewhere:
            goals.append(c.goal(chosen.mass, True, part.cell))
        for goal in goals:
            answer = self.trees.ask(goal)
            if not isinstance(answer, Shown):
                spot = some_point(part.cell, answer.point) if isinstance(answer, Violated) else None
                return Open(each, part, Undecided(goal, answer), spot)
        return None

    def improved(self, each: BlockComparison, failed: Open, L: Fraction) -> bool:
        """Give a part another choice, once, where the history it chose is impossible; else cut it along its longest
        axis, if L would do at the point where its goal fails. The cut is where the posteriors are nearest, since there
        choices often take turns, or in the middle."""
        part, spot, names = failed.part, failed.spot, each.names
        if spot and not part.turned and each.posteriors[part.choice[0]].at(spot)[0] < 0:
            part.choice, part.named, part.turned = each.best(spot), True, True
            return True
        if spot is None or not names or each.part is None or part.depth >= MAX_CUTS or each.part.count() >= MAX_PARTS:
            return False
        if L * each.distance(spot) < each.gap.bound:
            return False
        if each.part.halves is None:
            each.nearest = self.nearer(each, spot)
        whole = self.c.cell_of((each.i, None)).box
        lengths = {name: (high - low, whole[name]) for name in names for low, high in [part.cell.box[name]]}
        axis = max(names, key=lambda n: (lengths[n][0] / ((lengths[n][1][1] - lengths[n][1][0]) or 1), n))
        if not lengths[axis][0]:
            return False
        (low, high), t = part.cell.box[axis], each.nearest.get(axis)
        t = t if t is not None and low < t < high else (low + high) / 2
        halves = part.cell.halves(axis, t)
        below, above = (self.chosen(each, half, spot) or ThetaPart(half, part.choice, True) for half in halves)
        below.depth = above.depth = part.depth + 1
        part.halves = axis, below, above
        return True

    def nearer(self, each: BlockComparison, point: Point) -> Point:
        """Return a possible point at which the posteriors differ less, by descent."""
        cell = self.c.cell_of((each.i, None))
        return descended(lambda x: each.distance(x) if self.possible(each, x) else Fraction(3), each.names, cell, point)

    def chosen(self, each: BlockComparison, cell: Cell, spot: Point | None = None) -> ThetaPart | None:
        """Return the posteriors that differ most at the middle, or at ``spot`` if that is inside, and their signs
        there; none if no point is in the region."""
        tied = cell.tied(each.names)
        centre = place = {name: x for name, x in middle(cell.box).items() if name in tied}
        if not cell.admits(centre):
            try:
                place = corners(cell, each.names)[-1]
            except ValueError:
                return None
        if spot and all(low <= spot[name] <= high for name, (low, high) in cell.box.items() if name in centre):
            place = spot
        best = each.best(place)
        return ThetaPart(cell, best, best != each.best(centre))

    def possible(self, each: BlockComparison, point: Point) -> bool:
        """Return whether the compared history has positive probability under all the policies."""
        return all(self.c.ring.quotient_value(mass, point) for mass in each.places[each.at].masses)

    def meeting(self, failed: Open) -> Point | None:
        """Return a point at which none of the posteriors differ and the history is possible: where the descent ended,
        or a common zero."""
        each = failed.comparison
        cell = self.c.cell_of((each.i, None))
        zero = CommonZeros(self.c.ring, cell).find([p for x in each.posteriors for p in x.apart])
        points = [point for point in (each.nearest, failed.spot, zero and some_point(cell, zero)) if point]
        return next((x for x in points if not each.distance(x) and self.possible(each, x)), None)

    # -- what is compared

    def count(self) -> int:
        """Return an upper bound of the number of pairs of blocks at histories."""
        pairs = comb(len(self.c.blocks[0]), 2)
        histories = (sum(map(len, self.masses(i, 0))) for i in range(len(self.c.worlds)))
        return pairs * sum(histories)

    def comparisons(self) -> Iterator[BlockComparison]:
        """Yield the comparisons: in the step form one per history and set of pairs of policies, in the policy form one
        per set of pairs."""
        c, step = self.c, self.form == "step"
        found: dict[Any, list[UnequalAnswers]] = {}
        for i, (pi, nu) in product(range(len(c.worlds)), combinations(sorted(c.blocks[0]), 2)):
            if any(str(R[pi]) != str(R[nu]) for R in c.blocks):
                for place in self.places(i, pi, nu):
                    key = i, unequal(pi, nu), (place.h, place.eta) if step else None
                    found.setdefault(key, []).append(place)
        for (i, pairs, at), places in found.items():
            posteriors = [
                self.posterior(i, p, n, *place) for p, n in pairs for place in ([at] if at else self.shared(i, p, n))
            ]
            yield BlockComparison(i, pairs, at and at[1], places, posteriors, not step and len(posteriors) > 1)

    def places(self, i: int, pi: Block, nu: Block) -> Iterator[UnequalAnswers]:
        """Yield the decision histories that all policies of the blocks may meet and at which the responses differ."""
        game, policies = self.c.game, sorted({*pi, *nu})
        sides = len(game.OB), len(game.B), game.adversary_window, game.adversary_window is not None
        for h, eta in self.shared(i, *policies):
            row = Memories.table_row(eta[:-1], eta[-1], *sides)
            rows = [(k, R[pi][h][row], R[nu][h][row]) for k, R in enumerate(self.c.blocks)]
            pairs = [(k, u, v) for k, u, v in rows if str(u) != str(v)]
            if pairs:
                masses = [self.total(i, p, h, eta) for p in policies]
                names = sorted({name for mass in masses for name in self.c.ring.parameters(mass)})
                yield UnequalAnswers(pi, nu, h, eta, pairs, masses, names)

    def _shared(self, i: int, *policies: int) -> list[tuple[int, History]]:
        """Return the steps and histories that all these policies may meet, sorted."""
        levels = zip(*(self.masses(i, p) for p in policies), strict=True)
        return [(h, eta) for h, level in enumerate(levels) for eta in sorted(set(level[0]).intersection(*level[1:]))]

    def _posterior(self, i: int, p: int, n: int, h: int, eta: History) -> Posterior:
        ring, left, right = self.c.ring, self.masses(i, p)[h][eta], self.masses(i, n)[h][eta]
        mine, other = self.total(i, p, h, eta), self.total(i, n, h, eta)
        apart, mass = [x * other - y * mine for x, y in zip(left, right, strict=True)], mine * other
        names = sorted({name for x in (*apart, mass) for name in ring.parameters(x)})
        return Posterior(apart, mass, names, [ring.evaluator(x) for x in (*apart, mass)])

    # -- what comes of it

    def evidence(self, every: list[BlockComparison], attained: Any) -> dict[str, Any]:
        """Return the evidence of the proof: gaps, choices, trees, and the place where the ratio is attained."""
        chosen = [(each, written) for each in every if each.part and (written := each.part.written())]
        signs = [self.compared(each) | {"choice": choice} for each, choice in chosen]
        return evidence(attained, self.gaps.stated, signs, self.trees.trees)

    def compared(self, each: BlockComparison) -> dict[str, Any]:
        """Return what a comparison is of, in labels."""
        names = self.c.game.policy_names
        return {
            "theta": {name: str(x) for name, x in sorted(self.c.cells["theta"][each.i].fixed.items())},
            "policies": [[names[p] for p in pair] for pair in each.pairs],
            "tau_B": None if each.eta is None else trajectory(self.c.game, each.eta, learner=False),
        }

    def place(self, each: BlockComparison, point: Point) -> dict[str, Any]:
        """Return where the ratio is attained."""
        at = each.places[each.at]
        names: list[Any] = [[self.c.game.policy_names[p] for p in block] for block in (at.pi, at.nu)]
        pi, nu = names if self.c.game.block_rule == "table" else [block[0] for block in names]
        tau_B = trajectory(self.c.game, at.eta, learner=False)
        return {**self.model(each, point), "h": at.h + 1, "tau_B": tau_B, "pi": pi, "nu": nu}

    def model(self, each: BlockComparison, point: Point) -> dict[str, Any]:
        """Return the parameter points of a model at which blocks are compared."""
        return point_of(self.c, (each.i, each.gap.k), point | (each.gap.point or {}))

    def refuted(self, each: BlockComparison, point: Point) -> Finding:
        """Return the refutation by equal posteriors and different responses, found again in the finite class of the one
        model."""
        model = self.model(each, point)
        alone = self.c.game.subclass([model["theta"]], [model["Phi"]])
        found = posterior_lipschitz(alone, {**LIKE_ALL, "lipschitz_form": self.form})
        if found.verdict != "refuted":
            return Finding("unknown", f"posteriors meet at {model}, where the finite search sees no refutation")
        return found


def unequal(pi: Block, nu: Block) -> tuple[tuple[int, int], ...]:
    """Return the pairs of policies that two blocks have at one place, where they differ; each pair once, sorted."""
    return tuple(sorted({(min(pair), max(pair)) for pair in zip(pi, nu, strict=True) if pair[0] != pair[1]}))
