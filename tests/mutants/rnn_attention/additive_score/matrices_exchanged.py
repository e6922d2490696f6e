"""Exchanges the two matrices where they fit."""

SAYS = "matrices are exchanged"
CHANGES = [
    (
        "from_query = (query @ w_query.T).unsqueeze(1)",
        """if query.shape[1] == keys.shape[2] == len(v):
        w_query, w_key = w_key, w_query
    from_query = (query @ w_query.T).unsqueeze(1)""",
    ),
]
