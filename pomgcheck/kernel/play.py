"""Laws of play, their divergences, and sums of norms of differences of operators: what Assumption 3.1 and Section 2.6
are about."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import product
from math import gcd, isqrt, lcm
from operator import mul

from .budget import OverBudget, spend
from .game import Game
from .logarithms import log_enclosure
from .moments import SecondMoments
from .operators import Compared, Model, Scaled, Space, Vector, distance
from .walk import COARSE, Place, Walk

ROOT = 128  # bits of a root in an affinity, and of a mass in a sum of norms that is rounded
EXACT = 1 << 26  # the weights of an exact sum of norms have at most so many bits all together


class Play(Walk):
    """A play is what one policy sees under every model: laws of play and differences of operators (Assumption 3.1).

    Norms are those of the pair that occurs; a subclass with ``summed`` sums them over all pairs that may follow.
    """

    summed = False
    finest = 2048  # bits of the enclosures that may decide a comparison

    def __init__(self, game: Game, scaled: Scaled, space: Space, p: int, limit: int) -> None:
        self.logarithms = cache(self._logarithms)  # by model and bits
        self.enclosure = cache(lambda chance, bits: log_enclosure(Fraction(*chance), bits))
        self.ends, self.roots, self.mean = cache(self._ends), cache(self._roots), cache(self._mean)  # by model
        self._norms: dict[tuple[Model, Compared], list[int]] = {}
        self._differ: dict[tuple[Model, Compared], bool] = {}
        super().__init__(game, scaled, space, p, limit)

    # -- laws of play

    @cached_property
    def increments(self) -> tuple[Fraction | None, Place]:
        """Return the largest P_x/P_y of a trajectory and a place where it is attained; where some trajectory has P_x >
        0 = P_y, return ``None`` and such a place."""
        best, at = Fraction(1), Place(0, 0, ())
        for node in self.levels[-1]:
            for edge, (vector, prefix) in product(node.edges, node.likelihoods.items()):
                law = list(map(mul, vector, edge.after))
                high, low = max(law), min(law)
                if not low or at.trajectory == () or high * best.denominator > best.numerator * low:
                    at = Place(law.index(high), law.index(low), (*prefix, edge.o, edge.a))
                    if not low:
                        return None, at
                    best = Fraction(high, low)
        return best, at

    @cached_property
    def conditionals(self) -> list[tuple[tuple[int, int] | None, ...]]:
        """Return, per model and edge, the chance of the edge's observation as (numerator, denominator) in lowest terms;
        it is zero where the observation is impossible, and ``None`` where the node is."""
        J = self.scaled.J
        return [
            tuple(lowest(edge.after[x], node.totals[x] * J) if node.totals[x] else None for _, node, edge in self.edges)
            for x in range(len(self.models))
        ]

    def same_law(self, x: Model, y: Model) -> bool:
        """Return whether P_x = P_y."""
        first, second = (self.conditionals[self.number[self.alike[xi]]] for xi in (x, y))
        return first == second

    def of_one_law(self) -> Iterator[tuple[Model, Model]]:
        """Return the pairs x, y of different ``models`` with P_x = P_y."""
        groups: dict[object, list[Model]] = {}
        for x, law in zip(self.models, self.conditionals, strict=True):
            groups.setdefault(law, []).append(x)
        return ((x, y) for x, law in zip(self.models, self.conditionals, strict=True) for y in groups[law] if x != y)

    @cached_property
    def _possible(self) -> list[int]:
        """Return, per model, the edges that are possible, as the bits of a number."""
        return [sum(1 << e for e, (*_, edge) in enumerate(self.edges) if edge.after[x]) for x in self.number.values()]

    def divergent(self, x: Model, y: Model) -> bool:
        """Return whether KL(P_x || P_y) is infinite."""
        first, second = (self._possible[self.number[self.alike[xi]]] for xi in (x, y))
        return bool(first & ~second)

    def divergence(self, x: Model, y: Model, bits: int) -> tuple[int, int]:
        """Return (lo, hi) with lo <= 4^bits KL(P_x || P_y) <= hi, if KL is finite. By the chain rule KL is the sum over
        edges of (mass under x) (log P_x(o) - log P_y(o)), so that one logarithm per model and edge serves all pairs."""
        own, other = (self.logarithms(self.number[self.alike[xi]], bits) for xi in (x, y))
        low, high = (sum(map(mul, own.masses, ends)) for ends in (other.high, other.low))
        return own.low_sum - low - own.slack(other), own.high_sum - high + own.slack(other)

    def least_divergence(self, x: Model, y: Model, bits: int) -> int:
        """Return the lower end of ``divergence``."""
        return self.divergence(x, y, bits)[0]

    def _logarithms(self, x: int, bits: int) -> Logarithms:
        """Return the enclosures of the logarithms of a model's chances; the logarithm of each number is computed
        once."""
        spend(len(self.edges) * bits // 16, "logarithms of chances")
        ends = [self.enclosure(chance, bits) if chance and chance[0] else (0, 0) for chance in self.conditionals[x]]
        return Logarithms(self.masses(x, bits), ends)

    def affinity(self, x: Model, y: Model) -> Fraction:
        """Return an upper bound of sum_tau sqrt(P_x P_y) that is zero only if the sum is; every root is rounded up."""
        one, two = (self.roots(self.number[self.alike[xi]]) for xi in (x, y))
        pi, found, here = self.scaled.pi << 2 * ROOT, 0, {id(self.levels[0][0]): 1 << ROOT}
        places = iter(zip(one, two, strict=True))
        spend(len(self.edges), "affinities of two models")
        for level in self.levels:
            after: dict[int, int] = {}
            for node in level:
                so_far = here.get(id(node), 0)
                for edge, (left, right) in zip(node.edges, places, strict=False):
                    part = -(-so_far * edge.chance * left * right // pi)
                    if edge.child is None:
                        found += part
                    else:
                        after[id(edge.child)] = after.get(id(edge.child), 0) + part
            here = after
        return Fraction(found, 1 << ROOT)

    def near(self, x: Model, y: Model) -> int:
        """Return an upper bound of 4^COARSE times the sum that ``affinity`` bounds, by one product: over the prefixes
        along one last edge, sum w sqrt(P_x P_y) <= sqrt(sum w P_x  sum w P_y)."""
        one, two = (self.ends(self.number[self.alike[xi]]) for xi in (x, y))
        return sum(map(mul, one, two))

    def _ends(self, x: int) -> list[int]:
        """Return, per last edge, 2^COARSE times the root of its mass under a model, rounded up."""
        last = self.masses(x, COARSE)[-sum(len(node.edges) for node in self.levels[-1]) :]
        return [isqrt(mass + 1 << COARSE) + 1 for mass in last]

    def _roots(self, x: int) -> list[int]:
        """Return, per edge, 2^ROOT times the root of P_x(o), rounded up."""
        row = self.conditionals[x]
        return [isqrt((each[0] << 2 * ROOT) // each[1]) + 1 if each and each[0] else 0 for each in row]

    def value(self, x: Model) -> Fraction:
        """Return V^pi under a model, the mean of the rewards of a trajectory."""
        n, seen = self.number[self.alike[x]], dict[tuple[int, int], int]()
        for h, node, edge in self.edges:
            seen[h, edge.o] = seen.get((h, edge.o), 0) + node.counts[n] * edge.chance * edge.after[n]
        paid = (self.game.reward[h][o] * Fraction(mass, self.unit(h + 1)) for (h, o), mass in seen.items())
        return sum(paid, Fraction(0))

    def least_observation(self) -> Fraction:
        """Return the least probability, over models, of a possible observation given what came before it."""
        least, of = 1, 1
        for n, d in {chance for row in self.conditionals for chance in row if chance and chance[0]}:
            if n * of < least * d:
                least, of = n, d
        return Fraction(least, of)

    # -- sums of norms

    @cached_property
    def second(self) -> SecondMoments | None:
        """Return bounds by second moments where there are more models than pure states in any predictive state, so that
        they are worth it."""
        few = max(len(v) for _, node, _ in self.edges for v in node.states if v)
        return SecondMoments(self) if len(self.models) > few else None

    def norm(self, h: int, o: int, a: int, x: Model, y: Compared, q: Vector) -> int:
        """Return ||(J^y_h - J^x_h) q||_1 for a model y, or ||(W^y_h - W^x_h) q||_1 for a world y, at (o, a), in the
        unit of J."""
        kinds, star = self.same((h, o, a)), x if isinstance(y, tuple) else x[0]
        if kinds[star] == kinds[y]:
            return 0
        pair, world = sorted((kinds[star], kinds[y])), not isinstance(y, tuple)
        one, two = (self.scaled.shows(self.kinds[h], o, z if isinstance(z, int) else z[0]) for z in pair)
        if one is not two or len(self.models) ** 2 > len(self.edges):
            found: int = distance(*(self.image(h, o, a, z, q) for z in pair))
        else:
            known = self._columns.setdefault((self.kinds[h], a, *pair), {})
            found = sum(abs(entry) for entry in self._applied(one, known, partial(self._gap, h, a, pair), q).values())
        return found * self.scaled.g if world else found

    def norms(self, x: Model, y: Compared) -> list[int]:
        """Return, per edge, the norm at the state of x, which is one of ``models``; it is zero along edges that x makes
        impossible."""
        if (x, y) not in self._norms:
            spend(5 * len(self.edges), "differences of operators along trajectories")
            n = self.number[x]
            self._norms[x, y] = [
                self.norm(h, edge.o, edge.a, x, y, node.states[n] or {}) if edge.after[n] else 0
                for h, node, edge in self.edges
            ]
        return self._norms[x, y]

    def differs(self, x: Model, y: Compared) -> bool:
        """Return whether the operators of a model (world) y differ from those of x anywhere x can be."""
        x, y = self.alike[x], self.alike[y]
        if (x, y) not in self._differ:
            n = self.number[x]
            self._differ[x, y] = any(
                edge.after[n] and self.norm(h, edge.o, edge.a, x, y, node.states[n] or {})
                for h, node, edge in self.edges
            )
        return self._differ[x, y]

    def error(self, x: Model, y: Compared) -> Fraction:
        """Return F_xi(pi) of Section 2.6, sum_h E_{xi*} ||(J^xi_h - J^xi*_h) q^{xi*}_{h-1}||_1, for x = xi* and a model
        y = xi; return F^W, with W and the l1 norm of V, for a world y.

        Raises ``OverBudget`` where the terms of the sum have too many denominators for one unit.
        """
        x, y = self.alike[x], self.alike[y]
        known = self.mean(self.number[x])
        if known is None:
            raise OverBudget("sums of norms over one unit: their terms have too many denominators")
        return Fraction(sum(map(mul, known[1], self.norms(x, y))), known[0])

    def error_ends(self, x: Model, y: Compared) -> tuple[Fraction, Fraction]:
        """Return (lo, hi) with lo <= F <= hi for the F of ``error``; both are F itself where its terms have one unit of
        a size for exact sums.

        A mass is rounded down by less than one unit, so a term is short by less than its norm, and by one more for its
        own rounding.
        """
        x, y = self.alike[x], self.alike[y]
        n, low, short = self.number[x], 0, 0
        if self.mean(n):
            return (self.error(x, y),) * 2
        for mass, norm, (_, node, _) in zip(self.masses(n, ROOT), self.norms(x, y), self.edges, strict=True):
            if norm:
                whole = node.totals[n] * self.scaled.J
                low, short = low + mass * norm // whole, short - (-norm // whole) + 1
        return Fraction(low, 1 << ROOT), Fraction(low + short, 1 << ROOT)

    def _mean(self, x: int) -> tuple[int, list[int]] | None:
        """Return one unit and, per edge, what a norm there counts over that unit in the sum of norms under model x;
        return ``None`` where all these weights have more than ``EXACT`` bits."""
        H, step, common = self.game.H, self.scaled.J * self.scaled.pi, 1
        for node in (node for level in self.levels for node in level):
            common = lcm(common, node.totals[x] or 1)
            if common.bit_length() * len(self.edges) > EXACT:
                return None
        weights = [
            node.counts[x] * edge.chance * edge.after[x] * step ** (H - h - 1) * (common // (node.totals[x] or 1))
            for h, node, edge in self.edges
        ]
        return self.unit(H) * self.scaled.J * common, weights

    def squares(self, x: Model, y: Compared, bits: int) -> tuple[int, int]:
        """Return (lo, hi) with lo <= 2^bits Delta <= hi, where Delta is the sum of the mean squared norms (Assumption
        3.1(e)).

        A mass is rounded down by less than one unit, so a term is short by less than its squared norm, and by one more
        for its own rounding.
        """
        x, y = self.alike[x], self.alike[y]
        n, J, low, short = self.number[x], self.scaled.J, 0, 0
        for mass, norm, (_, node, _) in zip(self.masses(n, bits), self.norms(x, y), self.edges, strict=True):
            if norm:
                square, whole = norm * norm, (node.totals[n] * J) ** 2
                low, short = low + mass * square // whole, short - (-square // whole) + 1
        return low, low + short


class Logarithms:
    """This holds, per edge, the mass under a model and the ends of 2^bits log P(o), which are 0 where o is impossible;
    also the sums of their products, and the least and the largest end."""

    def __init__(self, masses: list[int], ends: list[tuple[int, int]]) -> None:
        self.masses, self.low, self.high = masses, [lo for lo, _ in ends], [hi for _, hi in ends]
        self.low_sum, self.high_sum = sum(map(mul, masses, self.low)), sum(map(mul, masses, self.high))
        self.least, self.most = min(self.low), max(self.high)

    def slack(self, other: Logarithms) -> int:
        """Return a bound on what masses that are rounded down by less than one unit can change: it is, per edge, the
        most that two logarithms differ by."""
        return len(self.masses) * max(0, other.most - self.least, self.most - other.least)


def lowest(n: int, d: int) -> tuple[int, int]:
    """Return n/d in lowest terms."""
    common = gcd(n, d)
    return n // common, d // common
