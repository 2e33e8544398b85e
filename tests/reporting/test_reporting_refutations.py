"""Every way a claim fails, explained in full."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pomgcheck.reporting import explain
from tests.reporting import samples

HEAD = "The counterexample.\n\n"
COMMAND = "  • To compute the smallest repair: pomgcheck repair CERT.\n"
EXPLANATIONS = {
    "emission only": """\
Compare the worlds x=1/20 and x=1/10 under policy idle. At step 1 let the hidden state be calm with
probability 1. The learner sees quiet and plays idle.

What the world channel leads to: masses of the next hidden state for each action of the adversary,
and their ℓ₁ difference
Adversary plays  World x=1/20         World x=1/10           Difference  Is played
───────────────  ───────────────────  ─────────────────────  ──────────  ─────────
wait             calm 3/5, alarm 1/5  calm 9/16, alarm 3/16  1/20        yes
attack           calm 3/5, alarm 1/5  calm 9/16, alarm 3/16  1/20        yes

Together the channels differ by 1/10 in ℓ₁. Yet the next learner observation has the same law in
both worlds: quiet 27/40, noise 13/40. The signal is 0, so no α_κ > 0 will do.

Why. The worlds differ in how likely quiet is now (4/5 against 3/4), and the literal form conditions
on having seen it, which cancels exactly that.

What would repair it.

  • --form joint compares the probability of the current observation and the window together; there
    this difference counts.
""",
    "never attacked": """\
Compare the worlds x=1/20 and x=1/10 under policy idle. At step 1 let the hidden state be calm with
probability 1. The learner sees quiet and plays idle.

What the world channel leads to: masses of the next hidden state for each action of the adversary,
and their ℓ₁ difference
Adversary plays  World x=1/20                World x=1/10                 Difference  Is played
───────────────  ──────────────────────────  ───────────────────────────  ──────────  ─────────
attack           calm 119/200, alarm 51/200  calm 221/400, alarm 119/400  17/200      never

Together the channels differ by 17/200 in ℓ₁. Yet the next learner observation has the same law in
both worlds: quiet 27/40, noise 13/40. The signal is 0, so no α_κ > 0 will do.

Why. The channels differ only where the adversary plays attack, which against policy idle it never
does.

What would repair it.

  • Give every response a floor: a probability of at least some ε > 0 for each adversary action.
""",
    "opposite signs": """\
Compare the worlds x=1/20 and x=1/10 under policy idle. At step 1 let the hidden state be calm with
probability 1. The learner sees quiet and plays idle.

What the world channel leads to: masses of the next hidden state for each action of the adversary,
and their ℓ₁ difference
Adversary plays  World x=1/20                World x=1/10                 Difference  Is played
───────────────  ──────────────────────────  ───────────────────────────  ──────────  ─────────
wait             calm 119/200, alarm 51/200  calm 221/400, alarm 119/400  17/200      yes
attack           calm 17/25, alarm 17/100    calm 289/400, alarm 51/400   17/200      yes

Together the channels differ by 17/100 in ℓ₁. Yet the next learner observation has the same law in
both worlds: quiet 27/40, noise 13/40. The signal is 0, so no α_κ > 0 will do.

Why. The differences when the adversary plays wait and attack have opposite signs and cancel in the
mixture, so the next hidden state has the same law in both worlds.

What would repair it.

  • Let the two worlds differ in one direction only, or let the response and the emissions weigh the
    opposite differences unequally.
""",
    "opposite states": """\
Compare the worlds x=1/20 and x=1/10 under policy idle. At step 1 let the hidden state be calm with
probability 3/20 and alarm with probability 17/20. The learner sees quiet and plays idle.

What the world channel leads to: masses of the next hidden state for each action of the adversary,
and their ℓ₁ difference
Adversary plays    World x=1/20                  World x=1/10                  Difference  Is played
─────────────────  ────────────────────────────  ────────────────────────────  ──────────  ─────────
wait after dark    calm 663/10000,               calm 1377/20000,              51/10000    yes
                   alarm 153/2500                alarm 1173/20000

wait after lit     calm 153/2500,                calm 1173/20000,              51/10000    yes
                   alarm 663/10000               alarm 1377/20000

attack after dark  calm 663/10000,               calm 1377/20000,              51/10000    yes
                   alarm 153/2500                alarm 1173/20000

attack after lit   calm 153/2500,                calm 1173/20000,              51/10000    yes
                   alarm 663/10000               alarm 1377/20000

