(** The statistical part of the explicit bound (docs/bound.md, "For a finite class", items 1, 3, 4 and 6): the regret of the data episodes of
    every learner that is optimistic on a confidence set of radius at least 2 u and whose deployed model is within a threshold of the most
    likely one, and the divergence that its epochs have told in all.  [optimistic_schedule] is what is used of Algorithm 1; that it has
    these properties is proved in [Algorithm.v]. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger ScheduleBound Elementary LikelihoodEvents.
Open Scope R_scope.

(** the etas of event E among which the best is taken *)
Definition sixteenths : list R := map (fun k => INR k / 16) (seq 1 8).
Lemma sixteenths_range eta : In eta sixteenths -> 0 < eta <= / 2.
Proof. intro i. simpl in i. repeat destruct i as [<- | i]; lra. Qed.

(** as many episodes as the evidence e allows, each of which tells c *)
Definition episodes_of (e c : R) : R := 1 + e / c.

Section Algorithm.
Variables (K : class) (star : Model K) (best : Policy K) (span B u : R) (deploy : list (Traj K) -> Model K * Policy K).
Variables (harmful : list (Model K)) (b_h : R) (beta tau : list (Traj K) -> R) (tau_T : nat -> R).
Notation trajs := (the_trajs K).
Notation pi_at := (pi_of K deploy).
Notation xi_at := (xi_of K deploy).
(** xi is in the confidence set formed from the data h *)
Definition trusted h xi : Prop := forall eta, In eta (the_models K) -> likelihood K deploy eta h <= likelihood K deploy xi h * exp (beta h).
(** what Algorithm 1 does, data episode by data episode: the last confidence set was formed from the data [early], and of what is best in it
    the first policy is deployed; the model it deployed has not been fired by the data so far *)
Record optimistic_schedule : Prop := {
  plays : forall h, In (pi_at h) (the_policies K);
  believes : forall h, In (xi_at h) (the_models K);
  plans : forall h, exists late early before after, h = late ++ early /\ the_policies K = before ++ pi_at h :: after /\ forall xi, In xi (the_models K) ->
    trusted early xi -> trusted early (xi_at h) /\ (forall pi, In pi (the_policies K) -> value K xi pi <= value K (xi_at h) (pi_at h)) /\
    forall pi, In pi before -> value K xi pi < value K (xi_at h) (pi_at h);
  not_fired : forall h eta, valid trajs h -> In eta (the_models K) -> likelihood K deploy eta h <= likelihood K deploy (xi_at h) h * exp (tau h)
}.
Hypothesis schedule : optimistic_schedule.
Hypothesis radius_enough : forall h, 2 * u <= beta h.
Hypothesis threshold_le : forall h, tau h <= tau_T (length h).
Hypothesis tau_T_grows : forall s t, (s <= t)%nat -> tau_T s <= tau_T t.
Hypothesis tau_T_nonneg : forall t, 0 <= tau_T t.
Hypothesis u_nonneg : 0 <= u.
Hypothesis prob_nonneg : forall xi pi tau, In xi (the_models K) -> In pi (the_policies K) -> In tau trajs -> 0 <= prob K xi pi tau.
Hypothesis prob_one : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> sum trajs (prob K xi pi) = 1.
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
(** optimism misjudges a policy by at most span TV *)
Hypothesis misjudged : forall xi pi, In xi (the_models K) -> In pi (the_policies K) ->
  (value K xi pi - value K star pi) * (value K xi pi - value K star pi) <= span * span / 2 * KL xi pi.

(** the events V, E and B at all times, on a history that can happen *)
Definition V_E_or_B_fails h : bool := V_or_E_fails K star B deploy u sixteenths h || existsb (fun xi => B_fails K star deploy b_h xi h) harmful.
Definition good_at (h : list (Traj K)) : Prop := valid trajs h /\ 0 < weight (law_of K deploy star) h /\ V_E_or_B_fails h = false.
Fixpoint good (h : list (Traj K)) : Prop := good_at h /\ match h with [] => True | _ :: h => good h end.
Lemma good_tail x h : good (x :: h) -> good h. Proof. simpl. tauto. Qed.
Lemma good_now h : good h -> good_at h. Proof. destruct h; simpl; tauto. Qed.
Lemma good_suffix late early : good (late ++ early) -> good early.
Proof. induction late as [| x l ih]; intro g; [exact g |]. apply ih. exact (good_tail _ _ g). Qed.
Lemma good_intro h : valid trajs h -> 0 < weight (law_of K deploy star) h -> ever V_E_or_B_fails h = false -> good h.
Proof.
  induction h as [| o h ih]; intros v p ev.
  - simpl in ev. rewrite orb_false_r in ev. simpl. unfold good_at. auto.
  - rewrite ever_cons in ev. apply orb_false_elim in ev. destruct ev as [e ev]. pose proof v as v'. inversion v'; subst.
    destruct (weight_pos_cons (Traj K) trajs (law_of K deploy star) (fun h o _ j => prob_nonneg _ _ _ star_in (plays schedule h) j) o h v p) as [p1 _].
    cbn [good]. unfold good_at. auto.
Qed.
Lemma good_V h xi : good h -> In xi (the_models K) -> ratio xi h <= 2 * u.
Proof.
  intros g i. destruct (good_now h g) as (_ & _ & f). apply orb_false_elim in f. destruct f as [f _]. apply Rnot_lt_le. intro l. apply Rltb_spec in l.
  enough (V_or_E_fails K star B deploy u sixteenths h = true) by congruence. apply existsb_exists. exists xi. split; [exact i |]. apply orb_true_iff. now left.
Qed.
Lemma good_E h xi eta : good h -> In xi (the_models K) -> In eta sixteenths -> ratio xi h <= - (1 - eta) * spent xi h + C_0 * B * u / (2 * eta).
Proof.
  intros g i j. destruct (good_now h g) as (_ & _ & f). apply orb_false_elim in f. destruct f as [f _]. apply Rnot_lt_le. intro l. apply Rltb_spec in l.
  enough (V_or_E_fails K star B deploy u sixteenths h = true) by congruence. apply existsb_exists. exists xi. split; [exact i |]. apply orb_true_iff. right.
  apply existsb_exists. exists eta. auto.
Qed.
Lemma good_B h xi : good h -> In xi harmful -> LikelihoodEvents.ratio K star deploy xi h / 2 + told_against K star deploy xi h <= b_h.
Proof.
  intros g i. destruct (good_now h g) as (_ & _ & f). apply orb_false_elim in f. destruct f as [_ f]. apply Rnot_lt_le. intro l. apply Rltb_spec in l.
  enough (existsb (fun xi => B_fails K star deploy b_h xi h) harmful = true) by congruence. apply existsb_exists. exists xi. auto.
Qed.
Lemma likelihood_ratio xi h : In xi (the_models K) -> valid trajs h -> 0 < weight (law_of K deploy star) h ->
  likelihood K deploy xi h = likelihood K deploy star h * exp (ratio xi h).
Proof.
  intro i. induction h as [| x h ih]; intros v p; [unfold likelihood; simpl; rewrite exp_0; ring |].
  destruct (weight_pos_cons (Traj K) trajs (law_of K deploy star) (fun h o _ j => prob_nonneg _ _ _ star_in (plays schedule h) j) x h v p) as [p1 p2].
  inversion v; subst. unfold likelihood in *. cbn [weight LikelihoodEvents.ratio]. rewrite (ih H2 p1), exp_plus. unfold law_of in *.
  destruct (increments xi (pi_at h) x i (plays schedule h) H1 p2) as [q _]. unfold increment. rewrite exp_ln; [field; lra |].
  apply Rmult_lt_0_compat; [exact q | now apply Rinv_0_lt_compat].
Qed.
(** likelihoods that are within r of each other, in logarithms *)
Lemma within_ratio xi eta r h : good h -> In xi (the_models K) -> In eta (the_models K) ->
  likelihood K deploy eta h <= likelihood K deploy xi h * exp r <-> ratio eta h <= ratio xi h + r.
Proof.
  intros g i j. destruct (good_now h g) as (v & p & _). rewrite (likelihood_ratio xi), (likelihood_ratio eta) by auto. rewrite Rmult_assoc, <- exp_plus. change (0 < likelihood K deploy star h) in p.
  split; intro l.
  - apply Rnot_lt_le. intro x. apply exp_increasing, (Rmult_lt_compat_l _ _ _ p) in x. lra.
  - apply Rmult_le_compat_l; [lra |]. destruct l as [l | ->]; [left; now apply exp_increasing | lra].
Qed.
Lemma ratio_star h : good h -> ratio star h = 0.
Proof.
  induction h as [| x h ih]; intro g; [reflexivity |]. cbn [LikelihoodEvents.ratio]. destruct (good_now _ g) as (v & p & _).
  destruct (weight_pos_cons (Traj K) trajs (law_of K deploy star) (fun h o _ j => prob_nonneg _ _ _ star_in (plays schedule h) j) x h v p) as [_ p2].
  rewrite (ih (good_tail _ _ g)). unfold increment. unfold law_of in p2. replace (_ / _) with 1 by (field; lra). rewrite ln_1. ring.
Qed.
Notation could_deploy := (ScheduleBound.could_deploy K star).
Lemma deployed h : good h -> could_deploy (xi_at h) (pi_at h).
Proof.
  intro g. destruct (plans schedule h) as (late & early & before & after & e & s & k). exists before, after. split; [exact s |].
  assert (t : trusted early star).
  { intros eta i. rewrite e in g. apply good_suffix in g. apply within_ratio; auto. rewrite (ratio_star _ g). pose proof (good_V _ eta g i). pose proof (radius_enough early). lra. }
  destruct (k star star_in t) as (t' & a1 & a2). destruct (k (xi_at h) (believes schedule h) t') as (_ & b1 & b2). split; intros p i; split; auto.
Qed.
Lemma optimism h : good h -> gap (pi_at h) <= value K (xi_at h) (pi_at h) - value K star (pi_at h).
Proof.
  intro g. destruct (deployed h g) as (_ & _ & _ & k & _). unfold Statements.gap. pose proof (proj1 (k best best_in)). lra.
Qed.
(** evidence against the deployed model *)
Definition evidence_at (eta : R) t : R := (tau_T t + C_0 * B * u / (2 * eta)) / (1 - eta).
Lemma told eta h : good h -> In eta sixteenths -> spent (xi_at h) h <= evidence_at eta (length h).
Proof.
  intros g j. pose proof (good_E h _ eta g (believes schedule h) j) as e. pose proof (sixteenths_range _ j) as r.
  pose proof (proj1 (within_ratio (xi_at h) star (tau h) h g (believes schedule h) star_in) (not_fired schedule h star (proj1 (good_now h g)) star_in)) as n. rewrite (ratio_star h g) in n.
  pose proof (threshold_le h) as t. unfold evidence_at. apply (Rmult_le_reg_r (1 - eta)); [lra |]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma gap_nonneg h : 0 <= gap (pi_at h).
Proof. unfold Statements.gap. pose proof (best_is _ (plays schedule h)). lra. Qed.
Lemma KL_range xi pi : In xi (the_models K) -> In pi (the_policies K) -> 0 <= KL xi pi <= B.
Proof.
  intros i j. split; [apply divergence_nonneg | apply divergence_le]; auto; intros x k p; apply increments; auto.
Qed.
Lemma KL_star pi : In pi (the_policies K) -> KL star pi = 0.
Proof.
  intro j. unfold divergence. apply sum_zero. intros x k. unfold increment. destruct (prob_nonneg star pi x star_in j k) as [p | <-]; [| ring].
  replace (_ / _) with 1 by (field; lra). rewrite ln_1. ring.
Qed.
Lemma gap_square h : good h -> gap (pi_at h) * gap (pi_at h) <= span * span / 2 * KL (xi_at h) (pi_at h).
Proof.
  intro g. pose proof (optimism h g) as o. pose proof (gap_nonneg h) as n. pose proof (plays schedule h) as j. pose proof (believes schedule h) as i.
  set (v := value K (xi_at h) (pi_at h) - value K star (pi_at h)) in *.
  apply Rle_trans with (v * v); [apply Rmult_le_compat; auto | now apply misjudged].
Qed.
(** Q_T: at most this much is ever told against a model that is deployed, the episode that fires it included *)
Definition Q_T t : R := fold_right (fun eta q => Rmin (evidence_at eta t) q) (evidence_at (/ 2) t) sixteenths + B.
Lemma half_sixteenths : In (/ 2) sixteenths.
Proof. simpl. do 7 right. left. lra. Qed.
Lemma below_Q x t : (forall eta, In eta sixteenths -> x <= evidence_at eta t) -> x + B <= Q_T t.
Proof. intro k. apply Rplus_le_compat_r. apply fold_Rmin_glb; [apply k, half_sixteenths | exact k]. Qed.
Lemma evidence_grows eta s t : In eta sixteenths -> (s <= t)%nat -> evidence_at eta s <= evidence_at eta t.
Proof.
  intros i l. pose proof (sixteenths_range _ i) as r. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |]. pose proof (tau_T_grows s t l). lra.
