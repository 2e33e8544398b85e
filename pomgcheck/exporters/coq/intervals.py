"""What Coq is asked about each claim of a class with interval axes.

Rows, Theorem 2.5 and what is plain to see are shown at every rational point.  A refutation, and the end of a bracket
that some models attain, are theorems about the finite class of these models, whose checkers serve again; what fails for
some models fails for the class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.exporters.coq.interval_laws import axes_of, halved, least_laws, positive_laws, too_much
from pomgcheck.exporters.coq.interval_posteriors import cuts_of, gaps_shown, spread_shown, too_many
from pomgcheck.exporters.coq.stated import CHECKED, CoqTheorem, Entry, Stated, Subject, proved
from pomgcheck.exporters.coq.terms import document, kernels, listed, number, pair, point, points, reaction, response
from pomgcheck.exporters.coq.theorems import (
    bounded_increments,
    eluder,
    kl_conversion,
    posterior_lipschitz,
    predictive_states,
    settles,
    unstated,
    weak_revealing,
    well_specified,
)
from pomgcheck.kernel.case import named_points
from pomgcheck.kernel.claims.eluder import points_of_sequence
from pomgcheck.kernel.facts import Facts

SOME = "some"  # the finite class of some models, in a generated file
IN_CLASS = CoqTheorem("some_in_class", "points_of model some_thetas some_phis", f"apply check_points_sound. {CHECKED}")


def class_on_intervals(facts: Facts) -> str:
    """Return the class, and that every row is a distribution at every point.

    Raises ``InputError`` where the sign of an entry does not show as Coq looks for it, on halves of the box.
    """
    for goal in facts.continuum.probabilities():
        side = "worlds" if any(name.startswith("theta.") for name in goal.region.box) else "responses"
        if not halved(goal.polynomial, goal.strict, goal.region, axes_of(facts, side)):
            fix = "the kernel's verdict stands without Coq"
            required = "one that shows on parts of the box, each axis halved in turn, without weights of constraints"
            raise InputError("model", f"the sign of an entry, {goal.statement()}", required, fix)
    theorem = CoqTheorem("is_class", "everywhere model class_of_games", f"apply class_everywhere. {CHECKED}")
    return f"Definition model : continuum := {document(facts.game)}.\n\n{proved(theorem)}"


def factorization(of: Subject) -> Stated:
    """Return Theorem 2.5: J = G W at every point."""
    proof = "intro F. apply factorization_everywhere"
    theorem = CoqTheorem("factors", "forall F : OF, everywhere model (factorization F)", proof)
    return of.stated(theorem, says="J = G∘W at every point, over every ordered field")


def oom_identity(of: Subject) -> Stated:
    """Return Theorem 2.5: the controlled law is a product of operators at every point."""
    theorem = CoqTheorem("laws_are_products", "everywhere model oom_identity", "apply oom_everywhere")
    return of.stated(theorem, says="P(o|a) = 1ᵀJ…Jq₀ at every point")


def nonexpansive(of: Subject) -> Stated:
    """Return Theorem 2.5: signs, and ‖Gu‖₁ ≤ ‖u‖₁, at every point."""
    proof = "intro F. apply nonexpansive_everywhere; [exact is_class | repeat constructor]"
    theorem = CoqTheorem("does_not_expand", "forall F : OF, everywhere model (nonexpansive F)", proof)
    return of.stated(theorem, says="W, G ≥ 0 and ‖Gu‖₁ ≤ ‖u‖₁ at every point")


def truth_on_intervals(of: Subject) -> Stated:
    """Return Assumption 3.1(a): the truth is a point of the class, or is none."""
    return well_specified(of, "well_specified_in model truth", ("truth_inside", "truth_outside"), ())


def warmup_stationary(of: Subject) -> Stated:
    """Return Assumption 3.1(f) at every point of Psi: by the rule, or entry by entry of a table of blocks; or L_g,
    where memory fades."""
    rule, m = reaction(of.facts.game), of.facts.game.m
    if rule is None:
        L, gamma = of.value("L_g"), Fraction(of.facts.game.gamma or 0)
        if not spread_shown(of.facts, 2 * L):
            return of.left(f"{WHOLE} with L_g: signs that do not show on halves of the box")
        claim = f"fading_lipschitz d {number(L)} /\\ fading_settles d {number(gamma)} {number(L)}"
        proof = f"apply settles_everywhere. {CHECKED}"
        theorem = CoqTheorem("fades", f"everywhere model (fun d => {claim})", proof)
        says = f"L_g ≤ {L}; a policy played on is answered within L_gγ^k of its response after k episodes, γ = {gamma}"
        left = "that no smaller L_g will do" if L else ""
        return of.stated(theorem, says=says, left=left, requires=("FadingMemory", "IntervalPosteriors"))
    statement = f"everywhere model (fun d => warmup_stationary d rule {m})"
    return settles(
        of, rule, statement, f"R(π, …, π) = R_∞(π) at every point, m = {m}", "everywhere", "table_everywhere"
    )


def at_some(of: Subject, shown: Callable[[Subject], Stated], thetas: list[Any], phis: list[Any], left: str) -> Stated:
    """Return what ``shown`` says of the models that a place names, and what it says of the class thereby."""
    facts = Facts(of.facts.game.subclass(thetas, phis), of.facts.options)
    found = shown(replace(of, facts=facts, term=SOME))
    if not found.theorems:
        return found
    some_thetas, some_phis = (listed(map(point, side)) for side in points(facts.game))
    definitions = (
        f"Definition some_thetas : list point := {some_thetas}.",
        f"Definition some_phis : list point := {some_phis}.",
        f"Definition {SOME} : doc := at_points (tables model) some_thetas some_phis.",
        *([found.definitions] if found.definitions else []),
    )
    theorems = [IN_CLASS]
    for theorem in found.theorems:
        here = replace(theorem, name=f"{theorem.name}_of_some")
        theorems += [here, of_class(theorem, here)]
    told = "; ".join(filter(None, (found.left, left)))
    return replace(found, theorems=tuple(theorems), definitions="\n".join(definitions), left=told)


def of_class(theorem: CoqTheorem, here: CoqTheorem) -> CoqTheorem:
    """Return the theorem about the class that one about some of its models shows."""
    premises, denied, claim = theorem.statement.rpartition("~ ")
    family = f"(fun d => {re.sub(rf'(?<!_){SOME}(?!_)', 'd', claim)})"
    if not denied:
        proof = f"exists some_thetas, some_phis. split; [exact some_in_class | exact {here.name}]"
        return CoqTheorem(theorem.name, f"somewhere model {family}", proof)
    proof = f"intros; intro h; eapply {here.name}; [eassumption .. | exact (h _ _ some_in_class)]"
    return CoqTheorem(theorem.name, f"{premises}~ everywhere model {family}", proof)


def by_points(shown: Callable[[Subject], Stated], left: str) -> Callable[[Subject], Stated]:
    """Return the statement of a claim that some models refute, or show to be no better than it says."""

    def of_place(of: Subject) -> Stated:
        place = of.entry["witness"] if of.entry["verdict"] == "refuted" else of.entry["evidence"].get("attained")
        if place is None:
            return of.left(left)
        return at_some(of, shown, *named_points(place), "" if of.entry["verdict"] == "refuted" else left)

    return of_place


def lipschitz_on_intervals(of: Subject) -> Stated:
    """Return Assumption 2.3: L from below at two models, and on whole boxes by the posteriors of every two policies."""
    some, evidence = by_points(posterior_lipschitz, "")(of), of.entry["evidence"]
    if of.entry["verdict"] == "refuted":
        return some
    L, game = of.value("L_upper"), of.facts.game
    options = {**of.facts.options, "lipschitz_form": "step"}  # whose bound is one in the policy form too
    facts = Facts(game, options)
    why = too_many(facts)
    cuts = sorted({cut for entry in evidence["signs"] for cut in cuts_of(entry["choice"])})
    gaps = None if why else gaps_shown(facts, L, map(Fraction, evidence["gaps"].values()), cuts)
    if gaps is None:
        return replace(some, left=f"{WHOLE} with L_upper: {why or 'signs that do not show on halves of the box'}")
    form, fading = str(of.facts.options["lipschitz_form"] == "policy").lower(), game.block_rule == "fading"
    terms = listed(listed(listed(listed(map(number, row)) for row in step) for step in pair) for pair in gaps)
    rule, m, definitions = reaction(game), game.m, f"Definition gaps : gap_bounds := {terms}."
    claim, proof = (
        f"posterior_lipschitz d {rule} {m} {form}",
        f"lipschitz_everywhere model {rule} {m} {form} {number(L)} gaps _",
    )
    if fading:
        claim, proof = f"posterior_lipschitz_averaged d {form}", f"averaged_everywhere model {form} {number(L)} gaps _"
    elif rule and rule.startswith(TABLE):
        definitions += f"\nDefinition blocks : list (list nat * steps table2) := {rule.removeprefix(TABLE)}."
        axes = axes_of(facts, "worlds")
        places = listed(pair(str(axes.index(axis)), number(t)) for axis, t in cuts)
        definitions += f"\nDefinition cuts : list (nat * Q) := {places}."
        claim = f"posterior_lipschitz d ({TABLE}blocks) {m} {form}"
        proof = f"blocks_everywhere model blocks {m} {number(L)} gaps cuts _ {form}"
    theorem = CoqTheorem(
        "responses_follow_everywhere",
        f"everywhere model (fun d => {claim} {number(L)})",
        f"refine ({proof}). {CHECKED}",
    )
    unshown = not some.theorems and bool(of.value("L_lower"))
    return replace(
        some,
        theorems=(*some.theorems, theorem),
        says=f"L ≤ {L}" if unshown else f"L = {L}" if L == of.value("L_lower") else f"L ≤ {L}; {some.says}",
        left="that no smaller L will do: no place shows it" if unshown else "",
        requires=(*some.requires, *(("FadingMemory",) if fading else ()), "PosteriorLipschitz", "IntervalPosteriors"),
        definitions="\n".join(filter(None, (some.definitions, definitions))),
    )


def increments_on_intervals(of: Subject) -> Stated:
    """Return Assumption 3.1(c): B_0 from below at two models, and on whole boxes by two ends of every law."""
    some = by_points(bounded_increments, "")(of)
    if of.entry["verdict"] == "refuted":
        return some
    slope, B = "the slope", of.value("B0_upper")
    why = too_much(of.facts)
    least = None if why else least_laws(of.facts, B)
    if least is None:
        why = why or "ends that do not show on halves of the box"
        return replace(some, left=f"{WHOLE} with B0_upper: {why}; {slope}")
    rows = listed(listed(map(number, row)) for row in least)
    theorem = CoqTheorem(
        "increments_bounded",
        f"everywhere model (fun d => bounded_increments d {number(B)})",
        f"apply (increments_everywhere model {number(B)} least). {CHECKED}",
    )
    says = f"B₀ = log {B}" if B == of.value("B0_lower") else f"B₀ ≤ log {B}; {some.says}"
    return replace(
        some,
        theorems=(*some.theorems, theorem),
        says=says,
        left=slope,
        requires=(*some.requires, "IntervalLaws"),
        definitions=f"{some.definitions}\nDefinition least : list (list Q) := {rows}.",
    )


def predictive_on_intervals(of: Subject) -> Stated:
    """Return Assumption 3.1(d) on whole boxes, or a trajectory that one model can show and another cannot."""
    if of.entry["verdict"] == "refuted":
        return by_points(predictive_states, "")(of)
    why = too_much(of.facts)
    if why or not positive_laws(of.facts):
        return of.left(f"{WHOLE}: {why or 'laws whose signs do not show on halves of the box'}")
    proof = f"apply predictive_everywhere. {CHECKED}"
    theorem = CoqTheorem("states_defined", "everywhere model predictive_states", proof)
    return of.stated(theorem, says="every q^ξ is defined at every point", requires=("IntervalLaws",))


def eluder_on_intervals(of: Subject) -> Stated:
    """Return Proposition 2.6: a sequence of policies and models from below, and from above how many policies may tell
    models apart."""
    world, T = of.entry["id"] == "eluder-world", of.facts.options["T"]
    letter, channel = ("W", "world") if world else ("G", "adversary")
    rank = "the rank, which rests on the whole class"
    some = at_some(of, eluder, *points_of_sequence(of.entry["evidence"], "evidence", world), rank)
    upper, lower = of.value(f"d_{letter}_upper"), of.value(f"d_{letter}_lower")
    if not some.theorems or telling(of, world) > upper:
        return replace(some, left=some.left.replace(rank, f"the upper end, and {rank}"))
    arguments = f"{number(Fraction(1, 2 * T))} {upper}"
    theorem = CoqTheorem(
        "dimension_at_most",
        f"everywhere model (fun d => eluder_{channel}_at_most d {arguments})",
        f"refine (at_most_everywhere model {str(world).lower()} {arguments} _). {CHECKED}",
    )
    says = f"dim_E = {lower}" if lower == upper else f"{lower} ≤ dim_E ≤ {upper}"
    requires = (*some.requires, "IntervalEluder")
    return replace(some, theorems=(*some.theorems, theorem), says=says, requires=requires)


def telling(of: Subject, world: bool) -> int:
    """Return at how many policies the functions of a channel may be other than zero, as ``counts`` of
    ``formal/IntervalEluder.v`` has it: where a table has a parameter."""
    game = of.facts.game
    if world:
        return len(game.policies) if any(PARAMETER in term for term in kernels(game).values()) else 0
    return sum(PARAMETER in response(game, name) for name in game.policy_names)


PARAMETER = "(Par "  # how a parameter begins in a term
TABLE = "Table "  # how a rule begins that has a table of blocks
WHOLE = "that it holds on whole boxes"
ON_INTERVALS: dict[str, Callable[[Subject], Stated]] = {
    "factorization": factorization,
    "oom-identity": oom_identity,
    "nonexpansive": nonexpansive,
    "posterior-lipschitz": lipschitz_on_intervals,
    "weak-revealing": by_points(weak_revealing, f"{WHOLE} with alpha_lower"),
    "well-specified": truth_on_intervals,
    "bounded-increments": increments_on_intervals,
    "predictive-states": predictive_on_intervals,
    "kl-joint": by_points(kl_conversion, f"{WHOLE} with c_KL_joint_lower"),
    "kl-world": by_points(kl_conversion, f"{WHOLE} with c_KL_world_lower"),
    "warmup-stationary": warmup_stationary,
    "eluder-world": eluder_on_intervals,
    "eluder-adversary": eluder_on_intervals,
}
UNSTATED = {
    "covering": "how many points are a net at a scale; Statements.v has covers of finite classes",
    "regret": "Theorem N on a net is proved (NetPlay.v), but no checker shows its premises",
    "constants": "the bound of Algorithm 1 is proved of finite classes",
}


def statement_on_intervals(facts: Facts, entry: Entry, settled: Mapping[str, Entry]) -> Stated:
    """Return one claim in Coq of a class with interval axes."""
    of = Subject(facts, entry, settled)
    if why := unstated(of):
        return of.left(why)
    if entry["id"] in UNSTATED:
        return of.left(UNSTATED[entry["id"]])
    found = ON_INTERVALS[entry["id"]](of)
    return replace(found, requires=("IntervalClass", *found.requires)) if found.theorems else found
