"""Writes the tables of a small model class to read: kernels with their parameters, responses, policies, rewards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pomgcheck.errors import counted
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.polynomials import Inverse, Polynomial, polynomial, variable
from pomgcheck.kernel.reading import Malformed
from pomgcheck.kernel.rows import in_arrays
from pomgcheck.outline import SideOutline
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.numbers import shortened
from pomgcheck.reporting.spans import Field, Inline, Label, Math

Document = Mapping[str, Any]
MOST_ROWS = 32  # of one table; longer ones are in the document alone
MOST_COLUMNS = 8
LONGEST = 40  # characters of an entry


def formula(terms: Polynomial | Mapping[tuple[str, ...], Fraction]) -> str:
    """Return a polynomial, monomials with their coefficients, as ``9/10 − x``: constants first, then by degree and
    name."""
    out = ""
    for key, value in sorted(terms.items(), key=lambda term: (len(term[0]), term[0])):
        powers = " ".join(
            name + (f"^{{{key.count(name)}}}" if key.count(name) > 1 else "") for name in dict.fromkeys(key)
        )
        above, below = abs(value.numerator), f"/{value.denominator}" if value.denominator > 1 else ""
        out += (" − " if out else "−") if value < 0 else (" + " if out else "")
        out += (str(above) if above > 1 or not key else "") + powers + below
    return out or "0"


def divided(p: Polynomial) -> bool:
    """Return whether a polynomial has divisors: it is then shown as it stands in the document, if at all."""
    return any(isinstance(name, Inverse) for name in p.axes)


def entry(text: str, names: Sequence[str]) -> Inline:
    """Return an entry of a table: an exact number, or a polynomial in the parameters."""
    try:
        value = polynomial(evaluate(text, {name: variable(name) for name in names}, "entry"))
    except Malformed:
        value = None
    shown = text.replace("*", " ").replace("-", "−") if value is None or divided(value) else formula(value)
    return (Math(shown),) if len(shown) <= LONGEST else (Label(shortened(text)[:LONGEST] + "…"),)


def in_steps(value: Any, horizon: int) -> list[Any]:
    """Return the table of each step."""
    return list(value["steps"]) if isinstance(value, Mapping) else [value] * horizon


def steps(value: Any, horizon: int) -> list[tuple[str, Any]]:
    """Return a table of each step with the words for when it holds, and one table where it is the same at all steps."""
    tables = in_steps(value, horizon)
    if all(table == tables[0] for table in tables):
        return [("", tables[0])]
    return [(f", step {h}", table) for h, table in enumerate(tables, 1)]


Cells = tuple[Field, ...]


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
        n, m = counted(len(given), "row"), counted(len(columns), "entry", "entries")
        return [Paragraph.of("{caption}: {n} of {m}, in the document.", caption=caption, n=n, m=m)]
    found: list[Cells] = [(*head, *(entry(text, names) for text in row)) for head, row in given]
    return [Table.of(caption, (*heads, *columns), found, folded=True)]


def label(*words: str) -> Cells:
    """Return words of the model as cells."""
    return tuple(map(Label, words))


def tables(document: Document) -> list[Block]:
    """Return the tables of a class given by kernels: worlds, responses, policies and rewards."""
    game, worlds, responses, policies = (document[key] for key in ("game", "worlds", "responses", "policies"))
    spaces = (
        "states",
        *(f"{side}_{what}" for what in ("actions", "observations") for side in ("learner", "adversary")),
    )
    H, (S, A, B, OA, OB) = game["horizon"], (game[name] for name in spaces)
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
        caption = f"Next hidden state, by state, learner action and adversary action{when}"
        out += sheet(caption, ("State", "Learner", "Adversary"), S, moves, x)
    caption = "Responses: the adversary's action, by policy and what it has seen"
    out += by_policy(caption, responses["table"], H, responses["window"], OB, B, y)
    caption = "Policies: the learner's action, by what it has seen"
    out += by_policy(caption, policies["list"], H, policies["window"], OA, A, ())
    for when, reward in steps(game["reward"], H):
        out += sheet(f"Reward of each learner observation{when}", (), OA, iter([((), reward)]), ())
    return out


def by_policy(
    caption: str,
    given: Mapping[str, Any],
    H: int,
    window: Any,
    seen: Sequence[str],
    acted: Sequence[str],
    names: Sequence[str],
) -> list[Block]:
    """Return one table per step, or one for all steps, with one row per policy and history; equal rows of a policy are
    taken together."""
    every = {policy: in_steps(table, H) for policy, table in sorted(given.items())}
    alike = all(table == tables[0] for tables in every.values() for table in tables)
    out: list[Block] = []
    for h in range(1 if alike else H):
        rows = merged({policy: tables[h] for policy, tables in every.items()}, histories(window, h, seen, acted))
        out += sheet(f"{caption}{'' if alike else f', step {h + 1}'}", ("Policy", "Having seen"), acted, rows, names)
    return out


def merged(part: Mapping[str, Any], seen: Sequence[str]) -> Iterator[tuple[Cells, list[str]]]:
    """Yield one row per (policy, history); a policy that does the same throughout has one."""
    for policy, table in part.items():
        if all(row == table[0] for row in table):
            yield (Label(policy), "anything"), table[0]
            continue
        yield from ((label(policy, words), row) for words, row in zip(seen, table, strict=True))


def histories(window: Any, h: int, seen: Sequence[str], acted: Sequence[str]) -> list[str]:
    """Return what the rows of a table at 0-based step ``h`` stand for."""
    parts = (
        [seen if k % 2 == 0 else acted for k in range(2 * h + 1)] if window == "full" else [seen] * min(window, h + 1)
    )
    return [", ".join(words) for words in product(*parts)] if len(parts) <= MOST_COLUMNS else []
