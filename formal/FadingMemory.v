(** Theorem 5.2: an average of responses moves by at most half their largest distance times what its weights move, and where one policy is
    played on its weights settle by the factor gamma an episode.  Assumption 2.3 carries over from policies to averages. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing SparseLaws TrajectoryLaws ForwardLaws BoundedIncrements Covering PosteriorLipschitz CausalDecomposition ForwardErrors.
From Coq Require Import QArith.Qpower.
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

(** ** A policy played on: z^t = gamma z^(t-1) + (1 - gamma) e_(pi^t) *)
Fixpoint played_on (gamma : Q) (p k : nat) (z : nat -> Q) : nat -> Q :=
  match k with 0 => z | S k => fun q => (gamma * played_on gamma p k z q + (1 - gamma) * only p q)%Q end.
(** after k episodes of it the response is within 2 L gamma^k of its own, whatever was played before *)
Definition fading_settles d (gamma L : Q) : Prop := forall phi, In phi (phis d) -> forall p, p < List.length (policies d) ->
  forall z, is_row (List.length (policies d)) z -> forall k h, h < horizon d -> forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) ->
  (qsum (seq 0 (nB d)) (fun b => Qabs (fading_response d phi (played_on gamma p k z) h seen b - response_of d phi p h seen b)) <= L * (2 * gamma ^ Z.of_nat k))%Q.
Lemma only_response d phi p h seen b : p < List.length (policies d) -> (fading_response d phi (only p) h seen b == response_of d phi p h seen b)%Q.
Proof.
  intro l. unfold fading_response. rewrite <- (qsum_pick (List.length (policies d)) p (fun y => response_of d phi y h seen b) l). apply qsum_eq. intro y. unfold only. destruct (Nat.eqb y p); ring.
Qed.
Section PlayedOn.
Variables (n : nat) (gamma : Q) (p : nat) (z : nat -> Q).
Hypotheses (low : (0 <= gamma)%Q) (high : (gamma <= 1)%Q) (hp : p < n) (row : is_row n z).
Lemma played_row k : is_row n (played_on gamma p k z).
Proof.
  induction k as [| k [pos one]]; [exact row |]. destruct (only_row n p hp) as [pos' one']. assert (rest : (0 <= 1 - gamma)%Q) by (apply (Qplus_le_l _ _ gamma); ring_simplify; exact high).
  split; cbn [played_on].
  - intros q l. rewrite <- (Qplus_0_r 0). apply Qplus_le_compat; apply Qmult_le_0_compat; auto.
  - rewrite qsum_plus, !qsum_scale, one, one'. ring.
Qed.
Lemma played_near k : (qsum (seq 0 n) (fun q => Qabs (played_on gamma p k z q - only p q)) <= 2 * gamma ^ Z.of_nat k)%Q.
Proof.
  induction k as [| k ih].
  - cbn [played_on]. change (gamma ^ Z.of_nat 0)%Q with 1%Q. destruct (only_row n p hp) as [pos' one']. destruct row as [pos one].
    apply Qle_trans with (qsum (seq 0 n) (fun q => z q + only p q))%Q.
    + apply qsum_mono. intros q i. apply in_seq in i. eapply Qle_trans; [apply Qabs_triangle |]. rewrite Qabs_opp, (Qabs_pos (z q)), (Qabs_pos (only p q)) by (try apply pos; try apply pos'; lia). apply Qle_refl.
    + rewrite qsum_plus, one, one'. discriminate.
  - cbn [played_on]. rewrite (qsum_eq _ _ (fun q => gamma * Qabs (played_on gamma p k z q - only p q))%Q).
    + rewrite qsum_scale. setoid_replace (2 * gamma ^ Z.of_nat (S k))%Q with (gamma * (2 * gamma ^ Z.of_nat k))%Q.
      * rewrite !(Qmult_comm gamma). now apply Qmult_le_compat_r.
      * rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite Qpower_plus' by lia. change (gamma ^ 1)%Q with gamma. ring.
    + intro q. setoid_replace (gamma * played_on gamma p k z q + (1 - gamma) * only p q - only p q)%Q with (gamma * (played_on gamma p k z q - only p q))%Q by ring.
      rewrite Qabs_Qmult, (Qabs_pos gamma) by exact low. reflexivity.
Qed.
End PlayedOn.
Theorem settles_of_lipschitz d gamma L : (0 <= L)%Q -> (0 <= gamma)%Q -> (gamma <= 1)%Q -> fading_lipschitz d L -> fading_settles d gamma L.
Proof.
  intros l0 low high lip phi ip p hp z row k h hh seen is.
  apply Qle_trans with (L * qsum (seq 0 (List.length (policies d))) (fun q => Qabs (played_on gamma p k z q - only p q)))%Q.
  - eapply Qle_trans; [| exact (lip phi ip _ _ (played_row _ gamma p z low high hp row k) (only_row _ p hp) h hh seen is)].
    rewrite (qsum_eq _ (fun b => Qabs (fading_response d phi (played_on gamma p k z) h seen b - response_of d phi p h seen b))
      (fun b => Qabs (fading_response d phi (played_on gamma p k z) h seen b - fading_response d phi (only p) h seen b))); [apply Qle_refl |].
    intro b. now rewrite (only_response d phi p) by exact hp.
  - rewrite !(Qmult_comm L). apply Qmult_le_compat_r; [now apply played_near | exact l0].
Qed.
Definition check_settles d (gamma L : Q) : bool := Qle_bool 0 L && Qle_bool 0 gamma && Qle_bool gamma 1 && check_fading d L.
Theorem check_settles_sound d gamma L : check_settles d gamma L = true -> fading_lipschitz d L /\ fading_settles d gamma L.
Proof.
  unfold check_settles. rewrite !andb_true_iff. intros [[[l0 low] high] k]. apply Qle_bool_iff in l0, low, high. apply check_fading_sound in k. split; [exact k | now apply settles_of_lipschitz].
Qed.

(** ** Assumption 2.3 for averages of the responses to m policies, with any weights: those of a fading memory are such, its beginning included *)
Definition posterior_lipschitz_averaged d (policy_form : bool) (L : Q) : Prop :=
  (0 <= L)%Q /\ forall m (z : nat -> Q), is_row m z -> forall theta, In theta (thetas d) -> forall phi, In phi (phis d) ->
  forall P N, block_of d m P -> block_of d m N -> forall h, h < horizon d -> forall past o, In (past, o) (histories_B d h) ->
  let w := world_of d theta in
  (forall p, In p (P ++ N) -> possible d w (policy_of d p) past o) ->
  forall D : Q,
  (forall i, i < m -> forall h' past' o', In (past', o') (histories_B d h') -> h' < horizon d -> policy_form = true \/ (past' = past /\ o' = o) ->
     possible d w (policy_of d (nth i P O)) past' o' -> possible d w (policy_of d (nth i N O)) past' o' ->
     (posterior_distance d w (policy_of d (nth i P O)) (policy_of d (nth i N O)) past' o' <= D)%Q) ->
  (qsum (seq 0 (nB d)) (fun b => Qabs (qsum (seq 0 m) (fun i => z i * response_of d phi (nth i P O) h (read_B d past o) b)
                                     - qsum (seq 0 m) (fun i => z i * response_of d phi (nth i N O) h (read_B d past o) b))) <= L * D)%Q.
