"""Cassandra's POMDP files: every form of the grammar, and every malformation by its line."""

from __future__ import annotations

from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import load
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.importers import Choices, imported, lifting
from pomgcheck.importers.cassandra import process
from pomgcheck.importers.choices import Unknown
from pomgcheck.importers.process import Process
from pomgcheck.importers.rows import RowRepair
from pomgcheck.modelclass.toml_text import toml_text
from tests.importers.samples import ROOMS, ROOMS_NUMBERED, write

HEAD = "discount: 1\nvalues: reward\nstates: s0 s1 s2\nactions: a b\nobservations: x y\n"
BODY = "T: *\nuniform\nO: *\nuniform\n"


def read(folder: Path, text: str, repair: str | None = None) -> Process:
    return process(write(folder, text), RowRepair(repair))


def test_a_file_in_its_plainest_form(tmp_path: Path) -> None:
    """Start, kernels and rewards are the exact decimals of the text."""
    found = read(tmp_path, ROOMS)
    assert (("dark", "lit"), ("stay", "go"), ("dim", "bright")) == (
        found.states,
        found.learner_actions,
        found.learner_observations,
    )
    assert {0: F(1, 4), 1: F(3, 4)} == found.start
    assert [[{0: 1}, {1: 1}], [{0: F(1, 10), 1: F(9, 10)}, {0: F(3, 5), 1: F(2, 5)}]] == [
        [found.move(s, a, 0) for s in range(2)] for a in range(2)
    ]
    assert {(0, 0): F(3, 10), (1, 0): F(7, 10)} == found.see(1, 0, 1)
    assert [4, 6, 0] == [
        found.reward(0, 1, 0, 1, (0, 0)),
        found.reward(0, 1, 0, 1, (1, 0)),
        found.reward(0, 0, 0, 0, (1, 0)),
    ]
    assert (F(1, 2), True) == (found.discount, found.by_state)


def test_two_spellings_are_one_document(tmp_path: Path) -> None:
    """Counts or names, matrices, rows or entries, colons before numbers, costs, comments and breaks: one class."""
    one = imported(write(tmp_path, ROOMS, "a.pomdp"), Choices(name="rooms", numbered=True))
    other = imported(write(tmp_path, ROOMS_NUMBERED, "b.pomdp"), Choices(name="rooms"))
    assert one.document == other.document


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(" ", "   # pause\n\t"),
        lambda text: text.replace(":", " \n:\n "),
    ],
    ids=["byte-order mark", "CRLF", "CR", "no final newline", "comments everywhere", "breaks at colons"],
)
def test_layout_means_nothing(tmp_path: Path, change: object) -> None:
    """A line break or a comment may stand between any two words."""
    plain = imported(write(tmp_path, ROOMS))
    assert callable(change)
    assert plain.document == imported(write(tmp_path, change(ROOMS.partition("\n")[2]))).document


@pytest.mark.parametrize(
    ("start", "law"),
    [
        ("", [F(1, 3)] * 3),
        ("start: uniform", [F(1, 3)] * 3),
        ("start: 0.5 0.25 0.25", [F(1, 2), F(1, 4), F(1, 4)]),
        ("start: s1", [0, 1, 0]),
        ("start: 2", [0, 0, 1]),
        ("start include: s0 2", [F(1, 2), 0, F(1, 2)]),
        ("start exclude: s0", [0, F(1, 2), F(1, 2)]),
    ],
    ids=str,
)
def test_start_in_all_its_forms(tmp_path: Path, start: str, law: list[F]) -> None:
    """A law, one state by name or number, uniform, or uniform on some states; uniform where nothing is said."""
    found = read(tmp_path, HEAD + start + "\n" + BODY)
    assert law == [found.start.get(s, 0) for s in range(3)]


def test_later_entries_win(tmp_path: Path) -> None:
    """A wildcard after an entry overwrites it, an entry after a wildcard stands out."""
    lines = "T: a : s0 : * 0\nT: a : s0 : s1 1\nT: b : * : * 0\nT: b : * : s2 1\n"
    lines += "R: a : * : * : x 5\nR: * : * : * : * 1\nR: a : s0 : * : y 2\n"
    found = read(tmp_path, HEAD + BODY + lines)
    assert ({1: 1}, {2: 1}) == (found.move(0, 0, 0), found.move(0, 1, 0))
    assert [1, 2, 1] == [
        found.reward(0, 0, 0, 1, (0, 0)),
        found.reward(0, 0, 0, 1, (1, 0)),
        found.reward(1, 0, 0, 1, (1, 0)),
    ]


