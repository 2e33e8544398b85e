"""What a run's regret is proved to be at most: the lines beside two other computations, the margins they rest on, and
runs that keep to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.bound import Premises, sharp
from pomgcheck.kernel.enclosures import Interval, log
from pomgcheck.kernel.nested import Costly, Truth
from pomgcheck.learner.bound import EPISODES, LINES, AlgorithmBound, up
from pomgcheck.learner.confidence import ConfidenceRadius, Fading, Scales
from pomgcheck.learner.record import RunRecord
from pomgcheck.learner.replay import verify_run
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from pomgcheck.stored import content_digest
from tests.learner.classes import watch
from tests.paper.bound_lines import fill
from tests.paper.ranges import implied, reals

CERTIFICATES = Path(__file__).parents[2] / "certificates"
TRUTH = {"worlds": {"x": "1/7"}, "responses": {}}
SHARED = ("Lambda_T", "tau_T", "Q_T", "E_T", "S_T", "statistical", "warmup", "regret")  # with the certificate's
ROUNDING = Fraction(1, 2**32)  # an episode

fadings = st.builds(
    Fading,
    gamma=st.fractions(0, Fraction(9, 10), max_denominator=50),
    drift=st.fractions(0, 4, max_denominator=50),
    T=st.just(10**9),
)
scales = st.builds(Scales, axes=st.integers(1, 40), reach=st.fractions(Fraction(1, 10), 50, max_denominator=10))
radii = st.builds(
    ConfidenceRadius,
    c=st.fractions(16, 40, max_denominator=3),
    covering=st.integers(1, 10**5).map(Fraction) | scales,
    increments=st.fractions(1, 10**4, max_denominator=100),
    m=st.integers(1, 20) | fadings,
    delta=st.fractions(Fraction(1, 10**6), Fraction(49, 100)),
    C_0=st.none() | st.fractions(5, 20, max_denominator=9),
    error=st.fractions(0, 1, max_denominator=10**4),
)
bounds = st.builds(
    AlgorithmBound,
    radii,
    H=st.integers(1, 6),
    policies=st.integers(1, 50),
    range=st.fractions(0, 6, max_denominator=20),
    later=st.fractions(0, 6, max_denominator=20),
    value_error=st.fractions(0, 1, max_denominator=10**4),
    dearest=st.just(Fraction(1)),
    truth=st.none(),
)


def plain(bound: dict[str, Any], constants: dict[str, Any], T: int) -> dict[str, Any]:
    """The lines of docs/net.md in multiprecision numbers, from what a record says alone."""
    log, sqrt = mpmath.log, mpmath.sqrt

    def q(text: str) -> Any:
        value = Fraction(text)
        return mpmath.mpf(value.numerator) / value.denominator

    made = bound["parts"]
    H, m, P = made["H"], made["m"], made["policies"]
    s, eta, L_g = q(made["s"]), q(made["value_error"]), q(made["L_g"])
    c, delta, first = q(constants["c"]), q(constants["delta"]), 6 * (mpmath.e - 2)
    C_0 = first if constants["C_0"] == "6(e-2)" else q(constants["C_0"])
    B_0 = max(mpmath.mpf(1), log(q(constants["B0_upper"]["log_of"])))
    closed, net, fades = bound["kind"] == "closed form", bound["kind"] == "net", "Theorem 5.2" in bound["statement"]
    sigma = B_0 * ((mpmath.e - 1) * H * L_g + 2 * log(8 / delta)) if fades else 0
    N, level = mpmath.mpf(int(made["N"])), mpmath.ceil(log(T + 2, 2))
    Lambda = 2 * log(mpmath.mpf((T + 1) * (T + 2)) / 2) + log(1 / delta)
    u = log(N) + log((4 * (level + 1) * (level + 2) if closed else 8) / delta)
    tau = 2 * c * (log(N) + Lambda + m * B_0) + C_0 * B_0 * Lambda + 3 * T * s + 5 * sigma + T * mpmath.mpf(2) ** -32
    etas = [mpmath.mpf(k) / 16 for k in range(1, 9)]
    Q = min((tau + closed * (2 - x) * B_0 + first * B_0 * u / (2 * x)) / (1 - x) + B_0 for x in etas)
    E = Q * (P * (1 + log(T)) if closed else min(N if net else N - 1, P * (1 + log(T))))
    S = log(T + 2, 2) + (2 * E / (c * (log(8 / delta) + m * B_0)) if closed else 12 * E / (7 * c * (u + m * B_0)))
    models = P if closed else min(P, N + 1 if net else N)
    lost = root = q(made["range"]) * sqrt(T * Q * (models - 1) / 2)
    if made["harmful"] is not None:
        listed = [Costly(Fraction(x["regret"]), x["c"] and Fraction(x["c"])) for x in bound["policies"]]
        filled = fill(Truth(0, made["harmful"], tuple(listed)), tau, delta, T)
        lost = min(lost, filled)
    statistical = lost + H**2 * L_g / 2 * fades + T * eta
    warmup = (m - 1) * q(made["later_range"]) * S
    found = (Lambda, u, tau, Q, E, S, root, *([] if made["harmful"] is None else [filled]), statistical, warmup)
    return dict(zip(lines_of(bound), (*found, statistical + warmup), strict=True))


def lines_of(bound: dict[str, Any]) -> list[str]:
    """The lines that a record has."""
    return [name for name in LINES if name != "fill" or bound["parts"]["harmful"] is not None]


def interval_class(fades: bool = False) -> dict[str, Any]:
    """watch with x anywhere in [0, 1/2]."""
    document = watch(truth=False, worlds__parameters={"x": {"interval": ["0", "1/2"]}})
    if fades:
        del document["responses"]["memory"]
        document["responses"] |= {"block_rule": "fading", "gamma": "1/2"}
    return document


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A finite class, the same on an interval, and that with fading memory: each certified whole."""
    folder = tmp_path_factory.mktemp("bounds")
    classes = {"finite": watch(truth=False), "interval": interval_class(), "fading": interval_class(fades=True)}
    saved = {
        name: certify(load(document), T=1000).save(folder / f"{name}.cert.json") for name, document in classes.items()
    }
    return saved | {"arms": CERTIFICATES / "bandit.cert.json"}


RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "finite": ("finite", {"truth": {"worlds": {"x": "0"}, "responses": {}}}),
    "net": ("interval", {"truth": TRUTH}),
    "coarse net": ("interval", {"truth": TRUTH, "net": "1/50", "c": "20", "delta": "1/100"}),
    "fading net": ("fading", {"truth": TRUTH, "net": "1/50"}),
    "closed form": ("arms", {}),
}


@pytest.fixture(scope="module")
def played(certificates: dict[str, Path]) -> Callable[[str], RunRecord]:
    """A run of each kind, played when first asked for."""
    kept: dict[str, RunRecord] = {}

    def of(name: str) -> RunRecord:
        if name not in kept:
            which, options = RUNS[name]
            kept[name] = run(certificates[which], episodes=300, seeds=3, **options)
        return kept[name]

    return of


# ------------------------------------------------------------------------------------------ the lines


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 10**9),
    st.integers(1, 10**5),
    st.integers(1, 6),
    st.integers(1, 40),
    st.integers(1, 20),
    st.fractions(1, 1000, max_denominator=50),
    st.fractions(Fraction(1, 1000), Fraction(1, 2)),
)
def test_on_a_finite_class_the_lines_are_the_kernels(
    T: int, N: int, H: int, policies: int, m: int, increments: Fraction, delta: Fraction
) -> None:
    """With the theorem's own constants the threshold is the kernel's and what rounding adds, and all else follows from it."""
    one = Fraction(1)
    kernel = sharp(Premises(H, 1, policies, N, increments, one, one, one, 0, 0, delta, m, Fraction(H), one, one), T)
    mine = AlgorithmBound(
        ConfidenceRadius(Fraction(16), Fraction(N), increments, m, delta), H, policies, Fraction(H), one
    ).at(T)
    for name, theirs in zip(SHARED, kernel.values(), strict=True):
        assert mine[name].high >= theirs.low
        if name == "tau_T":
            assert abs(mine[name].high - theirs.high - T * ROUNDING) < Fraction(1, 2**100)
        growth = 1 + T * ROUNDING / kernel["sharp_threshold"].low
        assert mine[name].high <= theirs.high * growth + Fraction(1, 2**60)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 10**6), scales, st.none() | fadings)
