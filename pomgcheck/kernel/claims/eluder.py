"""Proposition 2.6: Eluder dimensions of the two error classes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..case import Case, Claim, OnIntervals, Outcome
from ..eluder import Channel, sign_witness
from ..facts import Facts, summed
from ..polynomials import polynomial
from ..reading import Object, mapping, rational, sequence, take

if TYPE_CHECKING:
    from ..differences import Differences
    from ..goals import Bounds


def channels(facts: Facts) -> dict[str, Channel]:
    """Return the two error classes, by the claims about them."""
    claims = ("eluder-world", "eluder-adversary")
    return {claim: Channel(facts.game, facts.scaled, facts.plays, claim == claims[0]) for claim in claims}


def outcome(case: Case) -> Outcome:
    """Return the upper bracket and the rank; a sequence shows the lower bracket."""
    facts = case.facts
    channel, letter = facts.once(channels)[case.id], "W" if case.id == "eluder-world" else "G"
    upper = channel.upper(facts.options["T"])
    return Outcome("proved", {f"d_{letter}_upper": str(upper), f"p_{letter}": str(channel.rank)})


def check(case: Case, evidence: Object) -> None:
    """Check d_lower by a sequence; the upper bracket was recomputed."""
    take(evidence, f"{case.id}.evidence", ("rule", "xi_star", "scale_squared", "sequence"))
    independent(case, evidence, case.facts.once(channels)[case.id].function)


def independent(case: Case, evidence: Object, function: Callable[[Any, int, int], tuple[Fraction, Fraction]]) -> None:
    """Check a sequence of policies, each independent of those before it at one scale: a function of its own is above
    the scale at it, and the squares of that function at the policies before sum
    to no more than that of the scale.

    ``function`` maps (xi*, theta or Phi, pi) to the ends of F, of which the lower counts at the policy itself and the
    upper at those before.
    """
    where, world = f"{case.id}.evidence", case.id == "eluder-world"
    side = "theta" if world else "Phi"
    x, scale = case.model(evidence["xi_star"], "xi_star"), rational(evidence["scale_squared"], f"{where}.scale_squared")
    least = Fraction(1, 4 * case.facts.options["T"] ** 2)
    if scale < least:
        raise case.reject("sequence", f"the squared scale {scale}", f"at least {least}, from 1/(2T)")
    chosen: list[int] = []
    for number, entry in enumerate(sequence(evidence["sequence"], f"{where}.sequence"), 1):
        take(entry, f"{where}.sequence", ("pi", side, "before", "square"))
        p, n = case.policy(entry["pi"]), (case.world if world else case.answer)(entry[side])
        here = function(x, n, p)[0] ** 2
        before = sum(function(x, n, z)[1] ** 2 for z in chosen)
        if not before <= scale < here:
            raise case.reject(
                "sequence",
                f"query {number} with square {here} and {before} before it",
                f"more than {scale}, and no more before it",
            )
        if [entry["before"], entry["square"]] != [str(before), str(here)]:
            raise case.reject("sequence", f"other squares at query {number}", f"{before} before it and {here}")
        chosen.append(p)
    lower = case.number(f"d_{'W' if world else 'G'}_lower")
    if lower != len(chosen):
        raise case.reject("sequence", f"a sequence of {len(chosen)} queries", f"d_lower = {lower}")


def on_intervals(case: Case, evidence: Object) -> None:
    """Check a sequence among the points that the evidence names, and that the upper bracket is the least of three: the
    number of policies that count, that of functions, and the sign-witness bound with the rank and the ranges of the
    entries over the class."""
    from ..continua import Goal
    from ..differences import Differences
    from ..goals import Bounds, settle

    where, world, game = f"{case.id}.evidence", case.id == "eluder-world", case.facts.game
    take(evidence, where, ("rule", "xi_star", "scale_squared", "sequence", "bounds", "trees"))
    continuum = case.facts.continuum
    differences, goals = Differences(continuum, world, summed(case.facts.options)), list[Goal]()
    norm = squared_norm(differences, Bounds(case, evidence["bounds"], goals))
    settle(case, goals, mapping(evidence["trees"], f"{case.id}.trees"))
    letter, T = "W" if world else "G", case.facts.options["T"]
    limits = differences.queries(), differences.functions(), sign_witness(differences.rank, 4 * T * T * norm)
    stated = case.number(f"d_{letter}_upper"), case.number(f"p_{letter}")
    if [*stated] != [min(x for x in limits if x is not None), differences.rank]:
        raise case.reject(
            "sequence", f"d_{letter}_upper {stated[0]}, rank {stated[1]}", f"the least of {limits}, {differences.rank}"
        )
    facts = Facts(game.subclass(*points_of_sequence(evidence, where, world)), case.facts.options)
    case = case._replace(facts=facts)
    independent(case, evidence, lambda x, n, p: facts.plays[p].error_ends(x, n if world else (x[0], n)))


def points_of_sequence(evidence: Object, where: str, world: bool) -> tuple[list[Any], list[Any]]:
    """Return the parameter points, of Theta and of Psi, of a sequence and of its reference model."""
    reference, side = take(evidence["xi_star"], where, ("theta", "Phi")), "theta" if world else "Phi"
    moved = [
        take(entry, where, ("pi", side, "before", "square"))[side] for entry in sequence(evidence["sequence"], where)
    ]
    thetas, phis = [reference["theta"]], [reference["Phi"]]
    (thetas if world else phis).extend(moved)
    return thetas, phis


def squared_norm(differences: Differences, bounds: Bounds) -> Fraction:
    """Return D B^2 of Lemma C.1, where B^2 sums the squared ranges of the entries over the class; a range is [0,1]
    where none is stated."""
    square = Fraction(0)
    for entry, times in differences.entries.items():
        ends = [
            bounds.of(polynomial(x), cell.region, within=(Fraction(0), Fraction(1)))
            for x, cell in zip(entry, differences.cells, strict=True)
        ]
        square += times * (max(high for _, high in ends) - min(low for low, _ in ends)) ** 2
    return differences.D * square


def rule(facts: Facts) -> str:
    """Return the rule of a proof."""
    return "sequence"


def of_channel(channel: str, letter: str) -> Claim:
    """Return the claim about the error class of W (world) or G (adversary)."""
    values = f"d_{letter}_lower", f"d_{letter}_upper", f"p_{letter}"
    intervals = OnIntervals(values, on_intervals, "sequence")
    return Claim(f"eluder-{channel}", "Proposition 2.6", outcome, values, check, rule, intervals=intervals)


WORLD, ADVERSARY = of_channel("world", "W"), of_channel("adversary", "G")
