"""Asks Coq about the regret of a learner: Theorem N for ``nested``, and the theorem of Algorithm 1."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING
from fractions import Fraction
from typing import Any

from pomgcheck.exporters.coq.stated import CHECKED, CoqTheorem, Stated, Subject, rounded
from pomgcheck.exporters.coq.terms import kept, listed, number, pair, point, points, reaction, rewards
from pomgcheck.kernel.parameters import Point

# what an episode tells where no trajectory is possible in both models: more than any evidence
EVERYTHING = Fraction(10**6)
FADING = "the fading rule reads the whole past; Statements.v has blocks of m policies"
LINES = "its other lines"


def regret(of: Subject) -> Stated:
    """Return Theorem N for the learner ``nested`` with the certificate's bound, what that is at most at T and at any
    time, that it is below D t from worth_T on and not before, and D."""
    game = of.facts.game
    rule, m, delta = reaction(game), game.m, number(Fraction(of.facts.options["delta"]))
    if rule is None:
        return of.left(FADING)
    D = number(of.value("D"))
    numbers = f"{number(of.value('span'))} {delta}"
    bound = f"bound_N model reward {numbers} {m} tolds star"
    guarantee = CoqTheorem(
        "regret",
        always(
            of,
            f"probability model reward (Q2R {delta}) star",
            bound,
            f"policy_regret model rule reward (Q2R {delta}) {m} past star",
        ),
        f"refine (check_nested_sound model values rule {m} rewards {numbers} tolds values_are is_class _). {CHECKED}",
    )
    costs = CoqTheorem(
        "policies_cost",
        f"""forall xi p, In xi (models model) -> p < {len(game.policies)} ->
  (gap (class_of model reward) xi (best_policy model reward xi) p <= Q2R {D})%R""",
        f"refine (check_D_sound model values rewards {D} values_are _). {CHECKED}",
    )
    return of.stated(
        guarantee,
        *numbers_of_nested(of, bound, numbers),
        costs,
        says=f"P(regret of nested > bound_N at some T) ≤ 2δ; bound_N ≤ {rounded(of.value('gap_upper'), ROUND_CEILING)} at all times, and it is "
        f"below D t from t = {of.value('worth_T')} on and not before; D = {of.value('D')}",
        requires=("RealSums", "Regret", "HarmfulModels", "NestedPlay"),
        definitions="\n".join(
            [
                f"Definition rule : block_rule := {rule}.",
                reward_definitions(of),
                table_of_values("model"),
                policies_told(of, of.entry["evidence"], *points(game)),
            ]
        ),
        imports="From Coq Require Import Reals Qreals.",
    )


def numbers_of_nested(of: Subject, bound: str, numbers: str) -> tuple[CoqTheorem, ...]:
    """Return the theorems that say what the bound of Theorem N is at most at T and at any time, that it is below D t
    from worth_T on, and not before."""
    m, T, D, first = of.facts.game.m, of.facts.options["T"], number(of.value("D")), of.value("worth_T")
    at_T, ever = number(of.value("nested_regret_upper")), number(of.value("gap_upper"))
    every, of_list = "forall star, In star (models model) ->", f"model reward values {m} {numbers} tolds"
    loses = CoqTheorem(
        "nested_loses",
        f"{every} ({bound} (N.to_nat {T}) <= Q2R {at_T})%R",
        f"refine (check_nested_loss_sound {of_list} {T} _ values_are _). {CHECKED}",
    )
    loses_ever = CoqTheorem(
        "nested_loses_ever",
        f"{every} forall t, ({bound} t <= Q2R {ever})%R",
        f"refine (check_nested_ever_sound {of_list} _ values_are _). {CHECKED}",
    )
    below = CoqTheorem(
        "nested_worth",
        f"{every} forall t, N.to_nat {first} <= t ->\n  ({bound} t < Q2R {D} * INR t)%R",
        f"refine (check_nested_worth_sound {of_list} {first} {D} values_are _). {CHECKED}",
    )
    not_before = CoqTheorem(
        "nested_not_before",
        f"exists star, In star (models model) /\\ forall t, 1 <= t < N.to_nat {first} ->\n"
        f"  (Q2R {D} * INR t <= {bound} t)%R",
        f"refine (check_nested_first_sound {of_list} {first} {D} values_are _). {CHECKED}",
    )
    return loses, loses_ever, below, *((not_before,) if first > 1 else ())


def policies_told(of: Subject, evidence: Mapping[str, Any], thetas: Sequence[Point], phis: Sequence[Point]) -> str:
    """Return what is told against harmful models where each model of these points is the true one, as the claim
    ``regret`` has it, as a definition."""
    told = (
        pair(
            str(truth["harmful"]),
            listed(
                pair(str(of.case.policy(each["pi"])), number(EVERYTHING if each["c"] is None else Fraction(each["c"])))
                for each in truth["policies"]
            ),
        )
        for truth, (theta, phi) in zip(evidence["truths"], itertools.product(*points(of.facts.game)), strict=True)
        if theta in thetas and phi in phis
    )
    return f"Definition tolds : list told := {listed(told)}."


def always(of: Subject, probability: str, bound: str, regret: str, doc: str = "model") -> str:
    """Return the statement that regret is above its bound at some time up to T with probability 2 delta at most."""
    game, delta = of.facts.game, number(Fraction(of.facts.options["delta"]))
    return f"""forall star, In star (models {doc}) ->
  forall past, {game.m} - 1 <= List.length past -> (forall p, In p past -> p < {len(game.policies)}) -> forall T,
  ({probability} T (ever (fun h =>
     Rltb ({bound} (List.length h))
          ({regret} h))) <= 2 * Q2R {delta})%R"""


def reward_definitions(of: Subject) -> str:
    """Return the rewards as definitions."""
    rows = rewards(of.facts.game)
    return f"Definition rewards : list (list Q) := {rows}.\nDefinition reward := reward_of rewards."


def table_of_values(doc: str) -> str:
    """Return the values of all policies in all models, which the theorems about a learner share."""
    return f"""Definition values := Eval vm_compute in values_of {doc} reward.
