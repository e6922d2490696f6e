"""Calls torch's attention."""

SAYS = "a function built from simpler operations"
CHANGES = [
    (
        "context = (weights.unsqueeze(1) @ memory).squeeze(1)  # (batch, d_memory)",
        """context = (weights.unsqueeze(1) @ memory).squeeze(1)  # (batch, d_memory)
        F.scaled_dot_product_attention(memory, memory, memory)""",
    ),
]
