(** The schedule `nested` by recursion on the history, and Theorem N for it. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger ScheduleBound.
Open Scope R_scope.

Section Argmax.
Context {A : Type} (f : A -> R).
Notation argmax := (Statements.argmax f).
Lemma argmax_in d l : l <> [] -> In (argmax d l) l.
Proof.
  revert d. induction l as [| x l ih]; intros d n; [congruence |]. simpl. destruct (Rleb _ _); [tauto |].
  destruct l; [simpl; tauto |]. right. apply ih. discriminate.
Qed.
Lemma argmax_le d l x : In x l -> f x <= f (argmax d l).
Proof.
  revert d. induction l as [| y l ih]; intros d i; [destruct i |]. simpl. destruct (Rleb (f (argmax y l)) (f y)) eqn:e.
  - apply Rleb_spec in e. destruct i as [-> | i]; [lra |]. specialize (ih y i). lra.
  - assert (n : ~ f (argmax y l) <= f y) by (intro q; apply Rleb_spec in q; congruence).
    destruct i as [-> | i]; [lra | auto].
Qed.
End Argmax.

Section Rule.
Variables (K : class) (delta : R) (d0 : Model K * Policy K).
Notation Model := (Statements.Model K).
Notation Policy := (Statements.Policy K).
Notation Traj := (Statements.Traj K).
Notation Model_dec := (model_dec K).
Notation models := (the_models K).
Notation policies := (the_policies K).
Notation trajs := (the_trajs K).
Notation prob := (Statements.prob K).
Notation value := (Statements.value K).
Notation optimistic_pair := (Statements.optimistic_pair K).
Notation keep := (Statements.keep K delta).
Notation run := (Statements.run K delta d0).
Notation nested := (Statements.nested K delta d0).
Notation C := (candidates K delta nested).
Notation L := (likelihood K nested).
Lemma run_likelihood h xi : likelihoods K (run h) xi = L xi h.
Proof. induction h as [| tau h ih]; [reflexivity |]. cbn [Statements.run Statements.next likelihoods]. rewrite ih. reflexivity. Qed.
Lemma forallb_ext {A} (f g : A -> bool) l : (forall x, f x = g x) -> forallb f l = forallb g l.
Proof. intro e. induction l; simpl; congruence. Qed.
Lemma run_candidates h : remaining K (run h) = C h.
Proof.
  induction h as [| tau h ih]; [reflexivity |]. cbn [Statements.candidates]. rewrite <- ih. cbn [Statements.run Statements.next remaining].
  apply filter_ext. intro xi. unfold Statements.keep, Statements.keeps. apply forallb_ext. intro eta.
  rewrite <- !run_likelihood. reflexivity.
Qed.
Lemma optimistic_pair_ok d cs : cs <> [] -> policies <> [] ->
  In (fst (optimistic_pair d cs)) cs /\ In (snd (optimistic_pair d cs)) policies.
Proof.
  intros hc hp. assert (n : list_prod cs policies <> []) by (destruct cs, policies; try congruence; discriminate).
  pose proof (argmax_in (fun p => value (fst p) (snd p)) d _ n) as i. fold (optimistic_pair d cs) in i.
  destruct (optimistic_pair d cs). now apply in_prod_iff in i.
Qed.
Lemma optimistic_pair_le d cs xi pi : In xi cs -> In pi policies ->
  value xi pi <= value (fst (optimistic_pair d cs)) (snd (optimistic_pair d cs)).
Proof.
  intros i j. apply (argmax_le (fun p => value (fst p) (snd p)) d (list_prod cs policies) (xi, pi)). now apply in_prod.
Qed.
Hypothesis d0_policy : In (snd d0) policies.
Lemma policies_some : policies <> []. Proof. destruct policies; [destruct d0_policy | discriminate]. Qed.
Lemma optimistic_pair_policy d cs : In (snd d) policies -> In (snd (optimistic_pair d cs)) policies.
Proof.
  intro i. destruct cs as [| x cs]; [exact i |]. apply optimistic_pair_ok; [discriminate | apply policies_some].
Qed.
Lemma nested_cons tau h : nested (tau :: h) =
  if in_dec Model_dec (fst (nested h)) (C (tau :: h)) then nested h else optimistic_pair (nested h) (C (tau :: h)).
Proof. rewrite <- run_candidates. reflexivity. Qed.
Theorem nested_is_nested : nested_schedule K delta nested.
Proof.
  assert (k : forall h, (C h <> [] -> In (fst (nested h)) (C h)) /\
     forall xi pi, In xi (C h) -> In pi policies -> value xi pi <= value (fst (nested h)) (snd (nested h))).
  { induction h as [| tau h [ih1 ih2]].
    - split; [intro; now apply optimistic_pair_ok, policies_some | intros; now apply optimistic_pair_le].
    - rewrite nested_cons. destruct (in_dec Model_dec (fst (nested h)) (C (tau :: h))) as [i | i].
      + split; [auto |]. intros xi pi j jp. apply ih2; auto. cbn [Statements.candidates] in j. now apply filter_In in j.
      + split; [intro; now apply optimistic_pair_ok, policies_some | intros; now apply optimistic_pair_le]. }
  split; try apply k.
  - intro h. unfold pi_of. induction h as [| tau h ih]; [now apply optimistic_pair_policy |].
    rewrite nested_cons. destruct (in_dec _ _ _); [exact ih | now apply optimistic_pair_policy].
  - intros tau h i. rewrite nested_cons. unfold xi_of in i. now destruct (in_dec Model_dec (fst (nested h)) (C (tau :: h))).
Qed.
End Rule.

(** ** The bound in the words of the class alone *)
Section Bound.
Variable K : class.
Notation Model := (Statements.Model K).
Notation Policy := (Statements.Policy K).
Notation Traj := (Statements.Traj K).
Notation Policy_dec := (policy_dec K).
Notation models := (the_models K).
Notation policies := (the_policies K).
Notation trajs := (the_trajs K).
Notation prob := (Statements.prob K).
Notation G := (payoff K).
Hypothesis prob_nonneg : forall xi pi tau, In xi models -> In pi policies -> In tau trajs -> 0 <= prob xi pi tau.
Hypothesis prob_one : forall xi pi, In xi models -> In pi policies -> sum trajs (prob xi pi) = 1.
Variables (low span : R).
Hypothesis span_nonneg : 0 <= span.
Hypothesis returns : forall tau, In tau trajs -> low <= G tau <= low + span.
Variable star : Model.
Hypothesis star_in : In star models.
Variable best : Policy.
Hypothesis best_in : In best policies.
Hypothesis best_is : forall pi, In pi policies -> Statements.value K star pi <= Statements.value K star best.
Variable delta : R.
Hypothesis delta_range : 0 < delta <= 1.
Variable deploy : list Traj -> Model * Policy.
Hypothesis nested : nested_schedule K delta deploy.
Notation u := (radius K delta).
Notation gap := (Statements.gap K star best).
Notation regret := (Statements.regret K deploy star best).
Notation epochs := (Statements.epochs K delta deploy).
Notation C := (candidates K delta deploy).
Notation Pr := (Statements.Pr trajs (law_of K deploy star)).
Notation violated := (ScheduleBound.violated K span star best delta deploy).
Definition root_bound (T : nat) : R :=
  span * sqrt ((3 * u + 2) * INR (Nat.min (length models - 1) (length policies - 1)) * INR T).
Definition gap_bound : R :=
  sum (nodup Policy_dec policies) (fun pi => if Rlt_dec 0 (gap pi) then gap pi + 3 * u * (span * span) / gap pi else 0).
Notation aff xi pi := (affinity trajs (prob xi pi) (prob star pi)).
Lemma exp_hellinger x : exp (1 - x) * x <= 1.
Proof.
  destruct (Rle_dec x 0) as [h | h].
  - pose proof (exp_pos (1 - x)). nra.
  - pose proof (exp_ineq1_le (- (1 - x))) as k. pose proof (exp_pos (1 - x)). pose proof (exp_pos (- (1 - x))).
    assert (e : exp (1 - x) * exp (- (1 - x)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0). nra.
Qed.
(** with h^2 alone, and lambda from the gap *)
Theorem theorem_N_gap T : Pr T (ever (violated (fun pi => gap pi * gap pi / (2 * (span * span))))) <= 2 * delta.
Proof.
  apply theorem_N with (low := low) (ell := fun xi pi => 1 - aff xi pi); auto; [intros; lra | intros; apply exp_hellinger |].
  intros pi ip p.
  assert (key : forall xi, In xi models -> Statements.value K star best <= Statements.value K xi pi ->
    gap pi * gap pi <= 2 * (span * span) * (1 - aff xi pi)).
  { intros xi i v. pose proof (gap_hellinger trajs (prob xi pi) (prob star pi)) as k.
    specialize (k (fun x m => prob_nonneg _ _ _ i ip m) (fun x m => prob_nonneg _ _ _ star_in ip m) (prob_one _ _ i ip) (prob_one _ _ star_in ip) G low span span_nonneg returns).
    eapply Rle_trans; [| exact k]. unfold Statements.gap, value in *. apply Rmult_le_compat; lra. }
  assert (sp : 0 < span).
  { destruct span_nonneg as [s | <-]; auto. exfalso. unfold Statements.gap, value in *.
    assert (e : forall xi, In xi models -> sum trajs (fun tau => prob xi pi tau * G tau) = low).
    { intros xi i. rewrite (sum_ext _ _ (fun tau => low * prob xi pi tau)), sum_mul, prob_one by
        (auto; intros tau m; specialize (returns tau m); replace (G tau) with low by lra; ring). ring. }
    assert (e' : sum trajs (fun tau => prob star best tau * G tau) = low).
    { rewrite (sum_ext _ _ (fun tau => low * prob star best tau)), sum_mul, prob_one by
        (auto; intros tau m; specialize (returns tau m); replace (G tau) with low by lra; ring). ring. }
    rewrite e' in p. rewrite (e star star_in) in p. lra. }
  assert (s2 : 0 < 2 * (span * span)) by (pose proof (Rmult_lt_0_compat _ _ sp sp); lra).
  split; [apply Rmult_lt_0_compat; [now apply Rmult_lt_0_compat | now apply Rinv_0_lt_compat] |].
  intros xi i _ v. specialize (key xi i v). apply (Rmult_le_reg_r (2 * (span * span))); auto.
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
(** with l = - log affinity; a pair of affinity 0 tells everything at once, and asks nothing of lambda *)
Theorem theorem_N_log lam T :
  (forall pi, In pi policies -> 0 < gap pi -> 0 < lam pi /\
     forall xi, In xi models -> (forall pi', In pi' policies -> Statements.value K xi pi' <= Statements.value K xi pi) ->
     Statements.value K star best <= Statements.value K xi pi ->
     0 < aff xi pi -> lam pi <= - ln (aff xi pi)) ->
  Pr T (ever (violated lam)) <= 2 * delta.
Proof.
  intro hl. apply theorem_N with (low := low) (ell := fun xi pi => if Rlt_dec 0 (aff xi pi) then - ln (aff xi pi) else Rmax 1 (lam pi)); auto.
  - intros xi pi i j. destruct (Rlt_dec 0 (aff xi pi)) as [p | p].
    + pose proof (exp_ineq1_le (ln (aff xi pi))) as k. rewrite exp_ln in k by auto. lra.
    + pose proof (Rmax_l 1 (lam pi)). pose proof (affinity_nonneg trajs (prob xi pi) (prob star pi)). lra.
  - intros xi pi i j. destruct (Rlt_dec 0 (aff xi pi)) as [p | p].
    + rewrite exp_Ropp, exp_ln by auto. rewrite Rinv_l by lra. lra.
    + pose proof (affinity_nonneg trajs (prob xi pi) (prob star pi)). replace (aff xi pi) with 0 by lra. lra.
  - intros pi i p. destruct (hl pi i p) as [a b]. split; auto. intros xi j o v.
    destruct (Rlt_dec 0 (aff xi pi)) as [q | q]; [now apply b | apply Rmax_r].
Qed.
Lemma bound_is T : bound K span star best delta (fun pi => gap pi * gap pi / (2 * (span * span))) T
  <= Rmin (root_bound T) gap_bound.
Proof.
  unfold bound. apply Rmin_glb; [apply Rmin_l |]. eapply Rle_trans; [apply Rmin_r |]. apply sum_le. intros pi i.
  destruct (Rlt_dec 0 (gap pi)) as [p | p]; [| lra]. destruct span_nonneg as [s | <-].
  - apply Req_le. field. lra.
  - replace (2 * (0 * 0)) with 0 by ring. unfold Rdiv. rewrite Rinv_0. replace (2 * (gap pi * gap pi * 0)) with 0 by ring. rewrite Rinv_0. lra.
Qed.
(** at one time T, an epoch costing at most w more for its warm-up *)
Theorem regret_T T w : 0 <= w ->
  Pr T (fun h => Rltb (Rmin (root_bound T) gap_bound + w * INR (length models)) (regret h + w * INR (epochs h))) <= 2 * delta.
Proof.
  intro hw. eapply Rle_trans; [| apply (theorem_N_gap T)]. apply Pr_le.
  { intros h tau _ m. apply prob_nonneg; auto. apply nested. }
  intros h v len _ x. apply Rltb_spec in x. apply ever_here. unfold ScheduleBound.violated.
  destruct (Nat.ltb (length models) (epochs h)) eqn:e; [now rewrite orb_true_r |]. apply Nat.ltb_ge, le_INR in e.
  apply orb_true_intro. right. apply Rltb_spec. pose proof (bound_is T) as b. rewrite <- len in b at 1.
  pose proof (Rmult_le_compat_l w _ _ hw e). lra.
Qed.
(** the same as a lower bound of the probability of what is wanted, at all times up to T together *)
Theorem theorem_N_good T : 1 - 2 * delta <=
  Pr T (fun h => negb (ever (violated (fun pi => gap pi * gap pi / (2 * (span * span)))) h)).
Proof.
  rewrite Pr_not; [pose proof (theorem_N_gap T); lra |]. intros h _. apply prob_one; auto. apply nested.
Qed.
(** in expectation *)
Lemma value_range xi pi : In xi models -> In pi policies -> low <= Statements.value K xi pi <= low + span.
Proof.
  intros i j. unfold value.
  assert (e : forall z, sum trajs (fun tau => z * prob xi pi tau) = z) by (intro z; rewrite sum_mul, prob_one by auto; ring).
  split; [rewrite <- (e low) at 1 | rewrite <- (e (low + span)) at 1]; apply sum_le; intros tau m; rewrite (Rmult_comm (prob xi pi tau));
    apply Rmult_le_compat_r; auto; apply returns, m.
Qed.
Theorem expected_regret T : Expect trajs (law_of K deploy star) T regret
  <= Rmin (root_bound T) gap_bound + 2 * delta * (span * INR T).
Proof.
  set (M := Rmin _ _).
  assert (hu : 0 <= u) by (apply u_nonneg with (star := star); auto).
  assert (hM : 0 <= M).
  { apply Rmin_glb; [apply Rmult_le_pos; [auto | apply sqrt_pos] |]. apply sum_nonneg. intros pi _. destruct (Rlt_dec 0 (gap pi)) as [q |]; [| lra].
    apply Rplus_le_le_0_compat; [lra |]. repeat apply Rmult_le_pos; auto; try lra. left. now apply Rinv_0_lt_compat. }
  assert (L0 : forall h o, valid trajs h -> In o trajs -> 0 <= law_of K deploy star h o).
  { intros h tau _ m. apply prob_nonneg; auto. apply nested. }
  pose proof (regret_T T 0 (Rle_refl 0)) as k. set (E := fun h => Rltb _ _) in k.
  apply Rle_trans with (M * 1 + span * INR T * Pr T E).
  - rewrite <- (Expect_1 Traj trajs (law_of K deploy star)) with (n := T) by (intros h _; apply prob_one; auto; apply nested).
    unfold Statements.Pr. rewrite <- !Expect_mul. unfold Statements.Expect. rewrite <- sum_add.
    assert (r : forall h, regret h <= span * INR (length h)).
    { induction h as [| tau h ih]; [simpl; lra |]. cbn [Statements.regret length]. rewrite S_INR.
      pose proof (value_range star best star_in best_in). pose proof (value_range star _ star_in (deploys_policy _ _ _ nested h)).
      unfold Statements.gap. lra. }
    apply sum_le. intros h i. destruct (histories_valid _ _ _ _ i) as [v len].
    rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [eapply weight_nonneg; eauto |].
    specialize (r h). rewrite len in r. unfold ind. destruct (E h) eqn:e; [lra |].
    assert (n : ~ M + 0 * INR (length models) < regret h + 0 * INR (epochs h)) by (intro q; apply Rltb_spec in q; unfold E, M in *; congruence). lra.
  - rewrite Rmult_1_r. apply Rplus_le_compat_l. rewrite Rmult_comm. apply Rmult_le_compat_r; [| exact k].
    apply Rmult_le_pos; auto using pos_INR.
Qed.
End Bound.

(** Theorem N for the rule itself *)
Theorem regret_of_nested (K : class) low span star best delta d0 T w :
  (forall xi pi tau, In xi (the_models K) -> In pi (the_policies K) -> In tau (the_trajs K) -> 0 <= prob K xi pi tau) ->
  (forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> sum (the_trajs K) (prob K xi pi) = 1) ->
  0 <= span -> (forall tau, In tau (the_trajs K) -> low <= payoff K tau <= low + span) ->
  In star (the_models K) -> In best (the_policies K) ->
  (forall pi, In pi (the_policies K) -> value K star pi <= value K star best) ->
  0 < delta <= 1 -> In (snd d0) (the_policies K) -> 0 <= w ->
  let learner := nested K delta d0 in
  Pr (the_trajs K) (law_of K learner star) T (fun h =>
     Rltb (Rmin (root_bound K span delta T) (gap_bound K span star best delta) + w * INR (length (the_models K)))
          (regret K learner star best h + w * INR (epochs K delta learner h)))
  <= 2 * delta.
Proof. intros. eapply regret_T; eauto. now apply nested_is_nested. Qed.
