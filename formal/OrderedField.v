(** Ordered fields that contain the rationals.  Every statement about predictive states is made for all of them at once:
    the rationals and the reals are two instances, and no axiom is used. *)
From Coq Require Export QArith Qabs Qminmax List Bool Lia Field PeanoNat.
Export ListNotations.
Open Scope nat_scope.

Record OF := {
  car :> Type;
  c0 : car; c1 : car;
  cadd : car -> car -> car; cmul : car -> car -> car; csub : car -> car -> car; copp : car -> car;
  cdiv : car -> car -> car; cinv : car -> car;
  cle : car -> car -> Prop; cabs : car -> car;
  inj : Q -> car;
  c_field : field_theory c0 c1 cadd cmul csub copp cdiv cinv (@eq car);
  le_refl : forall x, cle x x;
  le_trans : forall x y z, cle x y -> cle y z -> cle x z;
  le_antisym : forall x y, cle x y -> cle y x -> x = y;
  le_total : forall x y, cle x y \/ cle y x;
  add_le : forall x y z, cle x y -> cle (cadd x z) (cadd y z);
  mul_nonneg : forall x y, cle c0 x -> cle c0 y -> cle c0 (cmul x y);
  abs_le : forall x, cle x (cabs x);
  abs_leN : forall x, cle (copp x) (cabs x);
  abs_is : forall x, cabs x = x \/ cabs x = copp x;
  inj_eq : forall p q : Q, (p == q)%Q -> inj p = inj q;
  inj_add : forall p q : Q, inj (p + q)%Q = cadd (inj p) (inj q);
  inj_mul : forall p q : Q, inj (p * q)%Q = cmul (inj p) (inj q);
  inj_1 : inj 1%Q = c1;
  inj_le : forall p q : Q, (p <= q)%Q -> cle (inj p) (inj q)
}.

Declare Scope of_scope.
Delimit Scope of_scope with of.
Arguments c0 {_}. Arguments c1 {_}. Arguments cadd {_}. Arguments cmul {_}. Arguments csub {_}. Arguments copp {_}.
Arguments cdiv {_}. Arguments cinv {_}. Arguments cle {_}. Arguments cabs {_}. Arguments inj {_}.
Notation "x + y" := (cadd x y) : of_scope.
Notation "x * y" := (cmul x y) : of_scope.
Notation "x - y" := (csub x y) : of_scope.
Notation "- x" := (copp x) : of_scope.
Notation "x / y" := (cdiv x y) : of_scope.
Notation "x <= y" := (cle x y) : of_scope.
Notation "| x |" := (cabs x) (at level 35, format "| x |") : of_scope.
Notation "0" := c0 : of_scope.
Notation "1" := c1 : of_scope.

(** A finite sum of rationals, kept in lowest terms so that it computes. *)
Fixpoint qsum {A} (l : list A) (f : A -> Q) : Q :=
  match l with [] => 0%Q | x :: l => Qred (f x + qsum l f) end.

Section Facts.
Variable F : OF.
Local Open Scope of_scope.
Add Field Ff : (c_field F).
Implicit Types x y z : F.

Lemma le_sub x y : x <= y <-> 0 <= y - x.
Proof.
  split; intro h.
  - apply (add_le _ _ _ (- x)) in h. replace (x + - x) with (c0 (o := F)) in h by ring.
    replace (y - x) with (y + - x) by ring. exact h.
  - apply (add_le _ _ _ x) in h. replace (0 + x) with x in h by ring. replace (y - x + x) with y in h by ring. exact h.
