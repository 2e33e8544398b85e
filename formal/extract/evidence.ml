(** The evidence of rule tests in the order in which the checker asks for it: one tree per context.

    Nothing here is trusted: a wrong or missing tree is refused by the checker, which is proved sound. *)

open Checkers
open Json

type context = { i : int; j : int; k : int; p : int; h : int; memory : int list; o : int; a : int }

(** The number of a key, equal for equal keys and for no others. *)
let number_in known key =
  match Hashtbl.find_opt known key with
  | Some n -> n
  | None ->
      let n = Hashtbl.length known in
      Hashtbl.add known key n;
      n

(** [evidence doc kappa alpha context found]: the trees, tests and factors of a certificate for [check_revealing].

    The certificate has one tree per problem; contexts whose two sides are those of a problem take its tree.  The checker's
    differences are the first world less the second, the certificate's the second less the first: a test function changes its
    sign, unless the context has the two sides in the other order. *)
let evidence (doc : doc) kappa (alpha : q) (context : Json.t -> context) (found : Json.t) : evidence =
  let where = "weak-revealing.evidence" in
  let count = List.length doc.policies in
  let worlds = Array.of_list (List.map (world_of doc) doc.thetas) and policies = Array.init count (policy_of doc) in
  let responses = Array.of_list (List.map (fun phi -> Array.init count (response_of doc phi)) doc.phis) in
  let windows = tuples (nOA doc) kappa in
  let coordinates = Array.init doc.horizon (coordinates doc) and channels = Array.init doc.horizon (channel doc) in
  let texts = Hashtbl.create 4096 and rows = Hashtbl.create 4096 and known_columns = Hashtbl.create 256 in
  let row qs = number_in rows (List.map (fun q -> let q = qred q in number_in texts (q.qnum, q.qden)) qs) in
  let columns i h o a =
    match Hashtbl.find_opt known_columns (i, h, o, a) with
    | Some found -> found
    | None ->
        let world = worlds.(i) in
        let found =
          List.map (fun j -> (row [ world.eA h (fst j) o ], row (List.map (fun v -> w world h o a v j) channels.(h)))) coordinates.(h) in
        Hashtbl.add known_columns (i, h, o, a) found;
        found
  in
  let window_laws i c j = window_laws doc worlds.(i) responses.(c.k).(c.p) policies.(c.p) kappa c.h c.memory c.o c.a j in
  let laws i c = List.map (fun j -> row (window_laws i c j)) coordinates.(c.h) in
  let sides = Hashtbl.create 4096 and known_sides = Hashtbl.create 4096 in
  let side i c =
    let key = (i, c.k, c.p, c.h, c.memory, c.o, c.a) in
    match Hashtbl.find_opt known_sides key with
    | Some n -> n
    | None ->
        let n = number_in sides (columns i c.h c.o c.a, laws i c) in
        Hashtbl.add known_sides key n;
        n
  in
  (* a factor over all channel coordinates and windows; the certificate leaves out those where nothing happens *)
  let dense c given =
    let nonzero q = Big.sign q.qnum <> 0 in
    let differ v j = qred (qminus (w worlds.(c.i) c.h c.o c.a v j) (w worlds.(c.j) c.h c.o c.a v j)) in
    let both = List.concat_map (fun j -> [ window_laws c.i c j; window_laws c.j c j ]) coordinates.(c.h) in
    let shown n = List.exists (fun laws -> nonzero (at_ laws n)) both in
    let moved v = List.exists (fun j -> nonzero (differ v j)) coordinates.(c.h) in
    let kept = List.mapi (fun n _ -> shown n) windows in
    let rec spread kept row =
      match (kept, row) with
      | [], _ -> []
      | true :: kept, x :: row -> x :: spread kept row
      | _ :: kept, row -> Document.zero :: spread kept row
    in
    let empty = List.map (fun _ -> Document.zero) windows in
    let rec fill channel rows =
      match (channel, rows) with
      | [], _ -> []
      | v :: channel, row :: rows when moved v -> spread kept row :: fill channel rows
      | _ :: channel, rows -> empty :: fill channel rows
    in
    fill channels.(c.h) given
  in
  let matrix value = Array.of_list (List.map (fun row -> List.map (Document.rational where) (items where row)) (items where value)) in
  let tests = matrix (get where "tests" found) in
  let factors = Array.map (fun rows -> Array.to_list (matrix rows)) (Array.of_list (items where (get where "factors" found))) in
  let used_factors = Hashtbl.create 8 and listed_factors = ref [] in
  let factor c number =
    if number >= Array.length factors then number + 1_000_000
    else
      let given = dense c factors.(number) in
      match Hashtbl.find_opt used_factors given with
      | Some n -> n
      | None ->
          let n = Hashtbl.length used_factors in
          Hashtbl.add used_factors given n;
          listed_factors := given :: !listed_factors;
          n
  in
  let rec tree c turned node =
    match node with
    | Array [ Text "test"; k ] -> Test ((2 * natural where k) + if turned then 1 else 0)
    | Array [ Text "factor"; k ] -> Factor (factor c (natural where k))
    | Array [ Text "cut"; i; j; at; left; right ] ->
        Split (natural where i, natural where j, Document.rational where at, tree c turned left, tree c turned right)
    | _ -> refuse "%s: found a node of another kind, required \"cut\", \"test\" or \"factor\"" where
  in
  let known = Hashtbl.create 1024 and met = Hashtbl.create 1024 in
  let learn entry =
    let c = context entry and node = get where "tree" entry in
    if Hashtbl.mem met c then refuse "%s: found a second tree of one place, required one a place" where;
    Hashtbl.add met c ();
    let left = side c.i c and right = side c.j c in
    if not (Hashtbl.mem known (left, right)) then Hashtbl.add known (left, right) (tree c false node);
    if not (Hashtbl.mem known (right, left)) then Hashtbl.add known (right, left) (tree c true node)
  in
  List.iter learn (items where (get where "trees" found));
  let of_place { c_i = i; c_j = j; c_h = h; c_u = memory; c_o = o; c_a = a } =
    List.map
      (fun (k, p) ->
        let c = { i; j; k; p; h; memory; o; a } in
        Option.value (Hashtbl.find_opt known (side i c, side j c)) ~default:Skip)
      (plays doc)
  in
  let trees = List.map of_place (places doc kappa) in
  let listed = List.concat_map (fun row -> [ List.map qopp row; row ]) (Array.to_list tests) in
  { alpha_lower = alpha; tests = listed; factors = List.rev !listed_factors; trees }
