"""Small certificates to read: patrol, proved, and one refuted class for each way a claim fails.

Each is a real certificate: ``test_samples.py`` has the kernel accept it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.kernel.check import content_digest, readings, summary_of
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import digest
from pomgcheck.reporting.blocks import Block
from pomgcheck.reporting.pages import certificates
from pomgcheck.reporting.render import text

CERTIFICATES = Path(__file__).parents[2] / "certificates"
OPTIONS: dict[str, Any] = {
    "kappa": 1,
    "space": "window",
    "weak_revealing": {"form": "literal", "scope": "simplex", "tol": "1/1000000"},
    "lipschitz_form": "step",
    "T": 16384,
    "delta": "1/20",
    "reference": "uniform",
    "limits": {"coordinates": 100000, "trajectories": 1000000},
}

Entry = tuple[str, dict[str, Any], Any, Any]  # verdict, values, evidence, witness
UNKNOWN: Entry = ("unknown", {}, None, None)


def claims_text(cert: dict[str, Any], width: int = 100, paint: text.Paint = text.unpainted) -> str:
    """The table of all claims, the verdict, and the section of each refuted claim, as a terminal shows them."""
    shown = Certificate(cert)
    blocks: list[Block] = [certificates.claims_table(shown), certificates.verdict(shown)]
    for claim in shown.claims.values():
        if claim.verdict == "refuted":
            blocks += certificates.claim_section(shown, claim, level=2)
    return text.render(blocks, width, paint)


def certificate(model: dict[str, Any], entries: dict[str, Entry], **options: Any) -> dict[str, Any]:
    """A certificate of ``model``: the claims of ``entries`` as given, every other one unknown."""
    chosen = OPTIONS | options
    game = Game(model)
    claims = []
    for claim in CLAIMS:
        verdict, values, evidence, witness = entries.get(claim.id, UNKNOWN)
        claims.append(
            {
                "id": claim.id,
                "paper": claim.paper,
                "verdict": verdict,
                "values": values,
                "evidence": evidence,
                "witness": witness,
                "search": {},
            }
        )
    body = {
        "format": "pomgcheck-certificate/2",
        "model": model,
        "model_sha256": digest(model),
        "options": chosen,
        "readings": readings(game, chosen),
        "claims": claims,
        "summary": summary_of(claims),
        "tool": {"name": "pomgcheck", "version": "0"},
        "sha256": "",
    }
    return body | {"sha256": content_digest(body)}


def refuted(model: dict[str, Any], claim: str, witness: dict[str, Any], **options: Any) -> dict[str, Any]:
    """A certificate in which ``claim`` is refuted by ``witness`` and nothing else is settled."""
    return certificate(model, {claim: ("refuted", {}, None, witness)}, **options)


# --------------------------------------------------------------------------------------- a small game

STAY = [["3/4", "1/4"], ["1/4", "3/4"]]  # [s][s']
CLEAR = [["17/20", "3/20"], ["3/20", "17/20"]]  # [s][o^A]
DIM = [["7/10", "3/10"], ["3/10", "7/10"]]  # [s][o^B]
ALIKE = [["1/2", "1/2"], ["1/2", "1/2"]]
IDLE = [["1", "0"], ["1", "0"]]  # [o^A][a]
PATROL = [["0", "1"], ["0", "1"]]
ON_NOISE = [["1", "0"], ["0", "1"]]
ON_QUIET = [["0", "1"], ["1", "0"]]
EVEN = [["1/2", "1/2"], ["1/2", "1/2"]]  # [o^B][b]
LEANING = [["7/10", "3/10"], ["7/10", "3/10"]]
XI = {"theta": {"x": "1/20"}, "Phi": {}}
XI_PRIME = {"theta": {"x": "1/10"}, "Phi": {}}


def moves(wait: Any, attack: Any) -> list[Any]:
    """A transition [s][a][b][s'] that the learner's action does not change, from one [s][s'] a reply."""
    return [[[wait[s], attack[s]] for _ in range(2)] for s in range(2)]


def small(horizon: int = 2, truth: Any = None, **tables: Any) -> dict[str, Any]:
    """Two states, actions and observations a side, worlds x in {1/20, 1/10}, one response; ``tables`` replace parts."""
    worlds = {
        "parameters": {"x": {"values": ["1/20", "1/10"]}},
        "initial": ["1/2", "1/2"],
        "transition": moves(STAY, STAY),
        "learner_emission": CLEAR,
        "adversary_emission": DIM,
    }
    responses = {
        "parameters": {},
        "memory": 1,
        "block_rule": "latest",
        "window": 1,
        "table": {"idle": EVEN, "patrol": EVEN},
    }
    policies = {"window": 1, "list": {"idle": IDLE, "patrol": PATROL}}
    for part in (worlds, responses, policies):
        part.update({key: value for key, value in tables.items() if key in part})
    game = {
        "horizon": horizon,
        "states": ["calm", "alarm"],
        "learner_actions": ["idle", "patrol"],
        "adversary_actions": ["wait", "attack"],
        "learner_observations": ["quiet", "noise"],
        "adversary_observations": ["dark", "lit"],
        "reward": ["1", "0"],
    }
    document = {
        "format": "pomgcheck-model-class/1",
        "name": "small",
        "game": game,
        "worlds": worlds,
        "responses": responses,
        "policies": policies,
    }
    return document | ({"truth": truth} if truth else {})


# --------------------------------------------------------------------------------------- patrol, proved


def patrol_model() -> dict[str, Any]:
    """The watchman of the documentation: three worlds, two responses, four policies, horizon 3."""
    chances = {
        ("calm", "idle"): ("1/10", "7/20"),
        ("calm", "patrol"): ("1/20", "3/10"),
        ("alarm", "idle"): ("1/2", "3/4"),
        ("alarm", "patrol"): ("9/20", "7/10"),
    }
    transition = [
        [[[f"1-({p}+x)", f"{p}+x"] for p in chances[state, action]] for action in ("idle", "patrol")]
        for state in ("calm", "alarm")
    ]
    lean = {"idle": "0", "on-alarm": "1/2", "on-calm": "1/2", "patrol": "1"}
    model = small(
        3,
        {"worlds": {"x": "1/10"}, "responses": {"y": "1/5"}},
        transition=transition,
        memory=2,
        block_rule="mean",
        parameters={},
        table={name: [[f"1/2+y*{k}", f"1/2-y*{k}"]] * 2 for name, k in lean.items()},
        list={"idle": IDLE, "on-alarm": ON_NOISE, "on-calm": ON_QUIET, "patrol": PATROL},
    )
    model["worlds"]["parameters"] = {"x": {"values": ["1/20", "1/10", "3/20"]}}
    model["responses"]["parameters"] = {"y": {"values": ["1/10", "1/5"]}}
    return model | {"name": "patrol"}


def xi(x: str, y: str) -> dict[str, Any]:
    """A model by its two parameters."""
    return {"theta": {"x": x}, "Phi": {"y": y}}


def patrol() -> dict[str, Any]:
    """Everything proved, as the certificate that is kept proves it; of a search that took the same time everywhere."""
    kept = json.loads((CERTIFICATES / "patrol.cert.json").read_bytes())
    proofs = {
        claim["id"]: (claim["verdict"], claim["values"], claim["evidence"], claim["witness"])
        for claim in kept["claims"]
    }
    cert = certificate(patrol_model(), proofs)
    for claim in cert["claims"]:
        claim["search"] = {"seconds": "0.012", "method": "enumeration"}
    cert["claims"][12]["search"]["structure"] = json.dumps({"affine": True, "transition_rank": 2})
    return cert


# ------------------------------------------------------------------------------- Assumption 2.4 refuted


def revealing(model: dict[str, Any], difference: str, q: Any = (("calm", "1"),), **options: Any) -> Any:
    theta, theta_prime = ({"x": text} for text in model["worlds"]["parameters"]["x"]["values"])
    witness = {
        "theta": theta,
        "theta_prime": theta_prime,
        "Phi": {},
        "pi": "idle",
        "h": 1,
        "learner_part": [],
        "o": "quiet",
        "a": "idle",
        "q": [[s, [], p] for s, p in q],
        "signal": "0",
        "difference": difference,
    }
    return refuted(model, "weak-revealing", witness, **options)


def emission_only() -> Any:
    """The worlds differ in the learner's current emission alone."""
    now = [["17/20-x", "3/20+x"], ["3/20", "17/20"]]
    return revealing(small(learner_emission={"steps": [now, CLEAR]}), "1/10")


def never_attacked() -> Any:
    """The worlds differ under an adversary action that is never played."""
    wild = [["3/4-x", "1/4+x"], ["1/4-x", "3/4+x"]]
    never = [["1", "0"], ["1", "0"]]
    return revealing(small(transition=moves(STAY, wild), table={"idle": never, "patrol": EVEN}), "17/200")


def opposite_signs() -> Any:
    """What one adversary action adds, the other takes away."""
    up, down = ([[f"3/4{-s:+d}*x", f"1/4{s:+d}*x"], ["1/4", "3/4"]] for s in (1, -1))
    return revealing(small(transition=moves(up, down)), "17/100")


def remembering() -> Any:
    """Opposite signs at step 2 on the history space, where both players remember step 1."""
    cert = opposite_signs()
    (claim,) = [c for c in cert["claims"] if c["id"] == "weak-revealing"]
    witness = claim["witness"] | {"h": 2, "learner_part": ["noise", "idle"], "q": [["calm", ["dark", "wait"], "1"]]}
    model = cert["model"] | {"game": cert["model"]["game"] | {"horizon": 3}}
    return refuted(model, "weak-revealing", witness, space="history")


def opposite_states() -> Any:
    """What one state adds, the other takes away; a mixture of both hides it."""
    drift = [["1/2+x", "1/2-x"], ["1/2-x", "1/2+x"]]
    model = small(transition=moves(drift, drift))
    return revealing(model, "51/2500", q=(("calm", "3/20"), ("alarm", "17/20")))


def look_alikes(horizon: int = 2) -> Any:
    """The worlds move the state differently, and the next emission does not show the state."""
    wild = [["3/4-x", "1/4+x"], ["1/4-x", "3/4+x"]]
    emission = {"steps": [CLEAR, ALIKE, CLEAR][:horizon]}
    return revealing(small(horizon, transition=moves(wild, wild), learner_emission=emission), "17/100")


def one_renamed() -> Any:
    """Two worlds equal up to the names of the states."""

    def swap(table: Any) -> Any:
        return [
            [f"{a}+({b}-{a})*x" for a, b in zip(row, reversed(other), strict=True)]
            for row, other in zip(table, reversed(table), strict=True)
        ]

    def renamed(table: Any) -> Any:  # observations keep their names, states change theirs
        return [
            [f"{a}+({b}-{a})*x" for a, b in zip(row, other, strict=True)]
            for row, other in zip(table, reversed(table), strict=True)
        ]

    sticky = [["9/10", "1/10"], ["1/4", "3/4"]]
    model = small(
        transition=moves(swap(sticky), swap(sticky)),
        learner_emission=renamed(CLEAR),
        adversary_emission=renamed(DIM),
        parameters={},
    )
    model["worlds"]["parameters"] = {"x": {"values": ["0", "1"]}}
    return revealing(model, "121/100", q=(("calm", "1/2"), ("alarm", "1/2")))


# ------------------------------------------------------------------------------- Assumption 2.3 refuted


def answering(lists: dict[str, Any], table: dict[str, Any], place: dict[str, Any], **options: Any) -> Any:
    first, second = lists
    horizon = options.pop("horizon", 2)
    emission = options.pop("adversary_emission", DIM)
    model = small(horizon, list=lists, table=table, adversary_emission=emission)
    witness = {"theta": {"x": "1/20"}, "pi": first, "nu": second, "Phi": {}, **place}
    return refuted(model, "posterior-lipschitz", witness, **options)


def moves_first() -> Any:
    """The adversary answers at step 1 a difference that shows at step 2."""
    lists = {"lazy": {"steps": [IDLE, IDLE]}, "late": {"steps": [IDLE, PATROL]}}
    table = {"lazy": EVEN, "late": LEANING}
    return answering(
        lists,
        table,
        {
            "h": 1,
            "tau_B": ["dark"],
            "responses": [["1/2", "1/2"], ["7/10", "3/10"]],
            "posteriors": [["1", "0"], ["1", "0"]],
        },
    )


def remembers() -> Any:
    """The adversary answers at step 2 a difference of step 1."""
    lists = {"lazy": {"steps": [IDLE, IDLE]}, "soon": {"steps": [PATROL, IDLE]}}
    table = {"lazy": EVEN, "soon": {"steps": [EVEN, LEANING]}}
    return answering(
        lists,
        table,
        {
            "h": 2,
            "tau_B": ["dark", "wait", "lit"],
            "responses": [["1/2", "1/2"], ["7/10", "3/10"]],
            "posteriors": [["1", "0"], ["1", "0"]],
        },
    )


def averaged_alike(form: str = "step") -> Any:
    """Two policies that differ and that a blind adversary cannot tell apart."""
    lists = {"on-noise": ON_NOISE, "on-quiet": ON_QUIET}
    table = {"on-noise": EVEN, "on-quiet": LEANING}
    return answering(
        lists,
        table,
        {
            "h": 1,
            "tau_B": ["dark"],
            "responses": [["1/2", "1/2"], ["7/10", "3/10"]],
            "posteriors": [["1/2", "1/2"], ["1/2", "1/2"]],
        },
        horizon=1,
        adversary_emission=ALIKE,
        lipschitz_form=form,
    )


def blocks() -> Any:
    """An adversary of memory 2 that answers blocks which differ only where nothing shows yet."""
    lists = {"lazy": {"steps": [IDLE, IDLE]}, "late": {"steps": [IDLE, PATROL]}}
    model = small(list=lists, table={"lazy": EVEN, "late": EVEN}, memory=2, block_rule="table")
    rows = {"lazy lazy": EVEN, "lazy late": LEANING, "late lazy": EVEN, "late late": EVEN}
    model["responses"]["blocks"] = rows
    return refuted(
        model,
        "posterior-lipschitz",
        {
            "theta": {"x": "1/20"},
            "Phi": {},
            "pi": ["lazy", "late"],
            "nu": ["lazy", "lazy"],
            "h": 1,
            "tau_B": ["lit"],
            "responses": [["7/10", "3/10"], ["1/2", "1/2"]],
            "posteriors": [["1", "0"], ["1", "0"]],
        },
    )


# ------------------------------------------------------------------------------- Assumption 3.1 refuted


def truth_outside() -> Any:
    """The truth is not among the values of its axis."""
    truth = {"worlds": {"x": "1/4"}, "responses": {}}
    return refuted(small(truth=truth), "well-specified", {"truth": truth})


def truth_excluded() -> Any:
    """The truth is on its axis, where a constraint cuts it off."""
    truth = {"worlds": {"x": "1/10"}, "responses": {}}
    model = small(truth=truth)
    model["worlds"]["constraints"] = ["-20*x+1 >= 0"]
    return refuted(model, "well-specified", {"truth": truth})


def sound_bridge() -> Any:
    """In one world the state stays calm, and calm never shows a noise."""
    decay = [["1-x", "x"], ["0", "1"]]
    model = small(initial=["1", "0"], transition=moves(decay, decay), learner_emission=[["1", "0"], ["1/2", "1/2"]])
    model["worlds"]["parameters"] = {"x": {"values": ["0", "1/4"]}}
    return refuted(
        model,
        "predictive-states",
        {
            "xi": {"theta": {"x": "1/4"}, "Phi": {}},
            "xi_prime": {"theta": {"x": "0"}, "Phi": {}},
            "pi": "idle",
            "trajectory": ["quiet", "idle", "noise", "idle"],
            "probability": "1/8",
        },
    )


def never_noisy(claim: str) -> Any:
    """In one world the learner never hears a noise."""
    rare = [["1-x", "x"], ["1-x", "x"]]
    model = small(learner_emission=rare)
    model["worlds"]["parameters"] = {"x": {"values": ["0", "1/10"]}}
    return refuted(
        model,
        claim,
        {
            "xi": {"theta": {"x": "1/10"}, "Phi": {}},
            "xi_prime": {"theta": {"x": "0"}, "Phi": {}},
            "pi": "patrol",
            "trajectory": ["quiet", "patrol", "noise", "patrol"],
            "probability": "9/100",
        },
    )


def conversion(
    model: Any,
    claim: str,
    difference: str,
    trajectory: Any,
    xi_star: Any = XI,
    other: Any = XI_PRIME,
    pi: str = "patrol",
    **options: Any,
) -> Any:
    return refuted(
        model,
        claim,
        {
            "xi_star": xi_star,
            "xi": other,
            "pi": pi,
            "h": len(trajectory) // 2,
            "trajectory": trajectory,
            "difference": difference,
        },
        **options,
    )


def last_step() -> Any:
    """The worlds differ where the last step leads."""
    wild = [["3/4-x", "1/4+x"], ["1/4-x", "3/4+x"]]
    transition = {"steps": [moves(STAY, STAY), moves(wild, wild)]}
    return conversion(small(transition=transition), "kl-joint", "151/4000", ["quiet", "patrol", "noise", "patrol"])


def traded_off() -> Any:
    """More effect of an attack, and fewer attacks."""
    wild = [["3/4-x", "1/4+x"], ["1/4-x", "3/4+x"]]
    seldom = [["1-y", "y"], ["1-y", "y"]]
    model = small(transition=moves(STAY, wild), table={"idle": seldom, "patrol": seldom})
    model["responses"]["parameters"] = {"y": {"values": ["1/5", "2/5"]}}
    return conversion(model, "kl-world", "1/20", ["noise", "patrol"], xi("1/20", "2/5"), xi("1/10", "1/5"))


def unplayed_world() -> Any:
    """The worlds differ under an adversary action that is never played."""
    wild = [["3/4-x", "1/4+x"], ["1/4-x", "3/4+x"]]
    never = [["1", "0"], ["1", "0"]]
    model = small(transition=moves(STAY, wild), table={"idle": EVEN, "patrol": never})
    return conversion(model, "kl-world", "1/20", ["noise", "patrol"])


def idle_threat() -> Any:
    """Two responses in a game where the adversary's action changes nothing."""
    model = small(table={"idle": EVEN, "patrol": [["1-y", "y"], ["1-y", "y"]]})
    model["responses"]["parameters"] = {"y": {"values": ["1/5", "2/5"]}}
    return conversion(
        model, "kl-joint", "1/5", ["noise", "patrol"], xi("1/20", "1/5"), xi("1/20", "2/5"), space="history"
    )


# --------------------------------------------------------------------------------------- a run record


def run_record() -> dict[str, Any]:
    """Two algorithms, two seeds, eight episodes of patrol, in the shape a run writes them."""

    def epoch(e: int, policy: str, start: int, episodes: int, ended: str, regret: str) -> dict[str, Any]:
        return {
            "e": e,
            "policy": policy,
            "xi": xi("1/20", "1/10"),
            "value": "3/2",
            "start": start,
            "episodes": episodes,
            "ended": ended,
            "regret": regret,
            "warmup": 1,
            "warmup_regret": "1/8",
            "beta": "8.29831736577165",
            "threshold": "21.5658",
            "gap": "infinite" if ended == "test" else "1/4",
            "truth_inside": True,
            "models_inside": 7 - e,
        }

    def seed(number: int, regret: list[str], epochs: list[dict[str, Any]]) -> dict[str, Any]:
        tested = sum(e["ended"] == "test" for e in epochs)
        return {
            "seed": number,
            "regret": regret,
            "warmup_regret": "1/4",
            "total_regret": "9/4",
            "S_T": len(epochs),
            "terminations": tested,
            "warmup_episodes": len(epochs),
            "truth_in_every_set": True,
            "started": [sum(e["start"] < t for e in epochs) for t in (1, 2, 4, 8)],
            "epochs": epochs,
        }

    first = [
        epoch(1, "idle", 0, 2, "cap", "1"),
        epoch(2, "idle", 2, 2, "test", "1"),
        epoch(3, "patrol", 4, 4, "horizon", "0"),
    ]
    second = [
        epoch(1, "idle", 0, 2, "cap", "1"),
        epoch(2, "idle", 2, 4, "cap", "2"),
        epoch(3, "patrol", 6, 2, "horizon", "0"),
    ]
    seeds = [seed(0, ["1/2", "1", "2", "2"], first), seed(1, ["1/2", "1", "2", "3"], second)]

    def run(algorithm: str, guarantee: str, threshold: str) -> dict[str, Any]:
        return {
            "algorithm": algorithm,
            "guarantee": guarantee,
            "seeds": seeds,
            "constants": {
                "kind": "practical",
                "c": "1",
                "C_0": "0",
                "factor": "2",
                "delta": "1/20",
                "log_covering_upper": {"log_of": "6"},
                "B0_upper": {"log_of": "36864/22661"},
                "schedule": "epochs",
                "radius": "beta_e = ...",
                "threshold": threshold,
            },
            "summary": {
                "regret": {"mean": ["1/2", "1", "2", "5/2"], "two_se": ["0", "0", "0", "1"]},
                "warmup_regret": {"mean": "1/4", "two_se": "0"},
                "total_regret": {"mean": "11/4", "two_se": "1"},
                "S_T": {"mean": "3", "two_se": "0"},
                "terminations": {"mean": "1/2", "two_se": "1"},
                "slope": {"from": 1, "to": 8, "value": "0.797235"},
                "truth_in_every_set": 2,
            },
        }

    cert = patrol()
    return {
        "format": "pomgcheck-run/1",
        "certificate_file": "patrol.cert.json",
        "certificate_sha256": cert["sha256"],
        "model": "patrol",
        "model_sha256": cert["model_sha256"],
        "truth": cert["model"]["truth"],
        "truth_given": False,
        "memory": 2,
        "warmup": "memory",
        "opponent": "the class's",
        "transient": "0",
        "block_rule": "mean",
        "before_start": "the first policy, for ever",
        "episodes": 8,
        "seeds": [0, 1],
        "rng": "PCG64",
        "packages": {"numpy": "2.0", "python": "3.11"},
        "ties": "first",
        "t": [1, 2, 4, 8],
        "sha256": "ab" * 32,
        "runs": [
            run("epoch-omle", "none (practical constants)", "tau_e(t) = ..."),
            run("epoch-fixed", "none (no termination test)", "none"),
        ],
    }


# every refuted sample by name
REFUTED: dict[str, Callable[[], dict[str, Any]]] = {
    "emission only": emission_only,
    "never attacked": never_attacked,
    "opposite signs": opposite_signs,
    "opposite states": opposite_states,
    "remembering": remembering,
    "look alikes": look_alikes,
    "look alikes, longer": partial(look_alikes, 3),
    "one renamed": one_renamed,
    "moves first": moves_first,
    "remembers": remembers,
    "averaged alike": averaged_alike,
    "averaged alike, policy": partial(averaged_alike, "policy"),
    "blocks": blocks,
    "truth outside": truth_outside,
    "truth excluded": truth_excluded,
    "never noisy": partial(never_noisy, "bounded-increments"),
    "never noisy, unpredictable": partial(never_noisy, "predictive-states"),
    "sound bridge": sound_bridge,
    "last step": last_step,
    "traded off": traded_off,
    "unplayed world": unplayed_world,
    "idle threat": idle_threat,
}
