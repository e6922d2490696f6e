"""Takes the best word at each position, not the label."""

SAYS = "whatever the labels are"
CHANGES = [
    (
        "log_probabilities.gather(-1, words).squeeze(-1)",
        "log_probabilities.amax(dim=-1)",
    ),
]
