(** The rule `nested` as a program over the rationals: it computes, can be extracted, and deploys what [Statements.nested] deploys. *)
From Pomgcheck Require Import RealSums Statements.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

Section Program.
Variable K : class.
Variables (law : Model K -> Policy K -> Traj K -> Q) (worth : Model K -> Policy K -> Q) (delta : Q) (d0 : Model K * Policy K).

Definition argmax_Q {A} (f : A -> Q) : A -> list A -> A :=
  fix go d l := match l with [] => d | x :: l => let y := go x l in if Qle_bool (f y) (f x) then x else y end.
(** the likelihoods stand beside their models, in the order of the class *)
Record state_Q := State_Q { remaining_Q : list (Model K); scores : list (Model K * Q); deployed_Q : Model K * Policy K }.
Definition optimistic_Q d cs := argmax_Q (fun p => worth (fst p) (snd p)) d (list_prod cs (the_policies K)).
Definition look_up (l : list (Model K * Q)) xi : Q := match find (fun e => if model_dec K (fst e) xi then true else false) l with
                                                    | Some e => snd e | None => 0%Q end.
(** L(xi) N >= delta max L *)
Definition keep_Q (l : list (Model K * Q)) xi : bool :=
  let mine := (look_up l xi * inject_Z (Z.of_nat (length (the_models K))))%Q in forallb (fun e => Qle_bool (snd e * delta) mine) l.
Definition next_Q (s : state_Q) (tau : Traj K) : state_Q :=
  let l := map (fun e => (fst e, Qred (snd e * law (fst e) (snd (deployed_Q s)) tau))) (scores s) in
  let cs := filter (keep_Q l) (remaining_Q s) in
  State_Q cs l (if in_dec (model_dec K) (fst (deployed_Q s)) cs then deployed_Q s else optimistic_Q (deployed_Q s) cs).
Fixpoint run_Q (h : list (Traj K)) : state_Q :=
  match h with
  | [] => State_Q (the_models K) (map (fun xi => (xi, 1%Q)) (the_models K)) (optimistic_Q d0 (the_models K))
  | tau :: h => next_Q (run_Q h) tau
  end.
Definition nested_Q h := deployed_Q (run_Q h).

Hypothesis law_is : forall xi pi tau, Q2R (law xi pi tau) = prob K xi pi tau.
Hypothesis worth_is : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> Q2R (worth xi pi) = value K xi pi.
Hypothesis delta_pos : (0 < delta)%Q.

Lemma Qle_Rleb p q x y : Q2R p = x -> Q2R q = y -> Qle_bool p q = Rleb x y.
Proof.
  intros <- <-. apply eq_true_iff_eq. rewrite Qle_bool_iff, Rleb_spec. split; [apply Qle_Rle | apply Rle_Qle].
Qed.
Lemma argmax_same {A} (f : A -> Q) (g : A -> R) : forall l d, (forall x, In x l -> Q2R (f x) = g x) -> argmax_Q f d l = argmax g d l.
Proof.
  induction l as [| x l ih]; intros d e; [reflexivity |]. cbn [argmax_Q argmax].
  assert (k : argmax_Q f x l = argmax g x l) by (apply ih; intros; apply e; now right). unfold argmax_Q in k |- *. rewrite k.
  assert (i : In (argmax g x l) (x :: l)).
  { clear. revert x. induction l as [| y l ih]; intro x; [now left |]. cbn [argmax]. destruct (Rleb _ _); [right; now left | right; apply ih]. }
  now rewrite (Qle_Rleb _ _ (g (argmax g x l)) (g x)) by auto using in_eq.
Qed.
Lemma optimistic_same d cs : incl cs (the_models K) -> optimistic_Q d cs = optimistic_pair K d cs.
Proof.
  intro i. unfold optimistic_Q, optimistic_pair. apply argmax_same. intros [xi pi] j. apply in_prod_iff in j. destruct j. apply worth_is; auto.
Qed.
Definition agree (s : state_Q) (t : state K) : Prop :=
  remaining_Q s = remaining K t /\ deployed_Q s = deployed K t /\ incl (remaining_Q s) (the_models K) /\
  map fst (scores s) = the_models K /\ forall xi q, In (xi, q) (scores s) -> Q2R q = likelihoods K t xi.
Lemma look_up_is l (f : Model K -> R) xi : (forall y q, In (y, q) l -> Q2R q = f y) -> In xi (map fst l) -> Q2R (look_up l xi) = f xi.
Proof.
  intros a i. unfold look_up. destruct (find _ l) as [[y q] |] eqn:e.
  - apply find_some in e. cbn [fst] in e. destruct e as [j k]. destruct (model_dec K y xi) as [-> |]; [| discriminate]. cbn [snd]. auto.
  - apply in_map_iff in i. destruct i as ((y, q) & <- & j). apply (find_none _ _ e) in j. cbn [fst] in j. destruct (model_dec K y y); congruence.