Qed.
Lemma le_by x y z : z = y - x -> 0 <= z -> x <= y.
Proof. intros -> h. exact (proj2 (le_sub _ _) h). Qed.
Lemma add_nonneg x y : 0 <= x -> 0 <= y -> 0 <= x + y.
Proof. intros hx hy. apply (le_trans _ _ y); auto. apply (le_by _ _ x); auto; ring. Qed.
Lemma add_mono x y z t : x <= y -> z <= t -> x + z <= y + t.
Proof. intros h k. apply (fun p => proj1 (le_sub _ _) p) in h; apply (fun p => proj1 (le_sub _ _) p) in k. apply (le_by _ _ ((y - x) + (t - z))); [ring | now apply add_nonneg]. Qed.
Lemma mul_mono x y z : 0 <= z -> x <= y -> z * x <= z * y.
Proof. intros hz h. apply (fun p => proj1 (le_sub _ _) p) in h. apply (le_by _ _ (z * (y - x))); [ring | now apply mul_nonneg]. Qed.
Lemma sq_nonneg x : 0 <= x * x.
Proof.
  destruct (le_total _ 0 x) as [h | h]; [now apply mul_nonneg|].
  apply (fun p => proj1 (le_sub _ _) p) in h. replace (x * x) with ((0 - x) * (0 - x)) by ring. now apply mul_nonneg.
Qed.
Lemma le01 : 0 <= (1 : F). Proof. replace (1 : F) with ((1 : F) * 1) by ring. apply sq_nonneg. Qed.
Lemma inv_nonneg x : 0 <= x -> x <> 0 -> 0 <= cinv x.
Proof. intros h n. replace (cinv x) with (x * (cinv x * cinv x)) by (field; auto). apply mul_nonneg; auto using sq_nonneg. Qed.
Lemma mul_cancel z x y : 0 <= z -> z <> 0 -> z * x <= z * y -> x <= y.
Proof.
  intros h n k. apply (mul_mono _ _ (cinv z)) in k; [| now apply inv_nonneg].
  replace (cinv z * (z * x)) with x in k by (field; auto). now replace (cinv z * (z * y)) with y in k by (field; auto).
Qed.
Lemma mul_ne x y : x <> 0 -> y <> 0 -> x * y <> 0.
Proof.
  intros hx hy h. apply hx. assert (e : x = x * y / y) by (field; auto). rewrite e, h. field; auto.
Qed.
Lemma abs_nonneg x : 0 <= |x|.
Proof.
  destruct (le_total _ 0 x) as [h | h].
  - eapply le_trans; [exact h | apply abs_le].
  - eapply le_trans; [| apply abs_leN]. apply (le_by _ _ (0 - x)); [ring | exact (proj1 (le_sub _ _) h)].
Qed.
Lemma abs_lub x y : x <= y -> - x <= y -> |x| <= y.
Proof. intros; destruct (abs_is _ x) as [-> | ->]; auto. Qed.
Lemma abs_opp x : | - x| = |x|.
Proof.
  apply le_antisym; apply abs_lub; auto using abs_le, abs_leN.
  - replace (- - x) with x by ring. apply abs_le.
  - replace x with (- - x) at 1 by ring. apply abs_leN.
Qed.
Lemma abs_sym x y : |x - y| = |y - x|.
Proof. rewrite <- abs_opp. f_equal. ring. Qed.
Lemma abs_pos x : 0 <= x -> |x| = x.
Proof.
  intro h. apply le_antisym; [| apply abs_le]. apply abs_lub; [apply le_refl |].
  apply (le_by _ _ (x + x)); [ring | now apply add_nonneg].
Qed.
Lemma abs_tri x y : |x + y| <= |x| + |y|.
Proof.
  apply abs_lub; [apply add_mono; apply abs_le |].
  replace (- (x + y)) with (- x + - y) by ring. apply add_mono; apply abs_leN.
