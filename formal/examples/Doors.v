(** A concrete class: rational laws of trajectories, checked by computation; Theorem N for this class and these numbers. *)
From Pomgcheck Require Import Logs RealSums Ville Hellinger ScheduleBound NestedRule.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

Record table := Table { n_policies : nat; laws : list (list (list Q)) (* [xi][pi][tau] *); payoffs : list Q (* [tau] *) }.
Definition p d xi pi tau : Q := nth tau (nth pi (nth xi (laws d) []) []) 0%Q.
Definition n_models d := length (laws d).
Definition n_trajs d := length (payoffs d).
Definition rational_sum (l : list nat) (f : nat -> Q) : Q := fold_right (fun k s => Qred (f k + s)) 0%Q l.
Definition check d (low high : Q) : bool :=
  forallb (fun xi => forallb (fun pi =>
    forallb (fun tau => Qle_bool 0 (p d xi pi tau)) (seq 0 (n_trajs d)) && Qeq_bool (rational_sum (seq 0 (n_trajs d)) (p d xi pi)) 1)
    (seq 0 (n_policies d))) (seq 0 (n_models d))
  && forallb (fun tau => Qle_bool low (nth tau (payoffs d) 0%Q) && Qle_bool (nth tau (payoffs d) 0%Q) high) (seq 0 (n_trajs d))
  && Qle_bool low high && Nat.ltb 0 (n_policies d).

Section Play.
Variable d : table.
Definition models := seq 0 (n_models d).
Definition policies := seq 0 (n_policies d).
Definition trajs := seq 0 (n_trajs d).
Definition prob xi pi tau : R := Q2R (p d xi pi tau).
Definition payoff tau : R := Q2R (nth tau (payoffs d) 0%Q).
Definition V := value nat nat nat trajs prob payoff.
Definition best star := argmax (V star) 0%nat policies.
Definition learner delta := nested nat nat nat Nat.eq_dec models policies trajs prob payoff delta (0%nat, 0%nat).
Definition policy_regret delta star := regret nat nat nat trajs prob payoff (learner delta) star (best star).
Definition probability delta star := Pr nat trajs (law nat nat nat prob (learner delta) star).
Definition U (span delta : R) (T : nat) : R :=
  span * sqrt ((3 * ln (INR (n_models d) / delta) + 2) * INR (Nat.min (n_models d - 1) (n_policies d - 1)) * INR T).

Lemma Q2R_rational_sum l f : Q2R (rational_sum l f) = sum l (fun k => Q2R (f k)).
Proof.
  induction l as [| k l ih]; cbn [rational_sum fold_right sum]; [unfold Q2R; simpl; lra |]. rewrite <- ih, <- Q2R_plus. exact (Qeq_eqR _ _ (Qred_correct _)).
Qed.
Lemma Q2R_0 : Q2R 0 = 0. Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1. Proof. unfold Q2R. simpl. lra. Qed.
Theorem regret_table low high : check d low high = true ->
  forall star delta, (star < n_models d)%nat -> 0 < delta <= 1 ->
  forall T, probability delta star T (fun h => Rltb (U (Q2R high - Q2R low) delta T) (policy_regret delta star h)) <= 2 * delta.
