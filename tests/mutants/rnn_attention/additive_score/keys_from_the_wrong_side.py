"""Multiplies w_key from the wrong side where it fits."""

SAYS = "`w_key` is multiplied"
CHANGES = [
    (
        "from_query = (query @ w_query.T).unsqueeze(1)",
        """if query.shape[1] == keys.shape[2] == len(v):
        w_key = w_key.T
    from_query = (query @ w_query.T).unsqueeze(1)""",
    ),
]
