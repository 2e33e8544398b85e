"""Makes Pi and Psi from families: reactive and other policies, and responses that react to the policy they face.

Responses are made for a game whose policies are known, in its *nominal* world (the truth): each is an expression in
one sensitivity y, and the adversary plays uniformly at y = 0 (``tilt``) or acts half of the time (``deterrence``).
Deterrence reacts wherever a response of window 1 can and still satisfy Assumption 2.3 in the same-step form; tilt reacts
to more, and so seldom satisfies it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError, LimitExceeded, PomgcheckError
from pomgcheck.importers import kuhn
from pomgcheck.importers.alike import Alike, space_of, support
from pomgcheck.importers.choices import ResponseFamily
from pomgcheck.importers.scene import GameScene, Section, distinct
from pomgcheck.kernel.game import Game, World
from pomgcheck.modelclass.files import read
from pomgcheck.modelclass.sugar import MAX_GENERATED
from pomgcheck.modelclass.values import plain

KINDS = ("routing", "reactive", "all-deterministic", "equilibrium")
BOLDNESS = "boldness"  # knob: how often the adversary acts against a policy that deters nothing
Masses = dict[tuple[int, tuple[int, ...]], Fraction]  # by state and the learner's memory
MOST = 1024  # reactive policies
MANY = 64  # of them, where nothing is chosen: beyond, constant policies are made

# ---------------------------------------------------------------------------------- the learner's policies


def policies(scene: GameScene, kind: str) -> Section:
    """Return the section ``policies``: constant ones, maps from choices or from observations to actions, or those of a
    file."""
    if kind == "reactive":
        return {"window": 1, "list": _reactive(scene)}
    if kind == "routing":
        return {"generate": {"kind": kind, "window": 1}}
    if kind == "all-deterministic":
        count = len(scene.game["learner_actions"]) ** len(scene.game["learner_observations"])
        if count > MAX_GENERATED:
            raise LimitExceeded("policies", "deterministic policies", count, MAX_GENERATED, _fewer(scene))
        return {"generate": {"kind": kind, "window": 1}}
    if kind.partition(":")[0] == "equilibrium":
        return kuhn.policies(scene, kind)
    return _of_file(
        kind,
        "policies",
        f"one of {', '.join(KINDS)}, or a .toml or .json file with [policies]",
        lambda section: _spelled(section, scene),
    )


def reactions(scene: GameScene) -> int:
    """Return how many reactive policies a game has: maps from its choices to actions."""
    return prod(len(actions) for _, actions in scene.choices.values())


def _fewer(scene: GameScene) -> str:
    reactive = reactions(scene)
    constant = len(scene.game["learner_actions"])
    if reactive <= MOST:
        return f'policies="reactive" makes {reactive:,}'
    return f'policies="routing" makes {constant}, or list some in a file: policies="FILE"'


def _reactive(scene: GameScene) -> Section:
    """Return every map from what the file lets the learner see to its actions; rewards are not reacted to."""
    count = reactions(scene)
    if count > MOST:
        raise LimitExceeded("policies", "reactive policies", count, MOST, _fewer(scene))
    idle = scene.game["learner_actions"][0]
    chosen = {label for labels, _ in scene.choices.values() for label in labels}
    others = {"*": {idle: "1"}} if chosen != set(scene.game["learner_observations"]) else {}
    found: Section = {}
    taken: set[str] = set()
    for plan in product(*(actions for _, actions in scene.choices.values())):
        rows = dict(others)
        for (labels, _), action in zip(scene.choices.values(), plan, strict=True):
            rows |= {label: {action: "1"} for label in labels}
        constant = len(set(plan)) == 1 and len(plan) > 1
        name = plan[0] if constant else ",".join(map(":".join, zip(scene.choices, plan, strict=True))) or idle
        found[distinct(name, taken)] = rows
    return found


def _spelled(section: Section, scene: GameScene) -> Section:
    """Return policies of a file, in which a choice may stand for its observations and a single action for its row."""
    tables = section.get("list")
    if not isinstance(tables, dict):
        return section
    return section | {"list": {name: _rows(table, scene) for name, table in tables.items()}}


def _rows(table: Any, scene: GameScene) -> Any:
    if not isinstance(table, dict) or "steps" in table:
        return table
    rows: Section = {}
    for key, row in table.items():
        labels = scene.choices[key][0] if key in scene.choices else (key,)
        known = isinstance(row, str) and row in scene.game["learner_actions"]
        for label in labels:
            rows.pop(label, None)  # so that it comes last, and wins
            rows[label] = {row: "1"} if known else row
    return rows


def _of_file(name: str, key: str, required: str, spelled: Callable[[Section], Section]) -> Section:
    """Return one section of a TOML or JSON document, or a document that is such a section."""
    path = Path(name)
    if path.suffix.lower() not in (".toml", ".json"):
        raise InputError(key, repr(name), required)
    try:
        whole = plain(read(path))
    except PomgcheckError as error:
        raise error.inside(str(path)) from None
    section = whole.get(key, whole) if isinstance(whole, dict) else whole
    if not isinstance(section, dict):
        raise InputError(key, "no table", f"a table [{key}]").inside(str(path))
    return spelled(section)


# ---------------------------------------------------------------------------------- the adversary's responses


def placeholder(scene: GameScene, memory: int) -> Section:
    """Return the section ``responses`` of an adversary who plays uniformly, whatever it faces."""
    return _section({"*": {label: _even(actions) for label, actions in scene.answers.items()}}, memory)


def responses(scene: GameScene, family: ResponseFamily, memory: int, game: Game, nominal: World) -> Section:
    """Return the section ``responses`` of a family; ``game`` is the class with the placeholder, ``nominal`` a world of
    it."""
    if family.kind == "table":
        given = _of_file(
            family.file, "responses", "table:FILE, a .toml or .json file with [responses]", lambda section: section
        )
        return {"block_rule": "mean", "window": 1, **({} if "gamma" in given else {"memory": memory}), **given}
    if not scene.adversary_acts:
        return placeholder(scene, memory)
    values = {family.name: {"values": [str(value) for value in family.values]}}
    if family.kind == "exploit":
        answers = zip(game.policy_names, kuhn.exploiting(game, family.name), strict=True)
        return _section(dict(answers), memory) | {"parameters": values}
    play = _Play(scene, game, nominal)
    rows = play.deterred(family.name) if family.kind == "deterrence" else play.tilted(family.name)
    tables = {name: _steps(rows[p]) for p, name in enumerate(game.policy_names)}
    return _section(tables, memory) | {"parameters": values}


def _section(tables: Section, memory: int) -> Section:
    return {"memory": memory, "block_rule": "mean", "window": 1, "table": tables}


def _steps(tables: Sequence[Section]) -> Section:
    return tables[0] if all(table == tables[0] for table in tables) else {"steps": list(tables)}


def _even(actions: Sequence[str]) -> dict[str, str]:
    return dict.fromkeys(actions, str(Fraction(1, len(actions))))


class _Play:
    """This plays every policy exactly in one world, against an adversary who plays uniformly what is open to it."""

    def __init__(self, scene: GameScene, game: Game, world: World) -> None:
        self.scene, self.game, self.space = scene, game, space_of(game)
        S, A, B = (range(len(x)) for x in (game.S, game.A, game.B))
        self.open = [[game.B.index(b) for b in scene.answers[label]] for label in game.OB]
        self.T = [
            [[[support(world.T[h][s][a][b]) for b in B] for a in A] for s in S] for h in range(game.H)
        ]  # [h][s][a][b] -> (s', p)
        self.EA = [[support(row) for row in table] for table in world.EA]
        self.EB = [[support(row) for row in table] for table in world.EB]

    def _decisions(self, p: int, h: int, s: int, memory: tuple[int, ...]) -> Iterator[tuple[int, int, Fraction]]:
        """Yield (o, a, probability) at step h in state s."""
        for o, seen in self.EA[h][s]:
            for a, chance in support(self.game.policies[p][h][self.space.row(memory, o, True)]):
                yield o, a, seen * chance

    def _answers(self, h: int, s: int) -> Iterator[tuple[int, int, Fraction]]:
        """Yield (ob, b, probability) of the uniform adversary."""
        for ob, heard in self.EB[h][s]:
            for b in self.open[ob]:
                yield ob, b, heard / len(self.open[ob])

    def forward(self, p: int) -> list[Masses]:
        """Return for each step the probability of (state, learner's memory) before it."""
        laws: list[Masses] = [{(s, ()): p0 for s, p0 in support(self.game.rho0)}]
        for h in range(self.game.H - 1):
            law: Masses = {}
            for (s, memory), mass in laws[-1].items():
                answers = list(self._answers(h, s))
                for o, a, chance in self._decisions(p, h, s, memory):
                    kept = self.space.next(memory, o, a, True)
                    for _, b, answer in answers:
                        for t, move in self.T[h][s][a][b]:
                            law[t, kept] = law.get((t, kept), Fraction(0)) + mass * chance * answer * move
            laws.append(law)
        return laws

    # ---- deterrence

    def deterred(self, name: str) -> list[list[Section]]:
        """Return, by policy and step, rows in which all but the first open action together have probability
        boldness·(1 - y·v).

        v is the chance, given what the adversary sees, that the policy does not play the first action that policies
        play there; for policies that Assumption 2.3 (same step) has answered alike it is the mean of their chances.
        """
        alike = Alike(self.game)
        found: list[list[Section]] = [[] for _ in self.game.policies]
        laws = [self.forward(p) for p in range(len(self.game.policies))]
        for h in range(self.game.H):
            chances = [self._venturing([law[h] for law in laws], h, ob) for ob in range(len(self.game.OB))]
            groups = [alike.groups(h, ob) for ob in range(len(self.game.OB))]
            for p, steps in enumerate(found):
                rows = {}
                for ob, (label, actions) in enumerate(self.scene.answers.items()):
                    group = groups[ob][p]
                    v = sum((chances[ob][q] for q in group), Fraction(0)) / len(group)
                    rows[label] = _deterred(actions, name, v)
                steps.append(rows)
        return found

    def _venturing(self, laws: Sequence[Masses], h: int, ob: int) -> list[Fraction]:
        """Return for each policy its chance v at step h given ``ob``, against the uniform adversary; it is 0 where it
        never sees it."""
        acting: list[dict[int, Fraction]] = []
        for p, law in enumerate(laws):
            acts: dict[int, Fraction] = {}
            for (s, memory), mass in law.items():
                heard = sum((chance for heard, chance in self.EB[h][s] if heard == ob), Fraction(0))
                for _, a, chance in self._decisions(p, h, s, memory) if heard else ():
                    acts[a] = acts.get(a, Fraction(0)) + mass * heard * chance
            acting.append(acts)
        first = min((a for acts in acting for a in acts), default=0)
        return [1 - acts.get(first, Fraction(0)) / sum(acts.values()) if acts else Fraction(0) for acts in acting]

    # ---- tilt

    def tilted(self, name: str) -> list[list[Section]]:
        """Return, by policy and step, rows (1 + y·d)/n over n open actions.

        d in [-1,1] is how much more than the average of them an action costs the learner, given what the adversary
        sees and that it plays uniformly elsewhere.
        """
        harms = [self._harms(p) for p in range(len(self.game.policies))]
        most = max((abs(d) for steps in harms for rows in steps for d in rows.values()), default=Fraction(0))
        return [
            [{label: self._tilted(ob, rows, most, name) for ob, label in enumerate(self.game.OB)} for rows in steps]
            for steps in harms
        ]

    def _harms(self, p: int) -> list[dict[tuple[int, int], Fraction]]:
        """Return for each step {(ob, b): mean value of the open actions less that of b}."""
        laws = self.forward(p)
        value: Masses = {}
        found: list[dict[tuple[int, int], Fraction]] = []
        for h in reversed(range(self.game.H)):
            before: Masses = {}
            total: dict[tuple[int, int], Fraction] = {}
            mass_of: dict[int, Fraction] = {}
            for (s, memory), mass in laws[h].items():
                decisions = list(self._decisions(p, h, s, memory))
                worth = sum((seen * self.game.reward[h][o] for o, seen in self.EA[h][s]), Fraction(0))
                later = {b: self._later(h, s, memory, decisions, b, value) for b in range(len(self.game.B))}
                for _, b, answer in self._answers(h, s):
                    worth += answer * later[b]
                for ob, heard in self.EB[h][s]:
                    mass_of[ob] = mass_of.get(ob, Fraction(0)) + mass * heard
                    for b in self.open[ob]:
                        total[ob, b] = total.get((ob, b), Fraction(0)) + mass * heard * later[b]
                before[s, memory] = worth
            value = before
            rows = {}
            for (ob, b), got in total.items():
                mean = sum((total[ob, c] for c in self.open[ob]), Fraction(0)) / len(self.open[ob])
                rows[ob, b] = (mean - got) / mass_of[ob]
            found.append(rows)
        return found[::-1]

    def _later(
        self,
        h: int,
        s: int,
        memory: tuple[int, ...],
        decisions: Sequence[tuple[int, int, Fraction]],
        b: int,
        value: Masses,
    ) -> Fraction:
        """Return the expected reward of the steps after h when the adversary plays b at h."""
        if h + 1 == self.game.H:
            return Fraction(0)
        return sum(
            (
                chance * move * value[t, self.space.next(memory, o, a, True)]
                for o, a, chance in decisions
                for t, move in self.T[h][s][a][b]
                if (t, self.space.next(memory, o, a, True)) in value
            ),
            Fraction(0),
        )

    def _tilted(self, ob: int, rows: Mapping[tuple[int, int], Fraction], most: Fraction, name: str) -> dict[str, str]:
        n = len(self.open[ob])
        found = {}
        for b in self.open[ob]:
            lean = rows.get((ob, b), Fraction(0)) / most / n if most else Fraction(0)
            even = str(Fraction(1, n))
            found[self.game.B[b]] = even if not lean else f"{even}{'+' if lean > 0 else '-'}{abs(lean)}*{name}"
        return found


def _deterred(actions: Sequence[str], name: str, v: Fraction) -> dict[str, str]:
    if len(actions) == 1:
        return {actions[0]: "1"}
    act = f"{BOLDNESS}*(1-{v}*{name})" if v else BOLDNESS
    share = act if len(actions) == 2 else f"{act}/{len(actions) - 1}"
    return {actions[0]: f"1-{act}"} | dict.fromkeys(actions[1:], share)
