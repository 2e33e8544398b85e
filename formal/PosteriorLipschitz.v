(** Assumption 2.3 in both forms: checked block by block; for the rules that average or read the last policy, policy by policy. *)
From Pomgcheck Require CausalDecomposition.
From Pomgcheck Require Import OrderedField Statements WeakRevealing TrajectoryLaws ForwardLaws BoundedIncrements Covering WarmupStationary.
Open Scope nat_scope.

(** The masses of [Statements], carried from pair to pair: the game seen from the other seat, where the learner's observations and actions
    are those that are summed over. *)
Definition turned d : doc := {|
  horizon := horizon d; states := states d; learner_actions := adversary_actions d; adversary_actions := learner_actions d;
  learner_observations := adversary_observations d; adversary_observations := learner_observations d; initial := initial d;
  learner_emission := adversary_emission d; adversary_emission := learner_emission d; transition := transition d; thetas := [];
  policy_window := response_window d; policies := []; response_window := policy_window d; responses := []; phis := [] |}.
Definition turned_world (w : world) : world := World (EB w) (EA w) (fun h s b a s' => T w h s a b s').
Fixpoint carried d (w : world) (pi : decision) (past : list (nat * nat)) (h : nat) (v : vector) : nat * vector :=
  match past with [] => (h, v) | (oB, b) :: past => carried d w pi past (S h) (forward (turned d) (turned_world w) pi h oB b v) end.
(** what the learner may have seen last, with its mass, when the adversary sees o *)
Definition windows_seen d (w : world) (o h : nat) (v : vector) : list (list nat * Q) :=
  flat_map (fun e => flat_map (fun oA =>
    let x := Qred (snd e * zt (EA w h (fst (fst e)) oA) (fun _ => EB w h (fst (fst e)) o)) in
    if Qeq_bool x 0 then [] else [(snd (fst e) ++ [oA], x)]) (seq 0 (nOA d))) v.
Definition seen_at d w pi past o : nat * list (list nat * Q) :=
  let at_end := carried d w pi past 0 (start_vector d) in (fst at_end, windows_seen d w o (fst at_end) (snd at_end)).
Lemma qsum_app {A} (l m : list A) f : (qsum (l ++ m) f == qsum l f + qsum m f)%Q.
Proof. induction l as [| x l ih]; cbn [app qsum]; [ring |]. rewrite !Qred_correct, ih. ring. Qed.
Lemma swap_factors x y z : (x * (y * z) == y * (x * z))%Q. Proof. ring. Qed.
Lemma posterior_step d w pi oB b past o f h s u : (posterior_sum d w pi ((oB, b) :: past) o h s u f ==
  EA (turned_world w) h s oB * step (turned d) (turned_world w) pi h s b u (fun s' u' => posterior_sum d w pi past o (S h) s' u' f))%Q.
Proof. cbn [posterior_sum turned_world EA]. unfold step. cbn [EB T turned_world]. rewrite <- qsum_scale. apply qsum_eq. intro oA. exact (swap_factors _ _ _). Qed.
Lemma carried_mean d w pi o f past : forall h v, let at_end := carried d w pi past h v in
  (mean v (fun s u => posterior_sum d w pi past o h s u f) == mean (snd at_end) (fun s u => posterior_sum d w pi [] o (fst at_end) s u f))%Q.
Proof.
  induction past as [| [oB b] past ih]; intros h v; [reflexivity |]. cbn [carried]. cbv zeta. rewrite <- ih, forward_step.
  apply mean_eq. intros s u. apply posterior_step.
Qed.
Lemma windows_mean d w pi o h v f : (qsum (windows_seen d w o h v) (fun e => snd e * f h (fst e)) == mean v (fun s u => posterior_sum d w pi [] o h s u f))%Q.
Proof.
  unfold windows_seen, mean. induction v as [| [[s u] m] v ih]; cbn [flat_map qsum fst snd]; [reflexivity |]. rewrite qsum_app, Qred_correct, ih. apply Qplus_comp; [| reflexivity].
  cbn [posterior_sum]. clear ih. induction (seq 0 (nOA d)) as [| oA l ih]; cbn [flat_map qsum]; [ring |]. cbv zeta. set (x := Qred (m * _)).
  assert (e : (x == m * (EA w h s oA * EB w h s o))%Q) by (unfold x; rewrite Qred_correct, zt_eq by reflexivity; reflexivity).
  rewrite qsum_app, ih, (Qred_correct (EA w h s oA * _ + _)), Qmult_plus_distr_r. apply Qplus_comp; [| reflexivity]. clearbody x.
  destruct (Qeq_bool x 0) eqn:z; cbn [qsum fst snd].
  - apply Qeq_bool_iff in z. setoid_replace (m * (EA w h s oA * (EB w h s o * f h (u ++ [oA])%list)))%Q with (m * (EA w h s oA * EB w h s o) * f h (u ++ [oA])%list)%Q by ring. rewrite <- e, z. ring.
  - rewrite Qred_correct, e. ring.
