"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return combined",
        """from transformer_course import masking as library

    return library.combine_masks(*masks)""",
    ),
]
