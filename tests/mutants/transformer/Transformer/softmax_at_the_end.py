"""Returns probabilities."""

SAYS = "softmax at the end"
CHANGES = [
    ("return self.output_layer(self.decoder_norm(x))", "return self.output_layer(self.decoder_norm(x)).softmax(-1)"),
]