Qed.
Lemma posterior_mass_eq d w pi past o f : let l := seen_at d w pi past o in (qsum (snd l) (fun e => snd e * f (fst l) (fst e)) == posterior_mass d w pi past o f)%Q.
Proof.
  unfold seen_at. cbv zeta. cbn [fst snd]. rewrite (windows_mean d w pi). rewrite <- (carried_mean d w pi o f past 0), start_mean. reflexivity.
Qed.
(** the mass of a history, and S^ref there where it is possible *)
Definition posterior d w past o (pi : decision) : Q * list Q :=
  let l := seen_at d w pi past o in let z := qsum (snd l) snd in
  (z, if Qle_bool z 0 then [] else map (fun a => Qred (qsum (snd l) (fun e => zt (pi (fst l) (fst e) a) (fun _ => snd e)) / z)) (seq 0 (nA d))).
Fixpoint l1 (u v : list Q) : Q := match u, v with x :: u, y :: v => Qred (Qabs (x - y) + l1 u v) | _, _ => 0%Q end.
Definition apart d (g g' : decision) h seen : Q := qsum (seq 0 (nB d)) (fun b => Qabs (g h seen b - g' h seen b))%Q.

Lemma l1_map {A} (f g : A -> Q) l : (l1 (map f l) (map g l) == qsum l (fun a => Qabs (f a - g a)))%Q.
Proof. induction l as [| a l ih]; cbn [map l1 qsum]; [reflexivity |]. now rewrite !Qred_correct, ih. Qed.
Lemma not_nonpositive z : (0 < z)%Q -> Qle_bool z 0 = false.
Proof. intro h. destruct (Qle_bool z 0) eqn:e; [| reflexivity]. apply Qle_bool_iff in e. exfalso. apply (Qlt_irrefl 0). now apply Qlt_le_trans with z. Qed.
Lemma mass_is d w pi past o : (fst (posterior d w past o pi) == posterior_mass d w pi past o (fun _ _ => 1))%Q.
Proof. rewrite <- (posterior_mass_eq d w pi past o (fun _ _ => 1%Q)). unfold posterior. cbv zeta. cbn [fst]. apply qsum_eq. intro e. ring. Qed.
Lemma posterior_is d w pi past o : Qle_bool (fst (posterior d w past o pi)) 0 = false -> exists f, snd (posterior d w past o pi) = map f (seq 0 (nA d)) /\ forall a, (f a == S_ref d w pi past o a)%Q.
Proof.
  intro h. pose proof (mass_is d w pi past o) as m. unfold posterior in *. cbv zeta in *. cbn [fst snd] in *. rewrite h. eexists. split; [reflexivity |]. intro a. cbv beta.
  rewrite Qred_correct, m. unfold S_ref. apply Qmult_comp; [| reflexivity]. rewrite <- posterior_mass_eq. apply qsum_eq. intro e. rewrite zt_eq by reflexivity. apply Qmult_comm.
Qed.
Lemma posterior_distance_eq d w past o pi nu : possible d w pi past o -> possible d w nu past o ->
  Qle_bool (fst (posterior d w past o pi)) 0 = false /\ Qle_bool (fst (posterior d w past o nu)) 0 = false /\
  (l1 (snd (posterior d w past o pi)) (snd (posterior d w past o nu)) == posterior_distance d w pi nu past o)%Q.
Proof.
  unfold possible. rewrite <- !mass_is. intros i j. apply not_nonpositive in i, j. split; [exact i |]. split; [exact j |].
  destruct (posterior_is _ _ _ _ _ i) as (f & -> & ef), (posterior_is _ _ _ _ _ j) as (f' & -> & ef'). rewrite l1_map. apply qsum_eq. intro a. now rewrite ef, ef'.
Qed.
(** ** From above *)
Fixpoint greatest (l : list Q) : Q := match l with [] => 0%Q | x :: l => let y := greatest l in if Qle_bool x y then y else x end.
Lemma greatest_le (l : list Q) D : (0 <= D)%Q -> (forall x, In x l -> (x <= D)%Q) -> (greatest l <= D)%Q.
Proof.
  intros d0 h. induction l as [| x l ih]; cbn [greatest]; [exact d0 |]. cbv zeta. destruct (Qle_bool _ _); [apply ih; intros; apply h; now right | apply h; now left].
