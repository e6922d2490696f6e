"""Leaves the shift to the loss."""

SAYS = "nothing was taken away"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target, target",
    ),
]
