"""Tells a sweep as a report's blocks: what ended how and why, phase diagrams, every point, options, digests."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod
from shlex import quote
from typing import NamedTuple

from pomgcheck.errors import counted
from pomgcheck.reporting.blocks import Block, Document, Figure, Heading, Paragraph, Table
from pomgcheck.reporting.claims import CLAIMS
from pomgcheck.reporting.drawings import diagrams
from pomgcheck.reporting.numbers import fraction, number
from pomgcheck.reporting.pages import certificates
from pomgcheck.reporting.quantities import Quantity, ValueRange, quantities, span
from pomgcheck.reporting.spans import NOTHING, Code, Field, Inline, Label, Strong, VerdictMark, joined, listed, say
from pomgcheck.search.sweep_file import ENDS, Sweep, Swept

FOLDED = 30  # rows above which the table of points is folded away
MOST_ROWS = 2000
CHECKING = "The first command checks the digests and the class of every point; the second certifies each point again and compares."


class PointGroup(NamedTuple):
    """These are points that ended the same way for the same reason."""

    end: str
    why: str
    points: list[Swept]


def groups(sweep: Sweep) -> list[PointGroup]:
    """Return all points so far: certified, refuted, unknown, unusable; the commonest reason first."""
    found: dict[tuple[str, str], list[Swept]] = {}
    for point in sweep.points:
        found.setdefault((point.end, why(sweep, point)), []).append(point)
    order = list(ENDS.values())
    ranked = sorted(found.items(), key=lambda item: (order.index(item[0][0]), -len(item[1])))
    return [PointGroup(end, reason, points) for (end, reason), points in ranked]


def why(sweep: Sweep, point: Swept) -> str:
    """Return the claims that fail or are open; for a point that is not a class, what it breaks."""
    if point.error is not None:
        return f"{point.error.where}: required {point.error.required}"
    order = [*CLAIMS, *sorted(point.verdicts.keys() - CLAIMS)]  # as a certificate has them
    return ", ".join(c for c in order if point.verdicts.get(c) == point.end and (sweep.only is None or c in sweep.only))


def word(sweep: Sweep, end: str) -> str:
    """Return what an end is called; where some claims were left out, nothing is certified."""
    return "proved" if end == "certified" and sweep.only is not None else end


def at(sweep: Sweep, knobs: Mapping[str, str]) -> str:
    """Return words such as ``noise = 1/20, deterrence = 2``."""
    return ", ".join(f"{name} = {knobs[name]}" for name in sweep.vary)


MOST_BOXES = 3  # that are told one by one


def place(sweep: Sweep, points: Sequence[Swept]) -> str:
    """Return where points lie: boxes of the grid that hold these points and no others, each knob's value or its least and
    greatest; or, where that takes many, how many points of which box they are."""
    names = [*sweep.vary]
    lines = [sorted({fraction(point.knobs[name]) for point in sweep.points}) for name in names]
    number_of = [{value: k for k, value in enumerate(line)} for line in lines]
    inside = {
        tuple(of[fraction(point.knobs[name])] for name, of in zip(names, number_of, strict=True)) for point in points
    }

    def told(box: Sequence[tuple[int, int]]) -> str:
        ends = ((name, line[low], line[high]) for name, line, (low, high) in zip(names, lines, box, strict=True))
        return ", ".join(f"{name} = {low}" if low == high else f"{name} {low} to {high}" for name, low, high in ends)

    if len(found := boxes(inside)) <= MOST_BOXES:
        return "; ".join(map(told, found))
    hull = [(min(axis), max(axis)) for axis in zip(*inside, strict=True)]
    return f"{len(inside):,} of the {prod(high - low + 1 for low, high in hull):,} points in {told(hull)}"


def boxes(inside: Collection[tuple[int, ...]]) -> list[list[tuple[int, int]]]:
    """Return boxes of a grid, by the first and the last number on each axis, that together hold these points and no
    others: neighbours on the first axis are joined where they hold the same of the others."""
    if not all(inside):
        return [[]]
    slices: dict[int, set[tuple[int, ...]]] = {}
    for first, *others in inside:
        slices.setdefault(first, set()).add(tuple(others))
    joined: list[tuple[int, int, set[tuple[int, ...]]]] = []
    for first, rest in sorted(slices.items(), key=lambda each: each[0]):
        if joined and joined[-1][1] == first - 1 and joined[-1][2] == rest:
            joined[-1] = joined[-1][0], first, rest
        else:
            joined.append((first, first, rest))
    return [[(low, high), *box] for low, high, rest in joined for box in boxes(rest)]


def spans(sweep: Sweep) -> list[ValueRange]:
    """Return the range of each quantity over the certified points."""
    return [span(quantity, sweep.certified) for quantity in quantities(sweep.certified)]


# ------------------------------------------------------------------------------------------ the page


def document(sweep: Sweep, file: str = "") -> Document:
    """Return the report of a sweep; ``file`` is its name in the commands that re-check it."""
    name, over, file = sweep.name, " and ".join(sweep.vary), file or f"{sweep.name}.sweep.json"
    stamp = {"sweep": sweep.sha256, "model": sweep.model_sha256}
    return Document(
        title=f"{name}: sweep over {over}",
        stamp=stamp,
        blocks=(
            Heading(1, say("{name}: sweep over {over}", name=name, over=over)),
            Paragraph(summary(sweep)),
            axes_table(sweep),
            Heading(2, say("How it ends, and why"), "ends"),
            ends_table(sweep),
            Heading(2, say("Phase diagrams"), "diagrams"),
            *drawings(sweep),
            Heading(2, say("Every point"), "points"),
            *points_section(sweep),
            Heading(2, say("Options"), "options"),
            Paragraph.of("These choices are part of what is claimed at every point."),
            certificates.options_table(sweep.options),
            *certificates.closing(
                CHECKING, (f"pomgcheck verify {quote(file)}{end}" for end in ("", " --replay")), stamp
            ),
        ),
    )


def summary(sweep: Sweep) -> Inline:
    """Return how many points there are, and how many ended how."""
    left = sweep.size - len(sweep.points)
    counts = listed(f"{n:,} {word(sweep, end)}" for end, n in sweep.counts().items())
    open_ = say("{n} of them are not done yet.", n=f"{left:,}") if left else ()
    part = say("Only {c} was searched.", c=listed(map(Code, sweep.only))) if sweep.only is not None else ()
    return joined(say("{n}: {c}.", n=counted(sweep.size, "point"), c=counts or "none"), open_, part)


def axes_table(sweep: Sweep) -> Table:
    """Return each knob that varies, and what the document gives it; then the knobs that stay."""
    rows: list[tuple[Field, ...]] = [
        (Label(name), number(str(axis.low)), number(str(axis.high)), str(axis.points), number(sweep.knobs[name]))
        for name, axis in sweep.vary.items()
    ]
    rows += [
        (Label(name), NOTHING, NOTHING, NOTHING, number(value))
        for name, value in sorted(sweep.knobs.items())
        if name not in sweep.vary
    ]
    return Table.of("", ("Knob", "From", "To", "Points", "In the document"), rows)


def end_mark(sweep: Sweep, end: str) -> Inline:
    """Return the end of a point, as a verdict where it is one."""
    return (Strong("no class"),) if end == "unusable" else (VerdictMark(word(sweep, end)),)


def ends_table(sweep: Sweep) -> Table:
    """Return one row per reason."""
    rows = (
        (end_mark(sweep, group.end), f"{len(group.points):,}", reason(group), place(sweep, group.points))
        for group in groups(sweep)
    )
    return Table.of("", ("Ends", "Points", "Why", "Where"), rows)


def reason(group: PointGroup) -> Field:
    """Return the claims by their ids, or a sentence for what is not a class."""
    if group.end == "unusable" or group.points[0].error is not None:
        return group.why
    return listed(map(Code, group.why.split(", "))) if group.why else NOTHING


def drawings(sweep: Sweep) -> list[Block]:
    """Return one diagram per quantity."""
    found = spans(sweep)
    if not found:
        return [Paragraph.of("No point is {w}, so there is nothing to draw.", w=word(sweep, "certified"))]
    regions = [
        (caption(sweep, group), group.end == "unusable", group.points)
        for group in groups(sweep)
        if group.end != "certified"
    ]
    pictures = [diagrams.diagram(each.quantity, sweep, regions) for each in found]
    return [
        Figure(
            picture.svg,
            range_of(sweep, each),
            described(sweep, each, regions),
            each.quantity.name.replace("_", "-"),
            picture.stops,
        )
        for each, picture in zip(found, pictures, strict=True)
    ]


def caption(sweep: Sweep, group: PointGroup) -> str:
    """Return a hatch's line in the legend."""
    error = group.points[0].error
    if group.end == "unusable" and error is not None:
        return f"no class: {error.where.partition(',')[0]}"
    return f"{group.end}: {group.why.partition(':')[0]}"


