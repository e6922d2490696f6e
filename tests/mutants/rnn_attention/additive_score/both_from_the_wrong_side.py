"""Multiplies both from the wrong side where they fit."""

SAYS = "both matrices are"
CHANGES = [
    (
        "from_query = (query @ w_query.T).unsqueeze(1)",
        """if query.shape[1] == keys.shape[2] == len(v):
        w_query, w_key = w_query.T, w_key.T
    from_query = (query @ w_query.T).unsqueeze(1)""",
    ),
]
