(** Assumptions 3.1(c) and 3.1(d) on whole boxes: laws of play as polynomials in the parameters of both sides.

    A vector has a polynomial for every state and memory; it is pushed along observations and actions, as numbers are in ForwardLaws.v. *)
From Pomgcheck Require Import OrderedField Statements RuleSign SymbolicValues Covering TrajectoryLaws SparseLaws ForwardLaws ForwardErrors IntervalClass.
Open Scope nat_scope.

(** ** Expressions that are polynomials *)
Section Tables.
Variables (n : nat) (r : region n).
Notation environment := (list (string * poly n)).
Definition polynomial_of (env : environment) (e : expr) : option (poly n) :=
  match symbolic n r env e with Some (p, q) => if same_poly n q (const n 1) then Some p else None | None => None end.
Definition entry_poly (env : environment) (e : expr) : poly n := match polynomial_of env e with Some p => p | None => zero n end.
Definition is_poly (env : environment) (e : expr) : bool := match polynomial_of env e with Some _ => true | None => false end.
Definition in_steps {A} (t : A -> bool) (s : steps A) : bool := match s with Always a => t a | Each l => forallb t l end.
Definition table_polys env (t : steps table2) : bool := in_steps (forallb (forallb (is_poly env))) t.

Variable x : nat -> Q.
Hypothesis inside : within r x.
Notation val := (qval n x).
Variables (env : environment) (p : point).
Hypothesis at_p : forall y, (val (looked n y env) == look y p)%Q.
Lemma entry_poly_is e : is_poly env e = true -> (val (entry_poly env e) == eval p e)%Q.
Proof.
  unfold is_poly, entry_poly, polynomial_of. destruct (symbolic n r env e) as [[u v] |] eqn:s; [| discriminate]. destruct (same_poly n v _) eqn:o; [| discriminate].
  intros _. destruct (symbolic_means n r x inside env p at_p e _ s) as [_ m]. cbn [fst snd] in m. apply (same_poly_sound n x) in o.
  rewrite qval_const in o. rewrite m, o. ring.
Qed.
Lemma nth_true {A} (t : A -> bool) l k a : forallb t l = true -> t a = true -> t (nth k l a) = true.
Proof. rewrite forallb_forall. intros h ha. destruct (nth_in_or_default k l a) as [i | ->]; auto. Qed.
Lemma step_true {A} (t : A -> bool) s h a : in_steps t s = true -> t a = true -> t (at_step a s h) = true.
Proof. destruct s as [b | l]; intros hb ha; [exact hb | now apply nth_true]. Qed.
Lemma zero_poly : is_poly env (Num 0) = true.
Proof. unfold is_poly, polynomial_of. cbn [symbolic whole]. unfold same_poly. destruct (vanishes n _) eqn:v; [reflexivity |]. exfalso. revert v. clear. induction n as [| m ih]; [discriminate |]. cbn. intro v. rewrite andb_true_r in v. exact (ih v). Qed.
End Tables.

