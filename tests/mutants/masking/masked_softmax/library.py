"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return softmax(scores)",
        """from transformer_course import masking as library

    return library.masked_softmax(scores)""",
    ),
]
