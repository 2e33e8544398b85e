(** The rule `nested` as a program over the rationals: it computes, can be extracted, and deploys what [Statements.nested] deploys. *)
From Pomgcheck Require Import RealSums Statements NestedRule Numbers.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

(** ** The list: each entry has the v* of its model and the place of the first policy that attains it *)
Fixpoint position (v : Q) (l : list Q) : nat := match l with [] => 0 | x :: l => if Qle_bool v x then 0 else S (position v l) end.
Definition key_of (row : list Q) : Q * nat := let v := greatest row in (v, position v row).
Section Listed.
Context {A : Type}.
Definition entry := (A * (Q * nat))%type.
Definition precedes_Q (x y : entry) : bool := let '(v, p) := snd x in let '(w, q) := snd y in negb (Qle_bool v w) || Qle_bool w v && (p <=? q)%nat.
Fixpoint insert_Q (x : entry) (l : list entry) : list entry := match l with [] => [x] | y :: l' => if precedes_Q x y then x :: l else y :: insert_Q x l' end.
Definition listed_Q (l : list entry) : list entry := fold_right insert_Q [] l.
Variables (dec : forall x y : A, {x = y} + {x <> y}) (star : A).
(** how many runs of one policy down to star *)
Fixpoint runs_Q (l : list entry) : nat :=
  match l with
  | [] => 0
  | (xi, (_, p)) :: l => if dec xi star then 1 else match l with [] => 1 | (_, (_, q)) :: _ => (if p =? q then 0 else 1)%nat + runs_Q l end
  end.
End Listed.
Arguments entry : clear implicits.

Lemma Qle_Rleb p q x y : Q2R p = x -> Q2R q = y -> Qle_bool p q = Rleb x y.
Proof.
  intros <- <-. apply eq_true_iff_eq. rewrite Qle_bool_iff, Rleb_spec. split; [apply Qle_Rle | apply Rle_Qle].
Qed.
Lemma Qlt_Rltb p q x y : Q2R p = x -> Q2R q = y -> negb (Qle_bool p q) = Rltb y x.
Proof.
  intros e f. rewrite (Qle_Rleb p q x y e f). apply eq_true_iff_eq. rewrite negb_true_iff, Rltb_spec. destruct (Rle_dec x y) as [l | l].
  - rewrite (proj2 (Rleb_spec x y) l). split; [discriminate | lra].
  - split; [lra |]. intros _. destruct (Rleb x y) eqn:k; [apply Rleb_spec in k; lra | reflexivity].
Qed.
(** the first of the best stands where the greatest value stands *)
Lemma position_is {A} l (f : A -> Q) (row : list Q) before p after : row = map f l -> l = before ++ p :: after -> (forall q, In q l -> (f q <= f p)%Q) ->
  (forall q, In q before -> (f q < f p)%Q) -> (greatest row == f p)%Q /\ position (greatest row) row = length before.
Proof.
  intros -> e all first. assert (ip : In p l) by (rewrite e; apply in_or_app; right; now left).
  assert (g : (greatest (map f l) == f p)%Q).
  { apply Qle_antisym; [| apply greatest_ge, in_map, ip]. destruct (greatest_in (map f l)) as (y & i & k); [rewrite e; destruct before; discriminate |]. rewrite k.
    apply in_map_iff in i. destruct i as (q & <- & i). now apply all. }
  split; [exact g |]. generalize g. generalize (greatest (map f l)). intros v gv. rewrite e. clear - first gv. induction before as [| x before ih]; cbn [app map position length].
  - rewrite (proj2 (Qle_bool_iff v (f p))); [reflexivity |]. rewrite gv. apply Qle_refl.
  - destruct (Qle_bool v (f x)) eqn:k; [| f_equal; apply ih; intros q i; apply first; now right].
    apply Qle_bool_iff in k. rewrite gv in k. exfalso. apply (Qlt_not_le _ _ (first x (or_introl eq_refl)) k).
Qed.

