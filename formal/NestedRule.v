(** The schedule `nested` by recursion on the history, and Theorem N for it. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger ScheduleBound WarmUp.
From Coq Require Import Sorted.
Open Scope R_scope.

Section Argmax.
Context {A : Type} (f : A -> R).
Notation argmax := (Statements.argmax f).
Lemma argmax_in d l : l <> [] -> In (argmax d l) l.
Proof.
  revert d. induction l as [| x l ih]; intros d n; [congruence |]. simpl. destruct (Rleb _ _); [tauto |].
  destruct l; [simpl; tauto |]. right. apply ih. discriminate.
Qed.
Lemma argmax_le d l x : In x l -> f x <= f (argmax d l).
Proof.
  revert d. induction l as [| y l ih]; intros d i; [destruct i |]. simpl. destruct (Rleb (f (argmax y l)) (f y)) eqn:e.
  - apply Rleb_spec in e. destruct i as [-> | i]; [lra |]. specialize (ih y i). lra.
  - assert (n : ~ f (argmax y l) <= f y) by (intro q; apply Rleb_spec in q; congruence).
    destruct i as [-> | i]; [lra | auto].
Qed.
(** it is the first of the best *)
Lemma argmax_first d l : l <> [] -> exists before after, l = before ++ argmax d l :: after /\ forall x, In x before -> f x < f (argmax d l).
Proof.
  revert d. induction l as [| x l ih]; intros d n; [congruence |]. cbn [argmax]. cbv zeta. destruct (Rleb _ _) eqn:e; [exists [], l; split; [reflexivity | intros y []] |].
  assert (q : f x < f (argmax x l)) by (apply Rnot_le_lt; intro k; apply Rleb_spec in k; congruence).
  destruct l as [| y l]; [simpl in q; lra |]. destruct (ih x ltac:(discriminate)) as (b & a & s & k). exists (x :: b), a. split; [cbn [app]; now rewrite <- s |].
  intros z [<- | i]; [exact q | now apply k].
Qed.
End Argmax.

(** ** The list, and how many runs of one policy it has down to star *)
Section Runs.
Variables (K : class) (d0 : Model K * Policy K).
Notation optimal := (optimal K d0).
Fixpoint runs_of (l : list (Policy K)) : nat :=
  match l with [] => 0 | p :: l' => (match l' with [] => 1 | q :: _ => if policy_dec K p q then 0 else 1 end) + runs_of l' end.
Variable star : Model K.
Fixpoint down_to (l : list (Model K)) : list (Model K) := match l with [] => [] | xi :: l => xi :: if model_dec K xi star then [] else down_to l end.
Definition runs : nat := runs_of (map optimal (down_to (listed K d0))).
Notation still l := (runs_of (map optimal (down_to l))).
Notation turn p q := (if policy_dec K p q then 0 else 1)%nat.
Lemma still_cons d xi l : xi <> star -> In star l -> still (xi :: l) = (turn (optimal xi) (optimal (hd d l)) + still l)%nat.
Proof. intros n i. cbn [down_to]. destruct (model_dec K xi star); [congruence |]. destruct l as [| y l]; [destruct i |]. reflexivity. Qed.
Lemma still_some l : In star l -> (1 <= still l)%nat.
Proof.
  induction l as [| xi l ih]; intro i; [destruct i |]. destruct (model_dec K xi star) as [-> | n].
  - cbn [down_to]. destruct (model_dec K star star); [simpl; lia | congruence].
  - destruct i as [e | i]; [congruence |]. rewrite (still_cons star) by assumption. specialize (ih i). lia.
Qed.
Lemma turns_add p q r : (turn p r <= turn p q + turn q r)%nat.
Proof. destruct (policy_dec K p r), (policy_dec K p q), (policy_dec K q r); try lia. congruence. Qed.
(** leaving models out makes no more runs, and one less where the first policy is another *)
Lemma leave_out d f l : In star l -> f star = true -> (still (filter f l) + turn (optimal (hd d l)) (optimal (hd d (filter f l))) <= still l)%nat.
Proof.
  intros i fs. induction l as [| xi l ih]; [destruct i |]. destruct (model_dec K xi star) as [-> | n].
  - cbn [filter]. rewrite fs. cbn [hd down_to]. destruct (model_dec K star star) as [_ | n]; [| congruence]. destruct (policy_dec K (optimal star) (optimal star)); [simpl; lia | congruence].
  - destruct i as [e | i]; [congruence |]. specialize (ih i). rewrite (still_cons d xi l n i). assert (m : In star (filter f l)) by (now apply filter_In).
    pose proof (turns_add (optimal xi) (optimal (hd d l)) (optimal (hd d (filter f l)))) as t. cbn [filter]. destruct (f xi).
    + rewrite (still_cons d xi (filter f l) n m). cbn [hd]. destruct (policy_dec K (optimal xi) (optimal xi)); [lia | congruence].
    + cbn [hd]. lia.
