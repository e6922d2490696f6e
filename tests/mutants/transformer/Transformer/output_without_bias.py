"""Leaves the bias out."""

SAYS = "the output layer has no bias"
CHANGES = [
    ("nn.Linear(d_model, target_vocab_size)", "nn.Linear(d_model, target_vocab_size, bias=False)"),
]
