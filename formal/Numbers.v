(** Certified numbers of a document: values, D, the gap bound and a T from which the regret bound is below the trivial D T. *)
From Pomgcheck Require Import Logs OrderedField Statements WeakRevealing TrajectoryLaws ForwardLaws.
From Pomgcheck Require Import RealSums Ville Hellinger ScheduleBound WarmUp NestedRule Play.
From Coq Require Import QArith Qminmax Qreals.
Open Scope R_scope.

(** ** Values, computed *)
Section Values.
Variables (d : doc) (r : nat -> nat -> Q).
Definition value_fast xi p : Q :=
  OrderedField.qsum (rows d p [xi] (horizon d)) (fun e => zt (total_reward r 0 (fst e)) (fun _ => hd 0%Q (snd e))).

Theorem value_fast_is xi p : Q2R (value_fast xi p) = value (class_of d r) xi p.
Proof.
  unfold value_fast, value. cbn [the_trajs prob payoff class_of]. unfold trajectories. rewrite (sum_of_rows d p [xi]).
  - rewrite Q2R_qsum. apply sum_ext. intros [tau qs] i. cbn [fst snd]. apply laws_of_rows in i. inversion i; subst. cbn [hd].
    rewrite <- Q2R_mult. apply Qeq_eqR. rewrite (zt_eq _ _ (law_of_play d xi p tau)) by assumption. ring.
  - intros tau z. rewrite (Qeq_eqR _ _ (z xi (or_introl eq_refl))). unfold Q2R at 1. simpl. lra.
Qed.
End Values.

(** ** Numbers of a table of values, one row a model *)
Definition greatest (l : list Q) : Q := match l with [] => 0%Q | x :: l => fold_left Qmax l x end.
Definition least (l : list Q) : Q := match l with [] => 0%Q | x :: l => fold_left Qmin l x end.
Definition value_table d r : list (list Q) := map (fun xi => map (value_fast d r xi) (seq 0 (List.length (policies d)))) (models d).
(** D = max_xi (v*(xi) - min_pi V^pi(xi)): no learner pays more than D an episode *)
Definition D_of (t : list (list Q)) : Q := fold_left Qmax (map (fun row => Qred (greatest row - least row)) t) 0%Q.
(** sum over the policies with a gap r of r + 3 u span^2 / r, in the worst model *)
Definition gap_row (u span : Q) (row : list Q) : Q :=
  let v := greatest row in
  OrderedField.qsum row (fun x => let g := Qred (v - x) in if Qle_bool g 0 then 0%Q else (g + 3 * u * (span * span) / g)%Q).
Definition Gamma_of u span (t : list (list Q)) : Q := fold_left Qmax (map (gap_row u span) t) 0%Q.

Lemma fold_max_ge l : forall x, (x <= fold_left Qmax l x)%Q /\ forall y, In y l -> (y <= fold_left Qmax l x)%Q.
Proof.
  induction l as [| z l ih]; intro x; cbn [fold_left]; [split; [apply Qle_refl | intros y []] |].
  destruct (ih (Qmax x z)) as [a b]. split; [eapply Qle_trans; [apply Q.le_max_l | exact a] |].
  intros y [<- | i]; [eapply Qle_trans; [apply Q.le_max_r | exact a] | auto].
Qed.
Lemma fold_min_le l : forall x, (fold_left Qmin l x <= x)%Q /\ forall y, In y l -> (fold_left Qmin l x <= y)%Q.
Proof.
  induction l as [| z l ih]; intro x; cbn [fold_left]; [split; [apply Qle_refl | intros y []] |].
  destruct (ih (Qmin x z)) as [a b]. split; [eapply Qle_trans; [exact a | apply Q.le_min_l] |].
  intros y [<- | i]; [eapply Qle_trans; [exact a | apply Q.le_min_r] | auto].
Qed.
Lemma fold_max_in l : forall x, exists y, In y (x :: l) /\ (fold_left Qmax l x == y)%Q.
Proof.
  induction l as [| z l ih]; intro x; cbn [fold_left]; [exists x; split; [now left | reflexivity] |].
  destruct (ih (Qmax x z)) as (y & i & e). destruct i as [<- | i]; [| exists y; split; [now right; right | exact e]].
  destruct (Q.max_spec x z) as [[_ m] | [_ m]]; [exists z; split; [right; now left | transitivity (Qmax x z); assumption] | exists x; split; [now left | transitivity (Qmax x z); assumption]].
