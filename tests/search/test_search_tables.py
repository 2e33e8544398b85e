"""Integer tables of the search against the definitions: memories, W and G on both spaces."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import Space
from pomgcheck.search.exact.tables import Memories, Tables, integers
from tests.gallery import brute
from tests.search.classes import documents


def spaces(document: Any) -> list[str]:
    full = "full" in (document["policies"]["window"], document["responses"]["window"])
    return ["history"] if full else ["window", "history"]


@settings(max_examples=40)
@given(documents(full=True))
def test_memories_read_and_keep_what_the_kernel_says(document: Any) -> None:
    """Same memories at every step, same table row read, same memory after, for both players (two codes, one
    meaning)."""
    game = Game(document)
    for kind in spaces(document):
        t, space = Tables(game, kind), Space(game, kind)
        for learner, memories in ((True, t.learner), (False, t.adversary)):
            observations, actions = (t.O, t.A) if learner else (t.OB, t.B)
            for h in range(game.H):
                assert list(space.memories(h, learner)) == memories.codes[h]
                for (m, code), o in product(enumerate(memories.codes[h]), range(observations)):
                    assert space.row(code, o, learner) == memories.row[h][m, o]
                    for a in range(actions):
                        kept = memories.codes[h + 1][memories.next[h][m, o, a]]
                        assert space.next(code, o, a, learner) == kept


@settings(max_examples=30)
@given(documents(full=True), st.data())
def test_operators_are_those_of_the_definition(document: Any, data: Any) -> None:
    """W q and G W q in integers over the common unit are brute.py's, for a random q at a random step."""
    game = Game(document)
    space = data.draw(st.sampled_from(spaces(document)))
    t = Tables(game, space)
    h, o, a, i, k, p = (data.draw(st.integers(0, n - 1)) for n in (t.H, t.O, t.A, t.I, t.K, t.P))
    pure = brute.pure_states(game, h, space)
    masses = data.draw(st.lists(st.integers(0, 5), min_size=len(pure), max_size=len(pure)))
    q = {state: Fraction(mass) for state, mass in zip(pure, masses, strict=True) if mass}
    array = np.array(masses, dtype=object).reshape(t.S, -1).T  # [memory, S]
    u = brute.W(game, i, h, o, a, q)
    image = t.world_image(i, h, o, a, array)
    at = {part: m for m, part in enumerate(dict.fromkeys(part for _, _, part in pure))}
    for (s, _, part, ob, b), mass in u.items():
        assert mass * t.dA * t.dB * t.dT == image[at[part], ob, b, s]
    assert sum(u.values(), Fraction(0)) * t.dA * t.dB * t.dT == image.sum()
    after = t.aggregate(k, p, h, image)
    v = brute.G(game, k, p, h, o, a, u, space)
    kept = {code: m for m, code in enumerate(t.adversary.codes[h + 1])}
    for (s, _, part), mass in v.items():
        code = tuple(x for pair in part for x in pair) if space == "history" else tuple(ob for ob, _ in part)
        assert mass * t.step == after[kept[code], s]
    assert sum(v.values(), Fraction(0)) * t.step == after.sum()


def test_memories_of_a_window_grow_to_its_length() -> None:
    """A window of three keeps at most two past observations: 1, 2, 4, 4 memories of a binary observation."""
    memories = Memories(4, 2, 2, 3, False)
    assert [1, 2, 4, 4, 4] == [memories.count(h) for h in range(5)]


@pytest.mark.parametrize("texts", [["1/2", "1/3", "1/6"], ["0", "1"], ["7"]])
def test_integers_over_one_denominator(texts: list[str]) -> None:
    """Numerators over the common denominator are the fractions."""
    values, denominator = integers(tuple(map(Fraction, texts)))
    assert [Fraction(text) for text in texts] == [Fraction(x, denominator) for x in values]
