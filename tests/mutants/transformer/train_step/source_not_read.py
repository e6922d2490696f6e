"""Gives the model the target twice."""

SAYS = "none of the mistakes that we know"
CHANGES = [
    ("model(source, decoder_input)", "model(decoder_input % 6, decoder_input)"),
]
