(** Classes with interval axes: every row is a distribution at every rational point, hence Theorem 2.5 there; Assumptions 3.1(a) and 3.1(f);
    and what fails at some points of a class fails of the class. *)
From Pomgcheck Require Import OrderedField Statements RuleSign SymbolicValues WeakRevealing Covering WarmupStationary CausalDecomposition.
Open Scope nat_scope.

(** ** A cell as a box, its parameters as polynomials; a parameter of one value is a constant *)
Definition pinned (e : Q * Q) : bool := Qle_bool (snd e) (fst e).
Definition box_of (l : list (string * (Q * Q))) : box :=
  map (fun a => if pinned (snd a) then (fst (snd a), fst (snd a) + 1)%Q else snd a) l.
Fixpoint environment_of n (k : nat) (l : list (string * (Q * Q))) : list (string * poly n) :=
  match l with
  | [] => []
  | (y, e) :: l => (y, if pinned e then const n (fst e) else var n k) :: environment_of n (S k) l
  end.
Definition coordinates_of (p : point) (k : nat) : Q := nth k (map snd p) 0%Q.
Notation on_axes := (Forall2 (fun x a => fst x = fst a /\ fst (snd a) <= snd x <= snd (snd a))%Q).
Lemma pinned_value e q : pinned e = true -> (fst e <= q <= snd e)%Q -> (q == fst e)%Q.
Proof. unfold pinned. rewrite Qle_bool_iff. intros h [a b]. apply Qle_antisym; [now apply Qle_trans with (snd e) | exact a]. Qed.
Lemma on_axes_within p l : on_axes p l -> within_box (box_of l) (coordinates_of p).
Proof.
  unfold within_box. assert (g : forall x, on_axes p l -> (forall k, k < List.length p -> x k = Qcanon.Q2Qc (coordinates_of p k)) -> inside Instances.rationals (box_of l) x).
  { intros x h. revert x. induction h as [| y a p l [_ [h1 h2]] h ih]; intros x e; [exact I |]. cbn [box_of map inside].
    pose proof (e 0 (Nat.lt_0_succ _)) as e0. change (coordinates_of (y :: p) 0) with (snd y) in e0.
    assert (rest : inside Instances.rationals (box_of l) (shift Instances.rationals x)) by (apply ih; intros k hk; apply (e (S k)); cbn [List.length]; lia).
    unfold pinned. destruct (Qle_bool (snd (snd a)) (fst (snd a))) eqn:z; [| destruct (snd a) as (lo, hi)]; cbn [fst snd] in *; rewrite e0; split.
    1,3 : now apply (inj_le Instances.rationals).
    1,2 : split; [apply (inj_le Instances.rationals) | exact rest].
    - apply (pinned_value (snd a) (snd y)) in z; [| now split]. rewrite z. rewrite <- (Qplus_0_r (fst (snd a))) at 1. apply Qplus_le_compat; [apply Qle_refl | discriminate].
    - exact h2. }
  intro h. now apply g.
Qed.
Lemma looked_cons n y z (p : poly n) env : looked n y ((z, p) :: env) = if String.eqb y z then p else looked n y env. Proof. reflexivity. Qed.
Lemma environment_value n x : forall p l k, on_axes p l -> k + List.length l <= n -> (forall j, j < List.length p -> (x (k + j)%nat == coordinates_of p j)%Q) ->
  forall y, (qval n x (looked n y (environment_of n k l)) == look y p)%Q.
