"""Mends the cut of query and key alone."""

SAYS = "none of the mistakes"
CHANGES = [
    (
        "    scores =",
        """    value = value.transpose(1, 2).reshape(batch, num_heads, -1, d_k)
    scores =""",
    ),
]
