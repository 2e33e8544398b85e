(** What the extracted program decides: a statement about a class, and one function that is true only of statements that hold.

    [confirmed] is extracted by extract/Extract.v; [confirmed_sound] is why its answers can be believed.  What a statement says is [says]. *)
From Coq Require Import Reals Qreals.
From Pomgcheck Require Import OrderedField RuleLin Statements WeakRevealing RevealingRatio ReachableStates SignalCrossing WellSpecified Covering CoveringNumber WarmupStationary PosteriorLipschitz.
From Pomgcheck Require Import TrajectoryLaws BoundedIncrements PredictiveStates CausalDecomposition KLConversion EluderDimension EluderSigns EluderRank FadingMemory RealSums NestedRule Play Numbers HarmfulModels NestedPlay Regret AlgorithmFirst.
Open Scope nat_scope.

Inductive statement :=
  | Factors | LawsAreProducts | DoesNotExpand                                             (* Theorem 2.5 *)
  | Follows (rule : block_rule) (m : nat) (policy_form : bool) (L : Q)                                         (* 2.3 *)
  | FollowsAveraged (policy_form : bool) (L : Q)                                          (* 2.3, where memory fades *)
  | FollowsNoCloser (rule : block_rule) (m : nat) (policy_form : bool) (L : Q) (at_history : history_at)
  | Leaps (rule : block_rule) (m : nat) (policy_form : bool) (at_history : history_at)
  | Reveals (joint : bool) (kappa : nat) (proof : evidence)                               (* 2.4 *)
  | RevealsNoMore (joint : bool) (kappa : nat) (upper : Q) (at_state : state_at)
  | RevealsNothing (joint : bool) (kappa : nat) (at_state : state_at)
  | Crosses (kappa : nat) (at_state : state_at) (other : masses)
  | RevealsReached (joint : bool) (kappa : nat) (alpha : Q)
  | RevealsReachedNoMore (joint : bool) (kappa : nat) (upper : Q) (at_state : state_at)
  | RevealsReachedNothing (joint : bool) (kappa : nat) (at_state : state_at)
  | TruthInside (truth : point * point) | TruthOutside (truth : point * point)            (* 3.1(a) *)
  | Covered (N : nat) (net : list (point * point))                                        (* 3.1(b) *)
  | FewerDoNot (N : nat) (net : list (point * point))
  | IncrementsBounded (B : Q)                                                             (* 3.1(c) *)
  | IncrementsReach (B : Q) (xi eta : point * point) (p : nat) (tau : trajectory)
  | IncrementsUnbounded (xi eta : point * point) (p : nat) (tau : trajectory)
  | StatesDefined | StatesUndefined (xi eta : point * point) (p : nat) (tau : trajectory) (* 3.1(d) *)
  | Converts (of_world : bool) (c : Q)                                                    (* 3.1(e) *)
  | ConvertsWhereFinite (of_world : bool) (c : Q)
  | ConvertsNoMoreWhereFinite (of_world : bool) (c : Q) (star xi : point * point) (p : nat)
  | ConvertsNoMore (of_world : bool) (c : Q) (star xi : point * point) (p : nat)
  | ConvertsNothing (of_world : bool) (star xi : point * point) (p : nat)
  | Settles (rule : block_rule) (m : nat)                                                 (* 3.1(f) *)
  | Fades (gamma L : Q)                                                                         (* 3.1(f), Theorem 5.2 *)
  | FadesNoLess (L : Q)
  | AtLeast (of_world : bool) (alpha : Q) (n : nat) (scale_squared : Q) (star : point * point) (queries : list (nat * point))   (* 2.6 *)
  | AtMost (of_world : bool) (alpha : Q) (n : nat)
  | Rank (of_world : bool) (n : nat)
  | Guarantee (rule : block_rule) (m : nat) (rewards : list (list Q)) (later delta : Q) (tolds : list told) (T : N) (at_T at_any : Q) (first : N) (D : Q)  (* Theorem N *)
  | Learns (rule : block_rule) (m : nat) (rewards : list (list Q)) (range later c B delta : Q) (tolds : list told)                (* Algorithm 1 *)
      (T : N) (at_T : Q) (first : N) (D : Q) (kept : option (list point * list point)).

