(** Theorem 2.5 for the class of every document, in the window space of [Statements]: J = G o W, signs, ||G u||_1 <= ||u||_1, and the
    OOM identity by induction over steps from one step. *)
From Pomgcheck Require Import OrderedField Statements RuleLin Windows Instances.
From Coq Require Import Qcanon.
Open Scope nat_scope.

Section Field.
Variable F : OF.
Local Open Scope of_scope.
Add Field Fc : (c_field F).
Variable d : doc.

Lemma lsum_list_prod {A B} (l : list A) (m : list B) (f : A * B -> F) : lsum (list_prod l m) f = lsum l (fun x => lsum m (fun y => f (x, y))).
Proof. induction l as [| x l ih]; cbn [list_prod lsum]; [reflexivity |]. now rewrite lsum_app, lsum_map, ih. Qed.
Lemma pick_nat n k (f : nat -> F) : (k < n)%nat -> lsum (seq 0 n) (fun i => if Nat.eqb i k then f i else 0) = f k.
Proof. intro h. apply (lsum_only F Nat.eqb Nat.eqb_eq); [apply seq_NoDup | apply in_seq; lia]. Qed.
Lemma pick_memory h u (f : list nat -> F) : In u (memories_B d h) -> lsum (memories_B d h) (fun v => if same u v then f v else 0) = f u.
Proof.
  intro i. rewrite <- (lsum_only F same same_ok (memories_B d h) u f (tuples_distinct _ _) i). apply lsum_ext. intros v _.
  destruct (same u v) eqn:e1, (same v u) eqn:e2; auto.
  - apply same_ok in e1. rewrite (proj2 (same_ok v u) (eq_sym e1)) in e2. discriminate.
  - apply same_ok in e2. rewrite (proj2 (same_ok u v) (eq_sym e2)) in e1. discriminate.
Qed.
Lemma inj_if (b : bool) (x y : Q) : (inj (if b then x else y) : F) = if b then inj x else inj y. Proof. now destruct b. Qed.
Lemma inj_J w g h o a s' u' s u : (inj (J_entry d w g h o a (s', u') (s, u)) : F) =
  lsum (seq 0 (nOB d)) (fun oB => lsum (seq 0 (nB d)) (fun b =>
    if same (next_B d u oB) u' then inj (EA w h s o) * inj (EB w h s oB) * inj (g h (u ++ [oB])%list b) * inj (T w h s a b s') else 0)).
Proof.
  unfold J_entry. rewrite inj_qsum. apply lsum_ext. intros oB _. rewrite inj_qsum. apply lsum_ext. intros b _.
  rewrite inj_if, !inj_mul, inj_0. reflexivity.
