"""Strict reading, digests, every claim discharged, verdict.

    python -I -m pomgcheck.kernel X.cert.json [MODEL.json]

prints ``VERIFIED model … certificate … certified|not-certified; …`` (``verdict_line``) and exits 0, or
``REJECTED <claim> <rule>: found ..., required ...`` and exits 1; 2 if a file cannot be read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from .budget import WORK, OverBudget, limited
from .case import VERDICTS, Case, Claim, OnIntervals, Rejected, at_points, recomputed
from .claims import CLAIMS, by_boxes
from .facts import Facts, summed
from .game import Game
from .limits import CAPS, bound_trajectories, coordinates
from .polynomials import TooLarge
from .reading import Malformed, Object, digest, long_integers, mapping, rational, read_json, require, sequence, take

FORMAT = "pomgcheck-certificate/2"
MAX_BYTES = 16 * 1024 * 1024  # of one file, a hundred times the largest of the gallery
# that the entries are probabilities on the whole class: what is proved on intervals rests on it
PRESUPPOSED = "nonexpansive"
PLAYED = {
    "bounded-increments",
    "predictive-states",
    "kl-joint",
    "kl-world",
    "eluder-world",
    "eluder-adversary",
    "regret",
}  # decided by playing every trajectory
GROUPS = (
    {"2.3": "Assumption 2.3", "2.4": "Assumption 2.4", "2.5": "Theorem 2.5", "2.6": "Proposition 2.6"}
    | {f"3.1{letter}": f"Assumption 3.1({letter})" for letter in "abcdef"}
    | {"3.3": "Theorem 3.3", "N": "Theorem N"}
)


class Verdict(NamedTuple):
    """A verdict is the kernel's answer; ``line`` is what it prints. ``certificate`` is the parsed file where it was
    accepted. A rejected verdict is false."""

    accepted: bool
    line: str
    certified: bool = False
    certificate: dict[str, Any] | None = None
    claim: str = ""
    rule: str = ""
    found: str = ""
    required: str = ""

    def __bool__(self) -> bool:
        """Return whether the certificate was accepted: a rejected one is false."""
        return self.accepted

    def __repr__(self) -> str:
        return f"<{self.line}>"

    def _repr_html_(self) -> str:
        return "<code>" + self.line.replace("&", "&amp;").replace("<", "&lt;") + "</code>"


def verify(path: str | Path, model: str | Path | None = None) -> Verdict:
    """Check a certificate file, and that it is about ``model`` (a canonical document) if that is given; return the
    verdict."""
    try:
        data, about = read_file(path), None if model is None else read_file(model)
    except Malformed as error:
        return rejected(Rejected("file", f"read {error.where}", error.found, error.required))
    return verify_bytes(data, about)


def read_file(path: str | Path) -> bytes:
    """Return a file's bytes.

    Raises ``Malformed`` for more than MAX_BYTES, by the size before it is read or, where the file has none, as a pipe,
    by reading no further.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(MAX_BYTES + 1) if size <= MAX_BYTES else b""
    bound_size(max(size, len(data)))
    return data


def bound_size(size: int) -> None:
    """Raise ``Malformed`` where a file is larger than ``MAX_BYTES``."""
    require(size <= MAX_BYTES, "file", f"{size} bytes or more", f"at most {MAX_BYTES}")


def verify_bytes(data: bytes, model: bytes | None = None) -> Verdict:
    """Check a certificate as ``verify`` does, from the bytes of the files; return the verdict."""
    try:
        with limited(), long_integers():
            bound_size(len(data))
            certificate = read_certificate(read_json(data))
            if model is not None:
                found = digest(read_json(model, "model"))
                if found != certificate["model_sha256"]:
                    raise Rejected("model", "digest", found, certificate["model_sha256"])
            game = discharge(certificate)
    except Malformed as error:
        return rejected(Rejected("file", f"read {error.where}", error.found, error.required))
    except OverBudget as error:
        return rejected(Rejected("file", "budget", error.found, f"a certificate that takes at most {WORK} units"))
    except Rejected as error:
        return rejected(error)
    except Exception as error:  # whatever goes wrong, nothing was shown
        return rejected(Rejected("file", "limits", type(error).__name__, "a certificate within the kernel's means"))
    return Verdict(True, verdict_line(certificate, game), certificate["summary"]["certified"], certificate)


