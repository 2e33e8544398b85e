(** Ville's inequality on a finite tree.  A history is the list of its outcomes, the last one first. *)
From Pomgcheck Require Import RealSums Statements.
Open Scope R_scope.

Section Tree.
Variable Outcome : Type.
Variable outcomes : list Outcome.
Notation history := (list Outcome).
Variable law : history -> Outcome -> R.          (* probability of the next outcome *)

Notation histories := (Statements.histories outcomes).
Notation weight := (Statements.weight law).
Notation Expect := (Statements.Expect outcomes law).
Notation Pr := (Statements.Pr outcomes law).

Definition valid (h : history) := Forall (fun o => In o outcomes) h.
Lemma histories_valid n h : In h (histories n) -> valid h /\ length h = n.
Proof.
  revert h. induction n; simpl; intros h i.
  - destruct i as [<- | []]. split; [constructor | reflexivity].
  - apply in_flat_map in i. destruct i as (h' & i & j). apply in_map_iff in j. destruct j as (o & <- & j).
    destruct (IHn _ i). split; [constructor; auto | simpl; congruence].
Qed.

Hypothesis law_nonneg : forall h o, valid h -> In o outcomes -> 0 <= law h o.
Hypothesis law_one : forall h, valid h -> sum outcomes (law h) = 1.

Lemma weight_nonneg h : valid h -> 0 <= weight h.
Proof. induction h; simpl; intro v; [lra |]. inversion v; subst. apply Rmult_le_pos; auto. Qed.
Lemma weight_pos_cons o h : valid (o :: h) -> 0 < weight (o :: h) -> 0 < weight h /\ 0 < law h o.
Proof.
  simpl. intros v p. inversion v; subst. pose proof (weight_nonneg h H2) as q. pose proof (law_nonneg h o H2 H1) as r.
  destruct q as [q | q]; [| rewrite <- q, Rmult_0_l in p; lra]. destruct r as [r | r]; [| rewrite <- r, Rmult_0_r in p; lra]. auto.
Qed.

Lemma Expect_0 f : Expect 0 f = f []. Proof. unfold Statements.Expect. simpl. ring. Qed.
Lemma Expect_S n f : Expect (S n) f = Expect n (fun h => sum outcomes (fun o => law h o * f (o :: h))).
Proof.
  unfold Statements.Expect. simpl. rewrite sum_flat_map. apply sum_ext. intros h i. rewrite sum_map, <- sum_mul.
  apply sum_ext. intros o j. simpl. ring.
Qed.
(** only histories that can happen count *)
Lemma Expect_le n f g : (forall h, valid h -> length h = n -> 0 < weight h -> f h <= g h) -> Expect n f <= Expect n g.
Proof.
  intro k. apply sum_le. intros h i. destruct (histories_valid n h i) as [v e].
  destruct (weight_nonneg h v) as [p | <-]; [| lra]. apply Rmult_le_compat_l; [lra | auto].
Qed.
Lemma Expect_sum {B} n (l : list B) f : Expect n (fun h => sum l (fun b => f b h)) = sum l (fun b => Expect n (f b)).
Proof. unfold Statements.Expect. rewrite sum_swap. apply sum_ext. intros h _. now rewrite sum_mul. Qed.
Lemma Expect_mul n f z : Expect n (fun h => z * f h) = z * Expect n f.
Proof. unfold Statements.Expect. rewrite <- sum_mul. apply sum_ext. intros. ring. Qed.
Lemma Expect_1 n : Expect n (fun _ => 1) = 1.
Proof.
  induction n; [apply Expect_0 |]. rewrite Expect_S. transitivity (Expect n (fun _ => 1)); auto. unfold Statements.Expect. apply sum_ext. intros h i.
  f_equal. destruct (histories_valid n h i) as [v _]. transitivity (sum outcomes (law h)); auto. apply sum_ext. intros. ring.
Qed.
Lemma Pr_le n E E' : (forall h, valid h -> length h = n -> 0 < weight h -> E h = true -> E' h = true) -> Pr n E <= Pr n E'.
Proof.
  intro k. apply Expect_le. intros h v e p. unfold ind. destruct (E h) eqn:x; [rewrite (k h v e p x); lra |].
  destruct (E' h); lra.
Qed.
Lemma union_bound {B} n (l : list B) E (Es : B -> history -> bool) :
  (forall h, valid h -> length h = n -> 0 < weight h -> E h = true -> exists b, In b l /\ Es b h = true) ->
  Pr n E <= sum l (fun b => Pr n (Es b)).
Proof.
  intro k. unfold Statements.Pr. rewrite <- (Expect_sum n l (fun b h => ind (Es b h))). apply Expect_le. intros h v e p.
  assert (q : forall b, In b l -> 0 <= ind (Es b h)) by (intros; unfold ind; destruct (Es b h); lra).
  unfold ind at 1. destruct (E h) eqn:x; [| now apply sum_nonneg]. destruct (k h v e p x) as (b & i & y).
  pose proof (sum_term l (fun b => ind (Es b h)) b q i) as z. cbv beta in z. unfold ind in z at 1. now rewrite y in z.
Qed.
Lemma Pr_or n E E' : Pr n (fun h => E h || E' h) <= Pr n E + Pr n E'.
Proof.
  pose proof (union_bound n [true; false] (fun h => E h || E' h) (fun b : bool => if b then E else E')) as u.
  simpl in u. rewrite Rplus_0_r in u. apply u. intros h _ _ _ x. apply orb_prop in x. destruct x; [exists true | exists false]; auto.
Qed.
Lemma Pr_not n E : Pr n (fun h => negb (E h)) = 1 - Pr n E.
Proof.
  rewrite <- (Expect_1 n). unfold Statements.Pr, Statements.Expect. rewrite <- sum_sub. apply sum_ext. intros h _. unfold ind. destruct (E h); simpl; ring.
Qed.
Lemma ever_cons (E : history -> bool) o h : ever E (o :: h) = E (o :: h) || ever E h. Proof. reflexivity. Qed.
Lemma ever_here (E : history -> bool) h : E h = true -> ever E h = true.
Proof. intro x. destruct h; simpl; rewrite x; reflexivity. Qed.
Lemma ever_suffix (E : history -> bool) late early : ever E (late ++ early) = false -> ever E early = false.
Proof. induction late as [| x l ih]; [auto |]. cbn [app]. rewrite ever_cons. intro k. apply orb_false_elim in k. tauto. Qed.
Lemma ever_weaker (E E' : history -> bool) h : (forall h, E h = true -> E' h = true) -> ever E h = true -> ever E' h = true.
Proof.
  intro k. induction h as [| x h ih]; [simpl; rewrite !orb_false_r; apply k |]. rewrite !ever_cons, !orb_true_iff. intuition.
Qed.

Lemma union_bound_ever {B} n (l : list B) E (Es : B -> history -> bool) :
  (forall h, valid h -> 0 < weight h -> E h = true -> exists b, In b l /\ ever (Es b) h = true) ->
  Pr n (ever E) <= sum l (fun b => Pr n (ever (Es b))).
Proof.
  intro k. apply union_bound. intros h v _. revert v. induction h as [| o h ih]; intros v p x.
  - simpl in x. rewrite orb_false_r in x. auto.
  - rewrite ever_cons in x. apply orb_prop in x. destruct x as [x | x]; [auto |].
    destruct (weight_pos_cons o h v p) as [q _]. inversion v; subst. destruct (ih H2 q x) as (b & i & y).
    exists b. split; auto. now rewrite ever_cons, y, orb_true_r.
Qed.
(** a supermartingale does not grow on average *)
Definition supermartingale (X : history -> R) :=
  forall h, valid h -> 0 < weight h -> sum outcomes (fun o => law h o * X (o :: h)) <= X h.
Lemma supermartingale_Expect X n : supermartingale X -> Expect n X <= X [].
Proof.
  intro s. induction n; [rewrite Expect_0; lra |]. rewrite Expect_S. eapply Rle_trans; [| exact IHn].
  apply Expect_le. intros. now apply s.
Qed.

Theorem Ville X c n : (forall h, valid h -> 0 <= X h) -> supermartingale X ->
  c * Pr n (ever (fun h => Rleb c (X h))) <= X [].
Proof.
  intros pos s. set (E := fun h => Rleb c (X h)). pose (Z := fun h => if ever E h then c else X h).
  assert (sZ : supermartingale Z).
  { intros h v p. unfold Z. destruct (ever E h) eqn:e.
    - rewrite (sum_ext _ _ (fun o => c * law h o)); [rewrite sum_mul, law_one by auto; lra |].
      intros o _. rewrite ever_cons, e, orb_true_r. ring.
    - eapply Rle_trans; [| apply s; auto]. apply sum_le. intros o i. apply Rmult_le_compat_l; auto.
      rewrite ever_cons, e, orb_false_r. destruct (E (o :: h)) eqn:x; [now apply Rleb_spec | lra]. }
  assert (z0 : Z [] <= X []).
  { unfold Z. simpl. rewrite orb_false_r. destruct (E []) eqn:x; [now apply Rleb_spec | lra]. }
  apply Rle_trans with (2 := z0). apply Rle_trans with (2 := supermartingale_Expect Z n sZ).
  unfold Statements.Pr. rewrite <- Expect_mul. apply Expect_le. intros h v _ _. unfold Z, ind. destruct (ever E h); [lra |].
  specialize (pos h v). lra.
Qed.
End Tree.
Arguments valid {Outcome}.
(** from a bound that fails with probability p at most to one of the mean *)
Lemma mean_le {A} (outcomes : list A) law n (f : list A -> R) b C p : (forall h o, valid outcomes h -> In o outcomes -> 0 <= law h o) ->
  (forall h, valid outcomes h -> sum outcomes (law h) = 1) -> 0 <= b -> 0 <= C -> (forall h, valid outcomes h -> length h = n -> f h <= C) ->
  Pr outcomes law n (fun h => Rltb b (f h)) <= p -> Expect outcomes law n f <= b + p * C.
Proof.
  intros pos one b0 c0 fc k. apply Rle_trans with (Expect outcomes law n (fun h => b * 1 + C * ind (Rltb b (f h)))).
  - apply (Expect_le A outcomes law pos). intros h v e _. specialize (fc h v e). unfold ind. destruct (Rltb b (f h)) eqn:x; [lra |].
    assert (~ b < f h) by (intro q; apply Rltb_spec in q; congruence). lra.
  - unfold Expect. rewrite (sum_ext _ _ (fun h => b * (weight law h * 1) + C * (weight law h * ind (Rltb b (f h))))) by (intros; ring).
    rewrite sum_add, !sum_mul. pose proof (Expect_1 A outcomes law one n) as e. unfold Expect in e. rewrite e. unfold Pr, Expect in k.
    pose proof (Rmult_le_compat_l C _ _ c0 k). lra.
Qed.
