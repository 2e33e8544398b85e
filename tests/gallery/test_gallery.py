"""The gallery lists and loads its classes."""

import json
from pathlib import Path

import pytest

import pomgcheck
from pomgcheck import gallery
from pomgcheck.errors import InputError
from pomgcheck.gallery.gates import CLASSES

PACKAGE = Path(gallery.__file__).parent


def test_every_class_is_listed_once() -> None:
    """A document, a module or a gate in the folder is a name in the index, and the other way round."""
    documents = {path.stem for path in (PACKAGE / "documents").iterdir()}
    modules = {path.stem.replace("_", "-") for path in PACKAGE.glob("*.py")} - {"--init--", "gates"} | {*CLASSES}
    assert set(gallery.names()) == documents | modules
    assert not documents & modules


@pytest.mark.parametrize("name", gallery.names())
def test_a_class_carries_its_name_and_summary(name: str) -> None:
    """The document is named like the class, is plain JSON, and has a one-line summary."""
    document = gallery.document(name)
    assert name == document["name"]
    assert document == json.loads(json.dumps(document))
    assert gallery.entry(name).summary.strip()
    assert "\n" not in gallery.entry(name).summary


@pytest.mark.parametrize("name", [name for name in gallery.playable() if gallery.entry(name).fails])
def test_a_counterexample_says_what_it_teaches(name: str) -> None:
    """The claims that it fails are distinct, and what it teaches is one line of whole sentences."""
    entry = gallery.entry(name)
    assert len(entry.fails) == len(set(entry.fails))
    assert entry.teaches.endswith(".")
    assert "\n" not in entry.teaches


@pytest.mark.parametrize("name", gallery.names())
def test_what_is_printed_is_the_class(name: str, tmp_path: Path) -> None:
    """The text to read and edit is a document of the same class; one written by hand keeps its comments."""
    path = tmp_path / "class.toml"
    path.write_text(gallery.text(name), encoding="utf-8")
    assert gallery.load(name).document == pomgcheck.load(path).document
    assert gallery.text(name).startswith("#") == (PACKAGE / "documents" / f"{name}.toml").is_file()


@pytest.mark.parametrize("name", [name for name in gallery.names() if name != "outside-truth"])
def test_the_truth_is_given_and_in_the_class(name: str) -> None:
    """Every class but the one that lacks it names a truth among its models, so that it can be run."""
    game = gallery.load(name).game
    assert game.truth is not None
    assert game.contains("worlds", game.truth[0])
    assert game.contains("responses", game.truth[1])


def test_patrol_is_the_published_class() -> None:
    """Its digest is that of the reference document."""
    assert gallery.load("patrol").sha256 == "0c42ac0a1faa940304f6e8c7edf2c99a9432030d283a97a342c54e8ccb86b5f1"


def test_documents_are_fresh() -> None:
    """Changing a document that was handed out does not change the next."""
    first = gallery.document("tiger")
    first["game"]["states"].clear()
    first["worlds"]["transition"].clear()
    assert gallery.document("tiger")["game"]["states"]


@pytest.mark.parametrize("arms", [2, 5])
def test_a_class_may_come_in_sizes(arms: int) -> None:
    """``bandit-n`` has n arms, so n means, n policies and 2 n + 1 observations."""
    game = gallery.load(f"bandit-{arms}").game
    assert (arms, arms, 2 * arms + 1) == (len(game.S), len(game.policy_names), len(game.OA))
    assert arms == len(game.document["worlds"]["parameters"])


def test_a_sized_name_is_a_model_for_every_verb() -> None:
    """What `pomgcheck.load`, and so the command line, takes for a model includes the names with a size."""
    assert gallery.load("bandit-5").document == pomgcheck.load("bandit-5").document


@pytest.mark.parametrize("name", ["bandit-1", "bandit-65", "bandit-", "patrol-3"])
def test_a_size_out_of_range_or_of_no_sized_class_is_refused(name: str) -> None:
    """One sentence names the sizes, or the names that exist."""
    with pytest.raises(InputError, match="a size from 2 to 64|one of bilinear"):
        gallery.load(name)


def test_unknown_name() -> None:
    """An unknown name is refused with the list of the known."""
    with pytest.raises(InputError, match="'lion'.*one of bilinear, digits, kuhn, labelled, linear"):
        gallery.load("lion")