def verdict_line(certificate: Object, game: Game) -> str:
    """Return what was verified, in one line: both digests, the verdict, every claim that says nothing or is only
    declared, the options that change what is claimed, and the rings of the kernel that were entered."""
    options, summary = certificate["options"], certificate["summary"]
    vacuous = [claim["id"] for claim in certificate["claims"] if claim["verdict"] == "vacuous"]
    named = {"vacuous": vacuous, "declared": summary["declared"]}
    said = [f"{name}: {', '.join(ids) or 'none'}" for name, ids in named.items()]
    reveal = options["weak_revealing"]
    read = {"kappa": options["kappa"], "form": reveal["form"], "scope": reveal["scope"]}
    read |= {"lipschitz": options["lipschitz_form"], "space": options["space"], "T": options["T"]}
    read |= {"operators": "summed"} if summed(options) else {}
    return "; ".join(
        [
            f"VERIFIED model {certificate['model_sha256']} certificate {certificate['sha256']} "
            f"{'certified' if summary['certified'] else 'not-certified'}",
            *said,
            " ".join(f"{name}={value}" for name, value in read.items()),
            f"rings: {', '.join(rings(game))}",
        ]
    )


def rings(game: Game) -> list[str]:
    """Return the parts of the kernel that a class of this kind enters."""
    return ["core", *([] if game.finite else ["continuum"]), *(["given operators"] if game.own else [])]


def rejected(error: Rejected) -> Verdict:
    """Return the verdict of a certificate whose evidence does not hold."""
    return Verdict(False, f"REJECTED {error}", False, None, error.claim, error.rule, error.found, error.required)


def content_digest(certificate: Object) -> str:
    """Return the SHA-256 of everything but the digest itself and what the tool and its search say about themselves."""
    claims = [{key: value for key, value in claim.items() if key != "search"} for claim in certificate["claims"]]
    kept = {key: value for key, value in certificate.items() if key not in ("sha256", "tool")}
    return digest(kept | {"claims": claims})


def read_certificate(value: object) -> dict[str, Any]:
    """Return the certificate, once its shape and its two digests are right; raise ``Malformed`` or ``Rejected`` where
    they are not."""
    stated = value.get("format") if isinstance(value, dict) else None
    require(stated in (None, FORMAT), "format", repr(stated), f"{FORMAT!r}; certify the class again")
    keys = ("format", "model", "model_sha256", "options", "readings", "claims", "summary", "tool", "sha256")
    certificate = dict(take(value, "certificate", keys))
    for key, text in take(certificate["tool"], "tool", ("name", "version")).items():
        require(isinstance(text, str), f"tool.{key}", type(text).__name__, "a string")
    for number, claim in enumerate(sequence(certificate["claims"], "claims")):
        where = f"claims[{number}]"
        names = ("id", "paper", "verdict", "values", "evidence", "witness", "search")
        take(claim, where, names)
        for name in ("id", "paper", "verdict"):
            require(isinstance(claim[name], str), f"{where}.{name}", type(claim[name]).__name__, "a string")
        require(isinstance(claim["values"], dict), f"{where}.values", type(claim["values"]).__name__, "an object")
        for key, said in mapping(claim["search"], f"{where}.search").items():
            texts = list(mapping(said, f"{where}.search").values()) if key == "solvers" else [said]
            require(all(isinstance(text, str) for text in texts), f"{where}.search.{key}", "another type", "strings")
        require(claim["verdict"] in VERDICTS, f"{where}.verdict", repr(claim["verdict"]), f"one of {VERDICTS}")
    if (found := digest(certificate["model"])) != certificate["model_sha256"]:
        raise Rejected("model", "digest", found, certificate["model_sha256"])
    if (found := content_digest(certificate)) != certificate["sha256"]:
        raise Rejected("certificate", "digest", found, certificate["sha256"])
    return certificate


