"""Writes the tables of a small model class to read: kernels with their parameters, responses, policies, rewards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pomgcheck.errors import counted
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.reading import Malformed
from pomgcheck.kernel.rows import in_arrays
from pomgcheck.outline import SideOutline
from pomgcheck.reporting.blocks import Block, Inline, Label, Math, Paragraph, Table, say
from pomgcheck.reporting.numbers import shortened

Document = Mapping[str, Any]
MOST_ROWS = 32  # of one table; longer ones are in the document alone
MOST_COLUMNS = 8
LONGEST = 40  # characters of an entry


class Terms:
    """This is a polynomial as the kernel's reader of expressions builds it, to be written in order."""

    def __init__(self, terms: Mapping[tuple[str, ...], Fraction]) -> None:
        """Keep the terms: monomial, a sorted tuple of names, -> coefficient other than 0."""
        self.terms = {key: value for key, value in terms.items() if value}

    @staticmethod
    def of(value: Any) -> Terms:
        """Return a number as terms, and terms as they are."""
        return value if isinstance(value, Terms) else Terms({(): Fraction(value)})

    def __add__(self, other: Any) -> Terms:
        out = dict(self.terms)
        for key, value in Terms.of(other).terms.items():
            out[key] = out.get(key, Fraction(0)) + value
        return Terms(out)

    def __mul__(self, other: Any) -> Terms:
        out: dict[tuple[str, ...], Fraction] = {}
        for (m, x), (n, y) in product(self.terms.items(), Terms.of(other).terms.items()):
            key = tuple(sorted(m + n))
            out[key] = out.get(key, Fraction(0)) + x * y
        return Terms(out)

    def __neg__(self) -> Terms:
        return self * -1

    def __sub__(self, other: Any) -> Terms:
        return self + -Terms.of(other)

    def __rsub__(self, other: Any) -> Terms:
        return Terms.of(other) - self

    def __pow__(self, n: int) -> Terms:
        out = Terms.of(1)
        for _ in range(n):
            out *= self
        return out

    def __truediv__(self, other: Any) -> Terms:
        divisor = Terms.of(other).terms
        if list(divisor) != [()]:
            raise ZeroDivisionError  # a quotient is shown as it stands in the document
        return self * (1 / divisor[()])

    def __rtruediv__(self, other: Any) -> Terms:
        return Terms.of(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __str__(self) -> str:
        """Return the polynomial as ``9/10 − x``, constants first, then by degree and name."""
        out = ""
        for key in sorted(self.terms, key=lambda key: (len(key), key)):
            value = self.terms[key]
            powers = " ".join(
                name + (f"^{{{key.count(name)}}}" if key.count(name) > 1 else "") for name in dict.fromkeys(key)
            )
            above, below = abs(value.numerator), f"/{value.denominator}" if value.denominator > 1 else ""
            term = (str(above) if above > 1 or not key else "") + powers + below
            out += (" − " if out else "−") if value < 0 else (" + " if out else "")
            out += term
        return out or "0"


def entry(text: str, names: Sequence[str]) -> Inline:
    """Return an entry of a table: an exact number, or a polynomial in the parameters."""
    try:
        value = evaluate(text, {name: Terms({(name,): Fraction(1)}) for name in names}, "entry")
    except Malformed:
        value = None
    shown = text.replace("*", " ").replace("-", "−") if value is None else str(Terms.of(value))
    return (Math(shown),) if len(shown) <= LONGEST else (Label(shortened(text)[:LONGEST] + "…"),)


def steps(value: Any, horizon: int) -> list[tuple[str, Any]]:
    """Return a table of each step with the words for when it holds, and one table where it is the same at all steps."""
    tables = value["steps"] if isinstance(value, Mapping) else [value] * horizon
    if all(table == tables[0] for table in tables):
        return [("", tables[0])]
    return [(f", step {h + 1}", table) for h, table in enumerate(tables)]


Cells = tuple[Inline, ...]


def sheet(
    caption: str,
    heads: Sequence[str],
    columns: Sequence[str],
    rows: Iterator[tuple[Cells, list[str]]],
    names: Sequence[str],
) -> list[Block]:
    """Return one table of probabilities, or nothing where it is too long."""
    given = list(rows)
    if len(given) > MOST_ROWS or len(columns) > MOST_COLUMNS:
        return [
            Paragraph(
                say(
                    "{caption}: {n} of {m}, in the document.",
                    caption=caption,
                    n=counted(len(given), "row"),
                    m=counted(len(columns), "entry", "entries"),
                )
            )
        ]
    found = tuple((*head, *(entry(text, names) for text in row)) for head, row in given)
    return [Table(caption, (*heads, *columns), found, folded=True)]


def label(*words: str) -> Cells:
    """Return words of the model as cells."""
    return tuple((Label(word),) for word in words)


def tables(document: Document) -> list[Block]:
    """Return the tables of a class given by kernels: worlds, responses, policies and rewards."""
    game, worlds, responses, policies = (document[key] for key in ("game", "worlds", "responses", "policies"))
    H, S, A, B, OA, OB = (
        game[key]
        for key in (
            "horizon",
            "states",
            "learner_actions",
            "adversary_actions",
            "learner_observations",
            "adversary_observations",
        )
    )
    x, y = SideOutline.of(worlds).names, SideOutline.of(responses).names
    out = sheet("Initial law of the hidden state", (), S, iter([((), worlds["initial"])]), x)
    for title, key, seen in (("Learner", "learner_emission", OA), ("Adversary", "adversary_emission", OB)):
        for when, table in steps(in_arrays(worlds[key], len(seen)), H):
            rows = ((label(s), row) for s, row in zip(S, table, strict=True))
            out += sheet(f"{title}'s observations, by hidden state{when}", ("State",), seen, rows, x)
    for when, table in steps(in_arrays(worlds["transition"], len(S)), H):
        moves = (
            (label(s, a, b), table[i][j][k])
            for (i, s), (j, a), (k, b) in product(enumerate(S), enumerate(A), enumerate(B))
        )
        out += sheet(
            f"Next hidden state, by state, learner action and adversary action{when}",
            ("State", "Learner", "Adversary"),
            S,
            moves,
            x,
        )
    out += by_policy(
        "Responses: the adversary's action, by policy and what it has seen",
        responses["table"],
        H,
        lambda h: histories(responses["window"], h, OB, B),
        B,
        y,
    )
    out += by_policy(
        "Policies: the learner's action, by what it has seen",
        policies["list"],
        H,
        lambda h: histories(policies["window"], h, OA, A),
        A,
        (),
    )
    for when, reward in steps(game["reward"], H):
        out += sheet(f"Reward of each learner observation{when}", (), OA, iter([((), reward)]), ())
    return out


def by_policy(
    caption: str,
    given: Mapping[str, Any],
    H: int,
    seen: Callable[[int], list[str]],
    actions: Sequence[str],
    names: Sequence[str],
) -> list[Block]:
    """Return one table per step, or one for all steps, with one row per policy and history; equal rows of a policy are
    taken together."""
    out: list[Block] = []
    flat = {policy: steps(table, H) for policy, table in sorted(given.items())}
    if all(len(parts) == 1 for parts in flat.values()):
        groups = [("", 0, {policy: parts[0][1] for policy, parts in flat.items()})]
    else:
        whole = {
            policy: given[policy]["steps"] if isinstance(given[policy], Mapping) else [given[policy]] * H
            for policy in flat
        }
        groups = [(f", step {h + 1}", h, {policy: table[h] for policy, table in whole.items()}) for h in range(H)]
    for when, h, part in groups:
        out += sheet(f"{caption}{when}", ("Policy", "Having seen"), actions, merged(part, seen(h)), names)
    return out


def merged(part: Mapping[str, Any], seen: Sequence[str]) -> Iterator[tuple[Cells, list[str]]]:
    """Yield one row per (policy, history); a policy that does the same throughout has one."""
    for policy, table in part.items():
        if all(row == table[0] for row in table):
            yield (*label(policy), say("anything")), table[0]
            continue
        yield from ((label(policy, words), row) for words, row in zip(seen, table, strict=True))


def histories(window: Any, h: int, seen: Sequence[str], acted: Sequence[str]) -> list[str]:
    """Return what the rows of a table at 0-based step ``h`` stand for."""
    parts = (
        [seen if k % 2 == 0 else acted for k in range(2 * h + 1)] if window == "full" else [seen] * min(window, h + 1)
    )
    return [", ".join(words) for words in product(*parts)] if len(parts) <= MOST_COLUMNS else []
