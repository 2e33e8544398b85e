(** A thin reader of JSON: objects, arrays, strings, integers, booleans and null.  It is trusted.

    Floats and repeated keys are refused, as the format of certificates has neither. *)

module Big = Z  (* the checkers have a Z of their own *)

type t =
  | Null
  | Bool of bool
  | Integer of Z.t
  | Text of string
  | Array of t list
  | Object of (string * t) list

exception Unreadable of string
(** One sentence: where, what was found and what was required. *)

let refuse format = Printf.ksprintf (fun said -> raise (Unreadable said)) format

(** The parsed text.  Raises [Unreadable] for what is not JSON or has floats or a key twice. *)
let parse (text : string) : t =
  let length = String.length text and at = ref 0 in
  let wrong what = refuse "byte %d: found %s, required JSON in UTF-8 with exact numbers" !at what in
  let peek () = if !at < length then text.[!at] else '\000' in
  let rec blank () =
    match peek () with
    | (' ' | '\t' | '\n' | '\r') when !at < length -> incr at; blank ()
    | _ -> ()
  in
  let expect c = if peek () = c && !at < length then incr at else wrong (Printf.sprintf "no %C" c) in
  let word said value =
    let size = String.length said in
    if !at + size <= length && String.sub text !at size = said then (at := !at + size; value) else wrong "an unknown word"
  in
  let hexadecimal () =
    if !at + 4 > length then wrong "a cut escape";
    let digits = String.sub text !at 4 in
    if not (String.for_all (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false) digits) then
      wrong "an escape without four digits";
    at := !at + 4;
    int_of_string ("0x" ^ digits)
  in
  let quoted () =
    let kept = Buffer.create 16 in
    expect '"';
    let rec go () =
      if !at >= length then wrong "a string without an end";
      let c = text.[!at] in
      incr at;
      match c with
      | '"' -> Buffer.contents kept
      | '\\' ->
          let escape = peek () in
          incr at;
          (match escape with
          | '"' | '\\' | '/' -> Buffer.add_char kept escape
          | 'b' -> Buffer.add_char kept '\b'
          | 'f' -> Buffer.add_char kept '\012'
          | 'n' -> Buffer.add_char kept '\n'
          | 'r' -> Buffer.add_char kept '\r'
          | 't' -> Buffer.add_char kept '\t'
          | 'u' ->
              let first = hexadecimal () in
              let code =
                if first land 0xFC00 <> 0xD800 then first
                else (
                  expect '\\'; expect 'u';
                  let second = hexadecimal () in
                  if second land 0xFC00 <> 0xDC00 then wrong "half of a surrogate pair";
                  0x10000 + ((first land 0x3FF) lsl 10) + (second land 0x3FF))
              in
              if not (Uchar.is_valid code) then wrong "half of a surrogate pair";
              Buffer.add_utf_8_uchar kept (Uchar.of_int code)
          | _ -> wrong "an unknown escape");
          go ()
      | c when c < ' ' -> wrong "a control character in a string"
      | c -> Buffer.add_char kept c; go ()
    in
    go ()
  in
  let number () =
    let start = !at in
    if peek () = '-' then incr at;
    let digits = !at in
    while (match peek () with '0' .. '9' -> true | _ -> false) do incr at done;
    (match peek () with '.' | 'e' | 'E' -> wrong "a float" | _ -> ());
    if !at = digits || (text.[digits] = '0' && !at > digits + 1) then wrong "a number that is none";
    if !at - digits > 100_000 then wrong "an integer of more than 100000 digits";
    Integer (Z.of_string (String.sub text start (!at - start)))
  in
  let rec value depth =
    if depth > 500 then wrong "nesting too deep to read";
    blank ();
    let found =
      match peek () with
      | '{' -> incr at; blank (); Object (if peek () = '}' then (incr at; []) else fields depth [])
      | '[' -> incr at; blank (); Array (if peek () = ']' then (incr at; []) else items depth [])
      | '"' -> Text (quoted ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> number ()
    in
    blank ();
    found
  and items depth found =
    let found = value (depth + 1) :: found in
    if peek () = ',' then (incr at; items depth found) else (expect ']'; List.rev found)
  and fields depth found =
    blank ();
    let key = quoted () in
    if List.mem_assoc key found then wrong (Printf.sprintf "the key %S twice" key);
    blank (); expect ':';
    let found = (key, value (depth + 1)) :: found in
    if peek () = ',' then (incr at; fields depth found) else (expect '}'; List.rev found)
  in
  let found = value 0 in
  if !at < length then wrong "something after the end";
  found

let kind = function
  | Null -> "null" | Bool _ -> "a truth value" | Integer _ -> "an integer"
  | Text _ -> "a string" | Array _ -> "an array" | Object _ -> "an object"

let fields where = function Object found -> found | other -> refuse "%s: found %s, required an object" where (kind other)
let items where = function Array found -> found | other -> refuse "%s: found %s, required an array" where (kind other)
let text where = function Text found -> found | other -> refuse "%s: found %s, required a string" where (kind other)

let find key value = match value with Object found -> List.assoc_opt key found | _ -> None

let get where key value =
  match List.assoc_opt key (fields where value) with
  | Some found -> found
  | None -> refuse "%s: found no key %S, required one" where key

(** A natural number that counts or indexes something. *)
let natural where = function
  | Integer n when Z.sign n >= 0 && Z.leq n (Z.of_int 1_000_000) -> Z.to_int n
  | Integer n -> refuse "%s: found %s, required an integer from 0 to 1000000" where (Z.to_string n)
  | other -> refuse "%s: found %s, required an integer" where (kind other)