Qed.
Lemma Q_grows s t : (s <= t)%nat -> Q_T s <= Q_T t.
Proof.
  intro l. apply Rplus_le_compat_r. generalize sixteenths, evidence_grows, half_sixteenths. intros etas e i.
  assert (k : forall l', incl l' etas -> fold_right (fun eta q => Rmin (evidence_at eta s) q) (evidence_at (/ 2) s) l'
    <= fold_right (fun eta q => Rmin (evidence_at eta t) q) (evidence_at (/ 2) t) l'); [| apply k, incl_refl].
  induction l' as [| eta l' ih]; intro j; [simpl; now apply e |]. simpl.
  apply Rmin_glb; eapply Rle_trans; [apply Rmin_l | apply e; [apply j; now left | exact l] | apply Rmin_r | apply ih; intros y z; apply j; now right].
Qed.
Lemma Q_nonneg t : 0 <= Q_T t.
Proof.
  apply Rle_trans with (0 + B); [lra |]. apply below_Q. intros eta i. pose proof (sixteenths_range _ i) as r. pose proof C_0_above. pose proof (tau_T_nonneg t).
  apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat; lra]. apply Rplus_le_le_0_compat; [lra |]. apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat; lra].
  apply Rmult_le_pos; [apply Rmult_le_pos |]; lra.
