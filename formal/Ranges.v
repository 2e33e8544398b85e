(** How far the pay of two episodes can be apart (docs/bound.md, "The ranges of rewards").  R' is the range, over paths that some world lets
    happen, of the rewards after the first step, whose observation depends on neither player: what an episode of warm-up loses at most.  R is
    the same where the first reward has one mean in all worlds, and else R' with the range of that reward: two models have values under one
    policy that differ by at most R times the total variation of their laws. *)
From Pomgcheck Require Import OrderedField Statements RealSums Hellinger LikelihoodEvents Pinsker TrajectoryLaws WarmUp Play Numbers.
From Coq Require Import QArith Qreals.
Open Scope nat_scope.

Section Ranges.
Variables (d : doc) (r : nat -> nat -> Q).
(** what a world lets happen, against any adversary *)
Definition shown (w : world) h s : list nat := filter (fun o => negb (Qeq_bool (EA w h s o) 0)) (seq 0 (nOA d)).
Definition moves (w : world) h s : list nat :=
  filter (fun s' => existsb (fun a => existsb (fun b => negb (Qeq_bool (Statements.T w h s a b s') 0)) (seq 0 (nB d))) (seq 0 (nA d))) (seq 0 (nS d)).
(** the least and the greatest sum of the rewards of the steps h, ..., h + k - 1, by state *)
Fixpoint ends (w : world) (h k : nat) : list (Q * Q) :=
  match k with
  | 0 => map (fun _ => (0, 0)%Q) (seq 0 (nS d))
  | S k => let after := ends w (S h) k in
      map (fun s => let rs := map (r h) (shown w h s) in let to := map (fun s' => nth s' after (0, 0)%Q) (moves w h s) in
        (Qred (least rs + least (map fst to)), Qred (greatest rs + greatest (map snd to)))) (seq 0 (nS d))
  end.
Definition later_ends : list (Q * Q) := flat_map (fun theta => let w := world_of d theta in let after := ends w 1 (horizon d - 1) in
  flat_map (fun s => if Qeq_bool (start d s) 0 then [] else map (fun s' => nth s' after (0, 0)%Q) (moves w 0 s)) (seq 0 (nS d))) (thetas d).
Definition later_low : Q := least (map fst later_ends).
Definition later_high : Q := greatest (map snd later_ends).
(** the mean of the first reward, in a world *)
Definition first_mean theta : Q :=
  qsum (seq 0 (nS d)) (fun s => start d s * qsum (seq 0 (nOA d)) (fun o => EA (world_of d theta) 0 s o * r 0 o))%Q.