Qed.
Lemma abs_mul x y : |x * y| = |x| * |y|.
Proof.
  destruct (le_total _ 0 x) as [h | h], (le_total _ 0 y) as [k | k];
    rewrite ?(abs_pos x), ?(abs_pos y) by assumption; try (apply abs_pos; now apply mul_nonneg).
  all: apply (fun p => proj1 (le_sub _ _) p) in h; apply (fun p => proj1 (le_sub _ _) p) in k.
  - rewrite <- (abs_opp y), <- (abs_opp (x * y)). replace (- y) with (0 - y) by ring. rewrite (abs_pos (0 - y)) by auto.
    replace (- (x * y)) with (x * (0 - y)) by ring. apply abs_pos. apply mul_nonneg; auto.
    replace x with (x - 0) by ring. auto.
  - rewrite <- (abs_opp x), <- (abs_opp (x * y)). replace (- x) with (0 - x) by ring. rewrite (abs_pos (0 - x)) by auto.
    replace (- (x * y)) with ((0 - x) * y) by ring. apply abs_pos. apply mul_nonneg; auto.
    replace y with (y - 0) by ring. auto.
  - rewrite <- (abs_opp x), <- (abs_opp y). replace (- y) with (0 - y) by ring. replace (- x) with (0 - x) by ring.
    rewrite (abs_pos (0 - y)), (abs_pos (0 - x)) by auto. replace (x * y) with ((0 - x) * (0 - y)) by ring.
    apply abs_pos. now apply mul_nonneg.
Qed.
Lemma test_le x y : |y| <= 1 -> y * x <= |x|.
Proof.
  intro h. eapply le_trans; [apply abs_le |]. rewrite abs_mul. replace (|x|) with (1 * |x|) at 2 by ring.
  replace (|y| * |x|) with (|x| * |y|) by ring. replace (1 * |x|) with (|x| * 1) by ring. apply mul_mono; auto using abs_nonneg.
Qed.

(** the embedding *)
Lemma inj_0 : inj 0%Q = (0 : F).
Proof.
  assert (h : inj 0%Q = (inj 0%Q + inj 0%Q : F)) by (rewrite <- inj_add; now apply inj_eq).
  replace (0 : F) with ((inj 0%Q + inj 0%Q : F) - inj 0%Q) by (rewrite <- h; ring). ring.
Qed.
Lemma inj_opp q : inj (- q)%Q = (- inj q : F).
Proof.
  assert (h : (inj (- q)%Q + inj q : F) = 0) by (rewrite <- inj_add, <- inj_0; apply inj_eq; ring).
  replace (- inj q : F) with (0 - inj q : F) by ring. rewrite <- h. ring.
Qed.
Lemma inj_sub p q : inj (p - q)%Q = (inj p - inj q : F).
Proof. unfold Qminus. rewrite inj_add, inj_opp. ring. Qed.
Lemma inj_abs q : inj (Qabs q) = (|inj q| : F).
Proof.
  destruct (Qlt_le_dec q 0) as [h | h].
  - rewrite (inj_eq F _ _ (Qabs_neg _ (Qlt_le_weak _ _ h))), inj_opp, <- abs_opp. symmetry. apply abs_pos.
    rewrite <- inj_opp, <- inj_0. apply inj_le. apply Qlt_le_weak in h. apply Qopp_le_compat in h. exact h.
  - rewrite (inj_eq F _ _ (Qabs_pos _ h)). symmetry. apply abs_pos. rewrite <- inj_0. now apply inj_le.
Qed.
Lemma inj_inv q : ~ (q == 0)%Q -> inj (/ q)%Q = (cinv (inj q) : F).
Proof.
  intro h. assert (k : (inj q * inj (/ q)%Q : F) = 1).
  { rewrite <- inj_mul, <- inj_1. apply inj_eq. field. auto. }
  assert (n : (inj q : F) <> 0).
  { intro e. rewrite e in k. replace (0 * inj (/ q)%Q : F) with (0 : F) in k by ring.
    pose proof (F_1_neq_0 (c_field F)). auto. }
  replace (inj (/ q)%Q) with ((inj q * inj (/ q)%Q : F) / inj q) by (field; auto). rewrite k. field. auto.
Qed.

End Facts.

Section Sums.
Variable F : OF.
Local Open Scope of_scope.
Add Field Ff' : (c_field F).

