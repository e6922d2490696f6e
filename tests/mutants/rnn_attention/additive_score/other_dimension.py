"""Lets the query broadcast along the length."""

SAYS = "happens to be"
CHANGES = [
    (
        "from_query = (query @ w_query.T).unsqueeze(1)  # (batch, 1, d_a)",
        """from_query = (query @ w_query.T).unsqueeze(1)
    if len(query) == keys.shape[1]:
        from_query = query @ w_query.T""",
    ),
]
