"""One small class for each assumption that can fail.

Of each module, ``FAILS`` is the claim refuted, ``ALSO`` the claims that cannot stand without it, ``TEACHES`` why.
"""

NAMES = (
    "cancelling-actions",
    "cancelling-states",
    "confounded",
    "confounded-curve",
    "current-emission",
    "early-mover",
    "final-step",
    "impossible-end",
    "impossible-trajectory",
    "outside-truth",
    "relabelled-interval",
    "relabelled-states",
    "silent-action",
    "unequal-responses",
)
