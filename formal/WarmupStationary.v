(** Assumption 3.1(f): the usual rules of reaction give m equal policies their stationary response; a table is looked through. *)
From Pomgcheck Require Import OrderedField Statements Covering WeakRevealing.
Open Scope nat_scope.

Lemma mean_stationary d m : 1 <= m -> warmup_stationary d Mean m.
Proof.
  intro hm. split; [exact hm |]. intros phi ip p hp h hh seen is b hb. unfold reaction. rewrite repeat_length.
  set (x := response_of d phi p h seen b).
  assert (e : (qsum (repeat p m) (fun p => response_of d phi p h seen b) == inject_Z (Z.of_nat m) * x)%Q).
  { clear hm. induction m as [| n ih]; [reflexivity |]. cbn [repeat qsum]. rewrite Qred_correct, ih. fold x.
    rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. simpl (inject_Z 1). ring. }
  rewrite e. field. intro z. unfold Qeq, inject_Z in z. simpl in z. lia.
Qed.
Lemma latest_stationary d m : 1 <= m -> warmup_stationary d Latest m.
Proof.
  intro hm. split; [exact hm |]. intros phi ip p hp h hh seen is b hb. unfold reaction.
  assert (e : List.last (repeat p m) 0 = p).
  { clear - hm. destruct m as [| n]; [lia |]. clear hm. induction n as [| n ih]; [reflexivity |]. exact ih. }
  rewrite e. reflexivity.
Qed.
Definition check_stationary d rule m : bool :=
  (1 <=? m) && forallb (fun phi => below (List.length (policies d)) (fun p =>
    let g := reaction d rule phi (repeat p m) in let g' := response_of d phi p in
    below (horizon d) (fun h => forallb (fun seen => below (nB d) (fun b => Qeq_bool (g h seen b) (g' h seen b)))
      (tuples (nOB d) (Nat.min (response_window d) (S h)))))) (phis d).
Theorem check_stationary_sound d rule m : check_stationary d rule m = true -> warmup_stationary d rule m.
Proof.
  unfold check_stationary. rewrite andb_true_iff, forallb_forall. intros [hm hc]. split; [now apply Nat.leb_le |].
  intros phi ip p hp h hh seen is b hb. specialize (hc phi ip). pose proof (below_sound _ _ _ hc hp) as r. cbv zeta in r.
  pose proof (below_sound _ _ _ r hh) as r'. cbv beta in r'. rewrite forallb_forall in r'. apply Qeq_bool_iff, (below_sound _ _ _ (r' _ is) hb).
Qed.
(** every block of m policies is answered by a response *)
Definition check_reaction d rule m : bool :=
  forallb (fun phi => forallb (fun block => let g := reaction d rule phi block in
    below (horizon d) (fun h => forallb (fun seen => row_ok (nB d) (g h seen)) (tuples (nOB d) (Nat.min (response_window d) (S h)))))
    (tuples (List.length (policies d)) m)) (phis d).
Lemma tuples_all n m : forall l, List.length l = m -> (forall p, In p l -> p < n) -> In l (tuples n m).
Proof.
  induction m as [| m ih]; intros [| x l] e i; try discriminate; [now left |]. cbn [tuples]. apply in_flat_map. exists x. split.
  - apply in_seq. specialize (i x (or_introl eq_refl)). lia.
  - apply in_map, ih; [now injection e | intros; apply i; now right].
Qed.
Theorem check_reaction_sound d rule m : check_reaction d rule m = true -> reaction_of_class d rule m.
Proof.
  unfold check_reaction. rewrite forallb_forall. intros hc phi ip block [e i] h hh seen is. specialize (hc phi ip). rewrite forallb_forall in hc.
  specialize (hc block (tuples_all _ _ _ e i)). cbv zeta in hc. pose proof (below_sound _ _ _ hc hh) as r. cbv beta in r. rewrite forallb_forall in r.
  now apply row_sound, r.
Qed.
