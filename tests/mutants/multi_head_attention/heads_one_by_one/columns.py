"""Takes columns of the matrices for a head."""

SAYS = "takes columns"
CHANGES = [
    (
        "query, key, value = (x @ weight[start : start + d_k].T for weight in (w_query, w_key, w_value))",
        "query, key, value = (x @ weight[:, start : start + d_k] for weight in (w_query, w_key, w_value))",
    ),
]
