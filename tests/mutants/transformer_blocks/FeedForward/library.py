"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "super().__init__()",
        """from transformer_course.transformer_blocks import make_dropout

        super().__init__()""",
    ),
    ("nn.Dropout(dropout)", "make_dropout(dropout)"),
]
