(** The window space of [Statements] is one of the memories of [Memory]: Theorem 2.5 holds there. *)
From Pomgcheck Require Import OrderedField Statements Memory.
Open Scope nat_scope.

Lemma in_tuples n k l : In l (tuples n k) <-> List.length l = k /\ forall x, In x l -> x < n.
Proof.
  revert l. induction k as [| k ih]; intro l; cbn [tuples].
  - split; [intros [<- | []]; simpl; tauto | intros [h _]; destruct l; [now left | discriminate]].
  - rewrite in_flat_map. split.
    + intros (o & ho & i). apply in_map_iff in i as (t & <- & ht). apply ih in ht as [hl hx]. apply in_seq in ho.
      split; [simpl; lia |]. intros x [<- | hx']; [lia | auto].
    + intros [hl hx]. destruct l as [| o t]; [discriminate |]. exists o. split; [apply in_seq; specialize (hx o (or_introl eq_refl)); lia |].
      apply in_map. apply ih. split; [simpl in hl; lia | intros; apply hx; now right].
Qed.
Lemma NoDup_list_prod {A B} (l : list A) (m : list B) : NoDup l -> NoDup m -> NoDup (list_prod l m).
Proof.
  intros nl nm. induction nl as [| x l n nl ih]; cbn [list_prod]; [constructor |].
  assert (new : forall b, ~ In (x, b) (list_prod l m)) by (intros b i; apply in_prod_iff in i; tauto).
  revert ih new. generalize (list_prod l m). intros r ih new. induction nm as [| b m nb nm ihm]; cbn [map app]; [exact ih |]. constructor; [| exact ihm].
  rewrite in_app_iff, in_map_iff. intros [(c & e & i) | i]; [injection e as ->; tauto | now apply (new b)].
Qed.
Lemma tuples_distinct n k : NoDup (tuples n k).
Proof.
  induction k as [| k ih]; cbn [tuples]; [repeat constructor; simpl; tauto |].
  generalize (seq_NoDup n 0). generalize (seq 0 n). intros l nd. induction nd as [| o l hn nd ihl]; simpl; [constructor |].
  revert ih. generalize (tuples n k) at 1 2. intros L nL. induction nL as [| t L ht nL ihL]; simpl; auto.
  constructor; auto. rewrite in_app_iff. intros [i | i].
  - apply in_map_iff in i as (t' & e & i). congruence.
  - apply in_flat_map in i as (o' & ho & i). apply in_map_iff in i as (t' & e & i). congruence.
Qed.
Lemma next_in d h u oB (b : nat) : In u (memories_B d h) -> oB < nOB d -> In (next_B d u oB) (memories_B d (S h)).
Proof.
  unfold memories_B, next_B, last. rewrite !in_tuples. intros [hl hx] ho. rewrite skipn_length, app_length. simpl. split; [lia |].
  intros x i. assert (j : In x (u ++ [oB])) by (rewrite <- (firstn_skipn (List.length u + 1 - (response_window d - 1)) (u ++ [oB])); apply in_app_iff; right; exact i).
  apply in_app_iff in j as [j | [<- | []]]; auto.
Qed.
Lemma same_ok u v : same u v = true <-> u = v.
Proof. unfold same. destruct (list_eq_dec Nat.eq_dec u v); split; congruence. Qed.

Definition window_norm (F : OF) d := norm F (nS d) (list nat) (memories_B d).
Theorem window_nonexpansive (F : OF) d (g : decision) h w :
  (forall u o b, 0 <= g h (u ++ [o]) b)%Q -> (forall u o b, g h (u ++ [o]) b <= 1)%Q ->
  cle (window_norm F d (S h) (G F (nB d) (nOB d) (list nat) same (memories_B d) (fun _ u o _ => next_B d u o)
         (fun h u o b => inj (g h (u ++ [o]) b)) h w))
      (norm_channel F (nS d) (nB d) (nOB d) (list nat) (memories_B d) h w).
Proof.
  intros g0 g1. apply nonexpansive.
  - exact same_ok.
  - intro. apply tuples_distinct.
  - intros h' u o b hu ho hb. now apply next_in.
  - intros u o b. rewrite <- (inj_0 F). now apply inj_le.
  - intros u o b. rewrite <- (inj_1 F). now apply inj_le.
Qed.
