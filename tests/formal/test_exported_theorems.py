"""A certificate in Coq: what is true is proved, what is altered is refused at the check, what cannot be said is told."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import certify
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.exporters.coq import MODEL, Development, development
from pomgcheck.exporters.coq.coqc import Coq, listed_in, refusal
from pomgcheck.modelclass.document import load
from tests.cli.conftest import Run, pomgcheck
from tests.formal.lines import certificate_on_a_line
from tests.learner.classes import bandit, means

ROOT = Path(__file__).parents[2]
CERTIFICATES = ROOT / "certificates"
REALS = {  # the four axioms of Coq's real numbers
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
OVER_THE_REALS = {
    "constants",
    "kl_joint",
    "kl_world",
    "regret",
}  # files whose theorems speak of logarithms or probabilities
FALSE = "the check computes to false"

__all__ = ["pomgcheck"]


def read(path: Path) -> dict[str, Any]:
    """The document of a certificate, as it stands."""
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document


def altered(document: Mapping[str, Any], claim: str, **values: Any) -> dict[str, Any]:
    """The certificate with other values of one claim."""
    copy: dict[str, Any] = json.loads(json.dumps(document))
    next(entry for entry in copy["claims"] if entry["id"] == claim)["values"] |= values
    return copy


def confirmed(coq: Coq, found: Development, only: Sequence[str] | None = None) -> None:
    """Every theorem of every file, or of those named, is proved, on nothing or on the four axioms of the reals, as
    expected."""
    answers = coq.asked(found, only)
    assert dict.fromkeys(found.files if only is None else ["Model", *only], "") == {
        name: answer.refusal for name, answer in answers.items()
    }
    for name, answer in answers.items():
        assert (REALS if name in OVER_THE_REALS else set()) == answer.axioms, name


def test_patrol_is_confirmed(coq: Coq) -> None:
    """Every claim of patrol that has a checker is a theorem; the KL conversion, most of the time, is among the slow."""
    found = development(read(CERTIFICATES / "patrol.cert.json"))
    assert STATED == {claim.claim for claim in found.claims if claim.theorems}
    confirmed(coq, found, [name for name in found.files if name != "Model" and not name.startswith("kl_")])


STATED = {
    "factorization",
    "oom-identity",
    "nonexpansive",
    "posterior-lipschitz",
    "weak-revealing",
    "well-specified",
    "covering",
    "bounded-increments",
    "predictive-states",
    "kl-joint",
    "kl-world",
    "warmup-stationary",
    "eluder-world",
    "eluder-adversary",
    "regret",
    "constants",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["patrol", "tiger"])
def test_classes_are_confirmed_whole(coq: Coq, name: str) -> None:
    """Every claim with a checker is a theorem, 3.1(e) too, for a class of six states and six observations as well."""
    confirmed(coq, development(read(CERTIFICATES / f"{name}.cert.json")))


@pytest.mark.parametrize("name", ["drift-policy-form", "drift-table"])
def test_every_form_of_2_3_is_confirmed(coq: Coq, name: str) -> None:
    """The policy form, and responses to a table of blocks: L holds and no smaller one does; one that is raised or
    lowered is computed to be false."""
    document = read(ROOT / "tests" / "accepted" / f"{name}.cert.json")
    confirmed(coq, development(document), ["posterior_lipschitz"])
    for end, value in (("L_upper", "1/3"), ("L_lower", "2/3")):
        found = development(altered(document, "posterior-lipschitz", **{end: value}))
        assert coq.asked(found, ["posterior_lipschitz"])["posterior_lipschitz"].refusal.endswith(FALSE)


def test_2_4_at_reached_states_is_confirmed(coq: Coq) -> None:
    """Over the states that the class reaches 2.4 holds with alpha and with no larger one; an end that is raised or
    lowered, and a state that no model reaches, are computed to be false."""
    document = read(ROOT / "tests" / "accepted" / "drift-reachable.cert.json")
    confirmed(coq, development(document), ["weak_revealing"])
    unreached = altered(document, "weak-revealing")
    place = next(entry for entry in unreached["claims"] if entry["id"] == "weak-revealing")["evidence"]["attained"]
    place["q"] = [["s0", [], "1/3"], ["s1", [], "2/3"]]
    raised = altered(document, "weak-revealing", alpha_lower="51/100")
    for wrong in (raised, altered(document, "weak-revealing", alpha_upper="49/100"), unreached):
        assert coq.asked(development(wrong), ["weak_revealing"])["weak_revealing"].refusal.endswith(FALSE)


def test_a_change_of_sign_refutes_2_4(coq: Coq) -> None:
    """Between two states at which the signal has opposite signs some rational one is below every alpha, over every
    ordered field; two states on one side are computed to show nothing."""
    document = read(ROOT / "tests" / "accepted" / "refuted-crossing.cert.json")
    found = development(document)
    assert "check_crossing_sound" in found.files["weak_revealing"]
    confirmed(coq, found, ["weak_revealing"])
    place = next(entry for entry in document["claims"] if entry["id"] == "weak-revealing")["witness"]
    place["q_other"] = place["q"]
    assert coq.asked(development(document), ["weak_revealing"])["weak_revealing"].refusal.endswith(FALSE)


def test_fewer_models_do_not_cover(coq: Coq) -> None:
    """The covering number is the least: a list with a model twice is computed to be no list of different ones."""
    found = development(read(CERTIFICATES / "patrol.cert.json"))
    confirmed(coq, found, ["covering"])
    source = found.files["covering"]
    first, second = re.findall(r"\(\[[^;]*?\], \[[^;]*?\]\)", source)[:2]
    twice = source.replace(second, first, 1)
    answer = coq.asked(replace(found, files={**found.files, "covering": twice}), ["covering"])["covering"]
    assert answer.refusal.endswith(FALSE)


def test_fading_memory_is_confirmed(coq: Coq) -> None:
    """Averaged responses move by at most L_g times what their weights move, which settle by gamma an episode, and follow
    the posteriors of what they average; another L_g is computed to be false."""
    document = read(ROOT / "tests" / "accepted" / "drift-fading.cert.json")
    confirmed(coq, development(document), ["posterior_lipschitz", "warmup_stationary"])
    (entry,) = (entry for entry in document["claims"] if entry["id"] == "warmup-stationary")
    for times in (Fraction(99, 100), Fraction(101, 100)):
        other = str(Fraction(entry["values"]["L_g"]) * times)
        found = development(altered(document, "warmup-stationary", L_g=other))
        assert coq.asked(found, ["warmup_stationary"])["warmup_stationary"].refusal.endswith(FALSE)


def test_too_many_histories_are_told() -> None:
    """The checker of the policy form goes through every history: of kuhn, with too many, it is not asked."""
    claims = development(read(CERTIFICATES / "kuhn.cert.json")).claims
    (claim,) = (claim for claim in claims if claim.claim == "posterior-lipschitz")
    assert "too many" in claim.left
    assert () == claim.theorems


@pytest.mark.slow
@pytest.mark.parametrize("name", ["factor", "split-joint", "split-literal", "two-observations", "two-ways"])
def test_every_kind_of_tree_is_confirmed(coq: Coq, name: str) -> None:
    """Factors, cut edges in either form, windows of two observations: what the kernel accepts Coq proves."""
    confirmed(coq, development(read(ROOT / "tests" / "accepted" / f"{name}.cert.json")))


REFUSED = {
    "split-elsewhere": "weak-revealing",
    "eluder-upper-lowered": "eluder-world",
}  # the extracted kernel refuses all of them within seconds
REFUSED_SLOWLY = {
    "option-lipschitz-form-restated": "posterior-lipschitz",
    "eluder-lower-raised": "eluder-world",
    "eluder-query-left-out": "eluder-world",
    "eluder-query-repeated": "eluder-world",
    "eluder-scale-too-coarse": "eluder-world",
    "eluder-scale-too-fine": "eluder-world",
    "eluder-witness-of-the-truth": "eluder-world",
    "alpha-raised": "weak-revealing",
    "factor-altered": "weak-revealing",
    "alpha-above-upper": "weak-revealing",
    "alpha-zero": "weak-revealing",
    "attained-elsewhere": "weak-revealing",
    "attained-negative": "weak-revealing",
    "attained-not-normalised": "weak-revealing",
    "increments-attained-elsewhere": "bounded-increments",
    "lipschitz-attained-elsewhere": "posterior-lipschitz",
    "lipschitz-bracket-raised": "posterior-lipschitz",
    "witness-of-equal-responses": "posterior-lipschitz",
    "verdict-proved-refuted": "well-specified",
    "witness-seen": "weak-revealing",
    "conversion-attained-elsewhere": "kl-world",
    "conversion-raised": "kl-joint",
    "conversion-upper-lowered": "kl-joint",
    "conversion-world-raised": "kl-world",
    "conversion-zero": "kl-joint",
    "factor-too-large": "weak-revealing",
    "factor-where-emissions-differ": "weak-revealing",
    "option-form-restated": "weak-revealing",
    "split-at-one": "weak-revealing",
    "split-at-zero": "weak-revealing",
    "split-of-no-vertex": "weak-revealing",
    "split-of-one-vertex": "weak-revealing",
    "test-for-the-other-side": "weak-revealing",
    "test-out-of-bounds": "weak-revealing",
    "tree-missing": "weak-revealing",
}


@pytest.mark.parametrize(
    ("name", "claim"),
    [*REFUSED.items(), *(pytest.param(*each, marks=pytest.mark.slow) for each in REFUSED_SLOWLY.items())],
)
def test_a_rejected_golden_is_refused_at_the_check(coq: Coq, name: str, claim: str) -> None:
    """What the kernel rejects Coq reads, computes, and finds false; the class itself stands."""
    module = claim.replace("-", "_")
    answers = coq.asked(development(read(ROOT / "tests" / "rejected" / f"{name}.cert.json")), only=[module])
    assert answers[MODEL]
    assert answers[module].refusal.endswith(FALSE), answers[module].refusal


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "values"),
    [
        ("weak-revealing", {"alpha_upper": "408/1000"}),
        ("bounded-increments", {"B0_lower": {"log_of": "2"}}),
        ("regret", {"D": "1/6"}),
    ],
)
def test_a_wrong_value_is_refused_at_the_check(coq: Coq, claim: str, values: dict[str, Any]) -> None:
    """Ends of brackets that are not attained, and a D that is not the largest cost, are computed to be false."""
    found = development(altered(read(CERTIFICATES / "patrol.cert.json"), claim, **values))
    module = claim.replace("-", "_")
    assert coq.asked(found, only=[module])[module].refusal.endswith(FALSE)


def alone(found: Development, module: str, theorem: str) -> Development:
    """The development with one theorem of a file, the definitions before it, and the question what it rests on."""
    head, name, rest = found.files[module].partition(f"Theorem {theorem} :")
    source = head.partition("Theorem")[0] + name + rest.partition("Qed.\n")[0] + "Qed.\n"
    source += f"Definition theorems := ({theorem}).\nPrint Assumptions theorems.\n"
    return Development({**found.files, module: source}, found.claims)


@pytest.mark.parametrize(
    ("theorem", "values"),
    [
        ("algorithm_loses", {"sharp_regret_upper": "263467/1000"}),
        ("algorithm_worth", {"T_star": "1216"}),
        ("algorithm_not_before", {"T_star": "1218"}),
        ("algorithm_regret", {"reward_range": "199/100"}),
        ("algorithm_regret", {"later_range": "199/100"}),
        ("algorithm_regret", {"c": "159/10"}),
    ],
)
def test_a_wrong_bound_of_algorithm_1_is_refused_at_the_check(coq: Coq, theorem: str, values: dict[str, str]) -> None:
    """The number at T cannot be lowered by one in 1,000,000, nor a range of rewards or c at all; T* can be neither
    lowered nor raised by one."""
    found = development(altered(read(CERTIFICATES / "patrol.cert.json"), "constants", **values))
    answer = coq.asked(alone(found, "constants", theorem), only=["constants"])["constants"]
    assert answer.refusal.endswith(FALSE)


@pytest.mark.parametrize(("theorem", "right", "wrong"), [("algorithm_worth", 15, 14), ("algorithm_not_before", 15, 16)])
def test_an_early_T_star_is_confirmed(coq: Coq, theorem: str, right: int, wrong: int) -> None:
    """Where the quotient is not known to fall the bound is computed: of patrol it is below 36/5 t from t = 15 on, and
    at no t before."""
    document = altered(read(CERTIFICATES / "patrol.cert.json"), "regret", D="36/5")

    def refusal_at(first: int) -> str:
        found = alone(development(altered(document, "constants", T_star=str(first))), "constants", theorem)
        return coq.asked(found, only=["constants"])["constants"].refusal

    assert not refusal_at(right)
    assert refusal_at(wrong).endswith(FALSE)


@pytest.mark.parametrize(
    ("name", "theorem", "values"),
    [
        ("patrol", "nested_loses", {"nested_regret_upper": "1999999/1000000"}),
        ("patrol", "nested_loses_ever", {"gap_upper": "1999999/1000000"}),
        ("patrol", "nested_worth", {"worth_T": "11"}),
        ("patrol", "nested_not_before", {"worth_T": "13"}),
        ("patrol", "regret", {"span": "1999999/1000000"}),
        pytest.param("tiger", "nested_loses", {"nested_regret_upper": "109824999/1000000"}, marks=pytest.mark.slow),
        pytest.param("tiger", "nested_loses_ever", {"gap_upper": "109824999/1000000"}, marks=pytest.mark.slow),
        pytest.param("tiger", "nested_worth", {"worth_T": "42"}, marks=pytest.mark.slow),
    ],
)
def test_a_wrong_bound_of_theorem_n_is_refused_at_the_check(
    coq: Coq, name: str, theorem: str, values: dict[str, str]
) -> None:
    """Neither the number at T nor that at any time can be lowered by one in 1,000,000, nor R' at all; worth_T can be
    neither lowered nor raised by one."""
    found = development(altered(read(CERTIFICATES / f"{name}.cert.json"), "regret", **values))
    answer = coq.asked(alone(found, "regret", theorem), only=["regret"])["regret"]
    assert answer.refusal.endswith(FALSE)


def test_where_a_divergence_is_infinite_3_1_e_is_asked_of_the_others(coq: Coq) -> None:
    """The ends of c are theorems about the divergences that are finite; another end is computed to be false, and so is
    the lower one where it is asked of all divergences."""
    document = read(ROOT / "tests" / "accepted" / "refuted-increments.cert.json")
    found = development(document)
    confirmed(coq, found, ["kl_joint", "kl_world"])
    source = found.files["kl_joint"]
    everywhere = source.replace("kl_finite model false", "kl_joint model").replace("check_kl_finite", "check_kl_joint")
    everywhere = everywhere.replace("no_more_finite model false", "no_more_kl_joint model")
    raised = altered(document, "kl-joint", c_KL_joint_lower="139/50")
    lowered = altered(document, "kl-joint", c_KL_joint_upper="138/50")
    for broken in (everywhere, development(raised).files["kl_joint"], development(lowered).files["kl_joint"]):
        assert broken != source
        answers = coq.asked(Development({**found.files, "kl_joint": broken}, found.claims), only=["kl_joint"])
        assert answers["kl_joint"].refusal.endswith(FALSE)


def test_models_with_the_same_tables_count_once(coq: Coq) -> None:
    """All numbers of Algorithm 1 are theorems of the class with one model for all that have its tables; that fewer of
    those are all there are, or that none of them does harm, is computed to be false."""
    found = development(read(ROOT / "tests" / "accepted" / "two-ways.cert.json"))
    (constants,) = (claim for claim in found.claims if claim.claim == "constants")
    numbers = ["algorithm_loses", "algorithm_worth", "algorithm_not_before"]
    assert ["same_models", "algorithm_regret", "algorithm_on_average", *numbers] == [
        theorem.name for theorem in constants.theorems
    ]
    confirmed(coq, found, ["constants"])
    source = found.files["constants"]
    for whole, less in (('; [("w", (1#2)%Q); ("x", (1#2)%Q)]]', "]"), ("(2, [(0,", "(0, [(0,")):
        assert whole in source
        broken = Development({**found.files, "constants": source.replace(whole, less)}, found.claims)
        assert coq.asked(broken, only=["constants"])["constants"].refusal.endswith(FALSE)


def test_one_episode_may_tell_everything(coq: Coq) -> None:
    """Where no trajectory is possible in both models a policy that costs is played once; that it costs less is computed
    to be false."""
    worlds = {"points": [means("1", "0"), means("0", "1")]}
    truth = {"worlds": worlds["points"][0], "responses": {}}
    document = certify(load(bandit(worlds, 2) | {"truth": truth})).document
    assert "1" == next(claim for claim in document["claims"] if claim["id"] == "regret")["values"]["gap_upper"]
    confirmed(coq, development(document), ["regret"])
    found = alone(development(altered(document, "regret", gap_upper="99/100")), "regret", "nested_loses_ever")
    assert coq.asked(found, only=["regret"])["regret"].refusal.endswith(FALSE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("truth", "lowered"),
    [(0, {"policies": [{"c": "17963313/62500000", "pi": "left"}]}), (1, {"harmful": 2}), (0, {"policies": []})],
    ids=["told", "harmful", "policy"],
)
def test_less_than_what_harmful_models_may_do_is_refused_at_the_check(
    coq: Coq, truth: int, lowered: dict[str, Any]
) -> None:
    """An episode is not said to tell more than it does, nor are harmful models or their policies left out: neither in
    Theorem N nor in the theorem of Algorithm 1."""
    document = read(CERTIFICATES / "tiger.cert.json")
    regret = next(claim for claim in document["claims"] if claim["id"] == "regret")
    regret["evidence"]["truths"][truth] |= lowered
    for module, theorem in (("regret", "regret"), ("constants", "algorithm_regret")):
        found = alone(development(document), module, theorem)
        assert coq.asked(found, only=[module])[module].refusal.endswith(FALSE)


def test_where_no_policy_costs_anything_nothing_is_said_of_algorithm_1() -> None:
    """The claim regret is vacuous there, and the bound of Algorithm 1 is made of what that claim settles."""
    document = read(CERTIFICATES / "patrol.cert.json")
    next(claim for claim in document["claims"] if claim["id"] == "regret")["verdict"] = "vacuous"
    constants = next(claim for claim in development(document).claims if claim.claim == "constants")
    assert () == constants.theorems
    assert constants.left.startswith("the claim regret")


def test_a_row_that_does_not_sum_to_one_is_refused(coq: Coq) -> None:
    """A class that is none is refused by Coq itself, and with it everything said about it."""
    found = development(read(CERTIFICATES / "patrol.cert.json"))
    emission = "learner_emission := (Always [[(Num (17#20)%Q); (Num (3#20)%Q)]"
    broken = found.files[MODEL].replace(emission, emission.replace("17#20", "16#20"))
    assert broken != found.files[MODEL]
    answers = coq.asked(Development({**found.files, MODEL: broken}, found.claims), only=["factorization"])
    assert answers[MODEL].refusal.endswith(FALSE)
    assert "refused with Model.v" in answers["factorization"].refusal


def test_a_proof_that_rests_on_an_axiom_is_refused(coq: Coq) -> None:
    """A theorem that Coq accepts on the strength of an added axiom is not confirmed."""
    found = development(read(CERTIFICATES / "patrol.cert.json"))
    source = found.files["oom_identity"].replace("Theorem", "Axiom magic : oom_identity model.\nTheorem")
    source = source.replace("exact (oom_identity_holds model)", "exact magic")
    answer = coq.asked(Development({**found.files, "oom_identity": source}, found.claims), only=["oom_identity"])
    assert "refused: it rests on magic" == str(answer["oom_identity"])


def test_a_theorem_that_is_left_out_of_the_question_is_refused(coq: Coq) -> None:
    """Coq is asked about all theorems of a file together: one that is not among them, here for resting on an axiom, is
    noticed."""
    found = development(read(CERTIFICATES / "patrol.cert.json"))
    added = "Axiom magic : False.\nTheorem more :\n  1 = 2.\nProof. destruct magic. Qed.\nDefinition theorems"
    source = found.files["oom_identity"].replace("Definition theorems", added)
    answer = coq.asked(Development({**found.files, "oom_identity": source}, found.claims), only=["oom_identity"])
    assert "refused: Coq did not say what every theorem rests on" == str(answer["oom_identity"])


def test_labels_may_hold_anything(coq: Coq) -> None:
    """Quotes, ends of comments and other alphabets in names and labels do not leave their strings."""
    document = read(CERTIFICATES / "patrol.cert.json")
    text = json.dumps(document).replace('"calm"', '"*)\\"calm"').replace('"noise"', '"θόρυβος(*"')
    document = json.loads(text)
    document["model"]["name"] = '*) Axiom x : False. (* "'
    assert coq.asked(development(document), only=[])[MODEL]


def test_every_claim_is_listed() -> None:
    """The file of the class names all sixteen claims, those that are not in Coq with the reason."""
    found = development(read(CERTIFICATES / "confounded.cert.json"))
    head = found.files[MODEL].partition("*)")[0]
    for claim in found.claims:
        assert re.search(rf"^      {claim.claim}: {claim.verdict}; \w", head, re.M), claim.claim
        assert bool(claim.theorems) == (f"{claim.module}.v" in head)
        assert claim.theorems or claim.left


@pytest.mark.parametrize("of_world", [True, False])
def test_an_upper_end_through_signs_is_confirmed(coq: Coq, tmp_path: Path, of_world: bool) -> None:
    """Where Lemma C.1 alone gives the upper end of a dimension it is a theorem, over the reals; one less is computed to
    be more than the lemma gives."""
    claim, letter, end = ("eluder-world", "W", 11) if of_world else ("eluder-adversary", "G", 15)
    path, module = certificate_on_a_line(of_world, tmp_path), claim.replace("-", "_")
    found = development(read(path))
    assert "through_signs_sound" in found.files[module]
    answer = coq.asked(found, [module])[module]
    assert ("", REALS) == (answer.refusal, answer.axioms)
    lower = found.files[module].replace(f"(1#2)%Q {end}", f"(1#2)%Q {end - 1}")
    assert f"d_{letter}_upper" not in lower
    refused = coq.asked(replace(found, files={**found.files, module: lower}), [module])
    assert refused[module].refusal.endswith(FALSE)


def test_points_that_span_are_found(coq: Coq, monkeypatch: pytest.MonkeyPatch) -> None:
    """bilinear has six worlds in three dimensions: Lemma C.1 gives 148, and no less."""
    document = altered(read(CERTIFICATES / "bilinear.cert.json"), "eluder-world", d_W_upper="148")
    found = development(document)
    assert "through_signs_sound model true (1#32768)%Q 148" in found.files["eluder_world"]
    assert not coq.asked(found, ["eluder_world"])["eluder_world"].refusal
    monkeypatch.setattr("pomgcheck.exporters.coq.theorems.sign_witness", lambda p, C: 147)
    found = development(altered(document, "eluder-world", d_W_upper="147"))
    assert coq.asked(found, ["eluder_world"])["eluder_world"].refusal.endswith(FALSE)


@pytest.mark.parametrize(("claim", "rank"), [("eluder-world", "p_W"), ("eluder-adversary", "p_G")])
def test_ranks_are_confirmed(coq: Coq, claim: str, rank: str) -> None:
    """The channels of the six worlds of bilinear differ in three dimensions, and its responses in one, over every
    ordered field; one less and one more are computed to be false."""
    document, module = read(CERTIFICATES / "bilinear.cert.json"), claim.replace("-", "_")
    (entry,) = (entry for entry in document["claims"] if entry["id"] == claim)
    p = int(entry["values"][rank])
    assert {"p_W": 3, "p_G": 1}[rank] == p
    found = alone(development(document), module, "rank")
    confirmed(coq, found, [module])
    for other in (p - 1, p + 1):
        found = alone(development(altered(document, claim, **{rank: str(other)})), module, "rank")
        assert coq.asked(found, [module])[module].refusal.endswith(FALSE)


def test_a_rank_of_too_many_entries_is_told() -> None:
    """W of kuhn has 1,512,000 entries, whose rank is not asked; that of G is."""
    claims = {claim.claim: claim for claim in development(read(CERTIFICATES / "kuhn.cert.json")).claims}
    assert "more than 100,000 entries of W" in claims["eluder-world"].left
    names = [[theorem.name for theorem in claims[f"eluder-{side}"].theorems] for side in ("world", "adversary")]
    assert [["dimension_at_least", "dimension_at_most"], ["dimension_at_least", "dimension_at_most", "rank"]] == names


def test_summed_operators_are_not_passed_for_realised_ones() -> None:
    """3.1(e) and the Eluder classes of a certificate with summed operators have no theorem, and their files say why;
    what else is stated is that of the realised reading, but for the file of the class."""
    summed, realised = (
        development(read(ROOT / "tests" / "accepted" / f"{name}.cert.json")) for name in ("drift-summed", "drift")
    )
    left = {claim.claim: claim.left for claim in summed.claims if not claim.theorems}
    unstated = {"kl-joint", "kl-world", "eluder-world", "eluder-adversary"}
    assert unstated == {*left} - {claim.claim for claim in realised.claims if not claim.theorems}
    assert "operators are summed" in left["kl-joint"]
    assert "operators are summed" in summed.files[MODEL]


def test_long_numbers_are_refused() -> None:
    """A number that Coq would read for minutes is told before anything is written."""
    document = read(CERTIFICATES / "patrol.cert.json")
    document["model"]["worlds"]["parameters"]["x"]["values"][0] = "1/1" + "0" * 3100
    with pytest.raises(LimitExceeded, match="digits of a number"):
        development(document)


def test_why_coqc_failed_is_told() -> None:
    """A false check is told from other errors, which are quoted."""
    said = 'File "./x.v", line 7, characters 0-4:\nError:\nThe term "eq_refl" has type "true = true" while it is\n'
    assert "refused at line 7: the check computes to false" == refusal(f'{said}expected to have type "c = true".', 1)
    assert "refused at line 2: Syntax error." == refusal(
        'File "./x.v", line 2, characters 0-4:\nError: Syntax error.', 1
    )
    assert "refused (coqc ended with -9)" == refusal("", -9)


# ------------------------------------------------------------------------------------------ the commands


def test_the_command_writes_what_it_says(pomgcheck: Run, tmp_path: Path) -> None:
    """``export --coq``: the class, a file per claim that is stated, and a table of all claims."""
    done = pomgcheck("export", CERTIFICATES / "patrol.cert.json", "--coq", "theorems")
    assert 0 == done.returncode, done.stderr
    written = {path.stem for path in (tmp_path / "theorems").iterdir()}
    assert {MODEL, *(name.replace("-", "_") for name in STATED)} == written
    assert f"theorems of {len(STATED)} of 16 claims" in done.stdout
    for name in STATED:
        assert re.search(rf"^{name} ", done.stdout, re.M)


def test_the_command_says_what_coq_confirmed(coq: Coq, pomgcheck: Run) -> None:
    """``verify --coq``: the kernel's line, Coq's answer per claim, its version and the digest of the library."""
    certificate = ROOT / "tests" / "accepted" / "vacuous.cert.json"  # of one model, so that Coq is soon done
    done = pomgcheck("verify", certificate, "--coq", "--library", coq.library)
    assert 0 == done.returncode, done.stdout + done.stderr
    assert re.search(r"^posterior-lipschitz +✓ proved +confirmed; no axioms", done.stdout, re.M)
    assert re.search(r"^kl-joint +∅ vacuous +–", done.stdout, re.M)
    assert f"Coq {coq.version} confirmed" in done.stdout
    assert coq.digest in done.stdout


def test_without_coqc_a_sentence_names_the_packages(pomgcheck: Run, tmp_path: Path) -> None:
    """``verify --coq`` ends with 2 and names what to install; ``export --coq`` writes the files all the same."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    path = str(tmp_path / "bin")
    done = pomgcheck("verify", CERTIFICATES / "patrol.cert.json", "--coq", PATH=path)
    assert 2 == done.returncode
    assert "apt-get install coq libcoq-coquelicot" in done.stderr
    assert not done.stdout
    assert 0 == pomgcheck("export", CERTIFICATES / "patrol.cert.json", "--coq", "theorems", PATH=path).returncode
    assert (tmp_path / "theorems" / "weak_revealing.v").exists()


@pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc here")
def test_a_library_that_is_not_there_or_not_compiled_is_told(pomgcheck: Run, tmp_path: Path) -> None:
    """A folder without the development, and one whose sources are not compiled: one sentence each, exit code 2."""
    certificate = CERTIFICATES / "patrol.cert.json"
    done = pomgcheck("verify", certificate, "--coq", POMGCHECK_FORMAL=str(tmp_path))
    assert (2, 1) == (done.returncode, done.stderr.count("\n"))
    assert "no Coq development" in done.stderr
    ignored = shutil.ignore_patterns("*.vo", "*.vok", "*.vos", "*.glob", ".*")
    shutil.copytree(ROOT / "formal", tmp_path / "formal", ignore=ignored)
    done = pomgcheck("verify", certificate, "--coq", "--library", "formal")
    assert (2, 1) == (done.returncode, done.stderr.count("\n"))
    assert "make -C formal" in done.stderr


@pytest.mark.parametrize(
    ("file", "told"), [("Logs.v", "another one than was compiled"), ("Logs.vo", "not what was compiled")]
)
def test_a_library_is_known_by_what_it_holds(coq: Coq, tmp_path: Path, file: str, told: str) -> None:
    """A source or a compiled file that is another one is told, however old it says it is."""
    library = tmp_path / "formal"
    shutil.copytree(coq.library, library)
    assert coq.digest == Coq.found(library).digest
    when = (library / file).stat()
    (library / file).write_bytes((library / file).read_bytes() + b" ")
    os.utime(library / file, ns=(when.st_atime_ns, when.st_mtime_ns - 10**12))
    with pytest.raises(InputError, match=f"{file} {told}"):
        Coq.found(library)