Section Same.
Variables (K : class) (d0 : Model K * Policy K).
Notation optimal := (optimal K d0).
Notation place := (Statements.place K).
Notation policies := (the_policies K).
Hypothesis d0_in : In (snd d0) policies.
(** an entry is that of its model *)
Definition entry_of (x : entry (Model K)) : Prop := Q2R (fst (snd x)) = v_star K d0 (fst x) /\ snd (snd x) = place (optimal (fst x)) policies.
Lemma key_is (worth : Model K -> Policy K -> Q) xi : (forall pi, In pi policies -> Q2R (worth xi pi) = value K xi pi) -> entry_of (xi, key_of (map (worth xi) policies)).
Proof.
  intro w. assert (some : policies <> []) by (destruct policies; [destruct d0_in | discriminate]).
  destruct (argmax_first (value K xi) (snd d0) policies some) as (before & after & e & first). fold (optimal xi) in e, first.
  assert (io : In (optimal xi) policies) by (rewrite e; apply in_or_app; right; now left).
  destruct (position_is policies (worth xi) _ before (optimal xi) after eq_refl e) as [g k].
  - intros q i. apply Rle_Qle. rewrite !w by assumption. unfold Statements.optimal. now apply argmax_le.
  - intros q i. apply Rlt_Qlt. rewrite !w by (try assumption; rewrite e; apply in_or_app; now left). now apply first.
  - unfold entry_of, key_of. cbn [fst snd]. split; [rewrite (Qeq_eqR _ _ g); now apply w |]. rewrite k. symmetry. rewrite e. clear - first.
    induction before as [| x before ih]; cbn [app Statements.place length]; [destruct (policy_dec K (optimal xi) (optimal xi)); congruence |].
    destruct (policy_dec K x (optimal xi)) as [q |]; [exfalso; specialize (first x (or_introl eq_refl)); rewrite q in first; lra |]. f_equal. apply ih. intros z i. apply first. now right.
Qed.
Lemma precedes_same x y : entry_of x -> entry_of y -> precedes_Q x y = precedes K d0 (fst x) (fst y).
Proof.
  intros [a b] [c e]. unfold precedes_Q, precedes. destruct x as [xi [v p]], y as [eta [w q]]. cbn [fst snd] in *. subst p q. now rewrite (Qlt_Rltb v w _ _ a c), (Qle_Rleb w v _ _ c a).
Qed.
Lemma insert_Q_in (x y : entry (Model K)) l : In x (insert_Q y l) -> x = y \/ In x l.
Proof. induction l as [| z l ih]; cbn [insert_Q]; [simpl; intuition |]. destruct (precedes_Q y z); simpl; intuition. Qed.
Lemma listed_Q_in (x : entry (Model K)) l : In x (listed_Q l) -> In x l.
Proof. unfold listed_Q. induction l as [| y l ih]; [tauto |]. cbn [fold_right]. intro i. apply insert_Q_in in i. simpl. intuition. Qed.
Lemma listed_same l : (forall x, In x l -> entry_of x) -> map fst (listed_Q l) = fold_right (insert K d0) [] (map fst l).
Proof.
  unfold listed_Q. induction l as [| x l ih]; intro a; [reflexivity |]. cbn [fold_right map]. rewrite <- ih by (intros y i; apply a; now right).
  assert (b : forall y, In y (fold_right insert_Q [] l) -> entry_of y) by (intros y i; apply a; right; now apply listed_Q_in). revert b. generalize (fold_right insert_Q [] l).
  induction l0 as [| y l0 ih0]; intro b; [reflexivity |]. cbn [insert_Q map insert]. rewrite (precedes_same x y) by (try (apply a; now left); apply b; now left).
  destruct (precedes K d0 (fst x) (fst y)); [reflexivity |]. cbn [map]. rewrite ih0 by (intros z i; apply b; now right). reflexivity.
Qed.
Lemma place_nth pi l : In pi l -> nth (place pi l) l (snd d0) = pi.
Proof.
  induction l as [| x l ih]; intro i; [destruct i |]. cbn [Statements.place]. destruct (policy_dec K x pi) as [e | n]; [exact e |]. destruct i as [e | i]; [congruence |]. now apply ih.
