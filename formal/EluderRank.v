(** The ranks p_W and p_G of Proposition 2.6: how many dimensions the differences of the channels W^theta - W^theta', and of the operators
    G^Phi - G^Phi', span, over any ordered field. *)
From Coq Require Import QArith.
From Pomgcheck Require Import Windows CausalDecomposition EluderDimension EluderSigns RuleLin Statements OrderedField.
Open Scope nat_scope.

Section Field.
Variable F : OF.
Add Field Ff_rank : (c_field F).
Local Open Scope of_scope.
(** n of the differences to the first point are independent, and every difference is a combination of them *)
Definition rank_of_differences {A E} (places : list E) (points : list A) (entry : A -> E -> Q) (n : nat) : Prop :=
  match points with
  | [] => n = O
  | first :: _ => let moved x e := inj (entry x e) - inj (entry first e) in
      exists base, List.length base = n /\ incl base points /\
      let combination (z : nat -> F) e := lsum (seq 0 n) (fun i => z i * moved (nth i base first) e) in
      (forall z, (forall e, In e places -> combination z e = 0) -> forall i, (i < n)%nat -> z i = 0) /\
      forall x, In x points -> exists z, forall e, In e places -> moved x e = combination z e
  end.
(** the entries of W_h(o, a) at all h, o and a, and of G_h at all policies and h *)
Definition W_places d : list (nat * ((nat * nat) * ((nat * (list nat * (nat * nat))) * (nat * list nat)))) :=
  flat_map (fun h => list_prod [h] (list_prod (pairs d) (list_prod (channel d h) (coordinates d h)))) (seq 0 (horizon d)).
Definition G_places d : list (nat * (nat * ((nat * list nat) * (nat * (list nat * (nat * nat)))))) :=
  list_prod (seq 0 (List.length (policies d))) (flat_map (fun h => list_prod [h] (list_prod (coordinates d (S h)) (channel d h))) (seq 0 (horizon d))).
Definition rank_W d : nat -> Prop :=
  rank_of_differences (W_places d) (thetas d) (fun theta e => let '(h, ((o, a), (v, c))) := e in W (world_of d theta) h o a v c).
Definition rank_G d : nat -> Prop :=
  rank_of_differences (G_places d) (phis d) (fun phi e => let '(p, (h, (c, v))) := e in G_entry d (response_of d phi p) h c v).

Lemma rank_by {A E} (places : list E) (points : list A) (entry : A -> E -> Q) n first : hd_error points = Some first ->
  (exists base, List.length base = n /\ incl base points /\
     (forall z : nat -> F, (forall e, In e places -> lsum (seq 0 n) (fun i => z i * (inj (entry (nth i base first) e) - inj (entry first e))) = 0) -> forall i, (i < n)%nat -> z i = 0) /\
     forall x, In x points -> exists z : nat -> F, forall e, In e places -> inj (entry x e) - inj (entry first e) = lsum (seq 0 n) (fun i => z i * (inj (entry (nth i base first) e) - inj (entry first e)))) ->
  rank_of_differences places points entry n.
Proof. intros h. unfold rank_of_differences. destruct points; [discriminate | injection h as ->; auto]. Qed.
(** ** What has the same entries, but for zeros, has the same rank *)
Lemma rank_transfers {A E E'} (places : list E) (places' : list E') (points : list A) entry entry' n :
  (forall e, In e places -> (forall x, (entry x e == 0)%Q) \/ exists e', In e' places' /\ forall x, (entry x e == entry' x e')%Q) ->
  (forall e', In e' places' -> exists e, In e places /\ forall x, (entry' x e' == entry x e)%Q) ->
  rank_of_differences places' points entry' n -> rank_of_differences places points entry n.
Proof.
  intros there back. unfold rank_of_differences. destruct points as [| first l]; [auto |]. cbv zeta. intros (base & len & inc & ind & span). exists base. split; [exact len |]. split; [exact inc |]. split.
  - intros z k. apply ind. intros e' i. destruct (back e' i) as (e & j & s). rewrite <- (k e j). apply lsum_ext. intros y _. now rewrite !(inj_eq F _ _ (s _)).
  - intros x ix. destruct (span x ix) as (z & k). exists z. intros e i. destruct (there e i) as [s | (e' & j & s)].
    + rewrite !(inj_eq F _ _ (s _)), lsum_zero; [ring |]. intros y _. rewrite !(inj_eq F _ _ (s _)). ring.
    + rewrite !(inj_eq F _ _ (s _)), (k e' j). apply lsum_ext. intros y _. now rewrite !(inj_eq F _ _ (s _)).
Qed.
End Field.

(** ** A checker, for the columns of the entries: a base by elimination, and that it is one by as many functionals as it has members, each of
    which is one at its own and zero at the others *)
Definition dual_to (n : nat) (rows : list (list Q)) (duals : list (list Q)) : bool :=
  forallb (fun k => forallb (fun i => Qeq_bool (qsum (seq 0 (List.length rows)) (fun j => nth j (nth k duals []) 0 * nth i (nth j rows []) 0)%Q)
    (if Nat.eqb i k then 1 else 0)%Q) (seq 0 n)) (seq 0 n).
Definition spanned (moved : list (list Q)) (base : list nat) (combined : list (list Q)) (points : nat) : bool :=
  forallb (fun column => let at_base := map (fun k => nth k column 0%Q) base in
    forallb (fun i => Qeq_bool (nth i column 0%Q) (qsum (seq 0 (List.length base)) (fun k => nth k (nth i combined []) 0 * nth k at_base 0)%Q)) (seq 0 points)) moved.
Definition check_rank (columns : list (list Q)) (points n : nat) : bool :=
  let moved := differences columns in
  let '(base, combined) := eliminate (map (fun i => map (fun column => nth i column 0%Q) moved) (seq 0 points)) in
  let at_base := map (fun column => map (fun k => nth k column 0%Q) base) moved in
  let '(picked, duals) := eliminate (at_base ++ map unit_at (seq 0 n)) in
  (List.length base =? n)%nat && forallb (fun k => k <? points)%nat base && forallb (fun j => j <? List.length at_base)%nat picked && spanned moved base combined points &&
  dual_to n (map (fun j => nth j at_base []) picked) (skipn (List.length at_base) duals).

Section Sound.
Variable F : OF.
Add Field Ff_sound : (c_field F).
Local Open Scope of_scope.
Context {E : Type}.
Variables (places : list E) (points : list point) (entry : point -> E -> Q) (n : nat).
Notation moved e := (moved points entry e).
Lemma moved_at i e : (i < List.length points)%nat -> (inj (nth i (moved e) 0%Q) : F) = inj (entry (nth i points []) e) - inj (entry (nth 0 points []) e).
Proof.
  intro l. unfold EluderSigns.moved. cbv zeta. rewrite map_map. set (z := hd 0%Q _). rewrite (nth_indep _ 0%Q ((fun x => Qred (entry x e - z))%Q [])) by now rewrite map_length.
  rewrite (map_nth (fun x => Qred (entry x e - z))%Q). rewrite (inj_eq F _ _ (Qred_correct _)), inj_sub. f_equal. unfold z. destruct points; [cbn in l; lia | reflexivity].
Qed.
Lemma unmoved e i : ~ In (moved e) (differences (columns places points entry)) -> In e places -> (inj (nth i (moved e) 0%Q) : F) = 0.
Proof.
  intros k ie. destruct (nth_in_or_default i (moved e) 0%Q) as [j | ->]; [| apply inj_0]. rewrite <- inj_0. apply (inj_eq F), Qeq_bool_iff.
  destruct (Qeq_bool (nth i (moved e) 0%Q) 0) eqn:q; [reflexivity |]. elim k. rewrite differences_are. apply filter_In. split; [now apply in_map |].
  apply existsb_exists. eexists. split; [exact j | now rewrite q].
Qed.
Theorem check_rank_sound : check_rank (columns places points entry) (List.length points) n = true -> rank_of_differences F places points entry n.
Proof.
  unfold check_rank. set (ms := differences (columns places points entry)). destruct (eliminate (map _ (seq 0 (List.length points)))) as [base combined]. set (at_base := map _ ms).
  destruct (eliminate (at_base ++ _)) as [picked duals]. set (rows := map _ picked). set (ds := skipn _ duals). rewrite !andb_true_iff, !forallb_forall. intros ((((h1 & h2) & h3) & h4) & h5).
  apply Nat.eqb_eq in h1. assert (kb : forall k, In k base -> (k < List.length points)%nat) by (intros k i; now apply Nat.ltb_lt, h2).
  assert (in_ms : forall e, In e places -> In (moved e) ms \/ ~ In (moved e) ms) by (intros; destruct (in_dec row_dec (moved e) ms); auto).
  assert (shape : points = [] \/ exists first others, points = first :: others) by (destruct points; eauto). destruct shape as [ep | (first & others & ep)].
  { unfold rank_of_differences. rewrite ep. destruct base as [| k base]; [now rewrite <- h1 |]. specialize (kb k (or_introl eq_refl)). rewrite ep in kb. simpl in kb. lia. }
  assert (f0 : nth 0 points [] = first) by now rewrite ep.
  apply (rank_by F places points entry n first); [now rewrite ep |]. exists (map (fun k => nth k points []) base). split; [now rewrite map_length |]. split.
  { intros x i. apply in_map_iff in i. destruct i as (k & <- & i). now apply nth_In, kb. }
  assert (at_i : forall i e, (i < n)%nat -> (inj (entry (nth i (map (fun k => nth k points []) base) first) e) : F) - inj (entry first e) = inj (nth i (map (fun k => nth k (moved e) 0%Q) base) 0%Q)).
  { intros i e l. rewrite (nth_indep _ first (nth 0 points [])) by (rewrite map_length; lia). rewrite (map_nth (fun k => nth k points [])).
    rewrite (nth_indep (map (fun k => nth k (moved e) 0%Q) base) _ (nth 0 (moved e) 0%Q)) by (rewrite map_length; lia). rewrite (map_nth (fun k => nth k (moved e) 0%Q)).
    rewrite moved_at by (apply kb, nth_In; lia). now rewrite f0. }
  split.
  - intros z k i li.
    assert (row : forall j, (j < List.length rows)%nat -> lsum (seq 0 n) (fun i => z i * inj (nth i (nth j rows []) 0%Q)) = 0).
    { intros j lj. assert (ir : In (nth j rows []) at_base).
      { assert (ij : In (nth j rows []) rows) by now apply nth_In. unfold rows in ij at 2. apply in_map_iff in ij. destruct ij as (p & <- & ip). apply nth_In, Nat.ltb_lt, h3, ip. }
      unfold at_base in ir. apply in_map_iff in ir. destruct ir as (column & <- & ic). unfold ms in ic. rewrite differences_are in ic. apply filter_In in ic. destruct ic as [ic _].
      apply in_map_iff in ic. destruct ic as (e & <- & ie). rewrite <- (k e ie). apply lsum_ext. intros i' ii. apply in_seq in ii. now rewrite at_i by lia. }
    unfold dual_to in h5. rewrite forallb_forall in h5. specialize (h5 i ltac:(apply in_seq; lia)). rewrite forallb_forall in h5.
    transitivity (lsum (seq 0 n) (fun i' => if Nat.eqb i' i then z i' else 0)); [symmetry; apply (lsum_only F Nat.eqb Nat.eqb_eq); [apply seq_NoDup | apply in_seq; lia] |].
    transitivity (lsum (seq 0 n) (fun i' => lsum (seq 0 (List.length rows)) (fun j => (inj (nth j (nth i ds []) 0%Q) : F) * (z i' * inj (nth i' (nth j rows []) 0%Q))))).
    + apply lsum_ext. intros i' ii. specialize (h5 i' ii). apply Qeq_bool_iff, (inj_eq F) in h5. rewrite inj_qsum in h5.
      rewrite (lsum_ext F _ (fun j => (inj (nth j (nth i ds []) 0%Q) : F) * (z i' * inj (nth i' (nth j rows []) 0%Q))) (fun j => z i' * inj (nth j (nth i ds []) 0 * nth i' (nth j rows []) 0)%Q)) by (intros; rewrite inj_mul; ring).
      rewrite lsum_mul, h5. destruct (Nat.eqb i' i); [rewrite inj_1 | rewrite inj_0]; ring.
    + rewrite lsum_swap. apply lsum_zero. intros j ij. apply in_seq in ij. rewrite lsum_mul, row by lia. ring.
  - intros x ix. apply (In_nth _ _ ([] : point)) in ix. destruct ix as (i & li & <-). exists (fun k => inj (nth k (nth i combined []) 0%Q) : F). intros e ie.
    transitivity (inj (nth i (moved e) 0%Q) : F); [rewrite moved_at by exact li; now rewrite f0 |].
    destruct (in_ms e ie) as [im | im].
    + unfold spanned in h4. rewrite forallb_forall in h4. specialize (h4 _ im). cbv zeta in h4. rewrite forallb_forall in h4. specialize (h4 i ltac:(apply in_seq; lia)).
      apply Qeq_bool_iff, (inj_eq F) in h4. rewrite h4, inj_qsum, h1. apply lsum_ext. intros k ik. apply in_seq in ik. rewrite inj_mul, at_i by lia. reflexivity.
    + rewrite unmoved by assumption. symmetry. apply lsum_zero. intros k ik. apply in_seq in ik. rewrite at_i by lia.
      rewrite (nth_indep (map (fun k => nth k (moved e) 0%Q) base) 0%Q (nth 0 (moved e) 0%Q)) by (rewrite map_length; lia).
      rewrite (map_nth (fun k => nth k (moved e) 0%Q)), (unmoved e (nth k base 0%nat)) by assumption. ring.
Qed.
End Sound.

(** ** The two channels *)
Definition check_rank_of d (of_world : bool) (n : nat) : bool :=
  (1 <=? response_window d)%nat && (0 <? nS d)%nat &&
  if of_world then check_rank (world_columns d) (List.length (thetas d)) n else check_rank (adversary_columns d) (List.length (phis d)) n.
Lemma a_memory d h : (0 < nOB d)%nat -> exists u, In u (memories_B d h).
Proof.
  intro o. unfold memories_B. generalize (Nat.min (response_window d - 1) h). intro k. exists (repeat O k). induction k as [| k ih]; [now left |]. cbn [tuples repeat].
  apply in_flat_map. exists O. split; [apply in_seq; lia |]. now apply (in_map (cons O)).
Qed.
Theorem check_rank_W_sound d n : check_rank_of d true n = true -> forall F : OF, rank_W F d n.
Proof.
  unfold check_rank_of. rewrite !andb_true_iff. intros [_ h] F. rewrite world_columns_are in h. apply (check_rank_sound F) in h.
  apply (rank_transfers F _ (world_places d) _ _ (world_entry d)); [| | exact h].
  - intros (h0, ((o, a), ((s', (uB, (oB, b))), (s, u)))) i. unfold W. destruct (same u uB); [right | left; intro; reflexivity].
    exists ((h0, ((o, a), (s', (oB, b)))), s). split; [| intro; reflexivity].
    unfold W_places in i. apply in_flat_map in i. destruct i as (h' & ih & i). apply in_prod_iff in i. destruct i as [[-> | []] i]. apply in_prod_iff in i. destruct i as [ip i].
    apply in_prod_iff in i. destruct i as [iv ic]. unfold channel in iv. rewrite !in_prod_iff in iv. unfold coordinates in ic. rewrite in_prod_iff in ic. unfold world_places, moves, ends. rewrite !in_prod_iff. tauto.
  - intros ((h0, ((o, a), (s', (oB, b)))), s) i. unfold world_places, moves, ends in i. rewrite !in_prod_iff in i. destruct i as ((ih & ip & is' & io & ib) & is).
    destruct (a_memory d h0 ltac:(apply in_seq in io; lia)) as (u & iu). exists (h0, ((o, a), ((s', (u, (oB, b))), (s, u)))). split.
    + unfold W_places. apply in_flat_map. exists h0. split; [exact ih |]. apply in_prod_iff. split; [now left |]. apply in_prod_iff. split; [exact ip |].
      apply in_prod_iff. unfold channel, coordinates. rewrite !in_prod_iff. tauto.
    + intro theta. unfold W, same. destruct (list_eq_dec Nat.eq_dec u u); [reflexivity | congruence].
Qed.
Theorem check_rank_G_sound d n : check_rank_of d false n = true -> forall F : OF, rank_G F d n.
Proof.
  unfold check_rank_of. rewrite !andb_true_iff. intros [[wB s1] h]. apply Nat.leb_le in wB. apply Nat.ltb_lt in s1. intro F. rewrite adversary_columns_are in h. apply (check_rank_sound F) in h.
  apply (rank_transfers F _ (adversary_places d) _ _ (adversary_entry d)); [| | exact h].
  - intros (p, (h0, ((s', u'), (s, (u, (oB, b)))))) i. unfold G_entry. cbn [fst snd]. destruct (Nat.eqb s s' && same (next_B d u oB) u')%bool; [right | left; intro; reflexivity].
    exists (p, (h0, (u ++ [oB], b))). split; [| intro; reflexivity]. unfold G_places in i. apply in_prod_iff in i. destruct i as [ip i]. apply in_flat_map in i. destruct i as (h' & ih & i).
    apply in_prod_iff in i. destruct i as [[-> | []] i]. apply in_prod_iff in i. destruct i as [_ iv]. unfold channel in iv. rewrite !in_prod_iff in iv. destruct iv as (_ & iu & io & ib).
    unfold adversary_places. apply in_flat_map. exists p. split; [exact ip |]. apply in_flat_map. exists h0. split; [exact ih |]. apply (in_map (fun x => (p, (h0, x)))).
    unfold answers. apply in_prod; [| exact ib]. apply memory_read; auto. apply in_seq in io. lia.
  - intros (p, (h0, (seen, b))) i. unfold adversary_places in i. apply in_flat_map in i. destruct i as (p' & ip & i). apply in_flat_map in i. destruct i as (h' & ih & i). apply in_map_iff in i.
    destruct i as ((seen', b') & e & ix). injection e as -> -> -> ->. unfold answers in ix. apply in_prod_iff in ix. destruct ix as [is ib].
    unfold read_at in is. apply in_tuples in is. destruct is as [len small]. assert (ne : seen <> []) by (intros ->; simpl in len; lia).
    destruct (exists_last ne) as (u & oB & ->). rewrite app_length in len. simpl in len.
    assert (io : (oB < nOB d)%nat) by (apply small, in_or_app; right; now left).
    assert (iu : In u (memories_B d h0)) by (unfold memories_B; apply in_tuples; split; [lia | intros y j; apply small, in_or_app; now left]).
    exists (p, (h0, ((O, next_B d u oB), (O, (u, (oB, b)))))). split.
    + unfold G_places. apply in_prod_iff. split; [exact ip |]. apply in_flat_map. exists h0. split; [exact ih |]. apply in_prod_iff. split; [now left |]. apply in_prod_iff.
      unfold coordinates, channel. rewrite !in_prod_iff. assert (s0 : In O (seq 0 (nS d))) by (apply in_seq; lia).
      split; [split; [exact s0 | exact (Windows.next_in d h0 u oB b iu io)] |]. split; [exact s0 |]. split; [exact iu |]. split; [apply in_seq; lia | exact ib].
    + intro phi. unfold G_entry. cbn [fst snd]. rewrite Nat.eqb_refl. unfold same. destruct (list_eq_dec Nat.eq_dec _ _); [reflexivity | congruence].
Qed.
