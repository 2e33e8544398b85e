(** The model of a certificate as a [doc] of Statements.v.  This file is trusted: it says which class a verdict is about. *)

open Checkers
open Json

exception Outside of string
(** A class that no [doc] describes, and why. *)

type t = {
  doc : doc;
  policy_names : string list;
  rule : (block_rule * int) option;  (** with m; none for the fading rule, which reads the whole past *)
  gamma : q option;  (** of the fading rule *)
  rewards : q list list;
  truth : (point * point) option;
}

let is_digits text = text <> "" && String.for_all (function '0' .. '9' -> true | _ -> false) text

let max_digits = 3000  (* of one number, as in exporters/coq/terms.py *)

(** The number written "p" or "p/q", in lowest terms; none where the text is no number. *)
let rational_of (text : string) : q option =
  let negative = text <> "" && text.[0] = '-' in
  let unsigned = if negative then String.sub text 1 (String.length text - 1) else text in
  let over, under =
    match String.index_opt unsigned '/' with
    | None -> (unsigned, "1")
    | Some k -> (String.sub unsigned 0 k, String.sub unsigned (k + 1) (String.length unsigned - k - 1))
  in
  if not (is_digits over && is_digits under && under.[0] <> '0') then None
  else if max (String.length over) (String.length under) > max_digits then
    refuse "a number: found one of more than %d digits, required shorter ones" max_digits
  else
    let p = Big.of_string over and q = Big.of_string under in
    let g = Big.gcd p q in
    let p = Big.div p g in
    Some { qnum = (if negative then Big.neg p else p); qden = Big.div q g }

let rational where value =
  let said = text where value in
  match rational_of said with Some q -> q | None -> refuse "%s: found %S, required an exact number \"p/q\"" where said

(** The text of a number in lowest terms. *)
let written { qnum; qden } = if Big.equal qden Big.one then Big.to_string qnum else Big.to_string qnum ^ "/" ^ Big.to_string qden

let zero = { qnum = Big.zero; qden = Big.one }

(** An expression in exact numbers, parameters, + - * / ^ and ( ), operation by operation. *)
let expression where (said : string) : expr =
  let wrong () = refuse "%s: found %S, required an expression in exact numbers, parameters, + - * / ^ and ( )" where said in
  let length = String.length said and at = ref 0 in
  let rec peek () =
    if !at >= length then '\000' else if said.[!at] = ' ' then (incr at; peek ()) else said.[!at] in
  let taken keep =
    let start = !at in
    while !at < length && keep said.[!at] do incr at done;
    String.sub said start (!at - start)
  in
  let is_letter = function 'A' .. 'Z' | 'a' .. 'z' | '_' -> true | _ -> false in
  let is_digit = function '0' .. '9' -> true | _ -> false in
  let rec sum depth =
    if depth > 200 then wrong ();
    let rec more left =
      match peek () with
      | '+' -> incr at; more (Add (left, product depth))
      | '-' -> incr at; more (Sub (left, product depth))
      | _ -> left
    in
    more (product depth)
  and product depth =
    let rec more left =
      match peek () with
      | '*' -> incr at; more (Mul (left, factor depth))
      | '/' -> incr at; more (Div (left, factor depth))
      | _ -> left
    in
    more (factor depth)
  and factor depth =
    if depth > 200 then wrong ();
    if peek () = '-' then (incr at; Neg (factor (depth + 1))) else power depth
  and power depth =
    let base = atom depth in
    if peek () <> '^' then base
    else (
      incr at;
      match factor (depth + 1) with
      | Num { qnum; qden } when Big.equal qden Big.one && Big.lt qnum (Big.of_int 1000) -> Pow (base, qnum)
      | _ -> wrong ())
  and atom depth =
    match peek () with
    | '(' ->
        incr at;
        let inner = sum (depth + 1) in
        if peek () = ')' then (incr at; inner) else wrong ()
    | c when is_digit c -> (
        let digits = taken is_digit in
        if !at < length && is_letter said.[!at] then wrong ();
        match rational_of digits with Some q -> Num q | None -> wrong ())
    | c when is_letter c -> Par (taken (fun c -> is_letter c || is_digit c))
    | _ -> wrong ()
  in
  match rational_of said with
  | Some q -> Num q
  | None ->
      let found = sum 0 in
      if peek () <> '\000' || !at < length then wrong ();
      found

