"""Assumption 2.3 on interval axes: the widest response gap over Psi against the least posterior distance over Theta."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

from .continuum import Cell, Continuum
from .exact.boxes import Point, Shown, Violated
from .exact.polynomials import Poly
from .exact.tables import Memories, Tables
from .extremes import ATTEMPTS, SLACK, Trees, Undecided, corners, some_point
from .finding import Finding
from .intervals import labels, point_of
from .posterior_lipschitz import posterior_lipschitz

Masses = list[dict[tuple[int, ...], list[Poly]]]


def reference_masses(c: Continuum, i: int, p: int, mu: Sequence[Fraction]) -> Masses:
    """Per step, decision history of the adversary -> masses of the learner's actions under (pi, mu, theta)."""
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


class Gap(NamedTuple):
    """||g(.|pi) - g(.|nu)||_1 of one table row over Psi: a proved bound, and a value with its cell and point."""

    bound: Fraction
    value: Fraction
    k: int
    point: Point


@dataclass
class Comparison:
    """Two policies in one cell of Theta: the response gap and the history (h, eta) it is read at, and the posteriors'
    differences times the mass that divides them, one pair for every history that may be used."""

    name: str
    i: int
    pi: int
    nu: int
    h: int
    eta: tuple[int, ...]
    gap: Gap
    posteriors: list[tuple[list[Poly], Poly]]
    choice: tuple[int, ...] = ()


