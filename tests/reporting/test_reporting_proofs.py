"""Claims that hold, or ask nothing, or are open: how each was settled, and the tables that list them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.evidence import ClaimProof
from pomgcheck.reporting import explain
from pomgcheck.reporting.claims import eluder, weak_revealing
from pomgcheck.reporting.pages import certificates
from pomgcheck.reporting.render import text
from tests.reporting import samples


def words(cert: dict[str, Any], claim: str) -> str:
    """The explanation of a claim on one line."""
    return " ".join(explain(cert, claim).split())


def test_weak_revealing_in_full() -> None:
    """The explanation of weak revealing names the test functions, the cases and where the smallest ratio is."""
    assert """\
Weak revealing (Assumption 2.4)
───────────────────────────────

✓ proved. The claim: Worlds whose channels differ show it, α_κ times as strongly, in the next κ
learner observations.

Statement. For every h ≤ 2, θ ≠ θ′, Φ, π, (o^A,a) and every normalised predictive state q, the
conditional laws of the learner's next observation differ in ℓ₁ between θ and θ′ by at least α_κ
times ‖(W^θ − W^θ′) q‖₁.

Constants. α_κ = 7/17 ≈ 0.411765.

How it was proved. 40 distinct cases cover every pair of worlds, response, policy, step and learner
pair. 40 pieces are settled by the one test function, a statistic of the next learner observation
with values in [−1, 1] whose expected difference between the two worlds is at least α_κ times that
of their channels, at all vertices and so everywhere between. The smallest ratio found is between
world x=1/20 and world x=1/10 at step 1, under policy idle with response y=1/10, where the learner
sees quiet and plays idle while the hidden state is calm with probability 1.

The test function
The learner sees next  Value
─────────────────────  ─────
quiet                  1
noise                  -1

At the place of the smallest ratio, let Z_j be the probability of the observation in the hidden
state j, u_j and u′_j the expectations of the test function in the two worlds together with it,
d_j = u_j − u′_j, and c_j the ℓ₁ norm of column j of W − W′. The case asks for
d_i + d_j ≥ α_κ (Z_i c_j + Z_j c_i) for every pair i ≤ j, the emission being the same in both
worlds: the signal on the left is then at least α_κ times the difference of the channels at every
mixture.

The data of this case
Hidden state  Z      u          u′         d         c
────────────  ─────  ─────────  ─────────  ────────  ──────
calm          17/20  1071/4000  833/4000   119/2000  17/100
alarm         3/20   -147/4000  -189/4000  21/2000   3/100

Its inequalities
For              Left side  Right side without α  Right side  Slack
───────────────  ─────────  ────────────────────  ──────────  ────────
calm and calm    119/1000   289/1000              119/1000    0
calm and alarm   7/100      51/1000               21/1000     49/1000
alarm and alarm  21/1000    9/1000                63/17000    147/8500

Probabilities of what the learner sees next, at the smallest ratio
The learner sees next  World x=1/20  World x=1/10  Difference
─────────────────────  ────────────  ────────────  ──────────
quiet                  263/400       249/400       7/200
noise                  137/400       151/400       7/200

They differ by 7/100 in ℓ₁, and (W^θ − W^θ′) q has the norm 17/100, so that the ratio is 7/17
≈ 0.411765.

