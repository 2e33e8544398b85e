(** Theorem N on a net (docs/bound.md, "On interval axes", the joint test): the truth is any model, also one that stands in no list, and the
    learner walks down a list of finitely many net points, the law of one of which, ibar, is close to the truth's in chi-square.
    The class K has the net points in its list [the_models], in the order in which they are listed, and D in [the_policies]; its type of
    models is any type with a decidable equality, such as the points of a continuum, and [star] is any member of it. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger ScheduleBound WarmUp NestedRule.
From Pomgcheck Require Elementary.
From Coquelicot Require Coquelicot.
From Coq Require Import Sorted.
Open Scope R_scope.

(** ** Lemma M (values and distance) *)
Section Lemma_M.
Context {A : Type}.
Variables (l : list A) (p q f : A -> R) (c M : R).
Hypotheses (p0 : forall x, In x l -> 0 <= p x) (q0 : forall x, In x l -> 0 <= q x) (p1 : sum l p = 1) (q1 : sum l q = 1).
Notation mean r := (sum l (fun x => r x * f x)).
Notation moment r := (sum l (fun x => r x * ((f x - c) * (f x - c)))).
Lemma mean_gap : mean p - mean q = sum l (fun x => (f x - c) * (p x - q x)).
Proof.
  rewrite (sum_ext l (fun x => (f x - c) * (p x - q x)) (fun x => (p x * f x - q x * f x) - c * (p x - q x))) by (intros; ring).
  rewrite sum_sub, sum_mul, (sum_sub l p q), p1, q1, sum_sub. ring.
Qed.
(** Lemma M, first part: E_P (f - c)^2, E_Q (f - c)^2 <= M give |E_P f - E_Q f|^2 <= 8 h^2 M *)
Theorem values_hellinger : moment p <= M -> moment q <= M -> (mean p - mean q) * (mean p - mean q) <= 8 * M * hellinger2 l p q.
Proof.
  intros mp mq. rewrite mean_gap.
  pose proof (Cauchy_Schwarz l (fun x => (f x - c) * (sqrt (p x) + sqrt (q x))) (fun x => sqrt (p x) + (-1) * sqrt (q x))) as k. cbv beta in k.
  rewrite (half_square_sum l p q p0 q0 p1 q1 (-1)) in k by ring.
  rewrite (sum_ext l (fun x => (f x - c) * (sqrt (p x) + sqrt (q x)) * (sqrt (p x) + (-1) * sqrt (q x))) (fun x => (f x - c) * (p x - q x))) in k.
  2:{ intros x i. specialize (p0 x i). specialize (q0 x i). pose proof (sqrt_sqrt _ p0) as a. pose proof (sqrt_sqrt _ q0) as b.
      transitivity ((f x - c) * (sqrt (p x) * sqrt (p x) - sqrt (q x) * sqrt (q x))); [ring | now rewrite a, b]. }
  pose proof (hellinger2_01 l p q p0 q0 p1 q1) as h. apply Rle_trans with (1 := k).
  replace (2 + -1 * (2 * affinity l p q)) with (2 * hellinger2 l p q) by (unfold hellinger2; ring).
  replace (8 * M * hellinger2 l p q) with ((4 * M) * (2 * hellinger2 l p q)) by ring. apply Rmult_le_compat_r; [lra |].
  apply Rle_trans with (2 * moment p + 2 * moment q); [| lra]. rewrite <- !sum_mul, <- sum_add. apply sum_le. intros x i.
  specialize (p0 x i). specialize (q0 x i). pose proof (sqrt_sqrt _ p0) as a. pose proof (sqrt_sqrt _ q0) as b.
  replace (2 * (p x * ((f x - c) * (f x - c))) + 2 * (q x * ((f x - c) * (f x - c)))) with ((2 * p x + 2 * q x) * ((f x - c) * (f x - c))) by ring.
  replace ((f x - c) * (sqrt (p x) + sqrt (q x)) * ((f x - c) * (sqrt (p x) + sqrt (q x)))) with
    ((sqrt (p x) + sqrt (q x)) * (sqrt (p x) + sqrt (q x)) * ((f x - c) * (f x - c))) by ring.
  apply Rmult_le_compat_r; [apply Rle_0_sqr |]. pose proof (Rle_0_sqr (sqrt (p x) - sqrt (q x))) as s. unfold Rsqr in s. lra.
Qed.
(** Lemma M, second part: sum P^2 / Q <= 1 + chi gives |E_P f - E_Q f|^2 <= chi E_Q (f - c)^2 *)
Theorem values_chi chi : 0 <= chi -> (forall x, In x l -> 0 < p x -> 0 < q x) -> sum l (fun x => p x * p x / q x) <= 1 + chi -> moment q <= M ->
  (mean p - mean q) * (mean p - mean q) <= chi * M.
Proof.
  intros c0 pos x2 mq. rewrite mean_gap.
  pose proof (Cauchy_Schwarz l (fun x => (f x - c) * sqrt (q x)) (fun x => (p x - q x) * / sqrt (q x))) as k. cbv beta in k.
  assert (zero : forall x, In x l -> q x = 0 -> p x = 0).
  { intros x i z. destruct (p0 x i) as [a | a]; [specialize (pos x i a); lra | auto]. }
  rewrite (sum_ext l (fun x => (f x - c) * sqrt (q x) * ((p x - q x) * / sqrt (q x))) (fun x => (f x - c) * (p x - q x))) in k.
  2:{ intros x i. destruct (q0 x i) as [a | a]; [pose proof (sqrt_lt_R0 _ a); field; lra |]. rewrite (zero x i) by auto. rewrite <- a. ring. }
  rewrite (sum_ext l (fun x => (f x - c) * sqrt (q x) * ((f x - c) * sqrt (q x))) (fun x => q x * ((f x - c) * (f x - c)))) in k.
  2:{ intros x i. pose proof (sqrt_sqrt _ (q0 x i)) as b. rewrite <- b at 3. ring. }
  rewrite (sum_ext l (fun x => (p x - q x) * / sqrt (q x) * ((p x - q x) * / sqrt (q x))) (fun x => p x * p x / q x - (2 * p x - q x))) in k.
  2:{ intros x i. destruct (q0 x i) as [a | a].
      - pose proof (sqrt_sqrt _ (q0 x i)) as b. pose proof (sqrt_lt_R0 _ a). transitivity ((p x - q x) * (p x - q x) / (sqrt (q x) * sqrt (q x))); [field; lra |]. rewrite b. field. lra.
      - rewrite (zero x i) by auto. rewrite <- a. unfold Rdiv. ring. }
  rewrite sum_sub, (sum_sub l (fun x => 2 * p x) q), sum_mul, p1, q1 in k. apply Rle_trans with (1 := k).
  rewrite Rmult_comm. set (s := sum l (fun x => p x * p x / q x)) in *. assert (m0 : 0 <= moment q) by (apply sum_nonneg; intros; apply Rmult_le_pos; [auto | apply Rle_0_sqr]).
  apply Rle_trans with (chi * moment q); [apply Rmult_le_compat_r; lra | now apply Rmult_le_compat_l].
Qed.
End Lemma_M.

(** what an episode tells, as a function of h^2: not more than - log (1 - h^2), and N - 1 of them tell nearly as much as N times h^2 *)
Definition tells (h2 : R) : R := 2 * h2 / (2 - h2).
Lemma tells_nonneg h2 : 0 <= h2 <= 1 -> 0 <= tells h2.
Proof. intro h. unfold tells, Rdiv. apply Rmult_le_pos; [lra |]. left. apply Rinv_0_lt_compat. lra. Qed.
Section Derivative.
Import Coquelicot.Coquelicot.
Lemma tells_below h2 : 0 <= h2 <= 1 -> exp (tells h2) * (1 - h2) <= 1.
Proof.
  intro h. pose proof (tells_nonneg h2 h) as x0. set (x := tells h2) in *.
  assert (e : (1 - h2) * (2 + x) = 2 - x) by (unfold x, tells; field; lra).
  assert (k : exp x * (2 - x) <= 2 + x).
  { enough (2 + 0 - exp 0 * (2 - 0) <= 2 + x - exp x * (2 - x)) by (rewrite exp_0 in *; lra).
    apply (Elementary.nondecreasing (fun x => 2 + x - exp x * (2 - x)) (fun x => 1 - exp x * (1 - x))); [exact x0 | |].
    - intros z _. auto_derive; [trivial | ring].
    - intros z _. pose proof (Elementary.exp_ge (- z)) as a. pose proof (Rmult_le_compat_l (exp z) _ _ (Rlt_le _ _ (exp_pos z)) a) as b.
      rewrite <- exp_plus, Rplus_opp_r, exp_0 in b. lra. }
  apply (Rmult_le_reg_r (2 + x)); [lra |]. rewrite Rmult_assoc, e. lra.
Qed.
End Derivative.
(** the lemma of the leaving episode: (n - 1) l <= E and E >= 2 give n h^2 <= E *)
Lemma leaving_episode n h2 E : 0 <= h2 <= 1 -> 2 <= E -> (n - 1) * tells h2 <= E -> n * h2 <= E.
Proof.
  intros h e k. assert (x : (n - 1) * tells h2 * (2 - h2) <= E * (2 - h2)) by (apply Rmult_le_compat_r; lra).
  replace ((n - 1) * tells h2 * (2 - h2)) with ((n - 1) * (2 * h2)) in x by (unfold tells; field; lra).
  pose proof (Rmult_le_compat_r h2 _ _ (proj1 h) e). lra.
Qed.

(** ** Numbers *)
(** the least integer above *)
Definition ceiling (x : R) : Z := (- Int_part (- x))%Z.
Lemma ceiling_is x : x <= IZR (ceiling x) < x + 1.
Proof. unfold ceiling. rewrite opp_IZR. destruct (base_Int_part (- x)). lra. Qed.
Section Numbers.
Variables (K : class) (delta chi q : R) (M : Policy K -> R) (cheapest : Policy K).
Definition share : R := 2 * delta / 3.                                              (* e: what each of three events may fail with *)
Definition points : R := INR (length (the_models K)).                               (* N *)
(** w_t = log (N/e) + log (1/e) + t log (1 + chi) *)
Definition margin (t : nat) : R := ln (points / share) + ln (1 / share) + INR t * ln (1 + chi).
(** E_T = max {2, (3/2) log (N/e) + log (1/e) + T log (1 + chi)} *)
Definition told_at_most (t : nat) : R := 3 / 2 * ln (points / share) + ln (1 / share) + INR t * ln (1 + chi).
Definition E_at (t : nat) : R := Rmax 2 (told_at_most t).
(** eps = sqrt (chi max M) + q *)
Definition eps_V : R := sqrt (chi * fold_right (fun pi x => Rmax (M pi) x) 0 (the_policies K)).
Definition eps : R := eps_V + q.
(** the sum of M over all policies of D but the one with least M *)
Definition others : R := sum (remove (policy_dec K) cheapest (the_policies K)) M.
(** what the data episodes lose at most *)
Definition data_bound (t : nat) : R := eps * INR t + sqrt (8 * E_at t * others * INR t).
End Numbers.
(** by what the list is ordered: the value v_i, in quanta if q > 0 *)
Definition level (K : class) (d0 : Model K * Policy K) (q : R) (i : Model K) : R := if Req_EM_T q 0 then v_star K d0 i else IZR (ceiling (v_star K d0 i / q)).
Lemma level_value K d0 q i j : 0 <= q -> level K d0 q i <= level K d0 q j -> v_star K d0 i <= v_star K d0 j + q.
Proof.
  unfold level. intros q0 h. destruct (Req_EM_T q 0) as [-> | n]; [lra |]. assert (q1 : 0 < q) by lra.
  pose proof (ceiling_is (v_star K d0 i / q)) as a. pose proof (ceiling_is (v_star K d0 j / q)) as b. assert (k : v_star K d0 i / q <= v_star K d0 j / q + 1) by lra.
  apply (Rmult_le_compat_r q) in k; [| lra]. rewrite Rmult_plus_distr_r in k. unfold Rdiv in k. rewrite !Rmult_assoc, Rinv_l in k by lra. lra.
Qed.

Lemma sum_remove {A} (dec : forall x y : A, {x = y} + {x <> y}) l x f : NoDup l -> In x l -> sum l f = f x + sum (remove dec x l) f.
Proof.
  intros n i. induction l as [| y l ih]; [destruct i |]. inversion n; subst. cbn [sum remove]. destruct (dec x y) as [-> | ne].
  - rewrite notin_remove by assumption. reflexivity.
  - destruct i as [-> | i]; [congruence |]. rewrite (ih H2 i). cbn [sum]. ring.
Qed.

(** ** Any schedule that walks down the list *)
Section Proof.
Variable K : class.
Notation Model := (Statements.Model K).
Notation Policy := (Statements.Policy K).
Notation Traj := (Statements.Traj K).
Notation Policy_dec := (policy_dec K).
Notation models := (the_models K).
Notation policies := (the_policies K).
Notation trajs := (the_trajs K).
Notation prob := (Statements.prob K).
Notation value := (Statements.value K).
Variables (star ibar : Model).
Hypothesis ibar_in : In ibar models.
Definition known xi : Prop := xi = star \/ In xi models.
Hypothesis prob_nonneg : forall xi pi tau, known xi -> In pi policies -> In tau trajs -> 0 <= prob xi pi tau.
Hypothesis prob_one : forall xi pi, known xi -> In pi policies -> sum trajs (prob xi pi) = 1.
Hypothesis policies_nodup : NoDup policies.
(** regret is against a policy of D, in particular against a best one at star, which D has *)
Variable best : Policy.
Hypothesis best_in : In best policies.
Variables (delta chi q : R) (f : Traj -> R) (base c M : Policy -> R) (cheapest : Policy) (d0 : Model * Policy).
Hypothesis delta_range : 0 < delta <= 1.
Hypothesis q_nonneg : 0 <= q.
(** premise on the net: ibar is close to star under every policy of D *)
Hypothesis chi_nonneg : 0 <= chi.
Hypothesis covered : forall pi, In pi policies -> (forall tau, In tau trajs -> 0 < prob star pi tau -> 0 < prob ibar pi tau) /\
  sum trajs (fun tau => prob star pi tau * prob star pi tau / prob ibar pi tau) <= 1 + chi.
(** f is the return, but for what has one mean in all models, and M bounds its second moment about c *)
Hypothesis f_is : forall xi pi, known xi -> In pi policies -> value xi pi = base pi + sum trajs (fun tau => prob xi pi tau * f tau).
Hypothesis M_is : forall xi pi, known xi -> In pi policies -> sum trajs (fun tau => prob xi pi tau * ((f tau - c pi) * (f tau - c pi))) <= M pi.
Hypothesis cheapest_in : In cheapest policies.
Hypothesis cheapest_is : forall pi, In pi policies -> M cheapest <= M pi.
Variable deploy : list Traj -> Model * Policy.
Notation e := (share delta).
Notation N := (points K).
Notation w := (margin K delta chi).
Notation E_T := (E_at K delta chi).
Notation grows t := (INR t * ln (1 + chi)).
Notation xi_of := (Statements.xi_of K deploy).
Notation pi_of := (Statements.pi_of K deploy).
Notation law := (law_of K deploy).
Notation L := (likelihood K deploy).
Notation gap := (Statements.gap K star best).
Notation regret := (Statements.regret K deploy star best).
Notation valid := (valid trajs).
Notation Pr := (Statements.Pr trajs (law star)).
Notation level := (level K d0 q).

(** the test refutes ibar: L_t(ibar) < max L_t - w_t *)
Definition refuted h : bool := existsb (fun eta => Rltb (L ibar h * exp (w (length h))) (L eta h)) models.
Record net_schedule : Prop := {
  deploys_policy : forall h, In (pi_of h) policies;
  deploys_model : forall h, In (xi_of h) models;
  deploys_optimal : forall h, pi_of h = optimal K d0 (xi_of h);
  not_refuted : forall h, ever refuted h = false -> forall eta, In eta models -> L eta h <= L (xi_of h) h * exp (w (length h));
  goes_down : forall h, ever refuted h = false -> level ibar <= level (xi_of h)
}.
Hypothesis schedule : net_schedule.

Lemma known_ibar : known ibar. Proof. now right. Qed.
Lemma known_star : known star. Proof. now left. Qed.
Lemma known_in xi : In xi models -> known xi. Proof. now right. Qed.
Hint Resolve known_ibar known_star known_in : core.
Lemma N_ge_1 : 1 <= N.
Proof. unfold points. change 1 with (INR 1). apply le_INR. pose proof ibar_in as i. destruct models; [destruct i | simpl; lia]. Qed.
Lemma e_range : 0 < e < 1. Proof. unfold share. lra. Qed.
Lemma inv_e : 1 < 1 / e.
Proof. pose proof e_range. apply (Rmult_lt_reg_r e); [lra |]. field_simplify; lra. Qed.
Lemma N_e : 1 < N / e.
Proof. pose proof e_range. pose proof N_ge_1. apply (Rmult_lt_reg_r e); [lra |]. field_simplify; lra. Qed.
Lemma ln_chi : 0 <= ln (1 + chi).
Proof. rewrite <- ln_1. destruct chi_nonneg as [h | <-]; [left; apply ln_increasing; lra | rewrite Rplus_0_r; lra]. Qed.
Lemma exp_w t : exp (w t) = N / e * (1 / e) * exp (grows t).
Proof. unfold margin. rewrite !exp_plus, !exp_ln; [reflexivity | pose proof inv_e; lra | pose proof N_e; lra]. Qed.

Notation plays := (deploys_policy schedule).
Notation law_nonneg := (law_nonneg K known deploy prob_nonneg plays).
Notation law_plays := (law_plays K known star deploy prob_nonneg known_star plays).
Notation L_nonneg := (L_nonneg K known deploy prob_nonneg plays).
Notation tail := (tail K known star deploy prob_nonneg known_star plays).
Notation ratio := (ratio K star deploy).
Notation ratio_is := (ratio_is K star deploy).
(** a union over the N entries *)
Notation any n := (Ville_any K known star deploy prob_nonneg prob_one known_star plays n models (length models) e).
Lemma L_ibar_pos h : valid h -> 0 < L star h -> 0 < L ibar h.
Proof.
  induction h as [| tau h ih]; intros v p; [unfold likelihood; simpl; lra |]. destruct (tail tau h v p) as (v' & a & b & i). rewrite (L_cons K deploy).
  apply Rmult_lt_0_compat; [now apply ih |]. now apply (covered (pi_of h) (deploys_policy schedule h)).
Qed.

(** ** Lemma N (the net's point stays) *)
(** (A): L_t(i) - L_t(star) <= log (N/e) for all entries i and all t *)
Definition high h : bool := existsb (fun i => Rleb (N / e) (ratio i h)) models.
Theorem event_A n : Pr n (ever high) <= e.
Proof.
  apply (any n ratio); [apply e_range | apply N_ge_1 | lia | |].
  - intros i a. apply (ratio_each K known star deploy); auto. apply plays.
  - intros h _ _ x. apply existsb_exists in x. destruct x as (i & a & x). exists i. split; [exact a |]. now apply Rleb_spec.
Qed.
(** (C): L_t(star) - L_t(ibar) <= log (1/e) + t log (1 + chi) for all t: one event, no union *)
Definition strays h : R := L star h / L ibar h * exp (- grows (length h)).
Lemma strays_nonneg h : valid h -> 0 <= strays h.
Proof.
  intro v. apply Rmult_le_pos; [| left; apply exp_pos]. destruct (L_nonneg ibar h known_ibar v) as [p | <-].
  - apply Rmult_le_pos; [now apply L_nonneg | left; now apply Rinv_0_lt_compat].
  - unfold Rdiv. rewrite Rinv_0. lra.
Qed.
Lemma strays_supermartingale : supermartingale Traj trajs (law star) strays.
Proof.
  intros h v p. change (0 < L star h) in p. pose proof (L_ibar_pos h v p) as pi. destruct (covered (pi_of h) (deploys_policy schedule h)) as [pos x2]. pose proof (strays_nonneg h v) as s0.
  rewrite (sum_ext _ _ (fun tau => strays h * / (1 + chi) * (prob star (pi_of h) tau * prob star (pi_of h) tau / prob ibar (pi_of h) tau))).
  - rewrite sum_mul. apply Rle_trans with (strays h * / (1 + chi) * (1 + chi)); [| apply Req_le; field; lra].
    apply Rmult_le_compat_l; [| exact x2]. apply Rmult_le_pos; [exact s0 | left; apply Rinv_0_lt_compat; lra].
  - intros tau j. change (law star h tau) with (prob star (pi_of h) tau). destruct (prob_nonneg star (pi_of h) tau known_star (deploys_policy schedule h) j) as [a | a].
    + specialize (pos tau j a). unfold strays. rewrite !(L_cons K deploy). cbn [length]. rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, Ropp_plus_distr, exp_plus, (exp_Ropp (ln (1 + chi))), exp_ln by lra.
      unfold Statements.law_of. field. lra.
    + rewrite <- a. unfold Rdiv. ring.
Qed.
Definition low h : bool := Rleb (1 / e) (strays h).
Theorem event_C n : Pr n (ever low) <= e.
Proof.
  pose proof inv_e. pose proof e_range. eapply Rle_trans; [apply (Ville_each K known star deploy prob_nonneg prob_one known_star plays); [lra | apply strays_nonneg | apply strays_supermartingale |] | apply Req_le; field; lra].
  unfold strays, likelihood. simpl. rewrite Rmult_0_l, Ropp_0, exp_0. field.
Qed.
Lemma low_is h : valid h -> 0 < L star h -> low h = false -> L star h <= 1 / e * exp (grows (length h)) * L ibar h.
Proof.
  intros v p n. pose proof (L_ibar_pos h v p) as pi. assert (k : strays h < 1 / e) by (apply Rnot_le_lt; intro a; apply Rleb_spec in a; unfold low in n; congruence).
  unfold strays in k. rewrite exp_Ropp in k. pose proof (exp_pos (grows (length h))) as x. set (g := exp (grows (length h))) in *.
  replace (L star h) with (L star h / L ibar h * / g * (g * L ibar h)) by (field; lra). rewrite (Rmult_assoc (1 / e)).
  apply Rmult_le_compat_r; [left; now apply Rmult_lt_0_compat | lra].
Qed.
(** together L_t(i) - L_t(ibar) <= w_t for all i: ibar is never refuted *)
Lemma stays h : valid h -> 0 < L star h -> ever high h = false -> ever low h = false -> ever refuted h = false.
Proof.
  assert (now : forall h, valid h -> 0 < L star h -> high h = false -> low h = false -> refuted h = false).
  { clear h. intros h v p a b. destruct (refuted h) eqn:r; [| reflexivity]. exfalso. apply existsb_exists in r. destruct r as (i & ii & r). apply Rltb_spec in r.
    pose proof (low_is h v p b) as k. rewrite exp_w in r.
    assert (x : ratio i h < N / e).
    { apply Rnot_le_lt. intro x. apply Rleb_spec in x. enough (high h = true) by congruence. apply existsb_exists. eauto. }
    apply (Rmult_lt_compat_r (L star h)) in x; [| exact p]. rewrite ratio_is in x by exact p.
    pose proof N_e as ne. pose proof (Rmult_le_compat_l (N / e) _ _ ltac:(lra) k). lra. }
  induction h as [| tau h ih]; intros v p a b.
  - simpl in *. rewrite orb_false_r in *. now apply now.
  - rewrite ever_cons in *. apply orb_false_elim in a, b. destruct (tail tau h v p) as (v' & p' & _). rewrite ih, now; tauto.
Qed.
Theorem lemma_N n : Pr n (ever refuted) <= 2 * e.
Proof.
  replace (2 * e) with (e + e) by ring. eapply Rle_trans; [| apply Rplus_le_compat; [apply (event_A n) | apply (event_C n)]].
  eapply Rle_trans; [| apply (Pr_or Traj trajs (law star) law_plays)].
  apply (Pr_le Traj trajs (law star) law_plays). intros h v _ p x. destruct (ever high h) eqn:a; auto. destruct (ever low h) eqn:b; auto. now rewrite (stays h v p a b) in x.
Qed.

(** ** (B), as in Lemma B: sum_s l_s <= log (N/e) + (L_t(star) - L_t(i)) / 2 for every entry, with l = 2 h^2 / (2 - h^2) <= - log (1 - h^2) *)
Notation h2 xi pi := (hellinger2 trajs (prob xi pi) (prob star pi)).
Notation ell xi pi := (tells (h2 xi pi)).
Lemma h2_01 xi pi : known xi -> In pi policies -> 0 <= h2 xi pi <= 1.
Proof. intros. apply hellinger2_01; auto. Qed.
Lemma ell_nonneg xi pi : known xi -> In pi policies -> 0 <= ell xi pi.
Proof. intros i j. now apply tells_nonneg, h2_01. Qed.
Lemma ell_below xi pi : known xi -> In pi policies -> exp (ell xi pi) * affinity trajs (prob xi pi) (prob star pi) <= 1.
Proof.
  intros i j. replace (affinity trajs (prob xi pi) (prob star pi)) with (1 - h2 xi pi) by (unfold hellinger2; ring). now apply tells_below, h2_01.
Qed.
Notation info := (info K deploy (fun xi pi => ell xi pi)).
Notation tilted := (tilted K star deploy (fun xi pi => ell xi pi)).
Notation policy_info := (policy_info K known deploy plays (fun xi pi => ell xi pi) ell_nonneg).
Definition told h : bool := existsb (fun i => Rleb (N / e) (tilted i h)) models.
Theorem event_B n : Pr n (ever told) <= e.
Proof.
  apply (any n tilted); [apply e_range | apply N_ge_1 | lia | |].
  - intros i a. apply (told_each K known star deploy prob_nonneg known_star plays); auto using ell_below.
  - intros h _ _ x. apply existsb_exists in x. destruct x as (i & a & x). exists i. split; [exact a |]. now apply Rleb_spec.
Qed.

(** ** Where none of the three events fails, nothing is left to chance *)
Definition good h : Prop := valid h /\ 0 < L star h /\ ever high h = false /\ ever low h = false /\ ever told h = false.
Lemma good_tail tau h : good (tau :: h) -> good h.
Proof.
  intros (v & p & a & b & d). destruct (tail tau h v p) as (v' & p' & _). rewrite ever_cons in a, b, d. apply orb_false_elim in a, b, d. unfold good. tauto.
Qed.
Lemma good_stays h : good h -> ever refuted h = false.
Proof. intros (v & p & a & b & _). now apply stays. Qed.
Lemma ever_now (X : list Traj -> bool) h : ever X h = false -> X h = false.
Proof. destruct h; cbn [ever]; intro k; apply orb_false_elim in k; tauto. Qed.
(** (1) what is deployed is listed no later than ibar: r(pi) <= eps + V^pi(i) - V^pi(star) *)
Lemma Mmax_ge pi l : In pi l -> M pi <= fold_right (fun pi x => Rmax (M pi) x) 0 l.
Proof. induction l as [| x l ih]; intro i; [destruct i |]. cbn [fold_right]. destruct i as [-> | i]; [apply Rmax_l | eapply Rle_trans; [now apply ih | apply Rmax_r]]. Qed.
Lemma star_near pi : In pi policies -> value star pi <= value ibar pi + eps_V K chi M.
Proof.
  intro i. rewrite !f_is by auto. destruct (covered pi i) as [pos x2].
  pose proof (values_chi trajs (prob star pi) (prob ibar pi) f (c pi) (M pi) (fun x j => prob_nonneg star pi x known_star i j) (fun x j => prob_nonneg ibar pi x known_ibar i j)
    (prob_one star pi known_star i) (prob_one ibar pi known_ibar i) chi chi_nonneg pos x2 (M_is ibar pi known_ibar i)) as k.
  set (d := sum trajs (fun tau => prob star pi tau * f tau) - sum trajs (fun tau => prob ibar pi tau * f tau)) in *.
  enough (d <= eps_V K chi M) by (unfold d in *; lra). apply sq_le_sqrt. apply Rle_trans with (1 := k). apply Rmult_le_compat_l; [exact chi_nonneg | now apply Mmax_ge].
Qed.
Lemma v_star_ge xi pi : In pi policies -> value xi pi <= v_star K d0 xi.
Proof. apply argmax_le. Qed.
Lemma optimism h : good h -> gap (pi_of h) <= eps K chi q M + (value (xi_of h) (pi_of h) - value star (pi_of h)).
Proof.
  intro g. pose proof (level_value K d0 q _ _ q_nonneg (goes_down schedule h (good_stays h g))) as k. pose proof (star_near best best_in) as a.
  pose proof (v_star_ge ibar best best_in) as b. rewrite (deploys_optimal schedule h). unfold v_star in k at 2. unfold Statements.gap, eps. lra.
Qed.
(** (2) while i is left, L_t(i) >= L_t(ibar) - w_t >= L_t(star) - log (1/e) - t log (1 + chi) - w_t, so that sum l_s <= E_t *)
Lemma good_info h : good h -> info (xi_of h) h <= told_at_most K delta chi (length h).
Proof.
  intro g. pose proof (good_stays h g) as s. destruct g as (v & p & a & b & d). assert (im := deploys_model schedule h).
  pose proof (not_refuted schedule h s ibar ibar_in) as l. pose proof (low_is h v p (ever_now _ _ b)) as k. set (i := xi_of h) in *.
  pose proof N_e as ne. pose proof inv_e as ie. set (t := length h) in *.
  assert (tl : tilted i h < N / e).
  { apply Rnot_le_lt. intro x. apply Rleb_spec in x. apply ever_now in d. enough (told h = true) by congruence. apply existsb_exists. eauto. }
  set (u := w t + ln (1 / e) + grows t).
  assert (r : exp (- u) <= ratio i h).
  { rewrite exp_Ropp. apply (Rmult_le_reg_r (L star h)); [exact p |]. rewrite ratio_is by exact p.
    apply (Rmult_le_reg_l (exp u)); [apply exp_pos |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by (pose proof (exp_pos u); lra).
    apply Rle_trans with (1 := k). unfold u. rewrite !exp_plus, exp_ln by lra. pose proof (exp_pos (grows t)) as x.
    assert (y : 0 <= 1 / e * exp (grows t)) by (apply Rmult_le_pos; lra). pose proof (Rmult_le_compat_l _ _ _ y l). lra. }
  pose proof (info_at_most K star deploy (fun xi pi => ell xi pi) i h u (N / e) ltac:(lra) r tl) as x. unfold told_at_most. unfold u, margin in x. lra.
Qed.
(** (3) all episodes of a policy but its last count against the entry of its last epoch before that is refuted *)
Notation cp := (count Traj Policy Policy_dec pi_of).
Lemma told_grows s t : (s <= t)%nat -> told_at_most K delta chi s <= told_at_most K delta chi t.
Proof. intro k. apply le_INR in k. unfold told_at_most. pose proof (Rmult_le_compat_r _ _ _ ln_chi k). lra. Qed.
Lemma E_grows s t : (s <= t)%nat -> E_T s <= E_T t.
Proof. intro k. unfold E_at. apply Rle_max_compat_l. now apply told_grows. Qed.
Lemma E_ge_2 t : 2 <= E_T t. Proof. apply Rmax_l. Qed.
Definition excess pi : R := Rmax 0 (gap pi - eps K chi q M).
Lemma excess_square h : good h -> excess (pi_of h) * excess (pi_of h) <= 8 * M (pi_of h) * h2 (xi_of h) (pi_of h).
Proof.
  intro g. pose proof (optimism h g) as o. assert (im := known_in _ (deploys_model schedule h)). assert (ip := deploys_policy schedule h).
  set (d := value (xi_of h) (pi_of h) - value star (pi_of h)) in *. apply Rle_trans with (d * d).
  - unfold excess. destruct (Rle_dec (gap (pi_of h) - eps K chi q M) 0) as [k | k].
    + rewrite Rmax_left by exact k. rewrite Rmult_0_l. apply Rle_0_sqr.
    + rewrite Rmax_right by lra. apply Rmult_le_compat; lra.
  - unfold d. rewrite !f_is by auto. pose proof (values_hellinger trajs (prob (xi_of h) (pi_of h)) (prob star (pi_of h)) f (c (pi_of h)) (M (pi_of h))) as k.
    replace (base (pi_of h) + sum trajs (fun tau => prob (xi_of h) (pi_of h) tau * f tau) - (base (pi_of h) + sum trajs (fun tau => prob star (pi_of h) tau * f tau)))
      with (sum trajs (fun tau => prob (xi_of h) (pi_of h) tau * f tau) - sum trajs (fun tau => prob star (pi_of h) tau * f tau)) by ring. apply k; auto.
Qed.
Lemma M_nonneg pi : In pi policies -> 0 <= M pi.
Proof. intro i. eapply Rle_trans; [| apply (M_is star pi); auto]. apply sum_nonneg. intros. apply Rmult_le_pos; [auto | apply Rle_0_sqr]. Qed.
(** N_pi ((r(pi) - eps)^+)^2 <= 8 M_pi E_T *)
Lemma policy_count pi h : good h -> In pi policies -> cp pi h * (excess pi * excess pi) <= 8 * M pi * E_T (length h).
Proof.
  intros g i. pose proof (M_nonneg pi i) as m0. induction h as [| tau h ih].
  - simpl. rewrite Rmult_0_l. pose proof (E_ge_2 0). apply Rmult_le_pos; lra.
  - apply good_tail in g. specialize (ih g). cbn [count length]. destruct (Policy_dec pi (pi_of h)) as [k |].
    + pose proof (excess_square h g) as x. pose proof (good_info h g) as b. rewrite <- k in x. assert (im := known_in _ (deploys_model schedule h)).
      pose proof (policy_info pi (xi_of h) h im i) as y. pose proof (told_grows (length h) (S (length h)) ltac:(lia)) as up.
      assert (z : told_at_most K delta chi (S (length h)) <= E_T (S (length h))) by apply Rmax_r. pose proof (count_nonneg Traj Policy Policy_dec pi_of pi h) as cn.
      assert (le : (cp pi h + 1) * h2 (xi_of h) pi <= E_T (S (length h))).
      { apply leaving_episode; [now apply h2_01 | apply E_ge_2 |]. replace (cp pi h + 1 - 1) with (cp pi h) by ring. lra. }
      apply Rle_trans with ((cp pi h + 1) * (8 * M pi * h2 (xi_of h) pi)); [apply Rmult_le_compat_l; lra |].
      replace ((cp pi h + 1) * (8 * M pi * h2 (xi_of h) pi)) with (8 * M pi * ((cp pi h + 1) * h2 (xi_of h) pi)) by ring. apply Rmult_le_compat_l; lra.
    + rewrite Rplus_0_r. apply Rle_trans with (1 := ih). apply Rmult_le_compat_l; [lra | apply E_grows; lia].
Qed.
(** (4) a policy that is best at star costs nothing; Cauchy and Schwarz over the others of D *)
Lemma eps_nonneg : 0 <= eps K chi q M.
Proof. unfold eps, eps_V. pose proof (sqrt_pos (chi * fold_right (fun pi x => Rmax (M pi) x) 0 policies)). lra. Qed.
Lemma total_regret h : total Traj (fun h => gap (pi_of h)) h = regret h.
Proof. induction h; simpl; congruence. Qed.
Lemma others_ge : sum (remove Policy_dec best policies) M <= others K M cheapest.
Proof.
  unfold others. pose proof (sum_remove Policy_dec policies best M policies_nodup best_in) as a. pose proof (sum_remove Policy_dec policies cheapest M policies_nodup cheapest_in) as b.
  pose proof (cheapest_is best best_in). lra.
Qed.
Theorem data_regret h : good h -> regret h <= data_bound K delta chi q M cheapest (length h).
Proof.
  intro g. assert (plays : forall h, good h -> In (pi_of h) policies) by (intros; apply schedule). set (t := length h). pose proof (E_ge_2 t) as e2. pose proof eps_nonneg as ep.
  rewrite <- total_regret, <- (sum_part Traj Policy Policy_dec policies pi_of (fun h => gap (pi_of h)) good good_tail plays policies_nodup h g).
  rewrite <- (sum_remove_zero Policy_dec policies best) by (rewrite (part_is Traj Policy Policy_dec pi_of gap); unfold Statements.gap; ring).
  set (l := remove Policy_dec best policies). assert (il : forall pi, In pi l -> In pi policies) by (intros pi i; now apply in_remove in i).
  assert (cn : sum l (fun pi => cp pi h) <= INR t).
  { unfold t. rewrite <- (sum_count Traj Policy Policy_dec policies pi_of good good_tail plays policies_nodup h g). apply sum_remove_le. intros; apply count_nonneg. }
  assert (c0 : 0 <= sum l (fun pi => cp pi h)) by (apply sum_nonneg; intros; apply count_nonneg).
  apply Rle_trans with (sum l (fun pi => eps K chi q M * cp pi h + sqrt (8 * M pi * E_T t) * sqrt (cp pi h))).
  - apply sum_le. intros pi i. apply il in i. rewrite (part_is Traj Policy Policy_dec pi_of gap). pose proof (count_nonneg Traj Policy Policy_dec pi_of pi h) as cp0.
    pose proof (M_nonneg pi i) as m0. assert (x0 : gap pi <= eps K chi q M + excess pi) by (unfold excess; pose proof (Rmax_r 0 (gap pi - eps K chi q M)); lra).
    apply Rle_trans with (eps K chi q M * cp pi h + cp pi h * excess pi); [pose proof (Rmult_le_compat_l _ _ _ cp0 x0); lra |]. apply Rplus_le_compat_l.
    rewrite <- sqrt_mult_alt by (apply Rmult_le_pos; lra). apply sq_le_sqrt. replace (cp pi h * excess pi * (cp pi h * excess pi)) with (cp pi h * (excess pi * excess pi) * cp pi h) by ring.
    apply Rmult_le_compat_r; [exact cp0 | now apply policy_count].
  - rewrite sum_add, sum_mul. unfold data_bound. apply Rplus_le_compat; [now apply Rmult_le_compat_l |]. apply sq_le_sqrt.
    eapply Rle_trans; [apply (Cauchy_Schwarz l (fun pi => sqrt (8 * M pi * E_T t)) (fun pi => sqrt (cp pi h))) |].
    rewrite (sum_ext l (fun x => sqrt (8 * M x * E_T t) * sqrt (8 * M x * E_T t)) (fun x => 8 * E_T t * M x)).
    2:{ intros pi i. rewrite sqrt_sqrt; [ring |]. apply il in i. pose proof (M_nonneg pi i). apply Rmult_le_pos; lra. }
    rewrite (sum_ext l (fun x => sqrt (cp x h) * sqrt (cp x h)) (fun x => cp x h)) by (intros; apply sqrt_sqrt, count_nonneg).
    rewrite sum_mul. pose proof others_ge as o. fold l in o. assert (s0 : 0 <= sum l M) by (apply sum_nonneg; intros; now apply M_nonneg, il).
    apply Rmult_le_compat; [apply Rmult_le_pos; lra | exact c0 | | exact cn]. apply Rmult_le_compat_l; lra.
Qed.
(** Theorem N on a net: after some episode ibar has been refuted, or data episodes have lost more than the bound for the episodes so far *)
Definition violated h : bool := ever refuted h || Rltb (data_bound K delta chi q M cheapest (length h)) (regret h).
Lemma not_violated h : good h -> violated h = false.
Proof.
  intro g. unfold violated. rewrite (good_stays h g). cbn [orb]. destruct (Rltb _ _) eqn:x; [| reflexivity]. apply Rltb_spec in x. pose proof (data_regret h g). lra.
Qed.
Theorem theorem_N_net T : Pr T (ever violated) <= 2 * delta.
Proof.
  replace (2 * delta) with (e + (e + e)) by (unfold share; field).
  eapply Rle_trans; [| apply Rplus_le_compat; [apply (event_A T) | apply Rplus_le_compat; [apply (event_C T) | apply (event_B T)]]].
  eapply Rle_trans; [| apply Rplus_le_compat_l, (Pr_or Traj trajs (law star) law_plays)]. eapply Rle_trans; [| apply (Pr_or Traj trajs (law star) law_plays)].
  apply (Pr_le Traj trajs (law star) law_plays). intros h v _ p x.
  destruct (ever high h) eqn:a; auto. destruct (ever low h) eqn:b; auto. destruct (ever told h) eqn:d; auto. exfalso.
  assert (g : good h) by (unfold good; auto). clear a b d v p.
  induction h as [| tau h ih].
  - simpl in x. rewrite orb_false_r in x. now rewrite not_violated in x.
  - rewrite ever_cons, not_violated in x by exact g. cbn [orb] in x. apply ih; [exact x | eapply good_tail, g].
Qed.
End Proof.

(** ** The joint test as a rule: it walks down the list of the points, and refutes one where L_t(i) < max L_t - w_t *)
Section Rule.
Variables (K : class) (delta chi : R) (d0 : Model K * Policy K).
Notation models := (the_models K).
Notation policies := (the_policies K).
Notation optimal := (Statements.optimal K d0).
Notation w := (margin K delta chi).
Definition passes (t : nat) (l : Model K -> R) xi : bool := forallb (fun eta => Rleb (l eta) (l xi * exp (w t))) models.
Definition joint_test := walker K d0 models passes.
Lemma passes_same t f g xi : (forall eta, f eta = g eta) -> passes t f xi = passes t g xi.
Proof. intro e. unfold passes. induction models as [| x l ih]; [reflexivity |]. cbn [forallb]. rewrite ih, (e x), (e xi). reflexivity. Qed.
Notation pass := (pass K d0 models passes).
Hypothesis d0_in : In (fst d0) models /\ In (snd d0) policies.
Lemma joint_test_policy xi : In (optimal xi) policies.
Proof. apply argmax_in. destruct d0_in as [_ i]. destruct policies; [destruct i | discriminate]. Qed.

(** *** The walk *)
Variables (q : R) (ibar : Model K).
Hypothesis ibar_in : In ibar models.
Hypothesis delta_range : 0 < delta <= 1.
Notation level := (level K d0 q).
Definition not_above i j : Prop := level j <= level i.
(** the list has the points by level descending *)
Hypothesis sorted : StronglySorted not_above models.
Notation refuted := (refuted K ibar delta chi joint_test).
Lemma pass_ibar h : refuted h = false -> pass h ibar = true.
Proof.
  intro r. apply forallb_forall. intros eta i. apply Rleb_spec. apply Rnot_lt_le. intro l. apply Rltb_spec in l.
  enough (refuted h = true) by congruence. apply existsb_exists. eauto.
Qed.
Lemma pass_first xi : pass [] xi = true.
Proof.
  apply forallb_forall. intros eta _. apply Rleb_spec. unfold likelihood. simpl.
  rewrite (exp_w K ibar ibar_in delta chi delta_range). simpl. rewrite Rmult_0_l, exp_0. pose proof (N_e K ibar ibar_in delta delta_range). pose proof (inv_e delta delta_range).
  assert (1 * 1 <= points K / share delta * (1 / share delta)) by (apply Rmult_le_compat; lra). lra.
Qed.
Notation walks := (walks K d0 models passes passes_same ibar refuted ibar_in pass_ibar pass_first).
Theorem joint_test_walks : net_schedule K ibar delta chi q d0 joint_test.
Proof.
  split.
  - intro h. apply joint_test_policy.
  - intro h. exact (front_in K d0 models passes passes_same h (proj1 d0_in)).
  - reflexivity.
  - intros h r eta i. destruct (walks h r) as (_ & _ & p). unfold NestedRule.pass, passes in p. rewrite forallb_forall in p. now apply Rleb_spec, p.
  - intros h r. destruct (walks h r) as (i & s & _). specialize (s _ sorted). change (xi_of K joint_test h) with (hd (fst d0) (remaining K (walk K d0 models passes h))).
    destruct s as [| y l s a]; [destruct i |]. destruct i as [<- | i]; [apply Rle_refl | now apply (proj1 (Forall_forall _ _) a)].
Qed.
(** (5) it warms up at most once a run of one policy in the list down to the first entry of ibar *)
Definition net_runs : nat := runs_of K (map optimal (down_to K ibar models)).
Theorem starts_le h : ever refuted h = false -> (starts K (another K joint_test) h <= net_runs)%nat.
Proof. exact (starts_at_most K d0 models passes passes_same ibar refuted ibar_in pass_ibar pass_first h). Qed.
(** rho <= N *)
Lemma runs_le_points : (net_runs <= length models)%nat.
Proof.
  assert (a : forall l, (runs_of K l <= length l)%nat).
  { induction l as [| p l ih]; [apply le_n |]. cbn [runs_of length]. destruct l as [| x l']; [simpl; lia |]. destruct (policy_dec K p x); lia. }
  unfold net_runs. eapply Nat.le_trans; [apply a |]. rewrite map_length. clear. induction models as [| x l ih]; [apply le_n |]. cbn [down_to length].
  destruct (model_dec K x ibar); simpl; lia.
Qed.
End Rule.

(** ** The order of the list where q > 0: by the value in quanta, descending, then by the policy, up at even numbers of quanta and down at odd ones *)
Section Order.
Variables (K : class) (d0 : Model K * Policy K) (q : R).
Hypothesis d0_in : In (snd d0) (the_policies K).
Hypothesis q_pos : 0 < q.
Notation models := (the_models K).
Notation policies := (the_policies K).
Notation optimal := (Statements.optimal K d0).
Open Scope Z_scope.
Definition quanta i : Z := ceiling (v_star K d0 i / q).
Definition turn i : Z := Z.of_nat (place K (optimal i) policies).
Definition in_order i j : Prop := quanta j < quanta i \/ quanta i = quanta j /\ if Z.even (quanta i) then turn i <= turn j else turn j <= turn i.
Lemma in_order_not_above i j : in_order i j -> not_above K d0 q i j.
Proof.
  unfold not_above, level. intro o. destruct (Req_EM_T q 0) as [e | _]; [lra |]. apply IZR_le. fold (quanta i) (quanta j). destruct o as [o | [o _]]; lia.
Qed.
Lemma in_order_sorted l : StronglySorted in_order l -> StronglySorted (not_above K d0 q) l.
Proof. induction 1 as [| x l s ih a]; constructor; [exact ih |]. eapply Forall_impl; [| exact a]. apply in_order_not_above. Qed.
Lemma ceiling_least x n : (x <= IZR n)%R -> ceiling x <= n.
Proof. intro h. pose proof (ceiling_is x) as c. apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra. Qed.
Notation last := (Z.of_nat (length policies) - 1).
Lemma place_in p l : In p l -> (place K p l < length l)%nat.
Proof. intro i. pose proof (place_lt K p l [] i) as k. now rewrite app_nil_r in k. Qed.
Lemma optimal_in_D i : In (optimal i) policies.
Proof. apply argmax_in. destruct policies; [destruct d0_in | discriminate]. Qed.
Lemma turn_range i : 0 <= turn i <= last.
Proof. unfold turn. pose proof (place_in _ _ (optimal_in_D i)). lia. Qed.
Lemma place_same p p' l : In p l -> In p' l -> place K p l = place K p' l -> p = p'.
Proof.
  induction l as [| x l ih]; [intros [] |]. cbn [place]. intros i i' e. destruct (policy_dec K x p) as [a | a], (policy_dec K x p') as [b | b]; try congruence.
  destruct i as [i | i]; [congruence |]. destruct i' as [i' | i']; [congruence |]. apply ih; auto.
Qed.
(** where an entry stands on a walk that goes through all policies in every number of quanta from b downwards *)
Variable b : Z.
Definition walked i : Z := (b - quanta i) * last + if Z.even (quanta i) then turn i else last - turn i.
Lemma walk_on i j : in_order i j -> walked i + (if policy_dec K (optimal i) (optimal j) then 0 else 1) <= walked j.
Proof.
  intro o. pose proof (turn_range i) as ti. pose proof (turn_range j) as tj. unfold walked.
  assert (ne : optimal i <> optimal j -> turn i <> turn j).
  { intros n e. apply n. apply (place_same _ _ policies (optimal_in_D i) (optimal_in_D j)). unfold turn in e. lia. }
  destruct o as [o | [o p]].
  - assert (k : quanta i = quanta j + 1 \/ quanta j + 2 <= quanta i) by lia. destruct k as [k | k].
    + assert (z : (b - quanta i) * last = (b - quanta j) * last - last) by (rewrite k; ring). rewrite z, k, Z.add_1_r, Z.even_succ, <- Z.negb_even.
      destruct (policy_dec K (optimal i) (optimal j)) as [_ | n]; [| specialize (ne n)]; destruct (Z.even (quanta j)); cbn [negb]; lia.
    + pose proof (Z.mul_nonneg_nonneg (quanta i - quanta j - 2) last ltac:(lia) ltac:(lia)) as z. destruct (policy_dec K (optimal i) (optimal j)) as [_ | n]; [| specialize (ne n)]; destruct (Z.even (quanta i)), (Z.even (quanta j)); lia.
  - rewrite o in *. destruct (policy_dec K (optimal i) (optimal j)) as [_ | n]; [| specialize (ne n)]; destruct (Z.even (quanta j)); lia.
Qed.
Lemma runs_walked top i l : StronglySorted in_order (i :: l) -> Forall (fun j => walked j <= top) (i :: l) ->
  Z.of_nat (runs_of K (map optimal (i :: l))) + walked i <= 1 + top.
Proof.
  revert i. induction l as [| j l ih]; intros i s f; inversion s as [| x y s' a]; inversion f as [| x' y' fi f']; subst; [cbn [map runs_of]; lia |].
  specialize (ih j s' f'). inversion a as [| x y o _]; subst. apply walk_on in o. cbn [map runs_of] in *. destruct (policy_dec K (optimal i) (optimal j)); lia.
Qed.
End Order.
(** rho <= (|D| - 1) (ceiling (Delta / q) + 1) + 1, Delta bounding the difference of two values *)
Theorem runs_le_quanta (K : class) (d0 : Model K * Policy K) (q Delta : R) (ibar : Model K) : In (snd d0) (the_policies K) -> 0 < q ->
  StronglySorted (in_order K d0 q) (the_models K) -> In ibar (the_models K) ->
  (forall i j, In i (the_models K) -> In j (the_models K) -> v_star K d0 i - v_star K d0 j <= Delta) ->
  (Z.of_nat (net_runs K d0 ibar) <= (Z.of_nat (length (the_policies K)) - 1) * (ceiling (Delta / q) + 1) + 1)%Z.
Proof.
  intros hd q0 s ii wide. unfold net_runs. destruct (the_models K) as [| x l] eqn:e; [destruct ii |].
  set (b := quanta K d0 q x). set (n := ceiling (Delta / q)). set (last := (Z.of_nat (length (the_policies K)) - 1)%Z).
  assert (part : forall (P : Model K -> Prop) m, Forall P m -> Forall P (down_to K ibar m)).
  { intros P m f. induction f as [| y m py f ih]; [constructor |]. cbn [down_to]. constructor; [exact py |]. destruct (model_dec K y ibar); [constructor | exact ih]. }
  assert (sd : StronglySorted (in_order K d0 q) (down_to K ibar (x :: l))).
  { clear - s part. induction s as [| y m s ih a]; [constructor |]. cbn [down_to]. destruct (model_dec K y ibar); [repeat constructor |]. constructor; [exact ih | now apply part]. }
  assert (top : Forall (fun j => walked K d0 q b j <= n * last + last)%Z (x :: l)).
  { apply Forall_forall. intros j ij. pose proof (turn_range K d0 hd j) as t. fold last in t. unfold walked. fold last.
    assert (k : (b - quanta K d0 q j <= n)%Z).
    { enough (b <= quanta K d0 q j + n)%Z by lia. apply ceiling_least. rewrite plus_IZR. pose proof (ceiling_is (v_star K d0 j / q)) as cj. pose proof (ceiling_is (Delta / q)) as cd.
      specialize (wide x j (or_introl eq_refl) ij). fold (quanta K d0 q j) in cj. fold n in cd.
      assert (z : (v_star K d0 x / q <= v_star K d0 j / q + Delta / q)%R).
      { unfold Rdiv. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra]. }
      lra. }
    apply Z.add_le_mono; [apply Z.mul_le_mono_nonneg_r; lia | destruct (Z.even _); lia]. }
  pose proof (part _ _ top) as tp. cbn [down_to] in *. set (r := if model_dec K x ibar then [] else down_to K ibar l) in *.
  pose proof (runs_walked K d0 q hd b (n * last + last) x r sd tp) as k.
  assert (w : (0 <= walked K d0 q b x)%Z).
  { unfold walked. fold b. pose proof (turn_range K d0 hd x) as t. fold last in t |- *. destruct (Z.even b); lia. }
  fold last. lia.
Qed.

(** ** Theorem N on interval axes: eps T + sqrt (8 E_T sum M T) + (m - 1) R' rho *)
Definition net_bound (K : class) (delta chi q : R) (M : Policy K -> R) (cheapest : Policy K) (d0 : Model K * Policy K) (m : nat) (later : R) (ibar : Model K) (t : nat) : R :=
  data_bound K delta chi q M cheapest t + INR (m - 1) * later * INR (net_runs K d0 ibar).
Section Theorem_N_net.
Variable K : class.
Notation policies := (the_policies K).
Notation trajs := (the_trajs K).
Variables (star ibar : Model K) (best : Policy K) (delta chi q : R) (d0 : Model K * Policy K).
Hypothesis delta_range : 0 < delta <= 1.
Hypothesis q_nonneg : 0 <= q.
Hypothesis chi_nonneg : 0 <= chi.
Hypothesis d0_in : In (fst d0) (the_models K) /\ In (snd d0) policies.
(** the list: by level, descending *)
Hypothesis sorted : StronglySorted (not_above K d0 q) (the_models K).
Hypothesis policies_nodup : NoDup policies.
(** star and the net points have laws of play *)
Hypothesis prob_nonneg : forall xi pi tau, known K star xi -> In pi policies -> In tau trajs -> 0 <= prob K xi pi tau.
Hypothesis prob_one : forall xi pi, known K star xi -> In pi policies -> sum trajs (prob K xi pi) = 1.
(** regret is against a policy of D: against a best one at star, of which D has one (policies that are enough), so that value star best is v*;
    the proof does not use that it is best *)
Hypothesis best_in : In best policies.
(** ibar is the point of star's cell *)
Hypothesis ibar_in : In ibar (the_models K).
Hypothesis covered : forall pi, In pi policies -> (forall tau, In tau trajs -> 0 < prob K star pi tau -> 0 < prob K ibar pi tau) /\
  sum trajs (fun tau => prob K star pi tau * prob K star pi tau / prob K ibar pi tau) <= 1 + chi.
(** M_pi >= E (f - c_pi)^2, f being the return but for what has one mean in all models *)
Variables (f : Traj K -> R) (base c M : Policy K -> R) (cheapest : Policy K).
Hypothesis f_is : forall xi pi, known K star xi -> In pi policies -> value K xi pi = base pi + sum trajs (fun tau => prob K xi pi tau * f tau).
Hypothesis M_is : forall xi pi, known K star xi -> In pi policies -> sum trajs (fun tau => prob K xi pi tau * ((f tau - c pi) * (f tau - c pi))) <= M pi.
Hypothesis cheapest_in : In cheapest policies.
Hypothesis cheapest_is : forall pi, In pi policies -> M cheapest <= M pi.
(** warm-up: m - 1 episodes wherever the policy changes, each of which loses R' = later at most (as in WarmUp.v);
    before the first episode any policies have been played *)
Variables (m : nat) (low later : R) (worth : list (Policy K) -> R) (all past : list (Policy K)).
Hypothesis m_pos : (1 <= m)%nat.
Hypothesis later_nonneg : 0 <= later.
Hypothesis all_in : forall pi, In pi policies -> In pi all.
Hypothesis past_long : (m <= S (length past))%nat.
Hypothesis past_in : forall pi, In pi past -> In pi all.
Hypothesis best_high : value K star best <= low + later.
Hypothesis worth_low : forall block, length block = m -> (forall pi, In pi block -> In pi all) -> low <= worth block.
Hypothesis stationary : forall pi, In pi all -> worth (repeat pi m) = value K star pi.
(** the class with all policies in the place of D *)
Notation K_all := (Class (Model K) (Policy K) (Traj K) (model_dec K) (policy_dec K) (the_models K) all trajs (prob K) (payoff K)).
Notation learner := (joint_test K delta chi d0).
Notation bound := (net_bound K delta chi q M cheapest d0 m later ibar).
(** policy regret of all episodes, warm-up included *)
Definition PR h : R := calendar_regret K star best m worth past (calendar K learner (another K learner) m h).
(** with probability at least 1 - 2 delta, at all times up to T together, whatever T: ibar is not refuted, and policy regret is at most the bound *)
Theorem regret_of_joint_test T : Pr trajs (law_of K learner star) T (ever (fun h =>
  refuted K ibar delta chi learner h || Rltb (bound (length h)) (PR h))) <= 2 * delta.
Proof.
  pose proof (joint_test_walks K delta chi d0 d0_in q ibar ibar_in delta_range sorted) as s.
  eapply Rle_trans; [| exact (theorem_N_net K star ibar ibar_in prob_nonneg prob_one policies_nodup best best_in delta chi q f base c M cheapest d0 delta_range q_nonneg
    chi_nonneg covered f_is M_is cheapest_in cheapest_is learner s T)].
  apply Pr_le; [intros h tau _ i; apply prob_nonneg; [now left | apply s | exact i] |]. intros h _ _ _. apply ever_weaker. intros h' x. unfold violated.
  destruct (ever (refuted K ibar delta chi learner) h') eqn:r; [reflexivity |]. apply orb_prop in x. destruct x as [x | x].
  { apply ever_here in x. congruence. }
  apply Rltb_spec in x. apply Rltb_spec. unfold net_bound in x.
  pose proof (cost_le K_all low later star best learner (another K learner) (fun h => all_in _ (deploys_policy _ _ _ _ _ _ _ s h)) eq_refl (another_keeps K learner) m worth past m_pos
    past_long past_in best_high worth_low stationary h') as cl.
  change (PR h' <= regret K learner star best h' + INR (m - 1) * later * INR (starts K (another K learner) h')) in cl.
  pose proof (le_INR _ _ (starts_le K delta chi d0 ibar ibar_in delta_range h' r)) as st. assert (z : 0 <= INR (m - 1) * later) by (apply Rmult_le_pos; auto using pos_INR).
  pose proof (Rmult_le_compat_l _ _ _ z st). lra.
Qed.
End Theorem_N_net.