Qed.
Lemma greatest_of (l : list Q) x : In x l -> (x <= greatest l)%Q.
Proof.
  intro i. induction l as [| y l ih]; [destruct i |]. cbn [greatest]. cbv zeta. destruct (Qle_bool y (greatest l)) eqn:e; destruct i as [-> | i].
  - now apply Qle_bool_iff.
  - now apply ih.
  - apply Qle_refl.
  - apply Qle_trans with (1 := ih i). destruct (Qlt_le_dec y (greatest l)) as [k | k]; [| exact k]. apply Qlt_le_weak, Qle_bool_iff in k. congruence.
Qed.
Definition posteriors := list (Q * list Q).                      (* of every policy, at one history *)
Definition known (rows : posteriors) (p : nat) : bool := negb (Qle_bool (fst (nth p rows (0%Q, []))) 0).
Definition distance (rows : posteriors) (p n : nat) : Q :=
  if known rows p then if known rows n then l1 (snd (nth p rows (0%Q, []))) (snd (nth n rows (0%Q, []))) else 0%Q else 0%Q.
Definition players d : list decision := map (policy_of d) (seq 0 (List.length (policies d))).
Definition rows_at d w (ps : list decision) (e : list (nat * nat) * nat) : posteriors := map (posterior d w (fst e) (snd e)) ps.
Definition at_history d w e : posteriors := rows_at d w (players d) e.
Definition at_histories d w ps : list posteriors := flat_map (fun h => map (rows_at d w ps) (histories_B d h)) (seq 0 (horizon d)).
(** the largest distance over all histories, for every two policies *)
Definition overall d (rows : list posteriors) : list (list Q) :=
  let n := List.length (policies d) in
  map (fun p => map (fun q => greatest (map (fun r => distance r p q) rows)) (seq 0 n)) (seq 0 n).
(** how far two blocks are apart, place by place, at a history or (policy form) at any *)
Definition blocks_distance (far : nat -> nat -> Q) (P N : list nat) : Q := greatest (map (fun pn => far (fst pn) (snd pn)) (combine P N)).
Definition far_of (policy_form : bool) (matrix : list (list Q)) (rows : posteriors) (p n : nat) : Q :=
  if policy_form then nth n (nth p matrix []) 0%Q else distance rows p n.
(** [test] of every two of a list, in one order *)
Fixpoint pairwise {A} (test : A -> A -> bool) (l : list A) : bool := match l with [] => true | x :: l => if forallb (test x) l then pairwise test l else false end.
Definition near (L : Q) (far : nat -> nat -> Q) (x y : list nat * list (list Q)) : bool :=
  let gap := greatest (map (fun gg => l1 (fst gg) (snd gg)) (combine (snd x) (snd y))) in
  if Qle_bool gap 0 then true else Qle_bool gap (L * blocks_distance far (fst x) (fst y)).
(** a block with the rows of all responses to it *)
Definition answers d (h : nat) (seen : list nat) (x : list nat * list decision) : list nat * list (list Q) := (fst x, map (fun g => map (g h seen) (seq 0 (nB d))) (snd x)).
Definition check_blocks d (rule : block_rule) m (policy_form : bool) (L : Q) : bool :=
  (1 <=? m) && Qle_bool 0 L &&
  (let blocks := map (fun P => (P, map (fun phi => reaction d rule phi P) (phis d))) (tuples (List.length (policies d)) m) in let ps := players d in
   forallb (fun theta => let w := world_of d theta in let matrix := if policy_form then overall d (at_histories d w ps) else [] in
     below (horizon d) (fun h => forallb (fun e => let rows := rows_at d w ps e in
       pairwise (near L (far_of policy_form matrix rows)) (map (answers d h (read_B d (fst e) (snd e))) (filter (fun x => forallb (known rows) (fst x)) blocks)))
       (histories_B d h))) (thetas d)).

Lemma nth_seq {B} (f : nat -> B) n p x : p < n -> nth p (map f (seq 0 n)) x = f p.
Proof. intro h. rewrite (nth_indep _ x (f 0)) by (rewrite map_length, seq_length; exact h). now rewrite map_nth, seq_nth by exact h. Qed.
Section Distances.
Variables (d : doc) (w : world).
Lemma row_at e p : p < List.length (policies d) -> nth p (at_history d w e) (0%Q, []) = posterior d w (fst e) (snd e) (policy_of d p).
Proof. intro hp. unfold at_history, rows_at, players. rewrite map_map. exact (nth_seq (fun p => posterior d w (fst e) (snd e) (policy_of d p)) _ p _ hp). Qed.
Lemma known_is e p : p < List.length (policies d) -> known (at_history d w e) p = true <-> possible d w (policy_of d p) (fst e) (snd e).
Proof.
  intro hp. unfold known. rewrite row_at by exact hp. unfold possible. rewrite <- mass_is. split; intro h.
  - now apply BoundedIncrements.not_le.
  - rewrite not_nonpositive by exact h. reflexivity.