Search (not part of the proof): enumeration, 0.012 s.
""" == explain(samples.patrol(), "weak-revealing")


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "posterior-lipschitz",
            "The largest ratio is that of policy on-calm and policy patrol at step 3, in world "
            "x=1/20 with response y=1/5, the adversary having seen dark, played wait, seen dark, played wait and "
            "seen dark.",
        ),
        ("well-specified", "The truth (x=1/10, y=1/5) is among the points of the class."),
        ("covering", "it holds 6 distinct models."),
        (
            "bounded-increments",
            "The largest ratio is that of (x=3/20, y=1/10) over (x=1/20, y=1/5) under policy patrol "
            "on quiet/patrol, noise/patrol, noise/patrol. B₀ is below 1, and the theorem takes 1 in its place.",
        ),
        (
            "kl-joint",
            "Constants. c^J_KL between 18224646713/25000000000 ≈ 0.728985 and 36449293463/50000000000 ≈ 0.728986.",
        ),
        ("kl-world", "The tightest pair is the truth (x=1/20, y=1/10) against (x=1/10, y=1/5) under policy patrol."),
        ("warmup-stationary", "the rule mean reads no more than the last 2 policies"),
    ],
)
def test_place_is_named(claim: str, sentence: str) -> None:
    """Where a value is attained is said in the model's labels."""
    assert sentence in words(samples.patrol(), claim)


def test_splits_and_factors_are_counted() -> None:
    """The evidence of weak revealing is counted by kind, through nested cuts."""
    evidence = {
        "tests": [["1", "-1"], ["-1", "1"]],
        "factors": [[["1"]]],
        "trees": [
            {"tree": ["test", 0]},
            {"tree": ["cut", 0, 1, "1/2", ["factor", 0], ["cut", 0, 1, "1/3", ["test", 1], ["test", 0]]]},
        ],
    }
    found = [text.plain(sentence) for sentence in weak_revealing.cover(ClaimProof.of(evidence, ""), 2)]
    assert "2 distinct cases cover every pair of worlds, response, policy, step and learner pair." == found[0]
    assert found[1].startswith("3 pieces are settled by one of 2 test functions, a statistic of the next 2 learner")
    assert found[2].startswith("1 piece is settled by a matrix that recovers the channels' difference")
    assert "The simplex of predictive states was cut 2 times." == found[3]


def open_and_vacuous(claim: str, verdict: str, **changes: Any) -> dict[str, Any]:
    """A certificate of the small class in which one claim has a verdict with no evidence to show."""
    model = samples.small(changes.pop("horizon", 2), **changes)
    return samples.certificate(model, {claim: (verdict, {}, {"rule": "eval"}, None)})


@pytest.mark.parametrize(
    ("cert", "claim", "sentence"),
    [
        (
            open_and_vacuous("weak-revealing", "vacuous", horizon=1),
            "weak-revealing",
            "With a horizon of 1 and κ = 1 no step h ≤ H − κ is left to ask about.",
        ),
        (
            open_and_vacuous("weak-revealing", "vacuous"),
            "weak-revealing",
            "No two worlds of the class have different channels at a step h ≤ H − κ.",
        ),
        (
            open_and_vacuous("kl-world", "vacuous"),
            "kl-world",
            "No two models of the class have different operators and a finite divergence.",
        ),
        (
            open_and_vacuous("well-specified", "declared"),
            "well-specified",
            "No model document can show this: it is taken on trust, and the verdict says so.",
        ),
        (
            open_and_vacuous("covering", "unknown"),
            "covering",
            "that is neither a pass nor a refutation. Raise --limits, or loosen --tol.",
        ),
    ],
)
def test_other_verdicts(cert: dict[str, Any], claim: str, sentence: str) -> None:
    """A claim that is vacuous, declared or unknown says why."""
    assert sentence in words(cert, claim)


def test_interval_axis_is_named() -> None:
    """On a class with an interval axis an open claim says to list the values."""
    cert = samples.certificate(samples.small(), {})
    cert["model"]["worlds"]["parameters"]["x"] = {"interval": ["1/20", "1/10"]}
    assert "An axis of the class is an interval" in words(cert, "kl-joint")