Proof.
  intros p l k h. revert k. induction h as [| z a p l [e h] ih0 ih]; intros k hn hx y; [apply qval_const |].
  destruct a as (name, e'). destruct z as (name', q). cbn [fst snd List.length] in *. subst name'.
  cbn [environment_of look]. rewrite looked_cons. destruct (String.eqb y name) eqn:s.
  - pose proof (hx 0 (Nat.lt_0_succ _)) as v. rewrite Nat.add_0_r in v. change (coordinates_of ((name, q) :: p) 0) with q in v.
    destruct (pinned e') eqn:z; [rewrite qval_const; symmetry; now apply pinned_value |]. rewrite qval_var by lia. exact v.
  - apply ih; [lia |]. intros j hj. rewrite <- (hx (S j)) by lia. now rewrite Nat.add_succ_r.
Qed.
Lemma length_box l : List.length (box_of l) = List.length l. Proof. apply map_length. Qed.
(** one side alone *)
Definition alone (c : cell) := environment_of (List.length (axes c)) 0 (axes c).
Lemma alone_value c p : in_cell c p -> forall y, (qval (List.length (axes c)) (coordinates_of p) (looked _ y (alone c)) == look y p)%Q.
Proof. intros [h _]. apply (environment_value _ _ p); [exact h | lia |]. intros. reflexivity. Qed.

Definition condition_of {n} (r : region n) env (e : expr) : list (poly n) := match symbolic n r env e with Some q => [fst q] | None => [] end.
Definition region_of (c : cell) : region (List.length (axes c)) :=
  let r := Region (box_of (axes c)) [] in Region (sides r) (flat_map (condition_of r (alone c)) (constraints c)).
Lemma condition_holds {n} (r : region n) env e p x : within r x -> (forall y, (qval n x (looked n y env) == look y p)%Q) -> (0 <= eval p e)%Q ->
  forall g, In g (condition_of r env e) -> (0 <= qval n x g)%Q.
Proof.
  intros w he pos g i. unfold condition_of in i. destruct (symbolic n r env e) as [q |] eqn:s; [| destruct i]. destruct i as [<- | []].
  destruct (symbolic_means n r x w env p he e q s) as [d v]. rewrite v. apply Qmult_le_0_compat; [exact pos | now apply Qlt_le_weak].
Qed.
Lemma cell_within c p : in_cell c p -> within (region_of c) (coordinates_of p).
Proof.
  intros i. pose proof (on_axes_within p (axes c) (proj1 i)) as b. split; [exact b |]. intros g j. apply in_flat_map in j. destruct j as (e & ie & j).
  refine (condition_holds _ _ e p _ _ (alone_value c p i) (proj2 i e ie) g j). split; [exact b | intros ? []].
Qed.

(** ** Entries of the tables as expressions *)
Definition entry_A d h s o := nth o (nth s (at_step [] (learner_emission d) h) []) (Num 0).
Definition entry_B d h s o := nth o (nth s (at_step [] (adversary_emission d) h) []) (Num 0).
Definition entry_T d h s a b s' := nth s' (nth b (nth a (nth s (at_step [] (transition d) h) []) []) []) (Num 0).
Definition entry_of n (t : steps table2) h seen x := nth x (nth (index n seen) (at_step [] t h) []) (Num 0).
Definition entry_g d p := entry_of (nOB d) (snd (nth p (responses d) empty_table)).
Lemma at_step_map {A B} (f : A -> B) a t h : at_step (f a) (map_steps f t) h = f (at_step a t h).
Proof. destruct t as [t | l]; [reflexivity | apply map_nth]. Qed.
Lemma entry_A_is d theta h s o : EA (world_of d theta) h s o = eval theta (entry_A d h s o).
Proof.
  unfold world_of, entry_A. cbn [EA]. pose proof (at_step_map (map (map (eval theta))) [] (learner_emission d) h) as e. cbn [map] in e. rewrite e.
  change (@nil Q) with (map (eval theta) []). rewrite map_nth. change 0%Q with (eval theta (Num 0)). now rewrite map_nth.
Qed.
Lemma entry_B_is d theta h s o : EB (world_of d theta) h s o = eval theta (entry_B d h s o).
Proof.
  unfold world_of, entry_B. cbn [EB]. pose proof (at_step_map (map (map (eval theta))) [] (adversary_emission d) h) as e. cbn [map] in e. rewrite e.
  change (@nil Q) with (map (eval theta) []). rewrite map_nth. change 0%Q with (eval theta (Num 0)). now rewrite map_nth.
Qed.
Lemma entry_T_is d theta h s a b s' : T (world_of d theta) h s a b s' = eval theta (entry_T d h s a b s').
Proof.
  unfold world_of, entry_T. cbn [T]. pose proof (at_step_map (map (map (map (map (eval theta))))) [] (transition d) h) as e. cbn [map] in e. rewrite e.
  change (@nil (list (list Q))) with (map (map (map (eval theta))) []). rewrite map_nth.
  change (@nil (list Q)) with (map (map (eval theta)) []). rewrite map_nth. change (@nil Q) with (map (eval theta) []). rewrite map_nth.
  change 0%Q with (eval theta (Num 0)). now rewrite map_nth.
Qed.
Lemma entry_of_is n phi t h seen x : decision_of n phi t h seen x = eval phi (entry_of n t h seen x).
Proof.
  unfold decision_of, entry_of. pose proof (at_step_map (map (map (eval phi))) [] t h) as e. cbn [map] in e. rewrite e.
  change (@nil Q) with (map (eval phi) []). rewrite map_nth. change 0%Q with (eval phi (Num 0)). now rewrite map_nth.
Qed.

(** ** Every row is a distribution *)
Definition heard_A d h := tuples (nOA d) (Nat.min (policy_window d) (S h)).
Definition heard_B d h := tuples (nOB d) (Nat.min (response_window d) (S h)).
Definition row_on (c : cell) (n : nat) (e : nat -> expr) : bool :=
  row_shown (List.length (axes c)) (region_of c) (alone c) (map e (seq 0 n)).
Definition world_on d (c : cell) : bool :=
  below (horizon d) (fun h => below (nS d) (fun s => row_on c (nOA d) (entry_A d h s) && row_on c (nOB d) (entry_B d h s) &&
    below (nA d) (fun a => below (nB d) (fun b => row_on c (nS d) (entry_T d h s a b))))).
Definition answer_on d (c : cell) : bool :=
  below (List.length (policies d)) (fun p => below (horizon d) (fun h => forallb (fun seen => row_on c (nB d) (entry_g d p h seen)) (heard_B d h))).
Definition check_class_everywhere (c : continuum) : bool :=
  check_class (at_points (tables c) [] []) && forallb (world_on (tables c)) (Theta c) && forallb (answer_on (tables c)) (Psi c).

Lemma qsum_fold {A} (f : A -> Q) l : (qsum l f == fold_right Qplus 0 (map f l))%Q.
Proof. induction l as [| a l ih]; [reflexivity |]. cbn [qsum map fold_right]. now rewrite Qred_correct, ih. Qed.
Lemma row_on_sound c n e p f : in_cell c p -> (forall k, f k = eval p (e k)) -> row_on c n e = true -> is_row n f.
Proof.
  intros i hf h. destruct (row_shown_sound _ _ _ (cell_within c p i) _ p _ (alone_value c p i) h) as [pos one]. split.
  - intros k hk. rewrite hf. apply pos, in_map, in_seq. lia.
  - rewrite map_map in one. rewrite qsum_fold. rewrite <- one. erewrite map_ext; [reflexivity | exact hf].
Qed.
Theorem class_everywhere c : check_class_everywhere c = true -> everywhere c class_of_games.
Proof.
  unfold check_class_everywhere. rewrite !andb_true_iff, !forallb_forall. intros [[base hw] hg] l l' [il il'].
  apply check_class_sound in base. destruct base as (start_ok & _ & pol). set (d := tables c) in *. split; [exact start_ok |]. split.
  - intros theta it h hh s hs. destruct (il theta it) as (z & iz & i). specialize (hw z iz). unfold world_on in hw.
    pose proof (below_sound _ _ _ (below_sound _ _ _ hw hh) hs) as r. cbv beta in r. rewrite !andb_true_iff in r. destruct r as [[r1 r2] r3]. split; [| split].
    + apply (row_on_sound z _ _ theta _ i (fun o => entry_A_is d theta h s o) r1).
    + apply (row_on_sound z _ _ theta _ i (fun o => entry_B_is d theta h s o) r2).
    + intros a ha b hb. apply (row_on_sound z _ _ theta _ i (fun s' => entry_T_is d theta h s a b s') (below_sound _ _ _ (below_sound _ _ _ r3 ha) hb)).
  - intros p hp h hh. split; [exact (proj1 (pol p hp h hh)) |]. intros phi ip seen is. destruct (il' phi ip) as (z & iz & i). specialize (hg z iz).
    pose proof (below_sound _ _ _ (below_sound _ _ _ hg hp) hh) as r. cbv beta in r. rewrite forallb_forall in r.
    exact (row_on_sound z _ _ phi _ i (fun b => entry_of_is (nOB d) phi _ h seen b) (r seen is)).
Qed.

(** ** Theorem 2.5 at every point *)
Theorem factorization_everywhere F c : everywhere c (factorization F).
Proof. intros l l' _. apply factorization_holds. Qed.
Theorem oom_everywhere c : everywhere c oom_identity.
Proof. intros l l' _. apply oom_identity_holds. Qed.
Theorem nonexpansive_everywhere F c : everywhere c class_of_games -> 1 <= response_window (tables c) -> everywhere c (nonexpansive F).
Proof. intros h w l l' i. apply nonexpansive_holds; [now apply h | exact w]. Qed.

(** ** Points of a class *)
Definition in_cell_b (c : cell) (p : point) : bool :=
  (List.length p =? List.length (axes c)) &&
  forallb (fun e => String.eqb (fst (fst e)) (fst (snd e)) && Qle_bool (fst (snd (snd e))) (snd (fst e)) && Qle_bool (snd (fst e)) (snd (snd (snd e)))) (combine p (axes c)) &&
  forallb (fun e => Qle_bool 0 (eval p e)) (constraints c).
Definition in_cells_b (l : list cell) (p : point) : bool := existsb (fun c => in_cell_b c p) l.
Definition check_points (c : continuum) l l' : bool := forallb (in_cells_b (Theta c)) l && forallb (in_cells_b (Psi c)) l'.
Lemma on_axes_iff : forall (p : point) l, List.length p = List.length l ->
  (forallb (fun e => String.eqb (fst (fst e)) (fst (snd e)) && Qle_bool (fst (snd (snd e))) (snd (fst e)) && Qle_bool (snd (fst e)) (snd (snd (snd e)))) (combine p l) = true
   <-> on_axes p l).
Proof.
  induction p as [| x p ih]; intros [| a l] e; try discriminate; cbn [combine forallb]; [split; constructor |]. injection e as e. rewrite !andb_true_iff, (ih l e), String.eqb_eq, !Qle_bool_iff.
  cbn [fst snd]. split; [intros [[[h1 h2] h3] h]; constructor; tauto | intro h; inversion h; tauto].
Qed.
Lemma in_cell_iff c p : in_cell_b c p = true <-> in_cell c p.
Proof.
  unfold in_cell_b, in_cell. rewrite !andb_true_iff, Nat.eqb_eq. split.
  - intros [[e h] k]. split; [now apply on_axes_iff |]. rewrite forallb_forall in k. intros x i. now apply Qle_bool_iff, k.
  - intros [h k]. assert (e : List.length p = List.length (axes c)) by (clear k; induction h as [| y a q l _ _ ih]; [reflexivity | exact (f_equal S ih)]). rewrite on_axes_iff by exact e.
    repeat split; [exact e | exact h |]. apply forallb_forall. intros x i. now apply Qle_bool_iff, k.
Qed.
Lemma in_cells_iff l p : in_cells_b l p = true <-> in_cells l p.
Proof. unfold in_cells_b, in_cells. rewrite existsb_exists. split; intros (c & i & h); exists c; (split; [exact i | now apply in_cell_iff]). Qed.
Lemma check_points_sound c l l' : check_points c l l' = true -> points_of c l l'.
Proof. unfold check_points, points_of. rewrite andb_true_iff, !forallb_forall. intros [h h']. split; intros p i; apply in_cells_iff; auto. Qed.
(** what some points refute, or show to exist *)
Theorem not_everywhere c (X : doc -> Prop) l l' : check_points c l l' = true -> ~ X (at_points (tables c) l l') -> ~ everywhere c X.
Proof. intros i n h. apply n, h. now apply check_points_sound. Qed.
Theorem somewhere_at c (X : doc -> Prop) l l' : check_points c l l' = true -> X (at_points (tables c) l l') -> somewhere c X.
Proof. intros i h. exists l, l'. split; [now apply check_points_sound | exact h]. Qed.

(** ** Assumption 3.1(a): the truth lies in a cell of either side *)
Definition well_specified_in (c : continuum) (truth : point * point) : Prop := in_cells (Theta c) (fst truth) /\ in_cells (Psi c) (snd truth).
Theorem truth_inside c truth : check_points c [fst truth] [snd truth] = true -> well_specified_in c truth.
Proof. intro h. apply check_points_sound in h. destruct h as [h h']. split; [apply h | apply h']; now left. Qed.
Theorem truth_outside c truth : check_points c [fst truth] [snd truth] = false -> ~ well_specified_in c truth.
Proof.
  intros h [i i']. apply in_cells_iff in i, i'. unfold check_points in h. cbn [forallb] in h. now rewrite i, i' in h.
Qed.

(** ** Assumption 3.1(f): by the rule, or as every entry of the table of a constant block is that of its policy's response *)
Theorem mean_everywhere c m : 1 <= m -> everywhere c (fun d => warmup_stationary d Mean m).
Proof. intros h l l' _. now apply mean_stationary. Qed.
Theorem latest_everywhere c m : 1 <= m -> everywhere c (fun d => warmup_stationary d Latest m).
Proof. intros h l l' _. now apply latest_stationary. Qed.
Definition same_entry (c : cell) (e f : expr) : bool :=
  match symbolic _ (region_of c) (alone c) e, symbolic _ (region_of c) (alone c) f with
  | Some e, Some f => equal_quotients _ e f | _, _ => false
  end.
Definition check_table (c : continuum) (l : list (list nat * steps table2)) m : bool := let d := tables c in
  (1 <=? m) && forallb (fun z => below (List.length (policies d)) (fun p =>
    match find (fun e => same (fst e) (repeat p m)) l with
    | None => false
    | Some e => below (horizon d) (fun h => forallb (fun seen => below (nB d) (fun b =>
        same_entry z (entry_of (nOB d) (snd e) h seen b) (entry_g d p h seen b))) (heard_B d h))
    end)) (Psi c).
Theorem table_everywhere c l m : check_table c l m = true -> everywhere c (fun d => warmup_stationary d (Table l) m).
Proof.
  unfold check_table. rewrite andb_true_iff, forallb_forall. intros [hm h] t t' [_ it]. split; [now apply Nat.leb_le |].
  intros phi ip p hp k hk seen is b hb. destruct (it phi ip) as (z & iz & i). specialize (h z iz). apply (below_sound _ _ _ h) in hp. clear h. cbv beta in hp.
  unfold reaction. destruct (find _ l) as [e |]; [| discriminate]. pose proof (below_sound _ _ _ hp hk) as r. cbv beta in r. rewrite forallb_forall in r.
  pose proof (below_sound _ _ _ (r seen is) hb) as q. cbv beta in q. unfold response_of, same_entry in *.
  change (nOB (at_points (tables c) t t')) with (nOB (tables c)). change (responses (at_points (tables c) t t')) with (responses (tables c)). rewrite !entry_of_is.
  fold (entry_g (tables c) p k seen b). destruct (symbolic _ _ _ (entry_of _ _ _ _ _)) as [f |] eqn:e1; [| discriminate].
  destruct (symbolic _ _ _ (entry_g _ _ _ _ _)) as [f' |] eqn:e2; [| discriminate].
  pose proof (cell_within z phi i) as w.
  exact (equal_sound _ _ _ _ _ _ (symbolic_means _ _ _ w _ phi (alone_value z phi i) _ _ e1) (symbolic_means _ _ _ w _ phi (alone_value z phi i) _ _ e2) q).
Qed.