class Lipschitz:
    """The search of one class in one form, "step" or "policy", with the reference law ``mu``."""

    def __init__(self, c: Continuum, form: str, mu: Sequence[Fraction]) -> None:
        self.c, self.form, self.mu, self.trees = c, form, list(mu), Trees(c)
        self.gaps: dict[str, str] = {}
        self.signs: dict[str, list[int]] = {}
        self.masses = cache(lambda i, p: reference_masses(c, i, p, mu))
        self.gap = cache(self._gap)

    def find(self) -> Finding:
        """L within the slack of its bounds, or a refutation; raises :class:`Undecided`."""
        if self.c.game.block_rule == "table":
            return Finding("unknown", "a rule given by a table of blocks is not decided on interval axes")
        every = list({(str(each.posteriors), each.gap.bound): each for each in self.comparisons()}.values())
        if not every:
            zero = {"L_lower": "0", "L_upper": "0"}
            return Finding("proved", "no two policies are answered differently", zero, self.evidence(None))
        best = Fraction(0), every[0], Point()
        for each in every:
            cell = self.c.cell_of((each.i, None))
            self.choose(each, cell)
            for point in corners(cell, self.names(each)):
                if self.possible(each, point):
                    apart = self.distance(each, point)
                    if not apart:
                        return self.refuted(each, point)
                    if each.gap.value / apart > best[0]:
                        best = each.gap.value / apart, each, point
        return self.proved(every, *best)

    def proved(self, every: list[Comparison], lower: Fraction, attaining: Comparison, point: Point) -> Finding:
        """Show the goals at the ratio found, at a larger one met on the way, or with some slack."""
        guesses = 0
        upper = max(lower, attaining.gap.bound / self.distance(attaining, point))
        while (failed := self.first_open(every, upper)) and guesses < ATTEMPTS:
            each, undecided = failed
            guesses += 1
            if not isinstance(undecided.answer, Violated):
                break
            spot = some_point(self.c.cell_of((each.i, None)), undecided.answer.point)
            if not self.possible(each, spot):
                break
            apart = self.distance(each, spot)
            if not apart:
                return self.refuted(each, spot)
            if each.gap.bound / apart <= upper:
                break
            upper = each.gap.bound / apart
            if each.gap.value / apart > lower:
                lower, attaining, point = each.gap.value / apart, each, spot
        for share in (Fraction(0), *SLACK):
            failed = self.first_open(every, upper * (1 + share))
            if failed is None:
                values = {"L_lower": str(lower), "L_upper": str(upper * (1 + share))}
                method = f"{len(every)} comparisons, responses over Psi and posteriors over Theta"
                return Finding("proved", method, values, self.evidence(self.place(attaining, point)))
        assert failed is not None
        raise failed[1]

    def first_open(self, every: list[Comparison], L: Fraction) -> tuple[Comparison, Undecided] | None:
        """The first comparison whose goal is not shown: L times a signed sum is at least gap times mass."""
        c, ring = self.c, self.c.ring
        for each in every:
            cell = c.cell_of((each.i, None))
            apart, mass = each.posteriors[each.choice[0]]
            total = sum((x * s for x, s in zip(apart, each.choice[1:], strict=True)), ring.zero)
            goals = [c.goal(total * ring.constant(L) - mass * ring.constant(each.gap.bound), False, cell)]
            if len(each.posteriors) > 1:
                goals.append(c.goal(mass, True, cell))
            for goal in goals:
                answer = self.trees.ask(goal)
                if not isinstance(answer, Shown):
                    return each, Undecided(goal, answer)
        return None

    def names(self, each: Comparison) -> list[str]:
        """The parameters that its posteriors depend on."""
        ring = self.c.ring
        return sorted({n for apart, mass in each.posteriors for x in (*apart, mass) for n in ring.parameters(x)})

    def possible(self, each: Comparison, point: Point) -> bool:
        """Whether some compared history has positive probability under both policies."""
        return any(self.c.ring.quotient_value(mass, point) for _, mass in each.posteriors)

    def distance(self, each: Comparison, point: Point) -> Fraction:
        """The posteriors' distance at a point: the largest of those compared."""
        ring, best = self.c.ring, Fraction(0)
        for apart, mass in each.posteriors:
            size = ring.quotient_value(mass, point)
            if size:
                best = max(best, sum((abs(ring.quotient_value(x, point)) for x in apart), Fraction(0)) / size)
        return best

    def choose(self, each: Comparison, cell: Cell) -> None:
        """The history and the signs that measure the distance: the best at the middle of the region."""
        ring = self.c.ring
        middle = corners(cell, self.names(each))[-1]
        sizes = []
        for k, (apart, mass) in enumerate(each.posteriors):
            values = [ring.quotient_value(x, middle) for x in apart]
            size = ring.quotient_value(mass, middle)
            sizes.append((sum(map(abs, values), Fraction(0)) / size if size else Fraction(-1), -k, values))
        _, k, values = max(sizes, key=lambda x: x[:2])
        each.choice = (-k, *(1 if x >= 0 else -1 for x in values))
        if self.form == "policy" or cell.constraints:  # else the kernel takes these signs itself
            self.signs[each.name] = list(each.choice)

    def _gap(self, p: int, n: int, h: int, row: int) -> Gap:
        """The largest difference of the two responses in one row, over Psi."""
        c, ring = self.c, self.c.ring
        found = []
        for k, response in enumerate(c.responses):
            u, v = response[p][h][row], response[n][h][row]
            vector = [u.get(b, ring.zero) - v.get(b, ring.zero) for b in range(len(c.game.B))]
            if all(x.is_constant() for x in vector):
                size = sum((abs(ring.value(x, {})) for x in vector), Fraction(0))
                found.append(Gap(size, size, k, {}))
                continue
            cell, signs = c.cell_of((None, k)), list(product((1, -1), repeat=len(vector)))
            sums = [sum((x * s for x, s in zip(vector, each, strict=True)), ring.zero) for each in signs]
            highs = [self.trees.greatest(total, cell) for total in sums]
            bound, best = max(high.bound for high in highs), max(highs, key=lambda high: high.value)
            self.trees.show_all(c.goal(ring.constant(bound) - total, False, cell) for total in sums)
            parts = (ring.split(x) for x in vector)
            self.gaps[", ".join(f"{scale}*({ring.text(whole)})" for scale, whole in parts)] = str(bound)
            found.append(Gap(bound, best.value, k, best.point))
        most = max(found, key=lambda gap: gap.value)
        return most._replace(bound=max(gap.bound for gap in found))

    def comparisons(self) -> Iterator[Comparison]:
        """In the step form one a history, in the policy form one a pair of policies; those of gap zero are left out."""
        c = self.c
        for i, (p, n) in product(range(len(c.worlds)), combinations(range(len(c.game.policies)), 2)):
            if all(str(response[p]) == str(response[n]) for response in c.responses):
                continue
            found = list(self.histories(i, p, n))
            if self.form == "step":
                yield from (each for each in found if each.gap.bound)
            elif found and (widest := max(found, key=lambda each: each.gap.bound)).gap.bound:
                widest.name = f"{c.game.policy_names[p]} {c.game.policy_names[n]} {i}"
                widest.posteriors = [each.posteriors[0] for each in found]
                yield widest

    def histories(self, i: int, p: int, n: int) -> Iterator[Comparison]:
        """One comparison a decision history that both policies may meet."""
        game, ring = self.c.game, self.c.ring
        sides = len(game.OB), len(game.B), game.adversary_window, game.adversary_window is not None
        for h, (left, right) in enumerate(zip(self.masses(i, p), self.masses(i, n), strict=True)):
            for eta in left:
                if eta in right:
                    mine, other = sum(left[eta], ring.zero), sum(right[eta], ring.zero)
                    apart = [x * other - y * mine for x, y in zip(left[eta], right[eta], strict=True)]
                    name = ", ".join(ring.text(ring.primitive(x)) for x in apart)
                    gap = self.gap(p, n, h, Memories.table_row(eta[:-1], eta[-1], *sides))
                    yield Comparison(name, i, p, n, h, eta, gap, [(apart, mine * other)])

    def evidence(self, attained: Any) -> dict[str, Any]:
        return {"rule": "box", "gaps": self.gaps, "signs": self.signs, "trees": self.trees.trees, "attained": attained}

    def place(self, each: Comparison, point: Point) -> dict[str, Any]:
        """Where the ratio is attained."""
        names = self.c.game.policy_names
        model = point_of(self.c, (each.i, each.gap.k), point | each.gap.point)
        return {
            **model,
            "h": each.h + 1,
            "tau_B": labels(self.c, each.eta, learner=False),
            "pi": names[each.pi],
            "nu": names[each.nu],
        }

    def refuted(self, each: Comparison, point: Point) -> Finding:
        """Equal posteriors and different responses, found again in the finite class of the one model."""
        model = point_of(self.c, (each.i, each.gap.k), point | each.gap.point)
        alone = Tables(self.c.game.subclass([model["theta"]], [model["Phi"]]), "history")
        found = posterior_lipschitz(alone, self.form, self.mu)
        if found.verdict != "refuted":
            return Finding("unknown", f"posteriors meet at {model}, where the finite search sees no refutation")
        return found
