"""Makes the decoder's last norm and does not use it."""

SAYS = "decoder_norm exists, but nothing calls it"
CHANGES = [
    ("self.output_layer(self.decoder_norm(x))", "self.output_layer(x)"),
]
