"""Assumption 2.3: responses differ by at most L times reference posteriors.

Blocks of policies are *compared* in a cell of Theta at a history that all of their policies may meet (policy form: at
all such histories together).  With u, v the masses of the learner's actions there under two policies and D, D' their
sums, the posteriors differ by (u D' - v D)/(D D'), so that for signs s and a bound ``gap`` of the responses' distance

    L sum_a s_a (u_a D' - v_a D) - gap D D' >= 0

shows what is claimed, a sum with signs being at most the l1 norm; Theta and Psi range independently.  These are goals
on the region of the cell.  On a finite class all of this is numbers, and ``histories`` compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from operator import mul
from typing import Any, NamedTuple

from ..boxes import Region
from ..budget import spend
from ..case import Case, Claim, OnIntervals, at_points, name_point
from ..facts import Facts, l1
from ..histories import Block, MergedPosteriors, apart
from ..operators import Memory, reference_masses
from ..parameters import Point
from ..polynomials import Polynomial, value
from ..reading import Object, mapping, require, sequence, take
from ..rows import Scalar

Key = tuple[int, tuple[tuple[int, int], ...], Memory | None]  # cell of Theta, pairs of policies, history (step form)


class Posterior:
    """This compares two posteriors, whose masses are u and v."""

    def __init__(self, u: Sequence[Scalar], v: Sequence[Scalar]) -> None:
        self.u, self.v, self.known = u, v, dict[tuple[Fraction, ...], tuple[list[Scalar], Scalar]]()

    def at(self, point: Point) -> tuple[list[Scalar], Scalar]:
        """Return (u D' - v D, D D') at a point of the region; on an empty box these are the numbers themselves."""
        if (at := tuple(point.values())) not in self.known:
            rows = ([value(x, point) if isinstance(x, Polynomial) else x for x in row] for row in (self.u, self.v))
            self.known[at] = crossed(*rows) if at else crossed(self.u, self.v)
        return self.known[at]

    def distance(self, point: Point) -> Fraction:
        """Return the l1 distance at a point, or -1 where the history is impossible."""
        parts, mass = self.at(point)
        return Fraction(sum(map(abs, parts))) / mass if mass else Fraction(-1)


def crossed(u: Sequence[Any], v: Sequence[Scalar]) -> tuple[list[Scalar], Scalar]:
    """Return u D' - v D and D D'."""
    left, right = sum(u), sum(v)
    return [x * right - y * left for x, y in zip(u, v, strict=True)], left * right


class Posteriors:
    """This has the posteriors of a class, each formed once."""

    def __init__(self, facts: Facts) -> None:
        self.policy = facts.options["lipschitz_form"] == "policy"
        self.masses = cache(lambda i, p: reference_masses(facts.game, facts.scaled, i, p, facts.mu))
        self.of = cache(lambda i, p, n, eta: Posterior(*(self.masses(i, x)[len(eta) // 2][eta] for x in (p, n))))
        self.shared = cache(self._shared)

    def _shared(self, i: int, *policies: int) -> list[Memory]:
        """Return the decision histories that all these policies may meet, sorted, step after step."""
        levels = zip(*(self.masses(i, p) for p in policies), strict=True)
        return [eta for first, *others in levels for eta in sorted(first) if all(eta in level for level in others)]

    def compared(self, key: Key) -> list[Posterior]:
        """Return the posteriors of which the most distant bounds how far the responses are apart."""
        i, pairs, eta = key
        return [self.of(i, *pair, x) for pair in pairs for x in ([eta] if eta else self.shared(i, *pair))]


def unequal(pi: Block, nu: Block) -> tuple[tuple[int, int], ...]:
    """Return the policies that two blocks have at one place where they differ, the lesser number first, and each two
    once."""
    return tuple(sorted({(min(pair), max(pair)) for pair in zip(pi, nu, strict=True) if pair[0] != pair[1]}))


class Compared(NamedTuple):
    """``gap`` is at least how far responses to the blocks are apart, and any one of ``posteriors`` bounds the distance
    from below; ``elsewhere`` says that one may be of another history than the one answered, so that it must be
    possible."""

    key: Key
    region: Region
    gap: Fraction
    posteriors: list[Posterior]
    elsewhere: bool

    def at_centre(self, region: Region) -> tuple[int, list[int]]:
        """Return the number of the posteriors that differ most at the centre, the first of several, and the signs
        there."""
        centre, n = region.centre(), range(len(self.posteriors))
        k = max(n, key=lambda k: (self.posteriors[k].distance(centre), -k)) if len(n) > 1 else 0
        return k, [1 if x >= 0 else -1 for x in self.posteriors[k].at(centre)[0]]

    def goals(self, choice: object, region: Region, L: Fraction, where: str) -> Iterator[tuple[Scalar, bool, Region]]:
        """Yield goals (p, strict, part): p >= 0, or p > 0, on parts of the region shows that L times the distance is
        at least the gap.

        It is shown by one of the posteriors and a sign per action, as chosen there or as at the centre, or by choices
        for two halves of the region.
        """
        match choice:
            case ["split", str(axis), t, below, above] if axis in region.box:
                for side, half in zip(region.halves(axis, t, where), (below, above), strict=True):
                    yield from self.goals(half, side, L, where)
                return
            case None:
                k, signs = self.at_centre(region)
            case _:
                k, *signs = sequence(choice, where) or [None]
                known = type(k) is int and 0 <= k < len(self.posteriors) and len(signs) == len(self.posteriors[k].u)
                good = known and all(type(s) is int and abs(s) == 1 for s in signs)
                require(good, where, str(choice)[:60], "the number of a comparison and a sign per action")
        posterior = self.posteriors[k]
        numerators, mass = crossed(posterior.u, posterior.v) if region.box else posterior.at({})
        d, n = L.numerator * self.gap.denominator, L.denominator * self.gap.numerator
        yield sum(map(mul, numerators, signs)) * d - mass * n, False, region
        if self.elsewhere:
            yield mass, True, region


def comparisons(facts: Facts, width: Callable[[int, Any], Fraction]) -> Iterator[Compared]:
    """Yield what is compared: blocks with the same key appear once, with the widest of their gaps. ``width`` bounds the
    l1 norm of a difference of responses on a cell of Psi."""
    game, posteriors = facts.game, facts.once(Posteriors)
    answers, regions = facts.continuum.blocks, [cell.region for cell in facts.continuum.thetas]
    size = len(next(game.block_list()))
    count = comb(len(game.policies) ** size, 2)
    spend(count * (20 + 10 * size + 2 * len(answers)) * len(regions), f"{count} pairs of blocks")
    first: dict[tuple[Scalar, ...], int] = {}  # equal rows have one number
    numbers = [
        {block: [[first.setdefault(row, len(first)) for row in step] for step in table] for block, table in R.items()}
        for R in answers
    ]
    places = cache(lambda eta: (len(eta) // 2, facts.whole.row(eta[:-1], eta[-1], False)))
    rows, found = [*first], dict[Key, Fraction]()
    apart = cache(lambda k, x, y: width(k, tuple(a - b for a, b in zip(rows[x], rows[y], strict=True))))
    for pi, nu in combinations(game.block_list(), 2):
        both, gaps = [(k, R[pi], R[nu]) for k, R in enumerate(numbers)], dict[Any, Fraction]()
        pairs = unequal(pi, nu)
        for i in range(len(regions)):
            histories = posteriors.shared(i, *sorted({*pi, *nu}))
            spend(5 * len(histories), "histories at which blocks are compared")
            for eta in histories:
                if (gap := gaps.get(place := places(eta))) is None:
                    h, row = place
                    spend(5 * len(both), "answers to pairs of blocks")
                    different = [(k, u[h][row], v[h][row]) for k, u, v in both if u[h][row] != v[h][row]]
                    gap = gaps[place] = max((apart(*each) for each in different), default=Fraction(0))
                if gap:
                    key = i, pairs, None if posteriors.policy else eta
                    found[key] = max(gap, found.get(key, gap))
    for key, gap in found.items():
        every = posteriors.compared(key)
        yield Compared(key, regions[key[0]], gap, every, posteriors.policy and len(every) > 1)


def choices(case: Case, stated: object) -> dict[Key, tuple[str, Any]]:
    """Return the choices of the evidence, each with where it stands, by what they are about: the values of the finite
    axes of Theta, the pairs of policies and, in the step form, the history.

    Raises ``Malformed`` where one comparison has two choices.
    """
    facts, found = case.facts, dict[Key, tuple[str, Any]]()
    points = tuple(cell.fixed for cell in facts.continuum.thetas)
    for number, entry in enumerate(sequence(stated, f"{case.id}.signs")):
        where = f"{case.id}.signs[{number}]"
        take(entry, where, ("theta", "policies", "tau_B", "choice"))
        pairs = [tuple(map(case.policy, sequence(pair, where, 2))) for pair in sequence(entry["policies"], where)]
        eta = None if entry["tau_B"] is None else case.history(entry["tau_B"], False, f"signs[{number}].tau_B")
        key: Any = name_point(points, entry["theta"], f"{where}.theta"), tuple(pairs), eta
        require(key not in found, where, "a second choice for one comparison", "one")
        found[key] = where, entry["choice"]
    return found


def check(case: Case, evidence: Object) -> None:
    """Check every comparison, and L_lower at the place where it is attained."""
    take(evidence, f"{case.id}.evidence", ("rule", "gaps", "signs", "trees", "attained"))
    L = case.number("L_upper")
    if case.facts.game.finite:
        if evidence["gaps"] or evidence["signs"] or evidence["trees"]:
            raise case.reject("box", "gaps, signs or trees", "none, all comparisons being of numbers")
        for each in apart(case.facts, lambda gap, distance: gap <= L * distance):
            pi, nu, _ = each.find()
            found = f"a response gap of {each.gap} {said(case, (each.i, unequal(pi, nu), each.heard.eta))}"
            raise case.reject("box", found, f"at most {L} times the distance of the posteriors")
    else:
        by_goals(case, evidence, L)
    check_attained(case, evidence["attained"], L)


def by_goals(case: Case, evidence: Object, L: Fraction) -> None:
    """Check every comparison on interval axes."""
    facts, goals = case.facts, list[Any]()
    gaps, trees = (mapping(evidence[key], f"{case.id}.{key}") for key in ("gaps", "trees"))

    def apart(k: int, vector: Any) -> Fraction:
        if not any(isinstance(x, Polynomial) for x in vector):
            return sum(map(abs, vector), Fraction(0))
        from ..goals import width

        return width(case, vector, facts.continuum.phis[k].region, gaps, goals)

    chosen = choices(case, evidence["signs"])
    for compared in comparisons(facts, apart):
        where, choice = chosen.pop(compared.key, (f"{case.id}.signs", None))
        for p, strict, region in compared.goals(choice, compared.region, L, where):
            if isinstance(p, Polynomial):
                from ..continua import goal

                goals.append(goal(p, strict, region))
            elif p < 0 or strict and not p:
                found = f"a response gap of {compared.gap} {said(case, compared.key)}"
                raise case.reject("box", found, f"at most {L} times the distance of the posteriors")
    if chosen:
        raise case.reject("box", f"a choice {said(case, next(iter(chosen)))}", "choices for what is compared")
    if goals:
        from ..goals import settle

        settle(case, goals, trees)


def said(case: Case, key: Key) -> str:
    """Return a comparison in words."""
    (i, pairs, eta), game = key, case.facts.game
    policies = ", ".join(f"{game.policy_names[p]} and {game.policy_names[n]}" for p, n in pairs)
    heard = "" if eta is None else f" after {[(game.OB, game.B)[n % 2][x] for n, x in enumerate(eta)]}"
    return f"for {policies} in cell {i} of Theta{heard}"


def check_attained(case: Case, place: object, L: Fraction) -> None:
    """Check that L_lower is the ratio at a place of the class, and no more than L_upper."""
    found = Fraction(0)
    if place is not None:
        gap, posterior = place_of(case if case.facts.game.finite else at_points(case, place), place, ())
        found = gap / posterior if posterior else Fraction(0)
    if found > L:
        raise case.reject("box", f"L_upper = {L}", f"at least the ratio {found} attained")
    if found != case.number("L_lower"):
        raise case.reject("eval", f"the ratio {found} where L_lower is said to be attained", case.number("L_lower"))


def place_of(case: Case, place: Any, extra: tuple[str, ...]) -> tuple[Fraction, Fraction]:
    """Return (response gap, posterior gap) at a place (theta, h, tau_B, pi, nu, Phi) of a finite class."""
    where = f"{case.id}.place"
    take(place, where, ("theta", "h", "tau_B", "pi", "nu", "Phi", *extra))
    facts, game = case.facts, case.facts.game
    i, k, h = case.world(place["theta"]), case.answer(place["Phi"]), case.step(place["h"], game.H)
    eta = case.history(place["tau_B"], False, "tau_B")
    if game.block_rule == "table":
        pi, nu = (tuple(map(case.policy, sequence(place[x], where, game.m))) for x in ("pi", "nu"))
    else:
        pi, nu = (case.policy(place["pi"]),), (case.policy(place["nu"]),)
    posteriors = facts.once(MergedPosteriors)
    distance = posteriors.between(i, pi, nu, eta) if len(eta) == 2 * h + 1 else None
    if distance is None:
        raise case.reject("eval", f"the adversary history {place['tau_B']}", "a history of step h possible under both")
    row = facts.whole.row(eta[:-1], eta[-1], False)
    rows = [game.blocks[k][block][h][row] for block in (pi, nu)]
    if extra:  # a witness shows the rows themselves
        masses = [posteriors.references(i).follow(block[0], eta) or () for block in (pi, nu)]
        laws = [[Fraction(x, sum(row)) for x in row] for row in masses]
        shown, seen = ([[str(x) for x in each] for each in pair] for pair in (rows, laws))
        if [place["responses"], place["posteriors"]] != [shown, seen]:
            raise case.reject("eval", "other rows", f"responses {shown}, posteriors {seen}")
    return l1(*rows), distance


def witness(case: Case, place: object) -> None:
    """Check that responses differ at a place where posteriors do not."""
    gap, posterior = place_of(case, place, ("responses", "posteriors"))
    if not gap or posterior:
        raise case.reject("witness", f"response gap {gap}, posterior gap {posterior}", "positive over zero")


VALUES = "L_lower", "L_upper"
CLAIM = Claim(
    "posterior-lipschitz",
    "Assumption 2.3",
    lambda case: None,  # evidence decides
    VALUES,
    check,
    lambda facts: "box",
    witness,
    OnIntervals(VALUES, check),
)
