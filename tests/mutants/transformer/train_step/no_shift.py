"""Reads and predicts the same words."""

SAYS = "nothing is shifted"
CHANGES = [
    ("decoder_input, labels = teacher_forcing_pair(target)", "decoder_input, labels = target, target"),
]