Qed.
Lemma threshold_le a b : Rleb (Q2R (a * delta)) (Q2R (b * inject_Z (Z.of_nat (length (the_models K))))) = Rleb (Q2R a) (Q2R b * threshold K (Q2R delta)).
Proof.
  assert (p : 0 < Q2R delta) by (apply Qlt_Rlt in delta_pos; unfold Q2R at 1 in delta_pos; simpl in delta_pos; lra).
  apply eq_true_iff_eq. rewrite !Rleb_spec, !Q2R_mult. unfold threshold.
  assert (e : Q2R (inject_Z (Z.of_nat (length (the_models K)))) = INR (length (the_models K))) by (unfold Q2R, inject_Z; simpl; rewrite INR_IZR_INZ; field).
  rewrite e. set (n := INR _). split; intro h.
  - apply (Rmult_le_reg_r (Q2R delta)); auto. replace (Q2R b * (n / Q2R delta) * Q2R delta) with (Q2R b * n) by (field; lra). exact h.
  - apply (Rmult_le_compat_r (Q2R delta)) in h; [| lra]. now replace (Q2R b * (n / Q2R delta) * Q2R delta) with (Q2R b * n) in h by (field; lra).
Qed.
Lemma keep_same l f xi : map fst l = the_models K -> (forall y q, In (y, q) l -> Q2R q = f y) -> In xi (the_models K) ->
  keep_Q l xi = keep K (Q2R delta) f xi.
Proof.
  intros m a i. unfold keep_Q, keep.
  assert (lx : Q2R (look_up l xi) = f xi) by (apply look_up_is; [exact a | now rewrite m]).
  cbv zeta. set (mine := (look_up l xi * _)%Q).
  assert (k : forall l', (forall y q, In (y, q) l' -> Q2R q = f y) -> forallb (fun e => Qle_bool (snd e * delta) mine) l' =
    forallb (fun eta => Rleb (f eta) (f xi * threshold K (Q2R delta))) (map fst l')).
  { induction l' as [| [y q] l' ih]; intro a'; [reflexivity |]. cbn [forallb map fst snd]. rewrite ih by (intros; apply a'; now right). f_equal.
    rewrite (Qle_Rleb _ _ _ _ eq_refl eq_refl). unfold mine. rewrite threshold_le, lx. now rewrite (a' y q) by now left. }
  rewrite k by exact a. now rewrite m.
Qed.
Lemma filter_same {A} (f g : A -> bool) l : (forall x, In x l -> f x = g x) -> filter f l = filter g l.
Proof.
  induction l as [| x l ih]; intro e; [reflexivity |]. cbn [filter]. rewrite (e x) by now left. rewrite ih by (intros; apply e; now right). reflexivity.
Qed.
(** the program deploys what the rule deploys, after every history *)
Theorem nested_Q_is_nested h : nested_Q h = nested K (Q2R delta) d0 h.
Proof.
  enough (k : agree (run_Q h) (run K (Q2R delta) d0 h)) by apply k. induction h as [| tau h (r & dd & inc & mm & sc)].
  - split; [reflexivity |]. split; [apply optimistic_same, incl_refl |]. split; [apply incl_refl |]. cbn [run_Q run scores likelihoods].
    split; [rewrite map_map; apply map_id |]. intros xi q i. apply in_map_iff in i. destruct i as (y & e & _). injection e as <- <-.
    unfold Q2R. simpl. lra.
  - cbn [run_Q run]. unfold agree, next_Q, next. cbn [remaining_Q scores deployed_Q remaining likelihoods deployed].
    set (l := map _ (scores _)). set (f := fun xi => likelihoods K _ xi * _).
    assert (ml : map fst l = the_models K) by (unfold l; rewrite map_map; exact mm).
    assert (sl : forall y q, In (y, q) l -> Q2R q = f y).
    { intros y q i. apply in_map_iff in i. destruct i as ((y0, q0) & e & i). pose proof (f_equal fst e) as e1. pose proof (f_equal snd e) as e2. cbn [fst snd] in e1, e2.
      rewrite <- e1, <- e2, (Qeq_eqR _ _ (Qred_correct _)), Q2R_mult, law_is, (sc _ _ i), dd. reflexivity. }
    assert (fl : filter (keep_Q l) (remaining_Q (run_Q h)) = filter (keep K (Q2R delta) f) (remaining K (run K (Q2R delta) d0 h))).
    { rewrite <- r. apply filter_same. intros xi i. apply keep_same; auto. }
    assert (ic : incl (filter (keep_Q l) (remaining_Q (run_Q h))) (the_models K)) by (intros x i; apply filter_In in i; apply inc; tauto).
    split; [exact fl |]. split; [| split; [exact ic | split; [exact ml | exact sl]]].
    rewrite optimistic_same by exact ic. rewrite <- fl, dd. reflexivity.
Qed.
End Program.
