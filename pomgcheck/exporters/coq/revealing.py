"""Puts the evidence of rule ``tests`` in the order in which Coq asks for it: one tree per context.

Nothing here is trusted: a wrong or missing tree is refused by the checker of ``formal/WeakRevealing.v``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from pomgcheck.errors import InputError
from pomgcheck.exporters.coq.terms import listed, number
from pomgcheck.exporters.pair_obligations import trees_of
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.operators import Memory
from pomgcheck.kernel.problems import Problem, depth, problems, side


class CoqTrees:
    """This numbers the trees of all contexts, with the test functions and factors that they use, as they occur.

    The certificate has one tree per problem; contexts whose two sides are those of a problem take its tree.  Coq's
    differences are the first world less the second, the kernel's the second less the first: a test function changes its
    sign, unless the context has the two sides in the other order.
    """

    def __init__(self, facts: Facts, evidence: Mapping[str, Any]) -> None:
        self.facts, self.evidence = facts, evidence
        self.tests: dict[str, int] = {}
        self.factors: dict[str, int] = {}
        self.named: dict[str, str] = {"Skip": "t0"}  # tree -> its name; equal trees are written once
        self._sides: dict[Any, int] = {}
        self._known: dict[tuple[int, int], tuple[Any, Problem, bool]] = {}
        trees = trees_of(evidence)
        for problem in problems(facts):
            if problem.key in trees:
                left, right = (self._side(x, *problem.context[2:]) for x in problem.context[:2])
                self._known.setdefault((left, right), (trees[problem.key], problem, False))
                self._known.setdefault((right, left), (trees[problem.key], problem, True))

    def _side(self, i: int, k: int, p: int, h: int, uA: Memory, o: int, a: int) -> int:
        """Return a number for the data of one world in a context: equal data have the same number, and different data
        do not."""
        key = side(self.facts, i, k, p, h, uA, o, a).frozen(), depth(self.facts, h)
        return self._sides.setdefault(key, len(self._sides))

    def listed(self) -> str:
        """Return one list of tree names per place (i, j, h, uA, o, a): a tree per response and policy."""
        game, space, kappa = self.facts.game, self.facts.space, self.facts.options["kappa"]
        plays = [*product(range(len(game.responses)), range(len(game.policies)))]
        n, O, A = range(len(game.worlds)), range(len(game.OA)), range(len(game.A))
        sides = {
            context: [self._side(i, *context) for i in n]
            for h in range(game.H - kappa)
            for uA in space.memories(h, True)
            for (k, p), o, a in product(plays, O, A)
            for context in [(k, p, h, uA, o, a)]
        }
        rows = []
        for i, j in combinations(n, 2):
            for h in range(game.H - kappa):
                for uA, o, a in product(space.memories(h, True), O, A):
                    row = []
                    for k, p in plays:
                        here = sides[k, p, h, uA, o, a]
                        known = self._known.get((here[i], here[j]))
                        row.append(self._name("Skip" if known is None else self.tree(*known)))
                    rows.append(listed(row))
        return listed(rows)

    def _name(self, tree: str) -> str:
        return self.named.setdefault(tree, f"t{len(self.named)}")

    def tree(self, node: Any, problem: Problem, turned: bool) -> str:
        """Return a tree of the certificate as a term of type ``tree``."""
        match node:
            case ["test", int(k)]:
                y = [Fraction(x) for x in self.evidence["tests"][k]]
                row = listed(number(x if turned else -x) for x in y)
                return f"(Test {self.tests.setdefault(row, len(self.tests))})"
            case ["factor", int(k)]:
                rows = self._dense(self.evidence["factors"][k], problem)
                return f"(Factor {self.factors.setdefault(rows, len(self.factors))})"
            case ["cut", int(i), int(j), at, left, right]:
                parts = (self.tree(part, problem, turned) for part in (left, right))
                return f"(Split {i} {j} {number(Fraction(at))} {' '.join(parts)})"
        raise InputError("weak-revealing.trees", str(node)[:60], '"cut", "test" or "factor"')

    def _dense(self, factor: Any, problem: Problem) -> str:
        """Return a factor over all channel coordinates and windows; the certificate leaves out those that are always
        zero."""
        game, space = self.facts.game, self.facts.space
        h = problem.context[4]
        windows = sorted({w for column in problem.columns for w in column[2]})
        channel = sorted({v for column in problem.columns for v in column[4]})
        entries = {
            (v, w): Fraction(x)
            for v, row in zip(channel, factor, strict=False)
            for w, x in zip(windows, row, strict=False)
        }
        zero = Fraction(0)
        coordinates = product(range(len(game.S)), space.memories(h, False), range(len(game.OB)), range(len(game.B)))
        every = [*product(range(len(game.OA)), repeat=self.facts.options["kappa"])]
        return listed(listed(number(entries.get((v, w), zero)) for w in every) for v in coordinates)


def evidence_of(facts: Facts, evidence: Mapping[str, Any], alpha: Fraction) -> str:
    """Return the definitions of the trees and of ``proof : evidence``."""
    trees = CoqTrees(facts, evidence)
    rows = trees.listed()
    names = "\n".join(f"Definition {name} : tree := {tree}." for tree, name in trees.named.items())
    return f"""{names}
Definition proof : evidence := {{|
  alpha_lower := {number(alpha)};
  tests := {listed(trees.tests)};
  factors := {listed(trees.factors)};
  trees := {rows} |}}."""