Definition conversion (of_world : bool) : doc -> Q -> Prop := if of_world then kl_world else kl_joint.
(** of [nested]: its regret is below its bound with probability 1 - 2 delta; what the bound is at most at T and at any time; that it is below D t from
    [first] on and, for some truth, not before; and that no policy costs more than D *)
Definition guarantees d (rule : block_rule) m rewards (later delta : Q) tolds (T : N) (at_T at_any : Q) (first : N) (D : Q) : Prop := let r := reward_of rewards in
  (forall star, In star (models d) -> forall past, m - 1 <= List.length past -> (forall p, In p past -> p < List.length (policies d)) -> forall T,
   (probability d r (Q2R delta) star T (ever (fun h =>
      Rltb (bound_N d r later delta m tolds star (List.length h)) (policy_regret d rule r (Q2R delta) m past star h))) <= 2 * Q2R delta)%R) /\
  (forall star, In star (models d) -> (bound_N d r later delta m tolds star (N.to_nat T) <= Q2R at_T)%R) /\
  (forall star, In star (models d) -> forall t, (bound_N d r later delta m tolds star t <= Q2R at_any)%R) /\
  (forall star, In star (models d) -> forall t, N.to_nat first <= t -> (bound_N d r later delta m tolds star t < Q2R D * INR t)%R) /\
  (first <> 1%N -> exists star, In star (models d) /\ forall t, 1 <= t < N.to_nat first -> (Q2R D * INR t <= bound_N d r later delta m tolds star t)%R) /\
  (forall xi p, In xi (models d) -> p < List.length (policies d) -> (gap (class_of d r) xi (best_policy d r xi) p <= Q2R D)%R).
(** of Algorithm 1: its regret is below its bound with probability 1 - 2 delta; what the bound is at most at T; that it is below D t from
    [first] on and, for some truth, not before *)
Definition learns d (rule : block_rule) m rewards (range later c B delta : Q) tolds (T : N) (at_T : Q) (first : N) (D : Q) : Prop :=
  (forall star, In star (models d) -> forall past, m - 1 <= List.length past -> (forall p, In p past -> p < List.length (policies d)) -> forall T,
   (probability_1 d (reward_of rewards) (Q2R c) B (Q2R delta) m star T (ever (fun h =>
      Rltb (bound_1 d (reward_of rewards) range later c B delta m tolds star (List.length h))
           (policy_regret_1 d rule (reward_of rewards) (Q2R c) B (Q2R delta) m past star h))) <= 2 * Q2R delta)%R) /\
  (forall star, In star (models d) -> (bound_1 d (reward_of rewards) range later c B delta m tolds star (N.to_nat T) <= Q2R at_T)%R) /\
  (forall star, In star (models d) -> forall t, N.to_nat first <= t -> (bound_1 d (reward_of rewards) range later c B delta m tolds star t < Q2R D * INR t)%R) /\
  (first <> 1%N -> exists star, In star (models d) /\ forall t, 1 <= t < N.to_nat first -> (Q2R D * INR t <= bound_1 d (reward_of rewards) range later c B delta m tolds star t)%R).
