"""Shifts the caller's own tensor."""

SAYS = "works in place"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        """decoder_input = target[:, :-1].clone()
    target[:, :-1] = target[:, 1:].clone()
    labels = target[:, :-1]""",
    ),
]
