"""Looks at the first row only."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if (target[:, 0] != BOS).any():",
        "if len(target) and target[0, 0] != BOS:",
    ),
]
