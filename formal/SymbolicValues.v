(** Expressions of a document as quotients of polynomials on a box: what `eval` gives at every rational point of it.

    A quotient stands for its numerator over a denominator that is positive on the whole box, as Bernstein coefficients show; so signs and
    equations of expressions become signs and equations of polynomials.  Everything here is about rational points and rests on no axiom. *)
From Pomgcheck Require Import OrderedField Statements Instances RuleSign.
From Coq Require Import Qcanon Qpower.
Open Scope nat_scope.

(** ** Values of polynomials at rational points *)
Definition qval n (x : nat -> Q) (p : poly n) : Q := this (at_point rationals n (fun k => Q2Qc (x k)) p).
Fixpoint const n (q : Q) : poly n := match n with O => Qred q | S n => [const n q] end.
Fixpoint var n (k : nat) : poly n :=
  match n with O => 0%Q | S n => match k with O => [zero n; const n 1] | S k => [var n k] end end.
(** without leading zeros *)
Fixpoint trim n : poly n -> poly n :=
  match n with
  | O => fun p => p
  | S n => fold_right (fun a l => let a := trim n a in match l with [] => if vanishes n a then [] else [a] | _ => a :: l end) []
  end.
Definition psub n (p q : poly n) : poly n := padd n p (pscale n (-1) q).

Lemma Q2Qc_this (a : Qc) q : (this a == q)%Q -> a = Q2Qc q.
Proof. intro e. apply Qc_is_canon. unfold Q2Qc. cbn [this]. now rewrite Qred_correct. Qed.
Lemma this_inj q : (this (inj q : rationals) == q)%Q. Proof. apply Qred_correct. Qed.
Lemma this_mul (a c : rationals) : (this (cmul a c) == this a * this c)%Q. Proof. apply Qred_correct. Qed.
Lemma this_add (a c : rationals) : (this (cadd a c) == this a + this c)%Q. Proof. apply Qred_correct. Qed.
Lemma qval_zero n x : (qval n x (zero n) == 0)%Q. Proof. unfold qval. now rewrite at_zero. Qed.
Lemma qval_add n x p q : (qval n x (padd n p q) == qval n x p + qval n x q)%Q.
Proof. unfold qval. now rewrite at_add, this_add. Qed.
Lemma qval_scale n x a p : (qval n x (pscale n a p) == a * qval n x p)%Q.
Proof. unfold qval. now rewrite at_scale, this_mul, this_inj. Qed.
Lemma qval_mul n x p q : (qval n x (pmul n p q) == qval n x p * qval n x q)%Q.
Proof. unfold qval. now rewrite at_mul, this_mul. Qed.
Lemma qval_vanishes n x p : vanishes n p = true -> (qval n x p == 0)%Q.
Proof. intro v. unfold qval. now rewrite (at_vanishes rationals n _ p v). Qed.
Lemma qval_sub n x p q : (qval n x (psub n p q) == qval n x p - qval n x q)%Q.
Proof. unfold psub. rewrite qval_add, qval_scale. ring. Qed.
Section Head.
Variables (n : nat) (x : nat -> Q).
Notation shifted := (fun k => x (S k)).
Lemma qval_cons (a : poly n) (l : poly (S n)) : (qval (S n) x (a :: l) == qval n shifted a + x 0%nat * qval (S n) x l)%Q.
Proof.
  unfold qval. cbn [at_point horner]. rewrite this_add, this_mul. apply Qplus_comp; [reflexivity |]. apply Qmult_comp; [apply Qred_correct | reflexivity].
Qed.
Lemma qval_nil : (qval (S n) x (@nil (poly n)) == 0)%Q. Proof. reflexivity. Qed.
End Head.
Lemma qval_const n : forall x q, (qval n x (const n q) == q)%Q.
Proof.
  induction n as [| n ih]; intros x q; cbn [const].
  - unfold qval. cbn [at_point]. rewrite this_inj. apply Qred_correct.
  - rewrite qval_cons, ih, qval_nil. ring.
