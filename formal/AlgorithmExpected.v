(** Algorithm 1 in expectation: its policy regret over T data episodes and their warm-ups is on average at most the bound, and 2 delta times what so
    many episodes can lose at most. *)
From Pomgcheck Require Import OrderedField Statements RealSums Ville ScheduleBound WarmUp Play Numbers LikelihoodEvents AlgorithmBound Ranges Algorithm AlgorithmPlay HarmfulModels Regret.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

Lemma starts_le_length K begins h : (starts K begins h <= length h)%nat.
Proof. induction h as [| x h ih]; [simpl; lia |]. cbn [starts length]. destruct (begins h); lia. Qed.
Lemma bound_nonneg K span later c B_0 delta m star best told (d0 : Model K * Policy K) t : 16 <= c -> 1 <= B_0 -> 0 < delta <= 1 -> (1 <= m)%nat ->
  In (fst d0) (the_models K) /\ In (snd d0) (the_policies K) -> 0 <= later -> (forall pi, In pi (the_policies K) -> value K star pi <= value K star best) ->
  (forall e, In e (snd told) -> In (fst e) (the_policies K) /\ 0 < snd e) -> 0 <= algorithm_bound K span later c B_0 delta m star best told t.
Proof.
  intros hc hB hd hm some hl best_is cin. pose proof (pos_INR t) as t0.
  assert (tau0 : forall t, 0 <= tau_1 K c B_0 delta m t) by (intro; now apply (tau_1_nonneg K c B_0 delta m d0)).
  assert (u0 : 0 <= u_1 K delta) by now apply (u_nonneg K delta d0).
  assert (E0 : 0 <= E_T K B_0 (u_1 K delta) (tau_1 K c B_0 delta m) t) by now apply E_nonneg.
  pose proof (firing_pos K c B_0 delta m d0 hc hB hd hm some) as fp. assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  unfold algorithm_bound. apply Rplus_le_le_0_compat; [apply Rmin_glb; [apply sqrt_pos |] |].
  - unfold filled. set (e := _ + _). assert (e0 : 0 <= e).
    { unfold e, log_harmful. specialize (tau0 t). assert (1 <= INR (Nat.max 1 (fst told))) by (change 1 with (INR 1); apply le_INR, Nat.le_max_l).
      pose proof (inv_delta delta hd). assert (0 <= ln (2 * INR (Nat.max 1 (fst told)) / delta)) by (apply ln_above; unfold Rdiv; nra). lra. }
    assert (at_l : forall l, 0 <= l -> 0 <= fill_at (gap K star best) (snd told) (episodes_of e) (INR t) l).
    { intros l l0. apply Rplus_le_le_0_compat; [now apply Rmult_le_pos |]. apply sum_nonneg. intros x i. destruct (cin x i) as [_ c0]. apply Rmult_le_pos; [apply Rmax_l |].
      assert (0 <= e / snd x) by (apply Rmult_le_pos; [exact e0 | left; now apply Rinv_0_lt_compat]). unfold episodes_of. lra. }
    apply fold_Rmin_glb; [apply at_l; lra |]. intros l i. apply in_map_iff in i. destruct i as (x & <- & i). apply at_l. destruct (cin x i) as [j _]. unfold gap. pose proof (best_is _ j). lra.
  - apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR | exact hl] |]. unfold switches. apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto; try (left; now apply Rinv_0_lt_compat).
    apply ln_above. lra.
Qed.

(** the mean after T data episodes, where star is true *)
Definition mean_1 d r c B delta m star : nat -> (list trajectory -> R) -> R :=
  Expect (trajectories d) (law_of (class_of d r) (algorithm_1_learner d r c B delta m) star).
Definition check_expected d table rule m rewards (range later c B delta D : Q) tolds : bool := check_regret d rule m rewards delta && check_ranges d (reward_of rewards) range later &&
  check_D d table D && Qle_bool 0 D && Qle_bool 16 c && policies_told (List.length (policies d)) tolds.
