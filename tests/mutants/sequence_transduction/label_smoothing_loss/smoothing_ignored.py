"""Has no smoothing."""

SAYS = "`smoothing` is not used"
CHANGES = [
    (
        "losses = -(1 - smoothing) *",
        "losses = -1.0 *",
    ),
    (
        """    if smoothing > 0:
        losses = losses - smoothing * log_probabilities.mean(dim=-1)
""",
        "",
    ),
]
