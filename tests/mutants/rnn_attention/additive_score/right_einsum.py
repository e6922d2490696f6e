"""Names the dimensions."""

CHANGES = [
    (
        "return torch.tanh(from_query + keys @ w_key.T) @ v",
        """inner = torch.einsum("bq,aq->ba", query, w_query)[:, None] + torch.einsum("blk,ak->bla", keys, w_key)
    return torch.einsum("bla,a->bl", inner.tanh(), v)""",
    ),
]
