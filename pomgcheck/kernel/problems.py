"""What Assumption 2.4 asks of a class: its problems, each a ratio that must not fall below alpha.

A *problem* is a pair of cells of Theta with a cell of Psi, a policy pi, a step h, a learner memory and a pair (o, a).
Its pairs of models x, x' are the points of a chart (``pairs``); a finite model is a cell with an
empty box, and two of them have t = 1.  Per pure state j of the predictive states, Z_j is the chance of o, M_j the
unnormalised law of the next kappa observations and W_j the column of the world channel at x, and dZ_j, dM_j, dW_j are
the quotients by t of what they are at x' less what they are at x.  With Z' = Z + t dZ,

    ratio(q) = ||(Z dM - dZ M) q q||_1 / (Z q  Z' q  ||dW q||_1)        (joint form: ||dM q||_1 / ||dW q||_1),

t having been divided out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, islice, product
from math import lcm
from typing import Any, NamedTuple

from .boxes import Region
from .budget import spend
from .facts import Facts
from .operators import Memory, State, W, pure_states, window_law
from .pairs import Chart, charts, exactly, used
from .parameters import Point
from .polynomials import Inverse, Polynomial, divisors, inverse, parameters, polynomial, primitive, substituted
from .reading import Object
from .rows import Scalar, transposed

PLACE = ("theta", "theta_prime", "Phi", "pi", "h", "learner_part", "o", "a", "chart")  # what names a problem
Context = tuple[int, int, int, int, int, Memory, int, int]  # i, j, k, p, h, uA, o, a
Terms = dict[Any, Scalar]  # by window, or by key of V
RatioTerms = tuple[Scalar, Scalar, Terms, Terms, Terms]  # Z, dZ, M, dM, dW at a state


class Side(NamedTuple):
    """A side is what one cell of Theta shows in a context: its region, with the parameters in use alone, and per pure
    state Z, M by window and W by channel coordinate. Z is over the unit of E^A; M and W are over one other, which
    cancels."""

    region: Region
    columns: tuple[tuple[Scalar, Terms, Terms], ...]

    def frozen(self) -> object:
        """Return what two sides must have in common to be one."""
        tables = tuple((Z, tuple(M.items()), tuple(D.items())) for Z, M, D in self.columns)
        return frozen(self.region), tables


def frozen(region: Region) -> object:
    """Return a region as something that can be looked up by."""
    return tuple(region.box.items()), region.constraints, tuple(region.signs.items())


class Problem(NamedTuple):
    """This is one problem in one chart. ``signs`` are those of the divisors at every pair of the class, and ``columns``
    hold polynomials in the coordinates of the chart and t, or numbers."""

    place: dict[str, Any]
    context: Context
    chart: Chart
    signs: dict[Inverse, int]
    states: list[State]
    columns: list[RatioTerms]
    unit: int  # of Z
    mass: int  # of M and W

    @property
    def key(self) -> str:
        """Return the place as one text, by which evidence finds its problem."""
        return spelled(self.place)

    def vertices(self, factor: Polynomial, where: str) -> list[RatioTerms]:
        """Return the columns with the quotients divided by a common factor, and t written in the coordinates of the
        chart.

        Raises ``Malformed`` where the factor leaves a remainder.
        """
        one = polynomial(1)

        def divided(x: Scalar) -> Scalar:
            return self.placed(x if factor == one else exactly(polynomial(x), factor, where))

        return [
            (
                self.placed(Z),
                divided(dZ),
                {w: self.placed(x) for w, x in M.items()},
                {w: divided(x) for w, x in dM.items()},
                {v: divided(x) for v, x in dW.items()},
            )
            for Z, dZ, M, dM, dW in self.columns
        ]

    def placed(self, x: Scalar) -> Scalar:
        """Return a polynomial with t written in the coordinates of the chart."""
        return self.chart.written_out(x)


def spelled(place: Object) -> str:
    """Return a place as one text."""
    return json.dumps(place, sort_keys=True, ensure_ascii=False)


def side(facts: Facts, i: int, k: int, p: int, h: int, uA: Memory, o: int, a: int) -> Side:
    """Return what one cell of Theta (or one world) shows in a context."""
    scaled, space, kappa = facts.scaled, facts.space, facts.options["kappa"]
    world, g, policy = scaled.worlds[i], scaled.responses[k][p], scaled.policies[p]
    finer = unit_of_mass(facts) // scaled.W
    columns = []
    for s, uB in pure_states(space, h):
        M = window_law(space, world, g, policy, h, kappa, uA, o, a, {(s, uB): 1})
        D = W(world, h, o, a, {(s, uB): finer})
        columns.append((world.EA[h][s][o], M, {v: x for v, x in D.items() if x}))
    if facts.game.finite:
        return Side(Region({}), tuple(columns))
    region, named = facts.continuum.region(i, k), used([[Z, M, D] for Z, M, D in columns])
    constraints = tuple(c for c in region.constraints if {*parameters(c)} <= {*named})
    return Side(Region({x: region.box[x] for x in named}, constraints, signs=region.signs), tuple(columns))


def unit_of_mass(facts: Facts) -> int:
    """Return the unit of M and W in the tables' own units."""
    scaled, kappa = facts.scaled, facts.options["kappa"]
    return int(scaled.J**kappa * scaled.EA * scaled.pi ** (kappa - 1))


