(** What a generated file ends with: the regret of `nested` on the class `patrol` with delta = 1/20, warm-up included. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing RealSums HarmfulModels NestedPlay Play Numbers Regret.
From Pomgcheck.examples Require Import Patrol.
From Coq Require Import QArith Qreals NArith.
Open Scope R_scope.

(** r_h(quiet) = 1, r_h(noise) = 0; the response is to the mean of the last m = 2 policies *)
Definition rewards : list (list Q) := [[1; 0]; [1; 0]; [1; 0]]%Q.
Definition reward := reward_of rewards.
Definition delta : Q := 1 # 20.
(** the value of every policy in every model, which the theorems share *)
Definition values := Eval vm_compute in values_of model reward.
Lemma values_are : values_of model reward = values. Proof. vm_cast_no_check (eq_refl values). Qed.
(** whichever model is true, none before it in the list deploys a policy that costs: the first policy is best in all of them *)
Definition tolds : list told := [(0, []); (0, []); (0, []); (0, []); (0, []); (0, [])]%nat.
(** with probability at least 9/10, at every T together: the policy regret over all episodes, warm-up included, is at most [bound_N], with R' = 2 *)
Theorem regret : forall star, In star (models model) -> forall past, (1 <= List.length past)%nat -> (forall p, In p past -> (p < 4)%nat) -> forall T,
  probability model reward (Q2R delta) star T (ever (fun h =>
    Rltb (bound_N model reward 2 delta 2 tolds star (List.length h)) (policy_regret model Mean reward (Q2R delta) 2 past star h))) <= 2 * Q2R delta.
Proof. refine (check_nested_sound model values Mean 2 rewards 2 delta tolds values_are is_class _). vm_cast_no_check (eq_refl true). Qed.
(** the first warm-up is all that is lost *)
Theorem nested_loses_ever : forall star, In star (models model) -> forall t, bound_N model reward 2 delta 2 tolds star t <= Q2R 2.
Proof. refine (check_nested_ever_sound model reward values 2 2 delta tolds 2 values_are _). vm_cast_no_check (eq_refl true). Qed.
(** no policy costs more than D = 21/125 in any model; from T = 12 on the bound is below D T, which is what no learner's regret exceeds *)
Theorem policies_cost : forall xi p, In xi (models model) -> (p < 4)%nat -> gap (class_of model reward) xi (best_policy model reward xi) p <= Q2R (21 # 125).
Proof. refine (check_D_sound model values rewards (21 # 125) values_are _). vm_cast_no_check (eq_refl true). Qed.
Theorem says_something : forall star, In star (models model) -> forall t, (12 <= t)%nat -> bound_N model reward 2 delta 2 tolds star t < Q2R (21 # 125) * INR t.
Proof. refine (check_nested_worth_sound model reward values 2 2 delta tolds 12 (21 # 125) values_are _). vm_cast_no_check (eq_refl true). Qed.
