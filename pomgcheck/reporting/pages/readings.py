"""Says how the paper was read: each choice that a certificate lists, with a sentence (docs/paper.md says more)."""

from __future__ import annotations

from pomgcheck.certificate import Certificate
from pomgcheck.reporting.blocks import Table
from pomgcheck.reporting.spans import Code

SENTENCES = {
    "2.3:form=step": "Responses are compared with the posteriors at the same step and adversary history.",
    "2.3:form=policy": "Responses are compared with the largest distance of posteriors over steps and histories.",
    "2.4:form=literal": "The laws of the next observations are conditioned on the observation just made, as printed.",
    "2.4:form=joint": "The laws of the next observations are weighted by the chance of the observation just made.",
    "2.4:scope=simplex": "Every normalised predictive state is asked about, reached or not.",
    "2.4:scope=reachable": "Only the predictive states that play under some model of the class reaches are asked about.",
    "2.4:steps=up-to-H-kappa": "The last kappa steps are not asked about, as their windows would pass the horizon.",
    "2.4:policies=class": "The window's law depends on the policy; those asked about are in Pi, and deterministic ones do not stand for mixed.",
    "2.5:space=window": "Predictive states keep the windows that policies and responses read.",
    "2.5:space=history": "Predictive states keep whole decision histories.",
    "2.5:operators=given": "W, G and J are the matrices of the document; there are no kernels behind them.",
    "3.1e:operators=realised": "Errors of operators are taken at the observation and action that occur.",
    "3.1e:operators=summed": "Errors of operators are summed over all observations that may follow, and over actions with their chances.",
    "5.2:memory=fading": "The memory fades at the rate gamma; Theorem 5.2 takes the place of m exact episodes.",
}
PLACES = {
    "2.3": "Assumption 2.3",
    "2.4": "Assumption 2.4",
    "2.5": "Theorem 2.5",
    "3.1e": "Assumption 3.1(e)",
    "5.2": "Theorem 5.2",
}


def table(cert: Certificate) -> Table:
    """Return one row per choice: the place in the paper, what was chosen, and its id in the certificate."""
    rows = ((PLACES[reading.partition(":")[0]], SENTENCES[reading], Code(reading)) for reading in cert.readings)
    return Table.of("", ("Place", "How it was read", "Id"), rows)
