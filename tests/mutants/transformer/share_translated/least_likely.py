"""Takes the smallest logit."""

SAYS = "than the likeliest"
SAME_AS = "training_mode"
CHANGES = [
    ("logits.argmax", "logits.argmin"),
]
