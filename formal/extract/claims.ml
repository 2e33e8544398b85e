(** What each claim of a certificate asks of the checkers, as exporters/coq/theorems.py asks Coq: statements, or why there are none. *)

open Checkers
open Json

type claim = {
  id : string;
  verdict : string;
  asked : (string * (unit -> statement)) list;  (** statements by name; reading one may raise [Unreadable] *)
  left : string;  (** what of the claim they leave out *)
}

type certificate = {
  model : Document.t;
  options : Json.t;
  entries : Json.t list;  (** of its claims *)
  states_defined : bool Lazy.t;  (** whether what one model can show all can, so that every divergence is finite *)
}

let histories = "predictive states over whole histories; Statements.v has windows"
let fading = "the fading rule reads the whole past; Statements.v has blocks of m policies"
let summed = "operators are summed; Statements.v has them at the pair that occurs"
let max_comparisons = 100_000.  (* of blocks at histories, as in exporters/coq/theorems.py *)
let max_entries = 100_000.  (* of W, as there *)
let of_states =
  [ "factorization"; "oom-identity"; "nonexpansive"; "weak-revealing"; "kl-joint"; "kl-world"; "eluder-world"; "eluder-adversary" ]

let holds_always = [ "factorization"; "oom-identity"; "nonexpansive"; "covering" ]

(** One point of either side for all that have its tables. *)
let kept (doc : doc) : point list * point list =
  let distinct points tables =
    let met = Hashtbl.create 16 in
    List.filter
      (fun point ->
        let key = List.map (eval point) tables in
        (not (Hashtbl.mem met key)) && (Hashtbl.add met key (); true))
      points
  in
  let over_steps = function Always table -> [ table ] | Each tables -> tables in
  let flat tables = List.concat_map List.concat (over_steps tables) in
  let transition = List.concat (List.concat (List.concat (List.concat (over_steps doc.transition)))) in
  let world = List.concat [ flat doc.learner_emission; flat doc.adversary_emission; transition ] in
  (distinct doc.thetas world, distinct doc.phis (List.concat_map (fun (_, table) -> flat table) doc.responses))

