"""Assumption 3.1(c): log-likelihood ratios are bounded."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from ..case import Case, Claim, OnIntervals, Outcome, at_points, impossible_elsewhere, logarithm, trajectory_pair
from ..reading import Object, mapping, take


def outcome(case: Case) -> Outcome:
    """Return B_0 as the logarithm of the largest ratio of a trajectory's probabilities, which by endings is the upper
    end alone. The claim is refuted where one of them is zero, and open where endings do not bound the ratio."""
    ratio = Fraction(1)
    for play in case.facts.plays:
        most, _ = play.increments
        if most is None:
            return Outcome("refuted", {})
        if most == inf:
            return Outcome("unknown", {})
        ratio = max(ratio, most)
    bound = {"log_of": str(ratio)}
    return Outcome("proved", {"B0_upper": bound} | ({"B0_lower": bound} if case.facts.endings is None else {}))


def on_intervals(case: Case, evidence: Object) -> None:
    """Check B_0 by the largest upper over the least lower bound of each trajectory: numerator and denominator range
    over Xi independently.

    Operators that differ by epsilon in l1 change P(tau) by at most epsilon at each step whose tables vary, since all
    operators are nonexpansive, and log P by that over the least P.
    """
    from ..continua import Goal
    from ..goals import Bounds, settle

    take(evidence, f"{case.id}.evidence", ("rule", "bounds", "trees", "attained"))
    goals, continuum = list[Goal](), case.facts.continuum
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


def attained(case: Case, evidence: Object) -> None:
    """Check that the ratio at the stated trajectory is what the lower end of B_0 is the logarithm of; the upper end
    differs from it by endings alone."""
    take(evidence, f"{case.id}.evidence", ("rule", "attained"))
    place = take(evidence["attained"], f"{case.id}.attained", ("xi", "xi_prime", "pi", "trajectory"))
    high, low = trajectory_pair(case, place)
    bound = logarithm(case, "B0_lower")
    if not low or high / low != bound:
        raise case.reject("eval", f"P = {high} and {low} where B_0 is said to be attained", f"the ratio {bound}")


CLAIM = Claim(
    "bounded-increments",
    "Assumption 3.1(c)",
    outcome,
    ("B0_lower", "B0_upper"),
    attained,
    witness=impossible_elsewhere,
    intervals=OnIntervals(("B0_lower", "B0_upper", "log_likelihood_lipschitz_upper"), on_intervals),
)
