(** Towards Algorithm 1 (docs/bound.md, "For a finite class", items 1, 3, 4 and 5): the regret of the data episodes of every learner that is
    optimistic on a confidence set of radius at least 2 u and whose deployed model is within [threshold] of the most likely one.
    [optimistic_schedule] is how Algorithm 1 is read here; that the program with its radii has these properties is not proved.  The warm-up,
    that is the number of its switches, is not bounded here; and Hellinger's distance in the place of Pinsker's inequality costs a factor
    sqrt 2. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger ScheduleBound Elementary LikelihoodEvents.
Open Scope R_scope.

Section Algorithm.
Variables (K : class) (star : Model K) (best : Policy K) (low span B u : R) (deploy : list (Traj K) -> Model K * Policy K) (T : nat).
Variables (beta tau : list (Traj K) -> R) (tau_T : R).
Notation trajs := (the_trajs K).
Notation pi_at := (pi_of K deploy).
Notation xi_at := (xi_of K deploy).
(** what Algorithm 1 does, data episode by data episode: the last confidence set was formed from the data [early]; the model it deployed has
    not been fired by the data so far *)
Record optimistic_schedule : Prop := {
  plays : forall h, In (pi_at h) (the_policies K);
  believes : forall h, In (xi_at h) (the_models K);
  plans : forall h, exists late early, h = late ++ early /\ forall xi pi, In xi (the_models K) -> In pi (the_policies K) ->
    (forall eta, In eta (the_models K) -> likelihood K deploy eta early <= likelihood K deploy xi early * exp (beta early)) ->
    value K xi pi <= value K (xi_at h) (pi_at h);
  not_fired : forall h eta, In eta (the_models K) -> likelihood K deploy eta h <= likelihood K deploy (xi_at h) h * exp (tau h)
}.
Hypothesis schedule : optimistic_schedule.
Hypothesis radius_enough : forall h, 2 * u <= beta h.
Hypothesis threshold_le : forall h, (length h <= T)%nat -> tau h <= tau_T.
Hypothesis tau_nonneg : 0 <= tau_T.
Hypothesis u_nonneg : 0 <= u.
Hypothesis prob_nonneg : forall xi pi tau, In xi (the_models K) -> In pi (the_policies K) -> In tau trajs -> 0 <= prob K xi pi tau.
Hypothesis prob_one : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> sum trajs (prob K xi pi) = 1.
Hypothesis returns : forall tau, In tau trajs -> low <= payoff K tau <= low + span.
Hypothesis span_nonneg : 0 <= span.
Hypothesis star_in : In star (the_models K).
Hypothesis best_in : In best (the_policies K).
Hypothesis best_is : forall pi, In pi (the_policies K) -> value K star pi <= value K star best.
Hypothesis B_ge_1 : 1 <= B.
Hypothesis increments : forall xi pi tau, In xi (the_models K) -> In pi (the_policies K) -> In tau trajs -> 0 < prob K star pi tau ->
  0 < prob K xi pi tau /\ - B <= ln (prob K xi pi tau / prob K star pi tau) <= B.
Notation ratio := (LikelihoodEvents.ratio K star deploy).
Notation spent := (divergences K star deploy).
Notation KL xi pi := (divergence trajs (prob K star pi) (prob K xi pi)).
Notation gap := (Statements.gap K star best).

(** the events V and E at all times, on a history that can happen *)
Fixpoint good (h : list (Traj K)) : Prop :=
  (length h <= T)%nat /\ valid trajs h /\ 0 < weight (law_of K deploy star) h /\
  (forall xi, In xi (the_models K) -> ratio xi h <= 2 * u /\ ratio xi h <= - spent xi h / 2 + C_0 * B * u) /\
  match h with [] => True | _ :: h => good h end.
Lemma good_tail x h : good (x :: h) -> good h. Proof. simpl. tauto. Qed.
Lemma good_now h : good h -> (length h <= T)%nat /\ valid trajs h /\ 0 < weight (law_of K deploy star) h /\
  (forall xi, In xi (the_models K) -> ratio xi h <= 2 * u /\ ratio xi h <= - spent xi h / 2 + C_0 * B * u).
Proof. destruct h; simpl; tauto. Qed.
Lemma good_suffix late early : good (late ++ early) -> good early.
Proof. induction late as [| x l ih]; intro g; [exact g |]. apply ih. exact (good_tail _ _ g). Qed.
Lemma likelihood_ratio xi h : In xi (the_models K) -> valid trajs h -> 0 < weight (law_of K deploy star) h ->
  likelihood K deploy xi h = likelihood K deploy star h * exp (ratio xi h).
Proof.
  intro i. induction h as [| x h ih]; intros v p; [unfold likelihood; simpl; rewrite exp_0; ring |].
  destruct (weight_pos_cons (Traj K) trajs (law_of K deploy star) (fun h o _ j => prob_nonneg _ _ _ star_in (plays schedule h) j) x h v p) as [p1 p2].
  inversion v; subst. unfold likelihood in *. cbn [weight LikelihoodEvents.ratio]. rewrite (ih H2 p1), exp_plus. unfold law_of in *.
  destruct (increments xi (pi_at h) x i (plays schedule h) H1 p2) as [q _]. unfold increment. rewrite exp_ln; [field; lra |].
  apply Rmult_lt_0_compat; [exact q | now apply Rinv_0_lt_compat].
Qed.
Lemma optimism h : good h -> gap (pi_at h) <= value K (xi_at h) (pi_at h) - value K star (pi_at h).
Proof.
  intro g. destruct (plans schedule h) as (late & early & e & k). unfold Statements.gap.
  enough (value K star best <= value K (xi_at h) (pi_at h)) by lra. apply k; auto. intros eta i.
  rewrite e in g. destruct (good_now _ (good_suffix _ _ g)) as (_ & v & p & q). rewrite (likelihood_ratio eta early i v p).
  apply Rmult_le_compat_l; [left; exact p |]. destruct (q eta i) as [q1 _]. pose proof (radius_enough early) as r.
  destruct (Req_dec (ratio eta early) (beta early)) as [-> |]; [lra | left; apply exp_increasing; lra].
Qed.
Lemma told h : good h -> spent (xi_at h) h <= 2 * tau_T + 2 * C_0 * B * u.
Proof.
  intro g. destruct (good_now h g) as (len & v & p & q). destruct (q (xi_at h) (believes schedule h)) as [_ q2].
  pose proof (not_fired schedule h star star_in) as n. rewrite (likelihood_ratio _ h (believes schedule h) v p) in n.
  assert (m : - tau h <= ratio (xi_at h) h).
  { apply Rnot_lt_le. intro l. change (0 < likelihood K deploy star h) in p.
    assert (z : exp (ratio (xi_at h) h) * exp (tau h) < 1) by (rewrite <- exp_plus, <- exp_0; apply exp_increasing; lra).
    apply (Rmult_lt_compat_l (likelihood K deploy star h)) in z; [| exact p]. lra. }
  pose proof (threshold_le h len). lra.
Qed.
(** 1 - affinity <= KL / 2 *)
Lemma hellinger_KL xi pi : In xi (the_models K) -> In pi (the_policies K) -> 2 * (1 - affinity trajs (prob K xi pi) (prob K star pi)) <= KL xi pi.
Proof.
  intros i j. enough (1 - KL xi pi / 2 <= affinity trajs (prob K xi pi) (prob K star pi)) by lra.
  assert (e : 1 - KL xi pi / 2 = sum trajs (fun x => prob K star pi x + / 2 * - (prob K star pi x * - increment (prob K star pi) (prob K xi pi) x))).
  { rewrite sum_add, sum_mul. change (sum trajs (fun x => prob K star pi x)) with (sum trajs (prob K star pi)). rewrite prob_one by auto. unfold divergence.
    rewrite (sum_ext trajs (fun x => - _) (fun x => (-1) * (prob K star pi x * - increment (prob K star pi) (prob K xi pi) x))) by (intros; ring).
    rewrite sum_mul. field. }
  rewrite e. unfold affinity. apply sum_le. intros x k. destruct (prob_nonneg star pi x star_in j k) as [p | p].
  - destruct (increments xi pi x i j k p) as [q _]. set (y := increment (prob K star pi) (prob K xi pi) x).
    assert (s : sqrt (prob K xi pi x * prob K star pi x) = prob K star pi x * exp (y / 2)).
    { rewrite <- (sqrt_square (prob K star pi x * exp (y / 2))) by (apply Rmult_le_pos; left; auto using exp_pos). f_equal.
      replace (prob K star pi x * exp (y / 2) * (prob K star pi x * exp (y / 2))) with (prob K star pi x * prob K star pi x * (exp (y / 2) * exp (y / 2))) by ring.
      rewrite <- exp_plus. replace (y / 2 + y / 2) with y by field. unfold y, increment. rewrite exp_ln; [field; lra |].
      apply Rmult_lt_0_compat; [exact q | now apply Rinv_0_lt_compat]. }
    rewrite s. pose proof (exp_ge (y / 2)) as g. fold y. replace (prob K star pi x + / 2 * - (prob K star pi x * - y)) with (prob K star pi x * (1 + y / 2)) by field.
    apply Rmult_le_compat_l; [left; exact p | exact g].
  - rewrite <- p. assert (z : forall y, 0 + / 2 * - (0 * y) <= sqrt (prob K xi pi x * 0)) by (intro; rewrite Rmult_0_r, sqrt_0; lra). apply z.
Qed.
Lemma gap_nonneg h : 0 <= gap (pi_at h).
Proof. unfold Statements.gap. pose proof (best_is _ (plays schedule h)). lra. Qed.
Lemma gap_square h : good h -> gap (pi_at h) * gap (pi_at h) <= span * span * KL (xi_at h) (pi_at h).
Proof.
  intro g. pose proof (optimism h g) as o. pose proof (gap_nonneg h) as n. pose proof (plays schedule h) as j. pose proof (believes schedule h) as i.
  set (v := value K (xi_at h) (pi_at h) - value K star (pi_at h)) in *.
  apply Rle_trans with (v * v); [apply Rmult_le_compat; auto |].
  apply Rle_trans with (2 * (span * span) * (1 - affinity trajs (prob K (xi_at h) (pi_at h)) (prob K star (pi_at h)))).
  - apply (gap_hellinger trajs (prob K (xi_at h) (pi_at h)) (prob K star (pi_at h))) with (a := low); auto.
  - pose proof (hellinger_KL _ _ i j) as k. replace (2 * (span * span) * _) with (span * span * (2 * (1 - affinity trajs (prob K (xi_at h) (pi_at h)) (prob K star (pi_at h))))) by ring.
    apply Rmult_le_compat_l; [apply Rle_0_sqr | exact k].
Qed.
Lemma KL_range xi pi : In xi (the_models K) -> In pi (the_policies K) -> 0 <= KL xi pi <= B.
Proof.
  intros i j. split; [apply divergence_nonneg | apply divergence_le]; auto; intros x k p; apply increments; auto.
Qed.
(** the episodes of a policy count against the model of its last one *)
Notation counts := (count (Traj K) (Policy K) (policy_dec K) pi_at).
Notation parts := (part (Traj K) (Policy K) (policy_dec K) pi_at (fun h => gap (pi_at h))).
Definition Q_T : R := 2 * tau_T + 2 * C_0 * B * u + B.
Lemma Q_nonneg : 0 <= Q_T.
Proof. unfold Q_T. pose proof C_0_above. assert (0 <= C_0 * B * u) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]). lra. Qed.
Lemma policy_spent pi xi h : In xi (the_models K) -> counts pi h * KL xi pi <= spent xi h.
Proof.
  intro i. induction h as [| x h ih]; [simpl; lra |]. cbn [count divergences]. pose proof (proj1 (KL_range xi _ i (plays schedule h))).
  destruct (policy_dec K pi (pi_at h)) as [-> |]; lra.
