(** Assumption 2.4 from above: at one predictive state the ratio is at most [upper], so no larger alpha reveals; 0 refutes it. *)
From Pomgcheck Require Import OrderedField RuleLin Statements WeakRevealing.
Open Scope nat_scope.

(** theta, theta' and Phi by number, policy, step, the learner's memory, observation, action; and q, zero where not listed *)
Record state_at := At { r_i : nat; r_j : nat; r_k : nat; r_p : nat; r_h : nat; r_u : list nat; r_o : nat; r_a : nat;
                        r_q : list ((nat * list nat) * Q) }.
Fixpoint mass_at (q : list ((nat * list nat) * Q)) (c : nat * list nat) : Q :=
  match q with
  | [] => 0%Q
  | (c', m) :: q => if Nat.eqb (fst c') (fst c) && same (snd c') (snd c) then m else mass_at q c
  end.
Definition mean_at d h (q : list ((nat * list nat) * Q)) (f : nat * list nat -> Q) : Q :=
  qsum (coordinates d h) (fun c => mass_at q c * f c)%Q.
Definition check_ratio d (joint : bool) (kappa : nat) (x : state_at) (upper : Q) : bool :=
  let w := world_of d (nth (r_i x) (thetas d) []) in let w' := world_of d (nth (r_j x) (thetas d) []) in
  let g := response_of d (nth (r_k x) (phis d) []) (r_p x) in let pi := policy_of d (r_p x) in
  let h := r_h x in let mean := mean_at d h (r_q x) in
  let D := qsum (channel d h) (fun v => Qabs (mean (W w h (r_o x) (r_a x) v) - mean (W w' h (r_o x) (r_a x) v)))%Q in
  let M w win := mean (joint_law' d w g pi h (r_u x) (r_o x) (r_a x) win) in
  let Z w := mean (fun c => EA w h (fst c) (r_o x)) in
  let S := if joint then qsum (tuples (nOA d) kappa) (fun win => Qabs (M w win - M w' win))%Q
           else qsum (tuples (nOA d) kappa) (fun win => Qabs (M w win / Z w - M w' win / Z w'))%Q in
  (r_i x <? List.length (thetas d)) && (r_j x <? List.length (thetas d)) && (r_k x <? List.length (phis d)) &&
  (r_p x <? List.length (policies d)) && (h + kappa <? horizon d) && existsb (same (r_u x)) (memories_A d h) &&
  (r_o x <? nOA d) && (r_a x <? nA d) &&
  forallb (fun c => Qle_bool 0 (mass_at (r_q x) c)) (coordinates d h) && Qeq_bool (qsum (coordinates d h) (mass_at (r_q x))) 1 &&
  (joint || negb (Qle_bool (Z w) 0) && negb (Qle_bool (Z w') 0)) && negb (Qle_bool D 0) && Qle_bool S (upper * D).

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
Lemma positive a : negb (Qle_bool a 0) = true -> (0 < a)%Q.
Proof. intro h. apply Qnot_le_lt. intro k. apply Qle_bool_iff in k. rewrite k in h. discriminate. Qed.

Theorem check_ratio_sound d joint kappa x upper : check_ratio d joint kappa x upper = true ->
  forall alpha, (upper < alpha)%Q -> ~ weak_revealing F d joint kappa alpha.
Proof.
  unfold check_ratio. cbv zeta. rewrite !andb_true_iff. intros [[[[[[[[[[[[hi hj] hk] hp] hh] hu] ho] ha] q0] q1] hz] hd] hs] alpha hal [_ reveals].
  apply Nat.ltb_lt in hi, hj, hk, hp, hh, ho, ha. apply existsb_exists in hu. destruct hu as (u & iu & eu).
  unfold same in eu. destruct (list_eq_dec Nat.eq_dec (r_u x) u) as [e | _]; [subst u | discriminate].
  set (q := r_q x) in *. set (h := r_h x) in *. set (o := r_o x) in *. set (a := r_a x) in *.
  set (theta := nth (r_i x) (thetas d) []) in *. set (theta' := nth (r_j x) (thetas d) []) in *. set (phi := nth (r_k x) (phis d) []) in *.
  specialize (reveals theta theta' (nth_In _ _ hi) (nth_In _ _ hj) phi (nth_In _ _ hk) (r_p x) hp h hh (r_u x) iu o ho a ha (fun c => inj (mass_at q c))).
  assert (st : predictive_state F d h (fun c => inj (mass_at q c))).
  { split.
    - intros c ic. rewrite forallb_forall in q0. specialize (q0 c ic). apply Qle_bool_iff in q0. rewrite <- (inj_0 F). now apply inj_le.
    - rewrite <- (inj_qsum F). rewrite <- (inj_1 F). apply inj_eq. now apply Qeq_bool_iff. }
  specialize (reveals st). clear st q0 q1. unfold revealing_at in reveals.
  set (w := world_of d theta) in *. set (w' := world_of d theta') in *. set (g := response_of d phi (r_p x)) in *. set (pi := policy_of d (r_p x)) in *.
  apply positive in hd. apply Qle_bool_iff in hs.
  set (D := qsum (channel d h) _) in hd, hs.
  assert (eD : lsum (channel d h) (fun v => |at_state F d h (fun c => inj (mass_at q c)) (W w h o a v) - at_state F d h (fun c => inj (mass_at q c)) (W w' h o a v)|) = (inj D : F)).
  { unfold D. rewrite (inj_qsum F). apply lsum_ext. intros v _. now rewrite !inj_mean, inj_abs, inj_sub. }
  rewrite eD in reveals.
  assert (eM : forall v win, at_state F d h (fun c => inj (mass_at q c)) (joint_law d v g pi h (r_u x) o a win)
                             = (inj (mean_at d h q (joint_law' d v g pi h (r_u x) o a win)) : F)).
  { intros v win. rewrite inj_mean. apply inj_eq, mean_eq. intro c. symmetry. apply joint_eq. }
  assert (over : forall S, (S <= upper * D)%Q -> (inj alpha * inj D : F) <= inj S -> False).
  { intros S h1 h2. rewrite <- inj_mul in h2. apply inj_reflects in h2. apply (Qlt_irrefl (upper * D)).
    apply Qlt_le_trans with (alpha * D)%Q; [now apply Qmult_lt_compat_r | now apply Qle_trans with S]. }
  destruct joint; cbn [orb] in hz.
  - apply (over _ hs). eapply le_trans; [exact reveals |]. rewrite (inj_qsum F). apply lsum_le. intros win _.
    rewrite !eM, inj_abs, inj_sub. apply le_refl.
  - apply andb_true_iff in hz. destruct hz as [z z']. apply positive in z, z'.
    assert (nz : ~ (mean_at d h q (fun c => EA w h (fst c) o) == 0)%Q) by (intro k; rewrite k in z; now apply (Qlt_irrefl 0)).
    assert (nz' : ~ (mean_at d h q (fun c => EA w' h (fst c) o) == 0)%Q) by (intro k; rewrite k in z'; now apply (Qlt_irrefl 0)).
    rewrite !inj_mean in reveals. apply (over _ hs). eapply le_trans.
    + apply reveals.
      * rewrite <- (inj_0 F). apply inj_le. now apply Qlt_le_weak.
      * now apply inj_nonzero.
      * rewrite <- (inj_0 F). apply inj_le. now apply Qlt_le_weak.
      * now apply inj_nonzero.
    + rewrite (inj_qsum F). apply lsum_le. intros win _. rewrite !eM, inj_abs, inj_sub, !inj_div by assumption. apply le_refl.
Qed.
(** a signal of zero: no alpha at all *)
Theorem no_signal d joint kappa x : check_ratio d joint kappa x 0 = true -> forall alpha, ~ weak_revealing F d joint kappa alpha.
Proof. intros h alpha k. exact (check_ratio_sound d joint kappa x 0 h alpha (proj1 k) k). Qed.
End Above.
