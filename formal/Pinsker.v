(** Pinsker's inequality, TV^2 <= KL / 2, and what it says of the expectations of a function. *)
From Pomgcheck Require Import RealSums Hellinger Elementary LikelihoodEvents.

Section Two.
Context {A : Type}.
Variables (l : list A) (p q : A -> R).
Hypotheses (p0 : forall x, In x l -> 0 <= p x) (q0 : forall x, In x l -> 0 <= q x) (p1 : sum l p = 1) (q1 : sum l q = 1).
Hypothesis positive : forall x, In x l -> 0 < p x -> 0 < q x.
(** q - p - p log (q/p), whose sum is KL *)
Definition excess x : R := q x - p x - p x * increment p q x.
Lemma excess_square x : In x l -> (p x - q x) * (p x - q x) <= (4 * q x + 2 * p x) / 3 * excess x.
Proof.
  intro i. unfold excess. pose proof (q0 x i) as hq. destruct (p0 x i) as [h | h].
  - specialize (positive x i h). pose proof (log_quadratic (q x / p x) ltac:(apply Rmult_lt_0_compat; [auto | now apply Rinv_0_lt_compat])) as k.
    fold (increment p q x) in k. set (y := increment p q x) in *. apply (Rmult_le_compat_l (p x * p x / 3)) in k; [| nra].
    replace (p x * p x / 3 * (3 * ((q x / p x - 1) * (q x / p x - 1)))) with ((p x - q x) * (p x - q x)) in k by (field; lra).
    replace (p x * p x / 3 * ((4 * (q x / p x) + 2) * (q x / p x - 1 - y))) with ((4 * q x + 2 * p x) / 3 * (q x - p x - p x * y)) in k by (field; lra). exact k.
  - rewrite <- h, Rmult_0_l. nra.
Qed.
Lemma excess_nonneg x : In x l -> 0 <= excess x.
Proof.
  intro i. pose proof (excess_square x i) as k. pose proof (q0 x i) as hq. pose proof (p0 x i) as hp. pose proof (Rle_0_sqr (p x - q x)) as s. unfold Rsqr in s.
  destruct (Req_dec (4 * q x + 2 * p x) 0) as [z | z]; [| apply (Rmult_le_reg_l ((4 * q x + 2 * p x) / 3)); lra].
  unfold excess. replace (q x) with 0 by lra. replace (p x) with 0 by lra. lra.
Qed.
Lemma sum_excess : sum l excess = divergence l p q.
Proof.
  unfold excess, divergence. rewrite (sum_ext l _ (fun x => (q x - p x) + p x * - increment p q x)) by (intros; ring).
  rewrite sum_add, sum_sub. rewrite p1, q1. ring.
Qed.
Theorem Pinsker : TV l p q * TV l p q <= divergence l p q / 2.
Proof.
  set (w := fun x => (4 * q x + 2 * p x) / 3).
  assert (w0 : forall x, In x l -> 0 <= w x) by (intros x i; specialize (p0 x i); specialize (q0 x i); unfold w; lra).
  assert (s : sum l (fun x => Rabs (p x - q x)) <= sum l (fun x => sqrt (w x) * sqrt (excess x))).
  { apply sum_le. intros x i. rewrite <- sqrt_mult_alt by auto. apply sq_le_sqrt. rewrite <- Rabs_mult, Rabs_right by (apply Rle_ge, Rle_0_sqr). now apply excess_square. }
  pose proof (Cauchy_Schwarz l (fun x => sqrt (w x)) (fun x => sqrt (excess x))) as k. cbv beta in k.
  rewrite (sum_ext l (fun x => sqrt (w x) * sqrt (w x)) w), (sum_ext l (fun x => sqrt (excess x) * sqrt (excess x)) excess), sum_excess in k
    by (intros; apply sqrt_sqrt; auto using excess_nonneg).
  assert (e : sum l w = 2).
  { unfold w. rewrite (sum_ext l _ (fun x => 4 / 3 * q x + 2 / 3 * p x)) by (intros; field). rewrite sum_add, !sum_mul.
    change (sum l (fun x => q x)) with (sum l q). change (sum l (fun x => p x)) with (sum l p). rewrite p1, q1. field. }
  rewrite e in k. unfold TV. set (t := sum l (fun x => Rabs (p x - q x))) in *.
  assert (t0 : 0 <= t) by (apply sum_nonneg; intros; apply Rabs_pos). pose proof (Rmult_le_compat _ _ _ _ t0 t0 s s). lra.
Qed.
(** expectations of a function of span r *)
Theorem gap_KL (G : A -> R) a r : 0 <= r -> (forall x, In x l -> a <= G x <= a + r) ->
  (sum l (fun x => p x * G x) - sum l (fun x => q x * G x)) * (sum l (fun x => p x * G x) - sum l (fun x => q x * G x)) <= r * r / 2 * divergence l p q.
Proof.
  intros hr hG. pose proof (gap_TV l p q p1 q1 G a r hr hG) as k. pose proof Pinsker as t. set (d := sum l _ - sum l _) in *.
  replace (d * d) with (Rabs d * Rabs d) by (rewrite <- Rabs_mult; apply Rabs_right, Rle_ge, Rle_0_sqr).
  apply Rle_trans with ((r * TV l p q) * (r * TV l p q)); [apply Rmult_le_compat; auto; apply Rabs_pos |].
  replace (r * TV l p q * (r * TV l p q)) with (r * r * (TV l p q * TV l p q)) by ring.
  replace (r * r / 2 * divergence l p q) with (r * r * (divergence l p q / 2)) by field. apply Rmult_le_compat_l; [apply Rle_0_sqr | exact t].
Qed.
End Two.
