"""Own algorithms: they play as ours do, are told apart from ours, and where they are wrong a sentence says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pomgcheck
from examples.q_learning import QLearning
from examples.ucb import UCB
from examples.wary import Wary
from pomgcheck.cli import main
from pomgcheck.errors import InputError, Refused
from pomgcheck.learner.baselines import AHEAD, EXPLORATION
from pomgcheck.learner.own import Episode, Spec
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load
from pomgcheck.reporting import report
from pomgcheck.search.certify import certify
from tests.learner.classes import watch
from tests.repo.source import ROOT

CERTIFICATES = ROOT / "certificates"
PATROL = CERTIFICATES / "patrol.cert.json"
EXAMPLES = ROOT / "examples"


class Patient:
    """Plays one policy; what it is made with is kept to be looked at."""

    seen: Spec

    def __init__(self, spec: Spec, policy: Any = 0) -> None:
        self.spec, self.policy = spec, policy
        Patient.seen = spec

    def choose(self) -> Any:
        """The same for ever."""
        return self.policy

    def observe(self, episode: Episode) -> None:
        """Nothing is learnt."""


class Greedy:
    """The baseline epsilon-greedy, written against the protocol."""

    def __init__(self, spec: Spec) -> None:
        self.n, self.s = [0] * len(spec.policies), [0.0] * len(spec.policies)
        self.draws = spec.random.random((AHEAD, 2))
        self.t = 0

    def choose(self) -> int:
        """Each policy once, then the best mean, or a random one."""
        if self.t < len(self.n):
            return self.t
        explore, which = self.draws[self.t]
        if explore < EXPLORATION:
            return int(which * len(self.n))
        means = [s / n for s, n in zip(self.s, self.n, strict=True)]
        return means.index(max(means))

    def observe(self, episode: Episode) -> None:
        """One more of its policy."""
        self.t += 1
        self.n[episode.policy] += 1
        self.s[episode.policy] += episode.reward


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the smallest class with something to learn."""
    return certify(load(watch())).save(tmp_path_factory.mktemp("own") / "watch.cert.json")


# ------------------------------------------------------------------------------------------ they play


@pytest.mark.parametrize("name", ["patrol", "tiger", "opportunist"])
def test_an_own_algorithm_meets_the_episodes_that_ours_meets(name: str) -> None:
    """Epsilon-greedy written against the protocol has the regret of the baseline, seed for seed, episode for episode:
    the worlds' random numbers, its own, the response's memory (fading too) and the costs are the same."""
    record = run(CERTIFICATES / f"{name}.cert.json", episodes=300, seeds=2, algorithm=["epsilon-greedy", Greedy])
    ours, own = record.runs["epsilon-greedy"], record.runs["Greedy"]
    assert ours["seeds"] == own["seeds"]
    assert ours["summary"] == own["summary"]


def test_against_an_opponent_from_outside_too() -> None:
    """The outside opponent is asked once an episode, and paid for, as with a baseline; a transient costs besides."""
    options: dict[str, Any] = {"episodes": 200, "seeds": 2, "opponent": Wary, "transient": "1/100"}
    record = run(PATROL, algorithm=["epsilon-greedy", Greedy], **options)
    assert record.runs["epsilon-greedy"]["seeds"] == record.runs["Greedy"]["seeds"]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_a_policy_may_be_named_in_any_way(plan: list[int]) -> None:
    """A name, an index, a numpy integer and the table of a policy cost the same and play the same."""

    def player(spell: Callable[[Spec, int], Any]) -> Any:
        class Planned(Patient):
            def choose(self) -> Any:
                self.policy = self.policy + 1
                return spell(self.spec, plan[self.policy % len(plan)])

        return Planned

    spellings: list[Callable[[Spec, int], Any]] = [
        lambda spec, p: spec.policies[p],
        lambda spec, p: p,
        lambda spec, p: np.int64(p),
        lambda spec, p: [[[float(x) for x in row] for row in step] for step in spec.tables[p]],
    ]
    found = [run(PATROL, episodes=9, seeds=1, algorithm=player(spell)).runs["Planned"]["seeds"] for spell in spellings]
    assert [found[0]] * 4 == found


def test_the_record_has_the_policy_regret_of_what_was_played() -> None:
    """Q-learning's regret in the record is what `policy_regret` says of the tables that it chose."""
    played: list[Any] = []

    class Kept(QLearning):
        def choose(self) -> Any:
            played.append(super().choose())
            return played[-1]

    record = run(PATROL, episodes=150, seeds=1, algorithm=Kept)
    played = played[-150:]
    expected = pomgcheck.policy_regret(PATROL, [[rows.tolist() for rows in table] for table in played]).cumulative()
    found = [Fraction(value) for value in record.runs["Kept"]["seeds"][0]["regret"]]
    assert [float(expected[t - 1]) for t in record.document["t"]] == pytest.approx(
        [float(value) for value in found], rel=1e-12
    )


