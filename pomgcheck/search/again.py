"""Certifies a class that was edited: what reads none of the parts that changed is carried over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.reading import long_integers
from pomgcheck.search.certify import check_options, findings
from pomgcheck.search.checked import Progress, Quest, Timed, checked
from pomgcheck.search.clock import Clock
from pomgcheck.search.finding import Finding
from pomgcheck.search.groups import conclude, search_all
from pomgcheck.search.inputs import unchanged

if TYPE_CHECKING:
    from pomgcheck.certificate import Certificate
    from pomgcheck.modelclass.document import ModelClass
    from pomgcheck.options import Options


class Answer(NamedTuple):
    """This is a certificate, with the claims that were carried over from another.

    The kernel has seen the evidence of the latter under the other class, so whoever saves the certificate has the
    kernel check all of it first.
    """

    certificate: Certificate
    carried: frozenset[str]


@long_integers()
def certify_again(
    model: ModelClass, options: Options, before: Certificate | None = None, progress: Progress | None = None
) -> Answer:
    """Return the certificate of ``model``, with every settled claim of ``before`` that reads nothing in which the
    classes differ. Raises what `certify` raises; whatever ``progress`` raises ends the search."""
    stated = options.document
    check_options(stated, model.game)
    carried: dict[str, Finding] = {}
    found: Timed = {claim.id: (Finding("unknown", "not searched"), 0.0) for claim in CLAIMS}
    if before is not None and before.document["options"] == stated:
        same = unchanged(before.document["model"], model.document)
        kept = {claim: timed for claim, timed in findings(before.document).items() if claim in same}
        carried = {claim: finding for claim, (finding, _) in kept.items()}
        found |= kept
    wanted = [claim.id for claim in CLAIMS if claim.id not in carried]
    quest = Quest(stated, {*wanted}, progress, Clock(), carried=frozenset(carried))
    if wanted:
        search_all(model.game, quest, 1, found)
        conclude(model.game, quest, found)
    return Answer(checked(model, model.game, quest, found), frozenset(carried))
