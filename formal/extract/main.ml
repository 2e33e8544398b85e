(** pomgcheck-kernel: the claims of a certificate that have a checker proved in Coq, decided by that checker.

    [pomgcheck-kernel FILE] prints a line for each claim: confirmed, refused or no checker.  It ends with 0 where nothing is
    refused, with 1 where something is, and with 2 where the file cannot be read.  Digests are not looked at. *)

open Checkers

let max_bytes = 16 * 1024 * 1024

let read_file path =
  match open_in_bin path with
  | exception Sys_error why -> Json.refuse "%s, required a certificate file" why
  | channel ->
      Fun.protect ~finally:(fun () -> close_in channel) (fun () ->
          match in_channel_length channel with
          | size when size > max_bytes -> Json.refuse "%s: found %d bytes, required at most %d" path size max_bytes
          | size -> really_input_string channel size
          | exception Sys_error why -> Json.refuse "%s: %s, required a certificate file" path why)

(** The first statement of a claim that is not confirmed, or why one cannot be read. *)
let refusal doc states_defined (claim : Claims.claim) =
  List.find_map
    (fun (name, statement) ->
      match statement () with
      | exception Json.Unreadable why -> Some why
      | StatesDefined when Lazy.force states_defined -> None
      | statement -> if confirmed doc statement then None else Some (Printf.sprintf "the check of %s computes to false" name))
    claim.asked

let line (claim : Claims.claim) why =
  let left = if claim.left = "" then "" else Printf.sprintf "; not checked: %s" claim.left in
  match (claim.asked, why) with
  | [], _ -> Printf.sprintf "%s: no checker: %s" claim.id claim.left
  | _, None -> Printf.sprintf "%s: confirmed%s" claim.id left
  | _, Some why -> Printf.sprintf "%s: refused: %s" claim.id why

let run path =
  let certificate = Json.parse (read_file path) in
  let format = "pomgcheck-certificate/2" in
  if Json.get "certificate" "format" certificate <> Json.Text format then
    Json.refuse "%s: found another format, required %S" path format;
  let model = Document.read (Json.get "certificate" "model" certificate) in
  let entries = Json.items "claims" (Json.get "certificate" "claims" certificate) in
  if not (check_class model.doc) then (print_endline "model: refused: a row that is no distribution"; 1)
  else
    let states_defined = lazy (confirmed model.doc StatesDefined) in
    let options = Json.get "certificate" "options" certificate in
    let read = [ "T"; "delta"; "kappa"; "limits"; "lipschitz_form"; "operators"; "reference"; "space"; "weak_revealing" ] in
    let unread (name, _) = if not (List.mem name read) then Json.refuse "options: found %S, required options that this program knows" name in
    List.iter unread (Json.fields "options" options);
    let answer refused entry =
      let id = Json.text "claims.id" (Json.get "claims" "id" entry) in
      let said, why =
        match Claims.claim_of { model; options; entries; states_defined } entry with
        | exception Json.Unreadable why -> (id ^ ": refused: " ^ why, Some why)
        | claim ->
            let why = refusal model.doc states_defined claim in
            (line claim why, why)
      in
      print_endline said;
      refused || why <> None
    in
    if List.fold_left answer false entries then 1 else 0

let () =
  let told said = prerr_endline ("pomgcheck-kernel: " ^ said); 2 in
  exit
    (match Sys.argv with
    | [| _; path |] -> (
        try run path with
        | Json.Unreadable why -> told why
        | Document.Outside why -> told (Printf.sprintf "%s: found %s, required a finite class with windows of a stated length" path why)
        | Stack_overflow | Out_of_memory -> told (path ^ ": found more than memory holds, required a smaller class"))
    | _ -> told "found other arguments, required one: the path of a certificate")
