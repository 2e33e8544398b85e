"""The claims of a class with interval axes: every goal gets a tree, a counterexample is a point of the class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from .continuum import Continuum
from .exact.boxes import Point, Stuck, Violated
from .extremes import Trees, Undecided, corners, some_point
from .finding import Finding


def unknown(undecided: Undecided) -> Finding:
    """The goal and the box, or the point, where it is undecided."""
    goal, answer = undecided.goal.statement[:200], undecided.answer
    if isinstance(answer, Stuck):
        place = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in answer.box.items())
        return Finding("unknown", f"the budget ended with {goal} undecided on {place}")
    place = ", ".join(f"{name} = {x}" for name, x in answer.point.items())
    return Finding("unknown", f"{goal} fails at {place}, which is no refutation yet")


def settled(search: Callable[[], Finding]) -> Finding:
    """What the search finds, or unknown where a goal stays open."""
    try:
        return search()
    except Undecided as undecided:
        return unknown(undecided)


def point_of(c: Continuum, xi: tuple[int, int], values: Mapping[str, Fraction]) -> dict[str, Any]:
    """A model as certificates write it: the cell's finite values, ``values``, and some point on the other intervals."""
    out = {}
    for side, n in zip(("theta", "Phi"), xi, strict=True):
        cell = c.cells[side][n]
        full = some_point(cell, {name: x for name, x in values.items() if name in cell.box})
        point = cell.fixed | {name.partition(".")[2]: x for name, x in full.items()}
        out[side] = {name: str(x) for name, x in sorted(point.items())}
    return out


def labels(c: Continuum, sequence: tuple[int, ...], learner: bool = True) -> list[str]:
    """A history in labels."""
    game = c.game
    pair = (game.OA, game.A) if learner else (game.OB, game.B)
    return [pair[n % 2][x] for n, x in enumerate(sequence)]


def oom_identity(c: Continuum, whole: Continuum) -> Finding:
    """The laws of play on this space against those with whole adversary histories, as polynomials."""
    for own, full in zip(c.laws, whole.laws, strict=True):
        for sequence, law in own.items():
            if any(str(p) != str(full[sequence][xi]) for xi, p in law.items()):
                raise AssertionError("the windows do not carry what the tables read")
    count = sum(map(len, c.laws))
    return Finding("proved", f"{count} laws equal as polynomials under the policies", evidence={"rule": "eval"})


def nonexpansive(c: Continuum) -> Finding:
    """Entries are probabilities on the whole class."""
    trees = Trees(c)
    trees.show_all(c.probabilities())
    method = f"{len(trees.known)} entries and divisors by Bernstein coefficients, {len(trees.trees)} with splits"
    return Finding("proved", method, evidence={"rule": "box", "trees": trees.trees})


def predictive_states(c: Continuum) -> Finding:
    """Every trajectory has positive probability on the whole class, or a point where one has none."""
    trees = Trees(c)
    for goal, p, sequence, xi in c.positive():
        answer = trees.ask(goal)
        if isinstance(answer, Violated):
            return impossible(c, p, sequence, xi, answer.point)
        if isinstance(answer, Stuck):
            raise Undecided(goal, answer)
    method = f"{len(trees.known)} laws positive by Bernstein coefficients, {len(trees.trees)} with splits"
    return Finding("proved", method, evidence={"rule": "box", "trees": trees.trees})


def impossible(c: Continuum, p: int, sequence: tuple[int, ...], xi: tuple[int, int], point: Point) -> Finding:
    """A trajectory impossible at a point of one cell and possible at a point of some cell."""
    for other, law in c.laws[p][sequence].items():
        cell = c.cell_of(other)
        for values in corners(cell, c.ring.parameters(law)):
            probability = c.ring.quotient_value(law, values)
            if probability > 0:
                witness = {
                    "xi": point_of(c, other, values),
                    "xi_prime": point_of(c, xi, point),
                    "pi": c.game.policy_names[p],
                    "trajectory": labels(c, sequence),
                    "probability": str(probability),
                }
                return Finding("refuted", "a point where a law vanishes", witness=witness)
    return Finding("unknown", f"a law vanishes at {point_of(c, xi, point)}, and nowhere seen it does not")


