(** Certified numbers of a document: values, D, ends of logarithms, and the fill. *)
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
End Numbers.

(** ** Rational ends of real numbers *)
Lemma Q2R_nat n : Q2R (inject_Z (Z.of_nat n)) = INR n.
Proof. unfold Q2R, inject_Z. simpl. rewrite INR_IZR_INZ. field. Qed.
Lemma not_le_R p q : negb (Qle_bool p q) = true -> Q2R q < Q2R p.
Proof. intro h. apply negb_true_iff in h. apply Qlt_Rlt, Qnot_le_lt. intro k. apply Qle_bool_iff in k. congruence. Qed.
Definition log_ends (x : Q) : option (Q * Q) := enclose 64 20 (near 64 20 2) x.
Definition nat_Q (n : nat) : Q := inject_Z (Z.of_nat n).
Lemma fold_Rmin_le y (f : R -> R) l eta : In eta l -> fold_right (fun eta q => Rmin (f eta) q) y l <= f eta.
Proof.
  induction l as [| e l ih]; intro i; [destruct i |]. simpl. destruct i as [-> | i]; [apply Rmin_l |]. eapply Rle_trans; [apply Rmin_r | now apply ih].
Qed.
Lemma log_ends_sound x lo hi : 0 < Q2R x -> log_ends x = Some (lo, hi) -> Q2R lo <= ln (Q2R x) <= Q2R hi.
Proof. apply enclose_sound. Qed.
Lemma Q2R_red q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_max p q : Q2R (Qmax p q) = Rmax (Q2R p) (Q2R q).
Proof.
  destruct (Q.max_spec p q) as [[l e] | [l e]]; rewrite (Qeq_eqR _ _ e); [apply Qlt_Rlt in l; now rewrite Rmax_right by lra | apply Qle_Rle in l; now rewrite Rmax_left].
Qed.
Lemma Q2R_min p q : Q2R (Qmin p q) = Rmin (Q2R p) (Q2R q).
Proof.
  destruct (Q.min_spec p q) as [[l e] | [l e]]; rewrite (Qeq_eqR _ _ e); [apply Qlt_Rlt in l; now rewrite Rmin_left by lra | apply Qle_Rle in l; now rewrite Rmin_right].
Qed.
Lemma Q2R_quotient p q : Q2R q <> 0 -> Q2R (p / q) = Q2R p / Q2R q.
Proof. intro n. apply Q2R_div. intro z. apply n. rewrite (Qeq_eqR _ _ z). unfold Q2R. simpl. lra. Qed.
Lemma Q2R_N t : Q2R (inject_Z (Z.of_N t)) = INR (N.to_nat t).
Proof. rewrite <- Q2R_nat. now rewrite N_nat_Z. Qed.
Lemma Q2R_num z : Q2R (inject_Z z) = IZR z. Proof. unfold Q2R, inject_Z. simpl. field. Qed.


