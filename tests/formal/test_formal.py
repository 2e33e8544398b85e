"""The Coq development: nothing is assumed that is not said.

``make -C formal`` must have run (`.ci/run` does it before the tests); without Coq these tests are skipped.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pomgcheck.exporters.coq.coqc import assumptions

FORMAL = Path(__file__).parents[2] / "formal"
SOURCES = sorted(FORMAL.glob("**/*.v"))
COMMENT = re.compile(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", re.DOTALL)  # an innermost comment
ASSUMED = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Unset\s+Guard\s+Checking|bypass_check|"
    r"Unset\s+Positivity\s+Checking|Unset\s+Universe\s+Checking|native_compute)\b"
)
REALS = {  # what Coq's real numbers are built on
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}


def code(text: str) -> str:
    """The text without comments, which nest."""
    while COMMENT.search(text):
        text = COMMENT.sub(" ", text)
    return text


def asked(name: str) -> set[str]:
    """The theorems of one of the two lists of `Assumptions.v`."""
    text = (FORMAL / "Assumptions.v").read_text(encoding="utf-8")
    listed = re.search(rf"^Definition {name} := \(([^)]*)\)\.\nPrint Assumptions {name}\.$", text, re.M)
    assert listed
    return {entry.strip().removeprefix("@") for entry in listed[1].split(",")}


def test_comments_are_no_code() -> None:
    """A word in a comment, however deep, is not found; the same word outside is."""
    assert "a   b Axiom" == code("a (* x (* Axiom *) y *) b Axiom")
    assert ASSUMED.search("Axiom x : False.")
    assert ASSUMED.search("Unset Guard Checking.")
    assert not ASSUMED.search("Print Assumptions revealing.")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(FORMAL)))
def test_nothing_is_assumed_in_the_sources(path: Path) -> None:
    """No proof is left open, no axiom is added and no check of Coq is switched off."""
    assert [] == ASSUMED.findall(code(path.read_text(encoding="utf-8")))


def test_answers_of_coq_are_read() -> None:
    """A closed theorem has no axiom; the axioms of another are read without their types."""
    printed = "Closed under the global context\nAxioms:\nA.b : forall P : Prop,\n  P\nC.d\n  : nat\n"
    assert [set(), {"A.b", "C.d"}] == assumptions(printed)


def test_every_file_is_compiled() -> None:
    """The project lists every file but the two that print: the assumptions, and the extracted program."""
    listed = {FORMAL / line for line in (FORMAL / "_CoqProject").read_text().splitlines() if line.endswith(".v")}
    assert {FORMAL / "Assumptions.v", FORMAL / "extract" / "Extract.v"} == set(SOURCES) - listed


def test_statements_hold_definitions_only() -> None:
    """The file that is to be read proves nothing and has at most 600 lines."""
    text = (FORMAL / "Statements.v").read_text(encoding="utf-8")
    assert 600 >= len(text.splitlines())
    assert not re.search(r"\b(Lemma|Theorem|Corollary|Proof|Qed)\b", code(text))


def test_main_theorems_rest_on_nothing_or_on_the_reals(compiled: Path, tmp_path: Path) -> None:
    """Each main theorem is closed, or rests on axioms of Coq's real numbers and on nothing else."""
    command = ["coqc", "-R", str(compiled), "Pomgcheck", "-o", str(tmp_path / "Assumptions.vo")]
    done = subprocess.run([*command, str(compiled / "Assumptions.v")], capture_output=True, text=True, check=True)
    closed, over_the_reals = assumptions(done.stdout)
    assert CLOSED == asked("closed")
    assert set() == closed
    assert asked("over_the_reals")
    assert REALS == over_the_reals


CLOSED = {  # these rest on nothing at all
    "Instances.rationals",
    "Decomposition.factorization",
    "Decomposition.nonexpansive",
    "Decomposition.oom_identity",
    "Memory.factorization",
    "Memory.nonexpansive",
    "Memory.oom_identity",
    "Windows.window_nonexpansive",
    "Simulation.simulation_lemma_false",
    "RuleLin.tree_sound",
    "RuleSign.sign_sound",
    "RuleSign.cuts_sound",
    "RuleSign.combine_sound",
    "IntervalClass.class_everywhere",
    "IntervalClass.nonexpansive_everywhere",
    "IntervalClass.not_everywhere",
    "IntervalClass.truth_inside",
    "IntervalClass.truth_outside",
    "IntervalClass.table_everywhere",
    "IntervalLaws.increments_everywhere",
    "IntervalLaws.predictive_everywhere",
    "IntervalPosteriors.lipschitz_everywhere",
    "IntervalPosteriors.averaged_everywhere",
    "IntervalPosteriors.blocks_everywhere",
    "IntervalPosteriors.settles_everywhere",
    "CausalDecomposition.factorization_holds",
    "CausalDecomposition.nonexpansive_holds",
    "CausalDecomposition.one_step",
    "CausalDecomposition.oom_identity_holds",
    "ChannelTriangle.channel_triangle",
    "SimulationSummed.simulation_summed",
    "SimulationSummed.simulation_values",
    "SimulationSummed.simulation_realised",
    "WeakRevealing.check_class_sound",
    "WeakRevealing.check_revealing_sound",
    "RevealingRatio.check_ratio_sound",
    "RevealingRatio.no_signal",
    "SignalCrossing.check_crossing_sound",
    "ReachableStates.check_reachable_sound",
    "ReachableStates.check_reachable_ratio_sound",
    "ReachableStates.no_signal_reachable",
    "WellSpecified.check_well_specified_sound",
    "WellSpecified.outside_sound",
    "Covering.check_covering_sound",
    "Covering.check_one_each_sound",
    "Covering.class_of_listed",
    "CoveringNumber.check_fewest_sound",
    "BoundedIncrements.check_increments_sound",
    "BoundedIncrements.increment_at_sound",
    "BoundedIncrements.impossible_unbounded",
    "PredictiveStates.check_predictive_sound",
    "PredictiveStates.impossible_undefined",
    "WarmupStationary.mean_stationary",
    "WarmupStationary.latest_stationary",
    "WarmupStationary.check_stationary_sound",
    "WarmupStationary.check_reaction_sound",
    "PosteriorLipschitz.check_blocks_sound",
    "PosteriorLipschitz.check_lipschitz_sound",
    "PosteriorLipschitz.check_apart_sound",
    "PosteriorLipschitz.check_unequal_sound",
    "ForwardErrors.expected_fast_is",
    "FadingMemory.check_fading_sound",
    "FadingMemory.check_settles_sound",
    "FadingMemory.check_averaged_sound",
    "FadingMemory.policies_of_averaged",
    "FadingMemory.check_fading_reached_sound",
    "ForwardErrors.mean_gap_is",
    "EluderDimension.check_at_least_sound",
    "EluderDimension.check_at_most_sound",
    "Patrol.revealing",
    "WarmUp.warmed_up",
    "EluderRank.check_rank_G_sound",
    "EluderRank.check_rank_W_sound",
    "IntervalEluder.at_most_everywhere",
}
