"""Why a claim fails and what would repair it, read off the tables of the model inside the certificate.

A diagnosis explains; it decides nothing. Tables come from :mod:`pomgcheck.kernel.game`; a sum over a witness's
own few states is all the arithmetic there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from itertools import permutations, product
from typing import Any, NamedTuple

from pomgcheck.kernel.game import Game, Row, World, parameter_points
from pomgcheck.reporting.blocks import Code, Inline, Label, listed, say
from pomgcheck.reporting.evaluation import game_at, l1, remembering, row_of
from pomgcheck.reporting.numbers import fraction, shortened
from pomgcheck.reporting.words import model, point, policy

MOST_STATES = 6  # renamings are looked for up to this many states
Weights = dict[tuple[Any, ...], Fraction]


class Cause(NamedTuple):
    """One reason, and the change that would remove it; ``why`` is empty for a remedy of no special reason."""

    why: Inline
    repair: Inline


def remembered(game: Game, memory: tuple[str, ...], oB: int, b: int) -> tuple[str, ...]:
    """The adversary's memory once it has seen ``oB`` and played ``b``: what its window keeps of its observations, or
    all of both where its table reads whole histories."""
    space = "history" if game.adversary_window is None else "window"
    return remembering(game, space, memory, game.OB[oB], game.B[b])


def renaming(game: Game, left: World, right: World) -> tuple[int, ...] | None:
    """A renaming of the states, not the identity, that turns ``left`` into ``right`` and keeps rho_0."""
    S, A, B, H = range(len(game.S)), range(len(game.A)), range(len(game.B)), range(game.H)
    if len(S) > MOST_STATES or left == right:
        return None

    def same(new: tuple[int, ...]) -> bool:
        return (
            all(game.rho0[s] == game.rho0[new[s]] for s in S)
            and all(left.EA[h][s] == right.EA[h][new[s]] and left.EB[h][s] == right.EB[h][new[s]] for h in H for s in S)
            and all(
                left.T[h][s][a][b][t] == right.T[h][new[s]][a][b][new[t]] for h, s, a, b, t in product(H, S, A, B, S)
            )
        )

    return next(filter(same, permutations(S)), None)


def renamed(game: Game) -> list[Cause]:
    """The two worlds are one up to the names of the hidden states."""
    if len(game.worlds) < 2:
        return []
    new = renaming(game, *game.worlds)
    if new is None:
        return []
    pairs = [
        say("{s} in the first is {t} in the second", s=Label(game.S[s]), t=Label(game.S[new[s]]))
        for s in range(len(new))
        if s != new[s]
    ]
    return [
        Cause(
            say(
                "The two worlds are one with its hidden states renamed: {pairs}. No observation can tell them apart.",
                pairs=listed(pairs),
            ),
            say("Keep one of the two parameter points: they describe the same game."),
        )
    ]


# -------------------------------------------------------------------------------- weak revealing


class Reply(NamedTuple):
    """An adversary action ``b`` where the channels differ, after what the adversary has seen and done."""

    b: int
    after: tuple[str, ...]
    masses: tuple[list[Fraction], list[Fraction]]  # of the next hidden state, in either world
    difference: Fraction  # l1, of the channels themselves
    played: bool


class Scene:
    """The tables at a weak-revealing witness: two worlds, one response, (h, o, a) and q, all by index."""

    def __init__(self, cert: Mapping[str, Any], place: Mapping[str, Any]) -> None:
        """Read the tables of the certificate's model at the place's parameters."""
        self.game = game = game_at(cert["model"], [place["theta"], place["theta_prime"]], [place["Phi"]])
        self.space: str = cert["options"]["space"]
        self.h = place["h"] - 1
        self.o, self.a = game.OA.index(place["o"]), game.A.index(place["a"])
        self.g: tuple[Row, ...] = game.responses[0][game.policy_names.index(place["pi"])][self.h]
        self.q = [(game.S.index(s), tuple(memory), fraction(mass)) for s, memory, mass in place["q"]]

    def seen(self, x: int) -> Fraction:
        """Z: probability of the learner's current observation under q in world ``x``."""
        return sum((m * self.game.worlds[x].EA[self.h][s][self.o] for s, _, m in self.q), Fraction(0))

    def answer(self, memory: tuple[str, ...], oB: int, b: int) -> Fraction:
        """Probability of adversary action ``b`` after its memory and observation."""
        return self.g[row_of(self.game, self.space, memory, self.game.OB[oB])][b]

    def channel(self, x: int) -> Weights:
        """W q of Theorem 2.5: (adversary memory, its observation, its action, next state) -> mass."""
        out: Weights = {}
        table = self.game.worlds[x]
        for s, memory, mass in self.q:
            for oB, emission in enumerate(table.EB[self.h][s]):
                for b, row in enumerate(table.T[self.h][s][self.a]):
                    for t, move in enumerate(row):
                        key = memory, oB, b, t
                        weight = mass * table.EA[self.h][s][self.o] * emission * move
                        out[key] = out.get(key, Fraction(0)) + weight
        return out

    def next_states(self, x: int) -> list[Fraction]:
        """Law of the next hidden state once the adversary has answered, given the current observation."""
        masses = [Fraction(0)] * len(self.game.S)
        for (memory, oB, b, t), mass in self.channel(x).items():
            masses[t] += mass * self.answer(memory, oB, b)
        return [mass / self.seen(x) for mass in masses] if self.seen(x) else masses

    def moved_from(self) -> list[int]:
        """The states of q from which, alone, the next hidden state would differ in law."""

        def differs(s: int) -> bool:
            alone = copy(self)
            alone.q = [entry for entry in self.q if entry[0] == s]
            return alone.next_states(0) != alone.next_states(1)

        return sorted(s for s in {s for s, _, _ in self.q} if differs(s))

    def next_observations(self, x: int) -> list[Fraction]:
        """Law of the learner's next observation."""
        states, table = self.next_states(x), self.game.worlds[x].EA[self.h + 1]
        return [sum((p * table[s][o] for s, p in enumerate(states)), Fraction(0)) for o in range(len(self.game.OA))]

    def by_action(self) -> list[Reply]:
        """What the channels lead to under each adversary action where they differ."""
        return self._grouped(lambda memory, oB: ())

    def by_history(self) -> list[Reply]:
        """The same, apart by what the adversary has seen and done where sums over that would hide a difference."""
        replies = self.by_action()
        if all(l1(*reply.masses) == reply.difference for reply in replies):
            return replies
        return self._grouped(lambda memory, oB: (*memory, self.game.OB[oB]))

    def _grouped(self, after: Callable[[tuple[str, ...], int], tuple[str, ...]]) -> list[Reply]:
        channels = self.channel(0), self.channel(1)
        groups: dict[tuple[int, tuple[str, ...]], list[Any]] = {}
        for memory, oB, b in dict.fromkeys(key[:3] for channel in channels for key in channel):
            groups.setdefault((b, after(memory, oB)), []).append((memory, oB, b))
        replies = [self._reply(b, history, groups[b, history], channels) for b, history in sorted(groups)]
        return [reply for reply in replies if reply.difference]

    def _reply(self, b: int, history: tuple[str, ...], places: list[Any], channels: tuple[Weights, Weights]) -> Reply:
        at = [
            [[channel.get((*place, t), Fraction(0)) for t in range(len(self.game.S))] for channel in channels]
            for place in places
        ]
        gaps = [l1(left, right) for left, right in at]
        return Reply(
            b,
            history,
            masses=(total([left for left, _ in at]), total([right for _, right in at])),
            difference=sum(gaps, Fraction(0)),
            played=any(gap and self.answer(*place) for gap, place in zip(gaps, places, strict=True)),
        )


