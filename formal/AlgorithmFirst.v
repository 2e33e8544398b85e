(** That no T before T* will do: a lower end of Algorithm 1's regret bound at one T, by enclosed logarithms, and that the bound of one and the same
    truth is not below D t at any t before.  At T* - 1 and at t < 16 that is computed; in between it follows, as the bound divided by t falls. *)
From Pomgcheck Require Import Logs OrderedField Statements RealSums ScheduleBound LikelihoodEvents AlgorithmBound Play Numbers Algorithm AlgorithmPlay AlgorithmWorth.
From Pomgcheck Require Import HarmfulModels NestedPlay AlgorithmNumbers Regret.
From Coq Require Import QArith Qminmax Qreals NArith.
Open Scope R_scope.

(** 6 (e - 2) is more *)
Definition C_0_lower : Q := 6 * ((2718281828459045 # 1000000000000000) - 2).
Lemma C_0_over : 0 <= Q2R C_0_lower <= C_0.
Proof.
  split; [unfold C_0_lower, Q2R; simpl; lra |].
  assert (p : 0 < Q2R (2718281828459045 # 1000000000000000)) by (unfold Q2R; simpl; lra).
  assert (l : ln (Q2R (2718281828459045 # 1000000000000000)) <= 1).
  { destruct (log_ends (2718281828459045 # 1000000000000000)) as [[lo hi] |] eqn:e; [| vm_compute in e; discriminate].
    pose proof (log_ends_sound _ _ _ p e) as [_ k]. assert (h : Qle_bool hi 1 = true) by (vm_compute in e; injection e as _ <-; vm_compute; reflexivity).
    apply Qle_bool_iff, Qle_Rle in h. rewrite Q2R_one in h. lra. }
  assert (e : Q2R (2718281828459045 # 1000000000000000) <= exp 1).
  { rewrite <- (exp_ln _ p). destruct l as [l | ->]; [left; now apply exp_increasing | lra]. }
  replace (Q2R C_0_lower) with (6 * (Q2R (2718281828459045 # 1000000000000000) - 2)) by (unfold C_0_lower, Q2R; simpl; lra). unfold C_0. lra.
Qed.

(** [forallb] and [existsb] that stop where they are decided, which Coq's virtual machine does at no && and no || *)
Fixpoint all {A} (t : A -> bool) l : bool := match l with [] => true | x :: l => if t x then all t l else false end.
Fixpoint some {A} (t : A -> bool) l : bool := match l with [] => false | x :: l => if t x then true else some t l end.
Lemma all_true {A} (t : A -> bool) l : all t l = true -> forall x, In x l -> t x = true.
Proof. induction l as [| y l ih]; [intros _ x [] |]. cbn [all]. destruct (t y) eqn:e; [| discriminate]. intros h x [<- | i]; [exact e | now apply ih]. Qed.
Lemma some_true {A} (t : A -> bool) l : some t l = true -> exists x, In x l /\ t x = true.
Proof. induction l as [| y l ih]; [discriminate |]. cbn [some]. destruct (t y) eqn:e; [intros _; exists y; split; [now left | exact e] |]. intro h. destruct (ih h) as (x & i & k). exists x. split; [now right | exact k]. Qed.
Section Ends.
Variables (n p m : nat) (span later c B delta : Q) (harmful : nat) (costs : list (Q * Q)).
(** the lines of [algorithm_bound] at t from below, in the order of AlgorithmNumbers.v, and that they are x at least *)
Definition evidence_above (tau low u_lo : Q) (j : nat) : Q := let eta := (nat_Q j / 16)%Q in ((tau + C_0_lower * low * u_lo / (2 * eta)) / (1 - eta))%Q.
Definition bound_above (n_lo B_lo B_hi u_lo u_hi d_lo h_lo two_hi s_lo t_lo z_lo : Q) (t : N) (x : Q) : bool :=
  let low := Qmax 1 B_lo in let b := Qmax 1 B_hi in let L := (2 * s_lo + d_lo)%Q in
  let tau := Qred (2 * c * (n_lo + L + nat_Q m * low) + C_0_lower * low * L) in
  let q := Qred (least (map (evidence_above tau low u_lo) (seq 1 8)) + low) in
  let fire := Qred ((7 # 12) * (c * (u_hi + nat_Q m * b))) in
  let w := Qred (nat_Q (m - 1) * later * (z_lo / two_hi + q * Qmin (nat_Q (n - 1)) (nat_Q p * (1 + t_lo)) / fire)) in
  let y := Qmax 0 (x - w) in
  negb (Qle_bool two_hi 0) && Qle_bool 0 q && Qle_bool (y * y) (span * span * (1 # 2) * q * nat_Q (Nat.min (n - 1) (p - 1)) * inject_Z (Z.of_N t)) &&
  Qle_bool y (fill_Q costs (fun c => 1 + (h_lo + tau / 2) / c)%Q (inject_Z (Z.of_N t))).
(** at all of some times; what does not depend on the time is computed once *)
Definition algorithm_at_least (times : list N) (x : N -> Q) : bool :=
  (0 <? n)%nat && (1 <=? m)%nat && Qle_bool 0 later && Qle_bool 16 c && Qle_bool 1 B && negb (Qle_bool delta 0) && Qle_bool delta 1 &&
  match log_ends (nat_Q n), log_ends B, log_ends (8 * nat_Q n / delta), log_ends (/ delta), log_ends (2 * nat_Q (Nat.max 1 harmful) / delta), log_ends 2 with
  | Some (n_lo, _), Some (B_lo, B_hi), Some (u_lo, u_hi), Some (d_lo, _), Some (h_lo, _), Some (_, two_hi) =>
      all (fun t => (1 <=? t)%N && match log_ends ((inject_Z (Z.of_N t) + 1) * (inject_Z (Z.of_N t) + 2) * (1 # 2)), log_ends (inject_Z (Z.of_N t)), log_ends (inject_Z (Z.of_N t) + 2) with
        | Some (s_lo, _), Some (t_lo, _), Some (z_lo, _) => bound_above n_lo B_lo B_hi u_lo u_hi d_lo h_lo two_hi s_lo t_lo z_lo t (x t)
        | _, _, _ => false
        end) times
  | _, _, _, _, _, _ => false
  end.
End Ends.

Section Sound.
Variables (K : class) (m : nat) (span later c B delta : Q) (times : list N) (x : N -> Q) (star : Model K) (best : Policy K).
Variables (told : nat * list (Policy K * R)) (costs : list (Q * Q)).
Hypothesis costs_are : Forall2 (fun y z => gap K star best (fst z) = Q2R (fst y) /\ snd z = Q2R (snd y) /\ 0 < snd z) costs (snd told).
Notation n := (length (the_models K)).
Notation p := (length (the_policies K)).
Theorem algorithm_at_least_sound : algorithm_at_least n p m span later c B delta (fst told) costs times x = true -> forall t, In t times ->
  Q2R (x t) <= algorithm_bound K (Q2R span) (Q2R later) (Q2R c) (B_0_of B) (Q2R delta) m star best told (N.to_nat t).
Proof.
  unfold algorithm_at_least. rewrite !andb_true_iff. intros [[[[[[[hn hm] hs] hc] hB] d0] d1] h] t it. set (T := N.to_nat t).
  apply Nat.ltb_lt in hn. apply Nat.leb_le in hm. apply Qle_bool_iff, Qle_Rle in hs, hc, hB, d1. apply not_le_R in d0.
  rewrite Q2R_one in hB, d1. replace (Q2R 0) with 0 in hs, d0 by (unfold Q2R; simpl; lra). replace (Q2R 16) with 16 in hc by (unfold Q2R; simpl; lra).
  destruct (log_ends (nat_Q n)) as [[n_lo n_hi] |] eqn:en; [| discriminate]. destruct (log_ends B) as [[B_lo B_hi] |] eqn:eB; [| discriminate].
  destruct (log_ends (8 * _ / delta)) as [[u_lo u_hi] |] eqn:eu; [| discriminate]. destruct (log_ends (/ delta)) as [[d_lo d_hi] |] eqn:ed; [| discriminate].
  destruct (log_ends (2 * _ / delta)) as [[h_lo h_hi] |] eqn:eh; [| discriminate]. destruct (log_ends 2) as [[two_lo two_hi] |] eqn:e2; [| discriminate].
  apply (all_true _ _) with (x := t) in h; [| exact it]. apply andb_true_iff in h. destruct h as [ht h]. apply N.leb_le in ht.
  destruct (log_ends (_ * (1 # 2))) as [[s_lo s_hi] |] eqn:es; [| discriminate]. destruct (log_ends (inject_Z (Z.of_N t))) as [[t_lo t_hi] |] eqn:et; [| discriminate].
  destruct (log_ends (inject_Z (Z.of_N t) + 2)) as [[z_lo z_hi] |] eqn:ez; [| discriminate].
  assert (N1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia). pose proof (T_ge_1 t ht) as T1. fold T in T1.
  apply log_models in en; [| exact N1]. apply log_ends_sound in eB; [| lra]. apply log_u in eu; [| exact N1 | exact d0].
  pose proof (log_Lambda delta t d0 ht _ _ _ _ es ed) as Le. apply log_time in et; [| exact ht].
  apply (log_harm K delta (fst told) d0 _ _ (snd told)) in eh. rewrite <- surjective_pairing in eh. apply log_time_2 in ez; [| exact ht]. apply log_two in e2. fold T in Le, et, ez.
  unfold bound_above in h. cbv zeta in h. set (low := Qmax 1 B_lo) in h. set (b := Qmax 1 B_hi) in h. set (L := (2 * s_lo + d_lo)%Q) in *.
  set (tau := Qred (2 * c * _ + _)) in h. set (q := Qred (least _ + low)) in h. set (fire := Qred ((7 # 12) * _)) in h. set (w := Qred (nat_Q (m - 1) * _ * _)) in h. set (y := Qmax 0 _) in h.
  rewrite !andb_true_iff in h. destruct h as [[[h2 q0] hr] hf]. apply not_le_R in h2. apply Qle_bool_iff, Qle_Rle in q0, hr, hf. replace (Q2R 0) with 0 in h2, q0 by (unfold Q2R; simpl; lra).
  set (B0 := B_0_of B). assert (b1 : Q2R low <= B0 <= Q2R b).
  { unfold low, b, B0, B_0_of. rewrite !Q2R_max, Q2R_one. split; apply Rle_max_compat_l; tauto. }
  assert (low1 : 1 <= Q2R low) by (unfold low; rewrite Q2R_max, Q2R_one; apply Rmax_l).
  assert (B1 : 1 <= B0) by apply Rmax_l. assert (m1 : 1 <= INR m) by (change 1 with (INR 1); now apply le_INR).
  assert (dr : 0 < Q2R delta <= 1) by lra. pose proof (Lambda_nonneg (Q2R delta) dr T) as L0. destruct C_0_over as [cc0 cc]. set (C := Q2R C_0_lower) in *.
  assert (cb : 0 <= C * Q2R low <= C_0 * B0) by (split; [apply Rmult_le_pos; lra | apply Rmult_le_compat; lra]).
  assert (tau_ge : Q2R tau <= tau_1 K (Q2R c) B0 (Q2R delta) m T).
  { unfold tau, tau_1. rewrite Q2R_red, Q2R_plus, !Q2R_mult, !Q2R_plus, Q2R_mult. unfold nat_Q. rewrite Q2R_nat. replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). fold C.
    apply Rplus_le_compat.
    - apply Rmult_le_compat_l; [lra |]. assert (INR m * Q2R low <= INR m * B0) by (apply Rmult_le_compat_l; lra). lra.
    - apply Rle_trans with (C * Q2R low * Lambda (Q2R delta) T); [apply Rmult_le_compat_l | apply Rmult_le_compat_r]; lra. }
  assert (u0 : 0 <= u_1 K (Q2R delta)).
  { unfold u_1. rewrite <- ln_1. apply ln_mono; [lra |]. pose proof (Rinv_le_contravar (Q2R delta) 1 ltac:(lra) ltac:(lra)) as k. rewrite Rinv_1 in k. unfold Rdiv. nra. }
  assert (ev : forall eta, In eta sixteenths -> Q2R (least (map (evidence_above tau low u_lo) (seq 1 8))) <= evidence_at B0 (u_1 K (Q2R delta)) (tau_1 K (Q2R c) B0 (Q2R delta) m) eta T).
  { intros eta i. pose proof (sixteenths_range _ i) as er. apply in_map_iff in i. destruct i as (j & ej & ij).
    eapply Rle_trans; [apply Qle_Rle, least_le, (in_map (evidence_above tau low u_lo) _ _ ij) |]. unfold evidence_above, evidence_at. cbv zeta.
    assert (ee : Q2R (nat_Q j / 16) = eta).
    { rewrite Q2R_quotient by (unfold Q2R; simpl; lra). unfold nat_Q. rewrite Q2R_nat, <- ej. f_equal. unfold Q2R. simpl. lra. }
    rewrite Q2R_quotient, Q2R_plus, Q2R_quotient, Q2R_minus, !Q2R_mult, ee, Q2R_one by
      (rewrite ?Q2R_minus, ?Q2R_mult, ee, ?Q2R_one; replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra); lra).
    replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). fold C.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |]. apply Rplus_le_compat; [exact tau_ge |].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra |].
    apply Rle_trans with (C * Q2R low * u_1 K (Q2R delta)); [apply Rmult_le_compat_l | apply Rmult_le_compat_r]; lra. }
  set (Q := Q_T B0 (u_1 K (Q2R delta)) (tau_1 K (Q2R c) B0 (Q2R delta) m) T).
  assert (q_ge : Q2R q <= Q).
  { unfold q, Q, Q_T. rewrite Q2R_red, Q2R_plus. apply Rplus_le_compat; [| tauto]. apply fold_Rmin_glb; [apply ev, half_sixteenths | exact ev]. }
  assert (fire_ge : firing K (Q2R c) B0 (Q2R delta) m <= Q2R fire).
  { unfold fire, firing. rewrite Q2R_red, !Q2R_mult, Q2R_plus, Q2R_mult. unfold nat_Q. rewrite Q2R_nat. replace (Q2R (7 # 12)) with (7 / 12) by (unfold Q2R; simpl; lra).
    apply Rmult_le_compat_l; [lra |]. apply Rmult_le_compat_l; [lra |]. apply Rplus_le_compat; [apply eu |]. apply Rmult_le_compat_l; lra. }
  assert (fire0 : 0 < firing K (Q2R c) B0 (Q2R delta) m).
  { unfold firing. apply Rmult_lt_0_compat; [lra |]. apply Rmult_lt_0_compat; [lra |]. nra. }
  assert (w_ge : Q2R w <= INR (m - 1) * Q2R later * switches K (Q2R c) B0 (Q2R delta) m T).
  { unfold w, switches. rewrite Q2R_red, !Q2R_mult, Q2R_plus, !Q2R_quotient, Q2R_mult, Q2R_min, Q2R_mult, Q2R_plus, Q2R_one by lra. unfold nat_Q. rewrite !Q2R_nat.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pos_INR | exact hs] |]. unfold E_T. fold Q.
    pose proof (ln_nat T) as l0. pose proof (pos_INR p) as p0. pose proof (ln_above (INR T + 2) ltac:(lra)) as l2. assert (two0 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
    apply Rplus_le_compat.
    - apply Rle_trans with (ln (INR T + 2) / Q2R two_hi); [apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | tauto] |].
      apply Rmult_le_compat_l; [exact l2 | apply Rinv_le_contravar; tauto].
    - assert (mn : Rmin (INR (n - 1)) (INR p * (1 + Q2R t_lo)) <= Rmin (INR (n - 1)) (INR p * (1 + ln (INR T)))) by (apply Rle_min_compat_l, Rmult_le_compat_l; lra).
      assert (mn0 : 0 <= Rmin (INR (n - 1)) (INR p * (1 + ln (INR T)))) by (apply Rmin_glb; [apply pos_INR | apply Rmult_le_pos; lra]).
      set (r := Rmin (INR (n - 1)) (INR p * (1 + ln (INR T)))) in *.
      assert (qr : Q2R q * Rmin (INR (n - 1)) (INR p * (1 + Q2R t_lo)) <= Q * r) by (apply Rle_trans with (Q2R q * r); [now apply Rmult_le_compat_l | now apply Rmult_le_compat_r]).
      assert (Qr0 : 0 <= Q * r) by (apply Rmult_le_pos; lra).
      apply Rle_trans with (Q * r / Q2R fire); [apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact qr] |].
      apply Rmult_le_compat_l; [exact Qr0 | now apply Rinv_le_contravar]. }
  unfold algorithm_bound. fold B0. assert (yx : Q2R (x t) - Q2R w <= Q2R y /\ 0 <= Q2R y).
  { unfold y. rewrite Q2R_max, Q2R_minus. replace (Q2R 0) with 0 by (unfold Q2R; simpl; lra). split; [apply Rmax_r | apply Rmax_l]. }
  apply Rle_trans with (Q2R y + Q2R w); [lra |]. apply Rplus_le_compat; [| exact w_ge]. apply Rmin_glb.
  - unfold root_at. fold Q. rewrite <- (sqrt_square (Q2R y)) by tauto. apply sqrt_le_1_alt. rewrite Q2R_mult in hr at 1. eapply Rle_trans; [exact hr |].
    rewrite !Q2R_mult, Q2R_N. unfold nat_Q. rewrite Q2R_nat. replace (Q2R (1 # 2)) with (/ 2) by (unfold Q2R; simpl; lra). fold T.
    apply Rmult_le_compat_r; [apply pos_INR |]. apply Rmult_le_compat_r; [apply pos_INR |]. apply Rmult_le_compat_l; [| exact q_ge].
    pose proof (Rle_0_sqr (Q2R span)) as k. unfold Rsqr in k. lra.
  - eapply Rle_trans; [exact hf |]. unfold Algorithm.filled. apply fill_ge; [exact costs_are | | now rewrite Q2R_N].
    intros c' c0. unfold episodes_of. rewrite Q2R_plus, Q2R_one, Q2R_quotient by lra. apply Rplus_le_compat_l, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |].
    rewrite Q2R_plus, Q2R_quotient by (unfold Q2R; simpl; lra). replace (Q2R 2) with 2 by (unfold Q2R; simpl; lra). fold B0. lra.
Qed.
End Sound.

(** ** For some truth the bound is not below D t at any t before T *)
Definition before (T : N) : list N := (T - 1)%N :: filter (fun t => (t <? T - 1)%N) early.
Definition check_algorithm_first d (table : list ((point * point) * list Q)) m (range later c B delta : Q) tolds (T : N) (D : Q) : bool :=
  (0 <? List.length (policies d))%nat && policies_told (List.length (policies d)) tolds &&
  some (fun y => algorithm_at_least (List.length (models d)) (List.length (policies d)) m range later c B delta (fst (told_at d tolds (fst y)))
    (costs_at (snd y) (told_at d tolds (fst y))) (before T) (fun t => D * inject_Z (Z.of_N t))%Q) table.
Theorem check_algorithm_first_sound d r table m range later c B delta tolds T D : values_of d r = table ->
  check_algorithm_first d table m range later c B delta tolds T D = true ->
  exists star, In star (models d) /\ forall t, (1 <= t < N.to_nat T)%nat -> Q2R D * INR t <= bound_1 d r range later c B delta m tolds star t.
Proof.
  intros <-. unfold check_algorithm_first. rewrite !andb_true_iff. intros [[hp ht] k]. apply Nat.ltb_lt in hp. apply some_true in k. destruct k as (x & i & k).
  unfold values_of in i. apply in_map_iff in i. destruct i as (star & <- & hs). cbn [fst snd] in k. exists star. split; [exact hs |].
  pose proof (policies_told_at d tolds star ht) as c0. set (e := told_at d tolds star) in *.
  assert (at_t : forall t, In t (before T) -> Q2R D * INR (N.to_nat t) <= bound_1 d r range later c B delta m tolds star (N.to_nat t)).
  { intros t i. rewrite <- Q2R_N, <- Q2R_mult. unfold bound_1. fold e.
    apply (algorithm_at_least_sound (class_of d r) m range later c B delta (before T) (fun t => D * inject_Z (Z.of_N t))%Q star (best_policy d r star) (in_reals e)
      (costs_at (map (value_fast d r star) (seq 0 (List.length (policies d)))) e)); [now apply costs_are | | exact i].
    cbn [the_models the_policies class_of]. rewrite seq_length. exact k. }
  intros t h. destruct (Nat.eq_dec t (N.to_nat T - 1)) as [-> | ne].
  { specialize (at_t (T - 1)%N (or_introl eq_refl)). rewrite N2Nat.inj_sub in at_t. exact at_t. }
  destruct (Nat.le_gt_cases t 15) as [le | gt].
  { specialize (at_t (N.of_nat t)). rewrite Nat2N.id in at_t. apply at_t. right. apply filter_In. split; [apply in_map, in_seq; lia | apply N.ltb_lt; lia]. }
  specialize (at_t (T - 1)%N (or_introl eq_refl)). rewrite N2Nat.inj_sub in at_t. change (N.to_nat 1) with 1%nat in at_t. set (last := (N.to_nat T - 1)%nat) in *.
  unfold algorithm_at_least in k. rewrite !andb_true_iff in k. destruct k as [[[[[[[hn hm] hl] hc] hB] e0] e1] _].
  apply Nat.leb_le in hm. apply Qle_bool_iff, Qle_Rle in hl, hc, e1. apply not_le_R in e0. rewrite Q2R_one in e1. replace (Q2R 0) with 0 in hl, e0 by (unfold Q2R; simpl; lra).
  replace (Q2R 16) with 16 in hc by (unfold Q2R; simpl; lra).
  assert (f : bound_1 d r range later c B delta m tolds star last * INR t <= bound_1 d r range later c B delta m tolds star t * INR last).
  { apply bound_falls; auto; try lia; try lra.
    - apply Rmax_l.
    - change 1 with (INR 1). apply le_INR. cbn [the_models class_of]. destruct (models d); [destruct hs | simpl; lia].
    - intros z i. unfold in_reals in i. cbn [snd] in i. apply in_map_iff in i. destruct i as (z' & <- & i). apply (policies_told_at d tolds star ht z' i). }
  assert (p : 0 < INR last) by (apply lt_0_INR; lia). assert (q : 0 < INR t) by (apply lt_0_INR; lia).
  apply (Rmult_le_reg_r (INR last)); [exact p |]. eapply Rle_trans; [| exact f]. replace (Q2R D * INR t * INR last) with (Q2R D * INR last * INR t) by ring.
  apply Rmult_le_compat_r; lra.
Qed.
