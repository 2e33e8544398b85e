(** What is claimed about a finite class of partially observable Markov games.

    This file holds definitions only, one section a numbered item of the paper, with the paper's formula in the comment.
    Whoever reads it and the last lines of a generated file knows what has been proved; everything else is checked by Coq.

    Conventions.  Steps are counted from 0, so the paper's step h is h-1 here.  Tables are read with default 0.  The numbers of a
    model are rationals; predictive states and whatever is real-valued in a claim live in an ordered field F that contains the
    rationals, and a claim is for every such field, hence for the reals.  Logarithms occur over Coq's reals only.
    Spaces are windows: a memory is the list of the last observations that the policies (or the responses) still read. *)
From Pomgcheck Require Import OrderedField RealSums.
From Coq Require Export String List.
From Coq Require Import Qreals.
Open Scope nat_scope.

(** ** The model document: a game, worlds Theta, responses Psi, policies Pi *)
Inductive expr := Num (q : Q) | Par (x : string) | Neg (e : expr) | Add (e f : expr) | Sub (e f : expr)
                | Mul (e f : expr) | Div (e f : expr) | Pow (e : expr) (n : N).
Definition point := list (string * Q).
Fixpoint look (x : string) (p : point) : Q :=
  match p with [] => 0%Q | (y, q) :: p => if String.eqb x y then q else look x p end.
Fixpoint eval (p : point) (e : expr) : Q :=
  match e with
  | Num q => q | Par x => look x p | Neg e => Qred (- eval p e)
  | Add e f => Qred (eval p e + eval p f) | Sub e f => Qred (eval p e - eval p f)
  | Mul e f => Qred (eval p e * eval p f) | Div e f => Qred (eval p e / eval p f) | Pow e n => Qred (Qpower (eval p e) (Z.of_N n))
  end.

Definition table2 := list (list expr).
Inductive steps (A : Type) := Always (t : A) | Each (l : list A).   (* the same at every step, or one a step *)
Arguments Always {A}. Arguments Each {A}.

