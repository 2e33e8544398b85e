"""A computed repair in words: what to leave out of a class, the box to narrow its intervals to, or how large a floor
its responses need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pomgcheck.reporting.blocks import (
    NOTHING,
    Block,
    Code,
    Inline,
    Label,
    Math,
    Paragraph,
    Table,
    Verdict,
    joined,
    listed,
    say,
)
from pomgcheck.reporting.numbers import fraction, number
from pomgcheck.reporting.render import text
from pomgcheck.reporting.words import constants, counted, model, point, short

Facts = Mapping[str, Any]
NOUNS = {"worlds": ("world", "worlds"), "responses": ("response", "responses"), "policies": ("policy", "policies")}


def told(facts: Facts, *, width: int = 100, paint: text.Paint = text.unpainted) -> str:
    """Return a repair's, a box's or a floor's JSON as sentences and a table."""
    shown = floor(facts) if "target" in facts else box(facts) if "whole" in facts else repair(facts)
    return text.render(shown, width, paint)


def repair(facts: Facts) -> list[Block]:
    """Return the smallest drop for everything refuted, what each claim alone takes, and what no drop repairs."""
    refuted = facts["refuted"]
    if not refuted:
        return [Paragraph(say("Nothing is refuted, so there is nothing to leave out."))]
    blocks: list[Block] = [Paragraph(say("Refuted: {claims}.", claims=listed(map(Code, refuted))))]
    if facts["together"]:
        blocks += drop(facts["together"], facts["alone"])
    if facts["outside"]:
        truth = model({"theta": facts["outside"]["worlds"], "Phi": facts["outside"]["responses"]})
        blocks.append(
            Paragraph(
                say(
                    "Leaving something out does not repair {claim}: add the truth {xi} to the class, or move it.",
                    claim=Code("well-specified"),
                    xi=truth,
                )
            )
        )
    return blocks


def box(facts: Facts) -> list[Block]:
    """Return the box to narrow the intervals to, what then holds, and what keeps each of its ends from going further."""
    named = [*facts["refuted"], *facts["unknown"]]
    blocks: list[Block] = []
    for head, claims in (("Refuted", facts["refuted"]), ("Left open", facts["unknown"])):
        if claims:
            blocks.append(Paragraph(say("{head}: {claims}.", head=head, claims=listed(map(Code, claims)))))
    if facts["outside"]:
        truth = model({"theta": facts["outside"]["worlds"], "Phi": facts["outside"]["responses"]})
        return [*blocks, Paragraph(say("No narrower class has the truth {xi}: move it, or widen an axis.", xi=truth))]
    if not named:
        return [Paragraph(say("Nothing is refuted or open, so there is nothing to narrow."))]
    place = "the truth" if facts["around"] == "truth" else "the middle, no truth being stated"
    tried = counted(facts["candidates"], "box was tried", "boxes were tried")
    if facts["box"] is None:
        sentence = (
            "No box around {place} was found on which all of them hold: {tried}{stop}. List values instead, or "
            "leave an unknown out."
        )
        stop = "" if facts["complete"] else f", and the {facts['limit']:g} s are over"
        return [*blocks, Paragraph(say(sentence, place=place, tried=tried, stop=stop))]
    narrowed = listed(
        say("{x} to {ends}", x=Math(name), ends=interval(ends))
        for side, axes in facts["box"].items()
        for name, ends in axes.items()
        if ends != facts["whole"][side][name]
    )
    largest = (
        "Where an end is moved outwards by {s} of the room it has, a claim is refuted or undecided."
        if facts["complete"]
        else "The {t} s ended before every end was tried: a larger one may do, with --time-limit."
    )
    verdicts = tuple(
        (
            say("{id}", id=Code(claim["id"])),
            (Verdict(claim["verdict"]),),
            listed(constant.inline() for constant in constants(claim["id"], claim["values"])) or NOTHING,
        )
        for claim in facts["claims"].values()
    )
    return [
        *blocks,
        Paragraph(
            joined(
                say("Narrow {n}.", n=narrowed),
                say("This box around {place} was certified; {tried} in all.", place=place, tried=tried),
                say(largest, s=facts["step"], t=f"{facts['limit']:g}"),
            )
        ),
        held_table(facts),
        Table("", ("Claim", "On this box", "Constants"), verdicts),
    ]


def held_table(facts: Facts) -> Table:
    """Return one row per axis: its ends in the class and in the box, and what holds each end of the box."""
    rows = tuple(
        (
            (Math(name),),
            interval(facts["whole"][side][name]),
            interval(ends),
            held(facts["held"], f"{side}.{name}", "low", ends[0] == facts["whole"][side][name][0]),
            held(facts["held"], f"{side}.{name}", "high", ends[1] == facts["whole"][side][name][1]),
        )
        for side, axes in facts["box"].items()
        for name, ends in axes.items()
    )
    return Table("", ("Axis", "Of the class", "Of the box", "Lower end held by", "Upper end held by"), rows)


