(** Theorem N (docs/bound.md): regret of a schedule that walks down the list of the models of a finite class, with probability at least
    1 - 2 delta.  That `nested` is such a schedule is proved in [NestedRule.v]. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger.
Open Scope R_scope.

(** ** Sums over episodes, grouped by a key *)
Section Groups.
Variables (T K : Type) (dec : forall x y : K, {x = y} + {x <> y}) (keys : list K) (key : list T -> K) (r : list T -> R).
Variable good : list T -> Prop.
Hypothesis good_tail : forall o h, good (o :: h) -> good h.
Hypothesis good_key : forall h, good h -> In (key h) keys.
Hypothesis keys_nodup : NoDup keys.
Fixpoint count k h : R := match h with [] => 0 | _ :: h => count k h + if dec k (key h) then 1 else 0 end.
Fixpoint part k h : R := match h with [] => 0 | _ :: h => part k h + if dec k (key h) then r h else 0 end.
Fixpoint total h : R := match h with [] => 0 | _ :: h => total h + r h end.
Lemma count_nonneg k h : 0 <= count k h.
Proof. induction h; simpl; [lra |]. destruct (dec k (key h)); lra. Qed.
Lemma sum_count h : good h -> sum keys (fun k => count k h) = INR (length h).
Proof.
  induction h as [| o h ih]; intro g; [now apply sum_zero |]. cbn [count length]. rewrite sum_add, ih by eauto.
  rewrite sum_only, S_INR by eauto. reflexivity.
Qed.
Lemma sum_part h : good h -> sum keys (fun k => part k h) = total h.
Proof.
  induction h as [| o h ih]; intro g; [now apply sum_zero |]. cbn [part total]. rewrite sum_add, ih by eauto.
  rewrite (sum_only dec keys (key h) (r h)) by eauto. reflexivity.
Qed.
Lemma total_le h zero B n : good h -> In zero keys -> (length keys <= S n)%nat -> part zero h = 0 -> 0 <= B ->
  (forall k, In k keys -> part k h * part k h <= B * count k h) -> total h <= sqrt (B * INR n * INR (length h)).
Proof.
  intros g z len pz hB hk. rewrite <- sum_part, <- (sum_remove_zero dec keys zero) by auto.
  assert (q : forall k, In k (remove dec zero keys) -> 0 <= B * count k h) by (intros; apply Rmult_le_pos; auto using count_nonneg).
  apply Rle_trans with (sum (remove dec zero keys) (fun k => sqrt (B * count k h))).
  { apply sum_le. intros k i. apply in_remove in i. apply sq_le_sqrt, hk, i. }
  eapply Rle_trans; [now apply sum_sqrt_le |]. apply sqrt_le_1_alt.
  rewrite sum_mul. rewrite (Rmult_comm B (INR n)), Rmult_assoc. apply Rmult_le_compat; [apply pos_INR | | | ].
  - apply Rmult_le_pos; auto. apply sum_nonneg. intros; apply count_nonneg.
  - apply le_INR. pose proof (remove_length_lt dec keys zero z). lia.
  - apply Rmult_le_compat_l; auto. rewrite <- sum_count by auto. apply sum_remove_le. intros; apply count_nonneg.
Qed.
End Groups.

(** ** The fill: max {sum r(pi) x(pi) : 0 <= x(pi) <= n(pi), sum x <= t} by its dual: a price l for every episode, which at the best of them is 0
    or some r(pi); [costly] lists the pairs of pi and c(pi), of which n(pi) is a function *)
Section Fill.
Context {P : Type}.
Variables (r : P -> R) (costly : list (P * R)) (n : R -> R) (t : R).
Definition fill_at (l : R) : R := l * t + sum costly (fun x => Rmax 0 (r (fst x) - l) * n (snd x)).
Definition fill : R := fold_right (fun l q => Rmin (fill_at l) q) (fill_at 0) (map (fun x => r (fst x)) costly).
End Fill.
Lemma fold_Rmin_glb {A} x y (f : A -> R) l : x <= y -> (forall eta, In eta l -> x <= f eta) -> x <= fold_right (fun eta q => Rmin (f eta) q) y l.
Proof. intros a b. induction l as [| e l ih]; [exact a |]. simpl. apply Rmin_glb; [apply b; now left | apply ih; intros; apply b; now right]. Qed.
Lemma Rmin_scaled s x y x' y' : x <= s * x' -> y <= s * y' -> Rmin x y <= s * Rmin x' y'.
Proof. intros a b. unfold Rmin at 2. destruct (Rle_dec x' y'); [eapply Rle_trans; [apply Rmin_l | exact a] | eapply Rle_trans; [apply Rmin_r | exact b]]. Qed.
Lemma fold_Rmin_scaled {A} s (f g : A -> R) x y l : 0 <= s -> x <= s * y -> (forall e, In e l -> f e <= s * g e) ->
  fold_right (fun e q => Rmin (f e) q) x l <= s * fold_right (fun e q => Rmin (g e) q) y l.
Proof.
  intros h a b. induction l as [| e l ih]; [exact a |]. cbn [fold_right]. apply Rmin_scaled; [apply b; now left | apply ih; intros; apply b; now right].
Qed.
(** at all times *)
Lemma fill_ever {P} (r : P -> R) costly n s t : fill r costly n t <= fill_at r costly n s 0.
Proof.
  unfold fill. replace (fill_at r costly n s 0) with (fill_at r costly n t 0) by (unfold fill_at; now rewrite !Rmult_0_l). generalize (map (fun x => r (fst x)) costly).
  induction l as [| z l ih]; [apply Rle_refl |]. cbn [fold_right]. eapply Rle_trans; [apply Rmin_r | exact ih].
Qed.
Section Filled.
Variables (T P : Type) (dec : forall x y : P, {x = y} + {x <> y}) (keys : list P) (key : list T -> P) (r : P -> R) (good : list T -> Prop).
Hypothesis good_tail : forall o h, good (o :: h) -> good h.
Hypothesis good_key : forall h, good h -> In (key h) keys.
Hypothesis keys_nodup : NoDup keys.
Hypothesis r_nonneg : forall k, In k keys -> 0 <= r k.
Variables (costly : list (P * R)) (n : R -> R).
Hypothesis costly_in : forall e, In e costly -> In (fst e) keys /\ 0 <= n (snd e).
Notation count := (count T P dec key).
Lemma part_is k h : part T P dec key (fun h => r (key h)) k h = count k h * r k.
Proof. induction h as [| x h ih]; simpl; [lra |]. rewrite ih. destruct (dec k (key h)) as [<- |]; lra. Qed.
Theorem total_le_fill h : good h -> (forall k, In k keys -> 0 < r k -> count k h = 0 \/ exists c, In (k, c) costly /\ count k h <= n c) ->
  total T (fun h => r (key h)) h <= fill r costly n (INR (length h)).
Proof.
  intros g times. assert (key_l : forall l, 0 <= l -> total T (fun h => r (key h)) h <= fill_at r costly n (INR (length h)) l).
  { intros l l0. rewrite <- (sum_part T P dec keys key (fun h => r (key h)) good good_tail good_key keys_nodup h g).
    unfold fill_at. rewrite <- (sum_count T P dec keys key good good_tail good_key keys_nodup h g), <- sum_mul.
    apply Rle_trans with (sum keys (fun k => l * count k h + sum costly (fun x => if dec k (fst x) then Rmax 0 (r (fst x) - l) * n (snd x) else 0))).
    - apply sum_le. intros k i. rewrite part_is. pose proof (count_nonneg T P dec key k h) as cn.
      assert (s0 : forall x, In x costly -> 0 <= (if dec k (fst x) then Rmax 0 (r (fst x) - l) * n (snd x) else 0)).
      { intros x j. destruct (dec k (fst x)); [| lra]. apply Rmult_le_pos; [apply Rmax_l | now apply costly_in]. }
      pose proof (sum_nonneg _ _ s0) as sn. destruct (Rle_dec (r k) l) as [q | q].
      + pose proof (Rmult_le_compat_l _ _ _ cn q). lra.
      + destruct (times k i) as [z | (c & j & m)]; [lra | rewrite z in *; lra |].
        pose proof (sum_term costly (fun x => if dec k (fst x) then Rmax 0 (r (fst x) - l) * n (snd x) else 0) (k, c) s0 j) as st. cbv beta in st. cbn [fst snd] in st.
        destruct (dec k k) as [_ |]; [| tauto]. rewrite Rmax_right in st by lra.
        assert (w : (r k - l) * count k h <= (r k - l) * n c) by (apply Rmult_le_compat_l; [lra | exact m]). lra.
    - rewrite sum_add. apply Rplus_le_compat_l. rewrite sum_swap. apply sum_le. intros x i. rewrite sum_only; [lra | exact keys_nodup | now apply costly_in]. }
  unfold fill. apply fold_Rmin_glb; [apply key_l; lra |]. intros l i. apply key_l. apply in_map_iff in i. destruct i as (x & <- & i). now apply r_nonneg, costly_in.
Qed.
End Filled.

(** ** Likelihood ratios of any schedule: those to the truth are supermartingales, also when their roots are tilted by what episodes tell, so that
    Ville's inequality bounds both at all times.  Theorem N on a net, [NetBound.v], rests on this too: its truth is in no list. *)
Section Ratios.
Variable K : class.
Notation Model := (Statements.Model K).
Notation Policy := (Statements.Policy K).
Notation Traj := (Statements.Traj K).
Notation trajs := (the_trajs K).
Notation prob := (Statements.prob K).
(** the models whose laws of play are laws, of which the truth is one *)
Variables (known : Model -> Prop) (star : Model) (deploy : list Traj -> Model * Policy).
Hypothesis prob_nonneg : forall xi pi tau, known xi -> In pi (the_policies K) -> In tau trajs -> 0 <= prob xi pi tau.
Hypothesis prob_one : forall xi pi, known xi -> In pi (the_policies K) -> sum trajs (prob xi pi) = 1.
Hypothesis star_known : known star.
Notation pi_of := (Statements.pi_of K deploy).
Notation law := (law_of K deploy).
Notation L := (likelihood K deploy).
Notation valid := (valid trajs).
Notation Pr := (Statements.Pr trajs (law star)).
Hypothesis plays : forall h, In (pi_of h) (the_policies K).

Lemma law_nonneg xi h tau : known xi -> In tau trajs -> 0 <= law xi h tau.
Proof. intros. now apply prob_nonneg. Qed.
Lemma law_one xi h : known xi -> sum trajs (law xi h) = 1.
Proof. intro. now apply prob_one. Qed.
Lemma law_plays h tau : valid h -> In tau trajs -> 0 <= law star h tau.
Proof. intros _. now apply law_nonneg. Qed.
Lemma L_nonneg xi h : known xi -> valid h -> 0 <= L xi h.
Proof. intros i. apply weight_nonneg. intros; now apply law_nonneg. Qed.
Lemma L_cons xi tau h : L xi (tau :: h) = L xi h * law xi h tau. Proof. reflexivity. Qed.
Lemma tail tau h : valid (tau :: h) -> 0 < L star (tau :: h) -> valid h /\ 0 < L star h /\ 0 < law star h tau /\ In tau trajs.
Proof. intros v p. destruct (weight_pos_cons Traj trajs (law star) law_plays tau h v p) as [a b]. inversion v; subst. auto. Qed.

Lemma Ville_each n b X : 0 < b -> (forall h, valid h -> 0 <= X h) -> supermartingale Traj trajs (law star) X -> X [] = 1 ->
  Pr n (ever (fun h => Rleb b (X h))) <= / b.
Proof.
  intros b0 pos s x. pose proof (Ville Traj trajs (law star) law_plays (fun h _ => law_one star h star_known) X b n pos s) as k.
  rewrite x in k. apply (Rmult_le_reg_l b); [lra |]. rewrite Rinv_r by lra. exact k.
Qed.
(** an event of which one of at most k such supermartingales is a sign, by being k / p or more, has probability p at most *)
Lemma Ville_any n l k p (X : Model -> list Traj -> R) E : 0 < p -> 1 <= INR k -> (length l <= k)%nat ->
  (forall i, In i l -> (forall h, valid h -> 0 <= X i h) /\ supermartingale Traj trajs (law star) (X i) /\ X i [] = 1) ->
  (forall h, valid h -> 0 < L star h -> E h = true -> exists i, In i l /\ INR k / p <= X i h) -> Pr n (ever E) <= p.
Proof.
  intros p0 k1 len each sign. assert (kp : 0 < INR k / p) by (apply Rmult_lt_0_compat; [lra | now apply Rinv_0_lt_compat]).
  eapply Rle_trans; [apply (union_bound_ever Traj trajs (law star) law_plays) with (l := l) (Es := fun i h => Rleb (INR k / p) (X i h)) |].
  - intros h v q x. destruct (sign h v q x) as (i & a & y). exists i. split; [exact a |]. now apply ever_here, Rleb_spec.
  - apply Rle_trans with (sum l (fun _ => / (INR k / p))).
    + apply sum_le. intros i a. destruct (each i a) as (b & s & z). now apply Ville_each.
    + rewrite sum_const. apply le_INR in len. replace (/ (INR k / p)) with (p / INR k) by (field; lra).
      apply (Rmult_le_reg_r (INR k)); [lra |]. replace (INR (length l) * (p / INR k) * INR k) with (INR (length l) * p) by (field; lra). rewrite (Rmult_comm p). apply Rmult_le_compat_r; lra.
Qed.

Definition ratio xi h := L xi h / L star h.
Lemma ratio_nonneg xi h : known xi -> valid h -> 0 <= ratio xi h.
Proof.
  intros i v. unfold ratio. destruct (L_nonneg star h star_known v) as [p | <-].
  - apply Rmult_le_pos; [now apply L_nonneg | left; now apply Rinv_0_lt_compat].
  - unfold Rdiv. rewrite Rinv_0. lra.
Qed.
Lemma ratio_start xi : ratio xi [] = 1. Proof. unfold ratio, likelihood. simpl. field. Qed.
Lemma ratio_cons xi h tau : 0 < L star h -> 0 < law star h tau -> ratio xi (tau :: h) = ratio xi h * (law xi h tau / law star h tau).
Proof. intros. unfold ratio. rewrite !L_cons. field. lra. Qed.
Lemma ratio_is xi h : 0 < L star h -> ratio xi h * L star h = L xi h.
Proof. intro p. unfold ratio, Rdiv. rewrite Rmult_assoc, Rinv_l by lra. ring. Qed.
Lemma ratio_supermartingale xi : known xi -> supermartingale Traj trajs (law star) (ratio xi).
Proof.
  intros i h v p. rewrite <- (Rmult_1_r (ratio xi h)), <- (law_one xi h i), <- sum_mul. apply sum_le. intros tau j.
  destruct (law_nonneg star h tau star_known j) as [q | <-].
  - rewrite ratio_cons by auto. apply Req_le. field. lra.
  - rewrite Rmult_0_l. apply Rmult_le_pos; [now apply ratio_nonneg | now apply law_nonneg].
Qed.

Lemma ratio_each xi : known xi -> (forall h, valid h -> 0 <= ratio xi h) /\ supermartingale Traj trajs (law star) (ratio xi) /\ ratio xi [] = 1.
Proof. intro i. split; [intros; now apply ratio_nonneg |]. split; [now apply ratio_supermartingale | apply ratio_start]. Qed.

(** its root, tilted by what episodes tell: ell is at most - log of the affinity *)
Variable ell : Model -> Policy -> R.
Hypothesis ell_nonneg : forall xi pi, known xi -> In pi (the_policies K) -> 0 <= ell xi pi.
Hypothesis ell_below : forall xi pi, known xi -> In pi (the_policies K) -> exp (ell xi pi) * affinity trajs (prob xi pi) (prob star pi) <= 1.
Fixpoint info xi h : R := match h with [] => 0 | _ :: h => info xi h + ell xi (pi_of h) end.
Definition tilted xi h := exp (info xi h) * sqrt (ratio xi h).
Lemma tilted_nonneg xi h : 0 <= tilted xi h.
Proof. apply Rmult_le_pos; [left; apply exp_pos | apply sqrt_pos]. Qed.
Lemma tilted_start xi : tilted xi [] = 1.
Proof. unfold tilted. rewrite ratio_start. cbn [info]. rewrite exp_0, sqrt_1. ring. Qed.
Lemma tilted_supermartingale xi : known xi -> supermartingale Traj trajs (law star) (tilted xi).
Proof.
  intros i h v p. assert (r0 := ratio_nonneg xi h i v).
  apply Rle_trans with (tilted xi h * (exp (ell xi (pi_of h)) * affinity trajs (prob xi (pi_of h)) (prob star (pi_of h)))).
  - unfold affinity. rewrite <- !sum_mul. apply sum_le. intros tau j. unfold tilted. cbn [info]. rewrite exp_plus.
    destruct (law_nonneg star h tau star_known j) as [q | q].
    + rewrite ratio_cons by auto. rewrite sqrt_mult_alt by auto.
      assert (e : law star h tau * sqrt (law xi h tau / law star h tau) = sqrt (prob xi (pi_of h) tau * prob star (pi_of h) tau)).
      { rewrite <- (sqrt_square (law star h tau)) at 1 by lra. rewrite <- sqrt_mult_alt by (apply Rle_0_sqr). f_equal.
        unfold law_of in *. field. lra. }
      rewrite <- e. apply Req_le. ring.
    + rewrite <- q, Rmult_0_l. repeat apply Rmult_le_pos; auto using sqrt_pos; left; apply exp_pos.
  - rewrite <- (Rmult_1_r (tilted xi h)) at 2. apply Rmult_le_compat_l; [apply tilted_nonneg | now apply ell_below].
Qed.
Lemma told_each xi : known xi -> (forall h, valid h -> 0 <= tilted xi h) /\ supermartingale Traj trajs (law star) (tilted xi) /\ tilted xi [] = 1.
Proof. intro i. split; [intros; apply tilted_nonneg |]. split; [now apply tilted_supermartingale | apply tilted_start]. Qed.
(** all episodes of a policy count against a model *)
Lemma policy_info pi xi h : known xi -> In pi (the_policies K) -> count Traj Policy (policy_dec K) pi_of pi h * ell xi pi <= info xi h.
Proof.
  intros i j. induction h as [| tau h ih]; simpl; [lra |]. pose proof (ell_nonneg xi (pi_of h) i (plays h)).
  destruct (policy_dec K pi (pi_of h)) as [-> |]; lra.
Qed.
(** a model that is not much less likely than the truth, against which not much is told in sum, has had little told against it *)
Lemma info_at_most xi h u b : 0 < b -> exp (- u) <= ratio xi h -> tilted xi h < b -> info xi h <= u / 2 + ln b.
Proof.
  intros b0 r t. assert (s : exp (- u / 2) <= sqrt (ratio xi h)).
  { apply sq_le_sqrt. rewrite <- exp_plus. replace (- u / 2 + - u / 2) with (- u) by field. exact r. }
  apply Rnot_lt_le. intro q. assert (w : ln b < info xi h + - u / 2) by lra. apply exp_increasing in w. rewrite exp_ln, exp_plus in w by exact b0.
  pose proof (Rmult_le_compat_l (exp (info xi h)) _ _ (Rlt_le _ _ (exp_pos _)) s). unfold tilted in t. lra.
Qed.
End Ratios.

(** ** The schedule *)
(** star's law being P_star, xi may be deployed, and pi is the first of its best policies: it stands before star in the list, or among those that
    share star's best policy *)
Definition could_deploy (K : class) (star xi : Model K) (pi : Policy K) : Prop := exists before after, the_policies K = before ++ pi :: after /\
  (forall p, In p (the_policies K) -> value K star p <= value K xi pi /\ value K xi p <= value K xi pi) /\
  forall p, In p before -> value K star p < value K xi pi /\ value K xi p < value K xi pi.
(** as many episodes as the evidence e allows, each of which tells c *)
Definition whole_episodes (e c : R) : R := 1 + IZR (Int_part (e / c)).

(** u / 2 + log (h / delta): what may be held against one of h harmful models before it is refuted *)
Definition at_stake (delta : R) (h : nat) : R := INR (Nat.max 1 h) / delta.
Definition evidence_of (K : class) delta h : R := radius K delta / 2 + ln (at_stake delta h).

Section Proof.
Variable K : class.
Notation Model := (Statements.Model K).
Notation Policy := (Statements.Policy K).
Notation Traj := (Statements.Traj K).
Notation Model_dec := (model_dec K).
Notation Policy_dec := (policy_dec K).
Notation models := (the_models K).
Notation known := (fun xi => In xi (the_models K)).
Notation policies := (the_policies K).
Notation trajs := (the_trajs K).
Notation prob := (Statements.prob K).
Hypothesis prob_nonneg : forall xi pi tau, In xi models -> In pi policies -> In tau trajs -> 0 <= prob xi pi tau.
Hypothesis prob_one : forall xi pi, In xi models -> In pi policies -> sum trajs (prob xi pi) = 1.
Variable star : Model.
Hypothesis star_in : In star models.
Variable best : Policy.
Hypothesis best_in : In best policies.
Notation value := (Statements.value K).
Hypothesis best_is : forall pi, In pi policies -> value star pi <= value star best.
Variable delta : R.
Hypothesis delta_range : 0 < delta <= 1.
Variable deploy : list Traj -> Model * Policy.
Notation aff xi pi := (affinity trajs (prob xi pi) (prob star pi)).
Notation c := (threshold K delta).
Notation u := (radius K delta).
Notation xi_of := (Statements.xi_of K deploy).
Notation pi_of := (Statements.pi_of K deploy).
Notation law := (law_of K deploy).
Notation L := (likelihood K deploy).
Notation gap := (Statements.gap K star best).
Notation regret := (Statements.regret K deploy star best).
Notation valid := (valid trajs).
Notation Pr := (Statements.Pr trajs (law star)).

(** some model refutes star *)
Definition refuted h : bool := existsb (fun eta => Rltb (L star h * c) (L eta h)) models.
Record list_schedule : Prop := {
  deploys_policy : forall h, In (pi_of h) policies;
  deploys_model : forall h, In (xi_of h) models;
  not_refuted : forall h, ever refuted h = false -> forall eta, In eta models -> L eta h <= L (xi_of h) h * c;
  goes_down : forall h, ever refuted h = false -> could_deploy K star (xi_of h) (pi_of h)
}.
Hypothesis schedule : list_schedule.
(** the models that may deploy a policy that costs, and for each such policy a number that an episode of it tells against them at least *)
Variables (harmful : list Model) (costly : list (Policy * R)).
Hypothesis harmful_in : forall xi, In xi harmful -> In xi models.
Hypothesis harmful_all : forall xi pi, In xi models -> In pi policies -> could_deploy K star xi pi -> 0 < gap pi -> In xi harmful.

Lemma N_pos : 1 <= INR (Nat.max 1 (length models - 1)).
Proof. change 1 with (INR 1). apply le_INR, Nat.le_max_l. Qed.
Lemma c_ge_1 : 1 <= c.
Proof. unfold Statements.threshold. pose proof N_pos. apply (Rmult_le_reg_r delta); [tauto |]. field_simplify; lra. Qed.
Lemma exp_u : exp u = c. Proof. unfold Statements.radius. apply exp_ln. pose proof c_ge_1. lra. Qed.
Lemma u_nonneg : 0 <= u.
Proof. unfold Statements.radius. rewrite <- ln_1. destruct c_ge_1 as [h | <-]; [left; apply ln_increasing; lra | lra]. Qed.
Notation plays := (deploys_policy schedule).
Notation law_nonneg := (law_nonneg K known deploy prob_nonneg plays).
Notation law_plays := (law_plays K known star deploy prob_nonneg star_in plays).
Notation ratio := (ratio K star deploy).
Notation ratio_is := (ratio_is K star deploy).

(** ** Lemma A: the truth stays *)
Theorem event_A n : Pr n (ever refuted) <= delta.
Proof.
  pose proof c_ge_1 as c1.
  apply (Ville_any K known star deploy prob_nonneg prob_one star_in plays n (remove Model_dec star models) (Nat.max 1 (length models - 1)) delta ratio); [tauto | apply N_pos | | |].
  - pose proof (remove_length_lt Model_dec models star star_in). lia.
  - intros xi i. apply in_remove in i. apply (ratio_each K known star deploy); auto; [apply plays | apply i].
  - intros h v p x. apply existsb_exists in x. destruct x as (eta & i & x). apply Rltb_spec in x.
    assert (ne : eta <> star) by (intros ->; pose proof (Rmult_le_compat_l _ _ _ (Rlt_le _ _ p) c1); lra).
    exists eta. split; [now apply in_in_remove |]. apply (Rmult_le_reg_r (L star h)); [exact p |]. rewrite ratio_is by exact p. change (INR _ / delta) with c. lra.
Qed.

(** ** Lemma B: evidence against harmful models *)
Definition ell xi pi : R := if Rlt_dec 0 (aff xi pi) then - ln (aff xi pi) else Rmax 1 (sum costly (fun e => Rmax 0 (snd e))).
Lemma ell_above xi pi : 1 - aff xi pi <= ell xi pi.
Proof.
  unfold ell. destruct (Rlt_dec 0 (aff xi pi)) as [p | p].
  - pose proof (exp_ineq1_le (ln (aff xi pi))) as k. rewrite exp_ln in k by auto. lra.
  - pose proof (Rmax_l 1 (sum costly (fun e => Rmax 0 (snd e)))). pose proof (affinity_nonneg trajs (prob xi pi) (prob star pi)). lra.
Qed.
Lemma ell_below xi pi : exp (ell xi pi) * aff xi pi <= 1.
Proof.
  unfold ell. destruct (Rlt_dec 0 (aff xi pi)) as [p | p].
  - rewrite exp_Ropp, exp_ln by auto. rewrite Rinv_l by lra. lra.
  - pose proof (affinity_nonneg trajs (prob xi pi) (prob star pi)). replace (aff xi pi) with 0 by lra. lra.
Qed.
Lemma ell_costly xi pi z : In (pi, z) costly -> exp z * aff xi pi <= 1 -> z <= ell xi pi.
Proof.
  intros i e. unfold ell. destruct (Rlt_dec 0 (aff xi pi)) as [p | p].
  - rewrite <- (ln_exp z), <- ln_Rinv by exact p. pose proof (exp_pos z) as q. assert (k : exp z <= / aff xi pi).
    { apply (Rmult_le_reg_r (aff xi pi)); [exact p |]. rewrite Rinv_l by lra. exact e. }
    destruct k as [k | ->]; [left; now apply ln_increasing | lra].
  - eapply Rle_trans; [| apply Rmax_r]. eapply Rle_trans; [apply (Rmax_r 0) |]. exact (sum_term costly (fun e => Rmax 0 (snd e)) (pi, z) (fun e _ => Rmax_l 0 (snd e)) i).
Qed.
Notation at_stake := (at_stake delta (length harmful)).
Notation evidence := (evidence_of K delta (length harmful)).
Lemma at_stake_ge_1 : 1 <= at_stake.
Proof.
  unfold ScheduleBound.at_stake. assert (k : 1 <= INR (Nat.max 1 (length harmful))) by (change 1 with (INR 1); apply le_INR, Nat.le_max_l).
  apply (Rmult_le_reg_r delta); [tauto |]. field_simplify; lra.
Qed.
Lemma evidence_nonneg : 0 <= evidence.
Proof.
  pose proof u_nonneg. unfold evidence_of. assert (0 <= ln at_stake); [| lra]. rewrite <- ln_1. destruct at_stake_ge_1 as [h | <-]; [left; apply ln_increasing; lra | lra].
Qed.
Lemma h2_01 xi pi : In xi models -> In pi policies -> 0 <= 1 - aff xi pi <= 1.
Proof. intros. apply (hellinger2_01 trajs (prob xi pi) (prob star pi)); auto. Qed.
Lemma ell_nonneg xi pi : In xi models -> In pi policies -> 0 <= ell xi pi.
Proof. intros i j. pose proof (h2_01 xi pi i j). pose proof (ell_above xi pi). lra. Qed.
Notation info := (info K deploy ell).
Notation tilted := (tilted K star deploy ell).
Notation policy_info := (policy_info K known deploy plays ell ell_nonneg).
Definition told h : bool := existsb (fun xi => Rleb at_stake (tilted xi h)) harmful.
Theorem event_B n : Pr n (ever told) <= delta.
Proof.
  apply (Ville_any K known star deploy prob_nonneg prob_one star_in plays n harmful (Nat.max 1 (length harmful)) delta tilted); [tauto | change 1 with (INR 1); apply le_INR; lia | lia | |].
  - intros xi i. apply (told_each K known star deploy prob_nonneg star_in plays ell); auto using ell_below.
  - intros h _ _ x. apply existsb_exists in x. destruct x as (xi & i & x). exists xi. split; [exact i |]. now apply Rleb_spec.
Qed.

(** ** Where neither event fails, nothing is left to chance *)
Definition good h : Prop := valid h /\ 0 < L star h /\ ever refuted h = false /\ ever told h = false.
Lemma good_tail tau h : good (tau :: h) -> good h.
Proof.
  intros (v & p & a & b). destruct (tail K known star deploy prob_nonneg star_in plays tau h v p) as (v' & p' & _). rewrite ever_cons in a, b. apply orb_false_elim in a, b. unfold good. tauto.
Qed.
Lemma good_believes h : good h -> In (xi_of h) models. Proof. intros _. apply schedule. Qed.
Lemma gap_nonneg pi : In pi policies -> 0 <= gap pi.
Proof. intro i. unfold Statements.gap. pose proof (best_is pi i). lra. Qed.
(** a model that deploys a policy that costs is harmful, and little has been told against it *)
Lemma good_info h : good h -> 0 < gap (pi_of h) -> In (xi_of h) harmful /\ info (xi_of h) h <= evidence.
Proof.
  intros (v & p & a & b) g. assert (i := deploys_model schedule h). assert (j := deploys_policy schedule h).
  assert (hm : In (xi_of h) harmful) by (apply (harmful_all _ (pi_of h)); auto; now apply (goes_down schedule)). split; [exact hm |].
  pose proof (not_refuted schedule h a star star_in) as l. set (xi := xi_of h) in *. pose proof c_ge_1 as c1. pose proof at_stake_ge_1 as s1.
  assert (t : tilted xi h < at_stake).
  { apply Rnot_le_lt. intro q. apply Rleb_spec in q. enough (ever told h = true) by congruence. apply ever_here. apply existsb_exists. eauto. }
  assert (r : exp (- u) <= ratio xi h).
  { rewrite exp_Ropp, exp_u. apply (Rmult_le_reg_r (L star h)); [exact p |]. rewrite ratio_is by exact p. apply (Rmult_le_reg_l c); [lra |]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  unfold evidence_of. apply (info_at_most K star deploy ell xi h u at_stake); [lra | exact r | exact t].
Qed.

(** ** Summed by policies: all episodes of pi count against the model of the last one *)
Notation by_model := (nodup Model_dec models).
Notation by_policy := (nodup Policy_dec policies).
Notation cm := (count Traj Model Model_dec xi_of).
Notation cp := (count Traj Policy Policy_dec pi_of).
Lemma good_plays h : good h -> In (pi_of h) by_policy. Proof. intros _. apply nodup_In, schedule. Qed.
Lemma total_regret h : total Traj (fun h => gap (pi_of h)) h = regret h.
Proof. induction h; simpl; congruence. Qed.
Lemma count_nat pi h : exists k, cp pi h = INR k.
Proof.
  induction h as [| tau h (k & e)]; [now exists 0%nat |]. cbn [count]. rewrite e. destruct (Policy_dec pi (pi_of h)); [exists (S k); rewrite S_INR; ring | exists k; ring].
Qed.
Lemma whole_ge k e z : 0 < z -> INR k * z <= e -> INR k + 1 <= whole_episodes e z.
Proof.
  intros z0 h. unfold whole_episodes. rewrite Rplus_comm. apply Rplus_le_compat_l. destruct (base_Int_part (e / z)) as [_ b]. rewrite INR_IZR_INZ in *. apply IZR_le.
  assert (l : IZR (Z.of_nat k) <= e / z) by (apply (Rmult_le_reg_r z); [exact z0 |]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
  apply Zlt_succ_le. apply lt_IZR. rewrite succ_IZR. lra.
Qed.
Hypothesis costly_all : forall xi pi, In xi models -> In pi policies -> could_deploy K star xi pi -> 0 < gap pi ->
  exists z, In (pi, z) costly /\ exp z * aff xi pi <= 1.
Hypothesis costly_in : forall e, In e costly -> In (fst e) policies /\ 0 < snd e.
Lemma times pi h : good h -> 0 < gap pi -> cp pi h = 0 \/ exists z, In (pi, z) costly /\ cp pi h <= whole_episodes evidence z.
Proof.
  intros g p. induction h as [| tau h ih]; [now left |]. apply good_tail in g. specialize (ih g). cbn [count].
  destruct (Policy_dec pi (pi_of h)) as [-> |]; [right | now rewrite Rplus_0_r].
  assert (i := deploys_model schedule h). assert (j := deploys_policy schedule h). destruct (good_info h g p) as [_ b].
  destruct (costly_all (xi_of h) (pi_of h) i j (goes_down schedule h (proj1 (proj2 (proj2 g)))) p) as (z & iz & e). exists z. split; [exact iz |].
  destruct (count_nat (pi_of h) h) as [k ek]. rewrite ek. destruct (costly_in _ iz) as [_ z0]. apply whole_ge; [exact z0 |].
  pose proof (policy_info (pi_of h) (xi_of h) h i j) as q. rewrite ek in q. pose proof (Rmult_le_compat_l _ _ _ (pos_INR k) (ell_costly _ _ _ iz e)). lra.
Qed.
Definition filled (t : nat) : R := fill gap costly (whole_episodes evidence) (INR t).
Lemma whole_pos z : 0 < z -> 1 <= whole_episodes evidence z.
Proof. intro z0. pose proof (whole_ge 0 evidence z z0) as k. simpl in k. pose proof evidence_nonneg. lra. Qed.
Theorem regret_filled h : good h -> regret h <= filled (length h).
Proof.
  intro g. rewrite <- total_regret. apply (total_le_fill Traj Policy Policy_dec by_policy pi_of gap good good_tail good_plays (NoDup_nodup _ _)); [| | exact g |].
  - intros pi i. apply nodup_In in i. now apply gap_nonneg.
  - intros e i. destruct (costly_in e i) as [a b]. split; [now apply nodup_In |]. pose proof (whole_pos _ b). lra.
  - intros pi _. now apply times.
Qed.
(** Theorem N: after some episode star has been refuted, or there has been more regret than the bound for the episodes so far *)
Definition violated h : bool := ever refuted h || Rltb (filled (length h)) (regret h).
Theorem theorem_N T : Pr T (ever violated) <= 2 * delta.
Proof.
  replace (2 * delta) with (delta + delta) by ring.
  eapply Rle_trans; [| apply Rplus_le_compat; [apply (event_A T) | apply (event_B T)]].
  eapply Rle_trans; [| apply (Pr_or Traj trajs (law star)); intros; now apply law_nonneg].
  apply Pr_le; [intros; now apply law_nonneg |]. intros h v _ p x.
  destruct (ever refuted h) eqn:a; auto. destruct (ever told h) eqn:b; auto. exfalso.
  assert (g : good h) by (unfold good; auto). clear a b v p. induction h as [| tau h ih].
  - simpl in x. rewrite orb_false_r in x. unfold violated in x. rewrite (proj1 (proj2 (proj2 g))) in x. apply Rltb_spec in x. pose proof (regret_filled _ g). simpl in *. lra.
  - rewrite ever_cons in x. apply orb_prop in x. destruct x as [x | x]; [| apply ih; auto; eapply good_tail, g].
    unfold violated in x. rewrite (proj1 (proj2 (proj2 g))) in x. apply Rltb_spec in x. pose proof (regret_filled _ g). lra.
Qed.

(** ** In the form of a root *)
Variables (low span : R).
Hypothesis span_nonneg : 0 <= span.
Hypothesis returns : forall tau, In tau trajs -> low <= payoff K tau <= low + span.
Lemma gap_square h : good h -> gap (pi_of h) * gap (pi_of h) <= 2 * (span * span) * (1 - aff (xi_of h) (pi_of h)).
Proof.
  intro g. assert (i := deploys_model schedule h). assert (j := deploys_policy schedule h). pose proof (gap_nonneg _ j) as p.
  assert (k : gap (pi_of h) <= value (xi_of h) (pi_of h) - value star (pi_of h)).
  { destruct (goes_down schedule h (proj1 (proj2 (proj2 g)))) as (_ & _ & _ & k & _). unfold Statements.gap. destruct (k best best_in). lra. }
  set (d := value (xi_of h) (pi_of h) - value star (pi_of h)) in *. apply Rle_trans with (d * d); [apply Rmult_le_compat; auto |].
  apply (gap_hellinger trajs (prob (xi_of h) (pi_of h)) (prob star (pi_of h))) with (a := low); auto.
Qed.
Notation pm := (part Traj Model Model_dec xi_of (fun h => gap (pi_of h))).
(** h^2 of the episodes that cost and were deployed for xi *)
Fixpoint told_by xi h : R :=
  match h with [] => 0 | _ :: h => told_by xi h + if Model_dec xi (xi_of h) then if Rlt_dec 0 (gap (pi_of h)) then 1 - aff xi (pi_of h) else 0 else 0 end.
Lemma told_by_info xi h : In xi models -> 0 <= told_by xi h <= info xi h.
Proof.
  intro i. induction h as [| tau h ih]; simpl; [lra |]. assert (ip := deploys_policy schedule h).
  pose proof (h2_01 xi _ i ip). pose proof (ell_above xi (pi_of h)). destruct (Model_dec xi (xi_of h)); [destruct (Rlt_dec 0 (gap (pi_of h))) |]; lra.
Qed.
Lemma told_by_le xi h : good h -> In xi models -> told_by xi h <= evidence + 1.
Proof.
  intros g i. pose proof evidence_nonneg. induction h as [| tau h ih]; simpl; [lra |]. apply good_tail in g. specialize (ih g).
  destruct (Model_dec xi (xi_of h)) as [e |]; [| lra]. destruct (Rlt_dec 0 (gap (pi_of h))) as [p |]; [| lra]. destruct (good_info h g p) as [_ b]. rewrite <- e in b.
  pose proof (told_by_info xi h i). pose proof (h2_01 xi (pi_of h) i (deploys_policy schedule h)). lra.
Qed.
Lemma model_part xi h : good h -> In xi models -> pm xi h * pm xi h <= (2 * (span * span) * told_by xi h) * cm xi h.
Proof.
  intros g i. induction h as [| tau h ih]; simpl; [lra |]. apply good_tail in g. specialize (ih g).
  destruct (Model_dec xi (xi_of h)) as [e |]; [| rewrite !Rplus_0_r; exact ih].
  rewrite (Rmult_plus_distr_l (2 * (span * span))). assert (ip := deploys_policy schedule h). pose proof (gap_nonneg _ ip) as g0.
  assert (s : 0 <= 2 * (span * span)) by (apply Rmult_le_pos; [lra | apply Rle_0_sqr]). pose proof (h2_01 xi _ i ip) as hh.
  apply cs_step; auto using count_nonneg; try lra.
  - apply Rmult_le_pos; auto. now apply told_by_info.
  - apply Rmult_le_pos; auto. destruct (Rlt_dec 0 (gap (pi_of h))); lra.
  - rewrite Rmult_1_r. destruct (Rlt_dec 0 (gap (pi_of h))) as [p | p]; [rewrite e; now apply gap_square |]. replace (gap (pi_of h)) with 0 by lra. lra.
Qed.
Lemma star_part h : good h -> pm star h = 0.
Proof.
  intro g. induction h as [| tau h ih]; simpl; auto. apply good_tail in g. rewrite ih by auto.
  destruct (Model_dec star (xi_of h)) as [e |]; [| lra]. destruct (goes_down schedule h (proj1 (proj2 (proj2 g)))) as (_ & _ & _ & k & _). destruct (k best best_in) as [k1 _].
  pose proof (gap_nonneg _ (deploys_policy schedule h)) as p. rewrite <- e in k1. unfold Statements.gap in *. lra.
Qed.
Lemma nodup_length {A} (dec : forall x y : A, {x = y} + {x <> y}) l : (length (nodup dec l) <= length l)%nat.
Proof. apply NoDup_incl_length; [apply NoDup_nodup |]. intros x i. now apply nodup_In in i. Qed.
Definition rate : R := 2 * (span * span) * (evidence + 1).
Lemma rate_nonneg : 0 <= rate.
Proof. pose proof evidence_nonneg. apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply Rle_0_sqr] | lra]. Qed.
Lemma policy_count pi h : good h -> In pi policies -> cp pi h * (gap pi * gap pi) <= rate.
Proof.
  intros g i. induction h as [| tau h ih]; simpl; [rewrite Rmult_0_l; apply rate_nonneg |]. apply good_tail in g. specialize (ih g).
  destruct (Policy_dec pi (pi_of h)) as [e |]; [| rewrite Rplus_0_r; exact ih]. pose proof (count_nonneg Traj Policy Policy_dec pi_of pi h) as cn.
  pose proof (gap_nonneg pi i) as g0. destruct (Rlt_dec 0 (gap pi)) as [p | p]; [| replace (gap pi) with 0 by lra; rewrite Rmult_0_l, Rmult_0_r; apply rate_nonneg].
  assert (km := deploys_model schedule h). rewrite e in p. destruct (good_info h g p) as [_ b]. rewrite <- e in *.
  pose proof (policy_info pi (xi_of h) h km i) as w. pose proof (gap_square h g) as q. rewrite <- e in q.
  pose proof (h2_01 (xi_of h) pi km i) as hh. pose proof (ell_above (xi_of h) pi) as la. set (n := cp pi h) in *. set (x := 1 - aff (xi_of h) pi) in *.
  assert (w' : (n + 1) * x <= evidence + 1) by (pose proof (Rmult_le_compat_l n x (ell (xi_of h) pi) cn la); lra).
  apply Rle_trans with ((n + 1) * (2 * (span * span) * x)); [apply Rmult_le_compat_l; lra |].
  unfold rate. replace ((n + 1) * (2 * (span * span) * x)) with (2 * (span * span) * ((n + 1) * x)) by ring.
  apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply Rle_0_sqr] | exact w'].
Qed.
Theorem regret_root h : good h -> regret h <= sqrt (rate * INR (Nat.min (length models - 1) (length policies - 1)) * INR (length h)).
Proof.
  intro g. rewrite <- total_regret. destruct (Nat.min_dec (length models - 1) (length policies - 1)) as [-> | ->].
  - apply (total_le Traj Model Model_dec by_model xi_of (fun h => gap (pi_of h)) good good_tail) with (zero := star); auto.
    + intros h' g'. apply nodup_In. now apply good_believes.
    + apply NoDup_nodup.
    + now apply nodup_In.
    + pose proof (nodup_length Model_dec models). pose proof star_in as i. destruct models; [destruct i | simpl in *; lia].
    + now apply star_part.
    + apply rate_nonneg.
    + intros xi i. apply nodup_In in i. eapply Rle_trans; [now apply model_part |]. apply Rmult_le_compat_r; [apply count_nonneg |].
      apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply Rle_0_sqr] | now apply told_by_le].
  - apply (total_le Traj Policy Policy_dec by_policy pi_of (fun h => gap (pi_of h)) good good_tail good_plays (NoDup_nodup _ _)) with (zero := best); auto.
    + now apply nodup_In.
    + pose proof (nodup_length Policy_dec policies). pose proof best_in as i. destruct policies; [destruct i | simpl in *; lia].
    + rewrite (part_is Traj Policy Policy_dec pi_of gap). unfold Statements.gap. ring.
    + apply rate_nonneg.
    + intros pi i. apply nodup_In in i. rewrite (part_is Traj Policy Policy_dec pi_of gap). replace (cp pi h * gap pi * (cp pi h * gap pi)) with (cp pi h * (gap pi * gap pi) * cp pi h) by ring.
      apply Rmult_le_compat_r; [apply count_nonneg |]. now apply policy_count.
Qed.
End Proof.
Lemma forallb_false {A} (f : A -> bool) l : forallb f l = false -> exists x, In x l /\ f x = false.
Proof.
  induction l as [| x l ih]; simpl; [discriminate |]. destruct (f x) eqn:e; simpl; [| eauto].
  intro k. destruct (ih k) as (y & i & z). eauto.
Qed.
