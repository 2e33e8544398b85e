"""What Coq is asked about each claim of a certificate: theorems with their proofs, or the reason why there are none."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from math import prod
from typing import Any

from pomgcheck.exporters.coq.guarantees import constants, regret
from pomgcheck.exporters.coq.revealing import evidence_of
from pomgcheck.exporters.coq.stated import CHECKED, REFUTED, CoqTheorem, Entry, Stated, Subject, proved, rounded
from pomgcheck.exporters.coq.terms import document, kept, listed, model, naturals, number, pair, point, points, reaction
from pomgcheck.kernel.claims.eluder import channels
from pomgcheck.kernel.eluder import sign_witness
from pomgcheck.kernel.facts import Facts, summed

MAX_COMPARISONS = 100_000  # of blocks at histories, in the policy form of 2.3 and for tables of blocks
MAX_ENTRIES = 100_000  # of W, of whose differences the rank is asked
IMPOSSIBLE = "xi", "xi_prime"  # a witness names first the model that allows its trajectory


SUMMED = "operators are summed; Statements.v has them at the pair that occurs"
ENDINGS = "prefixes are told apart by their endings; the checkers in Coq play whole ones"
HISTORIES = "predictive states over whole histories; Statements.v has windows"
UNDECIDED = {
    "unknown": "the certificate does not decide it",
    "declared": "the certificate declares it on trust",
    "vacuous": "vacuous: it compares nothing",
}


def factorization(of: Subject) -> Stated:
    """Return Theorem 2.5: J = G W, which holds for every document."""
    statement = "forall F : OF, factorization F model"
    theorem = CoqTheorem("factors", statement, "intro F. exact (factorization_holds F model)")
    return of.stated(theorem, says="J = G∘W over every ordered field", requires=("CausalDecomposition",))


def oom_identity(of: Subject) -> Stated:
    """Return Theorem 2.5: the controlled law is a product of operators, for every document."""
    theorem = CoqTheorem("laws_are_products", "oom_identity model", "exact (oom_identity_holds model)")
    return of.stated(theorem, says="P(o|a) = 1ᵀJ…Jq₀", requires=("CausalDecomposition",))


def nonexpansive(of: Subject) -> Stated:
    """Return Theorem 2.5: signs, and ‖Gu‖₁ ≤ ‖u‖₁, for every class of games."""
    proof = "intro F. apply nonexpansive_holds; [exact is_class | repeat constructor]"
    theorem = CoqTheorem("does_not_expand", "forall F : OF, nonexpansive F model", proof)
    return of.stated(theorem, says="W, G ≥ 0 and ‖Gu‖₁ ≤ ‖u‖₁", requires=("CausalDecomposition",))


def posterior_lipschitz(of: Subject) -> Stated:
    """Return Assumption 2.3 in the form asked for: L, and that no smaller one will do; or a history at which no L
    holds.  Where memory fades it is about the responses to single policies."""
    game = of.facts.game
    fading = game.block_rule == "fading"
    rule, m = ("Latest", 1) if fading else (reaction(game), game.m)
    policy_form, table = of.facts.options["lipschitz_form"] == "policy", game.block_rule == "table"
    histories = sum((len(game.OB) * len(game.B)) ** h * len(game.OB) for h in range(game.H))
    blocks = len(game.policies) ** ((m or 1) if table else 1)
    if (policy_form or table) and histories * blocks**2 > MAX_COMPARISONS:
        return of.left("too many pairs of blocks and histories for the checker, which goes through all of them")
    form = str(policy_form).lower()
    arguments = f"{of.term} rule {m} {form}"
    requires = ("PosteriorLipschitz", "FadingMemory") if fading else ("PosteriorLipschitz",)
    definition = f"Definition rule : block_rule := {rule}."
    if of.entry["verdict"] == "refuted":
        proof = f"apply (check_unequal_sound {arguments} unequal). {CHECKED}"
        theorem = CoqTheorem("responses_leap", f"forall L, ~ posterior_lipschitz {arguments} L", proof)
        definition += f"\nDefinition unequal : history_at := {history_at(of, of.entry['witness'])}."
        return of.stated(theorem, says="no L", requires=requires, definitions=definition)
    lower, upper, place = of.value("L_lower"), of.value("L_upper"), of.entry["evidence"]["attained"]
    statement = f"posterior_lipschitz {arguments} {number(upper)}"
    theorems = [CoqTheorem("responses_follow", statement, f"apply check_lipschitz_sound. {CHECKED}")]
    if fading:
        statement = f"posterior_lipschitz_averaged model {form} {number(upper)}"
        theorems = [CoqTheorem("averages_follow", statement, f"apply check_averaged_sound. {CHECKED}")]
    if of.some:
        theorems.clear()
    if place is not None:
        definition += f"\nDefinition attained : history_at := {history_at(of, place)}."
        statement = f"forall L, (L < {number(lower)})%Q -> ~ posterior_lipschitz {arguments} L"
        proof = f"apply (check_apart_sound {arguments} attained {number(lower)}). {CHECKED}"
        theorems.append(CoqTheorem("responses_reach", statement, proof))
    unshown = place is None and bool(lower)
    says = f"L ≥ {lower}" if of.some else f"L ≤ {upper}" if unshown else f"L = {upper}"
    left = "that no smaller L will do: no place shows it" if unshown else ""
    return of.stated(*theorems, says=says, left=left, requires=requires, definitions=definition)


def history_at(of: Subject, place: Mapping[str, Any]) -> str:
    """Return two blocks of policies at a decision history of the adversary, by number."""
    case, game, labels = of.case, of.facts.game, place["tau_B"]
    blocks = [place[x] if game.block_rule == "table" else [place[x]] * (game.m or 1) for x in ("pi", "nu")]
    pi, nu = (naturals(map(case.policy, block)) for block in blocks)
    past = listed(
        pair(str(game.OB.index(o)), str(game.B.index(b))) for o, b in zip(labels[:-1:2], labels[1::2], strict=True)
    )
    before = case.world(place["theta"]), case.answer(place["Phi"]), pi, nu, place["h"] - 1
    return f"History {' '.join(map(str, before))} {past} {game.OB.index(labels[-1])}"


def weak_revealing(of: Subject) -> Stated:
    """Return Assumption 2.4, by rule ``tests`` or at every state that the class reaches, and a state at which no larger
    alpha holds; or a state without a signal, or two between which a signal changes its sign."""
    options, evidence = of.facts.options["weak_revealing"], of.entry["evidence"]
    joint = "true" if options["form"] == "joint" else "false"
    arguments = f"{of.term} {joint} {of.facts.options['kappa']}"
    scope, premise = ("_reachable", " is_class") if options["scope"] == "reachable" else ("", "")
    files = ("RevealingRatio", "ReachableStates") if scope else ("RevealingRatio",)
    statement = f"weak_revealing{scope} F {arguments}"
    if of.entry["verdict"] == "refuted":
        place = of.entry["witness"]
        definition = f"Definition unrevealed : state_at := {state_at(of, place)}."
        proof = f"apply (no_signal{scope} F {arguments} unrevealed{premise})."
        if "q_other" in place:
            files = ("RevealingRatio", "SignalCrossing")
            definition += f"\nDefinition other : masses := {masses(of, place['q_other'])}."
            proof = f"apply (check_crossing_sound F {of.term} {of.facts.options['kappa']} unrevealed other)."
        theorem = CoqTheorem(
            "reveals_nothing", f"forall (F : OF) alpha, ~ {statement} alpha", f"intro F. {proof} {CHECKED}"
        )
        return of.stated(theorem, says="no α > 0", requires=files, definitions=definition)
    lower, upper = of.value("alpha_lower"), of.value("alpha_upper")
    proof = f"apply (check_reachable_sound F {arguments} {number(lower)} is_class)."
    definition = f"Definition attained : state_at := {state_at(of, evidence['attained'])}."
    if not scope and not of.some:
        proof = f"apply (check_revealing_sound F {arguments} proof)."
        definition = f"{evidence_of(of.facts, evidence, lower)}\n{definition}"
        files = ("RuleLin", "WeakRevealing", *files)
    reveals = CoqTheorem("reveals", f"forall F : OF, {statement} {number(lower)}", f"intro F. {proof} {CHECKED}")
    no_more = CoqTheorem(
        "reveals_no_more",
        f"forall (F : OF) alpha, ({number(upper)} < alpha)%Q -> ~ {statement} alpha",
        f"intro F. apply (check{scope}_ratio_sound F {arguments} attained {number(upper)}{premise}). {CHECKED}",
    )
    if of.some:
        return of.stated(no_more, says=f"α ≤ {upper}", requires=files, definitions=definition)
    says = f"α = {lower}" if lower == upper else f"{lower} ≤ α ≤ {upper}"
    return of.stated(reveals, no_more, says=says, requires=files, definitions=definition)


def state_at(of: Subject, place: Mapping[str, Any]) -> str:
    """Return a predictive state with its place, by number."""
    case, game = of.case, of.facts.game
    numbers = case.world(place["theta"]), case.world(place["theta_prime"]), case.answer(place["Phi"])
    memory = naturals(game.OA.index(o) for o in place["learner_part"])
    at = game.OA.index(place["o"]), game.A.index(place["a"])
    before = " ".join(map(str, (*numbers, case.policy(place["pi"]), place["h"] - 1)))
    return f"At {before} {memory} {at[0]} {at[1]} {masses(of, place['q'])}"


def masses(of: Subject, entries: Sequence[tuple[str, Sequence[str], str]]) -> str:
    """Return a predictive state as its masses, by number."""
    states, observations = of.facts.game.S, of.facts.game.OB
    return listed(
        pair(pair(str(states.index(s)), naturals(observations.index(o) for o in memory)), number(Fraction(mass)))
        for s, memory, mass in entries
    )


def well_specified(
    of: Subject,
    statement: str = "well_specified model truth",
    lemmas: tuple[str, str] = ("check_well_specified_sound", "outside_sound"),
    requires: tuple[str, ...] = ("WellSpecified",),
) -> Stated:
    """Return Assumption 3.1(a): the truth is one of the models, or none of them, each by its lemma."""
    truth = of.facts.game.truth
    assert truth is not None  # the claim is declared where the document has none
    inside = of.entry["verdict"] == "proved"
    definition = f"Definition truth : point * point := {model(*truth)}."
    theorem = CoqTheorem("truth_outside", f"~ {statement}", f"apply {lemmas[1]}. {REFUTED}")
    if inside:
        theorem = CoqTheorem("truth_in_class", statement, f"apply {lemmas[0]}. {CHECKED}")
    says = "the truth is a model of the class" if inside else "the truth is no model of the class"
    return of.stated(theorem, says=says, requires=requires, definitions=definition)


def covering(of: Subject) -> Stated:
    """Return Assumption 3.1(b): a list of models that covers the class at every scale."""
    size = of.value("log_covering_upper")
    net = listed(model(theta, phi) for theta, phi in itertools.product(*kept(of.facts.game)))
    covered = CoqTheorem(
        "covered", f"covering model {size}", f"apply (check_covering_sound model {size} net). {CHECKED}"
    )
    no_fewer = CoqTheorem(
        "fewer_do_not",
        f"forall n, n < {size} -> ~ covering model n",
        f"apply (check_fewest_sound model {size} net). {CHECKED}",
    )
    definition = f"Definition net : list (point * point) := {net}."
    says, requires = f"{size} models cover the class, and no fewer", ("Covering", "CoveringNumber")
    return of.stated(covered, no_fewer, says=says, requires=requires, definitions=definition)


def trajectory(of: Subject, place: Mapping[str, Any], one: str, other: str) -> str:
    """Return two models, a policy and a trajectory as arguments."""
    game, case = of.facts.game, of.case
    thetas, phis = points(game)

    def chosen(name: str) -> str:
        theta, phi = case.model(place[name], name)
        return model(thetas[theta], phis[phi])

    labels = place["trajectory"]
    seen = listed(
        pair(str(game.OA.index(o)), str(game.A.index(a))) for o, a in zip(labels[::2], labels[1::2], strict=True)
    )
    return f"{chosen(one)} {chosen(other)} {case.policy(place['pi'])} {seen}"


def bounded_increments(of: Subject) -> Stated:
    """Return Assumption 3.1(c): B with log B = B_0, and that no smaller one will do; or a trajectory that no B bounds."""
    requires = ("BoundedIncrements",)
    if of.entry["verdict"] == "refuted":
        place = trajectory(of, of.entry["witness"], *IMPOSSIBLE)
        proof = f"apply (impossible_unbounded {of.term} {place}). {CHECKED}"
        theorem = CoqTheorem("increments_unbounded", f"forall B, ~ bounded_increments {of.term} B", proof)
        return of.stated(theorem, says="no B₀", requires=requires)
    upper, lower = of.value("B0_upper"), of.value("B0_lower")
    bounded = CoqTheorem(
        "increments_bounded", f"bounded_increments model {number(upper)}", f"apply check_increments_sound. {CHECKED}"
    )
    place = trajectory(of, of.entry["evidence"]["attained"], "xi", "xi_prime")
    no_less = CoqTheorem(
        "increments_reach",
        f"forall B, (B < {number(lower)})%Q -> ~ bounded_increments {of.term} B",
        f"apply (increment_at_sound {of.term} {number(lower)} {place}). {CHECKED}",
    )
    if of.some:
        return of.stated(no_less, says=f"B₀ ≥ log {lower}", requires=requires)
    return of.stated(bounded, no_less, says=f"B₀ = log {upper}", requires=requires)


def predictive_states(of: Subject) -> Stated:
    """Return Assumption 3.1(d), or a trajectory that one model can show and another cannot."""
    if of.entry["verdict"] == "refuted":
        place = trajectory(of, of.entry["witness"], *IMPOSSIBLE)
        proof = f"apply (impossible_undefined {of.term} {place}). {CHECKED}"
        theorem = CoqTheorem("states_undefined", f"~ predictive_states {of.term}", proof)
        return of.stated(theorem, says="some q^ξ is undefined", requires=("BoundedIncrements", "PredictiveStates"))
    theorem = CoqTheorem("states_defined", "predictive_states model", f"apply check_predictive_sound. {CHECKED}")
    return of.stated(theorem, says="every q^ξ is defined", requires=("PredictiveStates",))


def kl_conversion(of: Subject) -> Stated:
    """Return Assumption 3.1(e): c, and that no larger one will do; or two models that play alike with different
    operators."""
    name, requires = of.entry["id"].replace("-", "_"), ("KLConversion",)
    thetas, phis = points(of.facts.game)

    def models(place: Mapping[str, Any]) -> str:
        pairs = (of.case.model(place[each], each) for each in ("xi_star", "xi"))
        shown = " ".join(model(thetas[theta], phis[phi]) for theta, phi in pairs)
        return f"{shown} {of.case.policy(place['pi'])}"

    if summed(of.facts.options):
        return of.left(SUMMED)
    if of.entry["verdict"] == "refuted":
        proof = f"apply (no_{name} {of.term} {models(of.entry['witness'])}). {CHECKED}"
        theorem = CoqTheorem("converts_nothing", f"forall c, ~ {name} {of.term} c", proof)
        return of.stated(theorem, says="no c > 0", requires=requires)
    lower, upper = of.value(f"c_{name}_lower".replace("kl", "KL")), of.value(f"c_{name}_upper".replace("kl", "KL"))
    place, where = models(of.entry["evidence"]["attained"]), ""
    statement, sound, no_more_sound = f"{name} {of.term}", f"check_{name}", f"no_more_{name}"
    if any(play.divergent(x, y) for play in of.facts.plays for x in play.models for y in play.models):
        of_world = str(name == "kl_world").lower()
        statement, sound, no_more_sound = f"kl_finite {of.term} {of_world}", "check_kl_finite", "no_more_finite"
        place, where = f"{of_world} {place}", " where KL is finite"
    converts = CoqTheorem("converts", f"{statement} {number(lower)}", f"apply {sound}. {CHECKED}")
    no_more = CoqTheorem(
        "converts_no_more",
        f"forall c, ({number(upper)} < c)%Q -> ~ {statement} c",
        f"apply ({no_more_sound} {of.term} {place} {number(upper)}). {CHECKED}",
    )
    if of.some:
        says = f"c ≤ {rounded(upper, ROUND_CEILING)}{where}, exact in the file"
        return of.stated(no_more, says=says, requires=requires)
    says = f"{rounded(lower, ROUND_FLOOR)} ≤ c ≤ {rounded(upper, ROUND_CEILING)}{where}, exact ends in the file"
    return of.stated(converts, no_more, says=says, requires=requires)


def eluder(of: Subject) -> Stated:
    """Return Proposition 2.6: a sequence of policies from below; from above what counting, enumeration or Lemma C.1
    shows; and the rank."""
    if summed(of.facts.options):
        return of.left(SUMMED)
    world, T = of.entry["id"] == "eluder-world", of.facts.options["T"]
    letter, side, channel = ("W", "theta", "world") if world else ("G", "Phi", "adversary")
    lower, upper = of.value(f"d_{letter}_lower"), of.value(f"d_{letter}_upper")
    evidence, alpha = of.entry["evidence"], number(Fraction(1, 2 * T))
    thetas, phis = points(of.facts.game)
    star = model(
        *(values[k] for values, k in zip((thetas, phis), of.case.model(evidence["xi_star"], "xi_star"), strict=True))
    )

    def query(entry: Mapping[str, Any]) -> str:
        moved = thetas[of.case.world(entry[side])] if world else phis[of.case.answer(entry[side])]
        return pair(str(of.case.policy(entry["pi"])), point(moved))

    arguments = f"{of.term} {str(world).lower()} {alpha}"
    definition = f"Definition queries : list (nat * point) := {listed(map(query, reversed(evidence['sequence'])))}."
    scale = number(Fraction(evidence["scale_squared"]))
    at_least = CoqTheorem(
        "dimension_at_least",
        f"eluder_{channel}_at_least {of.term} {alpha} {lower}",
        f"refine (check_at_least_sound {arguments} {lower} {scale} {star} queries _). {CHECKED}",
    )
    if of.some:
        return of.stated(at_least, says=f"dim_E ≥ {lower}", requires=("EluderDimension",), definitions=definition)
    signs = through_signs(of) == upper > 0
    proof = f"refine (check_at_most_sound {arguments} {upper} _)."
    if signs:
        proof = f"apply (through_signs_sound {arguments} {upper} is_class)."
    at_most = CoqTheorem("dimension_at_most", f"eluder_{channel}_at_most model {alpha} {upper}", f"{proof} {CHECKED}")
    says = f"dim_E = {lower}" if lower == upper else f"{lower} ≤ dim_E ≤ {upper}"
    requires = ("EluderDimension", *(["EluderSigns"] if signs else []))
    if world and entries_of_W(of) > MAX_ENTRIES:
        left = f"p_W, as there are more than {MAX_ENTRIES:,} entries of W"
        return of.stated(at_least, at_most, says=says, left=left, requires=requires, definitions=definition)
    p = of.value(f"p_{letter}")
    rank = CoqTheorem(
        "rank",
        f"forall F : OF, rank_{letter} F model {p}",
        f"refine (check_rank_{letter}_sound model {p} _). {CHECKED}",
    )
    says, requires = f"{says}; p_{letter} = {p}", (*requires, "EluderRank")
    return of.stated(at_least, at_most, rank, says=says, requires=requires, definitions=definition)


def entries_of_W(of: Subject) -> int:
    """Return how many entries the world channel has, at all steps, observations, actions and pure states."""
    game = of.facts.game
    return int(game.H) * prod(map(len, (game.S, game.OA, game.A, game.OB, game.B, game.S)))


def through_signs(of: Subject) -> int:
    """Return the upper end that Lemma C.1 gives."""
    channel, T = of.facts.once(channels)[of.entry["id"]], of.facts.options["T"]
    return sign_witness(channel.rank, channel.D * channel.B2 * 4 * T * T)


def warmup_stationary(of: Subject) -> Stated:
    """Return Assumption 3.1(f): m equal policies are answered by their response; or L_g, where memory fades."""
    rule, m = reaction(of.facts.game), of.facts.game.m
    if rule is None:
        L, gamma = of.value("L_g"), Fraction(of.facts.game.gamma or 0)
        arguments = f"model {number(gamma)} {number(L)}"
        statement = f"fading_lipschitz model {number(L)} /\\ fading_settles {arguments}"
        theorems = [CoqTheorem("fades", statement, f"apply check_settles_sound. {CHECKED}")]
        if L:  # of responses that are all the same no number is the least, as no distance is asked about
            statement = f"forall L, (L < {number(L)})%Q -> ~ fading_lipschitz model L"
            proof = f"apply check_fading_reached_sound. {CHECKED}"
            theorems.append(CoqTheorem("fades_no_less", statement, proof))
        says = f"L_g = {L}; a policy played on is answered within L_gγ^k of its response after k episodes, γ = {gamma}"
        return of.stated(*theorems, says=says, requires=("FadingMemory",))
    statement, says = f"warmup_stationary model rule {m}", f"R(π, …, π) = R_∞(π), m = {m}"
    return settles(of, rule, statement, says, "stationary", "check_stationary_sound", ("WarmupStationary",))


def settles(
    of: Subject, rule: str, statement: str, says: str, ending: str, by_table: str, requires: tuple[str, ...] = ()
) -> Stated:
    """Return that m equal policies are answered by their response: by the lemma of a rule, ``mean_`` or ``latest_``
    with an ``ending``, or by a check of a table of blocks."""
    proof = f"apply {rule.lower()}_{ending}. apply Nat.leb_le. reflexivity"
    if rule not in ("Mean", "Latest"):
        proof = f"apply {by_table}. {CHECKED}"
    definition = f"Definition rule : block_rule := {rule}."
    theorem = CoqTheorem("settles", statement, proof)
    return of.stated(theorem, says=says, requires=requires, definitions=definition)


STATEMENTS: dict[str, Callable[[Subject], Stated]] = {
    "factorization": factorization,
    "oom-identity": oom_identity,
    "nonexpansive": nonexpansive,
    "posterior-lipschitz": posterior_lipschitz,
    "weak-revealing": weak_revealing,
    "well-specified": well_specified,
    "covering": covering,
    "bounded-increments": bounded_increments,
    "predictive-states": predictive_states,
    "kl-joint": kl_conversion,
    "kl-world": kl_conversion,
    "eluder-world": eluder,
    "eluder-adversary": eluder,
    "warmup-stationary": warmup_stationary,
    "regret": regret,
    "constants": constants,
}
OF_STATES = {
    "factorization",
    "oom-identity",
    "nonexpansive",
    "weak-revealing",
    "kl-joint",
    "kl-world",
    "eluder-world",
    "eluder-adversary",
}


def statement(facts: Facts, entry: Entry, settled: Mapping[str, Entry]) -> Stated:
    """Return one claim in Coq, with the claims of its certificate by name."""
    of = Subject(facts, entry, settled)
    if why := unstated(of):
        return of.left(why)
    if "endings" in (entry["evidence"] or {}):
        return of.left(ENDINGS)
    if entry["id"] not in STATEMENTS:
        return of.left("no checker yet")
    return STATEMENTS[entry["id"]](of)


def unstated(of: Subject) -> str | None:
    """Return why nothing can be stated of a claim, whatever the kind of its class; ``None`` where something can."""
    if why := UNDECIDED.get(of.entry["verdict"]):
        return why
    return HISTORIES if of.entry["id"] in OF_STATES and not of.window else None


def model_definition(facts: Facts) -> str:
    """Return the document, and that it is a class of games."""
    theorem = CoqTheorem("is_class", "class_of_games model", f"apply check_class_sound. {CHECKED}")
    return f"Definition model : doc := {document(facts.game)}.\n\n{proved(theorem)}"