(** the class, or where models have the same tables the class with one of them *)
Definition kept_of d (kept : option (list point * list point)) : doc := match kept with Some (ts, ps) => listed d ts ps | None => d end.
Definition says d (s : statement) : Prop :=
  match s with
  | Factors => forall F : OF, factorization F d
  | LawsAreProducts => oom_identity d
  | DoesNotExpand => forall F : OF, nonexpansive F d
  | Follows rule m form L => posterior_lipschitz d rule m form L
  | FollowsAveraged form L => posterior_lipschitz_averaged d form L
  | FollowsNoCloser rule m form L _ => forall L', (L' < L)%Q -> ~ posterior_lipschitz d rule m form L'
  | Leaps rule m form _ => forall L, ~ posterior_lipschitz d rule m form L
  | Reveals joint kappa proof => forall F : OF, weak_revealing F d joint kappa (alpha_lower proof)
  | RevealsNoMore joint kappa upper _ => forall (F : OF) alpha, (upper < alpha)%Q -> ~ weak_revealing F d joint kappa alpha
  | RevealsNothing joint kappa _ => forall (F : OF) alpha, ~ weak_revealing F d joint kappa alpha
  | Crosses kappa _ _ => forall (F : OF) alpha, ~ weak_revealing F d false kappa alpha
  | RevealsReached joint kappa alpha => forall F : OF, weak_revealing_reachable F d joint kappa alpha
  | RevealsReachedNoMore joint kappa upper _ => forall (F : OF) alpha, (upper < alpha)%Q -> ~ weak_revealing_reachable F d joint kappa alpha
  | RevealsReachedNothing joint kappa _ => forall (F : OF) alpha, ~ weak_revealing_reachable F d joint kappa alpha
  | TruthInside truth => well_specified d truth
  | TruthOutside truth => ~ well_specified d truth
  | Covered N _ => Statements.covering d N
  | FewerDoNot N _ => forall n, n < N -> ~ Statements.covering d n
  | IncrementsBounded B => bounded_increments d B
  | IncrementsReach B _ _ _ _ => forall B', (B' < B)%Q -> ~ bounded_increments d B'
  | IncrementsUnbounded _ _ _ _ => forall B, ~ bounded_increments d B
  | StatesDefined => predictive_states d
  | StatesUndefined _ _ _ _ => ~ predictive_states d
  | Converts of_world c => conversion of_world d c
  | ConvertsWhereFinite of_world c => kl_finite d of_world c
  | ConvertsNoMoreWhereFinite of_world c _ _ _ => forall c', (c < c')%Q -> ~ kl_finite d of_world c'
  | ConvertsNoMore of_world c _ _ _ => forall c', (c < c')%Q -> ~ conversion of_world d c'
  | ConvertsNothing of_world _ _ _ => forall c, ~ conversion of_world d c
  | Settles rule m => warmup_stationary d rule m
  | Fades gamma L => fading_lipschitz d L /\ fading_settles d gamma L
  | FadesNoLess L => forall L', (L' < L)%Q -> ~ fading_lipschitz d L'
  | AtLeast of_world alpha n _ _ _ => (if of_world then eluder_world_at_least else eluder_adversary_at_least) d alpha n
  | AtMost of_world alpha n => (if of_world then eluder_world_at_most else eluder_adversary_at_most) d alpha n
  | Rank of_world n => forall F : OF, (if of_world then rank_W F else rank_G F) d n
  | Guarantee rule m rewards later delta tolds T at_T at_any first D => guarantees d rule m rewards later delta tolds T at_T at_any first D
  | Learns rule m rewards range later c B delta tolds T at_T first D kept =>
      match kept with Some (ts, ps) => one_each d ts ps | None => True end /\ learns (kept_of d kept) rule m rewards range later c B delta tolds T at_T first D
  end.

(** one table of values for all that is said of a learner *)
Definition check_guarantees d (rule : block_rule) m rewards (later delta : Q) tolds (T : N) (at_T at_any : Q) (first : N) (D : Q) : bool :=
  let table := values_of d (reward_of rewards) in
  check_nested d table rule m rewards later delta tolds && check_nested_loss d table m later delta tolds T at_T && check_nested_ever d table m later delta tolds at_any &&
  check_nested_worth d table m later delta tolds first D && (if (first =? 1)%N then true else check_nested_first d table m later delta tolds first D) && check_D d table D.
Lemma check_guarantees_sound d rule m rewards later delta tolds T at_T at_any first D : class_of_games d ->
  check_guarantees d rule m rewards later delta tolds T at_T at_any first D = true -> guarantees d rule m rewards later delta tolds T at_T at_any first D.
