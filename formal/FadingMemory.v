(** Theorem 5.2: an average of responses moves by at most half their largest distance times what its weights move. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing SparseLaws TrajectoryLaws ForwardLaws BoundedIncrements Covering PosteriorLipschitz CausalDecomposition ForwardErrors.
Open Scope nat_scope.

Lemma abs_qsum {A} (l : list A) f : (Qabs (qsum l f) <= qsum l (fun x => Qabs (f x)))%Q.
Proof.
  induction l as [| x l ih]; cbn [qsum]; [discriminate |]. rewrite !Qred_correct. eapply Qle_trans; [apply Qabs_triangle |]. apply Qplus_le_compat; [apply Qle_refl | exact ih].
Qed.
Lemma term_le {A} (l : list A) f x : (forall y, (0 <= f y)%Q) -> In x l -> (f x <= qsum l f)%Q.
Proof.
  intros h i. induction l as [| y l ih]; [destruct i |]. cbn [qsum]. rewrite Qred_correct. destruct i as [-> | i].
  - rewrite <- (Qplus_0_r (f x)) at 1. apply Qplus_le_compat; [apply Qle_refl |]. apply qsum_nonneg. auto.
  - rewrite <- (Qplus_0_l (f x)). apply Qplus_le_compat; [apply h | now apply ih].
Qed.
Definition up (x : Q) : Q := ((Qabs x + x) * (1 # 2))%Q.
Lemma up_nonneg x : (0 <= up x)%Q.
Proof. unfold up. apply Qmult_le_0_compat; [| discriminate]. apply Qabs_case; intro h; ring_simplify; [apply Qmult_le_0_compat; [discriminate | exact h] | apply Qle_refl]. Qed.
Section Averages.
Variables (n k : nat) (g : nat -> nat -> Q) (D : Q) (u : nat -> Q).
Hypothesis near : forall p q, p < n -> q < n -> (qsum (seq 0 k) (fun b => Qabs (g p b - g q b)) <= D)%Q.
Hypothesis balanced : (qsum (seq 0 n) u == 0)%Q.
Notation over f := (qsum (seq 0 n) f).
Notation t := (over (fun p => up (u p))).
Lemma down_is : (over (fun p => up (- u p)) == t)%Q.
Proof.
  assert (e : (t == over u + over (fun p => up (- u p)))%Q).
  { rewrite <- qsum_plus. apply qsum_eq. intro p. unfold up. rewrite Qabs_opp. field. }
  rewrite e, balanced. ring.
Qed.
Lemma norm_is_twice : (over (fun p => Qabs (u p)) == t + t)%Q.
Proof. rewrite <- down_is at 2. rewrite <- qsum_plus. apply qsum_eq. intro p. unfold up. rewrite Qabs_opp. field. Qed.
Lemma paired b : (t * over (fun p => u p * g p b) == over (fun p => over (fun q => up (u p) * up (- u q) * (g p b - g q b))))%Q.
Proof.
  assert (e : (over (fun p => over (fun q => up (u p) * up (- u q) * (g p b - g q b)))
    == over (fun p => up (u p) * g p b) * over (fun q => up (- u q)) - t * over (fun q => up (- u q) * g q b))%Q).
  { rewrite (qsum_eq _ _ (fun p => over (fun q => up (- u q)) * (up (u p) * g p b) + - over (fun q => up (- u q) * g q b) * up (u p))%Q).
    - rewrite qsum_plus, !qsum_scale. ring.
    - intro p. rewrite (qsum_eq _ _ (fun q => up (u p) * g p b * up (- u q) + - up (u p) * (up (- u q) * g q b))%Q) by (intro; ring). rewrite qsum_plus, !qsum_scale. ring. }
  rewrite e, down_is. assert (s : (over (fun p => u p * g p b) == over (fun p => up (u p) * g p b) + (-1) * over (fun q => up (- u q) * g q b))%Q).
  { rewrite <- qsum_scale, <- qsum_plus. apply qsum_eq. intro p. unfold up. rewrite Qabs_opp. field. }
  rewrite s. ring.
Qed.
Lemma average_moves : (qsum (seq 0 k) (fun b => Qabs (over (fun p => u p * g p b))) <= D * (1 # 2) * over (fun p => Qabs (u p)))%Q.
Proof.
  assert (t0 : (0 <= t)%Q) by (apply qsum_nonneg; intros; apply up_nonneg).
  set (norm := qsum (seq 0 k) _).
  assert (h : (t * norm <= t * (t * D))%Q).
  { unfold norm. rewrite <- qsum_scale. apply Qle_trans with (qsum (seq 0 k) (fun b => over (fun p => over (fun q => up (u p) * up (- u q) * Qabs (g p b - g q b))))%Q).
    - apply qsum_mono. intros b _. rewrite <- (Qabs_pos t t0), <- Qabs_Qmult. rewrite paired. eapply Qle_trans; [apply abs_qsum |]. apply qsum_mono. intros p _.
      eapply Qle_trans; [apply abs_qsum |]. apply qsum_mono. intros q _. rewrite !Qabs_Qmult. rewrite !(Qabs_pos (up _)) by apply up_nonneg. apply Qle_refl.
    - rewrite qsum_swap. apply Qle_trans with (over (fun p => t * D * up (u p)))%Q; [| rewrite qsum_scale; setoid_replace (t * D * t)%Q with (t * (t * D))%Q by ring; apply Qle_refl].
      apply qsum_mono. intros p ip. apply in_seq in ip. rewrite qsum_swap. rewrite <- down_is. setoid_replace (over (fun q => up (- u q)) * D * up (u p))%Q with (up (u p) * D * over (fun q => up (- u q)))%Q by ring.
      rewrite <- qsum_scale. apply qsum_mono. intros q iq. apply in_seq in iq. rewrite qsum_scale. specialize (near p q ltac:(lia) ltac:(lia)).
      setoid_replace (up (u p) * up (- u q) * qsum (seq 0 k) (fun b => Qabs (g p b - g q b)))%Q with (qsum (seq 0 k) (fun b => Qabs (g p b - g q b)) * (up (u p) * up (- u q)))%Q by ring.
      setoid_replace (up (u p) * D * up (- u q))%Q with (D * (up (u p) * up (- u q)))%Q by ring. apply Qmult_le_compat_r; [exact near | apply Qmult_le_0_compat; apply up_nonneg]. }
  rewrite norm_is_twice. setoid_replace (D * (1 # 2) * (t + t))%Q with (t * D)%Q by field.
  destruct (Qlt_le_dec 0 t) as [z | z].
  - apply (Qmult_le_l norm (t * D) t z). exact h.
  - assert (e : (t == 0)%Q) by now apply Qle_antisym. assert (zero : forall p, In p (seq 0 n) -> (u p == 0)%Q).
    { intros p i. pose proof (term_le (seq 0 n) (fun p => Qabs (u p)) p (fun y => Qabs_nonneg (u y)) i) as l. cbv beta in l. rewrite norm_is_twice, e in l. apply Qle_antisym.
      - apply Qle_trans with (Qabs (u p)); [apply Qle_Qabs | exact l].
      - apply Qopp_le_compat in l. eapply Qle_trans; [exact l |]. rewrite <- Qabs_opp. rewrite <- (Qopp_opp (u p)) at 2. apply Qopp_le_compat. apply Qle_Qabs. }
    assert (en : (norm == 0)%Q).
    { unfold norm. rewrite (qsum_eq _ _ (fun _ => 0%Q)); [apply qsum_zero |]. intro b. rewrite (qsum_eq_in _ _ (fun _ => 0%Q)); [now rewrite qsum_zero |]. intros p i. rewrite (zero p i). ring. }
    rewrite en, e. setoid_replace (0 * D)%Q with 0%Q by ring. apply Qle_refl.
Qed.
End Averages.
Definition check_fading d (L : Q) : bool :=
  forallb (fun phi => let gs := map (response_of d phi) (seq 0 (List.length (policies d))) in
    below (horizon d) (fun h => forallb (fun seen => forallb (fun g => forallb (fun g' => Qle_bool (apart d g g' h seen) (2 * L)) gs) gs)
      (tuples (nOB d) (Nat.min (response_window d) (S h))))) (phis d).
Theorem check_fading_sound d L : check_fading d L = true -> fading_lipschitz d L.
Proof.
  unfold check_fading. cbv zeta. rewrite forallb_forall. intros hc phi ip z z' [_ s] [_ s'] h hh seen is. specialize (hc phi ip).
  pose proof (below_sound _ _ _ hc hh) as r. cbv beta in r. rewrite forallb_forall in r. specialize (r _ is). rewrite forallb_forall in r. clear hc.
  rewrite (qsum_eq _ _ (fun b => Qabs (qsum (seq 0 (List.length (policies d))) (fun p => (z p - z' p) * response_of d phi p h seen b)))%Q).
  - setoid_replace L with (2 * L * (1 # 2))%Q by field. apply (average_moves _ (nB d) (fun p b => response_of d phi p h seen b)).
    + intros p q hp hq. assert (i : forall p, p < List.length (policies d) -> In (response_of d phi p) (map (response_of d phi) (seq 0 (List.length (policies d)))))
        by (intros x hx; apply in_map, in_seq; lia).
      specialize (r _ (i p hp)). rewrite forallb_forall in r. now apply Qle_bool_iff, (r _ (i q hq)).
    + rewrite (qsum_eq _ _ (fun p => z p + (-1) * z' p)%Q) by (intro; ring). rewrite qsum_plus, qsum_scale, s, s'. reflexivity.
  - intro b. unfold fading_response. assert (e : (qsum (seq 0 (List.length (policies d))) (fun p => (z p - z' p) * response_of d phi p h seen b) ==
      qsum (seq 0 (List.length (policies d))) (fun p => z p * response_of d phi p h seen b) - qsum (seq 0 (List.length (policies d))) (fun p => z' p * response_of d phi p h seen b))%Q).
    { rewrite (qsum_eq _ _ (fun p => z p * response_of d phi p h seen b + (-1) * (z' p * response_of d phi p h seen b))%Q) by (intro; ring). rewrite qsum_plus, qsum_scale. ring. }
    now rewrite e.
Qed.
(** and by no less where the responses to two policies are as far apart as that *)
Definition only (p q : nat) : Q := if Nat.eqb q p then 1%Q else 0%Q.
Lemma only_row n p : p < n -> is_row n (only p).
Proof. intro l. split; [intros k _; unfold only; destruct (Nat.eqb k p); discriminate |]. exact (qsum_pick n p (fun _ => 1%Q) l). Qed.
Definition check_fading_reached d (L : Q) : bool :=
  existsb (fun phi => existsb (fun h => existsb (fun seen => existsb (fun p => existsb (fun q => negb (Nat.eqb p q) && Qle_bool (2 * L) (apart d (response_of d phi p) (response_of d phi q) h seen))
    (seq 0 (List.length (policies d)))) (seq 0 (List.length (policies d)))) (tuples (nOB d) (Nat.min (response_window d) (S h)))) (seq 0 (horizon d))) (phis d).
Theorem check_fading_reached_sound d L : check_fading_reached d L = true -> forall L', (L' < L)%Q -> ~ fading_lipschitz d L'.
Proof.
  unfold check_fading_reached. intros hc L' less k. apply existsb_exists in hc. destruct hc as (phi & ip & hc). apply existsb_exists in hc. destruct hc as (h & hh & hc). apply in_seq in hh.
  apply existsb_exists in hc. destruct hc as (seen & is & hc). apply existsb_exists in hc. destruct hc as (p & hp & hc). apply existsb_exists in hc. destruct hc as (q & hq & hc). apply in_seq in hp, hq.
  apply andb_true_iff in hc. destruct hc as [n far]. apply negb_true_iff, Nat.eqb_neq in n. apply Qle_bool_iff in far.
  specialize (k phi ip (only p) (only q) (only_row (List.length (policies d)) p ltac:(lia)) (only_row (List.length (policies d)) q ltac:(lia)) h ltac:(lia) seen is).
  assert (at_one : forall p b, p < List.length (policies d) -> (fading_response d phi (only p) h seen b == response_of d phi p h seen b)%Q).
  { intros x b l. unfold fading_response. rewrite <- (qsum_pick (List.length (policies d)) x (fun y => response_of d phi y h seen b) l). apply qsum_eq. intro y. unfold only. destruct (Nat.eqb y x); ring. }
  assert (two : (qsum (seq 0 (List.length (policies d))) (fun y => Qabs (only p y - only q y)) == 2)%Q).
  { rewrite (qsum_eq _ _ (fun y => only p y + only q y)%Q).
    - rewrite qsum_plus, (proj2 (only_row (List.length (policies d)) p ltac:(lia))), (proj2 (only_row (List.length (policies d)) q ltac:(lia))). reflexivity.
    - intro y. unfold only. destruct (Nat.eqb y p) eqn:e, (Nat.eqb y q) eqn:e'; [| reflexivity ..]. apply Nat.eqb_eq in e, e'. congruence. }
  rewrite two in k. apply (Qlt_irrefl (2 * L)). apply Qle_lt_trans with (1 := far). apply Qle_lt_trans with (L' * 2)%Q.
  - eapply Qle_trans; [| exact k]. unfold apart. rewrite (qsum_eq _ _ (fun b => Qabs (fading_response d phi (only p) h seen b - fading_response d phi (only q) h seen b))); [apply Qle_refl |].
    intro b. now rewrite !at_one by lia.
  - rewrite (Qmult_comm 2 L). now apply Qmult_lt_compat_r.
Qed.
