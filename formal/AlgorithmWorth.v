(** The bound of Algorithm 1 divided by t falls: where it is below D T, T >= 16, it is below D t at every later t.  Logarithms grow less than the
    square root of t, which the bound has two of at most. *)
From Pomgcheck Require Import RealSums Statements ScheduleBound LikelihoodEvents AlgorithmBound Algorithm.
Open Scope R_scope.

Lemma exp_nat k : exp (INR k) <= 3 ^ k.
Proof.
  induction k as [| k ih]; [simpl; rewrite exp_0; lra |]. rewrite S_INR, exp_plus. cbn [pow]. pose proof exp_le_3. pose proof (exp_pos (INR k)). pose proof (exp_pos 1).
  rewrite Rmult_comm. apply Rmult_le_compat; lra.
Qed.
Lemma ln_at_least k x : 3 ^ k <= x -> INR k <= ln x.
Proof. intro h. rewrite <- (ln_exp (INR k)). apply ln_mono; [apply exp_pos |]. eapply Rle_trans; [apply exp_nat | exact h]. Qed.
Lemma sqrt_scaled w x y : 0 <= w -> x <= w * w * y -> sqrt x <= w * sqrt y.
Proof. intros a b. rewrite <- (sqrt_square w) by exact a. rewrite <- sqrt_mult_alt by apply Rle_0_sqr. now apply sqrt_le_1_alt. Qed.