Qed.
Lemma greatest_ge l y : In y l -> (y <= greatest l)%Q.
Proof. destruct l as [| x l]; intro i; [destruct i |]. destruct (fold_max_ge l x) as [a b]. destruct i as [<- | i]; [exact a | now apply b]. Qed.
Lemma greatest_in l : l <> [] -> exists y, In y l /\ (greatest l == y)%Q.
Proof. destruct l as [| x l]; intro n; [congruence |]. apply fold_max_in. Qed.
Lemma least_le l y : In y l -> (least l <= y)%Q.
Proof. destruct l as [| x l]; intro i; [destruct i |]. destruct (fold_min_le l x) as [a b]. destruct i as [<- | i]; [exact a | now apply b]. Qed.

Section Numbers.
Variables (d : doc) (r : nat -> nat -> Q).
Hypothesis policies_some : (0 < List.length (policies d))%nat.
Notation K := (class_of d r).
Notation Pi := (seq 0 (List.length (policies d))).
Definition row_of xi := map (value_fast d r xi) Pi.
Lemma best_value xi : value K xi (best_policy d r xi) = Q2R (greatest (row_of xi)).
Proof.
  assert (n : Pi <> []) by (destruct (List.length (policies d)); [lia | discriminate]).
  apply Rle_antisym.
  - rewrite <- value_fast_is. apply Qle_Rle, greatest_ge, (in_map (value_fast d r xi)). unfold best_policy. now apply argmax_in.
  - destruct (greatest_in (row_of xi)) as (y & i & e); [unfold row_of; intro z; apply map_eq_nil in z; congruence |].
    rewrite (Qeq_eqR _ _ e). unfold row_of in i. apply in_map_iff in i. destruct i as (p & <- & ip). rewrite value_fast_is.
    now apply (argmax_le (value K xi)).
Qed.
(** no learner's regret is above D a data episode *)
Theorem gap_le_D xi p : In xi (models d) -> In p Pi -> gap K xi (best_policy d r xi) p <= Q2R (D_of (value_table d r)).
Proof.
  intros i j. unfold gap. rewrite best_value, <- value_fast_is, <- Q2R_minus. apply Qle_Rle.
  apply Qle_trans with (Qred (greatest (row_of xi) - least (row_of xi))).
  - rewrite Qred_correct. apply Qplus_le_compat; [apply Qle_refl |]. apply Qopp_le_compat, least_le, (in_map (value_fast d r xi)), j.
  - unfold D_of. apply fold_max_ge. apply (in_map (fun row => Qred (greatest row - least row))). unfold value_table. now apply (in_map row_of).
Qed.
Lemma nodup_seq : nodup Nat.eq_dec Pi = Pi. Proof. apply nodup_fixed_point, seq_NoDup. Qed.
Theorem gap_bound_le xi delta u span : In xi (models d) -> radius K delta <= Q2R u ->
  gap_bound K (Q2R span) xi (best_policy d r xi) delta <= Q2R (Gamma_of u span (value_table d r)).
Proof.
  intros i hu. apply Rle_trans with (Q2R (gap_row u span (row_of xi))).
  - unfold gap_bound. replace (nodup (policy_dec K) (the_policies K)) with Pi by (symmetry; apply nodup_seq). unfold gap_row. cbv zeta. pose proof (best_value xi) as bv. set (v := greatest (row_of xi)) in *.
    unfold row_of. rewrite qsum_map, Q2R_qsum. apply sum_le. intros p j.
    assert (g : gap K xi (best_policy d r xi) p = Q2R (v - value_fast d r xi p)) by (unfold gap; rewrite bv, <- value_fast_is, Q2R_minus; reflexivity).
    rewrite g. set (x := Qred (v - value_fast d r xi p)). assert (ex : (x == v - value_fast d r xi p)%Q) by apply Qred_correct.
    rewrite <- (Qeq_eqR _ _ ex). destruct (Rlt_dec 0 (Q2R x)) as [q | q].
    + destruct (Qle_bool x 0) eqn:b; [apply Qle_bool_iff, Qle_Rle in b; unfold Q2R at 2 in b; simpl in b; lra |].
      assert (nz : ~ (x == 0)%Q) by (intro z; apply Qeq_eqR in z; unfold Q2R at 2 in z; simpl in z; lra).
      rewrite Q2R_plus, Q2R_div, !Q2R_mult by exact nz. apply Rplus_le_compat_l. unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat |].
      replace (Q2R 3) with 3 by (unfold Q2R; simpl; lra). apply Rmult_le_compat_r; [apply Rle_0_sqr | lra].
    + destruct (Qle_bool x 0) eqn:b; [unfold Q2R; simpl; lra |]. exfalso. apply q.
      assert (n : ~ (x <= 0)%Q) by (intro z; apply Qle_bool_iff in z; congruence). apply Qnot_le_lt, Qlt_Rlt in n.
      unfold Q2R at 1 in n. simpl in n. lra.
  - apply Qle_Rle. unfold Gamma_of. apply fold_max_ge. apply (in_map (gap_row u span)). unfold value_table. now apply (in_map row_of).
