"""Begins with the first layer, which has to exist."""

SAYS = "no layers"
CHANGES = [
    (
        """rollout = identity
""",
        """rollout = identity if len(weights) else weights[0]
""",
    ),
]
