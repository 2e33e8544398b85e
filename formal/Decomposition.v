(** Theorem 2.5 (causal decomposition) for every finite POMG, every response and every ordered field of numbers,
    on the paper's augmented space S x T^A x T^B (Appendix B).  Histories are written most recent pair first. *)
From Pomgcheck Require Import OrderedField.
Open Scope nat_scope.

Definition history := list (nat * nat).                      (* (observation, action) pairs *)
Definition pair_dec (p q : nat * nat) : {p = q} + {p <> q}.
Proof. decide equality; apply Nat.eq_dec. Defined.
Definition same_history (t t' : history) : bool := if list_eq_dec pair_dec t t' then true else false.
Definition pairs (n m : nat) := list_prod (seq 0 n) (seq 0 m).
Fixpoint histories (n m h : nat) : list history :=
  match h with 0 => [[]] | S h => flat_map (fun t => map (fun p => p :: t) (pairs n m)) (histories n m h) end.

(** * Definitions *)
Section Game.
Variable F : OF.
Local Open Scope of_scope.
Variables nS nA nB nOA nOB : nat.
Variable EA : nat -> nat -> nat -> F.                 (* E^A_h(o|s): h s o *)
Variable EB : nat -> nat -> nat -> F.                 (* E^B_h(o|s) *)
Variable T : nat -> nat -> nat -> nat -> nat -> F.    (* T_h(s'|s,a,b): h s a b s' *)
Variable g : nat -> history -> nat -> nat -> F.       (* g_h(b | tau^B, o^B): h tau o b *)
Variable rho0 : nat -> F.

Notation coordinate := (nat * (history * history))%type.     (* (s, tau^A, tau^B) *)
Definition coordinates h : list coordinate :=
  list_prod (seq 0 nS) (list_prod (histories nOA nA h) (histories nOB nB h)).
Definition vector := coordinate -> F.
Definition channel := coordinate -> nat -> F.                  (* V = R^(S+ x B) *)

(** one step of the game from the coordinate c, o^A and a being what the learner saw and did: the chance that the
    opponent sees oB, answers b and the state moves to s', times that of o^A *)
Definition chance h (o a : nat) (c : coordinate) (oB b s' : nat) : F :=
  let '(s, (tA, tB)) := c in EA h s o * EB h s oB * g h tB oB b * T h s a b s'.
Definition after (o a : nat) (c : coordinate) (oB b s' : nat) : coordinate :=
  let '(s, (tA, tB)) := c in (s', ((o, a) :: tA, (oB, b) :: tB)).
Definition same_coordinate (c d : coordinate) : bool :=
  let '(s, (tA, tB)) := c in let '(s', (tA', tB')) := d in Nat.eqb s s' && (same_history tA tA' && same_history tB tB').

(** the controlled observable operator, from the protocol *)
Definition J h o a (v : vector) : vector := fun c' =>
  lsum (coordinates h) (fun c => lsum (seq 0 nOB) (fun oB => lsum (seq 0 nB) (fun b => lsum (seq 0 nS) (fun s' =>
    if same_coordinate (after o a c oB b s') c' then chance h o a c oB b s' * v c else 0)))).

(** the world channel, eq. (eqWdef), and the adversary aggregation, eq. (eqGdef) *)
Definition W h o a (v : vector) : channel := fun c' b =>
  let '(s', (tA', tB')) := c' in
  lsum (coordinates h) (fun c => let '(s, (tA, tB)) := c in lsum (seq 0 nOB) (fun oB =>
    if same_history ((o, a) :: tA) tA' && same_history ((oB, b) :: tB) tB'
    then EA h s o * EB h s oB * T h s a b s' * v c else 0)).
Definition G h (u : channel) : vector := fun c' =>
  match c' with
  | (s', (tA', (oB, b) :: tB)) => g h tB oB b * u c' b
  | _ => 0
  end.

(** the law of the learner's observations given its actions, summed over the latent paths s_1, (o^B_k, b_k, s_(k+1))_k *)
Definition q0 : vector := fun c => match c with (s, ([], [])) => rho0 s | _ => 0 end.
Fixpoint play h (seen : history) (v : vector) : vector :=      (* seen: first pair first *)
  match seen with [] => v | (o, a) :: seen => play (S h) seen (J h o a v) end.
Definition total h (v : vector) : F := lsum (coordinates h) v.

Fixpoint paths (n : nat) : list (list (nat * (nat * nat))) :=
  match n with 0 => [[]]
  | S n => flat_map (fun oB => flat_map (fun b => flat_map (fun s' => map (cons (oB, (b, s'))) (paths n)) (seq 0 nS)) (seq 0 nB)) (seq 0 nOB)
  end.
Fixpoint weight h (s : nat) (tB : history) (seen : history) (path : list (nat * (nat * nat))) : F :=
  match seen, path with
  | (o, a) :: seen, (oB, (b, s')) :: path =>
      EA h s o * EB h s oB * g h tB oB b * T h s a b s' * weight (S h) s' ((oB, b) :: tB) seen path
  | _, _ => 1
  end.
Definition law (seen : history) : F :=
  lsum (seq 0 nS) (fun s => rho0 s * lsum (paths (length seen)) (weight 0 s [] seen)).

(** * Proofs *)
Add Field Fd : (c_field F).
Ltac fr := match goal with |- @eq _ ?x ?y => change (@eq (car F) x y) end; ring.

Lemma same_history_ok t t' : same_history t t' = true <-> t = t'.
Proof. unfold same_history. destruct (list_eq_dec pair_dec t t'); split; congruence. Qed.
Lemma same_history_cons p t q t' : same_history (p :: t) (q :: t') = (if pair_dec p q then same_history t t' else false).
Proof.
  unfold same_history. destruct (list_eq_dec pair_dec (p :: t) (q :: t')), (pair_dec p q), (list_eq_dec pair_dec t t'); congruence.
Qed.
Lemma lsum_prod {A B} (l : list A) (m : list B) (f : A * B -> F) :
  lsum (list_prod l m) f = lsum l (fun x => lsum m (fun y => f (x, y))).
Proof.
  induction l; simpl; auto. rewrite lsum_app, lsum_map. congruence.
Qed.
Lemma seq_only n k (f : nat -> F) : (k < n)%nat -> lsum (seq 0 n) (fun i => if Nat.eqb i k then f i else 0) = f k.
Proof. intro h. apply (lsum_only F Nat.eqb Nat.eqb_eq); [apply seq_NoDup | apply in_seq; lia]. Qed.

Lemma history_only n m h t (f : history -> F) : In t (histories n m h) ->
  lsum (histories n m h) (fun t' => if same_history t' t then f t' else 0) = f t.
Proof.
  revert t f. induction h as [| h ih]; intros t f; simpl.
  - intros [<- | []]. simpl. ring.
  - intro i. apply in_flat_map in i. destruct i as (t0 & h0 & i). apply in_map_iff in i. destruct i as ((x, y) & <- & i).
    apply in_prod_iff in i. destruct i as [hx hy]. apply in_seq in hx, hy.
    rewrite lsum_flat_map. rewrite (lsum_ext _ _ _ (fun t' => if same_history t' t0 then f ((x, y) :: t') else 0)).
    + exact (ih t0 (fun t' => f ((x, y) :: t')) h0).
    + intros t' _. rewrite lsum_map. unfold pairs. rewrite lsum_prod.
      rewrite (lsum_ext _ _ _ (fun x' => if Nat.eqb x' x then (if same_history t' t0 then f ((x, y) :: t') else 0) else 0)).
      * rewrite seq_only by lia. reflexivity.
      * intros x' _. destruct (Nat.eqb_spec x' x) as [-> | n0].
        -- rewrite (lsum_ext _ _ _ (fun y' => if Nat.eqb y' y then (if same_history t' t0 then f ((x, y) :: t') else 0) else 0)).
           ++ rewrite seq_only by lia. reflexivity.
           ++ intros y' _. rewrite same_history_cons. destruct (Nat.eqb_spec y' y) as [-> | n1]; destruct (pair_dec _ _); congruence.
        -- apply lsum_zero. intros y' _. rewrite same_history_cons. destruct (pair_dec (x', y') (x, y)); congruence.
Qed.

Lemma coordinate_only h c (f : coordinate -> F) : In c (coordinates h) ->
  lsum (coordinates h) (fun c' => if same_coordinate c c' then f c' else 0) = f c.
Proof.
  destruct c as (s, (tA, tB)). intro i. apply in_prod_iff in i. destruct i as [hs i]. apply in_prod_iff in i. destruct i as [hA hB].
  unfold coordinates. rewrite lsum_prod. apply in_seq in hs.
  rewrite (lsum_ext _ _ _ (fun s' => if Nat.eqb s' s then f (s, (tA, tB)) else 0)).
  - rewrite seq_only by lia. reflexivity.
  - intros s' _. rewrite lsum_prod. simpl. rewrite (Nat.eqb_sym s s'). destruct (Nat.eqb_spec s' s) as [-> | n].
    + simpl. rewrite (lsum_ext _ _ _ (fun t => if same_history t tA then f (s, (t, tB)) else 0)).
      * exact (history_only _ _ _ _ (fun t => f (s, (t, tB))) hA).
      * intros t _. rewrite (lsum_ext _ _ _ (fun t' => if same_history t' tB then (if same_history t tA then f (s, (t, t')) else 0) else 0)).
        -- exact (history_only _ _ _ _ (fun t' => if same_history t tA then f (s, (t, t')) else 0) hB).
        -- intros t' _. unfold same_history. repeat destruct (list_eq_dec pair_dec); simpl; congruence.
    + simpl. apply lsum_zero; intros t _. apply lsum_zero; auto.
Qed.

Lemma after_in h o a c oB b s' : In c (coordinates h) -> (o < nOA)%nat -> (a < nA)%nat -> (oB < nOB)%nat -> (b < nB)%nat -> (s' < nS)%nat ->
  In (after o a c oB b s') (coordinates (S h)).
Proof.
  destruct c as (s, (tA, tB)). intros i ? ? ? ? ?. apply in_prod_iff in i. destruct i as [_ i]. apply in_prod_iff in i. destruct i as [hA hB].
  apply in_prod_iff; split; [apply in_seq; lia |]. apply in_prod_iff; split; apply in_flat_map.
  - exists tA; split; auto. apply (in_map (fun p => p :: tA)). apply in_prod_iff; split; apply in_seq; lia.
  - exists tB; split; auto. apply (in_map (fun p => p :: tB)). apply in_prod_iff; split; apply in_seq; lia.
Qed.

Lemma member_le {A} (l : list A) (f : A -> F) i : In i l -> (forall i, 0 <= f i) -> f i <= lsum l f.
Proof.
  intros hi h. induction l as [| k l ih]; simpl in *; [tauto |]. destruct hi as [-> | hi].
  - apply (le_by _ _ _ (lsum l f)); [ring | now apply lsum_nonneg].
  - eapply le_trans; [now apply ih |]. apply (le_by _ _ _ (f k)); [ring | auto].
Qed.

(** J = G o W, whatever the response, the policy and the kernels *)
Theorem factorization h o a v c' : In c' (coordinates (S h)) -> J h o a v c' = G h (W h o a v) c'.
Proof.
  destruct c' as (s', (tA', tB')). intro i. apply in_prod_iff in i. destruct i as [hs i]. apply in_prod_iff in i. destruct i as [_ hB].
  apply in_flat_map in hB. destruct hB as (tB0 & hB0 & i). apply in_map_iff in i. destruct i as ((oB', b') & <- & i).
  apply in_prod_iff in i. destruct i as [ho hb]. apply in_seq in hs, ho, hb.
  unfold J, G, W. rewrite <- lsum_mul. apply lsum_ext. intros (s, (tA, tB)) _. rewrite <- lsum_mul. apply lsum_ext. intros oB _.
  unfold after, chance, same_coordinate.
  set (A := same_history ((o, a) :: tA) tA').
  rewrite (lsum_ext _ _ _ (fun b => if Nat.eqb b b' then
     (if A && same_history ((oB, b') :: tB) ((oB', b') :: tB0)
      then EA h s o * EB h s oB * g h tB oB b' * T h s a b' s' * v (s, (tA, tB)) else 0) else 0)).
  - rewrite seq_only by lia. cbn [fst snd]. rewrite !same_history_cons. destruct A; cbn [andb]; [| fr].
    destruct (pair_dec (oB, b') (oB', b')) as [e | _]; [| try fr]. injection e as ->.
    destruct (same_history tB tB0) eqn:e; [| fr]. apply same_history_ok in e as ->. fr.
  - intros b _. destruct (Nat.eqb_spec b b') as [-> | n].
    + rewrite (lsum_ext _ _ _ (fun s0 => if Nat.eqb s0 s' then
        (if A && same_history ((oB, b') :: tB) ((oB', b') :: tB0)
         then EA h s o * EB h s oB * g h tB oB b' * T h s a b' s0 * v (s, (tA, tB)) else 0) else 0)).
      * now rewrite seq_only by lia.
      * intros s0 _. destruct (Nat.eqb s0 s'); reflexivity.
    + apply lsum_zero; intros s0 _. rewrite same_history_cons. destruct (pair_dec (oB, b) (oB', b')); [congruence |].
      now rewrite !andb_false_r.
Qed.

(** entrywise nonnegative *)
Theorem W_nonneg h o a v :
  (forall s x, 0 <= EA h s x) -> (forall s x, 0 <= EB h s x) -> (forall s x b s', 0 <= T h s x b s') ->
  (forall c, 0 <= v c) -> forall c b, 0 <= W h o a v c b.
Proof.
  intros hA hB hT hv (s', (tA', tB')) b. apply lsum_nonneg; intros (s, (tA, tB)) _. apply lsum_nonneg; intros oB _.
  destruct (_ && _); [| apply le_refl]. repeat apply mul_nonneg; auto.
Qed.
Theorem G_nonneg h u : (forall t x b, 0 <= g h t x b) -> (forall c b, 0 <= u c b) -> forall c, 0 <= G h u c.
Proof.
  intros hg hu (s', (tA', [| (oB, b) tB])); simpl; [apply le_refl | now apply mul_nonneg].
Qed.

(** ||G u||_1 <= ||u||_1 for every signed u *)
Theorem nonexpansive h (u : channel) :
  (forall t x b, 0 <= g h t x b) -> (forall t x b, g h t x b <= 1) ->
  lsum (coordinates (S h)) (fun c => |G h u c|) <= lsum (coordinates (S h)) (fun c => lsum (seq 0 nB) (fun b => |u c b|)).
Proof.
  intros g0 g1. apply lsum_le. intros (s', (tA', tB')) i. apply in_prod_iff in i. destruct i as [_ i]. apply in_prod_iff in i.
  destruct i as [_ hB]. apply in_flat_map in hB. destruct hB as (tB0 & _ & i). apply in_map_iff in i. destruct i as ((oB, b) & <- & i).
  apply in_prod_iff in i. destruct i as [_ hb]. apply in_seq in hb. simpl.
  set (x := |u (s', (tA', (oB, b) :: tB0)) b|).
  apply (le_trans _ _ x).
  - apply (le_trans _ _ (g h tB0 oB b * x)); [rewrite abs_mul, (abs_pos _ (g h tB0 oB b)) by auto; apply le_refl |].
    assert (x0 : 0 <= x) by apply abs_nonneg. generalize x x0. intros y y0.
    apply (le_by _ _ _ (y * (1 - g h tB0 oB b))); [ring | apply mul_nonneg; [exact y0 | exact (proj1 (le_sub _ _ _) (g1 _ _ _))]].
  - apply (member_le (seq 0 nB) (fun b' => |u (s', (tA', (oB, b) :: tB0)) b'|)); [apply in_seq; lia | intro; apply abs_nonneg].
Qed.

(** the chance of what the learner sees, by operators and by latent paths *)
Lemma push h o a v f : (o < nOA)%nat -> (a < nA)%nat ->
  lsum (coordinates (S h)) (fun c' => J h o a v c' * f c') =
  lsum (coordinates h) (fun c => v c * lsum (seq 0 nOB) (fun oB => lsum (seq 0 nB) (fun b => lsum (seq 0 nS) (fun s' =>
    chance h o a c oB b s' * f (after o a c oB b s'))))).
Proof.
  intros ho ha.
  transitivity (lsum (coordinates (S h)) (fun c' => lsum (coordinates h) (fun c => lsum (seq 0 nOB) (fun oB =>
    lsum (seq 0 nB) (fun b => lsum (seq 0 nS) (fun s' =>
      if same_coordinate (after o a c oB b s') c' then chance h o a c oB b s' * v c * f c' else 0)))))).
  - apply lsum_ext; intros c' _. unfold J. do 4 (rewrite <- lsum_mulr; apply lsum_ext; intros ? _).
    destruct (same_coordinate _ _); ring.
  - rewrite lsum_swap. apply lsum_ext; intros c hc. rewrite lsum_swap, <- lsum_mul. apply lsum_ext; intros oB hoB.
    rewrite lsum_swap, <- lsum_mul. apply lsum_ext; intros b hb. rewrite lsum_swap, <- lsum_mul. apply lsum_ext; intros s' hs.
    apply in_seq in hoB, hb, hs.
    rewrite (coordinate_only (S h) _ (fun c' => chance h o a c oB b s' * v c * f c')); [ring |].
    apply after_in; auto; lia.
Qed.

Definition in_game (seen : history) := forall o a, In (o, a) seen -> (o < nOA)%nat /\ (a < nA)%nat.

Lemma play_law seen : forall h v, in_game seen ->
  total (h + length seen) (play h seen v) =
  lsum (coordinates h) (fun c => v c * lsum (paths (length seen)) (weight h (fst c) (snd (snd c)) seen)).
Proof.
  induction seen as [| (o, a) seen ih]; intros h v hg.
  - simpl length. rewrite Nat.add_0_r. apply lsum_ext; intros c _. simpl. ring.
  - simpl length. rewrite Nat.add_succ_r. change (S (h + length seen)) with (S h + length seen)%nat. cbn [play].
    rewrite ih by (intros ? ? i; apply hg; now right). destruct (hg o a (or_introl eq_refl)) as [ho ha].
    rewrite (push h o a v (fun c => lsum (paths (length seen)) (weight (S h) (fst c) (snd (snd c)) seen))) by assumption.
    apply lsum_ext; intros (s, (tA, tB)) _. f_equal. cbn [paths fst snd].
    rewrite lsum_flat_map. apply lsum_ext; intros oB _. rewrite lsum_flat_map. apply lsum_ext; intros b _.
    rewrite lsum_flat_map. apply lsum_ext; intros s' _. rewrite lsum_map. cbn [weight]. unfold chance, after.
    cbn [fst snd]. now rewrite lsum_mul.
Qed.

(** 1^T J_h(o_h, a_h) ... J_1(o_1, a_1) q_0 = P(o_1 ... o_h | a_1 ... a_h) *)
Theorem oom_identity seen : in_game seen -> total (length seen) (play 0 seen q0) = law seen.
Proof.
  intro hg. rewrite <- (Nat.add_0_l (length seen)) at 1. rewrite play_law by assumption. unfold law, coordinates. rewrite lsum_prod.
  apply lsum_ext; intros s _. rewrite lsum_prod. simpl. ring.
Qed.
End Game.