def test_eluder_sequence_in_full() -> None:
    """The explanation walks through the sequence with its numbers, and sets the paper's counts beside the rank."""
    shown = explain(samples.patrol(), "eluder-world")
    assert (
        """\
Each policy is independent of those before it at the squared scale 0.0945087
Query  Policy    Witness  Its squares before  Its square here
─────  ────────  ───────  ──────────────────  ───────────────
1      on-alarm  x=3/20   0                   0.378035
2      idle      x=1/10   0.0945087           0.0949865
"""
        in shown
    )
    plain = " ".join(shown.split())
    assert "A sequence of 2 policies of the class, the truth being (x=1/20, y=1/10), is found" in plain
    for row in (
        "exact rank p_W 1 ",
        "tabular H |S|² |A| |B| |O_A|^k |O_B|^k 192 ",
        "linear H d_lin |O_A|^k |O_B|^k 12 1 world parameter; computed",
        "low-rank H r² (|A|+|B|) |O_A|^k |O_B|^k 192 transitions of rank r = 2; computed",
    ):
        assert row in plain, row


def test_counts_that_do_not_apply() -> None:
    """Without coordinate structure the linear and low-rank counts are not shown, and the failing entry is; tables that
    read whole histories have no count at all."""
    cert = samples.patrol()
    search = cert["claims"][12]["search"]
    entry = {"h": 2, "o": "quiet", "a": "idle", "s": "calm", "o_B": "dark", "b": "wait", "s_next": "alarm"}
    weights = [[{"x": "1/20"}, "1"], [{"x": "1/10"}, "-2"], [{"x": "3/20"}, "1"]]
    search["structure"] = json.dumps({"affine": False, "transition_rank": 2, "entry": entry, "weights": weights})
    shown = words(cert, "eluder-world")
    assert 2 == shown.count("does not apply: an entry of the world channel is not affine")
    assert "Weighted by 1 at x=1/20, -2 at x=1/10 and 1 at x=3/20, one and all parameters sum to zero" in shown
    cert["model"]["policies"]["window"] = "full"
    counts = eluder.counts(Certificate(cert), Certificate(cert).claims["eluder-world"])
    assert 3 == text.render([counts], width=200).count("does not apply: tables read whole histories")


@pytest.mark.parametrize(
    "noted",
    [
        None,
        "",
        "[]",
        "3",
        "{",
        '{"affine": true}',
        '{"affine": 1, "transition_rank": 2}',
        '{"affine": true, "transition_rank": "2"}',
        '{"affine": false, "transition_rank": 2}',
        '{"affine": false, "transition_rank": 2, "entry": {}, "weights": [[{}, "1"]]}',
        '{"affine": true, "transition_rank": 2, "weights": [[{"x": "z"}, "1"]]}',
        '{"affine": true, "transition_rank": 2, "weights": 4}',
    ],
)
def test_what_no_digest_covers_is_left_out_where_it_cannot_be_read(noted: str | None) -> None:
    """The structure is a note of the search: without it, or where it is something else, the tabular count stands alone
    and the counts that need it are said not to be computed."""
    cert = samples.patrol()
    search = cert["claims"][12]["search"]
    search.pop("structure")
    if noted is not None:
        search["structure"] = noted
    assert 2 == words(cert, "eluder-world").count("not computed")


def test_a_linear_response_counts_its_features() -> None:
    """d_adv is the number of features where the response has a linear form, else of response parameters."""
    cert = samples.patrol()
    assert "H d_adv |B| 6 d_adv = 1, the response parameters" in words(cert, "eluder-adversary")
    cert["model"]["responses"]["linear"] = {"matrix": [["1", "0", "y"], ["0", "1", "-y"]], "features": {}}
    assert "18 d_adv = 3, the features of the linear response" in words(cert, "eluder-adversary")


def test_a_class_of_one_model_has_nothing_to_learn() -> None:
    """Without a sequence the explanation says that no function exceeds the scale."""
    cert = samples.patrol()
    claim = cert["claims"][13]
    claim["values"] = {"d_G_lower": "0", "d_G_upper": "0", "p_G": "0"}
    claim["evidence"]["sequence"] = []
    assert "No function of the class exceeds the scale at any policy" in words(cert, "eluder-adversary")


