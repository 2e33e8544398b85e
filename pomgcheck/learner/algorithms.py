"""Names every algorithm that a run may name, and what each takes of a class."""

from __future__ import annotations

# algorithm -> (its schedule, why no theorem is claimed of it)
ALGORITHMS = {
    "nested": ("down a list of the models, an epoch until its model is refuted; no warm-up where the policy stays", ""),
    "epoch-omle": ("epochs of at most 2^e, ended early by the test", ""),
    "epoch-fixed": ("epochs of 2^e", "none (no termination test)"),
    "flat-batch": ("K = ceil(sqrt(|Pi| T)) equal batches", "none (equal batches, no test)"),
    "mini-batch": (
        "Exp3 on batches of (7 K ln K)^(-1/3) T^(1/3), K = |Pi|, no warm-up",
        "Õ(T^(2/3)) in expectation (Arora, Dekel and Tewari 2012)",
    ),
    "posterior-sampling": ("epochs of 2^e, a model sampled for each epoch", "none (posterior sampling)"),
    "epsilon-greedy": ("every episode anew, explores with probability 1/10, no warm-up", "none (ε-greedy)"),
    "uniform": ("every episode anew, no warm-up", "none (uniform play)"),
}
UNLISTED = ("flat-batch", "mini-batch", "epsilon-greedy", "uniform")  # their epochs are too many for a record
OPTIMISTIC = ("epoch-omle", "epoch-fixed", "flat-batch")  # those that use the radius
ASSUMING = (*OPTIMISTIC, "posterior-sampling")  # those whose constants are of Assumptions 2.2-3.1
CONSTANTS = ("c", "C_0", "factor", "log_covering_upper", "B0_upper", "radius", "threshold")  # of Algorithm 1
WITHOUT = dict.fromkeys(CONSTANTS, "none")  # what a record has of an algorithm without them
