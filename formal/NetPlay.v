(** Theorem N on a net of a continuum (docs/bound.md, "On interval axes"), against the opponent who remembers m policies: the class is the points of
    the cells of a [continuum], the truth is any of them, and the net any list of them with a point that is close to the truth.  That is a premise, as
    are M and that D is enough; see [NetBound.v]. *)
From Pomgcheck Require Import OrderedField Statements.
From Pomgcheck Require Import RealSums Ville WarmUp NestedRule Play Ranges SparseLaws IntervalClass IntervalLaws NetBound.
From Coq Require Import QArith Qreals Sorted.
Open Scope R_scope.

(** ** The class of the net's points and the policies of D, with the laws of play of the document, whose points do not matter for them *)
Definition net_class (d : doc) (r : nat -> nat -> Q) (D : list nat) (net : list (point * point)) : class :=
  Class (point * point) nat trajectory point_dec Nat.eq_dec net D (trajectories d) (fun xi p tau => Q2R (law_of_play d xi p tau)) (fun tau => Q2R (total_reward r 0 tau)).
Definition first_of (D : list nat) (net : list (point * point)) : (point * point) * nat := (hd ([], []) net, hd O D).
Definition in_class (c : continuum) (xi : point * point) : Prop := in_cells (Theta c) (fst xi) /\ in_cells (Psi c) (snd xi).
(** the law at i is close to that at xi under every policy of D *)
Definition near (d : doc) (D : list nat) (chi : R) (xi i : point * point) : Prop := forall p, In p D ->
  (forall tau, In tau (trajectories d) -> (0 < law_of_play d xi p tau)%Q -> (0 < law_of_play d i p tau)%Q) /\
  sum (trajectories d) (fun tau => Q2R (law_of_play d xi p tau) * Q2R (law_of_play d xi p tau) / Q2R (law_of_play d i p tau)) <= 1 + chi.
(** f has the means of the return in the class, but for a constant z of each policy, and M bounds its second moments about c *)
Definition moments_at_most (c : continuum) (r : nat -> nat -> Q) (D : list nat) (f : trajectory -> R) (z m M : nat -> R) : Prop :=
  forall xi p, in_class c xi -> In p D -> let E := fun g => sum (trajectories (tables c)) (fun tau => Q2R (law_of_play (tables c) xi p tau) * g tau) in
  E (fun tau => Q2R (total_reward r 0 tau)) = z p + E f /\ E (fun tau => (f tau - m p) * (f tau - m p)) <= M p.
(** at every point of the class some policy of D is as good as any *)
Definition enough (c : continuum) (r : nat -> nat -> Q) (D : list nat) : Prop := forall xi, in_class c xi ->
  forall p, (p < List.length (policies (tables c)))%nat -> exists p', In p' D /\ value (class_of (tables c) r) xi p <= value (class_of (tables c) r) xi p'.

Lemma law_against_at d l l' w g pi tau : Q2R (law_against (at_points d l l') w g pi tau) = Q2R (law_against d w g pi tau).
Proof. apply Qeq_eqR. unfold law_against. apply qsum_eq. intro s. apply Qmult_comp; [reflexivity |]. apply play_at. Qed.
Lemma trajectories_same d l l' : trajectories (at_points d l l') = trajectories d. Proof. apply trajectories_at. Qed.
Lemma value_at d l l' r xi p : value (class_of (at_points d l l') r) xi p = value (class_of d r) xi p.
Proof.
  unfold value. cbn [the_trajs prob payoff class_of]. rewrite trajectories_same. apply sum_ext. intros tau _. f_equal. apply Qeq_eqR, law_at.
Qed.
Lemma worth_at d l l' rule r xi block : worth_of_block (at_points d l l') rule r xi block = worth_of_block d rule r xi block.
Proof. unfold worth_of_block. rewrite trajectories_same. apply sum_ext. intros tau _. f_equal. apply law_against_at. Qed.