Qed.
Lemma distance_is e p n : p < List.length (policies d) -> n < List.length (policies d) ->
  possible d w (policy_of d p) (fst e) (snd e) -> possible d w (policy_of d n) (fst e) (snd e) ->
  (distance (at_history d w e) p n == posterior_distance d w (policy_of d p) (policy_of d n) (fst e) (snd e))%Q.
Proof.
  intros hp hn ip jn. unfold distance. rewrite (proj2 (known_is e p hp) ip), (proj2 (known_is e n hn) jn), !row_at by assumption. now apply posterior_distance_eq.
Qed.
Lemma distance_le e p n D : p < List.length (policies d) -> n < List.length (policies d) -> (0 <= D)%Q ->
  (possible d w (policy_of d p) (fst e) (snd e) -> possible d w (policy_of d n) (fst e) (snd e) ->
   (posterior_distance d w (policy_of d p) (policy_of d n) (fst e) (snd e) <= D)%Q) -> (distance (at_history d w e) p n <= D)%Q.
Proof.
  intros hp hn d0 h. unfold distance. destruct (known _ p) eqn:kp; [| exact d0]. destruct (known _ n) eqn:kn; [| exact d0].
  apply known_is in kp, kn; try assumption. rewrite !row_at by assumption. destruct (posterior_distance_eq d w (fst e) (snd e) _ _ kp kn) as (_ & _ & e3). rewrite e3. now apply h.
Qed.
Lemma in_histories r : In r (at_histories d w (players d)) <-> exists h e, h < horizon d /\ In e (histories_B d h) /\ r = at_history d w e.
Proof.
  unfold at_histories. rewrite in_flat_map. split.
  - intros (h & ih & i). apply in_seq in ih. apply in_map_iff in i. destruct i as (e & <- & i). exists h, e. split; [lia | now split].
  - intros (h & e & hh & i & ->). exists h. split; [apply in_seq; lia |]. now apply (in_map (rows_at d w (players d))).
Qed.
Lemma overall_at p n : p < List.length (policies d) -> n < List.length (policies d) ->
  nth n (nth p (overall d (at_histories d w (players d))) []) 0%Q = greatest (map (fun r => distance r p n) (at_histories d w (players d))).
Proof.
  intros hp hn. unfold overall. cbv zeta. set (rows := at_histories _ _ _). clearbody rows.
  rewrite (nth_seq (fun p => map (fun q => greatest (map (fun r => distance r p q) rows)) _)) by exact hp. now rewrite (nth_seq (fun q => greatest (map (fun r => distance r p q) rows))).
Qed.
(** an upper bound of the distances that the form asks about bounds this one, and is itself bounded from below by them *)
Variables (form : bool) (past : list (nat * nat)) (o : nat).
Definition bounds_distances (m : nat) (P N : list nat) (D : Q) : Prop :=
  forall i, i < m -> forall h' past' o', In (past', o') (histories_B d h') -> h' < horizon d -> form = true \/ (past' = past /\ o' = o) ->
  possible d w (policy_of d (nth i P O)) past' o' -> possible d w (policy_of d (nth i N O)) past' o' ->
  (posterior_distance d w (policy_of d (nth i P O)) (policy_of d (nth i N O)) past' o' <= D)%Q.
Notation far := (far_of form (if form then overall d (at_histories d w (players d)) else []) (at_history d w (past, o))).
Lemma blocks_distance_le m P N D h : block_of d m P -> block_of d m N -> h < horizon d -> In (past, o) (histories_B d h) -> (0 <= D)%Q ->
  bounds_distances m P N D -> (blocks_distance far P N <= D)%Q.
Proof.
  intros [eP iP] [eN iN] hh io d0 hD. apply greatest_le; [exact d0 |]. intros x i. apply in_map_iff in i. destruct i as ([p n] & <- & i). cbn [fst snd].
  apply (In_nth _ _ (O, O)) in i. destruct i as (k & hk & e). rewrite combine_length in hk. rewrite combine_nth in e by congruence. injection e as ep en.
  assert (hp : p < List.length (policies d)) by (subst p; apply iP, nth_In; lia). assert (hn : n < List.length (policies d)) by (subst n; apply iN, nth_In; lia).
  unfold far_of. destruct form eqn:f.
  - rewrite overall_at by assumption. apply greatest_le; [exact d0 |]. intros x i. apply in_map_iff in i. destruct i as (r & <- & i). apply in_histories in i.
    destruct i as (h' & e & hh' & i & ->). apply distance_le; try assumption. intros a b. subst p n. destruct e as [past' o']. cbn [fst snd] in *. apply (hD k ltac:(lia) h' past' o' i hh'); [now left | exact a | exact b].
  - apply distance_le; try assumption. cbn [fst snd]. intros a b. subst p n. apply (hD k ltac:(lia) h past o io hh); [right; now split | exact a | exact b].
