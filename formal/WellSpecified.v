(** Assumption 3.1(a): whether the truth is one of the models is decided by looking. *)
From Pomgcheck Require Import OrderedField Statements.

Definition check_well_specified d truth : bool := if in_dec point_dec truth (models d) then true else false.
Theorem check_well_specified_sound d truth : check_well_specified d truth = true -> well_specified d truth.
Proof. unfold check_well_specified, well_specified. destruct (in_dec _ _ _); [auto | discriminate]. Qed.
Theorem outside_sound d truth : check_well_specified d truth = false -> ~ well_specified d truth.
Proof. unfold check_well_specified, well_specified. destruct (in_dec _ _ _); [discriminate | auto]. Qed.
