(** The checkers as an OCaml program over Zarith.

    Trusted besides extraction itself: the maps of Coq's own files, natural numbers as machine integers (they count and index
    what is in memory), binary numbers as Zarith's, strings as OCaml's; and here that the greatest common divisor is Zarith's. *)
From Pomgcheck Require Import OrderedField Statements WeakRevealing ExtractedKernel.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt ExtrOcamlNativeString.
Extract Constant Pos.ggcd => "(fun a b -> let g = Z.gcd a b in if Z.equal g Z.one then (g, (a, b)) else (g, (Z.divexact a g, Z.divexact b g)))".
Extraction Language OCaml.
Extraction "checkers.ml" check_class confirmed.
