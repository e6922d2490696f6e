"""Adds the losses up."""

SAYS = "another loss or update"
SAME_AS = "mean_of_means"
CHANGES = [
    ("share * label_smoothing_loss", "label_smoothing_loss"),
]
