(** Assumption 2.3, and 3.1(f) of a fading memory, on whole boxes: posteriors of policies as quotients of polynomials in the parameters of a cell of Theta, and responses as
    expressions in those of a cell of Psi.

    Where u_a and v_a are the masses of the actions and m and m' those of a history, the posteriors are apart by sum_a |u_a m' - v_a m| / (m m'), which
    is no less than the sum with signs that are chosen at the centre of the box; so L sum_a s_a (u_a m' - v_a m) - gap m m' >= 0 is what is asked. *)
From Pomgcheck Require Import OrderedField Statements RuleSign SymbolicValues Covering TrajectoryLaws SparseLaws ForwardLaws ForwardErrors WeakRevealing WarmupStationary PosteriorLipschitz FadingMemory IntervalClass IntervalLaws.
Open Scope nat_scope.

(** ** How far two responses are apart at most: base - |x_1| - ... - |x_k| >= 0, whichever the signs *)
Fixpoint less_signed (base : expr) (l : list expr) : list expr :=
  match l with [] => [base] | x :: l => less_signed (Sub base x) l ++ less_signed (Add base x) l end.
Lemma less_signed_sound p : forall l base, (forall e, In e (less_signed base l) -> (0 <= eval p e)%Q) -> (qsum l (fun x => Qabs (eval p x)) <= eval p base)%Q.
Proof.
  induction l as [| x l ih]; intros base h; cbn [less_signed qsum] in *; [apply h; now left |]. rewrite Qred_correct.
  apply Qabs_case; intros _.
  - specialize (ih (Sub base x) (fun e i => h e (in_or_app _ _ _ (or_introl i)))). cbn [eval] in ih. rewrite Qred_correct in ih.
    apply Qle_minus_iff in ih. apply Qle_minus_iff. eapply Qle_trans; [exact ih |]. ring_simplify. apply Qle_refl.
  - specialize (ih (Add base x) (fun e i => h e (in_or_app _ _ _ (or_intror i)))). cbn [eval] in ih. rewrite Qred_correct in ih.
    apply Qle_minus_iff in ih. apply Qle_minus_iff. eapply Qle_trans; [exact ih |]. ring_simplify. apply Qle_refl.
Qed.
Definition nonneg_expr (z : cell) (e : expr) : bool :=
  match symbolic _ (region_of z) (alone z) e with Some q => nonneg _ (region_of z) (fst q) | None => false end.
Lemma nonneg_expr_sound z e p : in_cell z p -> nonneg_expr z e = true -> (0 <= eval p e)%Q.
Proof.
  intros i h. unfold nonneg_expr in h. destruct (symbolic _ _ _ e) as [q |] eqn:s; [| discriminate].
  exact (means_nonneg _ _ _ (cell_within z p i) _ _ (symbolic_means _ _ _ (cell_within z p i) _ p (alone_value z p i) _ _ s) h).
Qed.
(** bounds of the distances: by two policies p < q, step, and what the adversary reads *)
Definition gap_bounds := list (list (list (list Q))).
Definition gap_at d (gaps : gap_bounds) p q h seen : Q := nth (index (nOB d) seen) (nth h (nth p (nth q gaps []) []) []) 0%Q.
Definition tables_within d (z : cell) gap (t t' : steps table2) h seen : bool :=
  forallb (nonneg_expr z) (less_signed (Num gap) (map (fun b => Sub (entry_of (nOB d) t h seen b) (entry_of (nOB d) t' h seen b)) (seq 0 (nB d)))).
Lemma tables_within_sound d z gap t t' h seen phi : in_cell z phi -> tables_within d z gap t t' h seen = true ->
  (apart d (decision_of (nOB d) phi t) (decision_of (nOB d) phi t') h seen <= gap)%Q.
Proof.
  intros i k. unfold tables_within in k. rewrite forallb_forall in k. pose proof (less_signed_sound phi _ (Num gap) (fun e j => nonneg_expr_sound z e phi i (k e j))) as l.
  cbn [eval] in l. eapply Qle_trans; [| exact l]. rewrite qsum_maps. unfold apart. rewrite (qsum_eq _ _ (fun b => Qabs (eval phi (Sub (entry_of (nOB d) t h seen b) (entry_of (nOB d) t' h seen b))))); [apply Qle_refl |].
  intro b. cbn [eval]. rewrite Qred_correct, !entry_of_is. reflexivity.
Qed.
Definition gap_holds d (z : cell) gap p q h seen : bool := tables_within d z gap (snd (nth p (responses d) empty_table)) (snd (nth q (responses d) empty_table)) h seen.
Lemma gap_holds_sound d z gap p q h seen phi : in_cell z phi -> gap_holds d z gap p q h seen = true -> (apart d (response_of d phi p) (response_of d phi q) h seen <= gap)%Q.
Proof. intros i k. exact (tables_within_sound d z gap _ _ h seen phi i k). Qed.
Definition gaps_hold d (z : cell) gaps : bool := below (List.length (policies d)) (fun q => below q (fun p =>
  below (horizon d) (fun h => forallb (fun seen => gap_holds d z (gap_at d gaps p q h seen) p q h seen) (heard_B d h)))).

(** ** Posteriors as polynomials: the game seen from the other seat *)
Section Cell.
Variables (d : doc) (z : cell).
Notation n := (List.length (axes z)).
Notation pvector := (list ((nat * list nat) * poly n)).
Definition entry_z := entry_poly n (region_of z) (alone z).
Definition turned_tables (pi : decision) : ptables n :=
  let ea := map_steps (map (map entry_z)) (learner_emission d) in let eb := map_steps (map (map entry_z)) (adversary_emission d) in
  let tr := map_steps (map (map (map (map entry_z)))) (transition d) in let none := entry_z (Num 0) in
  PTables n (fun h s o => nth o (nth s (at_step [] eb h) []) none) (fun h s o => nth o (nth s (at_step [] ea h) []) none)
    (fun h s b a s' => nth s' (nth b (nth a (nth s (at_step [] tr h) []) []) []) none) (fun h u a => const n (pi h u a)).
Definition world_polys : bool :=
  table_polys n (region_of z) (alone z) (learner_emission d) && table_polys n (region_of z) (alone z) (adversary_emission d) &&
  in_steps (forallb (forallb (forallb (forallb (is_poly n (region_of z) (alone z)))))) (transition d).
Fixpoint carried_polys (t : ptables n) (past : list (nat * nat)) h (v : pvector) : nat * pvector :=
  match past with [] => (h, v) | (oB, b) :: past => carried_polys t past (S h) (collect n (spread n (turned d) t h oB b v)) end.
Definition windows_polys (t : ptables n) o h (v : pvector) : list (list nat * poly n) :=
  flat_map (fun e => map (fun oA => (snd (fst e) ++ [oA], trim n (pmul n (snd e) (pmul n (PB n t h (fst (fst e)) oA) (PA n t h (fst (fst e)) o))))) (seq 0 (nOA d))) v.
Definition weighed (f : list nat -> Q) (l : list (list nat * poly n)) : poly n :=
  fold_right (fun e p => trim n (padd n (pscale n (f (fst e)) (snd e)) p)) (zero n) l.
(** the mass of a history, and of every action after it *)
Definition posterior_polys (pi : decision) (t : ptables n) past o : poly n * list (poly n) :=
  let e := carried_polys t past 0 (from_start n (turned d)) in let l := windows_polys t o (fst e) (snd e) in
  (weighed (fun _ => 1%Q) l, map (fun a => weighed (fun u => pi (fst e) u a) l) (seq 0 (nA d))).

Variable theta : point.
Hypothesis i : in_cell z theta.
Hypothesis polys : world_polys = true.
Variable pi : decision.
Notation val := (qval n (coordinates_of theta)).
Notation w := (world_of d theta).
Notation t := (turned_tables pi).
Lemma z_is e : is_poly n (region_of z) (alone z) e = true -> (val (entry_z e) == eval theta e)%Q.
Proof. exact (entry_poly_is n (region_of z) (coordinates_of theta) (cell_within z theta i) (alone z) theta (alone_value z theta i) e). Qed.
Lemma turned_A h s o : (val (PA n t h s o) == EA (turned_world w) h s o)%Q.
Proof.
  unfold world_polys in polys. rewrite !andb_true_iff in polys. destruct polys as [[pa pb] pt]. cbn [turned_tables PA turned_world EA].
  rewrite entry_B_is. unfold entry_B. pose proof (at_step_map (map (map entry_z)) [] (adversary_emission d) h) as e. cbn [map] in e. rewrite e.
  change (@nil (poly n)) with (map entry_z []). rewrite map_nth, map_nth. apply z_is.
  apply nth_true; [| apply zero_poly]. apply (nth_true (forallb _)); [| reflexivity]. now apply (step_true (forallb (forallb _))).
Qed.
Lemma turned_B h s o : (val (PB n t h s o) == EB (turned_world w) h s o)%Q.
Proof.
  unfold world_polys in polys. rewrite !andb_true_iff in polys. destruct polys as [[pa pb] pt]. cbn [turned_tables PB turned_world EB].
  rewrite entry_A_is. unfold entry_A. pose proof (at_step_map (map (map entry_z)) [] (learner_emission d) h) as e. cbn [map] in e. rewrite e.
  change (@nil (poly n)) with (map entry_z []). rewrite map_nth, map_nth. apply z_is.
  apply nth_true; [| apply zero_poly]. apply (nth_true (forallb _)); [| reflexivity]. now apply (step_true (forallb (forallb _))).
Qed.
Lemma turned_T h s b a s' : (val (PT n t h s b a s') == T (turned_world w) h s b a s')%Q.
Proof.
  unfold world_polys in polys. rewrite !andb_true_iff in polys. destruct polys as [[pa pb] pt]. cbn [turned_tables PT turned_world T].
  rewrite entry_T_is. unfold entry_T. pose proof (at_step_map (map (map (map (map entry_z)))) [] (transition d) h) as e. cbn [map] in e. rewrite e.
  change (@nil (list (list (poly n)))) with (map (map (map entry_z)) []). rewrite map_nth. change (@nil (list (poly n))) with (map (map entry_z) []). rewrite map_nth.
  change (@nil (poly n)) with (map entry_z []). rewrite map_nth, map_nth. apply z_is.
  apply nth_true; [| apply zero_poly]. apply (nth_true (forallb _)); [| reflexivity]. apply (nth_true (forallb (forallb _))); [| reflexivity].
  apply (nth_true (forallb (forallb (forallb _)))); [| reflexivity]. now apply (step_true (forallb (forallb (forallb (forallb _))))).
Qed.
Lemma turned_G h u a : (val (PG n t h u a) == pi h u a)%Q. Proof. apply qval_const. Qed.
Notation sum_of := (sum_at n (coordinates_of theta)).
Lemma carried_sum o f past : forall h v, let e := carried_polys t past h v in
  (sum_of (snd e) (fun s u => posterior_sum d w pi [] o (fst e) s u f) == sum_of v (fun s u => posterior_sum d w pi past o h s u f))%Q.
Proof.
  induction past as [| [oB b] past ih]; intros h v; [reflexivity |]. cbn [carried_polys]. cbv zeta. rewrite ih.
  rewrite collect_sum, (spread_sum n (turned d) t (coordinates_of theta) (turned_world w) pi turned_A turned_B turned_T turned_G).
  apply qsum_eq. intro e. apply Qmult_comp; [reflexivity |]. symmetry. apply posterior_step.
Qed.
Lemma windows_sum o h v f : (qsum (windows_polys t o h v) (fun e => f h (fst e) * val (snd e)) == sum_of v (fun s u => posterior_sum d w pi [] o h s u f))%Q.
Proof.
  unfold windows_polys, sum_at. rewrite qsum_flat_map. apply qsum_eq. intros [[s u] m]. cbn [fst snd]. rewrite qsum_maps. cbn [posterior_sum]. rewrite <- qsum_scale.
  apply qsum_eq. intro oA. cbn [fst snd]. rewrite qval_trim, !qval_mul, turned_A, turned_B. cbn [turned_world EA EB]. ring.
Qed.
Lemma weighed_is f l : (val (weighed f l) == qsum l (fun e => f (fst e) * val (snd e)))%Q.
Proof.
  induction l as [| e l ih]; cbn [weighed fold_right qsum]; [apply qval_zero |]. fold (weighed f l). rewrite qval_trim, qval_add, qval_scale, ih, Qred_correct. reflexivity.
Qed.
Lemma mass_poly_is past o f : let e := carried_polys t past 0 (from_start n (turned d)) in
  (val (weighed (f (fst e)) (windows_polys t o (fst e) (snd e))) == posterior_mass d w pi past o f)%Q.
Proof.
  cbv zeta. rewrite weighed_is, windows_sum, carried_sum. unfold posterior_mass, sum_at, from_start. rewrite qsum_maps. apply qsum_eq. intro s. cbn [fst snd]. now rewrite qval_const.
Qed.
Theorem posterior_polys_are past o : let r := posterior_polys pi t past o in
  (val (fst r) == posterior_mass d w pi past o (fun _ _ => 1))%Q /\
  exists U, snd r = map U (seq 0 (nA d)) /\ forall a, (val (U a) == posterior_mass d w pi past o (fun h seen => pi h seen a))%Q.
Proof.
  cbv zeta. unfold posterior_polys. cbv zeta. cbn [fst snd]. split; [exact (mass_poly_is past o (fun _ _ => 1%Q)) |].
  eexists. split; [reflexivity |]. intro a. exact (mass_poly_is past o (fun h seen => pi h seen a)).
Qed.
End Cell.

(** ** The goal *)
Fixpoint value_at n (x : list Q) : poly n -> Q :=
  match n with O => fun p => p | S n => fun l => fold_right (fun a s => Qred (value_at n (tl x) a + hd 0 x * s)) 0 l end%Q.
Section Goal.
Variables (n : nat) (centre : list Q).
Definition crossed (m m' u v : poly n) : poly n :=
  let c := trim n (psub n (pmul n u m') (pmul n v m)) in if Qle_bool 0 (value_at n centre c) then c else pscale n (-1) c.
Definition apart_goal (L gap : Q) (r r' : poly n * list (poly n)) : poly n :=
  trim n (psub n (pscale n L (fold_right (padd n) (zero n) (map (fun uv => crossed (fst r) (fst r') (fst uv) (snd uv)) (combine (snd r) (snd r')))))
    (pscale n gap (pmul n (fst r) (fst r')))).
Variable x : nat -> Q.
Notation val := (qval n x).
Lemma crossed_le m m' u v : (val (crossed m m' u v) <= Qabs (val u * val m' - val v * val m))%Q.
Proof.
  unfold crossed. cbv zeta. destruct (Qle_bool _ _).
  - rewrite qval_trim, qval_sub, !qval_mul. apply Qle_Qabs.
  - rewrite qval_scale, qval_trim, qval_sub, !qval_mul. rewrite <- Qabs_opp. setoid_replace (-1 * (val u * val m' - val v * val m))%Q with (- (val u * val m' - val v * val m))%Q by ring. apply Qle_Qabs.
Qed.
Lemma added_is {A} (f : A -> poly n) l : (val (fold_right (padd n) (zero n) (map f l)) == qsum l (fun a => val (f a)))%Q.
Proof. induction l as [| a l ih]; cbn [map fold_right qsum]; [apply qval_zero |]. now rewrite qval_add, ih, Qred_correct. Qed.
(** masses M, M' > 0 of the history, U and V of the actions *)
Lemma apart_goal_sound L gap m m' (U V : nat -> poly n) l (M M' : Q) (f g : nat -> Q) : (0 <= L)%Q -> (0 < M)%Q -> (0 < M')%Q ->
  (val m == M)%Q -> (val m' == M')%Q -> (forall a, (val (U a) == f a)%Q) -> (forall a, (val (V a) == g a)%Q) ->
  (0 <= val (apart_goal L gap (m, map U l) (m', map V l)))%Q -> (gap <= L * qsum l (fun a => Qabs (f a / M - g a / M')))%Q.
Proof.
  intros l0 p p' em em' eU eV h. unfold apart_goal in h. cbn [fst snd] in h. rewrite combine_map, map_map in h. cbn [fst snd] in h.
  rewrite qval_trim, qval_sub, !qval_scale, qval_mul, em, em', added_is in h.
  assert (c : (qsum l (fun a => val (crossed m m' (U a) (V a))) <= M * M' * qsum l (fun a => Qabs (f a / M - g a / M')))%Q).
  { rewrite <- qsum_scale. apply qsum_mono. intros a _. eapply Qle_trans; [apply crossed_le |]. rewrite eU, eV, em, em'.
    rewrite <- (Qabs_pos (M * M')) at 1 by (apply Qlt_le_weak; now apply mul_pos). rewrite <- Qabs_Qmult.
    setoid_replace (M * M' * (f a / M - g a / M'))%Q with (f a * M' - g a * M)%Q by (field; split; now apply nonzero). apply Qle_refl. }
  set (S := qsum l (fun a => Qabs _)) in *. apply (Qmult_lt_0_le_reg_r _ _ (M * M')); [now apply mul_pos |].
  apply Qle_trans with (L * qsum l (fun a => val (crossed m m' (U a) (V a))))%Q.
  - apply Qle_minus_iff. exact h.
  - setoid_replace (L * S * (M * M'))%Q with (M * M' * S * L)%Q by ring. rewrite (Qmult_comm L). now apply Qmult_le_compat_r.
Qed.
End Goal.
Lemma gap_followed d z centre L gap pi nu past o theta : in_cell z theta -> world_polys d z = true -> (0 <= L)%Q ->
  possible d (world_of d theta) pi past o -> possible d (world_of d theta) nu past o ->
  (0 <= qval _ (coordinates_of theta) (apart_goal _ centre L gap (posterior_polys d z pi (turned_tables d z pi) past o) (posterior_polys d z nu (turned_tables d z nu) past o)))%Q ->
  (gap <= L * posterior_distance d (world_of d theta) pi nu past o)%Q.
Proof.
  intros i polys l0 posp posq k.
  destruct (posterior_polys_are d z theta i polys pi past o) as (m1 & U & e1 & u1). destruct (posterior_polys_are d z theta i polys nu past o) as (m2 & V & e2 & u2).
  destruct (posterior_polys d z pi _ past o) as (m, us). destruct (posterior_polys d z nu _ past o) as (m', vs). cbn [fst snd] in *. subst us vs.
  exact (apart_goal_sound _ _ _ L gap m m' U V _ _ _ _ _ l0 posp posq m1 m2 u1 u2 k).
Qed.
Definition centre_of (b : box) : list Q := map (fun e => Qred ((fst e + snd e) / 2)) b.

(** ** What depends on the tables alone *)
Lemma pairs_B_at d l l' k : pairs_B (at_points d l l') k = pairs_B d k.
Proof. induction k as [| k ih]; [reflexivity |]. cbn [pairs_B]. rewrite ih. reflexivity. Qed.
Lemma posterior_sum_at d l l' w pi o f past : forall h s u, (posterior_sum (at_points d l l') w pi past o h s u f == posterior_sum d w pi past o h s u f)%Q.
Proof.
  induction past as [| [oB b] past ih]; intros h s u; [reflexivity |]. cbn [posterior_sum]. apply qsum_eq. intro oA. apply Qmult_comp; [reflexivity |]. apply Qmult_comp; [reflexivity |].
  apply qsum_eq. intro a. apply Qmult_comp; [reflexivity |]. apply qsum_eq. intro s'. apply Qmult_comp; [reflexivity |]. apply ih.
Qed.
Lemma posterior_mass_at d l l' w pi past o f : (posterior_mass (at_points d l l') w pi past o f == posterior_mass d w pi past o f)%Q.
Proof. apply qsum_eq. intro s. apply Qmult_comp; [reflexivity |]. apply posterior_sum_at. Qed.
Lemma pairs_B_in d h : forall past, In past (pairs_B d h) -> List.length past = h /\ forall x, In x past -> fst x < nOB d.
Proof.
  induction h as [| h ih]; intros past i; cbn [pairs_B] in i.
  - destruct i as [<- | []]. split; [reflexivity | intros ? []].
  - apply in_flat_map in i. destruct i as ((o, b) & ix & i). apply in_map_iff in i. destruct i as (past' & <- & i). destruct (ih _ i) as [e k]. apply in_prod_iff in ix. destruct ix as [io _]. apply in_seq in io.
    split; [cbn [List.length]; now rewrite e |]. intros x [<- | j]; [cbn [fst]; lia | now apply k].
Qed.
Lemma skipn_in {A} (x : A) k : forall l, In x (skipn k l) -> In x l.
Proof. induction k as [| k ih]; intros [| y l] i; cbn [skipn] in i; auto. right. now apply ih. Qed.
Lemma read_heard d h past o : In (past, o) (histories_B d h) -> In (read_B d past o) (heard_B d h).
Proof.
  unfold histories_B. intro i. apply in_prod_iff in i. destruct i as [ip io]. apply in_seq in io. destruct (pairs_B_in d h past ip) as [e k]. unfold heard_B, read_B. apply tuples_all.
  - unfold last. rewrite skipn_length, app_length, map_length, e. cbn [List.length]. lia.
  - intros x j. unfold last in j. apply skipn_in, in_app_iff in j. destruct j as [j | [<- | []]]; [| lia]. apply in_map_iff in j. destruct j as (y & <- & j). now apply k.
Qed.

(** ** 2.3 of single policies in the step form, and of every rule that averages *)
Definition check_follow_everywhere (c : continuum) (L : Q) (gaps : gap_bounds) : bool :=
  let d := tables c in let np := List.length (policies d) in
  if Qle_bool 0 L then if forallb (fun z => gaps_hold d z gaps) (Psi c) then
    forallb (fun z => let n := List.length (axes z) in let r := region_of z in let centre := centre_of (sides r) in
      if world_polys d z then
        let players := map (fun pi => (pi, turned_tables d z pi)) (players d) in
        below (horizon d) (fun h => forallb (fun e =>
          let rows := map (fun pt => posterior_polys d z (fst pt) (snd pt) (fst e) (snd e)) players in let seen := read_B d (fst e) (snd e) in
          below np (fun q => below q (fun p => let gap := gap_at d gaps p q h seen in
            if Qle_bool gap 0 then true else nonneg n r (apart_goal n centre L gap (nth p rows (zero n, [])) (nth q rows (zero n, []))))))
          (histories_B d h))
      else false) (Theta c)
  else false else false.
Section Sound.
Variables (c : continuum) (L : Q) (gaps : gap_bounds).
Notation d := (tables c).
Hypothesis checked : check_follow_everywhere c L gaps = true.
Lemma slope_nonneg : (0 <= L)%Q.
Proof. unfold check_follow_everywhere in checked. cbv zeta in checked. destruct (Qle_bool 0 L) eqn:e; [now apply Qle_bool_iff | discriminate]. Qed.
Lemma pair_follows theta phi p q h past o : in_cells (Theta c) theta -> in_cells (Psi c) phi -> p < q -> q < List.length (policies d) -> h < horizon d -> In (past, o) (histories_B d h) ->
  possible d (world_of d theta) (policy_of d p) past o -> possible d (world_of d theta) (policy_of d q) past o ->
  (apart d (response_of d phi p) (response_of d phi q) h (read_B d past o) <= L * posterior_distance d (world_of d theta) (policy_of d p) (policy_of d q) past o)%Q.
Proof.
  intros (z & iz & i) (z' & iz' & i') pq hq hh io posp posq. pose proof slope_nonneg as l0.
  unfold check_follow_everywhere in checked. cbv zeta in checked. destruct (Qle_bool 0 L); [| discriminate].
  destruct (forallb (fun z => gaps_hold d z gaps) (Psi c)) eqn:g; [| discriminate]. rewrite forallb_forall in g, checked. specialize (g z' iz'). pose proof (checked z iz) as k. clear checked. cbv beta in k.
  destruct (world_polys d z) eqn:polys; [| discriminate].
  unfold gaps_hold in g. apply (below_sound _ _ q) in g; [| exact hq]. apply (below_sound _ _ p) in g; [| exact pq]. apply (below_sound _ _ h) in g; [| exact hh].
  rewrite forallb_forall in g. specialize (g _ (read_heard d h past o io)). apply (gap_holds_sound d z' _ p q h _ phi i') in g.
  apply Qle_trans with (1 := g). clear g. apply (below_sound _ _ h) in k; [| exact hh]. rewrite forallb_forall in k. specialize (k _ io). cbn [fst snd] in k.
  apply (below_sound _ _ q) in k; [| exact hq]. apply (below_sound _ _ p) in k; [| exact pq]. cbv beta in k. set (gap := gap_at _ _ _ _ _ _) in *.
  destruct (Qle_bool gap 0) eqn:g0.
  { apply Qle_bool_iff in g0. apply Qle_trans with (1 := g0). apply Qmult_le_0_compat; [exact l0 | apply distance_nonneg]. }
  assert (row : forall p, p < List.length (policies d) -> nth p (map (fun pt => posterior_polys d z (fst pt) (snd pt) past o) (map (fun pi => (pi, turned_tables d z pi)) (players d))) (zero (List.length (axes z)), [])
    = posterior_polys d z (policy_of d p) (turned_tables d z (policy_of d p)) past o).
  { intros y hy. unfold players. rewrite !map_map. cbn [fst snd]. exact (nth_seq (fun y => posterior_polys d z (policy_of d y) (turned_tables d z (policy_of d y)) past o) _ y _ hy). }
  rewrite !row in k by lia. clear row.
  apply (nonneg_sound _ _ _ (coordinates_of theta)) in k; [| now apply cell_within]. exact (gap_followed d z _ L gap _ _ past o theta i polys l0 posp posq k).
Qed.
Theorem policies_follow : everywhere c (fun d => posterior_lipschitz d Latest 1 false L).
Proof.
  intros l l' [il il']. split; [exact slope_nonneg |]. intros theta it phi iphi P N bP bN h hh past o io w pos D hD.
  specialize (il theta it). specialize (il' phi iphi).
  destruct P as [| p [| ? ?]]; try (destruct bP as [e _]; discriminate e). destruct N as [| q [| ? ?]]; try (destruct bN as [e _]; discriminate e).
  assert (hp : p < List.length (policies d)) by (apply (proj2 bP); now left). assert (hq : q < List.length (policies d)) by (apply (proj2 bN); now left).
  pose proof (pos p (or_introl eq_refl)) as posp. pose proof (pos q (or_intror (or_introl eq_refl))) as posq.
  specialize (hD 0 (Nat.lt_0_succ 0) h past o io hh (or_intror (conj eq_refl eq_refl)) posp posq). cbn [nth] in hD.
  unfold histories_B in io. rewrite pairs_B_at in io. change (In (past, o) (histories_B d h)) in io. change (h < horizon d) in hh.
  unfold possible in posp, posq. rewrite posterior_mass_at in posp, posq.
  assert (e : (posterior_distance (at_points d l l') w (policy_of d p) (policy_of d q) past o == posterior_distance d (world_of d theta) (policy_of d p) (policy_of d q) past o)%Q).
  { unfold posterior_distance, S_ref. apply qsum_eq. intro a. now rewrite !posterior_mass_at. }
  change (policy_of (at_points d l l')) with (policy_of d) in hD. rewrite e in hD. clear e.
  cbn [reaction List.last]. change (apart d (response_of d phi p) (response_of d phi q) h (read_B d past o) <= L * D)%Q.
  apply Qle_trans with (L * posterior_distance d (world_of d theta) (policy_of d p) (policy_of d q) past o)%Q.
  - destruct (Nat.lt_trichotomy p q) as [less | [<- | more]].
    + now apply pair_follows.
    + unfold apart. rewrite (qsum_eq _ _ (fun _ => 0%Q)) by (intro b; unfold Qminus; rewrite Qplus_opp_r; reflexivity). rewrite qsum_zero.
      apply Qmult_le_0_compat; [exact slope_nonneg | apply distance_nonneg].
    + rewrite distance_symmetric. unfold apart. rewrite (qsum_eq _ _ (fun b => Qabs (response_of d phi q h (read_B d past o) b - response_of d phi p h (read_B d past o) b))) by (intro; rewrite Qabs_Qminus; reflexivity).
      now apply pair_follows.
  - rewrite !(Qmult_comm L). apply Qmult_le_compat_r; [exact hD | exact slope_nonneg].
Qed.
End Sound.
Lemma any_form d rule m form L : posterior_lipschitz d rule m false L -> posterior_lipschitz d rule m form L.
Proof.
  intros [l0 k]. split; [exact l0 |]. intros theta it phi iphi P N bP bN h hh past o io w pos D hD. refine (k theta it phi iphi P N bP bN h hh past o io pos D _).
  intros j hj h' past' o' io' hh' [f | same]; [discriminate f |]. apply hD with (h' := h'); auto.
Qed.
Definition check_lipschitz_everywhere (c : continuum) (rule : block_rule) m (L : Q) (gaps : gap_bounds) : bool :=
  if averages rule then if 1 <=? m then check_follow_everywhere c L gaps else false else false.
Theorem lipschitz_everywhere c rule m form L gaps : check_lipschitz_everywhere c rule m L gaps = true -> everywhere c (fun d => posterior_lipschitz d rule m form L).
Proof.
  unfold check_lipschitz_everywhere. destruct (averages rule) eqn:a; [| discriminate]. destruct (1 <=? m) eqn:hm; [| discriminate]. apply Nat.leb_le in hm.
  intros k l l' il. apply averages_lipschitz; [exact a | exact hm |]. apply any_form. exact (policies_follow c L gaps k l l' il).
Qed.
(** and of a fading memory, whose responses are averages *)
Theorem averaged_everywhere c form L gaps : check_follow_everywhere c L gaps = true -> everywhere c (fun d => posterior_lipschitz_averaged d form L).
Proof. intros k l l' il. apply averaged_of_policies, any_form. exact (policies_follow c L gaps k l l' il). Qed.

(** ** Assumption 3.1(f) where memory fades: half the largest distance of two responses *)
Definition check_settles_everywhere (c : continuum) (gamma L : Q) : bool := let d := tables c in
  Qle_bool 0 L && Qle_bool 0 gamma && Qle_bool gamma 1 &&
  forallb (fun z => below (List.length (policies d)) (fun q => below q (fun p => below (horizon d) (fun h =>
    forallb (fun seen => gap_holds d z (2 * L) p q h seen) (heard_B d h))))) (Psi c).
Theorem settles_everywhere c gamma L : check_settles_everywhere c gamma L = true -> everywhere c (fun d => fading_lipschitz d L /\ fading_settles d gamma L).
Proof.
  unfold check_settles_everywhere. cbv zeta. rewrite !andb_true_iff, forallb_forall. intros [[[l0 low] high] k] l l' [_ il']. apply check_settles_sound.
  unfold check_settles. rewrite l0, low, high. cbn [andb]. apply Qle_bool_iff in l0. set (d := tables c) in *.
  unfold check_fading. cbv zeta. apply forallb_forall. intros phi iphi. unfold below at 1. apply forallb_forall. intros h ih. apply in_seq in ih. destruct ih as [_ hh]. cbn [Nat.add] in hh.
  apply forallb_forall. intros seen is. apply forallb_forall. intros g ig. apply forallb_forall. intros g' ig'. apply in_map_iff in ig, ig'.
  destruct ig as (p & <- & ip), ig' as (q & <- & iq). apply in_seq in ip, iq. destruct ip as [_ hp], iq as [_ hq]. cbn [Nat.add] in hp, hq. apply Qle_bool_iff.
  change (policies (at_points d l l')) with (policies d) in hp, hq. change (horizon (at_points d l l')) with (horizon d) in hh. change (In seen (heard_B d h)) in is.
  change (apart d (response_of d phi p) (response_of d phi q) h seen <= 2 * L)%Q.
  destruct (il' phi iphi) as (z & iz & i). specialize (k z iz).
  assert (one : forall p q, p < q -> q < List.length (policies d) -> (apart d (response_of d phi p) (response_of d phi q) h seen <= 2 * L)%Q).
  { intros x y xy hy. pose proof (below_sound _ _ _ (below_sound _ _ _ (below_sound _ _ _ k hy) xy) hh) as r. cbv beta in r. rewrite forallb_forall in r. exact (gap_holds_sound d z _ x y h seen phi i (r seen is)). }
  destruct (Nat.lt_trichotomy p q) as [less | [<- | more]].
  - now apply one.
  - unfold apart. rewrite (qsum_eq _ _ (fun _ => 0%Q)) by (intro b; unfold Qminus; rewrite Qplus_opp_r; reflexivity). rewrite qsum_zero. apply Qmult_le_0_compat; [discriminate | exact l0].
  - unfold apart. rewrite (qsum_eq _ _ (fun b => Qabs (response_of d phi q h seen b - response_of d phi p h seen b))) by (intro; rewrite Qabs_Qminus; reflexivity). now apply one.
Qed.

(** ** A table of blocks: one of the m pairs of policies decides, another one on another part of the box perhaps, and the signs are those at the
    centre of the part *)
Section Some.
Variables (n : nat) (conditions : list (poly n)) (goals : list Q -> list (poly n)).
Fixpoint some_on_halves (fuel axis : nat) (b : box) : bool :=
  if existsb (sign_ok n b) (goals (centre_of b)) then true else if existsb (fun g => sign_ok n b (less_small n (pscale n (-1) g))) conditions then true else
  match fuel with
  | O => false
  | S fuel => match nth_error b axis with
      | None => false
      | Some (lo, hi) => let t := Qred ((lo + hi) / 2) in let next := (S axis) mod n in
          if some_on_halves fuel next (replace_axis axis (lo, t) b) then some_on_halves fuel next (replace_axis axis (t, hi) b) else false
      end
  end.
Lemma some_on_halves_sound x : (forall g, In g conditions -> (0 <= qval n x g)%Q) ->
  forall k axis b, some_on_halves k axis b = true -> within_box b x -> exists centre g, In g (goals centre) /\ (0 <= qval n x g)%Q.
Proof.
  intros pos k. induction k as [| k ih]; intros axis b h i; cbn [some_on_halves] in h;
    (destruct (existsb (sign_ok n b) _) eqn:s;
     [ apply existsb_exists in s; destruct s as (g & ig & s); exists (centre_of b), g; split; [exact ig | exact (sign_sound Instances.rationals n b _ g s i)] |]);
    (destruct (existsb _ conditions) eqn:o;
     [ apply existsb_exists in o; destruct o as (g & ig & o); exfalso; specialize (pos g ig);
       pose proof (less_small_positive n x _ (sign_sound Instances.rationals n b _ _ o i)) as l; rewrite qval_scale in l;
       apply (Qlt_irrefl 0); apply Qlt_le_trans with (-1 * qval n x g)%Q; [exact l |];
       setoid_replace (-1 * qval n x g)%Q with (- qval n x g)%Q by ring; exact (Qopp_le_compat _ _ pos) |]);
    try discriminate.
  destruct (nth_error b axis) as [(lo, hi) |] eqn:e; [| discriminate]. cbv zeta in h.
  destruct (some_on_halves k _ (replace_axis axis (lo, _) b)) eqn:hl; [| discriminate]. rename h into hr.
  destruct (inside_bounds Instances.rationals _ b axis lo hi e i) as [h1 h2]. set (t := Qred _) in *.
  destruct (le_total Instances.rationals (Qcanon.Q2Qc (x axis)) (inj t)) as [m | m]; [apply (ih _ _ hl) | apply (ih _ _ hr)];
    apply (inside_replace Instances.rationals _ _ b axis lo hi e i); assumption.
Qed.
(** first at stated places, each an axis and where it is cut *)
Fixpoint some_on_parts (cuts : list (nat * Q)) (b : box) : bool :=
  match cuts with
  | [] => some_on_halves fuel 0 b
  | (k, t) :: cuts => if existsb (sign_ok n b) (goals (centre_of b)) then true else
      match nth_error b k with
      | Some (lo, hi) => if Qle_bool t lo then some_on_parts cuts b else if Qle_bool hi t then some_on_parts cuts b else
          if some_on_parts cuts (replace_axis k (lo, t) b) then some_on_parts cuts (replace_axis k (t, hi) b) else false
      | None => some_on_parts cuts b
      end
  end.
Lemma some_on_parts_sound x : (forall g, In g conditions -> (0 <= qval n x g)%Q) ->
  forall cuts b, some_on_parts cuts b = true -> within_box b x -> exists centre g, In g (goals centre) /\ (0 <= qval n x g)%Q.
Proof.
  intros pos cuts. induction cuts as [| (k, t) cuts ih]; intros b h i; cbn [some_on_parts] in h; [exact (some_on_halves_sound x pos fuel 0 b h i) |].
  destruct (existsb _ _) eqn:s; [apply existsb_exists in s; destruct s as (g & ig & s); exists (centre_of b), g; split; [exact ig | exact (sign_sound Instances.rationals n b _ g s i)] |].
  destruct (nth_error b k) as [(lo, hi) |] eqn:e; [| now apply ih with b]. destruct (Qle_bool t lo); [now apply ih with b |]. destruct (Qle_bool hi t); [now apply ih with b |].
  destruct (some_on_parts cuts (replace_axis k (lo, t) b)) eqn:hl; [| discriminate]. destruct (inside_bounds Instances.rationals _ b k lo hi e i) as [h1 h2].
  destruct (le_total Instances.rationals (Qcanon.Q2Qc (x k)) (inj t)) as [m | m]; [apply (ih _ hl) | apply (ih _ h)];
    apply (inside_replace Instances.rationals _ _ b k lo hi e i); assumption.
Qed.
End Some.
Definition answer (l : list (list nat * steps table2)) (P : list nat) : steps table2 := match find (fun e => same (fst e) P) l with Some e => snd e | None => Always [] end.
Lemma answer_is d l phi P h seen b : reaction d (Table l) phi P h seen b = decision_of (nOB d) phi (answer l P) h seen b.
Proof.
  unfold reaction, answer. destruct (find _ l) as [e |]; [reflexivity |]. unfold decision_of. cbn [map_steps map at_step]. destruct (index (nOB d) seen); destruct b; reflexivity.
Qed.
Definition pairs_of (P N : list nat) : list (nat * nat) :=
  filter (fun pq => negb (fst pq =? snd pq)) (map (fun pq => (Nat.min (fst pq) (snd pq), Nat.max (fst pq) (snd pq))) (combine P N)).
Definition check_blocks_everywhere (c : continuum) (l : list (list nat * steps table2)) m (L : Q) (gaps : gap_bounds) (cuts : list (nat * Q)) : bool :=
  let d := tables c in let blocks := tuples (List.length (policies d)) m in let nb := List.length blocks in
  if (1 <=? m) && Qle_bool 0 L then
  if forallb (fun z => below nb (fun j => below j (fun i => below (horizon d) (fun h => forallb (fun seen =>
    tables_within d z (gap_at d gaps i j h seen) (answer l (nth i blocks [])) (answer l (nth j blocks [])) h seen) (heard_B d h))))) (Psi c) then
  forallb (fun z => let n := List.length (axes z) in let r := region_of z in
    if world_polys d z then
      let players := map (fun pi => (pi, turned_tables d z pi)) (players d) in
      below (horizon d) (fun h => forallb (fun e =>
        let rows := map (fun pt => posterior_polys d z (fst pt) (snd pt) (fst e) (snd e)) players in let seen := read_B d (fst e) (snd e) in
        below nb (fun j => below j (fun i => let gap := gap_at d gaps i j h seen in
          if Qle_bool gap 0 then true else some_on_parts n (conditions r)
            (fun centre => map (fun pq => apart_goal n centre L gap (nth (fst pq) rows (zero n, [])) (nth (snd pq) rows (zero n, []))) (pairs_of (nth i blocks []) (nth j blocks [])))
            cuts (sides r))))
        (histories_B d h))
    else false) (Theta c)
  else false else false.
Section Blocks.
Variables (c : continuum) (l : list (list nat * steps table2)) (m : nat) (L : Q) (gaps : gap_bounds) (cuts : list (nat * Q)).
Notation d := (tables c).
Notation blocks := (tuples (List.length (policies d)) m).
Hypothesis checked : check_blocks_everywhere c l m L gaps cuts = true.
Lemma block_numbers : 1 <= m /\ (0 <= L)%Q.
Proof.
  unfold check_blocks_everywhere in checked. cbv zeta in checked. destruct ((1 <=? m) && Qle_bool 0 L)%bool eqn:e; [| discriminate]. apply andb_true_iff in e. split; [now apply Nat.leb_le | now apply Qle_bool_iff].
Qed.
Lemma blocks_follow theta phi i j h past o : in_cells (Theta c) theta -> in_cells (Psi c) phi -> i < j -> j < List.length blocks -> h < horizon d -> In (past, o) (histories_B d h) ->
  let P := nth i blocks [] in let N := nth j blocks [] in (forall p, In p (P ++ N) -> possible d (world_of d theta) (policy_of d p) past o) ->
  forall D, (forall k, k < m -> (posterior_distance d (world_of d theta) (policy_of d (nth k P O)) (policy_of d (nth k N O)) past o <= D)%Q) ->
  (apart d (reaction d (Table l) phi P) (reaction d (Table l) phi N) h (read_B d past o) <= L * D)%Q.
Proof.
  intros (z & iz & it) (z' & iz' & ip) ij hj hh io P N pos D hD. destruct block_numbers as [hm l0].
  assert (iP : In P blocks) by (apply nth_In; lia). assert (iN : In N blocks) by (now apply nth_In). apply Windows.in_tuples in iP, iN. destruct iP as [lP bP], iN as [lN bN].
  assert (D0 : (0 <= D)%Q) by (eapply Qle_trans; [apply distance_nonneg | apply (hD 0); lia]).
  unfold apart. rewrite (qsum_eq _ _ (fun b => Qabs (decision_of (nOB d) phi (answer l P) h (read_B d past o) b - decision_of (nOB d) phi (answer l N) h (read_B d past o) b))) by (intro b; rewrite !answer_is; reflexivity).
  fold (apart d (decision_of (nOB d) phi (answer l P)) (decision_of (nOB d) phi (answer l N)) h (read_B d past o)).
  unfold check_blocks_everywhere in checked. cbv zeta in checked. destruct ((1 <=? m) && Qle_bool 0 L)%bool; [| discriminate].
  destruct (forallb _ (Psi c)) eqn:g; [| discriminate]. rewrite forallb_forall in g, checked. specialize (g z' iz'). pose proof (checked z iz) as k. clear checked. cbv beta in k.
  destruct (world_polys d z) eqn:polys; [| discriminate].
  apply (below_sound _ _ j) in g; [| exact hj]. apply (below_sound _ _ i) in g; [| exact ij]. apply (below_sound _ _ h) in g; [| exact hh].
  rewrite forallb_forall in g. specialize (g _ (read_heard d h past o io)). fold P N in g. apply (tables_within_sound d z' _ _ _ h _ phi ip) in g.
  apply Qle_trans with (1 := g). clear g. apply (below_sound _ _ h) in k; [| exact hh]. rewrite forallb_forall in k. specialize (k _ io). cbn [fst snd] in k.
  apply (below_sound _ _ j) in k; [| exact hj]. apply (below_sound _ _ i) in k; [| exact ij]. cbv beta in k. fold P N in k. set (gap := gap_at _ _ _ _ _ _) in *.
  destruct (Qle_bool gap 0) eqn:g0.
  { apply Qle_bool_iff in g0. apply Qle_trans with (1 := g0). now apply Qmult_le_0_compat. }
  destruct (cell_within z theta it) as [wb wc]. destruct (some_on_parts_sound _ _ _ _ wc _ _ k wb) as (centre & G & iG & nn). clear k.
  apply in_map_iff in iG. destruct iG as ((p, q) & <- & ipq). unfold pairs_of in ipq. apply filter_In in ipq. destruct ipq as [ipq _]. cbn [fst snd] in nn.
  apply in_map_iff in ipq. destruct ipq as ((p0, q0) & epq & ipq). cbn [fst snd] in epq.
  apply (In_nth _ _ (O, O)) in ipq. destruct ipq as (x & lx & ex). rewrite combine_length in lx. rewrite combine_nth in ex by congruence.
  assert (ip0 : In p0 P) by (replace p0 with (nth x P O) by congruence; apply nth_In; lia). assert (iq0 : In q0 N) by (replace q0 with (nth x N O) by congruence; apply nth_In; lia).
  assert (near0 : (posterior_distance d (world_of d theta) (policy_of d p0) (policy_of d q0) past o <= D)%Q).
  { replace p0 with (nth x P O) by congruence. replace q0 with (nth x N O) by congruence. apply hD. lia. }
  assert (pq : (In p (P ++ N) /\ In q (P ++ N)) /\ (posterior_distance d (world_of d theta) (policy_of d p) (policy_of d q) past o <= D)%Q).
  { assert (ord : (p = p0 /\ q = q0) \/ (p = q0 /\ q = p0)) by (injection epq as <- <-; lia). rewrite !in_app_iff. destruct ord as [[-> ->] | [-> ->]]; [tauto |].
    split; [tauto |]. rewrite distance_symmetric. exact near0. }
  destruct pq as [[ip' iq'] near]. assert (small : forall y, In y (P ++ N) -> y < List.length (policies d)) by (intros y k; apply in_app_iff in k; destruct k; auto).
  pose proof (small p ip') as hp. pose proof (small q iq') as hq.
  assert (row : forall p, p < List.length (policies d) -> nth p (map (fun pt => posterior_polys d z (fst pt) (snd pt) past o) (map (fun pi => (pi, turned_tables d z pi)) (players d))) (zero (List.length (axes z)), [])
    = posterior_polys d z (policy_of d p) (turned_tables d z (policy_of d p)) past o).
  { intros y hy. unfold players. rewrite !map_map. cbn [fst snd]. exact (nth_seq (fun y => posterior_polys d z (policy_of d y) (turned_tables d z (policy_of d y)) past o) _ y _ hy). }
  rewrite !row in nn by assumption.
  apply Qle_trans with (L * posterior_distance d (world_of d theta) (policy_of d p) (policy_of d q) past o)%Q.
  - exact (gap_followed d z centre L gap _ _ past o theta it polys l0 (pos p ip') (pos q iq') nn).
  - rewrite !(Qmult_comm L). apply Qmult_le_compat_r; [exact near | exact l0].
Qed.
Theorem blocks_everywhere form : everywhere c (fun d => posterior_lipschitz d (Table l) m form L).
Proof.
  intros ts ps [il il']. apply any_form. destruct block_numbers as [hm l0]. split; [exact l0 |]. intros theta it phi iphi P N bP bN h hh past o io w pos D hD.
  specialize (il theta it). specialize (il' phi iphi). unfold histories_B in io. rewrite pairs_B_at in io. change (In (past, o) (histories_B d h)) in io. change (h < horizon d) in hh.
  change (policy_of (at_points d ts ps)) with (policy_of d) in *. change (policies (at_points d ts ps)) with (policies d) in *.
  assert (possible_at : forall p, In p (P ++ N) -> possible d (world_of d theta) (policy_of d p) past o).
  { intros p i. specialize (pos p i). unfold possible in pos. rewrite posterior_mass_at in pos. exact pos. }
  assert (dist : forall k, k < m -> (posterior_distance d (world_of d theta) (policy_of d (nth k P O)) (policy_of d (nth k N O)) past o <= D)%Q).
  { intros k hk. destruct bP as [lP _], bN as [lN _]. assert (jp : In (nth k P O) (P ++ N)) by (apply in_or_app; left; apply nth_In; lia). assert (jq : In (nth k N O) (P ++ N)) by (apply in_or_app; right; apply nth_In; lia).
    assert (io' : In (past, o) (histories_B (at_points d ts ps) h)) by (unfold histories_B; rewrite pairs_B_at; exact io).
    specialize (hD k hk h past o io' hh (or_intror (conj eq_refl eq_refl)) (pos _ jp) (pos _ jq)).
    assert (e : (posterior_distance (at_points d ts ps) w (policy_of d (nth k P O)) (policy_of d (nth k N O)) past o == posterior_distance d (world_of d theta) (policy_of d (nth k P O)) (policy_of d (nth k N O)) past o)%Q).
    { unfold posterior_distance, S_ref. apply qsum_eq. intro a. now rewrite !posterior_mass_at. }
    rewrite e in hD. exact hD. }
  assert (D0 : (0 <= D)%Q) by (eapply Qle_trans; [apply distance_nonneg | apply (dist 0); lia]).
  assert (iP : In P blocks) by (now apply Windows.in_tuples). assert (iN : In N blocks) by (now apply Windows.in_tuples).
  apply (In_nth _ _ []) in iP, iN. destruct iP as (i & li & <-), iN as (j & lj & <-).
  change (apart d (reaction d (Table l) phi (nth i blocks [])) (reaction d (Table l) phi (nth j blocks [])) h (read_B d past o) <= L * D)%Q.
  destruct (Nat.lt_trichotomy i j) as [less | [<- | more]].
  - now apply (blocks_follow theta phi i j h past o).
  - unfold apart. rewrite (qsum_eq _ _ (fun _ => 0%Q)) by (intro b; unfold Qminus; rewrite Qplus_opp_r; reflexivity). rewrite qsum_zero. now apply Qmult_le_0_compat.
  - unfold apart. rewrite (qsum_eq _ _ (fun b => Qabs (reaction d (Table l) phi (nth j blocks []) h (read_B d past o) b - reaction d (Table l) phi (nth i blocks []) h (read_B d past o) b))) by (intro; rewrite Qabs_Qminus; reflexivity).
    apply (blocks_follow theta phi j i h past o); auto.
    + intros p k. apply possible_at. apply in_app_iff in k. apply in_app_iff. tauto.
    + intros k hk. rewrite distance_symmetric. now apply dist.
Qed.
End Blocks.