let claim_of (certificate : certificate) (entry : Json.t) : claim =
  let { doc; policy_names; rule; gamma; rewards; truth } : Document.t = certificate.model in
  let id = text "claims.id" (get "claims" "id" entry) and verdict = text "claims.verdict" (get "claims" "verdict" entry) in
  let member part key = get (id ^ "." ^ part) key (get id part entry) in
  let value name =
    let where = id ^ ".values." ^ name in
    let found = member "values" name in
    let found = if id = "bounded-increments" || id = "covering" then get where "log_of" found else found in
    let q = Document.rational where found in
    if text where found <> Document.written q then refuse "%s: found %S, required %s" where (text where found) (Document.written q);
    q
  in
  let option where = get "options" where certificate.options in
  let stated asked left = { id; verdict; asked; left } and nothing left = { id; verdict; asked = []; left } in
  let number where label list =
    let rec go k = function
      | [] -> refuse "%s.%s: found %S, required one of the class" id where label
      | x :: rest -> if x = label then k else go (k + 1) rest
    in
    go 0 list
  in
  let label where list value = number where (text (id ^ "." ^ where) value) list in
  let labels where list value = List.map (label where list) (items (id ^ "." ^ where) value) in
  let at_point where points value =
    let point = Document.point (id ^ "." ^ where) value in
    let rec go k = function
      | [] -> refuse "%s.%s: found another point, required a parameter point of the class" id where
      | x :: rest -> if x = point then k else go (k + 1) rest
    in
    go 0 points
  in
  let in_place place key read = read key (get (id ^ ".place") key place) in
  let theta place key = in_place place key (fun where -> at_point where doc.thetas) in
  let phi place = in_place place "Phi" (fun where -> at_point where doc.phis) in
  let policy place key = in_place place key (fun where -> label where policy_names) in
  let step place =
    in_place place "h" (fun where value ->
        let h = natural (id ^ "." ^ where) value in
        if h < 1 then refuse "%s.h: found 0, required a step from 1" id else h - 1)
  in
  let model where value =
    let value = get id where value in
    (Document.point where (get where "theta" value), Document.point where (get where "Phi" value))
  in
  let rec alternating where first second = function
    | [] -> []
    | [ _ ] -> refuse "%s.%s: found half a pair, required pairs of an observation and an action" id where
    | o :: a :: rest -> (label where first o, label where second a) :: alternating where first second rest
  in
  let trajectory place =
    in_place place "trajectory" (fun where value ->
        alternating where doc.learner_observations doc.learner_actions (items (id ^ "." ^ where) value))
  in
  let masses value =
    let entry value =
      match items (id ^ ".q") value with
      | [ s; memory; mass ] ->
          ((label "q" doc.states s, labels "q" doc.adversary_observations memory), Document.rational (id ^ ".q") mass)
      | _ -> refuse "%s.q: found another list, required a state, a memory and a mass" id
    in
    List.map entry (items (id ^ ".q") value)
  in
  let state_at place =
    { r_i = theta place "theta"; r_j = theta place "theta_prime"; r_k = phi place; r_p = policy place "pi"; r_h = step place;
      r_u = in_place place "learner_part" (fun where -> labels where doc.learner_observations);
      r_o = in_place place "o" (fun where -> label where doc.learner_observations);
      r_a = in_place place "a" (fun where -> label where doc.learner_actions);
      r_q = masses (get id "q" place) }
  in
  let context place : Evidence.context =
    { i = theta place "theta"; j = theta place "theta_prime"; k = phi place; p = policy place "pi"; h = step place;
      memory = in_place place "learner_part" (fun where -> labels where doc.learner_observations);
      o = in_place place "o" (fun where -> label where doc.learner_observations);
      a = in_place place "a" (fun where -> label where doc.learner_actions) }
  in
  let history_at place =
    let seen = items (id ^ ".tau_B") (get id "tau_B" place) in
    let rec split = function
      | [] -> refuse "%s.tau_B: found no observation, required one" id
      | [ last ] -> ([], last)
      | x :: rest -> let before, last = split rest in (x :: before, last)
    in
    let before, last = split seen in
    let block key =
      match rule with
      | Some (Table _, _) -> in_place place key (fun where -> labels where policy_names)
      | Some (_, m) -> List.init m (fun _ -> policy place key)
      | None -> [ policy place key ]
    in
    { y_i = theta place "theta"; y_k = phi place; y_P = block "pi"; y_N = block "nu"; y_h = step place;
      y_past = alternating "tau_B" doc.adversary_observations doc.adversary_actions before;
      y_o = label "tau_B" doc.adversary_observations last }
  in
  let witness () = get id "witness" entry and evidence () = get id "evidence" entry in
  let attained () = get (id ^ ".evidence") "attained" (evidence ()) in
  let proved = verdict = "proved" in
  let lipschitz () =
    let form = option "lipschitz_form" = Text "policy" and count list = float_of_int (List.length list) in
    let heard = count doc.adversary_observations and done_ = count doc.adversary_actions in
    let histories = List.fold_left (fun n h -> n +. (Float.pow (heard *. done_) (float_of_int h) *. heard)) 0. (List.init doc.horizon Fun.id) in
    let comparisons size = histories *. Float.pow (count doc.policies) (2. *. float_of_int size) in
    let too_many = function
      | Table _, m -> comparisons m > max_comparisons
      | _ -> form && comparisons 1 > max_comparisons
    in
    let fades = rule = None in
    let rule, m = Option.value rule ~default:(Latest, 1) in
    let leap, follow, reach =
      ( ("responses_leap", fun () -> Leaps (rule, m, form, history_at (witness ()))),
        ("responses_follow", fun () -> if fades then FollowsAveraged (form, value "L_upper") else Follows (rule, m, form, value "L_upper")),
        ("responses_reach", fun () -> FollowsNoCloser (rule, m, form, value "L_lower", history_at (attained ()))) )
    in
    if too_many (rule, m) then nothing "too many pairs of blocks and histories for the checker, which goes through all of them"
    else if not proved then stated [ leap ] ""
    else
      let unshown = attained () = Null && not (qeq_bool (value "L_lower") Document.zero) in
      stated (if attained () = Null then [ follow ] else [ follow; reach ]) (if unshown then "that no smaller L will do: no place shows it" else "")
  in
  let revealing () =
    let options = option "weak_revealing" in
    let joint = get "options" "form" options = Text "joint" and kappa = natural "options.kappa" (option "kappa") in
    let reachable = get "options" "scope" options = Text "reachable" in
    let upper () = value "alpha_upper" and lower () = value "alpha_lower" in
    if not proved then
      let nothing_revealed () =
        let place = witness () in
        let x = state_at place in
        match find "q_other" place with
        | Some other when not reachable && not joint -> Crosses (kappa, x, masses other)
        | Some _ -> refuse "%s: found a change of sign, required the form literal and the scope simplex" id
        | None -> if reachable then RevealsReachedNothing (joint, kappa, x) else RevealsNothing (joint, kappa, x)
      in
      stated [ ("reveals_nothing", nothing_revealed) ] ""
    else
      let no_more () =
        let x = state_at (attained ()) in
        if reachable then RevealsReachedNoMore (joint, kappa, upper (), x) else RevealsNoMore (joint, kappa, upper (), x)
      and reveals () =
        if reachable then RevealsReached (joint, kappa, lower ())
        else Reveals (joint, kappa, Evidence.evidence doc kappa (lower ()) context (evidence ()))
      in
      stated [ ("reveals_no_more", no_more); ("reveals", reveals) ] ""
  in
  let pair place one other = (model one place, model other place, policy place "pi", trajectory place) in
  let covering () =
    let size = value "log_covering_upper" in
    let count () =
      if Big.equal size.qden Big.one && Big.fits_int size.qnum then Big.to_int size.qnum
      else refuse "covering.values.log_covering_upper: found a fraction, required the logarithm of an integer"
    in
    let net = let thetas, phis = kept doc in list_prod thetas phis in
    stated [ ("covered", fun () -> Covered (count (), net)); ("fewer_do_not", fun () -> FewerDoNot (count (), net)) ] ""
  in
  let conversion of_world =
    let letter = if of_world then "c_KL_world" else "c_KL_joint" in
    let places place = (model "xi_star" place, model "xi" place, policy place "pi") in
    if find "operators" certificate.options <> None then nothing summed
    else if not proved then
      stated [ ("converts_nothing", fun () -> let star, xi, p = places (witness ()) in ConvertsNothing (of_world, star, xi, p)) ] ""
    else
      let finite = Lazy.force certificate.states_defined in
      let lower () = value (letter ^ "_lower") and upper () = value (letter ^ "_upper") in
      let converts () = if finite then Converts (of_world, lower ()) else ConvertsWhereFinite (of_world, lower ()) in
      let no_more () =
        let star, xi, p = places (attained ()) in
        if finite then ConvertsNoMore (of_world, upper (), star, xi, p) else ConvertsNoMoreWhereFinite (of_world, upper (), star, xi, p)
      in
      stated [ ("converts", converts); ("converts_no_more", no_more) ] ""
  in
  let eluder of_world =
    let letter, side = if of_world then ("W", "theta") else ("G", "Phi") and evidence = evidence () and where = id ^ ".evidence" in
    let length (name : (string -> string, unit, string) format) =
      let q = value (Printf.sprintf name letter) in
      if Big.equal q.qden Big.one && Big.sign q.qnum >= 0 && Big.fits_int q.qnum then Big.to_int q.qnum
      else refuse "%s.values: found another number, required a whole one" id
    in
    let horizon = natural "options.T" (option "T") in
    let alpha = { qnum = Big.one; qden = Big.mul (Big.of_int 2) (Big.of_int horizon) } in
    let query entry = (policy entry "pi", Document.point where (get where side entry)) in
    let at_least () =
      let scale = Document.rational where (get where "scale_squared" evidence) in
      AtLeast (of_world, alpha, length "d_%s_lower", scale, model "xi_star" evidence, List.rev_map query (items where (get where "sequence" evidence)))
    in
    let at_most () = AtMost (of_world, alpha, length "d_%s_upper") and rank () = Rank (of_world, length "p_%s") in
    let many lists = List.fold_left (fun n labels -> n *. float_of_int (List.length labels)) (float_of_int doc.horizon) lists in
    let entries = many [ doc.states; doc.learner_observations; doc.learner_actions; doc.adversary_observations; doc.adversary_actions; doc.states ] in
    let dimension = [ ("dimension_at_least", at_least); ("dimension_at_most", at_most) ] in
    if find "operators" certificate.options <> None then nothing summed
    else if of_world && entries > max_entries then stated dimension "p_W, as there are more than 100,000 entries of W"
    else stated (dimension @ [ ("rank", rank) ]) ""
  in
  (* what is told against harmful models where each model is the true one, as the claim regret has it; of a policy against which one episode tells
     everything, as no trajectory is possible in both models, more than any evidence that there can be *)
  let policies_told evidence =
    let everything = { qnum = Big.of_int 1_000_000; qden = Big.one } in
    let least = function Null -> everything | c -> Document.rational "regret.c" c in
    let told each = (policy each "pi", least (get "regret.policies" "c" each)) in
    let of_truth truth = (natural "regret.harmful" (get "regret.truths" "harmful" truth), List.map told (items "regret.policies" (get "regret.truths" "policies" truth))) in
    List.map of_truth (items "regret.truths" (get "regret.evidence" "truths" evidence))
  in
  let time where q =
    if Big.equal q.qden Big.one && Big.sign q.qnum > 0 then q.qnum else refuse "%s.%s: found no number of episodes, required one" id where
  in
  (* Algorithm 1 rests on two claims settled before: likelihood ratios are bounded, and what the models say that may cost something *)
  let algorithm_1 rule m =
    let settled id =
      let entry = List.find_opt (fun entry -> get "claims" "id" entry = Text id) certificate.entries in
      match entry with
      | Some entry when get id "verdict" entry = Text "proved" -> Some (fun part key -> get (id ^ "." ^ part) key (get id part entry))
      | _ -> None
    in
    match (settled "regret", settled "bounded-increments") with
    | Some regret, Some increments ->
        let ratio = lazy (Document.rational "B0_upper" (get "B0_upper" "log_of" (increments "values" "B0_upper"))) in
        let tolds = lazy (policies_told (Object [ ("truths", regret "evidence" "truths") ])) and delta = lazy (Document.rational "options.delta" (option "delta")) in
        let upper = value "sharp_regret_upper" in
        let at_T = { qnum = Big.of_int (natural "options.T" (option "T")); qden = Big.one } in
        let cost = Document.rational "regret.D" (regret "values" "D") in
        let thetas, phis = kept doc in
        let once = List.length thetas < List.length doc.thetas || List.length phis < List.length doc.phis in
        let learns () =
          let models = list_prod doc.thetas doc.phis and tolds = Lazy.force tolds in
          if List.compare_lengths models tolds <> 0 then refuse "regret.truths: found another number of truths, required one a model";
          let of_kept ((theta, phi), told) = if List.mem theta thetas && List.mem phi phis then Some told else None in
          let tolds = List.filter_map of_kept (List.combine models tolds) in
          Learns (rule, m, rewards, value "reward_range", value "later_range", value "c", Lazy.force ratio, Lazy.force delta, tolds, time "T" at_T, upper,
                  time "T_star" (value "T_star"), cost, if once then Some (thetas, phis) else None) in
        stated [ ("algorithm_regret", learns) ] "its other lines"
    | _ -> nothing "the claim regret, which says what models tell that may cost something, is not proved"
  in
  let windowed = option "space" = Text "window" in
  let unstated = if verdict = "refuted" then get id "values" entry <> Object [] else get id "witness" entry <> Null in
  if unstated then
    let why () = refuse "%s: found values of what is refuted or a witness of what is not, required one of them" id in
    stated [ ("verdict", why) ] ""
  else match verdict with
  | "unknown" -> nothing "the certificate does not decide it"
  | "declared" -> nothing "the certificate declares it on trust"
  | "vacuous" -> nothing "vacuous: it compares nothing"
  | _ when List.mem id of_states && not windowed -> nothing histories
  | "refuted" when List.mem id holds_always ->
      stated [ ("refuted", fun () -> refuse "%s: found refuted, required proved: it holds of every finite class" id) ] ""
  | _ -> (
      match id with
      | "factorization" -> stated [ ("factors", fun () -> Factors) ] ""
      | "oom-identity" -> stated [ ("laws_are_products", fun () -> LawsAreProducts) ] ""
      | "nonexpansive" -> stated [ ("does_not_expand", fun () -> DoesNotExpand) ] ""
      | "posterior-lipschitz" -> lipschitz ()
      | "weak-revealing" -> revealing ()
      | "well-specified" ->
          let truth () = match truth with Some found -> found | None -> refuse "truth: found none, required one" in
          stated [ (if proved then ("truth_in_class", fun () -> TruthInside (truth ())) else ("truth_outside", fun () -> TruthOutside (truth ()))) ] ""
      | "covering" -> covering ()
      | "bounded-increments" when not proved ->
          stated [ ("increments_unbounded", fun () -> let x, y, p, tau = pair (witness ()) "xi" "xi_prime" in IncrementsUnbounded (x, y, p, tau)) ] ""
      | "bounded-increments" ->
          stated
            [ ("increments_bounded", fun () -> IncrementsBounded (value "B0_upper"));
              ("increments_reach", fun () -> let x, y, p, tau = pair (attained ()) "xi" "xi_prime" in IncrementsReach (value "B0_lower", x, y, p, tau)) ]
            ""
      | "predictive-states" when not proved ->
          stated [ ("states_undefined", fun () -> let x, y, p, tau = pair (witness ()) "xi" "xi_prime" in StatesUndefined (x, y, p, tau)) ] ""
      | "predictive-states" -> stated [ ("states_defined", fun () -> StatesDefined) ] ""
      | "kl-joint" -> conversion false
      | "kl-world" -> conversion true
      | "eluder-world" -> eluder true
      | "eluder-adversary" -> eluder false
      | "warmup-stationary" -> (
          match rule with
          | None ->
              let no_less () = FadesNoLess (value "L_g") in
              let least = if Big.sign (value "L_g").qnum = 0 then [] else [ ("fades_no_less", no_less) ] in
              let fades () =
                match gamma with
                | Some gamma when qeq_bool gamma (value "gamma") -> Fades (gamma, value "L_g")
                | _ -> refuse "%s.values.gamma: found another number, required the gamma of the class" id
              in
              stated (("fades", fades) :: least) ""
          | Some (rule, m) -> stated [ ("settles", fun () -> Settles (rule, m)) ] "")
      | "regret" -> (
          match rule with
          | None -> nothing fading
          | Some (rule, m) ->
              let tolds = lazy (policies_told (get id "evidence" entry)) and delta = lazy (Document.rational "options.delta" (option "delta")) in
              let at_T = { qnum = Big.of_int (natural "options.T" (option "T")); qden = Big.one } in
              let guarantee () =
                Guarantee (rule, m, rewards, value "span", Lazy.force delta, Lazy.force tolds, time "T" at_T, value "nested_regret_upper", value "gap_upper",
                           time "worth_T" (value "worth_T"), value "D") in
              stated [ ("regret", guarantee) ] "")
      | "constants" -> ( match rule with None -> nothing fading | Some (rule, m) -> algorithm_1 rule m)
      | _ -> nothing "no checker yet")