(** ** The fill: [costs] has r(pi) and c(pi) of the policies that cost, and n says of how many episodes c(pi) allows *)
Section Fill.
Variables (costs : list (Q * Q)) (n : Q -> Q) (t : Q).
Definition fill_at_Q (l : Q) : Q := (l * t + OrderedField.qsum costs (fun y => Qmax 0 (fst y - l) * n (snd y)))%Q.
Definition fill_Q : Q := fold_right (fun l q => Qmin (fill_at_Q l) q) (fill_at_Q 0) (map fst costs).
End Fill.
Section FillSound.
Context {P : Type}.
Variables (r : P -> R) (costly : list (P * R)) (costs : list (Q * Q)) (n : R -> R) (n' : Q -> Q) (t : R) (t' : Q).
Hypothesis costs_are : Forall2 (fun y z => r (fst z) = Q2R (fst y) /\ snd z = Q2R (snd y) /\ 0 < snd z) costs costly.
Hypothesis most : forall c, 0 < Q2R c -> n (Q2R c) <= Q2R (n' c).
Hypothesis time : t = Q2R t'.
Lemma fill_at_le l : fill_at r costly n t (Q2R l) <= Q2R (fill_at_Q costs n' t' l).
Proof.
  unfold fill_at, fill_at_Q. rewrite Q2R_plus, Q2R_mult, Q2R_qsum, time. apply Rplus_le_compat_l. induction costs_are as [| a b xs ys (g & c' & c0) tl ih]; [apply Rle_refl |].
  cbn [sum]. apply Rplus_le_compat; [| exact (ih tl)]. rewrite c' in *. rewrite Q2R_mult, Q2R_max, Q2R_minus, g. replace (Q2R 0) with 0 by (unfold Q2R; simpl; lra).
  apply Rmult_le_compat_l; [apply Rmax_l |]. now apply most.
Qed.
Theorem fill_le : fill r costly n t <= Q2R (fill_Q costs n' t').
Proof.
  unfold fill, fill_Q. assert (z : fill_at r costly n t 0 <= Q2R (fill_at_Q costs n' t' 0)) by (eapply Rle_trans; [| apply fill_at_le]; right; f_equal; unfold Q2R; simpl; lra).
  assert (k : forall l l', Forall2 (fun x y => x = Q2R y) l l' -> fold_right (fun l q => Rmin (fill_at r costly n t l) q) (fill_at r costly n t 0) l
    <= Q2R (fold_right (fun l q => Qmin (fill_at_Q costs n' t' l) q) (fill_at_Q costs n' t' 0) l')).
  { induction 1 as [| x y l l' -> _ ih]; [exact z |]. cbn [fold_right]. rewrite Q2R_min. apply Rmin_glb; [eapply Rle_trans; [apply Rmin_l | apply fill_at_le] | eapply Rle_trans; [apply Rmin_r | exact ih]]. }
  apply k. clear - costs_are. induction costs_are as [| a b xs ys (g & _) tl ih]; constructor; auto.
Qed.
End FillSound.
(** and from below *)
Section FillBelow.
Context {P : Type}.
Variables (r : P -> R) (costly : list (P * R)) (costs : list (Q * Q)) (n : R -> R) (n' : Q -> Q) (t : R) (t' : Q).
Hypothesis costs_are : Forall2 (fun y z => r (fst z) = Q2R (fst y) /\ snd z = Q2R (snd y) /\ 0 < snd z) costs costly.
Hypothesis least : forall c, 0 < Q2R c -> Q2R (n' c) <= n (Q2R c).
Hypothesis time : t = Q2R t'.
Lemma fill_at_ge l : Q2R (fill_at_Q costs n' t' l) <= fill_at r costly n t (Q2R l).
Proof.
  unfold fill_at, fill_at_Q. rewrite Q2R_plus, Q2R_mult, Q2R_qsum, time. apply Rplus_le_compat_l. induction costs_are as [| a b xs ys (g & c' & c0) tl ih]; [apply Rle_refl |].
  cbn [sum]. apply Rplus_le_compat; [| exact (ih tl)]. rewrite c' in *. rewrite Q2R_mult, Q2R_max, Q2R_minus, g. replace (Q2R 0) with 0 by (unfold Q2R; simpl; lra).
  apply Rmult_le_compat_l; [apply Rmax_l |]. now apply least.
Qed.
Theorem fill_ge : Q2R (fill_Q costs n' t') <= fill r costly n t.
Proof.
  unfold fill, fill_Q. assert (z : Q2R (fill_at_Q costs n' t' 0) <= fill_at r costly n t 0) by (eapply Rle_trans; [apply fill_at_ge |]; right; f_equal; unfold Q2R; simpl; lra).
  assert (k : forall l l', Forall2 (fun x y => x = Q2R y) l l' -> Q2R (fold_right (fun l q => Qmin (fill_at_Q costs n' t' l) q) (fill_at_Q costs n' t' 0) l')
    <= fold_right (fun l q => Rmin (fill_at r costly n t l) q) (fill_at r costly n t 0) l).
  { induction 1 as [| x y l l' -> _ ih]; [exact z |]. cbn [fold_right]. rewrite Q2R_min. apply Rmin_glb; [eapply Rle_trans; [apply Rmin_l | apply fill_at_ge] | eapply Rle_trans; [apply Rmin_r | exact ih]]. }
  apply k. clear - costs_are. induction costs_are as [| a b xs ys (g & _) tl ih]; constructor; auto.
Qed.
End FillBelow.