Qed.
End Runs.

(** ** Any rule that walks down a list: an epoch deploys the first optimal policy of the first model that is left, and ends when this model fails a test
    of the likelihoods of so many data episodes; the others are tested where an epoch ends, and those that pass begin again were none left.
    `nested` is such a rule, and so is the joint test on a net ([NetBound.v]). *)
Lemma filter_all {A} (l : list A) : filter (fun _ => true) l = l.
Proof. induction l as [| x l ih]; [reflexivity |]. cbn [filter]. now rewrite ih. Qed.
Lemma filter_sorted {A} (R : A -> A -> Prop) f l : StronglySorted R l -> StronglySorted R (filter f l).
Proof.
  induction 1 as [| x l s ih a]; [constructor |]. cbn [filter]. destruct (f x); [| exact ih]. constructor; [exact ih |]. apply Forall_forall. intros y i.
  apply filter_In in i. now apply (proj1 (Forall_forall _ _) a).
Qed.
Section Walk.
Variables (K : class) (d0 : Model K * Policy K) (listed : list (Model K)) (passes : nat -> (Model K -> R) -> Model K -> bool).
Notation optimal := (Statements.optimal K d0).
Definition walk_on (t : nat) (s : state K) (tau : Traj K) : state K :=
  let l := fun xi => likelihoods K s xi * prob K xi (snd (deployed K d0 s)) tau in
  if passes t l (fst (deployed K d0 s)) then State K (remaining K s) l else
  State K (match filter (passes t l) (remaining K s) with [] => filter (passes t l) listed | still => still end) l.
Fixpoint walk (h : list (Traj K)) : state K := match h with [] => State K listed (fun _ => 1) | tau :: h => walk_on (S (length h)) (walk h) tau end.
Definition walker h := deployed K d0 (walk h).
Notation L := (likelihood K walker).
Notation left h := (remaining K (walk h)).
Notation front h := (hd (fst d0) (left h)).
Hypothesis passes_ext : forall t f g xi, (forall eta, f eta = g eta) -> passes t f xi = passes t g xi.
Definition pass h xi := passes (length h) (fun eta => L eta h) xi.
Lemma walk_likelihood h xi : likelihoods K (walk h) xi = L xi h.
Proof. induction h as [| tau h ih]; [reflexivity |]. cbn [walk]. unfold walk_on. destruct (passes _ _ _); cbn [likelihoods]; rewrite ih; reflexivity. Qed.
Lemma walk_cons tau h : left (tau :: h) = if pass (tau :: h) (front h) then left h else
  match filter (pass (tau :: h)) (left h) with [] => filter (pass (tau :: h)) listed | still => still end.
Proof.
  cbn [walk]. unfold walk_on, pass. set (l := fun xi => _ * _). change (length (tau :: h)) with (S (length h)).
  assert (e : forall xi, passes (S (length h)) l xi = passes (S (length h)) (fun eta => L eta (tau :: h)) xi).
  { intro xi. apply passes_ext. intro eta. unfold l. rewrite walk_likelihood. reflexivity. }
  rewrite e. destruct (passes _ _ _); [reflexivity |]. cbn [remaining].
  assert (f : forall m, filter (passes (S (length h)) l) m = filter (passes (S (length h)) (fun eta => L eta (tau :: h))) m) by (intro m; apply filter_ext, e). now rewrite !f.
Qed.
Lemma left_in h xi : In xi (left h) -> In xi listed.
Proof.
  revert xi. induction h as [| tau h ih]; intros xi i; [exact i |]. rewrite walk_cons in i. destruct (pass _ _); [auto |].
  destruct (filter _ (left h)) as [| y l] eqn:e; [now apply filter_In in i | rewrite <- e in i; apply filter_In in i; now apply ih].
