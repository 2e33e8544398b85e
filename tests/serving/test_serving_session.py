"""One document: answers by number, its file, and what is saved, asked without a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import Certificate, Options, verify
from pomgcheck.errors import InputError
from pomgcheck.serving.session import Conflict, Session, read
from tests.serving.conftest import Served, class_of, lamp, started

Act = Callable[[Session], Awaitable[Any]]


class Desk:
    """A session whose processes live as long as the tests of this file, and what is done with it."""

    def __init__(self, file: Path) -> None:
        self.runner = asyncio.Runner()
        self.session = Session(file, Options())

    def __call__(self, act: Act) -> Any:
        """What an act on the session gives."""
        return self.runner.run(act(self.session))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def acted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One session for all tests that need its processes."""
    path = tmp_path_factory.mktemp("session") / "lamp.toml"
    path.write_text(lamp(), encoding="utf-8")
    desk = Desk(path)
    yield desk
    desk.session.end()
    desk.runner.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The document of a small class."""
    path = tmp_path / "lamp.toml"
    path.write_text(lamp(), encoding="utf-8")
    return path


def test_the_newest_question_wins(acted: Desk) -> None:
    """Of many questions asked at once, as when a knob is dragged, the last is answered and the others are dropped, in
    whatever order they arrive; a second tab is answered beside it."""
    texts = [lamp().replace('noise = "1/10"', f'noise = "{k}/100"') for k in range(1, 31)]

    async def act(session: Session) -> Any:
        asked = [session.answer("tab 1", k, text, [], patient=False) for k, text in enumerate(texts, 1)]
        late = session.answer("tab 1", 7, texts[6], [])
        other = session.answer("other 1", 1, texts[0], [])
        return await asyncio.gather(*asked, late, other)

    *dropped, last, late, other = acted(act)
    assert {"dropped"} == {found["state"] for found in (*dropped, late)}
    assert ("settled", "settled") == (last["state"], other["state"])
    assert "3/10" == last["knobs"][0]["value"]
    assert "1/100" == other["knobs"][0]["value"]


def test_an_edit_of_a_reward_leaves_most_claims_alone(acted: Desk) -> None:
    """The second answer carries over what reads no reward; what is undone is known already."""

    async def act(session: Session) -> Any:
        edited = lamp().replace('bright = "1", dim', 'bright = "1/2", dim')
        return [
            (await session.answer("tab 2", k, text, []))["carried"]
            for k, text in enumerate((lamp(), edited, lamp()), 1)
        ]

    assert [14, 16] == acted(act)[1:]


def test_a_row_that_is_broken_has_its_line(acted: Desk) -> None:
    """The sentence and the line of an error, and the knobs all the same, to drag it back; then the next is answered."""

    async def act(session: Session) -> Any:
        bad = lamp().replace('noise = "1/10"', 'noise = "3/2"')
        return await session.answer("tab 3", 1, bad, []), await session.answer("tab 3", 2, lamp(), [])

    broken, mended = acted(act)
    assert ("unusable", "settled") == (broken["state"], mended["state"])
    assert lamp().splitlines()[broken["line"] - 1].startswith("learner_emission")
    assert broken["sentence"].startswith("worlds.learner_emission, row (lit): found the entry")
    assert "3/2" == broken["knobs"][0]["value"]


def test_intervals_wait_for_a_button(acted: Desk) -> None:
    """A class with interval axes is not certified at every key: it is said why, and its errors are told at once."""

    async def act(session: Session) -> Any:
        text = class_of("patrol-interval")
        live = await session.answer("tab 4", 1, text, [])
        broken = await session.answer("tab 4", 2, text.replace('initial = "uniform"', 'initial = ["1/2", "1/3"]'), [])
        return live, broken

    live, broken = acted(act)
    assert ("slow", True) == (live["state"], "interval" in live["why"])
    assert "unusable" == broken["state"]


def test_what_takes_too_long_is_stopped_and_asked_patiently(acted: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A live answer has its seconds; after them the class is slow, and a patient question is answered all the same."""
    monkeypatch.setattr("pomgcheck.serving.session.LIVE", 0.01)

    async def act(session: Session) -> Any:
        await session.answer("another", 1, lamp(), [])
        text = class_of("patrol")
        live = await session.answer("tab 5", 1, text, [])
        known = await session.answer("tab 5", 2, text, [], slow=True)
        return live, known, await session.answer("tab 5", 3, text, [], patient=True)

    live, known, patient = acted(act)
    assert ("slow", "it takes longer than live work allows") == (live["state"], live["why"])
    assert ("slow", "its last certificate took longer than live work allows") == (known["state"], known["why"])
    assert "settled" == patient["state"]


def test_a_search_that_nobody_waits_for_is_ended(acted: Desk) -> None:
    """Stopping a patient question, whose search would go on for long, ends it; the next question is answered."""

    async def act(session: Session) -> Any:
        long = asyncio.create_task(session.answer("tab 6", 1, class_of("watch"), [], patient=True))
        while not session.far("tab 6"):
            await asyncio.sleep(0.05)
        session.stop("tab 6")
        return await long, await session.answer("tab 6", 2, lamp(), [], patient=True)

    stopped, following = acted(act)
    assert ("dropped", "settled") == (stopped["state"], following["state"])


