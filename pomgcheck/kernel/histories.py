"""Assumption 2.3 on a finite class: decision histories of the adversary are merged, and blocks of policies compared at
once.

What a history tells about the learner's action under a policy is its *posterior*. Two histories of one step are merged
if the adversary reads the same rows after them and the normalised reference states of all policies are the same. Of two
blocks that are near each other place by place, the most different answers are found by dilations, one place after
another (certificates/FORMAT.md, rule box).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, product
from math import gcd, lcm
from operator import mul
from typing import Any, NamedTuple

from .budget import spend
from .facts import Facts, l1
from .operators import Memory, Space
from .reading import require
from .rows import numbered

Block = tuple[int, ...]  # policies, oldest first
Masses = tuple[int, ...]  # of the learner's actions, without a common divisor
Distances = tuple[tuple[Fraction | None, ...], ...]  # of the posteriors of two policies; None where one is impossible


class Heard(NamedTuple):
    """These are decision histories of step h that are merged: ``row`` is what answers read, ``masses`` are those of the
    learner's actions under every policy (``None`` where it makes the histories impossible), and ``eta`` is one of
    them."""

    h: int
    row: int
    masses: tuple[Masses | None, ...]
    eta: Memory


class Apart(NamedTuple):
    """Some response answers two blocks with rows that are ``gap`` apart in l1 norm, while ``distance`` is an attained
    bound of how far the posteriors are apart; ``find`` returns the blocks and the response."""

    gap: Fraction
    distance: Fraction
    i: int
    heard: Heard
    find: Callable[[], tuple[Block, Block, int]]


class References:
    """These are the reference states of one world: the joint mass of (state, learner memory) given what the adversary
    has heard and done. Those that are multiples of one another have one number. The reference law of the adversary's
    own actions is a factor of them, so it is left out."""

    def __init__(self, facts: Facts, i: int) -> None:
        self.facts, self.world = facts, facts.scaled.worlds[i]
        game = facts.game
        self.learner = Space(game, "history" if game.learner_window is None else "window")
        self.adversary = Space(game, "history" if game.adversary_window is None else "window")
        self.numbers: dict[object, int] = {}
        self.states: list[Any] = []
        self.start = self.number({(s, ()): m for (s, _), m in facts.scaled.initial().items()})
        self.after = cache(self._after)

    def number(self, state: dict[Any, int]) -> int:
        """Return the number of a state up to scale; a new one gets the next number."""
        common = gcd(*state.values())
        key = tuple(sorted((place, m // common) for place, m in state.items()))
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(key)
        return self.numbers[key]

    def _after(self, p: int, h: int, number: int) -> dict[int, tuple[Masses, list[int]]]:
        """Return, by observation of the adversary that is possible, the masses of the learner's actions and the number
        of the state after each action of the adversary."""
        game, world, policy = self.facts.game, self.world, self.facts.scaled.policies[p][h]
        found = dict[int, tuple[list[int], list[dict[Any, int]]]]()
        for (s, uA), mass in self.states[number]:
            sights, sounds = [*numbered(world.EA[h][s])], [*numbered(world.EB[h][s])]
            spend(5 * len(sights) * len(sounds), "reference posteriors")
            for (oB, heard), (o, shown) in product(sounds, sights):
                if seen := mass * shown * heard:
                    row, moved = found.setdefault(oB, ([0] * len(game.A), [{} for _ in game.B]))
                    for a, chance in enumerate(policy[self.learner.row(uA, o, True)]):
                        row[a] += seen * chance
                        if chance and h + 1 < game.H:
                            kept = self.learner.next(uA, o, a, True)
                            for after, successors in zip(moved, world.T[h][s][a], strict=True):
                                for t, move in numbered(successors):
                                    if move:
                                        after[t, kept] = after.get((t, kept), 0) + seen * chance * move
        return {
            oB: (tuple(x // gcd(*row) for x in row), [*map(self.number, moved)])
            for oB, (row, moved) in sorted(found.items())
        }

    def heard(self, limit: int) -> Iterator[Heard]:
        """Yield the decision histories of all policies together, each kind once.

        Raises ``Malformed`` where more than ``limit`` kinds are apart before a step.
        """
        game, policies = self.facts.game, range(len(self.facts.game.policies))
        level: dict[tuple[Memory, tuple[int | None, ...]], Memory] = {((), (self.start,) * len(policies)): ()}
        for h in range(game.H):
            following: dict[tuple[Memory, tuple[int | None, ...]], Memory] = {}
            kinds: dict[tuple[int, tuple[Masses | None, ...]], Memory] = {}
            for (uB, states), tau in level.items():
                found = [self.after(p, h, n) if n is not None else {} for p, n in zip(policies, states, strict=True)]
                possible = sorted({oB for after in found for oB in after})
                spend(20 * len(policies) * len(possible), "adversary histories")
                for oB in possible:
                    each, row = [after.get(oB) for after in found], self.adversary.row(uB, oB, False)
                    kinds.setdefault((row, tuple(x[0] if x else None for x in each)), (*tau, oB))
                    for b in range(len(game.B)) if h + 1 < game.H else ():
                        key = self.adversary.next(uB, oB, b, False), tuple(x[1][b] if x else None for x in each)
                        following.setdefault(key, (*tau, oB, b))
                said = f"{len(following)} adversary histories apart by step {h + 1}"
                require(len(following) <= limit, "options.limits", said, f"at most {limit}")
            yield from (Heard(h, row, masses, eta) for (row, masses), eta in kinds.items())
            level = following

    def follow(self, p: int, eta: Memory) -> Masses | None:
        """Return the masses of the learner's actions at one decision history, which ends in an observation, or ``None``
        where it is impossible."""
        number = self.start
        for h, (oB, b) in enumerate(zip(eta[:-1:2], eta[1::2], strict=True)):
            if (found := self.after(p, h, number).get(oB)) is None:
                return None
            number = found[1][b]
        last = self.after(p, len(eta) // 2, number).get(eta[-1])
        return last and last[0]


def posterior_distance(u: Masses, v: Masses) -> Fraction:
    """Return the l1 distance of two laws that are given by masses."""
    left, right = sum(u), sum(v)
    return Fraction(sum(abs(x * right - y * left) for x, y in zip(u, v, strict=True)), left * right)


class MergedPosteriors:
    """This has the posteriors of a finite class, whose histories are merged."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.step = facts, facts.options["lipschitz_form"] == "step"
        limit = facts.options["limits"]["trajectories"]
        self.references = cache(lambda i: References(facts, i))
        self.heard = cache(lambda i: list(self.references(i).heard(limit)))
        self.distance = cache(posterior_distance)
        self.overall = cache(self._overall)

    def distances(self, i: int, heard: Heard) -> Distances:
        """Return how far posteriors are apart for every two policies that make the history possible: at this history,
        or in the policy form the most at any history that both make possible."""
        at = self.overall(i) if not self.step else self._at(heard)
        return tuple(
            tuple(x if u and v else None for x, v in zip(row, heard.masses, strict=True))
            for row, u in zip(at, heard.masses, strict=True)
        )

    def _at(self, heard: Heard) -> list[list[Fraction]]:
        rows = [[Fraction(0)] * len(heard.masses) for _ in heard.masses]
        for (p, u), (n, v) in combinations(enumerate(heard.masses), 2):
            if u and v and u != v:
                rows[p][n] = rows[n][p] = self.distance(*sorted((u, v)))
        return rows

    def _overall(self, i: int) -> list[list[Fraction]]:
        most = [[Fraction(0)] * len(self.facts.game.policies) for _ in self.facts.game.policies]
        for heard in self.heard(i):
            most = [list(map(max, *rows)) for rows in zip(most, self._at(heard), strict=True)]
        return most

    def between(self, i: int, pi: Block, nu: Block, eta: Memory) -> Fraction | None:
        """Return how far the posteriors of two blocks are apart at most, place by place, or ``None`` where the history
        is impossible under one of their policies."""
        references = self.references(i)
        masses = {p: references.follow(p, eta) for p in {*pi, *nu}}
        if not all(masses.values()):
            return None
        if self.step:
            return max(self.distance(*sorted((masses[p] or (), masses[n] or ()))) for p, n in zip(pi, nu, strict=True))
        return max(self.overall(i)[p][n] for p, n in zip(pi, nu, strict=True))