Together the channels differ by 51/2500 in ℓ₁. Yet the next learner observation has the same law in
both worlds: quiet 1/2, noise 1/2. The signal is 0, so no α_κ > 0 will do.

Why. The differences from calm and alarm have opposite signs and cancel in the mixture, so the next
hidden state has the same law in both worlds.

What would repair it.

  • Let the two worlds differ in one direction only, or let the response and the emissions weigh the
    opposite differences unequally.
  • If play never reaches this mixture, --scope reachable asks the inequality only of predictive
    states that some model and policy of the class reach.
""",
    "remembering": """\
Compare the worlds x=1/20 and x=1/10 under policy idle. At step 2 let the hidden state be calm with
probability 1 (the adversary remembering dark, wait). The learner remembers noise, idle. The learner
sees quiet and plays idle.

What the world channel leads to: masses of the next hidden state for each action of the adversary,
and their ℓ₁ difference
Adversary plays  World x=1/20                World x=1/10                 Difference  Is played
───────────────  ──────────────────────────  ───────────────────────────  ──────────  ─────────
wait             calm 119/200, alarm 51/200  calm 221/400, alarm 119/400  17/200      yes
attack           calm 17/25, alarm 17/100    calm 289/400, alarm 51/400   17/200      yes

Together the channels differ by 17/100 in ℓ₁. Yet the next learner observation has the same law in
both worlds: quiet 27/40, noise 13/40. The signal is 0, so no α_κ > 0 will do.

Why. The differences when the adversary plays wait and attack have opposite signs and cancel in the
mixture, so the next hidden state has the same law in both worlds.

What would repair it.

  • Let the two worlds differ in one direction only, or let the response and the emissions weigh the
    opposite differences unequally.
""",
    "look alikes": """\
Compare the worlds x=1/20 and x=1/10 under policy idle. At step 1 let the hidden state be calm with
probability 1. The learner sees quiet and plays idle.

What the world channel leads to: masses of the next hidden state for each action of the adversary,
and their ℓ₁ difference
Adversary plays  World x=1/20                World x=1/10                 Difference  Is played
───────────────  ──────────────────────────  ───────────────────────────  ──────────  ─────────
wait             calm 119/200, alarm 51/200  calm 221/400, alarm 119/400  17/200      yes
attack           calm 119/200, alarm 51/200  calm 221/400, alarm 119/400  17/200      yes

Together the channels differ by 17/100 in ℓ₁. Yet the next learner observation has the same law in
both worlds: quiet 1/2, noise 1/2. The signal is 0, so no α_κ > 0 will do.

Why. The worlds move calm and alarm differently, and at step 2 these states show the learner the
same observations.

What would repair it.

  • Let the learner's emissions tell these states apart. A longer window does not fit after step 1
    of 2: lengthen the horizon and raise --kappa.
""",
    "look alikes, longer": """\
Compare the worlds x=1/20 and x=1/10 under policy idle. At step 1 let the hidden state be calm with
probability 1. The learner sees quiet and plays idle.

What the world channel leads to: masses of the next hidden state for each action of the adversary,
and their ℓ₁ difference
Adversary plays  World x=1/20                World x=1/10                 Difference  Is played
───────────────  ──────────────────────────  ───────────────────────────  ──────────  ─────────
wait             calm 119/200, alarm 51/200  calm 221/400, alarm 119/400  17/200      yes
attack           calm 119/200, alarm 51/200  calm 221/400, alarm 119/400  17/200      yes

Together the channels differ by 17/100 in ℓ₁. Yet the next learner observation has the same law in
both worlds: quiet 1/2, noise 1/2. The signal is 0, so no α_κ > 0 will do.

Why. The worlds move calm and alarm differently, and at step 2 these states show the learner the
same observations.

What would repair it.

  • Let the learner's emissions tell these states apart. A longer window may do it too: --kappa 2.
""",
    "one renamed": """\
Compare the worlds x=0 and x=1 under policy idle. At step 1 let the hidden state be calm with
probability 1/2 and alarm with probability 1/2. The learner sees quiet and plays idle.

What the world channel leads to: masses of the next hidden state for each action of the adversary,
and their ℓ₁ difference
Adversary plays  World x=0                   World x=1                   Difference  Is played
───────────────  ──────────────────────────  ──────────────────────────  ──────────  ─────────
wait             calm 321/800, alarm 79/800  calm 79/800, alarm 321/800  121/200     yes
attack           calm 321/800, alarm 79/800  calm 79/800, alarm 321/800  121/200     yes

