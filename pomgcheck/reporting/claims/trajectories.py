"""Tells what Assumptions 3.1(c) and 3.1(d) have in common: a trajectory that one model allows and another rules out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.evidence import ClaimPlace
from pomgcheck.kernel.game import Game
from pomgcheck.reporting.blocks import Block, Branch, Items, Paragraph, Table, Tree, tree
from pomgcheck.reporting.claims import game_tree
from pomgcheck.reporting.claims.told import Cause
from pomgcheck.reporting.evaluation import Stage, mass
from pomgcheck.reporting.spans import NOTHING, Field, Inline, Label, listed, say
from pomgcheck.reporting.words import exact, model, policy, short, steps_of


def stepwise(stage: Stage, trajectory: Sequence[str], models: Sequence[Any]) -> Table:
    """Return the probability of each observation given what came before, under two models, and the products."""
    q, rows = [stage.start(), stage.start()], list[tuple[Field, ...]]()
    total = [Fraction(1), Fraction(1)]
    for h, (o, a) in enumerate(zip(trajectory[::2], trajectory[1::2], strict=True)):
        before = [mass(x) for x in q]
        q = [stage.moved(x, h, o, a, q[x]) for x in (0, 1)]
        total = [mass(x) for x in q]
        ratios = [a / b if b else Fraction(0) for a, b in zip(total, before, strict=True)]
        rows.append((str(h + 1), Label(o), Label(a), *map(exact, ratios), quotient(*ratios)))
    rows.append(("product", NOTHING, NOTHING, *map(exact, total), quotient(*total)))
    caption, under = (
        "The probability of each observation, given what came before it",
        [f"Under {model(x).text}" for x in models],
    )
    return Table.of(caption, ("Step", "Seen", "Played", *under, "Ratio"), rows)


def quotient(x: Fraction, y: Fraction) -> Inline:
    """Return the ratio, where there is one."""
    return exact(x / y) if y else NOTHING


def trajectory(consequence: str) -> Callable[[Certificate, ClaimPlace], list[Block]]:
    """Return the counterexample to Assumption 3.1(c) or (d): possible under one model, impossible under another, and
    what follows."""

    def walk(cert: Certificate, w: ClaimPlace) -> list[Block]:
        models = (w.xi, w.xi_prime)
        stage = Stage(cert, models, w.pi)
        return [
            Paragraph.of("Under {pi}, step by step:", pi=policy(w.pi)),
            Items(steps_of(w.trajectory), numbered=True),
            Paragraph.of(
                "Model {x} gives these observations probability {p}; model {y} gives them 0, so {consequence}.",
                x=model(w.xi),
                y=model(w.xi_prime),
                p=short(w.probability),
                consequence=consequence,
            ),
            *([stepwise(stage, w.trajectory, models)] if stage.small else []),
        ]

    return walk


def causes(cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return why Assumption 3.1(c) or (d) fails: the step at which xi' rules the trajectory out, and the states it
    could then be in."""
    stage = Stage(cert, [place.xi_prime], place.pi)
    q = stage.start()
    for h, (o, a) in enumerate(zip(place.trajectory[::2], place.trajectory[1::2], strict=True)):
        after = stage.moved(0, h, o, a, q)
        if not after:
            return [_never_shown(stage.game, place.xi_prime, h, o, sorted({s for s, _ in q}))]
        q = after
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
    repair = (
        "Smooth the class: give {o} a positive probability in {s} at step {h} in every model, or let every model reach a state "
        "that shows it."
    )
    return Cause(say("Under {xi} {where}.", xi=model(xi), where=where), say(repair, o=Label(o), s=names, h=str(h + 1)))


def drawn(cert: Certificate, w: ClaimPlace) -> Tree:
    """Return the tree of Assumption 3.1(c) or (d): possible under one model, impossible under the other."""
    below = game_tree.path(game_tree.sides(cert, w.pi, w.xi, w.xi_prime), 0, w.trajectory, lambda *last: ())
    return tree(
        game_tree.columns(f"model {model(w.xi).text}", f"model {model(w.xi_prime).text}"),
        (Branch("", "From step 1 on", then=below),),
        "Game tree of the trajectory: one of its observations has probability 0 under model B alone",
    )