Qed.

(** ** From T on the bound is below D T *)
(** u = log (N / delta) in rational ends *)
Definition u_upper (delta : Q) : option Q :=
  option_map snd (enclose 64 20 (near 64 20 2) (inject_Z (Z.of_nat (List.length (models d))) / delta)).
Lemma u_upper_ge delta u : (0 < delta)%Q -> (0 < List.length (models d))%nat -> u_upper delta = Some u -> radius K (Q2R delta) <= Q2R u.
Proof.
  intros hd hn e. unfold u_upper in e. destruct (enclose _ _ _ _) as [[lo hi] |] eqn:k; [| discriminate]. injection e as <-.
  assert (pd : 0 < Q2R delta) by (apply Qlt_Rlt in hd; unfold Q2R at 1 in hd; simpl in hd; lra).
  assert (nz : ~ (delta == 0)%Q) by (intro z; apply Qeq_eqR in z; unfold Q2R at 2 in z; simpl in z; lra).
  assert (x : Q2R (inject_Z (Z.of_nat (List.length (models d))) / delta) = threshold K (Q2R delta)).
  { rewrite Q2R_div by exact nz. unfold threshold. f_equal. unfold Q2R, inject_Z. simpl. rewrite INR_IZR_INZ. field. }
  assert (px : 0 < threshold K (Q2R delta)).
  { unfold threshold. apply Rmult_lt_0_compat; [apply lt_0_INR, hn | now apply Rinv_0_lt_compat]. }
  pose proof (enclose_sound 64 20 _ lo hi ltac:(rewrite x; exact px) k) as s. rewrite x in s. apply s.
Qed.
(** [t] is the table of values; either the root bound or the gap bound, with the warm-up w = (m-1) span N, is below D T *)
Definition says_something (t : list (list Q)) (m : nat) (delta span : Q) (T : nat) : bool :=
  match u_upper delta with
  | None => false
  | Some u =>
      let D := D_of t in let T := inject_Z (Z.of_nat T) in
      let w := (inject_Z (Z.of_nat (m - 1)) * span * inject_Z (Z.of_nat (List.length (models d))))%Q in
      let k := inject_Z (Z.of_nat (Nat.min (List.length (models d) - 1) (List.length (policies d) - 1))) in
      negb (Qle_bool (D * T) (Gamma_of u span t + w)) ||
      (negb (Qle_bool (D * T) w) && negb (Qle_bool ((D * T - w) * (D * T - w)) (span * span * (3 * u + 2) * k * T)))
  end.
Lemma Q2R_nat n : Q2R (inject_Z (Z.of_nat n)) = INR n.
Proof. unfold Q2R, inject_Z. simpl. rewrite INR_IZR_INZ. field. Qed.
Lemma not_le_R p q : negb (Qle_bool p q) = true -> Q2R q < Q2R p.
Proof. intro h. apply negb_true_iff in h. apply Qlt_Rlt, Qnot_le_lt. intro k. apply Qle_bool_iff in k. congruence. Qed.
Theorem says_something_sound table m delta span T xi : value_table d r = table -> says_something table m delta span T = true ->
  (0 < delta <= 1)%Q -> (0 <= span)%Q -> (0 < T)%nat -> In xi (models d) ->
  forall t, (T <= t)%nat -> bound_at d m r (Q2R delta) xi (Q2R span) t < Q2R (D_of table) * INR t.