def test_reset_is_the_start(tmp_path: Path) -> None:
    """``reset`` as a row is the law of the first state, wherever ``start`` stands in the file."""
    found = read(tmp_path, HEAD + BODY + "T: b : s1 reset\nT: a : *\nreset\nstart: 0.5 0.5 0\n")
    assert [{0: F(1, 2), 1: F(1, 2)}] * 2 == [found.move(1, 1, 0), found.move(2, 0, 0)]


@pytest.mark.parametrize("name", ["p1r6e0", "E0", "e", "T", "O", "R", "start", "uniform2", "a.b", "état"])
def test_names_that_look_like_something_else(tmp_path: Path, name: str) -> None:
    """What follows a colon is a name, be it like a number or a keyword."""
    head = HEAD.replace("s0 s1 s2", f"s0 {name} s2")
    found = read(tmp_path, head + BODY + f"T: a : {name} : {name} 1\nT: a : {name} : s0 0\nT: a : {name} : s2 : 0\n")
    assert {1: 1} == found.move(1, 0, 0)


def test_costs_are_rewards_of_the_other_sign(tmp_path: Path) -> None:
    """``values: cost``."""
    found = read(tmp_path, HEAD.replace("reward", "cost") + BODY + "R: * : * : * : * 2.5\n")
    assert F(-5, 2) == found.reward(0, 0, 0, 0, (0, 0))


def test_an_observation_that_never_occurs_is_left_out(tmp_path: Path) -> None:
    """The learner's observations are those of the file that can be seen, each with the reward that came with it."""
    model = imported(write(tmp_path, HEAD + BODY + "O: *\n1 0\n1 0\n1 0\nR: a : * : * : * 1\n"))
    assert ["start", "x(0)", "x(1)"] == model.document["game"]["learner_observations"]


STRAYS = {
    "start s1": '"start" without a colon, required start: for a statement',
    "Start: s1": 'the unknown statement "Start", required a statement of {all}; write start:',
    "Start s1": 'the unknown statement "Start", required a statement of {all}; write start:',
    "strat s1": 'the unknown statement "strat", required a statement of {all}; write start:',
    "STATES: s1": 'the unknown statement "STATES", required a statement of {all}; write states:',
    "init_state: 3": 'the unknown statement "init_state", required a statement of {all}',
    "init s1": 'the unknown statement "init", required a statement of {all}',
    "costs: 1 1 0.25": 'the unknown statement "costs", required a statement of {all}',
    "prio 0: s1": 'the unknown statement "prio", required a statement of {all}',
    "T a identity": '"T" without a colon, required T: for a statement',
    "t: a identity": 'the unknown statement "t", required a statement of {all}; write T:',
}
ALL = "agents, discount, values, states, actions, observations, start, T, O, R"


@pytest.mark.parametrize("place", range(1, 6))
@pytest.mark.parametrize(("stray", "sentence"), STRAYS.items(), ids=[*STRAYS])
def test_a_line_that_is_no_statement_is_refused_by_its_own_name(
    tmp_path: Path, stray: str, sentence: str, place: int
) -> None:
    """Wherever it stands in the preamble it never becomes a name, and the error blames it, not the line before."""
    lines = HEAD.splitlines()
    text = "\n".join([*lines[:place], stray, *lines[place:], BODY])
    with pytest.raises(InputError) as refusal:
        read(tmp_path, text)
    wanted = f"sample.pomdp:{place + 1}: found {sentence.format(all=ALL)}"
    assert wanted == str(refusal.value).replace(f"{tmp_path}/", "")


@pytest.mark.parametrize("stray", ["costs: 1 1", "Start: s1", "t: a : s0 : s1 1"])
def test_a_stray_line_among_the_tables_is_refused_by_its_own_name(tmp_path: Path, stray: str) -> None:
    """Before, between and after the tables too."""
    for text in (HEAD + stray + "\n" + BODY, HEAD + BODY.replace("O:", f"{stray}\nO:"), HEAD + BODY + stray):
        with pytest.raises(InputError, match=f'found the unknown statement "{stray.partition(":")[0]}"'):
            read(tmp_path, text)


@pytest.mark.parametrize(
    "names", ["s0 s1\n  s2", "\ns0 s1 s2", "\n s0\n s1\n s2", "s0 #\n s1 # one\n\n\ts2", "\ns0 start\nstates2 T"]
)
def test_a_list_of_names_may_go_on(tmp_path: Path, names: str) -> None:
    """On indented lines, or on lines of its own; words like keywords are names where no statement can begin."""
    found = read(tmp_path, HEAD.replace("s0 s1 s2", names) + BODY)
    assert [word for line in names.splitlines() for word in line.partition("#")[0].split()] == [*found.states]