Section Falls.
Variables (K : class) (span later c B_0 delta : R) (m : nat) (star : Model K) (best : Policy K) (told : nat * list (Policy K * R)) (T t : nat).
Hypothesis c_range : 16 <= c.
Hypothesis B_0_range : 1 <= B_0.
Hypothesis delta_range : 0 < delta <= 1.
Hypothesis m_pos : (1 <= m)%nat.
Hypothesis models_some : 1 <= INR (length (the_models K)).
Hypothesis later_nonneg : 0 <= later.
Hypothesis costly_pos : forall e, In e (snd told) -> 0 < snd e.
Hypothesis T_range : (16 <= T)%nat.
Hypothesis t_range : (T <= t)%nat.
Definition s : R := sqrt (INR t / INR T).
Lemma T_16 : 16 <= INR T. Proof. apply le_INR in T_range. simpl in T_range. lra. Qed.
Lemma T_t : INR T <= INR t. Proof. now apply le_INR. Qed.
Lemma s_square : s * s * INR T = INR t.
Proof. pose proof T_16. pose proof T_t. unfold s. rewrite sqrt_sqrt by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]). field. lra. Qed.
Lemma s_ge_1 : 1 <= s.
Proof.
  pose proof T_16. pose proof T_t. unfold s. rewrite <- sqrt_1. apply sqrt_le_1_alt. apply (Rmult_le_reg_r (INR T)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma s_le x : 0 <= x -> x <= s * x /\ s * x <= s * s * x.
Proof. intro h. pose proof s_ge_1 as k. pose proof (Rmult_le_compat_r x _ _ h k). pose proof (Rmult_le_compat_l s _ _ ltac:(lra) H). lra. Qed.
Lemma ln_slow a : 0 <= a -> ln (INR t + a) <= ln (INR T + a) + 2 * (s - 1).
Proof.
  intro h. pose proof T_16. pose proof T_t. pose proof s_ge_1 as k. pose proof s_square as q.
  assert (ls : ln s <= s - 1) by (pose proof (exp_ineq1_le (ln s)) as e; rewrite exp_ln in e by lra; lra).
  apply Rle_trans with (ln ((INR T + a) * (s * s))).
  - apply ln_mono; [lra |]. destruct (s_le a h) as [a1 a2]. lra.
  - rewrite !ln_mult by nra. lra.
Qed.
Lemma slow x y k : x <= y + k * (s - 1) -> k <= y -> x <= s * y.
Proof. intros a b. pose proof s_ge_1. pose proof (Rmult_le_compat_r (s - 1) _ _ ltac:(lra) b). lra. Qed.
Lemma Lambda_is u : Lambda delta u = 2 * (ln (INR u + 1) + ln (INR u + 2)) - 2 * ln 2 + ln (/ delta).
Proof.
  pose proof (pos_INR u). unfold Lambda, Rdiv. rewrite !ln_mult, ln_Rinv by (try apply Rmult_lt_0_compat; lra). ring.
Qed.
Lemma Lambda_falls : Lambda delta t <= s * Lambda delta T.
Proof.
  apply (slow _ _ 8).
  - rewrite !Lambda_is. pose proof (ln_slow 1 ltac:(lra)). pose proof (ln_slow 2 ltac:(lra)). lra.
  - pose proof T_16. unfold Lambda. pose proof (ln_at_least 4 ((INR T + 1) * (INR T + 2) / 2)) as k. simpl in k. pose proof (log_delta_nonneg delta delta_range).
    assert (3 * (3 * (3 * (3 * 1))) <= (INR T + 1) * (INR T + 2) / 2) by nra. specialize (k ltac:(lra)). lra.
Qed.
Notation log_N := (ln (INR (length (the_models K)))).
Lemma log_N_pos : 0 <= log_N. Proof. now apply ln_above. Qed.
Lemma Lambda_pos : 0 <= Lambda delta T.
Proof.
  unfold Lambda. pose proof (log_delta_nonneg delta delta_range). pose proof T_16. assert (0 <= ln ((INR T + 1) * (INR T + 2) / 2)) by (apply ln_above; nra). lra.
Qed.
Lemma tau_falls : tau_1 K c B_0 delta m t <= s * tau_1 K c B_0 delta m T.
Proof.
  pose proof Lambda_falls as a. pose proof s_ge_1. pose proof log_N_pos as n. pose proof (pos_INR m) as mp. pose proof C_0_above.
  assert (n0 : 0 <= log_N + INR m * B_0) by (apply Rplus_le_le_0_compat; [exact n | apply Rmult_le_pos; lra]). destruct (s_le _ n0) as [n1 _].
  assert (cb : 0 <= C_0 * B_0) by (apply Rmult_le_pos; lra). pose proof (Rmult_le_compat_l _ _ _ cb a) as ca.
  pose proof (Rmult_le_compat_l (2 * c) (log_N + Lambda delta t + INR m * B_0) (s * (log_N + Lambda delta T + INR m * B_0)) ltac:(lra) ltac:(lra)).
  unfold tau_1. lra.
Qed.
Lemma tau_pos : 0 <= tau_1 K c B_0 delta m T.
Proof.
  pose proof Lambda_pos. pose proof log_N_pos. pose proof (pos_INR m). pose proof C_0_above. unfold tau_1. apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra.
  - assert (0 <= INR m * B_0) by (apply Rmult_le_pos; lra). lra.
  - apply Rmult_le_pos; lra.
Qed.
Notation u := (u_1 K delta).
Lemma u_pos : 0 <= u.
Proof.
  unfold u_1. pose proof (inv_delta delta delta_range). apply ln_above. unfold Rdiv. nra.
Qed.
Lemma tail_pos eta : In eta sixteenths -> 0 <= C_0 * B_0 * u / (2 * eta).
Proof.
  intro i. pose proof (sixteenths_range _ i). pose proof C_0_above. apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rmult_le_pos; lra | apply u_pos] | left; apply Rinv_0_lt_compat; lra].
Qed.
Notation Q x := (Q_T B_0 u (tau_1 K c B_0 delta m) x).
Lemma evidence_falls eta : In eta sixteenths -> evidence_at B_0 u (tau_1 K c B_0 delta m) eta t <= s * evidence_at B_0 u (tau_1 K c B_0 delta m) eta T.
Proof.
  intro i. pose proof (sixteenths_range _ i) as r. pose proof tau_falls as a. pose proof u_pos. pose proof C_0_above. unfold evidence_at.
  destruct (s_le _ (tail_pos eta i)) as [z1 _].
  set (z := C_0 * B_0 * u / (2 * eta)) in *. replace (s * ((tau_1 K c B_0 delta m T + z) / (1 - eta))) with (s * (tau_1 K c B_0 delta m T + z) / (1 - eta)) by (unfold Rdiv; ring).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
