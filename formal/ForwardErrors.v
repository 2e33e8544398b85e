(** Expected squared errors of operators (Assumption 3.1(e)) as a program: the prefixes that a model allows are listed once, each with the
    predictive state before it and the chance of all that comes after, and every other model is compared at each of them. *)
From Pomgcheck Require Import OrderedField RuleLin Statements WeakRevealing TrajectoryLaws ForwardLaws Covering WarmupStationary PosteriorLipschitz Instances CausalDecomposition ChannelTriangle SimulationSummed.
From Coq Require Qcanon.
Open Scope nat_scope.

Lemma qsum_flat_map {A B} (h : A -> list B) (l : list A) f : (qsum (flat_map h l) f == qsum l (fun x => qsum (h x) f))%Q.
Proof. induction l as [| x l ih]; cbn [flat_map qsum]; [reflexivity |]. now rewrite qsum_app, Qred_correct, ih. Qed.
Lemma qsum_maps {A B} (f : A -> B) (l : list A) g : (qsum (map f l) g == qsum l (fun x => g (f x)))%Q.
Proof. induction l as [| x l ih]; cbn [map qsum]; [reflexivity |]. now rewrite !Qred_correct, ih. Qed.
Lemma qsum_list_prod {A B} (l : list A) (m : list B) f : (qsum (list_prod l m) f == qsum l (fun x => qsum m (fun y => f (x, y))))%Q.
Proof. induction l as [| x l ih]; cbn [list_prod qsum]; [reflexivity |]. now rewrite qsum_app, qsum_maps, Qred_correct, ih. Qed.
(** ** The program *)
Record node := Node { n_h : nat; n_o : nat; n_a : nat; before : vector; after : vector; n_weight : Q }.
Section Program.
Variables (d : doc) (w : world) (g pi : decision).
(** the prefixes of k steps more; and the chance of them all *)
Fixpoint nodes_from (k h : nat) (uA : list nat) (v : vector) (c : Q) : list node * Q :=
  match k with
  | 0 => ([], Qred (c * total v))
  | S k =>
      let t := total v in
      let parts := map (fun x =>
        let z := pi h (uA ++ [fst x]) (snd x) in
        if Qeq_bool z 0 then ([], 0%Q) else
        let v' := forward d w g h (fst x) (snd x) v in
        if is_empty v' then ([], 0%Q) else
        let r := nodes_from k (S h) (next_A d uA (fst x)) v' (Qred (c * z)) in
        (Node h (fst x) (snd x) v v' (Qred (snd r / (t * t))) :: fst r, snd r)) (pairs d) in
      (flat_map fst parts, qsum parts snd)
  end.
End Program.
Fixpoint at_place (c : nat * list nat) (v : vector) : Q :=
  match v with [] => 0%Q | (c', m) :: v => if same_place c' c then Qred (m + at_place c v) else at_place c v end.
(** the norms of (J' - J) q and (W' - W) q at a node, times the mass of q *)
Definition joint_gap d (w' : world) (g' : decision) (n : node) : Q :=
  let v' := forward d w' g' (n_h n) (n_o n) (n_a n) (before n) in
  sparse_sum (coordinates d (S (n_h n))) (fun c => Qabs (at_place c v' - at_place c (after n))).
Definition world_gap d (w w' : world) (n : node) : Q :=
  let h := n_h n in let o := n_o n in let a := n_a n in
  sparse_sum (memories_B d h) (fun u => let es := filter (fun e => same (snd (fst e)) u) (before n) in
    sparse_sum (seq 0 (nOB d)) (fun oB =>
      let ys := map (fun e => let s := fst (fst e) in
        (s, (Qred (snd e * (zt (EA w h s o) (fun _ => EB w h s oB))), Qred (snd e * (zt (EA w' h s o) (fun _ => EB w' h s oB)))))) es in
      let ys := filter (fun y => negb (Qeq_bool (fst (snd y)) 0 && Qeq_bool (snd (snd y)) 0)) ys in
      match ys with
      | [] => 0%Q
      | _ => sparse_sum (seq 0 (nB d)) (fun b => sparse_sum (seq 0 (nS d)) (fun s' =>
               Qabs (sparse_sum ys (fun y => zt (snd (snd y)) (fun _ => T w' h (fst y) a b s') - zt (fst (snd y)) (fun _ => T w h (fst y) a b s'))%Q)))
      end)).
Definition nodes_of d (star : point * point) p : list node :=
  fst (nodes_from d (world_of d (fst star)) (response_of d (snd star) p) (policy_of d p) (horizon d) 0 [] (start_vector d) 1).
Definition squared (ns : list node) (gap : node -> Q) : Q := qsum ns (fun n => let e := gap n in n_weight n * (e * e))%Q.
Definition expected_joint d (xi : point * point) p (ns : list node) : Q :=
  let w' := world_of d (fst xi) in let g' := response_of d (snd xi) p in squared ns (joint_gap d w' g').
Definition expected_world d (w w' : world) (ns : list node) : Q := squared ns (world_gap d w w').
Definition expected_fast d (of_world : bool) (star xi : point * point) p : Q :=
  let ns := nodes_of d star p in
  if of_world then expected_world d (world_of d (fst star)) (world_of d (fst xi)) ns else expected_joint d xi p ns.

(** ** It is the expected sum of the statement *)
Lemma at_place_mean c v : (at_place c v == mean v (fun s u => if same_place (s, u) c then 1 else 0))%Q.
Proof.
  unfold mean. induction v as [| [[s u] m] v ih]; cbn [at_place qsum fst snd]; [reflexivity |].
  destruct (same_place (s, u) c); rewrite !Qred_correct, ih; ring.
Qed.
Lemma qsum_pick n k (f : nat -> Q) : k < n -> (qsum (seq 0 n) (fun i => if Nat.eqb i k then f i else 0) == f k)%Q.
Proof.
  intro hk. apply Qcanon.Q2Qc_eq_iff. change (Qcanon.Q2Qc (qsum (seq 0 n) (fun i => if Nat.eqb i k then f i else 0%Q))) with (inj (o := rationals) (qsum (seq 0 n) (fun i => if Nat.eqb i k then f i else 0%Q))).
  rewrite inj_qsum. rewrite (lsum_ext rationals _ _ (fun i => if Nat.eqb i k then (inj (f i) : rationals) else c0)).
  - exact (pick_nat rationals n k (fun i => inj (f i)) hk).
  - intros i _. now destruct (Nat.eqb i k).
Qed.
Lemma step_pick d w g h s a u s' u' : s' < nS d -> forall o,
  (EA w h s o * step d w g h s a u (fun t x => if same_place (t, x) (s', u') then 1 else 0) == J_entry d w g h o a (s', u') (s, u))%Q.
Proof.
  intros hs o. unfold step, J_entry. rewrite <- qsum_scale. apply qsum_eq. intro oB. rewrite <- qsum_scale.
  rewrite <- qsum_scale. apply qsum_eq. intro b.
  rewrite (qsum_eq (seq 0 (nS d)) _ (fun t => if Nat.eqb t s' then (if same (next_B d u oB) u' then T w h s a b t else 0) else 0)%Q).
  - rewrite (qsum_pick (nS d) s' (fun t => if same (next_B d u oB) u' then T w h s a b t else 0)%Q) by exact hs. destruct (same _ _); ring.
  - intro t. unfold same_place. cbn [fst snd]. destruct (Nat.eqb t s'), (same _ _); cbn [andb]; ring.
Qed.
Section Meaning.
Variables (d : doc) (of_world : bool) (star xi : point * point) (p : nat).
Let w := world_of d (fst star). Let w' := world_of d (fst xi).
Let g := response_of d (snd star) p. Let g' := response_of d (snd xi) p.
Definition stated_error (seen : trajectory) (o a : nat) : Q :=
  if of_world then W_error d star xi p seen o a else J_error d star xi p seen o a.
Definition represents (past : trajectory) (v : vector) : Prop :=
  forall f, (mean v f == qsum (coordinates d (List.length past)) (fun c => unnormalised d w g past c * f (fst c) (snd c)))%Q.
Lemma forward_represents past v o a : represents past v -> represents ((o, a) :: past) (forward d w g (List.length past) o a v).
Proof.
  intros rep f. rewrite forward_step. etransitivity; [apply rep |]. pose proof (unnormalised_step rationals d w g (o, a) past f) as k.
  rewrite (lsum_ext rationals _ _ (fun c => inj (unnormalised d w g ((o, a) :: past) c * f (fst c) (snd c))%Q)) in k by (intros; symmetry; apply inj_mul).
  rewrite (lsum_ext rationals (coordinates d (List.length past)) _ (fun c => inj (unnormalised d w g past c * (EA w (List.length past) (fst c) o * step d w g (List.length past) (fst c) a (snd c) f))%Q)) in k
    by (intros; symmetry; apply inj_mul).
  rewrite <- !inj_qsum in k. cbn [inj rationals] in k. apply Qcanon.Q2Qc_eq_iff in k. symmetry. exact k.
Qed.
Lemma total_is past v : represents past v -> (total v == mass d w g past)%Q.
Proof. intro rep. rewrite total_mean. etransitivity; [apply rep |]. unfold mass. apply qsum_eq. intro c. ring. Qed.
(** what weighs nothing goes on weighing nothing *)
Lemma mass_after past v : represents past v -> forall tau, (mass d w g (rev tau ++ past) == mean v (fun s u => controlled d w g (List.length past) s u tau))%Q.
Proof.
  intros rep tau. symmetry. etransitivity; [apply rep |]. symmetry. pose proof (induction_over_steps rationals d w g tau past) as k.
  rewrite (lsum_ext rationals _ _ (fun c => inj (unnormalised d w g past c * controlled d w g (List.length past) (fst c) (snd c) tau)%Q)) in k by (intros; symmetry; apply inj_mul).
  rewrite <- inj_qsum in k. cbn [inj rationals] in k. apply Qcanon.Q2Qc_eq_iff in k. exact (Qeq_sym _ _ k).
Qed.
Lemma nothing_after past v o a : represents past v -> is_empty (forward d w g (List.length past) o a v) = true ->
  forall tau, (mass d w g (rev ((o, a) :: tau) ++ past) == 0)%Q.
Proof.
  intros rep z tau. cbn [rev]. rewrite <- app_assoc. cbn [app]. rewrite (mass_after _ _ (forward_represents past v o a rep)).
  destruct (forward _ _ _ _ _ _ _); [reflexivity | discriminate].
Qed.
Definition gap_at (n : node) : Q := if of_world then world_gap d w w' n else joint_gap d w' g' n.
Lemma at_q_star_is past v f : represents past v -> (at_q_star d star p (rev past) f == mean v (fun s u => f (s, u)) * / total v)%Q.
Proof.
  intro rep. unfold at_q_star, q_star. rewrite rev_length, rev_involutive. fold w g. rewrite (total_is past v rep), (rep (fun s u => f (s, u))), Qmult_comm, <- qsum_scale.
  apply qsum_eq. intros [s u]. cbn [fst snd]. unfold Qdiv. ring.
Qed.
Lemma norm_is {A} (rows : list A) past v (e e' : A -> nat * list nat -> Q) : represents past v ->
  (qsum rows (fun r => Qabs (at_q_star d star p (rev past) (e r) - at_q_star d star p (rev past) (e' r)))
   == Qabs (/ total v) * qsum rows (fun r => Qabs (mean v (fun s u => e r (s, u)) - mean v (fun s u => e' r (s, u)))))%Q.
Proof.
  intro rep. rewrite <- qsum_scale. apply qsum_eq. intro r. rewrite !(at_q_star_is past v) by exact rep. rewrite <- Qabs_Qmult.
  setoid_replace (mean v (fun s u => e r (s, u)) * / total v - mean v (fun s u => e' r (s, u)) * / total v)%Q
    with (/ total v * (mean v (fun s u => e r (s, u)) - mean v (fun s u => e' r (s, u))))%Q by ring. reflexivity.
Qed.
Lemma joint_gap_is past v o a wt : represents past v ->
  (joint_gap d w' g' (Node (List.length past) o a v (forward d w g (List.length past) o a v) wt) ==
   qsum (coordinates d (S (List.length past))) (fun c => Qabs (mean v (fun s u => J_entry d w' g' (List.length past) o a c (s, u)) - mean v (fun s u => J_entry d w g (List.length past) o a c (s, u)))))%Q.
Proof.
  intro rep. unfold joint_gap. cbn [n_h n_o n_a before after]. cbv zeta. rewrite sparse_is. apply qsum_eq_in. intros [s' u'] i.
  unfold coordinates in i. apply in_prod_iff in i. destruct i as [is _]. apply in_seq in is.
  rewrite !at_place_mean, !forward_step. rewrite !(mean_eq v _ _ (fun s u => step_pick d _ _ (List.length past) s a u s' u' ltac:(lia) o)). reflexivity.
Qed.
Lemma qsum_filter {A} (t : A -> bool) (l : list A) f : (qsum (filter t l) f == qsum l (fun x => if t x then f x else 0))%Q.
Proof.
  induction l as [| x l ih]; cbn [filter qsum]; [reflexivity |]. destruct (t x); cbn [qsum]; rewrite !Qred_correct, ih; [reflexivity | ring].
Qed.
Lemma world_gap_is (past : trajectory) v o a wt later :
  (world_gap d w w' (Node (List.length past) o a v later wt) ==
   qsum (channel d (List.length past)) (fun c => Qabs (mean v (fun s u => W w' (List.length past) o a c (s, u)) - mean v (fun s u => W w (List.length past) o a c (s, u)))))%Q.
Proof.
  set (h := List.length past). unfold world_gap. cbn [n_h n_o n_a before]. cbv zeta. unfold channel. rewrite qsum_list_prod.
  rewrite (qsum_eq (seq 0 (nS d)) _ (fun s' => qsum (memories_B d h) (fun u => qsum (seq 0 (nOB d)) (fun oB => qsum (seq 0 (nB d)) (fun b =>
    Qabs (mean v (fun s x => W w' h o a (s', (u, (oB, b))) (s, x)) - mean v (fun s x => W w h o a (s', (u, (oB, b))) (s, x)))))))%Q).
  2:{ intro s'. rewrite qsum_list_prod. apply qsum_eq. intro u. now rewrite qsum_list_prod. }
  rewrite qsum_swap, sparse_is. apply qsum_eq. intro u. rewrite qsum_swap, sparse_is. apply qsum_eq. intro oB. rewrite qsum_swap.
  set (ys := filter _ (map _ _)).
  assert (one : forall b s', (sparse_sum ys (fun y => zt (snd (snd y)) (fun _ => T w' h (fst y) a b s') - zt (fst (snd y)) (fun _ => T w h (fst y) a b s'))
    == mean v (fun s x => W w' h o a (s', (u, (oB, b))) (s, x)) - mean v (fun s x => W w h o a (s', (u, (oB, b))) (s, x)))%Q).
  { intros b s'. rewrite sparse_is. unfold ys. rewrite qsum_filter, qsum_maps, qsum_filter. unfold mean.
    setoid_replace (qsum v (fun e => snd e * W w' h o a (s', (u, (oB, b))) (fst (fst e), snd (fst e))) - qsum v (fun e => snd e * W w h o a (s', (u, (oB, b))) (fst (fst e), snd (fst e))))%Q
      with (qsum v (fun e => snd e * W w' h o a (s', (u, (oB, b))) (fst (fst e), snd (fst e))) + (-1) * qsum v (fun e => snd e * W w h o a (s', (u, (oB, b))) (fst (fst e), snd (fst e))))%Q by ring.
    rewrite <- qsum_scale, <- qsum_plus. apply qsum_eq. intros [[s x] m]. cbn [fst snd]. unfold W. destruct (same x u); [| ring].
    set (y := Qred (m * zt (EA w h s o) _)). set (y' := Qred (m * zt (EA w' h s o) _)).
    assert (ey : (y == m * (EA w h s o * EB w h s oB))%Q) by (unfold y; now rewrite Qred_correct, (zt_eq _ _ (EB w h s oB))).
    assert (ey' : (y' == m * (EA w' h s o * EB w' h s oB))%Q) by (unfold y'; now rewrite Qred_correct, (zt_eq _ _ (EB w' h s oB))).
    clearbody y y'. destruct (Qeq_bool y 0 && Qeq_bool y' 0) eqn:z; cbn [negb].
    - apply andb_true_iff in z. destruct z as [z z']. apply Qeq_bool_iff in z, z'. rewrite z in ey. rewrite z' in ey'.
      setoid_replace (m * (EA w' h s o * EB w' h s oB * T w' h s a b s') + -1 * (m * (EA w h s o * EB w h s oB * T w h s a b s')))%Q
        with (m * (EA w' h s o * EB w' h s oB) * T w' h s a b s' - m * (EA w h s o * EB w h s oB) * T w h s a b s')%Q by ring.
      rewrite <- ey, <- ey'. ring.
    - rewrite (zt_eq y' _ (T w' h s a b s')), (zt_eq y _ (T w h s a b s')) by reflexivity. rewrite ey, ey'. ring. }
  assert (many : (sparse_sum (seq 0 (nB d)) (fun b => sparse_sum (seq 0 (nS d)) (fun s' => Qabs (sparse_sum ys (fun y =>
      zt (snd (snd y)) (fun _ => T w' h (fst y) a b s') - zt (fst (snd y)) (fun _ => T w h (fst y) a b s')))))
    == qsum (seq 0 (nB d)) (fun b => qsum (seq 0 (nS d)) (fun s' =>
      Qabs (mean v (fun s x => W w' h o a (s', (u, (oB, b))) (s, x)) - mean v (fun s x => W w h o a (s', (u, (oB, b))) (s, x))))))%Q).
  { rewrite sparse_is. apply qsum_eq. intro b. rewrite sparse_is. apply qsum_eq. intro s'. now rewrite one. }
  rewrite <- many. destruct ys as [| y ys0]; [| reflexivity].
  symmetry. rewrite sparse_is. rewrite (qsum_eq _ _ (fun _ => 0%Q)); [apply qsum_zero |]. intro b. rewrite sparse_is.
  rewrite (qsum_eq _ _ (fun _ => 0%Q)); [apply qsum_zero |]. reflexivity.
Qed.
Lemma error_is past v o a wt : represents past v -> let n := Node (List.length past) o a v (forward d w g (List.length past) o a v) wt in
  (stated_error (rev past) o a == Qabs (/ total v) * gap_at n)%Q.
Proof.
  intros rep n. unfold stated_error, gap_at, n. destruct of_world.
  - rewrite world_gap_is. unfold W_error. rewrite rev_length. fold w w'. now apply (norm_is (channel d (List.length past))).
  - rewrite joint_gap_is by exact rep. unfold J_error. rewrite rev_length. fold w w' g g'. now apply (norm_is (coordinates d (S (List.length past)))).
Qed.
Lemma weighed past v o a below : represents past v -> let n := Node (List.length past) o a v (forward d w g (List.length past) o a v) (Qred (below / (total v * total v))) in
  (n_weight n * (gap_at n * gap_at n) == below * (stated_error (rev past) o a * stated_error (rev past) o a))%Q.
Proof.
  intros rep n. rewrite (error_is past v o a (Qred (below / (total v * total v))) rep). fold n.
  assert (e : (Qabs (/ total v) * Qabs (/ total v) == / total v * / total v)%Q) by (apply Qabs_case; intros; ring).
  setoid_replace (below * (Qabs (/ total v) * gap_at n * (Qabs (/ total v) * gap_at n)))%Q with (below * (Qabs (/ total v) * Qabs (/ total v)) * (gap_at n * gap_at n))%Q by ring.
  rewrite e. unfold n at 1. cbn [n_weight]. rewrite Qred_correct. unfold Qdiv. rewrite Qinv_mult_distr. ring.
Qed.
(** the same without squares: the mass of what comes before is divided by once *)
Lemma weighed_once past v o a below : represents past v -> let n := Node (List.length past) o a v (forward d w g (List.length past) o a v) (Qred (below / (total v * total v))) in
  (n_weight n * (Qabs (total (before n)) * gap_at n) == below * stated_error (rev past) o a)%Q.
Proof.
  intros rep n. rewrite (error_is past v o a (Qred (below / (total v * total v))) rep). fold n.
  assert (e : (/ total v * / total v * Qabs (total v) == Qabs (/ total v))%Q).
  { destruct (Qeq_dec (total v) 0) as [z | z]; [rewrite z; reflexivity |]. rewrite Qabs_Qinv. apply (Qabs_case (total v)); intros; field; exact z. }
  rewrite <- e. unfold n at 1 2. cbn [n_weight before]. rewrite Qred_correct. unfold Qdiv. rewrite Qinv_mult_distr. ring.
Qed.
(** sums over the nodes of what is worth [f] at each of them *)
Section Sums.
Variables (worth : node -> Q) (f : trajectory -> nat -> nat -> Q).
Hypothesis worth_is : forall past v o a below, represents past v ->
  (worth (Node (List.length past) o a v (forward d w g (List.length past) o a v) (Qred (below / (total v * total v)))) == below * f (rev past) o a)%Q.
Fixpoint errors (past tau : trajectory) : Q :=
  match tau with [] => 0 | (o, a) :: tau => f (rev past) o a + errors ((o, a) :: past) tau end%Q.
Lemma nodes_is k : forall uA past v c, represents past v ->
  let r := nodes_from d w g (policy_of d p) k (List.length past) uA v c in
  (snd r == qsum (trajectories_of d k) (fun tau => c * chosen d p (List.length past) uA tau * mass d w g (rev tau ++ past)))%Q /\
  (qsum (fst r) worth == qsum (trajectories_of d k) (fun tau => c * chosen d p (List.length past) uA tau * mass d w g (rev tau ++ past) * errors past tau))%Q.
Proof.
  induction k as [| k ih]; intros uA past v c rep; cbv zeta.
  - cbn [nodes_from fst snd trajectories_of qsum chosen rev app errors]. cbn [qsum].
    rewrite !Qred_correct, (total_is past v rep). split; ring.
  - cbn [nodes_from fst snd trajectories_of]. cbv zeta. rewrite !qsum_flat_map, !qsum_maps.
    enough (h : forall x, let r := (if Qeq_bool (policy_of d p (List.length past) (uA ++ [fst x])%list (snd x)) 0 then ([], 0%Q) else
        if is_empty (forward d w g (List.length past) (fst x) (snd x) v) then ([], 0%Q) else
        let r := nodes_from d w g (policy_of d p) k (S (List.length past)) (next_A d uA (fst x)) (forward d w g (List.length past) (fst x) (snd x) v)
          (Qred (c * policy_of d p (List.length past) (uA ++ [fst x])%list (snd x))) in
        (Node (List.length past) (fst x) (snd x) v (forward d w g (List.length past) (fst x) (snd x) v) (Qred (snd r / (total v * total v))) :: fst r, snd r)) in
      (snd r == qsum (trajectories_of d k) (fun tau => c * chosen d p (List.length past) uA (x :: tau) * mass d w g (rev (x :: tau) ++ past)))%Q /\
      (qsum (fst r) worth == qsum (trajectories_of d k) (fun tau => c * chosen d p (List.length past) uA (x :: tau) * mass d w g (rev (x :: tau) ++ past) * errors past (x :: tau)))%Q).
    { split; apply qsum_eq; intro x; rewrite qsum_maps; [apply (proj1 (h x)) | apply (proj2 (h x))]. }
    intros [o a]. cbn [fst snd]. destruct (Qeq_bool _ 0) eqn:z.
    { apply Qeq_bool_iff in z. cbv zeta. cbn [fst snd]. cbn [qsum].
      split; (rewrite (qsum_eq _ _ (fun _ => 0%Q)); [now rewrite qsum_zero |]); intro tau; cbn [chosen]; rewrite z; ring. }
    destruct (is_empty _) eqn:nil.
    { cbv zeta. cbn [fst snd]. cbn [qsum].
      split; (rewrite (qsum_eq _ _ (fun _ => 0%Q)); [now rewrite qsum_zero |]); intro tau; rewrite (nothing_after past v o a rep nil tau); ring. }
    cbv zeta. cbn [fst snd]. destruct (ih (next_A d uA o) ((o, a) :: past) _ (Qred (c * policy_of d p (List.length past) (uA ++ [o])%list a)) (forward_represents past v o a rep)) as [t s].
    cbn [List.length] in t, s. set (r := nodes_from d w g (policy_of d p) k _ _ _ _) in *. split.
    + rewrite t. apply qsum_eq. intro tau. cbn [chosen rev]. rewrite <- app_assoc, Qred_correct. cbn [app]. ring.
    + cbn [qsum]. rewrite Qred_correct. cbv zeta in *. rewrite (worth_is past v o a (snd r) rep), s, t.
      rewrite (Qmult_comm (qsum _ _)), <- qsum_scale, <- qsum_plus. apply qsum_eq. intro tau. cbn [chosen rev errors]. rewrite <- app_assoc, Qred_correct. cbn [app]. ring.
Qed.
Lemma law_is tau : (law_of_play d star p tau == chosen d p 0 [] tau * mass d w g (rev tau))%Q.
Proof.
  pose proof (law_split rationals d p w g tau) as k. rewrite <- inj_mul in k. cbn [inj rationals] in k. now apply Qcanon.Q2Qc_eq_iff in k.
Qed.
Lemma errors_are (tau : trajectory) : forall past,
  (qsum (seq 0 (List.length tau)) (fun h => f (rev past ++ firstn h tau) (fst (nth h tau (O, O))) (snd (nth h tau (O, O)))) == errors past tau)%Q.
Proof.
  induction tau as [| [o a] tau ih]; intro past; [reflexivity |]. cbn [List.length seq errors qsum firstn nth fst snd].
  rewrite Qred_correct, app_nil_r. apply Qplus_comp; [reflexivity |]. rewrite <- seq_shift, qsum_maps, <- ih. apply qsum_eq. intro h.
  cbn [firstn nth rev]. now rewrite <- app_assoc.
Qed.
Theorem sums_are : (qsum (nodes_of d star p) worth == expected_sum d star p f)%Q.
Proof.
  assert (rep : represents [] (start_vector d)).
  { intro k. rewrite start_mean. cbn [List.length unnormalised]. unfold coordinates. rewrite qsum_list_prod. apply qsum_eq. intro s.
    unfold memories_B. rewrite Nat.min_0_r. cbn [tuples qsum fst snd q_0]. rewrite Qred_correct. ring. }
  unfold nodes_of. fold w g. destruct (nodes_is (horizon d) [] [] (start_vector d) 1 rep) as [_ s]. cbn [List.length] in s. rewrite s.
  unfold expected_sum, trajectories. apply qsum_eq_in. intros tau it. rewrite law_is, app_nil_r. apply in_trajectories in it. destruct it as [el _].
  rewrite <- el, <- (errors_are tau []). cbn [rev app]. ring.
Qed.
End Sums.
Theorem expected_fast_is : (expected_fast d of_world star xi p == expected_sum d star p (fun seen o a => stated_error seen o a * stated_error seen o a))%Q.
Proof.
  rewrite <- (sums_are (fun n => n_weight n * (gap_at n * gap_at n))%Q) by exact weighed.
  unfold expected_fast, expected_world, expected_joint, squared, gap_at. cbv zeta. fold w w' g'. destruct of_world; reflexivity.
Qed.
(** the expected error itself *)
Definition mean_gap (ns : list node) (gap : node -> Q) : Q := qsum ns (fun n => n_weight n * (Qabs (total (before n)) * gap n))%Q.
Theorem mean_gap_is : (mean_gap (nodes_of d star p) gap_at == expected_sum d star p stated_error)%Q.
Proof. apply sums_are, weighed_once. Qed.
End Meaning.
