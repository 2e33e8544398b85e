(** Assumption 2.4 refuted by a change of sign: where two windows alone are possible, a signal that is positive at one state and negative at
    another is as small as one likes at some rational state between them, while a coordinate of the difference stays away from zero. *)
From Pomgcheck Require Import OrderedField RuleLin Statements WeakRevealing RevealingRatio TrajectoryLaws ForwardLaws PosteriorLipschitz ForwardErrors.
From Coq Require Import Lqa.
Open Scope nat_scope.

(** ** A quadratic function that changes its sign has small values *)
Open Scope Q_scope.
Fixpoint half (k : nat) : Q := match k with O => 1 | S k => half k * (1 # 2) end.
Lemma half_small k : 0 < half k /\ half k * inject_Z (Z.of_nat k + 1) <= 1.
Proof.
  induction k as [| k [p l]]; [now split |]. cbn [half]. split; [lra |]. rewrite Nat2Z.inj_succ. unfold Z.succ.
  assert (0 <= inject_Z (Z.of_nat k)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia). rewrite !inject_Z_plus in *. change (inject_Z 1) with 1 in *.
  set (K := inject_Z (Z.of_nat k)) in *. set (x := half k) in *. assert (0 <= x * K) by nra. lra.
Qed.
Section Quadratic.
Variables A B C : Q.
Notation n := (fun t => A + B * t + C * (t * t)).
Lemma bisection k : n 0 < 0 -> 0 < n 1 -> exists s t, 0 <= s <= 1 /\ 0 <= t <= 1 /\ Qabs (t - s) <= half k /\ n s <= 0 /\ 0 <= n t.
Proof.
  intros h0 h1. cbv beta in *. induction k as [| k (s & t & hs & ht & l & ns & nt)]; [exists 0, 1; repeat split; try lra; now compute |].
  cbn [half]. set (m := (s + t) * (1 # 2)). assert (hm : 0 <= m <= 1) by (unfold m; lra). apply Qabs_Qle_condition in l.
  destruct (Qlt_le_dec (A + B * m + C * (m * m)) 0) as [c | c].
  - exists m, t. repeat split; try lra. apply Qabs_Qle_condition. unfold m. lra.
  - exists s, m. repeat split; try lra. apply Qabs_Qle_condition. unfold m. lra.
Qed.
Lemma near_zero_up e : n 0 < 0 -> 0 < n 1 -> 0 < e -> exists t, 0 <= t <= 1 /\ Qabs (n t) < e.
Proof.
  intros h0 h1 he. set (L := Qabs B + 2 * Qabs C). assert (hL : 0 <= L) by (unfold L; pose proof (Qabs_nonneg B); pose proof (Qabs_nonneg C); lra).
  destruct (Qarchimedean (L / e)) as [k hk]. set (j := Pos.to_nat k). assert (l : L < e * inject_Z (Z.of_nat j + 1)).
  { unfold j. rewrite positive_nat_Z, inject_Z_plus. change (inject_Z 1) with 1. assert (L == L / e * e) by (field; lra). assert (Z.pos k # 1 == inject_Z (Z.pos k)) by reflexivity. nra. }
  destruct (bisection j h0 h1) as (s & t & hs & ht & w & ns & nt). exists t. split; [exact ht |]. cbv beta in *.
  rewrite Qabs_pos by exact nt. destruct (half_small j) as [p q].
  assert (b : A + B * t + C * (t * t) <= L * half j).
  { assert (e1 : A + B * t + C * (t * t) - (A + B * s + C * (s * s)) == (B + C * (t + s)) * (t - s)) by ring.
    assert (e2 : Qabs ((B + C * (t + s)) * (t - s)) <= L * half j).
    { rewrite Qabs_Qmult. assert (Qabs (B + C * (t + s)) <= L).
      { eapply Qle_trans; [apply Qabs_triangle |]. rewrite Qabs_Qmult, (Qabs_pos (t + s)) by lra. unfold L. pose proof (Qabs_nonneg C). nra. }
      pose proof (Qabs_nonneg (t - s)). pose proof (Qabs_nonneg (B + C * (t + s))). nra. }
    pose proof (Qle_Qabs ((B + C * (t + s)) * (t - s))). lra. }
  set (c := inject_Z (Z.of_nat j + 1)) in *. assert (0 < c) by (unfold c; change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia). nra.
Qed.
End Quadratic.
Lemma near_zero A B C e : A * (A + B + C) < 0 -> 0 < e -> exists t, 0 <= t <= 1 /\ Qabs (A + B * t + C * (t * t)) < e.
Proof.
  intros h he. set (E := A + B + C) in *. destruct (Qlt_le_dec A 0) as [a | a].
  - assert (0 < E) by (apply Qnot_le_lt; intro; nra). apply near_zero_up; [ | unfold E in *; lra | exact he]. lra.
  - assert (E < 0) by (apply Qnot_le_lt; intro; nra). assert (0 < A) by (apply Qnot_le_lt; intro; nra).
    destruct (near_zero_up (- A) (- B) (- C) e) as (t & ht & l); [lra | unfold E in *; lra | exact he |]. exists t. split; [exact ht |].
    rewrite <- Qabs_opp. setoid_replace (- (A + B * t + C * (t * t))) with (- A + - B * t + - C * (t * t)) by ring. exact l.
Qed.
Close Scope Q_scope.

(** ** States between two *)
Definition between (d : doc) (h : nat) (t : Q) (q q' : masses) : masses := map (fun c => (c, ((1 - t) * mass_at q c + t * mass_at q' c)%Q)) (coordinates d h).
Lemma mass_between d h t q q' c : In c (coordinates d h) -> mass_at (between d h t q q') c = ((1 - t) * mass_at q c + t * mass_at q' c)%Q.
Proof. intro i. unfold between. now rewrite (mass_at_of _ (fun c => ((1 - t) * mass_at q c + t * mass_at q' c)%Q)). Qed.
Lemma mean_between d h t q q' f : (mean_at d h (between d h t q q') f == (1 - t) * mean_at d h q f + t * mean_at d h q' f)%Q.
Proof.
  unfold mean_at. rewrite <- !qsum_scale, <- qsum_plus. apply qsum_eq_in. intros c i. rewrite mass_between by exact i. ring.
Qed.

Lemma distributed_between d h t q q' : (0 <= t <= 1)%Q -> distributed d h q -> distributed d h q' -> distributed d h (between d h t q q').
Proof.
  intros ht [q0 q1] [p0 p1]. split.
  - intros c i. rewrite mass_between by exact i. specialize (q0 c i). specialize (p0 c i). nra.
  - rewrite (qsum_eq_in _ _ (fun c => (1 - t) * mass_at q c + t * mass_at q' c)%Q) by (intros c i; now rewrite mass_between).
    rewrite qsum_plus, !qsum_scale, q1, p1. ring.
Qed.
(** what lies above b at both ends lies above it between *)
Lemma above_between b x y t : (b <= x -> b <= y -> 0 <= t <= 1 -> b <= (1 - t) * x + t * y)%Q. Proof. intros. nra. Qed.
Lemma below_both x y : (0 < x -> 0 < y -> exists b, 0 < b /\ b <= x /\ b <= y)%Q.
Proof. intros hx hy. destruct (Qlt_le_dec x y); [exists x | exists y]; repeat split; lra. Qed.

Definition check_crossing (d : doc) (kappa : nat) (x : state_at) (q' : masses) : bool :=
  let w := world_of d (nth (r_i x) (thetas d) []) in let w' := world_of d (nth (r_j x) (thetas d) []) in
  let g := response_of d (nth (r_k x) (phis d) []) (r_p x) in let pi := policy_of d (r_p x) in let h := r_h x in let o := r_o x in let q := r_q x in
  let M v win c := joint_law' d v g pi h (r_u x) o (r_a x) win c in
  let silent win := forallb (fun c => Qeq_bool (M w win c) 0 && Qeq_bool (M w' win c) 0) (coordinates d h) in
  let n y win := (window_at d g pi h (r_u x) o (r_a x) w y win * shown_by d h o w' y - window_at d g pi h (r_u x) o (r_a x) w' y win * shown_by d h o w y)%Q in
  let gap y v := (mean_at d h y (W w h o (r_a x) v) - mean_at d h y (W w' h o (r_a x) v))%Q in
  check_place d false kappa x q && check_place d false kappa x q' &&
  match filter (fun win => negb (silent win)) (tuples (nOA d) kappa) with
  | [one; other] =>
      forallb (fun c => Qeq_bool (M w one c + M w other c) (EA w h (fst c) o) && Qeq_bool (M w' one c + M w' other c) (EA w' h (fst c) o)) (coordinates d h) &&
      negb (Qle_bool 0 (n q one * n q' one)) && existsb (fun v => negb (Qle_bool (gap q v * gap q' v) 0)) (channel d h)
  | _ => false
  end.
Lemma mean_zero d h q f : (forall c, In c (coordinates d h) -> f c == 0)%Q -> (mean_at d h q f == 0)%Q.
Proof. intro z. unfold mean_at. rewrite (qsum_eq_in _ _ (fun c => 0 * mass_at q c)%Q); [rewrite qsum_scale; ring |]. intros c i. rewrite z by exact i. ring. Qed.
Lemma mean_sum d h q f g k : (forall c, In c (coordinates d h) -> f c + g c == k c)%Q -> (mean_at d h q f + mean_at d h q g == mean_at d h q k)%Q.
Proof. intro z. unfold mean_at. rewrite <- qsum_plus. apply qsum_eq_in. intros c i. rewrite <- z by exact i. ring. Qed.
Lemma term_le {A} (l : list A) f x : In x l -> (Qabs (f x) <= qsum l (fun y => Qabs (f y)))%Q.
Proof.
  assert (pos : forall l, (0 <= qsum l (fun y => Qabs (f y)))%Q).
  { clear. induction l as [| y l ih]; cbn [qsum]; [apply Qle_refl |]. rewrite Qred_correct. pose proof (Qabs_nonneg (f y)). lra. }
  induction l as [| y l ih]; intros i; [destruct i |]. cbn [qsum]. rewrite Qred_correct. destruct i as [-> | i]; [pose proof (pos l); lra |]. specialize (ih i). pose proof (Qabs_nonneg (f y)). lra.
Qed.
Theorem check_crossing_sound F d kappa x q' : check_crossing d kappa x q' = true -> forall alpha, ~ weak_revealing F d false kappa alpha.
Proof.
  unfold check_crossing. cbv zeta. rewrite !andb_true_iff. intros [[hp hp'] hc] alpha k. pose proof (proj1 k) as a0. pose proof (said_at F d false kappa alpha x _ hp k) as said. cbv zeta in said. clear k.
  pose proof (check_place_sound d false kappa x _ hp) as st. pose proof (check_place_sound d false kappa x _ hp') as st'. cbv zeta in st, st'.
  destruct st as (_ & _ & _ & _ & _ & _ & _ & _ & st & [z | [z z']]); [discriminate |]. destruct st' as (_ & _ & _ & _ & _ & _ & _ & _ & st' & [y | [y y']]); [discriminate |].
  set (w := world_of d (nth (r_i x) (thetas d) [])) in *. set (w' := world_of d (nth (r_j x) (thetas d) [])) in *. set (g := response_of d (nth (r_k x) (phis d) []) (r_p x)) in *.
  set (pi := policy_of d (r_p x)) in *. set (h := r_h x) in *. set (u := r_u x) in *. set (o := r_o x) in *. set (a := r_a x) in *. set (q := r_q x) in *.
  set (windows := tuples (nOA d) kappa) in *. set (loud := fun win => negb _) in hc. destruct (filter loud windows) as [| one [| other [| ? ?]]] eqn:two; try discriminate.
  rewrite !andb_true_iff in hc. destruct hc as [[sums sign] gap]. rewrite forallb_forall in sums. apply existsb_exists in gap. destruct gap as (v & iv & gap). apply positive in gap.
  set (Z := fun v y => shown_by d h o v y). set (M := fun v y => window_at d g pi h u o a v y one).
  assert (quiet : forall y win, In win windows -> loud win = false -> (window_at d g pi h u o a w y win == 0 /\ window_at d g pi h u o a w' y win == 0)%Q).
  { intros y0 win _ l. unfold loud in l. apply negb_false_iff in l. rewrite forallb_forall in l. unfold window_at. split; apply mean_zero; intros c i; specialize (l c i); apply andb_true_iff in l; now apply Qeq_bool_iff. }
  assert (both : forall v0 y0, v0 = w \/ v0 = w' -> (M v0 y0 + window_at d g pi h u o a v0 y0 other == Z v0 y0)%Q).
  { intros v0 y0 e. unfold M, Z, window_at, shown_by. apply mean_sum. intros c i. specialize (sums c i). apply andb_true_iff in sums. destruct e as [-> | ->]; now apply Qeq_bool_iff. }
  assert (signal : forall y0, (0 < Z w y0 -> 0 < Z w' y0 -> signal_at d false kappa w w' g pi h u o a y0 * (Z w y0 * Z w' y0) == 2 * Qabs (M w y0 * Z w' y0 - M w' y0 * Z w y0))%Q).
  { intros y0 p p'. unfold signal_at. fold windows.
    rewrite (qsum_eq_in windows _ (fun win => if loud win then Qabs (window_at d g pi h u o a w y0 win / Z w y0 - window_at d g pi h u o a w' y0 win / Z w' y0) else 0)%Q).
    2:{ intros win i. destruct (loud win) eqn:l; [reflexivity |]. destruct (quiet y0 win i l) as [e e']. rewrite e, e'. unfold Qdiv. rewrite !Qmult_0_l. reflexivity. }
    rewrite <- qsum_filter, two. cbn [qsum]. rewrite !Qred_correct. fold (M w y0) (M w' y0).
    assert (e : (window_at d g pi h u o a w y0 other == Z w y0 - M w y0)%Q) by (rewrite <- (both w y0) by auto; ring).
    assert (e' : (window_at d g pi h u o a w' y0 other == Z w' y0 - M w' y0)%Q) by (rewrite <- (both w' y0) by auto; ring). rewrite e, e'.
    assert (turn : (Qabs ((Z w y0 - M w y0) / Z w y0 - (Z w' y0 - M w' y0) / Z w' y0) == Qabs (M w y0 / Z w y0 - M w' y0 / Z w' y0))%Q).
    { rewrite <- Qabs_opp. setoid_replace (- ((Z w y0 - M w y0) / Z w y0 - (Z w' y0 - M w' y0) / Z w' y0))%Q with (M w y0 / Z w y0 - M w' y0 / Z w' y0)%Q; [reflexivity | field; lra]. }
    rewrite turn. setoid_replace (M w y0 * Z w' y0 - M w' y0 * Z w y0)%Q with ((M w y0 / Z w y0 - M w' y0 / Z w' y0) * (Z w y0 * Z w' y0))%Q by (field; lra).
    rewrite Qabs_Qmult, (Qabs_pos (Z w y0 * Z w' y0)) by nra. ring. }
  destruct (below_both _ _ z y) as (b & b0 & b1 & b2). destruct (below_both _ _ z' y') as (b' & b0' & b1' & b2').
  set (G := fun y0 => (mean_at d h y0 (W w h o a v) - mean_at d h y0 (W w' h o a v))%Q).
  assert (far : exists e, (0 < e)%Q /\ forall t, (0 <= t <= 1)%Q -> (e <= difference_at d w w' h o a (between d h t q q'))%Q).
  { assert (lin : forall t, (G (between d h t q q') == (1 - t) * G q + t * G q')%Q) by (intro t; unfold G; rewrite !mean_between; ring).
    assert (some : exists e, (0 < e)%Q /\ forall t, (0 <= t <= 1)%Q -> (e <= Qabs (G (between d h t q q')))%Q).
    { change (0 < G q * G q')%Q in gap. destruct (Qlt_le_dec 0 (G q)) as [s | s].
      - assert (s' : (0 < G q')%Q) by nra. destruct (below_both _ _ s s') as (e & e0 & e1 & e2). exists e. split; [exact e0 |]. intros t ht. rewrite lin.
        eapply Qle_trans; [exact (above_between e _ _ t e1 e2 ht) | apply Qle_Qabs].
      - assert (n : (0 < - G q)%Q).
        { destruct (Qlt_le_dec (G q) 0) as [c | c]; [lra |]. exfalso. assert (zero : (G q == 0)%Q) by lra. rewrite zero, Qmult_0_l in gap. lra. }
        assert (n' : (0 < - G q')%Q) by (apply Qnot_le_lt; intro; nra). destruct (below_both _ _ n n') as (e & e0 & e1 & e2). exists e. split; [exact e0 |]. intros t ht. rewrite lin, <- Qabs_opp.
        setoid_replace (- ((1 - t) * G q + t * G q'))%Q with ((1 - t) * - G q + t * - G q')%Q by ring. eapply Qle_trans; [exact (above_between e _ _ t e1 e2 ht) | apply Qle_Qabs]. }
    destruct some as (e & e0 & e1). exists e. split; [exact e0 |]. intros t ht. eapply Qle_trans; [exact (e1 t ht) |]. unfold difference_at, G.
    exact (term_le (channel d h) (fun v => mean_at d h (between d h t q q') (W w h o a v) - mean_at d h (between d h t q q') (W w' h o a v))%Q v iv). }
  destruct far as (e & e0 & far). set (A := (M w q * Z w' q - M w' q * Z w q)%Q).
  set (B := (M w q * (Z w' q' - Z w' q) + (M w q' - M w q) * Z w' q - M w' q * (Z w q' - Z w q) - (M w' q' - M w' q) * Z w q)%Q).
  set (C := ((M w q' - M w q) * (Z w' q' - Z w' q) - (M w' q' - M w' q) * (Z w q' - Z w q))%Q).
  assert (small : (0 < alpha * e * (b * b') * (1 # 2))%Q).
  { assert (0 < alpha * e)%Q by nra. assert (0 < b * b')%Q by nra. nra. }
  assert (cross : (A * (A + B + C) < 0)%Q).
  { apply negb_true_iff in sign. apply Qnot_le_lt. intro l. apply Qle_bool_iff in l. revert sign. change (Qle_bool 0 (A * (M w q' * Z w' q' - M w' q' * Z w q')) = false -> False).
    intro s. assert (t : Qle_bool 0 (A * (M w q' * Z w' q' - M w' q' * Z w q')) = true); [| congruence]. apply Qle_bool_iff in l. apply Qle_bool_iff.
    setoid_replace (M w q' * Z w' q' - M w' q' * Z w q')%Q with (A + B + C)%Q by (unfold A, B, C; ring). exact l. }
  destruct (near_zero A B C _ cross small) as (t & ht & near). set (m := between d h t q q') in *.
  assert (Zt : forall v0, (Z v0 m == (1 - t) * Z v0 q + t * Z v0 q')%Q) by (intro v0; apply mean_between). assert (Mt : forall v0, (M v0 m == (1 - t) * M v0 q + t * M v0 q')%Q) by (intro v0; apply mean_between).
  assert (p : (b <= Z w m)%Q) by (rewrite Zt; now apply above_between). assert (p' : (b' <= Z w' m)%Q) by (rewrite Zt; now apply above_between).
  specialize (said m (distributed_between d h t q q' ht st st') (or_intror (conj (Qlt_le_trans _ _ _ b0 p) (Qlt_le_trans _ _ _ b0' p')))).
  specialize (signal m (Qlt_le_trans _ _ _ b0 p) (Qlt_le_trans _ _ _ b0' p')). specialize (far t ht). fold m in far.
  assert (is : (M w m * Z w' m - M w' m * Z w m == A + B * t + C * (t * t))%Q) by (rewrite !Zt, !Mt; unfold A, B, C; ring). rewrite is in signal.
  set (S := signal_at d false kappa w w' g pi h u o a m) in *. set (D := difference_at d w w' h o a m) in *. set (N := Qabs (A + B * t + C * (t * t))) in *.
  assert (one_side : (alpha * e <= S)%Q) by nra. assert (zz : (b * b' <= Z w m * Z w' m)%Q) by nra. assert (0 < b * b')%Q by nra. assert (0 < alpha * e)%Q by nra.
  assert (alpha * e * (b * b') <= S * (Z w m * Z w' m))%Q by nra. lra.
Qed.
