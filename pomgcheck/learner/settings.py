"""Reads strictly what is asked of a run: algorithms, seeds, truth, and every constant of the confidence radius."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Nested
from pomgcheck.kernel.nets import Netted
from pomgcheck.kernel.parameters import Point
from pomgcheck.kernel.reading import Malformed
from pomgcheck.learner.algorithms import ALGORITHMS, OPTIMISTIC, WITHOUT
from pomgcheck.learner.confidence import ConfidenceRadius, Fading, decimal, theory_C_0
from pomgcheck.learner.continuum import Planned
from pomgcheck.learner.oracles import written
from pomgcheck.learner.own import Own
from pomgcheck.options import Number, exact, positive
from pomgcheck.sources import named

Constants = Literal["theory", "practical"]
Warmup = Literal["horizon", "epoch"]
SIDES = ("worlds", "responses")

TEST = "u + t 2^-32 after t data episodes, u = log((N-1)/delta)"  # of nested
NET_TEST = "log(N/e) + log(n/e) + t (log(1+chi) + 2^-32) after t data episodes that count, e = {e}, N = {N}, n = {n}, chi = {chi}"
MOST_SEEDS = 1_000_000
LARGEST = 2**53 - 1  # of the integers a JSON reader keeps exactly
RADIUS = "beta_e = c (log N + log(1/delta_e) + m B_0), delta_e = delta/(2 e^2), B_0 = max(1, B0_upper)"
ENLARGED = {  # against fading memory, with theory constants and with others
    True: RADIUS.replace("m B_0)", "m B_0) + 2s")
    + ", m that of the warm-up, s = B_0 ((e-1) {times}H L_g + 2 log(8/delta))",
    False: RADIUS.replace("m B_0)", "m B_0 + H L_g B_0)") + ", m that of the warm-up",
}
SCALE = "eps = 2^-ceil(log2(n+2)) at n data episodes"
WIDENED = "; plus n error after n data episodes"
THRESHOLD = "tau_e(t) = factor beta_e(t) + C_0 B_0 log(2t(t+1)/delta_e), beta_e(t) at the budget delta_e/(2t(t+1))"


def whole(value: object, where: str, least: int) -> int:
    """Return an integer argument that is at least ``least``; raise ``InputError`` for any other."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= LARGEST:
        raise InputError(where, repr(value), f"an integer from {least} to {LARGEST}")
    return value


def chosen_algorithms(wanted: object, possible: Sequence[str] = tuple(ALGORITHMS)) -> dict[str, Own | None]:
    """Return the algorithms of a list, or of a text with commas between them, by name, each with what makes it where
    it is one of the user's own.

    ``all`` stands for every one of ours that is ``possible``.
    """
    several = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Iterable) else list(wanted)
    parts = [part for each in several for part in (each.split(",") if isinstance(each, str) else [each])]
    found: dict[str, Own | None] = {}
    for part in parts:
        chosen = (
            dict.fromkeys(possible) if isinstance(part, str) and part.strip() == "all" else dict([read_algorithm(part)])
        )
        for name in chosen:
            if name in found:
                raise InputError("algorithm", f"{name} twice", "each algorithm once, under a name of its own")
        found |= chosen
    if not found:
        raise InputError("algorithm", "none", "one algorithm or more")
    return found


def read_algorithm(value: object) -> tuple[str, Own | None]:
    """Return an algorithm by its name, or one of the user's own with what makes it."""
    if not isinstance(value, str) or named(value) is not None:
        own = Own.read(value if not isinstance(value, str) else value.strip())
        return own.name, own
    name = value.strip()
    if name.endswith(".py"):
        raise InputError(
            "algorithm", repr(name), "file.py:name for one of your own", f"name what makes it, {name}:NAME"
        )
    if name not in ALGORITHMS:
        raise InputError.choice("algorithm", name, ALGORITHMS, f"one of {', '.join(ALGORITHMS)}, or file.py:name")
    return name, None