Record doc := {
  horizon : nat;
  states : list string; learner_actions : list string; adversary_actions : list string;
  learner_observations : list string; adversary_observations : list string;
  initial : list expr;                                        (* rho_0 [s] *)
  learner_emission : steps table2;                            (* E^A [s][o] *)
  adversary_emission : steps table2;                          (* E^B [s][o] *)
  transition : steps (list (list table2));                    (* T [s][a][b][s'] *)
  thetas : list point;                                        (* Theta *)
  policy_window : nat; policies : list (string * steps table2);   (* pi [window][a] *)
  response_window : nat; responses : list (string * steps table2); (* g [window][b], one a policy *)
  phis : list point                                           (* Psi *)
}.
Definition nS d := List.length (states d).
Definition nA d := List.length (learner_actions d).
Definition nB d := List.length (adversary_actions d).
Definition nOA d := List.length (learner_observations d).
Definition nOB d := List.length (adversary_observations d).

(** ** The game at a parameter point *)
Record world := World {
  EA : nat -> nat -> nat -> Q;                   (* E^A_h(o|s)      : h s o *)
  EB : nat -> nat -> nat -> Q;                   (* E^B_h(o|s)      : h s o *)
  T : nat -> nat -> nat -> nat -> nat -> Q       (* T_h(s'|s,a,b)   : h s a b s' *)
}.
Definition decision := nat -> list nat -> nat -> Q.  (* g_h(b | last observations), pi_h(a | last observations) *)

Definition at_step {A} (d : A) (t : steps A) (h : nat) : A := match t with Always t => t | Each l => nth h l d end.
Definition map_steps {A B} (f : A -> B) (t : steps A) : steps B :=
  match t with Always t => Always (f t) | Each l => Each (map f l) end.
Definition world_of (d : doc) (theta : point) : world :=
  let ea := map_steps (map (map (eval theta))) (learner_emission d) in
  let eb := map_steps (map (map (eval theta))) (adversary_emission d) in
  let t := map_steps (map (map (map (map (eval theta))))) (transition d) in
  World (fun h s o => nth o (nth s (at_step [] ea h) []) 0%Q)
        (fun h s o => nth o (nth s (at_step [] eb h) []) 0%Q)
        (fun h s a b s' => nth s' (nth b (nth a (nth s (at_step [] t h) []) []) []) 0%Q).

(** rows of a window table, in lexicographic order of the observations *)
Definition index (n : nat) (seen : list nat) : nat := fold_left (fun i o => i * n + o) seen 0.
Definition decision_of (n : nat) (p : point) (t : steps table2) : decision :=
  let t := map_steps (map (map (eval p))) t in
  fun h seen x => nth x (nth (index n seen) (at_step [] t h) []) 0%Q.
Definition empty_table : string * steps table2 := (EmptyString, Always []).
Definition policy_of (d : doc) (p : nat) : decision := decision_of (nOA d) [] (snd (nth p (policies d) empty_table)).
Definition response_of (d : doc) (phi : point) (p : nat) : decision :=
  decision_of (nOB d) phi (snd (nth p (responses d) empty_table)).

(** ** Memories and predictive states (window space) *)
Fixpoint tuples (n k : nat) : list (list nat) :=
  match k with 0 => [[]] | S k => flat_map (fun o => map (cons o) (tuples n k)) (seq 0 n) end.
Definition last (k : nat) (l : list nat) : list nat := skipn (List.length l - k) l.
Definition memories_A d h := tuples (nOA d) (Nat.min (policy_window d - 1) h).
Definition memories_B d h := tuples (nOB d) (Nat.min (response_window d - 1) h).
Definition next_A d (uA : list nat) (o : nat) : list nat := last (policy_window d - 1) (uA ++ [o]).
Definition next_B d (uB : list nat) (o : nat) : list nat := last (response_window d - 1) (uB ++ [o]).
(** coordinates (s, uB) of a predictive state at step h, the learner's memory uA being known *)
Definition coordinates d h : list (nat * list nat) := list_prod (seq 0 (nS d)) (memories_B d h).

(** ** Playing *)
(** expectation of k(s', uB') after step h from (s, uB) under the learner's action a: the adversary sees o^B ~ E^B,
    answers b ~ g, the state moves by T *)
Definition step d (w : world) (g : decision) h s a uB (k : nat -> list nat -> Q) : Q :=
  qsum (seq 0 (nOB d)) (fun oB => EB w h s oB *
    qsum (seq 0 (nB d)) (fun b => g h (uB ++ [oB]) b *
      qsum (seq 0 (nS d)) (fun s' => T w h s a b s' * k s' (next_B d uB oB))))%Q.
(** probability that the learner, playing pi from step h in state s, sees the observations win *)
Fixpoint window_law d w g (pi : decision) (win : list nat) h s uA uB : Q :=
  match win with
  | [] => 1
  | [o] => EA w h s o
  | o :: rest => EA w h s o * qsum (seq 0 (nA d)) (fun a => pi h (uA ++ [o]) a *
      step d w g h s a uB (fun s' uB' => window_law d w g pi rest (S h) s' (next_A d uA o) uB'))
  end%Q.
(** from the pure state (s, uB): the chance of o^A = o at step h and then, a being taken, of the window win *)
Definition joint_law d w g pi h uA o a win (j : nat * list nat) : Q :=
  (EA w h (fst j) o * step d w g h (fst j) a (snd j)
     (fun s' uB' => window_law d w g pi win (S h) s' (next_A d uA o) uB'))%Q.

(** the world channel, eq. (eqWdef): entry ((s', uB, oB, b), (s, u)) of W_h(o, a) *)
Definition channel d h := list_prod (seq 0 (nS d)) (list_prod (memories_B d h) (list_prod (seq 0 (nOB d)) (seq 0 (nB d)))).
Definition same (u v : list nat) : bool := if list_eq_dec Nat.eq_dec u v then true else false.
Definition W (w : world) h o a (v : nat * (list nat * (nat * nat))) (j : nat * list nat) : Q :=
  let '(s', (uB, (oB, b))) := v in let '(s, u) := j in
  if same u uB then (EA w h s o * EB w h s oB * T w h s a b s')%Q else 0%Q.

(** * Section 2.1: the document is a class of games, every row is a distribution *)
Definition is_row (n : nat) (f : nat -> Q) : Prop := (forall k, k < n -> (0 <= f k)%Q) /\ (qsum (seq 0 n) f == 1)%Q.
Definition class_of_games d : Prop :=
  is_row (nS d) (fun s => eval [] (nth s (initial d) (Num 0))) /\
  (forall theta, In theta (thetas d) -> forall h, h < horizon d -> forall s, s < nS d ->
     is_row (nOA d) (EA (world_of d theta) h s) /\ is_row (nOB d) (EB (world_of d theta) h s) /\
     forall a, a < nA d -> forall b, b < nB d -> is_row (nS d) (T (world_of d theta) h s a b)) /\
  (forall p, p < List.length (policies d) -> forall h, h < horizon d ->
     (forall seen, In seen (tuples (nOA d) (Nat.min (policy_window d) (S h))) -> is_row (nA d) (policy_of d p h seen)) /\
     (forall phi, In phi (phis d) -> forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) ->
        is_row (nB d) (response_of d phi p h seen))).

(** * Theorem 2.5: J = G o W, over any ordered field F

    A matrix is given by its entries: row index first.  J_h(o, a) plays one step of the protocol, coordinate by coordinate. *)
Definition J_entry d (w : world) (g : decision) h o a (c' c : nat * list nat) : Q :=
  let '(s', u') := c' in let '(s, u) := c in
  qsum (seq 0 (nOB d)) (fun oB => qsum (seq 0 (nB d)) (fun b =>
    if same (next_B d u oB) u' then EA w h s o * EB w h s oB * g h (u ++ [oB]) b * T w h s a b s' else 0))%Q.
(** eq. (eqGdef): the coordinate (s', uB, oB, b) of V is scaled by g_h(b | uB, oB) and read by (s', next memory) *)
Definition G_entry d (g : decision) h (c' : nat * list nat) (v : nat * (list nat * (nat * nat))) : Q :=
  let '(s', (uB, (oB, b))) := v in
  if Nat.eqb s' (fst c') && same (next_B d uB oB) (snd c') then g h (uB ++ [oB]) b else 0%Q.
(** rho_0 on empty memories, and the controlled law P(o_1 ... o_k | a_1 ... a_k) by summing over the latent paths *)
Definition start d s : Q := eval [] (nth s (initial d) (Num 0)).
Definition trajectory := list (nat * nat).                       (* (observation, action) pairs, the first one first *)
Fixpoint controlled d (w : world) (g : decision) h s uB (seen : trajectory) : Q :=
  match seen with
  | [] => 1
  | (o, a) :: seen => EA w h s o * step d w g h s a uB (fun s' uB' => controlled d w g (S h) s' uB' seen)
  end%Q.
Definition controlled_law d w g (seen : trajectory) : Q := qsum (seq 0 (nS d)) (fun s => start d s * controlled d w g 0 s [] seen)%Q.
(** the unnormalised predictive state J_h ... J_1 q_0; [seen] is written last pair first *)
Definition q_0 d (c : nat * list nat) : Q := match snd c with [] => start d (fst c) | _ => 0%Q end.
Fixpoint unnormalised d w g (seen : trajectory) (c : nat * list nat) : Q :=
  match seen with
  | [] => q_0 d c
  | (o, a) :: past => let h := List.length past in
      qsum (coordinates d h) (fun c0 => J_entry d w g h o a c c0 * unnormalised d w g past c0)%Q
  end.
Definition mass d w g (seen : trajectory) : Q := qsum (coordinates d (List.length seen)) (unnormalised d w g seen).
Definition in_range d (seen : trajectory) : Prop := forall o a, In (o, a) seen -> o < nOA d /\ a < nA d.

Section Decomposition.
Variable F : OF.
Local Open Scope of_scope.
(** value at the vector q of what is linear in it *)
Definition at_state d h (q : nat * list nat -> F) (f : nat * list nat -> Q) : F :=
  lsum (coordinates d h) (fun j => q j * inj (f j)).
Definition at_channel d h (u : nat * (list nat * (nat * nat)) -> F) (f : nat * (list nat * (nat * nat)) -> Q) : F :=
  lsum (channel d h) (fun v => u v * inj (f v)).
(** J^(xi,pi)_h(o, a) = G^(Phi,pi)_h(o, a) o W^theta_h(o, a); W names no response, G no world *)
Definition factorization d : Prop :=
  forall theta, In theta (thetas d) -> forall phi, In phi (phis d) -> forall p, (p < List.length (policies d))%nat ->
  forall h, (h < horizon d)%nat -> forall o a, (o < nOA d)%nat -> (a < nA d)%nat -> forall q c', In c' (coordinates d (S h)) ->
  at_state d h q (J_entry d (world_of d theta) (response_of d phi p) h o a c')
  = at_channel d h (fun v => at_state d h q (W (world_of d theta) h o a v)) (G_entry d (response_of d phi p) h c').
(** entrywise nonnegative, and ||G u||_1 <= ||u||_(1,V) for every signed u *)
Definition nonexpansive d : Prop :=
  (forall theta, In theta (thetas d) -> forall h, (h < horizon d)%nat -> forall o a, (o < nOA d)%nat -> (a < nA d)%nat ->
   forall v c, In v (channel d h) -> In c (coordinates d h) -> (0 <= W (world_of d theta) h o a v c)%Q) /\
  forall phi, In phi (phis d) -> forall p, (p < List.length (policies d))%nat -> forall h, (h < horizon d)%nat ->
  (forall c v, In c (coordinates d (S h)) -> In v (channel d h) -> (0 <= G_entry d (response_of d phi p) h c v)%Q) /\
  forall u, lsum (coordinates d (S h)) (fun c => |at_channel d h u (G_entry d (response_of d phi p) h c)|)
            <= lsum (channel d h) (fun v => |u v|).
End Decomposition.
(** P(o_1 ... o_k | a_1 ... a_k) = 1^T J_k(o_k, a_k) ... J_1(o_1, a_1) q_0 *)
Definition oom_identity d : Prop :=
  forall theta, In theta (thetas d) -> forall phi, In phi (phis d) -> forall p, p < List.length (policies d) ->
  forall seen, in_range d seen -> List.length seen <= horizon d ->
  (mass d (world_of d theta) (response_of d phi p) (rev seen) == controlled_law d (world_of d theta) (response_of d phi p) seen)%Q.

(** * Section 2.2: the reaction rule, the law of an episode, its value

    R : Pi^m -> responses; [blocks] lists the last m policies, the oldest first. *)
Inductive block_rule :=
  | Latest                                                       (* g^t = g(pi^t) *)
  | Mean                                                         (* g^t = (1/m) sum_i g(pi^(t-i)) *)
  | Table (l : list (list nat * steps table2)).                  (* one table a block *)
Definition reaction d (rule : block_rule) (phi : point) (block : list nat) : decision :=
  match rule with
  | Latest => response_of d phi (List.last block O)
  | Mean => fun h seen b => (qsum block (fun p => response_of d phi p h seen b) / inject_Z (Z.of_nat (List.length block)))%Q
  | Table l => match find (fun e => same (fst e) block) l with
               | Some e => decision_of (nOB d) phi (snd e) | None => fun _ _ _ => 0%Q end
  end.
Definition pairs d : list (nat * nat) := list_prod (seq 0 (nOA d)) (seq 0 (nA d)).
Fixpoint trajectories_of d (k : nat) : list trajectory :=
  match k with 0 => [[]] | S k => flat_map (fun x => map (cons x) (trajectories_of d k)) (pairs d) end.
Definition trajectories d := trajectories_of d (horizon d).
(** the learner's observations and actions from step h on, played from (s, uA, uB) *)
Fixpoint play d (w : world) (g pi : decision) (h s : nat) (uA uB : list nat) (tau : trajectory) : Q :=
  match tau with
  | [] => 1
  | (o, a) :: tau => EA w h s o * (pi h (uA ++ [o]) a *
      step d w g h s a uB (fun s' uB' => play d w g pi (S h) s' (next_A d uA o) uB' tau))
  end%Q.
(** P^pi(tau) in the world w against the response g; of a whole episode, or of a prefix *)
Definition law_against d w g pi (tau : trajectory) : Q := qsum (seq 0 (nS d)) (fun s => start d s * play d w g pi 0 s [] [] tau)%Q.
Definition models d := list_prod (thetas d) (phis d).            (* Xi = Theta x Psi *)
(** P^pi_xi, the adversary playing its stationary response *)
Definition law_of_play d (xi : point * point) (p : nat) : trajectory -> Q :=
  law_against d (world_of d (fst xi)) (response_of d (snd xi) p) (policy_of d p).
(** the return sum_h r_h(o_h) of an episode *)
Fixpoint total_reward (r : nat -> nat -> Q) (h : nat) (tau : trajectory) : Q :=
  match tau with [] => 0 | (o, _) :: tau => r h o + total_reward r (S h) tau end%Q.
Definition V d (r : nat -> nat -> Q) xi p : Q := qsum (trajectories d) (fun tau => law_of_play d xi p tau * total_reward r 0 tau)%Q.

(** * Definition 2.2 and Assumption 2.3: posterior-Lipschitz adversary

    S^(ref,theta)_(tau_B,h)(pi)(a) = E[pi_h(a | learner's history) | tau_B], tau_B = (oB_1, b_1, ..., oB_h) a decision history of the
    adversary; [past] holds its pairs, the first one first, and [o] its current observation.  The reference policy mu^ref has
    full support and depends on tau_B alone, so its factor is the same in both sums below and is left out of them. *)
Fixpoint posterior_sum d (w : world) (pi : decision) (past : list (nat * nat)) (o h s : nat) (uA : list nat) (f : nat -> list nat -> Q) : Q :=
  qsum (seq 0 (nOA d)) (fun oA => EA w h s oA *
    match past with
    | [] => EB w h s o * f h (uA ++ [oA])
    | (oB, b) :: past => EB w h s oB * qsum (seq 0 (nA d)) (fun a => pi h (uA ++ [oA]) a * qsum (seq 0 (nS d)) (fun s' =>
        T w h s a b s' * posterior_sum d w pi past o (S h) s' (next_A d uA oA) f))
    end)%Q.
Definition posterior_mass d w pi past o f : Q := qsum (seq 0 (nS d)) (fun s => start d s * posterior_sum d w pi past o 0 s [] f)%Q.
Definition possible d w pi past o : Prop := (0 < posterior_mass d w pi past o (fun _ _ => 1))%Q.
Definition S_ref d w pi past o a : Q := (posterior_mass d w pi past o (fun h seen => pi h seen a) / posterior_mass d w pi past o (fun _ _ => 1))%Q.
Definition posterior_distance d w pi nu past o : Q := qsum (seq 0 (nA d)) (fun a => Qabs (S_ref d w pi past o a - S_ref d w nu past o a))%Q.
Fixpoint pairs_B d (k : nat) : list (list (nat * nat)) :=
  match k with 0 => [[]] | S k => flat_map (fun x => map (cons x) (pairs_B d k)) (list_prod (seq 0 (nOB d)) (seq 0 (nB d))) end.
Definition histories_B d h := list_prod (pairs_B d h) (seq 0 (nOB d)).
(** what the response reads of tau_B *)
Definition read_B d (past : list (nat * nat)) o : list nat := last (response_window d) (map fst past ++ [o]).
Definition block_of d m (block : list nat) : Prop := List.length block = m /\ forall p, In p block -> p < List.length (policies d).
(** ||g_h(.|tau_B, pi^(1:m)) - g_h(.|tau_B, nu^(1:m))||_1 <= L max_i ||S(pi^i) - S(nu^i)||_1, where tau_B is possible under all of
    them.  The step form takes S at tau_B itself, the policy form the largest difference over all possible tau_B and h. *)
Definition posterior_lipschitz d (rule : block_rule) (m : nat) (policy_form : bool) (L : Q) : Prop :=
  (0 <= L)%Q /\ forall theta, In theta (thetas d) -> forall phi, In phi (phis d) ->
  forall P N, block_of d m P -> block_of d m N -> forall h, h < horizon d -> forall past o, In (past, o) (histories_B d h) ->
  let w := world_of d theta in
  (forall p, In p (P ++ N) -> possible d w (policy_of d p) past o) ->
  forall D : Q,                                                   (* every upper bound D of the right-hand side's maximum *)
  (forall i, i < m -> forall h' past' o', In (past', o') (histories_B d h') -> h' < horizon d ->
     policy_form = true \/ (past' = past /\ o' = o) ->
     possible d w (policy_of d (nth i P O)) past' o' -> possible d w (policy_of d (nth i N O)) past' o' ->
     (posterior_distance d w (policy_of d (nth i P O)) (policy_of d (nth i N O)) past' o' <= D)%Q) ->
  (qsum (seq 0 (nB d)) (fun b => Qabs (reaction d rule phi P h (read_B d past o) b - reaction d rule phi N h (read_B d past o) b)) <= L * D)%Q.

(** * Assumption 2.4: multi-step weak revealing, over any ordered field F

    || O_theta(. | q, o, a) - O_theta'(. | q, o, a) ||_1 >= alpha || W^theta_h(o, a) q - W^theta'_h(o, a) q ||_(1,V) for every
    predictive state q.  The literal form conditions on o and is asked where o is possible in both worlds; the joint form
    takes the unnormalised laws of o and the window. *)
Section Revealing.
Variable F : OF.
Local Open Scope of_scope.
Definition predictive_state d h (q : nat * list nat -> F) : Prop :=
  (forall j, In j (coordinates d h) -> 0 <= q j) /\ lsum (coordinates d h) q = 1.

Definition revealing_at d (joint : bool) (kappa : nat) (alpha : Q) (w w' : world) (g pi : decision) h uA o a q : Prop :=
  let difference := lsum (channel d h) (fun v => |at_state F d h q (W w h o a v) - at_state F d h q (W w' h o a v)|) in
  let M w win := at_state F d h q (joint_law d w g pi h uA o a win) in
  let Z w := at_state F d h q (fun j => EA w h (fst j) o) in
  let windows := tuples (nOA d) kappa in
  if joint then inj alpha * difference <= lsum windows (fun win => |M w win - M w' win|)
  else 0 <= Z w -> Z w <> 0 -> 0 <= Z w' -> Z w' <> 0 ->    (* o^A possible in both worlds *)
       inj alpha * difference <= lsum windows (fun win => |M w win / Z w - M w' win / Z w'|).

Definition weak_revealing d (joint : bool) (kappa : nat) (alpha : Q) : Prop :=
  (0 < alpha)%Q /\
  forall theta theta', In theta (thetas d) -> In theta' (thetas d) ->
  forall phi, In phi (phis d) -> forall p, (p < List.length (policies d))%nat ->
  forall h, (h + kappa < horizon d)%nat -> forall uA, In uA (memories_A d h) ->
  forall o, (o < nOA d)%nat -> forall a, (a < nA d)%nat ->
  forall q, predictive_state d h q ->
  revealing_at d joint kappa alpha (world_of d theta) (world_of d theta') (response_of d phi p) (policy_of d p) h uA o a q.
End Revealing.

(** * Assumption 3.1: statistical regularity *)
(** (a) the truth lies in the class *)
Definition well_specified d (truth : point * point) : Prop := In truth (models d).
(** (b) N models cover the class at every scale: each model has the operators of one of them *)
Definition same_model d (xi eta : point * point) : Prop :=
  (forall h s, h < horizon d -> s < nS d ->
     (forall o, o < nOA d -> (EA (world_of d (fst xi)) h s o == EA (world_of d (fst eta)) h s o)%Q) /\
     (forall o, o < nOB d -> (EB (world_of d (fst xi)) h s o == EB (world_of d (fst eta)) h s o)%Q) /\
     (forall a b s', a < nA d -> b < nB d -> s' < nS d -> (T (world_of d (fst xi)) h s a b s' == T (world_of d (fst eta)) h s a b s')%Q)) /\
  (forall p h seen b, p < List.length (policies d) -> h < horizon d -> In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> b < nB d ->
     (response_of d (snd xi) p h seen b == response_of d (snd eta) p h seen b)%Q).
Definition covering d (N : nat) : Prop :=
  exists net, List.length net = N /\ incl net (models d) /\ forall xi, In xi (models d) -> exists eta, In eta net /\ same_model d xi eta.
(** (c) |log (P_xi(tau) / P_eta(tau))| <= B_0 = log B, with positivity: what one model allows, all allow *)
Definition bounded_increments d (B : Q) : Prop :=
  (1 <= B)%Q /\ forall xi eta, In xi (models d) -> In eta (models d) -> forall p, p < List.length (policies d) ->
  forall tau, In tau (trajectories d) -> (law_of_play d xi p tau <= B * law_of_play d eta p tau)%Q.
(** (d) a prefix that one model allows is possible in every other, so that every predictive state is defined *)
Definition predictive_states d : Prop :=
  forall xi eta, In xi (models d) -> In eta (models d) -> forall p, p < List.length (policies d) ->
  forall k, k <= horizon d -> forall seen, In seen (trajectories_of d k) ->
  (0 < law_of_play d xi p seen)%Q -> (0 < law_of_play d eta p seen)%Q.

(** (e) KL(P_star || P_xi) >= c sum_h E || (J^xi_h - J^star_h) q^star_(h-1) ||_1^2, operators at the realised (o_h, a_h); and with W *)
Definition KL d star xi p : R := sum (trajectories d) (fun tau =>
  Q2R (law_of_play d star p tau) * ln (Q2R (law_of_play d star p tau) / Q2R (law_of_play d xi p tau)))%R.
(** with q = q^star_(h-1) the predictive state of the reference model after the prefix [seen] (first pair first), at the pair (o, a):
    ||(J^xi_h - J^star_h) q||_1, ||(W^xi_h - W^star_h) q||_(1,V) and ||(G^xi_h - G^star_h) W^star_h q||_1 *)
Section Errors.
Variables (d : doc) (star xi : point * point) (p : nat) (seen : trajectory) (o a : nat).
Let h := List.length seen.
Let w := world_of d (fst star). Let g := response_of d (snd star) p.
Let w' := world_of d (fst xi). Let g' := response_of d (snd xi) p.
Definition q_star (c : nat * list nat) : Q := (unnormalised d w g (rev seen) c / mass d w g (rev seen))%Q.
Definition at_q_star (f : nat * list nat -> Q) : Q := qsum (coordinates d h) (fun c => f c * q_star c)%Q.
Definition J_error : Q := qsum (coordinates d (S h)) (fun c' => Qabs (at_q_star (J_entry d w' g' h o a c') - at_q_star (J_entry d w g h o a c')))%Q.
Definition W_error : Q := qsum (channel d h) (fun v => Qabs (at_q_star (W w' h o a v) - at_q_star (W w h o a v)))%Q.
Definition G_error : Q := qsum (coordinates d (S h)) (fun c' => Qabs (qsum (channel d h) (fun v =>
  (G_entry d g' h c' v - G_entry d g h c' v) * at_q_star (W w h o a v))))%Q.
End Errors.
(** Assumption 2.4 asked of the predictive states of the class alone (scope `reachable`): of every model after every prefix that it can show
    under some policy, the learner's memory being what the prefix leaves *)
Definition memory_A d (seen : trajectory) : list nat := fold_left (fun u x => next_A d u (fst x)) seen [].
Definition weak_revealing_reachable (F : OF) d (joint : bool) (kappa : nat) (alpha : Q) : Prop :=
  (0 < alpha)%Q /\
  forall theta theta', In theta (thetas d) -> In theta' (thetas d) -> forall phi, In phi (phis d) -> forall p, p < List.length (policies d) ->
  forall h, h + kappa < horizon d -> forall xi, In xi (models d) -> forall p', p' < List.length (policies d) ->
  forall seen, In seen (trajectories_of d h) -> (0 < law_of_play d xi p' seen)%Q ->
  forall o, o < nOA d -> forall a, a < nA d ->
  revealing_at F d joint kappa alpha (world_of d theta) (world_of d theta') (response_of d phi p) (policy_of d p) h (memory_A d seen) o a
    (fun c => inj (q_star d xi p' seen c)).
(** sum_h E_(tau ~ P_star) f(prefix before h, o_h, a_h) *)
Definition expected_sum d star p (f : trajectory -> nat -> nat -> Q) : Q :=
  qsum (trajectories d) (fun tau => law_of_play d star p tau * qsum (seq 0 (horizon d)) (fun h =>
    f (firstn h tau) (fst (nth h tau (O, O))) (snd (nth h tau (O, O)))))%Q.
Definition kl_conversion d (error : point * point -> point * point -> nat -> trajectory -> nat -> nat -> Q) (c : Q) : Prop :=
  (0 < c)%Q /\ forall star xi, In star (models d) -> In xi (models d) -> forall p, p < List.length (policies d) ->
  (Q2R (c * expected_sum d star p (fun seen o a => error star xi p seen o a * error star xi p seen o a)%Q)%Q <= KL d star xi p)%R.
Definition kl_joint d c := kl_conversion d (fun star xi p => J_error d star xi p) c.
Definition kl_world d c := kl_conversion d (fun star xi p => W_error d star xi p) c.
(** (f) after m - 1 warm-up episodes the response is the stationary one: R(pi, ..., pi) = R_infinity(pi) *)
Definition warmup_stationary d (rule : block_rule) (m : nat) : Prop :=
  1 <= m /\ forall phi, In phi (phis d) -> forall p, p < List.length (policies d) -> forall h, h < horizon d ->
  forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> forall b, b < nB d ->
  (reaction d rule phi (repeat p m) h seen b == response_of d phi p h seen b)%Q.

(** (f) where memory fades, Theorem 5.2: the past is read as weights z of the policies, g(z) = sum_pi z_pi g(pi), and g is L_g-Lipschitz in z *)
Definition fading_response d phi (z : nat -> Q) (h : nat) seen b : Q :=
  qsum (seq 0 (List.length (policies d))) (fun p => z p * response_of d phi p h seen b)%Q.
Definition fading_lipschitz d (L : Q) : Prop :=
  forall phi, In phi (phis d) -> forall z z', is_row (List.length (policies d)) z -> is_row (List.length (policies d)) z' ->
  forall h, h < horizon d -> forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) ->
  (qsum (seq 0 (nB d)) (fun b => Qabs (fading_response d phi z h seen b - fading_response d phi z' h seen b))
   <= L * qsum (seq 0 (List.length (policies d))) (fun p => Qabs (z p - z' p)))%Q.

(** * Section 2.6: the error classes and the uniform Eluder dimension *)
Definition F_joint d star xi p : Q := expected_sum d star p (J_error d star xi p).
Definition F_world d star xi p : Q := expected_sum d star p (W_error d star xi p).
Definition F_adversary d star xi p : Q := expected_sum d star p (G_error d star xi p).
(** the same with the errors of all (o, a) that could follow, weighted by the policy alone: what the telescoping argument sums *)
Definition summed_error d star xi p (counted : trajectory -> bool) (seen : trajectory) : Q :=
  qsum (pairs d) (fun x => if counted (seen ++ [x]) then
    policy_of d p (List.length seen) (memory_A d seen ++ [fst x]) (snd x) * J_error d star xi p seen (fst x) (snd x) else 0)%Q.
Definition summed d star xi p (counted : trajectory -> bool) : Q :=
  qsum (seq 0 (horizon d)) (fun h => qsum (trajectories_of d h) (fun seen => law_of_play d star p seen * summed_error d star xi p counted seen))%Q.
(** x is alpha-independent of S if some f has sum_(z in S) f(z)^2 <= alpha^2 and f(x) > alpha *)
Definition independent (fs : list (nat -> Q)) (alpha : Q) (x : nat) (before : list nat) : Prop :=
  exists f, In f fs /\ (qsum before (fun z => f z * f z) <= alpha * alpha)%Q /\ (alpha < f x)%Q.
Fixpoint independent_sequence fs alpha (x : list nat) : Prop :=      (* the last query first *)
  match x with [] => True | x :: before => independent fs alpha x before /\ independent_sequence fs alpha before end.
(** dim_E(F, alpha) is the greatest length of such a sequence at a single scale alpha' >= alpha *)
Definition eluder_at_least fs (domain : nat) (alpha : Q) (n : nat) : Prop :=
  exists alpha' x, (alpha <= alpha')%Q /\ List.length x = n /\ (forall y, In y x -> y < domain) /\ independent_sequence fs alpha' x.
Definition eluder_dimension fs domain alpha n : Prop :=
  eluder_at_least fs domain alpha n /\ forall k, eluder_at_least fs domain alpha k -> k <= n.
(** the dimensions of F^W = {F^W_theta} and F^G = {F^G_Phi}, whichever model is the reference: the greatest of theirs is at least n, at most n *)
Definition world_class d star := map (fun xi => F_world d star xi) (models d).
Definition adversary_class d star := map (fun xi => F_adversary d star xi) (models d).
Definition eluder_at_least_in d (fs : point * point -> list (nat -> Q)) alpha n : Prop :=
  exists star, In star (models d) /\ eluder_at_least (fs star) (List.length (policies d)) alpha n.
Definition eluder_at_most_in d (fs : point * point -> list (nat -> Q)) alpha n : Prop :=
  forall star, In star (models d) -> forall k, eluder_at_least (fs star) (List.length (policies d)) alpha k -> k <= n.
Definition eluder_world_at_least d := eluder_at_least_in d (world_class d).
Definition eluder_world_at_most d := eluder_at_most_in d (world_class d).
Definition eluder_adversary_at_least d := eluder_at_least_in d (adversary_class d).
Definition eluder_adversary_at_most d := eluder_at_most_in d (adversary_class d).

(** * Classes with interval axes

    Theta (or Psi) is then a list of cells, each with an interval for every parameter and with expressions that must not be negative.  What is
    claimed of such a class is claimed of every finite class of its points, which are put in place of the points of [tables]. *)
Record cell := Cell { axes : list (string * (Q * Q)); constraints : list expr }.
Definition in_cell (c : cell) (p : point) : Prop :=
  Forall2 (fun x a => fst x = fst a /\ fst (snd a) <= snd x <= snd (snd a))%Q p (axes c) /\ forall e, In e (constraints c) -> (0 <= eval p e)%Q.
Definition in_cells (l : list cell) (p : point) : Prop := exists c, In c l /\ in_cell c p.
Record continuum := Continuum { tables : doc; Theta : list cell; Psi : list cell }.
Definition at_points (d : doc) (l l' : list point) : doc :=
  {| horizon := horizon d; states := states d; learner_actions := learner_actions d; adversary_actions := adversary_actions d;
     learner_observations := learner_observations d; adversary_observations := adversary_observations d; initial := initial d;
     learner_emission := learner_emission d; adversary_emission := adversary_emission d; transition := transition d; thetas := l;
     policy_window := policy_window d; policies := policies d; response_window := response_window d; responses := responses d; phis := l' |}.
Definition points_of (c : continuum) (l l' : list point) : Prop :=
  (forall p, In p l -> in_cells (Theta c) p) /\ (forall p, In p l' -> in_cells (Psi c) p).
Definition everywhere (c : continuum) (X : doc -> Prop) : Prop := forall l l', points_of c l l' -> X (at_points (tables c) l l').
Definition somewhere (c : continuum) (X : doc -> Prop) : Prop := exists l l', points_of c l l' /\ X (at_points (tables c) l l').

(** * Probability on a finite tree: a history is the list of its outcomes, the last one first *)
Open Scope R_scope.
Section Tree.
Context {Outcome : Type}.
Variables (outcomes : list Outcome) (law : list Outcome -> Outcome -> R).   (* probability of the next outcome *)
Fixpoint histories (n : nat) : list (list Outcome) :=
  match n with O => [[]] | S n => flat_map (fun h => map (fun o => o :: h) outcomes) (histories n) end.
Fixpoint weight (h : list Outcome) : R := match h with [] => 1 | o :: h => weight h * law h o end.
Definition Expect (n : nat) (f : list Outcome -> R) : R := sum (histories n) (fun h => weight h * f h).
Definition Pr (n : nat) (E : list Outcome -> bool) : R := Expect n (fun h => ind (E h)).
(** E has happened at the end of h or at an earlier time *)
Fixpoint ever (E : list Outcome -> bool) (h : list Outcome) : bool := E h || match h with [] => false | _ :: h => ever E h end.
End Tree.

(** * Section 3: a finite class, as a learner sees it, and the schedule `nested` *)
Record class := Class {
  Model : Type; Policy : Type; Traj : Type;
  model_dec : forall x y : Model, {x = y} + {x <> y}; policy_dec : forall x y : Policy, {x = y} + {x <> y};
  the_models : list Model; the_policies : list Policy; the_trajs : list Traj;
  prob : Model -> Policy -> Traj -> R;                           (* P^pi_xi(tau) *)
  payoff : Traj -> R                                             (* return of an episode *)
}.
Section Schedule.
Variable K : class.
Notation history := (list (Traj K)).                             (* data episodes, the last one first *)
Definition value xi pi : R := sum (the_trajs K) (fun tau => prob K xi pi tau * payoff K tau).      (* V^pi(xi) *)
Variable deploy : history -> Model K * Policy K.                 (* what the learner deploys next *)
Definition xi_of h := fst (deploy h).
Definition pi_of h := snd (deploy h).
Definition law_of xi h tau : R := prob K xi (pi_of h) tau.
Definition likelihood xi : history -> R := weight (law_of xi).   (* of the data episodes *)
(** the first episode of a policy, and of one that differs from the last *)
Definition another h : bool := match h with [] => true | _ :: h' => if policy_dec K (pi_of h) (pi_of h') then false else true end.
(** regret of the data episodes of h where star is true and best is a best policy for it *)
Variables (star : Model K) (best : Policy K).
Definition gap pi : R := value star best - value star pi.
Fixpoint regret h : R := match h with [] => 0 | _ :: h => regret h + gap (pi_of h) end.
(** Definition 2.1 with warm-up: every policy played up to the data episodes h, the last one first.  Where [begins] says so, m - 1 episodes
    are played before data are kept.  An episode is worth [worth] of the last m policies (R(pi^(t-m+1), ..., pi^t)); [past] is whatever
    was played before the first episode. *)
Variables (begins : history -> bool) (m : nat) (worth : list (Policy K) -> R) (past : list (Policy K)).
Fixpoint calendar h : list (Policy K) :=
  match h with [] => [] | _ :: h => (if begins h then repeat (pi_of h) m else [pi_of h]) ++ calendar h end.
Fixpoint calendar_regret (played : list (Policy K)) : R :=
  match played with [] => 0 | _ :: before => value star best - worth (firstn m (played ++ past)) + calendar_regret before end.
End Schedule.

(** the schedule itself, by recursion on the history.  The models stand in a list: by v* = max_pi V^pi(xi) descending, then by the first policy
    that attains it, then by index.  An epoch deploys that policy of the first model that is left, and ends when this model is refuted: its
    likelihood times max (N - 1, 1) / delta is below the greatest.  The others are tested where an epoch ends.  A refuted model is out for
    good; were all of them, those that pass the test begin again. *)
Section Argmax.
Context {A : Type} (f : A -> R).
Fixpoint argmax (d : A) (l : list A) : A :=                      (* the first of the best *)
  match l with [] => d | x :: l => let y := argmax x l in if Rleb (f y) (f x) then x else y end.
End Argmax.
Section Rule.
Variables (K : class) (delta : R) (d0 : Model K * Policy K).    (* d0: for a class without models or policies *)
Definition optimal xi : Policy K := argmax (value K xi) (snd d0) (the_policies K).              (* pi(xi) *)
Definition v_star xi : R := value K xi (optimal xi).
Fixpoint place pi (l : list (Policy K)) : nat := match l with [] => 0 | p :: l => if policy_dec K p pi then 0 else S (place pi l) end.
Definition precedes xi eta : bool :=
  Rltb (v_star eta) (v_star xi) || Rleb (v_star eta) (v_star xi) && Nat.leb (place (optimal xi) (the_policies K)) (place (optimal eta) (the_policies K)).
Fixpoint insert xi l := match l with [] => [xi] | eta :: l' => if precedes xi eta then xi :: l else eta :: insert xi l' end.
Definition listed : list (Model K) := fold_right insert [] (the_models K).
Definition threshold : R := INR (Nat.max 1 (List.length (the_models K) - 1)) / delta.
Definition radius : R := ln threshold.                           (* u = log (max (N - 1, 1) / delta) *)
Definition passes (l : Model K -> R) xi : bool := forallb (fun eta => Rleb (l eta) (l xi * threshold)) (the_models K).
Record state := State { remaining : list (Model K); likelihoods : Model K -> R }.
Definition deployed (s : state) : Model K * Policy K := let xi := hd (fst d0) (remaining s) in (xi, optimal xi).
Definition next (s : state) (tau : Traj K) : state :=
  let l := fun xi => likelihoods s xi * prob K xi (snd (deployed s)) tau in
  if passes l (fst (deployed s)) then State (remaining s) l else
  State (match filter (passes l) (remaining s) with [] => filter (passes l) listed | still => still end) l.
Fixpoint run (h : list (Traj K)) : state := match h with [] => State listed (fun _ => 1) | tau :: h => next (run h) tau end.
Definition nested h := deployed (run h).
End Rule.

(** * Section 3: Algorithm 1, epoch-based optimistic MLE, on a finite class, which is its own net at every scale

    delta_e = delta / (2 e^2), beta_e = c (log N + log (1 / delta_e) + m B_0); beta_e(t) is this with the budget delta_e / (2t(t+1)), and
    tau_e(t) = 2 beta_e(t) + C_0 B_0 log (2t(t+1) / delta_e).  An epoch has T_e = 2^e data episodes at most. *)
Definition C_0 : R := 6 * (exp 1 - 2).
Section Algorithm_1.
Variables (K : class) (c B_0 delta : R) (m : nat) (d0 : Model K * Policy K).    (* d0: kept were the confidence set empty *)
Definition delta_e (e : nat) : R := delta / (2 * (INR e * INR e)).
Definition delta_at (e t : nat) : R := delta_e e / (2 * INR t * (INR t + 1)).
Definition beta_of (b : R) : R := c * (ln (INR (List.length (the_models K))) + ln (/ b) + INR m * B_0).
Definition beta_e e : R := beta_of (delta_e e).
Definition tau_e e t : R := 2 * beta_of (delta_at e t) + C_0 * B_0 * ln (/ delta_at e t).
(** L(xi) >= max L - r, where l = exp L *)
Definition within r (l : Model K -> R) xi : bool := forallb (fun eta => Rleb (l eta) (l xi * exp r)) (the_models K).
(** epoch e, its data episodes so far, likelihoods of all data, and what the epoch deploys *)
Record epoch := Epoch { number : nat; episodes : nat; fit : Model K -> R; commitment : Model K * Policy K }.
(** lines 3-7; ties of optimism go to the lower policy, then to the lower model *)
Definition begin_epoch e l : epoch :=
  Epoch e 0 l (argmax (fun p => value K (fst p) (snd p)) d0
    (flat_map (fun pi => map (fun xi => (xi, pi)) (filter (within (beta_e e) l) (the_models K))) (the_policies K))).
(** line 9, after one more data episode: the epoch goes on while the deployed model is within tau_e(t) and t < 2^e *)
Definition learn (s : epoch) (x : Traj K) : epoch :=
  let l := fun xi => fit s xi * prob K xi (snd (commitment s)) x in let t := S (episodes s) in
  if within (tau_e (number s) t) l (fst (commitment s)) && Nat.ltb t (2 ^ number s) then Epoch (number s) t l (commitment s)
  else begin_epoch (S (number s)) l.
Fixpoint current (h : list (Traj K)) : epoch := match h with [] => begin_epoch 1 (fun _ => 1) | x :: h => learn (current h) x end.
Definition algorithm_1 h := commitment (current h).
(** every epoch begins with m - 1 episodes of warm-up, line 8, whichever policy was played before *)
Definition epoch_begins h : bool := Nat.eqb (episodes (current h)) 0.
End Algorithm_1.
Close Scope R_scope.

(** * The class of a document, as a learner sees it *)
Definition point_dec : forall x y : point * point, {x = y} + {x <> y} := ltac:(repeat decide equality).
Definition class_of d (r : nat -> nat -> Q) : class :=
  Class (point * point) nat trajectory point_dec Nat.eq_dec (models d) (seq 0 (List.length (policies d))) (trajectories d)
    (fun xi p tau => Q2R (law_of_play d xi p tau)) (fun tau => Q2R (total_reward r 0 tau)).
(** a best policy where xi is true *)
Definition best_policy d r xi : nat := argmax (value (class_of d r) xi) 0 (seq 0 (List.length (policies d))).
(** R(pi^(t-m+1), ..., pi^t) is a response, whatever the block *)
Definition reaction_of_class d (rule : block_rule) (m : nat) : Prop :=
  forall phi, In phi (phis d) -> forall block, block_of d m block -> forall h, h < horizon d ->
  forall seen, In seen (tuples (nOB d) (Nat.min (response_window d) (S h))) -> is_row (nB d) (reaction d rule phi block h seen).
(** expected return of an episode whose last m policies are [block], the newest first *)
Definition worth_of_block d rule r (xi : point * point) (block : list nat) : R :=
  sum (trajectories d) (fun tau => (Q2R (law_against d (world_of d (fst xi)) (reaction d rule (snd xi) (rev block)) (policy_of d (hd O block)) tau)
    * Q2R (total_reward r 0 tau))%R).
(** the policy regret of a learner over all episodes it has played when T data episodes are in (Definition 2.1 with warm-up), and
    probabilities when xi is true; [begins] says where the learner warms up *)
Definition regret_with_warm_up d rule r m (past : list nat) xi deploy begins (h : list trajectory) : R :=
  calendar_regret (class_of d r) xi (best_policy d r xi) m (worth_of_block d rule r xi) past (calendar (class_of d r) deploy begins m h).
Definition probability_under d r deploy xi : nat -> (list trajectory -> bool) -> R := Pr (trajectories d) (law_of (class_of d r) deploy xi).
Definition first_pair d : (point * point) * nat := (hd ([], []) (models d), O).
(** the learner `nested`, which warms up where its policy changes *)
Definition nested_learner d r delta := nested (class_of d r) delta (first_pair d).
Definition policy_regret d rule r delta m past xi : list trajectory -> R :=
  let learner := nested_learner d r delta in regret_with_warm_up d rule r m past xi learner (another (class_of d r) learner).
Definition probability d r delta := probability_under d r (nested_learner d r delta).
(** Algorithm 1, where B bounds the likelihood ratios of 3.1(c): B_0 = max (1, log B) *)
Definition B_0_of (B : Q) : R := Rmax 1 (ln (Q2R B)).
Definition algorithm_1_learner d r c B delta m := algorithm_1 (class_of d r) c (B_0_of B) delta m (first_pair d).
Definition policy_regret_1 d rule r c B delta m past xi : list trajectory -> R :=
  regret_with_warm_up d rule r m past xi (algorithm_1_learner d r c B delta m) (epoch_begins (class_of d r) c (B_0_of B) delta m (first_pair d)).
Definition probability_1 d r c B delta m := probability_under d r (algorithm_1_learner d r c B delta m).
