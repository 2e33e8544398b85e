(** Towards Algorithm 1 (the explicit bound, docs/bound.md, "What both use" and the events V and E): for every finite class with bounded
    log-likelihood increments and whatever the learner deploys, with probability at least 1 - 2 N exp(-u), for all models and all times
    together: L_t(xi) - L_t(star) <= 2 u, and L_t(xi) - L_t(star) <= - K_t(xi) / 2 + C_0 B_0 u, C_0 = 6 (e - 2).
    L is the log-likelihood of the data episodes and K the sum of their KL(P_star || P_xi). *)
From Pomgcheck Require Import RealSums Statements Ville Elementary.
Open Scope R_scope.

Definition C_0 : R := 6 * (exp 1 - 2).
Lemma e_above : 1 / 2 <= exp 1 - 2. Proof. pose proof (exp_square 1). lra. Qed.
Lemma C_0_above : 3 <= C_0. Proof. unfold C_0. pose proof e_above. lra. Qed.

(** ** One episode: p is the truth, q another law *)
Section Step.
Context {A : Type}.
Variables (l : list A) (p q : A -> R) (B : R).
Hypotheses (p0 : forall x, In x l -> 0 <= p x) (q0 : forall x, In x l -> 0 <= q x) (p1 : sum l p = 1) (q1 : sum l q = 1).
Hypothesis B_ge_1 : 1 <= B.
Hypothesis positive : forall x, In x l -> 0 < p x -> 0 < q x.
Hypothesis bounded : forall x, In x l -> 0 < p x -> - B <= ln (q x / p x) <= B.
Definition increment x : R := ln (q x / p x).
Definition divergence : R := sum l (fun x => p x * - increment x).
Lemma exp_increment x : In x l -> p x * exp (increment x) <= q x.
Proof.
  intro i. destruct (p0 x i) as [h | h]; [| rewrite <- h, Rmult_0_l; auto]. unfold increment. rewrite exp_ln.
  - apply Req_le. field. lra.
  - apply Rmult_lt_0_compat; [auto | now apply Rinv_0_lt_compat].
Qed.
Lemma expect_le (f g : A -> R) : (forall x, In x l -> 0 < p x -> f x <= g x) -> sum l (fun x => p x * f x) <= sum l (fun x => p x * g x).
Proof.
  intro h. apply sum_le. intros x i. destruct (p0 x i) as [k | k]; [apply Rmult_le_compat_l; auto | rewrite <- k; lra].
Qed.
Lemma expect_const z : sum l (fun x => p x * z) = z.
Proof. rewrite (sum_ext l _ (fun x => z * p x)) by (intros; ring). rewrite sum_mul, p1. ring. Qed.
Lemma expect_exp : sum l (fun x => p x * exp (increment x)) <= 1.
Proof. rewrite <- q1. apply sum_le. intros x i. now apply exp_increment. Qed.
Lemma expect_sub (f g : A -> R) : sum l (fun x => p x * (f x - g x)) = sum l (fun x => p x * f x) - sum l (fun x => p x * g x).
Proof. rewrite <- sum_sub. apply sum_ext. intros. ring. Qed.
(** KL >= 0 and KL <= B *)
Lemma divergence_nonneg : 0 <= divergence.
Proof.
  apply Rle_trans with (sum l (fun x => p x * (1 - exp (increment x)))).
  - rewrite (expect_sub (fun _ => 1)), expect_const. pose proof expect_exp. lra.
  - apply expect_le. intros x _ _. pose proof (exp_ge (increment x)). lra.
Qed.
Lemma divergence_le : divergence <= B.
Proof. rewrite <- (expect_const B). apply expect_le. intros x i h. pose proof (bounded x i h). unfold increment. lra. Qed.
(** E X^2 <= (2 + B) KL *)
Lemma square_divergence : sum l (fun x => p x * (increment x * increment x)) <= (2 + B) * divergence.
Proof.
  apply Rle_trans with (sum l (fun x => p x * ((2 + B) * (exp (increment x) - 1 - increment x)))).
  - apply expect_le. intros x i h. pose proof (square_le B (increment x) ltac:(lra) (bounded x i h)) as k. simpl in k. rewrite Rmult_1_r in k. exact k.
  - rewrite (sum_ext l _ (fun x => (2 + B) * (p x * (exp (increment x) - 1) - p x * increment x))) by (intros; ring). rewrite sum_mul.
    apply Rmult_le_compat_l; [lra |]. rewrite sum_sub, (expect_sub (fun x => exp (increment x)) (fun _ => 1)), expect_const.
    unfold divergence. rewrite (sum_ext l (fun x => p x * - increment x) (fun x => (-1) * (p x * increment x))) by (intros; ring). rewrite sum_mul.
    pose proof expect_exp. lra.
