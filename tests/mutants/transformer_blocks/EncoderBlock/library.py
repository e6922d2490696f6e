"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "d_model = self.self_attention.d_model",
        """from transformer_course.transformer_blocks import make_dropout

        make_dropout(0.0)
        d_model = self.self_attention.d_model""",
    ),
]
