(** Expected squared errors of operators (Assumption 3.1(e)) as a program: predictive states are carried from prefix to prefix. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing TrajectoryLaws Covering WarmupStationary PosteriorLipschitz Instances CausalDecomposition ChannelTriangle SimulationSummed.
From Coq Require Qcanon.
Open Scope nat_scope.

Lemma qsum_app {A} (l m : list A) f : (qsum (l ++ m) f == qsum l f + qsum m f)%Q.
Proof. induction l as [| x l ih]; cbn [app qsum]; [ring |]. rewrite !Qred_correct, ih. ring. Qed.
Lemma qsum_flat_map {A B} (h : A -> list B) (l : list A) f : (qsum (flat_map h l) f == qsum l (fun x => qsum (h x) f))%Q.
Proof. induction l as [| x l ih]; cbn [flat_map qsum]; [reflexivity |]. now rewrite qsum_app, Qred_correct, ih. Qed.
Lemma qsum_maps {A B} (f : A -> B) (l : list A) g : (qsum (map f l) g == qsum l (fun x => g (f x)))%Q.
Proof. induction l as [| x l ih]; cbn [map qsum]; [reflexivity |]. now rewrite !Qred_correct, ih. Qed.

(** ** The program *)
Section Program.
Variables (d : doc) (w w' : world) (g g' pi : decision) (of_world : bool).
Definition J_fast (v : world) (r : decision) h o a (c' c : nat * list nat) : Q :=
  let '(s', u') := c' in let '(s, u) := c in
  if Qeq_bool (EA v h s o) 0 then 0%Q else
  qsum (seq 0 (nOB d)) (fun oB => qsum (seq 0 (nB d)) (fun b =>
    if same (next_B d u oB) u' then zt (EB v h s oB) (fun _ => zt (r h (u ++ [oB]) b) (fun _ => (EA v h s o * T v h s a b s')%Q)) else 0%Q)).
