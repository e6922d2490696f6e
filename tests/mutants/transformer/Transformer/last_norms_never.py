"""Knows of no norm after the stack."""

SAYS = "the last norms"
SAME_AS = "last_norms_always"
CHANGES = [
    ("self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()", "self.encoder_norm = nn.Identity()"),
    ("self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()", "self.decoder_norm = nn.Identity()"),
]