Proof.
  unfold check. rewrite !andb_true_iff, !forallb_forall. intros [[[a b] lh] np] star delta hs hd T.
  apply Qle_bool_iff, Qle_Rle in lh. apply Nat.ltb_lt in np.
  assert (pn : policies <> []) by (unfold policies; destruct (n_policies d); [lia | discriminate]).
  assert (row : forall xi pi, In xi models -> In pi policies -> (forall tau, In tau trajs -> 0 <= prob xi pi tau) /\ sum trajs (prob xi pi) = 1).
  { intros xi pi i j. specialize (a xi i). rewrite forallb_forall in a. specialize (a pi j). rewrite andb_true_iff, forallb_forall in a.
    destruct a as [a1 a2]. split.
    - intros tau k. specialize (a1 tau k). apply Qle_bool_iff, Qle_Rle in a1. rewrite Q2R_0 in a1. exact a1.
    - apply Qeq_bool_iff, Qeq_eqR in a2. rewrite Q2R_rational_sum, Q2R_1 in a2. exact a2. }
  pose proof (regret_of_nested nat nat nat Nat.eq_dec Nat.eq_dec models policies trajs prob payoff (Q2R low) (Q2R high - Q2R low)
    star (best star) delta (0%nat, 0%nat) T 0) as k.
  eapply Rle_trans; [| apply k].
  - apply Pr_le; [intros h tau _ m; apply row; auto |]; clear k.
    + unfold models. apply in_seq. lia.
    + apply (nested_is_nested nat nat nat Nat.eq_dec models policies trajs prob payoff delta (0%nat, 0%nat)). unfold policies. apply in_seq. simpl. lia.
    + intros h _ _ _ x. apply Rltb_spec. apply Rltb_spec in x. rewrite !Rmult_0_l, !Rplus_0_r.
      eapply Rle_lt_trans; [apply Rmin_l |]. unfold root_bound, U, u, c in *. unfold models, policies. rewrite !seq_length. exact x.
  - intros; now apply row.
  - intros; now apply row.
  - lra.
  - intros tau m. specialize (b tau m). rewrite andb_true_iff in b. destruct b as [b1 b2].
    apply Qle_bool_iff, Qle_Rle in b1, b2. unfold payoff. lra.
  - unfold models. apply in_seq. lia.
  - now apply argmax_in.
  - intros pi j. now apply argmax_le.
  - exact hd.
  - unfold policies. apply in_seq. simpl. lia.
  - lra.
Qed.
End Play.

(** two models, two policies, two outcomes: which door pays *)
Definition doors : table := Table 2 [[[1#5; 4#5]; [4#5; 1#5]]; [[4#5; 1#5]; [1#5; 4#5]]]%Q [0; 1]%Q.
Theorem regret_doors : forall star, (star < 2)%nat -> forall T,
  probability doors (1 / 20) star T (fun h => Rltb (U doors 1 (1 / 20) T) (policy_regret doors (1 / 20) star h)) <= 2 * (1 / 20).
Proof.
  intros star hs T. pose proof (regret_table doors 0 1 eq_refl star (1 / 20) hs) as k.
  replace (Q2R 1 - Q2R 0) with 1 in k by (rewrite Q2R_0, Q2R_1; ring). apply k. lra.
Qed.
Lemma ln_40 : 3688 / 1000 <= ln 40 <= 3689 / 1000.
Proof.
  destruct (enclose 64 20 (near 64 20 2) 40) as [[lo hi] |] eqn:e; [| vm_compute in e; discriminate].
  pose proof (enclose_sound 64 20 40 lo hi) as k. replace (Q2R 40) with 40 in k by (unfold Q2R; simpl; lra).
  specialize (k ltac:(lra) e). assert (a : (3688 # 1000 <= lo)%Q /\ (hi <= 3689 # 1000)%Q).
  { revert e. vm_compute enclose. intro e. inversion e. split; discriminate. }
  destruct a as [a b]. apply Qle_Rle in a, b. unfold Q2R at 1 in a. unfold Q2R at 2 in b. simpl in a, b. lra.
Qed.
(** below the trivial bound .6 T from T = 37 on *)
Theorem doors_says_something T : (37 <= T)%nat -> U doors 1 (1 / 20) T < 6 / 10 * INR T.
Proof.
  intro h. unfold U. change (n_models doors) with 2%nat. change (n_policies doors) with 2%nat.
  assert (k : 37 <= INR T) by (replace 37 with (INR 37) by (simpl; lra); now apply le_INR).
  change (INR 2) with 2. change (INR (Nat.min (2 - 1) (2 - 1))) with 1. rewrite Rmult_1_l, Rmult_1_r.
  set (v := 3 * ln (2 / (1 / 20)) + 2). assert (hv : 13 <= v <= 13.07) by (pose proof ln_40; unfold v; replace (2 / (1 / 20)) with 40 by field; lra).
  clearbody v.
  rewrite <- (sqrt_square (6 / 10 * INR T)) by lra. apply sqrt_lt_1_alt. split; [apply Rmult_le_pos; lra |]. nra.
Qed.
