(** Assumption 3.1(e): divergence of laws of play against expected squared errors, one enclosed logarithm per model and trajectory,
    rough ones first. *)
From Pomgcheck Require Import Logs OrderedField Statements WeakRevealing TrajectoryLaws ForwardLaws BoundedIncrements ForwardErrors RealSums.
From Coq Require Import QArith Qreals.
Open Scope nat_scope.

(** precision: bits of fixed point and terms of the series *)
Definition coarse : positive * nat := (32%positive, 10).
Definition fine : positive * nat := (64%positive, 20).
Definition finest : positive * nat := (256%positive, 80).          (* for models that lie close together *)
Notation two pr := (near (fst pr) (snd pr) 2).
(** the law of a trajectory, with an enclosure of its logarithm where it is positive *)
Definition cell (pr : positive * nat) (ln2 : option (Q * Q)) (P : Q) : Q * option (Q * Q) := (P, if Qle_bool P 0 then None else enclose (fst pr) (snd pr) ln2 P).
(** ends of sum P (ln P - ln P') *)
Fixpoint divergence_ends (u v : list (Q * option (Q * Q))) : option (Q * Q) :=
  match u, v with
  | [], [] => Some (0%Q, 0%Q)
  | (P, e) :: u, (_, e') :: v =>
      match divergence_ends u v with
      | None => None
      | Some (lo, hi) =>
          if Qeq_bool P 0 then Some (lo, hi) else
          match e, e' with
          | Some (a, b), Some (a', b') => Some (Qred (P * (a - b') + lo), Qred (P * (b - a') + hi))%Q
          | _, _ => None
          end
      end
  | _, _ => None
  end.
Fixpoint same_law (u v : list (Q * option (Q * Q))) : bool :=
  match u, v with [], [] => true | (P, _) :: u, (P', _) :: v => Qeq_bool P P' && same_law u v | _, _ => false end.
(** a lower and an upper end of KL; equal laws are told without a logarithm *)
Definition kl_ends (u v : list (Q * option (Q * Q))) : option (Q * Q) := if same_law u v then Some (0%Q, 0%Q) else divergence_ends u v.

(** laws of the model of this number, one a row *)
Definition column (rs : list (trajectory * list Q)) (i : nat) : list Q := map (fun r => nth i (snd r) 0%Q) rs.
Definition cells pr ln2 rs i := map (cell pr ln2) (column rs i).
(** [test] of the ends of KL, roughly enclosed, and if that does not do, more finely *)
Definition tested (test : Q * Q -> bool) (ends : option (Q * Q)) : bool := match ends with Some e => test e | None => false end.
Definition by_ends rs (fine2 : option (Q * Q)) (test : Q * Q -> bool) (u v : nat * list (Q * option (Q * Q))) : bool :=
  let again pr ln2 := tested test (kl_ends (cells pr ln2 rs (fst u)) (cells pr ln2 rs (fst v))) in
  if tested test (kl_ends (snd u) (snd v)) then true else if again fine fine2 then true else again finest (two finest).
(** whether the first model allows what the second does not: its divergence is infinite *)
Definition infinite (rs : list (trajectory * list Q)) (i j : nat) : bool :=
  existsb (fun r => if Qeq_bool (nth j (snd r) 0%Q) 0 then negb (Qeq_bool (nth i (snd r) 0%Q) 0) else false) rs.
Definition check_conversion d (only_finite : bool) (of_world : bool) (c : Q) : bool :=
  negb (Qle_bool c 0) &&
  (let rough2 := two coarse in let fine2 := two fine in let m := List.length (phis d) in
   forallb (fun p =>
     let rs := rows d p (models d) (horizon d) in
     let t := map (fun i => (i, map (fun j => (j, (i * m + j, cells coarse rough2 rs (i * m + j)))) (seq 0 m))) (seq 0 (List.length (thetas d))) in
     forallb (fun x => forallb (fun y =>
       let star := (nth (fst x) (thetas d) [], nth (fst y) (phis d) []) in
       let ns := nodes_of d star p in
       forallb (fun x' =>
         let theta := nth (fst x') (thetas d) [] in
         let e := if of_world then expected_world d (world_of d (fst star)) (world_of d theta) ns else 0%Q in
         forallb (fun y' =>
           let e := if of_world then e else expected_joint d (theta, nth (fst y') (phis d) []) p ns in
           if (if only_finite then infinite rs (fst (snd y)) (fst (snd y')) else false) then true else
           by_ends rs fine2 (fun ends => Qle_bool (c * e) (fst ends)) (snd y) (snd y')) (snd x')) t) (snd x)) t)
     (seq 0 (List.length (policies d)))).

Open Scope R_scope.
Lemma Q2R_zero q : (q == 0)%Q -> Q2R q = 0.
Proof. intro h. rewrite (Qeq_eqR _ _ h). unfold Q2R. simpl. lra. Qed.
Section Ends.
Context {A : Type}.
Variables (U V : A -> Q) (pr : positive * nat).
Definition term r : R := Q2R (U r) * ln (Q2R (U r) / Q2R (V r)).
Lemma positive_cell P a b : snd (cell pr (two pr) P) = Some (a, b) -> 0 < Q2R P /\ Q2R a <= ln (Q2R P) <= Q2R b.
Proof.
  unfold cell. cbn [snd]. destruct (Qle_bool P 0) eqn:z; [discriminate |]. intro e.
  assert (k : 0 < Q2R P).
  { assert (l : (0 < P)%Q) by (apply Qnot_le_lt; intro l; apply Qle_bool_iff in l; congruence). apply Qlt_Rlt in l. unfold Q2R at 1 in l. simpl in l. lra. }
  apply enclose_sound in e; [| exact k]. now split.
Qed.
Lemma ends_cons x y u v : divergence_ends (cell pr (two pr) x :: u) (cell pr (two pr) y :: v) =
  match divergence_ends u v with
  | None => None
  | Some (lo, hi) => if Qeq_bool x 0 then Some (lo, hi) else
      match snd (cell pr (two pr) x), snd (cell pr (two pr) y) with
      | Some (a, b), Some (a', b') => Some (Qred (x * (a - b') + lo), Qred (x * (b - a') + hi))%Q
      | _, _ => None
      end
  end.
Proof. reflexivity. Qed.
Lemma same_cons x y u v : same_law (cell pr (two pr) x :: u) (cell pr (two pr) y :: v) = (Qeq_bool x y && same_law u v)%bool.
Proof. reflexivity. Qed.
Lemma ends_sound rs : forall lo hi,
  divergence_ends (map (cell pr (two pr)) (map U rs)) (map (cell pr (two pr)) (map V rs)) = Some (lo, hi) -> Q2R lo <= sum rs term <= Q2R hi.
Proof.
  induction rs as [| r rs ih]; intros lo hi e; cbn [map sum] in e |- *.
  - cbn [divergence_ends] in e. injection e as <- <-. unfold Q2R. simpl. lra.
  - rewrite ends_cons in e. destruct (divergence_ends _ _) as [[l h] |] eqn:d; [| discriminate]. specialize (ih l h eq_refl).
    destruct (Qeq_bool (U r) 0) eqn:z.
    + assert (el : lo = l) by congruence. assert (eh : hi = h) by congruence. rewrite el, eh. clear e el eh. apply Qeq_bool_iff in z. unfold term at 1 3. rewrite (Q2R_zero _ z). lra.
    + destruct (snd (cell pr (two pr) (U r))) as [[a b] |] eqn:e1; [| discriminate].
      destruct (snd (cell pr (two pr) (V r))) as [[a' b'] |] eqn:e2; [| discriminate].
      apply positive_cell in e1, e2. destruct e1 as [p1 e1], e2 as [p2 e2].
      assert (el : lo = Qred (U r * (a - b') + l)) by congruence. assert (eh : hi = Qred (U r * (b - a') + h)) by congruence.
      rewrite el, eh, !(Qeq_eqR _ _ (Qred_correct _)), !Q2R_plus, !Q2R_mult, !Q2R_minus.
      unfold term at 1 3. unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; assumption). nra.
Qed.
Lemma same_sound rs : same_law (map (cell pr (two pr)) (map U rs)) (map (cell pr (two pr)) (map V rs)) = true -> sum rs term = 0.
Proof.
  induction rs as [| r rs ih]; cbn [map sum]; [reflexivity |]. rewrite same_cons. intro h. apply andb_true_iff in h. destruct h as [h k].
  rewrite (ih k). apply Qeq_bool_iff in h. unfold term. rewrite (Qeq_eqR _ _ h).
  destruct (Req_dec (Q2R (V r)) 0) as [z | z]; [rewrite z; lra |]. unfold Rdiv. rewrite Rinv_r by exact z. rewrite ln_1. lra.
Qed.
Lemma kl_ends_sum rs lo hi : kl_ends (map (cell pr (two pr)) (map U rs)) (map (cell pr (two pr)) (map V rs)) = Some (lo, hi) -> Q2R lo <= sum rs term <= Q2R hi.
Proof.
  unfold kl_ends. destruct (same_law _ _) eqn:s; intro e; [| now apply ends_sound].
  apply same_sound in s. rewrite s. injection e as <- <-. unfold Q2R. simpl. lra.
Qed.
End Ends.
Section Rows.
Variables (d : doc) (p : nat) (xs : list (point * point)).
Lemma nth_law qs tau i : Forall2 Qeq qs (map (fun xi => law_of_play d xi p tau) xs) -> (i < List.length xs)%nat ->
  (nth i qs 0 == law_of_play d (nth i xs ([], [])) p tau)%Q.
Proof.
  revert qs i. induction xs as [| x l ih]; intros qs i k hi; [now apply Nat.nlt_0_r in hi |]. inversion k; subst.
  destruct i as [| i]; cbn [nth]; [assumption |]. apply ih; [assumption | now apply Nat.succ_lt_mono].
Qed.
Theorem kl_ends_sound pr i j lo hi : (i < List.length xs)%nat -> (j < List.length xs)%nat ->
  kl_ends (cells pr (two pr) (rows d p xs (horizon d)) i) (cells pr (two pr) (rows d p xs (horizon d)) j) = Some (lo, hi) ->
  Q2R lo <= KL d (nth i xs ([], [])) (nth j xs ([], [])) p <= Q2R hi.
Proof.
  intros hi' hj e. unfold cells, column in e. apply kl_ends_sum in e. unfold KL, trajectories. rewrite (sum_of_rows d p xs).
  - erewrite sum_ext; [exact e |]. intros [tau qs] ir. apply laws_of_rows in ir. unfold term. cbn [fst snd].
    now rewrite (Qeq_eqR _ _ (nth_law qs tau i ir hi')), (Qeq_eqR _ _ (nth_law qs tau j ir hj)).
  - intros tau z. rewrite (Q2R_zero _ (z _ (nth_In _ _ hi'))). lra.
Qed.
(** what [by_ends] found holds of some ends of KL *)
Theorem by_ends_sound test i j : (i < List.length xs)%nat -> (j < List.length xs)%nat -> let rs := rows d p xs (horizon d) in
  by_ends rs (two fine) test (i, cells coarse (two coarse) rs i) (j, cells coarse (two coarse) rs j) = true ->
  exists lo hi, test (lo, hi) = true /\ Q2R lo <= KL d (nth i xs ([], [])) (nth j xs ([], [])) p <= Q2R hi.
Proof.
  intros hi' hj rs.
  assert (g : forall pr, tested test (kl_ends (cells pr (two pr) rs i) (cells pr (two pr) rs j)) = true ->
    exists lo hi, test (lo, hi) = true /\ Q2R lo <= KL d (nth i xs ([], [])) (nth j xs ([], [])) p <= Q2R hi).
  { intros pr t. unfold tested in t. destruct (kl_ends _ _) as [[lo hi] |] eqn:e; [| discriminate]. exists lo, hi. split; [exact t | now apply (kl_ends_sound pr)]. }
  unfold by_ends. cbn [fst snd]. destruct (tested test (kl_ends (cells coarse _ _ _) _)) eqn:e; [intros _; now apply (g coarse) |].
  destruct (tested test (kl_ends (cells fine _ _ _) _)) eqn:f; [intros _; now apply (g fine) | apply (g finest)].
Qed.
End Rows.
Lemma nth_list_prod {A B} (l : list A) (m : list B) x y i j : (i < List.length l)%nat -> (j < List.length m)%nat ->
  nth (i * List.length m + j) (list_prod l m) (x, y) = (nth i l x, nth j m y) /\ (i * List.length m + j < List.length (list_prod l m))%nat.
Proof.
  intros hi hj. split.
  - revert i hi. induction l as [| a l ih]; intros i hi; [now apply Nat.nlt_0_r in hi |]. cbn [list_prod]. destruct i as [| i].
    + cbn [Nat.mul Nat.add nth]. rewrite app_nth1 by now rewrite map_length. rewrite (nth_indep _ (x, y) (a, y)) by now rewrite map_length.
      exact (map_nth (fun b => (a, b)) m y j).
    + rewrite app_nth2 by (rewrite map_length; nia). rewrite map_length. replace (S i * List.length m + j - List.length m)%nat with (i * List.length m + j)%nat by nia.
      cbn [nth]. apply ih. now apply Nat.succ_lt_mono.
  - rewrite prod_length. nia.
Qed.

Definition operator_error d (of_world : bool) star xi p : trajectory -> nat -> nat -> Q :=
  if of_world then W_error d star xi p else J_error d star xi p.
Lemma expected_is d of_world star xi p :
  (expected_fast d of_world star xi p == expected_sum d star p (fun seen o a => operator_error d of_world star xi p seen o a * operator_error d of_world star xi p seen o a))%Q.
Proof. rewrite expected_fast_is. unfold stated_error, operator_error. destruct of_world; reflexivity. Qed.
(** ** Divergences that are infinite are no less than anything: 3.1(e) asks of the others *)
Definition finite_divergence d star xi p : Prop := forall tau, In tau (trajectories d) -> (law_of_play d xi p tau == 0)%Q -> (law_of_play d star p tau == 0)%Q.
Definition kl_where d (only_finite : bool) (error : point * point -> point * point -> nat -> trajectory -> nat -> nat -> Q) (c : Q) : Prop :=
  (0 < c)%Q /\ forall star xi, In star (models d) -> In xi (models d) -> forall p, (p < List.length (policies d))%nat -> (only_finite = true -> finite_divergence d star xi p) ->
  Q2R (c * expected_sum d star p (fun seen o a => error star xi p seen o a * error star xi p seen o a))%Q <= KL d star xi p.
Lemma infinite_sound d p xs i j : (i < List.length xs)%nat -> (j < List.length xs)%nat -> infinite (rows d p xs (horizon d)) i j = true ->
  ~ finite_divergence d (nth i xs ([], [])) (nth j xs ([], [])) p.
Proof.
  intros hi hj k f. apply existsb_exists in k. destruct k as ([tau qs] & ir & k). cbn [snd] in k. pose proof (rows_in d p xs (horizon d) tau qs ir) as it. apply laws_of_rows in ir.
  pose proof (nth_law d p xs qs tau i ir hi) as ei. pose proof (nth_law d p xs qs tau j ir hj) as ej. destruct (Qeq_bool (nth j qs 0%Q) 0) eqn:z; [| discriminate].
  apply Qeq_bool_iff in z. rewrite ej in z. specialize (f tau it z). rewrite <- ei in f. apply negb_true_iff in k. apply Qeq_bool_iff in f. congruence.
Qed.
Theorem check_conversion_sound d only of_world c : check_conversion d only of_world c = true -> kl_where d only (operator_error d of_world) c.
Proof.
  unfold check_conversion. cbv zeta. rewrite andb_true_iff, forallb_forall. intros [c0 hc]. split; [apply Qnot_le_lt; intro k; apply Qle_bool_iff in k; rewrite k in c0; discriminate |].
  intros [theta phi] [theta' phi'] is ix p hp finite. specialize (hc p ltac:(apply in_seq; lia)).
  apply in_prod_iff in is, ix. destruct is as [it iphi], ix as [it' iphi'].
  apply (In_nth _ _ ([] : point)) in it, iphi, it', iphi'. destruct it as (i & hi & ei), iphi as (j & hj & ej), it' as (i' & hi' & ei'), iphi' as (j' & hj' & ej').
  set (m := List.length (phis d)) in *. set (rs := rows d p (models d) (horizon d)) in *.
  set (row := fun i => (i, map (fun j => (j, ((i * m + j)%nat, cells coarse (two coarse) rs (i * m + j)))) (seq 0 m))) in *.
  assert (irow : forall i, (i < List.length (thetas d))%nat -> In (row i) (map row (seq 0 (List.length (thetas d))))) by (intros k hk; apply in_map, in_seq; lia).
  assert (icell : forall i j, (j < m)%nat -> In (j, ((i * m + j)%nat, cells coarse (two coarse) rs (i * m + j))) (snd (row i))).
  { intros k l hl. unfold row. cbn [snd]. apply (in_map (fun j => (j, ((k * m + j)%nat, cells coarse (two coarse) rs (k * m + j))))), in_seq. lia. }
  rewrite forallb_forall in hc. specialize (hc _ (irow i hi)). rewrite forallb_forall in hc. specialize (hc _ (icell i j hj)).
  rewrite forallb_forall in hc. specialize (hc _ (irow i' hi')). rewrite forallb_forall in hc. specialize (hc _ (icell i' j' hj')). cbn [fst snd row] in hc.
  destruct (nth_list_prod (thetas d) (phis d) ([] : point) ([] : point) i j hi hj) as [en en'], (nth_list_prod (thetas d) (phis d) ([] : point) ([] : point) i' j' hi' hj') as [en2 en2'].
  fold m in en, en', en2, en2'.
  rewrite ei, ej, ei', ej' in hc. assert (other : (if only then infinite rs (i * m + j) (i' * m + j') else false) = false).
  { destruct only; [| reflexivity]. destruct (infinite rs (i * m + j) (i' * m + j')) eqn:inf; [| reflexivity]. exfalso.
    refine (infinite_sound d p (models d) _ _ en' en2' inf _). unfold models, point in *. rewrite en, en2, ei, ej, ei', ej'. now apply finite. }
  rewrite other in hc. apply (by_ends_sound d p (models d)) in hc; [| exact en' | exact en2']. destruct hc as (lo & h & t & k). unfold models, point in k, en, en2, ei, ej, ei', ej'. rewrite en, en2, ei, ej, ei', ej' in k.
  cbn [fst snd] in t. apply Qle_bool_iff in t.
  assert (e : ((if of_world then expected_world d (world_of d theta) (world_of d theta') (nodes_of d (theta, phi) p) else expected_joint d (theta', phi') p (nodes_of d (theta, phi) p))
    == expected_fast d of_world (theta, phi) (theta', phi') p)%Q) by (unfold expected_fast; destruct of_world; reflexivity).
  destruct of_world; rewrite e, expected_is in t; apply Qle_Rle in t; exact (Rle_trans _ _ _ t (proj1 k)).
Qed.
Lemma kl_everywhere d error c : kl_where d false error c -> kl_conversion d error c.
Proof. intros [c0 k]. split; [exact c0 |]. intros star xi is ix p hp. apply k; auto. discriminate. Qed.
Theorem check_kl_joint d c : check_conversion d false false c = true -> kl_joint d c.
Proof. intro h. apply kl_everywhere. exact (check_conversion_sound d false false c h). Qed.
Theorem check_kl_world d c : check_conversion d false true c = true -> kl_world d c.
Proof. intro h. apply kl_everywhere. exact (check_conversion_sound d false true c h). Qed.
(** the same of the divergences that are finite *)
Definition kl_finite d (of_world : bool) (c : Q) : Prop := kl_where d true (operator_error d of_world) c.
Theorem check_kl_finite d of_world c : check_conversion d true of_world c = true -> kl_finite d of_world c.
Proof. apply check_conversion_sound. Qed.

(** ** Two models at which no larger c will do; with equal laws none at all *)
Open Scope nat_scope.
Definition check_divergence d (of_world : bool) star xi p (c : Q) : bool :=
  in_class d star && in_class d xi && (p <? List.length (policies d)) &&
  (let e := expected_fast d of_world star xi p in let rs := rows d p [star; xi] (horizon d) in let rough2 := two coarse in
   negb (Qle_bool e 0) && by_ends rs (two fine) (fun ends => Qle_bool (snd ends) (c * e)) (0, cells coarse rough2 rs 0) (1, cells coarse rough2 rs 1)).
Lemma divergence_refutes d of_world star xi p c : check_divergence d of_world star xi p c = true -> forall c', (c < c')%Q -> (0 < c')%Q ->
  ~ (Q2R (c' * expected_sum d star p (fun seen o a => operator_error d of_world star xi p seen o a * operator_error d of_world star xi p seen o a))%Q <= KL d star xi p)%R.
Proof.
  unfold check_divergence. cbv zeta. rewrite !andb_true_iff. intros [[[is ix] hp] [e0 h]] c' hc _ k. apply BoundedIncrements.not_le in e0.
  apply (by_ends_sound d p [star; xi]) in h; [| cbn; lia | cbn; lia]. destruct h as (lo & hi & h & e). cbn [nth snd] in h, e. apply Qle_bool_iff in h.
  rewrite (Qeq_eqR _ (c' * expected_fast d of_world star xi p)%Q) in k by now rewrite expected_is.
  assert (l : (c' * expected_fast d of_world star xi p <= c * expected_fast d of_world star xi p)%Q).
  { apply Rle_Qle. apply Qle_Rle in h. lra. }
  apply (Qlt_irrefl (c * expected_fast d of_world star xi p)). apply Qlt_le_trans with (c' * expected_fast d of_world star xi p)%Q; [now apply Qmult_lt_compat_r | exact l].
Qed.
Theorem check_divergence_sound d of_world star xi p c : check_divergence d of_world star xi p c = true ->
  forall c', (c < c')%Q -> ~ kl_conversion d (operator_error d of_world) c'.
Proof.
  intros h c' hc [c0 k]. pose proof h as h'. unfold check_divergence in h'. cbv zeta in h'. rewrite !andb_true_iff in h'. destruct h' as [[[is ix] hp] _].
  apply in_class_sound in is, ix. apply Nat.ltb_lt in hp. exact (divergence_refutes d of_world star xi p c h c' hc c0 (k star xi is ix p hp)).
Qed.
Theorem no_divergence d of_world star xi p : check_divergence d of_world star xi p 0 = true -> forall c, ~ kl_conversion d (operator_error d of_world) c.
Proof. intros h c k. exact (check_divergence_sound d of_world star xi p 0 h c (proj1 k) k). Qed.
Theorem no_more_kl_joint d star xi p c : check_divergence d false star xi p c = true -> forall c', (c < c')%Q -> ~ kl_joint d c'.
Proof. apply check_divergence_sound. Qed.
Theorem no_more_kl_world d star xi p c : check_divergence d true star xi p c = true -> forall c', (c < c')%Q -> ~ kl_world d c'.
Proof. apply check_divergence_sound. Qed.
Theorem no_kl_joint d star xi p : check_divergence d false star xi p 0 = true -> forall c, ~ kl_joint d c.
Proof. apply no_divergence. Qed.
Theorem no_kl_world d star xi p : check_divergence d true star xi p 0 = true -> forall c, ~ kl_world d c.
Proof. apply no_divergence. Qed.
Lemma ends_finite {A} (U V : A -> Q) pr rs : forall e, divergence_ends (map (cell pr (two pr)) (map U rs)) (map (cell pr (two pr)) (map V rs)) = Some e ->
  forall r, In r rs -> (V r == 0)%Q -> (U r == 0)%Q.
Proof.
  induction rs as [| x rs ih]; intros e h r i z; [destruct i |]. cbn [map] in h. rewrite ends_cons in h. destruct (divergence_ends _ _) as [[l u] |] eqn:d; [| discriminate].
  destruct i as [<- | i]; [| exact (ih _ eq_refl r i z)]. destruct (Qeq_bool (U x) 0) eqn:k; [now apply Qeq_bool_iff |].
  destruct (snd (cell pr (two pr) (U x))) as [[a b] |]; [| discriminate]. destruct (snd (cell pr (two pr) (V x))) as [[a' b'] |] eqn:ev; [| discriminate].
  apply positive_cell in ev. destruct ev as [ev _]. rewrite (Q2R_zero _ z) in ev. lra.
Qed.
Lemma same_finite {A} (U V : A -> Q) pr rs : same_law (map (cell pr (two pr)) (map U rs)) (map (cell pr (two pr)) (map V rs)) = true ->
  forall r, In r rs -> (V r == 0)%Q -> (U r == 0)%Q.
Proof.
  induction rs as [| x rs ih]; intros h r i z; [destruct i |]. cbn [map] in h. rewrite same_cons in h. apply andb_true_iff in h. destruct h as [h k].
  destruct i as [<- | i]; [apply Qeq_bool_iff in h; now rewrite h | now apply (ih k)].
Qed.
Lemma kl_ends_finite d p xs pr i j e : (i < List.length xs)%nat -> (j < List.length xs)%nat ->
  kl_ends (cells pr (two pr) (rows d p xs (horizon d)) i) (cells pr (two pr) (rows d p xs (horizon d)) j) = Some e ->
  finite_divergence d (nth i xs ([], [])) (nth j xs ([], [])) p.
Proof.
  intros hi hj k tau it z. destruct (rows_complete d p xs (horizon d) tau it) as [(qs & ir) | none]; [| exact (none _ (nth_In _ _ hi))].
  pose proof (laws_of_rows d p xs (horizon d) tau qs ir) as l. pose proof (nth_law d p xs qs tau i l hi) as ei. pose proof (nth_law d p xs qs tau j l hj) as ej.
  rewrite <- ei. rewrite <- ej in z. unfold kl_ends, cells, column in k.
  destruct (same_law _ _) eqn:s; [exact (same_finite _ _ _ _ s _ ir z) | exact (ends_finite _ _ _ _ _ k _ ir z)].
Qed.
Lemma by_ends_finite d p xs test i j : (i < List.length xs)%nat -> (j < List.length xs)%nat -> let rs := rows d p xs (horizon d) in
  by_ends rs (two fine) test (i, cells coarse (two coarse) rs i) (j, cells coarse (two coarse) rs j) = true -> finite_divergence d (nth i xs ([], [])) (nth j xs ([], [])) p.
Proof.
  intros hi hj rs. assert (g : forall pr, tested test (kl_ends (cells pr (two pr) rs i) (cells pr (two pr) rs j)) = true -> finite_divergence d (nth i xs ([], [])) (nth j xs ([], [])) p).
  { intros pr t. unfold tested in t. destruct (kl_ends _ _) as [e |] eqn:k; [exact (kl_ends_finite _ _ _ _ _ _ e hi hj k) | discriminate]. }
  unfold by_ends. cbn [fst snd]. destruct (tested test (kl_ends (cells coarse _ _ _) _)) eqn:e; [intros _; now apply (g coarse) |].
  destruct (tested test (kl_ends (cells fine _ _ _) _)) eqn:f; [intros _; now apply (g fine) | apply (g finest)].
Qed.
Theorem no_more_finite d of_world star xi p c : check_divergence d of_world star xi p c = true -> forall c', (c < c')%Q -> ~ kl_finite d of_world c'.
Proof.
  intro h. pose proof h as h'. unfold check_divergence in h'. cbv zeta in h'. rewrite !andb_true_iff in h'. destruct h' as [[[is ix] hp] [e0 k]].
  apply (by_ends_finite d p [star; xi]) in k; [| cbn; lia | cbn; lia]. cbn [nth] in k.
  apply in_class_sound in is, ix. apply Nat.ltb_lt in hp.
  intros c' hc [c0 all]. specialize (all star xi is ix p hp (fun _ => k)). revert h c' hc c0 all. exact (divergence_refutes d of_world star xi p c).
Qed.