def test_in_closed_form_the_lines_are_the_kernels_with_nets(T: int, nets: Scales, fading: Fading | None) -> None:
    """The kernel's lines for a class covered by nets, log N being that of the last scale, and no slope in B_0."""
    one, L_g, H = Fraction(1), Fraction(0) if fading is None else fading.drift / 3, 3
    covering = log(nets.points((T + 1).bit_length()))
    made_of = Premises(
        H,
        1,
        5,
        1,
        Fraction(7),
        one,
        one,
        one,
        0,
        0,
        Fraction(1, 20),
        2 if fading is None else None,
        Fraction(H),
        Fraction(H),
        Fraction(H),
        Fraction(0) if fading is None else fading.gamma,
        L_g,
        covering,
    )
    m = 2 if fading is None else Fading(fading.gamma, fading.drift, T)
    mine = AlgorithmBound(
        ConfidenceRadius(Fraction(16), nets, Fraction(7), m, Fraction(1, 20)), H, 5, Fraction(H), Fraction(H)
    ).at(T)
    theirs = sharp(made_of, T)
    for name, line in zip(SHARED, theirs.values(), strict=True):
        assert mine[name].high >= line.low
        assert mine[name].high <= line.high * (1 + T * ROUNDING) + Fraction(1, 2**60)


@settings(max_examples=40, deadline=None)
@given(bounds, st.integers(1, 10**8), st.fractions(0, 1, max_denominator=1000))
def test_lines_rise_with_the_error_of_the_net(bound: AlgorithmBound, T: int, more: Fraction) -> None:
    """A coarser net bounds no line by less."""
    coarser = bound._replace(radius=replace(bound.radius, error=bound.radius.error + more))
    for name, line in bound.at(T).items():
        assert line.high <= coarser.at(T)[name].high


@settings(max_examples=40, deadline=None)
@given(bounds.filter(lambda b: not isinstance(b.radius.covering, Scales)), st.integers(1, 10**6))
def test_as_the_error_goes_to_nothing_the_net_is_a_finite_class(bound: AlgorithmBound, T: int) -> None:
    """The lines of a net of error 10^-30 are those of a class of as many models, up to one model in the count: it is
    one of N - 1 that no net point need be the truth."""
    exact = bound._replace(value_error=Fraction(0))
    near, none = (
        exact._replace(radius=replace(bound.radius, error=error)).at(T) for error in (Fraction(1, 10**30), Fraction(0))
    )
    N, epochs = bound.radius.covering, bound.policies * (1 + log(T).low)
    for name in ("Lambda_T", "u", "tau_T", "Q_T"):
        assert 0 <= near[name].high - none[name].high <= Fraction(6 * T + 1, 10**30)
    if N > epochs + 1:  # the policies are fewer than the models
        assert near["regret"].high - none["regret"].high <= Fraction(1, 10**9)
    else:
        assert abs(near["E_T"].high * (N - 1) - none["E_T"].high * N) <= Fraction(1, 10**9) * (1 + near["E_T"].high * N)


@pytest.mark.parametrize("name", RUNS)
def test_the_number_of_a_record_follows_from_its_parts(played: Callable[[str], RunRecord], name: str) -> None:
    """From the record alone, in multiprecision numbers: every line, rounded up in the seventh digit and no more."""
    entry = played(name).runs["epoch-omle"]
    assert ("3/10" if name == "fading net" else "0") == entry["bound"]["parts"]["L_g"]
    with mpmath.workdps(40):
        expected = plain(entry["bound"], entry["constants"], 300)
        for line, value in entry["bound"]["lines"].items():
            assert 0 <= mpmath.mpf(value) / expected[line] - 1 < 1e-6 if expected[line] else value == "0"
    assert set(lines_of(entry["bound"])) == set(entry["bound"]["lines"])
    assert entry["bound"]["lines"]["statistical"] == entry["bound"]["data"][-1]
    assert str(1 - 2 * Fraction(entry["constants"]["delta"])) == entry["bound"]["probability"]


def test_the_certificate_of_a_finite_class_says_the_same(tmp_path: Path) -> None:
    """At the certificate's own T and delta the run's number is the certificate's U, both rounded up."""
    certificate = json.loads((CERTIFICATES / "patrol.cert.json").read_bytes())
    stated = next(c for c in certificate["claims"] if c["id"] == "constants")["values"]
    record = run(CERTIFICATES / "patrol.cert.json", episodes=certificate["options"]["T"], seeds=1)
    lines = record.runs["epoch-omle"]["bound"]["lines"]
    for name, other in (("regret", "sharp_regret"), ("S_T", "sharp_switches"), ("warmup", "sharp_warmup")):
        assert float(lines[name]) == pytest.approx(float(Fraction(stated[f"{other}_upper"])), rel=1e-6)