def test_claims_table() -> None:
    """The table has one row per claim: number, id, sentence, verdict, constants with a decimal, how, seconds."""
    table = certificates.claims_table(Certificate(samples.patrol()))
    assert 16 == len(table.rows)
    assert [
        "Assumption 2.3 posterior-lipschitz",
        "Between two policies the adversary's answer moves at most L times as far as its posterior of the learner's "
        "action.",
        "✓ proved",
        "L = 2444/4947 ≈ 0.494037",
        "exact enumeration",
        "0.012",
    ] == [text.plain(cell) for cell in table.rows[3]]


def test_constants_table_rounds_outwards() -> None:
    """In the constants table a lower end's decimal is rounded down and an upper end's up."""
    table = certificates.constants_section(Certificate(samples.patrol()))[1]
    rows = {text.plain(row[0]): [text.plain(cell) for cell in row[2:4]] for row in table.rows}
    assert ["18224646713/25000000000 ≈ 0.728985", "36449293463/50000000000 ≈ 0.728986"] == rows["c^J_KL"]
    assert ["–", "log(6) ≈ 1.79176"] == rows["log N"]


def test_verdict_counts_and_names() -> None:
    """The verdict of the whole counts every verdict and names what fails."""
    cert = samples.refuted(samples.small(), "kl-joint", {})
    assert (
        "✗ not certified. Of 16 claims 1 is refuted and 15 are unknown. Refuted: KL conversion, joint operators. "
        "Left open: Causal factorization; Observable-operator identity;"
    ) in text.plain(certificates.verdict(Certificate(cert)).text)
    assert "✓ certified. All 16 claims are proved." == text.plain(
        certificates.verdict(Certificate(samples.patrol())).text
    )


def test_certify_table_then_counterexamples() -> None:
    """What certify prints is the table, the verdict, then each refuted claim at length and no other."""
    shown = samples.claims_text(samples.last_step())
    assert [True, False] == [
        f"\n{name} (Assumption 3.1(e))\n" in shown
        for name in ("KL conversion, joint operators", "KL conversion, world channel")
    ]
    assert shown.index("What it says") < shown.index("✗ not certified") < shown.index("The counterexample")


def test_explain_everything() -> None:
    """Without a claim, explain goes through all of them in order."""
    shown = explain(samples.patrol())
    places = [shown.index(f"({claim['paper']})\n") for claim in samples.patrol()["claims"]]
    assert sorted(places) == places


def test_unknown_claim_id() -> None:
    """A claim id that is not there is refused with the list of those that are."""
    with pytest.raises(InputError, match="found 'weak', required one of factorization, oom-identity"):
        explain(samples.patrol(), "weak")


def test_colours_do_not_move_words() -> None:
    """Painting words for a terminal leaves the layout as it is without colours."""
    import re

    painted = samples.claims_text(samples.opposite_signs(), paint=lambda role, word: f"\x1b[1m{word}\x1b[0m")
    assert samples.claims_text(samples.opposite_signs()) == re.sub(r"\x1b\[[01]m", "", painted)


@pytest.mark.parametrize("width", [40, 72, 100, 150])
def test_lines_fit(width: int) -> None:
    """Everything keeps to the width; a table too wide for it is given row by row."""
    cert = samples.opposite_signs()
    shown = samples.claims_text(cert, width=width) + explain(cert, width=width)
    assert max(map(len, shown.splitlines())) <= width


def test_row_by_row() -> None:
    """On a narrow terminal a row of a table is its header and one line for each other column."""
    shown = text.render([certificates.constants_section(Certificate(samples.patrol()))[1]], 36)
    assert (
        """\
L
  What it is  posterior-Lipschitz
              constant
  At least    2444/4947 ≈ 0.494037
  At most     2444/4947 ≈ 0.494037
  Claim       posterior-lipschitz
"""
        == shown.split("\n\n")[0] + "\n"
    )


