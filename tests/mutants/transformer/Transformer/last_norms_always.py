"""Adds the last norms in both orders."""

SAYS = "the last norms"
CHANGES = [
    (
        "self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()",
        "self.encoder_norm = LayerNorm(d_model)",
    ),
    (
        "self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()",
        "self.decoder_norm = LayerNorm(d_model)",
    ),
]
