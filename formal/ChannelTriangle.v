(** Eq. (channel-triangle): F_xi <= F^W + F^G and F^G <= F_xi + F^W, for every document, every xi*, xi and pi. *)
From Pomgcheck Require Import OrderedField Statements RuleLin Windows Instances CausalDecomposition Simulation.
From Coq Require Import Qcanon.
Open Scope nat_scope.

Lemma reflect (p q : Q) : cle (inj p : rationals) (inj q) -> (p <= q)%Q.
Proof. apply inj_reflects. Qed.
Section Triangle.
Variable d : doc.
Hypothesis ok : class_of_games d.
Hypothesis wB : (1 <= response_window d)%nat.
Section Pointwise.
Variable F : OF.
Local Open Scope of_scope.
Add Field Ft : (c_field F).
Variables (star xi : point * point) (p : nat) (seen : trajectory) (o a : nat).
Hypotheses (star_in : In star (models d)) (xi_in : In xi (models d)) (p_lt : (p < List.length (policies d))%nat).
Hypotheses (short : (List.length seen < horizon d)%nat) (ho : (o < nOA d)%nat) (ha : (a < nA d)%nat).
Notation h := (List.length seen).
Notation q := (fun c => inj (q_star d star p seen c) : F).
Lemma apply_is f : (inj (at_q_star d star p seen f) : F) = at_state F d h q f.
Proof. unfold at_q_star, at_state. rewrite inj_qsum. apply lsum_ext. intros c _. rewrite inj_mul. ring. Qed.
Notation Wq x := (fun v => at_state F d h q (W (world_of d (fst x)) h o a v)).
Notation Jq x := (fun c => at_state F d h q (J_entry d (world_of d (fst x)) (response_of d (snd x) p) h o a c)).
Notation Gof x u := (fun c => at_channel F d h u (G_entry d (response_of d (snd x) p) h c)).
Lemma J_is : (inj (J_error d star xi p seen o a) : F) = lsum (coordinates d (S h)) (fun c => |Jq xi c - Jq star c|).
Proof. unfold J_error. rewrite inj_qsum. apply lsum_ext. intros c _. now rewrite inj_abs, inj_sub, !apply_is. Qed.
Lemma W_is : (inj (W_error d star xi p seen o a) : F) = lsum (channel d h) (fun v => |Wq xi v - Wq star v|).
Proof. unfold W_error. rewrite inj_qsum. apply lsum_ext. intros c _. now rewrite inj_abs, inj_sub, !apply_is. Qed.
Lemma G_is : (inj (G_error d star xi p seen o a) : F) = lsum (coordinates d (S h)) (fun c => |Gof xi (Wq star) c - Gof star (Wq star) c|).
Proof.
  unfold G_error. rewrite inj_qsum. apply lsum_ext. intros c _. rewrite inj_abs. f_equal. rewrite inj_qsum. unfold at_channel.
  rewrite <- lsum_sub. apply lsum_ext. intros v _. rewrite inj_mul, inj_sub, apply_is. ring.
