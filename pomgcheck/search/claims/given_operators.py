"""Theorem 2.5 for a class given by operators: integer matrices at all parameter points at once.

On interval axes the factorization is decided as an identity of rational functions (python-flint); the other two claims
are tried at points of the class, where they can only be refuted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import gcd
from typing import Any

import numpy as np

from pomgcheck.errors import LimitExceeded, counted
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operator_section import MAX_VALUES, OperatorSection, mapped, parameter_names
from pomgcheck.kernel.parameters import Point, constraints_of, read_axes
from pomgcheck.modelclass.expressions import Expression, ExpressionRing, Quotient
from pomgcheck.search.claims import regularity
from pomgcheck.search.exact.boxes import bernstein
from pomgcheck.search.exact.tables import Integers, integers
from pomgcheck.search.finding import Finding, point_text

CHUNK = 4096  # states that are moved at once
SAMPLES = 400  # points of an interval class at which a refutation is looked for
EVAL = {"rule": "eval"}
NEEDS_KERNELS = Finding("unknown", "needs kernels, and the class is given by operators")
Place = tuple[int, ...]


class Matrices:
    """This has ``W[h][X,O,A,V,S]``, ``G[p][h][X,O,A,S',V]`` and ``J[p][h][X,O,A,S',S]`` as integers over ``unit``, for
    the points X of ``thetas`` x ``phis``, the second fastest."""

    def __init__(self, section: OperatorSection, thetas: Sequence[Point], phis: Sequence[Point]) -> None:
        self.section, self.game, self.thetas, self.phis = section, section.game, thetas, phis
        points = len(thetas) * len(phis)
        if section.entries * points > MAX_VALUES:
            fix = "use fewer coordinates, policies or parameter values"
            raise LimitExceeded("operators", "entries at all points", section.entries * points, MAX_VALUES, fix)
        ids: dict[str, int] = {}
        numbered = [mapped(part, lambda text: ids.setdefault(text, len(ids))) for part in section.texts]
        values, self.unit = integers([self._values(text) for text in ids])
        self.values: Integers = values.T  # [X, text]
        self.W = [self.values[:, np.array(step)] for step in numbered[0]]
        self.G, self.J = ([[self.values[:, np.array(step)] for step in law] for law in part] for part in numbered[1:])

    def _values(self, text: str) -> list[Fraction]:
        """Return one expression at every point, worked out once for each choice of the parameters in it."""
        names = set(re.findall(r"[A-Za-z_]\w*", text))
        known: dict[tuple[Fraction, ...], Fraction] = {}
        out = []
        for theta, phi in product(self.thetas, self.phis):
            point = {name: value for name, value in {**theta, **phi}.items() if name in names}
            key = tuple(point.values())
            if key not in known:
                known[key] = evaluate(text, point, "operators")
            out.append(known[key])
        return out

    def operators(self) -> Iterator[tuple[str, int, int, Integers]]:
        """Yield (W or G, p, h, matrices) for the two channels."""
        yield from (("W", 0, h, step) for h, step in enumerate(self.W))
        yield from (("G", p, h, step) for p, law in enumerate(self.G) for h, step in enumerate(law))

    # -- places in the class's own words

    def xi(self, x: int) -> dict[str, Any]:
        """Return the model of that number in labels, as certificates write it."""
        i, k = divmod(x, len(self.phis))
        return {"theta": point_text(self.thetas[i]), "Phi": point_text(self.phis[k])}

    def spot(self, operator: str, p: int, h: int, o: int, a: int) -> dict[str, Any]:
        """Return (h, o, a), and the policy where the operator has one, in labels."""
        game = self.game
        spot = {"h": h + 1, "o": game.OA[o], "a": game.A[a]}
        return spot if operator == "W" else spot | {"pi": game.policy_names[p]}

    def coordinate(self, operator: str, h: int, row: int, column: int) -> dict[str, str]:
        """Return the labels of a row and a column of one operator."""
        section = self.section
        rows = section.channel[h] if operator == "W" else section.coordinates[h + 1]
        columns = section.channel[h] if operator == "G" else section.coordinates[h]
        return {"row": rows[row], "column": columns[column]}

    def text(self, value: Any, power: int = 1) -> str:
        """Return the exact text of an integer over a power of the unit."""
        return str(Fraction(int(value), self.unit**power))


def first(mask: Any) -> Place | None:
    """Return the first place of a mask that is set."""
    places = np.argwhere(np.asarray(mask, dtype=bool))
    return tuple(map(int, places[0])) if len(places) else None


# ----------------------------------------------------------------------------------------- claims


def unequal(m: Matrices) -> dict[str, Any] | None:
    """Return a witness that J is not G W."""
    for p, h in product(range(len(m.J)), range(len(m.W))):
        GW = m.G[p][h] @ m.W[h]
        if found := first(m.J[p][h] * m.unit != GW):
            x, o, a, row, column = found
            entries = {"J": m.text(m.J[p][h][found]), "GW": m.text(GW[found], 2)}
            return m.spot("J", p, h, o, a) | m.coordinate("J", h, row, column) | {"xi": m.xi(x)} | entries
    return None


def not_free(m: Matrices) -> dict[str, Any] | None:
    """Return a witness that G depends on theta or W on Phi."""
    for operator, p, h, step in m.operators():
        table = step.reshape(len(m.thetas), len(m.phis), *step.shape[1:])
        base = table[:1] if operator == "G" else table[:, :1]
        if found := first(table != base):
            i, k, o, a, row, column = found
            other = (0, k) if operator == "G" else (i, 0)
            entry, entry_prime = table[(*other, o, a, row, column)], table[found]
            return (
                m.spot(operator, p, h, o, a)
                | m.coordinate(operator, h, row, column)
                | {
                    "operator": operator,
                    "xi": m.xi(other[0] * len(m.phis) + other[1]),
                    "xi_prime": m.xi(i * len(m.phis) + k),
                    "entry": m.text(entry),
                    "entry_prime": m.text(entry_prime),
                }
            )
    return None


def expanding(m: Matrices) -> dict[str, Any] | None:
    """Return a witness of a negative entry of W or G, or of a column of |G| above 1."""
    for operator, p, h, step in m.operators():
        if found := first(step < 0):
            x, o, a, row, column = found
            return (
                m.spot(operator, p, h, o, a)
                | m.coordinate(operator, h, row, column)
                | {"operator": operator, "xi": m.xi(x), "entry": m.text(step[found])}
            )
    for _, p, h, step in (each for each in m.operators() if each[0] == "G"):
        sums = np.abs(step).sum(axis=-2)
        if found := first(sums > m.unit):
            x, o, a, column = found
            name = m.section.channel[h][column]
            return m.spot("G", p, h, o, a) | {"column": name, "xi": m.xi(x), "sum": m.text(sums[found])}
    return None


def unlawful(m: Matrices, limit: int) -> tuple[dict[str, Any] | None, bool]:
    """Return a witness that the masses are not a law, and whether all sequences were played (up to multiples, at most
    ``limit`` per step)."""
    section, complete = m.section, True
    q0, d0 = integers(section.initial)
    start = {"h": 0, "trajectory": [], "mass": str(Fraction(int(q0.sum()), d0))}
    if q0.sum() != d0:
        return {"xi": m.xi(0), "pi": m.game.policy_names[0], **start}, True
    seen = set()
    for p, x in product(range(len(m.J)), range(len(m.values))):
        law = [step[x] for step in m.J[p]]
        key = tuple(tuple(step.flat) for step in law)
        if key in seen or all((q0 >= 0).all() and conserved(step, m.unit) for step in law):
            continue
        seen.add(key)
        place, whole = played(m, law, q0, limit)
        if place:
            return {"xi": m.xi(x), "pi": m.game.policy_names[p], **place}, True
        complete = complete and whole
    return None, complete


def conserved(step: Integers, unit: int) -> bool:
    """Return whether no entry is negative and sum_o J(o,a) has columns of sum 1, for every a."""
    return bool((step >= 0).all() and (step.sum(axis=(0, 2)) == unit).all())


def played(m: Matrices, law: list[Integers], q0: Integers, limit: int) -> tuple[dict[str, Any] | None, bool]:
    """Return the shortest learner sequence at which one law's masses fail, if any; and whether all were played."""
    states: dict[tuple[int, ...], Place] = {tuple(q0): ()}  # up to positive multiples -> a sequence that leads there
    for h, step in enumerate(law):
        after: dict[tuple[int, ...], Place] = {}
        items = list(states.items())
        for n in range(0, len(items), CHUNK):
            q = np.array([state for state, _ in items[n : n + CHUNK]], dtype=object)
            images = np.moveaxis(step @ q.T, -1, 0)  # [N,O,A,S']
            masses, before = images.sum(axis=-1), q.sum(axis=-1)
            if found := first(masses < 0):
                return failure(m, law, h + 1, (*items[n + found[0]][1], *found[1:]), None), True
            if found := first(masses.sum(axis=1) != before[:, None] * m.unit):
                return failure(m, law, h + 1, items[n + found[0]][1], found[1]), True
            for (k, o, a), _ in np.ndenumerate(masses):
                if images[k, o, a].any():
                    common = gcd(*images[k, o, a])
                    after.setdefault(tuple(v // common for v in images[k, o, a]), (*items[n + k][1], o, a))
            if len(after) > limit:
                return None, False
        states = after
    return None, True


def failure(m: Matrices, law: list[Integers], h: int, sequence: Place, a: int | None) -> dict[str, Any]:
    """Return the masses at a failure, exactly."""
    q, unit = np.array(m.section.initial, dtype=object), Fraction(1, m.unit)
    for step, o, played_a in zip(law, sequence[::2], sequence[1::2], strict=False):
        q = step[o, played_a] @ q * unit
    pairs = zip(sequence[::2], sequence[1::2], strict=True)
    place = {"h": h, "trajectory": [name for o, b in pairs for name in (m.game.OA[o], m.game.A[b])]}
    if a is None:
        return place | {"mass": str(q.sum())}
    after = (law[h - 1][:, a] @ q).sum() * unit
    return place | {"a": m.game.A[a], "before": str(q.sum()), "after": str(after)}


# --------------------------------------------------------------------------------- interval axes


def identity(section: OperatorSection) -> bool:
    """Return whether J = G W as rational functions, W mentions no parameter of Psi and G none of Theta, and no divisor
    has a zero in the box of the parameters."""
    document = section.game.document
    names = {side: parameter_names(document[side]) for side in ("worlds", "responses")}
    ring = ExpressionRing((*names["worlds"], *names["responses"]))
    W, G, J = (mapped(part, lambda text: ring.read(text, "operators")) for part in section.texts)
    mentioned = [{name for e in entries(part) for name in re.findall(r"[A-Za-z_]\w*", e.text)} for part in (W, G)]
    if mentioned[0] & names["responses"] or mentioned[1] & names["worlds"]:
        return False
    for (law, target), h in product(zip(G, J, strict=True), range(section.game.H)):
        for g, w, j in zip(flat(law[h]), flat(W[h]), flat(target[h]), strict=True):
            for row, line in zip(g, j, strict=True):
                for column, entry in zip(zip(*w, strict=True), line, strict=True):
                    if ring.dot(row, column, "operators").text != entry.text:
                        return False
    values = {e.text: e.value for part in (W, G, J) for e in entries(part)}.values()
    box = ends(section.game)
    return all(zero_free(value.den, box) for value in values if isinstance(value, Quotient))


def ends(game: Game) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the least and the greatest value of every parameter, without regard to constraints."""
    found: dict[str, tuple[Fraction, Fraction]] = {}
    for side, points in (("worlds", game.thetas), ("responses", game.phis)):
        finite, intervals = read_axes(game.document[side], side) if points is None else ({}, {})
        finite |= {name: [point[name] for point in points or ()] for name in (points or [{}])[0]}
        found |= {name: (min(values), max(values)) for name, values in (finite | intervals).items()}
    return found


def zero_free(divisor: Any, box: Mapping[str, tuple[Fraction, Fraction]]) -> bool:
    """Return whether the Bernstein coefficients of a divisor on the box all have one sign."""
    names = list(divisor.context().names())
    monomials = ((zip(names, powers, strict=True), Fraction(int(c))) for powers, c in divisor.terms())
    terms = {tuple(sorted(name for name, n in key for _ in range(int(n)))): c for key, c in monomials}
    table = bernstein(terms, sorted({name for key in terms for name in key}), dict(box))
    return bool((table > 0).all() or (table < 0).all())


def entries(nested: Any) -> Iterator[Expression]:
    """Yield the expressions in a nest."""
    if isinstance(nested, Expression):
        yield nested
    else:
        for part in nested:
            yield from entries(part)


def flat(step: Any) -> list[Any]:
    """Return the matrices of a table [o][a]."""
    return [matrix for row in step for matrix in row]


def samples(game: Game, side: str, points: tuple[Point, ...] | None) -> list[Point]:
    """Return the points of one side: all of a finite one, else ends and middles of the intervals that meet the
    constraints."""
    if points is not None:
        return list(points)
    finite, intervals = read_axes(game.document[side], side)
    tried = {name: list(dict.fromkeys([low, (low + high) / 2, high])) for name, (low, high) in intervals.items()}
    axes, constraints = dict(sorted((finite | tried).items())), constraints_of(game.document[side], side)
    found = []
    for values in product(*axes.values()):
        point = dict(zip(axes, values, strict=True))
        if all(evaluate(text, point, side) >= 0 for text in constraints):
            found.append(point)
        if len(found) ** 2 >= SAMPLES:
            break
    return found


# ------------------------------------------------------------------------------------ all together


def search(game: Game, options: Mapping[str, Any]) -> dict[str, tuple[Finding, float]]:
    """Return every claim's finding and seconds; those about kernels end unknown."""
    section = OperatorSection(game)
    thetas, phis = (samples(game, side, points) for side, points in (("worlds", game.thetas), ("responses", game.phis)))
    start = time.perf_counter()
    m = Matrices(section, thetas, phis) if thetas and phis else None
    count = counted(len(thetas) * len(phis), "parameter point") + (
        "" if game.finite else ", of a class with interval axes"
    )

    def decided(witness: dict[str, Any] | None, proved: bool, how: str) -> Finding:
        if witness:
            return Finding("refuted", f"integer matrices at {count}", witness=witness)
        return Finding("proved", how, evidence=EVAL) if proved else Finding("unknown", f"nothing found at {count}")

    def factorization() -> Finding:
        witness = (unequal(m) or not_free(m)) if m else None
        if witness or game.finite:
            return decided(witness, True, f"integer matrices at {count}")
        return decided(None, identity(section), "identity of rational functions (python-flint)")

    def oom_identity() -> Finding:
        witness, complete = unlawful(m, options["limits"]["trajectories"]) if m else (None, False)
        return decided(witness, complete and game.finite, f"masses of every learner sequence at {count}")

    def covering() -> Finding:
        assert m is not None
        log = {"log_covering_upper": {"log_of": str(len(set(map(tuple, m.values))))}}
        return Finding("proved", "distinct models counted", log, EVAL)

    searches: dict[str, Callable[[], Finding]] = {
        "factorization": factorization,
        "oom-identity": oom_identity,
        "nonexpansive": lambda: decided(expanding(m) if m else None, game.finite, f"signs and column sums at {count}"),
        "warmup-stationary": lambda: regularity.warmup_stationary(game) if game.gamma is None else NEEDS_KERNELS,
    }
    if game.finite:
        searches |= {"well-specified": lambda: regularity.well_specified(game), "covering": covering}
    found = {claim.id: (NEEDS_KERNELS, 0.0) for claim in CLAIMS}
    for claim, run in searches.items():
        found[claim] = run(), time.perf_counter() - start
        start = time.perf_counter()
    interval = Finding("unknown", "interval axes are not decided yet"), 0.0
    return found | ({} if game.finite else dict.fromkeys(("well-specified", "covering"), interval))