Qed.
Lemma blocks_distance_bounds m P N : block_of d m P -> block_of d m N -> bounds_distances m P N (blocks_distance far P N).
Proof.
  intros [eP iP] [eN iN] i im h' past' o' ih hh' f a b.
  assert (hp : nth i P O < List.length (policies d)) by (apply iP, nth_In; lia). assert (hn : nth i N O < List.length (policies d)) by (apply iN, nth_In; lia).
  apply Qle_trans with (far (nth i P O) (nth i N O)).
  - unfold far_of. destruct form.
    + rewrite overall_at by assumption. rewrite <- (distance_is (past', o')) by assumption. apply greatest_of. apply (in_map (fun r => distance r (nth i P O) (nth i N O))).
      apply in_histories. now exists h', (past', o').
    + destruct f as [f | [-> ->]]; [discriminate |]. rewrite (distance_is (past, o)) by assumption. apply Qle_refl.
  - apply greatest_of. apply (in_map (fun pn => far (fst pn) (snd pn)) _ (nth i P O, nth i N O)). rewrite <- combine_nth by congruence. apply nth_In. rewrite combine_length. lia.
Qed.
End Distances.
Lemma distance_nonneg d w pi nu past o : (0 <= posterior_distance d w pi nu past o)%Q.
Proof. unfold posterior_distance. apply CausalDecomposition.qsum_nonneg. intros. apply Qabs_nonneg. Qed.
Lemma distance_symmetric d w pi nu past o : (posterior_distance d w pi nu past o == posterior_distance d w nu pi past o)%Q.
Proof. apply qsum_eq. intro a. rewrite Qabs_Qminus. reflexivity. Qed.
Lemma pairwise_sound {A} (test : A -> A -> bool) l x y : pairwise test l = true -> In x l -> In y l -> x = y \/ test x y = true \/ test y x = true.
Proof.
  induction l as [| z l ih]; intros k i j; [destruct i |]. cbn [pairwise] in k. destruct (forallb (test z) l) eqn:f; [| discriminate]. rewrite forallb_forall in f.
  destruct i as [-> | i], j as [-> | j]; auto.
