"""The rule ``nested`` as Coq computes it, and the learner in Python: episode for episode the same."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from unittest.mock import patch

import pytest

from pomgcheck import certify
from pomgcheck.certificate import Certificate
from pomgcheck.exporters.coq import Development, development
from pomgcheck.exporters.coq.coqc import Coq
from pomgcheck.exporters.coq.terms import listed, pair, rewards
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Nested
from pomgcheck.learner.epochs import epochs
from pomgcheck.learner.likelihood import Ints
from pomgcheck.learner.nested import NestedLearner
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.modelclass.document import load
from tests.learner.test_nested import class_of_three

DELTA, EPISODES = Fraction(1, 20), 80
# the program deploys what the rule of Statements.v deploys, by ComputingRule.v, and computes it from the class
PLAYED = """From Pomgcheck Require Import OrderedField Statements NestedRule Numbers ComputingRule Regret.
From Certificate Require Import Model.
From Coq Require Import Reals Qreals.
Open Scope Q_scope. Open Scope nat_scope. Open Scope list_scope.

Definition reward := reward_of REWARDS.
Definition program := deployments (class_of model reward) (law_of_play model) (value_fast model reward) (1#20)
  (first_pair model) (run_Q (class_of model reward) (law_of_play model) (value_fast model reward) (1#20) (first_pair model) []).
Definition said (x : nat * nat) := (nth (fst x) (models model) ([], []), snd x).
Definition played : list (list trajectory * list (nat * nat)) := PLAYED.
Lemma starts : In (fst (first_pair model)) (models model) /\\ In (snd (first_pair model)) (seq 0 (List.length (policies model))).
Proof. split; vm_compute; auto. Qed.
Theorem same :
  forall seen deployed, In (seen, deployed) played ->
  map (fun k => nested (class_of model reward) (Q2R (1#20)) (first_pair model) (rev (firstn k seen))) (seq 0 (List.length seen)) = map said deployed.
Proof.
  assert (k : forall seen deployed, In (seen, deployed) played -> removelast (program seen) = map said deployed).
  { enough (all : map (fun x => removelast (program (fst x))) played = map (fun x => map said (snd x)) played).
    - intros seen deployed i. exact (ext_in_map all _ i).
    - vm_cast_no_check (eq_refl (map (fun x => map said (snd x)) played)). }
  intros seen deployed i. rewrite <- (k _ _ i). unfold program.
  rewrite (deployments_are (class_of model reward)); [| reflexivity | intros; apply value_fast_is | reflexivity | exact starts].
  rewrite seq_S, map_app. cbn [map]. rewrite removelast_last. reflexivity.
Qed.
Definition theorems := (same).
Print Assumptions theorems.
"""


def plays() -> Iterator[tuple[list[list[list[int]]], list[tuple[int, int]]]]:
    """The trajectories of runs, [[o_1, a_1], ...] each, with the model and the policy that were deployed for each: two
    runs for every truth."""
    for truth in range(3):
        for seed in range(2):
            problem = LearningProblem(Game(class_of_three()), truth, 0)
            learner = NestedLearner(problem, Nested(3, DELTA, Fraction(1), 2, ()), seed, (1, 1))
            seen: list[Ints] = []
            peek = learner.arena.peek

            def look(policy: int, n: int, seen: list[Ints] = seen, peek: object = peek) -> Ints:
                assert callable(peek)
                trajectories: Ints = peek(policy, n)
                seen.append(trajectories[0])
                return trajectories

            with patch.object(learner.arena, "peek", look):
                found = epochs(learner, EPISODES)
            deployed = [(epoch.model, epoch.policy) for epoch in found for _ in range(epoch.episodes)]
            assert all(isinstance(model, int) for model, _ in deployed)
            yield [trajectory.tolist() for trajectory in seen], [(int(str(m)), p) for m, p in deployed]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """Of three arms, each best in one world."""
    return certify(load(class_of_three()))


def test_the_learner_in_python_is_the_rule(coq: Coq, certificate: Certificate) -> None:
    """After every history of six runs the rule of Statements.v deploys the model and the policy that the learner
    deployed; where one is exchanged for another the proof fails."""
    runs = list(plays())
    assert {2, 3} <= {len(dict.fromkeys(deployed)) for _, deployed in runs}
    found = development(certificate.document)

    def asked(runs: list[tuple[list[list[list[int]]], list[tuple[int, int]]]]) -> str:
        terms = listed(
            pair(
                listed(listed(pair(str(o), str(a)) for o, a in trajectory) for trajectory in seen),
                listed(pair(str(model), str(policy)) for model, policy in deployed),
            )
            for seen, deployed in runs
        )
        played = PLAYED.replace("PLAYED", terms).replace("REWARDS", rewards(Game(class_of_three())))
        return coq.asked(Development({**found.files, "played": played}, found.claims), ["played"])["played"].refusal

    assert "" == asked(runs)
    seen, deployed = runs[0]
    last = len(deployed) - 1
    assert asked([(seen, [*deployed[:last], (deployed[0][0], deployed[last][1])])])
