"""Random small classes with interval axes of every make: quotients, products, constraints, finite axes beside them,
windows, impossible observations, ends at 0 and 1, parameters that nothing uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

Document = dict[str, Any]


class Classes:
    """Documents from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def one_of(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def interval(self) -> list[str]:
        low, high = sorted(self.random.sample(range(17), 2))
        return list(self.one_of(("0", "1"), ("0", "1/4"), ("3/4", "1"), *[(f"{low}/16", f"{high}/16")] * 4))

    def constant(self, width: int) -> list[Fraction]:
        """A row of numbers, some of them perhaps zero."""
        weights = [0]
        while not sum(weights):
            weights = [self.one_of(0, 1, 1, 2, 3, 4) for _ in range(width)]
        return [Fraction(n, sum(weights)) for n in weights]

    def row(self, width: int, names: Sequence[str]) -> list[str]:
        """A row that is one of probabilities while every parameter lies in [0,1]."""
        base = self.constant(width)
        if width == 1 or not names or self.random.random() < 0.4:
            return list(map(str, base))
        x, y = (self.random.choice(names) for _ in range(2))
        if self.random.random() < 0.2:
            parts = [f"({n}+{self.one_of(0, 1, 2)}*{x}+{self.one_of(0, 1)}*{y}^2)" for n in base]
            return [f"{part}/({'+'.join(parts)})" for part in parts]
        moving = self.one_of(x, f"{x}*{y}", f"{x}^2", f"({x}+{y})/2", f"(1-{x})*{y}")
        out = list(map(str, base))
        i = self.random.choice([k for k, share in enumerate(base) if share])
        j = self.random.choice([k for k in range(width) if k != i])
        share = base[i] * self.one_of(1, Fraction(1, 2), Fraction(3, 4))
        return [
            f"{text}{'-' if k == i else '+'}{share}*({moving})" if k in (i, j) else text for k, text in enumerate(out)
        ]

    def table(self, shape: tuple[int, ...], names: Sequence[str]) -> Any:
        if len(shape) == 1:
            return self.row(shape[0], names)
        return [self.table(shape[1:], names) for _ in range(shape[0])]

    def steps(self, horizon: int, shape: Callable[[int], tuple[int, ...]], names: Sequence[str], plain: bool) -> Any:
        """One table for all steps, where that is allowed, or one per step of which some hold numbers alone."""
        if plain and self.random.random() < 0.6:
            return self.table(shape(0), names)
        return {"steps": [self.table(shape(h), self.one_of(names, names, ())) for h in range(horizon)]}

    def side(self, names: Sequence[str], finite: str) -> Document:
        """The parameters of one side, and perhaps a constraint."""
        axes: Document = {name: {"interval": self.interval()} for name in names}
        if self.random.random() < 0.3:
            axes[finite] = {"values": list(self.one_of(("0", "1/2"), ("1/4", "3/4"), ("0", "1")))}
        part: Document = {"parameters": axes}
        if names and self.random.random() < 0.3:
            x, y = self.random.choice(names), self.random.choice(names)
            part["constraints"] = [self.one_of(f"{x}+{y} <= 1", f"{x} <= {y}", f"{x}-{y} <= 1/4", f"2*{x}+{y} >= 1/2")]
        return part

    def document(self) -> Document:
        H, S, A, B, OA, OB = (self.one_of(*n) for n in ((1, 2, 2, 3), (1, 2), (1, 2), (1, 2), (2, 3), (1, 2)))
        mine, yours = self.one_of(1, 1, 2), self.one_of(1, 1, 2)
        theta, phi = self.side(self.one_of(["x"], ["x", "y"]), "z"), self.side(self.one_of([], ["u"], ["u"]), "k")
        worlds, answers = sorted(theta["parameters"]), sorted(phi["parameters"])
        policies = self.one_of(["p"], ["p", "q"])

        def acts() -> Any:
            shapes = [(OA ** min(mine, h + 1), A) for h in range(H)]
            return self.table(shapes[0], ()) if mine == 1 else {"steps": [self.table(shape, ()) for shape in shapes]}

        rule: Document = self.one_of({"block_rule": "latest", "memory": 1}, {"block_rule": "fading", "gamma": "1/2"})
        return {
            "format": "pomgcheck-model-class/1",
            "name": "random",
            "game": {
                "horizon": H,
                "states": [f"s{n}" for n in range(S)],
                "learner_actions": [f"a{n}" for n in range(A)],
                "adversary_actions": [f"b{n}" for n in range(B)],
                "learner_observations": [f"o{n}" for n in range(OA)],
                "adversary_observations": [f"d{n}" for n in range(OB)],
                "reward": ["1", *["0"] * (OA - 1)],
            },
            "worlds": theta
            | {
                "initial": list(map(str, self.constant(S))),
                "learner_emission": self.steps(H, lambda h: (S, OA), worlds, True),
                "adversary_emission": self.steps(H, lambda h: (S, OB), worlds, True),
                "transition": self.steps(H, lambda h: (S, A, B, S), worlds, True),
            },
            "responses": phi
            | rule
            | {
                "window": yours,
                "table": {
                    p: self.steps(H, lambda h: (OB ** min(yours, h + 1), B), answers, yours == 1) for p in policies
                },
            },
            "policies": {"window": mine, "list": {p: acts() for p in policies}},
        }
