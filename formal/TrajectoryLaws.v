(** Laws of play over all trajectories, as a program: trajectories that a policy never plays are passed over. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing.
Open Scope nat_scope.

(** nothing is computed below a factor zero *)
Section Fast.
Variable d : doc.
Fixpoint play_fast (w : world) (g pi : decision) (h s : nat) (uA uB : list nat) (tau : trajectory) : Q :=
  match tau with
  | [] => 1
  | (o, a) :: tau => zt (EA w h s o) (fun _ => zt (pi h (uA ++ [o]) a) (fun _ =>
      step' d w g h s a uB (fun s' uB' => play_fast w g pi (S h) s' (next_A d uA o) uB' tau)))
  end%Q.
(** what a trajectory of policy actions weighs; all others weigh nothing *)
Fixpoint chosen_fast (pi : decision) h uA (tau : trajectory) : bool :=
  match tau with [] => true | (o, a) :: tau => negb (Qeq_bool (pi h (uA ++ [o]) a) 0) && chosen_fast pi (S h) (next_A d uA o) tau end.
Definition law_fast (xi : point * point) (p : nat) : trajectory -> Q :=
  let w := world_of d (fst xi) in let g := response_of d (snd xi) p in let pi := policy_of d p in
  let ss := map (fun s => (s, start d s)) (seq 0 (nS d)) in
  fun tau => if chosen_fast pi 0 [] tau then qsum ss (fun e => zt (snd e) (fun _ => play_fast w g pi 0 (fst e) [] [] tau)) else 0%Q.

Lemma play_eq w g pi tau : forall h s uA uB, (play_fast w g pi h s uA uB tau == play d w g pi h s uA uB tau)%Q.
Proof.
  induction tau as [| [o a] tau ih]; intros h s uA uB; cbn [play_fast play]; [reflexivity |].
  apply zt_eq, zt_eq, step_eq. intros; apply ih.
Qed.
Lemma chosen_zero w g pi tau : forall h s uA uB, chosen_fast pi h uA tau = false -> (play d w g pi h s uA uB tau == 0)%Q.
Proof.
  induction tau as [| [o a] tau ih]; intros h s uA uB; cbn [chosen_fast play]; [discriminate |]. intro e. apply andb_false_iff in e. destruct e as [e | e].
  - apply negb_false_iff, Qeq_bool_iff in e. rewrite e. ring.
  - assert (z : (step d w g h s a uB (fun s' uB' => play d w g pi (S h) s' (next_A d uA o) uB' tau) == 0)%Q); [| rewrite z; ring].
    rewrite <- (step_eq d w g h s a uB (fun s' uB' => play d w g pi (S h) s' (next_A d uA o) uB' tau) (fun _ _ => 0%Q)) by (intros; symmetry; apply ih, e).
    unfold step'. rewrite (qsum_eq _ _ (fun _ => 0%Q)).
    + clear. induction (seq 0 (nOB d)) as [| x l ih]; cbn [qsum]; [reflexivity | rewrite Qred_correct, ih; ring].
    + intro oB. rewrite (zt_eq _ _ 0%Q); [ring |]. rewrite (qsum_eq _ _ (fun _ => 0%Q)).
      * clear. induction (seq 0 (nB d)) as [| x l ih]; cbn [qsum]; [reflexivity | rewrite Qred_correct, ih; ring].
      * intro b. rewrite (zt_eq _ _ 0%Q); [ring |]. rewrite (qsum_eq _ _ (fun _ => 0%Q)).
        -- clear. induction (seq 0 (nS d)) as [| x l ih]; cbn [qsum]; [reflexivity | rewrite Qred_correct, ih; ring].
        -- intro s'. rewrite (zt_eq _ _ 0%Q); [ring | reflexivity].
Qed.
Lemma qsum_map {A B} (f : A -> B) (l : list A) g : (qsum (map f l) g = qsum l (fun x => g (f x)))%Q.
Proof. induction l as [| x l ih]; [reflexivity |]. cbn [map qsum]. now rewrite ih. Qed.
Lemma law_eq xi p tau : (law_fast xi p tau == law_of_play d xi p tau)%Q.
Proof.
  unfold law_fast, law_of_play, law_against. destruct (chosen_fast _ 0 [] tau) eqn:e.
  - rewrite qsum_map. apply qsum_eq. intro s. cbn [fst snd]. apply zt_eq, play_eq.
  - symmetry. rewrite (qsum_eq _ _ (fun _ => 0%Q)).
    + clear. induction (seq 0 (nS d)) as [| x l ih]; cbn [qsum]; [reflexivity | rewrite Qred_correct, ih; ring].
    + intro s. rewrite chosen_zero by exact e. ring.
Qed.
End Fast.

Fixpoint played d (pi : decision) (k h : nat) (uA : list nat) : list trajectory :=
  match k with
  | 0 => [[]]
  | S k => flat_map (fun x => if Qeq_bool (pi h (uA ++ [fst x]) (snd x)) 0 then []
                              else map (cons x) (played d pi k (S h) (next_A d uA (fst x)))) (pairs d)
  end.
Definition playable d p k : list trajectory := played d (policy_of d p) k 0 [].
Definition laws d p : list (trajectory -> Q) := map (fun xi => law_fast d xi p) (models d).

Lemma played_all d pi k : forall h uA tau, In tau (trajectories_of d k) -> chosen_fast d pi h uA tau = true -> In tau (played d pi k h uA).
Proof.
  induction k as [| k ih]; intros h uA tau i c; [exact i |]. cbn [trajectories_of played] in *. apply in_flat_map in i. destruct i as ([o a] & i & j).
  apply in_map_iff in j. destruct j as (rest & <- & j). cbn [chosen_fast] in c. apply andb_true_iff in c. destruct c as [c1 c2]. apply negb_true_iff in c1.
  apply in_flat_map. exists (o, a). split; [exact i |]. cbn [fst snd]. rewrite c1. apply in_map, ih; assumption.
Qed.
(** what a trajectory weighs: it is played, or weighs nothing under any model *)
Lemma law_cases d p k tau : In tau (trajectories_of d k) ->
  In tau (playable d p k) \/ forall xi, (law_of_play d xi p tau == 0)%Q.
Proof.
  intro i. destruct (chosen_fast d (policy_of d p) 0 [] tau) eqn:c; [left; now apply played_all | right].
  intro xi. rewrite <- law_eq. unfold law_fast. rewrite c. reflexivity.
Qed.
Lemma in_laws d p xi : In xi (models d) -> In (law_fast d xi p) (laws d p).
Proof. intro i. unfold laws. exact (in_map (fun xi => law_fast d xi p) _ _ i). Qed.

(** places of the class *)
Definition in_class d xi : bool := if in_dec point_dec xi (models d) then true else false.
Lemma in_class_sound d xi : in_class d xi = true -> In xi (models d).
Proof. unfold in_class. destruct (in_dec _ _ _); [auto | discriminate]. Qed.
Definition is_trajectory d k (tau : trajectory) : bool :=
  (List.length tau =? k) && forallb (fun x => (fst x <? nOA d) && (snd x <? nA d)) tau.
Lemma is_trajectory_sound d k : forall tau, is_trajectory d k tau = true -> In tau (trajectories_of d k).
Proof.
  unfold is_trajectory. induction k as [| k ih]; intros [| [o a] tau] e; try (cbn in e; discriminate); [now left |].
  cbn [List.length Nat.eqb forallb fst snd] in e. rewrite !andb_true_iff in e. destruct e as [e1 [[e2 e3] e4]]. apply Nat.ltb_lt in e2, e3.
  cbn [trajectories_of]. apply in_flat_map. exists (o, a). split.
  - apply in_prod; apply in_seq; lia.
  - apply in_map, ih. now rewrite e1, e4.
Qed.