Qed.
Lemma front_in h : In (fst d0) listed -> In (front h) listed.
Proof. intro i. destruct (left h) as [| x l] eqn:e; [exact i |]. apply (left_in h). rewrite e. now left. Qed.
(** while the test does not refute [star], it is left, in the order of the list, and the first one left passes *)
Variables (star : Model K) (refuted : list (Traj K) -> bool).
Hypothesis star_listed : In star listed.
Hypothesis star_passes : forall h, refuted h = false -> pass h star = true.
Hypothesis first_passes : forall xi, pass [] xi = true.
Lemma walk_next tau h : ever refuted (tau :: h) = false -> In star (left h) ->
  exists f, f star = true /\ left (tau :: h) = filter f (left h) /\ pass (tau :: h) (front (tau :: h)) = true.
Proof.
  intros r i. rewrite ever_cons in r. apply orb_false_elim in r. destruct r as [r _]. apply star_passes in r. rewrite walk_cons.
  destruct (pass (tau :: h) (front h)) eqn:p.
  - exists (fun _ => true). split; [reflexivity |]. split; [symmetry; apply filter_all | exact p].
  - exists (pass (tau :: h)). split; [exact r |]. assert (j : In star (filter (pass (tau :: h)) (left h))) by (now apply filter_In).
    destruct (filter _ (left h)) as [| y l] eqn:e; [destruct j |]. split; [reflexivity |]. cbn [hd]. assert (k : In y (y :: l)) by now left.
    rewrite <- e in k. now apply filter_In in k.
Qed.
Theorem walks h : ever refuted h = false -> In star (left h) /\ (forall R, StronglySorted R listed -> StronglySorted R (left h)) /\ pass h (front h) = true.
Proof.
  induction h as [| tau h ih]; intro r; [split; [exact star_listed |]; split; [auto | apply first_passes] |].
  pose proof r as r'. rewrite ever_cons in r'. apply orb_false_elim in r'. destruct (ih (proj2 r')) as (i & s & _). destruct (walk_next tau h r i) as (f & fs & e & p).
  split; [rewrite e; now apply filter_In |]. split; [intros R sorted; rewrite e; now apply filter_sorted, s | exact p].
