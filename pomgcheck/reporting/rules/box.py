"""Tells the trees of boxes of rule ``box`` in short: how many goals were cut, how finely, and the tightest leaf of one.

A goal's text names its tree, so all that is needed stands in the certificate: the polynomial, the box of the axes, and
the cuts (certificates/FORMAT.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, NamedTuple

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.kernels import formula
from pomgcheck.reporting.numbers import decimal, fraction, number, shortened
from pomgcheck.reporting.spans import Inline, Label, Math, listed, say

Box = dict[str, tuple[Fraction, Fraction]]
Terms = dict[tuple[str, ...], Fraction]  # monomial -> coefficient
KINDS = {
    "box": "Bernstein coefficients of the right sign",
    "outside": "outside the constraints",
    "weighted": "after subtracting weighted constraints",
}
MOST_LEAVES = 2_000  # whose coefficients are computed again here
LONGEST = 160  # characters of a goal written out


class BoxLeaf(NamedTuple):
    """A leaf of a tree has its kind, its box, and how deep it is."""

    kind: str
    box: Box
    depth: int


def axes(model: Mapping[str, Any]) -> Box:
    """Return the box of all interval axes, named ``theta.x`` and ``Phi.y``."""
    return {
        f"{side}.{name}": (fraction(axis["interval"][0]), fraction(axis["interval"][1]))
        for side, part in (("theta", "worlds"), ("Phi", "responses"))
        for name, axis in sorted(model[part].get("parameters", {}).items())
        if "interval" in axis
    }


def leaves(tree: list[Any], box: Box, depth: int = 0) -> Iterator[BoxLeaf]:
    """Return the leaves of a tree on a box, in order."""
    ahead = [(tree, box, depth)]
    while ahead:
        node, here, deep = ahead.pop()
        if node[0] != "split":
            yield BoxLeaf(node[0], here, deep)
            continue
        _, axis, cut, below, above = node
        low, high = here[axis]
        ahead.append((above, here | {axis: (fraction(cut), high)}, deep + 1))
        ahead.append((below, here | {axis: (low, fraction(cut))}, deep + 1))


def polynomial(text: str) -> Terms:
    """Return the left side of a goal's text, ``+1-4*theta.x+8*theta.x*theta.x``."""
    terms: Terms = {}
    for sign, size, names in re.findall(r"([+-])(\d+)((?:\*[A-Za-z_][\w.]*)*)", text):
        terms[tuple(names[1:].split("*")) if names else ()] = Fraction(int(sign + size))
    return terms


def bernstein(terms: Terms, box: Box) -> list[Fraction]:
    """Return the Bernstein coefficients of a polynomial on a box."""
    names = sorted({name for key in terms for name in key})
    degrees = [max(key.count(name) for key in terms) for name in names]
    table = {tuple(map(key.count, names)): value for key, value in terms.items()}
    for k, (name, degree) in enumerate(zip(names, degrees, strict=True)):
        low, high = box[name]
        out: dict[tuple[int, ...], Fraction] = {}
        for key, value in table.items():  # the power n of low + (high - low) t, in the basis of degree `degree`
            n = key[k]
            powers = [comb(n, j) * low ** (n - j) * (high - low) ** j for j in range(n + 1)]
            for i in range(degree + 1):
                share = sum(
                    (Fraction(comb(i, j), comb(degree, j)) * powers[j] for j in range(min(i, n) + 1)), Fraction(0)
                )
                place = (*key[:k], i, *key[k + 1 :])
                out[place] = out.get(place, Fraction(0)) + share * value
        table = out
    return [table.get(place, Fraction(0)) for place in product(*(range(d + 1) for d in degrees))]


def summary(cert: Certificate, claim: RecordedClaim) -> list[Block]:
    """Return the count of every cut goal, and the one with most leaves with its tightest one; there is nothing where
    no goal was cut."""
    trees = claim.proof.trees or {}
    whole = axes(cert.model)
    found = {goal: list(leaves(tree, whole)) for goal, tree in trees.items()}
    if not found:
        return []
    every = [leaf for part in found.values() for leaf in part]
    kinds = Counter(leaf.kind for leaf in every)
    rows = ((words, f"{kinds[kind]:,}") for kind, words in KINDS.items() if kinds[kind])
    goal = max(found, key=lambda text: (len(found[text]), text))
    cuts = counted(max(leaf.depth for leaf in every), "cut")
    caption = f"{counted(len(found), 'goal')} with a tree, {counted(len(every), 'leaf', 'leaves')}, at most {cuts} deep"
    return [Table.of(caption, ("Leaves settled by", "Number"), rows), *tightest(goal, found[goal])]


def tightest(goal: str, found: list[BoxLeaf]) -> list[Block]:
    """Return the leaf of least Bernstein coefficient, beside the largest one, of the goal that took most cuts."""
    terms = polynomial(goal.partition(" where ")[0])
    told = [leaf for leaf in found if leaf.kind == "box"]
    if not told or len(told) > MOST_LEAVES:
        return []
    values = [bernstein(terms, leaf.box) for leaf in told]
    worst = min(range(len(told)), key=lambda k: min(values[k]) / (max(values[k]) or 1))
    named = {name for key in terms for name in key}
    return [
        Paragraph.of(
            "The goal that took most cuts has {n}. The tightest leaf is {box}: its Bernstein coefficients run from {low} "
            "to {high}. The goal is {goal}.",
            n=counted(len(found), "leaf", "leaves"),
            goal=inequality(terms, ">= 0" not in goal.partition(" where ")[0]),
            box=sides(told[worst].box, named),
            low=number(str(min(values[worst])), "down"),
            high=decimal(max(values[worst]), "up"),
        )
    ]


def inequality(terms: Terms, strict: bool) -> Inline:
    """Return a goal's polynomial as a formula; a long one is cut short."""
    named: Terms = {tuple(sorted(name.partition(".")[2] for name in key)): value for key, value in terms.items()}
    shown = formula(named)
    if len(shown) > LONGEST:
        begun = Math(shown[: shown.rindex(" ", 0, LONGEST // 2)] + " …")
        return say("{p} (of {n})", p=begun, n=counted(len(terms), "term"))
    return (Math(shown + (" > 0" if strict else " ≥ 0")),)


def sides(box: Box, named: set[str]) -> Inline:
    """Return words such as ``x in [0, 1/4] and y in [1/2, 1]``, about the axes that occur."""
    return listed(
        say("{x} in {r}", x=Math(name.partition(".")[2]), r=Label(f"[{shortened(str(low))}, {shortened(str(high))}]"))
        for name, (low, high) in sorted(box.items())
        if name in named
    )
