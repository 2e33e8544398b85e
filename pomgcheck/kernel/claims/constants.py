"""Theorem 3.3: the explicit bound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..bound import C_0, SHARP, C, Grid, Premises, first_below, sharp
from ..case import PROVED, Case, Claim, OnIntervals, Outcome
from ..facts import Facts
from ..nested import Truth
from ..reading import Object, mapping, rational, take
from ..rewards import Ranges, ranges


def least_observation(facts: Facts) -> Fraction:
    """Return the least probability, over policies and models, of a possible observation given what came before it."""
    return min(play.least_observation() for play in facts.plays)


def outcome(case: Case) -> Outcome:
    """Return that the theorem says nothing where a premise is refuted, and that it is open where a premise is.

    For a fading rule all policies must be answered with the same actions, or a transient may show what the settled
    class excludes.
    """
    facts, verdicts = case.facts, [each["verdict"] for name, each in case.settled.items() if name != "regret"]
    supports = (
        {tuple(tuple(map(bool, row)) for table in tables for row in table) for tables in response}
        for response in facts.game.responses
    )
    if "refuted" in verdicts:
        return Outcome("vacuous", {})
    fades = facts.game.gamma is not None and any(len(found) > 1 for found in supports)
    return Outcome("unknown", {}) if "unknown" in verdicts or fades else PROVED


def premises(case: Case, least: Fraction) -> Premises:
    """Return what the bound is made of: numbers of the model, the least chance of an observation, and the values of the
    claims settled before. With interval axes the grid of `covering` is the net, and B_0 dominates the slope of
    log-likelihoods too."""
    game = case.facts.game
    known: dict[str, Any] = {}
    for entry in case.settled.values():
        known |= entry["values"]
    spread, listed = case.facts.once(spreads), case.settled.get("regret", {"verdict": "unknown"})
    listed = listed if game.finite else {"verdict": "unknown"}
    proved = listed["verdict"] == "proved"  # that D is positive, or vacuous: nothing is ever lost
    truths = listed["evidence"]["truths"] if proved else ()
    covering, increments = (int(known["log_covering_upper"]["log_of"]), Fraction(known["B0_upper"]["log_of"]))
    c_J, c_W = (Fraction(known.get(f"c_KL_{name}_lower", 1)) for name in ("joint", "world"))  # vacuous: any constant
    return Premises(
        game.H,
        len(game.B),
        len(game.policies),
        covering,
        increments,
        least,
        c_J,
        c_W,
        int(known["d_W_upper"]),
        int(known["d_G_upper"]),
        Fraction(case.facts.options["delta"]),
        game.m if game.gamma is None else None,
        spread.optimism,
        spread.later,
        Fraction(listed["values"]["D"] if proved else game.H),
        game.gamma or Fraction(0),
        Fraction(known.get("L_g", 0)),
        None if game.finite else net(case),
        Fraction(known.get("log_likelihood_lipschitz_upper", 0)),
        tuple(map(Truth.read, truths)) if listed["verdict"] != "unknown" else None,
    )


def spreads(facts: Facts) -> Ranges:
    """Return R and R'."""
    return ranges(facts.game)


def net(case: Case) -> Grid:
    """Return the grid of `covering`, which is settled before; an axis that the grid leaves out has one point."""
    continuum, grid = case.facts.continuum, case.settled["covering"]["evidence"]["grid"]
    axes = {name for xi in continuum.models for name in continuum.region(*xi).box}
    return Grid(len(continuum.models), tuple(grid.get(name, 1) for name in sorted(axes)), case.facts.options["T"])


def check(case: Case, evidence: Object) -> None:
    """Check Theorem 3.3: every line is at least what follows from the claims settled before, and T_star is the first
    T."""
    take(evidence, f"{case.id}.evidence", ("rule",))
    least = least_observation(case.facts)
    if not least:
        raise case.reject("bound", "no least chance by these endings", "a positive one")
    follows(case, least)


def follows(case: Case, least: Fraction) -> None:
    """Check the lines of the bound, where ``least`` is the chance that a possible observation has at least."""
    given, T = premises(case, least), case.facts.options["T"]
    ends = take(case.values["C_0"], f"{case.id}.values.C_0", ("lower", "upper"))
    if not rational(ends["lower"], "C_0") <= C_0.low <= C_0.high <= rational(ends["upper"], "C_0"):
        raise case.reject("bound", f"C_0 in {ends}", "6(e-2) between the two")
    exact = {
        "c": Fraction(C),
        "least_observation": given.least,
        "reward_range": given.range,
        "later_range": given.later,
    }
    for name, value in exact.items():
        if case.number(name) != value:
            raise case.reject("bound", f"{name} = {case.number(name)}", value)
    lines = sharp(given, T)
    for name in SHARP:
        if case.number(f"{name}_upper") < lines[name].high:
            raise case.reject("bound", f"{name}_upper = {case.number(f'{name}_upper')}", f"at least {lines[name].high}")
    first = case.number("T_star")
    if first.denominator != 1 or first < 1 or not first_below(given, int(first)):
        raise case.reject("bound", f"T_star = {first}", "the first T at which the sharp bound is below D T")


def on_intervals(case: Case, evidence: Object) -> None:
    """Check Theorem 3.3 with the grid of `covering` as net, and that every possible observation has at least the stated
    chance."""
    from ..goals import settle

    take(evidence, f"{case.id}.evidence", ("rule", "trees"))
    continuum = case.facts.continuum
    least = case.number("least_observation")
    if least <= 0:
        raise case.reject("bound", f"least_observation = {least}", "a positive chance")
    fades = case.facts.game.gamma is not None  # then a transient may show what a settled response makes impossible
    goals = [*continuum.observations(least), *(continuum.same_actions() if fades else ())]
    settle(case, goals, mapping(evidence["trees"], f"{case.id}.trees"))
    follows(case, least)


def rule(facts: Facts) -> str:
    """Return the rule of a proof."""
    return "bound"


VALUES = (
    "c",
    "C_0",
    "least_observation",
    "reward_range",
    "later_range",
    "T_star",
    *(f"{line}_upper" for line in SHARP),
)
CLAIM = Claim(
    "constants", "Theorem 3.3", outcome, VALUES, check, rule, intervals=OnIntervals(VALUES, on_intervals, "bound")
)
