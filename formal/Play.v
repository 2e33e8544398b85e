(** The class of a document satisfies the hypotheses of Theorem N: law of what the learner sees in an episode. *)
From Pomgcheck Require Import OrderedField Statements Windows.
From Pomgcheck Require Import RealSums Ville Hellinger ScheduleBound NestedRule.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

(** ** The law of an episode: (observation, action) pairs, the first one first *)
Definition trajectory := list (nat * nat).
Definition pairs d : list (nat * nat) := list_prod (seq 0 (nOA d)) (seq 0 (nA d)).
Fixpoint trajectories_of d (k : nat) : list trajectory :=
  match k with O => [[]] | S k => flat_map (fun x => map (cons x) (trajectories_of d k)) (pairs d) end.
Definition trajectories d := trajectories_of d (horizon d).
Fixpoint play d (w : world) (g pi : decision) (h s : nat) (uA uB : list nat) (tau : trajectory) : Q :=
  match tau with
  | [] => 1
  | (o, a) :: tau => EA w h s o * (pi h (uA ++ [o]) a *
      step d w g h s a uB (fun s' uB' => play d w g pi (S h) s' (next_A d uA o) uB' tau))
  end%Q.
Definition start d s : Q := eval [] (nth s (initial d) (Num 0)).
Definition law_of_play d (xi : point * point) (p : nat) (tau : trajectory) : Q :=
  OrderedField.qsum (seq 0 (nS d)) (fun s => start d s *
    play d (world_of d (fst xi)) (response_of d (snd xi) p) (policy_of d p) 0 s [] [] tau)%Q.

Lemma Q2R_qsum {A} (l : list A) f : Q2R (OrderedField.qsum l f) = sum l (fun k => Q2R (f k)).
Proof.
  induction l as [| k l ih]; cbn [OrderedField.qsum sum]; [unfold Q2R; simpl; lra |]. rewrite <- ih, <- Q2R_plus. exact (Qeq_eqR _ _ (Qred_correct _)).
Qed.
Lemma Q2R_one : Q2R 1 = 1. Proof. unfold Q2R. simpl. lra. Qed.
Lemma Q2R_pos q : (0 <= q)%Q -> 0 <= Q2R q. Proof. intro h. apply Qle_Rle in h. unfold Q2R at 1 in h. simpl in h. lra. Qed.
Lemma row_one n f : is_row n f -> sum (seq 0 n) (fun k => Q2R (f k)) = 1.
Proof. intros [_ h]. rewrite <- Q2R_qsum, <- Q2R_one. now apply Qeq_eqR. Qed.
Lemma row_pos n f k : is_row n f -> In k (seq 0 n) -> 0 <= Q2R (f k).
Proof. intros [h _] i. apply in_seq in i. apply Q2R_pos, h. lia. Qed.
Lemma sum_pull {A B} (l : list A) (m : list B) (w : B -> R) f :
  sum l (fun x => sum m (fun y => w y * f x y)) = sum m (fun y => w y * sum l (fun x => f x y)).
