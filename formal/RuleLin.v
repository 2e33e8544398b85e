(** Rule [lin]: test functions, factors and splits of the simplex, checked over Q, sound over every ordered field. *)
From Pomgcheck Require Import OrderedField.
Open Scope nat_scope.

(** What a pure state contributes: Z, Z', the window laws M and M', and the column of W - W'. *)
Record column := Col { cZ : Q; cZ' : Q; cM : list Q; cM' : list Q; cD : list Q }.
Definition no_column := Col 0 0 [] [] [].

Inductive tree := Skip | Test (k : nat) | Factor (k : nat) | Split (i j : nat) (t : Q) (left right : tree).

Definition at_ (l : list Q) (k : nat) : Q := nth k l 0%Q.

Section Rule.
Variables (joint : bool) (alpha : Q) (tests : list (list Q)) (factors : list (list (list Q))) (K V : nat).

Definition dot (y M : list Q) : Q := qsum (seq 0 K) (fun w => at_ y w * at_ M w)%Q.
Definition norm1 (D : list Q) : Q := qsum D Qabs.

(** -- a test function *)
Record row := Row { rZ : Q; rZ' : Q; ru : Q; ru' : Q; rc : Q }.
Definition row_of (y : list Q) (c : column) : row := Row (cZ c) (cZ' c) (dot y (cM c)) (dot y (cM' c)) (norm1 (cD c)).