Lemma values_are : values_of {doc} reward = values. Proof. vm_cast_no_check (eq_refl values). Qed."""


def same_models(thetas: Sequence[Point], phis: Sequence[Point]) -> str:
    """Return the class with one model for all that have its tables, and that it is a class of games."""
    return f"""Definition kept_thetas : list point := {listed(map(point, thetas))}.
Definition kept_phis : list point := {listed(map(point, phis))}.
Definition distinct : doc := listed model kept_thetas kept_phis.
Lemma one_of_each : one_each model kept_thetas kept_phis. Proof. apply check_one_each_sound. {CHECKED}. Qed.
Lemma is_class_too : class_of_games distinct. Proof. exact (class_of_listed model _ _ is_class one_of_each). Qed."""


def constants(of: Subject) -> Stated:
    """Return the theorem of Algorithm 1 with the bound ``sharp_regret``, which the claims 3.1(c) and ``regret`` settled
    before are the premises of; what that is at most at T, and that it is below D t from T* on and not before."""
    game, listed_models, increments = of.facts.game, of.settled["regret"], of.settled["bounded-increments"]
    rule, m, delta = reaction(game), game.m, number(Fraction(of.facts.options["delta"]))
    if rule is None:
        return of.left(FADING)
    if listed_models["verdict"] != "proved":
        return of.left("the claim regret, which says what models tell that may cost something, is not proved")
    D, B = Fraction(listed_models["values"]["D"]), number(Fraction(increments["values"]["B0_upper"]["log_of"]))
    c = number(of.value("c"))
    numbers = f"{number(of.value('reward_range'))} {number(of.value('later_range'))} {c} {B} {delta}"
    thetas, phis = kept(game)
    once = len(thetas) * len(phis) < math.prod(map(len, points(game)))
    doc, is_class = ("distinct", "is_class_too") if once else ("model", "is_class")
    bound = f"bound_1 {doc} reward {numbers} {m} tolds star"
    regret_1 = f"policy_regret_1 {doc} rule reward (Q2R {c}) {B} (Q2R {delta}) {m} past star"
    guarantee = CoqTheorem(
        "algorithm_regret",
        always(of, f"probability_1 {doc} reward (Q2R {c}) {B} (Q2R {delta}) {m} star", bound, regret_1, doc),
        f"refine (check_algorithm_sound {doc} values rule {m} rewards {numbers} tolds values_are {is_class} _). {CHECKED}",
    )
    mean = CoqTheorem(
        "algorithm_on_average",
        f"""forall star, In star (models {doc}) ->
  forall past, {m} - 1 <= List.length past -> (forall p, In p past -> p < {len(game.policies)}) -> forall T,
  (mean_1 {doc} reward (Q2R {c}) {B} (Q2R {delta}) {m} star T ({regret_1})
   <= {bound} T + 2 * Q2R {delta} * ((Q2R {number(D)} + INR ({m} - 1) * Q2R {number(of.value("later_range"))}) * INR T))%R""",
        f"intros star hs past pl pi T. refine (check_expected_sound {doc} values rule {m} rewards {numbers} {number(D)} tolds "
        f"values_are {is_class} _ star hs past pl pi T (algorithm_regret star hs past pl pi T)). {CHECKED}",
    )
    definitions = [
        f"Definition rule : block_rule := {rule}.",
        reward_definitions(of),
        *([same_models(thetas, phis)] if once else []),
        table_of_values(doc),
        policies_told(of, listed_models["evidence"], thetas, phis),
    ]
    same = CoqTheorem("same_models", "one_each model kept_thetas kept_phis", "exact one_of_each")
    also = ", for the class with one model for all that have its tables" if once else ""
    return of.stated(
        *([same] if once else []),
        guarantee,
        mean,
        *numbers_of_algorithm(of, doc, bound, numbers, D),
        says=f"P(regret of Algorithm 1 > bound_1 at some T) ≤ 2δ; it is below D t from t = {of.value('T_star')} on and not before{also}",
        left=LINES,
        requires=("Covering", "RealSums", "Regret", "HarmfulModels", "AlgorithmExpected", "AlgorithmFirst"),
        definitions="\n".join(definitions),
        imports="From Coq Require Import Reals Qreals.",
    )


def numbers_of_algorithm(of: Subject, doc: str, bound: str, numbers: str, D: Fraction) -> tuple[CoqTheorem, ...]:
    """Return the theorems that say what the bound of Algorithm 1 is at most at T, that it is below D t from T* on, and
    not before."""
    m, T, most, first = (
        of.facts.game.m,
        of.facts.options["T"],
        number(of.value("sharp_regret_upper")),
        of.value("T_star"),
    )
    every, of_list = f"forall star, In star (models {doc}) ->", f"{doc} reward values {m} {numbers} tolds"
    loses = CoqTheorem(
        "algorithm_loses",
        f"{every} ({bound} (N.to_nat {T}) <= Q2R {most})%R",
        f"refine (check_loss_sound {of_list} {T} _ values_are _). {CHECKED}",
    )
    below = CoqTheorem(
        "algorithm_worth",
        f"{every} forall t, N.to_nat {first} <= t ->\n  ({bound} t < Q2R {number(D)} * INR t)%R",
        f"refine (check_worth_sound {of_list} {first} {number(D)} values_are _). {CHECKED}",
    )
    not_before = CoqTheorem(
        "algorithm_not_before",
        f"exists star, In star (models {doc}) /\\ forall t, 1 <= t < N.to_nat {first} ->\n"
        f"  (Q2R {number(D)} * INR t <= {bound} t)%R",
        f"refine (check_algorithm_first_sound {of_list} {first} {number(D)} values_are _). {CHECKED}",
    )
    return loses, below, *((not_before,) if first > 1 else ())
