"""Small random model classes in canonical form, for hypothesis; and what a certificate's search needs of one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from pomgcheck.kernel.game import Game
from pomgcheck.modelclass.model import ModelClass

Document = dict[str, Any]
Row = tuple[Fraction, ...]

# world n (response n) sits where its own parameter is one and the others are zero; the first at the origin
WORLD_NAMES, RESPONSE_NAMES = ("x", "z"), ("u", "w")


def model_of(document: Document) -> ModelClass:
    """The model class of a canonical document, which is not validated again."""
    game = Game(document)
    sizes = (None if points is None else len(points) for points in (game.thetas, game.phis))
    return ModelClass(document, *sizes)


def affine(values: tuple[Fraction, ...], names: tuple[str, ...]) -> str:
    """Canonical text of the affine expression that is ``values[0]`` at the origin and ``values[n]`` where
    ``names[n-1]`` is one and the others are zero."""
    coefficients = [*(value - values[0] for value in values[1:]), values[0]]
    below = lcm(*(c.denominator for c in coefficients))
    whole = [int(c * below) for c in coefficients]
    common = gcd(*whole, below)
    whole, below = [c // common for c in whole], below // common
    terms = []
    for coefficient, name in zip(whole, [*names, ""], strict=True):
        if coefficient:
            size = "" if name and abs(coefficient) == 1 else str(abs(coefficient))
            terms.append(("-" if coefficient < 0 else "+") + size + ("*" if size and name else "") + name)
    text = "".join(terms).removeprefix("+") or "0"
    return text if below == 1 else f"({text})/{below}" if len(terms) > 1 else f"{text}/{below}"


class Tables:
    """Random tables of probability rows with small denominators.

    ``zeros``: the chance that an entry vanishes; ``vary``: the chance that a table differs between parameter points;
    ``step``: the chance that it differs between steps.
    """

    def __init__(self, seed: int, zeros: float, vary: float, step: float) -> None:
        self.random, self.zeros, self.vary, self.step = Random(seed), zeros, vary, step

    def row(self, width: int) -> Row:
        while True:
            whole = [0 if self.random.random() < self.zeros else self.random.randint(1, 6) for _ in range(width)]
            if sum(whole):
                return tuple(Fraction(n, sum(whole)) for n in whole)

    def nested(self, shape: tuple[int, ...]) -> Any:
        """Rows in an array; the last number of ``shape`` is their width."""
        return self.row(shape[0]) if len(shape) == 1 else [self.nested(shape[1:]) for _ in range(shape[0])]

    def document(
        self, horizon: int, names: tuple[str, ...], shape: Callable[[int], tuple[int, ...]], plain: bool = True
    ) -> Any:
        """A table as the document writes it, one for all steps (only if ``plain``) or one per step."""
        varies = self.random.random() < self.vary

        def at(h: int) -> Any:
            first = self.nested(shape(h))
            return written([first, *(self.nested(shape(h)) if varies else first for _ in names)], names)

        if plain and self.random.random() >= self.step:
            return at(0)
        tables = [at(h) for h in range(horizon)]
        return tables[0] if plain and all(table == tables[0] for table in tables) else {"steps": tables}


def written(tables: list[Any], names: tuple[str, ...]) -> Any:
    """One table of the document from the table at each parameter point."""
    if isinstance(tables[0], Fraction):
        return affine(tuple(tables), names)
    return [written(list(entries), names) for entries in zip(*tables, strict=True)]


def points(names: tuple[str, ...]) -> Document:
    """The parameter part of a document: the origin and the corner of every name."""
    if len(names) < 2:
        return {"parameters": {name: {"values": ["0", "1"]} for name in names}}
    corners = [{name: str(int(n == corner)) for n, name in enumerate(names, 1)} for corner in range(len(names) + 1)]
    return {"points": corners}


def row_count(window: int | str, h: int, observations: int, actions: int) -> int:
    """Rows of a policy or response table at 0-based step ``h``."""
    rows: int = (
        observations * (actions * observations) ** h if window == "full" else observations ** min(int(window), h + 1)
    )
    return rows


class Shape(NamedTuple):
    """Sizes of a class; ``worlds`` and ``responses`` count points, ``windows`` are the learner's and the
    adversary's."""

    H: int
    S: int
    A: int
    B: int
    OA: int
    OB: int
    worlds: int
    responses: int
    policies: int
    windows: tuple[int | str, int | str]
    rule: str = "latest"
    memory: int = 1