Proof.
  intros <-. unfold says_something. destruct (u_upper delta) as [u |] eqn:eu; [| discriminate]. intros c [hd hd1] hs hT hx t ht.
  assert (hn : (0 < List.length (models d))%nat) by (destruct (models d); [destruct hx | simpl; lia]).
  pose proof (u_upper_ge delta u hd hn eu) as ru. set (D := Q2R (D_of _)) in *.
  assert (s0 : 0 <= Q2R span) by now apply Q2R_pos.
  set (w := INR (m - 1) * Q2R span * INR (List.length (models d))).
  assert (w0 : 0 <= w) by (apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR | exact s0] | apply pos_INR]).
  assert (tp : 0 < INR T) by now apply lt_0_INR. assert (tt : INR T <= INR t) by now apply le_INR.
  assert (r0 : 0 <= radius K (Q2R delta)).
  { apply u_nonneg with (star := xi); [exact hx |]. apply Qlt_Rlt in hd. apply Qle_Rle in hd1. unfold Q2R at 1 in hd. unfold Q2R at 2 in hd1. simpl in hd, hd1. lra. }
  unfold bound_at. fold w. apply orb_true_iff in c. destruct c as [c | c].
  - apply not_le_R in c. rewrite Q2R_plus, !Q2R_mult, !Q2R_nat in c. fold w D in c.
    pose proof (gap_bound_le xi (Q2R delta) u span hx ru) as g. pose proof (Rmin_r (root_bound K (Q2R span) (Q2R delta) t) (gap_bound K (Q2R span) xi (best_policy d r xi) (Q2R delta))) as b.
    assert (g0 : 0 <= gap_bound K (Q2R span) xi (best_policy d r xi) (Q2R delta)).
    { apply sum_nonneg. intros p _. destruct (Rlt_dec 0 _) as [q |]; [| lra]. apply Rplus_le_le_0_compat; [lra |].
      apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply Rle_0_sqr] | left; now apply Rinv_0_lt_compat]. }
    assert (D0 : 0 < D) by (apply (Rmult_lt_reg_r (INR T)); [exact tp | lra]).
    pose proof (Rmult_le_compat_l D _ _ (Rlt_le _ _ D0) tt). lra.
  - apply andb_true_iff in c. destruct c as [c1 c2]. apply not_le_R in c1, c2. set (k := Nat.min _ _) in c2.
    rewrite !Q2R_mult, !Q2R_nat in c1. fold w D in c1. rewrite !Q2R_mult, !Q2R_minus, !Q2R_plus, !Q2R_mult, !Q2R_nat in c2. fold w D in c2.
    replace (Q2R 3) with 3 in c2 by (unfold Q2R; simpl; lra). replace (Q2R 2) with 2 in c2 by (unfold Q2R; simpl; lra).
    apply Rle_lt_trans with (root_bound K (Q2R span) (Q2R delta) t + w); [apply Rplus_le_compat_r, Rmin_l |].
    unfold root_bound. cbn [the_models the_policies class_of]. rewrite seq_length. fold k. set (v := radius K (Q2R delta)) in *.
    assert (D0 : 0 < D) by (apply (Rmult_lt_reg_r (INR T)); [exact tp | lra]).
    pose proof (Rmult_le_compat_l D _ _ (Rlt_le _ _ D0) tt) as dt. pose proof (pos_INR k) as kp.
    remember ((3 * v + 2) * INR k) as A eqn:eA. assert (A0 : 0 <= A) by (rewrite eA; apply Rmult_le_pos; lra).
    enough (e : Q2R span * sqrt (A * INR t) < D * INR t - w).
    { apply (Rplus_lt_compat_r w) in e. replace (D * INR t - w + w) with (D * INR t) in e by ring. rewrite eA in e. exact e. }
    rewrite <- (sqrt_square (Q2R span)) by exact s0. rewrite <- sqrt_mult_alt by (apply Rle_0_sqr).
    rewrite <- (sqrt_square (D * INR t - w)) by lra. apply sqrt_lt_1_alt. assert (tz : 0 <= INR t) by lra. split; [apply Rmult_le_pos; [apply Rle_0_sqr | now apply Rmult_le_pos] |].
    assert (c3 : Q2R span * Q2R span * (A * INR T) < (D * INR T - w) * (D * INR T - w)).
    { eapply Rle_lt_trans; [| exact c2]. rewrite eA,  !Rmult_assoc. apply Rmult_le_compat_l; auto. apply Rmult_le_compat_l; auto.
      apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | lra]. }
    set (S2 := Q2R span * Q2R span * A) in *.
    assert (S0 : 0 <= S2) by (apply Rmult_le_pos; [apply Rle_0_sqr | exact A0]).
    replace (Q2R span * Q2R span * (A * INR T)) with (S2 * INR T) in c3 by (unfold S2; ring).
    replace (Q2R span * Q2R span * (A * INR t)) with (S2 * INR t) by (unfold S2; ring).
    (* (D t - w)^2 >= (t / T) (D T - w)^2, as D t - w >= (t / T) (D T - w) and t >= T *)
    apply (Rmult_lt_reg_r (INR T)); [exact tp |].
    apply Rlt_le_trans with ((D * INR T - w) * (D * INR T - w) * INR t).
    { replace (S2 * INR t * INR T) with (S2 * INR T * INR t) by ring. apply Rmult_lt_compat_r; [lra | exact c3]. }
    assert (e1 : (D * INR T - w) * INR t <= (D * INR t - w) * INR T).
    { pose proof (Rmult_le_compat_l w _ _ w0 tt). lra. }
    assert (e2 : D * INR T - w <= D * INR t - w) by lra. assert (e3 : 0 <= D * INR T - w) by lra.
    apply Rle_trans with ((D * INR T - w) * ((D * INR t - w) * INR T)); [rewrite Rmult_assoc; apply Rmult_le_compat_l; auto |].
    rewrite Rmult_assoc. apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | exact e2].
Qed.
End Numbers.
