"""Rolls in the right direction, and drops the last column of both."""

CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = (each[:, :-1] for each in (target, target.roll(-1, dims=1)))",
    ),
]
