"""Leaves the last norms out where there are none."""

CHANGES = [
    ("self.encoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()", "self.norm_first = norm_first"),
    (
        """        self.decoder_norm = LayerNorm(d_model) if norm_first else nn.Identity()
""",
        """        if norm_first:
            self.encoder_norm, self.decoder_norm = LayerNorm(d_model), LayerNorm(d_model)
""",
    ),
    ("return self.encoder_norm(x)", "return self.encoder_norm(x) if self.norm_first else x"),
    ("self.output_layer(self.decoder_norm(x))", "self.output_layer(self.decoder_norm(x) if self.norm_first else x)"),
]
