(** Lemma C.1 for the error classes of a document: F^W and F^G are sums of absolute values of what is linear in the entries of the channel,
    and the vectors with signs that attain them have square norm at most H |S| |O_B| |B| and H |B|. *)
From Pomgcheck Require Import OrderedField Statements Windows Instances CausalDecomposition ChannelTriangle SimulationSummed WeakRevealing BoundedIncrements EluderDimension RealSums Play SignWitness.
From Coq Require Import QArith Qreals.
Open Scope R_scope.

Lemma sum_pick {A} (dec : forall x y : A, {x = y} + {x <> y}) l y (f : A -> R) : NoDup l -> In y l -> sum l (fun x => if dec x y then f x else 0) = f y.
Proof.
  intros n i. transitivity (sum l (fun x => if dec x y then f y else 0)); [| now apply sum_only]. apply sum_ext. intros x _. destruct (dec x y) as [-> |]; reflexivity.
Qed.
Lemma sum_pick_le {A} (dec : forall x y : A, {x = y} + {x <> y}) l y (z : R) : NoDup l -> 0 <= z -> sum l (fun x => if dec x y then z else 0) <= z.
Proof. intros n hz. destruct (in_dec dec y l) as [i | i]; [rewrite (sum_only dec l y z n i) | rewrite (sum_absent dec l y z i)]; lra. Qed.
Lemma sum_squares {A} (l : list A) f : (forall x, In x l -> 0 <= f x) -> sum l (fun x => f x ^ 2) <= sum l f ^ 2.
Proof.
  induction l as [| x l ih]; cbn [sum]; intro h; [lra |]. specialize (ih (fun y i => h y (or_intror i))). pose proof (h x (or_introl eq_refl)).
  pose proof (sum_nonneg l f (fun y i => h y (or_intror i))). pose proof (Rmult_le_pos _ _ H H0). lra.
Qed.
Lemma Q2R_abs q : Q2R (Qabs q) = Rabs (Q2R q). Proof. exact (OrderedField.inj_abs reals q). Qed.
Lemma Q2R_zero : Q2R 0 = 0. Proof. exact (OrderedField.inj_0 reals). Qed.

Section Document.
Variable d : doc.
Hypothesis ok : class_of_games d.
Hypotheses (wA : (1 <= policy_window d)%nat) (wB : (1 <= response_window d)%nat).
Variable star : point * point.
Hypothesis star_in : In star (models d).
Notation steps := (seq 0 (horizon d)).
Notation law p tau := (Q2R (law_of_play d star p tau)).
Lemma law_pos p tau : (p < List.length (policies d))%nat -> In tau (trajectories d) -> 0 <= law p tau.
Proof.
  intros hp i. destruct (parts d star star_in) as [it ip]. apply (law_pos_d d ok wA wB (fst star) (response_of d (snd star) p) p); auto; [apply in_seq; lia |].
  intros h hh. exact (proj2 (proj2 (proj2 ok) p hp h hh) (snd star) ip).
Qed.
Lemma law_one p : (p < List.length (policies d))%nat -> sum (trajectories d) (fun tau => law p tau) = 1.
Proof.
  intros hp. destruct (parts d star star_in) as [it ip]. apply (law_one_d d ok wA wB (fst star) (response_of d (snd star) p) p); auto; [apply in_seq; lia |].
  intros h hh. exact (proj2 (proj2 (proj2 ok) p hp h hh) (snd star) ip).
Qed.
(** a predictive state weighs one, or nothing *)
Notation q p tau h c := (Q2R (q_star d star p (firstn h tau) c)).
Lemma before tau h : In tau (trajectories d) -> In h steps -> List.length (firstn h tau) = h /\ In (nth h tau (O, O)) (pairs d) /\
  forall o a, In (o, a) (firstn h tau) -> (o < nOA d)%nat /\ (a < nA d)%nat.
Proof.
  intros i j. apply in_seq in j. destruct (trajectories_in d _ _ i) as [e x]. split; [rewrite firstn_length; lia |]. split; [apply x, nth_In; lia |].
  intros o a k. assert (k' : In (o, a) tau) by (rewrite <- (firstn_skipn h tau); apply in_app_iff; now left). apply x in k'. unfold pairs in k'. apply in_prod_iff in k'.
  destruct k' as [k1 k2]. apply in_seq in k1, k2. lia.
Qed.
Lemma state_one p tau h : (p < List.length (policies d))%nat -> In tau (trajectories d) -> In h steps ->
  (forall c, In c (coordinates d h) -> 0 <= q p tau h c) /\ sum (coordinates d h) (fun c => q p tau h c) <= 1.
Proof.
  intros hp i j. destruct (before tau h i j) as (l & _ & r). apply in_seq in j. destruct (parts d star star_in) as [it ip].
  set (w := world_of d (fst star)). set (g := response_of d (snd star) p). set (seen := firstn h tau) in *.
  assert (r' : forall o a, In (o, a) (rev seen) -> (o < nOA d)%nat /\ (a < nA d)%nat) by (intros; apply r; now apply in_rev).
  pose proof (weights_nonneg d ok wA wB p hp (fst star) (snd star) it ip (rev seen) r' ltac:(rewrite rev_length; lia)) as n. rewrite rev_length, l in n. fold w g in n.
  assert (m0 : (0 <= mass d w g (rev seen))%Q) by (unfold mass; apply qsum_nonneg; rewrite rev_length, l; exact n).
  split.
  - intros c ic. apply Q2R_pos. unfold q_star. fold w g seen. unfold Qdiv. apply Qmult_le_0_compat; [now apply n | now apply Qinv_le_0_compat].
  - unfold q_star. fold w g seen. unfold Qdiv. rewrite (sum_ext _ _ (fun c => Q2R (unnormalised d w g (rev seen) c) * Q2R (/ mass d w g (rev seen)))) by (intros; apply Q2R_mult).
    rewrite (sum_ext _ _ (fun c => Q2R (/ mass d w g (rev seen)) * Q2R (unnormalised d w g (rev seen) c))) by (intros; ring). rewrite sum_mul.
    assert (e : sum (coordinates d h) (fun c => Q2R (unnormalised d w g (rev seen) c)) = Q2R (mass d w g (rev seen))) by (unfold mass; rewrite Q2R_qsum, rev_length, l; reflexivity).
    rewrite e, <- Q2R_mult. destruct (Qeq_dec (mass d w g (rev seen)) 0) as [z | z].
    + rewrite (Qeq_eqR _ 0); [rewrite Q2R_zero; lra | rewrite z; ring].
    + rewrite (Qeq_eqR _ 1); [rewrite Q2R_one; lra | field; exact z].
Qed.
Lemma expected_R p f : Q2R (expected_sum d star p f) = sum (trajectories d) (fun tau => sum steps (fun h => law p tau * Q2R (f (firstn h tau) (fst (nth h tau (O, O))) (snd (nth h tau (O, O)))))).
Proof.
  unfold expected_sum. rewrite Q2R_qsum. apply sum_ext. intros tau _. rewrite Q2R_mult, Q2R_qsum. symmetry. apply sum_mul.
Qed.

(** ** The world *)
Definition ends : list (nat * (nat * nat)) := list_prod (seq 0 (nS d)) (list_prod (seq 0 (nOB d)) (seq 0 (nB d))).
Definition moves : list (nat * ((nat * nat) * (nat * (nat * nat)))) := list_prod steps (list_prod (pairs d) ends).
Definition world_places := list_prod moves (seq 0 (nS d)).
Definition world_entry_in (w : world) (e : (nat * ((nat * nat) * (nat * (nat * nat)))) * nat) : Q :=
  let '((h, ((o, a), (s', (oB, b)))), s) := e in (EA w h s o * EB w h s oB * T w h s a b s')%Q.
Definition world_entry (theta : point) (e : (nat * ((nat * nat) * (nat * (nat * nat)))) * nat) : Q :=
  world_entry_in (world_of d theta) e.
Definition pair_dec : forall x y : nat * nat, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition end_dec : forall x y : nat * (nat * nat), {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition row_pair_dec : forall x y : list nat * nat, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition move_dec : forall x y : nat * ((nat * nat) * (nat * (nat * nat))), {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition world_term := (trajectory * (nat * (nat * (list nat * (nat * nat)))))%type.
Definition world_terms : list world_term := flat_map (fun tau => flat_map (fun h => map (fun v => (tau, (h, v))) (channel d h)) steps) (trajectories d).
Definition move_of (t : world_term) := let '(tau, (h, (s', (_, k)))) := t in (h, (nth h tau (O, O), (s', k))).
Definition world_vector (p : nat) (t : world_term) (e : (nat * ((nat * nat) * (nat * (nat * nat)))) * nat) : R :=
  if move_dec (fst e) (move_of t) then let '(tau, (h, (_, (u, _)))) := t in q p tau h (snd e, u) else 0.
Definition law_weight {A} (p : nat) (t : trajectory * A) : R := law p (fst t).
Lemma channel_sum h f : sum (channel d h) f = sum (memories_B d h) (fun u => sum ends (fun k => f (fst k, (u, snd k)))).
Proof.
  unfold channel, ends. rewrite sum_list_prod. rewrite (sum_ext _ _ (fun s' => sum (memories_B d h) (fun u => sum (list_prod (seq 0 (nOB d)) (seq 0 (nB d))) (fun k => f (s', (u, k)))))) by (intros; now rewrite sum_list_prod).
  rewrite sum_swap. apply sum_ext. intros u _. now rewrite sum_list_prod.
