(** Lemma C.1 through its potential: how long an independent sequence of functions f(z) = sum_t w_t |<a_t, phi>| can be, where the phi span
    p dimensions, |phi|^2 <= B2 and the vectors with signs sum_t w_t s_t a_t that are tested with them have square norm at most D.  A
    positive matrix is known by its pivots; one more vector multiplies their product, and Hadamard's inequality bounds it. *)
From Pomgcheck Require Import RealSums.
From Coq Require Import FunctionalExtensionality.
Open Scope R_scope.

(** ** Pivots *)
Definition matrix := nat -> nat -> R.
Definition tail (x : nat -> R) : nat -> R := fun i => x (S i).
Definition complement (A : matrix) : matrix := fun i j => A (S i) (S j) - A (S i) O * A O (S j) / A O O.
Definition grown (c : R) (x : nat -> R) (A : matrix) : matrix := fun i j => A i j + c * (x i * x j).
Definition symmetric (A : matrix) : Prop := forall i j, A i j = A j i.
Fixpoint dot (p : nat) (x y : nat -> R) : R := match p with O => 0 | S p => x O * y O + dot p (tail x) (tail y) end.
Fixpoint prod (p : nat) (f : nat -> R) : R := match p with O => 1 | S p => f O * prod p (tail f) end.
Fixpoint positive (p : nat) (A : matrix) : Prop := match p with O => True | S p => 0 < A O O /\ positive p (complement A) end.
Fixpoint determinant (p : nat) (A : matrix) : R := match p with O => 1 | S p => A O O * determinant p (complement A) end.
(** y^T A y, and x^T A^-1 x *)
Fixpoint form (p : nat) (A : matrix) (y : nat -> R) : R :=
  match p with O => 0 | S p => A O O * (y O + dot p (tail (A O)) (tail y) / A O O) ^ 2 + form p (complement A) (tail y) end.
Definition reduced (A : matrix) (x : nat -> R) : nat -> R := fun i => x (S i) - x O / A O O * A O (S i).
Fixpoint inverse_form (p : nat) (A : matrix) (x : nat -> R) : R :=
  match p with O => 0 | S p => x O ^ 2 / A O O + inverse_form p (complement A) (reduced A x) end.
Lemma dot_linear p : forall x b t y, dot p (fun i => x i + t * b i) y = dot p x y + t * dot p b y.
Proof. induction p as [| p ih]; intros; cbn [dot]; [ring |]. unfold tail in *. rewrite ih. ring. Qed.
Lemma complement_symmetric A : symmetric A -> symmetric (complement A).
Proof. intros s i j. unfold complement. rewrite (s (S i) (S j)), (s (S i) O), (s O (S j)). unfold Rdiv. ring. Qed.
Lemma grown_symmetric c x A : symmetric A -> symmetric (grown c x A).
Proof. intros s i j. unfold grown. rewrite (s i j). ring. Qed.
Lemma pivot c x (A : matrix) : 0 < A O O -> 0 <= c -> 0 < A O O + c * (x O * x O).
Proof. intros a k. pose proof (Rmult_le_pos c (x O * x O) k (Rle_0_sqr (x O))). lra. Qed.
Lemma complement_grown c x A : symmetric A -> 0 < A O O -> 0 <= c ->
  complement (grown c x A) = grown (c * A O O / (A O O + c * (x O * x O))) (reduced A x) (complement A).
Proof.
  intros s a k. pose proof (pivot c x A a k). apply functional_extensionality. intro i. apply functional_extensionality. intro j.
  unfold complement, grown, reduced. rewrite (s (S i) O). field. lra.
Qed.
Lemma nonneg p : forall A x, positive p A -> 0 < determinant p A /\ 0 <= form p A x /\ 0 <= inverse_form p A x.
Proof.
  induction p as [| p ih]; intros A x h; cbn [determinant form inverse_form]; [lra |]. destruct h as [a h].
  destruct (ih _ (tail x) h) as (d & f & _). destruct (ih _ (reduced A x) h) as (_ & _ & i). split; [now apply Rmult_lt_0_compat |]. split.
  - apply Rplus_le_le_0_compat; [| exact f]. apply Rmult_le_pos; [lra | apply pow2_ge_0].
  - apply Rplus_le_le_0_compat; [| exact i]. apply Rmult_le_pos; [apply pow2_ge_0 | left; now apply Rinv_0_lt_compat].
Qed.
Lemma growth p : forall A c x, symmetric A -> positive p A -> 0 <= c ->
  positive p (grown c x A) /\ determinant p (grown c x A) = determinant p A * (1 + c * inverse_form p A x) /\
  forall y, form p (grown c x A) y = form p A y + c * dot p x y ^ 2.
Proof.
  induction p as [| p ih]; intros A c x s h k; cbn [positive determinant form inverse_form dot]; [split; [exact I |]; split; [| intro y]; ring |].
  destruct h as [a h]. pose proof (pivot c x A a k) as a'. rewrite (complement_grown c x A s a k).
  assert (k' : 0 <= c * A O O / (A O O + c * (x O * x O))) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | left; now apply Rinv_0_lt_compat]).
  destruct (ih (complement A) _ (reduced A x) (complement_symmetric A s) h k') as (h' & d & f).
  split; [split; [exact a' | exact h'] |]. split.
  - rewrite d. unfold grown at 1. field. lra.
  - intro y. rewrite f.
    replace (dot p (reduced A x) (tail y)) with (dot p (tail x) (tail y) - x O / A O O * dot p (tail (A O)) (tail y)).
    2:{ replace (reduced A x) with (fun i => tail x i + - (x O / A O O) * tail (A O) i) by (apply functional_extensionality; intro i; unfold reduced, tail; ring).
        rewrite dot_linear. ring. }
    replace (tail (grown c x A O)) with (fun i => tail (A O) i + (c * x O) * tail x i) by (apply functional_extensionality; intro i; unfold grown, tail; ring).
    rewrite dot_linear. unfold grown. generalize (dot p (tail x) (tail y)) (dot p (tail (A O)) (tail y)) (form p (complement A) (tail y)). intros. field. lra.
Qed.
Lemma tested p : forall A x y, symmetric A -> positive p A -> dot p x y ^ 2 <= inverse_form p A x * form p A y.
Proof.
  induction p as [| p ih]; intros A x y s h; cbn [dot form inverse_form]; [lra |]. destruct h as [a h].
  specialize (ih (complement A) (reduced A x) (tail y) (complement_symmetric A s) h).
  destruct (nonneg p (complement A) (tail y) h) as (_ & f & _). destruct (nonneg p (complement A) (reduced A x) h) as (_ & _ & i).
  assert (e : dot p (reduced A x) (tail y) = dot p (tail x) (tail y) - x O / A O O * dot p (tail (A O)) (tail y)).
  { replace (reduced A x) with (fun i => tail x i + - (x O / A O O) * tail (A O) i) by (apply functional_extensionality; intro j; unfold reduced, tail; ring).
    rewrite dot_linear. ring. }
  set (z := y O + dot p (tail (A O)) (tail y) / A O O).
  replace (x O * y O + dot p (tail x) (tail y)) with (x O * z + dot p (reduced A x) (tail y)) by (rewrite e; unfold z; field; lra).
  replace ((x O * z + dot p (reduced A x) (tail y)) ^ 2) with ((x O * z + dot p (reduced A x) (tail y)) * (x O * z + dot p (reduced A x) (tail y))) by ring.
  assert (i0 : 0 < / A O O) by now apply Rinv_0_lt_compat.
  apply cs_step; [apply Rmult_le_pos; [apply pow2_ge_0 | lra] | apply Rmult_le_pos; [lra | apply pow2_ge_0] | exact i | exact f | | lra].
  apply Req_le. field. lra.
Qed.
Lemma diagonal p : forall A, symmetric A -> positive p A -> forall i, (i < p)%nat -> 0 < A i i.
Proof.
  induction p as [| p ih]; intros A s h i l; [lia |]. destruct h as [a h]. destruct i as [| i]; [exact a |].
  specialize (ih _ (complement_symmetric A s) h i ltac:(lia)). unfold complement in ih. rewrite (s (S i) O) in ih.
  assert (0 <= A O (S i) * A O (S i) / A O O) by (apply Rmult_le_pos; [apply Rle_0_sqr | left; now apply Rinv_0_lt_compat]). lra.
Qed.
Lemma prod_le p : forall f g, (forall i, (i < p)%nat -> 0 <= f i <= g i) -> 0 <= prod p f <= prod p g.
Proof.
  induction p as [| p ih]; intros f g h; cbn [prod]; [lra |]. destruct (ih (tail f) (tail g)) as [l m]; [intros i k; apply h; lia |]. destruct (h O ltac:(lia)).
  split; [now apply Rmult_le_pos | apply Rmult_le_compat; lra].
Qed.
Theorem Hadamard p : forall A, symmetric A -> positive p A -> determinant p A <= prod p (fun i => A i i).
Proof.
  induction p as [| p ih]; intros A s h; cbn [determinant prod]; [lra |]. destruct h as [a h]. apply Rmult_le_compat_l; [lra |].
  eapply Rle_trans; [apply (ih _ (complement_symmetric A s) h) |]. apply prod_le. intros i l. unfold tail. split; [left; now apply (diagonal p _ (complement_symmetric A s) h) |].
  unfold complement. rewrite (s (S i) O). assert (0 <= A O (S i) * A O (S i) / A O O) by (apply Rmult_le_pos; [apply Rle_0_sqr | left; now apply Rinv_0_lt_compat]). lra.
Qed.

(** ** The potential of a list of vectors *)
Fixpoint potential (l : R) (xs : list (nat -> R)) : matrix :=
  match xs with [] => fun i j => if Nat.eq_dec i j then l else 0 | x :: xs => grown 1 x (potential l xs) end.
Lemma first_matrix l p : 0 < l -> let A := potential l [] in
  symmetric A /\ positive p A /\ determinant p A = l ^ p /\ forall y, form p A y = l * dot p y y.
Proof.
  intros hl A. split; [intros i j; unfold A; cbn; destruct (Nat.eq_dec i j), (Nat.eq_dec j i); congruence || reflexivity |].
  assert (e : complement A = A).
  { apply functional_extensionality. intro i. apply functional_extensionality. intro j. unfold complement, A. cbn [potential].
    destruct (Nat.eq_dec (S i) 0); [lia |]. destruct (Nat.eq_dec 0 (S j)); [lia |]. destruct (Nat.eq_dec (S i) (S j)), (Nat.eq_dec i j); try lia; unfold Rdiv; ring. }
  assert (a : A O O = l) by reflexivity.
  induction p as [| p (ih1 & ih2 & ih3)]; cbn [positive determinant form dot pow]; [split; [exact I |]; split; [reflexivity | intro; ring] |]. rewrite e, a. split; [now split |].
  split; [now rewrite ih2 |]. intro y. rewrite ih3.
  assert (z : dot p (tail (A O)) (tail y) = 0).
  { replace (tail (A O)) with (fun _ : nat => 0 + 0 * 0) by (apply functional_extensionality; intro i; unfold tail, A; cbn; ring). clear. generalize (tail y).
    induction p as [| p ih]; intro z; cbn [dot]; [reflexivity |]. unfold tail at 1. rewrite ih. ring. }
  rewrite z. field. lra.
Qed.
Lemma potential_is l p xs : 0 < l -> let A := potential l xs in
  symmetric A /\ positive p A /\ (forall y, form p A y = l * dot p y y + sum xs (fun x => dot p x y ^ 2)) /\ forall i, A i i = l + sum xs (fun x => x i ^ 2).
Proof.
  intro hl. induction xs as [| x xs (s & h & f & e)]; cbn [potential sum].
  - destruct (first_matrix l p hl) as (s & h & _ & f). split; [exact s |]. split; [exact h |]. split; [intro y; rewrite f; ring |]. intro i. cbn. destruct (Nat.eq_dec i i); [ring | congruence].
  - destruct (growth p _ 1 x s h ltac:(lra)) as (h' & _ & f'). split; [now apply grown_symmetric |]. split; [exact h' |]. split; [intro y; rewrite f', f; ring |].
    intro i. unfold grown. rewrite e. ring.
Qed.
(** each vector x has a y with <x, y> > a that all vectors before it hardly see *)
Fixpoint seen_anew (p : nat) (a B2 : R) (xs : list ((nat -> R) * (nat -> R))) : Prop :=
  match xs with
  | [] => True
  | (x, y) :: before => a < dot p x y /\ dot p y y <= B2 /\ sum before (fun z => dot p (fst z) y ^ 2) <= a ^ 2 /\ seen_anew p a B2 before
  end.
Lemma determinant_grows p a B2 xs : 0 < a -> 0 < B2 -> seen_anew p a B2 xs -> let l := a ^ 2 / (8 * B2) in
  l ^ p * (17 / 9) ^ length xs <= determinant p (potential l (map fst xs)).
Proof.
  intros ha hB h l. assert (hl : 0 < l) by (unfold l; apply Rdiv_lt_0_compat; [apply pow_lt; lra | lra]).
  induction xs as [| [x y] xs ih]; cbn [map length pow fst]; [destruct (first_matrix l p hl) as (_ & _ & -> & _); lra |].
  destruct h as (h1 & h2 & h3 & h). specialize (ih h). cbn [potential]. destruct (potential_is l p (map fst xs) hl) as (s & ps & f & _).
  destruct (growth p _ 1 x s ps ltac:(lra)) as (_ & -> & _). destruct (nonneg p _ x ps) as (dp & _ & i).
  pose proof (tested p _ x y s ps) as t. rewrite f, sum_map in t.
  assert (q : l * dot p y y + sum xs (fun z => dot p (fst z) y ^ 2) <= 9 / 8 * a ^ 2).
  { assert (l * dot p y y <= a ^ 2 / 8); [| lra]. replace (a ^ 2 / 8) with (l * B2) by (unfold l; field; lra). apply Rmult_le_compat_l; lra. }
  assert (g : 8 / 9 <= inverse_form p (potential l (map fst xs)) x).
  { apply Rnot_lt_le. intro k. set (v := inverse_form p _ x) in *. set (F := l * _ + _) in *.
    assert (a ^ 2 < dot p x y ^ 2) by (pose proof (Rmult_le_0_lt_compat a (dot p x y) a (dot p x y) ltac:(lra) ltac:(lra) h1 h1); cbn [pow]; lra).
    assert (0 < a ^ 2) by (apply pow_lt; lra). assert (v * F <= v * (9 / 8 * a ^ 2)) by (apply Rmult_le_compat_l; lra).
    assert (v * (9 / 8 * a ^ 2) <= 8 / 9 * (9 / 8 * a ^ 2)) by (apply Rmult_le_compat_r; lra). lra. }
  replace (l ^ p * (17 / 9 * (17 / 9) ^ length xs)) with (l ^ p * (17 / 9) ^ length xs * (17 / 9)) by ring.
  assert (0 <= l ^ p * (17 / 9) ^ length xs) by (apply Rmult_le_pos; apply pow_le; lra).
  apply Rmult_le_compat; lra.
Qed.
(** geometric and arithmetic means *)
Lemma means p : forall f, (forall i, (i < p)%nat -> 0 < f i) -> forall m, 0 < m -> prod p f <= m ^ p * exp (dot p f (fun _ => / m) - INR p).
Proof.
  induction p as [| p ih]; intros f h m hm; cbn [prod pow dot]; [simpl INR; rewrite Rminus_0_r, exp_0; lra |].
  specialize (ih (tail f) (fun i l => h (S i) ltac:(lia)) m hm). rewrite S_INR.
  replace (f O * / m + dot p (tail f) (tail (fun _ => / m)) - (INR p + 1)) with ((f O / m - 1) + (dot p (tail f) (fun _ => / m) - INR p)) by (unfold Rdiv, tail; ring).
  rewrite exp_plus. assert (k : f O <= m * exp (f O / m - 1)).
  { replace (f O) with (m * (1 + (f O / m - 1))) at 1 by (field; lra). apply Rmult_le_compat_l; [lra |].
    destruct (Req_dec (f O / m - 1) 0) as [-> | n]; [rewrite exp_0; lra | left; now apply exp_ineq1]. }
  replace (m * m ^ p * (exp (f O / m - 1) * exp (dot p (tail f) (fun _ => / m) - INR p)))
    with ((m * exp (f O / m - 1)) * (m ^ p * exp (dot p (tail f) (fun _ => / m) - INR p))) by ring.
  apply Rmult_le_compat; [left; apply h; lia | | exact k | exact ih]. refine (proj1 (prod_le p (tail f) (tail f) _)). intros i l. split; [left; apply h; lia | lra].
Qed.
Lemma dot_squares p x c : dot p (fun i => x i ^ 2) (fun _ => c) = c * dot p x x.
Proof.
  revert x. induction p as [| p ih]; intro x; cbn [dot]; [ring |]. change (tail (fun i => x i ^ 2)) with (fun i => tail x i ^ 2). change (tail (fun _ : nat => c)) with (fun _ : nat => c).
  rewrite ih. ring.
Qed.
Lemma dot_diagonal p l xs c : dot p (fun i => l + sum xs (fun x => x i ^ 2)) (fun _ => c) = c * (INR p * l + sum xs (fun x => dot p x x)).
Proof.
  induction xs as [| x xs ih]; cbn [sum].
  - induction p as [| p ih]; cbn [dot]; [simpl; ring |]. unfold tail at 1 2. rewrite ih, S_INR. ring.
  - replace (fun i => l + (x i ^ 2 + sum xs (fun x => x i ^ 2))) with (fun i => (l + sum xs (fun x => x i ^ 2)) + 1 * (x i ^ 2)) by (apply functional_extensionality; intro; ring).
    rewrite (dot_linear p (fun i => l + sum xs (fun x => x i ^ 2)) (fun i => x i ^ 2) 1 (fun _ => c)), ih, dot_squares. ring.
Qed.
Theorem potential_bound p a B2 D xs : (1 <= p)%nat -> 0 < a -> 0 < B2 -> seen_anew p a B2 xs -> (forall z, In z xs -> dot p (fst z) (fst z) <= D) -> 0 <= D ->
  (17 / 9) ^ length xs <= (1 + 8 * D * B2 / a ^ 2 * INR (length xs) / INR p) ^ p.
Proof.
  intros hp ha hB h hD D0. set (l := a ^ 2 / (8 * B2)). assert (a2 : 0 < a ^ 2) by (apply pow_lt; lra).
  assert (hl : 0 < l) by (unfold l; apply Rdiv_lt_0_compat; lra). assert (p0 : 0 < INR p) by (apply lt_0_INR; lia).
  destruct (potential_is l p (map fst xs) hl) as (s & ps & _ & e). pose proof (determinant_grows p a B2 xs ha hB h) as g. cbv zeta in g. fold l in g.
  pose proof (Hadamard p _ s ps) as k. set (m := l + INR (length xs) * D / INR p).
  assert (n0 : 0 <= INR (length xs) * D / INR p) by (apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR | lra] | left; now apply Rinv_0_lt_compat]).
  assert (hm : 0 < m) by (unfold m; lra).
  pose proof (means p (fun i => potential l (map fst xs) i i) (fun i q => diagonal p _ s ps i q) m hm) as q.
  replace (fun i => potential l (map fst xs) i i) with (fun i => l + sum (map fst xs) (fun x => x i ^ 2)) in q by (apply functional_extensionality; intro i; symmetry; apply e).
  rewrite dot_diagonal, sum_map in q.
  assert (t : sum xs (fun z => dot p (fst z) (fst z)) <= INR (length xs) * D).
  { rewrite <- (sum_const xs D). apply sum_le. exact hD. }
  assert (x1 : exp (/ m * (INR p * l + sum xs (fun z => dot p (fst z) (fst z))) - INR p) <= 1).
  { rewrite <- exp_0. assert (/ m * (INR p * l + sum xs (fun z => dot p (fst z) (fst z))) <= INR p).
    { apply (Rmult_le_reg_l m); [exact hm |]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. unfold m.
      replace ((l + INR (length xs) * D / INR p) * INR p) with (INR p * l + INR (length xs) * D) by (field; lra). lra. }
    destruct (Rle_lt_or_eq_dec (/ m * (INR p * l + sum xs (fun z => dot p (fst z) (fst z))) - INR p) 0 ltac:(lra)) as [k' | ->]; [left; now apply exp_increasing | lra]. }
  replace (fun i => l + sum (map fst xs) (fun x => x i ^ 2)) with (fun i => potential l (map fst xs) i i) in q by (apply functional_extensionality; intro i; apply e).
  assert (mp : 0 <= m ^ p) by (apply pow_le; lra).
  assert (r : l ^ p * (17 / 9) ^ length xs <= m ^ p).
  { eapply Rle_trans; [exact g |]. eapply Rle_trans; [exact k |]. eapply Rle_trans; [exact q |]. rewrite <- (Rmult_1_r (m ^ p)) at 2. now apply Rmult_le_compat_l. }
  assert (lp : 0 < l ^ p) by now apply pow_lt. apply (Rmult_le_reg_l (l ^ p)); [exact lp |]. eapply Rle_trans; [exact r |]. rewrite <- Rpow_mult_distr.
  apply Req_le. f_equal. unfold m, l. field. lra.
Qed.

(** ** An orthonormal system in place of the vectors that span: one of them may be zero *)
Section Span.
Context {E : Type}.
Variable places : list E.
Definition inner (u v : E -> R) : R := sum places (fun e => u e * v e).
Lemma inner_sym u v : inner u v = inner v u. Proof. apply sum_ext. intros. ring. Qed.
Lemma inner_linear u v t w : inner (fun e => u e + t * v e) w = inner u w + t * inner v w.
Proof. unfold inner. rewrite <- sum_mul, <- sum_add. apply sum_ext. intros. ring. Qed.
Lemma inner_pos u : 0 <= inner u u. Proof. apply sum_nonneg. intros. apply Rle_0_sqr. Qed.
Lemma inner_tests u v : inner u v ^ 2 <= inner u u * inner v v.
Proof. pose proof (Cauchy_Schwarz places u v). unfold inner. cbn [pow]. rewrite Rmult_1_r. exact H. Qed.
Lemma inner_null u v : inner v v = 0 -> inner u v = 0.
Proof.
  intro z. pose proof (inner_tests u v) as t. rewrite z, Rmult_0_r in t. pose proof (pow2_ge_0 (inner u v)). apply Rsqr_0_uniq. unfold Rsqr. cbn [pow] in *. lra.
Qed.
(** coordinates of u, and what they are of *)
Definition along (es : list (E -> R)) (u : E -> R) : nat -> R := fun k => inner u (nth k es (fun _ => 0)).
Fixpoint combination (c : list R) (bs : list (E -> R)) : E -> R :=
  match c, bs with c :: cs, b :: bs => fun e => combination cs bs e + c * b e | _, _ => fun _ => 0 end.
Fixpoint orthonormal (es : list (E -> R)) : Prop :=
  match es with [] => True | e :: es => (forall e', In e' es -> inner e e' = 0) /\ (inner e e = 1 \/ inner e e = 0) /\ orthonormal es end.
Definition shows (es : list (E -> R)) (u : E -> R) : Prop := forall v, inner v u = sum es (fun e => inner v e * inner u e).
Lemma sum_orthogonal es v u : (forall e, In e es -> inner v e = 0) -> sum es (fun e => inner v e * inner u e) = 0.
Proof. intro h. apply sum_zero. intros e i. rewrite h by exact i. ring. Qed.
Lemma Bessel es : orthonormal es -> forall u, sum es (fun e => inner u e * inner u e) <= inner u u.
Proof.
  induction es as [| e es ih]; intros o u; cbn [sum]; [apply inner_pos |]. destruct o as (h & n & o). specialize (ih o (fun x => u x + - inner u e * e x)).
  rewrite (sum_ext es _ (fun e' => inner u e' * inner u e')) in ih by (intros e' i; rewrite inner_linear, (h e' i); ring).
  assert (k : inner (fun x => u x + - inner u e * e x) (fun x => u x + - inner u e * e x) = inner u u - inner u e * inner u e).
  { rewrite inner_linear, (inner_sym u), (inner_sym e), !inner_linear, (inner_sym e u). destruct n as [-> | z]; [ring |]. rewrite (inner_null u e z). ring. }
  rewrite k in ih. lra.
Qed.
Lemma rest_orthogonal es b : orthonormal es -> exists r, (forall e, In e es -> inner r e = 0) /\ forall v, inner v r = inner v b - sum es (fun e => inner v e * inner b e).
Proof.
  induction es as [| e es ih]; intro o; [exists b; split; [intros e [] | intro v; cbn; ring] |]. destruct o as (h & n & o). destruct (ih o) as (r & z & k).
  exists (fun x => r x + - inner b e * e x). assert (re : inner r e = inner b e).
  { rewrite inner_sym, (k e). rewrite (sum_orthogonal es e b h), (inner_sym e b). ring. }
  split.
  - intros e' i. rewrite inner_linear. destruct i as [<- | i]; [| rewrite (z e' i), (h e' i); ring]. rewrite re. destruct n as [-> | n0]; [ring |]. rewrite (inner_null b e n0). ring.
  - intro v. rewrite inner_sym, inner_linear, (inner_sym r v), (inner_sym e v), k. cbn [sum]. ring.
Qed.
Theorem Gram_Schmidt bs : exists es, length es = length bs /\ orthonormal es /\ forall b, In b bs -> shows es b.
Proof.
  induction bs as [| b bs (es & l & o & s)]; [exists []; split; [reflexivity | split; [exact I | intros b []]] |].
  destruct (rest_orthogonal es b o) as (r & z & k). pose proof (inner_pos r) as r0.
  assert (rb : inner b r = inner r r).
  { rewrite (k r). rewrite sum_orthogonal by exact z. rewrite (inner_sym r b). ring. }
  set (e := fun x => 0 + (if Req_EM_T (inner r r) 0 then 0 else / sqrt (inner r r)) * r x).
  assert (ev : forall v, inner e v = (if Req_EM_T (inner r r) 0 then 0 else / sqrt (inner r r)) * inner r v).
  { intro v. unfold e. rewrite (inner_linear (fun _ => 0)). replace (inner (fun _ => 0) v) with 0; [ring |]. symmetry. apply sum_zero. intros. ring. }
  assert (e_es : forall e', In e' es -> inner e e' = 0) by (intros e' i; rewrite ev, (z e' i); ring).
  exists (e :: es). split; [cbn [length]; congruence |]. split; [split; [exact e_es |]; split; [| exact o] |].
  - rewrite ev, (inner_sym r e), ev. destruct (Req_EM_T (inner r r) 0) as [q | q]; [right; ring | left].
    assert (sqrt (inner r r) <> 0) by (intro w; apply sqrt_eq_0 in w; lra). rewrite <- (sqrt_sqrt (inner r r)) at 3 by lra. field. auto.
  - intros b' [<- | i] v; cbn [sum].
    + assert (step : inner v e * inner b e = inner v r).
      { rewrite (inner_sym v e), (inner_sym b e), !ev, (inner_sym r b), rb, (inner_sym r v). destruct (Req_EM_T (inner r r) 0) as [q | q]; [rewrite (inner_null v r q); ring |].
        assert (sqrt (inner r r) <> 0) by (intro w; apply sqrt_eq_0 in w; lra). rewrite <- (sqrt_sqrt (inner r r)) at 3 by lra. field. auto. }
      rewrite step, k. ring.
    + rewrite (s b' i v). replace (inner b' e) with 0; [ring |]. symmetry. rewrite inner_sym, (s b' i e). now apply sum_orthogonal.
Qed.
Lemma shows_combination es bs : (forall b, In b bs -> shows es b) -> forall c, shows es (combination c bs).
Proof.
  induction bs as [| b bs ih]; intros h c v; destruct c as [| c cs]; cbn [combination].
  1-3: rewrite inner_sym; replace (inner (fun _ => 0) v) with 0 by (symmetry; apply sum_zero; intros; ring);
       symmetry; apply sum_zero; intros e i; replace (inner (fun _ => 0) e) with 0 by (symmetry; apply sum_zero; intros; ring); ring.
  rewrite inner_sym, inner_linear, (inner_sym _ v), (inner_sym b v). rewrite (ih (fun b i => h b (or_intror i)) cs v), (h b (or_introl eq_refl) v).
  rewrite <- sum_mul, <- sum_add. apply sum_ext. intros e i. rewrite inner_linear. ring.
Qed.
Lemma dot_is es u v : dot (length es) (along es u) (along es v) = sum es (fun e => inner u e * inner v e).
Proof.
  induction es as [| e es ih]; cbn [length dot sum]; [reflexivity |]. change (tail (along (e :: es) ?w)) with (along es w). rewrite <- ih. reflexivity.
Qed.
(** Lemma C.1 for vectors: p vectors bs span the y; each x is tested with its y, and hardly by it are those before *)
Fixpoint each_anew (bs : list (E -> R)) (a B2 : R) (xs : list ((E -> R) * (E -> R))) : Prop :=
  match xs with
  | [] => True
  | (x, y) :: before => (exists c, y = combination c bs) /\ a < inner x y /\ inner y y <= B2 /\ sum before (fun z => inner (fst z) y ^ 2) <= a ^ 2 /\ each_anew bs a B2 before
  end.
Theorem vectors_bound bs a B2 D xs : (1 <= length bs)%nat -> 0 < a -> 0 < B2 -> each_anew bs a B2 xs -> (forall z, In z xs -> inner (fst z) (fst z) <= D) -> 0 <= D ->
  (17 / 9) ^ length xs <= (1 + 8 * D * B2 / a ^ 2 * INR (length xs) / INR (length bs)) ^ length bs.
Proof.
  intros hp ha hB h hD D0. destruct (Gram_Schmidt bs) as (es & l & o & s). rewrite <- l in hp |- *.
  pose proof (potential_bound (length es) a B2 D (map (fun z => (along es (fst z), along es (snd z))) xs) hp ha hB) as k. rewrite map_length in k. apply k; [| | exact D0].
  - clear k hD. induction xs as [| [x y] xs ih]; [exact I |]. destruct h as ((c & ->) & h1 & h2 & h3 & h). cbn [map seen_anew fst snd].
    pose proof (shows_combination es bs s c) as sh. rewrite !dot_is, sum_map. rewrite <- !sh. split; [exact h1 |]. split; [exact h2 |]. split; [| now apply ih].
    rewrite (sum_ext xs _ (fun z => inner (fst z) (combination c bs) ^ 2)); [exact h3 |]. intros z _. cbn [fst]. now rewrite dot_is, <- sh.
  - intros z i. apply in_map_iff in i. destruct i as (z' & <- & i). cbn [fst]. rewrite dot_is. eapply Rle_trans; [now apply Bessel | now apply hD].
Qed.
End Span.

(** ** Functions: sums of absolute values, which the vectors with signs attain *)
Definition sign (x : R) : R := if Rle_dec 0 x then 1 else -1.
Lemma sign_abs x : sign x * x = Rabs x.
Proof. unfold sign. destruct (Rle_dec 0 x); [rewrite Rabs_pos_eq | rewrite Rabs_left]; lra. Qed.
Lemma sign_one x : Rabs (sign x) = 1.
Proof. unfold sign. destruct (Rle_dec 0 x); [apply Rabs_pos_eq | rewrite Rabs_left]; lra. Qed.
Section Functions.
Context {E Query Term : Type}.
Variables (places : list E) (terms : Query -> list Term) (weight : Query -> Term -> R) (vector : Query -> Term -> E -> R).
Hypothesis weight_pos : forall z t, In t (terms z) -> 0 <= weight z t.
Notation "<< u , v >>" := (inner places u v).
Definition function (y : E -> R) (z : Query) : R := sum (terms z) (fun t => weight z t * Rabs <<vector z t, y>>).
Definition witness (z : Query) (y : E -> R) : E -> R := fun e => sum (terms z) (fun t => weight z t * sign <<vector z t, y>> * vector z t e).
Lemma tested_by z y v : <<witness z y, v>> = sum (terms z) (fun t => weight z t * sign <<vector z t, y>> * <<vector z t, v>>).
Proof.
  unfold inner, witness. rewrite (sum_ext places _ (fun e => sum (terms z) (fun t => weight z t * sign <<vector z t, y>> * (vector z t e * v e)))).
  - rewrite sum_swap. apply sum_ext. intros t _. apply sum_mul.
  - intros e _. rewrite Rmult_comm, <- sum_mul. apply sum_ext. intros. ring.
Qed.
Lemma attains z y : <<witness z y, y>> = function y z.
Proof. rewrite tested_by. apply sum_ext. intros t _. rewrite Rmult_assoc, sign_abs. reflexivity. Qed.
Lemma stays_within z y v : Rabs <<witness z y, v>> <= function v z.
Proof.
  rewrite tested_by. eapply Rle_trans; [apply sum_abs |]. apply sum_le. intros t i. rewrite !Rabs_mult, sign_one, (Rabs_pos_eq (weight z t)) by now apply weight_pos. lra.
Qed.
Lemma function_pos y z : 0 <= function y z.
Proof. apply sum_nonneg. intros t i. apply Rmult_le_pos; [now apply weight_pos | apply Rabs_pos]. Qed.
Variable D : R.
Hypothesis small : forall z, sum places (fun e => sum (terms z) (fun t => weight z t * Rabs (vector z t e)) ^ 2) <= D.
Lemma witness_small z y : <<witness z y, witness z y>> <= D.
Proof.
  eapply Rle_trans; [| apply (small z)]. apply sum_le. intros e _. replace (witness z y e * witness z y e) with (Rabs (witness z y e) ^ 2) by (rewrite <- Rsqr_pow2, <- Rsqr_abs; reflexivity).
  apply pow_incr. split; [apply Rabs_pos |]. unfold witness. eapply Rle_trans; [apply sum_abs |]. apply sum_le. intros t i.
  rewrite !Rabs_mult, sign_one, (Rabs_pos_eq (weight z t)) by now apply weight_pos. lra.
Qed.
Variables (bs : list (E -> R)) (B2 : R).
(** every query with its function, the last one first *)
Fixpoint independent_functions (a : R) (l : list (Query * (E -> R))) : Prop :=
  match l with
  | [] => True
  | (z, y) :: before => ((exists c, y = combination c bs) /\ <<y, y>> <= B2) /\ a < function y z /\ sum before (fun x => function y (fst x) ^ 2) <= a ^ 2 /\ independent_functions a before
  end.
Theorem lemma_C_1 a l : (1 <= length bs)%nat -> 0 < a -> 0 < B2 -> independent_functions a l ->
  (17 / 9) ^ length l <= (1 + 8 * D * B2 / a ^ 2 * INR (length l) / INR (length bs)) ^ length bs.
Proof.
  intros hp ha hB h. destruct l as [| x l]; [cbn [length]; simpl; unfold Rdiv; rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r, pow1; lra |].
  assert (D0 : 0 <= D). { eapply Rle_trans; [apply (inner_pos places (witness (fst x) (snd x))) | apply witness_small]. }
  pose proof (vectors_bound places bs a B2 D (map (fun x => (witness (fst x) (snd x), snd x)) (x :: l)) hp ha hB) as k. rewrite map_length in k. apply k; [| | exact D0].
  - clear k D0. revert h. generalize (x :: l). clear x l. induction l as [| [z y] l ih]; [intro; exact I |]. intros ((c & b) & h1 & h2 & h). cbn [map each_anew fst snd].
    split; [exact c |]. split; [now rewrite attains |]. split; [exact b |]. split; [| now apply ih]. rewrite sum_map. eapply Rle_trans; [| exact h2]. apply sum_le. intros [z' y'] _. cbn [fst snd].
    rewrite <- (pow2_abs <<_, _>>). apply pow_incr. split; [apply Rabs_pos | apply stays_within].
  - intros z i. apply in_map_iff in i. destruct i as (z' & <- & _). apply witness_small.
Qed.
End Functions.