def test_propositions_are_left_out_and_recorded(tmp_path: Path) -> None:
    """``atom`` lines of the pomdps-reveal dialect load, and so do its files without discount and values."""
    lines = "states: s0 s1 s2\nactions: a b\nobservations: x y\natom 0: x\natom 1: x y\n" + BODY
    found = read(tmp_path, lines)
    assert (F(1), ("x", "y")) == (found.discount, found.learner_observations)
    assert (
        "; its propositions (atom 0, atom 1) are left out; it has no discount and no values, as its dialect allows: "
        "rewards, undiscounted; the file has no start, which is uniform here"
    ) == found.notes
    found = read(tmp_path, HEAD + "atom 0: x\n" + BODY)
    assert "; its propositions (atom 0) are left out; the file has no start, which is uniform here" == found.notes
    with pytest.raises(InputError, match='sample.pomdp:4: atom 1: found "z", required one of x, y'):
        read(tmp_path, lines.replace("atom 1: x y", "atom 1: z").replace("atom 0: x\n", ""))


def test_a_start_left_out_is_recorded(tmp_path: Path) -> None:
    """The document says that it is uniform here; of a file with a start it says nothing."""
    assert "the file has no start, which is uniform here" in imported(write(tmp_path, HEAD + BODY)).document["source"]
    assert "start" not in imported(write(tmp_path, HEAD + BODY + "start: uniform")).document["source"]


@pytest.mark.parametrize("suffix", [".POMDP", ".Pomdp"])
def test_suffixes_in_any_case(tmp_path: Path, suffix: str) -> None:
    """The suffix of pomdp-solve's files is that of every other's."""
    upper, lower = write(tmp_path, ROOMS, f"rooms{suffix}"), write(tmp_path, ROOMS, "rooms.pomdp")
    assert imported(lower).sha256 == imported(upper).sha256


ONWARD = "T: *\n0 1 0\n0 1 0\n0 0 0\nstart: s0\n"  # s2 is never reached


def test_rows_of_zeros_that_no_play_reaches_load(tmp_path: Path) -> None:
    """The row of an observation that cannot occur, and of a state that nothing reaches, may be left at zero."""
    found = read(tmp_path, HEAD + ONWARD + "O: *\n0 0\n1 0\n0 0\n")
    assert [{}, {(0, 0): 1}, {}] == [found.see(0, 0, t) for t in range(3)]
    assert (
        "; rows of zeros that no play reaches are left out: T (a, s2), T (b, s2), O (a, s0), O (a, s2) and 2 more"
    ) == found.notes
    model = imported(write(tmp_path, HEAD + ONWARD + "O: *\n0 0\n1 0\n0 0\n"))
    assert ["s0", "s1(0)"] == model.document["game"]["states"]


@pytest.mark.parametrize(
    "text",
    [HEAD + ONWARD + "O: *\n1 0\n0 0\n1 0", HEAD + ONWARD.replace("0 1 0\n0 0 0", "0 0 1\n0 0 0") + "O: *\nuniform"],
)
def test_rows_of_zeros_that_play_reaches_are_refused(tmp_path: Path, text: str) -> None:
    """A law is required wherever play can get."""
    with pytest.raises(InputError, match="found a row that sums to 0, 1 too little, required a sum of exactly 1"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("choices", "means"),
    [
        ({"adversary": "shift"}, 'adversary="shift"'),
        ({"unknowns": [Unknown("transition", "slip", (F(1, 2),))]}, 'unknown="transition:slip"'),
    ],
)
def test_rows_of_zeros_that_the_class_reaches_are_refused(tmp_path: Path, choices: Any, means: str) -> None:
    """A shift or a slip leads anywhere, so that every row is needed; the error names what to leave out."""
    path = write(tmp_path, HEAD + ONWARD + "O: *\n0 0\n1 0\n0 0\n")
    with pytest.raises(
        InputError, match=f"found a row of zeros, required probabilities that sum to 1; .*leave out {means}"
    ):
        imported(path, Choices(**choices))