def interval(ends: Sequence[str]) -> Inline:
    """Return words such as ``1/8 to 3/8``, or the one value."""
    return say("{a} to {b}", a=short(ends[0]), b=short(ends[1])) if ends[0] != ends[1] else say("{a}", a=short(ends[0]))


def held(found: Sequence[Facts], axis: str, end: str, own: bool) -> Inline:
    """Return what keeps an end from being moved further, and to where it was tried."""
    if own:
        return say("the class's own end")
    for each in found:
        if (each["axis"], each["end"]) == (axis, end):
            return say("{c} {v} at {at}", c=Code(each["claim"]), v=Verdict(each["verdict"]), at=short(each["at"]))
    return NOTHING


def drop(together: Facts, alone: Mapping[str, Facts]) -> list[Block]:
    """Return what to leave out, why nothing smaller will do, and what then holds."""
    settled = all(claim["verdict"] in ("proved", "vacuous") for claim in together["claims"].values())
    left = listed(counted(n, *NOUNS[side]) for side, n in together["left"].items())
    n = together["conflicts"]
    found = "The one combination" if n == 1 else f"Each of the {n:,} combinations"
    refute = "refutes" if n == 1 else "refute"
    why = say(
        "{found} of worlds, responses and policies that {refute} a claim loses a member by this, and no smaller "
        "choice keeps the truth and does as much.",
        found=found,
        refute=refute,
    )
    end = say("What is left, {left}, was certified{but}:", left=left, but="" if settled else ", but not all decided")
    differing = any(each["out"] != together["out"] for each in alone.values())
    rows = tuple(
        (
            say("{id}", id=Code(claim["id"])),
            (Verdict(claim["verdict"]),),
            listed(constant.inline() for constant in constants(claim["id"], claim["values"])) or NOTHING,
            *((left_out(alone[claim["id"]]["out"]),) if differing else ()),
        )
        for claim in together["claims"].values()
    )
    columns = ("Claim", "With this left out", "Constants", *(("Alone it takes",) if differing else ()))
    vacuous = any(claim["verdict"] == "vacuous" for claim in together["claims"].values())
    note = say("A vacuous claim compares worlds or models, and of what is left it has nothing to compare.")
    return [
        Paragraph(joined(say("Leave out {out}.", out=left_out(together["out"])), why, end)),
        Table("", columns, rows),
        *([Paragraph(note, role="note")] if vacuous else ()),
    ]


def left_out(out: Mapping[str, Sequence[Any]]) -> Inline:
    """Return words such as ``world x=1/20 and policies idle and patrol``."""
    return (
        listed(
            say(
                "{noun} {items}",
                noun=NOUNS[side][len(items) > 1],
                items=listed(Label(item if side == "policies" else point(item)) for item in items),
            )
            for side, items in out.items()
            if items
        )
        or NOTHING
    )


def floor(facts: Facts) -> list[Block]:
    """Return how large a floor the responses need for alpha to reach the target, and what then holds."""
    target, step = short(facts["target"]), short(facts["step"])
    if facts["epsilon"] is None:
        best = facts["best"]
        why = (
            say(
                "at each multiple of {s} some predictive state is too weak, and $α_κ$ is nowhere more than {a}, the "
                "bound at $ε$ = {e}.",
                s=step,
                a=number(best["alpha_upper"], "up"),
                e=short(best["epsilon"]),
            )
            if best
            else say("no multiple of {s} was shown to have it, though not all were shown to lack it.", s=step)
        )
        return [Paragraph(say("No response floor $ε$ makes $α_κ$ at least {t}: {why}", t=target, why=why))]
    if not fraction(facts["epsilon"]):
        first = [say("No response floor is needed for $α_κ$ to be at least {t}.", t=target)]
    else:
        lower = fraction(facts["epsilon"]) - fraction(facts["step"])
        first = [
            say(
                "Give every response the floor $ε$ = {e}: play $(1−ε) g + ε/|B|$ for $g$, so that no action is rarer "
                "than {p}.",
                e=number(facts["epsilon"]),
                p=short(facts["least_answer"]),
            ),
            say("It is the least multiple of {s} that makes $α_κ$ at least {t}.", s=step, t=target),
            say("At $ε$ = {e} it is at most {a}.", e=short(str(lower)), a=number(facts["alpha_below"], "up"))
            if facts["alpha_below"]
            else say("At $ε$ = {e} that was not shown.", e=short(str(lower))),
        ]
    rows = tuple(
        (
            say("{id}", id=Code(claim["id"])),
            (Verdict(claim["verdict"]),),
            listed(constant.inline() for constant in constants(claim["id"], claim["values"])) or NOTHING,
        )
        for claim in facts["claims"].values()
    )
    return [Paragraph(joined(*first)), Table("", ("Claim", "With this floor", "Constants"), rows)]
