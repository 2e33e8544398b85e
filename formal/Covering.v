(** Assumption 3.1(b): a list of models such that each model of the class has the tables of one of them. *)
From Pomgcheck Require Import OrderedField Statements.
Open Scope nat_scope.

Definition below (n : nat) (t : nat -> bool) : bool := forallb t (seq 0 n).
Lemma below_sound n t k : below n t = true -> k < n -> t k = true.
Proof. unfold below. rewrite forallb_forall. intros h i. apply h, in_seq. lia. Qed.

Definition same_tables d (xi eta : point * point) : bool :=
  let w := world_of d (fst xi) in let w' := world_of d (fst eta) in
  below (horizon d) (fun h => below (nS d) (fun s =>
    below (nOA d) (fun o => Qeq_bool (EA w h s o) (EA w' h s o)) &&
    below (nOB d) (fun o => Qeq_bool (EB w h s o) (EB w' h s o)) &&
    below (nA d) (fun a => below (nB d) (fun b => below (nS d) (fun s' => Qeq_bool (T w h s a b s') (T w' h s a b s')))))) &&
  below (List.length (policies d)) (fun p => let g := response_of d (snd xi) p in let g' := response_of d (snd eta) p in
    below (horizon d) (fun h => forallb (fun seen => below (nB d) (fun b => Qeq_bool (g h seen b) (g' h seen b)))
      (tuples (nOB d) (Nat.min (response_window d) (S h))))).
Definition same_b d xi eta : bool := if point_dec xi eta then true else same_tables d xi eta.
Definition check_covering d (N : nat) (net : list (point * point)) : bool :=
  (List.length net =? N) && forallb (fun eta => if in_dec point_dec eta (models d) then true else false) net &&
  forallb (fun xi => existsb (same_b d xi) net) (models d).

Lemma same_tables_sound d xi eta : same_tables d xi eta = true -> same_model d xi eta.
Proof.
  unfold same_tables. rewrite andb_true_iff. intros [k l]. split.
  - intros h s hh hs. pose proof (below_sound _ _ _ (below_sound _ _ _ k hh) hs) as r. cbv beta in r. rewrite !andb_true_iff in r.
    destruct r as [[r1 r2] r3]. split; [| split].
    + intros o ho. apply Qeq_bool_iff, (below_sound _ _ _ r1 ho).
    + intros o ho. apply Qeq_bool_iff, (below_sound _ _ _ r2 ho).
    + intros a b s' ha hb hs'. apply Qeq_bool_iff, (below_sound _ _ _ (below_sound _ _ _ (below_sound _ _ _ r3 ha) hb) hs').
  - intros p h seen b hp hh i hb. pose proof (below_sound _ _ _ (below_sound _ _ _ l hp) hh) as r. cbv beta in r. rewrite forallb_forall in r.
    apply Qeq_bool_iff, (below_sound _ _ _ (r _ i) hb).
Qed.
Lemma same_model_refl d xi : same_model d xi xi.
Proof. split; intros; repeat split; intros; reflexivity. Qed.
Theorem check_covering_sound d N net : check_covering d N net = true -> covering d N.
Proof.
  unfold check_covering. rewrite !andb_true_iff, !forallb_forall. intros [[hn hi] hc]. exists net. split; [now apply Nat.eqb_eq |]. split.
  - intros eta i. specialize (hi eta i). destruct (in_dec _ _ _); [auto | discriminate].
  - intros xi i. specialize (hc xi i). apply existsb_exists in hc. destruct hc as (eta & j & e). exists eta. split; [exact j |].
    unfold same_b in e. destruct (point_dec xi eta) as [<- | _]; [apply same_model_refl | now apply same_tables_sound].
Qed.

(** ** One model for all that have the same tables: the class with these points of either side alone *)
Definition listed d (ts ps : list point) : doc := {|
  horizon := horizon d; states := states d; learner_actions := learner_actions d; adversary_actions := adversary_actions d;
  learner_observations := learner_observations d; adversary_observations := adversary_observations d; initial := initial d;
  learner_emission := learner_emission d; adversary_emission := adversary_emission d; transition := transition d; thetas := ts;
  policy_window := policy_window d; policies := policies d; response_window := response_window d; responses := responses d; phis := ps |}.
Definition one_each d (ts ps : list point) : Prop :=
  incl ts (thetas d) /\ incl ps (phis d) /\ forall xi, In xi (models d) -> exists eta, In eta (models (listed d ts ps)) /\ same_model d xi eta.
Definition side_dec : forall x y : point, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition among (l : list point) (x : point) : bool := if in_dec side_dec x l then true else false.
Definition check_one_each d (ts ps : list point) : bool := forallb (among (thetas d)) ts && forallb (among (phis d)) ps &&
  forallb (fun xi => existsb (same_b d xi) (list_prod ts ps)) (models d).
Lemma among_sound l x : among l x = true -> In x l.
Proof. unfold among. destruct (in_dec _ _ _); [auto | discriminate]. Qed.
Theorem check_one_each_sound d ts ps : check_one_each d ts ps = true -> one_each d ts ps.
Proof.
  unfold check_one_each. rewrite !andb_true_iff, !forallb_forall. intros [[ht hp] hc]. split; [intros x i; apply among_sound; auto |]. split; [intros x i; apply among_sound; auto |].
  intros xi i. specialize (hc xi i). apply existsb_exists in hc. destruct hc as (eta & j & e). exists eta. split; [exact j |].
  unfold same_b in e. destruct (point_dec xi eta) as [<- | _]; [apply same_model_refl | now apply same_tables_sound].
Qed.
Lemma class_of_listed d ts ps : class_of_games d -> one_each d ts ps -> class_of_games (listed d ts ps).
Proof.
  intros (a & b & c) (it & ip & _). split; [exact a |]. split; [intros theta i; exact (b theta (it theta i)) |].
  intros p hp h hh. destruct (c p hp h hh) as [c1 c2]. split; [exact c1 |]. intros phi i. exact (c2 phi (ip phi i)).
Qed.
