"""Whatever stands in a file, reading it ends in a model class that the kernel reads, or in one sentence."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pomgcheck.errors import PomgcheckError
from pomgcheck.importers import Choices, imported
from pomgcheck.kernel.game import Game
from tests.importers.samples import MEETING, PENNIES, ROOMS, ROOMS_NUMBERED

SAMPLES = {".pomdp": [ROOMS, ROOMS_NUMBERED], ".dpomdp": [MEETING], ".efg": [PENNIES]}
WORDS = [
    "",
    " ",
    "\n",
    ":",
    "#",
    "*",
    "0",
    "1",
    "2",
    "-1",
    "0.5",
    "1e-9",
    "1e999",
    ".",
    "+",
    "999999999",
    "1/3",
    "{",
    "}",
    '"',
    "\\",
    ",",
    "T:",
    "O: *\nuniform\n",
    "R: * : * : * : * ",
    "start:",
    "start include:",
    "states:",
    "identity",
    "states: 300\n",
    "reset",
    "uniform",
    "c",
    "p",
    "t",
    "\ufeff",
    "\x00",
    "é",
    "\u2028",
    "🂡",
    "EFG 2 R",
    "0" * 500,
    "dark",
    "walk",
]
EDITS = st.tuples(st.integers(0, 10**6), st.integers(0, 12), st.sampled_from(WORDS) | st.text(max_size=4))


def ends_well(data: bytes, suffix: str, choices: Choices) -> None:
    """The file is refused in a sentence, or loads as a class that the kernel reads too."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"sample{suffix}"
        path.write_bytes(data)
        refusal = ""
        try:
            model = imported(path, choices)
        except PomgcheckError as error:
            refusal = str(error)
        if refusal:
            assert re.search("found .*, required .", refusal)
            assert "\n" not in refusal
        else:
            assert model.policies == Game(model.document).policy_names


@pytest.mark.parametrize("suffix", SAMPLES)
@given(data=st.binary(max_size=60))
@example(data=b"")
@example(data=b"\xff\xfe")
def test_any_bytes(suffix: str, data: bytes) -> None:
    """Bytes of any kind are refused in a sentence."""
    ends_well(data, suffix, Choices())


@pytest.mark.parametrize("suffix", SAMPLES)
@given(data=st.data())
def test_any_edit(suffix: str, data: st.DataObject) -> None:
    """Edits of any kind at any place of a valid file are accepted whole, or refused in a sentence."""
    text = data.draw(st.sampled_from(SAMPLES[suffix]))
    for place, length, word in data.draw(st.lists(EDITS, min_size=1, max_size=4)):
        at = place % (len(text) + 1)
        text = text[:at] + word + text[at + length :]
    repair = data.draw(st.sampled_from([None, "normalise", "largest"]))
    ends_well(text.encode("utf-8", "surrogatepass"), suffix, Choices(repair=repair))