def chosen_seeds(seeds: int | Sequence[int]) -> list[int]:
    """Return the seeds in order: 0, 1, ... for a count."""
    if isinstance(seeds, int):
        if whole(seeds, "seeds", 1) > MOST_SEEDS:
            raise LimitExceeded("seeds", "seeds", seeds, MOST_SEEDS, "the mean of fewer seeds says as much")
        return list(range(seeds))
    if isinstance(seeds, str) or not isinstance(seeds, Iterable):
        raise InputError("seeds", repr(seeds)[:60], "a count of seeds, or a list of them")
    numbers = [whole(seed, f"seeds[{k}]", 0) for k, seed in enumerate(seeds)]
    if not numbers or len(set(numbers)) < len(numbers):
        raise InputError("seeds", str(numbers), "one seed or more, each once")
    return numbers


def the_truth(
    game: Game, given: Mapping[str, Mapping[str, Number]] | None
) -> tuple[tuple[Point, Point], dict[str, dict[str, str]]]:
    """Return xi* as points of Theta and Psi, and in text; raise ``InputError`` where it does not lie in the class."""
    if (given is None) == (game.truth is None):
        found, required = (
            ("none", "xi* in the document, or a truth argument")
            if given is None
            else ("a truth argument", "none, since the document says what is true")
        )
        raise InputError("truth", found, required, 'truth = {"worlds": {...}, "responses": {...}} picks a point')
    if given is None:
        assert game.truth is not None  # the two were just compared
        points: dict[str, Point] = dict(zip(SIDES, game.truth, strict=True))
    else:
        if set(given) != set(SIDES):
            raise InputError("truth", f"the keys {sorted(given)}", "the keys worlds and responses")
        points = {
            side: {name: exact(number, f"truth.{side}.{name}") for name, number in sorted(part.items())}
            for side, part in given.items()
        }
    for side in SIDES:
        if not holds(game, side, points[side]):
            shown = ", ".join(f"{name} = {value}" for name, value in points[side].items())
            raise InputError(f"truth.{side}", f"({shown})", "a point of the class")
    text = {side: written(points[side]) for side in SIDES}
    return (points["worlds"], points["responses"]), text


def holds(game: Game, side: str, point: Point) -> bool:
    """Return whether Theta or Psi holds the point."""
    try:
        return game.contains(side, point)
    except Malformed:  # of other parameters
        return False