def problems(facts: Facts) -> Iterator[Problem]:
    """Yield the distinct problems in order of first appearance, each in its charts: contexts run through Phi, pi, h,
    the memory, o and a, then through pairs of cells of Theta, the first not after the second.

    A context that reads the same tables as an earlier one, or whose two sides are equal to those of an earlier one, in
    either order, poses the same problem: the ratio is symmetric. One observation ahead nothing depends on the memory.
    Problems in which W does not change are left out, and in the literal form those whose observation is impossible on a
    side.
    """
    game, scaled, space, kappa = facts.game, facts.scaled, facts.space, facts.options["kappa"]
    O, A, n = range(len(game.OA)), range(len(game.A)), range(len(scaled.worlds))
    reachable = facts.options["weak_revealing"]["scope"] == "reachable"
    numbers: dict[object, int] = {}

    def name(table: object) -> int:
        """Return the same number for equal tables, and for no others."""
        return numbers.setdefault(table, len(numbers))

    seen_now = [[list(map(name, transposed(t))) for t in world.EA] for world in scaled.worlds]
    slices = [[[name(tuple(rows[a] for rows in t)) for a in A] for t in world.T] for world in scaled.worlds]
    EA, EB, T = ([[name(t) for t in world[part]] for world in scaled.worlds] for part in range(3))
    g = [[[name(t) for t in table] for table in response] for response in scaled.responses]
    play = [[name(t) for t in policy] for policy in scaled.policies]
    vary = [[not game.finite and bool(used([t[h] for t in world])) for h in range(game.H)] for world in scaled.worlds]
    made: dict[object, tuple[int, Side]] = {}
    met, answered, posed = set[object](), set[object](), set[object]()
    for k, p, h in product(range(len(scaled.responses)), range(len(scaled.policies)), range(game.H - kappa)):
        later = range(h + 1, h + kappa)
        played = g[k][p][h], tuple((g[k][p][s], play[p][s]) for s in later)
        cells = [0 if game.finite else name(frozen(facts.continuum.region(i, k))) for i in n]
        if (h, played, tuple(cells)) in met:  # every context would read what those of an earlier answer read
            continue
        met.add((h, played, tuple(cells)))
        every = kappa > 1 or reachable
        contexts = (space.count(h, True) if every else 1) * len(O) * len(A) * len(n) * (len(n) + 1) // 2
        spend(4 * contexts, f"{contexts} contexts of weak revealing")
        for uA, o, a in product(space.memories(h, True) if every else islice(space.memories(h, True), 1), O, A):
            now = [(seen_now[i][h][o], EB[i][h], slices[i][h][a]) for i in n]
            place = (h, uA) if reachable else depth(facts, h), space.next(uA, o, a, True) if kappa > 1 else ()
            reads = [
                (now[i], EA[i][h + kappa], tuple((EA[i][s], EB[i][s], T[i][s]) for s in later), cells[i], played, place)
                for i in n
            ]
            for i, j in combinations_with_replacement(n, 2):
                if now[i] == now[j] and not vary[i][h] or (reads[i], reads[j]) in answered:
                    continue
                answered.add((reads[i], reads[j]))
                for x in (i, j):
                    if reads[x] not in made:
                        found = side(facts, x, k, p, h, uA, o, a)
                        made[reads[x]] = name((found.frozen(), place[0])), found
                (left, star), (right, here) = made[reads[i]], made[reads[j]]
                if (left, right) not in posed:  # nor the other way round: the ratio is symmetric
                    posed |= {(left, right), (right, left)}
                    yield from asked(facts, (i, j, k, p, h, uA, o, a), star, None if left == right else here)


def depth(facts: Facts, h: int) -> Any:
    """Return what the windows' lengths at a step depend on."""
    windows = facts.game.adversary_window, facts.game.learner_window
    return h if facts.space.history else tuple(min(h, (w or 1) - 1) for w in windows)