def test_in_closed_form_the_bandit_is_bounded_sooner_than_its_certificate_says() -> None:
    """From T = 6,605 on, below H T; the certificate's nets, in the norm of operators, need more."""
    certificate = json.loads((CERTIFICATES / "bandit.cert.json").read_bytes())
    stated = next(c for c in certificate["claims"] if c["id"] == "constants")["values"]
    radius = ConfidenceRadius(Fraction(16), Scales(8, Fraction(3)), Fraction(7), 1, Fraction(1, 20))
    arms = AlgorithmBound(radius, 2, 8, Fraction(1), Fraction(1), Fraction(1, 2**32))
    first = 6_605
    assert [True, False] == [arms.at(T)["regret"].high < 2 * T for T in (first, first - 1)]
    assert first < int(stated["T_star"])


def test_nothing_is_stated_beyond_what_rounding_allows() -> None:
    """Up to 2^32 episodes rounding is within the margins; beyond, there is no bound."""
    bound = AlgorithmBound(
        ConfidenceRadius(Fraction(16), Fraction(6), Fraction(2), 2, Fraction(1, 20)), 3, 4, Fraction(3), Fraction(2)
    )
    assert bound.described("Theorem 3.3", [1, EPISODES]) is not None
    assert bound.described("Theorem 3.3", [1, EPISODES + 1]) is None


def test_numbers_are_rounded_up() -> None:
    """Seven digits, none below the number, written out."""
    wanted = ((Fraction(1, 3), "0.3333334"), (Fraction(48_108_260_001, 10**3), "48108270"), (Fraction(0), "0"))
    for value, shown in wanted:
        assert shown == up(Interval(Fraction(0), value))
        assert Decimal(shown) >= value


# ---------------------------------------------------------------------------------- what they rest on


def test_margins_of_a_net_under_fading_memory_and_rounding() -> None:
    """s bounds n s, (n+t) s and so on by ns and ts, sigma what the transient moves, r what rounding does of n+t
    episodes, r <= 1: the nearest point stays inside, evidence grows by 6 (n+t) s + 10 sigma + 2 r, and a firing takes
    no less than without any of them."""
    b_e, b, slack, u, mB, ns, ts, sigma, r = reals("be b slack u mB ns ts sigma r")
    known = (
        ns >= 0,
        ts >= 0,
        sigma >= 0,
        r >= 0,
        r <= 1,
        slack >= 0,
        mB >= 1,
        u >= 0,
        b_e >= 2 * u + 13,
        b >= 16 * (u + mB),
        b >= b_e,
    )
    tau = 2 * (b + 2 * sigma) + slack + 2 * (ns + ts)
    best, near, truth, end, noise, K, total, KL, B_0 = reals("best near truth end noise K total KL B")
    # what is computed is off by r; best = max L, near = L of the nearest point, end = L(xi_e)
    inside = (best <= truth + 2 * u + sigma, near >= truth - ns)
    assert implied(best - near + r <= b_e + 2 * sigma + ns, *known, *inside)
    assert not implied(best - near + r <= b_e + sigma / 2 + ns, *known, *inside)
    # not fired, one episode ago; (E) with noise = C_0 B_0 u
    unfired = (
        best - end <= tau + r,
        near >= truth - ns - ts,
        best >= near,
        end - truth <= -K / 2 + noise + sigma,
        total <= K + KL,
        KL <= B_0,
    )
    most = 2 * (2 * b + slack) + 2 * noise + B_0 + 6 * (ns + ts) + 2 * r
    assert implied(total <= most + 10 * sigma, *known, *unfired)
    assert not implied(total <= most + 9 * sigma, *known, *unfired)
    # fired: L(xi_e) - L(xi*) was ``before`` as the epoch began and lost X in it, whose settled double is within sigma
    before, X, settled, evidence = reals("before X settled evidence")
    fired = (
        best - end > tau - r,
        best <= truth + 2 * u + sigma,
        before >= -(b_e + 2 * sigma + 2 * ns) - r,
        end - truth == before + X,
        settled <= X + sigma,
        settled >= -3 * evidence / 2 - slack,
    )
    assert implied(3 * evidence / 2 >= 7 * b / 8, *known, *fired)
    assert not implied(3 * evidence / 2 >= b, *known, *fired)


