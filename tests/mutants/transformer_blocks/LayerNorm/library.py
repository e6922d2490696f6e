"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return centred / (variance + self.eps).sqrt() * self.weight + self.bias",
        """from transformer_course.transformer_blocks import layer_norm

        return layer_norm(x, self.weight, self.bias, self.eps)""",
    ),
]
