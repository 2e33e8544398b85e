(** Two models, two policies, two outcomes: which door pays.  The smallest class with something to learn; the rule as a program plays it. *)
From Pomgcheck Require Import Logs RealSums Statements Ville ScheduleBound NestedRule ComputingRule.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

(** the door pi pays with probability 1/5 or 4/5 *)
Definition law (xi pi tau : nat) : Q := (if Nat.eqb xi pi then if Nat.eqb tau 0 then 1 # 5 else 4 # 5 else if Nat.eqb tau 0 then 4 # 5 else 1 # 5)%Q.
Definition doors : class :=
  Class nat nat nat Nat.eq_dec Nat.eq_dec [0; 1]%nat [0; 1]%nat [0; 1]%nat (fun xi pi tau => Q2R (law xi pi tau)) (fun tau => INR tau).
Definition learner := nested doors (1 / 20) (0, 0)%nat.
Definition U (T : nat) : R := root_bound doors 1 (1 / 20) T.

(** the program: nine losses in a row behind the first door change the model, and with it the policy *)
Definition worth (xi pi : nat) : Q := (if Nat.eqb xi pi then 4 # 5 else 1 # 5)%Q.
Definition program := nested_Q doors law worth (1 # 20) (0, 0)%nat.
Lemma program_is_rule h : program h = nested doors (Q2R (1 # 20)) (0, 0)%nat h.
Proof.
  apply nested_Q_is_nested; [reflexivity | | reflexivity].
  intros xi pi [<- | [<- | []]] [<- | [<- | []]]; unfold value, worth; simpl; unfold law, Q2R; simpl; lra.
Qed.
Lemma program_plays : map program [[]; [0]; [0; 0]; [0; 0; 0]]%nat = [(0, 0); (0, 0); (0, 0); (1, 1)]%nat.
Proof. vm_compute. reflexivity. Qed.

Theorem regret_doors star : In star [0; 1]%nat -> forall T,
  Pr [0; 1]%nat (law_of doors learner star) T (fun h => Rltb (U T) (regret doors learner star star h)) <= 2 * (1 / 20).
Proof.
  intros hs T.
  assert (pos : forall xi pi tau, In xi [0; 1]%nat -> In pi [0; 1]%nat -> In tau [0; 1]%nat -> 0 <= prob doors xi pi tau).
  { intros xi pi tau [<- | [<- | []]] [<- | [<- | []]] [<- | [<- | []]]; simpl; unfold law, Q2R; simpl; lra. }
  eapply Rle_trans; [| apply (regret_of_nested doors 0 1 star star (1 / 20) (0, 0)%nat T 0)]; try lra; auto.
  - apply Pr_le.
    + intros h tau _ i. apply pos; auto. apply (nested_is_nested doors (1 / 20) (0, 0)%nat). simpl. tauto.
    + intros h _ _ _ x. apply Rltb_spec. apply Rltb_spec in x. rewrite !Rmult_0_l, !Rplus_0_r. eapply Rle_lt_trans; [apply Rmin_l | exact x].
  - intros xi pi [<- | [<- | []]] [<- | [<- | []]]; simpl; unfold law, Q2R; simpl; lra.
  - intros tau [<- | [<- | []]]; simpl; lra.
  - intros pi [<- | [<- | []]]; destruct hs as [<- | [<- | []]]; unfold value; simpl; unfold law, Q2R; simpl; lra.
  - simpl. tauto.
Qed.
Lemma ln_40 : 3688 / 1000 <= ln 40 <= 3689 / 1000.
Proof.
  destruct (enclose 64 20 (near 64 20 2) 40) as [[lo hi] |] eqn:e; [| vm_compute in e; discriminate].
  pose proof (enclose_sound 64 20 40 lo hi) as k. replace (Q2R 40) with 40 in k by (unfold Q2R; simpl; lra).
  specialize (k ltac:(lra) e). assert (a : (3688 # 1000 <= lo)%Q /\ (hi <= 3689 # 1000)%Q).
  { revert e. vm_compute enclose. intro e. inversion e. split; discriminate. }
  destruct a as [a b]. apply Qle_Rle in a, b. unfold Q2R at 1 in a. unfold Q2R at 2 in b. simpl in a, b. lra.
Qed.
(** the wrong door costs 3/5 an episode; from T = 37 on the bound is below 3/5 T *)
Theorem doors_says_something T : (37 <= T)%nat -> U T < 6 / 10 * INR T.
Proof.
  intro h. assert (k : 37 <= INR T) by (replace 37 with (INR 37) by (simpl; lra); now apply le_INR).
  unfold U, root_bound, radius, threshold. cbn [the_models the_policies doors length Nat.min Nat.sub]. change (INR 2) with 2. change (INR 1) with 1.
  rewrite Rmult_1_l, Rmult_1_r. set (v := 3 * ln (2 / (1 / 20)) + 2).
  assert (hv : 13 <= v <= 13.07) by (pose proof ln_40; unfold v; replace (2 / (1 / 20)) with 40 by field; lra). clearbody v.
  rewrite <- (sqrt_square (6 / 10 * INR T)) by lra. apply sqrt_lt_1_alt. split; [apply Rmult_le_pos; lra |]. nra.
Qed.
