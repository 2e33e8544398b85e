(** Rules `sign`, `split` and `combine` for polynomials on a box, over any ordered field, without axioms.

    `sign`: a polynomial whose Bernstein coefficients on the box are nonnegative is nonnegative there.
    `split`: what holds on both halves of a box holds on the box.
    `combine`: a goal that is sum_k w_k g_k + sum_j m_j e_j + rest, as an identity of polynomials, is nonnegative where the g_k, the w_k and
    the rest are nonnegative and the e_j vanish (Farkas' lemma, test functions, factors and substitution in one). *)
From Pomgcheck Require Import OrderedField.
Open Scope nat_scope.

(** ** Polynomials in n variables over Q: the coefficients of the powers of the first variable, each one in the others *)
Fixpoint poly (n : nat) : Type := match n with O => Q | S n => list (poly n) end.
Definition zero n : poly n := match n with O => 0%Q | S _ => [] end.
Section Lists.
Context {A : Type} (add : A -> A -> A).
Fixpoint zip (l m : list A) : list A :=
  match l, m with [], m => m | l, [] => l | a :: l, b :: m => add a b :: zip l m end.
End Lists.
Fixpoint padd n : poly n -> poly n -> poly n :=
  match n with O => fun p q => Qred (p + q) | S n => zip (padd n) end.
Fixpoint pscale n (a : Q) : poly n -> poly n :=
  match n with O => fun p => Qred (a * p) | S n => map (pscale n a) end.
Section Product.
Context {A : Type} (add mul : A -> A -> A) (nil : A).
Fixpoint product (l m : list A) : list A :=
  match l with [] => [] | a :: l => zip add (map (mul a) m) (nil :: product l m) end.
End Product.
Fixpoint pmul n : poly n -> poly n -> poly n :=
  match n with O => fun p q => Qred (p * q) | S n => product (padd n) (pmul n) (zero n) end.
Fixpoint vanishes n : poly n -> bool :=
  match n with O => fun p => Qeq_bool p 0 | S n => forallb (vanishes n) end.

(** ** Bernstein form in the first variable on [lo, hi]: with x' = x - lo, y' = hi - x and w = hi - lo,
    w^k p(x) = sum_i c_i x'^i y'^(k-i); the c_i are the Bernstein coefficients times positive numbers *)
Section Form.
Variable n : nat.
(** times a x' + b y', what is carried from the left being [carry] *)
Fixpoint times_linear (a b : Q) (carry : poly n) (l : list (poly n)) : list (poly n) :=
  match l with [] => [pscale n a carry] | c :: l => padd n (pscale n b c) (pscale n a carry) :: times_linear a b c l end.
Fixpoint power (k : nat) (c : poly n) : list (poly n) :=              (* c (x' + y')^k *)
  match k with O => [c] | S k => times_linear 1 1 (zero n) (power k c) end.
Fixpoint form (lo hi : Q) (l : list (poly n)) : list (poly n) :=
  match l with
  | [] => []
  | [a] => [a]
  | a :: l => zip (padd n) (power (length l) a) (times_linear hi lo (zero n) (form lo hi l))
  end.
End Form.
Definition box := list (Q * Q).
Fixpoint sign_ok n (b : box) : poly n -> bool :=
  match n with
  | O => fun p => Qle_bool 0 p
  | S n => fun p => match b with
      | [] => false
      | (lo, hi) :: b => negb (Qle_bool hi lo) && forallb (sign_ok n b) (form n lo hi p)
      end
  end.
(** a tree of halves: at a leaf the sign decides *)
Inductive cuts := Leaf | Cut (axis : nat) (at_ : Q) (below above : cuts).
Fixpoint replace_axis (k : nat) (e : Q * Q) (b : box) : box :=
  match b, k with [], _ => [] | _ :: b, O => e :: b | x :: b, S k => x :: replace_axis k e b end.
Fixpoint cuts_ok n (c : cuts) (b : box) (p : poly n) : bool :=
  match c with
  | Leaf => sign_ok n b p
  | Cut k t l r => match nth_error b k with
      | None => false
      | Some (lo, hi) => cuts_ok n l (replace_axis k (lo, t) b) p && cuts_ok n r (replace_axis k (t, hi) b) p
      end
  end.
(** goal = sum_k w_k g_k + sum_j m_j e_j + rest *)
Definition combination n (pairs : list (poly n * poly n)) : poly n := fold_right (fun e s => padd n (pmul n (fst e) (snd e)) s) (zero n) pairs.
Definition combine_ok n (b : box) (goal : poly n) (inequalities equalities : list (poly n * poly n)) (rest : poly n) : bool :=
  sign_ok n b rest && forallb (fun e => sign_ok n b (fst e)) inequalities &&
  vanishes n (padd n goal (pscale n (-1) (padd n (combination n inequalities) (padd n (combination n equalities) rest)))).

(** * Soundness *)
Section Sound.
Variable F : OF.
Local Open Scope of_scope.
Add Field Fp : (c_field F).
Definition shift (x : nat -> F) : nat -> F := fun k => x (S k).
Section Horner.
Context {A : Type} (value : A -> F) (x0 : F).
Fixpoint horner (l : list A) : F := match l with [] => 0 | a :: l => value a + x0 * horner l end.
End Horner.
(** value of a polynomial at a point *)
Fixpoint at_point n (x : nat -> F) : poly n -> F :=
  match n with O => fun p => inj p | S n => horner (at_point n (shift x)) (x 0%nat) end.
Fixpoint inside (b : box) (x : nat -> F) : Prop :=
  match b with [] => True | (lo, hi) :: b => inj lo <= x 0%nat /\ x 0%nat <= inj hi /\ inside b (shift x) end.

Lemma inj_red q : (inj (Qred q) : F) = inj q. Proof. apply inj_eq, Qred_correct. Qed.
Lemma at_zero n x : at_point n x (zero n) = 0. Proof. destruct n; [apply inj_0 | reflexivity]. Qed.
Lemma horner_zip {A} (add : A -> A -> A) value x0 : (forall a b, value (add a b) = value a + value b) ->
  forall l m, horner value x0 (zip add l m) = horner value x0 l + horner value x0 m.
Proof.
  intros h l. induction l as [| a l ih]; intros [| b m]; cbn [zip horner]; try ring. rewrite h, ih. ring.
Qed.
Lemma at_add n : forall x p q, at_point n x (padd n p q) = at_point n x p + at_point n x q.
Proof.
  induction n as [| n ih]; intros x p q; cbn [at_point padd].
  - now rewrite inj_red, inj_add.
  - apply horner_zip. intros. apply ih.
Qed.
Lemma at_scale n a : forall x p, at_point n x (pscale n a p) = inj a * at_point n x p.
Proof.
  induction n as [| n ih]; intros x p; cbn [at_point pscale].
  - now rewrite inj_red, inj_mul.
  - induction p as [| c p ihp]; cbn [map horner]; [ring |]. rewrite ih, ihp. ring.
Qed.
Lemma horner_map {A} (f : A -> A) value x0 z : (forall b, value (f b) = z * value b) -> forall m, horner value x0 (map f m) = z * horner value x0 m.
Proof. intros h m. induction m as [| b m ih]; cbn [map horner]; [ring |]. rewrite h, ih. ring. Qed.
Lemma at_mul n : forall x p q, at_point n x (pmul n p q) = at_point n x p * at_point n x q.
Proof.
  induction n as [| n ih]; intros x p q; cbn [at_point pmul].
  - now rewrite inj_red, inj_mul.
  - induction p as [| a p ihp]; cbn [product horner]; [ring |]. rewrite horner_zip by (intros; apply at_add). cbn [horner].
    rewrite (horner_map (pmul n a) _ _ (at_point n (shift x) a)) by (intro; apply ih). rewrite ihp, at_zero. ring.
Qed.
Lemma at_vanishes n : forall x p, vanishes n p = true -> at_point n x p = 0.
Proof.
  induction n as [| n ih]; intros x p; cbn [at_point vanishes].
  - intro h. apply Qeq_bool_iff in h. rewrite <- (inj_0 F). now apply inj_eq.
  - induction p as [| a p ihp]; cbn [forallb horner]; [reflexivity |]. intro h. apply andb_prop in h. destruct h as [h1 h2].
    rewrite ih, ihp by assumption. ring.
Qed.

Fixpoint pow (z : F) (k : nat) : F := match k with O => 1 | S k => z * pow z k end.
Lemma pow_nonneg z k : 0 <= z -> 0 <= pow z k.
Proof. intro h. induction k; cbn [pow]; [apply le01 | now apply mul_nonneg]. Qed.
Lemma pow_ne z k : z <> 0 -> pow z k <> 0.
Proof. intro h. induction k; cbn [pow]; [exact (F_1_neq_0 (c_field F)) | now apply mul_ne]. Qed.
Section FormSound.
Variables (n : nat) (x : nat -> F) (lo hi : Q).
Notation val := (at_point n x).
Variables (x' y' x0 : F).
Hypothesis linear : (x' + y') * x0 = inj hi * x' + inj lo * y'.
Fixpoint value_of (l : list (poly n)) : F := match l with [] => 0 | c :: l => val c * pow y' (length l) + x' * value_of l end.
Lemma times_length a b : forall l c, length (times_linear n a b c l) = S (length l).
Proof. induction l as [| e l ih]; intro c; cbn [times_linear length]; [reflexivity | now rewrite ih]. Qed.
Lemma times_value a b : forall l c, value_of (times_linear n a b c l) = inj a * val c * pow y' (length l) + (inj a * x' + inj b * y') * value_of l.
Proof.
  induction l as [| e l ih]; intro c; cbn [times_linear value_of length pow].
  - rewrite at_scale. ring.
  - rewrite ih, at_add, !at_scale, times_length. cbn [pow]. ring.
Qed.
Lemma power_length k c : length (power n k c) = S k.
Proof. induction k as [| k ih]; cbn [power]; [reflexivity |]. now rewrite times_length, ih. Qed.
Lemma power_value k c : value_of (power n k c) = val c * pow (x' + y') k.
Proof.
  induction k as [| k ih]; cbn [power pow]; [cbn [value_of length pow]; ring |]. rewrite times_value, ih, at_zero, !inj_1. ring.
Qed.
Lemma zip_value : forall l m, length l = length m -> value_of (zip (padd n) l m) = value_of l + value_of m /\ length (zip (padd n) l m) = length l.
Proof.
  induction l as [| a l ih]; intros [| b m] e; cbn [length] in e; try discriminate; cbn [zip value_of length]; [split; [ring | reflexivity] |].
  injection e as e. destruct (ih m e) as [v k]. rewrite v, k, at_add, e. split; [ring | reflexivity].
Qed.
Lemma form_value : forall l, length (form n lo hi l) = length l /\
  value_of (form n lo hi l) = pow (x' + y') (length l - 1) * horner val x0 l.
Proof.
  induction l as [| a [| b l] ih]; [split; [reflexivity | cbn; ring] | split; [reflexivity | cbn; ring] |].
  destruct ih as [le ve]. change (form n lo hi (a :: b :: l)) with
    (zip (padd n) (power n (length (b :: l)) a) (times_linear n hi lo (zero n) (form n lo hi (b :: l)))).
  set (m := b :: l) in *. destruct (zip_value (power n (length m) a) (times_linear n hi lo (zero n) (form n lo hi m))) as [v k].
  { now rewrite power_length, times_length, le. }
  rewrite k, v, power_length, power_value, times_value, at_zero, ve. split; [reflexivity |].
  cbn [length horner]. rewrite Nat.sub_succ, Nat.sub_0_r.
  replace (length m) with (S (length m - 1)) at 1 3 by (subst m; simpl; lia). cbn [pow].
  replace (inj hi * x' + inj lo * y') with ((x' + y') * x0). ring.
Qed.
Lemma value_nonneg l : 0 <= x' -> 0 <= y' -> (forall c, In c l -> 0 <= val c) -> 0 <= value_of l.
Proof.
  intros hx hy. induction l as [| c l ih]; intro h; cbn [value_of]; [apply le_refl |].
  apply add_nonneg; apply mul_nonneg; auto using pow_nonneg; [apply h; now left | apply ih; intros; apply h; now right].
Qed.
End FormSound.

(** Bernstein coefficients >= 0 => p >= 0 on the box *)
Theorem sign_sound n : forall b x p, sign_ok n b p = true -> inside b x -> 0 <= at_point n x p.
Proof.
  induction n as [| n ih]; intros b x p; cbn [sign_ok].
  - intros h _. apply Qle_bool_iff in h. cbn [at_point]. rewrite <- (inj_0 F). now apply inj_le.
  - destruct b as [| (lo, hi) b]; [discriminate |]. intro h. apply andb_prop in h. destruct h as [hw h]. cbn [inside]. intros (h1 & h2 & i).
    rewrite forallb_forall in h. set (x0 := x 0%nat) in *. set (x' := x0 - inj lo). set (y' := inj hi - x0).
    assert (px : 0 <= x') by exact (proj1 (le_sub F _ _) h1). assert (py : 0 <= y') by exact (proj1 (le_sub F _ _) h2).
    assert (lin : (x' + y') * x0 = inj hi * x' + inj lo * y') by (unfold x', y'; ring).
    destruct (form_value n (shift x) lo hi x' y' x0 lin p) as [_ v].
    apply (mul_cancel F (pow (x' + y') (length p - 1))).
    + apply pow_nonneg. now apply add_nonneg.
    + apply pow_ne. replace (x' + y') with (inj hi - inj lo : F) by (unfold x', y'; ring). rewrite <- (inj_sub F).
      assert (k : ~ (hi - lo == 0)%Q).
      { intro z. apply negb_true_iff in hw. assert (q : (hi <= lo)%Q) by (apply Qle_minus_iff; setoid_replace (lo - hi)%Q with (- (hi - lo))%Q by ring; now rewrite z).
        apply Qle_bool_iff in q. congruence. }
      intro z. pose proof (inj_inv F (hi - lo)%Q k) as e. rewrite z in e. apply (F_1_neq_0 (c_field F)).
      rewrite <- (inj_1 F). rewrite (inj_eq F 1%Q ((hi - lo) * / (hi - lo))%Q) by (field; exact k). rewrite inj_mul, z. ring.
    + replace (pow (x' + y') (length p - 1) * 0) with (0 : F) by ring. refine (eq_ind _ (fun z => 0 <= z) _ _ v).
      apply value_nonneg; auto. intros c ic. apply (ih b); auto.
Qed.

Lemma inside_replace x e : forall b k lo hi, nth_error b k = Some (lo, hi) -> inside b x -> inj (fst e) <= x k -> x k <= inj (snd e) ->
  inside (replace_axis k e b) x.
Proof.
  intro b. revert x. induction b as [| (l, h) b ih]; intros x [| k] lo hi; cbn [nth_error inside replace_axis]; try discriminate.
  - intros _ (_ & _ & i). destruct e. cbn [fst snd inside]. tauto.
  - intros hk (h1 & h2 & i) a c. split; [exact h1 |]. split; [exact h2 |]. now apply (ih (shift x) k lo hi).
Qed.
Lemma inside_bounds x : forall b k lo hi, nth_error b k = Some (lo, hi) -> inside b x -> inj lo <= x k /\ x k <= inj hi.
Proof.
  intro b. revert x. induction b as [| (l, h) b ih]; intros x [| k] lo hi; cbn [nth_error inside]; try discriminate.
  - intros e (h1 & h2 & _). injection e as -> ->. tauto.
  - intros e (_ & _ & i). now apply (ih (shift x)).
Qed.
Theorem cuts_sound n c : forall b x p, cuts_ok n c b p = true -> inside b x -> 0 <= at_point n x p.
Proof.
  induction c as [| k t l ihl r ihr]; intros b x p; cbn [cuts_ok]; [apply sign_sound |].
  destruct (nth_error b k) as [(lo, hi) |] eqn:e; [| discriminate]. intro h. apply andb_prop in h. destruct h as [hl hr]. intro i.
  destruct (inside_bounds x b k lo hi e i) as [h1 h2]. destruct (le_total F (x k) (inj t)) as [m | m].
  - eapply ihl; eauto. eapply inside_replace; eauto.
  - eapply ihr; eauto. eapply inside_replace; eauto.
Qed.
Lemma at_combination n x l : at_point n x (combination n l) = lsum l (fun e => at_point n x (fst e) * at_point n x (snd e)).
Proof. induction l as [| e l ih]; cbn [combination fold_right lsum]; [apply at_zero |]. unfold combination in ih. now rewrite at_add, at_mul, ih. Qed.
Theorem combine_sound n b goal inequalities equalities rest x : combine_ok n b goal inequalities equalities rest = true -> inside b x ->
  (forall e, In e inequalities -> 0 <= at_point n x (snd e)) -> (forall e, In e equalities -> at_point n x (snd e) = 0) -> 0 <= at_point n x goal.
Proof.
  unfold combine_ok. intro h. apply andb_prop in h. destruct h as [h hz]. apply andb_prop in h. destruct h as [hr hi].
  intros i pos nul. apply (at_vanishes n x) in hz. rewrite at_add, at_scale, !at_add, !at_combination in hz.
  rewrite (lsum_zero F equalities) in hz by (intros e j; rewrite nul by exact j; ring).
  assert (m : (inj (-1)%Q : F) = - (1)) by (rewrite <- (inj_1 F), <- inj_opp; reflexivity). rewrite m in hz.
  set (s := lsum _ _) in hz. replace (at_point n x goal) with (s + at_point n x rest).
  - apply add_nonneg; [| now apply (sign_sound n b)]. apply lsum_nonneg. intros e j. rewrite forallb_forall in hi.
    apply mul_nonneg; [apply (sign_sound n b); auto | auto].
  - replace (at_point n x goal) with (at_point n x goal + - (1) * (s + (0 + at_point n x rest)) + (s + at_point n x rest)) by ring. rewrite hz. ring.
Qed.
End Sound.

(** 1 - 2x + 2x^2 has no negative Bernstein coefficient on [0, 1] *)
Definition p1 : poly 1 := [1; -2; 2]%Q.
Lemma p1_positive : sign_ok 1 [(0, 1)%Q] p1 = true. Proof. reflexivity. Qed.
(** x^2 - x + 3/10 > 0 has a negative coefficient on [0, 1] and none on the halves *)
Definition p2 : poly 1 := [3 # 10; -1; 1]%Q.
Lemma p2_needs_a_cut : sign_ok 1 [(0, 1)%Q] p2 = false /\ cuts_ok 1 (Cut 0 (1 # 2) Leaf Leaf) [(0, 1)%Q] p2 = true. Proof. split; reflexivity. Qed.
(** x^2 - x + 1/5 is negative at 1/2, and no cut hides it *)
Lemma p3_is_refused : cuts_ok 1 (Cut 0 (1 # 2) Leaf Leaf) [(0, 1)%Q] ([1 # 5; -1; 1]%Q : poly 1) = false. Proof. reflexivity. Qed.
(** x y (1 - x) on the square *)
Lemma p4_positive : sign_ok 2 [(0, 1); (0, 1)]%Q ([[]; [0; 1]; [0; -1]]%Q : poly 2) = true. Proof. reflexivity. Qed.
