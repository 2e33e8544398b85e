(** Assumption 2.3 in its step form, for the rules that average or read the last policy: checked policy by policy. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing TrajectoryLaws BoundedIncrements Covering WarmupStationary.
Open Scope nat_scope.

(** the masses of [Statements], with nothing computed below a factor zero *)
Fixpoint posterior_sum' d (w : world) (pi : decision) (past : list (nat * nat)) (o h s : nat) (uA : list nat) (f : nat -> list nat -> Q) : Q :=
  qsum (seq 0 (nOA d)) (fun oA => zt (EA w h s oA) (fun _ =>
    match past with
    | [] => zt (EB w h s o) (fun _ => f h (uA ++ [oA]))
    | (oB, b) :: past => zt (EB w h s oB) (fun _ => qsum (seq 0 (nA d)) (fun a => zt (pi h (uA ++ [oA]) a) (fun _ => qsum (seq 0 (nS d)) (fun s' =>
        zt (T w h s a b s') (fun _ => posterior_sum' d w pi past o (S h) s' (next_A d uA oA) f)))))
    end)).
Lemma posterior_sum_eq d w pi past o f : forall h s uA, (posterior_sum' d w pi past o h s uA f == posterior_sum d w pi past o h s uA f)%Q.
Proof.
  induction past as [| [oB b] past ih]; intros h s uA; cbn [posterior_sum' posterior_sum]; apply qsum_eq; intro oA; apply zt_eq.
  - now apply zt_eq.
  - apply zt_eq, qsum_eq. intro a. apply zt_eq, qsum_eq. intro s'. apply zt_eq, ih.
Qed.
Definition posterior_mass' d w pi past o f : Q := qsum (seq 0 (nS d)) (fun s => zt (start d s) (fun _ => posterior_sum' d w pi past o 0 s [] f)).
Lemma posterior_mass_eq d w pi past o f : (posterior_mass' d w pi past o f == posterior_mass d w pi past o f)%Q.
Proof. apply qsum_eq. intro s. apply zt_eq, posterior_sum_eq. Qed.
(** the mass of a history, and S^ref there where it is possible *)
Definition posterior d w past o (pi : decision) : Q * list Q :=
  let z := posterior_mass' d w pi past o (fun _ _ => 1%Q) in
  (z, if Qle_bool z 0 then [] else map (fun a => Qred (posterior_mass' d w pi past o (fun h seen => pi h seen a) / z)) (seq 0 (nA d))).
Fixpoint l1 (u v : list Q) : Q := match u, v with x :: u, y :: v => Qred (Qabs (x - y) + l1 u v) | _, _ => 0%Q end.
Definition apart d (g g' : decision) h seen : Q := qsum (seq 0 (nB d)) (fun b => Qabs (g h seen b - g' h seen b))%Q.

Definition check_lipschitz d (L : Q) : bool :=
  Qle_bool 0 L &&
  (let ps := map (fun p => (policy_of d p, map (fun phi => response_of d phi p) (phis d))) (seq 0 (List.length (policies d))) in
   forallb (fun theta => let w := world_of d theta in
     below (horizon d) (fun h => forallb (fun e => let '(past, o) := e in let seen := read_B d past o in
       let rows := map (fun x => (posterior d w past o (fst x), snd x)) ps in
       forallb (fun x => forallb (fun y => Qle_bool (fst (fst x)) 0 || Qle_bool (fst (fst y)) 0 ||
         (let far := Qred (L * l1 (snd (fst x)) (snd (fst y))) in
          forallb (fun gg => Qle_bool (apart d (fst gg) (snd gg) h seen) far) (combine (snd x) (snd y)))) rows) rows)
       (histories_B d h))) (thetas d)).

Lemma l1_map {A} (f g : A -> Q) l : (l1 (map f l) (map g l) == qsum l (fun a => Qabs (f a - g a)))%Q.
Proof. induction l as [| a l ih]; cbn [map l1 qsum]; [reflexivity |]. now rewrite !Qred_correct, ih. Qed.
Lemma not_nonpositive z : (0 < z)%Q -> Qle_bool z 0 = false.
Proof. intro h. destruct (Qle_bool z 0) eqn:e; [| reflexivity]. apply Qle_bool_iff in e. exfalso. apply (Qlt_irrefl 0). now apply Qlt_le_trans with z. Qed.
Lemma posterior_distance_eq d w past o pi nu : possible d w pi past o -> possible d w nu past o ->
  Qle_bool (fst (posterior d w past o pi)) 0 = false /\ Qle_bool (fst (posterior d w past o nu)) 0 = false /\
  (l1 (snd (posterior d w past o pi)) (snd (posterior d w past o nu)) == posterior_distance d w pi nu past o)%Q.
Proof.
  unfold possible. rewrite <- !posterior_mass_eq. intros i j. unfold posterior. cbv zeta. cbn [fst snd].
  apply not_nonpositive in i as ei. apply not_nonpositive in j as ej. rewrite ei, ej. split; [reflexivity |]. split; [reflexivity |].
  rewrite l1_map. unfold posterior_distance. apply qsum_eq. intro a. unfold S_ref. now rewrite !Qred_correct, !posterior_mass_eq.
Qed.
Lemma combine_map {A B C} (f : A -> B) (g : A -> C) l : combine (map f l) (map g l) = map (fun x => (f x, g x)) l.
Proof. induction l; cbn; congruence. Qed.

(** responses to single policies are as near as L times their posteriors *)
Definition near_posteriors d L : Prop :=
  (0 <= L)%Q /\ forall theta, In theta (thetas d) -> forall phi, In phi (phis d) -> forall p n, p < List.length (policies d) -> n < List.length (policies d) ->
  forall h, h < horizon d -> forall past o, In (past, o) (histories_B d h) -> let w := world_of d theta in
  possible d w (policy_of d p) past o -> possible d w (policy_of d n) past o ->
  (apart d (response_of d phi p) (response_of d phi n) h (read_B d past o) <= L * posterior_distance d w (policy_of d p) (policy_of d n) past o)%Q.
Lemma check_near d L : check_lipschitz d L = true -> near_posteriors d L.
Proof.
  unfold check_lipschitz. cbv zeta. rewrite andb_true_iff, forallb_forall. intros [l0 hc]. split; [now apply Qle_bool_iff |].
  intros theta it phi iphi p n hp hn h hh past o ih w ip jn. specialize (hc theta it). pose proof (below_sound _ _ _ hc hh) as r. cbv beta in r. clear hc.
  rewrite forallb_forall in r. specialize (r _ ih). cbv beta iota in r. rewrite forallb_forall in r. rewrite map_map in r.
  assert (row : forall q, q < List.length (policies d) ->
    In (posterior d w past o (policy_of d q), map (fun phi => response_of d phi q) (phis d))
       (map (fun q => (posterior d w past o (policy_of d q), map (fun phi => response_of d phi q) (phis d))) (seq 0 (List.length (policies d))))).
  { intros q hq. apply (in_map (fun q => (posterior d w past o (policy_of d q), map (fun phi => response_of d phi q) (phis d)))), in_seq. lia. }
  cbn [fst snd] in r. specialize (r _ (row p hp)). rewrite forallb_forall in r. specialize (r _ (row n hn)). cbn [fst snd] in r.
  destruct (posterior_distance_eq d w past o _ _ ip jn) as (e1 & e2 & e3). rewrite e1, e2 in r. cbn [orb] in r.
  rewrite combine_map, forallb_forall in r. specialize (r _ (in_map (fun phi => (response_of d phi p, response_of d phi n)) _ _ iphi)). cbn [fst snd] in r.
  apply Qle_bool_iff in r. now rewrite Qred_correct, e3 in r.
Qed.

(** from policies to blocks *)
Lemma qsum_mono {A} (l : list A) f g : (forall x, In x l -> (f x <= g x)%Q) -> (qsum l f <= qsum l g)%Q.
Proof.
  induction l as [| x l ih]; intro h; cbn [qsum]; [apply Qle_refl |]. rewrite !Qred_correct.
  apply Qplus_le_compat; [apply h; now left | apply ih; intros; apply h; now right].
Qed.
(** the sums over two blocks differ by at most m times the largest difference *)
Lemma blocks_apart d (f : nat -> nat -> Q) (X : Q) : forall P N, List.length P = List.length N ->
  (forall i, i < List.length P -> (qsum (seq 0 (nB d)) (fun b => Qabs (f (nth i P O) b - f (nth i N O) b)) <= X)%Q) ->
  (qsum (seq 0 (nB d)) (fun b => Qabs (qsum P (fun p => f p b) - qsum N (fun p => f p b))) <= inject_Z (Z.of_nat (List.length P)) * X)%Q.
Proof.
  induction P as [| p P ih]; intros [| n N] e k; try discriminate.
  - cbn [qsum List.length]. rewrite (qsum_eq _ _ (fun _ => 0%Q)) by reflexivity. rewrite qsum_zero. simpl (inject_Z _). rewrite Qmult_0_l. apply Qle_refl.
  - cbn [List.length]. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. simpl (inject_Z 1).
    apply Qle_trans with (qsum (seq 0 (nB d)) (fun b => Qabs (f p b - f n b) + Qabs (qsum P (fun p => f p b) - qsum N (fun p => f p b))))%Q.
    + apply qsum_mono. intros b _. cbn [qsum]. rewrite !Qred_correct.
      setoid_replace (f p b + qsum P (fun p => f p b) - (f n b + qsum N (fun p => f p b)))%Q
        with ((f p b - f n b) + (qsum P (fun p => f p b) - qsum N (fun p => f p b)))%Q by ring. apply Qabs_triangle.
    + rewrite qsum_plus. setoid_replace ((inject_Z (Z.of_nat (List.length P)) + 1) * X)%Q with (X + inject_Z (Z.of_nat (List.length P)) * X)%Q by ring.
      apply Qplus_le_compat; [exact (k 0 (Nat.lt_0_succ _)) |]. apply ih; [now injection e |]. intros i hi. exact (k (S i) (proj1 (Nat.succ_lt_mono _ _) hi)).
Qed.
Lemma last_nth (l : list nat) : List.last l O = nth (List.length l - 1) l O.
Proof. induction l as [| x [| y l] ih]; [reflexivity | reflexivity |]. cbn [List.last] in *. rewrite ih. simpl. now rewrite Nat.sub_0_r. Qed.
Definition averages (rule : block_rule) : bool := match rule with Table _ => false | _ => true end.
Theorem check_lipschitz_sound d rule m form L : averages rule = true -> 1 <= m -> check_lipschitz d L = true -> posterior_lipschitz d rule m form L.
Proof.
  intros hr hm hc. apply check_near in hc. destruct hc as [l0 near]. split; [exact l0 |].
  intros theta it phi iphi P N [eP iP] [eN iN] h hh past o io w pos D hD.
  assert (one : forall i, i < m -> (apart d (response_of d phi (nth i P O)) (response_of d phi (nth i N O)) h (read_B d past o) <= L * D)%Q).
  { intros i hi. assert (jP : In (nth i P O) P) by (apply nth_In; lia). assert (jN : In (nth i N O) N) by (apply nth_In; lia).
    assert (a : possible d w (policy_of d (nth i P O)) past o) by (apply pos, in_or_app; now left).
    assert (b : possible d w (policy_of d (nth i N O)) past o) by (apply pos, in_or_app; now right).
    eapply Qle_trans; [apply (near theta it phi iphi _ _ (iP _ jP) (iN _ jN) h hh past o io a b) |].
    rewrite (Qmult_comm L), (Qmult_comm L). apply Qmult_le_compat_r; [| exact l0]. apply (hD i hi h past o io hh); auto. }
  destruct rule as [| | l]; [| | discriminate]; unfold reaction.
  - rewrite !last_nth, eP, eN. apply one. lia.
  - rewrite eP, eN. set (c := inject_Z (Z.of_nat m)). assert (c0 : (0 < c)%Q) by (unfold c, Qlt, inject_Z; simpl; lia).
    assert (cn : ~ (c == 0)%Q) by (intro z; rewrite z in c0; now apply (Qlt_irrefl 0)).
    rewrite (qsum_eq _ _ (fun b => / c * Qabs (qsum P (fun p => response_of d phi p h (read_B d past o) b) - qsum N (fun p => response_of d phi p h (read_B d past o) b)))%Q).
    + rewrite qsum_scale. pose proof (blocks_apart d (fun p b => response_of d phi p h (read_B d past o) b) (L * D) P N ltac:(congruence)) as k.
      rewrite eP in k. specialize (k one). fold c in k. setoid_replace (L * D)%Q with (/ c * (c * (L * D)))%Q by (field; exact cn).
      rewrite (Qmult_comm (/ c)), (Qmult_comm (/ c)). apply Qmult_le_compat_r; [exact k |]. apply Qlt_le_weak. now apply Qinv_lt_0_compat.
    + intro b. set (x := qsum P _). set (y := qsum N _). setoid_replace (x / c - y / c)%Q with (/ c * (x - y))%Q by (field; exact cn).
      rewrite Qabs_Qmult. now rewrite (Qabs_pos (/ c)) by (apply Qlt_le_weak; now apply Qinv_lt_0_compat).
Qed.

(** ** From below: two policies, each played for m episodes, whose responses are L times as far apart as their posteriors *)
Record history_at := History { y_i : nat; y_k : nat; y_p : nat; y_n : nat; y_h : nat; y_past : list (nat * nat); y_o : nat }.
Definition history_dec : forall x y : list (nat * nat) * nat, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition check_apart d (y : history_at) (L : Q) : bool :=
  let theta := nth (y_i y) (thetas d) [] in let phi := nth (y_k y) (phis d) [] in let w := world_of d theta in
  let x := posterior d w (y_past y) (y_o y) (policy_of d (y_p y)) in let x' := posterior d w (y_past y) (y_o y) (policy_of d (y_n y)) in
  let gap := apart d (response_of d phi (y_p y)) (response_of d phi (y_n y)) (y_h y) (read_B d (y_past y) (y_o y)) in
  (y_i y <? List.length (thetas d)) && (y_k y <? List.length (phis d)) && (y_p y <? List.length (policies d)) && (y_n y <? List.length (policies d)) &&
  (y_h y <? horizon d) && (if in_dec history_dec (y_past y, y_o y) (histories_B d (y_h y)) then true else false) &&
  existsb (same (read_B d (y_past y) (y_o y))) (tuples (nOB d) (Nat.min (response_window d) (S (y_h y)))) &&
  negb (Qle_bool (fst x) 0) && negb (Qle_bool (fst x') 0) && negb (Qle_bool gap 0) && Qle_bool (L * l1 (snd x) (snd x')) gap.
Lemma qsum_eq_in {A} (l : list A) f g : (forall x, In x l -> (f x == g x)%Q) -> (qsum l f == qsum l g)%Q.
Proof.
  induction l as [| x l ih]; intro h; cbn [qsum]; [reflexivity |]. rewrite !Qred_correct, (h x (or_introl eq_refl)), ih; [reflexivity |].
  intros; apply h; now right.
Qed.
Lemma nth_of_repeat (p m i : nat) : i < m -> nth i (repeat p m) O = p.
Proof. intro h. apply (repeat_spec m p). apply nth_In. now rewrite repeat_length. Qed.
Theorem check_apart_sound d rule m y L : averages rule = true -> 1 <= m -> check_apart d y L = true ->
  forall L', (L' < L)%Q -> ~ posterior_lipschitz d rule m false L'.
Proof.
  unfold check_apart. cbv zeta. rewrite !andb_true_iff. intros hr hm [[[[[[[[[[hi hk] hp] hn] hh] ih] hu] zx] zx'] hg] hl] L' hL [l0 lip].
  apply Nat.ltb_lt in hi, hk, hp, hn, hh. destruct (in_dec history_dec _ _) as [io | _]; [clear ih | discriminate].
  apply existsb_exists in hu. destruct hu as (seen & is & es). unfold same in es. destruct (list_eq_dec Nat.eq_dec _ _) as [e | _] in es; [| discriminate].
  set (theta := nth (y_i y) (thetas d) []) in *. set (phi := nth (y_k y) (phis d) []) in *. set (w := world_of d theta) in *.
  set (p := y_p y) in *. set (n := y_n y) in *. set (h := y_h y) in *. set (past := y_past y) in *. set (o := y_o y) in *.
  apply not_le in zx, zx', hg. apply Qle_bool_iff in hl.
  assert (ip : possible d w (policy_of d p) past o) by (unfold possible; rewrite <- posterior_mass_eq; exact zx).
  assert (jn : possible d w (policy_of d n) past o) by (unfold possible; rewrite <- posterior_mass_eq; exact zx').
  destruct (posterior_distance_eq d w past o _ _ ip jn) as (_ & _ & e3). rewrite e3 in hl. set (D := posterior_distance d w (policy_of d p) (policy_of d n) past o) in *.
  assert (D0 : (0 <= D)%Q).
  { unfold D, posterior_distance. rewrite <- (qsum_zero (seq 0 (nA d))). apply qsum_mono. intros a _. apply Qabs_nonneg. }
  specialize (lip theta (nth_In _ _ hi) phi (nth_In _ _ hk) (repeat p m) (repeat n m)).
  assert (bp : block_of d m (repeat p m)) by (split; [apply repeat_length | intros q j; apply repeat_spec in j; now subst q]).
  assert (bn : block_of d m (repeat n m)) by (split; [apply repeat_length | intros q j; apply repeat_spec in j; now subst q]).
  specialize (lip bp bn h hh past o io). cbv zeta in lip. fold w in lip.
  assert (pos : forall q, In q (repeat p m ++ repeat n m) -> possible d w (policy_of d q) past o).
  { intros q j. apply in_app_or in j. destruct j as [j | j]; apply repeat_spec in j; now subst q. }
  specialize (lip pos D). assert (st : warmup_stationary d rule m) by (destruct rule; [now apply latest_stationary | now apply mean_stationary | discriminate]).
  assert (hD : forall i, i < m -> forall h' past' o', In (past', o') (histories_B d h') -> h' < horizon d -> false = true \/ past' = past /\ o' = o ->
    possible d w (policy_of d (nth i (repeat p m) O)) past' o' -> possible d w (policy_of d (nth i (repeat n m) O)) past' o' ->
    (posterior_distance d w (policy_of d (nth i (repeat p m) O)) (policy_of d (nth i (repeat n m) O)) past' o' <= D)%Q).
  { intros i im h' past' o' _ _ [k | [-> ->]] _ _; [discriminate |]. rewrite !nth_of_repeat by exact im. apply Qle_refl. }
  specialize (lip hD). rewrite (qsum_eq_in _ _ (fun b => Qabs (response_of d phi p h (read_B d past o) b - response_of d phi n h (read_B d past o) b))%Q) in lip.
  - change (apart d (response_of d phi p) (response_of d phi n) h (read_B d past o) <= L' * D)%Q in lip.
    destruct (Qlt_le_dec 0 D) as [z | z].
    + apply (Qlt_irrefl (L * D)). apply Qle_lt_trans with (L' * D)%Q; [now apply Qle_trans with (1 := hl) | now apply Qmult_lt_compat_r].
    + assert (ez : (D == 0)%Q) by now apply Qle_antisym. rewrite ez, Qmult_0_r in lip. apply (Qlt_irrefl 0). now apply Qlt_le_trans with (1 := hg).
  - intros b ib. apply in_seq in ib. rewrite <- e in is. destruct st as [_ st].
    rewrite (st phi (nth_In _ _ hk) p hp h hh _ is b ltac:(lia)), (st phi (nth_In _ _ hk) n hn h hh _ is b ltac:(lia)). reflexivity.
Qed.
(** responses apart where posteriors are equal: no L at all *)
Definition check_unequal d (y : history_at) : bool :=
  check_apart d y 0 &&
  Qeq_bool (l1 (snd (posterior d (world_of d (nth (y_i y) (thetas d) [])) (y_past y) (y_o y) (policy_of d (y_p y))))
               (snd (posterior d (world_of d (nth (y_i y) (thetas d) [])) (y_past y) (y_o y) (policy_of d (y_n y))))) 0.
Theorem check_unequal_sound d rule m y : averages rule = true -> 1 <= m -> check_unequal d y = true -> forall L, ~ posterior_lipschitz d rule m false L.
Proof.
  unfold check_unequal. intros hr hm k L. apply andb_true_iff in k. destruct k as [k e]. apply Qeq_bool_iff in e.
  refine (check_apart_sound d rule m y (L + 1) hr hm _ L _).
  - unfold check_apart in *. cbv zeta in *. rewrite !andb_true_iff in *. destruct k as [k _]. split; [exact k |].
    apply Qle_bool_iff. rewrite e, Qmult_0_r. destruct k as [_ k]. apply not_le in k. now apply Qlt_le_weak.
  - rewrite <- (Qplus_0_r L) at 1. apply Qplus_lt_r. reflexivity.
Qed.
