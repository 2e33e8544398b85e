(** Two distributions on a finite set: affinity, squared Hellinger distance, total variation, gap of expectations. *)
From Pomgcheck Require Import RealSums.

Section Two.
Context {A : Type}.
Variables (l : list A) (p q : A -> R).
Hypotheses (p0 : forall x, In x l -> 0 <= p x) (q0 : forall x, In x l -> 0 <= q x) (p1 : sum l p = 1) (q1 : sum l q = 1).
Definition affinity := sum l (fun x => sqrt (p x * q x)).
Definition hellinger2 := 1 - affinity.                              (* h^2 *)
Definition TV := sum l (fun x => Rabs (p x - q x)) / 2.

Lemma affinity_nonneg : 0 <= affinity.
Proof. apply sum_nonneg. intros. apply sqrt_pos. Qed.
Lemma half_square_sum (s : R) : s * s = 1 -> sum l (fun x => (sqrt (p x) + s * sqrt (q x)) * (sqrt (p x) + s * sqrt (q x))) = 2 + s * (2 * affinity).
Proof.
  intro h. rewrite (sum_ext _ _ (fun x => (p x + q x) + s * (2 * sqrt (p x * q x)))).
  - rewrite sum_add, sum_add, p1, q1. unfold affinity. rewrite !sum_mul. ring.
  - intros x i. specialize (p0 x i). specialize (q0 x i). rewrite sqrt_mult_alt by auto.
    pose proof (sqrt_sqrt _ p0). pose proof (sqrt_sqrt _ q0).
    replace ((sqrt (p x) + s * sqrt (q x)) * (sqrt (p x) + s * sqrt (q x))) with
      (sqrt (p x) * sqrt (p x) + (s * s) * (sqrt (q x) * sqrt (q x)) + s * (2 * (sqrt (p x) * sqrt (q x)))) by ring.
    rewrite h, H, H0. ring.
Qed.
Lemma affinity_le_1 : affinity <= 1.
Proof.
  enough (0 <= 2 + (-1) * (2 * affinity)) by lra. rewrite <- half_square_sum by ring. apply sum_nonneg. intros. apply Rle_0_sqr.
Qed.
Lemma hellinger2_01 : 0 <= hellinger2 <= 1.
Proof. unfold hellinger2. pose proof affinity_nonneg. pose proof affinity_le_1. lra. Qed.
(** (sum |p - q|)^2 <= sum (sqrt p - sqrt q)^2 sum (sqrt p + sqrt q)^2 *)
Theorem TV_le : TV * TV <= 2 * hellinger2.
Proof.
  pose proof (Cauchy_Schwarz l (fun x => Rabs (sqrt (p x) + (-1) * sqrt (q x))) (fun x => sqrt (p x) + 1 * sqrt (q x))) as k.
  cbv beta in k. rewrite (half_square_sum 1) in k by ring.
  rewrite (sum_ext l (fun x => Rabs _ * Rabs _) (fun x => (sqrt (p x) + (-1) * sqrt (q x)) * (sqrt (p x) + (-1) * sqrt (q x)))) in k
    by (intros; rewrite <- Rabs_mult, Rabs_right; [auto | apply Rle_ge, Rle_0_sqr]).
  rewrite half_square_sum in k by ring.
  rewrite (sum_ext l _ (fun x => Rabs (p x - q x))) in k.
  - unfold TV, hellinger2. pose proof affinity_nonneg. pose proof affinity_le_1. nra.
  - intros x i. specialize (p0 x i). specialize (q0 x i).
    rewrite <- (Rabs_right (sqrt (p x) + 1 * sqrt (q x))) by (pose proof (sqrt_pos (p x)); pose proof (sqrt_pos (q x)); lra).
    rewrite <- Rabs_mult. f_equal. pose proof (sqrt_sqrt _ p0). pose proof (sqrt_sqrt _ q0).
    transitivity (sqrt (p x) * sqrt (p x) - sqrt (q x) * sqrt (q x)); [ring | rewrite H, H0; ring].
Qed.
(** expectations of a function of span r differ by at most r TV *)
Lemma gap_TV (G : A -> R) a r : 0 <= r -> (forall x, In x l -> a <= G x <= a + r) ->
  Rabs (sum l (fun x => p x * G x) - sum l (fun x => q x * G x)) <= r * TV.
Proof.
  intros hr hG. rewrite <- sum_sub.
  rewrite (sum_ext _ _ (fun x => (p x - q x) * (G x - a - r / 2) + (a + r / 2) * (p x - q x))) by (intros; ring).
  rewrite sum_add, sum_mul, sum_sub, p1, q1. replace (_ + (a + r / 2) * (1 - 1)) with (sum l (fun x => (p x - q x) * (G x - a - r / 2))) by ring.
  eapply Rle_trans; [apply sum_abs |]. unfold TV. replace (r * (_ / 2)) with (sum l (fun x => r / 2 * Rabs (p x - q x))) by (rewrite sum_mul; field).
  apply sum_le. intros x i. rewrite Rabs_mult, Rmult_comm. apply Rmult_le_compat_r; [apply Rabs_pos |].
  specialize (hG x i). apply Rabs_le. lra.
Qed.
Theorem gap_hellinger (G : A -> R) a r : 0 <= r -> (forall x, In x l -> a <= G x <= a + r) ->
  (sum l (fun x => p x * G x) - sum l (fun x => q x * G x)) * (sum l (fun x => p x * G x) - sum l (fun x => q x * G x)) <= 2 * (r * r) * hellinger2.
Proof.
  intros hr hG. pose proof (gap_TV G a r hr hG) as k. pose proof TV_le as t. set (d := sum l _ - sum l _) in *.
  replace (d * d) with (Rabs d * Rabs d) by (rewrite <- Rabs_mult; apply Rabs_right, Rle_ge, Rle_0_sqr).
  apply Rle_trans with ((r * TV) * (r * TV)); [apply Rmult_le_compat; auto; apply Rabs_pos |].
  replace (r * TV * (r * TV)) with (r * r * (TV * TV)) by ring. pose proof (Rle_0_sqr r). unfold Rsqr in *.
  replace (2 * (r * r) * hellinger2) with (r * r * (2 * hellinger2)) by ring. now apply Rmult_le_compat_l.
Qed.
End Two.