def read_options(options: Any, game: Game) -> Object:
    """Return the options that change statements, in range and all present except ``operators``, which is written only
    if they are summed."""
    names = ("kappa", "space", "weak_revealing", "lipschitz_form", "T", "delta", "reference", "limits")
    take(options, "options", names, ("operators",))
    reveal = take(options["weak_revealing"], "options.weak_revealing", ("form", "scope", "tol"))
    limits = take(options["limits"], "options.limits", tuple(CAPS))
    ranges = {"kappa": (options["kappa"], 1000), "T": (options["T"], 10**18)} | {x: (limits[x], CAPS[x]) for x in CAPS}
    for name, (value, most) in ranges.items():
        good = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most
        require(good, f"options.{name}", repr(value), f"an integer from 1 to {most}")
    words = {
        "space": (options["space"], "window", "history"),
        "form": (reveal["form"], "literal", "joint"),
        "scope": (reveal["scope"], "simplex", "reachable"),
        "lipschitz_form": (options["lipschitz_form"], "step", "policy"),
        "operators": (options.get("operators", "summed"), "summed"),
    }
    for name, (value, *known) in words.items():
        wanted = f"one of {known}" if len(known) > 1 else f"{known[0]!r}, or no entry"
        require(isinstance(value, str) and value in known, f"options.{name}", repr(value), wanted)
    require(rational(reveal["tol"], "options.tol") > 0, "options.tol", reveal["tol"], "a positive number")
    require(0 < rational(options["delta"], "options.delta") < 1, "options.delta", options["delta"], "between 0 and 1")
    if options["reference"] != "uniform":
        row = sequence(options["reference"], "options.reference", len(game.B))
        law = [rational(text, "options.reference") for text in row]
        support = bool(law) and min(law) > 0 and sum(law) == 1
        require(support, "options.reference", list(map(str, law)), "a full-support law: positive numbers of sum 1")
    full = not game.own and options["space"] == "window" and None in (game.learner_window, game.adversary_window)
    require(not full, "options.space", "window", 'history, since the class reads full histories (window = "full")')
    count = coordinates(game, options["space"])
    limit = options["limits"]["coordinates"]
    require(count <= limit, "options.space", f"{count} coordinates", f"at most limits.coordinates = {limit}")
    return options  # type: ignore[no-any-return]


def readings(game: Game, options: Object) -> list[str]:
    """Return every place where the paper leaves a choice, and the choice that this certificate makes, by id."""
    reveal, kappa = options["weak_revealing"], options["kappa"]
    if game.own:
        return ["2.5:operators=given"]
    return [
        f"2.3:form={options['lipschitz_form']}",
        f"2.4:form={reveal['form']}",
        f"2.4:scope={reveal['scope']}",
        "2.4:steps=up-to-H-kappa",
        *(["2.4:policies=class"] if kappa > 1 else []),
        f"2.5:space={options['space']}",
        f"3.1e:operators={'summed' if summed(options) else 'realised'}",
        *(["5.2:memory=fading"] if game.gamma is not None else []),
    ]


def discharge(certificate: Object) -> Game:
    """Check every claim that the class owes, once and in order, each by its rule, and then the summary; return the
    class."""
    game = Game(certificate["model"])
    options = read_options(certificate["options"], game)
    if not game.finite:
        inhabited_sides(game)
    if certificate["readings"] != readings(game, options):
        raise Rejected("certificate", "readings", certificate["readings"], readings(game, options))
    facts = facts_of(game, options)
    found = [claim["id"] for claim in certificate["claims"]]
    owed = [claim.id for claim in CLAIMS]
    if found != owed:
        raise Rejected("certificate", "owed", f"the claims {found}", owed)
    reachable = options["weak_revealing"]["scope"] == "reachable"
    decided = {claim["id"] for claim in certificate["claims"] if claim["verdict"] != "unknown"}
    on_axes = not (game.finite or game.own)  # a finite class counts prefixes as it merges them
    if on_axes and (decided & PLAYED or reachable and "weak-revealing" in decided):
        bound_trajectories(game, facts.tables, len(facts.continuum.phis), options["limits"]["trajectories"])
    boxed = {claim for claim in decided if by_boxes(claim, game)}
    if boxed and verdict_of(certificate, PRESUPPOSED) != "proved":
        raise Rejected(PRESUPPOSED, "owed", "no proof that entries are probabilities", f"one, before {sorted(boxed)}")
    settled: dict[str, Object] = {}
    for claim, entry in zip(CLAIMS, certificate["claims"], strict=True):
        try:
            check_claim(facts, claim, entry, settled)
        except Malformed as error:
            raise Rejected(claim.id, f"read {error.where}", error.found, error.required) from None
        settled[claim.id] = entry
    expected = summary_of(certificate["claims"])
    if digest(certificate["summary"]) != digest(expected):  # 1 is not true
        raise Rejected("summary", "owed", certificate["summary"], expected)
    return game


