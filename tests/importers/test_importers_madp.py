"""MADP's Dec-POMDP files: joint labels, correlated observations, and which agent is the learner."""

from __future__ import annotations

from fractions import Fraction as F
from pathlib import Path

import pytest

from pomgcheck.errors import InputError
from pomgcheck.importers import Choices, imported
from pomgcheck.importers.madp import process
from pomgcheck.importers.rows import RowRepair
from tests.importers.samples import MEETING, write

NAME = "sample.dpomdp"


def test_joint_labels_in_all_their_forms(tmp_path: Path) -> None:
    """One word per agent, names or numbers, wildcards inside and alone; the first agent is the learner."""
    found = process(write(tmp_path, MEETING, NAME), RowRepair(None))
    assert (("wait", "walk"), ("0", "1")) == (found.learner_actions, found.adversary_actions)
    assert (("alone", "met"), ("0", "1")) == (found.learner_observations, found.adversary_observations)
    assert {0: 1} == found.move(0, 0, 0)
    assert {0: F(1, 4), 1: F(3, 4)} == found.move(0, 1, 1)
    assert {(0, 0): 1} == found.see(1, 1, 0)
    assert dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], F(1, 4)) == found.see(0, 1, 1)
    assert {(0, 0): F(2, 5), (0, 1): F(1, 10), (1, 0): F(1, 10), (1, 1): F(2, 5)} == found.see(1, 0, 1)
    assert [3, 0, 1, 0] == [
        found.reward(0, 1, 0, 1, (0, 0)),
        found.reward(0, 0, 0, 1, (0, 0)),
        found.reward(1, 0, 1, 1, (1, 0)),
        found.reward(1, 0, 1, 1, (0, 1)),
    ]


def test_a_joint_label_may_be_its_number(tmp_path: Path) -> None:
    """Joint labels are numbered with the last agent fastest."""
    text = MEETING + "T: 2 : apart :\n0.5 0.5\nO: 3 : together : 2 : 0.5\nO: 3 : together : 0 : 0\n"
    found = process(write(tmp_path, text, NAME), RowRepair(None))
    assert {0: F(1, 2), 1: F(1, 2)} == found.move(0, 1, 0)
    assert {(0, 1): F(1, 10), (1, 0): F(1, 2), (1, 1): F(2, 5)} == found.see(1, 1, 1)


def test_either_agent_may_be_the_learner(tmp_path: Path) -> None:
    """The second agent as the learner sees and does its own part of every joint label."""
    path = write(tmp_path, MEETING, NAME)
    one, two = (process(path, RowRepair(None), learner) for learner in (1, 2))
    assert (one.learner_actions, one.adversary_observations) == (two.adversary_actions, two.learner_observations)
    assert one.move(0, 1, 0) == two.move(0, 0, 1)
    assert {(o, ob): p for (ob, o), p in one.see(1, 0, 1).items()} == two.see(0, 1, 1)
    assert one.reward(1, 0, 1, 1, (1, 0)) == two.reward(1, 1, 0, 1, (0, 1))


REFUSED = {
    MEETING.replace("agents: 2", "agents: 3"): (
        "sample.dpomdp:1: agents: found 3, required 2, the learner and the adversary"
    ),
    MEETING.replace("agents: 2\n", ""): 'sample.dpomdp: found no "agents:", required one statement agents:',
    MEETING.replace("wait walk\n2", "wait walk 2"): (
        "sample.dpomdp:7: actions: found 1 lines, required 2 lines, one per agent"
    ),
    MEETING + "T: walk : apart : apart : 1": (
        'sample.dpomdp:27: T, joint action: found "walk", required one of 0, 1, 2, 3'
    ),
    MEETING + "T: walk 1 0 : apart : apart : 1": (
        "sample.dpomdp:27: T, joint action: found 3 words, required 2 names, one per agent, their number, or *"
    ),
    MEETING + "O: * : apart : alone : 1": (
        'sample.dpomdp:27: O, joint observation: found "alone", required one of 0, 1, 2, 3'
    ),
    MEETING + "T: walk 1 : apart : apart 1": (
        'sample.dpomdp:27: T: found "apart", required a decimal number such as 0.15, -1 or 1e-3'
    ),
    MEETING + "T: walk 1 : apart :\n0.5 0.4999": "sample.dpomdp:28: T (walk 1, apart): found a row that sums to 0.9999",
    MEETING + "O: walk 1 : together :\n1 1 0 0": "sample.dpomdp:28: O (walk 1, together): found a row that sums to 2",
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.items(), ids=[str(k) for k in range(len(REFUSED))])
def test_each_malformation_has_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    """One sentence: the file and line, what was found and what is required."""
    with pytest.raises(InputError) as refusal:
        process(write(tmp_path, text, NAME), RowRepair(None))
    assert str(refusal.value).replace(f"{tmp_path}/", "").startswith(sentence)


def test_what_does_not_fit_the_file_is_refused(tmp_path: Path) -> None:
    """A third agent as the learner, and another adversary than the second agent."""
    path = write(tmp_path, MEETING, NAME)
    with pytest.raises(InputError, match="learner: found 3, required 1 or 2"):
        imported(path, Choices(learner=3))
    with pytest.raises(InputError, match="adversary: found jam, required joint"):
        imported(path, Choices(adversary="jam"))


def test_names_and_rows_as_in_every_other_format(tmp_path: Path) -> None:
    """Lines that are no statement are refused by their own name, zeros that no play reaches load, a start is recorded."""
    for stray, found in (
        ("Start: apart", "the unknown statement"),
        ("start x", '"start" without'),
        ("atom 0: met", "the"),
    ):
        with pytest.raises(InputError, match=f"sample.dpomdp:13: found {found}"):
            imported(write(tmp_path, MEETING.replace("T: * :\nuniform", f"{stray}\nT: * :\nuniform"), NAME))
    still = "T: * :\nidentity\nstart: apart\nO: * : together :\n0 0 0 0\n"
    model = imported(write(tmp_path, MEETING.replace("start:\nuniform\n", "") + still, NAME))
    notes = str(model.document["source"])
    assert "rows of zeros that no play reaches are left out: O (wait 0, together)" in notes