Qed.
Lemma inj_step w g h s a u k : (inj (step d w g h s a u k) : F) =
  lsum (seq 0 (nOB d)) (fun oB => inj (EB w h s oB) * lsum (seq 0 (nB d)) (fun b => inj (g h (u ++ [oB])%list b) *
    lsum (seq 0 (nS d)) (fun s' => inj (T w h s a b s') * inj (k s' (next_B d u oB))))).
Proof.
  unfold step. rewrite inj_qsum. apply lsum_ext. intros oB _. rewrite inj_mul, inj_qsum. f_equal. apply lsum_ext. intros b _.
  rewrite inj_mul, inj_qsum. f_equal. apply lsum_ext. intros s' _. apply inj_mul.
Qed.

(** ** J = G o W *)
Lemma GW_is_J w g h o a s' u' s u : (s' < nS d)%nat -> In u (memories_B d h) ->
  lsum (channel d h) (fun v => inj (W w h o a v (s, u)) * inj (G_entry d g h (s', u') v)) = (inj (J_entry d w g h o a (s', u') (s, u)) : F).
Proof.
  intros hs hu. unfold channel. rewrite lsum_list_prod.
  rewrite (lsum_ext F _ _ (fun t => if Nat.eqb t s' then (inj (J_entry d w g h o a (s', u') (s, u)) : F) else 0)).
  - now rewrite (pick_nat (nS d) s' (fun _ => inj (J_entry d w g h o a (s', u') (s, u)))).
  - intros t _. rewrite lsum_list_prod. unfold W, G_entry. cbn [fst snd].
    destruct (Nat.eqb_spec t s') as [-> | n]; cbn [andb].
    + rewrite (lsum_ext F _ _ (fun v => if same u v then (inj (J_entry d w g h o a (s', u') (s, u)) : F) else 0)).
      * now rewrite (pick_memory h u (fun _ => inj (J_entry d w g h o a (s', u') (s, u)))).
      * intros v _. rewrite lsum_list_prod. destruct (same u v) eqn:e.
        -- apply same_ok in e as <-. rewrite inj_J. apply lsum_ext. intros oB _. apply lsum_ext. intros b _.
           rewrite inj_if, !inj_mul, inj_0. destruct (same _ _); ring.
        -- apply lsum_zero. intros oB _. apply lsum_zero. intros b _. rewrite inj_0. ring.
    + apply lsum_zero. intros v _. rewrite lsum_list_prod. apply lsum_zero. intros oB _. apply lsum_zero. intros b _. rewrite inj_0. ring.
Qed.
Theorem factorization_holds : factorization F d.
Proof.
  intros theta _ phi _ p _ h _ o a _ _ q [s' u'] i. unfold coordinates in i. apply in_prod_iff in i. destruct i as [is _]. apply in_seq in is.
  unfold at_channel, at_state.
  rewrite (lsum_ext F (channel d h) _ (fun v => lsum (coordinates d h) (fun j => q j * inj (W (world_of d theta) h o a v j) * inj (G_entry d (response_of d phi p) h (s', u') v))))
    by (intros v _; now rewrite lsum_mulr).
  rewrite lsum_swap. apply lsum_ext. intros [s u] i. unfold coordinates in i. apply in_prod_iff in i. destruct i as [_ iu].
  rewrite <- (GW_is_J (world_of d theta) (response_of d phi p) h o a s' u' s u) by (auto; lia). rewrite <- lsum_mul. apply lsum_ext. intros v _. ring.
Qed.

(** ** One step of the operators is one step of the game; the OOM identity follows by induction *)
Theorem one_step w g h o a s u (f : nat -> list nat -> Q) : In u (memories_B d h) ->
  lsum (coordinates d (S h)) (fun c' => inj (J_entry d w g h o a c' (s, u)) * inj (f (fst c') (snd c')))
  = (inj (EA w h s o * step d w g h s a u f)%Q : F).
Proof.
  intro iu. unfold coordinates. rewrite lsum_list_prod. cbn [fst snd]. rewrite inj_mul, inj_step.
  transitivity (lsum (F := F) (seq 0 (nS d)) (fun s' => lsum (seq 0 (nOB d)) (fun oB => lsum (seq 0 (nB d)) (fun b =>
    inj (EA w h s o) * inj (EB w h s oB) * inj (g h (u ++ [oB])%list b) * inj (T w h s a b s') * inj (f s' (next_B d u oB)))))).
  - apply lsum_ext. intros s' _.
    transitivity (lsum (F := F) (memories_B d (S h)) (fun u' => lsum (seq 0 (nOB d)) (fun oB => lsum (seq 0 (nB d)) (fun b => if same (next_B d u oB) u' then
      inj (EA w h s o) * inj (EB w h s oB) * inj (g h (u ++ [oB])%list b) * inj (T w h s a b s') * inj (f s' u') else (0 : F))))).
    + apply lsum_ext. intros u' _. rewrite inj_J, <- lsum_mulr. apply lsum_ext. intros oB _. rewrite <- lsum_mulr. apply lsum_ext. intros b _.
      destruct (same _ _); ring.
    + rewrite lsum_swap. apply lsum_ext. intros oB io. rewrite lsum_swap. apply lsum_ext. intros b _. apply in_seq in io.
      apply (pick_memory (S h) (next_B d u oB) (fun u' => inj (EA w h s o) * inj (EB w h s oB) * inj (g h (u ++ [oB])%list b) * inj (T w h s a b s') * inj (f s' u'))).
      apply next_in; auto; try exact 0%nat. lia.
  - rewrite lsum_swap, <- lsum_mul. apply lsum_ext. intros oB _. rewrite lsum_swap, <- !lsum_mul. apply lsum_ext. intros b _.
    rewrite <- !lsum_mul. apply lsum_ext. intros s' _. ring.
Qed.
Lemma unnormalised_step w g x past (f : nat -> list nat -> Q) :
  lsum (coordinates d (S (List.length past))) (fun c' => inj (unnormalised d w g (x :: past) c') * inj (f (fst c') (snd c')))
  = lsum (coordinates d (List.length past)) (fun c => inj (unnormalised d w g past c) *
      (inj (EA w (List.length past) (fst c) (fst x) * step d w g (List.length past) (fst c) (snd x) (snd c) f)%Q : F)).
Proof.
  destruct x as [o a]. cbn [unnormalised fst snd]. set (h := List.length past).
  transitivity (lsum (F := F) (coordinates d (S h)) (fun c' => lsum (coordinates d h) (fun c =>
    inj (unnormalised d w g past c) * (inj (J_entry d w g h o a c' c) * (inj (f (fst c') (snd c')) : F))))).
  - apply lsum_ext. intros c' _. rewrite inj_qsum, <- lsum_mulr. apply lsum_ext. intros c _. rewrite inj_mul. ring.
  - rewrite lsum_swap. apply lsum_ext. intros [s u] i. unfold coordinates in i. apply in_prod_iff in i. destruct i as [_ iu].
    rewrite lsum_mul. f_equal. exact (one_step w g h o a s u f iu).
Qed.
Lemma induction_over_steps w g rest : forall past,
  lsum (coordinates d (List.length past)) (fun c => inj (unnormalised d w g past c) * inj (controlled d w g (List.length past) (fst c) (snd c) rest))
  = (inj (mass d w g (rev rest ++ past)) : F).
Proof.
  induction rest as [| [o a] rest ih]; intro past.
  - cbn [controlled rev app]. unfold mass. rewrite inj_qsum. apply lsum_ext. intros c _. rewrite inj_1. ring.
  - cbn [rev]. rewrite <- app_assoc. cbn [app]. rewrite <- (ih ((o, a) :: past)). cbn [List.length controlled].
    rewrite (unnormalised_step w g (o, a) past (fun s u => controlled d w g (S (List.length past)) s u rest)). reflexivity.
Qed.
Lemma mass_is_law w g seen : (inj (mass d w g (rev seen)) : F) = inj (controlled_law d w g seen).
Proof.
  rewrite <- (app_nil_r (rev seen)), <- induction_over_steps. cbn [List.length unnormalised]. unfold controlled_law. rewrite inj_qsum.
  unfold coordinates. rewrite lsum_list_prod. apply lsum_ext. intros s _. unfold memories_B. rewrite Nat.min_0_r. cbn [tuples lsum fst snd q_0].
  rewrite inj_mul. ring.
Qed.
(** ** Signs, and ||G u||_1 <= ||u||_1 for signed u *)
Hypothesis ok : class_of_games d.
Hypothesis wB : (1 <= response_window d)%nat.
Lemma memory_read h u o : In u (memories_B d h) -> (o < nOB d)%nat -> In (u ++ [o])%list (tuples (nOB d) (Nat.min (response_window d) (S h))).
Proof.
  unfold memories_B. rewrite !in_tuples, app_length. intros [e x] i. cbn [List.length]. split; [lia |].
  intros y j. apply in_app_iff in j. destruct j as [j | [<- | []]]; [auto | lia].
Qed.
Lemma qsum_nonneg {A} (l : list A) f : (forall x, In x l -> (0 <= f x)%Q) -> (0 <= qsum l f)%Q.
Proof.
  induction l as [| x l ih]; intro h; cbn [qsum]; [apply Qle_refl |]. rewrite Qred_correct. rewrite <- (Qplus_0_l 0).
  apply Qplus_le_compat; [apply h; now left | apply ih; intros; apply h; now right].
Qed.
Lemma qsum_term {A} (l : list A) f x : (forall y, In y l -> (0 <= f y)%Q) -> In x l -> (f x <= qsum l f)%Q.
Proof.
  induction l as [| y l ih]; intros h i; [destruct i |]. cbn [qsum]. rewrite Qred_correct. destruct i as [<- | i].
  - rewrite <- (Qplus_0_r (f y)) at 1. apply Qplus_le_compat; [apply Qle_refl | apply qsum_nonneg; intros; apply h; now right].
  - rewrite <- (Qplus_0_l (f x)). apply Qplus_le_compat; [apply h; now left | apply ih; auto; intros; apply h; now right].
Qed.
Lemma row_le_1 n f k : is_row n f -> (k < n)%nat -> (f k <= 1)%Q.
Proof. intros [a b] h. rewrite <- b. apply (qsum_term (seq 0 n) f k); [intros y i; apply a; apply in_seq in i; lia | apply in_seq; lia]. Qed.
Lemma column_of_G g h v : In v (channel d h) -> (forall u oB, In u (memories_B d h) -> (oB < nOB d)%nat -> is_row (nB d) (g h (u ++ [oB])%list)) ->
  lsum (coordinates d (S h)) (fun c => inj (G_entry d g h c v)) <= (1 : F).
Proof.
  destruct v as (s', (u, (oB, b))). intros i rows. unfold channel in i. apply in_prod_iff in i. destruct i as [is i]. apply in_prod_iff in i.
  destruct i as [iu i]. apply in_prod_iff in i. destruct i as [io ib]. apply in_seq in is, io, ib.
  unfold coordinates. rewrite lsum_list_prod. unfold G_entry. cbn [fst snd].
  rewrite (lsum_ext F _ _ (fun t => if Nat.eqb t s' then (inj (g h (u ++ [oB])%list b) : F) else 0)).
  - rewrite (pick_nat (nS d) s' (fun _ => inj (g h (u ++ [oB])%list b))) by lia. rewrite <- (inj_1 F). apply inj_le.
    apply (row_le_1 (nB d)); [apply rows; auto; lia | lia].
  - intros t _. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec t s') as [_ | _]; cbn [andb].
    + rewrite (lsum_ext F _ _ (fun u' => if same (next_B d u oB) u' then (inj (g h (u ++ [oB])%list b) : F) else 0)).
      * apply (pick_memory (S h) (next_B d u oB) (fun _ => inj (g h (u ++ [oB])%list b))). apply next_in; auto; lia.
      * intros u' _. now rewrite inj_if, inj_0.
    + apply lsum_zero. intros. apply inj_0.
Qed.
Theorem nonexpansive_holds : nonexpansive F d.
Proof.
  split.
  - intros theta it h hh o a ho ha (s', (u, (oB, b))) (s, u0) iv ic. unfold W. destruct (same u0 u); [| apply Qle_refl].
    unfold channel in iv. apply in_prod_iff in iv. destruct iv as [is' iv]. apply in_prod_iff in iv. destruct iv as [_ iv]. apply in_prod_iff in iv.
    destruct iv as [io ib]. unfold coordinates in ic. apply in_prod_iff in ic. destruct ic as [is _]. apply in_seq in is', io, ib, is.
    destruct (proj1 (proj2 ok) theta it h hh s ltac:(lia)) as (ra & rb & rt).
    repeat apply Qmult_le_0_compat; [apply ra | apply rb | apply rt]; lia.
  - intros phi ip p hp h hh.
    assert (rows : forall u oB, In u (memories_B d h) -> (oB < nOB d)%nat -> is_row (nB d) (response_of d phi p h (u ++ [oB])%list)).
    { intros u oB iu io. apply (proj2 (proj2 ok)); auto. now apply memory_read. }
    assert (pos : forall c v, In v (channel d h) -> (0 <= G_entry d (response_of d phi p) h c v)%Q).
    { intros c (s', (u, (oB, b))) iv. unfold G_entry. destruct (_ && _); [| apply Qle_refl].
      unfold channel in iv. apply in_prod_iff in iv. destruct iv as [_ iv]. apply in_prod_iff in iv. destruct iv as [iu iv]. apply in_prod_iff in iv.
      destruct iv as [io ib]. apply in_seq in io, ib. apply rows; auto; lia. }
    split; [intros; now apply pos |]. intro u.
    apply le_trans with (lsum (coordinates d (S h)) (fun c => lsum (channel d h) (fun v => |u v| * inj (G_entry d (response_of d phi p) h c v)))).
    + apply lsum_le. intros c _. unfold at_channel. eapply le_trans; [apply lsum_abs |]. apply lsum_le. intros v iv.
      rewrite abs_mul, (abs_pos F (inj (G_entry d (response_of d phi p) h c v))); [apply le_refl |]. rewrite <- (inj_0 F). apply inj_le. now apply pos.
    + rewrite lsum_swap. apply lsum_le. intros v iv. rewrite lsum_mul.
      replace (|u v|) with (|u v| * 1) at 2 by ring. apply mul_mono; [apply abs_nonneg | now apply column_of_G].
Qed.

End Field.

Theorem oom_identity_holds d : oom_identity d.
Proof.
  intros theta _ phi _ p _ seen _ _.
  pose proof (mass_is_law rationals d (world_of d theta) (response_of d phi p) seen) as k. cbn [inj rationals] in k.
  now apply Q2Qc_eq_iff in k.
Qed.