Qed.
Lemma qval_var n : forall x k, k < n -> (qval n x (var n k) == x k)%Q.
Proof.
  induction n as [| n ih]; intros x k h; [lia |]. destruct k as [| k]; cbn [var].
  - rewrite !qval_cons, qval_const, qval_zero, qval_nil. ring.
  - rewrite qval_cons, qval_nil, ih by lia. ring.
Qed.
Lemma qval_trim n : forall x p, (qval n x (trim n p) == qval n x p)%Q.
Proof.
  induction n as [| n ih]; intros x p; [reflexivity |]. cbn [trim]. induction p as [| a p ihp]; [reflexivity |]. cbn [fold_right].
  rewrite (qval_cons n x a p), <- ihp, <- ih. clear ihp. cbv zeta. set (l := fold_right _ _ _). destruct l as [| b l]; [| now rewrite (qval_cons n x)].
  destruct (vanishes n (trim n a)) eqn:e.
  - rewrite (qval_vanishes _ _ _ e), qval_nil. ring.
  - rewrite qval_cons. reflexivity.
Qed.

(** ** Signs on a region: a box, at whose points some polynomials are not negative.  The Bernstein coefficients decide, there or on
    halves along one axis after another; a part at which one of the polynomials is negative throughout holds no point. *)
Record region n := Region { sides : box; conditions : list (poly n) }.
Arguments Region {n}. Arguments sides {n}. Arguments conditions {n}.
Definition within_box (b : box) (x : nat -> Q) : Prop := inside rationals b (fun k => Q2Qc (x k)).
Definition within {n} (r : region n) (x : nat -> Q) : Prop := within_box (sides r) x /\ forall g, In g (conditions r) -> (0 <= qval n x g)%Q.
Definition small : Q := 1 # 18446744073709551616.                 (* 2^-64, by which a positive number is above zero *)
Definition less_small n (p : poly n) : poly n := psub n p (const n small).
Fixpoint halves n (conditions : list (poly n)) (fuel axis : nat) (b : box) (p : poly n) : bool :=
  if sign_ok n b p then true else if existsb (fun g => sign_ok n b (less_small n (pscale n (-1) g))) conditions then true else
  match fuel with
  | O => false
  | S fuel => match nth_error b axis with
      | None => false
      | Some (lo, hi) => let t := Qred ((lo + hi) / 2) in let next := (S axis) mod n in
          if halves n conditions fuel next (replace_axis axis (lo, t) b) p then halves n conditions fuel next (replace_axis axis (t, hi) b) p else false
      end
  end.
Definition fuel := 8.                                             (* how often a box is halved *)
Definition nonneg n (r : region n) (p : poly n) : bool := halves n (conditions r) fuel 0 (sides r) p.
Definition positive n (r : region n) (p : poly n) : bool := nonneg n r (less_small n p).
Lemma less_small_positive n x p : (0 <= qval n x (less_small n p))%Q -> (0 < qval n x p)%Q.
Proof.
  unfold less_small. rewrite qval_sub, qval_const. intro h. apply Qlt_le_trans with small; [reflexivity |]. apply Qle_minus_iff.
  now setoid_replace (qval n x p + - small)%Q with (qval n x p - small)%Q by ring.
Qed.
Lemma halves_sound n cs x p : (forall g, In g cs -> (0 <= qval n x g)%Q) ->
  forall k axis b, halves n cs k axis b p = true -> within_box b x -> (0 <= qval n x p)%Q.
