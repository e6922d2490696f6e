"""Looks tokens up in the table of the embedding."""

SAYS = "without positions"
CHANGES = [
    (
        "x = self.source_embedding(source)",
        "x = self.source_embedding.token(source) * self.output_layer.in_features**0.5",
    ),
]
