"""Forgeries of Theorem 3.3: lines of the bound and a first T that are too good."""

from __future__ import annotations

import pytest

from tests.kernel.editing import claim, put
from tests.kernel.forged import Forgery, distinct, refuses, value

FORGERIES = distinct(
    # finite classes
    Forgery(
        "the regret is bounded a unit lower",
        "drift",
        (value("constants", sharp_regret_upper="86"),),
        "constants bound: found sharp_regret_upper = 86",
    ),
    Forgery(
        "the regret is bounded by half",
        "drift",
        (value("constants", sharp_regret_upper="2173327/50000"),),
        "constants bound: found sharp_regret_upper = 2173327/50000",
    ),
    Forgery(
        "T_star is one sooner", "drift", (value("constants", T_star="3183"),), "constants bound: found T_star = 3183"
    ),
    Forgery(
        "T_star is one later", "drift", (value("constants", T_star="3185"),), "constants bound: found T_star = 3185"
    ),
    Forgery(
        "T_star is no integer",
        "drift",
        (value("constants", T_star="6369/2"),),
        "constants bound: found T_star = 6369/2",
    ),
    Forgery(
        "optimism errs on a narrower range of rewards",
        "drift",
        (value("constants", reward_range="1/2"),),
        "constants bound: found reward_range = 1/2",
    ),
    Forgery(
        "warm-up costs half",
        "drift",
        (value("constants", later_range="1/2"),),
        "constants bound: found later_range = 1/2",
    ),
    Forgery("T_star is zero", "drift", (value("constants", T_star="0"),), "constants bound: found T_star = 0"),
    Forgery(
        "observations are likelier",
        "drift",
        (value("constants", least_observation="1/2"),),
        "constants bound: found least_observation = 1/2",
    ),
    Forgery(
        "the constant of the radius is eight", "drift", (value("constants", c="8"),), "constants bound: found c = 8"
    ),
    Forgery(
        "C_0 lies below 6(e-2)",
        "drift",
        (value("constants", C_0={"lower": "4", "upper": "430969/100000"}),),
        "constants bound: found C_0 in {'lower': '4', 'upper': '430969/100000'}",
    ),
    Forgery(
        "C_0 is one number",
        "drift",
        (value("constants", C_0="430969/100000"),),
        "constants read constants.values.C_0: found str",
    ),
    Forgery(
        "no warm-up",
        "drift",
        (value("constants", sharp_warmup_upper="0"),),
        "constants bound: found sharp_warmup_upper = 0",
    ),
    Forgery(
        "fewer switches",
        "drift",
        (value("constants", sharp_switches_upper="86"),),
        "constants bound: found sharp_switches_upper = 86",
    ),
    Forgery(
        "less evidence", "drift", (value("constants", evidence_upper="1"),), "constants bound: found evidence_upper = 1"
    ),
    Forgery(
        "a smaller Lambda",
        "drift",
        (value("constants", sharp_Lambda_T_upper="40"),),
        "constants bound: found sharp_Lambda_T_upper = 40",
    ),
    Forgery(
        "a bound though 2.4 is refuted",
        "refuted-crossing",
        (claim("constants", verdict="proved", values={"c": "16"}, evidence={"rule": "bound"}),),
        "constants eval: found proved",
    ),
    Forgery(
        "the bound of another delta",
        "drift",
        (put("options", "delta", to="1/2"), value("constants", sharp_regret_upper="80")),
        "constants bound: found sharp_switches_upper = 2173327/25000",
    ),
    # interval axes
    Forgery(
        "observations are likelier than at an end",
        "interval",
        (value("constants", least_observation="1/3"),),
        "constants box: found no proof of -1 >= 0",
    ),
    Forgery(
        "the regret is bounded by half",
        "interval-bandit",
        (value("constants", sharp_regret_upper="3894171/1000"),),
        "constants bound: found sharp_regret_upper = 3894171/1000",
    ),
    Forgery(
        "T_star is half", "interval-bandit", (value("constants", T_star="334"),), "constants bound: found T_star = 334"
    ),
    Forgery(
        "observations are impossible",
        "interval",
        (value("constants", least_observation="0"),),
        "constants bound: found least_observation = 0",
    ),
    Forgery(
        "an observation has a chance below zero",
        "interval",
        (value("constants", least_observation="-1/3"),),
        "constants bound: found least_observation = -1/3",
    ),
    Forgery(
        "a bound though 3.1(c) is refuted",
        "interval-impossible",
        (claim("constants", verdict="proved", values={"c": "16"}, evidence={"rule": "bound", "trees": {}}),),
        "constants eval: found proved",
    ),
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)
