"""Assumption 2.3: the exact Lipschitz constant of the responses in the reference posteriors, or a witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.budget import OverBudget, limited
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.histories import Apart, Block, MergedPosteriors, apart
from pomgcheck.kernel.reading import Malformed
from pomgcheck.search.finding import Finding, Labels, texts


def posterior_lipschitz(game: Game, options: Mapping[str, Any]) -> Finding:
    """Return the largest ratio of response gap to posterior gap; a positive gap over zero refutes.

    The comparisons are the kernel's own. Raises ``LimitExceeded`` where more adversary histories are apart at one step
    than the limit.
    """
    facts, attained = Facts(game, options), None
    best = [Fraction(0)]

    def enough(gap: Fraction, distance: Fraction) -> bool:
        return gap <= best[0] * distance

    try:
        with limited():
            for each in apart(facts, enough):
                if not each.distance:
                    return Finding("refuted", "enumeration", witness=place(facts, each, shown=True))
                best[0], attained = each.gap / each.distance, each
    except Malformed:
        limit = options["limits"]["trajectories"]
        fix = "shorten the horizon, raise --limits trajectories, or leave posterior-lipschitz out (--only the others)"
        raise LimitExceeded("posterior-lipschitz", "distinct adversary histories", limit + 1, limit, fix) from None
    except OverBudget as stop:
        return Finding("unknown", f"more than the kernel compares, {stop}")
    return Finding(
        "proved",
        "enumeration of histories and pairs of policies",
        {"L_lower": str(best[0]), "L_upper": str(best[0])},
        evidence(attained and place(facts, attained)),
    )


def evidence(
    attained: Any,
    gaps: Mapping[str, str] | None = None,
    signs: Sequence[Mapping[str, Any]] = (),
    trees: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what a certificate says of a constant: where it is attained, and on interval axes bounds of the
    responses' differences, choices of signs and trees of goals. On a finite class the goals are numbers."""
    return {"rule": "box", "gaps": gaps or {}, "signs": [*signs], "trees": trees or {}, "attained": attained}


def place(facts: Facts, each: Apart, shown: bool = False) -> dict[str, Any]:
    """Return where the adversary tells two policies apart, in labels; with the rows that show it."""
    game, labels, (pi, nu, k) = facts.game, Labels(facts.game), each.find()
    heard, names = each.heard, [[labels.policy(x) for x in block] for block in (pi, nu)]
    told: dict[str, Any] = {
        "theta": labels.theta(each.i),
        "h": heard.h + 1,
        "tau_B": labels.trajectory(heard.eta, learner=False),
        "pi": names[0] if game.block_rule == "table" else names[0][0],
        "nu": names[1] if game.block_rule == "table" else names[1][0],
        "Phi": labels.Phi(k),
    }
    if shown:
        masses = [heard.masses[block[0]] or () for block in (pi, nu)]
        told["responses"] = [texts(game.blocks[k][block][heard.h][heard.row]) for block in (pi, nu)]
        told["posteriors"] = [texts(Fraction(x, sum(row)) for x in row) for row in masses]
    return told


def told_apart(facts: Facts) -> Iterator[tuple[int, Block, Block, int]]:
    """Return every (world, block, block, response) where the response answers blocks of equal posteriors differently."""
    posteriors, game = facts.once(MergedPosteriors), facts.game
    for i in range(len(game.worlds)):
        for heard in posteriors.heard(i):
            far = posteriors.distances(i, heard)
            alike = [[n for n, x in enumerate(row) if x == 0] for row in far]
            for pi in game.block_list():
                for nu in product(*(alike[p] for p in pi)) if all(heard.masses[p] for p in pi) else ():
                    for k, blocks in enumerate(game.blocks):
                        if pi < nu and blocks[pi][heard.h][heard.row] != blocks[nu][heard.h][heard.row]:
                            yield i, pi, nu, k