Qed.
Lemma Q_falls : Q t <= s * Q T.
Proof.
  unfold Q_T. rewrite Rmult_plus_distr_l. pose proof s_ge_1. apply Rplus_le_compat; [| apply s_le; lra].
  apply fold_Rmin_scaled; [lra | apply evidence_falls, half_sixteenths | exact evidence_falls].
Qed.
Lemma Q_pos : 0 <= Q T.
Proof.
  apply Rle_trans with (0 + B_0); [lra |]. apply Rplus_le_compat_r. pose proof tau_pos.
  assert (k : forall eta, In eta sixteenths -> 0 <= evidence_at B_0 u (tau_1 K c B_0 delta m) eta T); [| apply fold_Rmin_glb; [apply k, half_sixteenths | exact k]].
  intros eta i. pose proof (sixteenths_range _ i). pose proof (tail_pos eta i). apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
Qed.
Lemma root_falls : root_at K span B_0 u (tau_1 K c B_0 delta m) t <= s * s * root_at K span B_0 u (tau_1 K c B_0 delta m) T.
Proof.
  pose proof s_ge_1. pose proof Q_falls as q. pose proof Q_pos as q0. pose proof s_square as sq. pose proof T_16. unfold root_at. set (k := INR (Nat.min _ _)).
  assert (k0 : 0 <= k) by apply pos_INR. assert (h : 0 <= span * span / 2) by (pose proof (Rle_0_sqr span) as z; unfold Rsqr in z; lra).
  apply sqrt_scaled; [nra |]. rewrite <- sq.
  set (a := span * span / 2) in *. clearbody a. set (z := a * Q T * k * INR T). assert (z0 : 0 <= z) by (apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rmult_le_pos |] |]; lra). destruct (s_le z z0) as [z1 z2].
  assert (s2 : 0 <= s * s) by nra.
  apply Rle_trans with (s * s * (s * z)).
  - unfold z. replace (s * s * (s * (a * Q T * k * INR T))) with (a * (s * Q T) * k * (s * s * INR T)) by ring.
    apply Rmult_le_compat_r; [apply Rmult_le_pos; [exact s2 | lra] |]. apply Rmult_le_compat_r; [exact k0 |]. now apply Rmult_le_compat_l.
  - replace (s * s * (s * s) * z) with (s * s * (s * (s * z))) by ring. apply Rmult_le_compat_l; [exact s2 | lra].
Qed.
Lemma log_harmful_pos : 0 <= log_harmful K delta told.
Proof.
  apply ln_above. pose proof (inv_delta delta delta_range). assert (1 <= INR (Nat.max 1 (fst told))) by (change 1 with (INR 1); apply le_INR, Nat.le_max_l). unfold Rdiv. nra.