Qed.
Lemma combine_map {A B C} (f : A -> B) (g : A -> C) l : combine (map f l) (map g l) = map (fun x => (f x, g x)) l.
Proof. induction l; cbn; congruence. Qed.
Theorem check_blocks_sound d rule m form L : check_blocks d rule m form L = true -> posterior_lipschitz d rule m form L.
Proof.
  unfold check_blocks. cbv zeta. rewrite !andb_true_iff. intros [[hm l0] hc]. apply Nat.leb_le in hm. apply Qle_bool_iff in l0. split; [exact l0 |].
  intros theta it phi iphi P N bP bN h hh past o io w pos D hD. rewrite forallb_forall in hc. specialize (hc theta it). fold w in hc.
  pose proof (below_sound _ _ _ hc hh) as r. cbv beta in r. clear hc. rename r into hc. rewrite forallb_forall in hc. specialize (hc _ io). cbn [fst snd] in hc.
  change (rows_at d w (players d) (past, o)) with (at_history d w (past, o)) in hc.
  set (seen := read_B d past o) in *. set (far := far_of form _ _) in hc.
  set (of_block := fun B => (B, map (fun phi => map (reaction d rule phi B h seen) (seq 0 (nB d))) (phis d))).
  assert (here : forall B, block_of d m B -> (forall p, In p B -> possible d w (policy_of d p) past o) -> In (of_block B) (map (answers d h seen)
    (filter (fun x => forallb (known (at_history d w (past, o))) (fst x)) (map (fun P => (P, map (fun phi => reaction d rule phi P) (phis d))) (tuples (List.length (policies d)) m))))).
  { intros B [eB iB] k. apply in_map_iff. exists (B, map (fun phi => reaction d rule phi B) (phis d)). split; [unfold answers, of_block; cbn [fst snd]; now rewrite map_map |].
    apply filter_In. split; [apply (in_map (fun P => (P, map (fun phi => reaction d rule phi P) (phis d)))); now apply tuples_all |].
    cbn [fst]. apply forallb_forall. intros p i. apply (known_is d w (past, o) p (iB p i)). now apply k. }
  assert (d0 : (0 <= D)%Q).
  { destruct bP as [eP iP], bN as [eN iN]. eapply Qle_trans; [apply distance_nonneg |]. apply (hD 0 hm h past o io hh); [right; now split | |]; apply pos, in_or_app; [left | right]; apply nth_In; lia. }
  assert (one : forall B C, block_of d m B -> block_of d m C -> near L far (of_block B) (of_block C) = true -> bounds_distances d w form past o m B C D ->
    (qsum (seq 0 (nB d)) (fun b => Qabs (reaction d rule phi B h seen b - reaction d rule phi C h seen b)) <= L * D)%Q).
  { intros B C bB bC k hBC. unfold near, of_block in k. cbn [fst snd] in k. cbv zeta in k. set (gap := greatest _) in k.
    apply Qle_trans with gap.
    - rewrite <- l1_map. apply greatest_of. rewrite combine_map, map_map.
      exact (in_map (fun phi => l1 (map (reaction d rule phi B h seen) (seq 0 (nB d))) (map (reaction d rule phi C h seen) (seq 0 (nB d)))) _ _ iphi).
    - destruct (Qle_bool gap 0) eqn:z; apply Qle_bool_iff in k || apply Qle_bool_iff in z.
      + apply Qle_trans with (1 := z). now apply Qmult_le_0_compat.
      + apply Qle_trans with (1 := k). rewrite !(Qmult_comm L). apply Qmult_le_compat_r; [| exact l0]. now apply (blocks_distance_le d w form past o m B C D h). }
  assert (iP : forall p, In p P -> possible d w (policy_of d p) past o) by (intros; apply pos, in_or_app; now left).
  assert (iN : forall p, In p N -> possible d w (policy_of d p) past o) by (intros; apply pos, in_or_app; now right).
  destruct (pairwise_sound _ _ _ _ hc (here P bP iP) (here N bN iN)) as [e | [k | k]].
  - assert (e' : P = N) by exact (f_equal fst e). subst N. rewrite (qsum_eq _ _ (fun _ => 0%Q)), qsum_zero; [now apply Qmult_le_0_compat |].
    intro b. unfold Qminus. rewrite Qplus_opp_r. reflexivity.
  - now apply one.
  - rewrite (qsum_eq _ _ (fun b => Qabs (reaction d rule phi N h seen b - reaction d rule phi P h seen b))) by (intro; rewrite Qabs_Qminus; reflexivity).
    apply one; auto. intros i hi h' past' o' ih hh' f a b. rewrite distance_symmetric. now apply hD with (h' := h').
Qed.

(** from policies to blocks *)
Lemma qsum_mono {A} (l : list A) f g : (forall x, In x l -> (f x <= g x)%Q) -> (qsum l f <= qsum l g)%Q.
Proof.
  induction l as [| x l ih]; intro h; cbn [qsum]; [apply Qle_refl |]. rewrite !Qred_correct.
  apply Qplus_le_compat; [apply h; now left | apply ih; intros; apply h; now right].
Qed.
(** the sums over two blocks differ by at most m times the largest difference *)
Lemma blocks_apart d (f : nat -> nat -> Q) (X : Q) : forall P N, List.length P = List.length N ->
  (forall i, i < List.length P -> (qsum (seq 0 (nB d)) (fun b => Qabs (f (nth i P O) b - f (nth i N O) b)) <= X)%Q) ->
  (qsum (seq 0 (nB d)) (fun b => Qabs (qsum P (fun p => f p b) - qsum N (fun p => f p b))) <= inject_Z (Z.of_nat (List.length P)) * X)%Q.
Proof.
  induction P as [| p P ih]; intros [| n N] e k; try discriminate.
  - cbn [qsum List.length]. rewrite (qsum_eq _ _ (fun _ => 0%Q)) by reflexivity. rewrite qsum_zero. simpl (inject_Z _). rewrite Qmult_0_l. apply Qle_refl.
  - cbn [List.length]. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. simpl (inject_Z 1).
    apply Qle_trans with (qsum (seq 0 (nB d)) (fun b => Qabs (f p b - f n b) + Qabs (qsum P (fun p => f p b) - qsum N (fun p => f p b))))%Q.
    + apply qsum_mono. intros b _. cbn [qsum]. rewrite !Qred_correct.
      setoid_replace (f p b + qsum P (fun p => f p b) - (f n b + qsum N (fun p => f p b)))%Q
        with ((f p b - f n b) + (qsum P (fun p => f p b) - qsum N (fun p => f p b)))%Q by ring. apply Qabs_triangle.
    + rewrite qsum_plus. setoid_replace ((inject_Z (Z.of_nat (List.length P)) + 1) * X)%Q with (X + inject_Z (Z.of_nat (List.length P)) * X)%Q by ring.
      apply Qplus_le_compat; [exact (k 0 (Nat.lt_0_succ _)) |]. apply ih; [now injection e |]. intros i hi. exact (k (S i) (proj1 (Nat.succ_lt_mono _ _) hi)).
Qed.
Lemma last_nth (l : list nat) : List.last l O = nth (List.length l - 1) l O.
Proof. induction l as [| x [| y l] ih]; [reflexivity | reflexivity |]. cbn [List.last] in *. rewrite ih. simpl. now rewrite Nat.sub_0_r. Qed.
Definition averages (rule : block_rule) : bool := match rule with Table _ => false | _ => true end.
(** block by block, or where that is enough policy by policy *)
Definition check_lipschitz d (rule : block_rule) m (form : bool) (L : Q) : bool :=
  if averages rule then (1 <=? m) && check_blocks d Latest 1 form L else check_blocks d rule m form L.
Theorem averages_lipschitz d rule m form L : averages rule = true -> 1 <= m -> posterior_lipschitz d Latest 1 form L -> posterior_lipschitz d rule m form L.
Proof.
  intros hr hm [l0 near]. split; [exact l0 |]. intros theta it phi iphi P N [eP iP] [eN iN] h hh past o io w pos D hD.
  assert (one : forall i, i < m -> (apart d (response_of d phi (nth i P O)) (response_of d phi (nth i N O)) h (read_B d past o) <= L * D)%Q).
  { intros i hi. assert (jP : In (nth i P O) P) by (apply nth_In; lia). assert (jN : In (nth i N O) N) by (apply nth_In; lia).
    assert (single : forall B, (forall p, In p B -> p < List.length (policies d)) -> In (nth i B O) B -> block_of d 1 [nth i B O]) by (intros B iB j; split; [reflexivity | intros q [<- | []]; now apply iB]).
    refine (near theta it phi iphi [nth i P O] [nth i N O] (single P iP jP) (single N iN jN) h hh past o io _ D _).
    - intros p [<- | [<- | []]]; apply pos, in_or_app; [now left | now right].
    - intros [| k] hk; [exact (hD i hi) | lia]. }
  destruct rule as [| | l]; [| | discriminate]; unfold reaction.
  - rewrite !last_nth, eP, eN. apply one. lia.
  - rewrite eP, eN. set (c := inject_Z (Z.of_nat m)). assert (c0 : (0 < c)%Q) by (unfold c, Qlt, inject_Z; simpl; lia).
    assert (cn : ~ (c == 0)%Q) by (intro z; rewrite z in c0; now apply (Qlt_irrefl 0)).
    rewrite (qsum_eq _ _ (fun b => / c * Qabs (qsum P (fun p => response_of d phi p h (read_B d past o) b) - qsum N (fun p => response_of d phi p h (read_B d past o) b)))%Q).
    + rewrite qsum_scale. pose proof (blocks_apart d (fun p b => response_of d phi p h (read_B d past o) b) (L * D) P N ltac:(congruence)) as k.
      rewrite eP in k. specialize (k one). fold c in k. setoid_replace (L * D)%Q with (/ c * (c * (L * D)))%Q by (field; exact cn).
      rewrite (Qmult_comm (/ c)), (Qmult_comm (/ c)). apply Qmult_le_compat_r; [exact k |]. apply Qlt_le_weak. now apply Qinv_lt_0_compat.
    + intro b. set (x := qsum P _). set (y := qsum N _). setoid_replace (x / c - y / c)%Q with (/ c * (x - y))%Q by (field; exact cn).
      rewrite Qabs_Qmult. now rewrite (Qabs_pos (/ c)) by (apply Qlt_le_weak; now apply Qinv_lt_0_compat).
Qed.

Theorem check_lipschitz_sound d rule m form L : check_lipschitz d rule m form L = true -> posterior_lipschitz d rule m form L.
Proof.
  unfold check_lipschitz. destruct (averages rule) eqn:a; [| apply check_blocks_sound]. intro h. apply andb_true_iff in h. destruct h as [hm h]. apply Nat.leb_le in hm.
  apply averages_lipschitz; auto. now apply check_blocks_sound.
Qed.

(** ** From below: two blocks whose responses are L times as far apart as their posteriors *)
Record history_at := History { y_i : nat; y_k : nat; y_P : list nat; y_N : list nat; y_h : nat; y_past : list (nat * nat); y_o : nat }.
Definition history_dec : forall x y : list (nat * nat) * nat, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition distance_at d (form : bool) (y : history_at) : Q :=
  let w := world_of d (nth (y_i y) (thetas d) []) in
  blocks_distance (far_of form (if form then overall d (at_histories d w (players d)) else []) (at_history d w (y_past y, y_o y))) (y_P y) (y_N y).
Definition check_apart d (rule : block_rule) m (form : bool) (y : history_at) (L : Q) : bool :=
  let w := world_of d (nth (y_i y) (thetas d) []) in let phi := nth (y_k y) (phis d) [] in let rows := at_history d w (y_past y, y_o y) in
  let gap := apart d (reaction d rule phi (y_P y)) (reaction d rule phi (y_N y)) (y_h y) (read_B d (y_past y) (y_o y)) in
  (y_i y <? List.length (thetas d)) && (y_k y <? List.length (phis d)) && (List.length (y_P y) =? m) && (List.length (y_N y) =? m) &&
  forallb (fun p => (p <? List.length (policies d)) && known rows p) (y_P y ++ y_N y) &&
  (y_h y <? horizon d) && (if in_dec history_dec (y_past y, y_o y) (histories_B d (y_h y)) then true else false) &&
  negb (Qle_bool gap 0) && Qle_bool (L * distance_at d form y) gap.
Theorem check_apart_sound d rule m form y L : check_apart d rule m form y L = true -> forall L', (L' < L)%Q -> ~ posterior_lipschitz d rule m form L'.
Proof.
  unfold check_apart. cbv zeta. rewrite !andb_true_iff, forallb_forall. intros [[[[[[[[hi hk] eP] eN] hp] hh] ih] hg] hl] L' hL [l0 lip].
  apply Nat.ltb_lt in hi, hk, hh. apply Nat.eqb_eq in eP, eN. destruct (in_dec history_dec _ _) as [io | _]; [clear ih | discriminate]. apply BoundedIncrements.not_le in hg. apply Qle_bool_iff in hl.
  unfold distance_at in hl. cbv zeta in hl. set (theta := nth (y_i y) (thetas d) []) in *. set (phi := nth (y_k y) (phis d) []) in *. set (w := world_of d theta) in *.
  assert (each : forall p, In p (y_P y ++ y_N y) -> p < List.length (policies d) /\ possible d w (policy_of d p) (y_past y) (y_o y)).
  { intros p i. specialize (hp p i). apply andb_true_iff in hp. destruct hp as [j k]. apply Nat.ltb_lt in j. split; [exact j |]. now apply (known_is d w (y_past y, y_o y) p j). }
  assert (bP : block_of d m (y_P y)) by (split; [exact eP | intros p i; apply each, in_or_app; now left]).
  assert (bN : block_of d m (y_N y)) by (split; [exact eN | intros p i; apply each, in_or_app; now right]).
  set (D := blocks_distance _ _ _) in hl.
  specialize (lip theta (nth_In _ _ hi) phi (nth_In _ _ hk) (y_P y) (y_N y) bP bN (y_h y) hh (y_past y) (y_o y) io). cbv zeta in lip. fold w in lip.
  specialize (lip (fun p i => proj2 (each p i)) D (blocks_distance_bounds d w form (y_past y) (y_o y) m _ _ bP bN)).
  set (gap := apart _ _ _ _ _) in *. change (gap <= L' * D)%Q in lip. clearbody gap. destruct (Qlt_le_dec 0 D) as [z | z].
  - apply (Qlt_irrefl (L * D)). apply Qle_lt_trans with (L' * D)%Q; [now apply Qle_trans with gap | now apply Qmult_lt_compat_r].
  - apply (Qlt_irrefl 0). apply Qlt_le_trans with gap; [exact hg |]. apply Qle_trans with (1 := lip). rewrite <- (Qmult_0_r L'). rewrite !(Qmult_comm L'). now apply Qmult_le_compat_r.
Qed.
(** responses apart where posteriors are equal: no L at all *)
Definition check_unequal d rule m (form : bool) (y : history_at) : bool := check_apart d rule m form y 0 && Qeq_bool (distance_at d form y) 0.
Theorem check_unequal_sound d rule m form y : check_unequal d rule m form y = true -> forall L, ~ posterior_lipschitz d rule m form L.
Proof.
  unfold check_unequal. intros k L. apply andb_true_iff in k. destruct k as [k e]. apply Qeq_bool_iff in e.
  refine (check_apart_sound d rule m form y (L + 1) _ L _).
  - unfold check_apart in *. cbv zeta in *. rewrite !andb_true_iff in *. destruct k as [k _]. split; [exact k |].
    apply Qle_bool_iff. rewrite e, Qmult_0_r. destruct k as [_ k]. apply BoundedIncrements.not_le in k. now apply Qlt_le_weak.
  - rewrite <- (Qplus_0_r L) at 1. apply Qplus_lt_r. reflexivity.
Qed.

(** sums of what is equal on the list *)
Lemma qsum_eq_in {A} (l : list A) f g : (forall x, In x l -> (f x == g x)%Q) -> (qsum l f == qsum l g)%Q.
Proof.
  induction l as [| x l ih]; intro h; cbn [qsum]; [reflexivity |]. rewrite !Qred_correct, (h x (or_introl eq_refl)), ih; [reflexivity |].
  intros; apply h; now right.
Qed.
