(** Written from patrol.cert.json, model 0c42ac0a1faa940304f6e8c7edf2c99a9432030d283a97a342c54e8ccb86b5f1. *)
From Pomgcheck Require Import OrderedField RuleLin Statements WeakRevealing.
Open Scope Q_scope. Open Scope string_scope. Open Scope list_scope. Open Scope nat_scope.

Definition model : doc := {|
  horizon := 3;
  states := ["calm"; "alarm"];
  learner_actions := ["idle"; "patrol"];
  adversary_actions := ["wait"; "attack"];
  learner_observations := ["quiet"; "noise"];
  adversary_observations := ["dark"; "lit"];
  initial := [(Num (1#2)%Q); (Num (1#2)%Q)];
  learner_emission := Always [[(Num (17#20)%Q); (Num (3#20)%Q)]; [(Num (3#20)%Q); (Num (17#20)%Q)]];
  adversary_emission := Always [[(Num (7#10)%Q); (Num (3#10)%Q)]; [(Num (3#10)%Q); (Num (7#10)%Q)]];
  transition := Always [[[[(Div (Add (Mul (Neg (Num (10)%Q)) (Par "x")) (Num (9)%Q)) (Num (10)%Q)); (Div (Add (Mul (Num (10)%Q) (Par "x")) (Num (1)%Q)) (Num (10)%Q))]; [(Div (Add (Mul (Neg (Num (20)%Q)) (Par "x")) (Num (13)%Q)) (Num (20)%Q)); (Div (Add (Mul (Num (20)%Q) (Par "x")) (Num (7)%Q)) (Num (20)%Q))]]; [[(Div (Add (Mul (Neg (Num (20)%Q)) (Par "x")) (Num (19)%Q)) (Num (20)%Q)); (Div (Add (Mul (Num (20)%Q) (Par "x")) (Num (1)%Q)) (Num (20)%Q))]; [(Div (Add (Mul (Neg (Num (10)%Q)) (Par "x")) (Num (7)%Q)) (Num (10)%Q)); (Div (Add (Mul (Num (10)%Q) (Par "x")) (Num (3)%Q)) (Num (10)%Q))]]]; [[[(Div (Add (Mul (Neg (Num (2)%Q)) (Par "x")) (Num (1)%Q)) (Num (2)%Q)); (Div (Add (Mul (Num (2)%Q) (Par "x")) (Num (1)%Q)) (Num (2)%Q))]; [(Div (Add (Mul (Neg (Num (4)%Q)) (Par "x")) (Num (1)%Q)) (Num (4)%Q)); (Div (Add (Mul (Num (4)%Q) (Par "x")) (Num (3)%Q)) (Num (4)%Q))]]; [[(Div (Add (Mul (Neg (Num (20)%Q)) (Par "x")) (Num (11)%Q)) (Num (20)%Q)); (Div (Add (Mul (Num (20)%Q) (Par "x")) (Num (9)%Q)) (Num (20)%Q))]; [(Div (Add (Mul (Neg (Num (10)%Q)) (Par "x")) (Num (3)%Q)) (Num (10)%Q)); (Div (Add (Mul (Num (10)%Q) (Par "x")) (Num (7)%Q)) (Num (10)%Q))]]]];
  thetas := [[("x", (1#20)%Q)]; [("x", (1#10)%Q)]; [("x", (3#20)%Q)]];
  policy_window := 1;
  policies := [("idle", Always [[(Num (1)%Q); (Num (0)%Q)]; [(Num (1)%Q); (Num (0)%Q)]]); ("on-alarm", Always [[(Num (1)%Q); (Num (0)%Q)]; [(Num (0)%Q); (Num (1)%Q)]]); ("on-calm", Always [[(Num (0)%Q); (Num (1)%Q)]; [(Num (1)%Q); (Num (0)%Q)]]); ("patrol", Always [[(Num (0)%Q); (Num (1)%Q)]; [(Num (0)%Q); (Num (1)%Q)]])];
  response_window := 1;
  responses := [("idle", Always [[(Num (1#2)%Q); (Num (1#2)%Q)]; [(Num (1#2)%Q); (Num (1#2)%Q)]]); ("on-alarm", Always [[(Div (Add (Par "y") (Num (1)%Q)) (Num (2)%Q)); (Div (Add (Neg (Par "y")) (Num (1)%Q)) (Num (2)%Q))]; [(Div (Add (Par "y") (Num (1)%Q)) (Num (2)%Q)); (Div (Add (Neg (Par "y")) (Num (1)%Q)) (Num (2)%Q))]]); ("on-calm", Always [[(Div (Add (Par "y") (Num (1)%Q)) (Num (2)%Q)); (Div (Add (Neg (Par "y")) (Num (1)%Q)) (Num (2)%Q))]; [(Div (Add (Par "y") (Num (1)%Q)) (Num (2)%Q)); (Div (Add (Neg (Par "y")) (Num (1)%Q)) (Num (2)%Q))]]); ("patrol", Always [[(Div (Add (Mul (Num (2)%Q) (Par "y")) (Num (1)%Q)) (Num (2)%Q)); (Div (Add (Mul (Neg (Num (2)%Q)) (Par "y")) (Num (1)%Q)) (Num (2)%Q))]; [(Div (Add (Mul (Num (2)%Q) (Par "y")) (Num (1)%Q)) (Num (2)%Q)); (Div (Add (Mul (Neg (Num (2)%Q)) (Par "y")) (Num (1)%Q)) (Num (2)%Q))]])];
  phis := [[("y", (1#10)%Q)]; [("y", (1#5)%Q)]] |}.

Definition t0 := (Test 0).
Definition proof : evidence := {|
  alpha_lower := (7#17)%Q;
  tests := [[(1)%Q; (-1)%Q]];
  factors := [];
  trees := [[t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]; [t0; t0; t0; t0; t0; t0; t0; t0]] |}.

Theorem is_class : class_of_games model.
Proof. apply check_class_sound. vm_cast_no_check (eq_refl true). Qed.

Theorem revealing : forall F : OF, weak_revealing F model false 1 (7#17)%Q.
Proof. intro F. apply (check_revealing_sound F model false 1 proof). vm_cast_no_check (eq_refl true). Qed.
