(** Two models, two policies, two outcomes: which door pays.  The smallest class with something to learn; the rule as a program plays it. *)
From Pomgcheck Require Import Logs RealSums Statements Ville Hellinger ScheduleBound WarmUp NestedRule ComputingRule.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

(** the door pi pays with probability 1/5 or 4/5 *)
Definition law (xi pi tau : nat) : Q := (if Nat.eqb xi pi then if Nat.eqb tau 0 then 1 # 5 else 4 # 5 else if Nat.eqb tau 0 then 4 # 5 else 1 # 5)%Q.
Definition doors : class :=
  Class nat nat nat Nat.eq_dec Nat.eq_dec [0; 1]%nat [0; 1]%nat [0; 1]%nat (fun xi pi tau => Q2R (law xi pi tau)) (fun tau => INR tau).
Definition learner := nested doors (1 / 20) (0, 0)%nat.
(** an episode behind the wrong door tells log (5 / 4) against it, and there is no warm-up *)
Definition U (star T : nat) : R := nested_bound doors (1 / 20) 1 (0, 0)%nat 0 star star (1%nat, [((1 - star)%nat, ln (5 / 4))]) T.

(** the program: three losses in a row behind the first door change the model, and with it the policy *)
Definition worth (xi pi : nat) : Q := (if Nat.eqb xi pi then 4 # 5 else 1 # 5)%Q.
Definition program := nested_Q doors law worth (1 # 20) (0, 0)%nat.
Lemma program_is_rule h : program h = nested doors (Q2R (1 # 20)) (0, 0)%nat h.
Proof.
  apply nested_Q_is_nested; [reflexivity | | reflexivity | simpl; tauto].
  intros xi pi [<- | [<- | []]] [<- | [<- | []]]; unfold value, worth; simpl; unfold law, Q2R; simpl; lra.
Qed.
Lemma program_plays : map program [[]; [0]; [0; 0]; [0; 0; 0]]%nat = [(0, 0); (0, 0); (0, 0); (1, 1)]%nat.
Proof. vm_compute. reflexivity. Qed.

Lemma worth_is xi pi : In xi [0; 1]%nat -> In pi [0; 1]%nat -> value doors xi pi = if Nat.eqb xi pi then 8 / 10 else 2 / 10.
Proof. intros [<- | [<- | []]] [<- | [<- | []]]; unfold value; simpl; unfold law, Q2R; simpl; lra. Qed.
Lemma affinity_is star : In star [0; 1]%nat -> affinity [0; 1]%nat (prob doors (1 - star)%nat (1 - star)%nat) (prob doors star (1 - star)%nat) = 4 / 5.
Proof.
  assert (h : sqrt (4 / 25) = 2 / 5) by (replace (4 / 25) with (2 / 5 * (2 / 5)) by field; apply sqrt_square; lra).
  assert (e : forall x y, x * y = 4 / 25 -> sqrt (x * y) = 2 / 5) by (intros x y ->; exact h).
  intros [<- | [<- | []]]; unfold affinity; cbn [sum prob doors Nat.sub]; rewrite !e by (unfold law, Q2R; simpl; lra); lra.
Qed.
(** with probability at least 9/10, at every T together *)
Theorem regret_doors star : In star [0; 1]%nat -> forall T,
  Pr [0; 1]%nat (law_of doors learner star) T (ever (fun h => Rltb (U star (length h)) (regret doors learner star star h))) <= 2 * (1 / 20).
Proof.
  intros hs T.
  assert (pos : forall xi pi tau, In xi [0; 1]%nat -> In pi [0; 1]%nat -> In tau [0; 1]%nat -> 0 <= prob doors xi pi tau).
  { intros xi pi tau [<- | [<- | []]] [<- | [<- | []]] [<- | [<- | []]]; simpl; unfold law, Q2R; simpl; lra. }
  assert (d0 : In (fst (0, 0)%nat) (the_models doors) /\ In (snd (0, 0)%nat) (the_policies doors)) by (simpl; tauto).
  assert (other : In (1 - star)%nat [0; 1]%nat) by (destruct hs as [<- | [<- | []]]; simpl; tauto).
  eapply Rle_trans; [| apply (regret_of_nested doors pos) with (delta := 1 / 20) (m := 1%nat) (d0 := (0, 0)%nat) (later := 0) (star := star) (best := star)
    (harmful := [(1 - star)%nat]) (costly := [((1 - star)%nat, ln (5 / 4))]) (T := T)]; auto; try lra.
  - apply Pr_le.
    + intros h tau _ i. apply pos; auto. apply (optimal_in doors (0, 0)%nat d0).
    + intros h _ _ _. apply ever_weaker. intros h' x. apply Rltb_spec. apply Rltb_spec in x. rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r. exact x.
  - intros xi pi [<- | [<- | []]] [<- | [<- | []]]; simpl; unfold law, Q2R; simpl; lra.
  - intros pi i. rewrite !worth_is by assumption. rewrite Nat.eqb_refl. destruct (Nat.eqb star pi); lra.
  - intros xi [<- | []]. exact other.
  - intros xi pi ix ip (_ & _ & _ & all & _) g. unfold gap in g. rewrite !worth_is in g by assumption. rewrite Nat.eqb_refl in g.
    destruct (all star hs) as [k _]. rewrite !worth_is in k by assumption. rewrite Nat.eqb_refl in k.
    assert (n : Nat.eqb star pi = false) by (destruct (Nat.eqb star pi); [lra | reflexivity]). assert (e : Nat.eqb xi pi = true) by (destruct (Nat.eqb xi pi); [reflexivity | lra]).
    apply Nat.eqb_neq in n. apply Nat.eqb_eq in e. subst xi. assert (ep : pi = (1 - star)%nat) by (destruct hs as [<- | [<- | []]], ip as [<- | [<- | []]]; simpl in *; lia).
    rewrite ep. split; [now left |]. exists (ln (5 / 4)). split; [now left |]. cbn [the_trajs doors]. rewrite affinity_is by exact hs. rewrite exp_ln by lra. lra.
  - intros e [<- | []]. cbn [fst snd]. split; [exact other |]. rewrite <- ln_1. apply ln_increasing; lra.
Qed.
Lemma ln_20 : ln 20 <= 2996 / 1000.
Proof.
  destruct (enclose 64 20 (near 64 20 2) 20) as [[lo hi] |] eqn:e; [| vm_compute in e; discriminate].
  pose proof (enclose_sound 64 20 20 lo hi) as k. replace (Q2R 20) with 20 in k by (unfold Q2R; simpl; lra).
  specialize (k ltac:(lra) e). assert (b : (hi <= 2996 # 1000)%Q) by (revert e; vm_compute enclose; intro e; inversion e; discriminate).
  apply Qle_Rle in b. unfold Q2R at 2 in b. simpl in b. lra.
Qed.
Lemma ln_5_4 : 223 / 1000 <= ln (5 / 4).
Proof.
  destruct (enclose 64 20 (near 64 20 2) (5 # 4)) as [[lo hi] |] eqn:e; [| vm_compute in e; discriminate].
  pose proof (enclose_sound 64 20 (5 # 4) lo hi) as k. replace (Q2R (5 # 4)) with (5 / 4) in k by (unfold Q2R; simpl; lra).
  specialize (k ltac:(lra) e). assert (b : (223 # 1000 <= lo)%Q) by (revert e; vm_compute enclose; intro e; inversion e; discriminate).
  apply Qle_Rle in b. unfold Q2R at 1 in b. simpl in b. lra.
Qed.
(** the wrong door is opened 21 times at most and costs 3/5 an episode; from T = 22 on the bound is below 3/5 T *)
Theorem doors_says_something star T : In star [0; 1]%nat -> (22 <= T)%nat -> U star T < 6 / 10 * INR T.
Proof.
  intros hs h. assert (k : 22 <= INR T) by (replace 22 with (INR 22) by (simpl; lra); now apply le_INR).
  unfold U, nested_bound. cbn [fst snd]. rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r. eapply Rle_lt_trans; [apply (fill_ever _ _ _ 0) |].
  unfold fill_at. cbn [sum fst snd]. unfold gap. assert (other : In (1 - star)%nat [0; 1]%nat) by (destruct hs as [<- | [<- | []]]; simpl; tauto).
  rewrite !worth_is by assumption. rewrite Nat.eqb_refl. assert (n : Nat.eqb star (1 - star) = false) by (destruct hs as [<- | [<- | []]]; reflexivity). rewrite n.
  replace (8 / 10 - 2 / 10 - 0) with (6 / 10) by lra. rewrite Rmax_right by lra.
  assert (w : whole_episodes (evidence_of doors (1 / 20) 1) (ln (5 / 4)) <= 21); [| lra].
  unfold whole_episodes. apply Rle_trans with (1 + IZR 20); [| lra]. apply Rplus_le_compat_l, IZR_le. apply Zlt_succ_le. apply lt_IZR.
  destruct (base_Int_part (evidence_of doors (1 / 20) 1 / ln (5 / 4))) as [b _]. eapply Rle_lt_trans; [exact b |]. pose proof ln_5_4 as l. pose proof ln_20 as l'.
  apply (Rmult_lt_reg_r (ln (5 / 4))); [lra |]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  unfold evidence_of, radius, threshold, at_stake. cbn [the_models doors length Nat.sub Nat.max]. replace (INR 1 / (1 / 20)) with 20 by (simpl; lra). simpl (IZR (Z.succ 20)). lra.
Qed.
