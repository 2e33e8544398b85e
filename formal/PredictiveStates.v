(** Assumption 3.1(d): what one model can show all can. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing TrajectoryLaws ForwardLaws BoundedIncrements.
Open Scope nat_scope.

Definition alike (vs : list Q) : bool := forallb (fun v => Qeq_bool v 0) vs || forallb (fun v => negb (Qle_bool v 0)) vs.
Definition check_predictive d : bool :=
  forallb (fun p => forallb (fun k => forallb (fun r => alike (snd r)) (rows d p (models d) k)) (seq 0 (S (horizon d))))
    (seq 0 (List.length (policies d))).
Theorem check_predictive_sound d : check_predictive d = true -> predictive_states d.
Proof.
  unfold check_predictive. rewrite forallb_forall. intros hc xi eta ix ie p hp k hk seen is pos. destruct (rows_complete d p (models d) k seen is) as [(qs & i) | z].
  - specialize (hc p ltac:(apply in_seq; lia)). rewrite forallb_forall in hc. specialize (hc k ltac:(apply in_seq; lia)).
    rewrite forallb_forall in hc. specialize (hc _ i). cbn [snd] in hc. apply laws_of_rows in i.
    destruct (row_of_model d p _ seen qs xi i ix) as (v & jv & ev), (row_of_model d p _ seen qs eta i ie) as (u & ju & eu).
    unfold alike in hc. apply orb_true_iff in hc. rewrite !forallb_forall in hc. destruct hc as [hc | hc].
    + specialize (hc v jv). apply Qeq_bool_iff in hc. rewrite <- ev, hc in pos. exfalso. now apply (Qlt_irrefl 0).
    + specialize (hc u ju). apply not_le in hc. now rewrite eu in hc.
  - rewrite (z xi ix) in pos. exfalso. now apply (Qlt_irrefl 0).
Qed.
Theorem impossible_undefined d xi eta p tau : impossible_at d xi eta p tau = true -> ~ predictive_states d.
Proof.
  unfold impossible_at. rewrite !andb_true_iff. intros [[[[[ix ie] hp] it] x] y] k.
  apply in_class_sound in ix, ie. apply Nat.ltb_lt in hp. apply is_trajectory_sound in it. apply not_le in x. apply Qeq_bool_iff in y.
  specialize (k xi eta ix ie p hp (horizon d) (le_n _) tau it). rewrite <- !law_eq, y in k. exact (Qlt_irrefl 0 (k x)).
Qed.
