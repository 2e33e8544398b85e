(** Assumption 3.1(c): likelihood ratios of whole trajectories, and trajectories that show how large they are. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing TrajectoryLaws ForwardLaws.
Open Scope nat_scope.

Definition check_increments d (B : Q) : bool :=
  Qle_bool 1 B && forallb (fun p => forallb (fun r => forallb (fun v => forallb (fun u => Qle_bool v (B * u)) (snd r)) (snd r))
    (rows d p (models d) (horizon d))) (seq 0 (List.length (policies d))).
Theorem check_increments_sound d B : check_increments d B = true -> bounded_increments d B.
Proof.
  unfold check_increments. rewrite andb_true_iff, forallb_forall. intros [hB hc]. split; [now apply Qle_bool_iff |].
  intros xi eta ix ie p hp tau it. destruct (rows_complete d p (models d) (horizon d) tau it) as [(qs & i) | z].
  - specialize (hc p ltac:(apply in_seq; lia)). rewrite forallb_forall in hc. specialize (hc _ i). cbn [snd] in hc. apply laws_of_rows in i.
    destruct (row_of_model d p _ tau qs xi i ix) as (v & jv & ev), (row_of_model d p _ tau qs eta i ie) as (u & ju & eu).
    rewrite forallb_forall in hc. specialize (hc v jv). rewrite forallb_forall in hc. specialize (hc u ju). apply Qle_bool_iff in hc. now rewrite ev, eu in hc.
  - rewrite (z xi ix), (z eta ie), Qmult_0_r. apply Qle_refl.
Qed.

(** a trajectory whose ratio is B or more *)
Definition increment_at d (B : Q) xi eta p tau : bool :=
  in_class d xi && in_class d eta && (p <? List.length (policies d)) && is_trajectory d (horizon d) tau &&
  (let x := law_fast d xi p tau in let y := law_fast d eta p tau in
   negb (Qle_bool x 0) && Qle_bool 0 y && Qle_bool (B * y) x).
Lemma not_le q r : negb (Qle_bool q r) = true -> (r < q)%Q.
Proof. intro h. apply Qnot_le_lt. intro k. apply Qle_bool_iff in k. rewrite k in h. discriminate. Qed.
Theorem increment_at_sound d B xi eta p tau : increment_at d B xi eta p tau = true -> forall B', (B' < B)%Q -> ~ bounded_increments d B'.
Proof.
  unfold increment_at. cbv zeta. rewrite !andb_true_iff. intros [[[[ix ie] hp] it] [[x0 y0] xy]] B' hB [_ k].
  apply in_class_sound in ix, ie. apply Nat.ltb_lt in hp. apply is_trajectory_sound in it. apply not_le in x0. apply Qle_bool_iff in y0, xy.
  specialize (k xi eta ix ie p hp tau it). rewrite <- !law_eq in k. set (x := law_fast d xi p tau) in *. set (y := law_fast d eta p tau) in *.
  clearbody x y. destruct (Qlt_le_dec 0 y) as [z | z].
  - apply (Qlt_irrefl x). apply Qle_lt_trans with (B' * y)%Q; [exact k |]. apply Qlt_le_trans with (B * y)%Q; [now apply Qmult_lt_compat_r | exact xy].
  - assert (e : (y == 0)%Q) by now apply Qle_antisym. rewrite e, Qmult_0_r in k. apply (Qlt_irrefl 0). now apply Qlt_le_trans with x.
Qed.
(** a trajectory that one model allows and another does not *)
Definition impossible_at d xi eta p tau : bool :=
  in_class d xi && in_class d eta && (p <? List.length (policies d)) && is_trajectory d (horizon d) tau &&
  negb (Qle_bool (law_fast d xi p tau) 0) && Qeq_bool (law_fast d eta p tau) 0.
Theorem impossible_unbounded d xi eta p tau : impossible_at d xi eta p tau = true -> forall B, ~ bounded_increments d B.
Proof.
  unfold impossible_at. rewrite !andb_true_iff. intros [[[[[ix ie] hp] it] x] y] B [_ k].
  apply in_class_sound in ix, ie. apply Nat.ltb_lt in hp. apply is_trajectory_sound in it. apply not_le in x. apply Qeq_bool_iff in y.
  specialize (k xi eta ix ie p hp tau it). rewrite <- !law_eq, y, Qmult_0_r in k. apply (Qlt_irrefl 0). now apply Qlt_le_trans with (law_fast d xi p tau).
Qed.