Theorem check_expected_sound d table rule m rewards range later c B delta D tolds : values_of d (reward_of rewards) = table -> class_of_games d ->
  check_expected d table rule m rewards range later c B delta D tolds = true ->
  forall star, In star (models d) -> forall past, (m - 1 <= List.length past)%nat -> (forall p, In p past -> (p < List.length (policies d))%nat) -> forall T,
  probability_1 d (reward_of rewards) (Q2R c) B (Q2R delta) m star T (ever (fun h =>
    Rltb (bound_1 d (reward_of rewards) range later c B delta m tolds star (List.length h)) (policy_regret_1 d rule (reward_of rewards) (Q2R c) B (Q2R delta) m past star h))) <= 2 * Q2R delta ->
  mean_1 d (reward_of rewards) (Q2R c) B (Q2R delta) m star T (policy_regret_1 d rule (reward_of rewards) (Q2R c) B (Q2R delta) m past star)
  <= bound_1 d (reward_of rewards) range later c B delta m tolds star T + 2 * Q2R delta * ((Q2R D + INR (m - 1) * Q2R later) * INR T).
Proof.
  intro known. unfold check_expected. rewrite !andb_true_iff. intros ok [[[[[k hr] hD] D0] hc] ht] star hs past pl pi T h.
  destruct (check_regret_premises d rule m rewards delta ok k) as (st & bl & _ & hd & hm & wA & wB & hp). set (r := reward_of rewards) in *. set (K := class_of d r) in *.
  apply Qle_bool_iff, Qle_Rle in D0, hc. replace (Q2R 0) with 0 in D0 by (unfold Q2R; simpl; lra). replace (Q2R 16) with 16 in hc by (unfold Q2R; simpl; lra).
  pose proof (later_nonneg d r range later hr) as l0. set (learner := algorithm_1_learner d r (Q2R c) B (Q2R delta) m).
  assert (w0 : 0 <= INR (m - 1) * Q2R later) by (apply Rmult_le_pos; [apply pos_INR | exact l0]).
  assert (d0 : In (fst (first_pair d)) (the_models K) /\ In (snd (first_pair d)) (the_policies K)).
  { unfold first_pair. cbn. split; [destruct (models d); [destruct hs | now left] | apply in_seq; lia]. }
  assert (B0 : 1 <= B_0_of B) by apply Rmax_l.
  assert (plays : forall h, In (pi_of K learner h) (the_policies K)) by (intro; apply plays; auto; intros; now apply (law_positive d r ok wA wB)).
  unfold mean_1. apply mean_le.
  - intros h' o _ i. exact (law_positive d r ok wA wB star (pi_of K learner h') o hs (plays h') i).
  - intros h' _. exact (one_law d r ok wA wB star (pi_of K learner h') hs (plays h')).
  - unfold bound_1. eapply bound_nonneg; eauto; [intros p i; now apply best_is |]. intros e i. unfold in_reals in i. cbn [snd] in i. apply in_map_iff in i. destruct i as (y & <- & i).
    destruct (policies_told_at d tolds star ht y i) as [c1 c2]. cbn [fst snd]. split; [apply in_seq; lia | exact c2].
  - apply Rmult_le_pos; [lra | apply pos_INR].
  - intros h' _ e. eapply Rle_trans; [apply (cost_of_algorithm d rule m r (Q2R c) B (Q2R delta) past star range later); auto; lia |]. fold learner K.
    rewrite Rmult_plus_distr_r. apply Rplus_le_compat.
    + rewrite <- e. clear e. induction h' as [| x h' ih]; [simpl; lra |]. cbn [regret length]. rewrite S_INR. pose proof (check_D_sound d table rewards D known hD star (pi_of K learner h') hs) as g.
      pose proof (plays h') as i. apply in_seq in i. specialize (g ltac:(lia)). fold r K in g. lra.
    + apply Rmult_le_compat_l; [exact w0 |]. rewrite <- e. apply le_INR, starts_le_length.
  - eapply Rle_trans; [| exact h]. apply (Pr_le trajectory (trajectories d) (law_of K learner star)).
    + intros h' o _ i. exact (law_positive d r ok wA wB star (pi_of K learner h') o hs (plays h') i).
    + intros h' _ e _ x. apply ever_here. rewrite e. exact x.
Qed.
