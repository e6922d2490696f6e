"""Draws one pair after the other in blocks."""

CHANGES = [
    (
        "return (query * key).sum(dim=-1).var().item()",
        """products = [query[i] @ key[i] for i in range(len(query))]
    mean = sum(products) / len(products)
    return float(sum((x - mean) ** 2 for x in products) / (len(products) - 1))""",
    ),
]
