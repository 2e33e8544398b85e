"""What Coq is asked about each claim of a certificate: theorems with their proofs, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pomgcheck.exporters.coq import terms
from pomgcheck.exporters.coq.revealing import evidence_of
from pomgcheck.exporters.coq.terms import number
from pomgcheck.kernel.facts import Facts

CHECKED = "vm_cast_no_check (eq_refl true)"  # the kernel computes the check once, at Qed
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Theorem:
    """A theorem of a generated file: its name, what it says, and the tactics that prove it."""

    name: str
    statement: str
    proof: str

    def __str__(self) -> str:
        return (
            f"Theorem {self.name} :\n  {self.statement}.\nProof. {self.proof}. Qed.\nPrint Assumptions {self.name}.\n"
        )


@dataclass(frozen=True)
class Stated:
    """A claim in Coq: its theorems with the definitions before them and the files of ``formal/`` that they need.

    ``says`` is what they say, for a table; ``left`` is what of the claim they leave out.  A claim without theorems is
    left out whole.
    """

    claim: str
    verdict: str
    theorems: tuple[Theorem, ...] = ()
    says: str = ""
    left: str = ""
    requires: tuple[str, ...] = ()
    definitions: str = ""

    @property
    def module(self) -> str:
        """The name of its file, without the ending."""
        return self.claim.replace("-", "_")


@dataclass(frozen=True)
class Subject:
    """What the statements are made of: the facts of the class, and the claim's entry in the certificate."""

    facts: Facts
    entry: Entry
    entries: Mapping[str, Entry] = field(repr=False)

    @property
    def window(self) -> bool:
        """Whether the certificate's predictive states are those of Statements.v, over windows."""
        return not self.facts.space.history

    def value(self, name: str) -> Fraction:
        """An exact value of the claim, or what it is the logarithm of."""
        value = self.entry["values"][name]
        return Fraction(value["log_of"] if isinstance(value, dict) else value)

    def stated(self, *theorems: Theorem, says: str, **rest: Any) -> Stated:
        """The claim with theorems."""
        return Stated(self.entry["id"], self.entry["verdict"], theorems, says, **rest)

    def left(self, why: str) -> Stated:
        """The claim without any."""
        return Stated(self.entry["id"], self.entry["verdict"], left=why)


HISTORIES = "predictive states over whole histories; Statements.v has windows"
UNDECIDED = {
    "unknown": "the certificate does not decide it",
    "declared": "the certificate declares it on trust",
    "vacuous": "vacuous: it compares nothing",
}


def factorization(of: Subject) -> Stated:
    """Theorem 2.5: J = G W, which holds for every document."""
    statement = "forall F : OF, factorization F model"
    theorem = Theorem("factors", statement, "intro F. exact (factorization_holds F model)")
    return of.stated(theorem, says="J = G∘W over every ordered field", requires=("CausalDecomposition",))


def oom_identity(of: Subject) -> Stated:
    """Theorem 2.5: the controlled law is a product of operators, for every document."""
    theorem = Theorem("laws_are_products", "oom_identity model", "exact (oom_identity_holds model)")
    return of.stated(theorem, says="P(o|a) = 1ᵀJ…Jq₀", requires=("CausalDecomposition",))


def nonexpansive(of: Subject) -> Stated:
    """Theorem 2.5: signs, and ‖Gu‖₁ ≤ ‖u‖₁, for every class of games."""
    proof = "intro F. apply nonexpansive_holds; [exact is_class | repeat constructor]"
    theorem = Theorem("does_not_expand", "forall F : OF, nonexpansive F model", proof)
    return of.stated(theorem, says="W, G ≥ 0 and ‖Gu‖₁ ≤ ‖u‖₁", requires=("CausalDecomposition",))


def weak_revealing(of: Subject) -> Stated:
    """Assumption 2.4 by rule ``tests``."""
    options = of.facts.options
    if options["weak_revealing"]["scope"] == "reachable":
        return of.left("asked of reachable states alone; Statements.v asks it of the whole simplex")
    if of.entry["verdict"] == "refuted":
        return of.left("no checker of its counterexample yet")
    alpha = of.value("alpha_lower")
    joint = "true" if options["weak_revealing"]["form"] == "joint" else "false"
    arguments = f"model {joint} {options['kappa']}"
    theorem = Theorem(
        "reveals",
        f"forall F : OF, weak_revealing F {arguments} {number(alpha)}",
        f"intro F. apply (check_revealing_sound F {arguments} proof). {CHECKED}",
    )
    return of.stated(
        theorem,
        says=f"α ≥ {alpha}",
        requires=("RuleLin", "WeakRevealing"),
        definitions=evidence_of(of.facts, of.entry["evidence"], alpha),
    )


def regret(of: Subject) -> Stated:
    """Theorem N for the learner ``nested``: the bound of Play.v, and D."""
    return of.left("")


STATEMENTS: dict[str, Callable[[Subject], Stated]] = {
    "factorization": factorization,
    "oom-identity": oom_identity,
    "nonexpansive": nonexpansive,
    "weak-revealing": weak_revealing,
}
OF_STATES = {"factorization", "oom-identity", "nonexpansive", "weak-revealing", "kl-joint", "kl-world"}
NO_CHECKER = {
    "posterior-lipschitz": "no checker yet",
    "eluder-world": "no checker yet",
    "eluder-adversary": "no checker yet",
    "constants": "arithmetic on Theorem 3.3, which is not proved in Coq",
}


def statement(facts: Facts, entry: Entry, entries: Mapping[str, Entry]) -> Stated:
    """One claim in Coq."""
    of = Subject(facts, entry, entries)
    if why := UNDECIDED.get(entry["verdict"]):
        return of.left(why)
    if entry["id"] in OF_STATES and not of.window:
        return of.left(HISTORIES)
    if entry["id"] not in STATEMENTS:
        return of.left(NO_CHECKER.get(entry["id"], "no checker yet"))
    return STATEMENTS[entry["id"]](of)


def model_definition(facts: Facts) -> str:
    """The document, and that it is a class of games."""
    theorem = Theorem("is_class", "class_of_games model", f"apply check_class_sound. {CHECKED}")
    return f"Definition model : doc := {terms.document(facts.game)}.\n\n{theorem}"
