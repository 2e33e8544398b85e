(** Theorem N: regret of the schedule `nested` on a finite class, with probability at least 1 - 2 delta. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger.
Open Scope R_scope.

(** ** Sums over episodes, grouped by a key *)
Section Groups.
Variables (T K : Type) (dec : forall x y : K, {x = y} + {x <> y}) (keys : list K) (key : list T -> K) (r : list T -> R).
Variable good : list T -> Prop.
Hypothesis good_tail : forall o h, good (o :: h) -> good h.
Hypothesis good_key : forall h, good h -> In (key h) keys.
Hypothesis keys_nodup : NoDup keys.
Fixpoint count k h : R := match h with [] => 0 | _ :: h => count k h + if dec k (key h) then 1 else 0 end.
Fixpoint part k h : R := match h with [] => 0 | _ :: h => part k h + if dec k (key h) then r h else 0 end.
Fixpoint total h : R := match h with [] => 0 | _ :: h => total h + r h end.
Lemma count_nonneg k h : 0 <= count k h.
Proof. induction h; simpl; [lra |]. destruct (dec k (key h)); lra. Qed.
Lemma sum_count h : good h -> sum keys (fun k => count k h) = INR (length h).
Proof.
  induction h as [| o h ih]; intro g; [now apply sum_zero |]. cbn [count length]. rewrite sum_add, ih by eauto.
  rewrite sum_only, S_INR by eauto. reflexivity.
Qed.
Lemma sum_part h : good h -> sum keys (fun k => part k h) = total h.
Proof.
  induction h as [| o h ih]; intro g; [now apply sum_zero |]. cbn [part total]. rewrite sum_add, ih by eauto.
  rewrite (sum_only dec keys (key h) (r h)) by eauto. reflexivity.
Qed.
Lemma total_le h zero B n : good h -> In zero keys -> (length keys <= S n)%nat -> part zero h = 0 -> 0 <= B ->
  (forall k, In k keys -> part k h * part k h <= B * count k h) -> total h <= sqrt (B * INR n * INR (length h)).
Proof.
  intros g z len pz hB hk. rewrite <- sum_part, <- (sum_remove_zero dec keys zero) by auto.
  assert (q : forall k, In k (remove dec zero keys) -> 0 <= B * count k h) by (intros; apply Rmult_le_pos; auto using count_nonneg).
  apply Rle_trans with (sum (remove dec zero keys) (fun k => sqrt (B * count k h))).
  { apply sum_le. intros k i. apply in_remove in i. apply sq_le_sqrt, hk, i. }
  eapply Rle_trans; [now apply sum_sqrt_le |]. apply sqrt_le_1_alt.
  rewrite sum_mul. rewrite (Rmult_comm B (INR n)), Rmult_assoc. apply Rmult_le_compat; [apply pos_INR | | | ].
  - apply Rmult_le_pos; auto. apply sum_nonneg. intros; apply count_nonneg.
  - apply le_INR. pose proof (remove_length_lt dec keys zero z). lia.
  - apply Rmult_le_compat_l; auto. rewrite <- sum_count by auto. apply sum_remove_le. intros; apply count_nonneg.
Qed.
End Groups.

(** ** The proof *)
Section Proof.
Variable K : class.
Notation Model := (Statements.Model K).
Notation Policy := (Statements.Policy K).
Notation Traj := (Statements.Traj K).
Notation Model_dec := (model_dec K).
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
Notation value := (Statements.value K).
Hypothesis best_is : forall pi, In pi policies -> value star pi <= value star best.
Variable delta : R.
Hypothesis delta_range : 0 < delta <= 1.
Variable deploy : list Traj -> Model * Policy.
Hypothesis nested : nested_schedule K delta deploy.
(** what an episode of pi tells against xi: any number between h^2 and - log affinity *)
Variable ell : Model -> Policy -> R.
Notation aff xi pi := (affinity trajs (prob xi pi) (prob star pi)).
Hypothesis ell_above : forall xi pi, In xi models -> In pi policies -> 1 - aff xi pi <= ell xi pi.
Hypothesis ell_below : forall xi pi, In xi models -> In pi policies -> exp (ell xi pi) * aff xi pi <= 1.

Notation c := (threshold K delta).
Notation u := (radius K delta).
Notation xi_of := (Statements.xi_of K deploy).
Notation pi_of := (Statements.pi_of K deploy).
Notation law := (law_of K deploy).
Notation L := (likelihood K deploy).
Notation keeps := (Statements.keeps K delta deploy).
Notation C := (candidates K delta deploy).
Notation ended := (Statements.ended K delta deploy).
Notation epochs := (Statements.epochs K delta deploy).
Notation gap := (Statements.gap K star best).
Notation regret := (Statements.regret K deploy star best).
Notation valid := (valid trajs).
Notation Pr := (Statements.Pr trajs (law star)).

Lemma N_pos : 1 <= INR (length models).
Proof. clear - star_in. change 1 with (INR 1). apply le_INR. revert star_in. destruct models; [intros [] | simpl; lia]. Qed.
Lemma c_ge_1 : 1 <= c.
Proof. unfold Statements.threshold. pose proof N_pos. apply (Rmult_le_reg_r delta); [tauto |]. field_simplify; lra. Qed.
Lemma exp_u : exp u = c. Proof. unfold Statements.radius. apply exp_ln. pose proof c_ge_1. lra. Qed.
Lemma u_nonneg : 0 <= u.
Proof. unfold Statements.radius. rewrite <- ln_1. destruct c_ge_1 as [h | <-]; [left; apply ln_increasing; lra | lra]. Qed.
Lemma law_nonneg xi h tau : In xi models -> In tau trajs -> 0 <= law xi h tau.
Proof. intros. apply prob_nonneg; auto. apply nested. Qed.
Lemma law_one xi h : In xi models -> sum trajs (law xi h) = 1.
Proof. intro. apply prob_one; auto. apply nested. Qed.
Lemma L_nonneg xi h : In xi models -> valid h -> 0 <= L xi h.
Proof. intros i. apply weight_nonneg. intros; now apply law_nonneg. Qed.
Lemma L_cons xi tau h : L xi (tau :: h) = L xi h * law xi h tau. Proof. reflexivity. Qed.
Lemma C_models xi h : In xi (C h) -> In xi models.
Proof. induction h; simpl; auto. intro i. apply filter_In in i. tauto. Qed.
Lemma C_cons xi tau h : In xi (C (tau :: h)) <-> In xi (C h) /\ keeps (tau :: h) xi = true.
Proof. simpl. apply filter_In. Qed.

Lemma forallb_false {A} (f : A -> bool) l : forallb f l = false -> exists x, In x l /\ f x = false.
Proof.
  induction l as [| x l ih]; simpl; [discriminate |]. destruct (f x) eqn:e; simpl; [| eauto].
  intro k. destruct (ih k) as (y & i & z). eauto.
Qed.

(** ** Event A: star never leaves *)
Definition ratio xi h := L xi h / L star h.
Lemma ratio_nonneg xi h : In xi models -> valid h -> 0 <= ratio xi h.
Proof.
  intros i v. unfold ratio. destruct (L_nonneg star h star_in v) as [p | <-].
  - apply Rmult_le_pos; [now apply L_nonneg | left; now apply Rinv_0_lt_compat].
  - unfold Rdiv. rewrite Rinv_0. lra.
Qed.
Lemma ratio_cons xi h tau : 0 < L star h -> 0 < law star h tau ->
  ratio xi (tau :: h) = ratio xi h * (law xi h tau / law star h tau).
Proof. intros. unfold ratio. rewrite !L_cons. field. lra. Qed.
Lemma ratio_supermartingale xi : In xi models -> supermartingale Traj trajs (law star) (ratio xi).
Proof.
  intros i h v p. rewrite <- (Rmult_1_r (ratio xi h)), <- (law_one xi h i), <- sum_mul. apply sum_le. intros tau j.
  destruct (law_nonneg star h tau star_in j) as [q | <-].
  - rewrite ratio_cons by auto. apply Req_le. field. lra.
  - rewrite Rmult_0_l. apply Rmult_le_pos; [now apply ratio_nonneg | now apply law_nonneg].
Qed.
Lemma Ville_each n X : (forall h, valid h -> 0 <= X h) -> supermartingale Traj trajs (law star) X -> X [] = 1 ->
  Pr n (ever (fun h => Rleb c (X h))) <= / c.
Proof.
  intros pos s x. pose proof (Ville Traj trajs (law star) (fun h o _ => law_nonneg star h o star_in) (fun h _ => law_one star h star_in) X c n pos s) as k.
  rewrite x in k. pose proof c_ge_1 as q. apply (Rmult_le_reg_l c); [lra |]. rewrite Rinv_r by lra. exact k.
Qed.
Lemma sum_over_models : sum models (fun _ => / c) = delta.
Proof. rewrite sum_const. unfold Statements.threshold. field. pose proof N_pos. lra. Qed.

Definition inb xi h : bool := if in_dec Model_dec xi (C h) then true else false.
Theorem event_A n : Pr n (ever (fun h => negb (inb star h))) <= delta.
Proof.
  eapply Rle_trans; [apply (union_bound_ever Traj trajs (law star)) with (l := models) (Es := fun xi h => Rleb c (ratio xi h)) |].
  - intros; now apply law_nonneg.
  - intros h v p x. assert (i : ~ In star (C h)) by (unfold inb in x; destruct (in_dec Model_dec star (C h)); [discriminate x | auto]). clear x.
    induction h as [| tau h ih]; [elim i; exact star_in |].
    assert (pos := weight_pos_cons Traj trajs (law star) (fun h o _ => law_nonneg star h o star_in) tau h v p).
    inversion v; subst. destruct (in_dec Model_dec star (C h)) as [j | j].
    + destruct (keeps (tau :: h) star) eqn:k; [elim i; now apply C_cons |].
      assert (e : exists eta, In eta models /\ Rleb (L eta (tau :: h)) (L star (tau :: h) * c) = false).
      { apply forallb_false. exact k. }
      destruct e as (eta & y & z). exists eta. split; auto. apply ever_here. apply Rleb_spec.
      assert (w : ~ L eta (tau :: h) <= L star (tau :: h) * c) by (intro q; apply Rleb_spec in q; congruence).
      unfold ratio. apply (Rmult_le_reg_r (L star (tau :: h))); [exact p |]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l; [lra |]. change (0 < L star (tau :: h)) in p. lra.
    + destruct (ih H2 (proj1 pos) j) as (eta & y & z). exists eta. split; auto. now rewrite ever_cons, z, orb_true_r.
  - apply Rle_trans with (2 := Req_le _ _ sum_over_models). apply sum_le. intros xi i. apply Ville_each.
    + intros; now apply ratio_nonneg.
    + now apply ratio_supermartingale.
    + unfold ratio, Statements.likelihood. simpl. field.
Qed.

(** ** Event B: a candidate has been told little against *)
Fixpoint info xi h : R := match h with [] => 0 | _ :: h => info xi h + ell xi (pi_of h) end.
Definition tilted xi h := exp (info xi h) * sqrt (ratio xi h).
Lemma tilted_nonneg xi h : 0 <= tilted xi h.
Proof. apply Rmult_le_pos; [left; apply exp_pos | apply sqrt_pos]. Qed.
Lemma tilted_supermartingale xi : In xi models -> supermartingale Traj trajs (law star) (tilted xi).
Proof.
  intros i h v p. assert (ip : In (pi_of h) policies) by apply nested.
  assert (r0 := ratio_nonneg xi h i v).
  apply Rle_trans with (tilted xi h * (exp (ell xi (pi_of h)) * aff xi (pi_of h))).
  - unfold affinity. rewrite <- !sum_mul. apply sum_le. intros tau j. unfold tilted. cbn [info]. rewrite exp_plus.
    destruct (law_nonneg star h tau star_in j) as [q | q].
    + rewrite ratio_cons by auto. rewrite sqrt_mult_alt by auto.
      assert (e : law star h tau * sqrt (law xi h tau / law star h tau) = sqrt (prob xi (pi_of h) tau * prob star (pi_of h) tau)).
      { rewrite <- (sqrt_square (law star h tau)) at 1 by lra. rewrite <- sqrt_mult_alt by (apply Rle_0_sqr). f_equal.
        unfold Statements.law_of in *. field. lra. }
      rewrite <- e. apply Req_le. ring.
    + rewrite <- q, Rmult_0_l. repeat apply Rmult_le_pos; auto using sqrt_pos; left; apply exp_pos.
  - rewrite <- (Rmult_1_r (tilted xi h)) at 2. apply Rmult_le_compat_l; [apply tilted_nonneg | now apply ell_below].
Qed.
Lemma candidate_likely xi h : In xi (C h) -> L star h <= L xi h * c.
Proof.
  destruct h as [| tau h]; intro i.
  - unfold Statements.likelihood. simpl. pose proof c_ge_1. lra.
  - apply C_cons in i. destruct i as [_ k]. unfold Statements.keeps in k. rewrite forallb_forall in k. apply Rleb_spec. auto.
Qed.
Lemma candidate_info xi h : valid h -> 0 < L star h -> In xi (C h) -> 3 * u / 2 < info xi h -> c <= tilted xi h.
Proof.
  intros v p i k. pose proof (candidate_likely xi h i) as l. pose proof exp_u as eu. pose proof (exp_pos u) as pu.
  assert (r : exp (- u) <= ratio xi h).
  { unfold ratio. rewrite exp_Ropp, eu. rewrite eu in pu. apply (Rmult_le_reg_r (L star h)); [auto |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    apply (Rmult_le_reg_l c); [auto |]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  assert (s : exp (- u / 2) <= sqrt (ratio xi h)).
  { apply sq_le_sqrt. rewrite <- exp_plus. replace (- u / 2 + - u / 2) with (- u) by field. exact r. }
  rewrite <- eu. replace u with (3 * u / 2 + - u / 2) at 1 by field. rewrite exp_plus. unfold tilted.
  apply Rmult_le_compat; auto; try (left; apply exp_pos). left. now apply exp_increasing.
Qed.
Definition told h : bool := existsb (fun xi => inb xi h && Rltb (3 * u / 2) (info xi h)) models.
Theorem event_B n : Pr n (ever told) <= delta.
Proof.
  eapply Rle_trans; [apply (union_bound_ever Traj trajs (law star)) with (l := models) (Es := fun xi h => Rleb c (tilted xi h)) |].
  - intros; now apply law_nonneg.
  - intros h v p x. apply existsb_exists in x. destruct x as (xi & i & x). apply andb_prop in x. destruct x as [x y].
    exists xi. split; auto. apply ever_here. apply Rleb_spec. apply Rltb_spec in y. unfold inb in x.
    destruct (in_dec Model_dec xi (C h)); [| discriminate]. now apply candidate_info.
  - apply Rle_trans with (2 := Req_le _ _ sum_over_models). apply sum_le. intros xi i. apply Ville_each.
    + intros; apply tilted_nonneg.
    + now apply tilted_supermartingale.
    + unfold tilted, ratio, Statements.likelihood. simpl. rewrite exp_0. replace (1 / 1) with 1 by field. rewrite sqrt_1. ring.
Qed.

(** ** Where neither event fails, nothing is left to chance *)
Fixpoint good h : Prop :=
  In star (C h) /\ (forall xi, In xi (C h) -> info xi h <= 3 * u / 2) /\ match h with [] => True | _ :: h => good h end.
Lemma good_tail tau h : good (tau :: h) -> good h. Proof. simpl. tauto. Qed.
Lemma good_star h : good h -> In star (C h). Proof. destruct h; simpl; tauto. Qed.
Lemma good_info h xi : good h -> In xi (C h) -> info xi h <= 3 * u / 2. Proof. destruct h; intros (_ & g & _); apply g. Qed.
Lemma good_intro h : ever (fun h => negb (inb star h)) h = false -> ever told h = false -> good h.
Proof.
  assert (k : forall h, negb (inb star h) = false -> told h = false -> In star (C h) /\ (forall xi, In xi (C h) -> info xi h <= 3 * u / 2)).
  { intros h' x y. unfold inb in x. destruct (in_dec Model_dec star (C h')) as [i |]; [| discriminate]. split; auto. intros xi j.
    apply Rnot_lt_le. intro l. apply Rltb_spec in l. enough (told h' = true) by congruence. apply existsb_exists. exists xi.
    split; [eapply C_models; eauto |]. unfold inb. destruct (in_dec Model_dec xi (C h')); auto. }
  induction h as [| tau h ih]; intros x y.
  - simpl in x, y. rewrite orb_false_r in x, y. destruct (k [] x y) as [a b]. simpl in *. tauto.
  - rewrite ever_cons in x, y. apply orb_false_elim in x, y. destruct (k (tau :: h)) as [a b]; [tauto .. |].
    cbn [good]. intuition.
Qed.

Lemma good_candidate h : good h -> In (xi_of h) (C h).
Proof. intro g. apply (deploys_candidate _ _ _ nested). intro e. apply good_star in g. rewrite e in g. destruct g. Qed.
Lemma gap_nonneg h : 0 <= gap (pi_of h).
Proof. unfold Statements.gap. pose proof (best_is (pi_of h) (deploys_policy _ _ _ nested h)). lra. Qed.
(** optimism: the regret is at most the difference of two models' values *)
Lemma gap_le h : good h -> gap (pi_of h) <= value (xi_of h) (pi_of h) - value star (pi_of h).
Proof. intro g. unfold Statements.gap. pose proof (optimistic _ _ _ nested h star best (good_star h g) best_in). lra. Qed.
Lemma gap_square h : good h -> gap (pi_of h) * gap (pi_of h) <= 2 * (span * span) * (1 - aff (xi_of h) (pi_of h)).
Proof.
  intro g. pose proof (gap_le h g) as k. pose proof (gap_nonneg h) as p. set (d := value (xi_of h) (pi_of h) - value star (pi_of h)) in *.
  apply Rle_trans with (d * d); [apply Rmult_le_compat; auto |].
  assert (i := C_models _ _ (good_candidate h g)). assert (j : In (pi_of h) policies) by apply nested.
  apply (gap_hellinger trajs (prob (xi_of h) (pi_of h)) (prob star (pi_of h))) with (a := low); auto.
Qed.

(** counting epochs *)
Lemma filter_out {A} (f : A -> bool) l x : In x l -> f x = false -> (length (filter f l) < length l)%nat.
Proof.
  induction l as [| y l ih]; simpl; [tauto |]. intros [-> | i] e.
  - rewrite e. clear. induction l; simpl; [lia |]. destruct (f a); simpl; lia.
  - specialize (ih i e). destruct (f y); simpl; lia.
Qed.
Lemma filter_le {A} (f : A -> bool) l : (length (filter f l) <= length l)%nat.
Proof. induction l; simpl; [lia |]. destruct (f a); simpl; lia. Qed.
Lemma ended_le h : good h -> (ended h + length (C h) <= length models)%nat.
Proof.
  induction h as [| tau h ih]; intro g; [simpl; lia |]. apply good_tail in g. specialize (ih g).
  pose proof (good_candidate h g) as i. cbn [Statements.ended]. destruct (in_dec Model_dec (xi_of h) (C (tau :: h))) as [j | j].
  - pose proof (filter_le (keeps (tau :: h)) (C h)). cbn [Statements.candidates]. lia.
  - assert (k : keeps (tau :: h) (xi_of h) = false).
    { destruct (keeps (tau :: h) (xi_of h)) eqn:k; auto. elim j. now apply C_cons. }
    pose proof (filter_out (keeps (tau :: h)) (C h) (xi_of h) i k). cbn [Statements.candidates]. lia.
Qed.
Theorem epochs_le h : good h -> (epochs h <= length models)%nat.
Proof.
  intro g. pose proof (ended_le h g). pose proof (good_star h g) as s. unfold Statements.epochs.
  destruct (C h); [destruct s | simpl in *; lia].
Qed.

(** what is deployed changes only where an epoch ends *)
Definition pair_dec : forall x y : Model * Policy, {x = y} + {x <> y}.
Proof. decide equality; [apply Policy_dec | apply Model_dec]. Defined.
Fixpoint changes h : nat :=
  match h with [] => 0 | _ :: h' => (if pair_dec (deploy h) (deploy h') then 0 else 1) + changes h' end.
Theorem changes_epochs h : (S (changes h) <= epochs h)%nat.
Proof.
  unfold Statements.epochs. apply le_n_S. induction h as [| tau h ih]; [simpl; lia |]. cbn [changes Statements.ended].
  destruct (in_dec Model_dec (xi_of h) (C (tau :: h))) as [i | i].
  - rewrite (epoch_lasts _ _ _ nested tau h i). destruct (pair_dec (deploy h) (deploy h)); [lia | congruence].
  - destruct (pair_dec _ _); lia.
Qed.

(** regret, by models: every episode of xi counts against xi *)
Notation by_model := (nodup Model_dec models).
Notation by_policy := (nodup Policy_dec policies).
Notation pm := (part Traj Model Model_dec xi_of (fun h => gap (pi_of h))).
Notation cm := (count Traj Model Model_dec xi_of).
Notation pp := (part Traj Policy Policy_dec pi_of (fun h => gap (pi_of h))).
Notation cp := (count Traj Policy Policy_dec pi_of).
Lemma total_regret h : total Traj (fun h => gap (pi_of h)) h = regret h.
Proof. induction h; simpl; congruence. Qed.
Fixpoint told_by xi h : R :=           (* h^2 of the episodes of xi *)
  match h with [] => 0 | _ :: h => told_by xi h + if Model_dec xi (xi_of h) then 1 - aff xi (pi_of h) else 0 end.
Lemma h2_01 xi pi : In xi models -> In pi policies -> 0 <= 1 - aff xi pi <= 1.
Proof. intros. apply (hellinger2_01 trajs (prob xi pi) (prob star pi)); auto. Qed.
Lemma told_by_info xi h : In xi models -> 0 <= told_by xi h <= info xi h.
Proof.
  intro i. induction h as [| tau h ih]; simpl; [lra |]. assert (ip : In (pi_of h) policies) by apply nested.
  pose proof (h2_01 xi _ i ip). pose proof (ell_above xi _ i ip). destruct (Model_dec xi (xi_of h)); lra.
Qed.
Lemma told_by_le xi h : good h -> In xi models -> told_by xi h <= 3 * u / 2 + 1.
Proof.
  intros g i. pose proof u_nonneg. induction h as [| tau h ih]; simpl; [lra |]. apply good_tail in g. specialize (ih g).
  destruct (Model_dec xi (xi_of h)) as [e |]; [| lra]. pose proof (good_candidate h g) as k. rewrite <- e in k.
  pose proof (good_info h xi g k). pose proof (told_by_info xi h i).
  pose proof (h2_01 xi (pi_of h) i (deploys_policy _ _ _ nested h)). lra.
Qed.
Lemma model_part xi h : good h -> In xi models -> pm xi h * pm xi h <= (2 * (span * span) * told_by xi h) * cm xi h.
Proof.
  intros g i. induction h as [| tau h ih]; simpl; [lra |]. apply good_tail in g. specialize (ih g).
  destruct (Model_dec xi (xi_of h)) as [e |]; [| rewrite !Rplus_0_r; exact ih].
  rewrite (Rmult_plus_distr_l (2 * (span * span))). assert (ip : In (pi_of h) policies) by apply nested.
  assert (s : 0 <= 2 * (span * span)) by (apply Rmult_le_pos; [lra | apply Rle_0_sqr]).
  apply cs_step; auto using count_nonneg; try lra.
  - apply Rmult_le_pos; auto. now apply told_by_info.
  - apply Rmult_le_pos; auto. now apply h2_01.
  - rewrite Rmult_1_r, e. now apply gap_square.
Qed.
Lemma star_part h : good h -> pm star h = 0.
Proof.
  intro g. induction h as [| tau h ih]; simpl; auto. apply good_tail in g. rewrite ih by auto.
  destruct (Model_dec star (xi_of h)) as [e |]; [| lra]. pose proof (gap_le h g) as k. rewrite <- e in k.
  pose proof (gap_nonneg h). lra.
Qed.
Lemma nodup_length {A} (dec : forall x y : A, {x = y} + {x <> y}) l : (length (nodup dec l) <= length l)%nat.
Proof. apply NoDup_incl_length; [apply NoDup_nodup |]. intros x i. now apply nodup_In in i. Qed.
Definition rate : R := span * span * (3 * u + 2).
Lemma rate_nonneg : 0 <= rate.
Proof. pose proof u_nonneg. apply Rmult_le_pos; [apply Rle_0_sqr | lra]. Qed.
Theorem regret_models h : good h -> regret h <= sqrt (rate * INR (length models - 1) * INR (length h)).
Proof.
  intro g. rewrite <- total_regret.
  apply (total_le Traj Model Model_dec by_model xi_of (fun h => gap (pi_of h)) good good_tail) with (zero := star); auto.
  - intros h' g'. apply nodup_In. eapply C_models, good_candidate, g'.
  - apply NoDup_nodup.
  - now apply nodup_In.
  - pose proof (nodup_length Model_dec models). pose proof star_in as i. destruct models; [destruct i | simpl in *; lia].
  - now apply star_part.
  - apply rate_nonneg.
  - intros xi i. apply nodup_In in i. eapply Rle_trans; [now apply model_part |]. apply Rmult_le_compat_r; [apply count_nonneg |].
    unfold rate. replace (span * span * (3 * u + 2)) with (2 * (span * span) * (3 * u / 2 + 1)) by field.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply Rle_0_sqr] | now apply told_by_le].
Qed.

(** regret, by policies: all episodes of pi count against the model of the last one *)
Lemma policy_part pi h : pp pi h = cp pi h * gap pi.
Proof. induction h as [| tau h ih]; simpl; [lra |]. rewrite ih. destruct (Policy_dec pi (pi_of h)) as [<- |]; lra. Qed.
Lemma policy_info pi xi h : In xi models -> In pi policies -> cp pi h * ell xi pi <= info xi h.
Proof.
  intros i j. induction h as [| tau h ih]; simpl; [lra |]. assert (ip : In (pi_of h) policies) by apply nested.
  pose proof (h2_01 xi _ i ip). pose proof (ell_above xi _ i ip).
  destruct (Policy_dec pi (pi_of h)) as [-> |]; lra.
Qed.
Lemma policy_count pi h : good h -> In pi policies -> cp pi h * (gap pi * gap pi) <= rate.
Proof.
  intros g i. induction h as [| tau h ih]; simpl; [rewrite Rmult_0_l; apply rate_nonneg |]. apply good_tail in g. specialize (ih g).
  destruct (Policy_dec pi (pi_of h)) as [e |]; [| rewrite Rplus_0_r; exact ih].
  pose proof (good_candidate h g) as k. pose proof (C_models _ _ k) as km. pose proof (good_info h _ g k).
  pose proof (policy_info pi (xi_of h) h km i). pose proof (gap_square h g) as q. rewrite <- e in q.
  pose proof (h2_01 (xi_of h) pi km i) as hh. pose proof (ell_above (xi_of h) pi km i).
  pose proof (count_nonneg Traj Policy Policy_dec pi_of pi h) as cn. set (n := cp pi h) in *. set (x := 1 - aff (xi_of h) pi) in *.
  assert (w : (n + 1) * x <= 3 * u / 2 + 1) by (pose proof (Rmult_le_compat_l n x (ell (xi_of h) pi) cn H1); lra).
  apply Rle_trans with ((n + 1) * (2 * (span * span) * x)); [apply Rmult_le_compat_l; lra |].
  unfold rate. replace ((n + 1) * (2 * (span * span) * x)) with (2 * (span * span) * ((n + 1) * x)) by ring.
  replace (span * span * (3 * u + 2)) with (2 * (span * span) * (3 * u / 2 + 1)) by field.
  apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply Rle_0_sqr] | exact w].
