(** Theorem 2.5 where the adversary keeps a memory u that is updated by u -> next u o b: windows (the tool's space), whole
    histories, or anything else.  Coordinates (s, u), the learner's own memory being known; the channel is indexed by
    (s', u, o^B, b), and G adds what the next memory no longer tells apart. *)
From Pomgcheck Require Import OrderedField Decomposition.
Open Scope nat_scope.

Section Game.
Variable F : OF.
Local Open Scope of_scope.
Variables nS nB nOB : nat.
Variable M : Type.
Variable same : M -> M -> bool.
Hypothesis same_ok : forall u v, same u v = true <-> u = v.
Variable memories : nat -> list M.                                (* at the start of step h *)
Variable next : nat -> M -> nat -> nat -> M.
Hypothesis distinct : forall h, NoDup (memories h).
Hypothesis closed : forall h u oB b, In u (memories h) -> (oB < nOB)%nat -> (b < nB)%nat -> In (next h u oB b) (memories (S h)).
Variable EA : nat -> nat -> nat -> F.
Variable EB : nat -> nat -> nat -> F.
Variable T : nat -> nat -> nat -> nat -> nat -> F.
Variable g : nat -> M -> nat -> nat -> F.
Variable rho0 : nat -> F.
Variable u0 : M.
Hypothesis start : memories 0 = [u0].

Definition vector := nat -> M -> F.
Definition channel := nat -> M -> nat -> nat -> F.                (* s' u oB b *)
Definition sum_in h (f : M -> nat -> nat -> F) : F :=
  lsum (memories h) (fun u => lsum (seq 0 nOB) (fun oB => lsum (seq 0 nB) (fun b => f u oB b))).
Definition norm h (v : vector) : F := lsum (seq 0 nS) (fun s => lsum (memories h) (fun u => |v s u|)).
Definition norm_channel h (w : channel) : F := lsum (seq 0 nS) (fun s' => sum_in h (fun u oB b => |w s' u oB b|)).

(** one step of the game, coordinate by coordinate *)
Definition J h o a (v : vector) : vector := fun s' u' =>
  lsum (seq 0 nS) (fun s => sum_in h (fun u oB b =>
    if same (next h u oB b) u' then EA h s o * EB h s oB * g h u oB b * T h s a b s' * v s u else 0)).
(** the two formulas *)
Definition W h o a (v : vector) : channel := fun s' u oB b => lsum (seq 0 nS) (fun s => EA h s o * EB h s oB * T h s a b s' * v s u).
Definition G h (w : channel) : vector := fun s' u' =>
  sum_in h (fun u oB b => if same (next h u oB b) u' then g h u oB b * w s' u oB b else 0).

Fixpoint play h (seen : history) (v : vector) : vector :=
  match seen with [] => v | (o, a) :: seen => play (S h) seen (J h o a v) end.
Definition total h (v : vector) : F := lsum (seq 0 nS) (fun s => lsum (memories h) (fun u => v s u)).
Fixpoint weight h (s : nat) (u : M) (seen : history) (path : list (nat * (nat * nat))) : F :=
  match seen, path with
  | (o, a) :: seen, (oB, (b, s')) :: path =>
      EA h s o * EB h s oB * g h u oB b * T h s a b s' * weight (S h) s' (next h u oB b) seen path
  | _, _ => 1
  end.
Definition law (seen : history) : F :=
  lsum (seq 0 nS) (fun s => rho0 s * lsum (paths nS nB nOB (length seen)) (weight 0 s u0 seen)).

Add Field Fm : (c_field F).

Theorem factorization h o a v s' u' : J h o a v s' u' = G h (W h o a v) s' u'.
Proof.
  unfold J, G, W, sum_in. rewrite lsum_swap. apply lsum_ext; intros u _. rewrite lsum_swap. apply lsum_ext; intros oB _.
  rewrite lsum_swap. apply lsum_ext; intros b _. destruct (same _ _).
  - rewrite <- lsum_mul. apply lsum_ext; intros s _. ring.
  - now apply lsum_zero.
Qed.

(** each channel coordinate is read by one coordinate only *)
Lemma spread h (f : M -> nat -> nat -> F) :
  lsum (memories (S h)) (fun u' => sum_in h (fun u oB b => if same (next h u oB b) u' then f u oB b else 0)) = sum_in h f.
Proof.
  unfold sum_in. rewrite lsum_swap. apply lsum_ext; intros u hu. rewrite lsum_swap. apply lsum_ext; intros oB ho.
  rewrite lsum_swap. apply lsum_ext; intros b hb. apply in_seq in ho, hb.
  rewrite (lsum_ext _ _ _ (fun u' => if same u' (next h u oB b) then f u oB b else 0)).
  - apply (lsum_only F same same_ok (memories (S h)) (next h u oB b) (fun _ => f u oB b)); auto. apply closed; auto; lia.
  - intros u' _. destruct (same (next h u oB b) u') eqn:e1, (same u' (next h u oB b)) eqn:e2; auto.
    + apply same_ok in e1. rewrite (proj2 (same_ok _ _) (eq_sym e1)) in e2. discriminate.
    + apply same_ok in e2. rewrite (proj2 (same_ok _ _) (eq_sym e2)) in e1. discriminate.
Qed.

Theorem nonexpansive h w : (forall u o b, 0 <= g h u o b) -> (forall u o b, g h u o b <= 1) -> norm (S h) (G h w) <= norm_channel h w.
Proof.
  intros g0 g1. apply lsum_le; intros s' _. rewrite <- (spread h (fun u oB b => |w s' u oB b|)).
  apply lsum_le; intros u' _. unfold G, sum_in. do 3 (eapply le_trans; [apply lsum_abs |]; apply lsum_le; intros ? _).
  destruct (same _ _); [| rewrite abs_pos; apply le_refl].
  rewrite abs_mul, (abs_pos _ (g _ _ _ _)) by auto. set (y := |_|). assert (y0 : 0 <= y) by apply abs_nonneg.
  match goal with |- ?c * y <= y => apply (le_by _ _ _ (y * (1 - c))); [ring | apply mul_nonneg; auto; apply (le_sub F c 1); auto] end.
Qed.

Lemma push h o a v (f : vector) :
  lsum (seq 0 nS) (fun s' => lsum (memories (S h)) (fun u' => J h o a v s' u' * f s' u')) =
  lsum (seq 0 nS) (fun s => lsum (memories h) (fun u => v s u * lsum (seq 0 nOB) (fun oB => lsum (seq 0 nB) (fun b =>
    lsum (seq 0 nS) (fun s' => EA h s o * EB h s oB * g h u oB b * T h s a b s' * f s' (next h u oB b)))))).
Proof.
  transitivity (lsum (seq 0 nS) (fun s' => lsum (seq 0 nS) (fun s => sum_in h (fun u oB b =>
    v s u * (EA h s o * EB h s oB * g h u oB b * T h s a b s' * f s' (next h u oB b)))))).
  - apply lsum_ext; intros s' _. unfold J. rewrite (lsum_ext _ (memories (S h)) _ (fun u' => lsum (seq 0 nS) (fun s =>
      sum_in h (fun u oB b => if same (next h u oB b) u' then
        v s u * (EA h s o * EB h s oB * g h u oB b * T h s a b s' * f s' (next h u oB b)) else 0)))).
    + rewrite lsum_swap. apply lsum_ext; intros s _. apply spread.
    + intros u' _. rewrite <- lsum_mulr. apply lsum_ext; intros s _. unfold sum_in.
      do 3 (rewrite <- lsum_mulr; apply lsum_ext; intros ? _).
      destruct (same _ u') eqn:e; [apply same_ok in e; rewrite e; ring | ring].
  - rewrite lsum_swap. apply lsum_ext; intros s _. unfold sum_in. rewrite lsum_swap. apply lsum_ext; intros u _.
    rewrite <- lsum_mul, lsum_swap. apply lsum_ext; intros oB _. rewrite <- lsum_mul, lsum_swap. apply lsum_ext; intros b _.
    rewrite <- lsum_mul. apply lsum_ext; intros s' _. reflexivity.
Qed.

Lemma play_law seen : forall h v,
  total (h + length seen) (play h seen v) =
  lsum (seq 0 nS) (fun s => lsum (memories h) (fun u => v s u * lsum (paths nS nB nOB (length seen)) (weight h s u seen))).
Proof.
  induction seen as [| (o, a) seen ih]; intros h v.
  - simpl length. rewrite Nat.add_0_r. apply lsum_ext; intros s _. apply lsum_ext; intros u _. simpl. ring.
  - simpl length. rewrite Nat.add_succ_r. change (S (h + length seen)) with (S h + length seen)%nat. cbn [play].
    rewrite ih, (push h o a v (fun s u => lsum (paths nS nB nOB (length seen)) (weight (S h) s u seen))).
    apply lsum_ext; intros s _. apply lsum_ext; intros u _. f_equal. cbn [paths].
    rewrite lsum_flat_map. apply lsum_ext; intros oB _. rewrite lsum_flat_map. apply lsum_ext; intros b _.
    rewrite lsum_flat_map. apply lsum_ext; intros s' _. rewrite lsum_map. cbn [weight]. now rewrite lsum_mul.
Qed.
Theorem oom_identity seen : total (length seen) (play 0 seen (fun s u => if same u u0 then rho0 s else 0)) = law seen.
Proof.
  rewrite <- (Nat.add_0_l (length seen)) at 1. rewrite play_law. unfold law. rewrite start.
  apply lsum_ext; intros s _. simpl. rewrite (proj2 (same_ok u0 u0) eq_refl). ring.
Qed.
End Game.