def test_a_process_that_dies_is_told_and_replaced(acted: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the process of a search is killed from outside, the page says so in a sentence and goes on."""
    monkeypatch.setattr("pomgcheck.serving.session.LIVE", 60.0)

    async def act(session: Session) -> Any:
        await session.answer("tab 7", 1, lamp(), [])
        waiting = asyncio.create_task(session.answer("tab 7", 2, class_of("tiger"), []))
        while not session.far("tab 7"):
            await asyncio.sleep(0.02)
        session.live._process.kill()  # type: ignore[union-attr]
        return await waiting, await session.answer("tab 7", 3, lamp(), [])

    killed, following = acted(act)
    assert ("failed", "settled") == (killed["state"], following["state"])
    assert killed["sentence"].startswith("the search ended unexpectedly")


def test_a_file_that_was_changed_is_not_overwritten(file: Path) -> None:
    """Saving takes the digest that the tab knows: where the file is another, it stays; what was told may be put over it."""
    session = Session(file, Options())
    text, known = session.read()
    now = session.save(text + "# one\n", known)
    assert file.read_text().endswith("# one\n")
    file.write_text("# of another program\n")
    with pytest.raises(Conflict, match="found a file that was changed on disk meanwhile") as caught:
        session.save(text, now)
    assert "# of another program\n" == file.read_text()
    session.save(text, caught.value.sha256)
    assert text == file.read_text()
    file.unlink()
    assert "" == session.digest()
    with pytest.raises(Conflict):
        session.save(text, known)


def test_line_ends_stay_as_they_are(file: Path) -> None:
    """A file with the line ends of Windows is edited with plain ones and keeps its own."""
    file.write_bytes(b"a = 1\r\nb = 2\r\n")
    session = Session(file, Options())
    text, known = session.read()
    assert "a = 1\nb = 2\n" == text
    session.save("a = 1\nb = 3\n", known)
    assert b"a = 1\r\nb = 3\r\n" == file.read_bytes()


def test_a_saved_certificate_is_verified(acted: Desk) -> None:
    """What is saved after an edit, most of it carried over, passes the kernel; of an older answer nothing is saved."""

    async def act(session: Session) -> Any:
        await session.answer("tab 10", 1, lamp(), [])
        await session.answer("tab 10", 2, lamp().replace('bright = "1", dim', 'bright = "1/2", dim'), [])
        saved = await session.keep("tab 10", 2)
        with pytest.raises(InputError, match="certificate: found a document that has changed since"):
            await session.keep("tab 10", 1)
        with pytest.raises(InputError, match="certificate: found a document that has changed since"):
            await session.keep("other 10", 1)
        return saved

    saved = acted(act)
    assert (str(acted.session.path.with_name("lamp.cert.json")), False) == (saved["path"], saved["document_saved"])
    assert verify(saved["path"]).accepted
    assert saved["sha256"] == Certificate.load(saved["path"]).sha256


def test_what_the_kernel_refuses_is_not_saved(acted: Desk) -> None:
    """A certificate that the kernel rejects is told, not written."""

    async def act(session: Session) -> Any:
        await session.answer("tab 11", 1, lamp(), [])
        tab = session.tab("tab 11")
        forged = json.loads(tab.certificate)
        forged["claims"][4]["values"]["alpha_lower"] = "2"
        tab.certificate = json.dumps(forged).encode()
        with pytest.raises(InputError, match="certificate: found REJECTED .*, required one that the kernel accepts"):
            await session.keep("tab 11", 1)

    acted(act)
    assert not acted.session.path.with_name("forged.cert.json").exists()


def test_a_phase_diagram(acted: Desk) -> None:
    """How the class ends over the range of a knob; a knob that is none is a sentence."""
    text = class_of("relabelled-states").replace('"3/4"', '"dimness"').replace('"1/4"', '"1-dimness"')
    text = text.replace("[game]", '[knobs]\ndimness = "3/4"\n\n[game]', 1)

    async def act(session: Session) -> Any:
        return [await session.diagram("tab 12", text, knob) for knob in ("dimness", "nothing")]

    drawn, none = acted(act)
    assert ("settled", "failed") == (drawn["state"], none["state"])
    assert "No point is certified, so there is nothing to draw." in drawn["diagram"]
    assert none["sentence"].startswith("knobs: found no knob nothing")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("nothing.toml", None, "No such file or directory, required a model document; write one to start from"),
        ("x.pomdp", b"", "FILE: found x.pomdp, required a model document, .toml or .json"),
        ("x.toml", b"\xff", "found a byte that is not UTF-8 at offset 0"),
        ("x.json", b'{"format":"pomgcheck-certificate/2"}', "found a certificate, required a model document"),
        ("x.json", b'{"format":"pomgcheck-run/1"}', "found a run record, required a model document"),
    ],
)
def test_what_is_no_document_of_a_page(name: str, data: bytes | None, said: str, tmp_path: Path) -> None:
    """A file that cannot be edited is told before a page is opened."""
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        read(path)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A page of a JSON document, under other options."""
    file = tmp_path_factory.mktemp("other 13") / "silent.json"
    from pomgcheck import gallery

    file.write_text(json.dumps(gallery.load("silent-action").document, indent=1), encoding="utf-8")
    page = started(file, "--kappa", "1", "--horizon-episodes", "1000")
    yield page
    page.end()


def test_the_command_serves_json_under_its_options(two: Served) -> None:
    """A JSON document is certified under the options that were typed, refuted claims first and in full."""
    given = {
        "tab": "a",
        "number": 1,
        "text": two.file.read_text(),
        "opened": ["covering"],
        "patient": False,
        "slow": False,
    }
    found = two.told("/answer", given)
    assert "1 refuted, 2 vacuous, 13 proved" == found["counts"]
    assert found["claims"].index('data-claim="weak-revealing"') < found["claims"].index('data-claim="covering"')
    assert "Game tree" in found["claims"]
    assert "1,000" in two.ask("/")[1]
    section = two.told("/section", {"tab": "a", "number": 1, "claim": "kl-joint"})
    assert "How it was proved" in section["section"]
    assert "dropped" == two.told("/section", {"tab": "a", "number": 9, "claim": "kl-joint"})["state"]