Qed.
Theorem regret_policies h : good h -> regret h <= sqrt (rate * INR (length policies - 1) * INR (length h)).
Proof.
  intro g. rewrite <- total_regret.
  apply (total_le Traj Policy Policy_dec by_policy pi_of (fun h => gap (pi_of h)) good good_tail) with (zero := best); auto.
  - intros h' g'. apply nodup_In. apply nested.
  - apply NoDup_nodup.
  - now apply nodup_In.
  - pose proof (nodup_length Policy_dec policies). pose proof best_in as i. destruct policies; [destruct i | simpl in *; lia].
  - rewrite policy_part. unfold Statements.gap. ring.
  - apply rate_nonneg.
  - intros pi i. apply nodup_In in i. rewrite policy_part. pose proof (policy_count pi h g i) as k.
    replace (cp pi h * gap pi * (cp pi h * gap pi)) with (cp pi h * (gap pi * gap pi) * cp pi h) by ring.
    apply Rmult_le_compat_r; [apply count_nonneg | exact k].
Qed.

(** the bound that does not grow *)
Variable lam : Policy -> R.
Hypothesis lam_le : forall pi, In pi policies -> 0 < gap pi -> 0 < lam pi /\
  forall xi, In xi models -> (forall pi', In pi' policies -> value xi pi' <= value xi pi) -> value star best <= value xi pi ->
  lam pi <= ell xi pi.
Definition Gamma : R := sum by_policy (fun pi => if Rlt_dec 0 (gap pi) then gap pi * (1 + 3 * u / (2 * lam pi)) else 0).
Lemma policy_count_lam pi h : good h -> In pi policies -> 0 < gap pi -> cp pi h <= 1 + 3 * u / (2 * lam pi).
Proof.
  intros g i p. destruct (lam_le pi i p) as [lp ll]. pose proof u_nonneg.
  assert (q : 0 <= 3 * u / (2 * lam pi)) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  induction h as [| tau h ih]; simpl; [lra |]. apply good_tail in g. specialize (ih g).
  destruct (Policy_dec pi (pi_of h)) as [e |]; [| lra].
  pose proof (good_candidate h g) as k. pose proof (C_models _ _ k) as km. pose proof (good_info h _ g k).
  pose proof (policy_info pi (xi_of h) h km i).
  assert (l : lam pi <= ell (xi_of h) pi).
  { apply ll; auto; rewrite e.
    - intros pi' i'. now apply (optimistic _ _ _ nested).
    - apply (optimistic _ _ _ nested); auto. now apply good_star. }
  pose proof (count_nonneg Traj Policy Policy_dec pi_of pi h) as cn. set (n := cp pi h) in *.
  assert (w : n * lam pi <= 3 * u / 2) by (pose proof (Rmult_le_compat_l n _ _ cn l); lra).
  enough (n <= 3 * u / (2 * lam pi)) by lra. apply (Rmult_le_reg_r (lam pi)); auto.
  replace (3 * u / (2 * lam pi) * lam pi) with (3 * u / 2) by (field; lra). exact w.
Qed.
Theorem regret_Gamma h : good h -> regret h <= Gamma.
Proof.
  intro g. rewrite <- total_regret, <- (sum_part Traj Policy Policy_dec by_policy pi_of (fun h => gap (pi_of h)) good good_tail).
  - apply sum_le. intros pi i. apply nodup_In in i. rewrite policy_part. destruct (Rlt_dec 0 (gap pi)) as [p | p].
    + rewrite Rmult_comm. apply Rmult_le_compat_l; [lra |]. now apply policy_count_lam.
    + assert (e : gap pi = 0) by (unfold Statements.gap in *; pose proof (best_is pi i); lra). rewrite e. lra.
  - intros. apply nodup_In. apply nested.
  - apply NoDup_nodup.
  - exact g.
Qed.

(** ** Theorem N *)
Definition bound (T : nat) : R :=
  Rmin (span * sqrt ((3 * u + 2) * INR (Nat.min (length models - 1) (length policies - 1)) * INR T)) Gamma.
Lemma regret_le h : good h -> regret h <= bound (length h).
Proof.
  intro g. unfold bound. apply Rmin_glb; [| now apply regret_Gamma].
  assert (k : regret h <= sqrt (rate * INR (Nat.min (length models - 1) (length policies - 1)) * INR (length h))).
  { destruct (Nat.min_dec (length models - 1) (length policies - 1)) as [-> | ->]; [now apply regret_models | now apply regret_policies]. }
  eapply Rle_trans; [exact k |]. unfold rate. rewrite !Rmult_assoc, <- (Rmult_assoc span span), sqrt_mult_alt, sqrt_square by (auto; apply Rle_0_sqr).
  rewrite <- !Rmult_assoc. lra.
Qed.
(** after some episode: star has left, or more than N epochs, or more regret than the bound for the episodes so far *)
Definition violated h : bool :=
  negb (inb star h) || Nat.ltb (length models) (epochs h) || Rltb (bound (length h)) (regret h).
Theorem theorem_N T : Pr T (ever violated) <= 2 * delta.
Proof.
  replace (2 * delta) with (delta + delta) by ring.
  eapply Rle_trans; [| apply Rplus_le_compat; [apply (event_A T) | apply (event_B T)]].
  eapply Rle_trans; [| apply (Pr_or Traj trajs (law star)); intros; now apply law_nonneg].
  apply Pr_le; [intros; now apply law_nonneg |]. intros h v _ p x.
  destruct (ever (fun h => negb (inb star h)) h) eqn:a; auto. destruct (ever told h) eqn:b; auto. exfalso.
  pose proof (good_intro h a b) as g. clear a b. clear v p. induction h as [| tau h ih].
  - simpl in x. rewrite orb_false_r in x. revert x g. generalize (@nil Traj). intros h x g.
    unfold violated, inb in x. destruct (in_dec Model_dec star (C h)) as [_ | n]; [| elim n; now apply good_star].
    simpl in x. apply orb_prop in x. destruct x as [x | x].
    + apply Nat.ltb_lt in x. pose proof (epochs_le h g). lia.
    + apply Rltb_spec in x. pose proof (regret_le h g). lra.
  - rewrite ever_cons in x. apply orb_prop in x. destruct x as [x | x]; [| apply ih; auto; eapply good_tail, g].
    unfold violated, inb in x. destruct (in_dec Model_dec star (C (tau :: h))) as [_ | n]; [| elim n; now apply good_star].
    rewrite orb_false_l in x. apply orb_prop in x. destruct x as [x | x].
    + apply Nat.ltb_lt in x. pose proof (epochs_le _ g). lia.
    + apply Rltb_spec in x. pose proof (regret_le _ g). lra.
Qed.
End Proof.
