"""Puts a computed repair in words: what to leave out of a class, the box to narrow its intervals to, or how large a
floor its responses need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from shlex import quote

from pomgcheck.errors import counted
from pomgcheck.evidence import Xi
from pomgcheck.remedies import Claims, Drop, Floor, LargestBox, LeftOut, Obstacle, Remedy, Repair, RepairRecord, Sides
from pomgcheck.reporting.blocks import Block, Document, Heading, Paragraph, Table
from pomgcheck.reporting.numbers import number
from pomgcheck.reporting.pages.certificates import closing
from pomgcheck.reporting.render import text
from pomgcheck.reporting.spans import NOTHING, Code, Field, Inline, Label, Math, VerdictMark, joined, listed, say
from pomgcheck.reporting.words import constants, model, point, short

CHECKING = "The first command checks the digests and the certificate that the repair is for; the second seeks it again and compares."
NOUNS = {"worlds": ("world", "worlds"), "responses": ("response", "responses"), "policies": ("policy", "policies")}


def told(found: Remedy, *, width: int = 100, paint: text.Paint = text.unpainted) -> str:
    """Return a repair, a box or a floor as sentences and a table."""
    return text.render(blocks(found), width, paint)


def blocks(found: Remedy) -> list[Block]:
    """Return a repair, a box or a floor as a report's blocks."""
    return floor(found) if isinstance(found, Floor) else box(found) if isinstance(found, LargestBox) else drops(found)


def document(record: RepairRecord, file: str = "") -> Document:
    """Return the report of a repair."""
    stamp = {"repair": record.sha256, "certificate": record.certificate_sha256, "model": record.model_sha256}
    title, file = f"{record.name}: repair", file or f"{record.name}.repair.json"
    return Document(
        title=title,
        stamp=stamp,
        blocks=(
            Heading(1, say("{t}", t=title)),
            *blocks(record.content),
            *closing(CHECKING, (f"pomgcheck verify {quote(file)}{end}" for end in ("", " --replay")), stamp),
        ),
    )


def drops(found: Repair) -> list[Block]:
    """Return the smallest drop for everything refuted, what each claim alone takes, and what no drop repairs."""
    if not found.refuted:
        return [Paragraph.of("Nothing is refuted, so there is nothing to leave out.")]
    blocks: list[Block] = [Paragraph.of("Refuted: {claims}.", claims=listed(map(Code, found.refuted)))]
    if found.together:
        blocks += drop(found.together, found.alone)
    if found.outside:
        sentence = (
            "Leaving something out does not repair `well-specified`: add the truth {xi} to the class, or move it."
        )
        blocks.append(Paragraph.of(sentence, xi=model(Xi.stated(found.outside))))
    return blocks


def verdicts(claims: Claims) -> list[tuple[Field, ...]]:
    """Return a row per claim: its id, how it ended and its constants."""
    return [
        (
            Code(claim.id),
            VerdictMark(claim.verdict),
            listed(constant.inline() for constant in constants(claim.id, claim.values)) or NOTHING,
        )
        for claim in claims.values()
    ]


def box(found: LargestBox) -> list[Block]:
    """Return the box to narrow the intervals to, what then holds, and what keeps each of its ends from going further."""
    blocks: list[Block] = []
    for head, claims in (("Refuted", found.refuted), ("Left open", found.unknown)):
        if claims:
            blocks.append(Paragraph.of("{head}: {claims}.", head=head, claims=listed(map(Code, claims))))
    if found.outside:
        sentence = "No narrower class has the truth {xi}: move it, or widen an axis."
        return [*blocks, Paragraph.of(sentence, xi=model(Xi.stated(found.outside)))]
    if not blocks:
        return [Paragraph.of("Nothing is refuted or open, so there is nothing to narrow.")]
    place = "the truth" if found.around == "truth" else "the middle, no truth being stated"
    tried = counted(found.candidates, "box was tried", "boxes were tried")
    if found.box is None:
        sentence = (
            "No box around {place} was found on which all of them hold: {tried}{stop}. List values instead, or "
            "leave an unknown out."
        )
        stop = "" if found.complete else f", and the {float(found.limit):g} s are over"
        return [*blocks, Paragraph.of(sentence, place=place, tried=tried, stop=stop)]
    narrowed = listed(
        say("{x} to {ends}", x=Math(name), ends=interval(ends))
        for side, name, ends in axes(found.box)
        if ends != found.whole[side][name]
    )
    largest = (
        "Where an end is moved outwards by {s} of the room it has, a claim is refuted or undecided."
        if found.complete
        else "The {t} s ended before every end was tried: a larger one may do, with --time-limit."
    )
    return [
        *blocks,
        Paragraph(
            joined(
                say("Narrow {n}.", n=narrowed),
                say("This box around {place} was certified; {tried} in all.", place=place, tried=tried),
                say(largest, s=str(found.step), t=f"{float(found.limit):g}"),
            )
        ),
        held_table(found, found.box),
        Table.of("", ("Claim", "On this box", "Constants"), verdicts(found.claims)),
    ]


