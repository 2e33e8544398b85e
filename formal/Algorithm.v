(** The paper's Algorithm 1 on a finite class: it is optimistic on a confidence set that holds the truth, its deployed model is within the
    threshold, its epochs are few; hence the explicit bound (docs/bound.md, "For a finite class") on its policy regret, warm-up included. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger ScheduleBound WarmUp NestedRule LikelihoodEvents AlgorithmBound.
Open Scope R_scope.

(** ** The bound: N models, P policies *)
Section Numbers.
Variables (K : class) (span later c B_0 delta : R) (m : nat).
Notation N := (INR (length (the_models K))).
Definition u_1 : R := ln (8 * N / delta).                          (* u = log N + log (8 / delta) *)
Definition Lambda (t : nat) : R := 2 * ln ((INR t + 1) * (INR t + 2) / 2) + ln (/ delta).
Definition tau_1 t : R := 2 * c * (ln N + Lambda t + INR m * B_0) + C_0 * B_0 * Lambda t.
(** what an epoch that the test ends has told, at least *)
Definition firing : R := 7 / 12 * (c * (u_1 + INR m * B_0)).
Definition switches t : R := ln (INR t + 2) / ln 2 + E_T K B_0 u_1 tau_1 t / firing.
(** h models are harmful where star is true; [costly] has a policy that one of them may deploy, with what an episode tells against it at least *)
Variables (star : Model K) (best : Policy K) (told : nat * list (Policy K * R)).
Definition log_harmful : R := ln (2 * INR (Nat.max 1 (fst told)) / delta).
Definition filled t : R := fill (gap K star best) (snd told) (episodes_of (log_harmful + tau_1 t / 2)) (INR t).
(** span bounds the range that optimism may misjudge, later that of what an episode of warm-up may lose *)
Definition algorithm_bound t : R := Rmin (root_at K span B_0 u_1 tau_1 t) (filled t) + INR (m - 1) * later * switches t.
End Numbers.

Lemma split_flat_map {A B} (g : A -> list B) l b x a : flat_map g l = b ++ x :: a -> exists l1 y l2 c, l = l1 ++ y :: l2 /\ In x (g y) /\ b = flat_map g l1 ++ c.
Proof.
  revert b. induction l as [| y l ih]; intros b e; [destruct b; discriminate |]. cbn [flat_map] in e. apply app_eq_app in e.
  destruct e as (c & [[e1 e2] | [e1 e2]]).
  - destruct c as [| z c]; [| exists [], y, l, b; split; [reflexivity |]; injection e2 as <- e2; split; [rewrite e1; apply in_or_app; right; now left | reflexivity]].
    destruct (ih [] (eq_sym e2)) as (l1 & y' & l2 & c & s & i & k). rewrite app_nil_r in e1. exists (y :: l1), y', l2, c. split; [now rewrite s |]. split; [exact i |].
    cbn [flat_map]. now rewrite <- app_assoc, <- k, app_nil_r.
  - destruct (ih c e2) as (l1 & y' & l2 & c' & s & i & k). exists (y :: l1), y', l2, c'. split; [now rewrite s |]. split; [exact i |].
    cbn [flat_map]. now rewrite <- app_assoc, <- k.
Qed.

Section Algorithm.
Variables (K : class) (c B_0 delta : R) (m : nat) (d0 : Model K * Policy K).
Hypothesis c_range : 16 <= c.
Hypothesis B_0_range : 1 <= B_0.
Hypothesis delta_range : 0 < delta <= 1.
Hypothesis m_pos : (1 <= m)%nat.
Hypothesis d0_in : In (fst d0) (the_models K) /\ In (snd d0) (the_policies K).
Notation trajs := (the_trajs K).
Notation learner := (algorithm_1 K c B_0 delta m d0).
Notation cur := (current K c B_0 delta m d0).
Notation e_at h := (number K (cur h)).
Notation t_at h := (episodes K (cur h)).
Notation beta := (Statements.beta_e K c B_0 delta m).
Notation tau := (Statements.tau_e K c B_0 delta m).
Notation within := (Statements.within K).
Notation L := (likelihood K learner).
Notation pi_at := (pi_of K learner).
Notation xi_at := (xi_of K learner).
Hypothesis prob_nonneg : forall xi pi x, In xi (the_models K) -> In pi (the_policies K) -> In x trajs -> 0 <= prob K xi pi x.

(** ** The constants *)
Notation log_N := (ln (INR (length (the_models K)))).
Lemma N_pos : 1 <= INR (length (the_models K)).
Proof. clear - d0_in. destruct d0_in as [i _]. change 1 with (INR 1). apply le_INR. destruct (the_models K); [destruct i | simpl; lia]. Qed.
Lemma mB : 1 <= INR m * B_0.
Proof. pose proof (le_INR _ _ m_pos) as k. simpl in k. nra. Qed.
Lemma log_N_nonneg : 0 <= log_N. Proof. apply ln_above, N_pos. Qed.
Lemma inv_delta : 1 <= / delta. Proof. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. Qed.
Lemma log_delta_nonneg : 0 <= ln (/ delta). Proof. apply ln_above, inv_delta. Qed.
Lemma ln_mono x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros h [l | <-]; [left; now apply ln_increasing | lra]. Qed.
Lemma u_is : u_1 K delta = log_N + ln (8 * / delta).
Proof. unfold u_1. pose proof N_pos. pose proof inv_delta. rewrite <- ln_mult by lra. f_equal. unfold Rdiv. ring. Qed.
Lemma inv_delta_e e : (1 <= e)%nat -> / delta_e delta e = 2 * (INR e * INR e) * / delta /\ 1 <= INR e /\ 1 <= INR e * INR e.
Proof. intro h. apply le_INR in h. simpl in h. split; [| split; [exact h | nra]]. unfold delta_e. field. lra. Qed.
Lemma inv_delta_at e t : (1 <= e)%nat -> (1 <= t)%nat -> / delta_at delta e t = 2 * INR t * (INR t + 1) * / delta_e delta e /\ 1 <= INR t.
Proof.
  intros h k. destruct (inv_delta_e e h) as (d & h' & e2). apply le_INR in k. simpl in k. split; [| exact k]. unfold delta_at, delta_e. field. lra.
Qed.
Lemma C_B : 3 <= C_0 * B_0. Proof. pose proof C_0_above. nra. Qed.
Lemma beta_enough e : (1 <= e)%nat -> 2 * u_1 K delta <= beta e.
Proof.
  intro h. destruct (inv_delta_e e h) as (d & h' & e2). unfold beta_e, beta_of. rewrite d, u_is. pose proof inv_delta. pose proof log_delta_nonneg. pose proof log_N_nonneg. pose proof mB.
  assert (l : ln (/ delta) <= ln (2 * (INR e * INR e) * / delta)) by (apply ln_mono; nra).
  assert (l8 : ln (8 * / delta) <= 7 + ln (/ delta)).
  { rewrite ln_mult by lra. pose proof (exp_ineq1_le (ln 8)) as k. rewrite exp_ln in k by lra. lra. }
  apply Rle_trans with (16 * (log_N + ln (2 * (INR e * INR e) * / delta) + INR m * B_0)); [lra | apply Rmult_le_compat_r; lra].
Qed.
(** the running radius is not less than that of the epoch, and than c (u + m B_0) *)
Lemma beta_running e t : (1 <= e)%nat -> (1 <= t)%nat -> beta e <= beta_of K c B_0 m (delta_at delta e t) /\
  c * (u_1 K delta + INR m * B_0) <= beta_of K c B_0 m (delta_at delta e t).
Proof.
  intros h k. destruct (inv_delta_e e h) as (d & h' & e2). destruct (inv_delta_at e t h k) as [d' k']. unfold beta_e, beta_of. rewrite d', u_is, d. pose proof inv_delta.
  split; apply Rmult_le_compat_l; try lra.
  - assert (ln (2 * (INR e * INR e) * / delta) <= ln (2 * INR t * (INR t + 1) * (2 * (INR e * INR e) * / delta))); [| lra]. apply ln_mono; [nra |].
    assert (1 <= 2 * INR t * (INR t + 1)) by nra. assert (0 <= 2 * (INR e * INR e) * / delta) by nra. nra.
  - assert (ln (8 * / delta) <= ln (2 * INR t * (INR t + 1) * (2 * (INR e * INR e) * / delta))); [| lra]. apply ln_mono; [lra |].
    assert (4 <= 2 * INR t * (INR t + 1)) by nra. assert (2 * / delta <= 2 * (INR e * INR e) * / delta) by nra. nra.
Qed.
Lemma epochs_and_episodes e t : (2 * (e * (2 * t + 1)) <= (e + t) * (e + t + 1))%nat.
Proof. destruct (Nat.le_gt_cases e t); nia. Qed.
(** Lambda_T dominates every log (2t(t+1) / delta_e), and beta_e is below the threshold too *)
Lemma Lambda_above e t T : (1 <= e)%nat -> (1 <= t)%nat -> (t + e <= T + 1)%nat -> ln (/ delta_at delta e t) <= Lambda delta T.
Proof.
  intros h k l. destruct (inv_delta_e e h) as (d & h' & e2). destruct (inv_delta_at e t h k) as [d' k']. rewrite d', d. unfold Lambda. pose proof inv_delta. pose proof (pos_INR T) as T0.
  set (s := (INR T + 1) * (INR T + 2) / 2). assert (s0 : 1 <= s) by (unfold s; nra).
  replace (2 * ln s + ln (/ delta)) with (ln (s * s * / delta)) by (rewrite !ln_mult by nra; ring). apply ln_mono; [apply Rmult_lt_0_compat; nra |].
  assert (q : INR e * (2 * INR t + 1) <= s).
  { pose proof (epochs_and_episodes e t) as n. assert (n' : (2 * (e * (2 * t + 1)) <= (T + 1) * (T + 2))%nat) by nia. apply le_INR in n'.
    rewrite !mult_INR, !plus_INR, !mult_INR in n'. simpl in n'. unfold s. lra. }
  assert (q0 : 0 <= INR e * (2 * INR t + 1)) by nra. pose proof (Rmult_le_compat _ _ _ _ q0 q0 q q) as qq.
  replace (2 * INR t * (INR t + 1) * (2 * (INR e * INR e) * / delta)) with (INR e * INR e * (4 * INR t * (INR t + 1)) * / delta) by ring.
  apply Rmult_le_compat_r; [lra |]. apply Rle_trans with (2 := qq). replace (INR e * (2 * INR t + 1) * (INR e * (2 * INR t + 1))) with (INR e * INR e * (4 * INR t * (INR t + 1) + 1)) by ring.
  apply Rmult_le_compat_l; nra.
Qed.
Lemma tau_below e t T : (1 <= e)%nat -> (1 <= t)%nat -> (t + e <= T + 1)%nat -> tau e t <= tau_1 K c B_0 delta m T.
Proof.
  intros h k l. pose proof (Lambda_above e t T h k l) as a. unfold tau_e, beta_of, tau_1. pose proof C_B. set (x := ln (/ _)) in *. set (y := Lambda _ _) in *.
  apply Rplus_le_compat; [rewrite (Rmult_assoc 2 c); apply Rmult_le_compat_l; [lra |]; apply Rmult_le_compat_l; lra | apply Rmult_le_compat_l; lra].
Qed.
Lemma Lambda_grows s t : (s <= t)%nat -> Lambda delta s <= Lambda delta t.
Proof. intro h. apply le_INR in h. pose proof (pos_INR s). unfold Lambda. apply Rplus_le_compat_r, Rmult_le_compat_l; [lra |]. apply ln_mono; nra. Qed.
Lemma Lambda_nonneg t : 0 <= Lambda delta t.
Proof. unfold Lambda. pose proof log_delta_nonneg. pose proof (pos_INR t). assert (0 <= ln ((INR t + 1) * (INR t + 2) / 2)) by (apply ln_above; nra). lra. Qed.
Lemma beta_below e T : (1 <= e)%nat -> (e <= T + 1)%nat -> beta e <= tau_1 K c B_0 delta m T.
Proof.
  intros h l. destruct (inv_delta_e e h) as (d & h' & e2). unfold beta_e, beta_of, tau_1. rewrite d. pose proof inv_delta. pose proof log_N_nonneg. pose proof mB. pose proof C_B. pose proof (Lambda_nonneg T) as ln0.
  assert (q : ln (2 * (INR e * INR e) * / delta) <= 1 + Lambda delta T).
  { apply Rle_trans with (ln (2 * ((INR T + 1) * (INR T + 2) / 2 * ((INR T + 1) * (INR T + 2) / 2)) * / delta)).
    - apply le_INR in l. rewrite plus_INR in l. simpl in l. pose proof (pos_INR T). apply ln_mono; [nra |]. apply Rmult_le_compat_r; [lra |]. apply Rmult_le_compat_l; [lra |].
      assert (INR e <= (INR T + 1) * (INR T + 2) / 2) by nra. apply Rmult_le_compat; lra.
    - pose proof (pos_INR T). set (s := (INR T + 1) * (INR T + 2) / 2). assert (s0 : 1 <= s) by (unfold s; nra). unfold Lambda. fold s.
      rewrite !ln_mult by nra. pose proof (exp_ineq1_le (ln 2)) as k. rewrite exp_ln in k by lra. lra. }
  set (x := ln (2 * _ * _)) in *. set (y := Lambda _ _) in *. assert (0 <= C_0 * B_0 * y) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (2 * c * (log_N + y + INR m * B_0)); [| lra]. replace (2 * c * (log_N + y + INR m * B_0)) with (c * (2 * (log_N + y + INR m * B_0))) by ring.
  apply Rmult_le_compat_l; lra.
Qed.
Lemma tau_1_grows s t : (s <= t)%nat -> tau_1 K c B_0 delta m s <= tau_1 K c B_0 delta m t.
Proof.
  intro h. pose proof (Lambda_grows s t h). pose proof C_B. unfold tau_1. apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.
Lemma tau_1_nonneg t : 0 <= tau_1 K c B_0 delta m t.
Proof.
  pose proof (Lambda_nonneg t). pose proof C_B. pose proof log_N_nonneg. pose proof mB. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
Qed.
Lemma u_nonneg : 0 <= u_1 K delta.
Proof. rewrite u_is. pose proof log_N_nonneg. pose proof inv_delta. assert (0 <= ln (8 * / delta)) by (apply ln_above; lra). lra. Qed.
Lemma firing_pos : 0 < firing K c B_0 delta m.
Proof. unfold firing. pose proof u_nonneg. pose proof mB. apply Rmult_lt_0_compat; [lra |]. apply Rmult_lt_0_compat; lra. Qed.

(** ** The epochs *)
Lemma fit_is h xi : fit K (cur h) xi = L xi h.
Proof.
  induction h as [| x h ih]; [reflexivity |]. cbn [current]. unfold learn. cbv zeta. destruct (_ && _); cbn [fit begin_epoch]; rewrite ih; reflexivity.
Qed.
Lemma within_is r l h xi : (forall y, l y = L y h) -> within r l xi = true <-> forall eta, In eta (the_models K) -> L eta h <= L xi h * exp r.
Proof.
  intro e. unfold Statements.within. rewrite forallb_forall. split; intros k eta i; specialize (k eta i); [apply Rleb_spec in k | apply Rleb_spec]; now rewrite !e in *.
Qed.
(** does the test end the epoch at the data episode x after h? *)
Definition fires x h : bool := negb (within (tau (e_at h) (S (t_at h))) (fit K (cur (x :: h))) (xi_at h)).
Lemma current_cons x h : cur (x :: h) = if negb (fires x h) && Nat.ltb (S (t_at h)) (2 ^ e_at h)
  then Epoch K (e_at h) (S (t_at h)) (fit K (cur (x :: h))) (learner h) else begin_epoch K c B_0 delta m d0 (S (e_at h)) (fit K (cur (x :: h))).
Proof.
  unfold fires. rewrite negb_involutive. cbn [current]. unfold learn. cbv zeta. change (fst (commitment K (cur h))) with (xi_at h).
  destruct (within _ (fun xi => fit K (cur h) xi * _) _ && _) eqn:e; cbn [fit begin_epoch]; rewrite e; reflexivity.
Qed.
Lemma number_pos h : (1 <= e_at h)%nat.
Proof. induction h as [| x h ih]; [simpl; lia |]. rewrite current_cons. destruct (_ && _); cbn [number begin_epoch]; lia. Qed.
Lemma epochs_le h : (t_at h + e_at h <= length h + 1)%nat.
Proof. induction h as [| x h ih]; [simpl; lia |]. rewrite current_cons. destruct (_ && _); cbn [number episodes begin_epoch length]; lia. Qed.
Lemma keeps_policy x h : epoch_begins K c B_0 delta m d0 (x :: h) = false -> learner (x :: h) = learner h.
Proof.
  unfold epoch_begins, algorithm_1. rewrite current_cons. destruct (_ && _); [reflexivity | discriminate].
Qed.
Lemma planned e l : let choice := commitment K (begin_epoch K c B_0 delta m d0 e l) in
  In (fst choice) (the_models K) /\ exists before after, the_policies K = before ++ snd choice :: after /\
  forall xi, In xi (the_models K) -> within (beta e) l xi = true -> within (beta e) l (fst choice) = true /\
    (forall pi, In pi (the_policies K) -> value K xi pi <= value K (fst choice) (snd choice)) /\ forall pi, In pi before -> value K xi pi < value K (fst choice) (snd choice).
Proof.
  cbn [begin_epoch commitment]. set (f := fun p : Model K * Policy K => value K (fst p) (snd p)). set (ps := flat_map _ _).
  assert (k : forall qs (p : Model K * Policy K), In p (flat_map (fun pi => map (fun xi => (xi, pi)) (filter (within (beta e) l) (the_models K))) qs) <-> In (snd p) qs /\ In (fst p) (the_models K) /\ within (beta e) l (fst p) = true).
  { intros qs [xi pi]. rewrite in_flat_map. cbn [fst snd]. split.
    - intros (pi' & i & j). apply in_map_iff in j. destruct j as (xi' & q & j). apply filter_In in j. injection q as <- <-. tauto.
    - intros (i & j & w). exists pi. split; [exact i |]. apply in_map_iff. exists xi. split; [reflexivity |]. apply filter_In. tauto. }
  assert (some : forall xi, In xi (the_models K) -> within (beta e) l xi = true -> ps <> []).
  { intros xi i w z. assert (j : In (xi, snd d0) ps) by (apply k; cbn [fst snd]; tauto). rewrite z in j. destruct j. }
  assert (zn : ps = [] \/ ps <> []) by (clear; destruct ps; [now left | right; discriminate]); destruct zn as [z | n].
  - rewrite z. split; [apply d0_in |]. destruct (in_split _ _ (proj2 d0_in)) as (before & after & q). exists before, after. split; [exact q |].
    intros xi i w. exfalso. now apply (some xi).
  - destruct (argmax_first f d0 ps n) as (b & a & s & first). pose proof (argmax_in f d0 ps n) as q. apply k in q. set (choice := argmax f d0 ps) in *.
    destruct (split_flat_map _ _ _ _ _ s) as (l1 & y & l2 & c' & s1 & i & eb). apply in_map_iff in i. destruct i as (x & q' & _).
    assert (y = snd choice) as -> by now rewrite <- q'. split; [tauto |]. exists l1, l2. split; [exact s1 |]. intros xi i w. split; [tauto |]. split; intros pi j.
    + apply (argmax_le f d0 ps (xi, pi)), k. tauto.
    + apply (first (xi, pi)). rewrite eb. apply in_or_app. left. apply k. tauto.
Qed.
Lemma planned_in e l : let choice := commitment K (begin_epoch K c B_0 delta m d0 e l) in In (fst choice) (the_models K) /\ In (snd choice) (the_policies K).
Proof. cbv zeta. destruct (planned e l) as (a & b & b' & s & _). split; [exact a |]. rewrite s. apply in_elt. Qed.
Lemma plays h : In (pi_at h) (the_policies K).
Proof.
  induction h as [| x h ih]; unfold pi_of, algorithm_1; [apply planned_in |]. rewrite current_cons. destruct (_ && _); [exact ih | apply planned_in].
Qed.
Lemma believes h : In (xi_at h) (the_models K).
Proof.
  induction h as [| x h ih]; unfold xi_of, algorithm_1; [apply planned_in |]. rewrite current_cons. destruct (_ && _); [exact ih | apply planned_in].
Qed.
Lemma L_nonneg xi h : In xi (the_models K) -> valid trajs h -> 0 <= L xi h.
Proof. intros i. apply weight_nonneg. intros h' x _ j. apply prob_nonneg; auto. apply plays. Qed.
(** the most likely model is in its own confidence set *)
Lemma confident r l h : 0 <= r -> (forall xi, l xi = L xi h) -> valid trajs h -> exists xi, In xi (the_models K) /\ within r l xi = true.
Proof.
  intros hr e v. exists (argmax l (fst d0) (the_models K)). assert (n : the_models K <> []) by (destruct d0_in as [i _]; intro z; rewrite z in i; destruct i).
  pose proof (argmax_in l (fst d0) (the_models K) n) as i. split; [exact i |]. unfold Statements.within. apply forallb_forall. intros eta j. apply Rleb_spec.
  apply Rle_trans with (l (argmax l (fst d0) (the_models K))); [now apply argmax_le |]. rewrite <- (Rmult_1_r (l _)) at 1.
  apply Rmult_le_compat_l; [rewrite e; now apply L_nonneg |]. rewrite <- exp_0. destruct hr as [x | <-]; [left; now apply exp_increasing | lra].
Qed.
Lemma beta_nonneg e : (1 <= e)%nat -> 0 <= beta e.
Proof. intro h. pose proof (beta_enough e h). pose proof u_nonneg. lra. Qed.
(** the threshold after h: beta_e where an epoch begins *)
Definition tau_at h : R := if Nat.eqb (t_at h) 0 then beta (e_at h) else tau (e_at h) (t_at h).
Lemma tau_at_le h : tau_at h <= tau_1 K c B_0 delta m (length h).
Proof.
  pose proof (epochs_le h). pose proof (number_pos h). unfold tau_at. destruct (Nat.eqb (t_at h) 0) eqn:e.
  - apply beta_below; lia.
  - apply Nat.eqb_neq in e. apply tau_below; lia.
Qed.
Lemma begins_within e l h : (1 <= e)%nat -> (forall xi, l xi = L xi h) -> valid trajs h -> within (beta e) l (fst (commitment K (begin_epoch K c B_0 delta m d0 e l))) = true.
Proof.
  intros he hl v. destruct (confident (beta e) l h (beta_nonneg e he) hl v) as (xi & i & w). destruct (planned e l) as (_ & before & after & _ & k). now apply (k xi).
Qed.
Lemma deployed_within h : valid trajs h -> within (tau_at h) (fit K (cur h)) (xi_at h) = true.
Proof.
  unfold tau_at, xi_of, algorithm_1. destruct h as [| x h]; intro v; [apply (begins_within 1 _ []); auto |].
  rewrite current_cons. destruct (fires x h) eqn:f; cbn [negb andb]; [| destruct (Nat.ltb _ _)].
  - cbn [episodes number begin_epoch Nat.eqb fit]. apply (begins_within _ _ (x :: h)); [lia | intro; apply fit_is | exact v].
  - cbn [episodes number fit commitment Nat.eqb]. apply negb_false_iff in f. exact f.
  - cbn [episodes number begin_epoch Nat.eqb fit]. apply (begins_within _ _ (x :: h)); [lia | intro; apply fit_is | exact v].
Qed.
(** Algorithm 1 is optimistic on confidence sets of radius beta_e, and what it deploys is within the threshold *)
Theorem algorithm_1_is_optimistic : optimistic_schedule K learner (fun h => beta (e_at h)) tau_at.
Proof.
  split; [exact plays | exact believes | |].
  - assert (new : forall h, commitment K (cur h) = commitment K (begin_epoch K c B_0 delta m d0 (e_at h) (fit K (cur h))) ->
      exists before after, the_policies K = before ++ pi_at h :: after /\ forall xi, In xi (the_models K) -> trusted K learner (fun h => beta (e_at h)) h xi ->
        trusted K learner (fun h => beta (e_at h)) h (xi_at h) /\ (forall pi, In pi (the_policies K) -> value K xi pi <= value K (xi_at h) (pi_at h)) /\
        forall pi, In pi before -> value K xi pi < value K (xi_at h) (pi_at h)).
    { intros h e. destruct (planned (e_at h) (fit K (cur h))) as (_ & before & after & s & k). cbv zeta in *. unfold trusted, xi_of, pi_of, algorithm_1. rewrite e.
      exists before, after. split; [exact s |]. intros xi i w. apply (within_is _ (fit K (cur h)) h) in w; [| intro; apply fit_is]. destruct (k xi i w) as (k1 & k2).
      split; [| exact k2]. apply (within_is _ (fit K (cur h)) h); [intro; apply fit_is | exact k1]. }
    intro h. induction h as [| x h (late & early & before & after & e & s & k)].
    + destruct (new [] eq_refl) as (before & after & k). exists [], [], before, after. now split.
    + unfold xi_of, pi_of, algorithm_1. destruct (negb (fires x h) && Nat.ltb (S (t_at h)) (2 ^ e_at h)) eqn:q; pose proof (current_cons x h) as cc; rewrite q in cc.
      * exists (x :: late), early, before, after. split; [simpl; congruence |]. rewrite cc. split; [exact s | exact k].
      * destruct (new (x :: h)) as (before' & after' & k'); [rewrite cc; reflexivity |]. exists [], (x :: h), before', after'. split; [reflexivity | exact k'].
  - intros h eta v i. apply (within_is (tau_at h) (fit K (cur h)) h (xi_at h)); auto; [intro; apply fit_is | now apply deployed_within].
Qed.

(** ** How many epochs *)
Fixpoint fired h : nat := match h with [] => 0 | x :: h => (if fires x h then 1 else 0) + fired h end%nat.
Fixpoint capped h : nat := match h with [] => 0 | x :: h => (if negb (fires x h) && negb (Nat.ltb (S (t_at h)) (2 ^ e_at h)) then 1 else 0) + capped h end%nat.
Lemma number_is h : e_at h = S (capped h + fired h).
Proof. induction h as [| x h ih]; [reflexivity |]. rewrite current_cons. cbn [fired capped]. destruct (fires x h), (Nat.ltb _ _); cbn [negb andb number begin_epoch]; lia. Qed.
(** an epoch that its cap ends has 2^e episodes, and 2 + 4 + ... + 2^k <= T *)
Lemma capped_le h : (2 ^ S (capped h) + t_at h <= length h + 2)%nat.
Proof.
  induction h as [| x h ih]; [simpl; lia |]. pose proof (number_is h) as n. rewrite current_cons. cbn [capped length].
  destruct (fires x h); [cbn [negb andb episodes begin_epoch]; change (0 + capped h)%nat with (capped h); lia |]. destruct (Nat.ltb (S (t_at h)) (2 ^ e_at h)) eqn:l; cbn [negb andb episodes begin_epoch].
  - change (0 + capped h)%nat with (capped h). lia.
  - apply Nat.ltb_ge in l. assert (p : (2 ^ S (capped h) <= 2 ^ e_at h)%nat) by (apply Nat.pow_le_mono_r; lia).
    change (1 + capped h)%nat with (S (capped h)). rewrite (Nat.pow_succ_r' 2 (S (capped h))). lia.
Qed.
Notation begins := (epoch_begins K c B_0 delta m d0).
Lemma starts_number h : (starts K begins h + (if begins h then 1 else 0) = e_at h)%nat.
Proof.
  induction h as [| x h ih]; [reflexivity |]. cbn [starts]. unfold epoch_begins in *. rewrite current_cons.
  destruct (_ && _); cbn [episodes number begin_epoch Nat.eqb]; lia.
Qed.
Lemma starts_fired h : (starts K begins h <= Nat.log2 (length h + 2) + fired h)%nat.
Proof.
  pose proof (starts_number h). pose proof (number_is h). pose proof (capped_le h) as p.
  assert (q : (S (capped h) <= Nat.log2 (length h + 2))%nat) by (apply Nat.log2_le_pow2; lia). lia.
Qed.

(** ** Regret *)
Variables (star : Model K) (best : Policy K) (span later : R) (harmful : list (Model K)) (costly : list (Policy K * R)).
Hypothesis prob_one : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> sum trajs (prob K xi pi) = 1.
Hypothesis span_nonneg : 0 <= span.
Hypothesis later_nonneg : 0 <= later.
Hypothesis star_in : In star (the_models K).
Hypothesis best_in : In best (the_policies K).
Hypothesis best_is : forall pi, In pi (the_policies K) -> value K star pi <= value K star best.
(** Assumption 3.1(c) *)
Hypothesis increments : forall xi pi x, In xi (the_models K) -> In pi (the_policies K) -> In x trajs -> 0 < prob K star pi x ->
  0 < prob K xi pi x /\ - B_0 <= ln (prob K xi pi x / prob K star pi x) <= B_0.
Hypothesis misjudged : forall xi pi, In xi (the_models K) -> In pi (the_policies K) ->
  (value K xi pi - value K star pi) * (value K xi pi - value K star pi) <= span * span / 2 * divergence trajs (prob K star pi) (prob K xi pi).
Hypothesis told_apart : forall xi pi, In xi (the_models K) -> In pi (the_policies K) -> could_deploy K star xi pi -> 0 < gap K star best pi ->
  In xi harmful /\ exists z, In (pi, z) costly /\ 0 < z <= - ln (affinity trajs (prob K xi pi) (prob K star pi)).
Hypothesis harmful_in : forall xi, In xi harmful -> In xi (the_models K).
Hypothesis costly_in : forall e, In e costly -> In (fst e) (the_policies K) /\ 0 < snd e.
Notation told := (length harmful, costly).
Notation b_h := (log_harmful K delta told).
Notation u := (u_1 K delta).
Notation ratio := (LikelihoodEvents.ratio K star learner).
Notation KL_at h := (divergence trajs (prob K star (pi_at h)) (prob K (xi_at h) (pi_at h))).
Notation good := (AlgorithmBound.good K star B_0 u learner harmful b_h).
Notation spent := (total (Traj K) (fun h => KL_at h)).
(** event F of epoch e, with the budget delta_e / 4 *)
Definition in_epoch e h : bool := Nat.eqb (e_at h) e.
Notation lost e := (shortfall K star learner (in_epoch e)).
Definition slack e : R := ln (4 * / delta_e delta e).
Lemma harmful_pos : 1 <= INR (Nat.max 1 (length harmful)).
Proof. change 1 with (INR 1). apply le_INR, Nat.le_max_l. Qed.
Lemma b_h_nonneg : 0 <= b_h.
Proof. apply ln_above. pose proof harmful_pos. pose proof inv_delta. unfold log_harmful, Rdiv. cbn [fst]. nra. Qed.
Lemma log2_below t : INR (Nat.log2 (t + 2)) <= ln (INR t + 2) / ln 2.
Proof.
  assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra). apply (Rmult_le_reg_r (ln 2)); [exact l2 |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  pose proof (Nat.log2_spec (t + 2) ltac:(lia)) as [k _]. set (n := Nat.log2 (t + 2)) in *. apply le_INR in k. rewrite pow_INR, plus_INR in k. replace (INR 2) with 2 in k by (simpl; lra).
  rewrite <- ln_pow by lra. apply ln_mono; [apply pow_lt; lra | lra].
Qed.
Definition F_fails_in T h : bool := existsb (fun e => F_fails K star B_0 learner (in_epoch e) (slack e) h) (seq 1 (S T)).
Lemma goes_on_or_begins x h : (e_at (x :: h) = e_at h /\ t_at (x :: h) = S (t_at h) /\ learner (x :: h) = learner h /\ fires x h = false) \/
  (e_at (x :: h) = S (e_at h) /\ t_at (x :: h) = 0%nat).
Proof. unfold algorithm_1. rewrite current_cons. destruct (fires x h), (Nat.ltb _ _); cbn [negb andb number episodes commitment begin_epoch]; tauto. Qed.
Lemma later_epochs e h : (e_at h < e)%nat -> lost e h = 0.
Proof.
  induction h as [| x h ih]; [reflexivity |]. intro l. cbn [shortfall]. assert (k : (e_at h < e)%nat) by (destruct (goes_on_or_begins x h); lia).
  rewrite (ih k). unfold in_epoch. destruct (Nat.eqb (e_at h) e) eqn:q; [apply Nat.eqb_eq in q; lia | ring].
Qed.
Lemma new_epoch h : t_at h = 0%nat -> lost (e_at h) h = 0.
Proof.
  destruct h as [| x h]; [reflexivity |]. intro z. destruct (goes_on_or_begins x h) as [(_ & t & _) | [e _]]; [lia |]. rewrite e. cbn [shortfall].
  rewrite later_epochs by lia. unfold in_epoch. destruct (Nat.eqb (e_at h) (S (e_at h))) eqn:q; [apply Nat.eqb_eq in q; lia | ring].
Qed.
(** what the epoch's own data say, as L_(e-1)(xi_e) >= L_(e-1)(star) - beta_e *)
Lemma epoch_began h : good h -> - beta (e_at h) <= ratio (xi_at h) h + lost (e_at h) h + 3 / 2 * (INR (t_at h) * KL_at h).
Proof.
  induction h as [h ih] using (well_founded_induction (Wf_nat.well_founded_ltof _ (@length (Traj K)))). intro g.
  destruct (Nat.eq_dec (t_at h) 0) as [z | n].
  - rewrite (new_epoch h z), z. simpl (INR 0). pose proof (deployed_within h (proj1 (good_now _ _ _ _ _ _ _ _ g))) as w. unfold tau_at in w. rewrite z in w. cbn [Nat.eqb] in w.
    rewrite (within_is _ _ h) in w by (intro; apply fit_is). specialize (w star star_in).
    apply (within_ratio K star B_0 u learner harmful b_h _ _ algorithm_1_is_optimistic prob_nonneg star_in increments (xi_at h) star) in w; auto using believes.
    rewrite (ratio_star K star B_0 u learner harmful b_h _ _ algorithm_1_is_optimistic prob_nonneg star_in h g) in w. lra.
  - destruct h as [| x h]; [now elim n |]. destruct (goes_on_or_begins x h) as [(e & t & p & _) | [_ z]]; [| lia].
    pose proof (ih h (Nat.lt_succ_diag_r _) (good_tail _ _ _ _ _ _ _ _ _ g)) as k. unfold xi_of, pi_of in *. rewrite e, t, p, S_INR. cbn [LikelihoodEvents.ratio shortfall].
    unfold in_epoch at 2. rewrite Nat.eqb_refl. unfold xi_of, pi_of. lra.
Qed.
(** a firing has been told as much as [firing] *)
Lemma told_to_fire x h : good (x :: h) -> F_fails K star B_0 learner (in_epoch (e_at h)) (slack (e_at h)) (x :: h) = false -> fires x h = true ->
  firing K c B_0 delta m <= INR (S (t_at h)) * KL_at h.
Proof.
  intros g f y. pose proof (good_tail _ _ _ _ _ _ _ _ _ g) as g'. pose proof (epoch_began h g') as b. pose proof (number_pos h) as e1.
  destruct (inv_delta_e (e_at h) e1) as (d & d1 & d2). destruct (inv_delta_at (e_at h) (S (t_at h)) e1 ltac:(lia)) as [d' d3].
  destruct (beta_running (e_at h) (S (t_at h)) e1 ltac:(lia)) as [r1 r2]. pose proof u_nonneg as u0. pose proof mB as m0. pose proof C_B as c0.
  assert (w : exists eta, In eta (the_models K) /\ ratio (xi_at h) (x :: h) + tau (e_at h) (S (t_at h)) < ratio eta (x :: h)).
  { apply negb_true_iff, forallb_false in y. destruct y as (eta & i & y). exists eta. split; [exact i |]. apply Rnot_le_lt. intro l.
    apply (within_ratio K star B_0 u learner harmful b_h _ _ algorithm_1_is_optimistic prob_nonneg star_in increments (xi_at h) eta) in l; auto using believes.
    rewrite <- !fit_is in l. apply Rleb_spec in l. congruence. }
  destruct w as (eta & i & w). pose proof (good_V K star B_0 u learner harmful b_h (x :: h) eta g i) as v.
  assert (f' : lost (e_at h) (x :: h) <= C_0 * B_0 * slack (e_at h)) by (apply Rnot_lt_le; intro l; apply Rltb_spec in l; unfold F_fails in f; congruence).
  assert (s : C_0 * B_0 * slack (e_at h) <= C_0 * B_0 * ln (/ delta_at delta (e_at h) (S (t_at h)))).
  { apply Rmult_le_compat_l; [lra |]. pose proof inv_delta. unfold slack. apply ln_mono; rewrite ?d', d; [nra |].
    apply Rmult_le_compat_r; [nra |]. nra. }
  cbn [LikelihoodEvents.ratio shortfall] in w, v, f'. unfold in_epoch at 2 in f'. rewrite Nat.eqb_refl in f'.
  unfold firing. unfold tau_e in w. set (be := beta_of _ _ _ _ _) in *. rewrite S_INR in *. set (k := KL_at h) in *. set (y' := increment _ _ _) in *.
  assert (u16 : 16 * u <= be) by (apply Rle_trans with (2 := r2); apply Rle_trans with (16 * (u + INR m * B_0)); [lra | apply Rmult_le_compat_r; lra]).
  lra.
Qed.
Lemma spent_fired h : good h -> (forall late early x, h = late ++ x :: early -> F_fails K star B_0 learner (in_epoch (e_at early)) (slack (e_at early)) (x :: early) = false) ->
  INR (fired h) * firing K c B_0 delta m + INR (t_at h) * KL_at h <= spent h.
Proof.
  pose proof firing_pos as p. induction h as [| x h ih]; intros g f; [simpl; lra |]. pose proof (good_tail _ _ _ _ _ _ _ _ _ g) as g'.
  specialize (ih g' ltac:(intros late early y ->; apply (f (x :: late)); reflexivity)). assert (f' := f [] h x eq_refl).
  assert (k0 : 0 <= KL_at h) by (apply divergence_nonneg; auto using plays, believes; intros; apply increments; auto using plays, believes).
  cbn [fired total]. destruct (goes_on_or_begins x h) as [(e & t & q & y) | [e z]].
  - rewrite y, t, S_INR. unfold xi_of, pi_of in *. rewrite q. simpl Nat.add. lra.
  - rewrite z. simpl (INR 0). destruct (fires x h) eqn:y.
    + pose proof (told_to_fire x h g f' y) as w. rewrite S_INR in w. rewrite plus_INR. simpl (INR 1). lra.
    + simpl Nat.add. pose proof (Rmult_le_pos _ _ (pos_INR (t_at h)) k0). lra.
Qed.
(** a history on which none of the events has failed so far *)
Definition fails T h : bool := V_E_or_B_fails K star B_0 u learner harmful b_h h || F_fails_in T h.
Theorem bound_holds T h : valid trajs h -> 0 < weight (law_of K learner star) h -> (length h <= T)%nat -> ever (fails T) h = false ->
  regret K learner star best h + INR (m - 1) * later * INR (starts K begins h) <= algorithm_bound K span later c B_0 delta m star best told (length h).
Proof.
  intros v p l f. pose proof algorithm_1_is_optimistic as opt. pose proof u_nonneg as u0. pose proof firing_pos as fp.
  assert (g : good h).
  { apply (good_intro K star B_0 u learner harmful b_h _ _ opt prob_nonneg star_in h v p). destruct (ever (V_E_or_B_fails K star B_0 u learner harmful b_h) h) eqn:e; [| reflexivity].
    rewrite <- f. symmetry. revert e. apply ever_weaker. intros h' k. unfold fails. now rewrite k. }
  assert (beta2 : forall h, 2 * u <= beta (e_at h)) by (intro; apply beta_enough, number_pos).
  unfold algorithm_bound. apply Rplus_le_compat.
  - apply Rmin_glb; [eapply regret_root; eauto using tau_at_le, tau_1_grows, tau_1_nonneg |].
    eapply regret_fill; eauto using tau_at_le, tau_1_grows, tau_1_nonneg. apply b_h_nonneg.
  - apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pos_INR | exact later_nonneg] |]. unfold switches.
    pose proof (le_INR _ _ (starts_fired h)) as s. rewrite plus_INR in s. eapply Rle_trans; [exact s |]. apply Rplus_le_compat; [apply log2_below |].
    apply (Rmult_le_reg_r (firing K c B_0 delta m)); [exact fp |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_trans with (spent h); [| eapply divergence_in_all; eauto using tau_at_le, tau_1_grows, tau_1_nonneg].
    assert (k0 : 0 <= KL_at h) by (apply divergence_nonneg; auto using plays, believes; intros; apply increments; auto using plays, believes).
    pose proof (Rmult_le_pos _ _ (pos_INR (t_at h)) k0). enough (INR (fired h) * firing K c B_0 delta m + INR (t_at h) * KL_at h <= spent h) by lra.
    apply spent_fired; [exact g |]. intros late early x e. rewrite e in f, l. apply ever_suffix in f. rewrite ever_cons in f. apply orb_false_elim in f. destruct f as [f _].
    apply orb_false_elim in f. destruct f as [_ f]. destruct (F_fails _ _ _ _ (in_epoch (e_at early)) _ _) eqn:q; [| reflexivity]. rewrite <- f. symmetry. apply existsb_exists.
    exists (e_at early). split; [| exact q]. apply in_seq. pose proof (epochs_le early). pose proof (number_pos early). rewrite app_length in l. cbn [length] in l. lia.
Qed.
(** ** Probability *)
Lemma sum_squares n : sum (seq 1 (S n)) (fun e => / (INR e * INR e)) <= 2 - / INR (S n).
Proof.
  induction n as [| n ih]; [simpl; lra |]. rewrite seq_S, sum_app. cbn [sum]. rewrite Rplus_0_r. eapply Rle_trans; [apply Rplus_le_compat_r, ih |].
  replace (1 + S n)%nat with (S (S n)) by lia. rewrite (S_INR (S n)). assert (p : 0 < INR (S n)) by (apply lt_0_INR; lia). set (x := INR (S n)) in *.
  enough (/ ((x + 1) * (x + 1)) + / (x + 1) <= / x) by lra. apply (Rmult_le_reg_r (x * ((x + 1) * (x + 1)))); [apply Rmult_lt_0_compat; nra |].
  replace ((/ ((x + 1) * (x + 1)) + / (x + 1)) * (x * ((x + 1) * (x + 1)))) with (x + x * (x + 1)) by (field; lra).
  replace (/ x * (x * ((x + 1) * (x + 1)))) with ((x + 1) * (x + 1)) by (field; lra). lra.
Qed.
Lemma law_pos h x : valid trajs h -> In x trajs -> 0 <= law_of K learner star h x. Proof. intros _ i. apply prob_nonneg; auto. apply plays. Qed.
Lemma V_and_E_hold T : Pr trajs (law_of K learner star) T (ever (V_or_E_fails K star B_0 learner u sixteenths)) <= 9 / 8 * delta.
Proof.
  eapply Rle_trans; [apply likelihood_events; auto using plays, sixteenths_range |]. change (length sixteenths) with 8%nat. pose proof N_pos as n.
  unfold u_1. rewrite mult_INR, exp_Ropp, exp_ln by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]). apply Req_le. simpl (INR 9). field. lra.
Qed.
Lemma B_holds T : Pr trajs (law_of K learner star) T (ever (fun h => existsb (fun xi => B_fails K star learner b_h xi h) harmful)) <= / 2 * delta.
Proof.
  eapply Rle_trans; [apply (union_bound_ever (Traj K) trajs (law_of K learner star) law_pos T harmful) with (Es := fun xi h => B_fails K star learner b_h xi h) |].
  - intros h _ _ x. apply existsb_exists in x. destruct x as (xi & i & x). exists xi. split; [exact i | now apply ever_here].
  - pose proof harmful_pos as h1. apply Rle_trans with (sum harmful (fun _ => exp (- b_h))); [apply sum_le; intros xi i; eapply B_seldom; eauto using plays |].
    rewrite sum_const. unfold log_harmful. cbn [fst]. rewrite exp_Ropp, exp_ln by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
    set (n := INR (Nat.max 1 _)) in *. assert (l : INR (length harmful) <= n) by apply le_INR, Nat.le_max_r.
    replace (/ (2 * n / delta)) with (delta / 2 * / n) by (field; lra). pose proof (Rmult_le_compat_r (delta / 2 * / n) _ _ ltac:(apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]) l) as k.
    eapply Rle_trans; [exact k |]. apply Req_le. field. lra.
Qed.
Lemma F_holds T : Pr trajs (law_of K learner star) T (ever (F_fails_in T)) <= / 4 * delta.
Proof.
  eapply Rle_trans; [apply (union_bound_ever (Traj K) trajs (law_of K learner star) law_pos T (seq 1 (S T))) with (Es := fun e => F_fails K star B_0 learner (in_epoch e) (slack e)) |].
  - intros h _ _ x. apply existsb_exists in x. destruct x as (e & i & x). exists e. split; [exact i | now apply ever_here].
  - apply Rle_trans with (sum (seq 1 (S T)) (fun e => delta / 8 * / (INR e * INR e))).
    + apply sum_le. intros e i. apply in_seq in i. eapply Rle_trans; [apply F_seldom; auto using plays, believes |]. destruct (inv_delta_e e ltac:(lia)) as (d & d1 & d2).
      pose proof inv_delta. unfold slack. rewrite exp_Ropp, exp_ln, d by (rewrite d; nra). apply Req_le. field. lra.
    + rewrite sum_mul. pose proof (sum_squares T) as s. assert (p : 0 < / INR (S T)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
      apply Rle_trans with (delta / 8 * 2); [apply Rmult_le_compat_l; lra | lra].
Qed.
(** Algorithm 1, with probability at least 1 - 2 delta: at all times up to T together, regret with warm-up is at most the bound *)
Theorem algorithm_regret T : Pr trajs (law_of K learner star) T (ever (fun h =>
  Rltb (algorithm_bound K span later c B_0 delta m star best told (length h)) (regret K learner star best h + INR (m - 1) * later * INR (starts K begins h)))) <= 2 * delta.
Proof.
  apply Rle_trans with (9 / 8 * delta + / 2 * delta + / 4 * delta); [| lra].
  eapply Rle_trans; [| apply Rplus_le_compat; [apply Rplus_le_compat; [apply (V_and_E_hold T) | apply (B_holds T)] | apply (F_holds T)]].
  eapply Rle_trans; [| apply Rplus_le_compat_r, (Pr_or (Traj K) trajs (law_of K learner star) law_pos)]. eapply Rle_trans; [| apply (Pr_or (Traj K) trajs (law_of K learner star) law_pos)]. apply Pr_le; [exact law_pos |]. intros h v len p x.
  apply Nat.eq_le_incl in len. enough (f : ever (fails T) h = true).
  { clear - f. induction h as [| x h ih]; [simpl in *; rewrite !orb_false_r in *; exact f |]. rewrite !ever_cons in *. unfold fails at 1 in f. unfold V_E_or_B_fails at 1 in f.
    rewrite !orb_true_iff in *. intuition. }
  induction h as [| o h ih].
  - destruct (ever (fails T) []) eqn:f; [reflexivity |]. simpl in x. rewrite orb_false_r in x. apply Rltb_spec in x. pose proof (bound_holds T [] v p len f). simpl in *. lra.
  - destruct (ever (fails T) (o :: h)) eqn:f; [reflexivity |]. rewrite ever_cons in x. apply orb_prop in x. destruct x as [x | x].
    + apply Rltb_spec in x. pose proof (bound_holds T (o :: h) v p len f). lra.
    + rewrite ever_cons in f. apply orb_false_elim in f. destruct f as [_ f]. rewrite <- f. inversion v; subst.
      apply ih; [assumption | simpl in len; lia | exact (proj1 (weight_pos_cons (Traj K) trajs (law_of K learner star) law_pos o h v p)) | exact x].
Qed.
End Algorithm.
