"""Assumption 2.3 on a finite class: decision histories of the adversary merged, and blocks of policies compared at once.

What a history tells about the learner's action under a policy is its *posterior*.  Histories of one step after which
the adversary reads the same rows, and the normalised reference states of all policies are the same, are one; of two
blocks that are near each other place by place, the furthest answers are found by dilations, one place after another
(certificates/FORMAT.md, rule box).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import gcd, lcm
from typing import Any, NamedTuple

from .budget import spend
from .facts import Facts, l1
from .game import require
from .operators import Memory, Space

Block = tuple[int, ...]  # policies, oldest first
Masses = tuple[int, ...]  # of the learner's actions, without a common divisor
Distances = tuple[tuple[Fraction | None, ...], ...]  # of the posteriors of two policies; None where one is impossible


class Heard(NamedTuple):
    """Decision histories of step h that are one: the row that answers read, the learner's actions under every policy
    (``None`` where it makes them impossible), and one of the histories."""

    h: int
    row: int
    masses: tuple[Masses | None, ...]
    eta: Memory


class Apart(NamedTuple):
    """Some response answers two blocks with rows that are ``gap`` apart in l1 norm where ``distance`` bounds how far
    the posteriors are apart, attained; ``find`` gives the blocks and the response."""

    gap: Fraction
    distance: Fraction
    i: int
    heard: Heard
    find: Callable[[], tuple[Block, Block, int]]


class References:
    """Reference states of one world: the joint mass of (state, learner memory) given what the adversary has heard and
    done, one number each for those that are multiples of one another.  The reference law of the adversary's own
    actions is a factor of them, so it leaves none."""

    def __init__(self, facts: Facts, i: int) -> None:
        self.facts, self.world = facts, facts.scaled.worlds[i]
        game = facts.game
        self.learner = Space(game, "history" if game.learner_window is None else "window")
        self.adversary = Space(game, "history" if game.adversary_window is None else "window")
        self.numbers: dict[Any, int] = {}
        self.states: list[Any] = []
        self.start = self.number({(s, ()): m for (s, _), m in facts.scaled.initial().items()})
        self.after = cache(self._after)

    def number(self, state: dict[Any, int]) -> int:
        """That of a state up to scale."""
        common = gcd(*state.values())
        key = tuple(sorted((place, m // common) for place, m in state.items()))
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(key)
        return self.numbers[key]

    def _after(self, p: int, h: int, number: int) -> list[tuple[Masses, list[int]] | None]:
        """By observation of the adversary: the masses of the learner's actions, and the state after each action of the
        adversary; ``None`` where it is impossible."""
        game, world, policy = self.facts.game, self.world, self.facts.scaled.policies[p][h]
        out: list[tuple[Masses, list[int]] | None] = []
        for oB in range(len(game.OB)):
            row, moved = [0] * len(game.A), [dict[Any, int]() for _ in game.B]
            spend(5 * len(self.states[number]) * len(game.OA), "reference posteriors")
            for ((s, uA), mass), o in product(self.states[number], range(len(game.OA))):
                if seen := mass * world.EA[h][s][o] * world.EB[h][s][oB]:
                    for a, chance in enumerate(policy[self.learner.row(uA, o, True)]):
                        row[a] += seen * chance
                        if chance and h + 1 < game.H:
                            kept = self.learner.next(uA, o, a, True)
                            for after, successors in zip(moved, world.T[h][s][a], strict=True):
                                for t, move in enumerate(successors):
                                    if move:
                                        after[t, kept] = after.get((t, kept), 0) + seen * chance * move
            common = gcd(*row)
            states = [self.number(after) for after in moved] if h + 1 < game.H and common else []
            out.append((tuple(x // common for x in row), states) if common else None)
        return out

    def heard(self, limit: int) -> Iterator[Heard]:
        """The decision histories of all policies together, each kind once; at most ``limit`` kinds before a step."""
        game, policies = self.facts.game, range(len(self.facts.game.policies))
        level: dict[tuple[Memory, tuple[int | None, ...]], Memory] = {((), (self.start,) * len(policies)): ()}
        for h in range(game.H):
            following: dict[tuple[Memory, tuple[int | None, ...]], Memory] = {}
            kinds: dict[tuple[int, tuple[Masses | None, ...]], Memory] = {}
            for (uB, states), tau in level.items():
                spend(20 * len(policies) * len(game.OB), "adversary histories")
                found = [self.after(p, h, n) if n is not None else None for p, n in zip(policies, states, strict=True)]
                for oB in range(len(game.OB)):
                    each = [after[oB] if after else None for after in found]
                    if any(each):
                        row = self.adversary.row(uB, oB, False)
                        kinds.setdefault((row, tuple(x[0] if x else None for x in each)), (*tau, oB))
                        for b in range(len(game.B)) if h + 1 < game.H else ():
                            key = self.adversary.next(uB, oB, b, False), tuple(x[1][b] if x else None for x in each)
                            following.setdefault(key, (*tau, oB, b))
                said = f"{len(following)} adversary histories apart by step {h + 1}"
                require(len(following) <= limit, "options.limits", said, f"at most {limit}")
            yield from (Heard(h, row, masses, eta) for (row, masses), eta in kinds.items())
            level = following

    def follow(self, p: int, eta: Memory) -> Masses | None:
        """The masses of the learner's actions at one decision history, ``None`` where it is impossible."""
        number = self.start
        for h, oB in enumerate(eta[::2]):
            found = self.after(p, h, number)[oB]
            if found is None or 2 * h + 1 == len(eta):
                return found and found[0]
            number = found[1][eta[2 * h + 1]]
        return None


