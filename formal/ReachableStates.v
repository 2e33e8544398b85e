(** Assumption 2.4 asked of the predictive states of the class alone (scope `reachable`): all that a model reaches under some policy are
    listed, and compared one by one. *)
From Pomgcheck Require Import OrderedField RuleLin Statements WeakRevealing RevealingRatio TrajectoryLaws ForwardLaws WarmupStationary PosteriorLipschitz Windows CausalDecomposition ChannelTriangle SimulationSummed ForwardErrors Instances.
From Coq Require Qcanon.
Open Scope nat_scope.

(** ** The states of the class *)
Section Reached.
Variable d : doc.
Section Prefixes.
Variables (w : world) (g pi : decision).
(** prefixes of k steps with what the model makes of them, the last pair first; none that the policy does not play or the model does not show *)
Fixpoint prefixes (k : nat) : list (trajectory * vector) :=
  match k with
  | 0 => [([], start_vector d)]
  | S k => flat_map (fun e => let '(past, v) := e in flat_map (fun x =>
      if Qeq_bool (pi k (memory_A d (rev past) ++ [fst x]) (snd x)) 0 then [] else
      let v' := forward d w g k (fst x) (snd x) v in if is_empty v' then [] else [(x :: past, v')]) (pairs d)) (prefixes k)
  end.
End Prefixes.
Definition normalised h (v : vector) : masses := let t := total v in map (fun c => (c, Qred (at_place c v / t)%Q)) (coordinates d h).
Definition reached h : list (list nat * masses) :=
  flat_map (fun xi => flat_map (fun p =>
    flat_map (fun e => if Qle_bool (total (snd e)) 0 then [] else [(memory_A d (rev (fst e)), normalised h (snd e))])
      (prefixes (world_of d (fst xi)) (response_of d (snd xi) p) (policy_of d p) h)) (seq 0 (List.length (policies d)))) (models d).
Definition state_dec : forall x y : list nat * masses, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition check_reachable (joint : bool) (kappa : nat) (alpha : Q) : bool :=
  let ws := map (world_of d) (thetas d) in
  negb (Qle_bool alpha 0) && (1 <=? policy_window d) && (1 <=? response_window d) &&
  forallb (fun h => let known := nodup state_dec (reached h) in
    forallb (fun phi => forallb (fun p => let g := response_of d phi p in let pi := policy_of d p in
      forallb (fun w => forallb (fun w' => forallb (fun e => forallb (fun o => forallb (fun a =>
        reveals_at d joint kappa w w' g pi h (fst e) o a alpha (snd e)) (seq 0 (nA d))) (seq 0 (nOA d))) known) ws) ws)
      (seq 0 (List.length (policies d)))) (phis d)) (seq 0 (horizon d - kappa)).

Hypothesis ok : class_of_games d.
Hypotheses (wA : 1 <= policy_window d) (wB : 1 <= response_window d).
Lemma trajectory_of l : (forall x, In x l -> In x (pairs d)) -> In l (trajectories_of d (List.length l)).
Proof.
  induction l as [| x l ih]; intro h; [now left |]. cbn [List.length trajectories_of]. apply in_flat_map. exists x. split; [apply h; now left |]. apply in_map, ih. intros; apply h; now right.
Qed.
Lemma pairs_of k l : In l (trajectories_of d k) -> List.length l = k /\ forall x, In x l -> In x (pairs d).
Proof.
  intro i. destruct (in_trajectories d k l i) as [e r]. split; [exact e |]. intros [o a] j. destruct (r o a j). apply in_prod; apply in_seq; lia.
Qed.
Section Model.
Variables (xi : point * point) (p : nat).
Hypotheses (xi_in : In xi (models d)) (p_lt : p < List.length (policies d)).
Notation w := (world_of d (fst xi)).
Notation g := (response_of d (snd xi) p).
Lemma start_represents : represents d xi p [] (start_vector d).
Proof.
  intro k. rewrite start_mean. cbn [List.length unnormalised]. unfold coordinates. rewrite qsum_list_prod. apply qsum_eq. intro s.
  unfold memories_B. rewrite Nat.min_0_r. cbn [tuples qsum fst snd q_0]. rewrite Qred_correct. ring.
Qed.
Lemma prefixes_are k : forall past v, In (past, v) (prefixes w g (policy_of d p) k) ->
  List.length past = k /\ represents d xi p past v /\ In (rev past) (trajectories_of d k) /\ ~ (chosen d p 0 [] (rev past) == 0)%Q.
Proof.
  induction k as [| k ih]; intros past v i; cbn [prefixes] in i.
  - destruct i as [e | []]. injection e as <- <-. split; [reflexivity |]. split; [apply start_represents |]. split; [now left |]. cbn. discriminate.
  - apply in_flat_map in i. destruct i as ((past0, v0) & i & j). apply in_flat_map in j. destruct j as (x & ix & j). destruct (ih past0 v0 i) as (l & rep & it & nz).
    destruct (Qeq_bool _ 0) eqn:z; [destruct j |]. destruct (is_empty _); [destruct j |]. destruct j as [e | []]. injection e as <- <-. cbn [List.length rev].
    split; [now rewrite l |]. split; [destruct x as [o a]; rewrite <- l; now apply forward_represents |]. split.
    + destruct (pairs_of k _ it) as [e r]. rewrite <- e, <- (Nat.add_1_r (List.length _)), <- app_length with (l' := [x]). apply trajectory_of. intros y j. apply in_app_iff in j. destruct j as [j | [<- | []]]; auto.
    + rewrite chosen_snoc by assumption. rewrite rev_length, l. cbn [Nat.add]. intro e. apply Qmult_integral in e. destruct e as [e | e]; [contradiction |].
      apply Qeq_bool_iff in e. unfold memory_A, memory_from in *. rewrite e in z. discriminate.
Qed.
Lemma prefixes_have past : forall rest, (forall x, In x past -> In x (pairs d)) -> ~ (chosen d p 0 [] (rev past) == 0)%Q -> ~ (mass d w g (rev rest ++ past) == 0)%Q ->
  exists v, In (past, v) (prefixes w g (policy_of d p) (List.length past)).
Proof.
  induction past as [| [o a] past ih]; intros rest r nz m; [exists (start_vector d); now left |]. cbn [rev] in nz. rewrite chosen_snoc in nz by assumption.
  destruct (ih ((o, a) :: rest)) as (v & i); [intros; apply r; now right | intro e; apply nz; rewrite e; ring | cbn [rev]; rewrite <- app_assoc; exact m |].
  destruct (prefixes_are _ past v i) as (_ & rep & _ & _). exists (forward d w g (List.length past) o a v). cbn [List.length prefixes]. apply in_flat_map. exists (past, v). split; [exact i |].
  apply in_flat_map. exists (o, a). split; [apply r; now left |]. cbn [fst snd]. rewrite rev_length in nz. cbn [Nat.add fst snd] in nz.
  destruct (Qeq_bool _ 0) eqn:z.
  - exfalso. apply nz. apply Qeq_bool_iff in z. unfold memory_A, memory_from in *. rewrite z. ring.
  - destruct (is_empty _) eqn:n; [| now left]. exfalso. apply m. pose proof (nothing_after d xi p past v o a rep n rest) as k. cbn [rev] in k. rewrite <- app_assoc in k. exact k.
Qed.
Lemma at_place_is past v c : represents d xi p past v -> In c (coordinates d (List.length past)) -> (at_place c v == unnormalised d w g past c)%Q.
Proof.
  intros rep ic. rewrite at_place_mean, (rep (fun s u => if same_place (s, u) c then 1 else 0)%Q).
  apply Qcanon.Q2Qc_eq_iff. pose proof (lsum_only rationals same_place) as pick.
  assert (eq : forall x y, same_place x y = true <-> x = y).
  { intros x y. split; [apply same_place_ok |]. intros ->. unfold same_place, same. rewrite Nat.eqb_refl. now destruct (list_eq_dec Nat.eq_dec (snd y) (snd y)). }
  specialize (pick eq (coordinates d (List.length past)) c (fun c' => inj (unnormalised d w g past c'))).
  change (inj (o := rationals) (qsum (coordinates d (List.length past)) (fun c' => unnormalised d w g past c' * (if same_place (fst c', snd c') c then 1 else 0)))%Q = inj (o := rationals) (unnormalised d w g past c)).
  rewrite <- pick; [| apply NoDup_list_prod; [apply seq_NoDup | apply tuples_distinct] | exact ic]. rewrite inj_qsum. apply lsum_ext. intros [s u] _. cbn [fst snd].
  destruct (same_place (s, u) c); [rewrite (inj_eq _ _ _ (Qmult_1_r _)); reflexivity | rewrite (inj_eq _ _ _ (Qmult_0_r _)); apply (OrderedField.inj_0 rationals)].
Qed.
Lemma normalised_is past v c : represents d xi p past v -> In c (coordinates d (List.length past)) -> (mass_at (normalised (List.length past) v) c == q_star d xi p (rev past) c)%Q.
Proof.
  intros rep ic. unfold normalised. cbv zeta. rewrite (mass_at_of _ (fun c => Qred (at_place c v / total v)%Q)) by exact ic. rewrite Qred_correct. unfold q_star. rewrite rev_involutive.
  now rewrite (at_place_is past v c rep ic), (total_is d xi p past v rep).
Qed.
Lemma not_negative past : (forall x, In x past -> In x (pairs d)) -> List.length past <= horizon d -> (0 <= mass d w g past)%Q /\ (0 <= chosen d p 0 [] (rev past))%Q.
Proof.
  intros r l. assert (r' : forall o a, In (o, a) past -> o < nOA d /\ a < nA d) by (intros o a i; apply r in i; unfold pairs in i; apply in_prod_iff in i; destruct i as [i j]; apply in_seq in i, j; lia).
  destruct (parts d xi xi_in) as [it ip]. split.
  - unfold mass. apply qsum_nonneg. intros c ic. now apply (weights_nonneg d ok wA wB p p_lt (fst xi) (snd xi) it ip past r' l).
  - apply (chosen_nonneg d ok wA wB p p_lt); [intros o a i; apply r'; now apply in_rev | rewrite rev_length; cbn [Nat.add]; exact l |]. unfold memories_A. rewrite Nat.min_0_r. now left.
Qed.
Lemma positive_factors past : (forall x, In x past -> In x (pairs d)) -> List.length past <= horizon d ->
  (0 < law_of_play d xi p (rev past))%Q <-> ~ (chosen d p 0 [] (rev past) == 0)%Q /\ (0 < mass d w g past)%Q.
Proof.
  intros r l. destruct (not_negative past r l) as [m c]. rewrite (law_is d xi p (rev past)), rev_involutive. split.
  - intro h. split; [intro z; rewrite z in h; setoid_replace (0 * mass d w g past)%Q with 0%Q in h by ring; now apply (Qlt_irrefl 0) |].
    destruct (Qle_lt_or_eq _ _ m) as [k | k]; [exact k |]. exfalso. rewrite <- k in h. rewrite Qmult_0_r in h. now apply (Qlt_irrefl 0).
  - intros [nc nm]. destruct (Qle_lt_or_eq _ _ c) as [k | k]; [| exfalso; apply nc; now symmetry]. setoid_replace 0%Q with (0 * mass d w g past)%Q by ring. now apply Qmult_lt_compat_r.
Qed.
End Model.
Theorem reached_complete xi p h seen : In xi (models d) -> p < List.length (policies d) -> h <= horizon d -> In seen (trajectories_of d h) -> (0 < law_of_play d xi p seen)%Q ->
  exists q, In (memory_A d seen, q) (reached h) /\ forall c, In c (coordinates d h) -> (mass_at q c == q_star d xi p seen c)%Q.
Proof.
  intros ix hp hh i pos. destruct (pairs_of h seen i) as [l r]. rewrite <- (rev_involutive seen) in pos.
  assert (r' : forall x, In x (rev seen) -> In x (pairs d)) by (intros x j; apply r; now apply in_rev). assert (l' : List.length (rev seen) = h) by now rewrite rev_length.
  apply (positive_factors xi p ix hp) in pos; [| exact r' | lia]. destruct pos as [nc pm].
  destruct (prefixes_have xi p hp (rev seen) [] r' nc) as (v & iv); [cbn [rev app]; intro z; rewrite z in pm; now apply (Qlt_irrefl 0) |]. rewrite l' in iv.
  destruct (prefixes_are xi p hp h (rev seen) v iv) as (_ & rep & _ & _). exists (normalised h v). split.
  - unfold reached. apply in_flat_map. exists xi. split; [exact ix |]. apply in_flat_map. exists p. split; [apply in_seq; lia |]. apply in_flat_map. exists (rev seen, v). split; [exact iv |].
    cbn [fst snd]. destruct (Qle_bool (total v) 0) eqn:z; [| left; now rewrite rev_involutive]. exfalso. apply Qle_bool_iff in z. rewrite (total_is d xi p _ v rep) in z.
    apply (Qlt_irrefl 0). now apply Qlt_le_trans with (1 := pm).
  - intros c ic. rewrite <- l' in ic |- *. assert (k : (mass_at (normalised (List.length (rev seen)) v) c == q_star d xi p (rev (rev seen)) c)%Q) by now apply normalised_is.
    now rewrite rev_involutive in k.
Qed.
Theorem reached_sound h u q : h <= horizon d -> In (u, q) (reached h) -> exists xi p seen, In xi (models d) /\ p < List.length (policies d) /\ In seen (trajectories_of d h) /\
  (0 < law_of_play d xi p seen)%Q /\ u = memory_A d seen /\ forall c, In c (coordinates d h) -> (mass_at q c == q_star d xi p seen c)%Q.
Proof.
  intros hh i. unfold reached in i. apply in_flat_map in i. destruct i as (xi & ix & i). apply in_flat_map in i. destruct i as (p & hp & i). apply in_seq in hp. apply in_flat_map in i.
  destruct i as ((past, v) & iv & i). cbn [fst snd] in i. destruct (Qle_bool (total v) 0) eqn:z; [destruct i |]. destruct i as [e | []]. injection e as <- <-.
  destruct (prefixes_are xi p ltac:(lia) h past v iv) as (l & rep & it & nc). destruct (pairs_of h (rev past) it) as [_ r].
  exists xi, p, (rev past). split; [exact ix |]. split; [lia |]. split; [exact it |]. split; [| split; [reflexivity |]].
  - apply (positive_factors xi p ix ltac:(lia)); [intros x j; apply r; now apply -> in_rev | lia |]. split; [exact nc |]. rewrite <- (total_is d xi p past v rep).
    apply Qnot_le_lt. intro k. apply Qle_bool_iff in k. congruence.
  - intros c ic. rewrite <- l in ic |- *. now apply normalised_is.
Qed.
Lemma state_ext (F : OF) joint kappa alpha v v' g pi h u o a (q q' : nat * list nat -> F) : (forall c, In c (coordinates d h) -> q c = q' c) ->
  revealing_at F d joint kappa alpha v v' g pi h u o a q -> revealing_at F d joint kappa alpha v v' g pi h u o a q'.
Proof.
  intros e. assert (same : forall f, at_state F d h q f = at_state F d h q' f) by (intro f; apply lsum_ext; intros c ic; now rewrite e).
  unfold revealing_at. rewrite (lsum_ext F (channel d h) _ (fun x => cabs (csub (at_state F d h q' (W v h o a x)) (at_state F d h q' (W v' h o a x))))) by (intros; now rewrite !same).
  destruct joint.
  - now rewrite (lsum_ext F (tuples (nOA d) kappa) _ (fun win => cabs (csub (at_state F d h q' (joint_law d v g pi h u o a win)) (at_state F d h q' (joint_law d v' g pi h u o a win))))) by (intros; now rewrite !same).
  - rewrite !same. intros k n1 n2 n3 n4. specialize (k n1 n2 n3 n4). eapply le_trans; [exact k |]. apply lsum_le. intros win _. rewrite !same. apply le_refl.
Qed.
End Reached.
Theorem check_reachable_sound F d joint kappa alpha : class_of_games d -> check_reachable d joint kappa alpha = true -> weak_revealing_reachable F d joint kappa alpha.
Proof.
  unfold check_reachable. rewrite !andb_true_iff, forallb_forall. intros ok [[[ha wA] wB] hc]. apply Nat.leb_le in wA, wB.
  split; [apply Qnot_le_lt; intro z; apply Qle_bool_iff in z; rewrite z in ha; discriminate |].
  intros theta theta' ht ht' phi hphi p hp h hh xi ix p' hp' seen is pos o ho a hoa.
  destruct (reached_complete d ok wA wB xi p' h seen ix hp' ltac:(lia) is pos) as (q & iq & e).
  apply (state_ext d F joint kappa alpha _ _ _ _ h _ o a (fun c => inj (mass_at q c))); [intros c ic; apply inj_eq; now apply e |].
  apply reveals_at_sound. specialize (hc h ltac:(apply in_seq; lia)). cbv zeta in hc. rewrite forallb_forall in hc. specialize (hc phi hphi).
  rewrite forallb_forall in hc. specialize (hc p ltac:(apply in_seq; lia)). rewrite forallb_forall in hc. specialize (hc _ (in_map (world_of d) _ _ ht)).
  rewrite forallb_forall in hc. specialize (hc _ (in_map (world_of d) _ _ ht')). rewrite forallb_forall in hc. specialize (hc (memory_A d seen, q) ltac:(now apply nodup_In)).
  rewrite forallb_forall in hc. specialize (hc o ltac:(apply in_seq; lia)). rewrite forallb_forall in hc. exact (hc a ltac:(apply in_seq; lia)).
Qed.
(** from above, at a state that some model reaches; 0 refutes it *)
Definition check_reachable_ratio d (joint : bool) (kappa : nat) (x : state_at) (upper : Q) : bool :=
  (1 <=? policy_window d) && (1 <=? response_window d) && check_ratio d joint kappa x upper &&
  existsb (fun e => same (fst e) (r_u x) && forallb (fun c => Qeq_bool (mass_at (snd e) c) (mass_at (r_q x) c)) (coordinates d (r_h x))) (reached d (r_h x)).
Theorem check_reachable_ratio_sound F d joint kappa x upper : class_of_games d -> check_reachable_ratio d joint kappa x upper = true ->
  forall alpha, (upper < alpha)%Q -> ~ weak_revealing_reachable F d joint kappa alpha.
Proof.
  unfold check_reachable_ratio. rewrite !andb_true_iff. intros ok [[[wA wB] hr] he] alpha l [_ k]. apply Nat.leb_le in wA, wB.
  unfold check_ratio in hr. cbv zeta in hr. rewrite !andb_true_iff in hr. destruct hr as [[hc hd] hs]. apply positive in hd. apply Qle_bool_iff in hs.
  apply check_place_sound in hc. cbv zeta in hc. destruct hc as (hi & hj & hk & hp & hh & _ & ho & ha & _ & hz).
  apply existsb_exists in he. destruct he as ([u q] & iq & he). cbn [fst snd] in he. apply andb_true_iff in he. destruct he as [hu he]. rewrite forallb_forall in he.
  unfold same in hu. destruct (list_eq_dec Nat.eq_dec u (r_u x)) as [-> | _]; [| discriminate].
  destruct (reached_sound d ok wA wB (r_h x) (r_u x) q ltac:(lia) iq) as (xi & p & seen & ix & hp' & is & pos & eu & eq).
  specialize (k _ _ (nth_In _ [] hi) (nth_In _ [] hj) _ (nth_In _ [] hk) (r_p x) hp (r_h x) hh xi ix p hp' seen is pos (r_o x) ho (r_a x) ha). rewrite <- eu in k.
  apply (state_ext d F joint kappa alpha _ _ _ _ (r_h x) _ _ _ _ (fun c => inj (mass_at (r_q x) c))) in k.
  - apply revealed_at in k; [| exact hz]. exact (too_much _ _ _ _ hd hs l k).
  - intros c ic. apply inj_eq. specialize (he c ic). apply Qeq_bool_iff in he. rewrite <- he. symmetry. now apply eq.
Qed.
Theorem no_signal_reachable F d joint kappa x : class_of_games d -> check_reachable_ratio d joint kappa x 0 = true -> forall alpha, ~ weak_revealing_reachable F d joint kappa alpha.
Proof. intros ok h alpha k. exact (check_reachable_ratio_sound F d joint kappa x 0 ok h alpha (proj1 k) k). Qed.
