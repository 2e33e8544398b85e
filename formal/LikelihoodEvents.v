(** Towards Algorithm 1 (the explicit bound, docs/bound.md, "What both use" and the events V, E and F): for every finite class with bounded
    log-likelihood increments and whatever the learner deploys, with probability at least 1 - N (k + 1) exp(-u), for all models, all times
    and k numbers eta in (0, 1/2] together: (V) L_t(xi) - L_t(star) <= 2 u and (E) L_t(xi) - L_t(star) <= - (1 - eta) K_t(xi) + C_0 B_0 u / (2 eta),
    C_0 = 6 (e - 2).  (B) With probability at least 1 - exp(-b), at all times, for one model: (L_t(xi) - L_t(star)) / 2 plus what affinities have told
    against it is at most b.  And from below, with probability at least 1 - exp(-b), at all times: (F) of the episodes that are picked by what came
    before them, X <= - (3/2) KL - C_0 B_0 b in sum at no time.  L is the log-likelihood of the data episodes, X what an episode of the
    deployed model adds to L(xi) - L(star), and K the sum of KL(P_star || P_xi). *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger Elementary.
From Coq Require Import Classical_Prop.
Open Scope R_scope.

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
(** Freedman's step with lambda = eta / (3 (e - 2) B), on either side: E exp(lambda (+-(X + KL) - eta KL)) <= 1 *)
Definition lambda (eta : R) : R := 2 * eta / (C_0 * B).
Section Tuned.
Variables (eta s : R).
Hypotheses (eta_range : 0 < eta <= / 2) (sign : s = 1 \/ s = - 1).
Lemma lambda_pos : 0 < lambda eta.
Proof. pose proof C_0_above. apply Rmult_lt_0_compat; [lra |]. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. Qed.
Lemma lambda_is : (exp 1 - 2) * lambda eta * (3 * B) = eta.
Proof. unfold lambda, C_0. pose proof e_above. field. split; lra. Qed.
Theorem Freedman_step : sum l (fun x => p x * exp (lambda eta * (s * (increment x + divergence) - eta * divergence))) <= 1.
Proof.
  pose proof divergence_nonneg as k0. pose proof divergence_le as k1. pose proof lambda_pos as lp. pose proof e_above as e2. set (k := divergence) in *.
  set (y := lambda eta) in *.
  assert (small : forall x, In x l -> 0 < p x -> y * (s * (increment x + k)) <= 1).
  { intros x i h. pose proof (bounded x i h) as b. fold (increment x) in b. apply Rle_trans with (y * (2 * B)).
    - apply Rmult_le_compat_l; [lra |]. destruct sign as [-> | ->]; lra.
    - pose proof lambda_is as li. fold y in li. assert (z : 0 <= y * B) by (apply Rmult_le_pos; lra).
      pose proof (Rmult_le_compat_r (y * B) _ _ z e2). lra. }
  assert (s2 : s * s = 1) by (destruct sign as [-> | ->]; ring).
  assert (up : sum l (fun x => p x * exp (y * (s * (increment x + k)))) <= 1 + y * eta * k).
  { apply Rle_trans with (sum l (fun x => p x * (1 + y * (s * (increment x + k)) + (exp 1 - 2) * (y * (s * (increment x + k))) ^ 2))).
    - apply expect_le. intros x i h. apply exp_le_quadratic. auto.
    - assert (m : sum l (fun x => p x * increment x) = - k).
      { unfold k, divergence. rewrite (sum_ext l (fun x => p x * - increment x) (fun x => (-1) * (p x * increment x))) by (intros; ring). rewrite sum_mul. ring. }
      set (a := (exp 1 - 2) * y * y).
      rewrite (sum_ext l _ (fun x => p x + y * s * (p x * increment x) + (y * s * k) * p x + a * (p x * (increment x * increment x))
        + (2 * k * a) * (p x * increment x) + (k * k * a) * p x)).
      2: { intros x _. unfold a. replace ((y * (s * (increment x + k))) ^ 2) with (s * s * (y * (increment x + k)) ^ 2) by ring. rewrite s2. ring. }
      rewrite !sum_add, !sum_mul, m. change (sum l (fun x => p x)) with (sum l p). rewrite !p1. pose proof square_divergence as sq. fold k in sq. set (v := sum l (fun x => p x * (increment x * increment x))) in *.
      assert (a0 : 0 <= a) by (unfold a; apply Rmult_le_pos; [apply Rmult_le_pos |]; lra).
      assert (sq' : a * v <= a * (3 * B * k)).
      { apply Rmult_le_compat_l; auto. eapply Rle_trans; [exact sq |]. apply Rmult_le_compat_r; lra. }
      assert (ea : a * (3 * B * k) = y * eta * k).
      { unfold a. replace ((exp 1 - 2) * y * y * (3 * B * k)) with ((exp 1 - 2) * y * (3 * B) * (y * k)) by ring. unfold y at 1. rewrite lambda_is. ring. }
      assert (kk : 0 <= k * k * a) by (apply Rmult_le_pos; [now apply Rmult_le_pos | auto]). lra. }
  rewrite (sum_ext l _ (fun x => exp (- (y * eta * k)) * (p x * exp (y * (s * (increment x + k)))))).
  - rewrite sum_mul. pose proof (exp_pos (- (y * eta * k))) as ep. pose proof (exp_ge (y * eta * k)) as eg.
    apply Rle_trans with (exp (- (y * eta * k)) * exp (y * eta * k)).
    + apply Rmult_le_compat_l; lra.
    + rewrite <- exp_plus, Rplus_opp_l, exp_0. lra.
  - intros x _. replace (y * (s * (increment x + k) - eta * k)) with (- (y * eta * k) + y * (s * (increment x + k))) by ring. rewrite exp_plus. ring.
Qed.
End Tuned.
(** affinity: E exp(X / 2) <= 1 *)
Theorem half_step : sum l (fun x => p x * exp (increment x / 2)) <= 1.
Proof.
  apply Rle_trans with (sum l (fun x => p x * (1 / 2 + exp (increment x) / 2))).
  - apply expect_le. intros x _ _. replace (exp (increment x)) with (exp (increment x / 2) * exp (increment x / 2)) by (rewrite <- exp_plus; f_equal; field).
    pose proof (Rle_0_sqr (exp (increment x / 2) - 1)) as s. unfold Rsqr in s. lra.
  - rewrite (sum_ext l _ (fun x => p x * (1 / 2) + / 2 * (p x * exp (increment x)))) by (intros; field). rewrite sum_add, sum_mul, expect_const.
    pose proof expect_exp. lra.
Qed.
(** the same exactly: E exp(X / 2) is the affinity *)
Theorem half_affinity : sum l (fun x => p x * exp (increment x / 2)) <= affinity l q p.
Proof.
  apply sum_le. intros x i. destruct (p0 x i) as [h | h]; [| rewrite <- h, Rmult_0_l; apply sqrt_pos]. pose proof (positive x i h) as k.
  assert (e : exp (increment x / 2) * exp (increment x / 2) = q x / p x).
  { rewrite <- exp_plus. replace (increment x / 2 + increment x / 2) with (increment x) by field. unfold increment. apply exp_ln.
    apply Rmult_lt_0_compat; [exact k | now apply Rinv_0_lt_compat]. }
  apply sq_le_sqrt. set (y := exp (increment x / 2)) in *. replace (p x * y * (p x * y)) with (p x * p x * (y * y)) by ring. rewrite e. apply Req_le. field. lra.
Qed.
End Step.

(** ** All episodes: Ville's inequality, and a union over the models *)
Section Events.
Variables (K : class) (star : Model K) (B : R) (deploy : list (Traj K) -> Model K * Policy K).
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
Lemma seldom u (M : list (Traj K) -> R) n : (forall h, valid trajs h -> 0 <= M h) -> supermartingale (Traj K) trajs (law_of K deploy star) M -> M [] = 1 ->
  Pr n (ever (fun h => Rleb (exp u) (M h))) <= exp (- u).
Proof.
  intros pos s e. pose proof (Ville (Traj K) trajs (law_of K deploy star) law_pos law_one M (exp u) n pos s) as k. rewrite e in k.
  pose proof (exp_pos u) as p. apply (Rmult_le_reg_l (exp u)); [exact p |]. rewrite <- exp_plus, Rplus_opp_r, exp_0. exact k.
Qed.
(** an event that a supermartingale exp M bounds *)
Lemma fails_seldom u (fails : list (Traj K) -> bool) (M : list (Traj K) -> R) n : (forall h, fails h = true -> u <= M h) -> M [] = 0 ->
  (forall h, sum trajs (fun tau => law_of K deploy star h tau * exp (M (tau :: h) - M h)) <= 1) -> Pr n (ever fails) <= exp (- u).
Proof.
  intros f z s. eapply Rle_trans; [| apply (seldom u (fun h => exp (M h)))].
  - pose proof (union_bound_ever (Traj K) trajs (law_of K deploy star) law_pos n [tt] fails (fun _ h => Rleb (exp u) (exp (M h)))) as k.
    simpl in k. rewrite Rplus_0_r in k. apply k. intros h _ _ x. exists tt. split; [now left |]. apply ever_here, Rleb_spec.
    destruct (f h x) as [l | <-]; [left; now apply exp_increasing | lra].
  - intros. left. apply exp_pos.
  - intros h _ _. rewrite (sum_ext trajs _ (fun tau => exp (M h) * (law_of K deploy star h tau * exp (M (tau :: h) - M h)))).
    + rewrite sum_mul. apply Rle_trans with (exp (M h) * 1); [apply Rmult_le_compat_l; [left; apply exp_pos | apply s] | lra].
    + intros tau _. replace (M (tau :: h)) with (M h + (M (tau :: h) - M h)) at 1 by ring. rewrite exp_plus. ring.
  - now rewrite z, exp_0.
Qed.
Definition E_fails u eta xi h : bool := Rltb (- (1 - eta) * divergences xi h + C_0 * B * u / (2 * eta)) (ratio xi h).
Definition V_fails u xi h : bool := Rltb (2 * u) (ratio xi h).
Lemma lambda_inverse eta u : 0 < eta -> lambda B eta * (C_0 * B * u / (2 * eta)) = u.
Proof. intro. unfold lambda. pose proof C_0_above. field. lra. Qed.
Lemma E_seldom u eta xi n : 0 < eta <= / 2 -> In xi (the_models K) -> Pr n (ever (E_fails u eta xi)) <= exp (- u).
Proof.
  intros he i. apply (fails_seldom u (E_fails u eta xi) (fun h => lambda B eta * (ratio xi h + (1 - eta) * divergences xi h))).
  - intros h x. apply Rltb_spec in x. rewrite <- (lambda_inverse eta u) at 1 by tauto.
    apply Rmult_le_compat_l; [left; now apply lambda_pos | lra].
  - simpl. ring.
  - intro h. cbn [ratio divergences]. eapply Rle_trans; [| apply (Freedman_step trajs (prob K star (pi_at h)) (prob K xi (pi_at h)) B) with (eta := eta) (s := 1)]; auto;
      try (intros; apply increments; auto). apply Req_le, sum_ext. intros tau _. unfold law_of. do 2 f_equal. ring.
Qed.
Lemma V_seldom u xi n : In xi (the_models K) -> Pr n (ever (V_fails u xi)) <= exp (- u).
Proof.
  intro i. apply (fails_seldom u (V_fails u xi) (fun h => ratio xi h / 2)).
  - intros h x. apply Rltb_spec in x. lra.
  - simpl. field.
  - intro h. cbn [ratio]. eapply Rle_trans; [| apply (half_step trajs (prob K star (pi_at h)) (prob K xi (pi_at h)))]; auto; try (intros; apply increments; auto).
    apply Req_le, sum_ext. intros tau _. unfold law_of. do 2 f_equal. field.
Qed.
(** (B) what the episodes tell against xi in all, by the affinity with the truth *)
Notation aff xi pi := (affinity trajs (prob K xi pi) (prob K star pi)).
Fixpoint told_against xi (h : list (Traj K)) : R := match h with [] => 0 | _ :: h => told_against xi h - ln (aff xi (pi_at h)) end.
Lemma affinity_pos xi pi : In xi (the_models K) -> In pi (the_policies K) -> 0 < aff xi pi <= 1.
Proof.
  intros i j. split; [| apply affinity_le_1; auto].
  assert (e : exists x, In x trajs /\ 0 < prob K star pi x).
  { apply NNPP. intro n. assert (z : sum trajs (prob K star pi) <= 0); [| rewrite prob_one in z by auto; lra].
    rewrite <- (sum_zero trajs (fun _ => 0) (fun _ _ => eq_refl)). apply sum_le. intros x k. apply Rnot_lt_le. intro l. apply n. eauto. }
  destruct e as (x & k & p). eapply Rlt_le_trans; [| apply (sum_term trajs (fun x => sqrt (prob K xi pi x * prob K star pi x)) x)]; auto using sqrt_pos.
  apply sqrt_lt_R0, Rmult_lt_0_compat; [now apply increments | exact p].
Qed.
Lemma tells xi pi : In xi (the_models K) -> In pi (the_policies K) -> 0 <= - ln (aff xi pi).
Proof.
  intros i j. destruct (affinity_pos xi pi i j) as [a [b | b]]; [| rewrite b, ln_1; lra]. pose proof (ln_increasing _ _ a b). rewrite ln_1 in *. lra.
Qed.
Definition B_fails b xi h : bool := Rltb b (ratio xi h / 2 + told_against xi h).
Lemma B_seldom b xi n : In xi (the_models K) -> Pr n (ever (B_fails b xi)) <= exp (- b).
Proof.
  intro i. apply (fails_seldom b (B_fails b xi) (fun h => ratio xi h / 2 + told_against xi h)).
  - intros h x. apply Rltb_spec in x. lra.
  - simpl. field.
  - intro h. cbn [ratio told_against]. destruct (affinity_pos xi (pi_at h) i (deploys h)) as [a _]. set (z := aff xi (pi_at h)) in *.
    rewrite (sum_ext trajs _ (fun tau => / z * (prob K star (pi_at h) tau * exp (increment (prob K star (pi_at h)) (prob K xi (pi_at h)) tau / 2)))).
    + rewrite sum_mul. apply (Rmult_le_reg_l z); [exact a |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, Rmult_1_r by lra.
      apply half_affinity; auto; intros; apply increments; auto.
    + intros tau _. unfold law_of. set (y := increment _ _ _). replace (_ - _) with (y / 2 + - ln z) by field. rewrite exp_plus, exp_Ropp, exp_ln by exact a. ring.
Qed.
(** of the episodes that [during] picks, by how much the deployed model does worse than - (3/2) KL *)
Fixpoint shortfall (during : list (Traj K) -> bool) h : R :=
  match h with
  | [] => 0
  | tau :: h => shortfall during h + if during h then - increment (prob K star (pi_at h)) (prob K (xi_of K deploy h) (pi_at h)) tau
      - 3 / 2 * divergence trajs (prob K star (pi_at h)) (prob K (xi_of K deploy h) (pi_at h)) else 0
  end.
Definition F_fails during b h : bool := Rltb (C_0 * B * b) (shortfall during h).
Lemma F_seldom during b n : (forall h, In (xi_of K deploy h) (the_models K)) -> Pr n (ever (F_fails during b)) <= exp (- b).
Proof.
  intro i. apply (fails_seldom b (F_fails during b) (fun h => lambda B (/ 2) * shortfall during h)).
  - intros h x. apply Rltb_spec in x. rewrite <- (lambda_inverse (/ 2) b) at 1 by lra.
    apply Rmult_le_compat_l; [left; apply lambda_pos; lra |]. replace (C_0 * B * b / (2 * / 2)) with (C_0 * B * b) by field. lra.
  - simpl. ring.
  - intro h. cbn [shortfall]. destruct (during h).
    + eapply Rle_trans; [| apply (Freedman_step trajs (prob K star (pi_at h)) (prob K (xi_of K deploy h) (pi_at h)) B) with (eta := / 2) (s := - 1)]; auto; try lra;
        try (intros; apply increments; auto). apply Req_le, sum_ext. intros tau _. unfold law_of. do 2 f_equal. field.
    + rewrite (sum_ext trajs _ (prob K star (pi_at h))); [apply Req_le; auto |]. intros tau _. rewrite Rplus_0_r, Rminus_eq_0, exp_0. unfold law_of. ring.
Qed.
(** V and E for all models, at all times up to n and for all of the etas together *)
Definition V_or_E_fails u etas h : bool := existsb (fun xi => V_fails u xi h || existsb (fun eta => E_fails u eta xi h) etas) (the_models K).
Theorem likelihood_events u etas n : (forall eta, In eta etas -> 0 < eta <= / 2) ->
  Pr n (ever (V_or_E_fails u etas)) <= INR (length (the_models K) * S (length etas)) * exp (- u).
Proof.
  intro he. eapply Rle_trans; [apply (union_bound_ever (Traj K) trajs (law_of K deploy star) law_pos n (list_prod (the_models K) (None :: map Some etas)))
    with (Es := fun e h => match snd e with None => V_fails u (fst e) h | Some eta => E_fails u eta (fst e) h end) |].
  - intros h _ _ x. apply existsb_exists in x. destruct x as (xi & i & x). apply orb_prop in x. destruct x as [x | x].
    + exists (xi, None). split; [apply in_prod; simpl; tauto |]. apply ever_here. exact x.
    + apply existsb_exists in x. destruct x as (eta & j & x). exists (xi, Some eta). split; [apply in_prod; [exact i | right; now apply in_map] |]. now apply ever_here.
  - apply Rle_trans with (sum (list_prod (the_models K) (None :: map Some etas)) (fun _ => exp (- u))).
    + apply sum_le. intros [xi [eta |]] i; apply in_prod_iff in i; cbn [fst snd]; [apply E_seldom; [apply he | tauto] | apply V_seldom; tauto].
      destruct i as [_ [i | i]]; [discriminate |]. apply in_map_iff in i. destruct i as (y & e & i). congruence.
    + rewrite sum_const, prod_length. simpl (length (None :: _)). rewrite map_length. apply Rle_refl.
Qed.
End Events.
