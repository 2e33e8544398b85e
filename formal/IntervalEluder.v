(** Proposition 2.6 from above on whole boxes: a policy is met once in an independent sequence, and not at all where what it plays has no
    parameter, so that the dimension is at most the number of the other policies. *)
From Pomgcheck Require Import OrderedField Statements EluderDimension SparseLaws TrajectoryLaws IntervalClass IntervalLaws.
Open Scope nat_scope.

Lemma different fs alpha x : (0 <= alpha)%Q -> independent_sequence fs alpha x -> NoDup x.
Proof.
  intro a0. induction x as [| y before ih]; intro h; [constructor |]. destruct h as [(f & _ & s & k) h]. constructor; [| now apply ih].
  intro i. apply (Qlt_irrefl alpha). apply Qlt_le_trans with (1 := k). exact (within f alpha before y a0 s i).
Qed.
(** policies at which all functions are zero do not count *)
Lemma counted fs domain alpha (counts : nat -> bool) k : (0 <= alpha)%Q -> (forall f p, In f fs -> p < domain -> counts p = false -> (f p == 0)%Q) ->
  eluder_at_least fs domain alpha k -> k <= List.length (filter counts (seq 0 domain)).
Proof.
  intros a0 zero (alpha' & x & l & <- & dom & h). apply NoDup_incl_length; [exact (different fs alpha' x (Qle_trans _ _ _ a0 l) h) |]. intros p i.
  apply filter_In. split; [apply in_seq; specialize (dom p i); lia |]. destruct (counts p) eqn:e; [reflexivity |].
  destruct (weaker fs alpha alpha' x l h p i) as (f & j & m). rewrite (zero f p j (dom p i) e) in m. exfalso. apply (Qlt_irrefl 0). now apply Qle_lt_trans with alpha.
Qed.

(** ** What has no parameter is the same at all points *)
Fixpoint closed (e : expr) : bool :=
  match e with Num _ => true | Par _ => false | Neg e => closed e | Add e f | Sub e f | Mul e f | Div e f => closed e && closed f | Pow e _ => closed e end.
Lemma closed_same p q e : closed e = true -> eval p e = eval q e.
Proof.
  induction e as [x | y | e ih | e ihe f ihf | e ihe f ihf | e ihe f ihf | e ihe f ihf | e ih k]; cbn [closed eval]; intro h; try discriminate;
    try (apply andb_true_iff in h; destruct h as [h1 h2]; rewrite ihe, ihf by assumption); try rewrite ih by assumption; reflexivity.
Qed.
Definition closed_table (t : steps table2) : bool := in_steps (forallb (forallb closed)) t.
Lemma closed_entry t n h seen x : closed_table t = true -> closed (entry_of n t h seen x) = true.
Proof.
  intro k. unfold entry_of. apply nth_true; [| reflexivity]. apply (nth_true (forallb closed)); [| reflexivity]. now apply (step_true (forallb (forallb closed))).
Qed.
Definition still_world d : bool := closed_table (learner_emission d) && closed_table (adversary_emission d) && in_steps (forallb (forallb (forallb (forallb closed)))) (transition d).
Definition counts d (of_world : bool) (p : nat) : bool :=
  negb (if of_world then still_world d else closed_table (snd (nth p (responses d) empty_table))).

Lemma vanishing {A} (l : list A) f : (forall x, (f x == 0)%Q) -> (qsum l f == 0)%Q.
Proof. intro h. rewrite (qsum_eq l f (fun _ => 0%Q) h). apply qsum_zero. Qed.
Lemma same_zero x y : (x == y)%Q -> (Qabs (x - y) == 0)%Q.
Proof. intro e. rewrite e. setoid_replace (y - y)%Q with 0%Q by ring. reflexivity. Qed.
Lemma expected_zero d star p f : (forall seen o a, (f seen o a == 0)%Q) -> (expected_sum d star p f == 0)%Q.
Proof. intro h. apply vanishing. intro tau. rewrite vanishing; [ring | intro k; apply h]. Qed.
Lemma adversary_still d star xi p : closed_table (snd (nth p (responses d) empty_table)) = true -> (F_adversary d star xi p == 0)%Q.
Proof.
  intro h. apply expected_zero. intros seen o a. apply vanishing. intro c'. rewrite vanishing; [reflexivity |]. intros (s', (uB, (oB, b))). unfold G_entry.
  assert (e : response_of d (snd xi) p (List.length seen) (uB ++ [oB]) b = response_of d (snd star) p (List.length seen) (uB ++ [oB]) b).
  { unfold response_of. rewrite !entry_of_is. now apply closed_same, closed_entry. }
  rewrite e. destruct (Nat.eqb s' (fst c') && same (next_B d uB oB) (snd c'))%bool; ring.
Qed.
Lemma world_still d star xi p : still_world d = true -> (F_world d star xi p == 0)%Q.
Proof.
  unfold still_world. rewrite !andb_true_iff. intros [[ha hb] ht]. apply expected_zero. intros seen o a. apply vanishing. intros (s', (uB, (oB, b))). apply same_zero.
  unfold at_q_star. apply qsum_eq. intros (s, u). apply Qmult_comp; [| reflexivity]. unfold W. destruct (same u uB); [| reflexivity].
  rewrite !entry_A_is, !entry_B_is, !entry_T_is.
  assert (ea : closed (entry_A d (List.length seen) s o) = true).
  { unfold entry_A. apply nth_true; [| reflexivity]. apply (nth_true (forallb closed)); [| reflexivity]. now apply (step_true (forallb (forallb closed))). }
  assert (eb : closed (entry_B d (List.length seen) s oB) = true).
  { unfold entry_B. apply nth_true; [| reflexivity]. apply (nth_true (forallb closed)); [| reflexivity]. now apply (step_true (forallb (forallb closed))). }
  assert (et : closed (entry_T d (List.length seen) s a b s') = true).
  { unfold entry_T. apply nth_true; [| reflexivity]. apply (nth_true (forallb closed)); [| reflexivity]. apply (nth_true (forallb (forallb closed))); [| reflexivity].
    apply (nth_true (forallb (forallb (forallb closed)))); [| reflexivity]. now apply (step_true (forallb (forallb (forallb (forallb closed))))). }
  rewrite (closed_same (fst xi) (fst star) _ ea), (closed_same (fst xi) (fst star) _ eb), (closed_same (fst xi) (fst star) _ et). reflexivity.
Qed.

(** ** The dimension *)
Definition check_at_most_everywhere (c : continuum) (of_world : bool) (alpha : Q) (n : nat) : bool := let d := tables c in
  Qle_bool 0 alpha && (List.length (filter (counts d of_world) (seq 0 (List.length (policies d)))) <=? n).
Theorem at_most_everywhere c of_world alpha n : check_at_most_everywhere c of_world alpha n = true ->
  everywhere c (fun d => if of_world then eluder_world_at_most d alpha n else eluder_adversary_at_most d alpha n).
Proof.
  unfold check_at_most_everywhere. cbv zeta. rewrite andb_true_iff. intros [a0 h] l l' _. apply Qle_bool_iff in a0. apply Nat.leb_le in h. set (d := at_points (tables c) l l').
  assert (key : forall fs, (forall f p, In f fs -> p < List.length (policies d) -> counts d of_world p = false -> (f p == 0)%Q) ->
    forall k, eluder_at_least fs (List.length (policies d)) alpha k -> k <= n).
  { intros fs zero k m. eapply Nat.le_trans; [exact (counted fs _ alpha (counts d of_world) k a0 zero m) |]. exact h. }
  destruct of_world; intros star _; apply key; intros f p i _ e; apply in_map_iff in i; destruct i as (xi & <- & _); apply negb_false_iff in e.
  - now apply world_still.
  - now apply adversary_still.
Qed.