def bounded_increments(c: Continuum) -> Finding:
    """sup over inf of every trajectory's probability, and the Lipschitz constant of its logarithm."""
    trees, bounds = Trees(c), dict[str, list[str]]()
    upper, least, best, place = Fraction(1), Fraction(1), Fraction(0), None
    for p, law in enumerate(c.laws):
        for sequence, probabilities in law.items():
            highs, lows = [], []
            for xi, probability in probabilities.items():
                cell = c.cell_of(xi)
                scale, whole = c.ring.split(probability)
                low, high = trees.both(whole, cell)
                if low.value <= 0:
                    return impossible(c, p, sequence, xi, low.point)
                if low.bound <= 0:
                    raise Undecided(c.goal(whole, True, cell), Stuck(cell.box))
                if not whole.is_constant():
                    widen(bounds, c.ring.text(whole), low.bound, high.bound)
                lows.append((scale * low.bound, scale * low.value, xi, low.point))
                highs.append((scale * high.bound, scale * high.value, xi, high.point))
            upper = max(upper, max(highs)[0] / min(lows)[0])
            least = min(least, min(lows)[0])
            most, fewest = max(highs, key=lambda x: x[1]), min(lows, key=lambda x: x[1])
            if most[1] / fewest[1] > best:
                best, place = most[1] / fewest[1], (most, fewest, p, sequence)
    assert place is not None
    most, fewest, p, sequence = place
    attained = {
        "xi": point_of(c, most[2], most[3]),
        "xi_prime": point_of(c, fewest[2], fewest[3]),
        "pi": c.game.policy_names[p],
        "trajectory": labels(c, sequence),
    }
    values = {
        "B0_lower": {"log_of": str(best)},
        "B0_upper": {"log_of": str(upper)},
        "log_likelihood_lipschitz_upper": str(varying(c) / least),
    }
    evidence = {"rule": "box", "bounds": bounds, "trees": trees.trees, "attained": attained}
    count = sum(map(len, c.laws))
    return Finding("proved", f"{count} trajectories bounded over the class", values, evidence)


def widen(bounds: dict[str, list[str]], name: str, low: Fraction, high: Fraction) -> None:
    """Bounds that hold on every region the polynomial was met on."""
    if name in bounds:
        low, high = min(low, Fraction(bounds[name][0])), max(high, Fraction(bounds[name][1]))
    bounds[name] = [str(low), str(high)]


def varying(c: Continuum) -> int:
    """Steps at which some table depends on a parameter."""

    def varies(table: Any) -> bool:
        entries = table.values() if isinstance(table, dict) else table
        return any(varies(x) if isinstance(x, dict | list | tuple) else not x.is_constant() for x in entries)

    steps = range(c.game.H)
    return sum(
        any(varies(part[h]) for world in c.worlds for part in world)
        or any(varies(table[h]) for response in c.responses for table in response)
        for h in steps
    )


