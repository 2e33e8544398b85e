(** The two ordered fields that matter: the rationals (in lowest terms; no axiom) and the reals (Coq's own axioms). *)
From Pomgcheck Require Import OrderedField.
From Coq Require Import Qcanon Qcabs Reals Qreals Lra.

Definition rationals : OF.
Proof.
  refine {| car := Qc; c_field := Qcft; cle := Qcle; cabs := Qcabs; inj := Q2Qc |}.
  - apply Qcle_refl.
  - apply Qcle_trans.
  - apply Qcle_antisym.
  - intros x y. destruct (Qclt_le_dec y x) as [h | h]; auto using Qclt_le_weak.
  - intros x y z h. apply Qcplus_le_compat; auto. apply Qcle_refl.
  - intros x y hx hy. replace 0%Qc with (0 * y)%Qc by ring. now apply Qcmult_le_compat_r.
  - apply Qcle_Qcabs.
  - intro x. rewrite <- Qcabs_opp. apply Qcle_Qcabs.
  - intro x. destruct (Qclt_le_dec x 0) as [h | h].
    + right. apply Qcabs_neg. now apply Qclt_le_weak.
    + left. now apply Qcabs_pos.
  - intros p q h. apply Qc_is_canon. unfold Qcplus, Qcmult, Q2Qc. cbn [this]. now rewrite !Qred_correct.
  - intros p q. apply Qc_is_canon. unfold Qcplus, Qcmult, Q2Qc. cbn [this]. now rewrite !Qred_correct.
  - intros p q. apply Qc_is_canon. unfold Qcplus, Qcmult, Q2Qc. cbn [this]. now rewrite !Qred_correct.
  - apply Qc_is_canon. reflexivity.
  - intros p q h. unfold Qcle, Q2Qc. cbn [this]. now rewrite !Qred_correct.
Defined.

Definition reals : OF.
Proof.
  refine {| car := R; c_field := Rfield; cle := Rle; cabs := Rabs; inj := Q2R |}.
  - apply Rle_refl.
  - apply Rle_trans.
  - apply Rle_antisym.
  - intros x y. destruct (Rle_or_lt x y); [left | right]; auto. now apply Rlt_le.
  - intros. now apply Rplus_le_compat_r.
  - intros. now apply Rmult_le_pos.
  - apply Rle_abs.
  - intro x. rewrite <- Rabs_Ropp. apply Rle_abs.
  - intro x. unfold Rabs. destruct (Rcase_abs x); auto.
  - apply Qeq_eqR.
  - apply Q2R_plus.
  - apply Q2R_mult.
  - unfold Q2R. simpl. lra.
  - apply Qle_Rle.
Defined.
