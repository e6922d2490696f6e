"""Returns logarithms of probabilities."""

SAYS = "log_softmax at the end"
CHANGES = [
    (
        "return self.output_layer(self.decoder_norm(x))",
        "return self.output_layer(self.decoder_norm(x)).log_softmax(-1)",
    ),
]