def test_what_is_told_and_what_is_shown(certificate: Path) -> None:
    """An algorithm is told the class without its truth, H, T and Pi; an episode has H steps with their rewards."""
    seen: list[Episode] = []

    class Looking(Patient):
        def observe(self, episode: Episode) -> None:
            seen.append(episode)

    run(certificate, episodes=5, seeds=[3], algorithm=Looking)
    spec = Patient.seen
    assert ("watch", 2, 5, ("idle", "patrol")) == (spec.model, spec.horizon, spec.episodes, spec.policies)
    assert "truth" not in spec.document
    assert "worlds" in spec.document
    assert [1, 2, 3, 4, 5] == [episode.t for episode in seen]
    for episode in seen:
        assert 2 == len(episode.steps)
        rewards = [float(spec.rewards[h][step.observation]) for h, step in enumerate(episode.steps)]
        assert rewards == [step.reward for step in episode.steps]
        assert sum(rewards) == episode.reward
        assert all(spec.tables[0][h][step.row][step.action] > 0 for h, step in enumerate(episode.steps))


def test_the_example_ucb_learns() -> None:
    """On routes, whose adversary answers nothing, UCB loses in its second half less than two thirds of what uniform play loses."""
    record = run(CERTIFICATES / "routes.cert.json", episodes=1024, seeds=2, algorithm=["uniform", UCB])

    def late(name: str) -> Fraction:
        regret = dict(zip(record.document["t"], record.runs[name]["summary"]["regret"]["mean"], strict=True))
        return Fraction(regret[1024]) - Fraction(regret[512])

    assert 3 * late("UCB") < 2 * late("uniform")


def test_the_example_of_q_learning_learns() -> None:
    """In the second half of 2,048 episodes of linear it pays less than two thirds of what it paid in the first."""
    record = run(CERTIFICATES / "linear.cert.json", episodes=2048, seeds=1, algorithm=QLearning)
    regret = dict(zip(record.document["t"], map(Fraction, record.runs["QLearning"]["seeds"][0]["regret"]), strict=True))
    assert 3 * (regret[2048] - regret[1024]) < 2 * regret[1024]


def test_the_example_of_an_opponent_settles_as_the_class_says() -> None:
    """The wary intruder is seen to be what it declared, and costs what moves: a policy that is kept pays no transient."""
    record = run(PATROL, episodes=200, seeds=2, opponent=Wary)
    seeds = record.runs["epoch-omle"]["seeds"]
    assert [False] * 2 == [seed["stationarity"]["otherwise"] for seed in seeds]
    kept = pomgcheck.policy_regret(PATROL, ["patrol"] * 5, opponent=Wary)
    changed = pomgcheck.policy_regret(PATROL, ["patrol", "idle", "patrol", "patrol", "patrol"], opponent=Wary)
    assert ((True,) * 5, (True, False, False, False, True)) == (kept.settled, changed.settled)


# ------------------------------------------------------------------- record, report, resume, replay


def test_nothing_is_claimed_of_it(certificate: Path, tmp_path: Path) -> None:
    """Its guarantee is none, it has no bound, and the record and the report name its file and the file's digest."""
    record = run(certificate, episodes=40, seeds=2, algorithm=["epoch-omle", UCB])
    entry = record.runs["UCB"]
    assert "none (own algorithm)" == entry["guarantee"]
    assert "bound" not in entry
    assert ["ucb.py", "UCB"] == [entry["source"][key] for key in ("file", "name")]
    assert re.fullmatch("[0-9a-f]{64}", entry["source"]["sha256"])
    assert "source" not in record.runs["epoch-omle"]
    page = report([record, certificate], tmp_path / "x.md").read_text(encoding="utf-8")
    assert f"an own one, in `ucb.py`, SHA-256 `{entry['source']['sha256']}`" in page
    assert "--replay --algorithm ucb.py:UCB" in page
    assert {"epoch-omle", "UCB"} == set(record.to_frame()["algorithm"])


def test_runs_with_own_algorithms_are_compared(certificate: Path, tmp_path: Path) -> None:
    """A comparison of two runs has a row of it, and every form of a report takes it."""
    first = run(certificate, episodes=40, seeds=2, algorithm=["epoch-omle", UCB])
    second = run(certificate, episodes=80, seeds=2, algorithm=["epoch-omle", UCB])
    page = report([first, second], tmp_path / "x.md").read_text(encoding="utf-8")
    assert "`UCB`" in page
    for name in ("x.html", "x.txt", "x.tex"):
        assert "UCB" in report(first, tmp_path / name).with_suffix("." + name[2:]).read_text(encoding="utf-8") or (
            "UCB" in (tmp_path / "x.body.tex").read_text(encoding="utf-8")
        )


