"""A claim as the kernel knows it, a claim under examination, and the readers of places written in labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from .facts import Facts, summed
from .game import Game
from .operators import Memory
from .parameters import Point
from .reading import Malformed, Object, mapping, one_line, rational, sequence, take

Values = dict[str, Any]
VERDICTS = ("proved", "vacuous", "declared", "unknown", "refuted")  # from best to worst


class Outcome(NamedTuple):
    """An outcome is what the kernel itself found: a verdict and exact values."""

    verdict: str
    values: Values


PROVED = Outcome("proved", {})


class Rejected(Exception):
    """This is raised where the evidence of a claim does not hold: by which rule, what was found, and what is
    required."""

    def __init__(self, claim: str, rule: str, found: object, required: object) -> None:
        self.claim, self.rule, self.found, self.required = map(one_line, (claim, rule, found, required))
        super().__init__(f"{self.claim} {self.rule}: found {self.found}, required {self.required}")


class Case(NamedTuple):
    """A case is a claim under examination: the facts, its id and values, and the claims settled before it; ``goals``
    collects what rule ``box`` is asked to show, for those who want to see it."""

    facts: Facts
    id: str
    values: Object
    settled: Mapping[str, Object] = {}
    goals: list[Any] | None = None

    def reject(self, rule: str, found: object, required: object) -> Rejected:
        """Return the rejection of this claim, for the caller to raise."""
        return Rejected(self.id, rule, found, required)

    def number(self, name: str) -> Fraction:
        """Return a value of the claim, which is an exact number."""
        return rational(self.values[name], f"{self.id}.values.{name}")

    def ended(self, evidence: Object) -> Case:
        """Return the same claim; where the evidence names ``endings``, k from 0 to H, it is about play by endings of k
        pairs.

        Raises ``Rejected`` for a class that is not finite, or is given by operators, and where operators are summed.
        """
        if "endings" not in evidence:
            return self
        game, k = self.facts.game, evidence["endings"]
        good = isinstance(k, int) and not isinstance(k, bool) and 0 <= k <= game.H
        if not good:
            raise Malformed(f"{self.id}.endings", repr(k), f"a number of pairs from 0 to {game.H}")
        if not game.finite or game.own or summed(self.facts.options):
            raise self.reject("endings", "endings", "a finite class given by kernels, with operators as realised")
        return self._replace(facts=self.facts.by_endings(k))

    # -- reading places of the game written in its labels

    def label(self, labels: tuple[str, ...], value: object, where: str) -> int:
        """Return the number of a label.

        Raises ``Malformed`` where it is none of the labels, as every reader below does.
        """
        if not isinstance(value, str) or value not in labels:
            raise Malformed(f"{self.id}.{where}", repr(value), f"one of {list(labels)}")
        return labels.index(value)

    def history(self, value: object, learner: bool, where: str) -> Memory:
        """Return alternating observation and action labels as numbers."""
        g = self.facts.game
        pair = (g.OA, g.A) if learner else (g.OB, g.B)
        return tuple(self.label(pair[n % 2], x, where) for n, x in enumerate(sequence(value, where)))

    def policy(self, value: object) -> int:
        """Return the number of a policy."""
        return self.label(self.facts.game.policy_names, value, "pi")

    def step(self, value: Any, last: int) -> int:
        """Return a step from 1 to ``last`` counted from 0."""
        good = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= last
        if not good:
            raise Malformed(f"{self.id}.h", repr(value), f"a step from 1 to {last}")
        return int(value) - 1

    def world(self, value: object) -> int:
        """Return the number of the world at a point of Theta."""
        return name_point(self.facts.game.thetas, value, f"{self.id}.theta")

    def answer(self, value: object) -> int:
        """Return the number of the response at a point of Psi."""
        return name_point(self.facts.game.phis, value, f"{self.id}.Phi")

    def model(self, value: object, where: str) -> tuple[int, int]:
        """Return the numbers of the world and the response of a model."""
        xi = take(value, f"{self.id}.{where}", ("theta", "Phi"))
        return self.world(xi["theta"]), self.answer(xi["Phi"])


def recomputed(case: Case, evidence: Object) -> None:
    """Accept: nothing is left to show, since everything was recomputed, or is declared."""
    take(evidence, f"{case.id}.evidence", ("rule",))


def by_evaluation(facts: Facts) -> str:
    """Return the rule of a claim that is recomputed whole."""
    return "eval"


class OnIntervals(NamedTuple):
    """This says how a claim is proved where an axis is an interval: its values, the check of its evidence, the rule,
    and what says that the claim compares nothing."""

    values: tuple[str, ...]
    check: Callable[[Case, Object], None]
    rule: str = "box"
    vacuous: Callable[[Case], bool] | None = None


class Claim(NamedTuple):
    """A claim has a fixed id, its place in the paper, and everything that decides it.

    ``outcome`` is the kernel's own finding, or ``None`` where evidence decides. ``check`` examines the evidence of a
    proof by ``rule``, ``witness`` that of a refutation.
    """

    id: str
    paper: str
    outcome: Callable[[Case], Outcome | None]
    values: tuple[str, ...] = ()
    check: Callable[[Case, Object], None] = recomputed
    rule: Callable[[Facts], str] = by_evaluation
    witness: Callable[[Case, Any], None] | None = None
    intervals: OnIntervals | None = None


def name_point(points: tuple[Point, ...] | None, value: object, where: str) -> int:
    """Return the index of the parameter point written as an object of exact texts."""
    point = Game.point(value, where)
    for index, known in enumerate(points or ()):
        if known == point:
            return index
    raise Malformed(where, str(value), "a parameter point of the class")


def named_points(place: object) -> tuple[list[Any], list[Any]]:
    """Return the parameter points a witness or an attaining place names."""
    found: tuple[list[Any], list[Any]] = [], []
    for key, entry in mapping(place, "place").items():
        if key in ("theta", "theta_prime"):
            found[0].append(entry)
        elif key == "Phi":
            found[1].append(entry)
        elif key in ("xi", "xi_prime", "xi_star"):
            pair = take(entry, key, ("theta", "Phi"))
            found[0].append(pair["theta"])
            found[1].append(pair["Phi"])
    return found


def at_points(case: Case, place: object) -> Case:
    """Return the same claim about the finite class of the points that ``place`` names."""
    facts = case.facts
    return case._replace(facts=Facts(facts.game.subclass(*named_points(place)), facts.options))


def trajectory_pair(case: Case, place: Object) -> tuple[Fraction, Fraction]:
    """Return P(o|a) of a whole trajectory under xi and xi' and a policy that can play it."""
    play = case.facts.play(case.policy(place["pi"]))
    trajectory = case.history(place["trajectory"], True, "trajectory")
    models = [case.model(place[key], key) for key in ("xi", "xi_prime")]
    whole = len(trajectory) == 2 * case.facts.game.H
    followed = [play.follow(trajectory, xi) if whole else None for xi in models]
    ends = [masses[-1] for _, masses in filter(None, followed)]
    if not any(ends):
        raise case.reject("eval", f"the trajectory {place['trajectory']}", "a whole trajectory possible in the class")
    unit = case.facts.scaled.rho * case.facts.scaled.J**case.facts.game.H
    return Fraction(ends[0], unit), Fraction(ends[1], unit)


def logarithm(case: Case, name: str) -> Fraction:
    """Return the argument of a value written as a logarithm."""
    value = take(case.values[name], f"{case.id}.values.{name}", ("log_of",))
    return rational(value["log_of"], f"{case.id}.values.{name}")


def bracket(case: Case, name: str) -> tuple[Fraction, Fraction]:
    """Return a positive lower value and an upper one."""
    low, high = case.number(f"{name}_lower"), case.number(f"{name}_upper")
    if not 0 < low <= high:
        raise case.reject("values", f"the bracket [{low}, {high}]", "0 < lower <= upper")
    return low, high


def impossible_elsewhere(case: Case, place: Any) -> None:
    """Check that a trajectory is possible under xi and impossible under xi', which refutes Assumptions 3.1(c) and (d)."""
    take(place, f"{case.id}.witness", ("xi", "xi_prime", "pi", "trajectory", "probability"))
    high, low = trajectory_pair(case, place)
    if low or not high or str(high) != place["probability"]:
        raise case.reject("witness", f"P = {high} and {low}", "positive as shown, and zero")