REFUSED = {
    "": 'sample.pomdp: found no "states:", required one statement states:',
    "state: 2": (
        'sample.pomdp:1: found "state", required one of agents, discount, values, states, actions, '
        "observations, and a colon; write states:"
    ),
    HEAD + "states: 2": (
        "sample.pomdp:6: states: found a second one, required one statement states:; the first is on line 3"
    ),
    HEAD.replace("s0 s1 s2", "") + BODY: (
        "sample.pomdp:3: states: found nothing, required a count of at least 1, or names"
    ),
    HEAD.replace("s0 s1 s2", "0"): "sample.pomdp:3: states: found 0, required a count of at least 1, or names",
    HEAD.replace("s0 s1 s2", "10001"): "sample.pomdp:3: states: found 10,001 states, required at most 10,000",
    HEAD.replace("s0 s1 s2", "s0 s0"): 'sample.pomdp:3: states: found "s0" twice, required distinct names',
    HEAD.replace("s0 s1 s2", "1 2"): (
        'sample.pomdp:3: states: found "1", required a count alone, or names that begin with a letter'
    ),
    HEAD.replace("discount: 1", "discount: 1.5") + BODY: (
        "sample.pomdp:1: discount: found 1.5, required a number from 0 to 1"
    ),
    HEAD.replace("discount: 1", "discount: 0.5 0.6") + BODY: (
        "sample.pomdp:1: discount: found 2 words, required one number"
    ),
    HEAD.replace("s0 s1 s2", " ".join(f"s{k}" for k in range(10_001))): (
        "sample.pomdp:3: states: found 10,001 states, required at most 10,000"
    ),
    HEAD.replace("discount: 1", "discount: one") + BODY: (
        'sample.pomdp:1: discount: found "one", required a decimal number such as 0.15, -1 or 1e-3'
    ),
    HEAD.replace("reward", "gain") + BODY: 'sample.pomdp:2: values: found "gain", required "reward" or "cost"',
    HEAD + BODY + "agents: 2": (
        'sample.pomdp:10: found the statement "agents:", required one agent; is it a .dpomdp file?'
    ),
    HEAD + BODY + "start: 0.5 0.5": (
        "sample.pomdp:10: start: found 2 words, required 3 numbers, one per state, or a state, or uniform"
    ),
    HEAD + BODY + "start: s3": 'sample.pomdp:10: start: found "s3", required one of s0, s1, s2',
    HEAD + BODY + "start: 3": "sample.pomdp:10: start: found 3, required a number from 0 to 2, or a name",
    HEAD + BODY + "start exclude: 0 1 2": (
        "sample.pomdp:10: start exclude: found every state, required some of the states"
    ),
    HEAD + BODY + "T: a : s0 : s9 1": 'sample.pomdp:10: T, end state: found "s9", required one of s0, s1, s2',
    HEAD + BODY + "T: c\nidentity": 'sample.pomdp:10: T, action: found "c", required one of a, b',
    HEAD + BODY + "T: a : s0\n1 0": (
        "sample.pomdp:10: T: found 2 words after 2 names, required 3 numbers, or uniform, or reset"
    ),
    HEAD + BODY + "T: a : s0 : s1 : s2 1": (
        "sample.pomdp:10: T: found 4 names, required 1 to 3 of action, state, end state, colons between"
    ),
    HEAD + BODY + "R: a 5": (
        "sample.pomdp:10: R: found 1 name, required 2 to 4 of action, state, end state, observation, colons between"
    ),
    HEAD + BODY + "O: a : s0 identity": (
        "sample.pomdp:10: O: found 1 word after 2 names, required 2 numbers, or uniform"
    ),
    HEAD + BODY + "T: a : s0 : s1 0.1.2": (
        'sample.pomdp:10: T: found "0.1.2", required a decimal number such as 0.15, -1 or 1e-3'
    ),
    HEAD + BODY + "T: a : s0\n1e99 0 0": (
        "sample.pomdp:11: T (a, s0): found 10000000000000000000… of 100 digits for s0, required a probability from 0 to 1"
    ),
    HEAD + BODY + "T: a : s0\n0.5 -0.5 1": (
        "sample.pomdp:11: T (a, s0): found -0.5 for s1, required a probability from 0 to 1"
    ),
    HEAD + BODY + "T: a : s0\n0.5 0.49 0.0099": (
        "sample.pomdp:11: T (a, s0): found a row that sums to 0.9999, 0.0001 too little, required a sum of "
        'exactly 1; repair="normalise" divides it by its sum, repair="largest" corrects its largest entry'
    ),
    HEAD + BODY + "O: b : s1 : x 0.50000000000000000002": (
        "sample.pomdp:10: O (b, s1): found a row that sums to 1.00000000000000000002, 2e-20 too much, required "
        'a sum of exactly 1; repair="normalise" divides it by its sum, repair="largest" corrects its '
        "largest entry"
    ),
    HEAD + "O: *\nuniform": (
        "sample.pomdp: T (a, s0): found a row that sums to 0, 1 too little, required a sum of exactly 1; no "
        "line of the file gives it; 6 rows do not sum to one, also T (a, s1), T (a, s2), T (b, s0), T (b, s1), ..."
    ),
    HEAD + BODY + "T: a : s0\n0.5 0.3 0.1\nT: b : s1\n0.5 0.5 0.1\nO: b : s2\n0.4 0.4": (
        "sample.pomdp:11: T (a, s0): found a row that sums to 0.9, 0.1 too little, required a sum of exactly 1; this "
        "is more than rounding, so there is no repair; 3 rows do not sum to one, also T (b, s1) on line 13, O (b, s2) on line 15"
    ),
    HEAD + BODY + "T: a : s0\n0.5 0.3 0.1": (
        "sample.pomdp:11: T (a, s0): found a row that sums to 0.9, 0.1 too little, required a sum of "
        "exactly 1; this is more than rounding, so there is no repair"
    ),
}


