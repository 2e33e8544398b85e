"""Tells what Assumptions 3.1(c) and 3.1(d) have in common: a trajectory that one model allows and another rules out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.evidence import ClaimPlace
from pomgcheck.kernel.game import Game
from pomgcheck.reporting.blocks import (
    NOTHING,
    Block,
    Branch,
    Inline,
    Items,
    Label,
    Paragraph,
    Table,
    Tree,
    listed,
    say,
    tree,
)
from pomgcheck.reporting.claims import game_tree
from pomgcheck.reporting.claims.told import Cause
from pomgcheck.reporting.evaluation import Stage, game_at, mass, remembered, row_of
from pomgcheck.reporting.words import exact, model, policy, short, steps_of


def stepwise(stage: Stage, trajectory: Sequence[str], models: Sequence[Any]) -> Table:
    """Return the probability of each observation given what came before, under two models, and the products."""
    q, rows = [stage.start(), stage.start()], []
    total = [Fraction(1), Fraction(1)]
    for h, (o, a) in enumerate(zip(trajectory[::2], trajectory[1::2], strict=True)):
        before = [mass(x) for x in q]
        q = [stage.moved(x, h, o, a, q[x]) for x in (0, 1)]
        total = [mass(x) for x in q]
        ratios = [a / b if b else Fraction(0) for a, b in zip(total, before, strict=True)]
        rows.append((say("{h}", h=str(h + 1)), (Label(o),), (Label(a),), *map(exact, ratios), quotient(*ratios)))
    rows.append((say("product"), NOTHING, NOTHING, *map(exact, total), quotient(*total)))
    return Table(
        "The probability of each observation, given what came before it",
        ("Step", "Seen", "Played", f"Under {model(models[0]).text}", f"Under {model(models[1]).text}", "Ratio"),
        tuple(rows),
    )


def quotient(x: Fraction, y: Fraction) -> Inline:
    """Return the ratio, where there is one."""
    return exact(x / y) if y else NOTHING


def ruled_out(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return a trajectory that one model rules out: the probability of each observation under both."""
    stage = Stage(cert, [w.xi, w.xi_prime], w.pi)
    return [stepwise(stage, w.trajectory, (w.xi, w.xi_prime))] if stage.small else []


def trajectory(consequence: str) -> Callable[[Certificate, ClaimPlace], list[Block]]:
    """Return the counterexample to Assumption 3.1(c) or (d): possible under one model, impossible under another, and
    what follows."""

    def walk(cert: Certificate, w: ClaimPlace) -> list[Block]:
        return [
            Paragraph(say("Under {pi}, step by step:", pi=policy(w.pi))),
            Items(steps_of(w.trajectory), numbered=True),
            Paragraph(
                say(
                    "Model {x} gives these observations probability {p}; model {y} gives them 0, so {consequence}.",
                    x=model(w.xi),
                    y=model(w.xi_prime),
                    p=short(w.probability),
                    consequence=consequence,
                )
            ),
            *ruled_out(cert, w),
        ]

    return walk


def causes(cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return why Assumption 3.1(c) or (d) fails: the step at which xi' rules the trajectory out, and the states it
    could then be in."""
    xi = place.xi_prime
    game = game_at(cert.model, [xi.theta], [xi.Phi])
    table, g = game.worlds[0], game.responses[0][game.policy_names.index(place.pi)]
    trajectory = place.trajectory
    reach: set[tuple[int, tuple[str, ...]]] = {(s, ()) for s, mass in enumerate(game.rho0) if mass}
    for h in range(len(trajectory) // 2):
        o, a = game.OA.index(trajectory[2 * h]), game.A.index(trajectory[2 * h + 1])
        shown = {(s, memory) for s, memory in reach if table.EA[h][s][o]}
        if not shown:
            return [_never_shown(game, xi, h, trajectory[2 * h], sorted({s for s, _ in reach}))]
        reach = {
            (t, remembered(game, memory, oB, b))
            for s, memory in shown
            for oB, emission in enumerate(table.EB[h][s])
            if emission
            for b, answer in enumerate(g[h][row_of(game, "window", memory, game.OB[oB])])
            if answer
            for t, move in enumerate(table.T[h][s][a][b])
            if move
        }
    return []


def _never_shown(game: Game, xi: Any, h: int, o: str, states: list[int]) -> Cause:
    everywhere = len(states) == len(game.S)
    names = say("some state") if everywhere else listed((Label(game.S[s]) for s in states), last="or")
    verb = {1: "which never shows", 2: "neither of which shows"}.get(len(states), "none of which shows")
    where = (
        say("no state shows {o} at step {h}", o=Label(o), h=str(h + 1))
        if everywhere
        else say("the state at step {h} is then surely {s}, {verb} {o}", h=str(h + 1), s=names, verb=verb, o=Label(o))
    )
    return Cause(
        say("Under {xi} {where}.", xi=model(xi), where=where),
        say(
            "Smooth the class: give {o} a positive probability in {s} at step {h} in every model, or let every model "
            "reach a state that shows it.",
            o=Label(o),
            s=names,
            h=str(h + 1),
        ),
    )


def drawn(cert: Certificate, w: ClaimPlace) -> Tree:
    """Return the tree of Assumption 3.1(c) or (d): possible under one model, impossible under the other."""
    below = game_tree.path(game_tree.sides(cert, w.pi, w.xi, w.xi_prime), 0, w.trajectory, lambda *last: ())
    return tree(
        game_tree.columns(f"model {model(w.xi).text}", f"model {model(w.xi_prime).text}"),
        (Branch("", "From step 1 on", then=below),),
        "Game tree of the trajectory: one of its observations has probability 0 under model B alone",
    )
