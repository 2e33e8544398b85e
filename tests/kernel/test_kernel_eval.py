"""Rule eval: what the kernel computes by itself is what brute.py computes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel import limits
from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.claims import factorization, oom_identity
from pomgcheck.kernel.claims.kl import conversions
from pomgcheck.kernel.claims.weak_revealing import reachable_alpha
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import Malformed
from tests.gallery import brute
from tests.kernel.trajectories import is_square_error
from tests.paper.facts import found, least_constant, reacts_at_most
from tests.search import small, truth
from tests.search.classes import documents

QUIET = {
    "kappa": 1,
    "weak_revealing": {"form": "literal", "scope": "reachable", "tol": "1/1000000"},
    "lipschitz_form": "step",
    "reference": "uniform",
    "T": 1,
    "delta": "1/2",
    "limits": {"coordinates": 10**7, "trajectories": 10**7},
}


def facts(document: Any, **options: Any) -> Facts:
    full = "full" in (document["policies"]["window"], document["responses"]["window"])
    return Facts(Game(document), QUIET | {"space": "history" if full else "window"} | options)


@settings(max_examples=40)
@given(documents(full=True), st.sampled_from(["step", "policy"]))
def test_posterior_lipschitz(document: Any, form: str) -> None:
    """L, or that there is none (Assumption 2.3)."""
    known = facts(document, lipschitz_form=form)
    exact = brute.lipschitz(known.game, form)
    assert not reacts_at_most(known, 10**12) if isinstance(exact, tuple) else least_constant(known, exact)


@settings(max_examples=40)
@given(documents(full=True))
def test_statistical_regularity(document: Any) -> None:
    """B_0, positivity of prefixes and the number of models (Assumption 3.1(b)-(d))."""
    known = facts(document)
    exact = brute.increments(known.game)
    refuted = isinstance(exact, tuple)
    verdict, values = found(known, "bounded-increments")
    assert ("refuted" if refuted else "proved") == verdict == found(known, "predictive-states").verdict
    assert refuted or {"B0_lower": {"log_of": str(exact)}, "B0_upper": {"log_of": str(exact)}} == values
    different = len({(known.game.worlds[i], known.game.responses[k]) for i, k in brute.models(known.game)})
    assert {"log_covering_upper": {"log_of": str(different)}} == found(known, "covering").values


@settings(max_examples=30)
@given(documents(full=True), st.integers(1, 2), st.sampled_from(["literal", "joint"]))
def test_reachable_alpha(document: Any, kappa: int, form: str) -> None:
    """The least ratio over the predictive states of the class (Assumption 2.4, scope reachable)."""
    known = facts(document, kappa=kappa, weak_revealing={"form": form, "scope": "reachable", "tol": "1/10"})
    pairs = list(truth.sampled(known.game, known.options))
    least = min((signal / difference for signal, difference in pairs), default=None)
    verdict, values = reachable_alpha(known)
    assert ("vacuous" if least is None else "proved" if least else "refuted") == verdict
    assert verdict != "proved" or {"alpha_lower": str(least), "alpha_upper": str(least)} == values


@settings(max_examples=30)
@given(documents(full=True))
def test_conversion_verdicts_and_sums(document: Any) -> None:
    """Which right sides of 3.1(e) are positive, their exact values, and whether some pair has equal laws."""
    known = facts(document)
    game = known.game
    models = brute.models(game)
    for world in (False, True):
        wanted = {}
        for p in range(len(game.policies)):
            for star in models:
                for xi, errors in brute.operator_errors(game, star, p, known.options["space"]).items():
                    if errors[world]:
                        wanted[p, star, xi] = errors[world]
        for p, play in enumerate(known.plays):
            for x, y in product(models, repeat=2):
                assert is_square_error(wanted.get((p, x, y), Fraction(0)), play, x, y[0] if world else y)
        asked = {(play.p, x, y) for play, x, y in conversions(known, world)}
        kinds = {(p, *map(known.plays[p].alike.__getitem__, pair)) for p, *pair in wanted}
        assert kinds == asked
        equal = any(brute.law(game, x, p) == brute.law(game, y, p) for p, x, y in wanted)
        finite = any(set(brute.law(game, x, p)) <= set(brute.law(game, y, p)) for p, x, y in wanted)
        assert ("refuted" if equal else "proved" if finite else "vacuous") == found(
            known, "kl-world" if world else "kl-joint"
        ).verdict


@settings(max_examples=30)
@given(documents(full=True))
def test_structure_holds_for_every_class(document: Any) -> None:
    """Theorem 2.5's three claims, by the kernel's own operators and paths."""
    known = facts(document)
    assert ["proved"] * 3 == [
        found(known, "factorization").verdict,
        found(known, "oom-identity").verdict,
        found(known, "nonexpansive").verdict,
    ]


def test_a_window_that_forgets_too_much_is_seen() -> None:
    """The OOM identity fails for operators that drop an observation the responses still read."""
    document = small.gauge(
        [["3/4", "1/4"], ["1/4", "3/4"]],
        [[["1/4", "3/4"], ["3/4", "1/4"]]] * 2,
        ["1/2", "1/2"],
        horizon=3,
        initial=["1/2", "1/2"],
    )
    document["game"]["adversary_observations"] = ["d0", "d1"]
    document["worlds"]["adversary_emission"] = [["1", "0"], ["0", "1"]]
    row = [["1", "0"], ["0", "1"]]
    document["responses"] |= {
        "window": 2,
        "table": {"p": {"steps": [row, [*row, *reversed(row)], [*row, *reversed(row)]]}},
    }
    known = facts(document)
    assert "proved" == found(known, "oom-identity").verdict
    forgetful = known.space
    forgetful.next = lambda memory, o, action, learner: (0,) if not learner else ()  # type: ignore[method-assign]
    assert "refuted" == found(known, "oom-identity").verdict


def seeing(window: int | str, interval: bool) -> Any:
    """Two states that the adversary sees, and answers that depend on every observation of its window, differently by
    a parameter; four steps."""
    document = small.drift()
    document["game"] |= {"horizon": 4, "adversary_observations": ["d0", "d1"]}
    document["worlds"]["adversary_emission"] = [["1-x", "x"], ["1/3", "2/3"]]
    document["worlds"]["parameters"] = {"x": {"interval": ["1/8", "1/4"]} if interval else {"values": ["1/8", "1/4"]}}
    rows = [4**h if window == "full" else 2 ** min(h, int(window) - 1) for h in range(4)]
    answers = [[[f"{k + 1}/{2 * n + 2}", f"{2 * n + 1 - k}/{2 * n + 2}"] for k in range(2 * n)] for n in rows]
    document["responses"] |= {
        "window": window,
        "parameters": {},
        "table": {p: {"steps": answers} for p in ("idle", "watch")},
    }
    return document


FORGETFUL: dict[str, Any] = {
    "nothing is kept": lambda kept, memory, o, action: (),
    "the last observation is dropped": lambda kept, memory, o, action: kept[:-1],
    "the oldest is dropped": lambda kept, memory, o, action: kept[1:],
    "every observation is taken for the first": lambda kept, memory, o, action: (0,) * len(kept),
    "the newest stands in the oldest's place": lambda kept, memory, o, action: (o, *kept[1:]),
    "the last three are in another order": lambda kept, memory, o, action: kept[::-1],
}


@pytest.mark.parametrize("forget", FORGETFUL.values(), ids=FORGETFUL)
@pytest.mark.parametrize("interval", [False, True], ids=["finite", "interval"])
def test_an_operator_that_forgets_too_much_is_refuted(interval: bool, forget: Any) -> None:
    """Whatever of a window of three is lost or changed when the memory moves on, some later answer is read from another
    row than the history has; the memory that the class defines is the one that is right."""
    known = facts(seeing(3, interval))
    assert "proved" == found(known, "oom-identity").verdict
    space, kept = known.space, known.space.next

    def spoiled(memory: Any, o: int, action: int, learner: bool) -> Any:
        after = kept(memory, o, action, learner)
        return after if learner else forget(after, memory, o, action)

    space.next = spoiled  # type: ignore[method-assign]
    assert "refuted" == found(known, "oom-identity").verdict


@pytest.mark.parametrize("place", range(8))
def test_a_whole_history_that_is_misread_is_refuted(place: int) -> None:
    """Where answers read whole histories, a memory that confuses two of them at any place is refuted."""
    known = facts(seeing("full", False), space="history")
    assert "proved" == found(known, "oom-identity").verdict
    space, kept = known.space, known.space.next

    def spoiled(memory: Any, o: int, action: int, learner: bool) -> Any:
        after = kept(memory, o, action, learner)
        return after if learner or len(after) <= place else (*after[:place], 0, *after[place + 1 :])

    space.next = spoiled  # type: ignore[method-assign]
    assert ("refuted" if place < 6 else "proved") == found(
        known, "oom-identity"
    ).verdict  # the last step is read by none


@pytest.mark.parametrize("interval", [False, True], ids=["finite", "interval"])
@pytest.mark.parametrize("spoil", ["lost", "doubled", "moved"])
def test_an_operator_of_the_wrong_mass_is_refuted(monkeypatch: pytest.MonkeyPatch, interval: bool, spoil: str) -> None:
    """A coordinate of G W that is lost, counted twice, or put at another state, at one step of four."""
    known, right = facts(seeing(2, interval)), oom_identity.G

    def wrong(space: Any, g: Any, h: int, u: Any) -> Any:
        out = right(space, g, h, u)
        if h == 2 and out:
            (s, memory), mass = next(iter(out.items()))
            del out[s, memory]
            if spoil != "lost":
                out[s if spoil == "doubled" else s + 7, memory] = mass * (2 if spoil == "doubled" else 1)
        return out

    monkeypatch.setattr(oom_identity, "G", wrong)
    assert "refuted" == found(known, "oom-identity").verdict


def test_reference_law_has_full_support() -> None:
    """Definition 2.2 takes a law that plays every action."""
    options = {
        "kappa": 1,
        "space": "window",
        "weak_revealing": {"form": "literal", "scope": "simplex", "tol": "1/1000000"},
        "lipschitz_form": "step",
        "T": 16384,
        "delta": "1/20",
        "limits": {"coordinates": 1000, "trajectories": 1000},
    }
    game = Game(small.drift())
    for reference in (["1", "0"], ["1/2", "1/3"], ["3/2", "-1/2"]):
        with pytest.raises(Malformed, match="full-support"):
            read_options(options | {"reference": reference}, game)
    assert ["1/3", "2/3"] == read_options(options | {"reference": ["1/3", "2/3"]}, game)["reference"]
    assert (Fraction(1, 3), Fraction(2, 3)) == facts(small.drift(), reference=["1/3", "2/3"]).mu


def test_operators_that_do_not_factor_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """J that is not G W is refuted, and so is G W = J where an answer stands in W."""
    known = facts(seeing(1, False))
    assert "proved" == found(known, "factorization").verdict
    W, G = factorization.W, factorization.G
    answer = factorization.Free({(("g", 0, 0, 0),): 1})

    def answered(world: Any, h: int, o: int, a: int, q: Any) -> Any:
        return {key: answer * mass for key, mass in W(world, h, o, a, q).items()}

    monkeypatch.setattr(factorization, "W", answered)
    assert "refuted" == found(known, "factorization").verdict
    monkeypatch.setattr(
        factorization, "J", lambda space, world, g, *place: G(space, g, place[0], answered(world, *place))
    )
    assert "refuted" == found(known, "factorization").verdict


def test_merged_states_never_make_trajectories_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where prefixes of one memory are counted by the states of all, there are as many trajectories or more."""
    known = facts(seeing(2, False))
    may = limits.possible(known.game, known.game.worlds)
    apart = list(limits.sequences(known.game, may, 0))
    monkeypatch.setattr(limits, "MAX_SETS", 0)
    merged = list(limits.sequences(known.game, may, 0))
    assert all(map(int.__le__, apart, merged))
    assert all(count <= (len(known.game.OA) * len(known.game.A)) ** (h + 1) for h, count in enumerate(merged))