Qed.
Lemma entry_policy x : entry_of x -> nth (snd (snd x)) policies (snd d0) = optimal (fst x).
Proof. intros [_ ->]. apply place_nth, argmax_in. destruct policies; [destruct d0_in | discriminate]. Qed.
Lemma runs_same star l : (forall x, In x l -> entry_of x) -> runs_Q (model_dec K) star l = runs_of K (map optimal (down_to K star (map fst l))).
Proof.
  induction l as [| [xi [v p]] l ih]; intro a; [reflexivity |]. cbn [runs_Q map down_to fst]. specialize (ih (fun y i => a y (or_intror i))).
  destruct (model_dec K xi star) as [e | n]; [reflexivity |]. destruct l as [| [eta [w q]] l]; [reflexivity |].
  rewrite ih. cbn [map down_to fst runs_of]. f_equal. pose proof (entry_policy _ (a _ (or_introl eq_refl))) as e1. pose proof (entry_policy _ (a _ (or_intror (or_introl eq_refl)))) as e2.
  destruct (a _ (or_introl eq_refl)) as [_ p1]. destruct (a _ (or_intror (or_introl eq_refl))) as [_ p2]. cbn [fst snd] in *.
  destruct (Nat.eqb_spec p q) as [s | s], (policy_dec K (optimal xi) (optimal eta)) as [t | t]; try reflexivity; exfalso; [apply t; congruence | apply s; congruence].
Qed.
End Same.

Section Program.
Variable K : class.
Variables (law : Model K -> Policy K -> Traj K -> Q) (worth : Model K -> Policy K -> Q) (delta : Q) (d0 : Model K * Policy K).
(** the likelihoods stand beside their models, in the order of the class *)
Record state_Q := State_Q { remaining_Q : list (entry (Model K)); scores : list (Model K * Q) }.
Definition look_up (l : list (Model K * Q)) xi : Q := match find (fun e => if model_dec K (fst e) xi then true else false) l with
                                                    | Some e => snd e | None => 0%Q end.
(** L(xi) max (N - 1, 1) >= delta max L *)
Definition passes_Q (l : list (Model K * Q)) xi : bool :=
  let mine := (look_up l xi * inject_Z (Z.of_nat (Nat.max 1 (length (the_models K) - 1))))%Q in forallb (fun e => Qle_bool (snd e * delta) mine) l.
Definition entry_for xi : entry (Model K) := (xi, key_of (map (worth xi) (the_policies K))).
Definition order : list (entry (Model K)) := listed_Q (map entry_for (the_models K)).
Definition deployed_Q (s : state_Q) : Model K * Policy K :=
  let '(xi, (_, p)) := hd (entry_for (fst d0)) (remaining_Q s) in (xi, nth p (the_policies K) (snd d0)).
Definition next_Q (s : state_Q) (tau : Traj K) : state_Q :=
  let l := map (fun e => (fst e, Qred (snd e * law (fst e) (snd (deployed_Q s)) tau))) (scores s) in
  if passes_Q l (fst (deployed_Q s)) then State_Q (remaining_Q s) l else
  State_Q (match filter (fun x => passes_Q l (fst x)) (remaining_Q s) with [] => filter (fun x => passes_Q l (fst x)) order | still => still end) l.
Fixpoint run_Q (h : list (Traj K)) : state_Q := match h with [] => State_Q order (map (fun xi => (xi, 1%Q)) (the_models K)) | tau :: h => next_Q (run_Q h) tau end.
Definition nested_Q h := deployed_Q (run_Q h).
(** what it deploys for each of the episodes l, the first one first, and after them *)
Fixpoint deployments (s : state_Q) (l : list (Traj K)) : list (Model K * Policy K) := deployed_Q s :: match l with [] => [] | tau :: l => deployments (next_Q s tau) l end.

Hypothesis law_is : forall xi pi tau, Q2R (law xi pi tau) = prob K xi pi tau.
Hypothesis worth_is : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> Q2R (worth xi pi) = value K xi pi.
Hypothesis delta_pos : (0 < delta)%Q.
Hypothesis d0_in : In (fst d0) (the_models K) /\ In (snd d0) (the_policies K).
Notation entry_of := (entry_of K d0).
Lemma look_up_is l (f : Model K -> R) xi : (forall y q, In (y, q) l -> Q2R q = f y) -> In xi (map fst l) -> Q2R (look_up l xi) = f xi.
Proof.
  intros a i. unfold look_up. destruct (find _ l) as [[y q] |] eqn:e.
  - apply find_some in e. cbn [fst] in e. destruct e as [j k]. destruct (model_dec K y xi) as [-> |]; [| discriminate]. cbn [snd]. auto.
  - apply in_map_iff in i. destruct i as ((y, q) & <- & j). apply (find_none _ _ e) in j. cbn [fst] in j. destruct (model_dec K y y); congruence.