Qed.
Lemma parts x : In x (models d) -> In (fst x) (thetas d) /\ In (snd x) (phis d).
Proof. intro i. unfold models in i. destruct x. now apply in_prod_iff in i. Qed.
Lemma G_linear (x : point * point) u u' c : Gof x (fun v => u v - u' v) c = Gof x u c - Gof x u' c.
Proof. unfold at_channel. rewrite <- lsum_sub. apply lsum_ext. intros. ring. Qed.
(** (J' - J) q = G' ((W' - W) q) + (G' - G) (W q), the primed ones being those of xi *)
Lemma telescoped c : In c (coordinates d (S h)) ->
  Jq xi c - Jq star c = Gof xi (fun v => Wq xi v - Wq star v) c + (Gof xi (Wq star) c - Gof star (Wq star) c).
Proof.
  intro i. destruct (parts star star_in), (parts xi xi_in). rewrite G_linear.
  rewrite (factorization_holds F d (fst xi) ltac:(auto) (snd xi) ltac:(auto) p p_lt h short o a ho ha q c i).
  rewrite (factorization_holds F d (fst star) ltac:(auto) (snd star) ltac:(auto) p p_lt h short o a ho ha q c i). ring.
Qed.
Lemma G_shrinks : lsum (coordinates d (S h)) (fun c => |Gof xi (fun v => Wq xi v - Wq star v) c|) <= (inj (W_error d star xi p seen o a) : F).
Proof.
  rewrite W_is. destruct (nonexpansive_holds F d ok wB) as [_ n]. destruct (n (snd xi) (proj2 (parts xi xi_in)) p p_lt h short) as [_ e].
  apply (e (fun v => Wq xi v - Wq star v)).
Qed.
Lemma J_triangle : (inj (J_error d star xi p seen o a) : F) <= inj (W_error d star xi p seen o a) + inj (G_error d star xi p seen o a).
Proof.
  eapply le_trans; [| apply add_mono; [apply G_shrinks | rewrite G_is; apply le_refl]]. rewrite J_is, <- lsum_add. apply lsum_le. intros c i.
  rewrite (telescoped c i). apply abs_tri.
Qed.
Lemma G_triangle : (inj (G_error d star xi p seen o a) : F) <= inj (J_error d star xi p seen o a) + inj (W_error d star xi p seen o a).
Proof.
  eapply le_trans; [| apply add_mono; [rewrite J_is; apply le_refl | apply G_shrinks]]. rewrite G_is, <- lsum_add. apply lsum_le. intros c i.
  rewrite <- (abs_opp F (Gof xi (fun v => Wq xi v - Wq star v) c)).
  eapply le_trans; [| apply abs_tri]. rewrite (telescoped c i).
  match goal with |- | ?x | <= | ?y | => replace y with x by ring end. apply le_refl.
Qed.
End Pointwise.
Variables (star xi : point * point) (p : nat).
Hypotheses (star_in : In star (models d)) (xi_in : In xi (models d)) (p_lt : (p < List.length (policies d))%nat).
Theorem pointwise seen o a : (List.length seen < horizon d)%nat -> (o < nOA d)%nat -> (a < nA d)%nat ->
  (J_error d star xi p seen o a <= W_error d star xi p seen o a + G_error d star xi p seen o a)%Q /\
  (G_error d star xi p seen o a <= J_error d star xi p seen o a + W_error d star xi p seen o a)%Q.
Proof.
  intros hs ho ha. split; apply reflect; rewrite inj_add; [apply J_triangle | apply G_triangle]; auto.
Qed.

(** the sums: the law of an episode is not negative, and every step of a trajectory is in range *)
Lemma qsum_le {A} (l : list A) f g : (forall x, In x l -> (f x <= g x)%Q) -> (qsum l f <= qsum l g)%Q.
Proof.
  induction l as [| x l ih]; intro e; cbn [qsum]; [apply Qle_refl |]. rewrite !Qred_correct. apply Qplus_le_compat; [apply e; now left | apply ih; intros; apply e; now right].
Qed.
Lemma qsum_plus {A} (l : list A) f g : (qsum l (fun x => f x + g x) == qsum l f + qsum l g)%Q.
Proof. induction l as [| x l ih]; cbn [qsum]; [reflexivity |]. rewrite !Qred_correct, ih. ring. Qed.
Hypothesis wA : (1 <= policy_window d)%nat.
Lemma tuple_A h u o : In u (memories_A d h) -> (o < nOA d)%nat -> In (u ++ [o])%list (tuples (nOA d) (Nat.min (policy_window d) (S h))).
Proof.
  clear - wA. unfold memories_A. rewrite !in_tuples, app_length. intros [e x] i. cbn [List.length]. split; [lia |].
  intros y j. apply in_app_iff in j. destruct j as [j | [<- | []]]; [auto | lia].
Qed.
Lemma tuple_next h u o : In u (memories_A d h) -> (o < nOA d)%nat -> In (next_A d u o) (memories_A d (S h)).
Proof.
  clear - wA. intros i j. apply (tuple_A h u o i) in j. clear i. revert j. unfold memories_A, next_A, last. rewrite !in_tuples.
  intros [e x]. rewrite skipn_length. split; [lia |]. intros y k. apply x.
  rewrite <- (firstn_skipn (List.length (u ++ [o]) - (policy_window d - 1)) (u ++ [o])). apply in_app_iff. now right.
Qed.
Lemma play_nonneg theta g tau : In theta (thetas d) ->
  (forall h, (h < horizon d)%nat -> forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> is_row (nB d) (g h seen)) ->
  forall h s uA uB, (forall o a, In (o, a) tau -> (o < nOA d)%nat /\ (a < nA d)%nat) -> (h + List.length tau <= horizon d)%nat -> (s < nS d)%nat ->
  In uA (memories_A d h) -> In uB (memories_B d h) -> (0 <= play d (world_of d theta) g (policy_of d p) h s uA uB tau)%Q.
Proof.
  intros it gr. induction tau as [| [o a] tau ih]; intros h s uA uB r hh hs iA iB; cbn [play]; [discriminate |]. cbn [List.length] in hh.
  destruct (r o a (or_introl eq_refl)) as [ho ha]. destruct (proj1 (proj2 ok) theta it h ltac:(lia) s hs) as (ra & rb & rt).
  apply Qmult_le_0_compat; [now apply ra |]. apply Qmult_le_0_compat.
  { apply (proj1 (proj2 (proj2 ok) p p_lt h ltac:(lia))); [now apply tuple_A | exact ha]. }
  unfold step. apply qsum_nonneg. intros oB io. apply in_seq in io. apply Qmult_le_0_compat; [apply rb; lia |].
  apply qsum_nonneg. intros b ib. apply in_seq in ib. apply Qmult_le_0_compat; [apply gr; [lia | apply memory_read; auto; lia | lia] |].
  apply qsum_nonneg. intros s' is'. apply in_seq in is'. apply Qmult_le_0_compat; [apply rt; lia |].
  apply ih; [intros; apply r; now right | lia | lia | now apply tuple_next | apply next_in; auto; try exact 0%nat; lia].
Qed.
Lemma in_trajectories k tau : In tau (trajectories_of d k) -> List.length tau = k /\ forall o a, In (o, a) tau -> (o < nOA d)%nat /\ (a < nA d)%nat.
Proof.
  clear. revert tau. induction k as [| k ih]; intros tau i; cbn [trajectories_of] in i.
  - destruct i as [<- | []]. split; [reflexivity | intros o a []].
  - apply in_flat_map in i. destruct i as ((o, a) & ix & i). apply in_map_iff in i. destruct i as (t & <- & i).
    destruct (ih t i) as [e y]. split; [cbn [List.length]; congruence |]. unfold pairs in ix. apply in_prod_iff in ix. destruct ix as [j k'].
    apply in_seq in j, k'. intros o' a' [z | z]; [injection z as <- <-; lia | auto].
Qed.
Lemma law_nonneg tau : In tau (trajectories d) -> (0 <= law_of_play d star p tau)%Q.
Proof.
  intro i. destruct (in_trajectories _ _ i) as [e r]. destruct (parts star star_in) as [it ip]. unfold law_of_play, law_against.
  apply qsum_nonneg. intros s is. apply in_seq in is. apply Qmult_le_0_compat; [apply (proj1 (proj1 ok)); lia |].
  apply play_nonneg; auto; try lia.
  - intros h hh sn j. apply (proj2 (proj2 (proj2 ok) p p_lt h hh)); auto.
  - unfold memories_A. rewrite Nat.min_0_r. now left.
  - unfold memories_B. rewrite Nat.min_0_r. now left.
Qed.
Lemma expected_triangle (f g k : trajectory -> nat -> nat -> Q) :
  (forall seen o a, (List.length seen < horizon d)%nat -> (o < nOA d)%nat -> (a < nA d)%nat -> (f seen o a <= g seen o a + k seen o a)%Q) ->
  (expected_sum d star p f <= expected_sum d star p g + expected_sum d star p k)%Q.
Proof.
  intro e. unfold expected_sum. rewrite <- qsum_plus. apply qsum_le. intros tau i. rewrite <- Qmult_plus_distr_r.
  rewrite (Qmult_comm (law_of_play d star p tau)), (Qmult_comm (law_of_play d star p tau)).
  apply Qmult_le_compat_r; [| now apply law_nonneg]. rewrite <- qsum_plus. apply qsum_le. intros h ih. apply in_seq in ih.
  destruct (in_trajectories _ _ i) as [l r]. assert (j : In (nth h tau (O, O)) tau) by (apply nth_In; lia).
  destruct (nth h tau (O, O)) as [o a]. cbn [fst snd]. destruct (r o a j). apply e; auto. rewrite firstn_length. lia.
Qed.
Theorem channel_triangle : (F_joint d star xi p <= F_world d star xi p + F_adversary d star xi p)%Q /\
  (F_adversary d star xi p <= F_joint d star xi p + F_world d star xi p)%Q.
Proof. split; apply expected_triangle; intros; apply pointwise; auto. Qed.
End Triangle.