(** No unknown name and no division by zero, where Coq would read 0. *)
let rec examined where (points : point list) = function
  | Num _ -> ()
  | Par name ->
      if List.exists (fun point -> not (List.mem_assoc name point)) points || points = [] then
        refuse "%s: found the name %S, required a parameter" where name
  | Neg e | Pow (e, _) -> examined where points e
  | Add (e, f) | Sub (e, f) | Mul (e, f) -> examined where points e; examined where points f
  | Div (e, f) ->
      examined where points e;
      examined where points f;
      if List.exists (fun point -> qeq_bool (eval point f) zero) points then
        refuse "%s: found a division by zero, required a nonzero divisor on the class" where

let known : (string * bool, expr) Hashtbl.t = Hashtbl.create 64

(** An entry of a table; equal texts on one side are read once. *)
let entry where points ~constant value =
  let said = text where value in
  match Hashtbl.find_opt known (said, constant) with
  | Some found -> found
  | None ->
      let found = expression where said in
      examined where points found;
      Hashtbl.add known (said, constant) found;
      found

let sized where length found =
  if List.length found <> length then refuse "%s: found %d entries, required %d" where (List.length found) length;
  found

(** Steps of tables: one for all steps, or one a step. *)
let steps where horizon table value =
  match find "steps" value with
  | Some each -> Each (List.map (table where) (sized where horizon (items where each)))
  | None -> Always (table where value)

(** A large table as arrays: its distinct rows by their entries that are not zero, and the number of every row. *)
let in_arrays where length value =
  match find "sparse" value with
  | None -> value
  | Some listed ->
      let row value =
        let pairs =
          List.map
            (fun pair -> match items where pair with
              | [ place; found ] -> (natural where place, found)
              | _ -> refuse "%s: found another list, required pairs of a place and an entry" where)
            (items where value)
        in
        Array (List.init length (fun k -> Option.value (List.assoc_opt k pairs) ~default:(Text "0")))
      in
      let rows = Array.of_list (List.map row (items where listed)) in
      let rec spread = function
        | Array parts -> Array (List.map spread parts)
        | number ->
            let k = natural where number in
            if k < Array.length rows then rows.(k) else refuse "%s: found the row number %d, required one of a row" where k
      in
      (match (find "table" value, find "steps" value) with
      | Some table, _ -> spread table
      | None, Some each -> Object [ ("steps", spread each) ]
      | None, None -> refuse "%s: found neither table nor steps, required one of them" where)

let labels where value =
  let found = List.map (text where) (items where value) in
  if found = [] || List.length (List.sort_uniq compare found) < List.length found then
    refuse "%s: found %d labels, required distinct labels, one at least" where (List.length found);
  found

let point where value : point =
  List.sort (fun (x, _) (y, _) -> compare x y) (List.map (fun (name, q) -> (name, rational where q)) (fields where value))

(** The points of one side in the kernel's order: as listed, or the product of the axes, names sorted and the last one fastest,
    less those that break a constraint. *)
let points where part : point list =
  let listed =
    match find "points" part with
    | Some listed -> List.map (point where) (items where listed)
    | None ->
        let axes = List.sort (fun (x, _) (y, _) -> compare x y) (fields where (get where "parameters" part)) in
        List.fold_right
          (fun (name, axis) rest ->
            match find "values" axis with
            | None -> raise (Outside "a class with interval axes")
            | Some values ->
                let values = List.map (rational where) (items where values) in
                if List.length values * List.length rest > 1_000_000 then
                  refuse "%s: found more than 1000000 parameter points, required fewer" where;
                List.concat_map (fun q -> List.map (fun point -> (name, q) :: point) rest) values)
          axes [ [] ]
  in
  let constraints = match find "constraints" part with None -> [] | Some listed -> List.map (text where) (items where listed) in
  let kept =
    List.fold_left
      (fun points said ->
        let size = String.length said - 5 in
        if size < 0 || String.sub said size 5 <> " >= 0" then refuse "%s: found the constraint %S, required \"… >= 0\"" where said;
        let left = expression where (String.sub said 0 size) in
        examined where points left;
        List.filter (fun point -> qle_bool zero (eval point left)) points)
      listed constraints
  in
  if kept = [] || List.length (List.sort_uniq compare kept) < List.length kept then
    refuse "%s: found %d parameter points, required distinct points, one at least" where (List.length kept);
  kept

let window where value =
  match value with
  | Text "full" -> raise (Outside "the window \"full\"")
  | value ->
      let found = natural where value in
      if found < 1 then refuse "%s: found 0, required a window length >= 1" where;
      found

