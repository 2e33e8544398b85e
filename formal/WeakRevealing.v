(** The checker of [weak-revealing], rule [lin], and its soundness. *)
From Pomgcheck Require Import OrderedField RuleLin Statements TrajectoryLaws ForwardLaws.
From Pomgcheck Require Export SparseLaws.
Open Scope nat_scope.

Record evidence := Ev { alpha_lower : Q; tests : list (list Q); factors : list (list (list Q)); trees : list (list tree) }.

(** places: worlds i < j, step, learner memory, observation, action; at each place one tree for every response and policy *)
Record place := Place { c_i : nat; c_j : nat; c_h : nat; c_u : list nat; c_o : nat; c_a : nat }.
Definition places d kappa : list place :=
  flat_map (fun i => flat_map (fun j => if i <? j then
   flat_map (fun h => flat_map (fun u => flat_map (fun o =>
     map (fun a => Place i j h u o a) (seq 0 (nA d))) (seq 0 (nOA d))) (memories_A d h)) (seq 0 (horizon d - kappa))
   else []) (seq 0 (List.length (thetas d)))) (seq 0 (List.length (thetas d))).
Definition plays d : list (nat * nat) := list_prod (seq 0 (List.length (phis d))) (seq 0 (List.length (policies d))).

(** the laws of all windows from one pure state, which moves once; none where it cannot show o *)
Definition window_laws d (w : world) g pi kappa h u o a (j : nat * list nat) : list Q :=
  match forward d w g h o a [(j, 1%Q)] with
  | [] => []
  | moved => map (fun win => Qred (sparse_sum moved (fun e => zt (snd e) (fun _ =>
               window_law' d w g pi win (S h) (fst (fst e)) (next_A d u o) (snd (fst e)))))) (tuples (nOA d) kappa)
  end.
Lemma window_laws_are d w g pi kappa h u o a j n : n < List.length (tuples (nOA d) kappa) ->
  (at_ (window_laws d w g pi kappa h u o a j) n == joint_law d w g pi h u o a (nth n (tuples (nOA d) kappa) []) j)%Q.
Proof.
  intro hn. set (win := nth n (tuples (nOA d) kappa) []).
  assert (e : (mean (forward d w g h o a [(j, 1%Q)]) (fun s u' => window_law d w g pi win (S h) s (next_A d u o) u') == joint_law d w g pi h u o a win j)%Q).
  { rewrite forward_step. unfold mean, joint_law. cbn [qsum fst snd]. rewrite Qred_correct. ring. }
  rewrite <- e. unfold window_laws. destruct (forward d w g h o a [(j, 1%Q)]) as [| x v]; [unfold at_; destruct n; reflexivity |].
  unfold at_. set (f := fun win => Qred _). rewrite (nth_indep _ 0%Q (f [])) by (now rewrite map_length). rewrite map_nth. fold win. unfold f.
  rewrite Qred_correct, sparse_is. unfold mean. apply qsum_eq. intro y. rewrite (zt_eq _ _ (window_law d w g pi win (S h) (fst (fst y)) (next_A d u o) (snd (fst y)))); [reflexivity | apply window_eq].
Qed.

Definition columns d (w w' : world) g pi kappa h u o a : list column :=
  let chan := channel d h in
  map (fun j => Col (EA w h (fst j) o) (EA w' h (fst j) o)
                    (window_laws d w g pi kappa h u o a j)
                    (window_laws d w' g pi kappa h u o a j)
                    (map (fun v => Qred (W w h o a v j - W w' h o a v j)) chan)) (coordinates d h).

(** the same without the window laws, which [Skip] does not read *)
Definition light_columns d (w w' : world) h o a : list column :=
  map (fun j => Col (EA w h (fst j) o) (EA w' h (fst j) o) [] []
                    (map (fun v => Qred (W w h o a v j - W w' h o a v j)) (channel d h))) (coordinates d h).
Lemma light_skip d joint w w' g pi kappa h u o a :
  skip_ok joint (light_columns d w w' h o a) = skip_ok joint (columns d w w' g pi kappa h u o a).
Proof.
  unfold skip_ok, light_columns, columns. 
  assert (e : forall (js : list (nat * list nat)) (f f' : nat * list nat -> column) (t : column -> bool),
    (forall j, t (f j) = t (f' j)) -> forallb t (map f js) = forallb t (map f' js)).
  { intros js f f' t h0. induction js; simpl; congruence. }
  f_equal; [apply e; reflexivity |]. f_equal. f_equal; apply e; reflexivity.
Qed.

(** with Z, Z' and the differences computed before *)
Definition full_columns d (w w' : world) g pi kappa h u o a (light : list column) : list column :=
  map (fun jc => Col (cZ (snd jc)) (cZ' (snd jc))
                     (window_laws d w g pi kappa h u o a (fst jc))
                     (window_laws d w' g pi kappa h u o a (fst jc)) (cD (snd jc)))
      (combine (coordinates d h) light).
Lemma full_columns_eq d w w' g pi kappa h u o a :
  full_columns d w w' g pi kappa h u o a (light_columns d w w' h o a) = columns d w w' g pi kappa h u o a.
Proof.
  unfold full_columns, light_columns, columns. generalize (coordinates d h) as js.
  induction js as [| j js ih]; [reflexivity |]. cbn [map combine fst snd cZ cZ' cD]. now rewrite <- ih.
Qed.

Definition no_world := World (fun _ _ _ => 0%Q) (fun _ _ _ => 0%Q) (fun _ _ _ _ _ => 0%Q).
Definition no_decision : decision := fun _ _ _ => 0%Q.

Definition place_ok d joint kappa (ev : evidence) (ws : list world) (gs : list (list decision)) (pis : list decision)
    (c : place) (ts : list tree) : bool :=
  let w := nth (c_i c) ws no_world in
  let w' := nth (c_j c) ws no_world in
  let light := light_columns d w w' (c_h c) (c_o c) (c_a c) in
  let V := List.length (channel d (c_h c)) in
  let K := List.length (tuples (nOA d) kappa) in
  let empty := skip_ok joint light in
  (List.length (plays d) =? List.length ts) &&
  forallb (fun kt => let '((k, p), t) := kt in
    match t with
    | Skip => empty
    | _ => tree_ok joint (alpha_lower ev) (tests ev) (factors ev) K V t
             (full_columns d w w' (nth p (nth k gs []) no_decision) (nth p pis no_decision) kappa
                (c_h c) (c_u c) (c_o c) (c_a c) light)
    end) (combine (plays d) ts).

Definition check_revealing (d : doc) (joint : bool) (kappa : nat) (ev : evidence) : bool :=
  let ws := map (world_of d) (thetas d) in
  let ps := seq 0 (List.length (policies d)) in
  let gs := map (fun phi => map (response_of d phi) ps) (phis d) in
  let pis := map (policy_of d) ps in
  let cs := places d kappa in
  negb (Qle_bool (alpha_lower ev) 0) && (List.length cs =? List.length (trees ev)) &&
  forallb (fun ct => place_ok d joint kappa ev ws gs pis (fst ct) (snd ct)) (combine cs (trees ev)).

Section Sound.
Variable F : OF.
Local Open Scope of_scope.
Add Field Fr : (c_field F).

Lemma nth_map_in {A B} (f : A -> B) l d e k : (k < List.length l)%nat -> nth k (map f l) e = f (nth k l d).
Proof. intro h. rewrite (nth_indep _ e (f d)) by (now rewrite map_length). apply map_nth. Qed.

Lemma glue d joint kappa alpha w w' g pi h u o a (q : nat * list nat -> F) :
  bound F joint alpha (List.length (tuples (nOA d) kappa)) (List.length (channel d h))
    (fun k => q (nth k (coordinates d h) (O, []))) (columns d w w' g pi kappa h u o a) ->
  revealing_at F d joint kappa alpha w w' g pi h u o a q.
Proof.
  set (j0 := (O, @nil nat)). set (js := coordinates d h). set (lam := fun k => q (nth k js j0)).
  set (vs := columns d w w' g pi kappa h u o a).
  set (wins := tuples (nOA d) kappa). set (chan := channel d h). intro hb.
  assert (e : forall (gg : column -> Q) f,
    (forall k, (k < List.length js)%nat -> (gg (nth k vs no_column) == f (nth k js j0))%Q) ->
    pt F lam vs gg = at_state F d h q f).
  { intros gg f hf. unfold pt, at_state. fold js. rewrite (lsum_nth F j0 js).
    replace (List.length vs) with (List.length js) by (unfold vs, columns; now rewrite map_length).
    apply lsum_ext; intros k hk. apply in_seq in hk. unfold lam. f_equal. apply inj_eq, hf. lia. }
  assert (col : forall k, (k < List.length js)%nat -> nth k vs no_column =
    let j := nth k js j0 in
    Col (EA w h (fst j) o) (EA w' h (fst j) o) (window_laws d w g pi kappa h u o a j)
        (window_laws d w' g pi kappa h u o a j)
        (map (fun v => Qred (W w h o a v j - W w' h o a v j)) chan)).
  { intros k hk. unfold vs, columns. now rewrite (nth_map_in _ js j0) by auto. }
  assert (eZ : pt F lam vs cZ = at_state F d h q (fun j => EA w h (fst j) o)).
  { apply e; intros k hk. rewrite col by auto. reflexivity. }
  assert (eZ' : pt F lam vs cZ' = at_state F d h q (fun j => EA w' h (fst j) o)).
  { apply e; intros k hk. rewrite col by auto. reflexivity. }
  assert (eM : forall n, (n < List.length wins)%nat -> pt F lam vs (gM n) =
            at_state F d h q (joint_law d w g pi h u o a (nth n wins []))).
  { intros n hn. apply e; intros k hk. unfold gM, at_. rewrite col by auto. cbn [cM].
    now apply window_laws_are. }
  assert (eM' : forall n, (n < List.length wins)%nat -> pt F lam vs (gM' n) =
            at_state F d h q (joint_law d w' g pi h u o a (nth n wins []))).
  { intros n hn. apply e; intros k hk. unfold gM', at_. rewrite col by auto. cbn [cM'].
    now apply window_laws_are. }
  set (v0 := (O, (@nil nat, (O, O)))).
  assert (eD : forall n, (n < List.length chan)%nat -> pt F lam vs (gD n) =
            at_state F d h q (W w h o a (nth n chan v0)) - at_state F d h q (W w' h o a (nth n chan v0))).
  { intros n hn. rewrite (e _ (fun j => W w h o a (nth n chan v0) j - W w' h o a (nth n chan v0) j)%Q).
    - unfold at_state. rewrite <- lsum_sub. apply lsum_ext; intros j _. rewrite inj_sub. ring.
    - intros k hk. unfold gD, at_. rewrite col by auto. cbn [cD]. rewrite (nth_map_in _ chan v0) by auto. apply Qred_correct. }
  assert (sD : lsum (seq 0 (List.length chan)) (fun n => |pt F lam vs (gD n)|) =
    lsum chan (fun v => |at_state F d h q (W w h o a v) - at_state F d h q (W w' h o a v)|)).
  { rewrite (lsum_nth F v0 chan). apply lsum_ext; intros n hn. apply in_seq in hn. f_equal. apply eD. lia. }
  unfold revealing_at. fold js chan wins. unfold bound in hb. rewrite sD, eZ, eZ' in hb.
  destruct joint.
  - eapply le_trans; [exact hb |]. rewrite (lsum_nth F [] wins). apply lsum_le; intros n hn. apply in_seq in hn.
    rewrite eM, eM' by lia. apply le_refl.
  - intros z1 z2 z3 z4. eapply le_trans; [exact (hb z1 z2 z3 z4) |]. rewrite (lsum_nth F [] wins).
    apply lsum_le; intros n hn. apply in_seq in hn. rewrite eM, eM' by lia. apply le_refl.
Qed.

Lemma revealing_sym d joint kappa alpha w w' g pi h u o a q :
  revealing_at F d joint kappa alpha w w' g pi h u o a q -> revealing_at F d joint kappa alpha w' w g pi h u o a q.
Proof.
  unfold revealing_at. intro hb.
  rewrite (lsum_ext _ _ (fun v => |at_state F d h q (W w' h o a v) - at_state F d h q (W w h o a v)|) _
    (fun v _ => abs_sym F _ _)).
  destruct joint.
  - eapply le_trans; [exact hb |]. apply lsum_le; intros win _. rewrite abs_sym. apply le_refl.
  - intros z1 z2 z3 z4. eapply le_trans; [exact (hb z3 z4 z1 z2) |]. apply lsum_le; intros win _. rewrite abs_sym. apply le_refl.
Qed.

Lemma revealing_same d joint kappa alpha w g pi h u o a q : revealing_at F d joint kappa alpha w w g pi h u o a q.
Proof.
  unfold revealing_at.
  assert (e : inj alpha * lsum (channel d h) (fun v => |at_state F d h q (W w h o a v) - at_state F d h q (W w h o a v)|) = 0).
  { rewrite lsum_zero; [ring |]. intros v _. replace (at_state F d h q (W w h o a v) - at_state F d h q (W w h o a v)) with (0 : F) by ring.
    apply abs_pos, le_refl. }
  rewrite e. destruct joint; intros; apply lsum_nonneg; intros; apply abs_nonneg.
Qed.

Lemma in_places d kappa i j h u o a :
  (i < j)%nat -> (j < List.length (thetas d))%nat ->
  (h + kappa < horizon d)%nat -> In u (memories_A d h) -> (o < nOA d)%nat -> (a < nA d)%nat ->
  In (Place i j h u o a) (places d kappa).
Proof.
  intros. unfold places.
  apply in_flat_map; exists i; split; [apply in_seq; lia |].
  apply in_flat_map; exists j; split; [apply in_seq; lia |].
  rewrite (proj2 (Nat.ltb_lt i j)) by lia.
  apply in_flat_map; exists h; split; [apply in_seq; lia |].
  apply in_flat_map; exists u; split; [assumption |].
  apply in_flat_map; exists o; split; [apply in_seq; lia |].
  apply in_map. apply in_seq; lia.
Qed.

Lemma in_combine {A B} (l : list A) (m : list B) x : List.length l = List.length m -> In x l -> exists y, In (x, y) (combine l m).
Proof.
  revert m. induction l as [| z l ih]; intros [| y m]; simpl; intros e h; try tauto; try discriminate.
  destruct h as [-> | h]; [eauto |]. destruct (ih m) as [t ht]; auto. eauto.
Qed.

Theorem check_revealing_sound d joint kappa ev :
  check_revealing d joint kappa ev = true -> weak_revealing F d joint kappa (alpha_lower ev).
Proof.
  unfold check_revealing. rewrite !andb_true_iff, negb_true_iff. intros [[hpos hl] hc].
  apply Nat.eqb_eq in hl. rewrite forallb_forall in hc.
  split; [apply Qnot_le_lt; intro z; apply Qle_bool_iff in z; congruence |].
  intros theta theta' ht ht' phi hphi p hp h hh u hu o ho a ha q [q0 q1].
  apply (In_nth _ _ ([] : point)) in ht, ht', hphi.
  destruct ht as (i & hi & ei), ht' as (j & hj & ej), hphi as (k & hk & ek).
  assert (ordered : forall i j, (i < j)%nat -> (j < List.length (thetas d))%nat ->
    revealing_at F d joint kappa (alpha_lower ev) (world_of d (nth i (thetas d) [])) (world_of d (nth j (thetas d) []))
      (response_of d phi p) (policy_of d p) h u o a q).
  { clear i j hi hj ei ej. intros i j hij hj.
    destruct (in_combine (places d kappa) (trees ev) (Place i j h u o a) hl) as [ts hts]; [now apply in_places |].
    specialize (hc _ hts). unfold place_ok in hc. cbn [fst snd c_i c_j c_h c_u c_o c_a] in hc.
    apply andb_true_iff in hc as [hlen hc]. apply Nat.eqb_eq in hlen. rewrite forallb_forall in hc.
    destruct (in_combine (plays d) ts (k, p) hlen) as [t ht]; [apply in_prod; apply in_seq; lia |].
    specialize (hc _ ht). cbv beta iota in hc. rewrite full_columns_eq in hc.
    assert (hf : tree_ok joint (alpha_lower ev) (tests ev) (factors ev) (List.length (tuples (nOA d) kappa)) (List.length (channel d h)) t
      (columns d (nth i (map (world_of d) (thetas d)) no_world) (nth j (map (world_of d) (thetas d)) no_world)
        (nth p (nth k (map (fun phi => map (response_of d phi) (seq 0 (List.length (policies d)))) (phis d)) []) no_decision)
        (nth p (map (policy_of d) (seq 0 (List.length (policies d)))) no_decision) kappa h u o a) = true).
    { destruct t; [cbn [tree_ok]; rewrite <- light_skip; exact hc | exact hc ..]. }
    clear hc. rename hf into hc.
    rewrite !(nth_map_in _ (thetas d) []) in hc by lia.
    rewrite (nth_map_in _ (phis d) []) in hc by lia. rewrite !(nth_map_in _ (seq 0 _) O) in hc by (rewrite seq_length; lia).
    rewrite seq_nth in hc by lia. rewrite ek in hc. simpl Nat.add in hc.
    apply glue. eapply tree_sound; [exact hc | |].
    - intros n hn. apply q0. apply nth_In. unfold columns in hn. now rewrite map_length in hn.
    - rewrite <- q1, (lsum_nth F (O, []) (coordinates d h)). unfold columns. now rewrite map_length. }
  destruct (Nat.lt_trichotomy i j) as [l | [e | l]].
  - rewrite <- ei, <- ej. now apply ordered.
  - subst j. rewrite <- ei, <- ej. apply revealing_same.
  - rewrite <- ei, <- ej. apply revealing_sym. now apply ordered.
Qed.
End Sound.

(** the document is a class of games *)
Definition row_ok (n : nat) (f : nat -> Q) : bool :=
  forallb (fun k => Qle_bool 0 (f k)) (seq 0 n) && Qeq_bool (qsum (seq 0 n) f) 1.
Definition check_class d : bool :=
  row_ok (nS d) (fun s => eval [] (nth s (initial d) (Num 0))) &&
  forallb (fun theta => let w := world_of d theta in forallb (fun h => forallb (fun s =>
     row_ok (nOA d) (EA w h s) && row_ok (nOB d) (EB w h s) &&
     forallb (fun a => forallb (fun b => row_ok (nS d) (T w h s a b)) (seq 0 (nB d))) (seq 0 (nA d)))
     (seq 0 (nS d))) (seq 0 (horizon d))) (thetas d) &&
  forallb (fun p => forallb (fun h =>
     forallb (fun seen => row_ok (nA d) (policy_of d p h seen)) (tuples (nOA d) (Nat.min (policy_window d) (S h))) &&
     forallb (fun phi => forallb (fun seen => row_ok (nB d) (response_of d phi p h seen))
       (tuples (nOB d) (Nat.min (response_window d) (S h)))) (phis d))
     (seq 0 (horizon d))) (seq 0 (List.length (policies d))).

Lemma row_sound n f : row_ok n f = true -> is_row n f.
Proof.
  unfold row_ok. rewrite andb_true_iff, forallb_forall. intros [h e]. split; [| now apply Qeq_bool_iff].
  intros k hk. apply Qle_bool_iff, h, in_seq. lia.
Qed.
Theorem check_class_sound d : check_class d = true -> class_of_games d.
Proof.
  unfold check_class. rewrite !andb_true_iff. intros [[hi hw] hp].
  split; [now apply row_sound |]. split.
  - intros theta ht h hh s hs. rewrite forallb_forall in hw. specialize (hw _ ht). cbv zeta in hw.
    rewrite forallb_forall in hw. specialize (hw h ltac:(apply in_seq; lia)).
    rewrite forallb_forall in hw. specialize (hw s ltac:(apply in_seq; lia)). rewrite !andb_true_iff in hw.
    destruct hw as [[h1 h2] h3]. split; [now apply row_sound |]. split; [now apply row_sound |].
    intros a ha b hb. rewrite forallb_forall in h3. specialize (h3 a ltac:(apply in_seq; lia)).
    rewrite forallb_forall in h3. apply row_sound. apply h3. apply in_seq; lia.
  - intros p hpp h hh. rewrite forallb_forall in hp. specialize (hp p ltac:(apply in_seq; lia)).
    rewrite forallb_forall in hp. specialize (hp h ltac:(apply in_seq; lia)). rewrite andb_true_iff in hp.
    destruct hp as [h1 h2]. rewrite forallb_forall in h1, h2. split.
    + intros seen hs. now apply row_sound, h1.
    + intros phi hphi seen hs. specialize (h2 _ hphi). rewrite forallb_forall in h2. now apply row_sound, h2.
Qed.
