(** What episodes tell against the models that may deploy a policy that costs (docs/bound.md, Lemma B and event B): the models are found by their
    values, and affinities are bounded above by square roots rounded up. *)
From Pomgcheck Require Import Logs OrderedField Statements RealSums Hellinger SparseLaws TrajectoryLaws ForwardLaws ScheduleBound Play Numbers NestedRule Ranges.
From Coq Require Import QArith Qreals.
Open Scope nat_scope.

(** ** Affinities *)
Definition BITS : Z := 64.
Definition root_up (x : Q) : Q := ((Z.sqrt (Qnum x * 4 ^ BITS / QDen x) + 1) # 2 ^ 64)%Q.
Definition products d xi star p : list Q := map (fun e => hd 0%Q (snd e) * nth 1 (snd e) 0%Q)%Q (rows d p [xi; star] (horizon d)).
Definition affinity_up (products : list Q) : Q := OrderedField.qsum products root_up.
(** an episode tells c at least, and as much as one likes where no trajectory is possible in both models *)
Definition tells_at_least d xi star p (c : Q) : bool := let l := products d xi star p in
  negb (Qle_bool c 0) && (forallb (fun x => Qle_bool x 0) l || match enclose 64 20 (near 64 20 2) (affinity_up l) with Some (_, hi) => Qle_bool hi (- c) | None => false end).
Lemma root_up_ge x : (0 <= x)%Q -> (sqrt (Q2R x) <= Q2R (root_up x))%R.
Proof.
  intro h. unfold root_up. set (n := (Qnum x * 4 ^ BITS / QDen x)%Z).
  assert (xn : (0 <= Qnum x)%Z) by (unfold Qle in h; simpl in h; lia). assert (dp : (0 < QDen x)%Z) by reflexivity.
  assert (n0 : (0 <= n)%Z) by (apply Z.div_pos; [apply Z.mul_nonneg_nonneg; [exact xn | now apply Z.pow_nonneg] | exact dp]).
  destruct (Z.sqrt_spec n n0) as [_ k]. set (s := Z.sqrt n) in *. assert (s0 : (0 <= s)%Z) by apply Z.sqrt_nonneg.
  assert (b : (Qnum x * 4 ^ BITS < QDen x * (n + 1))%Z) by (unfold n; rewrite Z.add_1_r; now apply Z.mul_succ_div_gt).
  assert (l : (x <= (s + 1 # 2 ^ 64) * (s + 1 # 2 ^ 64))%Q).
  { unfold Qle, Qmult. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul. change (Z.pos (2 ^ 64) * Z.pos (2 ^ 64))%Z with (4 ^ BITS)%Z. unfold Z.succ in k. nia. }
  apply Qle_Rle in l. rewrite Q2R_mult in l. assert (p : (0 <= Q2R (s + 1 # 2 ^ 64))%R) by (apply Q2R_pos; unfold Qle; simpl; lia).
  rewrite <- (sqrt_square (Q2R (s + 1 # 2 ^ 64))) by exact p. now apply sqrt_le_1_alt.
Qed.
Lemma affinity_by_products d r xi star p : affinity (trajectories d) (prob (class_of d r) xi p) (prob (class_of d r) star p) = sum (products d xi star p) (fun x => sqrt (Q2R x)).
Proof.
  unfold products, affinity, trajectories. rewrite sum_map, (sum_of_rows d p [xi; star]).
  - apply sum_ext. intros [tau qs] i. cbn [fst snd]. apply laws_of_rows in i. inversion i as [| a b l l' ea i' e1 e2]; subst. inversion i' as [| a' b' m m' eb _ e1 e2]; subst. cbn [hd nth].
    cbn [prob class_of] in *. rewrite Q2R_mult. now rewrite (Qeq_eqR _ _ ea), (Qeq_eqR _ _ eb).
  - intros tau z. cbn [prob class_of]. rewrite (Qeq_eqR _ _ (z xi (or_introl eq_refl))). unfold Q2R at 1. simpl. rewrite !Rmult_0_l. apply sqrt_0.
Qed.
Lemma products_nonneg d r xi star p : (forall tau, In tau (trajectories d) -> (0 <= prob (class_of d r) xi p tau * prob (class_of d r) star p tau)%R) ->
  forall x, In x (products d xi star p) -> (0 <= x)%Q.
Proof.
  intros pos x i. apply in_map_iff in i. destruct i as ([tau qs] & <- & i). cbn [snd]. assert (it : In tau (trajectories d)) by (eapply rows_in; exact i).
  apply laws_of_rows in i. inversion i as [| a b l l' ea i' e1 e2]; subst. inversion i' as [| a' b' m m' eb _ e1 e2]; subst. cbn [hd nth]. specialize (pos tau it). cbn [prob class_of] in pos.
  rewrite <- Q2R_mult in pos. apply Rle_Qle. replace (Q2R 0) with 0%R by (unfold Q2R; simpl; lra). rewrite Q2R_mult. rewrite Q2R_mult in pos.
  now rewrite (Qeq_eqR _ _ ea), (Qeq_eqR _ _ eb).
Qed.
Lemma tells_sound d r xi star p c : (forall tau, In tau (trajectories d) -> (0 <= prob (class_of d r) xi p tau * prob (class_of d r) star p tau)%R) ->
  tells_at_least d xi star p c = true -> (exp (Q2R c) * affinity (trajectories d) (prob (class_of d r) xi p) (prob (class_of d r) star p) <= 1)%R.
Proof.
  intros pos k. unfold tells_at_least in k. cbv zeta in k. apply andb_true_iff in k. destruct k as [_ k]. pose proof (products_nonneg d r xi star p pos) as p0.
  rewrite affinity_by_products. set (l := products d xi star p) in *. apply orb_true_iff in k. destruct k as [k | k].
  - rewrite sum_zero; [lra |]. intros x i. rewrite forallb_forall in k. specialize (k x i). apply Qle_bool_iff, Qle_Rle in k. specialize (p0 x i). apply Qle_Rle in p0.
    replace (Q2R x) with 0%R by (replace (Q2R 0) with 0%R in * by (unfold Q2R; simpl; lra); lra). apply sqrt_0.
  - destruct (enclose _ _ _ _) as [[lo hi] |] eqn:e; [| discriminate]. apply Qle_bool_iff, Qle_Rle in k. rewrite Q2R_opp in k.
    assert (u : (sum l (fun x => sqrt (Q2R x)) <= Q2R (affinity_up l))%R) by (unfold affinity_up; rewrite Q2R_qsum; apply sum_le; intros x i; now apply root_up_ge, p0).
    pose proof (sum_nonneg l (fun x => sqrt (Q2R x)) (fun x _ => sqrt_pos _)) as s0. pose proof (exp_pos (Q2R c)) as ep.
    destruct s0 as [s0 | <-]; [| lra]. pose proof (enclose_sound 64 20 (affinity_up l) lo hi ltac:(lra) e) as [_ h].
    apply Rle_trans with (exp (Q2R c) * exp (- Q2R c))%R; [| rewrite <- exp_plus, Rplus_opp_r, exp_0; lra]. apply Rmult_le_compat_l; [lra |].
    rewrite <- (exp_ln (Q2R (affinity_up l))) in u by lra. assert (w : (ln (Q2R (affinity_up l)) <= - Q2R c)%R) by lra. destruct w as [w | w]; [apply exp_increasing in w; lra | rewrite w in u; exact u].
Qed.

(** ** Harmful models, by the rows of the table of values *)
Section Rows.
Variables (n : nat) (truth row : list Q).       (* values where star is true, and where xi is *)
Definition best_first (p : nat) : bool := let v := nth p row 0%Q in
  forallb (fun q => let x := nth q truth 0%Q in let y := nth q row 0%Q in
    if q <? p then negb (Qle_bool v x) && negb (Qle_bool v y) else Qle_bool x v && Qle_bool y v) (seq 0 n).
Definition costs (p : nat) : bool := negb (Qle_bool (greatest truth) (nth p truth 0%Q)).
Definition deployable : list nat := filter (fun p => costs p && best_first p) (seq 0 n).
End Rows.
Definition told := (nat * list (nat * Q))%type.       (* how many models are harmful at most, and the policies that they may deploy with what is told *)
Definition check_told_at d (table : list ((point * point) * list Q)) (star : point * point) (truth : list Q) (e : told) : bool :=
  let n := List.length (policies d) in
  (List.length (filter (fun x => match deployable n truth (snd x) with [] => false | _ => true end) table) <=? fst e) &&
  forallb (fun x => forallb (fun p => existsb (fun y => (fst y =? p) && tells_at_least d (fst x) star p (snd y)) (snd e)) (deployable n truth (snd x))) table.
Definition policies_told n (tolds : list told) : bool := forallb (fun e => forallb (fun y => (fst y <? n) && negb (Qle_bool (snd y) 0)) (snd e)) tolds.
(** the values of every model *)
Definition values_of d r : list ((point * point) * list Q) := map (fun xi => (xi, map (value_fast d r xi) (seq 0 (List.length (policies d))))) (models d).
Definition check_told d (table : list ((point * point) * list Q)) (tolds : list told) : bool :=
  policies_told (List.length (policies d)) tolds && (List.length tolds =? List.length table) && forallb (fun x => check_told_at d table (fst (fst x)) (snd (fst x)) (snd x)) (combine table tolds).
(** what is told where star is true *)
Definition told_at d (tolds : list told) star : told :=
  match find (fun x => if point_dec star (fst x) then true else false) (combine (models d) tolds) with Some x => snd x | None => (0, []) end.
Definition in_reals (e : told) : nat * list (nat * R) := (fst e, map (fun y => (fst y, Q2R (snd y))) (snd e)).

(** where star is true, [harmful] has the models that may deploy a policy that costs, and [costly] for each such policy a number that an episode
    tells against them at least *)
Definition told_enough d r star (harmful : list (point * point)) (costly : list (nat * R)) : Prop :=
  (forall xi p, In xi (models d) -> In p (seq 0 (List.length (policies d))) -> could_deploy (class_of d r) star xi p ->
     (0 < gap (class_of d r) star (best_policy d r star) p)%R -> In xi harmful /\ exists z, In (p, z) costly /\
       (exp z * affinity (trajectories d) (prob (class_of d r) xi p) (prob (class_of d r) star p) <= 1)%R) /\
  (forall xi, In xi harmful -> In xi (models d)) /\ forall e, In e costly -> In (fst e) (seq 0 (List.length (policies d))) /\ (0 < snd e)%R.

Section Sound.
Variables (d : doc) (r : nat -> nat -> Q).
Notation K := (class_of d r).
Notation Pi := (seq 0 (List.length (policies d))).
Notation row xi := (map (value_fast d r xi) Pi).
Lemma nth_row xi p : In p Pi -> Q2R (nth p (row xi) 0%Q) = value K xi p.
Proof.
  intro i. apply in_seq in i. rewrite (nth_indep _ 0%Q (value_fast d r xi 0)) by (rewrite map_length, seq_length; lia). rewrite map_nth, seq_nth by lia. apply value_fast_is.
Qed.
Lemma split_seq n before p after : seq 0 n = before ++ p :: after -> forall q, q < p -> In q before.
Proof.
  intros e q l. assert (k : List.length before = p).
  { assert (h : nth (List.length before) (seq 0 n) n = p) by (rewrite e, app_nth2, Nat.sub_diag by lia; reflexivity).
    assert (len : List.length before < n) by (rewrite <- (seq_length n 0), e, app_length; simpl; lia). rewrite seq_nth in h by exact len. exact h. }
  assert (h : nth q (seq 0 n) n = q) by (apply seq_nth; rewrite <- (seq_length n 0), e, app_length; simpl; lia).
  rewrite e, app_nth1 in h by lia. rewrite <- h. apply nth_In. lia.
Qed.
Lemma lt_not_le x y : (Q2R x < Q2R y)%R -> negb (Qle_bool y x) = true.
Proof. intro h. apply negb_true_iff. destruct (Qle_bool y x) eqn:e; [apply Qle_bool_iff, Qle_Rle in e; lra | reflexivity]. Qed.
Lemma le_bool x y : (Q2R x <= Q2R y)%R -> Qle_bool x y = true.
Proof. intro h. apply Qle_bool_iff. now apply Rle_Qle. Qed.
Lemma found star xi p : 0 < List.length (policies d) -> In p Pi -> could_deploy K star xi p -> (0 < gap K star (best_policy d r star) p)%R ->
  In p (deployable (List.length (policies d)) (row star) (row xi)).
Proof.
  intros hp i (before & after & e & all & first) g. apply filter_In. split; [exact i |]. apply andb_true_iff. split.
  - unfold costs. apply lt_not_le. rewrite nth_row by exact i. unfold gap in g. rewrite (best_value d r hp star) in g. unfold row_of in g. lra.
  - unfold best_first. cbv zeta. apply forallb_forall. intros q j. destruct (q <? p) eqn:l.
    + apply Nat.ltb_lt in l. pose proof (split_seq _ _ _ _ e q l) as b. destruct (first q b). apply andb_true_iff. split; apply lt_not_le; rewrite !nth_row by assumption; assumption.
    + destruct (all q j). apply andb_true_iff. split; apply le_bool; rewrite !nth_row by assumption; assumption.
Qed.
Lemma told_at_is tolds star : check_told d (values_of d r) tolds = true -> In star (models d) -> check_told_at d (values_of d r) star (row star) (told_at d tolds star) = true.
Proof.
  unfold check_told. intros k i. rewrite !andb_true_iff in k. destruct k as [[_ len] k]. apply Nat.eqb_eq in len. unfold values_of in len. rewrite map_length in len. rewrite forallb_forall in k.
  unfold told_at. destruct (find _ _) as [[xi e] |] eqn:f.
  - apply find_some in f. destruct f as [j s]. cbn [fst snd] in *. destruct (point_dec star xi) as [<- |]; [| discriminate]. apply (k ((star, row star), e)). clear - j.
    unfold values_of. revert tolds j. induction (models d) as [| x l ih]; intros [| t tolds] j; try destruct j as [].
    + apply pair_equal_spec in H. destruct H as [-> ->]. now left.
    + right. now apply ih.
  - exfalso. assert (m : exists e, In (star, e) (combine (models d) tolds)).
    { clear - len i. revert tolds len. induction (models d) as [| x l ih]; intros [| t tolds] len; simpl in len; try lia; [destruct i |]. destruct i as [-> | i]; [exists t; now left |].
      destruct (ih i tolds ltac:(lia)) as [e j]. exists e. now right. }
    destruct m as [e m]. pose proof (find_none _ _ f _ m) as z. cbn [fst] in z. destruct (point_dec star star); [discriminate | tauto].
Qed.
Lemma policies_told_at tolds star : policies_told (List.length (policies d)) tolds = true -> forall y, In y (snd (told_at d tolds star)) -> fst y < List.length (policies d) /\ (0 < Q2R (snd y))%R.
Proof.
  unfold policies_told, told_at. intros k y i. destruct (find _ _) as [[xi e] |] eqn:f; [| destruct i]. apply find_some in f. destruct f as [f _]. apply in_combine_r in f.
  rewrite forallb_forall in k. specialize (k e f). rewrite forallb_forall in k. specialize (k y i). apply andb_true_iff in k. destruct k as [c1 c2].
  apply Nat.ltb_lt in c1. apply not_le_R in c2. replace (Q2R 0) with 0%R in c2 by (unfold Q2R; simpl; lra). now split.
Qed.
Hypothesis ok : class_of_games d.
Hypothesis wA : 1 <= policy_window d.
Hypothesis wB : 1 <= response_window d.
Theorem check_told_sound tolds star : check_told d (values_of d r) tolds = true -> 0 < List.length (policies d) -> In star (models d) ->
  exists harmful, fst (told_at d tolds star) = List.length harmful /\ told_enough d r star harmful (snd (in_reals (told_at d tolds star))).
Proof.
  intros k hp i. pose proof (told_at_is tolds star k i) as c. set (e := told_at d tolds star) in *. unfold check_told_at in c. cbv zeta in c. rewrite !andb_true_iff, !forallb_forall in c.
  destruct c as [len apart]. pose proof k as cin. unfold check_told in cin. rewrite !andb_true_iff in cin. destruct cin as [[cin _] _]. apply Nat.leb_le in len. set (hurts := fun x : (point * point) * list Q => match deployable _ _ (snd x) with [] => false | _ => true end) in *.
  set (listed := map fst (filter hurts (values_of d r))). set (more := repeat star (fst e - List.length listed)).
  exists (listed ++ more). split; [unfold more; rewrite app_length, repeat_length; unfold listed; rewrite map_length; lia |].
  assert (pos : forall xi p tau, In xi (models d) -> In p Pi -> In tau (trajectories d) -> (0 <= prob K xi p tau)%R) by (intros; now apply Ranges.law_positive).
  split; [| split].
  - intros xi p ix ip could g. pose proof (found star xi p hp ip could g) as f. assert (ixv : In (xi, row xi) (values_of d r)) by (unfold values_of; now apply (in_map (fun xi => (xi, row xi)))).
    split.
    + apply in_or_app. left. apply in_map_iff. exists (xi, row xi). split; [reflexivity |]. apply filter_In. split; [exact ixv |]. unfold hurts. cbn [snd]. destruct (deployable _ _ _); [destruct f | reflexivity].
    + specialize (apart _ ixv). cbn [fst snd] in apart. rewrite forallb_forall in apart. specialize (apart p f). apply existsb_exists in apart. destruct apart as ([q c] & j & t).
      cbn [fst snd] in t. apply andb_true_iff in t. destruct t as [t1 t2]. apply Nat.eqb_eq in t1. subst q. exists (Q2R c). split.
      * unfold in_reals. cbn [snd]. now apply (in_map (fun y => (fst y, Q2R (snd y))) (snd e) (p, c)).
      * apply tells_sound; [intros; apply Rmult_le_pos; auto | exact t2].
  - intros xi j. apply in_app_or in j. destruct j as [j | j]; [| apply repeat_spec in j; now subst]. apply in_map_iff in j. destruct j as (x & <- & j). apply filter_In in j. destruct j as [j _]. unfold values_of in j. apply in_map_iff in j. destruct j as (xi & <- & j). exact j.
  - intros y j. unfold in_reals in j. cbn [snd] in j. apply in_map_iff in j. destruct j as (z & <- & j). destruct (policies_told_at tolds star cin z j) as [c1 c2].
    cbn [fst snd]. split; [apply in_seq; lia | exact c2].
Qed.
End Sound.
