(** The law of play of one trajectory, as a program, and places of a class by number. *)
From Pomgcheck Require Import OrderedField Statements SparseLaws.
Open Scope nat_scope.

Lemma qsum_plus {A} (l : list A) f g : (qsum l (fun x => f x + g x) == qsum l f + qsum l g)%Q.
Proof. induction l as [| x l ih]; cbn [qsum]; [reflexivity |]. rewrite !Qred_correct, ih. ring. Qed.
Lemma qsum_scale {A} (l : list A) f c : (qsum l (fun x => c * f x) == c * qsum l f)%Q.
Proof. induction l as [| x l ih]; cbn [qsum]; [ring |]. rewrite !Qred_correct, ih. ring. Qed.
Lemma qsum_zero {A} (l : list A) : (qsum l (fun _ => 0) == 0)%Q.
Proof. induction l as [| x l ih]; cbn [qsum]; [reflexivity |]. rewrite Qred_correct, ih. ring. Qed.

(** a sum that adds no zeros *)
Fixpoint sparse_sum {A} (l : list A) (f : A -> Q) : Q :=
  match l with [] => 0%Q | x :: l => let y := f x in let rest := sparse_sum l f in if Qeq_bool y 0 then rest else Qred (y + rest) end.
Lemma sparse_is {A} (l : list A) f : (sparse_sum l f == qsum l f)%Q.
Proof.
  induction l as [| x l ih]; cbn [sparse_sum qsum]; [reflexivity |]. cbv zeta.
  destruct (Qeq_bool (f x) 0) eqn:z; rewrite !Qred_correct, ih; [apply Qeq_bool_iff in z; rewrite z; ring | reflexivity].
Qed.

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