def apart(facts: Facts, enough: Enough) -> Iterator[Apart]:
    """Yield blocks whose gap and distance are not ``enough``: some for every world and decision history that has any,
    and among them those with the largest quotient. Between two of them ``enough`` may come to accept more, but only
    lesser quotients."""
    answers = Answers(facts)
    if answers.size == 1 and facts.options["lipschitz_form"] == "step" and facts.game.adversary_window is not None:
        for i in range(len(facts.game.worlds)):
            yield from Endings(facts, i, answers).apart(enough)
        return
    posteriors, seen = facts.once(MergedPosteriors), set[object]()
    for i in range(len(facts.game.worlds)):
        for heard in posteriors.heard(i):
            distances = posteriors.distances(i, heard)
            if (heard.h, heard.row, distances) not in seen:
                seen.add((heard.h, heard.row, distances))
                compared = answers.compare(heard, distances)
                yield from (Apart(gap, far, i, heard, find) for gap, far, find in compared if not enough(gap, far))


Linear = dict[tuple[int, Memory], Masses]  # masses of the learner's actions, from each (state, learner memory)
Enough = Callable[[Fraction, Fraction], bool]


class Endings:
    """These are the decision histories of one world, by how they end.

    What the adversary hears and does from some step on is an *ending*; the masses of the learner's actions are linear
    in the reference state before it. So the posterior is in the hull of those from single states, and a choice of signs
    that separates two hulls bounds the distance of all histories with this ending. An ending is made longer only where
    that is not enough, at most to the whole history, whose masses are known.
    """

    def __init__(self, facts: Facts, i: int, answers: Answers) -> None:
        self.facts, self.i, self.answers, self.world = facts, i, answers, facts.scaled.worlds[i]
        game = facts.game
        self.learner = Space(game, "history" if game.learner_window is None else "window")
        self.reached, self.pairs = cache(self._reached), cache(self._pairs)
        self.seen = set[object]()  # endings looked at, by all that longer ones depend on

    def _reached(self, p: int, h: int) -> list[tuple[int, Memory]]:
        """Return the (state, learner memory) that may be met before a step, whatever the adversary hears and does."""
        if not h:
            return [*self.facts.scaled.initial()]
        found = {
            (t, self.learner.next(uA, o, a, True)): None
            for s, uA in self.reached(p, h - 1)
            for o, a, _ in self.pairs(p, h - 1, s, uA)
            for moves in self.world.T[h - 1][s][a]
            for t, move in numbered(moves)
            if move
        }
        return [*found]

    def _pairs(self, p: int, h: int, s: int, uA: Memory) -> list[tuple[int, int, int]]:
        """Return (o, a, mass) for all that the learner may observe and do."""
        spend(5 * len(self.facts.game.OA), "endings of adversary histories")
        seen = enumerate(self.world.EA[h][s])
        rows = ((o, mass, self.facts.scaled.policies[p][h][self.learner.row(uA, o, True)]) for o, mass in seen if mass)
        return [(o, a, mass * chance) for o, mass, row in rows for a, chance in enumerate(row) if chance]

    def last(self, p: int, h: int, oB: int) -> Linear:
        """Return the ending that is one observation of the adversary."""
        found: Linear = {}
        for s, uA in self.reached(p, h):
            if heard := self.world.EB[h][s][oB]:
                row = [0] * len(self.facts.game.A)
                for _, a, mass in self.pairs(p, h, s, uA):
                    row[a] += mass * heard
                found[s, uA] = tuple(row)
        return found

    def longer(self, p: int, h: int, oB: int, b: int, ending: Linear) -> Linear:
        """Return the ending with (oB, b) at step h put before it, up to a common factor."""
        found: Linear = {}
        for s, uA in self.reached(p, h):
            row = [0] * len(self.facts.game.A)
            for o, a, mass in self.pairs(p, h, s, uA) if self.world.EB[h][s][oB] else ():
                kept, mass = self.learner.next(uA, o, a, True), mass * self.world.EB[h][s][oB]
                for t, move in numbered(self.world.T[h][s][a][b]):
                    if move and (after := ending.get((t, kept))):
                        row = [x + mass * move * y for x, y in zip(row, after, strict=True)]
            if any(row):
                found[s, uA] = tuple(row)
        common = gcd(*(x for row in found.values() for x in row)) or 1
        return {place: tuple(x // common for x in row) for place, row in found.items()}

    def apart(self, enough: Enough) -> Iterator[Apart]:
        """Yield histories and policies whose gap and distance are not ``enough``: one for every such gap and distance,
        unless ``enough`` comes to accept it meanwhile."""
        game, P = self.facts.game, range(len(self.facts.game.policies))
        for h, oB in product(range(game.H), range(len(game.OB))):
            yield from self._before(h, h, (oB,), {p: self.last(p, h, oB) for p in P}, [*combinations(P, 2)], enough)

    def _before(
        self, start: int, h: int, eta: Memory, endings: dict[int, Linear], pairs: list[tuple[int, int]], enough: Enough
    ) -> Iterator[Apart]:
        """Yield the same for histories that end in ``eta``, which begins at step ``start``."""
        game = self.facts.game
        window = game.adversary_window or 1
        if not start or window <= h - start + 1:  # in a shorter ending more than one row may be read
            row = self.facts.whole.row(eta[:-1], eta[-1], False)
            gaps = {pair: self.answers.gaps(h, row, *pair) for pair in pairs}
            pairs = [(p, n) for p, n in pairs if gaps[p, n][0] and endings[p] and endings[n]]
            if not start:
                yield from self._whole(h, row, eta, endings, {pair: gaps[pair] for pair in pairs}, enough)
                return
            ends = {p: self._ends(endings[p]) for p in {p for pair in pairs for p in pair}}
            pairs = [(p, n) for p, n in pairs if not enough(gaps[p, n][0], separated(ends[p], ends[n]))]
        for oB, b in product(range(len(game.OB)), range(len(game.B))) if pairs else ():
            longer = {p: self.longer(p, start - 1, oB, b, endings[p]) for p in {p for pair in pairs for p in pair}}
            known = start, h, (oB, *eta[::2])[-window:], *pairs, *(tuple(sorted(x.items())) for x in longer.values())
            if known not in self.seen:
                self.seen.add(known)
                yield from self._before(start - 1, h, (oB, b, *eta), longer, pairs, enough)

    def _whole(
        self, h: int, row: int, eta: Memory, endings: dict[int, Linear], gaps: dict[Any, Any], enough: Enough
    ) -> Iterator[Apart]:
        masses: list[Masses | None] = [None] * len(self.facts.game.policies)
        initial = self.facts.scaled.initial()
        for p in {p for pair in gaps for p in pair}:
            masses[p] = tuple(
                sum(initial[place] * x[a] for place, x in endings[p].items()) for a in range(len(self.facts.game.A))
            )
        for (p, n), (gap, k) in gaps.items():
            distance = posterior_distance(masses[p] or (), masses[n] or ())
            if not enough(gap, distance):
                yield Apart(gap, distance, self.i, Heard(h, row, tuple(masses), eta), alone(p, n, k))

    def _ends(self, ending: Linear) -> list[tuple[Fraction, Fraction]]:
        """Return, for every choice of signs, the least and the largest sum of a law of actions with these signs."""
        laws = [(row, sum(row)) for row in ending.values()]
        others, found = len(self.facts.game.A) - 1, []
        spend(4 * (len(laws) + others) << others, "endings of adversary histories")
        for signs in islice(product((1, -1), repeat=others), 1, None):  # of all but the first action, and some -1
            sums = [Fraction(row[0] + sum(map(mul, signs, row[1:])), whole) for row, whole in laws]
            found.append((min(sums), max(sums)))
        return found


def separated(left: Sequence[tuple[Fraction, Fraction]], right: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Return a lower bound of the l1 distance of a law on the left and one on the right, from the ends of sums with
    signs."""
    return max((max(a - d, c - b) for (a, b), (c, d) in zip(left, right, strict=True)), default=Fraction(0))


def alone(p: int, n: int, k: int) -> Callable[[], tuple[Block, Block, int]]:
    """Return a function that returns two policies as blocks of one, and a response."""
    return lambda: ((p,), (n,), k)


class Answers:
    """These are the responses of a class to blocks of policies, by step and row."""

    def __init__(self, facts: Facts) -> None:
        self.game = facts.game
        self.size = len(next(self.game.block_list()))
        self.sums = cache(self._sums)
        self.gaps = cache(self._gaps)

    def compare(
        self, heard: Heard, distances: Distances
    ) -> Iterator[tuple[Fraction, Fraction, Callable[[], tuple[Block, Block, int]]]]:
        """Yield (gap, distance, find): the largest gap between the answers to blocks that are no further apart than the
        distance, and a function that finds the blocks and the response."""
        possible = [p for p, masses in enumerate(heard.masses) if masses]
        if self.size == 1:
            for p, n in combinations(possible, 2):
                gap, k = self.gaps(heard.h, heard.row, p, n)
                if gap:
                    yield gap, distances[p][n] or Fraction(0), alone(p, n, k)
            return
        blocks = [*product(possible, repeat=self.size)]
        far = {distance for row in distances for distance in row if distance is not None}
        for most in sorted(far):
            near = [
                [n for n, q in enumerate(possible) if (between := distances[p][q]) is not None and between <= most]
                for p in possible
            ]
            for k, unit, value in self.sums(heard.h, heard.row):
                own = [value[block] for block in blocks]
                spend(len(own) * self.size * len(possible) // 4, "answers to pairs of blocks")
                gaps = [*map(int.__sub__, dilated(own, near, self.size), own)]
                if widest := max(gaps):
                    pi = blocks[gaps.index(widest)]

                    def find(
                        pi: Block = pi, near: Any = near, value: Any = value, k: int = k
                    ) -> tuple[Block, Block, int]:
                        around = product(*([possible[n] for n in near[possible.index(p)]] for p in pi))
                        return pi, max(around, key=value.__getitem__), k

                    yield Fraction(widest, unit), most, find

    def _gaps(self, h: int, row: int, p: int, n: int) -> tuple[Fraction, int]:
        """Return how different the answers to two policies are at most, and by which response."""
        gaps = [l1(blocks[p,][h][row], blocks[n,][h][row]) for blocks in self.game.blocks]
        return max(gaps), gaps.index(max(gaps))

    def _sums(self, h: int, row: int) -> list[tuple[int, int, dict[Block, int]]]:
        """Return (k, unit, values) for every response and choice of signs, up to a change of all of them: ``values``
        are the sums of the answers with these signs to every block. Where they are constant they are left out. An l1
        norm is the largest of the sums of differences."""
        out = []
        for k, blocks in enumerate(self.game.blocks):
            rows = {block: tables[h][row] for block, tables in blocks.items()}
            unit = lcm(*(x.denominator for each in set(rows.values()) for x in each))
            whole = {block: [x.numerator * (unit // x.denominator) for x in each] for block, each in rows.items()}
            for signs in product((1, -1), repeat=len(self.game.B) - 1):
                spend(len(whole) * len(signs), "signs of answers")
                value = {
                    block: x + sum(s * y for s, y in zip(signs, rest, strict=True))
                    for block, (x, *rest) in whole.items()
                }
                if len(set(value.values())) > 1:
                    out.append((k, unit, value))
        return out


def dilated(values: Sequence[int], near: Sequence[Sequence[int]], size: int) -> list[int]:
    """Return, for every block, the largest value of a block whose policy at each place is ``near`` its own: the maximum
    over a product is taken over one place after another."""
    n, values = len(near), list(values)
    for place in range(size):
        stride = n ** (size - 1 - place)
        moves = [[(other - own) * stride for other in others] for own, others in enumerate(near)]
        values = [max(values[b + move] for move in moves[b // stride % n]) for b in range(len(values))]
    return values