Proof.
  intros pos k. induction k as [| k ih]; intros axis b h i; cbn [halves] in h;
    (destruct (sign_ok n b p) eqn:s; [exact (sign_sound rationals n b _ p s i) |]);
    (destruct (existsb _ cs) eqn:o;
     [ apply existsb_exists in o; destruct o as (g & ig & o); exfalso; specialize (pos g ig);
       pose proof (less_small_positive n x _ (sign_sound rationals n b _ _ o i)) as l; rewrite qval_scale in l;
       apply (Qlt_irrefl 0); apply Qlt_le_trans with (-1 * qval n x g)%Q; [exact l |];
       setoid_replace (-1 * qval n x g)%Q with (- qval n x g)%Q by ring; exact (Qopp_le_compat _ _ pos) |]);
    try discriminate.
  destruct (nth_error b axis) as [(lo, hi) |] eqn:e; [| discriminate]. cbv zeta in h.
  destruct (halves n cs k _ (replace_axis axis (lo, _) b) p) eqn:hl; [| discriminate]. rename h into hr.
  destruct (inside_bounds rationals _ b axis lo hi e i) as [h1 h2]. set (t := Qred _) in *.
  destruct (le_total rationals (Q2Qc (x axis)) (inj t)) as [m | m]; [apply (ih _ _ hl) | apply (ih _ _ hr)];
    apply (inside_replace rationals _ _ b axis lo hi e i); assumption.
Qed.
Lemma nonneg_sound n r p x : nonneg n r p = true -> within r x -> (0 <= qval n x p)%Q. Proof. intros h [i c]. exact (halves_sound n _ x p c _ _ _ h i). Qed.
Lemma positive_sound n r p x : positive n r p = true -> within r x -> (0 < qval n x p)%Q.
Proof. intros h i. exact (less_small_positive n x p (nonneg_sound _ _ _ _ h i)). Qed.

(** ** Quotients *)
Section Quotients.
Variables (n : nat) (b : region n).
Notation quotient := (poly n * poly n)%type.                      (* numerator, denominator *)
Definition whole (p : poly n) : quotient := (p, const n 1).
Definition same_poly (p q : poly n) : bool := vanishes n (psub n p q).
(** the number that a constant polynomial is *)
Fixpoint number_of m : poly m -> option Q :=
  match m with O => fun p => Some p | S m => fun p => match p with [] => Some 0%Q | [a] => number_of m a | _ => None end end.
Definition qadd (e f : quotient) : quotient :=
  if same_poly (snd e) (snd f) then (trim n (padd n (fst e) (fst f)), snd e)
  else (trim n (padd n (pmul n (fst e) (snd f)) (pmul n (fst f) (snd e))), pmul n (snd e) (snd f)).
Definition qmul (e f : quotient) : quotient := (trim n (pmul n (fst e) (fst f)), trim n (pmul n (snd e) (snd f))).
Definition qneg (e : quotient) : quotient := (pscale n (-1) (fst e), snd e).
(** None where the divisor has no certain sign *)
Definition qdiv (e f : quotient) : option quotient :=
  let up := trim n (pmul n (fst e) (snd f)) in
  match number_of n (fst f) with
  | Some q => if Qeq_bool q 0 then None else Some (pscale n (/ q) up, snd e)
  | None => let down := trim n (pmul n (snd e) (fst f)) in
      if positive n b (fst f) then Some (up, down)
      else if positive n b (pscale n (-1) (fst f)) then Some (pscale n (-1) up, pscale n (-1) down) else None
  end.
Fixpoint qpow (e : quotient) (k : nat) : quotient := match k with O => whole (const n 1) | S k => qmul e (qpow e k) end.
Definition MAX_POWER := 64%N.
Notation environment := (list (string * poly n)).
Fixpoint looked (y : string) (env : environment) : poly n :=
  match env with [] => const n 0 | (z, p) :: env => if String.eqb y z then p else looked y env end.