@dataclass(frozen=True)
class Settings:
    """These are the constants of a run: which kind was asked for, the ``delta``, the ``radius`` of Algorithm 1 where
    the assumptions are certified, and what ``nested`` plays by where the claim ``regret`` is proved. On interval axes
    the ``oracle`` is as the record tells it."""

    kind: Constants
    delta: Fraction
    radius: ConfidenceRadius | None
    nested: Nested | Netted | None = None
    oracle: Mapping[str, str] | None = None

    @classmethod
    def read(
        cls,
        certificate: Certificate,
        memory: int | tuple[Fraction, int, int | None],
        kind: Constants,
        delta: Number | None,
        c: Number | None,
        C_0: Number | None,
        factor: Number | None,
        planned: Planned | None = None,
    ) -> Settings:
        """Return the constants of the given kind, with what was changed of them.

        log N, B_0 and L_g come from the certificate, and on interval axes log N from what is ``planned`` with.
        ``memory`` is m, or gamma, H and the horizon of a fading memory (``None`` for the epoch's own warm-up).
        """
        if kind not in get_args(Constants):
            raise InputError.choice("constants", kind, get_args(Constants))
        theory = kind == "theory"
        budget = positive(certificate.options.delta if delta is None else delta, "delta")
        if budget >= 1:
            raise InputError("delta", str(budget), "a probability below 1")
        if C_0 is None:
            constant = None if theory else Fraction(0)
        elif (constant := exact(C_0, "C_0")) < 0:
            raise InputError("C_0", str(constant), "a number of at least 0")
        scale = positive((16 if theory else 1) if c is None else c, "c")
        twice = positive(2 if factor is None else factor, "factor")
        values, found = certificate.values, None if planned is None else planned.described
        m: int | Fading
        known: int | tuple[Fraction, Fraction]
        if isinstance(memory, int):
            m, known = memory, memory
        else:
            gamma, H, T = memory
            drift = H * values.fraction("L_g")
            m, known = Fading(gamma, drift, T), (gamma, drift)
        nested: Nested | Netted | None = None
        if "worth_T" in values:
            nested = Nested(int(values.fraction("N")), budget, values.fraction("span"), known, ())
            if "chi_upper" in values:
                evidence = certificate.claims["regret"].evidence
                nested = Netted.read(nested, values.fraction("chi_upper"), evidence["list"])
        if not certificate.certified:
            return cls(kind, budget, None, nested, found)
        radius = ConfidenceRadius(
            c=scale,
            covering=values.log_of("log_covering_upper") if planned is None else planned.covering,
            increments=values.log_of("B0_upper"),
            m=m,
            delta=budget,
            factor=twice,
            C_0=constant,
            enough=theory,
            error=Fraction(0) if planned is None else planned.error,
        )
        return cls(kind, budget, radius, nested, found)

    @property
    def assumed(self) -> ConfidenceRadius:
        """Return the radius; only for a class whose assumptions are certified."""
        assert self.radius is not None
        return self.radius

    def guarantee(self, algorithm: str, transient: Fraction = Fraction(0)) -> str:
        """Return what is known of this run's regret: a theorem and its probability, or why there is none."""
        return self.unproved(algorithm, transient) or f"{self.statement(algorithm)} with probability at least 1 − 2δ"

    def unproved(self, algorithm: str, transient: Fraction) -> str:
        """Return why no theorem says anything about this run; the text is empty where one does.

        Theorems 3.3 and 5.2 take c >= 16, C_0 >= 6(e - 2) and the test as written.
        """
        if algorithm == "nested":
            return "none (the theorem has no cost of transients)" if transient else ""
        if algorithm != "epoch-omle":
            return ALGORITHMS[algorithm][1]
        radius = self.assumed
        enough = radius.C_0 is None or decimal(radius.C_0) >= theory_C_0()
        if not radius.enough or radius.c < 16 or radius.factor != 2 or not enough:
            return "none (practical constants)"
        if transient:
            return "none (the theorem has no cost of transients)"
        if isinstance(radius.m, Fading) and radius.m.T is None:
            return "none (Theorem 5.2 is for the warm-up that knows T)"
        return ""

    def statement(self, algorithm: str) -> str:
        """Return the theorem that covers a run, for a run that has one."""
        if algorithm == "nested":
            return "Theorem N" + " on a net" * isinstance(self.nested, Netted) + " (docs/bound.md)"
        m = self.assumed.m
        theorem = "Theorem 3.3" if isinstance(m, int) else f"Theorem 5.2 at T = {m.T}"
        return theorem + " on a net (docs/net.md)" * bool(self.assumed.error)

    def described(self, algorithm: str) -> dict[str, Any]:
        """Return every constant and the formulas they enter; those of Algorithm 1 are there where the assumptions are
        certified."""
        radius, own = self.radius, {"kind": self.kind, "delta": str(self.delta), "schedule": ALGORITHMS[algorithm][0]}
        oracle = {} if self.oracle is None else {"oracle": dict(self.oracle)}
        if algorithm == "nested":
            return own | WITHOUT | {"threshold": self.test()} | oracle
        if radius is None:
            return own | WITHOUT | oracle
        covering = radius.covering
        return (
            own
            | {
                "c": str(radius.c),
                "C_0": "6(e-2)" if radius.C_0 is None else str(radius.C_0),
                "factor": str(radius.factor),
                "log_covering_upper": {"log_of": str(covering)}
                if isinstance(covering, Fraction)
                else f"{covering.axes} log ceil({covering.reach}/eps), {SCALE}",
                "B0_upper": {"log_of": str(radius.increments)},
                "radius": self.formula() if algorithm in OPTIMISTIC else "none",
                "threshold": THRESHOLD if algorithm == "epoch-omle" else "none",
            }
            | oracle
        )

    def test(self) -> str:
        """Return, as a formula, by how much an entry of the list of ``nested`` may lag behind."""
        if not isinstance(self.nested, Netted):
            return TEST
        found = self.nested
        return NET_TEST.format(e=found.share, N=found.schedule.models, n=found.tests, chi=found.chi)

    def formula(self) -> str:
        """Return the formula of the radius."""
        m = self.assumed.m
        shape = RADIUS if isinstance(m, int) else ENLARGED[self.assumed.enough].format(times="" if m.T else "e ")
        return shape + WIDENED * bool(self.assumed.error)
