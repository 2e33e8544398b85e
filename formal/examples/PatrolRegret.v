(** What a generated file ends with: the regret of `nested` on the class `patrol` with delta = 1/20, warm-up included. *)
From Pomgcheck Require Import Logs OrderedField Statements WeakRevealing WarmupStationary RealSums ScheduleBound NestedRule Play Numbers.
From Pomgcheck.examples Require Import Patrol.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

(** r_h(quiet) = 1, r_h(noise) = 0; the response is to the mean of the last m = 2 policies *)
Definition reward (h o : nat) : Q := nth o [1; 0]%Q 0%Q.
Lemma reward_range h o : (0 <= reward h o <= 1)%Q.
Proof. unfold reward. destruct o as [| [| o]]; simpl; split; try discriminate. destruct o; discriminate. destruct o; discriminate. Qed.
Definition delta : Q := 1 # 20.
Lemma delta_real : 0 < Q2R delta <= 1. Proof. unfold Q2R, delta. simpl. lra. Qed.
Lemma policies_some : (0 < List.length (policies model))%nat.
Proof. simpl. lia. Qed.
Lemma stationary : warmup_stationary model Mean 2.
Proof. apply mean_stationary. lia. Qed.
Lemma blocks : reaction_of_class model Mean 2.
Proof. apply mean_of_class; [exact is_class | lia]. Qed.
(** with probability at least 9/10, at every T together: the policy regret over all episodes, warm-up included, is at most [bound_at] *)
Theorem regret : forall star, In star (models model) -> forall past, (1 <= List.length past)%nat -> (forall p, In p past -> (p < 4)%nat) -> forall T,
  probability model reward (Q2R delta) star T (ever (fun h =>
    Rltb (bound_at model 2 reward (Q2R delta) star 3 (List.length h)) (policy_regret model Mean reward (Q2R delta) 2 past star h))) <= 2 * Q2R delta.
Proof.
  intros star hs past pl pi T. replace 3 with (INR (horizon model)) by (simpl; lra).
  apply (regret_of_class model Mean 2 reward (Q2R delta) past star is_class); auto using stationary, blocks, reward_range, delta_real, policies_some; simpl; lia.
Qed.
(** V^pi(xi), one row a model; no policy costs more than D = 21/125 in any model *)
Definition values : list (list Q) :=
  [[771 # 500; 51311 # 32000; 51409 # 32000; 417 # 250];
   [771 # 500; 129933 # 80000; 130227 # 80000; 171 # 100];
   [729 # 500; 243311 # 160000; 243409 # 160000; 198 # 125];
   [729 # 500; 123311 # 80000; 123409 # 80000; 813 # 500];
   [687 # 500; 230067 # 160000; 229773 # 160000; 3 # 2];
   [687 # 500; 116689 # 80000; 116591 # 80000; 771 # 500]].
Theorem values_are : value_table model reward = values.
Proof. vm_cast_no_check (eq_refl values). Qed.
Theorem D_is : (D_of values == 21 # 125)%Q.
Proof. reflexivity. Qed.
(** from T = 16384 on the bound is below D T, which is what no learner's regret exceeds *)
Theorem says_something : forall star, In star (models model) -> forall T, (128 * 128 <= T)%nat ->
  bound_at model 2 reward (Q2R delta) star (Q2R 3) T < Q2R (D_of values) * INR T.
Proof.
  intros star hs T hT.
  apply (says_something_sound model reward policies_some values 2 delta 3 (128 * 128) star values_are); [| | discriminate | | exact hs | exact hT].
  - vm_cast_no_check (eq_refl true).
  - split; [reflexivity | discriminate].
  - apply Nat.mul_pos_pos; lia.
Qed.
