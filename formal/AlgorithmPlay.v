(** The theorem of Algorithm 1 for a document, against the opponent who remembers m policies: regret over all episodes, warm-up included. *)
From Pomgcheck Require Import OrderedField Statements.
From Pomgcheck Require Import RealSums Ville Hellinger ScheduleBound WarmUp NestedRule LikelihoodEvents AlgorithmBound Play Ranges HarmfulModels Algorithm.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

(** Assumption 3.1(c) in the words of the class *)
Lemma increments_of_class d r B : bounded_increments d B -> (forall xi p tau, In xi (models d) -> In p (seq 0 (List.length (policies d))) ->
    In tau (trajectories d) -> 0 <= prob (class_of d r) xi p tau) ->
  forall star xi p tau, In star (models d) -> In xi (models d) -> In p (seq 0 (List.length (policies d))) -> In tau (trajectories d) ->
  0 < prob (class_of d r) star p tau -> 0 < prob (class_of d r) xi p tau /\
    - B_0_of B <= ln (prob (class_of d r) xi p tau / prob (class_of d r) star p tau) <= B_0_of B.
Proof.
  intros [hB k] pos star xi p tau is ix ip it q. pose proof ip as ip'. apply in_seq in ip'.
  pose proof (k xi star ix is p ltac:(lia) tau it) as a. pose proof (k star xi is ix p ltac:(lia) tau it) as b. apply Qle_Rle in a, b, hB.
  rewrite Q2R_mult in a, b. rewrite Q2R_one in hB. pose proof (pos xi p tau ix ip it) as x0.
  cbn [prob class_of] in *. set (x := Q2R (law_of_play d xi p tau)) in *. set (y := Q2R (law_of_play d star p tau)) in *.
  assert (xp : 0 < x) by (destruct x0 as [x0 | x0]; [exact x0 | rewrite <- x0, Rmult_0_r in b; lra]). split; [exact xp |].
  assert (l : forall u v, 0 < u -> 0 < v -> u <= Q2R B * v -> ln (u / v) <= B_0_of B).
  { intros u v hu hv h. apply Rle_trans with (ln (Q2R B)); [| apply Rmax_r]. apply ln_mono; [apply Rmult_lt_0_compat; [exact hu | now apply Rinv_0_lt_compat] |].
    apply (Rmult_le_reg_r v); [exact hv |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact h. }
  split; [| now apply l]. enough (ln (y / x) <= B_0_of B) by (replace (x / y) with (/ (y / x)) by (field; lra); rewrite ln_Rinv; [lra | apply Rmult_lt_0_compat; [exact q | now apply Rinv_0_lt_compat]]).
  now apply l.
Qed.
(** over all episodes it loses what its data episodes lose, and R' for each episode of warm-up *)
Lemma cost_of_algorithm d rule m r c B delta past star R R' : class_of_games d -> (1 <= policy_window d)%nat -> (1 <= response_window d)%nat ->
  warmup_stationary d rule m -> reaction_of_class d rule m -> check_ranges d r R R' = true -> 16 <= c -> 0 < delta <= 1 ->
  (m <= S (List.length past))%nat -> (forall p, In p past -> (p < List.length (policies d))%nat) -> (0 < List.length (policies d))%nat -> In star (models d) ->
  forall h, policy_regret_1 d rule r c B delta m past star h <= regret (class_of d r) (algorithm_1_learner d r c B delta m) star (best_policy d r star) h
    + INR (m - 1) * Q2R R' * INR (starts (class_of d r) (epoch_begins (class_of d r) c (B_0_of B) delta m (first_pair d)) h).
Proof.
  intros ok wA wB st bl hr hc hd pl pi hp hs h. set (K := class_of d r) in *. set (learner := algorithm_1_learner d r c B delta m).
  assert (pi' : forall p, In p past -> In p (seq 0 (List.length (policies d)))) by (intros p i; apply in_seq; specialize (pi p i); lia).
  assert (d0 : In (fst (first_pair d)) (the_models K) /\ In (snd (first_pair d)) (the_policies K)).
  { unfold first_pair. cbn. split; [destruct (models d); [destruct hs | now left] | apply in_seq; lia]. }
  assert (B0 : 1 <= B_0_of B) by apply Rmax_l.
  assert (plays : forall h, In (pi_of K learner h) (the_policies K)) by (intro; apply plays; auto; apply st).
  apply (cost_of_learner d r ok wA wB R R' hr rule m past star learner); auto.
  intros tau l e. unfold pi_of. f_equal. now apply keeps_policy.
Qed.
Theorem algorithm_regret_of_class d rule m r c B delta past star R R' harmful costly : class_of_games d -> (1 <= policy_window d)%nat -> (1 <= response_window d)%nat ->
  warmup_stationary d rule m -> reaction_of_class d rule m -> check_ranges d r R R' = true -> bounded_increments d B -> 16 <= c ->
  (m <= S (List.length past))%nat -> (forall p, In p past -> (p < List.length (policies d))%nat) ->
  (0 < List.length (policies d))%nat -> 0 < delta <= 1 -> In star (models d) -> told_enough d r star harmful costly ->
  forall T, probability_1 d r c B delta m star T (ever (fun h =>
    Rltb (algorithm_bound (class_of d r) (Q2R R) (Q2R R') c (B_0_of B) delta m star (best_policy d r star) (List.length harmful, costly) (List.length h))
         (policy_regret_1 d rule r c B delta m past star h))) <= 2 * delta.
Proof.
  intros ok wA wB st bl hr hB hc pl pi hp hd hs (apart & hin & cin) T. set (K := class_of d r) in *. set (learner := algorithm_1_learner d r c B delta m).
  assert (pi' : forall p, In p past -> In p (seq 0 (List.length (policies d)))) by (intros p i; apply in_seq; specialize (pi p i); lia).
  assert (pos : forall xi p tau, In xi (models d) -> In p (seq 0 (List.length (policies d))) -> In tau (trajectories d) -> 0 <= prob K xi p tau)
    by (intros; now apply law_positive).
  assert (one : forall xi p, In xi (models d) -> In p (seq 0 (List.length (policies d))) -> sum (trajectories d) (prob K xi p) = 1) by (intros; now apply one_law).
  assert (B0 : 1 <= B_0_of B) by apply Rmax_l.
  assert (d0 : In (fst (first_pair d)) (the_models K) /\ In (snd (first_pair d)) (the_policies K)).
  { unfold first_pair. cbn. split; [destruct (models d); [destruct hs | now left] | apply in_seq; lia]. }
  assert (inc := increments_of_class d r B hB pos star).
  assert (plays : forall h, In (pi_of K learner h) (the_policies K)) by (intro; apply plays; auto; apply st).
  assert (bin : In (best_policy d r star) (the_policies K)) by (eapply best_in; eauto).
  assert (mis : forall xi p, In xi (the_models K) -> In p (the_policies K) -> (value K xi p - value K star p) * (value K xi p - value K star p) <=
    Q2R R * Q2R R / 2 * divergence (the_trajs K) (prob K star p) (prob K xi p)).
  { intros xi p i j. apply (misjudged d r ok wA wB R R' hr star xi p hs i j). intros tau k q. now apply inc. }
  assert (apart' : forall xi p, In xi (models d) -> In p (seq 0 (List.length (policies d))) -> could_deploy K star xi p -> 0 < gap K star (best_policy d r star) p ->
    In xi harmful /\ exists z, In (p, z) costly /\ 0 < z <= - ln (affinity (trajectories d) (prob K xi p) (prob K star p))).
  { intros xi p i j could g. destruct (apart xi p i j could g) as (h & z & iz & e). split; [exact h |]. exists z. split; [exact iz |]. split; [exact (proj2 (cin _ iz)) |].
    destruct (affinity_pos K star (B_0_of B) pos one hs ltac:(intros; now apply inc) xi p i j) as [a _]. cbn [the_trajs class_of K] in a.
    assert (q : exp z <= / affinity (trajectories d) (prob K xi p) (prob K star p)) by (apply (Rmult_le_reg_r (affinity (trajectories d) (prob K xi p) (prob K star p))); [exact a |]; rewrite Rinv_l by (apply Rgt_not_eq; exact a); exact e).
    rewrite <- (ln_exp z), <- ln_Rinv by exact a. apply ln_mono; [apply exp_pos | exact q]. }
  eapply Rle_trans; [| apply (algorithm_regret K c (B_0_of B) delta m (first_pair d) hc B0 hd (proj1 st) d0 pos star (best_policy d r star) (Q2R R) (Q2R R') harmful costly one
      (later_nonneg d r R R' hr) hs) with (T := T)]; auto.
  - apply Pr_le; [intros h tau _ k; apply pos; auto |]. intros h _ _ _. apply ever_weaker. intros h' x. apply Rltb_spec. apply Rltb_spec in x.
    eapply Rlt_le_trans; [exact x |]. now apply cost_of_algorithm with (R := R).
  - intros p i. now apply best_is.
Qed.