Together the channels differ by 121/100 in ℓ₁. Yet the next learner observation has the same law in
both worlds: quiet 2847/4000, noise 1153/4000. The signal is 0, so no α_κ > 0 will do.

Why. The two worlds are one with its hidden states renamed: calm in the first is alarm in the second
and alarm in the first is calm in the second. No observation can tell them apart.

What would repair it.

  • Keep one of the two parameter points: they describe the same game.
""",
    "moves first": """\
At step 1, having seen dark, the adversary answers policy lazy with (1/2, 1/2) over (wait, attack),
and policy late with (7/10, 3/10). Yet in world x=1/20 both policies look the same to it: the
posterior of the learner's action is (1, 0) over (idle, patrol). The answers differ by 2/5 in ℓ₁ and
the posteriors by 0, so no constant L will do.

Why. The two play alike up to step 1 and first differ at step 2: the adversary answers a difference
that has not shown yet.

What would repair it.

  • --lipschitz policy compares the policies over all steps, and so admits an adversary that answers
    a difference at another step.
  • Let the adversary give one answer to both at this history: its response may depend on the
    policies only through the posterior.
""",
    "remembers": """\
At step 2, having seen dark, played wait and seen lit, the adversary answers policy lazy with
(1/2, 1/2) over (wait, attack), and policy soon with (7/10, 3/10). Yet in world x=1/20 both policies
look the same to it: the posterior of the learner's action is (1, 0) over (idle, patrol). The
answers differ by 2/5 in ℓ₁ and the posteriors by 0, so no constant L will do.

Why. The two play alike at step 2: the adversary answers a difference at another step.

What would repair it.

  • --lipschitz policy compares the policies over all steps, and so admits an adversary that answers
    a difference at another step.
  • Let the adversary give one answer to both at this history: its response may depend on the
    policies only through the posterior.
""",
    "averaged alike": """\
At step 1, having seen dark, the adversary answers policy on-noise with (1/2, 1/2) over
(wait, attack), and policy on-quiet with (7/10, 3/10). Yet in world x=1/20 both policies look the
same to it: the posterior of the learner's action is (1/2, 1/2) over (idle, patrol). The answers
differ by 2/5 in ℓ₁ and the posteriors by 0, so no constant L will do.

Why. The two play differently at step 1, but averaged over what the learner may have seen they
choose each action equally often.

What would repair it.

  • Let the adversary give one answer to both at this history: its response may depend on the
    policies only through the posterior.
""",
    "averaged alike, policy": """\
At step 1, having seen dark, the adversary answers policy on-noise with (1/2, 1/2) over
(wait, attack), and policy on-quiet with (7/10, 3/10). Yet in world x=1/20 both policies look the
same to it: the posterior of the learner's action is (1/2, 1/2) over (idle, patrol). The answers
differ by 2/5 in ℓ₁ and the posteriors by 0, so no constant L will do.

Why. No posterior, at any step or history, tells the two apart, so nothing the adversary can know
does.

What would repair it.

  • Leave one of the two out of the policy class.
  • Let the adversary give one answer to both at this history: its response may depend on the
    policies only through the posterior.
""",
    "blocks": """\
At step 1, having seen lit, the adversary answers the block (lazy, late) with (7/10, 3/10) over
(wait, attack), and the block (lazy, lazy) with (1/2, 1/2). Yet in world x=1/20 the reference
posteriors of the two are the same. The answers differ by 2/5 in ℓ₁ and the posteriors by 0, so no
constant L will do.

Why. The two play alike up to step 1 and first differ at step 2: the adversary answers a difference
that has not shown yet.

What would repair it.

  • --lipschitz policy compares the policies over all steps, and so admits an adversary that answers
    a difference at another step.
  • Let the adversary give one answer to both at this history: its response may depend on the
    policies only through the posterior.
""",
    "truth outside": """\
The truth (x=1/4) is none of the models of the class.

Why. x=1/4 is outside its values 1/20, 1/10.

What would repair it.

  • Add 1/4 to worlds.parameters.x, or move the truth.
""",
    "truth excluded": """\
The truth (x=1/10) is none of the models of the class.

Why. x=1/10 is none of the points of worlds.

What would repair it.

  • Add the point to worlds, loosen what excludes it, or move the truth.
""",
    "never noisy": """\
