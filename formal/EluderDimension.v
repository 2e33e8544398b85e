(** Proposition 2.6: independent sequences of policies from below; from above the policies and the functions that exceed the scale, and
    enumeration.  First about any table of functions, a row each, then about the two error classes. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing TrajectoryLaws ForwardLaws BoundedIncrements PosteriorLipschitz ForwardErrors Instances CausalDecomposition ChannelTriangle.
From Coq Require Qcanon.
Open Scope nat_scope.

Lemma square_reflects x y : (0 <= y)%Q -> (x * x <= y * y)%Q -> (x <= y)%Q.
Proof.
  intros hy h. apply Qnot_lt_le. intro k. apply (Qlt_irrefl (x * x)). apply Qle_lt_trans with (1 := h).
  apply Qle_lt_trans with (x * y)%Q; [apply Qmult_le_compat_r; [now apply Qlt_le_weak | exact hy] |].
  setoid_replace (x * y)%Q with (y * x)%Q by ring. apply Qmult_lt_compat_r; [now apply Qle_lt_trans with y | exact k].
Qed.
Lemma square_nonneg x : (0 <= x * x)%Q.
Proof. destruct x as [n d]. unfold Qle, Qmult. simpl. nia. Qed.
Lemma one_of_sum {A} (l : list A) (f : A -> Q) z : In z l -> (f z * f z <= qsum l (fun z => f z * f z))%Q.
Proof.
  intro i. induction l as [| y l ih]; [destruct i |]. cbn [qsum]. rewrite Qred_correct. destruct i as [-> | i].
  - rewrite <- (Qplus_0_r (f z * f z)) at 1. apply Qplus_le_r. apply qsum_nonneg. intros. apply square_nonneg.
  - rewrite <- (Qplus_0_l (f z * f z)). apply Qplus_le_compat; [apply square_nonneg | now apply ih].
Qed.
(** what comes before is within the scale *)
Lemma within (f : nat -> Q) alpha before z : (0 <= alpha)%Q -> (qsum before (fun z => f z * f z) <= alpha * alpha)%Q -> In z before -> (f z <= alpha)%Q.
Proof. intros h0 h i. apply square_reflects; [exact h0 |]. eapply Qle_trans; [now apply (one_of_sum before f z) | exact h]. Qed.

(** ** From below, at a squared scale *)
Definition shown (f : nat -> Q) (s : Q) (x : nat) (before : list nat) : bool :=
  Qle_bool (qsum before (fun z => f z * f z)%Q) s && negb (Qle_bool (f x) 0) && negb (Qle_bool (f x * f x) s).
Fixpoint shown_sequence {A} (f : A -> nat -> Q) (s : Q) (l : list (nat * A)) : bool :=    (* the last query first, with its function *)
  match l with [] => true | x :: before => shown (f (snd x)) s (fst x) (map fst before) && shown_sequence f s before end.
Lemma scale_between (us : list Q) (s alpha : Q) : (0 <= alpha)%Q -> (alpha * alpha <= s)%Q -> (forall u, In u us -> (0 < u)%Q /\ (s < u * u)%Q) ->
  exists a, (alpha <= a)%Q /\ (us <> [] -> s <= a * a)%Q /\ forall u, In u us -> (a < u)%Q.
Proof.
  intros a0 ha hu. destruct us as [| u us]; [exists alpha; split; [apply Qle_refl |]; split; [congruence | intros u []] |].
  assert (m : exists m, In m (u :: us) /\ forall x, In x (u :: us) -> (m <= x)%Q).
  { clear. revert u. induction us as [| v us ih]; intro u.
    - exists u. split; [now left | intros x [-> | []]; apply Qle_refl].
    - destruct (ih v) as (m & i & l). destruct (Qlt_le_dec u m) as [k | k].
      + exists u. split; [now left |]. intros x [-> | j]; [apply Qle_refl |]. apply Qlt_le_weak. now apply Qlt_le_trans with (2 := l x j).
      + exists m. split; [now right |]. intros x [<- | j]; [exact k | now apply l]. }
  destruct m as (m & im & least). destruct (hu m im) as [m0 hm]. assert (mn : ~ (m == 0)%Q) by (intro z; rewrite z in m0; now apply (Qlt_irrefl 0)).
  set (a := ((m + s / m) / 2)%Q).
  assert (sq : (s <= a * a)%Q).
  { assert (e : (a * a == s + ((m - s / m) / 2) * ((m - s / m) / 2))%Q) by (unfold a; field; exact mn).
    rewrite e. rewrite <- (Qplus_0_r s) at 1. apply Qplus_le_r. apply square_nonneg. }
  assert (s0 : (0 <= s)%Q) by (eapply Qle_trans; [apply square_nonneg | exact ha]).
  assert (a0' : (0 <= a)%Q).
  { unfold a. apply Qle_shift_div_l; [reflexivity |]. rewrite Qmult_0_l. rewrite <- (Qplus_0_l 0). apply Qplus_le_compat; [now apply Qlt_le_weak |].
    apply Qle_shift_div_l; [exact m0 |]. now rewrite Qmult_0_l. }
  exists a. split; [apply square_reflects; [exact a0' | now apply Qle_trans with s] |]. split; [now intro |].
  intros x i. apply Qlt_le_trans with m; [| now apply least]. unfold a. apply Qlt_shift_div_r; [reflexivity |].
  setoid_replace (m * 2)%Q with (m + m)%Q by ring. apply Qplus_lt_r. apply Qlt_shift_div_r; [exact m0 | exact hm].
Qed.
Theorem shown_at_least {A} (f : A -> nat -> Q) (s : Q) fs domain alpha l : (0 <= alpha)%Q -> (alpha * alpha <= s)%Q -> shown_sequence f s l = true ->
  (forall x, In x l -> fst x < domain) -> (forall x, In x l -> exists g, In g fs /\ forall y, y < domain -> (g y == f (snd x) y)%Q) ->
  eluder_at_least fs domain alpha (List.length l).
Proof.
  intros a0 ha hs hd hf.
  assert (each : forall u, In u (map (fun x => f (snd x) (fst x)) l) -> (0 < u)%Q /\ (s < u * u)%Q).
  { intros u i. apply in_map_iff in i. destruct i as (x & <- & i). clear - hs i. induction l as [| y l ih]; [destruct i |].
    cbn [shown_sequence] in hs. apply andb_true_iff in hs. destruct hs as [h hs]. destruct i as [-> | i]; [| now apply ih].
    unfold shown in h. rewrite !andb_true_iff in h. destruct h as [[_ h] k]. apply not_le in h, k. now split. }
  destruct (scale_between _ s alpha a0 ha each) as (a & h1 & h2 & h3). exists a, (map fst l). split; [exact h1 |]. split; [apply map_length |].
  split; [intros y i; apply in_map_iff in i; destruct i as (x & <- & i); now apply hd |].
  assert (sa : l <> [] -> (s <= a * a)%Q) by (intro n; apply h2; now destruct l).
  clear h1 h2 ha each. induction l as [| x l ih]; [exact I |]. cbn [map independent_sequence]. cbn [shown_sequence] in hs. apply andb_true_iff in hs. destruct hs as [h hs]. split.
  - destruct (hf x (or_introl eq_refl)) as (g & ig & e). exists g. split; [exact ig |]. unfold shown in h. rewrite !andb_true_iff in h. destruct h as [[h _] _].
    apply Qle_bool_iff in h. split.
    + rewrite (qsum_eq_in _ _ (fun z => f (snd x) z * f (snd x) z)%Q); [eapply Qle_trans; [exact h | apply sa; discriminate] |].
      intros z i. apply in_map_iff in i. destruct i as (y & <- & i). now rewrite e by (apply hd; now right).
    + rewrite e by (apply hd; now left). apply h3. now left.
  - apply ih; [exact hs | intros; apply hd; now right | intros; apply hf; now right | intros; apply h3; now right |].
    intro n. apply sa. discriminate.
Qed.

(** ** From above, for a table of functions *)
Definition Q_dec : forall x y : Q, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition row_dec := list_eq_dec Q_dec.
Definition exceeds (alpha : Q) (row : list Q) : bool := existsb (fun v => negb (Qle_bool v alpha)) row.
Definition at_query (x : nat) (row : list Q) : Q := nth x row 0%Q.
Definition columns (rows : list (list Q)) (domain : nat) : list (list Q) := map (fun x => map (at_query x) rows) (seq 0 domain).
Definition count (alpha : Q) (rows : list (list Q)) : nat := List.length (nodup row_dec (filter (exceeds alpha) rows)).
Lemma exceeds_at alpha row x : (0 <= alpha)%Q -> (alpha < at_query x row)%Q -> exceeds alpha row = true.
Proof.
  intros a0 h. apply existsb_exists. unfold at_query in h. destruct (nth_in_or_default x row 0%Q) as [i | e].
  - eexists. split; [exact i |]. apply negb_true_iff. destruct (Qle_bool _ alpha) eqn:k; [| reflexivity]. apply Qle_bool_iff in k. exfalso. apply (Qlt_irrefl alpha). now apply Qlt_le_trans with (1 := h).
  - rewrite e in h. exfalso. apply (Qlt_irrefl 0). now apply Qle_lt_trans with alpha.
Qed.
(** the functions of an independent sequence are different, and exceed the scale *)
Definition of_rows (rows : list (list Q)) : list (nat -> Q) := map (fun row x => at_query x row) rows.
Lemma different_functions rows alpha x : (0 <= alpha)%Q -> independent_sequence (of_rows rows) alpha x ->
  exists rs, List.length rs = List.length x /\ NoDup rs /\ forall r, In r rs -> In r rows /\ exists y, In y x /\ (alpha < at_query y r)%Q.
Proof.
  intro a0. induction x as [| x before ih]; intro h; [exists []; split; [reflexivity |]; split; [constructor | intros r []] |].
  destruct h as [(f & i & s & k) h]. destruct (ih h) as (rs & e & nd & p). unfold of_rows in i. apply in_map_iff in i. destruct i as (row & <- & ir).
  exists (row :: rs). split; [cbn [List.length]; congruence |]. split.
  - constructor; [| exact nd]. intro j. destruct (p row j) as (_ & y & iy & l). apply (Qlt_irrefl alpha). apply Qlt_le_trans with (1 := l).
    exact (within (fun y => at_query y row) alpha before y a0 s iy).
  - intros r [<- | j]; [split; [exact ir | exists x; split; [now left | exact k]] |]. destruct (p r j) as (ip & y & iy & l). split; [exact ip |]. exists y. split; [now right | exact l].
Qed.
(** its queries are different, and some function exceeds the scale there *)
Lemma different_queries rows alpha x : (0 <= alpha)%Q -> independent_sequence (of_rows rows) alpha x -> NoDup (map (fun y => map (at_query y) rows) x).
Proof.
  intro a0. induction x as [| x before ih]; intro h; cbn [map]; [constructor |]. destruct h as [(f & i & s & k) h]. constructor; [| now apply ih].
  intro j. apply in_map_iff in j. destruct j as (y & e & iy). unfold of_rows in i. apply in_map_iff in i. destruct i as (row & <- & ir).
  assert (z : at_query y row = at_query x row).
  { clear - e ir. induction rows as [| r rows ih]; [destruct ir |]. cbn [map] in e. injection e as e1 e2. destruct ir as [-> | ir]; [exact e1 | now apply ih]. }
  apply (Qlt_irrefl alpha). apply Qlt_le_trans with (1 := k). rewrite <- z. exact (within (fun y => at_query y row) alpha before y a0 s iy).
Qed.
Lemma weaker fs alpha alpha' x : (alpha <= alpha')%Q -> independent_sequence fs alpha' x -> forall y, In y x -> exists f, In f fs /\ (alpha < f y)%Q.
Proof.
  intro l. induction x as [| x before ih]; intros h y i; [destruct i |]. destruct h as [(f & j & _ & k) h]. destruct i as [<- | i]; [| now apply ih].
  exists f. split; [exact j | now apply Qle_lt_trans with alpha'].
Qed.
Lemma count_le alpha rows l : NoDup l -> (forall r, In r l -> In r rows /\ exceeds alpha r = true) -> List.length l <= count alpha rows.
Proof. intros nd h. apply NoDup_incl_length; [exact nd |]. intros r i. apply nodup_In, filter_In, h, i. Qed.
Lemma count_length alpha rows : count alpha rows <= List.length rows.
Proof.
  unfold count. transitivity (List.length (filter (exceeds alpha) rows)).
  - apply NoDup_incl_length; [apply NoDup_nodup | intros r i; now apply nodup_In in i].
  - clear. induction rows as [| r rows ih]; cbn [filter]; [apply le_n |]. destruct (exceeds alpha r); cbn [List.length]; lia.
Qed.
Theorem by_functions rows domain alpha k : (0 <= alpha)%Q -> eluder_at_least (of_rows rows) domain alpha k -> k <= count alpha rows.
Proof.
  intros a0 (alpha' & x & l & <- & _ & h). destruct (different_functions rows alpha' x (Qle_trans _ _ _ a0 l) h) as (rs & <- & nd & p).
  apply count_le; [exact nd |]. intros r i. destruct (p r i) as (j & y & _ & k). split; [exact j |]. apply (exceeds_at alpha r y a0). now apply Qle_lt_trans with alpha'.
Qed.
Theorem by_queries rows domain alpha k : (0 <= alpha)%Q -> eluder_at_least (of_rows rows) domain alpha k -> k <= count alpha (columns rows domain).
Proof.
  intros a0 (alpha' & x & l & <- & dom & h). rewrite <- (map_length (fun y => map (at_query y) rows) x).
  apply count_le; [exact (different_queries rows alpha' x (Qle_trans _ _ _ a0 l) h) |]. intros r i. apply in_map_iff in i. destruct i as (y & <- & i). split.
  - unfold columns. apply (in_map (fun x => map (at_query x) rows)), in_seq. specialize (dom y i). lia.
  - destruct (weaker _ alpha alpha' x l h y i) as (f & j & k). unfold of_rows in j. apply in_map_iff in j. destruct j as (row & <- & j).
    apply existsb_exists. exists (at_query y row). split; [now apply in_map |]. apply negb_true_iff. destruct (Qle_bool _ alpha) eqn:z; [| reflexivity].
    apply Qle_bool_iff in z. exfalso. apply (Qlt_irrefl alpha). now apply Qlt_le_trans with (1 := k).
Qed.
(** enumeration at a scale just below one of the values: no sequence is longer than n; each row has the sum of its squares so far *)
Definition follows (c : Q) (x : nat) (st : list (list Q * Q)) : bool :=
  existsb (fun e => negb (Qle_bool (c * c) (snd e)) && Qle_bool c (at_query x (fst e))) st.
Fixpoint no_longer (c : Q) (domain n : nat) (st : list (list Q * Q)) : bool :=
  forallb (fun x => if follows c x st then
    match n with
    | 0 => false
    | S n => no_longer c domain n (map (fun e => (fst e, let v := at_query x (fst e) in Qred (snd e + v * v))) st)
    end else true) (seq 0 domain).
Definition enumerated (alpha : Q) (rows : list (list Q)) (domain n : nat) : bool :=
  forallb (fun c => no_longer c domain n (map (fun row => (row, 0%Q)) rows)) (nodup Q_dec (filter (fun v => negb (Qle_bool v alpha)) (List.concat rows))).
Definition free (rows : list (list Q)) (c : Q) (x : nat) (before : list nat) : Prop :=
  exists row, In row rows /\ (qsum before (fun z => at_query z row * at_query z row) < c * c)%Q /\ (c <= at_query x row)%Q.
Fixpoint free_sequence rows c (x : list nat) : Prop := match x with [] => True | x :: before => free rows c x before /\ free_sequence rows c before end.
Lemma free_suffix rows c x before : free_sequence rows c (x ++ before) -> free_sequence rows c before.
Proof. induction x as [| y x ih]; [auto |]. intros [_ h]. now apply ih. Qed.
Definition summing (rows : list (list Q)) (before : list nat) (st : list (list Q * Q)) : Prop :=
  Forall2 (fun row e => fst e = row /\ (snd e == qsum before (fun z => at_query z row * at_query z row))%Q) rows st.
Lemma follows_sound rows c x before st : summing rows before st -> free rows c x before -> follows c x st = true.
Proof.
  intros rep (row & ir & s & k). unfold follows. induction rep as [| row' e rows st [e1 e2] rep ih]; [destruct ir |].
  cbn [existsb]. apply orb_true_iff. destruct ir as [-> | ir]; [left | right; now apply ih]. apply andb_true_iff. split; [| rewrite e1; now apply Qle_bool_iff].
  apply negb_true_iff. destruct (Qle_bool (c * c) (snd e)) eqn:z; [| reflexivity]. apply Qle_bool_iff in z. rewrite e2 in z.
  exfalso. apply (Qlt_irrefl (c * c)). now apply Qle_lt_trans with (1 := z).
Qed.
Lemma no_longer_sound rows c domain : forall l n st before, no_longer c domain n st = true -> summing rows before st ->
  (forall y, In y l -> y < domain) -> free_sequence rows c (rev l ++ before) -> List.length l <= n.
Proof.
  induction l as [| y l ih]; intros n st before h rep dom fr; [apply Nat.le_0_l |]. cbn [rev] in fr. rewrite <- app_assoc in fr. cbn [app] in fr.
  assert (f : follows c y st = true) by (apply (follows_sound rows c y before); [exact rep | exact (proj1 (free_suffix _ _ _ _ fr))]).
  destruct n as [| n]; cbn [no_longer] in h; rewrite forallb_forall in h; specialize (h y ltac:(apply in_seq; specialize (dom y (or_introl eq_refl)); lia));
    rewrite f in h; [discriminate |]. cbn [List.length]. apply le_n_S. refine (ih n _ (y :: before) h _ (fun z i => dom z (or_intror i)) fr).
  clear - rep. unfold summing in *. induction rep as [| row e rows st [e1 e2] rep ih]; cbn [map]; constructor; [| exact ih]. cbn [fst snd]. split; [exact e1 |].
  cbn [qsum]. cbv zeta. rewrite !Qred_correct, e2, e1. ring.
Qed.
Lemma freed rows alpha x : (0 <= alpha)%Q -> independent_sequence (of_rows rows) alpha x -> x <> [] ->
  exists c, In c (List.concat rows) /\ (alpha < c)%Q /\ forall c', (alpha < c')%Q -> (c' <= c)%Q -> free_sequence rows c' x.
Proof.
  intro a0. induction x as [| x before ih]; intros h n; [congruence |]. destruct h as [(f & i & s & k) h]. unfold of_rows in i. apply in_map_iff in i. destruct i as (row & <- & ir).
  assert (own : In (at_query x row) (List.concat rows)).
  { apply in_concat. exists row. split; [exact ir |]. unfold at_query. destruct (nth_in_or_default x row 0%Q) as [i | e]; [exact i |]. exfalso. unfold at_query in k.
    rewrite e in k. apply (Qlt_irrefl 0). now apply Qle_lt_trans with alpha. }
  assert (one : forall c, (alpha < c)%Q -> (c <= at_query x row)%Q -> free rows c x before).
  { intros c l m. exists row. split; [exact ir |]. split; [| exact m]. apply Qle_lt_trans with (1 := s). apply Qle_lt_trans with (c * alpha)%Q.
    - apply Qmult_le_compat_r; [now apply Qlt_le_weak | exact a0].
    - setoid_replace (c * alpha)%Q with (alpha * c)%Q by ring. apply Qmult_lt_compat_r; [now apply Qle_lt_trans with alpha | exact l]. }
  destruct before as [| y before]; [exists (at_query x row); split; [exact own |]; split; [exact k |]; intros c l m; split; [now apply one | exact I] |].
  destruct (ih h ltac:(discriminate)) as (c & ic & l & p). destruct (Qlt_le_dec c (at_query x row)) as [m | m].
  - exists c. split; [exact ic |]. split; [exact l |]. intros c' l' m'. split; [apply one; [exact l' | apply Qlt_le_weak; now apply Qle_lt_trans with c] | now apply p].
  - exists (at_query x row). split; [exact own |]. split; [exact k |]. intros c' l' m'. split; [now apply one | apply p; [exact l' | now apply Qle_trans with (1 := m')]].
Qed.
Theorem by_enumeration rows domain alpha n k : (0 <= alpha)%Q -> enumerated alpha rows domain n = true -> eluder_at_least (of_rows rows) domain alpha k -> k <= n.
Proof.
  unfold enumerated. rewrite forallb_forall. intros a0 e (alpha' & x & l & <- & dom & h). destruct x as [| y x]; [apply Nat.le_0_l |].
  destruct (freed rows alpha' (y :: x) (Qle_trans _ _ _ a0 l) h ltac:(discriminate)) as (c & ic & m & fr). specialize (fr c m (Qle_refl c)).
  rewrite <- rev_length. apply (no_longer_sound rows c domain _ n (map (fun row => (row, 0%Q)) rows) []).
  - apply e. apply nodup_In, filter_In. split; [exact ic |]. apply negb_true_iff. destruct (Qle_bool c alpha) eqn:z; [| reflexivity]. apply Qle_bool_iff in z.
    exfalso. apply (Qlt_irrefl alpha). apply Qlt_le_trans with c; [now apply Qle_lt_trans with alpha' | exact z].
  - clear. induction rows as [| r rows ih]; constructor; [now split | exact ih].
  - intros z i. apply dom. now apply in_rev.
  - now rewrite rev_involutive, app_nil_r.
Qed.
(** a table of the functions' values does in their place, without those that are zero *)
Lemma in_table fs rows domain alpha k : (0 <= alpha)%Q ->
  (forall f, In f fs -> (forall y, f y == 0)%Q \/ exists row, In row rows /\ forall y, y < domain -> (f y == at_query y row)%Q) ->
  eluder_at_least fs domain alpha k -> eluder_at_least (of_rows rows) domain alpha k.
Proof.
  intros a0 t (alpha' & x & l & e & dom & h). exists alpha', x. split; [exact l |]. split; [exact e |]. split; [exact dom |]. clear e.
  induction x as [| x before ih]; [exact I |]. destruct h as [(f & i & s & m) h]. split; [| apply ih; [intros; apply dom; now right | exact h]].
  destruct (t f i) as [z | (row & ir & q)]; [rewrite z in m; exfalso; apply (Qlt_irrefl 0); apply Qle_lt_trans with alpha'; [now apply Qle_trans with alpha | exact m] |]. exists (fun y => at_query y row). split; [unfold of_rows; now apply (in_map (fun row x => at_query x row)) |]. split.
  - rewrite (qsum_eq_in _ _ (fun z => f z * f z)%Q); [exact s |]. intros z j. now rewrite q by (apply dom; now right).
  - now rewrite <- q by (apply dom; now left).
Qed.

(** ** The two error classes *)
Definition point_one : forall x y : point, {x = y} + {x <> y} := ltac:(repeat decide equality).
Section Channel.
Variables (d : doc) (of_world : bool).
Definition class_in : point * point -> list (nat -> Q) := if of_world then world_class d else adversary_class d.
Definition moved_points : list point := if of_world then thetas d else phis d.
Definition moved_by (star : point * point) (x : point) : point * point := if of_world then (x, snd star) else (fst star, x).
Definition moved_part (xi : point * point) : point := if of_world then fst xi else snd xi.
(** the functions of some points at one policy: F^W is of the world channel; F^G is of the joint operators at (theta, Phi) with the world of the reference *)
Definition values (star : point * point) (xs : list point) (p : nat) : list Q :=
  let ns := nodes_of d star p in let w := world_of d (fst star) in
  map (fun x => if of_world then let w' := world_of d x in Qred (mean_gap ns (world_gap d w w'))
                else let g' := response_of d x p in Qred (mean_gap ns (joint_gap d w g'))) xs.
Definition value_at star (x : point) (p : nat) : Q := nth 0 (values star [x] p) 0%Q.
(** the points of the other functions: that of the reference is zero *)
Definition others star : list point := filter (fun x => if point_one x (moved_part star) then false else true) moved_points.
Definition table star : list (list Q) :=
  let cs := map (values star (others star)) (seq 0 (List.length (policies d))) in map (fun k => map (fun c => nth k c 0%Q) cs) (seq 0 (List.length (others star))).
Lemma expected_sum_eq star p f f' : (forall seen o a, List.length seen < horizon d -> o < nOA d -> a < nA d -> (f seen o a == f' seen o a)%Q) ->
  (expected_sum d star p f == expected_sum d star p f')%Q.
Proof.
  intro e. unfold expected_sum. apply qsum_eq_in. intros tau it. destruct (in_trajectories _ _ _ it) as [l r]. apply Qmult_comp; [reflexivity |].
  apply qsum_eq_in. intros h ih. apply in_seq in ih. assert (j : In (nth h tau (O, O)) tau) by (apply nth_In; lia).
  destruct (nth h tau (O, O)) as [o a]. destruct (r o a j). cbn [fst snd]. apply e; auto. rewrite firstn_length. lia.
Qed.
(** the adversary's error is that of the joint operators in the reference's world *)
Lemma G_error_is star xi p seen o a : In star (models d) -> In xi (models d) -> p < List.length (policies d) ->
  List.length seen < horizon d -> o < nOA d -> a < nA d -> (J_error d star (fst star, snd xi) p seen o a == G_error d star xi p seen o a)%Q.
Proof.
  intros is ix hp hs ho ha. apply parts in is, ix. destruct is as [it ip], ix as [_ iq].
  apply Qcanon.Q2Qc_eq_iff. change (inj (J_error d star (fst star, snd xi) p seen o a) = (inj (G_error d star xi p seen o a) : rationals)).
  rewrite (J_is d rationals), (G_is d rationals). apply lsum_ext. intros c i. cbn [fst snd]. f_equal.
  rewrite <- (factorization_holds rationals d (fst star) it (snd star) ip p hp _ hs o a ho ha _ c i).
  now rewrite <- (factorization_holds rationals d (fst star) it (snd xi) iq p hp _ hs o a ho ha _ c i).
Qed.
Lemma value_is star xi p : In star (models d) -> In xi (models d) -> p < List.length (policies d) ->
  (value_at star (moved_part xi) p == if of_world then F_world d star xi p else F_adversary d star xi p)%Q.
Proof.
  intros is ix hp. unfold value_at, values, moved_part, F_world, F_adversary. cbv zeta. destruct of_world; cbn [map nth]; rewrite Qred_correct.
  - exact (mean_gap_is d true star xi p).
  - rewrite <- (expected_sum_eq star p (J_error d star (fst star, snd xi) p)) by (intros; now apply G_error_is).
    exact (mean_gap_is d false star (fst star, snd xi) p).
Qed.
Lemma in_class_of f star : In f (class_in star) -> exists xi, In xi (models d) /\ f = if of_world then F_world d star xi else F_adversary d star xi.
Proof. unfold class_in, world_class, adversary_class. destruct of_world; intro i; apply in_map_iff in i; destruct i as (xi & <- & i); now exists xi. Qed.
Lemma moved_in xi : In xi (models d) -> In (moved_part xi) moved_points.
Proof. intro i. apply parts in i. unfold moved_part, moved_points. now destruct of_world. Qed.
Lemma moved_by_in star x : In star (models d) -> In x moved_points -> In (moved_by star x) (models d) /\ moved_part (moved_by star x) = x.
Proof.
  intros i j. apply parts in i. unfold moved_by, moved_points, moved_part in *. unfold models. destruct of_world; split; try reflexivity; now apply in_prod.
Qed.
Lemma value_in star xs k y : k < List.length xs -> nth k (values star xs y) 0%Q = value_at star (nth k xs []) y.
Proof.
  intro hk. unfold value_at, values. cbv zeta. cbn [map nth].
  match goal with |- nth k (map ?f _) _ = _ => rewrite (nth_indep _ 0%Q (f [])) by (rewrite map_length; exact hk); exact (map_nth f xs [] k) end.
Qed.
Lemma own_is_zero star xi y : moved_part xi = moved_part star -> ((if of_world then F_world d star xi else F_adversary d star xi) y == 0)%Q.
Proof.
  assert (zero : forall e, (forall seen o a, (e seen o a == 0)%Q) -> (expected_sum d star y e == 0)%Q).
  { intros e z. unfold expected_sum. rewrite (qsum_eq _ _ (fun _ => 0%Q)); [apply qsum_zero |]. intro tau.
    rewrite (qsum_eq _ _ (fun _ => 0%Q)); [rewrite qsum_zero; ring |]. intro h. apply z. }
  unfold moved_part, F_world, F_adversary. destruct of_world; intro e; apply zero; intros seen o a.
  - unfold W_error. rewrite e. rewrite (qsum_eq _ _ (fun _ => 0%Q)); [apply qsum_zero |]. intro v. set (z := at_q_star _ _ _ _ _).
    setoid_replace (z - z)%Q with 0%Q by ring. reflexivity.
  - unfold G_error. rewrite e. rewrite (qsum_eq _ _ (fun _ => 0%Q)); [apply qsum_zero |]. intro c.
    rewrite (qsum_eq _ _ (fun _ => 0%Q)); [now rewrite qsum_zero |]. intro v. ring.
Qed.
Lemma table_has star f : In star (models d) -> In f (class_in star) -> (forall y, f y == 0)%Q \/ exists row, In row (table star) /\
  forall y, y < List.length (policies d) -> (f y == at_query y row)%Q.
Proof.
  intros is i. destruct (in_class_of f star i) as (xi & ix & ->).
  destruct (point_one (moved_part xi) (moved_part star)) as [e | e]; [left; intro y; now apply own_is_zero | right].
  assert (im : In (moved_part xi) (others star)) by (apply filter_In; split; [now apply moved_in | now destruct (point_one _ _)]).
  apply (In_nth _ _ ([] : point)) in im. destruct im as (k & hk & ek).
  eexists. split; [unfold table; cbv zeta; apply in_map_iff; exists k; split; [reflexivity | apply in_seq; lia] |].
  intros y hy. unfold at_query. rewrite map_map.
  rewrite (nth_indep _ 0%Q ((fun x => nth k (values star (others star) x) 0%Q) 0)) by now rewrite map_length, seq_length.
  rewrite (map_nth (fun x => nth k (values star (others star) x) 0%Q)), seq_nth by exact hy. cbn [Nat.add].
  rewrite value_in, ek, value_is by auto. now destruct of_world.
Qed.

(** from below: the reference model, the squared scale and the queries with the point of their function, the last one first *)
Definition check_at_least (alpha : Q) (n : nat) (s : Q) (star : point * point) (l : list (nat * point)) : bool :=
  let xs := map snd l in let known := map (fun x => (fst x, values star xs (fst x))) l in
  let f k y := nth k (match find (fun e => Nat.eqb (fst e) y) known with Some e => snd e | None => values star xs y end) 0%Q in
  (List.length l =? n) && Qle_bool 0 alpha && Qle_bool (alpha * alpha) s && in_class d star &&
  forallb (fun x => (fst x <? List.length (policies d)) && if in_dec point_one (snd x) moved_points then true else false) l &&
  shown_sequence f s (combine (map fst l) (seq 0 (List.length l))).
Theorem check_at_least_sound alpha n s star l : check_at_least alpha n s star l = true -> eluder_at_least_in d class_in alpha n.
Proof.
  unfold check_at_least. cbv zeta. rewrite !andb_true_iff, forallb_forall. intros [[[[[en a0] ha] is] il] hs]. apply Nat.eqb_eq in en. subst n. apply Qle_bool_iff in a0, ha.
  apply in_class_sound in is. exists star. split; [exact is |].
  assert (each : forall x, In x l -> fst x < List.length (policies d) /\ In (snd x) moved_points).
  { intros x i. specialize (il x i). apply andb_true_iff in il. destruct il as [j k]. apply Nat.ltb_lt in j. destruct (in_dec _ _ _); [now split | discriminate]. }
  set (ks := combine _ _) in hs. assert (e : List.length l = List.length ks) by (unfold ks; rewrite combine_length, map_length, seq_length; lia). rewrite e.
  refine (shown_at_least _ s _ _ alpha ks a0 ha hs _ _).
  - intros [p k] i. apply in_combine_l in i. apply in_map_iff in i. destruct i as (x & <- & i). now apply each.
  - intros [p k] i. apply in_combine_r, in_seq in i. cbn [snd]. assert (hk : k < List.length l) by lia.
    destruct (each _ (nth_In l (0, []) hk)) as [_ j]. set (x := snd (nth k l (0, []))) in *. destruct (moved_by_in star x is j) as [m ex].
    exists (if of_world then F_world d star (moved_by star x) else F_adversary d star (moved_by star x)). split.
    + unfold class_in, world_class, adversary_class. destruct of_world; now apply (in_map (fun xi => _ d star xi)).
    + intros y hy. assert (found : match find (fun e => Nat.eqb (fst e) y) (map (fun x => (fst x, values star (map snd l) (fst x))) l) with
        Some e => snd e | None => values star (map snd l) y end = values star (map snd l) y).
      { destruct (find _ _) as [c |] eqn:f; [| reflexivity]. apply find_some in f. destruct f as [f g]. apply Nat.eqb_eq in g. apply in_map_iff in f. destruct f as (q & <- & _).
        cbn [fst snd] in *. now rewrite g. }
      rewrite found, value_in by now rewrite map_length. change (@nil (string * Q)) with (snd (0, [] : point)). rewrite map_nth. fold x.
      pose proof (value_is star (moved_by star x) y is m hy) as v. rewrite ex in v. symmetry. etransitivity; [exact v |]. now destruct of_world.
Qed.

(** from above: the policies, the other points, those of either that exceed the scale, or, where they are few, every sequence *)
Definition few : bool :=
  let n := N.of_nat (List.length moved_points) in
  N.leb (N.of_nat (List.length (models d)) * n * n * N.of_nat (List.length (policies d)) * 2 ^ N.of_nat (List.length (policies d))) 100000.
Definition check_at_most (alpha : Q) (n : nat) : bool :=
  Qle_bool 0 alpha && if (List.length (policies d) <=? n) || (List.length moved_points - 1 <=? n) then true else
    forallb (fun star => let t := table star in
      if (count alpha t <=? n) || (count alpha (columns t (List.length (policies d))) <=? n) then true else
      if few then enumerated alpha t (List.length (policies d)) n else false) (models d).
Theorem check_at_most_sound alpha n : check_at_most alpha n = true -> eluder_at_most_in d class_in alpha n.
Proof.
  unfold check_at_most. cbv zeta. rewrite andb_true_iff. intros [a0 h] star is k e. apply Qle_bool_iff in a0.
  apply (in_table _ (table star)) in e; [| exact a0 | intros f i; now apply table_has].
  destruct (_ || _)%bool eqn:small in h; [apply orb_true_iff in small; destruct small as [g | g]; apply Nat.leb_le in g; clear h |].
  - transitivity (count alpha (columns (table star) (List.length (policies d)))); [now apply by_queries |].
    transitivity (List.length (policies d)); [| exact g]. unfold count. rewrite <- (seq_length (List.length (policies d)) 0) at 2.
    rewrite <- (map_length (fun x => map (at_query x) (table star)) (seq 0 (List.length (policies d)))). now apply count_length.
  - transitivity (count alpha (table star)); [now apply (by_functions _ (List.length (policies d))) |].
    transitivity (List.length moved_points - 1); [| exact g]. transitivity (List.length (table star)); [apply count_length |].
    unfold table. cbv zeta. rewrite map_length, seq_length. apply moved_in in is. revert is. unfold others. generalize moved_points. clear. induction l as [| x l ih]; [intros [] |].
    cbn [filter]. assert (le : List.length (filter (fun x => if point_one x (moved_part star) then false else true) l) <= List.length l).
    { clear. induction l as [| y l ih]; cbn [filter]; [apply le_n |]. destruct (point_one y _); cbn [List.length]; lia. }
    intros [-> | i]; [destruct (point_one _ _); [cbn [List.length]; lia | congruence] |]. specialize (ih i). destruct (point_one x _); cbn [List.length]; [lia |].
    destruct l; [destruct i | cbn [List.length] in *; lia].
  - rewrite forallb_forall in h. specialize (h star is). clear small. destruct (_ || _)%bool eqn:counted in h; [apply orb_true_iff in counted; destruct counted as [g | g]; apply Nat.leb_le in g |].
    + transitivity (count alpha (table star)); [now apply (by_functions _ (List.length (policies d))) | exact g].
    + transitivity (count alpha (columns (table star) (List.length (policies d)))); [now apply by_queries | exact g].
    + destruct few; [| discriminate]. now apply (by_enumeration (table star) (List.length (policies d)) alpha).
Qed.
End Channel.