Section Continuum.
Variables (c : continuum) (rule : block_rule) (m : nat) (r : nat -> nat -> Q) (range later : Q).
Notation d := (tables c).
Hypothesis ok : everywhere c class_of_games.
Hypothesis wA : (1 <= policy_window d)%nat.
Hypothesis wB : (1 <= response_window d)%nat.
Hypothesis stationary : everywhere c (fun d => warmup_stationary d rule m).
Hypothesis reacts : everywhere c (fun d => reaction_of_class d rule m).
(** R' = later bounds what an episode of warm-up loses *)
Hypothesis ranges : everywhere c (fun d => check_ranges d r range later = true).
(** ** The net *)
Variables (D : list nat) (net : list (point * point)) (delta chi q : R) (f : trajectory -> R) (z centre M : nat -> R) (cheapest : nat).
Hypothesis delta_range : 0 < delta <= 1.
Hypothesis chi_nonneg : 0 <= chi.
Hypothesis q_nonneg : 0 <= q.
Hypothesis D_nodup : NoDup D.
Hypothesis D_in : forall p, In p D -> (p < List.length (policies d))%nat.
Hypothesis D_enough : enough c r D.
Hypothesis net_in : forall i, In i net -> in_class c i.
Hypothesis M_is : moments_at_most c r D f z centre M.
Hypothesis cheapest_in : In cheapest D.
Hypothesis cheapest_is : forall p, In p D -> M cheapest <= M p.
Notation K := (net_class d r D net).
Notation d0 := (first_of D net).
Hypothesis sorted : StronglySorted (not_above K d0 q) net.
(** ** The truth, and the point of its cell *)
Variables (star ibar : point * point) (past : list nat).
Hypothesis star_in : in_class c star.
Hypothesis ibar_in : In ibar net.
Hypothesis star_near : near d D chi star ibar.
Hypothesis past_long : (m <= S (List.length past))%nat.
Hypothesis past_in : forall p, In p past -> (p < List.length (policies d))%nat.
Hypothesis policies_some : (0 < List.length (policies d))%nat.

Notation alone xi := (at_points d [fst xi] [snd xi]).
Lemma alone_of xi : in_class c xi -> points_of c [fst xi] [snd xi].
Proof. intros [a b]. split; intros p [<- | []]; assumption. Qed.
Lemma alone_in xi : In xi (models (alone xi)).
Proof. destruct xi. now left. Qed.
Lemma play_in p : In p D -> In p (seq 0 (List.length (policies d))).
Proof. intro i. apply in_seq. specialize (D_in p i). lia. Qed.
Lemma law_is_one xi p : in_class c xi -> In p D -> sum (trajectories d) (prob K xi p) = 1.
Proof.
  intros i j. pose proof (alone_of xi i) as a. rewrite <- (one_law (alone xi) r (ok _ _ a) wA wB xi p (alone_in xi) (play_in p j)), trajectories_same.
  apply sum_ext. intros tau _. symmetry. apply Qeq_eqR, law_at.
Qed.
Lemma law_is_nonneg xi p tau : in_class c xi -> In p D -> In tau (trajectories d) -> 0 <= prob K xi p tau.
Proof.
  intros i j k. pose proof (alone_of xi i) as a. rewrite <- (trajectories_same d [fst xi] [snd xi]) in k.
  pose proof (law_positive (alone xi) r (ok _ _ a) wA wB xi p tau (alone_in xi) (play_in p j) k) as n. cbn [prob class_of] in n. rewrite (Qeq_eqR _ _ (law_at d _ _ xi p tau)) in n. exact n.
Qed.
(** every point is close to itself *)
Lemma near_itself xi : in_class c xi -> near d D 0 xi xi.
Proof.
  intros i p j. split; [auto |]. rewrite Rplus_0_r, <- (law_is_one xi p i j). apply Req_le, sum_ext. intros tau k. cbn [prob net_class].
  destruct (law_is_nonneg xi p tau i j k) as [a | a]; cbn [prob net_class] in a; [field; lra | rewrite <- a; unfold Rdiv; ring].
Qed.
Lemma known_class xi : known K star xi -> in_class c xi.
Proof. intros [-> | i]; auto. Qed.
(** a best policy of D is best of all *)
Lemma best_of_all : exists best, In best D /\ value K star best = value K star (best_policy d r star).
Proof.
  assert (b : In (best_policy d r star) (seq 0 (List.length (policies d)))) by (apply best_in; assumption).
  destruct (D_enough star star_in (best_policy d r star)) as (p & i & le); [apply in_seq in b; lia |]. exists p. split; [exact i |].
  apply Rle_antisym; [| exact le]. apply (best_is d r star). now apply play_in.
Qed.
Notation learner := (joint_test K delta chi d0).
(** Theorem N: with probability at least 1 - 2 delta, at all times up to T together, whatever T, the point of the truth's cell is not refuted and the
    policy regret, warm-up included, is at most eps t + sqrt (8 E_t sum M t) + (m - 1) R' rho; rho, the runs of one policy in the list down to ibar,
    is bounded by [runs_le_points] and [runs_le_quanta] *)
Theorem joint_test_regret T : probability_under d r learner star T (ever (fun h => refuted K ibar delta chi learner h ||
  Rltb (net_bound K delta chi q M cheapest d0 m (Q2R later) ibar (List.length h))
       (regret_with_warm_up d rule r m past star learner (another K learner) h))) <= 2 * delta.
Proof.
  pose proof (alone_of star star_in) as a. set (e := alone star) in *. pose proof (ok _ _ a) as oke. pose proof (ranges _ _ a) as re. fold e in oke, re.
  pose proof (stationary _ _ a) as se. fold e in se. destruct best_of_all as (best & bi & be).
  assert (same : forall h, regret_with_warm_up d rule r m past star learner (another K learner) h =
    PR K star best delta chi d0 m (worth_of_block d rule r star) past h).
  { intro h. unfold regret_with_warm_up, PR. change (calendar (class_of d r) learner (another K learner) m h) with (calendar K learner (another K learner) m h).
    induction (calendar K learner (another K learner) m h) as [| p l ih]; [reflexivity |]. cbn [calendar_regret]. rewrite ih, be. reflexivity. }
  assert (d0_in : In (fst d0) (the_models K) /\ In (snd d0) (the_policies K)).
  { cbn. split; [destruct net as [| x l]; [destruct ibar_in | now left] | destruct D as [| x l]; [destruct bi | now left]]. }
  eapply Rle_trans; [| refine (regret_of_joint_test K star ibar best delta chi q d0 delta_range q_nonneg chi_nonneg d0_in sorted D_nodup _ _ bi ibar_in _ f z centre M cheapest _ _
    cheapest_in cheapest_is m (floor e r star) (Q2R later) (worth_of_block d rule r star) (seq 0 (List.length (policies d))) past (proj1 se)
    (later_nonneg e r range later re) play_in past_long _ _ _ _ T)].
  - unfold probability_under. apply Pr_le.
    + intros h tau _ i. change (0 <= prob K star (pi_of K learner h) tau). apply law_is_nonneg; auto. apply (joint_test_policy K d0 d0_in).
    + intros h _ _ _. apply ever_weaker. intros h' x. rewrite same in x. exact x.
  - intros xi pi tau k. apply law_is_nonneg. now apply known_class.
  - intros xi pi k. apply law_is_one. now apply known_class.
  - intros p i. destruct (star_near p i) as [pos x2]. split; [| exact x2]. intros tau j k. cbn [prob net_class] in *.
    assert (zero : Q2R 0 = 0) by (unfold Q2R; simpl; lra). rewrite <- zero in k |- *. apply Qlt_Rlt, pos; [exact j | now apply Rlt_Qlt].
  - intros xi p k i. apply (M_is xi p (known_class xi k) i).
  - intros xi p k i. apply (M_is xi p (known_class xi k) i).
  - intros p i. apply in_seq. specialize (past_in p i). lia.
  - change (value K star best) with (value (class_of d r) star best). rewrite <- (value_at d [fst star] [snd star]). fold e.
    apply (below_ceiling e r oke wA wB range later re); [apply alone_in | now apply play_in].
  - intros block len i. rewrite <- (worth_at d [fst star] [snd star]). fold e. apply (above_floor e r oke wA wB range later re rule m); [exact (reacts _ _ a) | exact (proj1 se) | apply alone_in | exact len |].
    exact i.
  - intros p i. rewrite <- (worth_at d [fst star] [snd star]). change (value K star p) with (value (class_of d r) star p). rewrite <- (value_at d [fst star] [snd star]). fold e.
    apply (worth_stationary e wA wB rule m r star se (alone_in star)). exact i.
Qed.
End Continuum.