(** ** Vectors of polynomials *)
Section Vectors.
Variables (n : nat) (d : doc).
Notation pvector := (list ((nat * list nat) * poly n)).
Record ptables := PTables { PA : nat -> nat -> nat -> poly n; PB : nat -> nat -> nat -> poly n; PT : nat -> nat -> nat -> nat -> nat -> poly n; PG : nat -> list nat -> nat -> poly n }.
Variable t : ptables.
Definition unless_zero {A} (p : poly n) (l : list A) : list A := if vanishes n p then [] else l.
Definition spread h o a (v : pvector) : pvector := flat_map (fun e => let '((s, u), m) := e in let m := trim n (pmul n m (PA t h s o)) in unless_zero m
  (flat_map (fun oB => let m := trim n (pmul n m (PB t h s oB)) in unless_zero m
    (flat_map (fun b => let m := trim n (pmul n m (PG t h (u ++ [oB]) b)) in unless_zero m
      (map (fun s' => ((s', next_B d u oB), trim n (pmul n m (PT t h s a b s')))) (seq 0 (nS d)))) (seq 0 (nB d)))) (seq 0 (nOB d)))) v.
Fixpoint insert (c : nat * list nat) (m : poly n) (v : pvector) : pvector :=
  match v with
  | [] => [(c, m)]
  | (c', m') :: v => if same_place c c' then (c', trim n (padd n m m')) :: v else (c', m') :: insert c m v
  end.
Definition collect (v : pvector) : pvector := fold_right (fun e v => if vanishes n (snd e) then v else insert (fst e) (snd e) v) [] v.
Definition total (v : pvector) : poly n := fold_right (fun e p => trim n (padd n (snd e) p)) (zero n) v.
(** the law of a trajectory without the policy's chances *)
Fixpoint leaf h (v : pvector) (tau : trajectory) : poly n :=
  match tau with [] => total v | (o, a) :: tau => leaf (S h) (collect (spread h o a v)) tau end.
(** the trajectories that a policy can play, with their laws *)
Variable pi : decision.
Fixpoint played k h uA : list trajectory :=
  match k with
  | O => [[]]
  | S k => flat_map (fun x => if Qeq_bool (pi h (uA ++ [fst x]) (snd x)) 0 then [] else map (cons x) (played k (S h) (next_A d uA (fst x)))) (pairs d)
  end.
Fixpoint leaves k h uA (v : pvector) : list (poly n) :=
  match k with
  | O => [total v]
  | S k => flat_map (fun x => if Qeq_bool (pi h (uA ++ [fst x]) (snd x)) 0 then [] else leaves k (S h) (next_A d uA (fst x)) (collect (spread h (fst x) (snd x) v))) (pairs d)
  end.
Fixpoint chances k h uA : bool :=
  match k with
  | O => true
  | S k => forallb (fun x => let c := pi h (uA ++ [fst x]) (snd x) in Qle_bool 0 c && (Qeq_bool c 0 || chances k (S h) (next_A d uA (fst x)))) (pairs d)
  end.
Fixpoint chance h uA (tau : trajectory) : Q :=
  match tau with [] => 1 | (o, a) :: tau => pi h (uA ++ [o]) a * chance (S h) (next_A d uA o) tau end%Q.
Lemma leaves_are k : forall h uA v, leaves k h uA v = map (leaf h v) (played k h uA).
Proof.
  induction k as [| k ih]; intros h uA v; [reflexivity |]. cbn [leaves played]. induction (pairs d) as [| (o, a) l ihl]; [reflexivity |].
  cbn [flat_map]. rewrite map_app. apply f_equal2; [| exact ihl]. cbn [fst snd]. destruct (Qeq_bool _ 0); [reflexivity |]. rewrite ih, map_map. reflexivity.
Qed.
Lemma played_or_not k : forall h uA tau, In tau (trajectories_of d k) -> (chance h uA tau == 0)%Q \/ In tau (played k h uA).
Proof.
  induction k as [| k ih]; intros h uA tau i; [now right |]. cbn [trajectories_of] in i. apply in_flat_map in i. destruct i as ((o, a) & ix & i).
  apply in_map_iff in i. destruct i as (tau' & <- & i). cbn [chance played]. destruct (Qeq_bool (pi h (uA ++ [o]) a) 0) eqn:z.
  - left. apply Qeq_bool_iff in z. rewrite z. ring.
  - destruct (ih (S h) (next_A d uA o) tau' i) as [e | j]; [left; rewrite e; ring | right]. apply in_flat_map. exists (o, a). split; [exact ix |]. cbn [fst snd]. rewrite z. now apply in_map.
Qed.
Lemma chance_nonneg k : forall h uA tau, chances k h uA = true -> In tau (trajectories_of d k) -> (0 <= chance h uA tau)%Q.
Proof.
  induction k as [| k ih]; intros h uA tau hc i; cbn [trajectories_of] in i.
  - destruct i as [<- | []]. discriminate.
  - apply in_flat_map in i. destruct i as ((o, a) & ix & i). apply in_map_iff in i. destruct i as (tau' & <- & i). cbn [chances] in hc.
    rewrite forallb_forall in hc. specialize (hc _ ix). cbn [fst snd] in hc. rewrite andb_true_iff, orb_true_iff, Qle_bool_iff in hc. destruct hc as [p0 [z | hc]]; cbn [chance].
    + apply Qeq_bool_iff in z. rewrite z, Qmult_0_l. apply Qle_refl.
    + apply Qmult_le_0_compat; [exact p0 | now apply ih].
Qed.

(** ** What they are at a point *)
Variable x : nat -> Q.
Notation val := (qval n x).
Variables (w : world) (g : decision).
Hypothesis hA : forall h s o, (val (PA t h s o) == EA w h s o)%Q.
Hypothesis hB : forall h s o, (val (PB t h s o) == EB w h s o)%Q.
Hypothesis hT : forall h s a b s', (val (PT t h s a b s') == T w h s a b s')%Q.
Hypothesis hG : forall h u b, (val (PG t h u b) == g h u b)%Q.
Definition sum_at (v : pvector) (k : nat -> list nat -> Q) : Q := qsum v (fun e => val (snd e) * k (fst (fst e)) (snd (fst e)))%Q.
Lemma unless_zero_sum m (l : pvector) k q : (sum_at l k == val m * q)%Q -> (sum_at (unless_zero m l) k == val m * q)%Q.
Proof. intro e. unfold unless_zero. destruct (vanishes n m) eqn:z; [| exact e]. rewrite (qval_vanishes n x m z). cbn. ring. Qed.
Lemma sum_flat_map {A} (f : A -> pvector) l k : (sum_at (flat_map f l) k == qsum l (fun a => sum_at (f a) k))%Q.
Proof. apply qsum_flat_map. Qed.
Lemma spread_sum h o a v k : (sum_at (spread h o a v) k == qsum v (fun e => val (snd e) * (EA w h (fst (fst e)) o * step d w g h (fst (fst e)) a (snd (fst e)) k)))%Q.
Proof.
  unfold spread. rewrite sum_flat_map. apply qsum_eq. intros [[s u] m]. cbn [fst snd].
  transitivity (val (trim n (pmul n m (PA t h s o))) * step d w g h s a u k)%Q; [| rewrite qval_trim, qval_mul, hA; ring].
  set (m1 := trim n (pmul n m (PA t h s o))). apply unless_zero_sum. rewrite sum_flat_map. unfold step. rewrite <- qsum_scale. apply qsum_eq. intro oB.
  transitivity (val (trim n (pmul n m1 (PB t h s oB))) * qsum (seq 0 (nB d)) (fun b => g h (u ++ [oB]) b * qsum (seq 0 (nS d)) (fun s' => T w h s a b s' * k s' (next_B d u oB))))%Q;
    [| rewrite qval_trim, qval_mul, hB; ring].
  set (m2 := trim n (pmul n m1 (PB t h s oB))). apply unless_zero_sum. rewrite sum_flat_map, <- qsum_scale. apply qsum_eq. intro b.
  transitivity (val (trim n (pmul n m2 (PG t h (u ++ [oB]) b))) * qsum (seq 0 (nS d)) (fun s' => T w h s a b s' * k s' (next_B d u oB)))%Q;
    [| rewrite qval_trim, qval_mul, hG; ring].
  set (m3 := trim n (pmul n m2 (PG t h (u ++ [oB]) b))). apply unless_zero_sum. unfold sum_at. rewrite qsum_maps, <- qsum_scale. apply qsum_eq. intro s'.
  cbn [fst snd]. rewrite qval_trim, qval_mul, hT. ring.
Qed.
Lemma insert_sum c m v k : (sum_at (insert c m v) k == val m * k (fst c) (snd c) + sum_at v k)%Q.
Proof.
  unfold sum_at. induction v as [| (c', m') v ih]; cbn [insert qsum]; [rewrite !Qred_correct; reflexivity |].
  destruct (same_place c c') eqn:e; cbn [qsum fst snd]; rewrite !Qred_correct.
  - apply same_place_ok in e. subst c'. rewrite qval_trim, qval_add. ring.
  - rewrite ih. ring.
Qed.
Lemma collect_sum v k : (sum_at (collect v) k == sum_at v k)%Q.
Proof.
  induction v as [| (c, m) v ih]; [reflexivity |]. cbn [collect fold_right fst snd]. fold (collect v).
  assert (e : (sum_at ((c, m) :: v) k == val m * k (fst c) (snd c) + sum_at v k)%Q) by (unfold sum_at; cbn [qsum fst snd]; apply Qred_correct). rewrite e.
  destruct (vanishes n m) eqn:z; [rewrite (qval_vanishes n x m z), ih; ring | rewrite insert_sum, ih; reflexivity].
Qed.
Lemma total_sum v : (val (total v) == sum_at v (fun _ _ => 1))%Q.
Proof.
  unfold sum_at. induction v as [| (c, m) v ih]; cbn [total fold_right qsum fst snd]; [apply qval_zero |]. fold (total v).
  rewrite qval_trim, qval_add, ih, Qred_correct. ring.
Qed.
Lemma sum_at_eq v k k' : (forall s u, (k s u == k' s u)%Q) -> (sum_at v k == sum_at v k')%Q.
Proof. intro e. apply qsum_eq. intro y. now rewrite e. Qed.
Theorem leaf_is tau : forall h uA v, (sum_at v (fun s u => play d w g pi h s uA u tau) == chance h uA tau * val (leaf h v tau))%Q.
Proof.
  induction tau as [| (o, a) tau ih]; intros h uA v; cbn [chance leaf].
  - rewrite total_sum. cbn [play]. ring.
  - rewrite <- Qmult_assoc, <- ih, collect_sum, spread_sum. unfold sum_at at 1. rewrite <- qsum_scale. apply qsum_eq. intro e. cbn [play]. ring.
Qed.
Definition from_start : pvector := map (fun s => ((s, []), const n (start d s))) (seq 0 (nS d)).
Theorem law_is tau : (law_against d w g pi tau == chance 0 [] tau * val (leaf 0 from_start tau))%Q.
Proof.
  rewrite <- leaf_is. unfold law_against, sum_at, from_start. rewrite qsum_maps. apply qsum_eq. intro s. cbn [fst snd]. now rewrite qval_const.
Qed.
End Vectors.

(** ** A pair of cells: parameters of both sides in one box *)
Section Cells.
Variables (d : doc) (z z' : cell).
Definition both := List.length (axes z) + List.length (axes z').
Definition world_env : list (string * poly both) := environment_of both 0 (axes z).
Definition answer_env : list (string * poly both) := environment_of both (List.length (axes z)) (axes z').
Definition region_of_both : region both :=
  let b := Region (box_of (axes z ++ axes z')) [] in
  Region (sides b) (flat_map (condition_of b world_env) (constraints z) ++ flat_map (condition_of b answer_env) (constraints z')).
Definition entry_w := entry_poly both region_of_both world_env.
Definition entry_a := entry_poly both region_of_both answer_env.
Definition tables_at p : ptables both :=
  let ea := map_steps (map (map entry_w)) (learner_emission d) in let eb := map_steps (map (map entry_w)) (adversary_emission d) in
  let tr := map_steps (map (map (map (map entry_w)))) (transition d) in let g := map_steps (map (map entry_a)) (snd (nth p (responses d) empty_table)) in
  let none := entry_w (Num 0) in let none' := entry_a (Num 0) in
  PTables both (fun h s o => nth o (nth s (at_step [] ea h) []) none) (fun h s o => nth o (nth s (at_step [] eb h) []) none)
    (fun h s a b s' => nth s' (nth b (nth a (nth s (at_step [] tr h) []) []) []) none) (fun h u b => nth b (nth (index (nOB d) u) (at_step [] g h) []) none').
Definition all_polys : bool :=
  table_polys both region_of_both world_env (learner_emission d) && table_polys both region_of_both world_env (adversary_emission d) &&
  in_steps (forallb (forallb (forallb (forallb (is_poly both region_of_both world_env))))) (transition d) &&
  forallb (fun p => table_polys both region_of_both answer_env (snd p)) (responses d).
Definition leaves_at p k : list (poly both) := leaves both d (tables_at p) (policy_of d p) k 0 [] (from_start both d).

Variables (theta phi : point).
Hypothesis i : in_cell z theta.
Hypothesis i' : in_cell z' phi.
Definition here : nat -> Q := coordinates_of (theta ++ phi)%list.
Lemma length_axes (p : point) (l : list (string * (Q * Q))) : on_axes p l -> List.length p = List.length l.
Proof. induction 1 as [| y a q l _ _ ih]; [reflexivity | exact (f_equal S ih)]. Qed.
Lemma world_env_value : forall y, (qval both here (looked both y world_env) == look y theta)%Q.
Proof.
  apply (environment_value both here theta); [exact (proj1 i) | unfold both; lia |]. intros j hj. cbn [Nat.add]. unfold here, coordinates_of.
  rewrite map_app, app_nth1 by (now rewrite map_length). reflexivity.
Qed.
Lemma answer_env_value : forall y, (qval both here (looked both y answer_env) == look y phi)%Q.
Proof.
  apply (environment_value both here phi); [exact (proj1 i') | unfold both; lia |]. intros j hj. unfold here, coordinates_of.
  rewrite map_app, app_nth2; rewrite map_length, (length_axes _ _ (proj1 i)); [| lia]. now replace (List.length (axes z) + j - List.length (axes z)) with j by lia.
Qed.
Lemma both_within : within region_of_both here.
Proof.
  assert (nothing : forall g, In g [] -> (0 <= qval both here g)%Q) by intros ? [].
  assert (b : within_box (box_of (axes z ++ axes z')) here) by (apply on_axes_within, Forall2_app; [exact (proj1 i) | exact (proj1 i')]).
  split; [exact b |]. intros g j. cbn [conditions region_of_both] in j. apply in_app_iff in j. rewrite !in_flat_map in j.
  destruct j as [(e & ie & j) | (e & ie & j)].
  - exact (condition_holds (Region (box_of (axes z ++ axes z')) []) _ e theta _ (conj b nothing) world_env_value (proj2 i e ie) g j).
  - exact (condition_holds (Region (box_of (axes z ++ axes z')) []) _ e phi _ (conj b nothing) answer_env_value (proj2 i' e ie) g j).
Qed.
Lemma w_is e : is_poly both region_of_both world_env e = true -> (qval both here (entry_w e) == eval theta e)%Q.
Proof. exact (entry_poly_is both region_of_both here both_within world_env theta world_env_value e). Qed.
Lemma a_is e : is_poly both region_of_both answer_env e = true -> (qval both here (entry_a e) == eval phi e)%Q.
Proof. exact (entry_poly_is both region_of_both here both_within answer_env phi answer_env_value e). Qed.
Hypothesis polys : all_polys = true.
Theorem law_on_both p tau : (law_against d (world_of d theta) (response_of d phi p) (policy_of d p) tau
  == chance d (policy_of d p) 0 [] tau * qval both here (leaf both d (tables_at p) 0 (from_start both d) tau))%Q.
Proof.
  unfold all_polys in polys. rewrite !andb_true_iff in polys. destruct polys as [[[pa pb] pt] pg].
  apply law_is; cbn [tables_at PA PB PT PG].
  - intros h s o. rewrite entry_A_is. unfold entry_A. pose proof (at_step_map (map (map entry_w)) [] (learner_emission d) h) as e. cbn [map] in e. rewrite e.
    change (@nil (poly both)) with (map entry_w []). rewrite map_nth, map_nth. apply w_is.
    apply nth_true; [| apply zero_poly]. apply (nth_true (forallb _)); [| reflexivity]. now apply (step_true (forallb (forallb _))).
  - intros h s o. rewrite entry_B_is. unfold entry_B. pose proof (at_step_map (map (map entry_w)) [] (adversary_emission d) h) as e. cbn [map] in e. rewrite e.
    change (@nil (poly both)) with (map entry_w []). rewrite map_nth, map_nth. apply w_is.
    apply nth_true; [| apply zero_poly]. apply (nth_true (forallb _)); [| reflexivity]. now apply (step_true (forallb (forallb _))).
  - intros h s a b s'. rewrite entry_T_is. unfold entry_T. pose proof (at_step_map (map (map (map (map entry_w)))) [] (transition d) h) as e. cbn [map] in e. rewrite e.
    change (@nil (list (list (poly both)))) with (map (map (map entry_w)) []). rewrite map_nth. change (@nil (list (poly both))) with (map (map entry_w) []). rewrite map_nth.
    change (@nil (poly both)) with (map entry_w []). rewrite map_nth, map_nth. apply w_is.
    apply nth_true; [| apply zero_poly]. apply (nth_true (forallb _)); [| reflexivity]. apply (nth_true (forallb (forallb _))); [| reflexivity].
    apply (nth_true (forallb (forallb (forallb _)))); [| reflexivity]. now apply (step_true (forallb (forallb (forallb (forallb _))))).
  - intros h u b. unfold response_of. rewrite entry_of_is. unfold entry_of. set (gt := snd (nth p (responses d) empty_table)).
    pose proof (at_step_map (map (map entry_a)) [] gt h) as e. cbn [map] in e. rewrite e.
    change (@nil (poly both)) with (map entry_a []). rewrite map_nth, map_nth. apply a_is.
    apply nth_true; [| apply zero_poly]. apply (nth_true (forallb _)); [| reflexivity]. apply (step_true (forallb (forallb _))); [| reflexivity].
    exact (nth_true (fun q => table_polys both region_of_both answer_env (snd q)) _ p empty_table pg eq_refl).
Qed.
End Cells.

(** ** The two assumptions *)
Lemma trajectories_at d l l' k : trajectories_of (at_points d l l') k = trajectories_of d k.
Proof. induction k as [| k ih]; [reflexivity |]. cbn [trajectories_of]. rewrite ih. reflexivity. Qed.
Lemma play_at d l l' w g pi tau : forall h s uA uB, (play (at_points d l l') w g pi h s uA uB tau == play d w g pi h s uA uB tau)%Q.
Proof.
  induction tau as [| (o, a) tau ih]; intros h s uA uB; [reflexivity |]. cbn [play]. apply Qmult_comp; [reflexivity |]. apply Qmult_comp; [reflexivity |].
  unfold step. apply qsum_eq. intro oB. apply Qmult_comp; [reflexivity |]. apply qsum_eq. intro b. apply Qmult_comp; [reflexivity |].
  apply qsum_eq. intro s'. apply Qmult_comp; [reflexivity |]. apply ih.
Qed.
Lemma law_at d l l' xi p tau : (law_of_play (at_points d l l') xi p tau == law_of_play d xi p tau)%Q.
Proof. unfold law_of_play, law_against. apply qsum_eq. intro s. apply Qmult_comp; [reflexivity |]. apply play_at. Qed.
Section Claims.
Variable c : continuum.
Notation d := (tables c).
Definition cell_pairs : list (cell * cell) := list_prod (Theta c) (Psi c).
Definition plays_ok k : bool := forallb (fun zz => all_polys d (fst zz) (snd zz)) cell_pairs && below (List.length (policies d)) (fun p => chances d (policy_of d p) k 0 []).
Lemma models_at l l' xi : points_of c l l' -> In xi (models (at_points d l l')) ->
  exists z z', In (z, z') cell_pairs /\ in_cell z (fst xi) /\ in_cell z' (snd xi).
Proof.
  intros [h h'] i. destruct xi as (theta, phi). apply in_prod_iff in i. destruct i as [i i']. destruct (h theta i) as (z & iz & k), (h' phi i') as (z' & iz' & k').
  exists z, z'. split; [now apply in_prod | split; assumption].
Qed.
(** law of play at a point of two cells: the policy's chances, and a polynomial at a place that does not depend on the cells *)
Lemma law_value z z' xi p k tau : In (z, z') cell_pairs -> in_cell z (fst xi) -> in_cell z' (snd xi) -> plays_ok k = true ->
  exists v, (law_of_play d xi p tau == chance d (policy_of d p) 0 [] tau * v)%Q /\ forall j, nth_error (played d (policy_of d p) k 0 []) j = Some tau ->
      exists P, nth_error (leaves_at d z z' p k) j = Some P /\ v = qval (both z z') (here (fst xi) (snd xi)) P.
Proof.
  intros iz i i' ok. unfold plays_ok in ok. apply andb_true_iff in ok. destruct ok as [polys _]. rewrite forallb_forall in polys. specialize (polys _ iz).
  exists (qval (both z z') (here (fst xi) (snd xi)) (leaf (both z z') d (tables_at d z z' p) 0 (from_start (both z z') d) tau)).
  split; [exact (law_on_both d z z' (fst xi) (snd xi) i i' polys p tau) |]. intros j e. exists (leaf (both z z') d (tables_at d z z' p) 0 (from_start (both z z') d) tau).
  split; [| reflexivity]. unfold leaves_at. rewrite leaves_are. now apply map_nth_error.
Qed.
Lemma chance_at p k tau : plays_ok k = true -> p < List.length (policies d) -> In tau (trajectories_of d k) ->
  (0 <= chance d (policy_of d p) 0 [] tau)%Q /\ ((chance d (policy_of d p) 0 [] tau == 0)%Q \/ exists j, nth_error (played d (policy_of d p) k 0 []) j = Some tau).
Proof.
  intros ok hp it. unfold plays_ok in ok. apply andb_true_iff in ok. destruct ok as [_ ok]. apply (below_sound _ _ _ ok) in hp. split; [exact (chance_nonneg d _ k 0 [] tau hp it) |].
  destruct (played_or_not d (policy_of d p) k 0 [] tau it) as [e | j]; [now left | right; now apply In_nth_error].
Qed.
(** 3.1(c): for every policy and every trajectory that it plays a number m, with m <= P <= B m in all pairs of cells *)
Definition between (z z' : cell) (B m : Q) (P : poly (both z z')) : bool :=
  nonneg _ (region_of_both z z') (psub _ P (const _ m)) && nonneg _ (region_of_both z z') (psub _ (const _ (B * m)) P).
Definition check_increments_everywhere (B : Q) (least : list (list Q)) : bool := let H := horizon d in
  Qle_bool 1 B && plays_ok H && below (List.length (policies d)) (fun p => let ms := nth p least [] in
    forallb (fun zz => let laws := leaves_at d (fst zz) (snd zz) p H in (List.length laws =? List.length ms) &&
      forallb (fun e => between (fst zz) (snd zz) B (snd e) (fst e)) (combine laws ms)) cell_pairs).
Lemma nth_combine {A B} (l : list A) (m : list B) j a : List.length l = List.length m -> nth_error l j = Some a -> exists b, nth_error m j = Some b /\ In (a, b) (combine l m).
Proof.
  revert m j. induction l as [| y l ih]; intros [| b m] [| j] e h; try discriminate; cbn [nth_error combine] in *.
  - injection h as ->. exists b. split; [reflexivity | now left].
  - injection e as e. destruct (ih m j e h) as (b' & h' & i). exists b'. split; [exact h' | now right].
Qed.
Theorem increments_everywhere B least : check_increments_everywhere B least = true -> everywhere c (fun d => bounded_increments d B).
Proof.
  unfold check_increments_everywhere. cbv zeta. rewrite !andb_true_iff, Qle_bool_iff. intros [[hB ok] h] l l' il. split; [exact hB |].
  intros xi eta ix ie p hp tau it. destruct (models_at l l' xi il ix) as (z & z' & iz & i & i'), (models_at l l' eta il ie) as (y & y' & iy & j & j').
  change (policies (at_points d l l')) with (policies d) in hp. unfold trajectories in it. rewrite trajectories_at in it. change (horizon (at_points d l l')) with (horizon d) in it.
  rewrite !law_at. apply (below_sound _ _ _ h) in hp as hc. cbv beta zeta in hc. rewrite forallb_forall in hc.
  destruct (law_value z z' xi p _ tau iz i i' ok) as (v & ev & at_v), (law_value y y' eta p _ tau iy j j' ok) as (u & eu & at_u). rewrite ev, eu.
  destruct (chance_at p _ tau ok hp it) as [pos [zero | (k & ek)]]; [rewrite zero, !Qmult_0_l, Qmult_0_r; apply Qle_refl |].
  destruct (at_v k ek) as (P & eP & ->), (at_u k ek) as (R & eR & ->).
  pose proof (hc _ iz) as h1. pose proof (hc _ iy) as h2. cbn [fst snd] in h1, h2. cbv zeta in h1, h2. rewrite andb_true_iff, Nat.eqb_eq, forallb_forall in h1, h2. destruct h1 as [l1 h1], h2 as [l2 h2].
  destruct (nth_combine _ _ k P l1 eP) as (m & em & im), (nth_combine _ _ k R l2 eR) as (m' & em' & im'). rewrite em in em'. injection em' as <-.
  specialize (h1 _ im). specialize (h2 _ im'). unfold between in h1, h2. cbn [fst snd] in h1, h2. apply andb_true_iff in h1, h2.
  pose proof (nonneg_sound _ _ _ _ (proj2 h1) (both_within z z' _ _ i i')) as top. pose proof (nonneg_sound _ _ _ _ (proj1 h2) (both_within y y' _ _ j j')) as low.
  rewrite qval_sub, qval_const in top, low. set (ch := chance _ _ _ _ _) in *. set (V := qval _ _ P) in *. set (U := qval _ _ R) in *.
  setoid_replace (B * (ch * U))%Q with (ch * (B * U))%Q by ring. rewrite !(Qmult_comm ch). apply Qmult_le_compat_r; [| exact pos].
  apply Qle_trans with (B * m)%Q; [apply Qle_minus_iff; exact top |]. rewrite !(Qmult_comm B). apply Qmult_le_compat_r; [apply Qle_minus_iff; exact low |].
  apply Qle_trans with 1%Q; [discriminate | exact hB].
Qed.
(** 3.1(d): each law is positive in all pairs of cells, or zero in all *)
Definition law_kind (z z' : cell) (P : poly (both z z')) : option bool :=
  if vanishes _ P then Some false else if positive _ (region_of_both z z') P then Some true else None.
Definition kinds p k (zz : cell * cell) : list (option bool) := map (law_kind (fst zz) (snd zz)) (leaves_at d (fst zz) (snd zz) p k).
Definition kind_dec : forall a b : list (option bool), {a = b} + {a <> b} := ltac:(repeat decide equality).
Definition check_predictive_everywhere : bool :=
  below (S (horizon d)) (fun k => plays_ok k && below (List.length (policies d)) (fun p =>
    match cell_pairs with
    | [] => true
    | first :: _ => let expected := kinds p k first in
        forallb (fun o => match o with Some _ => true | None => false end) expected &&
        forallb (fun zz => if kind_dec (kinds p k zz) expected then true else false) cell_pairs
    end)).
Theorem predictive_everywhere : check_predictive_everywhere = true -> everywhere c predictive_states.
Proof.
  intros h l l' il xi eta ix ie p hp k hk tau it pos. destruct (models_at l l' xi il ix) as (z & z' & iz & i & i'), (models_at l l' eta il ie) as (y & y' & iy & j & j').
  change (policies (at_points d l l')) with (policies d) in hp. rewrite trajectories_at in it. change (horizon (at_points d l l')) with (horizon d) in hk.
  rewrite law_at in pos |- *.
  unfold check_predictive_everywhere in h. apply (below_sound _ _ k) in h; [| lia]. apply andb_true_iff in h. destruct h as [ok h]. apply (below_sound _ _ p) in h; [| exact hp].
  destruct (law_value z z' xi p _ tau iz i i' ok) as (v & ev & at_v), (law_value y y' eta p _ tau iy j j' ok) as (u & eu & at_u). rewrite eu. rewrite ev in pos.
  destruct (chance_at p _ tau ok hp it) as [cpos [zero | (n & en)]]; [rewrite zero, Qmult_0_l in pos; exfalso; exact (Qlt_irrefl 0 pos) |].
  destruct (at_v n en) as (P & eP & ->), (at_u n en) as (R & eR & ->). cbv beta in h. destruct cell_pairs as [| first rest] eqn:ec; [destruct iz |]. cbv zeta in h.
  apply andb_true_iff in h. destruct h as [some same_kinds]. rewrite forallb_forall in some, same_kinds.
  pose proof (same_kinds _ iz) as k1. pose proof (same_kinds _ iy) as k2. destruct (kind_dec _ _) as [k1' | _] in k1; [| discriminate]. destruct (kind_dec _ _) as [k2' | _] in k2; [| discriminate].
  assert (f1 : nth_error (kinds p k (z, z')) n = Some (law_kind z z' P)) by exact (map_nth_error (law_kind z z') n _ eP).
  assert (f2 : nth_error (kinds p k (y, y')) n = Some (law_kind y y' R)) by exact (map_nth_error (law_kind y y') n _ eR).
  rewrite k1' in f1. rewrite k2', f1 in f2. injection f2 as f2.
  assert (ch : (0 < chance d (policy_of d p) 0 [] tau)%Q).
  { apply Qle_lteq in cpos. destruct cpos as [s | s]; [exact s |]. rewrite <- s, Qmult_0_l in pos. exfalso. exact (Qlt_irrefl 0 pos). }
  apply mul_pos; [exact ch |]. pose proof (some _ (nth_error_In _ _ f1)) as s1. unfold law_kind in f2, s1. destruct (vanishes _ P) eqn:v1.
  - exfalso. rewrite (qval_vanishes _ _ P v1), Qmult_0_r in pos. exact (Qlt_irrefl 0 pos).
  - destruct (positive _ _ P) eqn:p1; [| discriminate]. destruct (vanishes _ R) eqn:v2; [discriminate |]. destruct (positive _ _ R) eqn:p2; [| discriminate].
    exact (positive_sound _ _ _ _ p2 (both_within y y' _ _ j j')).
Qed.
End Claims.
