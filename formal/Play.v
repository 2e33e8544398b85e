(** A document as a class: the law of an episode is a distribution, against the stationary response and against R(block) alike, and m equal policies are
    worth the stationary value. *)
From Pomgcheck Require Import WarmupStationary OrderedField Statements Windows.
From Pomgcheck Require Import RealSums NestedRule.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

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
Notation policies := (seq 0 (List.length (Statements.policies d))).

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
Variables (theta : point) (g : decision) (p : nat).
Hypotheses (theta_in : In theta (thetas d)) (p_in : In p policies).
Hypothesis g_rows : forall h, (h < horizon d)%nat -> forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> is_row (nB d) (g h seen).
Notation w := (world_of d theta). Notation pi := (policy_of d p).
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
Proof. intros hh i j. apply g_rows; auto using seen_B. Qed.
Lemma next_in_B h u o : In u (memories_B d h) -> In o (seq 0 (nOB d)) -> In (next_B d u o) (memories_B d (S h)).
Proof. intros i j. apply in_seq in j. apply next_in; auto; try exact 0%nat. lia. Qed.

Definition of_length k := forall h s uA uB, (h + k <= horizon d)%nat -> In s (seq 0 (nS d)) -> In uA (memories_A d h) -> In uB (memories_B d h) ->
  sum (trajectories_of d k) (fun tau => Q2R (play d w g pi h s uA uB tau)) = 1.
Lemma play_first k : of_length k -> forall h s uA uB o, (h + S k <= horizon d)%nat -> In s (seq 0 (nS d)) -> In uA (memories_A d h) -> In uB (memories_B d h) ->
  In o (seq 0 (nOA d)) -> sum (seq 0 (nA d)) (fun a => sum (map (cons (o, a)) (trajectories_of d k)) (fun tau => Q2R (play d w g pi h s uA uB tau))) = Q2R (EA w h s o).
Proof.
  intros ih h s uA uB o hh is iA iB io. assert (hl : (h < horizon d)%nat) by lia.
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
Lemma play_one k : of_length k.
Proof.
  induction k as [| k ih]; intros h s uA uB hh is iA iB; [simpl; rewrite Q2R_one; lra |].
  cbn [trajectories_of]. rewrite sum_flat_map. unfold pairs. rewrite sum_list_prod.
  rewrite <- (row_one _ _ (row_EA h s ltac:(lia) is)). apply sum_ext. intros o io. now apply (play_first k ih).
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
Lemma law_one_d : sum (trajectories d) (fun tau => Q2R (law_against d w g pi tau)) = 1.
Proof.
  unfold law_against. rewrite (sum_ext _ _ _ (fun tau _ => Q2R_qsum _ _)).
  rewrite (sum_ext _ _ (fun tau => sum (seq 0 (nS d)) (fun s => Q2R (start d s) * Q2R (play d w g pi 0 s [] [] tau))))
    by (intros; apply sum_ext; intros; apply Q2R_mult).
  rewrite sum_pull, <- (row_one _ _ (proj1 ok)). apply sum_ext. intros s is.
  unfold trajectories. rewrite play_one; [unfold start; ring | lia | auto | apply nil_A | apply nil_B].
Qed.
Lemma law_pos_d tau : In tau (trajectories d) -> 0 <= Q2R (law_against d w g pi tau).
Proof.
  intro i. destruct (trajectories_in _ _ i) as [e x]. unfold law_against. rewrite Q2R_qsum. apply sum_nonneg. intros s is.
  rewrite Q2R_mult. apply Rmult_le_pos; [exact (row_pos _ _ s (proj1 ok) is) |].
  apply play_pos; auto using nil_A, nil_B. lia.
Qed.
End Model.

