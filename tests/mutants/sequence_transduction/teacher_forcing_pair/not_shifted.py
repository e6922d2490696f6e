"""Asks for the word that was just read."""

SAYS = "a model that copies its input"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target[:, :-1], target[:, :-1]",
    ),
]
