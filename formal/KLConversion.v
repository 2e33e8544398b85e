(** Assumption 3.1(e): divergence of laws of play against expected squared errors, one enclosed logarithm per model and trajectory. *)
From Pomgcheck Require Import Logs OrderedField Statements WeakRevealing TrajectoryLaws BoundedIncrements ForwardErrors RealSums.
From Coq Require Import QArith Qreals.
Open Scope nat_scope.

Notation two := (near 64 20 2).
(** the law of a trajectory, with an enclosure of its logarithm where it is positive *)
Definition cell (ln2 : option (Q * Q)) (P : Q) : Q * option (Q * Q) := (P, if Qle_bool P 0 then None else enclose 64 20 ln2 P).
Definition cells (ln2 : option (Q * Q)) d p xi : list (Q * option (Q * Q)) :=
  let law := law_fast d xi p in map (fun tau => cell ln2 (Qred (law tau))) (playable d p (horizon d)).
(** ends of sum P (ln P - ln P') *)
Fixpoint divergence_ends (u v : list (Q * option (Q * Q))) : option (Q * Q) :=
  match u, v with
  | [], [] => Some (0%Q, 0%Q)
  | (P, e) :: u, (_, e') :: v =>
      match divergence_ends u v with
      | None => None
      | Some (lo, hi) =>
          if Qeq_bool P 0 then Some (lo, hi) else
          match e, e' with
          | Some (a, b), Some (a', b') => Some (Qred (P * (a - b') + lo), Qred (P * (b - a') + hi))%Q
          | _, _ => None
          end
      end
  | _, _ => None
  end.
Fixpoint same_law (u v : list (Q * option (Q * Q))) : bool :=
  match u, v with [], [] => true | (P, _) :: u, (P', _) :: v => Qeq_bool P P' && same_law u v | _, _ => false end.
(** a lower and an upper end of KL; equal laws are told without a logarithm *)
Definition kl_ends (u v : list (Q * option (Q * Q))) : option (Q * Q) := if same_law u v then Some (0%Q, 0%Q) else divergence_ends u v.

Definition check_conversion d (of_world : bool) (c : Q) : bool :=
  negb (Qle_bool c 0) &&
  (let ln2 := two in
   forallb (fun p => let t := map (fun xi => (xi, cells ln2 d p xi)) (models d) in
     forallb (fun x => forallb (fun y =>
       match kl_ends (snd x) (snd y) with
       | Some (lo, _) => Qle_bool (c * expected_fast d of_world (fst x) (fst y) p) lo
       | None => false
       end) t) t) (seq 0 (List.length (policies d)))).

Open Scope R_scope.
Lemma sum_flat_map {A B} (h : A -> list B) (l : list A) (f : B -> R) : sum (flat_map h l) f = sum l (fun x => sum (h x) f).
Proof. induction l as [| x l ih]; [reflexivity |]. cbn [flat_map sum]. now rewrite sum_app, ih. Qed.
Lemma sum_maps {A B} (g : A -> B) (l : list A) (f : B -> R) : sum (map g l) f = sum l (fun x => f (g x)).
Proof. induction l as [| x l ih]; [reflexivity |]. cbn [map sum]. now rewrite ih. Qed.
(** a sum over all trajectories of what is zero where the policy does not play *)
Lemma sum_played d pi k : forall h uA (f : trajectory -> R), (forall tau, chosen_fast d pi h uA tau = false -> f tau = 0) ->
  sum (trajectories_of d k) f = sum (played d pi k h uA) f.
Proof.
  induction k as [| k ih]; intros h uA f z; [reflexivity |]. cbn [trajectories_of played]. rewrite !sum_flat_map. apply sum_ext. intros [o a] _. cbn [fst snd].
  destruct (Qeq_bool (pi h (uA ++ [o])%list a) 0) eqn:e.
  - rewrite sum_maps. cbn [sum]. apply sum_zero. intros tau _. apply z. cbn [chosen_fast]. now rewrite e.
  - rewrite !sum_maps. apply ih. intros tau c. apply z. cbn [chosen_fast]. now rewrite e, c.
Qed.
Lemma Q2R_zero q : (q == 0)%Q -> Q2R q = 0.
Proof. intro h. rewrite (Qeq_eqR _ _ h). unfold Q2R. simpl. lra. Qed.
Section Ends.
Variables (d : doc) (star xi : point * point) (p : nat).
Let P tau := law_fast d star p tau.
Let P' tau := law_fast d xi p tau.
Definition term tau : R := Q2R (P tau) * ln (Q2R (P tau) / Q2R (P' tau)).
Lemma KL_played : KL d star xi p = sum (playable d p (horizon d)) term.
Proof.
  unfold KL, playable, trajectories. transitivity (sum (trajectories_of d (horizon d)) term).
  - apply sum_ext. intros tau _. unfold term, P, P'. now rewrite !(Qeq_eqR _ _ (law_eq _ _ _ _)).
  - apply sum_played. intros tau c. unfold term, P, law_fast. rewrite c. unfold Q2R at 1. simpl. lra.
Qed.
Lemma positive_cell Q0 a b : snd (cell two (Qred Q0)) = Some (a, b) -> 0 < Q2R Q0 /\ Q2R a <= ln (Q2R Q0) <= Q2R b.
Proof.
  unfold cell. cbn [snd]. destruct (Qle_bool (Qred Q0) 0) eqn:z; [discriminate |]. intro e.
  assert (k : 0 < Q2R (Qred Q0)).
  { assert (l : (0 < Qred Q0)%Q) by (apply Qnot_le_lt; intro l; apply Qle_bool_iff in l; congruence). apply Qlt_Rlt in l. unfold Q2R at 1 in l. simpl in l. lra. }
  apply enclose_sound in e; [| exact k]. rewrite (Qeq_eqR _ _ (Qred_correct Q0)) in k, e. now split.
Qed.
Lemma ends_cons x y u v : divergence_ends (cell two x :: u) (cell two y :: v) =
  match divergence_ends u v with
  | None => None
  | Some (lo, hi) => if Qeq_bool x 0 then Some (lo, hi) else
      match snd (cell two x), snd (cell two y) with
      | Some (a, b), Some (a', b') => Some (Qred (x * (a - b') + lo), Qred (x * (b - a') + hi))%Q
      | _, _ => None
      end
  end.
Proof. reflexivity. Qed.
Lemma same_cons x y u v : same_law (cell two x :: u) (cell two y :: v) = (Qeq_bool x y && same_law u v)%bool.
Proof. reflexivity. Qed.
Lemma ends_sound taus : forall lo hi,
  divergence_ends (map (fun tau => cell two (Qred (P tau))) taus) (map (fun tau => cell two (Qred (P' tau))) taus) = Some (lo, hi) ->
  Q2R lo <= sum taus term <= Q2R hi.
Proof.
  induction taus as [| tau taus ih]; intros lo hi e; cbn [map sum] in e |- *.
  - cbn [divergence_ends] in e. injection e as <- <-. unfold Q2R. simpl. lra.
  - rewrite ends_cons in e. destruct (divergence_ends _ _) as [[l h] |] eqn:r; [| discriminate]. specialize (ih l h eq_refl).
    destruct (Qeq_bool (Qred (P tau)) 0) eqn:z.
    + assert (el : lo = l) by congruence. assert (eh : hi = h) by congruence. rewrite el, eh. clear e el eh. apply Qeq_bool_iff in z. rewrite Qred_correct in z. unfold term at 1 3. rewrite (Q2R_zero _ z). lra.
    + destruct (snd (cell two (Qred (P tau)))) as [[a b] |] eqn:e1; [| discriminate].
      destruct (snd (cell two (Qred (P' tau)))) as [[a' b'] |] eqn:e2; [| discriminate].
      apply positive_cell in e1, e2. destruct e1 as [p1 e1], e2 as [p2 e2].
      assert (el : lo = Qred (Qred (P tau) * (a - b') + l)) by congruence. assert (eh : hi = Qred (Qred (P tau) * (b - a') + h)) by congruence.
      rewrite el, eh, !(Qeq_eqR _ _ (Qred_correct _)), !Q2R_plus, !Q2R_mult, !Q2R_minus, !(Qeq_eqR _ _ (Qred_correct _)).
      unfold term at 1 3. unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; assumption). nra.
Qed.
Lemma same_sound taus : same_law (map (fun tau => cell two (Qred (P tau))) taus) (map (fun tau => cell two (Qred (P' tau))) taus) = true -> sum taus term = 0.
Proof.
  induction taus as [| tau taus ih]; cbn [map sum]; [reflexivity |]. rewrite same_cons. intro h. apply andb_true_iff in h. destruct h as [h k].
  rewrite (ih k). apply Qeq_bool_iff in h. rewrite !Qred_correct in h. unfold term. rewrite (Qeq_eqR _ _ h).
  destruct (Req_dec (Q2R (P' tau)) 0) as [z | z]; [rewrite z; lra |]. unfold Rdiv. rewrite Rinv_r by exact z. rewrite ln_1. lra.
Qed.
Lemma kl_ends_sound lo hi : kl_ends (cells two d p star) (cells two d p xi) = Some (lo, hi) -> Q2R lo <= KL d star xi p <= Q2R hi.
Proof.
  rewrite KL_played. unfold kl_ends, cells. cbv zeta. fold P P'. destruct (same_law _ _) eqn:s; intro e.
  - injection e as <- <-. apply same_sound in s. unfold P, P' in *. rewrite s. unfold Q2R. simpl. lra.
  - now apply ends_sound.
Qed.
End Ends.

Definition operator_error d (of_world : bool) star xi p : trajectory -> nat -> nat -> Q :=
  if of_world then W_error d star xi p else J_error d star xi p.
Lemma expected_is d of_world star xi p :
  (expected_fast d of_world star xi p == expected_sum d star p (fun seen o a => operator_error d of_world star xi p seen o a * operator_error d of_world star xi p seen o a))%Q.
Proof. rewrite expected_fast_is. unfold stated_error, operator_error. destruct of_world; reflexivity. Qed.
Theorem check_conversion_sound d of_world c : check_conversion d of_world c = true -> kl_conversion d (operator_error d of_world) c.
Proof.
  unfold check_conversion. cbv zeta. rewrite andb_true_iff, forallb_forall. intros [c0 hc]. split; [apply Qnot_le_lt; intro k; apply Qle_bool_iff in k; rewrite k in c0; discriminate |].
  intros star xi is ix p hp. specialize (hc p ltac:(apply in_seq; lia)). rewrite forallb_forall in hc.
  specialize (hc _ (in_map (fun xi => (xi, cells two d p xi)) _ _ is)). rewrite forallb_forall in hc.
  specialize (hc _ (in_map (fun xi => (xi, cells two d p xi)) _ _ ix)). cbn [fst snd] in hc.
  destruct (kl_ends _ _) as [[lo hi] |] eqn:e; [| discriminate]. apply kl_ends_sound in e. apply Qle_bool_iff in hc. rewrite expected_is in hc.
  apply Qle_Rle in hc. lra.
Qed.
Theorem check_kl_joint d c : check_conversion d false c = true -> kl_joint d c.
Proof. apply check_conversion_sound. Qed.
Theorem check_kl_world d c : check_conversion d true c = true -> kl_world d c.
Proof. apply check_conversion_sound. Qed.

(** ** Two models at which no larger c will do; with equal laws none at all *)
Open Scope nat_scope.
Definition check_divergence d (of_world : bool) star xi p (c : Q) : bool :=
  in_class d star && in_class d xi && (p <? List.length (policies d)) &&
  (let e := expected_fast d of_world star xi p in
   negb (Qle_bool e 0) && match kl_ends (cells two d p star) (cells two d p xi) with Some (_, hi) => Qle_bool hi (c * e) | None => false end).
Theorem check_divergence_sound d of_world star xi p c : check_divergence d of_world star xi p c = true ->
  forall c', (c < c')%Q -> ~ kl_conversion d (operator_error d of_world) c'.
Proof.
  unfold check_divergence. cbv zeta. rewrite !andb_true_iff. intros [[[is ix] hp] [e0 h]] c' hc [_ k].
  apply in_class_sound in is, ix. apply Nat.ltb_lt in hp. specialize (k star xi is ix p hp). apply BoundedIncrements.not_le in e0.
  destruct (kl_ends _ _) as [[lo hi] |] eqn:e; [| discriminate]. apply kl_ends_sound in e. apply Qle_bool_iff in h.
  rewrite (Qeq_eqR _ (c' * expected_fast d of_world star xi p)%Q) in k by now rewrite expected_is.
  assert (l : (c' * expected_fast d of_world star xi p <= c * expected_fast d of_world star xi p)%Q).
  { apply Rle_Qle. apply Qle_Rle in h. lra. }
  apply (Qlt_irrefl (c * expected_fast d of_world star xi p)). apply Qlt_le_trans with (c' * expected_fast d of_world star xi p)%Q; [now apply Qmult_lt_compat_r | exact l].
Qed.
Theorem no_divergence d of_world star xi p : check_divergence d of_world star xi p 0 = true -> forall c, ~ kl_conversion d (operator_error d of_world) c.
Proof. intros h c k. exact (check_divergence_sound d of_world star xi p 0 h c (proj1 k) k). Qed.
Theorem no_more_kl_joint d star xi p c : check_divergence d false star xi p c = true -> forall c', (c < c')%Q -> ~ kl_joint d c'.
Proof. apply check_divergence_sound. Qed.
Theorem no_more_kl_world d star xi p c : check_divergence d true star xi p c = true -> forall c', (c < c')%Q -> ~ kl_world d c'.
Proof. apply check_divergence_sound. Qed.
Theorem no_kl_joint d star xi p : check_divergence d false star xi p 0 = true -> forall c, ~ kl_joint d c.
Proof. apply no_divergence. Qed.
Theorem no_kl_world d star xi p : check_divergence d true star xi p 0 = true -> forall c, ~ kl_world d c.
Proof. apply no_divergence. Qed.
