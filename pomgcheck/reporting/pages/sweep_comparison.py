"""Sets sweeps side by side: how many points end how, where a point that they share ends otherwise, and which constants
move.

Points are shared where their knobs have the same values, whatever the grids; what only one sweep asked is counted, and
nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

from pomgcheck.errors import counted
from pomgcheck.reporting.blocks import Block, Heading, Paragraph, Table
from pomgcheck.reporting.pages import certificates, sweeps
from pomgcheck.reporting.pages.side_by_side import asked, differing, improves, introduced
from pomgcheck.reporting.quantities import Quantity, order, quantities, span
from pomgcheck.reporting.spans import NOTHING, Field, Inline, Strong, joined, listed, say
from pomgcheck.search.sweep_file import ENDS, Sweep, Swept

MOST_WAYS = 40  # rows of points that end otherwise


def blocks(found: Sequence[Sweep], names: Sequence[str], files: Sequence[str]) -> list[Block]:
    """Return the body of the comparison."""
    knobs = differing([axes(each) for each in found], names, "Knobs")
    options = differing([certificates.options_table(each.options) for each in found], names, "Options")
    sentence = "Each sweep is checked by itself; with `--replay` every point is certified again."
    return [
        *introduced(names, map(sweeps.summary, found)),
        Heading(2, say("How they end"), "ends"),
        ends_table(found, names),
        Heading(2, say("At the same knobs"), "shared"),
        *shared_section(found, names),
        Heading(2, say("Constants"), "certified-constants"),
        constants_table(found, names),
        *asked([*knobs, *options], sentence, (f"pomgcheck verify {quote(file)}" for file in files), found, names),
    ]


def ends_table(found: Sequence[Sweep], names: Sequence[str]) -> Table:
    """Return one row per way to end: how many points of each sweep end that way."""
    rows: Iterator[tuple[Field, ...]] = (
        (sweeps.end_mark(found[0], end), *(f"{each.counts().get(end, 0):,} of {len(each.points):,}" for each in found))
        for end in ENDS.values()
        if any(end in each.counts() for each in found)
    )
    return Table.of("", ("Ends", *names), rows)


def by_knobs(sweep: Sweep) -> dict[tuple[tuple[str, str], ...], Swept]:
    """Return the points by the values of all knobs, including those that do not vary."""
    return {tuple(sorted({**sweep.knobs, **point.knobs}.items())): point for point in sweep.points}


def shared(found: Sequence[Sweep]) -> list[list[Swept]]:
    """Return the points that all sweeps have, one list per knob setting."""
    every = [by_knobs(each) for each in found]
    return [[points[key] for points in every] for key in every[0] if all(key in points for points in every)]


def shared_section(found: Sequence[Sweep], names: Sequence[str]) -> list[Block]:
    """Return which shared points end otherwise, and where they lie."""
    common = shared(found)
    if not common:
        return [Paragraph.of("The sweeps have no point with the same knobs, so none can be set beside another.")]
    ways: dict[tuple[str, ...], list[list[Swept]]] = {}
    for points in common:
        ways.setdefault(tuple(point.end for point in points), []).append(points)
    apart = {way: points for way, points in ways.items() if len({*way}) > 1}
    same = len(common) - sum(map(len, apart.values()))
    told = Paragraph.of("They share {n}, of which {k} end alike.", n=counted(len(common), "point"), k=f"{same:,}")
    if not apart:
        return [told]
    ranked = sorted(apart.items(), key=lambda item: -len(item[1]))[:MOST_WAYS]
    rows: Iterator[tuple[Field, ...]] = (
        (
            f"{len(points):,}",
            *(cell(each, end, k, way) for k, (each, end) in enumerate(zip(found, way, strict=True))),
            sweeps.place(found[0], [first for first, *_ in points]),
        )
        for way, points in ranked
    )
    return [told, Table.of("The points that end otherwise", ("Points", *names, "Where"), rows)]


def cell(sweep: Sweep, end: str, k: int, way: Sequence[str]) -> Inline:
    """Return the end of a point, marked where it is not that of the first sweep."""
    mark = sweeps.end_mark(sweep, end)
    return mark if end == way[0] or not k else joined((Strong("≠"),), mark)


def constants_table(found: Sequence[Sweep], names: Sequence[str]) -> Table:
    """Return a row per constant: its range over the certified points of each sweep, and at how many shared points it is
    better or worse than in the first."""
    certified = [each.certified for each in found]
    common = [points for points in shared(found) if all(point.exit == 0 for point in points)]
    rows = (
        (
            quantity.symbol,
            *(range_of(quantity, points, quantity_moves(quantity, common, k)) for k, points in enumerate(certified)),
        )
        for quantity in quantities([point for points in certified for point in points])
    )
    caption = f"Ranges over the certified points; ▲ and ▼ count shared points better or worse than {names[0]}'s"
    return Table.of(caption, ("Constant", *names), rows, sortable=True)


def quantity_moves(quantity: Quantity, common: Sequence[Sequence[Swept]], k: int) -> Inline:
    """Return at how many points that all certify the constant is better, and at how many worse, than in the first
    sweep."""
    better = worse = 0
    for points in common if k else ():
        first, value = quantity.of(points[0]), quantity.of(points[k])
        if first is not None and value is not None and first != value:
            improved = improves(quantity, order(value), order(first))
            better, worse = better + (improved is True), worse + (improved is False)
    marks = [Strong(f"{mark} {n:,}") for mark, n in (("▲", better), ("▼", worse)) if n]
    return listed(marks, last="") if marks else ()


def range_of(quantity: Quantity, points: Sequence[Swept], moved: Inline) -> Inline:
    """Return words such as ``1/11 to 4/9``."""
    if not any(quantity.of(point) is not None for point in points):
        return NOTHING
    found = span(quantity, points)
    low, high = found.least[0], found.most[0]
    if low == high:
        return joined((quantity.number(low),), moved)
    return joined(say("{a} to {b}", a=quantity.decimal(low), b=quantity.decimal(high)), moved)


def axes(sweep: Sweep) -> Table:
    """Return each knob with its grid, or its value, in one cell."""
    rows = [
        (name, f"{counted(axis.points, 'value')} from {axis.low} to {axis.high}") for name, axis in sweep.vary.items()
    ]
    rows += [(name, value) for name, value in sorted(sweep.knobs.items()) if name not in sweep.vary]
    rows.append(("Class before its knobs", f"{sweep.name}, {sweep.source_sha256[:16]}…"))
    rows.append(("Searched", "all claims" if sweep.only is None else ", ".join(sweep.only)))
    return Table.of("", ("Knob", "Values"), rows)