Under policy patrol, step by step:

  1. The learner sees quiet and plays patrol.
  2. The learner sees noise and plays patrol.

Model (x=1/10) gives these observations probability 9/100; model (x=0) gives them 0, so their
log-likelihood ratio is unbounded.

The probability of each observation, given what came before it
Step     Seen   Played  Under (x=1/10)  Under (x=0)  Ratio
───────  ─────  ──────  ──────────────  ───────────  ─────
1        quiet  patrol  9/10            1            9/10
2        noise  patrol  1/10            0            –
product  –      –       9/100           0            –

Why. Under (x=0) no state shows noise at step 2.

What would repair it.

  • Smooth the class: give noise a positive probability in some state at step 2 in every model, or
    let every model reach a state that shows it.
""",
    "never noisy, unpredictable": """\
Under policy patrol, step by step:

  1. The learner sees quiet and plays patrol.
  2. The learner sees noise and plays patrol.

Model (x=1/10) gives these observations probability 9/100; model (x=0) gives them 0, so its
predictive state is then undefined.

The probability of each observation, given what came before it
Step     Seen   Played  Under (x=1/10)  Under (x=0)  Ratio
───────  ─────  ──────  ──────────────  ───────────  ─────
1        quiet  patrol  9/10            1            9/10
2        noise  patrol  1/10            0            –
product  –      –       9/100           0            –

Why. Under (x=0) no state shows noise at step 2.

What would repair it.

  • Smooth the class: give noise a positive probability in some state at step 2 in every model, or
    let every model reach a state that shows it.
""",
    "sound bridge": """\
Under policy idle, step by step:

  1. The learner sees quiet and plays idle.
  2. The learner sees noise and plays idle.

Model (x=1/4) gives these observations probability 1/8; model (x=0) gives them 0, so its predictive
state is then undefined.

The probability of each observation, given what came before it
Step     Seen   Played  Under (x=1/4)  Under (x=0)  Ratio
───────  ─────  ──────  ─────────────  ───────────  ─────
1        quiet  idle    1              1            1
2        noise  idle    1/8            0            –
product  –      –       1/8            0            –

Why. Under (x=0) the state at step 2 is then surely calm, which never shows noise.

What would repair it.

  • Smooth the class: give noise a positive probability in calm at step 2 in every model, or let
    every model reach a state that shows it.
""",
    "last step": """\
Under policy patrol, the models (x=1/20) and (x=1/10) give the learner the same law of play, yet
once it observes noise and plays patrol at step 2 (after quiet/patrol) the operators differ by
151/4000 in ℓ₁.

The one law of play
The learner sees/plays      Under (x=1/20)  Under (x=1/10)
──────────────────────────  ──────────────  ──────────────
quiet/patrol, quiet/patrol  249/800         249/800
quiet/patrol, noise/patrol  151/800         151/800
noise/patrol, quiet/patrol  151/800         151/800
noise/patrol, noise/patrol  249/800         249/800

Why. Step 2 is the last: nothing is observed after it, so a difference in where it leads is never
seen.

What would repair it.

  • Give all models the same transition and response at step 2, or append a step whose observation
    shows the state (padding with κ revealing steps, as the paper does).
""",
    "traded off": """\
Under policy patrol, the models (x=1/20, y=2/5) and (x=1/10, y=1/5) give the learner the same law of
play, yet once it observes noise and plays patrol at step 1 the world channels differ by 1/20 in ℓ₁.

The one law of play
The learner sees/plays      Under (x=1/20, y=2/5)  Under (x=1/10, y=1/5)
──────────────────────────  ─────────────────────  ─────────────────────
quiet/patrol, quiet/patrol  1217/4000              1217/4000
quiet/patrol, noise/patrol  783/4000               783/4000
noise/patrol, quiet/patrol  727/4000               727/4000
noise/patrol, noise/patrol  1273/4000              1273/4000

Why. What changes with the world is made up for by what changes with the response.

What would repair it.

  • Keep one of the two models, or change the emissions or the responses so that play can tell them
    apart.
""",
    "unplayed world": """\
Under policy patrol, the models (x=1/20) and (x=1/10) give the learner the same law of play, yet
once it observes noise and plays patrol at step 1 the world channels differ by 1/20 in ℓ₁.