Definition forward h o a (cq : list ((nat * list nat) * Q)) : list ((nat * list nat) * Q) :=
  map (fun c' => (c', qsum cq (fun e => zt (snd e) (fun _ => J_fast w g h o a c' (fst e))))) (coordinates d (S h)).
Definition impossible (cq : list ((nat * list nat) * Q)) : bool := forallb (fun e => Qeq_bool (snd e) 0) cq.
Definition total (cq : list ((nat * list nat) * Q)) : Q := qsum cq snd.
Definition normal cq : list ((nat * list nat) * Q) := let t := total cq in map (fun e => (fst e, Qred (snd e / t))) cq.
Definition error {A} (rows : list A) (e e' : A -> nat * list nat -> Q) (nq : list ((nat * list nat) * Q)) : Q :=
  qsum rows (fun r => Qabs (qsum nq (fun x => zt (snd x) (fun _ => e r (fst x))) - qsum nq (fun x => zt (snd x) (fun _ => e' r (fst x)))))%Q.
Definition error_after h o a nq : Q :=
  if of_world then error (channel d h) (W w' h o a) (W w h o a) nq
  else error (coordinates d (S h)) (J_fast w' g' h o a) (J_fast w g h o a) nq.
(** sum over the k steps to come, weighted; c is what the policy chose so far, acc the errors so far *)
Fixpoint walk (k h : nat) (uA : list nat) (cq : list ((nat * list nat) * Q)) (c acc : Q) : Q :=
  match k with
  | 0 => (c * total cq * acc)%Q
  | S k => let nq := normal cq in qsum (pairs d) (fun x =>
      let chance := pi h (uA ++ [fst x]) (snd x) in
      if Qeq_bool chance 0 then 0%Q else
      let after := forward h (fst x) (snd x) cq in
      if impossible after then 0%Q else
      let e := error_after h (fst x) (snd x) nq in
      walk k (S h) (next_A d uA (fst x)) after (Qred (c * chance)) (Qred (acc + e * e)))
  end.
End Program.
Definition expected_fast d (of_world : bool) (star xi : point * point) p : Q :=
  let w := world_of d (fst star) in let w' := world_of d (fst xi) in
  let g := response_of d (snd star) p in let g' := response_of d (snd xi) p in let pi := policy_of d p in
  walk d w w' g g' pi of_world (horizon d) 0 [] (map (fun c => (c, q_0 d c)) (coordinates d 0)) 1 0.

(** ** It is the expected sum of the statement *)
Lemma J_fast_eq d v r h o a c' c : (J_fast d v r h o a c' c == J_entry d v r h o a c' c)%Q.
Proof.
  destruct c' as [s' u'], c as [s u]. unfold J_fast, J_entry. destruct (Qeq_bool (EA v h s o) 0) eqn:z.
  - apply Qeq_bool_iff in z. rewrite (qsum_eq _ _ (fun _ => 0%Q)); [now rewrite qsum_zero |]. intro oB.
    rewrite (qsum_eq _ _ (fun _ => 0%Q)); [apply qsum_zero |]. intro b. destruct (same _ _); [rewrite z; ring | reflexivity].
  - apply qsum_eq. intro oB. apply qsum_eq. intro b. destruct (same _ _); [| reflexivity].
    rewrite (zt_eq _ _ (r h (u ++ [oB]) b * (EA v h s o * T v h s a b s'))%Q) by now apply zt_eq. ring.
Qed.
Section Meaning.
Variables (d : doc) (of_world : bool) (star xi : point * point) (p : nat).
Let w := world_of d (fst star). Let w' := world_of d (fst xi).
Let g := response_of d (snd star) p. Let g' := response_of d (snd xi) p.
Definition stated_error (seen : trajectory) (o a : nat) : Q :=
  if of_world then W_error d star xi p seen o a else J_error d star xi p seen o a.
Definition represents (past : trajectory) (cq : list ((nat * list nat) * Q)) : Prop :=
  exists f, cq = map (fun c => (c, f c)) (coordinates d (List.length past)) /\ forall c, (f c == unnormalised d w g past c)%Q.
Lemma forward_represents past cq o a : represents past cq -> represents ((o, a) :: past) (forward d w g (List.length past) o a cq).
Proof.
  intros (f & -> & e). eexists. split; [reflexivity |]. intro c'. cbv beta. cbn [unnormalised]. rewrite qsum_maps. apply qsum_eq. intro c. cbn [fst snd].
  rewrite (zt_eq _ _ (J_entry d w g (List.length past) o a c' c)) by apply J_fast_eq. rewrite e. ring.
Qed.
Lemma total_is past cq : represents past cq -> (total cq == mass d w g past)%Q.
Proof. intros (f & -> & e). unfold total, mass. rewrite qsum_maps. apply qsum_eq. intro c. cbn [snd]. apply e. Qed.
(** what weighs nothing goes on weighing nothing *)
Lemma impossible_after past cq : represents past cq -> impossible cq = true -> forall tau, (mass d w g (rev tau ++ past) == 0)%Q.
Proof.
  intros (f & -> & e) z. unfold impossible in z. rewrite forallb_forall in z.
  assert (zero : forall c, In c (coordinates d (List.length past)) -> (unnormalised d w g past c == 0)%Q).
  { intros c ic. rewrite <- e. apply Qeq_bool_iff. exact (z _ (in_map (fun c => (c, f c)) _ _ ic)). }
  clear f e z. intro tau. revert past zero. induction tau as [| [o a] tau ih]; intros past zero.
  - cbn [rev app]. unfold mass. rewrite (qsum_eq_in _ _ (fun _ => 0%Q)) by exact zero. apply qsum_zero.
  - cbn [rev]. rewrite <- app_assoc. cbn [app]. apply ih. intros c' _. cbn [unnormalised].
    rewrite (qsum_eq_in _ _ (fun _ => 0%Q)); [apply qsum_zero |]. intros c ic. rewrite (zero c ic). ring.
Qed.
Lemma error_is' {A} past cq (rows : list A) (e e' h h' : A -> nat * list nat -> Q) : represents past cq ->
  (forall r c, (e r c == h r c)%Q) -> (forall r c, (e' r c == h' r c)%Q) ->
  (error rows e e' (normal cq) == qsum rows (fun r => Qabs (qsum (coordinates d (List.length past)) (fun c => h r c * (unnormalised d w g past c / mass d w g past))
    - qsum (coordinates d (List.length past)) (fun c => h' r c * (unnormalised d w g past c / mass d w g past)))))%Q.
Proof.
  intros rep k k'. pose proof (total_is past cq rep) as t. destruct rep as (f & e0 & ef). unfold error. apply qsum_eq. intro r.
  assert (one : forall (u v : A -> nat * list nat -> Q), (forall r c, (u r c == v r c)%Q) ->
    (qsum (normal cq) (fun x => zt (snd x) (fun _ => u r (fst x))) == qsum (coordinates d (List.length past)) (fun c => v r c * (unnormalised d w g past c / mass d w g past)))%Q).
  { intros u v uv. unfold normal. cbv zeta. set (t0 := total cq) in *. rewrite qsum_maps, e0, qsum_maps. apply qsum_eq. intro c. cbn [fst snd].
    rewrite (zt_eq _ _ (v r c)) by apply uv. rewrite Qred_correct, t, ef. ring. }
  now rewrite (one e h k), (one e' h' k').
Qed.
Lemma error_after_is past cq o a : represents past cq ->
  (error_after d w w' g g' of_world (List.length past) o a (normal cq) == stated_error (rev past) o a)%Q.
Proof.
  intro rep. unfold error_after, stated_error. destruct of_world.
  - rewrite (error_is' past cq _ _ _ (W w' (List.length past) o a) (W w (List.length past) o a) rep) by (intros; reflexivity).
    unfold W_error, at_q_star, q_star. rewrite rev_length, rev_involutive. fold w w' g. reflexivity.
  - rewrite (error_is' past cq _ _ _ (J_entry d w' g' (List.length past) o a) (J_entry d w g (List.length past) o a) rep) by (intros; apply J_fast_eq).
    unfold J_error, at_q_star, q_star. rewrite rev_length, rev_involutive. fold w w' g g'. reflexivity.
Qed.
Fixpoint errors (past tau : trajectory) : Q :=
  match tau with
  | [] => 0
  | (o, a) :: tau => stated_error (rev past) o a * stated_error (rev past) o a + errors ((o, a) :: past) tau
  end%Q.
Lemma walk_is k : forall uA past cq c acc, represents past cq ->
  (walk d w w' g g' (policy_of d p) of_world k (List.length past) uA cq c acc ==
   qsum (trajectories_of d k) (fun tau => c * chosen d p (List.length past) uA tau * mass d w g (rev tau ++ past) * (acc + errors past tau)))%Q.
Proof.
  induction k as [| k ih]; intros uA past cq c acc rep.
  - cbn [walk trajectories_of qsum chosen rev app errors]. rewrite Qred_correct, (total_is past cq rep). ring.
  - cbn [walk trajectories_of]. rewrite qsum_flat_map. apply qsum_eq. intros [o a]. cbn [fst snd]. rewrite qsum_maps.
    destruct (Qeq_bool _ 0) eqn:z.
    + apply Qeq_bool_iff in z. rewrite (qsum_eq _ _ (fun _ => 0%Q)); [now rewrite qsum_zero |]. intro tau. cbn [chosen]. rewrite z. ring.
    + destruct (impossible _) eqn:nil.
      { rewrite (qsum_eq _ _ (fun _ => 0%Q)); [now rewrite qsum_zero |]. intro tau. cbn [rev]. rewrite <- app_assoc. cbn [app].
        rewrite (impossible_after _ _ (forward_represents past cq o a rep) nil). ring. }
      change (S (List.length past)) with (List.length ((o, a) :: past)). rewrite (ih _ _ _ _ _ (forward_represents past cq o a rep)).
      apply qsum_eq. intro tau. cbn [chosen rev errors List.length]. rewrite <- app_assoc. cbn [app]. rewrite !Qred_correct, (error_after_is past cq o a rep). ring.
Qed.
Lemma law_is tau : (law_of_play d star p tau == chosen d p 0 [] tau * mass d w g (rev tau))%Q.
Proof.
  pose proof (law_split rationals d p w g tau) as k. rewrite <- inj_mul in k. cbn [inj rationals] in k. now apply Qcanon.Q2Qc_eq_iff in k.
Qed.
Lemma errors_are (tau : trajectory) : forall past,
  (qsum (seq 0 (List.length tau)) (fun h => stated_error (rev past ++ firstn h tau) (fst (nth h tau (O, O))) (snd (nth h tau (O, O)))
    * stated_error (rev past ++ firstn h tau) (fst (nth h tau (O, O))) (snd (nth h tau (O, O)))) == errors past tau)%Q.
Proof.
  induction tau as [| [o a] tau ih]; intro past; [reflexivity |]. cbn [List.length seq errors qsum firstn nth fst snd].
  rewrite Qred_correct, app_nil_r. apply Qplus_comp; [reflexivity |]. rewrite <- seq_shift, qsum_maps, <- ih. apply qsum_eq. intro h.
  cbn [firstn nth rev]. now rewrite <- app_assoc.
Qed.
Theorem expected_fast_is : (expected_fast d of_world star xi p == expected_sum d star p (fun seen o a => stated_error seen o a * stated_error seen o a))%Q.
Proof.
  unfold expected_fast. cbv zeta. fold w w' g g'. change 0 with (List.length (@nil (nat * nat))) at 1.
  rewrite walk_is.
  - unfold expected_sum, trajectories. apply qsum_eq_in. intros tau it. rewrite law_is, app_nil_r. apply in_trajectories in it. destruct it as [e _].
    rewrite <- e, <- (errors_are tau []). cbn [rev app]. cbn [List.length]. ring.
  - exists (q_0 d). split; [reflexivity | intro; reflexivity].
Qed.
End Meaning.
