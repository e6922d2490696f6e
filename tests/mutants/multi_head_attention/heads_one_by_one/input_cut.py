"""Cuts the input into pieces and gives each head its own."""

SAYS = "were not projected"
CHANGES = [
    (
        "query, key, value = (x @ weight[start : start + d_k].T for weight in (w_query, w_key, w_value))",
        "query, key, value = (x[:, :, start : start + d_k] for _ in range(3))",
    ),
]