@pytest.mark.parametrize(
    ("text", "sentence"), REFUSED.items(), ids=[each.partition("found ")[2][:40] for each in REFUSED.values()]
)
def test_each_malformation_has_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    """One sentence: the file and line, the row by its labels, what was found and what is required."""
    with pytest.raises(InputError if "at most" not in sentence else LimitExceeded) as refusal:
        read(tmp_path, text)
    assert sentence == str(refusal.value).replace(f"{tmp_path}/", "")


def test_repairs_are_recorded(tmp_path: Path) -> None:
    """Either repair makes the row sum to one; the document says which row was what, so that its digest does too."""
    text = HEAD + BODY + "T: a : s0\n0.4 0.4 0.1999\nstart: 0.3333 0.3333 0.3333\n"
    assert {0: F(4000, 9999), 1: F(4000, 9999), 2: F(1999, 9999)} == read(tmp_path, text, "normalise").move(0, 0, 0)
    assert {0: F(4001, 10000), 1: F(2, 5), 2: F(1999, 10000)} == read(tmp_path, text, "largest").move(0, 0, 0)
    models = [imported(write(tmp_path, text), Choices(repair=how)) for how in ("normalise", "largest")]
    notes = [str(model.document["source"]).partition("; repaired, ")[2] for model in models]
    assert "rows divided by their sums: start of sum 0.9999; T (a, s0) of sum 0.9999" == notes[0]
    assert "rows corrected in their largest entries: start, s0 0.3333+0.0001; T (a, s0), s0 0.4+0.0001" == notes[1]
    assert 2 == len({model.sha256 for model in models})


def test_a_repair_changes_no_sound_file(tmp_path: Path) -> None:
    """Where nothing is to repair, nothing is recorded."""
    assert imported(write(tmp_path, ROOMS)).sha256 == imported(write(tmp_path, ROOMS), Choices(repair="largest")).sha256


def test_sizes_are_refused_before_memory_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries that are not zero are counted before a row is written out; those of the game as places are found."""
    uniform = "T: * uniform\nO: * uniform\n"
    with pytest.raises(
        LimitExceeded, match="T: found 200,000,000 entries that are not zero of the table, required at most 2,000,000"
    ):
        read(tmp_path, HEAD.replace("s0 s1 s2", "10000") + uniform)
    with pytest.raises(LimitExceeded, match="T: found 3,000,000 rows of the table, required at most 2,000,000"):
        read(tmp_path, HEAD.replace("s0 s1 s2", "10000").replace("a b", "300") + uniform)
    many = HEAD.replace("s0 s1 s2", "60").replace("a b", "3") + uniform + "R: * : * : * : * 0\nR: 0 : * : 0 : * 1\n"
    monkeypatch.setattr(lifting, "MAX_ENTRIES", 20_000)  # which 60 states exceed as 600 exceed two millions
    with pytest.raises(LimitExceeded, match="entries that are not zero of the transition table of 121 states"):
        imported(write(tmp_path, many))


def test_the_document_as_toml_is_the_same_class(tmp_path: Path) -> None:
    """Written out to be edited it loads to the same digest, whatever the labels and knobs."""
    text = ROOMS.replace("dark", 'da"rk').replace("bright", "bri\\ght").replace("stay", "st=ay")
    model = imported(write(tmp_path, text), Choices(adversary="joint", horizon=1))
    document = tmp_path / "rooms.toml"
    document.write_text(toml_text(model.authored), encoding="utf-8")
    assert model.sha256 == load(document).sha256
    assert 'da"rk(0)' in model.document["game"]["states"]