Qed.
(** K(xi) so far and one more episode *)
Lemma told_Q h x : good h -> x <= B -> spent (xi_at h) h + x <= Q_T (length h).
Proof. intros g k. apply Rle_trans with (spent (xi_at h) h + B); [lra |]. apply below_Q. intros. now apply told. Qed.

(** ** Summed by models, and by policies: all episodes count against the model of the last one *)
Notation by_model := (nodup (model_dec K) (the_models K)).
Notation by_policy := (nodup (policy_dec K) (the_policies K)).
Notation cp := (count (Traj K) (Policy K) (policy_dec K) pi_at).
Notation cm := (count (Traj K) (Model K) (model_dec K) xi_at).
Notation KL_at h := (KL (xi_at h) (pi_at h)).
Notation km := (part (Traj K) (Model K) (model_dec K) xi_at (fun h => KL_at h)).
Notation kp := (part (Traj K) (Policy K) (policy_dec K) pi_at (fun h => KL_at h)).
Notation gm := (part (Traj K) (Model K) (model_dec K) xi_at (fun h => gap (pi_at h))).
Notation gp := (part (Traj K) (Policy K) (policy_dec K) pi_at (fun h => gap (pi_at h))).
Lemma KL_at_range h : 0 <= KL_at h <= B.
Proof. apply KL_range; [apply (believes schedule) | apply (plays schedule)]. Qed.
Lemma good_believes h : good h -> In (xi_at h) by_model. Proof. intros _. apply nodup_In, (believes schedule). Qed.
Lemma good_plays h : good h -> In (pi_at h) by_policy. Proof. intros _. apply nodup_In, (plays schedule). Qed.
Lemma model_spent xi h : In xi (the_models K) -> 0 <= km xi h <= spent xi h.
Proof.
  intro i. induction h as [| x h ih]; [simpl; lra |]. cbn [part divergences]. pose proof (KL_range xi _ i (plays schedule h)).
  destruct (model_dec K xi (xi_at h)) as [<- |]; lra.