def posterior_distance(u: Masses, v: Masses) -> Fraction:
    """The l1 distance of two laws given by masses."""
    left, right = sum(u), sum(v)
    return Fraction(sum(abs(x * right - y * left) for x, y in zip(u, v, strict=True)), left * right)


class MergedPosteriors:
    """The posteriors of a finite class, histories merged."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.step = facts, facts.options["lipschitz_form"] == "step"
        limit = facts.options["limits"]["trajectories"]
        self.references = cache(lambda i: References(facts, i))
        self.heard = cache(lambda i: list(self.references(i).heard(limit)))
        self.distance = cache(posterior_distance)
        self.overall = cache(self._overall)

    def distances(self, i: int, heard: Heard) -> Distances:
        """How far posteriors are apart for two policies that make the history possible: there, or in the policy form
        at most at any history that both make possible."""
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
        """How far the posteriors of two blocks are apart, place by place at most; ``None`` where the history is
        impossible under one of their policies."""
        references = self.references(i)
        masses = {p: references.follow(p, eta) for p in {*pi, *nu}}
        if not all(masses.values()):
            return None
        if self.step:
            return max(self.distance(*sorted((masses[p] or (), masses[n] or ()))) for p, n in zip(pi, nu, strict=True))
        return max(self.overall(i)[p][n] for p, n in zip(pi, nu, strict=True))


def apart(facts: Facts) -> Iterator[Apart]:
    """Among what this yields are, for every world and decision history, blocks with the largest quotient of gap and
    distance, those of distance zero and a gap included; nothing is yielded that no two blocks attain."""
    posteriors, seen = facts.once(MergedPosteriors), set[Any]()
    answers = Answers(facts)
    for i in range(len(facts.game.worlds)):
        for heard in posteriors.heard(i):
            distances = posteriors.distances(i, heard)
            if (heard.h, heard.row, distances) not in seen:
                seen.add((heard.h, heard.row, distances))
                yield from (Apart(gap, far, i, heard, find) for gap, far, find in answers.compare(heard, distances))


class Answers:
    """The responses of a class to blocks of policies, by step and row."""

    def __init__(self, facts: Facts) -> None:
        self.game = facts.game
        self.size = len(next(self.game.block_list()))
        self.sums = cache(self._sums)
        self.gaps = cache(self._gaps)

    def compare(
        self, heard: Heard, distances: Distances
    ) -> Iterator[tuple[Fraction, Fraction, Callable[[], tuple[Block, Block, int]]]]:
        """(gap, distance, who): of blocks no further apart than some distance, the largest gap."""
        possible = [p for p, masses in enumerate(heard.masses) if masses]
        if self.size == 1:
            for p, n in combinations(possible, 2):
                gap, k = self.gaps(heard.h, heard.row, p, n)
                if gap:
                    yield gap, distances[p][n] or Fraction(0), lambda p=p, n=n, k=k: ((p,), (n,), k)
            return
        blocks = [*product(possible, repeat=self.size)]
        far = {x for row in distances for x in row if x is not None}
        for most in sorted(far):
            near = [
                [n for n, q in enumerate(possible) if (x := distances[p][q]) is not None and x <= most]
                for p in possible
            ]
            for k, unit, value in self.sums(heard.h, heard.row):
                own = [value[block] for block in blocks]
                spend(len(own) * self.size * len(possible) // 4, "answers to pairs of blocks")
                gaps = [*map(int.__sub__, dilated(own, near, self.size), own)]
                if gap := max(gaps):
                    pi = blocks[gaps.index(gap)]

                    def find(
                        pi: Block = pi, near: Any = near, value: Any = value, k: int = k
                    ) -> tuple[Block, Block, int]:
                        around = product(*([possible[n] for n in near[possible.index(p)]] for p in pi))
                        return pi, max(around, key=value.__getitem__), k

                    yield Fraction(gap, unit), most, find

    def _gaps(self, h: int, row: int, p: int, n: int) -> tuple[Fraction, int]:
        """The most different answers to two policies, and by which response."""
        gaps = [l1(blocks[p,][h][row], blocks[n,][h][row]) for blocks in self.game.blocks]
        return max(gaps), gaps.index(max(gaps))

    def _sums(self, h: int, row: int) -> list[tuple[int, int, dict[Block, int]]]:
        """(k, unit, values): for every response and choice of signs, up to all of them, the sum of the answers with
        these signs to every block, constant ones left out.  An l1 norm is the largest of the sums of differences."""
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
    """For every block the largest value of a block whose policy at each place is ``near`` its own: the maximum over a
    product is that over one place after another."""
    n, values = len(near), list(values)
    for place in range(size):
        stride = n ** (size - 1 - place)
        moves = [[(other - own) * stride for other in others] for own, others in enumerate(near)]
        values = [max(values[b + move] for move in moves[b // stride % n]) for b in range(len(values))]
    return values
