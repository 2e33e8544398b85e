"""Reads what a certificate shows of a claim, typed: a place of the class, with what is found there, and the parts of a
proof that are told (certificates/FORMAT.md).

The kernel checks them; here they are only read, and what is not there is empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pomgcheck.kernel.reading import mapping
from pomgcheck.stored import entry, loose

Point = Mapping[str, str]  # parameter -> exact text


@loose  # as all of these: the kernel refuses keys that are not of the format
class Xi(NamedTuple):
    """This is a model xi = (theta, Phi), as the parameters of its world and of its response."""

    theta: Point
    Phi: Point

    @classmethod
    def stated(cls, truth: Mapping[str, Point]) -> Xi:
        """Return the truth that a document states for its ``worlds`` and its ``responses``."""
        return cls(truth["worlds"], truth["responses"])


@loose
class ClaimPlace(NamedTuple):
    """This is where a constant is attained or a counterexample lies, in the labels of the class, with what is found
    there.

    Each field has the name that FORMAT.md gives it, and is empty where the certificate has none: models singly
    (``theta``, ``theta_prime``, ``Phi``) or together (``xi``, ``xi_prime``, ``xi_star``), policies ``pi`` and ``nu`` (a
    name, or the names of a block), the step ``h`` from 1, what the learner sees (``o``) and plays (``a``), predictive
    states, histories and numbers.
    """

    theta: Point = {}
    theta_prime: Point = {}
    Phi: Point = {}
    xi: Xi = Xi({}, {})
    xi_prime: Xi = Xi({}, {})
    xi_star: Xi = Xi({}, {})
    truth: Mapping[str, Point] = {}
    pi: Any = ""
    nu: Any = ""
    h: int = 0
    o: str = ""
    a: str = ""
    learner_part: Sequence[str] = ()
    tau_B: Sequence[str] = ()
    trajectory: Sequence[str] = ()
    q: Sequence[tuple[str, Sequence[str], str]] = ()
    q_other: Sequence[tuple[str, Sequence[str], str]] = ()
    signal: str = ""
    signal_other: str = ""
    difference: str = ""
    probability: str = ""
    posteriors: Sequence[Sequence[str]] = ()
    responses: Sequence[Sequence[str]] = ()
    operator: str = ""
    row: str = ""
    column: str = ""
    entry: str = ""
    entry_prime: str = ""
    J: str = ""
    GW: str = ""
    sum: str = ""
    mass: str = ""
    before: str = ""
    after: str = ""

    @property
    def models(self) -> tuple[Xi, Xi]:
        """Return the two models that are compared, whether the place names them singly or together."""
        if self.theta or self.theta_prime or self.Phi:
            return Xi(self.theta, self.Phi), Xi(self.theta_prime, self.Phi)
        return (self.xi, self.xi_prime) if self.xi_star == Xi({}, {}) else (self.xi_star, self.xi)


@loose
class Query(NamedTuple):
    """This is a policy of an independent sequence (Section 2.6), with the model that shows its error, and the squares on both
    sides of the scale: at the policies ``before`` it and at its own."""

    pi: str
    before: str
    square: str
    theta: Point = {}
    Phi: Point = {}


@loose
class ListedPolicy(NamedTuple):
    """This is a policy that may be played before a truth is reached, and the nearest model that deploys it."""

    pi: str
    xi: Xi


@loose
class ListedTruth(NamedTuple):
    """This is a model of the list of Theorem N, and the policies that may cost if it is the truth."""

    xi: Xi
    policies: tuple[ListedPolicy, ...]


@loose
class Moment(NamedTuple):
    """This is for a policy of a net: ``M`` is at least the mean of (f - c)^2 in every model, f its rewards."""

    c: str
    M: str


@loose
class EvidenceNet(NamedTuple):
    """This is the net of Theorem N on interval axes: its axes by name, its test ("joint" or "own"), and its policies' moments."""

    axes: Mapping[str, Mapping[str, Sequence[str]]]
    test: str
    moments: Mapping[str, Moment]


@loose
class ClaimProof(NamedTuple):
    """These are the parts of a claim's evidence that are told, each under the name that FORMAT.md gives it; ``net`` is the list
    of rule ``net``."""

    rule: str = ""
    attained: ClaimPlace | None = None
    endings: int | None = None
    tests: Sequence[Sequence[str]] = ()
    factors: Sequence[Sequence[Sequence[str]]] = ()
    trees: Any = ()
    shears: Mapping[str, Any] = {}
    bounds: Mapping[str, Sequence[str]] | None = None
    grid: Mapping[str, int] = {}
    xi_star: Xi = Xi({}, {})
    scale_squared: str = ""
    sequence: tuple[Query, ...] = ()
    always_best: Sequence[str] = ()
    truths: tuple[ListedTruth, ...] = ()
    deployed: Sequence[str] = ()
    dominated: Mapping[str, str] = {}
    net: EvidenceNet | None = None

    @classmethod
    def of(cls, value: Any, where: str) -> ClaimProof:
        """Return the proof that the evidence of a claim holds; raise ``Malformed`` where it holds none."""
        given = mapping(value, where)
        read: dict[str, Any] = {"net": None}
        if given.get("rule") in ("list", "net"):
            read["attained"] = None
        if given.get("list") is not None:
            read["net"] = entry(EvidenceNet, given["list"], f"{where}.list")
        return entry(cls, given, where, **read)

    @property
    def at(self) -> ClaimPlace:
        """Return the place where the constant is attained, for a rule that names one."""
        assert self.attained is not None
        return self.attained
