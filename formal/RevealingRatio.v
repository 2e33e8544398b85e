(** Assumption 2.4 from above: at one predictive state the ratio is at most [upper], so no larger alpha reveals; 0 refutes it. *)
From Pomgcheck Require Import OrderedField RuleLin Statements WeakRevealing ForwardLaws.
Open Scope nat_scope.

(** theta, theta' and Phi by number, policy, step, the learner's memory, observation, action; and q, zero where not listed *)
Record state_at := At { r_i : nat; r_j : nat; r_k : nat; r_p : nat; r_h : nat; r_u : list nat; r_o : nat; r_a : nat;
                        r_q : list ((nat * list nat) * Q) }.
Notation masses := (list ((nat * list nat) * Q)).
Fixpoint mass_at (q : list ((nat * list nat) * Q)) (c : nat * list nat) : Q :=
  match q with
  | [] => 0%Q
  | (c', m) :: q => if Nat.eqb (fst c') (fst c) && same (snd c') (snd c) then m else mass_at q c
  end.
Lemma mass_at_of (l : list (nat * list nat)) f c : In c l -> mass_at (map (fun c => (c, f c)) l) c = f c.
Proof.
  induction l as [| c' l ih]; intros i; [destruct i |]. cbn [map mass_at]. fold (same_place c' c). destruct (same_place c' c) eqn:e; [apply same_place_ok in e; now subst |].
  destruct i as [-> | i]; [| now apply ih]. exfalso. unfold same_place, same in e. rewrite Nat.eqb_refl in e. now destruct (list_eq_dec Nat.eq_dec (snd c) (snd c)).
Qed.
Definition mean_at d h (q : list ((nat * list nat) * Q)) (f : nat * list nat -> Q) : Q :=
  qsum (coordinates d h) (fun c => mass_at q c * f c)%Q.
Section Above.
Variable F : OF.
Local Open Scope of_scope.
Add Field Fa : (c_field F).
Lemma inj_nonzero a : ~ (a == 0)%Q -> inj a <> (0 : F).
Proof.
  intros n e. assert (k : (inj a * inj (/ a)%Q : F) = 1) by (rewrite <- inj_mul, <- inj_1; apply inj_eq; field; exact n).
  rewrite e in k. apply (F_1_neq_0 (c_field F)). rewrite <- k. ring.
Qed.
Lemma inj_reflects a b : (inj a : F) <= inj b -> (a <= b)%Q.
Proof.
  intro h. destruct (Qlt_le_dec b a) as [l | l]; [exfalso | exact l].
  assert (e : (inj a : F) = inj b) by (apply le_antisym; [exact h | apply inj_le; now apply Qlt_le_weak]).
  apply (inj_nonzero (a - b)%Q).
  - intro z. apply (Qlt_irrefl a). setoid_replace a with b at 1; [exact l |]. rewrite <- (Qplus_0_l b), <- z. ring.
  - rewrite inj_sub, e. ring.
Qed.
Lemma inj_div a b : ~ (b == 0)%Q -> inj (a / b)%Q = (inj a / inj b : F).
Proof. intro n. unfold Qdiv. rewrite inj_mul, inj_inv by exact n. field. now apply inj_nonzero. Qed.
Lemma inj_mean d h q f : at_state F d h (fun c => inj (mass_at q c)) f = inj (mean_at d h q f).
Proof. unfold at_state, mean_at. rewrite inj_qsum. apply lsum_ext. intros c _. now rewrite inj_mul. Qed.
Lemma mean_eq d h q f f' : (forall c, (f c == f' c)%Q) -> (mean_at d h q f == mean_at d h q f')%Q.
Proof. intro e. unfold mean_at. apply qsum_eq. intro c. now rewrite e. Qed.

End Above.

(** ** Signal and difference at a state *)
Section Ratio.
Variables (d : doc) (joint : bool) (kappa : nat) (w w' : world) (g pi : decision) (h : nat) (u : list nat) (o a : nat).
Definition shown_by (v : world) (q : masses) : Q := mean_at d h q (fun c => EA v h (fst c) o).
Definition window_at (v : world) (q : masses) (win : list nat) : Q := mean_at d h q (joint_law' d v g pi h u o a win).
Definition difference_at (q : masses) : Q := qsum (channel d h) (fun v => Qabs (mean_at d h q (W w h o a v) - mean_at d h q (W w' h o a v)))%Q.
Definition signal_at (q : masses) : Q := qsum (tuples (nOA d) kappa) (fun win =>
  if joint then Qabs (window_at w q win - window_at w' q win) else Qabs (window_at w q win / shown_by w q - window_at w' q win / shown_by w' q))%Q.
Definition compared_at (q : masses) : bool := joint || negb (Qeq_bool (shown_by w q) 0) && negb (Qeq_bool (shown_by w' q) 0).
Definition reveals_at (alpha : Q) (q : masses) : bool := if compared_at q then Qle_bool (alpha * difference_at q) (signal_at q) else true.
Variable F : OF.
Local Open Scope of_scope.
Add Field Fq : (c_field F).
Notation at_q q f := (at_state F d h (fun c => inj (mass_at q c)) f).
Lemma difference_is q : lsum (channel d h) (fun v => |at_q q (W w h o a v) - at_q q (W w' h o a v)|) = (inj (difference_at q) : F).
Proof. unfold difference_at. rewrite (inj_qsum F). apply lsum_ext. intros v _. now rewrite !inj_mean, inj_abs, inj_sub. Qed.
Lemma window_is v q win : at_q q (joint_law d v g pi h u o a win) = (inj (window_at v q win) : F).
Proof. rewrite inj_mean. apply inj_eq, mean_eq. intro c. symmetry. apply joint_eq. Qed.
Lemma nonzero_Q x : negb (Qeq_bool x 0) = true -> ~ (x == 0)%Q.
Proof. intros n e. apply Qeq_bool_iff in e. now rewrite e in n. Qed.
Lemma signal_is q : compared_at q = true -> lsum (tuples (nOA d) kappa) (fun win =>
    if joint then |at_q q (joint_law d w g pi h u o a win) - at_q q (joint_law d w' g pi h u o a win)|
    else |at_q q (joint_law d w g pi h u o a win) / at_q q (fun j => EA w h (fst j) o) - at_q q (joint_law d w' g pi h u o a win) / at_q q (fun j => EA w' h (fst j) o)|)
  = (inj (signal_at q) : F).
Proof.
  unfold compared_at, signal_at. intro z. rewrite (inj_qsum F). apply lsum_ext. intros win _. destruct joint.
  - now rewrite !window_is, inj_abs, inj_sub.
  - cbn [orb] in z. apply andb_true_iff in z. destruct z as [z z']. apply nonzero_Q in z, z'. rewrite !window_is, !inj_mean, inj_abs, inj_sub, !inj_div by assumption. reflexivity.
Qed.
Lemma reveals_at_sound alpha q : reveals_at alpha q = true -> revealing_at F d joint kappa alpha w w' g pi h u o a (fun c => inj (mass_at q c)).
Proof.
  unfold reveals_at. intro k. unfold revealing_at. rewrite difference_is. pose proof (signal_is q) as s. unfold compared_at in k, s. destruct joint.
  - cbn [orb] in k, s. rewrite s by reflexivity. rewrite <- inj_mul. apply inj_le. now apply Qle_bool_iff.
  - intros _ n _ n'. cbn [orb] in k, s. rewrite !inj_mean in n, n'.
    assert (nz : forall x, (inj x : F) <> 0 -> negb (Qeq_bool x 0) = true).
    { intros x nx. destruct (Qeq_bool x 0) eqn:e; [| reflexivity]. apply Qeq_bool_iff in e. exfalso. apply nx. rewrite <- (OrderedField.inj_0 F). now apply inj_eq. }
    unfold shown_by in *. rewrite (nz _ n), (nz _ n') in k, s. cbn [andb] in k, s. rewrite s by reflexivity. rewrite <- inj_mul. apply inj_le. now apply Qle_bool_iff.
Qed.
(** and back: what is revealed at a rational state is so in numbers *)
Lemma revealed_at alpha q : revealing_at F d joint kappa alpha w w' g pi h u o a (fun c => inj (mass_at q c)) ->
  joint = true \/ (0 < shown_by w q)%Q /\ (0 < shown_by w' q)%Q -> (alpha * difference_at q <= signal_at q)%Q.
Proof.
  unfold revealing_at. rewrite difference_is. pose proof (signal_is q) as s. unfold compared_at in s. intros k z. apply (inj_reflects F). rewrite inj_mul.
  destruct joint; cbn [orb] in s; [rewrite <- s by reflexivity; exact k |]. destruct z as [z | [z z']]; [discriminate |].
  assert (nz : forall x, (0 < x)%Q -> ~ (x == 0)%Q) by (intros x l e; rewrite e in l; now apply (Qlt_irrefl 0)).
  assert (nb : forall x, (0 < x)%Q -> negb (Qeq_bool x 0) = true) by (intros x l; destruct (Qeq_bool x 0) eqn:e; [exfalso; apply Qeq_bool_iff in e; now apply (nz x l) | reflexivity]).
  rewrite (nb _ z), (nb _ z') in s. rewrite <- s by reflexivity. rewrite !inj_mean in k. unfold shown_by in *. rewrite !inj_mean.
  apply k; try (rewrite <- (OrderedField.inj_0 F); apply inj_le; now apply Qlt_le_weak); apply inj_nonzero; auto.
Qed.
End Ratio.

(** ** Checked at a state *)
Definition distributed d h (q : masses) : Prop := (forall c, In c (coordinates d h) -> (0 <= mass_at q c)%Q) /\ (qsum (coordinates d h) (mass_at q) == 1)%Q.
Lemma is_state F d h q : distributed d h q -> predictive_state F d h (fun c => inj (mass_at q c)).
Proof.
  intros [q0 q1]. split; [intros c ic; rewrite <- (OrderedField.inj_0 F); apply inj_le; auto |]. rewrite <- (inj_qsum F), <- (inj_1 F). now apply inj_eq.
Qed.
(** the place of x is one of the class, and q a state at which both worlds can be compared there *)
Definition check_place d (joint : bool) (kappa : nat) (x : state_at) (q : masses) : bool :=
  let w := world_of d (nth (r_i x) (thetas d) []) in let w' := world_of d (nth (r_j x) (thetas d) []) in let h := r_h x in
  (r_i x <? List.length (thetas d)) && (r_j x <? List.length (thetas d)) && (r_k x <? List.length (phis d)) &&
  (r_p x <? List.length (policies d)) && (h + kappa <? horizon d) && existsb (same (r_u x)) (memories_A d h) &&
  (r_o x <? nOA d) && (r_a x <? nA d) &&
  forallb (fun c => Qle_bool 0 (mass_at q c)) (coordinates d h) && Qeq_bool (qsum (coordinates d h) (mass_at q)) 1 &&
  (joint || negb (Qle_bool (shown_by d h (r_o x) w q) 0) && negb (Qle_bool (shown_by d h (r_o x) w' q) 0)).
Lemma positive a : negb (Qle_bool a 0) = true -> (0 < a)%Q.
Proof. intro h. apply Qnot_le_lt. intro k. apply Qle_bool_iff in k. rewrite k in h. discriminate. Qed.
Lemma check_place_sound d joint kappa x q : check_place d joint kappa x q = true ->
  let w := world_of d (nth (r_i x) (thetas d) []) in let w' := world_of d (nth (r_j x) (thetas d) []) in
  r_i x < List.length (thetas d) /\ r_j x < List.length (thetas d) /\ r_k x < List.length (phis d) /\ r_p x < List.length (policies d) /\ r_h x + kappa < horizon d /\
  In (r_u x) (memories_A d (r_h x)) /\ r_o x < nOA d /\ r_a x < nA d /\ distributed d (r_h x) q /\
  (joint = true \/ (0 < shown_by d (r_h x) (r_o x) w q)%Q /\ (0 < shown_by d (r_h x) (r_o x) w' q)%Q).
Proof.
  unfold check_place. cbv zeta. rewrite !andb_true_iff. intros [[[[[[[[[[hi hj] hk] hp] hh] hu] ho] ha] q0] q1] hz].
  apply Nat.ltb_lt in hi, hj, hk, hp, hh, ho, ha.
  apply existsb_exists in hu. destruct hu as (u & iu & eu). unfold same in eu. destruct (list_eq_dec Nat.eq_dec (r_u x) u) as [e | _]; [subst u | discriminate].
  repeat (split; [assumption |]). split.
  - split; [| now apply Qeq_bool_iff]. intros c ic. rewrite forallb_forall in q0. now apply Qle_bool_iff, q0.
  - destruct joint; [now left | right]. cbn [orb] in hz. apply andb_true_iff in hz. now destruct hz; split; apply positive.
Qed.
Definition check_ratio d (joint : bool) (kappa : nat) (x : state_at) (upper : Q) : bool :=
  let w := world_of d (nth (r_i x) (thetas d) []) in let w' := world_of d (nth (r_j x) (thetas d) []) in
  let g := response_of d (nth (r_k x) (phis d) []) (r_p x) in let pi := policy_of d (r_p x) in let D := difference_at d w w' (r_h x) (r_o x) (r_a x) (r_q x) in
  check_place d joint kappa x (r_q x) && negb (Qle_bool D 0) && Qle_bool (signal_at d joint kappa w w' g pi (r_h x) (r_u x) (r_o x) (r_a x) (r_q x)) (upper * D).
(** what 2.4 says at the place of x about a rational state *)
Lemma said_at F d joint kappa alpha x q : check_place d joint kappa x q = true -> weak_revealing F d joint kappa alpha ->
  let w := world_of d (nth (r_i x) (thetas d) []) in let w' := world_of d (nth (r_j x) (thetas d) []) in
  let g := response_of d (nth (r_k x) (phis d) []) (r_p x) in let pi := policy_of d (r_p x) in
  forall y, distributed d (r_h x) y -> joint = true \/ (0 < shown_by d (r_h x) (r_o x) w y)%Q /\ (0 < shown_by d (r_h x) (r_o x) w' y)%Q ->
  (alpha * difference_at d w w' (r_h x) (r_o x) (r_a x) y <= signal_at d joint kappa w w' g pi (r_h x) (r_u x) (r_o x) (r_a x) y)%Q.
Proof.
  intros h [_ k] w w' g pi y hy hz. apply check_place_sound in h. cbv zeta in h. destruct h as (hi & hj & hk & hp & hh & hu & ho & ha & _).
  specialize (k _ _ (nth_In _ [] hi) (nth_In _ [] hj) _ (nth_In _ [] hk) (r_p x) hp (r_h x) hh (r_u x) hu (r_o x) ho (r_a x) ha _ (is_state F _ _ _ hy)).
  now apply revealed_at in k.
Qed.
Lemma too_much alpha upper D S : (0 < D)%Q -> (S <= upper * D)%Q -> (upper < alpha)%Q -> (alpha * D <= S)%Q -> False.
Proof. intros d0 h l k. apply (Qlt_irrefl (upper * D)). apply Qlt_le_trans with (alpha * D)%Q; [now apply Qmult_lt_compat_r | now apply Qle_trans with S]. Qed.
Theorem check_ratio_sound F d joint kappa x upper : check_ratio d joint kappa x upper = true ->
  forall alpha, (upper < alpha)%Q -> ~ weak_revealing F d joint kappa alpha.
Proof.
  unfold check_ratio. cbv zeta. rewrite !andb_true_iff. intros [[hp hd] hs] alpha l k. apply positive in hd. apply Qle_bool_iff in hs.
  pose proof (check_place_sound d joint kappa x _ hp) as (_ & _ & _ & _ & _ & _ & _ & _ & st & hz). exact (too_much _ _ _ _ hd hs l (said_at F d joint kappa alpha x _ hp k _ st hz)).
Qed.
(** a signal of zero: no alpha at all *)
Theorem no_signal F d joint kappa x : check_ratio d joint kappa x 0 = true -> forall alpha, ~ weak_revealing F d joint kappa alpha.
Proof. intros h alpha k. exact (check_ratio_sound F d joint kappa x 0 h alpha (proj1 k) k). Qed.
