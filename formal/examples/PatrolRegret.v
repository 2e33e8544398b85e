(** What a generated file would end with: the class `patrol`, delta = 1/20, reward 1 for `quiet`. *)
From Pomgcheck Require Import Logs OrderedField RuleLin Statements WeakRevealing.
From Pomgcheck.examples Require Import Patrol.
From Pomgcheck Require Import RealSums Ville Hellinger ScheduleBound NestedRule Play.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

Definition reward (h o a : nat) : Q := nth o [1; 0]%Q 0%Q.
Definition delta : R := 1 / 20.
Definition U_patrol (T : nat) : R := 3 * sqrt ((3 * ln 120 + 2) * 3 * INR T).
Notation G := (total_reward reward 0).
Theorem regret : forall star, In star (models model) -> forall T,
  probability model G delta star T (fun h => Rltb (U_patrol T) (policy_regret model G delta star h)) <= 2 * delta.
Proof.
  intros star hs T. pose proof (regret_of_class model reward delta star 0 is_class) as k.
  assert (e : U_patrol T = U model delta (INR (horizon model)) 0 T).
  { unfold U, U_patrol, delta. change (INR (horizon model)) with (INR 3). change (List.length (models model)) with 6%nat.
    change (List.length (Statements.policies model)) with 4%nat. change (Nat.min (6 - 1) (4 - 1)) with 3%nat.
    replace (INR 6 / (1 / 20)) with 120 by (simpl; lra). replace (INR 3) with 3 by (simpl; lra). ring. }
  rewrite e. eapply Rle_trans; [| apply k with (T := T)]; auto; try (simpl; lia); try lra.
  - apply Req_le. unfold probability, Pr, Expect. apply sum_ext. intros h _. f_equal. f_equal. f_equal. ring.
  - intros h o a. unfold reward. destruct o as [| [| o]]; simpl; split; try discriminate. destruct o; discriminate. destruct o; discriminate.
  - unfold delta. lra.
Qed.
Lemma ln_120 : 4787 / 1000 <= ln 120 <= 4788 / 1000.
Proof.
  destruct (enclose 64 20 (near 64 20 2) 120) as [[lo hi] |] eqn:e; [| vm_compute in e; discriminate].
  pose proof (enclose_sound 64 20 120 lo hi) as k. replace (Q2R 120) with 120 in k by (unfold Q2R; simpl; lra).
  specialize (k ltac:(lra) e). assert (a : (4787 # 1000 <= lo)%Q /\ (hi <= 4788 # 1000)%Q).
  { revert e. vm_compute enclose. intro e. inversion e. split; discriminate. }
  destruct a as [a b]. apply Qle_Rle in a, b. unfold Q2R at 1 in a. unfold Q2R at 2 in b. simpl in a, b. lra.
Qed.
(** below H T from T = 50 on *)
Theorem says_something T : (50 <= T)%nat -> U_patrol T < 3 * INR T.
Proof.
  intro h. assert (k : 50 <= INR T) by (apply le_INR in h; rewrite INR_IZR_INZ in h; simpl in h; exact h).
  unfold U_patrol. apply Rmult_lt_compat_l; [lra |]. set (v := 3 * ln 120 + 2). assert (hv : 16 <= v <= 16.364) by (pose proof ln_120; unfold v; lra).
  apply Rlt_le_trans with (2 := Req_le _ _ (sqrt_square (INR T) ltac:(lra))). apply sqrt_lt_1_alt. clearbody v. split; [apply Rmult_le_pos; lra | apply Rmult_lt_compat_r; lra].
Qed.
