"""The claims of a class with interval axes: goals from the continuum, trees and points from the evidence.

A universal statement is proved by rule ``box``, one tree a goal that the whole region does not show.  A refutation, and
the side of a bracket that something attains, names points of the class: those points alone form a finite class, which
the other modules know how to examine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .boxes import Region, holds, right_sign
from .claims import CLAIMS, Facts
from .continua import Continuum, Goal, goal
from .differences import Differences, transition_span
from .divergence import Play, comparisons, families
from .eluder import sign_witness
from .game import mapping, rational, require, sequence, take
from .pairs import Leaf, cover, over
from .polynomials import Polynomial, TooLarge, derivative, names, parameters, polynomial, primitive, text
from .revealing import Leaves, questions
from .rules import (
    Case,
    check_attained,
    conversion_attained,
    coordinate_structure,
    follows,
    independent,
    lipschitz_place,
    trajectory_pair,
)

MAX_SIGNS = 12  # actions of the adversary in the l1 norm of a difference that varies


def settle(case: Case, goals: Iterable[Goal], trees: Mapping[str, Any]) -> None:
    """Every goal holds on its whole region, or by the tree that its statement names."""
    settled: dict[str, Goal] = {}
    for each in goals:
        if settled.get(name := each.statement()) == each:
            continue
        settled[name] = each
        try:
            shown = right_sign(each.polynomial, each.region.box, each.strict) or (
                name in trees and holds(each.polynomial, each.strict, each.region, trees[name], f"{case.id}.trees")
            )
        except TooLarge:
            raise case.reject("box", f"the goal {name[:200]}", "a polynomial of moderate degree") from None
        if case.goals is not None:
            case.goals.append(each)
        if not shown:
            raise case.reject("box", f"no proof of {name[:200]}", "a tree whose leaves show it")


# ------------------------------------------------------------------------------- points of the class


def named_points(place: Any) -> tuple[list[Any], list[Any]]:
    """The parameter points a witness or an attaining place names."""
    found: tuple[list[Any], list[Any]] = [], []
    for key, entry in mapping(place, "place").items():
        if key in ("theta", "theta_prime"):
            found[0].append(entry)
        elif key == "Phi":
            found[1].append(entry)
        elif key in ("xi", "xi_prime", "xi_star"):
            pair = take(entry, key, ("theta", "Phi"))
            found[0].append(pair["theta"])
            found[1].append(pair["Phi"])
    return found


def at_points(case: Case, place: Any) -> Case:
    """The same claim of the finite class of the points that ``place`` names."""
    facts = case.facts
    return case._replace(facts=Facts(facts.game.subclass(*named_points(place)), facts.options))


# ------------------------------------------------------------------------------------------- claims


def nonexpansive(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Entries nonnegative on the class, rows of sum one as read: W and G are products and columns of such."""
    take(evidence, f"{case.id}.evidence", ("rule", "trees"))
    settle(case, continuum.probabilities(), mapping(evidence["trees"], f"{case.id}.trees"))