Qed.
Lemma policy_count pi h : good h -> counts pi h * (gap pi * gap pi) <= span * span * Q_T.
Proof.
  assert (s0 : 0 <= span * span) by apply Rle_0_sqr. pose proof Q_nonneg as q0.
  induction h as [| x h ih]; intro g; [simpl; rewrite Rmult_0_l; now apply Rmult_le_pos |]. apply good_tail in g. specialize (ih g). cbn [count].
  destruct (policy_dec K pi (pi_at h)) as [e |]; [| rewrite Rplus_0_r; exact ih].
  pose proof (gap_square h g) as sq. rewrite <- e in sq. pose proof (told h g) as t. pose proof (policy_spent pi (xi_at h) h (believes schedule h)) as c.
  pose proof (KL_range (xi_at h) pi (believes schedule h)) as k. rewrite e in k at 1. specialize (k (plays schedule h)).
  pose proof (count_nonneg (Traj K) (Policy K) (policy_dec K) pi_at pi h) as cn. set (n := counts pi h) in *.
  apply Rle_trans with ((n + 1) * (span * span * KL (xi_at h) pi)); [apply Rmult_le_compat_l; lra |].
  replace ((n + 1) * (span * span * KL (xi_at h) pi)) with (span * span * (n * KL (xi_at h) pi + KL (xi_at h) pi)) by ring.
  apply Rmult_le_compat_l; [exact s0 |]. unfold Q_T. lra.
