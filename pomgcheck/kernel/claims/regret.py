"""Theorem N: what the schedule ``nested`` loses (docs/bound.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..case import Case, Claim, OnIntervals, Outcome
from ..facts import Facts
from ..nested import PREMISES, Costly, Nested, Ranked, Truth, ranked, schedule, shown, span, worth
from ..operators import Model
from ..reading import Object, rational, sequence, take


def outcome(case: Case) -> Outcome:
    """Return what 3.1(a) and 3.1(f) alone decide: nothing is said where one of them fails, nor where no policy is ever
    worse."""
    verdicts = [case.settled[name]["verdict"] for name in PREMISES]
    if "unknown" in verdicts:
        return Outcome("unknown", {})
    if "refuted" in verdicts or not case.facts.once(ranked).D:
        return Outcome("vacuous", {})
    found = case.facts.once(ranked)
    values = {"N": len(found.models), "span": span(case.facts.game, case.facts.tables), "D": found.D}
    return Outcome("proved", {name: str(value) for name, value in values.items()})


def check(case: Case, evidence: Object) -> None:
    """Check, for every truth, the policies that may cost, each with a c at most -log of every affinity, and then the
    values."""
    where, found, game = f"{case.id}.evidence", case.facts.once(ranked), case.facts.game
    take(evidence, where, ("rule", "truths", "always_best", "attained"))
    entries = sequence(evidence["truths"], where, len(found.models))
    truths = tuple(truth(case, found, x, entry) for x, entry in zip(found.models, entries, strict=True))
    always = [p for p in range(len(game.policies)) if not any(found.regret(p, x) for x in found.models)]
    if [case.policy(name) for name in sequence(evidence["always_best"], where)] != always:
        raise case.reject("list", f"always best {evidence['always_best']}", [game.policy_names[p] for p in always])
    follows(case, schedule(case, len(truths), truths), evidence)


def truth(case: Case, found: Ranked, x: Model, entry: Any) -> Truth:
    """Return what the truth x has before it in the list."""
    where, harmful = f"{case.id}.evidence", found.harmful(x)
    take(entry, where, ("xi", "runs", "harmful", "policies"))
    given = [take(each, where, ("pi", "regret", "xi", "c")) for each in sequence(entry["policies"], where)]
    owed = [x, found.runs(x), sum(map(len, harmful.values())), sorted(harmful)]
    said = [case.model(entry["xi"], "xi"), entry["runs"], entry["harmful"], [case.policy(each["pi"]) for each in given]]
    if said != owed or not type(entry["runs"]) is type(entry["harmful"]) is int:
        raise case.reject("list", f"model, runs, harmful models and their policies {said}", owed)
    pairs = zip(sorted(harmful), given, strict=True)
    return Truth(
        entry["runs"], entry["harmful"], tuple(costly(case, found, x, p, harmful[p], each) for p, each in pairs)
    )


def costly(case: Case, found: Ranked, x: Model, p: int, harmful: Sequence[Model], entry: Any) -> Costly:
    """Return a policy that may cost under the truth x, and the model that tells it apart least."""
    regret, most = found.regret(p, x), found.affinity(x, found.nearest(x, harmful))
    nearest = case.model(entry["xi"], "xi")
    if nearest not in harmful or found.affinity(x, nearest) != most or entry["regret"] != str(regret):
        raise case.reject("list", f"regret {entry['regret']}, nearest {entry['xi']}", f"{regret}, the largest affinity")
    if entry["c"] is None and not most:
        return Costly(regret, None)
    c = rational(entry["c"], f"{case.id}.c")
    if c <= 0 or not shown(most, c):
        raise case.reject("list", f"c = {c} for models {x} and {nearest}", "at most -log of the affinity")
    return Costly(regret, c)


def follows(case: Case, nested: Nested, evidence: Object) -> None:
    """Check that the values are at least what follows, that each is attained where it is said to be, and that worth_T
    is the first."""
    T, D, found = case.facts.options["T"], case.number("D"), case.facts.once(ranked)
    place = take(evidence["attained"], f"{case.id}.attained", ("D", "gap_upper", "nested_regret_upper"))
    take(place["D"], f"{case.id}.attained", ("xi", "pi"))
    if found.regret(case.policy(place["D"]["pi"]), case.model(place["D"]["xi"], "xi")) != D:
        raise case.reject("list", f"D attained at {place['D']}", f"a regret of {D} there")
    for name, when in (("gap_upper", None), ("nested_regret_upper", T)):
        worst = nested.truths[found.models.index(case.model(place[name], name))]
        most = nested.regret(when)
        if case.number(name) < most or nested._replace(truths=(worst,)).regret(when) != most:
            raise case.reject(
                "list", f"{name} = {case.number(name)} at {place[name]}", f"at least {most}, attained there"
            )
    worth(case, "list", nested.regret, D)


def nothing(case: Case) -> bool:
    """Return whether there is nothing to bound on interval axes."""
    from .. import nets

    return nets.nothing(case)


def on_intervals(case: Case, evidence: Object) -> None:
    """Check that there is a net of models, whose bound holds for the whole class."""
    from .. import nets

    nets.check(case, evidence)


def rule(facts: Facts) -> str:
    """Return the rule of a proof."""
    return "list"


CLAIM = Claim(
    "regret",
    "Theorem N",
    outcome,
    ("N", "span", "D", "gap_upper", "nested_regret_upper", "worth_T"),
    check,
    rule,
    intervals=OnIntervals(
        ("N", "span", "D_lower", "chi_upper", "nested_regret_upper", "worth_T"), on_intervals, "net", nothing
    ),
)