The one law of play
The learner sees/plays      Under (x=1/20)  Under (x=1/10)
──────────────────────────  ──────────────  ──────────────
quiet/patrol, quiet/patrol  249/800         249/800
quiet/patrol, noise/patrol  151/800         151/800
noise/patrol, quiet/patrol  151/800         151/800
noise/patrol, noise/patrol  249/800         249/800

Why. The channels differ only where the adversary plays attack, which against policy patrol it never
does.

What would repair it.

  • Give every response a floor: a probability of at least some ε > 0 for each adversary action.
""",
    "idle threat": """\
Under policy patrol, the models (x=1/20, y=1/5) and (x=1/20, y=2/5) give the learner the same law of
play, yet once it observes noise and plays patrol at step 1 the operators differ by 1/5 in ℓ₁.

The one law of play
The learner sees/plays      Under (x=1/20, y=1/5)  Under (x=1/20, y=2/5)
──────────────────────────  ─────────────────────  ─────────────────────
quiet/patrol, quiet/patrol  249/800                249/800
quiet/patrol, noise/patrol  151/800                151/800
noise/patrol, quiet/patrol  151/800                151/800
noise/patrol, noise/patrol  249/800                249/800

Why. The two responses differ only in ways that no later observation of the learner shows.

What would repair it.

  • Keep one of the two models, or change the emissions or the responses so that play can tell them
    apart.
""",
}


def failing(cert: dict[str, list[dict[str, str]]]) -> str:
    """The id of the refuted claim."""
    (claim,) = (claim["id"] for claim in cert["claims"] if claim["verdict"] == "refuted")
    return claim


@pytest.mark.parametrize("name", samples.REFUTED)
def test_walk_through(name: str) -> None:
    """A refuted claim is told in the model's own labels: what happens, why, and what would repair it; the last remedy
    is the command that computes one, but for a truth outside the class."""
    cert = samples.REFUTED[name]()
    text = explain(cert, failing(cert))
    last = "" if failing(cert) == "well-specified" else COMMAND
    assert EXPLANATIONS[name] + last == text[text.index(HEAD) + len(HEAD) :]


def test_every_sample_is_explained() -> None:
    """No sample is without its expected text, and no text without its sample."""
    assert set(samples.REFUTED) == set(EXPLANATIONS)


def test_longer_window_with_no_law_shown() -> None:
    """With a window of two the law of the next observations is not spelled out, and the cause is still named."""
    cert = samples.look_alikes(3)
    witness = next(c["witness"] for c in cert["claims"] if c["witness"])
    emission = {"steps": [samples.CLEAR, samples.ALIKE, samples.ALIKE]}
    model = samples.small(3, transition=cert["model"]["worlds"]["transition"], learner_emission=emission)
    text = explain(samples.refuted(model, "weak-revealing", witness, kappa=2), "weak-revealing")
    assert "Yet the next 2 learner observations have the same law in both worlds. The signal is 0" in " ".join(
        text.split()
    )
    assert "differently, but the differences cancel in what the learner sees next" in " ".join(text.split())


def test_a_change_of_sign_is_told() -> None:
    """Where only the sign of the signal is known to change, the walk says so and claims no rational state."""
    path = Path(__file__).parents[1] / "accepted" / "refuted-crossing.cert.json"
    told = " ".join(explain(json.loads(path.read_bytes()), "weak-revealing").split())
    assert "So it vanishes for some mixture of the two, though perhaps for no rational one" in told


def test_a_curve_is_to_blame_and_not_the_last_step() -> None:
    """Two models that differ at every step and play alike are told to make up for each other; a box of the intervals may
    repair it."""
    path = Path(__file__).parents[2] / "certificates" / "confounded-curve.cert.json"
    told = " ".join(explain(json.loads(path.read_bytes()), "kl-world").split())
    assert "Why. What changes with the world is made up for by what changes with the response." in told
    assert "Fix one of the parameters in which the two models differ" in told
    assert "To compute the largest box around the truth: pomgcheck repair CERT." in told


def test_advice_on_intervals_is_what_can_be_followed() -> None:
    """The scope reachable is not decided on intervals, and the advice to try it says on what axes it is."""
    cert = samples.opposite_states()
    told = " ".join(explain(cert, "weak-revealing").split())
    cert["model"]["worlds"]["parameters"]["x"] = {"interval": ["1/20", "1/10"]}
    on_intervals = " ".join(explain(cert, "weak-revealing").split())
    assert "it is decided on axes of values, in place of the intervals." in on_intervals
    assert "states that some model and policy of the class reach. •" in told