Qed.
Lemma part_is pi h : parts pi h = counts pi h * gap pi.
Proof. induction h as [| x h ih]; simpl; [lra |]. rewrite ih. destruct (policy_dec K pi (pi_at h)) as [<- |]; lra. Qed.
Theorem regret_good h : good h -> regret K deploy star best h <= sqrt (span * span * Q_T * INR (length (the_policies K) - 1) * INR (length h)).
Proof.
  intro g. assert (e : total (Traj K) (fun h => gap (pi_at h)) h = regret K deploy star best h) by (clear g; induction h; simpl; congruence). rewrite <- e.
  apply (total_le (Traj K) (Policy K) (policy_dec K) (nodup (policy_dec K) (the_policies K)) pi_at (fun h => gap (pi_at h)) good good_tail) with (zero := best); auto.
  - intros h' _. apply nodup_In, (plays schedule).
  - apply NoDup_nodup.
  - now apply nodup_In.
  - assert (l : (length (nodup (policy_dec K) (the_policies K)) <= length (the_policies K))%nat).
    { apply NoDup_incl_length; [apply NoDup_nodup |]. intros x i. now apply nodup_In in i. }
    pose proof best_in as i. destruct (the_policies K); [destruct i | simpl in *; lia].
  - rewrite part_is. unfold Statements.gap. ring.
  - apply Rmult_le_pos; [apply Rle_0_sqr | apply Q_nonneg].
  - intros pi _. rewrite part_is. replace (counts pi h * gap pi * (counts pi h * gap pi)) with (counts pi h * (gap pi * gap pi) * counts pi h) by ring.
    apply Rmult_le_compat_r; [apply count_nonneg | now apply policy_count].