(** two tables that agree give the same law *)
Lemma play_same theta p g g' k : forall h s uA uB tau, In tau (trajectories_of d k) -> (h + k <= horizon d)%nat -> In s (seq 0 (nS d)) ->
  In uB (memories_B d h) ->
  (forall h, (h < horizon d)%nat -> forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> forall b, (b < nB d)%nat -> g h seen b == g' h seen b)%Q ->
  Q2R (play d (world_of d theta) g (policy_of d p) h s uA uB tau) = Q2R (play d (world_of d theta) g' (policy_of d p) h s uA uB tau).
Proof.
  induction k as [| k ih]; intros h s uA uB tau it hh is iB e; [destruct it as [<- | []]; reflexivity |].
  cbn [trajectories_of] in it. apply in_flat_map in it. destruct it as ((o, a) & _ & it). apply in_map_iff in it. destruct it as (t & <- & it).
  cbn [play]. rewrite !Q2R_mult, !step_R. f_equal. f_equal. apply sum_ext. intros oB iob. f_equal. apply sum_ext. intros b ib.
  assert (eb : Q2R (g h (uB ++ [oB]) b) = Q2R (g' h (uB ++ [oB]) b)).
  { apply Qeq_eqR, e; [lia | now apply seen_B | apply in_seq in ib; lia]. }
  rewrite eb. f_equal. apply sum_ext. intros s' is'. f_equal. apply ih; auto; [lia | now apply next_in_B].
Qed.

(** ** A document as a class *)
Variables (rule : block_rule) (m : nat) (r : nat -> nat -> Q) (star : point * point).
Hypothesis stationary : warmup_stationary d rule m.
Hypothesis star_in : In star (models d).
Notation K := (class_of d r).
Lemma star_parts : In (fst star) (thetas d) /\ In (snd star) (phis d).
Proof. pose proof star_in as i. unfold models in i. destruct star. now apply in_prod_iff in i. Qed.
Lemma worth_stationary p : In p policies -> worth_of_block d rule r star (repeat p m) = value K star p.
Proof.
  intro i. destruct stationary as [m1 st]. unfold worth_of_block, value. cbn [the_trajs class_of prob payoff]. apply sum_ext. intros tau k. f_equal.
  assert (e : rev (repeat p m) = repeat p m).
  { clear. induction m as [| n ih]; [reflexivity |]. cbn [repeat rev]. rewrite ih. symmetry. apply repeat_cons. }
  assert (e' : hd O (repeat p m) = p) by (destruct m; [lia | reflexivity]). rewrite e, e'.
  unfold law_of_play, law_against. rewrite !Q2R_qsum. apply sum_ext. intros s is. rewrite !Q2R_mult. f_equal.
  unfold trajectories in k. apply (play_same _ p _ _ (horizon d)); auto using nil_B; try lia.
  intros h hh seen j b hb. apply in_seq in i. apply st; auto; [apply star_parts | lia].
Qed.
Hypothesis policies_some : (0 < List.length (Statements.policies d))%nat.
Lemma best_in : In (best_policy d r star) policies.
Proof. apply argmax_in. destruct (List.length (Statements.policies d)); [lia | discriminate]. Qed.
Lemma best_is p : In p policies -> value K star p <= value K star (best_policy d r star).
Proof. intro i. now apply (argmax_le (value K star)). Qed.
End Class.

(** ** The usual rules of reaction give responses *)
Lemma latest_of_class d m : class_of_games d -> (1 <= m)%nat -> reaction_of_class d Latest m.
Proof.
  intros ok hm phi ip block [e i] h hh seen is. unfold reaction. apply (proj2 (proj2 ok)); auto. apply i.
  assert (n : block <> []) by (intro z; rewrite z in e; simpl in e; lia).
  pose proof (app_removelast_last 0%nat n) as q. set (z := List.last block 0%nat) in *. clearbody z. rewrite q. apply in_or_app. right. now left.
Qed.
Lemma mean_of_class d m : class_of_games d -> (1 <= m)%nat -> reaction_of_class d Mean m.
Proof.
  intros ok hm phi ip block [e i] h hh seen is. unfold reaction.
  assert (rows : forall p, In p block -> is_row (nB d) (response_of d phi p h seen)) by (intros p j; apply (proj2 (proj2 ok)); auto).
  set (n := inject_Z (Z.of_nat (List.length block))).
  assert (np : (0 < n)%Q).
  { unfold n. rewrite e. unfold Qlt, inject_Z. simpl. lia. }
  split.
  - intros b hb. apply Qle_shift_div_l; [exact np |]. rewrite Qmult_0_l.
    clear - rows hb. induction block as [| p l ih]; cbn [OrderedField.qsum]; [apply Qle_refl |]. rewrite Qred_correct.
    rewrite <- (Qplus_0_l 0). apply Qplus_le_compat; [apply (rows p (or_introl eq_refl)), hb | apply ih; intros; apply rows; now right].
  - apply eqR_Qeq. rewrite Q2R_qsum, Q2R_one.
    assert (nz : ~ (n == 0)%Q) by (intro z; rewrite z in np; now apply Qlt_irrefl in np).
    rewrite (sum_ext _ _ (fun b => / Q2R n * sum block (fun p => Q2R (response_of d phi p h seen b)))).
    + rewrite sum_mul, sum_swap. rewrite (sum_ext block _ (fun _ => 1)) by (intros p j; apply row_one, rows, j).
      rewrite sum_const, Rmult_1_r. unfold n. replace (Q2R (inject_Z (Z.of_nat (List.length block)))) with (INR (List.length block)).
      * apply Rinv_l. apply not_0_INR. lia.
      * unfold Q2R, inject_Z. simpl. rewrite INR_IZR_INZ. field.
    + intros b _. unfold Qdiv. rewrite Q2R_mult, Q2R_inv, Q2R_qsum by exact nz. ring.
Qed.