def covering(c: Continuum, T: int) -> Finding:
    """A grid of every cell, fine enough at epsilon = 1/(2T+4) in the l1 norm of every column of J."""
    trees, bounds, epsilon = Trees(c), dict[str, list[str]](), Fraction(1, 2 * T + 4)
    needs: dict[str, Fraction] = {}
    steepest = Fraction(0)
    for xi, column in c.columns():
        cell = c.cell_of(xi)
        names = sorted({name for p in column for name in c.ring.parameters(p)})
        slopes = dict.fromkeys(names, Fraction(0))
        for p, name in product(column, names):
            scale, whole = c.ring.split(c.ring.derivative(p, name))
            low, high = trees.both(whole, cell)
            if not whole.is_constant():
                widen(bounds, c.ring.text(whole), low.bound, high.bound)
            slopes[name] += scale * max(abs(low.bound), abs(high.bound))
        steepest = max(steepest, sum(slopes.values(), Fraction(0)))
        for name, slope in slopes.items():  # every axis of the column gets an equal share of epsilon
            low_end, high_end = cell.box[name]
            reach = 1 if cell.constraints else 2
            needs[name] = max(
                needs.get(name, Fraction(0)), len(names) * slope * (high_end - low_end) / (reach * epsilon)
            )
    grid = {name: max(1, -(-need.numerator // need.denominator)) for name, need in needs.items()}
    size = len(c.models) * prod(grid.values())
    values = {"log_covering_upper": {"log_of": str(size)}, "covering_lipschitz_upper": str(steepest)}
    evidence = {"rule": "box", "bounds": bounds, "grid": grid, "trees": trees.trees}
    return Finding("proved", f"a grid in {len(grid)} parameters", values, evidence)


Masses = list[dict[tuple[int, ...], list[Poly]]]


def reference_masses(c: Continuum, i: int, p: int, mu: Sequence[Fraction]) -> Masses:
    """Per step, decision history of the adversary -> masses of the learner's actions under (pi, mu, theta)."""
    game, (EA, EB, T) = c.game, c.worlds[i]
    learner = Memories(game.H, len(game.OA), len(game.A), game.learner_window, game.learner_window is None)
    level = {(): {(s, 0): mass for (s, _), mass in c.initial().items()}}
    out: Masses = []
    for h in range(game.H):
        acting: dict[tuple[int, ...], list[Poly]] = {}
        after: dict[tuple[int, ...], dict[tuple[int, int], Poly]] = {}
        for tau, masses in level.items():
            for (s, m), mass in masses.items():
                for (o, seen), (oB, shown) in product(EA[h][s].items(), EB[h][s].items()):
                    here = mass * seen * shown
                    row = acting.setdefault((*tau, oB), [c.ring.zero] * len(game.A))
                    for a, chance in enumerate(game.policies[p][h][learner.row[h][m, o]]):
                        if chance:
                            played = here * c.ring.constant(chance)
                            row[a] += played
                            following = int(learner.next[h][m, o, a])
                            for b, draw in enumerate(mu if h + 1 < game.H else ()):
                                pushed = after.setdefault((*tau, oB, b), {})
                                for s_next, move in T[h][s][a][b].items():
                                    key, value = (s_next, following), played * move * c.ring.constant(draw)
                                    pushed[key] = pushed[key] + value if key in pushed else value
        out.append(acting)
        level = after
    return out


@dataclass
class Comparison:
    """Two policies in one cell of Theta: the largest response gap with where it is attained, and the posteriors'
    differences, each times the mass that divides it, one for every history that may be used."""

    name: str
    i: int
    pi: int
    nu: int
    h: int
    eta: tuple[int, ...]
    gap: Fraction
    k: int
    Phi: Point
    exact: bool
    posteriors: list[tuple[list[Poly], Poly]]
    places: list[tuple[int, tuple[int, ...]]]
    choice: list[int] = field(default_factory=list)


class Lipschitz:
    """Assumption 2.3 on interval axes: sup of gaps over Psi divided by inf of posterior distances over Theta."""

    def __init__(self, c: Continuum, form: str, mu: Sequence[Fraction]) -> None:
        self.c, self.form, self.mu, self.trees = c, form, mu, Trees(c)
        self.gaps: dict[str, str] = {}
        self.signs: dict[str, list[int]] = {}
        self.whole = Memories(c.game.H, len(c.game.OB), len(c.game.B), c.game.adversary_window, True)
        self.masses = cache(lambda i, p: reference_masses(c, i, p, mu))
        self.widest: dict[tuple[int, int, int, int], tuple[Fraction, int, Point, bool]] = {}

    def row(self, h: int, eta: tuple[int, ...]) -> int:
        """The row of a response table that a decision history reads."""
        game, window = self.c.game, self.c.game.adversary_window
        return Memories._row(eta[:-1], eta[-1], len(game.OB), len(game.B), window, window is not None)

    def gap(self, p: int, n: int, h: int, row: int) -> tuple[Fraction, int, Point, bool]:
        """(proved bound, cell, point of the largest value seen, whether they agree) of ||g(.|pi) - g(.|nu)||_1."""
        key = p, n, h, row
        if key not in self.widest:
            self.widest[key] = self._gap(p, n, h, row)
        return self.widest[key]

    def _gap(self, p: int, n: int, h: int, row: int) -> tuple[Fraction, int, Point, bool]:
        c, ring = self.c, self.c.ring
        best: tuple[Fraction, int, Point] = (Fraction(0), 0, {})
        bound = Fraction(0)
        for k, response in enumerate(c.responses):
            u, v = response[p][h][row], response[n][h][row]
            vector = [u.get(b, ring.zero) - v.get(b, ring.zero) for b in range(len(c.game.B))]
            cell = c.cell_of((None, k))
            if all(x.is_constant() for x in vector):
                size = sum((abs(ring.value(x, {})) for x in vector), Fraction(0))
                best, bound = max(best, (size, k, {}), key=lambda x: x[0]), max(bound, size)
                continue
            mine = Fraction(0)
            for signs in product((1, -1), repeat=len(vector)):
                total = sum((x * s for x, s in zip(vector, signs, strict=True)), ring.zero)
                high = self.trees.greatest(total, cell)
                mine = max(mine, high.bound)
                best = max(best, (high.value, k, high.point), key=lambda x: x[0])
            for signs in product((1, -1), repeat=len(vector)):
                total = sum((x * s for x, s in zip(vector, signs, strict=True)), ring.zero)
                self.trees.show_all([c.goal(ring.constant(mine) - total, False, cell)])
            parts = (ring.split(x) for x in vector)
            self.gaps[", ".join(f"{scale}*({ring.text(whole)})" for scale, whole in parts)] = str(mine)
            bound = max(bound, mine)
        return bound, best[1], best[2], bound == best[0]

    def comparisons(self) -> Iterator[Comparison]:
        """In the step form one a history, in the policy form one a pair of policies; those of gap zero are left out."""
        c, ring = self.c, self.c.ring
        for i in range(len(c.worlds)):
            for p, n in combinations(range(len(c.game.policies)), 2):
                if all(str(response[p]) == str(response[n]) for response in c.responses):
                    continue
                found: list[Comparison] = []
                for h, (left, right) in enumerate(zip(self.masses(i, p), self.masses(i, n), strict=True)):
                    for eta in left:
                        if eta in right:
                            mine, other = sum(left[eta], ring.zero), sum(right[eta], ring.zero)
                            apart = [x * other - y * mine for x, y in zip(left[eta], right[eta], strict=True)]
                            name = ", ".join(ring.text(ring.primitive(x)) for x in apart)
                            size, k, Phi, exact = self.gap(p, n, h, self.row(h, eta))
                            posterior = (apart, mine * other)
                            found.append(Comparison(name, i, p, n, h, eta, size, k, Phi, exact, [posterior], [(h, eta)]))
                if self.form == "step":
                    yield from (each for each in found if each.gap)
                elif found and (widest := max(found, key=lambda each: each.gap)).gap:
                    widest.name = f"{c.game.policy_names[p]} {c.game.policy_names[n]} {i}"
                    widest.posteriors = [each.posteriors[0] for each in found]
                    widest.places = [(each.h, each.eta) for each in found]
                    yield widest

    def distance(self, each: Comparison, point: Point) -> Fraction:
        """The posteriors' distance at a point: the largest of those compared."""
        ring, best = self.c.ring, Fraction(0)
        for apart, mass in each.posteriors:
            size = ring.quotient_value(mass, point)
            if size:
                best = max(best, sum((abs(ring.quotient_value(x, point)) for x in apart), Fraction(0)) / size)
        return best

    def find(self) -> Finding:
        """L to within the slack of its bounds, a refutation, or unknown."""
        c = self.c
        every = list({(each.name, each.gap): each for each in self.comparisons()}.values())
        if not every:
            zero = {"L_lower": "0", "L_upper": "0"}
            return Finding("proved", "no two policies are answered differently", zero, self.evidence(None))
        best: tuple[Fraction, Comparison, Point] | None = None
        for each in every:
            cell = c.cell_of((each.i, None))
            names = sorted({n for apart, mass in each.posteriors for x in (*apart, mass) for n in c.ring.parameters(x)})
            self.choose(each, cell)
            for point in corners(cell, names):
                apart = self.distance(each, point)
                if not apart:
                    if self.impossible(each, point):
                        continue
                    return self.refuted(each, point)
                if best is None or each.gap / apart > best[0]:
                    best = each.gap / apart, each, point
        assert best is not None
        L, attaining, point = best
        for share in (Fraction(0), *SLACK):
            undecided = self.open_goal(every, L * (1 + share))
            if undecided is None:
                L_upper = L * (1 + share)
                break
        else:
            raise undecided  # type: ignore[misc]
        place = self.place(attaining, point)
        lower = self.exact_ratio(attaining, point)
        values = {"L_lower": str(lower), "L_upper": str(L_upper)}
        method = f"{len(every)} comparisons, posteriors over Theta and responses over Psi apart"
        return Finding("proved", method, values, self.evidence(place))
