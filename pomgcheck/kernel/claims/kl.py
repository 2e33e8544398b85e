"""Assumption 3.1(e): divergence of laws of play dominates squared errors of operators, in the joint and the world form."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from operator import mul
from typing import TYPE_CHECKING, Any

from ..budget import spend
from ..case import PROVED, Case, Claim, OnIntervals, Outcome, at_points, bracket
from ..facts import Facts, summed
from ..moments import SecondMoments
from ..operators import Compared, Model
from ..play import Play
from ..reading import Object, require, sequence, take
from ..walk import COARSE

if TYPE_CHECKING:
    from .. import divergence
    from ..pairs import Leaf


def conversions(facts: Facts, world: bool, c: Fraction | None = None) -> Iterator[tuple[Play, Model, Model]]:
    """Yield (play, xi*, xi) where the right side of Assumption 3.1(e) is positive, alike models once. Where there are
    many models, those are left out for which bounds show KL >= c Delta."""
    for play in facts.plays:
        spend(len(play.models) ** 2 * (5 + len(play.edges) // 10), f"comparisons of {len(play.models)} models")
        second = None if c is None else play.second
        pairs = product(play.models, repeat=2) if c is None or not second else unclear(play, second, world, c)
        yield from ((play, x, y) for x, y in pairs if play.differs(x, y[0] if world else y))


def unclear(play: Play, second: SecondMoments, world: bool, c: Fraction) -> Iterator[tuple[Model, Model]]:
    """Yield the pairs of models for which 64 bits and ``most`` do not show that KL is at least c times the sum of
    squared norms. For every other pair it is, or KL is infinite."""
    logs = [play.logarithms(n, COARSE) for n in range(len(play.models))]
    others = [y[0] if world else y for y in play.models]
    for x, own in zip(play.models, logs, strict=True):
        most = second.most(x, others)
        for y, compared, other in zip(play.models, others, logs, strict=True):
            least = own.low_sum - sum(map(mul, own.masses, other.high)) - own.slack(other)
            if least * c.denominator >> COARSE < c.numerator * most[compared]:
                yield x, y


def outcome(case: Case) -> Outcome:
    """Return that the claim is refuted where two models have equal laws of play and different operators, and that it is
    vacuous where no divergence is finite."""
    facts, world = case.facts, case.id == "kl-world"
    if any(play.differs(x, y[0] if world else y) for play in facts.plays for x, y in play.of_one_law()):
        return Outcome("refuted", {})
    finite = any(not play.divergent(x, y) for play, x, y in conversions(facts, world))
    return PROVED if finite else Outcome("vacuous", {})


def check(case: Case, evidence: Object) -> None:
    """Check Assumption 3.1(e): KL >= c Delta holds everywhere, and KL <= c_upper Delta at the attaining models."""
    take(evidence, f"{case.id}.evidence", ("rule", "attained"))
    world = case.id == "kl-world"
    name = "c_KL_world" if world else "c_KL_joint"
    low, high = case.number(f"{name}_lower"), case.number(f"{name}_upper")
    if not 0 < low <= high:
        raise case.reject("log", f"the bracket [{low}, {high}]", "0 < lower <= upper")
    for play, x, y in conversions(case.facts, world, low):
        if not play.divergent(x, y) and not dominates(play, x, y, world, low):
            found = f"KL < {name}_lower * Delta for models {x}, {y}, policy {play.p}"
            raise case.reject("log", found, f"at least {low} * Delta")
    check_attained(case, evidence["attained"], high)


def check_attained(case: Case, place: Any, high: Fraction) -> None:
    """Check KL <= high Delta at the attaining models, by endings where the place names them."""
    take(place, f"{case.id}.attained", ("xi_star", "xi", "pi"), ("endings",))
    x, y = case.model(place["xi_star"], "xi_star"), case.model(place["xi"], "xi")
    play = case.ended(place).facts.play(case.policy(place["pi"]))
    compared = y[0] if case.id == "kl-world" else y
    if not play.differs(x, compared) or play.divergent(x, y) or not dominated(play, x, y, compared, high):
        raise case.reject("log", "KL > upper * Delta at the attaining models", f"KL <= {high} * Delta")


def dominates(play: Play, x: Model, y: Model, world: bool, c: Fraction) -> bool:
    """Return whether enclosures show KL >= c Delta. Where there are many models, Delta's bound row by row is tried
    first; then Delta itself is, at 64 bits and then at more."""
    compared, bits = y[0] if world else y, COARSE
    if play.second:
        left = play.least_divergence(x, y, bits) * c.denominator >> bits
        if left >= c.numerator * play.second.most_by_rows(x, compared):
            return True
    while bits <= play.finest:
        most = play.squares(x, compared, bits)[1]
        if play.least_divergence(x, y, bits) * c.denominator >= c.numerator * most << bits:
            return True
        bits *= 2
    return False


def dominated(play: Play, x: Model, y: Model, compared: Compared, c: Fraction) -> bool:
    """Return whether enclosures show KL <= c Delta."""
    bits = COARSE
    while bits <= play.finest:
        least = play.squares(x, compared, bits)[0]
        if least and play.divergence(x, y, bits)[1] * c.denominator <= c.numerator * least << bits:
            return True
        bits *= 2
    return False


def witness(case: Case, place: Any) -> None:
    """Check that two models have equal laws of play, and different operators at a realised prefix."""
    take(place, f"{case.id}.witness", ("xi_star", "xi", "pi", "h", "trajectory", "difference"))
    x, y = case.model(place["xi_star"], "xi_star"), case.model(place["xi"], "xi")
    play = case.facts.plays[case.policy(place["pi"])]
    prefix = case.history(place["trajectory"], True, "trajectory")
    h = case.step(place["h"], case.facts.game.H)
    followed = play.follow(prefix, x) if 2 * h + 2 == len(prefix) else None
    if followed is None or not followed[1][-1]:
        raise case.reject("witness", f"the trajectory {place['trajectory']}", "a prefix of step h realised under xi*")
    if not play.same_law(x, y):
        raise case.reject("witness", "different laws of play", "equal laws under both models")
    star, compared = play.alike[x], play.alike[y[0] if case.id == "kl-world" else y]
    norm = play.norm(h, prefix[-2], prefix[-1], star, compared, followed[0][-1])
    difference = Fraction(norm, followed[1][-2] * case.facts.scaled.J)
    if not difference or str(difference) != place["difference"]:
        raise case.reject("witness", f"a difference of {difference}", f"{place['difference']}, positive")


def on_intervals(case: Case, evidence: Object) -> None:
    """Check Assumption 3.1(e): the trees of every policy cover the pairs of models, and each leaf shows KL >= c Delta
    there."""
    from .. import divergence
    from ..divergence import comparisons, families
    from ..pairs import cover, over

    take(evidence, f"{case.id}.evidence", ("rule", "shears", "trees", "attained"))
    continuum = case.facts.continuum
    low, high = bracket(case, "c_KL_world" if case.id == "kl-world" else "c_KL_joint")
    policies = case.facts.game.policy_names
    trees = take(evidence["trees"], f"{case.id}.trees", policies)
    shears = take(evidence["shears"], f"{case.id}.shears", (), policies)
    for p, name in enumerate(policies):
        where = f"{case.id}.trees.{name}"
        every = families(continuum, p, case.id == "kl-world", shears.get(name, {}), f"{case.id}.shears.{name}")
        pairs = list(comparisons(every))
        for pair, tree in zip(pairs, sequence(trees[name], where, len(pairs)), strict=True):
            factor, below = over(pair.chart, tree, where)
            play = divergence.PairPlay(continuum, p, pair, factor, where, summed(case.facts.options))

            def at_leaf(leaf: Leaf, node: list[Any], play: divergence.PairPlay = play, where: str = where) -> None:
                require(node == ["box"], where, str(node)[:60], '"box" or "split"')
                if not play.shown(leaf, low):
                    raise case.reject("pairs", f"no proof of KL >= {low} Delta on {leaf}", "a finer tree")

            cover(pair.chart, below, where, at_leaf)
    check_attained(at_points(case, evidence["attained"]), evidence["attained"], high)


def compares_nothing(case: Case) -> bool:
    """Return whether the operators never differ on a class with interval axes."""
    from ..divergence import comparisons, families

    continuum = case.facts.continuum
    every = (families(continuum, p, case.id == "kl-world", {}, case.id) for p in range(len(continuum.policies)))
    return not any(True for found in every for _ in comparisons(found))


def rule(facts: Facts) -> str:
    """Return the rule of a proof."""
    return "log"


def of_channel(channel: str) -> Claim:
    """Return the claim about J (joint) or W (world)."""
    values = f"c_KL_{channel}_lower", f"c_KL_{channel}_upper"
    return Claim(
        f"kl-{channel}",
        "Assumption 3.1(e)",
        outcome,
        values,
        check,
        rule,
        witness,
        OnIntervals(values, on_intervals, "pairs", compares_nothing),
    )


JOINT, WORLD = of_channel("joint"), of_channel("world")