Theorem averaged_of_policies d form L : posterior_lipschitz d Latest 1 form L -> posterior_lipschitz_averaged d form L.
Proof.
  intros [l0 close]. split; [exact l0 |]. intros m z [pos one] theta it phi iphi P N [eP iP] [eN iN] h hh past o io w possible_here D hD.
  assert (each : forall i, i < m -> (apart d (response_of d phi (nth i P O)) (response_of d phi (nth i N O)) h (read_B d past o) <= L * D)%Q).
  { intros i hi. assert (jP : In (nth i P O) P) by (apply nth_In; lia). assert (jN : In (nth i N O) N) by (apply nth_In; lia).
    assert (single : forall B, (forall p, In p B -> p < List.length (policies d)) -> In (nth i B O) B -> block_of d 1 [nth i B O]) by (intros B iB j; split; [reflexivity | intros q [<- | []]; now apply iB]).
    refine (close theta it phi iphi [nth i P O] [nth i N O] (single P iP jP) (single N iN jN) h hh past o io _ D _).
    - intros p [<- | [<- | []]]; apply possible_here, in_or_app; [now left | now right].
    - intros [| k] hk; [exact (hD i hi) | lia]. }
  set (seen := read_B d past o) in *. set (f := fun i b => response_of d phi (nth i P O) h seen b). set (g := fun i b => response_of d phi (nth i N O) h seen b).
  change (qsum (seq 0 (nB d)) (fun b => Qabs (qsum (seq 0 m) (fun i => z i * f i b) - qsum (seq 0 m) (fun i => z i * g i b))) <= L * D)%Q.
  apply Qle_trans with (qsum (seq 0 (nB d)) (fun b => qsum (seq 0 m) (fun i => z i * Qabs (f i b - g i b))))%Q.
  - apply qsum_mono. intros b _. setoid_replace (qsum (seq 0 m) (fun i => z i * f i b) - qsum (seq 0 m) (fun i => z i * g i b))%Q with (qsum (seq 0 m) (fun i => z i * f i b + (-1) * (z i * g i b)))%Q
      by (rewrite qsum_plus, qsum_scale; ring).
    eapply Qle_trans; [apply abs_qsum |]. apply qsum_mono. intros i ii. apply in_seq in ii. setoid_replace (z i * f i b + (-1) * (z i * g i b))%Q with (z i * (f i b - g i b))%Q by ring.
    rewrite Qabs_Qmult, (Qabs_pos (z i)) by (apply pos; lia). apply Qle_refl.
  - rewrite qsum_swap. apply Qle_trans with (qsum (seq 0 m) (fun i => L * D * z i))%Q.
    + apply qsum_mono. intros i ii. apply in_seq in ii. rewrite qsum_scale, Qmult_comm. apply Qmult_le_compat_r; [apply each; lia | apply pos; lia].
    + rewrite qsum_scale, one, Qmult_1_r. apply Qle_refl.
Qed.
Theorem check_averaged_sound d form L : check_lipschitz d Latest 1 form L = true -> posterior_lipschitz_averaged d form L.
Proof. intro h. now apply averaged_of_policies, check_lipschitz_sound. Qed.
(** and by no less: a policy played on is an average *)
Theorem policies_of_averaged d form L : posterior_lipschitz_averaged d form L -> posterior_lipschitz d Latest 1 form L.
Proof.
  intros [l0 close]. split; [exact l0 |]. intros theta it phi iphi P N bP bN h hh past o io w possible_here D hD.
  assert (one : is_row 1 (fun _ => 1%Q)) by (split; [intros; discriminate | reflexivity]).
  specialize (close 1 (fun _ => 1%Q) one theta it phi iphi P N bP bN h hh past o io possible_here D hD).
  eapply Qle_trans; [| exact close]. apply qsum_mono. intros b _. destruct P as [| p [| ? ?]], N as [| q [| ? ?]]; try (destruct bP as [e _]; discriminate e); try (destruct bN as [e _]; discriminate e).
  cbn [reaction List.last seq qsum nth]. rewrite !Qred_correct, !Qmult_1_l, !Qplus_0_r. apply Qle_refl.
Qed.