Qed.
Lemma coordinates_sum h f : sum (Statements.coordinates d h) f = sum (seq 0 (nS d)) (fun s => sum (memories_B d h) (fun u => f (s, u))).
Proof. apply sum_list_prod. Qed.
Lemma moves_distinct : NoDup moves.
Proof. repeat apply NoDup_list_prod; apply seq_NoDup. Qed.
Lemma world_terms_sum f : sum world_terms f = sum (trajectories d) (fun tau => sum steps (fun h => sum (channel d h) (fun v => f (tau, (h, v))))).
Proof. unfold world_terms. rewrite sum_flat_map. apply sum_ext. intros tau _. rewrite sum_flat_map. apply sum_ext. intros h _. apply sum_map. Qed.
Lemma world_inner p tau h v (phi : _ -> R) : In tau (trajectories d) -> In h steps -> In v (channel d h) ->
  inner world_places (world_vector p (tau, (h, v))) phi = sum (seq 0 (nS d)) (fun s => q p tau h (s, fst (snd v)) * phi (move_of (tau, (h, v)), s)).
Proof.
  intros i j iv. unfold inner, world_places. rewrite sum_list_prod. destruct v as (s', (u, (oB, b))). cbn [fst snd].
  rewrite (sum_ext _ _ (fun y => if move_dec y (move_of (tau, (h, (s', (u, (oB, b)))))) then sum (seq 0 (nS d)) (fun s => q p tau h (s, u) * phi (y, s)) else 0)).
  - apply (sum_pick move_dec moves _ (fun y => sum (seq 0 (nS d)) (fun s => q p tau h (s, u) * phi (y, s))) moves_distinct).
    unfold channel in iv. rewrite !in_prod_iff in iv. destruct iv as (k1 & _ & k2 & k3). destruct (before tau h i j) as (_ & ip & _). unfold move_of, moves, ends. rewrite !in_prod_iff. tauto.
  - intros y _. unfold world_vector. cbn [fst snd]. destruct (move_dec y _); [reflexivity |]. apply sum_zero. intros. ring.
Qed.
Lemma W_at theta p tau h s' u k : In tau (trajectories d) -> In h steps -> In u (memories_B d h) -> let x := nth h tau (O, O) in
  Q2R (at_q_star d star p (firstn h tau) (W (world_of d theta) h (fst x) (snd x) (s', (u, k)))) =
  sum (seq 0 (nS d)) (fun s => q p tau h (s, u) * Q2R (world_entry theta ((h, (x, (s', k))), s))).
Proof.
  intros i j iu x. destruct (before tau h i j) as (l & _ & _). unfold at_q_star. rewrite l, Q2R_qsum, coordinates_sum. apply sum_ext. intros s _.
  rewrite <- (sum_pick (list_eq_dec Nat.eq_dec) (memories_B d h) u (fun y => q p tau h (s, y) * Q2R (world_entry theta ((h, (x, (s', k))), s)))) by (auto; apply tuples_distinct).
  apply sum_ext. intros y _. rewrite Q2R_mult. unfold W, same, world_entry, world_entry_in. destruct x as [o a], k as [oB b]. cbn [fst snd].
  destruct (list_eq_dec Nat.eq_dec y u); [ring | rewrite Q2R_zero; ring].
Qed.
Theorem world_is xi p : (p < List.length (policies d))%nat ->
  Q2R (F_world d star xi p) = function world_places (fun _ => world_terms) law_weight world_vector (fun e => Q2R (world_entry (fst xi) e) - Q2R (world_entry (fst star) e)) p.
Proof.
  intros hp. unfold F_world, function. rewrite expected_R, world_terms_sum. apply sum_ext. intros tau i. apply sum_ext. intros h j. unfold law_weight. cbn [fst].
  rewrite sum_mul. f_equal. destruct (before tau h i j) as (l & _ & _). unfold W_error. rewrite l, Q2R_qsum. apply sum_ext. intros [s' [u k]] iv. rewrite world_inner by auto.
  unfold channel in iv. rewrite !in_prod_iff in iv. destruct iv as (_ & iu & _).
  rewrite Q2R_abs, Q2R_minus, !W_at, <- sum_sub by assumption. f_equal. apply sum_ext. intros s _. cbn [fst snd move_of]. ring.
Qed.
Lemma ends_times_steps : INR (List.length ends) * INR (horizon d) = INR (horizon d * nS d * nOB d * nB d).
Proof. unfold ends. rewrite !prod_length, !seq_length, !mult_INR. ring. Qed.
Lemma world_small p : (p < List.length (policies d))%nat ->
  sum world_places (fun e => sum world_terms (fun t => law_weight p t * Rabs (world_vector p t e)) ^ 2) <= INR (horizon d * nS d * nOB d * nB d).
Proof.
  intros hp. set (reach := fun (h : nat) (x : nat * nat) (s : nat) => sum (trajectories d) (fun tau => law p tau * (if pair_dec x (nth h tau (O, O)) then sum (memories_B d h) (fun u => q p tau h (s, u)) else 0))).
  assert (pos : forall tau h s u, In tau (trajectories d) -> In h steps -> In s (seq 0 (nS d)) -> In u (memories_B d h) -> 0 <= q p tau h (s, u)).
  { intros tau h s u i j is iu. apply (state_one p tau h hp i j). unfold Statements.coordinates. now apply in_prod. }
  assert (reach_pos : forall h x s, In h steps -> In s (seq 0 (nS d)) -> 0 <= reach h x s).
  { intros h x s j is. apply sum_nonneg. intros tau i. apply Rmult_le_pos; [now apply law_pos |]. destruct (pair_dec x _); [apply sum_nonneg; auto | lra]. }
  assert (one : forall h x k s, In h steps -> In s (seq 0 (nS d)) -> sum world_terms (fun t => law_weight p t * Rabs (world_vector p t ((h, (x, k)), s))) <= reach h x s).
  { intros h x k s j is. rewrite world_terms_sum. apply sum_le. intros tau i. unfold law_weight. cbn [fst].
    rewrite (sum_ext steps _ (fun h' => if Nat.eq_dec h' h then law p tau * sum (channel d h) (fun v => Rabs (world_vector p (tau, (h, v)) ((h, (x, k)), s))) else 0)).
    - rewrite (sum_only Nat.eq_dec steps h _ (seq_NoDup _ _) j). apply Rmult_le_compat_l; [now apply law_pos |]. rewrite channel_sum.
      destruct (pair_dec x (nth h tau (O, O))) as [e | ne].
      + apply sum_le. intros u iu. eapply Rle_trans; [| apply (sum_pick_le end_dec ends k (q p tau h (s, u))); [repeat apply NoDup_list_prod; apply seq_NoDup | now apply pos]].
        apply sum_le. intros [s' [oB b]] _. unfold world_vector, move_of. cbn [fst snd]. destruct (move_dec _ _) as [e' | n'].
        * injection e' as _ ek. destruct (end_dec (s', (oB, b)) k); [| congruence]. rewrite Rabs_pos_eq by now apply pos. lra.
        * rewrite Rabs_R0. destruct (end_dec _ k); [now apply pos | lra].
      + apply Req_le, sum_zero. intros u _. apply sum_zero. intros [s' [oB b]] _. unfold world_vector, move_of. cbn [fst snd]. destruct (move_dec _ _) as [e' | n']; [congruence | apply Rabs_R0].
    - intros h' _. destruct (Nat.eq_dec h' h) as [-> | n]; [apply sum_mul |]. apply sum_zero. intros [s' [u [oB b]]] _. unfold world_vector, move_of. cbn [fst snd].
      destruct (move_dec _ _) as [e' | n']; [congruence | rewrite Rabs_R0; ring]. }
  assert (all : forall h, In h steps -> sum (pairs d) (fun x => sum (seq 0 (nS d)) (fun s => reach h x s)) <= 1).
  { intros h j. unfold reach. rewrite (sum_ext (pairs d) _ (fun x => sum (trajectories d) (fun tau => sum (seq 0 (nS d)) (fun s => law p tau *
        (if pair_dec x (nth h tau (O, O)) then sum (memories_B d h) (fun u => q p tau h (s, u)) else 0))))) by (intros; apply sum_swap).
    rewrite sum_swap, <- (law_one p hp). apply sum_le. intros tau i. rewrite (sum_ext (pairs d) _ (fun x => law p tau * (if pair_dec x (nth h tau (O, O)) then sum (coordinates d h) (fun c => q p tau h c) else 0))).
    - rewrite sum_mul. rewrite <- (Rmult_1_r (law p tau)) at 2. apply Rmult_le_compat_l; [now apply law_pos |]. destruct (state_one p tau h hp i j) as [n m].
      eapply Rle_trans; [apply sum_pick_le; [apply NoDup_list_prod; apply seq_NoDup | now apply sum_nonneg] | exact m].
    - intros x _. rewrite sum_mul. f_equal. destruct (pair_dec x _); [now rewrite coordinates_sum | now apply sum_zero]. }
  unfold world_places, moves. rewrite !sum_list_prod, <- ends_times_steps.
  rewrite (Rmult_comm (INR (List.length ends))). replace (INR (horizon d)) with (INR (List.length steps)) by now rewrite seq_length.
  rewrite <- sum_const. apply sum_le. intros h j. rewrite sum_list_prod.
  eapply Rle_trans; [apply (sum_le _ _ (fun x => INR (List.length ends) * sum (seq 0 (nS d)) (fun s => reach h x s) ^ 2)) |].
  - intros x _. rewrite <- sum_const. apply sum_le. intros k _. eapply Rle_trans; [apply (sum_le _ _ (fun s => reach h x s ^ 2)) | apply sum_squares; auto].
    intros s is. apply pow_incr. split; [| now apply one]. rewrite world_terms_sum. apply sum_nonneg. intros tau i. apply sum_nonneg. intros h' _. apply sum_nonneg. intros v _.
    apply Rmult_le_pos; [now apply law_pos | apply Rabs_pos].
  - rewrite sum_mul. rewrite <- (Rmult_1_r (INR (List.length ends))) at 2. apply Rmult_le_compat_l; [apply pos_INR |].
    assert (n : forall x, In x (pairs d) -> 0 <= sum (seq 0 (nS d)) (fun s => reach h x s)) by (intros; apply sum_nonneg; auto).
    eapply Rle_trans; [apply sum_squares; exact n |]. rewrite <- (pow1 2). apply pow_incr. split; [now apply sum_nonneg | now apply all].
Qed.
Lemma law_weight_pos p : (p < List.length (policies d))%nat -> forall t, In t world_terms -> 0 <= law_weight p t.
Proof.
  intros hp t i. unfold world_terms in i. apply in_flat_map in i. destruct i as (tau & i & j). apply in_flat_map in j. destruct j as (h & _ & j). apply in_map_iff in j.
  destruct j as (v & <- & _). now apply law_pos.
Qed.

(** ** The adversary *)
Definition answer_place := (nat * (nat * (list nat * nat)))%type.
Definition read_at h := tuples (nOB d) (Nat.min (response_window d) (S h)).
Definition answers h : list (list nat * nat) := list_prod (read_at h) (seq 0 (nB d)).
Definition adversary_places : list answer_place :=
  flat_map (fun p => flat_map (fun h => map (fun x => (p, (h, x))) (answers h)) steps) (seq 0 (List.length (policies d))).
Definition adversary_entry (phi : point) (e : answer_place) : Q := let '(p, (h, (seen, b))) := e in response_of d phi p h seen b.
Definition answer_dec : forall x y : answer_place, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition place_dec : forall x y : nat * list nat, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition adversary_term := (trajectory * (nat * (nat * list nat)))%type.
Definition adversary_terms : list adversary_term :=
  flat_map (fun tau => flat_map (fun h => map (fun c => (tau, (h, c))) (Statements.coordinates d (S h))) steps) (trajectories d).
Definition answer_of p h (v : nat * (list nat * (nat * nat))) : answer_place := let '(_, (u, (oB, b))) := v in (p, (h, (u ++ [oB], b))).
Definition leads_to (v : nat * (list nat * (nat * nat))) : nat * list nat := let '(s', (u, (oB, _))) := v in (s', next_B d u oB).
Definition flow p tau h v : R := Q2R (at_q_star d star p (firstn h tau) (W (world_of d (fst star)) h (fst (nth h tau (O, O))) (snd (nth h tau (O, O))) v)).
Definition adversary_vector (p : nat) (t : adversary_term) (e : answer_place) : R :=
  let '(tau, (h, c)) := t in sum (channel d h) (fun v => if answer_dec e (answer_of p h v) then if place_dec (leads_to v) c then flow p tau h v else 0 else 0).
Lemma adversary_terms_sum f : sum adversary_terms f = sum (trajectories d) (fun tau => sum steps (fun h => sum (Statements.coordinates d (S h)) (fun c => f (tau, (h, c))))).
Proof. unfold adversary_terms. rewrite sum_flat_map. apply sum_ext. intros tau _. rewrite sum_flat_map. apply sum_ext. intros h _. apply sum_map. Qed.
Lemma adversary_weight_pos p : (p < List.length (policies d))%nat -> forall t, In t adversary_terms -> 0 <= law_weight p t.
Proof.
  intros hp t i. unfold adversary_terms in i. apply in_flat_map in i. destruct i as (tau & i & j). apply in_flat_map in j. destruct j as (h & _ & j). apply in_map_iff in j.
  destruct j as (v & <- & _). now apply law_pos.
Qed.
Lemma adversary_places_sum f : sum adversary_places f = sum (seq 0 (List.length (policies d))) (fun p => sum steps (fun h => sum (answers h) (fun x => f (p, (h, x))))).
Proof. unfold adversary_places. rewrite sum_flat_map. apply sum_ext. intros tau _. rewrite sum_flat_map. apply sum_ext. intros h _. apply sum_map. Qed.
Lemma answers_distinct h : NoDup (answers h).
Proof. apply NoDup_list_prod; [apply tuples_distinct | apply seq_NoDup]. Qed.
Lemma pick_answer p h x f : (p < List.length (policies d))%nat -> In h steps -> In x (answers h) -> sum adversary_places (fun e => if answer_dec e (p, (h, x)) then f e else 0) = f (p, (h, x)).
Proof.
  intros hp j ix. rewrite adversary_places_sum.
  rewrite (sum_ext _ _ (fun p' => if Nat.eq_dec p' p then f (p, (h, x)) else 0)); [apply sum_only; [apply seq_NoDup | apply in_seq; lia] |].
  intros p' _. destruct (Nat.eq_dec p' p) as [-> | n].
  - rewrite (sum_ext _ _ (fun h' => if Nat.eq_dec h' h then f (p, (h, x)) else 0)); [apply sum_only; [apply seq_NoDup | exact j] |].
    intros h' _. destruct (Nat.eq_dec h' h) as [-> | n].
    + rewrite <- (sum_pick row_pair_dec (answers h) x (fun y => f (p, (h, y))) (answers_distinct h) ix). apply sum_ext. intros y _.
      destruct (answer_dec _ _) as [e | ne], (row_pair_dec y x) as [e' | ne']; congruence.
    + apply sum_zero. intros y _. destruct (answer_dec _ _); [congruence | reflexivity].
  - apply sum_zero. intros h' _. apply sum_zero. intros y _. destruct (answer_dec _ _); [congruence | reflexivity].
Qed.
Lemma answer_in p h v : In h steps -> In v (channel d h) -> exists x, answer_of p h v = (p, (h, x)) /\ In x (answers h).
Proof.
  intros j iv. destruct v as (s', (u, (oB, b))). unfold channel in iv. rewrite !in_prod_iff in iv. destruct iv as (_ & iu & io & ib). exists (u ++ [oB], b). split; [reflexivity |].
  apply in_prod; [| exact ib]. apply memory_read; auto. apply in_seq in io. lia.
Qed.
Theorem adversary_is xi p : (p < List.length (policies d))%nat ->
  Q2R (F_adversary d star xi p) = function adversary_places (fun _ => adversary_terms) law_weight adversary_vector (fun e => Q2R (adversary_entry (snd xi) e) - Q2R (adversary_entry (snd star) e)) p.
Proof.
  intros hp. unfold F_adversary, function. rewrite expected_R, adversary_terms_sum. apply sum_ext. intros tau i. apply sum_ext. intros h j. unfold law_weight. cbn [fst].
  rewrite sum_mul. f_equal. destruct (before tau h i j) as (l & _ & _). unfold G_error. rewrite l, Q2R_qsum. apply sum_ext. intros c _. rewrite Q2R_abs, Q2R_qsum. f_equal.
  unfold inner, adversary_vector. rewrite (sum_ext adversary_places _ (fun e => sum (channel d h) (fun v => if answer_dec e (answer_of p h v) then
    (if place_dec (leads_to v) c then flow p tau h v else 0) * (Q2R (adversary_entry (snd xi) e) - Q2R (adversary_entry (snd star) e)) else 0))).
  - rewrite sum_swap. apply sum_ext. intros v iv. destruct (answer_in p h v j iv) as (x & e & ix). rewrite e.
    rewrite (pick_answer p h x (fun e => (if place_dec (leads_to v) c then flow p tau h v else 0) * (Q2R (adversary_entry (snd xi) e) - Q2R (adversary_entry (snd star) e))) hp j ix).
    rewrite <- e, Q2R_mult, Q2R_minus. fold (flow p tau h v). destruct v as (s', (u, (oB, b))). cbn [answer_of adversary_entry leads_to G_entry]. destruct c as [s'' u'']. cbn [fst snd].
    unfold same. destruct (place_dec _ _) as [e' | ne].
    + injection e' as -> ->. rewrite Nat.eqb_refl. destruct (list_eq_dec Nat.eq_dec u'' u''); [| congruence]. cbn [andb]. ring.
    + destruct (Nat.eqb_spec s' s'') as [-> |]; cbn [andb]; [destruct (list_eq_dec _ _ _); [congruence |] |]; rewrite Q2R_zero; ring.
  - intros e _. rewrite Rmult_comm, <- sum_mul. apply sum_ext. intros v _. destruct (answer_dec _ _); ring.
Qed.
Lemma flow_is p tau h s' u oB b : In tau (trajectories d) -> In h steps -> In u (memories_B d h) ->
  flow p tau h (s', (u, (oB, b))) = sum (seq 0 (nS d)) (fun s => q p tau h (s, u) * Q2R (world_entry (fst star) ((h, (nth h tau (O, O), (s', (oB, b)))), s))).
Proof. intros i j iu. now apply W_at. Qed.
Lemma flow_pos p tau h v : (p < List.length (policies d))%nat -> In tau (trajectories d) -> In h steps -> In v (channel d h) -> 0 <= flow p tau h v.
Proof.
  intros hp i j iv. destruct v as (s', (u, (oB, b))). unfold channel in iv. rewrite !in_prod_iff in iv. destruct iv as (is' & iu & io & ib). rewrite flow_is by assumption.
  destruct (before tau h i j) as (_ & ix & _). destruct (nth h tau (O, O)) as [o a]. unfold pairs in ix. apply in_prod_iff in ix. destruct ix as [jo ja].
  apply in_seq in j, is', io, ib, jo, ja. destruct (parts d star star_in) as [it _].
  apply sum_nonneg. intros s is. apply Rmult_le_pos; [apply (state_one p tau h hp i ltac:(apply in_seq; lia)); now apply in_prod |]. apply in_seq in is.
  destruct (proj1 (proj2 ok) (fst star) it h ltac:(lia) s ltac:(lia)) as (ra & rb & rt). apply Q2R_pos. unfold world_entry.
  repeat apply Qmult_le_0_compat; [apply ra | apply rb | apply rt]; lia.
Qed.
Lemma flow_one p tau h b : (p < List.length (policies d))%nat -> In tau (trajectories d) -> In h steps -> In b (seq 0 (nB d)) ->
  sum (seq 0 (nS d)) (fun s' => sum (memories_B d h) (fun u => sum (seq 0 (nOB d)) (fun oB => flow p tau h (s', (u, (oB, b)))))) <= 1.
Proof.
  intros hp i j ib. destruct (state_one p tau h hp i j) as [n m]. eapply Rle_trans; [| exact m]. rewrite sum_swap, coordinates_sum, (sum_swap (seq 0 (nS d)) (memories_B d h)). apply sum_le. intros u iu.
  rewrite sum_swap. rewrite (sum_ext (seq 0 (nOB d)) _ (fun oB => sum (seq 0 (nS d)) (fun s => sum (seq 0 (nS d)) (fun s' => q p tau h (s, u) *
    Q2R (world_entry (fst star) ((h, (nth h tau (O, O), (s', (oB, b)))), s)))))) by (intros oB _; rewrite <- sum_swap; apply sum_ext; intros s' _; now apply flow_is).
  rewrite sum_swap. apply sum_le. intros s is. destruct (before tau h i j) as (_ & ix & _). destruct (nth h tau (O, O)) as [o a]. unfold pairs in ix. apply in_prod_iff in ix. destruct ix as [jo ja].
  destruct (parts d star star_in) as [it _]. pose proof is as is2. apply in_seq in j, jo, ja, is2, ib. destruct (proj1 (proj2 ok) (fst star) it h ltac:(lia) s ltac:(lia)) as (ra & rb & rt).
  assert (q0 : 0 <= q p tau h (s, u)) by (apply n; now apply in_prod).
  rewrite (sum_ext _ _ (fun oB => q p tau h (s, u) * Q2R (EA (world_of d (fst star)) h s o) * Q2R (EB (world_of d (fst star)) h s oB))).
  - rewrite sum_mul, (row_one _ _ rb), Rmult_1_r. rewrite <- (Rmult_1_r (q p tau h (s, u))) at 2. apply Rmult_le_compat_l; [exact q0 |].
    rewrite <- Q2R_one. apply Qle_Rle. apply (row_le_1 d wB (nOA d)); [exact ra | lia].
  - intros oB _. rewrite (sum_ext _ _ (fun s' => q p tau h (s, u) * Q2R (EA (world_of d (fst star)) h s o) * Q2R (EB (world_of d (fst star)) h s oB) * Q2R (Statements.T (world_of d (fst star)) h s a b s'))).
    + rewrite sum_mul, (row_one _ _ (rt a ltac:(lia) b ltac:(lia))). ring.
    + intros s' _. unfold world_entry, world_entry_in. rewrite !Q2R_mult. ring.
Qed.
Lemma adversary_small p : (p < List.length (policies d))%nat ->
  sum adversary_places (fun e => sum adversary_terms (fun t => law_weight p t * Rabs (adversary_vector p t e)) ^ 2) <= INR (horizon d * nB d).
Proof.
  intros hp. set (reach := fun (h : nat) (seen : list nat) (b : nat) => sum (trajectories d) (fun tau => law p tau *
    sum (seq 0 (nS d)) (fun s' => sum (memories_B d h) (fun u => sum (seq 0 (nOB d)) (fun oB => if list_eq_dec Nat.eq_dec seen (u ++ [oB]) then flow p tau h (s', (u, (oB, b))) else 0))))).
  assert (pos : forall tau h s' u oB b, In tau (trajectories d) -> In h steps -> In s' (seq 0 (nS d)) -> In u (memories_B d h) -> In oB (seq 0 (nOB d)) -> In b (seq 0 (nB d)) ->
    0 <= flow p tau h (s', (u, (oB, b)))) by (intros; apply flow_pos; auto; unfold channel; rewrite !in_prod_iff; tauto).
  assert (reach_pos : forall h seen b, In h steps -> In b (seq 0 (nB d)) -> 0 <= reach h seen b).
  { intros h seen b j ib. apply sum_nonneg. intros tau i. apply Rmult_le_pos; [now apply law_pos |]. apply sum_nonneg. intros s' is. apply sum_nonneg. intros u iu.
    apply sum_nonneg. intros oB io. destruct (list_eq_dec _ _ _); [now apply pos | lra]. }
  set (met := fun e => sum adversary_terms (fun t => law_weight p t * Rabs (adversary_vector p t e))).
  assert (met_pos : forall e, 0 <= met e).
  { intro e. unfold met. rewrite adversary_terms_sum. apply sum_nonneg. intros tau i. apply sum_nonneg. intros h j. apply sum_nonneg. intros c _. apply Rmult_le_pos; [now apply law_pos | apply Rabs_pos]. }
  assert (other : forall p' h x, p' <> p -> met (p', (h, x)) = 0).
  { intros p' h x n. unfold met. rewrite adversary_terms_sum. apply sum_zero. intros tau _. apply sum_zero. intros h' _. apply sum_zero. intros c _.
    cbn [adversary_vector]. rewrite sum_zero; [rewrite Rabs_R0; ring |]. intros (s', (u, (oB, b))) _. cbn [answer_of]. destruct (answer_dec _ _); [congruence | reflexivity]. }
  assert (one : forall h seen b, In h steps -> In b (seq 0 (nB d)) -> met (p, (h, (seen, b))) <= reach h seen b).
  { intros h seen b j ib. unfold met. rewrite adversary_terms_sum. apply sum_le. intros tau i. unfold law_weight. cbn [fst].
    rewrite (sum_ext steps _ (fun h' => if Nat.eq_dec h' h then law p tau * sum (coordinates d (S h)) (fun c => Rabs (adversary_vector p (tau, (h, c)) (p, (h, (seen, b))))) else 0)).
    - rewrite (sum_only Nat.eq_dec steps h _ (seq_NoDup _ _) j). apply Rmult_le_compat_l; [now apply law_pos |].
      apply Rle_trans with (sum (channel d h) (fun v => if answer_dec (p, (h, (seen, b))) (answer_of p h v) then flow p tau h v else 0)).
      + apply Rle_trans with (sum (coordinates d (S h)) (fun c => sum (channel d h) (fun v => if place_dec c (leads_to v) then (if answer_dec (p, (h, (seen, b))) (answer_of p h v) then flow p tau h v else 0) else 0))).
        * apply sum_le. intros c _. cbn [adversary_vector]. eapply Rle_trans; [apply sum_abs |]. apply sum_le. intros v iv. pose proof (flow_pos p tau h v hp i j iv).
          destruct (answer_dec _ _), (place_dec (leads_to v) c), (place_dec c (leads_to v)); try congruence; rewrite ?Rabs_R0, ?Rabs_pos_eq; lra.
        * rewrite sum_swap. apply sum_le. intros v iv. apply (sum_pick_le place_dec); [apply NoDup_list_prod; [apply seq_NoDup | apply tuples_distinct] |].
          destruct (answer_dec _ _); [now apply flow_pos | lra].
      + unfold channel. rewrite sum_list_prod. apply sum_le. intros s' is. rewrite sum_list_prod. apply sum_le. intros u iu. rewrite sum_list_prod. apply sum_le. intros oB io.
        destruct (list_eq_dec Nat.eq_dec seen (u ++ [oB])) as [-> | n].
        * rewrite <- (sum_pick Nat.eq_dec (seq 0 (nB d)) b (fun b' => flow p tau h (s', (u, (oB, b')))) (seq_NoDup _ _) ib). apply sum_le. intros b' ib'. cbn [answer_of].
          destruct (answer_dec _ _) as [e | n], (Nat.eq_dec b' b) as [e' | n']; try congruence; lra.
        * apply Req_le, sum_zero. intros b' _. cbn [answer_of]. destruct (answer_dec _ _); [congruence | reflexivity].
    - intros h' _. rewrite sum_mul. destruct (Nat.eq_dec h' h) as [-> | n]; [reflexivity |]. rewrite sum_zero; [ring |]. intros c _. cbn [adversary_vector].
      rewrite sum_zero; [apply Rabs_R0 |]. intros (s', (u, (oB, b'))) _. cbn [answer_of]. destruct (answer_dec _ _); [congruence | reflexivity]. }
  assert (all : forall h b, In h steps -> In b (seq 0 (nB d)) -> sum (read_at h) (fun seen => reach h seen b) <= 1).
  { intros h b j ib. unfold reach. rewrite sum_swap, <- (law_one p hp). apply sum_le. intros tau i. rewrite sum_mul. rewrite <- (Rmult_1_r (law p tau)) at 2. apply Rmult_le_compat_l; [now apply law_pos |].
    eapply Rle_trans; [| apply (flow_one p tau h b hp i j ib)]. rewrite sum_swap. apply sum_le. intros s' is. rewrite sum_swap. apply sum_le. intros u iu. rewrite sum_swap. apply sum_le. intros oB io.
    apply sum_pick_le; [apply tuples_distinct | now apply pos]. }
  change (sum adversary_places (fun e => met e ^ 2) <= INR (horizon d * nB d)). rewrite adversary_places_sum.
  rewrite (sum_ext _ _ (fun p' => if Nat.eq_dec p' p then sum steps (fun h => sum (answers h) (fun x => met (p, (h, x)) ^ 2)) else 0)).
  - rewrite sum_only by (try apply seq_NoDup; apply in_seq; lia). rewrite mult_INR. replace (INR (horizon d)) with (INR (List.length steps)) by now rewrite seq_length.
    rewrite <- sum_const. apply sum_le. intros h j.
    unfold answers. rewrite sum_list_prod, sum_swap. rewrite <- (Rmult_1_r (INR (nB d))). replace (INR (nB d)) with (INR (List.length (seq 0 (nB d)))) by now rewrite seq_length.
    rewrite <- sum_const. apply sum_le. intros b ib.
    apply Rle_trans with (sum (read_at h) (fun seen => reach h seen b ^ 2)); [apply sum_le; intros seen _; apply pow_incr; split; auto |].
    eapply Rle_trans; [apply sum_squares; auto |]. rewrite <- (pow1 2). apply pow_incr. split; [apply sum_nonneg; auto | now apply all].
  - intros p' _. destruct (Nat.eq_dec p' p) as [-> | n]; [reflexivity |]. apply sum_zero. intros h _. apply sum_zero. intros x _. rewrite other by exact n. ring.
Qed.
End Document.

(** ** A checker: the differences of the entries to the first point are combinations of those of p points *)
Record signs := Signs { base : list nat; combined : list (list Q); norm : Q }.    (* p points, every point in them, the square norm of a difference *)
Fixpoint power (x : Q) (n : nat) : Q := match n with O => 1%Q | S n => (x * power x n)%Q end.
Definition beyond (p : nat) (C : Q) (n : nat) : bool := negb (Qle_bool (power (17 # 9) n) (power (1 + C * inject_Z (Z.of_nat n) / inject_Z (Z.of_nat p)) p)).
Fixpoint combine_with (c bs : list Q) : Q := match c, bs with c :: cs, b :: bs => (combine_with cs bs + c * b)%Q | _, _ => 0%Q end.
Definition differences (columns : list (list Q)) : list (list Q) :=
  filter (existsb (fun x => negb (Qeq_bool x 0))) (map (fun column => map (fun x => Qred (x - hd 0 column))%Q column) columns).
Definition check_signs (n D : nat) (alpha : Q) (columns : list (list Q)) (points : nat) (ev : signs) : bool :=
  let p := List.length (base ev) in let moved := differences columns in
  (1 <=? p)%nat && (List.length (combined ev) =? points)%nat && negb (Qle_bool alpha 0) && negb (Qle_bool (norm ev) 0) && forallb (fun k => k <? points)%nat (base ev) &&
  forallb (fun c => List.length c =? p)%nat (combined ev) &&
  forallb (fun column => let bs := map (fun k => nth k column 0%Q) (base ev) in
    forallb (fun e => Qeq_bool (fst e) (combine_with (snd e) bs)) (List.combine column (combined ev))) moved &&
  forallb (fun i => forallb (fun j => Qle_bool (OrderedField.qsum moved (fun column => let x := nth i column 0 - nth j column 0 in x * x)%Q) (norm ev)) (seq 0 i)) (seq 0 points) &&
  beyond p (8 * inject_Z (Z.of_nat D) * norm ev / (alpha * alpha)) (S n).

Lemma Q2R_of_nat n : Q2R (inject_Z (Z.of_nat n)) = INR n.
Proof. unfold Q2R, inject_Z. simpl. rewrite INR_IZR_INZ. field. Qed.
Lemma Q2R_power x n : Q2R (power x n) = Q2R x ^ n.
Proof. induction n as [| n ih]; cbn [power pow]; [apply Q2R_one | now rewrite Q2R_mult, ih]. Qed.
Lemma sum_filter {A} (t : A -> bool) l f : (forall x, In x l -> t x = false -> f x = 0) -> sum (filter t l) f = sum l f.
Proof.
  induction l as [| x l ih]; cbn [filter sum]; intro h; [reflexivity |]. rewrite <- ih by (intros; apply h; auto; now right). destruct (t x) eqn:e; cbn [sum]; [reflexivity |].
  rewrite (h x (or_introl eq_refl) e). ring.
Qed.
Lemma combination_sub {E} (bs : list (E -> R)) e : forall c c', List.length c = List.length bs -> List.length c' = List.length bs ->
  combination c bs e - combination c' bs e = combination (map (fun x => fst x - snd x) (List.combine c c')) bs e.
Proof.
  induction bs as [| b bs ih]; intros [| x c] [| x' c'] l l'; cbn [combination List.combine map List.length fst snd] in *; try discriminate; [ring |].
  injection l as l. injection l' as l'. rewrite <- (ih c c' l l'). ring.
Qed.
Section Sound.
Context {E Term : Type}.
Variables (places : list E) (points : list point) (entry : point -> E -> Q) (terms : list Term) (weight : nat -> Term -> R) (vector : nat -> Term -> E -> R) (dom D : nat).
Hypothesis weight_pos : forall z, (z < dom)%nat -> forall t, In t terms -> 0 <= weight z t.
Hypothesis small : forall z, (z < dom)%nat -> sum places (fun e => sum terms (fun t => weight z t * Rabs (vector z t e)) ^ 2) <= INR D.
Definition columns : list (list Q) := map (fun e => map (fun x => entry x e) points) places.
Definition from (i : nat) (e : E) : R := Q2R (entry (nth i points []) e) - Q2R (entry (nth 0 points []) e).
Variables (n : nat) (alpha : Q) (ev : signs).
Hypothesis checked : check_signs n D alpha columns (List.length points) ev = true.
Definition moved (e : E) : list Q := let column := map (fun x => entry x e) points in map (fun x => Qred (x - hd 0 column))%Q column.
Lemma moved_nth i e : (i < List.length points)%nat -> Q2R (nth i (moved e) 0%Q) = from i e.
Proof.
  intro l. unfold moved. cbv zeta. rewrite map_map. rewrite (nth_indep _ 0%Q ((fun x => Qred (entry x e - hd 0 (map (fun x => entry x e) points)))%Q [])) by now rewrite map_length.
  rewrite (map_nth (fun x => Qred (entry x e - hd 0 (map (fun x => entry x e) points)))%Q). rewrite (Qeq_eqR _ _ (Qred_correct _)), Q2R_minus. unfold from. f_equal.
  destruct points; [cbn in l; lia | reflexivity].
Qed.
Notation nonzero := (existsb (fun x => negb (Qeq_bool x 0))).
Lemma all_zero e i : nonzero (moved e) = false -> Q2R (nth i (moved e) 0%Q) = 0.
Proof.
  intro z. destruct (nth_in_or_default i (moved e) 0%Q) as [k | ->]; [| apply Q2R_zero]. rewrite <- Q2R_zero. apply Qeq_eqR. apply Qeq_bool_iff.
  destruct (Qeq_bool (nth i (moved e) 0%Q) 0) eqn:q; [reflexivity |]. enough (nonzero (moved e) = true) by congruence. apply existsb_exists. eexists. split; [exact k | now rewrite q].
Qed.
Lemma differences_are : differences columns = filter nonzero (map moved places).
Proof. unfold differences, columns. now rewrite map_map. Qed.
Definition spanning : list (E -> R) := map (fun k => from k) (base ev).
Lemma combined_R c e : (forall k, In k (base ev) -> (k < List.length points)%nat) ->
  Q2R (combine_with c (map (fun k => nth k (moved e) 0%Q) (base ev))) = combination (map Q2R c) spanning e.
Proof.
  unfold spanning. revert c. induction (base ev) as [| k ks ih]; intros c h; destruct c as [| x c]; cbn [map combine_with combination]; try apply Q2R_zero.
  rewrite Q2R_plus, Q2R_mult, ih by (intros; apply h; now right). now rewrite moved_nth by (apply h; now left).
Qed.
Lemma what_is_checked : (1 <= List.length (base ev))%nat /\ (0 < alpha)%Q /\ (0 < norm ev)%Q /\
  (forall i, (i < List.length points)%nat -> exists c, List.length c = List.length (base ev) /\ forall e, In e places -> from i e = combination c spanning e) /\
  (forall i j, (i < List.length points)%nat -> (j < List.length points)%nat -> sum places (fun e => (from i e - from j e) ^ 2) <= Q2R (norm ev)) /\
  beyond (List.length (base ev)) (8 * inject_Z (Z.of_nat D) * norm ev / (alpha * alpha)) (S n) = true.
Proof.
  pose proof checked as h. unfold check_signs in h. cbv zeta in h. rewrite !andb_true_iff, !forallb_forall in h. destruct h as ((((((((h1 & h2) & h3) & h4) & h5) & h6) & h7) & h8) & h9).
  apply Nat.leb_le in h1. apply Nat.eqb_eq in h2. apply BoundedIncrements.not_le in h3, h4. split; [exact h1 |]. split; [exact h3 |]. split; [exact h4 |].
  assert (kb : forall k, In k (base ev) -> (k < List.length points)%nat) by (intros k i; now apply Nat.ltb_lt, h5). rewrite differences_are in h7, h8. split; [| split; [| exact h9]].
  - intros i l. exists (map Q2R (nth i (combined ev) [])). rewrite map_length. assert (l' : (i < List.length (combined ev))%nat) by lia. split; [now apply Nat.eqb_eq, h6, nth_In |].
    intros e ie. rewrite <- combined_R, <- (moved_nth i e l) by exact kb. destruct (nonzero (moved e)) eqn:z.
    + apply Qeq_eqR, Qeq_bool_iff. assert (im : In (moved e) (filter nonzero (map moved places))) by (apply filter_In; split; [now apply in_map | exact z]).
      specialize (h7 _ im). rewrite forallb_forall in h7. apply (h7 (nth i (moved e) 0%Q, nth i (combined ev) [])).
      rewrite <- combine_nth by (unfold moved; rewrite !map_length; lia). apply nth_In. rewrite combine_length. unfold moved. rewrite !map_length. lia.
    + rewrite all_zero by exact z. symmetry. generalize (nth i (combined ev) []). clear - z. induction (base ev) as [| k ks ih]; intros [| x c]; cbn [map combine_with]; try apply Q2R_zero.
      rewrite Q2R_plus, Q2R_mult, ih, all_zero by exact z. ring.
  - assert (half : forall i j, (j < i)%nat -> (i < List.length points)%nat -> sum places (fun e => (from i e - from j e) ^ 2) <= Q2R (norm ev)).
    { intros i j lj li. specialize (h8 i ltac:(apply in_seq; lia)). rewrite forallb_forall in h8. specialize (h8 j ltac:(apply in_seq; lia)). apply Qle_bool_iff, Qle_Rle in h8.
      eapply Rle_trans; [| exact h8]. rewrite Q2R_qsum, sum_filter, sum_map.
      - apply Req_le, sum_ext. intros e _. cbv zeta. rewrite Q2R_mult, Q2R_minus, !moved_nth by lia. ring.
      - intros column ic z. apply in_map_iff in ic. destruct ic as (e & <- & _). cbv zeta. rewrite Q2R_mult, Q2R_minus, !all_zero by exact z. ring. }
    intros i j li lj. destruct (Nat.lt_trichotomy i j) as [l | [-> | l]]; [| | now apply half].
    + rewrite (sum_ext _ _ (fun e => (from j e - from i e) ^ 2)) by (intros; ring). now apply half.
    + rewrite sum_zero by (intros; ring). apply Q2R_pos. now apply Qlt_le_weak.
Qed.
Notation tested_at := (fun z : nat => if (z <? dom)%nat then terms else []).
Lemma suffix_independent fs a x y : independent_sequence fs a (x ++ y) -> independent_sequence fs a y.
Proof. induction x as [| z x ih]; [auto |]. intros [_ h]. now apply ih. Qed.
Theorem signs_at_most fs i0 k : (i0 < List.length points)%nat ->
  (forall f, In f fs -> exists j, (j < List.length points)%nat /\ forall z, (z < dom)%nat -> Q2R (f z) = function places (fun _ => terms) weight vector (fun e => Q2R (entry (nth j points []) e) - Q2R (entry (nth i0 points []) e)) z) ->
  eluder_at_least fs dom alpha k -> (k <= n)%nat.
Proof.
  intros l0 hf (alpha' & x & la & <- & dm & h). destruct what_is_checked as (p1 & a0 & b0 & span & nrm & bey).
  apply Nat.nlt_ge. intro long. set (y := skipn (List.length x - S n) x).
  assert (ly : List.length y = S n) by (unfold y; rewrite skipn_length; lia).
  assert (hy : independent_sequence fs alpha' y) by (apply (suffix_independent fs alpha' (firstn (List.length x - S n) x)); unfold y; now rewrite firstn_skipn).
  assert (dy : forall z, In z y -> (z < dom)%nat) by (intros z i; apply dm; rewrite <- (firstn_skipn (List.length x - S n) x); apply in_app_iff; now right).
  assert (ext : forall z (u v : E -> R), (forall e, In e places -> u e = v e) -> function places (fun _ => terms) weight vector u z = function places (fun _ => terms) weight vector v z).
  { intros z u v e. apply sum_ext. intros t _. do 2 f_equal. apply sum_ext. intros e' i. now rewrite e. }
  assert (same : forall z u, (z < dom)%nat -> function places tested_at weight vector u z = function places (fun _ => terms) weight vector u z).
  { intros z u l. unfold function. now rewrite (proj2 (Nat.ltb_lt z dom) l). }
  assert (l : exists l, map fst l = y /\ independent_functions places tested_at weight vector spanning (Q2R (norm ev)) (Q2R alpha') l).
  { clear ly long. clearbody y. induction y as [| z y ih]; [exists []; split; [reflexivity | exact I] |]. destruct hy as [(f & jf & s & m) hy].
    destruct (ih hy (fun w i => dy w (or_intror i))) as (l & e & il). destruct (hf f jf) as (j & lj & fj).
    destruct (span j lj) as (c & lc & ec). destruct (span i0 l0) as (c' & lc' & ec'). assert (ls : List.length spanning = List.length (base ev)) by apply map_length.
    set (c0 := map (fun x => fst x - snd x) (List.combine c c')).
    assert (is : forall e, In e places -> Q2R (entry (nth j points []) e) - Q2R (entry (nth i0 points []) e) = combination c0 spanning e).
    { intros e' i. unfold c0. rewrite <- combination_sub by congruence. rewrite <- ec, <- ec' by exact i. unfold from. ring. }
    assert (val : forall w, (w < dom)%nat -> Q2R (f w) = function places tested_at weight vector (combination c0 spanning) w).
    { intros w lw. rewrite fj, same by exact lw. now apply ext. }
    exists ((z, combination c0 spanning) :: l). split; [cbn [map fst]; congruence |]. cbn [independent_functions]. split; [split; [now exists c0 |] |]; [| split; [| split; [| exact il]]].
    - eapply Rle_trans; [| apply (nrm j i0 lj l0)]. apply Req_le, sum_ext. intros e' i. rewrite <- (is e' i). unfold from. ring.
    - rewrite <- val by (apply dy; now left). now apply Qlt_Rlt.
    - apply Qle_Rle in s. rewrite Q2R_mult, Q2R_qsum in s. rewrite <- e, sum_map in s. replace (Q2R alpha' ^ 2) with (Q2R alpha' * Q2R alpha') by ring.
      eapply Rle_trans; [| exact s]. apply Req_le, sum_ext. intros [w u] i. cbn [fst]. assert (lw : (w < dom)%nat) by (apply dy; right; rewrite <- e; exact (in_map fst l (w, u) i)).
      rewrite Q2R_mult, (val w lw). ring. }
  destruct l as (l & el & il). assert (ra : 0 < Q2R alpha) by (rewrite <- Q2R_zero; now apply Qlt_Rlt). assert (rl : Q2R alpha <= Q2R alpha') by now apply Qle_Rle.
  assert (rb : 0 < Q2R (norm ev)) by (rewrite <- Q2R_zero; now apply Qlt_Rlt).
  pose proof (lemma_C_1 places tested_at weight vector) as C1.
  specialize (C1 ltac:(intros z t; cbv beta; destruct (Nat.ltb_spec z dom); intro i; [eapply weight_pos; eassumption | destruct i]) (INR D)).
  specialize (C1 ltac:(intros z; cbv beta; destruct (Nat.ltb_spec z dom); [now apply small | cbn [sum]; rewrite sum_zero by (intros; ring); apply pos_INR])).
  specialize (C1 spanning (Q2R (norm ev)) (Q2R alpha') l). unfold spanning at 1 in C1. rewrite map_length in C1. specialize (C1 p1 ltac:(lra) rb il).
  assert (len : List.length l = S n) by (rewrite <- ly, <- el; now rewrite map_length). rewrite len in C1. assert (ls : List.length spanning = List.length (base ev)) by apply map_length. rewrite ls in C1.
  unfold beyond in bey. apply BoundedIncrements.not_le in bey. apply Qlt_Rlt in bey. rewrite !Q2R_power in bey. apply (Rlt_irrefl ((17 / 9) ^ S n)).
  eapply Rle_lt_trans; [exact C1 |]. replace (17 / 9) with (Q2R (17 # 9)) by (unfold Q2R; simpl; lra). eapply Rle_lt_trans; [| exact bey].
  assert (pp : 0 < INR (List.length (base ev))) by (apply lt_0_INR; lia). assert (nn : 0 <= INR (S n)) by apply pos_INR. assert (dd : 0 <= INR D) by apply pos_INR.
  apply pow_incr. rewrite Q2R_plus, Q2R_one, Q2R_div, Q2R_mult, Q2R_div, !Q2R_mult, !Q2R_of_nat.
  - replace (Q2R 8) with 8 by (unfold Q2R; simpl; lra).
    assert (i1 : / (Q2R alpha' ^ 2) <= / (Q2R alpha * Q2R alpha)).
    { apply Rinv_le_contravar; [now apply Rmult_lt_0_compat |]. replace (Q2R alpha' ^ 2) with (Q2R alpha' * Q2R alpha') by ring. apply Rmult_le_compat; lra. }
    assert (i2 : 0 < / Q2R alpha' ^ 2) by (apply Rinv_0_lt_compat, pow_lt; lra). assert (i3 : 0 < / INR (List.length (base ev))) by now apply Rinv_0_lt_compat.
    unfold Rdiv. split.
    + enough (0 <= 8 * INR D * Q2R (norm ev) * / Q2R alpha' ^ 2 * INR (S n) * / INR (List.length (base ev))) by lra.
      assert (0 <= 8 * INR D * Q2R (norm ev)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]). assert (0 <= 8 * INR D * Q2R (norm ev) * / Q2R alpha' ^ 2) by (apply Rmult_le_pos; lra).
      apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra].
    + apply Rplus_le_compat_l. apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_r; [exact nn |]. apply Rmult_le_compat_l; [| exact i1]. apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra].
  - intro z. apply Qeq_eqR in z. rewrite Q2R_mult, Q2R_zero in z. pose proof (Rmult_lt_0_compat _ _ ra ra). lra.
  - intro z. apply Qeq_eqR in z. rewrite Q2R_of_nat, Q2R_zero in z. lra.
Qed.
End Sound.

(** ** Points that span, found by elimination: what comes of it is checked *)
Fixpoint plus_times (c : Q) (x y : list Q) : list Q :=
  match x, y with a :: x, b :: y => Qred (b + c * a) :: plus_times c x y | [], y => y | x, [] => map (fun a => c * a)%Q x end.
Definition unit_at (k : nat) : list Q := repeat 0%Q k ++ [1%Q].
Fixpoint first_nonzero (k : nat) (row : list Q) : option nat :=
  match row with [] => None | x :: row => if Qeq_bool x 0 then first_nonzero (S k) row else Some k end.
(** rows already reduced, each with its pivot and what it is of the base; a row is reduced by them in turn *)
Definition reduce (known : list (nat * (list Q * list Q))) (row : list Q) : list Q * list Q :=
  fold_left (fun st e => let '(k, (r, of_base)) := e in let c := (nth k (fst st) 0 / nth k r 0)%Q in
    if Qeq_bool c 0 then st else (plus_times (- c) r (fst st), plus_times c of_base (snd st))) known (row, []).
Definition eliminate (rows : list (list Q)) : list nat * list (list Q) :=
  let '(base, known, combined) := fold_left (fun st e => let '(base, known, combined) := st in
    let '(rest, of_base) := reduce known (snd e) in
    match first_nonzero 0 rest with
    | None => (base, known, combined ++ [of_base])
    | Some k => let new := unit_at (List.length base) in (base ++ [fst e], known ++ [(k, (rest, plus_times (-1 # 1) of_base new))], combined ++ [new])
    end) (List.combine (seq 0 (List.length rows)) rows) ([], [], []) in
  (base, map (fun c => c ++ repeat 0%Q (List.length base - List.length c)) combined).
Definition signs_of (columns : list (list Q)) (points : nat) : signs :=
  let moved := differences columns in let distinct := nodup row_dec moved in
  let '(base, combined) := eliminate (map (fun i => map (fun column => nth i column 0%Q) distinct) (seq 0 points)) in
  let squares := flat_map (fun i => map (fun j => OrderedField.qsum moved (fun column => let x := nth i column 0 - nth j column 0 in x * x)%Q) (seq 0 i)) (seq 0 points) in
  Signs base combined (fold_left (fun m x => if Qle_bool x m then m else x) squares 0%Q).

(** ** The two error classes *)
Definition world_columns d : list (list Q) := let ws := map (world_of d) (thetas d) in map (fun e => map (fun w => world_entry_in w e) ws) (world_places d).
Definition adversary_columns d : list (list Q) :=
  let rs := map (fun phi => map (response_of d phi) (seq 0 (List.length (policies d)))) (phis d) in
  map (fun e => map (fun r => let '(p, (h, (seen, b))) := e in nth p r (fun _ _ _ => 0%Q) h seen b) rs) (adversary_places d).
Definition check_through_signs d (of_world : bool) (alpha : Q) (n : nat) : bool :=
  let columns := if of_world then world_columns d else adversary_columns d in let points := List.length (if of_world then thetas d else phis d) in
  let D := if of_world then (horizon d * nS d * nOB d * nB d)%nat else (horizon d * nB d)%nat in
  (1 <=? policy_window d)%nat && (1 <=? response_window d)%nat && check_signs n D alpha columns points (signs_of columns points).
Lemma world_columns_are d : world_columns d = columns (world_places d) (thetas d) (world_entry d).
Proof. unfold world_columns, columns. apply map_ext. intro e. now rewrite map_map. Qed.
Lemma adversary_columns_are d : adversary_columns d = columns (adversary_places d) (phis d) (adversary_entry d).
Proof.
  unfold adversary_columns, columns. apply map_ext_in. intros e i. rewrite map_map. apply map_ext. intro phi. destruct e as (p, (h, (seen, b))).
  unfold adversary_places in i. apply in_flat_map in i. destruct i as (p' & ip & i). apply in_flat_map in i. destruct i as (h' & _ & i). apply in_map_iff in i. destruct i as (x & e & _). injection e as -> -> ->.
  apply in_seq in ip. rewrite (nth_indep _ _ (response_of d phi 0)) by (rewrite map_length, seq_length; lia). rewrite (map_nth (response_of d phi)), seq_nth by lia. reflexivity.
Qed.
Theorem through_signs_sound d of_world alpha n : class_of_games d -> check_through_signs d of_world alpha n = true ->
  eluder_at_most_in d (if of_world then world_class d else adversary_class d) alpha n.
Proof.
  unfold check_through_signs. cbv zeta. rewrite !andb_true_iff. intros ok [[wA wB] h] star is k. apply Nat.leb_le in wA, wB. destruct (parts d star is) as [it ip].
  destruct of_world.
  - rewrite world_columns_are in h. apply (In_nth _ _ ([] : point)) in it. destruct it as (i0 & l0 & e0).
    apply (signs_at_most (world_places d) (thetas d) (world_entry d) (world_terms d) (law_weight d star) (world_vector d star) _ _
      (fun z lz t i => law_weight_pos d ok wA wB star is z lz t i) (fun z lz => world_small d ok wA wB star is z lz) n alpha _ h _ i0 k l0).
    intros f jf. apply in_map_iff in jf. destruct jf as (xi & <- & ix). destruct (parts d xi ix) as [jt _]. apply (In_nth _ _ ([] : point)) in jt. destruct jt as (j & lj & ej).
    exists j. split; [exact lj |]. intros z lz. rewrite ej, e0. now apply world_is.
  - rewrite adversary_columns_are in h. apply (In_nth _ _ ([] : point)) in ip. destruct ip as (i0 & l0 & e0).
    apply (signs_at_most (adversary_places d) (phis d) (adversary_entry d) (adversary_terms d) (law_weight d star) (adversary_vector d star) _ _
      (fun z lz t i => adversary_weight_pos d ok wA wB star is z lz t i) (fun z lz => adversary_small d ok wA wB star is z lz) n alpha _ h _ i0 k l0).
    intros f jf. apply in_map_iff in jf. destruct jf as (xi & <- & ix). destruct (parts d xi ix) as [_ jt]. apply (In_nth _ _ ([] : point)) in jt. destruct jt as (j & lj & ej).
    exists j. split; [exact lj |]. intros z lz. rewrite ej, e0. now apply adversary_is.
Qed.
