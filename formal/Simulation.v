(** The paper's lemma "Simulation Lemma" (appendix), as stated, is false.  With x the reference model,
    |V^pi(xi) - V^pi(x)| <= H sum_h E_(tau ~ P^pi_x) || J^(xi,pi)_h q^x_(h-1) - J^(x,pi)_h q^x_(h-1) ||_1,
    where "operators at step h are evaluated at the realized observation-action pair of the trajectory" (Section 2.6). *)
From Pomgcheck Require Import OrderedField Decomposition Instances.
Open Scope nat_scope.

Section Statement.
Variable F : OF.
Local Open Scope of_scope.
Variables nS nA nB nOA nOB H : nat.

(** a model xi = (theta, Phi), with the response to the policy that is played *)
Record model := Model {
  EA : nat -> nat -> nat -> F; EB : nat -> nat -> nat -> F; T : nat -> nat -> nat -> nat -> nat -> F;
  g : nat -> history -> nat -> nat -> F; rho0 : nat -> F }.
Definition policy := nat -> history -> nat -> nat -> F.        (* pi_h(a | tau^A, o^A): h tau o a *)
Definition distribution n (f : nat -> F) := (forall k, (k < n)%nat -> 0 <= f k) /\ lsum (seq 0 n) f = 1.
Definition proper (m : model) :=
  distribution nS (rho0 m) /\
  (forall h s, distribution nOA (EA m h s) /\ distribution nOB (EB m h s)) /\
  (forall h s a b, distribution nS (T m h s a b)) /\ (forall h t o, distribution nB (g m h t o)).
Definition proper_policy (pi : policy) := forall h t o, distribution nA (pi h t o).

Definition operator (m : model) := J F nS nA nB nOA nOB (EA m) (EB m) (T m) (g m).
Definition norm h (v : vector F) : F := lsum (coordinates nS nA nB nOA nOB h) (fun c => |v c|).
Fixpoint chosen (pi : policy) h (tA seen : history) : F :=
  match seen with [] => 1 | (o, a) :: seen => pi h tA o a * chosen pi (S h) ((o, a) :: tA) seen end.
(** law of play: a learner trajectory, first pair first *)
Definition P (m : model) (pi : policy) (seen : history) : F :=
  chosen pi 0 [] seen * law F nS nB nOB (EA m) (EB m) (T m) (g m) (rho0 m) seen.
Fixpoint collected (r : nat -> nat -> F) h (seen : history) : F :=
  match seen with [] => 0 | (o, _) :: seen => r h o + collected r (S h) seen end.
Definition value (m : model) pi r : F := lsum (histories nOA nA H) (fun seen => P m pi seen * collected r 0 seen).
(** normalised predictive state after a prefix *)
Definition state (m : model) (seen : history) : vector F :=
  let v := play F nS nA nB nOA nOB (EA m) (EB m) (T m) (g m) 0 seen (q0 F (rho0 m)) in
  fun c => v c / total F nS nA nB nOA nOB (length seen) v.
(** Delta: prefixes of positive probability only, others have weight zero *)
Definition delta (m star : model) pi : F :=
  lsum (seq 0 H) (fun h => lsum (histories nOA nA (S h)) (fun seen =>
    let past := firstn h seen in let now := nth h seen (0, 0)%nat in
    P star pi seen * norm (S h) (fun c =>
      operator m h (fst now) (snd now) (state star past) c - operator star h (fst now) (snd now) (state star past) c))).
End Statement.

Fixpoint times (F : OF) (n : nat) (x : F) : F := match n with O => c0 | S n => cadd x (times F n x) end.
Definition simulation_lemma (F : OF) : Prop :=
  forall nS nA nB nOA nOB H m star pi r,
    proper F nS nB nOA nOB m -> proper F nS nB nOA nOB star -> proper_policy F nA pi ->
    (forall h o, cle c0 (r h o) /\ cle (r h o) c1) ->
    cle (cabs (csub (value F nS nA nB nOA nOB H m pi r) (value F nS nA nB nOA nOB H star pi r)))
        (times F H (delta F nS nA nB nOA nOB H m star pi)).

(** one step, one state, four observations: all alike, or the first likelier by 3/8 *)
Definition letters (F : OF) (x : nat -> Q) : model F :=
  Model F (fun _ _ o => inj (x o)) (fun _ _ _ => c1) (fun _ _ _ _ _ => c1) (fun _ _ _ _ => c1) (fun _ => c1).
