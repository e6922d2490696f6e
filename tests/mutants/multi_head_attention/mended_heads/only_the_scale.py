"""Finds the wrong width under the root, and not the wrong cut."""

SAYS = "words are still mixed"
CHANGES = [
    (
        "(x.reshape(batch, -1, num_heads, d_k).transpose(1, 2) for x in (query, key, value))",
        "(x.reshape(batch, num_heads, -1, d_k) for x in (query, key, value))",
    ),
]
