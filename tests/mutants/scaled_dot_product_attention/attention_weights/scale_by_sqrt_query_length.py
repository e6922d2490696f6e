"""Takes the number of queries for d_k, as with shape[1] of an unbatched tensor in mind."""

SAYS = "square root of the number of queries"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-2])",
    ),
]
