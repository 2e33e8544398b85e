(** The simulation lemma with the errors of all observations summed: it is true, with half the span of the returns for a factor;
    and with operators at the realised observation and the factor 1 / p_min. *)
From Pomgcheck Require Import OrderedField Statements RuleLin Windows Instances CausalDecomposition ChannelTriangle.
From Coq Require Import Qcanon.
Open Scope nat_scope.

Lemma grow_in d k : forall seen x, In seen (trajectories_of d k) -> In x (pairs d) -> In (seen ++ [x]) (trajectories_of d (S k)).
Proof.
  induction k as [| k ih]; intros seen x i ix; cbn [trajectories_of] in i |- *.
  - destruct i as [<- | []]. cbn [app]. apply in_flat_map. exists x. split; [exact ix | now left].
  - apply in_flat_map in i. destruct i as (z & iz & i). apply in_map_iff in i. destruct i as (t & <- & i). apply in_flat_map. exists z. split; [exact iz |].
    cbn [app]. apply in_map. now apply ih.
Qed.
Section Field.
Variable F : OF.
Local Open Scope of_scope.
Add Field Fss : (c_field F).
Ltac fring := match goal with |- @eq _ ?x ?y => change (@eq (car F) x y) end; ring.
Variable d : doc.
Hypothesis ok : class_of_games d.
Hypothesis wA : (1 <= policy_window d)%nat.
Hypothesis wB : (1 <= response_window d)%nat.

(** ** Trajectories, grown at the end *)
Lemma grow k : forall f : trajectory -> F, lsum (trajectories_of d (S k)) f = lsum (trajectories_of d k) (fun t => lsum (pairs d) (fun x => f (t ++ [x])%list)).
Proof.
  induction k as [| k ih]; intro f.
  - cbn [trajectories_of]. rewrite lsum_flat_map. cbn [map lsum app]. rewrite (lsum_ext F _ _ (fun x => f [x])) by (intros; ring). ring.
  - change (trajectories_of d (S (S k))) with (flat_map (fun x => map (cons x) (trajectories_of d (S k))) (pairs d)).
    rewrite lsum_flat_map. cbn [trajectories_of]. rewrite lsum_flat_map. apply lsum_ext. intros y _. rewrite !lsum_map.
    exact (ih (fun t => f (y :: t))).
Qed.

(** ** The chance of a prefix: what the policy chooses, times what the operators weigh *)
Section Pi.
Variable p : nat.
Hypothesis p_lt : (p < List.length (policies d))%nat.
Notation pi := (policy_of d p).
Fixpoint chosen h uA (seen : trajectory) : Q :=
  match seen with [] => 1%Q | (o, a) :: seen => (pi h (uA ++ [o])%list a * chosen (S h) (next_A d uA o) seen)%Q end.