def small_class(shape: Shape, tables: Tables) -> Document:
    """A random canonical document of that shape."""
    H, S, A, B, OA, OB = shape[:6]
    x, u = WORLD_NAMES[: shape.worlds - 1], RESPONSE_NAMES[: shape.responses - 1]
    names = [f"p{n}" for n in range(shape.policies)]
    window_A, window_B = shape.windows

    def answers() -> Any:
        return tables.document(H, u, lambda h: (row_count(window_B, h, OB, B), B), window_B == 1)

    def acts() -> Any:
        return tables.document(H, (), lambda h: (row_count(window_A, h, OA, A), A), window_A == 1)

    table = {name: answers() for name in names}
    responses: Document = {"block_rule": shape.rule, "window": window_B, "table": table} | points(u)
    responses |= {"gamma": "1/2"} if shape.rule == "fading" else {"memory": shape.memory}
    if shape.rule == "table":
        blocks = product(names, repeat=shape.memory)
        responses["blocks"] = {" ".join(b): table[b[0]] if len(set(b)) == 1 else answers() for b in blocks}
    return {
        "format": "pomgcheck-model-class/1",
        "name": "small",
        "game": {
            "horizon": H,
            "states": [f"s{n}" for n in range(S)],
            "learner_actions": [f"a{n}" for n in range(A)],
            "adversary_actions": [f"b{n}" for n in range(B)],
            "learner_observations": [f"o{n}" for n in range(OA)],
            "adversary_observations": [f"d{n}" for n in range(OB)],
            "reward": ["1", *["0"] * (OA - 1)],
        },
        "worlds": {
            "initial": [str(entry) for entry in tables.row(S)],
            "learner_emission": tables.document(H, x, lambda h: (S, OA)),
            "adversary_emission": tables.document(H, x, lambda h: (S, OB)),
            "transition": tables.document(H, x, lambda h: (S, A, B, S)),
        }
        | points(x),
        "responses": responses,
        "policies": {"window": window_A, "list": {name: acts() for name in names}},
    }


@st.composite
def documents(
    draw: st.DrawFn,
    *,
    largest: int = 3,
    full: bool = False,
    rules: tuple[str, ...] = ("latest", "mean", "fading", "table"),
) -> Document:
    """Canonical documents of a few states, up to three worlds, two responses and three policies.

    ``full``: windows may be whole histories (at most two steps then).  Sizes shrink, entries come from a seed.
    """
    H = draw(st.sampled_from([2, 1] if full else [2, 3, 1]))
    lengths: list[int | str] = [1, 2, "full"] if full else [1, 2]
    windows = st.sampled_from(lengths)
    few, more, ones = [2, 1], [2, 3, 1], [1, 2]
    S, A, B, OA, OB = (draw(st.sampled_from(n)) for n in (more[: largest + 1], ones, few, more[: largest + 1], ones))
    worlds, responses, policies = (draw(st.sampled_from(n)) for n in (more, ones, few))
    shape = Shape(
        H,
        min(S, largest),
        A,
        B,
        min(OA, largest),
        OB,
        worlds,
        responses,
        policies,
        (draw(windows), draw(windows)),
        draw(st.sampled_from(rules)),
        draw(st.sampled_from(ones)),
    )
    chances = [draw(st.sampled_from(chance)) for chance in ([0, 0.1, 0.4], [0.7, 0.2, 1], [0, 0.5])]
    return small_class(shape, Tables(draw(st.integers(0, 2**32)), *chances))


class FewRows(Tables):
    """Tables whose rows of one width are drawn from only two, so that tables of different models, policies, steps and
    states coincide again and again."""

    def __init__(self, seed: int, vary: float) -> None:
        super().__init__(seed, 0.2, vary, 0.5)
        self.known: dict[int, list[Row]] = {}

    def row(self, width: int) -> Row:
        rows = self.known.setdefault(width, [])
        if len(rows) < 2:
            rows.append(super().row(width))
        return self.random.choice(rows)


@st.composite
def coinciding(draw: st.DrawFn, rules: tuple[str, ...] = ("latest", "table")) -> Document:
    """Canonical documents with three worlds, responses and policies, most of whose tables are equal somewhere."""
    H, S, OA, OB = (draw(st.sampled_from([1, 2])) for _ in range(4))
    shape = Shape(H, S, 2, 2, OA, OB, 3, 3, 3, (1, draw(st.sampled_from([1, 2]))), draw(st.sampled_from(rules)), 2)
    return small_class(shape, FewRows(draw(st.integers(0, 2**32)), draw(st.sampled_from([0.7, 1]))))


@st.composite
def questions(draw: st.DrawFn, /, **kinds: Any) -> tuple[Document, dict[str, Any]]:
    """A document and options under which it can be certified."""
    document = draw(documents(**kinds))
    full = "full" in (document["policies"]["window"], document["responses"]["window"])
    small = document["game"]["horizon"] < 3
    two = len(document["game"]["adversary_actions"]) == 2
    return document, {
        "space": draw(st.sampled_from(["history"] if full else ["window", "history"] if small else ["window"])),
        "kappa": draw(st.integers(1, 2)),
        "form": draw(st.sampled_from(["literal", "joint"])),
        "scope": draw(st.sampled_from(["simplex", "reachable"])),
        "lipschitz": draw(st.sampled_from(["step", "policy"])),
        "operators": draw(st.sampled_from(["realised", "summed"])),
        "reference": draw(st.sampled_from(["uniform", ["1/3", "2/3"]] if two else ["uniform"])),
    }