@pytest.mark.parametrize("width", [94, 110, 150])
def test_columns_stay_apart(width: int) -> None:
    """From 94 columns up the claims stand in a table, and no word of it runs into the next column."""
    lines = text.render([certificates.claims_table(Certificate(samples.patrol()))], width).rstrip("\n").split("\n")
    rule = next(k for k, line in enumerate(lines) if line.startswith("──"))
    gaps = [k for k, mark in enumerate(lines[rule]) if mark == " "]
    assert set() == {line[k] for line in lines for k in gaps if k < len(line)} - {" "}


def test_bound_is_walked_through_with_numbers() -> None:
    """Each line of both routes with its number, the split, what they are worth, and the lower line."""
    shown = " ".join(explain(samples.patrol(), "constants", width=200).split())
    for piece in (
        "Computed, not proved: by operators, as in the paper, at T = 16,384",
        "Computed by operators. The policy regret is at most 920170: a statistical part of 898430",
        "p_min least probability of a possible observation given what came before ≥ 0.286898",
        "τ_T 2c(log N + Λ_T + m B₀) + C₀ B₀ Λ_T 1589.20",
        "U^♯_T statistical + warm-up 263.468",
        "a statistical part of 0 and a warm-up part of 263.468, for at most 131.734 policies deployed.",
        "This is below D T = 2752.51, the most that settled episodes can lose.",
        "falls below D T, the most that settled episodes can lose, at T* = 1,217 for the first time, which is proved.",
        "only at a T of about 2³⁴ ≈ 1.7e10: it says nothing at a T that can be played.",
        "that class fails Assumptions 2.4 and 3.1(e) (docs/paper.md), so that the theorem has no number to give.",
        "of at least min{√(dT), T}/20 (Auer, Cesa-Bianchi, Freund and Schapire 2002, Theorem 5.1): 11.0851 for d = 3.",
    ):
        assert piece in shown, piece


def test_bound_at_another_horizon() -> None:
    """At a T of one's choice the numbers are those of that T; beyond the certificate's the dimensions are |Π|."""
    shown = " ".join(explain(samples.patrol(), "constants", episodes=1000, width=200).split())
    assert "at T = 1,000" in shown
    assert "This is not below D T = 168," in shown
    assert "Eluder dimension of the world channel at scale 1/(2T) ≤ 2" in shown
    later = " ".join(explain(samples.patrol(), "constants", episodes=10**6, width=200).split())
    assert "Eluder dimension of the world channel at scale 1/(2T) ≤ 4" in later


@pytest.mark.parametrize(("claim", "episodes"), [("constants", 0), ("constants", 10**18 + 1), ("kl-joint", 5)])
def test_horizons_that_mean_nothing_are_refused(claim: str, episodes: int) -> None:
    """T is a count of episodes, and only the bound has one."""
    with pytest.raises(InputError, match="episodes"):
        explain(samples.patrol(), claim, episodes=episodes)


def test_bound_of_a_refuted_class_names_what_fails() -> None:
    """Vacuous: the theorem says nothing, and which premise is refuted is told; open: which is open."""
    cert = samples.refuted(samples.small(), "kl-joint", {})
    cert["claims"][-1] |= {"verdict": "vacuous", "evidence": {"rule": "eval"}}
    assert "of this class it says nothing. Refuted: kl-joint." in words(cert, "constants")
    cert["claims"][-1] |= {"verdict": "unknown", "evidence": None}
    assert "some are open: factorization, " in words(cert, "constants")


def test_bound_for_a_fading_rule() -> None:
    """The warm-up is the rule's, the radius is wider by the transient, and the bound is for this T alone."""
    cert = json.loads((Path(__file__).parents[1] / "accepted" / "drift-fading.cert.json").read_bytes())
    shown = " ".join(explain(cert, "constants", width=200).split())
    for piece in (
        "m warm-up of the fading rule, ⌈log(2T)/(1−γ)⌉ 104",
        "what the transient moves",
        "+ 5s",
        "at this T, which fixes the warm-up (Theorem 5.2)",
    ):
        assert piece in shown, piece
