"""Returns a list of two."""

SAYS = "a list of 2"
CHANGES = [
    (
        "return decoder_input, labels",
        "return [decoder_input, labels]",
    ),
]