Qed.
Lemma model_told xi h : good h -> In xi (the_models K) -> km xi h <= Q_T (length h).
Proof.
  intros g i. induction h as [| x h ih]; [simpl; apply Q_nonneg |]. apply good_tail in g. specialize (ih g). cbn [part length].
  pose proof (Q_grows (length h) (S (length h)) ltac:(lia)). destruct (model_dec K xi (xi_at h)) as [-> |]; [| lra].
  pose proof (model_spent (xi_at h) h (believes schedule h)). pose proof (told_Q h (KL_at h) g (proj2 (KL_at_range h))). lra.
Qed.
Lemma model_part xi h : good h -> In xi (the_models K) -> gm xi h * gm xi h <= (span * span / 2 * km xi h) * cm xi h.
Proof.
  intros g i. induction h as [| x h ih]; simpl; [lra |]. apply good_tail in g. specialize (ih g).
  destruct (model_dec K xi (xi_at h)) as [e |]; [| rewrite !Rplus_0_r; exact ih]. rewrite (Rmult_plus_distr_l (span * span / 2)).
  assert (s : 0 <= span * span / 2) by (pose proof (Rle_0_sqr span) as s; unfold Rsqr in s; lra).
  apply cs_step; auto using count_nonneg; try lra.
  - apply Rmult_le_pos; auto. now apply model_spent.
  - apply Rmult_le_pos; auto. apply KL_at_range.
  - rewrite Rmult_1_r. now apply gap_square.
