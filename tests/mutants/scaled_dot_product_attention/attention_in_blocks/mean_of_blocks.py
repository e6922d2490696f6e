"""Averages the outputs of the blocks."""

SAYS = "not right"
CHANGES = [
    (
        "return weighted / total",
        """blocks = zip(key.split(block_size, -2), value.split(block_size, -2), strict=True)
    query = query / math.sqrt(query.shape[-1])
    outputs = [softmax(query @ k.transpose(-2, -1)) @ v for k, v in blocks]
    return sum(outputs) / len(outputs)""",
    ),
]
