"""Cuts the first dimension."""

SAYS = "a row is gone"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target[:-1], target[1:]",
    ),
]
