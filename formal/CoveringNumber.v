(** Assumption 3.1(b) from below: where no two of N models have the same tables, fewer do not cover the class. *)
From Pomgcheck Require Import OrderedField Statements Covering.
Open Scope nat_scope.

Lemma below_complete n t : (forall k, k < n -> t k = true) -> below n t = true.
Proof. intro h. apply forallb_forall. intros k i. apply h. apply in_seq in i. lia. Qed.
Lemma same_tables_complete d xi eta : same_model d xi eta -> same_tables d xi eta = true.
Proof.
  intros [k l]. unfold same_tables. cbv zeta. apply andb_true_iff. split.
  - apply below_complete. intros h hh. apply below_complete. intros s hs. destruct (k h s hh hs) as (a & b & c). rewrite !andb_true_iff. split; [split |].
    + apply below_complete. intros o ho. apply Qeq_bool_iff. auto.
    + apply below_complete. intros o ho. apply Qeq_bool_iff. auto.
    + apply below_complete. intros x hx. apply below_complete. intros y hy. apply below_complete. intros z hz. apply Qeq_bool_iff. auto.
  - apply below_complete. intros p hp. apply below_complete. intros h hh. apply forallb_forall. intros seen i. apply below_complete. intros b hb. apply Qeq_bool_iff. auto.
Qed.
Lemma same_as_a_third d xi eta zeta : same_model d xi zeta -> same_model d eta zeta -> same_model d xi eta.
Proof.
  intros [a b] [a' b']. split.
  - intros h s hh hs. destruct (a h s hh hs) as (x & y & z), (a' h s hh hs) as (x' & y' & z'). repeat split; intros.
    + now rewrite x, x'. + now rewrite y, y'. + now rewrite z, z'.
  - intros. rewrite b, b' by assumption. reflexivity.
Qed.
Fixpoint check_apart_all d (l : list (point * point)) : bool :=
  match l with [] => true | xi :: l => forallb (fun eta => negb (same_tables d xi eta)) l && check_apart_all d l end.
Definition check_fewest d (N : nat) (l : list (point * point)) : bool :=
  (List.length l =? N) && forallb (fun xi => if in_dec point_dec xi (models d) then true else false) l && check_apart_all d l.
Theorem check_fewest_sound d N l : check_fewest d N l = true -> forall n, n < N -> ~ covering d n.
Proof.
  unfold check_fewest. rewrite !andb_true_iff, forallb_forall. intros [[hn hi] ha] n less (net & ln & _ & cover). apply Nat.eqb_eq in hn.
  set (f := fun xi => match find (same_tables d xi) net with Some eta => eta | None => xi end).
  assert (found : forall xi, In xi l -> In (f xi) net /\ same_model d xi (f xi)).
  { intros xi i. specialize (hi xi i). destruct (in_dec point_dec xi (models d)) as [im | _]; [| discriminate]. destruct (cover xi im) as (eta & ie & e). unfold f.
    destruct (find (same_tables d xi) net) as [z |] eqn:fd; [apply find_some in fd; split; [tauto | now apply same_tables_sound] |].
    pose proof (find_none _ _ fd eta ie) as no. cbv beta in no. rewrite (same_tables_complete d xi eta e) in no. discriminate. }
  assert (distinct : NoDup (map f l)).
  { clear hn hi. induction l as [| xi l ih]; cbn [map]; [constructor |]. cbn [check_apart_all] in ha. apply andb_true_iff in ha. destruct ha as [h ha]. constructor; [| apply ih; [exact ha | intros; apply found; now right]].
    intro i. apply in_map_iff in i. destruct i as (eta & e & i). rewrite forallb_forall in h. specialize (h eta i).
    destruct (found xi (or_introl eq_refl)) as [_ s]. destruct (found eta (or_intror i)) as [_ s']. rewrite e in s'.
    rewrite (same_tables_complete d xi eta (same_as_a_third d xi eta (f xi) s s')) in h. discriminate. }
  assert (List.length (map f l) <= List.length net).
  { apply NoDup_incl_length; [exact distinct |]. intros y i. apply in_map_iff in i. destruct i as (xi & <- & i). now apply found. }
  rewrite map_length in H. lia.
Qed.