Proof.
  unfold check_guarantees, guarantees. cbv zeta. rewrite !andb_true_iff. intros class [[[[[h1 h2] h3] h4] h5] h6]. set (r := reward_of rewards) in *. split; [| split; [| split; [| split; [| split]]]].
  - now apply (check_nested_sound d (values_of d r)).
  - now apply (check_nested_loss_sound d r (values_of d r)).
  - now apply (check_nested_ever_sound d r (values_of d r)).
  - now apply (check_nested_worth_sound d r (values_of d r) m later delta tolds first).
  - intro n. apply N.eqb_neq in n. rewrite n in h5. now apply (check_nested_first_sound d r (values_of d r)).
  - now apply (check_D_sound d (values_of d r)).
Qed.
Definition check_learns d (rule : block_rule) m rewards (range later c B delta : Q) tolds (T : N) (at_T : Q) (first : N) (D : Q) : bool :=
  let table := values_of d (reward_of rewards) in
  check_algorithm d table rule m rewards range later c B delta tolds && check_loss d table m range later c B delta tolds T at_T &&
  check_worth d table m range later c B delta tolds first D && (if (first =? 1)%N then true else check_algorithm_first d table m range later c B delta tolds first D).
Lemma check_learns_sound d rule m rewards range later c B delta tolds T at_T first D : class_of_games d ->
  check_learns d rule m rewards range later c B delta tolds T at_T first D = true -> learns d rule m rewards range later c B delta tolds T at_T first D.
Proof.
  unfold check_learns. cbv zeta. rewrite !andb_true_iff. intros class [[[h1 h2] h3] h4]. split; [| split; [| split]].
  - now apply (check_algorithm_sound d (values_of d (reward_of rewards))).
  - now apply (check_loss_sound d (reward_of rewards) (values_of d (reward_of rewards))).
  - now apply (check_worth_sound d (reward_of rewards) (values_of d (reward_of rewards)) m range later c B delta tolds first).
  - intro n. apply N.eqb_neq in n. rewrite n in h4. now apply (check_algorithm_first_sound d (reward_of rewards) (values_of d (reward_of rewards))).
Qed.
(** The program.  That the document is a class of games is asked once, by [check_class]. *)
Definition confirmed d (s : statement) : bool :=
  match s with
  | Factors | LawsAreProducts => true
  | DoesNotExpand => 1 <=? response_window d
  | Follows rule m form L => check_lipschitz d rule m form L
  | FollowsAveraged form L => check_lipschitz d Latest 1 form L
  | FollowsNoCloser rule m form L y => check_apart d rule m form y L
  | Leaps rule m form y => check_unequal d rule m form y
  | Reveals joint kappa proof => check_revealing d joint kappa proof
  | RevealsNoMore joint kappa upper x => check_ratio d joint kappa x upper
  | RevealsNothing joint kappa x => check_ratio d joint kappa x 0
  | Crosses kappa x other => check_crossing d kappa x other
  | RevealsReached joint kappa alpha => check_reachable d joint kappa alpha
  | RevealsReachedNoMore joint kappa upper x => check_reachable_ratio d joint kappa x upper
  | RevealsReachedNothing joint kappa x => check_reachable_ratio d joint kappa x 0
  | TruthInside truth => check_well_specified d truth
  | TruthOutside truth => negb (check_well_specified d truth)
  | Covered N net => check_covering d N net
  | FewerDoNot N net => check_fewest d N net
  | IncrementsBounded B => check_increments d B
  | IncrementsReach B xi eta p tau => increment_at d B xi eta p tau
  | IncrementsUnbounded xi eta p tau => impossible_at d xi eta p tau
  | StatesDefined => check_predictive d
  | StatesUndefined xi eta p tau => impossible_at d xi eta p tau
  | Converts of_world c => check_conversion d false of_world c
  | ConvertsWhereFinite of_world c => check_conversion d true of_world c
  | ConvertsNoMoreWhereFinite of_world c star xi p => check_divergence d of_world star xi p c
  | ConvertsNoMore of_world c star xi p => check_divergence d of_world star xi p c
  | ConvertsNothing of_world star xi p => check_divergence d of_world star xi p 0
  | Settles rule m => (1 <=? m) && match rule with Table _ => check_stationary d rule m | _ => true end
  | Fades gamma L => check_settles d gamma L
  | FadesNoLess L => check_fading_reached d L
  | AtLeast of_world alpha n s star queries => check_at_least d of_world alpha n s star queries
  | AtMost of_world alpha n => if check_at_most d of_world alpha n then true else check_through_signs d of_world alpha n
  | Rank of_world n => check_rank_of d of_world n
  | Guarantee rule m rewards later delta tolds T at_T at_any first D => check_guarantees d rule m rewards later delta tolds T at_T at_any first D
  | Learns rule m rewards range later c B delta tolds T at_T first D kept =>
      match kept with Some (ts, ps) => check_one_each d ts ps | None => true end && check_learns (kept_of d kept) rule m rewards range later c B delta tolds T at_T first D
  end.

