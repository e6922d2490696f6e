"""Returns the labels first."""

SAYS = "the two results are exchanged"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "labels, decoder_input = target[:, :-1], target[:, 1:]",
    ),
]
