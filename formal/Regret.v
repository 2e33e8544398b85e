(** Theorem N and the theorem of Algorithm 1 for a document whose numbers are checked: the premises by computation, what a policy costs at
    most, and an upper end of Algorithm 1's bound. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing WarmupStationary BoundedIncrements RealSums ScheduleBound NestedRule Play Numbers.
From Pomgcheck Require Import Algorithm AlgorithmPlay AlgorithmNumbers.
From Coq Require Import QArith Qreals.
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
Theorem check_regret_sound d rule m rewards delta : class_of_games d -> check_regret d rule m rewards delta = true ->
  forall star, In star (models d) -> forall past, m - 1 <= List.length past -> (forall p, In p past -> p < List.length (policies d)) -> forall T,
  (probability d (reward_of rewards) (Q2R delta) star T (ever (fun h =>
     Rltb (bound_at d m (reward_of rewards) (Q2R delta) star (INR (horizon d)) (List.length h))
          (policy_regret d rule (reward_of rewards) (Q2R delta) m past star h))) <= 2 * Q2R delta)%R.
Proof.
  intros ok k star hs past pl pi T. destruct (check_regret_premises d rule m rewards delta ok k) as (st & bl & hr & hd & hm & wA & wB & hp).
  apply regret_of_class; auto. lia.
Qed.
(** Algorithm 1, with the constant c and with B_0 = max (1, log B) *)
Definition check_algorithm d rule m rewards (c B delta : Q) : bool := check_regret d rule m rewards delta && Qle_bool 16 c && check_increments d B.
Theorem check_algorithm_sound d rule m rewards c B delta : class_of_games d -> check_algorithm d rule m rewards c B delta = true ->
  forall star, In star (models d) -> forall past, m - 1 <= List.length past -> (forall p, In p past -> p < List.length (policies d)) -> forall T,
  (probability_1 d (reward_of rewards) (Q2R c) B (Q2R delta) m star T (ever (fun h =>
     Rltb (algorithm_bound (class_of d (reward_of rewards)) (INR (horizon d)) (Q2R c) (B_0_of B) (Q2R delta) m (List.length h))
          (policy_regret_1 d rule (reward_of rewards) (Q2R c) B (Q2R delta) m past star h))) <= 2 * Q2R delta)%R.
Proof.
  unfold check_algorithm. rewrite !andb_true_iff. intros ok [[k hc] hB] star hs past pl pi T.
  destruct (check_regret_premises d rule m rewards delta ok k) as (st & bl & hr & hd & hm & wA & wB & hp).
  apply algorithm_regret_of_class; auto.
  - now apply check_increments_sound.
  - apply Qle_bool_iff, Qle_Rle in hc. replace (Q2R 16) with 16%R in hc by (unfold Q2R; simpl; lra). exact hc.
  - lia.
Qed.
(** an upper end x of its bound after T data episodes *)
Definition check_loss d m (c B delta : Q) (T : N) (x : Q) : bool := (0 <? List.length (policies d)) &&
  algorithm_at_most (List.length (models d)) (List.length (policies d)) m (inject_Z (Z.of_nat (horizon d))) c B delta T x.
Theorem check_loss_sound d r m c B delta T x : check_loss d m c B delta T x = true ->
  (algorithm_bound (class_of d r) (INR (horizon d)) (Q2R c) (B_0_of B) (Q2R delta) m (N.to_nat T) <= Q2R x)%R.
Proof.
  unfold check_loss. rewrite andb_true_iff. intros [hp k]. apply Nat.ltb_lt in hp. rewrite <- Q2R_nat.
  apply algorithm_at_most_sound with (some := first_pair d); [| cbn [the_models the_policies class_of]; now rewrite seq_length].
  unfold algorithm_at_most in k. rewrite !andb_true_iff in k. destruct k as [[[[[[[[hn _] _] _] _] _] _] _] _]. apply Nat.ltb_lt in hn.
  unfold first_pair. cbn. split; [destruct (models d); [simpl in hn; lia | now left] | apply in_seq; lia].
Qed.
(** no policy costs more than D an episode, whichever model is true *)
Definition check_D d rewards (D : Q) : bool := (0 <? List.length (policies d)) && Qeq_bool (D_of (value_table d (reward_of rewards))) D.
Theorem check_D_sound d rewards D : check_D d rewards D = true -> forall xi p, In xi (models d) -> p < List.length (policies d) ->
  (gap (class_of d (reward_of rewards)) xi (best_policy d (reward_of rewards) xi) p <= Q2R D)%R.
Proof.
  unfold check_D. rewrite andb_true_iff. intros [hp e] xi p hx hpp. apply Nat.ltb_lt in hp. apply Qeq_bool_iff in e. rewrite <- (Qeq_eqR _ _ e).
  apply gap_le_D; auto. apply in_seq. lia.
Qed.