@pytest.mark.slow
def test_the_checker_of_compiled_files_accepts_the_library(coq: Coq) -> None:
    """``coqchk``, Coq's small checker that has no virtual machine, accepts every file of the library again; what all of it
    rests on are the four axioms of the reals."""
    names = [f"Pomgcheck.{source.stem}" for source in listed_in(coq.library)]
    command = ["coqchk", "-silent", "-o", "-R", str(coq.library), "Pomgcheck", "-norec", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    summary = done.stdout + done.stderr  # which of the two it is depends on the version
    axioms = summary.partition("* Axioms:")[2].partition("*")[0].split()
    assert {"sig_forall_dec", "sig_not_dec", "functional_extensionality_dep", "classic"} == {
        axiom.rpartition(".")[2] for axiom in axioms
    }
    assert not any(axiom.startswith("Pomgcheck") for axiom in axioms)


@pytest.mark.parametrize(
    ("path", "code", "told"),
    [
        ("tests/malformed/row-of-another-sum.json", 1, "sum 1"),
        ("tests/malformed/undeclared-parameter.json", 1, "'z'"),
        ("tests/rejected/alpha-raised.cert.json", 1, "test function 0 does not show it"),
        ("certificates/patrol-operators.cert.json", 2, "given by operators"),
        ("tests/accepted/whole-histories.cert.json", 2, 'window "full"'),
    ],
)
def test_what_cannot_be_exported_is_told(pomgcheck: Run, tmp_path: Path, path: str, code: int, told: str) -> None:
    """A class that is none, a certificate that the kernel rejects, a class that no finite document describes: one
    sentence, and nothing is written."""
    done = pomgcheck("export", ROOT / path, "--coq", "theorems")
    assert code == done.returncode
    assert told in done.stderr
    assert (1, "") == (done.stderr.count("\n"), done.stdout)
    assert not os.listdir(tmp_path)
