"""Takes the mean of the parts' losses."""

SAYS = "a mean of means"
CHANGES = [
    ("int((labels != PAD).sum()) / num_labels", "1 / len(parts)"),
]