def predictive_states(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Every trajectory is impossible in all models or has positive probability on the whole class."""
    take(evidence, f"{case.id}.evidence", ("rule", "trees"))
    settle(case, continuum.positive(), mapping(evidence["trees"], f"{case.id}.trees"))


class Bounds:
    """Rational bounds that the evidence states of polynomials, each a goal still to be settled."""

    def __init__(self, case: Case, stated: Any, goals: list[Goal]) -> None:
        self.case, self.stated, self.goals = case, mapping(stated, f"{case.id}.bounds"), goals

    def of(
        self, p: Polynomial, region: Region, within: tuple[Fraction, Fraction] | None = None
    ) -> tuple[Fraction, Fraction]:
        """Numbers with low <= p <= high on the region; ``within`` if none are stated."""
        scale, whole = primitive(p)
        if not names(whole):
            return (scale * whole.get((), 0),) * 2
        where = f"{self.case.id}.bounds[{text(whole)[:80]}]"
        if text(whole) not in self.stated:
            if within:
                return within
            raise self.case.reject("box", f"no bounds of {text(whole)[:200]}", "two numbers")
        low, high = (rational(x, where) for x in sequence(self.stated[text(whole)], where, 2))
        self.goals += [goal(whole - low, False, region), goal(high - whole, False, region)]
        return scale * low, scale * high


def bounded_increments(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """The largest upper over the least lower bound of each trajectory: numerator and denominator range over Xi
    independently.  Operators that differ by epsilon in l1 change P(tau) by at most epsilon at each step whose tables
    vary, all operators being nonexpansive, and log P by that over the least P."""
    take(evidence, f"{case.id}.evidence", ("rule", "bounds", "trees", "attained"))
    goals: list[Goal] = []
    bounds, ratio, least = Bounds(case, evidence["bounds"], goals), Fraction(1), Fraction(1)
    for law in continuum.laws:
        for _, probability in law.values():
            if any(probability.values()):
                ends = [bounds.of(p, continuum.region(*xi)) for xi, p in probability.items()]
                low, high = min(low for low, _ in ends), max(high for _, high in ends)
                if low <= 0:
                    raise case.reject("box", f"the lower bound {low} of a trajectory", "a positive one")
                ratio, least = max(ratio, high / low), min(least, low)
    settle(case, goals, mapping(evidence["trees"], f"{case.id}.trees"))
    upper, slope = logarithm(case, "B0_upper"), case.number("log_likelihood_lipschitz_upper")
    if [upper, slope] != [ratio, continuum.varying / least]:
        raise case.reject("box", f"B0_upper {upper}, slope {slope}", f"{ratio} and {continuum.varying / least}")
    place = take(evidence["attained"], f"{case.id}.attained", ("xi", "xi_prime", "pi", "trajectory"))
    most, fewest = trajectory_pair(at_points(case, place), place)
    if not fewest or most / fewest != logarithm(case, "B0_lower"):
        raise case.reject("eval", f"P = {most} and {fewest} where B0_lower is said to be attained", "that ratio")


def logarithm(case: Case, name: str) -> Fraction:
    """The argument of a value written as a logarithm."""
    value = take(case.values[name], f"{case.id}.values.{name}", ("log_of",))
    return rational(value["log_of"], f"{case.id}.values.{name}")


def covering(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """A grid of every cell with a point within epsilon = 1/(2T+4) of every model in the l1 norm of J's columns, by the
    mean value theorem (cells are convex).  Without constraints the middle of its square is half a side away at most,
    with them the square's chosen point of the class a whole one."""
    take(evidence, f"{case.id}.evidence", ("rule", "bounds", "grid", "trees"))
    goals: list[Goal] = []
    bounds, grid = Bounds(case, evidence["bounds"], goals), mapping(evidence["grid"], f"{case.id}.grid")
    width = {name: high - low for xi in continuum.models for name, (low, high) in continuum.region(*xi).box.items()}
    for name, count in grid.items():
        if name not in width or not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise case.reject("box", f"{count} points along {name}", "a positive number along an axis")
    epsilon, steepest = Fraction(1, 2 * case.facts.options["T"] + 4), Fraction(0)
    for region, column in continuum.columns():
        slopes = {
            name: sum((max(map(abs, bounds.of(derivative(p, name), region))) for p in column), Fraction(0))
            for name in parameters(*column)
        }
        reach = 1 if region.constraints else 2
        error = sum((slope * width[name] / (reach * grid.get(name, 1)) for name, slope in slopes.items()), Fraction(0))
        if error > epsilon:
            raise case.reject("box", f"a column of J that moves by {error} within a square of the grid", epsilon)
        steepest = max(steepest, sum(slopes.values(), Fraction(0)))
    settle(case, goals, mapping(evidence["trees"], f"{case.id}.trees"))
    size = len(continuum.models) * prod(grid.values())
    stated = logarithm(case, "log_covering_upper"), case.number("covering_lipschitz_upper")
    if stated != (size, steepest):
        raise case.reject("box", f"{stated[0]} points and a slope of {stated[1]}", f"{size} and {steepest}")


def posterior_lipschitz(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Theta and Psi range independently: where responses differ by ``gap`` at most, the posteriors differ by gap/L at
    least, which a choice of signs shows, a sum with signs being at most the l1 norm."""
    take(evidence, f"{case.id}.evidence", ("rule", "gaps", "signs", "trees", "attained"))
    L, goals = case.number("L_upper"), list[Goal]()
    gaps, signs, trees = (mapping(evidence[key], f"{case.id}.{key}") for key in ("gaps", "signs", "trees"))
    widest = cache(lambda k, vector: width(case, vector, continuum.phis[k].region, gaps, goals))
    for compared in continuum.comparisons(case.facts.mu, case.facts.options["lipschitz_form"]):
        gap, where = max(widest(*answer) for answer in compared.answers), f"{case.id}.signs[{compared.name[:80]}]"
        if gap:
            goals += compared.goals(signs.get(compared.name), compared.region, L, gap, where)
    settle(case, goals, trees)
    found = Fraction(0)
    if evidence["attained"] is not None:
        responses, posteriors = lipschitz_place(at_points(case, evidence["attained"]), evidence["attained"], ())
        found = responses / posteriors if posteriors else Fraction(0)
    if found > L:
        raise case.reject("box", f"L_upper = {L}", f"at least the ratio {found} attained")
    if found != case.number("L_lower"):
        raise case.reject("eval", f"the ratio {found} where L_lower is said to be attained", case.number("L_lower"))


def warmup_stationary(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Theorem 5.2 for a fading rule: g(z) averages the responses, so half their largest l1 distance bounds L_g."""
    take(evidence, f"{case.id}.evidence", ("rule", "gaps", "trees"))
    gaps, trees = (mapping(evidence[key], f"{case.id}.{key}") for key in ("gaps", "trees"))
    goals, answers = list[Goal](), dict.fromkeys(continuum.answers())
    L_g = max((width(case, x, continuum.phis[k].region, gaps, goals) for k, x in answers), default=Fraction(0)) / 2
    settle(case, goals, trees)
    found = case.number("gamma"), case.number("L_g")
    if found != (case.facts.game.gamma, L_g):
        raise case.reject("box", f"gamma {found[0]}, L_g {found[1]}", f"{case.facts.game.gamma} and {L_g}")


def width(case: Case, vector: tuple[Any, ...], region: Region, gaps: Mapping[str, Any], goals: list[Goal]) -> Fraction:
    """A bound of ||vector||_1 on the region: its value if constant, else as stated, a goal for each choice of signs."""
    parts = [primitive(polynomial(x)) for x in vector]
    if not names(*(whole for _, whole in parts)):
        return sum((abs(scale * whole.get((), 0)) for scale, whole in parts), Fraction(0))
    name = ", ".join(f"{scale}*({text(whole)})" for scale, whole in parts)
    if name not in gaps or len(vector) > MAX_SIGNS:
        raise case.reject("box", f"no bound of the difference {name[:200]}", f"one, for at most {MAX_SIGNS} actions")
    gap = rational(gaps[name], f"{case.id}.gaps")
    for signs in product((1, -1), repeat=len(vector)):
        goals.append(goal(gap - sum((x * s for x, s in zip(vector, signs, strict=True)), Polynomial()), False, region))
    return gap


def bracket(case: Case, name: str) -> tuple[Fraction, Fraction]:
    """A positive lower value and an upper one."""
    low, high = case.number(f"{name}_lower"), case.number(f"{name}_upper")
    if not 0 < low <= high:
        raise case.reject("values", f"the bracket [{low}, {high}]", "0 < lower <= upper")
    return low, high


def conversion(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Assumption 3.1(e): the trees of every policy cover the pairs of models, each leaf shows KL >= c Delta there."""
    take(evidence, f"{case.id}.evidence", ("rule", "shears", "trees", "attained"))
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
            play = Play(continuum, p, pair, factor, where)

            def check(leaf: Leaf, node: list[Any], play: Play = play, where: str = where) -> None:
                require(node == ["box"], where, str(node)[:60], '"box" or "split"')
                if not play.shown(leaf, low):
                    raise case.reject("pairs", f"no proof of KL >= {low} Delta on {leaf}", "a finer tree")

            cover(pair.chart, below, where, check)
    conversion_attained(at_points(case, evidence["attained"]), evidence["attained"], high)


def weak_revealing(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Assumption 2.4: each leaf shows ratio >= alpha by test functions, on the pieces the simplex is cut into."""
    where, options = f"{case.id}.trees", case.facts.options
    take(evidence, f"{case.id}.evidence", ("rule", "tests", "factors", "trees", "attained"))
    if options["weak_revealing"]["scope"] != "simplex":
        raise case.reject("scope", "the scope reachable", "the scope simplex on interval axes")
    alpha, _ = bracket(case, "alpha")
    size, joint = len(case.facts.game.OA), options["weak_revealing"]["form"] == "joint"
    tests = [
        [rational(text, where) for text in sequence(texts, where, size ** options["kappa"])]
        for texts in sequence(evidence["tests"], where)
    ]
    bounded = all(abs(x) <= 1 for y in tests for x in y)
    require(bounded, f"{case.id}.tests", "a test function that leaves [-1,1]", "values in [-1,1]")
    factors = [
        [[rational(text, where) for text in sequence(row, where)] for row in sequence(P, where)]
        for P in sequence(evidence["factors"], where)
    ]
    asked = list(questions(continuum, options["kappa"], not joint))
    for question, tree in zip(asked, sequence(evidence["trees"], where, len(asked)), strict=True):
        factor, below = over(question.chart, tree, where)
        question.entries.divide(factor, where)
        leaves = Leaves(question, tests, factors, alpha, joint, size, where)

        def check(leaf: Leaf, node: list[Any], leaves: Leaves = leaves) -> None:
            if not leaves.shown(leaf, node):
                raise case.reject("pairs", f"no proof of ratio >= {alpha} on {leaf}", "a leaf that shows it")

        cover(question.chart, below, where, check)
    check_attained(at_points(case, evidence["attained"]), evidence["attained"])


def vacuous(case: Case, continuum: Continuum) -> bool:
    """Whether the inequality of a claim about pairs compares nothing: the operators never differ."""
    options = case.facts.options
    if case.id == "weak-revealing":
        literal = options["weak_revealing"]["form"] == "literal"
        return next(questions(continuum, options["kappa"], literal), None) is None
    every = (families(continuum, p, case.id == "kl-world", {}, case.id) for p in range(len(continuum.policies)))
    return not any(True for found in every for _ in comparisons(found))


def eluder(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """A sequence among the points that the evidence names, and as upper bracket the least of the policies, the
    functions and the sign-witness bound with the rank and the ranges of the entries over the class."""
    where, world, game = f"{case.id}.evidence", case.id == "eluder-world", case.facts.game
    structure = ("structure",) if world else ()
    take(evidence, where, ("rule", "xi_star", "scale_squared", "sequence", "bounds", "trees", *structure))
    differences, goals = Differences(continuum, world), list[Goal]()
    norm = squared_norm(differences, Bounds(case, evidence["bounds"], goals))
    settle(case, goals, mapping(evidence["trees"], f"{case.id}.trees"))
    letter, T = "W" if world else "G", case.facts.options["T"]
    limits = differences.queries(), differences.functions(), sign_witness(differences.rank, 4 * T * T * norm)
    stated = case.number(f"d_{letter}_upper"), case.number(f"p_{letter}")
    if [*stated] != [min(x for x in limits if x is not None), differences.rank]:
        raise case.reject(
            "sequence", f"d_{letter}_upper {stated[0]}, rank {stated[1]}", f"the least of {limits}, {differences.rank}"
        )
    shown = evidence["structure"] if world else {}
    facts = Facts(game.subclass(*points_of_sequence(evidence, where, world, shown)), case.facts.options)
    case = case._replace(facts=facts)
    independent(case, evidence, lambda x, n, p: facts.plays[p].error(x, n if world else (x[0], n)))
    if world:
        coordinate_structure(case, shown, transition_span(continuum), differences.affine)


def points_of_sequence(evidence: Mapping[str, Any], where: str, world: bool, shown: Any) -> tuple[list[Any], list[Any]]:
    """The parameter points of a sequence, its reference model and the weights that show an entry not to be affine."""
    reference, side = take(evidence["xi_star"], where, ("theta", "Phi")), "theta" if world else "Phi"
    moved = [
        take(entry, where, ("pi", side, "before", "square"))[side] for entry in sequence(evidence["sequence"], where)
    ]
    weights = mapping(shown, where).get("weights", [])
    moved += [sequence(pair, where, 2)[0] for pair in sequence(weights, where)]
    thetas, phis = [reference["theta"]], [reference["Phi"]]
    (thetas if world else phis).extend(moved)
    return thetas, phis


def squared_norm(differences: Differences, bounds: Bounds) -> Fraction:
    """D B^2 of Lemma C.1: B^2 sums the squared ranges of the entries over the class, [0,1] where none is stated."""
    square = Fraction(0)
    for entry, times in differences.entries.items():
        ends = [
            bounds.of(polynomial(x), cell.region, within=(Fraction(0), Fraction(1)))
            for x, cell in zip(entry, differences.cells, strict=True)
        ]
        square += times * (max(high for _, high in ends) - min(low for low, _ in ends)) ** 2
    return differences.D * square


def constants(case: Case, continuum: Continuum, evidence: Mapping[str, Any]) -> None:
    """Theorem 3.3 with the grid of `covering` as net; every possible observation has the stated chance at least."""
    take(evidence, f"{case.id}.evidence", ("rule", "trees"))
    least = case.number("least_observation")
    if least <= 0:
        raise case.reject("bound", f"least_observation = {least}", "a positive chance")
    fades = case.facts.game.gamma is not None  # then a transient may show what a settled response makes impossible
    goals = [*continuum.observations(least), *(continuum.same_actions() if fades else ())]
    settle(case, goals, mapping(evidence["trees"], f"{case.id}.trees"))
    follows(case, least)


class Discharged(NamedTuple):
    """How a claim is proved on interval axes: the values it then has, the check of its evidence, and the rule."""

    values: tuple[str, ...]
    check: Callable[[Case, Continuum, Mapping[str, Any]], None]
    rule: str = "box"


BOX = {
    "nonexpansive": Discharged((), nonexpansive),
    "posterior-lipschitz": Discharged(("L_lower", "L_upper"), posterior_lipschitz),
    "warmup-stationary": Discharged(("gamma", "L_g"), warmup_stationary),
    "covering": Discharged(("log_covering_upper", "covering_lipschitz_upper"), covering),
    "bounded-increments": Discharged(("B0_lower", "B0_upper", "log_likelihood_lipschitz_upper"), bounded_increments),
    "predictive-states": Discharged((), predictive_states),
    "weak-revealing": Discharged(("alpha_lower", "alpha_upper"), weak_revealing, "pairs"),
    "kl-joint": Discharged(("c_KL_joint_lower", "c_KL_joint_upper"), conversion, "pairs"),
    "kl-world": Discharged(("c_KL_world_lower", "c_KL_world_upper"), conversion, "pairs"),
    "eluder-world": Discharged(("d_W_lower", "d_W_upper", "p_W"), eluder, "sequence"),
    "eluder-adversary": Discharged(("d_G_lower", "d_G_upper", "p_G"), eluder, "sequence"),
    "constants": Discharged(CLAIMS[-1].values, constants, "bound"),
}
PRESUPPOSED = "nonexpansive"  # that the entries are probabilities on the whole class; every other rule here rests on it