def range_of(sweep: Sweep, each: ValueRange) -> Inline:
    """Return words such as ``α_κ from 1/11 at noise = 9/20 to 4/9 at noise = 1/10``."""
    (low, low_at), (high, high_at) = each.least, each.most
    quantity = each.quantity
    if low == high:
        return say("{s} is {x} throughout.", s=quantity.symbol, x=quantity.number(low))
    return say(
        "{s} from {a} at {p} to {b} at {q}.",
        s=quantity.symbol,
        a=quantity.number(low),
        p=at(sweep, low_at),
        b=quantity.number(high),
        q=at(sweep, high_at),
    )


def described(sweep: Sweep, each: ValueRange, regions: diagrams.Regions) -> str:
    """Return what a reader who cannot see the diagram should know."""
    (low, low_at), (high, high_at) = each.least, each.most
    quantity = each.quantity
    hatched = "; ".join(f"{label} at {place(sweep, points)}" for label, _, points in regions)
    values = f"{quantity.decimal(low)} throughout"
    if low != high:
        values = (
            f"from {quantity.decimal(low)} at {at(sweep, low_at)} to {quantity.decimal(high)} at {at(sweep, high_at)}"
        )
    over = " and ".join(sweep.vary)
    meaning = quantity.meaning[:1].upper() + quantity.meaning[1:]
    return f"{meaning} over {over}: {values}" + (f". Hatched: {hatched}" if hatched else "")