Definition memory_from uA (seen : trajectory) : list nat := fold_left (fun u x => next_A d u (fst x)) seen uA.
Lemma play_chosen w g tau : forall h s uA uB, (inj (play d w g pi h s uA uB tau) : F) = inj (chosen h uA tau) * inj (controlled d w g h s uB tau).
Proof.
  induction tau as [| [o a] tau ih]; intros h s uA uB; cbn [play chosen controlled]; [rewrite inj_1; ring |].
  rewrite !inj_mul, !inj_step.
  transitivity (inj (EA w h s o) * (inj (pi h (uA ++ [o])%list a) * (inj (chosen (S h) (next_A d uA o) tau) *
    lsum (seq 0 (nOB d)) (fun oB => inj (EB w h s oB) * lsum (seq 0 (nB d)) (fun b => inj (g h (uB ++ [oB])%list b) *
    lsum (seq 0 (nS d)) (fun s' => inj (T w h s a b s') * inj (controlled d w g (S h) s' (next_B d uB oB) tau))))) : F)); [| ring].
  f_equal. f_equal. rewrite <- lsum_mul. apply lsum_ext. intros oB _. 
  replace (inj (chosen (S h) (next_A d uA o) tau) * (inj (EB w h s oB) * lsum (seq 0 (nB d)) (fun b => inj (g h (uB ++ [oB])%list b) *
    lsum (seq 0 (nS d)) (fun s' => inj (T w h s a b s') * inj (controlled d w g (S h) s' (next_B d uB oB) tau)))) : F)
    with (inj (EB w h s oB) * (inj (chosen (S h) (next_A d uA o) tau) * lsum (seq 0 (nB d)) (fun b => inj (g h (uB ++ [oB])%list b) *
    lsum (seq 0 (nS d)) (fun s' => inj (T w h s a b s') * inj (controlled d w g (S h) s' (next_B d uB oB) tau)))) : F) by ring.
  f_equal. rewrite <- lsum_mul. apply lsum_ext. intros b _.
  replace (inj (chosen (S h) (next_A d uA o) tau) * (inj (g h (uB ++ [oB])%list b) *
    lsum (seq 0 (nS d)) (fun s' => inj (T w h s a b s') * inj (controlled d w g (S h) s' (next_B d uB oB) tau))) : F)
    with (inj (g h (uB ++ [oB])%list b) * (inj (chosen (S h) (next_A d uA o) tau) *
    lsum (seq 0 (nS d)) (fun s' => inj (T w h s a b s') * inj (controlled d w g (S h) s' (next_B d uB oB) tau))) : F) by ring.
  f_equal. rewrite <- lsum_mul. apply lsum_ext. intros s' _. rewrite ih. ring.
Qed.
Lemma law_split w g tau : (inj (law_against d w g pi tau) : F) = inj (chosen 0 [] tau) * inj (mass d w g (rev tau)).
Proof.
  rewrite mass_is_law. unfold law_against, controlled_law. rewrite !inj_qsum, <- lsum_mul. apply lsum_ext. intros s _.
  rewrite !inj_mul, play_chosen. ring.
Qed.
Lemma chosen_snoc x seen : forall h uA, (chosen h uA (seen ++ [x]) == chosen h uA seen * pi (h + List.length seen)%nat (memory_from uA seen ++ [fst x]) (snd x))%Q.
Proof.
  induction seen as [| [o a] seen ih]; intros h uA; cbn [app chosen List.length memory_from fold_left].
  - destruct x as [o a]. cbn [fst snd]. rewrite Nat.add_0_r. ring.
  - rewrite ih. replace (h + S (List.length seen))%nat with (S h + List.length seen)%nat by lia. cbn [fst]. unfold memory_from. ring.
Qed.
Lemma memory_in seen : forall h uA, (forall o a, In (o, a) seen -> (o < nOA d)%nat /\ (a < nA d)%nat) -> In uA (memories_A d h) ->
  In (memory_from uA seen) (memories_A d (h + List.length seen)).
Proof.
  induction seen as [| [o a] seen ih]; intros h uA r i; cbn [memory_from fold_left List.length]; [now rewrite Nat.add_0_r |].
  replace (h + S (List.length seen))%nat with (S h + List.length seen)%nat by lia. apply ih; [intros; apply r; now right |].
  apply tuple_next; auto. apply (r o a). now left.
Qed.
Lemma policy_row seen : (forall o a, In (o, a) seen -> (o < nOA d)%nat /\ (a < nA d)%nat) -> (List.length seen < horizon d)%nat -> forall o, (o < nOA d)%nat ->
  is_row (nA d) (pi (List.length seen) (memory_from [] seen ++ [o])).
Proof.
  intros r hh o ho. apply (proj1 (proj2 (proj2 ok) p p_lt (List.length seen) hh)). apply tuple_A; auto. apply (memory_in seen 0); auto.
  unfold memories_A. rewrite Nat.min_0_r. now left.
Qed.
Lemma chosen_nonneg seen : forall h uA, (forall o a, In (o, a) seen -> (o < nOA d)%nat /\ (a < nA d)%nat) -> (h + List.length seen <= horizon d)%nat ->
  In uA (memories_A d h) -> (0 <= chosen h uA seen)%Q.
Proof.
  induction seen as [| [o a] seen ih]; intros h uA r hh i; cbn [chosen]; [discriminate |]. cbn [List.length] in hh. destruct (r o a (or_introl eq_refl)).
  apply Qmult_le_0_compat; [apply (proj1 (proj2 (proj2 ok) p p_lt h ltac:(lia))); auto; now apply tuple_A |].
  apply ih; [intros; apply r; now right | lia | now apply tuple_next].
Qed.
Lemma row_sum n f : is_row n f -> lsum (seq 0 n) (fun k => inj (f k)) = (1 : F).
Proof. intros [_ e]. rewrite <- inj_qsum, <- (inj_1 F). now apply inj_eq. Qed.

Lemma Rone (x : F) : forall y, x = 1 -> y * x = y.
Proof. intros y ->. fring. Qed.
(** ** One model: operators are nonnegative, a column of J_h(o, a) sums to E^A_h(o|s) *)
Section Model.
Variables (theta phi : point).
Hypotheses (theta_in : In theta (thetas d)) (phi_in : In phi (phis d)).
Notation w := (world_of d theta). Notation g := (response_of d phi p).
Lemma response_row h u oB : (h < horizon d)%nat -> In u (memories_B d h) -> (oB < nOB d)%nat -> is_row (nB d) (g h (u ++ [oB])%list).
Proof. intros hh iu io. apply (proj2 (proj2 (proj2 ok) p p_lt h hh)); auto. now apply memory_read. Qed.
Lemma J_nonneg h o a c' c : (h < horizon d)%nat -> (o < nOA d)%nat -> (a < nA d)%nat -> In c' (coordinates d (S h)) -> In c (coordinates d h) ->
  (0 <= J_entry d w g h o a c' c)%Q.
Proof.
  intros hh ho ha i' i. destruct c' as [s' u'], c as [s u]. unfold coordinates in i', i. apply in_prod_iff in i', i. destruct i' as [is' _], i as [is iu].
  apply in_seq in is', is. destruct (proj1 (proj2 ok) theta theta_in h hh s ltac:(lia)) as (ra & rb & rt). unfold J_entry.
  apply qsum_nonneg. intros oB io. apply in_seq in io. apply qsum_nonneg. intros b ib. apply in_seq in ib. destruct (same _ _); [| apply Qle_refl].
  repeat apply Qmult_le_0_compat; [apply ra; lia | apply rb; lia | apply response_row; auto; lia | apply rt; lia].
Qed.
Lemma column h o a c : (h < horizon d)%nat -> (a < nA d)%nat -> In c (coordinates d h) ->
  lsum (coordinates d (S h)) (fun c' => inj (J_entry d w g h o a c' c)) = (inj (EA w h (fst c) o) : F).
Proof.
  intros hh ha i. destruct c as [s u]. pose proof i as i'. unfold coordinates in i'. apply in_prod_iff in i'. destruct i' as [is iu]. apply in_seq in is.
  pose proof (one_step F d w g h o a s u (fun _ _ => 1%Q) iu) as k. cbv beta in k.
  rewrite (lsum_ext F _ _ (fun c' => inj (J_entry d w g h o a c' (s, u)))) in k by (intros; rewrite inj_1; ring). rewrite k. cbn [fst].
  rewrite inj_mul, inj_step. destruct (proj1 (proj2 ok) theta theta_in h hh s ltac:(lia)) as (_ & rb & rt).
  replace (inj (EA w h s o)) with (inj (EA w h s o) * 1 : F) at 2 by ring. f_equal.
  rewrite <- (row_sum (nOB d) _ rb). apply lsum_ext. intros oB io. apply in_seq in io.
  replace (inj (EB w h s oB)) with (inj (EB w h s oB) * 1 : F) at 2 by ring. f_equal.
  rewrite <- (row_sum (nB d) _ (response_row h u oB hh iu ltac:(lia))). apply lsum_ext. intros b ib. apply in_seq in ib.
  replace (inj (g h (u ++ [oB])%list b)) with (inj (g h (u ++ [oB])%list b) * 1 : F) at 2 by ring. f_equal.
  rewrite <- (row_sum (nS d) _ (rt a ha b ltac:(lia))). apply lsum_ext. intros s' _. rewrite inj_1. ring.
Qed.
Lemma weights_nonneg seen : (forall o a, In (o, a) seen -> (o < nOA d)%nat /\ (a < nA d)%nat) -> (List.length seen <= horizon d)%nat ->
  forall c, In c (coordinates d (List.length seen)) -> (0 <= unnormalised d w g seen c)%Q.
Proof.
  induction seen as [| [o a] seen ih]; intros r hh c i; cbn [unnormalised].
  - unfold q_0. destruct c as [s [| x u]]; cbn [snd fst]; [| apply Qle_refl]. unfold coordinates in i. apply in_prod_iff in i. destruct i as [is _].
    apply in_seq in is. apply (proj1 (proj1 ok)). lia.
  - cbn [List.length] in hh, i. destruct (r o a (or_introl eq_refl)). apply qsum_nonneg. intros c0 i0. apply Qmult_le_0_compat.
    + apply J_nonneg; auto; lia.
    + apply ih; auto; [intros; apply r; now right | lia].
Qed.

(** going on one step from a prefix, in all ways, keeps its chance *)
Lemma mass_snoc seen o a : (forall o a, In (o, a) seen -> (o < nOA d)%nat /\ (a < nA d)%nat) -> (List.length seen < horizon d)%nat -> (a < nA d)%nat ->
  (inj (mass d w g (rev (seen ++ [(o, a)]))) : F) = lsum (coordinates d (List.length seen)) (fun c => inj (EA w (List.length seen) (fst c) o) * inj (unnormalised d w g (rev seen) c)).
Proof.
  intros r hh ha. rewrite rev_app_distr. unfold mass. rewrite inj_qsum. cbn [rev app List.length unnormalised]. rewrite rev_length.
  transitivity (lsum (F := F) (coordinates d (S (List.length seen))) (fun c' => lsum (coordinates d (List.length seen)) (fun c =>
    inj (J_entry d w g (List.length seen) o a c' c) * inj (unnormalised d w g (rev seen) c)))).
  - apply lsum_ext. intros c' _. rewrite inj_qsum. apply lsum_ext. intros c _. apply inj_mul.
  - rewrite lsum_swap. apply lsum_ext. intros c i. rewrite lsum_mulr. f_equal. now apply column.
Qed.
Lemma law_grow k seen : (k < horizon d)%nat -> In seen (trajectories_of d k) ->
  lsum (pairs d) (fun x => inj (law_against d w g pi (seen ++ [x])%list)) = (inj (law_against d w g pi seen) : F).
Proof.
  intros hk i. destruct (in_trajectories d _ _ i) as [e r]. assert (hh : (List.length seen < horizon d)%nat) by lia. set (u := memory_from [] seen).
  transitivity (lsum (F := F) (seq 0 (nOA d)) (fun o => inj (chosen 0 [] seen) * lsum (coordinates d (List.length seen)) (fun c =>
    inj (EA w (List.length seen) (fst c) o) * inj (unnormalised d w g (rev seen) c)))).
  - unfold pairs. rewrite lsum_list_prod. apply lsum_ext. intros o io. apply in_seq in io.
    rewrite <- (Rone _ (inj (chosen 0 [] seen) * _) (row_sum (nA d) (pi (List.length seen) (u ++ [o])%list) (policy_row seen r hh o ltac:(lia)))), <- lsum_mul. apply lsum_ext. intros a ia. apply in_seq in ia.
    rewrite law_split, mass_snoc by (auto; lia). rewrite (inj_eq F _ _ (chosen_snoc (o, a) seen 0 [])), inj_mul. cbn [Nat.add fst snd]. fold u. fring.
  - rewrite law_split, lsum_mul. f_equal. rewrite lsum_swap. unfold mass. rewrite inj_qsum, rev_length. apply lsum_ext. intros [s c] ic.
    rewrite lsum_mulr. unfold coordinates in ic. apply in_prod_iff in ic. destruct ic as [is _]. apply in_seq in is. cbn [fst].
    destruct (proj1 (proj2 ok) theta theta_in (List.length seen) hh s ltac:(lia)) as (ra & _). rewrite (row_sum _ _ ra). fring.
Qed.
Lemma marginal k n (f : trajectory -> F) : (k <= n)%nat -> (n <= horizon d)%nat ->
  lsum (trajectories_of d n) (fun tau => inj (law_against d w g pi tau) * f (firstn k tau)) = lsum (trajectories_of d k) (fun seen => inj (law_against d w g pi seen) * f seen).
Proof.
  intros hk hn. induction hk as [| n hk ih].
  - apply lsum_ext. intros tau i. destruct (in_trajectories d _ _ i) as [e _]. now rewrite <- e, firstn_all.
  - rewrite <- ih by lia. rewrite grow. apply lsum_ext. intros tau i. destruct (in_trajectories d _ _ i) as [e _].
    rewrite (lsum_ext F (pairs d) _ (fun x => inj (law_against d w g pi (tau ++ [x])%list) * f (firstn k tau))).
    + rewrite lsum_mulr. f_equal. apply (law_grow n); auto; lia.
    + intros x _. rewrite firstn_app. replace (k - List.length tau)%nat with O by lia. now rewrite firstn_O, app_nil_r.
Qed.
Lemma law_one : lsum (trajectories d) (fun tau => inj (law_against d w g pi tau)) = (1 : F).
Proof.
  pose proof (marginal 0 (horizon d) (fun _ => 1) ltac:(lia) ltac:(lia)) as k. unfold trajectories.
  rewrite (lsum_ext F _ _ (fun tau => inj (law_against d w g pi tau) * 1)) by (intros; fring). rewrite k. cbn [trajectories_of lsum].
  assert (e : (inj (law_against d w g pi []) : F) = 1).
  { unfold law_against. rewrite inj_qsum, <- (row_sum (nS d) (fun s => start d s) (proj1 ok)). apply lsum_ext. intros s _. cbn [play]. rewrite inj_mul, inj_1. fring. }
  rewrite e. fring.
Qed.
End Model.

(** ** Two models, one policy *)
Section Two.
Variables (star xi : point * point).
Hypotheses (star_in : In star (models d)) (xi_in : In xi (models d)).
Notation w := (world_of d (fst star)). Notation g := (response_of d (snd star) p).
Notation w' := (world_of d (fst xi)). Notation g' := (response_of d (snd xi) p).
Definition difference (seen : trajectory) c : F := inj (unnormalised d w' g' (rev seen) c) - inj (unnormalised d w g (rev seen) c).
Definition distance seen : F := lsum (coordinates d (List.length seen)) (fun c => |difference seen c|).
Definition error_at seen o a : F := lsum (coordinates d (S (List.length seen))) (fun c' =>
  |lsum (coordinates d (List.length seen)) (fun c => (inj (J_entry d w' g' (List.length seen) o a c' c) - inj (J_entry d w g (List.length seen) o a c' c))
     * inj (unnormalised d w g (rev seen) c))|).
Notation in_game seen := (forall o a, In (o, a) seen -> (o < nOA d)%nat /\ (a < nA d)%nat).
Lemma error_nonneg seen o a : 0 <= error_at seen o a. Proof. apply lsum_nonneg. intros. apply abs_nonneg. Qed.
Lemma rev_length' (seen : trajectory) : List.length (rev seen) = List.length seen. Proof. apply rev_length. Qed.
Lemma difference_snoc seen o a c' : difference (seen ++ [(o, a)])%list c' =
  lsum (coordinates d (List.length seen)) (fun c => inj (J_entry d w' g' (List.length seen) o a c' c) * difference seen c)
  + lsum (coordinates d (List.length seen)) (fun c => (inj (J_entry d w' g' (List.length seen) o a c' c) - inj (J_entry d w g (List.length seen) o a c' c))
     * inj (unnormalised d w g (rev seen) c)).
Proof.
  unfold difference. rewrite rev_app_distr. cbn [rev app unnormalised]. rewrite rev_length', !inj_qsum, <- lsum_sub, <- lsum_add. apply lsum_ext. intros c _.
  rewrite !inj_mul. ring.
Qed.
Lemma distance_snoc seen o a : (List.length seen < horizon d)%nat -> (o < nOA d)%nat -> (a < nA d)%nat ->
  distance (seen ++ [(o, a)])%list <= lsum (coordinates d (List.length seen)) (fun c => inj (EA w' (List.length seen) (fst c) o) * |difference seen c|) + error_at seen o a.
Proof.
  intros hh ho ha. destruct (parts d xi xi_in) as [it ip]. unfold distance, error_at. rewrite app_length. cbn [List.length]. rewrite Nat.add_1_r.
  apply le_trans with (lsum (coordinates d (S (List.length seen))) (fun c' => lsum (coordinates d (List.length seen)) (fun c => inj (J_entry d w' g' (List.length seen) o a c' c) * |difference seen c|)
    + |lsum (coordinates d (List.length seen)) (fun c => (inj (J_entry d w' g' (List.length seen) o a c' c) - inj (J_entry d w g (List.length seen) o a c' c)) * inj (unnormalised d w g (rev seen) c))|)).
  - apply lsum_le. intros c' i'. rewrite difference_snoc. eapply le_trans; [apply abs_tri |]. apply add_mono; [| apply le_refl].
    eapply le_trans; [apply lsum_abs |]. apply lsum_le. intros c i. rewrite abs_mul, (abs_pos F (inj (J_entry d w' g' (List.length seen) o a c' c))); [apply le_refl |].
    rewrite <- (inj_0 F). apply inj_le. now apply J_nonneg.
  - rewrite lsum_add. apply add_mono; [| apply le_refl]. rewrite lsum_swap. apply lsum_le. intros c i. rewrite lsum_mulr.
    rewrite (column (fst xi) (snd xi) it ip (List.length seen) o a c hh ha i). apply le_refl.
Qed.
(** the policy and the emissions are distributions: a step adds no more than the errors *)
Lemma one_step_more keep seen : in_game seen -> (List.length seen < horizon d)%nat ->
  lsum (pairs d) (fun x => if keep x : bool then inj (pi (List.length seen) (memory_from [] seen ++ [fst x])%list (snd x)) * distance (seen ++ [x])%list else 0)
  <= distance seen + lsum (pairs d) (fun x => if keep x then inj (pi (List.length seen) (memory_from [] seen ++ [fst x])%list (snd x)) * error_at seen (fst x) (snd x) else 0).
Proof.
  intros r hh. destruct (parts d xi xi_in) as [it ip]. set (h := List.length seen) in *. set (ch := fun x : nat * nat => inj (pi h (memory_from [] seen ++ [fst x])%list (snd x)) : F).
  assert (c0 : forall x, In x (pairs d) -> 0 <= ch x).
  { intros [o a] i. unfold pairs in i. apply in_prod_iff in i. destruct i as [io ia]. apply in_seq in io, ia. unfold ch. cbn [fst snd]. rewrite <- (inj_0 F).
    apply inj_le. apply (policy_row seen r hh o); lia. }
  set (spread := fun x : nat * nat => lsum (coordinates d h) (fun c => inj (EA w' h (fst c) (fst x)) * |difference seen c|)).
  assert (e0 : forall c o, In c (coordinates d h) -> (o < nOA d)%nat -> 0 <= (inj (EA w' h (fst c) o) : F)).
  { intros [s u] o i ho. unfold coordinates in i. apply in_prod_iff in i. destruct i as [is _]. apply in_seq in is. cbn [fst]. rewrite <- (inj_0 F). apply inj_le.
    apply (proj1 (proj2 ok) (fst xi) it h hh s ltac:(lia)). exact ho. }
  apply le_trans with (lsum (pairs d) (fun x => ch x * spread x) + lsum (pairs d) (fun x => if keep x then ch x * error_at seen (fst x) (snd x) else 0)).
  - rewrite <- lsum_add. apply lsum_le. intros [o a] i. pose proof (c0 _ i) as cx. unfold pairs in i. apply in_prod_iff in i. destruct i as [io ia]. apply in_seq in io, ia.
    destruct (keep (o, a)).
    + cbn [fst snd]. replace (ch (o, a) * spread (o, a) + ch (o, a) * error_at seen o a) with (ch (o, a) * (spread (o, a) + error_at seen o a)) by ring.
      apply mul_mono; [exact cx | apply distance_snoc; auto; lia].
    + replace (ch (o, a) * spread (o, a) + 0) with (ch (o, a) * spread (o, a)) by ring. apply mul_nonneg; [exact cx |].
      apply lsum_nonneg. intros c ic. apply mul_nonneg; [apply e0; auto; cbn [fst]; lia | apply abs_nonneg].
  - apply add_mono; [| apply le_refl]. unfold pairs. rewrite lsum_list_prod.
    rewrite (lsum_ext F _ _ (fun o => lsum (coordinates d h) (fun c => inj (EA w' h (fst c) o) * |difference seen c|))).
    + rewrite lsum_swap. unfold distance. fold h. apply lsum_le. intros [s u] i. rewrite lsum_mulr. unfold coordinates in i. apply in_prod_iff in i. destruct i as [is _].
      apply in_seq in is. cbn [fst]. destruct (proj1 (proj2 ok) (fst xi) it h hh s ltac:(lia)) as (ra & _). rewrite (row_sum _ _ ra).
      match goal with |- 1 * ?x <= ?x => replace (1 * x) with x by ring end. apply le_refl.
    + intros o io. apply in_seq in io. unfold spread, ch. cbn [fst snd]. rewrite lsum_mulr.
      rewrite (row_sum (nA d) (pi h (memory_from [] seen ++ [o])%list) (policy_row seen r hh o ltac:(lia))). ring.
Qed.

(** ** Over all steps; what is not counted is closed under going on *)
Variable counted : trajectory -> bool.
Hypothesis closed : forall k seen x, (k < horizon d)%nat -> In seen (trajectories_of d k) -> In x (pairs d) -> counted (seen ++ [x])%list = true -> counted seen = true.
Definition apart k : F := lsum (trajectories_of d k) (fun seen => if counted seen then inj (chosen 0 [] seen) * distance seen else 0).
Definition step_errors k : F := lsum (trajectories_of d k) (fun seen => inj (chosen 0 [] seen) * lsum (pairs d) (fun x =>
  if counted (seen ++ [x])%list then inj (pi (List.length seen) (memory_from [] seen ++ [fst x])%list (snd x)) * error_at seen (fst x) (snd x) else 0)).
Lemma nil_memory : In [] (memories_A d 0). Proof. unfold memories_A. rewrite Nat.min_0_r. now left. Qed.
Lemma apart_step k : (k < horizon d)%nat -> apart (S k) <= apart k + step_errors k.
Proof.
  intro hk. unfold apart, step_errors. rewrite grow, <- lsum_add. apply lsum_le. intros seen i. destruct (in_trajectories d _ _ i) as [e r].
  assert (cp : 0 <= (inj (chosen 0 [] seen) : F)).
  { rewrite <- (inj_0 F). apply inj_le. apply chosen_nonneg; auto; [lia | apply nil_memory]. }
  destruct (counted seen) eqn:cs.
  - rewrite (lsum_ext F _ _ (fun x => inj (chosen 0 [] seen) * (if counted (seen ++ [x])%list then
      inj (pi (List.length seen) (memory_from [] seen ++ [fst x])%list (snd x)) * distance (seen ++ [x])%list else 0))).
    + rewrite lsum_mul. eapply le_trans; [apply mul_mono; [exact cp | apply (one_step_more (fun x => counted (seen ++ [x])%list) seen r); lia] |].
      match goal with |- ?a * (?b + ?c) <= _ => replace (a * (b + c)) with (a * b + a * c) by ring end. apply le_refl.
    + intros x _. destruct (counted (seen ++ [x])%list); [| fring]. rewrite (inj_eq F _ _ (chosen_snoc x seen 0 [])), inj_mul. cbn [Nat.add]. fring.
  - rewrite (lsum_zero F (pairs d)).
    + apply add_nonneg; [apply le_refl |]. apply mul_nonneg; [exact cp |]. rewrite (lsum_zero F (pairs d)); [apply le_refl |].
      intros x ix. destruct (counted (seen ++ [x])%list) eqn:cx; [apply (closed k seen x hk i ix) in cx; congruence | reflexivity].
    + intros x ix. destruct (counted (seen ++ [x])%list) eqn:cx; [apply (closed k seen x hk i ix) in cx; congruence | reflexivity].
Qed.
Lemma apart_le k : (k <= horizon d)%nat -> apart k <= lsum (seq 0 k) step_errors.
Proof.
  induction k as [| k ih]; intro hk.
  - unfold apart. cbn [trajectories_of lsum seq]. assert (z : distance [] = 0).
    { unfold distance. apply lsum_zero. intros c _. unfold difference. cbn [rev unnormalised]. replace (inj (q_0 d c) - inj (q_0 d c)) with (0 : F) by ring.
      apply abs_pos, le_refl. }
    rewrite z. destruct (counted []); match goal with |- ?x <= 0 => replace x with (0 : F) by ring end; apply le_refl.
  - rewrite seq_S, lsum_app. cbn [Nat.add lsum]. eapply le_trans; [apply apart_step; lia |]. apply add_mono; [apply ih; lia |].
    match goal with |- ?x <= ?y => replace y with x by ring end. apply le_refl.
Qed.
(** the l1 distance of the two laws on what is counted *)
Theorem laws_apart : lsum (trajectories d) (fun tau => if counted tau then |inj (law_of_play d xi p tau) - inj (law_of_play d star p tau)| else 0)
  <= lsum (seq 0 (horizon d)) step_errors.
Proof.
  eapply le_trans; [| apply apart_le; apply le_n]. unfold apart, trajectories. apply lsum_le. intros tau i. destruct (in_trajectories d _ _ i) as [e r].
  destruct (counted tau); [| apply le_refl]. unfold law_of_play. rewrite !law_split.
  assert (cp : 0 <= (inj (chosen 0 [] tau) : F)).
  { rewrite <- (inj_0 F). apply inj_le. apply chosen_nonneg; auto; [lia | apply nil_memory]. }
  match goal with |- |?a * ?b - ?a * ?c| <= _ => replace (a * b - a * c) with (a * (b - c)) by ring end.
  rewrite abs_mul, (abs_pos F _ cp). apply mul_mono; [exact cp |]. unfold mass. rewrite !inj_qsum, <- lsum_sub, rev_length. apply lsum_abs.
Qed.
(** the errors in the words of [Statements] *)
Lemma zero_weights seen : in_game seen -> (List.length seen <= horizon d)%nat -> (mass d w g (rev seen) == 0)%Q ->
  forall c, In c (coordinates d (List.length seen)) -> (unnormalised d w g (rev seen) c == 0)%Q.
Proof.
  intros r hh z c i. destruct (parts d star star_in) as [it ip].
  assert (pos : forall c, In c (coordinates d (List.length seen)) -> (0 <= unnormalised d w g (rev seen) c)%Q).
  { intros c' i'. rewrite <- rev_length' in i', hh. apply weights_nonneg; auto. intros o a j. apply in_rev in j. now apply r. }
  apply Qle_antisym; [| now apply pos]. rewrite <- z. unfold mass. rewrite rev_length'. now apply (qsum_term _ (unnormalised d w g (rev seen))).
Qed.
Lemma error_is seen o a : in_game seen -> (List.length seen < horizon d)%nat ->
  (inj (mass d w g (rev seen)) * inj (J_error d star xi p seen o a) : F) = error_at seen o a.
Proof.
  intros r hh. destruct (Qeq_dec (mass d w g (rev seen)) 0) as [z | z].
  - rewrite (inj_eq F _ _ z), inj_0. unfold error_at. rewrite lsum_zero; [ring |]. intros c' _. rewrite lsum_zero; [apply abs_pos, le_refl |].
    intros c i. rewrite (inj_eq F _ _ (zero_weights seen r ltac:(lia) z c i)), inj_0. ring.
  - assert (mp : 0 <= (inj (mass d w g (rev seen)) : F)).
    { rewrite <- (inj_0 F). apply inj_le. unfold mass. apply qsum_nonneg. intros c i. destruct (parts d star star_in). apply weights_nonneg; auto.
      - intros o' a' j. apply in_rev in j. now apply r.
      - rewrite rev_length. lia. }
    unfold J_error, error_at. rewrite inj_qsum, <- lsum_mul. apply lsum_ext. intros c' _. rewrite inj_abs.
    rewrite <- (abs_pos F _ mp) at 1. rewrite <- abs_mul. f_equal. unfold at_q_star. rewrite inj_sub, !inj_qsum, <- lsum_sub, <- lsum_mul.
    apply lsum_ext. intros c _. rewrite !inj_mul. unfold q_star.
    assert (e : (inj (mass d w g (rev seen)) * inj (unnormalised d w g (rev seen) c / mass d w g (rev seen))%Q : F) = inj (unnormalised d w g (rev seen) c)).
    { rewrite <- inj_mul. apply inj_eq. field. exact z. }
    rewrite <- e. ring.
Qed.
Lemma step_errors_is k : (k < horizon d)%nat ->
  step_errors k = inj (qsum (trajectories_of d k) (fun seen => law_of_play d star p seen * summed_error d star xi p counted seen)%Q).
Proof.
  intro hk. unfold step_errors. rewrite inj_qsum. apply lsum_ext. intros seen i. destruct (in_trajectories d _ _ i) as [e r].
  rewrite inj_mul. unfold law_of_play. rewrite law_split. unfold summed_error. rewrite inj_qsum.
  transitivity (inj (chosen 0 [] seen) * (inj (mass d w g (rev seen)) * lsum (pairs d) (fun x => inj (if counted (seen ++ [x])%list then
    (pi (List.length seen) (memory_A d seen ++ [fst x])%list (snd x) * J_error d star xi p seen (fst x) (snd x))%Q else 0%Q)) : F)); [| ring].
  f_equal. rewrite <- lsum_mul. apply lsum_ext. intros x _. destruct (counted _); [| rewrite inj_0; ring]. rewrite inj_mul, <- error_is by (auto; lia).
  unfold memory_A, memory_from. ring.
Qed.
Theorem laws_apart_summed : lsum (trajectories d) (fun tau => if counted tau then |inj (law_of_play d xi p tau) - inj (law_of_play d star p tau)| else 0)
  <= (inj (summed d star xi p counted) : F).
Proof.
  eapply le_trans; [apply laws_apart |]. unfold summed. rewrite inj_qsum. apply lsum_le. intros k i. apply in_seq in i. rewrite step_errors_is by lia. apply le_refl.
Qed.
End Two.

(** ** Values: half the span of the returns times the sum of the errors *)
Section Values.
Variables (star xi : point * point) (r : nat -> nat -> Q) (low span : Q).
Hypotheses (star_in : In star (models d)) (xi_in : In xi (models d)).
Hypothesis returns : forall tau, In tau (trajectories d) -> (low <= total_reward r 0 tau <= low + span)%Q.
Theorem value_gap : |inj (V d r xi p) - inj (V d r star p)| + |inj (V d r xi p) - inj (V d r star p)|
  <= (inj span * inj (summed d star xi p (fun _ => true)) : F).
Proof.
  destruct (parts d star star_in) as [it ip], (parts d xi xi_in) as [it' ip'].
  set (l' := fun tau => inj (law_of_play d xi p tau) : F). set (l := fun tau => inj (law_of_play d star p tau) : F).
  set (e := fun tau : trajectory => (inj (total_reward r 0 tau) + inj (total_reward r 0 tau) - (inj low + inj low + inj span) : F)).
  assert (one' : lsum (trajectories d) l' = 1) by exact (law_one (fst xi) (snd xi) it' ip').
  assert (one : lsum (trajectories d) l = 1) by exact (law_one (fst star) (snd star) it ip).
  set (g := inj (V d r xi p) - inj (V d r star p) : F).
  assert (twice : g + g = lsum (trajectories d) (fun tau => (l' tau - l tau) * e tau)).
  { transitivity (lsum (trajectories d) (fun tau => (l' tau - l tau) * (inj (total_reward r 0 tau) + inj (total_reward r 0 tau)))
      - (lsum (trajectories d) l' - lsum (trajectories d) l) * (inj low + inj low + inj span)).
    - rewrite one, one'. unfold g, V. rewrite !inj_qsum, <- lsum_sub.
      replace (lsum (trajectories d) (fun tau => (l' tau - l tau) * (inj (total_reward r 0 tau) + inj (total_reward r 0 tau))) : F) with
        (lsum (trajectories d) (fun tau => inj (law_of_play d xi p tau * total_reward r 0 tau)%Q - inj (law_of_play d star p tau * total_reward r 0 tau)%Q) +
         lsum (trajectories d) (fun tau => inj (law_of_play d xi p tau * total_reward r 0 tau)%Q - inj (law_of_play d star p tau * total_reward r 0 tau)%Q) : F).
      + ring.
      + rewrite <- lsum_add. apply lsum_ext. intros tau _. rewrite !inj_mul. unfold l, l'. fring.
    - rewrite <- !lsum_sub, <- lsum_mulr, <- lsum_sub. apply lsum_ext. intros tau _. unfold e. fring. }
  assert (k : |g + g| <= inj span * inj (summed d star xi p (fun _ => true))).
  { rewrite twice. eapply le_trans; [apply lsum_abs |].
    pose proof (laws_apart_summed star xi star_in xi_in (fun _ => true) (fun _ _ _ _ _ _ _ => eq_refl)) as z. cbv beta iota in z.
    assert (sp : 0 <= (inj span : F)).
    { rewrite <- (inj_0 F). apply inj_le. destruct (trajectories d) as [| tau rest] eqn:et; [exfalso; apply (F_1_neq_0 (c_field F)); rewrite <- one; reflexivity |].
      destruct (returns tau (or_introl eq_refl)) as [a b]. apply (Qle_trans _ _ _ a) in b. apply Qle_minus_iff in b. setoid_replace span with (low + span + - low)%Q by ring. exact b. }
    eapply le_trans; [| apply mul_mono; [exact sp | exact z]]. rewrite <- lsum_mul. apply lsum_le. intros tau i. rewrite abs_mul.
    fold (l' tau) (l tau). replace (|l' tau - l tau| * |e tau|) with (|l' tau - l tau| * |e tau|) by ring.
    replace (inj span * |l' tau - l tau|) with (|l' tau - l tau| * inj span) by ring. apply mul_mono; [apply abs_nonneg |].
    destruct (returns tau i) as [a b]. apply (inj_le F) in a, b. rewrite inj_add in b.
    apply (fun x y => proj1 (le_sub F x y)) in a, b. apply abs_lub; unfold e.
    - apply (le_by F _ _ ((inj low + inj span - inj (total_reward r 0 tau)) + (inj low + inj span - inj (total_reward r 0 tau)))); [ring | now apply add_nonneg].
    - apply (le_by F _ _ ((inj (total_reward r 0 tau) - inj low) + (inj (total_reward r 0 tau) - inj low))); [ring | now apply add_nonneg]. }
  eapply le_trans; [| exact k]. destruct (le_total F 0 g) as [m | m].
  - rewrite !(abs_pos F) by (try apply add_nonneg; exact m). apply le_refl.
  - assert (m' : 0 <= - g) by (apply (le_by F _ _ (0 - g)); [ring | exact (proj1 (le_sub F _ _) m)]).
    rewrite <- (abs_opp F g), <- (abs_opp F (g + g)), (abs_pos F (- g) m'). replace (- (g + g)) with (- g + - g) by ring.
    rewrite (abs_pos F (- g + - g)) by now apply add_nonneg. apply le_refl.
Qed.
End Values.
End Pi.
End Field.

(** ** The two corollaries, over the rationals *)
Lemma nth_firstn' {A} h (l : list A) (x : A) : (h < S h)%nat -> nth h (firstn (S h) l) x = nth h l x.
Proof.
  intros _. revert l. induction h as [| h ih]; intros [| y l]; try reflexivity. cbn [firstn nth]. apply (ih l).
Qed.
Section Corollaries.
Variables (d : doc) (p : nat) (star xi : point * point).
Hypotheses (ok : class_of_games d) (wA : (1 <= policy_window d)%nat) (wB : (1 <= response_window d)%nat) (p_lt : (p < List.length (policies d))%nat).
Hypotheses (star_in : In star (models d)) (xi_in : In xi (models d)).
Definition laws_distance : Q := qsum (trajectories d) (fun tau => Qabs (law_of_play d xi p tau - law_of_play d star p tau))%Q.
(** ||P_xi - P_star||_1 is at most the errors of all observations that could follow, summed *)
Theorem simulation_summed : (laws_distance <= summed d star xi p (fun _ => true))%Q.
Proof.
  apply reflect. unfold laws_distance. rewrite inj_qsum.
  eapply le_trans; [| apply (laws_apart_summed rationals d ok wA wB p p_lt star xi star_in xi_in (fun _ => true)); intros; reflexivity].
  apply lsum_le. intros tau _. rewrite inj_abs, inj_sub. apply le_refl.
Qed.
(** |V(xi) - V(star)| <= (span / 2) times the same *)
Theorem simulation_values r low span : (forall tau, In tau (trajectories d) -> (low <= total_reward r 0 tau <= low + span)%Q) ->
  (2 * Qabs (V d r xi p - V d r star p) <= span * summed d star xi p (fun _ => true))%Q.
Proof.
  intro ret. apply reflect. rewrite !inj_mul, inj_abs, inj_sub. pose proof (value_gap rationals d ok wA wB p p_lt star xi r low span star_in xi_in ret) as k.
  eapply le_trans; [| exact k]. rewrite (inj_eq rationals 2 (1 + 1)%Q) by reflexivity. rewrite inj_add, inj_1.
  set (x := cabs _). replace (cmul (cadd c1 c1) x) with (cadd x x); [apply le_refl |]. cbn. ring.
Qed.
(** operators at the realised observation: ||P_xi - P_star||_1 <= F_xi / p_min where a possible observation has at least the chance p_min, and
    the trajectories that star rules out are ruled out by xi *)
Theorem simulation_realised p_min : (0 < p_min)%Q ->
  (forall k seen o a, (k < horizon d)%nat -> In seen (trajectories_of d k) -> (o < nOA d)%nat -> (a < nA d)%nat ->
     ~ (law_of_play d star p (seen ++ [(o, a)]) == 0)%Q ->
     (p_min * law_of_play d star p seen * policy_of d p k (memory_A d seen ++ [o]) a <= law_of_play d star p (seen ++ [(o, a)]))%Q) ->
  (forall tau, In tau (trajectories d) -> (law_of_play d star p tau == 0)%Q -> (law_of_play d xi p tau == 0)%Q) ->
  (p_min * laws_distance <= F_joint d star xi p)%Q.
Proof.
  intros pp least same_zero. destruct (parts d star star_in) as [it ip].
  set (counted := fun seen => negb (Qeq_bool (law_of_play d star p seen) 0)).
  assert (pos : forall k seen, (k <= horizon d)%nat -> In seen (trajectories_of d k) -> (0 <= law_of_play d star p seen)%Q).
  { intros k seen hk i. destruct (in_trajectories d _ _ i) as [e rr]. apply reflect. rewrite inj_0. unfold law_of_play. rewrite law_split.
    apply mul_nonneg; rewrite <- inj_0; apply inj_le.
    - apply chosen_nonneg; auto; [lia | unfold memories_A; rewrite Nat.min_0_r; now left].
    - unfold mass. apply qsum_nonneg. intros c j. apply (weights_nonneg d ok wA wB p p_lt (fst star) (snd star) it ip).
      + intros o a z. apply in_rev in z. now apply rr.
      + rewrite rev_length. lia.
      + exact j. }
  assert (cl : forall k seen x, (k < horizon d)%nat -> In seen (trajectories_of d k) -> In x (pairs d) -> counted (seen ++ [x]) = true -> counted seen = true).
  { intros k seen x hk i ix c. unfold counted in *. rewrite negb_true_iff in c |- *. destruct (Qeq_bool (law_of_play d star p seen) 0) eqn:z; [| reflexivity].
    exfalso. apply Qeq_bool_iff in z. apply Qeq_bool_neq in c. apply c.
    assert (le0 : (law_of_play d star p (seen ++ [x]) <= law_of_play d star p seen)%Q).
    { apply reflect. unfold law_of_play. rewrite <- (law_grow rationals d ok wA wB p p_lt (fst star) (snd star) it ip k seen hk i).
      rewrite <- inj_qsum. apply inj_le. apply (qsum_term (pairs d) (fun x => law_against d (world_of d (fst star)) (response_of d (snd star) p) (policy_of d p) (seen ++ [x]))); [| exact ix].
      intros y iy. apply (pos (S k)); [lia | now apply grow_in]. }
    rewrite z in le0. apply Qle_antisym; [exact le0 |]. apply (pos (S k)); [lia | now apply grow_in]. }
  apply reflect. rewrite inj_mul.
  assert (pm : cle c0 (inj p_min : rationals)) by (rewrite <- inj_0; apply inj_le; now apply Qlt_le_weak).
  apply le_trans with (cmul (inj p_min) (inj (summed d star xi p counted) : rationals)).
  - apply mul_mono; [exact pm |]. unfold laws_distance. rewrite inj_qsum.
    eapply le_trans; [| apply (laws_apart_summed rationals d ok wA wB p p_lt star xi star_in xi_in counted cl)].
    apply lsum_le. intros tau i. destruct (counted tau) eqn:c; [rewrite inj_abs, inj_sub; apply le_refl |].
    unfold counted in c. apply negb_false_iff, Qeq_bool_iff in c. pose proof (same_zero tau i c) as c'.
    rewrite (inj_eq rationals _ 0%Q); [rewrite inj_0; apply le_refl |]. now rewrite c, c'.
  - rewrite <- inj_mul. unfold F_joint, expected_sum, summed.
    set (f := fun h (t : trajectory) => inj (J_error d star xi p (firstn h t) (fst (nth h t (O, O))) (snd (nth h t (O, O)))) : rationals).
    assert (e : (inj (qsum (trajectories d) (fun tau => law_of_play d star p tau * qsum (seq 0 (horizon d)) (fun h =>
       J_error d star xi p (firstn h tau) (fst (nth h tau (O, O))) (snd (nth h tau (O, O)))))%Q) : rationals)
      = lsum (seq 0 (horizon d)) (fun h => lsum (trajectories_of d h) (fun seen => lsum (pairs d) (fun x =>
          cmul (inj (law_of_play d star p (seen ++ [x]))) (inj (J_error d star xi p seen (fst x) (snd x))))))).
    { rewrite inj_qsum.
      rewrite (lsum_ext rationals _ _ (fun tau => lsum (seq 0 (horizon d)) (fun h => cmul (inj (law_of_play d star p tau)) (f h (firstn (S h) tau))))).
      - rewrite lsum_swap. apply lsum_ext. intros h ih. apply in_seq in ih.
        unfold law_of_play, trajectories. rewrite (marginal rationals d ok wA wB p p_lt (fst star) (snd star) it ip (S h) (horizon d) (f h)) by lia.
        rewrite grow. apply lsum_ext. intros seen i. destruct (in_trajectories d _ _ i) as [l _]. apply lsum_ext. intros x _. f_equal. unfold f.
        rewrite <- l, firstn_app, firstn_all, Nat.sub_diag, firstn_O, app_nil_r, nth_middle. reflexivity.
      - intros tau i. destruct (in_trajectories d _ _ i) as [l _]. rewrite inj_mul, inj_qsum, <- lsum_mul. apply lsum_ext. intros h ih. apply in_seq in ih.
        f_equal. unfold f. rewrite firstn_firstn, Nat.min_l by lia. rewrite (nth_firstn' h tau) by lia. reflexivity. }
    rewrite e. rewrite inj_mul, inj_qsum, <- lsum_mul. apply lsum_le. intros h ih. apply in_seq in ih. rewrite inj_qsum, <- lsum_mul. apply lsum_le. intros seen i.
    destruct (in_trajectories d _ _ i) as [l rr]. rewrite inj_mul. unfold summed_error. rewrite inj_qsum, <- !lsum_mul. apply lsum_le. intros [o a] ix.
    pose proof ix as ix'. unfold pairs in ix'. apply in_prod_iff in ix'. destruct ix' as [io ia]. apply in_seq in io, ia. cbn [fst snd].
    rewrite <- !inj_mul. apply inj_le.
    assert (je : (0 <= J_error d star xi p seen o a)%Q) by (unfold J_error; apply qsum_nonneg; intros; apply Qabs_nonneg).
    destruct (counted (seen ++ [(o, a)])) eqn:c.
    + rewrite l. setoid_replace (p_min * (law_of_play d star p seen * (policy_of d p h (memory_A d seen ++ [o]) a * J_error d star xi p seen o a)))%Q
        with ((p_min * law_of_play d star p seen * policy_of d p h (memory_A d seen ++ [o]) a) * J_error d star xi p seen o a)%Q by ring.
      apply Qmult_le_compat_r; [| exact je]. apply least; auto; try lia. unfold counted in c. apply negb_true_iff in c. now apply Qeq_bool_neq in c.
    + setoid_replace (p_min * (law_of_play d star p seen * 0))%Q with 0%Q by ring. apply Qmult_le_0_compat; [| exact je].
      apply (pos (S h)); [lia | now apply grow_in].
Qed.
End Corollaries.
