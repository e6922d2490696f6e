"""Shifts in the data and once more here."""

SAYS = "shifted twice"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target[:, :-2], target[:, 2:]",
    ),
]