Definition one_mean : bool := let l := map first_mean (thetas d) in forallb (Qeq_bool (hd 0%Q l)) l.
Definition first_rewards : list Q := map (r 0) (seq 0 (nOA d)).
(** R and R' are not less than the ranges *)
Definition check_ranges (range range' : Q) : bool := (1 <=? horizon d) && Qle_bool 0 range' && Qle_bool (later_high - later_low) range' &&
  Qle_bool (if one_mean then range' else range' + (greatest first_rewards - least first_rewards)) range.

Lemma qsum_nonzero {A} (l : list A) f : ~ (qsum l f == 0)%Q -> exists x, In x l /\ ~ (f x == 0)%Q.
Proof.
  induction l as [| x l ih]; intro n; [elim n; reflexivity |]. destruct (Qeq_dec (f x) 0) as [z | z]; [| exists x; split; [now left | exact z]].
  destruct ih as (y & i & k); [| exists y; split; [now right | exact k]]. intro q. apply n. cbn [qsum]. now rewrite Qred_correct, z, q.
Qed.
Lemma factors p q : ~ (p * q == 0)%Q -> ~ (p == 0)%Q /\ ~ (q == 0)%Q.
Proof. intro n. split; intro z; apply n; rewrite z; ring. Qed.
Lemma nonzero q : ~ (q == 0)%Q -> negb (Qeq_bool q 0) = true.
Proof. intro n. apply negb_true_iff. destruct (Qeq_bool q 0) eqn:e; [elim n; now apply Qeq_bool_iff | reflexivity]. Qed.
Lemma step_nonzero w g h s a uB k : In a (seq 0 (nA d)) -> ~ (step d w g h s a uB k == 0)%Q -> exists s' u, In s' (moves w h s) /\ ~ (k s' u == 0)%Q.
Proof.
  intros ia n. unfold step in n. apply qsum_nonzero in n. destruct n as (oB & _ & n). apply factors in n. destruct n as [_ n].
  apply qsum_nonzero in n. destruct n as (b & ib & n). apply factors in n. destruct n as [_ n]. apply qsum_nonzero in n. destruct n as (s' & is & n).
  apply factors in n. destruct n as [n1 n2]. exists s', (next_B d uB oB). split; [| exact n2]. apply filter_In. split; [exact is |].
  apply existsb_exists. exists a. split; [exact ia |]. apply existsb_exists. exists b. split; [exact ib | now apply nonzero].
Qed.
Lemma nth_states {A} (f : nat -> A) x s : In s (seq 0 (nS d)) -> nth s (map f (seq 0 (nS d))) x = f s.
Proof.
  intro i. apply in_seq in i. rewrite (nth_indep _ x (f 0)) by (rewrite map_length, seq_length; lia). rewrite map_nth, seq_nth by lia. reflexivity.
Qed.
Lemma ends_range w g pi tau : forall h s uA uB, (forall x, In x tau -> In x (pairs d)) -> In s (seq 0 (nS d)) -> ~ (play d w g pi h s uA uB tau == 0)%Q ->
  (fst (nth s (ends w h (List.length tau)) (0, 0)) <= total_reward r h tau <= snd (nth s (ends w h (List.length tau)) (0, 0)))%Q.
Proof.
  induction tau as [| [o a] tau ih]; intros h s uA uB ix is n.
  - cbn [List.length ends total_reward]. rewrite nth_states by exact is. split; discriminate.
  - pose proof (ix (o, a) (or_introl eq_refl)) as ioa. apply in_prod_iff in ioa. destruct ioa as [io ia].
    cbn [play] in n. apply factors in n. destruct n as [n1 n]. apply factors in n. destruct n as [_ n]. apply step_nonzero in n; [| exact ia]. destruct n as (s' & u & m & n).
    pose proof m as m'. apply filter_In in m'. destruct m' as [is' _]. destruct (ih (S h) s' _ _ (fun x i => ix x (or_intror i)) is' n) as [l g'].
    cbn [List.length ends total_reward]. cbv zeta. rewrite nth_states by exact is. cbn [fst snd]. rewrite !Qred_correct.
    assert (ro : In (r h o) (map (r h) (shown w h s))) by (apply in_map, filter_In; split; [exact io | now apply nonzero]).
    set (after := ends w (S h) (List.length tau)) in *. assert (to : In (nth s' after (0, 0)%Q) (map (fun s' => nth s' after (0, 0)%Q) (moves w h s))) by (now apply (in_map (fun s' => nth s' after (0, 0)%Q))).
    split; apply Qplus_le_compat; [now apply least_le | | now apply greatest_ge |].
    + eapply Qle_trans; [| exact l]. now apply least_le, in_map.
    + eapply Qle_trans; [exact g' |]. now apply greatest_ge, in_map.
Qed.
Lemma later_range theta g pi tau : 1 <= horizon d -> In theta (thetas d) -> In tau (trajectories d) -> ~ (law_against d (world_of d theta) g pi tau == 0)%Q ->
  (later_low <= total_reward r 1 (tl tau) <= later_high)%Q.
Proof.
  intros hh it i n. destruct (trajectories_in d _ _ i) as [e ix]. destruct tau as [| [o a] tau]; [simpl in e; lia |]. cbn [List.length] in e. cbn [tl].
  unfold law_against in n. apply qsum_nonzero in n. destruct n as (s & is & n). apply factors in n. destruct n as [n1 n]. cbn [play] in n.
  apply factors in n. destruct n as [_ n]. apply factors in n. destruct n as [_ n].
  pose proof (ix (o, a) (or_introl eq_refl)) as ioa. apply in_prod_iff in ioa. apply step_nonzero in n; [| tauto]. destruct n as (s' & u & m & n).
  pose proof m as m'. apply filter_In in m'. destruct m' as [is' _]. pose proof (ends_range _ _ _ _ _ _ _ _ (fun x j => ix x (or_intror j)) is' n) as k.
  replace (List.length tau) with (horizon d - 1) in k by lia.
  assert (j : In (nth s' (ends (world_of d theta) 1 (horizon d - 1)) (0, 0)%Q) later_ends).
  { unfold later_ends. apply in_flat_map. exists theta. split; [exact it |]. cbv zeta. apply in_flat_map. exists s. split; [exact is |].
    apply nonzero, negb_true_iff in n1. rewrite n1. now apply (in_map (fun s' => nth s' (ends (world_of d theta) 1 (horizon d - 1)) (0, 0)%Q)). }
  split; [eapply Qle_trans; [apply least_le, in_map, j | apply k] | eapply Qle_trans; [apply k | apply greatest_ge, in_map, j]].
Qed.

Open Scope R_scope.
Hypothesis ok : class_of_games d.
Hypothesis wA : (1 <= policy_window d)%nat.
Hypothesis wB : (1 <= response_window d)%nat.
Notation K := (class_of d r).
Notation Pi := (seq 0 (List.length (policies d))).
Variables (range range' : Q).
Hypothesis checked : check_ranges range range' = true.
Lemma horizon_pos : (1 <= horizon d)%nat.
Proof. unfold check_ranges in checked. rewrite !andb_true_iff in checked. destruct checked as [[[h _] _] _]. now apply Nat.leb_le. Qed.
Lemma later_nonneg : 0 <= Q2R range'.
Proof. unfold check_ranges in checked. rewrite !andb_true_iff in checked. destruct checked as [[[_ h] _] _]. now apply Q2R_pos, Qle_bool_iff. Qed.
Lemma high_le : Q2R later_high <= Q2R later_low + Q2R range'.
Proof.
  unfold check_ranges in checked. rewrite !andb_true_iff in checked. destruct checked as [[_ h] _]. apply Qle_bool_iff, Qle_Rle in h. rewrite Q2R_minus in h. lra.
Qed.
(** the return after the first step, kept within its range where no world lets it happen *)
Definition later (tau : trajectory) : R := Rmax (Q2R later_low) (Rmin (Q2R later_high) (Q2R (total_reward r 1 (tl tau)))).
Lemma later_in tau : Q2R later_low <= later tau <= Q2R later_low + Q2R range'.
Proof.
  split; [apply Rmax_l |]. pose proof later_nonneg. pose proof high_le. apply Rmax_lub; [lra |]. eapply Rle_trans; [apply Rmin_l | assumption].
Qed.
Section Played.
Variables (theta : point) (g : decision) (p : nat).
Hypotheses (theta_in : In theta (thetas d)) (p_in : In p Pi).
Hypothesis g_rows : forall h, (h < horizon d)%nat -> forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> is_row (nB d) (g h seen).
Notation law tau := (Q2R (law_against d (world_of d theta) g (policy_of d p) tau)).
Lemma first_is (f : nat -> R) : sum (trajectories d) (fun tau => law tau * f (fst (hd (0%nat, 0%nat) tau))) =
  sum (seq 0 (nS d)) (fun s => Q2R (start d s) * sum (seq 0 (nOA d)) (fun o => Q2R (EA (world_of d theta) 0 s o) * f o)).
Proof.
  pose proof horizon_pos as hp. unfold trajectories. assert (e : horizon d = S (horizon d - 1)) by lia. set (k := (horizon d - 1)%nat) in *. rewrite e.
  rewrite (sum_ext _ _ (fun tau => sum (seq 0 (nS d)) (fun s => Q2R (start d s) * (Q2R (play d (world_of d theta) g (policy_of d p) 0 s [] [] tau) * f (fst (hd (0%nat, 0%nat) tau)))))).
  - rewrite sum_pull. apply sum_ext. intros s is. f_equal. cbn [trajectories_of]. rewrite sum_flat_map. unfold pairs. rewrite sum_list_prod. apply sum_ext. intros o io.
    rewrite <- (play_first d ok wA wB theta g p theta_in p_in g_rows k (play_one d ok wA wB theta g p theta_in p_in g_rows k) 0 s [] [] o ltac:(lia) is (nil_A d) (nil_B d) io).
    rewrite Rmult_comm, <- sum_mul. apply sum_ext. intros a ia. rewrite !sum_map, <- sum_mul. apply sum_ext. intros tau _. cbn [hd fst]. ring.
  - intros tau _. unfold law_against. rewrite Q2R_qsum, Rmult_comm, <- sum_mul. apply sum_ext. intros s _. rewrite Q2R_mult. ring.
Qed.
Lemma first_mean_is : Q2R (first_mean theta) = sum (trajectories d) (fun tau => law tau * Q2R (r 0%nat (fst (hd (0%nat, 0%nat) tau)))).
Proof.
  rewrite (first_is (fun o => Q2R (r 0%nat o))). unfold first_mean. rewrite Q2R_qsum. apply sum_ext. intros s _. rewrite Q2R_mult, Q2R_qsum. f_equal.
  apply sum_ext. intros o _. apply Q2R_mult.
Qed.
Lemma mean_is : sum (trajectories d) (fun tau => law tau * Q2R (total_reward r 0 tau)) = Q2R (first_mean theta) + sum (trajectories d) (fun tau => law tau * later tau).
Proof.
  rewrite first_mean_is, <- sum_add. apply sum_ext. intros tau i. destruct (Qeq_dec (law_against d (world_of d theta) g (policy_of d p) tau) 0) as [z | n].
  - rewrite (Qeq_eqR _ _ z). unfold Q2R at 1 3 5. simpl. lra.
  - pose proof (later_range theta g (policy_of d p) tau horizon_pos theta_in i n) as [l h]. apply Qle_Rle in l, h.
    destruct (trajectories_in d _ _ i) as [len _]. pose proof horizon_pos. destruct tau as [| [o a] tau]; [simpl in len; lia |].
    unfold later. cbn [tl total_reward hd fst] in *. rewrite Rmin_right, Rmax_right by lra. rewrite Q2R_plus. ring.
Qed.
Lemma later_mean : Q2R later_low <= sum (trajectories d) (fun tau => law tau * later tau) <= Q2R later_low + Q2R range'.
Proof.
  assert (k : forall z, sum (trajectories d) (fun tau => law tau * z) = z).
  { intro z. rewrite (sum_ext _ _ (fun tau => z * law tau)) by (intros; ring). rewrite sum_mul, law_one_d by auto. ring. }
  split; [rewrite <- (k (Q2R later_low)) at 1 | rewrite <- (k (Q2R later_low + Q2R range'))]; apply sum_le; intros tau i; (apply Rmult_le_compat_l; [now apply law_pos_d | apply later_in]).
Qed.
End Played.
Lemma model_parts xi : In xi (models d) -> In (fst xi) (thetas d) /\ In (snd xi) (phis d).
Proof. destruct xi as [theta phi]. intro i. now apply in_prod_iff in i. Qed.
Lemma rows_of_response phi p : In phi (phis d) -> In p Pi -> forall h, (h < horizon d)%nat ->
  forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> is_row (nB d) (response_of d phi p h seen).
Proof. clear - ok. intros i j h hh seen k. apply in_seq in j. apply (proj2 (proj2 ok)); auto. lia. Qed.
Lemma value_is xi p : In xi (models d) -> In p Pi -> value K xi p = Q2R (first_mean (fst xi)) + sum (trajectories d) (fun tau => prob K xi p tau * later tau).
Proof.
  intros i j. destruct (model_parts xi i) as [it ip]. unfold value. cbn [the_trajs prob payoff class_of]. unfold law_of_play. apply mean_is; auto.
  intros. now apply rows_of_response.
Qed.
Lemma first_in_range xi p : In xi (models d) -> In p Pi -> forall tau, In tau (trajectories d) ->
  Q2R (least first_rewards) <= Q2R (r 0%nat (fst (hd (0%nat, 0%nat) tau))) <= Q2R (greatest first_rewards).
Proof.
  intros _ _ tau i. destruct (trajectories_in d _ _ i) as [len ix]. pose proof horizon_pos. destruct tau as [| [o a] tau]; [simpl in len; lia |]. cbn [hd fst].
  specialize (ix (o, a) (or_introl eq_refl)). apply in_prod_iff in ix. split; apply Qle_Rle; [apply least_le | apply greatest_ge]; apply (in_map (r 0%nat)); tauto.
Qed.
(** a function of the episode within a range R has the values of the class as its means, but for a constant *)
Lemma in_one_range : exists (G : trajectory -> R) a z, (forall tau, In tau (trajectories d) -> a <= G tau <= a + Q2R range) /\
  forall xi p, In xi (models d) -> In p Pi -> value K xi p = z + sum (trajectories d) (fun tau => prob K xi p tau * G tau).
Proof.
  pose proof checked as k. unfold check_ranges in k. rewrite !andb_true_iff in k. destruct k as [_ k]. apply Qle_bool_iff, Qle_Rle in k.
  destruct one_mean eqn:one.
  - exists later, (Q2R later_low), (Q2R (hd 0%Q (map first_mean (thetas d)))). split; [intros tau _; pose proof (later_in tau); lra |].
    intros xi p i j. rewrite (value_is xi p i j). f_equal. symmetry. apply Qeq_eqR. unfold one_mean in one. rewrite forallb_forall in one. apply Qeq_bool_iff, one.
    apply in_map, model_parts, i.
  - rewrite Q2R_plus, Q2R_minus in k. set (first := fun tau : trajectory => Q2R (r 0%nat (fst (hd (0%nat, 0%nat) tau)))).
    exists (fun tau => Rmax (Q2R (least first_rewards)) (Rmin (Q2R (greatest first_rewards)) (first tau)) + later tau), (Q2R (least first_rewards) + Q2R later_low), 0. split.
    + intros tau i. pose proof (later_in tau). destruct (trajectories_in d _ _ i) as [len ix]. pose proof horizon_pos. destruct tau as [| [o a] tau]; [simpl in len; lia |].
      specialize (ix (o, a) (or_introl eq_refl)). apply in_prod_iff in ix. assert (io : In (r 0%nat o) first_rewards) by (apply (in_map (r 0%nat)); tauto).
      pose proof (Qle_Rle _ _ (least_le _ _ io)). pose proof (Qle_Rle _ _ (greatest_ge _ _ io)). unfold first. cbn [hd fst]. rewrite Rmin_right, Rmax_right by lra. lra.
    + intros xi p i j. destruct (model_parts xi i) as [it ip]. rewrite (value_is xi p i j), Rplus_0_l.
      rewrite (sum_ext _ (fun tau => prob K xi p tau * (_ + later tau)) (fun tau => prob K xi p tau * first tau + prob K xi p tau * later tau)).
      * rewrite sum_add. f_equal. apply (first_mean_is (fst xi) (response_of d (snd xi) p) p it j). intros. now apply rows_of_response.
      * intros tau m. destruct (first_in_range xi p i j tau m). unfold first. rewrite Rmin_right, Rmax_right by lra. ring.
Qed.
Lemma one_law xi p : In xi (models d) -> In p Pi -> sum (trajectories d) (prob K xi p) = 1.
Proof. intros i j. destruct (model_parts xi i). apply law_one_d; auto. now apply rows_of_response. Qed.
Lemma law_positive xi p tau : In xi (models d) -> In p Pi -> In tau (trajectories d) -> 0 <= prob K xi p tau.
Proof. intros i j k. destruct (model_parts xi i). apply law_pos_d; auto. now apply rows_of_response. Qed.
Lemma range_nonneg star : In star (models d) -> (0 < List.length (policies d))%nat -> 0 <= Q2R range.
Proof.
  intros is hp. assert (ip : In 0%nat Pi) by (apply in_seq; lia). pose proof checked as k. unfold check_ranges in k. rewrite !andb_true_iff in k. destruct k as [_ k].
  apply Qle_bool_iff, Qle_Rle in k. pose proof later_nonneg. destruct one_mean; [lra |]. rewrite Q2R_plus, Q2R_minus in k.
  assert (t : exists tau, In tau (trajectories d)).
  { pose proof (one_law star _ is ip) as one. destruct (trajectories d) as [| tau l]; [simpl in one; lra | exists tau; now left]. }
  destruct t as (tau & t). destruct (first_in_range star _ is ip tau t). lra.
Qed.
(** optimism misjudges a policy by at most R TV *)
Theorem misjudged star xi p : In star (models d) -> In xi (models d) -> In p Pi ->
  (forall tau, In tau (trajectories d) -> 0 < prob K star p tau -> 0 < prob K xi p tau) ->
  (value K xi p - value K star p) * (value K xi p - value K star p) <= Q2R range * Q2R range / 2 * divergence (trajectories d) (prob K star p) (prob K xi p).
Proof.
  intros is ix ip pos. destruct in_one_range as (G & a & z & hG & hv). rewrite (hv xi p ix ip), (hv star p is ip).
  set (x := sum (trajectories d) (fun tau => prob K xi p tau * G tau)). set (y := sum (trajectories d) (fun tau => prob K star p tau * G tau)).
  replace ((z + x - (z + y)) * (z + x - (z + y))) with ((y - x) * (y - x)) by ring.
  pose proof (range_nonneg star is (Nat.le_lt_trans _ _ _ (Nat.le_0_l p) (proj2 (proj1 (in_seq _ _ _) ip)))) as R0.
  apply (gap_KL (the_trajs K) (prob K star p) (prob K xi p)) with (a := a); auto; try (intros; now apply law_positive); now apply one_law.
Qed.
(** what an episode of warm-up loses is at most R' *)
Definition floor (star : point * point) : R := Q2R (first_mean (fst star)) + Q2R later_low.
Theorem below_ceiling star p : In star (models d) -> In p Pi -> value K star p <= floor star + Q2R range'.
Proof.
  intros i j. destruct (model_parts star i) as [it ip]. rewrite (value_is star p i j). unfold floor.
  pose proof (later_mean (fst star) (response_of d (snd star) p) p it j ltac:(intros; now apply rows_of_response)) as k. cbn [prob class_of]. unfold law_of_play. lra.
Qed.
Theorem above_floor rule m star block : reaction_of_class d rule m -> (1 <= m)%nat -> In star (models d) -> List.length block = m -> (forall p, In p block -> In p Pi) ->
  floor star <= worth_of_block d rule r star block.
Proof.
  intros blocks m1 i len inb. destruct (model_parts star i) as [it ip]. assert (ih : In (hd O block) Pi) by (destruct block; [simpl in len; lia | apply inb; now left]).
  assert (rows : forall h, (h < horizon d)%nat -> forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> is_row (nB d) (reaction d rule (snd star) (rev block) h seen)).
  { intros h hh seen k. apply blocks; auto. split; [now rewrite rev_length |]. intros p j. apply in_rev in j. apply inb, in_seq in j. lia. }
  unfold worth_of_block. rewrite (mean_is (fst star) _ _ it ih rows). unfold floor. pose proof (later_mean (fst star) _ _ it ih rows). lra.
Qed.
(** over all episodes a learner loses what its data episodes lose, and R' for each episode of warm-up *)
Theorem cost_of_learner rule m past star deploy begins : warmup_stationary d rule m -> reaction_of_class d rule m -> (m <= S (List.length past))%nat ->
  (forall p, In p past -> In p Pi) -> (0 < List.length (policies d))%nat -> In star (models d) -> (forall h, In (pi_of K deploy h) Pi) -> begins [] = true ->
  (forall tau h, begins (tau :: h) = false -> pi_of K deploy (tau :: h) = pi_of K deploy h) ->
  forall h, regret_with_warm_up d rule r m past star deploy begins h <= regret K deploy star (best_policy d r star) h + INR (m - 1) * Q2R range' * INR (starts K begins h).
Proof.
  intros st bl pl pi hp hs plays first keeps h.
  refine (cost_le K (floor star) (Q2R range') star (best_policy d r star) deploy begins plays first keeps m (worth_of_block d rule r star) past (proj1 st) pl pi _ _ _ h).
  - apply below_ceiling; [exact hs |]. now apply best_in.
  - intros block e i. exact (above_floor rule m star block bl (proj1 st) hs e i).
  - intros p i. now apply (worth_stationary d wA wB rule m r star).
Qed.
End Ranges.