Qed.
(** it warms up at most once a run of one policy in the list down to star *)
Notation still l := (runs_of K (map optimal (down_to K star l))).
Lemma starts_still tau h : ever refuted h = false -> (starts K (another K walker) (tau :: h) + still (left h) <= S (still listed))%nat.
Proof.
  revert tau. induction h as [| tau' h ih]; intros tau r; [simpl; lia |].
  pose proof r as r'. rewrite ever_cons in r'. apply orb_false_elim in r'. destruct (walks h (proj2 r')) as (i & _). specialize (ih tau' (proj2 r')).
  destruct (walk_next tau' h r i) as (f & fs & e & _). pose proof (leave_out K d0 star (fst d0) f (left h) i fs) as l. rewrite <- e in l.
  set (before := starts K (another K walker) (tau' :: h)) in *. assert (st : starts K (another K walker) (tau :: tau' :: h) = ((if another K walker (tau' :: h) then 1 else 0) + before)%nat) by reflexivity.
  rewrite st. unfold another.
  change (pi_of K walker (tau' :: h)) with (optimal (front (tau' :: h))). change (pi_of K walker h) with (optimal (front h)).
  destruct (policy_dec K (optimal (front (tau' :: h))) (optimal (front h))) as [q | q], (policy_dec K (optimal (front h)) (optimal (front (tau' :: h)))) as [q' | q']; try congruence; lia.
Qed.
Theorem starts_at_most h : ever refuted h = false -> (starts K (another K walker) h <= still listed)%nat.
Proof.
  destruct h as [| tau h]; intro r; [simpl; lia |]. rewrite ever_cons in r. apply orb_false_elim in r. destruct (walks h (proj2 r)) as (i & _).
  pose proof (starts_still tau h (proj2 r)). pose proof (still_some K d0 star _ i). lia.
Qed.
End Walk.

Section Rule.
Variables (K : class) (delta : R) (d0 : Model K * Policy K).
Notation Model := (Statements.Model K).
Notation Policy := (Statements.Policy K).
Notation Traj := (Statements.Traj K).
Notation models := (the_models K).
Notation policies := (the_policies K).
Notation value := (Statements.value K).
Notation optimal := (Statements.optimal K d0).
Notation v_star := (Statements.v_star K d0).
Notation place := (Statements.place K).
Notation listed := (Statements.listed K d0).
Notation precedes := (Statements.precedes K d0).
Notation passes := (Statements.passes K delta).
Notation nested := (Statements.nested K delta d0).
Notation L := (likelihood K nested).
(** the list is sorted *)
Definition before xi eta : Prop := precedes xi eta = true.
Lemma before_is xi eta : before xi eta <-> v_star eta < v_star xi \/ (v_star eta <= v_star xi /\ (place (optimal xi) policies <= place (optimal eta) policies)%nat).
Proof. unfold before, Statements.precedes. rewrite orb_true_iff, andb_true_iff, Rltb_spec, Rleb_spec, Nat.leb_le. reflexivity. Qed.
Lemma before_trans x y z : before x y -> before y z -> before x z.
Proof. rewrite !before_is. intros [a | [a b]] [c | [c e]]; [left; lra | left; lra | left; lra | right; split; [lra | lia]]. Qed.
Lemma before_total x y : precedes x y = false -> before y x.
Proof.
  intro n. rewrite before_is. assert (m : ~ before x y) by (unfold before; congruence). rewrite before_is in m. destruct (Rle_lt_dec (v_star x) (v_star y)) as [l | l]; [| elim m; now left].
  destruct (Nat.le_ge_cases (place (optimal y) policies) (place (optimal x) policies)) as [k | k]; [now right |].
  destruct l as [l | l]; [now left | elim m; right; split; [lra | exact k]].
Qed.
Lemma before_refl x : before x x. Proof. rewrite before_is. right. split; [lra | lia]. Qed.
Lemma insert_in x y l : In x (insert K d0 y l) <-> x = y \/ In x l.
Proof.
  induction l as [| z l ih]; cbn [insert]; [simpl; intuition |]. destruct (precedes y z); [simpl; intuition |]. cbn [In]. rewrite ih. simpl. intuition.
Qed.
Lemma listed_in xi : In xi listed <-> In xi models.
Proof. unfold Statements.listed. induction models as [| x l ih]; [reflexivity |]. cbn [fold_right]. rewrite insert_in, ih. simpl. intuition. Qed.
Lemma insert_sorted x l : StronglySorted before l -> StronglySorted before (insert K d0 x l).
Proof.
  induction l as [| y l ih]; intro s; cbn [insert]; [repeat constructor |]. inversion s as [| a b s' f e]; subst. destruct (precedes x y) eqn:p.
  - constructor; [exact s |]. constructor; [exact p |]. eapply Forall_impl; [| exact f]. intros z. now apply before_trans.
  - constructor; [now apply ih |]. apply Forall_forall. intros z i. apply insert_in in i. destruct i as [-> | i]; [now apply before_total | now apply (proj1 (Forall_forall _ _) f)].
Qed.
Lemma listed_sorted : StronglySorted before listed.
Proof. unfold Statements.listed. induction models; [constructor | now apply insert_sorted]. Qed.
Lemma head_first l d x : StronglySorted before l -> In x l -> before (hd d l) x.
Proof. intros s i. destruct s as [| y l s a]; [destruct i |]. destruct i as [<- | i]; [apply before_refl | now apply (proj1 (Forall_forall _ _) a)]. Qed.
Lemma place_lt p l l' : In p l -> (place p (l ++ l') < length l)%nat.
Proof.
  induction l as [| x l ih]; intro i; [destruct i |]. cbn [app Statements.place length]. destruct (policy_dec K x p); [lia |]. destruct i as [e | i]; [congruence |]. specialize (ih i). lia.
Qed.
Lemma place_ge p l l' : ~ In p l -> (length l <= place p (l ++ l'))%nat.
Proof.
  induction l as [| x l ih]; intro n; [simpl; lia |]. cbn [app Statements.place length]. destruct (policy_dec K x p) as [-> |]; [elim n; now left |].
  specialize (ih ltac:(intro i; apply n; now right)). lia.
Qed.
Hypothesis d0_in : In (fst d0) models /\ In (snd d0) policies.
Lemma policies_some : policies <> []. Proof. destruct d0_in as [_ i]. destruct policies; [destruct i | discriminate]. Qed.
Lemma optimal_in xi : In (optimal xi) policies.
Proof. apply argmax_in, policies_some. Qed.
Lemma optimal_le xi pi : In pi policies -> value xi pi <= v_star xi.
Proof. apply argmax_le. Qed.
Lemma before_deploys xi star : before xi star -> could_deploy K star xi (optimal xi).
Proof.
  intro b. rewrite before_is in b. destruct (argmax_first (value xi) (snd d0) policies policies_some) as (bf & af & e & lt). fold (optimal xi) in e, lt.
  assert (v : v_star star <= v_star xi) by (destruct b as [b | [b _]]; lra). exists bf, af. split; [exact e |]. split.
  - intros p i. split; [pose proof (optimal_le star p i); unfold Statements.v_star in *; lra | now apply optimal_le].
  - intros p i. split; [| now apply lt]. assert (ip : In p policies) by (rewrite e; apply in_or_app; now left). pose proof (optimal_le star p ip) as le.
    destruct b as [b | [_ b]]; [unfold Statements.v_star in *; lra |]. apply Rnot_le_lt. intro ge. assert (at_most : value star p = v_star star) by (unfold Statements.v_star in *; lra).
    destruct (argmax_first (value star) (snd d0) policies policies_some) as (bf' & af' & e' & lt'). fold (optimal star) in e', lt'.
    assert (n' : ~ In p bf') by (intro j; specialize (lt' p j); unfold Statements.v_star in at_most; lra).
    assert (n : ~ In (optimal xi) bf) by (intro j; specialize (lt _ j); lra).
    assert (k1 : (length bf <= place (optimal xi) policies)%nat) by (rewrite e; now apply place_ge).
    assert (k2 : (place p policies < length bf)%nat) by (rewrite e; now apply place_lt).
    assert (k3 : (length bf' <= place p policies)%nat) by (rewrite e'; now apply place_ge).
    assert (k4 : (place (optimal star) policies <= length bf')%nat).
    { rewrite e'. clear. induction bf' as [| x l ih]; cbn [app Statements.place length]; [destruct (policy_dec K (optimal star) (optimal star)); [lia | congruence] |].
      destruct (policy_dec K x (optimal star)); lia. }
    lia.
Qed.

(** ** The walk *)
Hypothesis delta_range : 0 < delta <= 1.
Variable star : Model.
Hypothesis star_in : In star models.
Notation refuted := (refuted K star delta nested).
Notation pass := (pass K d0 listed (fun _ => passes)).
Lemma nested_is : nested = walker K d0 listed (fun _ => passes). Proof. reflexivity. Qed.
Lemma passes_same (t : nat) f g xi : (forall eta, f eta = g eta) -> passes f xi = passes g xi.
Proof. clear. intro e. unfold Statements.passes. induction models as [| x l ih]; [reflexivity |]. cbn [forallb]. rewrite ih, (e x), (e xi). reflexivity. Qed.
Lemma pass_star h : refuted h = false -> pass h star = true.
Proof.
  intro r. apply forallb_forall. intros eta i. apply Rleb_spec. apply Rnot_lt_le. intro l. apply Rltb_spec in l.
  enough (refuted h = true) by congruence. apply existsb_exists. eauto.
Qed.
Lemma threshold_ge_1 : 1 <= threshold K delta. Proof. exact (c_ge_1 K delta delta_range). Qed.
Lemma pass_first xi : pass [] xi = true.
Proof. apply forallb_forall. intros eta _. apply Rleb_spec. unfold likelihood. simpl. pose proof threshold_ge_1. lra. Qed.
Notation walks := (walks K d0 listed (fun _ => passes) passes_same star refuted (proj2 (listed_in star) star_in) pass_star pass_first).
Theorem nested_walks : list_schedule K star delta nested.
Proof.
  split.
  - intro h. apply optimal_in.
  - intro h. apply listed_in. exact (front_in K d0 listed (fun _ => passes) passes_same h (proj2 (listed_in _) (proj1 d0_in))).
  - intros h r eta i. destruct (walks h r) as (_ & _ & p). unfold NestedRule.pass, Statements.passes in p. rewrite forallb_forall in p. now apply Rleb_spec, p.
  - intros h r. destruct (walks h r) as (i & s & _). apply before_deploys. exact (head_first _ (fst d0) star (s _ listed_sorted) i).
Qed.
(** it warms up at most once a run of one policy in the list down to star *)
Theorem starts_le h : ever refuted h = false -> (starts K (another K nested) h <= runs K d0 star)%nat.
Proof. exact (starts_at_most K d0 listed (fun _ => passes) passes_same star refuted (proj2 (listed_in star) star_in) pass_star pass_first h). Qed.
End Rule.

(** ** Theorem N for the rule itself: h models are harmful where star is true, and [told] has h and the policies that they may deploy, each with what an
    episode tells against it at least; [later] is what an episode of warm-up loses at most *)
Section Bound.
Variables (K : class) (delta : R) (m : nat) (d0 : Model K * Policy K) (later : R) (star : Model K) (best : Policy K) (told : nat * list (Policy K * R)).
Definition nested_bound t : R := fill (gap K star best) (snd told) (whole_episodes (evidence_of K delta (fst told))) (INR t) + INR (m - 1) * later * INR (runs K d0 star).
(** its quotient by t falls *)
Theorem nested_bound_falls T t : 0 < delta <= 1 -> 0 <= later -> (forall e, In e (snd told) -> 0 < snd e) -> (1 <= T <= t)%nat -> nested_bound t * INR T <= nested_bound T * INR t.
Proof.
  intros hd hl pos [h1 h2]. apply le_INR in h1, h2. simpl in h1. set (x := INR T) in *. set (y := INR t) in *. assert (yx : 1 <= y / x) by (apply (Rmult_le_reg_r x); [lra |]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
  apply Rle_trans with (y / x * nested_bound T * x); [| apply Req_le; field; lra]. apply Rmult_le_compat_r; [lra |]. unfold nested_bound. rewrite Rmult_plus_distr_l. apply Rplus_le_compat.
  - fold x y. unfold fill. assert (key : forall l, fill_at (gap K star best) (snd told) (whole_episodes (evidence_of K delta (fst told))) y l
      <= y / x * fill_at (gap K star best) (snd told) (whole_episodes (evidence_of K delta (fst told))) x l).
    { intro l. unfold fill_at. rewrite Rmult_plus_distr_l. apply Rplus_le_compat; [apply Req_le; field; lra |]. set (s := sum _ _).
      assert (s0 : 0 <= s).
      { apply sum_nonneg. intros e i. apply Rmult_le_pos; [apply Rmax_l |]. pose proof (whole_pos K delta hd (repeat star (fst told)) (snd e) (pos e i)) as k. rewrite repeat_length in k. lra. }
      pose proof (Rmult_le_compat_r s _ _ s0 yx). lra. }
    apply fold_Rmin_scaled; [lra | apply key | intros l _; apply key].
  - assert (w : 0 <= INR (m - 1) * later * INR (runs K d0 star)) by (apply Rmult_le_pos; [apply Rmult_le_pos; auto using pos_INR | apply pos_INR]). pose proof (Rmult_le_compat_r _ _ _ w yx). lra.
Qed.
Corollary nested_bound_stays T t D : 0 < delta <= 1 -> 0 <= later -> (forall e, In e (snd told) -> 0 < snd e) -> (1 <= T <= t)%nat -> nested_bound T < D * INR T -> nested_bound t < D * INR t.
Proof.
  intros hd hl pos h b. pose proof (nested_bound_falls T t hd hl pos h) as f. destruct h as [h1 h2]. apply le_INR in h1, h2. simpl in h1. apply (Rmult_lt_reg_r (INR T)); [lra |].
  apply Rle_lt_trans with (1 := f). replace (D * INR t * INR T) with (D * INR T * INR t) by ring. apply Rmult_lt_compat_r; lra.
Qed.
End Bound.
Section Theorem_N.
Variable K : class.
Hypothesis prob_nonneg : forall xi pi tau, In xi (the_models K) -> In pi (the_policies K) -> In tau (the_trajs K) -> 0 <= prob K xi pi tau.
Hypothesis prob_one : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> sum (the_trajs K) (prob K xi pi) = 1.
Variables (delta : R) (m : nat) (d0 : Model K * Policy K) (later : R) (star : Model K) (best : Policy K) (harmful : list (Model K)) (costly : list (Policy K * R)).
Hypothesis delta_range : 0 < delta <= 1.
Hypothesis d0_in : In (fst d0) (the_models K) /\ In (snd d0) (the_policies K).
Hypothesis later_nonneg : 0 <= later.
Hypothesis star_in : In star (the_models K).
Hypothesis best_in : In best (the_policies K).
Hypothesis best_is : forall pi, In pi (the_policies K) -> value K star pi <= value K star best.
Hypothesis harmful_in : forall xi, In xi harmful -> In xi (the_models K).
Hypothesis told_apart : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> could_deploy K star xi pi -> 0 < gap K star best pi ->
  In xi harmful /\ exists z, In (pi, z) costly /\ exp z * affinity (the_trajs K) (prob K xi pi) (prob K star pi) <= 1.
Hypothesis costly_in : forall e, In e costly -> In (fst e) (the_policies K) /\ 0 < snd e.
Notation learner := (nested K delta d0).
Notation bound := (nested_bound K delta m d0 later star best (length harmful, costly)).
(** with probability at least 1 - 2 delta, at all times up to T together: regret with warm-up is at most the bound *)
Theorem regret_of_nested T : Pr (the_trajs K) (law_of K learner star) T (ever (fun h =>
  Rltb (bound (length h)) (regret K learner star best h + INR (m - 1) * later * INR (starts K (another K learner) h)))) <= 2 * delta.
Proof.
  pose proof (nested_walks K delta d0 d0_in delta_range star star_in) as w.
  eapply Rle_trans; [| apply (theorem_N K prob_nonneg prob_one star star_in best best_is delta delta_range learner w harmful costly harmful_in) with (T := T)]; auto.
  - apply Pr_le; [intros h tau _ i; apply prob_nonneg; auto; apply w |]. intros h _ _ _. apply ever_weaker. intros h' x. apply Rltb_spec in x.
    unfold violated. destruct (ever (refuted K star delta learner) h') eqn:r; [reflexivity |]. apply Rltb_spec. unfold nested_bound in x. cbn [fst snd] in x. unfold filled.
    pose proof (le_INR _ _ (starts_le K delta d0 delta_range star star_in h' r)) as s. assert (z : 0 <= INR (m - 1) * later) by (apply Rmult_le_pos; auto using pos_INR).
    pose proof (Rmult_le_compat_l _ _ _ z s). lra.
  - intros xi pi i j c g. now apply (told_apart xi pi).
  - intros xi pi i j c g. now apply (told_apart xi pi).
Qed.
(** in expectation, where no policy costs more than D *)
Theorem expected_regret D T : 0 <= D -> (forall pi, In pi (the_policies K) -> gap K star best pi <= D) ->
  Expect (the_trajs K) (law_of K learner star) T (regret K learner star best) <= filled K star best delta harmful costly T + 2 * delta * (D * INR T).
Proof.
  intros D0 dear. pose proof (nested_walks K delta d0 d0_in delta_range star star_in) as w.
  apply mean_le; [intros h tau _ i; apply prob_nonneg; auto; apply w | intros h _; apply prob_one; auto; apply w | | apply Rmult_le_pos; auto using pos_INR | |].
  - unfold filled, fill. assert (at_l : forall l, 0 <= l -> 0 <= fill_at (gap K star best) costly (whole_episodes (evidence_of K delta (length harmful))) (INR T) l).
    { intros l l0. apply Rplus_le_le_0_compat; [apply Rmult_le_pos; auto using pos_INR |]. apply sum_nonneg. intros x i. destruct (costly_in x i) as [_ c0]. apply Rmult_le_pos; [apply Rmax_l |].
      pose proof (whole_pos K delta delta_range harmful (snd x) c0). lra. }
    apply fold_Rmin_glb; [apply at_l; lra |]. intros l i. apply in_map_iff in i. destruct i as (x & <- & i). apply at_l. destruct (costly_in x i) as [j _]. unfold gap. pose proof (best_is _ j). lra.
  - intros h _ e. rewrite <- e. clear e. induction h as [| x h ih]; [simpl; lra |]. cbn [regret length]. rewrite S_INR. pose proof (dear _ (deploys_policy _ _ _ _ w h)). lra.
  - eapply Rle_trans; [| apply (theorem_N K prob_nonneg prob_one star star_in best best_is delta delta_range learner w harmful costly harmful_in) with (T := T)]; auto;
      [| intros xi pi i j c g; now apply (told_apart xi pi) | intros xi pi i j c g; now apply (told_apart xi pi)].
    apply Pr_le; [intros h tau _ i; apply prob_nonneg; auto; apply w |]. intros h _ e _ x. apply ever_here. unfold violated. rewrite e, x. apply orb_true_r.
Qed.
End Theorem_N.
