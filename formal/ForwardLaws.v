(** Laws of play as a program: the masses of the adversary's coordinates are carried from prefix to prefix, each coordinate once, and
    prefixes that no model allows are passed over. *)
From Pomgcheck Require Import OrderedField Statements SparseLaws TrajectoryLaws RealSums.
From Coq Require Import Reals Qreals.
Open Scope nat_scope.

(** ** Vectors by their entries *)
Definition vector := list ((nat * list nat) * Q).
Definition same_place (c c' : nat * list nat) : bool := Nat.eqb (fst c) (fst c') && same (snd c) (snd c').
Fixpoint added (c : nat * list nat) (m : Q) (v : vector) : vector :=
  match v with
  | [] => [(c, m)]
  | (c', m') :: v => if same_place c c' then (c', Qred (m + m')) :: v else (c', m') :: added c m v
  end.
Definition mean (v : vector) (f : nat -> list nat -> Q) : Q := qsum v (fun e => snd e * f (fst (fst e)) (snd (fst e)))%Q.
Definition total (v : vector) : Q := qsum v snd.
Definition put {A} (l : list A) (x : A -> Q) (place : A -> nat * list nat) (v : vector) : vector :=
  fold_right (fun i v => let m := x i in if Qeq_bool m 0 then v else added (place i) m v) v l.
(** one step of the game from every entry, when o is seen and a is done *)
Definition forward d (w : world) (g : decision) h o a (v : vector) : vector :=
  fold_right (fun e v' => let '((s, u), m) := e in
    let x := Qred (m * EA w h s o) in if Qeq_bool x 0 then v' else
    fold_right (fun oB v' =>
      let y := Qred (x * EB w h s oB) in if Qeq_bool y 0 then v' else
      let u' := next_B d u oB in let gs := map (fun b => (b, g h (u ++ [oB]) b)) (seq 0 (nB d)) in
      put (seq 0 (nS d)) (fun s' => Qred (y * qsum gs (fun bg => zt (snd bg) (fun _ => T w h s a (fst bg) s')))) (fun s' => (s', u')) v')
      v' (seq 0 (nOB d))) [] v.

Lemma same_place_ok c c' : same_place c c' = true -> c = c'.
Proof.
  unfold same_place, same. destruct c, c'. cbn [fst snd]. intro h. apply andb_true_iff in h. destruct h as [e k]. apply Nat.eqb_eq in e.
  destruct (list_eq_dec _ _ _) as [e' |] in k; [now subst | discriminate].
Qed.
Lemma mean_added c m v f : (mean (added c m v) f == m * f (fst c) (snd c) + mean v f)%Q.
Proof.
  unfold mean. induction v as [| [c' m'] v ih]; cbn [added qsum fst snd]; [rewrite Qred_correct; ring |].
  destruct (same_place c c') eqn:e; cbn [qsum fst snd]; rewrite !Qred_correct.
  - apply same_place_ok in e. subst c'. ring.
  - rewrite ih. ring.
Qed.
Lemma mean_fold {A} (l : list A) (put : A -> vector -> vector) (c : A -> Q) f :
  (forall x v, In x l -> (mean (put x v) f == c x + mean v f)%Q) -> forall v, (mean (fold_right put v l) f == qsum l c + mean v f)%Q.
Proof.
  intros h v. induction l as [| x l ih]; cbn [fold_right qsum]; [ring |]. rewrite Qred_correct, h, ih by (try intros; try apply h; simpl; auto). ring.
Qed.
Lemma mean_put {A} (l : list A) x place v f : (mean (put l x place v) f == qsum l (fun i => x i * f (fst (place i)) (snd (place i))) + mean v f)%Q.
Proof.
  unfold put. apply mean_fold. intros i v' _. cbv zeta. destruct (Qeq_bool (x i) 0) eqn:z; [apply Qeq_bool_iff in z; rewrite z; ring | apply mean_added].
Qed.
Lemma qsum_swap {A B} (l : list A) (m : list B) f : (qsum l (fun x => qsum m (f x)) == qsum m (fun y => qsum l (fun x => f x y)))%Q.
Proof.
  induction l as [| x l ih]; cbn [qsum]; [now rewrite qsum_zero |]. rewrite Qred_correct, ih, <- qsum_plus.
  apply qsum_eq. intro y. now rewrite Qred_correct.
Qed.
Lemma forward_step d w g h o a v f : (mean (forward d w g h o a v) f == mean v (fun s u => EA w h s o * step d w g h s a u f))%Q.
Proof.
  unfold forward. rewrite (mean_fold v _ (fun e => snd e * (EA w h (fst (fst e)) o * step d w g h (fst (fst e)) a (snd (fst e)) f))%Q).
  - change (mean [] f) with 0%Q. rewrite Qplus_0_r. reflexivity.
  - intros [[s u] m] v' _. cbn [fst snd]. cbv zeta. set (x := Qred (m * EA w h s o)). assert (ex : (x == m * EA w h s o)%Q) by apply Qred_correct.
    destruct (Qeq_bool x 0) eqn:z.
    + apply Qeq_bool_iff in z. rewrite Qmult_assoc, <- ex, z. ring.
    + rewrite (mean_fold _ _ (fun oB => x * (EB w h s oB * qsum (seq 0 (nB d)) (fun b => g h (u ++ [oB])%list b *
        qsum (seq 0 (nS d)) (fun s' => T w h s a b s' * f s' (next_B d u oB)))))%Q).
      * rewrite qsum_scale, ex. unfold step. ring.
      * intros oB v'' _. cbv zeta. set (y := Qred (x * EB w h s oB)). assert (ey : (y == x * EB w h s oB)%Q) by apply Qred_correct.
        destruct (Qeq_bool y 0) eqn:z'.
        -- apply Qeq_bool_iff in z'. rewrite Qmult_assoc, <- ey, z'. ring.
        -- rewrite mean_put. cbn [fst snd]. apply Qplus_comp; [| reflexivity]. rewrite Qmult_assoc, <- ey.
           rewrite (qsum_eq (seq 0 (nS d)) _ (fun s' => y * qsum (seq 0 (nB d)) (fun b => g h (u ++ [oB])%list b * (T w h s a b s' * f s' (next_B d u oB))))%Q).
           ++ rewrite qsum_scale, qsum_swap. apply Qmult_comp; [reflexivity |]. apply qsum_eq. intro b. now rewrite <- qsum_scale.
           ++ intro s'. rewrite Qred_correct, qsum_map. cbn [fst snd].
              rewrite (qsum_eq _ _ (fun b => g h (u ++ [oB])%list b * T w h s a b s')%Q) by (intro b; now apply zt_eq).
              rewrite <- Qmult_assoc. apply Qmult_comp; [reflexivity |]. rewrite Qmult_comm, <- qsum_scale. apply qsum_eq. intro b. ring.
Qed.
Lemma total_mean v : (total v == mean v (fun _ _ => 1))%Q.
Proof. apply qsum_eq. intro e. ring. Qed.
Lemma mean_nil v f : v = [] -> (mean v f == 0)%Q.
Proof. intros ->. reflexivity. Qed.
Lemma mean_eq v f f' : (forall s u, (f s u == f' s u)%Q) -> (mean v f == mean v f')%Q.
Proof. intro e. apply qsum_eq. intros [[s u] m]. cbn [fst snd]. now rewrite e. Qed.
Lemma mean_scale v f c : (mean v (fun s u => c * f s u) == c * mean v f)%Q.
Proof. unfold mean. rewrite <- qsum_scale. apply qsum_eq. intro e. ring. Qed.

(** ** The trajectories that a policy plays and some model allows, each with its laws under a list of models *)
Section Rows.
Variables (d : doc) (p : nat).
Definition player := ((world * decision) * vector)%type.
Definition is_empty (v : vector) : bool := match v with [] => true | _ => false end.
Definition moved h o a (e : player) : player := (fst e, forward d (fst (fst e)) (snd (fst e)) h o a (snd e)).
Fixpoint rows_from (pi : decision) (k h : nat) (uA : list nat) (st : list player) (c : Q) : list (trajectory * list Q) :=
  match k with
  | 0 => [([], map (fun e => Qred (c * total (snd e))) st)]
  | S k => flat_map (fun x =>
      let z := pi h (uA ++ [fst x]) (snd x) in
      if Qeq_bool z 0 then [] else
      let after := map (moved h (fst x) (snd x)) st in
      if forallb (fun e => is_empty (snd e)) after then [] else
      map (fun r => (x :: fst r, snd r)) (rows_from pi k (S h) (next_A d uA (fst x)) after (Qred (c * z)))) (pairs d)
  end.
Definition start_vector : vector := filter (fun e => negb (Qeq_bool (snd e) 0)) (map (fun s => ((s, []), start d s)) (seq 0 (nS d))).
Definition rows (xs : list (point * point)) (k : nat) : list (trajectory * list Q) :=
  rows_from (policy_of d p) k 0 [] (map (fun xi => ((world_of d (fst xi), response_of d (snd xi) p), start_vector)) xs) 1.

Definition law_from (pi : decision) h uA c (tau : trajectory) (e : player) : Q :=
  (c * mean (snd e) (fun s u => play d (fst (fst e)) (snd (fst e)) pi h s uA u tau))%Q.
Lemma law_step pi h uA c o a tau e :
  (law_from pi h uA c ((o, a) :: tau) e == law_from pi (S h) (next_A d uA o) (c * pi h (uA ++ [o])%list a) tau (moved h o a e))%Q.
Proof.
  unfold law_from, moved. cbn [fst snd]. rewrite forward_step, <- !mean_scale. apply mean_eq. intros s u. cbn [play]. ring.
Qed.
Lemma law_c pi h uA c c' tau e : (c == c')%Q -> (law_from pi h uA c tau e == law_from pi h uA c' tau e)%Q.
Proof. intro k. unfold law_from. now rewrite k. Qed.
Definition no_law pi h uA c tau st := forall e, In e st -> (law_from pi h uA c tau e == 0)%Q.
Lemma no_law_chance pi h uA c o a tau st : (pi h (uA ++ [o])%list a == 0)%Q -> no_law pi h uA c ((o, a) :: tau) st.
Proof. intros z e _. rewrite law_step, (law_c _ _ _ _ 0%Q); [unfold law_from; ring | rewrite z; ring]. Qed.
Lemma no_law_empty pi h uA c o a tau st : forallb (fun e => is_empty (snd e)) (map (moved h o a) st) = true -> no_law pi h uA c ((o, a) :: tau) st.
Proof.
  intros k e i. rewrite forallb_forall in k. specialize (k _ (in_map (moved h o a) _ _ i)). rewrite law_step. unfold law_from.
  destruct (snd (moved h o a e)) eqn:v; [| discriminate]. rewrite mean_nil by reflexivity. ring.
Qed.
Lemma rows_laws pi k : forall h uA st c tau qs, In (tau, qs) (rows_from pi k h uA st c) -> Forall2 Qeq qs (map (law_from pi h uA c tau) st).
Proof.
  induction k as [| k ih]; intros h uA st c tau qs i.
  - destruct i as [e | []]. apply pair_equal_spec in e. destruct e as [<- <-]. induction st as [| x st ih]; cbn [map]; [constructor | apply Forall2_cons; [| exact ih]].
    unfold law_from. rewrite Qred_correct, total_mean. apply Qmult_comp; [reflexivity |]. apply mean_eq. reflexivity.
  - cbn [rows_from] in i. apply in_flat_map in i. destruct i as ([o a] & _ & i). cbn [fst snd] in i. cbv zeta in i.
    destruct (Qeq_bool _ 0); [destruct i |]. destruct (forallb _ _); [destruct i |]. apply in_map_iff in i. destruct i as ([tau' qs'] & e & i).
    cbn [fst snd] in e. apply pair_equal_spec in e. destruct e as [<- <-]. specialize (ih _ _ _ _ _ _ i). rewrite map_map in ih.
    revert ih. generalize qs'. clear. induction st as [| x st ih]; intros qs k; inversion k; subst; constructor; [| now apply ih].
    rewrite law_step. rewrite (law_c _ _ _ (c * pi h (uA ++ [o])%list a) (Qred (c * pi h (uA ++ [o])%list a))) by now rewrite Qred_correct. assumption.
Qed.
Lemma no_law_step pi h uA c o a tau st : no_law pi (S h) (next_A d uA o) (Qred (c * pi h (uA ++ [o])%list a)) tau (map (moved h o a) st) ->
  no_law pi h uA c ((o, a) :: tau) st.
Proof.
  intros k e i. rewrite law_step, (law_c _ _ _ _ (Qred (c * pi h (uA ++ [o])%list a))) by now rewrite Qred_correct. apply k, in_map, i.
Qed.
Lemma rows_all pi k : forall h uA st c tau, In tau (trajectories_of d k) -> (exists qs, In (tau, qs) (rows_from pi k h uA st c)) \/ no_law pi h uA c tau st.
Proof.
  induction k as [| k ih]; intros h uA st c tau i.
  - destruct i as [<- | []]. left. eexists. left. reflexivity.
  - cbn [trajectories_of] in i. apply in_flat_map in i. destruct i as ([o a] & io & i). apply in_map_iff in i. destruct i as (rest & <- & i).
    destruct (Qeq_bool (pi h (uA ++ [o])%list a) 0) eqn:z; [right; now apply no_law_chance, Qeq_bool_iff |].
    destruct (forallb (fun e => is_empty (snd e)) (map (moved h o a) st)) eqn:n; [right; now apply no_law_empty |].
    destruct (ih (S h) (next_A d uA o) (map (moved h o a) st) (Qred (c * pi h (uA ++ [o])%list a)) rest i) as [(qs & j) | j]; [left | right; now apply no_law_step].
    exists qs. cbn [rows_from]. apply in_flat_map. exists (o, a). split; [exact io |]. cbn [fst snd]. cbv zeta. rewrite z, n.
    exact (in_map (fun r => ((o, a) :: fst r, snd r)) _ _ j).
Qed.
Open Scope R_scope.
Lemma sum_flat_map {A B} (h : A -> list B) (l : list A) (f : B -> R) : sum (flat_map h l) f = sum l (fun x => sum (h x) f).
Proof. induction l as [| x l ih]; [reflexivity |]. cbn [flat_map sum]. now rewrite sum_app, ih. Qed.
Lemma sum_maps {A B} (g : A -> B) (l : list A) (f : B -> R) : sum (map g l) f = sum l (fun x => f (g x)).
Proof. induction l as [| x l ih]; [reflexivity |]. cbn [map sum]. now rewrite ih. Qed.
(** a sum over all trajectories of what is zero where nothing is possible *)
Lemma sum_rows pi k : forall h uA st c (f : trajectory -> R), (forall tau, no_law pi h uA c tau st -> f tau = 0) ->
  sum (trajectories_of d k) f = sum (rows_from pi k h uA st c) (fun r => f (fst r)).
Proof.
  induction k as [| k ih]; intros h uA st c f z; [reflexivity |]. cbn [trajectories_of rows_from]. rewrite !sum_flat_map. apply sum_ext.
  intros [o a] _. cbn [fst snd]. cbv zeta. rewrite sum_maps. destruct (Qeq_bool _ 0) eqn:e.
  - cbn [sum]. apply sum_zero. intros tau _. apply z. now apply no_law_chance, Qeq_bool_iff.
  - destruct (forallb _ _) eqn:n; [cbn [sum]; apply sum_zero; intros tau _; apply z; now apply no_law_empty |].
    rewrite sum_maps. cbn [fst]. apply (ih _ _ _ _ (fun tau => f ((o, a) :: tau))). intros tau t. apply z. now apply no_law_step.
Qed.
Close Scope R_scope.

(** ** From the start *)
Lemma start_mean f : (mean start_vector f == qsum (seq 0 (nS d)) (fun s => start d s * f s []))%Q.
Proof.
  unfold start_vector, mean. induction (seq 0 (nS d)) as [| s l ih]; [reflexivity |]. cbn [map filter snd]. destruct (Qeq_bool (start d s) 0) eqn:z; cbn [negb qsum fst snd].
  - apply Qeq_bool_iff in z. rewrite Qred_correct, ih, z. ring.
  - now rewrite !Qred_correct, ih.
Qed.
Lemma law_from_start xi tau : (law_from (policy_of d p) 0 [] 1 tau ((world_of d (fst xi), response_of d (snd xi) p), start_vector) == law_of_play d xi p tau)%Q.
Proof. unfold law_from, law_of_play, law_against. cbn [fst snd]. rewrite start_mean. ring. Qed.
Theorem laws_of_rows xs k tau qs : In (tau, qs) (rows xs k) -> Forall2 Qeq qs (map (fun xi => law_of_play d xi p tau) xs).
Proof.
  intro i. apply rows_laws in i. rewrite map_map in i. revert qs i. induction xs as [| x xs ih]; intros qs i; inversion i; subst; constructor; [| now apply ih].
  now rewrite <- law_from_start.
Qed.
Theorem rows_complete xs k tau : In tau (trajectories_of d k) -> (exists qs, In (tau, qs) (rows xs k)) \/ forall xi, In xi xs -> (law_of_play d xi p tau == 0)%Q.
Proof.
  intro i. destruct (rows_all (policy_of d p) k 0 [] (map (fun xi => ((world_of d (fst xi), response_of d (snd xi) p), start_vector)) xs) 1 tau i) as [j | j]; [now left | right].
  intros xi ix. rewrite <- law_from_start. exact (j _ (in_map (fun xi => ((world_of d (fst xi), response_of d (snd xi) p), start_vector)) _ _ ix)).
Qed.
Theorem sum_of_rows xs k (f : trajectory -> R) : (forall tau, (forall xi, In xi xs -> (law_of_play d xi p tau == 0)%Q) -> f tau = 0%R) ->
  sum (trajectories_of d k) f = sum (rows xs k) (fun r => f (fst r)).
Proof.
  intro z. apply sum_rows. intros tau n. apply z. intros xi ix. rewrite <- law_from_start.
  exact (n _ (in_map (fun xi => ((world_of d (fst xi), response_of d (snd xi) p), start_vector)) _ _ ix)).
Qed.
Theorem rows_in xs k tau qs : In (tau, qs) (rows xs k) -> In tau (trajectories_of d k).
Proof.
  unfold rows. generalize (policy_of d p) 0 (@nil nat) (map (fun xi => ((world_of d (fst xi), response_of d (snd xi) p), start_vector)) xs) 1%Q. revert tau.
  induction k as [| k ih]; intros tau pi h uA st c i; [destruct i as [e | []]; apply pair_equal_spec in e; destruct e as [<- _]; now left |].
  cbn [rows_from] in i. apply in_flat_map in i. destruct i as (x & ix & i). cbv zeta in i. destruct (Qeq_bool _ 0); [destruct i |]. destruct (forallb _ _); [destruct i |].
  apply in_map_iff in i. destruct i as ([tau' qs'] & e & i). apply pair_equal_spec in e. destruct e as [<- <-]. cbn [fst snd] in *. apply in_flat_map. exists x. split; [exact ix |].
  apply in_map. exact (ih _ _ _ _ _ _ i).
Qed.
Lemma row_of_model xs tau qs xi : Forall2 Qeq qs (map (fun xi => law_of_play d xi p tau) xs) -> In xi xs -> exists q, In q qs /\ (q == law_of_play d xi p tau)%Q.
Proof.
  revert qs. induction xs as [| x xs ih]; intros qs k i; [destruct i |]. inversion k; subst. destruct i as [-> | i].
  - eexists. split; [now left | assumption].
  - destruct (ih _ H3 i) as (q & j & e). exists q. split; [now right | exact e].
Qed.
End Rows.