def facts_of(game: Game, options: Object) -> Facts:
    """Return the facts of a class; those of a class given by operators are in a ring of their own."""
    if game.own:
        from .given_operators import GivenFacts

        return GivenFacts(game, options)
    return Facts(game, options)


def inhabited_sides(game: Game) -> None:
    """Refuse a class with interval axes that has no model, whatever is claimed about it."""
    from .continua import cells

    try:
        for side, name in (("worlds", "theta"), ("responses", "Phi")):
            cells(game.document[side], side, name)
    except TooLarge:
        raise Malformed("constraints", "more than can be examined for a common point", "a simpler class") from None


def verdict_of(certificate: Object, name: str) -> Any:
    """Return the verdict of the claim of that name."""
    return next(claim["verdict"] for claim in certificate["claims"] if claim["id"] == name)


def summary_of(claims: list[Any]) -> dict[str, Any]:
    """Return the worst verdict of each assumption and theorem.

    A class is certified when nothing is refuted or unknown, except Theorem N, which asks for little and has its own
    say.
    """
    worst: dict[str, Any] = {
        group: max((c["verdict"] for c in claims if c["paper"] == paper), key=VERDICTS.index)
        for group, paper in GROUPS.items()
    }
    worst["certified"] = all(c["verdict"] not in ("refuted", "unknown") for c in claims if c["id"] != "regret")
    worst["declared"] = [c["id"] for c in claims if c["verdict"] == "declared"]
    return worst


def check_claim(facts: Facts, claim: Claim, entry: Object, settled: Object) -> None:
    """Check one claim: its verdict by evidence or witness, and by the claims settled before."""
    if entry["paper"] != claim.paper:
        raise Rejected(claim.id, "owed", entry["paper"], claim.paper)
    case, verdict = Case(facts, claim.id, entry["values"], settled), entry["verdict"]
    if verdict == "unknown":
        if entry["values"] or entry["evidence"] is not None or entry["witness"] is not None:
            raise Rejected(claim.id, "unknown", "values, evidence or a witness", "none")
        return
    if why := facts.undecided(claim.id):
        raise Rejected(claim.id, "eval", verdict, why)
    if facts.game.own:
        from .given_operators import as_given

        claim = as_given(claim)
    on_intervals = claim.intervals if by_boxes(claim.id, facts.game) else None
    if on_intervals and claim.id != "constants":
        if verdict == "refuted":
            case = at_points(case, entry["witness"])  # what fails for some models of a class fails for the class
        elif verdict == "proved":
            check_intervals(case, entry, claim, on_intervals)
            return
        elif verdict == "vacuous" and on_intervals.vacuous:
            evidence = mapping(entry["evidence"], f"{claim.id}.evidence")
            if entry["values"] or entry["witness"] is not None or evidence != {"rule": "eval"}:
                raise Rejected(claim.id, "eval", "values, a witness or other evidence", "the rule eval alone")
            if not on_intervals.vacuous(case):
                raise Rejected(claim.id, "eval", "vacuous", "proved, or refuted by a witness")
            return
        else:
            raise Rejected(claim.id, "box", verdict, "unknown, since an axis is an interval")
    evidence = entry["evidence"]
    if verdict in ("proved", "vacuous") and isinstance(evidence, dict) and claim.id in PLAYED | {"constants"}:
        case, evidence = case.ended(evidence), {key: x for key, x in evidence.items() if key != "endings"}
    outcome = claim.outcome(case)
    if verdict == "refuted":
        if outcome is not None and outcome.verdict not in ("refuted", "unknown"):  # if unknown, a witness decides
            raise Rejected(claim.id, "eval", "refuted", outcome.verdict)
        if entry["values"] or entry["evidence"] is not None:
            raise Rejected(claim.id, "witness", "values or evidence", "a witness alone")
        if claim.witness is None:
            raise Rejected(claim.id, "witness", "a refutation", "a claim that can fail on a model given by kernels")
        claim.witness(case, entry["witness"])
        return
    if entry["witness"] is not None:
        raise Rejected(claim.id, "witness", "a witness", f"none for the verdict {verdict}")
    if outcome is None and verdict != "proved" or outcome is not None and outcome.verdict != verdict:
        raise Rejected(claim.id, "eval", verdict, outcome.verdict if outcome else "proved, or refuted by a witness")
    if on_intervals and verdict == "proved":
        check_intervals(case, entry, claim, on_intervals)
        return
    check_values(case, entry, claim.values, outcome.values if outcome else {})
    require(isinstance(evidence, dict), f"{claim.id}.evidence", type(evidence).__name__, "an object")
    wanted = {"declared": "assume", "vacuous": "eval"}.get(verdict) or claim.rule(facts)
    if evidence.get("rule") != wanted:
        raise Rejected(claim.id, str(evidence.get("rule")), "this rule", wanted)
    (claim.check if verdict == "proved" else recomputed)(case, evidence)