def total(vectors: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The sum of some vectors of one length."""
    return [sum(column, Fraction(0)) for column in zip(*vectors, strict=True)]


def weak_revealing(cert: Mapping[str, Any], place: Mapping[str, Any]) -> list[Cause]:
    """Assumption 2.4: what the world channel tells apart and the learner's window does not, and why."""
    scene = Scene(cert, place)
    return (
        renamed(scene.game)
        or _emission(scene, cert, place)
        or _unplayed(scene, place)
        or _cancelled(scene, cert)
        or _hidden(scene, cert, place)
    )


def _emission(scene: Scene, cert: Mapping[str, Any], place: Mapping[str, Any]) -> list[Cause]:
    left, right = scene.seen(0), scene.seen(1)
    if left == right or cert["options"]["weak_revealing"]["form"] == "joint":
        return []
    return [
        Cause(
            say(
                "The worlds differ in how likely {o} is now ({x} against {y}), and the literal form conditions on having "
                "seen it, which cancels exactly that.",
                o=Label(place["o"]),
                x=Label(str(left)),
                y=Label(str(right)),
            ),
            say(
                "`--form joint` compares the probability of the current observation and the window together; there this "
                "difference counts."
            ),
        )
    ]


def _unplayed(scene: Scene, place: Mapping[str, Any]) -> list[Cause]:
    replies = scene.by_action()
    if any(reply.played for reply in replies):
        return []
    names = listed((Label(scene.game.B[reply.b]) for reply in replies), last="or")
    return [_never_played(names, place["pi"])]


def _never_played(actions: Inline, pi: str) -> Cause:
    return Cause(
        say(
            "The channels differ only where the adversary plays {b}, which against {pi} it never does.",
            b=actions,
            pi=policy(pi),
        ),
        say("Give every response a floor: a probability of at least some $ε$ > 0 for each adversary action."),
    )


def _cancelled(scene: Scene, cert: Mapping[str, Any]) -> list[Cause]:
    """Opposite differences meet before the next hidden state is drawn."""
    if scene.next_states(0) != scene.next_states(1):
        return []
    actions = [Label(scene.game.B[reply.b]) for reply in scene.by_action() if reply.played]
    states = [Label(scene.game.S[s]) for s in scene.moved_from()]
    if states:
        where = say("from {s}", s=listed(states))
    elif len(actions) > 1:
        where = say("when the adversary plays {b}", b=listed(actions))
    else:
        where = say("at the adversary's different private observations")
    causes = [
        Cause(
            say(
                "The differences {where} have opposite signs and cancel in the mixture, so the next hidden state has the "
                "same law in both worlds.",
                where=where,
            ),
            say(
                "Let the two worlds differ in one direction only, or let the response and the emissions weigh the "
                "opposite differences unequally."
            ),
        )
    ]
    if states and cert["options"]["weak_revealing"]["scope"] == "simplex":
        causes.append(
            Cause(
                (),
                say(
                    "If play never reaches this mixture, `--scope reachable` asks the inequality only of predictive states "
                    "that some model and policy of the class reach."
                ),
            )
        )
    return causes


def _hidden(scene: Scene, cert: Mapping[str, Any], place: Mapping[str, Any]) -> list[Cause]:
    """The next hidden state differs in law, and the learner's window does not show it."""
    left, right = scene.next_states(0), scene.next_states(1)
    kappa, H, S = cert["options"]["kappa"], scene.game.H, scene.game.S
    moved = [s for s in range(len(S)) if left[s] != right[s]]
    alike = {scene.game.worlds[0].EA[scene.h + 1][s] for s in moved}
    states = listed(Label(S[s]) for s in moved)
    why = (
        say(
            "The worlds move {s} differently, and at step {h} these states show the learner the same observations.",
            s=states,
            h=str(place["h"] + 1),
        )
        if kappa == 1 and len(alike) == 1
        else say("The worlds move {s} differently, but the differences cancel in what the learner sees next.", s=states)
    )
    repair = (
        say("A longer window may do it too: {k}.", k=Code(f"--kappa {kappa + 1}"))
        if place["h"] <= H - kappa - 1
        else say(
            "A longer window does not fit after step {h} of {H}: lengthen the horizon and raise `--kappa`.",
            h=str(place["h"]),
            H=str(H),
        )
    )
    return [Cause(why, say("Let the learner's emissions tell these states apart. {more}", more=repair))]


# ----------------------------------------------------------------------------- posterior-Lipschitz


def posterior_lipschitz(cert: Mapping[str, Any], place: Mapping[str, Any]) -> list[Cause]:
    """Assumption 2.3: equal posteriors, different answers."""
    game = game_at(cert["model"], [place["theta"]], [place["Phi"]])
    pi, nu = ([name] if isinstance(name, str) else name for name in (place["pi"], place["nu"]))
    pairs = [
        (game.policies[game.policy_names.index(p)], game.policies[game.policy_names.index(n)])
        for p, n in zip(pi, nu, strict=True)
    ]
    differing = [h + 1 for h in range(game.H) if any(p[h] != n[h] for p, n in pairs)]
    h, alike = (
        place["h"],
        Cause(
            (),
            say(
                "Let the adversary give one answer to both at this history: its response may depend on the policies only "
                "through the posterior."
            ),
        ),
    )
    if cert["options"]["lipschitz_form"] == "policy":
        return [
            Cause(
                say(
                    "No posterior, at any step or history, tells the two apart, so nothing the adversary can know does."
                ),
                say("Leave one of the two out of the policy class."),
            ),
            alike,
        ]
    if h in differing:
        why = say(
            "The two play differently at step {h}, but averaged over what the learner may have seen they choose "
            "each action equally often.",
            h=str(h),
        )
    elif min(differing, default=0) > h:
        why = say(
            "The two play alike up to step {h} and first differ at step {k}: the adversary answers a difference "
            "that has not shown yet.",
            h=str(h),
            k=str(min(differing)),
        )
    else:
        why = say("The two play alike at step {h}: the adversary answers a difference at another step.", h=str(h))
    elsewhere = differing != [h]
    other = say(
        "`--lipschitz policy` compares the policies over all steps, and so admits an adversary that answers a "
        "difference at another step."
    )
    return [Cause(why, other if elsewhere else ()), alike]


# ----------------------------------------------------------------------------------------- truth


def well_specified(cert: Mapping[str, Any], place: Mapping[str, Any]) -> list[Cause]:
    """Assumption 3.1(a): the sides of the truth that lie outside, and on which axis."""
    return [
        cause
        for side in ("worlds", "responses")
        for cause in _off_axis(cert["model"][side], place["truth"][side], side)
        or _excluded(cert["model"][side], place["truth"][side], side)
    ]


def _off_axis(part: Mapping[str, Any], truth: Mapping[str, str], side: str) -> list[Cause]:
    """Parameters of the truth outside the values or the interval of their axis."""
    causes = []
    for name, axis in part.get("parameters", {}).items():
        kind, ends = next(iter(axis.items()))
        value, numbers = fraction(truth[name]) if name in truth else None, list(map(fraction, ends))
        if value is not None and not (value in numbers if kind == "values" else numbers[0] <= value <= numbers[1]):
            causes.append(
                Cause(
                    say(
                        "{x} is outside its {kind} {ends}.",
                        x=Label(point({name: truth[name]})),
                        kind=kind,
                        ends=Label(", ".join(map(shortened, ends))),
                    ),
                    say(
                        "Add {v} to {axis}, or move the truth.",
                        v=Label(truth[name]),
                        axis=Code(f"{side}.parameters.{name}"),
                    ),
                )
            )
    return causes


def _excluded(part: Mapping[str, Any], truth: Mapping[str, str], side: str) -> list[Cause]:
    """A truth on every axis that is none of the points all the same."""
    points = parameter_points(part, side)
    if points is None or {name: fraction(text) for name, text in truth.items()} in points:
        return []
    return [
        Cause(
            say("{p} is none of the points of {side}.", p=Label(point(truth) or "()"), side=Code(side)),
            say("Add the point to {side}, loosen what excludes it, or move the truth.", side=Code(side)),
        )
    ]


# ----------------------------------------------------------------------------------- trajectories


def impossible(cert: Mapping[str, Any], place: Mapping[str, Any]) -> list[Cause]:
    """Assumption 3.1(c), (d): the step at which xi' rules the trajectory out, and the states it could then be in."""
    xi = place["xi_prime"]
    game = game_at(cert["model"], [xi["theta"]], [xi["Phi"]])
    table, g = game.worlds[0], game.responses[0][game.policy_names.index(place["pi"])]
    trajectory = place["trajectory"]
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


# ---------------------------------------------------------------------------------- KL conversion


def conversion(cert: Mapping[str, Any], place: Mapping[str, Any]) -> list[Cause]:
    """Assumption 3.1(e): different operators behind one law of play."""
    first, second = place["xi_star"], place["xi"]
    game = game_at(cert["model"], [first["theta"], second["theta"]], [first["Phi"], second["Phi"]])
    worlds, answers = len(game.worlds) > 1, len(game.responses) > 1
    causes = renamed(game)
    if causes:
        return causes
    if place["h"] == game.H and not _earlier(game, place["pi"]):
        return [
            Cause(
                say(
                    "Step {h} is the last: nothing is observed after it, so a difference in where it leads is never seen.",
                    h=str(game.H),
                ),
                say(
                    "Give all models the same transition and response at step {h}, or append a step whose observation "
                    "shows the state (padding with $κ$ revealing steps, as the paper does).",
                    h=str(game.H),
                ),
            )
        ]
    unplayed = _unplayed_everywhere(game, place["pi"]) if worlds else ()
    if unplayed:
        return [_never_played(unplayed, place["pi"])]
    if worlds and answers:
        why = say("What changes with the world is made up for by what changes with the response.")
    elif worlds:
        why = say("The two worlds differ only in ways that no later observation of the learner shows.")
    else:
        why = say("The two responses differ only in ways that no later observation of the learner shows.")
    apart = say("change the emissions or the responses so that play can tell them apart")
    if intervals(cert["model"]):
        return [Cause(why, say("Fix one of the parameters in which the two models differ, or {apart}.", apart=apart))]
    return [Cause(why, say("Keep one of the two models, or {apart}.", apart=apart))]


def intervals(document: Mapping[str, Any]) -> bool:
    """Whether a class has interval axes."""
    return any(
        "interval" in axis for side in ("worlds", "responses") for axis in document[side].get("parameters", {}).values()
    )


def _earlier(game: Game, pi: str) -> bool:
    """Whether the models differ in what they do before the last step, or in what the learner sees there."""
    first, last = game.worlds[0], game.worlds[-1]
    p = game.policy_names.index(pi)
    answers = [response[p][:-1] for response in (game.responses[0], game.responses[-1])]
    return (first.EB[:-1], first.T[:-1], first.EA) != (last.EB[:-1], last.T[:-1], last.EA) or answers[0] != answers[1]


def _unplayed_everywhere(game: Game, pi: str) -> Inline:
    """The adversary actions to which all differences of the two worlds are confined, if none is ever played."""
    left, right = game.worlds
    p = game.policy_names.index(pi)
    if (left.EA, left.EB) != (right.EA, right.EB):
        return ()
    differing = {
        (h, b)
        for h in range(game.H)
        for s in range(len(game.S))
        for a in range(len(game.A))
        for b in range(len(game.B))
        if left.T[h][s][a][b] != right.T[h][s][a][b]
    }
    if any(row[b] for response in game.responses for h, b in differing for row in response[p][h]):
        return ()
    return listed((Label(game.B[b]) for b in sorted({b for _, b in differing})), last="or")