def test_radii_are_enlarged_by_both() -> None:
    """beta_e + 2 sigma + n s, and tau_e(t) + 4 sigma + 2 (n+t) s, over those of a memory of as many episodes."""
    fading = Fading(Fraction(1, 2), Fraction(3, 5), 1000)
    plain_, both = (
        ConfidenceRadius(Fraction(16), Fraction(50), Fraction(7, 3), m, Fraction(1, 20), error=error)
        for m, error in ((fading.memory(1), Fraction(0)), (fading, Fraction(1, 7)))
    )
    sigma = AlgorithmBound(both, 2, 2, Fraction(2), Fraction(1)).slack
    for n, t in ((0, 1), (10, 5), (300, 77)):
        more = Fraction(both.beta(3, n)) - Fraction(plain_.beta(3, n)) - Fraction(n, 7)
        assert 2 * sigma.low - Fraction(1, 10**20) <= more <= 2 * sigma.high + Fraction(1, 10**20)
        test = Fraction(both.tau(3, t, n)) - Fraction(plain_.tau(3, t, n)) - Fraction(2 * (n + t), 7)
        assert 4 * sigma.low - Fraction(1, 10**20) <= test <= 4 * sigma.high + Fraction(1, 10**20)


# ------------------------------------------------------------------------------------------------ runs


@pytest.mark.parametrize("name", RUNS)
def test_regret_lies_below(played: Callable[[str], RunRecord], name: str) -> None:
    """Of every seed, at every recorded t, and so do warm-up and the number of epochs; xi* was in every set."""
    entry = played(name).runs["epoch-omle"]
    lines = {line: Fraction(value) for line, value in entry["bound"]["lines"].items()}
    for seed in entry["seeds"]:
        for regret, most in zip(seed["regret"], entry["bound"]["data"], strict=True):
            assert Fraction(regret) <= Fraction(most)
        assert Fraction(seed["warmup_regret"]) <= lines["warmup"]
        assert Fraction(seed["total_regret"]) <= lines["regret"]
        assert seed["S_T"] <= lines["S_T"]
        assert seed["truth_in_every_set"]


def test_a_coarse_net_says_something_in_a_long_run() -> None:
    """With s = 1/500 the bound is below H T at T = 2^18, from 2^11 on, and not yet at 2^10."""
    bound = AlgorithmBound(
        ConfidenceRadius(Fraction(16), Fraction(500), Fraction(7, 3), 2, Fraction(1, 20), error=Fraction(1, 500)),
        2,
        2,
        Fraction(2),
        Fraction(1),
        Fraction(1, 500),
    )
    assert bound.at(2**18)["regret"].high < 2 * 2**18
    assert bound.at(2**11)["regret"].high < 2 * 2**11
    assert bound.at(2**10)["regret"].high > 2 * 2**10


@pytest.mark.parametrize(
    ("name", "options", "guarantee"),
    [
        ("fading", {"net": "1/50"}, "Theorem 5.2 at T = 20 on a net (docs/net.md) with probability at least 1 − 2δ"),
        ("fading", {"net": "1/50", "warmup": "epoch"}, "none (Theorem 5.2 is for the warm-up that knows T)"),
        ("fading", {"net": "1/50", "constants": "practical"}, "none (practical constants)"),
        ("interval", {"net": "1/50", "constants": "practical"}, "none (practical constants)"),
        ("interval", {"net": "1/50", "c": "15"}, "none (practical constants)"),
        ("interval", {"net": "1/50", "transient": "1/9"}, "none (the theorem has no cost of transients)"),
        ("interval", {"net": "1/50", "algorithm": "epoch-fixed"}, "none (no termination test)"),
    ],
)
def test_a_number_is_stated_where_a_theorem_is(
    certificates: dict[str, Path], name: str, options: dict[str, Any], guarantee: str
) -> None:
    """And nowhere else: the record says why."""
    entry = run(certificates[name], episodes=20, seeds=1, truth=TRUTH, **options).document["runs"][0]
    assert guarantee == entry["guarantee"]
    assert ("bound" in entry) == guarantee.startswith("Theorem")


def test_a_record_with_its_bound_is_replayed(
    certificates: dict[str, Path], played: Callable[[str], RunRecord], tmp_path: Path
) -> None:
    """Byte for byte; a smaller number under a digest that fits is found out."""
    path = played("fading net").save(tmp_path / "net.run.json")
    assert verify_run(path, certificates["fading"], replay=True).accepted
    document = json.loads(path.read_bytes())
    document["runs"][0]["bound"]["lines"]["regret"] = "1"
    document["sha256"] = content_digest(document)
    path.write_text(json.dumps(document))
    assert verify_run(path, certificates["fading"]).accepted
    assert "REJECTED run runs: found other results" in verify_run(path, certificates["fading"], replay=True).line
