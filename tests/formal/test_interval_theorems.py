"""A certificate of a class with interval axes in Coq: what holds at every point, and what some points show."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.errors import InputError
from pomgcheck.exporters.coq import MODEL, Development, development
from pomgcheck.exporters.coq.coqc import Coq
from pomgcheck.kernel.claims import BY_ID
from tests.cli.conftest import Run, pomgcheck
from tests.formal.test_exported_theorems import FALSE, REALS, altered, read

ROOT = Path(__file__).parents[2]
ACCEPTED = ROOT / "tests" / "accepted"
CERTIFICATES = ROOT / "certificates"

__all__ = ["pomgcheck"]


def asked(coq: Coq, found: Development, *only: str) -> dict[str, str]:
    """What is wrong with each file, or "" where every theorem is proved: on nothing, or on the reals in files about
    divergences."""
    answers = coq.asked(found, only)
    for name, answer in answers.items():
        assert not answer or answer.axioms == (REALS if name.startswith("kl_") else set()), name
    return {name: answer.refusal for name, answer in answers.items()}


def changed(document: Mapping[str, Any], claim: str, part: str, place: Mapping[str, Any]) -> dict[str, Any]:
    """The certificate with another witness, or another place where an end is attained."""
    copy: dict[str, Any] = json.loads(json.dumps(document))
    entry = next(entry for entry in copy["claims"] if entry["id"] == claim)
    (entry["evidence"]["attained"] if part == "attained" else entry[part]).update(place)
    return copy


def test_rows_and_theorem_2_5_hold_at_every_point(coq: Coq) -> None:
    """Every row of watch is a distribution on the whole box, and so Theorem 2.5 holds there; the truth is a point of it,
    and equal policies are answered alike."""
    found = development(read(CERTIFICATES / "watch.cert.json"))
    assert "everywhere model class_of_games" in found.files[MODEL]
    names = "factorization", "oom_identity", "nonexpansive", "well_specified", "warmup_stationary"
    assert dict.fromkeys((MODEL, *names), "") == asked(coq, found, *names)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("certificates/watch", "(Num (7#10)%Q); (Num (3#10)%Q)", "(Num (7#10)%Q); (Num (2#10)%Q)"),
        ("certificates/watch", "((1#20)%Q, (3#20)%Q)", "((1#20)%Q, (11#20)%Q)"),
        ("certificates/odds", '("r", ((1)%Q, (2)%Q))', '("r", ((-5)%Q, (2)%Q))'),
        ("tests/accepted/interval-tied", "(Num (7)%Q)", "(Num (9)%Q)"),
    ],
    ids=["another sum", "negative inside the box", "a divisor that vanishes", "a constraint that lets too much in"],
)
def test_a_row_that_is_no_distribution_somewhere_is_refused(coq: Coq, path: str, before: str, after: str) -> None:
    """A row that does not sum to one, an entry that is negative at some point of the box, a divisor that is zero at one,
    and a constraint beyond which an entry is negative: the class is computed to be none."""
    found = development(read(ROOT / f"{path}.cert.json"))
    broken = found.files[MODEL].replace(before, after)
    assert broken != found.files[MODEL]
    answer = coq.asked(replace(found, files={MODEL: broken}))[MODEL]
    assert answer.refusal.endswith(FALSE)


@pytest.mark.parametrize(
    "name",
    [
        "interval-quotients",
        "interval-tied",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in (
                "interval",
                "interval-answers",
                "interval-answers-policy-form",
                "interval-bandit",
                "interval-blocks",
                "interval-blocks-policy-form",
                "interval-fading",
                "interval-impossible",
                "interval-meeting",
                "interval-net",
                "interval-net-own",
                "interval-splits",
                "pairs-cuts",
                "pairs-factor",
                "pairs-over",
                "pairs-summed",
                "pairs-vanishing",
            )
        ),
    ],
)
def test_accepted_classes_are_confirmed(coq: Coq, name: str) -> None:
    """Whatever is stated of an accepted certificate Coq proves; every claim is stated, or says why it is not."""
    found = development(read(ACCEPTED / f"{name}.cert.json"))
    assert [*BY_ID] == [claim.claim for claim in found.claims]
    assert all(claim.theorems or claim.left for claim in found.claims)
    answers = asked(coq, found, *found.files)
    assert dict.fromkeys(found.files, "") == answers


ENDS = [  # claim, part of its entry, another place
    ("watch", "posterior-lipschitz", "attained", {"h": 2, "tau_B": ["dark", "wait", "dark"]}),
    ("watch", "weak-revealing", "attained", {"q": [["calm", [], "1/2"], ["alarm", [], "1/2"]]}),
    ("watch", "bounded-increments", "attained", {"pi": "idle"}),
    ("impossible-end", "predictive-states", "witness", {"trajectory": ["whole", "cross"] * 3}),
    ("relabelled-interval", "weak-revealing", "witness", {"q": [["left", [], "1"]]}),
]


@pytest.mark.parametrize(("name", "claim", "part", "place"), ENDS)
def test_another_place_shows_nothing(coq: Coq, name: str, claim: str, part: str, place: dict[str, Any]) -> None:
    """An end of a bracket, or a refutation, is proved at the place that the certificate names; at another it is computed
    to be false."""
    document = read(CERTIFICATES / f"{name}.cert.json")
    module = claim.replace("-", "_")
    assert {MODEL: "", module: ""} == asked(coq, development(document), module)
    wrong = development(changed(document, claim, part, place))
    assert asked(coq, wrong, module)[module].endswith(FALSE)


@pytest.mark.parametrize(("claim", "letter", "end"), [("eluder-world", "W", 4), ("eluder-adversary", "G", 3)])
def test_dimensions_are_bounded_on_whole_boxes(coq: Coq, claim: str, letter: str, end: int) -> None:
    """Four policies of watch may tell its worlds apart, and three its responses, as one is answered alike by all: one
    less is computed to be false, and is not stated."""
    document, module = read(CERTIFICATES / "watch.cert.json"), claim.replace("-", "_")
    found = development(document)
    assert {MODEL: "", module: ""} == asked(coq, found, module)
    fewer = found.files[module].replace(f"(1#32768)%Q {end} _", f"(1#32768)%Q {end - 1} _")
    fewer = fewer.replace(f"at_most d (1#32768)%Q {end}", f"at_most d (1#32768)%Q {end - 1}")
    assert 2 == sum(a != b for a, b in zip(fewer.splitlines(), found.files[module].splitlines(), strict=True))
    answers = asked(coq, replace(found, files={**found.files, module: fewer}), module)
    assert answers[module].endswith(FALSE)
    lowered = development(altered(document, claim, **{f"d_{letter}_upper": str(end - 1)}))
    (stated,) = (entry for entry in lowered.claims if entry.claim == claim)
    assert "the upper end" in stated.left
    assert "dimension_at_most" not in {theorem.name for theorem in stated.theorems}


def test_a_point_outside_the_box_refutes_nothing(coq: Coq) -> None:
    """Some models refute what is claimed of the class only where they are models of it."""
    found = development(read(CERTIFICATES / "impossible-end.cert.json"))
    source = found.files["predictive_states"]
    outside = re.sub(r'\("x", \(1#4\)%Q\)', '("x", (1#3)%Q)', source)
    assert source != outside
    files = {**found.files, "predictive_states": outside}
    answer = coq.asked(replace(found, files=files), ["predictive_states"])["predictive_states"]
    assert answer.refusal.endswith(FALSE)


def test_models_close_together_are_told_apart(coq: Coq) -> None:
    """c of watch is attained by models whose divergence is about 10^-13: logarithms at 256 bits show it, and c lowered
    by a thousandth is computed to be false."""
    document = read(CERTIFICATES / "watch.cert.json")
    assert {MODEL: "", "kl_joint": ""} == asked(coq, development(document), "kl_joint")
    lowered = altered(document, "kl-joint", c_KL_joint_upper="499385/1000000")
    assert asked(coq, development(lowered), "kl_joint")["kl_joint"].endswith(FALSE)


def test_laws_are_bounded_on_whole_boxes(coq: Coq) -> None:
    """B_0 and the positivity of laws hold at all pairs of points of brewing; a smaller B, and a law that is said to be
    larger than it is, are computed to be false."""
    found = development(read(CERTIFICATES / "brewing.cert.json"))
    assert all("everywhere model" in found.files[name] for name in ("bounded_increments", "predictive_states"))
    assert "" == asked(coq, found, "bounded_increments", "predictive_states")["bounded_increments"]
    increments = found.files["bounded_increments"]
    head, _, rest = increments.partition("Theorem increments_bounded :")
    for wrong in (
        f"{head}Theorem increments_bounded :{rest.replace('(46#31)%Q', '(45#31)%Q')}",
        re.sub(r"(least : list \(list Q\) := \[\[)[^;\]]+", r"\1(1)%Q", increments),
    ):
        assert wrong != increments
        files = {**found.files, "bounded_increments": wrong}
        assert asked(coq, replace(found, files=files), "bounded_increments")["bounded_increments"].endswith(FALSE)


def test_responses_follow_posteriors_on_whole_boxes(coq: Coq) -> None:
    """L of interval-answers holds at every point of two cells of Theta and of the box of Psi; that a smaller L does,
    that responses are closer together than they are, and that L holds on a larger Psi or a larger Theta, are computed to
    be false."""
    found, module = development(read(ACCEPTED / "interval-answers.cert.json")), "posterior_lipschitz"
    assert "" == asked(coq, found, module)[module]
    rest = found.files[module].partition("Theorem responses_follow_everywhere :")[2]
    for file, before, after in (
        (module, rest, rest.replace("(4#7)%Q", "(3999999#7000000)%Q")),
        (module, "gaps : gap_bounds := [[]; [[[(1#2)%Q]", "gaps : gap_bounds := [[]; [[[(499999#1000000)%Q]"),
        (MODEL, '("y", ((1#8)%Q, (1#4)%Q))', '("y", ((1#8)%Q, (3#8)%Q))'),
        (MODEL, '("x", ((1#16)%Q, (1#8)%Q)); ("z", ((1#4)', '("x", ((1#32)%Q, (1#8)%Q)); ("z", ((1#4)'),
    ):
        assert 1 == found.files[file].count(before), before
        wrong = replace(found, files={**found.files, file: found.files[file].replace(before, after)})
        answers = asked(coq, wrong, module)
        assert "" == answers[MODEL]
        assert answers[module].endswith(FALSE)


@pytest.mark.parametrize("name", ["interval-blocks", "interval-blocks-policy-form"])
def test_responses_to_blocks_follow_posteriors_on_whole_boxes(coq: Coq, name: str) -> None:
    """L of a table of blocks holds at every point, by one pair of policies below the cut and by another above; a smaller
    L, responses closer together than they are, and none of the parts to choose on, are computed to be false, and so is L
    on a larger Psi."""
    found, module = development(read(ACCEPTED / f"{name}.cert.json")), "posterior_lipschitz"
    assert {MODEL: "", module: ""} == asked(coq, found, module)
    rest = found.files[module].partition("Theorem responses_follow_everywhere :")[2]
    (gaps,) = re.findall(r"^Definition gaps .*$", found.files[module], re.M)
    for file, before, after in (
        (module, rest, rest.replace("(1#2)%Q", "(499999#1000000)%Q")),
        (module, gaps, gaps.replace("(1#4)%Q", "(249999#1000000)%Q")),
        (module, "cuts : list (nat * Q) := [(0, (1#2)%Q)]", "cuts : list (nat * Q) := []"),
        (MODEL, '("u", ((0)%Q, (1#8)%Q))', '("u", ((0)%Q, (1#7)%Q))'),
    ):
        assert 1 == found.files[file].count(before), before
        wrong = replace(found, files={**found.files, file: found.files[file].replace(before, after)})
        answers = asked(coq, wrong, module)
        assert "" == answers[MODEL]
        assert answers[module].endswith(FALSE)


def test_averages_and_the_policy_form_follow_on_whole_boxes(coq: Coq) -> None:
    """Averages of responses, as a fading memory has them, follow posteriors by the L of single policies, where it shows
    without weights of the constraint; and L of the step form serves in the policy form."""
    fading = read(ACCEPTED / "interval-fading.cert.json")
    fading["model"]["responses"]["parameters"]["z"]["interval"][1] = "1/4"
    policies = altered(read(ACCEPTED / "interval-answers-policy-form.cert.json"), "posterior-lipschitz", L_upper="4/7")
    module = "posterior_lipschitz"
    for document, statement in (
        (fading, "posterior_lipschitz_averaged d false (10#13)%Q"),
        (policies, "posterior_lipschitz d Mean 2 true (4#7)%Q"),
    ):
        found = development(document)
        assert f"everywhere model (fun d => {statement})" in found.files[module]
        assert {MODEL: "", module: ""} == asked(coq, found, module)
        head, name, rest = found.files[module].partition("Theorem responses_follow_everywhere :")
        wrong = head + name + re.sub(r"\((10#13|4#7)\)%Q", "(1#2)%Q", rest)
        assert asked(coq, replace(found, files={**found.files, module: wrong}), module)[module].endswith(FALSE)


def test_a_fading_memory_settles_on_the_whole_box(coq: Coq) -> None:
    """L_g of interval-fading holds at every point, where it shows without weights of the constraint; a smaller one, and
    the same on a larger box, are computed to be false. Where it does not show, that is said."""
    document, module = read(ACCEPTED / "interval-fading.cert.json"), "warmup_stationary"
    (claim,) = (claim for claim in development(document).claims if claim.claim == "warmup-stationary")
    assert not claim.theorems
    assert "signs that do not show" in claim.left
    document["model"]["responses"]["parameters"]["z"]["interval"][1] = "1/4"
    found = development(document)
    assert {MODEL: "", module: ""} == asked(coq, found, module)
    for file, before, after in (
        (module, "(5#16)%Q", "(4999#16000)%Q"),
        (MODEL, '("y", ((1#8)%Q, (1#2)%Q))', '("y", ((1#8)%Q, (5#8)%Q))'),
    ):
        source = found.files[file]
        assert before in source
        files = {**found.files, file: source.replace(before, after)}
        answers = asked(coq, replace(found, files=files), module)
        assert "" == answers[MODEL]
        assert answers[module].endswith(FALSE)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("certificates/odds", None, "quotients of polynomials"),
        ("tests/accepted/interval-blocks", "499999/1000000", "signs that do not show"),
        ("tests/accepted/interval-answers", "3999999/7000000", "signs that do not show"),
        ("tests/accepted/interval-fading", None, "signs that do not show"),
    ],
    ids=["quotients", "a smaller L of blocks", "a smaller L", "a gap that needs weights"],
)
def test_an_L_that_does_not_show_is_not_stated(path: str, value: str | None, why: str) -> None:
    """Where the checker would not find that L holds on whole boxes it is not asked, and the reason is said."""
    document = read(ROOT / f"{path}.cert.json")
    if value:
        document = altered(document, "posterior-lipschitz", L_upper=value)
    (claim,) = (claim for claim in development(document).claims if claim.claim == "posterior-lipschitz")
    assert "that it holds on whole boxes with L_upper" in claim.left
    assert why in claim.left
    assert not any("_everywhere" in theorem.proof for theorem in claim.theorems)


def test_a_trajectory_that_is_impossible_at_one_end_is_found(coq: Coq) -> None:
    """Every law is positive throughout a box, or zero; where the box is widened to a point at which a law vanishes, that
    is computed to be false."""
    document = read(CERTIFICATES / "impossible-end.cert.json")
    document["model"]["worlds"]["parameters"]["x"]["interval"][0] = "1/8"
    for entry in document["claims"]:
        entry["verdict"] = "proved" if entry["id"] == "predictive-states" else "unknown"
    found = development(document)
    assert {MODEL: "", "predictive_states": ""} == asked(coq, found, "predictive_states")
    wider = found.files[MODEL].replace('("x", ((1#8)%Q, (1#4)%Q))', '("x", ((0)%Q, (1#4)%Q))')
    assert wider != found.files[MODEL]
    answers = asked(coq, replace(found, files={**found.files, MODEL: wider}), "predictive_states")
    assert "" == answers[MODEL]
    assert answers["predictive_states"].endswith(FALSE)


@pytest.mark.parametrize("name", ["odds", "watch"])
def test_what_does_not_show_is_not_stated(name: str) -> None:
    """Laws that are quotients, and a B that is below the ratio of two ends, are not asked about on whole boxes."""
    document = read(CERTIFICATES / f"{name}.cert.json")
    if name == "watch":
        document = altered(document, "bounded-increments", B0_upper={"log_of": "6940227/4317111"})
    (claim,) = (claim for claim in development(document).claims if claim.claim == "bounded-increments")
    assert "that it holds on whole boxes with B0_upper" in claim.left
    assert not any("increments_everywhere" in theorem.proof for theorem in claim.theorems)


def test_a_truth_outside_the_class_is_refused_and_its_refutation_proved(coq: Coq) -> None:
    """A truth that no cell holds is computed to be none of the class; that it is none is a theorem."""
    document = read(CERTIFICATES / "watch.cert.json")
    document["model"]["truth"]["worlds"]["x"] = "1/4"
    assert asked(coq, development(document), "well_specified")["well_specified"].endswith(FALSE)
    next(entry for entry in document["claims"] if entry["id"] == "well-specified")["verdict"] = "refuted"
    assert "" == asked(coq, development(document), "well_specified")["well_specified"]


def test_blocks_with_another_answer_do_not_settle(coq: Coq) -> None:
    """Where a table of blocks answers, the entries of a constant block are compared with the response as polynomials."""
    found = development(read(CERTIFICATES / "opportunist.cert.json"))
    module = "warmup_stationary"
    assert "" == asked(coq, found, module)[module]
    other = found.files[module].replace("(Num (1#2)%Q)", "(Num (1#4)%Q)", 1)
    assert other != found.files[module]
    assert asked(coq, replace(found, files={**found.files, module: other}), module)[module].endswith(FALSE)


def test_a_sign_that_needs_a_weight_is_told() -> None:
    """Where an entry reaches zero at a slanted edge of the class no part of the box shows its sign: one sentence."""
    document = read(ACCEPTED / "interval-tied.cert.json")
    document["model"]["worlds"]["constraints"] = ["-8*x-8*y+8 >= 0"]
    with pytest.raises(InputError, match="the sign of an entry"):
        development(document)


def test_the_command_names_every_claim(pomgcheck: Run, tmp_path: Path) -> None:
    """``export --coq`` of a class with interval axes: a row for each of the sixteen claims, and the files of those that
    are stated."""
    done = pomgcheck("export", CERTIFICATES / "watch.cert.json", "--coq", "theorems")
    assert 0 == done.returncode, done.stderr
    for name in BY_ID:
        assert re.search(rf"^{name} ", done.stdout, re.M), name
    written = {path.stem for path in (tmp_path / "theorems").iterdir()}
    assert {"Model", "weak_revealing", "kl_joint", "eluder_world"} < written
    assert not {"covering", "regret", "constants"} & written
