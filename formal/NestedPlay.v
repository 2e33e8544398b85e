(** Theorem N for a document, against the opponent who remembers m policies: regret over all episodes, warm-up included; and the numbers of its bound, by
    enclosed logarithms. *)
From Pomgcheck Require Import Logs OrderedField Statements.
From Pomgcheck Require Import RealSums Ville Hellinger ScheduleBound WarmUp NestedRule Play Numbers Ranges HarmfulModels ComputingRule.
From Coq Require Import QArith Qminmax Qreals Qround NArith.
Open Scope R_scope.

Theorem nested_regret_of_class d rule m r delta past star R R' harmful costly : class_of_games d -> (1 <= policy_window d)%nat -> (1 <= response_window d)%nat ->
  warmup_stationary d rule m -> reaction_of_class d rule m -> check_ranges d r R R' = true ->
  (m <= S (List.length past))%nat -> (forall p, In p past -> (p < List.length (policies d))%nat) ->
  (0 < List.length (policies d))%nat -> 0 < delta <= 1 -> In star (models d) -> told_enough d r star harmful costly ->
  forall T, probability d r delta star T (ever (fun h =>
    Rltb (nested_bound (class_of d r) delta m (first_pair d) (Q2R R') star (best_policy d r star) (List.length harmful, costly) (List.length h))
         (policy_regret d rule r delta m past star h))) <= 2 * delta.
Proof.
  intros ok wA wB st bl hr pl pi hp hd hs (apart & hin & cin) T. set (K := class_of d r) in *. set (learner := nested_learner d r delta).
  assert (pi' : forall p, In p past -> In p (seq 0 (List.length (policies d)))) by (intros p i; apply in_seq; specialize (pi p i); lia).
  assert (pos : forall xi p tau, In xi (models d) -> In p (seq 0 (List.length (policies d))) -> In tau (trajectories d) -> 0 <= prob K xi p tau)
    by (intros; now apply law_positive).
  assert (one : forall xi p, In xi (models d) -> In p (seq 0 (List.length (policies d))) -> sum (trajectories d) (prob K xi p) = 1) by (intros; now apply one_law).
  assert (d0 : In (fst (first_pair d)) (the_models K) /\ In (snd (first_pair d)) (the_policies K)).
  { unfold first_pair. cbn. split; [destruct (models d); [destruct hs | now left] | apply in_seq; lia]. }
  assert (plays : forall h, In (pi_of K learner h) (the_policies K)) by (intro h; apply (optimal_in K (first_pair d) d0)).
  eapply Rle_trans; [| apply (regret_of_nested K pos one delta m (first_pair d) (Q2R R') star (best_policy d r star) harmful costly hd d0 (later_nonneg d r R R' hr) hs
    (fun p i => best_is d r star p i) hin) with (T := T)]; auto.
  apply Pr_le; [intros h tau _ k; apply pos; auto |]. intros h _ _ _. apply ever_weaker. intros h' x. apply Rltb_spec. apply Rltb_spec in x.
  eapply Rlt_le_trans; [exact x |]. apply (cost_of_learner d r ok wA wB R R' hr rule m past star learner); auto. apply another_keeps.
Qed.

(** ** Numbers *)
(** r(pi) and c(pi), where [row] has the values of the true model *)
Definition costs_at (row : list Q) (e : told) : list (Q * Q) := map (fun y => (Qred (greatest row - nth (fst y) row 0), snd y)%Q) (snd e).
Lemma costs_are d r star e : (0 < List.length (policies d))%nat -> (forall y, In y (snd e) -> (fst y < List.length (policies d))%nat /\ 0 < Q2R (snd y)) ->
  Forall2 (fun y z => gap (class_of d r) star (best_policy d r star) (fst z) = Q2R (fst y) /\ snd z = Q2R (snd y) /\ 0 < snd z)
    (costs_at (map (value_fast d r star) (seq 0 (List.length (policies d)))) e) (snd (in_reals e)).
Proof.
  intros hp c0. unfold costs_at, in_reals. cbn [snd]. induction (snd e) as [| [p z] l ih]; constructor; [| apply ih; intros y i; apply c0; now right].
  destruct (c0 _ (or_introl eq_refl)) as [c1 c2]. cbn [fst snd] in *. split; [| now split].
  unfold gap. rewrite (best_value d r hp star), Q2R_red, Q2R_minus, nth_row by (apply in_seq; lia). reflexivity.
Qed.
Definition whole_Q (e c : Q) : Q := inject_Z (1 + Qfloor (e / c)).
Lemma whole_le e e' c : e <= Q2R e' -> 0 < Q2R c -> whole_episodes e (Q2R c) <= Q2R (whole_Q e' c).
Proof.
  intros h c0. unfold whole_episodes, whole_Q. rewrite Q2R_num, plus_IZR. apply Rplus_le_compat_l, IZR_le. destruct (base_Int_part (e / Q2R c)) as [b _].
  assert (l : e / Q2R c <= Q2R (e' / c)) by (rewrite Q2R_quotient by lra; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact h]).
  pose proof (Qlt_floor (e' / c)) as f. apply Qlt_Rlt in f. rewrite Q2R_num, plus_IZR in f. assert (x : IZR (Int_part (e / Q2R c)) < IZR (Qfloor (e' / c)) + 1) by lra.
  rewrite <- plus_IZR in x. apply lt_IZR in x. lia.
Qed.
Lemma whole_below e e' c : Q2R e' <= e -> 0 < Q2R c -> Q2R (whole_Q e' c) <= whole_episodes e (Q2R c).
Proof.
  intros h c0. unfold whole_episodes, whole_Q. rewrite Q2R_num, plus_IZR. apply Rplus_le_compat_l, IZR_le. destruct (base_Int_part (e / Q2R c)) as [_ b].
  assert (l : Q2R (e' / c) <= e / Q2R c) by (rewrite Q2R_quotient by lra; apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact h]).
  pose proof (Qfloor_le (e' / c)) as f. apply Qle_Rle in f. rewrite Q2R_num in f. assert (x : IZR (Qfloor (e' / c)) < IZR (Int_part (e / Q2R c)) + 1) by lra.
  rewrite <- plus_IZR in x. apply lt_IZR in x. lia.
Qed.
(** ends of u / 2 + log (h / delta), for n models of which h are harmful *)
Definition evidence_ends (n : nat) (delta : Q) (h : nat) : option (Q * Q) :=
  match log_ends (nat_Q (Nat.max 1 (n - 1)) / delta)%Q, log_ends (nat_Q (Nat.max 1 h) / delta)%Q with
  | Some (u_lo, u), Some (b_lo, b) => Some (Qred (u_lo * (1 # 2) + b_lo), Qred (u * (1 # 2) + b))
  | _, _ => None
  end.
Lemma evidence_ends_sound K delta h lo hi : 0 < Q2R delta -> evidence_ends (length (the_models K)) delta h = Some (lo, hi) ->
  Q2R lo <= evidence_of K (Q2R delta) h <= Q2R hi.
Proof.
  intros d0 k. unfold evidence_ends in k. destruct (log_ends (nat_Q (Nat.max 1 (_ - 1)) / delta)%Q) as [[u_lo u] |] eqn:eu; [| discriminate]. destruct (log_ends (nat_Q (Nat.max 1 h) / delta)%Q) as [[b_lo b] |] eqn:eb; [| discriminate].
  replace lo with (Qred (u_lo * (1 # 2) + b_lo)) by congruence. replace hi with (Qred (u * (1 # 2) + b)) by congruence. clear k. assert (q : forall n, Q2R (nat_Q (Nat.max 1 n) / delta)%Q = INR (Nat.max 1 n) / Q2R delta) by (intro n; rewrite Q2R_quotient by lra; unfold nat_Q; now rewrite Q2R_nat).
  assert (p : forall n, 0 < INR (Nat.max 1 n) / Q2R delta) by (intro n; apply Rmult_lt_0_compat; [apply lt_0_INR; lia | now apply Rinv_0_lt_compat]).
  apply log_ends_sound in eu; [| rewrite q; apply p]. apply log_ends_sound in eb; [| rewrite q; apply p]. rewrite q in eu, eb.
  unfold evidence_of, radius, threshold, at_stake. rewrite !Q2R_red, !Q2R_plus, !Q2R_mult. replace (Q2R (1 # 2)) with (/ 2) by (unfold Q2R; simpl; lra). lra.
Qed.
(** Theorem N where star is true *)
Definition bound_N d r (later delta : Q) m (tolds : list told) star : nat -> R :=
  nested_bound (class_of d r) (Q2R delta) m (first_pair d) (Q2R later) star (best_policy d r star) (in_reals (told_at d tolds star)).
Definition list_of (table : list ((point * point) * list Q)) : list (entry (point * point)) := listed_Q (map (fun x => (fst x, key_of (snd x))) table).
(** its upper end at t, or at all times, and its lower end at t, from the table of values and the list of the models *)
Definition warm_up m (later : Q) listed star : Q := (nat_Q (m - 1) * later * nat_Q (runs_Q point_dec star listed))%Q.
Definition bound_up d m (later delta : Q) tolds listed (x : (point * point) * list Q) (t : option N) : option Q :=
  let e := told_at d tolds (fst x) in let costs := costs_at (snd x) e in
  match evidence_ends (List.length (models d)) delta (fst e) with
  | Some (_, v) => Some (match t with Some t => fill_Q costs (whole_Q v) (inject_Z (Z.of_N t)) | None => fill_at_Q costs (whole_Q v) 0 0 end + warm_up m later listed (fst x))%Q
  | None => None
  end.
Definition bound_down d m (later delta : Q) tolds listed (x : (point * point) * list Q) (t : N) : option Q :=
  let e := told_at d tolds (fst x) in
  match evidence_ends (List.length (models d)) delta (fst e) with
  | Some (v, _) => Some (fill_Q (costs_at (snd x) e) (whole_Q v) (inject_Z (Z.of_N t)) + warm_up m later listed (fst x))%Q
  | None => None
  end.
Definition numbers_ok d (later delta : Q) tolds : bool :=
  (0 <? List.length (policies d))%nat && negb (Qle_bool delta 0) && Qle_bool delta 1 && Qle_bool 0 later && policies_told (List.length (policies d)) tolds.
Definition check_bound_N d (table : list ((point * point) * list Q)) m (later delta : Q) tolds (t : option N) (wanted : Q -> bool) : bool :=
  let listed := list_of table in numbers_ok d later delta tolds &&
  forallb (fun x => match bound_up d m later delta tolds listed x t with Some b => wanted b | None => false end) table.
Definition check_bound_N_reached d (table : list ((point * point) * list Q)) m (later delta : Q) tolds (t : N) (wanted : Q -> bool) : bool :=
  let listed := list_of table in numbers_ok d later delta tolds &&
  existsb (fun x => match bound_down d m later delta tolds listed x t with Some b => wanted b | None => false end) table.
Lemma numbers_ok_sound d later delta tolds : numbers_ok d later delta tolds = true ->
  (0 < List.length (policies d))%nat /\ 0 < Q2R delta <= 1 /\ 0 <= Q2R later /\ policies_told (List.length (policies d)) tolds = true.
Proof.
  unfold numbers_ok. rewrite !andb_true_iff. intros [[[[hp d0] d1] l0] ht]. apply Nat.ltb_lt in hp. apply not_le_R in d0. apply Qle_bool_iff, Qle_Rle in d1, l0. rewrite Q2R_one in d1.
  replace (Q2R 0) with 0 in d0, l0 by (unfold Q2R; simpl; lra). auto.
Qed.
Lemma runs_are d r star : In star (models d) -> (0 < List.length (policies d))%nat -> runs_Q point_dec star (list_of (values_of d r)) = runs (class_of d r) (first_pair d) star.
Proof.
  intros hs hp. set (K := class_of d r). assert (d0 : In (snd (first_pair d)) (the_policies K)) by (apply in_seq; simpl; lia).
  assert (a : forall x, In x (map (fun x => (fst x, key_of (snd x))) (values_of d r)) -> entry_of K (first_pair d) x).
  { intros x i. unfold values_of in i. rewrite map_map in i. apply in_map_iff in i. destruct i as (xi & <- & _). cbn [fst snd].
    apply (key_is K (first_pair d) d0 (value_fast d r)). intros pi _. apply value_fast_is. }
  unfold list_of, runs. change point_dec with (model_dec K). rewrite (runs_same K (first_pair d) d0) by (intros x i; apply a; exact (listed_Q_in K x _ i)).
  rewrite (listed_same K (first_pair d)) by exact a. unfold listed, values_of. rewrite !map_map. cbn [fst]. now rewrite map_id.
Qed.
Lemma warm_up_is d r m later star : In star (models d) -> (0 < List.length (policies d))%nat ->
  Q2R (warm_up m later (list_of (values_of d r)) star) = INR (m - 1) * Q2R later * INR (runs (class_of d r) (first_pair d) star).
Proof. intros hs hp. unfold warm_up. rewrite (runs_are d r star hs hp), !Q2R_mult. unfold nat_Q. now rewrite !Q2R_nat. Qed.
Theorem check_bound_N_sound d r m later delta tolds t wanted : check_bound_N d (values_of d r) m later delta tolds t wanted = true -> forall star, In star (models d) ->
  exists b, wanted b = true /\ match t with Some t => bound_N d r later delta m tolds star (N.to_nat t) <= Q2R b | None => forall t, bound_N d r later delta m tolds star t <= Q2R b end.
Proof.
  unfold check_bound_N. cbv zeta. rewrite andb_true_iff. intros [ok k] star hs. destruct (numbers_ok_sound _ _ _ _ ok) as (hp & [d0 _] & _ & ht).
  rewrite forallb_forall in k. set (row := map (value_fast d r star) (seq 0 (List.length (policies d)))).
  specialize (k (star, row) (in_map (fun xi => (xi, map (value_fast d r xi) (seq 0 (List.length (policies d))))) _ _ hs)). unfold bound_up in k. cbv zeta in k. cbn [fst snd] in k.
  pose proof (policies_told_at d tolds star ht) as c0. set (e := told_at d tolds star) in *. destruct (evidence_ends _ _ _) as [[v_lo v] |] eqn:ev; [| discriminate].
  apply (evidence_ends_sound (class_of d r)) in ev; [| exact d0]. eexists. split; [exact k |]. clear k. destruct ev as [_ ev].
  pose proof (costs_are d r star e hp c0) as ca. fold row in ca.
  destruct t as [t |]; [| intro t]; rewrite Q2R_plus, warm_up_is by assumption; unfold bound_N, nested_bound; fold e; apply Rplus_le_compat_r; change (fst (in_reals e)) with (fst e).
  - apply fill_le; [exact ca | intros c' c1; now apply whole_le | now rewrite Q2R_N].
  - eapply Rle_trans; [apply (fill_ever _ _ _ (Q2R 0)) |]. replace 0 with (Q2R 0) by (unfold Q2R; simpl; lra).
    apply (fill_at_le _ _ _ _ (whole_Q v)); [exact ca | intros c' c1; now apply whole_le | reflexivity].
Qed.
Theorem check_bound_N_reached_sound d r m later delta tolds t wanted : check_bound_N_reached d (values_of d r) m later delta tolds t wanted = true ->
  exists star b, In star (models d) /\ wanted b = true /\ Q2R b <= bound_N d r later delta m tolds star (N.to_nat t).
Proof.
  unfold check_bound_N_reached. cbv zeta. rewrite andb_true_iff. intros [ok k]. destruct (numbers_ok_sound _ _ _ _ ok) as (hp & [d0 _] & _ & ht).
  apply existsb_exists in k. destruct k as (x & i & k). unfold values_of in i. apply in_map_iff in i. destruct i as (star & <- & hs). set (row := map (value_fast d r star) (seq 0 (List.length (policies d)))) in *.
  unfold bound_down in k. cbv zeta in k. cbn [fst snd] in k. pose proof (policies_told_at d tolds star ht) as c0. set (e := told_at d tolds star) in *.
  destruct (evidence_ends _ _ _) as [[v v_hi] |] eqn:ev; [| discriminate]. apply (evidence_ends_sound (class_of d r)) in ev; [| exact d0]. destruct ev as [ev _].
  exists star. eexists. split; [exact hs |]. split; [exact k |]. rewrite Q2R_plus, warm_up_is by assumption. unfold bound_N, nested_bound. fold e. apply Rplus_le_compat_r. change (fst (in_reals e)) with (fst e).
  pose proof (costs_are d r star e hp c0) as ca. fold row in ca. apply fill_ge; [exact ca | intros c' c1; now apply whole_below | now rewrite Q2R_N].
Qed.
