"""Counts columns."""

CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = (target.narrow(1, start, target.shape[1] - 1) for start in (0, 1))",
    ),
]
