"""Works both numbers out with paper and pencil."""

CHANGES = [
    (
        "    logits, label",
        """    low = smoothing / vocab_size
    high = 1 - smoothing + low
    return -high * math.log(high) - (vocab_size - 1) * low * math.log(low), high
    logits, label""",
    ),
]
