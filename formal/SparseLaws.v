(** The laws of [Statements] as programs: nothing is computed below a factor zero. *)
From Pomgcheck Require Import OrderedField Statements.
Open Scope nat_scope.

Definition zt (x : Q) (k : unit -> Q) : Q := if Qeq_bool x 0 then 0%Q else (x * k tt)%Q.
Definition step' d (w : world) (g : decision) h s a uB (k : nat -> list nat -> Q) : Q :=
  qsum (seq 0 (nOB d)) (fun oB => zt (EB w h s oB) (fun _ =>
    qsum (seq 0 (nB d)) (fun b => zt (g h (uB ++ [oB]) b) (fun _ =>
      qsum (seq 0 (nS d)) (fun s' => zt (T w h s a b s') (fun _ => k s' (next_B d uB oB))))))).
Fixpoint window_law' d w g (pi : decision) (win : list nat) h s uA uB : Q :=
  match win with
  | [] => 1%Q
  | [o] => EA w h s o
  | o :: rest => zt (EA w h s o) (fun _ => qsum (seq 0 (nA d)) (fun a => zt (pi h (uA ++ [o]) a) (fun _ =>
      step' d w g h s a uB (fun s' uB' => window_law' d w g pi rest (S h) s' (next_A d uA o) uB'))))
  end.
Definition joint_law' d w g pi h uA o a win (j : nat * list nat) : Q :=
  zt (EA w h (fst j) o) (fun _ => step' d w g h (fst j) a (snd j)
     (fun s' uB' => window_law' d w g pi win (S h) s' (next_A d uA o) uB')).

Lemma qsum_eq {A} (l : list A) f g : (forall x, (f x == g x)%Q) -> (qsum l f == qsum l g)%Q.
Proof. intro h. induction l; cbn [qsum]; [reflexivity |]. now rewrite !Qred_correct, h, IHl. Qed.
Lemma zt_eq x k v : (k tt == v)%Q -> (zt x k == x * v)%Q.
Proof.
  intro h. unfold zt. destruct (Qeq_bool x 0) eqn:e; [apply Qeq_bool_iff in e; rewrite e; ring | now rewrite h].
Qed.
Lemma step_eq d w g h s a uB k k' : (forall s' u, (k' s' u == k s' u)%Q) -> (step' d w g h s a uB k' == step d w g h s a uB k)%Q.
Proof. intro e. unfold step', step. repeat (apply qsum_eq; intro; apply zt_eq). apply e. Qed.
Lemma window_eq d w g pi win : forall h s uA uB, (window_law' d w g pi win h s uA uB == window_law d w g pi win h s uA uB)%Q.
Proof.
  induction win as [| o [| o' rest] ih]; intros h s uA uB; try reflexivity.
  cbn [window_law' window_law] in *. apply zt_eq, qsum_eq; intro a. apply zt_eq, step_eq; intros; apply ih.
Qed.
Lemma joint_eq d w g pi h uA o a win j : (joint_law' d w g pi h uA o a win j == joint_law d w g pi h uA o a win j)%Q.
Proof. apply zt_eq, step_eq; intros; apply window_eq. Qed.
