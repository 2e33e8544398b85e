(** The checkers as an OCaml program over Zarith.

    Trusted besides extraction itself: the maps of Coq's own files, natural numbers as machine integers (they count and index
    what is in memory), binary numbers as Zarith's, strings as OCaml's; and here that the greatest common divisor is Zarith's. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing ExtractedKernel.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt ExtrOcamlNativeString.
Extract Constant Pos.ggcd => "(fun a b -> let g = Big_int_Z.gcd_big_int a b in (g, (Big_int_Z.div_big_int a g, Big_int_Z.div_big_int b g)))".
Extraction Language OCaml.
Extraction "checkers.ml" check_class confirmed.
