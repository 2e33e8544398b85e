"""Says what was tried for a claim that ended unknown, and what to change by how much."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from pomgcheck.errors import counted
from pomgcheck.remedies import Narrowing, Overrun, Try
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.render import text
from pomgcheck.reporting.spans import NOTHING, Code, Inline, Math, Strong, VerdictMark, listed, say
from pomgcheck.reporting.words import constants, short

WITHIN_PAIRS = ("posterior-lipschitz", "weak-revealing", "kl-joint", "kl-world", "bounded-increments")  # compare models

REPAIRING = say("To compute the largest box: {c}.", c=Code("pomgcheck repair CERT"))


def told(found: Narrowing, *, width: int = 100, paint: text.Paint = text.unpainted) -> str:
    """Return the tries for one claim as a table and sentences."""
    return text.render(tries(found), width, paint)


def tries(found: Narrowing) -> list[Block]:
    """Return a table of the tries, and the advice that follows from them."""
    if found.rests:
        rests = listed(map(Code, found.rests))
        sentence = "{head} It is made of other claims that are open: {c}. Explain these."
        return [Paragraph.of(sentence, head=Strong("What would decide it."), c=rests)]
    blocks: list[Block] = []
    if found.tries:
        rows = (
            (
                what(each),
                VerdictMark(each.verdict),
                listed(c.inline() for c in constants(found.claim, each.values.written)) or NOTHING,
                f"{each.seconds:.1f}",
            )
            for each in found.tries
        )
        blocks.append(Table.of("", ("Tried now", "Verdict", "Constants", "s"), rows))
    said = advice(found)
    return [*blocks, Paragraph.of("{head} {s}", head=Strong("What would decide it."), s=said)] if said else blocks


def what(each: Try) -> Inline:
    """Return what one try changed."""
    if each.kind == "again":
        return say("the same again")
    return region(each) if each.tol is None else say("{o}", o=Code(f"--tol {each.tol}"))


def region(each: Try) -> Inline:
    """Return words such as ``x from 1/20 to 1/10``."""
    return listed(
        say("{x} from {low} to {high}", x=Math(name), low=short(low), high=short(high))
        for name, (low, high) in each.axes
    )


def advice(found: Narrowing) -> Inline:
    """Return what to change, and by how much, as the tries show it."""
    refuted = [each for each in found.tries if each.verdict == "refuted"]
    if refuted:
        return say(
            "It is refuted on {r}, and so on the whole class: certify that part for the counterexample.",
            r=say("the whole class") if refuted[0].kind == "again" else region(refuted[0]),
        )
    settled = [each for each in found.tries if each.settled]
    if found.counts:
        return over_budget(found.counts)
    if not settled:
        return nothing_settled(found)
    kind = settled[0].kind
    if kind == "again":
        seconds = ceil(4 * settled[0].seconds)  # a search has half of a limit, and a machine is not always idle
        return say(
            "Time alone: {c} settles it, as it did now in {s} s.",
            c=Code(f"certify … --resume CERT --time-limit {seconds}"),
            s=f"{settled[0].seconds:.1f}",
        )
    if kind == "tolerance":
        return say("A larger tolerance: {c} settles it.", c=Code(f"--tol {settled[0].tol}"))
    if kind == "around":
        largest = max(settled, key=lambda each: each.width)
        return say(
            "No half of one axis is enough. Narrow to {r}, around the truth or the middle: there it is proved. {more}",
            r=region(largest),
            more=REPAIRING,
        )
    return halves(found.claim, settled)


def halves(claim: str, settled: Sequence[Try]) -> Inline:
    """Return which axis to split or to narrow."""
    by_axis: dict[tuple[str, str], list[Try]] = {}
    for each in settled:
        for axis in each.box:
            by_axis.setdefault(axis, []).append(each)
    axis, best = max(by_axis.items(), key=lambda item: len(item[1]))
    if len(best) == 2:
        between = (
            say(" Pairs of models with one in either half are compared in neither.") if claim in WITHIN_PAIRS else ()
        )
        return say(
            "Split {x} at {m}: it is proved on both halves, each certified as a class of its own.{between} {more}",
            x=Math(axis[1]),
            m=short(best[0].box[axis][1]),
            between=between,
            more=REPAIRING,
        )
    others = [region(each) for each in settled if each is not best[0]]
    return say(
        "Narrow {r}, half of that axis: there it is proved. {also}{more}",
        r=region(best[0]),
        also=say("So it is on {o}. ", o=listed(others, last=" or ")) if others else (),
        more=REPAIRING,
    )


def nothing_settled(found: Narrowing) -> Inline:
    """Return the sentence that nothing that was tried settles the claim."""
    if not found.tries:
        return ()
    kinds = {each.kind for each in found.tries}
    seconds = f"{found.limit:g}"
    if "around" in kinds:
        smallest = next(each for each in found.tries if each.kind == "around")
        return say(
            "It is not the width of an axis: {r} was not decided within {s} s either. Give {c} more, or list values on the "
            "axes.",
            r=region(smallest),
            s=f"{smallest.seconds:.1f}",
            c=Code("--time-limit"),
        )
    if "half" in kinds:
        untried = listed(say("{x}", x=Math(name)) for _, name in dict.fromkeys(found.untried))
        return say(
            "No half of an axis was decided within {s} s{untried}. Give {c} more, or list values on an axis instead.",
            s=seconds,
            untried=say(", and {x} not tried", x=untried) if found.untried else (),
            c=Code("--time-limit"),
        )
    if kinds == {"tolerance"}:
        return say(
            "No tolerance that was tried settles it within {s} s: ask for the joint form, or fewer worlds or responses.",
            s=seconds,
        )
    return say(
        "It was not settled within {s} s either: give {c} more, or a class with fewer models or a shorter horizon.",
        s=seconds,
        c=Code("--time-limit"),
    )


def over_budget(counts: Overrun) -> Inline:
    """Return which count is over the kernel's budget, and what would fit."""
    fits, horizon = counts.horizon_that_fits, counts.horizon
    shorter = (
        say("At a horizon of {h} instead of {H} they fit", h=str(fits), H=str(horizon))
        if fits
        else say("At no horizon do they fit")
    )
    fewer = (
        say(", and so they do with {n} of its {N}", n=str(counts.models_that_fit), N=counted(counts.models, "model"))
        if counts.models_that_fit
        else ()
    )
    return say(
        "The kernel would have to play {n} {what}, where {most} fit in its budget. {shorter}{fewer}.",
        n=f"{counts.found:,}",
        what=counts.what,
        most=f"{counts.most:,}",
        shorter=shorter,
        fewer=fewer,
    )