(** finite sums *)
Fixpoint lsum {A} (l : list A) (f : A -> F) : F :=
  match l with [] => 0 | x :: l => f x + lsum l f end.
Lemma lsum_ext {A} (l : list A) f g : (forall x, In x l -> f x = g x) -> lsum l f = lsum l g.
Proof. induction l; simpl; intros h; auto. rewrite h, IHl; auto. Qed.
Lemma lsum_add {A} (l : list A) f g : lsum l (fun x => f x + g x) = lsum l f + lsum l g.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma lsum_sub {A} (l : list A) f g : lsum l (fun x => f x - g x) = lsum l f - lsum l g.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma lsum_mul {A} (l : list A) f (z : F) : lsum l (fun x => z * f x) = z * lsum l f.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma lsum_mulr {A} (l : list A) f (z : F) : lsum l (fun x => f x * z) = lsum l f * z.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma lsum_zero {A} (l : list A) f : (forall x, In x l -> f x = 0) -> lsum l f = 0.
Proof. induction l; simpl; intros h; auto. rewrite h, IHl by auto. ring. Qed.
Lemma lsum_swap {A B} (l : list A) (m : list B) (f : A -> B -> F) :
  lsum l (fun x => lsum m (f x)) = lsum m (fun y => lsum l (fun x => f x y)).
Proof.
  induction l; simpl; [now rewrite lsum_zero |]. rewrite IHl. symmetry. now rewrite (lsum_add m (f a)).
Qed.
Lemma lsum_nonneg {A} (l : list A) f : (forall x, In x l -> 0 <= f x) -> 0 <= lsum l f.
Proof. induction l; simpl; intros h; [apply le_refl | apply add_nonneg; auto]. Qed.
Lemma lsum_le {A} (l : list A) f g : (forall x, In x l -> f x <= g x) -> lsum l f <= lsum l g.
Proof. induction l; simpl; intros h; [apply le_refl | apply add_mono; auto]. Qed.
Lemma lsum_abs {A} (l : list A) f : |lsum l f| <= lsum l (fun x => |f x|).
Proof.
  induction l; simpl; [rewrite (abs_pos F 0); apply le_refl |].
  eapply le_trans; [apply abs_tri | apply add_mono; auto using le_refl].
Qed.
Lemma lsum_app {A} (l m : list A) f : lsum (l ++ m) f = lsum l f + lsum m f.
Proof. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma lsum_map {A B} (h : A -> B) (l : list A) f : lsum (map h l) f = lsum l (fun x => f (h x)).
Proof. induction l; simpl; congruence. Qed.
Lemma lsum_flat_map {A B} (h : A -> list B) (l : list A) f : lsum (flat_map h l) f = lsum l (fun x => lsum (h x) f).
Proof. induction l; simpl; auto. rewrite lsum_app. congruence. Qed.
Lemma lsum_nth {A} (d : A) (l : list A) f : lsum l f = lsum (seq 0 (length l)) (fun k => f (nth k l d)).
Proof.
  induction l; simpl; auto. f_equal. rewrite IHl, <- seq_shift, lsum_map. reflexivity.
Qed.
Lemma lsum_only {A} (eqb : A -> A -> bool) (ok : forall x y, eqb x y = true <-> x = y) (l : list A) y f :
  NoDup l -> In y l -> lsum l (fun x => if eqb x y then f x else 0) = f y.
Proof.
  induction l as [| x l ih]; simpl; [tauto |]. intros n [-> | i]; inversion n; subst.
  - rewrite (proj2 (ok y y) eq_refl), lsum_zero; [ring |].
    intros x hx. destruct (eqb x y) eqn:e; auto. apply ok in e. subst. tauto.
  - destruct (eqb x y) eqn:e; [apply ok in e; subst; tauto |]. rewrite ih by auto. ring.
Qed.
End Sums.
Arguments lsum {F A}.
