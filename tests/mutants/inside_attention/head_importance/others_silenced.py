"""Keeps the head, and silences the others."""

SAYS = "what should stay was zeroed"
CHANGES = [
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        """kept = weight[:, index * attention.d_k : (index + 1) * attention.d_k].clone()
                weight[:] = 0.0
                weight[:, index * attention.d_k : (index + 1) * attention.d_k] = kept""",
    ),
]