def check_intervals(case: Case, entry: Object, claim: Claim, on_intervals: OnIntervals) -> None:
    """Check a proof on interval axes."""
    if entry["witness"] is not None:
        raise Rejected(claim.id, "witness", "a witness", "none for the verdict proved")
    check_values(case, entry, on_intervals.values, {}, logarithms=True)
    evidence = mapping(entry["evidence"], f"{claim.id}.evidence")
    if evidence.get("rule") != on_intervals.rule:
        raise Rejected(claim.id, str(evidence.get("rule")), "this rule", on_intervals.rule)
    try:
        on_intervals.check(case, evidence)
    except TooLarge:
        raise Rejected(claim.id, on_intervals.rule, "a polynomial of too many terms", "a simpler class") from None


def check_values(case: Case, entry: Object, stated: Sequence[str], known: Object, logarithms: bool = False) -> None:
    """Check that the values are the claim's own, exact, and equal to what the kernel computed where it computed them."""
    values = entry["values"]
    names = {*stated, *known} if entry["verdict"] == "proved" else set[str]()
    if set(values) != names:
        raise Rejected(case.id, "values", sorted(values), sorted(names))
    for name, value in values.items():
        ends = isinstance(value, dict) and set(value) in ({"log_of"}, {"lower", "upper"})
        for text in value.values() if ends else [value]:
            number: Fraction = rational(text, f"{case.id}.values.{name}")
            require(str(number) == text, f"{case.id}.values.{name}", text, f"lowest terms, {number}")
        if name in known and known[name] != value:
            raise Rejected(case.id, "eval", f"{name} = {value}", known[name])
        plain = name in known or not isinstance(value, dict) or name in ("C_0", "B0_lower") or logarithms
        require(plain, f"{case.id}.values.{name}", value, "a rational")


def main(arguments: list[str]) -> int:
    """Print the verdict line of one certificate; return the exit code, which says the same."""
    if len(arguments) not in (1, 2):
        print("usage: python -I -m pomgcheck.kernel CERT [MODEL]", file=sys.stderr)
        return 2
    try:
        verdict = verify(*arguments)
    except OSError as error:
        what = "model document" if [error.filename] == arguments[1:] else "certificate file"
        print(f"{error.filename}: {error.strerror}; give the path of a {what}", file=sys.stderr)
        return 2
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    print(verdict.line)
    return 0 if verdict.accepted else 1