Qed.
Lemma star_part h : good h -> gm star h = 0 /\ km star h = 0.
Proof.
  induction h as [| x h ih]; intro g; [now split |]. apply good_tail in g. destruct (ih g) as [a b]. cbn [part]. rewrite a, b.
  destruct (model_dec K star (xi_at h)) as [e |]; [| lra]. pose proof (optimism h g) as o. pose proof (gap_nonneg h). rewrite <- e in o |- *.
  rewrite (KL_star _ (plays schedule h)). lra.
Qed.
Lemma policy_spent pi xi h : In xi (the_models K) -> cp pi h * KL xi pi <= spent xi h.
Proof.
  intro i. induction h as [| x h ih]; [simpl; lra |]. cbn [count divergences]. pose proof (proj1 (KL_range xi _ i (plays schedule h))).
  destruct (policy_dec K pi (pi_at h)) as [-> |]; lra.
Qed.
Lemma policy_told h : good h -> (cp (pi_at h) h + 1) * KL_at h <= Q_T (length h).
Proof.
  intro g. pose proof (policy_spent (pi_at h) (xi_at h) h (believes schedule h)). pose proof (told_Q h (KL_at h) g (proj2 (KL_at_range h))). lra.
Qed.
Lemma policy_count pi h : good h -> cp pi h * (gap pi * gap pi) <= span * span / 2 * Q_T (length h).
Proof.
  assert (s : 0 <= span * span / 2) by (pose proof (Rle_0_sqr span) as s; unfold Rsqr in s; lra).
  induction h as [| x h ih]; intro g; [simpl; rewrite Rmult_0_l; apply Rmult_le_pos; [exact s | apply Q_nonneg] |].
  apply good_tail in g. specialize (ih g). cbn [count length].
  apply Rle_trans with (span * span / 2 * Q_T (length h)); [| apply Rmult_le_compat_l; [exact s | apply Q_grows; lia]].
  destruct (policy_dec K pi (pi_at h)) as [-> |]; [| rewrite Rplus_0_r; exact ih].
  pose proof (gap_square h g) as sq. pose proof (policy_told h g) as t. pose proof (count_nonneg (Traj K) (Policy K) (policy_dec K) pi_at (pi_at h) h) as cn.
  set (n := cp (pi_at h) h) in *. apply Rle_trans with ((n + 1) * (span * span / 2 * KL_at h)); [apply Rmult_le_compat_l; lra |].
  replace ((n + 1) * (span * span / 2 * KL_at h)) with (span * span / 2 * ((n + 1) * KL_at h)) by ring. now apply Rmult_le_compat_l.