Definition on_two (f : quotient -> quotient -> option quotient) (e e' : option quotient) : option quotient :=
  match e, e' with Some e, Some e' => f e e' | _, _ => None end.
Fixpoint symbolic (env : environment) (e : expr) : option quotient :=
  match e with
  | Num q => Some (whole (const n q))
  | Par y => Some (whole (looked y env))
  | Neg e => option_map qneg (symbolic env e)
  | Add e f => on_two (fun e f => Some (qadd e f)) (symbolic env e) (symbolic env f)
  | Sub e f => on_two (fun e f => Some (qadd e (qneg f))) (symbolic env e) (symbolic env f)
  | Mul e f => on_two (fun e f => Some (qmul e f)) (symbolic env e) (symbolic env f)
  | Div e f => on_two qdiv (symbolic env e) (symbolic env f)
  | Pow e k => if (k <=? MAX_POWER)%N then option_map (fun e => qpow e (N.to_nat k)) (symbolic env e) else None
  end.

Variable x : nat -> Q.
Hypothesis inside_box : within b x.
Notation val := (qval n x).
Definition means (e : quotient) (q : Q) : Prop := (0 < val (snd e))%Q /\ (val (fst e) == q * val (snd e))%Q.
Lemma means_eq e q r : (q == r)%Q -> means e q -> means e r. Proof. intros h [p v]. split; [exact p | now rewrite <- h]. Qed.
Lemma whole_means p : means (whole p) (val p).
Proof. split; cbn [whole fst snd]; rewrite qval_const; [reflexivity | ring]. Qed.
Lemma same_poly_sound p q : same_poly p q = true -> (val p == val q)%Q.
Proof. intro h. apply (qval_vanishes n x) in h. rewrite qval_sub in h. rewrite <- (Qplus_0_l (val q)), <- h. ring. Qed.
Lemma number_of_sound m : forall y p q, number_of m p = Some q -> (qval m y p == q)%Q.
Proof.
  induction m as [| m ih]; intros y p q h; cbn [number_of] in h.
  - injection h as <-. unfold qval. cbn [at_point]. apply this_inj.
  - destruct p as [| a [| a' p]]; [injection h as <-; reflexivity | | discriminate]. rewrite qval_cons, qval_nil, (ih _ _ _ h). ring.
Qed.
Lemma mul_pos a c : (0 < a)%Q -> (0 < c)%Q -> (0 < a * c)%Q.
Proof. intros. rewrite <- (Qmult_0_l c). now apply Qmult_lt_compat_r. Qed.
Lemma add_means e f q r : means e q -> means f r -> means (qadd e f) (q + r).
Proof.
  intros [p v] [p' v']. unfold qadd. destruct (same_poly _ _) eqn:s; split; cbn [fst snd].
  - exact p.
  - apply same_poly_sound in s. rewrite qval_trim, qval_add, v, v', <- s. ring.
  - rewrite qval_mul. now apply mul_pos.
  - rewrite qval_trim, qval_add, !qval_mul, v, v'. ring.
Qed.
Lemma mul_means e f q r : means e q -> means f r -> means (qmul e f) (q * r).
Proof. intros [p v] [p' v']. split; cbn [qmul fst snd]; rewrite !qval_trim, !qval_mul; [now apply mul_pos | rewrite v, v'; ring]. Qed.
Lemma neg_means e q : means e q -> means (qneg e) (- q).
Proof. intros [p v]. split; cbn [qneg fst snd]; [exact p | rewrite qval_scale, v; ring]. Qed.
Lemma nonzero q : (0 < q)%Q -> ~ (q == 0)%Q. Proof. intros h z. rewrite z in h. exact (Qlt_irrefl 0 h). Qed.
Lemma div_means e f q r g : means e q -> means f r -> qdiv e f = Some g -> means g (q / r).
Proof.
  intros [p v] [p' v']. unfold qdiv. destruct (number_of n (fst f)) as [c |] eqn:nf.
  - apply (number_of_sound n x) in nf. destruct (Qeq_bool c 0) eqn:z; [discriminate |]. intro h. injection h as <-.
    assert (c0 : ~ (c == 0)%Q) by (intro k; apply Qeq_bool_iff in k; congruence). rewrite v' in nf.
    assert (r0 : ~ (r == 0)%Q) by (intro k; rewrite k in nf; apply c0; rewrite <- nf; ring).
    split; cbn [fst snd]; [exact p |]. rewrite qval_scale, qval_trim, qval_mul, v, <- nf. field. split; assumption || exact (nonzero _ p').
  - destruct (positive n b (fst f)) eqn:s; [| destruct (positive n b _) eqn:s' in |- *; [| discriminate]]; intro h; injection h as <-.
    + apply (positive_sound _ _ _ x) in s; [| exact inside_box].
      assert (r0 : ~ (r == 0)%Q) by (intro k; rewrite k, Qmult_0_l in v'; exact (nonzero _ s v')).
      split; cbn [fst snd]; rewrite !qval_trim, !qval_mul; [now apply mul_pos |]. rewrite v, v'. field. exact r0.
    + apply (positive_sound _ _ _ x) in s'; [| exact inside_box]. rewrite qval_scale in s'.
      assert (r0 : ~ (r == 0)%Q) by (intro k; rewrite k, Qmult_0_l in v'; rewrite v' in s'; exact (nonzero _ s' (Qmult_0_r _))).
      split; cbn [fst snd]; rewrite !qval_scale, !qval_trim, !qval_mul.
      * setoid_replace (-1 * (val (snd e) * val (fst f)))%Q with (val (snd e) * (-1 * val (fst f)))%Q by ring. now apply mul_pos.
      * rewrite v, v'. field. exact r0.
Qed.
Lemma pow_means e q k : means e q -> means (qpow e k) (Qpower q (Z.of_nat k)).
Proof.
  intro h. induction k as [| k ih].
  - cbn [qpow]. apply (means_eq _ _ _ (qval_const n x 1)), whole_means.
  - cbn [qpow]. apply (means_eq _ (q * Qpower q (Z.of_nat k))%Q); [| now apply mul_means].
    rewrite Nat2Z.inj_succ, <- Z.add_1_l, Qpower_plus' by lia. reflexivity.
Qed.
Theorem symbolic_means env p : (forall y, (qval n x (looked y env) == look y p)%Q) ->
  forall e g, symbolic env e = Some g -> means g (eval p e).
Proof.
  intro he. induction e as [q | y | e ih | e ihe f ihf | e ihe f ihf | e ihe f ihf | e ihe f ihf | e ih k]; intros g h; cbn [symbolic eval] in *.
  - injection h as <-. apply (means_eq _ _ _ (qval_const n x q)), whole_means.
  - injection h as <-. apply (means_eq _ _ _ (he y)), whole_means.
  - destruct (symbolic env e) as [g' |]; [| discriminate]. injection h as <-. eapply means_eq; [symmetry; apply Qred_correct |]. now apply neg_means, ih.
  - destruct (symbolic env e) as [g1 |]; [| discriminate]; destruct (symbolic env f) as [g2 |]; [| discriminate]. injection h as <-.
    eapply means_eq; [symmetry; apply Qred_correct |]. now apply add_means; auto.
  - destruct (symbolic env e) as [g1 |]; [| discriminate]; destruct (symbolic env f) as [g2 |]; [| discriminate]. injection h as <-.
    eapply means_eq; [symmetry; apply Qred_correct |]. apply add_means; [now apply ihe | now apply neg_means, ihf].
  - destruct (symbolic env e) as [g1 |]; [| discriminate]; destruct (symbolic env f) as [g2 |]; [| discriminate]. injection h as <-.
    eapply means_eq; [symmetry; apply Qred_correct |]. now apply mul_means; auto.
  - destruct (symbolic env e) as [g1 |]; [| discriminate]; destruct (symbolic env f) as [g2 |]; [| discriminate]. cbn [on_two] in h.
    eapply means_eq; [symmetry; apply Qred_correct |]. exact (div_means _ _ _ _ _ (ihe _ eq_refl) (ihf _ eq_refl) h).
  - destruct (k <=? MAX_POWER)%N; [| discriminate]. destruct (symbolic env e) as [g' |]; [| discriminate]. injection h as <-.
    eapply means_eq; [symmetry; apply Qred_correct |]. rewrite <- (N_nat_Z k). now apply pow_means, ih.
Qed.
(** signs and sums of quotients *)
Lemma means_nonneg e q : means e q -> nonneg n b (fst e) = true -> (0 <= q)%Q.
Proof.
  intros [p v] h. apply (nonneg_sound _ _ _ x) in h; [| exact inside_box]. rewrite v in h.
  apply Qnot_lt_le. intro l. apply (Qlt_irrefl 0). apply Qle_lt_trans with (q * val (snd e))%Q; [exact h |].
  rewrite <- (Qmult_0_l (val (snd e))). now apply Qmult_lt_compat_r.
Qed.
Definition equal_quotients (e f : quotient) : bool := same_poly (pmul n (fst e) (snd f)) (pmul n (fst f) (snd e)).
Lemma equal_sound e f q r : means e q -> means f r -> equal_quotients e f = true -> (q == r)%Q.
Proof.
  intros [p v] [p' v'] h. apply same_poly_sound in h. rewrite !qval_mul, v, v' in h.
  apply (Qmult_inj_r q r (val (snd e) * val (snd f))); [apply nonzero; now apply mul_pos |].
  rewrite Qmult_assoc, h. ring.
Qed.
Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with [] => Some [] | None :: _ => None | Some a :: l => option_map (cons a) (all_some l) end.
Definition qtotal (l : list quotient) : quotient := fold_right qadd (whole (const n 0)) l.
(** a row of expressions is a distribution on the whole box *)
Definition row_shown (env : environment) (row : list expr) : bool :=
  match all_some (map (symbolic env) row) with
  | None => false
  | Some l => forallb (fun e => nonneg n b (fst e)) l && equal_quotients (qtotal l) (whole (const n 1))
  end.
Lemma all_some_nth {A} : forall (l : list (option A)) m, all_some l = Some m -> Forall2 (fun o a => o = Some a) l m.
Proof.
  induction l as [| [a |] l ih]; intros m h; cbn [all_some] in h; [injection h as <-; constructor | | discriminate].
  destruct (all_some l) as [l' |]; [| discriminate]. injection h as <-. constructor; [reflexivity | now apply ih].
Qed.
Lemma total_means l qs : Forall2 means l qs -> means (qtotal l) (fold_right Qplus 0%Q qs).
Proof.
  induction 1 as [| e q l qs h _ ih]; cbn [qtotal fold_right].
  - apply (means_eq _ _ _ (qval_const n x 0)), whole_means.
  - now apply add_means.
Qed.
Lemma row_shown_sound env p (row : list expr) : (forall y, (qval n x (looked y env) == look y p)%Q) -> row_shown env row = true ->
  (forall e, In e row -> (0 <= eval p e)%Q) /\ (fold_right Qplus 0 (map (eval p) row) == 1)%Q.
Proof.
  intros he h. unfold row_shown in h. destruct (all_some (map (symbolic env) row)) as [l |] eqn:a; [| discriminate].
  apply all_some_nth in a. apply andb_true_iff in h. destruct h as [hn h1]. rewrite forallb_forall in hn.
  assert (m : Forall2 means l (map (eval p) row)).
  { clear hn h1. revert l a. induction row as [| e row ih]; intros l a; inversion a; subst; cbn [map]; constructor; [| now apply ih].
    now apply (symbolic_means env p he). }
  split.
  - clear h1 a. revert l m hn. induction row as [| e row ih]; intros l m hn e' i; [destruct i |]. inversion m; subst.
    destruct i as [<- | i]; [apply (means_nonneg x0); [assumption | apply hn; now left] |].
    apply (ih l0); [assumption | intros; apply hn; now right | exact i].
  - apply (equal_sound _ _ _ _ (total_means _ _ m) (means_eq _ _ _ (qval_const n x 1) (whole_means _)) h1).
Qed.
End Quotients.