def asked(facts: Facts, context: Context, star: Side, here: Side | None) -> Iterator[Problem]:
    """Yield a problem in each of its charts; ``here`` is ``None`` where both models are points of one cell."""
    literal, other = facts.options["weak_revealing"]["form"] == "literal", here or star
    if literal and not all(any(Z for Z, _, _ in each.columns) for each in (star, other)):
        return
    still = [x for x in (*star.region.box, *other.region.box) if x.startswith("Phi.")]
    states = pure_states(facts.space, context[4])
    for chart in charts(star.region, here and here.region, still):
        columns, unit, mass = quotients(chart, star, other), facts.scaled.EA, unit_of_mass(facts)
        if any(dW for *_, dW in columns):
            if not facts.game.finite:
                columns, unit, mass = whole(columns)
            signs = {**star.region.signs, **moved_signs(chart, other.region)}
            yield Problem(place_of(facts, context, chart), context, chart, signs, states, columns, unit, mass)


def whole(columns: list[RatioTerms]) -> tuple[list[RatioTerms], int, int]:
    """Return the columns in integers, Z and dZ over one unit and the others over another, and both units."""

    def unit_of(parts: Iterable[Scalar]) -> int:
        return lcm(*((primitive(x)[0] if isinstance(x, Polynomial) else Fraction(x)).denominator for x in parts))

    def times(x: Scalar, unit: int) -> Scalar:
        if not isinstance(x, Polynomial):
            return int(x * unit)
        scale, integral = primitive(x)
        return integral * int(scale * unit)

    chances = unit_of(x for Z, dZ, *_ in columns for x in (Z, dZ))
    masses = unit_of(x for column in columns for part in column[2:] for x in part.values())
    scaled = []
    for Z, dZ, *tables in columns:
        M, dM, dW = ({key: times(x, masses) for key, x in part.items()} for part in tables)
        scaled.append((times(Z, chances), times(dZ, chances), M, dM, dW))
    return scaled, chances, masses


def quotients(chart: Chart, star: Side, here: Side) -> list[RatioTerms]:
    """Return the columns of two sides with the quotients of their differences."""
    known: dict[Any, Any] = {}

    def quotient(x: Scalar, y: Scalar) -> Scalar:
        if not isinstance(x, Polynomial) and not isinstance(y, Polynomial):
            return y - x
        if (x, y) not in known:
            known[x, y] = chart.quotient(polynomial(x), polynomial(y))
        return known[x, y]

    out = []
    for (Z, M, D), (Z_, M_, D_) in zip(star.columns, here.columns, strict=True):
        laws = {w: M.get(w, 0) for w in [*M, *(w for w in M_ if w not in M)]}
        dM = {w: quotient(x, M_.get(w, 0)) for w, x in laws.items()}
        dW = {v: x for v in {**D, **D_} if (x := quotient(D.get(v, 0), D_.get(v, 0)))}
        out.append((Z, quotient(Z, Z_), laws, dM, dW))
    return out


def moved_signs(chart: Chart, here: Region) -> dict[Inverse, int]:
    """Return the signs of the second model's divisors in the coordinates of the chart. The second model lies in the
    region ``here``, on the whole of which they have these signs."""
    out = {}
    for symbol, sign in here.signs.items():
        for mine in divisors([inverse(substituted(symbol.divisor, chart.shift))]):
            out[mine] = sign
            out.update(dict.fromkeys(divisors([inverse(chart.written_out(mine.divisor))]), sign))
    return out


def place_of(facts: Facts, context: Context, chart: Chart) -> dict[str, Any]:
    """Return a context in labels, and the axis of the chart."""
    (i, j, k, p, h, uA, o, a), game = context, facts.game
    if game.finite:
        points = game.thetas[i], game.thetas[j], game.phis[k]  # type: ignore[index]  # a finite class has points
    else:
        points = facts.continuum.thetas[i].fixed, facts.continuum.thetas[j].fixed, facts.continuum.phis[k].fixed

    def point(values: Point) -> dict[str, str]:
        return {name: str(x) for name, x in values.items()}

    pair = (game.OA, game.A) if facts.space.history else (game.OA, game.OA)
    return {
        "theta": point(points[0]),
        "theta_prime": point(points[1]),
        "Phi": point(points[2]),
        "pi": game.policy_names[p],
        "h": h + 1,
        "learner_part": [pair[n % 2][x] for n, x in enumerate(uA)],
        "o": game.OA[o],
        "a": game.A[a],
        "chart": chart.step[1] if chart.step else None,
    }
