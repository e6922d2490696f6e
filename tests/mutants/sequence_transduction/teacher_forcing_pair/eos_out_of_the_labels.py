"""Believes that a model need not learn to stop."""

SAYS = "never learns to stop"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target[:, :-1], target[:, 1:].masked_fill(target[:, 1:] == EOS, PAD)",
    ),
]
