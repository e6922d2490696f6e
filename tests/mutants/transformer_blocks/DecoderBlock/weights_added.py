"""Takes the second result of the attention."""

SAYS = "it raised"
CHANGES = [
    ("self.self_attention(x, x, x, self_mask)[0]", "self.self_attention(x, x, x, self_mask)[1]"),
]
