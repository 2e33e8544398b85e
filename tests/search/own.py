"""Small classes given by operators, and Theorem 2.5 decided for them again from the text of the document.

Nothing of the package is used but the canonical document: Python itself reads the entries, with Fractions for numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

Document = dict[str, Any]
Point = dict[str, Fraction]
Matrix = list[list[Fraction]]

GATE = {"shut": {"o0": "3/4", "o1": "1/4"}, "open": {"o0": "1/4", "o1": "3/4"}}


def document(W: Any, G: Any, J: Any, initial: Any = ("1", "0"), horizon: int = 1, **changes: Any) -> Document:
    """Two coordinates, two channel coordinates, two observations, one policy; x is the world's and y the response's."""
    operators = {
        "coordinates": ["s0", "s1"],
        "channel": ["v0", "v1"],
        "initial": list(initial),
        "W": W,
        "G": {"p": G},
        "J": {"p": J},
    }
    return {
        "format": "pomgcheck-model-class/1",
        "name": "own",
        "game": {
            "horizon": horizon,
            "learner_actions": ["a"],
            "learner_observations": ["o0", "o1"],
            "reward": ["1", "0"],
        },
        "worlds": {"parameters": {"x": {"values": ["0", "1"]}}},
        "responses": {"parameters": {"y": {"values": ["0", "1"]}}, "memory": 1, "block_rule": "latest"},
        "policies": {"window": 1, "list": {"p": [["1"], ["1"]]}},
        "operators": operators,
    } | changes  # type: ignore[return-value]


def product_of(G: list[list[str]], W: list[list[str]]) -> list[list[str]]:
    """G W as expressions."""
    return [
        ["+".join(f"({g})*({w})" for g, w in zip(row, column, strict=True)) for column in zip(*W, strict=True)]
        for row in G
    ]


def sound(horizon: int = 1, **changes: Any) -> Document:
    """A class for which all three claims hold: o0 and o1 have chances 3/4 and 1/4 in s0, and the other way in s1."""
    moves = [["(3-x)/4", "1/2"], ["(1+x)/4", "1/2"]]
    W = [
        [[[f"({p})*({m})" for p, m in zip(law, row, strict=True)] for row in moves]]
        for law in (("3/4", "1/4"), ("1/4", "3/4"))
    ]
    G = [["(4-y)/4", "0"], ["y/4", "1"]]
    copies = [[[list(row) for row in G]] for _ in W]
    return document(W, copies, [[product_of(G, o[0])] for o in W], horizon=horizon, **changes)


def on_intervals(document: Document) -> Document:
    """The class with x and y anywhere between 0 and 1."""
    document["worlds"]["parameters"] = {"x": {"interval": ["0", "1"]}}
    document["responses"]["parameters"] = {"y": {"interval": ["0", "1"]}}
    return document


def signed(horizon: int = 1) -> Document:
    """A class whose mass is conserved with entries of both signs, so that sequences must be played."""
    W = [[[["1/2", "-1/8"], ["x/8", "5/8"]]], [[["1/2", "1/8"], ["-x/8", "3/8"]]]]
    identity = [["1", "0"], ["0", "1"]]
    return document(W, [[identity], [identity]], W, horizon=horizon)


def defective(operator: str, o: int, row: int, column: int, by: str, *, kept: bool = False) -> Document:
    """The sound class with something added to one entry of an operator; J follows unless it is ``kept``."""
    result = sound()
    part = result["operators"]
    W, G, J = part["W"], part["G"]["p"], part["J"]["p"]
    {"W": W, "G": G, "J": J}[operator][o][0][row][column] += by
    if operator != "J" and not kept:
        part["J"]["p"] = [[product_of(g[0], w[0])] for g, w in zip(G, W, strict=True)]
    return result


def random_document(seed: int) -> Document:
    """One or two steps, sizes 1 to 3 that may change from step to step, and often a defect of one kind or another."""
    rng = Random(seed)
    horizon = rng.choice([1, 1, 2])
    steady = rng.random() < 0.4
    sizes = [rng.randint(1, 3) for _ in range(2 * horizon + 1)] if not steady else [2] * (2 * horizon + 1)
    S, V = sizes[: horizon + 1], sizes[horizon + 1 :]
    actions, policies = ["a", "b"][: rng.randint(1, 2)], ["p", "q"][: rng.randint(1, 2)]
    defect = rng.choice(["none", "none", "J", "G world", "W response", "negative", "large", "mass", "start", "signed"])

    def column(n: int, name: str) -> list[str]:
        """A random law with an affine parameter: mass moves from its first entry to its last."""
        cuts = sorted(rng.randint(0, 6) for _ in range(n - 1))
        law = [b - a for a, b in zip([0, *cuts], [*cuts, 6], strict=True)]
        move = rng.choice([0, 1, law[0]]) if n > 1 and law[0] else 0
        texts = [f"{p}/6" for p in law]
        if move:
            texts[0], texts[-1] = f"{law[0]}/6-{move}/6*{name}", f"{law[-1]}/6+{move}/6*{name}"
        return texts

    def transposed(columns: list[list[str]]) -> list[list[str]]:
        return [list(row) for row in zip(*columns, strict=True)]

    W, G, J = [], {p: [] for p in policies}, {p: [] for p in policies}  # type: ignore[var-annotated]
    for h in range(horizon):
        seen = [[column(2, "x") for _ in range(S[h])] for _ in actions]
        moves = [transposed([column(V[h], "x") for _ in range(S[h])]) for _ in actions]
        table = [
            [
                [[f"({seen[a][s][o]})*({moves[a][v][s]})" for s in range(S[h])] for v in range(V[h])]
                for a in range(len(actions))
            ]
            for o in range(2)
        ]
        W.append(table)
        for p in policies:
            G[p].append([[transposed([column(S[h + 1], "y") for _ in range(V[h])]) for _ in actions]] * 2)
            G[p][h] = [[list(map(list, m)) for m in row] for row in G[p][h]]
    h, o, a, p = rng.randrange(horizon), rng.randrange(2), rng.randrange(len(actions)), rng.choice(policies)
    channel, aggregation = W[h][o][a], G[p][h][o][a]
    v, s, t = rng.randrange(V[h]), rng.randrange(S[h]), rng.randrange(S[h + 1])
    if defect == "W response":
        channel[v][s] += "+y/12"
    if defect in ("negative", "mass"):
        channel[v][s] += "-1/2" if defect == "negative" else "+1/12"
    if defect == "G world":
        aggregation[t][v] += "+x/12"
    if defect == "large":
        aggregation[t][v] += "+1"
    for name, h_ in product(policies, range(horizon)):
        J[name].append(
            [[product_of(g, w) for g, w in zip(*pair, strict=True)] for pair in zip(G[name][h_], W[h_], strict=True)]
        )
    if defect == "J":
        J[p][h][o][a][t][s] += rng.choice(["+1/9", "+x/9", "+y/9", "-x*y/9"])
    if defect == "signed":  # mass goes round: one observation takes what another gives
        J[p][h][0][a][t][s] += "-1"
        J[p][h][1][a][t][s] += "+1"
    initial = [*(["0"] * (S[0] - 1)), "9/10" if defect == "start" else "1"]
    result = document([], [], [], horizon=horizon)
    result["game"] |= {"learner_actions": actions}
    row = ["1", *(["0"] * (len(actions) - 1))]
    result["policies"] = {"window": 1, "list": {name: [row, row] for name in policies}}
    result["operators"] = {
        "coordinates": {"steps": [[f"s{k}" for k in range(n)] for n in S]},
        "channel": {"steps": [[f"v{k}" for k in range(n)] for n in V]},
        "initial": initial,
        "W": {"steps": W},
        "G": {name: {"steps": tables} for name, tables in G.items()},
        "J": {name: {"steps": tables} for name, tables in J.items()},
    }
    return result


# ---------------------------------------------------------------------------------------- decided again


def value(text: str, point: Mapping[str, Fraction]) -> Fraction:
    """An expression at a point."""
    exact = re.sub(r"\b[0-9]+", lambda match: f"F({match.group()})", text.replace("^", "**"))
    return Fraction(eval(exact, {"__builtins__": {}, "F": Fraction, **point}))


def points(part: Mapping[str, Any]) -> list[Point]:
    """The points of one side without constraints; of an interval, 9 of its own."""
    if "points" in part:
        return [{name: Fraction(x) for name, x in point.items()} for point in part["points"]]
    axes = {}
    for name, axis in sorted(part["parameters"].items()):
        low, *_, high = map(Fraction, axis.get("values") or axis["interval"])
        axes[name] = axis.get("values") or [low + (high - low) * k / 8 for k in range(9)]
    return [{name: Fraction(x) for name, x in zip(axes, values, strict=True)} for values in product(*axes.values())]


def inside(part: Mapping[str, Any], point: Mapping[str, str]) -> bool:
    """Whether a point lies in one side without constraints."""
    if "points" in part or all("values" in axis for axis in part["parameters"].values()):
        return {name: Fraction(x) for name, x in point.items()} in points(part)
    ends = {
        name: axis.get("interval") or (min(axis["values"]), max(axis["values"]))
        for name, axis in part["parameters"].items()
    }
    return set(ends) == set(point) and all(
        Fraction(low) <= Fraction(point[name]) <= Fraction(high) for name, (low, high) in ends.items()
    )


class Own:
    """A canonical document of operators, read at its points."""

    def __init__(self, doc: Document) -> None:
        self.H, self.part = doc["game"]["horizon"], doc["operators"]
        self.O, self.A = doc["game"]["learner_observations"], doc["game"]["learner_actions"]
        self.policies = sorted(doc["policies"]["list"])
        self.thetas, self.phis = points(doc["worlds"]), points(doc["responses"])
        self.q0 = [Fraction(x) for x in self.part["initial"]]

    def matrix(self, operator: str, p: str, h: int, o: int, a: int, point: Point) -> Matrix:
        given = self.part["W"] if operator == "W" else self.part[operator][p]
        table = given["steps"][h] if isinstance(given, dict) else given
        return [[value(text, point) for text in row] for row in table[o][a]]

    def places(self) -> Iterator[tuple[str, int, int, int]]:
        return product(self.policies, range(self.H), range(len(self.O)), range(len(self.A)))

    def points(self) -> Iterator[Point]:
        return ({**theta, **phi} for theta, phi in product(self.thetas, self.phis))

    def factorization(self) -> bool:
        for place in self.places():
            for theta, phi in product(self.thetas, self.phis):
                W, G, J = (self.matrix(name, *place, {**theta, **phi}) for name in "WGJ")
                product_ = [
                    [sum(g * w for g, w in zip(row, column, strict=True)) for column in zip(*W, strict=True)]
                    for row in G
                ]
                free_W = W == self.matrix("W", *place, {**theta, **self.phis[0]})
                free_G = G == self.matrix("G", *place, {**self.thetas[0], **phi})
                if product_ != J or not free_W or not free_G:
                    return False
        return True

    def masses(self, p: str, point: Point) -> dict[tuple[int, ...], Fraction]:
        """The mass of every learner sequence, prefixes too."""
        found: dict[tuple[int, ...], Fraction] = {}
        states = {(): self.q0}
        for h in range(self.H + 1):
            found |= {played: sum(q, Fraction(0)) for played, q in states.items()}
            if h < self.H:
                states = {
                    (*played, o, a): [
                        sum((x * m for x, m in zip(row, q, strict=True)), Fraction(0))
                        for row in self.matrix("J", p, h, o, a, point)
                    ]
                    for played, q in states.items()
                    for o, a in product(range(len(self.O)), range(len(self.A)))
                }
        return found

    def lawful(self) -> bool:
        for p, point in product(self.policies, self.points()):
            masses = self.masses(p, point)
            if masses[()] != 1 or min(masses.values()) < 0:
                return False
            for played, mass in masses.items():
                for a in range(len(self.A)) if len(played) < 2 * self.H else ():
                    if sum(masses[(*played, o, a)] for o in range(len(self.O))) != mass:
                        return False
        return True

    def nonexpansive(self) -> bool:
        for place, point in product(self.places(), self.points()):
            W, G = self.matrix("W", *place, point), self.matrix("G", *place, point)
            if any(x < 0 for row in (*W, *G) for x in row) or any(sum(c) > 1 for c in zip(*G, strict=True)):
                return False
        return True

    def covering(self) -> int:
        """Distinct models."""
        models = {
            str([self.matrix(name, *place, point) for place in self.places() for name in "WGJ"])
            for point in self.points()
        }
        return len(models)


DECIDE = {"factorization": Own.factorization, "oom-identity": Own.lawful, "nonexpansive": Own.nonexpansive}


def check(doc: Document, entry: Mapping[str, Any]) -> None:
    """Assert that a claim's verdict is the definitions', and that a witness shows the numbers it shows."""
    own, w = Own(doc), entry["witness"]
    if w is None:
        assert "proved" == entry["verdict"]
        assert DECIDE[entry["id"]](own)
        return
    assert "refuted" == entry["verdict"]
    for xi in (w["xi"], w.get("xi_prime", w["xi"])):
        assert inside(doc["worlds"], xi["theta"])
        assert inside(doc["responses"], xi["Phi"])

    def point(xi: Mapping[str, Any]) -> Point:
        return {name: Fraction(x) for side in xi.values() for name, x in side.items()}

    if entry["id"] == "oom-identity":
        masses = own.masses(w["pi"], point(w["xi"]))
        labels = (own.O, own.A)
        played = tuple(labels[n % 2].index(name) for n, name in enumerate(w["trajectory"]))
        if "mass" in w:
            assert Fraction(w["mass"]) == masses[played]
            assert masses[played] < 0 or not played and masses[played] != 1
        else:
            after = [masses[(*played, o, own.A.index(w["a"]))] for o in range(len(own.O))]
            assert [Fraction(w["before"]), Fraction(w["after"])] == [masses[played], sum(after)]
            assert masses[played] != sum(after)
        return
    operator = w.get("operator", "J" if "J" in w else "G")
    h = w["h"] - 1
    place = (w.get("pi", ""), h, own.O.index(w["o"]), own.A.index(w["a"]))

    def names(key: str, step: int) -> list[str]:
        given = own.part[key]
        return list(given["steps"][step] if isinstance(given, dict) else given)

    columns = names("channel" if operator == "G" else "coordinates", h)
    if "sum" in w:
        column = [row[columns.index(w["column"])] for row in own.matrix("G", *place, point(w["xi"]))]
        assert Fraction(w["sum"]) == sum(map(abs, column)) > 1
        return
    rows = names("channel", h) if operator == "W" else names("coordinates", h + 1)
    row, column_ = rows.index(w["row"]), columns.index(w["column"])
    shown = [own.matrix(operator, *place, point(w[xi]))[row][column_] for xi in ("xi", "xi_prime") if xi in w]
    if "GW" in w:
        G, W = (own.matrix(name, *place, point(w["xi"])) for name in "GW")
        shown.append(sum((g * line[column_] for g, line in zip(G[row], W, strict=True)), Fraction(0)))
        assert [Fraction(w["J"]), Fraction(w["GW"])] == shown
        assert shown[0] != shown[1]
    elif "entry_prime" in w:
        assert [Fraction(w["entry"]), Fraction(w["entry_prime"])] == shown
        assert shown[0] != shown[1]
        kept = "Phi" if operator == "G" else "theta"
        assert w["xi"][kept] == w["xi_prime"][kept]
    else:
        assert [Fraction(w["entry"])] == shown
        assert shown[0] < 0
