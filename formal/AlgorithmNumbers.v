(** Certified numbers of Algorithm 1: an upper end of its regret bound at one T, by enclosed logarithms. *)
From Pomgcheck Require Import Logs OrderedField Statements RealSums ScheduleBound LikelihoodEvents AlgorithmBound Play Numbers Algorithm AlgorithmPlay.
From Coq Require Import QArith Qminmax Qreals NArith.
Open Scope R_scope.

(** 6 (e - 2) is less *)
Definition C_0_upper : Q := 6 * ((2718281828459046 # 1000000000000000) - 2).
Section Ends.
(** costs: r(pi) and c(pi) of the policies that cost, of [harmful] models *)
Variables (n p m : nat) (span later c B delta : Q) (harmful : nat) (costs : list (Q * Q)) (t : N).
Notation T := (inject_Z (Z.of_N t)).
Definition fill_below (e x : Q) : bool := Qle_bool (fill_Q costs (fun c => 1 + e / c)%Q T) x.
(** the lines of [algorithm_bound] for N = n models and p policies, with eta = j / 16; w is the warm-up *)
Definition bound_below (n_hi B_lo B_hi u_lo u_hi s_hi d_hi t_hi h_hi z_hi two_lo x : Q) (j : nat) : bool :=
  let low := Qmax 1 B_lo in let b := Qmax 1 B_hi in let L := (2 * s_hi + d_hi)%Q in let eta := (nat_Q j / 16)%Q in
  let tau := Qred (2 * c * (n_hi + L + nat_Q m * b) + C_0_upper * b * L) in
  let q := Qred ((tau + C_0_upper * b * u_hi / (2 * eta)) / (1 - eta) + b) in
  let fire := Qred ((7 # 12) * (c * (u_lo + nat_Q m * low))) in
  let w := Qred (nat_Q (m - 1) * later * (z_hi / two_lo + q * Qmin (nat_Q (n - 1)) (nat_Q p * (1 + t_hi)) / fire)) in
  negb (Qle_bool fire 0) && negb (Qle_bool two_lo 0) && Qle_bool w x &&
  (Qle_bool (span * span * (1 # 2) * q * nat_Q (Nat.min (n - 1) (p - 1)) * T) ((x - w) * (x - w)) || fill_below (h_hi + tau / 2) (x - w)).
Definition algorithm_at_most (x : Q) : bool :=
  (0 <? n)%nat && (1 <=? m)%nat && (1 <=? t)%N && Qle_bool 0 later && Qle_bool 16 c && Qle_bool 1 B && negb (Qle_bool delta 0) && Qle_bool delta 1 &&
  match log_ends (nat_Q n), log_ends B, log_ends (8 * nat_Q n / delta), log_ends ((T + 1) * (T + 2) * (1 # 2)), log_ends (/ delta), log_ends T with
  | Some (_, n_hi), Some (B_lo, B_hi), Some (u_lo, u_hi), Some (_, s_hi), Some (_, d_hi), Some (_, t_hi) =>
      match log_ends (2 * nat_Q (Nat.max 1 harmful) / delta), log_ends (T + 2), log_ends 2 with
      | Some (_, h_hi), Some (_, z_hi), Some (two_lo, _) => existsb (bound_below n_hi B_lo B_hi u_lo u_hi s_hi d_hi t_hi h_hi z_hi two_lo x) (seq 1 8)
      | _, _, _ => false
      end
  | _, _, _, _, _, _ => false
  end.
End Ends.

Lemma C_0_below : C_0 <= Q2R C_0_upper.
Proof.
  assert (e : exp 1 <= Q2R (2718281828459046 # 1000000000000000)).
  { rewrite <- (exp_ln (Q2R (2718281828459046 # 1000000000000000))) by (unfold Q2R; simpl; lra).
    assert (l : Q2R 1 <= ln (Q2R (2718281828459046 # 1000000000000000))) by (apply (ln_at_least_sound 64 20); vm_compute; reflexivity).
    rewrite Q2R_one in l. destruct l as [l | <-]; [left; now apply exp_increasing | lra]. }
  replace (Q2R C_0_upper) with (6 * (Q2R (2718281828459046 # 1000000000000000) - 2)) by (unfold C_0_upper, Q2R; simpl; lra). unfold C_0. lra.
Qed.
(** ** The logarithms that the bound is made of *)
Section Logarithms.
Variables (K : class) (delta : Q) (told : nat) (t : N).
Notation n := (length (the_models K)).
Notation T := (N.to_nat t).
Hypothesis models_some : 1 <= INR n.
Hypothesis delta_pos : 0 < Q2R delta.
Hypothesis t_pos : (1 <= t)%N.
Lemma delta_not_zero : ~ (delta == 0)%Q.
Proof. intro z. apply Qeq_eqR in z. replace (Q2R 0) with 0 in z by (unfold Q2R; simpl; lra). lra. Qed.
Lemma T_ge_1 : 1 <= INR T. Proof. change 1 with (INR 1). apply le_INR. lia. Qed.
Lemma over_delta k x : Q2R x = k -> Q2R (x / delta) = k / Q2R delta.
Proof. intros <-. apply Q2R_div, delta_not_zero. Qed.
Lemma log_models lo hi : log_ends (nat_Q n) = Some (lo, hi) -> Q2R lo <= ln (INR n) <= Q2R hi.
Proof. intro h. apply log_ends_sound in h; unfold nat_Q in *; rewrite Q2R_nat in *; [exact h | lra]. Qed.
Lemma log_u lo hi : log_ends (8 * nat_Q n / delta) = Some (lo, hi) -> Q2R lo <= u_1 K (Q2R delta) <= Q2R hi.
Proof.
  intro h. assert (e : Q2R (8 * nat_Q n / delta) = 8 * INR n / Q2R delta) by (apply over_delta; unfold nat_Q; rewrite Q2R_mult, Q2R_nat; f_equal; exact (Q2R_num 8)).
  apply log_ends_sound in h; rewrite e in *; [exact h |]. apply Rmult_lt_0_compat; [lra | now apply Rinv_0_lt_compat].
Qed.
Lemma log_harm lo hi costly : log_ends (2 * nat_Q (Nat.max 1 told) / delta) = Some (lo, hi) -> Q2R lo <= log_harmful K (Q2R delta) (told, costly) <= Q2R hi.
Proof.
  intro h. assert (e : Q2R (2 * nat_Q (Nat.max 1 told) / delta) = 2 * INR (Nat.max 1 told) / Q2R delta) by (apply over_delta; unfold nat_Q; rewrite Q2R_mult, Q2R_nat; f_equal; exact (Q2R_num 2)).
  apply log_ends_sound in h; rewrite e in *; [exact h |]. assert (1 <= INR (Nat.max 1 told)) by (change 1 with (INR 1); apply le_INR, Nat.le_max_l).
  apply Rmult_lt_0_compat; [lra | now apply Rinv_0_lt_compat].
Qed.
Lemma log_Lambda s_lo s_hi d_lo d_hi : log_ends ((inject_Z (Z.of_N t) + 1) * (inject_Z (Z.of_N t) + 2) * (1 # 2)) = Some (s_lo, s_hi) -> log_ends (/ delta) = Some (d_lo, d_hi) ->
  Q2R (2 * s_lo + d_lo) <= Lambda (Q2R delta) T <= Q2R (2 * s_hi + d_hi).
Proof.
  intros hs hd. pose proof T_ge_1.
  assert (e : Q2R ((inject_Z (Z.of_N t) + 1) * (inject_Z (Z.of_N t) + 2) * (1 # 2)) = (INR T + 1) * (INR T + 2) / 2).
  { rewrite !Q2R_mult, !Q2R_plus, Q2R_N. replace (Q2R 1) with 1 by (unfold Q2R; simpl; lra). replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra).
    replace (Q2R (1 # 2)) with (/ 2) by (unfold Q2R; simpl; lra). reflexivity. }
  apply log_ends_sound in hs; rewrite e in *; [| nra]. apply log_ends_sound in hd; rewrite Q2R_inv in * by exact delta_not_zero; [| now apply Rinv_0_lt_compat].
  unfold Lambda. rewrite !Q2R_plus, !Q2R_mult. replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). lra.
Qed.
Lemma log_time lo hi : log_ends (inject_Z (Z.of_N t)) = Some (lo, hi) -> Q2R lo <= ln (INR T) <= Q2R hi.
Proof. pose proof T_ge_1. intro h. apply log_ends_sound in h; rewrite Q2R_N in *; [exact h | lra]. Qed.
Lemma log_time_2 lo hi : log_ends (inject_Z (Z.of_N t) + 2) = Some (lo, hi) -> Q2R lo <= ln (INR T + 2) <= Q2R hi.
Proof.
  pose proof T_ge_1. assert (e : Q2R (inject_Z (Z.of_N t) + 2) = INR T + 2) by (rewrite Q2R_plus, Q2R_N; replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra); reflexivity).
  intro h. apply log_ends_sound in h; rewrite e in *; [exact h | lra].
Qed.
Lemma log_two lo hi : log_ends 2 = Some (lo, hi) -> Q2R lo <= ln 2 <= Q2R hi.
Proof. intro h. assert (e : Q2R 2 = 2) by (unfold Q2R; simpl; lra). apply log_ends_sound in h; rewrite e in *; [exact h | lra]. Qed.
End Logarithms.
Section Sound.
Variables (K : class) (m : nat) (span later c B delta : Q) (t : N) (x : Q) (some : Model K * Policy K) (star : Model K) (best : Policy K).
Variables (told : nat * list (Policy K * R)) (costs : list (Q * Q)).
(** the costs are those that the bound is made of *)
Hypothesis costs_are : Forall2 (fun y z => gap K star best (fst z) = Q2R (fst y) /\ snd z = Q2R (snd y) /\ 0 < snd z) costs (snd told).
Hypothesis some_in : In (fst some) (the_models K) /\ In (snd some) (the_policies K).
Notation n := (length (the_models K)).
Notation p := (length (the_policies K)).
Notation T := (N.to_nat t).
Lemma fill_below_sound e e' y : e <= Q2R e' -> fill_below costs t e' y = true -> fill (gap K star best) (snd told) (episodes_of e) (INR T) <= Q2R y.
Proof.
  intros le k. apply Qle_bool_iff, Qle_Rle in k. eapply Rle_trans; [| exact k]. apply fill_le; [exact costs_are | | now rewrite Q2R_N].
  intros c' c0. unfold episodes_of. rewrite Q2R_plus, Q2R_one, Q2R_quotient by lra. apply Rplus_le_compat_l, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact le].
Qed.
Theorem algorithm_at_most_sound : algorithm_at_most n p m span later c B delta (fst told) costs t x = true ->
  algorithm_bound K (Q2R span) (Q2R later) (Q2R c) (B_0_of B) (Q2R delta) m star best told T <= Q2R x.
Proof.
  unfold algorithm_at_most. rewrite !andb_true_iff. intros [[[[[[[[hn hm] ht] hs] hc] hB] d0] d1] h].
  apply Nat.ltb_lt in hn. apply Nat.leb_le in hm. apply N.leb_le in ht. apply Qle_bool_iff, Qle_Rle in hs, hc, hB, d1. apply not_le_R in d0.
  rewrite Q2R_one in hB, d1. replace (Q2R 0) with 0 in hs, d0 by (unfold Q2R; simpl; lra). replace (Q2R 16) with 16 in hc by (unfold Q2R; simpl; lra).
  destruct (log_ends (nat_Q n)) as [[n_lo n_hi] |] eqn:en; [| discriminate]. destruct (log_ends B) as [[B_lo B_hi] |] eqn:eB; [| discriminate].
  destruct (log_ends (8 * _ / delta)) as [[u_lo u_hi] |] eqn:eu; [| discriminate]. destruct (log_ends (_ * (1 # 2))) as [[s_lo s_hi] |] eqn:es; [| discriminate].
  destruct (log_ends (/ delta)) as [[d_lo d_hi] |] eqn:ed; [| discriminate]. destruct (log_ends (inject_Z (Z.of_N t))) as [[t_lo t_hi] |] eqn:et; [| discriminate].
  destruct (log_ends (2 * _ / delta)) as [[h_lo h_hi] |] eqn:eh; [| discriminate]. destruct (log_ends (inject_Z (Z.of_N t) + 2)) as [[z_lo z_hi] |] eqn:ez; [| discriminate].
  destruct (log_ends 2) as [[two_lo two_hi] |] eqn:e2; [| discriminate].
  apply existsb_exists in h. destruct h as (j & ij & h).
  assert (N1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia). pose proof (T_ge_1 t ht) as T1.
  apply log_models in en; [| exact N1]. apply log_ends_sound in eB; [| lra]. apply log_u in eu; [| exact N1 | exact d0].
  pose proof (log_Lambda delta t d0 ht _ _ _ _ es ed) as Le. apply log_time in et; [| exact ht].
  apply (log_harm K delta (fst told) d0 _ _ (snd told)) in eh. rewrite <- surjective_pairing in eh. apply log_time_2 in ez; [| exact ht]. apply log_two in e2.
  (* the lines *)
  unfold bound_below in h. cbv zeta in h. set (low := Qmax 1 B_lo) in h. set (b := Qmax 1 B_hi) in h. set (L := (2 * s_hi + d_hi)%Q) in h. set (eta := (nat_Q j / 16)%Q) in h.
  set (tau := Qred (2 * c * _ + _)) in h. set (q := Qred (_ + b)) in h. set (fire := Qred ((7 # 12) * _)) in h. set (w := Qred (nat_Q (m - 1) * _ * _)) in h.
  rewrite !andb_true_iff in h. destruct h as [[[hf h2] hw] hx]. apply not_le_R in hf, h2. apply Qle_bool_iff, Qle_Rle in hw. replace (Q2R 0) with 0 in hf, h2 by (unfold Q2R; simpl; lra).
  set (B0 := B_0_of B). assert (b1 : Q2R low <= B0 <= Q2R b).
  { unfold low, b, B0, B_0_of. rewrite !Q2R_max, Q2R_one. split; apply Rle_max_compat_l; tauto. }
  assert (B1 : 1 <= B0) by apply Rmax_l. assert (m1 : 1 <= INR m) by (change 1 with (INR 1); now apply le_INR).
  fold L in Le.
  assert (dr : 0 < Q2R delta <= 1) by lra. pose proof (Lambda_nonneg (Q2R delta) dr T) as L0. pose proof C_0_below as cc. pose proof C_0_above as c3.
  set (C := Q2R C_0_upper) in *.
  assert (tau_le : tau_1 K (Q2R c) B0 (Q2R delta) m T <= Q2R tau).
  { unfold tau, tau_1. rewrite Q2R_red, Q2R_plus, !Q2R_mult, !Q2R_plus, Q2R_mult. unfold nat_Q. rewrite Q2R_nat. replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). fold C.
    apply Rplus_le_compat.
    - apply Rmult_le_compat_l; [lra |]. assert (INR m * B0 <= INR m * Q2R b) by (apply Rmult_le_compat_l; lra). lra.
    - apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact L0 | apply Rmult_le_compat; lra | apply Le]. }
  assert (es' : In (INR j / 16) sixteenths) by (apply (in_map (fun k => INR k / 16)); exact ij). pose proof (sixteenths_range _ es') as er.
  assert (ee : Q2R eta = INR j / 16).
  { unfold eta. rewrite Q2R_quotient by (unfold Q2R; simpl; lra). unfold nat_Q. rewrite Q2R_nat. f_equal. unfold Q2R. simpl. lra. }
  assert (u0 : 0 <= u_1 K (Q2R delta)).
  { unfold u_1. rewrite <- ln_1. apply ln_mono; [lra |]. pose proof (Rinv_le_contravar (Q2R delta) 1 ltac:(lra) ltac:(lra)) as k. rewrite Rinv_1 in k. unfold Rdiv. nra. }
  assert (q_le : Q_T B0 (u_1 K (Q2R delta)) (tau_1 K (Q2R c) B0 (Q2R delta) m) T <= Q2R q).
  { apply Rle_trans with (evidence_at B0 (u_1 K (Q2R delta)) (tau_1 K (Q2R c) B0 (Q2R delta) m) (INR j / 16) T + B0); [apply Rplus_le_compat_r; exact (fold_Rmin_le _ (fun e => evidence_at B0 (u_1 K (Q2R delta)) (tau_1 K (Q2R c) B0 (Q2R delta) m) e T) _ _ es') |].
    unfold q, evidence_at. rewrite Q2R_red, Q2R_plus, Q2R_quotient, Q2R_plus, Q2R_quotient, Q2R_minus, !Q2R_mult, ee, Q2R_one by
      (rewrite ?Q2R_minus, ?Q2R_mult, ee, ?Q2R_one; replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra); lra).
    replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). fold C. apply Rplus_le_compat; [| lra].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |]. apply Rplus_le_compat; [exact tau_le |].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |]. apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact u0 | apply Rmult_le_compat; lra | apply eu]. }
  assert (q0 : 0 <= Q_T B0 (u_1 K (Q2R delta)) (tau_1 K (Q2R c) B0 (Q2R delta) m) T) by (apply Q_nonneg; auto; intro; apply (tau_1_nonneg K (Q2R c) B0 (Q2R delta) m some); auto).
  assert (fire_le : Q2R fire <= firing K (Q2R c) B0 (Q2R delta) m).
  { unfold fire, firing. rewrite Q2R_red, !Q2R_mult, Q2R_plus, Q2R_mult. unfold nat_Q. rewrite Q2R_nat. replace (Q2R (7 # 12)) with (7 / 12) by (unfold Q2R; simpl; lra).
    apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat_l; [lra |]. apply Rplus_le_compat; [apply eu |]. apply Rmult_le_compat_l; lra. }
  assert (w_le : INR (m - 1) * Q2R later * switches K (Q2R c) B0 (Q2R delta) m T <= Q2R w).
  { unfold w, switches. rewrite Q2R_red, !Q2R_mult, Q2R_plus, !Q2R_quotient, Q2R_mult, Q2R_min, Q2R_mult, Q2R_plus, Q2R_one by lra. unfold nat_Q. rewrite !Q2R_nat.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pos_INR | exact hs] |]. unfold E_T.
    pose proof (ln_nat T) as l0. pose proof (pos_INR p) as p0. pose proof (ln_above (INR T + 2) ltac:(lra)) as l2.
    apply Rplus_le_compat; [apply Rmult_le_compat; [exact l2 | left; apply Rinv_0_lt_compat; lra | tauto | apply Rinv_le_contravar; lra] |].
    assert (mn : Rmin (INR (n - 1)) (INR p * (1 + ln (INR T))) <= Rmin (INR (n - 1)) (INR p * (1 + Q2R t_hi))).
    { apply Rle_min_compat_l. apply Rmult_le_compat_l; lra. }
    assert (mn0 : 0 <= Rmin (INR (n - 1)) (INR p * (1 + ln (INR T)))) by (apply Rmin_glb; [apply pos_INR | apply Rmult_le_pos; lra]).
    apply Rmult_le_compat; [now apply Rmult_le_pos | left; apply Rinv_0_lt_compat; lra | now apply Rmult_le_compat | apply Rinv_le_contravar; lra]. }
  unfold algorithm_bound. fold B0. apply Rle_trans with (Q2R x - Q2R w + Q2R w); [| lra]. apply Rplus_le_compat; [| exact w_le].
  apply orb_true_iff in hx. destruct hx as [hx | hx].
  - eapply Rle_trans; [apply Rmin_l |]. apply Qle_bool_iff, Qle_Rle in hx.
    unfold root_at. rewrite <- (sqrt_square (Q2R x - Q2R w)) by lra. apply sqrt_le_1_alt. rewrite (Q2R_mult (x - w) (x - w)), Q2R_minus in hx. eapply Rle_trans; [| exact hx].
    rewrite !Q2R_mult, Q2R_N. unfold nat_Q. rewrite Q2R_nat. replace (Q2R (1 # 2)) with (/ 2) by (unfold Q2R; simpl; lra).
    apply Rmult_le_compat_r; [apply pos_INR |]. apply Rmult_le_compat_r; [apply pos_INR |]. apply Rmult_le_compat_l; [| exact q_le].
    pose proof (Rle_0_sqr (Q2R span)) as k. unfold Rsqr in k. lra.
  - eapply Rle_trans; [apply Rmin_r |]. rewrite <- Q2R_minus. unfold filled. apply (fill_below_sound _ (h_hi + tau / 2)); [| exact hx].
    rewrite Q2R_plus, Q2R_quotient by (unfold Q2R; simpl; lra). replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). fold B0. lra.
Qed.
End Sound.
