(** Theorem N and the theorem of Algorithm 1 for a document whose numbers are checked: the premises by computation, what a policy costs at
    most, and upper ends of the two bounds. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing WarmupStationary BoundedIncrements RealSums ScheduleBound NestedRule Play Numbers.
From Pomgcheck Require Import Ranges Algorithm AlgorithmPlay AlgorithmWorth HarmfulModels NestedPlay AlgorithmNumbers.
From Coq Require Import QArith Qreals NArith.
Open Scope nat_scope.

(** r_h(o), one row a step *)
Definition reward_of (rewards : list (list Q)) (h o : nat) : Q := nth o (nth h rewards []) 0%Q.
Definition rewards_ok (rewards : list (list Q)) : bool := forallb (forallb (fun x => Qle_bool 0 x && Qle_bool x 1)) rewards.
Lemma reward_range rewards h o : rewards_ok rewards = true -> (0 <= reward_of rewards h o <= 1)%Q.
Proof.
  unfold rewards_ok, reward_of. rewrite forallb_forall. intro k.
  assert (z : (0 <= 0 <= 1)%Q) by (split; discriminate).
  destruct (nth_in_or_default h rewards []) as [i | ->]; [| destruct o; exact z]. specialize (k _ i). rewrite forallb_forall in k.
  destruct (nth_in_or_default o (nth h rewards []) 0%Q) as [j | ->]; [| exact z]. specialize (k _ j). apply andb_true_iff in k.
  destruct k as [k1 k2]. apply Qle_bool_iff in k1, k2. now split.
Qed.
Definition check_regret d rule m rewards (delta : Q) : bool :=
  (1 <=? m) && (1 <=? policy_window d) && (1 <=? response_window d) && (0 <? List.length (policies d)) && rewards_ok rewards &&
  negb (Qle_bool delta 0) && Qle_bool delta 1 &&
  match rule with Table _ => check_stationary d rule m && check_reaction d rule m | _ => true end.
Lemma check_regret_premises d rule m rewards delta : class_of_games d -> check_regret d rule m rewards delta = true ->
  warmup_stationary d rule m /\ reaction_of_class d rule m /\ (forall h o, (0 <= reward_of rewards h o <= 1)%Q) /\ (0 < Q2R delta <= 1)%R /\
  1 <= m /\ 1 <= policy_window d /\ 1 <= response_window d /\ 0 < List.length (policies d).
Proof.
  unfold check_regret. rewrite !andb_true_iff. intros ok [[[[[[[hm wA] wB] hp] hr] d0] d1] ht].
  apply Nat.leb_le in hm, wA, wB. apply Nat.ltb_lt in hp. apply not_le_R in d0. apply Qle_bool_iff, Qle_Rle in d1.
  rewrite Q2R_one in d1. unfold Q2R at 1 in d0. simpl in d0.
  split; [| split; [| split; [intros; now apply reward_range | split; [lra | auto]]]].
  - destruct rule; [now apply latest_stationary | now apply mean_stationary |].
    apply andb_true_iff in ht. now apply check_stationary_sound.
  - destruct rule; [now apply latest_of_class | now apply mean_of_class |].
    apply andb_true_iff in ht. now apply check_reaction_sound.
Qed.
(** Theorem N: from what is told against harmful models, and R'; [table] is the table of values, which several checks share *)
Definition wide d r (later : Q) : Q := (later + (greatest (first_rewards d r) - least (first_rewards d r)))%Q.
Definition check_nested d table rule m rewards (later delta : Q) tolds : bool := let r := reward_of rewards in
  check_regret d rule m rewards delta && check_ranges d r (wide d r later) later && check_told d table tolds.
Theorem check_nested_sound d table rule m rewards later delta tolds : values_of d (reward_of rewards) = table -> class_of_games d -> check_nested d table rule m rewards later delta tolds = true ->
  forall star, In star (models d) -> forall past, m - 1 <= List.length past -> (forall p, In p past -> p < List.length (policies d)) -> forall T,
  (probability d (reward_of rewards) (Q2R delta) star T (ever (fun h =>
     Rltb (bound_N d (reward_of rewards) later delta m tolds star (List.length h))
          (policy_regret d rule (reward_of rewards) (Q2R delta) m past star h))) <= 2 * Q2R delta)%R.
Proof.
  intros <-. unfold check_nested. cbv zeta. rewrite !andb_true_iff. intros ok [[k hr] ht] star hs past pl pi T.
  destruct (check_regret_premises d rule m rewards delta ok k) as (st & bl & _ & hd & hm & wA & wB & hp).
  destruct (check_told_sound d (reward_of rewards) ok wA wB tolds star ht hp hs) as (harmful & e & enough).
  unfold bound_N. replace (in_reals (told_at d tolds star)) with (List.length harmful, snd (in_reals (told_at d tolds star))) by (rewrite <- e; now destruct (told_at d tolds star)).
  apply (nested_regret_of_class d rule m (reward_of rewards) (Q2R delta) past star (wide d (reward_of rewards) later) later); auto. lia.
Qed.
(** an upper end x of its bound at T, and at all times *)
Definition check_nested_loss d table m (later delta : Q) tolds (T : N) (x : Q) : bool := check_bound_N d table m later delta tolds (Some T) (fun b => Qle_bool b x).
Theorem check_nested_loss_sound d r table m later delta tolds T x : values_of d r = table -> check_nested_loss d table m later delta tolds T x = true ->
  forall star, In star (models d) -> (bound_N d r later delta m tolds star (N.to_nat T) <= Q2R x)%R.
Proof.
  intros <- k star hs. destruct (check_bound_N_sound d r m later delta tolds _ _ k star hs) as (b & w & l). apply Qle_bool_iff, Qle_Rle in w. lra.
Qed.
Definition check_nested_ever d table m (later delta : Q) tolds (x : Q) : bool := check_bound_N d table m later delta tolds None (fun b => Qle_bool b x).
Theorem check_nested_ever_sound d r table m later delta tolds x : values_of d r = table -> check_nested_ever d table m later delta tolds x = true ->
  forall star, In star (models d) -> forall t, (bound_N d r later delta m tolds star t <= Q2R x)%R.
Proof.
  intros <- k star hs t. destruct (check_bound_N_sound d r m later delta tolds _ _ k star hs) as (b & w & l). apply Qle_bool_iff, Qle_Rle in w. specialize (l t). lra.
Qed.
(** from T on it is below D t *)
Definition check_nested_worth d table m (later delta : Q) tolds (T : N) (D : Q) : bool :=
  (1 <=? T)%N && check_bound_N d table m later delta tolds (Some T) (fun b => negb (Qle_bool (D * inject_Z (Z.of_N T)) b)).
Theorem check_nested_worth_sound d r table m later delta tolds T D : values_of d r = table -> check_nested_worth d table m later delta tolds T D = true ->
  forall star, In star (models d) -> forall t, N.to_nat T <= t -> (bound_N d r later delta m tolds star t < Q2R D * INR t)%R.
Proof.
  intros <-. unfold check_nested_worth. rewrite andb_true_iff. intros [hT k] star hs t ht. apply N.leb_le in hT.
  destruct (check_bound_N_sound d r m later delta tolds _ _ k star hs) as (b & w & l). apply not_le_R in w. rewrite Q2R_mult, Q2R_N in w.
  unfold check_bound_N in k. cbv zeta in k. apply andb_true_iff in k. destruct (numbers_ok_sound _ _ _ _ (proj1 k)) as (_ & dr & hl & hc).
  apply (nested_bound_stays _ _ _ _ _ _ _ _ (N.to_nat T)); [exact dr | exact hl | | lia | fold (bound_N d r later delta m tolds star); lra].
  intros e i. unfold in_reals in i. cbn [snd] in i. apply in_map_iff in i. destruct i as (y & <- & i). exact (proj2 (policies_told_at d tolds star hc y i)).
Qed.
(** and at no T before, for some truth *)
Definition check_nested_first d table m (later delta : Q) tolds (T : N) (D : Q) : bool := let before := (T - 1)%N in
  (1 <=? before)%N && check_bound_N_reached d table m later delta tolds before (fun b => Qle_bool (D * inject_Z (Z.of_N before)) b).
Theorem check_nested_first_sound d r table m later delta tolds T D : values_of d r = table -> check_nested_first d table m later delta tolds T D = true ->
  exists star, In star (models d) /\ forall t, 1 <= t < N.to_nat T -> (Q2R D * INR t <= bound_N d r later delta m tolds star t)%R.
Proof.
  intros <-. unfold check_nested_first. cbv zeta. rewrite andb_true_iff. intros [hT k]. apply N.leb_le in hT.
  destruct (check_bound_N_reached_sound d r m later delta tolds _ _ k) as (star & b & hs & w & l). apply Qle_bool_iff, Qle_Rle in w. rewrite Q2R_mult, Q2R_N in w.
  exists star. split; [exact hs |]. intros t ht. unfold check_bound_N_reached in k. cbv zeta in k. apply andb_true_iff in k. destruct (numbers_ok_sound _ _ _ _ (proj1 k)) as (_ & dr & hl & hc).
  assert (f : (bound_N d r later delta m tolds star (N.to_nat (T - 1)) * INR t <= bound_N d r later delta m tolds star t * INR (N.to_nat (T - 1)))%R).
  { apply (nested_bound_falls _ _ _ _ _ _ _ _ t); [exact dr | exact hl | | lia]. intros e i. unfold in_reals in i. cbn [snd] in i. apply in_map_iff in i. destruct i as (y & <- & i).
    exact (proj2 (policies_told_at d tolds star hc y i)). }
  assert (p : (0 < INR (N.to_nat (T - 1)))%R) by (apply lt_0_INR; lia). assert (q : (0 < INR t)%R) by (apply lt_0_INR; lia).
  apply (Rmult_le_reg_r (INR (N.to_nat (T - 1)))); [exact p |]. eapply Rle_trans; [| exact f]. replace (Q2R D * INR t * INR (N.to_nat (T - 1)))%R with (Q2R D * INR (N.to_nat (T - 1)) * INR t)%R by ring.
  apply Rmult_le_compat_r; lra.
Qed.
(** Algorithm 1, with the constant c and with B_0 = max (1, log B): its bound, from certified ranges and from what is told against harmful models *)
Definition bound_1 d r (range later c B delta : Q) m tolds star : nat -> R := algorithm_bound (class_of d r) (Q2R range) (Q2R later) (Q2R c) (B_0_of B) (Q2R delta) m
  star (best_policy d r star) (in_reals (told_at d tolds star)).
Definition check_algorithm d table rule m rewards (range later c B delta : Q) tolds : bool := check_regret d rule m rewards delta && Qle_bool 16 c && check_increments d B &&
  check_ranges d (reward_of rewards) range later && check_told d table tolds.
Theorem check_algorithm_sound d table rule m rewards range later c B delta tolds : values_of d (reward_of rewards) = table -> class_of_games d ->
  check_algorithm d table rule m rewards range later c B delta tolds = true ->
  forall star, In star (models d) -> forall past, m - 1 <= List.length past -> (forall p, In p past -> p < List.length (policies d)) -> forall T,
  (probability_1 d (reward_of rewards) (Q2R c) B (Q2R delta) m star T (ever (fun h =>
     Rltb (bound_1 d (reward_of rewards) range later c B delta m tolds star (List.length h))
          (policy_regret_1 d rule (reward_of rewards) (Q2R c) B (Q2R delta) m past star h))) <= 2 * Q2R delta)%R.
Proof.
  intros <-. unfold check_algorithm. rewrite !andb_true_iff. intros ok [[[[k hc] hB] hr] ht] star hs past pl pi T.
  destruct (check_regret_premises d rule m rewards delta ok k) as (st & bl & _ & hd & hm & wA & wB & hp). apply check_increments_sound in hB.
  destruct (check_told_sound d (reward_of rewards) ok wA wB tolds star ht hp hs) as (harmful & e & enough).
  unfold bound_1. replace (in_reals (told_at d tolds star)) with (List.length harmful, snd (in_reals (told_at d tolds star))) by (rewrite <- e; now destruct (told_at d tolds star)).
  apply algorithm_regret_of_class; auto.
  - apply Qle_bool_iff, Qle_Rle in hc. replace (Q2R 16) with 16%R in hc by (unfold Q2R; simpl; lra). exact hc.
  - lia.
Qed.
(** an upper end x of its bound after T data episodes, whichever model is true *)
Definition check_loss d (table : list ((point * point) * list Q)) m (range later c B delta : Q) tolds (T : N) (x : Q) : bool := (0 <? List.length (policies d)) && policies_told (List.length (policies d)) tolds &&
  forallb (fun y => algorithm_at_most (List.length (models d)) (List.length (policies d)) m range later c B delta (fst (told_at d tolds (fst y)))
    (costs_at (snd y) (told_at d tolds (fst y))) T x) table.
Theorem check_loss_sound d r table m range later c B delta tolds T x : values_of d r = table -> check_loss d table m range later c B delta tolds T x = true ->
  forall star, In star (models d) -> (bound_1 d r range later c B delta m tolds star (N.to_nat T) <= Q2R x)%R.
Proof.
  intros <-. unfold check_loss. rewrite !andb_true_iff. intros [[hp ht] k] star hs. apply Nat.ltb_lt in hp. rewrite forallb_forall in k.
  specialize (k (star, map (value_fast d r star) (seq 0 (List.length (policies d)))) (in_map (fun xi => (xi, map (value_fast d r xi) (seq 0 (List.length (policies d))))) _ _ hs)). cbn [fst snd] in k.
  pose proof (policies_told_at d tolds star ht) as c0. set (e := told_at d tolds star) in *.
  unfold bound_1. fold e. apply algorithm_at_most_sound with (some := first_pair d) (costs := costs_at (map (value_fast d r star) (seq 0 (List.length (policies d)))) e).
  - now apply costs_are.
  - unfold first_pair. cbn. split; [destruct (models d); [destruct hs | now left] | apply in_seq; lia].
  - cbn [the_models the_policies class_of]. rewrite seq_length. exact k.
Qed.
(** from T on it is below D t: at T, or at 16 if that is later, it is at most this much less, and its quotient by t falls from there on; at each t
    before 16 that is computed *)
Definition nearly (x : Q) : Q := Qred (x * (999999999 # 1000000000)).
Definition early : list N := map N.of_nat (seq 1 15).
Definition check_worth d table m (range later c B delta : Q) tolds (T : N) (D : Q) : bool :=
  (1 <=? T)%N && Qle_bool 0 later && Qle_bool 16 c && (1 <=? m) && negb (Qle_bool delta 0) && Qle_bool delta 1 &&
  forallb (fun t => let x := (D * inject_Z (Z.of_N t))%Q in negb (Qle_bool x (nearly x)) && check_loss d table m range later c B delta tolds t (nearly x))
    (N.max 16 T :: filter (N.leb T) early).
Theorem check_worth_sound d r table m range later c B delta tolds T D : values_of d r = table -> check_worth d table m range later c B delta tolds T D = true ->
  forall star, In star (models d) -> forall t, N.to_nat T <= t -> (bound_1 d r range later c B delta m tolds star t < Q2R D * INR t)%R.
Proof.
  intro known. unfold check_worth. rewrite !andb_true_iff, forallb_forall. intros [[[[[[hT hl] hc] hm] d0] d1] k] star hs t ht.
  assert (now : forall t, In t (N.max 16 T :: filter (N.leb T) early) -> (bound_1 d r range later c B delta m tolds star (N.to_nat t) < Q2R D * INR (N.to_nat t))%R).
  { intros t' i. specialize (k t' i). cbv zeta in k. apply andb_true_iff in k. destruct k as [hx k]. apply not_le_R in hx. rewrite Q2R_mult, Q2R_N in hx.
    exact (Rle_lt_trans _ _ _ (check_loss_sound d r table m range later c B delta tolds t' _ known k star hs) hx). }
  apply not_le_R in d0. apply N.leb_le in hT. apply Nat.leb_le in hm. apply Qle_bool_iff, Qle_Rle in hl, hc, d1. rewrite Q2R_one in d1.
  replace (Q2R 0) with 0%R in hl, d0 by (unfold Q2R; simpl; lra). replace (Q2R 16) with 16%R in hc by (unfold Q2R; simpl; lra).
  destruct (Nat.le_gt_cases t 15) as [le | gt].
  { specialize (now (N.of_nat t)). rewrite Nat2N.id in now. apply now. right. apply filter_In. split; [apply in_map, in_seq; lia | apply N.leb_le; lia]. }
  apply (bound_stays_below _ _ _ _ _ _ _ _ _ _ (N.to_nat (N.max 16 T))); auto; try lia; try lra.
  - apply Rmax_l.
  - change 1%R with (INR 1). apply le_INR. cbn [the_models class_of]. destruct (models d); [destruct hs | simpl; lia].
  - specialize (k _ (or_introl eq_refl)). cbv zeta in k. intros e i. unfold check_loss in k. rewrite !andb_true_iff in k. destruct k as [_ [[_ ht'] _]]. unfold in_reals in i. cbn [snd] in i.
    apply in_map_iff in i. destruct i as (y & <- & i). apply (policies_told_at d tolds star ht' y i).
  - exact (now _ (or_introl eq_refl)).
Qed.
(** no policy costs more than D an episode, whichever model is true *)
Definition check_D d (table : list ((point * point) * list Q)) (D : Q) : bool := (0 <? List.length (policies d)) && Qeq_bool (D_of (map snd table)) D.
Theorem check_D_sound d table rewards D : values_of d (reward_of rewards) = table -> check_D d table D = true -> forall xi p, In xi (models d) -> p < List.length (policies d) ->
  (gap (class_of d (reward_of rewards)) xi (best_policy d (reward_of rewards) xi) p <= Q2R D)%R.
Proof.
  intros <-. unfold check_D. rewrite andb_true_iff. intros [hp e] xi p hx hpp. apply Nat.ltb_lt in hp. apply Qeq_bool_iff in e. rewrite <- (Qeq_eqR _ _ e).
  unfold values_of. rewrite map_map. cbn [snd]. fold (value_table d (reward_of rewards)).
  apply gap_le_D; auto. apply in_seq. lia.
Qed.