(** The class of a certificate's model.  Raises [Unreadable] and [Outside]. *)
let read (model : Json.t) : t =
  Hashtbl.reset known;
  if find "operators" model <> None then raise (Outside "a class given by operators");
  let game = get "model" "game" model and worlds = get "model" "worlds" model in
  let responses = get "model" "responses" model and policies = get "model" "policies" model in
  let horizon = natural "game.horizon" (get "game" "horizon" game) in
  if horizon < 1 || horizon > 1000 then refuse "game.horizon: found %d, required an integer from 1 to 1000" horizon;
  let space name = labels ("game." ^ name) (get "game" name game) in
  let states = space "states" and a = space "learner_actions" and b = space "adversary_actions" in
  let oA = space "learner_observations" and oB = space "adversary_observations" in
  let thetas = points "worlds" worlds and phis = points "responses" responses in
  let row points ~constant length where value = List.map (entry where points ~constant) (sized where length (items where value)) in
  let table rows cells where value = List.map (cells where) (match rows with Some n -> sized where n (items where value) | None -> items where value) in
  let nS = List.length states and nA = List.length a and nB = List.length b in
  let nOA = List.length oA and nOB = List.length oB in
  (* expressions of both sides may use the same names: each side has its own table of those that were read *)
  let kernel name length cells = steps ("worlds." ^ name) horizon cells (in_arrays ("worlds." ^ name) length (get "worlds" name worlds)) in
  let world = row thetas ~constant:false in
  let learner_emission = kernel "learner_emission" nOA (table (Some nS) (world nOA)) in
  let adversary_emission = kernel "adversary_emission" nOB (table (Some nS) (world nOB)) in
  let transition = kernel "transition" nS (table (Some nS) (table (Some nA) (table (Some nB) (world nS)))) in
  Hashtbl.reset known;
  let initial = row [ [] ] ~constant:true nS "worlds.initial" (get "worlds" "initial" worlds) in
  let policy_window = window "policies.window" (get "policies" "window" policies) in
  let tables = fields "policies.list" (get "policies" "list" policies) in
  let policy_names = List.sort compare (List.map fst tables) in
  if policy_names = [] then refuse "policies.list: found no policy, required one at least";
  let policy name = (name, steps ("policies.list." ^ name) horizon (table None (row [ [] ] ~constant:true nA)) (List.assoc name tables)) in
  let response_window = window "responses.window" (get "responses" "window" responses) in
  let answer where value = steps where horizon (table None (row phis ~constant:false nB)) value in
  let answers = get "responses" "table" responses in
  let response name = (name, answer ("responses.table." ^ name) (get "responses.table" name answers)) in
  let doc =
    { horizon; states; learner_actions = a; adversary_actions = b; learner_observations = oA; adversary_observations = oB;
      initial; learner_emission; adversary_emission; transition; thetas; policy_window; policies = List.map policy policy_names;
      response_window; responses = List.map response policy_names; phis }
  in
  let m () = natural "responses.memory" (Option.value (find "memory" responses) ~default:(Integer Big.one)) in
  let numbered name =
    let rec go k = function
      | [] -> refuse "responses.blocks: found the policy %S, required one of the class" name
      | x :: rest -> if x = name then k else go (k + 1) rest
    in
    go 0 policy_names
  in
  let rule =
    match text "responses.block_rule" (get "responses" "block_rule" responses) with
    | "fading" -> None
    | "latest" -> Some (Latest, m ())
    | "mean" -> Some (Mean, m ())
    | "table" ->
        let blocks = fields "responses.blocks" (get "responses" "blocks" responses) in
        let block (names, tables) = (List.map numbered (String.split_on_char ' ' names), answer "responses.blocks" tables) in
        Some (Table (List.map block blocks), m ())
    | other -> refuse "responses.block_rule: found %S, required latest, mean, fading or table" other
  in
  let gamma = if rule = None then Some (rational "responses.gamma" (get "responses" "gamma" responses)) else None in
  let reward value = List.map (rational "game.reward") (sized "game.reward" nOA (items "game.reward" value)) in
  let rewards =
    match get "game" "reward" game with
    | Array _ as same -> List.init horizon (fun _ -> reward same)
    | other -> List.map reward (sized "game.reward" horizon (items "game.reward" (get "game.reward" "steps" other)))
  in
  let truth =
    Option.map (fun value -> (point "truth.worlds" (get "truth" "worlds" value), point "truth.responses" (get "truth" "responses" value)))
      (find "truth" model)
  in
  { doc; policy_names; rule; gamma; rewards; truth }
