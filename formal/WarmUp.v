(** Warm-up as episodes of the m-memory game: what a schedule costs beside its data episodes.  It warms up where it says it begins, and keeps
    its policy elsewhere.  After m - 1 episodes of a policy the response is the stationary one (Assumption 3.1(f)), so that every data
    episode has the law that the likelihoods suppose. *)
From Pomgcheck Require Import RealSums Statements Ville Hellinger ScheduleBound.
Open Scope R_scope.

Section WarmUp.
Variable K : class.
Variables (low span : R) (star : Model K) (best : Policy K) (deploy : list (Traj K) -> Model K * Policy K) (begins : list (Traj K) -> bool).
Notation pi_at := (pi_of K deploy).
Hypothesis plays : forall h, In (pi_at h) (the_policies K).
Hypothesis begins_first : begins [] = true.
Hypothesis keeps_policy : forall tau h, begins (tau :: h) = false -> pi_at (tau :: h) = pi_at h.
Variables (m : nat) (worth : list (Policy K) -> R) (past : list (Policy K)).
Hypothesis m_pos : (1 <= m)%nat.
Hypothesis span_nonneg : 0 <= span.
Hypothesis past_long : (m <= S (length past))%nat.
Hypothesis past_in : forall pi, In pi past -> In pi (the_policies K).
Hypothesis best_high : value K star best <= low + span.
Hypothesis worth_low : forall block, length block = m -> (forall pi, In pi block -> In pi (the_policies K)) -> low <= worth block.
Hypothesis stationary : forall pi, In pi (the_policies K) -> worth (repeat pi m) = value K star pi.
Notation cost := (calendar_regret K star best m worth past).
Notation days := (calendar K deploy begins m).

(** the number of warm-ups before the data episodes *)
Fixpoint starts (h : list (Traj K)) : nat := match h with [] => 0 | _ :: h => (if begins h then 1 else 0) + starts h end%nat.

Lemma block_in l pi : (forall x, In x l -> In x (the_policies K)) -> In pi (the_policies K) ->
  length (firstn m ((pi :: l) ++ past)) = m /\ forall x, In x (firstn m ((pi :: l) ++ past)) -> In x (the_policies K).
Proof.
  intros a b. split.
  - rewrite firstn_length, app_length. cbn [length]. lia.
  - intros x i. assert (j : In x ((pi :: l) ++ past)) by (rewrite <- (firstn_skipn m ((pi :: l) ++ past)); apply in_or_app; now left).
    apply in_app_or in j. destruct j as [[<- | j] | j]; auto.
Qed.
Lemma cost_cons pi l : (forall x, In x l -> In x (the_policies K)) -> In pi (the_policies K) -> cost (pi :: l) <= span + cost l.
Proof.
  intros a b. cbn [calendar_regret]. destruct (block_in l pi a b) as [e i]. specialize (worth_low _ e i). lra.
Qed.
Lemma cost_repeat pi k l : (forall x, In x l -> In x (the_policies K)) -> In pi (the_policies K) -> cost (repeat pi k ++ l) <= INR k * span + cost l.
Proof.
  intros a b. induction k as [| k ih]; [simpl; lra |]. change (repeat pi (S k) ++ l) with (pi :: (repeat pi k ++ l)). rewrite S_INR.
  eapply Rle_trans; [apply cost_cons; auto |]; [| lra].
  intros x i. apply in_app_or in i. destruct i as [i | i]; auto. apply repeat_spec in i. now subst.
Qed.
Lemma days_in h x : In x (days h) -> In x (the_policies K).
Proof.
  induction h as [| tau h ih]; [intros [] |]. cbn [calendar]. intro i. apply in_app_or in i. destruct i as [i | i]; auto.
  destruct (begins h); [apply repeat_spec in i; subst; auto | destruct i as [<- | []]; auto].
Qed.
(** a data episode has been preceded by m - 1 episodes of its policy *)
Theorem warmed_up tau h : exists rest, days (tau :: h) = repeat (pi_at h) m ++ rest.
Proof.
  revert tau. induction h as [| tau' h ih]; intro tau; cbn [calendar]; [rewrite begins_first; eexists; reflexivity |].
  destruct (begins (tau' :: h)) eqn:e; [eexists; reflexivity |]. apply keeps_policy in e.
  destruct (ih tau') as [rest r]. cbn [calendar] in r. rewrite r, e. exists (pi_at h :: rest).
  change ([pi_at h] ++ repeat (pi_at h) m ++ rest) with ((pi_at h :: repeat (pi_at h) m) ++ rest).
  rewrite repeat_cons, <- app_assoc. reflexivity.
Qed.
Lemma firstn_repeat (pi : Policy K) l : firstn m (repeat pi m ++ l) = repeat pi m.
Proof. rewrite firstn_app, repeat_length, Nat.sub_diag, firstn_O, app_nil_r. apply firstn_all2. rewrite repeat_length. lia. Qed.
(** the regret of the calendar: that of the data episodes, and the span for each warm-up episode *)
Theorem cost_le h : cost (days h) <= regret K deploy star best h + INR (m - 1) * span * INR (starts h).
Proof.
  induction h as [| tau h ih]; [simpl; lra |].
  assert (head : forall l, days (tau :: h) = pi_at h :: l -> cost (days (tau :: h)) = gap K star best (pi_at h) + cost l).
  { intros l e. destruct (warmed_up tau h) as [rest r]. rewrite e. cbn [calendar_regret]. rewrite <- e, r, <- app_assoc, firstn_repeat, stationary by auto.
    reflexivity. }
  cbn [Statements.regret starts]. rewrite plus_INR. destruct (begins h) eqn:e.
  - rewrite (head (repeat (pi_at h) (m - 1) ++ days h)).
    + pose proof (cost_repeat (pi_at h) (m - 1) (days h) (days_in h) (plays h)). simpl (INR 1). lra.
    + cbn [calendar]. rewrite e. destruct m as [| k]; [lia |]. cbn [repeat]. rewrite Nat.sub_succ, Nat.sub_0_r. reflexivity.
  - rewrite (head (days h)); [simpl (INR 0); lra |]. cbn [calendar]. now rewrite e.
Qed.
End WarmUp.

(** `nested` warms up where its policy changes *)
Lemma another_keeps K deploy tau h : another K deploy (tau :: h) = false -> pi_of K deploy (tau :: h) = pi_of K deploy h.
Proof. unfold another. destruct (policy_dec K _ _); [auto | discriminate]. Qed.
