"""Uses one embedding for both sides where the vocabularies are one."""

CHANGES = [
    (
        "self.source_embedding.token.weight = self.target_embedding.token.weight",
        "self.source_embedding = self.target_embedding",
    ),
]