Qed.
Lemma part_is pi h : gp pi h = cp pi h * gap pi.
Proof. apply (part_is (Traj K) (Policy K) (policy_dec K) pi_at gap). Qed.
(** the regret of the data episodes *)
Definition root_at t : R := sqrt (span * span / 2 * Q_T t * INR (Nat.min (length (the_models K) - 1) (length (the_policies K) - 1)) * INR t).
Theorem regret_root h : good h -> regret K deploy star best h <= root_at (length h).
Proof.
  intro g. assert (e : total (Traj K) (fun h => gap (pi_at h)) h = regret K deploy star best h) by (clear g; induction h; simpl; congruence). rewrite <- e.
  assert (q : 0 <= span * span / 2 * Q_T (length h)) by (apply Rmult_le_pos; [pose proof (Rle_0_sqr span) as s; unfold Rsqr in s; lra | apply Q_nonneg]).
  unfold root_at. destruct (Nat.min_dec (length (the_models K) - 1) (length (the_policies K) - 1)) as [-> | ->].
  - apply (total_le (Traj K) (Model K) (model_dec K) by_model xi_at (fun h => gap (pi_at h)) good good_tail good_believes) with (zero := star); auto using NoDup_nodup.
    + now apply nodup_In.
    + pose proof (nodup_length (model_dec K) (the_models K)). pose proof star_in as i. destruct (the_models K); [destruct i | simpl in *; lia].
    + now apply star_part.
    + intros xi i. apply nodup_In in i. eapply Rle_trans; [now apply model_part |]. apply Rmult_le_compat_r; [apply count_nonneg |].
      apply Rmult_le_compat_l; [pose proof (Rle_0_sqr span) as s; unfold Rsqr in s; lra | now apply model_told].
  - apply (total_le (Traj K) (Policy K) (policy_dec K) by_policy pi_at (fun h => gap (pi_at h)) good good_tail good_plays) with (zero := best); auto using NoDup_nodup.
    + now apply nodup_In.
    + pose proof (nodup_length (policy_dec K) (the_policies K)). pose proof best_in as i. destruct (the_policies K); [destruct i | simpl in *; lia].
    + rewrite part_is. unfold Statements.gap. ring.
    + intros pi _. rewrite part_is. replace (cp pi h * gap pi * (cp pi h * gap pi)) with (cp pi h * (gap pi * gap pi) * cp pi h) by ring.
      apply Rmult_le_compat_r; [apply count_nonneg | now apply policy_count].
Qed.
(** the fill: in the last epoch that deploys pi, event B counts the episodes of pi before the last one *)
Variable costly : list (Policy K * R).
Hypothesis told_apart : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> could_deploy xi pi -> 0 < gap pi ->
  In xi harmful /\ exists c, In (pi, c) costly /\ 0 < c <= - ln (affinity trajs (prob K xi pi) (prob K star pi)).
Hypothesis costly_in : forall e, In e costly -> In (fst e) (the_policies K) /\ 0 < snd e.
Lemma policy_tells pi xi h : In xi (the_models K) -> cp pi h * - ln (affinity trajs (prob K xi pi) (prob K star pi)) <= told_against K star deploy xi h.
Proof.
  intro i. induction h as [| x h ih]; [simpl; lra |]. cbn [count told_against].
  pose proof (tells K star B prob_nonneg prob_one star_in increments xi (pi_at h) i (plays schedule h)). destruct (policy_dec K pi (pi_at h)) as [-> |]; lra.