def points_section(sweep: Sweep) -> list[Block]:
    """Return every point: knobs, end, constants, certificate."""
    shown = sweep.points[:MOST_ROWS]
    cut = len(sweep.points) - len(shown)
    note = Paragraph.of("The first {n} points; {m} more are in the file.", n=str(len(shown)), m=f"{cut:,}")
    columns = [each.quantity for each in spans(sweep)]

    def cell(quantity: Quantity, point: Swept) -> Field:
        value = quantity.of(point)
        return NOTHING if value is None else quantity.decimal(value)

    rows = (
        (
            at(sweep, point.knobs),
            end_mark(sweep, point.end),
            *(cell(quantity, point) for quantity in columns),
            failing(sweep, point),
            Code(point.sha256[:16]) if point.sha256 else NOTHING,
        )
        for point in shown
    )
    symbols = [diagrams.symbol_text(quantity) for quantity in columns]
    titles = ("Point", "Ends", *symbols, "Fails", "Certificate")
    caption = f"{len(shown):,} points; decimals are rounded to the safe side"
    table = Table.of(caption, titles, rows, dense=True, folded=len(shown) > FOLDED, sortable=True)
    return [note, table] if cut else [table]


def failing(sweep: Sweep, point: Swept) -> Field:
    """Return the claims that fail at a point, or the sentence it was refused with."""
    error = point.error
    if error is not None:
        return f"{error.where}: found {error.found}, required {error.required}"
    return why(sweep, point) or NOTHING