Definition alike (o : nat) : Q := (1#4).
Definition moved (o : nat) : Q := match o with O => (5#8) | _ => (1#8) end.
Definition first_pays (F : OF) (h o : nat) : F := match o with O => c1 | _ => c0 end.

Section False.
Variable F : OF.
Local Open Scope of_scope.
Add Field Fs : (c_field F).
Let always : policy F := fun _ _ _ _ => 1.

Lemma value_letters x : value F 1 1 1 4 1 1 (letters F x) always (first_pays F) = inj (x O).
Proof. cbv -[cadd cmul csub copp cdiv cabs c0 c1 inj car]. ring. Qed.
Lemma delta_letters x y : delta F 1 1 1 4 1 1 (letters F x) (letters F y) always =
  inj (y 0%nat * Qabs (x 0%nat - y 0%nat) + y 1%nat * Qabs (x 1%nat - y 1%nat)
       + y 2%nat * Qabs (x 2%nat - y 2%nat) + y 3%nat * Qabs (x 3%nat - y 3%nat))%Q.
Proof.
  rewrite !inj_add, !inj_mul, !inj_abs, !inj_sub.
  cbv -[cadd cmul csub copp cdiv cabs c0 c1 inj car].
  assert (one : (1 : F) + 0 <> 0) by (replace ((1 : F) + 0) with (1 : F) by ring; exact (F_1_neq_0 (c_field F))).
  assert (e : (1 : F) / (1 + 0) = 1) by (field; exact (F_1_neq_0 (c_field F))). rewrite !e.
  assert (e0 : |0 + 0 + 0 + 0 + 0 - (0 + 0 + 0 + 0 + 0)| = (0 : F)).
  { replace (0 + 0 + 0 + 0 + 0 - (0 + 0 + 0 + 0 + 0) : F) with (0 : F) by ring. apply abs_pos, le_refl. }
  rewrite !e0.
  assert (ed : forall p q : F, |p * 1 * 1 * 1 * 1 + 0 + 0 + 0 + 0 - (q * 1 * 1 * 1 * 1 + 0 + 0 + 0 + 0)| = |p - q|).
  { intros p q. f_equal. ring. }
  rewrite !ed. ring.
Qed.
Lemma inj_reflects (p q : Q) : (inj p : F) <= inj q -> (p <= q)%Q.
Proof.
  intro h. apply Qnot_lt_le. intro k. apply (F_1_neq_0 (c_field F)).
  assert (e : (inj p : F) = inj q) by (apply le_antisym; auto; apply inj_le; now apply Qlt_le_weak).
  assert (n : ~ (p - q == 0)%Q) by (intro z; apply (Qlt_not_eq _ _ k); rewrite <- (Qplus_0_l q), <- z; ring).
  rewrite <- (inj_1 F). rewrite (inj_eq F 1 ((p - q) * / (p - q))%Q) by (field; auto).
  rewrite inj_mul, inj_sub, e. ring.
Qed.

Theorem simulation_lemma_false : ~ simulation_lemma F.
Proof.
  intro lemma.
  specialize (lemma 1%nat 1%nat 1%nat 4%nat 1%nat 1%nat (letters F moved) (letters F alike) always (first_pays F)).
  assert (one : distribution F 1 (fun _ => 1)).
  { split; [intros; apply le01 | simpl; ring]. }
  assert (good : forall x : nat -> Q, (forall k, (0 <= x k)%Q) -> (x 0%nat + (x 1%nat + (x 2%nat + x 3%nat)) == 1)%Q ->
            proper F 1 1 4 1 (letters F x)).
  { intros x x0 x1. split; [exact one |]. split; [intros h s; split; [| exact one] | split; intros; exact one].
    split; [intros; rewrite <- inj_0; now apply inj_le |].
    cbn [seq lsum letters EA]. rewrite <- inj_0, <- !inj_add, <- inj_1. apply inj_eq. rewrite <- x1. ring. }
  assert (h : Qle_bool (3#8) (3#16) = true); [| discriminate]. apply Qle_bool_iff, inj_reflects.
  rewrite !value_letters, delta_letters in lemma. cbn [times] in lemma.
  refine (le_trans F _ _ _ _ (le_trans F _ _ _ (lemma _ _ _ _) _)).
  - rewrite <- inj_sub, <- inj_abs. apply inj_le. vm_compute. discriminate.
  - apply good; [intros [|]; discriminate | reflexivity].
  - apply good; [intros [|]; discriminate | reflexivity].
  - intros ? ? ?. exact one.
  - intros h [| o]; split; try apply le_refl; apply le01.
  - rewrite <- inj_0, <- inj_add. apply inj_le. vm_compute. discriminate.
Qed.
End False.

(** in particular for the reals *)
Corollary simulation_lemma_false_over_the_reals : ~ simulation_lemma reals.
Proof. apply simulation_lemma_false. Qed.