Qed.
Definition evidence_for_fill t : R := b_h + tau_T t / 2.
Lemma b_and_tau t : 0 <= b_h -> 0 <= evidence_for_fill t.
Proof. intro. unfold evidence_for_fill. pose proof (tau_T_nonneg t). lra. Qed.
Hypothesis b_nonneg : 0 <= b_h.
Lemma times pi h : good h -> 0 < gap pi -> cp pi h = 0 \/ exists c, In (pi, c) costly /\ cp pi h <= episodes_of (evidence_for_fill (length h)) c.
Proof.
  intros g p. induction h as [| x h ih]; [now left |]. apply good_tail in g. specialize (ih g). cbn [count length].
  assert (up : evidence_for_fill (length h) <= evidence_for_fill (S (length h))) by (unfold evidence_for_fill; pose proof (tau_T_grows (length h) (S (length h)) ltac:(lia)); lra).
  destruct (policy_dec K pi (pi_at h)) as [-> |].
  - right. pose proof (believes schedule h) as i. destruct (told_apart (xi_at h) (pi_at h) i (plays schedule h) (deployed h g) p) as (hm & c & ic & c0 & cl).
    exists c. split; [exact ic |]. pose proof (good_B h _ g hm) as bb. pose proof (policy_tells (pi_at h) (xi_at h) h i) as t.
    pose proof (proj1 (within_ratio (xi_at h) star (tau h) h g i star_in) (not_fired schedule h star (proj1 (good_now h g)) star_in)) as n. rewrite (ratio_star h g) in n.
    pose proof (threshold_le h) as th. pose proof (count_nonneg (Traj K) (Policy K) (policy_dec K) pi_at (pi_at h) h) as cn.
    assert (w : cp (pi_at h) h * c <= evidence_for_fill (length h)) by (pose proof (Rmult_le_compat_l _ _ _ cn cl); unfold evidence_for_fill; lra).
    assert (w' : cp (pi_at h) h <= evidence_for_fill (S (length h)) / c).
    { apply (Rmult_le_reg_r c); [exact c0 |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. } unfold episodes_of. lra.
  - rewrite Rplus_0_r. destruct ih as [ih | (c & i & k)]; [now left | right]. exists c. split; [exact i |]. destruct (costly_in _ i) as [_ c0]. cbn [snd] in c0.
    eapply Rle_trans; [exact k |]. apply Rplus_le_compat_l, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact up].
Qed.
Theorem regret_fill h : good h -> regret K deploy star best h <= fill gap costly (episodes_of (evidence_for_fill (length h))) (INR (length h)).
Proof.
  intro g. assert (e : total (Traj K) (fun h => gap (pi_at h)) h = regret K deploy star best h) by (clear g; induction h; simpl; congruence). rewrite <- e.
  apply (total_le_fill (Traj K) (Policy K) (policy_dec K) by_policy pi_at gap good good_tail good_plays (NoDup_nodup _ _)); [| | exact g |].
  - intros pi i. apply nodup_In in i. unfold Statements.gap. pose proof (best_is _ i). lra.
  - intros x i. destruct (costly_in x i) as [j c0]. split; [now apply nodup_In |]. unfold episodes_of.
    assert (0 <= evidence_for_fill (length h) / snd x) by (apply Rmult_le_pos; [now apply b_and_tau | left; now apply Rinv_0_lt_compat]). lra.
  - intros pi _. now apply times.
Qed.
(** E_T: the divergence of all data episodes from the models they were deployed for *)
Definition E_T t : R := Q_T t * Rmin (INR (length (the_models K) - 1)) (INR (length (the_policies K)) * (1 + ln (INR t))).
Lemma harmonic_step n q x : 0 <= x -> 1 <= n -> (n + 1) * x <= q -> q * (1 + ln n) + x <= q * (1 + ln (n + 1)).
Proof.
  intros hx hn h. assert (l : 1 / (n + 1) <= ln (n + 1) - ln n).
  { pose proof (exp_ineq1_le (ln n - ln (n + 1))) as k. unfold Rminus in k. rewrite exp_plus, exp_Ropp, !exp_ln in k by lra.
    replace (1 / (n + 1)) with (1 - n * / (n + 1)) by (field; lra). lra. }
  assert (q0 : 0 <= q) by (apply Rle_trans with (2 := h); apply Rmult_le_pos; lra).
  assert (xq : x <= q * (1 / (n + 1))) by (apply (Rmult_le_reg_l (n + 1)); [lra |]; replace ((n + 1) * (q * (1 / (n + 1)))) with q by (field; lra); exact h).
  pose proof (Rmult_le_compat_l q _ _ q0 l). lra.
Qed.
Lemma ln_above y : 1 <= y -> 0 <= ln y.
Proof. intros [l | <-]; [rewrite <- ln_1; left; apply ln_increasing; lra | rewrite ln_1; lra]. Qed.
Lemma ln_nat n : 0 <= ln (INR n).
Proof.
  destruct n as [| n]; [| apply ln_above; rewrite S_INR; pose proof (pos_INR n); lra]. simpl. unfold ln.
  destruct (Rlt_dec 0 0) as [l | _]; [exfalso; exact (Rlt_irrefl _ l) | lra].
Qed.
Lemma policy_harmonic pi h : good h -> (cp pi h = 0 /\ kp pi h = 0) \/ (1 <= cp pi h /\ kp pi h <= Q_T (length h) * (1 + ln (cp pi h))).
Proof.
  induction h as [| x h ih]; intro g; [left; now split |]. apply good_tail in g. specialize (ih g). cbn [count part length].
  pose proof (Q_grows (length h) (S (length h)) ltac:(lia)) as qg. pose proof (KL_at_range h) as kr. pose proof (policy_told h g) as t.
  assert (up : forall y, 0 <= y -> Q_T (length h) * y <= Q_T (S (length h)) * y) by (intros; now apply Rmult_le_compat_r).
  destruct (policy_dec K pi (pi_at h)) as [-> |].
  - right. destruct ih as [[c k] | [c k]]; rewrite ?c, ?k in *.
    + rewrite Rplus_0_l, ln_1 in *. lra.
    + split; [lra |]. pose proof (harmonic_step _ _ _ (proj1 kr) c t). specialize (up (1 + ln (cp (pi_at h) h + 1)) ltac:(pose proof (ln_above (cp (pi_at h) h + 1)); lra)). lra.
  - rewrite !Rplus_0_r. destruct ih as [ih | [c k]]; [now left | right]. split; [exact c |]. specialize (up (1 + ln (cp pi h)) ltac:(pose proof (ln_above _ c); lra)). lra.
Qed.
Lemma count_le pi h : cp pi h <= INR (length h).
Proof. induction h as [| x h ih]; [simpl; lra |]. cbn [count length]. rewrite S_INR. destruct (policy_dec K pi (pi_at h)); lra. Qed.
Theorem divergence_in_all h : good h -> total (Traj K) (fun h => KL_at h) h <= E_T (length h).
Proof.
  intro g. unfold E_T. apply Rmin_case.
  - rewrite <- (sum_part (Traj K) (Model K) (model_dec K) by_model xi_at (fun h => KL_at h) good good_tail good_believes (NoDup_nodup _ _) h g).
    rewrite <- (sum_remove_zero (model_dec K) by_model star) by now apply star_part.
    apply Rle_trans with (sum (remove (model_dec K) star by_model) (fun _ => Q_T (length h))).
    + apply sum_le. intros xi i. apply in_remove in i. apply model_told; [exact g |]. now apply nodup_In with (decA := model_dec K).
    + rewrite sum_const, Rmult_comm. apply Rmult_le_compat_l; [apply Q_nonneg |]. apply le_INR.
      pose proof (remove_length_lt (model_dec K) by_model star (proj2 (nodup_In _ _ _) star_in)). pose proof (nodup_length (model_dec K) (the_models K)). lia.
  - rewrite <- (sum_part (Traj K) (Policy K) (policy_dec K) by_policy pi_at (fun h => KL_at h) good good_tail good_plays (NoDup_nodup _ _) h g).
    pose proof (ln_nat (length h)) as l0.
    apply Rle_trans with (sum by_policy (fun _ => Q_T (length h) * (1 + ln (INR (length h))))).
    + apply sum_le. intros pi _. destruct (policy_harmonic pi h g) as [[_ ->] | [c k]]; [apply Rmult_le_pos; [apply Q_nonneg | lra] |].
      eapply Rle_trans; [exact k |]. apply Rmult_le_compat_l; [apply Q_nonneg |]. apply Rplus_le_compat_l.
      destruct (count_le pi h) as [l | ->]; [left; apply ln_increasing; lra | lra].
    + rewrite sum_const. replace (Q_T (length h) * (INR (length (the_policies K)) * (1 + ln (INR (length h))))) with (INR (length (the_policies K)) * (Q_T (length h) * (1 + ln (INR (length h))))) by ring.
      apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply Q_nonneg | lra] |]. apply le_INR, nodup_length.
Qed.
Lemma E_nonneg t : 0 <= E_T t.
Proof.
  apply Rmult_le_pos; [apply Q_nonneg |]. apply Rmin_glb; [apply pos_INR |]. apply Rmult_le_pos; [apply pos_INR |]. pose proof (ln_nat t). lra.
Qed.
End Algorithm.