@pytest.mark.parametrize("given", [f"{EXAMPLES / 'ucb.py'}:UCB", UCB], ids=["file", "class"])
def test_processes_change_nothing(given: Any, certificate: Path) -> None:
    """Two processes make the record that one makes."""
    one, two = (run(certificate, episodes=60, seeds=3, algorithm=["uniform", given], jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_what_cannot_be_sent_is_told_first(certificate: Path) -> None:
    """An object that no other process can have is refused for two jobs, and plays with one."""
    lock = open(__file__, "rb")  # noqa: SIM115 - what cannot be pickled

    class Locked(Patient):
        held = lock

    with lock, pytest.raises(InputError, match="cannot be sent to another process"):
        run(certificate, episodes=4, seeds=2, algorithm=Locked, jobs=2)
    assert run(certificate, episodes=4, seeds=2, algorithm=Locked).runs["Locked"]


def test_a_run_goes_on_where_the_code_is_the_same(certificate: Path, tmp_path: Path) -> None:
    """Finished seeds of a file are kept while the file is the same; those of code without a file are played again."""
    file = tmp_path / "mine.py"
    file.write_text((EXAMPLES / "ucb.py").read_text())
    counted: list[int] = []
    exec("def made(spec, make=None):\n    return make(spec)\n", space := {})  # a function without a file
    nowhere = partial(space["made"], make=Patient)
    nowhere.name = "Nowhere"  # type: ignore[attr-defined]

    def played(**options: Any) -> int:
        counted.clear()
        run(
            certificate,
            episodes=8,
            seeds=2,
            algorithm=[f"{file}:UCB", nowhere],
            journal=tmp_path / "j",
            progress=lambda done, total: counted.append(done),
            **options,
        )
        return len(counted)

    assert 4 == played()
    assert 2 == played(resume=True)
    file.write_text(file.read_text() + "\n# changed\n")
    assert 4 == played(resume=True)


def test_a_replay_executes_only_the_code_that_is_given(certificate: Path, tmp_path: Path) -> None:
    """A record is verified without its code; replayed only with it, and with other code it is rejected."""
    file, mark = tmp_path / "mine.py", tmp_path / "mark"
    file.write_text((EXAMPLES / "ucb.py").read_text())
    own = f"{file}:UCB"
    path = run(certificate, episodes=30, seeds=2, algorithm=["uniform", own]).save(tmp_path / "x.run.json")
    beside = [certificate]
    assert pomgcheck.verify(path, beside=beside)
    file.write_text(f"open({str(mark)!r}, 'w')\n" + (EXAMPLES / "ucb.py").read_text())
    with pytest.raises(
        InputError,
        match=r"UCB: found no code for it, required mine.py of .*name mine.py:UCB as an algorithm of the replay",
    ):
        pomgcheck.verify(path, beside=beside, replay=True)
    verdict = pomgcheck.verify(path, beside=beside, replay=True, algorithms=[own])
    assert not verdict
    assert "REJECTED run UCB: found" in verdict.line
    assert not mark.exists()
    file.write_text((EXAMPLES / "ucb.py").read_text())
    assert "replayed 2 seeds" in pomgcheck.verify(path, beside=beside, replay=True, algorithms=[own]).line


def test_a_record_that_names_another_algorithm_s_code_is_rejected(certificate: Path, tmp_path: Path) -> None:
    """A replay with the class itself agrees; with a class that plays otherwise, of no file, it does not."""
    path = run(certificate, episodes=30, seeds=2, algorithm=QLearning).save(tmp_path / "x.run.json")
    again = partial(pomgcheck.verify, path, beside=[certificate], replay=True)
    assert again(algorithms=[QLearning])
    other = partial(UCB)
    other.name = "QLearning"  # type: ignore[attr-defined]
    assert "REJECTED run QLearning" in again(algorithms=[other]).line


# ------------------------------------------------------------------------------------ bad objects


def broken(method: str, how: Callable[[], Any]) -> Any:
    """A class whose ``method`` does something else."""

    class Broken(Patient):
        def __getattribute__(self, name: str) -> Any:
            return (lambda *_: how()) if name == method else super().__getattribute__(name)

    return Broken


class Mute:
    """It chooses, and takes nothing in."""

    def __init__(self, spec: Spec) -> None:
        pass

    def choose(self) -> int:
        """The first."""
        return 0


BAD: list[tuple[Any, str]] = [
    (Mute, "algorithm Mute: found a Mute without the method observe, required choose() and observe(episode)"),
    (3, "algorithm: found an object of type int, required a name, file.py:name, or a class or function"),
    (broken("choose", lambda: "sleep"), "choose() in episode 1 of seed 0: found 'sleep', required one of idle, patrol"),
    (
        broken("choose", lambda: 2),
        "choose() in episode 1 of seed 0: found 2, required a name, an index from 0 to 1, or a table",
    ),
    (broken("choose", lambda: None), "choose() in episode 1 of seed 0: found None, required a name"),
    (broken("choose", lambda: [[[1, 1]]] * 2), "choose() in episode 1 of seed 0: found"),
    (
        broken("choose", lambda: [[[0.5, 0.6]] * 2] * 2),
        "a row that sums to 1.1, required probabilities that sum to one",
    ),
    (broken("choose", lambda: [[[float("nan"), 1]] * 2] * 2), "found an object that is no table of numbers"),
    (broken("choose", lambda: 1 / 0), "found ZeroDivisionError: division by zero (test_own.py, line"),
    (broken("observe", lambda: 1 / 0), "in observe(), in episode 1 of seed 0, required code that raises nothing"),
    (lambda spec: Patient(spec), "called '<lambda>', required a name of 1 to 40 letters"),
    (lambda: None, "required a name of 1 to 40 letters"),
    ("nowhere.py:UCB", "nowhere.py: found No such file or directory, required a Python file that defines an algorithm"),
    ("ucb.py", "found 'ucb.py', required file.py:name for one of your own; name what makes it, ucb.py:NAME"),
    ([UCB, UCB], "found UCB twice, required each algorithm once"),
    (f"{EXAMPLES / 'ucb.py'}:Ucb", "found no Ucb, required a class or function that makes"),
    (f"{EXAMPLES / 'q_learning.py'}:RATE", "found a float, required a class or function that makes"),
    ([], "found none, required one algorithm or more"),
]


@pytest.mark.parametrize(("given", "said"), BAD, ids=[str(k) for k in range(len(BAD))])
def test_a_bad_algorithm_is_one_sentence(given: Any, said: str, certificate: Path) -> None:
    """What is no algorithm, has no such method, chooses what is no policy, or raises: where, what, and when."""
    with pytest.raises(InputError) as caught:
        run(certificate, episodes=10, seeds=2, algorithm=given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_that_is_made_already_is_refused(certificate: Path) -> None:
    """An instance would carry what it learnt from one seed to the next."""
    with pytest.raises(InputError, match="an object of type Patient, which is made already, required.*give its class"):
        run(certificate, episodes=2, seeds=2, algorithm=Patient.__new__(Patient))


def test_it_may_not_have_the_name_of_one_of_ours(certificate: Path) -> None:
    """A record says ``epoch-omle`` of Algorithm 1 alone."""
    named = partial(Patient)
    named.name = "epoch-omle"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="your own, called epoch-omle"):
        run(certificate, episodes=2, algorithm=named)


def test_a_class_that_is_not_certified_is_not_played() -> None:
    """As with our own baselines: where neither the assumptions nor Theorem N is certified, nothing runs."""
    with pytest.raises(Refused, match="required none refuted"):
        run(CERTIFICATES / "cancelling-states.cert.json", episodes=2, algorithm=UCB)


def test_on_the_command_line(certificate: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``file.py:name`` among other names; the command that replays it is printed; a bad one ends with exit code 2, one
    sentence and no file."""
    target, own = tmp_path / "x.run.json", f"{EXAMPLES / 'ucb.py'}:UCB"

    def command(*words: object) -> int:
        with pytest.raises(SystemExit) as ended:
            main(list(map(str, words)))
        return int(ended.value.code or 0)

    asked = ("run", certificate, "--episodes", 20, "--seeds", 2, "-o", target)
    assert 0 == command(*asked, "--algorithm", f"uniform,{own}")
    assert f"--replay --algorithm {own}" in capsys.readouterr().out
    assert 0 == command("verify", certificate, target, "--replay", "--algorithm", own)
    assert 2 == command("verify", certificate, target, "--replay")
    target.unlink()
    (tmp_path / "bad.py").write_text("raise RuntimeError('not today')\n")
    capsys.readouterr()
    assert 2 == command(*asked, "--algorithm", f"{tmp_path / 'bad.py'}:UCB")
    said = capsys.readouterr().err
    assert "RuntimeError: not today" in said
    assert 1 == said.count("\n")
    assert not target.exists()
