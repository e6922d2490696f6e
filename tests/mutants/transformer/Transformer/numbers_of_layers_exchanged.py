"""Builds as many readers as writers were asked for."""

SAYS = "among the parameters there is"
CHANGES = [
    ("for _ in range(num_encoder_layers)", "for _ in range(num_decoder_layers)"),
]