Definition joint_form (r : row) : Q := (ru r - ru' r - alpha * rc r)%Q.
Definition pair_form (r s : row) : Q := (ru r - ru' r - alpha * rZ s * rc r)%Q.
Definition triple_form (r s t : row) : Q := (rZ' r * ru s - rZ r * ru' s - alpha * rZ r * rZ' s * rc t)%Q.

Definition nonneg (q : Q) : bool := Qle_bool 0 q.
Definition shared (vs : list column) : bool := forallb (fun c => Qeq_bool (cZ c) (cZ' c)) vs.
Definition test_ok (y : list Q) (vs : list column) : bool :=
  forallb (fun x => Qle_bool (Qabs x) 1) y && nonneg alpha &&
  (let rs := map (row_of y) vs in
   if joint then forallb (fun r => nonneg (joint_form r)) rs
   else if shared vs then
     forallb (fun r => forallb (fun s => nonneg (pair_form r s + pair_form s r)) rs) rs
   else
     forallb (fun r => forallb (fun s => forallb (fun t => nonneg
       (triple_form r s t + triple_form r t s + triple_form s r t + triple_form s t r
        + triple_form t r s + triple_form t s r)) rs) rs) rs).

(** -- a factor: D = P (M - M') at the vertices, alpha * (column sums of |P|) * max Z <= 1 *)
Definition factor_ok (P : list (list Q)) (vs : list column) : bool :=
  (joint || shared vs) && nonneg alpha &&
  forallb (fun c => forallb (fun v => let r := nth v P [] in Qeq_bool (at_ (cD c) v)
     (qsum (seq 0 K) (fun w => at_ r w * (at_ (cM c) w - at_ (cM' c) w))%Q)) (seq 0 V)) vs &&
  forallb (fun w =>
    let N := qsum (seq 0 V) (fun v => Qabs (at_ (nth v P []) w)) in
    if joint then Qle_bool (alpha * N) 1 else forallb (fun c => Qle_bool (alpha * N * cZ c) 1) vs) (seq 0 K).

(** the same with zeros passed over and no list read twice *)
Fixpoint diffs (k : nat) (M M' : list Q) : list Q :=
  match k with 0 => [] | S k => Qred (hd 0%Q M - hd 0%Q M') :: diffs k (tl M) (tl M') end.
Fixpoint dots (r D : list Q) : Q :=
  match r, D with
  | x :: r, y :: D => let rest := dots r D in if Qeq_bool y 0 then rest else if Qeq_bool x 0 then rest else Qred (x * y + rest)
  | _, _ => 0%Q
  end.
Fixpoint rows_match (n : nat) (D : list Q) (P : list (list Q)) (m : list Q) : bool :=
  match n with 0 => true | S n => Qeq_bool (hd 0%Q D) (dots (hd [] P) m) && rows_match n (tl D) (tl P) m end.
Fixpoint add_abs (k : nat) (r acc : list Q) : list Q :=
  match k with
  | 0 => []
  | S k => (let x := hd 0%Q r in if Qeq_bool x 0 then hd 0%Q acc else Qred (Qabs x + hd 0%Q acc)) :: add_abs k (tl r) (tl acc)
  end.
Fixpoint norms (n : nat) (P : list (list Q)) : list Q := match n with 0 => [] | S n => add_abs K (hd [] P) (norms n (tl P)) end.
Definition factor_fast (P : list (list Q)) (vs : list column) : bool :=
  (joint || shared vs) && nonneg alpha &&
  forallb (fun c => rows_match V (cD c) P (diffs K (cM c) (cM' c))) vs &&
  (let N := norms V P in
   forallb (fun w => let n := at_ N w in if joint then Qle_bool (alpha * n) 1 else forallb (fun c => Qle_bool (alpha * n * cZ c) 1) vs) (seq 0 K)).

Lemma at_tl l k : at_ l (S k) = at_ (tl l) k.
Proof. destruct l; [destruct k; reflexivity | reflexivity]. Qed.
Lemma at_hd l : at_ l 0 = hd 0%Q l. Proof. destruct l; reflexivity. Qed.
Lemma qsum_seq n f : (qsum (seq 0 (S n)) f == f 0%nat + qsum (seq 0 n) (fun k => f (S k)))%Q.
Proof.
  cbn [seq qsum]. rewrite Qred_correct, <- seq_shift. apply Qplus_comp; [reflexivity |].
  induction (seq 0 n) as [| x l ih]; cbn [map qsum]; [reflexivity |]. now rewrite !Qred_correct, ih.
Qed.
Lemma qsum_ext {A} (l : list A) f g : (forall x, f x == g x)%Q -> (qsum l f == qsum l g)%Q.
Proof. intro e. induction l as [| x l ih]; cbn [qsum]; [reflexivity |]. now rewrite !Qred_correct, ih, e. Qed.
Lemma dots_are k : forall r M M', (dots r (diffs k M M') == qsum (seq 0 k) (fun w => at_ r w * (at_ M w - at_ M' w)))%Q.
Proof.
  induction k as [| k ih]; intros r M M'; [destruct r; reflexivity |]. rewrite qsum_seq, !at_hd.
  rewrite (qsum_ext _ _ (fun w => at_ (tl r) w * (at_ (tl M) w - at_ (tl M') w))%Q) by (intro w; now rewrite !at_tl). rewrite <- ih.
  cbn [diffs]. set (y := Qred (hd 0%Q M - hd 0%Q M')). assert (e : (y == hd 0 M - hd 0 M')%Q) by apply Qred_correct. rewrite <- e. clearbody y.
  destruct r as [| x r]; cbn [dots hd tl]; [destruct (diffs k (tl M) (tl M')); ring |].
  destruct (Qeq_bool y 0) eqn:z; [apply Qeq_bool_iff in z; rewrite z; ring |].
  destruct (Qeq_bool x 0) eqn:z'; [apply Qeq_bool_iff in z'; rewrite z'; ring | now rewrite Qred_correct].
Qed.
Lemma rows_are n M M' : forall D P, rows_match n D P (diffs K M M') = true -> forall v, (v < n)%nat ->
  (at_ D v == qsum (seq 0 K) (fun w => at_ (nth v P []) w * (at_ M w - at_ M' w)))%Q.
Proof.
  induction n as [| n ih]; intros D P h v hv; [lia |]. cbn [rows_match] in h. apply andb_true_iff in h. destruct h as [h k]. destruct v as [| v].
  - apply Qeq_bool_iff in h. rewrite at_hd, h, dots_are. destruct P; reflexivity.
  - rewrite at_tl, (ih _ _ k v) by lia. destruct P; [destruct v; reflexivity | reflexivity].
Qed.
Lemma add_abs_is k : forall r acc w, (w < k)%nat -> (at_ (add_abs k r acc) w == Qabs (at_ r w) + at_ acc w)%Q.
Proof.
  induction k as [| k ih]; intros r acc w hw; [lia |]. destruct w as [| w]; cbn [add_abs].
  - rewrite !at_hd. cbn [hd]. cbv zeta. destruct (Qeq_bool _ 0) eqn:z; [apply Qeq_bool_iff in z; rewrite z; simpl (Qabs 0); ring | apply Qred_correct].
  - rewrite !at_tl. cbn [tl]. apply ih. lia.
Qed.
Lemma norms_are n : forall P w, (w < K)%nat -> (at_ (norms n P) w == qsum (seq 0 n) (fun v => Qabs (at_ (nth v P []) w)))%Q.
Proof.
  induction n as [| n ih]; intros P w hw; [destruct w; reflexivity |]. cbn [norms]. rewrite add_abs_is, ih by exact hw. rewrite qsum_seq.
  apply Qplus_comp; [destruct P; reflexivity |]. apply qsum_ext. intro v. destruct P; [destruct v; reflexivity | reflexivity].
Qed.
Lemma factor_fast_ok P vs : factor_fast P vs = true -> factor_ok P vs = true.
Proof.
  unfold factor_fast, factor_ok. cbv zeta. rewrite !andb_true_iff, !forallb_forall. intros [[h rows] ns]. split; [split; [exact h |] |].
  - intros c ic. specialize (rows c ic). rewrite forallb_forall. intros v iv. apply in_seq in iv. apply Qeq_bool_iff. apply (rows_are V _ _ _ _ rows). lia.
  - intros w iw. specialize (ns w iw). apply in_seq in iw. pose proof (norms_are V P w ltac:(lia)) as e. destruct joint.
    + apply Qle_bool_iff. rewrite <- e. now apply Qle_bool_iff.
    + rewrite forallb_forall in *. intros c ic. specialize (ns c ic). apply Qle_bool_iff. rewrite <- e. now apply Qle_bool_iff.
Qed.

(** -- nothing to show: no difference, or an observation that is impossible in one of the worlds *)
Definition skip_ok (vs : list column) : bool :=
  forallb (fun c => forallb (fun x => Qeq_bool x 0) (cD c)) vs
  || (negb joint && (forallb (fun c => Qeq_bool (cZ c) 0) vs || forallb (fun c => Qeq_bool (cZ' c) 0) vs)).

(** -- cutting an edge *)
Definition mixq (t x y : Q) : Q := Qred ((1 - t) * x + t * y).
Fixpoint mixl (t : Q) (a b : list Q) : list Q :=
  match a, b with
  | [], _ => map (mixq t 0) b
  | _, [] => map (fun x => mixq t x 0) a
  | x :: a, y :: b => mixq t x y :: mixl t a b
  end.
Definition mix (t : Q) (c d : column) : column :=
  Col (mixq t (cZ c) (cZ d)) (mixq t (cZ' c) (cZ' d)) (mixl t (cM c) (cM d)) (mixl t (cM' c) (cM' d)) (mixl t (cD c) (cD d)).
Fixpoint upd {A} (j : nat) (p : A) (l : list A) : list A :=
  match l, j with
  | [], _ => []
  | _ :: l, 0 => p :: l
  | x :: l, S j => x :: upd j p l
  end.

Fixpoint tree_ok (n : tree) (vs : list column) : bool :=
  match n with
  | Skip => skip_ok vs
  | Test k => test_ok (nth k tests []) vs
  | Factor k => factor_fast (nth k factors []) vs
  | Split i j t l r =>
      (i <? length vs) && (j <? length vs) && negb (i =? j) && negb (Qle_bool t 0) && negb (Qle_bool 1 t) &&
      (let p := mix t (nth i vs no_column) (nth j vs no_column) in
       tree_ok l (upd j p vs) && tree_ok r (upd i p vs))
  end.
End Rule.

(** * Soundness *)
Section Sound.
Variable F : OF.
Local Open Scope of_scope.
Add Field Ft : (c_field F).

Lemma inj_qsum {A} (l : list A) f : inj (qsum l f) = lsum l (fun i => inj (f i) : F).
Proof.
  induction l; cbn [qsum lsum]; [apply inj_0 |].
  rewrite (inj_eq F _ _ (Qred_correct _)), inj_add. congruence.
Qed.

Definition pt (lam : nat -> F) (vs : list column) (g : column -> Q) : F :=
  lsum (seq 0 (length vs)) (fun k => lam k * inj (g (nth k vs no_column))).
Definition gM w (c : column) := at_ (cM c) w.
Definition gM' w (c : column) := at_ (cM' c) w.
Definition gD v (c : column) := at_ (cD c) v.

(** ratio >= alpha at the point with weights [lam] *)
Definition bound (joint : bool) (alpha : Q) (K V : nat) (lam : nat -> F) (vs : list column) : Prop :=
  let D := lsum (seq 0 V) (fun v => |pt lam vs (gD v)|) in
  if joint then inj alpha * D <= lsum (seq 0 K) (fun w => |pt lam vs (gM w) - pt lam vs (gM' w)|)
  else
    let Z := pt lam vs cZ in let Z' := pt lam vs cZ' in
    0 <= Z -> Z <> 0 -> 0 <= Z' -> Z' <> 0 ->
    inj alpha * D <= lsum (seq 0 K) (fun w => |pt lam vs (gM w) / Z - pt lam vs (gM' w) / Z'|).

Lemma nn q : nonneg q = true -> 0 <= (inj q : F).
Proof. intro h. apply Qle_bool_iff in h. rewrite <- inj_0. now apply inj_le. Qed.

Lemma half_nonneg (x : F) : 0 <= x + x -> 0 <= x.
Proof.
  intro h. destruct (le_total F 0 x) as [k | k]; auto.
  eapply le_trans; [exact h |]. apply (le_by _ _ _ (0 - x)); [ring | exact (proj1 (le_sub F _ _) k)].
Qed.
Lemma sixth_nonneg (x : F) : 0 <= x + x + x + x + x + x -> 0 <= x.
Proof.
  intro h. destruct (le_total F 0 x) as [k | k]; auto.
  eapply le_trans; [exact h |]. apply (proj1 (le_sub F _ _)) in k.
  apply (le_by _ _ _ ((0 - x) + (0 - x) + (0 - x) + (0 - x) + (0 - x))); [ring | now repeat apply add_nonneg].
Qed.

Section Weights.
Variables (lam : nat -> F) (vs : list column).
Let n := length vs.
Let I := seq 0 n.
Hypothesis lam0 : forall k, (k < n)%nat -> 0 <= lam k.
Hypothesis lam1 : lsum I lam = 1.

Lemma inI k : In k I <-> (k < n)%nat.
Proof. unfold I. rewrite in_seq. lia. Qed.

Definition T2 (a : nat -> nat -> F) := lsum I (fun i => lsum I (fun j => lam i * lam j * a i j)).
Definition T3 (a : nat -> nat -> nat -> F) :=
  lsum I (fun i => lsum I (fun j => lsum I (fun k => lam i * lam j * lam k * a i j k))).

Lemma T2_swap a : T2 (fun i j => a j i) = T2 a.
Proof.
  unfold T2. rewrite lsum_swap. apply lsum_ext; intros i _. apply lsum_ext; intros j _. ring.
Qed.
Lemma T2_add a b : T2 (fun i j => a i j + b i j) = T2 a + T2 b.
Proof.
  unfold T2. rewrite <- lsum_add. apply lsum_ext; intros i _. rewrite <- lsum_add. apply lsum_ext; intros j _. ring.
Qed.
Lemma T2_nonneg a : (forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= a i j + a j i) -> 0 <= T2 a.
Proof.
  intro h. apply half_nonneg. rewrite <- (T2_swap a) at 2. rewrite <- T2_add.
  apply lsum_nonneg; intros i hi. apply lsum_nonneg; intros j hj. apply inI in hi, hj.
  apply mul_nonneg; [apply mul_nonneg |]; auto.
Qed.
Lemma T3_ext a b : (forall i j k, a i j k = b i j k) -> T3 a = T3 b.
Proof. intro h. repeat (apply lsum_ext; intros ? _). now rewrite h. Qed.
Lemma T3_12 a : T3 (fun i j k => a j i k) = T3 a.
Proof. unfold T3. rewrite lsum_swap. repeat (apply lsum_ext; intros ? _). ring. Qed.
Lemma T3_23 a : T3 (fun i j k => a i k j) = T3 a.
Proof. unfold T3. apply lsum_ext; intros i _. rewrite lsum_swap. repeat (apply lsum_ext; intros ? _). ring. Qed.
Lemma T3_add a b : T3 (fun i j k => a i j k + b i j k) = T3 a + T3 b.
Proof.
  unfold T3. rewrite <- lsum_add. apply lsum_ext; intros i _. rewrite <- lsum_add. apply lsum_ext; intros j _.
  rewrite <- lsum_add. apply lsum_ext; intros k _. ring.
Qed.
Lemma T3_nonneg a :
  (forall i j k, (i < n)%nat -> (j < n)%nat -> (k < n)%nat ->
     0 <= a i j k + a i k j + a j i k + a j k i + a k i j + a k j i) -> 0 <= T3 a.
Proof.
  intro h. apply sixth_nonneg.
  assert (e1 := T3_23 a). assert (e2 := T3_12 a).
  assert (e3 : T3 (fun i j k => a j k i) = T3 a) by (rewrite <- e1; exact (T3_12 (fun i j k => a i k j))).
  assert (e4 : T3 (fun i j k => a k i j) = T3 a) by (rewrite <- e2; exact (T3_23 (fun i j k => a j i k))).
  assert (e5 : T3 (fun i j k => a k j i) = T3 a) by (rewrite <- e3; exact (T3_23 (fun i j k => a j k i))).
  replace (T3 a + T3 a + T3 a + T3 a + T3 a + T3 a) with
    (T3 a + T3 (fun i j k => a i k j) + T3 (fun i j k => a j i k) + T3 (fun i j k => a j k i)
     + T3 (fun i j k => a k i j) + T3 (fun i j k => a k j i)) by (rewrite e1, e2, e3, e4, e5; reflexivity).
  rewrite <- !T3_add. apply lsum_nonneg; intros i hi. apply lsum_nonneg; intros j hj. apply lsum_nonneg; intros k hk.
  apply inI in hi, hj, hk. apply mul_nonneg; [repeat apply mul_nonneg |]; auto.
Qed.

(** sums against products *)
Definition S1 (f : nat -> F) := lsum I (fun i => lam i * f i).
Lemma S1_mul f g : S1 f * S1 g = T2 (fun i j => f i * g j).
Proof.
  unfold S1, T2. rewrite <- lsum_mulr. apply lsum_ext; intros i _. rewrite <- lsum_mul. apply lsum_ext; intros j _. ring.
Qed.
Lemma S1_one f : S1 f = T2 (fun i j => f i).
Proof.
  unfold S1, T2. apply lsum_ext; intros i _.
  rewrite (lsum_ext _ _ _ (fun j => lam i * f i * lam j)) by (intros; ring). rewrite lsum_mul. fold I. rewrite lam1. ring.
Qed.
Lemma T2_one a : T2 a = T3 (fun i j k => a i j).
Proof.
  unfold T2, T3. apply lsum_ext; intros i _. apply lsum_ext; intros j _.
  rewrite (lsum_ext _ _ _ (fun k => lam i * lam j * a i j * lam k)) by (intros; ring). rewrite lsum_mul. rewrite lam1. ring.
Qed.
Lemma S1_mul3 f g h : S1 f * S1 g * S1 h = T3 (fun i j k => f i * g j * h k).
Proof.
  rewrite S1_mul. unfold T2, T3, S1. rewrite <- lsum_mulr. apply lsum_ext; intros i _. rewrite <- lsum_mulr.
  apply lsum_ext; intros j _. rewrite <- lsum_mul. apply lsum_ext; intros k _. ring.
Qed.
Lemma T2_sub a b : T2 (fun i j => a i j - b i j) = T2 a - T2 b.
Proof.
  unfold T2. rewrite <- lsum_sub. apply lsum_ext; intros i _. rewrite <- lsum_sub. apply lsum_ext; intros j _. ring.
Qed.
Lemma T3_sub a b : T3 (fun i j k => a i j k - b i j k) = T3 a - T3 b.
Proof.
  unfold T3. rewrite <- lsum_sub. apply lsum_ext; intros i _. rewrite <- lsum_sub. apply lsum_ext; intros j _.
  rewrite <- lsum_sub. apply lsum_ext; intros k _. ring.
Qed.

Variables (joint : bool) (alpha : Q) (K V : nat).
Let col i := nth i vs no_column.
Let P g := pt lam vs g.

Lemma ptS g : P g = S1 (fun i => inj (g (col i))).
Proof. reflexivity. Qed.

Lemma nth_sum_le (l : list Q) m : lsum (seq 0 m) (fun v => |inj (at_ l v) : F|) <= lsum l (fun x => |inj x|).
Proof.
  revert m. induction l as [| x l ih]; intro m.
  - rewrite lsum_zero; [apply le_refl |]. intros v _. unfold at_. destruct v; simpl; rewrite inj_0; apply abs_pos, le_refl.
  - destruct m as [| m]; [simpl; apply add_nonneg; [apply abs_nonneg | apply lsum_nonneg; intros; apply abs_nonneg] |].
    cbn [seq lsum]. rewrite <- seq_shift, lsum_map. apply add_mono; [apply le_refl | apply ih].
Qed.

(** ||D q|| is at most the mixture of the norms of the columns *)
Let C := S1 (fun i => inj (norm1 (cD (col i)))).
Lemma D_le : lsum (seq 0 V) (fun v => |P (gD v)|) <= C.
Proof.
  eapply le_trans; [apply lsum_le; intros v _; apply lsum_abs |].
  rewrite lsum_swap. apply lsum_le; intros i hi. fold I in hi. apply inI in hi.
  rewrite (lsum_ext _ _ _ (fun v => lam i * |inj (gD v (col i))|)).
  - rewrite lsum_mul. apply mul_mono; auto. unfold norm1. rewrite inj_qsum.
    eapply le_trans; [apply (nth_sum_le (cD (col i)) V) |]. apply lsum_le; intros; rewrite inj_abs; apply le_refl.
  - intros v _. rewrite abs_mul, (abs_pos _ (lam i)); auto.
Qed.

Lemma dot_pt y (part : column -> list Q) :
  S1 (fun i => inj (dot K y (part (col i)))) = lsum (seq 0 K) (fun w => inj (at_ y w) * P (fun c => at_ (part c) w)).
Proof.
  unfold S1. rewrite (lsum_ext _ _ _ (fun i => lsum (seq 0 K) (fun w => lam i * (inj (at_ y w) * inj (at_ (part (col i)) w))))).
  - rewrite lsum_swap. apply lsum_ext; intros w _. unfold P, pt. rewrite <- lsum_mul. apply lsum_ext; intros i _. fold (col i). ring.
  - intros i _. unfold dot. rewrite inj_qsum, lsum_mul. f_equal. apply lsum_ext; intros w _. apply inj_mul.
Qed.

Lemma y_bound y w : forallb (fun x => Qle_bool (Qabs x) 1) y = true -> |inj (at_ y w) : F| <= 1.
Proof.
  intro h. rewrite <- inj_abs, <- inj_1. apply inj_le. unfold at_.
  destruct (Nat.lt_ge_cases w (length y)) as [k | k].
  - rewrite forallb_forall in h. apply Qle_bool_iff, h. now apply nth_In.
  - rewrite nth_overflow by auto. discriminate.
Qed.

Lemma rows_nth y (f : row -> bool) :
  forallb f (map (row_of K y) vs) = true -> forall i, (i < n)%nat -> f (row_of K y (col i)) = true.
Proof.
  intros h i hi. rewrite forallb_forall in h. apply h. apply in_map. now apply nth_In.
Qed.

Lemma test_sound y : test_ok joint alpha K y vs = true -> bound joint alpha K V lam vs.
Proof.
  unfold test_ok. rewrite !andb_true_iff. intros [[hy ha] h]. apply nn in ha.
  set (U := S1 (fun i => inj (dot K y (cM (col i))))). set (U' := S1 (fun i => inj (dot K y (cM' (col i))))).
  assert (eU : U = lsum (seq 0 K) (fun w => inj (at_ y w) * P (gM w))) by exact (dot_pt y cM).
  assert (eU' : U' = lsum (seq 0 K) (fun w => inj (at_ y w) * P (gM' w))) by exact (dot_pt y cM').
  assert (hD : inj alpha * lsum (seq 0 V) (fun v => |P (gD v)|) <= inj alpha * C) by (apply mul_mono; auto; apply D_le).
  unfold bound. destruct joint.
  - eapply le_trans; [exact hD |].
    apply (le_trans _ _ (U - U')).
    + apply (proj2 (le_sub F _ _)).
      replace (U - U' - inj alpha * C) with (S1 (fun i => inj (joint_form alpha (row_of K y (col i))))).
      * apply lsum_nonneg; intros i hi. apply inI in hi. apply mul_nonneg; auto. apply nn. now apply (rows_nth _ _ h).
      * unfold U, U', C, S1. rewrite <- lsum_mul, <- !lsum_sub. apply lsum_ext; intros i _.
        unfold joint_form. simpl. rewrite !inj_sub, inj_mul. ring.
    + rewrite eU, eU', <- lsum_sub. apply lsum_le; intros w _.
      eapply le_trans; [| apply (test_le _ _ (inj (at_ y w))); now apply y_bound].
      apply (le_by _ _ _ 0); [unfold P; ring | apply le_refl].
  - intros Z0 Zn Z0' Zn'. eapply le_trans; [exact hD |].
    set (Z := pt lam vs cZ) in *. set (Z' := pt lam vs cZ') in *.
    apply (le_trans _ _ (U / Z - U' / Z')).
    + apply (mul_cancel _ (Z * Z')); [now apply mul_nonneg | now apply mul_ne |].
      replace (Z * Z' * (U / Z - U' / Z')) with (Z' * U - Z * U') by (field; auto).
      apply (proj2 (le_sub F _ _)). destruct (shared vs) eqn:hs.
      * assert (eZ : Z' = Z).
        { apply lsum_ext; intros i hi. fold n in hi. fold I in hi. apply inI in hi. f_equal. apply inj_eq.
          unfold shared in hs. rewrite forallb_forall in hs. symmetry. apply Qeq_bool_iff, hs. now apply nth_In. }
        rewrite eZ. replace (Z * U - Z * U' - Z * Z * (inj alpha * C)) with (Z * (U - U' - inj alpha * (C * Z))) by ring.
        apply mul_nonneg; auto.
        replace (U - U' - inj alpha * (C * Z)) with (T2 (fun i j => inj (pair_form alpha (row_of K y (col i)) (row_of K y (col j))))).
        -- apply T2_nonneg. intros i j hi hj. rewrite <- inj_add. apply nn.
           apply (rows_nth _ _ h) in hi. now apply (rows_nth _ _ hi).
        -- unfold U, U', C, Z. fold (P cZ). rewrite ptS, S1_mul, !S1_one, <- T2_sub. unfold T2.
           rewrite <- lsum_mul, <- lsum_sub. apply lsum_ext; intros i _. rewrite <- lsum_mul, <- lsum_sub.
           apply lsum_ext; intros j _. unfold pair_form. simpl. rewrite !inj_sub, !inj_mul. ring.
      * replace (Z' * U - Z * U' - Z * Z' * (inj alpha * C)) with
          (T3 (fun i j k => inj (triple_form alpha (row_of K y (col i)) (row_of K y (col j)) (row_of K y (col k))))).
        -- apply T3_nonneg. intros i j k hi hj hk. rewrite <- !inj_add. apply nn.
           apply (rows_nth _ _ h) in hi. apply (rows_nth _ _ hi) in hj. now apply (rows_nth _ _ hj).
        -- replace (Z * Z' * (inj alpha * C)) with (inj alpha * (Z * Z' * C)) by ring.
           unfold U, U', C, Z, Z'. fold (P cZ). fold (P cZ'). rewrite !ptS, !S1_mul3, !S1_mul, !T2_one, <- T3_sub.
           unfold T3. rewrite <- lsum_mul, <- lsum_sub. apply lsum_ext; intros i _.
           rewrite <- lsum_mul, <- lsum_sub. apply lsum_ext; intros j _. rewrite <- lsum_mul, <- lsum_sub.
           apply lsum_ext; intros k _. unfold triple_form. simpl. rewrite !inj_sub, !inj_mul. ring.
    + replace (U / Z - U' / Z') with (lsum (seq 0 K) (fun w => inj (at_ y w) * (P (gM w) / Z - P (gM' w) / Z'))).
      * apply lsum_le; intros w _. apply test_le. now apply y_bound.
      * rewrite eU, eU'. replace (lsum (seq 0 K) (fun w => inj (at_ y w) * P (gM w)) / Z) with
          (lsum (seq 0 K) (fun w => inj (at_ y w) * P (gM w)) * (1 / Z)) by (field; auto).
        replace (lsum (seq 0 K) (fun w => inj (at_ y w) * P (gM' w)) / Z') with
          (lsum (seq 0 K) (fun w => inj (at_ y w) * P (gM' w)) * (1 / Z')) by (field; auto).
        rewrite <- !lsum_mulr, <- lsum_sub. apply lsum_ext; intros w _. field; auto.
Qed.

Lemma pt_sub g h : P g - P h = pt lam vs (fun c => g c - h c)%Q.
Proof. unfold P, pt. rewrite <- lsum_sub. apply lsum_ext; intros i _. rewrite inj_sub. ring. Qed.
Lemma pt_ext g h : (forall c, In c vs -> (g c == h c)%Q) -> P g = P h.
Proof.
  intro e. apply lsum_ext; intros i hi. apply inI in hi. f_equal. apply inj_eq, e. now apply nth_In.
Qed.

(** D = A (M - M') gives ||D q|| <= sum_w N_w |(M - M') q|_w, N_w the column sums of |A| *)
Lemma factor_le A :
  (forall c v, In c vs -> In v (seq 0 V) ->
     (at_ (cD c) v == qsum (seq 0 K) (fun w => at_ (nth v A []) w * (at_ (cM c) w - at_ (cM' c) w))%Q)%Q) ->
  lsum (seq 0 V) (fun v => |P (gD v)|)
  <= lsum (seq 0 K) (fun w => inj (qsum (seq 0 V) (fun v => Qabs (at_ (nth v A []) w))) * |P (gM w) - P (gM' w)|).
Proof.
  intro h. apply (le_trans _ _ (lsum (seq 0 V) (fun v => lsum (seq 0 K) (fun w =>
    inj (Qabs (at_ (nth v A []) w)) * |P (gM w) - P (gM' w)|)))).
  - apply lsum_le; intros v hv.
    replace (P (gD v)) with (lsum (seq 0 K) (fun w => inj (at_ (nth v A []) w) * (P (gM w) - P (gM' w)))).
    + eapply le_trans; [apply lsum_abs |]. apply lsum_le; intros w _. rewrite abs_mul, inj_abs. apply le_refl.
    + rewrite (pt_ext (gD v) _ (fun c hc => h c v hc hv)). unfold P, pt.
      rewrite (lsum_ext _ (seq 0 (length vs)) _ (fun i => lsum (seq 0 K) (fun w =>
        inj (at_ (nth v A []) w) * (lam i * inj (gM w (col i)) - lam i * inj (gM' w (col i)))))).
      * rewrite lsum_swap. apply lsum_ext; intros w _. rewrite lsum_mul, lsum_sub. reflexivity.
      * intros i _. rewrite inj_qsum, <- lsum_mul. apply lsum_ext; intros w _. rewrite inj_mul, inj_sub. unfold gM, gM', col. ring.
  - rewrite lsum_swap. apply lsum_le; intros w _. rewrite lsum_mulr, inj_qsum. apply le_refl.
Qed.

Lemma factor_sound A : factor_ok joint alpha K V A vs = true -> bound joint alpha K V lam vs.
Proof.
  unfold factor_ok. rewrite !andb_true_iff. intros [[[hs ha] hp] hn]. apply nn in ha.
  rewrite forallb_forall in hp, hn.
  assert (hD := factor_le A (fun c v hc hv => proj1 (Qeq_bool_iff _ _)
                  (proj1 (forallb_forall _ _) (hp c hc) v hv))).
  unfold bound. fold (P cZ). fold (P cZ').
  destruct joint.
  - eapply le_trans; [apply mul_mono; [exact ha | exact hD] |]. rewrite <- lsum_mul. apply lsum_le; intros w hw.
    specialize (hn w hw). apply Qle_bool_iff in hn. apply (inj_le F) in hn. rewrite inj_1, inj_mul in hn.
    set (x := |P (gM w) - P (gM' w)|). apply (mul_mono _ _ _ x) in hn; [| apply abs_nonneg].
    apply (le_by _ _ _ (x * 1 - x * (inj alpha * inj (qsum (seq 0 V) (fun v => Qabs (at_ (nth v A []) w)))))).
    + unfold x, P. ring.
    + exact (proj1 (le_sub _ _ _) hn).
  - intros Z0 Zn _ _. simpl in hs.
    assert (eZ : P cZ' = P cZ).
    { symmetry. apply pt_ext; intros c hc. apply Qeq_bool_iff. exact (proj1 (forallb_forall _ _) hs c hc). }
    rewrite eZ. eapply le_trans; [apply mul_mono; [exact ha | exact hD] |]. rewrite <- lsum_mul.
    apply lsum_le; intros w hw. specialize (hn w hw). rewrite forallb_forall in hn.
    set (x := |P (gM w) - P (gM' w)|). set (N := inj (qsum (seq 0 V) (fun v => Qabs (at_ (nth v A []) w))) : F).
    assert (hx : |P (gM w) / P cZ - P (gM' w) / P cZ| = x / P cZ).
    { replace (P (gM w) / P cZ - P (gM' w) / P cZ) with ((P (gM w) - P (gM' w)) * cinv (P cZ)) by (field; auto).
      rewrite abs_mul, (abs_pos _ (cinv (P cZ))) by (now apply inv_nonneg). fold x. field; auto. }
    fold (P (gM w)). fold (P (gM' w)). rewrite hx.
    apply (mul_cancel _ (P cZ)); auto. replace (P cZ * (x / P cZ)) with (x * 1) by (field; auto).
    replace (P cZ * (inj alpha * (N * x))) with (x * (inj alpha * N * P cZ)) by ring.
    apply mul_mono; [apply abs_nonneg |]. unfold P, pt. rewrite <- lam1, <- lsum_mul. fold n. fold I.
    apply lsum_le; intros i hi. apply inI in hi.
    assert (hc := hn (col i) (nth_In _ _ hi)). apply Qle_bool_iff in hc. apply (inj_le F) in hc.
    rewrite inj_1, !inj_mul in hc. apply (mul_mono _ _ _ (lam i)) in hc; auto. fold N in hc. fold (col i).
    apply (le_by _ _ _ (lam i * 1 - lam i * (inj alpha * N * inj (cZ (col i))))); [ring | exact (proj1 (le_sub _ _ _) hc)].
Qed.

Lemma zero_pt g : (forall c, In c vs -> (g c == 0)%Q) -> P g = 0.
Proof.
  intro h. rewrite (pt_ext g (fun _ => 0%Q) h). apply lsum_zero; intros i _. rewrite inj_0. ring.
Qed.
Lemma skip_sound : skip_ok joint vs = true -> bound joint alpha K V lam vs.
Proof.
  unfold skip_ok. rewrite orb_true_iff, andb_true_iff, orb_true_iff.
  assert (zero : forall g, forallb (fun c => Qeq_bool (g c) 0) vs = true -> P g = 0).
  { intros g h. apply zero_pt; intros c hc. apply Qeq_bool_iff. exact (proj1 (forallb_forall _ _) h c hc). }
  intros [h | [hj [h | h]]].
  - assert (e : inj alpha * lsum (seq 0 V) (fun v => |P (gD v)|) = 0).
    { rewrite lsum_zero; [ring |]. intros v hv. rewrite zero_pt; [apply abs_pos, le_refl |].
      intros c hc. assert (hd := proj1 (forallb_forall _ _) h c hc). unfold gD, at_.
      destruct (Nat.lt_ge_cases v (length (cD c))) as [k | k]; [| now rewrite nth_overflow].
      apply Qeq_bool_iff. exact (proj1 (forallb_forall _ _) hd _ (nth_In _ _ k)). }
    unfold bound. fold P. unfold P in e. rewrite e.
    destruct joint; intros; apply lsum_nonneg; intros; apply abs_nonneg.
  - destruct joint; [discriminate |]. intros _ n0. exfalso. apply n0. now apply zero.
  - destruct joint; [discriminate |]. intros _ _ _ n0. exfalso. apply n0. now apply zero.
Qed.
End Weights.

(** cutting an edge *)
Lemma mixq_eq t x y : (mixq t x y == (1 - t) * x + t * y)%Q.
Proof. apply Qred_correct. Qed.
Lemma nth_map_mix (f : Q -> Q) l k : (f 0 == 0)%Q -> (nth k (map f l) 0 == f (nth k l 0))%Q.
Proof.
  intro h. revert k. induction l; intros [| k]; simpl; auto; try (symmetry; exact h); reflexivity.
Qed.
Lemma mixl_eq t a b k : (at_ (mixl t a b) k == (1 - t) * at_ a k + t * at_ b k)%Q.
Proof.
  unfold at_. revert b k. induction a as [| x a ih]; intros b k; simpl.
  - rewrite nth_map_mix by (rewrite mixq_eq; ring). rewrite mixq_eq. destruct k; reflexivity.
  - destruct b as [| y b].
    + rewrite (nth_map_mix (fun x => mixq t x 0) (x :: a)) by (rewrite mixq_eq; ring). rewrite mixq_eq.
      destruct k; reflexivity.
    + destruct k; simpl; [apply mixq_eq | apply ih].
Qed.

Lemma upd_length {A} j (p : A) l : length (upd j p l) = length l.
Proof. revert j. induction l; intros [| j]; simpl; auto. Qed.
Lemma upd_nth {A} j (p d : A) l k : (j < length l)%nat -> nth k (upd j p l) d = if Nat.eqb k j then p else nth k l d.
Proof.
  revert j k. induction l; intros [| j] [| k]; simpl; try lia; auto. intro h. apply IHl. lia.
Qed.

Lemma two_points (m i j : nat) (x y : F) : (i < m)%nat -> (j < m)%nat -> i <> j ->
  lsum (seq 0 m) (fun k => if Nat.eqb k i then x else if Nat.eqb k j then y else 0) = x + y.
Proof.
  intros hi hj n.
  rewrite (lsum_ext _ _ _ (fun k => (if Nat.eqb k i then x else 0) + (if Nat.eqb k j then y else 0))).
  - rewrite lsum_add, !(lsum_only _ Nat.eqb Nat.eqb_eq) by (try apply seq_NoDup; apply in_seq; lia). reflexivity.
  - intros k _. destruct (Nat.eqb_spec k i), (Nat.eqb_spec k j); subst; try tauto; ring.
Qed.

Section Cut.
Variables (vs : list column) (lam : nat -> F) (i j : nat) (t : Q).
Let n := length vs.
Hypothesis (hi : (i < n)%nat) (hj : (j < n)%nat) (hn : i <> j) (t0 : (0 < t)%Q) (t1 : (t < 1)%Q).
Hypothesis lam0 : forall k, (k < n)%nat -> 0 <= lam k.
Hypothesis lam1 : lsum (seq 0 n) lam = 1.
Let vi := nth i vs no_column.
Let vj := nth j vs no_column.
Let p := mix t vi vj.
Let linear (g : column -> Q) := (g p == (1 - t) * g vi + t * g vj)%Q.

(** the weights after [upd a p vs] where b is the other end, s the share of v_a in p *)
Let moved (a b : nat) (s r : F) (k : nat) : F :=
  if Nat.eqb k a then lam a / s else if Nat.eqb k b then lam b - r * (lam a / s) else lam k.

Lemma moved_ok a b (s r : Q) :
  (a < n)%nat -> (b < n)%nat -> a <> b -> (0 < s)%Q -> (s + r == 1)%Q ->
  inj r * (lam a / inj s) <= lam b ->
  let lam' := moved a b (inj s) (inj r) in
  (forall k, (k < n)%nat -> 0 <= lam' k) /\ lsum (seq 0 n) lam' = 1 /\
  forall g, (g p == s * g (nth a vs no_column) + r * g (nth b vs no_column))%Q ->
    pt lam vs g = pt lam' (upd a p vs) g.
Proof.
  intros ha hb hab s0 sr le lam'.
  assert (is : 0 <= (inj s : F)) by (rewrite <- inj_0; apply inj_le; now apply Qlt_le_weak).
  assert (ns : (inj s : F) <> 0).
  { intro e. assert (k : (inj s * inj (/ s)%Q : F) = 1).
    { rewrite <- inj_mul, <- inj_1. apply inj_eq. field. intro z. rewrite z in s0. discriminate. }
    rewrite e in k. replace (0 * inj (/ s)%Q : F) with (0 : F) in k by ring.
    exact (F_1_neq_0 (c_field F) (eq_sym k)). }
  assert (er : (inj r : F) = 1 - inj s).
  { rewrite <- inj_1, <- inj_sub. apply inj_eq. rewrite <- sr. ring. }
  repeat split.
  - intros k hk. unfold lam', moved. destruct (Nat.eqb_spec k a) as [-> | _].
    + replace (lam a / inj s) with (lam a * cinv (inj s)) by (field; auto). apply mul_nonneg; auto. now apply inv_nonneg.
    + destruct (Nat.eqb_spec k b) as [-> | _]; auto. exact (proj1 (le_sub _ _ _) le).
  - rewrite (lsum_ext _ _ _ (fun k => lam k +
      (if Nat.eqb k a then lam a / inj s - lam a else if Nat.eqb k b then - (inj r * (lam a / inj s)) else 0))).
    + rewrite lsum_add, two_points, lam1, er by auto. field; auto.
    + intros k _. unfold lam', moved. destruct (Nat.eqb_spec k a); subst; [ring |].
      destruct (Nat.eqb_spec k b); subst; ring.
  - intros g hg. unfold pt. rewrite upd_length. fold n.
    rewrite (lsum_ext _ _ (fun k => lam' k * _) (fun k => lam k * inj (g (nth k vs no_column)) +
      (if Nat.eqb k a then lam a / inj s * inj (g p) - lam a * inj (g (nth a vs no_column))
       else if Nat.eqb k b then - (inj r * (lam a / inj s)) * inj (g (nth b vs no_column)) else 0))).
    + rewrite lsum_add, two_points by auto. rewrite (inj_eq F _ _ hg), inj_add, !inj_mul.
      match goal with |- _ = _ + ?z => replace z with (0 : F) by (field; auto) end. ring.
    + intros k _. rewrite upd_nth by auto. unfold lam', moved. destruct (Nat.eqb_spec k a); subst; [ring |].
      destruct (Nat.eqb_spec k b); subst; ring.
Qed.
End Cut.

Lemma bound_eq joint alpha K V lam vs lam' vs' :
  (forall g, In g [cZ; cZ'] \/ (exists w, g = gM w \/ g = gM' w \/ g = gD w) -> pt lam vs g = pt lam' vs' g) ->
  bound joint alpha K V lam' vs' -> bound joint alpha K V lam vs.
Proof.
  intros e. unfold bound.
  assert (eZ : pt lam vs cZ = pt lam' vs' cZ) by (apply e; simpl; auto).
  assert (eZ' : pt lam vs cZ' = pt lam' vs' cZ') by (apply e; simpl; auto).
  assert (eM : forall w, pt lam vs (gM w) = pt lam' vs' (gM w)) by (intro w; apply e; right; exists w; auto).
  assert (eM' : forall w, pt lam vs (gM' w) = pt lam' vs' (gM' w)) by (intro w; apply e; right; exists w; auto).
  assert (eD : forall w, pt lam vs (gD w) = pt lam' vs' (gD w)) by (intro w; apply e; right; exists w; auto).
  rewrite eZ, eZ'.
  assert (s1 : lsum (seq 0 V) (fun v => |pt lam vs (gD v)|) = lsum (seq 0 V) (fun v => |pt lam' vs' (gD v)|))
    by (apply lsum_ext; intros v _; f_equal; apply eD).
  rewrite s1. destruct joint.
  - intro h. eapply le_trans; [exact h |]. apply lsum_le; intros w _. rewrite eM, eM'. apply le_refl.
  - intros h h1 h2 h3 h4. eapply le_trans; [exact (h h1 h2 h3 h4) |]. apply lsum_le; intros w _. rewrite eM, eM'. apply le_refl.
Qed.

Theorem tree_sound joint alpha tests factors K V : forall n vs,
  tree_ok joint alpha tests factors K V n vs = true ->
  forall lam : nat -> F, (forall k, (k < length vs)%nat -> 0 <= lam k) -> lsum (seq 0 (length vs)) lam = 1 ->
  bound joint alpha K V lam vs.
Proof.
  induction n as [| k | k | i j t l ihl r ihr]; intros vs h lam l0 l1; cbn [tree_ok] in h.
  - now apply skip_sound.
  - eapply test_sound; eauto.
  - apply factor_fast_ok in h. eapply factor_sound; eauto.
  - rewrite !andb_true_iff, !negb_true_iff in h. destruct h as [[[[[hi hj] hn] h0] h1] [hl hr]].
    apply Nat.ltb_lt in hi, hj. apply Nat.eqb_neq in hn.
    assert (t0 : (0 < t)%Q) by (apply Qnot_le_lt; intro z; apply Qle_bool_iff in z; congruence).
    assert (t1 : (t < 1)%Q) by (apply Qnot_le_lt; intro z; apply Qle_bool_iff in z; congruence).
    assert (s0 : (0 < 1 - t)%Q) by (apply Qlt_minus_iff in t1; exact t1).
    set (vi := nth i vs no_column) in *. set (vj := nth j vs no_column) in *.
    assert (lin : forall g, In g [cZ; cZ'] \/ (exists w, g = gM w \/ g = gM' w \/ g = gD w) ->
                  (g (mix t vi vj) == (1 - t) * g vi + t * g vj)%Q).
    { intros g [[<- | [<- | []]] | [w [-> | [-> | ->]]]]; try apply mixq_eq; apply mixl_eq. }
    destruct (le_total F (inj (1 - t)%Q * (lam j / inj t)) (lam i)) as [c | c].
    + destruct (moved_ok vs lam i j t l0 l1 j i t (1 - t) hj hi (not_eq_sym hn) t0 ltac:(ring) c) as (m0 & m1 & e).
      eapply bound_eq; [| eapply (ihl _ hl); rewrite upd_length; [exact m0 | exact m1]].
      intros g hg. apply e. fold vi vj. eapply Qeq_trans; [exact (lin g hg) | ring].
    + assert (nt : (inj t : F) <> 0 /\ (inj (1 - t)%Q : F) <> 0).
      { assert (aux : forall q, (0 < q)%Q -> (inj q : F) <> 0).
        { intros q q0 z. assert (k : (inj q * inj (/ q)%Q : F) = 1).
          { rewrite <- inj_mul, <- inj_1. apply inj_eq. field. intro y. rewrite y in q0. discriminate. }
          rewrite z in k. replace (0 * inj (/ q)%Q : F) with (0 : F) in k by ring.
          exact (F_1_neq_0 (c_field F) (eq_sym k)). }
        split; now apply aux. }
      destruct nt as [nt ns].
      assert (c' : inj t * (lam i / inj (1 - t)%Q) <= lam j).
      { assert (it : 0 <= (inj t : F)) by (rewrite <- inj_0; apply inj_le; now apply Qlt_le_weak).
        assert (is : 0 <= (inj (1 - t)%Q : F)) by (rewrite <- inj_0; apply inj_le; now apply Qlt_le_weak).
        apply (mul_mono _ _ _ (inj t * cinv (inj (1 - t)%Q))) in c;
          [| apply mul_nonneg; auto; now apply inv_nonneg].
        replace (inj t * cinv (inj (1 - t)%Q) * (inj (1 - t)%Q * (lam j / inj t))) with (lam j) in c by (field; auto).
        replace (inj t * cinv (inj (1 - t)%Q) * lam i) with (inj t * (lam i / inj (1 - t)%Q)) in c by (field; auto).
        exact c. }
      destruct (moved_ok vs lam i j t l0 l1 i j (1 - t) t hi hj hn s0 ltac:(ring) c') as (m0 & m1 & e).
      eapply bound_eq; [| eapply (ihr _ hr); rewrite upd_length; [exact m0 | exact m1]].
      intros g hg. apply e. fold vi vj. eapply Qeq_trans; [exact (lin g hg) | ring].
Qed.
End Sound.