def axes(box: Sides) -> Iterator[tuple[str, str, tuple[Fraction, ...]]]:
    """Yield the side, the parameter and the ends of each axis."""
    for side, by_name in box.items():
        for name, ends in by_name.items():
            yield side, name, ends


def held_table(found: LargestBox, box: Sides) -> Table:
    """Return one row per axis: its ends in the class and in the box, and what holds each end of the box."""
    stops = {(each.axis, each.end): each for each in found.held}
    rows = []
    for side, name, ends in axes(box):
        whole = found.whole[side][name]
        kept = (
            "the class's own end" if here == own else held(stops.get((f"{side}.{name}", end)))
            for end, here, own in zip(("low", "high"), ends, whole, strict=True)
        )
        rows.append((Math(name), interval(whole), interval(ends), *kept))
    return Table.of("", ("Axis", "Of the class", "Of the box", "Lower end held by", "Upper end held by"), rows)


def interval(ends: tuple[Fraction, ...]) -> Inline:
    """Return words such as ``1/8 to 3/8``, or the one value."""
    return say("{a} to {b}", a=short(ends[0]), b=short(ends[1])) if ends[0] != ends[1] else say("{a}", a=short(ends[0]))


def held(by: Obstacle | None) -> Inline:
    """Return what keeps an end from being moved further, and to where it was tried."""
    return say("{c} {v} at {at}", c=Code(by.claim), v=VerdictMark(by.verdict), at=short(by.at)) if by else NOTHING


def drop(together: Drop, alone: Mapping[str, Drop]) -> list[Block]:
    """Return what to leave out, why nothing smaller will do, and what then holds."""
    left = listed(counted(n, *NOUNS[side]) for side, n in together.left.items())
    n = together.conflicts
    found = "the one combination" if n == 1 else f"each of the {n:,} combinations"
    refute = "refutes" if n == 1 else "refute"
    why = say(
        "That takes a member away from {found} of worlds, responses and policies that {refute} a claim, and no "
        "smaller choice keeps the truth and does as much.",
        found=found,
        refute=refute,
    )
    but = "" if together.settled else ", though not every claim was decided"
    end = say("What is left, {left}, was certified{but}:", left=left, but=but)
    differing = any(each.out != together.out for each in alone.values())
    rows = (
        (*cells, *((left_out(alone[claim].out),) if differing else ()))
        for claim, cells in zip(together.claims, verdicts(together.claims), strict=True)
    )
    columns = ("Claim", "With this left out", "Constants", *(("Alone it takes",) if differing else ()))
    vacuous = any(claim.verdict == "vacuous" for claim in together.claims.values())
    note = say("A vacuous claim compares worlds or models, and of what is left it has nothing to compare.")
    return [
        Paragraph(joined(say("Leave out {out}.", out=left_out(together.out)), why, end)),
        Table.of("", columns, rows),
        *([Paragraph(note, role="note")] if vacuous else ()),
    ]


def left_out(out: LeftOut) -> Inline:
    """Return words such as ``world x=1/20 and policies idle and patrol``."""
    return (
        listed(
            say(
                "{noun} {items}",
                noun=NOUNS[side][len(items) > 1],
                items=listed(Label(item if side == "policies" else point(item)) for item in items),
            )
            for side, items in out._asdict().items()
            if items
        )
        or NOTHING
    )


def floor(found: Floor) -> list[Block]:
    """Return how large a floor the responses need for alpha to reach the target, and what then holds."""
    target, step = short(found.target), short(found.step)
    if found.epsilon is None:
        why = (
            say(
                "at each multiple of {s} some predictive state is too weak, and $α_κ$ is nowhere more than {a}, the "
                "bound at $ε$ = {e}.",
                s=step,
                a=number(str(found.best.alpha_upper), "up"),
                e=short(found.best.epsilon),
            )
            if found.best
            else say("no multiple of {s} was shown to have it, though not all were shown to lack it.", s=step)
        )
        return [Paragraph.of("No response floor $ε$ makes $α_κ$ at least {t}: {why}", t=target, why=why)]
    if not found.epsilon:
        first = [say("No response floor is needed for $α_κ$ to be at least {t}.", t=target)]
    else:
        lower = short(found.epsilon - found.step)
        first = [
            say(
                "Give every response the floor $ε$ = {e}: play $(1−ε) g + ε/|B|$ for $g$, so that no action is rarer "
                "than {p}.",
                e=number(str(found.epsilon)),
                p=short(found.least_answer or found.epsilon),
            ),
            say("It is the least multiple of {s} that makes $α_κ$ at least {t}.", s=step, t=target),
            say("At $ε$ = {e} it is at most {a}.", e=lower, a=number(str(found.alpha_below), "up"))
            if found.alpha_below
            else say("At $ε$ = {e} that was not shown.", e=lower),
        ]
    held_then = Table.of("", ("Claim", "With this floor", "Constants"), verdicts(found.claims))
    return [Paragraph(joined(*first)), held_then]
