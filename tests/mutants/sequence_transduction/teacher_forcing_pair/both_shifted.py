"""Lets the decoder read the words that it shall say."""

SAYS = "the very words"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target[:, 1:], target[:, 1:]",
    ),
]