Theorem confirmed_sound d s : check_class d = true -> confirmed d s = true -> says d s.
Proof.
  intro class. apply check_class_sound in class.
  destruct s as [ | | | rule m form L | form L | rule m form L y | rule m form y | joint kappa proof | joint kappa upper x | joint kappa x | kappa x q | joint kappa alpha | joint kappa upper x | joint kappa x | truth | truth | N net | N net | B | B xi eta p tau
    | xi eta p tau | | xi eta p tau | w c | w c | w c star xi p | w c star xi p | w star xi p | rule m | gamma L | L | w alpha n s star l | w alpha n | w n
    | rule m rewards later delta tolds T at_T at_any first D | rule m rewards range later c B delta tolds T at_T first D kept]; cbn [confirmed says]; intro h.
  - intro F. apply factorization_holds.
  - apply oom_identity_holds.
  - intro F. apply nonexpansive_holds; [exact class | now apply Nat.leb_le].
  - now apply check_lipschitz_sound.
  - now apply check_averaged_sound.
  - now apply (check_apart_sound d rule m form y).
  - now apply (check_unequal_sound d rule m form y).
  - intro F. now apply check_revealing_sound.
  - intro F. now apply (check_ratio_sound F d joint kappa x).
  - intro F. now apply (no_signal F d joint kappa x).
  - intro F. now apply (check_crossing_sound F d kappa x q).
  - intro F. now apply check_reachable_sound.
  - intro F. now apply (check_reachable_ratio_sound F d joint kappa x).
  - intro F. now apply (no_signal_reachable F d joint kappa x).
  - now apply check_well_specified_sound.
  - apply outside_sound. now apply negb_true_iff.
  - now apply (check_covering_sound d N net).
  - now apply (check_fewest_sound d N net).
  - now apply check_increments_sound.
  - now apply (increment_at_sound d B xi eta p tau).
  - now apply (impossible_unbounded d xi eta p tau).
  - now apply check_predictive_sound.
  - now apply (impossible_undefined d xi eta p tau).
  - destruct w; [now apply check_kl_world | now apply check_kl_joint].
  - now apply check_kl_finite.
  - now apply (no_more_finite d w star xi p).
  - destruct w; [now apply (no_more_kl_world d star xi p) | now apply (no_more_kl_joint d star xi p)].
  - destruct w; [now apply (no_kl_world d star xi p) | now apply (no_kl_joint d star xi p)].
  - apply andb_true_iff in h. destruct h as [hm h]. apply Nat.leb_le in hm.
    destruct rule; [now apply latest_stationary | now apply mean_stationary | now apply check_stationary_sound].
  - now apply check_settles_sound.
  - now apply check_fading_reached_sound.
  - apply check_at_least_sound in h. now destruct w.
  - destruct (check_at_most _ _ _ _) eqn:counted; [apply check_at_most_sound in counted; now destruct w | apply (through_signs_sound d w) in h; [now destruct w | exact class]].
  - intro F. destruct w; [now apply check_rank_W_sound | now apply check_rank_G_sound].
  - now apply check_guarantees_sound.
  - apply andb_true_iff in h. destruct h as [hk h]. destruct kept as [[ts ps] |]; cbn [kept_of] in *; (split; [| apply check_learns_sound; [| exact h]]); auto.
    + now apply check_one_each_sound.
    + apply class_of_listed; [exact class | now apply check_one_each_sound].
Qed.