Qed.
(** Freedman's step with lambda = 1 / (C_0 B): E exp(lambda (X + KL / 2)) <= 1 *)
Definition lambda : R := / (C_0 * B).
Lemma lambda_pos : 0 < lambda. Proof. apply Rinv_0_lt_compat. pose proof C_0_above. apply Rmult_lt_0_compat; lra. Qed.
Lemma lambda_is : (exp 1 - 2) * lambda * (3 * B) = 1 / 2.
Proof. unfold lambda, C_0. pose proof e_above. field. split; lra. Qed.
Theorem Freedman_step : sum l (fun x => p x * exp (lambda * (increment x + divergence / 2))) <= 1.
Proof.
  pose proof divergence_nonneg as k0. pose proof divergence_le as k1. pose proof lambda_pos as lp. pose proof e_above as e2. set (k := divergence) in *.
  assert (small : forall x, In x l -> 0 < p x -> lambda * (increment x + k) <= 1).
  { intros x i h. pose proof (bounded x i h) as b. fold (increment x) in b. apply Rle_trans with (lambda * (2 * B)).
    - apply Rmult_le_compat_l; lra.
    - pose proof lambda_is as li. assert (z : 0 <= lambda * B) by (apply Rmult_le_pos; lra).
      pose proof (Rmult_le_compat_r (lambda * B) _ _ z e2). lra. }
  assert (up : sum l (fun x => p x * exp (lambda * (increment x + k))) <= 1 + lambda * k / 2).
  { apply Rle_trans with (sum l (fun x => p x * (1 + lambda * (increment x + k) + (exp 1 - 2) * (lambda * (increment x + k)) ^ 2))).
    - apply expect_le. intros x i h. apply exp_le_quadratic. auto.
    - assert (m : sum l (fun x => p x * increment x) = - k).
      { unfold k, divergence. rewrite (sum_ext l (fun x => p x * - increment x) (fun x => (-1) * (p x * increment x))) by (intros; ring). rewrite sum_mul. ring. }
      rewrite (sum_ext l _ (fun x => p x + lambda * (p x * increment x) + (lambda * k) * p x + ((exp 1 - 2) * lambda * lambda) * (p x * (increment x * increment x))
        + (2 * k * ((exp 1 - 2) * lambda * lambda)) * (p x * increment x) + (k * k * ((exp 1 - 2) * lambda * lambda)) * p x)) by (intros; ring).
      rewrite !sum_add, !sum_mul, m. change (sum l (fun x => p x)) with (sum l p). rewrite !p1. pose proof square_divergence as s. fold k in s. set (v := sum l (fun x => p x * (increment x * increment x))) in *.
      set (a := (exp 1 - 2) * lambda * lambda).
      assert (a0 : 0 <= a) by (unfold a; apply Rmult_le_pos; [apply Rmult_le_pos |]; lra).
      assert (s' : a * v <= a * (3 * B * k)).
      { apply Rmult_le_compat_l; auto. eapply Rle_trans; [exact s |]. apply Rmult_le_compat_r; lra. }
      assert (ea : a * (3 * B * k) = lambda * k / 2).
      { unfold a. replace ((exp 1 - 2) * lambda * lambda * (3 * B * k)) with ((exp 1 - 2) * lambda * (3 * B) * (lambda * k)) by ring. rewrite lambda_is. field. }
      assert (kk : 0 <= k * k * a) by (apply Rmult_le_pos; [now apply Rmult_le_pos | auto]). lra. }
  rewrite (sum_ext l _ (fun x => exp (- (lambda * k / 2)) * (p x * exp (lambda * (increment x + k))))).
  - rewrite sum_mul. pose proof (exp_pos (- (lambda * k / 2))) as ep. pose proof (exp_ge (lambda * k / 2)) as eg.
    apply Rle_trans with (exp (- (lambda * k / 2)) * exp (lambda * k / 2)).
    + apply Rmult_le_compat_l; lra.
    + rewrite <- exp_plus, Rplus_opp_l, exp_0. lra.
  - intros x _. replace (lambda * (increment x + k / 2)) with (- (lambda * k / 2) + lambda * (increment x + k)) by field. rewrite exp_plus. ring.
Qed.
(** affinity: E exp(X / 2) <= 1 *)
Theorem half_step : sum l (fun x => p x * exp (increment x / 2)) <= 1.
Proof.
  apply Rle_trans with (sum l (fun x => p x * (1 / 2 + exp (increment x) / 2))).
  - apply expect_le. intros x _ _. replace (exp (increment x)) with (exp (increment x / 2) * exp (increment x / 2)) by (rewrite <- exp_plus; f_equal; field).
    pose proof (Rle_0_sqr (exp (increment x / 2) - 1)) as s. unfold Rsqr in s. lra.
  - rewrite (sum_ext l _ (fun x => p x * (1 / 2) + / 2 * (p x * exp (increment x)))) by (intros; field). rewrite sum_add, sum_mul, expect_const.
    pose proof expect_exp. lra.
Qed.
End Step.

(** ** All episodes: Ville's inequality, and a union over the models *)
Section Events.
Variables (K : class) (star : Model K) (B u : R) (deploy : list (Traj K) -> Model K * Policy K).
Notation trajs := (the_trajs K).
Notation pi_at := (pi_of K deploy).
Hypothesis prob_nonneg : forall xi pi tau, In xi (the_models K) -> In pi (the_policies K) -> In tau trajs -> 0 <= prob K xi pi tau.
Hypothesis prob_one : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> sum trajs (prob K xi pi) = 1.
Hypothesis star_in : In star (the_models K).
Hypothesis deploys : forall h, In (pi_at h) (the_policies K).
Hypothesis B_ge_1 : 1 <= B.
(** Assumption 3.1(c) *)
Hypothesis increments : forall xi pi tau, In xi (the_models K) -> In pi (the_policies K) -> In tau trajs -> 0 < prob K star pi tau ->
  0 < prob K xi pi tau /\ - B <= ln (prob K xi pi tau / prob K star pi tau) <= B.
(** L_t(xi) - L_t(star), and K_t(xi) *)
Fixpoint ratio xi (h : list (Traj K)) : R :=
  match h with [] => 0 | tau :: h => ratio xi h + increment (prob K star (pi_at h)) (prob K xi (pi_at h)) tau end.
Fixpoint divergences xi (h : list (Traj K)) : R :=
  match h with [] => 0 | tau :: h => divergences xi h + divergence trajs (prob K star (pi_at h)) (prob K xi (pi_at h)) end.
Notation Pr := (Statements.Pr trajs (law_of K deploy star)).
Lemma law_pos h tau : valid trajs h -> In tau trajs -> 0 <= law_of K deploy star h tau.
Proof. intros _ i. now apply prob_nonneg. Qed.
Lemma law_one h : valid trajs h -> sum trajs (law_of K deploy star h) = 1.
Proof. intros _. now apply prob_one. Qed.
Lemma seldom (M : list (Traj K) -> R) n : (forall h, valid trajs h -> 0 <= M h) -> supermartingale (Traj K) trajs (law_of K deploy star) M -> M [] = 1 ->
  Pr n (ever (fun h => Rleb (exp u) (M h))) <= exp (- u).
Proof.
  intros pos s e. pose proof (Ville (Traj K) trajs (law_of K deploy star) law_pos law_one M (exp u) n pos s) as k. rewrite e in k.
  pose proof (exp_pos u) as p. apply (Rmult_le_reg_l (exp u)); [exact p |]. rewrite <- exp_plus, Rplus_opp_r, exp_0. exact k.
Qed.
Definition E_fails xi h : bool := Rltb (- divergences xi h / 2 + C_0 * B * u) (ratio xi h).
Definition V_fails xi h : bool := Rltb (2 * u) (ratio xi h).
Lemma E_seldom xi n : In xi (the_models K) -> Pr n (ever (E_fails xi)) <= exp (- u).
Proof.
  intro i. set (M := fun h => exp (lambda B * (ratio xi h + divergences xi h / 2))).
  eapply Rle_trans; [| apply (seldom M)].
  - pose proof (union_bound_ever (Traj K) trajs (law_of K deploy star) law_pos n [tt] (E_fails xi) (fun _ h => Rleb (exp u) (M h))) as k.
    simpl in k. rewrite Rplus_0_r in k. apply k. intros h _ _ x. exists tt. split; [now left |]. apply ever_here, Rleb_spec. apply Rltb_spec in x.
    unfold M. apply Rlt_le, exp_increasing. pose proof (lambda_pos B B_ge_1) as lp.
    assert (e : lambda B * (C_0 * B) = 1) by (unfold lambda; apply Rinv_l; pose proof C_0_above; nra).
    apply Rle_lt_trans with (lambda B * (C_0 * B * u)); [replace (lambda B * (C_0 * B * u)) with (lambda B * (C_0 * B) * u) by ring; rewrite e; lra |].
    apply Rmult_lt_compat_l; lra.
  - intros; unfold M; left; apply exp_pos.
  - intros h v w. unfold M. cbn [ratio divergences].
    rewrite (sum_ext trajs _ (fun tau => M h * (prob K star (pi_at h) tau * exp (lambda B * (increment (prob K star (pi_at h)) (prob K xi (pi_at h)) tau
      + divergence trajs (prob K star (pi_at h)) (prob K xi (pi_at h)) / 2))))).
    + rewrite sum_mul. fold (M h). rewrite <- (Rmult_1_r (M h)) at 2. apply Rmult_le_compat_l; [left; apply exp_pos |].
      apply (Freedman_step trajs (prob K star (pi_at h)) (prob K xi (pi_at h)) B); auto; intros; apply increments; auto.
    + intros tau _. unfold M, law_of. set (d := divergence _ _ _). set (x := increment _ _ _).
      replace (lambda B * (ratio xi h + x + (divergences xi h + d) / 2)) with (lambda B * (ratio xi h + divergences xi h / 2) + lambda B * (x + d / 2)) by field.
      rewrite exp_plus. ring.
  - unfold M. simpl. replace (lambda B * (0 + 0 / 2)) with 0 by field. apply exp_0.
Qed.
Lemma V_seldom xi n : In xi (the_models K) -> Pr n (ever (V_fails xi)) <= exp (- u).
Proof.
  intro i. set (M := fun h => exp (ratio xi h / 2)).
  eapply Rle_trans; [| apply (seldom M)].
  - pose proof (union_bound_ever (Traj K) trajs (law_of K deploy star) law_pos n [tt] (V_fails xi) (fun _ h => Rleb (exp u) (M h))) as k.
    simpl in k. rewrite Rplus_0_r in k. apply k. intros h _ _ x. exists tt. split; [now left |]. apply ever_here, Rleb_spec. apply Rltb_spec in x.
    unfold M. apply Rlt_le, exp_increasing. lra.
  - intros; unfold M; left; apply exp_pos.
  - intros h v w. unfold M. cbn [ratio].
    rewrite (sum_ext trajs _ (fun tau => M h * (prob K star (pi_at h) tau * exp (increment (prob K star (pi_at h)) (prob K xi (pi_at h)) tau / 2)))).
    + rewrite sum_mul. fold (M h). rewrite <- (Rmult_1_r (M h)) at 2. apply Rmult_le_compat_l; [left; apply exp_pos |].
      apply (half_step trajs (prob K star (pi_at h)) (prob K xi (pi_at h))); auto; intros; apply increments; auto.
    + intros tau _. unfold M, law_of. set (x := increment (prob K star (pi_at h)) (prob K xi (pi_at h)) tau).
      replace ((ratio xi h + x) / 2) with (ratio xi h / 2 + x / 2) by field. rewrite exp_plus. ring.
  - unfold M. simpl. replace (0 / 2) with 0 by field. apply exp_0.
Qed.
(** both events, for all models and at all times up to n together *)
Theorem likelihood_events n :
  Pr n (ever (fun h => existsb (fun xi => V_fails xi h || E_fails xi h) (the_models K))) <= 2 * (INR (length (the_models K)) * exp (- u)).
Proof.
  pose proof (union_bound_ever (Traj K) trajs (law_of K deploy star) law_pos n (list_prod (the_models K) [true; false])
    (fun h => existsb (fun xi => V_fails xi h || E_fails xi h) (the_models K)) (fun e h => if snd e : bool then V_fails (fst e) h else E_fails (fst e) h)) as k.
  eapply Rle_trans; [apply k |].
  - intros h _ _ x. apply existsb_exists in x. destruct x as (xi & i & x). apply orb_prop in x. destruct x as [x | x].
    + exists (xi, true). split; [apply in_prod; simpl; tauto |]. apply ever_here. exact x.
    + exists (xi, false). split; [apply in_prod; simpl; tauto |]. apply ever_here. exact x.
  - apply Rle_trans with (sum (list_prod (the_models K) [true; false]) (fun _ => exp (- u))).
    + apply sum_le. intros [xi [|]] i; apply in_prod_iff in i; cbn [fst snd]; [apply V_seldom | apply E_seldom]; tauto.
    + rewrite sum_const, prod_length, mult_INR. simpl (length [true; false]). simpl (INR 2). lra.
Qed.
End Events.
