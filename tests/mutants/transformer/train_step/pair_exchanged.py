"""Unpacks the pair in the wrong order."""

SAYS = "input and labels change places"
CHANGES = [
    ("decoder_input, labels = teacher_forcing_pair(target)", "labels, decoder_input = teacher_forcing_pair(target)"),
]
