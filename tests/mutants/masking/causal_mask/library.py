"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        """from transformer_course import masking as library

    return library.causal_mask(length, device)""",
    ),
]