Qed.
Lemma threshold_le a b : Rleb (Q2R (a * delta)) (Q2R (b * inject_Z (Z.of_nat (Nat.max 1 (length (the_models K) - 1))))) = Rleb (Q2R a) (Q2R b * threshold K (Q2R delta)).
Proof.
  assert (p : 0 < Q2R delta) by (apply Qlt_Rlt in delta_pos; unfold Q2R at 1 in delta_pos; simpl in delta_pos; lra).
  apply eq_true_iff_eq. rewrite !Rleb_spec, !Q2R_mult, Q2R_nat. unfold threshold. set (n := INR _). split; intro h.
  - apply (Rmult_le_reg_r (Q2R delta)); auto. replace (Q2R b * (n / Q2R delta) * Q2R delta) with (Q2R b * n) by (field; lra). exact h.
  - apply (Rmult_le_compat_r (Q2R delta)) in h; [| lra]. now replace (Q2R b * (n / Q2R delta) * Q2R delta) with (Q2R b * n) in h by (field; lra).
Qed.
Lemma passes_same l f xi : map fst l = the_models K -> (forall y q, In (y, q) l -> Q2R q = f y) -> In xi (the_models K) ->
  passes_Q l xi = passes K (Q2R delta) f xi.
Proof.
  intros m a i. unfold passes_Q, passes.
  assert (lx : Q2R (look_up l xi) = f xi) by (apply look_up_is; [exact a | now rewrite m]).
  cbv zeta. set (mine := (look_up l xi * _)%Q).
  assert (k : forall l', (forall y q, In (y, q) l' -> Q2R q = f y) -> forallb (fun e => Qle_bool (snd e * delta) mine) l' =
    forallb (fun eta => Rleb (f eta) (f xi * threshold K (Q2R delta))) (map fst l')).
  { induction l' as [| [y q] l' ih]; intro a'; [reflexivity |]. cbn [forallb map fst snd]. rewrite ih by (intros; apply a'; now right). f_equal.
    rewrite (Qle_Rleb _ _ _ _ eq_refl eq_refl). unfold mine. rewrite threshold_le, lx. now rewrite (a' y q) by now left. }
  rewrite k by exact a. now rewrite m.
Qed.
Lemma order_is : map fst order = listed K d0 /\ forall x, In x order -> entry_of x /\ In (fst x) (the_models K).
Proof.
  assert (a : forall x, In x (map entry_for (the_models K)) -> entry_of x /\ In (fst x) (the_models K)).
  { intros x i. apply in_map_iff in i. destruct i as (xi & <- & i). split; [apply (key_is K d0 (proj2 d0_in)); intros; now apply worth_is | exact i]. }
  split.
  - unfold order, listed. rewrite (listed_same K d0) by (intros x i; now apply a). now rewrite map_map, map_id.
  - intros x i. apply a. eapply listed_Q_in, i.
Qed.
Definition agree (s : state_Q) (t : state K) : Prop :=
  map fst (remaining_Q s) = remaining K t /\ (forall x, In x (remaining_Q s) -> entry_of x /\ In (fst x) (the_models K)) /\
  map fst (scores s) = the_models K /\ forall xi q, In (xi, q) (scores s) -> Q2R q = likelihoods K t xi.
Lemma deployed_same s t : agree s t -> deployed_Q s = deployed K d0 t.
Proof.
  intros (r & e & _). unfold deployed_Q, deployed. rewrite <- r. destruct (remaining_Q s) as [| [xi [v p]] l].
  - cbn [map hd]. pose proof (key_is K d0 (proj2 d0_in) worth (fst d0) (fun pi i => worth_is _ pi (proj1 d0_in) i)) as k. apply (entry_policy K d0 (proj2 d0_in)) in k.
    unfold entry_for. destruct (key_of _) as [v p]. cbn [fst snd] in k. now rewrite k.
  - cbn [map hd fst]. f_equal. exact (entry_policy K d0 (proj2 d0_in) _ (proj1 (e _ (or_introl eq_refl)))).
Qed.
Lemma filter_map {A B} (f : A -> B) (g : A -> bool) (g' : B -> bool) l : (forall x, In x l -> g x = g' (f x)) -> map f (filter g l) = filter g' (map f l).
Proof.
  induction l as [| x l ih]; intro e; [reflexivity |]. cbn [filter map]. rewrite <- (e x) by now left. destruct (g x); cbn [map]; rewrite ih by (intros; apply e; now right); reflexivity.
Qed.
(** the program deploys what the rule deploys, after every history *)
Theorem nested_Q_is_nested h : nested_Q h = nested K (Q2R delta) d0 h.
Proof.
  enough (k : agree (run_Q h) (run K (Q2R delta) d0 h)) by (apply deployed_same, k). destruct order_is as [oe oi]. induction h as [| tau h ih].
  - split; [exact oe |]. split; [exact oi |]. cbn [run_Q run scores likelihoods].
    split; [rewrite map_map; apply map_id |]. intros xi q i. apply in_map_iff in i. destruct i as (y & e & _). injection e as <- <-.
    unfold Q2R. simpl. lra.
  - pose proof (deployed_same _ _ ih) as dd. destruct ih as (r & ei & mm & sc). cbn [run_Q run]. unfold agree, next_Q, next. rewrite dd.
    set (l := map _ (scores _)). set (f := fun xi => likelihoods K _ xi * _).
    assert (ml : map fst l = the_models K) by (unfold l; rewrite map_map; exact mm).
    assert (sl : forall y q, In (y, q) l -> Q2R q = f y).
    { intros y q i. apply in_map_iff in i. destruct i as ((y0, q0) & e & i). pose proof (f_equal fst e) as e1. pose proof (f_equal snd e) as e2. cbn [fst snd] in e1, e2.
      rewrite <- e1, <- e2, (Qeq_eqR _ _ (Qred_correct _)), Q2R_mult, law_is, (sc _ _ i). reflexivity. }
    assert (im : In (fst (deployed K d0 (run K (Q2R delta) d0 h))) (the_models K)).
    { unfold deployed. cbn [fst]. rewrite <- r. destruct (remaining_Q (run_Q h)) as [| x m]; [apply d0_in | exact (proj2 (ei x (or_introl eq_refl)))]. }
    rewrite (passes_same l f _ ml sl im). destruct (passes K (Q2R delta) f _); cbn [remaining_Q scores remaining likelihoods]; [split; [exact r | split; [exact ei | split; [exact ml | exact sl]]] |].
    assert (ff : forall m, (forall x, In x m -> entry_of x /\ In (fst x) (the_models K)) -> map fst (filter (fun x => passes_Q l (fst x)) m) = filter (passes K (Q2R delta) f) (map fst m)).
    { intros m a. apply filter_map. intros x i. apply passes_same; auto. now apply a. }
    pose proof (ff _ ei) as f1. pose proof (ff _ oi) as f2. rewrite r in f1. rewrite oe in f2.
    destruct (filter (fun x => passes_Q l (fst x)) (remaining_Q (run_Q h))) as [| x m] eqn:e; rewrite <- f1; cbn [map].
    + split; [exact f2 |]. split; [| split; [exact ml | exact sl]]. intros x i. apply filter_In in i. now apply oi.
    + split; [reflexivity |]. split; [| split; [exact ml | exact sl]]. intros y i. rewrite <- e in i. apply filter_In in i. now apply ei.
Qed.
Theorem deployments_are l : deployments (run_Q []) l = map (fun k => nested K (Q2R delta) d0 (rev (firstn k l))) (seq 0 (S (length l))).
Proof.
  enough (k : forall l h, deployments (run_Q h) l = map (fun k => nested_Q (rev (firstn k l) ++ h)) (seq 0 (S (length l)))).
  { rewrite k. apply map_ext. intro n. now rewrite app_nil_r, nested_Q_is_nested. }
  clear. induction l as [| tau l ih]; intro h; [reflexivity |]. cbn [deployments]. change (next_Q (run_Q h) tau) with (run_Q (tau :: h)). rewrite ih.
  change (seq 0 (S (length (tau :: l)))) with (0%nat :: seq 1 (S (length l))). rewrite <- seq_shift. cbn [map]. f_equal. rewrite map_map. apply map_ext. intro n.
  cbn [firstn rev]. now rewrite <- app_assoc.
Qed.
End Program.
