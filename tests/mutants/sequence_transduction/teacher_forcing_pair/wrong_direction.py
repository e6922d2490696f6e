"""Rolls the target in the wrong direction."""

SAYS = "wrong direction"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target[:, :-1], target.roll(1, dims=1)[:, 1:]",
    ),
]
