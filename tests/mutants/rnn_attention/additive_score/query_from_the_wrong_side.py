"""Multiplies w_query from the wrong side where it fits."""

SAYS = "`w_query` is multiplied"
CHANGES = [
    (
        "from_query = (query @ w_query.T).unsqueeze(1)",
        """if query.shape[1] == keys.shape[2] == len(v):
        w_query = w_query.T
    from_query = (query @ w_query.T).unsqueeze(1)""",
    ),
]
