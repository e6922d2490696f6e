"""Averages the outputs of the blocks."""

SAYS = "not right"
CHANGES = [
    (
        "return weighted / total",
        "blocks = zip(key.split(block_size, -2), value.split(block_size, -2), strict=True)\n    outputs = [softmax(query @ k.transpose(-2, -1) / math.sqrt(query.shape[-1])) @ v for k, v in blocks]\n    return sum(outputs) / len(outputs)",
    ),
]
