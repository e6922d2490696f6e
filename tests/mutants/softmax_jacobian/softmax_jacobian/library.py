"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        """from transformer_course import softmax_jacobian as library

    return library.softmax_jacobian(scores, scale)""",
    ),
]