Qed.
Lemma filled_falls : filled K c B_0 delta m star best told t <= s * s * filled K c B_0 delta m star best told T.
Proof.
  pose proof s_ge_1. unfold filled, fill. set (e := log_harmful K delta told + tau_1 K c B_0 delta m T / 2). set (e' := log_harmful K delta told + tau_1 K c B_0 delta m t / 2).
  assert (e0 : 0 <= e) by (pose proof log_harmful_pos; pose proof tau_pos; unfold e; lra). destruct (s_le _ e0) as [_ e2].
  assert (ee : e' <= s * s * e). { pose proof tau_falls. destruct (s_le _ log_harmful_pos) as [l _]. apply Rle_trans with (s * e); [unfold e, e'; lra | exact e2]. }
  assert (key : forall l, fill_at (gap K star best) (snd told) (episodes_of e') (INR t) l <= s * s * fill_at (gap K star best) (snd told) (episodes_of e) (INR T) l).
  { intro l. unfold fill_at, episodes_of. rewrite <- s_square, Rmult_plus_distr_l. apply Rplus_le_compat; [lra |]. rewrite <- sum_mul. apply sum_le. intros x i. pose proof (costly_pos x i) as cp.
    set (y := Rmax 0 _). assert (y0 : 0 <= y) by apply Rmax_l. replace (s * s * (y * (1 + e / snd x))) with (y * (s * s * (1 + e / snd x))) by ring. apply Rmult_le_compat_l; [exact y0 |].
    rewrite Rmult_plus_distr_l. apply Rplus_le_compat; [nra |]. unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact ee]. }
  apply fold_Rmin_scaled; [nra | apply key | intros l _; apply key].
Qed.
Lemma switches_fall : switches K c B_0 delta m t <= s * s * switches K c B_0 delta m T.
Proof.
  pose proof s_ge_1. pose proof T_16. unfold switches. rewrite Rmult_plus_distr_l. apply Rplus_le_compat.
  - assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra). unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |].
    assert (l0 : 2 <= ln (INR T + 2)). { pose proof (ln_at_least 2 (INR T + 2)) as k. simpl in k. apply k. lra. }
    apply Rle_trans with (s * ln (INR T + 2)); [apply (slow _ _ 2); [apply ln_slow; lra | exact l0] | apply s_le; lra].
  - assert (f : 0 < firing K c B_0 delta m).
    { unfold firing. pose proof u_pos. apply le_INR in m_pos. simpl in m_pos. assert (0 < INR m * B_0) by nra. apply Rmult_lt_0_compat; [lra |]. apply Rmult_lt_0_compat; lra. }
    unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |]. unfold E_T.
    set (y := Rmin (INR (length (the_models K) - 1)) (INR (length (the_policies K)) * (1 + ln (INR T)))).
    assert (l1 : 1 <= ln (INR T)). { pose proof (ln_at_least 1 (INR T)) as k. simpl in k. apply k. lra. }
    assert (ye : Rmin (INR (length (the_models K) - 1)) (INR (length (the_policies K)) * (1 + ln (INR t))) <= s * y).
    { unfold y. apply Rmin_scaled; [apply s_le, pos_INR |].
      rewrite <- Rmult_assoc, (Rmult_comm s), Rmult_assoc. apply Rmult_le_compat_l; [apply pos_INR |]. apply (slow _ _ 2); [| lra].
      pose proof (ln_slow 0 ltac:(lra)) as k. rewrite !Rplus_0_r in k. lra. }
    replace (s * s * (Q T * y)) with (s * Q T * (s * y)) by ring. pose proof Q_pos. pose proof Q_falls.
    assert (t1 : 0 <= Rmin (INR (length (the_models K) - 1)) (INR (length (the_policies K)) * (1 + ln (INR t)))).
    { apply Rmin_glb; [apply pos_INR |]. apply Rmult_le_pos; [apply pos_INR |]. pose proof (ln_nat t). lra. }
    apply Rle_trans with (s * Q T * Rmin (INR (length (the_models K) - 1)) (INR (length (the_policies K)) * (1 + ln (INR t)))).
    + now apply Rmult_le_compat_r.
    + apply Rmult_le_compat_l; [nra | exact ye].
Qed.
Notation bound x := (algorithm_bound K span later c B_0 delta m star best told x).
Theorem bound_falls : bound t * INR T <= bound T * INR t.
Proof.
  pose proof s_square as sq. pose proof T_16. pose proof s_ge_1. rewrite <- sq. replace (bound T * (s * s * INR T)) with (s * s * bound T * INR T) by ring. apply Rmult_le_compat_r; [lra |].
  unfold algorithm_bound. rewrite Rmult_plus_distr_l. apply Rplus_le_compat.
  - apply Rmin_scaled; [apply root_falls | apply filled_falls].
  - set (w := INR (m - 1) * later). assert (w0 : 0 <= w) by (apply Rmult_le_pos; [apply pos_INR | exact later_nonneg]).
    replace (s * s * (w * switches K c B_0 delta m T)) with (w * (s * s * switches K c B_0 delta m T)) by ring. apply Rmult_le_compat_l; [exact w0 | exact switches_fall].
Qed.
Theorem bound_stays_below D : bound T < D * INR T -> bound t < D * INR t.
Proof.
  intro h. pose proof bound_falls as f. pose proof T_16. pose proof T_t. apply (Rmult_lt_reg_r (INR T)); [lra |]. apply Rle_lt_trans with (1 := f).
  replace (D * INR t * INR T) with (D * INR T * INR t) by ring. apply Rmult_lt_compat_r; lra.
Qed.
End Falls.
