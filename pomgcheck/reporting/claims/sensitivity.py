"""Says how the two bounds on the policy regret move with each constant: at what T they say something, and what they are
at T, with the constant halved and doubled.

Every number is computed by the kernel's own formulas from changed inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, prod
from typing import Any

from pomgcheck.certificate import Moved, Sensitivity
from pomgcheck.kernel.bound import Grid, Premises, Radius, sharp
from pomgcheck.kernel.nested import Nested, Truth
from pomgcheck.kernel.nets import Netted
from pomgcheck.kernel.paper_bound import theorem
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.numbers import decimal
from pomgcheck.reporting.spans import NOTHING, Field, Inline, Math, Strong, joined, listed, say

HALF, TWICE = Fraction(1, 2), Fraction(2)
DISTANCES = "distances of laws of play, −log Σ√(P P*)"
FARTHEST = 2**80  # episodes up to which a T is looked for
KEPT = 32  # tables, and 64 points for each; a page that is verified is made again, word for word
Change = Callable[[Fraction], Any]  # the inputs with the constant times a factor; None where there are none
Varied = tuple[str, str, str, Change]  # sign, what it is, its value, and the change


def first_T(good: Callable[[int], bool], near: int = 1) -> int | None:
    """Return the least T from which on a bound says something, found by doubling from ``near`` and bisection, or
    ``None`` beyond ``FARTHEST``."""
    low, high = near, near
    while not good(high):
        low, high = high, 2 * high
        if high > FARTHEST:
            return None
    if low == high:
        while low and good(low):
            low, high = low // 2, low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def whole(n: int, factor: Fraction) -> int | None:
    """Return a count times a factor, rounded up, or ``None`` where that is none, or the count again."""
    scaled = ceil(n * factor)
    return scaled if scaled >= 1 and scaled != n else None


def count(inputs: Any, name: str) -> Change:
    """Return the change of a count among named inputs."""
    return lambda x: None if (n := whole(getattr(inputs, name), x)) is None else inputs._replace(**{name: n})


def times(inputs: Any, name: str, value: Fraction | None = None, most: Fraction | None = None) -> Change:
    """Return the change of a number among named inputs, of ``value`` where that is not the input itself; there is none
    beyond the ``most`` that the number can be."""
    here = getattr(inputs, name) if value is None else value
    return lambda x: None if most is not None and here * x > most else inputs._replace(**{name: here * x})


def scaled(truths: tuple[Truth, ...], factor: Fraction) -> tuple[Truth, ...]:
    """Return every distance c times a factor."""
    return tuple(
        truth._replace(costly=tuple(c if c.c is None else c._replace(c=c.c * factor) for c in truth.costly))
        for truth in truths
    )


# ---- Theorem 3.3


@lru_cache(KEPT * 64)
def regret_at(p: Premises, T: int) -> Fraction:
    """Return the sharp bound of Theorem 3.3 at T."""
    return sharp(p, T)["sharp_regret"].high


@lru_cache(KEPT)
def of_theorem(p: Premises, T: int, known: bool) -> tuple[Sensitivity, ...]:
    """Return how the sharp bound of Theorem 3.3 moves; ``known`` says whether D is known."""

    def moved(q: Premises, near: int = 1) -> Moved:
        return Moved(first_T(lambda t: regret_at(q, t) < q.dearest * t, near), regret_at(q, T))

    return tuple(varied("3.3", p, premises_changed(p, T, known), moved))


def models_changed(p: Premises) -> Iterator[Varied]:
    """Return how many models are counted, of a class or of its net, and the premises with another count."""
    if isinstance(grid := p.covering, Grid):

        def finer(x: Fraction) -> Premises | None:
            cells = whole(size(grid), x)
            return None if cells is None else p._replace(covering=grid._replace(cells=cells, counts=()))

        yield "N", "points of the net", f"{size(grid):,}", finer
    elif p.covering is None:
        yield "N", "models", f"{p.models:,}", count(p, "models")


def premises_changed(p: Premises, T: int, known: bool) -> Iterator[Varied]:
    """Return the constants that enter the sharp bound, and the premises with each of them changed."""
    yield from models_changed(p)
    B_0 = Radius(p, T).B_0.high
    yield (
        "B_0",
        ratios_bounded(p),
        decimal(B_0, "up"),
        lambda x: None if B_0 * x < 1 else p._replace(increments=Fraction(1), slope=B_0 * x),
    )
    yield "|Π|", "policies", f"{p.policies:,}", count(p, "policies")
    if p.m is None:
        yield "L_g", "Lipschitz constant of the fading response", decimal(p.L_g, "up"), times(p, "L_g")
    elif p.m > 1:
        yield "m", "memory in episodes", str(p.m), count(p, "m")
    yield "R", "what optimism may misjudge in an episode", decimal(p.range, "up"), times(p, "range")
    yield "R′", "what an episode of warm-up loses", decimal(p.later, "up"), times(p, "later")
    if known:
        yield "D", "what a settled episode loses at most", decimal(p.dearest), times(p, "dearest")
    yield "δ", "confidence parameter", decimal(p.delta), times(p, "delta")
    if truths := p.truths:
        yield "c(π)", DISTANCES, nearest(truths), lambda x: p._replace(truths=scaled(truths, x))


def ratios_bounded(p: Premises) -> str:
    """Return what B_0 is in the bound: on a net it is a bound on slopes too, and may be more than that of 3.1(c)."""
    return "bound on log-likelihood ratios" + (" and on their slope" if p.covering else "")


def size(grid: Grid) -> int:
    """Return how many points a net at its own T has."""
    return prod(grid.counts, start=grid.cells)


def nearest(truths: tuple[Truth, ...]) -> str:
    """Return the least of the distances."""
    found = [each.c for truth in truths for each in truth.costly if each.c is not None]
    return f"≥ {decimal(min(found), 'down')}" if found else "none"


@lru_cache(KEPT)
def by_operators(p: Premises, T: int) -> tuple[Sensitivity, ...]:
    """Return how the bound by operators moves at T, whose constants the sharp one does without."""

    def moved(q: Premises, near: int = 1) -> Moved:
        return Moved(None, theorem(q, T)["regret"].high)

    def changed() -> Iterator[Varied]:
        one, c_J, c_W = Fraction(1), min(p.c_J, Fraction(1)), min(p.c_W, Fraction(1))
        yield "c^J_{KL}", "conversion, joint operators", decimal(c_J, "down"), times(p, "c_J", c_J, one)
        yield "c^W_{KL}", "conversion, world channel", decimal(c_W, "down"), times(p, "c_W", c_W, one)
        yield "d^W", "Eluder dimension of the world channel", str(p.d_W), count(p, "d_W")
        yield "d^G", "Eluder dimension of the adversary channel", str(p.d_G), count(p, "d_G")
        if p.least < 1:  # it is 1 where no observation is uncertain, or operators are summed
            least = "least probability of a possible observation"
            yield "p_{min}", least, decimal(p.least, "down"), times(p, "least", most=one)

    return tuple(varied("operators", p, changed(), moved))


# ---- Theorem N


def of_list(bound: Nested | Netted, D: Fraction, T: int) -> tuple[Sensitivity, ...]:
    """Return how the bound of Theorem N moves, by a list of the models or by a net of them; D is what the bound is
    compared with."""

    def moved(each: tuple[Nested | Netted, Fraction], near: int = 1) -> Moved:
        changed, lost = each
        return Moved(first_T(lambda t: changed.regret(t) < lost * t, near), changed.regret(T))

    return tuple(varied("N", (bound, D), list_changed(bound, D), moved))


def list_changed(bound: Nested | Netted, D: Fraction) -> Iterator[Varied]:
    """Return the constants of Theorem N, and its inputs with each of them changed."""
    schedule = bound.schedule if isinstance(bound, Netted) else bound

    def put(change: Change) -> Change:
        """Return the change of the whole bound that a change of its schedule makes."""

        def changed(x: Fraction) -> tuple[Nested | Netted, Fraction] | None:
            inner = change(x)
            if inner is None:
                return None
            return (bound._replace(schedule=inner) if isinstance(bound, Netted) else inner), D

        return changed

    yield "N", "models of the list", f"{schedule.models:,}", put(count(schedule, "models"))
    yield "δ", "confidence parameter", decimal(schedule.delta), put(times(schedule, "delta"))
    yield "R′", "what an episode of warm-up loses", decimal(schedule.span, "up"), put(times(schedule, "span"))
    if not isinstance(schedule.memory, int):
        (gamma, drift), slope = schedule.memory, "Lipschitz constant of the fading response"
        yield "L_g", slope, decimal(drift, "up"), put(lambda x: schedule._replace(memory=(gamma, drift * x)))
    elif schedule.memory > 1:
        yield "m", "memory in episodes", str(schedule.memory), put(count(schedule, "memory"))
    yield "D", "what a settled episode loses", decimal(D, "down"), lambda x: (bound, D * x)
    if isinstance(bound, Netted):
        if len(bound.moments) > 1:
            chi, moments = "chi square from the nearest point of the net", "moments of the rewards that differ"
            yield "χ", chi, decimal(bound.chi, "up"), lambda x: (bound._replace(chi=bound.chi * x), D)
            most = f"≤ {decimal(max(bound.moments), 'up')}"
            yield "M", moments, most, lambda x: (bound._replace(moments=tuple(M * x for M in bound.moments)), D)
    elif any(truth.costly for truth in bound.truths):
        yield (
            "c(π)",
            DISTANCES,
            nearest(bound.truths),
            put(lambda x: schedule._replace(truths=scaled(schedule.truths, x))),
        )


# ---- both


def varied(theorem: str, inputs: Any, changes: Iterator[Varied], moved: Callable[..., Moved]) -> Iterator[Sensitivity]:
    """Yield every constant halved and doubled; what moves the bound most stands first."""
    here = moved(inputs)
    found = []
    for constant, meaning, value, change in changes:
        halved, doubled = (None if (put := change(x)) is None else moved(put, here.first or 1) for x in (HALF, TWICE))
        found.append(Sensitivity(theorem, constant, meaning, value, here, halved, doubled))
    yield from sorted(found, key=lambda each: -each.weight)


def told(found: Sequence[Sensitivity], T: int, sign: str, bound: str) -> list[Block]:
    """Return a table of what each constant does, and which matters most; ``sign`` is the name of the first T, or ""
    for none."""
    moving = [each for each in found if each.moves]
    still = [each for each in found if not each.moves]
    if not moving:
        return []
    rows = (
        (Math(each.constant), each.meaning, each.value, *cells(each.halved, sign), *cells(each.doubled, sign))
        for each in moving
    )
    ends = (f"{Math(sign).plain()} ", "Bound ") if sign else ("Bound ",)
    columns = ("Constant", "What it is", "Here", *(end + word for word in ("halved", "doubled") for end in ends))
    most = next((each for each in moving if each.constant != "D"), moving[0])  # D is what the bound is compared with
    lines = [
        say(
            "{head} Of its constants, {c} matters most: {how}.",
            head=Strong("What moves the bound."),
            c=Math(most.constant),
            how=how(most, sign, bound),
        ),
        say(
            "{s} {verb} nothing here.",
            s=listed(Math(each.constant) for each in still),
            verb="moves" if len(still) == 1 else "move",
        )
        if still
        else (),
    ]
    computed = "" if sign else "By operators, computed and not proved: w"
    caption = f"{computed or 'W'}hat halving or doubling one constant does, at T = {T:,}"
    return [Table.of(caption, columns, rows), Paragraph(joined(*lines))]


def cells(moved: Moved | None, sign: str) -> list[Field]:
    """Return the first T and the bound at T."""
    first = NOTHING if moved is None or moved.first is None else f"{moved.first:,}"
    bound = NOTHING if moved is None else decimal(moved.at_T, "up")
    return [first, bound] if sign else [bound]


def how(each: Sensitivity, sign: str, bound: str) -> Inline:
    """Return words such as ``if it is halved, T* goes from 9,400 to 4,700``."""
    parts = []
    for word, moved in (("halved", each.halved), ("doubled", each.doubled)):
        if moved is None:
            continue
        if sign and moved.first is not None and each.here.first is not None:
            name, before, after = sign, f"{each.here.first:,}", f"{moved.first:,}"
        else:
            name, before, after = bound, decimal(each.here.at_T, "up"), decimal(moved.at_T, "up")
        parts.append(say("if it is {w}, {s} goes from {a} to {b}", w=word, s=Math(name), a=before, b=after))
    return say("{a}; {b}", a=parts[0], b=parts[1]) if len(parts) == 2 else parts[0]