Proof. rewrite sum_swap. apply sum_ext. intros y _. apply sum_mul. Qed.
Lemma sum_list_prod {A B} (l : list A) (m : list B) f : sum (list_prod l m) f = sum l (fun x => sum m (fun y => f (x, y))).
Proof. induction l as [| x l ih]; simpl; auto. rewrite sum_app, ih, sum_map. reflexivity. Qed.
Lemma step_R d w g h s a uB k : Q2R (step d w g h s a uB k) =
  sum (seq 0 (nOB d)) (fun oB => Q2R (EB w h s oB) * sum (seq 0 (nB d)) (fun b => Q2R (g h (uB ++ [oB]) b) *
    sum (seq 0 (nS d)) (fun s' => Q2R (Statements.T w h s a b s') * Q2R (k s' (next_B d uB oB))))).
Proof.
  unfold step. rewrite Q2R_qsum. apply sum_ext. intros oB _. rewrite Q2R_mult, Q2R_qsum. f_equal. apply sum_ext. intros b _.
  rewrite Q2R_mult, Q2R_qsum. f_equal. apply sum_ext. intros s' _. apply Q2R_mult.
Qed.

Section Class.
Variable d : doc.
Hypothesis ok : class_of_games d.
Hypothesis wA : (1 <= policy_window d)%nat.
Hypothesis wB : (1 <= response_window d)%nat.
Definition models := list_prod (thetas d) (phis d).
Definition policies := seq 0 (List.length (Statements.policies d)).

Lemma seen_A h u o : In u (memories_A d h) -> In o (seq 0 (nOA d)) -> In (u ++ [o]) (tuples (nOA d) (Nat.min (policy_window d) (S h))).
Proof.
  unfold memories_A. rewrite !in_tuples, app_length. intros [e x] i. apply in_seq in i. cbn [List.length]. split; [lia |].
  intros y j. apply in_app_iff in j. destruct j as [j | [<- | []]]; [auto | lia].
Qed.
Lemma seen_B h u o : In u (memories_B d h) -> In o (seq 0 (nOB d)) -> In (u ++ [o]) (tuples (nOB d) (Nat.min (response_window d) (S h))).
Proof.
  unfold memories_B. rewrite !in_tuples, app_length. intros [e x] i. apply in_seq in i. cbn [List.length]. split; [lia |].
  intros y j. apply in_app_iff in j. destruct j as [j | [<- | []]]; [auto | lia].
Qed.
Lemma next_in_A h u o : In u (memories_A d h) -> In o (seq 0 (nOA d)) -> In (next_A d u o) (memories_A d (S h)).
Proof.
  intros i j. apply (seen_A h u o i) in j. clear i. revert j. unfold memories_A, next_A, Statements.last. rewrite !in_tuples.
  intros [e x]. rewrite skipn_length. split; [lia |]. intros y k. apply x.
  rewrite <- (firstn_skipn (List.length (u ++ [o]) - (policy_window d - 1)) (u ++ [o])). apply in_app_iff. now right.
Qed.
Section Model.
Variables (theta phi : point) (p : nat).
Hypotheses (theta_in : In theta (thetas d)) (phi_in : In phi (phis d)) (p_in : In p policies).
Notation w := (world_of d theta). Notation g := (response_of d phi p). Notation pi := (policy_of d p).
Lemma p_lt : (p < List.length (Statements.policies d))%nat. Proof. apply in_seq in p_in. lia. Qed.
Lemma row_EA h s : (h < horizon d)%nat -> In s (seq 0 (nS d)) -> is_row (nOA d) (EA w h s).
Proof. intros a b. apply in_seq in b. apply (proj1 (proj2 ok)); auto. lia. Qed.
Lemma row_EB h s : (h < horizon d)%nat -> In s (seq 0 (nS d)) -> is_row (nOB d) (EB w h s).
Proof. intros a b. apply in_seq in b. apply (proj1 (proj2 ok)); auto. lia. Qed.
Lemma row_T h s a b : (h < horizon d)%nat -> In s (seq 0 (nS d)) -> In a (seq 0 (nA d)) -> In b (seq 0 (nB d)) ->
  is_row (nS d) (Statements.T w h s a b).
Proof. intros hh i j k. apply in_seq in i, j, k. apply (proj1 (proj2 ok)); auto; lia. Qed.
Lemma row_pi h u o : (h < horizon d)%nat -> In u (memories_A d h) -> In o (seq 0 (nOA d)) -> is_row (nA d) (pi h (u ++ [o])).
Proof. intros hh i j. apply (proj2 (proj2 ok)); auto using p_lt, seen_A. Qed.
Lemma row_g h u o : (h < horizon d)%nat -> In u (memories_B d h) -> In o (seq 0 (nOB d)) -> is_row (nB d) (g h (u ++ [o])).
Proof. intros hh i j. apply (proj2 (proj2 ok)); auto using p_lt, seen_B. Qed.
Lemma next_in_B h u o : In u (memories_B d h) -> In o (seq 0 (nOB d)) -> In (next_B d u o) (memories_B d (S h)).
Proof. intros i j. apply in_seq in j. apply next_in; auto; try exact 0%nat. lia. Qed.

Lemma play_one k : forall h s uA uB, (h + k <= horizon d)%nat -> In s (seq 0 (nS d)) -> In uA (memories_A d h) -> In uB (memories_B d h) ->
  sum (trajectories_of d k) (fun tau => Q2R (play d w g pi h s uA uB tau)) = 1.
Proof.
  induction k as [| k ih]; intros h s uA uB hh is iA iB; [simpl; rewrite Q2R_one; lra |].
  assert (hl : (h < horizon d)%nat) by lia.
  cbn [trajectories_of]. rewrite sum_flat_map. unfold pairs. rewrite sum_list_prod.
  rewrite <- (row_one _ _ (row_EA h s hl is)). apply sum_ext. intros o io.
  rewrite <- (Rmult_1_r (Q2R (EA w h s o))), <- (row_one _ _ (row_pi h uA o hl iA io)), <- sum_mul. apply sum_ext. intros a ia.
  rewrite sum_map. cbn [play]. rewrite (sum_ext _ _ (fun tau => Q2R (EA w h s o) * Q2R (pi h (uA ++ [o]) a) *
    Q2R (step d w g h s a uB (fun s' uB' => play d w g pi (S h) s' (next_A d uA o) uB' tau)))) by (intros; rewrite !Q2R_mult; ring).
  rewrite sum_mul. transitivity (Q2R (EA w h s o) * Q2R (pi h (uA ++ [o]) a) * 1); [f_equal | ring].
  rewrite (sum_ext _ _ _ (fun tau _ => step_R d w g h s a uB _)). rewrite sum_pull.
  rewrite <- (row_one _ _ (row_EB h s hl is)). apply sum_ext. intros oB iob. rewrite sum_pull.
  transitivity (Q2R (EB w h s oB) * 1); [f_equal | ring].
  rewrite <- (row_one _ _ (row_g h uB oB hl iB iob)). apply sum_ext. intros b ib. rewrite sum_pull.
  transitivity (Q2R (g h (uB ++ [oB]) b) * 1); [f_equal | ring].
  rewrite <- (row_one _ _ (row_T h s a b hl is ia ib)). apply sum_ext. intros s' is'.
  rewrite ih; [ring | lia | auto | now apply next_in_A | now apply next_in_B].
Qed.
Lemma play_pos tau : forall h s uA uB, (forall x, In x tau -> In x (pairs d)) -> (h + List.length tau <= horizon d)%nat ->
  In s (seq 0 (nS d)) -> In uA (memories_A d h) -> In uB (memories_B d h) -> 0 <= Q2R (play d w g pi h s uA uB tau).
Proof.
  induction tau as [| [o a] tau ih]; intros h s uA uB ix hh is iA iB; [simpl; rewrite Q2R_one; lra |]. cbn [List.length] in hh.
  assert (hl : (h < horizon d)%nat) by lia.
  pose proof (ix (o, a) (or_introl eq_refl)) as ioa. apply in_prod_iff in ioa. destruct ioa as [io ia].
  cbn [play]. rewrite !Q2R_mult, step_R.
  apply Rmult_le_pos; [eapply row_pos; eauto using row_EA |]. apply Rmult_le_pos; [eapply row_pos; eauto using row_pi |].
  apply sum_nonneg. intros oB iob. apply Rmult_le_pos; [eapply row_pos; eauto using row_EB |].
  apply sum_nonneg. intros b ib. apply Rmult_le_pos; [eapply row_pos; eauto using row_g |].
  apply sum_nonneg. intros s' is'. apply Rmult_le_pos; [eapply row_pos; eauto using row_T |].
  apply ih; [intros; apply ix; now right | lia | auto | now apply next_in_A | now apply next_in_B].
Qed.
Lemma trajectories_in k tau : In tau (trajectories_of d k) -> List.length tau = k /\ forall x, In x tau -> In x (pairs d).
Proof.
  revert tau. induction k as [| k ih]; intros tau i; simpl in i.
  - destruct i as [<- | []]. split; [reflexivity | intros x []].
  - apply in_flat_map in i. destruct i as (x & ix & i). apply in_map_iff in i. destruct i as (t & <- & i).
    destruct (ih t i) as [e y]. split; [simpl; congruence |]. intros z [<- | j]; auto.
Qed.
Lemma nil_A : In [] (memories_A d 0). Proof. unfold memories_A. rewrite Nat.min_0_r. now left. Qed.
Lemma nil_B : In [] (memories_B d 0). Proof. unfold memories_B. rewrite Nat.min_0_r. now left. Qed.
Lemma law_one_d : sum (trajectories d) (fun tau => Q2R (law_of_play d (theta, phi) p tau)) = 1.
Proof.
  unfold law_of_play. rewrite (sum_ext _ _ _ (fun tau _ => Q2R_qsum _ _)).
  rewrite (sum_ext _ _ (fun tau => sum (seq 0 (nS d)) (fun s => Q2R (start d s) * Q2R (play d w g pi 0 s [] [] tau))))
    by (intros; apply sum_ext; intros; apply Q2R_mult).
  rewrite sum_pull, <- (row_one _ _ (proj1 ok)). apply sum_ext. intros s is.
  unfold trajectories. rewrite play_one; [unfold start; ring | lia | auto | apply nil_A | apply nil_B].
Qed.
Lemma law_pos_d tau : In tau (trajectories d) -> 0 <= Q2R (law_of_play d (theta, phi) p tau).
Proof.
  intro i. destruct (trajectories_in _ _ i) as [e x]. unfold law_of_play. rewrite Q2R_qsum. apply sum_nonneg. intros s is.
  rewrite Q2R_mult. apply Rmult_le_pos; [exact (row_pos _ _ s (proj1 ok) is) |].
  apply play_pos; auto using nil_A, nil_B. lia.
Qed.
End Model.

(** ** Theorem N for a document *)
Definition point_dec : forall x y : point * point, {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.
Variable G : trajectory -> R.                       (* return of an episode, e.g. the sum of the rewards r_h(o_h, a_h) *)
Definition prob xi p tau : R := Q2R (law_of_play d xi p tau).
Definition V xi p : R := value (point * point) nat trajectory (trajectories d) prob G xi p.
Definition best xi : nat := argmax (V xi) 0%nat policies.
Definition v_star xi : R := V xi (best xi).
Variable delta : R.
(** what `nested` deploys after the episodes h (the last one first), as a (model, policy) pair *)
Definition nested_learner : list trajectory -> (point * point) * nat :=
  nested (point * point) nat trajectory point_dec models policies (trajectories d) prob G delta (([], []), 0%nat).
Definition policy_regret star : list trajectory -> R :=
  regret (point * point) nat trajectory (trajectories d) prob G nested_learner star (best star).
Definition n_epochs : list trajectory -> nat := epochs (point * point) nat trajectory point_dec models prob delta nested_learner.
Definition probability star : nat -> (list trajectory -> bool) -> R :=
  Pr trajectory (trajectories d) (law (point * point) nat trajectory prob nested_learner star).
Definition U (span w : R) (T : nat) : R :=
  span * sqrt ((3 * ln (INR (List.length models) / delta) + 2)
               * INR (Nat.min (List.length models - 1) (List.length (Statements.policies d) - 1)) * INR T)
  + w * INR (List.length models).
Theorem regret_of_document star low span w :
  In star models -> (0 < List.length (Statements.policies d))%nat ->
  0 <= span -> (forall tau, In tau (trajectories d) -> low <= G tau <= low + span) -> 0 < delta <= 1 -> 0 <= w ->
  forall T, probability star T (fun h => Rltb (U span w T) (policy_regret star h + w * INR (n_epochs h))) <= 2 * delta.
Proof.
  intros hs hp sp hG hd hw T.
  assert (z : In 0%nat policies) by (unfold policies; apply in_seq; lia).
  assert (pn : policies <> []) by (intro e; rewrite e in z; destruct z).
  assert (P0 : forall xi p tau, In xi models -> In p policies -> In tau (trajectories d) -> 0 <= prob xi p tau).
  { intros [theta phi] p tau i j m. apply in_prod_iff in i. destruct i. now apply law_pos_d. }
  eapply Rle_trans; [| apply (regret_of_nested (point * point) nat trajectory point_dec Nat.eq_dec models policies (trajectories d) prob G low span star (best star) delta (([], []), 0%nat) T w)]; auto.
  - apply Pr_le.
    + intros h tau _ m. apply P0; auto.
      apply (nested_is_nested (point * point) nat trajectory point_dec models policies (trajectories d) prob G delta (([], []), 0%nat) z).
    + intros h _ _ _ x. apply Rltb_spec. apply Rltb_spec in x. eapply Rle_lt_trans; [| exact x]. unfold U.
      apply Rplus_le_compat_r. eapply Rle_trans; [apply Rmin_l |]. unfold root_bound, u, c, policies. rewrite seq_length. lra.
  - intros [theta phi] p i j. apply in_prod_iff in i. destruct i. now apply law_one_d.
  - now apply argmax_in.
  - intros p j. now apply (argmax_le (V star)).
Qed.
End Class.

(** the return: rewards in [0, 1], summed over the steps *)
Fixpoint total_reward (r : nat -> nat -> nat -> Q) (h : nat) (tau : trajectory) : R :=
  match tau with [] => 0 | (o, a) :: tau => Q2R (r h o a) + total_reward r (S h) tau end.
Lemma total_reward_range r : (forall h o a, (0 <= r h o a <= 1)%Q) -> forall tau h, 0 <= total_reward r h tau <= INR (List.length tau).
Proof.
  intros k tau. induction tau as [| [o a] tau ih]; intro h; [simpl; lra |]. cbn [total_reward List.length]. rewrite S_INR.
  specialize (ih (S h)). destruct (k h o a) as [k0 k1]. apply Q2R_pos in k0. apply Qle_Rle in k1. rewrite Q2R_one in k1. lra.
Qed.
Theorem regret_of_class d r delta star w : class_of_games d -> (1 <= policy_window d)%nat -> (1 <= response_window d)%nat ->
  (0 < List.length (Statements.policies d))%nat -> (forall h o a, (0 <= r h o a <= 1)%Q) -> 0 < delta <= 1 -> 0 <= w -> In star (models d) ->
  forall T, probability d (total_reward r 0) delta star T (fun h =>
    Rltb (U d delta (INR (horizon d)) w T) (policy_regret d (total_reward r 0) delta star h + w * INR (n_epochs d (total_reward r 0) delta h))) <= 2 * delta.
Proof.
  intros ok wA wB hp hr hd hw hs T. apply (regret_of_document d ok wA wB (total_reward r 0) delta star 0 (INR (horizon d)) w); auto using pos_INR.
  intros tau i. apply trajectories_in in i. destruct i as [e _]. pose proof (total_reward_range r hr tau 0) as k. rewrite e in k. lra.
Qed.
