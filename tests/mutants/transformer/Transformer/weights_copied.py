"""Copies the embedding into the output layer."""

SAYS = "is not the same parameter"
CHANGES = [
    (
        """self.output_layer.weight = self.target_embedding.token.weight
""",
        """self.output_layer.weight.data = self.target_embedding.token.weight.data.clone()
""",
    ),
]
