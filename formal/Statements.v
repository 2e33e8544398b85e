(** What is claimed: a finite class of partially observable Markov games, as its document gives it, and Assumption 2.4.
    Steps are counted from 0.  This file holds definitions only. *)
From Pomgcheck Require Import OrderedField.
From Coq Require Export String.
Open Scope nat_scope.

(** ** The document *)
Inductive expr := Num (q : Q) | Par (x : string) | Neg (e : expr) | Add (e f : expr) | Sub (e f : expr)
                | Mul (e f : expr) | Div (e f : expr).
Definition point := list (string * Q).
Fixpoint look (x : string) (p : point) : Q :=
  match p with [] => 0%Q | (y, q) :: p => if String.eqb x y then q else look x p end.
Fixpoint eval (p : point) (e : expr) : Q :=
  match e with
  | Num q => q | Par x => look x p | Neg e => Qred (- eval p e)
  | Add e f => Qred (eval p e + eval p f) | Sub e f => Qred (eval p e - eval p f)
  | Mul e f => Qred (eval p e * eval p f) | Div e f => Qred (eval p e / eval p f)
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

(** ** Assumption 2.4, over any ordered field F (the rationals, the reals) *)
Section Claim.
Variable F : OF.
Local Open Scope of_scope.
(** value at the predictive state q of what is linear in it *)
Definition at_state d h (q : nat * list nat -> F) (f : nat * list nat -> Q) : F :=
  lsum (coordinates d h) (fun j => q j * inj (f j)).
Definition predictive_state d h (q : nat * list nat -> F) : Prop :=
  (forall j, In j (coordinates d h) -> 0 <= q j) /\ lsum (coordinates d h) q = 1.

Definition revealing_at d (joint : bool) (kappa : nat) (alpha : Q) (w w' : world) (g pi : decision) h uA o a q : Prop :=
  let difference := lsum (channel d h) (fun v => |at_state d h q (W w h o a v) - at_state d h q (W w' h o a v)|) in
  let M w win := at_state d h q (joint_law d w g pi h uA o a win) in
  let Z w := at_state d h q (fun j => EA w h (fst j) o) in
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
End Claim.

(** ** The document is a class of games: every row is a distribution *)
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