Qed.
(** with probability at least 1 - 2 N exp(-u) *)
Theorem regret_of_optimistic_schedule :
  Pr trajs (law_of K deploy star) T (fun h => Rltb (sqrt (span * span * Q_T * INR (length (the_policies K) - 1) * INR T)) (regret K deploy star best h))
  <= 2 * (INR (length (the_models K)) * exp (- u)).
Proof.
  eapply Rle_trans; [| apply (likelihood_events K star B u deploy prob_nonneg prob_one star_in (plays schedule) B_ge_1 increments T)].
  apply Pr_le; [intros h tau' _ j; apply prob_nonneg; auto; apply (plays schedule) |]. intros h v len p x.
  destruct (ever _ h) eqn:ev; [reflexivity |]. exfalso. apply Rltb_spec in x.
  assert (g : good h).
  { assert (lt : (length h <= T)%nat) by lia. clear x len. induction h as [| o h ih].
    - simpl in ev. rewrite orb_false_r in ev. simpl. repeat split; auto; try lia; intros; pose proof C_0_above; try nra.
      assert (0 <= C_0 * B * u) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]). lra.
    - rewrite ever_cons in ev. apply orb_false_elim in ev. destruct ev as [now_ before].
      destruct (weight_pos_cons (Traj K) trajs (law_of K deploy star) (fun h o _ j => prob_nonneg _ _ _ star_in (plays schedule h) j) o h v p) as [p1 _].
      pose proof v as v'. inversion v'; subst. cbn [good]. split; [exact lt |]. split; [exact v |]. split; [exact p |]. split.
      + intros xi i. assert (f : V_fails K star u deploy xi (o :: h) || E_fails K star B u deploy xi (o :: h) = false).
        { destruct (_ || _) eqn:z; [| reflexivity]. rewrite <- now_. symmetry. apply existsb_exists. exists xi. auto. }
        apply orb_false_elim in f. destruct f as [f1 f2]. unfold V_fails, E_fails in f1, f2.
        split; apply Rnot_lt_le; intro z; apply Rltb_spec in z; congruence.
      + apply ih; auto. simpl in lt. lia. }
  pose proof (regret_good h g) as k. rewrite len in k. lra.
Qed.
End Algorithm.
